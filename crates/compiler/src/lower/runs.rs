//! Gathers and scatters of words whose lanes turn out to lie in a row, in two, or by fours, as fragments of matrices do: plain loads
//! and stores, which take a fraction of the time. They are looked for where addresses come of where a thread is, and not of what
//! memory holds.

use super::atomic::ADDRESSES;
use super::{Late, Lower, WARP, xmm, zmm};
use crate::assembler::{Label, Level, Mask, at, indexed_by, narrow};
use crate::encode::Memory;
use crate::operation::Operation;
use crate::unit::{SLOT, Step, UNGUARDED, Unit};
use crate::values::Values;
use iced_x86::{Code, Register};

/// Turns in which it is found out what depends on memory; what is not done by then is taken for such.
const MOST_TURNS: usize = 8;
/// Indices beyond that may wrap from one lane to the next.
const MOST_INDEX: i32 = i32::MAX - 255;
/// Bytes of a page.
const PAGE: i32 = 4096;
const LOAD: Code = Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512;
const DIFFER: Code = Code::EVEX_Vpcmpd_kr_k1_zmm_zmmm512b32_imm8;

/// Sixteen lanes that are no single row.
pub(crate) struct Runs {
    /// Here, the way back, and where it is known already that they are no rows.
    label: Label,
    back: Label,
    none: Label,
    /// The mask of lanes, the vector of addresses, and what each of them counts.
    lanes: Register,
    index: Register,
    scale: u8,
    more: i64,
    what: What,
}

/// Two loads in a row by the same addresses, of which the second goes so much further.
#[derive(Clone, Copy)]
pub struct Pair {
    second: usize,
    distance: i64,
    /// Where the first one is done by itself.
    pub alone: Label,
}

#[derive(Clone, Copy)]
pub enum What {
    /// Into a register, which is not one of the addresses.
    Load(Register),
    /// Out of a register.
    Store(Register),
}

/// Registers whose numbers depend on what lanes have loaded, or on other lanes.
pub fn wild(unit: &Unit, values: &Values) -> Vec<bool> {
    let mut wild = vec![false; unit.registers.len()];
    for _ in 0..MOST_TURNS {
        let mut changed = false;
        for step in &unit.steps {
            use Operation::*;
            let alike = |n: usize| values.stride(step.from[n]) == Some(0);
            let depends = match step.operation {
                Step | Shuffle | Vote | Reduce | ActiveMask | Atomic { .. } | Rows { .. } => true,
                Load { .. } => !alike(0) || step.based && !alike(4),
                _ => step.from.iter().any(|offset| wild.get((offset / SLOT) as usize) == Some(&true)),
            };
            if !depends {
                continue;
            }
            for slot in crate::flow::results(step).map(|to| to / SLOT).chain(step.writes().iter().copied()) {
                if let Some(wild) = wild.get_mut(slot as usize)
                    && values.kept(slot).is_none()
                {
                    changed |= !core::mem::replace(wild, true);
                }
            }
        }
        if !changed {
            return wild;
        }
    }
    wild.fill(true);
    wild
}

