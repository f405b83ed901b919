//! Floating point as the device does it.

use crate::numeric::value::{LANES, SimdLevel, Value};
use core::arch::asm;

/// A rounding mode, as the control word of SSE counts them.
pub const NEAREST: u32 = 0;
pub const DOWN: u32 = 1;
pub const UP: u32 = 2;
pub const ZERO: u32 = 3;

/// The one NaN that single precision arithmetic gives.
const NAN: f32 = f32::from_bits(0x7fff_ffff);

/// Any NaN becomes the device's.
#[inline(always)]
pub fn canonical(x: f32) -> f32 {
    if x.is_nan() { NAN } else { x }
}

/// Subnormal numbers become zero with their sign.
#[inline(always)]
pub fn flush(x: f32) -> f32 {
    let bits = x.to_bits();
    if bits & 0x7f80_0000 == 0 { f32::from_bits(bits & 0x8000_0000) } else { x }
}

/// What [`flush_tiny`] wants the second result to be times as large.
pub const LARGER: f32 = 16_777_216.0;

/// As [`flush`], where rounding may have made a normal number: the device looks whether the result would be one with exponents
/// to spare. `larger` is rounded from a result [`LARGER`] times as large.
#[inline(always)]
pub fn flush_tiny(x: f32, larger: f32) -> f32 {
    let made = x.abs() == f32::MIN_POSITIVE && larger.abs() < f32::MIN_POSITIVE * LARGER;
    if made { f32::from_bits(x.to_bits() & 0x8000_0000) } else { flush(x) }
}

/// A square root; negative numbers have none. Said before, as the compiler may take a root to be a number.
#[inline(always)]
pub fn root(x: f32) -> f32 {
    if x < 0.0 || x.is_nan() { NAN } else { x.sqrt() }
}

/// A double that is no number does not trap; its payload stays.
#[inline(always)]
pub fn quiet(x: f64) -> f64 {
    if x.is_nan() { f64::from_bits(x.to_bits() | 1 << 51) } else { x }
}

/// The result of two doubles: if the second is no number, that.
#[inline(always)]
pub fn second(b: f64, result: f64) -> f64 {
    if b.is_nan() { quiet(b) } else { result }
}

/// The result of three doubles: the second that is no number comes before the third, and that before the first.
#[inline(always)]
pub fn third(a: f64, b: f64, c: f64, result: f64) -> f64 {
    if b.is_nan() {
        quiet(b)
    } else if c.is_nan() {
        quiet(c)
    } else {
        second(a, result)
    }
}

/// Into 0 to 1; NaN becomes 0.
#[inline(always)]
pub fn saturate(x: f32) -> f32 {
    if x > 0.0 { if x < 1.0 { x } else { 1.0 } } else { 0.0 }
}

/// As [`saturate`].
#[inline(always)]
pub fn saturate64(x: f64) -> f64 {
    if x > 0.0 { if x < 1.0 { x } else { 1.0 } } else { 0.0 }
}

/// The smaller one; of a number and a NaN the number.
#[inline(always)]
pub fn min(a: f32, b: f32) -> f32 {
    if a.is_nan() {
        canonical(b)
    } else if b.is_nan() || a < b || (a == b && a.is_sign_negative()) {
        a
    } else {
        b
    }
}

/// The larger one; of a number and a NaN the number.
#[inline(always)]
pub fn max(a: f32, b: f32) -> f32 {
    if a.is_nan() {
        canonical(b)
    } else if b.is_nan() || a > b || (a == b && a.is_sign_positive()) {
        a
    } else {
        b
    }
}

/// As [`min`].
#[inline(always)]
pub fn min64(a: f64, b: f64) -> f64 {
    if a.is_nan() || (!b.is_nan() && (b < a || (a == b && b.is_sign_negative()))) { b } else { a }
}

/// As [`max`].
#[inline(always)]
pub fn max64(a: f64, b: f64) -> f64 {
    if a.is_nan() || (!b.is_nan() && (b > a || (a == b && b.is_sign_positive()))) { b } else { a }
}

