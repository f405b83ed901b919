//! `DOPPEL_TRACE`, `DOPPEL_TRACE_CALLS`, `DOPPEL_TRACE_RANGE`: which calls are written where, and when.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// How calls are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A line for each, for people.
    Text,
    /// Chrome's JSON, for Perfetto.
    Json,
}

/// Which functions are meant: a list of names with `*` and `?`; those behind `!` are not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    wanted: Vec<String>,
    unwanted: Vec<String>,
}

/// What [`Calls::parse`] wants.
pub(super) const FORM: &str = "a list of functions such as cuMem*,cuLaunchKernel or !cuCtxGetCurrent";

/// Whether a name has the form of a pattern with `*` and `?`.
pub fn glob(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern, name) {
        ([], []) => true,
        ([b'*', rest @ ..], _) => (0..=name.len()).any(|skipped| glob(rest, &name[skipped..])),
        ([b'?', rest @ ..], [_, name @ ..]) => glob(rest, name),
        ([letter, rest @ ..], [same, name @ ..]) if letter == same => glob(rest, name),
        _ => false,
    }
}

/// Whether a word is a pattern for [`glob`].
pub fn is_pattern(word: &str) -> bool {
    /// A pattern with more stars takes long for what it says.
    const STARS: usize = 4;
    let known = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '*' | '?');
    !word.is_empty() && word.chars().all(known) && word.matches('*').count() <= STARS
}

impl Calls {
    /// Reads a list. `None`: a word in it is no pattern.
    pub fn parse(text: &str) -> Option<Calls> {
        let mut calls = Calls::default();
        for word in text.split(',').map(str::trim) {
            let (list, pattern) = match word.strip_prefix('!') {
                Some(pattern) => (&mut calls.unwanted, pattern),
                None => (&mut calls.wanted, word),
            };
            if !is_pattern(pattern) {
                return None;
            }
            list.push(pattern.to_owned());
        }
        Some(calls)
    }

    /// All patterns, of functions that are wanted and of those that are not.
    pub fn patterns(&self) -> impl Iterator<Item = &str> {
        self.wanted.iter().chain(&self.unwanted).map(String::as_str)
    }

    /// Whether a function is meant that has these names. Without a list all are.
    pub fn matches(&self, names: &[&str]) -> bool {
        let is = |pattern: &String| names.iter().any(|name| glob(pattern.as_bytes(), name.as_bytes()));
        let any = |list: &[String]| list.iter().any(is);
        (self.wanted.is_empty() || any(&self.wanted)) && !any(&self.unwanted)
    }
}

/// When calls are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TraceRange {
    /// From the first to the last.
    #[default]
    All,
    /// While the program's profiler is on: between `cuProfilerStart` and `cuProfilerStop`.
    Profiler,
}

impl TraceRange {
    /// Reads the value of `DOPPEL_TRACE_RANGE`.
    pub fn parse(word: &str) -> Option<TraceRange> {
        match word {
            "all" => Some(TraceRange::All),
            "profiler" => Some(TraceRange::Profiler),
            _ => None,
        }
    }
}

/// What is traced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceSettings {
    /// `None`: stderr.
    pub file: Option<PathBuf>,
    /// By the end of the file's name.
    pub format: Format,
    /// Which functions.
    pub calls: Calls,
    /// Of which of these with the stack of the program.
    pub stacks: Option<Calls>,
    /// When.
    pub range: TraceRange,
}

impl TraceSettings {
    /// Reads the value of `DOPPEL_TRACE`.
    pub fn of(file: OsString, calls: Calls, stacks: Option<Calls>, range: TraceRange) -> TraceSettings {
        let json = Path::new(&file).extension().is_some_and(|end| end == "json");
        let stderr = file == "-" || file == "stderr";
        TraceSettings {
            file: (!stderr).then(|| file.into()),
            format: if json { Format::Json } else { Format::Text },
            calls,
            stacks,
            range,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        let matches = |list: &str, name| Calls::parse(list).unwrap().matches(&[name]);
        assert!(Calls::default().matches(&["cuInit"]));
        let both = ["cuMemFree_v2", "cuMemFree"];
        assert!(
            Calls::parse("cuMemFree").unwrap().matches(&both) && !Calls::parse("!cuMemFree").unwrap().matches(&both)
        );
        assert!(matches("cuMem*", "cuMemAlloc_v2") && !matches("cuMem*", "cuInit"));
        assert!(matches("*Kernel?", "cuLaunchKernelX") && !matches("*Kernel?", "cuLaunchKernel"));
        assert!(matches("!cuMem*", "cuInit") && !matches("!cuMem*", "cuMemFree"));
        assert!(matches("cuMem*,!*Free*", "cuMemAlloc_v2") && !matches("cuMem*,!*Free*", "cuMemFree_v2"));
        for bad in ["", "a,,b", "!", "cu Mem", "cu(", "*a*a*a*a*a"] {
            assert_eq!(Calls::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn files_and_formats() {
        let of = |file: &str| {
            let settings = TraceSettings::of(file.into(), Calls::default(), None, TraceRange::All);
            (settings.file, settings.format)
        };
        assert_eq!(of("/tmp/a.txt"), (Some("/tmp/a.txt".into()), Format::Text));
        assert_eq!(of("a.json"), (Some("a.json".into()), Format::Json));
        assert_eq!((of("-"), of("stderr")), ((None, Format::Text), (None, Format::Text)));
    }
}
