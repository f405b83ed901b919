//! Memory that graphs allocate: the address is known when the node is made, memory is there while the graph runs or
//! until it is freed.

use crate::base::devices::Device;
use crate::base::usage::{Charge, Purpose};
use crate::memory::observer;
use crate::memory::space;
use crate::memory::{self, MemoryKind};
use crate::space::{CHUNK, GRANULE, Piece};
use crate::stream::context;
use error::{Error, Result, refuse, refuse_if};
use guard::mapping::{self, Rights};
use parking_lot::Mutex;
use std::any::Any;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Weak};

/// Memory for graphs is taken from the device in pieces of this size.
const BLOCK: usize = 32 << 20;

/// What an allocation node allocates, every time it runs.
pub struct GraphAllocation {
    /// First address.
    pub address: usize,
    /// Bytes that the program asked for.
    pub size: usize,
    /// The program's description of it.
    pub given: Option<Arc<dyn Any + Send + Sync>>,
    /// Made by a capture that is still on: the capture may use the address.
    pub captured: AtomicBool,
    span: usize,
    device: Arc<Device>,
    reserved: Arc<memory::Allocation>,
    context_handle: usize,
    /// A launch left it allocated: the program has to free it.
    claimed: AtomicBool,
    /// The number of its graph.
    graph: AtomicU32,
    /// Its graph does not free it, and cannot any more: see [`GraphAllocation::outlast`].
    lasting: AtomicBool,
    /// What its memory counts as, while it is there.
    live: Mutex<Option<Part>>,
}

static ALLOCATIONS: Mutex<BTreeMap<usize, Weak<GraphAllocation>>> = Mutex::new(BTreeMap::new());
/// Those that must outlive their graph, because the program has not freed them.
static CLAIMED: Mutex<BTreeMap<usize, Arc<GraphAllocation>>> = Mutex::new(BTreeMap::new());

impl GraphAllocation {
    /// Reserves addresses for `size` bytes (not 0); there is no memory yet.
    pub fn create(
        device: &Arc<Device>,
        context_handle: usize,
        size: usize,
        given: Option<Arc<dyn Any + Send + Sync>>,
        captured: bool,
    ) -> Result<Arc<GraphAllocation>> {
        refuse_if!(
            Error::OUT_OF_MEMORY,
            size as u64 > device.memory_for_programs().min(device.memory),
            "bytesize {} is more than the memory of the device",
            size
        );
        let span = size.next_multiple_of(CHUNK);
        // The device's, not a context's: ending a context does not free it.
        let record = |piece| {
            memory::Allocation::builder(device, piece, size, MemoryKind::Reserved).made_in(context_handle).build()
        };
        let reserved = space()?.reserve_among_pools(span, record)?;
        let allocation = Arc::new(GraphAllocation {
            address: reserved.base,
            size,
            given,
            captured: AtomicBool::new(captured),
            span,
            device: device.clone(),
            reserved,
            context_handle,
            claimed: AtomicBool::new(false),
            graph: AtomicU32::new(0),
            lasting: AtomicBool::new(false),
            live: Mutex::new(None),
        });
        let weak = Arc::downgrade(&allocation);
        allocation.reserved.extra.lock().graph = Some(weak);
        ALLOCATIONS.lock().insert(allocation.address, Arc::downgrade(&allocation));
        Ok(allocation)
    }

    /// The allocation that begins at an address.
    pub fn find(address: usize) -> Option<Arc<GraphAllocation>> {
        ALLOCATIONS.lock().get(&address)?.upgrade()
    }

    /// Provides the memory, when the graph comes to its node.
    pub fn publish(&self) -> Result<()> {
        self.provide(Until::Run)
    }

    fn provide(&self, until: Until) -> Result<()> {
        let mut live = self.live.lock();
        if live.is_some() {
            return Ok(());
        }
        let part = (self.graph.load(Ordering::Acquire), until);
        account(&self.device, |a| a.add(&self.device, part, self.counted()))?;
        let space = space()?;
        // SAFETY: whole pages of a part of our reservation that this allocation owns.
        let opened = unsafe { mapping::protect(self.address, self.span, Rights::ReadWrite) };
        if !opened {
            self.count_off(part);
            return Err(refuse!(Error::OUT_OF_MEMORY, "bytesize {}: the host has no memory", self.span));
        }
        let piece = Piece { base: self.address, span: self.span };
        let new =
            memory::Allocation::builder(&self.device, piece, self.size, MemoryKind::Pool).made_in(self.context_handle);
        space.exchange(self.address, self.size, new.build_like(&self.reserved));
        *live = Some(part);
        Ok(())
    }

