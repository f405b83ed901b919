//! Instructions, form by form: kernels of one instruction, run over inputs at the edges of its types, against models that
//! share nothing with the interpreter.

use super::super::program::Program;
use std::collections::HashMap;

/// Loads a module. Its variables have addresses that nothing may touch.
pub fn load(text: &str) -> Result<Program, ptx::Diagnostic> {
    let module = ptx::parse(text)?;
    let addresses: HashMap<String, u64> =
        module.variables.iter().enumerate().map(|(n, v)| (v.name.to_owned(), 0x1000 * (n as u64 + 1))).collect();
    Program::build(&module, &addresses)
}

/// Loads all files that `PTX` names, apart by blanks.
#[test]
#[ignore = "takes files from the environment"]
fn files_load() {
    for name in std::env::var("PTX").unwrap().split_whitespace() {
        let text = std::fs::read_to_string(name).unwrap();
        match load(&text) {
            Ok(_) => println!("{name}: loads"),
            Err(problem) => println!("{name}: {problem}"),
        }
    }
}
