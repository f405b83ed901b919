//! Loads and stores.

mod far;
mod rows;

use crate::numeric::value::{LANES, SimdLevel, simd_level};
use crate::state::fault::Fault;
use crate::state::payload::payload;
use crate::state::registers::{set_vector, vector};
use crate::state::services::AddressRange;
use crate::state::step::Flow;
use crate::state::warp::{Execute, Step, Warp};
use ptx::{Space, Type};
use rows::{load_affine, store_affine};

/// Where an address leads.
pub trait Window {
    /// Lanes see the same memory: neighbours may be accessed together.
    const COMMON: bool;
    /// Only the thread that runs the block uses this memory: all of its warps run there.
    const ALONE: bool;
    /// The address in this process of an access of `bytes` bytes.
    unsafe fn translate(warp: &Warp, lane: usize, address: u64, bytes: usize) -> Result<u64, Fault>;
    /// What [`Window::translate`] gives where that is quickly told. A function that may call nothing saves no registers.
    #[inline(always)]
    unsafe fn near(warp: &Warp, lane: usize, address: u64, bytes: usize) -> Option<u64> {
        // SAFETY: the same contract.
        unsafe { Self::translate(warp, lane, address, bytes) }.ok()
    }
    /// True when [`Window::translate`] would give all of these back as they are. False says nothing.
    #[inline(always)]
    fn has_all(_: &Warp, _: &[u64; LANES], _: usize) -> bool {
        false
    }
}

/// Addresses as they are, in what kernels may access.
pub struct Plain;
/// Offsets into the block's shared memory.
pub struct Shared;
/// Offsets into the lane's local memory.
pub struct Local;

impl Window for Plain {
    const COMMON: bool = true;
    const ALONE: bool = false;

    #[inline(always)]
    unsafe fn translate(warp: &Warp, _: usize, address: u64, bytes: usize) -> Result<u64, Fault> {
        if warp.may_access(address, bytes) { Ok(address) } else { Err(Fault::IllegalAddress) }
    }

    #[inline(always)]
    unsafe fn near(warp: &Warp, _: usize, address: u64, bytes: usize) -> Option<u64> {
        warp.may_access_near(address, bytes).then_some(address)
    }

    #[inline(always)]
    fn has_all(warp: &Warp, addresses: &[u64; LANES], bytes: usize) -> bool {
        let (start, most) = (warp.accessible.start, warp.accessible.bytes.wrapping_sub(bytes as u64));
        let mut beyond = false;
        for address in addresses {
            beyond |= address.wrapping_sub(start) > most;
        }
        !beyond && bytes as u64 <= AddressRange::LEAST
    }
}

impl Window for Shared {
    const COMMON: bool = true;
    const ALONE: bool = true;

    #[inline(always)]
    unsafe fn translate(warp: &Warp, _: usize, address: u64, bytes: usize) -> Result<u64, Fault> {
        // SAFETY: a warp that runs has surroundings.
        let around = unsafe { &*warp.around };
        let offset = u64::from(address as u32);
        if offset + bytes as u64 > u64::from(around.shared_bytes) {
            return around.cluster().translate(address as u32, bytes);
        }
        Ok(around.shared + offset)
    }
}

impl Window for Local {
    const COMMON: bool = false;
    const ALONE: bool = true;

    #[inline(always)]
    unsafe fn translate(warp: &Warp, lane: usize, address: u64, bytes: usize) -> Result<u64, Fault> {
        if address.saturating_add(bytes as u64) > warp.stride {
            return Err(Fault::IllegalAddress);
        }
        Ok(warp.local_of(lane) + address)
    }
}

/// How a value lies in memory and in a lane.
pub trait Memory: Copy {
    type Lane: Copy + Default;
    fn widen(self) -> Self::Lane;
    fn cut(lane: Self::Lane) -> Self;
}
/// The same type, in lanes of 32 or of 64 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct In32<T>(T);
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct In64<T>(T);

macro_rules! memory {
    ($($t:ty, $w:ident, $lane:ty, |$x:ident| $e:expr;)*) => {$(
        impl Memory for $w<$t> {
            type Lane = $lane;
            #[inline(always)]
            fn widen(self) -> $lane { let $x = self.0; $e }
            #[inline(always)]
            fn cut(lane: $lane) -> Self { $w(lane as $t) }
        }
    )*};
}
memory! {
    u8, In32, u32, |x| u32::from(x);
    i8, In32, u32, |x| x as i32 as u32;
    u16, In32, u32, |x| u32::from(x);
    i16, In32, u32, |x| x as i32 as u32;
    u32, In32, u32, |x| x;
    u8, In64, u64, |x| u64::from(x);
    i8, In64, u64, |x| x as i64 as u64;
    u16, In64, u64, |x| u64::from(x);
    i16, In64, u64, |x| x as i64 as u64;
    u32, In64, u64, |x| u64::from(x);
    i32, In64, u64, |x| x as i64 as u64;
    u64, In64, u64, |x| x;
}

