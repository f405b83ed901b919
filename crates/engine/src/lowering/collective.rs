//! Instructions in which lanes exchange values.

use crate::lowering::select::{Select, Selected, unsupported};
use crate::operations;
use crate::operations::atomic::AtomicOperation;
use crate::state::warp::Step;
use ptx::{Instruction, Modifier, Operand, Type};

impl<'a> Select<'_, 'a> {
    pub(super) fn shuffle(&mut self, i: &Instruction<'a>) -> Selected {
        let ways = [Modifier::Up, Modifier::Down, Modifier::Bfly, Modifier::Idx];
        let number = ways.into_iter().position(|m| i.has(m)).ok_or_else(String::new)?;
        let [to, a, b, c, rest @ ..] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let (a, b, c) = (self.value(a, Type::B32)?, self.value(b, Type::B32)?, self.value(c, Type::B32)?);
        // Without a mask of members all active lanes take part.
        let members = self.value(rest.first().unwrap_or(&Operand::Integer(0)), Type::B32)?;
        let mut step = self.step(operations::collective::shuffle);
        (step.from[0], step.from[1], step.from[2], step.from[3], step.number) = (a, b, c, members, number as u32);
        self.pair(to, &mut step)?;
        self.push(step);
        Ok(())
    }

    /// `d` or `d|p`.
    pub(super) fn pair(&mut self, to: &Operand<'a>, step: &mut Step) -> Selected {
        match to {
            Operand::Pair(d, p) => {
                step.to[0] = self.result(d, Type::B32)?;
                step.to[1] = self.result(p, Type::Pred)?;
            }
            d => step.to[0] = self.result(d, Type::B32)?,
        }
        Ok(())
    }

    pub(super) fn vote(&mut self, i: &Instruction<'a>) -> Selected {
        let ways = [Modifier::All, Modifier::Any, Modifier::Uni, Modifier::Ballot];
        let number = ways.into_iter().position(|m| i.has(m)).ok_or_else(String::new)?;
        let [to, p, rest @ ..] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let (p, negated) = self.predicate(p)?;
        let members = self.value(rest.first().unwrap_or(&Operand::Integer(0xffff_ffff)), Type::B32)?;
        let to = self.result(to, if number == 3 { Type::B32 } else { Type::Pred })?;
        let mut step = self.step(operations::collective::vote);
        (step.from[0], step.from[1], step.to[0], step.number) = (p, members, to, number as u32);
        // Without a mask of members all active lanes take part.
        step.from[2] = if rest.is_empty() { self.constant(0, false) } else { members };
        step.value = if negated { -1 } else { 0 };
        self.push(step);
        Ok(())
    }

    pub(super) fn match_lanes(&mut self, i: &Instruction<'a>, ty: Type) -> Selected {
        let [to, a, members] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let (a, members) = (self.value(a, ty)?, self.value(members, Type::B32)?);
        let mut step = self.step(operations::collective::match_lanes);
        (step.from[0], step.from[1]) = (a, members);
        step.number = u32::from(ty.bytes() == 8) | u32::from(i.has(Modifier::All)) << 1;
        self.pair(to, &mut step)?;
        self.push(step);
        Ok(())
    }

    pub(super) fn active_mask(&mut self, i: &Instruction<'a>) -> Selected {
        let to = self.result(&i.operands[0], Type::B32)?;
        let mut step = self.step(operations::collective::active_mask);
        step.to[0] = to;
        self.push(step);
        Ok(())
    }

    pub(super) fn elect(&mut self, i: &Instruction<'a>) -> Selected {
        let [Operand::Pair(d, p), mask] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let from = self.value(mask, Type::B32)?;
        let (to, p) = (self.result(d, Type::B32)?, self.result(p, Type::Pred)?);
        let mut step = self.step(operations::collective::elect);
        (step.from[0], step.to[0], step.to[1]) = (from, to, p);
        self.push(step);
        Ok(())
    }

    pub(super) fn redux(&mut self, i: &Instruction<'a>, ty: Type) -> Selected {
        let signed = ty == Type::S32;
        let number = match i.modifiers.iter().find_map(|m| AtomicOperation::of(*m)) {
            Some(AtomicOperation::Add) => 0,
            Some(AtomicOperation::Min) if signed => 3,
            Some(AtomicOperation::Max) if signed => 4,
            Some(AtomicOperation::Min) => 1,
            Some(AtomicOperation::Max) => 2,
            Some(AtomicOperation::And) => 5,
            Some(AtomicOperation::Or) => 6,
            Some(AtomicOperation::Xor) => 7,
            _ => return unsupported(),
        };
        if ty.is_float() {
            return unsupported();
        }
        let [to, a, members] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let (a, members) = (self.value(a, ty)?, self.value(members, Type::B32)?);
        let to = self.result(to, ty)?;
        let mut step = self.step(operations::collective::reduce);
        (step.from[0], step.from[1], step.to[0], step.number) = (a, members, to, number);
        self.push(step);
        Ok(())
    }
}
