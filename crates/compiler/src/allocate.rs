//! Where registers live: in registers of the machine, by weight, where their lives do not overlap; else in the frame.

use crate::flow::{Flow, members, touches};
use crate::operation::{Number, Operation};
use crate::unit::{SLOT, Step, Unit};
use crate::values::Values;

/// Where a register lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// In the frame.
    Frame,
    /// A general register, by number.
    General(u8),
    /// Vector registers, the first by number: as many as pieces.
    Vector(u8),
    /// One vector register, in all lanes of which is the number that stands for them.
    Single(u8),
}

/// What a register needs.
struct Life {
    register: u32,
    first: u32,
    last: u32,
    weight: f32,
}

/// Machine registers that are handed out, some at a time: which are free for a while.
struct Pool {
    /// For each of them the lives that it holds, which do not overlap: their beginnings and ends, ascending.
    taken: Vec<Vec<(u32, u32)>>,
}

impl Pool {
    fn new(count: usize) -> Pool {
        Pool { taken: vec![Vec::new(); count] }
    }

    /// Where a life goes among those of a register. None if the register is taken.
    fn gap(&self, at: usize, first: u32, last: u32) -> Option<usize> {
        let taken = &self.taken[at];
        let gap = taken.partition_point(|life| life.0 <= last);
        (gap == 0 || taken[gap - 1].1 < first).then_some(gap)
    }

    /// Finds `count` registers in a row, 1 or 2, for a life, from a multiple of `count` on: two of one size lie apart or are the same.
    fn take(&mut self, count: usize, first: u32, last: u32) -> Option<usize> {
        for start in (0..=self.taken.len().checked_sub(count)?).step_by(count) {
            let Some(gap) = self.gap(start, first, last) else { continue };
            if count == 2 {
                let Some(second) = self.gap(start + 1, first, last) else { continue };
                self.taken[start + 1].insert(second, (first, last));
            }
            self.taken[start].insert(gap, (first, last));
            return Some(start);
        }
        None
    }
}

/// The homes of all registers. `pieces` says how many vector registers hold lanes of 4 bytes (twice as many for 8).
pub fn homes(unit: &Unit, flow: &Flow, values: &Values, general: usize, vectors: usize, pieces: usize) -> Vec<Home> {
    /// More lives than that are not looked at: the rest stays in the frame.
    const MOST: usize = 20_000;
    let count = unit.registers.len();
    let mut lives: Vec<Life> =
        (0..count as u32).map(|register| Life { register, first: u32::MAX, last: 0, weight: 0.0 }).collect();
    let extend = |lives: &mut Vec<Life>, register: u32, at: u32, weight: f32| {
        let life = &mut lives[register as usize];
        (life.first, life.last) = (life.first.min(at), life.last.max(at));
        life.weight += weight;
    };
    let single = singles(unit, values);
    for block in 0..flow.count() {
        // Steps have two points each: operands are read before results are written.
        let (start, end) = (flow.starts[block] * 2, flow.starts[block + 1] * 2);
        members(flow.live_in.of(block)).for_each(|register| extend(&mut lives, register, start, 0.0));
        members(flow.live_out.of(block)).for_each(|register| extend(&mut lives, register, end, 0.0));
        let weight = flow.weight(block);
        for at in flow.range(block) {
            // A step of the interpreter wants its operands in the frame.
            let gain = if unit.steps[at].operation == Operation::Step { -weight } else { weight };
            let apart = u32::from(is_lane_by_lane(&unit.steps[at]));
            let lives = core::cell::RefCell::new(&mut lives);
            touches(
                unit,
                at,
                &flow.masked,
                |register| {
                    // All pieces of a result are worked out from one that is in all lanes.
                    let behind = u32::from(single[register as usize]);
                    extend(&mut lives.borrow_mut(), register, at as u32 * 2 + behind, gain);
                },
                |register, _| extend(&mut lives.borrow_mut(), register, at as u32 * 2 + apart, gain),
            );
        }
    }
    let mut homes = vec![Home::Frame; count];
    lives.retain(|life| life.weight > 0.0 && life.first <= life.last);
    lives.sort_by(|a, b| {
        let dense = |life: &Life| life.weight / (life.last - life.first + 2) as f32;
        dense(b).total_cmp(&dense(a))
    });
    let (mut generals, mut vector) = (Pool::new(general), Pool::new(vectors / pieces));
    for life in lives.iter().take(MOST) {
        let register = &unit.registers[life.register as usize];
        let scalar = values.kept(life.register).is_some();
        homes[life.register as usize] = match register.bytes {
            4 | 8 if single[life.register as usize] => {
                vector.take(1, life.first, life.last).map(|at| Home::Single(at as u8))
            }
            4 | 8 if scalar => generals.take(1, life.first, life.last).map(|at| Home::General(at as u8)),
            4 => vector.take(1, life.first, life.last).map(|at| Home::Vector((at * pieces) as u8)),
            8 => vector.take(2, life.first, life.last).map(|at| Home::Vector((at * pieces) as u8)),
            _ => None,
        }
        .unwrap_or(Home::Frame);
    }
    homes
}

