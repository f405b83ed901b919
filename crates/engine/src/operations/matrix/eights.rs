//! Products of fragments as the lanes hold them, with AVX2: four lanes hold a row of the left factor, so that its elements lie in
//! a row in memory, and rows of results are eight columns, the even ones first.
//!
//! Floating point is what [`numbers`](super::numbers) says, with exponents in bytes and everything else in singles. Where that
//! does not hold (infinities, NaNs, exponents far from 0, sums that leave 32 bits) the answer is no.

#![allow(clippy::needless_range_loop)] // Several arrays go by the same number.

use super::Product;
use super::known::{BF16, COLUMNS, F16, FRACTION, Known, LEAST, MOST, MOST_RESULTS, NONE, ROWS, TF32, by_kind};
use crate::numeric::value::LANES;
use crate::state::warp::Warp;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

/// Exponents of what sums begin with, and of sums: two to the power of what they are scaled by is a normal number.
const LOW: i32 = -100;
const HIGH: i32 = 100;

/// Computes a product, if it is one of those that this module knows. False: nothing was done.
///
/// # Safety
/// The contract of [`Execute`](crate::state::warp::Execute), and the machine's level is AVX2.
#[inline]
pub unsafe fn product(warp: &mut Warp, product: &Product) -> bool {
    // SAFETY: the machine has what the functions are made for; the same contract.
    unsafe {
        match product.known {
            Some(Known::Floats { kind, deep }) => by_kind!(kind, deep, floats(warp, product)),
            Some(Known::Integers { signed, saturate }) => {
                integers(warp, product, signed, saturate);
                true
            }
            _ => false,
        }
    }
}

/// Results that are written when nothing is read any more: as many registers as the product has.
type Results = [MaybeUninit<[u32; LANES]>; MOST_RESULTS];

/// Four words that four lanes hold, of a register of a fragment.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn four(warp: &Warp, register: u32, row: usize) -> __m128i {
    // SAFETY: a vector of the frame has eight.
    unsafe { _mm_loadu_si128(warp.frame.add(register as usize + 16 * row).cast()) }
}

/// The same of two rows.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn two_rows(warp: &Warp, register: u32, row: usize) -> __m256i {
    // SAFETY: a vector of the frame has four of them.
    unsafe { _mm256_loadu_si256(warp.frame.add(register as usize + 16 * row).cast()) }
}

/// Eight columns of a row of what sums begin with: the even ones, then the odd ones.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn row_of(warp: &Warp, sums: &[u32], row: usize) -> __m256i {
    let first = row / 8 * 2;
    // SAFETY: registers of the frame.
    unsafe { _mm256_set_m128i(four(warp, sums[first + 1], row % 8), four(warp, sums[first], row % 8)) }
}

/// Puts eight columns of a row where they belong.
#[inline]
#[target_feature(enable = "avx2")]
fn put_row(results: &mut [MaybeUninit<[u32; LANES]>], row: usize, columns: __m256i) {
    let parts = [_mm256_castsi256_si128(columns), _mm256_extracti128_si256::<1>(columns)];
    for (result, part) in results[row / 8 * 2..].iter_mut().zip(parts) {
        // SAFETY: four words of 32.
        unsafe { _mm_storeu_si128(result.as_mut_ptr().cast::<__m128i>().add(row % 8), part) };
    }
}

/// Writes the results.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn finish(warp: &mut Warp, product: &Product, results: &Results) {
    let bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    for (&register, result) in product.d.registers.iter().zip(results) {
        for part in 0..4 {
            let active = _mm256_set1_epi32((warp.mask >> (8 * part)) as i32);
            let mask = _mm256_cmpeq_epi32(_mm256_and_si256(active, bits), bits);
            // SAFETY: four parts are a vector; a register of the frame.
            unsafe {
                let from = _mm256_loadu_si256(result.as_ptr().cast::<__m256i>().add(part));
                _mm256_maskstore_epi32(warp.frame.add(register as usize + 32 * part).cast(), mask, from);
            }
        }
    }
}

