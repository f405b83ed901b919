//! The registers of a frame: vectors of 32 lanes, and predicates, a bit a lane.

use crate::numeric::value::{LANES, SimdLevel, blend};
use crate::state::warp::Warp;

/// A vector of the frame.
#[inline(always)]
pub unsafe fn vector<L: Copy>(warp: &Warp, at: u32) -> [L; LANES] {
    // SAFETY: by the contract of `Execute`, `at` is the offset of a vector of the frame.
    unsafe { *warp.frame.add(at as usize).cast::<[L; LANES]>() }
}

/// Writes the active lanes of a vector of the frame.
#[inline(always)]
pub unsafe fn set_vector<L: Copy>(warp: &mut Warp, at: u32, new: &[L; LANES]) {
    // SAFETY: as for `vector`.
    unsafe { set_lanes::<L, { SimdLevel::Plain as u8 }>(warp, at, new) }
}

/// [`set_vector`] with the instructions of a level.
#[inline(always)]
pub unsafe fn set_lanes<L: Copy, const LEVEL: u8>(warp: &mut Warp, at: u32, new: &[L; LANES]) {
    // SAFETY: as for `vector`.
    unsafe {
        let to = warp.frame.add(at as usize).cast::<[L; LANES]>();
        *to = if warp.mask == u32::MAX { *new } else { blend::<L, LEVEL>(warp.mask, new, &*to) };
    }
}

/// The first lane of a vector.
///
/// # Safety
/// `at` is the offset of a vector of the frame, as steps name them.
#[inline(always)]
pub unsafe fn first<L: Copy>(warp: &Warp, at: u32) -> L {
    // SAFETY: by the contract of `Execute`, `at` is the offset of a vector of the frame.
    unsafe { *warp.frame.add(at as usize).cast::<L>() }
}

/// A predicate: a bit a lane.
#[inline(always)]
pub unsafe fn predicate(warp: &Warp, at: u32) -> u32 {
    // SAFETY: as for `vector`.
    unsafe { *warp.frame.add(at as usize).cast::<u32>() }
}

/// Writes the active lanes of a predicate.
#[inline(always)]
pub unsafe fn set_predicate(warp: &mut Warp, at: u32, new: u32) {
    // SAFETY: as for `vector`.
    let old = unsafe { &mut *warp.frame.add(at as usize).cast::<u32>() };
    *old = *old & !warp.mask | new & warp.mask;
}
