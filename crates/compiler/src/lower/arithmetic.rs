//! Arithmetic on vectors: for each piece of 64 bytes an instruction or a few.

use super::{Lower, ymm, zmm};
use crate::allocate::Home;
use crate::assembler::{Level, Mask, Operand, at};
use crate::bitwise;
use crate::operation::{Number, Operation};
use crate::unit::Step;
use crate::values::Source;
use iced_x86::{Code, Register};

/// The operation gives f32 whose NaNs are those of this machine.
pub fn gives_loose(step: &Step) -> bool {
    use Operation::*;
    matches!(
        step.operation,
        Add(Number::F32)
            | Sub(Number::F32)
            | Mul(Number::F32)
            | Mad(Number::F32)
            | Div(Number::F32)
            | Sqrt(Number::F32)
            | Rcp(Number::F32)
            | Rsqrt(Number::F32)
            | Min(Number::F32)
            | Max(Number::F32)
            | Neg(Number::F32)
            | Abs(Number::F32)
    ) && !step.manner.saturate
}

/// How many operands of 32 bits an operation moves to its first result as they are, and looks at nothing else by its bits.
pub fn moves(operation: Operation) -> usize {
    match operation {
        Operation::Copy { wide: false } | Operation::Shuffle => 1,
        Operation::Select { wide: false } => 2,
        _ => 0,
    }
}

/// Operands may change places.
fn commutes(operation: Operation) -> bool {
    use Operation::*;
    matches!(operation, Add(_) | Mul(_) | And { .. } | Or { .. } | Xor { .. })
}

/// Sums and products of f32, which never leave the code.
pub fn is_plain(step: &Step) -> bool {
    use Operation::*;
    let known = matches!(step.operation, Add(Number::F32) | Sub(Number::F32) | Mul(Number::F32) | Mad(Number::F32));
    known && !step.manner.saturate
}

/// The operation takes f32 as numbers: the bits of a NaN do not count.
fn takes_numbers(operation: Operation) -> bool {
    use Operation::*;
    match operation {
        Add(n) | Sub(n) | Mul(n) | Mad(n) | Div(n) | Sqrt(n) | Rcp(n) | Rsqrt(n) | Min(n) | Max(n) => n == Number::F32,
        Neg(n) | Abs(n) => n == Number::F32,
        // The bits of a NaN stay in some.
        Convert { to, from } => from == Number::F32 && to != Number::F64,
        ConvertPair(_) => true,
        Integral(n) => n == Number::F32,
        _ => false,
    }
}

