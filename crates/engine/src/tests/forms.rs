//! Instructions, form by form: kernels of one instruction, run over inputs at the edges of its types, against models that
//! share nothing with the interpreter.

use crate::state::warp::Program;
use std::collections::HashMap;

/// Loads a module. Its variables have addresses that nothing may touch.
pub fn load(text: &str) -> Result<Program, ptx::Diagnostic> {
    let module = ptx::parse(text)?;
    let addresses: HashMap<String, u64> =
        module.variables.iter().enumerate().map(|(n, v)| (v.name.to_owned(), 0x1000 * (n as u64 + 1))).collect();
    Program::build(&module, &addresses)
}

/// What is known and not run is refused when a module is loaded, with the instruction.
#[test]
fn missing_forms_are_refused() {
    let line = "tensormap.replace.tile.swizzle_atomicity.global.b1024.b32 [%rd1], 1;";
    let module = format!(
        ".version 9.5\n.target sm_100a\n.address_size 64\n.visible .entry k() {{ .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n{line}\nret; }}"
    );
    let problem = load(&module).err().map(|p| p.message).unwrap_or_default();
    let name = line.split(' ').next().unwrap_or("");
    assert!(problem.contains(name) && problem.contains("not supported"), "{line} {problem}");
}
