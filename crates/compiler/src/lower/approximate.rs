//! Powers of two, sines and cosines of f32, worked out in f64: powers by the interpreter's own operations, of the others what comes too
//! near to the middle between two f32 to say which one the interpreter gives is left to its step.

use super::{Lower, ymm, zmm};
use crate::assembler::{Level, Mask, Operand, at};
use crate::operation::{EXP2, EXP2_LIMIT, Function, WHOLE};
use crate::unit::Step;
use iced_x86::{Code, Register};

const MOVE: Code = Code::EVEX_Vmovdqa64_zmm_k1z_zmmm512;
const LOAD: Code = Code::EVEX_Vmovdqu64_zmm_k1z_zmmm512;
const COMPARE: Code = Code::EVEX_Vcmppd_kr_k1_zmm_zmmm512b64_imm8_sae;
const AND: Code = Code::EVEX_Vpandq_zmm_k1z_zmm_zmmm512b64;
const MULTIPLY: Code = Code::EVEX_Vmulpd_zmm_k1z_zmm_zmmm512b64_er;
const ADD: Code = Code::EVEX_Vaddpd_zmm_k1z_zmm_zmmm512b64_er;
const SUBTRACT: Code = Code::EVEX_Vsubpd_zmm_k1z_zmm_zmmm512b64_er;
const ROUND: Code = Code::EVEX_Vrndscalepd_zmm_k1z_zmmm512b64_imm8_sae;
const WIDEN: Code = Code::EVEX_Vcvtps2pd_zmm_k1z_ymmm256b32_sae;
const NARROW: Code = Code::EVEX_Vcvtpd2ps_ymm_k1z_zmmm512b64_er;
/// `d = a * d + b`.
const FUSED: Code = Code::EVEX_Vfmadd213pd_zmm_k1z_zmm_zmmm512b64_er;
/// `d = b - a * d`.
const FUSED_NEGATED: Code = Code::EVEX_Vfnmadd231pd_zmm_k1z_zmm_zmmm512b64_er;

/// Bits of an f64 that an f32 has not.
const REST: u64 = (1 << 29) - 1;

/// Coefficients of a power series, the highest first.
fn series(terms: usize, mut next: impl FnMut(usize) -> f64) -> Vec<f64> {
    let mut all: Vec<f64> = (0..terms).map(&mut next).collect();
    all.reverse();
    all
}

fn factorial(n: usize) -> f64 {
    (1..=n).fold(1.0, |product, k| product * k as f64)
}

