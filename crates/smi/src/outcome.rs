//! What is printed, and what the tool exits with.

use std::io::Write;

/// Why nothing, or nothing but this text, is shown.
#[derive(Debug, PartialEq, Eq)]
pub struct Outcome {
    pub text: String,
    pub status: u8,
}

impl Outcome {
    pub fn new(text: impl Into<String>, status: u8) -> Outcome {
        Outcome { text: text.into(), status }
    }
}

/// The exit status for a wrong command line.
pub const WRONG: u8 = 2;

/// The exit status where the output cannot be written.
const LOST: u8 = 1;

/// Prints. If it fails there is nothing more to print; a pipe that nobody reads any more is no mistake.
pub fn print(text: &str) -> Result<(), Outcome> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|why| unwritten("", &why))
}

/// What is said of output that `to` does not take.
pub fn unwritten(to: &str, why: &std::io::Error) -> Outcome {
    if why.kind() == std::io::ErrorKind::BrokenPipe {
        return Outcome::new("", 0);
    }
    let _ = writeln!(std::io::stderr(), "nvidia-smi: cannot write{to}: {why}");
    Outcome::new("", LOST)
}
