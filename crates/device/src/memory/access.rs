//! Which memory an address means: every copy, memset and query asks here first.
//!
//! A range is looked up by its first byte, as the real driver does: the allocation that holds it has to hold all of it,
//! and an address that no allocation holds is the program's own pageable memory where the API allows that.

use crate::memory::acting::{acting_device, has_peers};
use crate::memory::allocation::{Allocation, MemoryKind};
use crate::memory::lookup::{CLASS_DEVICE, CLASS_HOST, CLASS_MANAGED, CLASS_MODULE, CLASS_WRITE_COMBINED, find, space};
use crate::memory::mapping;
use crate::space::{Glance, Space, Zone};
use crate::stream::context;
use error::{Error, Result, refuse, refuse_if};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// How the API declares a pointer, which decides what an unknown address means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declared {
    /// A device pointer: an address that no allocation holds is an error. Pinned host memory is allowed, but none of a pool.
    Device,
    /// The destination of a memset: as [`Declared::Device`], and host memory of a pool where the device was granted access.
    Memset,
    /// A host pointer: an unknown address is pageable memory. A device pointer is taken as what it is.
    Host,
    /// A unified address: as [`Declared::Host`].
    Unified,
}

impl Declared {
    /// Pageable memory is not meant.
    fn is_device(self) -> bool {
        matches!(self, Declared::Device | Declared::Memset)
    }
}

/// What kind of memory a range is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeKind {
    /// The program's own memory, unknown to the device.
    Pageable,
    /// Host memory that we allocated.
    Pinned,
    /// Host memory that the program registered.
    Registered,
    /// Linear memory of the device with this number, from a pool or not.
    Device(u32),
    /// Managed memory.
    Managed,
    /// Memory mapped into a reserved range; it lies on the device with this number, or on the host.
    Mapped(Option<u32>),
}

/// Where memory is, as far as that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// On the host's side.
    Host,
    /// On the device with this number.
    Device(u32),
    /// Its allocation has to be asked.
    Unknown,
}

/// A range of memory that was looked up and checked.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// First byte.
    pub address: usize,
    /// How many.
    pub bytes: usize,
    /// What it is.
    pub kind: RangeKind,
    /// The program asked that every operation on it be synchronous.
    pub synchronous: bool,
}

impl Range {
    /// True for memory on the host's side: pageable, pinned or registered.
    pub fn is_host(&self) -> bool {
        matches!(self.kind, RangeKind::Pageable | RangeKind::Pinned | RangeKind::Registered | RangeKind::Mapped(None))
    }

    /// True for memory that only the host knows.
    pub fn is_pageable(&self) -> bool {
        self.kind == RangeKind::Pageable
    }

    /// Where the memory is, if its kind says so: managed memory does not say which device's it is.
    pub fn home(&self) -> Home {
        match self.kind {
            RangeKind::Device(ordinal) | RangeKind::Mapped(Some(ordinal)) => Home::Device(ordinal),
            RangeKind::Managed => Home::Unknown,
            RangeKind::Pageable | RangeKind::Pinned | RangeKind::Registered | RangeKind::Mapped(None) => Home::Host,
        }
    }

    /// An empty range, which is valid at any address.
    fn empty(address: usize) -> Range {
        Range { address, bytes: 0, kind: RangeKind::Device(0), synchronous: false }
    }
}

/// Looks up and checks `bytes` bytes at `address`; `writes` says what will be done with them. Nothing is checked when
/// `bytes` is 0. Everything wrong is [`Error::INVALID_VALUE`].
#[inline]
pub fn resolve(address: usize, bytes: usize, declared: Declared, writes: bool) -> Result<Range> {
    if bytes == 0 {
        return Ok(Range::empty(address));
    }
    let space = space()?;
    if let Some(range) = at_a_glance(space, address, bytes, declared) {
        return Ok(range);
    }
    let found = space.with_span(address, |found| classify(address, bytes, declared, found));
    finish(found, address, bytes, writes)
}

