//! Floating point: f64 with the device's NaNs, the smaller and the larger, results that are clamped or flushed, and the control
//! word that flushes.

use super::{Lower, zmm};
use crate::assembler::{Mask, at};
use crate::operation::{Number, Operation};
use crate::unit::Step;
use iced_x86::{Code, Register};

const MOVE: Code = Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512;
const COMPARE32: Code = Code::EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae;
const COMPARE64: Code = Code::EVEX_Vcmppd_kr_k1_zmm_zmmm512b64_imm8_sae;
const ADD64: Code = Code::EVEX_Vaddpd_zmm_k1z_zmm_zmmm512b64_er;

/// Control words of SSE: as a process has it, and with subnormal operands and results as zero, which is what the device does
/// with f32 (it, too, looks at results after they are rounded).
const NORMAL: u32 = 0x1f80;
const FLUSHING: u32 = 0x9fc0;

/// Whether a step wants subnormal numbers to be zero, or wants them as they are; none for those that are the same either way.
pub fn flushes(step: &Step) -> Option<bool> {
    use Operation::*;
    let manner = step.manner;
    let of = |number: Number| match number {
        Number::F32 => Some(manner.flush),
        Number::F64 => Some(false),
        _ => None,
    };
    match step.operation {
        // What is flushed here is flushed as bits.
        Min(Number::F32) | Max(Number::F32) if manner.flush => None,
        Add(n) | Sub(n) | Mul(n) | Mad(n) | Div(n) | Sqrt(n) | Rcp(n) | Rsqrt(n) | Min(n) | Max(n) => of(n),
        Compare(n, _) => of(n),
        SelectSign { by, .. } => of(by),
        Integral(_) => Some(false),
        Convert { to, from } => {
            let floats = to.is_float() && from.is_float();
            let directed = matches!(manner.rounding, 1 | 2);
            let wide = to == Number::F64 || from == Number::F64;
            (from.is_float() && (directed || wide) || floats && manner.saturate).then_some(false)
        }
        _ => None,
    }
}

