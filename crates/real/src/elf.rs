//! What kind of file a candidate for a real library is, without loading it.

use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
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
const MACHINE: u16 = 62;
#[cfg(target_arch = "aarch64")]
const MACHINE: u16 = 183;

/// Device and inode.
pub fn identity(path: &Path) -> io::Result<(u64, u64)> {
    let meta = std::fs::metadata(path)?;
    if !meta.is_file() {
        return Err(io::Error::other("not a file"));
    }
    Ok((meta.dev(), meta.ino()))
}

/// Finds out what a file is.
pub fn inspect(path: &Path) -> io::Result<FileKind> {
    let file = File::open(path)?;
    Ok(kind(|at, len| {
        let mut bytes = vec![0; len];
        file.read_exact_at(&mut bytes, at).ok()?;
        Some(bytes)
    })
    .unwrap_or(FileKind::Other))
}

fn number(bytes: &[u8], at: usize, len: usize) -> Option<u64> {
    let mut word = [0; 8];
    word[..len].copy_from_slice(bytes.get(at..at + len)?);
    Some(u64::from_le_bytes(word))
}

fn kind(read: impl Fn(u64, usize) -> Option<Vec<u8>>) -> Option<FileKind> {
    let header = read(0, 64)?;
    // 64 bits, little endian, shared object, this machine.
    let fits = header.starts_with(b"\x7fELF\x02\x01") && number(&header, 16, 2)? == 3;
    if !fits || number(&header, 18, 2)? != u64::from(MACHINE) || number(&header, 54, 2)? != 56 {
        return Some(FileKind::Other);
    }
    let (at, count) = (number(&header, 32, 8)?, number(&header, 56, 2)? as usize);
    let segments = read(at, count * 56)?;
    for segment in segments.chunks_exact(56) {
        const PT_NOTE: u64 = 4;
        /// Bytes of notes that are read: ours are few, and a damaged length may be anything.
        const MOST_NOTES: u64 = 1 << 16;
        let len = number(segment, 32, 8)?;
        if number(segment, 0, 4)? == PT_NOTE && len <= MOST_NOTES {
            let notes = read(number(segment, 8, 8)?, len as usize)?;
            if marked(&notes) {
                return Some(FileKind::Doppel);
            }
        }
    }
    Some(FileKind::Library)
}

/// True when our mark is among the notes. Notes are aligned to four bytes whatever their segment says, so that
/// looking at every fourth byte misses none.
fn marked(notes: &[u8]) -> bool {
    (0..notes.len()).step_by(4).any(|at| {
        number(notes, at, 4) == Some(7)
            && number(notes, at + 8, 4) == Some(u64::from(NOTE))
            && notes.get(at + 12..at + 20) == Some(&OWNER)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bytes: &[u8]) -> FileKind {
        kind(|at, len| bytes.get(at as usize..(at as usize).checked_add(len)?).map(<[u8]>::to_vec))
            .unwrap_or(FileKind::Other)
    }

    /// A header and one note segment.
    fn library(owner: &[u8; 8]) -> Vec<u8> {
        let mut b = vec![0; 64 + 56];
        b[..6].copy_from_slice(b"\x7fELF\x02\x01");
        b[16] = 3;
        b[18..20].copy_from_slice(&MACHINE.to_le_bytes());
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
