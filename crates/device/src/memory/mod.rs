//! Linear memory: device memory, host memory and what both share, the record of an allocation.

pub mod access;
mod allocation;
pub mod ipc;
pub mod managed;
pub mod observer;
pub mod peer;
pub mod physical;
pub mod pointer;
pub mod pool;
pub mod thread_memory;
pub mod virtual_memory;

pub use allocation::{Allocation, Builder, Extra, GraphMemory, MemoryKind, SYNC_UNSET};

use crate::base::checking;
use crate::base::devices::{Device, is_started};
use crate::base::usage::{Charge, Purpose, Usage};
use crate::space::{Piece, Space, Zone};
use crate::stream::context;
use crate::stream::context::Context;
use error::{Error, Result, refuse, refuse_if};
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
const CLASS_STANDIN: u32 = 5;

/// The record of an allocation that belongs to a context.
#[inline]
pub fn record(context: &Context, piece: Piece, size: usize, kind: MemoryKind) -> Arc<Allocation> {
    Allocation::builder(&context.device, piece, size, kind).of(context).build()
}

/// Allocates device memory: `size` bytes (not 0), 512-byte aligned.
pub fn alloc(context: &Context, size: usize) -> Result<Arc<Allocation>> {
    crate::stream::capture::check_call()?;
    alloc_in(context, CLASS_DEVICE, size)
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
        crate::memory::pool::relieve(device);
        place()
    });
    context.owns(placed?)
}

/// Addresses that something takes which lies elsewhere here.
pub struct Standin(Arc<Allocation>);

impl Standin {
    /// For an array of `size` bytes, which lies apart from those of other groups: look-ups find it.
    pub fn of_array(device: &Arc<Device>, size: usize, group: u32) -> Option<Standin> {
        Standin::take(device, size, MemoryKind::Array, CLASS_STANDIN + group)
    }

    /// For an array to which the program maps memory: look-ups find it, and it has chunks of its own.
    pub fn of_mapped_array(device: &Arc<Device>, size: usize) -> Option<Standin> {
        let owner = context::top().map_or(0, |context| context.handle);
        let make = |piece| Allocation::builder(device, piece, size, MemoryKind::Array).made_in(owner).build();
        space().ok()?.reserve_range(size, super::space::CHUNK, 0, make).ok().map(Standin)
    }

    /// For `size` bytes that no look-up finds.
    pub fn hidden(device: &Arc<Device>, size: usize) -> Option<Standin> {
        let taken = Standin::take(device, size, MemoryKind::Reserved, CLASS_STANDIN)?;
        space().ok()?.retire(taken.0.base, |a| Arc::ptr_eq(a, &taken.0))?;
        Some(taken)
    }

    fn take(device: &Arc<Device>, size: usize, kind: MemoryKind, class: u32) -> Option<Standin> {
        let owner = context::top().map_or((0, 0), |context| (context.id, context.handle));
        let zone = Zone { device: device.ordinal, class, heap: owner.0 as u32 };
        // No context frees it at its end: it goes with what it stands for.
        let make = |piece| Allocation::builder(device, piece, size, kind).made_in(owner.1).build();
        space().ok()?.place(zone, size.max(1), |_| Ok(None), make).ok().map(Standin)
    }
}

impl Drop for Standin {
    fn drop(&mut self) {
        // In a child of fork nothing may be locked.
        if is_started()
            && let Ok(space) = space()
        {
            let same = |a: &Arc<Allocation>| Arc::ptr_eq(a, &self.0);
            match self.0.kind {
                MemoryKind::Array => drop(space.remove_if(self.0.base, same)),
                _ => drop(space.release(self.0.base, same)),
            }
        }
    }
}