/// [`resolve`] for ordinary memory, without a lock. `None` says nothing.
#[inline]
fn at_a_glance(space: &Space<Allocation>, address: usize, bytes: usize, declared: Declared) -> Option<Range> {
    let kind = match space.glance(address) {
        Glance::Inside(spot) if bytes <= spot.left => kind(spot.zone)?,
        Glance::Outside if !declared.is_device() && address != 0 && space.is_outside(address, bytes) => {
            RangeKind::Pageable
        }
        _ => return None,
    };
    Some(Range { address, bytes, kind, synchronous: false })
}

/// Where `bytes` bytes at an address are, told without a lock.
pub fn home_at_a_glance(address: usize, bytes: usize) -> Home {
    let range = space().ok().and_then(|space| at_a_glance(space, address, bytes, Declared::Unified));
    range.map_or(Home::Unknown, |range| range.home())
}

/// What kind of memory lies in a zone.
#[inline]
fn kind(zone: Zone) -> Option<RangeKind> {
    match zone.class {
        CLASS_DEVICE | CLASS_MODULE => Some(RangeKind::Device(zone.device)),
        CLASS_HOST | CLASS_WRITE_COMBINED => Some(RangeKind::Pinned),
        CLASS_MANAGED => Some(RangeKind::Managed),
        _ => None,
    }
}

/// [`resolve`] for the two sides of a copy of `bytes` bytes, in one look at the table: destination, source.
#[inline]
pub fn resolve_copy(dst: (usize, Declared), src: (usize, Declared), bytes: usize) -> Result<(Range, Range)> {
    if bytes == 0 {
        return Ok((Range::empty(dst.0), Range::empty(src.0)));
    }
    let space = space()?;
    if let Some(to) = at_a_glance(space, dst.0, bytes, dst.1)
        && let Some(from) = at_a_glance(space, src.0, bytes, src.1)
    {
        return Ok((to, from));
    }
    let (to, from) = space
        .with_spans(dst.0, src.0, |to, from| (classify(dst.0, bytes, dst.1, to), classify(src.0, bytes, src.1, from)));
    Ok((finish(to, dst.0, bytes, true)?, finish(from, src.0, bytes, false)?))
}

/// What a look at the table told. Small, so that it stays in registers.
enum Found {
    /// Memory of a kind that needs nothing else; whether it is to be synchronous.
    Known(RangeKind, bool),
    Wrong,
    /// Not in the table; other allocations may still begin inside the range.
    Pageable,
    /// Memory mapped into a reserved range; more may follow behind it.
    Mapped(Arc<Allocation>),
}

#[inline]
fn classify(address: usize, bytes: usize, declared: Declared, found: Option<(usize, &Arc<Allocation>)>) -> Found {
    let Some((left, allocation)) = found else {
        return if declared.is_device() || address == 0 { Found::Wrong } else { Found::Pageable };
    };
    if allocation.kind == MemoryKind::Mapped {
        return Found::Mapped(allocation.clone());
    }
    if bytes > left {
        return Found::Wrong;
    }
    let kind = match allocation.kind {
        MemoryKind::Array => return Found::Wrong,
        MemoryKind::Device | MemoryKind::Imported => RangeKind::Device(allocation.device.ordinal),
        MemoryKind::Pool if has_peers() && !allocation.is_open() => return Found::Wrong,
        MemoryKind::Pool => RangeKind::Device(allocation.device.ordinal),
        MemoryKind::HostPool if declared == Declared::Device => return Found::Wrong,
        MemoryKind::HostPool if declared == Declared::Memset && !allocation.is_granted() => return Found::Wrong,
        MemoryKind::Host(_) | MemoryKind::HostPool => RangeKind::Pinned,
        MemoryKind::Registered(_) => RangeKind::Registered,
        MemoryKind::Managed(_) => RangeKind::Managed,
        MemoryKind::Reserved | MemoryKind::Mapped => return Found::Wrong,
    };
    Found::Known(kind, allocation.sync_memops.load(Ordering::Relaxed) == 1)
}

