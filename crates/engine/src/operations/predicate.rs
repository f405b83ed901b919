//! Steps that compute predicates and carries.

use crate::numeric::half;
use crate::numeric::value::LANES;
use crate::operations::elementwise::{Combination, combine};
use crate::state::payload::payload;
use crate::state::registers::{predicate, set_predicate, set_vector, vector};
use crate::state::step::Flow;
use crate::state::warp::{Step, Warp};

payload! {
    /// An operation on two predicates.
    pub enum LogicOperation {
        And,
        Or,
        Xor,
        Not,
        Move,
    }
}

payload! {
    /// Predicate logic.
    pub struct Logic {
        pub operation: LogicOperation,
        /// Which operands are negated before.
        pub negated: [bool; 2],
    }
}

/// Predicate logic, as the [`Logic`] of the step says.
pub unsafe fn logic(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let Logic { operation, negated } = step.payload();
        let flip = |n: usize| if negated[n] { u32::MAX } else { 0 };
        let a = predicate(warp, step.from[0]) ^ flip(0);
        let b = predicate(warp, step.from[1]) ^ flip(1);
        let d = match operation {
            LogicOperation::And => a & b,
            LogicOperation::Or => a | b,
            LogicOperation::Xor => a ^ b,
            LogicOperation::Not => !a,
            LogicOperation::Move => a,
        };
        set_predicate(warp, step.to[0], d);
    }
    Flow::Next
}

payload! {
    /// What the third operand of arithmetic with a carry is added to, or that there is none.
    pub enum Product {
        None,
        /// The lower half of the product of the first two.
        Low,
        /// The upper half.
        High,
    }
}

payload! {
    /// Arithmetic with a carry.
    pub struct Carry {
        /// Adds the carry.
        pub reads: bool,
        /// Sets it.
        pub writes: bool,
        pub subtracts: bool,
        /// Operands have 64 bits.
        pub wide: bool,
        pub signed: bool,
        pub product: Product,
    }
}

/// `add.cc` and its relatives, as the [`Carry`] of the step says.
pub unsafe fn carry(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let Carry { reads, writes, subtracts, wide, signed, product } = step.payload();
        let read = |warp: &Warp, at: u32| -> [u64; LANES] {
            if wide { vector::<u64>(warp, at) } else { vector::<u32>(warp, at).map(u64::from) }
        };
        let mut a = read(warp, step.from[0]);
        let mut b = read(warp, step.from[1]);
        let bits = if wide { 64 } else { 32 };
        let limit = if wide { u64::MAX } else { 0xffff_ffff };
        if product != Product::None {
            let c = read(warp, step.from[2]);
            for lane in 0..LANES {
                let full = if signed {
                    // Signed: only the high half differs.
                    let sign = |x: u64| if wide { i128::from(x as i64) } else { i128::from(x as u32 as i32) };
                    (sign(a[lane]) * sign(b[lane])) as u128
                } else {
                    u128::from(a[lane]) * u128::from(b[lane])
                };
                a[lane] = (if product == Product::Low { full } else { full >> bits }) as u64 & limit;
                b[lane] = c[lane];
            }
        }
        let flag = predicate(warp, step.from[3]);
        let (mut d, mut out) = ([0u64; LANES], 0u32);
        for lane in 0..LANES {
            let extra = if reads { u128::from(flag >> lane & 1) } else { 0 };
            let (sum, over) = if subtracts {
                // A difference adds the complement: the flag says that nothing was borrowed.
                let borrow = if reads { 1 - extra } else { 0 };
                let less = u128::from(b[lane]) + borrow;
                (u128::from(a[lane]).wrapping_sub(less), u128::from(a[lane]) >= less)
            } else {
                let sum = u128::from(a[lane]) + u128::from(b[lane]) + extra;
                (sum, sum > u128::from(limit))
            };
            d[lane] = sum as u64 & limit;
            out |= u32::from(over) << lane;
        }
        if wide {
            set_vector(warp, step.to[0], &d);
        } else {
            set_vector(warp, step.to[0], &d.map(|x| x as u32));
        }
        if writes {
            set_predicate(warp, step.from[3], out);
        }
    }
    Flow::Next
}

payload! {
    /// A comparison of 16-bit floating point numbers.
    pub struct HalfComparison {
        /// The format and what is done to the numbers, as `numeric::half` has it.
        pub how: i64,
        /// Its index in [`half::COMPARISONS`].
        pub comparison: u8,
        /// The result is combined with the third operand,
        pub combination: Combination,
        /// which is negated before.
        pub negated: bool,
    }
}

/// A comparison of 16-bit floating point numbers. The second result is for the upper numbers of pairs.
pub unsafe fn compare_halves(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let a = vector::<u32>(warp, step.from[0]);
        let b = vector::<u32>(warp, step.from[1]);
        let HalfComparison { how, comparison, combination, negated } = step.payload();
        let compare = |shift: u32| {
            let one = |lane: usize| {
                let (a, b) = ((a[lane] >> shift) as u16, (b[lane] >> shift) as u16);
                u32::from(half::compare(how, comparison.into(), a, b)) << lane
            };
            (0..LANES).map(one).fold(0, |all, bit| all | bit)
        };
        let (mut p, mut q) = (compare(0), compare(16));
        if combination != Combination::None {
            let c = predicate(warp, step.from[2]) ^ if negated { u32::MAX } else { 0 };
            (p, q) = (combine(combination, p, c), combine(combination, q, c));
        }
        set_predicate(warp, step.to[0], p);
        if step.to[1] != u32::MAX {
            set_predicate(warp, step.to[1], q);
        }
    }
    Flow::Next
}
