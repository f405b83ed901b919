//! Bounds on what a text may ask of us, each with its reason.

/// Brackets in brackets: no program needs more, and our stack has an end.
pub const DEEPEST_BRACKETS: u32 = 64;
/// Blocks of statements in blocks: every name is looked for in all that are around it.
pub const DEEPEST_BLOCKS: u32 = 256;
/// Ways from one block to another that a function may have: tables of `brx.idx` can make many out of little text.
pub const MOST_EDGES: usize = 1 << 22;
/// Mistakes of a text that are listed: each takes more memory than the text that it is in.
pub const MOST_MISTAKES: usize = 10_000;
