//! The address space: one reserved range of this process in which all memory of the devices lives, and the look-up
//! from an address to the allocation that holds it.
//!
//! Addresses are real: copies and kernels use them as they are. The range is divided into chunks of 2 MiB. An
//! allocation of 2 MiB or more owns whole chunks; smaller ones share chunks in granules of 512 bytes. Which chunk and which
//! granules is as on the real driver, as far as programs told (`small`, `Region`): they see it in what blocks lie side by side,
//! and in what lies where others were. A table tells for each chunk what it is, so a look-up costs the same with ten or a million
//! allocations. Host memory that a program registers lies outside and is kept in a sorted map.
//!
//! Nothing is committed before it is touched, and what was touched stays with the chunk when it is freed (a first touch
//! costs several times a copy), up to a limit.

mod chunks;
mod entries;
mod layout;
mod lent;
mod overlay;
mod packed;
mod retired;
mod runs;
mod small;
pub mod thread_memory;
mod view;
mod zeroed;
pub use chunks::Space;
pub use layout::{CHUNK, GRANULE, Piece, SMALL_LIMIT, Zone};
pub use overlay::Overlay;
pub use view::{Glance, Spot};
