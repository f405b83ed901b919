//! What a program's or library's file says of itself.

use container::Architecture;
use container::fat::{ENTRY, HEADER, MAGIC, at, flag, kind};
use object::elf;
use object::read::elf::{Dyn, FileHeader, ProgramHeader};
use object::{Endianness, Object, ObjectSection};
use std::path::{Path, PathBuf};

type Header = elf::FileHeader64<Endianness>;

/// What a file is, if it is no program or library that this machine's loader takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One that it takes.
    Elf,
    /// A script with its interpreter and the words behind it.
    Script(Vec<String>),
    /// For 32 bits.
    Bits32,
    /// For another processor.
    OtherProcessor,
    /// Something else.
    Unknown,
}

/// Device code in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceCode {
    /// What PTX is for.
    pub ptx: Vec<Architecture>,
    /// What machine code is for.
    pub machine_code: Vec<Architecture>,
    /// Fat binaries that hold no PTX.
    pub without_ptx: usize,
    /// All of them.
    pub binaries: usize,
}

/// A file of the loader's.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// The loader that it names; none for what is linked statically, and for libraries.
    pub interpreter: Option<String>,
    pub soname: Option<String>,
    pub needed: Vec<String>,
    pub rpath: Vec<String>,
    pub runpath: Vec<String>,
    pub code: DeviceCode,
    /// A CUDA runtime is inside.
    pub runtime: Option<Runtime>,
}

/// Whose runtime is inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runtime {
    Ours,
    Nvidia,
}

/// What a file is.
pub fn kind(bytes: &[u8]) -> Kind {
    match bytes {
        [b'#', b'!', rest @ ..] => {
            let line = rest.split(|&b| b == b'\n').next().unwrap_or_default();
            let line = String::from_utf8_lossy(&line[..line.len().min(4096)]).trim().to_owned();
            let mut words = line.splitn(2, char::is_whitespace).map(|word| word.trim().to_owned());
            Kind::Script(words.by_ref().filter(|word| !word.is_empty()).collect())
        }
        [0x7f, b'E', b'L', b'F', class, ..] if bytes.len() >= 64 || *class == 1 => match (*class, bytes.get(18..20)) {
            (1, _) => Kind::Bits32,
            (2, Some(machine)) if machine == elf::EM_X86_64.0.to_le_bytes() => Kind::Elf,
            _ => Kind::OtherProcessor,
        },
        _ => Kind::Unknown,
    }
}

/// Reads a file that [`kind`] takes. What is damaged in it is left out.
pub fn read(bytes: &[u8]) -> File {
    let mut file = File::default();
    let Ok(header) = Header::parse(bytes) else { return file };
    let Ok(endian) = header.endian() else { return file };
    let segments = header.program_headers(endian, bytes).unwrap_or_default();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    file.interpreter = segments.iter().find_map(|s| s.interpreter(endian, bytes).ok().flatten()).map(text);
    if let Some(entries) = segments.iter().find_map(|s| s.dynamic(endian, bytes).ok().flatten()) {
        dynamic(&mut file, entries, endian, segments, bytes);
    }
    if let Ok(object) = object::read::elf::ElfFile64::<Endianness>::parse(bytes) {
        for section in object.sections().filter(|s| matches!(s.name(), Ok(".nv_fatbin" | "__nv_relfatbin"))) {
            file.code.add(section.data().unwrap_or_default());
        }
    }
    file.runtime = runtime(&file, bytes);
    file
}

