//! What `doppel run` sets and `doppel env` prints: one table. docs/TOOLCHAINS.md has the same rows.

use crate::Failure;
use crate::arguments::{Entry, Form, Variables, Way};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// How a variable's value comes about.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// A list that the folder of our libraries goes to the front of. In `forward` mode it is one with the driver alone.
    LibraryPath,
    /// The list of auditing libraries, ours last.
    Audit,
    /// Our runtimes in front of what is loaded ahead.
    Preload,
    /// A list that the folder of our programs goes to the front of, where there is a tool chain of NVIDIA's.
    Programs,
    /// The tool chain that programs would otherwise find by the `nvcc` that is first.
    Toolkit,
    /// The path of one of our programs.
    Program(&'static str),
    /// The folder of our libraries.
    Libraries,
    /// A cache that would take ours for machine code of a GPU: a folder of its own, in the user's if there is one.
    Cache(&'static str),
    /// The same; but Numba needs none where its keys name our compilers.
    NumbaCache,
    /// The same, where the user has set it.
    CacheIfSet,
    /// A word among others.
    Word(&'static str),
    /// A value.
    Value(&'static str),
    /// A setting of glibc's, where nobody has made it, beside an auditing library.
    Tunable(&'static str, &'static str),
}

/// A variable.
pub struct Row {
    pub name: &'static str,
    pub rule: Rule,
    /// For builds: `doppel env` prints it, `doppel run` does not set it.
    pub builds: bool,
    /// What it is for, in words of docs/TOOLCHAINS.md.
    #[cfg_attr(not(test), allow(dead_code))]
    pub what: &'static str,
}

const fn row(name: &'static str, rule: Rule, what: &'static str) -> Row {
    Row { name, rule, builds: false, what }
}

/// All of them.
pub const ROWS: [Row; 15] = [
    row("LD_LIBRARY_PATH", Rule::LibraryPath, "our folder first; in `forward` mode one with `libcuda.so.1` alone"),
    row("LD_AUDIT", Rule::Audit, "`libdoppel-audit.so`, behind what is there"),
    row(
        "GLIBC_TUNABLES",
        Rule::Tunable("glibc.rtld.optional_static_tls", "32768"),
        "room for variables of threads beside an auditing library, where Ray loads a malloc ahead and rustc has large ones; not over what you have set",
    ),
    row("LD_PRELOAD", Rule::Preload, "our CUDA runtime, with `--preload` in place of `LD_AUDIT`"),
    row(
        "PATH",
        Rule::Programs,
        "the folder of `nvcc`, `ptxas` and `fatbinary` first, where there is a toolkit of NVIDIA's",
    ),
    row(
        "CUDA_HOME",
        Rule::Toolkit,
        "the toolkit, where nothing names it: programs take it from the first `nvcc` otherwise",
    ),
    row("TRITON_PTXAS_PATH", Rule::Program("ptxas"), "our `ptxas`"),
    row("TRITON_PTXAS_BLACKWELL_PATH", Rule::Program("ptxas"), "the same"),
    row("TRITON_LIBCUDA_PATH", Rule::Libraries, "where Triton's launchers find `libcuda.so.1`"),
    row(
        "NUMBA_CACHE_DIR",
        Rule::NumbaCache,
        "Numba's keys named the compute capability and the runtime's version before numba-cuda 0.30",
    ),
    row("CUPY_CACHE_DIR", Rule::Cache("cupy"), "CuPy's keys name the architecture and NVRTC's version"),
    row("TORCHINDUCTOR_CACHE_DIR", Rule::Cache("torchinductor"), "PyTorch's keys name the device's name"),
    row("JAX_COMPILATION_CACHE_DIR", Rule::CacheIfSet, "JAX's keys name the kind of device; only where it is set"),
    Row {
        name: "NVCC_APPEND_FLAGS",
        rule: Rule::Word("--cudart=shared"),
        builds: true,
        what: "the shared runtime, which can be replaced when the program runs",
    },
    Row {
        name: "CMAKE_CUDA_RUNTIME_LIBRARY",
        rule: Rule::Value("Shared"),
        builds: true,
        what: "the same for `cmake -DCMAKE_CUDA_RUNTIME_LIBRARY=$CMAKE_CUDA_RUNTIME_LIBRARY`",
    },
];

/// What becomes of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    Set(OsString),
    Remove,
}

/// Where our files are, and what is asked of them.
pub struct Place {
    /// The folder of our libraries.
    pub libraries: PathBuf,
    /// The folder of our programs for builds; may be missing.
    pub programs: PathBuf,
    pub way: Way,
    /// Calls go to a real driver, or to nobody: nothing but the driver is ours.
    pub bare: bool,
    /// Also what is for builds.
    pub builds: bool,
    /// The file of the program that is run.
    pub program: Option<PathBuf>,
}

/// The file of the auditing library.
const AUDIT: &str = "libdoppel-audit.so";
/// The runtime's libraries. A program uses at most one of them, and both may be loaded: every symbol has a version.
const RUNTIMES: [&str; 2] = ["libcudart.so.12", "libcudart.so.13"];
/// The folder, beside our libraries, that has the driver alone.
const DRIVER_ALONE: &str = "driver";
/// The folder, among our tools, of those that are there without a toolkit of NVIDIA's, too: `nvidia-smi` comes with the driver.
const ALWAYS: &str = "driver";
/// What separates words of lists, as the loader reads them.
const PATHS: &[u8] = b":;";
const COLON: &[u8] = b":";
const FILES: &[u8] = b": ";
const WORDS: &[u8] = b" ";

impl Place {
    /// Our files beside the libraries in `libraries`.
    pub fn new(libraries: PathBuf, way: Way, mode: Option<OsString>, builds: bool) -> Result<Place, Failure> {
        let separates = |b: &u8| matches!(b, b':' | b';' | b' ' | b'$' | b'\n' | b'\t' | b'"' | b'\'' | b'\\');
        if let Some(bad) = libraries.as_os_str().as_bytes().iter().find(|b| separates(b)) {
            return Err(Failure::new(format!(
                "{}: the loader cannot find libraries in a folder with {:?} in its name",
                libraries.display(),
                char::from(*bad)
            )));
        }
        let programs = libraries.parent().unwrap_or(Path::new("/")).join("libexec");
        let bare = mode.is_some_and(|mode| mode == "forward" || mode == "absent");
        // An auditing library slows calls down with an older loader.
        let audit = way == Way::Audit && libraries.join(AUDIT).is_file();
        let way = if way == Way::Audit && !(audit && loader_is_new()) { Way::Preload } else { way };
        Ok(Place { libraries, programs, way, bare, builds, program: None })
    }

    /// What becomes of all variables, out of what they are.
    pub fn changes(&self, env: impl Fn(&str) -> Option<OsString>) -> Vec<(&'static str, Change)> {
        let rows = ROWS.iter().filter(|row| self.builds || !row.builds);
        rows.filter_map(|row| self.change(row, &env).map(|change| (row.name, change))).collect()
    }

    /// What becomes of one; nothing if it stays.
    fn change(&self, row: &Row, env: &dyn Fn(&str) -> Option<OsString>) -> Option<Change> {
        let old = env(row.name).filter(|old| !old.is_empty());
        let new = match row.rule {
            Rule::LibraryPath => {
                let (whole, alone) = (self.libraries.clone(), self.libraries.join(DRIVER_ALONE));
                let first = if self.bare && alone.is_dir() { alone.clone() } else { whole.clone() };
                Some(joined(
                    &[first],
                    &without(&old, PATHS, |word| same(word, &whole) || same(word, &alone)),
                    &[],
                    b":",
                ))
            }
            Rule::Audit => {
                let others = without(&old, COLON, |word| {
                    Path::new(OsStr::from_bytes(word)).file_name() == Some(OsStr::new(AUDIT))
                });
                let ours = (!self.bare && self.way == Way::Audit).then(|| self.libraries.join(AUDIT));
                Some(joined(&[], &others, ours.as_slice(), b":"))
            }
            Rule::Preload => {
                let files = RUNTIMES.map(|name| self.libraries.join(name));
                let others = without(&old, FILES, |word| files.iter().any(|file| same(word, file)));
                let wanted = !self.bare && self.way == Way::Preload;
                let ours: Vec<_> = files.into_iter().filter(|file| wanted && file.is_file()).collect();
                Some(joined(&ours, &others, &[], b":"))
            }
            Rule::Programs => {
                let always = self.programs.join(ALWAYS);
                let others = without(&old, COLON, |word| same(word, &self.programs) || same(word, &always));
                let mut ours = Vec::new();
                if !self.bare && self.programs.is_dir() && self.toolkit(env).is_some() {
                    ours.push(self.programs.clone());
                }
                if !self.bare && always.is_dir() {
                    ours.push(always);
                }
                Some(joined(&ours, &others, &[], b":"))
            }
            Rule::Toolkit => {
                let named = old.is_some() || env("CUDA_PATH").is_some_and(|path| !path.is_empty());
                if named || self.bare || !self.programs.is_dir() {
                    return None;
                }
                Some(self.toolkit(env)?.into_os_string())
            }
            Rule::Program(name) => {
                let file = self.programs.join(name);
                let ours = (!self.bare && file.is_file()).then(|| file.clone().into_os_string());
                ours.or_else(|| old.clone().filter(|old| !same(old.as_bytes(), &file)))
            }
            Rule::Libraries => {
                let ours = (!self.bare).then(|| self.libraries.clone().into_os_string());
                ours.or_else(|| old.clone().filter(|old| !same(old.as_bytes(), &self.libraries)))
            }
            Rule::Cache(name) => cache(old.as_deref(), self.bare, Some(own_cache(name, env))),
            Rule::NumbaCache => {
                // The auditing library is what puts our NVRTC in, which says another version.
                let reached = !self.bare && self.way == Way::Audit && env("PYTHONPATH").is_none();
                let program = self.program.as_deref().filter(|_| reached && old.is_none());
                match program {
                    Some(program) if numba_names_compilers(program) => None,
                    _ => cache(old.as_deref(), self.bare, Some(own_cache("numba", env))),
                }
            }
            Rule::CacheIfSet => cache(old.as_deref(), self.bare, None),
            Rule::Word(word) => {
                let others = without(&old, WORDS, |other| other == word.as_bytes());
                let ours = (!self.bare).then(|| PathBuf::from(word));
                Some(joined(&[], &others, ours.as_slice(), WORDS))
            }
            Rule::Tunable(name, value) => {
                let setting = format!("{name}={value}");
                let others = without(&old, COLON, |word| word == setting.as_bytes());
                let named = |word: &PathBuf| {
                    word.as_os_str().as_bytes().strip_prefix(name.as_bytes()).is_some_and(|w| w.starts_with(b"="))
                };
                let wanted = !self.bare && self.way == Way::Audit && !others.iter().any(named);
                let ours = wanted.then(|| PathBuf::from(setting));
                Some(joined(&[], &others, ours.as_slice(), COLON))
            }
            Rule::Value(value) => {
                let ours = (!self.bare).then(|| OsString::from(value));
                ours.or_else(|| old.clone().filter(|old| old != value))
            }
        };
        match new.filter(|new| !new.is_empty()) {
            Some(new) if old.as_ref() != Some(&new) => Some(Change::Set(new)),
            None if old.is_some() => Some(Change::Remove),
            _ => None,
        }
    }

    /// The toolkit of NVIDIA's that programs would find.
    fn toolkit(&self, env: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
        let has_tools = |home: &PathBuf| home.join("bin/nvcc").is_file() || home.join("bin/ptxas").is_file();
        let named = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(env).map(PathBuf::from);
        let path = env("PATH").unwrap_or_default();
        let folders = std::env::split_paths(&path).filter(|folder| *folder != self.programs && folder.ends_with("bin"));
        let homes: Vec<_> = folders.filter_map(|folder| folder.parent().map(Path::to_path_buf)).collect();
        named.chain(homes).chain([PathBuf::from("/usr/local/cuda")]).find(has_tools)
    }
}

/// Whether the loader lets calls alone that no auditing library asks for: glibc from 2.35 on.
fn loader_is_new() -> bool {
    const FIRST: (u32, u32) = (2, 35);
    // SAFETY: a string that lives for ever.
    let version = unsafe { core::ffi::CStr::from_ptr(libc::gnu_get_libc_version()) }.to_string_lossy();
    let mut numbers = version.split('.').map(|number| number.parse().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) >= FIRST
}

fn same(word: &[u8], path: &Path) -> bool {
    Path::new(OsStr::from_bytes(word)) == path
}

/// The words of a list but those that are `ours`.
fn without(list: &Option<OsString>, separators: &[u8], ours: impl Fn(&[u8]) -> bool) -> Vec<PathBuf> {
    let words = list.as_deref().unwrap_or_default().as_bytes().split(|b| separators.contains(b));
    let words = words.filter(|word| !word.is_empty() && !ours(word));
    words.map(|word| PathBuf::from(OsString::from_vec(word.to_vec()))).collect()
}

fn joined(first: &[PathBuf], others: &[PathBuf], last: &[PathBuf], separator: &[u8]) -> OsString {
    let all = first.iter().chain(others).chain(last).map(|path| path.as_os_str().as_bytes());
    OsString::from_vec(all.collect::<Vec<_>>().join(separator))
}

/// Whether every Numba that is installed beside a program (`bin/python`, `bin/pytest`) has NVRTC's version in the keys of its cache, and
/// there is one.
fn numba_names_compilers(program: &Path) -> bool {
    /// The first release that we know to do so.
    const FIRST: (u32, u32) = (0, 30);
    let Some(root) = program.parent().and_then(Path::parent) else { return false };
    let list = |folder: PathBuf| std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let folders = list(root.join("lib")).map(|python| python.join("site-packages"));
    let with_numba: Vec<_> = folders.filter(|f| f.join("numba").is_dir() || f.join("numba_cuda").is_dir()).collect();
    let release = |info: PathBuf| {
        let name = info.file_name()?.to_str()?.strip_prefix("numba_cuda-")?.strip_suffix(".dist-info")?.to_owned();
        let mut numbers = name.split('.').map(|number| number.parse::<u32>().ok());
        Some((numbers.next()??, numbers.next()??))
    };
    let names = |folder: &PathBuf| list(folder.clone()).find_map(release).is_some_and(|release| release >= FIRST);
    !with_numba.is_empty() && with_numba.iter().all(names)
}

/// The file of a program, as a shell finds it.
pub fn find_program(name: &OsStr, path: Option<&OsStr>) -> Option<PathBuf> {
    if name.as_bytes().contains(&b'/') {
        return Some(PathBuf::from(name));
    }
    std::env::split_paths(path?).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// The name of our folders in caches.
const CACHE: &str = "doppel";

/// A cache's folder: in the user's, or `own`.
fn cache(old: Option<&OsStr>, bare: bool, own: Option<PathBuf>) -> Option<OsString> {
    let is_ours = |path: &Path| own.as_deref() == Some(path);
    match (old.map(Path::new), bare) {
        (None, false) => own.map(PathBuf::into_os_string),
        (None, true) => None,
        (Some(old), false) if is_ours(old) || old.ends_with(CACHE) => Some(old.into()),
        (Some(old), false) => Some(old.join(CACHE).into_os_string()),
        (Some(old), true) if is_ours(old) => None,
        (Some(old), true) => Some(old.parent().filter(|_| old.ends_with(CACHE)).unwrap_or(old).into()),
    }
}

/// Our own folder for a cache.
fn own_cache(name: &str, env: &dyn Fn(&str) -> Option<OsString>) -> PathBuf {
    let folder = |variable: &str| env(variable).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let base = folder("XDG_CACHE_HOME").or_else(|| folder("HOME").map(|home| home.join(".cache")));
    base.unwrap_or_else(std::env::temp_dir).join(CACHE).join(name)
}

/// `doppel env`.
pub fn print(entry: &Entry) -> Result<u8, Failure> {
    let libraries = crate::library::folder()?;
    crate::library::check(&libraries, &entry.variables)?;
    // What runs programs later does not see this environment, but the same mistake is likely there.
    let names: Vec<String> = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()).collect();
    for sentence in settings::config::unknown_variables(names.iter().map(String::as_str)) {
        eprintln!("doppel: {sentence}");
    }
    let mode = entry.variables.iter().find(|(name, _)| *name == "DOPPEL_MODE").map(|(_, mode)| mode.clone());
    let mode = mode.or_else(|| std::env::var_os("DOPPEL_MODE"));
    let place = Place::new(libraries, entry.way, mode, true)?;
    let changes = if entry.form == Form::Docker {
        // The image has an environment of its own, which lists are added to.
        let there = ["PATH", "CUDA_HOME", "CUDA_PATH"];
        place.changes(|name| std::env::var_os(name).filter(|_| there.contains(&name)))
    } else {
        place.changes(|name| std::env::var_os(name))
    };
    let set = entry.variables.iter().map(|(name, value)| (*name, Change::Set(value.clone()))).chain(changes);
    let set: Vec<_> = set.collect();
    match entry.form {
        Form::Shell => crate::print(&shell(&set)?)?,
        Form::Docker => crate::print(&docker(&set, &place)?)?,
        Form::Json => crate::print_json(&json(&set)?)?,
        Form::GitHub => github(&set, &place)?,
    }
    Ok(0)
}

type Changes<'c> = &'c [(&'static str, Change)];

fn text(name: &str, value: &OsStr) -> Result<String, Failure> {
    let text = value.to_str().filter(|text| !text.contains('\n'));
    text.map(str::to_owned).ok_or_else(|| Failure::new(format!("{name} holds what cannot be printed in a line")))
}

fn shell(changes: Changes<'_>) -> Result<String, Failure> {
    let lines = changes.iter().map(|(name, change)| match change {
        Change::Set(value) => Ok(format!("export {name}='{}'\n", text(name, value)?.replace('\'', "'\\''"))),
        Change::Remove => Ok(format!("unset {name}\n")),
    });
    lines.collect()
}

/// An object with a value for each variable; `null` for one that is removed.
fn json(changes: Changes<'_>) -> Result<serde_json::Value, Failure> {
    let pairs = changes.iter().map(|(name, change)| match change {
        Change::Set(value) => Ok(((*name).to_owned(), text(name, value)?.into())),
        Change::Remove => Ok(((*name).to_owned(), serde_json::Value::Null)),
    });
    pairs.collect::<Result<_, _>>().map(serde_json::Value::Object)
}

fn docker(changes: Changes<'_>, place: &Place) -> Result<String, Failure> {
    let mut lines = String::new();
    for (name, change) in changes {
        let Change::Set(value) = change else { continue };
        let value = match ROWS.iter().find(|row| row.name == *name).map(|row| row.rule) {
            Some(Rule::Programs) => format!("{}:${{PATH}}", place.programs.display()),
            Some(Rule::LibraryPath) => format!("{}${{{name}:+:${name}}}", text(name, value)?),
            _ => text(name, value)?.replace(['\\', '"', '$'], ""),
        };
        lines.push_str(&format!("ENV {name}=\"{value}\"\n"));
    }
    Ok(lines)
}

/// Appends to the files that GitHub's runner reads after each step.
fn github(changes: Changes<'_>, place: &Place) -> Result<(), Failure> {
    let (mut lines, mut paths) = (String::new(), String::new());
    for (name, change) in changes {
        match (*name, change) {
            ("PATH", Change::Set(_)) => paths.push_str(&format!("{}\n", place.programs.display())),
            ("PATH", Change::Remove) => {}
            (_, Change::Set(value)) => lines.push_str(&format!("{name}={}\n", text(name, value)?)),
            (_, Change::Remove) => lines.push_str(&format!("{name}=\n")),
        }
    }
    for (variable, lines) in [("GITHUB_ENV", lines), ("GITHUB_PATH", paths)] {
        let file = std::env::var_os(variable).filter(|file| !file.is_empty());
        let file = file.ok_or_else(|| Failure::new(format!("{variable} is not set: this is no job of GitHub's")))?;
        let open = std::fs::OpenOptions::new().append(true).create(true).open(&file);
        let written = open.and_then(|mut file| std::io::Write::write_all(&mut file, lines.as_bytes()));
        written.map_err(|error| Failure::new(format!("{}: {error}", Path::new(&file).display())))?;
    }
    Ok(())
}

/// The variables of the command line and of the table, as a program is to get them.
pub fn apply(command: &mut std::process::Command, variables: &Variables, changes: Changes<'_>) {
    for (name, value) in variables {
        command.env(name, value);
    }
    for (name, change) in changes {
        match change {
            Change::Set(value) => command.env(name, value),
            Change::Remove => command.env_remove(name),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A place with all files, and what it makes of an environment.
    struct Case {
        root: PathBuf,
        place: Place,
    }

    impl Case {
        fn new(name: &str, way: Way, mode: Option<&str>) -> Case {
            let root = std::env::temp_dir().join(format!("doppel-environment-{name}-{}", std::process::id()));
            let (libraries, programs) = (root.join("lib"), root.join("libexec"));
            std::fs::create_dir_all(libraries.join(DRIVER_ALONE)).unwrap();
            std::fs::create_dir_all(&programs).unwrap();
            std::fs::create_dir_all(root.join("toolkit/bin")).unwrap();
            let files = [libraries.join(AUDIT), libraries.join(RUNTIMES[0]), libraries.join(RUNTIMES[1])];
            for file in files.iter().chain(&[programs.join("ptxas"), root.join("toolkit/bin/nvcc")]) {
                std::fs::write(file, "").unwrap();
            }
            let place = Place::new(libraries, way, mode.map(OsString::from), true).ok().unwrap();
            Case { root, place }
        }

        /// The value of a variable afterwards, with the root as `@`.
        fn after(&self, name: &str, env: &[(&str, &str)]) -> Option<String> {
            let root = self.root.to_str().unwrap();
            let get = |wanted: &str| {
                env.iter().find(|(name, _)| *name == wanted).map(|(_, value)| OsString::from(value.replace('@', root)))
            };
            let changes = self.place.changes(get);
            let value = match changes.into_iter().find(|(changed, _)| *changed == name) {
                Some((_, Change::Set(value))) => Some(value),
                Some((_, Change::Remove)) => None,
                None => get(name),
            };
            value.map(|value| value.to_str().unwrap().replace(root, "@"))
        }
    }

    impl Drop for Case {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.root);
        }
    }

    #[test]
    fn libraries() {
        let case = Case::new("libraries", Way::Audit, None);
        let after = |name: &str, env: &[(&str, &str)]| case.after(name, env).unwrap_or_default();
        assert_eq!(after("LD_LIBRARY_PATH", &[]), "@/lib");
        assert_eq!(after("LD_LIBRARY_PATH", &[("LD_LIBRARY_PATH", "/a;/b:@/lib")]), "@/lib:/a:/b");
        assert_eq!(after("LD_AUDIT", &[]), "@/lib/libdoppel-audit.so");
        assert_eq!(
            after("LD_AUDIT", &[("LD_AUDIT", "/x.so:/old/libdoppel-audit.so")]),
            "/x.so:@/lib/libdoppel-audit.so"
        );
        assert_eq!(after("LD_PRELOAD", &[]), "");
        assert_eq!(after("LD_PRELOAD", &[("LD_PRELOAD", "/x.so @/lib/libcudart.so.12")]), "/x.so");
        assert_eq!(after("TRITON_LIBCUDA_PATH", &[]), "@/lib");
    }

    #[test]
    fn room_for_variables_of_threads() {
        let case = Case::new("tunables", Way::Audit, None);
        let after = |value: &str| case.after("GLIBC_TUNABLES", &[("GLIBC_TUNABLES", value)]).unwrap();
        assert_eq!(after(""), "glibc.rtld.optional_static_tls=32768");
        assert_eq!(after("glibc.malloc.check=3"), "glibc.malloc.check=3:glibc.rtld.optional_static_tls=32768");
        for set in ["glibc.rtld.optional_static_tls=9000", "glibc.rtld.optional_static_tls=64:glibc.malloc.check=3"] {
            assert_eq!(after(set), set, "the user's");
        }
        let others =
            [Case::new("tunables-bare", Way::Audit, Some("forward")), Case::new("tunables-path", Way::Path, None)];
        for other in others {
            let outer = [("GLIBC_TUNABLES", "glibc.malloc.check=3:glibc.rtld.optional_static_tls=32768")];
            assert_eq!(other.after("GLIBC_TUNABLES", &outer).unwrap(), "glibc.malloc.check=3");
            assert_eq!(other.after("GLIBC_TUNABLES", &[]), None);
        }
    }

    #[test]
    fn the_simpler_ways() {
        let case = Case::new("preload", Way::Preload, Some("cpu"));
        assert_eq!(case.after("LD_AUDIT", &[("LD_AUDIT", "@/lib/libdoppel-audit.so")]), None);
        let both = "@/lib/libcudart.so.12:@/lib/libcudart.so.13";
        assert_eq!(case.after("LD_PRELOAD", &[]).unwrap(), both);
        assert_eq!(case.after("LD_PRELOAD", &[("LD_PRELOAD", "/x.so")]).unwrap(), format!("{both}:/x.so"));
        let case = Case::new("path", Way::Path, Some("cpu"));
        assert_eq!((case.after("LD_AUDIT", &[]), case.after("LD_PRELOAD", &[])), (None, None));
        assert_eq!(case.after("LD_LIBRARY_PATH", &[]).unwrap(), "@/lib");
    }

    #[test]
    fn tool_chains() {
        let case = Case::new("tools", Way::Audit, None);
        assert_eq!(case.after("PATH", &[("PATH", "/bin:@/toolkit/bin")]).unwrap(), "@/libexec:/bin:@/toolkit/bin");
        assert_eq!(case.after("CUDA_HOME", &[("PATH", "/bin:@/toolkit/bin")]).unwrap(), "@/toolkit");
        assert_eq!(case.after("CUDA_HOME", &[("PATH", "@/toolkit/bin"), ("CUDA_PATH", "/x")]), None);
        assert_eq!(case.after("PATH", &[("CUDA_HOME", "@/toolkit"), ("PATH", "/bin")]).unwrap(), "@/libexec:/bin");
        assert_eq!(case.after("TRITON_PTXAS_PATH", &[("TRITON_PTXAS_PATH", "/x")]).unwrap(), "@/libexec/ptxas");
        assert_eq!(case.after("NVCC_APPEND_FLAGS", &[("NVCC_APPEND_FLAGS", "-G")]).unwrap(), "-G --cudart=shared");
    }

    #[test]
    fn tools_of_the_driver_need_no_toolkit() {
        let case = Case::new("driver-tools", Way::Audit, None);
        std::fs::create_dir_all(case.place.programs.join(ALWAYS)).unwrap();
        assert_eq!(case.after("PATH", &[("PATH", "/bin")]).unwrap(), "@/libexec/driver:/bin");
        let both = case.after("PATH", &[("PATH", "/bin:@/toolkit/bin")]).unwrap();
        assert_eq!(both, "@/libexec:@/libexec/driver:/bin:@/toolkit/bin");
        let case = Case::new("driver-tools-forward", Way::Audit, Some("forward"));
        std::fs::create_dir_all(case.place.programs.join(ALWAYS)).unwrap();
        assert_eq!(case.after("PATH", &[("PATH", "@/libexec/driver:/bin")]).unwrap(), "/bin");
    }

    #[test]
    fn caches() {
        let case = Case::new("caches", Way::Audit, None);
        let cache = |env: &[(&str, &str)]| case.after("NUMBA_CACHE_DIR", env).unwrap();
        assert_eq!(cache(&[("HOME", "/h")]), "/h/.cache/doppel/numba");
        assert_eq!(cache(&[("HOME", "/h"), ("XDG_CACHE_HOME", "/c")]), "/c/doppel/numba");
        assert_eq!(cache(&[("HOME", "/h"), ("NUMBA_CACHE_DIR", "/mine")]), "/mine/doppel");
        assert_eq!(cache(&[("NUMBA_CACHE_DIR", "/mine/doppel")]), "/mine/doppel");
        assert_eq!(case.after("JAX_COMPILATION_CACHE_DIR", &[]), None);
        assert_eq!(
            case.after("JAX_COMPILATION_CACHE_DIR", &[("JAX_COMPILATION_CACHE_DIR", "/j")]).unwrap(),
            "/j/doppel"
        );
    }

    #[test]
    fn a_numba_whose_keys_name_our_compilers_keeps_its_cache() {
        let mut case = Case::new("numba", Way::Audit, None);
        let packages = case.root.join("venv/lib/python3.11/site-packages");
        std::fs::create_dir_all(packages.join("numba")).unwrap();
        case.place.program = Some(case.root.join("venv/bin/python"));
        let home = [("HOME", "/h")];
        let moved = Some("/h/.cache/doppel/numba".to_owned());
        assert_eq!(case.after("NUMBA_CACHE_DIR", &home), moved, "no numba-cuda");
        for (release, wanted) in [("0.9.1", &moved), ("0.30.4", &None), ("1.2.0", &None), ("new", &moved)] {
            let info = packages.join(format!("numba_cuda-{release}.dist-info"));
            std::fs::create_dir(&info).unwrap();
            assert_eq!(case.after("NUMBA_CACHE_DIR", &home), *wanted, "{release}");
            assert_eq!(case.after("NUMBA_CACHE_DIR", &[("HOME", "/h"), ("PYTHONPATH", "/x")]), moved);
            assert_eq!(case.after("NUMBA_CACHE_DIR", &[("NUMBA_CACHE_DIR", "/mine")]).unwrap(), "/mine/doppel");
            std::fs::remove_dir(&info).unwrap();
        }
        std::fs::create_dir(packages.join("numba_cuda-0.30.4.dist-info")).unwrap();
        case.place.way = Way::Path;
        assert_eq!(case.after("NUMBA_CACHE_DIR", &home), moved, "NVRTC may be the real one");
        assert_eq!(find_program(OsStr::new("a/b"), None).unwrap(), Path::new("a/b"));
        let path = std::env::join_paths([Path::new("/nowhere"), &case.root.join("libexec")]).unwrap();
        assert_eq!(find_program(OsStr::new("ptxas"), Some(&path)).unwrap(), case.root.join("libexec/ptxas"));
    }

    #[test]
    fn once_is_enough() {
        let case = Case::new("again", Way::Audit, None);
        let first = [("PATH", "/bin:@/toolkit/bin"), ("HOME", "/h"), ("LD_AUDIT", "/x.so"), ("CUPY_CACHE_DIR", "/c")];
        let names = || ROWS.iter().map(|row| row.name);
        let once: Vec<_> = names().filter_map(|name| Some((name, case.after(name, &first)?))).collect();
        let second: Vec<_> = once.iter().map(|(name, value)| (*name, value.as_str())).chain([("HOME", "/h")]).collect();
        let twice: Vec<_> = names().filter_map(|name| Some((name, case.after(name, &second)?))).collect();
        assert_eq!(once, twice);
        // In another mode nothing of it is left.
        let bare = Case::new("again", Way::Audit, Some("forward"));
        let after: Vec<_> = names().filter_map(|name| Some((name, bare.after(name, &second)?))).collect();
        let expected = [
            ("LD_LIBRARY_PATH", "@/lib/driver"),
            ("LD_AUDIT", "/x.so"),
            ("PATH", "/bin:@/toolkit/bin"),
            ("CUDA_HOME", "@/toolkit"),
            ("CUPY_CACHE_DIR", "/c"),
        ];
        assert_eq!(after, expected.map(|(name, value)| (name, value.to_owned())));
        // Whatever was not there stays so.
        assert!(ROWS.iter().all(|row| row.name == "LD_LIBRARY_PATH" || bare.after(row.name, &[]).is_none()));
    }

    #[test]
    fn folders_that_the_loader_cannot_name() {
        for bad in ["/a b", "/a:b", "/a;b", "/$LIB", "/it's"] {
            assert!(Place::new(bad.into(), Way::Audit, None, false).is_err(), "{bad}");
        }
    }

    #[test]
    fn forms() {
        let case = Case::new("forms", Way::Audit, None);
        let set = |name, value: &str| (name, Change::Set(value.into()));
        let changes = [set("LD_LIBRARY_PATH", "/l"), set("PATH", "/p:/bin"), set("A", "it's"), ("B", Change::Remove)];
        let shell = shell(&changes).ok().unwrap();
        assert!(shell.ends_with("export A='it'\\''s'\nunset B\n"), "{shell}");
        let docker = docker(&changes, &case.place).ok().unwrap().replace(case.root.to_str().unwrap(), "@");
        let expected = "ENV LD_LIBRARY_PATH=\"/l${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}\"\nENV PATH=\"@/libexec:${PATH}\"\nENV A=\"it's\"\n";
        assert_eq!(docker, expected);
        assert!(super::shell(&[set("A", "two\nlines")]).is_err());
    }

    #[test]
    fn the_documentation_has_the_same_rows() {
        let page = include_str!("../../../docs/TOOLCHAINS.md");
        for row in &ROWS {
            let line = format!("| `{}` | {} |", row.name, row.what);
            assert!(page.contains(&line), "docs/TOOLCHAINS.md lacks: {line}");
        }
    }
}