impl Lower<'_> {
    /// A function of all lanes. False if it is left to the interpreter.
    pub(super) fn approximate(&mut self, position: usize, step: &Step, function: Function) -> bool {
        if step.manner.saturate {
            return false;
        }
        if function == Function::Exp2 {
            self.powers(step);
            return true;
        }
        // Angles may be subnormal, and the control word cannot change on the way to the interpreter's step.
        if step.manner.flush != self.flushes {
            return false;
        }
        self.set_flushing(self.flushes);
        let (slow, back) = self.late_step(position);
        self.guard(step);
        for quarter in 0..4 {
            let x = self.eighth(step.from[0], quarter, zmm(0));
            self.asm.op2(WIDEN, zmm(0), x);
            self.wave(function == Function::Cos);
            // The C library's are off by much less.
            self.unless_near(step, quarter, 64, slow);
            self.narrow(quarter);
        }
        self.put_narrowed(step);
        self.end_late(back);
        true
    }

    /// The f64 in `zmm2` become a quarter of the result in `zmm4` and `zmm5`.
    fn narrow(&mut self, quarter: u32) {
        let result = zmm(4 + quarter / 2);
        if quarter.is_multiple_of(2) {
            self.asm.op2(NARROW, ymm(result), zmm(2));
        } else {
            self.asm.op2(NARROW, Register::YMM2, zmm(2));
            let join = Code::EVEX_Vinserti64x4_zmm_k1z_zmm_ymmm256_imm8;
            self.asm.op4i(join, result, result, Register::YMM2, 1, Mask::ALL);
        }
    }

    /// Powers of two of all lanes.
    fn powers(&mut self, step: &Step) {
        self.set_flushing(step.manner.flush);
        self.guard(step);
        for piece in 0..2 {
            let mut x = self.piece(step.from[0], piece, false, zmm(3));
            // The second operand, which may be a NaN, stays one.
            for (limit, code) in [
                (EXP2_LIMIT, Code::EVEX_Vminps_zmm_k1z_zmm_zmmm512b32_sae),
                (-EXP2_LIMIT, Code::EVEX_Vmaxps_zmm_k1z_zmm_zmmm512b32_sae),
            ] {
                self.line32(|_| limit.to_bits(), Register::RDX);
                self.asm.load(zmm(2), Register::RDX, 0);
                self.asm.op3(code, zmm(3), zmm(2), x);
                x = Operand::Register(zmm(3));
            }
            for half in 0..2 {
                let mut from = Register::YMM3;
                if half == 1 {
                    from = Register::YMM0;
                    self.asm.op3i(Code::EVEX_Vextracti64x4_ymmm256_k1z_zmm_imm8, from, zmm(3), 1, Mask::ALL);
                }
                self.asm.op2(WIDEN, zmm(0), from);
                let scales = self.asm.level() != Level::Avx2;
                if scales {
                    self.asm.op3i(ROUND, zmm(1), zmm(0), 8, Mask::ALL);
                    self.asm.op3(SUBTRACT, zmm(0), zmm(0), zmm(1));
                } else {
                    // The whole part in the lowest bits, too.
                    self.number64(WHOLE, Register::RDX);
                    self.asm.op3(ADD, zmm(1), zmm(0), at(Register::RDX, 0));
                    self.asm.op3(SUBTRACT, zmm(2), zmm(1), at(Register::RDX, 0));
                    self.asm.op3(SUBTRACT, zmm(0), zmm(0), zmm(2));
                }
                self.sum_of(&EXP2, zmm(0), zmm(2));
                if scales {
                    self.asm.op3(Code::EVEX_Vscalefpd_zmm_k1z_zmm_zmmm512b64_er, zmm(2), zmm(2), zmm(1));
                } else {
                    // A power of two out of its exponent.
                    self.line64(|_| 1023, Register::RDX);
                    self.asm.op3(Code::EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64, zmm(1), zmm(1), at(Register::RDX, 0));
                    self.asm.op3i(Code::EVEX_Vpsllq_zmm_k1z_zmmm512b64_imm8, zmm(1), zmm(1), 52, Mask::ALL);
                    self.asm.op3(MULTIPLY, zmm(2), zmm(2), zmm(1));
                }
                self.narrow(2 * piece + half);
            }
        }
        self.put_narrowed(step);
    }

    /// Stores what [`Lower::narrow`] has made.
    fn put_narrowed(&mut self, step: &Step) {
        for piece in 0..2 {
            self.canonical(zmm(4 + piece));
            self.put(step, step.to[0], piece, false, zmm(4 + piece));
        }
    }

    fn number64(&mut self, number: f64, to: Register) {
        self.line64(|_| number.to_bits(), to);
    }

    /// `register` becomes the sum of a power series of `x`.
    fn sum_of(&mut self, coefficients: &[f64], x: Register, register: Register) {
        for (n, &coefficient) in coefficients.iter().enumerate() {
            self.number64(coefficient, Register::RDX);
            if n == 0 {
                self.asm.op2(LOAD, register, at(Register::RDX, 0));
            } else {
                self.asm.op3(FUSED, register, x, at(Register::RDX, 0));
            }
        }
    }

    /// The sine or cosine of `zmm0`, in `zmm2`, as the device finds its angle: turns in single precision, cut off.
    fn wave(&mut self, cosine: bool) {
        let turn = f64::from(core::f32::consts::FRAC_1_PI / 2.0);
        self.number64(turn, Register::RDX);
        self.asm.op3(MULTIPLY, zmm(0), zmm(0), at(Register::RDX, 0));
        self.line64(|_| !REST, Register::RDX);
        self.asm.op3(AND, zmm(0), zmm(0), at(Register::RDX, 0));
        self.asm.op3i(ROUND, zmm(1), zmm(0), 8 | 3, Mask::ALL);
        self.asm.op3(SUBTRACT, zmm(1), zmm(0), zmm(1));
        // The sign of the turns: of the mask's bits where it has ones, the other's elsewhere.
        self.line64(|_| 1 << 63, Register::RDX);
        let logic = Code::EVEX_Vpternlogd_zmm_k1z_zmm_zmmm512b32_imm8;
        self.asm.op4i(logic, zmm(1), zmm(0), at(Register::RDX, 0), 0xd8, Mask::ALL);
        self.number64(2.0 * core::f64::consts::PI, Register::RDX);
        self.asm.op3(MULTIPLY, zmm(0), zmm(1), at(Register::RDX, 0));
        // Quarters of a turn, and what is left of the angle; none are taken off where there are none, for the sign of zero.
        self.number64(core::f64::consts::FRAC_2_PI, Register::RDX);
        self.asm.op3(MULTIPLY, zmm(1), zmm(0), at(Register::RDX, 0));
        self.asm.op3i(ROUND, zmm(1), zmm(1), 8, Mask::ALL);
        self.asm.op3(Code::EVEX_Vpxorq_zmm_k1z_zmm_zmmm512b64, zmm(3), zmm(3), zmm(3));
        self.asm.op4i(COMPARE, Register::K6, zmm(1), zmm(3), 4, Mask::ALL);
        // The half of pi, and what a double lacks of it.
        for part in [core::f64::consts::FRAC_PI_2, 6.123_233_995_736_766e-17] {
            self.number64(part, Register::RDX);
            self.asm.masked3(FUSED_NEGATED, zmm(0), zmm(1), at(Register::RDX, 0), Mask::of(Register::K6), 0);
        }
        self.number64(WHOLE + f64::from(u8::from(cosine)), Register::RDX);
        self.asm.op3(ADD, zmm(1), zmm(1), at(Register::RDX, 0));
        for (bit, mask) in [(1, Register::K5), (2, Register::K6)] {
            self.line64(|_| bit, Register::RDX);
            let test = Code::EVEX_Vptestmq_kr_k1_zmm_zmmm512b64;
            self.asm.masked3(test, mask, zmm(1), at(Register::RDX, 0), Mask::ALL, 0);
        }
        self.asm.op3(MULTIPLY, zmm(3), zmm(0), zmm(0));
        let signed = |n: usize, number: f64| if n.is_multiple_of(2) { number } else { -number };
        let cosines = series(10, |n| signed(n, 1.0 / factorial(2 * n)));
        let sines = series(10, |n| signed(n, 1.0 / factorial(2 * n + 1)));
        self.sum_of(&cosines, zmm(3), zmm(1));
        self.sum_of(&sines, zmm(3), zmm(2));
        self.asm.op3(MULTIPLY, zmm(2), zmm(2), zmm(0));
        self.asm.masked2(MOVE, zmm(2), zmm(1), Mask::of(Register::K5));
        self.line64(|_| 1 << 63, Register::RDX);
        let flip = Code::EVEX_Vpxorq_zmm_k1z_zmm_zmmm512b64;
        self.asm.masked3(flip, zmm(2), zmm(2), at(Register::RDX, 0), Mask::of(Register::K6), 0);
    }

    /// Goes the slow way if an f64 in `zmm2`, of a lane that counts, is within a margin of the middle between two f32, or would
    /// be subnormal as one.
    fn unless_near(&mut self, step: &Step, quarter: u32, margin: u64, slow: crate::assembler::Label) {
        self.line64(|_| REST, Register::RDX);
        self.asm.op3(AND, zmm(3), zmm(2), at(Register::RDX, 0));
        self.line64(|_| (1 << 28) - margin, Register::RDX);
        self.asm.op3(Code::EVEX_Vpsubq_zmm_k1z_zmm_zmmm512b64, zmm(3), zmm(3), at(Register::RDX, 0));
        self.line64(|_| 2 * margin, Register::RDX);
        let compare = Code::EVEX_Vpcmpuq_kr_k1_zmm_zmmm512b64_imm8;
        self.asm.op4i(compare, Register::K5, zmm(3), at(Register::RDX, 0), 2, Mask::ALL);
        self.line64(|_| u64::MAX >> 1, Register::RDX);
        self.asm.op3(AND, zmm(3), zmm(2), at(Register::RDX, 0));
        self.number64(f64::from(f32::MIN_POSITIVE), Register::RDX);
        self.asm.op4i(COMPARE, Register::K6, zmm(3), at(Register::RDX, 0), 0x11, Mask::ALL);
        self.number64(f64::from(f32::MIN_POSITIVE) / f64::from(1 << 26), Register::RDX);
        self.asm.op4i(COMPARE, Register::K6, zmm(3), at(Register::RDX, 0), 0x1e, Mask::of(Register::K6));
        self.asm.op3(Code::VEX_Korb_kr_kr_kr, Register::K5, Register::K5, Register::K6);
        let lanes = self.lanes(step, quarter, true, Register::K7);
        self.asm.op3(Code::VEX_Kandb_kr_kr_kr, Register::K5, Register::K5, lanes);
        self.asm.op2(Code::VEX_Kortestb_kr_kr, Register::K5, Register::K5);
        self.asm.jne(slow);
    }
}
