//! What stands between the program and the device, in front of the emulated device and of a real driver, for which a second
//! copy of this library stands in.

mod stage;

use stage::{Answers, run, stage};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

/// The stage, with `real/libcuda.so.1`, a driver of its own that emulates a device, and the programs of this file.
fn layers_stage() -> &'static Path {
    static BUILT: OnceLock<()> = OnceLock::new();
    let dir = stage();
    BUILT.get_or_init(|| {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        let real = dir.join("real");
        fs::create_dir_all(&real).unwrap();
        // Another name, by which the loader tells it from ours.
        let mut library = fs::read(dir.join("copy/libcuda.so.1")).unwrap();
        let (from, to) = (b"\0libcuda.so.1\0", b"\0libinner.so.\0");
        let at = library.windows(from.len()).position(|bytes| bytes == from).expect("the library has its name in it");
        library[at..at + to.len()].copy_from_slice(to);
        fs::write(real.join("libinner.so."), library).unwrap();
        let cc = |arguments: &[&str], source: &str, out: &str| {
            let mut command = Command::new("cc");
            command.args([
                "-O1",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-D_GNU_SOURCE",
                "-I",
                env!("CARGO_MANIFEST_DIR"),
                "-o",
            ]);
            let status = command.arg(dir.join(out)).arg(data.join(source)).args(arguments).current_dir(dir).status();
            assert!(status.expect("a C compiler is needed").success());
        };
        cc(
            &["-shared", "-fPIC", "-Wl,--no-as-needed", "real/libinner.so.", "-Wl,-rpath,$ORIGIN"],
            "ours_as_real.c",
            "real/libcuda.so.1",
        );
        cc(&["ours/libcuda.so.1", "-lpthread"], "quota.c", "quota");
    });
    dir
}

/// In front of the emulated device, and of another driver.
const MODES: [&[(&str, &str)]; 2] =
    [&[("DOPPEL_MODE", "cpu")], &[("DOPPEL_MODE", "forward"), ("DOPPEL_REAL_LIBCUDA", "@/real/libcuda.so.1")]];

fn program(name: &str, args: &[&str], vars: &[&[(&str, &str)]]) -> Answers {
    layers_stage();
    run(name, args, &[&[("LD_LIBRARY_PATH", "@/ours")], vars.concat().as_slice()].concat())
}

#[test]
fn all_memory_counts_and_is_given_back() {
    const WAYS: [&str; 13] = [
        "cuMemAlloc",
        "cuMemAllocPitch",
        "cuArrayCreate",
        "cuArray3DCreate",
        "cuMipmappedArrayCreate",
        "cuMemAllocAsync",
        "cuMemAllocAsync_ptsz",
        "cuMemAllocAsync on the default stream",
        "cuMemAllocFromPoolAsync",
        "a pool that is destroyed first",
        "cuMemCreate",
        "cuMemMap",
        "a graph",
    ];
    for mode in MODES {
        let answers = program("quota", &[], &[mode, &[("DOPPEL_MEMORY_LIMIT", "64MiB")]]);
        answers.expect(&WAYS.map(|way| (way, "0 left")));
        let rest = [
            ("total", "67108864"),
            ("before", "0"),
            ("too much", "CUDA_ERROR_OUT_OF_MEMORY 0"),
            ("no result", "CUDA_ERROR_INVALID_VALUE"),
            ("managed", "CUDA_SUCCESS"),
            ("after a context", "0"),
            ("after a reset", "0"),
        ];
        answers.expect(&rest);
        // Whatever else it printed is a complaint.
        assert_eq!(answers.values.len(), WAYS.len() + rest.len(), "{:?}", answers.values);
        assert_eq!(answers.stderr, "");
    }
}

#[test]
fn a_refusal_gives_its_reason() {
    for mode in MODES {
        let answers = program("quota", &[], &[mode, &[("DOPPEL_MEMORY_LIMIT", "64MiB,none"), ("DOPPEL_LOG", "info")]]);
        let reasons =
            answers.stderr.lines().filter(|line| line.contains("are over DOPPEL_MEMORY_LIMIT: the process has"));
        assert!(reasons.count() >= 9, "{}", answers.stderr);
    }
}

#[test]
fn a_malformed_limit_makes_init_fail() {
    for mode in MODES {
        for bad in ["much", "1GB", "1GiB,", "0"] {
            let answers = program("probe", &["@/ours/libcuda.so.1"], &[mode, &[("DOPPEL_MEMORY_LIMIT", bad)]]);
            answers.expect(&[("init", "1")]);
            assert_eq!(answers.stderr.matches("DOPPEL_MEMORY_LIMIT=").count(), 1, "{}", answers.stderr);
        }
    }
}
