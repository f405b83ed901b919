//! Virtual memory: reserved addresses, and physical memory mapped at them with access granted per device.
//!
//! Mapping is of whole pieces of physical memory only, as on the real driver. While memory is mapped somewhere, an
//! address look-up finds the mapping there, an [`Allocation`] of its own; elsewhere in a reservation it finds the
//! reservation.

use crate::base::bounds::ADDRESS_SPACE;
use crate::base::devices::{device, devices};
use crate::base::location::Location;
use crate::base::memory_file::makes_dma_bufs;
pub use crate::memory::allocation::Access;
use crate::memory::allocation::{Allocation, MappedMemory, MemoryKind};
use crate::memory::lookup::{find, space};
use crate::memory::mapping::{self, Mapping};
use crate::memory::physical::{self, Backing, GRANULARITY, Physical};
use crate::memory::{ipc, observer};
use crate::space::{CHUNK, Piece};
use error::{Error, Result, refuse, refuse_if};
use guard::mapping::{HostMapping, Rights, protect as protect_pages};
use parking_lot::Mutex;
use std::collections::{BTreeMap, VecDeque};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

struct Reservation {
    allocation: Arc<Allocation>,
    /// Its addresses, where they are outside of the space.
    foreign: Option<HostMapping>,
    /// How many mappings are in it.
    mapped: usize,
}

/// Addresses given back lately: a hint does not get them again at once, which the real driver does not do either.
const REMEMBERED: usize = 64;

struct State {
    /// By first address.
    reservations: BTreeMap<usize, Reservation>,
    /// By first address, in whichever reservation.
    mappings: BTreeMap<usize, Arc<Allocation>>,
    freed: VecDeque<Piece>,
}

static STATE: Mutex<State> =
    Mutex::new(State { reservations: BTreeMap::new(), mappings: BTreeMap::new(), freed: VecDeque::new() });

impl State {
    /// The reservation in which `addr` lies.
    fn holding(&mut self, addr: usize) -> Result<&mut Reservation> {
        let (_, reservation) = self
            .reservations
            .range_mut(..=addr)
            .next_back()
            .ok_or_else(|| refuse!(Error::INVALID_VALUE, "_ {:#x} is not in a reserved range", addr))?;
        let inside = addr - reservation.allocation.base < reservation.allocation.size;
        if inside {
            Ok(reservation)
        } else {
            Err(refuse!(Error::INVALID_VALUE, "_ {:#x} is not in a reserved range", addr))
        }
    }

    /// The mappings in a range that begins in a reservation, in order; refuses a range that cuts one in two. A mapping
    /// may leave its reservation, and the range may.
    fn whole_mappings(&mut self, start: usize, end: usize) -> Result<Vec<Arc<Allocation>>> {
        if !self.mappings.contains_key(&start) {
            self.holding(start)?;
        }
        if let Some((_, before)) = self.mappings.range(..start).next_back()
            && before.base + before.size > start
        {
            return Err(refuse!(
                Error::INVALID_VALUE,
                "ptr {:#x} is in the middle of the mapping at {:#x}",
                start,
                before.base
            ));
        }
        let inside: Vec<_> = self.mappings.range(start..end).map(|(_, m)| m.clone()).collect();
        match inside.last() {
            Some(last) if last.base + last.size > end => Err(refuse!(
                Error::INVALID_VALUE,
                "ptr + size {:#x} is in the middle of the mapping at {:#x}",
                end,
                last.base
            )),
            _ => Ok(inside),
        }
    }
}

/// The end of a range of whole granules that is not empty.
fn range_end(start: usize, size: usize) -> Result<usize> {
    refuse_if!(Error::INVALID_VALUE, start == 0, "ptr is NULL");
    physical::check_whole(start, format_args!("ptr {start:#x}"))?;
    physical::check_size(size)?;
    start.checked_add(size).ok_or_else(|| {
        refuse!(Error::INVALID_VALUE, "ptr {:#x} + size {} goes beyond the end of the address space", start, size)
    })
}

