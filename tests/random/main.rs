//! Random valid kernels: the same bits here as on a device. `tests/ptx/random.sh` runs them; here is where they come from,
//! and that all of them load. A kernel follows from its seed alone.
//!
//! ```text
//! FOLDER=x SEEDS=1000..1100 cargo test --test random -- --ignored write_kernels        one module per ten kernels
//! FOLDER=x SEEDS=1007..1008 LENGTHS=1 cargo test --test random -- --ignored write_kernels   each with one part more
//! FOLDER=x SEEDS=1007..1008 TRACE=1 cargo test --test random -- --ignored write_kernels   every part writes its registers down
//! ```

mod forms;
mod kernel;
mod memory;
#[path = "../fuzz/random.rs"]
mod random;
mod together;

use forms::Forms;
use random::Random;
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

/// Whether the library takes a module.
fn load(text: &str) -> Result<(), ptx::Diagnostic> {
    let module = ptx::parse(text)?;
    let addresses: HashMap<String, u64> = module
        .variables
        .iter()
        .filter(|v| v.space != ptx::Space::Shared)
        .enumerate()
        .map(|(n, v)| (v.name.to_owned(), 0x1000 * (n as u64 + 1)))
        .collect();
    engine::program::Program::build(&module, &addresses).map(|_| ())
}

fn module(seed: u64) -> String {
    kernel::head(&mut Random::of(seed, 0x6865_6164))
}

#[test]
fn kernels_load() {
    let forms = Forms::read();
    for seed in 0..40 {
        let kernel = kernel::kernel(&forms, seed, usize::MAX, false);
        let text = module(0) + &kernel.text;
        if let Err(problem) = load(&text) {
            let line = text.lines().nth(problem.line as usize - 1).unwrap_or("");
            panic!("seed {seed}: {problem}: {line}");
        }
    }
}

/// The names with modifiers that a line of the list stands for.
fn names(line: &str) -> Vec<String> {
    let parts: Vec<&str> = line.split(" : ").collect();
    let [_, opcode, modifiers, _] = parts[..] else { return Vec::new() };
    let mut all = vec![opcode.to_owned()];
    for group in modifiers.split_whitespace() {
        let (words, optional) = group.strip_suffix('?').map_or((group, false), |words| (words, true));
        let with = words.split('|').flat_map(|word| all.iter().map(move |name| format!("{name}.{word}")));
        let mut next: Vec<String> = with.collect();
        if optional {
            next.append(&mut all);
        }
        all = next;
    }
    all
}

/// The list has the instructions of the table, as far as they were there when a device ran kernels made of it; operands may be
/// described otherwise since. `UPDATE=1` writes it anew, after which all that a device gave has to be recorded again.
#[test]
fn forms_are_those_of_the_table() {
    let lines = forms::lines();
    if std::env::var("UPDATE").is_ok() {
        std::fs::write(forms::FILE, lines.join("\n") + "\n").unwrap();
    }
    let file = std::fs::read_to_string(forms::FILE).unwrap();
    let known: BTreeSet<String> = file.lines().flat_map(names).collect();
    let drawn = |line: &&String| names(line).iter().any(|name| known.contains(name));
    let missing: Vec<_> = lines.iter().filter(|line| !drawn(line)).collect();
    assert!(missing.len() * 10 < lines.len(), "many forms are never drawn: {missing:#?}");
}

/// Writes modules, and beside each a list of its kernels: name, grid, block, dynamic shared memory, parts.
#[test]
#[ignore = "writes files for a script"]
fn write_kernels() {
    let variable = |name: &str| std::env::var(name).ok();
    let folder = variable("FOLDER").unwrap();
    let seeds = variable("SEEDS").unwrap_or("0..0".to_owned());
    let (from, to) = seeds.split_once("..").unwrap();
    let (from, to): (u64, u64) = (from.parse().unwrap(), to.parse().unwrap());
    let forms = Forms::read();
    let write = |name: String, head: u64, kernels: &[kernel::Kernel]| {
        let mut text = module(head);
        let mut list = String::new();
        for kernel in kernels {
            let _ = writeln!(text, "// kernel {}", kernel.name);
            text += &kernel.text;
            let [gx, gy, gz] = kernel.grid;
            let [bx, by, bz] = kernel.block;
            let _ = writeln!(list, "{} {gx} {gy} {gz} {bx} {by} {bz} {} {}", kernel.name, kernel.dynamic, kernel.items);
        }
        std::fs::write(format!("{folder}/{name}.ptx"), text).unwrap();
        std::fs::write(format!("{folder}/{name}.txt"), list).unwrap();
    };
    let many = |name: &str, other: u64| variable(name).and_then(|n| n.parse().ok()).unwrap_or(other);
    if variable("LENGTHS").is_some() {
        for seed in from..to {
            let whole = kernel::kernel(&forms, seed, usize::MAX, false);
            for length in (0..=whole.items).step_by(many("STEP", 1) as usize) {
                let mut one = kernel::kernel(&forms, seed, length, false);
                // A name of its own, from which no input follows.
                let name = format!("s{seed}x{length}");
                one.text = one.text.replace(&format!("entry s{seed}("), &format!("entry {name}("));
                one.name = name.clone();
                write(name, seed / 10, &[one]);
            }
        }
        return;
    }
    if variable("TRACE").is_some() {
        for seed in from..to {
            let one = kernel::kernel(&forms, seed, usize::MAX, true);
            write(format!("t{seed}"), seed / 10, &[one]);
        }
        return;
    }
    // A module has the kernels of a decade.
    let mut seed = from;
    while seed < to {
        let end = (seed / 10 * 10 + 10).min(to);
        let kernels: Vec<kernel::Kernel> = (seed..end).map(|s| kernel::kernel(&forms, s, usize::MAX, false)).collect();
        write(format!("m{}", seed / 10), seed / 10, &kernels);
        seed = end;
    }
}