payload! {
    /// Where an access goes: what is added to the vector of the first operand.
    pub struct Address {
        /// Bytes.
        pub offset: i64,
        /// Addresses have 32 bits.
        pub narrow: bool,
        /// Numbers of 64 bits at `from[4]`, which are the same for all lanes of the mask, are added, too.
        pub based: bool,
    }
}

payload! {
    /// A load, a store or an atomic operation. Those that need more begin with the address, too.
    pub struct Access {
        pub address: Address,
        /// The addresses are affine (`state::affine`).
        pub affine: bool,
        /// Of an affine load: lanes without the mask are written, too.
        pub fills: bool,
        /// Of an affine access: how much more each lane's address is than that of the lane before.
        pub stride: i32,
    }
}

impl Access {
    /// An access that goes to any addresses.
    pub fn to(address: Address) -> Access {
        Access { address, affine: false, fills: false, stride: 0 }
    }
}

/// The addresses of all lanes of an access.
#[inline(always)]
pub unsafe fn addresses(warp: &Warp, step: &Step) -> [u64; LANES] {
    let Access { address, affine, stride, .. } = step.payload();
    // SAFETY: the contract of `Execute`.
    unsafe {
        if !affine {
            return addresses_at(warp, step, address);
        }
        let first = first_address(warp, step);
        let narrow = if address.narrow { 0xffff_ffff } else { u64::MAX };
        let mut all = [0; LANES];
        for (lane, address) in all.iter_mut().enumerate() {
            *address = first.wrapping_add((lane as i64 * i64::from(stride)) as u64) & narrow;
        }
        all
    }
}

/// [`addresses`], once for all steps that take much longer themselves.
#[inline(never)]
pub unsafe fn addresses_apart(warp: &Warp, step: &Step) -> [u64; LANES] {
    // SAFETY: the same contract.
    unsafe { addresses(warp, step) }
}

/// [`addresses`], as steps of a level want it.
#[inline(always)]
unsafe fn addresses_of<const LEVEL: u8>(warp: &Warp, step: &Step) -> [u64; LANES] {
    // SAFETY: the same contract.
    unsafe { if LEVEL == SimdLevel::Plain as u8 { addresses_apart(warp, step) } else { addresses(warp, step) } }
}

/// The addresses of all lanes of a step whose payload begins with an address.
#[inline(always)]
pub unsafe fn addresses_at(warp: &Warp, step: &Step, address: Address) -> [u64; LANES] {
    let mut all = [0; LANES];
    // SAFETY: the contract of `Execute`.
    unsafe {
        if !address.narrow {
            let wide = vector::<u64>(warp, step.from[0]);
            for lane in 0..LANES {
                all[lane] = wide[lane].wrapping_add(address.offset as u64);
            }
            if address.based {
                let base = vector::<u64>(warp, step.from[4]);
                for lane in 0..LANES {
                    all[lane] = all[lane].wrapping_add(base[lane]);
                }
            }
        } else {
            let narrow = vector::<u32>(warp, step.from[0]);
            for lane in 0..LANES {
                all[lane] = u64::from(narrow[lane].wrapping_add(address.offset as u32));
            }
        }
    }
    all
}

