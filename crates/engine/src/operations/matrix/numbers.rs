//! How the elements of matrices are multiplied and added.
//!
//! Floating point of up to 32 bits goes the way of tensor cores: products are exact; all of them and the accumulator are
//! cut off a fixed number of bits below the highest of their exponents, added exactly, and the sum is rounded once
//! (towards zero in single precision, to the nearest in half precision). Recordings of the hardware say so bit by bit.

use super::{Element, WIDTH};
use crate::numeric::float;
use crate::numeric::float::{Float16, Half};
use crate::numeric::value::{Value, has_avx2};

/// The exponent of zero: below every other one. Infinities and NaNs have a significand of zero and exponents below that,
/// so that they are left out of sums.
pub(super) const NEVER: i32 = -20000;
pub(super) const INFINITY: i32 = NEVER - 1;
pub(super) const NEGATIVE_INFINITY: i32 = NEVER - 2;
pub(super) const NOT_A_NUMBER: i32 = NEVER - 3;
/// The NaNs that products give.
pub(super) const NAN32: u32 = 0x7fff_ffff;
pub(super) const NAN16: u16 = 0x7fff;

/// How products are added up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rules {
    /// Floating point up to single precision.
    Short {
        /// Bits that are kept below the highest exponent.
        fraction: i32,
        /// Sums are rounded to half precision.
        half: bool,
        /// The result is, once more.
        narrow: bool,
        /// Which products are one sum.
        parts: Parts,
    },
    /// Products added in single precision, rounded to the nearest each time: what the hardware does instead of the products
    /// of its first tensor cores. For results of single precision one after the other, then the accumulator; for halves the
    /// accumulator to the first two, then the sum of the others.
    Chain {
        /// The result has half precision.
        half: bool,
    },
    /// Double precision; the rounding mode.
    Double(u32),
    /// Integers of up to 8 bits.
    Integer {
        /// The sum saturates.
        saturate: bool,
    },
    /// Words of single bits: the bits in common are counted, or those that differ.
    Bits {
        /// In common.
        and: bool,
    },
}

/// Which products are added in one go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Parts {
    /// All, and the accumulator.
    Whole,
    /// The same, of more than sixteen.
    Long,
    /// So many, and the accumulator; then the next.
    Runs(usize),
    /// Of each run of four the first two; then the others on top; then the accumulator.
    Pairs,
}

/// A matrix taken out of its fragment, row after row.
#[derive(Default)]
pub struct Rows {
    /// Significands of short floating point numbers: 1 to 2, less for subnormal ones.
    significands: Vec<f32>,
    /// Their exponents.
    exponents: Vec<i32>,
    /// Some are infinities or NaNs.
    special: bool,
    integers: Vec<i32>,
    doubles: Vec<f64>,
    /// The bits of numbers of 32 bits.
    words: Vec<u32>,
}

/// Eight columns of a matrix.
pub struct Panel<'a> {
    /// The matrix.
    pub rows: &'a Rows,
    /// Its columns.
    pub columns: usize,
    /// The first of the eight.
    pub first: usize,
    /// The rows that count; all where there is no choice.
    pub picks: Option<&'a [u16]>,
}

impl Panel<'_> {
    #[inline(always)]
    fn at(&self, k: usize) -> usize {
        let row = self.picks.map_or(k, |picks| usize::from(picks[k]));
        row * self.columns + self.first
    }
}

/// Takes a number with `fraction` bits of fraction and exponents around `bias` apart. `most` is the exponent field of
/// infinities, which not every format has.
#[inline(always)]
fn split(bits: u32, width: u32, fraction: u32, bias: i32, most: u32) -> (f32, i32) {
    let sign = bits >> (width - 1) << 31;
    let field = bits >> fraction & ((1 << (width - 1 - fraction)) - 1);
    let rest = bits & ((1 << fraction) - 1);
    if field == most {
        let exponent = match (rest, sign) {
            (0, 0) => INFINITY,
            (0, _) => NEGATIVE_INFINITY,
            _ => NOT_A_NUMBER,
        };
        return (0.0, exponent);
    }
    if field == 0 {
        let magnitude = rest as f32 * f32::from_bits((127 - fraction) << 23);
        let exponent = if rest == 0 { NEVER } else { 1 - bias };
        return (f32::from_bits(magnitude.to_bits() | sign), exponent);
    }
    (f32::from_bits(sign | 127 << 23 | rest << (23 - fraction)), field as i32 - bias)
}

/// Of formats without infinities: no exponent field is that.
const NO_FIELD: u32 = u32::MAX;

