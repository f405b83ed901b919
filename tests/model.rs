//! Random sequences of memory operations against plain byte vectors: `tests/model/model.c` on this build, under every
//! schedule.
//!
//! `MODEL_SECONDS` makes each of its runs last that long; `MODEL_SEED` is the first seed.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder with the program and the library that it finds.
fn stage() -> &'static Path {
    static STAGE: OnceLock<PathBuf> = OnceLock::new();
    STAGE.get_or_init(|| {
        let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("model-{}", std::process::id()));
        let top = Path::new(env!("CARGO_MANIFEST_DIR"));
        std::fs::create_dir_all(&dir).unwrap();
        let library = std::env::current_exe().unwrap().with_file_name("libcuda.so");
        for name in ["libcuda.so", "libcuda.so.1"] {
            symlink(&library, dir.join(name)).unwrap();
        }
        let status = Command::new("cc")
            .args(["-std=c11", "-D_GNU_SOURCE", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-o"])
            .arg(dir.join("model"))
            .arg(top.join("tests/model/model.c"))
            .arg("-I")
            .arg(top)
            .arg("-L")
            .arg(&dir)
            .args(["-lcuda", "-lpthread"])
            .status()
            .expect("a C compiler is needed");
        assert!(status.success());
        dir
    })
}

/// Runs the program once: what it printed, and the end of the error log.
fn model(schedule: &str, seed: u64, args: &[&str]) -> (Output, String) {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let log = stage().join(format!("errors-{}", RUNS.fetch_add(1, Ordering::Relaxed)));
    let mut command = Command::new("timeout");
    command.args(["-s", "KILL"]);
    command.arg((120 + seconds()).to_string()).arg(stage().join("model")).arg(format!("seed={seed}")).args(args);
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        if name.starts_with("DOPPEL_") || name.starts_with("CUDA_") {
            command.env_remove(name);
        }
    }
    command.env("LD_LIBRARY_PATH", stage());
    command.env("DOPPEL_DEVICES", "2").env("DOPPEL_DEVICE_MEMORY", "1GiB").env("DOPPEL_SCHEDULE", schedule);
    // Tests beside this one have devices of their own.
    command.env("DOPPEL_NODE", "none");
    command.env("CUDA_LOG_FILE", &log);
    let output = command.output().unwrap();
    let errors = std::fs::read_to_string(&log).unwrap_or_default();
    let _ = std::fs::remove_file(&log);
    let lines: Vec<_> = errors.lines().collect();
    (output, lines[lines.len().saturating_sub(20)..].join("\n"))
}

fn number(variable: &str) -> u64 {
    std::env::var(variable).ok().and_then(|v| v.parse().ok()).unwrap_or(0)
}

fn seconds() -> u64 {
    number("MODEL_SECONDS")
}

/// Runs a few seeds under a schedule. A seed that fails is run again looking at everything after every operation, which
/// names the first wrong one.
fn check(schedule: &str, args: &[&str]) {
    let mut args = args.to_vec();
    let limit = format!("seconds={}", seconds());
    if seconds() > 0 {
        args.push(&limit);
    }
    let first = number("MODEL_SEED").max(1);
    for seed in first..first + if seconds() > 0 { 1 } else { 2 } {
        let (output, errors) = model(schedule, seed, &args);
        if output.status.success() {
            println!("{schedule}: {}", String::from_utf8_lossy(&output.stdout).trim());
            continue;
        }
        args.push("every=1");
        let (closely, close_errors) = model(schedule, seed, &args);
        panic!(
            "schedule {schedule}, seed {seed}, {args:?}: {}\n{}\n{errors}\nthe same seed, everything looked at after every \
             operation: {}\n{}\n{close_errors}",
            output.status,
            String::from_utf8_lossy(&output.stderr),
            closely.status,
            String::from_utf8_lossy(&closely.stderr)
        );
    }
}

#[test]
fn one_thread_eager() {
    check("eager", &["threads=1", "ops=1200"]);
}

#[test]
fn one_thread_lazy() {
    check("lazy", &["threads=1", "ops=1200"]);
}

#[test]
fn one_thread_random() {
    check("random:1", &["threads=1", "ops=1200"]);
    check("random:7777", &["threads=1", "ops=1200"]);
}

#[test]
fn threads_eager() {
    check("eager", &["threads=6", "ops=600"]);
}

#[test]
fn threads_lazy() {
    check("lazy", &["threads=6", "ops=600"]);
}

#[test]
fn threads_random() {
    check("random:3", &["threads=6", "ops=600"]);
}

#[test]
fn shared_streams() {
    for schedule in ["eager", "lazy", "random:5"] {
        check(schedule, &["threads=8", "streams=6", "ops=400"]);
    }
}
