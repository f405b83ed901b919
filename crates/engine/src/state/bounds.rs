//! Bounds on what a kernel may ask of us, each with its unit and its reason.

/// Launches from kernels that lie in each other; from the manual.
pub const DEEPEST_NESTING: u32 = 24;
/// Launches from one grid that have not ended: each takes memory of the host.
pub const MOST_NESTED_LAUNCHES: usize = 1 << 20;
/// Calls of functions in each other: deeper than any stack limit lets a real thread go.
pub const DEEPEST_CALLS: usize = 4096;
/// Variables with a larger alignment, in bytes, are aligned to this: a text may ask for any power of two.
pub const LARGEST_ALIGNMENT: usize = 1 << 16;