/// Reserves `size` bytes of addresses, a multiple of [`GRANULARITY`], aligned to `align` (a power of two, or 0), at
/// `hint` if it is not 0 and free.
pub fn reserve(size: usize, align: usize, hint: usize) -> Result<usize> {
    physical::check_size(size)?;
    physical::check_whole(hint, format_args!("addr {hint:#x}"))?;
    refuse_if!(
        Error::INVALID_VALUE,
        (align != 0 && !align.is_power_of_two()) || align > isize::MAX as usize,
        "alignment {} is not a power of two",
        align
    );
    refuse_if!(Error::OUT_OF_MEMORY, size >= ADDRESS_SPACE, "size {} is more than an address space", size);
    refuse_if!(Error::OUT_OF_MEMORY, align >= ADDRESS_SPACE, "alignment {} is more than an address space", align);
    let align = align.max(GRANULARITY);
    let space = space()?;
    let mut state = STATE.lock();
    let wanted = |p: &Piece| hint < p.base + p.span && p.base < hint + size.min(ADDRESS_SPACE);
    let hint = if hint >= ADDRESS_SPACE || state.freed.iter().any(wanted) { 0 } else { hint };
    let device = devices().first().ok_or(Error::NOT_INITIALIZED)?;
    let make = |piece| Allocation::builder(device, piece, size, MemoryKind::Reserved).build();
    let outside = hint != 0 && !space.covers(hint, size);
    // Probably for a multicast object: ordinary accesses of its addresses are made one by one, and so are those of memory that lies
    // below them in the space.
    let apart = hint == 0 && physical::awaits_multicast();
    let inside = || space.reserve_range(size, align, hint, make).ok();
    let foreign = |addresses: Option<HostMapping>| {
        let addresses = addresses?;
        let base = addresses.base();
        let allocation = make(Piece { base, span: size });
        space.enter_foreign(base, size, allocation.clone()).ok()?;
        Some((allocation, Some(addresses)))
    };
    let at_hint = match hint {
        0 if apart => foreign(HostMapping::aligned(size, align)),
        _ if outside && hint.is_multiple_of(align) => foreign(HostMapping::at(hint, size)),
        _ => None,
    };
    let (allocation, foreign) = at_hint
        .or_else(|| inside().map(|allocation| (allocation, None)))
        .or_else(|| foreign(HostMapping::aligned(size, align)))
        .ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "size {}: there is no free range of addresses", size))?;
    let base = allocation.base;
    state.freed.retain(|p| base + size <= p.base || p.base + p.span <= base);
    state.reservations.insert(base, Reservation { allocation, foreign, mapped: 0 });
    Ok(base)
}

/// Gives the reservation back that begins at `base` and has `size` bytes. Nothing may be mapped in it.
pub fn free(base: usize, size: usize) -> Result<()> {
    let mut state = STATE.lock();
    let reservation = state
        .reservations
        .get(&base)
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "ptr {:#x} is not the beginning of a reserved range", base))?;
    refuse_if!(
        Error::INVALID_VALUE,
        reservation.allocation.size != size,
        "size {} is not that of the reserved range, {}",
        size,
        reservation.allocation.size
    );
    refuse_if!(Error::INVALID_VALUE, reservation.mapped != 0, "ptr {:#x} is a range in which memory is mapped", base);
    space()?.remove(base);
    let foreign = state.reservations.remove(&base).and_then(|r| r.foreign);
    drop(foreign);
    if state.freed.len() == REMEMBERED {
        state.freed.pop_front();
    }
    state.freed.push_back(Piece { base, span: size });
    Ok(())
}

