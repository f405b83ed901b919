//! Arithmetic of 16-bit floating point numbers, alone and in pairs, with all modifiers.

use crate::numeric::approximate;
use crate::numeric::float::{Brain16, Float16, Half, max64, min64};
use ptx::modifier::Comparison;

/// Numbers in a word, and what happens to them: bits of a step's `value`.
pub const BRAIN: i64 = 1;
pub const PAIR: i64 = 2;
pub const FLUSH: i64 = 4;
pub const SATURATE: i64 = 8;
pub const RELU: i64 = 16;
pub const NAN: i64 = 32;
/// The sign is that of the product, of magnitudes: `.xorsign.abs`.
pub const XOR_SIGN: i64 = 64;

/// A factor that stands for what is out of bounds makes the result 0: `.oob`.
pub const OUT_OF_BOUNDS: i64 = 128;
/// Such a number, of either sign: the one that tensor copies fill with.
const OUTSIDE: u16 = 0x7ff7;

/// The operations, from bit 8 on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum HalfOperation {
    Add,
    Sub,
    Mul,
    Fma,
    Min,
    Max,
    Abs,
    Neg,
    Tanh,
    Ex2,
}

/// `a * b + c` such that rounding it to fewer bits gives what one rounding would give.
pub fn product_sum(a: f64, b: f64, c: f64) -> f64 {
    // The product of 16-bit numbers is exact.
    let product = a * b;
    let sum = product + c;
    let back = sum - product;
    let error = (product - (sum - back)) + (c - back);
    let bits = sum.to_bits();
    if error == 0.0 || !sum.is_finite() || error.is_nan() || bits & 1 == 1 {
        return sum;
    }
    let outward = (error > 0.0) == (sum > 0.0);
    f64::from_bits(if outward { bits | 1 } else { bits.wrapping_sub(1) })
}

fn one<H: Half<Lane = u32>>(how: i64, mut a: u16, mut b: u16, mut c: u16) -> u16 {
    let exponent = if how & BRAIN != 0 { 0x7f80 } else { 0x7c00 };
    let flush = |x: u16| if how & FLUSH != 0 && x & exponent == 0 { x & 0x8000 } else { x };
    (a, b, c) = (flush(a), flush(b), flush(c));
    let operation = how >> 8 & 15;
    match operation {
        6 | 7 if a & 0x7fff > exponent => return 0x7fff,
        6 => return flush(a & 0x7fff),
        7 => return flush(a ^ 0x8000),
        _ => {}
    }
    if how & OUT_OF_BOUNDS != 0 && (a & 0x7fff == OUTSIDE || b & 0x7fff == OUTSIDE) {
        return 0;
    }
    let mut sign = 0;
    if how & XOR_SIGN != 0 {
        sign = (a ^ b) & 0x8000;
        (a, b) = (a & 0x7fff, b & 0x7fff);
    }
    let wide = |x: u16| f64::from(H::get(u32::from(x)).to_f32());
    let (x, y, z) = (wide(a), wide(b), wide(c));
    if operation >= 8 {
        let x = H::get(u32::from(a)).to_f32();
        let r =
            approximate::half::<H>(if operation == 8 { approximate::tanh(x) } else { approximate::exp2_of_half(x) });
        return flush(r.put() as u16);
    }
    let mut r = match operation {
        0 => x + y,
        1 => x - y,
        2 => x * y,
        3 => product_sum(x, y, z),
        4 | 5 if how & NAN != 0 && (x.is_nan() || y.is_nan()) => f64::NAN,
        4 => min64(x, y),
        _ => max64(x, y),
    };
    if how & SATURATE != 0 {
        r = crate::numeric::float::saturate64(r);
    }
    // What is smaller is subnormal, even with exponents to spare when it is rounded.
    if how & FLUSH != 0 && r.abs() < H::LEAST * (1.0 - 1.0 / 4096.0) {
        r = 0f64.copysign(r);
    }
    let mut bits = H::nearest(r).put() as u16;
    if how & RELU != 0 && bits & 0x8000 != 0 && !r.is_nan() {
        bits = 0;
    }
    if how & XOR_SIGN != 0 && !r.is_nan() {
        bits |= sign;
    }
    flush(bits)
}

/// An operation on the one or the two numbers of words.
pub fn half(how: i64, a: u32, b: u32, c: u32) -> u32 {
    let lane = |shift: u32| {
        let (a, b, c) = ((a >> shift) as u16, (b >> shift) as u16, (c >> shift) as u16);
        let d = if how & BRAIN != 0 { one::<Brain16>(how, a, b, c) } else { one::<Float16>(how, a, b, c) };
        u32::from(d) << shift
    };
    if how & PAIR != 0 { lane(0) | lane(16) } else { lane(0) }
}

/// Comparisons, by number.
pub const COMPARISONS: [Comparison; 14] = [
    Comparison::Eq,
    Comparison::Ne,
    Comparison::Lt,
    Comparison::Le,
    Comparison::Gt,
    Comparison::Ge,
    Comparison::Equ,
    Comparison::Neu,
    Comparison::Ltu,
    Comparison::Leu,
    Comparison::Gtu,
    Comparison::Geu,
    Comparison::Num,
    Comparison::Nan,
];

/// Whether a comparison holds of two numbers.
pub fn holds(comparison: i64, a: f64, b: f64) -> bool {
    let unordered = a.is_nan() || b.is_nan();
    match comparison {
        0 => a == b,
        1 => !unordered && a != b,
        2 => a < b,
        3 => a <= b,
        4 => a > b,
        5 => a >= b,
        6 => unordered || a == b,
        7 => unordered || a != b,
        8 => unordered || a < b,
        9 => unordered || a <= b,
        10 => unordered || a > b,
        11 => unordered || a >= b,
        12 => !unordered,
        _ => unordered,
    }
}

/// Whether a comparison holds of 16-bit numbers; `how` has [`BRAIN`] and [`FLUSH`].
pub fn compare(how: i64, comparison: i64, a: u16, b: u16) -> bool {
    let exponent = if how & BRAIN != 0 { 0x7f80 } else { 0x7c00 };
    let wide = |x: u16| {
        let x = if how & FLUSH != 0 && x & exponent == 0 { x & 0x8000 } else { x };
        f64::from(if how & BRAIN != 0 { Brain16(x).to_f32() } else { Float16(x).to_f32() })
    };
    holds(comparison, wide(a), wide(b))
}
