//! How long kernels take to compile, and that what is made to take long is refused.

use crate::{Failure, load};
use core::fmt::Write;
use std::time::Instant;

/// What loading and compiling a text came to.
struct Taken {
    lines: usize,
    kernels: usize,
    /// Kernels that stay with the interpreter.
    refused: usize,
    /// Bytes of code.
    bytes: usize,
    /// Milliseconds.
    loading: f64,
    compiling: f64,
}

fn take(text: &str) -> Result<Taken, Failure> {
    let start = Instant::now();
    let program = load(text).map_err(|problem| problem.to_string())?;
    let milliseconds = |since: Instant| since.elapsed().as_secs_f64() * 1e3;
    let mut taken = Taken {
        lines: text.lines().count(),
        kernels: 0,
        refused: 0,
        bytes: 0,
        loading: milliseconds(start),
        compiling: 0.0,
    };
    let start = Instant::now();
    for compiled in program.functions.iter().filter_map(engine::running::compile) {
        taken.kernels += 1;
        match compiled {
            Ok(code) => taken.bytes += code.bytes().len(),
            Err(_) => taken.refused += 1,
        }
    }
    taken.compiling = milliseconds(start);
    Ok(taken)
}

fn show(name: &str, taken: &Taken) {
    let Taken { lines, kernels, refused, bytes, loading, compiling } = taken;
    let each = compiling * 1e3 / *lines as f64;
    println!("{name:<28} {lines:>7} {kernels:>7} {refused:>7} {bytes:>9} {loading:>9.2} {compiling:>9.2} {each:>9.2}");
}

fn head() {
    println!(
        "{:<28} {:>7} {:>7} {:>7} {:>9} {:>9} {:>9} {:>9}",
        "text", "lines", "kernels", "refused", "bytes", "load ms", "ms", "a 1,000"
    );
}

/// A line for each file, and one for all: the best of a few times.
pub fn files(names: &[&str]) -> Result<(), Failure> {
    head();
    let mut all = Taken { lines: 0, kernels: 0, refused: 0, bytes: 0, loading: 0.0, compiling: 0.0 };
    for name in names {
        let text = std::fs::read_to_string(name)?;
        let mut best = take(&text)?;
        for _ in 0..4 {
            let again = take(&text)?;
            best.loading = best.loading.min(again.loading);
            best.compiling = best.compiling.min(again.compiling);
        }
        show(name.rsplit('/').next().unwrap_or(name), &best);
        all.lines += best.lines;
        all.kernels += best.kernels;
        all.refused += best.refused;
        all.bytes += best.bytes;
        all.loading += best.loading;
        all.compiling += best.compiling;
    }
    show("all", &all);
    Ok(())
}

/// A kernel of so many registers and of a body.
fn kernel(registers: usize, body: &str) -> String {
    format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 out) {{ .reg .u32 %r<{registers}>; .reg .pred %p<2>;\n\
         .reg .u64 %o; ld.param.u64 %o, [out]; mov.u32 %r0, %tid.x;\n{body}st.global.u32 [%o], %r0; ret; }}\n"
    )
}

/// A name, and a text that grows with a number.
type Growing = (&'static str, fn(usize) -> String);

/// Texts by what is much of in them.
pub const HOSTILE: [Growing; 5] = [
    ("blocks in a row", |n| {
        let block = |k: usize| format!("setp.gt.u32 %p1, %r0, {k}; @%p1 bra E; add.u32 %r0, %r0, 1;\n");
        kernel(1, &((0..n).map(block).collect::<String>() + "E: "))
    }),
    ("blocks in each other", |n| {
        let open = (0..n).map(|k| format!("setp.gt.u32 %p1, %r0, {k}; @%p1 bra L{k};\n"));
        let close = (0..n).rev().map(|k| format!("L{k}: add.u32 %r0, %r0, {k};\n"));
        kernel(1, &open.chain(close).collect::<String>())
    }),
    ("loops in each other", |n| {
        let open = (0..n).map(|k| format!("L{k}: add.u32 %r0, %r0, {k};\n"));
        let close = (0..n).rev().map(|k| format!("setp.lt.u32 %p1, %r0, {k}; @%p1 bra L{k};\n"));
        kernel(1, &open.chain(close).collect::<String>())
    }),
    ("registers in use at once", |n| {
        let mut body = String::new();
        (1..n).for_each(|k| _ = writeln!(body, "add.u32 %r{k}, %r{}, {k};", k - 1));
        (1..n).for_each(|k| _ = writeln!(body, "xor.b32 %r0, %r0, %r{k};"));
        kernel(n, &body)
    }),
    ("registers through blocks", |n| {
        let mut body = String::new();
        (1..n).for_each(|k| {
            _ = writeln!(body, "add.u32 %r{k}, %r{}, {k}; setp.gt.u32 %p1, %r{k}, 7; @%p1 bra E;", k - 1)
        });
        body += "E: ";
        (1..n).for_each(|k| _ = writeln!(body, "xor.b32 %r0, %r0, %r{k};"));
        kernel(n, &body)
    }),
];

/// The most memory that the process ever had, in KiB.
fn most_memory() -> Result<u64, Failure> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("no VmHWM in /proc/self/status")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}

/// The most memory, in KiB, that any of the texts may take.
const ENOUGH_MEMORY: u64 = 3 << 20;

/// A line for each text, of growing size. The largest have to be refused, and none may take long, or much memory: the limits are far
/// above what a busy machine needs.
pub fn hostile() -> Result<(), Failure> {
    /// What is in a text of which no kernel may be compiled, and milliseconds for any text.
    const REFUSED: usize = 100_000;
    const LONG: f64 = 60e3;
    head();
    let mut problems = Vec::new();
    for (name, text) in HOSTILE {
        for count in [1_000, 10_000, REFUSED] {
            let taken = take(&text(count))?;
            let name = format!("{name} {count}");
            show(&name, &taken);
            if count == REFUSED && taken.refused < taken.kernels {
                problems.push(format!("{name}: compiled"));
            }
            if taken.loading + taken.compiling > LONG {
                problems.push(format!("{name}: takes more than {:.0} s", LONG / 1e3));
            }
            let memory = most_memory()?;
            if memory > ENOUGH_MEMORY {
                return Err(format!("{name}: takes {memory} KiB").into());
            }
        }
    }
    println!("at most {} MiB", most_memory()? >> 10);
    if problems.is_empty() { Ok(()) } else { Err(problems.join("; ").into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_to_take_long_is_refused() {
        for (name, text) in HOSTILE {
            let taken = take(&text(2_000)).unwrap();
            assert!(taken.refused <= taken.kernels, "{name}");
            let taken = take(&text(40_000)).unwrap();
            assert_eq!(taken.refused, taken.kernels, "{name}");
        }
        let most = most_memory().unwrap();
        assert!(most < ENOUGH_MEMORY, "{most} KiB");
    }
}
