//! What the doc comment of every entry point has to say, and in which order: one sentence that says what it does, further
//! paragraphs if there is more to know, each parameter once, the errors, the section of NVIDIA's manual.
//!
//! ```text
//! /// Allocates linear memory on the device of the current context.
//! ///
//! /// - `dptr`: receives the address, a multiple of 256.
//! /// - `bytesize`: size in bytes, at least 1.
//! ///
//! /// Errors: `CUDA_ERROR_INVALID_VALUE` if `dptr` is NULL or `bytesize` is 0.
//! ///
//! /// Manual: Memory Management.
//! ```
//! What is said of a parameter ends with a full stop, and no error stands without the case in which it comes.
//!
//! A function that has no errors of its own says `Errors: none.`; one without body says what [`NOT_IMPLEMENTED`] is, instead of
//! errors; one that the manual does not have says `Manual: none, ` and why.

use crate::{Api, Function, Kind};
use std::collections::BTreeSet;
use syn::ext::IdentExt;
use syn::{FnArg, Pat};

/// The errors of a function without body.
pub const NOT_IMPLEMENTED: &str = "Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.";

/// Sections of the manual. What it marks as deprecated is `(deprecated)` here.
const SECTIONS: &[&str] = &[
    "Context Management",
    "Context Management (deprecated)",
    "Coredump Attributes Control API",
    "CUDA Checkpointing",
    "Device Management",
    "Device Management (deprecated)",
    "Driver Entry Point Access",
    "EGL Interoperability",
    "Error Handling",
    "Error Log Management Functions",
    "Event Management",
    "Execution Control",
    "Execution Control (deprecated)",
    "External Resource Interoperability",
    "Graph Management",
    "Graphics Interoperability",
    "Green Contexts",
    "Initialization",
    "Library Management",
    "Logical Endpoint",
    "Memory Management",
    "Module Management",
    "Module Management (deprecated)",
    "Multicast Object Management",
    "Occupancy",
    "OpenGL Interoperability",
    "OpenGL Interoperability (deprecated)",
    "Peer Context Memory Access",
    "Primary Context Management",
    "Profiler Control",
    "Profiler Control (deprecated)",
    "Stream Management",
    "Stream Memory Operations",
    "Stream Ordered Memory Allocator",
    "Surface Object Management",
    "Surface Reference Management (deprecated)",
    "Tensor Map Object Management",
    "Texture Object Management",
    "Texture Reference Management (deprecated)",
    "Unified Addressing",
    "VDPAU Interoperability",
    "Version Management",
    "Virtual Memory Management",
];

impl Function {
    /// The names of the parameters.
    pub fn parameters(&self) -> Vec<String> {
        let name = |arg: &FnArg| match arg {
            FnArg::Typed(arg) => match &*arg.pat {
                Pat::Ident(pat) => Some(pat.ident.unraw().to_string()),
                _ => None,
            },
            FnArg::Receiver(_) => None,
        };
        self.sig.inputs.iter().filter_map(name).collect()
    }
}

/// The parameter that a line of a doc comment begins to describe, and what it says about it.
pub fn parameter(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("- `")?.split_once("`: ")
}

/// The parameters that a comment describes, and what it says about each, on however many lines.
fn described(lines: &[String]) -> Vec<(&str, String)> {
    let mut all: Vec<(&str, String)> = Vec::new();
    let mut within = false;
    for line in lines {
        if let Some((name, said)) = parameter(line) {
            all.push((name, said.to_string()));
            within = true;
        } else if let Some((_, said)) = all.last_mut().filter(|_| within && line.starts_with("  ")) {
            said.push(' ');
            said.push_str(line.trim());
        } else {
            within = false;
        }
    }
    all
}

/// The first of the errors that stand without the case in which they come.
fn without_case(errors: &str) -> Option<&str> {
    errors.split(';').find(|clause| {
        let said = clause.split('`').enumerate().filter(|(at, _)| at % 2 == 0).map(|(_, text)| text);
        clause.contains("`CUDA_ERROR_") && !said.flat_map(str::chars).any(char::is_alphabetic)
    })
}

/// Paragraphs, without the lines that describe parameters.
fn paragraphs(lines: &[String]) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    let mut within_parameter = false;
    for line in lines {
        within_parameter = parameter(line).is_some() || (within_parameter && line.starts_with("  "));
        let last = paragraphs.last_mut().expect("never empty");
        if line.is_empty() || within_parameter {
            paragraphs.push(String::new());
        } else {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(line.trim());
        }
    }
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    paragraphs
}

