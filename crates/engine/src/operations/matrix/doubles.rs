//! Products in double precision of fragments as the lanes hold them: four lanes hold a row of the left factor and of the result, and a
//! column of the right factor. So of each four lanes one number of the left factor goes to all, and the right factor's columns, turned
//! over, go to each four lanes alike.
//!
//! Products are added one after another, each with one rounding, as [`numbers`](super::numbers) says. Where a NaN comes out the answer is
//! no: which one it is, is said there.

#![allow(clippy::needless_range_loop)] // Several arrays go by the same number.

use super::Product;
use super::known::{DOUBLE_ROWS as ROWS, FOUR, Known, MOST_DEPTH};
use crate::numeric::float::{DOWN, NEAREST, UP, ZERO};
use crate::numeric::value::{LANES, SimdLevel};
use crate::state::registers::set_vector;
use crate::state::warp::Warp;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

/// Registers of a result of 16 rows.
pub const MOST_RESULTS: usize = 4;

type Results = [MaybeUninit<[u64; LANES]>; MOST_RESULTS];
/// Of each four columns of the left factor, and each of them: rows of the right factor, the even columns and the odd ones.
type Right = [[[__m256d; 2]; FOUR]; MOST_DEPTH / FOUR];

/// Computes a product, if it is one of those that this module knows. False: nothing was done.
///
/// # Safety
/// The contract of [`Execute`](crate::state::warp::Execute), on a machine of this level.
#[inline]
pub unsafe fn product(warp: &mut Warp, product: &Product, level: SimdLevel) -> bool {
    let Some(Known::Doubles { rounding }) = product.known else { return false };
    let mut results: Results = [MaybeUninit::uninit(); MOST_RESULTS];
    // SAFETY: the machine has what the functions are made for; the same contract. A known product has one or two times eight rows.
    let done = unsafe {
        match (level, rounding, product.rows == ROWS) {
            (SimdLevel::Avx512, NEAREST, true) => wide::<1, { NEAREST as i32 }>(warp, product, &mut results),
            (SimdLevel::Avx512, NEAREST, false) => wide::<2, { NEAREST as i32 }>(warp, product, &mut results),
            (SimdLevel::Avx512, DOWN, true) => wide::<1, { DOWN as i32 }>(warp, product, &mut results),
            (SimdLevel::Avx512, DOWN, false) => wide::<2, { DOWN as i32 }>(warp, product, &mut results),
            (SimdLevel::Avx512, UP, true) => wide::<1, { UP as i32 }>(warp, product, &mut results),
            (SimdLevel::Avx512, UP, false) => wide::<2, { UP as i32 }>(warp, product, &mut results),
            (SimdLevel::Avx512, ZERO, true) => wide::<1, { ZERO as i32 }>(warp, product, &mut results),
            (SimdLevel::Avx512, ZERO, false) => wide::<2, { ZERO as i32 }>(warp, product, &mut results),
            (SimdLevel::Avx2, NEAREST, _) => narrow(warp, product, &mut results),
            _ => false,
        }
    };
    if done {
        for (&register, result) in product.d.registers.iter().zip(&results) {
            // SAFETY: a register of the frame; a product that is done has written as many results as it has registers.
            unsafe { set_vector(warp, register, result.assume_init_ref()) };
        }
    }
    done
}

/// The right factor as its rows: of each of its registers, four of them.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn right(warp: &Warp, product: &Product) -> Right {
    let mut rows = [[[_mm256_setzero_pd(); 2]; FOUR]; MOST_DEPTH / FOUR];
    for (&register, rows) in product.b.registers.iter().zip(&mut rows) {
        for odd in 0..2 {
            let column = |n: usize| {
                // SAFETY: the register has eight columns of four numbers.
                unsafe { _mm256_loadu_pd(warp.frame.add(register as usize + 32 * (2 * n + odd)).cast()) }
            };
            let (a, b, c, d) = (column(0), column(1), column(2), column(3));
            let (even_ab, odd_ab) = (_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b));
            let (even_cd, odd_cd) = (_mm256_unpacklo_pd(c, d), _mm256_unpackhi_pd(c, d));
            rows[0][odd] = _mm256_permute2f128_pd::<0x20>(even_ab, even_cd);
            rows[1][odd] = _mm256_permute2f128_pd::<0x20>(odd_ab, odd_cd);
            rows[2][odd] = _mm256_permute2f128_pd::<0x31>(even_ab, even_cd);
            rows[3][odd] = _mm256_permute2f128_pd::<0x31>(odd_ab, odd_cd);
        }
    }
    rows
}

