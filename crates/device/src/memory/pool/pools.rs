//! Pools, what they hand out and take back, and which one is in use where.

use crate::base::bounds::LARGEST_POOL;
use crate::base::devices::{Device, device};
use crate::base::handle::{HandleKind, Table};
use crate::base::location::{Location, has_numa_node};
use crate::base::trace;
use crate::base::usage::{Charge, Purpose};
use crate::memory::allocation::{Access, Allocation, MemoryKind, PoolMemory};
use crate::memory::lookup::{find, space};
use crate::memory::observer;
use crate::memory::pool::arena::{self, Arena, Fences, SEGMENT, Terms};
use crate::memory::pool::file;
use crate::memory::pool::properties::{Class, Properties};
use crate::memory::removal::remove;
use crate::space::{GRANULE, Piece};
use crate::stream::capture;
use crate::stream::context;
use crate::stream::context::Context;
use crate::stream::hooks;
use crate::stream::{Fence, Stream, Waited, Work};
use error::{Error, Result, refuse, refuse_if};
use parking_lot::Mutex;
use std::any::Any;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// Whom a grant of access to a location counts for: a device, or the host with all its NUMA nodes.
fn grantee(location: Location) -> Option<Location> {
    match location {
        Location::Device(_) => Some(location),
        Location::Host | Location::HostNuma(_) => Some(Location::Host),
        _ => None,
    }
}

/// The settings and counters of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attribute {
    /// Memory may be used by a stream that waited for the event behind the free.
    FollowEvents,
    /// Memory may be used by any stream once its free is done.
    Opportunistic,
    /// A stream may be made to wait for the stream that frees memory.
    InternalDependencies,
    /// Bytes to hold at synchronisation.
    ReleaseThreshold,
    /// Bytes held.
    Reserved,
    /// The most bytes held.
    ReservedHigh,
    /// Bytes in allocations.
    Used,
    /// The most bytes in allocations.
    UsedHigh,
}

/// How managed memory of a pool is attached: `CU_MEM_ATTACH_GLOBAL`.
const ATTACHED_TO_ALL: u32 = 1;

pub(super) struct State {
    pub(super) arena: Arena,
    /// What its segments count as, where they are a device's.
    charge: Option<Charge>,
    follow_events: bool,
    opportunistic: bool,
    dependencies: bool,
    threshold: u64,
    used: u64,
    used_high: u64,
    reserved_high: u64,
    pub(super) live: usize,
    access: BTreeMap<Location, Access>,
    /// The memory of another process's pool.
    pub(super) imports: Option<file::Imports>,
    /// Other processes were told of it.
    pub(super) exported: bool,
}

impl State {
    /// What may stay at synchronisation: whole segments, and no more than the threshold.
    fn kept(&self) -> usize {
        usize::try_from(self.threshold).unwrap_or(usize::MAX) / SEGMENT * SEGMENT
    }

    /// Counts the segments that there are, and no more.
    fn account(&mut self) {
        if let Some(charge) = &mut self.charge {
            charge.shrink_to(self.arena.reserved());
        }
    }
}

/// Where a pool comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// Belongs to a location: cannot be destroyed.
    Born,
    /// Created by the program.
    Created,
    /// Created by another process: gives no memory, but for what that process hands over.
    Imported,
}

/// A memory pool.
pub struct Pool {
    /// What the program holds.
    pub handle: usize,
    /// What it is like.
    pub properties: Properties,
    /// The device that it belongs to; the first one for memory of the host.
    pub device: Arc<Device>,
    pub(super) origin: Origin,
    destroyed: AtomicBool,
    /// Devices may reach memory of the host, the first 64 as bits.
    reach: AtomicU64,
    pub(super) state: Mutex<State>,
}

pub(crate) static POOLS: Table<Pool> = Table::new(HandleKind::Pool);

/// Pools that the program destroyed while streams had work on their memory.
static LEAVING: Mutex<Vec<Arc<Pool>>> = Mutex::new(Vec::new());

/// Counts `bytes` bytes of a device's memory as used. What its pools keep for later is not out of reach: it goes back to
/// the system before this fails. Not with the address space locked.
pub fn charge(device: &Arc<Device>, purpose: Purpose, bytes: usize) -> Result<Charge> {
    let mut charge = Charge::none(device.usage, purpose);
    grow(device, &mut charge, bytes)?;
    Ok(charge)
}

/// The same for `bytes` bytes more of what counts already.
fn grow(device: &Arc<Device>, charge: &mut Charge, bytes: usize) -> Result<()> {
    let limit = device.memory_for_programs();
    charge.grow(bytes, limit).or_else(|_| {
        relieve(device);
        charge.grow(bytes, limit)
    })
}

