//! What kind of file a candidate for a real library is, without loading it.

use object::elf::{self, FileHeader64};
use object::read::elf::{FileHeader, ProgramHeader};
use object::{LittleEndian, ReadCache, ReadRef};
use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

const OWNER: [u8; 8] = *b"Doppel\0\0";
const NOTE: u32 = 1;

/// The mark by which one copy of this library recognises another: an ELF note, because a symbol would be one more export.
#[repr(C)]
struct Mark {
    name_len: u32,
    value_len: u32,
    kind: u32,
    name: [u8; 8],
    value: u32,
}

#[used]
#[unsafe(link_section = ".note.doppel")]
static MARK: Mark = Mark { name_len: 7, value_len: 4, kind: NOTE, name: OWNER, value: 1 };

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A shared library for this machine.
    Library,
    /// A copy of this library.
    Doppel,
    /// Something else.
    Other,
}

#[cfg(target_arch = "x86_64")]
const MACHINE: elf::Machine = elf::EM_X86_64;
#[cfg(target_arch = "aarch64")]
const MACHINE: elf::Machine = elf::EM_AARCH64;

/// Bytes of notes that are read: ours are few, and a damaged length may be anything.
const MOST_NOTES: u64 = 1 << 16;

/// Device and inode.
pub fn identity(path: &Path) -> io::Result<(u64, u64)> {
    let meta = std::fs::metadata(path)?;
    if !meta.is_file() {
        return Err(io::Error::other("not a file"));
    }
    Ok((meta.dev(), meta.ino()))
}

/// Finds out what a file is. Little of it is read.
pub fn inspect(path: &Path) -> io::Result<FileKind> {
    let file = ReadCache::new(File::open(path)?);
    Ok(kind(&file).unwrap_or(FileKind::Other))
}

/// None of a file that is damaged or of another kind of machine.
fn kind<'d>(file: impl ReadRef<'d>) -> Option<FileKind> {
    let header = FileHeader64::<LittleEndian>::parse(file).ok()?;
    let endian = header.endian().ok()?;
    if header.e_type(endian) != elf::ET_DYN || header.e_machine(endian) != MACHINE {
        return None;
    }
    for segment in header.program_headers(endian, file).ok()? {
        if segment.p_type(endian) != elf::PT_NOTE || segment.p_filesz(endian) > MOST_NOTES {
            continue;
        }
        let Some(mut notes) = segment.notes(endian, file).ok()? else { continue };
        while let Ok(Some(note)) = notes.next() {
            if OWNER.starts_with(note.name())
                && note.name().len() + 1 == MARK.name_len as usize
                && note.n_type(endian).0 == NOTE
            {
                return Some(FileKind::Doppel);
            }
        }
    }
    Some(FileKind::Library)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bytes: &[u8]) -> FileKind {
        kind(bytes).unwrap_or(FileKind::Other)
    }

    /// A header and one note segment.
    fn library(owner: &[u8; 8]) -> Vec<u8> {
        let mut b = vec![0; 64 + 56];
        b[..7].copy_from_slice(b"\x7fELF\x02\x01\x01");
        b[16] = 3;
        b[18..20].copy_from_slice(&MACHINE.0.to_le_bytes());
        b[32] = 64;
        b[54] = 56;
        b[56] = 1;
        b[64] = 4;
        b[64 + 8] = 120;
        b[64 + 32] = 24;
        for word in [7u32, 4, 1] {
            b.extend(word.to_le_bytes());
        }
        b.extend(owner);
        b.extend([0; 4]);
        b
    }

    #[test]
    fn kinds() {
        assert_eq!(of(b""), FileKind::Other);
        assert_eq!(of(b"#!/bin/sh"), FileKind::Other);
        assert_eq!(of(&library(b"GNU\0\0\0\0\0")), FileKind::Library);
        assert_eq!(of(&library(&OWNER)), FileKind::Doppel);
        let mut other = library(&OWNER);
        other[18] ^= 1;
        assert_eq!(of(&other), FileKind::Other);
    }

    #[test]
    fn a_damaged_file_is_harmless() {
        let whole = library(&OWNER);
        for at in 0..whole.len() {
            for value in [0, 1, 0x7f, 0xff] {
                let mut broken = whole.clone();
                broken[at] = value;
                of(&broken);
                of(&whole[..at]);
            }
        }
    }

    #[test]
    fn this_library_recognises_itself() {
        let me = std::env::current_exe().unwrap();
        // A test program is a position-independent executable, which is a shared object to ELF, and carries the mark.
        assert_eq!(inspect(&me).unwrap(), FileKind::Doppel);
        assert_eq!(MARK.name, OWNER);
    }
}
