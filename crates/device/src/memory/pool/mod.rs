//! Memory pools and stream-ordered allocation.
//!
//! A pool hands memory out at once; the order of streams decides who may touch it when. Freed memory goes back to the
//! pool, with the point of the stream at which it is free for others. What a pool holds beyond its release threshold
//! goes back to the system when a program synchronises.

mod arena;
mod file;
mod pools;
mod properties;
mod share;
pub(crate) use pools::POOLS;
pub use pools::{
    Attribute, Pool, alloc, charge, current_pool, default_pool, free, free_now, relieve, set_current_pool,
    set_device_pool, synchronized,
};
pub use properties::{Class, Properties};
pub use share::{FabricHandle, PointerData, export_pointer, import_descriptor, import_fabric};
