//! Products of fragments as the lanes hold them, with AVX-512: groups of four lanes hold a row of the left factor and of the
//! result, so that a shuffle within four lanes brings an element of the left factor to all results that want it.
//!
//! Floating point is what [`numbers`](super::numbers) says, with exponents in bytes and everything else in singles. Where that
//! does not hold (infinities, NaNs, exponents far from 0, sums that leave 32 bits) the answer is no, and [`wide`](super::wide)
//! does the product.

#![allow(clippy::needless_range_loop)] // Several arrays go by the same number.

use super::Product;
use super::known::{BF16, F16, FRACTION, Known, LEAST, MOST, MOST_RESULTS, NONE, ROWS, TF32, by_kind};
use crate::state::warp::Warp;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

/// The exponent of a product of nothing is below that.
const LEAST_PRODUCT: f32 = -88.0;

/// Half of a register: what 16 lanes hold.
pub(super) type Half = __m512i;

/// Computes a product, if it is one of those that this module knows. False: nothing was done.
///
/// # Safety
/// The contract of [`Execute`](crate::state::warp::Execute), and the machine's level is AVX-512.
#[inline]
pub unsafe fn product(warp: &mut Warp, product: &Product) -> bool {
    // SAFETY: the machine has what the functions are made for; the same contract.
    unsafe {
        match product.known {
            Some(Known::Floats { kind, deep }) => by_kind!(kind, deep, floats(warp, product)),
            Some(Known::Integers { signed, saturate }) if is_x86_feature_detected!("avx512vnni") => {
                integers(warp, product, signed, saturate);
                true
            }
            _ => false,
        }
    }
}

/// Half of a register of a fragment.
#[inline(always)]
pub(super) unsafe fn half(warp: &Warp, register: u32, half: usize) -> Half {
    // SAFETY: a vector of the frame has two.
    unsafe { _mm512_loadu_si512(warp.frame.add(register as usize + 64 * half).cast()) }
}

/// Results that are written when nothing is read any more: as many as the product has.
pub(super) type Results = [[MaybeUninit<Half>; 2]; MOST_RESULTS];

/// Writes the results.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
pub(super) unsafe fn finish(warp: &mut Warp, product: &Product, results: &Results) {
    for (&register, result) in product.d.registers.iter().zip(results) {
        for half in 0..2 {
            let mask = (warp.mask >> (16 * half)) as __mmask16;
            // SAFETY: two halves are a vector; a register of the frame.
            unsafe {
                let to = warp.frame.add(register as usize + 64 * half).cast();
                // What is stored with a mask is not at hand for the next load.
                if mask == 0xffff {
                    _mm512_storeu_epi32(to, result[half].assume_init());
                } else {
                    _mm512_mask_storeu_epi32(to, mask, result[half].assume_init());
                }
            }
        }
    }
}

/// For each lane the lane of the right factor that has column `2 * (lane % 4) + odd` and is number `member` of its four.
#[inline(always)]
fn columns(member: usize, odd: usize) -> [u32; 16] {
    core::array::from_fn(|lane| ((lane % 4 * 2 + odd) * 4 + member) as u32)
}

/// [`columns`] by member and parity.
static PICKS: [[[u32; 16]; 2]; 4] = {
    let mut all = [[[0; 16]; 2]; 4];
    let mut n = 0;
    while n < 128 {
        let (member, odd, lane) = (n / 32, n / 16 % 2, n % 16);
        all[member][odd][lane] = ((lane % 4 * 2 + odd) * 4 + member) as u32;
        n += 1;
    }
    all
};

#[inline(always)]
pub(super) unsafe fn picks(member: usize, odd: usize) -> Half {
    debug_assert_eq!(PICKS[member][odd], columns(member, odd));
    // SAFETY: an array of the vector's size.
    unsafe { _mm512_loadu_si512(PICKS[member][odd].as_ptr().cast()) }
}

/// Elements number `N` of each lane, as singles.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
fn singles<const KIND: u8, const N: u32>(words: Half) -> __m512 {
    match (KIND, N) {
        (F16, 0) => _mm512_cvtph_ps(_mm512_cvtepi32_epi16(words)),
        (F16, _) => _mm512_cvtph_ps(_mm512_cvtepi32_epi16(_mm512_srli_epi32::<16>(words))),
        (BF16, 0) => _mm512_castsi512_ps(_mm512_slli_epi32::<16>(words)),
        (BF16, _) => _mm512_castsi512_ps(_mm512_and_si512(words, _mm512_set1_epi32(0xffff_0000_u32 as i32))),
        _ => _mm512_castsi512_ps(_mm512_and_si512(words, _mm512_set1_epi32(0xffff_e000_u32 as i32))),
    }
}

