//! Conversions.

use crate::numeric::float;
use crate::numeric::float::{Brain16, DOWN, Float16, Half, NEAREST, UP, ZERO};
use crate::numeric::value::Value;
use crate::operations::arithmetic::Manner;
use crate::operations::elementwise::{binary, unary};
use crate::state::warp::Execute;
use ptx::Type;
use ptx::Type::*;

/// An integer that conversions start from or end in.
trait Integer: Value {
    fn to_f64(self) -> f64;
    /// The nearest f32.
    fn to_f32(self) -> f32;
    fn to_i128(self) -> i128;
    fn cut(x: i128) -> Self;
    fn clamp(x: i128) -> Self;
    /// Saturating; NaN is 0.
    fn of(x: f64) -> Self;
}

macro_rules! integer {
    ($($t:ty),*) => {$(
        impl Integer for $t {
            #[inline(always)]
            fn to_f64(self) -> f64 { self as f64 }
            #[inline(always)]
            fn to_f32(self) -> f32 { self as f32 }
            #[inline(always)]
            fn to_i128(self) -> i128 { self as i128 }
            #[inline(always)]
            fn cut(x: i128) -> $t { x as $t }
            #[inline(always)]
            fn clamp(x: i128) -> $t { x.clamp(<$t>::MIN as i128, <$t>::MAX as i128) as $t }
            #[inline(always)]
            fn of(x: f64) -> $t { x as $t }
        }
    )*};
}
integer!(u8, i8, u16, i16, u32, i32, u64, i64);

fn to_integer<A: Integer, D: Integer>(saturate: bool) -> Execute {
    if saturate { unary(|a: A| D::clamp(a.to_i128())) } else { unary(|a: A| D::cut(a.to_i128())) }
}

fn single_to_integer<D: Integer>(m: Manner) -> Execute {
    match (m.rounding, m.flush) {
        (DOWN, true) => unary(|a: f32| D::of(float::integral::<DOWN>(float::flush(a).into()))),
        (UP, true) => unary(|a: f32| D::of(float::integral::<UP>(float::flush(a).into()))),
        // Subnormal numbers become zero by themselves.
        (DOWN, _) => unary(|a: f32| D::of(float::integral::<DOWN>(a.into()))),
        (UP, _) => unary(|a: f32| D::of(float::integral::<UP>(a.into()))),
        (ZERO, _) => unary(|a: f32| D::of(float::integral::<ZERO>(a.into()))),
        _ => unary(|a: f32| D::of(float::integral::<NEAREST>(a.into()))),
    }
}

/// An integer of 64 bits as an f32 or f64, rounded as `MODE` says.
fn directed<const MODE: u32>(x: i128, fraction: u32) -> f64 {
    let magnitude = x.unsigned_abs();
    let bits = 128 - magnitude.leading_zeros();
    if bits <= fraction {
        return x as f64;
    }
    let drop = bits - fraction;
    let kept = magnitude >> drop;
    let lost = magnitude & ((1 << drop) - 1);
    let half = 1u128 << (drop - 1);
    let up = match (MODE, x < 0) {
        (NEAREST, _) => lost > half || (lost == half && kept & 1 == 1),
        (UP, false) | (DOWN, true) => lost != 0,
        _ => false,
    };
    let result = (((kept + u128::from(up)) << drop) as f64).abs();
    if x < 0 { -result } else { result }
}

fn from_integer<A: Integer>(to: Type, m: Manner) -> Option<Execute> {
    macro_rules! directed {
        ($fraction:literal, $to:ty, $nearest:expr) => {
            // What there is room for is not rounded.
            if const { size_of::<A>() * 8 <= $fraction } {
                $nearest
            } else {
                match m.rounding {
                    DOWN => unary(|a: A| directed::<DOWN>(a.to_i128(), $fraction) as $to),
                    UP => unary(|a: A| directed::<UP>(a.to_i128(), $fraction) as $to),
                    ZERO => unary(|a: A| directed::<ZERO>(a.to_i128(), $fraction) as $to),
                    _ => $nearest,
                }
            }
        };
    }
    match to {
        F32 => Some(directed!(24, f32, unary(|a: A| a.to_f32()))),
        F64 => Some(directed!(53, f64, unary(|a: A| a.to_f64()))),
        _ => None,
    }
}