impl Lower<'_> {
    /// A step on vectors. False if it is left to the interpreter.
    pub fn vector(&mut self, position: usize, step: &Step) -> bool {
        use Operation::*;
        if step.manner.saturate && !can_saturate(step.operation) || !self.has_integer(step) {
            return false;
        }
        let operands = match step.operation {
            Popc { .. } | Clz { .. } | Brev | Bfe(_) | Integral(_) | Cnot | Bfind { .. } => 1,
            Mad24 { .. } | Sad { .. } => 3,
            // The third is a number, or none.
            SelectSign { by: Number::F32, .. } => 2,
            Funnel { .. } | SelectSign { .. } => 3,
            Copy { .. } | Not { .. } | Neg(_) | Abs(_) | Sqrt(_) | Rcp(_) | Rsqrt(_) | Convert { .. } => 1,
            Mad(_) | MadWide { .. } => 3,
            Lop3 | Bitwise { .. } => 3,
            _ => 2,
        };
        match step.operation {
            Rsqrt(Number::F64) | Shuffle => return false,
            Rcp(Number::F64) if step.manner.approximate => return false,
            // What a direction rounds up to the least normal number stays, while the machine's flushing takes it away.
            Rcp(Number::F32) if step.manner.flush && step.manner.rounding != 0 => return false,
            Lop3 if !matches!(self.source(step.from[3]), Source::Constant(_)) => return false,
            _ => {}
        }
        let moves_on = moves(step.operation) > 0 && self.is_loose_result(step);
        if !takes_numbers(step.operation) && !moves_on {
            step.from[..operands].iter().for_each(|&offset| self.fix(offset));
        }
        self.guard(step);
        match step.operation {
            MulWide { signed } | MadWide { signed } => self.product_wide(step, signed),
            Select { wide } => self.select(step, wide),
            Convert { to, from } => self.convert(step, to, from),
            ConvertPair(number) => self.convert_pair(step, number),
            Integral(number) => self.round(step, number),
            Div(number) | Rem(number) if !number.is_float() => self.divide(step, number),
            Popc { wide: true } | Clz { wide: true } => self.count_wide(step),
            MulHigh { signed } => self.product_high(step, signed),
            Rsqrt(Number::F32) if self.asm.level() == Level::Avx512 => self.reciprocal_root(position, step),
            operation => {
                let wide = is_wide(operation);
                let held = self.hold_same(step, wide);
                for piece in 0..if wide { 4 } else { 2 } {
                    let target = self.target(step, step.to[0], piece);
                    self.one(step, piece, wide, target);
                    if step.manner.saturate {
                        self.saturate(target);
                    } else if gives_loose(step) && !self.is_loose_result(step) {
                        self.canonical(target);
                    }
                    if !self.merge(step, step.to[0], piece, wide, target) {
                        self.put(step, step.to[0], piece, wide, target);
                    }
                }
                if held {
                    self.unpin();
                }
            }
        }
        true
    }

    /// Loads a number that is the same for all lanes once for all pieces of a result: of 64 bits what is added, of 32 bits what is in
    /// a general register. Others are read by the operation itself.
    fn hold_same(&mut self, step: &Step, wide: bool) -> bool {
        use Operation::*;
        let operands = match step.operation {
            Add(n) | Sub(n) if !n.is_float() => 2,
            And { wide: false } | Or { wide: false } | Xor { wide: false } => 2,
            Bitwise { wide: false, .. } => 3,
            _ => 0,
        };
        let held =
            |offset: &&u32| self.is_same(**offset) && (wide || matches!(self.home(**offset), Some(Home::General(_))));
        let operand = step.from[..operands].iter().find(held);
        operand.is_some_and(|&offset| self.pin(offset, wide, zmm(5)))
    }

    /// A piece of a result from the same pieces of the operands.
    fn one(&mut self, step: &Step, piece: u32, wide: bool, target: Register) {
        use Operation::*;
        let [a, b, c, table, _] = step.from;
        let rounding = step.manner.rounding;
        if self.double(step, piece, target) || self.integer(step, piece, wide, target) {
            return;
        }
        match step.operation {
            Copy { .. } => {
                let from = self.piece(a, piece, wide, zmm(0));
                if !matches!(from, Operand::Register(register) if register == target) {
                    match from {
                        Operand::Memory(memory) if memory.broadcasts => {
                            let from = self.piece_in(a, piece, wide, target);
                            debug_assert!(from == target);
                        }
                        _ => self.asm.op2(Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512, target, from),
                    }
                }
            }
            Mad(Number::F32) => self.fused(step, piece, target),
            Mul(number) if !number.is_float() && self.product_by_shift(step, piece, wide, target) => {}
            Mad(number) if !number.is_float() && self.sum_by_shift(step, piece, target) => {}
            Mad(_) => {
                if !self.product_by_shift(step, piece, wide, zmm(2)) {
                    let a = self.piece_in(a, piece, wide, zmm(0));
                    let b = self.piece(b, piece, wide, zmm(1));
                    let code = if wide {
                        Code::EVEX_Vpmullq_zmm_k1z_zmm_zmmm512b64
                    } else {
                        Code::EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32
                    };
                    self.asm.op3(code, zmm(2), a, b);
                }
                let c = self.piece(c, piece, wide, zmm(1));
                let code = if wide {
                    Code::EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64
                } else {
                    Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32
                };
                self.asm.op3(code, target, zmm(2), c);
            }
            Lop3 => {
                let Source::Constant(table) = self.source(table) else { return };
                self.bitwise([a, b, c], table as u8, piece, wide, target);
            }
            Bitwise { table, .. } => self.bitwise([a, b, c], table, piece, wide, target),
            // As a function of the last operand, so that the result does not wait for what was in its register before.
            Not { .. } => self.bitwise([a; 3], 0x55, piece, wide, target),
            Neg(Number::F32) | Abs(Number::F32) => {
                let from = self.piece_in(a, piece, wide, zmm(0));
                let (bits, code) = match step.operation {
                    Neg(_) => (1 << 31, Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32),
                    _ => (0x7fff_ffff, Code::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32),
                };
                self.line32(|_| bits, Register::RDX);
                self.asm.op3(code, target, from, at(Register::RDX, 0));
                if step.manner.flush {
                    self.flush(target);
                }
            }
            Neg(_) => {
                let from = self.piece(a, piece, wide, zmm(0));
                self.asm.op3(Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, zmm(1), zmm(1), zmm(1));
                let code = if wide {
                    Code::EVEX_Vpsubq_zmm_k1z_zmm_zmmm512b64
                } else {
                    Code::EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32
                };
                self.asm.op3(code, target, zmm(1), from);
            }
            Abs(_) => {
                let from = self.piece(a, piece, wide, zmm(0));
                let code =
                    if wide { Code::EVEX_Vpabsq_zmm_k1z_zmmm512b64 } else { Code::EVEX_Vpabsd_zmm_k1z_zmmm512b32 };
                self.asm.op2(code, target, from);
            }
            Sqrt(_) => {
                let from = self.piece_in(a, piece, wide, zmm(0));
                self.asm.masked3_of2(Code::EVEX_Vsqrtps_zmm_k1z_zmmm512b32_er, target, from, rounding);
            }
            Rcp(_) => {
                let from = self.piece_in(a, piece, wide, zmm(0));
                self.ones(zmm(1));
                self.asm.masked3(
                    Code::EVEX_Vdivps_zmm_k1z_zmm_zmmm512b32_er,
                    target,
                    zmm(1),
                    from,
                    Mask::ALL,
                    rounding,
                );
            }
            Rsqrt(_) => self.divide_by_root(a, piece, target),
            Min(Number::F32) | Max(Number::F32) => self.extreme(step, piece, false, target),
            Div(Number::F32) if step.manner.approximate => self.divide_roughly(step, piece, target),
            Shl { .. } | Shr(_) => self.shift(step, piece, wide, target),
            operation => {
                let Some(code) = simple(operation) else { return };
                let float = gives_f32_kind(operation);
                // What is in memory comes second.
                let turns = commutes(operation) && !self.is_in_register(a) && self.is_in_register(b);
                let (a, b) = if turns { (b, a) } else { (a, b) };
                let (a, b) = if self.folded(a, piece).is_some() { (b, a) } else { (a, b) };
                let first = self.piece_in(a, piece, wide, zmm(0));
                if let Some(memory) = self.folded(b, piece).filter(|_| float) {
                    // Lanes that are not active load nothing.
                    let lanes = self.lanes(step, piece, false, Register::K5);
                    self.asm.masked3(code, target, first, memory, Mask::zeroing(lanes), 0);
                } else if float && rounding != 0 {
                    let second = self.piece_in(b, piece, wide, zmm(1));
                    self.asm.masked3(code, target, first, second, Mask::ALL, rounding);
                } else {
                    let second = self.piece(b, piece, wide, zmm(1));
                    self.asm.op3(code, target, first, second);
                }
            }
        }
    }

    /// A piece of an operand for instructions that broadcast nothing.
    fn whole_piece(&mut self, offset: u32, piece: u32, wide: bool, scratch: Register) -> Operand {
        match self.piece(offset, piece, wide, scratch) {
            Operand::Memory(memory) if memory.broadcasts => self.load_piece(memory, wide, scratch).into(),
            other => other,
        }
    }

    /// A bitwise function of three operands by its table. The instruction changes its first operand: that is the one whose register
    /// the result takes, or a copy.
    fn bitwise(&mut self, operands: [u32; 3], table: u8, piece: u32, wide: bool, target: Register) {
        let mut found: [Operand; 3] = [target.into(); 3];
        for (n, &offset) in operands.iter().enumerate() {
            let again = operands[..n].iter().position(|&own| own == offset);
            found[n] = match again {
                Some(own) => found[own],
                // Broadcasts of the instruction have 32 bits.
                None if wide => self.whole_piece(offset, piece, wide, zmm(n as u32)),
                None => self.piece(offset, piece, wide, zmm(n as u32)),
            };
        }
        let is_own = |operand: &Operand| matches!(operand, Operand::Register(register) if *register == target);
        let in_memory = |operand: &Operand| matches!(operand, Operand::Memory(_));
        let first = found.iter().position(is_own).or_else(|| found.iter().position(in_memory)).unwrap_or(0);
        let (mut second, mut third) = ((first + 1) % 3, (first + 2) % 3);
        // One in memory comes last, others are loaded.
        if in_memory(&found[second]) {
            core::mem::swap(&mut second, &mut third);
        }
        let mut place = |this: &mut Self, n: usize, to: Register| match found[n] {
            Operand::Register(register) => register,
            Operand::Memory(memory) => {
                let loaded = this.load_piece(memory, wide, to);
                // Whoever else is the same number.
                (0..3).filter(|&other| operands[other] == operands[n]).for_each(|other| found[other] = loaded.into());
                loaded
            }
        };
        let from = place(self, first, target);
        let other = place(self, second, zmm(second as u32));
        if from != target {
            self.asm.op2(Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512, target, from);
        }
        let code = Code::EVEX_Vpternlogd_zmm_k1z_zmm_zmmm512b32_imm8;
        let table = bitwise::reorder(table, [first, second, third]);
        self.asm.op4i(code, target, other, found[third], table.into(), Mask::ALL);
    }

    /// Of a product with a number that is always the same: the other factor, and the number.
    fn known_factor(&self, step: &Step) -> Option<(u32, u64)> {
        let [a, b, ..] = step.from;
        match self.constant(b) {
            Some(number) => Some((a, number)),
            None => Some((b, self.constant(a)?)),
        }
    }

    /// A product with a constant that is a power of two, or one away from that, by a shift and a sum: an Intel Xeon takes ten cycles for a
    /// product of 32 bits. Changes `zmm1`. False if it is another one.
    fn product_by_shift(&mut self, step: &Step, piece: u32, wide: bool, target: Register) -> bool {
        let Some((other, number)) = self.known_factor(step) else { return false };
        let number = if wide { number } else { number & 0xffff_ffff };
        let power = |number: u64| (number > 1 && number.is_power_of_two()).then(|| number.trailing_zeros());
        let pick = |narrow: Code, full: Code| if wide { full } else { narrow };
        let (add, subtract) = (
            pick(Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, Code::EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64),
            pick(Code::EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32, Code::EVEX_Vpsubq_zmm_k1z_zmm_zmmm512b64),
        );
        let (by, sum) = match (power(number), power(number.wrapping_sub(1)), power(number.wrapping_add(1))) {
            (Some(by), ..) => (by, None),
            (_, Some(by), _) => (by, Some(add)),
            (_, _, Some(by)) if by < if wide { 64 } else { 32 } => (by, Some(subtract)),
            _ => return false,
        };
        let x = self.piece_in(other, piece, wide, zmm(0));
        let shifted = if sum.is_some() { zmm(1) } else { target };
        if by == 1 {
            self.asm.op3(add, shifted, x, x);
        } else {
            let code = pick(Code::EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8, Code::EVEX_Vpsllq_zmm_k1z_zmmm512b64_imm8);
            self.asm.op3i(code, shifted, x, by as i32, Mask::ALL);
        }
        if let Some(sum) = sum {
            self.asm.op3(sum, target, shifted, x);
        }
        true
    }

    /// A product of 32 bits with a power of two and one, and less than that power added: the number, and the same shifted with the
    /// summand behind it. False if it is another one.
    fn sum_by_shift(&mut self, step: &Step, piece: u32, target: Register) -> bool {
        let Some((other, number)) = self.known_factor(step) else { return false };
        let c = step.from[2];
        let power = (number as u32).wrapping_sub(1);
        let Some(more) = self.constant(c).map(|more| more as u32).filter(|&more| more < power) else { return false };
        let plain = step.operation == Operation::Mad(Number::U32) || step.operation == Operation::Mad(Number::S32);
        let fits = plain && power > 1 && power.is_power_of_two() && more > 0;
        if !fits || self.asm.level() != Level::Avx512 || !is_x86_feature_detected!("avx512vbmi2") {
            return false;
        }
        let by = power.trailing_zeros();
        let x = self.piece_in(other, piece, false, zmm(0));
        self.line32(|_| more << (32 - by), Register::RDX);
        let shift = Code::EVEX_Vpshldd_zmm_k1z_zmm_zmmm512b32_imm8;
        self.asm.op4i(shift, zmm(1), x, at(Register::RDX, 0), by as i32, Mask::ALL);
        self.asm.op3(Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, target, zmm(1), x);
        true
    }

    /// 1.0 in all lanes.
    pub(super) fn ones(&mut self, to: Register) {
        self.line32(|_| 0x3f80_0000, Register::RDX);
        self.asm.op2(Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512, to, at(Register::RDX, 0));
    }

    /// `a * b + c` of f32.
    fn fused(&mut self, step: &Step, piece: u32, target: Register) {
        let [a, b, c, ..] = step.from;
        let rounding = step.manner.rounding;
        let directed = rounding != 0;
        const ACCUMULATE: Code = Code::EVEX_Vfmadd231ps_zmm_k1z_zmm_zmmm512b32_er;
        const ROW: Register = Register::ZMM2;
        let both = self.folded_both((a, b), piece, ROW);
        for (folded, other) in [(a, b), (b, a)] {
            let Some(memory) = both.or_else(|| self.folded(folded, piece)) else { continue };
            let other = if both.is_some() { ROW } else { self.piece_in(other, piece, false, zmm(0)) };
            let sum = if other == target { zmm(3) } else { target };
            let third = self.piece_in(c, piece, false, sum);
            if third != sum {
                self.asm.op2(Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512, sum, third);
            }
            // Lanes that are not active load nothing.
            let lanes = self.lanes(step, piece, false, Register::K5);
            self.asm.masked3(ACCUMULATE, sum, other, memory, Mask::of(lanes), 0);
            if sum != target {
                self.asm.op2(Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512, target, sum);
            }
            return;
        }
        let mut factors = [a, b];
        if !self.is_in_register(a) && self.is_in_register(b) {
            factors = [b, a];
        }
        let first = self.piece_in(factors[0], piece, false, zmm(0));
        // Only registers are rounded in a direction.
        let second = match directed {
            true => self.piece_in(factors[1], piece, false, zmm(1)).into(),
            false => self.piece(factors[1], piece, false, zmm(1)),
        };
        let third = self.piece(c, piece, false, zmm(2));
        let aliases = |operand: Operand, register: Register| matches!(operand, Operand::Register(r) if r == register);
        const MULTIPLY: Code = Code::EVEX_Vfmadd213ps_zmm_k1z_zmm_zmmm512b32_er;
        if aliases(third, target) {
            self.asm.masked3(ACCUMULATE, target, first, second, Mask::ALL, rounding);
        } else if first == target
            && !directed
            && let Operand::Register(second) = second
        {
            self.asm.masked3(MULTIPLY, target, second, third, Mask::ALL, 0);
        } else if aliases(second, target) && !directed {
            self.asm.masked3(MULTIPLY, target, first, third, Mask::ALL, 0);
        } else {
            let sum = if first == target || aliases(second, target) { zmm(3) } else { target };
            let third = self.piece_in(c, piece, false, sum);
            if third != sum {
                self.asm.op2(Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512, sum, third);
            }
            self.asm.masked3(ACCUMULATE, sum, first, second, Mask::ALL, rounding);
            if sum != target {
                self.asm.op2(Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512, target, sum);
            }
        }
    }

    /// What is shifted or turned by a number that is known: in memory, if it is there, which the AVX2 level's shifts cannot read.
    pub(super) fn shifted_piece(&mut self, offset: u32, piece: u32, wide: bool) -> Operand {
        match self.asm.level() {
            Level::Avx512 => self.piece(offset, piece, wide, zmm(0)),
            Level::Avx2 => self.piece_in(offset, piece, wide, zmm(0)).into(),
        }
    }

    /// Shifts by the width and more clear everything, or leave nothing but signs: so do those of vectors.
    fn shift(&mut self, step: &Step, piece: u32, wide: bool, target: Register) {
        let [a, by, ..] = step.from;
        let (right, number) = match step.operation {
            Operation::Shr(number) => (true, number),
            _ => (false, if wide { Number::U64 } else { Number::U32 }),
        };
        let arithmetic = number.is_signed();
        if let Source::Constant(by) = self.source(by) {
            let by = (by as u32).min(if wide { 64 } else { 32 }) as i32;
            let code = match (right, arithmetic, wide) {
                (false, _, false) => Code::EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8,
                (false, _, true) => Code::EVEX_Vpsllq_zmm_k1z_zmmm512b64_imm8,
                (true, false, false) => Code::EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8,
                (true, false, true) => Code::EVEX_Vpsrlq_zmm_k1z_zmmm512b64_imm8,
                (true, true, false) => Code::EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8,
                (true, true, true) => Code::EVEX_Vpsraq_zmm_k1z_zmmm512b64_imm8,
            };
            let from = match number.narrow() {
                None => self.shifted_piece(a, piece, wide),
                Some(_) => self.extended_piece(a, piece, number, zmm(0)).into(),
            };
            self.asm.op3i(code, target, from, by, Mask::ALL);
            return;
        }
        let from = self.extended_piece(a, piece, number, zmm(0));
        if wide {
            // By numbers of 32 bits.
            self.widened_piece(by, piece, false, zmm(1));
            let code = match (right, arithmetic) {
                (false, _) => Code::EVEX_Vpsllvq_zmm_k1z_zmm_zmmm512b64,
                (true, false) => Code::EVEX_Vpsrlvq_zmm_k1z_zmm_zmmm512b64,
                (true, true) => Code::EVEX_Vpsravq_zmm_k1z_zmm_zmmm512b64,
            };
            self.asm.op3(code, target, from, zmm(1));
            return;
        }
        let by = self.piece(by, piece, wide, zmm(1));
        let code = match (right, arithmetic) {
            (false, _) => Code::EVEX_Vpsllvd_zmm_k1z_zmm_zmmm512b32,
            (true, false) => Code::EVEX_Vpsrlvd_zmm_k1z_zmm_zmmm512b32,
            (true, true) => Code::EVEX_Vpsravd_zmm_k1z_zmm_zmmm512b32,
        };
        self.asm.op3(code, target, from, by);
    }

    /// Eight lanes of 32 bits of an operand, made wider.
    pub(super) fn widened_piece(&mut self, offset: u32, piece: u32, signed: bool, to: Register) {
        let code = if signed { Code::EVEX_Vpmovsxdq_zmm_k1z_ymmm256 } else { Code::EVEX_Vpmovzxdq_zmm_k1z_ymmm256 };
        match self.piece(offset, piece / 2, false, to) {
            Operand::Register(from) if piece.is_multiple_of(2) => self.asm.op2(code, to, ymm(from)),
            Operand::Register(from) => {
                self.asm.op3i(Code::EVEX_Vextracti64x4_ymmm256_k1z_zmm_imm8, ymm(to), from, 1, Mask::ALL);
                self.asm.op2(code, to, ymm(to));
            }
            Operand::Memory(memory) if memory.broadcasts => {
                self.asm.op2(Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32, to, at(memory.base, memory.offset));
                self.asm.op2(code, to, ymm(to));
            }
            Operand::Memory(memory) => {
                let alike = matches!(self.source(offset), Source::Constant(_) | Source::Scalar { stride: 0, .. });
                let more = if piece % 2 == 1 && !alike { 32 } else { 0 };
                self.asm.op2(code, to, at(memory.base, memory.offset + more));
            }
        }
    }

    fn product_wide(&mut self, step: &Step, signed: bool) {
        let [a, b, c, ..] = step.from;
        let code =
            if signed { Code::EVEX_Vpmuldq_zmm_k1z_zmm_zmmm512b64 } else { Code::EVEX_Vpmuludq_zmm_k1z_zmm_zmmm512b64 };
        let adds = matches!(step.operation, Operation::MadWide { .. });
        // By a power of two, which sizes of elements are: a shift.
        let power = |offset: u32| {
            let number = self.constant(offset)? as u32;
            (number.is_power_of_two() && !(signed && number >> 31 != 0)).then_some(number.trailing_zeros() as i32)
        };
        let (a, by) = match (power(a), power(b)) {
            (_, Some(by)) => (a, Some(by)),
            (Some(by), None) => (b, Some(by)),
            (None, None) => (a, None),
        };
        for piece in 0..4 {
            let target = self.target(step, step.to[0], piece);
            let product = if adds { zmm(2) } else { target };
            self.widened_piece(a, piece, signed, zmm(0));
            if let Some(by) = by {
                self.asm.op3i(Code::EVEX_Vpsllq_zmm_k1z_zmmm512b64_imm8, product, zmm(0), by, Mask::ALL);
            } else {
                self.widened_piece(b, piece, signed, zmm(1));
                self.asm.op3(code, product, zmm(0), zmm(1));
            }
            if adds {
                let c = self.piece(c, piece, true, zmm(3));
                self.asm.op3(Code::EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64, target, product, c);
            }
            self.put(step, step.to[0], piece, true, target);
        }
    }

    fn product_high(&mut self, step: &Step, signed: bool) {
        let [a, b, ..] = step.from;
        let code =
            if signed { Code::EVEX_Vpmuldq_zmm_k1z_zmm_zmmm512b64 } else { Code::EVEX_Vpmuludq_zmm_k1z_zmm_zmmm512b64 };
        for piece in 0..2 {
            let target = self.target(step, step.to[0], piece);
            let a = self.piece_in(a, piece, false, zmm(0));
            let b = self.piece_in(b, piece, false, zmm(1));
            self.asm.op3(code, zmm(2), a, b);
            self.asm.op3i(Code::EVEX_Vpsrlq_zmm_k1z_zmmm512b64_imm8, zmm(3), a, 32, Mask::ALL);
            self.asm.op3i(Code::EVEX_Vpsrlq_zmm_k1z_zmmm512b64_imm8, zmm(5), b, 32, Mask::ALL);
            self.asm.op3(code, zmm(3), zmm(3), zmm(5));
            // The upper halves: of even lanes moved down, of odd ones where they are.
            self.asm.op3i(Code::EVEX_Vpsrlq_zmm_k1z_zmmm512b64_imm8, zmm(2), zmm(2), 32, Mask::ALL);
            self.asm.number(Register::RAX, 0xaaaa);
            self.asm.op2(Code::VEX_Kmovw_kr_r32, Register::K6, Register::EAX);
            self.asm.masked2(Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512, zmm(2), zmm(3), Mask::of(Register::K6));
            self.asm.op2(Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512, target, zmm(2));
            self.put(step, step.to[0], piece, false, target);
        }
    }

    fn select(&mut self, step: &Step, wide: bool) {
        if self.choose(step) {
            return;
        }
        let [a, b, p, ..] = step.from;
        let offset = i64::from(p);
        for piece in 0..if wide { 4 } else { 2 } {
            let target = self.target(step, step.to[0], piece);
            let mask = if self.asm.held() == Some(p) {
                let half = if wide { piece / 2 } else { piece };
                let mask = [Register::K5, Register::K6][half as usize];
                if wide && piece % 2 == 1 {
                    self.asm.op3i(Code::VEX_Kshiftrw_kr_kr_imm8, Register::K7, mask, 8, Mask::ALL);
                    Register::K7
                } else {
                    mask
                }
            } else {
                // It has been nowhere else.
                self.full |= self.only_in_masks == Some(p);
                let code = if wide { Code::VEX_Kmovb_kr_km8 } else { Code::VEX_Kmovw_kr_km16 };
                let bytes = if wide { 1 } else { 2 };
                self.asm.op2(code, Register::K5, at(crate::lower::FRAME, offset + bytes * i64::from(piece)));
                Register::K5
            };
            let (yes, no) = if step.negated & 1 != 0 { (b, a) } else { (a, b) };
            if self.constant(no) == Some(0) && self.asm.level() == Level::Avx512 {
                let yes = self.whole_piece(yes, piece, wide, zmm(1));
                let code =
                    if wide { Code::EVEX_Vmovdqu64_zmm_k1z_zmmm512 } else { Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512 };
                self.asm.masked2(code, target, yes, Mask::zeroing(mask));
                self.put(step, step.to[0], piece, wide, target);
                continue;
            }
            let no = self.piece_in(no, piece, wide, zmm(0));
            let yes = self.piece(yes, piece, wide, zmm(1));
            let code = if wide {
                Code::EVEX_Vpblendmq_zmm_k1z_zmm_zmmm512b64
            } else {
                Code::EVEX_Vpblendmd_zmm_k1z_zmm_zmmm512b32
            };
            self.asm.masked3(code, target, no, yes, Mask::of(mask), 0);
            self.put(step, step.to[0], piece, wide, target);
        }
    }
}

