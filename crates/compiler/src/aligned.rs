//! Addresses that are a pointer which the launch gives, and a multiple of what is accessed: whether these are aligned is looked at when
//! code is entered, and nowhere else. What begins with a pointer that is not goes wrong at each such access: the interpreter says how.

use crate::flow::results;
use crate::operation::{Number, Operation, Window};
use crate::unit::{SLOT, Step, UNGUARDED, Unit};

/// What is known of a number: it is that of a register that is the same for all warps, if there is one, and a multiple of a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Known {
    base: Option<u32>,
    zeros: u8,
}

const NOTHING: Known = Known { base: None, zeros: 0 };
/// All bits.
const ALL: u8 = 64;

/// What is known of all registers.
#[derive(Default)]
pub struct Aligned {
    of: Vec<Option<Known>>,
    /// Registers that pointers begin with, ascending, and what each has to be a multiple of.
    pub bases: Vec<(u32, u32)>,
}

impl Aligned {
    /// Looks at a unit.
    pub fn new(unit: &Unit) -> Aligned {
        /// Turns after which nothing is known of anything; steps in all of them.
        const MOST: usize = 8;
        const ENOUGH: usize = 1 << 17;
        let mut aligned = Aligned { of: vec![None; unit.registers.len()], bases: Vec::new() };
        if unit.apart || unit.steps.len() > ENOUGH {
            return aligned;
        }
        for step in &unit.once {
            aligned.note(unit, step);
        }
        for (slot, own) in (0..).zip(&unit.registers) {
            let known = &mut aligned.of[slot as usize];
            if own.early && known.is_none() {
                *known = Some(begin(unit, slot));
            }
        }
        for turn in 0.. {
            if turn == MOST {
                aligned.of.fill(None);
                return aligned;
            }
            let changed = unit.steps.iter().fold(false, |changed, step| aligned.note(unit, step) | changed);
            if !changed {
                break;
            }
        }
        for step in &unit.steps {
            let (Operation::Load { window: Window::Plain, element, count, .. }
            | Operation::Store { window: Window::Plain, element, count, .. }) = step.operation
            else {
                continue;
            };
            let bytes = u32::from(element.bytes) * u32::from(count);
            if let Some(base) = aligned.base(unit, step, bytes) {
                match aligned.bases.binary_search_by_key(&base, |&(slot, _)| slot) {
                    Ok(at) => aligned.bases[at].1 = aligned.bases[at].1.max(bytes),
                    Err(at) => aligned.bases.insert(at, (base, bytes)),
                }
            }
        }
        aligned
    }

    /// Whether an access of so many bytes is aligned if its pointer is.
    pub fn is_aligned(&self, unit: &Unit, step: &Step, bytes: u32) -> bool {
        self.base(unit, step, bytes).is_some_and(|base| self.bases.iter().any(|&(slot, _)| slot == base))
    }

    /// The pointer that an access begins with, if all that is added to it is a multiple of so many bytes.
    fn base(&self, unit: &Unit, step: &Step, bytes: u32) -> Option<u32> {
        if step.narrow || !bytes.is_power_of_two() || bytes == 1 || step.offset % i64::from(bytes) != 0 {
            return None;
        }
        let mut address = self.operand(unit, step.from[0])?;
        if step.based {
            address = sum(address, self.operand(unit, step.from[4])?);
        }
        address.base.filter(|_| u32::from(address.zeros) >= bytes.trailing_zeros())
    }

    fn operand(&self, unit: &Unit, offset: u32) -> Option<Known> {
        let slot = offset / SLOT;
        match self.of.get(slot as usize) {
            Some(known) => *known,
            None => Some(unit.constants.get(&slot).map_or(NOTHING, |&bits| multiple(bits.trailing_zeros() as u8))),
        }
    }