/// A number of a short floating point type as significand and exponent.
#[inline(always)]
fn take_apart(element: Element, bits: u32) -> (f32, i32) {
    match element {
        Element::F16 => split(bits, 16, 10, 15, 31),
        Element::Bf16 => split(bits, 16, 7, 127, 255),
        // The lower bits of the register do not count.
        Element::Tf32 => split(bits >> 13, 19, 10, 127, 255),
        // No infinities, and one NaN.
        Element::E4m3 if bits & 0x7f == 0x7f => (0.0, NOT_A_NUMBER),
        Element::E4m3 => split(bits, 8, 3, 7, 16),
        Element::E5m2 => split(bits, 8, 2, 15, 31),
        Element::E2m3 => split(bits & 0x3f, 6, 3, 1, NO_FIELD),
        Element::E3m2 => split(bits & 0x3f, 6, 2, 3, NO_FIELD),
        Element::E2m1 => split(bits >> 2 & 15, 4, 1, 1, NO_FIELD),
        Element::Packed2m1 => split(bits & 15, 4, 1, 1, NO_FIELD),
        _ => split(bits, 32, 23, 127, 255),
    }
}

/// A number of half precision out of its parts.
#[inline(always)]
fn value(significand: f32, exponent: i32) -> f32 {
    if exponent < NEVER { kind(significand, exponent) } else { significand * power(exponent) }
}

/// What decides by itself: an infinity or a NaN; other numbers as they are but for their size.
pub(super) fn kind(significand: f32, exponent: i32) -> f32 {
    match exponent {
        INFINITY => f32::INFINITY,
        NEGATIVE_INFINITY => f32::NEG_INFINITY,
        NOT_A_NUMBER => f32::NAN,
        _ => significand,
    }
}

impl Rows {
    /// Makes room for a matrix.
    pub fn reset(&mut self, element: Element, rows: usize, columns: usize) {
        let size = rows * columns;
        self.special = false;
        if element.is_short_float() {
            self.significands.resize(size, 0.0);
            self.exponents.resize(size, NEVER);
            if element == Element::Tf32 {
                self.words.resize(size, 0);
            }
        } else if element == Element::F64 {
            self.doubles.resize(size, 0.0);
        } else {
            self.integers.resize(size, 0);
        }
    }

    /// Sets an element from its bits.
    #[inline(always)]
    pub fn set(&mut self, element: Element, at: usize, bits: u64) {
        if element.is_short_float() {
            let (significand, exponent) = take_apart(element, bits as u32);
            self.special |= exponent < NEVER;
            self.significands[at] = significand;
            self.exponents[at] = exponent;
            if element == Element::Tf32 {
                self.words[at] = bits as u32;
            }
        } else if element == Element::F64 {
            self.doubles[at] = f64::from_bits(bits);
        } else {
            self.integers[at] = element.integer(bits as u32);
        }
    }

    /// Makes rows behind the first `rows` of the halves of two rows each: sixteen for every two, of which number `c` has the
    /// half that the lower two bits of `c` name below the one that the upper two do.
    pub fn mix_halves(&mut self, element: Element, rows: usize, columns: usize) {
        let size = (rows + rows / 2 * 16) * columns;
        self.significands.resize(size, 0.0);
        self.exponents.resize(size, NEVER);
        self.words.resize(size, 0);
        for row in rows..rows + rows / 2 * 16 {
            let (first, code) = ((row - rows) / 16 * 2, (row - rows) % 16);
            for column in 0..columns {
                let at = |row: usize| u64::from(self.words[row * columns + column]);
                let both = at(first) | at(first + 1) << 32;
                let half = |n: usize| both >> (16 * (n & 3)) & 0xffff;
                self.set(element, row * columns + column, half(code) | half(code >> 2) << 16);
            }
        }
    }

    /// The bits of a number of 32 bits.
    #[cfg(test)]
    pub fn bits(&self, at: usize) -> Option<u32> {
        self.words.get(at).copied()
    }

    /// As if all numbers were halves, of which fewer are subnormal.
    pub fn as_halves(&mut self) {
        for (significand, exponent) in self.significands.iter_mut().zip(&mut self.exponents) {
            while significand.abs() < 1.0 && *exponent > HALF_LOW {
                (*significand, *exponent) = (*significand * 2.0, *exponent - 1);
            }
        }
    }

