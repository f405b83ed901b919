//! What reports say of memory: its name, and whether the program has to free it.

use crate::memory::{Allocation, MemoryKind, space};

/// True for memory that the program has to free.
pub fn has_to_be_freed(allocation: &Allocation) -> bool {
    let own = matches!(
        allocation.kind,
        MemoryKind::Device | MemoryKind::Host(_) | MemoryKind::Managed(_) | MemoryKind::Pool | MemoryKind::HostPool
    );
    let extra = allocation.extra.lock();
    own && !extra.of_module && !extra.of_graphics
}

/// The name of a kind of memory.
pub fn name(kind: &MemoryKind) -> &'static str {
    match kind {
        MemoryKind::Device => "device memory",
        MemoryKind::Host(_) => "page-locked host memory",
        MemoryKind::Registered(_) => "registered host memory",
        MemoryKind::Managed(_) => "managed memory",
        MemoryKind::Pool => "device memory in stream order",
        MemoryKind::HostPool => "host memory of a pool",
        MemoryKind::Imported => "memory of another process",
        MemoryKind::Reserved => "reserved addresses without memory",
        MemoryKind::Mapped => "mapped memory",
        MemoryKind::Array => "array",
    }
}

/// True for memory of the program that no device knows.
pub fn is_host(address: usize, bytes: usize) -> bool {
    let outside = space().is_ok_and(|space| space.is_outside(address, bytes));
    outside && guard::probe_read(address, bytes).is_ok()
}
