//! Looks at matrices in memory. Their instructions are the warp's as a whole: so is what is wrong with them.

use super::access::examine;
use super::finding::end;
use super::probe::Probe;
use super::races;
use super::unwritten;
use crate::numeric::value::LANES;
use crate::operations::memory::addresses_at;
use crate::state::step::Flow;
use crate::state::warp::{Step, Warp};

/// Bytes of a row.
pub const ROW: u32 = 16;

/// `ldmatrix` and `stmatrix`: rows of 16 bytes, which begin where the first lanes say.
///
/// # Safety
/// The contract of [`Execute`](crate::state::warp::Execute).
pub unsafe fn rows(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    let all = unsafe { addresses_at(warp, step, step.payload()) };
    let probe = Probe::of(step);
    let lanes = u32::MAX >> (LANES as u32 - (probe.bytes / ROW).clamp(1, LANES as u32));
    let (probe, bytes) = (Probe { align: ROW, ..probe }, [ROW.into(); LANES]);
    let wrong = examine(warp, probe, &all, &bytes, lanes & warp.mask);
    races::note(warp, probe, &all, &bytes, lanes & warp.mask & !wrong);
    end(warp, if wrong == 0 { 0 } else { warp.mask })
}

/// The elements of fragments: for each the address of every lane.
pub fn fragments(warp: &mut Warp, step: &Step, bytes: u64, all: impl Iterator<Item = [u64; LANES]>) -> Flow {
    let probe = Probe { align: bytes as u32, ..Probe::of(step) };
    let mut wrong = 0;
    for addresses in all {
        wrong |= examine(warp, probe, &addresses, &[bytes; LANES], !wrong);
        unwritten::note(warp, probe, &addresses, &[bytes; LANES], !wrong);
        races::note(warp, probe, &addresses, &[bytes; LANES], !wrong);
    }
    end(warp, if wrong == 0 { 0 } else { warp.mask })
}
