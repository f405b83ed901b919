//! Looks at accesses that have steps of their own kind: each takes a copy of the step that makes the access.

use super::access::examine;
use super::finding::end;
use super::probe::{Area, Probe};
use super::races;
use super::unwritten;
use crate::numeric::value::LANES;
use crate::operations::asynchronous::{AsynchronousStore, BulkCopy, SmallCopy, targets};
use crate::operations::cluster::{Cancellation, RESPONSE};
use crate::operations::mbarrier::WordPlace;
use crate::operations::multimem::{Action, Multimem};
use crate::operations::tensor::{Replacement, TensorCopy, What};
use crate::state::check::AccessKind;
use crate::state::payload::DetailOf;
use crate::state::registers::{predicate, vector};
use crate::state::step::Flow;
use crate::state::warp::{Step, Warp};

fn area(shared: bool) -> Area {
    if shared { Area::Shared } else { Area::Plain }
}

fn probe(shared: bool, kind: AccessKind, align: u32) -> Probe {
    Probe { area: area(shared), kind, bytes: 0, align, strong: false }
}

/// `cp.async`: as [`crate::operations::asynchronous::copy`] takes it.
///
/// # Safety
/// The contract of [`Execute`](crate::state::warp::Execute), for all functions here.
pub unsafe fn small(warp: &mut Warp, step: &Step) -> Flow {
    let how: SmallCopy = step.payload();
    let SmallCopy { bytes, from_shared, ignores, .. } = how;
    // SAFETY: the contract of `Execute`.
    let (to, from, sizes, ignored) = unsafe {
        let ignored = if ignores { predicate(warp, step.from[3]) } else { 0 };
        let [to, from] = how.addresses(warp, step);
        (to, from, vector::<u32>(warp, step.from[2]), ignored)
    };
    let bytes = u64::from(bytes);
    let read = core::array::from_fn(|l| if ignored >> l & 1 != 0 { 0 } else { u64::from(sizes[l]).min(bytes) });
    let mut wrong = examine(warp, probe(true, AccessKind::Write, bytes as u32), &to, &[bytes; LANES], warp.mask);
    wrong |= examine(warp, probe(from_shared, AccessKind::Read, bytes as u32), &from, &read, warp.mask & !wrong);
    unwritten::note(warp, probe(from_shared, AccessKind::Read, bytes as u32), &from, &read, warp.mask & !wrong);
    let goes = probe(true, AccessKind::Write, bytes as u32);
    races::note(warp, goes, &to, &[bytes; LANES], warp.mask & !wrong);
    end(warp, wrong)
}

/// `cp.async.bulk` and `cp.reduce.async.bulk`.
pub unsafe fn bulk(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    let (to, from, sizes, barriers, masks) = unsafe {
        let wide = |n: usize| vector::<u64>(warp, step.from[n]);
        (wide(0), wide(1), vector::<u32>(warp, step.from[2]).map(u64::from), wide(3), vector::<u32>(warp, step.from[4]))
    };
    let how: BulkCopy = step.payload();
    // What is ignored need not be there.
    let (left, right) = match how.ignores {
        true => (masks.map(|both| u64::from(both & 15)), masks.map(|both| u64::from(both >> 16))),
        false => ([0; LANES], [0; LANES]),
    };
    let source: [_; LANES] = core::array::from_fn(|l| from[l].wrapping_add(left[l]));
    let read = core::array::from_fn(|l| sizes[l].saturating_sub(left[l] + right[l]));
    let whole = probe(how.from_shared, AccessKind::Read, if how.ignores { 1 } else { 16 });
    let mut wrong = examine(warp, whole, &source, &read, warp.mask);
    unwritten::note(warp, whole, &source, &read, warp.mask & !wrong);
    for rank in 0..if how.multicast { 16 } else { 1 } {
        let of = |address: u64, lane: usize| {
            let blocks = how.multicast.then_some(masks[lane] & (1 << rank));
            targets(address, blocks).next()
        };
        let goes: [_; LANES] = core::array::from_fn(|l| of(to[l], l));
        let counts: [_; LANES] = core::array::from_fn(|l| of(barriers[l], l).filter(|_| how.counts));
        let bytes = core::array::from_fn(|l| if goes[l].is_some() { sizes[l] } else { 0 });
        let places = goes.map(|g| g.unwrap_or(0));
        let kind = Probe {
            area: if how.multimem { Area::Multicast } else { area(how.to_shared) },
            ..probe(how.to_shared, AccessKind::Write, 16)
        };
        wrong |= examine(warp, kind, &places, &bytes, warp.mask & !wrong);
        if !how.multimem {
            unwritten::note(warp, kind, &places, &bytes, warp.mask & !wrong);
        }
        let words = counts.map(|c| if c.is_some() { 8 } else { 0 });
        let places = counts.map(|c| c.unwrap_or(0));
        wrong |= examine(warp, probe(how.barrier_shared, AccessKind::Atomic, 8), &places, &words, warp.mask & !wrong);
    }
    end(warp, wrong)
}

