//! Vectors of 32 lanes, and functions applied to all of them.
//!
//! Values of up to 32 bits lie in lanes of 32 bits, others in lanes of 64. What the upper bits of a narrow value hold means
//! nothing; who reads it cuts it off.

use super::linear::{Along, LINEAR, first, put};
use super::step::{Execute, Flow, Step};
use super::warp::Warp;
use std::sync::OnceLock;

/// Lanes of a warp.
pub const LANES: usize = 32;

/// A value of a lane.
pub trait Value: Copy {
    /// How it lies in the frame.
    type Lane: Along;
    /// Out of the frame.
    fn get(lane: Self::Lane) -> Self;
    /// Into the frame.
    fn put(self) -> Self::Lane;
    /// Puts right what [`Value::put`] left to be done for all lanes together.
    #[inline(always)]
    fn settle<const LEVEL: u8>(_: &mut [Self::Lane; LANES]) {}
}

/// A single whose NaNs become the device's: for all lanes at once, and only if there is one, since nearly always there is
/// none, and what comes next need not wait for that to be known.
#[derive(Clone, Copy)]
pub struct Settled(pub f32);

impl Value for Settled {
    type Lane = u32;

    #[inline(always)]
    fn get(lane: u32) -> Settled {
        Settled(f32::from_bits(lane))
    }

    #[inline(always)]
    fn put(self) -> u32 {
        self.0.to_bits()
    }

    #[inline(always)]
    fn settle<const LEVEL: u8>(all: &mut [u32; LANES]) {
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
        #[cold]
        fn mend(all: &mut [u32; LANES]) {
            for bits in all {
                *bits = super::float::canonical(f32::from_bits(*bits)).to_bits();
            }
        }
        let none = if LEVEL == Level::Avx512 as u8 {
            // SAFETY: this instance is called on machines of its level.
            unsafe { none512(all) }
        } else {
            let mut found = 0;
            for bits in all.iter() {
                found |= u32::from(f32::from_bits(*bits).is_nan());
            }
            found == 0
        };
        if !none {
            mend(all);
        }
    }
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
    unsafe { set_lanes::<L, { Level::Plain as u8 }>(warp, at, new) }
}

/// [`set_vector`] with the instructions of a level.
#[inline(always)]
pub unsafe fn set_lanes<L: Copy, const LEVEL: u8>(warp: &mut Warp, at: u32, new: &[L; LANES]) {
    // SAFETY: as for `vector`.
    unsafe {
        let to = warp.frame.add(at as usize).cast::<[L; LANES]>();
        *to = if warp.mask == u32::MAX { *new } else { blend::<L, LEVEL>(warp.mask, new, &*to) };
    }
}

/// Lanes of `a` where the mask has a one, of `b` elsewhere. Lanes have 32 or 64 bits.
#[inline(always)]
pub fn blend<L: Copy, const LEVEL: u8>(mask: u32, a: &[L; LANES], b: &[L; LANES]) -> [L; LANES] {
    use core::arch::x86_64::*;
    #[target_feature(enable = "avx512f")]
    #[inline]
    unsafe fn blend512<L: Copy>(mask: u32, a: &[L; LANES], b: &[L; LANES]) -> [L; LANES] {
        let mut all = *b;
        let (from, to) = (a.as_ptr().cast::<i32>(), all.as_mut_ptr().cast::<i32>());
        // Blended in registers: what a store with a mask writes cannot be loaded again before it has left for the cache.
        // SAFETY: vectors of 32 lanes of 4 or of 8 bytes.
        unsafe {
            if size_of::<L>() == 4 {
                for part in 0..2 {
                    let (new, old) = (_mm512_loadu_epi32(from.add(part * 16)), _mm512_loadu_epi32(to.add(part * 16)));
                    let value = _mm512_mask_mov_epi32(old, (mask >> (16 * part)) as u16, new);
                    _mm512_storeu_epi32(to.add(part * 16), value);
                }
            } else {
                for part in 0..4 {
                    let (from, to) = (from.add(part * 16).cast(), to.add(part * 16).cast());
                    let (new, old) = (_mm512_loadu_epi64(from), _mm512_loadu_epi64(to));
                    _mm512_storeu_epi64(to, _mm512_mask_mov_epi64(old, (mask >> (8 * part)) as u8, new));
                }
            }
        }
        all
    }
    const { assert!(size_of::<L>() == 4 || size_of::<L>() == 8) };
    if LEVEL == Level::Avx512 as u8 {
        // SAFETY: this instance is called on machines of its level.
        return unsafe { blend512(mask, a, b) };
    }
    let mut all = *b;
    let (from, to) = (a.as_ptr(), all.as_mut_ptr());
    for lane in 0..LANES {
        // All ones or none, so that no branch is needed.
        let pick = (mask << (31 - lane)) as i32 >> 31;
        // SAFETY: lanes of the arrays, of 4 or of 8 bytes.
        unsafe {
            if size_of::<L>() == 4 {
                let (from, to) = (from.cast::<u32>().add(lane), to.cast::<u32>().add(lane));
                *to ^= (*to ^ *from) & pick as u32;
            } else {
                let (from, to) = (from.cast::<u64>().add(lane), to.cast::<u64>().add(lane));
                *to ^= (*to ^ *from) & i64::from(pick) as u64;
            }
        }
    }
    all
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
pub(super) fn conjure<F: Copy>() -> F {
    const { assert!(size_of::<F>() == 0, "only functions that capture nothing can be steps") };
    // SAFETY: a value without bytes; one of this type was given to whoever made the step.
    unsafe { core::ptr::NonNull::<F>::dangling().as_ptr().read() }
}

/// Which vector instructions the machine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Level {
    /// SSE2, which every x86-64 has.
    Plain,
    /// AVX2, FMA and what came with them.
    Avx2,
    /// AVX-512 with the subsets that came first.
    Avx512,
}