/// Words of a register of the right factor, of each of its four lanes those of all columns: the even ones, then the odd ones.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn columns_of(warp: &Warp, register: u32) -> [__m256i; 4] {
    // SAFETY: a register of the frame.
    let [a, b, c, d] = unsafe {
        [0, 2, 4, 6].map(|column| {
            _mm256_castsi256_ps(_mm256_loadu_si256(warp.frame.add(register as usize + 16 * column).cast()))
        })
    };
    let (ab, more_ab) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
    let (cd, more_cd) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
    [
        _mm256_castps_si256(_mm256_shuffle_ps::<0x44>(ab, cd)),
        _mm256_castps_si256(_mm256_shuffle_ps::<0xee>(ab, cd)),
        _mm256_castps_si256(_mm256_shuffle_ps::<0x44>(more_ab, more_cd)),
        _mm256_castps_si256(_mm256_shuffle_ps::<0xee>(more_ab, more_cd)),
    ]
}

/// Elements number `N` of words, as singles.
#[inline]
#[target_feature(enable = "avx2")]
fn singles<const KIND: u8, const N: u32>(words: __m256i) -> __m256 {
    match (KIND, N) {
        (F16, _) => {
            // The exponent's field where that of singles is: too small by what the factor makes up for.
            let upper = if N == 0 { _mm256_slli_epi32::<16>(words) } else { words };
            let bits = _mm256_and_si256(_mm256_srai_epi32::<3>(upper), _mm256_set1_epi32(0x8fff_e000_u32 as i32));
            _mm256_mul_ps(_mm256_castsi256_ps(bits), _mm256_set1_ps(f32::from_bits((127 + 112) << 23)))
        }
        (BF16, 0) => _mm256_castsi256_ps(_mm256_slli_epi32::<16>(words)),
        (BF16, _) => _mm256_castsi256_ps(_mm256_and_si256(words, _mm256_set1_epi32(0xffff_0000_u32 as i32))),
        _ => _mm256_castsi256_ps(_mm256_and_si256(words, _mm256_set1_epi32(0xffff_e000_u32 as i32))),
    }
}

/// Exponents of elements, in their places. What this module does not know sets bits of `odd`.
#[inline]
#[target_feature(enable = "avx2")]
fn exponents<const KIND: u8>(words: __m256i, odd: &mut __m256i) -> __m256i {
    if KIND == TF32 {
        let magnitude = _mm256_and_si256(words, _mm256_set1_epi32(0x7fff_e000));
        let none = _mm256_cmpeq_epi32(magnitude, _mm256_setzero_si256());
        let exponent = _mm256_sub_epi32(_mm256_srli_epi32::<23>(magnitude), _mm256_set1_epi32(127));
        let above = _mm256_cmpgt_epi32(exponent, _mm256_set1_epi32(MOST));
        let below = _mm256_cmpgt_epi32(_mm256_set1_epi32(LEAST), exponent);
        *odd = _mm256_or_si256(*odd, _mm256_andnot_si256(none, _mm256_or_si256(above, below)));
        return _mm256_blendv_epi8(exponent, _mm256_set1_epi32(NONE), none);
    }
    let magnitude = _mm256_and_si256(words, _mm256_set1_epi16(0x7fff));
    let none = _mm256_cmpeq_epi16(magnitude, _mm256_setzero_si256());
    let exponent = if KIND == F16 {
        let field = _mm256_srli_epi16::<10>(magnitude);
        *odd = _mm256_or_si256(*odd, _mm256_cmpgt_epi16(field, _mm256_set1_epi16(30)));
        // Subnormal numbers have the least exponent, and are less than 1 then.
        _mm256_sub_epi16(_mm256_max_epi16(field, _mm256_set1_epi16(1)), _mm256_set1_epi16(15))
    } else {
        let exponent = _mm256_sub_epi16(_mm256_srli_epi16::<7>(magnitude), _mm256_set1_epi16(127));
        let above = _mm256_cmpgt_epi16(exponent, _mm256_set1_epi16(MOST as i16));
        let below = _mm256_cmpgt_epi16(_mm256_set1_epi16(LEAST as i16), exponent);
        *odd = _mm256_or_si256(*odd, _mm256_andnot_si256(none, _mm256_or_si256(above, below)));
        exponent
    };
    _mm256_blendv_epi8(exponent, _mm256_set1_epi16(NONE as i16), none)
}

/// Eight columns of the right factor, of up to 16 rows.
#[repr(align(32))]
struct Right {
    values: [[f32; COLUMNS]; 16],
    /// Exponents of two rows: of each column both.
    exponents: [[u8; 16]; 8],
}

/// Sixteen rows of the left factor, of up to 16 columns.
#[repr(align(32))]
struct Left {
    values: [[f32; 16]; ROWS],
    exponents: [[u8; 16]; ROWS],
}

