//! Records of freed memory, so that a use of it can be reported as such.
//!
//! Addresses of freed memory are not reused for a while ([`hold`]): what a kernel still does there would
//! look right otherwise. Memory of pools is reused as usual.

use crate::base::trace::{self, Trace};
use crate::memory::{self, Allocation, MemoryKind};
use crate::stream::Fence;
use parking_lot::Mutex;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// Frees that are remembered.
const MOST: usize = 1 << 14;
/// Bytes that are held back in all, and of one allocation; and how many allocations.
const HELD: usize = 256 << 20;
const LARGEST: usize = HELD / 4;
const HELD_COUNT: usize = 1 << 14;

/// Memory that was freed.
#[derive(Clone)]
pub struct Freed {
    pub base: usize,
    pub size: usize,
    pub kind: MemoryKind,
    pub made: Option<Arc<Trace>>,
    pub freed: Option<Arc<Trace>>,
    serial: u64,
    /// Kernels may use it until one of these points is reached.
    until: Vec<Fence>,
}

impl Freed {
    fn holds(&self, address: usize, bytes: usize) -> bool {
        let offset = address.wrapping_sub(self.base);
        offset < self.size && bytes <= self.size - offset
    }

    fn is_pending(&self) -> bool {
        self.until.iter().any(|fence| !fence.is_complete())
    }
}

#[derive(Default)]
struct Records {
    by_base: BTreeMap<usize, Freed>,
    order: VecDeque<(usize, u64)>,
    serial: u64,
    /// First addresses of memory with points to wait for.
    pending: Vec<usize>,
}

static RECORDS: Mutex<Records> =
    Mutex::new(Records { by_base: BTreeMap::new(), order: VecDeque::new(), serial: 0, pending: Vec::new() });

impl Records {
    /// Records that overlap a range. Those that are not pending do not overlap each other.
    fn overlapping(&self, base: usize, end: usize) -> Vec<usize> {
        let before = self.by_base.range(..base).next_back().filter(|(_, p)| p.base + p.size > base);
        before.into_iter().chain(self.by_base.range(base..end)).map(|(&base, _)| base).collect()
    }

    /// Drops the points that streams have reached.
    fn drop_reached(&mut self) {
        let mut pending = core::mem::take(&mut self.pending);
        pending.retain(|base| match self.by_base.get_mut(base) {
            Some(freed) if freed.is_pending() => true,
            Some(freed) => {
                freed.until.clear();
                false
            }
            None => false,
        });
        self.pending = pending;
    }

    fn forget(&mut self, base: usize, end: usize) {
        for base in self.overlapping(base, end) {
            if self.by_base.get(&base).is_some_and(|freed| !freed.is_pending()) {
                self.by_base.remove(&base);
            }
        }
    }
}

/// Records memory that is about to be freed.
pub fn enter(allocation: &Allocation, until: Vec<Fence>) {
    let mut records = RECORDS.lock();
    records.drop_reached();
    records.forget(allocation.base, allocation.base + allocation.size);
    records.serial += 1;
    let serial = records.serial;
    let freed = Freed {
        base: allocation.base,
        size: allocation.size,
        kind: allocation.kind.clone(),
        made: allocation.made.clone(),
        freed: trace::here(),
        serial,
        until,
    };
    if !freed.until.is_empty() {
        records.pending.push(freed.base);
    }
    records.order.push_back((freed.base, serial));
    records.by_base.insert(freed.base, freed);
    while records.order.len() > MOST {
        if let Some((base, serial)) = records.order.pop_front()
            && records.by_base.get(&base).is_some_and(|freed| freed.serial == serial)
        {
            records.by_base.remove(&base);
        }
    }
}

/// Drops the records of addresses that are allocated again.
pub fn forget(base: usize, bytes: usize) {
    RECORDS.lock().forget(base, base.saturating_add(bytes));
}

/// The freed memory that holds an address.
pub fn find(address: usize) -> Option<Freed> {
    let records = RECORDS.lock();
    let (_, freed) = records.by_base.range(..=address).next_back()?;
    freed.holds(address, 1).then(|| freed.clone())
}

/// Whether the bytes were freed in stream order, and the kernel that runs now may still come before the free.
pub fn is_pending(address: usize, bytes: usize) -> bool {
    let mut records = RECORDS.lock();
    records.drop_reached();
    records.pending.iter().filter_map(|base| records.by_base.get(base)).any(|freed| freed.holds(address, bytes))
}

#[derive(Default)]
struct Held {
    queue: VecDeque<Arc<Allocation>>,
    bytes: usize,
}

static HELD_BACK: Mutex<Held> = Mutex::new(Held { queue: VecDeque::new(), bytes: 0 });

/// True when the addresses of this memory are to be held back after it is freed.
#[inline]
pub fn delays(allocation: &Allocation) -> bool {
    allocation.span <= LARGEST
}

/// Holds the addresses of freed memory back, and releases the oldest ones. The address space must not be locked.
pub fn hold(allocation: &Arc<Allocation>) {
    let mut gone = Vec::new();
    {
        let mut held = HELD_BACK.lock();
        held.bytes += allocation.span;
        held.queue.push_back(allocation.clone());
        while held.bytes > HELD || held.queue.len() > HELD_COUNT {
            let Some(oldest) = held.queue.pop_front() else { break };
            held.bytes -= oldest.span;
            gone.push(oldest);
        }
    }
    gone.iter().for_each(memory::release);
}

/// Releases all addresses because memory is short. The address space must not be locked.
pub fn relieve() {
    let held = core::mem::take(&mut *HELD_BACK.lock());
    held.queue.iter().for_each(memory::release);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::context;

    #[test]
    fn freed_memory_is_recorded_until_its_addresses_are_allocated_again() {
        let context = context();
        let a = memory::alloc(&context, 1000).unwrap();
        enter(&a, Vec::new());
        let found = find(a.base + 999).unwrap();
        assert_eq!((found.base, found.size, &found.kind), (a.base, 1000, &MemoryKind::Device));
        assert!(find(a.base + 1000).is_none());
        assert!(!is_pending(a.base, 4), "no stream to wait for");
        forget(a.base + 512, 512);
        assert!(find(a.base).is_none());
        memory::free(a.base).unwrap();
        context.destroy();
    }

    #[test]
    fn memory_freed_in_stream_order_may_be_used_until_the_stream_gets_there() {
        use crate::stream::{HostCall, Stream, StreamKind, Work};
        use std::sync::atomic::{AtomicBool, Ordering};
        let context = context();
        let stream = Stream::create(&context, StreamKind::NonBlocking, 0, 0).unwrap();
        let a = memory::alloc(&context, 1000).unwrap();
        let open = Arc::new(AtomicBool::new(false));
        let seen = open.clone();
        stream.submit(Work::Host(HostCall::new((0, 0), move || {
            while !seen.load(Ordering::Acquire) {
                std::thread::yield_now();
            }
        })));
        enter(&a, vec![stream.tail()]);
        assert!(is_pending(a.base, 1000) && !is_pending(a.base + 1, 1000));
        forget(a.base, 1000);
        assert!(is_pending(a.base, 1000), "others may have its addresses before");
        open.store(true, Ordering::Release);
        context.group.wait_idle();
        assert!(!is_pending(a.base, 1000));
        assert!(find(a.base).is_some());
        memory::free(a.base).unwrap();
        context.destroy();
    }
}
