//! Vectors of 32 lanes, and functions applied to all of them.
//!
//! Values of up to 32 bits lie in lanes of 32 bits, others in lanes of 64. What the upper bits of a narrow value hold means
//! nothing; who reads it cuts it off.

use super::step::{Execute, Flow, Step};
use super::warp::Warp;
use std::sync::OnceLock;

/// Lanes of a warp.
pub const LANES: usize = 32;

/// A value of a lane.
pub trait Value: Copy {
    /// How it lies in the frame.
    type Lane: Copy + Default;
    /// Out of the frame.
    fn get(lane: Self::Lane) -> Self;
    /// Into the frame.
    fn put(self) -> Self::Lane;
}

macro_rules! values {
    ($($ty:ty, $lane:ty, $get:expr, $put:expr;)*) => {
        $(impl Value for $ty {
            type Lane = $lane;
            #[inline(always)]
            fn get(lane: $lane) -> $ty {
                let get: fn($lane) -> $ty = $get;
                get(lane)
            }
            #[inline(always)]
            fn put(self) -> $lane {
                let put: fn($ty) -> $lane = $put;
                put(self)
            }
        })*
    };
}

values! {
    u8, u32, |v| v as u8, |v| u32::from(v);
    i8, u32, |v| v as i8, |v| v as i32 as u32;
    u16, u32, |v| v as u16, |v| u32::from(v);
    i16, u32, |v| v as i16, |v| v as i32 as u32;
    u32, u32, |v| v, |v| v;
    i32, u32, |v| v as i32, |v| v as u32;
    u64, u64, |v| v, |v| v;
    i64, u64, |v| v as i64, |v| v as u64;
    f32, u32, f32::from_bits, f32::to_bits;
    f64, u64, f64::from_bits, f64::to_bits;
}

/// A vector of the frame.
#[inline(always)]
pub unsafe fn vector<L: Copy>(warp: &Warp, at: u32) -> [L; LANES] {
    // SAFETY: by the contract of `Execute`, `at` is the offset of a vector of the frame.
    unsafe { *warp.frame.add(at as usize).cast::<[L; LANES]>() }
}

/// Writes the active lanes of a vector of the frame.
#[inline(always)]
pub unsafe fn set_vector<L: Copy>(warp: &mut Warp, at: u32, new: &[L; LANES]) {
    // SAFETY: as for `vector`.
    let vector = unsafe { &mut *warp.frame.add(at as usize).cast::<[L; LANES]>() };
    if warp.mask == u32::MAX {
        *vector = *new;
    } else {
        for lane in 0..LANES {
            if warp.mask >> lane & 1 != 0 {
                vector[lane] = new[lane];
            }
        }
    }
}

/// A predicate: a bit a lane.
#[inline(always)]
pub unsafe fn predicate(warp: &Warp, at: u32) -> u32 {
    // SAFETY: as for `vector`.
    unsafe { *warp.frame.add(at as usize).cast::<u32>() }
}

/// Writes the active lanes of a predicate.
#[inline(always)]
pub unsafe fn set_predicate(warp: &mut Warp, at: u32, new: u32) {
    // SAFETY: as for `vector`.
    let old = unsafe { &mut *warp.frame.add(at as usize).cast::<u32>() };
    *old = *old & !warp.mask | new & warp.mask;
}

/// A function without state, out of its type.
#[inline(always)]
fn conjure<F: Copy>() -> F {
    const { assert!(size_of::<F>() == 0, "only functions that capture nothing can be steps") };
    // SAFETY: a value without bytes; one of this type was given to whoever made the step.
    unsafe { core::ptr::NonNull::<F>::dangling().as_ptr().read() }
}

/// True when the machine has AVX2, FMA and what came with them.
pub fn wide() -> bool {
    static WIDE: OnceLock<bool> = OnceLock::new();
    *WIDE.get_or_init(|| {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    })
}

