//! Folders in which libraries lie.

use crate::cache;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The file of this program, from which links do not lead on: also where there is no `/proc`, by what the system was asked to run,
/// as long as the process is where it was started.
pub fn own_program() -> Option<PathBuf> {
    std::env::current_exe().ok().or_else(started_as)
}

/// The file that the system was asked to run.
fn started_as() -> Option<PathBuf> {
    // SAFETY: asks for a word that the system has put beside the arguments, the address of a text that ends in NUL and stays.
    let name =
        unsafe { core::ptr::with_exposed_provenance::<core::ffi::c_char>(libc::getauxval(libc::AT_EXECFN) as usize) };
    if name.is_null() {
        return None;
    }
    // SAFETY: as above.
    let name = unsafe { core::ffi::CStr::from_ptr(name) };
    Path::new(OsStr::from_bytes(name.to_bytes())).canonicalize().ok()
}

/// The files of a name in the absolute folders of a search path (`LD_LIBRARY_PATH`).
pub fn library_path(path: &OsStr, name: &str) -> Vec<PathBuf> {
    let folders = path.as_bytes().split(|&b| b == b':' || b == b';').filter(|d| d.first() == Some(&b'/'));
    folders.map(|d| Path::new(OsStr::from_bytes(d)).join(name)).collect()
}

/// The files that the loader's cache holds for a name.
pub fn system_cache(name: &str) -> Vec<PathBuf> {
    let bytes = std::fs::read("/etc/ld.so.cache").unwrap_or_default();
    cache::paths(&bytes, name.as_bytes()).into_iter().map(|p| PathBuf::from(OsStr::from_bytes(p))).collect()
}

/// Where CUDA toolkits keep their libraries: those that the environment names, then the usual one.
pub fn toolkit_folders(environment: impl Fn(&str) -> Option<PathBuf>) -> Vec<PathBuf> {
    let roots = ["CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"].iter().filter_map(|name| environment(name));
    let roots = roots.chain([PathBuf::from("/usr/local/cuda")]);
    roots.flat_map(|root| ["lib64", "lib", "targets/x86_64-linux/lib"].map(|part| root.join(part))).collect()
}

/// Where wheels keep libraries (`site-packages/nvidia/*/lib`) for this process.
pub fn python_folders(environment: impl Fn(&str) -> Option<PathBuf>) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for root in package_folders("self", environment) {
        let parts = std::fs::read_dir(root.join("nvidia")).into_iter().flatten().flatten();
        let mut parts: Vec<_> = parts.map(|part| part.path().join("lib")).collect();
        parts.sort();
        folders.extend(parts);
    }
    folders
}

/// Folders of Python's packages (`site-packages`): of the Python that a process (`self` or a number) runs, of the
/// environments that are active, and beside the modules that the process has loaded.
pub fn package_folders(process: &str, environment: impl Fn(&str) -> Option<PathBuf>) -> Vec<PathBuf> {
    let mut roots = Vec::new();
    let mut add = |root: PathBuf| {
        if !roots.contains(&root) {
            roots.push(root);
        }
    };
    if let Some(python) = program(process) {
        site_packages(&python).into_iter().for_each(&mut add);
    }
    let roots_named = ["VIRTUAL_ENV", "CONDA_PREFIX"].into_iter().filter_map(environment);
    roots_named.flat_map(|root| site_packages(&root.join("bin/python"))).for_each(&mut add);
    let maps = std::fs::read(format!("/proc/{process}/maps")).unwrap_or_default();
    maps.split(|&b| b == b'\n').filter_map(packages_in).for_each(&mut add);
    roots
}

/// The folder of packages that a line of `/proc/.../maps` names a file in.
fn packages_in(line: &[u8]) -> Option<PathBuf> {
    let path = &line[line.iter().position(|&b| b == b'/')?..];
    ["/site-packages/", "/dist-packages/"].iter().find_map(|folder| {
        let at = path.windows(folder.len()).position(|part| part == folder.as_bytes())?;
        Some(PathBuf::from(OsStr::from_bytes(&path[..at + folder.len() - 1])))
    })
}

