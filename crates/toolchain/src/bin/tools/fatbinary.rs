//! `fatbinary`

use std::ffi::OsString;
use std::io::{stderr, stdout};
use std::process::ExitCode;
use toolchain::fatbinary::{self, FAILURE, Request, request};
use toolchain::real;

/// Runs it.
pub fn run(arguments: Vec<OsString>) -> ExitCode {
    if real::is_wanted() {
        return real::run("fatbinary", &arguments);
    }
    let mut messages = String::new();
    let status = match request(&arguments, real::find("fatbinary").is_some()) {
        Ok(Request::Theirs) => return real::run("fatbinary", &arguments),
        Ok(Request::Ours(line)) => fatbinary::run(&line, &mut stdout().lock(), &mut messages),
        Err(text) => {
            messages = format!("fatbinary fatal   : {text}\n");
            FAILURE
        }
    };
    toolchain::print(stderr().lock(), &messages);
    ExitCode::from(status)
}
