//! Accesses of a block that lie near each other, off one register: the first of them looks at the addresses of all.

use super::memory::Place;
use super::{Lower, atomic};
use crate::assembler::at;
use crate::flow::touches;
use crate::operation::{Operation, Window};
use crate::unit::{SLOT, Step, UNGUARDED};
use iced_x86::{Code, Register};
use std::collections::HashMap;

/// Groups of a block: a bit each of the word on top of the stack says that the addresses were found right.
const MOST: usize = 32;
/// Where the stack has the addresses of the first lanes of both halves, for each group.
const POINTERS: i64 = atomic::LANES_END;
/// Bytes of the stack up to there.
pub const POINTERS_END: i64 = POINTERS + 16 * MOST as i64;

/// What all accesses of a group have in common.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Common {
    index: u32,
    base: Option<u32>,
    window: Window,
    place: Place,
    /// Of an access, and what remains of its offset.
    bytes: i64,
    rest: i64,
}

struct Group {
    common: Common,
    /// The offsets of the first and the last access.
    least: i64,
    most: i64,
    members: u32,
    /// There is code that has looked at the addresses.
    looked_at: bool,
}

impl Group {
    /// Whether an access at an offset is in reach of the others.
    fn reaches(&self, offset: i64, limit: i64) -> bool {
        let lanes = match self.common.place {
            Place::Row(stride) => 31 * stride.abs(),
            Place::Halves(stride) => 15 * stride.abs(),
            _ => return false,
        };
        self.most.max(offset) - self.least.min(offset) + self.common.bytes + lanes <= limit
    }
}

/// The groups of the block at hand.
#[derive(Default)]
pub(crate) struct Groups {
    all: Vec<Group>,
    /// By the position of an access.
    of: HashMap<usize, usize>,
}

/// A group as an access sees it.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    number: usize,
    pub least: i64,
    pub extent: i64,
    pub looked_at: bool,
}

impl Seen {
    fn bit(self) -> i32 {
        1i32.wrapping_shl(self.number as u32)
    }
}

impl Lower<'_> {
    /// Looks for groups in a block.
    pub fn find_groups(&mut self, block: usize) {
        let (unit, limit) = (self.unit, i64::from(self.layout.least_reach));
        let (mut all, mut open, mut of): (Vec<Group>, Vec<usize>, Vec<(usize, usize)>) = Default::default();
        for position in self.flow.range(block) {
            let step = &unit.steps[position];
            if let Some(common) = self.common(step) {
                let found =
                    open.iter().copied().find(|&n| all[n].common == common && all[n].reaches(step.offset, limit));
                match found {
                    Some(n) => {
                        of.push((position, n));
                        // What a guard may forbid says nothing of where accesses go.
                        if step.guard == UNGUARDED {
                            let group = &mut all[n];
                            (group.least, group.most) = (group.least.min(step.offset), group.most.max(step.offset));
                            group.members += 1;
                        }
                    }
                    None if step.guard == UNGUARDED => {
                        if open.len() == MOST {
                            open.remove(0);
                        }
                        open.push(all.len());
                        of.push((position, all.len()));
                        let (least, most) = (step.offset, step.offset);
                        all.push(Group { common, least, most, members: 1, looked_at: false });
                    }
                    None => {}
                }
            }
            touches(
                unit,
                position,
                &[],
                |_| {},
                |register, _| {
                    let other =
                        |common: &Common| common.index != register * SLOT && common.base != Some(register * SLOT);
                    open.retain(|&n| other(&all[n].common));
                },
            );
        }
        // Those with several accesses, by their new numbers.
        let mut numbers = vec![usize::MAX; all.len()];
        let several = (0..all.len()).filter(|&n| all[n].members > 1).take(MOST);
        several.enumerate().for_each(|(number, n)| numbers[n] = number);
        let kept = of.into_iter().filter(|&(position, n)| {
            numbers[n] != usize::MAX && (all[n].least..=all[n].most).contains(&unit.steps[position].offset)
        });
        self.groups.of = kept.map(|(position, n)| (position, numbers[n])).collect();
        self.groups.all =
            all.into_iter().zip(numbers).filter(|&(_, number)| number != usize::MAX).map(|(g, _)| g).collect();
    }

    /// What an access has in common with others. None for what stands alone.
    fn common(&self, step: &Step) -> Option<Common> {
        let (Operation::Load { window, element, count, .. } | Operation::Store { window, element, count, .. }) =
            step.operation
        else {
            return None;
        };
        let place = self.kind(step, window, &element, count)?;
        let bytes = i64::from(element.bytes) * i64::from(count);
        let base = step.based.then_some(step.from[4]);
        let plain = matches!(place, Place::Row(_) | Place::Halves(_));
        let rest = step.offset.rem_euclid(bytes);
        plain.then_some(Common { index: step.from[0], base, window, place, bytes, rest })
    }

    /// The group of an access.
    pub(super) fn group(&self, position: usize) -> Option<Seen> {
        let number = *self.groups.of.get(&position)?;
        let Group { common, least, most, looked_at, .. } = &self.groups.all[number];
        Some(Seen { number, least: *least, extent: most - least + common.bytes, looked_at: *looked_at })
    }

    /// Before the addresses of a group are looked at: they are not known to be right.
    pub(super) fn doubt(&mut self, group: Seen) {
        self.asm.op2i(Code::And_rm32_imm32, at(Register::RSP, 0), !group.bit());
    }

    /// They are right: the first ones, in `rax` and `rcx`, are kept.
    pub(super) fn trust(&mut self, group: Seen) {
        let place = POINTERS + 16 * group.number as i64;
        self.asm.op2(Code::Mov_rm64_r64, at(Register::RSP, place), Register::RAX);
        if self.is_split(group) {
            self.asm.op2(Code::Mov_rm64_r64, at(Register::RSP, place + 8), Register::RCX);
        }
        self.asm.op2i(Code::Or_rm32_imm32, at(Register::RSP, 0), group.bit());
        self.groups.all[group.number].looked_at = true;
    }

    /// Loads the first addresses of a group, or jumps if they are not right.
    pub(super) fn recall(&mut self, group: Seen, otherwise: crate::assembler::Label) {
        let place = POINTERS + 16 * group.number as i64;
        self.asm.op2i(Code::Test_rm32_imm32, at(Register::RSP, 0), group.bit());
        self.asm.je(otherwise);
        self.asm.op2(Code::Mov_r64_rm64, Register::RAX, at(Register::RSP, place));
        if self.is_split(group) {
            self.asm.op2(Code::Mov_r64_rm64, Register::RCX, at(Register::RSP, place + 8));
        }
    }

    fn is_split(&self, group: Seen) -> bool {
        matches!(self.groups.all[group.number].common.place, Place::Halves(_))
    }
}