/// Lanes of 64 bits.
fn is_wide(operation: Operation) -> bool {
    use Operation::*;
    match operation {
        Copy { wide } | And { wide } | Or { wide } | Xor { wide } | Not { wide } | Shl { wide } | Select { wide } => {
            wide
        }
        Add(n) | Sub(n) | Mul(n) | Mad(n) | Shr(n) | Min(n) | Max(n) | Neg(n) | Abs(n) => n.is_wide(),
        Div(n) | Sqrt(n) | Rcp(n) | Rsqrt(n) | Bfe(n) => n.is_wide(),
        Copysign { wide } | SelectSign { wide, .. } | Bitwise { wide, .. } => wide,
        _ => false,
    }
}

/// Works on f32.
fn gives_f32_kind(operation: Operation) -> bool {
    use Operation::*;
    match operation {
        Add(n) | Sub(n) | Mul(n) | Mad(n) | Div(n) | Sqrt(n) | Rcp(n) | Rsqrt(n) | Min(n) | Max(n) => n == Number::F32,
        Neg(n) | Abs(n) => n == Number::F32,
        _ => false,
    }
}

fn can_saturate(operation: Operation) -> bool {
    use Operation::*;
    match operation {
        Add(n) | Sub(n) | Mul(n) | Mad(n) | Integral(n) => n == Number::F32,
        Convert { .. } => true,
        _ => false,
    }
}

