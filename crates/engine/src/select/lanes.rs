//! Instructions in which lanes see each other.

use super::*;

impl<'a> Select<'_, 'a> {
    pub(super) fn shuffle(&mut self, i: &Instruction<'a>) -> Selected {
        let number = ["up", "down", "bfly", "idx"].iter().position(|m| i.has(m)).ok_or_else(String::new)?;
        let [to, a, b, c, rest @ ..] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let (a, b, c) = (self.value(a, Type::B32)?, self.value(b, Type::B32)?, self.value(c, Type::B32)?);
        // Without a mask of members: with whoever is there.
        let members = self.value(rest.first().unwrap_or(&Operand::Integer(0)), Type::B32)?;
        let mut step = self.step(warp_wide::shuffle);
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
        let number = ["all", "any", "uni", "ballot"].iter().position(|m| i.has(m)).ok_or_else(String::new)?;
        let [to, p, rest @ ..] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let (p, negated) = self.predicate(p)?;
        let members = self.value(rest.first().unwrap_or(&Operand::Integer(0xffff_ffff)), Type::B32)?;
        let to = self.result(to, if number == 3 { Type::B32 } else { Type::Pred })?;
        let mut step = self.step(warp_wide::vote);
        (step.from[0], step.from[1], step.to[0], step.number) = (p, members, to, number as u32);
        // Without a mask of members: with whoever is there.
        step.from[2] = if rest.is_empty() { self.constant(0, false) } else { members };
        step.value = if negated { -1 } else { 0 };
        self.push(step);
        Ok(())
    }

    pub(super) fn match_lanes(&mut self, i: &Instruction<'a>, ty: Type) -> Selected {
        let [to, a, members] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let (a, members) = (self.value(a, ty)?, self.value(members, Type::B32)?);
        let mut step = self.step(warp_wide::match_lanes);
        (step.from[0], step.from[1]) = (a, members);
        step.number = u32::from(ty.bytes() == 8) | u32::from(i.has("all")) << 1;
        self.pair(to, &mut step)?;
        self.push(step);
        Ok(())
    }

    pub(super) fn redux(&mut self, i: &Instruction<'a>, ty: Type) -> Selected {
        let signed = ty == Type::S32;
        let number = match i.modifiers.iter().find(|m| Operation::parse(m).is_some()).copied() {
            Some("add") => 0,
            Some("min") if signed => 3,
            Some("max") if signed => 4,
            Some("min") => 1,
            Some("max") => 2,
            Some("and") => 5,
            Some("or") => 6,
            Some("xor") => 7,
            _ => return unsupported(),
        };
        if ty.is_float() {
            return unsupported();
        }
        let [to, a, members] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let (a, members) = (self.value(a, ty)?, self.value(members, Type::B32)?);
        let to = self.result(to, ty)?;
        let mut step = self.step(warp_wide::reduce);
        (step.from[0], step.from[1], step.to[0], step.number) = (a, members, to, number);
        self.push(step);
        Ok(())
    }
}
