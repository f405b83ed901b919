//! Tells the source which runtime it is, and writes the functions that exist in the list of exports but not in the source.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Names that the source defines for this version: what follows `fn ` or ` / ` in declarations, unless a
/// `cfg(cudart = "...")` before it means the other version.
fn defined(folder: &Path, version: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut files: Vec<PathBuf> = fs::read_dir(folder).expect("src").map(|e| e.expect("entry").path()).collect();
    files.sort();
    let ours = format!("cfg(cudart = \"{version}\")");
    for file in files {
        let text = fs::read_to_string(&file).expect("a source file");
        if text.lines().any(|line| line.starts_with("#![cfg(cudart") && !line.contains(&ours)) {
            continue;
        }
        let mut other = false;
        for line in text.lines().map(str::trim_start) {
            if line.starts_with("#[cfg(cudart") {
                other = !line.contains(&ours);
            } else if line.starts_with("fn cuda") || line.starts_with("fn __cuda") {
                let head = line["fn ".len()..].split('(').next().unwrap_or_default();
                if !other {
                    names.extend(head.split('/').map(|name| name.trim().to_owned()));
                }
                other = false;
            } else if !line.starts_with("#[") && !line.starts_with("//") {
                other = false;
            }
        }
    }
    names
}

fn main() {
    let version = env::var("CARGO_PKG_NAME").expect("package").trim_start_matches("doppel-cudart").to_owned();
    println!("cargo:rustc-check-cfg=cfg(cudart, values(\"12\", \"13\"))");
    println!("cargo:rustc-cfg=cudart=\"{version}\"");
    let top = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("folder")).join("..");
    let list = top.join(format!("exports/libcudart.so.{version}.txt"));
    for path in [top.join("build.rs"), top.join("src"), list.clone()] {
        println!("cargo:rerun-if-changed={}", path.display());
    }
    let defined = defined(&top.join("src"), &version);
    let exports = fs::read_to_string(&list).expect("the list of exports");
    let mut missing = String::from("missing! {\n");
    for name in exports.lines().filter(|name| !defined.contains(*name)) {
        writeln!(missing, "    {name};").expect("text");
    }
    missing.push_str("}\n");
    let out = PathBuf::from(env::var("OUT_DIR").expect("folder"));
    fs::write(out.join("missing.rs"), missing).expect("missing.rs");
}
