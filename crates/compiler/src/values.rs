//! Which registers one number stands for, and what operands are.

use crate::flow::Flow;
use crate::operation::{Number, Operation};
use crate::unit::{SLOT, Step, UNGUARDED, Unit};

/// What an operand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The same bits in all lanes, known now.
    Constant(u64),
    /// One number stands for all lanes: each lane's is a stride more than that of the lane before. A register, or the first
    /// lane of a vector of the frame.
    Scalar { slot: u32, stride: i64 },
    /// A vector: a register, or one of the frame.
    Vector { slot: u32 },
}

/// The registers of a unit that are kept as one number.
pub struct Values {
    scalar: Vec<Option<i64>>,
    /// How much more each lane's number is likely to be than that of the lane before: within each half of the warp where blocks are
    /// narrower than it.
    likely: Vec<Option<i64>>,
    /// The strides of registers of which the first lanes of both halves say all ([`crate::halves`]).
    halves: Vec<Option<i64>>,
    /// Registers whose numbers are the same in both halves of the warp.
    alike: Vec<bool>,
    /// What vectors of the frame are that are no registers, from the first one behind these on.
    others: Vec<Source>,
}

impl Values {
    /// Those that analysis found, less those that some step cannot write as one number.
    pub fn new(unit: &Unit) -> Values {
        /// Rounds; a kernel that needs more of them goes without such registers.
        const MOST: usize = 64;
        let mut values = Values {
            others: others(unit),
            likely: vec![None; unit.registers.len()],
            halves: Vec::new(),
            alike: Vec::new(),
            scalar: unit
                .registers
                .iter()
                .map(|r| r.stride.filter(|_| matches!(r.bytes, 4 | 8) && !unit.apart))
                .collect(),
        };
        for _ in 0..MOST {
            let mut changed = false;
            for step in &unit.steps {
                changed |= values.strike(step);
            }
            if !changed {
                values.guess(unit);
                return values;
            }
        }
        values.scalar.fill(None);
        values
    }

    /// Guesses how vectors go up within halves of the warp. Whoever relies on it looks at them first.
    fn guess(&mut self, unit: &Unit) {
        for step in unit.once.iter().chain(&unit.steps).chain(&unit.steps) {
            let Some(likely) = self.guess_step(unit, step) else { continue };
            for offset in crate::flow::results(step) {
                if let Some(place) = self.likely.get_mut((offset / SLOT) as usize) {
                    *place = Some(likely);
                }
            }
        }
    }

    fn guess_step(&self, unit: &Unit, step: &Step) -> Option<i64> {
        let of = |n: usize| self.likely(unit, step.from[n]);
        let constant = |n: usize| match self.source(step.from[n]) {
            Source::Constant(bits) => Some(i64::from(bits as i32)),
            _ => None,
        };
        let product = || match (of(0)?, of(1)?) {
            (0, 0) => Some(0),
            (a, 0) => constant(1).map(|by| a.wrapping_mul(by)),
            (0, b) => constant(0).map(|by| b.wrapping_mul(by)),
            _ => None,
        };
        use Operation::*;
        match step.operation {
            Copy { .. } | Convert { .. } => of(0),
            Add(_) => Some(of(0)?.wrapping_add(of(1)?)),
            Sub(_) => Some(of(0)?.wrapping_sub(of(1)?)),
            Mul(_) | MulWide { .. } => product(),
            Mad(_) | MadWide { .. } => Some(product()?.wrapping_add(of(2)?)),
            Shl { .. } => Some(of(0)?.wrapping_shl(u32::try_from(constant(1)?).ok()?)),
            And { .. } | Or { .. } | Xor { .. } | Shr(_) if of(0)? == 0 && of(1)? == 0 => Some(0),
            // Warps are rows of threads, and begin at multiples of 32.
            Shr(_) if unit.tiles.is_empty() && of(0)? == 1 && constant(1)? >= 5 => Some(0),
            And { .. } if unit.tiles.is_empty() && of(0)? == 1 && constant(1)? & 31 == 31 => Some(1),
            And { .. } if unit.tiles.is_empty() && of(0)? == 1 && constant(1)? & 31 == 0 => Some(0),
            Min(_) | Max(_) => (of(0)? == 0 && of(1)? == 0).then_some(0),
            Load { .. } if unit.tiles.is_empty() && step.offset.unsigned_abs() < 1 << 20 => {
                let base = if step.based { self.likely(unit, step.from[4])? } else { 0 };
                (of(0)? == 0 && base == 0).then_some(0)
            }
            _ => None,
        }
    }

