//! Numbers that stand for all lanes: arithmetic on the first lane's.

use super::{FIRST, FRAME, GENERAL, Lower, xmm, zmm};
use crate::allocate::Home;
use crate::assembler::{Label, Operand, at, full, indexed, narrow};
use crate::operation::{Number, Operation};
use crate::unit::{SLOT, Step};
use crate::values::Source;
use iced_x86::{Code, Register};

/// A register, or its lower half.
pub(super) fn sized(register: Register, wide: bool) -> Register {
    if wide { register } else { narrow(register) }
}

/// The lower 16 bits of `rax` or `rcx`.
fn half(register: Register) -> Register {
    if register == Register::RAX { Register::AX } else { Register::CX }
}

/// What makes 8 or 16 bits wider. Without a sign, 32 bits are 64.
pub fn extension(bits: u32, signed: bool, wide: bool) -> Code {
    match (bits, signed, wide) {
        (8, false, _) => Code::Movzx_r32_rm8,
        (8, true, false) => Code::Movsx_r32_rm8,
        (8, true, true) => Code::Movsx_r64_rm8,
        (_, false, _) => Code::Movzx_r32_rm16,
        (_, true, false) => Code::Movsx_r32_rm16,
        (_, true, true) => Code::Movsx_r64_rm16,
    }
}