/// An SSE operation under another rounding mode: the control word is changed around the one instruction.
macro_rules! directed {
    ($($name:ident, $ty:ty, $instruction:literal;)*) => {
        $(
            /// Rounds as `MODE` says.
            #[inline(always)]
            pub fn $name<const MODE: u32>(a: $ty, b: $ty) -> $ty {
                let mut result = a;
                let control = 0x1f80u32 | MODE << 13;
                let normal = 0x1f80u32;
                // SAFETY: arithmetic between two loads of the control word; the second one restores the default.
                unsafe {
                    asm!(
                        "ldmxcsr [{control}]",
                        concat!($instruction, " {a}, {b}"),
                        "ldmxcsr [{normal}]",
                        control = in(reg) &control,
                        normal = in(reg) &normal,
                        a = inout(xmm_reg) result,
                        b = in(xmm_reg) b,
                        options(nostack, readonly),
                    );
                }
                result
            }
        )*
    };
}

directed! {
    add, f32, "addss";
    mul, f32, "mulss";
    div, f32, "divss";
    sqrt_of, f32, "sqrtss";
    add64, f64, "addsd";
    mul64, f64, "mulsd";
    div64, f64, "divsd";
    sqrt_of64, f64, "sqrtsd";
}

/// `a * b + c`, rounded once, as `MODE` says.
#[inline(always)]
pub fn fma<const MODE: u32>(a: f32, b: f32, c: f32) -> f32 {
    if MODE == NEAREST {
        return a.mul_add(b, c);
    }
    // The product of two singles is exact as a double; the sum's error says which way to go.
    let (product, addend) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = product + addend;
    if MODE == DOWN && sum == 0.0 && product.is_sign_negative() != addend.is_sign_negative() {
        // Downwards, what cancels is negative.
        return -0.0;
    }
    let back = sum - product;
    let error = (product - (sum - back)) + (addend - back);
    narrow_sum::<MODE>(sum, error)
}

/// Rounds the exact value `sum + error` to a single.
#[inline(always)]
fn narrow_sum<const MODE: u32>(sum: f64, error: f64) -> f32 {
    let mut bits = sum.to_bits();
    // To odd: what is lost must not look like nothing.
    if error != 0.0 && sum.is_finite() && bits & 1 == 0 {
        let outward = (error > 0.0) == (sum > 0.0);
        bits = if outward { bits | 1 } else { bits.wrapping_sub(1) };
    }
    narrow::<MODE>(f64::from_bits(bits))
}

/// A double as a single, rounded as `MODE` says.
#[inline(always)]
pub fn narrow<const MODE: u32>(x: f64) -> f32 {
    let nearest = x as f32;
    if MODE == NEAREST || x.is_nan() || f64::from(nearest) == x {
        return nearest;
    }
    let back = f64::from(nearest);
    match MODE {
        DOWN if back > x => nearest.next_down(),
        UP if back < x => nearest.next_up(),
        ZERO if back.abs() > x.abs() => {
            if x > 0.0 {
                nearest.next_down()
            } else {
                nearest.next_up()
            }
        }
        _ => nearest,
    }
}

/// `a * b + c`, rounded once, as `MODE` says.
pub fn fma64<const MODE: u32>(a: f64, b: f64, c: f64) -> f64 {
    if MODE == NEAREST || !fused() {
        return a.mul_add(b, c);
    }
    // SAFETY: the machine has the instruction.
    unsafe { fma64_directed::<MODE>(a, b, c) }
}

fn fused() -> bool {
    crate::numeric::value::has_avx2()
}

#[target_feature(enable = "fma")]
unsafe fn fma64_directed<const MODE: u32>(a: f64, b: f64, c: f64) -> f64 {
    let mut result = a;
    let control = 0x1f80u32 | MODE << 13;
    let normal = 0x1f80u32;
    // SAFETY: arithmetic between two loads of the control word; the second one restores the default.
    unsafe {
        asm!(
            "ldmxcsr [{control}]",
            "vfmadd213sd {a}, {b}, {c}",
            "ldmxcsr [{normal}]",
            control = in(reg) &control,
            normal = in(reg) &normal,
            a = inout(xmm_reg) result,
            b = in(xmm_reg) b,
            c = in(xmm_reg) c,
            options(nostack, readonly),
        );
    }
    result
}

/// Rounds to an integer as `MODE` says.
#[inline(always)]
pub fn integral<const MODE: u32>(x: f64) -> f64 {
    match MODE {
        DOWN => x.floor(),
        UP => x.ceil(),
        ZERO => x.trunc(),
        _ => x.round_ties_even(),
    }
}