/// True for a variable of a module, or imported memory, of another context of the device than this one.
fn is_of_another(address: usize, context: usize) -> bool {
    let of_another = |a: &Arc<Allocation>| a.device.ordinal == acting_device() && a.is_only_of_another(context);
    context != 0 && find(address).as_ref().is_some_and(of_another)
}

#[inline]
fn finish(found: Found, address: usize, bytes: usize, writes: bool) -> Result<Range> {
    let (kind, synchronous) = match found {
        Found::Known(kind, synchronous) => (kind, synchronous),
        other => (finish_slowly(other, address, bytes, writes)?, false),
    };
    Ok(Range { address, bytes, kind, synchronous })
}

#[inline(never)]
fn finish_slowly(found: Found, address: usize, bytes: usize, writes: bool) -> Result<RangeKind> {
    match found {
        Found::Mapped(allocation) => Ok(RangeKind::Mapped(mapping::check(&allocation, address, bytes, writes)?)),
        // Memory of the program of which only a part at the end is registered is ordinary memory. An unused part of our own
        // range is none.
        Found::Pageable if address.checked_add(bytes).is_some() && !space()?.owns(address, bytes) => {
            Ok(RangeKind::Pageable)
        }
        Found::Known(kind, _) => Ok(kind),
        Found::Pageable => {
            Err(refuse!(Error::INVALID_VALUE, "_ {:#x} + {} bytes is not memory that the host has", address, bytes))
        }
        // What a capture has allocated is there for what it captures next.
        Found::Wrong => promised(address, bytes).map(RangeKind::Device).ok_or_else(|| {
            refuse!(
                Error::INVALID_VALUE,
                "_ {:#x} + {} bytes is not inside an allocation of the kind that is asked for",
                address,
                bytes
            )
        }),
    }
}

/// The device of the memory that a node of a graph allocates, if it may be used although nothing is there yet.
fn promised(address: usize, bytes: usize) -> Option<u32> {
    find(address)?.graph()?.promised(address, bytes)
}

/// Checks that the acting device may use memory of a device in all ways, not only copy it, on a stream of the context that
/// `owner` tells.
pub fn check_open(range: &Range, owner: impl FnOnce() -> usize) -> Result<()> {
    match range.kind {
        RangeKind::Device(home) if has_peers() && home != acting_device() => {
            let open = find(range.address).is_none_or(|allocation| allocation.is_open());
            if open {
                Ok(())
            } else {
                Err(refuse!(
                    Error::INVALID_VALUE,
                    "_ {:#x} is memory of device {}, which the current device has no access to",
                    range.address,
                    home
                ))
            }
        }
        RangeKind::Device(_) => check_variable(range.address, owner),
        _ => Ok(()),
    }
}

/// Refuses a variable of a module, or imported memory, of another context of the device than the one that `owner` tells.
pub fn check_variable(address: usize, owner: impl FnOnce() -> usize) -> Result<()> {
    if context::are_several() && is_of_another(address, owner()) {
        return Err(refuse!(
            Error::INVALID_VALUE,
            "_ {:#x} is a variable of a module, or imported memory, in another context than the stream's",
            address
        ));
    }
    Ok(())
}

/// First address and size of the allocation or mapping that holds `address`; host memory of a pool only where the acting
/// device was granted access.
pub fn address_range(address: usize) -> Option<(usize, usize)> {
    let told = |a: &Allocation| a.kind != MemoryKind::Reserved && (a.kind != MemoryKind::HostPool || a.is_granted());
    let range = |base, size, a: &Arc<Allocation>| told(a).then_some((base, size));
    space().ok()?.with(address, range).flatten()
}

