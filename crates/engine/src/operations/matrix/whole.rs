//! Products of factors of 16 bits that are whole numbers of few bits, times a power of two for each factor, with AVX-512: such
//! products are added up without loss by the machine's instruction for pairs of numbers of 16 bits.
//!
//! What a sum cuts off ([`numbers`](super::numbers)) lies 25 bits below the highest exponent. The left factor is taken as numbers of
//! 15 bits, the right one as numbers of 12, below the highest exponent of each: a unit of a product of two is just the last bit
//! that is kept where the highest exponents meet, so that nothing is cut off of products, and 16 of them fit into 32 bits.
//! What is added to them may still be cut off. Whatever does not fit is left to [`quads`](super::quads).

#![allow(clippy::needless_range_loop)] // Several arrays go by the same number.

use super::known::{BF16, F16, Known, MOST_RESULTS, ROWS};
use super::quads::{Half, Results, finish, half, picks};
use super::{Product, with_scratch};
use crate::state::warp::Warp;
use core::arch::asm;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

/// So many products are not tried after one whose factors did not fit: those that come next are likely to be like it.
const PAUSE: u32 = if cfg!(test) { 0 } else { 31 };

/// Left factors that are kept, by their first registers: loops multiply few of them by many right ones.
const KEPT: usize = 32;

/// What a thread keeps from one product to the next.
#[derive(Default)]
pub struct Memory {
    /// Products that are not tried.
    paused: u32,
    lefts: Vec<Left>,
    /// The highest exponent that the last right factor was taken apart with: the next one is likely to fit below it, too.
    top: u32,
}

/// A left factor: the words that it was made of, with so many bits of fraction (0: none), and what they are as numbers.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Left {
    words: [Half; 8],
    /// Two columns of 16 rows each: place `4 * n + m` has those of row `4 * m + n`.
    columns: [Half; 8],
    /// Shifts of two registers as bytes.
    shifts: [Half; 4],
    /// [`zeros_below`].
    zeros: u32,
    top: u32,
    fraction: u32,
}

/// Shifts are less than 16; of zeros they are this.
const NONE: i32 = 64;

/// Computes a product, if it is one of those that this module knows. False: nothing was done.
///
/// # Safety
/// The contract of [`Execute`](crate::state::warp::Execute), and the machine's level is AVX-512.
#[inline]
pub unsafe fn product(warp: &mut Warp, product: &Product) -> bool {
    let Some(Known::Floats { kind: kind @ (F16 | BF16), deep }) = product.known else { return false };
    if !is_x86_feature_detected!("avx512vnni") {
        return false;
    }
    let mut done = false;
    with_scratch(|scratch| {
        let memory = &mut scratch.whole;
        if memory.paused != 0 {
            memory.paused -= 1;
            return;
        }
        // SAFETY: the same contract.
        done = unsafe {
            match (kind, deep) {
                (F16, 1) => run::<F16, 1>(warp, product, memory),
                (F16, _) => run::<F16, 2>(warp, product, memory),
                (_, 1) => run::<BF16, 1>(warp, product, memory),
                _ => run::<BF16, 2>(warp, product, memory),
            }
        };
        if !done {
            memory.paused = PAUSE;
        }
    });
    done
}

/// Bits of the fraction.
const fn fraction(kind: u8) -> u32 {
    if kind == F16 { 10 } else { 7 }
}

/// The highest of unsigned numbers of 16 bits.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512vnni")]
fn highest(all: __m512i) -> u32 {
    let all = _mm256_max_epu16(_mm512_castsi512_si256(all), _mm512_extracti64x4_epi64::<1>(all));
    let all = _mm_max_epu16(_mm256_castsi256_si128(all), _mm256_extracti128_si256::<1>(all));
    // The machine finds the least one.
    let least = _mm_minpos_epu16(_mm_xor_si128(all, _mm_set1_epi16(-1)));
    !(_mm_cvtsi128_si32(least) as u32) & 0xffff
}

