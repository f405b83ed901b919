//! A stage for C programs that call our library beside a stand-in for the real driver.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// A folder with: `ours/libcuda.so.1`, `fake/libcuda.so.1`, `copy/libcuda.so.1` (ours again, another file), `probe`,
/// `forward_probe`.
pub fn stage() -> &'static Path {
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
        cc(&["-ldl", "-lpthread"], "forward_probe.c", "forward_probe");
        dir
    })
}

/// What the probe printed.
pub struct Answers {
    pub values: HashMap<String, String>,
    pub stderr: String,
}

impl Answers {
    pub fn expect(&self, pairs: &[(&str, &str)]) {
        for (key, value) in pairs {
            assert_eq!(self.values.get(*key).map(String::as_str), Some(*value), "{key}; stderr: {}", self.stderr);
        }
    }
}

/// Runs a program of the stage. `@` in an argument or a value stands for the stage's path.
pub fn run(program: &str, args: &[&str], vars: &[(&str, &str)]) -> Answers {
    let dir = stage();
    let full = |text: &str| text.replace('@', dir.to_str().unwrap());
    let mut command = Command::new(dir.join(program));
    command.args(args.iter().map(|arg| full(arg)));
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        if name.starts_with("DOPPEL_") || name.starts_with("CUDA_") || name.starts_with("LD_") {
            command.env_remove(name);
        }
    }
    command.env("DOPPEL_NODE", "none");
    for (name, value) in vars {
        command.env(name, full(value));
    }
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{:?}, stderr: {stderr}", output.status);
    let stdout = String::from_utf8(output.stdout).unwrap();
    let values = stdout.lines().map(|l| l.split_once('=').unwrap()).map(|(k, v)| (k.into(), v.into())).collect();
    Answers { values, stderr }
}
