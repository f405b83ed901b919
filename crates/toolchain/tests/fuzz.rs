//! Damaged PTX, containers and fat binaries, and command lines of all kinds, given to the three programs. No panic, no hang:
//! a message and the exit status of a failure, or a result that can be read.
//!
//! Every case follows from a seed and its number. For a longer look:
//!
//! ```text
//! FUZZ_CASES=1000000 FUZZ_SEED=7 cargo test --release -p doppel-toolchain --test fuzz
//! FUZZ_SEED=7 FUZZ_FIRST=1234 FUZZ_CASES=1 cargo test -p doppel-toolchain --test fuzz      # one case again
//! ```

#[path = "../../../tests/fuzz/mutate.rs"]
mod mutate;
#[path = "../../../tests/fuzz/random.rs"]
mod random;

use mutate::Random;
use std::ffi::OsString;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use toolchain::options::{Known, Takes};
use toolchain::{fatbinary, nvcc, ptxas};

const CORPUS: [&str; 3] = [
    include_str!("../../../tests/fuzz/corpus/compute.ptx"),
    include_str!("../../../tests/fuzz/corpus/calls.ptx"),
    include_str!("../../../tests/fuzz/corpus/data.ptx"),
];
/// Words of command lines, right and wrong.
const WORDS: [&str; 40] = [
    "",
    "-",
    "--",
    "=",
    "-=",
    "--=",
    "-o",
    "-o=out",
    "sm_90",
    "sm_90a",
    "sm_75",
    "compute_90",
    "lto_90",
    "native",
    "all",
    "true",
    "false",
    "0",
    "-1",
    "99999999999999999999",
    "in.ptx",
    "in.cubin",
    "in.fatbin",
    "options",
    "-optf=options",
    "@options",
    "k.cu",
    "none.o",
    "-cubin",
    "-fatbin",
    "-ptx",
    "-c",
    "-gencode=arch=compute_90,code=[sm_90",
    "arch=compute_90,code=sm_90",
    "-arch=all",
    "-cudart=static",
    "kind=elf,sm=90,file=in.cubin",
    "kind=ptx,sm=90,file=in.ptx",
    "profile=sm_90,file=in.cubin",
    "--image3=kind=elf,file=in.fatbin,sm=",
];

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |text| text.parse().expect(name))
}

/// Arguments: options of a table with values that may fit, and words.
fn arguments(table: &[Known], random: &mut Random) -> Vec<OsString> {
    let mut all = Vec::new();
    for _ in 0..random.below(8) {
        let mut word = WORDS[random.below(WORDS.len())].to_owned();
        if random.below(3) > 0 && !table.is_empty() {
            let option = random.pick(table);
            word = if random.below(2) == 0 { format!("--{}", option.long) } else { format!("-{}", option.short) };
            if !matches!(option.takes, Takes::Nothing) || random.below(8) == 0 {
                word.push_str(["=", " ", ""][random.below(3)]);
                word.push_str(WORDS[random.below(WORDS.len())]);
            }
        }
        let mut bytes = word.into_bytes();
        if random.below(6) == 0 {
            mutate::bytes(&mut bytes, b"-=,\"'\\[]", random);
            // A name with a slash could be any file of the machine.
            bytes.retain(|&b| b != b'/' && b != 0);
        }
        use std::os::unix::ffi::OsStringExt;
        all.extend(bytes.split(|&b| b == b' ').map(|word| OsString::from_vec(word.to_vec())));
    }
    all
}