/// True when a comparison holds for all lanes of the addresses: `ROW` tells rows of elements of `BYTES` bytes from
/// addresses that are all the same.
#[inline(always)]
unsafe fn all_lanes<const NARROW: bool, const ROW: bool, const BYTES: usize, const LEVEL: u8>(at: *const u8) -> bool {
    use core::arch::x86_64::*;
    #[target_feature(enable = "avx512f")]
    #[inline]
    unsafe fn narrow512<const ROW: bool, const BYTES: usize>(at: *const u8) -> bool {
        // SAFETY: the caller gives 32 addresses of 32 bits.
        let (low, high, first) = unsafe {
            (_mm512_loadu_epi32(at.cast()), _mm512_loadu_epi32(at.add(64).cast()), _mm512_set1_epi32(*at.cast()))
        };
        let n = BYTES as i32;
        let (mut a, mut b) = (first, first);
        if ROW {
            let lanes = _mm512_setr_epi32(
                0,
                n,
                2 * n,
                3 * n,
                4 * n,
                5 * n,
                6 * n,
                7 * n,
                8 * n,
                9 * n,
                10 * n,
                11 * n,
                12 * n,
                13 * n,
                14 * n,
                15 * n,
            );
            a = _mm512_add_epi32(first, lanes);
            b = _mm512_add_epi32(a, _mm512_set1_epi32(16 * n));
        }
        _mm512_cmpneq_epi32_mask(low, a) | _mm512_cmpneq_epi32_mask(high, b) == 0
    }
    #[target_feature(enable = "avx512f")]
    #[inline]
    unsafe fn wide512<const ROW: bool, const BYTES: usize>(at: *const u8) -> bool {
        // SAFETY: the caller gives 32 addresses of 64 bits.
        let (parts, first) = unsafe {
            let part = |n: usize| _mm512_loadu_epi64(at.add(64 * n).cast());
            ([part(0), part(1), part(2), part(3)], _mm512_set1_epi64(*at.cast()))
        };
        let n = BYTES as i64;
        let mut expected = [first; 4];
        if ROW {
            let lanes = _mm512_setr_epi64(0, n, 2 * n, 3 * n, 4 * n, 5 * n, 6 * n, 7 * n);
            let start = _mm512_add_epi64(first, lanes);
            expected = [
                start,
                _mm512_add_epi64(start, _mm512_set1_epi64(8 * n)),
                _mm512_add_epi64(start, _mm512_set1_epi64(16 * n)),
                _mm512_add_epi64(start, _mm512_set1_epi64(24 * n)),
            ];
        }
        let low = _mm512_cmpneq_epi64_mask(parts[0], expected[0]) | _mm512_cmpneq_epi64_mask(parts[1], expected[1]);
        let high = _mm512_cmpneq_epi64_mask(parts[2], expected[2]) | _mm512_cmpneq_epi64_mask(parts[3], expected[3]);
        low | high == 0
    }
    if LEVEL == SimdLevel::Avx512 as u8 {
        // SAFETY: this instance is called on machines of its level.
        return unsafe { if NARROW { narrow512::<ROW, BYTES>(at) } else { wide512::<ROW, BYTES>(at) } };
    }
    let step = if ROW { BYTES } else { 0 };
    // SAFETY: the caller gives 32 addresses.
    unsafe {
        if NARROW {
            let all = *at.cast::<[u32; LANES]>();
            let mut different = 0;
            for (lane, address) in all.iter().enumerate() {
                different |= address ^ all[0].wrapping_add((lane * step) as u32);
            }
            different == 0
        } else {
            let all = *at.cast::<[u64; LANES]>();
            let mut different = 0;
            for (lane, address) in all.iter().enumerate() {
                different |= address ^ all[0].wrapping_add((lane * step) as u64);
            }
            different == 0
        }
    }
}

/// What is added to the addresses of an access.
#[inline(always)]
fn address_of(step: &Step) -> Address {
    step.payload::<Access>().address
}

/// The first address of an access.
#[inline(always)]
unsafe fn first_of<const NARROW: bool>(warp: &Warp, at: *const u8, step: &Step) -> u64 {
    // SAFETY: the caller gives addresses.
    unsafe {
        if NARROW {
            u64::from(at.cast::<u32>().read().wrapping_add(address_of(step).offset as u32))
        } else {
            at.cast::<u64>().read().wrapping_add(base_of(warp, step))
        }
    }
}

/// What is added to the addresses of an access by all lanes.
#[inline(always)]
unsafe fn base_of(warp: &Warp, step: &Step) -> u64 {
    let address = address_of(step);
    let offset = address.offset as u64;
    if !address.based {
        return offset;
    }
    // SAFETY: the contract of `Execute`.
    offset.wrapping_add(unsafe { *warp.frame.add(step.from[4] as usize).cast::<u64>() })
}

/// Whether the addresses of an access are affine.
#[inline(always)]
fn is_affine(step: &Step) -> bool {
    step.payload::<Access>().affine
}

/// The first lane's address of an access.
#[inline(always)]
unsafe fn first_address(warp: &Warp, step: &Step) -> u64 {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let from = warp.frame.add(step.from[0] as usize).cast_const();
        if address_of(step).narrow { first_of::<true>(warp, from, step) } else { first_of::<false>(warp, from, step) }
    }
}

