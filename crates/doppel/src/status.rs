//! `doppel status`: the function table of the library.

use crate::arguments::Filter;
use crate::library::{self, Driver};
use crate::{Failure, print};

/// Prints it.
pub fn status(filter: &Filter) -> Result<u8, Failure> {
    let folder = library::folder()?;
    // Only in this mode can nothing be in the way: neither a real driver nor a malformed setting.
    // SAFETY: no other thread runs.
    unsafe { std::env::set_var("DOPPEL_MODE", "absent") };
    let text = Driver::open(&folder)?.status()?;
    let rows = rows(&text, filter);
    print(&table(&rows));
    Ok(u8::from(rows.len() == 1 && !filter.names.is_empty()))
}

const HEAD: [&str; 6] = ["function", "twin", "since", "cpu", "forward", "absent"];

/// The chosen rows below their headings.
fn rows<'t>(text: &'t str, filter: &Filter) -> Vec<Vec<&'t str>> {
    let chosen = |row: &Vec<&str>| {
        let [name, _, _, cpu, ..] = row[..] else { return false };
        let named = filter.names.is_empty() || filter.names.iter().any(|part| name.contains(part.as_str()));
        named && !(filter.missing && cpu == "implemented")
    };
    let mut rows = vec![HEAD.to_vec()];
    rows.extend(text.lines().map(|line| line.split('\t').collect()).filter(chosen));
    rows
}

/// Columns as wide as what is in them.
fn table(rows: &[Vec<&str>]) -> String {
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..HEAD.len()).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let line: String = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}  ")).collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filtered_and_aligned() {
        let text = "cuA\tptsz\t4000\timplemented\tforwarded\tx\ncuLonger\t\t13000\tnot implemented\tforwarded\ty\n";
        let filter = Filter { missing: true, names: Vec::new() };
        assert_eq!(rows(text, &filter).len(), 2);
        let filter = Filter { missing: false, names: vec!["uA".into()] };
        let table = table(&rows(text, &filter));
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0].find("since"), lines[1].find("4000"));
    }
}
