//! Page-locked memory of the host: what we allocate, and what the program registers.

use crate::base::usage::{Charge, Purpose, Usage};
use crate::memory::acting::acting_device;
use crate::memory::allocation::{Access, Allocation, MemoryKind};
use crate::memory::builder::record;
use crate::memory::lookup::{CLASS_HOST, CLASS_WRITE_COMBINED, find, space, wait_for_users};
use crate::memory::removal::remove;
use crate::space::{Piece, Zone};
use crate::stream::capture;
use crate::stream::context;
use crate::stream::context::Context;
use error::{Error, Result, refuse, refuse_if};
use std::sync::{Arc, OnceLock};

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
    capture::check_call()?;
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
    capture::check_call()?;
    let owner = find(base).filter(|a| a.base == base && matches!(a.kind, MemoryKind::Host(_)));
    let owner = owner.ok_or_else(|| {
        refuse!(
            Error::INVALID_VALUE,
            "_ {:#x} is not the beginning of host memory from cuMemAllocHost or cuMemHostAlloc",
            base
        )
    })?;
    context::check_error()?;
    wait_for_users(&owner);
    remove(&owner)
}

/// Registers host memory of the program: `size` bytes (not 0) of readable memory, writable unless `read_only`.
pub fn register(context: &Context, base: usize, size: usize, flags: u32, read_only: bool) -> Result<()> {
    capture::check_call()?;
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
    capture::check_call()?;
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

/// True for mapped memory that the acting device may use in some way.
fn is_usable(mapped: &Allocation) -> bool {
    let extra = mapped.extra.lock();
    extra.mapping.as_ref().is_some_and(|m| m.device_access(acting_device()) != Access::None)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::context;

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