    /// Releases the memory; the addresses stay reserved.
    pub fn retract(&self) {
        self.claimed.store(false, Ordering::Release);
        let mut live = self.live.lock();
        let Some(part) = live.take() else { return };
        if let Some(allocation) = memory::find(self.address) {
            observer::freed(&allocation, &Vec::new);
        }
        if let Ok(space) = space() {
            space.exchange(self.address, self.span, self.reserved.clone());
            space.unmap(self.address, self.span);
        }
        self.count_off(part);
    }

    /// Notes the graph that it belongs to.
    pub fn belong(&self, graph: u32) {
        self.graph.store(graph, Ordering::Release);
    }

    /// The size that is counted: the real driver packs the allocations of a graph.
    fn counted(&self) -> usize {
        self.size.next_multiple_of(GRANULE)
    }

    fn count_off(&self, part: Part) {
        account(&self.device, |a| a.remove(part, self.counted()));
    }

    /// Notes that its graph can no longer free it: it was made executable, or another graph frees it.
    pub fn outlast(&self) {
        self.lasting.store(true, Ordering::Release);
    }

    /// True after [`GraphAllocation::outlast`].
    pub fn is_lasting(&self) -> bool {
        self.lasting.load(Ordering::Acquire)
    }

    /// True while a launch's memory waits for the program to free it.
    pub fn is_claimed(&self) -> bool {
        self.claimed.load(Ordering::Acquire)
    }

    /// For an allocation that its own graph does not free: there from now on, until the program frees it.
    pub fn claim(self: &Arc<Self>) -> Result<()> {
        self.provide(Until::Freed)?;
        self.claimed.store(true, Ordering::Release);
        CLAIMED.lock().insert(self.address, self.clone());
        Ok(())
    }

    /// The device of memory at an address that may be used before it is there: for a node that is being added, or for a capture
    /// that allocated it itself.
    pub fn promised(&self, address: usize, bytes: usize) -> Option<u32> {
        let left = (self.address + self.size).checked_sub(address)?;
        let promised = TRUSTING.get() || self.captured.load(Ordering::Acquire);
        (bytes <= left && promised).then_some(self.device.ordinal)
    }

    /// Frees it if the program has to, once all work of its device is complete. False where it does not have to.
    pub fn free_claimed(&self) -> bool {
        let Some(allocation) = CLAIMED.lock().remove(&self.address) else {
            return false;
        };
        let contexts = context::CONTEXTS.all();
        contexts.iter().filter(|c| Arc::ptr_eq(&c.device, &allocation.device)).for_each(|c| c.group.wait_idle());
        allocation.retract();
        true
    }

    /// The program's side of freeing it is done; the memory goes with [`GraphAllocation::retract`].
    pub fn disclaim(&self) {
        self.claimed.store(false, Ordering::Release);
        let last = CLAIMED.lock().remove(&self.address);
        drop(last);
    }
}

impl Drop for GraphAllocation {
    fn drop(&mut self) {
        self.retract();
        ALLOCATIONS.lock().remove(&self.address);
        if let Ok(space) = space() {
            space.remove(self.address);
        }
    }
}

thread_local! {
    static TRUSTING: Cell<bool> = const { Cell::new(false) };
}

/// Runs checks of what a node of a graph is going to use: memory of graph allocations counts as being there.
pub fn trusting<R>(f: impl FnOnce() -> R) -> R {
    let before = TRUSTING.replace(true);
    let result = f();
    TRUSTING.set(before);
    result
}

/// Memory that a device keeps for graphs, in bytes. Graphs share no block, as far as they are in use at the same time.
#[derive(Clone, Debug, Default)]
pub struct Counters {
    /// In use, and the most since the last reset.
    pub used: usize,
    pub used_high: usize,
    /// Taken from the device, and the most since the last reset.
    pub reserved: usize,
    pub reserved_high: usize,
}

/// How long memory of a graph stays.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Until {
    /// The graph frees it itself.
    Run,
    /// The program has to free it.
    Freed,
}

/// Memory of a graph, by its number, that stays so long.
type Part = (u32, Until);

/// What the memory that a device keeps for graphs counts as.
struct Account {
    /// Bytes that are there.
    live: BTreeMap<Part, usize>,
    /// Launches that are not complete, of graphs that free memory themselves, by stream and graph.
    launches: BTreeMap<(usize, u32), Pending>,
    charge: Charge,
    counters: Counters,
}

static ACCOUNTS: Mutex<BTreeMap<u32, Account>> = Mutex::new(BTreeMap::new());

fn account<R>(device: &Device, f: impl FnOnce(&mut Account) -> R) -> R {
    let none = || Account {
        live: BTreeMap::new(),
        launches: BTreeMap::new(),
        charge: Charge::none(device.usage, Purpose::Graphs),
        counters: Counters::default(),
    };
    f(ACCOUNTS.lock().entry(device.ordinal).or_insert_with(none))
}

