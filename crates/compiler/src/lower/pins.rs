//! Numbers that do not change in a loop of one block of steps: loaded into vector registers that are nobody's home there, once
//! for all turns. A load of 64 bytes a cycle is all that an EPYC does, and short loops read little else than constants.

use super::{FIRST, Lower, VECTORS, zmm};
use crate::allocate::Home;
use crate::assembler::{Label, Level};
use crate::flow::{members, results};
use crate::operation::Operation;
use crate::values::Source;
use iced_x86::Register;

/// An operand that is in all lanes of a register.
#[derive(Clone, Copy)]
struct Pin {
    offset: u32,
    wide: bool,
    register: Register,
}

/// What is in registers in the block at hand.
#[derive(Default)]
pub(crate) struct Pins {
    all: Vec<Pin>,
    /// The block, and where its later turns begin.
    again: Option<(usize, Label)>,
    /// Vector registers that have been used so anywhere: calls keep them.
    pub used: [bool; VECTORS],
}

impl Lower<'_> {
    /// Begins a block, whose label has just been placed.
    pub fn begin_pins(&mut self, block: usize) {
        self.pins.all.clear();
        self.pins.again = None;
        let range = self.flow.range(block);
        let last = &self.unit.steps[range.end - 1];
        let turns = last.branch.is_some_and(|branch| branch.target == self.flow.starts[block]);
        // Steps that may be called behind all other code would lose them.
        let gives_way = |at: usize| {
            use Operation::*;
            matches!(
                self.unit.steps[at].operation,
                Step | Exit | Barrier | Atomic { .. } | Shuffle | Vote | Reduce | ActiveMask | Meet | Rows { .. }
            )
        };
        if !turns || self.asm.level() != Level::Avx512 || range.clone().any(gives_way) {
            return;
        }
        self.find_pins(block);
        if self.pins.all.is_empty() {
            return;
        }
        self.load_pins();
        let again = self.asm.label();
        self.asm.place(again);
        self.pins.again = Some((block, again));
    }

    /// Gives registers to what steps of a block read again and again.
    fn find_pins(&mut self, block: usize) {
        let mut taken = [false; VECTORS];
        let mut take = |register: u32| {
            let wide = self.unit.registers[register as usize].bytes == 8;
            match self.homes[register as usize] {
                Home::Vector(first) => taken[usize::from(first)..][..if wide { 4 } else { 2 }].fill(true),
                Home::Single(n) => taken[usize::from(n)] = true,
                Home::Frame | Home::Place(_) | Home::General(_) => {}
            }
        };
        members(self.flow.live_in.of(block)).for_each(&mut take);
        members(self.flow.live_out.of(block)).for_each(&mut take);
        let mut written = Vec::new();
        for at in self.flow.range(block) {
            let take = core::cell::RefCell::new(&mut take);
            self.flow.touches_plainly(
                at,
                |register| take.borrow_mut()(register),
                |register, _| {
                    take.borrow_mut()(register);
                    written.push(register);
                },
            );
        }
        let mut free = (0..VECTORS).rev().filter(|&n| !taken[n]);
        for at in self.flow.range(block) {
            let step = &self.unit.steps[at];
            let Some((count, wide)) = reads_pieces(step.operation) else { continue };
            let by_ends = match step.operation {
                Operation::Compare(number, how) => {
                    self.values.is_uniform_branch(self.unit, at) || self.ends_of(step, number, how).is_some()
                }
                _ => false,
            };
            if step.left || by_ends || results(step).any(|to| self.is_scalar(to)) {
                continue;
            }
            for &offset in &step.from[..count] {
                let known = self.pins.all.iter().any(|pin| (pin.offset, pin.wide) == (offset, wide));
                if known || !self.is_pinnable(offset, &written) {
                    continue;
                }
                let Some(n) = free.next() else { return };
                self.pins.used[n] = true;
                self.pins.all.push(Pin { offset, wide, register: zmm(FIRST + n as u32) });
            }
        }
    }

    /// Whether an operand is one number for all lanes, outside of vector registers, that the block does not change.
    fn is_pinnable(&self, offset: u32, written: &[u32]) -> bool {
        match self.source(offset) {
            Source::Constant(_) => true,
            Source::Scalar { stride: 0, slot } => {
                !matches!(self.home(offset), Some(Home::Single(_))) && !written.contains(&slot)
            }
            _ => false,
        }
    }

    /// Loads what the block at hand has in registers.
    pub fn load_pins(&mut self) {
        let all = core::mem::take(&mut self.pins.all);
        for &Pin { offset, wide, register } in &all {
            let loaded = self.piece_in(offset, 0, wide, register);
            debug_assert!(loaded == register);
        }
        self.pins.all = all;
    }

    /// Whether one number is an operand for all lanes.
    pub fn is_same(&self, offset: u32) -> bool {
        self.values.stride(offset) == Some(0)
    }

    /// Loads an operand that is the same for all lanes into a register, until [`Lower::unpin`]. False if it is in one.
    pub fn pin(&mut self, offset: u32, wide: bool, register: Register) -> bool {
        let own = matches!(self.home(offset), Some(Home::Single(_))) || self.pinned(offset, wide).is_some();
        if own || self.asm.level() != Level::Avx512 {
            return false;
        }
        self.piece_in(offset, 0, wide, register);
        self.pins.all.push(Pin { offset, wide, register });
        true
    }

    /// Forgets the last one.
    pub fn unpin(&mut self) {
        self.pins.all.pop();
    }

    /// The register that has an operand in all lanes.
    pub fn pinned(&self, offset: u32, wide: bool) -> Option<Register> {
        self.pins.all.iter().find(|pin| (pin.offset, pin.wide) == (offset, wide)).map(|pin| pin.register)
    }

    /// Nothing is in registers behind all blocks.
    pub fn end_pins(&mut self) {
        self.pins.all.clear();
        self.pins.again = None;
    }

    /// Where a jump to a step goes that begins a block: behind what is loaded there, from the end of the block itself.
    pub fn way_to(&self, target: u32) -> Label {
        let block = self.flow.block_at[target as usize] as usize;
        match self.pins.again {
            Some((own, again)) if own == block => again,
            _ => self.bodies[block],
        }
    }
}

/// How many operands of a step are read piece by piece, and whether as lanes of 64 bits. None where that is not known.
fn reads_pieces(operation: Operation) -> Option<(usize, bool)> {
    use Operation::*;
    Some(match operation {
        Add(n) | Sub(n) | Mul(n) | Min(n) | Max(n) | Compare(n, _) => (2, n.is_wide()),
        And { wide } | Or { wide } | Xor { wide } | Select { wide } => (2, wide),
        Mad(n) => (3, n.is_wide()),
        Lop3 => (3, false),
        Bitwise { wide, .. } => (3, wide),
        _ => return None,
    })
}
