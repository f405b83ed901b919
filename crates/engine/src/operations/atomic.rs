//! Atomic operations.

use crate::numeric::float::{Brain16, Float16};
use crate::numeric::half::{BRAIN, PAIR};
use crate::numeric::value::LANES;
use crate::operations::memory::{Address, Local, Plain, Shared, Window, addresses_apart, addresses_at};
use crate::state::fault::Fault;
use crate::state::payload::payload;
use crate::state::registers::{set_vector, vector};
use crate::state::step::Flow;
use crate::state::warp::{Execute, Step, Warp};
use core::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};
use ptx::{AtomicOperation, Space, Type};

/// A memory word that operations change.
trait Word {
    type Bits: Copy + Default + PartialEq;
    /// How it lies in the frame.
    type Lane: Copy + Default;
    fn cut(lane: Self::Lane) -> Self::Bits;
    fn widen(bits: Self::Bits) -> Self::Lane;
    /// Replaces the word by what `f` makes of it; gives what it was.
    unsafe fn update(at: u64, f: impl Fn(Self::Bits) -> Self::Bits) -> Self::Bits;
    /// The same for a word that no other thread of the process uses.
    unsafe fn update_alone(at: u64, f: impl Fn(Self::Bits) -> Self::Bits) -> Self::Bits {
        let at = at as *mut Self::Bits;
        // SAFETY: aligned, as the caller has checked; guarded.
        unsafe {
            let old = at.read();
            at.write(f(old));
            old
        }
    }
    /// Adds.
    unsafe fn add(at: u64, b: Self::Bits) -> Self::Bits;
}

struct W16;
struct W32;
struct W64;

macro_rules! word {
    ($w:ty, $bits:ty, $lane:ty, $atomic:ty) => {
        impl Word for $w {
            type Bits = $bits;
            type Lane = $lane;
            #[inline(always)]
            fn cut(lane: $lane) -> $bits {
                lane as $bits
            }
            #[inline(always)]
            fn widen(bits: $bits) -> $lane {
                <$lane>::from(bits)
            }
            #[inline(always)]
            unsafe fn update(at: u64, f: impl Fn($bits) -> $bits) -> $bits {
                // SAFETY: aligned, as the caller has checked; guarded.
                let word = unsafe { <$atomic>::from_ptr(at as *mut $bits) };
                let mut old = word.load(Ordering::Relaxed);
                loop {
                    match word.compare_exchange_weak(old, f(old), Ordering::SeqCst, Ordering::Relaxed) {
                        Ok(old) => return old,
                        Err(now) => old = now,
                    }
                }
            }
            #[inline(always)]
            unsafe fn add(at: u64, b: $bits) -> $bits {
                // SAFETY: as above.
                unsafe { <$atomic>::from_ptr(at as *mut $bits) }.fetch_add(b, Ordering::SeqCst)
            }
        }
    };
}
word!(W16, u16, u32, AtomicU16);
word!(W32, u32, u32, AtomicU32);
word!(W64, u64, u64, AtomicU64);

/// An operation on words.
trait Change<W: Word> {
    /// It is the addition of integers.
    const ADDS: bool = false;
    fn apply(old: W::Bits, b: W::Bits, c: W::Bits) -> W::Bits;
}

