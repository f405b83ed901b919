//! The numbers of NVIDIA's fat binaries, which hold device code for several architectures.
//!
//! A fat binary is a header ([`MAGIC`], a version, the bytes of the header, the bytes of all entries) and entries: each a
//! header of [`ENTRY`] bytes or more ([`at`] says where its numbers are), and its payload.

/// The first word of the structure that a program registers, which points to a fat binary.
pub const WRAPPER: u32 = 0x4662_43b1;
/// The first word of a fat binary.
pub const MAGIC: u32 = 0xba55_ed50;
/// Bytes of its header.
pub const HEADER: u16 = 16;
/// Bytes of an entry's header, at least.
pub const ENTRY: usize = 64;

/// What an entry holds.
pub mod kind {
    /// PTX.
    pub const PTX: u16 = 1;
    /// Machine code.
    pub const MACHINE_CODE: u16 = 2;
    /// Several of them, packed together.
    pub const SEVERAL: u16 = 0x100;
}

/// Flags of an entry.
pub mod flag {
    /// 64 bits, on Linux.
    pub const USUAL: u64 = 0x11;
    /// For debuggers.
    pub const DEBUG: u64 = 0x2;
    /// Packed with LZ4.
    pub const LZ4: u64 = 0x2000;
    /// Packed with zstd.
    pub const ZSTD: u64 = 0x8000;
    /// For one architecture alone.
    pub const ALONE: u64 = 0x10_0000;
    /// For a family of architectures.
    pub const FAMILY: u64 = 0x20_0000;
}

/// Where numbers stand in an entry's header.
pub mod at {
    /// Of 16 bits: [`super::kind`].
    pub const KIND: usize = 0;
    /// Of 16 bits: the version of the header.
    pub const FORMAT: usize = 2;
    /// Of 32 bits: bytes of the header.
    pub const HEADER: usize = 4;
    /// Of 64 bits: bytes of the payload.
    pub const PAYLOAD: usize = 8;
    /// Of 32 bits: bytes of the payload that are packed.
    pub const PACKED: usize = 16;
    /// Of 32 bits: where the compiler's options stand.
    pub const OPTIONS: usize = 20;
    /// Two of 16 bits: the minor and the major version of PTX.
    pub const VERSION: usize = 24;
    /// Of 32 bits: the architecture.
    pub const ARCHITECTURE: usize = 28;
    /// Two of 32 bits: where the source's name stands, and its length.
    pub const NAME: usize = 32;
    /// Of 64 bits: [`super::flag`].
    pub const FLAGS: usize = 40;
    /// Of 64 bits: bytes of the payload once it is unpacked.
    pub const UNPACKED: usize = 56;
}