/// A load by all lanes from one place or from a row of elements. `None` when it is none of these, or when it would go
/// wrong.
#[inline(always)]
unsafe fn load_simple<M: Memory, W: Window, const N: usize, const NARROW: bool, const LEVEL: u8>(
    warp: &mut Warp,
    step: &Step,
) -> Option<Flow> {
    // SAFETY: the contract of `Execute`; what an address leads to is guarded.
    unsafe {
        let from = warp.frame.add(step.from[0] as usize).cast_const();
        let bytes = size_of::<M>() * N;
        let first = first_of::<NARROW>(warp, from, step);
        if first & (bytes - 1) as u64 != 0 {
            return None;
        }
        let to = |n: usize| warp.frame.add(step.to[n] as usize);
        let same = match size_of::<M>() {
            4 => all_lanes::<NARROW, false, 4, LEVEL>(from),
            _ => all_lanes::<NARROW, false, 8, LEVEL>(from),
        };
        if same {
            let at = W::near(warp, 0, first, bytes)? as *const M;
            for n in 0..N {
                let value = at.add(n).read_volatile();
                if step.to[n] != u32::MAX {
                    to(n).cast::<[M::Lane; LANES]>().write([value.widen(); LANES]);
                }
            }
            return Some(Flow::Next);
        }
        if N > 1 || step.to[0] == u32::MAX {
            return None;
        }
        let row = match size_of::<M>() {
            4 => all_lanes::<NARROW, true, 4, LEVEL>(from),
            _ => all_lanes::<NARROW, true, 8, LEVEL>(from),
        };
        if !row {
            return None;
        }
        let at = W::near(warp, 0, first, bytes * LANES)? as *const M;
        let raw = at.cast::<[M; LANES]>().read_unaligned();
        if size_of::<M>() == size_of::<M::Lane>() {
            // No need to widen anything.
            to(0).cast::<[M; LANES]>().write_unaligned(raw);
        } else {
            let mut lanes = [M::Lane::default(); LANES];
            for lane in 0..LANES {
                lanes[lane] = raw[lane].widen();
            }
            to(0).cast::<[M::Lane; LANES]>().write(lanes);
        }
        Some(Flow::Next)
    }
}

/// The quick ways of a load.
#[inline(always)]
unsafe fn load_fast<M: Memory, W: Window, const N: usize, const LEVEL: u8>(
    warp: &mut Warp,
    step: &Step,
) -> Option<Flow> {
    if is_affine(step) {
        // SAFETY: the contract of `Execute`.
        return unsafe { load_affine::<M, W, N, LEVEL, false>(warp, step) };
    }
    if !W::COMMON || size_of::<M>() < 4 || warp.mask != u32::MAX {
        return None;
    }
    // SAFETY: the contract of `Execute`.
    unsafe {
        if address_of(step).narrow {
            load_simple::<M, W, N, true, LEVEL>(warp, step)
        } else {
            load_simple::<M, W, N, false, LEVEL>(warp, step)
        }
    }
}

/// A store by all lanes to a row of elements. `None` when it is none, or when it would go wrong.
#[inline(always)]
unsafe fn store_simple<M: Memory, W: Window, const NARROW: bool, const LEVEL: u8>(
    warp: &mut Warp,
    step: &Step,
) -> Option<Flow> {
    // SAFETY: the contract of `Execute`; what an address leads to is guarded.
    unsafe {
        let from = warp.frame.add(step.from[0] as usize).cast_const();
        let first = first_of::<NARROW>(warp, from, step);
        if first & (size_of::<M>() - 1) as u64 != 0 {
            return None;
        }
        let row = match size_of::<M>() {
            4 => all_lanes::<NARROW, true, 4, LEVEL>(from),
            _ => all_lanes::<NARROW, true, 8, LEVEL>(from),
        };
        if !row {
            return None;
        }
        let at = W::near(warp, 0, first, size_of::<M>() * LANES)? as *mut M;
        let lanes = warp.frame.add(step.from[1] as usize).cast::<M>();
        at.cast::<[M; LANES]>().write_unaligned(lanes.cast::<[M; LANES]>().read_unaligned());
        Some(Flow::Next)
    }
}

/// The quick ways of a store.
#[inline(always)]
unsafe fn store_fast<M: Memory, W: Window, const N: usize, const LEVEL: u8>(
    warp: &mut Warp,
    step: &Step,
) -> Option<Flow> {
    if is_affine(step) {
        // SAFETY: the contract of `Execute`.
        return unsafe { store_affine::<M, W, N, LEVEL>(warp, step) };
    }
    if !W::COMMON || N > 1 || size_of::<M>() < 4 || size_of::<M>() != size_of::<M::Lane>() || warp.mask != u32::MAX {
        return None;
    }
    // SAFETY: the contract of `Execute`.
    unsafe {
        if address_of(step).narrow {
            store_simple::<M, W, true, LEVEL>(warp, step)
        } else {
            store_simple::<M, W, false, LEVEL>(warp, step)
        }
    }
}

/// How the addresses of half a warp lie to each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pattern {
    /// All are the first one.
    Same,
    /// Each is an element behind the one before.
    Row,
    Other,
}

/// Lanes whose addresses are tested together: half a warp, so that blocks of 16 threads a row are fast, too.
const HALF: usize = LANES / 2;

