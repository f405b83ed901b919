//! Where registers live: in registers of the machine, by weight, where their lives do not overlap; else in the frame.

use crate::flow::{Flow, Sets, members};
use crate::operation::{Number, Operation};
use crate::unit::{SLOT, Step, UNGUARDED, Unit};
use crate::values::Values;
use core::cmp::Reverse;
use std::collections::BinaryHeap;

/// Where a register lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// In the frame.
    Frame,
    /// In the frame, where another register lives by the same number: their lives do not overlap.
    Place(u32),
    /// A general register, by number: a number that stands for all lanes, or a predicate of one block of steps, a bit a lane.
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

/// Machine registers that are handed out, up to 32: which are taken at which points, as sets.
struct Pool {
    count: usize,
    /// Those that are taken at a point, and not for all of its stretch.
    points: Vec<u32>,
    stretches: Vec<Stretch>,
}

/// Points behind each other.
#[derive(Clone, Copy, Default)]
struct Stretch {
    /// Registers that are taken at all of them, and at some.
    whole: u32,
    some: u32,
}

impl Pool {
    /// Points of a stretch, as a power of two.
    const SHIFT: usize = 4;

    fn new(count: usize, points: usize) -> Pool {
        let stretches = (points >> Pool::SHIFT) + 1;
        Pool { count, points: vec![0; stretches << Pool::SHIFT], stretches: vec![Stretch::default(); stretches] }
    }

