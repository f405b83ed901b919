//! Products of sixteen rows at once, with AVX-512: a lane is a row. [`numbers`](super::numbers) says what is right, and does
//! all others: sparse products, those of eight rows, numbers of other types.
//!
//! Exponents are kept as singles, which hold them exactly: to scale by one is an instruction then.

#![allow(clippy::needless_range_loop)] // Vectors of all columns go by the same number.

use super::layout::Order;
use super::numbers::{HALF_LOW, INFINITY, NAN16, NAN32, NEGATIVE_INFINITY, NEVER, NOT_A_NUMBER, Parts, Rules, kind};
use super::{Element, Fragment, Product};
use crate::numeric::float::{Float16, Half};
use crate::numeric::value::{LANES, SimdLevel, simd_level};
use crate::state::registers::{set_vector, vector};
use crate::state::warp::Warp;
use core::arch::x86_64::*;

/// Rows that are computed together.
pub const ROWS: usize = 16;
/// Columns that are: enough chains of additions to keep the machine busy.
pub const COLUMNS: usize = 4;

/// A factor: for each `k` all rows of the left one, all columns of the right one.
#[derive(Default)]
pub struct Factor {
    /// Bits of short floating point numbers, their significands and exponents.
    raw: Vec<u32>,
    significands: Vec<f32>,
    exponents: Vec<f32>,
    /// The numbers themselves, of types whose products are singles.
    values: Vec<f32>,
    /// Some are infinities or NaNs.
    special: bool,
    /// Integers: two neighbours along `k` beside each other.
    integers: Vec<i16>,
}

impl Factor {
    /// Makes room. All elements are set then.
    pub fn reset(&mut self, element: Element, size: usize) {
        if element.is_short_float() {
            self.raw.resize(size, 0);
        } else {
            self.integers.resize(size, 0);
        }
    }

    /// Sets an element from its bits, at a place in [`order_of`] its type.
    #[inline(always)]
    pub fn set(&mut self, element: Element, at: usize, bits: u32) {
        if element.is_short_float() {
            self.raw[at] = bits;
        } else {
            self.integers[at] = element.integer(bits) as i16;
        }
    }

    /// Takes floating point numbers apart; `negative` turns their signs, `halves` makes those of 8 bits halves, of which fewer
    /// are subnormal.
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
    pub fn take_apart(&mut self, element: Element, negative: bool, halves: bool) {
        if !element.is_short_float() {
            return;
        }
        let size = self.raw.len();
        assert!(size.is_multiple_of(ROWS));
        self.significands.resize(size, 0.0);
        self.exponents.resize(size, 0.0);
        self.values.resize(size, 0.0);
        self.special = match element {
            Element::F16 => self.take_all_apart::<16, 10, 15, 31>(0, negative, halves),
            Element::Bf16 => self.take_all_apart::<16, 7, 127, 255>(0, negative, halves),
            // The lower bits of the register do not count.
            Element::Tf32 => self.take_all_apart::<19, 10, 127, 255>(13, negative, halves),
            // No infinities, and one NaN.
            Element::E4m3 => self.take_all_apart::<8, 3, 7, 16>(0, negative, halves),
            _ => self.take_all_apart::<8, 2, 15, 31>(0, negative, halves),
        };
    }

