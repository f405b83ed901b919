//! Accesses whose addresses are known to be affine: to one place, or to a row of elements.

use super::{Access, Memory, Window, first_address};
use crate::numeric::value::{LANES, SimdLevel};
use crate::state::fault::Fault;
use crate::state::registers::set_lanes;
use crate::state::step::Flow;
use crate::state::warp::{Step, Warp};

/// [`Window::near`], or all of [`Window::translate`].
#[inline(always)]
unsafe fn place<W: Window, const ALL: bool>(warp: &Warp, address: u64, bytes: usize) -> Option<u64> {
    // SAFETY: the same contract.
    unsafe { if ALL { W::translate(warp, 0, address, bytes).ok() } else { W::near(warp, 0, address, bytes) } }
}

/// A load from one place or from a row of elements, known as such beforehand. `None` when it is none of these, or when it
/// would go wrong; without `ALL` also where memory has to be looked for.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // Elements and operands go by the same number.
pub(super) unsafe fn load_affine<M: Memory, W: Window, const N: usize, const LEVEL: u8, const ALL: bool>(
    warp: &mut Warp,
    step: &Step,
) -> Option<Flow> {
    // SAFETY: the contract of `Execute`; what an address leads to is guarded.
    unsafe {
        let Access { stride, fills, .. } = step.payload();
        let (first, bytes) = (first_address(warp, step), size_of::<M>() * N);
        let wrong = first & (bytes - 1) as u64 != 0;
        let frame = warp.frame;
        let to = |n: usize| frame.add(step.to[n] as usize);
        if stride == 0 {
            if wrong {
                return Some(Flow::Fault(Fault::Misaligned));
            }
            let at = place::<W, ALL>(warp, first, bytes)? as *const M;
            let whole = fills || warp.mask == u32::MAX;
            for n in 0..N {
                let all = [at.add(n).read_volatile().widen(); LANES];
                if step.to[n] == u32::MAX {
                    continue;
                }
                if whole {
                    to(n).cast::<[M::Lane; LANES]>().write(all);
                } else {
                    set_lanes::<_, LEVEL>(warp, step.to[n], &all);
                }
            }
            return Some(Flow::Next);
        }
        if wrong || i64::from(stride) != bytes as i64 || N == 1 && step.to[0] == u32::MAX {
            return None;
        }
        let at = place::<W, ALL>(warp, first, bytes * LANES)? as *const M;
        if !W::ALONE {
            ahead(at.cast(), bytes * LANES);
        }
        if warp.mask != u32::MAX {
            if N > 1 {
                return None;
            }
            let some = load_some::<M, LEVEL>(warp.mask, at)?;
            set_lanes::<_, LEVEL>(warp, step.to[0], &some);
            return Some(Flow::Next);
        }
        if N == 1 {
            let raw = at.cast::<[M; LANES]>().read_unaligned();
            let mut lanes = [M::Lane::default(); LANES];
            for lane in 0..LANES {
                lanes[lane] = raw[lane].widen();
            }
            to(0).cast::<[M::Lane; LANES]>().write(lanes);
            return Some(Flow::Next);
        }
        // All is read before anything is written: results may take the place of the address.
        let raw = at.cast::<[[M; N]; LANES]>().read_unaligned();
        for n in 0..N {
            if step.to[n] == u32::MAX {
                continue;
            }
            let mut lanes = [M::Lane::default(); LANES];
            for lane in 0..LANES {
                lanes[lane] = raw[lane][n].widen();
            }
            to(n).cast::<[M::Lane; LANES]>().write(lanes);
        }
        Some(Flow::Next)
    }
}

/// Asks for what lies some rows further on: the next warps or blocks will want that, and as a grid of two axes goes through
/// memory in pieces of a row, the machine does not see it coming.
#[inline(always)]
fn ahead(at: *const i8, bytes: usize) {
    use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    for line in (0..bytes.min(256)).step_by(64) {
        // SAFETY: a hint, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at.wrapping_add(4 * bytes + line)) };
    }
}