    /// Finds `count` registers in a row for a life, from a multiple of `count` on: two of one size lie apart or are the same.
    fn take(&mut self, count: usize, first: u32, last: u32) -> Option<usize> {
        let (first, last) = (first as usize, last as usize);
        let (from, to) = (first >> Pool::SHIFT, last >> Pool::SHIFT);
        let end = |stretch: usize| (stretch + 1) << Pool::SHIFT;
        let mut taken = self.stretches[from].whole | self.stretches[to].whole;
        let any = |points: &[u32]| points.iter().fold(0, |all, point| all | point);
        if from == to {
            taken |= any(&self.points[first..=last]);
        } else {
            taken |= any(&self.points[first..end(from)]) | any(&self.points[to << Pool::SHIFT..=last]);
            taken |= self.stretches[from + 1..to].iter().fold(0, |all, stretch| all | stretch.some);
        }
        // Those from which on so many are free.
        let mut free = !taken & (1u64 << self.count).wrapping_sub(1) as u32;
        for more in 1..count {
            free &= !taken >> more & (1u64 << (self.count - more.min(self.count))).wrapping_sub(1) as u32;
        }
        let row = (1u64 << count) - 1;
        // At multiples alone.
        free &= u32::MAX / row as u32;
        if free == 0 {
            return None;
        }
        let start = free.trailing_zeros() as usize;
        let own = (row << start) as u32;
        let mark = |points: &mut [u32]| points.iter_mut().for_each(|point| *point |= own);
        self.stretches[from].some |= own;
        self.stretches[to].some |= own;
        if from == to {
            mark(&mut self.points[first..=last]);
        } else {
            mark(&mut self.points[first..end(from)]);
            mark(&mut self.points[to << Pool::SHIFT..=last]);
            for stretch in &mut self.stretches[from + 1..to] {
                (stretch.whole, stretch.some) = (stretch.whole | own, stretch.some | own);
            }
        }
        Some(start)
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
    let single = singles(unit, flow, values);
    // Registers that something touches which wants them in the frame, of those without a size: predicates.
    let mut framed = vec![false; count];
    for block in 0..flow.count() {
        // Steps have two points each: operands are read before results are written.
        let (start, end) = (flow.starts[block] * 2, flow.starts[block + 1] * 2);
        members(flow.live_in.of(block)).for_each(|register| extend(&mut lives, register, start, 0.0));
        members(flow.live_out.of(block)).for_each(|register| extend(&mut lives, register, end, 0.0));
        let weight = flow.weight(block);
        for at in flow.range(block) {
            // A step of the interpreter wants its operands in the frame.
            let gain = if matches!(unit.steps[at].operation, Operation::Step) { -weight } else { weight };
            let apart = u32::from(is_lane_by_lane(&unit.steps[at]));
            let [reads, writes] = takes_predicates(&unit.steps[at]);
            let (read, written, guarded) = flow.touched(at);
            let mut used = |register: u32| {
                framed[register as usize] |= !reads;
                // All pieces of a result are worked out from one that is in all lanes.
                let behind = u32::from(single[register as usize]);
                extend(&mut lives, register, at as u32 * 2 + behind, gain);
            };
            read.iter().for_each(|&register| used(register));
            written.iter().filter(|&&register| !guarded && flow.masked[register as usize]).for_each(|&r| used(r));
            for &register in written {
                framed[register as usize] |= !writes;
                extend(&mut lives, register, at as u32 * 2 + apart, gain);
            }
        }
    }
    // What is read once, and fetched for that by each warp, may be read where it is.
    let whole = !flow.depth.iter().any(|&depth| depth > 0);
    for register in members(flow.live_in.of(0)).filter(|_| whole) {
        let number = unit.registers[register as usize].early && values.kept(register).is_some();
        if number && !flow.stays.contains(&register) {
            lives[register as usize].weight -= 1.0;
        }
    }
    // Those that live in one block alone: nobody enters code, or leaves it at its end, with them.
    let mut crosses = vec![false; count];
    for block in 0..flow.count() {
        members(flow.live_in.of(block)).for_each(|register| crosses[register as usize] = true);
    }
    let mut homes = vec![Home::Frame; count];
    let is_vector = |life: &&Life| {
        let register = &unit.registers[life.register as usize];
        let vector = register.bytes == 4 && !register.early && values.kept(life.register).is_none();
        vector && values.in_halves(life.register).is_none() && life.first <= life.last
    };
    // By how dense they are: bits of numbers above 0 count as the numbers do.
    let mut order = Vec::with_capacity(count);
    let dense = |life: &Life| u64::from(!(life.weight / (life.last - life.first + 2) as f32).to_bits());
    let wanted = |life: &&Life| life.weight > 0.0 && life.first <= life.last;
    order.extend(lives.iter().filter(wanted).map(|life| dense(life) << 32 | u64::from(life.register)));
    order.sort_unstable();
    let points = 2 * unit.steps.len() + 2;
    let (mut generals, mut vector) = (Pool::new(general, points), Pool::new(vectors, points));
    // What stays from warp to warp comes before all others.
    let number = |&key: &u64| key as u32;
    let (first, others): (Vec<u32>, Vec<u32>) =
        order.iter().map(number).partition(|register| flow.stays.contains(register));
    for life in first.into_iter().chain(others).take(MOST).map(|register| &lives[register as usize]) {
        let register = &unit.registers[life.register as usize];
        let scalar = values.kept(life.register).is_some();
        homes[life.register as usize] = match register.bytes {
            // Their numbers are read where they are.
            _ if values.in_halves(life.register).is_some() => None,
            4 | 8 if single[life.register as usize] => {
                vector.take(1, life.first, life.last).map(|at| Home::Single(at as u8))
            }
            4 | 8 if scalar => generals.take(1, life.first, life.last).map(|at| Home::General(at as u8)),
            4 => vector.take(pieces, life.first, life.last).map(|at| Home::Vector(at as u8)),
            8 => vector.take(2 * pieces, life.first, life.last).map(|at| Home::Vector(at as u8)),
            0 if !framed[life.register as usize] && !crosses[life.register as usize] && !register.early => {
                generals.take(1, life.first, life.last).map(|at| Home::General(at as u8))
            }
            _ => None,
        }
        .unwrap_or(Home::Frame);
    }
    let in_frame = |life: &&Life| homes[life.register as usize] == Home::Frame;
    let places = lives.iter().filter(is_vector).filter(in_frame);
    let places = places.map(|life| u64::from(life.first) << 32 | u64::from(life.register)).collect();
    share_places(places, &lives, &crosses, &mut homes);
    homes
}

/// Vectors in the frame live in the place of another one whose life is over, so that fewer lines of the cache are touched; but not those
/// that are there for the interpreter's steps, which look for them in their own. Of each where its life begins and its number.
fn share_places(mut vectors: Vec<u64>, lives: &[Life], crosses: &[bool], homes: &mut [Home]) {
    vectors.sort_unstable();
    // Places, by when they become free.
    let mut places: BinaryHeap<Reverse<(u32, u32)>> = BinaryHeap::new();
    for life in vectors.iter().map(|&number| &lives[number as u32 as usize]) {
        let shares = !crosses[life.register as usize] && life.weight > 0.0;
        let free = places
            .peek()
            .filter(|_| shares)
            .filter(|Reverse((last, _))| *last < life.first)
            .map(|Reverse((_, place))| *place);
        let place = match free {
            Some(place) => {
                places.pop();
                homes[life.register as usize] = Home::Place(place);
                place
            }
            None => life.register,
        };
        places.push(Reverse((life.last, place)));
    }
}

/// Registers that one number stands for which is loaded, and which nothing but arithmetic of vectors in floating point reads.
fn singles(unit: &Unit, flow: &Flow, values: &Values) -> Vec<bool> {
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
        flow.touches_plainly(
            at,
            |register| single[register as usize] &= reads,
            |register, _| written[register as usize] = true,
        );
        if !writes {
            let other = crate::flow::results(step).map(|to| to / SLOT).chain(step.writes().iter().copied());
            other.for_each(|register| {
                if let Some(single) = single.get_mut(register as usize) {
                    *single = false;
                }
            });
        }
    }
    single.iter().zip(written).map(|(&single, written)| single && written).collect()
}

