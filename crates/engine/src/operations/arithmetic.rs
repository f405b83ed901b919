//! Which function an arithmetic or logic instruction is.

use crate::numeric::float::{Brain16, CanonicalNan, DOWN, Float16, Half, NEAREST, UP, ZERO};
use crate::numeric::{approximate, float};
use crate::operations::elementwise::{binary, compare, quaternary, ternary, unary};
use crate::state::warp::Execute;
use ptx::Type::*;
use ptx::modifier::Comparison;
use ptx::{Modifier, Type};

/// The modifiers that arithmetic has.
#[derive(Clone, Copy, Default)]
pub struct Manner {
    pub rounding: u32,
    pub flush: bool,
    pub saturate: bool,
    /// `.approx` or `.full`.
    pub approximate: bool,
    /// `.full`.
    pub full: bool,
    /// `.NaN`.
    pub nan: bool,
    /// `.relu`.
    pub relu: bool,
}

/// Arithmetic with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    Add,
    Sub,
    /// Of floating point numbers.
    Mul,
    MulLo,
    MulHi,
    MulWide,
    Div,
    Rem,
    Min,
    Max,
    And,
    Or,
    Xor,
    Copysign,
    Shl,
    Shr,
}

/// Arithmetic with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    Abs,
    Neg,
    Not,
    Cnot,
    Popc,
    Clz,
    Brev,
    Bfind,
    /// `bfind.shiftamt`.
    BfindShift,
    Sqrt,
    Rcp,
    Rsqrt,
    Ex2,
    Lg2,
    Sin,
    Cos,
    Tanh,
}

/// Arithmetic with three operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ternary {
    /// Also `mad` of floating point numbers.
    Fma,
    MadLo,
    MadHi,
    MadWide,
    Sad,
    Prmt,
    Bfe,
    /// `shf`.
    ShiftLeftWrap,
    ShiftRightWrap,
    ShiftLeftClamp,
    ShiftRightClamp,
}

/// Logic with four operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quaternary {
    Bfi,
    Lop3,
}

/// An integer function, for the type that a value names.
macro_rules! integers {
    ($ty:expr, $shape:ident, |$($a:ident),*| $e:expr) => {
        match $ty {
            U16 => Some($shape(|$($a: u16),*| $e)),
            S16 => Some($shape(|$($a: i16),*| $e)),
            U32 => Some($shape(|$($a: u32),*| $e)),
            S32 => Some($shape(|$($a: i32),*| $e)),
            U64 => Some($shape(|$($a: u64),*| $e)),
            S64 => Some($shape(|$($a: i64),*| $e)),
            _ => None,
        }
    };
}
macro_rules! bits {
    ($ty:expr, $shape:ident, |$($a:ident),*| $e:expr) => {
        match $ty {
            B16 | U16 | S16 => Some($shape(|$($a: u16),*| $e)),
            B32 | U32 | S32 => Some($shape(|$($a: u32),*| $e)),
            B64 | U64 | S64 => Some($shape(|$($a: u64),*| $e)),
            _ => None,
        }
    };
}

/// A function of f32 in its variants: flushing, saturating.
macro_rules! f32_variants {
    ($m:expr, $shape:ident, |$($a:ident),*| $e:expr) => {
        match ($m.flush, $m.saturate) {
            (false, false) => $shape(|$($a: f32),*| CanonicalNan($e)),
            (true, false) => $shape(|$($a: f32),*| { $(let $a = float::flush($a);)* CanonicalNan(float::flush($e)) }),
            (false, true) => $shape(|$($a: f32),*| float::saturate($e)),
            (true, true) => $shape(|$($a: f32),*| { $(let $a = float::flush($a);)* float::saturate(float::flush($e)) }),
        }
    };
}

/// A flushing function whose exact result may be next to the least normal number. The result grows with the operands that are
/// named last.
macro_rules! tiny {
    ($m:expr, $shape:ident, |$($a:ident),*| $e:expr, [$($x:ident),*]) => {
        if $m.saturate {
            $shape(|$($a: f32),*| {
                $(let $a = float::flush($a);)*
                let r = $e;
                $(let $x = $x * float::LARGER;)*
                float::saturate(float::flush_tiny(r, $e))
            })
        } else {
            $shape(|$($a: f32),*| {
                $(let $a = float::flush($a);)*
                let r = $e;
                $(let $x = $x * float::LARGER;)*
                CanonicalNan(float::flush_tiny(r, $e))
            })
        }
    };
}

