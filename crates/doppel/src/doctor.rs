//! `doppel doctor`: looks at a program before it is run, and says what will work and what helps where it will not.

mod file;

use crate::arguments::Launch;
use crate::environment;
use crate::library;
use crate::{Failure, print, print_json};
use file::{File, Kind, Runtime};
use profiles::attribute::DeviceAttribute;
use profiles::profile::Profile;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Where a library comes from.
struct Loaded {
    name: String,
    /// `None`: from nowhere.
    path: Option<PathBuf>,
    ours: bool,
    needed_by: PathBuf,
}

/// Something that will not work.
struct Finding {
    what: String,
    /// One line that helps, if there is one.
    fix: Option<String>,
}

/// What was found.
#[derive(Default)]
struct Report {
    facts: Vec<(&'static str, String)>,
    libraries: Vec<Loaded>,
    findings: Vec<Finding>,
}

impl Report {
    fn fact(&mut self, name: &'static str, text: impl Into<String>) {
        self.facts.push((name, text.into()));
    }

    fn finding(&mut self, what: impl Into<String>, fix: Option<&str>) {
        self.findings.push(Finding { what: what.into(), fix: fix.map(str::to_owned) });
    }
}

/// Looks at a program. The exit status is 1 if something will not work.
pub fn doctor(launch: &Launch, json: bool) -> Result<u8, Failure> {
    let folder = library::folder()?;
    let env = |name: &str| {
        let given = launch.variables.iter().find(|(variable, _)| *variable == name).map(|(_, value)| value.clone());
        given.or_else(|| std::env::var_os(name)).filter(|value| !value.is_empty())
    };
    let Some(program) =
        environment::find_program(&launch.program, std::env::var_os("PATH").as_deref()).filter(|file| file.is_file())
    else {
        return Err(Failure { text: format!("there is no program {}", launch.program.to_string_lossy()), code: 127 });
    };
    let mut report = Report::default();
    report.fact("program", program.display().to_string());
    examine(&mut report, &program, &folder, &env, 0)?;
    if json {
        print_json(&report.json())?
    } else {
        print(&report.text())?
    }
    Ok(u8::from(!report.findings.is_empty()))
}

/// Interpreters that scripts of interpreters name.
const DEPTH: usize = 4;

fn examine(
    report: &mut Report,
    program: &Path,
    folder: &Path,
    env: &dyn Fn(&str) -> Option<OsString>,
    depth: usize,
) -> Result<(), Failure> {
    let bytes = map(program).map_err(|why| Failure::new(format!("{}: {why}", program.display())))?;
    match file::kind(&bytes) {
        Kind::Elf => {}
        Kind::Script(words) if depth < DEPTH => {
            let Some(interpreter) = interpreter(&words) else {
                report.finding("the interpreter that the script names is not found", None);
                return Ok(());
            };
            report.fact("script of", interpreter.display().to_string());
            return examine(report, &interpreter, folder, env, depth + 1);
        }
        Kind::Bits32 => {
            report.finding(
                "it is a program of 32 bits: there is no driver for it",
                Some("build it for 64 bits (x86-64)"),
            );
            return Ok(());
        }
        Kind::OtherProcessor => {
            report.finding("it is for another processor than this one", Some("build it for x86-64"));
            return Ok(());
        }
        Kind::Script(_) | Kind::Unknown => {
            report.finding("it is neither a program nor a script that says of what", None);
            return Ok(());
        }
    }
    let file = file::read(&bytes);
    let metadata = program.metadata().map_err(|why| Failure::new(format!("{}: {why}", program.display())))?;
    // SAFETY: asks for a number.
    let own = metadata.uid() == unsafe { libc::geteuid() };
    if metadata.permissions().mode() & 0o6000 != 0 && !own {
        report.finding(
            "it runs with another user's rights: the loader ignores LD_AUDIT and LD_LIBRARY_PATH",
            Some("add our folder to /etc/ld.so.conf, and run ldconfig"),
        );
    }
    match &file.interpreter {
        Some(loader) if loader.contains("ld-musl") => {
            report.fact("linked", "dynamically, with musl");
            report.finding(
                "musl's loader has no auditing libraries, and cannot load ours, which need glibc",
                Some("run it in an image with glibc, or build it for glibc"),
            );
            return Ok(());
        }
        Some(loader) => report.fact("linked", format!("dynamically, by {loader}")),
        None if !file.needed.is_empty() => report.fact("linked", "as a library"),
        None => report.fact("linked", "statically"),
    }
    if file.interpreter.is_none() && file.needed.is_empty() {
        report.finding(
            "a statically linked program has no loader, so that no driver comes into it",
            Some("link it dynamically (without -static)"),
        );
    }
    let files = load(report, program, file, folder, env);
    judge(report, &files, env);
    python(report, program);
    Ok(())
}

/// The file's bytes, as far as they are asked for.
fn map(path: &Path) -> std::io::Result<memmap2::Mmap> {
    let file = std::fs::File::open(path)?;
    // SAFETY: bytes of a file that somebody changes meanwhile may change, which the readers stand.
    unsafe { memmap2::Mmap::map(&file) }
}

/// The program behind `#!`. `env` is followed.
fn interpreter(words: &[String]) -> Option<PathBuf> {
    let (first, rest) = words.split_first()?;
    if Path::new(first).file_name()? != "env" {
        return Some(PathBuf::from(first)).filter(|file| file.is_file());
    }
    let word = rest.first()?.split_whitespace().find(|word| !word.starts_with('-') && !word.contains('='))?;
    environment::find_program(OsStr::new(word), std::env::var_os("PATH").as_deref())
}

/// Whether ours stand in the place of a library of this name.
fn replaced(name: &str) -> Option<String> {
    let [name, rest] = name.split_once(".so").map(|(name, rest)| [name, rest])?;
    let version = |least: &str| {
        if rest.is_empty() { least.to_owned() } else { rest.split('.').nth(1).unwrap_or(least).to_owned() }
    };
    match name {
        "libcuda" | "libnvidia-ml" => Some(format!("{name}.so.1")),
        "libcudart" | "libnvrtc" | "libnvJitLink" => Some(format!("{name}.so.{}", version("13"))),
        _ => None,
    }
}

/// Follows the libraries as the loader does; the files that come, the program first.
fn load(
    report: &mut Report,
    program: &Path,
    file: File,
    folder: &Path,
    env: &dyn Fn(&str) -> Option<OsString>,
) -> Vec<(PathBuf, File)> {
    let bare = env("DOPPEL_MODE").is_some_and(|mode| mode == "forward" || mode == "absent");
    let library_path = env("LD_LIBRARY_PATH").unwrap_or_default();
    let mut files = vec![(program.to_owned(), file)];
    let mut queue: VecDeque<usize> = [0].into();
    while let Some(at) = queue.pop_front() {
        let (path, needed) = (files[at].0.clone(), files[at].1.needed.clone());
        for name in needed {
            if report.libraries.iter().any(|library| library.name == name) {
                continue;
            }
            let ours = replaced(&name).map(|name| folder.join(name)).filter(|file| !bare && file.is_file());
            let found = match &ours {
                Some(file) => Some(file.clone()),
                None => find(&name, &path, &files[at].1, &files[0], &library_path),
            };
            if let (Some(found), None) = (&found, &ours)
                && let Ok(bytes) = map(found)
                && file::kind(&bytes) == Kind::Elf
            {
                files.push((found.clone(), file::read(&bytes)));
                queue.push_back(files.len() - 1);
            }
            report.libraries.push(Loaded { name, path: found, ours: ours.is_some(), needed_by: path.clone() });
        }
    }
    files
}

/// Where the loader finds a library.
fn find(name: &str, by: &Path, file: &File, program: &(PathBuf, File), library_path: &OsStr) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|path| path.is_file());
    }
    let of =
        |folders: &[String], by: &Path| folders.iter().map(|f| file::expanded(f, by).join(name)).collect::<Vec<_>>();
    let mut places = Vec::new();
    if file.runpath.is_empty() {
        places.extend(of(&file.rpath, by));
        if program.1.runpath.is_empty() {
            places.extend(of(&program.1.rpath, &program.0));
        }
    }
    places.extend(real::library_path(library_path, name));
    places.extend(of(&file.runpath, by));
    places.extend(real::system_cache(name));
    places.extend(
        ["/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib"]
            .map(|f| Path::new(f).join(name)),
    );
    let fits = |path: &PathBuf| map(path).is_ok_and(|bytes| file::kind(&bytes) == Kind::Elf);
    places.into_iter().find(fits)
}