/// Exponents of elements of 16 bits, in bytes. None if there are some that this module does not know.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
fn exponents<const KIND: u8>(words: Half, odd: &mut u32) -> __m256i {
    let magnitude = _mm512_and_si512(words, _mm512_set1_epi16(0x7fff));
    let none = _mm512_testn_epi16_mask(magnitude, magnitude);
    let none_at = _mm512_set1_epi16(NONE as i16);
    let exponent = if KIND == F16 {
        let field = _mm512_srli_epi16::<10>(magnitude);
        *odd |= _mm512_cmpge_epu16_mask(field, _mm512_set1_epi16(31));
        // Subnormal numbers have the least exponent, and are less than 1 then.
        _mm512_sub_epi16(_mm512_max_epu16(field, _mm512_set1_epi16(1)), _mm512_set1_epi16(15))
    } else {
        let exponent = _mm512_sub_epi16(_mm512_srli_epi16::<7>(magnitude), _mm512_set1_epi16(127));
        let above = _mm512_sub_epi16(exponent, _mm512_set1_epi16(LEAST as i16));
        *odd |= _mm512_mask_cmpgt_epu16_mask(!none, above, _mm512_set1_epi16((MOST - LEAST) as i16));
        exponent
    };
    _mm512_cvtepi16_epi8(_mm512_mask_mov_epi16(exponent, none, none_at))
}

/// The same of elements of 32 bits.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
fn exponents_wide(words: Half, odd: &mut u32) -> __m128i {
    let magnitude = _mm512_and_si512(words, _mm512_set1_epi32(0x7fff_e000));
    let none = _mm512_testn_epi32_mask(magnitude, magnitude);
    let exponent = _mm512_sub_epi32(_mm512_srli_epi32::<23>(magnitude), _mm512_set1_epi32(127));
    let above = _mm512_sub_epi32(exponent, _mm512_set1_epi32(LEAST));
    *odd |= u32::from(_mm512_mask_cmpgt_epu32_mask(!none, above, _mm512_set1_epi32(MOST - LEAST)));
    _mm512_cvtepi32_epi8(_mm512_mask_mov_epi32(exponent, none, _mm512_set1_epi32(NONE)))
}

/// Eight columns of the right factor, of up to 16 rows: for each row, and the even and the odd columns.
struct Right {
    values: [[__m512; 2]; 16],
    /// Exponents of four columns.
    exponents: [[i32; 2]; 16],
}

/// Sixteen rows of the left factor: rows `8 * (n / 2) + 4 * (n % 2)` and three more, for each register of four lanes and each
/// element of a register.
struct Left {
    values: [[[__m512; 2]; 2]; 4],
    /// Exponents of four columns: a part of 16 bytes for each four rows.
    exponents: [Half; 4],
}

/// Takes columns of the right factor out of their registers.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
unsafe fn right<const KIND: u8, const PER: usize, const DEEP: usize>(
    warp: &Warp,
    registers: &[u32],
    odd: &mut u32,
    to: *mut Right,
) {
    for (n, &register) in registers.iter().enumerate().take(DEEP) {
        let first = n * 4 * PER;
        // SAFETY: the caller's registers; stores are of arrays' sizes.
        unsafe {
            // No closures: they would not be made for the machine that has all this.
            let (low, high) = (half(warp, register, 0), half(warp, register, 1));
            let (even_low, even_high) = (singles::<KIND, 0>(low), singles::<KIND, 0>(high));
            let (odd_low, odd_high) = (singles::<KIND, 1>(low), singles::<KIND, 1>(high));
            for member in 0..4 {
                for parity in 0..2 {
                    let picks = picks(member, parity);
                    let k = first + member * PER;
                    (*to).values[k][parity] = _mm512_permutex2var_ps(even_low, picks, even_high);
                    if PER == 2 {
                        (*to).values[k + 1][parity] = _mm512_permutex2var_ps(odd_low, picks, odd_high);
                    }
                }
            }
            // Bytes of columns 0 and 1, 2 and 3, and so on.
            let pairs: [__m128i; 4] = if PER == 2 {
                let (low, high) = (exponents::<KIND>(low, odd), exponents::<KIND>(high, odd));
                [
                    _mm256_castsi256_si128(low),
                    _mm256_extracti128_si256::<1>(low),
                    _mm256_castsi256_si128(high),
                    _mm256_extracti128_si256::<1>(high),
                ]
            } else {
                let (low, high) = (exponents_wide(low, odd), exponents_wide(high, odd));
                [low, _mm_srli_si128::<8>(low), high, _mm_srli_si128::<8>(high)]
            };
            let mut bytes = [[0i32; 4]; 4];
            macro_rules! put {
                ($at:literal, $half:ident) => {
                    let (low, high) = ($half(pairs[0], pairs[1]), $half(pairs[2], pairs[3]));
                    _mm_storeu_si128(bytes[$at].as_mut_ptr().cast(), _mm_unpacklo_epi16(low, high));
                    _mm_storeu_si128(bytes[$at + 1].as_mut_ptr().cast(), _mm_unpackhi_epi16(low, high));
                };
            }
            put!(0, _mm_unpacklo_epi8);
            if PER == 2 {
                put!(2, _mm_unpackhi_epi8);
            }
            for k in 0..4 * PER {
                for parity in 0..2 {
                    let at = parity * 4 * PER + k;
                    (*to).exponents[first + k][parity] = bytes[at / 4][at % 4];
                }
            }
        }
    }
}

