//! What the assembler would say to PTX, which the real library runs where it makes machine code.

use engine::DEVICE_RUNTIME;
use engine::state::program::system;
use ptx::ErrorKind;

/// Why PTX cannot become machine code, as the end of the log: with a NUL of its own before that of the text, as the real
/// one has it. What we do not understand but may be right is left to the load.
pub fn complaint(text: &[u8], relocatable: bool) -> Option<Vec<u8>> {
    let text = str::from_utf8(text).ok()?;
    let lines = match ptx::parse(text) {
        Err(problem) if matches!(problem.kind, ErrorKind::Syntax | ErrorKind::Semantics) => {
            let kind = if problem.kind == ErrorKind::Syntax { "fatal  " } else { "error  " };
            format!(
                "ptxas application ptx input, line {}; {kind} : {}\nptxas fatal   : Ptx assembly aborted due to errors\n",
                problem.line, problem.message
            )
        }
        Ok(module) if !relocatable => {
            let provided = |name: &str| system(name).is_some() || DEVICE_RUNTIME.contains(name);
            let missing = *ptx::link::undefined(&module, provided).first()?;
            let what = if missing.function { "function" } else { "variable" };
            format!("ptxas fatal   : Unresolved extern {what} '{}'\n", missing.name)
        }
        _ => return None,
    };
    Some([lines.as_bytes(), b"\0\0"].concat())
}
