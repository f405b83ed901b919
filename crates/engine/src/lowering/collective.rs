//! Instructions in which lanes exchange values.

use crate::lowering::select::{Select, Selected, unsupported};
use crate::numeric::packed::Extreme;
use crate::operations;
use crate::operations::collective::{Match, Reduction, ShuffleMode, SingleReduction, Vote, VoteMode};
use crate::state::warp::Step;
use ptx::AtomicOperation;
use ptx::{Instruction, Modifier, Operand, Type};

impl<'a> Select<'_, 'a> {
    pub(super) fn shuffle(&mut self, i: &Instruction<'a>) -> Selected {
        let modes = [
            (Modifier::Up, ShuffleMode::Up),
            (Modifier::Down, ShuffleMode::Down),
            (Modifier::Bfly, ShuffleMode::Butterfly),
            (Modifier::Idx, ShuffleMode::Index),
        ];
        let (_, mode) = modes.into_iter().find(|(m, _)| i.has(*m)).ok_or_else(String::new)?;
        let [to, a, b, c, rest @ ..] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let (a, b, c) = (self.value(a, Type::B32)?, self.value(b, Type::B32)?, self.value(c, Type::B32)?);
        // Without a mask of members all active lanes take part.
        let members = self.value(rest.first().unwrap_or(&Operand::Integer(0)), Type::B32)?;
        let mut step = self.step(operations::collective::shuffle);
        (step.from[0], step.from[1], step.from[2], step.from[3]) = (a, b, c, members);
        step.set(mode);
        self.pair(to, &mut step)?;
        if !rest.is_empty() {
            self.probe_members(&step, 3, false);
        }
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
        let modes = [
            (Modifier::All, VoteMode::All),
            (Modifier::Any, VoteMode::Any),
            (Modifier::Uni, VoteMode::Uniform),
            (Modifier::Ballot, VoteMode::Ballot),
        ];
        let (_, mode) = modes.into_iter().find(|(m, _)| i.has(*m)).ok_or_else(String::new)?;
        let [to, p, rest @ ..] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let (p, negated) = self.predicate(p)?;
        let members = self.value(rest.first().unwrap_or(&Operand::Integer(0xffff_ffff)), Type::B32)?;
        let to = self.result(to, if mode == VoteMode::Ballot { Type::B32 } else { Type::Pred })?;
        let mut step = self.step(operations::collective::vote);
        (step.from[0], step.from[1], step.to[0]) = (p, members, to);
        // Without a mask of members all active lanes take part.
        step.from[2] = if rest.is_empty() { self.constant(0, false) } else { members };
        step.set(Vote { mode, negated });
        if !rest.is_empty() {
            self.probe_members(&step, 2, false);
        }
        self.push(step);
        Ok(())
    }

    pub(super) fn match_lanes(&mut self, i: &Instruction<'a>, ty: Type) -> Selected {
        let [to, a, members] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let (a, members) = (self.value(a, ty)?, self.value(members, Type::B32)?);
        let mut step = self.step(operations::collective::match_lanes);
        (step.from[0], step.from[1]) = (a, members);
        step.set(Match { wide: ty.bytes() == 8, all: i.has(Modifier::All) });
        self.pair(to, &mut step)?;
        self.probe_members(&step, 1, false);
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
        self.probe_members(&step, 0, false);
        self.push(step);
        Ok(())
    }

    /// `redux` of singles.
    fn extreme_of_lanes(&mut self, i: &Instruction<'a>) -> Selected {
        let (nan, magnitude) = (i.has(Modifier::PropagateNan), i.has(Modifier::Abs));
        let extreme = Extreme { largest: i.has(Modifier::Max), flush: false, nan, magnitude };
        let [to, a, members] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let (a, members) = (self.value(a, Type::F32)?, self.value(members, Type::B32)?);
        let to = self.result(to, Type::F32)?;
        let mut step = self.step(operations::collective::reduce_singles);
        (step.from[0], step.from[1], step.to[0]) = (a, members, to);
        step.set(SingleReduction { how: extreme.encode() });
        self.probe_members(&step, 1, false);
        self.push(step);
        Ok(())
    }

    pub(super) fn redux(&mut self, i: &Instruction<'a>, ty: Type) -> Selected {
        if ty.is_float() {
            return self.extreme_of_lanes(i);
        }
        let signed = ty == Type::S32;
        let reduction = match i.modifiers.iter().find_map(|m| AtomicOperation::of(*m)) {
            Some(AtomicOperation::Add) => Reduction::Add,
            Some(AtomicOperation::Min) if signed => Reduction::SignedMin,
            Some(AtomicOperation::Max) if signed => Reduction::SignedMax,
            Some(AtomicOperation::Min) => Reduction::Min,
            Some(AtomicOperation::Max) => Reduction::Max,
            Some(AtomicOperation::And) => Reduction::And,
            Some(AtomicOperation::Or) => Reduction::Or,
            Some(AtomicOperation::Xor) => Reduction::Xor,
            _ => return unsupported(),
        };
        let [to, a, members] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let (a, members) = (self.value(a, ty)?, self.value(members, Type::B32)?);
        let to = self.result(to, ty)?;
        let mut step = self.step(operations::collective::reduce);
        (step.from[0], step.from[1], step.to[0]) = (a, members, to);
        step.set(reduction);
        self.probe_members(&step, 1, false);
        self.push(step);
        Ok(())
    }
}
