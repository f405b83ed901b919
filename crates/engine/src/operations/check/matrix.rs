//! Looks at matrices in memory. Their instructions are the warp's as a whole: so is what is wrong with them.

use super::access::{Area, Probe, examine};
use super::finding::end;
use crate::numeric::value::LANES;
use crate::state::check::AccessKind;
use crate::state::registers::vector;
use crate::state::step::Flow;
use crate::state::warp::{Step, Warp};

/// What a probe has to know beside the access: the fifth operand of its step.
pub fn matrix(shared: bool, stores: bool, rows: usize) -> u32 {
    u32::from(shared) | u32::from(stores) << 1 | (rows as u32) << 8
}

fn probe(step: &Step, align: u32) -> Probe {
    let area = if step.from[4] & 1 != 0 { Area::Shared } else { Area::Plain };
    let kind = if step.from[4] & 2 != 0 { AccessKind::Write } else { AccessKind::Read };
    Probe { area, kind, bytes: 0, align }
}

/// `ldmatrix` and `stmatrix`: rows of 16 bytes, which begin where the first lanes say.
///
/// # Safety
/// The contract of [`Execute`](crate::state::warp::Execute).
pub unsafe fn rows(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    let all = unsafe {
        if step.number & 1 == 0 {
            vector::<u64>(warp, step.from[0]).map(|a| a.wrapping_add(step.value as u64))
        } else {
            vector::<u32>(warp, step.from[0]).map(|a| u64::from(a.wrapping_add(step.value as u32)))
        }
    };
    let lanes = u32::MAX >> (LANES as u32 - (step.from[4] >> 8).clamp(1, LANES as u32));
    let wrong = examine(warp, probe(step, 16), &all, &[16; LANES], lanes & warp.mask);
    end(warp, if wrong == 0 { 0 } else { warp.mask })
}

/// The elements of fragments: for each the address of every lane.
pub fn fragments(warp: &mut Warp, step: &Step, bytes: u64, all: impl Iterator<Item = [u64; LANES]>) -> Flow {
    let probe = probe(step, bytes as u32);
    let mut wrong = 0;
    for addresses in all {
        wrong |= examine(warp, probe, &addresses, &[bytes; LANES], !wrong);
    }
    end(warp, if wrong == 0 { 0 } else { warp.mask })
}
