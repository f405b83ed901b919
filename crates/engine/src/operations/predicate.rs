//! Steps that compute predicates and carries.

use crate::numeric::value::LANES;
use crate::state::registers::{predicate, set_predicate, set_vector, vector};
use crate::state::step::Flow;
use crate::state::warp::{Step, Warp};

/// Predicate logic: `number` is the operation (0 and, 1 or, 2 xor, 3 not, 4 move); `value` bits 0 and 1 negate.
pub unsafe fn logic(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let flip = |bit: i64| if step.value & bit != 0 { u32::MAX } else { 0 };
        let a = predicate(warp, step.from[0]) ^ flip(1);
        let b = predicate(warp, step.from[1]) ^ flip(2);
        let d = match step.number {
            0 => a & b,
            1 => a | b,
            2 => a ^ b,
            3 => !a,
            _ => a,
        };
        set_predicate(warp, step.to[0], d);
    }
    Flow::Next
}

/// `add.cc` and its relatives. `number`: bit 0 reads the carry, bit 1 writes it, bit 2 subtracts, bit 3 has 64 bits;
/// bits 4 and 5: 1 the product of two operands (low half), 2 its high half, is added to the third.
pub unsafe fn carry(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let wide = step.number & 8 != 0;
        let read = |warp: &Warp, at: u32| -> [u64; LANES] {
            if wide { vector::<u64>(warp, at) } else { vector::<u32>(warp, at).map(u64::from) }
        };
        let mut a = read(warp, step.from[0]);
        let mut b = read(warp, step.from[1]);
        let bits = if wide { 64 } else { 32 };
        let limit = if wide { u64::MAX } else { 0xffff_ffff };
        let product = step.number >> 4 & 3;
        if product != 0 {
            let c = read(warp, step.from[2]);
            for lane in 0..LANES {
                let full = if step.value != 0 {
                    // Signed: only the high half differs.
                    let sign = |x: u64| if wide { i128::from(x as i64) } else { i128::from(x as u32 as i32) };
                    (sign(a[lane]) * sign(b[lane])) as u128
                } else {
                    u128::from(a[lane]) * u128::from(b[lane])
                };
                a[lane] = (if product == 1 { full } else { full >> bits }) as u64 & limit;
                b[lane] = c[lane];
            }
        }
        let flag = predicate(warp, step.from[3]);
        let (mut d, mut out) = ([0u64; LANES], 0u32);
        for lane in 0..LANES {
            let extra = if step.number & 1 != 0 { u128::from(flag >> lane & 1) } else { 0 };
            let (sum, over) = if step.number & 4 != 0 {
                // A difference adds the complement: the flag says that nothing was borrowed.
                let borrow = if step.number & 1 != 0 { 1 - extra } else { 0 };
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
        if step.number & 2 != 0 {
            set_predicate(warp, step.from[3], out);
        }
    }
    Flow::Next
}

/// A comparison of 16-bit floating point numbers. `value`: the format, the comparison from bit 8 on, the combination with the
/// third operand from bit 16 on, which `number` negates. The second result is for the upper numbers of pairs.
pub unsafe fn compare_halves(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let a = vector::<u32>(warp, step.from[0]);
        let b = vector::<u32>(warp, step.from[1]);
        let (how, comparison) = (step.value & 0xff, step.value >> 8 & 15);
        let compare = |shift: u32| {
            let one = |lane: usize| {
                let (a, b) = ((a[lane] >> shift) as u16, (b[lane] >> shift) as u16);
                u32::from(crate::numeric::half::compare(how, comparison, a, b)) << lane
            };
            (0..LANES).map(one).fold(0, |all, bit| all | bit)
        };
        let (mut p, mut q) = (compare(0), compare(16));
        let combination = step.value >> 16 & 3;
        if combination != 0 {
            let c = predicate(warp, step.from[2]) ^ if step.number != 0 { u32::MAX } else { 0 };
            let combine = |x: u32| match combination {
                1 => x & c,
                2 => x | c,
                _ => x ^ c,
            };
            (p, q) = (combine(p), combine(q));
        }
        set_predicate(warp, step.to[0], p);
        if step.to[1] != u32::MAX {
            set_predicate(warp, step.to[1], q);
        }
    }
    Flow::Next
}
