//! Steps in which lanes exchange values: native where all lanes that live are here, else the interpreter's, which waits for them.

use super::{FRAME, Late, Lower, WARP, ymm, zmm};
use crate::assembler::{Level, Mask, at};
use crate::flow::has;
use crate::operation::Operation;
use crate::unit::{SLOT, Step, UNGUARDED};
use iced_x86::{Code, Register};

const MOVE: Code = Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512;
const LOAD: Code = Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512;
const SPREAD: Code = Code::EVEX_Vpbroadcastd_zmm_k1z_r32;

impl Lower<'_> {
    /// A step of this kind. False if it is left to the interpreter.
    pub(super) fn exchange(&mut self, position: usize, step: &Step, before: &[u64], after: &[u64]) -> bool {
        let constant = |lower: &Self, n: usize| lower.constant(step.from[n]).map(|bits| bits as u32);
        if step.guard != UNGUARDED {
            return false;
        }
        let known = match step.operation {
            Operation::ActiveMask => {
                self.asm.op2(Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32, zmm(0), at(WARP, self.layout.active.into()));
                for piece in 0..2 {
                    self.put(step, step.to[0], piece, false, zmm(0));
                }
                return true;
            }
            Operation::Meet => Some(u32::MAX),
            Operation::Shuffle => constant(self, 2),
            _ => constant(self, 1),
        };
        let Some(known) = known else { return false };
        if step.operation == Operation::Reduce && known != u32::MAX {
            return false;
        }
        let (label, back) = (self.asm.label(), self.asm.label());
        self.asm.op2(Code::Mov_r32_rm32, Register::EAX, at(WARP, self.layout.active.into()));
        self.asm.op2(Code::Cmp_r32_rm32, Register::EAX, at(WARP, self.layout.alive.into()));
        self.asm.jne(label);
        self.late.push(Late::Call { label, back, at: position, before: before.to_vec(), after: after.to_vec() });
        match step.operation {
            // They are together.
            Operation::Meet => {}
            Operation::Shuffle => {
                // Compilers name the predicate whether anybody reads it or not.
                let slot = step.to[1] / SLOT;
                let read = step.to[1] != u32::MAX && (slot as usize >= self.unit.registers.len() || has(after, slot));
                self.shuffle(step, known, read);
            }
            Operation::Vote => self.vote(step, known),
            _ => self.reduce(step),
        }
        self.asm.place(back);
        true
    }

    /// `shfl`, with bounds that are known; with its predicate, if somebody reads it.
    fn shuffle(&mut self, step: &Step, bounds: u32, both: bool) {
        let [a, by, ..] = step.from;
        if !self.is_loose_result(step) {
            self.fix(a);
        }
        let (segment, limit) = (bounds >> 8 & 31, bounds & 31);
        let most = |own: u32| own & segment | limit & !segment;
        let least = |own: u32| own & segment;
        let constant = self.constant(by).map(|by| by as u32 & 31);
        let mode = step.mode;
        // Indices into `zmm2` and `zmm3`, lanes whose source is in range into `k5` and `k6`.
        if let Some(by) = constant {
            let source = |own: u32| {
                let from = match mode {
                    0 => own.wrapping_sub(by),
                    1 => own + by,
                    2 => own ^ by,
                    _ => least(own) | by & !segment,
                };
                let inside = if mode == 0 { from as i32 >= most(own) as i32 } else { from <= most(own) };
                (from, inside)
            };
            // All lanes change places with those that differ in a bit or two.
            let crossed = mode == 2 && (0..32).all(|own| source(own).1) && self.cross(step, a, by);
            let lanes = |half: u32| {
                move |lane: u32| {
                    let own = half * 16 + lane;
                    match source(own) {
                        (from, true) => from & 31,
                        _ => own,
                    }
                }
            };
            if !crossed {
                for half in 0..2 {
                    self.line32(lanes(half), Register::RDX);
                    self.asm.op2(LOAD, zmm(2 + half), at(Register::RDX, 0));
                }
                self.pick(step, a);
            }
            if both {
                let inside = (0..32).filter(|&own| source(own).1).fold(0u32, |all, own| all | 1 << own);
                self.asm.number(Register::RAX, inside.into());
                self.set_predicate(step, step.to[1]);
            }
            return;
        }
        for half in 0..2 {
            let own = |lane: u32| half * 16 + lane;
            let (index, holds) = (zmm(2 + half), if half == 0 { Register::K5 } else { Register::K6 });
            let by = self.piece_in(by, half, false, zmm(0));
            let number = if mode == 3 { 31 & !segment } else { 31 };
            self.line32(|_| number, Register::RDX);
            self.asm.op3(Code::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32, index, by, at(Register::RDX, 0));
            let (code, compare, predicate) = match mode {
                0 => (Code::EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32, Code::EVEX_Vpcmpd_kr_k1_zmm_zmmm512b32_imm8, 5),
                1 => (Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, Code::EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8, 2),
                2 => (Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, Code::EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8, 2),
                _ => (Code::EVEX_Vpord_zmm_k1z_zmm_zmmm512b32, Code::EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8, 2),
            };
            if mode == 3 {
                self.line32(|lane| least(own(lane)), Register::RDX);
            } else {
                self.line32(own, Register::RDX);
            }
            self.asm.op2(LOAD, zmm(1), at(Register::RDX, 0));
            self.asm.op3(code, index, zmm(1), index);
            self.line32(|lane| most(own(lane)), Register::RDX);
            self.asm.op4i(compare, holds, index, at(Register::RDX, 0), predicate, Mask::ALL);
            // Lanes whose source is out of range keep their own.
            self.line32(own, Register::RDX);
            self.asm.op2(LOAD, zmm(1), at(Register::RDX, 0));
            self.asm.masked2(MOVE, zmm(1), index, Mask::of(holds));
            self.asm.op2(MOVE, index, zmm(1));
        }
        if both {
            // Kept while masks are used for other things.
            self.asm.op3(Code::VEX_Kunpckwd_kr_kr_kr, Register::K5, Register::K6, Register::K5);
            self.asm.op2(Code::VEX_Kmovd_r32_kr, Register::ECX, Register::K5);
        }
        self.pick(step, a);
        if both {
            self.asm.op2(Code::Mov_r32_rm32, Register::EAX, Register::ECX);
            self.set_predicate(step, step.to[1]);
        }
    }

    /// Each lane's number goes to the lane whose number differs by an exclusive or. False if that takes more than an instruction for
    /// each half.
    fn cross(&mut self, step: &Step, a: u32, by: u32) -> bool {
        let (code, how) = match by & 15 {
            0 => (MOVE, 0),
            // Within groups of four lanes, and these.
            n @ 1..4 => (Code::EVEX_Vpshufd_zmm_k1z_zmmm512b32_imm8, 0b11_10_01_00 ^ (n * 0b01_01_01_01)),
            n if n % 4 == 0 && self.asm.level() != Level::Avx2 => {
                (Code::EVEX_Vshufi32x4_zmm_k1z_zmm_zmmm512b32_imm8, 0b11_10_01_00 ^ (n / 4 * 0b01_01_01_01))
            }
            _ => return false,
        };
        // Halves that change places may do so where they stand.
        let apart = by >= 16 && self.home(step.to[0]) == self.home(a);
        let halves = [0, 1].map(|half| self.piece_in(a, half, false, zmm(half)));
        let targets = [0, 1].map(|half| if apart { zmm(2 + half) } else { self.target(step, step.to[0], half) });
        for half in 0..2 {
            let (from, to) = (halves[(half ^ (by / 16)) as usize], targets[half as usize]);
            match code {
                MOVE => self.asm.op2(code, to, from),
                Code::EVEX_Vpshufd_zmm_k1z_zmmm512b32_imm8 => self.asm.op3i(code, to, from, how as i32, Mask::ALL),
                _ => self.asm.op4i(code, to, from, from, how as i32, Mask::ALL),
            }
            if !apart {
                self.put(step, step.to[0], half, false, to);
            }
        }
        for (half, to) in (0..2).zip(targets).filter(|_| apart) {
            self.put(step, step.to[0], half, false, to);
        }
        true
    }

    /// Lanes by the indices in `zmm2` and `zmm3`.
    fn pick(&mut self, step: &Step, a: u32) {
        let low = self.piece_in(a, 0, false, zmm(0));
        let high = self.piece_in(a, 1, false, zmm(1));
        for half in 0..2 {
            self.asm.op3(Code::EVEX_Vpermi2d_zmm_k1z_zmm_zmmm512b32, zmm(2 + half), low, high);
        }
        for half in 0..2 {
            self.put(step, step.to[0], half, false, zmm(2 + half));
        }
    }

    /// `vote` among members that are known.
    fn vote(&mut self, step: &Step, members: u32) {
        self.asm.op2(Code::Mov_r32_rm32, Register::ECX, at(WARP, self.layout.active.into()));
        if members != u32::MAX {
            self.asm.op2i(Code::And_rm32_imm32, Register::ECX, members as i32);
        }
        self.asm.op2(Code::Mov_r32_rm32, Register::EAX, at(FRAME, step.from[0].into()));
        if step.negated & 1 != 0 {
            self.asm.op1(Code::Not_rm32, Register::EAX);
        }
        self.asm.op2(Code::And_r32_rm32, Register::EAX, Register::ECX);
        if step.mode == 3 {
            self.asm.op2(SPREAD, zmm(0), Register::EAX);
            for piece in 0..2 {
                self.put(step, step.to[0], piece, false, zmm(0));
            }
            return;
        }
        // All ones in `edx` if it holds.
        let test = |lower: &mut Self, code: Code, to: Register, set: Code| {
            let mask = if code == Code::Cmp_r32_rm32 { Register::ECX } else { Register::EAX };
            lower.asm.op2(code, Register::EAX, mask);
            lower.asm.op1(set, to);
        };
        match step.mode {
            0 => test(self, Code::Cmp_r32_rm32, Register::DL, Code::Sete_rm8),
            1 => test(self, Code::Test_rm32_r32, Register::DL, Code::Setne_rm8),
            _ => {
                test(self, Code::Cmp_r32_rm32, Register::DL, Code::Sete_rm8);
                test(self, Code::Test_rm32_r32, Register::CL, Code::Sete_rm8);
                self.asm.op2(Code::Or_r8_rm8, Register::DL, Register::CL);
            }
        }
        self.asm.op2(Code::Movzx_r32_rm8, Register::EAX, Register::DL);
        self.asm.op1(Code::Neg_rm32, Register::EAX);
        self.set_predicate(step, step.to[0]);
    }

    /// `redux` among all lanes that are here.
    fn reduce(&mut self, step: &Step) {
        let (code, neutral) = match step.mode {
            0 => (Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, 0),
            1 => (Code::EVEX_Vpminud_zmm_k1z_zmm_zmmm512b32, u32::MAX),
            2 => (Code::EVEX_Vpmaxud_zmm_k1z_zmm_zmmm512b32, 0),
            3 => (Code::EVEX_Vpminsd_zmm_k1z_zmm_zmmm512b32, i32::MAX as u32),
            4 => (Code::EVEX_Vpmaxsd_zmm_k1z_zmm_zmmm512b32, i32::MIN as u32),
            5 => (Code::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32, u32::MAX),
            6 => (Code::EVEX_Vpord_zmm_k1z_zmm_zmmm512b32, 0),
            _ => (Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, 0),
        };
        let a = step.from[0];
        self.fix(a);
        self.line32(|_| neutral, Register::RDX);
        self.asm.op2(LOAD, zmm(2), at(Register::RDX, 0));
        self.asm.op2(MOVE, zmm(3), zmm(2));
        for (piece, lanes) in [(0, Register::K1), (1, Register::K2)] {
            let x = self.piece_in(a, piece, false, zmm(0));
            self.asm.masked2(MOVE, zmm(2 + piece), x, Mask::of(lanes));
        }
        self.asm.op3(code, zmm(2), zmm(2), zmm(3));
        // Halves, quarters, pairs, neighbours: what lies above them does not count.
        self.asm.op3i(Code::EVEX_Vextracti64x4_ymmm256_k1z_zmm_imm8, ymm(zmm(3)), zmm(2), 1, Mask::ALL);
        self.asm.op3(code, zmm(2), zmm(2), zmm(3));
        self.asm.op3i(Code::EVEX_Vextracti32x4_xmmm128_k1z_zmm_imm8, Register::XMM3, zmm(2), 1, Mask::ALL);
        self.asm.op3(code, zmm(2), zmm(2), zmm(3));
        for how in [0x4e, 0xb1] {
            self.asm.op3i(Code::EVEX_Vpshufd_zmm_k1z_zmmm512b32_imm8, zmm(3), zmm(2), how, Mask::ALL);
            self.asm.op3(code, zmm(2), zmm(2), zmm(3));
        }
        self.asm.op2(Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32, zmm(2), Register::XMM2);
        for piece in 0..2 {
            self.put(step, step.to[0], piece, false, zmm(2));
        }
    }
}