/// The same under each rounding mode.
macro_rules! rounded {
    ($m:expr, $near:expr, |$mode:ident| $e:expr) => {
        match $m.rounding {
            DOWN => {
                const $mode: u32 = DOWN;
                $e
            }
            UP => {
                const $mode: u32 = UP;
                $e
            }
            ZERO => {
                const $mode: u32 = ZERO;
                $e
            }
            _ => $near,
        }
    };
}

/// A function of 16-bit floating point numbers, by way of doubles.
macro_rules! halves {
    ($h:ty, $m:expr, $shape:ident, |$($a:ident),*| $e:expr) => {
        match ($m.saturate, $m.relu) {
            (true, _) => $shape(|$($a: $h),*| { $(let $a = f64::from($a.to_f32());)* <$h>::nearest(float::saturate64($e)) }),
            (_, true) => $shape(|$($a: $h),*| { $(let $a = f64::from($a.to_f32());)* let r: f64 = $e; <$h>::nearest(if r < 0.0 { 0.0 } else { r }) }),
            _ => $shape(|$($a: $h),*| { $(let $a = f64::from($a.to_f32());)* <$h>::nearest($e) }),
        }
    };
}

/// Applies a function to both halves.
#[inline(always)]
fn pairwise<H: Half<Lane = u32>>(a: u32, b: u32, f: impl Fn(f64, f64) -> f64) -> u32 {
    let wide = |x: u32| f64::from(H::get(x).to_f32());
    let low = H::nearest(f(wide(a & 0xffff), wide(b & 0xffff))).put();
    let high = H::nearest(f(wide(a >> 16), wide(b >> 16))).put();
    low & 0xffff | high << 16
}

#[inline(always)]
fn pairwise3<H: Half<Lane = u32>>(a: u32, b: u32, c: u32, f: impl Fn(f64, f64, f64) -> f64) -> u32 {
    let wide = |x: u32| f64::from(H::get(x).to_f32());
    let low = H::nearest(f(wide(a & 0xffff), wide(b & 0xffff), wide(c & 0xffff))).put();
    let high = H::nearest(f(wide(a >> 16), wide(b >> 16), wide(c >> 16))).put();
    low & 0xffff | high << 16
}

fn nan_min(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { float::min64(a, b) }
}

fn nan_max(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { float::max64(a, b) }
}

