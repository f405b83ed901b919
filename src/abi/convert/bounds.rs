//! Bounds on what a program may pass: lengths and counts, each with its unit and its reason.

use core::ffi::c_uint;

/// Bytes of the longest name of a kernel or a variable, with its NUL: one without an end is refused.
pub const LONGEST_NAME: usize = 1 << 16;
/// Bytes of the longest name that `cuGetProcAddress` looks for, with its NUL: no function's comes near.
pub const LONGEST_FUNCTION_NAME: usize = 4096;
/// Bytes of the longest path, with its NUL: that of the system (`PATH_MAX`).
pub const LONGEST_PATH: usize = 4096;
/// Memory operations of one `cuStreamBatchMemOp`; from the manual.
pub const MOST_BATCHED_OPERATIONS: c_uint = 255;
/// References to a user object that one call can add or drop: those that the manual's `INT_MAX` allows.
pub const MOST_REFERENCES: c_uint = i32::MAX as c_uint;