macro_rules! changes {
    ($($name:ident, $w:ty, |$o:ident, $b:ident, $c:ident| $e:expr $(, $adds:literal)?;)*) => {$(
        struct $name;
        impl Change<$w> for $name {
            $(const ADDS: bool = $adds;)?
            #[inline(always)]
            fn apply($o: <$w as Word>::Bits, $b: <$w as Word>::Bits, $c: <$w as Word>::Bits) -> <$w as Word>::Bits {
                let _ = (&$o, &$b, &$c);
                $e
            }
        }
    )*};
}
changes! {
    Add32, W32, |o, b, c| o.wrapping_add(b), true;
    Add64, W64, |o, b, c| o.wrapping_add(b), true;
    AddF32, W32, |o, b, c| crate::numeric::float::canonical(f32::from_bits(o) + f32::from_bits(b)).to_bits();
    AddF64, W64, |o, b, c| add64(o, b);
    SharedAddF64, W64, |o, b, c| add64_shared(o, b);
    // In global memory, subnormal numbers are flushed.
    FlushAddF32, W32, |o, b, c| {
        let (o, b) = (crate::numeric::float::flush(f32::from_bits(o)), crate::numeric::float::flush(f32::from_bits(b)));
        crate::numeric::float::flush(crate::numeric::float::canonical(o + b)).to_bits()
    };
    Compare16, W16, |o, b, c| if o == b { c } else { o };
    AddF16, W16, |o, b, c| half(0, 0, o, b);
    MinF16, W16, |o, b, c| half(4, 0, o, b);
    MaxF16, W16, |o, b, c| half(5, 0, o, b);
    AddBf16, W16, |o, b, c| half(0, BRAIN, o, b);
    MinBf16, W16, |o, b, c| half(4, BRAIN, o, b);
    MaxBf16, W16, |o, b, c| half(5, BRAIN, o, b);
    MinF16x2, W32, |o, b, c| crate::numeric::half::half(4 << 8 | PAIR, o, b, 0);
    MaxF16x2, W32, |o, b, c| crate::numeric::half::half(5 << 8 | PAIR, o, b, 0);
    MinBf16x2, W32, |o, b, c| crate::numeric::half::half(4 << 8 | PAIR | BRAIN, o, b, 0);
    MaxBf16x2, W32, |o, b, c| crate::numeric::half::half(5 << 8 | PAIR | BRAIN, o, b, 0);
    AddF16x2, W32, |o, b, c| halves::<Float16>(o, b);
    AddBf16x2, W32, |o, b, c| halves::<Brain16>(o, b);
    MinU32, W32, |o, b, c| o.min(b);
    MaxU32, W32, |o, b, c| o.max(b);
    MinS32, W32, |o, b, c| (o as i32).min(b as i32) as u32;
    MaxS32, W32, |o, b, c| (o as i32).max(b as i32) as u32;
    MinU64, W64, |o, b, c| o.min(b);
    MaxU64, W64, |o, b, c| o.max(b);
    MinS64, W64, |o, b, c| (o as i64).min(b as i64) as u64;
    MaxS64, W64, |o, b, c| (o as i64).max(b as i64) as u64;
    And32, W32, |o, b, c| o & b;
    Or32, W32, |o, b, c| o | b;
    Xor32, W32, |o, b, c| o ^ b;
    Exchange32, W32, |o, b, c| b;
    Compare32, W32, |o, b, c| if o == b { c } else { o };
    And64, W64, |o, b, c| o & b;
    Or64, W64, |o, b, c| o | b;
    Xor64, W64, |o, b, c| o ^ b;
    Exchange64, W64, |o, b, c| b;
    Compare64, W64, |o, b, c| if o == b { c } else { o };
    IncrementU32, W32, |o, b, c| if o >= b { 0 } else { o + 1 };
    DecrementU32, W32, |o, b, c| if o == 0 || o > b { b } else { o - 1 };
}

/// What is no number stays as it is, the new operand first.
pub fn add64(old: u64, b: u64) -> u64 {
    match (f64::from_bits(old), f64::from_bits(b)) {
        (_, y) if y.is_nan() => b,
        (x, _) if x.is_nan() => old,
        (x, y) => (x + y).to_bits(),
    }
}

/// In shared memory, it comes out quiet, the old one first.
fn add64_shared(old: u64, b: u64) -> u64 {
    let (x, y) = (f64::from_bits(old), f64::from_bits(b));
    crate::numeric::float::second(x, crate::numeric::float::second(y, x + y)).to_bits()
}

fn half(operation: i64, format: i64, a: u16, b: u16) -> u16 {
    crate::numeric::half::half(operation << 8 | format, u32::from(a), u32::from(b), 0) as u16
}

fn halves<H: crate::numeric::float::Half<Lane = u32>>(a: u32, b: u32) -> u32 {
    let sum = |a: u32, b: u32| H::nearest(f64::from(H::get(a).to_f32()) + f64::from(H::get(b).to_f32())).put() & 0xffff;
    sum(a & 0xffff, b & 0xffff) | sum(a >> 16, b >> 16) << 16
}

