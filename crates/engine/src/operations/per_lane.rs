//! Steps of instructions that are too rare for an elementwise step of their own: one function of words of 64 bits, called lane by
//! lane.

use crate::numeric::value::LANES;
use crate::operations::elementwise::conjure;
use crate::state::registers::{set_vector, vector};
use crate::state::step::Flow;
use crate::state::warp::{Execute, Step, Warp};

/// In `number` of the step: the result has lanes of 64 bits. Bits 0 to 3 say so of the operands.
pub const WIDE_RESULT: u32 = 1 << 7;

unsafe fn body<F: Fn(i64, [u64; 4]) -> u64 + Copy>(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let f: F = conjure();
        let mut operands = [[0u64; LANES]; 4];
        for (n, operand) in operands.iter_mut().enumerate() {
            *operand = if step.number >> n & 1 != 0 {
                vector::<u64>(warp, step.from[n])
            } else {
                vector::<u32>(warp, step.from[n]).map(u64::from)
            };
        }
        let mut d = [0u64; LANES];
        for lane in 0..LANES {
            d[lane] = f(step.value, operands.map(|o| o[lane]));
        }
        if step.number & WIDE_RESULT != 0 {
            set_vector(warp, step.to[0], &d);
        } else {
            set_vector(warp, step.to[0], &d.map(|x| x as u32));
        }
    }
    Flow::Next
}

/// `d = f(value, operands)`, with the step's `value`.
pub fn per_lane<F: Fn(i64, [u64; 4]) -> u64 + Copy>(_: F) -> Execute {
    body::<F>
}