    /// Multiplies an element by a scale, a power of two or a number of eight bits without a sign.
    pub fn scale(&mut self, at: usize, bits: u32, power: bool) {
        let (factor, exponent) = match (power, bits) {
            (true, 0xff) => (0.0, NOT_A_NUMBER),
            (true, bits) => (1.0, bits as i32 - 127),
            (false, bits) => take_apart(Element::E4m3, bits & 0x7f),
        };
        let (own, own_exponent) = (&mut self.significands[at], &mut self.exponents[at]);
        if exponent == NOT_A_NUMBER {
            (*own, *own_exponent, self.special) = (0.0, NOT_A_NUMBER, true);
        } else if *own_exponent > NEVER && factor == 0.0 {
            (*own, *own_exponent) = (0.0, NEVER);
        } else if *own_exponent > NEVER {
            (*own, *own_exponent) = (*own * factor, *own_exponent + exponent);
            if own.abs() >= 2.0 {
                (*own, *own_exponent) = (*own / 2.0, *own_exponent + 1);
            }
        }
    }

    /// Turns the signs of all elements.
    pub fn negate(&mut self) {
        self.significands.iter_mut().for_each(|s| *s = -*s);
        for exponent in self.exponents.iter_mut().filter(|_| self.special) {
            *exponent = match *exponent {
                INFINITY => NEGATIVE_INFINITY,
                NEGATIVE_INFINITY => INFINITY,
                other => other,
            };
        }
    }
}

/// Adds the products of a row of `a` (from element `first` on, `depth` of them) with eight columns to `cells`, which hold
/// f32 (also where the result has half precision), f64 or integers, and get results in their final type.
pub fn dot(rules: &Rules, a: &Rows, first: usize, depth: usize, b: &Panel<'_>, cells: &mut [u64]) {
    match *rules {
        Rules::Short { fraction, half, narrow, parts } => {
            let mut sums: [f32; WIDTH] = core::array::from_fn(|j| f32::from_bits(cells[j] as u32));
            match parts {
                Parts::Whole | Parts::Long => fused(fraction, half, a, first, depth, b, &mut sums, |k| k, depth),
                Parts::Runs(length) => {
                    for start in (0..depth).step_by(length) {
                        let count = length.min(depth - start);
                        fused(fraction, half, a, first, depth, b, &mut sums, |k| start + k, count);
                    }
                }
                Parts::Pairs => {
                    let accumulators = sums;
                    sums = [0.0; WIDTH];
                    for second in [0, 2] {
                        let place = |k: usize| k / 2 * 4 + second + k % 2;
                        fused(fraction, half, a, first, depth, b, &mut sums, place, depth / 2);
                    }
                    for (sum, accumulator) in sums.iter_mut().zip(accumulators) {
                        let exact = f64::from(*sum) + f64::from(accumulator);
                        *sum = if half { Float16::nearest(exact).to_f32() } else { *sum + accumulator };
                    }
                }
            }
            for (cell, sum) in cells.iter_mut().zip(sums) {
                *cell = match (half || narrow, sum.is_nan()) {
                    (true, true) => NAN16.into(),
                    (true, false) => Float16::nearest(f64::from(sum)).put().into(),
                    (false, true) => NAN32.into(),
                    (false, false) => sum.to_bits().into(),
                };
            }
        }
        Rules::Chain { half } => {
            for (j, cell) in cells.iter_mut().enumerate() {
                let add = |k: usize, sum: f32| {
                    let at = b.at(k) + j;
                    let x = value(a.significands[first + k], a.exponents[first + k]);
                    let y = value(b.rows.significands[at], b.rows.exponents[at]);
                    x.mul_add(y, sum)
                };
                let before = f32::from_bits(*cell as u32);
                // A sum that begins with a product has its sign, also where it is zero.
                let products = |from, to, first| (from..to).fold(first, |sum, k| add(k, sum));
                let sum = if half {
                    products(0, depth / 2, -0.0) + before + products(depth / 2, depth, -0.0)
                } else {
                    products(0, depth, 0.0) + before
                };
                *cell = match (half, sum.is_nan()) {
                    (true, true) => NAN16.into(),
                    (true, false) => Float16::nearest(f64::from(sum)).put().into(),
                    (false, true) => NAN32.into(),
                    (false, false) => sum.to_bits().into(),
                };
            }
        }
        Rules::Double(mode) => {
            let mut sums: [f64; WIDTH] = core::array::from_fn(|j| f64::from_bits(cells[j]));
            match mode {
                float::ZERO => doubles(a, first, depth, b, &mut sums, float::fma64::<{ float::ZERO }>),
                float::UP => doubles(a, first, depth, b, &mut sums, float::fma64::<{ float::UP }>),
                float::DOWN => doubles(a, first, depth, b, &mut sums, float::fma64::<{ float::DOWN }>),
                // SAFETY: the machine has the instructions.
                _ if has_avx2() => unsafe { doubles_wide(a, first, depth, b, &mut sums) },
                _ => doubles(a, first, depth, b, &mut sums, f64::mul_add),
            }
            for (cell, sum) in cells.iter_mut().zip(sums) {
                *cell = sum.to_bits();
            }
        }
        Rules::Integer { saturate } => {
            let mut sums = [0i32; WIDTH];
            for k in 0..depth {
                let (x, at) = (a.integers[first + k], b.at(k));
                let Some(row) = b.rows.integers.get(at..at + WIDTH) else { continue };
                for (sum, &y) in sums.iter_mut().zip(row) {
                    *sum = sum.wrapping_add(x.wrapping_mul(y));
                }
            }
            for (cell, sum) in cells.iter_mut().zip(sums) {
                let old = *cell as i32;
                let new = if saturate { old.saturating_add(sum) } else { old.wrapping_add(sum) };
                *cell = u64::from(new as u32);
            }
        }
        Rules::Bits { and } => {
            let mut sums: [u32; WIDTH] = core::array::from_fn(|j| cells[j] as u32);
            if has_avx2() {
                // SAFETY: the machine has the instructions.
                unsafe { bits_wide(and, a, first, depth, b, &mut sums) };
            } else {
                self::bits(and, a, first, depth, b, &mut sums);
            }
            for (cell, sum) in cells.iter_mut().zip(sums) {
                *cell = sum.into();
            }
        }
    }
}

