//! Inputs: what the bytes are, and what the program says that they are.

use core::ffi::c_int;
use image::{DEVICE, half, word};

/// `nvJitLinkInputType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    MachineCode,
    Text,
    Intermediate,
    FatBinary,
    Object,
    Library,
    Index,
}

/// The first word of code for link time optimisation.
const INTERMEDIATE: u32 = 0x7f4e_43ed;
/// The first bytes of an archive and of an ELF file.
const ARCHIVE: &[u8] = b"!<arch>\n";
const ELF: &[u8] = b"\x7fELF";
/// Whatever it is.
pub const ANY: c_int = 10;

impl Kind {
    /// The type with a number.
    pub fn of_number(number: c_int) -> Option<Kind> {
        use Kind::*;
        let all = [MachineCode, Text, Intermediate, FatBinary, Object, Library, Index];
        all.get(usize::try_from(number.checked_sub(1)?).ok()?).copied()
    }

    /// The number of a type.
    pub fn number(self) -> c_int {
        self as c_int + 1
    }

    /// The end of its name.
    pub fn name(self) -> &'static str {
        ["CUBIN", "PTX", "LTOIR", "FATBIN", "OBJECT", "LIBRARY", "INDEX"][self as usize]
    }

    /// What bytes are.
    pub fn of_bytes(bytes: &[u8]) -> Option<Kind> {
        Some(match word(bytes, 0) {
            Some(INTERMEDIATE) => Kind::Intermediate,
            Some(container::fat::MAGIC) => Kind::FatBinary,
            _ if bytes.starts_with(ARCHIVE) => Kind::Library,
            _ if container::is_container(bytes) => Kind::MachineCode,
            _ if bytes.starts_with(ELF) => {
                if half(bytes, 18) == Some(DEVICE) {
                    Kind::MachineCode
                } else {
                    Kind::Object
                }
            }
            _ if image::is_ptx(&String::from_utf8_lossy(bytes)) => Kind::Text,
            _ => return None,
        })
    }
}

/// Whether a fat binary, or an object with some, holds code for link time optimisation.
pub fn holds_intermediate(bytes: &[u8]) -> bool {
    bytes.windows(4).any(|four| four == INTERMEDIATE.to_le_bytes())
}