/// With AVX-512, for `HALVES` times eight rows.
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
unsafe fn wide<const HALVES: usize, const ROUNDING: i32>(
    warp: &Warp,
    product: &Product,
    results: &mut Results,
) -> bool {
    // Vectors of a register.
    const PARTS: usize = 4;
    // SAFETY: registers of the frame, of which each has as many vectors.
    let load =
        |register: u32, part: usize| unsafe { _mm512_loadu_pd(warp.frame.add(register as usize + 64 * part).cast()) };
    // SAFETY: the same contract.
    let rows = unsafe { right(warp, product) };
    let mut sums = [[[_mm512_setzero_pd(); PARTS]; 2]; HALVES];
    for half in 0..HALVES {
        for odd in 0..2 {
            for part in 0..PARTS {
                sums[half][odd][part] = load(product.c.registers[2 * half + odd], part);
            }
        }
    }
    for (four, rows) in rows.iter().enumerate().take(product.depth / FOUR) {
        for half in 0..HALVES {
            for part in 0..PARTS {
                let left = load(product.a.registers[four * HALVES + half], part);
                let mut add = |left: __m512d, row: &[__m256d; 2]| {
                    for odd in 0..2 {
                        let sum = &mut sums[half][odd][part];
                        // 8: no exceptions, which AVX-512 wants with a rounding mode.
                        let right = _mm512_broadcast_f64x4(row[odd]);
                        *sum = match ROUNDING {
                            1 => _mm512_fmadd_round_pd::<{ 1 | 8 }>(left, right, *sum),
                            2 => _mm512_fmadd_round_pd::<{ 2 | 8 }>(left, right, *sum),
                            3 => _mm512_fmadd_round_pd::<{ 3 | 8 }>(left, right, *sum),
                            _ => _mm512_fmadd_pd(left, right, *sum),
                        };
                    }
                };
                add(_mm512_permutex_pd::<0x00>(left), &rows[0]);
                add(_mm512_permutex_pd::<0x55>(left), &rows[1]);
                add(_mm512_permutex_pd::<0xaa>(left), &rows[2]);
                add(_mm512_permutex_pd::<0xff>(left), &rows[3]);
            }
        }
    }
    let mut nans = 0;
    for half in 0..HALVES {
        for odd in 0..2 {
            for part in 0..PARTS {
                let sum = sums[half][odd][part];
                nans |= _mm512_cmp_pd_mask::<_CMP_UNORD_Q>(sum, sum);
                // SAFETY: four parts are a vector.
                unsafe { _mm512_storeu_pd(results[2 * half + odd].as_mut_ptr().cast::<f64>().add(8 * part), sum) };
            }
        }
    }
    nans == 0
}

/// With AVX2, which knows no rounding but to the nearest.
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn narrow(warp: &Warp, product: &Product, results: &mut Results) -> bool {
    // SAFETY: registers of the frame, of which each has eight rows of four.
    let load =
        |register: u32, row: usize| unsafe { _mm256_loadu_pd(warp.frame.add(register as usize + 32 * row).cast()) };
    // SAFETY: the same contract.
    let rows = unsafe { right(warp, product) };
    let halves = product.rows / ROWS;
    let mut nans = _mm256_setzero_pd();
    for half in 0..halves {
        // Two rows, so that sums need not wait for each other.
        for first in (0..ROWS).step_by(2) {
            let c = |odd: usize, n: usize| load(product.c.registers[2 * half + odd], first + n);
            let mut sums = [[c(0, 0), c(1, 0)], [c(0, 1), c(1, 1)]];
            for (four, rows) in rows.iter().enumerate().take(product.depth / FOUR) {
                let register = product.a.registers[four * halves + half];
                for (n, sums) in sums.iter_mut().enumerate() {
                    let left = load(register, first + n);
                    let mut add = |left: __m256d, row: &[__m256d; 2]| {
                        for (sum, &right) in sums.iter_mut().zip(row) {
                            *sum = _mm256_fmadd_pd(left, right, *sum);
                        }
                    };
                    add(_mm256_permute4x64_pd::<0x00>(left), &rows[0]);
                    add(_mm256_permute4x64_pd::<0x55>(left), &rows[1]);
                    add(_mm256_permute4x64_pd::<0xaa>(left), &rows[2]);
                    add(_mm256_permute4x64_pd::<0xff>(left), &rows[3]);
                }
            }
            for (n, sums) in sums.iter().enumerate() {
                for (odd, &sum) in sums.iter().enumerate() {
                    nans = _mm256_or_pd(nans, _mm256_cmp_pd::<_CMP_UNORD_Q>(sum, sum));
                    let to = results[2 * half + odd].as_mut_ptr().cast::<f64>();
                    // SAFETY: eight rows are a vector.
                    unsafe { _mm256_storeu_pd(to.add(FOUR * (first + n)), sum) };
                }
            }
        }
    }
    _mm256_movemask_pd(nans) == 0
}