/// Operations that are one instruction of two operands.
fn simple(operation: Operation) -> Option<Code> {
    use Operation::*;
    let pick = |wide: bool, narrow: Code, full: Code| if wide { full } else { narrow };
    Some(match operation {
        Add(Number::F32) => Code::EVEX_Vaddps_zmm_k1z_zmm_zmmm512b32_er,
        Sub(Number::F32) => Code::EVEX_Vsubps_zmm_k1z_zmm_zmmm512b32_er,
        Mul(Number::F32) => Code::EVEX_Vmulps_zmm_k1z_zmm_zmmm512b32_er,
        Div(Number::F32) => Code::EVEX_Vdivps_zmm_k1z_zmm_zmmm512b32_er,
        Add(n) => pick(n.is_wide(), Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, Code::EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64),
        Sub(n) => pick(n.is_wide(), Code::EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32, Code::EVEX_Vpsubq_zmm_k1z_zmm_zmmm512b64),
        Mul(n) => {
            pick(n.is_wide(), Code::EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32, Code::EVEX_Vpmullq_zmm_k1z_zmm_zmmm512b64)
        }
        And { wide } => pick(wide, Code::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32, Code::EVEX_Vpandq_zmm_k1z_zmm_zmmm512b64),
        Or { wide } => pick(wide, Code::EVEX_Vpord_zmm_k1z_zmm_zmmm512b32, Code::EVEX_Vporq_zmm_k1z_zmm_zmmm512b64),
        Xor { wide } => pick(wide, Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, Code::EVEX_Vpxorq_zmm_k1z_zmm_zmmm512b64),
        Min(Number::S32) => Code::EVEX_Vpminsd_zmm_k1z_zmm_zmmm512b32,
        Min(Number::U32) => Code::EVEX_Vpminud_zmm_k1z_zmm_zmmm512b32,
        Min(Number::S64) => Code::EVEX_Vpminsq_zmm_k1z_zmm_zmmm512b64,
        Min(Number::U64) => Code::EVEX_Vpminuq_zmm_k1z_zmm_zmmm512b64,
        Max(Number::S32) => Code::EVEX_Vpmaxsd_zmm_k1z_zmm_zmmm512b32,
        Max(Number::U32) => Code::EVEX_Vpmaxud_zmm_k1z_zmm_zmmm512b32,
        Max(Number::S64) => Code::EVEX_Vpmaxsq_zmm_k1z_zmm_zmmm512b64,
        Max(Number::U64) => Code::EVEX_Vpmaxuq_zmm_k1z_zmm_zmmm512b64,
        _ => return None,
    })
}