    /// Takes apart what lies `unused` bits above the lowest one: numbers as [`split`](super::numbers) has them. Gives whether
    /// some are infinities or NaNs.
    #[inline]
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
    fn take_all_apart<const WIDTH: i32, const FRACTION: i32, const BIAS: i32, const MOST: i32>(
        &mut self,
        unused: i32,
        negative: bool,
        halves: bool,
    ) -> bool {
        let right = |x, by: i32| _mm512_srl_epi32(x, _mm_cvtsi32_si128(by));
        let left = |x, by: i32| _mm512_sll_epi32(x, _mm_cvtsi32_si128(by));
        let turns = _mm512_set1_epi32(if negative { 1 << (WIDTH - 1) } else { 0 });
        let (zero, one) = (_mm512_setzero_si512(), _mm512_set1_epi32(127 << 23));
        let mut special = 0;
        for at in (0..self.raw.len()).step_by(ROWS) {
            // SAFETY: all buffers have the size, which is one of whole vectors.
            let raw = unsafe { _mm512_loadu_epi32(self.raw.as_ptr().add(at).cast()) };
            let bits = _mm512_xor_si512(right(raw, unused), turns);
            let sign = _mm512_slli_epi32::<31>(right(bits, WIDTH - 1));
            let field = _mm512_and_si512(right(bits, FRACTION), _mm512_set1_epi32((1 << (WIDTH - 1 - FRACTION)) - 1));
            let rest = _mm512_and_si512(bits, _mm512_set1_epi32((1 << FRACTION) - 1));
            let normal = _mm512_or_si512(left(rest, 23 - FRACTION), one);
            let small = _mm512_mul_ps(_mm512_cvtepi32_ps(rest), _mm512_set1_ps(1.0 / (1 << FRACTION) as f32));
            let is_small = _mm512_cmpeq_epi32_mask(field, zero);
            let significand = _mm512_mask_mov_epi32(normal, is_small, _mm512_castps_si512(small));
            let significand = _mm512_or_si512(significand, sign);
            let mut exponent = _mm512_sub_epi32(field, _mm512_set1_epi32(BIAS));
            exponent = _mm512_mask_mov_epi32(exponent, is_small, _mm512_set1_epi32(1 - BIAS));
            let is_none = _mm512_mask_cmpeq_epi32_mask(is_small, rest, zero);
            exponent = _mm512_mask_mov_epi32(exponent, is_none, _mm512_set1_epi32(NEVER));
            let is_special = if MOST == 16 {
                let magnitude = _mm512_and_si512(bits, _mm512_set1_epi32(0x7f));
                _mm512_cmpeq_epi32_mask(magnitude, _mm512_set1_epi32(0x7f))
            } else {
                _mm512_cmpeq_epi32_mask(field, _mm512_set1_epi32(MOST))
            };
            if is_special != 0 {
                special |= is_special;
                let negative = _mm512_cmpneq_epi32_mask(sign, zero);
                let infinity =
                    _mm512_mask_mov_epi32(_mm512_set1_epi32(INFINITY), negative, _mm512_set1_epi32(NEGATIVE_INFINITY));
                let is_number = _mm512_cmpeq_epi32_mask(rest, zero);
                let kinds = _mm512_mask_mov_epi32(_mm512_set1_epi32(NOT_A_NUMBER), is_number, infinity);
                exponent = _mm512_mask_mov_epi32(exponent, is_special, kinds);
            }
            let mut significand = _mm512_maskz_mov_ps(!is_special, _mm512_castsi512_ps(significand));
            let mut exponent = _mm512_cvtepi32_ps(exponent);
            if halves {
                // Three bits of fraction at most.
                let (unit, low) = (_mm512_set1_ps(1.0), _mm512_set1_ps(HALF_LOW as f32));
                for _ in 0..3 {
                    let grows = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(_mm512_abs_ps(significand), unit);
                    let grows = _mm512_mask_cmp_ps_mask::<_CMP_GT_OQ>(grows, exponent, low);
                    significand = _mm512_mask_add_ps(significand, grows, significand, significand);
                    exponent = _mm512_mask_sub_ps(exponent, grows, exponent, unit);
                }
            }
            // SAFETY: as above.
            unsafe {
                _mm512_storeu_ps(self.significands.as_mut_ptr().add(at), significand);
                _mm512_storeu_ps(self.exponents.as_mut_ptr().add(at), exponent);
                _mm512_storeu_ps(self.values.as_mut_ptr().add(at), _mm512_scalef_ps(significand, exponent));
            }
        }
        special != 0
    }
}

/// True for types whose products all are singles.
fn is_compact(element: Element) -> bool {
    matches!(element, Element::F16 | Element::E4m3 | Element::E5m2)
}

