//! Whether the memory that an access goes to is valid.

use super::finding::{Wrong, end, tell};
use super::probe::{Area, Probe, checked};
use super::races;
use super::unwritten;
use crate::numeric::value::LANES;
use crate::operations::device_runtime::is_text;
use crate::operations::memory::addresses;
use crate::state::check::{AccessKind, AccessTarget, Checked};
use crate::state::step::Flow;
use crate::state::surroundings::Surroundings;
use crate::state::warp::{Step, Warp};

/// An access of one size by all lanes of the mask: address as the access has it, what it is where results otherwise are.
///
/// # Safety
/// The contract of [`Execute`](crate::state::warp::Execute).
pub unsafe fn access(warp: &mut Warp, step: &Step) -> Flow {
    let probe = Probe::of(step);
    // SAFETY: the contract of `Execute`.
    let all = unsafe { addresses(warp, step) };
    let bytes = [u64::from(probe.bytes); LANES];
    let wrong = examine(warp, probe, &all, &bytes, warp.mask);
    unwritten::note(warp, probe, &all, &bytes, warp.mask & !wrong);
    races::note(warp, probe, &all, &bytes, warp.mask & !wrong);
    end(warp, wrong)
}

/// Reports what is wrong with an access of the given lanes; gives the lanes that it is wrong for. Nothing is accessed by a
/// lane with no bytes.
pub(super) fn examine(warp: &Warp, probe: Probe, all: &[u64; LANES], bytes: &[u64; LANES], lanes: u32) -> u32 {
    let Some(checked) = checked(warp) else { return 0 };
    let on = |lane: &usize| lanes >> lane & 1 != 0 && bytes[*lane] != 0;
    let (mut low, mut high, mut bits) = (u64::MAX, 0, 0);
    for lane in (0..LANES).filter(on) {
        low = low.min(all[lane]);
        high = high.max(all[lane].saturating_add(bytes[lane]));
        bits |= all[lane];
    }
    if low > high {
        return 0;
    }
    let align = u64::from(probe.align.max(1));
    // Mostly all lanes are in one piece of memory.
    if bits & (align - 1) == 0 && fault(warp, checked, probe, None, low, high - low).is_none() {
        return 0;
    }
    let mut wrong = Vec::new();
    for lane in (0..LANES).filter(on) {
        let (address, bytes) = (all[lane], bytes[lane]);
        let target = fault(warp, checked, probe, Some(lane), address, bytes);
        let misaligned = if address & (align - 1) != 0 && target.is_none() { Some(align) } else { None };
        if target.is_some() || misaligned.is_some() {
            let target = target.unwrap_or_else(|| target_of(warp, checked, probe, lane, address));
            wrong.push(Wrong { lane, address, bytes, misaligned, target });
        }
    }
    tell(warp, checked, probe.kind, wrong)
}

/// What is missing of some bytes: of a lane's, or of a range that all lanes access, which may be said to miss something that
/// no lane alone does.
fn fault(
    warp: &Warp,
    checked: &Checked<'_>,
    probe: Probe,
    lane: Option<usize>,
    address: u64,
    bytes: u64,
) -> Option<AccessTarget> {
    // SAFETY: a warp that runs has surroundings.
    let around = unsafe { &*warp.around };
    let missing = |holds: bool, target: AccessTarget| if holds { None } else { Some(target) };
    match probe.area {
        Area::Shared => missing(in_shared(checked, around, address, bytes), shared(checked, around, address)),
        Area::Local if in_variable(warp, lane, address, bytes) => None,
        Area::Local => Some(local(warp, address)),
        Area::Multicast => {
            let held = checked.checker.covers_multicast(address, bytes, probe.kind != AccessKind::Read);
            missing(held, nearby(warp, checked, address))
        }
        Area::Plain => {
            let shared_bytes = around.shared_bytes;
            if let Some((_, offset)) = around.cluster().find(address)
                && shared_bytes > 0
            {
                return missing(holds(checked, around, offset.into(), bytes), shared(checked, around, offset.into()));
            }
            let parameters = address.wrapping_sub(around.parameters);
            if parameters < checked.parameters {
                let target = AccessTarget::Parameters(around.parameters, checked.parameters);
                return missing(parameters.saturating_add(bytes) <= checked.parameters, target);
            }
            let offset = address.wrapping_sub(warp.local_of(lane.unwrap_or(0)));
            if lane.is_some() && offset < warp.stride {
                return if in_variable(warp, lane, offset, bytes) { None } else { Some(local(warp, offset)) };
            }
            if checked.checker.covers(address, bytes, probe.kind != AccessKind::Read)
                || probe.kind == AccessKind::Write && checked.checker.covers_multicast(address, bytes, true)
            {
                return None;
            }
            let own =
                around.is_workspace(address, bytes) || around.nested().holds(address, bytes) || is_text(address, bytes);
            missing(own, nearby(warp, checked, address))
        }
    }
}