/// The pattern of 16 addresses of 64 bits, for elements of `BYTES` bytes.
#[inline(always)]
unsafe fn pattern64<const BYTES: usize, const LEVEL: u8>(at: *const u64) -> Pattern {
    use core::arch::x86_64::*;
    #[target_feature(enable = "avx512f")]
    #[inline]
    unsafe fn of512<const BYTES: usize>(at: *const u64) -> (bool, bool) {
        let n = BYTES as i64;
        // SAFETY: the caller gives 16 addresses.
        let (low, high, first) = unsafe {
            (_mm512_loadu_si512(at.cast()), _mm512_loadu_si512(at.add(8).cast()), _mm512_set1_epi64(*at as i64))
        };
        let row = _mm512_add_epi64(first, _mm512_setr_epi64(0, n, 2 * n, 3 * n, 4 * n, 5 * n, 6 * n, 7 * n));
        let next = _mm512_add_epi64(row, _mm512_set1_epi64(8 * n));
        let same = _mm512_cmpneq_epi64_mask(low, first) | _mm512_cmpneq_epi64_mask(high, first);
        let rows = _mm512_cmpneq_epi64_mask(low, row) | _mm512_cmpneq_epi64_mask(high, next);
        (same == 0, rows == 0)
    }
    let (same, row) = if LEVEL == SimdLevel::Avx512 as u8 {
        // SAFETY: this instance is called on machines of its level.
        unsafe { of512::<BYTES>(at) }
    } else {
        // SAFETY: the caller gives 16 addresses.
        let all = unsafe { *at.cast::<[u64; HALF]>() };
        let (mut same, mut row) = (0, 0);
        for (lane, address) in all.iter().enumerate() {
            same |= address ^ all[0];
            row |= address ^ all[0].wrapping_add((lane * BYTES) as u64);
        }
        (same == 0, row == 0)
    };
    match (same, row) {
        (true, _) => Pattern::Same,
        (_, true) => Pattern::Row,
        _ => Pattern::Other,
    }
}

/// The pattern of 16 addresses of 32 bits.
#[inline(always)]
unsafe fn pattern32<const BYTES: usize, const LEVEL: u8>(at: *const u32) -> Pattern {
    use core::arch::x86_64::*;
    #[target_feature(enable = "avx512f")]
    #[inline]
    unsafe fn of512<const BYTES: usize>(at: *const u32) -> (bool, bool) {
        // SAFETY: the caller gives 16 addresses.
        let (all, first) = unsafe { (_mm512_loadu_si512(at.cast()), _mm512_set1_epi32(*at as i32)) };
        let lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        let row = _mm512_add_epi32(first, _mm512_mullo_epi32(lanes, _mm512_set1_epi32(BYTES as i32)));
        (_mm512_cmpneq_epi32_mask(all, first) == 0, _mm512_cmpneq_epi32_mask(all, row) == 0)
    }
    let (same, row) = if LEVEL == SimdLevel::Avx512 as u8 {
        // SAFETY: this instance is called on machines of its level.
        unsafe { of512::<BYTES>(at) }
    } else {
        // SAFETY: the caller gives 16 addresses.
        let all = unsafe { *at.cast::<[u32; HALF]>() };
        let (mut same, mut row) = (0, 0);
        for (lane, address) in all.iter().enumerate() {
            same |= address ^ all[0];
            row |= address ^ all[0].wrapping_add((lane * BYTES) as u32);
        }
        (same == 0, row == 0)
    };
    match (same, row) {
        (true, _) => Pattern::Same,
        (_, true) => Pattern::Row,
        _ => Pattern::Other,
    }
}

/// The first address of half a warp, and the pattern of all.
#[inline(always)]
unsafe fn half_of<M: Memory, const N: usize, const LEVEL: u8>(warp: &Warp, step: &Step, half: usize) -> (u64, Pattern) {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let at = warp.frame.add(step.from[0] as usize);
        let known = matches!((size_of::<M>(), N), (_, 1));
        if !address_of(step).narrow {
            let at = at.cast::<u64>().add(half);
            let pattern = match size_of::<M>() {
                1 => pattern64::<1, LEVEL>(at),
                2 => pattern64::<2, LEVEL>(at),
                4 => pattern64::<4, LEVEL>(at),
                _ => pattern64::<8, LEVEL>(at),
            };
            (
                (*at).wrapping_add(base_of(warp, step)),
                if known || pattern == Pattern::Same { pattern } else { Pattern::Other },
            )
        } else {
            let at = at.cast::<u32>().add(half);
            let pattern = match size_of::<M>() {
                1 => pattern32::<1, LEVEL>(at),
                2 => pattern32::<2, LEVEL>(at),
                4 => pattern32::<4, LEVEL>(at),
                _ => pattern32::<8, LEVEL>(at),
            };
            let first = u64::from((*at).wrapping_add(address_of(step).offset as u32));
            (first, if known || pattern == Pattern::Same { pattern } else { Pattern::Other })
        }
    }
}

/// The address in this process of what a full address leads to.
#[inline]
pub unsafe fn translate(warp: &Warp, lane: usize, address: u64, bytes: usize, shared: bool) -> Result<u64, Fault> {
    if bytes == 0 && !shared {
        return Ok(address);
    }
    // SAFETY: the warp runs.
    unsafe {
        if shared {
            Shared::translate(warp, lane, address, bytes)
        } else {
            Plain::translate(warp, lane, address, bytes)
        }
    }
}

