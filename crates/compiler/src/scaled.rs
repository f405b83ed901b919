//! Addresses of lanes that are a number for all of them and 4 or 8 times one of 32 bits: accesses go by that one, and the 64 bits
//! are worked out where the interpreter wants them alone.

use crate::flow::{Flow, counts, results, touches};
use crate::map::Map;
use crate::operation::{Number, Operation, Window};
use crate::unit::{SLOT, Step, UNGUARDED, Unit};
use crate::values::{Source, Values};

/// Nothing, for places of operands and positions.
pub const NONE: u32 = u32::MAX;

/// The parts of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scaled {
    /// The vector of 32 bits, and whether it has a sign.
    pub index: u32,
    pub signed: bool,
    /// What it is multiplied by: 4 or 8.
    pub scale: u8,
    /// What is added for all lanes.
    pub bases: [u32; 2],
    /// The steps by which 64 bits are worked out: the product, and the sum, if there is one.
    steps: [u32; 2],
    /// Those of them that are left out, and what they would read.
    pub left: [u32; 2],
    product: u32,
}

impl Scaled {
    /// The register with the 64 bits is one that nobody writes.
    pub fn is_left(&self) -> bool {
        let [product, sum] = self.steps;
        let [left_product, left_sum] = self.left;
        if sum == NONE { left_product == product } else { left_sum == sum }
    }

    /// Registers that an access reads in place of its address.
    pub fn reads(&self) -> impl Iterator<Item = u32> {
        let [a, b] = self.bases;
        [self.index, a, b, self.product].into_iter().filter(|&offset| offset != NONE)
    }
}

/// Where registers were written last, in the block at hand.
struct Last {
    /// For each register, or [`NONE`].
    steps: Vec<u32>,
    /// Those that have been written.
    written: Vec<u32>,
}

impl Last {
    fn new(registers: usize) -> Last {
        Last { steps: vec![NONE; registers], written: Vec::new() }
    }

    fn get(&self, register: u32) -> Option<u32> {
        self.steps.get(register as usize).copied().filter(|&at| at != NONE)
    }

    fn set(&mut self, register: u32, at: u32) {
        if let Some(step) = self.steps.get_mut(register as usize) {
            *step = at;
            self.written.push(register);
        }
    }

    fn clear(&mut self) {
        self.written.drain(..).for_each(|register| self.steps[register as usize] = NONE);
    }
}

/// Finds such accesses.
pub fn mark(unit: &mut Unit, flow: &Flow, values: &Values) {
    let mut found: Vec<(usize, Scaled)> = Vec::new();
    let mut called: Vec<u32> = Vec::new();
    let mut last = Last::new(unit.registers.len());
    for block in 0..flow.count() {
        last.clear();
        for at in flow.range(block) {
            let step = &unit.steps[at];
            found.extend(parts(unit, values, &last, step).map(|scaled| (at, scaled)));
            if matches!(step.operation, Operation::Step) {
                called.push(at as u32);
            }
            touches(unit, at, &[], |_| {}, |register, _| last.set(register, at as u32));
        }
    }
    if found.is_empty() {
        return;
    }
    let counts = counts(unit);
    // Sums first: products are read by those that are left out, too.
    let mut left: Map<u32, bool> = Map::default();
    for which in [1, 0] {
        let mut reads: Map<u32, (u32, u32)> = Map::default();
        for &(at, scaled) in &found {
            let [product, sum] = scaled.steps;
            // What the access itself reads.
            if (if sum == NONE { 0 } else { 1 }) == which {
                let entry = reads.entry(scaled.steps[which]).or_default();
                *entry = (entry.0 + 1, entry.1.max(at as u32));
            } else if which == 0 && left.get(&sum) == Some(&true) {
                let entry = reads.entry(product).or_default();
                entry.1 = entry.1.max(at as u32);
            }
        }
        if which == 0 {
            // Once for each sum.
            let mut sums: Vec<(u32, u32)> =
                found.iter().map(|(_, scaled)| (scaled.steps[1], scaled.steps[0])).collect();
            sums.sort_unstable();
            sums.dedup();
            for (sum, product) in sums {
                if left.get(&sum) == Some(&true) {
                    reads.entry(product).or_default().0 += 1;
                }
            }
        }
        for (step, (count, end)) in reads {
            let register = (unit.steps[step as usize].to[0] / SLOT) as usize;
            let only = counts.get(register) == Some(&(count, 1));
            let calls = called.partition_point(|&at| at < step) != called.partition_point(|&at| at < end);
            left.insert(step, only && !calls);
        }
    }
    for &(at, mut scaled) in &found {
        let is_left = |step: u32| left.get(&step) == Some(&true);
        let [product, sum] = scaled.steps;
        for (n, step) in scaled.steps.into_iter().enumerate() {
            if is_left(step) {
                scaled.left[n] = step;
                unit.steps[step as usize].left = true;
            }
        }
        if is_left(sum) && !is_left(product) {
            scaled.product = unit.steps[product as usize].to[0];
        }
        unit.steps[at].scaled = Some(scaled);
    }
}