/// Takes rows of the left factor out of their registers.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
unsafe fn left<const KIND: u8, const PER: usize, const DEEP: usize>(
    warp: &Warp,
    registers: &[u32],
    odd: &mut u32,
    to: *mut Left,
) {
    for (n, pair) in registers.chunks_exact(2).enumerate().take(DEEP) {
        let mut words = [_mm512_setzero_si512(); 4];
        for (rows, words) in words.iter_mut().enumerate() {
            // SAFETY: the caller's registers, and its room.
            unsafe {
                *words = half(warp, pair[rows / 2], rows % 2);
                (*to).values[rows][n][0] = singles::<KIND, 0>(*words);
                if PER == 2 {
                    (*to).values[rows][n][1] = singles::<KIND, 1>(*words);
                }
            }
        }
        let [a, b, c, d] = words;
        if PER == 2 {
            let (a, b) = (exponents::<KIND>(a, odd), exponents::<KIND>(b, odd));
            let (c, d) = (exponents::<KIND>(c, odd), exponents::<KIND>(d, odd));
            let upper = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(a), b);
            let lower = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(c), d);
            let even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
            let odd = _mm512_or_si512(even, _mm512_set1_epi32(1));
            // SAFETY: the caller's room.
            unsafe {
                (*to).exponents[2 * n] = _mm512_permutex2var_epi32(upper, even, lower);
                (*to).exponents[2 * n + 1] = _mm512_permutex2var_epi32(upper, odd, lower);
            }
        } else {
            let (a, b) = (exponents_wide(a, odd), exponents_wide(b, odd));
            let (c, d) = (exponents_wide(c, odd), exponents_wide(d, odd));
            let all = _mm512_inserti32x4::<1>(_mm512_castsi128_si512(a), b);
            // SAFETY: the caller's room.
            unsafe { (*to).exponents[n] = _mm512_inserti32x4::<3>(_mm512_inserti32x4::<2>(all, c), d) };
        }
    }
}

#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
unsafe fn floats<const KIND: u8, const PER: usize, const DEEP: usize>(warp: &mut Warp, product: &Product) -> bool {
    // What products of the shape need is written before it is read; all of it would take as long to clear as to work out.
    let mut left_factor = MaybeUninit::<Left>::uninit();
    let mut right_factor = MaybeUninit::<Right>::uninit();
    let mut results: Results = [[MaybeUninit::uninit(); 2]; MOST_RESULTS];
    let blocks = product.rows / ROWS;
    for (panel, from) in product.b.registers.chunks_exact(DEEP).enumerate() {
        let mut odd = 0;
        // SAFETY: registers of the frame.
        unsafe { right::<KIND, PER, DEEP>(warp, from, &mut odd, right_factor.as_mut_ptr()) };
        for (block, from) in product.a.registers.chunks_exact(2 * DEEP).enumerate() {
            let at = (panel * blocks + block) * 4;
            // SAFETY: as above.
            unsafe { left::<KIND, PER, DEEP>(warp, from, &mut odd, left_factor.as_mut_ptr()) };
            if odd != 0 {
                return false;
            }
            let (Some(sums), Some(results)) = (product.c.registers.get(at..at + 4), results.get_mut(at..at + 4)) else {
                return false;
            };
            // SAFETY: as above.
            if !unsafe { tile::<PER, DEEP>(warp, left_factor.as_ptr(), right_factor.as_ptr(), sums, results) } {
                return false;
            }
        }
    }
    // SAFETY: as above.
    unsafe { finish(warp, product, &results) };
    true
}

