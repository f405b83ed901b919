//! Registers of which the first lanes of both halves of the warp say all, in blocks whose warps are two rows of 16 threads:
//! addresses, and what they are worked out from.

use crate::flow::{Flow, results};
use crate::operation::Operation;
use crate::unit::{SLOT, Step, UNGUARDED, Unit};
use crate::values::{Source, Values};

/// Lanes of a half.
pub const LANES: i64 = 16;
/// Rounds; a kernel that needs more of them goes without such registers.
const MOST_ROUNDS: usize = 64;

/// For each register how much more each lane's number is than that of the lane before, within each half of the warp, if the first
/// lanes can stand for the others: all that writes it does so for all lanes at once, and nothing in a loop wants it as a vector.
pub fn find(unit: &Unit, flow: &Flow, values: &Values) -> Vec<Option<i64>> {
    let mut search = Search { unit, values, strides: vec![None; unit.registers.len()] };
    if unit.tiles.is_empty() || unit.apart {
        return search.strides;
    }
    for (&slot, &stride) in &unit.tiles {
        if let Some(place) = search.strides.get_mut(slot as usize) {
            *place = Some(stride);
        }
    }
    // What a register's first write gives, as far as it is known.
    for step in unit.steps.iter().chain(&unit.steps) {
        let Some(stride) = search.result(step) else { continue };
        let slot = (step.to[0] / SLOT) as usize;
        let fits = unit.registers.get(slot).is_some_and(|register| matches!(register.bytes, 4 | 8))
            && !flow.masked[slot]
            && values.kept(slot as u32).is_none();
        if fits {
            search.strides[slot].get_or_insert(stride);
        }
    }
    for _ in 0..MOST_ROUNDS {
        if !search.strike(flow) {
            search.keep_useful();
            return search.strides;
        }
    }
    vec![None; unit.registers.len()]
}

/// Registers that are written once a launch whose numbers are the same in both halves: what is worked out from `%tid.x` alone.
pub fn alike(unit: &Unit, values: &Values) -> Vec<bool> {
    let mut alike = vec![false; unit.registers.len()];
    let search = Search { unit, values, strides: vec![None; unit.registers.len()] };
    if unit.tiles.is_empty() || unit.apart {
        return alike;
    }
    for step in unit.once.iter().filter(|step| search.result(step).is_some()) {
        let same = |&offset: &u32| match values.source(offset) {
            Source::Constant(_) => true,
            Source::Scalar { stride, .. } => stride == 0,
            // Of special registers it is the only one that goes up.
            Source::Vector { slot } => match alike.get(slot as usize) {
                Some(&alike) => alike,
                None => unit.tiles.get(&slot).is_some_and(|&stride| stride != 0),
            },
        };
        let same = crate::flow::sources(step).iter().all(same);
        if let Some(place) = alike.get_mut((step.to[0] / SLOT) as usize) {
            *place = same;
        }
    }
    alike
}

struct Search<'u> {
    unit: &'u Unit,
    values: &'u Values,
    strides: Vec<Option<i64>>,
}

