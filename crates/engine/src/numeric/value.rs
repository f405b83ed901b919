//! Values of lanes: how they lie in registers of 32 or 64 bits, and what is done with all 32 lanes of a vector at once.
//!
//! Values of up to 32 bits lie in lanes of 32 bits, others in lanes of 64. What the upper bits of a narrow value hold means
//! nothing; who reads it cuts it off.

use core::arch::x86_64::*;
use core::hint::black_box;
use std::sync::OnceLock;

/// Lanes of a warp.
pub const LANES: usize = 32;

/// A value of a lane.
pub trait Value: Copy {
    /// How it lies in the frame.
    type Lane: Affine;
    /// Out of the frame.
    fn get(lane: Self::Lane) -> Self;
    /// Into the frame.
    fn put(self) -> Self::Lane;
    /// Makes NaNs canonical where [`Value::put`] left that to be done for all lanes together.
    #[inline(always)]
    fn canonicalise<const LEVEL: u8>(_: &mut [Self::Lane; LANES]) {}
}

macro_rules! values {
    ($($ty:ty, $lane:ty, $get:expr, $put:expr;)*) => {
        $(impl Value for $ty {
            type Lane = $lane;
            #[inline(always)]
            fn get(lane: $lane) -> $ty {
                let get: fn($lane) -> $ty = $get;
                get(lane)
            }
            #[inline(always)]
            fn put(self) -> $lane {
                let put: fn($ty) -> $lane = $put;
                put(self)
            }
        })*
    };
}

values! {
    u8, u32, |v| v as u8, |v| u32::from(v);
    i8, u32, |v| v as i8, |v| v as i32 as u32;
    u16, u32, |v| v as u16, |v| u32::from(v);
    i16, u32, |v| v as i16, |v| v as i32 as u32;
    u32, u32, |v| v, |v| v;
    i32, u32, |v| v as i32, |v| v as u32;
    u64, u64, |v| v, |v| v;
    i64, u64, |v| v as i64, |v| v as u64;
    f32, u32, f32::from_bits, f32::to_bits;
    f64, u64, f64::from_bits, f64::to_bits;
}

/// Values that are affine in the lane: each follows from that of the first lane and a stride.
pub trait Affine: Copy + Default {
    /// The value of a lane.
    fn at_lane(self, lane: usize, stride: i64) -> Self;
    /// Those of all lanes.
    fn all<const LEVEL: u8>(self, stride: i64) -> [Self; LANES];
}

/// [`Affine::all`], once for all steps of machines without AVX2.
#[inline(never)]
fn all_plain<L: Affine>(first: L, stride: i64) -> [L; LANES] {
    core::array::from_fn(|lane| first.at_lane(lane, stride))
}

impl Affine for u32 {
    #[inline(always)]
    fn at_lane(self, lane: usize, stride: i64) -> u32 {
        self.wrapping_add((lane as u32).wrapping_mul(stride as u32))
    }

    #[inline(always)]
    fn all<const LEVEL: u8>(self, stride: i64) -> [u32; LANES] {
        #[target_feature(enable = "avx512f")]
        #[inline]
        fn all512(first: u32, stride: i32) -> [u32; LANES] {
            let lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
            let step = _mm512_set1_epi32(stride);
            let low = _mm512_add_epi32(_mm512_set1_epi32(first as i32), _mm512_mullo_epi32(lanes, step));
            let high = _mm512_add_epi32(low, _mm512_slli_epi32::<4>(step));
            let mut all = [0; LANES];
            // SAFETY: two halves of the array.
            unsafe {
                _mm512_storeu_epi32(all.as_mut_ptr().cast(), low);
                _mm512_storeu_epi32(all.as_mut_ptr().add(16).cast(), high);
            }
            all
        }
        if LEVEL == SimdLevel::Avx512 as u8 {
            // SAFETY: this instance is called on machines of its level.
            return unsafe { all512(self, stride as i32) };
        }
        if LEVEL == SimdLevel::Plain as u8 {
            return all_plain(self, stride);
        }
        core::array::from_fn(|lane| self.at_lane(lane, stride))
    }
}