/// True for an address in memory whose pages come in pieces of their own: of pools, and mapped by the program.
pub fn is_piecewise(address: usize) -> bool {
    find(address).is_some_and(|a| matches!(a.kind, MemoryKind::Pool | MemoryKind::Mapped))
}

/// [`resolve`] for a range that may lie anywhere in the piece that `base` is in, whosever memory that is: the segment of a
/// pool, the pages of a graph's allocation, or what the program mapped.
pub fn resolve_in_piece(base: usize, address: usize, bytes: usize, declared: Declared, writes: bool) -> Result<Range> {
    let allocation = find(base).ok_or_else(|| refuse!(Error::INVALID_VALUE, "_ {:#x} is in no allocation", base))?;
    if allocation.kind == MemoryKind::Mapped {
        return resolve(address, bytes, declared, writes);
    }
    // Memory of a graph has pages of its own.
    let (first, size) = allocation.block().unwrap_or((allocation.base, allocation.span));
    let end = address.checked_add(bytes).ok_or_else(|| {
        refuse!(Error::INVALID_VALUE, "_ {:#x} + {} bytes goes beyond the end of the address space", address, bytes)
    })?;
    refuse_if!(Error::INVALID_VALUE, address < first, "_ {:#x} is not in the allocation at {:#x}", address, first);
    refuse_if!(
        Error::INVALID_VALUE,
        end > first + size,
        "_ {:#x} + {} bytes goes beyond the end of the allocation {:#x} + {}",
        address,
        bytes,
        first,
        size
    );
    Ok(Range { address, bytes, ..resolve(base, 1, declared, writes)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory;
    use crate::testing::context;

    #[test]
    fn a_range_has_to_lie_in_one_allocation() {
        let context = context();
        let a = memory::alloc(&context, 1000).unwrap().base;
        let ask = |address, bytes| resolve(address, bytes, Declared::Device, true).map(|r| r.kind);
        assert_eq!(ask(a, 1000), Ok(RangeKind::Device(0)));
        assert_eq!(ask(a + 999, 1), Ok(RangeKind::Device(0)));
        assert_eq!(ask(a, 1001), Err(Error::INVALID_VALUE));
        assert_eq!(ask(a + 1000, 1), Err(Error::INVALID_VALUE));
        assert_eq!(ask(a + 999, usize::MAX), Err(Error::INVALID_VALUE));
        assert!(ask(a + 5000, 0).is_ok() && ask(0, 0).is_ok());
        let own = [0u8; 64];
        let own = own.as_ptr() as usize;
        assert_eq!(ask(own, 64), Err(Error::INVALID_VALUE));
        assert!(resolve(own, 64, Declared::Host, false).unwrap().is_pageable());
        assert!(resolve(0, 64, Declared::Host, false).is_err());
        memory::free(a).unwrap();
        for declared in [Declared::Device, Declared::Host, Declared::Unified] {
            assert!(resolve(a, 1, declared, false).is_err(), "freed");
        }
        context.destroy();
    }

    #[test]
    fn memory_that_is_registered_at_its_end_is_the_programs() {
        let context = context();
        let own = vec![0u8; 3 * 4096];
        let base = own.as_ptr() as usize;
        memory::register(&context, base + 4096, 4096, 0, false).unwrap();
        let ask = |address, bytes| resolve(address, bytes, Declared::Host, false).map(|r| r.kind);
        assert_eq!(ask(base, 4096), Ok(RangeKind::Pageable));
        assert_eq!(ask(base, 4097), Ok(RangeKind::Pageable));
        assert_eq!(ask(base + 4096, 4096), Ok(RangeKind::Registered));
        assert_eq!(ask(base + 4096, 4097), Err(Error::INVALID_VALUE));
        assert_eq!(ask(base + 8192, 4096), Ok(RangeKind::Pageable));
        memory::unregister(base + 4096).unwrap();
        assert_eq!(ask(base, 3 * 4096), Ok(RangeKind::Pageable));
        context.destroy();
    }
}
