//! Numbers of which the first lanes of both halves of the warp say all ([`crate::halves`]): they are in the frame, and their
//! other lanes are written where somebody else wants them.

use super::atomic::pick;
use super::scalar::sized;
use super::{FIRST, FRAME, Lower, narrow, xmm, zmm};
use crate::allocate::Home;
use crate::assembler::{Operand, at};
use crate::halves::LANES;
use crate::operation::Operation;
use crate::unit::{Step, outcome};
use crate::values::Source;
use iced_x86::{Code, Register};

const RESULT: Register = Register::RAX;
const OTHER: Register = Register::RCX;

const ADD: [Code; 2] = [Code::Add_r32_rm32, Code::Add_r64_rm64];
const MULTIPLY: [Code; 2] = [Code::Imul_r32_rm32, Code::Imul_r64_rm64];

impl Lower<'_> {
    /// Whether such numbers are all that is kept of a result.
    pub fn is_in_halves(&self, offset: u32) -> bool {
        self.values.lean_halves(self.unit, offset).is_some()
    }

    /// Where the frame has the first lane of a half.
    fn first_of_half(&self, offset: u32, half: u32) -> i64 {
        let bytes = if self.wide(offset) { 8 } else { 4 };
        self.place(offset) + LANES * bytes * i64::from(half)
    }

    /// The number of a half's first lane. Registers are written with their own width, and read with less.
    pub fn half_operand(&mut self, offset: u32, half: u32, wide: bool, scratch: Register) -> Operand {
        match self.source(offset) {
            Source::Constant(_) => self.scalar_operand(offset, wide, scratch),
            Source::Scalar { stride, .. } => {
                let first = self.scalar_operand(offset, wide, scratch);
                let more = if half == 0 { 0 } else { stride.wrapping_mul(LANES) };
                if more == 0 {
                    return first;
                }
                self.move_to(first, wide, scratch);
                let add = if wide { Code::Add_rm64_imm32 } else { Code::Add_rm32_imm32 };
                self.asm.op2i(add, sized(scratch, wide), more as i32);
                sized(scratch, wide).into()
            }
            Source::Vector { .. } => match self.home(offset) {
                Some(Home::Vector(first)) => {
                    let pieces = if self.wide(offset) { 2 } else { 1 };
                    let code = if wide { Code::EVEX_Vmovq_rm64_xmm } else { Code::EVEX_Vmovd_rm32_xmm };
                    let from = xmm(zmm(FIRST + u32::from(first) + pieces * half));
                    self.asm.op2(code, sized(scratch, wide), from);
                    sized(scratch, wide).into()
                }
                _ => at(FRAME, self.first_of_half(offset, half)).into(),
            },
        }
    }

    /// The same in a register.
    pub fn half_to(&mut self, offset: u32, half: u32, wide: bool, to: Register) {
        let operand = self.half_operand(offset, half, wide, to);
        self.move_to(operand, wide, to);
    }

    /// A number into a register, unless it is there.
    fn move_to(&mut self, operand: Operand, wide: bool, to: Register) {
        let to = sized(to, wide);
        if !matches!(operand, Operand::Register(register) if register == to) {
            self.asm.op2(pick(wide, Code::Mov_r32_rm32, Code::Mov_r64_rm64), to, operand);
        }
    }

    /// A step whose result is such a number.
    pub fn in_halves(&mut self, position: usize, step: &Step, before: &[u64]) {
        use Operation::*;
        let [a, b, c, ..] = step.from;
        let wide = match step.operation {
            Copy { wide } | Shl { wide } => wide,
            Add(n) | Sub(n) | Mul(n) | Mad(n) => n.is_wide(),
            Convert { to, .. } => to.is_wide(),
            _ => true,
        };
        match step.operation {
            MulWide { signed } | MadWide { signed } => {
                [a, b].into_iter().for_each(|operand| self.look_for_wraps(operand, signed, position, before));
            }
            Convert { from, to } if to.is_wide() && !from.is_wide() => {
                self.look_for_wraps(a, from.is_signed(), position, before);
            }
            _ => {}
        }
        let to = sized(RESULT, wide);
        for half in 0..2 {
            match step.operation {
                MulWide { signed } | MadWide { signed } => {
                    self.widened_half(a, half, signed, RESULT);
                    self.widened_half(b, half, signed, OTHER);
                    self.asm.op2(Code::Imul_r64_rm64, RESULT, OTHER);
                    if let MadWide { .. } = step.operation {
                        self.combine_half(ADD, c, half, true);
                    }
                }
                Convert { from, .. } if wide && !from.is_wide() => {
                    self.widened_half(a, half, from.is_signed(), RESULT);
                }
                _ => self.half_to(a, half, wide, RESULT),
            }
            match step.operation {
                Add(_) => self.combine_half(ADD, b, half, wide),
                Sub(_) => self.combine_half([Code::Sub_r32_rm32, Code::Sub_r64_rm64], b, half, wide),
                Mul(_) => self.combine_half(MULTIPLY, b, half, wide),
                Mad(_) => {
                    self.combine_half(MULTIPLY, b, half, wide);
                    self.combine_half(ADD, c, half, wide);
                }
                Shl { .. } => {
                    let Source::Constant(by) = self.source(b) else { return };
                    let code = if wide { Code::Shl_rm64_imm8 } else { Code::Shl_rm32_imm8 };
                    self.asm.op2i(code, to, by as i32);
                }
                _ => {}
            }
            let place = at(FRAME, self.first_of_half(step.to[0], half));
            self.asm.op2(if wide { Code::Mov_rm64_r64 } else { Code::Mov_rm32_r32 }, place, to);
        }
    }

    fn combine_half(&mut self, [short, long]: [Code; 2], operand: u32, half: u32, wide: bool) {
        let operand = self.half_operand(operand, half, wide, OTHER);
        self.asm.op2(pick(wide, short, long), sized(RESULT, wide), operand);
    }

    /// A half's number of 32 bits as one of 64.
    fn widened_half(&mut self, offset: u32, half: u32, signed: bool, to: Register) {
        let from = self.half_operand(offset, half, false, to);
        if signed {
            self.asm.op2(Code::Movsxd_r64_rm32, to, from);
        } else {
            self.asm.op2(Code::Mov_r32_rm32, narrow(to), from);
        }
    }

    /// If a number of 32 bits wraps within a half, the interpreter goes on: it is made wider.
    fn look_for_wraps(&mut self, offset: u32, signed: bool, position: usize, before: &[u64]) {
        let stride = self.values.stride_in_halves(self.unit, offset).unwrap_or(0);
        if stride == 0 {
            return;
        }
        let label = self.asm.label();
        for half in 0..2 {
            self.half_to(offset, half, false, Register::RDX);
            self.advance_lanes(Register::EDX, stride, LANES - 1, signed, label);
        }
        self.late_interpret(label, position, before.to_vec(), outcome::INTERPRET);
    }

    /// A piece of such a number's vector, from the first lane of its half.
    pub fn spread_half(&mut self, offset: u32, piece: u32, wide: bool, stride: i64, to: Register) {
        let (half, part) = if wide { (piece / 2, piece % 2) } else { (piece, 0) };
        let from = at(FRAME, self.first_of_half(offset, half));
        let code = if wide { Code::EVEX_Vpbroadcastq_zmm_k1z_xmmm64 } else { Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32 };
        self.asm.op2(code, to, from);
        if stride == 0 {
            return;
        }
        let (code, line) = if wide {
            self.line64(|lane| (u64::from(part) * 8 + lane).wrapping_mul(stride as u64), Register::RDX);
            (Code::EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64, at(Register::RDX, 0))
        } else {
            self.line32(|lane| lane.wrapping_mul(stride as u32), Register::RDX);
            (Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, at(Register::RDX, 0))
        };
        self.asm.op3(code, to, to, line);
    }

    /// Writes all lanes of such a number into the frame.
    pub fn store_halves_of(&mut self, register: u32) {
        let offset = register * crate::unit::SLOT;
        let Some(stride) = self.values.lean_halves(self.unit, offset) else { return };
        let wide = self.wide(offset);
        for piece in 0..if wide { 4 } else { 2 } {
            // Where the first lane is, it is written as it was.
            self.spread_half(offset, piece, wide, stride, zmm(5));
            self.asm.store(FRAME, i64::from(offset) + 64 * i64::from(piece), zmm(5));
        }
    }
}
