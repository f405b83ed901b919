//! What is wrong with a text, and where.

/// What is wrong with a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The text is not PTX.
    Syntax,
    /// It is, but does not fit together.
    Semantics,
    /// The `.version` is newer than [`NEWEST`].
    Version,
    /// An instruction or a form of one that is not implemented.
    Unsupported,
    /// Code for other devices.
    Target,
    /// It would need more memory than there is, or than any program does.
    OutOfMemory,
}

/// A message about a place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What kind of problem it is.
    pub kind: ErrorKind,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

impl Diagnostic {
    /// A message about a position.
    pub fn new(kind: ErrorKind, at: Position, message: impl Into<String>) -> Diagnostic {
        Diagnostic { kind, line: at.line, column: at.column, message: message.into() }
    }

    /// Whether nothing can be said of the rest of the text: the real assembler calls this fatal.
    pub fn is_fatal(&self) -> bool {
        !matches!(self.kind, ErrorKind::Semantics | ErrorKind::Target)
    }
}

impl core::fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

/// A place in the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
}
