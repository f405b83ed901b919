//! `fatbinary`

use std::io::{stderr, stdout};
use std::process::ExitCode;
use toolchain::fatbinary::{FAILURE, Request, request, run};
use toolchain::real;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    if real::is_wanted() {
        return real::run("fatbinary", &arguments);
    }
    let mut messages = String::new();
    let status = match request(&arguments, real::find("fatbinary").is_some()) {
        Ok(Request::Theirs) => return real::run("fatbinary", &arguments),
        Ok(Request::Ours(line)) => run(&line, &mut stdout().lock(), &mut messages),
        Err(text) => {
            messages = format!("fatbinary fatal   : {text}\n");
            FAILURE
        }
    };
    toolchain::print(stderr().lock(), &messages);
    ExitCode::from(status)
}