/// [`Window::translate`], unless all lanes have been tested together.
#[inline(always)]
unsafe fn place<W: Window>(warp: &Warp, lane: usize, address: u64, bytes: usize, direct: bool) -> Result<u64, Fault> {
    // SAFETY: the same contract.
    if direct { Ok(address) } else { unsafe { W::translate(warp, lane, address, bytes) } }
}

/// A load by all lanes.
#[inline(always)]
unsafe fn load_all<M: Memory, W: Window, const N: usize, const LEVEL: u8>(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`; what an address leads to is guarded.
    unsafe {
        let bytes = size_of::<M>() * N;
        let halves = [half_of::<M, N, LEVEL>(warp, step, 0), half_of::<M, N, LEVEL>(warp, step, HALF)];
        // Results may take the place of the addresses.
        let scattered = halves[0].1 == Pattern::Other || halves[1].1 == Pattern::Other;
        let all = if scattered { addresses(warp, step) } else { [0; LANES] };
        let direct = scattered && W::has_all(warp, &all, bytes);
        for half in 0..2 {
            let (first, pattern) = halves[half];
            let to = |n: usize| warp.frame.add(step.to[n] as usize).cast::<M::Lane>().add(half * HALF);
            if pattern == Pattern::Other {
                for lane in 0..HALF {
                    let address = all[half * HALF + lane];
                    if address & (bytes - 1) as u64 != 0 {
                        return Flow::Fault(Fault::Misaligned);
                    }
                    let at = match place::<W>(warp, half * HALF + lane, address, bytes, direct) {
                        Ok(at) => at as *const M,
                        Err(fault) => return Flow::Fault(fault),
                    };
                    for n in 0..N {
                        let value = at.add(n).read_volatile();
                        if N == 1 || step.to[n] != u32::MAX {
                            to(n).add(lane).write(value.widen());
                        }
                    }
                }
                continue;
            }
            if first & (bytes - 1) as u64 != 0 {
                return Flow::Fault(Fault::Misaligned);
            }
            let span = if pattern == Pattern::Row { size_of::<M>() * HALF } else { bytes };
            let at = match W::translate(warp, half * HALF, first, span) {
                Ok(at) => at as *const M,
                Err(fault) => return Flow::Fault(fault),
            };
            if pattern == Pattern::Row {
                let raw = at.cast::<[M; HALF]>().read_unaligned();
                let mut lanes = [M::Lane::default(); HALF];
                for lane in 0..HALF {
                    lanes[lane] = raw[lane].widen();
                }
                to(0).cast::<[M::Lane; HALF]>().write(lanes);
            } else {
                for n in 0..N {
                    let value = at.add(n).read_volatile();
                    if N == 1 || step.to[n] != u32::MAX {
                        to(n).cast::<[M::Lane; HALF]>().write([value.widen(); HALF]);
                    }
                }
            }
        }
    }
    Flow::Next
}

#[inline(always)]
unsafe fn load_body<M: Memory, W: Window, const N: usize, const LEVEL: u8>(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`; what an address leads to is guarded.
    unsafe {
        // Shared memory has been tried before. Machines without AVX2 do without, but for local memory, which all access by
        // this: it would be a sixtieth of the library.
        if (!W::COMMON || !W::ALONE && LEVEL != SimdLevel::Plain as u8)
            && is_affine(step)
            && let Some(flow) = load_affine::<M, W, N, LEVEL, true>(warp, step)
        {
            return flow;
        }
        let vectors = LEVEL != SimdLevel::Plain as u8 && W::COMMON && !is_affine(step);
        if vectors && warp.mask == u32::MAX && (N > 1 || step.to[0] != u32::MAX) {
            return load_all::<M, W, N, LEVEL>(warp, step);
        }
        let addresses = addresses_of::<LEVEL>(warp, step);
        let bytes = size_of::<M>() * N;
        let direct = LEVEL != SimdLevel::Plain as u8 && W::has_all(warp, &addresses, bytes);
        let mut left = warp.mask;
        while left != 0 {
            let lane = left.trailing_zeros() as usize & (LANES - 1);
            left &= left - 1;
            if addresses[lane] & (bytes - 1) as u64 != 0 {
                return Flow::Fault(Fault::Misaligned);
            }
            let at = match place::<W>(warp, lane, addresses[lane], bytes, direct) {
                Ok(at) => at as *const M,
                Err(fault) => return Flow::Fault(fault),
            };
            for n in 0..N {
                let value = at.add(n).read_volatile();
                if step.to[n] != u32::MAX {
                    warp.frame.add(step.to[n] as usize).cast::<M::Lane>().add(lane).write(value.widen());
                }
            }
        }
    }
    Flow::Next
}

