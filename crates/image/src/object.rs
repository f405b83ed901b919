//! Objects and archives of the host's compiler, as linkers get them: fat binaries lie in sections of ELF files.

use crate as image;
use crate::{DEVICE, Image, half, long, word};
use container::fat;
use error::{Error, Result, refuse};
use settings::log;

/// The first bytes of an archive.
const ARCHIVE: &[u8] = b"!<arch>\n";
/// The first bytes of an ELF file of 64 bits, little endian.
const ELF: &[u8] = b"\x7fELF\x02\x01";
/// True for an object or an archive, which this file reads in place of [`of_bytes`](crate::of_bytes).
pub fn is_object(bytes: &[u8]) -> bool {
    let of_host = |machine| machine != DEVICE && !container::is_container(bytes);
    bytes.starts_with(ARCHIVE) || bytes.starts_with(ELF) && half(bytes, 18).is_some_and(of_host)
}

/// The device code of an object, or of all members of an archive, for a device of compute capability `capability`.
///
/// An archive without PTX is no error: a link reports the symbols that it misses, if there are any. Programs link libraries that they need
/// nothing of, such as `libcudadevrt.a`.
pub fn read(bytes: &[u8], capability: u32) -> Result<Image> {
    let mut whole = Image::default();
    if bytes.starts_with(ARCHIVE) {
        members(bytes, |member| {
            if container::is_container(member) {
                whole.add(image::of_bytes(member, capability)?);
                Ok(())
            } else if member.starts_with(ELF) {
                object(member, capability, &mut whole)
            } else {
                Ok(())
            }
        })?;
        if whole.modules.is_empty() && whole.has_unusable() {
            log::info!("a library that is linked adds nothing: its device code is {}", whole.unusable());
        }
        Ok(whole)
    } else {
        object(bytes, capability, &mut whole)?;
        if whole.modules.is_empty() {
            image::refuse(&whole, capability);
            return Err(refuse!(Error::NO_BINARY_FOR_GPU, "data has no PTX that suits the device"));
        }
        Ok(whole)
    }
}

/// Calls `each` with every member of an archive. Tables of names and symbols are members, too.
fn members(bytes: &[u8], mut each: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
    /// Bytes of a member's header; its size stands in it as decimal digits.
    const HEADER: usize = 60;
    const SIZE: core::ops::Range<usize> = 48..58;
    let mut at = ARCHIVE.len();
    while let Some(header) = bytes.get(at..at + HEADER) {
        let size = core::str::from_utf8(&header[SIZE]).ok().and_then(|digits| digits.trim().parse::<usize>().ok());
        let end = size.and_then(|size| (at + HEADER).checked_add(size)).ok_or(Error::INVALID_IMAGE)?;
        each(bytes.get(at + HEADER..end).ok_or(Error::INVALID_IMAGE)?)?;
        // Members begin at even offsets.
        at = end.next_multiple_of(2);
    }
    Ok(())
}

/// Adds the fat binaries of an object's sections.
fn object(bytes: &[u8], capability: u32, whole: &mut Image) -> Result<()> {
    for section in sections(bytes).ok_or(Error::INVALID_IMAGE)? {
        let mut at = 0;
        while let Some(rest) = section.get(at..).filter(|rest| word(rest, 0) == Some(fat::MAGIC)) {
            let header = half(rest, 6).unwrap_or(fat::HEADER) as usize;
            let body = long(rest, 8).ok_or(Error::INVALID_IMAGE)? as usize;
            let length =
                header.checked_add(body).filter(|&n| n >= 16 && n <= rest.len()).ok_or(Error::INVALID_IMAGE)?;
            whole.add(image::contents(&rest[..length], capability)?);
            at += length.next_multiple_of(8);
        }
    }
    Ok(())
}