/// Maps all of a piece of physical memory at `base`, where a reservation has room for it. Nothing may access it yet.
pub fn map(base: usize, size: usize, offset: usize, handle: u64) -> Result<()> {
    let physical = physical::find(handle)?;
    refuse_if!(Error::INVALID_VALUE, base == 0, "ptr is NULL");
    refuse_if!(Error::INVALID_VALUE, size == 0, "size is 0");
    refuse_if!(
        Error::INVALID_VALUE,
        physical.properties.tile_pool,
        "handle {:#x} is a tile pool, which only arrays map",
        handle
    );
    refuse_if!(
        Error::NOT_SUPPORTED,
        size != physical.size,
        "size {} is not that of the allocation, {}",
        size,
        physical.size
    );
    refuse_if!(Error::NOT_SUPPORTED, offset != 0, "offset {} is not 0", offset);
    let end = range_end(base, size)?;
    let multicast = physical.multicast();
    if let Some(multicast) = &multicast {
        multicast.wait_for_devices()?;
    }
    let space = space()?;
    let mut state = STATE.lock();
    refuse_if!(
        Error::INVALID_VALUE,
        !state.whole_mappings(base, end)?.is_empty(),
        "ptr {:#x} + size {} overlaps memory that is mapped already",
        base,
        size
    );
    let reservation = state.holding(base)?.allocation.clone();
    let owner = physical.device().map_or(0, |d| d.ordinal);
    let piece = Piece { base, span: size };
    let owner = devices().get(owner as usize).ok_or(Error::INVALID_DEVICE)?;
    let mapped = Allocation::builder(owner, piece, size, MemoryKind::Mapped).build();
    let overlay = space.overlay(base, size, mapped.clone())?;
    // A second address moves the pages to where both can reach them.
    let first = physical.only_address().and_then(|address| state.mappings.get(&address));
    let rights = first.map_or(Rights::None, |first| rights(first));
    if let Err(error) = physical.map(base, rights) {
        space.lift(base, overlay, &reservation);
        space.unmap(base, size);
        return Err(error);
    }
    mapped.extra.lock().mapping = Some(Arc::new(Mapping {
        physical,
        reservation,
        overlay,
        readers: AtomicU64::new(0),
        writers: AtomicU64::new(0),
        host: AtomicU8::new(0),
    }));
    if let Some(multicast) = multicast {
        multicast.no_longer_awaited();
        mapping::note_multicast(base, size, true);
    }
    state.holding(base)?.mapped += 1;
    state.mappings.insert(base, mapped);
    Ok(())
}

/// What the pages of a mapping allow, which is what any of its locations may do.
fn rights(mapped: &Allocation) -> Rights {
    let mapping = mapping::of(mapped);
    match mapping.map_or(Access::None, |m| m.widest()) {
        Access::None => Rights::None,
        Access::Read => Rights::Read,
        Access::ReadWrite => Rights::ReadWrite,
    }
}

/// Makes the pages of a mapping allow what its locations may do. A multicast object has none there.
fn protect(mapped: &Allocation) -> Result<()> {
    if mapping::of(mapped).is_some_and(|m| m.physical.multicast().is_some()) {
        return Ok(());
    }
    // SAFETY: pages of a mapping of ours.
    let done = unsafe { protect_pages(mapped.base, mapped.size, rights(mapped)) };
    if !done {
        Err(refuse!(Error::OUT_OF_MEMORY, "size {}: the host cannot change the rights of so much memory", mapped.size))
    } else {
        Ok(())
    }
}

/// Removes every mapping in a range, which must begin in a reservation and not cut a mapping in two. Nothing is waited
/// for, as on the real driver: work in flight that still uses the range fails.
pub fn unmap(base: usize, size: usize) -> Result<()> {
    refuse_if!(Error::INVALID_VALUE, base == 0, "ptr is NULL");
    refuse_if!(Error::INVALID_VALUE, size == 0, "size is 0");
    let end = base.checked_add(size).ok_or_else(|| {
        refuse!(Error::INVALID_VALUE, "ptr {:#x} + size {} goes beyond the end of the address space", base, size)
    })?;
    let space = space()?;
    let mut state = STATE.lock();
    for mapped in state.whole_mappings(base, end)? {
        let Some(mapping) = mapping::of(&mapped) else {
            continue;
        };
        mapping.physical.leave(mapped.base)?;
        observer::freed(&mapped, &Vec::new);
        mapped.extra.lock().mapping = None;
        if mapping.physical.multicast().is_some() {
            mapping::note_multicast(mapped.base, mapped.size, false);
        }
        state.mappings.remove(&mapped.base);
        space.lift(mapped.base, mapping.overlay, &mapping.reservation);
        space.unmap(mapped.base, mapped.size);
        if let Some(reservation) = state.reservations.get_mut(&mapping.reservation.base) {
            reservation.mapped -= 1;
        }
    }
    Ok(())
}