/// Zeros below all numbers of 16 bits that are not zero.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512vnni")]
fn zeros_below(numbers: &[Half]) -> u32 {
    let mut all = _mm512_setzero_si512();
    for &number in numbers {
        all = _mm512_or_si512(all, number);
    }
    let all = _mm256_or_si256(_mm512_castsi512_si256(all), _mm512_extracti64x4_epi64::<1>(all));
    let all = _mm_or_si128(_mm256_castsi256_si128(all), _mm256_extracti128_si256::<1>(all));
    let all = _mm_cvtsi128_si64(_mm_or_si128(all, _mm_unpackhi_epi64(all, all)));
    let all = all | all >> 32;
    (all | all >> 16).trailing_zeros().min(15)
}

/// A factor as whole numbers, and how far each is below the highest exponent.
struct Factor<const COUNT: usize> {
    numbers: [Half; COUNT],
    shifts: [Half; COUNT],
    /// The exponents' field of the highest, less one.
    top: u32,
}

/// The highest exponent of numbers, as their field less one. None: there are infinities or NaNs.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512vnni")]
fn top_of<const KIND: u8>(words: &[Half]) -> Option<u32> {
    let mut all = _mm512_setzero_si512();
    for &word in words {
        all = _mm512_max_epu16(all, _mm512_slli_epi16::<1>(word));
    }
    let field = highest(all) >> (fraction(KIND) + 1);
    // Subnormal numbers have the least exponent.
    (field != if KIND == F16 { 31 } else { 255 }).then_some(field.saturating_sub(1))
}

/// Takes numbers apart, with so many bits below the significand and one more, by an exponent. None: they do not fit, or some have a
/// higher one.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512vnni")]
fn factor<const KIND: u8, const MORE: u32, const COUNT: usize>(
    words: [Half; COUNT],
    top: u32,
) -> Option<Factor<COUNT>> {
    let zero = _mm512_setzero_si512();
    let by = _mm_cvtsi32_si128(fraction(KIND) as i32 + 1);
    let tops = _mm512_set1_epi16(top as i16);
    let mut lost = zero;
    let (mut numbers, mut shifts) = ([zero; COUNT], [zero; COUNT]);
    for n in 0..COUNT {
        let magnitude = _mm512_slli_epi16::<1>(words[n]);
        let exponent = _mm512_subs_epu16(_mm512_srl_epi16(magnitude, by), _mm512_set1_epi16(1));
        let significand = _mm512_sub_epi16(magnitude, _mm512_sll_epi16(exponent, by));
        let significand = _mm512_slli_epi16::<MORE>(significand);
        // Below zero for higher exponents, infinities and NaNs: nothing is left of the significand, which is lost.
        shifts[n] = _mm512_sub_epi16(tops, exponent);
        let number = _mm512_srlv_epi16(significand, shifts[n]);
        lost = _mm512_or_si512(lost, _mm512_xor_si512(_mm512_sllv_epi16(number, shifts[n]), significand));
        numbers[n] = _mm512_mask_sub_epi16(number, _mm512_movepi16_mask(words[n]), zero, number);
    }
    (_mm512_test_epi32_mask(lost, lost) == 0).then_some(Factor { numbers, shifts, top })
}

/// The right factor, by the exponent of the last one if it fits.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512vnni")]
fn right_factor<const KIND: u8, const MORE: u32, const COUNT: usize>(
    words: [Half; COUNT],
    last: &mut u32,
) -> Option<Factor<COUNT>> {
    if let Some(factor) = factor::<KIND, MORE, COUNT>(words, *last) {
        return Some(factor);
    }
    let top = top_of::<KIND>(&words)?;
    // By the same one they do not fit again.
    if core::mem::replace(last, top) == top {
        return None;
    }
    factor::<KIND, MORE, COUNT>(words, top)
}