/// Adds products of doubles one after the other.
#[inline(always)]
fn doubles(
    a: &Rows,
    first: usize,
    depth: usize,
    b: &Panel<'_>,
    sums: &mut [f64; WIDTH],
    add: impl Fn(f64, f64, f64) -> f64,
) {
    for k in 0..depth {
        let (x, at) = (a.doubles[first + k], b.at(k));
        let Some(row) = b.rows.doubles.get(at..at + WIDTH) else { return };
        for j in 0..WIDTH {
            let (y, sum) = (row[j], sums[j]);
            // A NaN goes on as it is: that of the right factor before that of the sum before that of the left one.
            let nan = if y.is_nan() {
                y
            } else if sum.is_nan() {
                sum
            } else {
                x
            };
            let next = add(x, y, sum);
            sums[j] = if nan.is_nan() { f64::from_bits(nan.to_bits() | 1 << 51) } else { next };
        }
    }
}

#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn doubles_wide(a: &Rows, first: usize, depth: usize, b: &Panel<'_>, sums: &mut [f64; WIDTH]) {
    doubles(a, first, depth, b, sums, |x, y, sum| x.mul_add(y, sum));
}

/// Counts the bits in common, or those that differ.
#[inline(always)]
fn bits(and: bool, a: &Rows, first: usize, depth: usize, b: &Panel<'_>, sums: &mut [u32; WIDTH]) {
    for k in 0..depth {
        let (x, at) = (a.integers[first + k], b.at(k));
        let Some(row) = b.rows.integers.get(at..at + WIDTH) else { return };
        for j in 0..WIDTH {
            sums[j] = sums[j].wrapping_add(if and { x & row[j] } else { x ^ row[j] }.count_ones());
        }
    }
}

#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn bits_wide(and: bool, a: &Rows, first: usize, depth: usize, b: &Panel<'_>, sums: &mut [u32; WIDTH]) {
    bits(and, a, first, depth, b, sums);
}

/// One sum of `count` products and what is in `sums`, for eight columns.
#[allow(clippy::too_many_arguments, reason = "all of it is one inner loop")]
fn fused(
    fraction: i32,
    half: bool,
    a: &Rows,
    first: usize,
    depth: usize,
    b: &Panel<'_>,
    sums: &mut [f32; WIDTH],
    place: impl Fn(usize) -> usize + Copy,
    count: usize,
) {
    let before = *sums;
    let special = a.special || b.rows.special || before.iter().any(|s| !s.is_finite());
    let end = first + depth;
    if let (Some(s), Some(e)) = (a.significands.get(first..end), a.exponents.get(first..end)) {
        if has_avx2() {
            // SAFETY: the machine has the instructions.
            unsafe { align_and_add_wide(fraction, half, (s, e), b, sums, place, count) };
        } else {
            align_and_add(fraction, half, (s, e), b, sums, place, count);
        }
    }
    if !special {
        return;
    }
    // Infinities and NaNs decide by themselves; what else is there does not matter.
    for (j, sum) in sums.iter_mut().enumerate() {
        let mut all = 0.0;
        for k in (0..count).map(place) {
            let at = b.at(k) + j;
            let x = kind(a.significands[first + k], a.exponents[first + k]);
            let y = kind(b.rows.significands[at], b.rows.exponents[at]);
            if !x.is_finite() || !y.is_finite() {
                all += x * y;
            }
        }
        if !before[j].is_finite() {
            all += before[j];
        }
        if all != 0.0 {
            *sum = all;
        }
    }
}