/// Buffers of a product.
#[derive(Default)]
pub struct Wide {
    pub a: Factor,
    pub b: Factor,
    /// What is added, and the results, column by column.
    pub c: Vec<u32>,
}

/// Whether a product can be computed so, on this machine.
pub fn fits(product: &Product) -> bool {
    let shape = product.rows.is_multiple_of(ROWS)
        && product.columns.is_multiple_of(COLUMNS)
        && product.b_columns == product.columns
        && product.sparsity.is_none();
    let known = match product.rules {
        Rules::Short { parts, .. } => parts != Parts::Long,
        Rules::Integer { .. } => product.depth.is_multiple_of(2),
        _ => false,
    };
    shape && known && simd_level() == SimdLevel::Avx512
}

/// How the left or the right factor lies in its buffer.
pub fn order_of(element: Element, left: bool) -> Order {
    match (element.is_short_float(), left) {
        (true, true) => Order::Columns,
        (true, false) => Order::Rows,
        (false, true) => Order::PairsOfColumns,
        (false, false) => Order::PairsOfRows,
    }
}

/// Where an element is in such a buffer, of so many rows of the left, columns of the right factor.
pub fn place_of(element: Element, count: usize, i: usize, k: usize) -> usize {
    if element.is_short_float() { k * count + i } else { (k / 2 * count + i) * 2 + k % 2 }
}

/// Calls `f` with the place in the matrix and the bits of every element of a fragment of up to 32 bits.
#[inline(always)]
unsafe fn each(warp: &Warp, fragment: &Fragment, order: Order, mut f: impl FnMut(usize, u32)) {
    let (bits, per) = (fragment.element.bits(), fragment.element.per_register());
    let mask = if bits == 32 { u32::MAX } else { (1 << bits) - 1 };
    for (number, &register) in fragment.registers.iter().enumerate() {
        // SAFETY: the contract of `Execute`: registers of the frame.
        let words = unsafe { vector::<u32>(warp, register) };
        for element in 0..per {
            let places = fragment.layout.places(order, number * per + element);
            for (&place, &word) in places.iter().zip(&words) {
                f(usize::from(place), word >> (element * bits) & mask);
            }
        }
    }
}

impl Wide {
    /// Takes a factor out of the registers of a warp.
    ///
    /// # Safety
    /// The contract of [`Execute`](crate::state::warp::Execute).
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
    pub unsafe fn take(&mut self, warp: &Warp, product: &Product, left: bool) {
        let (to, from, size) = if left {
            (&mut self.a, &product.a, product.rows * product.depth)
        } else {
            (&mut self.b, &product.b, product.depth * product.columns)
        };
        let element = from.element;
        to.reset(element, size);
        // A loop for each type.
        macro_rules! take {
            ($($element:pat => $as:expr;)*) => {
                match element {
                    // SAFETY: the same contract.
                    $($element => unsafe { each(warp, from, order_of($as, left), |at, bits| to.set($as, at, bits)) },)*
                }
            };
        }
        take! {
            Element::S8 => Element::S8;
            Element::U8 => Element::U8;
            Element::S4 => Element::S4;
            Element::U4 => Element::U4;
            _ => Element::F32;
        }
    }

    /// Makes room for what is added, all zeros.
    pub fn clear(&mut self, product: &Product) {
        self.c.clear();
        self.c.resize(product.rows * product.columns, 0);
    }

    /// Takes what is added out of the registers of a warp.
    ///
    /// # Safety
    /// The contract of [`Execute`](crate::state::warp::Execute).
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
    pub unsafe fn take_sums(&mut self, warp: &Warp, product: &Product) {
        self.c.resize(product.rows * product.columns, 0);
        let c = &mut self.c;
        // SAFETY: the same contract.
        unsafe { each(warp, &product.c, Order::Columns, |at, bits| c[at] = bits) };
        if product.c.element == Element::F16 {
            for bits in c {
                *bits = Float16(*bits as u16).to_f32().to_bits();
            }
        }
    }