fn single_to_half<H: Half>(m: Manner) -> Execute {
    match m.rounding {
        DOWN => unary(|a: f32| H::round::<DOWN>(a.into())),
        UP => unary(|a: f32| H::round::<UP>(a.into())),
        ZERO => unary(|a: f32| H::round::<ZERO>(a.into())),
        _ => unary(|a: f32| H::round::<NEAREST>(a.into())),
    }
}

/// `cvt.to.from` where a step does all lanes at once: among integers, of integers to f32 and f64, of f32 to integers of up to 32 bits
/// and to other floating point, of f16 to f32; modifiers that change what is no integer's are for others
/// (`lowering::per_lane`).
pub fn convert_of(to: Type, from: Type, m: Manner) -> Option<Execute> {
    macro_rules! of_each {
        ($convert:ident) => {
            match from {
                U8 | B8 => $convert!(u8),
                S8 => $convert!(i8),
                U16 | B16 => $convert!(u16),
                S16 => $convert!(i16),
                U32 | B32 => $convert!(u32),
                S32 => $convert!(i32),
                U64 | B64 => $convert!(u64),
                S64 => $convert!(i64),
                _ => None,
            }
        };
    }
    macro_rules! to_integers {
        ($a:ty) => {
            match to {
                U8 | B8 => Some(to_integer::<$a, u8>(m.saturate)),
                S8 => Some(to_integer::<$a, i8>(m.saturate)),
                U16 | B16 => Some(to_integer::<$a, u16>(m.saturate)),
                S16 => Some(to_integer::<$a, i16>(m.saturate)),
                U32 | B32 => Some(to_integer::<$a, u32>(m.saturate)),
                S32 => Some(to_integer::<$a, i32>(m.saturate)),
                U64 | B64 => Some(to_integer::<$a, u64>(m.saturate)),
                S64 => Some(to_integer::<$a, i64>(m.saturate)),
                _ => None,
            }
        };
    }
    macro_rules! to_float {
        ($a:ty) => {
            from_integer::<$a>(to, m)
        };
    }
    match (from, to) {
        (F32, U8 | B8) => Some(single_to_integer::<u8>(m)),
        (F32, S8) => Some(single_to_integer::<i8>(m)),
        (F32, U16 | B16) => Some(single_to_integer::<u16>(m)),
        (F32, S16) => Some(single_to_integer::<i16>(m)),
        (F32, U32 | B32) => Some(single_to_integer::<u32>(m)),
        (F32, S32) => Some(single_to_integer::<i32>(m)),
        (F32, F16) => Some(single_to_half::<Float16>(m)),
        (F32, Bf16) => Some(single_to_half::<Brain16>(m)),
        (F32, F64) => Some(unary(|a: f32| f64::from(a))),
        (F16, F32) => Some(unary(|a: Float16| float::canonical(a.to_f32()))),
        _ if to.is_float() => of_each!(to_float),
        _ => of_each!(to_integers),
    }
}

/// `cvt.rn.f16x2.f32 d, a, b`: `a` goes into the upper half.
pub fn convert_pair(to: Type, m: Manner) -> Option<Execute> {
    macro_rules! pair {
        ($h:ty) => {
            match m.rounding {
                ZERO => Some(binary(|a: f32, b: f32| {
                    <$h>::round::<ZERO>(a.into()).put() << 16 | <$h>::round::<ZERO>(b.into()).put()
                })),
                NEAREST => {
                    Some(binary(|a: f32, b: f32| <$h>::nearest(a.into()).put() << 16 | <$h>::nearest(b.into()).put()))
                }
                _ => None,
            }
        };
    }
    match to {
        F16x2 => pair!(Float16),
        Bf16x2 => pair!(Brain16),
        _ => None,
    }
}

/// Cuts a register of 64 bits down to what an operand of a narrow type sees.
pub fn narrow() -> Execute {
    unary(|a: u64| a as u32)
}

/// Extends a narrow result to a register of 64 bits.
pub fn widen(ty: Type) -> Execute {
    match ty {
        S8 => unary(|a: i8| i64::from(a)),
        S16 => unary(|a: i16| i64::from(a)),
        S32 => unary(|a: i32| i64::from(a)),
        U8 | B8 => unary(|a: u8| u64::from(a)),
        U16 | B16 | F16 | Bf16 => unary(|a: u16| u64::from(a)),
        _ => unary(|a: u32| u64::from(a)),
    }
}
