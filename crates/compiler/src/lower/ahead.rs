//! What a loop will access in later turns: memory is asked for it beforehand.

use super::abreast::Stride;
use super::{Lower, may_leave};
use crate::assembler::{at, full, narrow};
use crate::operation::{Number, Operation};
use crate::unit::{SLOT, Step, UNGUARDED};
use crate::values::Source;
use iced_x86::{Code, Register};
use smallvec::SmallVec;

/// Loops of a kernel that are looked at; a kernel with more goes without.
const MOST_LOOPS: usize = 64;
/// Steps that an address is followed back.
const MOST_BACK: u32 = 12;
/// Turns that memory is ahead, in loops in which a warp does not wait for the others.
const TURNS: i64 = 8;
/// From one turn to the next, bytes that need no help.
const NEAR: i64 = 512;

/// What is added to an address in each turn: a number, or a multiple of an operand that does not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Advance {
    None,
    Number(i64),
    Operand { offset: u32, wide: bool, times: i64 },
}

impl Advance {
    fn times(self, by: i64) -> Option<Advance> {
        Some(match self {
            Advance::None => Advance::None,
            Advance::Number(number) => Advance::Number(number.checked_mul(by)?),
            Advance::Operand { offset, wide, times } => {
                Advance::Operand { offset, wide, times: times.checked_mul(by)? }
            }
        })
    }
}

/// A loop: its steps, and whether warps wait for each other in it.
#[derive(Clone)]
struct Turns {
    steps: core::ops::Range<usize>,
    waits: bool,
    /// Warps can take their turns in any order.
    free: bool,
    /// How far a turn goes, where it is a whole grid.
    stride: Option<Stride>,
}

/// The loops of a kernel, and what writes each of its registers.
#[derive(Default)]
pub(crate) struct Ahead {
    loops: Vec<Turns>,
    writers: Vec<SmallVec<[u32; 4]>>,
    /// Registers that hold products of the sizes of blocks and grids.
    sizes: Vec<bool>,
}

impl Ahead {
    /// Whether warps may go side by side in one of its loops.
    pub(super) fn goes_abreast(&self) -> bool {
        self.loops.iter().any(|turns| turns.free)
    }

    /// Whether warps do, in one of the loops that are lowered.
    pub(super) fn has_strides(&self) -> bool {
        self.loops.iter().any(|turns| turns.stride.is_some())
    }

    /// How far a turn goes of the loop whose end jumps back, if its warps go side by side.
    pub(super) fn stride_of(&self, position: usize) -> Option<Stride> {
        self.loops.iter().find(|turns| turns.steps.end == position + 1).and_then(|turns| turns.stride)
    }
}

