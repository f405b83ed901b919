//! What an access does.

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    Read,
    Write,
    /// Reads and writes, undivided.
    Atomic,
}
