//! What the checker says of memory: what it is called, who has to free it.

use crate::memory::{Allocation, Kind, space};

/// True for memory that the program has to free.
pub fn has_to_be_freed(allocation: &Allocation) -> bool {
    let own = matches!(allocation.kind, Kind::Device | Kind::Host(_) | Kind::Managed(_) | Kind::Pool | Kind::HostPool);
    own && !allocation.extra.lock().of_module
}

/// What an allocation is, in words.
pub fn name(kind: &Kind) -> &'static str {
    match kind {
        Kind::Device => "device memory",
        Kind::Host(_) => "page-locked host memory",
        Kind::Registered(_) => "registered host memory",
        Kind::Managed(_) => "managed memory",
        Kind::Pool => "device memory in stream order",
        Kind::HostPool => "host memory of a pool",
        Kind::Imported => "memory of another process",
        Kind::Reserved => "reserved addresses without memory",
        Kind::Mapped => "mapped memory",
        Kind::Array => "array",
    }
}

/// True for memory of the program that no device knows.
pub fn is_host(address: usize, bytes: usize) -> bool {
    let outside = space().is_ok_and(|space| space.is_outside(address, bytes));
    outside && guard::probe_read(address, bytes).is_ok()
}