    /// Puts the results into the registers of a warp.
    ///
    /// # Safety
    /// The contract of [`Execute`](crate::state::warp::Execute).
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
    pub unsafe fn put(&self, warp: &mut Warp, product: &Product) {
        let d = &product.d;
        let (bits, per) = (d.element.bits(), d.element.per_register());
        for (number, &register) in d.registers.iter().enumerate() {
            let mut words = [0u32; LANES];
            for element in 0..per {
                let places = d.layout.places(Order::Columns, number * per + element);
                for (word, &place) in words.iter_mut().zip(places) {
                    *word |= self.c[usize::from(place)] << (element * bits);
                }
            }
            // SAFETY: the same contract.
            unsafe { set_vector(warp, register, &words) };
        }
    }

    /// `c = a * b + c`; `c` ends in the type of `d`. `negative` turns the signs of the left factor.
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
    pub fn multiply(&mut self, product: &Product, negative: bool) {
        let halves = matches!(product.rules, Rules::Short { parts: Parts::Pairs, .. });
        self.a.take_apart(product.a.element, negative, halves);
        self.b.take_apart(product.b.element, false, halves);
        let whole = (self.a.raw.len().max(self.a.integers.len()), self.b.raw.len().max(self.b.integers.len()));
        assert!(whole.0 >= product.rows * product.depth && whole.1 >= product.depth * product.columns);
        assert!(self.c.len() == product.rows * product.columns);
        for column in (0..product.columns).step_by(COLUMNS) {
            for row in (0..product.rows).step_by(ROWS) {
                let tile = Tile { product, row, column };
                match product.rules {
                    Rules::Short { fraction, half, narrow, parts } => {
                        self.short(tile, fraction, half, half || narrow, parts);
                    }
                    Rules::Integer { saturate } => self.integer(tile, saturate),
                    _ => {}
                }
            }
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
    fn short(&mut self, tile: Tile<'_>, fraction: i32, half: bool, narrow: bool, parts: Parts) {
        let depth = tile.product.depth;
        let mut sums = [_mm512_setzero_ps(); COLUMNS];
        for (n, sum) in sums.iter_mut().enumerate() {
            // SAFETY: sixteen rows of a column.
            *sum = unsafe { _mm512_loadu_ps(self.c.as_ptr().add(tile.cell(n)).cast()) };
        }
        let fused = Fused { wide: self, tile, fraction, half };
        match parts {
            Parts::Whole | Parts::Long => fused.add(&mut sums, |k| k, depth),
            Parts::Runs(length) => {
                for start in (0..depth).step_by(length) {
                    fused.add(&mut sums, |k| start + k, length.min(depth - start));
                }
            }
            Parts::Pairs => {
                let before = sums;
                sums = [_mm512_setzero_ps(); COLUMNS];
                for second in [0, 2] {
                    fused.add(&mut sums, |k| k / 2 * 4 + second + k % 2, depth / 2);
                }
                for (sum, before) in sums.iter_mut().zip(before) {
                    *sum = if half {
                        let part = |x: __m512| [_mm512_castps512_ps256(x), _mm512_extractf32x8_ps::<1>(x)];
                        let ([a, b], [c, d]) = (part(*sum), part(before));
                        let add = |x, y| to_half(_mm512_add_pd(_mm512_cvtps_pd(x), _mm512_cvtps_pd(y)));
                        both(add(a, c), add(b, d))
                    } else {
                        _mm512_add_ps(*sum, before)
                    };
                }
            }
        }
        for (n, sum) in sums.into_iter().enumerate() {
            let nan = _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(sum, sum);
            let bits = if narrow {
                let halves = _mm512_cvtepu16_epi32(_mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(sum));
                _mm512_mask_mov_epi32(halves, nan, _mm512_set1_epi32(NAN16.into()))
            } else {
                _mm512_mask_mov_epi32(_mm512_castps_si512(sum), nan, _mm512_set1_epi32(NAN32 as i32))
            };
            // SAFETY: as above.
            unsafe { _mm512_storeu_epi32(self.c.as_mut_ptr().add(tile.cell(n)).cast(), bits) };
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
    fn integer(&mut self, tile: Tile<'_>, saturate: bool) {
        let &Product { rows, columns, depth, .. } = tile.product;
        let mut sums = [_mm512_setzero_si512(); COLUMNS];
        let (a, b) = (self.a.integers.as_ptr().cast::<i32>(), self.b.integers.as_ptr().cast::<i32>());
        for k in 0..depth / 2 {
            // SAFETY: pairs of both factors, in words.
            unsafe {
                let left = _mm512_loadu_epi32(a.add(k * rows + tile.row));
                for (n, sum) in sums.iter_mut().enumerate() {
                    let right = _mm512_set1_epi32(b.add(k * columns + tile.column + n).read_unaligned());
                    *sum = _mm512_add_epi32(*sum, _mm512_madd_epi16(left, right));
                }
            }
        }
        for (n, sum) in sums.into_iter().enumerate() {
            let mut all = [0i32; ROWS];
            // SAFETY: an array of the vector's size.
            unsafe { _mm512_storeu_epi32(all.as_mut_ptr(), sum) };
            for (cell, sum) in self.c[tile.cell(n)..][..ROWS].iter_mut().zip(all) {
                let old = *cell as i32;
                *cell = if saturate { old.saturating_add(sum) } else { old.wrapping_add(sum) } as u32;
            }
        }
    }
}

/// Sixteen rows and some columns of a product.
#[derive(Clone, Copy)]
struct Tile<'a> {
    product: &'a Product,
    row: usize,
    column: usize,
}

impl Tile<'_> {
    /// The first result of a column.
    #[inline(always)]
    fn cell(&self, n: usize) -> usize {
        (self.column + n) * self.product.rows + self.row
    }
}

/// How sums of products are added up.
struct Fused<'a> {
    wide: &'a Wide,
    tile: Tile<'a>,
    fraction: i32,
    half: bool,
}

impl Fused<'_> {
    /// One sum of `count` products and what is in `sums`.
    #[inline]
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
    fn add(&self, sums: &mut [__m512; COLUMNS], place: impl Fn(usize) -> usize + Copy, count: usize) {
        let (a, b) = (&self.wide.a, &self.wide.b);
        let &Product { rows, columns, .. } = self.tile.product;
        // Sixteen rows of the left, a column of the right factor.
        macro_rules! left {
            ($what:ident, $k:expr) => {
                // SAFETY: `multiply` has looked at how long they are.
                unsafe { _mm512_loadu_ps(a.$what.as_ptr().add($k * rows + self.tile.row)) }
            };
        }
        macro_rules! right {
            ($what:ident, $k:expr, $n:expr) => {
                // SAFETY: as above.
                unsafe { _mm512_set1_ps(*b.$what.as_ptr().add($k * columns + self.tile.column + $n)) }
            };
        }
        let before = *sums;
        let mut significands = [_mm512_setzero_ps(); COLUMNS];
        let mut exponents = [_mm512_setzero_ps(); COLUMNS];
        for n in 0..COLUMNS {
            (significands[n], exponents[n]) = self.apart(before[n]);
        }
        let mut highest = exponents;
        for k in (0..count).map(place) {
            let exponent = left!(exponents, k);
            for n in 0..COLUMNS {
                highest[n] = _mm512_max_ps(highest[n], _mm512_add_ps(exponent, right!(exponents, k, n)));
            }
        }
        let fraction = _mm512_set1_ps(self.fraction as f32);
        let lowest = highest.map(|highest| _mm512_sub_ps(highest, fraction));
        let mut totals = [_mm512_setzero_si512(); COLUMNS];
        if is_compact(self.tile.product.a.element) {
            // Where the steps are smaller there are no products but zeros.
            let scale = lowest.map(|lowest| {
                let lowest = _mm512_max_ps(lowest, _mm512_set1_ps(-100.0));
                _mm512_scalef_ps(_mm512_set1_ps(1.0), _mm512_sub_ps(_mm512_setzero_ps(), lowest))
            });
            for k in (0..count).map(place) {
                let value = left!(values, k);
                for n in 0..COLUMNS {
                    let scaled = _mm512_mul_ps(_mm512_mul_ps(value, right!(values, k, n)), scale[n]);
                    totals[n] = _mm512_add_epi32(totals[n], _mm512_cvttps_epi32(scaled));
                }
            }
        } else {
            for k in (0..count).map(place) {
                let (significand, exponent) = (left!(significands, k), left!(exponents, k));
                for n in 0..COLUMNS {
                    let product = _mm512_mul_ps(significand, right!(significands, k, n));
                    let by = _mm512_sub_ps(_mm512_add_ps(exponent, right!(exponents, k, n)), lowest[n]);
                    let scaled = _mm512_cvttps_epi32(_mm512_scalef_ps(product, by));
                    totals[n] = _mm512_add_epi32(totals[n], scaled);
                }
            }
        }
        for n in 0..COLUMNS {
            let by = _mm512_sub_ps(exponents[n], lowest[n]);
            let own = _mm512_cvttps_epi32(_mm512_scalef_ps(significands[n], by));
            sums[n] = self.round(totals[n], own, lowest[n]);
            let odd = _mm512_fpclass_ps_mask::<0x99>(before[n]);
            if a.special || b.special || odd != 0 {
                self.decide(before[n], &mut sums[n], n, place, count);
            }
        }
    }

