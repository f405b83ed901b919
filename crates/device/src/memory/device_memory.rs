//! Device memory of contexts: what `cuMemAlloc` gives and `cuMemFree` takes.

use crate::base::checking;
use crate::base::devices::Device;
use crate::base::usage::{Charge, Purpose};
use crate::memory::allocation::{Allocation, MemoryKind};
use crate::memory::builder::record;
use crate::memory::lookup::{CLASS_DEVICE, CLASS_MODULE, find, space, wait_for_users};
use crate::memory::removal::remove;
use crate::memory::{observer, pool};
use crate::space::Zone;
use crate::stream::capture;
use crate::stream::context;
use crate::stream::context::Context;
use error::{Error, Result, refuse};
use std::sync::Arc;

/// Allocates device memory: `size` bytes (not 0), 512-byte aligned.
pub fn alloc(context: &Context, size: usize) -> Result<Arc<Allocation>> {
    capture::check_call()?;
    alloc_in(context, CLASS_DEVICE, size).inspect(|allocation| observer::fresh(allocation))
}

/// The same for a module's variables, which share no chunk with others: modules are loaded during captures, too.
pub fn alloc_for_module(context: &Context, size: usize) -> Result<Arc<Allocation>> {
    alloc_in(context, CLASS_MODULE, size)
}

fn alloc_in(context: &Context, class: u32, size: usize) -> Result<Arc<Allocation>> {
    let device = &context.device;
    let zone = Zone { device: device.ordinal, class, heap: context.id as u32 };
    let limit = device.memory_for_programs();
    let space = space()?;
    let place = || {
        space.place(
            zone,
            size,
            |bytes| Charge::new(device.usage, Purpose::Blocks, bytes, limit).map(Some),
            |piece| record(context, piece, size, MemoryKind::Device),
        )
    };
    let placed = place().or_else(|error| {
        if error != Error::OUT_OF_MEMORY {
            return Err(error);
        }
        // What pools keep for later is not out of reach.
        pool::relieve(device);
        place()
    });
    context.owns(placed?)
}

/// The distance in bytes of rows of `width` bytes, and the bytes of `height` of them. Both are computed modulo 2^64, as
/// the real driver does it.
pub fn pitch(width: usize, height: usize) -> (usize, usize) {
    /// Rows start where an allocation could.
    const ALIGNMENT: usize = 512;
    let pitch = width.wrapping_add(ALIGNMENT - 1) & !(ALIGNMENT - 1);
    (pitch, pitch.wrapping_mul(height))
}

/// Frees the device or managed memory that begins at `base`. Waits for the context's queued work first, as the real
/// driver does. An address inside an allocation is [`Error::INVALID_VALUE`].
pub fn free(base: usize) -> Result<()> {
    capture::check_call()?;
    if free_plainly(base) {
        return Ok(());
    }
    let owner = find(base)
        .filter(|a| a.base == base)
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "_ {:#x} is not the beginning of an allocation", base))?;
    match owner.kind {
        MemoryKind::Device | MemoryKind::Managed(_) if owner.extra.lock().of_module => {
            return Err(refuse!(Error::INVALID_VALUE, "_ {:#x} is a variable of a module", base));
        }
        MemoryKind::Device if owner.extra.lock().of_graphics => {
            return Err(refuse!(Error::INVALID_VALUE, "_ {:#x} is memory of a graphics resource", base));
        }
        MemoryKind::Device => {}
        MemoryKind::Managed(_) | MemoryKind::Pool | MemoryKind::HostPool if owner.is_from_pool() => {
            return pool::free_now(&owner);
        }
        MemoryKind::Managed(_) => {}
        MemoryKind::Pool if owner.graph().is_some_and(|graph| graph.free_now()) => return Ok(()),
        _ => {
            return Err(refuse!(
                Error::INVALID_VALUE,
                "_ {:#x} is memory of another kind, which has a function of its own to free it",
                base
            ));
        }
    }
    wait_for_users(&owner);
    remove(&owner)
}

/// Frees plain device memory while no work is queued, which is what most calls are about, under one lock. False says
/// nothing.
fn free_plainly(base: usize) -> bool {
    if checking::memory() || context::CONTEXTS.any(|c| !c.group.is_idle()) {
        return false;
    }
    // An export that begins meanwhile looks whether the memory is still there after it has said so.
    let plain = |a: &Arc<Allocation>| a.is_plain();
    space().ok().and_then(|space| space.remove_if(base, plain)).is_some()
}

/// Free and total memory of a device, in bytes.
pub fn info(device: &Device) -> (u64, u64) {
    (device.free_memory(), device.memory)
}

/// Frees everything that was made in a context.
pub fn free_all_of(context: &Context) {
    let Ok(space) = space() else { return };
    for allocation in space.collect(|a| a.context == context.id) {
        observer::lost(&allocation);
        let _ = remove(&allocation);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::host_memory::{alloc_host, free_host, register, unregister};
    use crate::testing::context;

    #[test]
    fn what_comes_after_the_end_of_its_context_does_not_stay() {
        let context = context();
        context.destroy();
        assert_eq!(alloc(&context, 4096).err(), Some(Error::CONTEXT_IS_DESTROYED));
        assert!(alloc_host(&context, 4096, 0).is_err() && crate::memory::managed::alloc(&context, 4096, 1).is_err());
        let page = vec![0u8; 4096];
        assert!(register(&context, page.as_ptr() as usize, page.len(), 0, false).is_err());
        assert!(space().unwrap().collect(|a| a.context == context.id).is_empty());
    }

    #[test]
    fn only_first_addresses_can_be_freed() {
        let context = context();
        let a = alloc(&context, 4096).unwrap().base;
        for wrong in [a + 1, a + 256, a + 4096, 0, 1, usize::MAX] {
            assert_eq!(free(wrong), Err(Error::INVALID_VALUE));
        }
        assert_eq!(free_host(a), Err(Error::INVALID_VALUE));
        assert_eq!(unregister(a), Err(Error::INVALID_VALUE));
        assert_eq!(free(a), Ok(()));
        assert_eq!(free(a), Err(Error::INVALID_VALUE));
        context.destroy();
    }
}
