//! Core dumps of kernels: an ELF file of type `ET_CORE` with these sections.
//!
//! | section | what |
//! |---|---|
//! | `.doppel.core` | text: what happened, where, and registers; a line for each fact, its words with tabs between them |
//! | `.doppel.ptx` | the text of the kernel's module |
//! | `.doppel.parameters` | the kernel's parameters |
//! | `.doppel.shared` | the shared memory of the block; the section's address is that of the memory |
//! | `.doppel.local` | local memory of a thread of the warp that went wrong: a section for each, with its address |
//! | `.doppel.global` | an allocation of global memory: a section for each, with its address |
//!
//! docs/COREDUMP.md has the lines of `.doppel.core`.

#![forbid(unsafe_code)]

use container::{HEADER, IDENT, MACHINE, PROGBITS, SECTION, STRTAB};

/// `e_type` of core dumps.
const ET_CORE: u16 = 4;
/// Names of sections.
pub const CORE: &str = ".doppel.core";
pub const PTX: &str = ".doppel.ptx";
pub const PARAMETERS: &str = ".doppel.parameters";
pub const SHARED: &str = ".doppel.shared";
pub const LOCAL: &str = ".doppel.local";
pub const GLOBAL: &str = ".doppel.global";
/// Version of the lines of `.doppel.core`.
pub const VERSION: u32 = 1;

/// A section: its name, the address of the memory that it shows, and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    pub name: String,
    pub address: u64,
    pub bytes: Vec<u8>,
}

/// The file.
pub fn write(sections: &[Section]) -> Vec<u8> {
    let mut names = vec![0u8];
    let mut table = vec![0u8; SECTION];
    let mut file = vec![0u8; HEADER];
    let mut add = |file: &mut Vec<u8>, name: &str, kind: u32, address: u64, bytes: &[u8]| {
        file.resize(file.len().next_multiple_of(16), 0);
        let at = names.len() as u32;
        names.extend_from_slice(name.as_bytes());
        names.push(0);
        // The names are the last section, and hold their own.
        let bytes = if kind == STRTAB { names.as_slice() } else { bytes };
        table.extend_from_slice(&at.to_le_bytes());
        table.extend_from_slice(&kind.to_le_bytes());
        for word in [0, address, file.len() as u64, bytes.len() as u64, 0, 1, 0] {
            table.extend_from_slice(&word.to_le_bytes());
        }
        file.extend_from_slice(bytes);
    };
    for section in sections {
        add(&mut file, &section.name, PROGBITS, section.address, &section.bytes);
    }
    add(&mut file, ".shstrtab", STRTAB, 0, &[]);
    file.resize(file.len().next_multiple_of(16), 0);
    let (at, count) = (file.len() as u64, (table.len() / SECTION) as u16);
    file.extend_from_slice(&table);
    let mut header = Vec::with_capacity(HEADER);
    header.extend_from_slice(&IDENT);
    header.extend_from_slice(&ET_CORE.to_le_bytes());
    header.extend_from_slice(&MACHINE.to_le_bytes());
    header.extend_from_slice(&1u32.to_le_bytes());
    for word in [0u64, 0, at] {
        header.extend_from_slice(&word.to_le_bytes());
    }
    header.extend_from_slice(&0u32.to_le_bytes());
    for half in [HEADER as u16, 0, 0, SECTION as u16, count, count - 1] {
        header.extend_from_slice(&half.to_le_bytes());
    }
    file[..HEADER].copy_from_slice(&header);
    file
}

/// The sections of such a file. `None` if it is none.
pub fn read(file: &[u8]) -> Option<Vec<Section>> {
    let word = |at: usize| Some(u64::from_le_bytes(file.get(at..at.checked_add(8)?)?.try_into().ok()?));
    let half = |at: usize| Some(u16::from_le_bytes(file.get(at..at + 2)?.try_into().ok()?));
    if file.get(..16)? != IDENT || half(16)? != ET_CORE || half(18)? != MACHINE {
        return None;
    }
    let (table, count, names) = (usize::try_from(word(40)?).ok()?, usize::from(half(60)?), usize::from(half(62)?));
    if table.checked_add(count.checked_mul(SECTION)?)? != file.len() {
        return None;
    }
    let line = |number: usize| table.checked_add(number.checked_mul(SECTION)?);
    let bytes = |number: usize| {
        let at = line(number)?;
        let start = usize::try_from(word(at.checked_add(24)?)?).ok()?;
        file.get(start..start.checked_add(usize::try_from(word(at.checked_add(32)?)?).ok()?)?)
    };
    let names = bytes(names)?;
    let mut sections = Vec::new();
    for number in 1..count.checked_sub(1)? {
        let at = line(number)?;
        let start = word(at)? as u32 as usize;
        let name = names.get(start..)?.split(|&byte| byte == 0).next()?;
        sections.push(Section {
            name: String::from_utf8(name.to_vec()).ok()?,
            address: word(at.checked_add(16)?)?,
            bytes: bytes(number)?.to_vec(),
        });
    }
    Some(sections)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sections() -> Vec<Section> {
        let section =
            |name: &str, address, bytes: &[u8]| Section { name: name.to_owned(), address, bytes: bytes.into() };
        vec![section(CORE, 0, b"core\t1\n"), section(SHARED, 0x1234_5678_9abc, &[7; 33]), section(PTX, 0, b"")]
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(read(&write(&sections())), Some(sections()));
        assert_eq!(read(&write(&[])), Some(vec![]));
    }

    #[test]
    fn what_is_cut_off_or_changed_does_no_harm() {
        let file = write(&sections());
        for length in 0..file.len() {
            assert_eq!(read(&file[..length]), None, "{length}");
        }
        for at in 0..file.len() {
            for byte in [0, 0x7f, 0xff] {
                let mut file = file.clone();
                file[at] = byte;
                let _ = read(&file);
            }
        }
    }
}
