//! Elementwise steps: a function of one value or a few, applied to all lanes of vectors. The compiler vectorises them.

use crate::numeric::value::{Affine, LANES, SimdLevel, Value, blend, lanes, pack, roll, simd_level};
use crate::operations::control::Jump;
use crate::state::payload::payload;
use crate::state::registers::{first, predicate, set_lanes, set_predicate, set_vector, vector};
use crate::state::step::Flow;
use crate::state::warp::{Execute, Step, Warp};

/// A function without state, out of its type.
#[inline(always)]
pub fn conjure<F: Copy>() -> F {
    const { assert!(size_of::<F>() == 0, "only functions that capture nothing can be steps") };
    // SAFETY: a value without bytes; one of this type existed when the step was made.
    unsafe { core::ptr::NonNull::<F>::dangling().as_ptr().read() }
}

payload! {
    /// Arithmetic: nothing, unless its operands are affine (`state::affine`).
    pub struct Elementwise {
        /// The first lane alone is worked out, whatever the mask.
        pub affine: bool,
        /// All lanes of the result are written.
        pub fills: bool,
        /// How an operand of 32 bits is made wider.
        pub widens: Widens,
        /// Which one.
        pub widened: u8,
        /// Its stride.
        pub widened_stride: i32,
        /// The stride of the result.
        pub stride: i64,
    }
}

payload! {
    /// How affine arithmetic makes an operand of 32 bits wider.
    pub enum Widens {
        Nothing,
        Unsigned,
        Signed,
    }
}

/// Writes the result of a marked step.
///
/// # Safety
/// The contract of [`Execute`](crate::state::warp::Execute).
#[inline(always)]
pub unsafe fn put<L: Affine, const LEVEL: u8>(warp: &mut Warp, step: &Step, d: L) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let Elementwise { fills, widens, stride, .. } = step.payload();
        if widens != Widens::Nothing && wraps(warp, step) {
            warp.complete();
            return Flow::Jump;
        }
        let to = warp.frame.add(step.to[0] as usize).cast::<L>();
        if !fills {
            to.write(d);
        } else {
            to.cast::<[L; LANES]>().write(d.all::<LEVEL>(stride));
        }
    }
    Flow::Next
}

/// True when the operand that is made wider wraps within the warp.
#[inline(always)]
unsafe fn wraps(warp: &Warp, step: &Step) -> bool {
    let Elementwise { widens, widened, widened_stride, .. } = step.payload();
    // SAFETY: the contract of `Execute`.
    let first: u32 = unsafe { first(warp, step.from[usize::from(widened & 3)]) };
    let more = 31 * i64::from(widened_stride);
    if widens == Widens::Signed {
        i32::try_from(i64::from(first as i32) + more).is_err()
    } else {
        u32::try_from(i64::from(first) + more).is_err()
    }
}

/// One lane of a function: from where the lanes of its operands are to where that of its result goes.
type One = unsafe fn(from: [*const u8; 3], to: *mut u8);

/// What machines without AVX2 do: one lane after the other, by a function of its own for each operation and a loop for each type of
/// result. There are few of them; with loops of their own their steps are a tenth of the library. `strides` are the bytes of the
/// operands' lanes.
#[inline(never)]
unsafe fn lane_by_lane<D: Value>(warp: &mut Warp, step: &Step, one: One, strides: [u8; 3]) -> Flow {
    const PLAIN: u8 = SimdLevel::Plain as u8;
    // SAFETY: the contract of `Execute`; operands that there are not are not looked at.
    unsafe {
        if step.payload::<Elementwise>().affine {
            let mut d = D::Lane::default();
            one(operands(warp, step, 0, strides), (&raw mut d).cast());
            return put::<_, PLAIN>(warp, step, d);
        }
        let mut all = [D::Lane::default(); LANES];
        for (lane, d) in all.iter_mut().enumerate() {
            one(operands(warp, step, lane, strides), (&raw mut *d).cast());
        }
        D::canonicalise::<PLAIN>(&mut all);
        set_lanes::<_, PLAIN>(warp, step.to[0], &all);
    }
    Flow::Next
}

