//! The modes of the library, seen from a C program, with a stand-in for the real driver.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// A folder with: `ours/libcuda.so.1`, `fake/libcuda.so.1`, `copy/libcuda.so.1` (ours again, another file), `probe`.
fn stage() -> &'static Path {
    static STAGE: OnceLock<PathBuf> = OnceLock::new();
    STAGE.get_or_init(|| {
        let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("modes-{}", std::process::id()));
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        for sub in ["ours", "fake", "copy"] {
            fs::create_dir_all(dir.join(sub)).unwrap();
        }
        let library = std::env::current_exe().unwrap().with_file_name("libcuda.so");
        symlink(&library, dir.join("ours/libcuda.so.1")).unwrap();
        fs::copy(&library, dir.join("copy/libcuda.so.1")).unwrap();
        let cc = |args: &[&str], source: &str, out: &str| {
            let status = Command::new("cc")
                .args(["-O1", "-Wall", "-Werror", "-o"])
                .arg(dir.join(out))
                .arg(data.join(source))
                .args(args)
                .status()
                .expect("a C compiler is needed");
            assert!(status.success());
        };
        cc(&["-shared", "-fPIC", "-Wl,-soname,libcuda.so.1"], "fake_driver.c", "fake/libcuda.so.1");
        cc(&["-ldl"], "probe.c", "probe");
        dir
    })
}

/// What the probe printed.
struct Answers {
    values: HashMap<String, String>,
    stderr: String,
}

impl Answers {
    fn expect(&self, pairs: &[(&str, &str)]) {
        for (key, value) in pairs {
            assert_eq!(self.values.get(*key).map(String::as_str), Some(*value), "{key}; stderr: {}", self.stderr);
        }
    }
}

/// Runs the probe on our library. `@` in a value stands for the stage's path.
fn probe(vars: &[(&str, &str)], args: &[&str]) -> Answers {
    let dir = stage();
    let mut command = Command::new(dir.join("probe"));
    let ours = dir.join("ours/libcuda.so.1");
    if args.contains(&"by name") {
        command.arg("libcuda.so.1");
    } else {
        command.arg(&ours);
    }
    if args.contains(&"global") {
        command.arg("global");
    }
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        if name.starts_with("DOPPEL_") || name.starts_with("CUDA_") || name.starts_with("LD_") {
            command.env_remove(name);
        }
    }
    for (name, value) in vars {
        command.env(name, value.replace('@', dir.to_str().unwrap()));
    }
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{:?}, stderr: {stderr}", output.status);
    let stdout = String::from_utf8(output.stdout).unwrap();
    let values = stdout.lines().map(|l| l.split_once('=').unwrap()).map(|(k, v)| (k.into(), v.into())).collect();
    Answers { values, stderr }
}

/// Every call is the fake driver's.
const FORWARDED: &[(&str, &str)] = &[
    ("version", "0,12345"),
    ("count_before", "0"),
    ("init", "0"),
    ("count", "0,1"),
    ("alloc", "0,10010"),
    ("launch", "0"),
    ("managed", "36"),
    ("table", "0,4242"),
    // What we export is handed out as ours, the rest as the real driver's.
    ("cuMemAlloc", "0,0,ours"),
    ("same", "1"),
    ("cuOnlyHere", "0,0,fake"),
    ("only_here", "77"),
    ("cuGetProcAddress", "0,0,ours"),
    ("self", "1"),
    ("cuNoSuch", "0,1,null"),
    ("cuRefused", "304,-1,null"),
    ("v1", "0,1"),
    ("v1_unknown", "500"),
];

/// No device.
const ABSENT: &[(&str, &str)] = &[
    ("version", "0,13000"),
    ("count_before", "3"),
    ("init", "100"),
    ("count", "3,-1"),
    ("alloc", "3,0"),
    ("managed", "3"),
    ("cuMemAlloc", "0,0,ours"),
    ("same", "1"),
    ("cuNoSuch", "0,1,null"),
    ("v1", "0,1"),
    ("v1_unknown", "500"),
];