/// An instruction `d = op(a, b)`.
pub fn binary_of(operation: Binary, ty: Type, m: Manner) -> Option<Execute> {
    macro_rules! arithmetic {
        ($int:ident, $sat:ident, $op:tt, $directed:ident, $directed64:ident, $flip:expr) => {
            match ty {
                S32 if m.saturate => Some(binary(|a: i32, b: i32| a.$sat(b))),
                F32 => Some(rounded!(m, f32_variants!(m, binary, |a, b| a $op b), |MODE| f32_variants!(m, binary, |a, b| float::$directed::<MODE>(a, $flip(b))))),
                F64 => Some(rounded!(m, binary(|a: f64, b: f64| float::second(b, a $op b)), |MODE| binary(|a: f64, b: f64| float::second(b, float::$directed64::<MODE>(a, $flip(b)))))),
                F16 => Some(halves!(Float16, m, binary, |a, b| a $op b)),
                Bf16 => Some(halves!(Brain16, m, binary, |a, b| a $op b)),
                F16x2 => Some(binary(|a: u32, b: u32| pairwise::<Float16>(a, b, |a, b| a $op b))),
                Bf16x2 => Some(binary(|a: u32, b: u32| pairwise::<Brain16>(a, b, |a, b| a $op b))),
                _ => integers!(ty, binary, |a, b| a.$int(b)),
            }
        };
    }
    match operation {
        Binary::Add => arithmetic!(wrapping_add, saturating_add, +, add, add64, core::convert::identity),
        Binary::Sub => arithmetic!(wrapping_sub, saturating_sub, -, add, add64, core::ops::Neg::neg),
        Binary::Mul if ty == F32 && m.flush => Some(rounded!(m, tiny!(m, binary, |a, b| a * b, [a]), |MODE| tiny!(
            m,
            binary,
            |a, b| float::mul::<MODE>(a, b),
            [a]
        ))),
        Binary::Mul if ty.is_float() => {
            match ty {
                F32 => Some(rounded!(m, f32_variants!(m, binary, |a, b| a * b), |MODE| f32_variants!(
                    m,
                    binary,
                    |a, b| float::mul::<MODE>(a, b)
                ))),
                F64 => Some(rounded!(m, binary(|a: f64, b: f64| float::second(b, a * b)), |MODE| binary(
                    |a: f64, b: f64| { float::second(b, float::mul64::<MODE>(a, b)) }
                ))),
                F16 => Some(halves!(Float16, m, binary, |a, b| a * b)),
                Bf16 => Some(halves!(Brain16, m, binary, |a, b| a * b)),
                F16x2 => Some(binary(|a: u32, b: u32| pairwise::<Float16>(a, b, |a, b| a * b))),
                Bf16x2 => Some(binary(|a: u32, b: u32| pairwise::<Brain16>(a, b, |a, b| a * b))),
                _ => None,
            }
        }
        Binary::MulLo => integers!(ty, binary, |a, b| a.wrapping_mul(b)),
        Binary::MulHi => match ty {
            U16 => Some(binary(|a: u16, b: u16| ((u32::from(a) * u32::from(b)) >> 16) as u16)),
            S16 => Some(binary(|a: i16, b: i16| ((i32::from(a) * i32::from(b)) >> 16) as i16)),
            U32 => Some(binary(|a: u32, b: u32| ((u64::from(a) * u64::from(b)) >> 32) as u32)),
            S32 => Some(binary(|a: i32, b: i32| ((i64::from(a) * i64::from(b)) >> 32) as i32)),
            U64 => Some(binary(|a: u64, b: u64| ((u128::from(a) * u128::from(b)) >> 64) as u64)),
            S64 => Some(binary(|a: i64, b: i64| ((i128::from(a) * i128::from(b)) >> 64) as i64)),
            _ => None,
        },
        Binary::MulWide => match ty {
            U16 => Some(binary(|a: u16, b: u16| u32::from(a) * u32::from(b))),
            S16 => Some(binary(|a: i16, b: i16| i32::from(a) * i32::from(b))),
            U32 => Some(binary(|a: u32, b: u32| u64::from(a) * u64::from(b))),
            S32 => Some(binary(|a: i32, b: i32| i64::from(a) * i64::from(b))),
            _ => None,
        },
        Binary::Div => match ty {
            F32 if m.approximate && m.full => Some(f32_variants!(m, binary, |a, b| a / b)),
            // A divisor whose reciprocal is subnormal counts as infinite.
            F32 if m.approximate => Some(f32_variants!(m, binary, |a, b| {
                let b = if b.abs() > f32::from_bits(0x7e80_0000) { f32::INFINITY.copysign(b) } else { b };
                a / b
            })),
            F32 if m.flush => Some(rounded!(m, tiny!(m, binary, |a, b| a / b, [a]), |MODE| tiny!(
                m,
                binary,
                |a, b| float::div::<MODE>(a, b),
                [a]
            ))),
            F32 => {
                Some(rounded!(m, f32_variants!(m, binary, |a, b| a / b), |MODE| f32_variants!(m, binary, |a, b| {
                    float::div::<MODE>(a, b)
                })))
            }
            F64 => {
                Some(rounded!(m, binary(|a: f64, b: f64| a / b), |MODE| binary(|a: f64, b: f64| float::div64::<MODE>(
                    a, b
                ))))
            }
            // Division by zero gives what the hardware gives: all ones.
            _ => integers!(ty, binary, |a, b| if b == 0 { !0 } else { a.wrapping_div(b) }),
        },
        Binary::Rem => integers!(ty, binary, |a, b| if b == 0 { !0 } else { a.wrapping_rem(b) }),
        Binary::Min => match ty {
            F32 if m.nan => Some(f32_variants!(m, binary, |a, b| if a.is_nan() || b.is_nan() {
                f32::NAN
            } else {
                float::min(a, b)
            })),
            F32 => Some(f32_variants!(m, binary, |a, b| float::min(a, b))),
            F64 => Some(binary(|a: f64, b: f64| float::quiet(float::min64(a, b)))),
            F16 if m.nan => Some(halves!(Float16, m, binary, |a, b| nan_min(a, b))),
            Bf16 if m.nan => Some(halves!(Brain16, m, binary, |a, b| nan_min(a, b))),
            F16 => Some(halves!(Float16, m, binary, |a, b| float::min64(a, b))),
            Bf16 => Some(halves!(Brain16, m, binary, |a, b| float::min64(a, b))),
            F16x2 if !m.nan => Some(binary(|a: u32, b: u32| pairwise::<Float16>(a, b, float::min64))),
            Bf16x2 if !m.nan => Some(binary(|a: u32, b: u32| pairwise::<Brain16>(a, b, float::min64))),
            _ => integers!(ty, binary, |a, b| a.min(b)),
        },
        Binary::Max => match ty {
            F32 if m.nan => Some(f32_variants!(m, binary, |a, b| if a.is_nan() || b.is_nan() {
                f32::NAN
            } else {
                float::max(a, b)
            })),
            F32 => Some(f32_variants!(m, binary, |a, b| float::max(a, b))),
            F64 => Some(binary(|a: f64, b: f64| float::quiet(float::max64(a, b)))),
            F16 if m.nan => Some(halves!(Float16, m, binary, |a, b| nan_max(a, b))),
            Bf16 if m.nan => Some(halves!(Brain16, m, binary, |a, b| nan_max(a, b))),
            F16 => Some(halves!(Float16, m, binary, |a, b| float::max64(a, b))),
            Bf16 => Some(halves!(Brain16, m, binary, |a, b| float::max64(a, b))),
            F16x2 if !m.nan => Some(binary(|a: u32, b: u32| pairwise::<Float16>(a, b, float::max64))),
            Bf16x2 if !m.nan => Some(binary(|a: u32, b: u32| pairwise::<Brain16>(a, b, float::max64))),
            _ => integers!(ty, binary, |a, b| a.max(b)),
        },
        Binary::And => bits!(ty, binary, |a, b| a & b),
        Binary::Or => bits!(ty, binary, |a, b| a | b),
        Binary::Xor => bits!(ty, binary, |a, b| a ^ b),
        Binary::Copysign => match ty {
            // The sign comes from the first operand.
            F32 => Some(binary(|a: u32, b: u32| a & 1 << 31 | b & !(1 << 31))),
            F64 => Some(binary(|a: u64, b: u64| a & 1 << 63 | b & !(1 << 63))),
            _ => None,
        },
        // Shifts by the width and more clear everything, or leave nothing but signs.
        Binary::Shl => match ty {
            B16 | U16 | S16 => Some(binary(|a: u16, n: u32| if n > 15 { 0 } else { a << n })),
            B32 | U32 | S32 => Some(binary(|a: u32, n: u32| if n > 31 { 0 } else { a << n })),
            B64 | U64 | S64 => Some(binary(|a: u64, n: u32| if n > 63 { 0 } else { a << n })),
            _ => None,
        },
        Binary::Shr => match ty {
            B16 | U16 => Some(binary(|a: u16, n: u32| if n > 15 { 0 } else { a >> n })),
            B32 | U32 => Some(binary(|a: u32, n: u32| if n > 31 { 0 } else { a >> n })),
            B64 | U64 => Some(binary(|a: u64, n: u32| if n > 63 { 0 } else { a >> n })),
            S16 => Some(binary(|a: i16, n: u32| a >> n.min(15))),
            S32 => Some(binary(|a: i32, n: u32| a >> n.min(31))),
            S64 => Some(binary(|a: i64, n: u32| a >> n.min(63))),
            _ => None,
        },
        _ => None,
    }
}

