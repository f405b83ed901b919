//! Writes what is derived from the declarations in `src/abi`, the C headers of the driver and `docs/STATUS.md`, and from those in
//! `crates/cudart/interface`: the C headers of the runtime.
//!
//! ```text
//! doppel-header [--root DIR]            writes the files
//! doppel-header [--root DIR] --check    fails if a file is not what would be written, or a comment is incomplete
//! doppel-header [--root DIR] --symbols  prints every symbol that the library exports
//! ```

mod c;
mod mapping;
mod status;

use std::path::PathBuf;
use std::process::ExitCode;

type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("doppel-header: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<bool, Failure> {
    let mut root = PathBuf::from(".");
    let (mut check, mut symbols) = (false, false);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--root" => root = args.next().ok_or("--root needs a directory")?.into(),
            "--check" => check = true,
            "--symbols" => symbols = true,
            other => return Err(format!("unknown argument {other}").into()),
        }
    }
    let api = declarations::read(&root)?;
    if symbols {
        print_symbols(&api);
        return Ok(true);
    }
    let mut files = c::headers(&api, c::DRIVER, &root)?;
    files.extend(c::headers(&declarations::read_runtime(&root)?, c::RUNTIME, &root)?);
    files.push(("docs/STATUS.md", status::page(&api)));
    let mut same = true;
    for (name, text) in files {
        let path = root.join(name);
        if check {
            let present = std::fs::read_to_string(&path).unwrap_or_default();
            if present != text {
                same = false;
                report(name, &present, &text);
            }
        } else {
            std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    if check && !same {
        eprintln!("doppel-header: run `make header` and commit the result");
    }
    let incomplete = if check { declarations::docs::check(&api) } else { Vec::new() };
    for line in &incomplete {
        eprintln!("doppel-header: {line}");
    }
    Ok(same && incomplete.is_empty())
}

fn print_symbols(api: &declarations::Api) {
    let mut names: Vec<String> = Vec::new();
    for function in &api.functions {
        names.push(function.name.clone());
        names.extend(function.twin());
    }
    // What gdb knows compiled kernels by.
    names.extend(["__jit_debug_descriptor", "__jit_debug_register_code"].map(str::to_owned));
    names.sort();
    for name in names {
        println!("{name}");
    }
}

/// Says how a committed file differs from what it should be.
fn report(name: &str, present: &str, wanted: &str) {
    let (old, new): (Vec<&str>, Vec<&str>) = (present.lines().collect(), wanted.lines().collect());
    let begin = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let end = old[begin..].iter().rev().zip(new[begin..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[begin..old.len() - end], &new[begin..new.len() - end]);
    eprintln!("doppel-header: {name} is out of date from line {}: {} lines become {}", begin + 1, old.len(), new.len());
    for line in old.iter().take(5) {
        eprintln!("  - {line}");
    }
    for line in new.iter().take(5) {
        eprintln!("  + {line}");
    }
}