    /// How much more each lane's number is likely to be than that of the lane before, within each half of the warp.
    pub fn likely(&self, unit: &Unit, offset: u32) -> Option<i64> {
        match self.source(offset) {
            Source::Constant(_) => Some(0),
            Source::Scalar { stride, .. } => Some(stride),
            Source::Vector { slot } => match self.likely.get(slot as usize) {
                Some(likely) => *likely,
                None => unit.tiles.get(&slot).copied(),
            },
        }
    }

    /// Finds the registers of which the first lanes of both halves of the warp say all.
    pub fn find_halves(&mut self, unit: &Unit, flow: &Flow) {
        self.halves = crate::halves::find(unit, flow, self);
        self.alike = crate::halves::alike(unit, self);
    }

    /// How much more each lane's number is than that of the lane before, within each half of the warp, where that is certain.
    pub fn stride_in_halves(&self, unit: &Unit, offset: u32) -> Option<i64> {
        match self.source(offset) {
            Source::Constant(_) => Some(0),
            Source::Scalar { stride, .. } => Some(stride),
            Source::Vector { slot } => self.in_halves(slot).or_else(|| unit.tiles.get(&slot).copied()),
        }
    }

    /// Whether the numbers of both halves of the warp are known to be the same.
    pub fn is_alike_in_halves(&self, offset: u32) -> bool {
        self.alike.get((offset / SLOT) as usize) == Some(&true)
    }

    /// The stride of a register of which the first lanes of both halves say all.
    pub fn in_halves(&self, register: u32) -> Option<i64> {
        self.halves.get(register as usize).copied().flatten()
    }

    /// The same, if the frame has no more of it than these.
    pub fn lean_halves(&self, unit: &Unit, offset: u32) -> Option<i64> {
        let slot = offset / SLOT;
        self.in_halves(slot).filter(|_| !unit.registers[slot as usize].early)
    }

    /// Takes registers out that a step cannot write as one number. True if there were any.
    fn strike(&mut self, step: &Step) -> bool {
        let mut changed = false;
        if matches!(step.operation, Operation::Step) {
            for &register in step.writes() {
                changed |= self.scalar[register as usize].take().is_some();
            }
            return changed;
        }
        let able = self.writes_scalar(step);
        for offset in crate::flow::results(step) {
            if let Some(place) = self.scalar.get_mut((offset / SLOT) as usize)
                && !able
            {
                changed |= place.take().is_some();
            }
        }
        changed
    }

    /// True when a step can write its result as one number.
    pub fn writes_scalar(&self, step: &Step) -> bool {
        if step.guard != UNGUARDED {
            return false;
        }
        let stride = |n: usize| self.stride(step.from[n]);
        let all = |n: usize| (0..n).all(|n| stride(n).is_some());
        let uniform = |n: usize| stride(n) == Some(0);
        use Operation::*;
        match step.operation {
            Copy { .. } | Neg(Number::S32 | Number::S64) => all(1),
            Add(n) | Sub(n) => !n.is_float() && all(2) && !step.manner.saturate,
            Mul(n) => !n.is_float() && all(2) && (uniform(0) || uniform(1)),
            Mad(n) => !n.is_float() && all(3) && (uniform(0) || uniform(1)),
            MulWide { .. } => all(2) && (uniform(0) || uniform(1)) && widens(stride(0), stride(1)),
            MadWide { .. } => all(3) && (uniform(0) || uniform(1)) && widens(stride(0), stride(1)),
            Shl { .. } => {
                all(2) && (uniform(0) || matches!(self.source(step.from[1]), Source::Constant(_))) && uniform(1)
            }
            Shr(n) | Min(n) | Max(n) if n.narrow().is_some() => false,
            // Analysis knows how the lower bits that lanes differ in come out.
            And { .. } | Or { .. } | Xor { .. } => all(2),
            Shr(_) => all(2) && uniform(1),
            Not { .. } => uniform(0),
            Min(n) | Max(n) => !n.is_float() && uniform(0) && uniform(1),
            MulWide16 { .. } => uniform(0) && uniform(1),
            Convert { to, from } => {
                let integers = !to.is_float() && !from.is_float() && !step.manner.saturate;
                let narrow = to.narrow().is_some() || from.narrow().is_some();
                integers && if narrow { uniform(0) } else { all(1) }
            }
            Load { count, .. } => {
                let based = !step.based || self.stride(step.from[4]) == Some(0);
                let near = i32::try_from(step.offset).is_ok();
                count == 1 && uniform(0) && based && near
            }
            _ => false,
        }
    }

