//! Steps: what the interpreter executes.

use crate::state::warp::Warp;

/// What a step does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Goes on with the next step.
    Next,
    /// The step has set the position itself.
    Jump,
    /// Other warps get their turn; the position is set.
    Yield,
    /// Waits at a barrier; the position is behind it.
    Barrier,
    /// Lanes wait for others of their warp; the position is that of what goes on.
    Held,
    /// No lanes are left that could go on.
    Done,
    /// An error ends the kernel.
    Fault(Fault),
}

/// How a kernel can go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No memory there, or outside of the window of shared or local memory.
    IllegalAddress,
    /// An address that is no multiple of the size of the access.
    Misaligned,
    /// `trap`.
    Trap,
    /// Operands that the instruction does not take.
    IllegalInstruction,
    /// A device-side assertion.
    Assert,
    /// The stack of a thread is used up.
    StackOverflow,
    /// An indirect call or branch to nowhere.
    IllegalTarget,
    /// No memory for its shared and local variables.
    OutOfMemory,
    /// It runs for longer than it may.
    TimedOut,
}

/// How a kernel went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What happened.
    pub fault: Fault,
    /// The line of the instruction in the text.
    pub line: u32,
}

/// Executes a step.
///
/// # Safety
/// The warp's frame is laid out as the program says that the step belongs to. Memory accesses run inside of
/// [`guard::run`].
pub type Execute = unsafe fn(&mut Warp, &Step) -> Flow;

/// A guard of a step that has none.
pub const UNGUARDED: u32 = u32::MAX;

/// An instruction, prepared: one line of the cache.
#[derive(Clone)]
#[repr(C, align(64))]
pub struct Step {
    /// What to do.
    pub execute: Execute,
    /// Byte offset of the guard's predicate in the frame, bit 0 set if it is negated; or [`UNGUARDED`].
    pub guard: u32,
    /// Byte offsets of the results.
    pub to: [u32; 4],
    /// Byte offsets of the operands.
    pub from: [u32; 5],
    /// A constant: the offset of an address, a lookup table, a mode.
    pub value: i64,
    /// A position, an index into a table of the function, or flags: the function that `execute` is says which.
    pub number: u32,
    /// Where lanes that diverge here reconverge; of a marked access (`state::affine`) the stride of its address.
    pub reconverge: u32,
}

const _: () = assert!(size_of::<Step>() == 64);