/// Sixteen rows and eight columns. False if some sum is not as usual.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
unsafe fn tile<const PER: usize, const DEEP: usize>(
    warp: &Warp,
    a: *const Left,
    b: *const Right,
    sums: &[u32],
    results: &mut [[MaybeUninit<Half>; 2]],
) -> bool {
    // The highest exponents of products, in bytes: parts of 16 for each four rows, of even and of odd columns.
    let mut highest = [_mm512_set1_epi8(NONE as i8); 2];
    let spread = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12));
    for k in 0..DEEP * 4 * PER {
        let column = _mm512_add_epi8(spread, _mm512_set1_epi8((k % 4) as i8));
        // SAFETY: the caller has worked out so many.
        let (row, others) = unsafe { (_mm512_shuffle_epi8((*a).exponents[k / 4], column), (*b).exponents[k]) };
        for parity in 0..2 {
            let exponent = _mm512_adds_epi8(row, _mm512_set1_epi32(others[parity]));
            highest[parity] = _mm512_max_epi8(highest[parity], exponent);
        }
    }
    let mut parts = [[_mm_setzero_si128(); 4]; 2];
    for (parts, highest) in parts.iter_mut().zip(highest) {
        *parts = [
            _mm512_castsi512_si128(highest),
            _mm512_extracti32x4_epi32::<1>(highest),
            _mm512_extracti32x4_epi32::<2>(highest),
            _mm512_extracti32x4_epi32::<3>(highest),
        ];
    }
    let mut odd = 0;
    let mut overflow = _mm512_setzero_si512();
    for rows in 0..4 {
        let mut before = [_mm512_setzero_ps(); 2];
        let mut lowest = before;
        let mut scale = before;
        let mut totals = [_mm512_setzero_si512(); 2];
        for parity in 0..2 {
            // SAFETY: registers of the frame.
            let bits = unsafe { half(warp, sums[rows / 2 * 2 + parity], rows % 2) };
            let magnitude = _mm512_and_si512(bits, _mm512_set1_epi32(0x7fff_ffff));
            odd |= _mm512_cmpge_epu32_mask(magnitude, _mm512_set1_epi32((100 + 127) << 23));
            before[parity] = _mm512_castsi512_ps(bits);
            let least = _mm512_set1_ps(-126.0);
            let own = _mm512_max_ps(_mm512_getexp_ps(before[parity]), least);
            let highest = _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(parts[parity][rows]));
            let none = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(highest, _mm512_set1_ps(LEAST_PRODUCT));
            let highest = _mm512_max_ps(_mm512_mask_mov_ps(highest, none, least), own);
            lowest[parity] = _mm512_sub_ps(highest, _mm512_set1_ps(FRACTION as f32));
            // Where the steps are smaller there are no products.
            let by = _mm512_min_ps(_mm512_sub_ps(_mm512_setzero_ps(), lowest[parity]), _mm512_set1_ps(126.0));
            scale[parity] = _mm512_scalef_ps(_mm512_set1_ps(1.0), by);
        }
        macro_rules! member {
            ($register:expr, $element:expr, $member:literal) => {
                let k = $register * 4 * PER + $member * PER + $element;
                // SAFETY: the caller has worked out so many.
                let (value, others) = unsafe { ((*a).values[rows][$register][$element], &(*b).values[k]) };
                let value = _mm512_permute_ps::<{ $member * 0x55 }>(value);
                for parity in 0..2 {
                    let product = _mm512_mul_ps(_mm512_mul_ps(value, others[parity]), scale[parity]);
                    totals[parity] = _mm512_add_epi32(totals[parity], _mm512_cvttps_epi32(product));
                }
            };
        }
        for register in 0..DEEP {
            for element in 0..PER {
                member!(register, element, 0);
                member!(register, element, 1);
                member!(register, element, 2);
                member!(register, element, 3);
            }
        }
        for parity in 0..2 {
            let by = _mm512_sub_ps(_mm512_setzero_ps(), lowest[parity]);
            let own = _mm512_cvttps_epi32(_mm512_scalef_ps(before[parity], by));
            let sum = _mm512_add_epi32(totals[parity], own);
            let beyond = _mm512_and_si512(_mm512_xor_si512(totals[parity], sum), _mm512_xor_si512(own, sum));
            overflow = _mm512_or_si512(overflow, beyond);
            const TOWARD_ZERO: i32 = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
            let rounded = _mm512_cvt_roundepi32_ps::<TOWARD_ZERO>(sum);
            let scaled = _mm512_scalef_round_ps::<TOWARD_ZERO>(rounded, lowest[parity]);
            // What is too small in the end is a zero without a sign.
            let scaled = _mm512_add_ps(scaled, _mm512_setzero_ps());
            results[rows / 2 * 2 + parity][rows % 2].write(_mm512_castps_si512(scaled));
        }
    }
    odd == 0 && _mm512_movepi32_mask(overflow) == 0
}