/// The distance in bytes of rows of `width` bytes, and the bytes of `height` of them. Both are computed modulo 2^64, as
/// the real driver does it.
pub fn pitch(width: usize, height: usize) -> (usize, usize) {
    /// Rows start where an allocation could.
    const ALIGNMENT: usize = 512;
    let pitch = width.wrapping_add(ALIGNMENT - 1) & !(ALIGNMENT - 1);
    (pitch, pitch.wrapping_mul(height))
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

/// Frees the device or managed memory that begins at `base`. Waits for the context's queued work first, as the real
/// driver does. An address inside an allocation is [`Error::INVALID_VALUE`].
pub fn free(base: usize) -> Result<()> {
    crate::stream::capture::check_call()?;
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
        MemoryKind::Device => {}
        MemoryKind::Managed(_) | MemoryKind::Pool | MemoryKind::HostPool if owner.is_from_pool() => {
            return crate::memory::pool::free_now(&owner);
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
    let plain = |a: &Arc<Allocation>| a.kind == MemoryKind::Device && a.extra.lock().is_plain();
    space().ok().and_then(|space| space.remove_if(base, plain)).is_some()
}

/// Takes an allocation out of the space, unless another thread was faster.
pub fn remove(owner: &Arc<Allocation>) -> Result<()> {
    let space = space()?;
    let (foreign, exported) = {
        let extra = owner.extra.lock();
        (extra.file.is_some(), extra.exported)
    };
    if owner.kind == MemoryKind::Imported {
        return crate::memory::ipc::forget(owner);
    }
    if exported {
        crate::memory::ipc::retract(owner);
    }
    observer::freed(owner, &Vec::new);
    if observer::delays(owner) && !foreign && !exported && owner.kind.is_placed() {
        space
            .retire(owner.base, |a| Arc::ptr_eq(a, owner))
            .ok_or_else(|| refuse!(Error::INVALID_VALUE, "_ {:#x} is being freed by another thread", owner.base))?;
        forget_hints(owner);
        observer::hold(owner);
        return Ok(());
    }
    let wanted = |a: &Arc<Allocation>| {
        let same = Arc::ptr_eq(a, owner);
        if same && foreign {
            // The chunks go back without the file's pages.
            space.unmap(owner.base, owner.span);
        }
        same
    };
    space
        .remove_if(owner.base, wanted)
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "_ {:#x} is being freed by another thread", owner.base))?;
    // An export that began meanwhile saw it still there; one that begins now finds it gone.
    if !exported && owner.extra.lock().exported {
        crate::memory::ipc::retract(owner);
    }
    forget_hints(owner);
    Ok(())
}

/// Forgets what was said of the pages of an allocation that is gone.
fn forget_hints(owner: &Allocation) {
    if let MemoryKind::Managed(_) = owner.kind {
        crate::memory::managed::freed(owner);
    }
}

/// Gives the addresses of an allocation back that was freed, and held back since.
pub fn release(owner: &Arc<Allocation>) {
    if let Ok(space) = space() {
        space.release(owner.base, |a| Arc::ptr_eq(a, owner));
    }
    forget_hints(owner);
}

/// Chunks of host memory in use.
static HOST_USAGE: Usage = Usage::new();

/// What host memory counts as.
pub(crate) fn host_usage() -> &'static Usage {
    &HOST_USAGE
}

/// Host memory that can be page-locked in all: as much as there is.
fn host_limit() -> u64 {
    static LIMIT: OnceLock<u64> = OnceLock::new();
    *LIMIT.get_or_init(|| {
        // SAFETY: a plain query.
        let (pages, page) = unsafe { (libc::sysconf(libc::_SC_PHYS_PAGES), libc::sysconf(libc::_SC_PAGESIZE)) };
        (pages.max(0) as u64).saturating_mul(page.max(0) as u64)
    })
}

/// Allocates host memory: `size` bytes (not 0), accessible to the program and every device, all zero.
pub fn alloc_host(context: &Context, size: usize, flags: u32) -> Result<Arc<Allocation>> {
    crate::stream::capture::check_call()?;
    /// `CU_MEMHOSTALLOC_PORTABLE`, `CU_MEMHOSTALLOC_WRITECOMBINED`.
    const PORTABLE: u32 = 1;
    const WRITE_COMBINED: u32 = 4;
    let class = if flags & WRITE_COMBINED != 0 { CLASS_WRITE_COMBINED } else { CLASS_HOST };
    let zone = Zone { device: u32::MAX, class, heap: context.id as u32 };
    // What shares a chunk is as portable as what came first.
    let (allocation, reused) = space()?.place_telling(
        zone,
        size,
        flags & PORTABLE,
        |bytes| Charge::new(&HOST_USAGE, Purpose::Blocks, bytes, host_limit()).map(Some),
        |piece, portable| record(context, piece, size, MemoryKind::Host(flags & !PORTABLE | portable)),
    )?;
    if reused {
        let base = allocation.base;
        // Another thread may free what it guesses, or what had this address before: the memory may go meanwhile.
        // SAFETY: guarded; the allocation is this long.
        guard::run(move || unsafe { core::ptr::write_bytes(base as *mut u8, 0, size) });
    }
    context.owns(allocation)
}