/// Where a lane of the first operands is.
#[inline(always)]
fn operands(warp: &Warp, step: &Step, lane: usize, strides: [u8; 3]) -> [*const u8; 3] {
    let [a, b, c, ..] = step.from;
    let of = |at: u32, stride: u8| {
        warp.frame.cast_const().wrapping_add(at as usize).wrapping_add(lane * usize::from(stride)).cast::<u8>()
    };
    [of(a, strides[0]), of(b, strides[1]), of(c, strides[2])]
}

/// The bytes of a lane.
const fn stride<V: Value>() -> u8 {
    size_of::<V::Lane>() as u8
}

/// [`One`] of a function of a value, of two and of three values.
unsafe fn one_of_unary<A: Value, D: Value, F: Fn(A) -> D + Copy>(from: [*const u8; 3], to: *mut u8) {
    // SAFETY: the caller names lanes of these types.
    unsafe { to.cast::<D::Lane>().write(conjure::<F>()(get::<A>(from[0])).put()) }
}

unsafe fn one_of_binary<A: Value, B: Value, D: Value, F: Fn(A, B) -> D + Copy>(from: [*const u8; 3], to: *mut u8) {
    // SAFETY: the caller names lanes of these types.
    unsafe { to.cast::<D::Lane>().write(conjure::<F>()(get::<A>(from[0]), get::<B>(from[1])).put()) }
}

unsafe fn one_of_ternary<A: Value, B: Value, C: Value, D: Value, F: Fn(A, B, C) -> D + Copy>(
    from: [*const u8; 3],
    to: *mut u8,
) {
    // SAFETY: the caller names lanes of these types.
    unsafe {
        let d = conjure::<F>()(get::<A>(from[0]), get::<B>(from[1]), get::<C>(from[2]));
        to.cast::<D::Lane>().write(d.put());
    }
}

/// A lane's value.
#[inline(always)]
unsafe fn get<A: Value>(from: *const u8) -> A {
    // SAFETY: the caller names a lane of this type.
    A::get(unsafe { from.cast::<A::Lane>().read() })
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
                unsafe { body::<$($g,)* F, { SimdLevel::Plain as u8 }>(warp, step) }
            }

            #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
            unsafe fn avx2<$($g: $bound,)* F: $f + Copy>(warp: &mut Warp, step: &Step) -> Flow {
                // SAFETY: the same contract.
                unsafe { body::<$($g,)* F, { SimdLevel::Avx2 as u8 }>(warp, step) }
            }

            #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
            unsafe fn avx512<$($g: $bound,)* F: $f + Copy>(warp: &mut Warp, step: &Step) -> Flow {
                // SAFETY: the same contract.
                unsafe { body::<$($g,)* F, { SimdLevel::Avx512 as u8 }>(warp, step) }
            }

            match simd_level() {
                SimdLevel::Plain => plain::<$($g,)* F>,
                SimdLevel::Avx2 => avx2::<$($g,)* F>,
                SimdLevel::Avx512 => avx512::<$($g,)* F>,
            }
        }
    };
}