/// What is wrong with the comment of one function.
fn faults(function: &Function, codes: &BTreeSet<&str>) -> Vec<String> {
    let lines = &function.docs;
    let mut faults = Vec::new();
    let paragraphs = paragraphs(lines);
    let first: Vec<&String> = lines.iter().take_while(|line| !line.is_empty()).collect();
    match paragraphs.first() {
        Some(text)
            if text.ends_with('.') && !text.contains(". ") && first.iter().all(|line| parameter(line).is_none()) => {}
        _ => faults.push("begins with one sentence and an empty line".to_string()),
    }
    let named: Vec<&str> = lines.iter().filter_map(|line| Some(parameter(line)?.0)).collect();
    if named != function.parameters() {
        faults.push(format!("names each parameter once, in order: has {named:?}, wants {:?}", function.parameters()));
    }
    for (name, said) in described(lines) {
        if !said.ends_with('.') || !said.contains(char::is_alphanumeric) {
            faults.push(format!("describes `{name}` in whole words, with a full stop at the end"));
        }
    }
    let errors = |text: &str| text.starts_with("Errors: ") && text.ends_with('.');
    match paragraphs.iter().rev().nth(1) {
        Some(text) if errors(text) && function.implemented => {}
        Some(text) if text == NOT_IMPLEMENTED && !function.implemented => {
            if function.keys.status.is_none() {
                faults.push("has no body: `status = \"...\"` says why".to_string());
            }
        }
        _ if function.implemented => {
            faults.push("has `Errors: ...` (or `Errors: none.`) as the last paragraph but one".to_string());
        }
        _ => faults.push(format!("has no body: the last paragraph but one is \"{NOT_IMPLEMENTED}\"")),
    }
    if let Some(clause) = paragraphs.iter().find_map(|text| without_case(text.strip_prefix("Errors: ")?)) {
        faults.push(format!("says when{} comes", clause.trim_end_matches('.')));
    }
    let manual = paragraphs.last().and_then(|text| text.strip_prefix("Manual: ")?.strip_suffix('.'));
    match manual {
        Some(section) if SECTIONS.contains(&section) || section.starts_with("none, ") => {}
        Some(section) => {
            faults.push(format!("names the section \"{section}\", which SECTIONS in declarations does not have"))
        }
        None => faults.push("has `Manual: ...` as the last paragraph".to_string()),
    }
    for word in lines.iter().flat_map(|line| line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))) {
        if word.starts_with("CUDA_ERROR_") && !codes.contains(word) {
            faults.push(format!("names {word}, which is no error"));
        }
    }
    faults
}

/// What is wrong with the comments of all entry points, one line each.
pub fn check(api: &Api) -> Vec<String> {
    let codes = api.types.iter().filter_map(|decl| match &decl.kind {
        Kind::Enum { enumerators, .. } if decl.name == "CUresult" => Some(enumerators),
        _ => None,
    });
    let codes = codes.flatten().map(|(name, _)| name.as_str()).collect();
    let mut all = Vec::new();
    for function in &api.functions {
        for fault in faults(function, &codes) {
            all.push(format!("src/abi/{}.rs: the comment of {} {fault}", function.file, function.name));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = "
        /// Does it.
        ///
        /// More about it. And more.
        ///
        /// - `a`: a number
        ///   of bytes.
        /// - `b`: receives the result.
        ///
        /// Errors: `CUDA_ERROR_INVALID_VALUE` if `b` is NULL.
        ///
        /// Manual: Memory Management.
        #[entry(since = 2000)]
        pub fn f(a: usize, b: Out<usize>) -> Result<()> {}";

    fn faults_of(source: &str) -> Vec<String> {
        let mut api = Api::default();
        crate::functions(&mut api, "test", &syn::parse_file(source).unwrap()).unwrap();
        faults(&api.functions[0], &BTreeSet::from(["CUDA_ERROR_INVALID_VALUE", "CUDA_ERROR_NOT_SUPPORTED"]))
    }

    /// The only fault of [`WHOLE`] with `from` replaced by `to`.
    fn fault(from: &str, to: &str) -> String {
        assert!(WHOLE.contains(from), "{from}");
        let faults = faults_of(&WHOLE.replace(from, to));
        assert_eq!(faults.len(), 1, "{faults:?}");
        faults.into_iter().next().unwrap()
    }

    #[test]
    fn a_whole_comment_passes() {
        assert_eq!(faults_of(WHOLE), [""; 0]);
        assert_eq!(faults_of(&WHOLE.replace("`CUDA_ERROR_INVALID_VALUE` if `b` is NULL", "none")), [""; 0]);
        assert_eq!(faults_of(&WHOLE.replace("Memory Management", "none, private")), [""; 0]);
    }

    #[test]
    fn what_is_missing_is_found() {
        assert!(fault("Does it.\n        ///\n", "Does it.\n").contains("one sentence"));
        assert!(fault("Does it.", "Does it").contains("one sentence"));
        assert!(fault("- `b`: receives the result.", "").contains("each parameter"));
        assert!(fault("- `b`", "- `c`").contains("each parameter"));
        assert!(fault("- `b`", "- `a`: again.\n        /// - `b`").contains("each parameter"));
        assert!(fault("of bytes.", "of bytes").contains("describes `a`"));
        assert!(fault("receives the result.", ".").contains("describes `b`"));
        assert!(fault(" if `b` is NULL", "").contains("says when"));
        assert!(fault(" if `b` is NULL", " if `b` is NULL; `CUDA_ERROR_NOT_SUPPORTED`").contains("says when"));
        assert!(fault("Errors: ", "").contains("`Errors: ...`"));
        assert!(fault("Manual: Memory", "Manual: Memroy").contains("SECTIONS"));
        assert!(fault("CUDA_ERROR_INVALID_VALUE", "CUDA_ERROR_INVALID_VALEU").contains("no error"));
        let unsaid = faults_of(&WHOLE.replace("Manual: ", ""));
        assert!(unsaid.iter().any(|fault| fault.contains("`Manual: ...`")), "{unsaid:?}");
    }

    #[test]
    fn errors_follow_the_body() {
        assert!(fault("{}", ";").contains("no body"));
        let said = WHOLE.replace("Errors: `CUDA_ERROR_INVALID_VALUE` if `b` is NULL.", NOT_IMPLEMENTED);
        let reasoned = said.replace("(since = 2000)", "(since = 2000, status = \"not implemented: nobody has it\")");
        assert_eq!(faults_of(&reasoned.replace("{}", ";")), [""; 0]);
        assert!(faults_of(&said.replace("{}", ";"))[0].contains("says why"));
        assert_eq!(faults_of(&said).len(), 1);
    }
}