/// Frees host memory that [`alloc_host`] gave, after the context's queued work.
pub fn free_host(base: usize) -> Result<()> {
    crate::stream::capture::check_call()?;
    let owner = find(base).filter(|a| a.base == base && matches!(a.kind, MemoryKind::Host(_)));
    let owner = owner.ok_or_else(|| {
        refuse!(
            Error::INVALID_VALUE,
            "_ {:#x} is not the beginning of host memory from cuMemAllocHost or cuMemHostAlloc",
            base
        )
    })?;
    crate::stream::context::check_error()?;
    wait_for_users(&owner);
    remove(&owner)
}

/// Registers host memory of the program: `size` bytes (not 0) of readable memory, writable unless `read_only`.
pub fn register(context: &Context, base: usize, size: usize, flags: u32, read_only: bool) -> Result<()> {
    crate::stream::capture::check_call()?;
    let end = base.checked_add(size).ok_or_else(|| {
        refuse!(Error::INVALID_VALUE, "bytesize {} goes beyond the end of the address space from p {:#x}", size, base)
    })?;
    let space = space()?;
    // What else a huge range would overlap depends on where the system put things, and says nothing.
    let huge = size as u64 > host_limit();
    match space.find_overlapping(base, end - base) {
        Some(other) if matches!(other.kind, MemoryKind::Registered(_)) => {
            return Err(refuse!(
                Error::HOST_MEMORY_ALREADY_REGISTERED,
                "p {:#x} + bytesize {} overlaps memory that is registered already, at {:#x}",
                base,
                size,
                other.base
            ));
        }
        _ if huge => return Err(refuse!(Error::OUT_OF_MEMORY, "bytesize {} is more than the host's memory", size)),
        Some(_) => {
            return Err(refuse!(
                Error::INVALID_VALUE,
                "p {:#x} + bytesize {} overlaps an allocation of CUDA",
                base,
                size
            ));
        }
        None => {}
    }
    // Pages that are only reserved come to life here, as page-locking makes them.
    if space.owns(base, size) {
        return Err(refuse!(
            Error::INVALID_VALUE,
            "p {:#x} + bytesize {} is in the address space of the devices",
            base,
            size
        ));
    }
    if read_only {
        guard::probe_read(base, size)?
    } else {
        guard::probe_write(base, size)?
    }
    let piece = Piece { base, span: size };
    space.enter_foreign(base, size, record(context, piece, size, MemoryKind::Registered(flags)))?;
    context.owns(())
}

/// Ends the registration of the range that begins at `base`, after the context's queued work.
pub fn unregister(base: usize) -> Result<()> {
    crate::stream::capture::check_call()?;
    let owner =
        find(base).ok_or_else(|| refuse!(Error::HOST_MEMORY_NOT_REGISTERED, "_ {:#x} is not registered", base))?;
    refuse_if!(
        Error::INVALID_VALUE,
        owner.base != base,
        "p {:#x} is not the beginning of the registered range, which is {:#x}",
        base,
        owner.base
    );
    refuse_if!(
        Error::INVALID_VALUE,
        !matches!(owner.kind, MemoryKind::Registered(_)),
        "p {:#x} is memory that CUDA allocated, not registered",
        base
    );
    context::check_error()?;
    wait_for_users(&owner);
    remove(&owner).map_err(|error| error.with_code(Error::HOST_MEMORY_NOT_REGISTERED))
}

/// The allocation that holds `addr`.
pub fn find(addr: usize) -> Option<Arc<Allocation>> {
    space().ok()?.find(addr)
}