/// A store to a row of elements, known as such beforehand. `None` when it is none, or when it would go wrong.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // Elements and operands go by the same number.
pub(super) unsafe fn store_affine<M: Memory, W: Window, const N: usize, const LEVEL: u8>(
    warp: &mut Warp,
    step: &Step,
) -> Option<Flow> {
    // SAFETY: the contract of `Execute`; what an address leads to is guarded.
    unsafe {
        let (first, bytes) = (first_address(warp, step), size_of::<M>() * N);
        if first & (bytes - 1) as u64 != 0 || i64::from(step.payload::<Access>().stride) != bytes as i64 {
            return None;
        }
        let at = W::near(warp, 0, first, bytes * LANES)? as *mut M;
        let from = |n: usize| warp.frame.add(step.from[n + 1] as usize).cast::<M::Lane>();
        if warp.mask != u32::MAX {
            return (N == 1 && store_some::<M, LEVEL>(warp.mask, at, from(0))).then_some(Flow::Next);
        }
        let mut raw = [[M::cut(M::Lane::default()); N]; LANES];
        for n in 0..N {
            let lanes = from(n).cast::<[M::Lane; LANES]>().read();
            for lane in 0..LANES {
                raw[lane][n] = M::cut(lanes[lane]);
            }
        }
        at.cast::<[[M; N]; LANES]>().write_unaligned(raw);
        Some(Flow::Next)
    }
}

/// Loads elements of a row of 32, those of the mask, and touches no others. None where the machine cannot do that.
#[inline(always)]
unsafe fn load_some<M: Memory, const LEVEL: u8>(mask: u32, from: *const M) -> Option<[M::Lane; LANES]> {
    use core::arch::x86_64::*;
    #[target_feature(enable = "avx512f")]
    #[inline]
    unsafe fn load512<L: Copy + Default>(mask: u32, from: *const i32) -> [L; LANES] {
        let mut all = [L::default(); LANES];
        let to = all.as_mut_ptr().cast::<i32>();
        // SAFETY: the caller gives a row of elements of 4 or of 8 bytes, which are as large as lanes.
        unsafe {
            if size_of::<L>() == 4 {
                for part in 0..2 {
                    let some = (mask >> (16 * part)) as u16;
                    _mm512_storeu_epi32(to.add(part * 16), _mm512_maskz_loadu_epi32(some, from.add(part * 16)));
                }
            } else {
                for part in 0..4 {
                    let (some, from) = ((mask >> (8 * part)) as u8, from.add(part * 16).cast());
                    _mm512_storeu_epi64(to.add(part * 16).cast(), _mm512_maskz_loadu_epi64(some, from));
                }
            }
        }
        all
    }
    if LEVEL != SimdLevel::Avx512 as u8 || size_of::<M>() != size_of::<M::Lane>() {
        return None;
    }
    // SAFETY: this instance is called on machines of its level.
    Some(unsafe { load512(mask, from.cast()) })
}

/// Stores elements of a row of 32, those of the mask, and touches no others. False where the machine cannot do that.
#[inline(always)]
unsafe fn store_some<M: Memory, const LEVEL: u8>(mask: u32, to: *mut M, from: *const M::Lane) -> bool {
    use core::arch::x86_64::*;
    #[target_feature(enable = "avx512f")]
    #[inline]
    unsafe fn store512<L>(mask: u32, to: *mut i32, from: *const i32) {
        // SAFETY: the caller gives rows of elements of 4 or of 8 bytes.
        unsafe {
            if size_of::<L>() == 4 {
                for part in 0..2 {
                    let value = _mm512_loadu_epi32(from.add(part * 16));
                    _mm512_mask_storeu_epi32(to.add(part * 16), (mask >> (16 * part)) as u16, value);
                }
            } else {
                for part in 0..4 {
                    let value = _mm512_loadu_epi64(from.add(part * 16).cast());
                    _mm512_mask_storeu_epi64(to.add(part * 16).cast(), (mask >> (8 * part)) as u8, value);
                }
            }
        }
    }
    if LEVEL != SimdLevel::Avx512 as u8 || size_of::<M>() != size_of::<M::Lane>() {
        return false;
    }
    // SAFETY: this instance is called on machines of its level.
    unsafe { store512::<M::Lane>(mask, to.cast(), from.cast()) };
    true
}