/// Sets the access of locations to the mappings in a range, which begins where one begins and ends where one ends.
pub fn set_access(base: usize, size: usize, grants: &[(Location, Access)]) -> Result<()> {
    let end = range_end(base, size)?;
    let mut state = STATE.lock();
    let mut all = Vec::new();
    for mapped in state.whole_mappings(base, end)? {
        let mapping = mapping::of(&mapped)
            .ok_or_else(|| refuse!(Error::INVALID_VALUE, "ptr {:#x} is not mapped", mapped.base))?;
        all.push((mapped, mapping));
    }
    let first = all.first().map(|(m, _)| m.base);
    let last = all.last().map(|(m, _)| m.base + m.size);
    refuse_if!(
        Error::INVALID_VALUE,
        (first, last) != (Some(base), Some(end)),
        "ptr {:#x} + size {} is not mapped from beginning to end",
        base,
        size
    );
    for &(location, access) in grants {
        match location {
            Location::Device(ordinal) => {
                let found =
                    device(ordinal).map_err(|error| error.of("desc: location.id").with_code(Error::INVALID_VALUE))?;
                let outside = |m: &Arc<Mapping>| m.physical.multicast().is_some_and(|m| !m.has(found.slot.into()));
                refuse_if!(
                    Error::INVALID_VALUE,
                    all.iter().any(|(_, m)| outside(m)),
                    "desc: location.id {} was not added to the multicast object that is mapped",
                    ordinal
                );
            }
            Location::Host | Location::HostNuma(_) => {
                // The host has no access to device memory that could be taken from it.
                if access != Access::None && all.iter().any(|(_, m)| m.physical.device().is_some()) {
                    return Err(refuse!(
                        Error::NOT_SUPPORTED,
                        "desc: location {:?}: the host has no access to device memory",
                        location
                    ));
                }
            }
            Location::HostNumaCurrent | Location::Unknown => {
                return Err(refuse!(
                    Error::INVALID_VALUE,
                    "desc: location {:?} is not a device, the host or a NUMA node",
                    location
                ));
            }
        }
    }
    for (mapped, mapping) in all {
        for &(location, access) in grants {
            match location {
                Location::Device(ordinal) => mapping.set_device_access(ordinal as u32, access),
                _ => mapping.host.store(access as u8, Ordering::Release),
            }
        }
        protect(&mapped)?;
    }
    Ok(())
}

/// Checks that access of a location can be asked for.
pub fn check_location(location: Location) -> Result<()> {
    match location {
        Location::Device(ordinal) => device(ordinal).map(drop),
        Location::Unknown | Location::HostNumaCurrent => {
            Err(refuse!(Error::INVALID_DEVICE, "location {:?} is not a device, the host or a NUMA node", location))
        }
        _ => Ok(()),
    }
}

/// The access of a location to the memory at an address. Memory that was not mapped by the program grants none here,
/// whatever it allows; addresses without memory are refused. Of device memory the host learns what the device may do, its
/// NUMA nodes that they may do nothing.
pub fn access(location: Location, addr: usize) -> Result<Access> {
    let allocation = find(addr).ok_or_else(|| refuse!(Error::INVALID_VALUE, "ptr {:#x} is not memory", addr))?;
    match allocation.kind {
        MemoryKind::Reserved => {
            Err(refuse!(Error::INVALID_VALUE, "ptr {:#x} is in a reserved range without memory", addr))
        }
        MemoryKind::Mapped => {
            let mapping = mapping::of(&allocation)
                .ok_or_else(|| refuse!(Error::INVALID_VALUE, "ptr {:#x} is not mapped", addr))?;
            Ok(match location {
                Location::Device(ordinal) => u32::try_from(ordinal).map_or(Access::None, |o| mapping.device_access(o)),
                _ => match mapping.physical.device() {
                    Some(device) if location == Location::Host => mapping.device_access(device.ordinal),
                    Some(_) => Access::None,
                    None => mapping.host_access(),
                },
            })
        }
        _ => Ok(Access::None),
    }
}

