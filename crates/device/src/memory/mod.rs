//! Linear memory: device memory, host memory and what both share, the record of an allocation.
//!
//! The files use each other in the order that `tests/rooms/order.txt` gives. What an allocation keeps for those above it
//! (its pool, what is mapped there, the node of a graph) it knows by a trait.

pub mod access;
mod acting;
mod allocation;
mod builder;
mod device_memory;
mod host_memory;
pub mod ipc;
mod lookup;
pub mod managed;
pub mod mapping;
pub mod multicast;
pub mod observer;
pub mod peer;
pub mod physical;
pub mod pointer;
pub mod pool;
mod removal;
mod standin;
pub mod thread_memory;
pub mod virtual_memory;

pub use acting::acting_as;
pub use allocation::{Allocation, Extra, GraphMemory, MemoryKind, SYNC_UNSET};
pub use builder::Builder;
pub use device_memory::{alloc, alloc_for_module, free, free_all_of, info, pitch};
pub(crate) use host_memory::host_usage;
pub use host_memory::{alloc_host, free_host, host_device_pointer, host_flags, register, unregister};
pub use lookup::{find, space, wait_for_users};
pub use removal::{release, remove};
pub use standin::Standin;