/// Whether predicates that a step reads, and those that it writes, may be in general registers.
fn takes_predicates(step: &Step) -> [bool; 2] {
    let plain = step.guard == UNGUARDED;
    match step.operation {
        Operation::Logic => [plain, plain],
        Operation::Compare(..) => [false, plain && step.branch.is_none() && !step.pair],
        Operation::Branch => [true, false],
        _ => [false, false],
    }
}

/// True when a piece of the result is written after the same pieces of the operands have been read, and no other ones.
fn is_lane_by_lane(step: &Step) -> bool {
    use Operation::*;
    match step.operation {
        MulWide { .. }
        | MadWide { .. }
        | Load { .. }
        | Atomic { .. }
        | Aligned { .. }
        | Shuffle
        | Reduce
        | Rows { .. }
        | Operation::Step => false,
        Popc { wide } | Clz { wide } | SelectSign { wide, .. } => !wide,
        Bfe(number) => !number.is_wide(),
        Convert { to, from } => to.is_wide() == from.is_wide(),
        _ => true,
    }
}

/// Finds the registers that are live before each step of a block, and behind the last one: one set for each, of so many at least.
pub fn live_before(flow: &Flow, block: usize, all: &mut Sets) {
    let range = flow.range(block);
    all.of_mut(range.len()).copy_from_slice(flow.live_out.of(block));
    for (n, at) in range.enumerate().rev() {
        all.copy(n + 1, n);
        let live = all.of_mut(n);
        let (reads, writes, guarded) = flow.touched(at);
        if !guarded {
            // Where lanes are spared it is read, too.
            for &register in writes {
                match flow.masked[register as usize] {
                    true => crate::flow::insert(live, register),
                    false => crate::flow::remove(live, register),
                }
            }
        }
        // Reads come first, and are undone by no write.
        reads.iter().for_each(|&register| crate::flow::insert(live, register));
    }
}

#[cfg(test)]
mod tests {
    use super::Pool;

    #[test]
    fn registers_are_the_first_ones_that_are_free_all_the_while() {
        const POINTS: u32 = 1000;
        let mut seed = 1u32;
        let mut below = |most: u32| {
            seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
            (seed >> 8) % most
        };
        for count in [1, 8, 10, 26, 32] {
            let mut pool = Pool::new(count, POINTS as usize);
            let mut taken: Vec<Vec<(u32, u32)>> = vec![Vec::new(); count];
            let (mut found, mut refused) = (0, 0);
            for _ in 0..2000 {
                let first = below(POINTS);
                let longest = [3, 70, 400][below(3) as usize];
                let last = (first + below(longest)).min(POINTS - 1);
                let row = [1, 2, 4][below(3) as usize];
                let is_free = |at: usize| taken[at].iter().all(|&(from, to)| to < first || last < from);
                let meant = (0..count).step_by(row).find(|&at| at + row <= count && (at..at + row).all(is_free));
                assert_eq!(pool.take(row, first, last), meant, "{count} {row} {first}..={last}");
                match meant {
                    Some(at) => {
                        taken[at..at + row].iter_mut().for_each(|lives| lives.push((first, last)));
                        found += 1;
                    }
                    None => refused += 1,
                }
            }
            assert!(found > 10 && refused > 10, "{count}: {found}, {refused}");
        }
    }
}