/// The first register of `multimem.ld_reduce`, `.st` or `.red`, for all of the access.
pub unsafe fn multimem(warp: &mut Warp, step: &Step) -> Flow {
    let how: Multimem = step.payload();
    // SAFETY: the contract of `Execute`.
    let all = unsafe { vector::<u64>(warp, step.from[0]) };
    let kind = match how.action {
        Action::Load => AccessKind::Read,
        Action::Store => AccessKind::Write,
        Action::Change => AccessKind::Atomic,
    };
    let probe = Probe { area: Area::Multicast, kind, bytes: how.whole.into(), align: how.whole.into(), strong: true };
    let wrong = examine(warp, probe, &all, &[how.whole.into(); LANES], warp.mask);
    end(warp, wrong)
}

/// `st.async` and `red.async`.
pub unsafe fn store(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    let (to, barriers) = unsafe { (vector::<u64>(warp, step.from[0]), vector::<u64>(warp, step.from[1])) };
    let bytes = step.payload::<AsynchronousStore>().bytes();
    let mut wrong = examine(warp, probe(true, AccessKind::Write, bytes as u32), &to, &[bytes; LANES], warp.mask);
    wrong |= examine(warp, probe(true, AccessKind::Atomic, 8), &barriers, &[8; LANES], warp.mask & !wrong);
    end(warp, wrong)
}

/// `st.bulk`.
pub unsafe fn fill(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    let (to, sizes) = unsafe { (vector::<u64>(warp, step.from[0]), vector::<u64>(warp, step.from[1])) };
    let probe = probe(step.payload::<WordPlace>().shared, AccessKind::Write, 8);
    let wrong = examine(warp, probe, &to, &sizes, warp.mask);
    end(warp, wrong)
}

/// `clusterlaunchcontrol.try_cancel`: the block's own response and barrier.
pub unsafe fn cancellation(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    let (to, barriers) = unsafe { (vector::<u64>(warp, step.from[0]), vector::<u64>(warp, step.from[1])) };
    let Cancellation { shared, .. } = step.payload();
    let mut wrong = examine(warp, probe(shared, AccessKind::Write, 16), &to, &[RESPONSE; LANES], warp.mask);
    wrong |= examine(warp, probe(shared, AccessKind::Atomic, 8), &barriers, &[8; LANES], warp.mask & !wrong);
    end(warp, wrong)
}

/// A word of a barrier that counts.
pub unsafe fn word(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    let all = unsafe { vector::<u64>(warp, step.from[0]) };
    let probe = probe(step.payload::<WordPlace>().shared, AccessKind::Atomic, 8);
    let wrong = examine(warp, probe, &all, &[8; LANES], warp.mask);
    races::note(warp, probe, &all, &[8; LANES], warp.mask & !wrong);
    end(warp, wrong)
}

/// `tensormap.replace`.
pub unsafe fn tensor_map(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    let all = unsafe { vector::<u64>(warp, step.from[0]) };
    let wrong = examine(
        warp,
        probe(step.payload::<Replacement>().shared, AccessKind::Write, 8),
        &all,
        &[128; LANES],
        warp.mask,
    );
    end(warp, wrong)
}

/// `cp.async.bulk.tensor`: the descriptor, the box in shared memory, the barrier, and what of the tensor the box covers.
pub unsafe fn tensor(warp: &mut Warp, step: &Step) -> Flow {
    let Some(copy) = warp.code().details.get(step.payload::<DetailOf<TensorCopy>>()) else { return Flow::Next };
    // SAFETY: the contract of `Execute`.
    let (maps, boxes, barriers) = unsafe {
        let wide = |at: u32| vector::<u64>(warp, at);
        (wide(copy.map), wide(copy.memory), wide(copy.barrier))
    };
    let loads = copy.what == What::Load;
    let mut wrong = examine(warp, probe(false, AccessKind::Read, 8), &maps, &[128; LANES], warp.mask);
    if copy.what == What::Prefetch {
        return end(warp, wrong);
    }
    for lane in (0..LANES).filter(|l| warp.mask >> l & 1 != 0) {
        if wrong >> lane & 1 != 0 {
            continue;
        }
        // SAFETY: the contract of `Execute`; the descriptor is there.
        let Some(covered) = (unsafe { copy.covered(warp, lane) }) else { continue };
        let one = |value: u64| core::array::from_fn(|l| if l == lane { value } else { 0 });
        let (place, lanes) = (one(boxes[lane]), 1 << lane);
        // Which blocks a multicast goes to is checked when it is made.
        if copy.blocks.is_none() {
            let kind = if loads { AccessKind::Write } else { AccessKind::Read };
            wrong |= examine(warp, probe(true, kind, 16), &place, &one(covered.bytes), lanes);
            if loads {
                wrong |=
                    examine(warp, probe(true, AccessKind::Atomic, 8), &one(barriers[lane]), &one(8), lanes & !wrong);
            }
        }
        let kind = if loads { AccessKind::Read } else { AccessKind::Write };
        for (address, bytes) in covered.rows {
            wrong |= examine(warp, probe(false, kind, 1), &one(address), &one(bytes), lanes & !wrong);
            // What a box reads beside that is used need not be written.
            if !loads {
                unwritten::note(warp, probe(false, kind, 1), &one(address), &one(bytes), lanes & !wrong);
            }
        }
    }
    end(warp, wrong)
}