impl Affine for u64 {
    #[inline(always)]
    fn at_lane(self, lane: usize, stride: i64) -> u64 {
        self.wrapping_add((lane as u64).wrapping_mul(stride as u64))
    }

    #[inline(always)]
    fn all<const LEVEL: u8>(self, stride: i64) -> [u64; LANES] {
        #[target_feature(enable = "avx512f,avx512dq")]
        #[inline]
        fn all512(first: u64, stride: i64) -> [u64; LANES] {
            let step = _mm512_set1_epi64(stride);
            let lanes = _mm512_mullo_epi64(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7), step);
            let mut part = _mm512_add_epi64(_mm512_set1_epi64(first as i64), lanes);
            let next = _mm512_slli_epi64::<3>(step);
            let mut all = [0; LANES];
            for n in 0..4 {
                // SAFETY: a quarter of the array.
                unsafe { _mm512_storeu_epi64(all.as_mut_ptr().add(8 * n).cast(), part) };
                part = _mm512_add_epi64(part, next);
            }
            all
        }
        if LEVEL == SimdLevel::Avx512 as u8 {
            // SAFETY: this instance is called on machines of its level.
            return unsafe { all512(self, stride) };
        }
        if LEVEL == SimdLevel::Plain as u8 {
            return all_plain(self, stride);
        }
        core::array::from_fn(|lane| self.at_lane(lane, stride))
    }
}

/// The number of lanes, for loops over them in steps, which begin with [`roll`].
#[inline(always)]
pub fn lanes<const LEVEL: u8>() -> usize {
    if LEVEL == SimdLevel::Plain as u8 { black_box(LANES).min(LANES) } else { LANES }
}

/// Keeps the compiler from unrolling a loop, and from making vectors of it, for machines without AVX2. There are few of them; unrolled,
/// their steps are a quarter of the library.
#[inline(always)]
pub fn roll<const LEVEL: u8>() {
    if LEVEL == SimdLevel::Plain as u8 {
        black_box(());
    }
}

/// Lanes of `a` where the mask has a one, of `b` elsewhere. Lanes have 32 or 64 bits.
#[inline(always)]
pub fn blend<L: Copy, const LEVEL: u8>(mask: u32, a: &[L; LANES], b: &[L; LANES]) -> [L; LANES] {
    use core::arch::x86_64::*;
    #[target_feature(enable = "avx512f")]
    #[inline]
    unsafe fn blend512<L: Copy>(mask: u32, a: &[L; LANES], b: &[L; LANES]) -> [L; LANES] {
        let mut all = *b;
        let (from, to) = (a.as_ptr().cast::<i32>(), all.as_mut_ptr().cast::<i32>());
        // Blended in registers: what a store with a mask writes cannot be loaded again before it has left for the cache.
        // SAFETY: vectors of 32 lanes of 4 or of 8 bytes.
        unsafe {
            if size_of::<L>() == 4 {
                for part in 0..2 {
                    let (new, old) = (_mm512_loadu_epi32(from.add(part * 16)), _mm512_loadu_epi32(to.add(part * 16)));
                    let value = _mm512_mask_mov_epi32(old, (mask >> (16 * part)) as u16, new);
                    _mm512_storeu_epi32(to.add(part * 16), value);
                }
            } else {
                for part in 0..4 {
                    let (from, to) = (from.add(part * 16).cast(), to.add(part * 16).cast());
                    let (new, old) = (_mm512_loadu_epi64(from), _mm512_loadu_epi64(to));
                    _mm512_storeu_epi64(to, _mm512_mask_mov_epi64(old, (mask >> (8 * part)) as u8, new));
                }
            }
        }
        all
    }
    const { assert!(size_of::<L>() == 4 || size_of::<L>() == 8) };
    if LEVEL == SimdLevel::Avx512 as u8 {
        // SAFETY: this instance is called on machines of its level.
        return unsafe { blend512(mask, a, b) };
    }
    if LEVEL == SimdLevel::Plain as u8 {
        return blend_plain(mask, a, b);
    }
    blend_any(mask, a, b)
}

