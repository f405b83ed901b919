//! Calls of functions, and of those that the system provides.

use crate::numeric::value::LANES;
use crate::state::fault::Fault;
use crate::state::payload::payload;
use crate::state::program::{ArgumentPlace, CallSite, Callee, FUNCTIONS};
use crate::state::registers::vector;
use crate::state::step::Flow;
use crate::state::warp::{Step, Warp};

/// Copies a value of a lane between a place of one frame and local memory at `offset` behind `base`.
unsafe fn carry_over(
    warp: &Warp,
    (registers, variables): (*mut u8, u64),
    place: ArgumentPlace,
    size: usize,
    (base, offset): (u64, u64),
    lane: usize,
    inward: bool,
) {
    let there = warp.local_of(lane) + base + offset;
    let here = match place {
        ArgumentPlace::Local(at) => warp.local_of(lane) + variables + at,
        ArgumentPlace::Lane(at, wide) => registers as u64 + u64::from(at) + lane as u64 * if wide { 8 } else { 4 },
    };
    let (from, to) = if inward { (here, there) } else { (there, here) };
    // SAFETY: places of frames of this warp, as the program laid them out.
    unsafe { core::ptr::copy(from as *const u8, to as *mut u8, size) };
}

payload! {
    /// A call.
    pub struct Call {
        /// The number of its site in the function.
        pub site: u32,
    }
}

/// `call`.
pub unsafe fn call(warp: &mut Warp, step: &Step) -> Flow {
    let Call { site: number } = step.payload();
    let code = warp.code();
    let Some(site) = code.sites.get(number as usize) else { return Flow::Fault(Fault::IllegalTarget) };
    match site.target {
        Callee::Function(function) => enter(warp, function, number, site),
        Callee::Register(at) => {
            // SAFETY: the contract of `Execute`.
            let targets = unsafe { vector::<u64>(warp, at) };
            let lane = warp.mask.trailing_zeros() as usize & 31;
            let first = targets[lane];
            let same =
                (0..LANES).filter(|&l| warp.mask >> l & 1 != 0 && targets[l] == first).fold(0, |m, l| m | 1 << l);
            let function = first.wrapping_sub(FUNCTIONS) / 16;
            if first < FUNCTIONS || first % 16 != 0 || function > u64::from(u32::MAX) {
                return Flow::Fault(Fault::IllegalTarget);
            }
            let others = warp.mask & !same;
            if others != 0 {
                // The others come back to this step; lanes that it is not for wait behind it.
                let position = warp.position;
                warp.diverge(&[(position, same), (position, others)], position + 1);
                warp.mask = same;
            }
            enter(warp, function as u32, number, site)
        }
        Callee::System(function) => {
            let result = crate::operations::system_call::call(warp, function, site);
            result.map_or_else(Flow::Fault, |()| Flow::Next)
        }
    }
}

fn enter(warp: &mut Warp, function: u32, number: u32, site: &CallSite) -> Flow {
    let mask = warp.mask;
    if let Err(fault) = warp.enter(function, number) {
        return Flow::Fault(fault);
    }
    let Some(caller) = warp.caller() else { return Flow::Fault(Fault::IllegalTarget) };
    let base = warp.top().map_or(0, |f| f.base);
    for argument in &site.arguments {
        for lane in (0..LANES).filter(|&l| mask >> l & 1 != 0) {
            // SAFETY: both frames are in place.
            unsafe { carry_over(warp, caller, argument.place, argument.size, (base, argument.offset), lane, true) };
        }
    }
    // Functions that call themselves may go on for ever without a branch backwards.
    warp.jumped(1)
}

/// Hands the results of the call to the caller, for the lanes of the mask.
pub unsafe fn give_back(warp: &mut Warp) {
    let Some(code) = warp.caller_code() else { return };
    let (number, base) = warp.top().map_or((0, 0), |f| (f.site, f.base));
    let (Some(site), Some(caller)) = (code.sites.get(number as usize), warp.caller()) else { return };
    for result in &site.results {
        for lane in (0..LANES).filter(|&l| warp.mask >> l & 1 != 0) {
            // SAFETY: both frames are in place.
            unsafe { carry_over(warp, caller, result.place, result.size, (base, result.offset), lane, false) };
        }
    }
}