const REAL: (&str, &str) = ("DOPPEL_REAL_LIBCUDA", "@/fake/libcuda.so.1");

#[test]
fn forward_to_a_named_driver() {
    for args in [&[][..], &["global"]] {
        let answers = probe(&[("DOPPEL_MODE", "forward"), REAL], args);
        answers.expect(FORWARDED);
        assert_eq!(
            answers.stderr,
            "doppel: the real driver has no cuMemAllocManaged: CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER\n"
        );
    }
}

#[test]
fn forward_to_the_driver_on_the_library_path() {
    // We are first on the path, so that programs find us; the search must pass over us, also through a second link.
    for path in ["@/ours:@/fake", "@/ours:@/copy:@/fake"] {
        probe(&[("DOPPEL_MODE", "forward"), ("LD_LIBRARY_PATH", path)], &["by name", "global"]).expect(FORWARDED);
    }
}

#[test]
fn forward_when_preloaded() {
    let vars = [("DOPPEL_MODE", "forward"), ("LD_PRELOAD", "@/ours/libcuda.so.1"), ("LD_LIBRARY_PATH", "@/fake")];
    probe(&vars, &["by name"]).expect(FORWARDED);
}

#[test]
fn never_to_ourselves() {
    for (path, reason) in [
        ("@/ours/libcuda.so.1", "this library itself"),
        ("@/copy/libcuda.so.1", "another copy of this library"),
        ("@/probe.none", "No such file"),
        ("@/fake", "not a file"),
        ("/etc/passwd", "not a library for this machine"),
    ] {
        let answers = probe(&[("DOPPEL_MODE", "forward"), ("DOPPEL_REAL_LIBCUDA", path)], &[]);
        answers.expect(ABSENT);
        let lines: Vec<_> = answers.stderr.lines().collect();
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].contains(reason), "{lines:?}");
    }
}

#[test]
fn auto() {
    probe(&[("DOPPEL_MODE", "auto"), REAL], &[]).expect(FORWARDED);
    probe(&[("DOPPEL_MODE", "auto"), REAL], &["global"]).expect(FORWARDED);
    probe(&[("DOPPEL_MODE", "auto"), REAL, ("FAKE_DEVICES", "0")], &["global"]).expect(&[("version", "0,13000")]);
    let vars = [("DOPPEL_MODE", "auto"), ("DOPPEL_REAL_LIBCUDA", "/none")];
    probe(&vars, &[]).expect(&[("version", "0,13000")]);
}

#[test]
fn absent() {
    let answers = probe(&[("DOPPEL_MODE", "absent"), REAL], &[]);
    answers.expect(ABSENT);
    assert_eq!(answers.stderr, "");
}

#[test]
fn a_malformed_mode_is_refused() {
    let answers = probe(&[("DOPPEL_MODE", "gpu"), REAL], &[]);
    answers.expect(&[("version", "0,13000"), ("init", "1"), ("count", "3,-1"), ("alloc", "3,0")]);
    assert_eq!(answers.stderr.lines().count(), 1, "{}", answers.stderr);
    assert!(answers.stderr.contains("DOPPEL_MODE=\"gpu\""));
}

#[test]
fn a_malformed_value_makes_init_fail() {
    for mode in ["cpu", "forward"] {
        let answers = probe(&[("DOPPEL_MODE", mode), REAL, ("DOPPEL_DEVICE_MEMORY", "much")], &[]);
        answers.expect(&[("init", "1")]);
        assert_eq!(answers.stderr.matches("DOPPEL_DEVICE_MEMORY=\"much\"").count(), 1, "{}", answers.stderr);
    }
}

#[test]
fn a_variable_without_effect_is_mentioned_once() {
    let answers = probe(&[("DOPPEL_MODE", "forward"), REAL, ("DOPPEL_TRACE", "x")], &[]);
    answers.expect(&[("init", "0")]);
    assert_eq!(answers.stderr.matches("DOPPEL_TRACE").count(), 1, "{}", answers.stderr);
}
