//! The front: PTX text to typed functions. Nothing here executes.
//!
//! [`parse`] reads a module and checks each instruction against the table of [`forms`]. What it gives borrows from the text: instructions with their modifiers and operands,
//! registers with their types, variables with their initial contents, labels as positions. [`flow`] finds where paths of a
//! function reconverge, [`pressure`] how many registers it needs at once.

pub mod analysis;
mod bounds;
mod constant;
mod cursor;
mod declare;
mod diagnostic;
pub mod dominators;
pub mod flow;
pub mod forms;
pub mod inline;
pub mod instruction;
mod legacy;
pub mod lexer;
pub mod link;
mod location;
mod mistakes;
pub mod modifier;
pub mod module;
pub mod opcode;
mod operand;
mod parser;
pub mod pressure;
pub mod types;
mod words;

pub use diagnostic::{Diagnostic, ErrorKind, Position};
pub use instruction::{Instruction, Operand};
pub use link::{mistakes, parse};
pub use modifier::{AtomicOperation, Modifier};
pub use module::{Body, Function, Module, NEWEST, Variable};
pub use opcode::Opcode;
pub use types::{Space, Type};
