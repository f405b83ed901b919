//! Elements of up to 16 bytes, for all lanes.

use crate::numeric::value::LANES;
use core::arch::x86_64::*;

/// An element's bytes.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub struct Element(pub [u8; 16]);

/// What lies where nothing is.
pub static NOTHING: Element = Element([0; 16]);

/// Reads the element of each lane: word `n` of lane `l` to `to[n * apart + l]`. Elements have 1, 2, 4, 8 or 16 bytes.
///
/// # Safety
/// Inside of [`guard::run`]; addresses are multiples of the size, and there is room for all words.
#[inline(always)]
pub unsafe fn gather(address: &[i64; LANES], bytes: usize, to: *mut u32, apart: usize) {
    // SAFETY: the contract of this function.
    unsafe {
        match bytes {
            1 => one(address, to, |at| u32::from((at as *const u8).read_volatile())),
            2 => one(address, to, |at| u32::from((at as *const u16).read_volatile())),
            4 => one(address, to, |at| (at as *const u32).read_volatile()),
            8 => two(address, to, apart),
            _ => four(address, to, apart),
        }
    }
}

/// Reads elements of a word or less.
#[inline(always)]
unsafe fn one(address: &[i64; LANES], to: *mut u32, read: impl Fn(i64) -> u32) {
    for (lane, &at) in address.iter().enumerate() {
        // SAFETY: lanes of the word.
        unsafe { to.add(lane).write(read(at)) };
    }
}

/// Reads elements of two words.
#[inline(always)]
unsafe fn two(address: &[i64; LANES], to: *mut u32, apart: usize) {
    for lane in (0..LANES).step_by(4) {
        // SAFETY: as for `one`, four lanes at a time.
        unsafe {
            let read = |n: usize| _mm_loadl_epi64(address[lane + n] as *const __m128i);
            let near = _mm_unpacklo_epi32(read(0), read(1));
            let far = _mm_unpacklo_epi32(read(2), read(3));
            _mm_storeu_si128(to.add(lane).cast(), _mm_unpacklo_epi64(near, far));
            _mm_storeu_si128(to.add(apart + lane).cast(), _mm_unpackhi_epi64(near, far));
        }
    }
}

/// Reads elements of four words.
#[inline(always)]
unsafe fn four(address: &[i64; LANES], to: *mut u32, apart: usize) {
    for lane in (0..LANES).step_by(4) {
        // SAFETY: as for `two`.
        unsafe {
            let read = |n: usize| _mm_loadu_si128(address[lane + n] as *const __m128i);
            let (a, b, c, d) = (read(0), read(1), read(2), read(3));
            let (ab, cd) = (_mm_unpacklo_epi32(a, b), _mm_unpacklo_epi32(c, d));
            let (ab_high, cd_high) = (_mm_unpackhi_epi32(a, b), _mm_unpackhi_epi32(c, d));
            let words = [
                _mm_unpacklo_epi64(ab, cd),
                _mm_unpackhi_epi64(ab, cd),
                _mm_unpacklo_epi64(ab_high, cd_high),
                _mm_unpackhi_epi64(ab_high, cd_high),
            ];
            for (word, lanes) in words.into_iter().enumerate() {
                _mm_storeu_si128(to.add(word * apart + lane).cast(), lanes);
            }
        }
    }
}