fn one(seed: u64, number: u64, words: &[String]) {
    let mut random = Random::of(seed, number);
    let text = mutate::text(CORPUS[random.below(CORPUS.len())], words, &mut random).into_bytes();
    let contents = container::Contents {
        ptx: text.clone(),
        architecture: "sm_90".parse().unwrap(),
        ..container::Contents::default()
    };
    let mut file = container::write(&contents);
    if random.below(2) == 0 {
        mutate::bytes(&mut file, CORPUS[0].as_bytes(), &mut random);
    }
    fs::write("in.cubin", &file).unwrap();
    let mut options = WORDS[random.below(WORDS.len())].as_bytes().to_vec();
    mutate::bytes(&mut options, b"-optf options \" ' \\", &mut random);
    options.retain(|&b| b != b'/');
    fs::write("options", &options).unwrap();
    let mut input = text;
    if random.below(4) == 0 {
        mutate::bytes(&mut input, CORPUS[1].as_bytes(), &mut random);
    }
    fs::write("in.ptx", &input).unwrap();

    // Each text that is refused has mistakes, and no other one.
    if let Ok(text) = str::from_utf8(&input)
        && !text.contains('\0')
    {
        assert_eq!(ptx::parse(text).is_ok(), ptx::mistakes(text).is_empty(), "{:?}", ptx::mistakes(text).first());
    }
    let mut arguments_of_ptxas = arguments(ptxas::OPTIONS, &mut random);
    if random.below(2) == 0 {
        arguments_of_ptxas.extend(["-arch=sm_90", "-v", "-o", "out", "-"].map(OsString::from));
    }
    let _ = fs::remove_file("out");
    let (mut said, mut messages) = (Vec::new(), ptxas::Messages::default());
    let status = ptxas::run(arguments_of_ptxas, &mut &input[..], &mut said, &mut messages);
    assert!(status == 0 || status == ptxas::FAILURE);
    assert_eq!(status != 0, messages.text.contains("ptxas fatal   : "), "{status}: {}", messages.text);
    if status == 0
        && let Ok(made) = fs::read("out")
        && !said.starts_with(b"\n")
        && container::is_container(&made)
    {
        let made = container::read(&made).expect("a container");
        assert!(ptx::parse(str::from_utf8(&made.ptx).unwrap()).is_ok());
    }

    let mut arguments_of_fatbinary = arguments(fatbinary::OPTIONS, &mut random);
    arguments_of_fatbinary.push("--create=in.fatbin".into());
    if random.below(2) == 0 {
        arguments_of_fatbinary.push("--image3=kind=elf,sm=90,file=in.cubin".into());
    }
    if let Ok(fatbinary::Request::Ours(line)) = fatbinary::request(&arguments_of_fatbinary, random.below(2) == 0) {
        let mut messages = String::new();
        let status = fatbinary::run(&line, &mut Vec::new(), &mut messages);
        assert_eq!(status != 0, messages.contains("fatbinary fatal   : "), "{messages}");
    }

    let mut toolkit =
        || nvcc::Toolkit { architectures: vec!["compute_75".into(), "x".into()], ..nvcc::Toolkit::default() };
    let _ = nvcc::plan(&arguments(ptxas::OPTIONS, &mut random), &mut toolkit);
    let _ = nvcc::plan(&arguments(&[], &mut random), &mut toolkit);
    let linked: Vec<OsString> =
        ["-dlink", "-cubin", "-arch=sm_90", "in.cubin", "in.fatbin", "in.ptx"].map(OsString::from).into();
    if let nvcc::Plan::Link(link) = nvcc::plan(&linked, &mut toolkit).plan {
        let _ = link.texts();
    }
}

#[test]
fn damaged_inputs() {
    let (seed, first) = (number("FUZZ_SEED", 1), number("FUZZ_FIRST", 0));
    let cases = number("FUZZ_CASES", if cfg!(debug_assertions) { 500 } else { 3_000 });
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("toolchain-fuzz");
    fs::create_dir_all(&folder).unwrap();
    std::env::set_current_dir(&folder).unwrap();
    let words: Vec<String> = CORPUS.iter().flat_map(|text| mutate::tokens(text)).collect();
    let mut bad = 0;
    for number in first..first + cases {
        if catch_unwind(AssertUnwindSafe(|| one(seed, number, &words))).is_err() {
            eprintln!("case {number} of seed {seed}");
            bad += 1;
            if bad > 20 {
                break;
            }
        }
    }
    assert_eq!(bad, 0, "cases that went wrong");
}