impl Lower<'_> {
    /// Whether an access of words by the addresses of its lanes looks for rows.
    fn may_lie_in_rows(&self, step: &Step) -> bool {
        let alone = matches!(
            step.operation,
            Operation::Load { element, count: 1, .. } | Operation::Store { element, count: 1, .. } if element.bytes == 4
        );
        let tame = |offset: u32| self.wild.get((offset / SLOT) as usize) == Some(&false);
        let from = step.scaled.map_or(step.from[0], |scaled| scaled.index);
        let based = step.scaled.is_none() && step.based && self.values.stride(step.from[4]) != Some(0);
        alone && tame(from) && (!based || tame(step.from[4])) && self.asm.level() == Level::Avx512
    }

    /// The load that comes next, if it goes by the same addresses as this one, and both may lie by fours.
    pub fn pair_of(&mut self, position: usize, step: &Step) -> Option<Pair> {
        let (unit, second) = (self.unit, position + 1);
        let next = unit.steps.get(second)?;
        let same_block = self.flow.block_at.get(position) == self.flow.block_at.get(second);
        let alike = next.operation == step.operation
            && next.from[0] == step.from[0]
            && (next.based, next.narrow, next.guard) == (step.based, step.narrow, UNGUARDED)
            && (!step.based || next.from[4] == step.from[4]);
        let own = |offset: u32| offset / SLOT == step.to[0] / SLOT;
        let distance = next.offset.checked_sub(step.offset)?;
        let plain = |at: usize, step: &Step| {
            step.scaled.is_none() && self.group(at).is_none() && !self.bundles.of.contains_key(&at) && !step.left
        };
        let fits = same_block
            && alike
            && (1..i64::from(self.layout.least_reach) - 4).contains(&distance)
            && distance % 4 == 0
            && !own(next.from[0])
            && !(next.based && own(next.from[4]))
            && self.comes_by_fours(step)
            && plain(position, step)
            && plain(second, next)
            && self.layout.counters == 0
            && !self.combining.now
            && self.joins.is_none();
        let to = next.to[0];
        if !fits || to == u32::MAX || step.to[0] == u32::MAX {
            return None;
        }
        let known = self.home(to).is_some() && !self.wide(to) && !self.is_scalar(to);
        known.then(|| Pair { second, distance, alone: self.asm.label() })
    }

    fn comes_by_fours(&self, step: &Step) -> bool {
        step.guard == UNGUARDED && self.may_lie_in_rows(step)
    }

    /// Loads words by the addresses of 64 bits in `zmm0` to `zmm3`, if all lanes are active and each four of them lie in a row. Gives
    /// where code goes on then; what follows loads them one by one.
    pub fn fours(&mut self, step: &Step, to: u32, more: i64) -> Option<Label> {
        // The second of two goes by what the first one has found.
        if !self.comes_by_fours(step) || self.joins.is_some() {
            return None;
        }
        let pair = self.pair.take();
        let back = self.asm.label();
        let none = match pair {
            Some(pair) => pair.alone,
            None => self.asm.label(),
        };
        self.asm.op2i(Code::Cmp_rm32_imm8, at(WARP, self.layout.active.into()), -1);
        self.asm.jne(none);
        self.line64(|lane| lane % 4 * 4, Register::RDX);
        for piece in 0..4 {
            let differ = if piece == 0 { Register::K6 } else { Register::K7 };
            self.asm.op3(Code::EVEX_Vpsubq_zmm_k1z_zmm_zmmm512b64, zmm(4), zmm(piece), at(Register::RDX, 0));
            self.asm.op3i(Code::EVEX_Vpermq_zmm_k1z_zmmm512b64_imm8, zmm(5), zmm(4), 0, Mask::ALL);
            self.asm.op4i(Code::EVEX_Vpcmpq_kr_k1_zmm_zmmm512b64_imm8, differ, zmm(4), zmm(5), 4, Mask::ALL);
            if piece != 0 {
                self.asm.op3(Code::VEX_Korb_kr_kr_kr, Register::K6, Register::K6, Register::K7);
            }
        }
        self.asm.op2(Code::VEX_Kortestb_kr_kr, Register::K6, Register::K6);
        self.asm.jne(none);
        for piece in 0..4 {
            let place = at(Register::RSP, ADDRESSES + 64 * i64::from(piece));
            self.asm.op2(Code::EVEX_Vmovdqu32_zmmm512_k1z_zmm, place, zmm(piece));
        }
        self.load_fours(step, to, more);
        if let Some(pair) = pair {
            let (unit, end) = (self.unit, self.asm.label());
            let next = &unit.steps[pair.second];
            self.note_position(pair.second);
            self.load_fours(next, next.to[0], more + pair.distance);
            self.asm.jmp(end);
            self.joins = Some((pair.second, end));
        } else {
            self.asm.jmp(back);
        }
        self.asm.place(none);
        Some(back)
    }

    /// Rows of four words, of which the addresses of the lanes are on the stack.
    fn load_fours(&mut self, step: &Step, to: u32, more: i64) {
        for piece in 0..2 {
            let target = self.target(step, to, piece);
            for four in 0..4 {
                let address = ADDRESSES + 128 * i64::from(piece) + 32 * four;
                self.asm.op2(Code::Mov_r64_rm64, Register::RDX, at(Register::RSP, address));
                self.insert_four(target, at(Register::RDX, more), four as i32);
            }
            self.put(step, to, piece, false, target);
        }
    }

    /// Four words into a register; the first of its four clears the others.
    fn insert_four(&mut self, to: Register, from: Memory, four: i32) {
        if four == 0 {
            self.asm.op2(Code::EVEX_Vmovdqu32_xmm_k1z_xmmm128, xmm(to), from);
        } else {
            self.asm.op4i(Code::EVEX_Vinserti32x4_zmm_k1z_zmm_xmmm128_imm8, to, to, from, four, Mask::ALL);
        }
    }

    /// Loads or stores words of sixteen lanes by the indices in a vector, from `rax` on, if they lie in rows. Gives where code
    /// goes on then; what follows does it by their addresses.
    pub fn runs(
        &mut self,
        step: &Step,
        index: Register,
        scale: u8,
        lanes: Register,
        more: i64,
        what: What,
    ) -> Option<Label> {
        if !self.may_lie_in_rows(step) || scale > 4 {
            return None;
        }
        let (label, none, back) = (self.asm.label(), self.asm.label(), self.asm.label());
        // What is left of each lane's index without its place in the row; that of the first lane for all of them.
        let each = 4 / u32::from(scale);
        self.line32(|lane| lane * each, Register::RDX);
        self.asm.op3(Code::EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32, zmm(2), index, at(Register::RDX, 0));
        self.first_of(zmm(3), lanes);
        self.asm.op4i(DIFFER, Register::K7, zmm(2), zmm(5), 4, Mask::of(lanes));
        self.asm.op2(Code::VEX_Kortestw_kr_kr, Register::K7, Register::K7);
        self.asm.jne(label);
        self.begin_of(zmm(3), Register::RCX, Register::RDX, (scale, more), none);
        let row = self.row_at(Register::RCX, scale, more);
        match what {
            What::Load(to) => self.asm.masked2(LOAD, to, row, Mask::zeroing(lanes)),
            What::Store(from) => self.asm.masked2(Code::EVEX_Vmovdqu32_zmmm512_k1z_zmm, row, from, Mask::of(lanes)),
        }
        self.late.push(Late::Runs(Runs { label, back, none, lanes, index, scale, more, what }));
        Some(back)
    }

    /// The first lane of `zmm2` under a mask, into the first lane of a register and all lanes of `zmm5`.
    fn first_of(&mut self, to: Register, lanes: Register) {
        self.asm.masked2(Code::EVEX_Vpcompressd_zmmm512_k1z_zmm, to, zmm(2), Mask::zeroing(lanes));
        self.asm.op2(Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32, zmm(5), xmm(to));
    }

    /// Where a row begins, as a number of 64 bits; `none` if its sixteen words are not all in one page: where lanes want a part of them,
    /// the other page may be missing, and masked accesses take long there. Changes another register, too.
    fn begin_of(&mut self, from: Register, to: Register, spare: Register, (scale, more): (u8, i64), none: Label) {
        self.index_of(from, to);
        if scale != 1 {
            self.asm.op2i(Code::Cmp_rm64_imm32, to, MOST_INDEX);
            self.asm.jg(none);
        }
        let place = self.row_at(to, scale, more);
        self.asm.op2(Code::Lea_r64_m, spare, place);
        self.asm.op2i(Code::And_rm32_imm32, narrow(spare), PAGE - 1);
        self.asm.op2i(Code::Cmp_rm32_imm32, narrow(spare), PAGE - 64);
        self.asm.ja(none);
    }

    fn index_of(&mut self, from: Register, to: Register) {
        self.asm.op2(Code::EVEX_Vmovd_rm32_xmm, narrow(to), xmm(from));
        self.asm.op2(Code::Movsxd_r64_rm32, to, narrow(to));
    }

    fn row_at(&self, begin: Register, scale: u8, more: i64) -> Memory {
        indexed_by(Register::RAX, begin, scale, more)
    }

    /// Two rows, or none.
    pub fn late_runs(&mut self, runs: Runs) {
        let Runs { label, back, none, lanes, index, scale, more, what } = runs;
        self.asm.place(label);
        if let What::Load(to) = what {
            self.first_of(zmm(4), Register::K7);
            self.asm.op4i(DIFFER, Register::K6, zmm(2), zmm(5), 4, Mask::of(Register::K7));
            self.asm.op2(Code::VEX_Kortestw_kr_kr, Register::K6, Register::K6);
            let fours = self.asm.label();
            self.asm.jne(fours);
            self.begin_of(zmm(3), Register::RCX, Register::RDX, (scale, more), none);
            self.begin_of(zmm(4), Register::RDX, Register::RCX, (scale, more), none);
            self.index_of(zmm(3), Register::RCX);
            self.asm.op3(Code::VEX_Kandnw_kr_kr_kr, Register::K6, Register::K7, lanes);
            let rows = [Register::RCX, Register::RDX].map(|begin| self.row_at(begin, scale, more));
            self.asm.masked2(LOAD, to, rows[0], Mask::zeroing(Register::K6));
            self.asm.masked2(LOAD, to, rows[1], Mask::of(Register::K7));
            self.asm.jmp(back);
            // All lanes are active, and each is in the row of the first of its four.
            self.asm.place(fours);
            self.asm.op3i(Code::EVEX_Vpshufd_zmm_k1z_zmmm512b32_imm8, zmm(5), zmm(2), 0, Mask::ALL);
            self.asm.op4i(DIFFER, Register::K6, zmm(2), zmm(5), 4, Mask::ALL);
            self.asm.op2(Code::VEX_Kortestw_kr_kr, Register::K6, Register::K6);
            self.asm.jne(none);
            self.asm.op2(Code::VEX_Kortestw_kr_kr, lanes, lanes);
            self.asm.jae(none);
            self.asm.op2(Code::EVEX_Vmovdqu32_zmmm512_k1z_zmm, at(Register::RSP, ADDRESSES), index);
            for four in 0..4 {
                self.asm.op2(Code::Movsxd_r64_rm32, Register::RDX, at(Register::RSP, ADDRESSES + 16 * four));
                if scale != 1 {
                    self.asm.op2i(Code::Cmp_rm64_imm32, Register::RDX, MOST_INDEX);
                    self.asm.jg(none);
                }
                let from = self.row_at(Register::RDX, scale, more);
                self.insert_four(to, from, four as i32);
            }
            self.asm.jmp(back);
        }
        self.asm.place(none);
        self.asm.op2(Code::VEX_Kmovw_kr_km16, Register::K6, lanes);
        let place = self.row_at(index, scale, more);
        match what {
            What::Load(to) => {
                self.asm.op3(Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, to, to, to);
                self.asm.masked2(Code::EVEX_Vpgatherdd_zmm_k1_vm32z, to, place, Mask::of(Register::K6));
            }
            What::Store(from) => {
                self.asm.masked2(Code::EVEX_Vpscatterdd_vm32z_k1_zmm, place, from, Mask::of(Register::K6));
            }
        }
        self.asm.jmp(back);
    }
}