/// The level of this machine.
pub fn level() -> Level {
    static LEVEL: OnceLock<Level> = OnceLock::new();
    *LEVEL.get_or_init(|| {
        let avx2 = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        let avx512 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512cd");
        match (avx2, avx512) {
            (true, true) => Level::Avx512,
            (true, false) => Level::Avx2,
            _ => Level::Plain,
        }
    })
}

/// True when the machine has AVX2, FMA and what came with them.
pub fn wide() -> bool {
    level() >= Level::Avx2
}

/// The lanes whose element is not zero but has all bits set, as a mask.
#[inline(always)]
pub fn pack<const LEVEL: u8>(lanes: &[i32; LANES]) -> u32 {
    use core::arch::x86_64::*;
    #[target_feature(enable = "avx512f,avx512dq")]
    #[inline]
    unsafe fn pack512(lanes: &[i32; LANES]) -> u32 {
        let at = lanes.as_ptr();
        // SAFETY: reads the array.
        let (low, high) = unsafe { (_mm512_loadu_si512(at.cast()), _mm512_loadu_si512(at.add(16).cast())) };
        u32::from(_mm512_movepi32_mask(low)) | u32::from(_mm512_movepi32_mask(high)) << 16
    }
    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn pack256(lanes: &[i32; LANES]) -> u32 {
        let at = lanes.as_ptr().cast::<__m256i>();
        let mut all = 0;
        for n in 0..4 {
            // SAFETY: reads the array.
            let part = unsafe { _mm256_loadu_si256(at.add(n)) };
            all |= (_mm256_movemask_ps(_mm256_castsi256_ps(part)) as u32) << (8 * n);
        }
        all
    }
    if LEVEL == Level::Avx512 as u8 {
        // SAFETY: this instance is called on machines of its level.
        unsafe { pack512(lanes) }
    } else if LEVEL == Level::Avx2 as u8 {
        // SAFETY: as above.
        unsafe { pack256(lanes) }
    } else {
        let mut all = 0;
        for (lane, bits) in lanes.iter().enumerate() {
            all |= (*bits as u32 >> 31) << lane;
        }
        all
    }
}

/// A vector whose lane `n` is lane `from[n]` of another one.
#[inline(always)]
pub fn permute<const LEVEL: u8>(a: &[u32; LANES], from: &[u32; LANES]) -> [u32; LANES] {
    use core::arch::x86_64::*;
    #[target_feature(enable = "avx512f")]
    #[inline]
    unsafe fn permute512(a: &[u32; LANES], from: &[u32; LANES]) -> [u32; LANES] {
        let mut all = [0; LANES];
        // SAFETY: vectors of 32 lanes of 4 bytes; of an index the lower five bits count.
        unsafe {
            let low = _mm512_loadu_epi32(a.as_ptr().cast());
            let high = _mm512_loadu_epi32(a.as_ptr().add(16).cast());
            for half in [0, 16] {
                let index = _mm512_loadu_epi32(from.as_ptr().add(half).cast());
                let picked = _mm512_permutex2var_epi32(low, index, high);
                _mm512_storeu_epi32(all.as_mut_ptr().add(half).cast(), picked);
            }
        }
        all
    }
    if LEVEL == Level::Avx512 as u8 {
        // SAFETY: this instance is called on machines of its level.
        return unsafe { permute512(a, from) };
    }
    let mut all = [0; LANES];
    for lane in 0..LANES {
        all[lane] = a[from[lane] as usize % LANES];
    }
    all
}

