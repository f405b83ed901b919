//! Arithmetic that needs more than a function by name: conversions, comparisons, products, carries.

use crate::lowering::packed;
use crate::lowering::per_lane;
use crate::lowering::select::{Jumps, Select, Selected, unsupported};
use crate::operations;
use crate::operations::arithmetic::{Binary, Manner, Ternary, Unary};
use crate::operations::elementwise::{self, Branches, Choice, Combination};
use crate::operations::predicate::{Carry, Logic, LogicOperation, Product};
use crate::operations::{arithmetic as scalar, convert};
use crate::state::frame::SLOT;
use ptx::analysis::fuse::Fused;
use ptx::modifier::Comparison;
use ptx::{Instruction, Modifier, Opcode, Operand, Type};

impl<'a> Select<'_, 'a> {
    pub(super) fn cvt(&mut self, i: &Instruction<'a>, types: &[Type], integral: bool, manner: Manner) -> Selected {
        if i.has(Modifier::Pack) {
            return self.convert_pack(i);
        }
        if let Some(types) = packed::narrow_types(i) {
            return self.convert_narrow(i, types, manner);
        }
        let &[to, from] = types else { return unsupported() };
        let floats = [Type::F32, Type::F64];
        let float = |ty: Type| floats.contains(&ty) || matches!(ty, Type::F16 | Type::Bf16);
        let plain = !manner.relu && !i.has(Modifier::Satfinite) && i.operands.len() == 2;
        let bent = manner.saturate || manner.flush || integral;
        // No number goes through these as it does through a copy.
        if plain && !bent && (to, from) == (Type::F32, Type::Bf16) {
            return self.simple(Some(elementwise::unary(|a: u16| u32::from(a) << 16)), i, to, &[from]);
        }
        if plain && !bent && (to, from) == (Type::F32, Type::F64) && manner.rounding == 0 {
            return self.simple(Some(elementwise::unary(|a: f64| a as f32)), i, to, &[from]);
        }
        // These have steps of their own.
        let quick = plain
            && match (float(from), float(to)) {
                (false, false) => !to.is_float() && !from.is_float(),
                (false, true) => floats.contains(&to) && !from.is_float() && !bent,
                (true, false) => from == Type::F32 && !to.is_float() && to.bytes() <= 4,
                (true, true) => {
                    let narrows = from == Type::F32 && (to.bytes() == 2 || to == Type::F64);
                    !bent && (narrows || (from, to) == (Type::F16, Type::F32))
                }
            };
        let bare = i.operands.len() == 3 && !manner.relu && !i.has(Modifier::Satfinite) && !i.has(Modifier::Rs);
        if bare && from == Type::F32 && matches!(to, Type::F16x2 | Type::Bf16x2) {
            return self.simple(convert::convert_pair(to, manner), i, to, &[from, from]);
        }
        if !quick {
            return self.convert(i, types, integral, manner);
        }
        self.simple(convert::convert_of(to, from, manner), i, to, &[from])
    }

    /// The comparison and the combination among the modifiers.
    pub(super) fn comparison(i: &Instruction<'a>) -> Selected<(Comparison, Combination)> {
        let mut combination = Combination::None;
        for modifier in &i.modifiers {
            match modifier {
                Modifier::And => combination = Combination::And,
                Modifier::Or => combination = Combination::Or,
                Modifier::Xor => combination = Combination::Xor,
                _ => {}
            }
        }
        let found = i.modifiers.iter().rev().find_map(|m| m.comparison());
        Ok((found.ok_or_else(String::new)?, combination))
    }

    pub(super) fn setp(&mut self, i: &Instruction<'a>, manner: Manner) -> Selected {
        let ty = i.types().last().ok_or_else(String::new)?;
        if per_lane::is_half(ty) && (manner.flush || ty.bytes() == 4) {
            return self.setp_halves(i, ty, manner);
        }
        let (how, combination) = Self::comparison(i)?;
        let execute = scalar::compare_of(how, ty, manner.flush).ok_or_else(String::new)?;
        let [to, a, b, rest @ ..] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let (a, b) = (self.value(a, ty)?, self.value(b, ty)?);
        let mut step = self.step(execute);
        (step.from[0], step.from[1]) = (a, b);
        let mut comparison = elementwise::Comparison { combination, ..elementwise::Comparison::PLAIN };
        if combination != Combination::None {
            (step.from[2], comparison.negated) = self.predicate(rest.first().unwrap_or(&Operand::Nothing))?;
        }
        match to {
            Operand::Pair(p, q) => {
                step.to[0] = self.result(p, Type::Pred)?;
                step.to[1] = self.result(q, Type::Pred)?;
                comparison.pair = true;
            }
            p => step.to[0] = self.result(p, Type::Pred)?,
        }
        if self.fused[self.at] == Fused::Branches
            && let Some(branch) = self.body.instructions.get(self.at + 1)
            && let (Some(Operand::Label(to)), Some(guard)) = (branch.operands.first(), branch.guard)
        {
            // The branch behind it, with itself as the guard.
            let to = *to;
            self.at += 1;
            comparison.branches = if guard.negated { Branches::Unless } else { Branches::Where };
            comparison.jump = self.jump(to);
            self.jumps.push((self.code.steps.len(), Jumps::Comparison));
        }
        step.set(comparison);
        self.push(step);
        Ok(())
    }

    pub(super) fn set(&mut self, i: &Instruction<'a>, types: &[Type], manner: Manner) -> Selected {
        let &[to, from] = types else { return unsupported() };
        if per_lane::is_half(from) {
            return self.set_halves(i, types, manner);
        }
        let (how, combination) = Self::comparison(i)?;
        let execute = scalar::compare_of(how, from, manner.flush).ok_or_else(String::new)?;
        let [d, a, b, rest @ ..] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let (a, b, p) = (self.value(a, from)?, self.value(b, from)?, self.slot());
        let mut step = self.step(execute);
        (step.from[0], step.from[1], step.to[0]) = (a, b, p);
        let mut comparison = elementwise::Comparison { combination, ..elementwise::Comparison::PLAIN };
        if combination != Combination::None {
            (step.from[2], comparison.negated) = self.predicate(rest.first().unwrap_or(&Operand::Nothing))?;
        }
        step.set(comparison);
        self.push(step);
        let one = match to {
            Type::F32 => 0x3f80_0000,
            Type::F16 => 0x3c00,
            Type::Bf16 => 0x3f80,
            Type::U32 | Type::S32 => 0xffff_ffff,
            _ => return unsupported(),
        };
        let (one, zero) = (self.constant(one, false), self.constant(0, false));
        let d = self.result(d, to)?;
        let mut step = self.step(elementwise::choose::<u32>);
        (step.from[0], step.from[1], step.from[2], step.to[0]) = (one, zero, p, d);
        self.push(step);
        Ok(())
    }

    pub(super) fn selp(&mut self, i: &Instruction<'a>, ty: Type) -> Selected {
        let [d, a, b, p] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let (a, b) = (self.value(a, ty)?, self.value(b, ty)?);
        let (p, negated) = self.predicate(p)?;
        let to = self.result(d, ty)?;
        let mut step = self.step(elementwise::chooser(ty.bytes() == 8));
        (step.from[0], step.from[1], step.from[2], step.to[0]) = (a, b, p, to);
        step.set(Choice { negated });
        self.push(step);
        Ok(())
    }

    /// Logic on predicates.
    pub(super) fn logic(&mut self, i: &Instruction<'a>) -> Selected {
        let operation = match i.opcode {
            Opcode::And => LogicOperation::And,
            Opcode::Or => LogicOperation::Or,
            Opcode::Xor => LogicOperation::Xor,
            _ => LogicOperation::Not,
        };
        let (a, not_a) = self.predicate(i.operands.get(1).unwrap_or(&Operand::Nothing))?;
        let (b, not_b) = match operation {
            LogicOperation::Not => (a, false),
            _ => self.predicate(i.operands.get(2).unwrap_or(&Operand::Nothing))?,
        };
        let to = self.result(&i.operands[0], Type::Pred)?;
        let mut step = self.step(operations::predicate::logic);
        (step.from[0], step.from[1], step.to[0]) = (a, b, to);
        step.set(Logic { operation, negated: [not_a, not_b] });
        self.push(step);
        Ok(())
    }

    pub(super) fn testp(&mut self, i: &Instruction<'a>, ty: Type) -> Selected {
        let how = i.modifiers.iter().find(|m| m.ty().is_none()).ok_or_else(String::new)?;
        let execute = match (how, ty) {
            (Modifier::Notanumber, Type::F32) => elementwise::compare(|a: f32, _: f32| a.is_nan()),
            (Modifier::Notanumber, Type::F64) => elementwise::compare(|a: f64, _: f64| a.is_nan()),
            (Modifier::Number, Type::F32) => elementwise::compare(|a: f32, _: f32| !a.is_nan()),
            (Modifier::Number, Type::F64) => elementwise::compare(|a: f64, _: f64| !a.is_nan()),
            (Modifier::Finite, Type::F32) => elementwise::compare(|a: f32, _: f32| a.is_finite()),
            (Modifier::Finite, Type::F64) => elementwise::compare(|a: f64, _: f64| a.is_finite()),
            (Modifier::Infinite, Type::F32) => elementwise::compare(|a: f32, _: f32| a.is_infinite()),
            (Modifier::Infinite, Type::F64) => elementwise::compare(|a: f64, _: f64| a.is_infinite()),
            (Modifier::Normal, Type::F32) => elementwise::compare(|a: f32, _: f32| a.is_finite() && !a.is_subnormal()),
            (Modifier::Normal, Type::F64) => elementwise::compare(|a: f64, _: f64| a.is_finite() && !a.is_subnormal()),
            (Modifier::Subnormal, Type::F32) => elementwise::compare(|a: f32, _: f32| a.is_subnormal()),
            (Modifier::Subnormal, Type::F64) => elementwise::compare(|a: f64, _: f64| a.is_subnormal()),
            _ => return unsupported(),
        };
        let [to, a] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let a = self.value(a, ty)?;
        let to = self.result(to, Type::Pred)?;
        let mut step = self.step(execute);
        (step.from[0], step.from[1], step.to[0]) = (a, a, to);
        self.push(step);
        Ok(())
    }

    pub(super) fn product(&mut self, i: &Instruction<'a>, ty: Type, manner: Manner) -> Selected {
        if i.has(Modifier::Cc) {
            return self.carry(i, ty);
        }
        let part = i.modifiers.iter().find(|m| matches!(m, Modifier::Lo | Modifier::Hi | Modifier::Wide));
        let (product, sum, result) = match part {
            Some(Modifier::Lo) => (Binary::MulLo, Ternary::MadLo, ty),
            Some(Modifier::Hi) => (Binary::MulHi, Ternary::MadHi, ty),
            Some(_) => {
                let wide = match ty {
                    Type::U16 => Type::U32,
                    Type::S16 => Type::S32,
                    Type::U32 => Type::U64,
                    Type::S32 => Type::S64,
                    _ => return unsupported(),
                };
                (Binary::MulWide, Ternary::MadWide, wide)
            }
            None => return unsupported(),
        };
        if i.opcode == Opcode::Mad {
            self.simple(scalar::ternary_of(sum, ty, manner), i, result, &[ty, ty, result])
        } else {
            self.simple(scalar::binary_of(product, ty, manner), i, result, &[ty, ty])
        }
    }

    /// Arithmetic with two operands of one type.
    pub(super) fn binary(
        &mut self,
        i: &Instruction<'a>,
        operation: Binary,
        ty: Option<Type>,
        manner: Manner,
    ) -> Selected {
        let ty = ty.ok_or_else(String::new)?;
        if i.operands.len() != 3 {
            return unsupported();
        }
        if i.has(Modifier::Xorsign) {
            return self.xor_sign(i, manner);
        }
        // Only newer devices have it.
        if ty == Type::U32 && manner.saturate {
            return unsupported();
        }
        // Flushes of f64 are nowhere described.
        if ty == Type::F64 && manner.flush {
            return unsupported();
        }
        self.simple(scalar::binary_of(operation, ty, manner), i, ty, &[ty, ty])
    }

    /// A shift by a number of 32 bits.
    pub(super) fn shift(
        &mut self,
        i: &Instruction<'a>,
        operation: Binary,
        ty: Option<Type>,
        manner: Manner,
    ) -> Selected {
        let ty = ty.ok_or_else(String::new)?;
        self.simple(scalar::binary_of(operation, ty, manner), i, ty, &[ty, Type::U32])
    }

    /// Arithmetic with one operand.
    pub(super) fn unary(
        &mut self,
        i: &Instruction<'a>,
        operation: Unary,
        ty: Option<Type>,
        mut manner: Manner,
    ) -> Selected {
        let ty = ty.ok_or_else(String::new)?;
        // Subnormal f64 are not flushed; only the approximation flushes on its own.
        if operation == Unary::Rcp && ty == Type::F64 && !manner.approximate {
            manner.flush = false;
        }
        self.simple(scalar::unary_of(operation, ty, manner), i, ty, &[ty])
    }

    /// A number that bits are counted to: 32 bits, whatever the operand has.
    pub(super) fn count(&mut self, i: &Instruction<'a>, operation: Unary, ty: Option<Type>) -> Selected {
        let ty = ty.ok_or_else(String::new)?;
        self.simple(scalar::unary_of(operation, ty, Manner::default()), i, Type::U32, &[ty])
    }

    /// Arithmetic with three operands of one type.
    pub(super) fn ternary(
        &mut self,
        i: &Instruction<'a>,
        operation: Ternary,
        ty: Option<Type>,
        manner: Manner,
    ) -> Selected {
        let ty = ty.ok_or_else(String::new)?;
        self.simple(scalar::ternary_of(operation, ty, manner), i, ty, &[ty, ty, ty])
    }

    pub(super) fn carry(&mut self, i: &Instruction<'a>, ty: Type) -> Selected {
        if !matches!(ty, Type::U32 | Type::S32 | Type::U64 | Type::S64 | Type::B32 | Type::B64) {
            return unsupported();
        }
        let flag = match self.flag {
            Some(flag) => flag,
            None => *self.flag.insert({
                self.code.slots += 1;
                (self.code.slots - 1) * SLOT
            }),
        };
        let product = match i.opcode {
            Opcode::Mad | Opcode::Madc if i.has(Modifier::Hi) => Product::High,
            Opcode::Mad | Opcode::Madc => Product::Low,
            _ => Product::None,
        };
        let operands = if product != Product::None { 3 } else { 2 };
        if i.operands.len() != operands + 1 {
            return Err("Arguments mismatch".into());
        }
        let mut from = [0, 0, 0, flag, 0];
        for (place, operand) in from.iter_mut().zip(&i.operands[1..]) {
            *place = self.value(operand, ty)?;
        }
        let to = self.result(&i.operands[0], ty)?;
        let mut step = self.step(operations::predicate::carry);
        step.from = from;
        step.to[0] = to;
        step.set(Carry {
            reads: matches!(i.opcode, Opcode::Addc | Opcode::Subc | Opcode::Madc),
            writes: i.has(Modifier::Cc),
            subtracts: matches!(i.opcode, Opcode::Sub | Opcode::Subc),
            wide: ty.bytes() == 8,
            signed: ty.is_signed(),
            product,
        });
        self.push(step);
        Ok(())
    }
}
