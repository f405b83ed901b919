//! Sums that wait: what a loop adds to words of global memory, whose results nobody looks at, is collected on the stack and added
//! where the loop is left. Cores that count in the same words would else take turns at each of them.
//!
//! Whatever might see that words have not changed yet adds first: accesses of such a loop to the words, and all ways out of
//! compiled code. Other threads that have not synchronised with this one cannot tell.

use super::memory::Place;
use super::{Late, Lower, atomic, zmm};
use crate::assembler::{Label, Mask, at, indexed_by};
use crate::operation::{Number, Operation, Window};
use crate::unit::{SLOT, Step, UNGUARDED};
use iced_x86::{Code, Register};
use ptx::AtomicOperation;

/// Where the stack has how often the words may still be others, where they begin (0: none wait), and the sums.
const MOVES: i64 = 4;
const BEGIN: i64 = 8;
const SUMS: i64 = super::frame::OWN_END;
/// Bytes of the words.
pub const BYTES: i64 = 8192;
/// How often the words may be others before additions go to memory at once, until a loop is left. One more says that the sums
/// have not been used yet.
const MOST_MOVES: i32 = 8;
const FRESH: i32 = MOST_MOVES + 1;

/// What is known of the sums of a kernel.
#[derive(Default)]
pub(crate) struct Combining {
    /// Blocks in which sums may wait; and others that such a block leads to.
    within: Vec<bool>,
    behind: Vec<bool>,
    /// Registers that nobody reads.
    unread: Vec<bool>,
    /// There are such blocks; the one at hand is.
    pub any: bool,
    pub now: bool,
    /// Adds the sums to memory.
    pub add: Option<Label>,
}

impl Combining {
    pub fn is_unread(&self, offset: u32) -> bool {
        self.unread.get((offset / SLOT) as usize) == Some(&true)
    }
}