    /// Significands and exponents of sums.
    #[inline]
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
    fn apart(&self, x: __m512) -> (__m512, __m512) {
        let never = _mm512_set1_ps(NEVER as f32);
        // Infinities, NaNs and zeros are left out.
        let none = _mm512_fpclass_ps_mask::<0x9f>(x);
        let tiny = _mm512_fpclass_ps_mask::<0x20>(x);
        let bits = _mm512_castps_si512(x);
        let rest = _mm512_and_si512(bits, _mm512_set1_epi32(0x7f_ffff));
        let sign = _mm512_and_si512(bits, _mm512_set1_epi32(i32::MIN));
        let field = _mm512_and_si512(_mm512_srli_epi32::<23>(bits), _mm512_set1_epi32(255));
        let one = _mm512_set1_epi32(127 << 23);
        let normal = _mm512_castsi512_ps(_mm512_or_si512(_mm512_or_si512(rest, sign), one));
        let magnitude = _mm512_mul_ps(_mm512_cvtepi32_ps(rest), _mm512_set1_ps(1.0 / (1 << 23) as f32));
        let small = _mm512_castsi512_ps(_mm512_or_si512(_mm512_castps_si512(magnitude), sign));
        let exponent = _mm512_cvtepi32_ps(_mm512_sub_epi32(field, _mm512_set1_epi32(127)));
        let mut significand = _mm512_mask_mov_ps(normal, tiny, small);
        let mut exponent = _mm512_mask_mov_ps(exponent, tiny, _mm512_set1_ps(-126.0));
        if self.half {
            // Small ones have the exponent that they have in half precision.
            let low = _mm512_set1_ps(HALF_LOW as f32);
            let below = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(exponent, low);
            significand = _mm512_mask_scalef_ps(significand, below, significand, _mm512_sub_ps(exponent, low));
            exponent = _mm512_max_ps(exponent, low);
        }
        (_mm512_mask_mov_ps(significand, none, _mm512_setzero_ps()), _mm512_mask_mov_ps(exponent, none, never))
    }

