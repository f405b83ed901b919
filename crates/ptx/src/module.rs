//! What a module consists of.

use crate::diagnostic::Position;
use crate::instruction::{Instruction, Register};
use crate::types::{Space, Type};

/// The newest version of the language that is understood.
pub const NEWEST: (u32, u32) = (9, 5);

/// A module.
#[derive(Clone, Debug, Default)]
pub struct Module<'a> {
    /// `.version`.
    pub version: (u32, u32),
    /// `.target`: the number after `sm_`.
    pub architecture: u32,
    /// Its suffix: `a` for one architecture alone, `f` for a family.
    pub suffix: Option<char>,
    /// `.address_size`, 32 if it is not said.
    pub address_size: u32,
    /// Where that was said.
    pub address_position: Position,
    /// Variables outside of functions.
    pub variables: Vec<Variable<'a>>,
    /// Functions, in the order of their first mention.
    pub functions: Vec<Function<'a>>,
    /// `.alias`: other names of functions.
    pub aliases: Vec<(&'a str, &'a str)>,
    /// Put together out of several.
    pub linked: bool,
}

/// Who sees a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Linkage {
    /// This module.
    #[default]
    Internal,
    /// Visible to all modules.
    Visible,
    /// Visible to all modules; gives way to another definition of the name.
    Weak,
    /// Visible to all modules; all of the name are one.
    Common,
    /// Defined elsewhere.
    Extern,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable<'a> {
    /// Its name.
    pub name: &'a str,
    /// Where it lives.
    pub space: Space,
    /// Type of an element.
    pub ty: Type,
    /// Alignment in bytes.
    pub align: usize,
    /// Bytes; 0 for an array whose size another module decides.
    pub size: usize,
    /// Contents, in order; what is left is zero.
    pub initial: Vec<Initial<'a>>,
    /// Who sees it.
    pub linkage: Linkage,
    /// `.attribute(.managed)`.
    pub managed: bool,
    /// Where it is declared.
    pub position: Position,
}

/// A piece of initial contents.
#[derive(Clone, Debug, PartialEq)]
pub enum Initial<'a> {
    /// Bytes.
    Bytes(Vec<u8>),
    /// So many bytes that are zero, between others.
    Zeros(usize),
    /// The address of something, `size` bytes of it from bit `shift` on.
    Address { symbol: &'a str, offset: i64, size: usize, shift: u32 },
}

/// A function or a kernel.
#[derive(Clone, Debug, Default)]
pub struct Function<'a> {
    /// Its name.
    pub name: &'a str,
    /// A kernel.
    pub entry: bool,
    /// Who sees it.
    pub linkage: Linkage,
    /// Results: variables of the body, by number.
    pub returns: Vec<Variable<'a>>,
    /// Parameters.
    pub parameters: Vec<Variable<'a>>,
    /// `.maxntid`.
    pub most_threads: Option<[u32; 3]>,
    /// `.reqntid`.
    pub required_threads: Option<[u32; 3]>,
    /// `.reqnctapercluster`.
    pub required_cluster: Option<[u32; 3]>,
    /// `.explicitcluster`: each launch says what its clusters are.
    pub explicit_cluster: bool,
    /// `.maxclusterrank`.
    pub most_cluster: Option<u32>,
    /// `.blocksareclusters`: launches count clusters.
    pub blocks_are_clusters: bool,
    /// `.maxnreg`.
    pub most_registers: Option<u32>,
    /// What it does; none for a declaration.
    pub body: Option<Body<'a>>,
    /// Where it stands.
    pub position: Position,
}

/// The inside of a function. Results and parameters are its first variables.
#[derive(Clone, Debug, Default)]
pub struct Body<'a> {
    /// Types of the registers. One of 128 bits has its upper half behind it.
    pub registers: Vec<Type>,
    /// Their names in the text, in the order of their first use.
    pub names: Vec<(Register, &'a str)>,
    /// Variables of the function and of its blocks.
    pub variables: Vec<Variable<'a>>,
    /// The code.
    pub instructions: Vec<Instruction<'a>>,
    /// Lists of labels for `brx.idx`, by name.
    pub targets: Vec<(&'a str, Vec<usize>)>,
    /// Prototypes for indirect calls, by name.
    pub prototypes: Vec<Function<'a>>,
    /// Where the code comes from, in its order.
    pub sources: Vec<SourceLine<'a>>,
}

/// `.loc`: instructions from this one on, up to the next, come from a line of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceLine<'a> {
    /// The first instruction, by number.
    pub instruction: u32,
    /// The file, by number in its own text, and its name; empty if nothing names it.
    pub number: u64,
    pub file: &'a str,
    /// The line.
    pub line: u32,
}

impl<'a> Module<'a> {
    /// The function with a name.
    pub fn function(&self, name: &str) -> Option<&Function<'a>> {
        self.functions.iter().find(|f| f.name == name)
    }
}
