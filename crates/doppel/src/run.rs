//! `doppel run`: the environment, then the program in our place.

use crate::arguments::Launch;
use crate::{Failure, library};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// The runtime's libraries. A program uses at most one of them, and both may be loaded: every symbol has a version.
const RUNTIMES: [&str; 2] = ["libcudart.so.12", "libcudart.so.13"];
/// What a shell exits with when a program cannot be run, or is not found.
const NOT_EXECUTABLE: u8 = 126;
const NOT_FOUND: u8 = 127;

/// Runs the program; returns only if that fails.
pub fn run(launch: &Launch) -> Result<u8, Failure> {
    let folder = library::folder()?;
    let mode = launch.variables.iter().find(|(name, _)| *name == "DOPPEL_MODE").map(|(_, mode)| mode.clone());
    let mode = mode.or_else(|| std::env::var_os("DOPPEL_MODE"));
    // Over the real driver NVIDIA's runtime works as well as ours; where a program brings it, it stays.
    let preload = launch.preload && mode.is_none_or(|mode| mode != "forward");
    let mut command = Command::new(&launch.program);
    command.args(&launch.arguments);
    for (name, value) in &launch.variables {
        command.env(name, value);
    }
    for (name, value) in loader(&folder, preload, |name| std::env::var_os(name))? {
        command.env(name, value);
    }
    let error = command.exec();
    let code = if error.kind() == std::io::ErrorKind::NotFound { NOT_FOUND } else { NOT_EXECUTABLE };
    Err(Failure { text: format!("cannot run {}: {error}", launch.program.to_string_lossy()), code })
}

/// What the loader needs to know to take our libraries.
fn loader(
    folder: &Path,
    preload: bool,
    env: impl Fn(&str) -> Option<OsString>,
) -> Result<Vec<(&'static str, OsString)>, Failure> {
    const PATH: &str = "LD_LIBRARY_PATH";
    const PRELOAD: &str = "LD_PRELOAD";
    let separates = |b: &u8| matches!(b, b':' | b';' | b' ' | b'$' | b'\n' | b'\t');
    if let Some(bad) = folder.as_os_str().as_bytes().iter().find(|b| separates(b)) {
        let text = format!(
            "{}: the loader cannot find libraries in a folder with {:?} in its name",
            folder.display(),
            char::from(*bad)
        );
        return Err(Failure::new(text));
    }
    let mut variables = vec![(PATH, prepended(&[folder.as_os_str().to_owned()], b":;", env(PATH)))];
    if preload {
        let files: Vec<_> = RUNTIMES.iter().map(|name| folder.join(name)).filter(|file| file.is_file()).collect();
        let files: Vec<_> = files.into_iter().map(|file| file.into_os_string()).collect();
        variables.push((PRELOAD, prepended(&files, b": ", env(PRELOAD))));
    }
    Ok(variables)
}

/// A list that begins with `first`, followed by what else an older one named.
fn prepended(first: &[OsString], separators: &[u8], older: Option<OsString>) -> OsString {
    let older = older.unwrap_or_default();
    let words = older.as_bytes().split(|b| separators.contains(b)).filter(|w| !w.is_empty());
    let words = words.filter(|w| first.iter().all(|f| f.as_bytes() != *w));
    let all: Vec<&[u8]> = first.iter().map(|f| f.as_os_str()).map(OsStr::as_bytes).chain(words).collect();
    OsString::from_vec(all.join(&b':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists() {
        let list = |first: &[&str], older: Option<&str>| {
            let first: Vec<OsString> = first.iter().map(OsString::from).collect();
            prepended(&first, b": ", older.map(OsString::from)).into_string().unwrap()
        };
        assert_eq!(list(&["/a"], None), "/a");
        assert_eq!(list(&["/a", "/b"], Some("/c /b:/d")), "/a:/b:/c:/d");
        assert_eq!(list(&[], Some("")), "");
    }

    #[test]
    fn the_loader_is_told() {
        let env = |name: &str| (name == "LD_LIBRARY_PATH").then(|| OsString::from("/old"));
        let variables = loader(Path::new("/x/lib"), false, env).ok().unwrap();
        assert_eq!(variables, [("LD_LIBRARY_PATH", "/x/lib:/old".into())]);
        for bad in ["/a b", "/a:b", "/a;b", "/$LIB"] {
            assert!(loader(Path::new(bad), true, |_| None).is_err(), "{bad}");
        }
    }
}
