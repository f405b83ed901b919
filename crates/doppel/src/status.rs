//! `doppel status`: the function table of the library.

use crate::arguments::Filter;
use crate::library::{self, Driver};
use crate::names::plain;
use crate::{Failure, print, print_json};
use serde_json::{Value, json};
use settings::config::{glob, nearest};

/// Prints it. Without a function that is asked for the exit status is 1.
pub fn status(filter: &Filter) -> Result<u8, Failure> {
    let folder = library::folder()?;
    // Only in this mode can nothing be in the way: neither a real driver nor a malformed setting.
    // SAFETY: no other thread runs.
    unsafe { std::env::set_var("DOPPEL_MODE", "absent") };
    let text = Driver::open(&folder)?.status()?;
    let rows = rows(&text, filter);
    if rows.is_empty() && !filter.names.is_empty() && !filter.json {
        let known = || text.lines().filter_map(|line| line.split('\t').next());
        let meant = match &filter.names[..] {
            [name] if plain(name).starts_with("cuda") => {
                "; the runtime's functions are in docs/STATUS-cudart.md".into()
            }
            [name] => nearest(name, known()).map_or_else(String::new, |known| format!("; did you mean {known}?")),
            _ => String::new(),
        };
        return Err(Failure::new(format!("no function has {} in its name{meant}", filter.names.join(" or "))));
    }
    if filter.json {
        print_json(&objects(&rows))?
    } else {
        print(&table(&rows))?
    }
    Ok(u8::from(rows.is_empty() && !filter.names.is_empty()))
}

const HEAD: [&str; 6] = ["function", "twin", "since", "cpu", "forward", "absent"];

/// The chosen rows.
fn rows<'t>(text: &'t str, filter: &Filter) -> Vec<Vec<&'t str>> {
    let names: Vec<String> = filter.names.iter().map(|name| plain(name)).collect();
    let chosen = |row: &Vec<&str>| {
        let [name, _, _, cpu, ..] = row[..] else { return false };
        let name = name.to_ascii_lowercase().replace('_', "");
        let is = |part: &String| match part.contains(['*', '?']) {
            true => [&*name, &*plain(row[0])].iter().any(|name| glob(part.as_bytes(), name.as_bytes())),
            false => name.contains(part.as_str()),
        };
        let named = names.is_empty() || names.iter().any(is);
        named && !(filter.missing && cpu == "implemented")
    };
    text.lines().map(|line| line.split('\t').collect()).filter(chosen).collect()
}

/// Columns as wide as what is in them, below their headings.
fn table(rows: &[Vec<&str>]) -> String {
    let head = HEAD.to_vec();
    let rows = || std::iter::once(&head).chain(rows);
    let width = |column: usize| rows().filter_map(|row| row.get(column)).map(|cell| cell.len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..HEAD.len()).map(width).collect();
    let mut text = String::new();
    for row in rows() {
        let line: String = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}  ")).collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// The same for programs.
fn objects(rows: &[Vec<&str>]) -> Value {
    let object = |row: &Vec<&str>| -> Value {
        HEAD.iter()
            .zip(row)
            .map(|(name, cell)| ((*name).to_owned(), json!(cell)))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    rows.iter().map(object).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "cuA\tptsz\t4000\timplemented\tforwarded\tx\ncuMemAlloc_v2\t\t3020\timplemented\tforwarded\tx\n\
                        cuLonger\t\t13000\tnot implemented\tforwarded\ty\n";

    fn named(name: &str) -> Filter {
        Filter { missing: false, names: vec![name.into()], json: false }
    }

    #[test]
    fn filtered_and_aligned() {
        let filter = Filter { missing: true, names: Vec::new(), json: false };
        assert_eq!(rows(TEXT, &filter).len(), 1);
        let rows = rows(TEXT, &named("uA"));
        let table = table(&rows);
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0].find("since"), lines[1].find("4000"));
        assert_eq!(objects(&rows)[0]["function"], "cuA");
    }

    #[test]
    fn names_in_every_spelling() {
        for name in [
            "cuMemAlloc",
            "cuMemAlloc_v2",
            "CUMEMALLOC",
            "memalloc_V2",
            "cuMemAlloc()",
            "cuMemAlloc_v2_ptds",
            "cuMemAlloc_v3",
            "CU_MEM_ALLOC",
            "mem_alloc",
            "cuMem*",
            "cu?emAlloc",
        ] {
            assert_eq!(rows(TEXT, &named(name)).len(), 1, "{name}");
        }
        assert_eq!(rows(TEXT, &named("cuA_ptsz")).len(), 1);
        for name in ["cuMemAllocs", "cuM*x", "Mem*"] {
            assert!(rows(TEXT, &named(name)).is_empty(), "{name}");
        }
    }
}
