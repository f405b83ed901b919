//! `ptxas`, `nvcc` and `fatbinary`: one program, which is what it is called. Where there are no links, as in a wheel, a script says it
//! as the first argument.

mod fatbinary;
mod nvcc;
mod ptxas;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// What a script passes in front of the name.
const CALLED: &str = "--doppel-called=";

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().peekable();
    let path = PathBuf::from(arguments.next().unwrap_or_default());
    let said = arguments.peek().and_then(|word| word.to_str()?.strip_prefix(CALLED).map(str::to_owned));
    let name = match said {
        Some(name) => {
            arguments.next();
            name
        }
        None => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
    };
    let arguments: Vec<OsString> = arguments.collect();
    match name.as_str() {
        "ptxas" => ptxas::run(arguments),
        "nvcc" => nvcc::run(arguments),
        "fatbinary" => fatbinary::run(arguments),
        _ => {
            eprintln!("doppel: this program is ptxas, nvcc or fatbinary, and is called so, not {name:?}");
            ExitCode::FAILURE
        }
    }
}