/// [`blend`], once for all steps of machines without AVX2.
#[inline(never)]
fn blend_plain<L: Copy>(mask: u32, a: &[L; LANES], b: &[L; LANES]) -> [L; LANES] {
    blend_any(mask, a, b)
}

#[inline(always)]
fn blend_any<L: Copy>(mask: u32, a: &[L; LANES], b: &[L; LANES]) -> [L; LANES] {
    let mut all = *b;
    let (from, to) = (a.as_ptr(), all.as_mut_ptr());
    for lane in 0..LANES {
        // All ones or none, so that no branch is needed.
        let pick = (mask << (31 - lane)) as i32 >> 31;
        // SAFETY: lanes of the arrays, of 4 or of 8 bytes.
        unsafe {
            if size_of::<L>() == 4 {
                let (from, to) = (from.cast::<u32>().add(lane), to.cast::<u32>().add(lane));
                *to ^= (*to ^ *from) & pick as u32;
            } else {
                let (from, to) = (from.cast::<u64>().add(lane), to.cast::<u64>().add(lane));
                *to ^= (*to ^ *from) & i64::from(pick) as u64;
            }
        }
    }
    all
}

/// Which vector instructions the machine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum SimdLevel {
    /// SSE2, which every x86-64 has.
    Plain,
    /// AVX2, FMA and what came with them.
    Avx2,
    /// AVX-512 with the subsets that came first.
    Avx512,
}

/// The level of this machine: what compiled code could use.
pub fn simd_level() -> SimdLevel {
    #[cfg(test)]
    if let Some(level) = FORCED.get() {
        return level;
    }
    static LEVEL: OnceLock<SimdLevel> = OnceLock::new();
    *LEVEL.get_or_init(|| match compiler::level() {
        Some(compiler::Level::Avx512) => SimdLevel::Avx512,
        Some(compiler::Level::Avx2) => SimdLevel::Avx2,
        None => SimdLevel::Plain,
    })
}

#[cfg(test)]
thread_local! {
    static FORCED: core::cell::Cell<Option<SimdLevel>> = const { core::cell::Cell::new(None) };
}

/// Does something as on a machine of a level, which this one has to have: programs that are built in it have its steps.
#[cfg(test)]
pub fn at_level<T>(level: SimdLevel, f: impl FnOnce() -> T) -> T {
    FORCED.set(Some(level));
    let done = f();
    FORCED.set(None);
    done
}

/// True when the machine has AVX2, FMA and what came with them.
pub fn has_avx2() -> bool {
    simd_level() >= SimdLevel::Avx2
}

/// The lanes whose element is not zero but has all bits set, as a mask.
#[inline(always)]
pub fn pack<const LEVEL: u8>(lanes: &[i32; LANES]) -> u32 {
    use core::arch::x86_64::*;
    #[target_feature(enable = "avx512f,avx512dq")]
    #[inline]
    unsafe fn pack512(lanes: &[i32; LANES]) -> u32 {
        let at = lanes.as_ptr();
        // SAFETY: reads the array.
        let (low, high) = unsafe { (_mm512_loadu_si512(at.cast()), _mm512_loadu_si512(at.add(16).cast())) };
        u32::from(_mm512_movepi32_mask(low)) | u32::from(_mm512_movepi32_mask(high)) << 16
    }
    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn pack256(lanes: &[i32; LANES]) -> u32 {
        let at = lanes.as_ptr().cast::<__m256i>();
        let mut all = 0;
        for n in 0..4 {
            // SAFETY: reads the array.
            let part = unsafe { _mm256_loadu_si256(at.add(n)) };
            all |= (_mm256_movemask_ps(_mm256_castsi256_ps(part)) as u32) << (8 * n);
        }
        all
    }
    if LEVEL == SimdLevel::Avx512 as u8 {
        // SAFETY: this instance is called on machines of its level.
        unsafe { pack512(lanes) }
    } else if LEVEL == SimdLevel::Avx2 as u8 {
        // SAFETY: as above.
        unsafe { pack256(lanes) }
    } else {
        pack_plain(lanes)
    }
}

