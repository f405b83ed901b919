//! The function table as text, for `doppel status`: `cuGetExportTable` hands it out under an identifier of our own.

use super::{Absent, Entry, Twin};
use core::ffi::c_char;
use std::ffi::CString;
use std::fmt::Write;
use std::sync::OnceLock;

/// The identifier under which it is handed out.
pub const ID: [u8; 16] = *b"Doppel status  1";

/// What `cuGetExportTable` hands out.
#[repr(C)]
pub struct StatusTable {
    /// Bytes of this structure.
    pub size: usize,
    /// One line for each function: name, twin, CUDA version, and what it does in `cpu`, `forward` and `absent` mode,
    /// with tabulators between. The text lives for ever.
    pub text: extern "C" fn() -> *const c_char,
}

/// The only instance.
pub static TABLE: StatusTable = StatusTable { size: size_of::<StatusTable>(), text };

extern "C" fn text() -> *const c_char {
    static TEXT: OnceLock<CString> = OnceLock::new();
    let text = || TEXT.get_or_init(|| CString::new(lines()).unwrap_or_default()).as_c_str();
    std::panic::catch_unwind(text).unwrap_or(c"").as_ptr()
}

fn cpu(entry: &Entry) -> &'static str {
    match (entry.status, entry.implemented) {
        ("", true) => "implemented",
        ("", false) => "not implemented",
        (remark, _) => remark,
    }
}

fn lines() -> String {
    let all = super::sorted();
    let mut text = String::new();
    for entry in all.iter().filter(|e| e.twin == Twin::None) {
        let twin = all.iter().find(|t| {
            t.twin != Twin::None
                && t.name().strip_suffix("_ptsz").or(t.name().strip_suffix("_ptds")) == Some(entry.name())
        });
        let twin = match twin.map(|t| t.twin) {
            Some(Twin::Ptsz) => "ptsz",
            Some(Twin::Ptds) => "ptds",
            _ => "",
        };
        let forward = if entry.run_in_forward { "implemented" } else { "forwarded" };
        let absent = match entry.absent {
            Absent::Run => cpu(entry),
            Absent::NoDevice => "NO_DEVICE",
            Absent::NotInitialized => "NOT_INITIALIZED",
        };
        let _ = writeln!(text, "{}\t{twin}\t{}\t{}\t{forward}\t{absent}", entry.name(), entry.since, cpu(entry));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::ffi::CStr;

    #[test]
    fn every_function_has_a_line() {
        // SAFETY: the table's text ends in NUL and lives for ever.
        let text = unsafe { CStr::from_ptr((TABLE.text)()) }.to_str().unwrap();
        assert_eq!(text, lines());
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
        assert!(rows.iter().all(|row| row.len() == 6));
        let functions = super::super::sorted().iter().filter(|e| e.twin == Twin::None).count();
        assert_eq!(rows.len(), functions);
        let row = |name: &str| rows.iter().find(|row| row[0] == name).unwrap().clone();
        assert_eq!(row("cuMemcpyAsync")[..4], ["cuMemcpyAsync", "ptsz", "4000", "implemented"]);
        assert_eq!(row("cuInit")[4..], ["forwarded", "NO_DEVICE"]);
        assert_eq!(row("cuMulticastCreate")[3], "implemented");
    }
}