/// An instruction `d = op(a)`.
pub fn unary_of(operation: Unary, ty: Type, m: Manner) -> Option<Execute> {
    match operation {
        Unary::Abs => match ty {
            S16 => Some(unary(|a: i16| a.wrapping_abs())),
            S32 => Some(unary(|a: i32| a.wrapping_abs())),
            S64 => Some(unary(|a: i64| a.wrapping_abs())),
            F32 if m.flush => Some(unary(|a: f32| float::canonical(float::flush(a).abs()))),
            F32 => Some(unary(|a: f32| float::canonical(a.abs()))),
            F64 => Some(unary(|a: f64| if a.is_nan() { float::quiet(a) } else { a.abs() })),
            _ => None,
        },
        Unary::Neg => match ty {
            S16 => Some(unary(|a: i16| a.wrapping_neg())),
            S32 => Some(unary(|a: i32| a.wrapping_neg())),
            S64 => Some(unary(|a: i64| a.wrapping_neg())),
            F32 if m.flush => Some(unary(|a: f32| float::canonical(-float::flush(a)))),
            F32 => Some(unary(|a: f32| float::canonical(-a))),
            F64 => Some(unary(|a: f64| if a.is_nan() { float::quiet(a) } else { -a })),
            _ => None,
        },
        Unary::Not => bits!(ty, unary, |a| !a),
        Unary::Cnot => match ty {
            B16 | U16 | S16 => Some(unary(|a: u16| u16::from(a == 0))),
            B32 | U32 | S32 => Some(unary(|a: u32| u32::from(a == 0))),
            B64 | U64 | S64 => Some(unary(|a: u64| u64::from(a == 0))),
            _ => None,
        },
        Unary::Popc => match ty {
            B32 => Some(unary(|a: u32| a.count_ones())),
            B64 => Some(unary(|a: u64| a.count_ones())),
            _ => None,
        },
        Unary::Clz => match ty {
            B32 => Some(unary(|a: u32| a.leading_zeros())),
            B64 => Some(unary(|a: u64| a.leading_zeros())),
            _ => None,
        },
        Unary::Brev => match ty {
            B32 => Some(unary(|a: u32| a.reverse_bits())),
            B64 => Some(unary(|a: u64| a.reverse_bits())),
            _ => None,
        },
        Unary::Bfind => match ty {
            U32 => Some(unary(|a: u32| a.checked_ilog2().unwrap_or(!0))),
            U64 => Some(unary(|a: u64| a.checked_ilog2().unwrap_or(!0))),
            S32 => Some(unary(|a: i32| ((a ^ a >> 31) as u32).checked_ilog2().unwrap_or(!0))),
            S64 => Some(unary(|a: i64| ((a ^ a >> 63) as u64).checked_ilog2().unwrap_or(!0))),
            _ => None,
        },
        Unary::BfindShift => match ty {
            U32 => Some(unary(|a: u32| if a == 0 { !0 } else { a.leading_zeros() })),
            U64 => Some(unary(|a: u64| if a == 0 { !0 } else { a.leading_zeros() })),
            S32 => Some(unary(|a: i32| {
                let a = (a ^ a >> 31) as u32;
                if a == 0 { !0 } else { a.leading_zeros() }
            })),
            S64 => Some(unary(|a: i64| {
                let a = (a ^ a >> 63) as u64;
                if a == 0 { !0 } else { a.leading_zeros() }
            })),
            _ => None,
        },
        Unary::Sqrt => match ty {
            F32 => {
                Some(rounded!(m, f32_variants!(m, unary, |a| float::root(a)), |MODE| f32_variants!(m, unary, |a| {
                    float::sqrt_of::<MODE>(a, a)
                })))
            }
            F64 => Some(rounded!(m, unary(|a: f64| a.sqrt()), |MODE| unary(|a: f64| float::sqrt_of64::<MODE>(a, a)))),
            _ => None,
        },
        Unary::Rcp => match ty {
            F32 => Some(rounded!(m, f32_variants!(m, unary, |a| 1.0 / a), |MODE| f32_variants!(m, unary, |a| {
                float::div::<MODE>(1.0, a)
            }))),
            F64 if m.approximate => Some(unary(approximate::reciprocal64)),
            F64 => Some(rounded!(m, unary(|a: f64| 1.0 / a), |MODE| unary(|a: f64| float::div64::<MODE>(1.0, a)))),
            _ => None,
        },
        Unary::Rsqrt => match ty {
            // Two roundings: within the 2^-22.9 that the manual allows.
            F32 => Some(f32_variants!(m, unary, |a| 1.0 / float::root(a))),
            // That of a double is rounded once; only with `.ftz` it is of the upper half of the bits alone.
            F64 if m.flush => Some(unary(approximate::reciprocal_root64)),
            F64 => Some(unary(approximate::reciprocal_root)),
            _ => None,
        },
        Unary::Ex2 if ty == F32 => Some(f32_variants!(m, unary, |a| approximate::exp2(a))),
        Unary::Lg2 if ty == F32 => Some(f32_variants!(m, unary, |a| a.log2())),
        Unary::Sin if ty == F32 => Some(f32_variants!(m, unary, |a| approximate::sin(a))),
        Unary::Cos if ty == F32 => Some(f32_variants!(m, unary, |a| approximate::cos(a))),
        Unary::Tanh if ty == F32 => Some(f32_variants!(m, unary, |a| approximate::tanh(a))),
        _ => None,
    }
}