/// What becomes of runtimes and device code.
fn judge(report: &mut Report, files: &[(PathBuf, File)], env: &dyn Fn(&str) -> Option<OsString>) {
    let mut runtimes: Vec<String> = Vec::new();
    let shared = report.libraries.iter().filter(|l| l.name.starts_with("libcudart"));
    runtimes
        .extend(shared.map(|l| format!("{}, shared{}", l.name, if l.ours { ": ours takes its place" } else { "" })));
    for (path, file) in files {
        match file.runtime {
            Some(Runtime::Ours) => runtimes.push(format!("ours, linked statically into {}", path.display())),
            Some(Runtime::Nvidia) => {
                runtimes.push(format!("NVIDIA's, linked statically into {}", path.display()));
                report.finding(
                    format!(
                        "NVIDIA's runtime inside of {} authenticates NVIDIA's driver, and refuses every other",
                        path.display()
                    ),
                    Some("link with `nvcc -cudart shared`, or build under `eval \"$(doppel env)\"`"),
                );
            }
            None => {}
        }
    }
    report.fact("CUDA runtime", if runtimes.is_empty() { "none is linked".to_owned() } else { runtimes.join("; ") });
    for library in &report.libraries {
        if library.path.is_none() {
            let what = format!("{} is not found, which {} needs", library.name, library.needed_by.display());
            let fix = "install it, or name its folder in LD_LIBRARY_PATH".to_owned();
            report.findings.push(Finding { what, fix: Some(fix) });
        }
    }
    let capability = capability(env);
    let list = |list: &[container::Architecture], prefix: &str| {
        list.iter()
            .map(|a| format!("{prefix}{}", a.to_string().trim_start_matches("sm_")))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let mut any = false;
    for (path, file) in files.iter().filter(|(_, file)| file.code.binaries > 0) {
        any = true;
        let code = &file.code;
        let mut parts = Vec::new();
        if !code.ptx.is_empty() {
            parts.push(format!("PTX for {}", list(&code.ptx, "compute_")));
        }
        if !code.machine_code.is_empty() {
            parts.push(format!("machine code for {}", list(&code.machine_code, "sm_")));
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        report.fact("kernels", format!("{name}: {}", parts.join("; ")));
        let fits = |number: u32| code.ptx.iter().any(|a| a.suits(number));
        // The linker adds one without kernels.
        if code.without_ptx > 1 && !code.ptx.is_empty() {
            let text = format!(
                "{} of {} fat binaries in {name} hold no PTX: kernels in them do not run",
                code.without_ptx, code.binaries
            );
            report.fact("note", text);
        }
        if code.ptx.is_empty() {
            report.finding(
                format!("{}: its kernels are machine code of a GPU only, which nothing here runs", path.display()),
                Some("compile with PTX inside: `nvcc -gencode arch=compute_80,code=compute_80`"),
            );
        } else if let Some(number) = capability.filter(|&number| !fits(number)) {
            let profile = ["cc75", "cc80", "cc86", "cc89", "cc90", "cc100", "cc120"];
            let profile = profile.into_iter().find(|name| name[2..].parse().is_ok_and(fits));
            report.finding(
                format!(
                    "{}: its PTX does not suit a device of compute capability {}.{}",
                    path.display(),
                    number / 10,
                    number % 10
                ),
                profile.map(|name| format!("run it with `--devices {name}`")).as_deref(),
            );
        }
    }
    if !any {
        report.fact("kernels", "none inside: what it runs it brings or compiles while it runs");
    }
}

/// 90 for a first device of 9.0.
fn capability(env: &dyn Fn(&str) -> Option<OsString>) -> Option<u32> {
    let spec = env("DOPPEL_DEVICES").map_or_else(|| "1".to_owned(), |spec| spec.to_string_lossy().into_owned());
    let profiles = Profile::list(&spec, true).ok()?;
    let number = |attribute| profiles.first()?.attribute(attribute).and_then(|n| u32::try_from(n).ok());
    Some(10 * number(DeviceAttribute::COMPUTE_CAPABILITY_MAJOR)? + number(DeviceAttribute::COMPUTE_CAPABILITY_MINOR)?)
}

/// Packages of Python's that have a line of their own: the folder in `site-packages`, the name, what is to be said.
const PACKAGES: &[(&str, &str, Option<&str>)] = &[
    ("torch", "PyTorch", None),
    ("cupy", "CuPy", None),
    ("numba_cuda", "Numba", None),
    ("jaxlib", "JAX", None),
    ("triton", "Triton", None),
    ("cuda/core", "cuda.core", None),
    (
        "cuda/bindings",
        "cuda.bindings",
        Some("cuda.bindings.runtime carries NVIDIA's runtime, which refuses this driver: use cuda.bindings.driver"),
    ),
];

fn python(report: &mut Report, program: &Path) {
    for folder in real::site_packages(program) {
        let found: Vec<_> = PACKAGES.iter().filter(|(name, ..)| folder.join(name).is_dir()).collect();
        if !found.is_empty() {
            let names: Vec<_> = found.iter().map(|(_, name, _)| *name).collect();
            report.fact("Python", format!("{} in {}", names.join(", "), folder.display()));
        }
        for remark in found.iter().filter_map(|(.., remark)| *remark) {
            report.fact("note", remark);
        }
    }
}

impl Report {
    fn text(&self) -> String {
        let mut text = String::new();
        for (name, fact) in &self.facts {
            text.push_str(&format!("{name:<16}{fact}\n"));
        }
        for library in &self.libraries {
            let path = library.path.as_ref().map_or("not found".to_owned(), |path| path.display().to_string());
            text.push_str(&format!(
                "{:<16}{} => {path}{}\n",
                "library",
                library.name,
                if library.ours { " (ours)" } else { "" }
            ));
        }
        for finding in &self.findings {
            text.push_str(&format!("will not work   {}\n", finding.what));
            if let Some(fix) = &finding.fix {
                text.push_str(&format!("  what helps    {fix}\n"));
            }
        }
        if self.findings.is_empty() {
            text.push_str("nothing is in the way of `doppel run`\n");
        }
        text
    }

    fn json(&self) -> Value {
        let libraries = self.libraries.iter().map(|l| {
            json!({ "name": l.name, "path": l.path.as_ref().map(|p| p.to_string_lossy()), "ours": l.ours, "needed_by": l.needed_by.to_string_lossy() })
        });
        let findings = self.findings.iter().map(|f| json!({ "what": f.what, "fix": f.fix }));
        let facts = self.facts.iter().map(|(name, fact)| json!({ "name": name, "fact": fact }));
        json!({
            "facts": facts.collect::<Vec<_>>(),
            "libraries": libraries.collect::<Vec<_>>(),
            "findings": findings.collect::<Vec<_>>(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_replaced() {
        let names = |name: &str| replaced(name).unwrap_or_default();
        assert_eq!(names("libcuda.so.1"), "libcuda.so.1");
        assert_eq!(names("libcuda.so"), "libcuda.so.1");
        assert_eq!(names("libcudart.so.12"), "libcudart.so.12");
        assert_eq!(names("libnvrtc.so.13"), "libnvrtc.so.13");
        assert_eq!((names("libcublas.so.13"), names("libcudart")), (String::new(), String::new()));
    }
}
