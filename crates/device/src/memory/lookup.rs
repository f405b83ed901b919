//! The address space of the process, which allocation an address lies in, and who may be using that.

use crate::memory::allocation::Allocation;
use crate::space::{Space, Zone};
use crate::stream::context;
use error::{Error, Result, refuse};
use std::sync::{Arc, OnceLock};

/// The space of this process, reserved on first use.
#[inline]
pub fn space() -> Result<&'static Space<Allocation>> {
    static SPACE: OnceLock<Option<Space<Allocation>>> = OnceLock::new();
    SPACE
        .get_or_init(Space::reserve)
        .as_ref()
        .ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "the process has no room for the address space of the devices"))
}

/// Zone class of device memory. Kinds of memory of different classes never share a chunk.
pub const CLASS_DEVICE: u32 = 0;
/// Zone class of host memory.
pub const CLASS_HOST: u32 = 1;
/// Zone class of managed memory.
pub const CLASS_MANAGED: u32 = Zone::MANAGED;
/// Zone class of write-combined host memory.
pub const CLASS_WRITE_COMBINED: u32 = 3;
/// Zone class of the variables of modules.
pub const CLASS_MODULE: u32 = 4;
/// Zone class of what lies elsewhere here, while programs' blocks lie beside it on the real driver; the last ones, by group.
pub const CLASS_STANDIN: u32 = 5;

/// The allocation that holds `addr`.
#[inline]
pub fn find(addr: usize) -> Option<Arc<Allocation>> {
    space().ok()?.find(addr)
}

/// Returns once everything given so far that could use an allocation is complete: the work of its context, and that of
/// other devices' contexts, which reach it as peers.
pub fn wait_for_users(allocation: &Allocation) {
    if !context::CONTEXTS.any(|c| !c.group.is_idle()) {
        return;
    }
    for context in context::CONTEXTS.all() {
        let owner = context.id == allocation.context && context.handle == allocation.context_handle;
        if owner || !Arc::ptr_eq(&context.device, &allocation.device) {
            context.group.wait_idle();
        }
    }
}
