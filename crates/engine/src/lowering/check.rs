//! Looks at accesses, in front of them: for programs that are built to be checked.

use crate::lowering::select::{NONE, Select};
use crate::operations::check;
use crate::operations::check::{Area, Probe};
use crate::operations::memory::{Access, Address};
use crate::state::check::AccessKind;
use crate::state::warp::{Execute, Step};
use ptx::{Operand, Space};

impl<'a> Select<'_, 'a> {
    /// Puts a probe in front of an access of `bytes` bytes that goes where an operand says. What a name and a constant
    /// offset say themselves needs none.
    pub(super) fn probe(
        &mut self,
        access: &Step,
        (operand, space): (&Operand<'a>, Space),
        kind: AccessKind,
        bytes: usize,
    ) {
        let all = self.around.wanted.races && space != Space::Local;
        if !self.probes || (!all && self.is_inside(operand, bytes)) {
            return;
        }
        let area = match space {
            Space::Shared => Area::Shared,
            Space::Local => Area::Local,
            _ => Area::Plain,
        };
        let probe = Probe { area, kind, bytes: bytes as u32, align: bytes as u32, strong: self.strong };
        let mut step = Step { execute: check::access, ..access.clone() };
        probe.tell(&mut step);
        self.push(step);
    }

    /// Puts a probe in front of an access of 128 bits.
    pub(super) fn probe128(&mut self, operand: &Operand<'a>, place: (u32, bool, i64, Space), kind: AccessKind) {
        let (at, wide, offset, space) = place;
        let mut access = self.step(check::access);
        access.from[0] = at;
        access.set(Access::to(Address { offset, narrow: !wide, based: false }));
        self.probe(&access, (operand, space), kind, 16);
    }

    /// Puts a probe in front of a step that takes the same operands.
    pub(super) fn probe_with(&mut self, access: &Step, execute: Execute) {
        if self.probes {
            self.push(Step { execute, ..access.clone() });
        }
    }

    /// Puts a look at the mask of members in front of a step that has it as an operand. `anywhere`: lanes may come to another
    /// instruction of its kind.
    pub(super) fn probe_members(&mut self, step: &Step, operand: usize, anywhere: bool) {
        if self.probes && self.around.wanted.misuse {
            let (mut from, to) = ([NONE; 5], [u32::from(anywhere), NONE, NONE, NONE]);
            from[0] = step.from[operand];
            self.push(Step { execute: check::members, from, to, ..step.clone() });
        }
    }

    /// The same for matrices in memory; `bytes` of whole rows.
    pub(super) fn probe_matrix(&mut self, access: &Step, execute: Execute, stores: bool, space: Space, bytes: u32) {
        if self.probes {
            let area = if space == Space::Shared { Area::Shared } else { Area::Plain };
            let kind = if stores { AccessKind::Write } else { AccessKind::Read };
            let mut step = Step { execute, ..access.clone() };
            Probe { area, kind, bytes, align: 1, strong: false }.tell(&mut step);
            self.push(step);
        }
    }

    /// True for an aligned part of a variable.
    fn is_inside(&self, operand: &Operand<'a>, bytes: usize) -> bool {
        let Operand::Address(base, more) = operand else { return false };
        let (size, place, offset) = match **base {
            Operand::Local(number, offset) => {
                let variable = &self.body.variables[number as usize];
                (variable.size, self.places.get(number as usize).copied(), offset)
            }
            Operand::Symbol(name, offset) => {
                let variable = self.around.module.variables.iter().find(|v| v.name == name);
                let shared = self.around.shared.get(name).map(|&at| u64::from(at));
                (variable.map_or(0, |v| v.size), shared.or(self.around.addresses.get(name).copied()), offset)
            }
            _ => return false,
        };
        let offset = offset.wrapping_add(*more);
        let inside = usize::try_from(offset).is_ok_and(|at| at.checked_add(bytes).is_some_and(|end| end <= size));
        inside && place.is_some_and(|place| place.wrapping_add(offset as u64).is_multiple_of(bytes as u64))
    }
}
