//! The container: what our tools give to programs that ask a compiler or a linker for machine code. It holds the PTX instead.
//!
//! A program passes machine code on, hashes it, writes it into a cache and loads it later, and knows of it that it is an
//! ELF file which is as long as its section table says. So is this one:
//!
//! | part | what |
//! |---|---|
//! | header | of 64 bits, little endian; its machine is [`MACHINE`], which no driver of a GPU takes for its own |
//! | section `.note.doppel` | a note named `Doppel`: version, architecture, limit of registers, checksum, name, maker |
//! | section `.ptx` | the text; several modules with a NUL between them |
//! | section `.shstrtab` | the names of the sections |
//! | section table | its end is the end of the file |
//!
//! A real driver refuses it as an invalid image. The checksum covers the whole file: what was cut off or changed is
//! refused by [`read`], too.

#![forbid(unsafe_code)]

pub mod fat;

use core::fmt;
use core::str::FromStr;

/// `e_machine`: a number that nobody was given.
pub const MACHINE: u16 = 0xd0bb;
/// Bytes of the ELF header, which [`length`] and [`is_container`] look at.
pub const HEADER: usize = 64;

/// `e_ident`: ELF, 64 bits, little endian, version 1, of no system (255), and our name in what is padding.
pub const IDENT: [u8; 16] = *b"\x7fELF\x02\x01\x01\xff\x01Doppel\0";
/// Our name in the note, with its NUL, padded to words of four bytes.
const NOTE_NAME: &[u8; 8] = b"Doppel\0\0";
/// Bytes of the note up to its contents, of which the name counts 7.
const NOTE_HEADER: usize = 12 + NOTE_NAME.len();
/// Bytes of the note's contents up to the texts.
const FIXED: usize = 32;
/// Where in the contents the checksum is.
const CHECKSUM: usize = 16;
/// Version of the contents.
const VERSION: u32 = 1;
/// Names of sections, and where each begins.
const NAMES: &[u8] = b"\0.note.doppel\0.ptx\0.shstrtab\0";
const NAME_OF_NOTE: u32 = 1;
const NAME_OF_TEXT: u32 = 14;
const NAME_OF_NAMES: u32 = 19;
/// Bytes of a line of the section table.
pub const SECTION: usize = 64;
/// How many lines there are.
const SECTIONS: usize = 4;
/// The type of sections that hold what their makers say.
pub const PROGBITS: u32 = 1;
/// The type of sections that hold names.
pub const STRTAB: u32 = 3;
const NOTE: u32 = 7;

/// An architecture as tools name it: `sm_90a`, `compute_120f`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Architecture {
    /// 90 for 9.0.
    pub number: u32,
    /// `a`: for this architecture alone; `f`: for its family.
    pub suffix: Option<char>,
}

impl Architecture {
    /// Whether PTX for it can be compiled for a device of a compute capability (90 for 9.0).
    pub fn suits(self, capability: u32) -> bool {
        match self.suffix {
            Some('a') => self.number == capability,
            Some(_) => self.number <= capability && self.number / 10 == capability / 10,
            None => self.number <= capability,
        }
    }

    /// Whether machine code for it would run on a device of a compute capability: within the major version only.
    pub fn runs_as_machine_code(self, capability: u32) -> bool {
        self.suits(capability) && self.number / 10 == capability / 10
    }
}

/// `sm_90a`.
impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sm_{}", self.number)?;
        self.suffix.map_or(Ok(()), |suffix| write!(f, "{suffix}"))
    }
}

/// Reads `sm_90a`, `compute_90a`, `lto_90a` or `90a`.
impl FromStr for Architecture {
    type Err = ();

    fn from_str(text: &str) -> Result<Architecture, ()> {
        let rest = ["sm_", "compute_", "lto_"].iter().find_map(|prefix| text.strip_prefix(prefix)).unwrap_or(text);
        let digits = rest.trim_end_matches(['a', 'f']);
        let suffix = match &rest[digits.len()..] {
            "" => None,
            "a" => Some('a'),
            "f" => Some('f'),
            _ => return Err(()),
        };
        let plain = !digits.is_empty() && digits.len() <= 4 && digits.bytes().all(|b| b.is_ascii_digit());
        if plain { Ok(Architecture { number: digits.parse().map_err(drop)?, suffix }) } else { Err(()) }
    }
}

/// What a container holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// PTX text; several modules, which a load links, have a NUL between them.
    pub ptx: Vec<u8>,
    /// What it was made for; the PTX may be for an earlier one.
    pub architecture: Architecture,
    /// Most registers of a thread (`-maxrregcount`).
    pub most_registers: Option<u32>,
    /// Name of the program or input, for messages; may be empty.
    pub name: String,
    /// What made it, with the version of the tool that it stands for (`nvrtc 13.0`). It makes the bytes differ where a
    /// cache looks at them.
    pub maker: String,
}