unsafe fn change<W: Word, C: Change<W>, S: Window>(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`; what an address leads to is guarded.
    unsafe {
        let addresses = addresses_apart(warp, step);
        let size = size_of::<W::Bits>();
        let b = vector::<W::Lane>(warp, step.from[1]);
        let c = vector::<W::Lane>(warp, step.from[2]);
        let mut old = [W::Lane::default(); LANES];
        let mut left = warp.mask;
        while left != 0 {
            let lane = left.trailing_zeros() as usize & (LANES - 1);
            left &= left - 1;
            if addresses[lane] & (size - 1) as u64 != 0 {
                return Flow::Fault(Fault::Misaligned);
            }
            let at = match S::translate(warp, lane, addresses[lane], size) {
                Ok(at) => at,
                Err(fault) => return Flow::Fault(fault),
            };
            let (x, y) = (W::cut(b[lane]), W::cut(c[lane]));
            old[lane] = W::widen(if S::ALONE {
                W::update_alone(at, |word| C::apply(word, x, y))
            } else if C::ADDS {
                W::add(at, x)
            } else {
                W::update(at, |word| C::apply(word, x, y))
            });
        }
        if step.to[0] != u32::MAX {
            set_vector(warp, step.to[0], &old);
        }
    }
    Flow::Next
}

/// An addition at generic addresses, which is another one in shared memory. All of a warp lie in one space.
unsafe fn add_generic<W: Word, Inside: Change<W>, Outside: Change<W>>(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let around = &*warp.around;
        let first = addresses_apart(warp, step)[warp.mask.trailing_zeros() as usize & 31];
        if first.wrapping_sub(around.shared) < u64::from(around.shared_bytes) {
            change::<W, Inside, Plain>(warp, step)
        } else {
            change::<W, Outside, Plain>(warp, step)
        }
    }
}

/// The step of an atomic operation. `exact`: subnormal numbers are never flushed (`.noftz`).
pub fn atomic_of(operation: AtomicOperation, ty: Type, space: Space, exact: bool) -> Option<Execute> {
    macro_rules! place {
        ($w:ty, $c:ty) => {
            Some(match space {
                Space::Shared => change::<$w, $c, Shared> as Execute,
                Space::Local => change::<$w, $c, Local> as Execute,
                _ => change::<$w, $c, Plain> as Execute,
            })
        };
    }
    use AtomicOperation::*;
    use Type::*;
    match (operation, ty) {
        (Add, U32 | S32 | B32) => place!(W32, Add32),
        (Add, U64 | S64 | B64) => place!(W64, Add64),
        (Add, F32) if !exact && space == Space::Global => Some(change::<W32, FlushAddF32, Plain> as Execute),
        (Add, F32) if !exact && space == Space::Generic => Some(add_generic::<W32, AddF32, FlushAddF32> as Execute),
        (Add, F32) => place!(W32, AddF32),
        (Add, F64) if space == Space::Generic => Some(add_generic::<W64, SharedAddF64, AddF64> as Execute),
        (Add, F64) if space == Space::Shared => place!(W64, SharedAddF64),
        (Add, F64) => place!(W64, AddF64),
        (Add, F16x2) => place!(W32, AddF16x2),
        (Add, Bf16x2) => place!(W32, AddBf16x2),
        (Add, F16) => place!(W16, AddF16),
        (Min, F16) => place!(W16, MinF16),
        (Max, F16) => place!(W16, MaxF16),
        (Add, Bf16) => place!(W16, AddBf16),
        (Min, Bf16) => place!(W16, MinBf16),
        (Max, Bf16) => place!(W16, MaxBf16),
        (Min, F16x2) => place!(W32, MinF16x2),
        (Max, F16x2) => place!(W32, MaxF16x2),
        (Min, Bf16x2) => place!(W32, MinBf16x2),
        (Max, Bf16x2) => place!(W32, MaxBf16x2),
        (CompareExchange, B16 | U16 | S16) => place!(W16, Compare16),
        (Min, U32) => place!(W32, MinU32),
        (Max, U32) => place!(W32, MaxU32),
        (Min, S32) => place!(W32, MinS32),
        (Max, S32) => place!(W32, MaxS32),
        (Min, U64) => place!(W64, MinU64),
        (Max, U64) => place!(W64, MaxU64),
        (Min, S64) => place!(W64, MinS64),
        (Max, S64) => place!(W64, MaxS64),
        (And, B32 | U32 | S32) => place!(W32, And32),
        (Or, B32 | U32 | S32) => place!(W32, Or32),
        (Xor, B32 | U32 | S32) => place!(W32, Xor32),
        (Exchange, B32 | U32 | S32 | F32) => place!(W32, Exchange32),
        (CompareExchange, B32 | U32 | S32) => place!(W32, Compare32),
        (And, B64 | U64 | S64) => place!(W64, And64),
        (Or, B64 | U64 | S64) => place!(W64, Or64),
        (Xor, B64 | U64 | S64) => place!(W64, Xor64),
        (Exchange, B64 | U64 | S64 | F64) => place!(W64, Exchange64),
        (CompareExchange, B64 | U64 | S64) => place!(W64, Compare64),
        (Increment, U32) => place!(W32, IncrementU32),
        (Decrement, U32) => place!(W32, DecrementU32),
        _ => None,
    }
}

payload! {
    /// What the addresses of a vector are multiples of: vectors are aligned as a whole.
    pub struct Alignment {
        pub address: Address,
        /// A power of two.
        pub bytes: u32,
    }
}

/// Faults unless the addresses are aligned.
pub unsafe fn aligned(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let Alignment { address, bytes } = step.payload();
        let all = addresses_at(warp, step, address);
        let wrong = |lane: usize| warp.mask >> lane & 1 != 0 && all[lane] & u64::from(bytes - 1) != 0;
        if (0..LANES).any(wrong) { Flow::Fault(Fault::Misaligned) } else { Flow::Next }
    }
}