    /// The stride of an operand that one number stands for.
    pub fn stride(&self, offset: u32) -> Option<i64> {
        match self.source(offset) {
            Source::Constant(_) => Some(0),
            Source::Scalar { stride, .. } => Some(stride),
            Source::Vector { .. } => None,
        }
    }

    /// What an operand is.
    pub fn source(&self, offset: u32) -> Source {
        let slot = offset / SLOT;
        if let Some(scalar) = self.scalar.get(slot as usize) {
            return scalar.map_or(Source::Vector { slot }, |stride| Source::Scalar { slot, stride });
        }
        self.others.get(slot as usize - self.scalar.len()).copied().unwrap_or(Source::Vector { slot })
    }

    /// The stride of a register that is kept as one number.
    pub fn kept(&self, register: u32) -> Option<i64> {
        self.scalar.get(register as usize).copied().flatten()
    }

    /// The registers that are kept as one number, or as one for each half, and written while the kernel runs.
    pub fn numbers(&self, unit: &Unit) -> Box<[crate::memory::Number]> {
        use crate::memory::Number;
        let number = |(slot, stride): (usize, &Option<i64>)| {
            let register = unit.registers.get(slot).filter(|register| !register.early)?;
            let halves = self.in_halves(slot as u32);
            let stride = stride.or(halves)?;
            Some(Number { slot: slot as u32, wide: register.bytes == 8, stride, halves: halves.is_some() })
        };
        self.scalar.iter().enumerate().filter_map(number).collect()
    }

    /// True when all active lanes go the same way at a branch.
    pub fn is_uniform_branch(&self, unit: &Unit, at: usize) -> bool {
        let step = &unit.steps[at];
        match step.operation {
            Operation::Compare(number, _) => {
                let uniform = |n: usize| self.stride(step.from[n]) == Some(0);
                let plain = !number.is_float() && number.narrow().is_none();
                step.guard == UNGUARDED && step.combination == 0 && plain && uniform(0) && uniform(1)
            }
            Operation::Branch => step.guard == UNGUARDED,
            _ => false,
        }
    }
}

/// What vectors of the frame are that are no registers.
fn others(unit: &Unit) -> Vec<Source> {
    let registers = unit.registers.len() as u32;
    let end = unit.constants.keys().chain(unit.scalars.keys()).max().map_or(0, |most| most + 1);
    let mut others: Vec<Source> = (registers..end).map(|slot| Source::Vector { slot }).collect();
    let mut put = |slot: u32, source: Source| {
        if let Some(place) = slot.checked_sub(registers).and_then(|n| others.get_mut(n as usize)) {
            *place = source;
        }
    };
    unit.scalars.iter().for_each(|(&slot, &stride)| put(slot, Source::Scalar { slot, stride }));
    unit.constants.iter().for_each(|(&slot, &bits)| put(slot, Source::Constant(bits)));
    others
}

/// Only numbers that go up from lane to lane by little can be looked at when they are made wider.
fn widens(a: Option<i64>, b: Option<i64>) -> bool {
    let small = |stride: Option<i64>| stride.is_some_and(|stride| i32::try_from(stride).is_ok());
    small(a) && small(b)
}
