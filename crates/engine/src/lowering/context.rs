//! What lowering a function needs to know of its module, and how a module is to be built.

use crate::state::bounds::LARGEST_ALIGNMENT;
use ptx::{Module, Variable};
use std::collections::HashMap;

/// Where the variables of a function are, in local memory: the offset of each, and bytes in all.
pub fn layout<'a, 'b: 'a>(variables: impl Iterator<Item = &'a Variable<'b>>) -> (Vec<u64>, u64) {
    let mut end = 0u64;
    let mut offsets = Vec::new();
    for variable in variables {
        let align = variable.align.clamp(1, LARGEST_ALIGNMENT) as u64;
        end = end.next_multiple_of(align);
        offsets.push(end);
        end += variable.size as u64;
    }
    (offsets, end)
}

/// What selecting instructions needs to know of the whole module.
pub struct Around<'m, 'a> {
    /// The module.
    pub module: &'m Module<'a>,
    /// Addresses of its variables, by name.
    pub addresses: &'m HashMap<String, u64>,
    /// Offsets of its shared variables.
    pub shared: HashMap<&'a str, u32>,
    /// Where the shared variables of each function begin.
    pub own_shared: HashMap<&'a str, u32>,
    /// Numbers of its functions; what is declared as another name of one has its number.
    pub functions: HashMap<&'a str, u32>,
    /// Numbers of functions as they are declared.
    pub declared: HashMap<&'a str, u32>,
    /// The largest alignment of a variable of a thread or of a block.
    pub alignment: u64,
    /// How it is to be built.
    pub wanted: BuildOptions,
}

/// How a module is to be built.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuildOptions {
    /// Accesses are probed before they are made.
    pub checked: bool,
    /// All accesses but those to local memory are, also those that can only be right.
    pub races: bool,
    /// Barriers and collective instructions are looked at, too.
    pub misuse: bool,
    /// An instruction that is not implemented refuses the module, not only the kernels that could come to it.
    pub strict: bool,
    /// Registers are to be as the text has them, for core dumps. Such functions are interpreted.
    pub plain: bool,
}