/// Numbers of 8 bits.
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512vnni")]
unsafe fn integers(warp: &mut Warp, product: &Product, [left, right]: [bool; 2], saturate: bool) {
    let deep = product.depth / 16;
    let blocks = product.rows / ROWS;
    let mut results: Results = [[MaybeUninit::uninit(); 2]; MOST_RESULTS];
    // The machine multiplies numbers without a sign by those with one. Where both have one, 128 is added to those of the left
    // factor; where none has, it is taken off. What that makes of a sum is the same for all rows.
    let turn = _mm512_set1_epi32(if left == right { 0x8080_8080_u32 as i32 } else { 0 });
    for (panel, from) in product.b.registers.chunks_exact(deep).enumerate() {
        let mut b = [[[_mm512_setzero_si512(); 2]; 4]; 2];
        let mut more = [_mm512_setzero_si512(); 2];
        for (n, &register) in from.iter().enumerate() {
            // SAFETY: registers of the frame.
            let [low, high] = unsafe { [half(warp, register, 0), half(warp, register, 1)] };
            for member in 0..4 {
                for parity in 0..2 {
                    // SAFETY: there are so many.
                    let value = _mm512_permutex2var_epi32(low, unsafe { picks(member, parity) }, high);
                    b[n][member][parity] = value;
                    let (sum, half) = (more[parity], _mm512_set1_epi8(64));
                    more[parity] = match (left, right) {
                        (true, true) => {
                            let count = _mm512_set1_epi8(-128);
                            let sum = _mm512_sub_epi32(_mm512_setzero_si512(), sum);
                            _mm512_sub_epi32(_mm512_setzero_si512(), _mm512_dpbusd_epi32(sum, count, value))
                        }
                        (false, false) => _mm512_dpbusd_epi32(_mm512_dpbusd_epi32(sum, value, half), value, half),
                        _ => sum,
                    };
                }
            }
        }
        for (block, from) in product.a.registers.chunks_exact(2 * deep).enumerate() {
            let at = (panel * blocks + block) * 4;
            for rows in 0..4 {
                let mut sums = more;
                macro_rules! member {
                    ($value:expr, $register:expr, $member:literal) => {
                        let value = _mm512_shuffle_epi32::<{ $member * 0x55 }>($value);
                        for parity in 0..2 {
                            let other = b[$register][$member][parity];
                            let (plain, signed) = if right { (value, other) } else { (other, value) };
                            sums[parity] = _mm512_dpbusd_epi32(sums[parity], plain, signed);
                        }
                    };
                }
                for register in 0..deep {
                    // SAFETY: as above.
                    let value = unsafe { half(warp, from[2 * register + rows / 2], rows % 2) };
                    let value = _mm512_xor_si512(value, turn);
                    member!(value, register, 0);
                    member!(value, register, 1);
                    member!(value, register, 2);
                    member!(value, register, 3);
                }
                for (parity, sum) in sums.into_iter().enumerate() {
                    let number = at + rows / 2 * 2 + parity;
                    // SAFETY: as above.
                    let before = unsafe { half(warp, product.c.registers[number], rows % 2) };
                    let mut result = _mm512_add_epi32(before, sum);
                    if saturate {
                        let beyond = _mm512_and_si512(_mm512_xor_si512(before, result), _mm512_xor_si512(sum, result));
                        let most = _mm512_xor_si512(_mm512_srai_epi32::<31>(sum), _mm512_set1_epi32(i32::MAX));
                        result = _mm512_mask_mov_epi32(result, _mm512_movepi32_mask(beyond), most);
                    }
                    results[number][rows % 2].write(result);
                }
            }
        }
    }
    // SAFETY: as above.
    unsafe { finish(warp, product, &results) };
}