impl Search<'_> {
    /// The stride of an operand within each half.
    fn stride(&self, offset: u32) -> Option<i64> {
        match self.values.source(offset) {
            Source::Constant(_) => Some(0),
            Source::Scalar { stride, .. } => Some(stride),
            Source::Vector { slot } => {
                let own = self.strides.get(slot as usize).copied().flatten();
                own.or_else(|| self.unit.tiles.get(&slot).copied())
            }
        }
    }

    /// The stride of what a step gives, if it can be worked out from the first lanes of both halves.
    fn result(&self, step: &Step) -> Option<i64> {
        if step.guard != UNGUARDED || step.left {
            return None;
        }
        let of = |n: usize| self.stride(step.from[n]);
        let constant = |n: usize, signed: bool| match self.values.source(step.from[n]) {
            Source::Constant(bits) if signed => Some(i64::from(bits as i32)),
            Source::Constant(bits) => Some(i64::from(bits as u32)),
            _ => None,
        };
        let product = |signed: bool| match (of(0)?, of(1)?) {
            (0, 0) => Some(0),
            (a, 0) => Some(a.wrapping_mul(constant(1, signed)?)),
            (0, b) => Some(b.wrapping_mul(constant(0, signed)?)),
            _ => None,
        };
        use Operation::*;
        let (stride, wide) = match step.operation {
            Copy { wide } => (of(0)?, wide),
            Add(n) | Sub(n) | Mul(n) | Mad(n) if n.is_float() || n.narrow().is_some() || step.manner.saturate => {
                return None;
            }
            Add(n) => (of(0)?.wrapping_add(of(1)?), n.is_wide()),
            Sub(n) => (of(0)?.wrapping_sub(of(1)?), n.is_wide()),
            // Numbers of 64 bits are seldom multiplied.
            Mul(n) if !n.is_wide() => (product(true)?, false),
            Mad(n) if !n.is_wide() => (product(true)?.wrapping_add(of(2)?), false),
            MulWide { signed } => (product(signed)?, true),
            MadWide { signed } => (product(signed)?.wrapping_add(of(2)?), true),
            Shl { wide } => {
                let by = u32::try_from(constant(1, false)?).ok().filter(|&by| by < 32)?;
                (of(0)?.wrapping_shl(by), wide)
            }
            Convert { to, from } => {
                let plain = |n: crate::operation::Number| !n.is_float() && n.narrow().is_none();
                if !plain(to) || !plain(from) || step.manner.saturate {
                    return None;
                }
                (of(0)?, to.is_wide())
            }
            _ => return None,
        };
        let stride = if wide { stride } else { i64::from(stride as i32) };
        // What is made wider is compared with its last lane.
        i32::try_from(stride).is_ok().then_some(stride)
    }

    /// Takes registers out that something else writes, or that a loop wants as vectors. True if there were any.
    fn strike(&mut self, flow: &Flow) -> bool {
        let mut changed = false;
        for block in 0..flow.count() {
            for at in flow.range(block) {
                let step = &self.unit.steps[at];
                let result = self.result(step);
                for slot in results(step).map(|to| to / SLOT).chain(step.writes().iter().copied()) {
                    if let Some(place) = self.strides.get_mut(slot as usize)
                        && place.is_some()
                        && (*place != result || step.operation == Operation::Step)
                    {
                        *place = None;
                        changed = true;
                    }
                }
                if flow.depth[block] == 0 {
                    continue;
                }
                let own = results(step).all(|to| self.is_kept(to)) && results(step).next().is_some();
                let mut lost = Vec::new();
                flow.touches_plainly(
                    at,
                    |slot| {
                        if !own && self.is_kept(slot * SLOT) && self.address(step) != Some(slot) {
                            lost.push(slot);
                        }
                    },
                    |_, _| {},
                );
                for slot in lost {
                    self.strides[slot as usize] = None;
                    changed = true;
                }
            }
        }
        changed
    }

    fn is_kept(&self, offset: u32) -> bool {
        self.strides.get((offset / SLOT) as usize).is_some_and(Option::is_some)
    }

    /// The register of an access's address, if it is nothing else.
    fn address(&self, step: &Step) -> Option<u32> {
        let stored = match step.operation {
            Operation::Load { .. } => 0,
            Operation::Store { count, .. } => usize::from(count),
            _ => return None,
        };
        let slot = step.from[0] / SLOT;
        let base = step.based.then_some(step.from[4]);
        let others = step.from[1..=stored].iter().chain(&base).any(|&offset| offset / SLOT == slot);
        (step.scaled.is_none() && !others).then_some(slot)
    }

    /// Takes those out that no address comes of.
    fn keep_useful(&mut self) {
        let mut useful = vec![false; self.strides.len()];
        let mut changed = true;
        for _ in 0..MOST_ROUNDS {
            if !core::mem::replace(&mut changed, false) {
                break;
            }
            for step in self.unit.steps.iter().rev() {
                let given = |slot: u32| useful.get(slot as usize) == Some(&true);
                let read: &[u32] = match self.address(step) {
                    Some(_) => &step.from[..1],
                    None if results(step).any(|to| given(to / SLOT)) => crate::flow::sources(step),
                    None => continue,
                };
                for &offset in read {
                    if self.is_kept(offset) {
                        changed |= !core::mem::replace(&mut useful[(offset / SLOT) as usize], true);
                    }
                }
            }
        }
        for (stride, useful) in self.strides.iter_mut().zip(useful) {
            *stride = stride.filter(|_| useful);
        }
    }
}
