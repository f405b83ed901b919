//! Compiles the steps of a kernel to x86-64 code with vectors of 512 or 256 bits.
//!
//! A [`unit::Unit`] is what the interpreter executes, step by step, with the operation of each. [`values`] finds the registers
//! that one number stands for, [`flow`] what is live where, [`allocate`] gives registers their homes, and [`lower`] makes the
//! code; where the machine has AVX2 alone, the pass in `avx2` changes its instructions. A step without native code is a call of the interpreter's own step on the same frame, so that every kernel can be
//! compiled.

mod aligned;
mod allocate;
mod assembler;
mod avx2;
mod bitwise;
mod encode;
mod flow;
mod halves;
mod lower;
pub mod map;
mod memory;
pub mod operation;
pub mod scaled;
mod stays;
mod symbols;
#[cfg(test)]
mod tests;
pub mod unit;
mod values;

pub use assembler::Level;
pub use lower::Refusal;
pub use memory::{Code, Left, Number, waiting};

use flow::{Flow, TooLarge};
use unit::{Layout, Unit};
use values::Values;

/// The most that code with vectors can use of this machine; none if it has too little.
pub fn level() -> Option<Level> {
    let avx2 = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("f16c")
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
        (true, true) => Some(Level::Avx512),
        (true, false) => Some(Level::Avx2),
        _ => None,
    }
}

/// Compiles a kernel.
pub fn compile(mut unit: Unit, layout: &Layout, level: Level) -> Result<Code, Refusal> {
    /// Steps: larger kernels are interpreted.
    const MOST_STEPS: usize = 60_000;
    if unit.steps.is_empty() || unit.steps.len() > MOST_STEPS {
        return Err(Refusal::TooLarge);
    }
    let mut values = Values::new(&unit);
    let mut flow = Flow::new(&unit).map_err(|TooLarge| Refusal::TooLarge)?;
    if !unit.apart {
        scaled::mark(&mut unit, &flow, &values);
        if level == Level::Avx512 {
            bitwise::fuse(&mut unit, &flow, &values);
        }
    }
    let unit = &unit;
    flow.settle(unit, &values).map_err(|TooLarge| Refusal::TooLarge)?;
    values.find_halves(unit, &flow);
    if lower::chains(unit, layout) {
        flow.keep(stays::find(unit, &flow, &values, lower::general(level)));
    }
    let lowered = lower::lower(unit, &flow, &values, layout, level)?;
    Code::place(lowered, values.numbers(unit))
}