/// The sections of an object that hold fat binaries.
fn sections(bytes: &[u8]) -> Option<Vec<&[u8]>> {
    const WANTED: [&[u8]; 2] = [b".nv_fatbin", b"__nv_relfatbin"];
    let table = long(bytes, 40)? as usize;
    let (size, count, names) = (half(bytes, 58)? as usize, half(bytes, 60)? as usize, half(bytes, 62)? as usize);
    let header = |index: usize| {
        let at = index.checked_mul(size).and_then(|at| at.checked_add(table))?;
        bytes.get(at..at.checked_add(64)?)
    };
    let contents = |header: &[u8]| {
        /// A section without contents in the file.
        const EMPTY: u32 = 8;
        if word(header, 4)? == EMPTY {
            return Some(&[][..]);
        }
        let start = long(header, 24)? as usize;
        bytes.get(start..start.checked_add(long(header, 32)? as usize)?)
    };
    let names = contents(header(names)?)?;
    let mut found = Vec::new();
    for index in 0..count {
        let header = header(index)?;
        let name = names.get(word(header, 0)? as usize..)?;
        if WANTED.iter().any(|wanted| name.starts_with(wanted) && name.get(wanted.len()) == Some(&0)) {
            found.push(contents(header)?);
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use container::Contents;

    const TEXT: &str = ".version 8.0\n.target sm_80\n.address_size 64\n";

    fn fat() -> Vec<u8> {
        fat_for(80)
    }

    /// A fat binary with PTX for an architecture.
    fn fat_for(architecture: u8) -> Vec<u8> {
        let mut entry = vec![0; 64];
        entry[0] = 1;
        entry[4] = 64;
        entry[8..16].copy_from_slice(&(TEXT.len() as u64).to_le_bytes());
        entry[28] = architecture;
        entry.extend_from_slice(TEXT.as_bytes());
        let mut whole = fat::MAGIC.to_le_bytes().to_vec();
        whole.extend_from_slice(&[1, 0, 16, 0]);
        whole.extend_from_slice(&(entry.len() as u64).to_le_bytes());
        whole.extend(entry);
        whole
    }

    /// An object with a section of a name.
    fn object_with(name: &str, contents: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0; 64];
        bytes[..6].copy_from_slice(ELF);
        bytes[16..20].copy_from_slice(&[1, 0, 62, 0]);
        let names = format!("\0{name}\0");
        let (first, second) = (64, 64 + names.len().next_multiple_of(8));
        bytes.extend_from_slice(names.as_bytes());
        bytes.resize(second, 0);
        bytes.extend_from_slice(contents);
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        let table = bytes.len();
        for (start, size, name) in [(0, 0, 0), (first, names.len(), 0), (second, contents.len(), 1u32)] {
            let mut header = vec![0; 64];
            header[..4].copy_from_slice(&name.to_le_bytes());
            header[24..32].copy_from_slice(&(start as u64).to_le_bytes());
            header[32..40].copy_from_slice(&(size as u64).to_le_bytes());
            bytes.extend(header);
        }
        bytes[40..48].copy_from_slice(&(table as u64).to_le_bytes());
        bytes[58..64].copy_from_slice(&[64, 0, 3, 0, 1, 0]);
        bytes
    }

    fn archive(members: &[&[u8]]) -> Vec<u8> {
        let mut bytes = ARCHIVE.to_vec();
        for member in members {
            bytes.extend_from_slice(format!("{:<48}{:<10}`\n", "name/", member.len()).as_bytes());
            bytes.extend_from_slice(member);
            bytes.resize(bytes.len().next_multiple_of(2), b'\n');
        }
        bytes
    }

    #[test]
    fn objects_and_archives() {
        for name in [".nv_fatbin", "__nv_relfatbin"] {
            let one = object_with(name, &fat());
            assert!(is_object(&one));
            assert_eq!(read(&one, 90).unwrap().modules, [TEXT]);
            let all = archive(&[b"/table of names", &one, &one]);
            assert!(is_object(&all));
            assert_eq!(read(&all, 90).unwrap().modules, [TEXT, TEXT]);
        }
        assert_eq!(read(&object_with(".text", &fat()), 90), Err(Error::NO_BINARY_FOR_GPU));
        assert!(read(&archive(&[&object_with(".text", b"")]), 90).unwrap().modules.is_empty());
        assert!(!is_object(TEXT.as_bytes()));
        let own = Contents { ptx: TEXT.into(), architecture: "sm_80".parse().unwrap(), ..Contents::default() };
        let own = container::write(&own);
        assert!(!is_object(&own));
        assert_eq!(read(&archive(&[&own]), 90).unwrap().modules, [TEXT]);
    }

    #[test]
    fn what_does_not_suit_counts_only_alone() {
        let newer = object_with(".nv_fatbin", &fat_for(121));
        assert_eq!(read(&newer, 90), Err(Error::NO_BINARY_FOR_GPU));
        // As in NVIDIA's library for launches from the device.
        let library = read(&archive(&[&newer]), 90).unwrap();
        assert!(library.modules.is_empty() && library.has_unusable());
        assert_eq!(library.unusable(), "PTX for compute_121 only");
        assert_eq!(read(&archive(&[&newer]), 121).unwrap().modules, [TEXT]);
        let mut both = fat_for(121);
        both.resize(both.len().next_multiple_of(8), 0);
        both.extend(fat());
        assert_eq!(read(&object_with(".nv_fatbin", &both), 90).unwrap().modules, [TEXT]);
    }

    #[test]
    fn damaged_objects_never_panic() {
        let all = archive(&[&object_with(".nv_fatbin", &fat())]);
        for at in 0..all.len() {
            for flip in [0xff, 0x01, 0x80] {
                let mut damaged = all.clone();
                damaged[at] ^= flip;
                let _ = read(&damaged, 90);
            }
            let _ = read(&all[..at], 90);
        }
    }
}
