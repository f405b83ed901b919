//! Integers: bits that are counted, fields of them, bytes that are picked, quotients.

use super::{Lower, ymm, zmm};
use crate::assembler::{Label, Level, Mask, at, full, narrow};
use crate::operation::{Number, Operation};
use crate::unit::{SLOT, Step};
use crate::values::Source;
use iced_x86::{Code, Register};

const MOVE: Code = Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512;
const AND: Code = Code::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32;
const OR: Code = Code::EVEX_Vpord_zmm_k1z_zmm_zmmm512b32;
const SUBTRACT: Code = Code::EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32;
const LOGIC: Code = Code::EVEX_Vpternlogd_zmm_k1z_zmm_zmmm512b32_imm8;
const LEFT: Code = Code::EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8;
const RIGHT: Code = Code::EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8;

impl Lower<'_> {
    /// The number that an operand always is: where only its place is known, a register may hold it.
    pub(super) fn constant(&self, offset: u32) -> Option<u64> {
        match self.source(offset) {
            Source::Constant(bits) => Some(bits),
            _ => self.unit.registers.get((offset / SLOT) as usize)?.constant,
        }
    }

    /// Whether an integer operation has native code.
    pub(super) fn has_integer(&self, step: &Step) -> bool {
        use Operation::*;
        let known = |n: usize| self.constant(step.from[n]).is_some();
        match step.operation {
            Popc { .. } => self.asm.level() == Level::Avx2 || is_x86_feature_detected!("avx512vpopcntdq"),
            Bfe(_) => known(1) && known(2),
            Bfi => known(2) && known(3),
            // A selector that copies signs is rare.
            Prmt => self.constant(step.from[2]).is_some_and(|by| by & 0x8888 == 0),
            _ => true,
        }
    }

    /// Division of 32 bits: quotients of f64 are right when they are cut off.
    pub(super) fn divide(&mut self, step: &Step, number: Number) {
        let [a, b, ..] = step.from;
        let remainder = matches!(step.operation, Operation::Rem(_));
        let signed = number.is_signed();
        let (widen, narrow) = if signed {
            (Code::EVEX_Vcvtdq2pd_zmm_k1z_ymmm256b32_er, Code::EVEX_Vcvttpd2dq_ymm_k1z_zmmm512b64_sae)
        } else {
            (Code::EVEX_Vcvtudq2pd_zmm_k1z_ymmm256b32_er, Code::EVEX_Vcvttpd2udq_ymm_k1z_zmmm512b64_sae)
        };
        let [all_a, all_b] = [a, b].map(|offset| self.values.stride(offset) == Some(0));
        let end = self.asm.label();
        if remainder && all_b && !all_a && number.narrow().is_none() && self.constant(b).is_none() {
            self.remainder_of_power(step, signed, end);
        }
        // One quotient for all lanes is worked out once.
        let alike = all_a && all_b;
        for piece in 0..if alike { 1 } else { 2 } {
            let target = self.target(step, step.to[0], piece);
            let x = self.extended_piece(a, piece, number, zmm(0));
            let y = self.extended_piece(b, piece, number, zmm(1));
            // Low halves into `zmm2`, high ones into `zmm3`.
            self.asm.op2(widen, zmm(2), ymm(x));
            self.asm.op2(widen, zmm(5), ymm(y));
            self.asm.op3(Code::EVEX_Vdivpd_zmm_k1z_zmm_zmmm512b64_er, zmm(2), zmm(2), zmm(5));
            self.asm.op2(narrow, Register::YMM2, zmm(2));
            if !alike {
                let half = Code::EVEX_Vextracti64x4_ymmm256_k1z_zmm_imm8;
                self.asm.op3i(half, Register::YMM3, x, 1, Mask::ALL);
                self.asm.op2(widen, zmm(3), Register::YMM3);
                self.asm.op3i(half, Register::YMM5, y, 1, Mask::ALL);
                self.asm.op2(widen, zmm(5), Register::YMM5);
                self.asm.op3(Code::EVEX_Vdivpd_zmm_k1z_zmm_zmmm512b64_er, zmm(3), zmm(3), zmm(5));
                self.asm.op2(narrow, Register::YMM3, zmm(3));
                let join = Code::EVEX_Vinserti64x4_zmm_k1z_zmm_ymmm256_imm8;
                self.asm.op4i(join, zmm(2), zmm(2), Register::YMM3, 1, Mask::ALL);
            }
            if remainder {
                self.asm.op3(Code::EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32, zmm(2), zmm(2), y);
                self.asm.op3(SUBTRACT, zmm(2), x, zmm(2));
            }
            // By zero: all ones.
            self.asm.masked3(Code::EVEX_Vptestnmd_kr_k1_zmm_zmmm512b32, Register::K6, y, y, Mask::ALL, 0);
            self.asm.op4i(LOGIC, zmm(3), zmm(3), zmm(3), 0xff, Mask::ALL);
            self.asm.masked2(MOVE, zmm(2), zmm(3), Mask::of(Register::K6));
            if alike {
                self.asm.op2(Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32, zmm(2), Register::XMM2);
                self.put(step, step.to[0], 0, false, zmm(2));
                self.put(step, step.to[0], 1, false, zmm(2));
            } else {
                self.asm.op2(MOVE, target, zmm(2));
                self.put(step, step.to[0], piece, false, target);
            }
        }
        self.asm.place(end);
    }

    /// What is left by one number for all lanes, if that turns out to be a power of two: jumps then.
    fn remainder_of_power(&mut self, step: &Step, signed: bool, end: Label) {
        let [a, b, ..] = step.from;
        let other = self.asm.label();
        let by = narrow(self.scalar_in(b, false, Register::RCX));
        self.asm.op2(Code::Lea_r32_m, Register::EDX, at(full(by), -1));
        self.asm.op2(Code::Test_rm32_r32, by, by);
        self.asm.je(other);
        self.asm.op2(Code::Test_rm32_r32, Register::EDX, by);
        self.asm.jne(other);
        self.asm.op2(Code::EVEX_Vpbroadcastd_zmm_k1z_r32, zmm(1), Register::EDX);
        for piece in 0..2 {
            let target = self.target(step, step.to[0], piece);
            let x = self.piece_in(a, piece, false, zmm(0));
            if signed {
                // Of the magnitude, and its sign again.
                self.asm.op3i(Code::EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8, zmm(2), x, 31, Mask::ALL);
                self.asm.op2(Code::EVEX_Vpabsd_zmm_k1z_zmmm512b32, zmm(3), x);
                self.asm.op3(AND, zmm(3), zmm(3), zmm(1));
                self.asm.op3(Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, zmm(3), zmm(3), zmm(2));
                self.asm.op3(SUBTRACT, target, zmm(3), zmm(2));
            } else {
                self.asm.op3(AND, target, x, zmm(1));
            }
            self.put(step, step.to[0], piece, false, target);
        }
        self.asm.jmp(end);
        self.asm.place(other);
    }

    /// Counts of ones or of zeros that lead, of 64 bits: the result has 32.
    pub(super) fn count_wide(&mut self, step: &Step) {
        let code = match step.operation {
            Operation::Popc { .. } => Code::EVEX_Vpopcntq_zmm_k1z_zmmm512b64,
            _ => Code::EVEX_Vplzcntq_zmm_k1z_zmmm512b64,
        };
        for piece in 0..2 {
            let target = self.target(step, step.to[0], piece);
            for (half, part) in [(0, zmm(2)), (1, zmm(3))] {
                let x = self.piece_in(step.from[0], 2 * piece + half, true, zmm(0));
                self.asm.op2(code, zmm(0), x);
                self.asm.op2(Code::EVEX_Vpmovqd_ymmm256_k1z_zmm, ymm(part), zmm(0));
            }
            let join = Code::EVEX_Vinserti64x4_zmm_k1z_zmm_ymmm256_imm8;
            self.asm.op4i(join, target, zmm(2), Register::YMM3, 1, Mask::ALL);
            self.put(step, step.to[0], piece, false, target);
        }
    }

    /// A piece of a result. False for operations that are none of these.
    pub(super) fn integer(&mut self, step: &Step, piece: u32, wide: bool, target: Register) -> bool {
        use Operation::*;
        let [a, b, c, d, _] = step.from;
        match step.operation {
            Popc { .. } => {
                let x = self.piece_in(a, piece, false, zmm(0));
                self.asm.op2(Code::EVEX_Vpopcntd_zmm_k1z_zmmm512b32, target, x);
            }
            Clz { .. } => {
                let x = self.piece_in(a, piece, false, zmm(0));
                self.asm.op2(Code::EVEX_Vplzcntd_zmm_k1z_zmmm512b32, target, x);
            }
            Brev => {
                // Bytes in reverse, then the bits of each: those of a nibble by a table.
                let x = self.piece_in(a, piece, false, zmm(0));
                let reversed = |n: u32| n.reverse_bits() >> 28;
                let table = |n: u32| (0..4).fold(0, |all, k| all | reversed((n % 4) * 4 + k) << (8 * k));
                self.bytes(|n| (n & !3) + 3 - (n & 3), Register::RDX);
                self.asm.op3(Code::EVEX_Vpshufb_zmm_k1z_zmm_zmmm512, zmm(0), x, at(Register::RDX, 0));
                self.line32(|_| 0x0f0f_0f0f, Register::RDX);
                self.asm.op3(AND, zmm(1), zmm(0), at(Register::RDX, 0));
                self.asm.op3i(RIGHT, zmm(0), zmm(0), 4, Mask::ALL);
                self.asm.op3(AND, zmm(0), zmm(0), at(Register::RDX, 0));
                self.line32(table, Register::RDX);
                self.asm.op2(Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512, zmm(2), at(Register::RDX, 0));
                let shuffle = Code::EVEX_Vpshufb_zmm_k1z_zmm_zmmm512;
                self.asm.op3(shuffle, zmm(1), zmm(2), zmm(1));
                self.asm.op3(shuffle, zmm(0), zmm(2), zmm(0));
                self.asm.op3i(LEFT, zmm(1), zmm(1), 4, Mask::ALL);
                self.asm.op3(OR, target, zmm(0), zmm(1));
            }
            Bfe(number) => {
                let (Some(from), Some(count)) = (self.constant(b), self.constant(c)) else { return true };
                self.field(number, from as u32, count as u32, a, piece, target);
            }
            Bfi => {
                let (Some(from), Some(count)) = (self.constant(c), self.constant(d)) else { return true };
                let (from, count) = (from as u32 & 0xff, count as u32 & 0xff);
                let x = self.piece_in(a, piece, false, zmm(0));
                let y = self.piece_in(b, piece, false, zmm(1));
                if from >= 32 || count == 0 {
                    self.asm.op2(MOVE, target, y);
                    return true;
                }
                let mask = (((1u64 << count.min(32)) - 1) << from) as u32;
                self.asm.op3i(LEFT, zmm(2), x, from as i32, Mask::ALL);
                self.line32(|_| mask, Register::RDX);
                // The mask picks: of the shifted one where it is set, of the other elsewhere.
                self.asm.op4i(LOGIC, zmm(2), y, at(Register::RDX, 0), 0xe4, Mask::ALL);
                self.asm.op2(MOVE, target, zmm(2));
            }
            Prmt => {
                let Some(selector) = self.constant(c) else { return true };
                // For each byte where it comes from: bit 7 for the other operand.
                let pick = |n: u32, of: u32| {
                    let which = selector as u32 >> (4 * (n & 3)) & 7;
                    if which / 4 == of { (n & 12) + which % 4 } else { 0x80 }
                };
                let shuffle = Code::EVEX_Vpshufb_zmm_k1z_zmm_zmmm512;
                let uses = |of: u32| (0..4).any(|n| pick(n, of) != 0x80);
                let x = self.piece_in(a, piece, false, zmm(0));
                let y = self.piece_in(b, piece, false, zmm(1));
                match (uses(0), uses(1)) {
                    (true, false) => {
                        self.bytes(|n| pick(n, 0), Register::RDX);
                        self.asm.op3(shuffle, target, x, at(Register::RDX, 0));
                    }
                    (false, _) => {
                        self.bytes(|n| pick(n, 1), Register::RDX);
                        self.asm.op3(shuffle, target, y, at(Register::RDX, 0));
                    }
                    _ => {
                        self.bytes(|n| pick(n, 0), Register::RDX);
                        self.asm.op3(shuffle, zmm(2), x, at(Register::RDX, 0));
                        self.bytes(|n| pick(n, 1), Register::RDX);
                        self.asm.op3(shuffle, zmm(3), y, at(Register::RDX, 0));
                        self.asm.op3(OR, target, zmm(2), zmm(3));
                    }
                }
            }
            Funnel { right, clamp } => {
                let by = self.constant(c);
                if let Some(by) = by.filter(|_| a == b) {
                    let by = if clamp { (by as u32).min(32) } else { by as u32 } % 32;
                    let turn = if right {
                        Code::EVEX_Vprord_zmm_k1z_zmmm512b32_imm8
                    } else {
                        Code::EVEX_Vprold_zmm_k1z_zmmm512b32_imm8
                    };
                    let from = self.shifted_piece(a, piece, false);
                    self.asm.op3i(turn, target, from, by as i32, Mask::ALL);
                    return true;
                }
                let low = self.piece_in(a, piece, false, zmm(0));
                let high = self.piece_in(b, piece, false, zmm(1));
                if let Some(by) = by {
                    let by = if clamp { (by as u32).min(32) } else { by as u32 & 31 } as i32;
                    let (down, up) = if right { (by, 32 - by) } else { (32 - by, by) };
                    self.asm.op3i(RIGHT, zmm(2), low, down, Mask::ALL);
                    self.asm.op3i(LEFT, zmm(3), high, up, Mask::ALL);
                } else {
                    let by = self.piece_in(c, piece, false, zmm(2));
                    if clamp {
                        self.line32(|_| 32, Register::RDX);
                        let least = Code::EVEX_Vpminud_zmm_k1z_zmm_zmmm512b32;
                        self.asm.op3(least, zmm(2), by, at(Register::RDX, 0));
                    } else {
                        self.line32(|_| 31, Register::RDX);
                        self.asm.op3(AND, zmm(2), by, at(Register::RDX, 0));
                    }
                    self.line32(|_| 32, Register::RDX);
                    self.asm.op2(Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512, zmm(3), at(Register::RDX, 0));
                    self.asm.op3(SUBTRACT, zmm(3), zmm(3), zmm(2));
                    let (down, up) = if right { (zmm(2), zmm(3)) } else { (zmm(3), zmm(2)) };
                    self.asm.op3(Code::EVEX_Vpsrlvd_zmm_k1z_zmm_zmmm512b32, zmm(5), low, down);
                    self.asm.op3(Code::EVEX_Vpsllvd_zmm_k1z_zmm_zmmm512b32, zmm(3), high, up);
                    self.asm.op2(MOVE, zmm(2), zmm(5));
                }
                self.asm.op3(OR, target, zmm(2), zmm(3));
            }
            Copysign { wide } => {
                let x = self.piece_in(a, piece, wide, zmm(0));
                let y = self.piece_in(b, piece, wide, zmm(1));
                if wide {
                    self.line64(|_| 1 << 63, Register::RDX);
                } else {
                    self.line32(|_| 1 << 31, Register::RDX);
                }
                self.asm.op2(MOVE, zmm(2), x);
                self.asm.op4i(LOGIC, zmm(2), y, at(Register::RDX, 0), 0xe4, Mask::ALL);
                self.asm.op2(MOVE, target, zmm(2));
            }
            SelectSign { by, .. } => {
                let sign = self.piece_in(c, if wide { piece / 2 } else { piece }, false, zmm(2));
                self.asm.op3(Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, zmm(3), zmm(3), zmm(3));
                if by == Number::F32 {
                    let compare = Code::EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae;
                    self.asm.op4i(compare, Register::K5, sign, zmm(3), 0x1d, Mask::ALL);
                } else {
                    let compare = Code::EVEX_Vpcmpd_kr_k1_zmm_zmmm512b32_imm8;
                    self.asm.op4i(compare, Register::K5, sign, zmm(3), 5, Mask::ALL);
                }
                if wide && piece % 2 == 1 {
                    self.asm.op3i(Code::VEX_Kshiftrw_kr_kr_imm8, Register::K5, Register::K5, 8, Mask::ALL);
                }
                let yes = self.piece_in(a, piece, wide, zmm(0));
                let no = self.piece_in(b, piece, wide, zmm(1));
                let blend = if wide {
                    Code::EVEX_Vpblendmq_zmm_k1z_zmm_zmmm512b64
                } else {
                    Code::EVEX_Vpblendmd_zmm_k1z_zmm_zmmm512b32
                };
                self.asm.masked3(blend, target, no, yes, Mask::of(Register::K5), 0);
            }
            Mad24 { signed } => {
                let back = if signed { Code::EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8 } else { RIGHT };
                let x = self.piece_in(a, piece, false, zmm(0));
                let y = self.piece_in(b, piece, false, zmm(1));
                for (from, to) in [(x, zmm(2)), (y, zmm(3))] {
                    self.asm.op3i(LEFT, to, from, 8, Mask::ALL);
                    self.asm.op3i(back, to, to, 8, Mask::ALL);
                }
                self.asm.op3(Code::EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32, zmm(2), zmm(2), zmm(3));
                let more = self.piece_in(c, piece, false, zmm(0));
                self.asm.op3(Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, target, zmm(2), more);
            }
            Sad { signed } => {
                let (least, most) = if signed {
                    (Code::EVEX_Vpminsd_zmm_k1z_zmm_zmmm512b32, Code::EVEX_Vpmaxsd_zmm_k1z_zmm_zmmm512b32)
                } else {
                    (Code::EVEX_Vpminud_zmm_k1z_zmm_zmmm512b32, Code::EVEX_Vpmaxud_zmm_k1z_zmm_zmmm512b32)
                };
                let x = self.piece_in(a, piece, false, zmm(0));
                let y = self.piece_in(b, piece, false, zmm(1));
                self.asm.op3(least, zmm(2), x, y);
                self.asm.op3(most, zmm(3), x, y);
                self.asm.op3(SUBTRACT, zmm(2), zmm(3), zmm(2));
                let more = self.piece_in(c, piece, false, zmm(0));
                self.asm.op3(Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, target, zmm(2), more);
            }
            Cnot => {
                let x = self.piece_in(a, piece, false, zmm(0));
                let test = Code::EVEX_Vptestnmd_kr_k1_zmm_zmmm512b32;
                self.asm.masked3(test, Register::K6, x, x, Mask::ALL, 0);
                self.line32(|_| 1, Register::RDX);
                let load = Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512;
                self.asm.masked2(load, target, at(Register::RDX, 0), Mask::zeroing(Register::K6));
            }
            Bfind { signed } => {
                let mut x = self.piece_in(a, piece, false, zmm(0));
                if signed {
                    let sign = Code::EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8;
                    self.asm.op3i(sign, zmm(1), x, 31, Mask::ALL);
                    self.asm.op3(Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, zmm(1), x, zmm(1));
                    x = zmm(1);
                }
                self.asm.op2(Code::EVEX_Vplzcntd_zmm_k1z_zmmm512b32, zmm(1), x);
                self.line32(|_| 31, Register::RDX);
                self.asm.op2(Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512, zmm(2), at(Register::RDX, 0));
                self.asm.op3(SUBTRACT, target, zmm(2), zmm(1));
            }
            MulWide16 { signed } => {
                let number = if signed { Number::S16 } else { Number::U16 };
                let x = self.extended_piece(a, piece, number, zmm(0));
                let y = self.extended_piece(b, piece, number, zmm(1));
                self.asm.op3(Code::EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32, target, x, y);
            }
            Min(number) | Max(number) | Abs(number) if number.narrow().is_some() => {
                let x = self.extended_piece(a, piece, number, zmm(0));
                if let Abs(_) = step.operation {
                    self.asm.op2(Code::EVEX_Vpabsd_zmm_k1z_zmmm512b32, target, x);
                    return true;
                }
                let y = self.extended_piece(b, piece, number, zmm(1));
                let code = if matches!(step.operation, Min(_)) {
                    Code::EVEX_Vpminsd_zmm_k1z_zmm_zmmm512b32
                } else {
                    Code::EVEX_Vpmaxsd_zmm_k1z_zmm_zmmm512b32
                };
                self.asm.op3(code, target, x, y);
            }
            _ => return false,
        }
        true
    }

    /// `bfe`: what lies beyond the number is its sign, or zero.
    fn field(&mut self, number: Number, from: u32, count: u32, a: u32, piece: u32, target: Register) {
        let (wide, signed) = (number.is_wide(), number.is_signed());
        let width = if wide { 64 } else { 32 };
        let (from, count) = if wide { (from, count) } else { (from & 0xff, count & 0xff) };
        if count == 0 || from >= width && !signed {
            self.asm.op3(Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, target, target, target);
            return;
        }
        let (left, right, arithmetic) = if wide {
            (
                Code::EVEX_Vpsllq_zmm_k1z_zmmm512b64_imm8,
                Code::EVEX_Vpsrlq_zmm_k1z_zmmm512b64_imm8,
                Code::EVEX_Vpsraq_zmm_k1z_zmmm512b64_imm8,
            )
        } else {
            (LEFT, RIGHT, Code::EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8)
        };
        // From the top on at most one bit, the sign, is left.
        let from = from.min(width - 1);
        let count = count.min(width - from);
        let x = self.piece_in(a, piece, wide, zmm(0));
        self.asm.op3i(left, zmm(1), x, (width - from - count) as i32, Mask::ALL);
        let down = (width - count) as i32;
        self.asm.op3i(if signed { arithmetic } else { right }, target, zmm(1), down, Mask::ALL);
    }

    /// A line of bytes.
    fn bytes(&mut self, f: impl Fn(u32) -> u32, to: Register) {
        self.line(core::array::from_fn(|n| f(n as u32 % 16) as u8), to);
    }
}
