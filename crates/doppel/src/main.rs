//! `doppel`: runs programs on the CUDA libraries beside it, and shows what these are.

// Defines what the standard library unwinds with: libgcc_s is not linked.
extern crate unwinder as _;

mod arguments;
mod cli;
mod core;
mod doctor;
mod environment;
mod info;
mod library;
mod names;
#[cfg(test)]
mod pages;
mod replay;
mod run;
mod status;
mod summary;
mod sweep;
mod tolerance;
mod trace_file;
mod trace_json;
mod view;

use arguments::{Command, Problem};
use std::process::ExitCode;

/// What a wrong command line exits with.
const USAGE: u8 = 2;

/// What shells complete; `pages.rs` writes them.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", include_str!("../../../packaging/share/bash-completion/completions/doppel")),
    ("zsh", include_str!("../../../packaging/share/zsh/site-functions/_doppel")),
    ("fish", include_str!("../../../packaging/share/fish/vendor_completions.d/doppel.fish")),
];

fn main() -> ExitCode {
    // A pipe that nobody reads ends this program as it ends others.
    // SAFETY: no other thread runs, and no handler is replaced.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
    let result = match arguments::parse(std::env::args_os().skip(1).collect()) {
        Ok(Command::Run(launch)) => run::run(&launch),
        Ok(Command::Env(entry)) => environment::print(&entry),
        Ok(Command::Doctor { launch, json }) => doctor::doctor(&launch, json),
        Ok(Command::Info { variables, json }) => info::info(&variables, json),
        Ok(Command::Status(filter)) => status::status(&filter),
        Ok(Command::Summary { file, json }) => summary::show(&file, json),
        Ok(Command::View { file, page }) => view::write(&file, page.as_deref()),
        Ok(Command::Replay(query)) => replay::replay(&query),
        Ok(Command::Sweep(sweep)) => sweep::sweep(&sweep),
        Ok(Command::Completions(shell)) => completions(&shell),
        Ok(Command::Core(query)) => core::show(&query),
        Ok(Command::Smi(arguments)) => library::folder().map(|folder| smi::run(arguments, Some(&folder))),
        Err(Problem::Words(error)) => {
            let code = error.exit_code() as u8;
            error.print().map(|()| code).map_err(|why| Failure::output(&why))
        }
        Err(Problem::Value(text)) => Err(Failure { text, code: USAGE }),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            use std::io::Write;
            let _ = writeln!(std::io::stderr(), "doppel: {}", failure.text);
            ExitCode::from(failure.code)
        }
    }
}

/// Why nothing was done, and the exit status that says so.
struct Failure {
    text: String,
    code: u8,
}

impl Failure {
    fn new(text: impl Into<String>) -> Failure {
        Failure { text: text.into(), code: 1 }
    }

    /// A value that cannot be.
    fn value(text: impl Into<String>) -> Failure {
        Failure { text: text.into(), code: USAGE }
    }

    fn output(why: &std::io::Error) -> Failure {
        Failure::new(format!("cannot write: {why}"))
    }
}

fn completions(shell: &str) -> Result<u8, Failure> {
    print(COMPLETIONS.iter().find(|(name, _)| *name == shell).map_or("", |(_, text)| text))?;
    Ok(0)
}

/// Prints all of a text, or says why it cannot.
fn print(text: &str) -> Result<(), Failure> {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|why| Failure::output(&why))
}

/// Prints a value for programs.
fn print_json(value: &serde_json::Value) -> Result<(), Failure> {
    print(&format!("{value:#}\n"))
}