/// A dma-buf of `size` bytes at `addr`, whole pages of device memory. Memory of another kind, or of several
/// allocations, is [`Error::INVALID_VALUE`]; memory that the kernel makes no dma-buf of is [`Error::NOT_SUPPORTED`].
pub fn dma_buf(addr: usize, size: usize) -> Result<OwnedFd> {
    let allocation = find(addr).ok_or_else(|| refuse!(Error::INVALID_VALUE, "dptr {:#x} is not memory", addr))?;
    refuse_if!(
        Error::INVALID_VALUE,
        size > allocation.base + allocation.size - addr,
        "size {} goes beyond the end of the allocation, which has {} bytes there",
        size,
        allocation.base + allocation.size - addr
    );
    let offset = addr - allocation.base;
    match allocation.kind {
        MemoryKind::Mapped => {
            let mapping = mapping::of(&allocation)
                .ok_or_else(|| refuse!(Error::INVALID_VALUE, "dptr {:#x} is not mapped", addr))?;
            mapping
                .physical
                .device()
                .ok_or_else(|| refuse!(Error::INVALID_VALUE, "dptr {:#x} is memory of the host", addr))?;
            mapping.physical.file()?.dma_buf(offset, size)
        }
        // Moved to a file, as for other processes, where that is of use.
        MemoryKind::Device if makes_dma_bufs() => {
            let (file, start) = ipc::file_of(&allocation)?;
            file.dma_buf(start + offset as u64, size)
        }
        // Private memory, which has no file behind it.
        MemoryKind::Device | MemoryKind::Pool => {
            Err(refuse!(Error::NOT_SUPPORTED, "dptr {:#x} is memory that has no file behind it", addr))
        }
        _ => Err(refuse!(Error::INVALID_VALUE, "dptr {:#x} is memory of a kind that cannot be exported", addr)),
    }
}

/// Moves physical memory to a file, if it lies in none: others reach it there, and who uses it meanwhile waits.
pub fn move_to_file(memory: &Physical) -> Result<Arc<Backing>> {
    let state = STATE.lock();
    let first = memory.only_address().and_then(|address| state.mappings.get(&address));
    memory.move_to_some_file(first.map_or(Rights::None, |first| rights(first)))
}

/// Takes a reference on the physical memory that is mapped at an address.
pub fn retain(addr: usize) -> Result<usize> {
    // Not while the mapping goes, and its pages with it.
    let _state = STATE.lock();
    let allocation = find(addr).ok_or_else(|| refuse!(Error::INVALID_VALUE, "addr {:#x} is not memory", addr))?;
    let mapping =
        mapping::of(&allocation).ok_or_else(|| refuse!(Error::INVALID_VALUE, "addr {:#x} is not mapped", addr))?;
    mapping.physical.retain()
}