/// The file.
pub fn write(contents: &Contents) -> Vec<u8> {
    let Contents { ptx, architecture, most_registers, name, maker } = contents;
    let described = FIXED + name.len() + maker.len();
    let mut file =
        Vec::with_capacity(HEADER + NOTE_HEADER + described + ptx.len() + NAMES.len() + SECTIONS * SECTION + 64);
    file.resize(HEADER, 0);

    let note = file.len();
    put(&mut file, 7);
    put(&mut file, described as u32);
    put(&mut file, 1);
    file.extend_from_slice(NOTE_NAME);
    put(&mut file, VERSION);
    put(&mut file, architecture.number);
    put(&mut file, architecture.suffix.map_or(0, u32::from));
    put(&mut file, most_registers.unwrap_or(0));
    put_long(&mut file, 0);
    put(&mut file, name.len() as u32);
    put(&mut file, maker.len() as u32);
    file.extend_from_slice(name.as_bytes());
    file.extend_from_slice(maker.as_bytes());
    let note = note..file.len();

    align(&mut file);
    let text = file.len()..file.len() + ptx.len();
    file.extend_from_slice(ptx);
    // Whoever takes the text for a string of C finds its end.
    file.push(0);
    let names = file.len()..file.len() + NAMES.len();
    file.extend_from_slice(NAMES);
    align(&mut file);

    let table = file.len();
    file.resize(table + SECTION, 0);
    for (name, kind, range) in
        [(NAME_OF_NOTE, NOTE, &note), (NAME_OF_TEXT, PROGBITS, &text), (NAME_OF_NAMES, STRTAB, &names)]
    {
        put(&mut file, name);
        put(&mut file, kind);
        put_long(&mut file, 0);
        put_long(&mut file, 0);
        put_long(&mut file, range.start as u64);
        put_long(&mut file, range.len() as u64);
        put_long(&mut file, 0);
        put_long(&mut file, 1);
        put_long(&mut file, 0);
    }

    let mut header = Vec::with_capacity(HEADER);
    header.extend_from_slice(&IDENT);
    // An executable file.
    header.extend_from_slice(&2u16.to_le_bytes());
    header.extend_from_slice(&MACHINE.to_le_bytes());
    put(&mut header, 1);
    put_long(&mut header, 0);
    put_long(&mut header, 0);
    put_long(&mut header, table as u64);
    put(&mut header, 0);
    for half in [HEADER as u16, 0, 0, SECTION as u16, SECTIONS as u16, SECTIONS as u16 - 1] {
        header.extend_from_slice(&half.to_le_bytes());
    }
    file[..HEADER].copy_from_slice(&header);

    let place = note.start + NOTE_HEADER + CHECKSUM;
    let sum = checksum(&file, place);
    file[place..place + 8].copy_from_slice(&sum.to_le_bytes());
    file
}

/// Whether a file begins as a container does. Its first [`HEADER`] bytes are enough.
pub fn is_container(bytes: &[u8]) -> bool {
    bytes.starts_with(&IDENT) && half(bytes, 18) == Some(MACHINE)
}

/// Whether bytes that were packed by LZ4 are those of a container, as far as they show.
///
/// The first bytes of a container repeat nothing: they stand as they are near the beginning.
pub fn is_packed_container(packed: &[u8]) -> bool {
    /// A token of LZ4, lengths behind it.
    const BEFORE: usize = 4;
    (0..BEFORE).any(|at| packed.get(at..).is_some_and(|rest| rest.starts_with(&IDENT)))
}

/// Bytes of a container, as its header says. The first [`HEADER`] bytes are enough to tell.
pub fn length(bytes: &[u8]) -> Option<usize> {
    let sections = usize::from(half(bytes, 60)?);
    let fits = is_container(bytes) && usize::from(half(bytes, 58)?) == SECTION && sections == SECTIONS;
    let table = usize::try_from(long(bytes, 40)?).ok().filter(|&table| fits && table >= HEADER)?;
    table.checked_add(sections * SECTION).filter(|&length| length <= isize::MAX as usize)
}

/// What a container holds; nothing for other files and for damaged ones. What follows the container is not looked at.
pub fn read(bytes: &[u8]) -> Option<Contents> {
    let file = bytes.get(..length(bytes)?)?;
    let table = file.len() - SECTIONS * SECTION;
    let section = |wanted: u32| {
        (1..SECTIONS).map(|index| table + index * SECTION).find(|&at| word(file, at + 4) == Some(wanted)).and_then(
            |at| {
                let start = usize::try_from(long(file, at + 24)?).ok()?;
                let end = start.checked_add(usize::try_from(long(file, at + 32)?).ok()?)?;
                file.get(start..end).map(|contents| (start, contents))
            },
        )
    };
    let (start, note) = section(NOTE)?;
    let (_, ptx) = section(PROGBITS)?;
    if word(note, 0)? != 7 || note.get(12..NOTE_HEADER)? != NOTE_NAME {
        return None;
    }
    let described = note.get(NOTE_HEADER..)?;
    let place = start + NOTE_HEADER + CHECKSUM;
    if word(described, 0)? != VERSION || long(described, CHECKSUM)? != checksum(file, place) {
        return None;
    }
    let name_end = FIXED.checked_add(word(described, 24)? as usize)?;
    let maker_end = name_end.checked_add(word(described, 28)? as usize)?;
    let text = |range| Some(core::str::from_utf8(described.get(range)?).ok()?.to_owned());
    let suffix = word(described, 8)?;
    Some(Contents {
        ptx: ptx.to_vec(),
        architecture: Architecture {
            number: word(described, 4)?,
            suffix: if suffix == 0 { None } else { Some(char::from_u32(suffix)?) },
        },
        most_registers: word(described, 12).filter(|&most| most != 0),
        name: text(FIXED..name_end)?,
        maker: text(name_end..maker_end)?,
    })
}