    /// Sums out of counts of steps, and the exponents of the steps.
    #[inline]
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
    fn round(&self, totals: __m512i, own: __m512i, steps: __m512) -> __m512 {
        let exact = |totals: __m256i, own: __m256i, steps: __m256| {
            let total = _mm512_add_pd(_mm512_cvtepi32_pd(totals), _mm512_cvtepi32_pd(own));
            // Few bits, and an exponent that doubles have, or nothing.
            _mm512_scalef_pd(total, _mm512_cvtps_pd(steps))
        };
        let low = exact(_mm512_castsi512_si256(totals), _mm512_castsi512_si256(own), _mm512_castps512_ps256(steps));
        let high = exact(
            _mm512_extracti32x8_epi32::<1>(totals),
            _mm512_extracti32x8_epi32::<1>(own),
            _mm512_extractf32x8_ps::<1>(steps),
        );
        let sums =
            if self.half { both(to_half(low), to_half(high)) } else { both(toward_zero(low), toward_zero(high)) };
        // No more bits than the sum had.
        let kept = if self.fraction < 23 { u32::MAX << (23 - self.fraction) } else { u32::MAX };
        let bits = _mm512_and_si512(_mm512_castps_si512(sums), _mm512_set1_epi32(kept as i32));
        // What is too small in the end is a zero without a sign.
        _mm512_add_ps(_mm512_castsi512_ps(bits), _mm512_setzero_ps())
    }