/// What is left of a store, whose first lane cannot go where it wants, and why.
#[inline(always)]
pub unsafe fn store_rest<M: Memory, W: Window, const N: usize>(
    warp: &mut Warp,
    step: &Step,
    left: u32,
    why: Fault,
) -> Flow {
    if const { !W::COMMON || W::ALONE } {
        return Flow::Fault(why);
    }
    let (bytes, lane) = (size_of::<M>() as u8, size_of::<M::Lane>() as u8);
    // SAFETY: the same contract.
    unsafe { far::store(warp, step, left, far::Stored { count: N as u8, bytes, lane }) }
}

#[inline(always)]
unsafe fn store_body<M: Memory, W: Window, const N: usize, const LEVEL: u8>(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`; what an address leads to is guarded.
    unsafe {
        let bytes = size_of::<M>() * N;
        let value = |n: usize| warp.frame.add(step.from[n + 1] as usize).cast::<M::Lane>();
        let vectors = LEVEL != SimdLevel::Plain as u8 && W::COMMON;
        if vectors && N == 1 && warp.mask == u32::MAX && !is_affine(step) {
            let halves = [half_of::<M, N, LEVEL>(warp, step, 0), half_of::<M, N, LEVEL>(warp, step, HALF)];
            if halves.iter().all(|half| half.1 == Pattern::Row && half.0 & (bytes - 1) as u64 == 0) {
                for (half, (first, _)) in halves.into_iter().enumerate() {
                    let at = match W::translate(warp, half * HALF, first, bytes * HALF) {
                        Ok(at) => at as *mut M,
                        Err(fault) => return store_rest::<M, W, N>(warp, step, u32::MAX << (half * HALF), fault),
                    };
                    let lanes = value(0).add(half * HALF).cast::<[M::Lane; HALF]>().read();
                    let mut raw = [M::cut(lanes[0]); HALF];
                    for lane in 1..HALF {
                        raw[lane] = M::cut(lanes[lane]);
                    }
                    at.cast::<[M; HALF]>().write_unaligned(raw);
                }
                return Flow::Next;
            }
        }
        let addresses = addresses_of::<LEVEL>(warp, step);
        let direct = LEVEL != SimdLevel::Plain as u8 && W::has_all(warp, &addresses, bytes);
        let mut left = warp.mask;
        while left != 0 {
            let lane = left.trailing_zeros() as usize & (LANES - 1);
            left &= left - 1;
            if addresses[lane] & (bytes - 1) as u64 != 0 {
                return Flow::Fault(Fault::Misaligned);
            }
            let at = match place::<W>(warp, lane, addresses[lane], bytes, direct) {
                Ok(at) => at as *mut M,
                Err(fault) => return store_rest::<M, W, N>(warp, step, left | 1 << lane, fault),
            };
            for n in 0..N {
                at.add(n).write_volatile(M::cut(value(n).add(lane).read()));
            }
        }
    }
    Flow::Next
}

/// An access, once for every level of the machine: the quick ways, and what is left apart from them.
macro_rules! access {
    ($name:ident, $fast:ident, $body:ident) => {
        fn $name<M: Memory, W: Window, const N: usize>() -> Execute {
            unsafe fn plain<M: Memory, W: Window, const N: usize>(warp: &mut Warp, step: &Step) -> Flow {
                // SAFETY: the same contract.
                unsafe { $body::<M, W, N, { SimdLevel::Plain as u8 }>(warp, step) }
            }
            #[inline(never)]
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            unsafe fn slow<M: Memory, W: Window, const N: usize>(warp: &mut Warp, step: &Step) -> Flow {
                // SAFETY: the same contract.
                unsafe { $body::<M, W, N, { SimdLevel::Avx2 as u8 }>(warp, step) }
            }
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            unsafe fn avx2<M: Memory, W: Window, const N: usize>(warp: &mut Warp, step: &Step) -> Flow {
                // SAFETY: the same contract.
                match unsafe { $fast::<M, W, N, { SimdLevel::Avx2 as u8 }>(warp, step) } {
                    Some(flow) => flow,
                    // SAFETY: the same contract.
                    None => unsafe { slow::<M, W, N>(warp, step) },
                }
            }
            #[inline(never)]
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
            unsafe fn slow512<M: Memory, W: Window, const N: usize>(warp: &mut Warp, step: &Step) -> Flow {
                // SAFETY: the same contract.
                unsafe { $body::<M, W, N, { SimdLevel::Avx512 as u8 }>(warp, step) }
            }
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
            unsafe fn avx512<M: Memory, W: Window, const N: usize>(warp: &mut Warp, step: &Step) -> Flow {
                // SAFETY: the same contract.
                match unsafe { $fast::<M, W, N, { SimdLevel::Avx512 as u8 }>(warp, step) } {
                    Some(flow) => flow,
                    // SAFETY: the same contract.
                    None => unsafe { slow512::<M, W, N>(warp, step) },
                }
            }
            // Lanes with memory of their own each are gone through one after the other, whatever the machine has.
            if const { !W::COMMON } {
                return plain::<M, W, N>;
            }
            match simd_level() {
                SimdLevel::Plain => plain::<M, W, N>,
                SimdLevel::Avx2 => avx2::<M, W, N>,
                SimdLevel::Avx512 => avx512::<M, W, N>,
            }
        }
    };
}
access!(load, load_fast, load_body);
access!(store, store_fast, store_body);

macro_rules! pick {
    ($f:ident, $space:expr, $ty:expr, $wide:expr, $count:expr) => {{
        macro_rules! count {
            ($m:ty, $w:ty) => {
                match $count {
                    1 => Some($f::<$m, $w, 1>()),
                    2 => Some($f::<$m, $w, 2>()),
                    4 => Some($f::<$m, $w, 4>()),
                    _ => None,
                }
            };
        }
        macro_rules! ty {
            ($w:ty) => {
                match ($ty.bytes(), $ty.is_signed(), $wide) {
                    (1, false, false) => count!(In32<u8>, $w),
                    (1, true, false) => count!(In32<i8>, $w),
                    (2, false, false) => count!(In32<u16>, $w),
                    (2, true, false) => count!(In32<i16>, $w),
                    (4, _, false) => count!(In32<u32>, $w),
                    (1, false, true) => count!(In64<u8>, $w),
                    (1, true, true) => count!(In64<i8>, $w),
                    (2, false, true) => count!(In64<u16>, $w),
                    (2, true, true) => count!(In64<i16>, $w),
                    (4, false, true) => count!(In64<u32>, $w),
                    (4, true, true) => count!(In64<i32>, $w),
                    (8, _, true) => count!(In64<u64>, $w),
                    _ => None,
                }
            };
        }
        match $space {
            Space::Shared => ty!(Shared),
            Space::Local => ty!(Local),
            _ => ty!(Plain),
        }
    }};
}

/// A load of `count` elements into registers whose lanes have 64 bits if `wide`.
pub fn load_of(space: Space, ty: Type, wide: bool, count: usize) -> Option<Execute> {
    pick!(load, space, ty, wide, count)
}

/// A store of `count` elements.
pub fn store_of(space: Space, ty: Type, wide: bool, count: usize) -> Option<Execute> {
    pick!(store, space, ty, wide, count)
}

/// An address of shared memory as a generic one.
pub unsafe fn shared_to_generic(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let base = (*warp.around).shared;
        let offsets = vector::<u64>(warp, step.from[0]);
        set_vector(warp, step.to[0], &offsets.map(|o| base.wrapping_add(o)));
    }
    Flow::Next
}

/// A generic address as one of shared memory.
pub unsafe fn generic_to_shared(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let base = (*warp.around).shared;
        let offsets = vector::<u64>(warp, step.from[0]);
        set_vector(warp, step.to[0], &offsets.map(|o| o.wrapping_sub(base)));
    }
    Flow::Next
}

/// An address of local memory as a generic one.
pub unsafe fn local_to_generic(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let mut all = vector::<u64>(warp, step.from[0]);
        for (lane, address) in all.iter_mut().enumerate() {
            *address = address.wrapping_add(warp.local_of(lane));
        }
        set_vector(warp, step.to[0], &all);
    }
    Flow::Next
}

/// A generic address as one of local memory.
pub unsafe fn generic_to_local(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let mut all = vector::<u64>(warp, step.from[0]);
        for (lane, address) in all.iter_mut().enumerate() {
            *address = address.wrapping_sub(warp.local_of(lane));
        }
        set_vector(warp, step.to[0], &all);
    }
    Flow::Next
}

payload! {
    /// The space that `isspacep` asks for.
    pub enum AskedSpace {
        Shared,
        Local,
        Global,
        Constant,
        Parameters,
    }
}

/// `isspacep`.
pub unsafe fn is_space(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let all = vector::<u64>(warp, step.from[0]);
        let (shared, bytes) = ((*warp.around).shared, u64::from((*warp.around).shared_bytes));
        let constants = &warp.program().constants;
        let parameters = (*warp.around).parameter_words as u64 * 8;
        let mut bits = 0;
        for (lane, &address) in all.iter().enumerate() {
            let in_shared = address.wrapping_sub(shared) < bytes.max(1);
            let in_local = address.wrapping_sub(warp.local_of(lane)) < warp.stride;
            let holds = match step.payload() {
                AskedSpace::Shared => in_shared,
                AskedSpace::Local => in_local,
                AskedSpace::Global => !in_shared && !in_local && !constants.contains(&address),
                AskedSpace::Constant => constants.contains(&address),
                AskedSpace::Parameters => address.wrapping_sub((*warp.around).parameters) < parameters,
            };
            bits |= u32::from(holds) << lane;
        }
        crate::state::registers::set_predicate(warp, step.to[0], bits);
    }
    Flow::Next
}