/// Gives back what the pools of a device keep for later. Not with the address space locked.
pub fn relieve(device: &Arc<Device>) {
    observer::relieve();
    for pool in POOLS.all().iter().filter(|p| p.is_device() && Arc::ptr_eq(&p.device, device)) {
        // Not a pool that is busy: it may be the one that asks.
        if let Some(mut state) = pool.state.try_lock() {
            Pool::shrink(&mut state, 0, false);
        }
    }
}

/// True for pools of a device's own memory.
fn is_device(properties: &Properties) -> bool {
    properties.class == Class::Pinned && matches!(properties.location, Location::Device(_))
}

/// The pools of one location for one class.
struct Choice {
    born: Arc<Pool>,
    current: Arc<Pool>,
}

/// By location: [`Location::Unknown`] is that of managed memory of no location in particular.
fn choices() -> &'static Mutex<BTreeMap<(Location, Class), Choice>> {
    static CHOICES: OnceLock<Mutex<BTreeMap<(Location, Class), Choice>>> = OnceLock::new();
    CHOICES.get_or_init(Default::default)
}

impl Pool {
    /// The record of an allocation of the pool, which belongs to no context.
    pub(super) fn record(self: &Arc<Pool>, base: usize, size: usize) -> Arc<Allocation> {
        let piece = Piece { base, span: size.next_multiple_of(GRANULE) };
        Allocation::builder(&self.device, piece, size, self.kind()).from_pool(self.clone()).build()
    }