    /// Infinities and NaNs decide by themselves; what else is there does not matter.
    #[cold]
    #[inline(never)]
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
    fn decide(&self, before: __m512, sum: &mut __m512, n: usize, place: impl Fn(usize) -> usize + Copy, count: usize) {
        let (a, b) = (&self.wide.a, &self.wide.b);
        let &Product { rows, columns, .. } = self.tile.product;
        let (mut old, mut new) = ([0f32; ROWS], [0f32; ROWS]);
        // SAFETY: arrays of the vector's size.
        unsafe {
            _mm512_storeu_ps(old.as_mut_ptr(), before);
            _mm512_storeu_ps(new.as_mut_ptr(), *sum);
        }
        for (row, new) in new.iter_mut().enumerate() {
            let mut all = 0.0;
            for k in (0..count).map(place) {
                let (left, right) = (k * rows + self.tile.row + row, k * columns + self.tile.column + n);
                let x = kind(a.significands[left], a.exponents[left] as i32);
                let y = kind(b.significands[right], b.exponents[right] as i32);
                if !x.is_finite() || !y.is_finite() {
                    all += x * y;
                }
            }
            if !old[row].is_finite() {
                all += old[row];
            }
            if all != 0.0 {
                *new = all;
            }
        }
        // SAFETY: as above.
        *sum = unsafe { _mm512_loadu_ps(new.as_ptr()) };
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn both(low: __m256, high: __m256) -> __m512 {
    _mm512_insertf32x8::<1>(_mm512_castps256_ps512(low), high)
}

/// Rounds towards zero, but what is too large becomes infinite.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
fn toward_zero(x: __m512d) -> __m256 {
    let rounded = _mm512_cvt_roundpd_ps::<{ _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC }>(x);
    // The first number that is beyond the range of singles.
    let limit = _mm512_set1_pd(340_282_366_920_938_463_463_374_607_431_768_211_456.0);
    let large = _mm512_cmp_pd_mask::<_CMP_GE_OQ>(_mm512_abs_pd(x), limit);
    let sign = _mm256_and_ps(rounded, _mm256_set1_ps(-0.0));
    _mm256_mask_or_ps(rounded, large, sign, _mm256_set1_ps(f32::INFINITY))
}

/// Rounds to the nearest number of half precision.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
fn to_half(x: __m512d) -> __m256 {
    let magnitude = _mm512_abs_pd(x);
    // A number that large leaves no bits behind those that remain.
    let exponent = _mm512_srli_epi64::<52>(_mm512_castpd_si512(magnitude));
    let exponent = _mm512_max_epi64(exponent, _mm512_set1_epi64(1023 + HALF_LOW as i64));
    let large = _mm512_slli_epi64::<52>(_mm512_add_epi64(exponent, _mm512_set1_epi64(52 - 10)));
    let large = _mm512_castsi512_pd(large);
    let rounded = _mm512_sub_pd(_mm512_add_pd(magnitude, large), large);
    let beyond = _mm512_cmp_pd_mask::<_CMP_GE_OQ>(rounded, _mm512_set1_pd(65536.0));
    let rounded = _mm512_mask_mov_pd(rounded, beyond, _mm512_set1_pd(f64::INFINITY));
    let sign = _mm512_and_pd(x, _mm512_set1_pd(-0.0));
    _mm512_cvtpd_ps(_mm512_or_pd(rounded, sign))
}
