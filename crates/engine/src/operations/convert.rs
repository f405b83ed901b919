//! Conversions.

use crate::numeric::float;
use crate::numeric::float::{Brain16, DOWN, Float16, Half, NEAREST, UP, ZERO};
use crate::numeric::value::Value;
use crate::operations::arithmetic::Manner;
use crate::operations::elementwise::{binary, unary};
use crate::state::warp::Execute;
use ptx::Type;
use ptx::Type::*;

/// A value that conversions start from.
trait Convertible: Value {
    fn to_f64(self) -> f64;
    /// The nearest f32.
    fn to_f32(self) -> f32;
    /// Integers alone.
    fn to_i128(self) -> i128;
}
/// An integer that conversions end in.
trait Integer: Value {
    fn cut(x: i128) -> Self;
    fn clamp(x: i128) -> Self;
    /// Saturating; NaN is 0.
    fn of(x: f64) -> Self;
}

macro_rules! integer {
    ($($t:ty),*) => {$(
        impl Convertible for $t {
            #[inline(always)]
            fn to_f64(self) -> f64 { self as f64 }
            #[inline(always)]
            fn to_f32(self) -> f32 { self as f32 }
            #[inline(always)]
            fn to_i128(self) -> i128 { self as i128 }
        }
        impl Integer for $t {
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

macro_rules! floats {
    ($($t:ty, |$x:ident| $e:expr;)*) => {$(
        impl Convertible for $t {
            #[inline(always)]
            fn to_f64(self) -> f64 { let $x = self; $e }
            #[inline(always)]
            fn to_f32(self) -> f32 { self.to_f64() as f32 }
            #[inline(always)]
            fn to_i128(self) -> i128 { self.to_f64() as i128 }
        }
    )*};
}
floats! {
    f32, |x| f64::from(x);
    f64, |x| x;
    Float16, |x| f64::from(Half::to_f32(x));
    Brain16, |x| f64::from(Half::to_f32(x));
}

fn to_integer<A: Convertible, D: Integer>(saturate: bool) -> Execute {
    if saturate { unary(|a: A| D::clamp(a.to_i128())) } else { unary(|a: A| D::cut(a.to_i128())) }
}

fn float_to_integer<A: Convertible, D: Integer>(m: Manner) -> Execute {
    macro_rules! round {
        ($mode:ident) => {
            if m.flush {
                unary(|a: A| D::of(float::integral::<$mode>(f64::from(float::flush(a.to_f64() as f32)))))
            } else {
                unary(|a: A| D::of(float::integral::<$mode>(a.to_f64())))
            }
        };
    }
    match m.rounding {
        DOWN => round!(DOWN),
        UP => round!(UP),
        ZERO => round!(ZERO),
        _ => round!(NEAREST),
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

fn from_integer<A: Convertible>(to: Type, m: Manner) -> Option<Execute> {
    macro_rules! round {
        ($mode:ident) => {
            match to {
                F32 if $mode == NEAREST && m.saturate => {
                    unary(|a: A| float::saturate(directed::<$mode>(a.to_i128(), 24) as f32))
                }
                F32 if $mode == NEAREST => unary(|a: A| a.to_f32()),
                F32 => unary(|a: A| directed::<$mode>(a.to_i128(), 24) as f32),
                F64 if $mode == NEAREST => unary(|a: A| a.to_f64()),
                F64 => unary(|a: A| directed::<$mode>(a.to_i128(), 53)),
                F16 => unary(|a: A| Float16::round::<$mode>(a.to_f64())),
                Bf16 => unary(|a: A| Brain16::round::<$mode>(a.to_f64())),
                _ => return None,
            }
        };
    }
    Some(match m.rounding {
        DOWN => round!(DOWN),
        UP => round!(UP),
        ZERO => round!(ZERO),
        _ => round!(NEAREST),
    })
}

fn between_floats<A: Convertible>(to: Type, same: bool, integral: bool, m: Manner) -> Option<Execute> {
    macro_rules! round {
        ($mode:ident) => {
            match to {
                F32 if integral => match (m.flush, m.saturate) {
                    (false, false) => unary(|a: A| float::canonical(float::integral::<$mode>(a.to_f64()) as f32)),
                    (true, false) => unary(|a: A| {
                        float::canonical(float::integral::<$mode>(f64::from(float::flush(a.to_f64() as f32))) as f32)
                    }),
                    _ => unary(|a: A| float::saturate(float::integral::<$mode>(a.to_f64()) as f32)),
                },
                F64 if integral => unary(|a: A| float::integral::<$mode>(a.to_f64())),
                F16 if integral => unary(|a: A| Float16::nearest(float::integral::<$mode>(a.to_f64()))),
                Bf16 if integral => unary(|a: A| Brain16::nearest(float::integral::<$mode>(a.to_f64()))),
                F32 => match (m.flush, m.saturate) {
                    (false, false) => unary(|a: A| float::canonical(float::narrow::<$mode>(a.to_f64()))),
                    (true, false) => unary(|a: A| float::flush(float::canonical(float::narrow::<$mode>(a.to_f64())))),
                    (false, true) => unary(|a: A| float::saturate(float::narrow::<$mode>(a.to_f64()))),
                    (true, true) => unary(|a: A| float::saturate(float::flush(float::narrow::<$mode>(a.to_f64())))),
                },
                F64 if m.saturate => unary(|a: A| float::saturate64(a.to_f64())),
                F64 if m.flush => unary(|a: A| f64::from(float::flush(a.to_f64() as f32))),
                F64 => unary(|a: A| a.to_f64()),
                F16 if m.relu => unary(|a: A| Float16::round::<$mode>(if a.to_f64() < 0.0 { 0.0 } else { a.to_f64() })),
                Bf16 if m.relu => {
                    unary(|a: A| Brain16::round::<$mode>(if a.to_f64() < 0.0 { 0.0 } else { a.to_f64() }))
                }
                F16 if m.saturate => unary(|a: A| Float16::round::<$mode>(float::saturate64(a.to_f64()))),
                F16 => unary(|a: A| Float16::round::<$mode>(a.to_f64())),
                Bf16 => unary(|a: A| Brain16::round::<$mode>(a.to_f64())),
                _ => return None,
            }
        };
    }
    let _ = same;
    Some(match m.rounding {
        DOWN => round!(DOWN),
        UP => round!(UP),
        ZERO => round!(ZERO),
        _ => round!(NEAREST),
    })
}

/// `cvt.to.from`. `integral` is true when a rounding modifier names integers (`.rni`).
pub fn convert_of(to: Type, from: Type, integral: bool, m: Manner) -> Option<Execute> {
    macro_rules! from_each {
        ($f:ident, [$($arg:expr),*]) => {
            match from {
                U8 | B8 => $f!(u8, $($arg),*),
                S8 => $f!(i8, $($arg),*),
                U16 | B16 => $f!(u16, $($arg),*),
                S16 => $f!(i16, $($arg),*),
                U32 | B32 => $f!(u32, $($arg),*),
                S32 => $f!(i32, $($arg),*),
                U64 | B64 => $f!(u64, $($arg),*),
                S64 => $f!(i64, $($arg),*),
                _ => None,
            }
        };
    }
    macro_rules! to_each {
        ($a:ty, $f:ident, $arg:expr) => {
            match to {
                U8 | B8 => Some($f::<$a, u8>($arg)),
                S8 => Some($f::<$a, i8>($arg)),
                U16 | B16 => Some($f::<$a, u16>($arg)),
                S16 => Some($f::<$a, i16>($arg)),
                U32 | B32 => Some($f::<$a, u32>($arg)),
                S32 => Some($f::<$a, i32>($arg)),
                U64 | B64 => Some($f::<$a, u64>($arg)),
                S64 => Some($f::<$a, i64>($arg)),
                _ => None,
            }
        };
    }
    macro_rules! int_int {
        ($a:ty, $saturate:expr) => {
            to_each!($a, to_integer, $saturate)
        };
    }
    macro_rules! int_float {
        ($a:ty, $m:expr) => {
            from_integer::<$a>(to, $m)
        };
    }
    match (from.is_float(), to.is_float()) {
        (false, false) => from_each!(int_int, [m.saturate]),
        (false, true) => from_each!(int_float, [m]),
        (true, false) => match from {
            F32 => to_each!(f32, float_to_integer, m),
            F64 => to_each!(f64, float_to_integer, m),
            F16 => to_each!(Float16, float_to_integer, m),
            Bf16 => to_each!(Brain16, float_to_integer, m),
            _ => None,
        },
        (true, true) => {
            let same = from == to;
            match from {
                F32 => between_floats::<f32>(to, same, integral, m),
                F64 => between_floats::<f64>(to, same, integral, m),
                F16 => between_floats::<Float16>(to, same, integral, m),
                Bf16 => between_floats::<Brain16>(to, same, integral, m),
                _ => None,
            }
        }
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