    pub(super) fn build(
        properties: Properties,
        device: Arc<Device>,
        origin: Origin,
        prepare: impl FnOnce(&mut State),
    ) -> Result<Arc<Pool>> {
        let counted = is_device(&properties).then(|| Charge::none(device.usage, Purpose::Pools));
        let mut state = State {
            arena: Arena::default(),
            charge: counted,
            follow_events: true,
            opportunistic: true,
            dependencies: true,
            threshold: 0,
            used: 0,
            used_high: 0,
            reserved_high: 0,
            live: 0,
            access: BTreeMap::new(),
            imports: None,
            exported: false,
        };
        prepare(&mut state);
        let make = |handle| {
            let (destroyed, reach) = (AtomicBool::new(false), AtomicU64::new(0));
            Arc::new(Pool { handle, properties, device, origin, destroyed, reach, state: Mutex::new(state) })
        };
        POOLS.insert_with(make).ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "there are too many memory pools"))
    }

    /// Creates a pool for the program.
    pub fn create(properties: Properties) -> Result<Arc<Pool>> {
        let managed = properties.class == Class::Managed;
        let owner = match properties.location {
            Location::Device(id) => device(id).map_err(|error| error.with_code(Error::INVALID_VALUE))?,
            Location::Host if !managed && properties.handle_types != 0 => {
                return Err(refuse!(
                    Error::INVALID_VALUE,
                    "poolProps.handleTypes {:#x} cannot be had for a pool on the host",
                    properties.handle_types
                ));
            }
            Location::Host => device(0)?,
            Location::HostNuma(node) if has_numa_node(node) => device(0)?,
            Location::Unknown | Location::HostNumaCurrent if managed => device(0)?,
            _ => {
                return Err(refuse!(
                    Error::INVALID_VALUE,
                    "poolProps.location {:?} is no location that a pool can be at",
                    properties.location
                ));
            }
        };
        refuse_if!(
            Error::OUT_OF_MEMORY,
            properties.max_size > LARGEST_POOL,
            "poolProps.maxSize {} is more than {}",
            properties.max_size,
            LARGEST_POOL
        );
        let file = if properties.handle_types == 0 { None } else { Some(file::create(&properties)?) };
        Pool::build(properties, owner.clone(), Origin::Created, |state| {
            if let Some(file) = file {
                state.arena = Arena::in_file(file);
            }
        })
    }

    /// The live pool behind a handle.
    pub fn find(handle: usize) -> Result<Arc<Pool>> {
        POOLS.get_or(handle, Error::INVALID_VALUE)
    }

    /// Takes the pool from the program. Its memory goes when the last allocation is freed and no stream uses it any
    /// more. Pools that are current somewhere stop being it.
    pub fn destroy(handle: usize) -> Result<()> {
        let pool = Pool::find(handle)?;
        refuse_if!(
            Error::INVALID_VALUE,
            pool.origin == Origin::Born,
            "pool {:#x} is a default pool, which cannot be destroyed",
            handle
        );
        {
            let mut state = pool.state.lock();
            let in_use = state.live > 0;
            if let Some(imports) = &mut state.imports
                && !imports.drop_reference(in_use)?
            {
                return Ok(());
            }
        }
        POOLS
            .remove(handle)
            .ok_or_else(|| refuse!(Error::INVALID_VALUE, "pool {:#x} is being destroyed by another thread", handle))?;
        for choice in choices().lock().values_mut().filter(|c| Arc::ptr_eq(&c.current, &pool)) {
            choice.current = choice.born.clone();
        }
        pool.destroyed.store(true, Ordering::Release);
        let mut state = pool.state.lock();
        Pool::shrink(&mut state, 0, false);
        let leaves = state.live == 0;
        drop(state);
        if leaves {
            pool.leave();
        }
        Ok(())
    }

    /// Lets a destroyed pool without allocations go, now or when streams are done with its memory.
    fn leave(self: &Arc<Self>) {
        if self.state.lock().arena.is_pending() {
            LEAVING.lock().push(self.clone());
            hooks::expect_wait();
        }
    }

    pub(super) fn is_device(&self) -> bool {
        is_device(&self.properties)
    }

    pub(super) fn kind(&self) -> MemoryKind {
        match (self.properties.class, self.properties.location) {
            (Class::Managed, _) => MemoryKind::Managed(ATTACHED_TO_ALL),
            (Class::Pinned, Location::Device(_)) => MemoryKind::Pool,
            (Class::Pinned, _) => MemoryKind::HostPool,
        }
    }

    fn limit(&self) -> usize {
        let most = match self.properties.max_size {
            0 => self.device.memory as usize,
            size => size,
        };
        most.checked_next_multiple_of(SEGMENT).unwrap_or(usize::MAX)
    }

    /// Gives back what is free, and no stream uses any more, while at least `keep` bytes stay.
    fn shrink(state: &mut State, keep: usize, cache: bool) {
        if !cache {
            state.arena.settle(Fence::is_complete);
        }
        state.arena.release(keep, cache);
        state.account();
    }

    /// Allocates `size` bytes for a stream.
    pub fn alloc(self: &Arc<Self>, size: usize, stream: &Arc<Stream>) -> Result<usize> {
        self.check_own()?;
        if stream.admit()? {
            return capture::allocate(stream, size);
        }
        capture::check_call()?;
        let mut state = self.state.lock();
        let state = &mut *state;
        let terms = Terms {
            stream,
            opportunistic: state.opportunistic,
            follow: state.follow_events,
            dependencies: state.dependencies,
            limit: self.limit(),
        };
        let charge = |bytes| state.charge.as_mut().map_or(Ok(()), |charge| grow(&self.device, charge, bytes));
        let taken = state.arena.take(size, &terms, charge);
        let place = taken.inspect_err(|_| state.account())?;
        let allocation = self.record(place.base, size);
        // What is under way may still use the memory as it was before, and others may write to what can be shared.
        if state.arena.file().is_none() && !context::CONTEXTS.any(|c| !c.group.is_idle()) {
            observer::fresh(&allocation);
        }
        if let Err(error) = space()?.enter_packed(place.base, size, allocation) {
            state.arena.give(place.base, size, place.waits);
            return Err(error);
        }
        state.live += 1;
        state.used += size as u64;
        state.used_high = state.used_high.max(state.used);
        state.reserved_high = state.reserved_high.max(state.arena.reserved() as u64);
        for fence in place.waits {
            stream.submit(Work::Wait(fence));
        }
        Ok(place.base)
    }

    /// Takes an allocation back. Streams other than those of `until` may have its memory when these points are reached.
    ///
    /// Memory that is freed out of every stream's order goes on counting as used, for ever, as on the real driver, and
    /// what the pool holds too much of goes back at once.
    fn take_back(&self, allocation: &Allocation, until: Fences, in_order: bool) -> Result<()> {
        let mut state = self.state.lock();
        // Another thread may have been faster, and the place may be somebody else's by now.
        let same = |found: &Arc<Allocation>| std::ptr::eq(&**found, allocation);
        observer::freed(allocation, &|| until.to_vec());
        space()?.remove_if(allocation.base, same).ok_or_else(|| {
            refuse!(Error::INVALID_VALUE, "dptr {:#x} is being freed by another thread", allocation.base)
        })?;
        // What was imported is the exporter's.
        if state.imports.is_none() {
            state.arena.give(allocation.base, allocation.size, until);
            if in_order {
                state.used -= allocation.size as u64;
            }
        }
        state.live -= 1;
        let destroyed = self.destroyed.load(Ordering::Acquire);
        if destroyed {
            Pool::shrink(&mut state, 0, false);
        } else if !in_order && state.arena.reserved() as u64 > state.threshold {
            let keep = state.kept();
            Pool::shrink(&mut state, keep, false);
            hooks::expect_wait();
        } else if state.arena.reserved() as u64 > state.threshold || !state.opportunistic {
            hooks::expect_wait();
        }
        let leaves = destroyed && state.live == 0;
        drop(state);
        if leaves && let Some(pool) = allocation.pool.clone() {
            let pool: Arc<dyn Any + Send + Sync> = pool;
            pool.downcast().ok().inspect(Pool::leave);
        }
        Ok(())
    }

    /// The access that a location has to the pool's memory. Host memory is the host's from the start, device memory its
    /// device's, managed memory nobody's.
    pub fn access(&self, location: Location) -> Result<Access> {
        let grantee = grantee(location).ok_or_else(|| {
            refuse!(Error::INVALID_VALUE, "location {:?} is no location that access can be granted to", location)
        })?;
        if let Location::Device(id) = grantee {
            device(id).map_err(|error| error.with_code(Error::INVALID_VALUE))?;
        }
        if let Some(&access) = self.state.lock().access.get(&grantee) {
            return Ok(access);
        }
        let own = match (self.properties.class, self.properties.location) {
            (Class::Managed, _) => false,
            (_, Location::Device(_)) => self.properties.location == location,
            _ => grantee == Location::Host,
        };
        Ok(if own { Access::ReadWrite } else { Access::None })
    }

    /// Grants access to the pool's memory. It can be all or nothing; what the memory's home has cannot be taken from
    /// it, and device memory cannot be granted to the host.
    pub fn set_access(&self, grants: &[(Location, Option<Access>)]) -> Result<()> {
        let managed = self.properties.class == Class::Managed;
        let on_device = matches!(self.properties.location, Location::Device(_)) && !managed;
        let mut granted = Vec::new();
        for &(location, access) in grants {
            refuse_if!(
                Error::NOT_SUPPORTED,
                access == Some(Access::Read),
                "map: flags CU_MEM_ACCESS_FLAGS_PROT_READ: a pool cannot be made read-only"
            );
            let grantee = match grantee(location) {
                Some(device @ Location::Device(_)) => device,
                _ if on_device => {
                    return Err(refuse!(
                        Error::NOT_SUPPORTED,
                        "map: location {:?} is not a device, and the pool is on one",
                        location
                    ));
                }
                host => host.ok_or_else(|| {
                    refuse!(
                        Error::INVALID_VALUE,
                        "map: location {:?} is no location that access can be granted to",
                        location
                    )
                })?,
            };
            if let Location::Device(id) = grantee {
                device(id).map_err(|error| error.of("map: location.id").with_code(Error::INVALID_DEVICE))?;
            }
            let access =
                access.ok_or_else(|| refuse!(Error::INVALID_VALUE, "map: flags is not a CUmemAccess_flags"))?;
            match access {
                Access::None if on_device && self.properties.location == location => {
                    return Err(refuse!(
                        Error::INVALID_DEVICE,
                        "map: location {:?} is where the pool is: its access cannot be taken away",
                        location
                    ));
                }
                Access::None if !managed && grantee == Location::Host => {
                    return Err(refuse!(
                        Error::NOT_SUPPORTED,
                        "map: location {:?}: the access of the host cannot be taken away",
                        location
                    ));
                }
                _ => granted.push((grantee, access)),
            }
        }
        let mut state = self.state.lock();
        for &(grantee, access) in &granted {
            if let Location::Device(id @ 0..64) = grantee {
                match access {
                    Access::None => self.reach.fetch_and(!(1 << id), Ordering::AcqRel),
                    _ => self.reach.fetch_or(1 << id, Ordering::AcqRel),
                };
            }
        }
        state.access.extend(granted);
        Ok(())
    }

    /// The memory has to be the pool's own, not another process's.
    pub(super) fn check_own(&self) -> Result<()> {
        if self.origin == Origin::Imported {
            Err(refuse!(Error::INVALID_VALUE, "_ {:#x} was imported, which does not allow this", self.handle))
        } else {
            Ok(())
        }
    }

    /// Gives unused memory back to the system while at least `keep` bytes stay.
    pub fn trim(&self, keep: usize) -> Result<()> {
        self.check_own()?;
        // Whole segments, computed modulo 2^64 as the real driver does it: the greatest numbers keep nothing.
        let keep = keep.wrapping_add(SEGMENT - 1) / SEGMENT * SEGMENT;
        Pool::shrink(&mut self.state.lock(), keep, false);
        Ok(())
    }

    /// The value of an attribute.
    pub fn attribute(&self, attribute: Attribute) -> Result<u64> {
        self.check_own()?;
        let state = self.state.lock();
        Ok(match attribute {
            Attribute::FollowEvents => state.follow_events.into(),
            Attribute::Opportunistic => state.opportunistic.into(),
            Attribute::InternalDependencies => state.dependencies.into(),
            Attribute::ReleaseThreshold => state.threshold,
            Attribute::Reserved => state.arena.reserved() as u64,
            Attribute::ReservedHigh => state.reserved_high,
            Attribute::Used => state.used,
            Attribute::UsedHigh => state.used_high,
        })
    }

    /// Changes an attribute. Counters cannot be set; the highest values can be set back, which is written as 0.
    pub fn set_attribute(&self, attribute: Attribute, value: u64) -> Result<()> {
        self.check_own()?;
        let mut state = self.state.lock();
        match attribute {
            Attribute::FollowEvents => state.follow_events = value != 0,
            Attribute::Opportunistic => state.opportunistic = value != 0,
            Attribute::InternalDependencies => state.dependencies = value != 0,
            Attribute::ReleaseThreshold => state.threshold = value,
            Attribute::ReservedHigh if value == 0 => state.reserved_high = state.arena.reserved() as u64,
            Attribute::UsedHigh if value == 0 => state.used_high = state.used,
            _ => return Err(refuse!(Error::INVALID_VALUE, "attr {:?} cannot be set, or not to {}", attribute, value)),
        }
        Ok(())
    }
}