/// A shape of steps: its body once for every level. Inside of it `LEVEL` is the level.
macro_rules! shape {
    ($(#[$doc:meta])* $name:ident, [$($g:ident: $bound:path),*], $f:path, $warp:ident, $step:ident, $code:block) => {
        $(#[$doc])*
        #[allow(clippy::extra_unused_type_parameters)] // The body names it for all levels at once.
        pub fn $name<$($g: $bound,)* F: $f + Copy>(_: F) -> Execute {
            #[inline(always)]
            unsafe fn body<$($g: $bound,)* F: $f + Copy, const LEVEL: u8>($warp: &mut Warp, $step: &Step) -> Flow $code

            unsafe fn plain<$($g: $bound,)* F: $f + Copy>(warp: &mut Warp, step: &Step) -> Flow {
                // SAFETY: the same contract.
                unsafe { body::<$($g,)* F, { Level::Plain as u8 }>(warp, step) }
            }

            #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
            unsafe fn avx2<$($g: $bound,)* F: $f + Copy>(warp: &mut Warp, step: &Step) -> Flow {
                // SAFETY: the same contract.
                unsafe { body::<$($g,)* F, { Level::Avx2 as u8 }>(warp, step) }
            }

            #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
            unsafe fn avx512<$($g: $bound,)* F: $f + Copy>(warp: &mut Warp, step: &Step) -> Flow {
                // SAFETY: the same contract.
                unsafe { body::<$($g,)* F, { Level::Avx512 as u8 }>(warp, step) }
            }

            match level() {
                Level::Plain => plain::<$($g,)* F>,
                Level::Avx2 => avx2::<$($g,)* F>,
                Level::Avx512 => avx512::<$($g,)* F>,
            }
        }
    };
}

shape! {
    /// `d = f(a)`.
    unary, [A: Value, D: Value], Fn(A) -> D, warp, step, {
        // SAFETY: the contract of `Execute`.
        unsafe {
            let f: F = conjure();
            if step.number & LINEAR != 0 {
                let d = f(A::get(first(warp, step.from[0]))).put();
                return put::<_, LEVEL>(warp, step, d);
            }
            let a = vector::<A::Lane>(warp, step.from[0]);
            let mut d = [D::Lane::default(); LANES];
            for lane in 0..LANES {
                d[lane] = f(A::get(a[lane])).put();
            }
            D::settle::<LEVEL>(&mut d);
            set_lanes::<_, LEVEL>(warp, step.to[0], &d);
        }
        Flow::Next
    }
}

shape! {
    /// `d = f(a, b)`.
    binary, [A: Value, B: Value, D: Value], Fn(A, B) -> D, warp, step, {
        // SAFETY: the contract of `Execute`.
        unsafe {
            let f: F = conjure();
            if step.number & LINEAR != 0 {
                let d = f(A::get(first(warp, step.from[0])), B::get(first(warp, step.from[1]))).put();
                return put::<_, LEVEL>(warp, step, d);
            }
            let a = vector::<A::Lane>(warp, step.from[0]);
            let b = vector::<B::Lane>(warp, step.from[1]);
            let mut d = [D::Lane::default(); LANES];
            for lane in 0..LANES {
                d[lane] = f(A::get(a[lane]), B::get(b[lane])).put();
            }
            D::settle::<LEVEL>(&mut d);
            set_lanes::<_, LEVEL>(warp, step.to[0], &d);
        }
        Flow::Next
    }
}

shape! {
    /// `d = f(a, b, c)`.
    ternary, [A: Value, B: Value, C: Value, D: Value], Fn(A, B, C) -> D, warp, step, {
        // SAFETY: the contract of `Execute`.
        unsafe {
            let f: F = conjure();
            if step.number & LINEAR != 0 {
                let d = f(A::get(first(warp, step.from[0])), B::get(first(warp, step.from[1])), C::get(first(warp, step.from[2]))).put();
                return put::<_, LEVEL>(warp, step, d);
            }
            let a = vector::<A::Lane>(warp, step.from[0]);
            let b = vector::<B::Lane>(warp, step.from[1]);
            let c = vector::<C::Lane>(warp, step.from[2]);
            let mut d = [D::Lane::default(); LANES];
            for lane in 0..LANES {
                d[lane] = f(A::get(a[lane]), B::get(b[lane]), C::get(c[lane])).put();
            }
            D::settle::<LEVEL>(&mut d);
            set_lanes::<_, LEVEL>(warp, step.to[0], &d);
        }
        Flow::Next
    }
}

shape! {
    /// `d = f(a, b, c, value)`: one operand is a constant of the step; and four operands.
    quaternary, [A: Value, B: Value, D: Value], Fn(A, A, B, B) -> D, warp, step, {
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
            D::settle::<LEVEL>(&mut d);
            set_lanes::<_, LEVEL>(warp, step.to[0], &d);
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

/// In the `number` of a comparison: nobody but a branch wants the result. `from[3]` is where lanes go for which it holds,
/// `from[4]` the branch's weight.
pub const BRANCHES: u32 = 4;
/// In the `number` of such a comparison: those go there for which it does not hold.
pub const UNLESS: u32 = 8;

shape! {
    /// `p = f(a, b)`, combined with a predicate as `value` says; the second result is the negation.
    ///
    /// `number` has bit 0 when there is a second result, bit 1 when the combined predicate is negated. If it says that the
    /// operands are linear, `to[2]` and `to[3]` are their strides.
    compare, [A: Value], Fn(A, A) -> bool, warp, step, {
        // SAFETY: the contract of `Execute`.
        unsafe {
            let f: F = conjure();
            let mut holds = [0i32; LANES];
            let result = if step.number & LINEAR != 0 {
                let (a, b) = (first::<A::Lane>(warp, step.from[0]), first::<A::Lane>(warp, step.from[1]));
                let (by_a, by_b) = (i64::from(step.to[2] as i32), i64::from(step.to[3] as i32));
                if by_a | by_b == 0 {
                    if f(A::get(a), A::get(b)) { u32::MAX } else { 0 }
                } else {
                    let (a, b) = (a.all::<LEVEL>(by_a), b.all::<LEVEL>(by_b));
                    for lane in 0..LANES {
                        holds[lane] = -i32::from(f(A::get(a[lane]), A::get(b[lane])));
                    }
                    pack::<LEVEL>(&holds)
                }
            } else {
                let a = vector::<A::Lane>(warp, step.from[0]);
                let b = vector::<A::Lane>(warp, step.from[1]);
                for lane in 0..LANES {
                    holds[lane] = -i32::from(f(A::get(a[lane]), A::get(b[lane])));
                }
                pack::<LEVEL>(&holds)
            };
            let (mut p, mut q) = (result, !result);
            if step.value != 0 {
                let mut c = predicate(warp, step.from[2]);
                if step.number & 2 != 0 {
                    c = !c;
                }
                (p, q) = (combine(step.value, p, c), combine(step.value, q, c));
            }
            if step.number & BRANCHES != 0 {
                let holds = if step.number & UNLESS != 0 { !p } else { p };
                return warp.branch_where(holds, step);
            }
            set_predicate(warp, step.to[0], p);
            if step.number & 1 != 0 {
                set_predicate(warp, step.to[1], q);
            }
        }
        Flow::Next
    }
}

shape! {
    /// `d = p ? a : b`; `number` negates. The function tells the lanes of type `A` apart and is not called.
    choice, [A: Value], Fn(A) -> A, warp, step, {
        // SAFETY: the contract of `Execute`.
        unsafe {
            let a = vector::<A::Lane>(warp, step.from[0]);
            let b = vector::<A::Lane>(warp, step.from[1]);
            let p = predicate(warp, step.from[2]) ^ if step.number != 0 { u32::MAX } else { 0 };
            let d = blend::<_, LEVEL>(p, &a, &b);
            set_lanes::<_, LEVEL>(warp, step.to[0], &d);
        }
        Flow::Next
    }
}

/// `d = a` for lanes of 64 or of 32 bits.
pub fn copy(wide: bool) -> Execute {
    if wide { unary(|a: u64| a) } else { unary(|a: u32| a) }
}

/// `d = p ? a : b` for lanes of 64 or of 32 bits, for this machine.
pub fn chooser(wide: bool) -> Execute {
    if wide { choice(|a: u64| a) } else { choice(|a: u32| a) }
}

/// `d = p ? a : b` for lanes of type `L`; `number` negates.
pub unsafe fn choose<L: Copy>(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let a = vector::<L>(warp, step.from[0]);
        let b = vector::<L>(warp, step.from[1]);
        let p = predicate(warp, step.from[2]) ^ if step.number != 0 { u32::MAX } else { 0 };
        let d = blend::<L, { Level::Plain as u8 }>(p, &a, &b);
        set_vector(warp, step.to[0], &d);
    }
    Flow::Next
}
