//! Instructions to steps, one file a group of instructions: `select` has what they share, `function` the list of opcodes, and
//! [`program`] prepares modules.

mod access;
mod affine;
mod arithmetic;
mod asynchronous;
mod bits128;
mod check;
mod collective;
pub mod context;
mod control;
mod function;
mod matrix;
mod multimem;
mod native;
mod operand;
mod packed;
mod per_lane;
pub mod program;
mod select;
mod stack;
mod texture;
