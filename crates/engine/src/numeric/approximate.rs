//! Approximate functions: what of their results follows from how the device gets there. Within that they are as near to the
//! truth as the type has room for, which is nearer than the device is. `tests/ptx/approximate.c` compares.

use crate::numeric::float::{Half, ZERO};
use compiler::operation::{EXP2, EXP2_LIMIT, WHOLE};

/// Of the turns that an angle makes, what is behind the point, as an angle: the device multiplies by 1/(2*pi) in single
/// precision and cuts the product off, so that large angles are others than they were.
#[inline(always)]
fn angle(x: f32) -> f64 {
    const TURN: f32 = core::f32::consts::FRAC_1_PI / 2.0;
    // The product is exact in double precision; a single has 29 bits less.
    let turns = f64::from(x) * f64::from(TURN);
    let turns = f64::from_bits(turns.to_bits() & !((1 << 29) - 1));
    // Zero keeps its sign; what is infinite is nowhere.
    (turns - turns.trunc()).copysign(turns) * (2.0 * core::f64::consts::PI)
}

pub fn sin(x: f32) -> f32 {
    angle(x).sin() as f32
}

pub fn cos(x: f32) -> f32 {
    angle(x).cos() as f32
}

/// Next to zero, the argument itself.
pub fn tanh(x: f32) -> f32 {
    if x.abs() <= 1.0 / 256.0 { x } else { x.tanh() }
}

/// A power of two, off by 2^-39 before it is rounded. Compiled code does the same, operation by operation.
#[inline(always)]
pub fn exp2(x: f32) -> f32 {
    let x = f64::from(x.clamp(-EXP2_LIMIT, EXP2_LIMIT));
    let shifted = x + WHOLE;
    let rest = x - (shifted - WHOLE);
    let power = EXP2.iter().fold(0.0, |sum: f64, &coefficient| sum.mul_add(rest, coefficient));
    (power * f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52)) as f32
}

/// A power of two for a 16-bit result: of the exponent, the device looks at 23 bits behind the point.
pub fn exp2_of_half(x: f32) -> f32 {
    const UNITS: f64 = 8_388_608.0;
    ((f64::from(x) * UNITS).trunc() / UNITS).exp2() as f32
}

/// A 16-bit number out of a single, as the device makes those of its functions: cut off, unless it is too large.
pub fn half<H: Half>(x: f32) -> H {
    // Below that, a single is below it in either format, or infinite.
    H::round::<ZERO>(if x.abs() >= H::BEYOND { f64::INFINITY.copysign(f64::from(x)) } else { f64::from(x) })
}

/// What functions of doubles see: the upper half of the bits, and no subnormal numbers.
#[inline(always)]
fn upper(x: f64) -> f64 {
    let bits = x.to_bits() & !0xffff_ffff;
    f64::from_bits(if bits & 0x7ff0 << 48 == 0 { bits & 1 << 63 } else { bits })
}

/// What they give: the same of their results.
#[inline(always)]
fn upper_result(x: f64) -> f64 {
    if x.is_nan() { f64::from_bits(0x7fff_ffff_0000_0000) } else { upper(x) }
}

pub fn reciprocal64(x: f64) -> f64 {
    upper_result(1.0 / upper(x))
}

pub fn reciprocal_root64(x: f64) -> f64 {
    upper_result(1.0 / upper(x).sqrt())
}

/// All bits of it: rounded as the device does, once.
pub fn reciprocal_root(x: f64) -> f64 {
    let r = 1.0 / x.sqrt();
    // How far the root times its reciprocal is from 1.
    let root = x * r;
    let rest = x.mul_add(r, -root);
    let error = (-root).mul_add(r, 1.0) - rest * r;
    if error.is_finite() { (r * 0.5).mul_add(error, r) } else { r }
}