impl Lower<'_> {
    /// Looks for loops.
    pub fn find_loops(&mut self) {
        let steps = &self.unit.steps;
        let back = |(at, step): (usize, &Step)| {
            let start = step.branch?.target as usize;
            let waits = || steps[start..at].iter().any(|step| matches!(step.operation, Operation::Barrier));
            // Nothing but accesses tells one order from another, and atomic ones would.
            let free = |step: &Step| {
                let access =
                    matches!(step.operation, Operation::Branch | Operation::Load { .. } | Operation::Store { .. });
                access || !may_leave(step.operation)
            };
            let free = || self.chained && !self.combining.any && !self.unit.apart && steps[start..=at].iter().all(free);
            (start <= at).then(|| Turns { steps: start..at + 1, waits: waits(), free: free(), stride: None })
        };
        let loops: Vec<Turns> = steps.iter().enumerate().filter_map(back).take(MOST_LOOPS + 1).collect();
        if loops.is_empty() || loops.len() > MOST_LOOPS {
            return;
        }
        let sizes = self.find_sizes();
        self.ahead = Ahead { loops, writers: vec![SmallVec::new(); self.unit.registers.len()], sizes };
        for (at, step) in steps.iter().enumerate() {
            let results = crate::flow::results(step).map(|to| to / SLOT);
            for register in results.chain(step.writes().iter().copied()) {
                if let Some(writers) = self.ahead.writers.get_mut(register as usize) {
                    writers.push(at as u32);
                }
            }
        }
    }

    /// The registers that hold what the launch's shape is, or a product of such numbers.
    fn find_sizes(&self) -> Vec<bool> {
        let unit = self.unit;
        let mut sizes = vec![false; unit.registers.len()];
        for step in unit.once.iter().chain(&unit.steps) {
            let is_size = |offset: u32| match sizes.get((offset / SLOT) as usize) {
                Some(&size) => size,
                None => {
                    let slot = offset / SLOT;
                    unit.scalars.get(&slot) == Some(&0) && !unit.lean.contains_key(&slot)
                }
            };
            let size = match step.operation {
                Operation::Copy { .. } => is_size(step.from[0]),
                Operation::Mul(_) => is_size(step.from[0]) && is_size(step.from[1]),
                _ => false,
            };
            for to in crate::flow::results(step) {
                if let Some(place) = sizes.get_mut((to / SLOT) as usize) {
                    *place = size;
                }
            }
        }
        sizes
    }

    /// Asks for what an access will want in later turns of its loop, from the bases of the access on. Where a turn goes further by a
    /// whole grid, as loops do that share out an array, each turn is in a page of its own: there it asks for what the next
    /// warp will want in the same turn, beside its own.
    pub fn fetch_turns(&mut self, position: usize, step: &Step, halves: bool, more: i64) {
        self.fetch_of_loop(position, step, halves, more, false);
    }

    /// The same for a load that the step behind it makes, which is worth it in loops that share out an array.
    pub fn fetch_folded(&mut self, position: usize, step: &Step, more: i64) {
        self.fetch_of_loop(position, step, false, more, true);
    }

    fn fetch_of_loop(&mut self, position: usize, step: &Step, halves: bool, more: i64, folded: bool) {
        let inside = self.ahead.loops.iter().enumerate().filter(|(_, turns)| turns.steps.contains(&position));
        let Some((which, turns)) = inside.min_by_key(|(_, turns)| turns.steps.len()) else { return };
        let turns = turns.clone();
        let Some(advance) = self.advance(step.from[0], &turns, MOST_BACK) else { return };
        let base = if step.based { self.advance(step.from[4], &turns, MOST_BACK) } else { Some(Advance::None) };
        let sum = match base {
            Some(Advance::None) => Some(advance),
            Some(base) if advance == Advance::None => Some(base),
            _ => None,
        };
        let grid = match sum {
            Some(Advance::Operand { offset, .. }) => self.ahead.sizes.get((offset / SLOT) as usize) == Some(&true),
            _ => false,
        };
        if let Some(Advance::Operand { offset, wide, times: times @ 1..=16 }) = sum
            && (grid && turns.free && !halves)
        {
            self.ahead.loops[which].stride = Some(Stride { offset, wide, times });
        }
        if folded && !grid {
            return;
        }
        let Some(sum) = sum.and_then(|sum| sum.times(if turns.waits { 1 } else { TURNS })) else { return };
        let [first, second] = self.bases;
        let bases = if halves { vec![first, second] } else { vec![first] };
        let bytes = if halves { 64 } else { 128 };
        if grid && !turns.waits && !halves {
            for line in (0..bytes).step_by(64) {
                self.asm.op1(Code::Prefetcht0_m8, at(first, more + bytes + line));
            }
            return;
        }
        for base in bases {
            let (from, way) = match sum {
                Advance::None => return,
                Advance::Number(number) if !turns.waits && number.unsigned_abs() < (NEAR * TURNS) as u64 => return,
                Advance::Number(number) => (base, number),
                Advance::Operand { offset, wide, times } => {
                    let number = self.scalar_in(offset, wide, Register::RDX);
                    if wide {
                        if number != Register::RDX {
                            self.asm.op2(Code::Mov_r64_rm64, Register::RDX, number);
                        }
                    } else {
                        self.asm.op2(Code::Movsxd_r64_rm32, Register::RDX, narrow(number));
                    }
                    if times.count_ones() == 1 && times > 0 {
                        if times > 1 {
                            self.asm.op2i(Code::Shl_rm64_imm8, Register::RDX, times.trailing_zeros() as i32);
                        }
                    } else {
                        return;
                    }
                    self.asm.op2(Code::Add_r64_rm64, Register::RDX, full(base));
                    (Register::RDX, 0)
                }
            };
            if i32::try_from(way + more + bytes).is_err() {
                return;
            }
            for line in (0..bytes).step_by(64) {
                self.asm.op1(Code::Prefetcht0_m8, at(from, way + more + line));
            }
        }
    }

    /// What a turn of a loop adds to an operand.
    fn advance(&self, offset: u32, turns: &Turns, left: u32) -> Option<Advance> {
        let left = left.checked_sub(1)?;
        let Some(writers) = self.ahead.writers.get((offset / SLOT) as usize) else { return Some(Advance::None) };
        let first = writers.partition_point(|&at| (at as usize) < turns.steps.start);
        let inside = writers[first..].iter().take_while(|&&at| (at as usize) < turns.steps.end);
        let writer = match (inside.clone().next(), inside.count()) {
            (None, _) => return Some(Advance::None),
            (Some(&at), 1) => &self.unit.steps[at as usize],
            _ => return None,
        };
        if writer.guard != UNGUARDED {
            return None;
        }
        let of = |n: usize| self.advance(writer.from[n], turns, left);
        let constant = |n: usize| match self.source(writer.from[n]) {
            Source::Constant(bits) => Some(i64::from(bits as i32)),
            _ => None,
        };
        let product = || match (constant(0), constant(1)) {
            (_, Some(by)) => of(0)?.times(by),
            (Some(by), _) => of(1)?.times(by),
            _ => match (of(0)?, of(1)?) {
                (Advance::None, Advance::None) => Some(Advance::None),
                (Advance::Number(times), Advance::None) => self.added(writer.from[1], false)?.times(times),
                (Advance::None, Advance::Number(times)) => self.added(writer.from[0], false)?.times(times),
                _ => None,
            },
        };
        let sum = |a: Advance, b: Advance| match (a, b) {
            (Advance::None, other) | (other, Advance::None) => Some(other),
            (Advance::Number(a), Advance::Number(b)) => Some(Advance::Number(a.checked_add(b)?)),
            _ => None,
        };
        use Operation::*;
        match writer.operation {
            Add(number) if !number.is_float() => {
                // What counts the turns, or something made of it.
                for (own, other) in [(0, 1), (1, 0)] {
                    if writer.from[own] == offset {
                        return match of(other)? {
                            Advance::None => self.added(writer.from[other], number.is_wide()),
                            _ => None,
                        };
                    }
                }
                sum(of(0)?, of(1)?)
            }
            Sub(number) if !number.is_float() && writer.from[0] != offset => {
                (of(1)? == Advance::None).then(|| of(0)).flatten()
            }
            Copy { .. } | Convert { to: Number::S64 | Number::U64, from: Number::S32 | Number::U32 } => of(0),
            Mul(number) if !number.is_float() => product(),
            MulWide { .. } => product(),
            Mad(number) if !number.is_float() => sum(product()?, of(2)?),
            MadWide { .. } => sum(product()?, of(2)?),
            Shl { .. } => of(0)?.times(1i64.checked_shl(u32::try_from(constant(1)?).ok()?)?),
            _ => None,
        }
    }

    /// An operand that is the same in all turns, as what one adds.
    fn added(&self, offset: u32, wide: bool) -> Option<Advance> {
        match self.source(offset) {
            Source::Constant(bits) if wide => Some(Advance::Number(bits as i64)),
            Source::Constant(bits) => Some(Advance::Number(i64::from(bits as i32))),
            Source::Scalar { stride: 0, .. } => Some(Advance::Operand { offset, wide, times: 1 }),
            _ => None,
        }
    }
}