/// The program of a process as it was called, which in a virtual environment is a link in the environment's folder.
fn program(process: &str) -> Option<PathBuf> {
    let line = std::fs::read(format!("/proc/{process}/cmdline")).ok()?;
    let name = Path::new(OsStr::from_bytes(line.split(|&b| b == 0).next()?)).to_owned();
    if name.is_absolute() {
        return Some(name);
    }
    // Relative to where the process is, or was when it started, as a shell says: it may have gone elsewhere since.
    let here = std::fs::read_link(format!("/proc/{process}/cwd")).ok();
    let environment = std::fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
    let started = environment.split(|&b| b == 0).find_map(|entry| entry.strip_prefix(b"PWD="));
    let started = started.map(|folder| PathBuf::from(OsStr::from_bytes(folder)));
    let places: Vec<PathBuf> = here.into_iter().chain(started).collect();
    let names: Vec<PathBuf> = match name.components().count() {
        0 | 1 => std::env::split_paths(&std::env::var_os("PATH")?).map(|folder| folder.join(&name)).collect(),
        _ => vec![name],
    };
    let files = || names.iter().flat_map(|name| places.iter().map(move |place| place.join(name)));
    let runs = std::fs::metadata(format!("/proc/{process}/exe")).ok().map(|file| (file.dev(), file.ino()));
    let is_it = |file: &PathBuf| runs.is_some() && file.metadata().ok().map(|f| (f.dev(), f.ino())) == runs;
    files().find(is_it).or_else(|| files().find(|file| file.is_file()))
}

/// The folders of packages that belong to a Python: `bin/python3` to `lib/python3.12/site-packages`.
pub fn site_packages(python: &Path) -> Vec<PathBuf> {
    let is_python = python.file_name().is_some_and(|name| name.as_bytes().starts_with(b"python"));
    let Some(root) = python.parent().and_then(Path::parent).filter(|_| is_python) else {
        return Vec::new();
    };
    let versions = std::fs::read_dir(root.join("lib")).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<_> = versions.map(|v| v.join("site-packages")).filter(|folder| folder.is_dir()).collect();
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_knows_its_file_without_proc() {
        assert_eq!(started_as(), std::env::current_exe().unwrap().canonicalize().ok());
    }

    #[test]
    fn search_paths() {
        let found = library_path(OsStr::new("/a::relative:/b/c"), "x.so");
        assert_eq!(found, [PathBuf::from("/a/x.so"), PathBuf::from("/b/c/x.so")]);
    }

    #[test]
    fn a_program_that_was_named_by_a_relative_path() {
        use std::io::{Read, Write};
        use std::os::unix::process::CommandExt;
        use std::process::{Command, Stdio};
        let root = std::env::temp_dir().join(format!("doppel-relative-{}", std::process::id()));
        let packages = root.join("venv/lib/python3.11/site-packages");
        std::fs::create_dir_all(&packages).unwrap();
        std::fs::create_dir_all(root.join("venv/bin")).unwrap();
        let cat = std::fs::canonicalize("/bin/cat").unwrap();
        std::os::unix::fs::symlink(cat, root.join("venv/bin/python3")).unwrap();
        // Where it was started, where it is, and how it was called.
        for (started, here, name) in [
            (&root, &root, "venv/bin/python3"),
            (&root, &root, "./venv/bin/python3"),
            (&root.join("venv"), &PathBuf::from("/"), "bin/python3"),
            (&PathBuf::from("/"), &root.join("venv/bin"), "./python3"),
            (&root.join("venv/lib"), &PathBuf::from("/"), "../bin/python3"),
        ] {
            let mut command = Command::new(root.join("venv/bin/python3"));
            command.arg0(name).env("PWD", started).current_dir(here).stdin(Stdio::piped()).stdout(Stdio::piped());
            let mut child = command.spawn().unwrap();
            // It runs when it answers: before, the system does not say what it was called.
            child.stdin.as_mut().unwrap().write_all(b"?").unwrap();
            child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
            let found = package_folders(&child.id().to_string(), |_| None);
            child.kill().unwrap();
            child.wait().unwrap();
            assert!(
                found.iter().any(|folder| folder.canonicalize().ok() == packages.canonicalize().ok()),
                "{name}: {found:?}"
            );
        }
        std::fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn packages_beside_loaded_modules() {
        let line = b"7f00-7f01 r-xp 0 0 1   /venv/lib/python3.12/site-packages/numpy/_core/x.so";
        assert_eq!(packages_in(line), Some(PathBuf::from("/venv/lib/python3.12/site-packages")));
        assert_eq!(packages_in(b"7f00-7f01 rw-p 0 0 0 [heap]"), None);
    }

    #[test]
    fn packages_of_a_python() {
        let root = std::env::temp_dir().join(format!("doppel-places-{}", std::process::id()));
        let packages = root.join("lib/python3.12/site-packages");
        std::fs::create_dir_all(&packages).unwrap();
        assert_eq!(site_packages(&root.join("bin/python3")), [packages]);
        assert!(site_packages(&root.join("bin/sh")).is_empty());
        std::fs::remove_dir_all(root).unwrap();
    }
}
