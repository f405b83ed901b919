//! Panics and call stacks of processes of their own: with the system's libgcc_s, and without any.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, exit};

extern crate unwinder as _;

/// What the child does, and the names of its functions that are counted in call stacks.
const WORK: &str = "UNWINDER_WORK";

#[inline(never)]
fn deep(n: usize, end: &mut dyn FnMut()) {
    struct Guard;
    impl Drop for Guard {
        fn drop(&mut self) {
            std::hint::black_box(self as *mut Guard);
        }
    }
    let _guard = Guard;
    if n == 0 { end() } else { deep(n - 1, end) }
}

fn is_loaded() -> bool {
    match std::fs::read_to_string("/proc/self/maps") {
        Ok(maps) => maps.contains("libgcc_s"),
        // tests/packages/systems.sh runs this program without /proc.
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => false,
        Err(why) => panic!("{why}"),
    }
}

fn frames() -> usize {
    let mut text = String::new();
    deep(10, &mut || text = std::backtrace::Backtrace::force_capture().to_string());
    // Debug information, where it is, has the name alone.
    text.lines().filter(|line| line.ends_with("deep")).count()
}

fn caught() -> bool {
    std::panic::catch_unwind(|| deep(10, &mut || std::panic::panic_any(7))).unwrap_err().downcast_ref() == Some(&7)
}

/// What the child says.
fn child(work: &str) {
    let before = is_loaded();
    match work {
        "nothing" => println!("loaded {before}"),
        "stack" => println!("loaded {before}, frames {}", frames()),
        "panic" => println!("loaded {before}, caught {}, frames {}", caught(), frames()),
        "threads" => {
            let threads: Vec<_> = (0..16).map(|_| std::thread::spawn(|| (0..20).all(|_| caught()))).collect();
            println!("caught {}", threads.into_iter().all(|t| t.join().unwrap()));
        }
        "fork" => {
            // SAFETY: the child ends below.
            let child = unsafe { libc::fork() };
            if child == 0 {
                exit(if caught() { 0 } else { 1 });
            }
            let mut status = 0;
            // SAFETY: the variable lives.
            unsafe { libc::waitpid(child, &mut status, 0) };
            println!("status {status}, caught {}", caught());
        }
        "descriptors" => {
            // None is left: no library can be opened.
            let limit = libc::rlimit { rlim_cur: 3, rlim_max: 3 };
            // SAFETY: the structure lives.
            unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &limit) };
            println!("caught {}", caught());
        }
        _ => unreachable!(),
    }
}

fn run(program: &Path, work: &str, without: Option<&Path>) -> Output {
    let mut command = Command::new(program);
    command.env(WORK, work).env("RUST_BACKTRACE", "0");
    if let Some(library) = without {
        command.env("LD_AUDIT", library);
    }
    command.output().unwrap()
}

/// Fails unless it said so and ended well.
fn says(output: Output, text: &str) {
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.trim() == text,
        "{:?}: {said}{}, not {text}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Fails unless it ended with a line about the library.
fn ends(output: Output) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.signal(), Some(libc::SIGABRT), "{said}");
    assert_eq!(said.matches("doppel: a panic cannot be caught without libgcc_s.so.1").count(), 1, "{said}");
}

fn main() {
    if let Ok(work) = std::env::var(WORK) {
        return child(&work);
    }
    let own = std::env::current_exe().unwrap();
    says(run(&own, "nothing", None), "loaded false");
    says(run(&own, "stack", None), "loaded false, frames 11");
    says(run(&own, "panic", None), "loaded false, caught true, frames 11");
    says(run(&own, "threads", None), "caught true");
    says(run(&own, "fork", None), "status 0, caught true");
    ends(run(&own, "descriptors", None));

    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("unwinder");
    std::fs::create_dir_all(&folder).unwrap();
    // With it the loader finds no libgcc_s.
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/packages/no_libgcc.c");
    let library = folder.join("no_libgcc.so");
    let compiler = std::env::var("CC").unwrap_or("cc".into());
    let made = Command::new(compiler).args(["-shared", "-fPIC", "-o"]).args([&library, &source]).status().unwrap();
    assert!(made.success());
    says(run(&own, "nothing", Some(&library)), "loaded false");
    says(run(&own, "stack", Some(&library)), "loaded false, frames 0");
    ends(run(&own, "panic", Some(&library)));

    // As what is installed has one: beside our libraries, and near our programs.
    let build = Path::new(env!("CARGO_MANIFEST_DIR")).join("build.sh");
    for (bin, lib) in [("bin", "lib"), ("both", "both")] {
        let (bin, lib) = (folder.join(bin), folder.join(lib));
        std::fs::create_dir_all(&bin).unwrap();
        assert!(Command::new(&build).arg(&lib).status().unwrap().success());
        let program = bin.join("program");
        std::fs::copy(&own, &program).unwrap();
        says(run(&program, "stack", Some(&library)), "loaded false, frames 11");
        says(run(&program, "panic", Some(&library)), "loaded false, caught true, frames 11");
        says(run(&program, "threads", Some(&library)), "caught true");
        says(run(&program, "fork", Some(&library)), "status 0, caught true");
    }
    println!("ok");
}