/// Reads or changes a device's counters.
pub fn counters<R>(device: &Device, f: impl FnOnce(&mut Counters) -> R) -> R {
    account(device, |a| f(&mut a.counters))
}

impl Account {
    /// Whole blocks for every graph. Launches that follow each other in a stream share theirs: what the largest needs is there from
    /// when it is launched on.
    fn needed(&self) -> usize {
        let mut bytes: BTreeMap<u32, usize> = BTreeMap::new();
        // The graph that needs most, by stream.
        let mut largest: BTreeMap<usize, (usize, u32)> = BTreeMap::new();
        for (&(stream, graph), launch) in &self.launches {
            let most = largest.entry(stream).or_default();
            *most = (launch.bytes, graph).max(*most);
        }
        // A graph has one set of addresses, in whatever streams it waits.
        for (most, graph) in largest.into_values() {
            let bytes = bytes.entry(graph).or_default();
            *bytes = most.max(*bytes);
        }
        for (&(graph, until), &live) in &self.live {
            if until == Until::Freed || !self.launches.keys().any(|&(_, launched)| launched == graph) {
                *bytes.entry(graph).or_default() += live;
            }
        }
        bytes.values().map(|bytes| bytes.next_multiple_of(BLOCK)).sum()
    }

    fn add(&mut self, device: &Device, part: Part, bytes: usize) -> Result<()> {
        *self.live.entry(part).or_default() += bytes;
        self.cover(device).inspect_err(|_| self.remove(part, bytes))
    }

    fn remove(&mut self, part: Part, bytes: usize) {
        if let Some(live) = self.live.get_mut(&part) {
            *live -= bytes;
            if *live == 0 {
                self.live.remove(&part);
            }
        }
    }

    /// Takes from the device what is needed beyond what is there.
    fn cover(&mut self, device: &Device) -> Result<()> {
        let needed = self.needed();
        if needed > self.charge.bytes() {
            self.charge.grow(needed - self.charge.bytes(), device.memory_for_programs())?;
        }
        let c = &mut self.counters;
        c.reserved = self.charge.bytes();
        c.used = c.used.max(needed);
        c.used_high = c.used_high.max(c.used);
        c.reserved_high = c.reserved_high.max(c.reserved);
        Ok(())
    }
}

/// Launches of a graph in a stream that are not complete.
#[derive(Default)]
struct Pending {
    /// The most that the graph has at once, of what it frees itself.
    bytes: usize,
    launches: usize,
}

/// Memory that a launch has been promised, from its call until the work is complete: the real driver provides it with the call.
pub struct Promise {
    device: Arc<Device>,
    stream: usize,
    graph: u32,
    kept: AtomicBool,
}

impl Promise {
    /// For memory that a launch in this stream (a number of its own) allocates and frees, in the order of its steps, `true` where it
    /// allocates. One for each device.
    ///
    /// Errors: [`Error::OUT_OF_MEMORY`].
    pub fn make(steps: &[(bool, Arc<GraphAllocation>)], stream: usize) -> Result<Vec<Promise>> {
        let mut promises: Vec<Promise> = Vec::new();
        for (_, first) in steps {
            let device = &first.device;
            if promises.iter().any(|promise| Arc::ptr_eq(&promise.device, device)) {
                continue;
            }
            let (mut now, mut most) = (0, 0);
            for (allocates, allocation) in steps.iter().filter(|(_, a)| Arc::ptr_eq(&a.device, device)) {
                now = if *allocates { now + allocation.counted() } else { now.saturating_sub(allocation.counted()) };
                most = now.max(most);
            }
            let graph = first.graph.load(Ordering::Acquire);
            let covered = account(device, |a| {
                let pending = a.launches.entry((stream, graph)).or_default();
                pending.bytes = most.max(pending.bytes);
                pending.launches += 1;
                a.cover(device)
            });
            // One that cannot be kept is taken back as any other.
            promises.push(Promise { device: device.clone(), stream, graph, kept: AtomicBool::new(false) });
            covered?;
        }
        Ok(promises)
    }

    /// The work is complete. Dropping it does the same.
    pub fn release(&self) {
        if self.kept.swap(true, Ordering::AcqRel) {
            return;
        }
        account(&self.device, |a| {
            let of = (self.stream, self.graph);
            if let Some(pending) = a.launches.get_mut(&of) {
                pending.launches -= 1;
                if pending.launches == 0 {
                    a.launches.remove(&of);
                }
            }
        });
    }
}

impl Drop for Promise {
    fn drop(&mut self) {
        self.release();
    }
}

/// Gives back the unused memory that a device keeps for graphs.
pub fn trim(device: &Device) {
    account(device, |a| {
        let needed = a.needed();
        a.charge.shrink_to(needed);
        a.counters.reserved = a.charge.bytes();
        a.counters.used = a.counters.used.min(needed);
    });
}
