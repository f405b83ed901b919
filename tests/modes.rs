//! The modes of the library, seen from a C program, with a stand-in for the real driver.

mod stage;

use stage::{Answers, run};

/// Runs the probe on our library. `@` in a value stands for the stage's path.
fn probe(vars: &[(&str, &str)], args: &[&str]) -> Answers {
    let library = if args.contains(&"by name") { "libcuda.so.1" } else { "@/ours/libcuda.so.1" };
    let global = args.contains(&"global").then_some("global");
    run("probe", &[Some(library), global].into_iter().flatten().collect::<Vec<_>>(), vars)
}

/// Every call is the fake driver's.
const FORWARDED: &[(&str, &str)] = &[
    ("version", "0,12345"),
    // The stand-in does not ask for cuInit.
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
    // The same as in forward mode, though the real driver is initialised early: the program cannot tell.
    let before = |pair: &&(&str, &str)| pair.0 != "count_before";
    let expected: Vec<_> = FORWARDED.iter().filter(before).copied().chain([("count_before", "3")]).collect();
    probe(&[("DOPPEL_MODE", "auto"), REAL], &[]).expect(&expected);
    probe(&[("DOPPEL_MODE", "auto"), REAL], &["global"]).expect(&expected);
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