/// A 16-bit floating point number.
pub trait Half: Value {
    /// The power of two behind the largest number.
    const BEYOND: f32;
    /// The least normal number.
    const LEAST: f64;
    /// Exactly.
    fn to_f32(self) -> f32;
    /// Rounded to the nearest.
    fn nearest(x: f64) -> Self {
        Self::round::<NEAREST>(x)
    }
    /// Rounded as `MODE` says.
    fn round<const MODE: u32>(x: f64) -> Self;
}

/// `.f16`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Float16(pub u16);
/// `.bf16`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brain16(pub u16);

impl Value for Float16 {
    type Lane = u32;
    #[inline(always)]
    fn get(lane: u32) -> Float16 {
        Float16(lane as u16)
    }
    #[inline(always)]
    fn put(self) -> u32 {
        u32::from(self.0)
    }
}

impl Value for Brain16 {
    type Lane = u32;
    #[inline(always)]
    fn get(lane: u32) -> Brain16 {
        Brain16(lane as u16)
    }
    #[inline(always)]
    fn put(self) -> u32 {
        u32::from(self.0)
    }
}

/// Rounds a double to a format with `fraction` bits of fraction whose smallest normal exponent is `low` and whose largest
/// is `high`; gives the bits without the sign.
pub(super) fn pack<const MODE: u32>(x: f64, fraction: u32, low: i32, high: i32) -> u16 {
    let negative = x.is_sign_negative();
    let magnitude = x.abs();
    let infinity = ((high - low + 2) as u16) << fraction;
    if magnitude.is_infinite() {
        return infinity;
    }
    // Multiples of the unit in the last place, exact as a double.
    let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(low);
    let unit = exponent - fraction as i32;
    let scaled = magnitude * 2f64.powi(-unit);
    let rounded = match (MODE, negative) {
        (ZERO, _) | (DOWN, false) | (UP, true) => scaled.floor(),
        (DOWN, true) | (UP, false) => scaled.ceil(),
        _ => scaled.round_ties_even(),
    };
    let bits = (rounded as u64) + (((exponent - low) as u64) << fraction);
    let largest = u64::from(infinity) - 1;
    if bits <= largest {
        bits as u16
    } else if matches!((MODE, negative), (ZERO, _) | (DOWN, false) | (UP, true)) {
        largest as u16
    } else {
        infinity
    }
}

impl Half for Float16 {
    const BEYOND: f32 = 65536.0;
    const LEAST: f64 = 1.0 / 16384.0;

    #[inline(always)]
    fn to_f32(self) -> f32 {
        let bits = u32::from(self.0);
        let sign = (bits & 0x8000) << 16;
        let rest = bits & 0x7fff;
        if rest >= 0x7c00 {
            return f32::from_bits(sign | 0x7f80_0000 | (rest & 0x3ff) << 13);
        }
        // Exact in single precision, subnormal ones included.
        let magnitude = f32::from_bits(rest << 13) * f32::from_bits(0x7780_0000);
        f32::from_bits(magnitude.to_bits() | sign)
    }

    #[inline(always)]
    fn round<const MODE: u32>(x: f64) -> Float16 {
        if x.is_nan() {
            return Float16(0x7fff);
        }
        Float16(pack::<MODE>(x, 10, -14, 15) | u16::from(x.is_sign_negative()) << 15)
    }
}

impl Half for Brain16 {
    const BEYOND: f32 = f32::INFINITY;
    const LEAST: f64 = f32::MIN_POSITIVE as f64;

    #[inline(always)]
    fn to_f32(self) -> f32 {
        f32::from_bits(u32::from(self.0) << 16)
    }

    #[inline(always)]
    fn round<const MODE: u32>(x: f64) -> Brain16 {
        if x.is_nan() {
            return Brain16(0x7fff);
        }
        Brain16(pack::<MODE>(x, 7, -126, 127) | u16::from(x.is_sign_negative()) << 15)
    }
}

/// An f32 whose NaNs become canonical (the device's): for all lanes at once, and only if there is one, since nearly always there
/// is none, and what comes next need not wait for that to be known.
#[derive(Clone, Copy)]
pub struct CanonicalNan(pub f32);

impl Value for CanonicalNan {
    type Lane = u32;

