//! Compiles the steps of a kernel to x86-64 code with vectors of 512 bits.
//!
//! A [`unit::Unit`] is what the interpreter executes, step by step, with the operation of each. [`values`] finds the registers
//! that one number stands for, [`flow`] what is live where, [`allocate`] gives registers their homes, and [`lower`] makes the
//! code. A step without native code is a call of the interpreter's own step on the same frame, so that every kernel can be
//! compiled.

mod allocate;
mod assembler;
mod flow;
mod lower;
mod memory;
pub mod operation;
#[cfg(test)]
mod tests;
pub mod unit;
mod values;

pub use lower::Refusal;
pub use memory::{Code, Left, Number};

use flow::{Flow, TooLarge};
use unit::{Layout, Unit};
use values::Values;

/// True when this machine has the instructions that compiled code uses.
pub fn is_supported() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512cd")
}

/// Compiles a kernel.
pub fn compile(unit: &Unit, layout: &Layout) -> Result<Code, Refusal> {
    /// Steps: larger kernels are interpreted.
    const MOST_STEPS: usize = 60_000;
    if unit.steps.is_empty() || unit.steps.len() > MOST_STEPS {
        return Err(Refusal::TooLarge);
    }
    let values = Values::new(unit);
    let mut flow = Flow::new(unit).map_err(|TooLarge| Refusal::TooLarge)?;
    flow.settle(unit, &values).map_err(|TooLarge| Refusal::TooLarge)?;
    let lowered = lower::lower(unit, &flow, &values, layout)?;
    Code::place(lowered, values.numbers(unit))
}