/// What pools have to do when a program has waited for work and [`hooks::expect_wait`] was called: hold no more than their
/// thresholds.
pub fn synchronized(waited: &Waited) {
    let gone: Vec<Arc<Pool>> = {
        let mut leaving = LEAVING.lock();
        leaving.extract_if(.., |pool| !pool.state.lock().arena.is_pending()).collect()
    };
    drop(gone);
    let mut again = !LEAVING.lock().is_empty();
    for pool in POOLS.all() {
        let mut state = pool.state.lock();
        let excess = state.arena.reserved() as u64 > state.threshold;
        if excess || !state.opportunistic {
            state.arena.settle(|f| waited.includes(f));
            let keep = state.kept();
            Pool::shrink(&mut state, keep, true);
            again |= state.arena.is_unsettled();
        }
    }
    if again {
        hooks::expect_wait();
    }
}

/// Checks that a location can have pools.
fn check_location(location: Location) -> Result<()> {
    match location {
        Location::Device(id) => device(id).map(drop).map_err(|error| error.with_code(Error::INVALID_VALUE)),
        Location::Host => Ok(()),
        Location::HostNuma(node) if has_numa_node(node) => Ok(()),
        Location::HostNuma(_) => Err(refuse!(Error::INVALID_VALUE, "location: there is no NUMA node {:?}", location)),
        Location::HostNumaCurrent | Location::Unknown => {
            Err(refuse!(Error::NOT_SUPPORTED, "location {:?} is not a device, the host or a NUMA node", location))
        }
    }
}