/// A number that depends on every byte of a file but the eight at `place`, which stand for zeros.
fn checksum(file: &[u8], place: usize) -> u64 {
    /// FNV-1a's basis and prime; it goes by words of eight bytes, and turns them, so that high bits count, too.
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let part = |sum: u64, bytes: &[u8]| {
        bytes.chunks(8).fold(sum, |sum, chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            ((sum ^ u64::from_le_bytes(word)).wrapping_mul(PRIME)).rotate_left(29)
        })
    };
    let (before, after) = (file.get(..place).unwrap_or(file), file.get(place.saturating_add(8)..).unwrap_or(&[]));
    part(part(BASIS ^ file.len() as u64, before), after)
}

fn put(file: &mut Vec<u8>, word: u32) {
    file.extend_from_slice(&word.to_le_bytes());
}

fn put_long(file: &mut Vec<u8>, long: u64) {
    file.extend_from_slice(&long.to_le_bytes());
}

fn align(file: &mut Vec<u8>) {
    file.resize(file.len().next_multiple_of(8), 0);
}

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at.checked_add(8)?)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Contents {
        Contents {
            ptx: b".version 8.0\n.target sm_90\n.address_size 64\n".to_vec(),
            architecture: Architecture { number: 90, suffix: Some('a') },
            most_registers: Some(32),
            name: "kernel.cu".into(),
            maker: "nvrtc 13.0".into(),
        }
    }

    #[test]
    fn what_was_written_is_read() {
        let mut contents = example();
        for _ in 0..9 {
            let file = write(&contents);
            assert!(is_container(&file[..HEADER]));
            assert_eq!(length(&file[..HEADER]), Some(file.len()));
            assert_eq!(read(&file), Some(contents.clone()));
            // Whatever lies behind it is of no interest.
            assert_eq!(read(&[&file[..], b"more"].concat()), Some(contents.clone()));
            // All lengths of parts, of which others follow at multiples of eight.
            contents.ptx.push(b' ');
            contents.name.pop();
        }
        for empty in [Contents::default(), Contents { ptx: b"\0one\0two\0".to_vec(), ..Contents::default() }] {
            assert_eq!(read(&write(&empty)), Some(empty));
        }
    }

    #[test]
    fn damaged_ones_are_refused() {
        let file = write(&example());
        for at in 0..file.len() {
            for flip in [0xff, 0x01, 0x80] {
                let mut damaged = file.clone();
                damaged[at] ^= flip;
                assert_eq!(read(&damaged), None, "byte {at}");
            }
            assert_eq!(read(&file[..at]), None, "{at} bytes");
            let _ = length(&file[..at]);
        }
        // Sizes that no memory has, in headers that are believed only together with the checksum.
        let table = file.len() - SECTIONS * SECTION;
        for at in [40, table + SECTION + 24, table + SECTION + 32, table + 2 * SECTION + 24, table + 2 * SECTION + 32] {
            for size in [u64::MAX, u64::MAX - 63, i64::MAX as u64, file.len() as u64] {
                let mut damaged = file.clone();
                damaged[at..at + 8].copy_from_slice(&size.to_le_bytes());
                assert_eq!(read(&damaged), None);
            }
        }
    }

    #[test]
    fn sections_have_their_names() {
        for (start, name) in [(NAME_OF_NOTE, ".note.doppel"), (NAME_OF_TEXT, ".ptx"), (NAME_OF_NAMES, ".shstrtab")] {
            assert!(NAMES[start as usize - 1..].starts_with(format!("\0{name}\0").as_bytes()));
        }
    }

    #[test]
    fn architectures() {
        let of = |text: &str| text.parse::<Architecture>();
        for text in ["sm_90", "sm_90a", "sm_120f", "sm_75"] {
            assert_eq!(of(text).unwrap().to_string(), text);
        }
        assert_eq!(of("compute_100a"), of("100a"));
        assert_eq!(of("lto_75"), of("sm_75"));
        for bad in ["", "sm_", "sm_9x", "sm_90aa", "sm_90fa", "sm_+9", "native", "sm_99999"] {
            assert_eq!(of(bad), Err(()), "{bad}");
        }
        let suits = |text: &str, capability| of(text).unwrap().suits(capability);
        assert!(suits("sm_90", 90) && suits("sm_90", 120) && !suits("sm_90", 89));
        assert!(suits("sm_90a", 90) && !suits("sm_90a", 100));
        assert!(suits("sm_100f", 103) && !suits("sm_100f", 120) && !suits("sm_103f", 100));
        assert!(of("sm_80").unwrap().runs_as_machine_code(86) && !of("sm_80").unwrap().runs_as_machine_code(90));
    }
}
