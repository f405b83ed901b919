//! Steps of instructions that are too rare for an elementwise step of their own: one function of words of 64 bits, called lane by
//! lane.

use crate::numeric::value::LANES;
use crate::operations::elementwise::conjure;
use crate::state::payload::payload;
use crate::state::registers::{set_vector, vector};
use crate::state::step::Flow;
use crate::state::warp::{Execute, Step, Warp};

payload! {
    /// A step that calls a function lane by lane.
    pub struct PerLane {
        /// A constant for the function, which alone knows what it means.
        pub how: i64,
        /// Which operands have lanes of 64 bits.
        pub wide: [bool; 4],
        /// The result has.
        pub wide_result: bool,
    }
}

unsafe fn body<F: Fn(i64, [u64; 4]) -> u64 + Copy>(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let f: F = conjure();
        let PerLane { how, wide, wide_result } = step.payload();
        let mut operands = [[0u64; LANES]; 4];
        for (n, operand) in operands.iter_mut().enumerate() {
            *operand = if wide[n] {
                vector::<u64>(warp, step.from[n])
            } else {
                vector::<u32>(warp, step.from[n]).map(u64::from)
            };
        }
        let mut d = [0u64; LANES];
        for lane in 0..LANES {
            d[lane] = f(how, operands.map(|o| o[lane]));
        }
        if wide_result {
            set_vector(warp, step.to[0], &d);
        } else {
            set_vector(warp, step.to[0], &d.map(|x| x as u32));
        }
    }
    Flow::Next
}

/// `d = f(how, operands)`.
pub fn per_lane<F: Fn(i64, [u64; 4]) -> u64 + Copy>(_: F) -> Execute {
    body::<F>
}