/// What `pick` picks of the pools of a location.
fn choice(location: Location, class: Class, pick: impl FnOnce(&Choice) -> Arc<Pool>) -> Result<Arc<Pool>> {
    let mut choices = choices().lock();
    if let Some(choice) = choices.get(&(location, class)) {
        return Ok(pick(choice));
    }
    let id = if let Location::Device(id) = location { id } else { 0 };
    let properties = Properties { class, location, handle_types: 0, max_size: 0, decompress: false };
    let born = Pool::build(properties, device(id)?.clone(), Origin::Born, |_| ())?;
    let choice = Choice { current: born.clone(), born };
    let picked = pick(&choice);
    choices.insert((location, class), choice);
    Ok(picked)
}

/// The pool that a location is born with. `None` is no location in particular, which managed memory allows.
pub fn default_pool(location: Option<Location>, class: Class) -> Result<Arc<Pool>> {
    choice(resolve(location, class)?, class, |c| c.born.clone())
}

/// The pool in use at a location.
pub fn current_pool(location: Option<Location>, class: Class) -> Result<Arc<Pool>> {
    choice(resolve(location, class)?, class, |c| c.current.clone())
}

/// Chooses the pool in use at a location, which has to be a pool of that location and class.
pub fn set_current_pool(location: Option<Location>, class: Class, handle: usize) -> Result<()> {
    let location = resolve(location, class)?;
    let pool = Pool::find(handle)?;
    refuse_if!(
        Error::INVALID_VALUE,
        pool.origin == Origin::Imported,
        "pool {:#x} was imported, and cannot be the current one",
        handle
    );
    let own = match pool.properties.location {
        Location::HostNumaCurrent => Location::Unknown,
        own => own,
    };
    refuse_if!(Error::INVALID_VALUE, own != location, "pool {:#x} is not at the location that it should serve", handle);
    refuse_if!(
        Error::INVALID_VALUE,
        pool.properties.class != class,
        "pool {:#x} is not for allocations of this type",
        handle
    );
    choice(location, class, |c| c.born.clone())?;
    let mut choices = choices().lock();
    // Who destroys a pool withdraws its handle before its choices.
    Pool::find(handle)?;
    if let Some(choice) = choices.get_mut(&(location, class)) {
        choice.current = pool;
    }
    Ok(())
}