shape! {
    /// `d = f(a)`.
    unary, [A: Value, D: Value], Fn(A) -> D, warp, step, {
        // SAFETY: the contract of `Execute`.
        unsafe {
            if LEVEL == SimdLevel::Plain as u8 {
                return lane_by_lane::<D>(warp, step, one_of_unary::<A, D, F>, [stride::<A>(), 0, 0]);
            }
            let f: F = conjure();
            if step.payload::<Elementwise>().affine {
                let d = f(A::get(first(warp, step.from[0]))).put();
                return put::<_, LEVEL>(warp, step, d);
            }
            let a = vector::<A::Lane>(warp, step.from[0]);
            let mut d = [D::Lane::default(); LANES];
            for lane in 0..LANES {
                d[lane] = f(A::get(a[lane])).put();
            }
            D::canonicalise::<LEVEL>(&mut d);
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
            if LEVEL == SimdLevel::Plain as u8 {
                return lane_by_lane::<D>(warp, step, one_of_binary::<A, B, D, F>, [stride::<A>(), stride::<B>(), 0]);
            }
            let f: F = conjure();
            if step.payload::<Elementwise>().affine {
                let d = f(A::get(first(warp, step.from[0])), B::get(first(warp, step.from[1]))).put();
                return put::<_, LEVEL>(warp, step, d);
            }
            let a = vector::<A::Lane>(warp, step.from[0]);
            let b = vector::<B::Lane>(warp, step.from[1]);
            let mut d = [D::Lane::default(); LANES];
            for lane in 0..LANES {
                d[lane] = f(A::get(a[lane]), B::get(b[lane])).put();
            }
            D::canonicalise::<LEVEL>(&mut d);
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
            if LEVEL == SimdLevel::Plain as u8 {
                return lane_by_lane::<D>(warp, step, one_of_ternary::<A, B, C, D, F>, [stride::<A>(), stride::<B>(), stride::<C>()]);
            }
            let f: F = conjure();
            if step.payload::<Elementwise>().affine {
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
            D::canonicalise::<LEVEL>(&mut d);
            set_lanes::<_, LEVEL>(warp, step.to[0], &d);
        }
        Flow::Next
    }
}

shape! {
    /// `d = f(a, b, c, e)`.
    quaternary, [A: Value, B: Value, D: Value], Fn(A, A, B, B) -> D, warp, step, {
        // SAFETY: the contract of `Execute`.
        unsafe {
            let f: F = conjure();
            let a = vector::<A::Lane>(warp, step.from[0]);
            let b = vector::<A::Lane>(warp, step.from[1]);
            let c = vector::<B::Lane>(warp, step.from[2]);
            let e = vector::<B::Lane>(warp, step.from[3]);
            let mut d = [D::Lane::default(); LANES];
            for lane in 0..lanes::<LEVEL>() {
                roll::<LEVEL>();
                d[lane] = f(A::get(a[lane]), A::get(b[lane]), B::get(c[lane]), B::get(e[lane])).put();
            }
            D::canonicalise::<LEVEL>(&mut d);
            set_lanes::<_, LEVEL>(warp, step.to[0], &d);
        }
        Flow::Next
    }
}

/// How the result of a comparison and another predicate become one.
#[inline(always)]
pub(super) fn combine(how: Combination, a: u32, b: u32) -> u32 {
    match how {
        Combination::None => a,
        Combination::And => a & b,
        Combination::Or => a | b,
        Combination::Xor => a ^ b,
    }
}

payload! {
    /// How the result of a comparison and another predicate become one.
    pub enum Combination {
        None,
        And,
        Or,
        Xor,
    }
}

payload! {
    /// The branch that a comparison is made for, and that it does itself.
    pub enum Branches {
        /// None.
        No,
        /// Lanes jump for which it holds.
        Where,
        /// Lanes jump for which it does not.
        Unless,
    }
}

payload! {
    /// A comparison.
    pub struct Comparison {
        /// Only this branch uses the result,
        pub branches: Branches,
        /// which goes there.
        pub jump: Jump,
        /// The result is combined with the third operand,
        pub combination: Combination,
        /// which is negated before.
        pub negated: bool,
        /// The second result is the negation.
        pub pair: bool,
        /// The operands are affine (`state::affine`).
        pub affine: bool,
    }
}

impl Comparison {
    /// Neither branches nor combines.
    pub const PLAIN: Comparison = Comparison {
        branches: Branches::No,
        jump: Jump::NONE,
        combination: Combination::None,
        negated: false,
        pair: false,
        affine: false,
    };

    /// The strides of affine operands. They stand where a step with more results has its last ones.
    #[inline(always)]
    fn strides(step: &Step) -> (i64, i64) {
        (i64::from(step.to[2] as i32), i64::from(step.to[3] as i32))
    }

    /// Makes it a comparison of affine operands with these strides.
    pub fn set_strides(step: &mut Step, (a, b): (i32, i32)) {
        step.change(|how: &mut Comparison| how.affine = true);
        (step.to[2], step.to[3]) = (a as u32, b as u32);
    }
}

shape! {
    /// `p = f(a, b)`, as the [`Comparison`] of the step says.
    compare, [A: Value], Fn(A, A) -> bool, warp, step, {
        // SAFETY: the contract of `Execute`.
        unsafe {
            if LEVEL == SimdLevel::Plain as u8 {
                return compare_lane_by_lane::<A::Lane>(warp, step, one_of_compare::<A, F>);
            }
            let f: F = conjure();
            let mut holds = [0i32; LANES];
            let how: Comparison = step.payload();
            let result = if how.affine {
                let (a, b) = (first::<A::Lane>(warp, step.from[0]), first::<A::Lane>(warp, step.from[1]));
                let (by_a, by_b) = Comparison::strides(step);
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
            compared(warp, step, how, result)
        }
    }
}

/// What a comparison does with its result.
#[inline(always)]
unsafe fn compared(warp: &mut Warp, step: &Step, how: Comparison, result: u32) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let (mut p, mut q) = (result, !result);
        if how.combination != Combination::None {
            let mut c = predicate(warp, step.from[2]);
            if how.negated {
                c = !c;
            }
            (p, q) = (combine(how.combination, p, c), combine(how.combination, q, c));
        }
        if how.branches != Branches::No {
            let holds = if how.branches == Branches::Unless { !p } else { p };
            return warp.branch_where(holds, how.jump);
        }
        set_predicate(warp, step.to[0], p);
        if how.pair {
            set_predicate(warp, step.to[1], q);
        }
    }
    Flow::Next
}

