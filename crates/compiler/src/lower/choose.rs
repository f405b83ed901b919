//! Choices one side of which is worked out for them alone: its last instruction writes the lanes that choose it into the register of the
//! other side, in place of a register of its own from which another instruction takes them.

use super::{FIRST, Lower, zmm};
use crate::allocate::Home;
use crate::assembler::Level;
use crate::flow::sources;
use crate::operation::Operation;
use crate::unit::{SLOT, Step, UNGUARDED};
use crate::values::Source;
use core::ops::Range;

/// A step that is worked out at the choice which takes what it gives.
#[derive(Clone, Copy)]
pub(crate) struct Arm {
    step: usize,
    choice: usize,
}

/// Steps behind it that are looked at.
const MOST: usize = 16;

impl Lower<'_> {
    /// Whether a step of a block is worked out later, at the choice behind it: that is noted then. `dies` says of a step whether a register
    /// is dead behind it.
    pub fn waits_for_choice(
        &mut self,
        position: usize,
        range: Range<usize>,
        dies: impl Fn(usize, u32) -> bool,
    ) -> bool {
        let unit = self.unit;
        let step = &unit.steps[position];
        let Some(predicate) = self.only_in_masks.filter(|&held| self.asm.held() == Some(held)) else { return false };
        if self.arm.is_some() || !self.is_simple(step) || self.asm.level() != Level::Avx512 {
            return false;
        }
        let to = step.to[0];
        // Only a vector register can be written lane by lane, and only where the other side needs it no longer.
        let Some(reads) = self.leaves_masks(step) else { return false };
        if reads.contains(&to) {
            // Its home is another's while it is worked out.
            return false;
        }
        for at in position + 1..range.end.min(position + 1 + MOST) {
            let next = &unit.steps[at];
            let Some(operands) = self.leaves_masks(next) else { return false };
            let chooses = next.operation == (Operation::Select { wide: false }) && next.from[2] == predicate;
            if chooses && next.from[..2].contains(&to) {
                let (yes, no) = if next.negated & 1 != 0 { (1, 0) } else { (0, 1) };
                let other = next.from[no];
                // A constant is no register, of which could be said where it ends.
                let known = next.from[yes] == to && other != to && self.is_simple(next) && self.is_own_vector(other);
                let ends = known && dies(at, to / SLOT) && dies(at, other / SLOT);
                if !ends || reads.contains(&other) || reads.iter().any(|&read| self.shares(read, other)) {
                    return false;
                }
                self.arm = Some(Arm { step: position, choice: at });
                return true;
            }
            // What the step reads stays where it is until then.
            let written = next.to[0];
            let reads_it = operands.contains(&to) || written == to;
            if reads_it
                || reads.iter().any(|&read| read == written || self.shares(read, written))
                || dies(at, predicate / SLOT)
            {
                return false;
            }
        }
        false
    }

    /// A choice whose step has waited for it. False if none has.
    pub fn choose(&mut self, choice: &Step) -> bool {
        let unit = self.unit;
        let Some(arm) = self.arm.take_if(|arm| core::ptr::eq(&unit.steps[arm.choice], choice)) else { return false };
        let step = &unit.steps[arm.step];
        let other = if choice.negated & 1 != 0 { choice.from[0] } else { choice.from[1] };
        let slot = (step.to[0] / SLOT) as usize;
        let Some(Home::Vector(first)) = self.home(other) else {
            self.full = true;
            return true;
        };
        let own = core::mem::replace(&mut self.homes[slot], Home::Vector(first));
        self.choosing = Some(step.to[0]);
        self.full |= !self.vector(arm.step, step);
        self.choosing = None;
        self.homes[slot] = own;
        for piece in 0..2 {
            self.put(choice, choice.to[0], piece, false, zmm(FIRST + u32::from(first) + piece));
        }
        true
    }

    /// The operands of integer arithmetic on lanes of 32 bits that needs no mask register; of a choice, what it chooses between. None
    /// for other steps.
    pub fn leaves_masks<'s>(&self, step: &'s Step) -> Option<&'s [u32]> {
        use Operation::*;
        let by_constant = || matches!(self.source(step.from[1]), Source::Constant(_));
        let operands = match step.operation {
            Add(n) | Sub(n) | Mul(n) | Mad(n) if !n.is_float() && !n.is_wide() && n.narrow().is_none() => sources(step),
            And { wide: false } | Or { wide: false } | Xor { wide: false } => sources(step),
            Select { wide: false } => &step.from[..2],
            Shl { wide: false } if by_constant() => sources(step),
            Shr(n) if !n.is_wide() && n.narrow().is_none() && by_constant() => sources(step),
            _ => return None,
        };
        let loose = |offset: &u32| self.loose.get((offset / SLOT) as usize) == Some(&true);
        let plain = step.guard == UNGUARDED && !step.left && !step.manner.saturate;
        (plain && !operands.iter().any(loose)).then_some(operands)
    }

    /// Such a step whose result is a register of its own, in all lanes.
    fn is_simple(&self, step: &Step) -> bool {
        self.leaves_masks(step).is_some() && self.is_own_vector(step.to[0])
    }

    /// Whether a register is a vector register of this machine, written whole.
    fn is_own_vector(&self, offset: u32) -> bool {
        let own = matches!(self.source(offset), Source::Vector { slot } if slot == offset / SLOT);
        let spares = self.flow.masked.get((offset / SLOT) as usize) != Some(&false);
        own && !spares && !self.is_scalar(offset) && matches!(self.home(offset), Some(Home::Vector(_)))
    }

    /// Whether two registers have the same home, or parts of it.
    fn shares(&self, one: u32, other: u32) -> bool {
        let vectors = |offset: u32| match self.home(offset) {
            Some(Home::Vector(first)) => Some((u32::from(first), if self.wide(offset) { 4 } else { 2 })),
            Some(Home::Single(n)) => Some((u32::from(n), 1)),
            _ => None,
        };
        match (vectors(one), vectors(other)) {
            (Some((a, n)), Some((b, m))) => a < b + m && b < a + n,
            (None, None) => self.home(one).is_some() && self.home(one) == self.home(other),
            _ => false,
        }
    }
}