/// Chooses the pool in use on a device for the class of memory that the pool has.
pub fn set_device_pool(id: i32, handle: usize) -> Result<()> {
    set_current_pool(Some(Location::Device(id)), Pool::find(handle)?.properties.class, handle)
}

/// The location whose pools are meant. `None` is no location in particular, which managed memory allows.
fn resolve(location: Option<Location>, class: Class) -> Result<Location> {
    match location {
        Some(location) => check_location(location).map(|()| location),
        None if class == Class::Managed => Ok(Location::Unknown),
        None => Err(refuse!(
            Error::INVALID_VALUE,
            "location.type is CU_MEM_LOCATION_TYPE_NONE, which only managed pools have"
        )),
    }
}

impl PoolMemory for Pool {
    fn handle(&self) -> usize {
        self.handle
    }

    fn segment(&self, address: usize) -> (usize, usize) {
        (arena::segment_of(address), SEGMENT)
    }

    fn handle_types(&self) -> u64 {
        self.properties.handle_types.into()
    }

    fn is_granted(&self, device: u32) -> bool {
        device < 64 && self.reach.load(Ordering::Acquire) >> device & 1 != 0
    }

    fn is_decompressible(&self) -> bool {
        self.properties.decompress
    }
}

/// The pool that memory came from.
pub(super) fn pool_of(allocation: &Allocation) -> Option<&Pool> {
    let pool: &(dyn Any + Send + Sync) = &**allocation.pool.as_ref()?;
    pool.downcast_ref()
}

/// Allocates from the pool in use on the stream's device.
pub fn alloc(size: usize, stream: &Arc<Stream>) -> Result<usize> {
    let device = match stream.context.upgrade() {
        Some(context) => context.device.ordinal,
        None => return Err(Error::CONTEXT_IS_DESTROYED),
    };
    current_pool(Some(Location::Device(device as i32)), Class::Pinned)?.alloc(size, stream)
}

/// Frees an allocation once the stream has come this far. From here on nobody may give work on it to any stream.
pub fn free(base: usize, stream: &Arc<Stream>) -> Result<()> {
    let allocation = find(base)
        .filter(|a| a.base == base)
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "_ {:#x} is not the beginning of an allocation", base))?;
    let Some(pool) = pool_of(&allocation) else {
        if let Some(graph) = allocation.graph() {
            return graph.free(stream);
        }
        return match allocation.kind {
            MemoryKind::Device if allocation.extra.lock().of_graphics => {
                Err(refuse!(Error::INVALID_VALUE, "_ {:#x} is memory of a graphics resource", base))
            }
            MemoryKind::Device if allocation.extra.lock().imported => Err(refuse!(
                Error::NOT_SUPPORTED,
                "_ {:#x} is external memory, which is not freed in stream order",
                base
            )),
            MemoryKind::Device => free_ordinary(allocation, stream),
            MemoryKind::Managed(_) => Err(refuse!(
                Error::NOT_SUPPORTED,
                "_ {:#x} is managed memory, which is not freed in stream order",
                base
            )),
            _ => Err(refuse!(Error::INVALID_VALUE, "_ {:#x} is not memory that can be freed in stream order", base)),
        };
    };
    if stream.admit()? {
        return Err(capture::refuse(stream));
    }
    capture::check_call()?;
    pool.take_back(&allocation, Fences::from_buf([stream.ordered_tail()]), true)
}

/// Frees memory that came from no pool once the stream has come this far. Until then it is usable.
fn free_ordinary(allocation: Arc<Allocation>, stream: &Arc<Stream>) -> Result<()> {
    if stream.admit()? {
        return Err(capture::refuse(stream));
    }
    let caller = trace::here();
    stream.enqueue(Work::Task(Arc::new(move || {
        // Who freed it meanwhile did what was to do.
        let _ = trace::on_behalf(&caller, || remove(&allocation));
        Ok(())
    })))
}

