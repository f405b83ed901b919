//! NVIDIA's programs: when one is to run in our place, and where it is.

use settings::config::{self, Mode};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// What a shell exits with when a program is not found.
const NOT_FOUND: u8 = 127;
/// Folders of tools like these, so that two installations do not call each other in turns.
const SEEN: &str = "DOPPEL_TOOLS_SEEN";

/// Whether the mode leaves everything to NVIDIA's programs. `auto` is decided by the device's files: asking the driver
/// would cost more than most calls of a tool.
pub fn is_wanted() -> bool {
    use std::os::unix::ffi::OsStringExt;
    let env = |name: &str| std::env::var_os(name).map(OsString::into_vec);
    match config::parse_start(env, config::secure()).0.mode {
        Some(Mode::Cpu) => false,
        Some(Mode::Auto) => config::has_driver_files(),
        _ => true,
    }
}

/// Runs NVIDIA's program of a name in our place; returns only if that fails.
pub fn run<S: AsRef<OsStr>>(name: &str, arguments: &[S]) -> ExitCode {
    let Some(program) = find(name) else { return missing(name) };
    let error = command(&program).args(arguments).exec();
    eprintln!("doppel: cannot run {}: {error}", program.display());
    ExitCode::from(NOT_FOUND)
}

/// Says that there is none.
pub fn missing(name: &str) -> ExitCode {
    eprintln!(
        "doppel: NVIDIA's {name} is in none of: DOPPEL_REAL_{}, PATH, CUDA_HOME, CUDA_PATH, /usr/local/cuda, Python's packages",
        name.to_uppercase()
    );
    ExitCode::from(NOT_FOUND)
}

/// A command that runs it, and knows where we are.
pub fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    let mut seen = std::env::var_os(SEEN).unwrap_or_default();
    if let Some(own) = own_folder() {
        seen.push(":");
        seen.push(own);
    }
    command.env(SEEN, seen);
    command
}

/// The folder of this program.
pub fn own_folder() -> Option<PathBuf> {
    ::real::own_program()?.parent().map(Path::to_path_buf)
}

/// The program of a name that a user would have without us.
pub fn find(name: &str) -> Option<PathBuf> {
    let variable = format!("DOPPEL_REAL_{}", name.to_uppercase());
    if !config::secure()
        && let Some(named) = std::env::var_os(variable).filter(|value| !value.is_empty())
    {
        return Some(named.into());
    }
    let seen = std::env::var_os(SEEN).unwrap_or_default();
    let seen = std::env::split_paths(&seen).chain(own_folder()).collect::<Vec<_>>();
    let usable = |folder: &PathBuf| is_program(&folder.join(name)) && !seen.iter().any(|other| is_same(folder, other));
    folders(name).find(usable).map(|folder| folder.join(name))
}

fn is_program(file: &Path) -> bool {
    file.metadata().is_ok_and(|file| file.is_file() && file.mode() & 0o111 != 0)
}

fn is_same(one: &Path, other: &Path) -> bool {
    match (one.metadata(), other.metadata()) {
        (Ok(one), Ok(other)) => (one.dev(), one.ino()) == (other.dev(), other.ino()),
        _ => false,
    }
}

/// Where it may be, the likeliest first.
fn folders(name: &str) -> impl Iterator<Item = PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path: Vec<PathBuf> = std::env::split_paths(&path).filter(|folder| folder.is_absolute()).collect();
    let homes = ["CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "CUDAToolkit_ROOT"].into_iter().filter_map(std::env::var_os);
    let homes: Vec<PathBuf> =
        homes.filter(|home| !home.is_empty()).map(|home| PathBuf::from(home).join("bin")).collect();
    let triton = (name == "ptxas").then_some("triton/backends/nvidia/bin");
    let packaged = move || packages().into_iter().flat_map(move |site| packaged(&site, triton));
    path.into_iter()
        .chain(homes)
        .chain([PathBuf::from("/usr/local/cuda/bin")])
        .chain(core::iter::once(()).flat_map(move |()| packaged()))
}

/// Where Python's packages have programs: the newest first.
fn packaged(site: &Path, other: Option<&str>) -> Vec<PathBuf> {
    let mut nvidia: Vec<PathBuf> = entries(&site.join("nvidia"));
    nvidia.retain(|folder| {
        folder.file_name().is_some_and(|name| name == "cuda_nvcc" || name.as_bytes().starts_with(b"cu1"))
    });
    nvidia.sort();
    let nvidia = nvidia.into_iter().rev().map(|folder| folder.join("bin"));
    nvidia.chain(other.map(|folder| site.join(folder))).collect()
}

/// Folders of Python's packages: for the program that called us, and of the `python3` that is found.
fn packages() -> Vec<PathBuf> {
    // SAFETY: asks for a number.
    let parent = unsafe { libc::getppid() };
    let mut found = ::real::package_folders(&parent.to_string(), |name| std::env::var_os(name).map(PathBuf::from));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let python = std::env::split_paths(&path).map(|folder| folder.join("python3")).find(|file| is_program(file));
    for folder in python.iter().flat_map(|python| ::real::site_packages(python)) {
        if !found.contains(&folder) {
            found.push(folder);
        }
    }
    found
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}