/// True for mapped memory that the acting device may use in some way.
fn is_usable(mapped: &Allocation) -> bool {
    let extra = mapped.extra.lock();
    extra
        .mapping
        .as_ref()
        .is_some_and(|m| m.device_access(access::acting_device()) != crate::memory::virtual_memory::Access::None)
}

/// `CU_MEMHOSTALLOC_*` flags of the memory that holds `addr`: page-locked memory, and what passes for it.
pub fn host_flags(addr: usize) -> Result<u32> {
    const PORTABLE: u32 = 1;
    const DEVICE_MAP: u32 = 2;
    let flags = space()?.with(addr, |_, _, a| match a.kind {
        MemoryKind::Host(flags) | MemoryKind::Registered(flags) => Some(flags),
        MemoryKind::Managed(_) => Some(DEVICE_MAP),
        MemoryKind::Mapped if is_usable(a) => Some(PORTABLE | DEVICE_MAP),
        _ => None,
    });
    flags.flatten().ok_or_else(|| refuse!(Error::INVALID_VALUE, "_ {:#x} is not page-locked host memory", addr))
}

/// The address for the device of page-locked memory at `addr`. Mapped memory, which passes for it, answers with its beginning.
pub fn host_device_pointer(addr: usize) -> Result<usize> {
    let pointer = space()?.with(addr, |base, _, a| match a.kind {
        MemoryKind::Host(_) | MemoryKind::Registered(_) => Some(addr),
        MemoryKind::Mapped if is_usable(a) => Some(base),
        _ => None,
    });
    pointer.flatten().ok_or_else(|| refuse!(Error::INVALID_VALUE, "_ {:#x} is not page-locked host memory", addr))
}

/// Free and total memory of a device, in bytes.
pub fn info(device: &Device) -> (u64, u64) {
    (device.memory_for_programs().saturating_sub(device.usage.bytes()), device.memory)
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

    #[test]
    fn host_memory_is_zero_again_after_reuse() {
        let context = context();
        for size in [100, 1 << 20, 5 << 20] {
            for _ in 0..3 {
                let a = alloc_host(&context, size, 0).unwrap();
                // SAFETY: the allocation is ours.
                let bytes = unsafe { core::slice::from_raw_parts_mut(a.base as *mut u8, size) };
                assert!(bytes.iter().all(|&b| b == 0));
                bytes.fill(0xee);
                free_host(a.base).unwrap();
            }
        }
        assert_eq!(alloc_host(&context, usize::MAX, 0).err(), Some(Error::OUT_OF_MEMORY));
        context.destroy();
    }

    #[test]
    fn registrations() {
        let context = context();
        let own = vec![0u8; 4 * 4096];
        let base = (own.as_ptr() as usize).next_multiple_of(4096);
        let ask = |at, size| register(&context, at, size, 2, false);
        assert_eq!(ask(base + 100, 100), Ok(()));
        assert_eq!(ask(base + 200, 100), Ok(()), "other bytes of the page");
        assert_eq!(ask(base, 4096), Err(Error::HOST_MEMORY_ALREADY_REGISTERED));
        assert_eq!(ask(base + 199, 1), Err(Error::HOST_MEMORY_ALREADY_REGISTERED));
        assert_eq!(host_flags(base + 299), Ok(2));
        assert_eq!(host_flags(base + 300), Err(Error::INVALID_VALUE));
        assert_eq!(unregister(base), Err(Error::HOST_MEMORY_NOT_REGISTERED));
        assert_eq!(unregister(base + 101), Err(Error::INVALID_VALUE));
        assert_eq!(unregister(base + 100), Ok(()));
        assert_eq!(unregister(base + 100), Err(Error::HOST_MEMORY_NOT_REGISTERED));
        assert_eq!(ask(0x1_0000, 4096), Err(Error::INVALID_VALUE), "no memory there");
        assert_eq!(ask(base, 1 << 50), Err(Error::HOST_MEMORY_ALREADY_REGISTERED));
        assert_eq!(unregister(base + 200), Ok(()));
        // Which error depends on what other tests have registered behind it.
        assert!(ask(base, 1 << 46).is_err());
        assert_eq!(ask(base, usize::MAX), Err(Error::INVALID_VALUE));
        context.destroy();
    }
}