/// Registers that one number stands for which is loaded, and which nothing but arithmetic of vectors in floating point reads.
fn singles(unit: &Unit, values: &Values) -> Vec<bool> {
    use Operation::*;
    let mut single: Vec<bool> = (0..unit.registers.len())
        .map(|register| values.kept(register as u32) == Some(0) && !unit.registers[register].early)
        .collect();
    let mut written = vec![false; unit.registers.len()];
    for (at, step) in unit.steps.iter().enumerate() {
        let vector =
            |number: Number| number.is_float() && crate::flow::results(step).all(|to| values.kept(to / SLOT).is_none());
        let reads = match step.operation {
            Add(n) | Sub(n) | Mul(n) | Mad(n) => vector(n),
            _ => false,
        };
        let writes = matches!(step.operation, Load { element, count: 1, .. } if element.bytes >= 4);
        touches(
            unit,
            at,
            &[],
            |register| single[register as usize] &= reads,
            |register, _| written[register as usize] = true,
        );
        if !writes {
            let other = crate::flow::results(step).map(|to| to / SLOT).chain(step.writes.iter().copied());
            other.for_each(|register| {
                if let Some(single) = single.get_mut(register as usize) {
                    *single = false;
                }
            });
        }
    }
    single.iter().zip(written).map(|(&single, written)| single && written).collect()
}

/// True when a piece of the result is written after the same pieces of the operands have been read, and no other ones.
fn is_lane_by_lane(step: &Step) -> bool {
    use Operation::*;
    match step.operation {
        MulWide { .. } | MadWide { .. } | Load { .. } | Atomic { .. } | Shuffle | Reduce | Operation::Step => false,
        Popc { wide } | Clz { wide } | SelectSign { wide, .. } => !wide,
        Bfe(number) => !number.is_wide(),
        Convert { to, from } => to.is_wide() == from.is_wide(),
        _ => true,
    }
}

/// The registers that are live before each step of a block, from its end to its start.
pub fn live_before(unit: &Unit, flow: &Flow, block: usize) -> Vec<Vec<u64>> {
    let mut live = flow.live_out.of(block).to_vec();
    let mut all = Vec::with_capacity(flow.range(block).len() + 1);
    all.push(live.clone());
    for at in flow.range(block).rev() {
        let cell = core::cell::RefCell::new(&mut live);
        let mut reads = Vec::new();
        touches(
            unit,
            at,
            &flow.masked,
            |register| reads.push(register),
            |register, whole| {
                if whole {
                    crate::flow::remove(&mut cell.borrow_mut(), register);
                }
            },
        );
        for register in reads {
            crate::flow::insert(&mut live, register);
        }
        all.push(live.clone());
    }
    all.reverse();
    all
}
