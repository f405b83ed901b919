//! Conversions: between widths of integers, between integers and floating point numbers, between these.

use super::{Lower, ymm, zmm};
use crate::assembler::{Mask, Operand, at};
use crate::operation::Number;
use crate::unit::Step;
use crate::values::Source;
use iced_x86::{Code, Register};

const MOVE: Code = Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512;
const COMPARE32: Code = Code::EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae;
const COMPARE64: Code = Code::EVEX_Vcmppd_kr_k1_zmm_zmmm512b64_imm8_sae;
/// Predicates of comparisons: not less, and one of the two is no number.
const AT_LEAST: i32 = 0x1d;
const UNORDERED: i32 = 3;

impl Lower<'_> {
    pub(super) fn convert(&mut self, step: &Step, to: Number, from: Number) {
        let (a, d) = (step.from[0], step.to[0]);
        match (from.is_wide(), to.is_wide()) {
            (false, false) => {
                for piece in 0..2 {
                    let target = self.target(step, d, piece);
                    let x = self.piece_in(a, piece, false, zmm(0));
                    self.convert_narrow(step, to, from, target, x);
                    self.put(step, d, piece, false, target);
                }
            }
            (false, true) => {
                for piece in 0..4 {
                    let target = self.target(step, d, piece);
                    self.convert_up(step, to, from, target, piece);
                    self.put(step, d, piece, true, target);
                }
            }
            (true, false) => {
                for piece in 0..2 {
                    let target = self.target(step, d, piece);
                    for (half, part) in [(0, zmm(2)), (1, zmm(3))] {
                        let x = self.piece_in(a, 2 * piece + half, true, zmm(0));
                        self.convert_down(step, to, from, part, x);
                    }
                    let join = Code::EVEX_Vinserti64x4_zmm_k1z_zmm_ymmm256_imm8;
                    self.asm.op4i(join, zmm(2), zmm(2), ymm(zmm(3)), 1, Mask::ALL);
                    match to {
                        Number::F32 => {
                            if step.manner.flush {
                                self.flush(zmm(2));
                            }
                            if step.manner.saturate {
                                self.saturate(zmm(2));
                            }
                        }
                        _ => self.extend(to, zmm(2), zmm(2)),
                    }
                    self.asm.op2(MOVE, target, zmm(2));
                    self.put(step, d, piece, false, target);
                }
            }
            (true, true) => {
                for piece in 0..4 {
                    let target = self.target(step, d, piece);
                    let x = self.piece_in(a, piece, true, zmm(0));
                    let rounding = step.manner.rounding;
                    match (from, to) {
                        (Number::S64, Number::F64) => {
                            self.asm.masked3_of2(Code::EVEX_Vcvtqq2pd_zmm_k1z_zmmm512b64_er, target, x, rounding)
                        }
                        (Number::U64, Number::F64) => {
                            self.asm.masked3_of2(Code::EVEX_Vcvtuqq2pd_zmm_k1z_zmmm512b64_er, target, x, rounding)
                        }
                        (Number::F64, _) => {
                            let x = self.integral64(step, x);
                            let signed = to.is_signed();
                            let code = if signed {
                                Code::EVEX_Vcvttpd2qq_zmm_k1z_zmmm512b64_sae
                            } else {
                                Code::EVEX_Vcvttpd2uqq_zmm_k1z_zmmm512b64_sae
                            };
                            self.asm.op2(MOVE, zmm(1), x);
                            self.limit_wide(COMPARE64, code, signed, zmm(1), zmm(1), target);
                        }
                        _ => self.asm.op2(MOVE, target, x),
                    }
                    self.put(step, d, piece, true, target);
                }
            }
        }
    }

    /// A number of up to 16 bits as one of 32; others as they are.
    pub(super) fn extend(&mut self, number: Number, to: Register, from: Register) {
        let Some(bits) = number.narrow() else {
            if to != from {
                self.asm.op2(MOVE, to, from);
            }
            return;
        };
        if !number.is_signed() {
            self.line32(|_| (1 << bits) - 1, Register::RDX);
            self.asm.op3(Code::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32, to, from, at(Register::RDX, 0));
            return;
        }
        let by = 32 - bits as i32;
        self.asm.op3i(Code::EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8, to, from, by, Mask::ALL);
        self.asm.op3i(Code::EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8, to, to, by, Mask::ALL);
    }

    /// A piece of an operand whose upper bits count.
    pub(super) fn extended_piece(&mut self, offset: u32, piece: u32, number: Number, scratch: Register) -> Register {
        let x = self.piece_in(offset, piece, number.is_wide(), scratch);
        if number.narrow().is_none() {
            return x;
        }
        self.extend(number, scratch, x);
        scratch
    }

    /// Clamps numbers of 32 bits, signed or not, to what a type holds.
    fn clamp(&mut self, to: Number, signed: bool, register: Register) {
        let bits = to.narrow().unwrap_or(32);
        let (least, most) =
            if to.is_signed() { (-(1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1) } else { (0, (1i64 << bits) - 1) };
        if !signed {
            self.line32(|_| most as u32, Register::RDX);
            self.asm.op3(Code::EVEX_Vpminud_zmm_k1z_zmm_zmmm512b32, register, register, at(Register::RDX, 0));
            return;
        }
        self.line32(|_| least as i32 as u32, Register::RDX);
        self.asm.op3(Code::EVEX_Vpmaxsd_zmm_k1z_zmm_zmmm512b32, register, register, at(Register::RDX, 0));
        if most < 1 << 31 {
            self.line32(|_| most as u32, Register::RDX);
            self.asm.op3(Code::EVEX_Vpminsd_zmm_k1z_zmm_zmmm512b32, register, register, at(Register::RDX, 0));
        }
    }

    /// Lanes of 32 bits to such lanes.
    fn convert_narrow(&mut self, step: &Step, to: Number, from: Number, target: Register, x: Register) {
        use Number::*;
        let manner = step.manner;
        match (from, to) {
            (F32, F32) => {
                self.asm.op2(MOVE, zmm(0), x);
                if manner.flush {
                    self.flush(zmm(0));
                    self.canonical(zmm(0));
                }
                if manner.saturate {
                    self.saturate(zmm(0));
                }
                self.asm.op2(MOVE, target, zmm(0));
            }
            (F32, F16 | Bf16) => {
                self.half(to, manner.rounding, zmm(2), x, Register::RDX);
                self.asm.op2(MOVE, target, zmm(2));
            }
            (F16, F32) => {
                self.asm.op2(Code::EVEX_Vpmovdw_ymmm256_k1z_zmm, Register::YMM1, x);
                self.asm.op2(Code::EVEX_Vcvtph2ps_zmm_k1z_ymmm256_sae, zmm(1), Register::YMM1);
                self.canonical(zmm(1));
                self.asm.op2(MOVE, target, zmm(1));
            }
            (Bf16, F32) => self.asm.op3i(Code::EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8, target, x, 16, Mask::ALL),
            (F32, _) => {
                let x = self.integral32(step, x);
                self.truncate(to.is_signed(), zmm(2), x);
                if to.narrow().is_some() {
                    self.clamp(to, to.is_signed(), zmm(2));
                }
                self.asm.op2(MOVE, target, zmm(2));
            }
            (_, F32) => {
                self.extend(from, zmm(0), x);
                let code = if from.is_signed() {
                    Code::EVEX_Vcvtdq2ps_zmm_k1z_zmmm512b32_er
                } else {
                    Code::EVEX_Vcvtudq2ps_zmm_k1z_zmmm512b32_er
                };
                self.asm.masked3_of2(code, target, zmm(0), manner.rounding);
                if manner.saturate {
                    self.saturate(target);
                }
            }
            _ => {
                self.extend(from, zmm(0), x);
                if manner.saturate {
                    self.clamp(to, from.is_signed(), zmm(0));
                } else {
                    self.extend(to, zmm(0), zmm(0));
                }
                self.asm.op2(MOVE, target, zmm(0));
            }
        }
    }

    /// f32 to 16 bits, in `to`; `scratch` is changed.
    pub(super) fn half(&mut self, number: Number, rounding: u8, to: Register, x: Register, scratch: Register) {
        if number == Number::F16 {
            let down = Code::EVEX_Vcvtps2ph_ymmm256_k1z_zmm_imm8_sae;
            self.asm.op3i(down, ymm(to), x, i32::from(rounding), Mask::ALL);
            self.asm.op2(Code::EVEX_Vpmovzxwd_zmm_k1z_ymmm256, to, ymm(to));
        } else if rounding == 3 {
            self.asm.op3i(Code::EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8, to, x, 16, Mask::ALL);
        } else {
            // To the nearest, and to the even one of two: half of the last place less one, and one more if it is odd.
            self.asm.op3i(Code::EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8, to, x, 16, Mask::ALL);
            self.line32(|_| 1, scratch);
            self.asm.op3(Code::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32, to, to, at(scratch, 0));
            self.asm.op3(Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, to, to, x);
            self.line32(|_| 0x7fff, scratch);
            self.asm.op3(Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, to, to, at(scratch, 0));
            self.asm.op3i(Code::EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8, to, to, 16, Mask::ALL);
        }
        self.asm.op4i(COMPARE32, Register::K6, x, x, UNORDERED, Mask::ALL);
        self.line32(|_| 0x7fff, scratch);
        self.asm.masked2(MOVE, to, at(scratch, 0), Mask::of(Register::K6));
    }

    /// Two f32 to a pair of 16 bits.
    pub(super) fn convert_pair(&mut self, step: &Step, number: Number) {
        let [a, b, ..] = step.from;
        for piece in 0..2 {
            let target = self.target(step, step.to[0], piece);
            let x = self.piece_in(a, piece, false, zmm(0));
            self.half(number, step.manner.rounding, zmm(2), x, Register::RDX);
            let x = self.piece_in(b, piece, false, zmm(0));
            self.half(number, step.manner.rounding, zmm(3), x, Register::RDX);
            self.asm.op3i(Code::EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8, zmm(2), zmm(2), 16, Mask::ALL);
            self.asm.op3(Code::EVEX_Vpord_zmm_k1z_zmm_zmmm512b32, target, zmm(2), zmm(3));
            self.put(step, step.to[0], piece, false, target);
        }
    }

    /// f32 that are to be cut off: rounded first, if not towards zero. Perhaps in `zmm0`.
    fn integral32(&mut self, step: &Step, x: Register) -> Register {
        let mut x = x;
        if step.manner.flush && matches!(step.manner.rounding, 1 | 2) {
            self.asm.op2(MOVE, zmm(0), x);
            self.flush(zmm(0));
            x = zmm(0);
        }
        if step.manner.rounding == 3 {
            return x;
        }
        let round = Code::EVEX_Vrndscaleps_zmm_k1z_zmmm512b32_imm8_sae;
        self.asm.op3i(round, zmm(0), x, step.manner.rounding.into(), Mask::ALL);
        zmm(0)
    }

    fn integral64(&mut self, step: &Step, x: Register) -> Register {
        if step.manner.rounding == 3 {
            return x;
        }
        let round = Code::EVEX_Vrndscalepd_zmm_k1z_zmmm512b64_imm8_sae;
        self.asm.op3i(round, zmm(0), x, step.manner.rounding.into(), Mask::ALL);
        zmm(0)
    }

    /// Rounds to integers that stay what they are.
    pub(super) fn round(&mut self, step: &Step, number: Number) {
        let wide = number.is_wide();
        for piece in 0..if wide { 4 } else { 2 } {
            let target = self.target(step, step.to[0], piece);
            let x = self.piece_in(step.from[0], piece, wide, zmm(0));
            let rounding = i32::from(step.manner.rounding);
            if wide {
                let code = Code::EVEX_Vrndscalepd_zmm_k1z_zmmm512b64_imm8_sae;
                self.asm.op3i(code, target, x, rounding, Mask::ALL);
            } else {
                if x != zmm(0) {
                    self.asm.op2(MOVE, zmm(0), x);
                }
                if step.manner.flush {
                    self.flush(zmm(0));
                }
                let code = Code::EVEX_Vrndscaleps_zmm_k1z_zmmm512b32_imm8_sae;
                self.asm.op3i(code, zmm(0), zmm(0), rounding, Mask::ALL);
                if step.manner.saturate {
                    self.saturate(zmm(0));
                } else {
                    self.canonical(zmm(0));
                }
                self.asm.op2(MOVE, target, zmm(0));
            }
            self.put(step, step.to[0], piece, wide, target);
        }
    }

    /// Eight lanes of 32 bits of an operand: a register of 256 bits, perhaps that of `scratch`.
    pub(super) fn eighth(&mut self, offset: u32, piece: u32, scratch: Register) -> Register {
        match self.piece(offset, piece / 2, false, scratch) {
            Operand::Register(from) if piece.is_multiple_of(2) => ymm(from),
            Operand::Register(from) => {
                self.asm.op3i(Code::EVEX_Vextracti64x4_ymmm256_k1z_zmm_imm8, ymm(scratch), from, 1, Mask::ALL);
                ymm(scratch)
            }
            Operand::Memory(memory) if memory.broadcasts => {
                let from = at(memory.base, memory.offset);
                self.asm.op2(Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32, scratch, from);
                ymm(scratch)
            }
            Operand::Memory(memory) => {
                let alike = matches!(self.source(offset), Source::Constant(_) | Source::Scalar { stride: 0, .. });
                let more = if piece % 2 == 1 && !alike { 32 } else { 0 };
                let from = at(memory.base, memory.offset + more);
                self.asm.op2(Code::EVEX_Vmovdqu32_ymm_k1z_ymmm256, ymm(scratch), from);
                ymm(scratch)
            }
        }
    }

    /// Lanes of 32 bits to lanes of 64.
    fn convert_up(&mut self, step: &Step, to: Number, from: Number, target: Register, piece: u32) {
        let whole = |register: Register| Register::ZMM0 + (register as u32 - Register::YMM0 as u32);
        if !from.is_float() {
            self.widened_piece(step.from[0], piece, from.is_signed(), zmm(1));
            if let Some(bits) = from.narrow() {
                let by = 64 - bits as i32;
                self.asm.op3i(Code::EVEX_Vpsllq_zmm_k1z_zmmm512b64_imm8, zmm(1), zmm(1), by, Mask::ALL);
                let back = if from.is_signed() {
                    Code::EVEX_Vpsraq_zmm_k1z_zmmm512b64_imm8
                } else {
                    Code::EVEX_Vpsrlq_zmm_k1z_zmmm512b64_imm8
                };
                self.asm.op3i(back, zmm(1), zmm(1), by, Mask::ALL);
            }
            if to == Number::F64 {
                self.asm.op2(Code::EVEX_Vcvtqq2pd_zmm_k1z_zmmm512b64_er, target, zmm(1));
            } else {
                self.asm.op2(MOVE, target, zmm(1));
            }
            return;
        }
        let x = self.eighth(step.from[0], piece, zmm(0));
        if to == Number::F64 {
            let mut x = x;
            if step.manner.flush {
                self.asm.op2(MOVE, zmm(0), whole(x));
                self.flush(zmm(0));
                self.canonical(zmm(0));
                x = Register::YMM0;
            }
            self.asm.op2(Code::EVEX_Vcvtps2pd_zmm_k1z_ymmm256b32_sae, target, x);
            return;
        }
        let x = self.integral32(step, whole(x));
        let signed = to.is_signed();
        let code = if signed {
            Code::EVEX_Vcvttps2qq_zmm_k1z_ymmm256b32_sae
        } else {
            Code::EVEX_Vcvttps2uqq_zmm_k1z_ymmm256b32_sae
        };
        self.limit_wide(COMPARE32, code, signed, x, ymm(x), target);
    }

    /// Numbers in `x`, to be converted out of `source`, become integers of 64 bits: what is too large the largest, what is
    /// negative 0 without a sign, what is no number the upper bit alone.
    fn limit_wide(
        &mut self,
        compare: Code,
        convert: Code,
        signed: bool,
        x: Register,
        source: Register,
        target: Register,
    ) {
        let single = compare == COMPARE32;
        let bound: u64 = match (signed, single) {
            (true, true) => 0x5f00_0000,
            (true, false) => 0x43e0_0000_0000_0000,
            _ => 0,
        };
        if single {
            self.line32(|_| bound as u32, Register::RDX);
        } else {
            self.line64(|_| bound, Register::RDX);
        }
        self.asm.op4i(compare, Register::K6, x, at(Register::RDX, 0), AT_LEAST, Mask::ALL);
        if signed {
            // Not a number gives the upper bit alone.
            self.asm.op2(convert, target, source);
            self.line64(|_| i64::MAX as u64, Register::RDX);
            self.asm.masked2(MOVE64, target, at(Register::RDX, 0), Mask::of(Register::K6));
        } else {
            self.asm.op4i(compare, Register::K7, x, x, UNORDERED, Mask::ALL);
            self.asm.masked2(convert, target, source, Mask::zeroing(Register::K6));
            self.line64(|_| 1 << 63, Register::RDX);
            self.asm.masked2(MOVE64, target, at(Register::RDX, 0), Mask::of(Register::K7));
        }
    }

    /// Lanes of 64 bits to such of 32, in the lower half of `part`.
    fn convert_down(&mut self, step: &Step, to: Number, from: Number, part: Register, x: Register) {
        use Number::*;
        let rounding = step.manner.rounding;
        match (from, to) {
            (F64, F32) => self.asm.masked3_of2(Code::EVEX_Vcvtpd2ps_ymm_k1z_zmmm512b64_er, ymm(part), x, rounding),
            (F64, _) => {
                let x = self.integral64(step, x);
                let signed = to.is_signed();
                let bound = if signed { 0x41e0_0000_0000_0000 } else { 0 };
                self.line64(|_| bound, Register::RDX);
                self.asm.op4i(COMPARE64, Register::K6, x, at(Register::RDX, 0), AT_LEAST, Mask::ALL);
                let load = Code::EVEX_Vmovdqa32_ymm_k1z_ymmm256;
                if signed {
                    // Not a number gives the upper bit alone.
                    self.asm.op2(Code::EVEX_Vcvttpd2dq_ymm_k1z_zmmm512b64_sae, ymm(part), x);
                    self.line32(|_| 0x7fff_ffff, Register::RDX);
                    self.asm.masked2(load, ymm(part), at(Register::RDX, 0), Mask::of(Register::K6));
                } else {
                    self.asm.op4i(COMPARE64, Register::K7, x, x, UNORDERED, Mask::ALL);
                    let code = Code::EVEX_Vcvttpd2udq_ymm_k1z_zmmm512b64_sae;
                    self.asm.masked2(code, ymm(part), x, Mask::zeroing(Register::K6));
                    self.line32(|_| 0x8000_0000, Register::RDX);
                    self.asm.masked2(load, ymm(part), at(Register::RDX, 0), Mask::of(Register::K7));
                }
            }
            (S64, F32) => self.asm.masked3_of2(Code::EVEX_Vcvtqq2ps_ymm_k1z_zmmm512b64_er, ymm(part), x, rounding),
            (U64, F32) => self.asm.masked3_of2(Code::EVEX_Vcvtuqq2ps_ymm_k1z_zmmm512b64_er, ymm(part), x, rounding),
            _ => self.asm.op2(Code::EVEX_Vpmovqd_ymmm256_k1z_zmm, ymm(part), x),
        }
    }

    /// f32 to integers, cut off: what is too large becomes the largest, NaN becomes 0.
    fn truncate(&mut self, signed: bool, target: Register, from: Register) {
        if signed {
            self.asm.op2(Code::EVEX_Vcvttps2dq_zmm_k1z_zmmm512b32_sae, zmm(1), from);
            self.line32(|_| 0x4f00_0000, Register::RDX);
            self.asm.op4i(COMPARE32, Register::K6, from, at(Register::RDX, 0), AT_LEAST, Mask::ALL);
            self.line32(|_| 0x7fff_ffff, Register::RDX);
            self.asm.masked2(MOVE, zmm(1), at(Register::RDX, 0), Mask::of(Register::K6));
            self.asm.op4i(COMPARE32, Register::K6, from, from, 7, Mask::ALL);
            self.asm.masked2(MOVE, target, zmm(1), Mask::zeroing(Register::K6));
        } else {
            self.asm.op3(Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, zmm(1), zmm(1), zmm(1));
            self.asm.op4i(COMPARE32, Register::K6, from, zmm(1), AT_LEAST, Mask::ALL);
            self.asm.masked2(Code::EVEX_Vcvttps2udq_zmm_k1z_zmmm512b32_sae, target, from, Mask::zeroing(Register::K6));
        }
    }
}

const MOVE64: Code = Code::EVEX_Vmovdqa64_zmm_k1z_zmmm512;
