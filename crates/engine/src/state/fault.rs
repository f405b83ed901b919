//! How a kernel goes wrong.

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
    /// The user asked for a core dump.
    Interrupted,
}

/// How a kernel went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What happened.
    pub fault: Fault,
    /// The line of the instruction in the text.
    pub line: u32,
}