#[inline(never)]
fn pack_plain(lanes: &[i32; LANES]) -> u32 {
    let mut all = 0;
    for (lane, bits) in lanes.iter().enumerate() {
        all |= (*bits as u32 >> 31) << lane;
    }
    all
}

/// A vector whose lane `n` is lane `from[n]` of another one.
#[inline(always)]
pub fn permute<const LEVEL: u8>(a: &[u32; LANES], from: &[u32; LANES]) -> [u32; LANES] {
    use core::arch::x86_64::*;
    #[target_feature(enable = "avx512f")]
    #[inline]
    unsafe fn permute512(a: &[u32; LANES], from: &[u32; LANES]) -> [u32; LANES] {
        let mut all = [0; LANES];
        // SAFETY: vectors of 32 lanes of 4 bytes; of an index the lower five bits count.
        unsafe {
            let low = _mm512_loadu_epi32(a.as_ptr().cast());
            let high = _mm512_loadu_epi32(a.as_ptr().add(16).cast());
            for half in [0, 16] {
                let index = _mm512_loadu_epi32(from.as_ptr().add(half).cast());
                let picked = _mm512_permutex2var_epi32(low, index, high);
                _mm512_storeu_epi32(all.as_mut_ptr().add(half).cast(), picked);
            }
        }
        all
    }
    if LEVEL == SimdLevel::Avx512 as u8 {
        // SAFETY: this instance is called on machines of its level.
        return unsafe { permute512(a, from) };
    }
    let mut all = [0; LANES];
    for lane in 0..LANES {
        all[lane] = a[from[lane] as usize % LANES];
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What stands apart for machines without AVX2 is what it stands for.
    #[test]
    fn machines_without_avx2_get_the_same() {
        const PLAIN: u8 = SimdLevel::Plain as u8;
        let (a, b): ([u32; LANES], [u32; LANES]) =
            (core::array::from_fn(|n| n as u32 * 0x0101_0101), core::array::from_fn(|n| !(n as u32) << 3));
        let wide = |lanes: [u32; LANES]| lanes.map(|n| u64::from(n) << 31 | 5);
        assert_eq!(lanes::<PLAIN>(), LANES);
        for mask in [0, 1, 0x8000_0000, 0x5555_aaaa, u32::MAX] {
            let chosen: [u32; LANES] = core::array::from_fn(|n| if mask >> n & 1 == 1 { a[n] } else { b[n] });
            assert_eq!(blend::<_, PLAIN>(mask, &a, &b), chosen);
            assert_eq!(blend::<_, PLAIN>(mask, &wide(a), &wide(b)), wide(chosen));
            let bits: [i32; LANES] = core::array::from_fn(|n| -((mask >> n & 1) as i32));
            assert_eq!(pack::<PLAIN>(&bits), mask);
        }
        for stride in [0, 1, -7, 1 << 40] {
            let narrow: [u32; LANES] = core::array::from_fn(|n| 9u32.wrapping_add((n as i64 * stride) as u32));
            let long: [u64; LANES] = core::array::from_fn(|n| 9u64.wrapping_add((n as i64 * stride) as u64));
            assert_eq!(9u32.all::<PLAIN>(stride), narrow);
            assert_eq!(9u64.all::<PLAIN>(stride), long);
        }
    }
}