fn dynamic(
    file: &mut File,
    entries: &[elf::Dyn64<Endianness>],
    endian: Endianness,
    segments: &[elf::ProgramHeader64<Endianness>],
    bytes: &[u8],
) {
    let value = |tag: elf::DynamicTag| entries.iter().find(|e| e.tag(endian) == tag).map(|e| e.d_val(endian));
    let (Some(address), Some(size)) = (value(elf::DT_STRTAB), value(elf::DT_STRSZ)) else { return };
    let table = segments.iter().find_map(|s| s.data_range(endian, bytes, address, size).ok().flatten());
    let string = |at: u64| {
        let rest = table?.get(usize::try_from(at).ok()?..)?;
        Some(String::from_utf8_lossy(rest.split(|&b| b == 0).next()?).into_owned())
    };
    for entry in entries.iter().take_while(|e| e.tag(endian) != elf::DT_NULL) {
        let Some(word) = string(entry.d_val(endian)) else { continue };
        let folders = || word.split(':').filter(|f| !f.is_empty()).map(str::to_owned).collect();
        match entry.tag(endian) {
            elf::DT_NEEDED => file.needed.push(word),
            elf::DT_SONAME => file.soname = Some(word),
            elf::DT_RPATH => file.rpath = folders(),
            elf::DT_RUNPATH => file.runpath = folders(),
            _ => {}
        }
    }
}

/// Texts that every CUDA runtime has inside: the driver's name, and its error names.
const RUNTIME: [&[u8]; 2] = [b"libcuda.so.1\0", b"cudaErrorCudartUnloading\0"];
/// One that ours alone has.
const OURS: &[u8] = b"DOPPEL_LOG";
/// Bytes of a file that are looked through; no runtime is behind more device code than this.
const LOOKED_THROUGH: usize = 64 << 20;

fn runtime(file: &File, bytes: &[u8]) -> Option<Runtime> {
    let shared = |name: &String| name.starts_with("libcudart");
    if file.soname.as_ref().is_some_and(shared) || file.needed.iter().any(shared) {
        return None;
    }
    let bytes = &bytes[..bytes.len().min(LOOKED_THROUGH)];
    let has = |text: &[u8]| memchr::memmem::find(bytes, text).is_some();
    RUNTIME.iter().all(|text| has(text)).then(|| if has(OURS) { Runtime::Ours } else { Runtime::Nvidia })
}

impl DeviceCode {
    /// Adds what a section of fat binaries holds, one after the other.
    fn add(&mut self, section: &[u8]) {
        let number = |bytes: &[u8], at: usize, length: usize| {
            let word = bytes.get(at..at + length)?;
            Some(word.iter().rev().fold(0u64, |number, &byte| number << 8 | u64::from(byte)))
        };
        let mut rest = section;
        while let Some(start) = memchr::memmem::find(rest, &MAGIC.to_le_bytes()) {
            rest = &rest[start..];
            let (Some(header), Some(size)) = (number(rest, 6, 2), number(rest, 8, 8)) else { return };
            let end = usize::try_from(size).ok().and_then(|size| size.checked_add(header as usize));
            let Some(binary) = end.and_then(|end| rest.get(usize::from(HEADER).max(header as usize)..end)) else {
                // Not one: the word stands in something else.
                rest = &rest[4..];
                continue;
            };
            let (mut entries, mut ptx) = (binary, false);
            while entries.len() >= ENTRY {
                let field = |at, length| number(entries, at, length).unwrap_or(0);
                let flags = field(at::FLAGS, 8);
                let suffix = match (flags & flag::ALONE != 0, flags & flag::FAMILY != 0) {
                    (true, _) => Some('a'),
                    (_, true) => Some('f'),
                    _ => None,
                };
                let architecture = Architecture { number: field(at::ARCHITECTURE, 4) as u32, suffix };
                let is_ptx = field(at::KIND, 2) == u64::from(kind::PTX);
                let list = if is_ptx { &mut self.ptx } else { &mut self.machine_code };
                if !list.contains(&architecture) {
                    list.push(architecture);
                }
                ptx |= is_ptx;
                let length = field(at::HEADER, 4).max(ENTRY as u64).saturating_add(field(at::PAYLOAD, 8));
                entries = usize::try_from(length).ok().and_then(|length| entries.get(length..)).unwrap_or_default();
            }
            self.binaries += 1;
            self.without_ptx += usize::from(!ptx);
            rest = &rest[end.unwrap_or(rest.len())..];
        }
    }
}

