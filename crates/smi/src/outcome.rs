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

/// Prints to a pipe that may be closed already, after which there is nothing more to do.
pub fn print(text: &str) -> bool {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_ok()
}
