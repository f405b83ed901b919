//! `docs/STATUS.md`: what every function does in every mode.

use declarations::{Api, Function};
use std::fmt::Write;

fn cpu(function: &Function) -> &str {
    match (&function.keys.status, function.implemented) {
        (Some(status), _) => status,
        (None, true) => "implemented",
        (None, false) => "not implemented",
    }
}

fn forward(function: &Function) -> &'static str {
    if function.keys.forward.is_some() { "implemented" } else { "forwarded" }
}

fn absent(function: &Function) -> &str {
    match function.keys.absent.as_deref() {
        Some("run") => cpu(function),
        Some("no_device") => "NO_DEVICE",
        _ => "NOT_INITIALIZED",
    }
}

/// The whole page.
pub fn page(api: &Api) -> String {
    let mut out = String::from(
        "# Status\n\n\
         <!-- Written by doppel-header from the declarations in src/abi. Do not edit. -->\n\n\
         What each exported function does in each mode. `not implemented` answers `CUDA_ERROR_NOT_SUPPORTED`, says so in \
         the log, and has the reason behind it; `refused` is an answer, and whose; `forwarded` calls the real driver's function of the same name; an error name is the answer. The column \
         *twin* gives the suffix of the second export in which stream 0 is the per-thread default stream.\n\n",
    );
    let total = api.functions.len();
    let twins = api.functions.iter().filter(|function| function.keys.twin.is_some()).count();
    let done = api.functions.iter().filter(|function| function.implemented).count();
    let refuses = |function: &&Function| function.implemented && cpu(function).starts_with("refused");
    let refusing = api.functions.iter().filter(refuses).count();
    let _ = writeln!(
        out,
        "{total} functions and {twins} twins are exported; {done} functions have a body, {refusing} of which refuse whatever they are given, \
         the others a reason.\n"
    );
    out.push_str("| section | functions | with a body |\n|---|---|---|\n");
    for (file, title) in &api.sections {
        let all = || api.functions.iter().filter(|function| function.file == *file);
        let done = all().filter(|function| function.implemented).count();
        let _ = writeln!(out, "| {title} | {} | {done} |", all().count());
    }
    for (file, title) in &api.sections {
        let _ = writeln!(
            out,
            "\n## {title}\n\n| function | since | twin | cpu | forward | absent |\n|---|---|---|---|---|---|"
        );
        for function in api.functions.iter().filter(|function| function.file == *file) {
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} | {} | {} |",
                function.name,
                function.keys.since,
                function.keys.twin.as_deref().unwrap_or(""),
                cpu(function),
                forward(function),
                absent(function),
            );
        }
    }
    out
}
