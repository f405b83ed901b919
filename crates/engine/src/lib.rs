//! Runs kernels: an interpreter that executes an instruction for a whole warp at once.
//!
//! [`program`] turns a parsed module into steps: a step is a function and the places of its operands. A register is a
//! vector of 32 lanes in a frame; constants and special registers are vectors of the frame, too, filled in before.
//! [`warp`] runs steps under an active mask: where lanes part, the sides run one after the other, and they go on together
//! at the immediate post-dominator. [`block`] runs the warps of a block, which give way at barriers. [`launch`] hands
//! blocks out to the cores.

mod approximate;
mod arena;
mod arithmetic;
mod asynchronous;
mod atomic;
mod bits;
pub mod block;
mod call;
pub mod check;
mod cluster;
mod convert;
mod device_runtime;
mod fiber;
mod float;
mod general;
mod half;
mod lanes;
pub mod launch;
pub mod linear;
pub(crate) mod matrix;
mod mbarrier;
mod memory;
mod nested;
pub mod program;
mod room;
mod select;
pub mod services;
mod small_float;
mod stack;
pub mod step;
pub(crate) mod surface;
pub mod tensor;
#[cfg(test)]
pub(crate) mod tests;
pub mod texture;
mod video;
pub mod warp;
mod warp_wide;
mod wide;

/// Functions of the device's runtime library, in PTX.
pub const DEVICE_RUNTIME: &str = include_str!("device_runtime.ptx");