/// The address of a step, if it is one of these.
fn parts(unit: &Unit, values: &Values, last: &Last, step: &Step) -> Option<Scaled> {
    let (Operation::Load { window: Window::Plain, element, count }
    | Operation::Store { window: Window::Plain, element, count }) = step.operation
    else {
        return None;
    };
    let is_vector = |offset: u32| matches!(values.source(offset), Source::Vector { .. });
    let uniform = |offset: u32| values.stride(offset) == Some(0);
    // Loads of other widths than their registers are the interpreter's unless they come in rows, and it goes by the address.
    let wide = |&offset: &u32| unit.registers.get((offset / SLOT) as usize).is_some_and(|register| register.bytes == 8);
    let known = step.to[..usize::from(count)].iter().filter(|&&offset| offset != u32::MAX);
    let fits =
        matches!(step.operation, Operation::Store { .. }) || known.map(wide).all(|wide| wide == (element.bytes == 8));
    if !fits || element.bytes < 4 || step.narrow || i32::try_from(step.offset).is_err() {
        return None;
    }
    let mut bases = [NONE; 2];
    let mut vector = step.from[0];
    if step.based {
        let other = if is_vector(vector) { step.from[4] } else { core::mem::replace(&mut vector, step.from[4]) };
        if !uniform(other) {
            return None;
        }
        bases[0] = other;
    }
    let writer = |offset: u32| {
        let at = last.get(offset / SLOT)?;
        let step = &unit.steps[at as usize];
        let plain = step.guard == UNGUARDED && results(step).eq([offset]) && is_vector(offset);
        plain.then_some((at, step))
    };
    // It is still what it was there.
    let stays = |offset: u32, since: u32| last.get(offset / SLOT).is_none_or(|at| at < since);
    let (mut at, mut product) = writer(vector)?;
    let mut steps = [NONE; 2];
    if let Operation::Add(Number::U64 | Number::S64) = product.operation {
        let [a, b, ..] = product.from;
        let (base, rest) = if uniform(a) { (a, b) } else { (b, a) };
        let sum = at;
        if !uniform(base) || !stays(base, sum) {
            return None;
        }
        (bases[1], steps[1]) = (base, sum);
        (at, product) = writer(rest).filter(|&(at, _)| at < sum)?;
    }
    steps[0] = at;
    let Operation::MulWide { signed } = product.operation else { return None };
    let number = |offset: u32| match values.source(offset) {
        Source::Constant(bits) => Some(bits as u32),
        _ => None,
    };
    let [a, b, ..] = product.from;
    let (index, scale) = match (number(a), number(b)) {
        (None, Some(scale)) => (a, scale),
        (Some(scale), None) => (b, scale),
        _ => return None,
    };
    let bytes = u32::from(element.bytes) * u32::from(count);
    let fits = matches!(scale, 4 | 8) && scale % bytes == 0 && is_vector(index) && stays(index, at);
    fits.then_some(Scaled { index, signed, scale: scale as u8, bases, steps, left: [NONE; 2], product: NONE })
}
