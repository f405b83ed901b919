//! `cuGetProcAddress` answers as the real driver of the recorded version does.

use cuda::table::{self, Found, Streams};

const VERSIONS: [i32; 7] = [3020, 4000, 10000, 11040, 12000, 12050, 13000];

fn answers(name: &str, streams: Streams) -> String {
    let mut line = Vec::new();
    let mut last = String::new();
    for version in VERSIONS {
        let now = match table::look_up(name.as_bytes(), version, streams) {
            Found::Entry(entry) if entry.name() == name => "plain".into(),
            Found::Entry(entry) => entry.name().strip_prefix(name).unwrap().to_string(),
            Found::TooOld => "q2".into(),
            Found::Unknown => "q1".into(),
        };
        if now != last {
            line.push(format!("{version}:{now}"));
            last = now;
        }
    }
    line.join(" ")
}

#[test]
fn recorded_answers() {
    let mut wrong = Vec::new();
    let mut checked = 0;
    for line in include_str!("data/lookup.txt").lines().filter(|l| !l.starts_with('#')) {
        let (name, rest) = line.split_once(' ').unwrap();
        let (legacy, per_thread) = rest.split_once(" | ").unwrap_or((rest, rest));
        for (streams, expected) in [(Streams::Legacy, legacy), (Streams::PerThread, per_thread)] {
            let got = answers(name, streams);
            if got != expected {
                wrong.push(format!("{name} {streams:?}: {got}, recorded {expected}"));
            }
            checked += 1;
        }
    }
    assert!(checked > 900);
    assert!(wrong.is_empty(), "{} of {checked}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn names_are_taken_literally() {
    for name in
        ["", "cu", "cuMemAlloc_v2", "cuMemcpy_ptds", "cumemalloc", " cuMemAlloc", "malloc", "cuMemAllo", "cuMemAllocX"]
    {
        assert!(matches!(table::look_up(name.as_bytes(), 13000, Streams::Legacy), Found::Unknown), "{name}");
    }
}

#[test]
fn versions_are_compared_as_numbers() {
    let found = |version| match table::look_up(b"cuMemAlloc", version, Streams::Legacy) {
        Found::Entry(entry) => entry.name(),
        Found::TooOld => "too old",
        Found::Unknown => "unknown",
    };
    assert_eq!(found(-1), "too old");
    assert_eq!(found(1999), "too old");
    assert_eq!(found(2000), "cuMemAlloc");
    assert_eq!(found(3019), "cuMemAlloc");
    assert_eq!(found(3020), "cuMemAlloc_v2");
    assert_eq!(found(i32::MAX), "cuMemAlloc_v2");
}

#[test]
fn every_export_is_found_by_its_name() {
    for entry in table::ENTRIES {
        assert!(std::ptr::eq(table::by_name(entry.name()).unwrap(), entry));
    }
    assert!(table::by_name("cuNoSuchFunction").is_none());
    assert!(table::sorted().windows(2).all(|w| w[0].name() < w[1].name()));
}

/// Exported names of the shared library that the tests use.
fn exports() -> Vec<String> {
    let library = std::env::current_exe().unwrap().with_file_name("libcuda.so");
    let output = std::process::Command::new("nm").args(["-D", "--defined-only", "-j"]).arg(library).output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap().lines().map(String::from).collect()
}

#[test]
fn the_library_exports_the_table_and_nothing_else() {
    let mut exports = exports();
    exports.sort();
    // Beside it, what gdb knows compiled kernels by.
    let gdbs = ["__jit_debug_descriptor", "__jit_debug_register_code"];
    let mut table: Vec<_> = table::sorted().iter().map(|e| e.name()).chain(gdbs).collect();
    table.sort_unstable();
    assert_eq!(exports, table);
}

#[test]
fn the_library_exports_what_a_real_driver_exports() {
    let missing: Vec<_> =
        include_str!("data/symbols.txt").lines().filter(|name| table::by_name(name).is_none()).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
