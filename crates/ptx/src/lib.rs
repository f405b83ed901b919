//! The front: PTX text to typed functions. Nothing here executes.
//!
//! [`parse`] reads a module and checks each instruction against the table of [`forms`]. What it gives borrows from the text: instructions with their modifiers and operands,
//! registers with their types, variables with their initial contents, labels as positions. [`flow`] finds where paths of a
//! function reconverge, [`pressure`] how many registers it needs at once.

pub mod analysis;
mod constant;
mod declare;
pub mod dominators;
pub mod flow;
pub mod forms;
pub mod instruction;
mod legacy;
pub mod lexer;
pub mod link;
mod location;
pub mod modifier;
pub mod module;
pub mod opcode;
mod operand;
pub mod parser;
pub mod pressure;
pub mod types;
mod words;

pub use instruction::{Instruction, Operand};
pub use modifier::Modifier;
pub use module::{Body, Function, Module, Variable};
pub use opcode::Opcode;
pub use parser::parse;
pub use types::{Space, Type};

/// The newest version of the language that is understood.
pub const NEWEST: (u32, u32) = (9, 5);

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
