//! Command lines as NVIDIA's tools read them.
//!
//! An option has a long name behind two dashes and a short one behind one dash; none may be shortened. Its value stands
//! behind `=` or is the next argument. Files of options are read where they are named.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// Files of options that name each other.
const DEEPEST_FILE: u32 = 16;
/// Bytes of such a file.
pub(crate) const LARGEST_FILE: usize = 1 << 24;
/// Arguments, with those of files.
const MOST_ARGUMENTS: usize = 1 << 16;

/// What an option takes.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    /// No value.
    Nothing,
    /// Any word.
    Word,
    /// A number.
    Number,
    /// `true` or `false`.
    Truth,
    /// One of these.
    OneOf(&'static [&'static str]),
    /// An architecture.
    Architecture(fn(&str) -> bool),
    /// Words with commas between them; several times.
    List,
    /// A file of options.
    File,
}

/// An option.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// Its name behind two dashes.
    pub long: &'static str,
    /// Its name behind one dash.
    pub short: &'static str,
    /// What it takes.
    pub takes: Takes,
    /// The value stands right behind the short name (`-O3`).
    pub attached: Attached,
}

/// Whether a value stands right behind the short name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attached {
    /// It does not.
    No,
    /// It may.
    May,
    /// There only, or behind `=`; it may be missing.
    Only,
}

/// A row of a table of options.
pub const fn known(long: &'static str, short: &'static str, takes: Takes) -> Known {
    Known { long, short, takes, attached: Attached::No }
}

/// What a command line says.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// Options by their long names, in order; a list has one entry for each of its words.
    pub options: Vec<(&'static str, OsString)>,
    /// What is no option.
    pub inputs: Vec<OsString>,
    /// What is worth a warning.
    pub warnings: Vec<String>,
}

impl Line {
    /// Whether an option is there.
    pub fn has(&self, long: &str) -> bool {
        self.options.iter().any(|(name, _)| *name == long)
    }

    /// The last value of an option.
    pub fn value(&self, long: &str) -> Option<&OsStr> {
        self.options.iter().rev().find(|(name, _)| *name == long).map(|(_, value)| value.as_os_str())
    }

    /// The last value of an option, as text.
    pub fn text(&self, long: &str) -> Option<String> {
        self.value(long).map(|value| value.to_string_lossy().into_owned())
    }

    /// All values of an option.
    pub fn values<'s>(&'s self, long: &'s str) -> impl Iterator<Item = &'s OsStr> {
        self.options.iter().filter(move |(name, _)| *name == long).map(|(_, value)| value.as_os_str())
    }
}

/// Reads a command line. The error is the text of a message.
pub fn parse(table: &'static [Known], arguments: Vec<OsString>) -> Result<Line, String> {
    let mut line = Line::default();
    let mut left: Vec<(OsString, u32)> = arguments.into_iter().rev().map(|argument| (argument, 0)).collect();
    while let Some((argument, depth)) = left.pop() {
        let bytes = argument.as_bytes();
        if bytes.first() != Some(&b'-') || bytes.len() == 1 {
            line.inputs.push(argument);
            continue;
        }
        let equals = bytes.iter().position(|&b| b == b'=');
        let name = String::from_utf8_lossy(&bytes[..equals.unwrap_or(bytes.len())]).into_owned();
        let inline = equals.map(|at| OsString::from_vec(bytes[at + 1..].to_vec()));
        let (option, inline) = find(table, &name, inline)?;
        let value = match (option.takes, inline) {
            (Takes::Nothing, Some(_)) => return Err(format!("no argument expected after '{name}'")),
            (Takes::Nothing, None) => OsString::new(),
            (_, Some(value)) => value,
            (_, None) if option.attached == Attached::Only && name == format!("-{}", option.short) => continue,
            (_, None) => left.pop().ok_or_else(|| format!("argument expected after '{name}'"))?.0,
        };
        if matches!(option.takes, Takes::File) {
            for file in value.as_bytes().split(|&b| b == b',') {
                let file = OsStr::from_bytes(file);
                let could_not = || format!("Could not open options file '{}'", file.to_string_lossy());
                let text = crate::read(file, LARGEST_FILE).filter(|_| depth < DEEPEST_FILE).ok_or_else(could_not)?;
                let words = words(&text);
                if left.len() + words.len() > MOST_ARGUMENTS {
                    return Err(could_not());
                }
                left.extend(words.into_iter().rev().map(|word| (word, depth + 1)));
            }
            continue;
        }
        line.take(option, value)?;
    }
    Ok(line)
}

/// The option with a name, and its value if that stands right behind the name.
fn find(
    table: &'static [Known],
    name: &str,
    inline: Option<OsString>,
) -> Result<(&'static Known, Option<OsString>), String> {
    let unknown = || format!("Unknown option '{}'", name.get(1..).unwrap_or(""));
    if let Some(long) = name.strip_prefix("--") {
        return table.iter().find(|o| o.long == long).map(|o| (o, inline)).ok_or_else(unknown);
    }
    let short = name.get(1..).unwrap_or("");
    if let Some(option) = table.iter().find(|o| o.short == short) {
        return Ok((option, inline));
    }
    let attached = table.iter().filter(|o| o.attached != Attached::No && inline.is_none());
    let mut attached = attached.filter_map(|o| short.strip_prefix(o.short).map(|value| (o, Some(value.into()))));
    attached.next().ok_or_else(unknown)
}