impl Lower<'_> {
    /// Sets the control word, if it is another one.
    pub(super) fn set_flushing(&mut self, flushing: bool) {
        if self.flushing != flushing {
            self.load_control(flushing);
            self.flushing = flushing;
        }
    }

    /// Loads the control word, by way of `rdx`.
    pub(super) fn load_control(&mut self, flushing: bool) {
        self.line32(|_| if flushing { FLUSHING } else { NORMAL }, Register::RDX);
        self.asm.op1(Code::Ldmxcsr_m32, at(Register::RDX, 0));
    }

    /// Subnormal f32 become zero with their sign.
    pub(super) fn flush(&mut self, register: Register) {
        self.line32(|_| 0x7f80_0000, Register::RDX);
        self.asm.masked3(
            Code::EVEX_Vptestnmd_kr_k1_zmm_zmmm512b32,
            Register::K6,
            register,
            at(Register::RDX, 0),
            Mask::ALL,
            0,
        );
        self.line32(|_| 1 << 31, Register::RDX);
        let and = Code::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32;
        self.asm.masked3(and, register, register, at(Register::RDX, 0), Mask::of(Register::K6), 0);
    }

    /// Into 0 to 1; NaN becomes 0.
    pub(super) fn saturate(&mut self, register: Register) {
        self.asm.op3(Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, zmm(5), zmm(5), zmm(5));
        self.asm.op3(Code::EVEX_Vmaxps_zmm_k1z_zmm_zmmm512b32_sae, register, register, zmm(5));
        self.line32(|_| 0x3f80_0000, Register::RDX);
        self.asm.op3(Code::EVEX_Vminps_zmm_k1z_zmm_zmmm512b32_sae, register, register, at(Register::RDX, 0));
    }

    /// The smaller or the larger of two numbers: of a number and a NaN the number, and -0 is smaller than 0.
    pub(super) fn extreme(&mut self, step: &Step, piece: u32, wide: bool, target: Register) {
        let [a, b, ..] = step.from;
        let smaller = matches!(step.operation, Operation::Min(_));
        let a = self.piece_in(a, piece, wide, zmm(0));
        let b = self.piece_in(b, piece, wide, zmm(1));
        // Range: 0 the smaller, 1 the larger; the sign of the comparison; a quiet NaN gives way to a number.
        let how = if smaller { 4 } else { 5 };
        let (compare, range, load) = if wide {
            let load = Code::EVEX_Vmovdqa64_zmm_k1z_zmmm512;
            (COMPARE64, Code::EVEX_Vrangepd_zmm_k1z_zmm_zmmm512b64_imm8_sae, load)
        } else {
            (COMPARE32, Code::EVEX_Vrangeps_zmm_k1z_zmm_zmmm512b32_imm8_sae, MOVE)
        };
        self.asm.op2(MOVE, zmm(2), a);
        // A signalling NaN would win: the other operand takes its place. Of two the second one stays.
        self.asm.op4i(compare, Register::K6, a, a, 3, Mask::ALL);
        self.asm.masked2(load, zmm(2), b, Mask::of(Register::K6));
        self.asm.op2(MOVE, zmm(3), b);
        self.asm.op4i(compare, Register::K6, b, b, 3, Mask::ALL);
        self.asm.masked2(load, zmm(3), zmm(2), Mask::of(Register::K6));
        self.asm.op4i(range, target, zmm(2), zmm(3), how, Mask::ALL);
        if step.manner.flush {
            self.flush(target);
        }
    }

    /// An operand's NaN, made quiet, becomes the result in `zmm2`.
    fn own_nan(&mut self, x: Register) {
        self.asm.op4i(COMPARE64, Register::K6, x, x, 3, Mask::ALL);
        self.asm.masked3(ADD64, zmm(2), x, x, Mask::of(Register::K6), 0);
    }

    /// A piece of a result of f64, for what differs from the machine in its NaNs. False for other operations.
    pub(super) fn double(&mut self, step: &Step, piece: u32, target: Register) -> bool {
        use Operation::*;
        let [a, b, c, ..] = step.from;
        let rounding = step.manner.rounding;
        match step.operation {
            // Of two NaNs the device gives the second.
            Add(Number::F64) | Mul(Number::F64) => {
                let code = match step.operation {
                    Add(_) => ADD64,
                    _ => Code::EVEX_Vmulpd_zmm_k1z_zmm_zmmm512b64_er,
                };
                let first = self.piece_in(b, piece, true, zmm(0));
                let second = self.piece_in(a, piece, true, zmm(1));
                self.asm.masked3(code, target, first, second, Mask::ALL, rounding);
            }
            Sub(Number::F64) => {
                let first = self.piece_in(a, piece, true, zmm(0));
                let second = self.piece_in(b, piece, true, zmm(1));
                let code = Code::EVEX_Vsubpd_zmm_k1z_zmm_zmmm512b64_er;
                self.asm.masked3(code, zmm(2), first, second, Mask::ALL, rounding);
                self.own_nan(second);
                self.asm.op2(MOVE, target, zmm(2));
            }
            // The second operand's NaN comes first, then the third's.
            Mad(Number::F64) => {
                let first = self.piece_in(a, piece, true, zmm(0));
                let second = self.piece_in(b, piece, true, zmm(1));
                let third = self.piece_in(c, piece, true, zmm(3));
                self.asm.op2(MOVE, zmm(2), third);
                let code = Code::EVEX_Vfmadd231pd_zmm_k1z_zmm_zmmm512b64_er;
                self.asm.masked3(code, zmm(2), first, second, Mask::ALL, rounding);
                let past = self.asm.label();
                self.asm.op4i(COMPARE64, Register::K6, zmm(2), zmm(2), 3, Mask::ALL);
                self.asm.op2(Code::VEX_Kortestb_kr_kr, Register::K6, Register::K6);
                self.asm.je(past);
                self.own_nan(first);
                self.own_nan(third);
                self.own_nan(second);
                self.asm.place(past);
                self.asm.op2(MOVE, target, zmm(2));
            }
            Div(Number::F64) => {
                let first = self.piece_in(a, piece, true, zmm(0));
                let second = self.piece_in(b, piece, true, zmm(1));
                let code = Code::EVEX_Vdivpd_zmm_k1z_zmm_zmmm512b64_er;
                self.asm.masked3(code, target, first, second, Mask::ALL, rounding);
            }
            Rcp(Number::F64) => {
                let from = self.piece_in(a, piece, true, zmm(0));
                self.line64(|_| 1f64.to_bits(), Register::RDX);
                self.asm.op2(Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512, zmm(1), at(Register::RDX, 0));
                let code = Code::EVEX_Vdivpd_zmm_k1z_zmm_zmmm512b64_er;
                self.asm.masked3(code, target, zmm(1), from, Mask::ALL, rounding);
            }
            Sqrt(Number::F64) => {
                let from = self.piece_in(a, piece, true, zmm(0));
                self.asm.masked3_of2(Code::EVEX_Vsqrtpd_zmm_k1z_zmmm512b64_er, target, from, rounding);
            }
            // A NaN keeps its sign, but is made quiet.
            Neg(Number::F64) | Abs(Number::F64) => {
                let from = self.piece_in(a, piece, true, zmm(0));
                let (bits, code) = match step.operation {
                    Neg(_) => (1 << 63, Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32),
                    _ => (u64::MAX >> 1, Code::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32),
                };
                self.line64(|_| bits, Register::RDX);
                self.asm.op3(code, zmm(2), from, at(Register::RDX, 0));
                self.own_nan(from);
                self.asm.op2(MOVE, target, zmm(2));
            }
            Min(Number::F64) | Max(Number::F64) => self.extreme(step, piece, true, target),
            _ => return false,
        }
        true
    }

    /// `div.approx`: a divisor whose reciprocal is subnormal counts as infinite.
    pub(super) fn divide_roughly(&mut self, step: &Step, piece: u32, target: Register) {
        let [a, b, ..] = step.from;
        let first = self.piece_in(a, piece, false, zmm(0));
        let second = self.piece_in(b, piece, false, zmm(1));
        self.line32(|_| 0x7fff_ffff, Register::RDX);
        self.asm.op3(Code::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32, zmm(3), second, at(Register::RDX, 0));
        self.asm.op2(MOVE, zmm(2), second);
        self.line32(|_| 0x7e80_0000, Register::RDX);
        self.asm.op4i(COMPARE32, Register::K6, zmm(3), at(Register::RDX, 0), 0x1e, Mask::ALL);
        self.line32(|_| 1 << 31, Register::RDX);
        let large = Mask::of(Register::K6);
        let and = Code::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32;
        self.asm.masked3(and, zmm(2), zmm(2), at(Register::RDX, 0), large, 0);
        self.line32(|_| 0x7f80_0000, Register::RDX);
        let or = Code::EVEX_Vpord_zmm_k1z_zmm_zmmm512b32;
        self.asm.masked3(or, zmm(2), zmm(2), at(Register::RDX, 0), large, 0);
        self.asm.op3(Code::EVEX_Vdivps_zmm_k1z_zmm_zmmm512b32_er, target, first, zmm(2));
    }
}
