//! `doppel`: runs programs on the CUDA libraries beside it, and shows what these are.

mod arguments;
mod environment;
mod info;
mod library;
mod run;
mod status;
mod summary;

use arguments::Command;
use std::process::ExitCode;

/// What a wrong command line exits with.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let result = match arguments::parse(std::env::args_os().skip(1).collect()) {
        Ok(Command::Help(text)) => {
            print(&text);
            return ExitCode::SUCCESS;
        }
        Ok(Command::Run(launch)) => run::run(&launch),
        Ok(Command::Env(entry)) => environment::print(&entry),
        Ok(Command::Info(variables)) => info::info(&variables),
        Ok(Command::Status(filter)) => status::status(&filter),
        Ok(Command::Summary(file)) => summary::show(&file),
        Ok(Command::Smi(arguments)) => library::folder().map(|folder| smi::run(arguments, Some(&folder))),
        Err(problem) => Err(Failure { text: problem, code: USAGE }),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            eprintln!("doppel: {}", failure.text);
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
}

/// Prints to a pipe that may be closed already.
fn print(text: &str) {
    use std::io::Write;
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}