/// Takes columns of the right factor out of their registers.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn right<const KIND: u8, const PER: usize>(warp: &Warp, registers: &[u32], odd: &mut __m256i, to: *mut Right) {
    for (n, &register) in registers.iter().enumerate() {
        // SAFETY: the caller's registers; stores are of arrays' sizes.
        unsafe {
            let words = columns_of(warp, register);
            let first = n * 4 * PER;
            let values = (*to).values.as_mut_ptr().cast::<f32>();
            for member in 0..4 {
                let at = values.add((first + member * PER) * COLUMNS);
                _mm256_store_ps(at, singles::<KIND, 0>(words[member]));
                if PER == 2 {
                    _mm256_store_ps(at.add(COLUMNS), singles::<KIND, 1>(words[member]));
                }
            }
            let pairs = (*to).exponents.as_mut_ptr().cast::<__m256i>().add(n * PER);
            let [a, b, c, d] = [
                exponents::<KIND>(words[0], odd),
                exponents::<KIND>(words[1], odd),
                exponents::<KIND>(words[2], odd),
                exponents::<KIND>(words[3], odd),
            ];
            if PER == 2 {
                // Even columns are in the lower halves, odd ones in the upper ones.
                _mm256_storeu_si256(pairs, _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi16(a, b)));
                _mm256_storeu_si256(pairs.add(1), _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi16(c, d)));
            } else {
                let all = _mm256_packs_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d));
                let turn =
                    _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15));
                let all = _mm256_shuffle_epi8(all, turn);
                _mm256_storeu_si256(pairs, _mm256_permute4x64_epi64::<0b11_01_10_00>(all));
            }
        }
    }
}

/// Takes rows of the left factor out of their registers.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn left<const KIND: u8, const PER: usize, const DEEP: usize>(
    warp: &Warp,
    registers: &[u32],
    odd: &mut __m256i,
    to: *mut Left,
) {
    for row in (0..ROWS).step_by(2) {
        let mut parts = [_mm256_setzero_si256(); 2];
        for n in 0..DEEP {
            // SAFETY: the caller's registers, and its room.
            unsafe {
                let register = registers[2 * n + row / 8];
                let words = two_rows(warp, register, row % 8);
                parts[n] = exponents::<KIND>(words, odd);
                let halves = [_mm256_castsi256_si128(words), _mm256_extracti128_si256::<1>(words)];
                for (more, half) in halves.into_iter().enumerate() {
                    let at = (*to).values.as_mut_ptr().cast::<f32>().add((row + more) * 16 + n * 4 * PER);
                    match KIND {
                        F16 => _mm256_storeu_ps(at, _mm256_cvtph_ps(half)),
                        BF16 => {
                            let wide = _mm256_slli_epi32::<16>(_mm256_cvtepu16_epi32(half));
                            _mm256_storeu_ps(at, _mm256_castsi256_ps(wide));
                        }
                        _ => {
                            let kept = _mm_and_si128(half, _mm_set1_epi32(0xffff_e000_u32 as i32));
                            _mm_storeu_ps(at, _mm_castsi128_ps(kept));
                        }
                    }
                }
            }
        }
        let last = parts[DEEP - 1];
        let bytes = if PER == 2 {
            _mm256_packs_epi16(parts[0], last)
        } else {
            let both = _mm256_packs_epi32(parts[0], last);
            _mm256_packs_epi16(both, both)
        };
        // SAFETY: two rows of the caller's room.
        unsafe { _mm256_storeu_si256((*to).exponents.as_mut_ptr().add(row).cast(), bytes) };
    }
}

#[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn floats<const KIND: u8, const PER: usize, const DEEP: usize>(warp: &mut Warp, product: &Product) -> bool {
    // What products of the shape need is written before it is read; all of it would take as long to clear as to work out.
    let mut left_factor = MaybeUninit::<Left>::uninit();
    let mut right_factor = MaybeUninit::<Right>::uninit();
    let mut results: Results = [MaybeUninit::uninit(); MOST_RESULTS];
    let blocks = product.rows / ROWS;
    let mut odd = _mm256_setzero_si256();
    for (panel, from) in product.b.registers.chunks_exact(DEEP).enumerate() {
        // SAFETY: registers of the frame.
        unsafe { right::<KIND, PER>(warp, from, &mut odd, right_factor.as_mut_ptr()) };
        for (block, from) in product.a.registers.chunks_exact(2 * DEEP).enumerate() {
            let at = (panel * blocks + block) * 4;
            let (Some(sums), Some(results)) = (product.c.registers.get(at..at + 4), results.get_mut(at..at + 4)) else {
                return false;
            };
            // SAFETY: as above; both factors are there.
            unsafe {
                left::<KIND, PER, DEEP>(warp, from, &mut odd, left_factor.as_mut_ptr());
                if _mm256_testz_si256(odd, odd) == 0 {
                    return false;
                }
                let (a, b) = (left_factor.as_ptr(), right_factor.as_ptr());
                if !tile::<PER, DEEP>(warp, a, b, sums, results) {
                    return false;
                }
            }
        }
    }
    // SAFETY: as above.
    unsafe { finish(warp, product, &results) };
    true
}