impl Line {
    fn take(&mut self, option: &'static Known, value: OsString) -> Result<(), String> {
        let text = value.to_string_lossy();
        match option.takes {
            Takes::Number if text.parse::<i64>().is_err() => return Err(format!("'{text}': expected a number")),
            Takes::Truth if text != "true" && text != "false" => {
                return Err(format!("'{text}': expected true or false"));
            }
            Takes::OneOf(words) if !words.contains(&&*text) => {
                return Err(format!("Value '{text}' is not defined for option '{}'", option.long));
            }
            Takes::Architecture(exists) if !exists(&text) => {
                return Err(format!("Value '{text}' is not defined for option '{}'", option.long));
            }
            Takes::List => {
                let words = value.as_bytes().split(|&b| b == b',');
                self.options.extend(words.map(|word| (option.long, OsStr::from_bytes(word).to_owned())));
                return Ok(());
            }
            _ => {}
        }
        if self.value(option.long).is_some_and(|old| old != value) {
            let text = format!(
                "incompatible redefinition for option '{}', the last value of this option was used",
                option.long
            );
            self.warnings.push(text);
        }
        self.options.push((option.long, value));
        Ok(())
    }
}

/// The words of a file of options, which blanks part and quotes hold together.
pub fn words(text: &[u8]) -> Vec<OsString> {
    let mut all = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = text.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match (quote, byte) {
            (Some(end), _) if byte == end => quote = None,
            (None, b'"' | b'\'') => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            (_, b'\\') if matches!(bytes.peek(), Some(b'"' | b'\'' | b'\\' | b' ')) => {
                word.get_or_insert_default().extend(bytes.next());
            }
            (None, b' ' | b'\t' | b'\n' | b'\r') => all.extend(word.take().map(OsString::from_vec)),
            _ => word.get_or_insert_default().push(byte),
        }
    }
    all.extend(word.map(OsString::from_vec));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &[Known] = &[
        known("verbose", "v", Takes::Nothing),
        known("output-file", "o", Takes::Word),
        known("fmad", "fmad", Takes::Truth),
        known("entry", "e", Takes::List),
        known("options-file", "optf", Takes::File),
        Known { attached: Attached::Only, ..known("opt-level", "O", Takes::Number) },
        Known { attached: Attached::May, ..known("machine", "m", Takes::OneOf(&["64"])) },
    ];

    fn line(arguments: &[&str]) -> Result<Line, String> {
        parse(TABLE, arguments.iter().map(OsString::from).collect())
    }

    #[test]
    fn values_stand_behind_or_next() {
        for arguments in [["-o=x", "in"], ["--output-file=x", "in"]] {
            let line = line(&arguments).unwrap();
            assert_eq!((line.text("output-file").unwrap().as_str(), line.inputs), ("x", vec!["in".into()]));
        }
        for name in ["-o", "--output-file"] {
            assert_eq!(line(&[name, "-v", "-"]).unwrap().text("output-file").unwrap(), "-v");
        }
        assert_eq!(line(&["-e", "a,b", "-e=c"]).unwrap().values("entry").count(), 3);
        assert_eq!(line(&["-O3", "-m64"]).unwrap().text("opt-level").unwrap(), "3");
        assert_eq!(line(&["-O", "in"]).unwrap().inputs.len(), 1);
        assert_eq!(line(&["--opt-level", "2"]).unwrap().text("opt-level").unwrap(), "2");
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (arguments, message) in [
            (&["--bogus"][..], "Unknown option '-bogus'"),
            (&["-ofile"], "Unknown option 'ofile'"),
            (&["-v=true"], "no argument expected after '-v'"),
            (&["-o"], "argument expected after '-o'"),
            (&["-Oabc"], "'abc': expected a number"),
            (&["-fmad", "maybe"], "'maybe': expected true or false"),
            (&["-m", "32"], "Value '32' is not defined for option 'machine'"),
            (&["-optf", "/nowhere/file"], "Could not open options file '/nowhere/file'"),
            (&["--"], "Unknown option '-'"),
        ] {
            assert_eq!(line(arguments).unwrap_err(), message);
        }
        let twice = line(&["-o", "x", "-o", "y"]).unwrap();
        assert_eq!((twice.warnings.len(), twice.text("output-file").unwrap().as_str()), (1, "y"));
        assert_eq!(line(&["-o", "x", "-o", "x"]).unwrap().warnings.len(), 0);
    }

    #[test]
    fn files_of_options() {
        let split =
            |text: &str| words(text.as_bytes()).into_iter().map(|w| w.into_string().unwrap()).collect::<Vec<_>>();
        assert_eq!(split(" -v\n\"a b\" c\\ d 'e' "), ["-v", "a b", "c d", "e"]);
        assert_eq!(split("\"\""), [""]);
        // One that names itself.
        let file = std::env::temp_dir().join(format!("options-{}", std::process::id()));
        std::fs::write(&file, format!("-v -optf {}", file.display())).unwrap();
        assert!(line(&["-optf", file.to_str().unwrap()]).is_err());
        std::fs::write(&file, "-v -o x").unwrap();
        assert!(line(&["-optf", file.to_str().unwrap()]).unwrap().has("verbose"));
        std::fs::remove_file(&file).unwrap();
    }
}
