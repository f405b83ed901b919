//! `ptxas`

use std::ffi::OsString;
use std::io::{stderr, stdin, stdout};
use std::process::ExitCode;
use toolchain::ptxas::{self, Messages};

/// Runs it.
pub fn run(arguments: Vec<OsString>) -> ExitCode {
    if toolchain::real::is_wanted() {
        return toolchain::real::run("ptxas", &arguments);
    }
    let mut messages = Messages::default();
    let status = ptxas::run(arguments, &mut stdin().lock(), &mut stdout().lock(), &mut messages);
    toolchain::print(stderr().lock(), &messages.text);
    ExitCode::from(status)
}