/// [`One`] of a comparison: 1 where it holds, else 0.
unsafe fn one_of_compare<A: Value, F: Fn(A, A) -> bool + Copy>(from: [*const u8; 3], to: *mut u8) {
    // SAFETY: the caller names lanes of this type, and a byte.
    unsafe { to.write(conjure::<F>()(get::<A>(from[0]), get::<A>(from[1])).into()) }
}

/// [`lane_by_lane`], of a comparison.
#[inline(never)]
unsafe fn compare_lane_by_lane<L: Affine>(warp: &mut Warp, step: &Step, one: One) -> Flow {
    const PLAIN: u8 = SimdLevel::Plain as u8;
    // SAFETY: the contract of `Execute`.
    unsafe {
        let how: Comparison = step.payload();
        let (mut a, mut b) = (vector::<L>(warp, step.from[0]), vector::<L>(warp, step.from[1]));
        if how.affine {
            let (by_a, by_b) = Comparison::strides(step);
            (a, b) = (a[0].all::<PLAIN>(by_a), b[0].all::<PLAIN>(by_b));
        }
        let mut result = 0;
        for lane in 0..LANES {
            let mut holds = 0u8;
            one([(&raw const a[lane]).cast(), (&raw const b[lane]).cast(), core::ptr::null()], &raw mut holds);
            result |= u32::from(holds) << lane;
        }
        compared(warp, step, how, result)
    }
}

payload! {
    /// A choice between two values by a predicate.
    pub struct Choice {
        /// The predicate is negated.
        pub negated: bool,
    }
}

impl Choice {
    /// What turns round the bits of the predicate that are to be.
    #[inline(always)]
    fn flip(self) -> u32 {
        if self.negated { u32::MAX } else { 0 }
    }
}

shape! {
    /// `d = p ? a : b`, as the [`Choice`] of the step says. The function tells the lanes of type `A` apart and is not called.
    choice, [A: Value], Fn(A) -> A, warp, step, {
        // SAFETY: the contract of `Execute`.
        unsafe {
            let a = vector::<A::Lane>(warp, step.from[0]);
            let b = vector::<A::Lane>(warp, step.from[1]);
            let p = predicate(warp, step.from[2]) ^ step.payload::<Choice>().flip();
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

/// `d = p ? a : b` for lanes of type `L`, as the [`Choice`] of the step says.
pub unsafe fn choose<L: Copy>(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let a = vector::<L>(warp, step.from[0]);
        let b = vector::<L>(warp, step.from[1]);
        let p = predicate(warp, step.from[2]) ^ step.payload::<Choice>().flip();
        let d = blend::<L, { SimdLevel::Plain as u8 }>(p, &a, &b);
        set_vector(warp, step.to[0], &d);
    }
    Flow::Next
}