/// Turns four by four words, in each four lanes: register `m` has in place `n` what register `n` had in place `m`.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512vnni")]
fn turned([a, b, c, d]: [Half; 4]) -> [Half; 4] {
    let (low, high) = (_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
    let (lower, higher) = (_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
    [
        _mm512_unpacklo_epi64(low, lower),
        _mm512_unpackhi_epi64(low, lower),
        _mm512_unpacklo_epi64(high, higher),
        _mm512_unpackhi_epi64(high, higher),
    ]
}

/// Shifts of half a register as bytes, and above them those of the one that is `more` behind it, if that is another.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512vnni")]
fn bytes<const COUNT: usize>(factor: &Factor<COUNT>, at: usize, more: usize) -> Half {
    let none = _mm512_set1_epi16(NONE as i16);
    let (low, high) = (factor.numbers[at], factor.numbers[at + more]);
    let low = _mm512_mask_mov_epi16(factor.shifts[at], _mm512_testn_epi16_mask(low, low), none);
    if more == 0 {
        return _mm512_or_si512(low, _mm512_slli_epi16::<8>(none));
    }
    let high = _mm512_mask_mov_epi16(factor.shifts[at + more], _mm512_testn_epi16_mask(high, high), none);
    _mm512_or_si512(low, _mm512_slli_epi16::<8>(high))
}

/// The left factor with such words: a new one if there is none. None: it does not fit.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512vnni")]
fn left_factor<const KIND: u8, const MORE: u32, const COUNT: usize>(
    words: [Half; COUNT],
    register: u32,
    lefts: &mut Vec<Left>,
) -> Option<&Left> {
    let zero = _mm512_setzero_si512();
    if lefts.is_empty() {
        let nothing = Left { words: [zero; 8], columns: [zero; 8], shifts: [zero; 4], zeros: 0, top: 0, fraction: 0 };
        lefts.resize(KEPT, nothing);
    }
    let kept = lefts.get_mut(register as usize / 128 % KEPT)?;
    let mut differ = zero;
    for n in 0..COUNT {
        differ = _mm512_or_si512(differ, _mm512_xor_si512(words[n], kept.words[n]));
    }
    // Of fewer registers the others are zeros.
    let same = kept.fraction == fraction(KIND) + COUNT as u32 && _mm512_test_epi32_mask(differ, differ) == 0;
    if !same {
        let factor = factor::<KIND, MORE, COUNT>(words, top_of::<KIND>(&words)?)?;
        let second = COUNT / 4 - 1;
        for n in 0..4 {
            kept.shifts[n] = bytes(&factor, n, 4 * second);
        }
        kept.words[..COUNT].copy_from_slice(&words);
        for (columns, rows) in kept.columns.chunks_exact_mut(4).zip(factor.numbers.chunks_exact(4)) {
            columns.copy_from_slice(&turned([rows[0], rows[1], rows[2], rows[3]]));
        }
        kept.zeros = zeros_below(&factor.numbers);
        kept.top = factor.top;
        kept.fraction = fraction(KIND) + COUNT as u32;
    }
    Some(kept)
}

#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512vnni")]
unsafe fn run<const KIND: u8, const DEEP: usize>(warp: &mut Warp, product: &Product, memory: &mut Memory) -> bool {
    let mut results: Results = [[MaybeUninit::uninit(); 2]; MOST_RESULTS];
    let blocks = product.rows / ROWS;
    for (panel, right) in product.b.registers.chunks_exact(DEEP).enumerate() {
        for (block, left) in product.a.registers.chunks_exact(2 * DEEP).enumerate() {
            let at = (panel * blocks + block) * 4;
            let (Some(sums), Some(results)) = (product.c.registers.get(at..at + 4), results.get_mut(at..at + 4)) else {
                return false;
            };
            // SAFETY: registers of the frame.
            let done = unsafe {
                match (KIND, DEEP) {
                    (F16, 1) => tile::<F16, 3, 0, 4, 2>(warp, left, right, sums, memory, results),
                    (F16, _) => tile::<F16, 3, 0, 8, 4>(warp, left, right, sums, memory, results),
                    (_, 1) => tile::<KIND, 6, 3, 4, 2>(warp, left, right, sums, memory, results),
                    _ => tile::<KIND, 6, 3, 8, 4>(warp, left, right, sums, memory, results),
                }
            };
            if !done {
                return false;
            }
        }
    }
    // SAFETY: as above.
    unsafe { finish(warp, product, &results) };
    true
}

/// Sixteen rows and eight columns: `LEFT` and `RIGHT` bits, and one more, below the significands of the factors, which are so many
/// halves of registers.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512vnni")]
unsafe fn tile<const KIND: u8, const LEFT: u32, const RIGHT: u32, const A: usize, const B: usize>(
    warp: &Warp,
    left: &[u32],
    right: &[u32],
    sums: &[u32],
    memory: &mut Memory,
    results: &mut [[MaybeUninit<Half>; 2]],
) -> bool {
    let zero = _mm512_setzero_si512();
    let (mut a, mut b) = ([zero; A], [zero; B]);
    for n in 0..A {
        // SAFETY: registers of the frame.
        a[n] = unsafe { half(warp, left[n / 2], n % 2) };
    }
    for n in 0..B {
        // SAFETY: as above.
        b[n] = unsafe { half(warp, right[n / 2], n % 2) };
    }
    let Some(b) = right_factor::<KIND, RIGHT, B>(b, &mut memory.top) else { return false };
    let Some(a) = left_factor::<KIND, LEFT, A>(a, left[0], &mut memory.lefts) else { return false };
    // A unit of a product, as a power of two. What is added is scaled up to units: no number becomes subnormal.
    let bias = if KIND == F16 { 15 } else { 127 };
    let unit = (a.top + b.top) as i32 - 2 * (bias - 1) - 25;
    if !(-100..=0).contains(&unit) {
        return false;
    }
    // SAFETY: two to a power that singles have.
    let power = |n: i32| f32::from_bits(((127 + n) as u32) << 23);
    let (up, down) = (_mm512_set1_ps(power(-unit)), _mm512_set1_ps(power(unit)));

    // By columns of the result, each of all rows: two columns of the left factor, and two rows of a column of the right one, which the
    // instruction takes from memory.
    let mut columns = [zero; 8];
    macro_rules! member {
        ($n:literal, $member:literal) => {
            if $n < B / 2 {
                let [c0, c1, c2, c3, c4, c5, c6, c7] = &mut columns;
                // The compiler makes two instructions of the intrinsic.
                // SAFETY: the machine has the instruction, as all callers require; the right factor has so many numbers.
                unsafe {
                    asm!(
                        "vpdpwssd {c0}, {a}, dword ptr [{b} + {at}]{{1to16}}",
                        "vpdpwssd {c1}, {a}, dword ptr [{b} + {at} + 16]{{1to16}}",
                        "vpdpwssd {c2}, {a}, dword ptr [{b} + {at} + 32]{{1to16}}",
                        "vpdpwssd {c3}, {a}, dword ptr [{b} + {at} + 48]{{1to16}}",
                        "vpdpwssd {c4}, {a}, dword ptr [{b} + {at} + 64]{{1to16}}",
                        "vpdpwssd {c5}, {a}, dword ptr [{b} + {at} + 80]{{1to16}}",
                        "vpdpwssd {c6}, {a}, dword ptr [{b} + {at} + 96]{{1to16}}",
                        "vpdpwssd {c7}, {a}, dword ptr [{b} + {at} + 112]{{1to16}}",
                        c0 = inout(zmm_reg) *c0,
                        c1 = inout(zmm_reg) *c1,
                        c2 = inout(zmm_reg) *c2,
                        c3 = inout(zmm_reg) *c3,
                        c4 = inout(zmm_reg) *c4,
                        c5 = inout(zmm_reg) *c5,
                        c6 = inout(zmm_reg) *c6,
                        c7 = inout(zmm_reg) *c7,
                        a = in(zmm_reg) a.columns[4 * $n + $member],
                        b = in(reg) b.numbers.as_ptr(),
                        at = const 128 * $n + 4 * $member,
                        options(pure, readonly, nostack)
                    );
                }
            }
        };
    }
    member!(0, 0);
    member!(0, 1);
    member!(0, 2);
    member!(0, 3);
    member!(1, 0);
    member!(1, 1);
    member!(1, 2);
    member!(1, 3);
    let [c0, c1, c2, c3, c4, c5, c6, c7] = columns;
    let (even, odd) = (turned([c0, c2, c4, c6]), turned([c1, c3, c5, c7]));

    const TOWARD_ZERO: i32 = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
    let mut before = [[_mm512_setzero_ps(); 2]; 4];
    let mut wholes = [[zero; 2]; 4];
    let mut others = 0;
    let mut most = zero;
    for rows in 0..4 {
        for parity in 0..2 {
            // SAFETY: registers of the frame.
            let bits = unsafe { half(warp, sums[rows / 2 * 2 + parity], rows % 2) };
            let own = _mm512_mul_ps(_mm512_castsi512_ps(bits), up);
            // A whole number of 32 bits is the same again; what is none, and a NaN, is not.
            let whole = _mm512_cvttps_epi32(own);
            others |= _mm512_cmp_ps_mask::<_CMP_NEQ_UQ>(_mm512_cvtepi32_ps(whole), own);
            // NaNs are above all numbers.
            most = _mm512_max_epu32(most, _mm512_castps_si512(_mm512_abs_ps(own)));
            before[rows][parity] = own;
            wholes[rows][parity] = whole;
        }
    }
    let above = |n: i32| _mm512_cmp_ps_mask::<_CMP_NLT_UQ>(_mm512_castsi512_ps(most), _mm512_set1_ps(power(n))) != 0;
    // An exponent above the highest that a product may have: nothing is cut off of products all the same, if they have zeros enough
    // at their ends.
    if above(26) && above(26 + (a.zeros + zeros_below(&b.numbers)) as i32) {
        return false;
    }
    if others == 0 {
        let mut overflow = zero;
        for rows in 0..4 {
            for parity in 0..2 {
                let (products, own) = ([even, odd][parity][rows], wholes[rows][parity]);
                let sum = _mm512_add_epi32(products, own);
                let signs = _mm512_and_si512(_mm512_xor_si512(products, sum), _mm512_xor_si512(own, sum));
                overflow = _mm512_or_si512(overflow, signs);
                let rounded = _mm512_cvt_roundepi32_ps::<TOWARD_ZERO>(sum);
                let result = _mm512_mul_ps(rounded, down);
                results[rows / 2 * 2 + parity][rows % 2].write(_mm512_castps_si512(result));
            }
        }
        if _mm512_movepi32_mask(overflow) == 0 {
            return true;
        }
    }
    if others != 0 {
        // How far the highest exponents of products are below that of the highest ones.
        let mut least = [[_mm512_set1_epi8(-1); 2]; 4];
        let second = B / 2 - 1;
        let b = [bytes(&b, 0, 2 * second), bytes(&b, 1, 2 * second)];
        macro_rules! member {
            ($member:literal) => {
                for parity in 0..2 {
                    // SAFETY: there are so many.
                    let column = _mm512_permutex2var_epi32(b[0], unsafe { picks($member, parity) }, b[1]);
                    for rows in 0..4 {
                        let row = _mm512_shuffle_epi32::<{ $member * 0x55 }>(a.shifts[rows]);
                        least[rows][parity] = _mm512_min_epu8(least[rows][parity], _mm512_add_epi8(row, column));
                    }
                }
            };
        }
        member!(0);
        member!(1);
        member!(2);
        member!(3);
        for rows in 0..4 {
            for parity in 0..2 {
                let all = least[rows][parity];
                let all = _mm512_min_epu8(all, _mm512_srli_epi32::<16>(all));
                let all = _mm512_and_si512(_mm512_min_epu8(all, _mm512_srli_epi32::<8>(all)), _mm512_set1_epi32(0xff));
                let some = _mm512_cmplt_epu32_mask(all, _mm512_set1_epi32(NONE));
                let (by, own) = (_mm512_cvtepi32_ps(all), before[rows][parity]);
                let whole = _mm512_roundscale_ps::<TOWARD_ZERO>(_mm512_scalef_ps(own, by));
                let back = _mm512_sub_ps(_mm512_setzero_ps(), by);
                // Where there are no products, nothing is cut off.
                before[rows][parity] = _mm512_mask_scalef_ps(own, some, whole, back);
            }
        }
    }
    let mut inexact = 0;
    for rows in 0..4 {
        for parity in 0..2 {
            let products = [even, odd][parity][rows];
            let singles = _mm512_cvtepi32_ps(products);
            inexact |= _mm512_cmpneq_epi32_mask(_mm512_cvttps_epi32(singles), products);
            let sum = _mm512_add_round_ps::<TOWARD_ZERO>(singles, before[rows][parity]);
            let result = _mm512_mul_round_ps::<TOWARD_ZERO>(sum, down);
            // A zero has no sign.
            let result = _mm512_add_ps(result, _mm512_setzero_ps());
            results[rows / 2 * 2 + parity][rows % 2].write(_mm512_castps_si512(result));
        }
    }
    inexact == 0
}