/// Sixteen rows and eight columns. False if some sum is not as usual.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn tile<const PER: usize, const DEEP: usize>(
    warp: &Warp,
    a: *const Left,
    b: *const Right,
    sums: &[u32],
    results: &mut [MaybeUninit<[u32; LANES]>],
) -> bool {
    let mut odd = _mm256_setzero_si256();
    for row in (0..ROWS).step_by(2) {
        // The highest exponents of products: in bytes, of even and of odd rows of the right factor beside each other.
        let mut highest = _mm256_set1_epi8(NONE as i8);
        // SAFETY: the caller has worked out so many.
        let own = unsafe { _mm256_loadu_si256((*a).exponents.as_ptr().add(row).cast()) };
        for pair in 0..DEEP * 2 * PER {
            let picks = _mm256_set1_epi16(((2 * pair) | ((2 * pair + 1) << 8)) as i16);
            // SAFETY: as above.
            let others = unsafe { _mm_loadu_si128((*b).exponents.as_ptr().add(pair).cast()) };
            let all = _mm256_adds_epi8(_mm256_shuffle_epi8(own, picks), _mm256_broadcastsi128_si256(others));
            highest = _mm256_max_epi8(highest, all);
        }
        let even = _mm256_srai_epi16::<8>(_mm256_slli_epi16::<8>(highest));
        let highest = _mm256_max_epi16(even, _mm256_srai_epi16::<8>(highest));
        let highest = [_mm256_castsi256_si128(highest), _mm256_extracti128_si256::<1>(highest)];
        let mut before = [_mm256_setzero_ps(); 2];
        let mut scale = before;
        let mut back = before;
        for more in 0..2 {
            // SAFETY: registers of the frame.
            let bits = unsafe { row_of(warp, sums, row + more) };
            let magnitude = _mm256_and_si256(bits, _mm256_set1_epi32(0x7fff_ffff));
            let none = _mm256_cmpeq_epi32(magnitude, _mm256_setzero_si256());
            let exponent = _mm256_sub_epi32(_mm256_srli_epi32::<23>(magnitude), _mm256_set1_epi32(127));
            let highest = _mm256_max_epi32(_mm256_cvtepi16_epi32(highest[more]), exponent);
            let low = _mm256_set1_epi32(LOW);
            let above = _mm256_cmpgt_epi32(exponent, _mm256_set1_epi32(HIGH - 1));
            let below = _mm256_andnot_si256(none, _mm256_cmpgt_epi32(low, highest));
            odd = _mm256_or_si256(odd, _mm256_or_si256(above, below));
            let highest = _mm256_max_epi32(highest, low);
            let by = _mm256_sub_epi32(_mm256_set1_epi32(127 + FRACTION), highest);
            scale[more] = _mm256_castsi256_ps(_mm256_slli_epi32::<23>(by));
            let by = _mm256_add_epi32(_mm256_set1_epi32(127 - FRACTION), highest);
            back[more] = _mm256_castsi256_ps(_mm256_slli_epi32::<23>(by));
            before[more] = _mm256_castsi256_ps(bits);
        }
        let mut totals = [_mm256_setzero_si256(); 2];
        for k in 0..DEEP * 4 * PER {
            // SAFETY: the caller has worked out so many.
            let others = unsafe { _mm256_load_ps((*b).values.as_ptr().add(k).cast()) };
            for more in 0..2 {
                // SAFETY: as above.
                let value =
                    unsafe { _mm256_broadcast_ss(&*(*a).values.as_ptr().cast::<f32>().add((row + more) * 16 + k)) };
                let product = _mm256_mul_ps(_mm256_mul_ps(value, others), scale[more]);
                totals[more] = _mm256_add_epi32(totals[more], _mm256_cvttps_epi32(product));
            }
        }
        for more in 0..2 {
            let own = _mm256_cvttps_epi32(_mm256_mul_ps(before[more], scale[more]));
            let sum = _mm256_add_epi32(totals[more], own);
            let beyond = _mm256_and_si256(_mm256_xor_si256(totals[more], sum), _mm256_xor_si256(own, sum));
            let size = _mm256_abs_epi32(sum);
            // What would be rounded to more than there is.
            let large = _mm256_cmpgt_epi32(size, _mm256_set1_epi32(0x7fff_ff00));
            odd = _mm256_or_si256(odd, _mm256_or_si256(_mm256_srai_epi32::<31>(beyond), large));
            // To the nearest, and one step back where that is beyond.
            let nearest = _mm256_cvtepi32_ps(sum);
            let over = _mm256_cmpgt_epi32(_mm256_abs_epi32(_mm256_cvttps_epi32(nearest)), size);
            let rounded = _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(nearest), over));
            put_row(results, row + more, _mm256_castps_si256(_mm256_mul_ps(rounded, back[more])));
        }
    }
    _mm256_testz_si256(odd, odd) != 0
}

