//! Comparisons outside of loops that nearly always come out in one way: code goes on with what they give as a number that is known, and
//! so does what is worked out of that and where it branches to. Where one comes out otherwise, a second copy of the rest of the block
//! of steps goes on, in which nothing is foreseen.

use super::control::{Foreseen, Then};
use super::{Late, Lower, group};
use crate::assembler::Label;
use crate::flow::{Sets, has};
use crate::operation::{Operation, Window};
use crate::unit::{SLOT, Step, UNGUARDED};
use iced_x86::Code;

/// Predicates whose lanes are all alike, as far as code has come, and are nowhere written: their offsets, and what they are.
pub(super) type Assumed = Vec<(u32, u32)>;

/// The copy of the rest of a block.
pub(crate) struct Tail {
    block: usize,
    /// The steps that are come to from elsewhere, ascending.
    labels: Vec<(usize, Label)>,
    groups: group::Groups,
}

/// What is assumed in the block at hand.
#[derive(Default)]
pub(crate) struct Assumptions {
    pub now: Assumed,
    tail: Option<Tail>,
    /// The copy is made: nothing is foreseen.
    in_tail: bool,
}

impl Lower<'_> {
    /// Nothing may be assumed: the code is one that is come to from where something unforeseen happened.
    pub fn is_in_tail(&self) -> bool {
        self.assumptions.in_tail
    }

    /// Whether what a comparison gives is assumed, rather than written or handed to the next step.
    pub(super) fn may_assume(&self, position: usize) -> bool {
        let next = &self.unit.steps[position + 1];
        let taken = self.passes && matches!(next.operation, Operation::Branch);
        let to = self.unit.steps[position].to[0] / SLOT;
        let own = self.flow.masked.get(to as usize) == Some(&false);
        let block = self.flow.block_of(position);
        let inside = position + 1 < self.flow.range(block).end;
        !taken && own && inside && self.layout.counters == 0 && self.flow.depth[block] == 0 && !self.is_in_tail()
    }

    /// What a comparison gives is as foreseen from here on.
    pub(super) fn assume(&mut self, foreseen: &Foreseen) {
        let (position, tail) = (foreseen.at + 1, self.asm.label());
        let known = self.assumptions.now.iter().filter(|&&(offset, _)| offset != foreseen.to).copied().collect();
        self.late.push(Late::Unforeseen { label: foreseen.label, at: foreseen.at, lanes: foreseen.lanes, known, tail });
        let (block, groups) = (self.flow.block_of(position), &self.groups);
        let own =
            self.assumptions.tail.get_or_insert_with(|| Tail { block, labels: Vec::new(), groups: groups.clone() });
        own.labels.push((position, tail));
        self.set_assumed(foreseen.to, foreseen.value);
    }

    fn set_assumed(&mut self, to: u32, value: u32) {
        self.assumptions.now.retain(|&(offset, _)| offset != to);
        self.assumptions.now.push((to, value));
    }

    /// Something unforeseen has come out of a comparison: all is written.
    pub(super) fn late_unforeseen(&mut self, at: usize, lanes: Option<Label>, known: &Assumed, tail: Label) {
        self.late_compare(at, lanes, Then::Set);
        self.write_assumed(known);
        self.asm.jmp(tail);
    }

    pub(super) fn write_assumed(&mut self, known: &Assumed) {
        for &(offset, value) in known {
            let place = self.predicate(offset);
            self.asm.op2i(Code::Mov_rm32_imm32, place, value as i32);
        }
    }

    /// Where the interpreter goes on at a step: what is assumed is written before that.
    pub(super) fn late_interpret(&mut self, label: Label, at: usize, live: Vec<u64>, outcome: u32) {
        if self.assumptions.now.is_empty() {
            self.late.push(Late::Interpret { label, at, live, outcome });
            return;
        }
        let (to, known) = (self.asm.label(), self.assumptions.now.clone());
        self.late.push(Late::Interpret { label: to, at, live, outcome });
        self.late.push(Late::Assumed { label, known, to });
    }

    /// What a step does with predicates that are assumed. True if that is all.
    pub(super) fn follow_assumed(&mut self, position: usize, step: &Step, after: &[u64]) -> bool {
        if self.assumptions.now.is_empty() {
            return false;
        }
        let of = |lower: &Self, n: usize| {
            let known = lower.assumptions.now.iter().find(|&&(offset, _)| offset == step.from[n]);
            known.map(|&(_, value)| if step.negated & 1 << n != 0 { !value } else { value })
        };
        let spares = |offset: u32| self.flow.masked.get((offset / SLOT) as usize) != Some(&false);
        match (step.operation, step.branch) {
            (Operation::Logic, _) if step.guard == UNGUARDED && !spares(step.to[0]) && step.mode < 3 => {
                let result = match (step.mode, of(self, 0), of(self, 1)) {
                    (0, Some(a), Some(b)) => Some(a & b),
                    (1, Some(a), Some(b)) => Some(a | b),
                    (2, Some(a), Some(b)) => Some(a ^ b),
                    (0, Some(0), _) | (0, _, Some(0)) => Some(0),
                    (1, Some(u32::MAX), _) | (1, _, Some(u32::MAX)) => Some(u32::MAX),
                    _ => None,
                };
                if let Some(result) = result {
                    self.set_assumed(step.to[0], result);
                    self.forget_dead(after);
                    return true;
                }
                self.write_those(|offset| step.from[..2].contains(&offset));
            }
            (Operation::Branch, Some(branch)) => {
                let guard = (step.guard != UNGUARDED).then_some(step.guard & !1);
                let known = self.assumptions.now.iter().find(|&&(offset, _)| Some(offset) == guard).copied();
                self.write_those(|offset| has(after, offset / SLOT) || known.is_none() && Some(offset) == guard);
                self.assumptions.now.clear();
                if let Some((_, value)) = known {
                    if (value != 0) != (step.guard & 1 != 0) {
                        self.jump(position, branch);
                    }
                    return true;
                }
            }
            _ => {
                let mut read = Vec::new();
                self.flow.touches(position, |register| read.push(register), |_, _| {});
                let quiet = self.is_quiet_for_assumed(position, step);
                self.write_those(|offset| !quiet || read.contains(&(offset / SLOT)));
                let written = |offset: u32| crate::flow::results(step).any(|to| to == offset);
                self.assumptions.now.retain(|&(offset, _)| !written(offset));
            }
        }
        false
    }

    /// Writes some of what is assumed; nothing is assumed of these any more.
    fn write_those(&mut self, which: impl Fn(u32) -> bool) {
        let (known, rest) = self.assumptions.now.iter().partition(|&&(offset, _)| which(offset));
        self.assumptions.now = rest;
        self.write_assumed(&known);
    }

    /// Whether a step leaves the code in no other way than by [`Lower::late_interpret`], or comes back.
    fn is_quiet_for_assumed(&self, position: usize, step: &Step) -> bool {
        use Operation::*;
        let plain = step.guard == UNGUARDED && step.branch.is_none();
        let next = self.unit.steps.get(position + 1).map(|next| next.operation);
        let number = |to: u32| self.is_scalar(to);
        plain
            && match step.operation {
                // The branch right behind a comparison belongs to what becomes of that.
                Compare(..) => step.combination == 0 && !step.pair && next != Some(Branch),
                Load { window: Window::Plain, element, count, .. }
                | Store { window: Window::Plain, element, count, .. } => {
                    let place = self.kind(step, Window::Plain, &element, count);
                    matches!(place, Some(super::memory::Place::Row(stride)) if stride != 0) && element.bytes >= 4
                }
                Copy { .. } | Add(_) | Sub(_) | Mul(_) | Mad(_) | MulWide { .. } | MadWide { .. } | Shl { .. } => {
                    number(step.to[0]) || super::arithmetic::is_plain(step) && !self.is_in_halves(step.to[0])
                }
                And { .. } | Or { .. } | Xor { .. } | Convert { .. } => number(step.to[0]),
                _ => false,
            }
    }

    /// A step has been made: of what is dead nothing is assumed.
    pub(super) fn forget_dead(&mut self, after: &[u64]) {
        self.assumptions.now.retain(|&(offset, _)| has(after, offset / SLOT));
    }

    /// The end of a block: what is needed behind it is written, and the copy is made later.
    pub(super) fn end_assumed(&mut self) {
        let known = core::mem::take(&mut self.assumptions.now);
        self.write_assumed(&known);
        if let Some(tail) = self.assumptions.tail.take() {
            self.late.push(Late::Tail(tail));
        }
    }

    /// The copy of the rest of a block.
    pub(super) fn tail(&mut self, Tail { block, labels, groups }: Tail) {
        let mut live = core::mem::take(&mut self.lives);
        crate::allocate::live_before(self.flow, block, &mut live);
        self.tail_with(block, &labels, groups, &live);
        self.lives = live;
    }

    fn tail_with(&mut self, block: usize, labels: &[(usize, Label)], groups: group::Groups, live: &Sets) {
        self.assumptions.in_tail = true;
        self.flushing = self.flushes;
        self.groups = groups;
        self.begin_steps(block, live);
        let from = labels.first().map_or(0, |&(at, _)| at);
        self.steps(block, from, labels, live);
        self.set_flushing(self.flushes);
        let last = &self.unit.steps[self.flow.range(block).end - 1];
        let goes_on = !last.ends && !last.branch.is_some_and(|branch| branch.always);
        if goes_on && block + 1 < self.flow.count() {
            self.asm.jmp(self.bodies[block + 1]);
        }
        if self.asm.level() == crate::assembler::Level::Avx512 {
            self.mark(crate::unit::NOWHERE);
        }
        self.groups = group::Groups::default();
        self.assumptions.in_tail = false;
    }
}