    #[inline(always)]
    fn get(lane: u32) -> CanonicalNan {
        CanonicalNan(f32::from_bits(lane))
    }

    #[inline(always)]
    fn put(self) -> u32 {
        self.0.to_bits()
    }

    #[inline(always)]
    fn canonicalise<const LEVEL: u8>(all: &mut [u32; LANES]) {
        use core::arch::x86_64::*;
        #[target_feature(enable = "avx512f")]
        #[inline]
        unsafe fn none512(all: &[u32; LANES]) -> bool {
            let at = all.as_ptr().cast::<f32>();
            // SAFETY: reads the array.
            let (low, high) = unsafe { (_mm512_loadu_ps(at), _mm512_loadu_ps(at.add(16))) };
            // Unordered if one of the two is a NaN.
            _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(low, low) | _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(high, high) == 0
        }
        #[inline(always)]
        fn none(all: &[u32; LANES]) -> bool {
            let mut found = 0;
            for bits in all.iter() {
                found |= u32::from(f32::from_bits(*bits).is_nan());
            }
            found == 0
        }
        // Once for all steps of machines without AVX2.
        #[inline(never)]
        fn none_plain(all: &[u32; LANES]) -> bool {
            none(all)
        }
        #[cold]
        fn mend(all: &mut [u32; LANES]) {
            for bits in all {
                *bits = canonical(f32::from_bits(*bits)).to_bits();
            }
        }
        let none = if LEVEL == SimdLevel::Avx512 as u8 {
            // SAFETY: this instance is called on machines of its level.
            unsafe { none512(all) }
        } else if LEVEL == SimdLevel::Plain as u8 {
            none_plain(all)
        } else {
            none(all)
        };
        if !none {
            mend(all);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_come_back() {
        for bits in 0..=u16::MAX {
            let f = Float16(bits).to_f32();
            if !f.is_nan() {
                assert_eq!(Float16::nearest(f64::from(f)), Float16(bits));
            }
            let b = Brain16(bits).to_f32();
            if !b.is_nan() {
                assert_eq!(Brain16::nearest(f64::from(b)), Brain16(bits));
            }
        }
        assert_eq!(Float16::nearest(65519.9), Float16(0x7bff));
        assert_eq!(Float16::nearest(65520.0), Float16(0x7c00));
        assert_eq!(Float16::round::<ZERO>(1e9), Float16(0x7bff));
        assert_eq!(Float16::nearest(2f64.powi(-25)), Float16(0));
        assert_eq!(Float16::round::<UP>(2f64.powi(-30)), Float16(1));
    }

    #[test]
    fn directed_rounding() {
        let (a, b) = (1.0f32, 2f32.powi(-40));
        assert_eq!(add::<UP>(a, b), 1f32.next_up());
        assert_eq!(add::<DOWN>(a, b), 1.0);
        assert_eq!(add::<ZERO>(-a, b), (-1f32).next_up());
        assert_eq!(fma::<UP>(1.0, 1.0, b), 1f32.next_up());
        assert_eq!(fma::<ZERO>(1.0, 1.0, -b), 1f32.next_down());
        assert_eq!(fma::<DOWN>(a, a, 1e-30), 1.0);
        assert_eq!(narrow::<ZERO>(1e300), f32::MAX);
        assert_eq!(narrow::<NEAREST>(1e300), f32::INFINITY);
        assert_eq!(1.0f32 / 3.0, div::<NEAREST>(1.0, 3.0));
        assert_eq!(min(-0.0, 0.0).to_bits(), (-0f32).to_bits());
        assert_eq!(max(f32::NAN, 1.0), 1.0);
    }

    #[test]
    fn nans_become_canonical_on_machines_without_avx2() {
        let mut numbers = [1f32.to_bits(); LANES];
        CanonicalNan::canonicalise::<{ SimdLevel::Plain as u8 }>(&mut numbers);
        assert_eq!(numbers, [1f32.to_bits(); LANES]);
        numbers[7] = 0xffc0_1234;
        CanonicalNan::canonicalise::<{ SimdLevel::Plain as u8 }>(&mut numbers);
        for (lane, bits) in numbers.into_iter().enumerate() {
            assert_eq!(bits, if lane == 7 { 0x7fff_ffff } else { 1f32.to_bits() }, "{lane}");
        }
    }
}