/// Bytes of even places in words, and those of odd ones, as numbers of 16 bits.
#[inline]
#[target_feature(enable = "avx2")]
fn widened(words: __m256i, signed: bool) -> [__m256i; 2] {
    if signed {
        [_mm256_srai_epi16::<8>(_mm256_slli_epi16::<8>(words)), _mm256_srai_epi16::<8>(words)]
    } else {
        [_mm256_and_si256(words, _mm256_set1_epi16(0xff)), _mm256_srli_epi16::<8>(words)]
    }
}

/// Numbers of 8 bits.
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn integers(warp: &mut Warp, product: &Product, [left, right]: [bool; 2], saturate: bool) {
    let deep = product.depth / 16;
    let blocks = product.rows / ROWS;
    let mut results: Results = [MaybeUninit::uninit(); MOST_RESULTS];
    for (panel, from) in product.b.registers.chunks_exact(deep).enumerate() {
        // Pairs of each column, by registers and their lanes.
        let mut b = [[[_mm256_setzero_si256(); 2]; 4]; 2];
        for (b, &register) in b.iter_mut().zip(from) {
            // SAFETY: a register of the frame.
            let words = unsafe { columns_of(warp, register) };
            for member in 0..4 {
                b[member] = widened(words[member], right);
            }
        }
        for (block, from) in product.a.registers.chunks_exact(2 * deep).enumerate() {
            let at = (panel * blocks + block) * 4;
            for row in (0..ROWS).step_by(2) {
                let mut sums = [_mm256_setzero_si256(); 2];
                for n in 0..deep {
                    // SAFETY: as above.
                    let words = unsafe { two_rows(warp, from[2 * n + row / 8], row % 8) };
                    let pairs = widened(words, left);
                    let mut a = [[[0i32; 4]; 2]; 2];
                    for parity in 0..2 {
                        // SAFETY: two rows.
                        unsafe { _mm256_storeu_si256(a[parity].as_mut_ptr().cast(), pairs[parity]) };
                    }
                    for member in 0..4 {
                        for parity in 0..2 {
                            for more in 0..2 {
                                let value = _mm256_set1_epi32(a[parity][more][member]);
                                let product = _mm256_madd_epi16(value, b[n][member][parity]);
                                sums[more] = _mm256_add_epi32(sums[more], product);
                            }
                        }
                    }
                }
                for (more, sum) in sums.into_iter().enumerate() {
                    // SAFETY: as above.
                    let before = unsafe { row_of(warp, &product.c.registers[at..at + 4], row + more) };
                    let mut result = _mm256_add_epi32(before, sum);
                    if saturate {
                        let beyond = _mm256_and_si256(_mm256_xor_si256(before, result), _mm256_xor_si256(sum, result));
                        let most = _mm256_xor_si256(_mm256_srai_epi32::<31>(sum), _mm256_set1_epi32(i32::MAX));
                        result = _mm256_blendv_epi8(result, most, _mm256_srai_epi32::<31>(beyond));
                    }
                    put_row(&mut results[at..at + 4], row + more, result);
                }
            }
        }
    }
    // SAFETY: as above.
    unsafe { finish(warp, product, &results) };
}