/// `$ORIGIN` and its like in a folder of an RPATH.
pub fn expanded(folder: &str, file: &Path) -> PathBuf {
    let origin = file.parent().unwrap_or(Path::new("/")).to_string_lossy().into_owned();
    let mut folder = folder.to_owned();
    for (word, value) in [("ORIGIN", origin.as_str()), ("LIB", "lib/x86_64-linux-gnu"), ("PLATFORM", "x86_64")] {
        folder = folder.replace(&format!("${{{word}}}"), value).replace(&format!("${word}"), value);
    }
    PathBuf::from(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(kind: u16, architecture: u32, flags: u64, payload: usize) -> Vec<u8> {
        let mut bytes = vec![0; ENTRY + payload];
        bytes[..2].copy_from_slice(&kind.to_le_bytes());
        bytes[at::HEADER..at::HEADER + 4].copy_from_slice(&(ENTRY as u32).to_le_bytes());
        bytes[at::PAYLOAD..at::PAYLOAD + 8].copy_from_slice(&(payload as u64).to_le_bytes());
        bytes[at::ARCHITECTURE..at::ARCHITECTURE + 4].copy_from_slice(&architecture.to_le_bytes());
        bytes[at::FLAGS..at::FLAGS + 8].copy_from_slice(&flags.to_le_bytes());
        bytes
    }

    fn binary(entries: &[Vec<u8>]) -> Vec<u8> {
        let body = entries.concat();
        let mut bytes = MAGIC.to_le_bytes().to_vec();
        bytes.extend(1u16.to_le_bytes());
        bytes.extend(HEADER.to_le_bytes());
        bytes.extend((body.len() as u64).to_le_bytes());
        [bytes, body].concat()
    }

    #[test]
    fn fat_binaries() {
        let both = binary(&[entry(kind::MACHINE_CODE, 80, 0, 24), entry(kind::PTX, 90, flag::ALONE, 8)]);
        let alone = binary(&[entry(kind::MACHINE_CODE, 100, 0, 0)]);
        let mut code = DeviceCode::default();
        code.add(&[both, vec![0; 13], alone, MAGIC.to_le_bytes().to_vec()].concat());
        assert_eq!((code.binaries, code.without_ptx), (2, 1));
        assert_eq!(code.ptx, [Architecture { number: 90, suffix: Some('a') }]);
        assert_eq!(code.machine_code.iter().map(|a| a.number).collect::<Vec<_>>(), [80, 100]);
    }

    #[test]
    fn kinds() {
        assert_eq!(kind(b"#!/usr/bin/env python3\nx"), Kind::Script(vec!["/usr/bin/env".into(), "python3".into()]));
        assert_eq!(kind(b"#! /bin/sh\n"), Kind::Script(vec!["/bin/sh".into()]));
        assert_eq!(kind(b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x03\0"), Kind::Bits32);
        assert_eq!(kind(b"hello"), Kind::Unknown);
        assert_eq!(kind(b""), Kind::Unknown);
        assert_eq!(expanded("$ORIGIN/../lib", Path::new("/a/b/c")), Path::new("/a/b/../lib"));
        assert_eq!(expanded("${ORIGIN}", Path::new("/a/b/c")), Path::new("/a/b"));
    }

    #[test]
    fn this_program_and_damaged_ones() {
        let bytes = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        assert_eq!(kind(&bytes), Kind::Elf);
        let file = read(&bytes);
        assert!(file.interpreter.is_some_and(|i| i.contains("ld-linux")));
        assert!(file.needed.iter().any(|name| name == "libc.so.6"));
        for end in (0..4096).chain([bytes.len() / 2, bytes.len() - 1]) {
            read(&bytes[..end]);
        }
        let mut damaged = bytes[..8192].to_vec();
        for at in 0..512 {
            damaged[at] ^= 0xff;
            read(&damaged);
            damaged[at] ^= 0xff;
        }
    }
}
