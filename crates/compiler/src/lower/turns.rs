//! Loops of one block of steps whose lanes leave one by one. Whether some leave in a turn cannot be foreseen, so a jump by that is often
//! mispredicted. Code does not ask: the comparison's lanes become the active ones in each turn.

use super::{Late, Lower, WARP};
use crate::assembler::{Label, Level, at};
use crate::operation::{Number, Operation};
use crate::unit::{Step, UNGUARDED};
use iced_x86::{Code, Register};
use ptx::modifier::Comparison;

/// Steps of a loop that are looked at.
const MOST: usize = 64;

impl Lower<'_> {
    /// The comparison and the branch at the end of such a loop. False if it is no such loop.
    pub(super) fn turn_lanes(&mut self, position: usize, step: &Step, number: Number, how: Comparison) -> bool {
        let Some(branch) = step.branch else { return false };
        let block = self.flow.block_of(position);
        let turns = branch.target == self.flow.starts[block] && branch.reconverge == position as u32 + 1;
        let plain = step.guard == UNGUARDED && step.combination == 0 && !step.pair && !number.is_wide();
        if !turns || !plain || self.asm.level() != Level::Avx512 || self.waits_for_lanes(block, position) {
            return false;
        }
        self.compare_vectors(step, number, how, branch.unless, [Register::K1, Register::K2]);
        self.set_flushing(self.flushes);
        let active = i64::from(self.layout.active);
        let [left, parts, parted, all] = core::array::from_fn(|_| self.asm.label());
        self.asm.op2(Code::VEX_Kortestw_kr_kr, Register::K1, Register::K2);
        self.asm.je(left);
        // The stack remembers who waits for those that stay.
        self.compare_number(at(WARP, self.layout.reconverge.into()), branch.reconverge);
        self.asm.jne(parts);
        self.asm.place(parted);
        self.asm.op2(Code::VEX_Kmovw_m16_kr, at(WARP, active), Register::K1);
        self.asm.op2(Code::VEX_Kmovw_m16_kr, at(WARP, active + 2), Register::K2);
        self.asm.place(all);
        self.jump(position, branch);
        // The last lanes leave together, and are still active.
        self.asm.place(left);
        self.active();
        self.late.push(Late::PartInTurn { label: parts, at: position, all, parted });
        true
    }

    /// The first lanes leave, or none: the stack has no word of this loop.
    pub(super) fn part_in_turn(&mut self, position: usize, all: Label, parted: Label) {
        self.asm.op3(Code::VEX_Kunpckwd_kr_kr_kr, Register::K7, Register::K2, Register::K1);
        self.asm.op2(Code::VEX_Kmovd_r32_kr, Register::EAX, Register::K7);
        self.asm.op2(Code::Cmp_r32_rm32, Register::EAX, at(WARP, self.layout.active.into()));
        self.asm.je(all);
        self.part(position, Some(parted));
    }

    /// Whether the comparison at the end of a block depends on what the block works out for active lanes alone, or loads: it would wait
    /// for the comparison of the turn before.
    fn waits_for_lanes(&self, block: usize, compare: usize) -> bool {
        let range = self.flow.range(block);
        if range.len() > MOST {
            return true;
        }
        let mut wanted = Vec::new();
        self.flow.touches_plainly(compare, |read| wanted.push(read), |_, _| {});
        let mut known = 0;
        while known != wanted.len() {
            known = wanted.len();
            for at in range.clone() {
                let step = &self.unit.steps[at];
                let writes = self.written_by(at);
                if !writes.iter().any(|to| wanted.contains(to)) {
                    continue;
                }
                let spares = writes.iter().any(|&to| self.flow.masked.get(to as usize) == Some(&true));
                let by_mask = super::may_leave(step.operation) || matches!(step.operation, Operation::ActiveMask);
                if spares || by_mask || step.guard != UNGUARDED {
                    return true;
                }
                self.flow.touches_plainly(
                    at,
                    |read| {
                        if !wanted.contains(&read) {
                            wanted.push(read);
                        }
                    },
                    |_, _| {},
                );
            }
        }
        false
    }
}