/// Frees an allocation of a pool without naming a stream: nobody gets its memory before all work is complete that any
/// stream of the device has been given so far.
pub fn free_now(allocation: &Allocation) -> Result<()> {
    let pool = pool_of(allocation)
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "_ {:#x} is not memory of a pool", allocation.base))?;
    let contexts = context::CONTEXTS.all();
    let busy = contexts.iter().filter(|c| Arc::ptr_eq(&c.device, &pool.device) && !c.group.is_idle());
    let users = busy.flat_map(|c: &Arc<Context>| c.group.streams()).filter(|s| !s.is_idle());
    pool.take_back(allocation, users.map(|s| s.tail()).collect(), false)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::memory;
    use crate::stream::{Condition, HostCall, StreamKind, WaitValue};
    use crate::testing::context;

    pub fn pinned() -> Properties {
        Properties {
            class: Class::Pinned,
            location: Location::Device(0),
            handle_types: 0,
            max_size: 0,
            decompress: false,
        }
    }

    fn stream(context: &Arc<Context>) -> Arc<Stream> {
        Stream::create(context, StreamKind::NonBlocking, 0, 0).unwrap()
    }

    /// Holds a stream until the flag is set.
    fn hold(stream: &Arc<Stream>) -> Arc<AtomicBool> {
        let open = Arc::new(AtomicBool::new(false));
        let seen = open.clone();
        stream.submit(Work::Host(HostCall::new((0, 0), move || {
            while !seen.load(Ordering::Acquire) {
                std::thread::yield_now();
            }
        })));
        open
    }

    #[test]
    fn only_the_stream_that_freed_memory_may_use_it_at_once() {
        let context = context();
        let (a, b) = (stream(&context), stream(&context));
        let pool = Pool::create(pinned()).unwrap();
        let first = pool.alloc(1 << 20, &a).unwrap();
        let open = hold(&a);
        free(first, &a).unwrap();
        let other = pool.alloc(1 << 20, &b).unwrap();
        assert_ne!(other, first);
        assert_eq!(pool.alloc(1 << 20, &a).unwrap(), first);
        open.store(true, Ordering::Release);
        a.synchronize().unwrap();
        for base in [first, other] {
            free(base, &a).unwrap();
            assert_eq!(free(base, &a), Err(Error::INVALID_VALUE));
        }
        Pool::destroy(pool.handle).unwrap();
        context.destroy();
    }

    #[test]
    fn memory_waits_for_the_work_that_the_legacy_stream_orders() {
        let context = context();
        let (blocking, other) = (Stream::create(&context, StreamKind::Blocking, 0, 0).unwrap(), stream(&context));
        let legacy = context.legacy_stream();
        let pool = Pool::create(pinned()).unwrap();
        // Used in one stream and freed in another one, whose work comes after that without a word.
        for (used, freed) in [(&blocking, legacy), (legacy, &blocking)] {
            let base = pool.alloc(1 << 20, used).unwrap();
            let open = hold(used);
            free(base, freed).unwrap();
            pool.trim(0).unwrap();
            assert_eq!(pool.attribute(Attribute::Reserved), Ok(SEGMENT as u64), "in use");
            let elsewhere = pool.alloc(1 << 20, &other).unwrap();
            assert_ne!(elsewhere, base);
            free(elsewhere, &other).unwrap();
            open.store(true, Ordering::Release);
            freed.synchronize().unwrap();
            pool.trim(0).unwrap();
            assert_eq!(pool.attribute(Attribute::Reserved), Ok(0));
        }
        Pool::destroy(pool.handle).unwrap();
        context.destroy();
    }

    /// Holds a stream until the word is 1: unlike host functions, such waits do not wait for each other.
    fn hold_by_word(stream: &Arc<Stream>) -> &'static AtomicU64 {
        let word: &AtomicU64 = Box::leak(Box::default());
        let address = std::ptr::from_ref(word) as usize;
        stream.submit(Work::WaitValue(WaitValue { address, value: 1, wide: true, condition: Condition::Geq }));
        word
    }

    #[test]
    fn neighbours_that_become_one_wait_for_the_later_point() {
        let context = context();
        let (a, b) = (stream(&context), stream(&context));
        let pool = Pool::create(pinned()).unwrap();
        let (x, y) = (pool.alloc(1 << 20, &a).unwrap(), pool.alloc(1 << 20, &a).unwrap());
        assert_eq!(y - x, 1 << 20);
        let (open_a, open_b) = (hold_by_word(&a), hold_by_word(&b));
        let early = a.tail();
        pool.take_back(&find(x).unwrap(), Fences::from_iter([a.tail(), b.tail()]), true).unwrap();
        let open_later = hold_by_word(&a);
        free(y, &a).unwrap();
        open_b.store(1, Ordering::Release);
        b.synchronize().unwrap();
        // Of the points of the first range one is left, of the stream that the second one waits for.
        pool.trim(0).unwrap();
        open_a.store(1, Ordering::Release);
        early.wait();
        pool.trim(0).unwrap();
        assert_eq!(pool.attribute(Attribute::Reserved), Ok(SEGMENT as u64), "the stream has not left the second one");
        open_later.store(1, Ordering::Release);
        a.synchronize().unwrap();
        pool.trim(0).unwrap();
        assert_eq!(pool.attribute(Attribute::Reserved), Ok(0));
        Pool::destroy(pool.handle).unwrap();
        context.destroy();
    }

    #[test]
    fn a_full_pool_waits_for_other_streams() {
        let context = context();
        let (a, b) = (stream(&context), stream(&context));
        let pool = Pool::create(Properties { max_size: SEGMENT, ..pinned() }).unwrap();
        let first = pool.alloc(SEGMENT, &a).unwrap();
        assert_eq!(pool.alloc(1, &b), Err(Error::OUT_OF_MEMORY));
        let open = hold(&a);
        free(first, &a).unwrap();
        pool.set_attribute(Attribute::InternalDependencies, 0).unwrap();
        assert_eq!(pool.alloc(SEGMENT, &b), Err(Error::OUT_OF_MEMORY));
        pool.set_attribute(Attribute::InternalDependencies, 1).unwrap();
        assert_eq!(pool.alloc(SEGMENT, &b).unwrap(), first);
        assert!(!b.is_idle(), "b waits for a");
        open.store(true, Ordering::Release);
        b.synchronize().unwrap();
        Pool::destroy(pool.handle).unwrap();
        free(first, &b).unwrap();
        context.destroy();
    }

    #[test]
    fn memory_goes_back_by_segments() {
        let context = context();
        let s = stream(&context);
        let pool = Pool::create(pinned()).unwrap();
        pool.set_attribute(Attribute::ReleaseThreshold, u64::MAX).unwrap();
        let reserved = || pool.attribute(Attribute::Reserved).unwrap() as usize / SEGMENT;
        let blocks: Vec<_> = (0..4).map(|_| pool.alloc(SEGMENT * 5 / 4, &s).unwrap()).collect();
        assert_eq!(reserved(), 5);
        for &base in &blocks[1..] {
            free(base, &s).unwrap();
        }
        s.synchronize().unwrap();
        assert_eq!(reserved(), 5);
        pool.trim(SEGMENT * 3 + 1).unwrap();
        assert_eq!(reserved(), 4);
        pool.trim(0).unwrap();
        assert_eq!(reserved(), 2);
        pool.set_attribute(Attribute::ReleaseThreshold, 0).unwrap();
        free(blocks[0], &s).unwrap();
        s.synchronize().unwrap();
        assert_eq!(reserved(), 0);
        assert_eq!(pool.attribute(Attribute::ReservedHigh).unwrap() as usize / SEGMENT, 5);
        let used = context.device.usage.bytes();
        let again = pool.alloc(3, &s).unwrap();
        assert!(context.device.usage.bytes() >= used.min(SEGMENT as u64));
        free(again, &s).unwrap();
        Pool::destroy(pool.handle).unwrap();
        context.destroy();
    }

    #[test]
    fn what_pools_keep_is_there_for_others() {
        let context = context();
        let s = stream(&context);
        let pool = Pool::create(pinned()).unwrap();
        pool.set_attribute(Attribute::ReleaseThreshold, u64::MAX).unwrap();
        // Most of the device, which other tests use a little of.
        let size = context.device.memory as usize / 4 * 3;
        let base = pool.alloc(size, &s).unwrap();
        free(base, &s).unwrap();
        s.synchronize().unwrap();
        let other = memory::alloc(&context, size).unwrap();
        memory::free(other.base).unwrap();
        assert!((pool.attribute(Attribute::Reserved).unwrap() as usize) < size);
        Pool::destroy(pool.handle).unwrap();
        context.destroy();
    }

    #[test]
    fn random_use_keeps_allocations_apart() {
        let context = context();
        let streams: Vec<_> = (0..3).map(|_| stream(&context)).collect();
        let pool = Pool::create(pinned()).unwrap();
        let mut live: Vec<(usize, usize)> = Vec::new();
        let mut x = 88172645463325252u64;
        for round in 0..3000 {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            let s = &streams[x as usize % 3];
            if live.len() > 60 || (x & 16 == 0 && !live.is_empty()) {
                let (base, _) = live.swap_remove((x >> 8) as usize % live.len());
                free(base, s).unwrap();
            } else {
                let size = 1 + (x >> 20) as usize % (3 << 20);
                let base = pool.alloc(size, s).unwrap();
                assert!(live.iter().all(|&(b, n)| base + size <= b || b + n <= base));
                live.push((base, size));
            }
            if round % 500 == 0 {
                streams.iter().for_each(|s| s.synchronize().unwrap());
            }
        }
        let used: usize = live.iter().map(|l| l.1).sum();
        assert_eq!(pool.attribute(Attribute::Used), Ok(used as u64));
        live.iter().for_each(|&(base, _)| free(base, &streams[0]).unwrap());
        Pool::destroy(pool.handle).unwrap();
        context.destroy();
    }
}