/// What an address that is nothing is probably meant to be.
fn nearby(warp: &Warp, checked: &Checked<'_>, address: u64) -> AccessTarget {
    /// Bytes beside it.
    const NEAR: u64 = 64;
    // SAFETY: a warp that runs has surroundings.
    let around = unsafe { &*warp.around };
    let beside = |base: u64, bytes: u64| address.wrapping_sub(base.wrapping_sub(NEAR)) < bytes + 2 * NEAR;
    if address.wrapping_sub(warp.local_of(0)) < warp.stride * LANES as u64 {
        AccessTarget::Stranger
    } else if checked.parameters > 0 && beside(around.parameters, checked.parameters) {
        AccessTarget::Parameters(around.parameters, checked.parameters)
    } else if around.shared_bytes > 0 && beside(around.shared, around.shared_bytes.into()) {
        shared(checked, around, address.wrapping_sub(around.shared))
    } else {
        AccessTarget::Memory
    }
}

/// What an access that is only misaligned goes to.
fn target_of(warp: &Warp, checked: &Checked<'_>, probe: Probe, lane: usize, address: u64) -> AccessTarget {
    // SAFETY: a warp that runs has surroundings.
    let around = unsafe { &*warp.around };
    match probe.area {
        Area::Shared => shared(checked, around, address),
        Area::Local => local(warp, address),
        Area::Multicast => AccessTarget::Memory,
        Area::Plain if address.wrapping_sub(around.shared) < around.shared_bytes.into() => {
            shared(checked, around, address - around.shared)
        }
        Area::Plain => match address.wrapping_sub(warp.local_of(lane)) {
            offset if offset < warp.stride => local(warp, offset),
            _ => AccessTarget::Memory,
        },
    }
}

/// Whether bytes at an offset of a block's shared memory are there: not those between the static and the dynamic ones.
fn holds(checked: &Checked<'_>, around: &Surroundings, offset: u64, bytes: u64) -> bool {
    let end = offset.saturating_add(bytes);
    end <= checked.fixed.into()
        || offset >= around.dynamic_shared && end <= around.shared_end(checked.fixed)
        || offset >= around.reserved_shared.into() && end <= around.shared_bytes.into()
}

/// The same for an offset that may have the rank of a block in it.
fn in_shared(checked: &Checked<'_>, around: &Surroundings, address: u64, bytes: u64) -> bool {
    let address = u64::from(address as u32);
    if holds(checked, around, address, bytes) {
        return true;
    }
    // Out of one block's memory nothing goes on into another's.
    match around.cluster().parts(address as u32) {
        Some(offset) => holds(checked, around, offset.into(), bytes),
        None => false,
    }
}

fn shared(checked: &Checked<'_>, around: &Surroundings, offset: u64) -> AccessTarget {
    let end = around.shared_end(checked.fixed);
    AccessTarget::Shared { offset, fixed: checked.fixed.into(), dynamic: around.dynamic_shared.min(end), end }
}

/// Whether bytes at an offset of local memory belong to one variable of the functions that run, or to what a lane has
/// allocated on its stack, which is one piece here.
fn in_variable(warp: &Warp, lane: Option<usize>, offset: u64, bytes: u64) -> bool {
    let end = offset.saturating_add(bytes);
    if let Some(lane) = lane
        && offset >= warp.stride - warp.stack[lane].min(warp.stride)
    {
        return end <= warp.stride;
    }
    warp.variables().any(|(_, _, start, size)| start <= offset && end <= start + size)
}

/// The variable that is nearest to an offset of local memory.
fn local(warp: &Warp, offset: u64) -> AccessTarget {
    let distance = |start: u64, size: u64| start.saturating_sub(offset).max(offset.saturating_sub(start + size));
    let nearest = warp.variables().min_by_key(|&(_, _, start, size)| distance(start, size));
    let owned = |(name, function, start, size): (&str, &str, _, _)| (name.to_owned(), function.to_owned(), start, size);
    AccessTarget::Local { offset, nearest: nearest.map(owned) }
}
