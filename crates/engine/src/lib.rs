//! Runs kernels: an interpreter that executes an instruction for a whole warp at once.
//!
//! [`lowering`] turns a parsed module into steps: a step is a function and the places of its operands. A register is a
//! vector of 32 lanes in a frame; constants and special registers are vectors of the frame, too, filled in before.
//! [`running`] runs steps under an active mask: where lanes diverge, the sides run one after the other, and they reconverge
//! at the immediate post-dominator. A block runs its warps, which give way at barriers, and a launch hands blocks out to the
//! cores.
//!
//! The folders use each other in one order, from low to high: `numeric`, [`state`], [`operations`], [`lowering`], [`running`].
//! `tests/rooms.rs` of the root package holds them to it.

pub mod lowering;
mod numeric;
pub mod operations;
pub mod running;
pub mod state;
#[cfg(test)]
mod tests;

/// Functions of the device's runtime library, in PTX.
pub const DEVICE_RUNTIME: &str = include_str!("operations/device_runtime.ptx");
