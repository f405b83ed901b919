//! The assembler for libraries that real ones run it inside of.

use crate::options::{Line, parse};
use crate::ptxas::{self, Input, Messages, OPTIONS};
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

/// What the file of a text is called in messages.
const NAME: &str = "application ptx input";

/// Options of a library for its assembler.
#[derive(Clone, Debug, Default)]
pub struct Assembler {
    /// `sm_90a`.
    pub architecture: String,
    /// What is not defined may come with other modules.
    pub relocatable: bool,
    /// Further options, as the program has given them.
    pub options: Vec<Vec<u8>>,
}

impl Assembler {
    /// Checks PTX: whether it is right, and what the assembler says.
    pub fn check(&self, text: &[u8]) -> (bool, String) {
        let mut messages = Messages::default();
        let fine = match self.line() {
            Ok(line) => {
                let input = Input { name: NAME.to_owned(), text: Some(text.to_vec()) };
                ptxas::assemble(&line, &[input], &mut messages).is_ok()
            }
            Err(complaint) => {
                messages.text = format!("ptxas fatal   : {complaint}\n");
                false
            }
        };
        (fine, in_library(&messages.text))
    }

    fn line(&self) -> Result<Line, String> {
        let mut arguments: Vec<OsString> = vec![format!("-arch={}", self.architecture).into()];
        if self.relocatable {
            arguments.push("-c".into());
        }
        arguments.extend(self.options.iter().map(|option| OsString::from_vec(option.clone())));
        parse(OPTIONS, arguments)
    }
}

/// Messages as a library has them: lines that go on name the program, too, and nothing follows a version that is too new.
fn in_library(text: &str) -> String {
    const ABORTED: &str = "ptxas fatal   : Ptx assembly aborted due to errors\n";
    let text = text.replace("\n    ", "\nptxas         .     ");
    if text.contains("; fatal   : Unsupported .version") { text.replace(ABORTED, "") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n";

    #[test]
    fn a_text_is_checked() {
        let assembler = Assembler { architecture: "sm_90".to_owned(), ..Assembler::default() };
        assert_eq!(assembler.check(TEXT), (true, String::new()));
        let (fine, said) =
            assembler.check(b".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { bogus; }\n");
        assert!(!fine && said.starts_with("ptxas application ptx input, line 4; "), "{said}");
        let wrong = Assembler { options: vec![b"--bogus".to_vec()], ..assembler.clone() };
        assert_eq!(wrong.check(TEXT), (false, "ptxas fatal   : Unknown option '-bogus'\n".to_owned()));
        let verbose = Assembler { options: vec![b"-v".to_vec()], ..assembler };
        assert!(verbose.check(TEXT).1.contains("Compiling entry function 'k' for 'sm_90'"));
    }
}
