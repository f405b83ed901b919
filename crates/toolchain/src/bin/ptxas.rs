//! `ptxas`

use std::io::{stderr, stdin, stdout};
use std::process::ExitCode;
use toolchain::ptxas::{Messages, run};

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    if toolchain::real::is_wanted() {
        return toolchain::real::run("ptxas", &arguments);
    }
    let mut messages = Messages::default();
    let status = run(arguments, &mut stdin().lock(), &mut stdout().lock(), &mut messages);
    toolchain::print(stderr().lock(), &messages.text);
    ExitCode::from(status)
}