    /// Takes note of what a step gives. True if less is known than before.
    fn note(&mut self, unit: &Unit, step: &Step) -> bool {
        let mut changed = false;
        let given = self.given(unit, step);
        let mut put = |aligned: &mut Aligned, slot: u32, given: Option<Known>| {
            let Some(given) = given else { return };
            let Some(place) = aligned.of.get_mut(slot as usize) else { return };
            let given = if given == NOTHING { begin(unit, slot) } else { given };
            let all = place.map_or(given, |known| both(known, given));
            changed |= *place != Some(all);
            *place = Some(all);
        };
        for (n, to) in results(step).enumerate() {
            put(self, to / SLOT, if n == 0 { given } else { Some(NOTHING) });
        }
        if matches!(step.operation, Operation::Step) {
            // Of those that are executed once a launch the results are all that is known.
            step.to
                .iter()
                .filter(|&&to| to != u32::MAX && to != UNGUARDED)
                .for_each(|to| put(self, to / SLOT, Some(NOTHING)));
            step.writes().iter().for_each(|&slot| put(self, slot, Some(NOTHING)));
        }
        changed
    }

    /// What a step gives; none as long as nothing has been seen of an operand.
    fn given(&self, unit: &Unit, step: &Step) -> Option<Known> {
        use Operation::*;
        let of = |n: usize| self.operand(unit, step.from[n]);
        let product = |a: Known, b: Known| match (a.base, b.base) {
            (None, None) => multiple(a.zeros.saturating_add(b.zeros)),
            _ => NOTHING,
        };
        Some(match step.operation {
            Copy { .. } => of(0)?,
            Add(number) if !number.is_float() => sum(of(0)?, of(1)?),
            Sub(number) if !number.is_float() => {
                let (a, b) = (of(0)?, of(1)?);
                if b.base.is_none() { sum(a, b) } else { NOTHING }
            }
            Mul(number) if !number.is_float() => product(of(0)?, of(1)?),
            Mad(number) if !number.is_float() => sum(product(of(0)?, of(1)?), of(2)?),
            MulWide { .. } => product(of(0)?, of(1)?),
            MadWide { .. } => sum(product(of(0)?, of(1)?), of(2)?),
            Shl { .. } => {
                let (a, by) = (of(0)?, step.from[1] / SLOT);
                match (a.base, unit.constants.get(&by)) {
                    (None, Some(&by)) => multiple(a.zeros.saturating_add((by as u32).min(ALL.into()) as u8)),
                    _ => NOTHING,
                }
            }
            And { .. } => {
                let own = |known: Known| if known.base.is_none() { known.zeros } else { 0 };
                multiple(own(of(0)?).max(own(of(1)?)))
            }
            Or { .. } | Xor { .. } => {
                let (a, b) = (of(0)?, of(1)?);
                if a.base.is_none() && b.base.is_none() { sum(a, b) } else { NOTHING }
            }
            Select { .. } => both(of(0)?, of(1)?),
            Convert { to, from } if is_plain(to) && is_plain(from) && !step.manner.saturate => {
                let a = of(0)?;
                if a.base.is_none() || to.is_wide() && from.is_wide() { a } else { NOTHING }
            }
            _ => NOTHING,
        })
    }
}

/// Integers of 32 or 64 bits.
fn is_plain(number: Number) -> bool {
    !number.is_float() && number.narrow().is_none()
}

fn multiple(zeros: u8) -> Known {
    Known { base: None, zeros: zeros.min(ALL) }
}

/// A number of which nothing is known: a pointer, if it may be one.
fn begin(unit: &Unit, slot: u32) -> Known {
    let own = &unit.registers[slot as usize];
    if own.shared && own.bytes == 8 { Known { base: Some(slot), zeros: ALL } } else { NOTHING }
}

fn sum(a: Known, b: Known) -> Known {
    match (a.base, b.base) {
        (Some(_), Some(_)) => NOTHING,
        (base, None) | (None, base) => Known { base, zeros: a.zeros.min(b.zeros) },
    }
}

/// What holds for both.
fn both(a: Known, b: Known) -> Known {
    if a.base == b.base { Known { base: a.base, zeros: a.zeros.min(b.zeros) } } else { NOTHING }
}