impl Lower<'_> {
    /// The first lane of an operand in a general register: its own, or `scratch`.
    pub fn scalar_in(&mut self, offset: u32, wide: bool, scratch: Register) -> Register {
        match self.scalar_operand(offset, wide, scratch) {
            Operand::Register(register) => full(register),
            Operand::Memory(memory) => {
                let code = if wide { Code::Mov_r64_rm64 } else { Code::Mov_r32_rm32 };
                self.asm.op2(code, sized(scratch, wide), memory);
                scratch
            }
        }
    }

    /// The same as an operand.
    pub fn scalar_operand(&mut self, offset: u32, wide: bool, scratch: Register) -> Operand {
        if let Source::Constant(bits) = self.source(offset) {
            self.asm.number(scratch, if wide { bits } else { bits & 0xffff_ffff });
            return sized(scratch, wide).into();
        }
        match self.home(offset) {
            Some(Home::General(n)) => sized(GENERAL[usize::from(n)], wide).into(),
            Some(Home::Single(n)) => {
                let code = if wide { Code::EVEX_Vmovq_rm64_xmm } else { Code::EVEX_Vmovd_rm32_xmm };
                self.asm.op2(code, sized(scratch, wide), xmm(zmm(FIRST + u32::from(n))));
                sized(scratch, wide).into()
            }
            _ => at(FRAME, offset.into()).into(),
        }
    }

    fn scalar_to(&mut self, offset: u32, wide: bool, scratch: Register) {
        let operand = self.scalar_operand(offset, wide, scratch);
        let own = matches!(operand, Operand::Register(register) if full(register) == scratch);
        if !own {
            self.asm.op2(if wide { Code::Mov_r64_rm64 } else { Code::Mov_r32_rm32 }, sized(scratch, wide), operand);
        }
    }

    /// Writes a number that stands for all lanes.
    pub fn set_scalar(&mut self, offset: u32, wide: bool, from: Register) {
        match self.home(offset) {
            Some(Home::General(n)) => {
                let code = if wide { Code::Mov_r64_rm64 } else { Code::Mov_r32_rm32 };
                self.asm.op2(code, sized(GENERAL[usize::from(n)], wide), sized(from, wide));
            }
            Some(Home::Single(n)) => {
                let code = if wide { Code::EVEX_Vpbroadcastq_zmm_k1z_r64 } else { Code::EVEX_Vpbroadcastd_zmm_k1z_r32 };
                self.asm.op2(code, zmm(FIRST + u32::from(n)), sized(from, wide));
            }
            _ => {
                let code = if wide { Code::Mov_rm64_r64 } else { Code::Mov_rm32_r32 };
                self.asm.op2(code, at(FRAME, offset.into()), sized(from, wide));
            }
        }
    }

    /// A step whose result is kept as one number.
    pub fn scalar(&mut self, position: usize, step: &Step, before: &[u64]) {
        use Operation::*;
        const C: Register = Register::RCX;
        let [a, b, c, ..] = step.from;
        let wide = match step.operation {
            Copy { wide } | And { wide } | Or { wide } | Xor { wide } | Not { wide } | Shl { wide } => wide,
            Add(n) | Sub(n) | Mul(n) | Mad(n) | Shr(n) | Min(n) | Max(n) | Neg(n) => n.is_wide(),
            MulWide { .. } | MadWide { .. } => true,
            Convert { to, .. } => to.is_wide(),
            _ => false,
        };
        let pick = |narrow: Code, full: Code| if wide { full } else { narrow };
        let own = self.own_register(step);
        let to = own.unwrap_or(Register::RAX);
        match step.operation {
            Add(_) if self.add_constant(to, a, b, wide) || self.add_constant(to, b, a, wide) => {}
            Add(_) if self.add_registers(to, a, b, wide) => {}
            Copy { .. } => self.scalar_to(a, wide, to),
            Neg(_) => {
                self.scalar_to(a, wide, to);
                self.asm.op1(pick(Code::Neg_rm32, Code::Neg_rm64), sized(to, wide));
            }
            Not { .. } => {
                self.scalar_to(a, wide, to);
                self.asm.op1(pick(Code::Not_rm32, Code::Not_rm64), sized(to, wide));
            }
            Add(_) => self.scalar_two(to, pick(Code::Add_r32_rm32, Code::Add_r64_rm64), a, b, wide),
            Sub(_) => self.scalar_two(to, pick(Code::Sub_r32_rm32, Code::Sub_r64_rm64), a, b, wide),
            Mul(_) => self.scalar_two(to, pick(Code::Imul_r32_rm32, Code::Imul_r64_rm64), a, b, wide),
            And { .. } => self.scalar_two(to, pick(Code::And_r32_rm32, Code::And_r64_rm64), a, b, wide),
            Or { .. } => self.scalar_two(to, pick(Code::Or_r32_rm32, Code::Or_r64_rm64), a, b, wide),
            Xor { .. } => self.scalar_two(to, pick(Code::Xor_r32_rm32, Code::Xor_r64_rm64), a, b, wide),
            Mad(_) => {
                self.scalar_two(to, pick(Code::Imul_r32_rm32, Code::Imul_r64_rm64), a, b, wide);
                if let (Some(Home::General(n)), true) = (self.home(c), self.home(c) == self.home(step.to[0])) {
                    let sum = GENERAL[usize::from(n)];
                    self.asm.op2(pick(Code::Add_r32_rm32, Code::Add_r64_rm64), sized(sum, wide), sized(to, wide));
                    return;
                }
                let c = self.scalar_operand(c, wide, C);
                self.asm.op2(pick(Code::Add_r32_rm32, Code::Add_r64_rm64), sized(to, wide), c);
            }
            MulWide { signed } | MadWide { signed } => {
                self.widened(a, signed, to, position, before);
                self.times(to, b, signed, position, before);
                if let MadWide { .. } = step.operation {
                    let c = self.scalar_operand(c, true, C);
                    self.asm.op2(Code::Add_r64_rm64, to, c);
                }
            }
            MulWide16 { signed } => {
                for (operand, register) in [(a, Register::RAX), (b, C)] {
                    self.scalar_to(operand, false, register);
                    self.asm.op2(extension(16, signed, false), narrow(register), half(register));
                }
                self.asm.op2(Code::Imul_r32_rm32, Register::EAX, Register::ECX);
            }
            Convert { to: other, from } if let Some(bits) = from.narrow() => {
                self.scalar_to(a, false, to);
                let part = if bits == 8 { Register::AL } else { Register::AX };
                let wide = other.is_wide() && from.is_signed();
                self.asm.op2(extension(bits, from.is_signed(), wide), sized(to, wide), part);
            }
            Convert { to: other, from } => match (from.is_wide(), other.is_wide()) {
                (false, true) => self.widened(a, from.is_signed(), to, position, before),
                _ => self.scalar_to(a, other.is_wide(), to),
            },
            Min(n) | Max(n) => {
                self.scalar_to(a, wide, to);
                let b = self.scalar_in(b, wide, C);
                self.asm.op2(pick(Code::Cmp_r32_rm32, Code::Cmp_r64_rm64), sized(to, wide), sized(b, wide));
                let code = match (matches!(step.operation, Min(_)), n.is_signed()) {
                    (true, true) => pick(Code::Cmovg_r32_rm32, Code::Cmovg_r64_rm64),
                    (true, false) => pick(Code::Cmova_r32_rm32, Code::Cmova_r64_rm64),
                    (false, true) => pick(Code::Cmovl_r32_rm32, Code::Cmovl_r64_rm64),
                    (false, false) => pick(Code::Cmovb_r32_rm32, Code::Cmovb_r64_rm64),
                };
                self.asm.op2(code, sized(to, wide), sized(b, wide));
            }
            Shl { .. } | Shr(_) => self.scalar_shift(to, step, a, b, wide),
            _ => {}
        }
        if own.is_none() {
            self.set_scalar(step.to[0], wide, to);
        }
    }

    /// The home of a result, if it can be worked out there: no operand is there but the first, which is read first.
    fn own_register(&self, step: &Step) -> Option<Register> {
        use Operation::*;
        let Some(Home::General(n)) = self.home(step.to[0]) else { return None };
        let apart = |operands: &[u32]| operands.iter().all(|&offset| self.home(offset) != Some(Home::General(n)));
        let able = match step.operation {
            Copy { .. } | Neg(_) | Not { .. } => true,
            Convert { from, .. } => from.narrow().is_none(),
            Add(_) | Sub(_) | Mul(_) | And { .. } | Or { .. } | Xor { .. } | MulWide { .. } => apart(&step.from[1..2]),
            Mad(_) | MadWide { .. } => apart(&step.from[1..3]),
            Shl { .. } | Shr(_) => matches!(self.source(step.from[1]), Source::Constant(_)),
            _ => false,
        };
        able.then(|| GENERAL[usize::from(n)])
    }

    /// A register and a constant into a register. False if they are something else.
    fn add_constant(&mut self, to: Register, a: u32, b: u32, wide: bool) -> bool {
        let (Some(Home::General(n)), Source::Constant(bits)) = (self.home(a), self.source(b)) else { return false };
        let number = if wide { bits as i64 } else { i64::from(bits as i32) };
        if i32::try_from(number).is_err() {
            return false;
        }
        let from = at(GENERAL[usize::from(n)], number);
        self.asm.op2(if wide { Code::Lea_r64_m } else { Code::Lea_r32_m }, sized(to, wide), from);
        true
    }

    /// Two registers into a third. False if they are something else.
    fn add_registers(&mut self, to: Register, a: u32, b: u32, wide: bool) -> bool {
        let (Some(Home::General(n)), Some(Home::General(m))) = (self.home(a), self.home(b)) else { return false };
        let (a, b) = (GENERAL[usize::from(n)], GENERAL[usize::from(m)]);
        if a == to || b == to {
            return false;
        }
        self.asm.op2(if wide { Code::Lea_r64_m } else { Code::Lea_r32_m }, sized(to, wide), indexed(a, b, 0));
        true
    }

    fn scalar_two(&mut self, to: Register, code: Code, a: u32, b: u32, wide: bool) {
        self.scalar_to(a, wide, to);
        let b = self.scalar_operand(b, wide, Register::RCX);
        self.asm.op2(code, sized(to, wide), b);
    }

    /// A number of 32 bits as one of 64. If it goes up from lane to lane and wraps within the warp, the interpreter goes on.
    fn widened(&mut self, offset: u32, signed: bool, to: Register, position: usize, before: &[u64]) {
        let from = self.scalar_operand(offset, false, to);
        let stride = self.values.stride(offset).unwrap_or(0);
        if stride != 0 && !self.even.contains(&(offset, signed)) {
            self.even.push((offset, signed));
            let label = self.asm.label();
            self.asm.op2(Code::Mov_r32_rm32, Register::EDX, from);
            self.advance_lanes(Register::EDX, stride, 31, signed, label);
            let outcome = crate::unit::outcome::INTERPRET;
            self.late_interpret(label, position, before.to_vec(), outcome);
        }
        let whole = matches!(from, Operand::Register(register) if full(register) == to);
        if signed {
            self.asm.op2(Code::Movsxd_r64_rm32, to, from);
        } else if !whole {
            self.asm.op2(Code::Mov_r32_rm32, narrow(to), from);
        }
    }

    /// A step has been made: what it wrote may wrap again.
    pub fn forget_even(&mut self, position: usize) {
        if !self.even.is_empty() {
            let step = &self.unit.steps[position];
            let written =
                |slot: u32| crate::flow::results(step).any(|to| to / SLOT == slot) || step.writes().contains(&slot);
            self.even.retain(|(offset, _)| !written(offset / SLOT));
        }
    }

    /// From a number of the first lane to that of a later one. Jumps away if it wraps on the way.
    pub fn advance_lanes(&mut self, number: Register, stride: i64, lanes: i64, signed: bool, wraps: Label) {
        let narrow = full(number) != number;
        let stride = if narrow { i64::from(stride as i32) } else { stride };
        let Some(way) = stride.checked_mul(lanes).and_then(|way| i32::try_from(way.unsigned_abs()).ok()) else {
            self.asm.jmp(wraps);
            return;
        };
        let code = match (stride < 0, narrow) {
            (false, true) => Code::Add_rm32_imm32,
            (false, false) => Code::Add_rm64_imm32,
            (true, true) => Code::Sub_rm32_imm32,
            (true, false) => Code::Sub_rm64_imm32,
        };
        self.asm.op2i(code, number, way);
        if signed { self.asm.jo(wraps) } else { self.asm.jb(wraps) }
    }

    /// Multiplies a register by an operand of 32 bits.
    fn times(&mut self, to: Register, by: u32, signed: bool, position: usize, before: &[u64]) {
        if let Source::Constant(bits) = self.source(by) {
            let number = if signed { i64::from(bits as i32) } else { i64::from(bits as u32) };
            if number.count_ones() == 1 {
                self.asm.op2i(Code::Shl_rm64_imm8, to, number.trailing_zeros() as i32);
                return;
            }
        }
        self.widened(by, signed, Register::RCX, position, before);
        self.asm.op2(Code::Imul_r64_rm64, to, Register::RCX);
    }

    /// Shifts by the width and more clear everything, or leave nothing but signs.
    fn scalar_shift(&mut self, own: Register, step: &Step, a: u32, by: u32, wide: bool) {
        let bits = if wide { 64 } else { 32 };
        let (narrow_code, wide_code, narrow_by, wide_by, arithmetic) = match step.operation {
            Operation::Shr(Number::S32 | Number::S64) => {
                (Code::Sar_rm32_imm8, Code::Sar_rm64_imm8, Code::Sar_rm32_CL, Code::Sar_rm64_CL, true)
            }
            Operation::Shr(_) => {
                (Code::Shr_rm32_imm8, Code::Shr_rm64_imm8, Code::Shr_rm32_CL, Code::Shr_rm64_CL, false)
            }
            _ => (Code::Shl_rm32_imm8, Code::Shl_rm64_imm8, Code::Shl_rm32_CL, Code::Shl_rm64_CL, false),
        };
        let to = sized(own, wide);
        if let Source::Constant(by) = self.source(by) {
            let by = by as u32;
            self.scalar_to(a, wide, own);
            if by >= bits && !arithmetic {
                self.asm.op2(Code::Xor_r32_rm32, narrow(own), narrow(own));
            } else {
                let by = by.min(bits - 1) as i32;
                self.asm.op2i(if wide { wide_code } else { narrow_code }, to, by);
            }
            return;
        }
        self.scalar_to(by, false, Register::RCX);
        self.scalar_to(a, wide, Register::RAX);
        self.asm.number(Register::RDX, u64::from(bits - 1));
        let past = Code::Cmp_r32_rm32;
        if arithmetic {
            self.asm.op2(past, Register::ECX, Register::EDX);
            self.asm.op2(Code::Cmova_r32_rm32, Register::ECX, Register::EDX);
            self.shift_by(if wide { wide_by } else { narrow_by }, to);
        } else {
            self.shift_by(if wide { wide_by } else { narrow_by }, to);
            self.asm.op2(past, Register::ECX, Register::EDX);
            self.asm.number(Register::RDX, 0);
            self.asm.op2(Code::Cmova_r64_rm64, Register::RAX, Register::RDX);
        }
    }

    fn shift_by(&mut self, code: Code, register: Register) {
        self.asm.op2(code, register, Register::CL);
    }
}
