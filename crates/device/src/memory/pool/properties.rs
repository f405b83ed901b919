//! What a pool is to be like.

use crate::base::location::Location;

/// What kind of memory a pool hands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Stays where it is.
    Pinned,
    /// Managed memory.
    Managed,
}

/// What a pool is to be like.
#[derive(Clone, Copy, Debug)]
pub struct Properties {
    /// The kind of memory.
    pub class: Class,
    /// Where it is; [`Location::Unknown`] is nowhere in particular.
    pub location: Location,
    /// Kinds of handles for other processes: `CU_MEM_HANDLE_TYPE_*` bits.
    pub handle_types: u32,
    /// Most bytes that it may hold; 0 for what the device has.
    pub max_size: usize,
    /// Its memory can be used by a decompression engine.
    pub decompress: bool,
}