/// An instruction `d = op(a, b, c)`.
pub fn ternary_of(operation: Ternary, ty: Type, m: Manner) -> Option<Execute> {
    match operation {
        Ternary::Fma if ty == F32 && m.flush => Some(rounded!(
            m,
            tiny!(m, ternary, |a, b, c| a.mul_add(b, c), [a, c]),
            |MODE| tiny!(m, ternary, |a, b, c| float::fma::<MODE>(a, b, c), [a, c])
        )),
        Ternary::Fma if ty.is_float() => match ty {
            F32 => Some(rounded!(m, f32_variants!(m, ternary, |a, b, c| a.mul_add(b, c)), |MODE| f32_variants!(
                m,
                ternary,
                |a, b, c| float::fma::<MODE>(a, b, c)
            ))),
            F64 => {
                Some(rounded!(m, ternary(|a: f64, b: f64, c: f64| float::third(a, b, c, a.mul_add(b, c))), |MODE| {
                    ternary(|a: f64, b: f64, c: f64| float::third(a, b, c, float::fma64::<MODE>(a, b, c)))
                }))
            }
            F16 => Some(halves!(Float16, m, ternary, |a, b, c| a.mul_add(b, c))),
            Bf16 => Some(halves!(Brain16, m, ternary, |a, b, c| a.mul_add(b, c))),
            F16x2 if !m.relu => {
                Some(ternary(|a: u32, b: u32, c: u32| pairwise3::<Float16>(a, b, c, |a, b, c| a.mul_add(b, c))))
            }
            Bf16x2 if !m.relu => {
                Some(ternary(|a: u32, b: u32, c: u32| pairwise3::<Brain16>(a, b, c, |a, b, c| a.mul_add(b, c))))
            }
            _ => None,
        },
        Ternary::MadLo => integers!(ty, ternary, |a, b, c| a.wrapping_mul(b).wrapping_add(c)),
        Ternary::MadHi => match ty {
            U32 => {
                Some(ternary(|a: u32, b: u32, c: u32| (((u64::from(a) * u64::from(b)) >> 32) as u32).wrapping_add(c)))
            }
            S32 => {
                Some(ternary(|a: i32, b: i32, c: i32| (((i64::from(a) * i64::from(b)) >> 32) as i32).wrapping_add(c)))
            }
            U64 => {
                Some(ternary(|a: u64, b: u64, c: u64| (((u128::from(a) * u128::from(b)) >> 64) as u64).wrapping_add(c)))
            }
            S64 => {
                Some(ternary(|a: i64, b: i64, c: i64| (((i128::from(a) * i128::from(b)) >> 64) as i64).wrapping_add(c)))
            }
            _ => None,
        },
        Ternary::MadWide => match ty {
            U16 => Some(ternary(|a: u16, b: u16, c: u32| (u32::from(a) * u32::from(b)).wrapping_add(c))),
            S16 => Some(ternary(|a: i16, b: i16, c: i32| (i32::from(a) * i32::from(b)).wrapping_add(c))),
            U32 => Some(ternary(|a: u32, b: u32, c: u64| (u64::from(a) * u64::from(b)).wrapping_add(c))),
            S32 => Some(ternary(|a: i32, b: i32, c: i64| (i64::from(a) * i64::from(b)).wrapping_add(c))),
            _ => None,
        },
        Ternary::Sad => match ty {
            U16 => Some(ternary(|a: u16, b: u16, c: u16| c.wrapping_add(a.abs_diff(b)))),
            S16 => Some(ternary(|a: i16, b: i16, c: u16| c.wrapping_add(a.abs_diff(b)))),
            U32 => Some(ternary(|a: u32, b: u32, c: u32| c.wrapping_add(a.abs_diff(b)))),
            S32 => Some(ternary(|a: i32, b: i32, c: u32| c.wrapping_add(a.abs_diff(b)))),
            U64 => Some(ternary(|a: u64, b: u64, c: u64| c.wrapping_add(a.abs_diff(b)))),
            S64 => Some(ternary(|a: i64, b: i64, c: u64| c.wrapping_add(a.abs_diff(b)))),
            _ => None,
        },
        Ternary::Prmt => Some(ternary(|a: u32, b: u32, c: u32| crate::numeric::bits::permute(a, b, c))),
        Ternary::Bfe => match ty {
            U32 => {
                Some(ternary(|a: u32, at: u32, n: u32| extract(u64::from(a), at & 0xff, n & 0xff, 32, false) as u32))
            }
            S32 => {
                Some(ternary(|a: i32, at: u32, n: u32| extract(a as i64 as u64, at & 0xff, n & 0xff, 32, true) as u32))
            }
            U64 => Some(ternary(|a: u64, at: u32, n: u32| extract(a, at, n, 64, false))),
            S64 => Some(ternary(|a: u64, at: u32, n: u32| extract(a, at, n, 64, true))),
            _ => None,
        },
        Ternary::ShiftLeftWrap => {
            Some(ternary(|a: u32, b: u32, n: u32| funnel(a, b).wrapping_shl(n & 31).wrapping_shr(32) as u32))
        }
        Ternary::ShiftRightWrap => Some(ternary(|a: u32, b: u32, n: u32| (funnel(a, b) >> (n & 31)) as u32)),
        Ternary::ShiftLeftClamp => {
            Some(ternary(|a: u32, b: u32, n: u32| ((u128::from(funnel(a, b)) << n.min(32)) >> 32) as u32))
        }
        Ternary::ShiftRightClamp => Some(ternary(|a: u32, b: u32, n: u32| (funnel(a, b) >> n.min(32)) as u32)),
        _ => None,
    }
}