const _: () = assert!(GRANULARITY == CHUNK, "reservations are whole chunks");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::access;
    use crate::memory::access::Declared;
    use crate::memory::physical::Properties;
    use crate::stream::context;
    use crate::testing::{context, skipped};

    const SIZE: usize = 2 * GRANULARITY;
    const RW: [(Location, Access); 1] = [(Location::Device(0), Access::ReadWrite)];

    fn memory(size: usize, exported: bool) -> u64 {
        let properties = Properties {
            descriptor: exported,
            fabric: exported,
            location: Location::Device(0),
            compressible: false,
            rdma: false,
            tile_pool: false,
            decompress: false,
        };
        physical::create(size, properties).unwrap() as u64
    }

    fn poke(address: usize, byte: u8) {
        // SAFETY: the test mapped memory there and granted access.
        unsafe { (address as *mut u8).write_volatile(byte) }
    }

    fn peek(address: usize) -> u8 {
        // SAFETY: as above.
        unsafe { (address as *const u8).read_volatile() }
    }

    fn may_write(address: usize, bytes: usize) -> bool {
        access::resolve(address, bytes, Declared::Device, true).is_ok()
    }

    #[test]
    fn one_memory_at_two_addresses() {
        let context = context();
        context::push(context.clone());
        for exported in [false, true] {
            let handle = memory(SIZE, exported);
            // Behind the first is a hole: what lies next belongs to other tests.
            let (a, b) = (reserve(2 * SIZE, 0, 0).unwrap(), reserve(SIZE, 0, 0).unwrap());
            map(a, SIZE, 0, handle).unwrap();
            map(b, SIZE, 0, handle).unwrap();
            assert!(!may_write(a, 1), "nothing granted yet");
            set_access(a, SIZE, &RW).unwrap();
            set_access(b, SIZE, &[(Location::Device(0), Access::Read)]).unwrap();
            poke(a + 5000, 42);
            assert_eq!(peek(b + 5000), 42);
            assert!(may_write(a, SIZE) && !may_write(b, 1) && !may_write(a, SIZE + 1));
            assert_eq!(free(a, 2 * SIZE), Err(Error::INVALID_VALUE), "still mapped");
            assert_eq!(unmap(a, GRANULARITY), Err(Error::INVALID_VALUE), "half of it");
            unmap(a, SIZE).unwrap();
            assert!(!may_write(a, 1));
            physical::release(handle).unwrap();
            assert_eq!(physical::release(handle), Err(Error::INVALID_VALUE));
            assert_eq!(peek(b + 5000), 42, "the mapping keeps the memory");
            let again = retain(b + 1).unwrap() as u64;
            unmap(b, SIZE).unwrap();
            map(a, SIZE, 0, again).unwrap();
            set_access(a, SIZE, &RW).unwrap();
            assert_eq!(peek(a + 5000), 42, "and so does a handle");
            physical::release(again).unwrap();
            unmap(a, SIZE).unwrap();
            free(a, 2 * SIZE).unwrap();
            free(b, SIZE).unwrap();
            assert_eq!(free(b, SIZE), Err(Error::INVALID_VALUE));
        }
        context::pop();
        context.destroy();
    }

    #[test]
    fn memory_keeps_its_bytes_between_mappings() {
        let context = context();
        context::push(context.clone());
        let (handle, base) = (memory(SIZE, false), reserve(4 * SIZE, 0, 0).unwrap());
        for round in 0..4u8 {
            let at = base + usize::from(round % 3) * SIZE;
            map(at, SIZE, 0, handle).unwrap();
            set_access(at, SIZE, &RW).unwrap();
            assert_eq!((peek(at + 9), peek(at + SIZE - 1)), (round, round));
            poke(at + 9, round + 1);
            poke(at + SIZE - 1, round + 1);
            if round == 2 {
                // A second address while the first is in use: both have the bytes, and the first keeps its access.
                map(base + 3 * SIZE, SIZE, 0, handle).unwrap();
                set_access(base + 3 * SIZE, SIZE, &RW).unwrap();
                assert_eq!((peek(at + 9), peek(base + 3 * SIZE + 9)), (3, 3));
                unmap(base + 3 * SIZE, SIZE).unwrap();
            }
            unmap(at, SIZE).unwrap();
        }
        // Nothing stays behind for whoever is next at these addresses.
        let next = memory(4 * SIZE, false);
        map(base, 4 * SIZE, 0, next).unwrap();
        set_access(base, 4 * SIZE, &RW).unwrap();
        assert!((0..4 * SIZE).step_by(512).all(|i| peek(base + i) == 0 && peek(base + i + 9) == 0));
        physical::release(next).unwrap();
        physical::release(handle).unwrap();
        unmap(base, 4 * SIZE).unwrap();
        free(base, 4 * SIZE).unwrap();
        context::pop();
        context.destroy();
    }

    #[test]
    fn a_second_address_does_not_disturb_who_uses_the_first() {
        use std::sync::atomic::AtomicBool;
        let context = context();
        for _ in 0..20 {
            let handle = memory(SIZE, false);
            let (a, b) = (reserve(SIZE, 0, 0).unwrap(), reserve(SIZE, 0, 0).unwrap());
            map(a, SIZE, 0, handle).unwrap();
            set_access(a, SIZE, &RW).unwrap();
            let (started, stop) = (AtomicBool::new(false), AtomicBool::new(false));
            let last = std::thread::scope(|scope| {
                let writer = scope.spawn(|| {
                    let mut n = 0u64;
                    while !stop.load(Ordering::Relaxed) {
                        n += 1;
                        for at in [a, a + SIZE - 8] {
                            guard::write(at, guard::bytes(&n.to_ne_bytes())).unwrap();
                            assert_eq!(guard::read_vec(at, 8).unwrap(), n.to_ne_bytes());
                        }
                        started.store(true, Ordering::Relaxed);
                    }
                    n
                });
                while !started.load(Ordering::Relaxed) {
                    std::thread::yield_now();
                }
                map(b, SIZE, 0, handle).unwrap();
                stop.store(true, Ordering::Relaxed);
                writer.join().unwrap()
            });
            set_access(b, SIZE, &RW).unwrap();
            for at in [b, b + SIZE - 8] {
                assert_eq!(guard::read_vec(at, 8).unwrap(), last.to_ne_bytes());
            }
            physical::release(handle).unwrap();
            for at in [a, b] {
                unmap(at, SIZE).unwrap();
                free(at, SIZE).unwrap();
            }
        }
        context.destroy();
    }

    #[test]
    fn a_hint_that_is_taken_leaves_nothing_behind() {
        let context = context();
        let own = HostMapping::aligned(SIZE, GRANULARITY).unwrap();
        let got = reserve(SIZE, 0, own.base()).unwrap();
        assert_ne!(got, own.base());
        {
            let (space, state) = (space().unwrap(), STATE.lock());
            let unknown = |a: &Allocation| a.kind == MemoryKind::Reserved && !state.reservations.contains_key(&a.base);
            assert!(space.collect(|a| space.is_outside(a.base, a.size) && unknown(a)).is_empty());
        }
        free(got, SIZE).unwrap();
        context.destroy();
    }

    #[test]
    fn imports_share_the_memory() {
        let context = context();
        context::push(context.clone());
        let handle = memory(SIZE, true);
        let made = physical::find(handle).unwrap();
        let descriptor = made.export_descriptor().unwrap();
        let fabric = made.export_fabric().unwrap();
        drop(made);
        let base = reserve(3 * SIZE, 0, 0).unwrap();
        map(base, SIZE, 0, handle).unwrap();
        let by_descriptor = physical::import_descriptor(std::os::fd::AsRawFd::as_raw_fd(&descriptor)).unwrap() as u64;
        let by_fabric = physical::import_fabric(&fabric).unwrap() as u64;
        drop(descriptor);
        map(base + SIZE, SIZE, 0, by_descriptor).unwrap();
        map(base + 2 * SIZE, SIZE, 0, by_fabric).unwrap();
        set_access(base, 3 * SIZE, &RW).unwrap();
        poke(base + 7, 9);
        assert_eq!((peek(base + SIZE + 7), peek(base + 2 * SIZE + 7)), (9, 9));
        assert!(physical::find(by_fabric).unwrap().export_descriptor().is_err(), "imports stay here");
        [handle, by_descriptor, by_fabric].into_iter().for_each(|h| physical::release(h).unwrap());
        unmap(base, 3 * SIZE).unwrap();
        assert_eq!(physical::import_fabric(&fabric), Err(Error::NOT_SUPPORTED), "nobody holds it");
        free(base, 3 * SIZE).unwrap();
        context::pop();
        context.destroy();
    }

    #[test]
    fn addresses_beyond_the_space() {
        let context = context();
        // More than the space has, as long as the process has it.
        let Ok(base) = reserve(1 << 44, 0, 0) else {
            return skipped("addresses_beyond_the_space", "the process has no 16 TiB of addresses");
        };
        let handle = memory(GRANULARITY, false);
        let inside = base + (1 << 43);
        map(inside, GRANULARITY, 0, handle).unwrap();
        context::push(context.clone());
        set_access(inside, GRANULARITY, &RW).unwrap();
        poke(inside, 3);
        assert!(may_write(inside, GRANULARITY) && !may_write(inside - 1, 1));
        assert!(unmap(base, 1 << 44).is_ok());
        assert!(!may_write(inside, 1));
        physical::release(handle).unwrap();
        free(base, 1 << 44).unwrap();
        context::pop();
        context.destroy();
    }

    #[test]
    fn threads_do_not_disturb_each_other() {
        let context = context();
        let work = |seed: u64| {
            context::push(context.clone());
            let mut x = seed * 2 + 88172645463325252;
            let base = reserve(8 * GRANULARITY, 0, 0).unwrap();
            let mut held = [0u64; 8];
            for round in 0..200u64 {
                x ^= x << 13;
                x ^= x >> 7;
                x ^= x << 17;
                let slot = x as usize % 8;
                let at = base + slot * GRANULARITY;
                if held[slot] == 0 {
                    let handle = memory(GRANULARITY, round % 16 == 0);
                    map(at, GRANULARITY, 0, handle).unwrap();
                    set_access(at, GRANULARITY, &RW).unwrap();
                    assert_eq!(peek(at + 64), 0, "new memory");
                    poke(at + 64, seed as u8 + 1);
                    held[slot] = handle;
                } else {
                    assert_eq!(peek(at + 64), seed as u8 + 1);
                    physical::release(held[slot]).unwrap();
                    unmap(at, GRANULARITY).unwrap();
                    held[slot] = 0;
                }
            }
            held.into_iter().filter(|&h| h != 0).for_each(|h| physical::release(h).unwrap());
            unmap(base, 8 * GRANULARITY).unwrap();
            free(base, 8 * GRANULARITY).unwrap();
            context::pop();
        };
        std::thread::scope(|scope| (0..4).for_each(|seed| drop(scope.spawn(move || work(seed)))));
        context.destroy();
    }
}