/// A shape of steps: its body once for every machine, and once compiled for AVX2 and FMA.
macro_rules! shape {
    ($(#[$doc:meta])* $name:ident, $body:ident, $plain:ident, $wide:ident, [$($g:ident: $bound:path),*], $f:path, $warp:ident, $step:ident, $code:block) => {
        #[inline(always)]
        unsafe fn $body<$($g: $bound,)* F: $f + Copy>($warp: &mut Warp, $step: &Step) -> Flow $code

        unsafe fn $plain<$($g: $bound,)* F: $f + Copy>(warp: &mut Warp, step: &Step) -> Flow {
            // SAFETY: the same contract.
            unsafe { $body::<$($g,)* F>(warp, step) }
        }

        #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
        unsafe fn $wide<$($g: $bound,)* F: $f + Copy>(warp: &mut Warp, step: &Step) -> Flow {
            // SAFETY: the same contract.
            unsafe { $body::<$($g,)* F>(warp, step) }
        }

        $(#[$doc])*
        pub fn $name<$($g: $bound,)* F: $f + Copy>(_: F) -> Execute {
            if wide() { $wide::<$($g,)* F> } else { $plain::<$($g,)* F> }
        }
    };
}

shape! {
    /// `d = f(a)`.
    unary, unary_body, unary_plain, unary_wide, [A: Value, D: Value], Fn(A) -> D, warp, step, {
        // SAFETY: the contract of `Execute`.
        unsafe {
            let f: F = conjure();
            let a = vector::<A::Lane>(warp, step.from[0]);
            let mut d = [D::Lane::default(); LANES];
            for lane in 0..LANES {
                d[lane] = f(A::get(a[lane])).put();
            }
            set_vector(warp, step.to[0], &d);
        }
        Flow::Next
    }
}

shape! {
    /// `d = f(a, b)`.
    binary, binary_body, binary_plain, binary_wide, [A: Value, B: Value, D: Value], Fn(A, B) -> D, warp, step, {
        // SAFETY: the contract of `Execute`.
        unsafe {
            let f: F = conjure();
            let a = vector::<A::Lane>(warp, step.from[0]);
            let b = vector::<B::Lane>(warp, step.from[1]);
            let mut d = [D::Lane::default(); LANES];
            for lane in 0..LANES {
                d[lane] = f(A::get(a[lane]), B::get(b[lane])).put();
            }
            set_vector(warp, step.to[0], &d);
        }
        Flow::Next
    }
}

shape! {
    /// `d = f(a, b, c)`.
    ternary, ternary_body, ternary_plain, ternary_wide, [A: Value, B: Value, C: Value, D: Value], Fn(A, B, C) -> D, warp, step, {
        // SAFETY: the contract of `Execute`.
        unsafe {
            let f: F = conjure();
            let a = vector::<A::Lane>(warp, step.from[0]);
            let b = vector::<B::Lane>(warp, step.from[1]);
            let c = vector::<C::Lane>(warp, step.from[2]);
            let mut d = [D::Lane::default(); LANES];
            for lane in 0..LANES {
                d[lane] = f(A::get(a[lane]), B::get(b[lane]), C::get(c[lane])).put();
            }
            set_vector(warp, step.to[0], &d);
        }
        Flow::Next
    }
}

shape! {
    /// `d = f(a, b, c, value)`: one operand is a constant of the step; and four operands.
    quaternary, quaternary_body, quaternary_plain, quaternary_wide, [A: Value, B: Value, D: Value], Fn(A, A, B, B) -> D, warp, step, {
        // SAFETY: the contract of `Execute`.
        unsafe {
            let f: F = conjure();
            let a = vector::<A::Lane>(warp, step.from[0]);
            let b = vector::<A::Lane>(warp, step.from[1]);
            let c = vector::<B::Lane>(warp, step.from[2]);
            let e = vector::<B::Lane>(warp, step.from[3]);
            let mut d = [D::Lane::default(); LANES];
            for lane in 0..LANES {
                d[lane] = f(A::get(a[lane]), A::get(b[lane]), B::get(c[lane]), B::get(e[lane])).put();
            }
            set_vector(warp, step.to[0], &d);
        }
        Flow::Next
    }
}

/// How the result of a comparison and another predicate become one.
#[inline(always)]
fn combine(how: i64, a: u32, b: u32) -> u32 {
    match how {
        1 => a & b,
        2 => a | b,
        3 => a ^ b,
        _ => a,
    }
}

shape! {
    /// `p = f(a, b)`, combined with a predicate as `value` says; the second result is the negation.
    ///
    /// `number` has bit 0 when there is a second result, bit 1 when the combined predicate is negated.
    compare, compare_body, compare_plain, compare_wide, [A: Value], Fn(A, A) -> bool, warp, step, {
        // SAFETY: the contract of `Execute`.
        unsafe {
            let f: F = conjure();
            let a = vector::<A::Lane>(warp, step.from[0]);
            let b = vector::<A::Lane>(warp, step.from[1]);
            let mut bits = [0u32; LANES];
            for lane in 0..LANES {
                bits[lane] = u32::from(f(A::get(a[lane]), A::get(b[lane]))) << lane;
            }
            let result = bits.iter().fold(0, |all, bit| all | bit);
            let (mut p, mut q) = (result, !result);
            if step.value != 0 {
                let mut c = predicate(warp, step.from[2]);
                if step.number & 2 != 0 {
                    c = !c;
                }
                (p, q) = (combine(step.value, p, c), combine(step.value, q, c));
            }
            set_predicate(warp, step.to[0], p);
            if step.number & 1 != 0 {
                set_predicate(warp, step.to[1], q);
            }
        }
        Flow::Next
    }
}

/// `d = p ? a : b` for lanes of type `L`; `number` negates.
pub unsafe fn choose<L: Copy>(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let a = vector::<L>(warp, step.from[0]);
        let mut d = vector::<L>(warp, step.from[1]);
        let p = predicate(warp, step.from[2]) ^ if step.number != 0 { u32::MAX } else { 0 };
        for lane in 0..LANES {
            if p >> lane & 1 != 0 {
                d[lane] = a[lane];
            }
        }
        set_vector(warp, step.to[0], &d);
    }
    Flow::Next
}
