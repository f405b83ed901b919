//! Random valid kernels: the same bits here as on a device. `tests/ptx/random.sh` runs them; here is where they come from,
//! and that all of them load. A kernel follows from its seed alone.

mod collective;
mod forms;
mod kernel;
mod memory;
#[path = "../../../../tests/fuzz/mutate.rs"]
mod mutate;
#[path = "../../../../tests/fuzz/random.rs"]
mod numbers;
mod strided;

use crate::Failure;
use core::fmt::Write;
use forms::Forms;
pub use numbers::Random;

fn module(seed: u64) -> String {
    kernel::head(&mut Random::of(seed, 0x6865_6164))
}

/// Writes the list of forms anew. What a device gave for kernels of the old one has to be recorded again then.
pub fn write_forms() -> Result<(), Failure> {
    Ok(std::fs::write(forms::FILE, forms::lines().join("\n") + "\n")?)
}

/// What is written of each seed.
pub enum What {
    /// Kernels as they are, a module for each decade of seeds.
    Whole,
    /// A kernel for each number of parts, in steps of so many: the first that differs from a device's tells which part does.
    Lengths(usize),
    /// Kernels whose parts write their registers down.
    Trace,
    /// Kernels with a few tokens changed, a module for each that still loads.
    Damaged,
}

/// A kernel that was changed and still loads behind a head, if one of a few is.
fn damaged(kernel: &str, head: String, seed: u64) -> Option<String> {
    let words = mutate::tokens(kernel);
    let name = format!(".entry s{seed}(");
    let changed = (0..8).map(|n| mutate::text(kernel, &words, &mut Random::of(seed, n)));
    changed.filter(|text| text.contains(&name)).find(|text| crate::load(&(head.clone() + text)).is_ok())
}

/// Writes modules of the kernels of seeds, and beside each a list: name, grid, block, dynamic shared memory, parts.
pub fn write(folder: &str, from: u64, to: u64, what: What) -> Result<(), Failure> {
    let forms = Forms::read();
    let write = |name: String, head: u64, kernels: &[kernel::Kernel]| -> Result<(), Failure> {
        let mut text = module(head);
        let mut list = String::new();
        for kernel in kernels {
            let _ = writeln!(text, "// kernel {}", kernel.name);
            text += &kernel.text;
            let [gx, gy, gz] = kernel.grid;
            let [bx, by, bz] = kernel.block;
            let _ = writeln!(list, "{} {gx} {gy} {gz} {bx} {by} {bz} {} {}", kernel.name, kernel.dynamic, kernel.items);
        }
        std::fs::write(format!("{folder}/{name}.ptx"), text)?;
        Ok(std::fs::write(format!("{folder}/{name}.txt"), list)?)
    };
    match what {
        What::Lengths(step) => {
            for seed in from..to {
                let whole = kernel::kernel(&forms, seed, usize::MAX, false);
                for length in (0..=whole.items).step_by(step) {
                    let mut one = kernel::kernel(&forms, seed, length, false);
                    // A name of its own, from which no input follows.
                    let name = format!("s{seed}x{length}");
                    one.text = one.text.replace(&format!("entry s{seed}("), &format!("entry {name}("));
                    one.name = name.clone();
                    write(name, seed / 10, &[one])?;
                }
            }
        }
        What::Trace => {
            for seed in from..to {
                let one = kernel::kernel(&forms, seed, usize::MAX, true);
                write(format!("t{seed}"), seed / 10, &[one])?;
            }
        }
        What::Damaged => {
            for seed in from..to {
                let one = kernel::kernel(&forms, seed, usize::MAX, false);
                if let Some(text) = damaged(&one.text, module(seed / 10), seed) {
                    write(format!("m{seed}"), seed / 10, &[kernel::Kernel { text, ..one }])?;
                }
            }
        }
        What::Whole => {
            let mut seed = from;
            while seed < to {
                let end = (seed / 10 * 10 + 10).min(to);
                let kernels: Vec<kernel::Kernel> =
                    (seed..end).map(|s| kernel::kernel(&forms, s, usize::MAX, false)).collect();
                write(format!("m{}", seed / 10), seed / 10, &kernels)?;
                seed = end;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load;
    use std::collections::BTreeSet;

    #[test]
    fn kernels_load() {
        let forms = Forms::read();
        for seed in (0..40).chain(strided::STRIDED..strided::STRIDED + 60) {
            let kernel = kernel::kernel(&forms, seed, usize::MAX, false);
            let text = module(0) + &kernel.text;
            if let Err(problem) = load(&text) {
                let line = text.lines().nth(problem.line as usize - 1).unwrap_or("");
                panic!("seed {seed}: {problem}: {line}");
            }
        }
    }

    /// The compiler lets warps take turns in loops of many kernels that are made for that.
    #[test]
    fn loops_share_out_arrays() {
        let forms = Forms::read();
        let abreast = |seed: &u64| {
            let text = module(0) + &kernel::kernel(&forms, *seed, usize::MAX, false).text;
            let program = load(&text).map_err(|problem| problem.to_string()).unwrap();
            let compiled = program.functions.iter().filter_map(engine::running::compile);
            compiled.flatten().any(|code| code.takes_turns())
        };
        let seeds = 100;
        let found = (strided::STRIDED..strided::STRIDED + seeds).filter(abreast).count();
        let avx2 = std::is_x86_feature_detected!("avx2");
        assert!(!avx2 || found > 4, "{found} of {seeds}");
    }

    /// Functions that call themselves, from loops, would run for hours. What a device gave is of kernels as they were first made.
    #[test]
    fn kernels_end() {
        use kernel::Calls;
        let forms = Forms::read();
        let attempt = |seed: u64, calls: Calls| kernel::attempt(&forms, seed, usize::MAX, false, calls);
        let endless = 73_148_997;
        assert!(attempt(endless, Calls::Themselves).1 > kernel::MOST_WORK);
        let (bounded, work) = attempt(endless, Calls::Others);
        assert!(work <= kernel::MOST_WORK);
        assert_eq!(bounded.text, kernel::kernel(&forms, endless, usize::MAX, false).text);
        assert!((0..100).all(|seed| attempt(seed, Calls::None).1 <= kernel::MOST_WORK));
        let recorded = (13_000..17_200).step_by(40).chain([13_840]);
        let changed: Vec<u64> =
            recorded.filter(|&seed| attempt(seed, Calls::Themselves).1 > kernel::MOST_WORK).collect();
        assert!(changed.is_empty(), "{changed:?}");
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
    /// described otherwise since. `cargo xtask random-forms` writes it anew, after which all that a device gave has to be recorded again.
    #[test]
    fn forms_are_those_of_the_table() {
        let lines = forms::lines();
        let file = std::fs::read_to_string(forms::FILE).unwrap();
        let known: BTreeSet<String> = file.lines().flat_map(names).collect();
        let drawn = |line: &&String| names(line).iter().any(|name| known.contains(name));
        let missing: Vec<_> = lines.iter().filter(|line| !drawn(line)).collect();
        assert!(missing.len() * 10 < lines.len(), "many forms are never drawn: {missing:#?}");
    }
}
