//! Instructions, form by form: kernels of one instruction, run over inputs at the edges of its types, against models that
//! share nothing with the interpreter.

use crate::state::program::Program;
use std::collections::HashMap;

/// Loads a module. Its variables have addresses that nothing may touch.
pub fn load(text: &str) -> Result<Program, ptx::Diagnostic> {
    let module = ptx::parse(text)?;
    let addresses: HashMap<String, u64> =
        module.variables.iter().enumerate().map(|(n, v)| (v.name.to_owned(), 0x1000 * (n as u64 + 1))).collect();
    Program::build(&module, &addresses)
}
