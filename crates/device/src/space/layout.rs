//! How the address space is divided, and what its parts are for.

pub use crate::base::usage::CHUNK;
/// Size of a granule: the unit of small allocations, and the alignment of every address handed out.
pub const GRANULE: usize = 512;
/// Allocations above this own their chunks.
pub const SMALL_LIMIT: usize = CHUNK - 1;
pub(super) const GRANULES: usize = CHUNK / GRANULE;

/// What may share a chunk, and whom its bytes are counted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Zone {
    /// Device ordinal, or the number of devices for host memory.
    pub device: u32,
    /// Keeps kinds of memory apart that must not share a chunk.
    pub class: u32,
    /// Keeps what contexts have apart: decides where memory lies, a glance does not tell it.
    pub heap: u32,
}

/// Where chunks are looked for, from the bottom: the real driver has addresses apart for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Region {
    /// What is of one device, page-locked host memory, and what programs reserve.
    Main,
    /// Managed memory.
    Managed,
    /// Segments of pools, and whatever else the library asks for itself.
    Pools,
}

impl Zone {
    /// [`Zone::class`] of managed memory.
    pub const MANAGED: u32 = 2;

    pub(super) fn region(self) -> Region {
        if self.class == Zone::MANAGED { Region::Managed } else { Region::Main }
    }
}

/// A piece of the address space that an allocation owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// First byte.
    pub base: usize,
    /// Bytes that it takes up, granules or chunks.
    pub span: usize,
}