#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn align_and_add_wide(
    fraction: i32,
    half: bool,
    a: (&[f32], &[i32]),
    b: &Panel<'_>,
    sums: &mut [f32; WIDTH],
    place: impl Fn(usize) -> usize + Copy,
    count: usize,
) {
    align_and_add(fraction, half, a, b, sums, place, count);
}

/// The lowest exponent of half precision.
pub(super) const HALF_LOW: i32 = -14;

/// Two to the power of `n`; 0 for what is far too small.
#[inline(always)]
fn power(n: i32) -> f32 {
    f32::from_bits(((n.max(-127) + 127) as u32) << 23)
}

#[inline(always)]
fn align_and_add(
    fraction: i32,
    half: bool,
    (significands, exponents): (&[f32], &[i32]),
    b: &Panel<'_>,
    sums: &mut [f32; WIDTH],
    place: impl Fn(usize) -> usize + Copy,
    count: usize,
) {
    let (all, all_exponents) = (b.rows.significands.as_slice(), b.rows.exponents.as_slice());
    let mut accumulators = [(0.0f32, 0i32); WIDTH];
    let mut highest = [0i32; WIDTH];
    for j in 0..WIDTH {
        let (mut significand, mut exponent) = take_apart(Element::F32, sums[j].to_bits());
        if half && exponent < HALF_LOW && exponent > NEVER {
            // Small ones have the exponent that they have in half precision.
            (significand, exponent) = (significand * power(exponent - HALF_LOW), HALF_LOW);
        }
        accumulators[j] = (significand, exponent);
        highest[j] = exponent;
    }
    for k in (0..count).map(place) {
        let at = b.at(k);
        let Some(row) = all_exponents.get(at..at + WIDTH) else { return };
        for j in 0..WIDTH {
            highest[j] = highest[j].max(exponents[k] + row[j]);
        }
    }
    let mut totals = [0i64; WIDTH];
    // As many as fit into 32 bits.
    for start in (0..count).step_by(16) {
        let mut some = [0i32; WIDTH];
        for k in (start..count.min(start + 16)).map(place) {
            let at = b.at(k);
            let (Some(row), Some(row_exponents)) = (all.get(at..at + WIDTH), all_exponents.get(at..at + WIDTH)) else {
                return;
            };
            for j in 0..WIDTH {
                let scaled = significands[k] * row[j] * power(exponents[k] + row_exponents[j] - highest[j] + fraction);
                // SAFETY: no exponent is above the highest: a number below 2^(2 + fraction).
                some[j] = some[j].wrapping_add(unsafe { scaled.to_int_unchecked::<i32>() });
            }
        }
        for j in 0..WIDTH {
            totals[j] += i64::from(some[j]);
        }
    }
    for j in 0..WIDTH {
        let (significand, exponent) = accumulators[j];
        let scaled = significand * power(exponent - highest[j] + fraction);
        let total = totals[j] + scaled as i64;
        // Exact: few bits, and an exponent that doubles have.
        let exact = if total == 0 { 0.0 } else { total as f64 * float_power(highest[j] - fraction) };
        sums[j] = if half { Float16::nearest(exact).to_f32() } else { toward_zero(exact) };
        if fraction < 23 {
            // No more bits than the sum had.
            sums[j] = f32::from_bits(sums[j].to_bits() & (u32::MAX << (23 - fraction)));
        }
        // What is too small in the end is a zero without a sign.
        sums[j] += 0.0;
    }
}

/// Two to the power of `n`, for exponents of products.
#[inline(always)]
fn float_power(n: i32) -> f64 {
    f64::from_bits(((n + 1023) as u64) << 52)
}

/// Rounds towards zero, but what is too large becomes infinite.
#[inline(always)]
fn toward_zero(x: f64) -> f32 {
    /// The first number that is beyond the range of f32.
    const LIMIT: f64 = 340_282_366_920_938_463_463_374_607_431_768_211_456.0;
    if x.abs() >= LIMIT { f32::INFINITY.copysign(x as f32) } else { float::narrow::<{ float::ZERO }>(x) }
}