impl Lower<'_> {
    /// Looks for loops in which sums may wait.
    pub fn find_sums(&mut self) {
        /// Steps that are looked at.
        const ENOUGH: usize = 1 << 18;
        let (unit, flow) = (self.unit, self.flow);
        let mut unread = vec![true; unit.registers.len()];
        for (at, step) in unit.steps.iter().enumerate() {
            // An atomic operation under a guard reads its result once to keep what other lanes have, which is no use of it.
            let is_guarded = matches!(step.operation, Operation::Atomic { .. }) && step.guard != UNGUARDED;
            let mut kept = is_guarded.then_some(step.to[0] / SLOT);
            let read = |register: u32| {
                if kept.take_if(|own| *own == register).is_none() {
                    unread[register as usize] = false;
                }
            };
            flow.touches_plainly(at, read, |_, _| {});
        }
        self.combining.unread = unread;
        let counts: Vec<usize> =
            (0..flow.count()).filter(|&block| flow.range(block).any(|at| self.may_wait(&unit.steps[at]))).collect();
        if counts.is_empty() {
            return;
        }
        // All of the kernel, or loops from the largest on.
        let mut reached = vec![false; flow.count()];
        let mut work = vec![0];
        while let Some(block) = work.pop() {
            if !core::mem::replace(&mut reached[block as usize], true) {
                work.extend(&flow.next[block as usize]);
            }
        }
        let ends = |step: &Step| matches!(step.operation, Operation::Exit) || self.is_harmless(step);
        let all = (0..flow.count())
            .filter(|&block| reached[block])
            .all(|block| flow.range(block).all(|at| ends(&unit.steps[at])));
        let back = |block: usize| {
            flow.next[block].iter().map(move |&to| (to as usize, block)).filter(|&(to, from)| to <= from)
        };
        let mut loops: Vec<(usize, usize)> = (0..flow.count()).flat_map(back).collect();
        loops.sort_unstable_by_key(|&(first, last)| (core::cmp::Reverse(last - first), first));
        let (mut within, mut left) = (vec![all && !loops.is_empty(); flow.count()], ENOUGH);
        for (first, last) in loops {
            if within[first] || !counts.iter().any(|block| (first..=last).contains(block)) {
                continue;
            }
            let steps = flow.starts[first] as usize..flow.starts[last + 1] as usize;
            let Some(rest) = left.checked_sub(steps.len()) else { break };
            left = rest;
            if unit.steps[steps].iter().all(|step| self.is_harmless(step)) {
                within[first..=last].fill(true);
            }
        }
        let mut behind = vec![false; flow.count()];
        for block in (0..flow.count()).filter(|&block| within[block]) {
            flow.next[block].iter().for_each(|&to| behind[to as usize] |= !within[to as usize]);
        }
        let any = within.contains(&true);
        let add = any.then(|| self.asm.label());
        self.combining = Combining { within, behind, any, now: false, add, ..core::mem::take(&mut self.combining) };
    }

    /// An addition to global memory that may wait.
    fn may_wait(&self, step: &Step) -> bool {
        let Operation::Atomic { window: Window::Plain, change: AtomicOperation::Add, number, generic: false, .. } =
            step.operation
        else {
            return false;
        };
        let unread = step.to[0] == u32::MAX || self.combining.is_unread(step.to[0]);
        // Where lanes lie in a row or in one place there is not much to collect.
        unread
            && matches!(number, Number::U32 | Number::S32)
            && !step.narrow
            && self.values.stride(step.from[0]).is_none()
    }

    /// True for what may stand in a loop whose sums wait.
    fn is_harmless(&self, step: &Step) -> bool {
        let is_row = |window, element, count| matches!(self.kind(step, window, element, count), Some(Place::Row(_)));
        use Operation::*;
        match step.operation {
            Step | Aligned { .. } | Exit | Barrier | Fence | CopyAcross { .. } => false,
            Atomic { window, .. } => window == Window::Shared || self.may_wait(step),
            Load { window, element, count, .. } | Store { window, element, count, .. } => {
                window == Window::Shared || is_row(window, &element, count)
            }
            Copy { .. }
            | Add(..)
            | Sub(..)
            | Mul(..)
            | Mad(..)
            | MulWide { .. }
            | MadWide { .. }
            | MulHigh { .. }
            | And { .. }
            | Or { .. }
            | Xor { .. }
            | Not { .. }
            | Shl { .. }
            | Shr(..)
            | Min(..)
            | Max(..)
            | Neg(..)
            | Abs(..)
            | Div(..)
            | Rem(..)
            | Sqrt(..)
            | Rcp(..)
            | Rsqrt(..)
            | Lop3
            | Bitwise { .. }
            | Select { .. }
            | Compare(..)
            | Logic
            | Convert { .. }
            | Integral(..)
            | ConvertPair(..)
            | MulWide16 { .. }
            | Popc { .. }
            | Clz { .. }
            | Brev
            | Bfe(..)
            | Bfi
            | Prmt
            | Funnel { .. }
            | Copysign { .. }
            | SelectSign { .. }
            | Mad24 { .. }
            | Sad { .. }
            | Approximate(..)
            | Cnot
            | Bfind { .. }
            | Vote
            | Reduce
            | ActiveMask
            | Meet
            | Branch
            | Rows { .. }
            | Nothing
            | Shuffle => true,
        }
    }

    /// Begins a block: sums that may wait are added if it is none in which they do.
    pub fn begin_block(&mut self, block: usize) {
        self.combining.now = self.combining.within.get(block) == Some(&true);
        if self.combining.behind.get(block) == Some(&true) {
            let past = self.asm.label();
            self.asm.op2i(Code::Cmp_rm64_imm8, at(Register::RSP, BEGIN), 0);
            self.asm.je(past);
            self.add_sums();
            self.asm.op2i(Code::Mov_rm32_imm32, at(Register::RSP, MOVES), MOST_MOVES);
            self.asm.place(past);
        }
    }

    /// No sums wait when the code is entered.
    pub fn begin_sums(&mut self) {
        if self.combining.any {
            // The stack grows by pages.
            for more in [BYTES / 2 + SUMS, SUMS] {
                self.asm.op2(Code::Test_rm32_r32, at(Register::RSP, more), Register::EAX);
            }
            self.asm.op2i(Code::Mov_rm64_imm32, at(Register::RSP, BEGIN), 0);
            self.asm.op2i(Code::Mov_rm32_imm32, at(Register::RSP, MOVES), FRESH);
        }
    }

    /// Adds sums that wait, if there are any; changes nothing but flags.
    pub fn add_sums(&mut self) {
        let Some(add) = self.combining.add else { return };
        let past = self.asm.label();
        self.asm.op2i(Code::Cmp_rm64_imm8, at(Register::RSP, BEGIN), 0);
        self.asm.je(past);
        self.asm.call(add);
        self.asm.place(past);
    }

    /// Adds sums that wait if an access, at an offset from `rax`, may be to their words. Changes `rcx`.
    pub fn add_sums_of(&mut self, place: &Place, window: Window, offset: i64, bytes: i64) {
        if !self.combining.now || window != Window::Plain {
            return;
        }
        // Nothing else stands in such a block.
        let Place::Row(stride) = *place else { return self.add_sums() };
        let (first, span) = ((31 * stride).min(0), 31 * stride.abs() + bytes);
        let (label, back) = (self.asm.label(), self.asm.label());
        self.asm.op2(Code::Lea_r64_m, Register::RCX, at(self.bases[0], offset + first + span - 1));
        self.asm.op2(Code::Sub_r64_rm64, Register::RCX, at(Register::RSP, BEGIN));
        self.asm.op2i(Code::Cmp_rm64_imm32, Register::RCX, (BYTES + span - 1) as i32);
        self.asm.jb(label);
        self.late.push(Late::Sums { label, back });
        self.end_late(back);
    }

    /// Adds the lanes in `ecx` to sums, if the addresses in `zmm0` to `zmm3` are all near each other; else jumps. `rdi` is what all
    /// lanes add, or their operands are on the stack.
    pub fn collect(&mut self, step: &Step, once: bool, otherwise: Label) {
        let (again, outside, end) = (self.asm.label(), self.asm.label(), self.asm.label());
        self.asm.number(Register::R8, 0);
        self.asm.place(again);
        self.asm.op2(Code::EVEX_Vpbroadcastq_zmm_k1z_xmmm64, zmm(4), at(Register::RSP, BEGIN));
        self.line64(|_| BYTES as u64 - 4, Register::RDX);
        for piece in 0..4 {
            let lanes = self.lanes(step, piece, true, Register::K5);
            self.asm.op3(Code::EVEX_Vpsubq_zmm_k1z_zmm_zmmm512b64, zmm(5), zmm(piece), zmm(4));
            let place = at(Register::RSP, atomic::ADDRESSES + 64 * i64::from(piece));
            self.asm.op2(Code::EVEX_Vmovdqu32_zmmm512_k1z_zmm, place, zmm(5));
            let (to, most) = (if piece == 0 { Register::K6 } else { Register::K7 }, at(Register::RDX, 0));
            self.asm.op4i(Code::EVEX_Vpcmpuq_kr_k1_zmm_zmmm512b64_imm8, to, zmm(5), most, 6, Mask::of(lanes));
            if piece != 0 {
                self.asm.op3(Code::VEX_Korb_kr_kr_kr, Register::K6, Register::K6, Register::K7);
            }
        }
        self.asm.op2(Code::VEX_Kortestb_kr_kr, Register::K6, Register::K6);
        self.asm.jne(outside);
        let sum = indexed_by(Register::RSP, Register::RSI, 1, SUMS);
        let (some, last) = (self.asm.label(), self.asm.label());
        self.asm.op2i(Code::Cmp_rm32_imm8, Register::ECX, -1);
        self.asm.jne(some);
        for n in 0..32 {
            self.asm.op2(Code::Mov_r64_rm64, Register::RSI, at(Register::RSP, atomic::ADDRESSES + 8 * n));
            if !once {
                self.asm.op2(Code::Mov_r32_rm32, Register::EDI, at(Register::RSP, atomic::OPERANDS + 4 * n));
            }
            self.asm.op2(Code::Add_rm32_r32, sum, Register::EDI);
        }
        self.asm.jmp(end);
        self.asm.place(some);
        self.asm.op2(Code::Tzcnt_r32_rm32, Register::EDX, Register::ECX);
        self.asm.op2(Code::Mov_r64_rm64, Register::RSI, atomic::lane(atomic::ADDRESSES, true));
        if !once {
            self.asm.op2(Code::Mov_r32_rm32, Register::EDI, atomic::lane(atomic::OPERANDS, false));
        }
        self.asm.op2(Code::Add_rm32_r32, sum, Register::EDI);
        self.asm.op2(Code::VEX_Blsr_r32_rm32, Register::ECX, Register::ECX);
        self.asm.jne(some);
        self.asm.jmp(end);
        // Other words, in the middle of which the first lane's is.
        self.asm.place(outside);
        let moves = at(Register::RSP, MOVES);
        self.asm.op2i(Code::Cmp_rm32_imm8, moves, 0);
        self.asm.je(last);
        self.asm.op2(Code::Test_rm32_r32, Register::R8D, Register::R8D);
        self.asm.jne(last);
        self.asm.op2(Code::Tzcnt_r32_rm32, Register::EDX, Register::ECX);
        self.asm.op2(Code::Mov_r64_rm64, Register::RSI, atomic::lane(atomic::ADDRESSES, true));
        self.asm.op2(Code::Add_r64_rm64, Register::RSI, at(Register::RSP, BEGIN));
        self.add_sums();
        self.asm.op2i(Code::Sub_rm64_imm32, Register::RSI, BYTES as i32 / 2);
        self.asm.op2i(Code::And_rm64_imm8, Register::RSI, -64);
        self.asm.op2(Code::Mov_rm64_r64, at(Register::RSP, BEGIN), Register::RSI);
        // The first time the sums hold anything; later what has been added is zero.
        let clear = self.asm.label();
        self.asm.op2i(Code::Cmp_rm32_imm8, moves, FRESH);
        self.asm.jne(clear);
        self.asm.op2(Code::Lea_r64_m, Register::RDX, at(Register::RSP, SUMS));
        self.asm.number(Register::R8, BYTES as u64 / 64);
        self.asm.op3(Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, zmm(5), zmm(5), zmm(5));
        let more = self.asm.label();
        self.asm.place(more);
        self.asm.op2(Code::EVEX_Vmovdqu32_zmmm512_k1z_zmm, at(Register::RDX, 0), zmm(5));
        self.asm.op2i(Code::Add_rm64_imm32, Register::RDX, 64);
        self.asm.op2i(Code::Sub_rm32_imm32, Register::R8D, 1);
        self.asm.jne(more);
        self.asm.place(clear);
        self.asm.op2i(Code::Sub_rm32_imm32, moves, 1);
        self.asm.number(Register::R8, 1);
        self.asm.jmp(again);
        // As additions to memory.
        self.asm.place(last);
        for piece in 0..4 {
            let place = at(Register::RSP, atomic::ADDRESSES + 64 * i64::from(piece));
            self.asm.op2(Code::EVEX_Vmovdqu32_zmmm512_k1z_zmm, place, zmm(piece));
        }
        self.asm.jmp(otherwise);
        self.end_late(end);
    }

    /// Adds the sums that wait to memory; called, with a return address on the stack. Keeps all registers but `zmm5` and `k7`.
    pub fn sums_thunk(&mut self) {
        const KEPT: [Register; 6] =
            [Register::RAX, Register::RCX, Register::RDX, Register::RSI, Register::RDI, Register::R8];
        let Some(label) = self.combining.add else { return };
        self.asm.place(label);
        KEPT.iter().for_each(|&register| self.asm.op1(Code::Push_r64, register));
        let own = 8 * (KEPT.len() as i64 + 1);
        let word = |base: Register| indexed_by(base, Register::RDI, 4, 0);
        self.asm.op2(Code::Mov_r64_rm64, Register::RCX, at(Register::RSP, own + BEGIN));
        self.asm.op2i(Code::Mov_rm64_imm32, at(Register::RSP, own + BEGIN), 0);
        self.asm.op2(Code::Lea_r64_m, Register::RDX, at(Register::RSP, own + SUMS));
        self.asm.number(Register::RAX, BYTES as u64 / 64);
        let (again, more, next) = (self.asm.label(), self.asm.label(), self.asm.label());
        self.asm.place(again);
        self.asm.op2(Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512, zmm(5), at(Register::RDX, 0));
        self.asm.masked3(Code::EVEX_Vptestmd_kr_k1_zmm_zmmm512b32, Register::K7, zmm(5), zmm(5), Mask::ALL, 0);
        self.asm.op2(Code::VEX_Kortestw_kr_kr, Register::K7, Register::K7);
        self.asm.je(next);
        self.asm.op2(Code::VEX_Kmovd_r32_kr, Register::ESI, Register::K7);
        self.asm.place(more);
        self.asm.op2(Code::Tzcnt_r32_rm32, Register::EDI, Register::ESI);
        self.asm.op2(Code::Mov_r32_rm32, Register::R8D, word(Register::RDX));
        self.asm.locked2(Code::Add_rm32_r32, word(Register::RCX), Register::R8D);
        self.asm.op2(Code::VEX_Blsr_r32_rm32, Register::ESI, Register::ESI);
        self.asm.jne(more);
        self.asm.op3(Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, zmm(5), zmm(5), zmm(5));
        self.asm.op2(Code::EVEX_Vmovdqu32_zmmm512_k1z_zmm, at(Register::RDX, 0), zmm(5));
        self.asm.place(next);
        self.asm.op2i(Code::Add_rm64_imm32, Register::RDX, 64);
        self.asm.op2i(Code::Add_rm64_imm32, Register::RCX, 64);
        self.asm.op2i(Code::Sub_rm32_imm32, Register::EAX, 1);
        self.asm.jne(again);
        KEPT.iter().rev().for_each(|&register| self.asm.op1(Code::Pop_r64, register));
        self.asm.op0(Code::Retnq);
    }
}