#[inline(always)]
fn funnel(low: u32, high: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

/// `bfe`: `n` bits from bit `at` on, of a number of `width` bits. Only with words of 32 bits do upper bits of both not count.
#[inline(always)]
fn extract(a: u64, at: u32, n: u32, width: u32, signed: bool) -> u64 {
    if n == 0 {
        return 0;
    }
    // The field ends at the top of the number; what lies beyond is its sign.
    let top = at.saturating_add(n - 1).min(width - 1);
    let sign = signed && a >> top & 1 != 0;
    let fill = if sign { u64::MAX } else { 0 };
    let field = if at >= width { fill } else { a >> at };
    let taken = if at >= width { 0 } else { top + 1 - at };
    let mask = |bits: u32| if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
    let value = field & mask(taken);
    value | fill & !mask(taken)
}

/// `bfi`: `n` bits of `a` into `b` from bit `at` on.
#[inline(always)]
fn insert(a: u64, b: u64, at: u32, n: u32) -> u64 {
    if at >= 64 || n == 0 {
        return b;
    }
    let mask = if n >= 64 { u64::MAX } else { (1u64 << n) - 1 } << at;
    a << at & mask | b & !mask
}

/// An instruction `d = op(a, b, c, e)`.
pub fn quaternary_of(operation: Quaternary, ty: Type) -> Option<Execute> {
    match (operation, ty) {
        (Quaternary::Bfi, B32) => {
            Some(quaternary(|a: u32, b: u32, at: u32, n: u32| insert(a.into(), b.into(), at & 0xff, n & 0xff) as u32))
        }
        (Quaternary::Bfi, B64) => Some(quaternary(|a: u64, b: u64, at: u32, n: u32| insert(a, b, at, n))),
        (Quaternary::Lop3, B32) => Some(quaternary(|a: u32, b: u32, c: u32, table: u32| {
            let mut d = 0;
            for row in 0..8 {
                if table >> row & 1 != 0 {
                    let pick = |x: u32, bit: u32| if row >> bit & 1 != 0 { x } else { !x };
                    d |= pick(a, 2) & pick(b, 1) & pick(c, 0);
                }
            }
            d
        })),
        _ => None,
    }
}

/// A comparison.
pub fn compare_of(how: Comparison, ty: Type, flush: bool) -> Option<Execute> {
    macro_rules! ordered {
        ($t:ty, $get:expr) => {{
            // Comparisons that hold for NaN have a `u` behind their name.
            match how {
                Comparison::Eq => Some(compare(|a: $t, b: $t| $get(a) == $get(b))),
                Comparison::Ne => Some(compare(|a: $t, b: $t| {
                    let (a, b) = ($get(a), $get(b));
                    (a != b) & !a.is_nan() & !b.is_nan()
                })),
                Comparison::Lt => Some(compare(|a: $t, b: $t| $get(a) < $get(b))),
                Comparison::Le => Some(compare(|a: $t, b: $t| $get(a) <= $get(b))),
                Comparison::Gt => Some(compare(|a: $t, b: $t| $get(a) > $get(b))),
                Comparison::Ge => Some(compare(|a: $t, b: $t| $get(a) >= $get(b))),
                Comparison::Equ => Some(compare(|a: $t, b: $t| {
                    let (a, b) = ($get(a), $get(b));
                    (a == b) | a.is_nan() | b.is_nan()
                })),
                Comparison::Neu => Some(compare(|a: $t, b: $t| $get(a) != $get(b))),
                Comparison::Ltu => Some(compare(|a: $t, b: $t| {
                    let ge = $get(a) >= $get(b);
                    !ge
                })),
                Comparison::Leu => Some(compare(|a: $t, b: $t| {
                    let gt = $get(a) > $get(b);
                    !gt
                })),
                Comparison::Gtu => Some(compare(|a: $t, b: $t| {
                    let le = $get(a) <= $get(b);
                    !le
                })),
                Comparison::Geu => Some(compare(|a: $t, b: $t| {
                    let lt = $get(a) < $get(b);
                    !lt
                })),
                Comparison::Num => Some(compare(|a: $t, b: $t| !$get(a).is_nan() && !$get(b).is_nan())),
                Comparison::Nan => Some(compare(|a: $t, b: $t| $get(a).is_nan() || $get(b).is_nan())),
                _ => None,
            }
        }};
    }
    match ty {
        F32 if flush => return ordered!(f32, float::flush),
        F32 => return ordered!(f32, core::convert::identity::<f32>),
        F64 => return ordered!(f64, core::convert::identity::<f64>),
        F16 => return ordered!(Float16, Float16::to_f32),
        Bf16 => return ordered!(Brain16, Brain16::to_f32),
        _ => {}
    }
    let signless = match ty {
        B16 => U16,
        B32 => U32,
        B64 => U64,
        _ => ty,
    };
    match how {
        Comparison::Eq => integers!(signless, compare, |a, b| a == b),
        Comparison::Ne => integers!(signless, compare, |a, b| a != b),
        Comparison::Lt | Comparison::Lo => integers!(signless, compare, |a, b| a < b),
        Comparison::Le | Comparison::Ls => integers!(signless, compare, |a, b| a <= b),
        Comparison::Gt | Comparison::Hi => integers!(signless, compare, |a, b| a > b),
        Comparison::Ge | Comparison::Hs => integers!(signless, compare, |a, b| a >= b),
        _ => None,
    }
}

/// The rounding mode of a modifier.
pub fn rounding(modifier: Modifier<'_>) -> Option<u32> {
    Some(match modifier {
        Modifier::Rn | Modifier::Rni => NEAREST,
        Modifier::Rm | Modifier::Rmi => DOWN,
        Modifier::Rp | Modifier::Rpi => UP,
        Modifier::Rz | Modifier::Rzi => ZERO,
        _ => return None,
    })
}
