//! What can be said about a function without running it.
//!
//! [`effect`] says which registers an instruction reads and writes, and whether it does nothing else. [`ssa`] tells the
//! values apart that a register holds. [`region`] finds the blocks that lanes of a warp may be in at different times
//! after a branch that parts them. [`class`] says how a value differs between the lanes of a warp and between blocks.
//! [`affine`] finds the registers that one number can stand for. The control flow itself is [`super::flow`].

pub mod affine;
pub mod class;
pub mod effect;
pub mod fuse;
mod marks;
pub mod region;
pub mod sets;
pub mod ssa;

#[cfg(test)]
mod tests;
