//! Managed memory: host and devices share it.
//!
//! It is ordinary memory in the device's address space, which the program may touch directly, so nothing ever moves.
//! What the program says of it (advice, prefetches) is kept per page and told when asked.

use super::context::Context;
use super::location::{self, Location};
use super::memory::{self, Allocation, Kind, record, record_for_all};
use super::space::{Zone, space};
use super::stream::{Stream, Work};
use super::{Device, device, devices};
use crate::error::{Error, Result};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// Managed memory shares no chunk with other kinds. Its pages take up device memory only when they are there, so that
/// it may exceed what the device has.
fn zone(heap: u32) -> Zone {
    Zone { device: u32::MAX, class: memory::CLASS_MANAGED, heap }
}

/// What advice and prefetches count in.
const PAGE: usize = 4096;

/// `CU_MEM_ATTACH_GLOBAL`
pub const ATTACH_GLOBAL: u32 = 1;

/// Allocates managed memory: `size` bytes (not 0); `flags` are `CU_MEM_ATTACH_*`.
pub fn alloc(context: &Context, size: usize, flags: u32) -> Result<Arc<Allocation>> {
    super::capture::check_call()?;
    alloc_for_module(context, size, flags)
}

/// The same for a module's variables: modules are loaded during captures, too.
pub(super) fn alloc_for_module(context: &Context, size: usize, flags: u32) -> Result<Arc<Allocation>> {
    let make = |piece| record(context, piece, size, Kind::Managed(flags));
    context.owns(space()?.place(zone(context.id as u32), size, |_| Ok(()), make)?)
}

/// The same for what belongs to no context, as a library's variables.
pub(super) fn alloc_for_all(device: &Arc<Device>, size: usize) -> Result<Arc<Allocation>> {
    let kind = Kind::Managed(ATTACH_GLOBAL);
    space()?.place(zone(0), size, |_| Ok(()), |piece| record_for_all(device, piece, size, kind))
}

/// Who may use the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attachment {
    /// Everyone.
    Global,
    /// The host.
    Host,
    /// The host, and the stream that it was attached to.
    Single,
}

/// The managed allocation that holds `address..address + bytes`.
fn holding(address: usize, bytes: usize) -> Result<Arc<Allocation>> {
    let allocation = memory::find(address).ok_or(Error::INVALID_VALUE)?;
    let managed = matches!(allocation.kind, Kind::Managed(_));
    if !managed || bytes == 0 || bytes > allocation.base + allocation.size - address {
        return Err(Error::INVALID_VALUE);
    }
    Ok(allocation)
}

/// Changes who may use an allocation, in the stream's order. Only all of it can be attached: `bytes` is 0 or its size.
/// Host and devices here reach all memory at any time, so that nothing but the order depends on it.
pub fn attach(stream: &Arc<Stream>, address: usize, bytes: usize, _to: Attachment) -> Result<()> {
    let allocation = holding(address, bytes.max(1))?;
    if allocation.base != address || (bytes != 0 && bytes != allocation.size) {
        return Err(Error::INVALID_VALUE);
    }
    super::capture::check_call()?;
    stream.enqueue(Work::Task(Arc::new(|| Ok(()))))
}

/// How a program says that it will use memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advice {
    /// Mostly read, or not.
    ReadMostly(bool),
    /// Best kept at the location, or nowhere in particular.
    PreferredLocation(bool),
    /// Used from the location, or not.
    AccessedBy(bool),
}

/// What the program said of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Hints {
    read_mostly: bool,
    preferred: Option<Location>,
    /// Bits of device ordinals, and the host.
    accessing_devices: u64,
    accessing_host: bool,
    /// The last prefetch: where to, and the number that tells the place among its kind.
    prefetched: Option<(Location, i32)>,
}

/// Hints by page of the address space: each holds up to the next key, none is none.
///
/// Hints belong to pages, not to allocations, as on the real driver: small allocations share pages, and who gets a part of
/// a page gets what was said of it.
#[derive(Debug)]
struct Pages(BTreeMap<usize, Hints>);

static PAGES: Mutex<Pages> = Mutex::new(Pages::new());

impl Pages {
    const fn new() -> Self {
        Pages(BTreeMap::new())
    }

    fn split(&mut self, at: usize) {
        let hints = self.0.range(..=at).next_back().map_or_else(Hints::default, |(_, &hints)| hints);
        self.0.entry(at).or_insert(hints);
    }

    fn update(&mut self, pages: Range<usize>, change: impl Fn(&mut Hints)) {
        self.split(pages.start);
        self.split(pages.end);
        self.0.range_mut(pages.clone()).for_each(|(_, hints)| change(hints));
        // Neighbours that became equal are one again, so that many small updates leave no trail.
        let mut last = self.0.range(..pages.start).next_back().map_or_else(Hints::default, |(_, &hints)| hints);
        let keys: Vec<usize> = self.0.range(pages.start..=pages.end).map(|(&key, _)| key).collect();
        for key in keys {
            let hints = self.0.get(&key).copied().unwrap_or_default();
            if hints == last {
                self.0.remove(&key);
            }
            last = hints;
        }
    }

    fn within(&self, pages: Range<usize>) -> impl Iterator<Item = Hints> {
        let first = self.0.range(..=pages.start).next_back().map_or_else(Hints::default, |(_, &hints)| hints);
        std::iter::once(first).chain(self.0.range(pages.start + 1..pages.end.max(pages.start + 1)).map(|(_, &h)| h))
    }
}

/// The pages that a range of at least one byte touches.
fn pages_of(address: usize, bytes: usize) -> Range<usize> {
    address / PAGE..(address + bytes - 1) / PAGE + 1
}

/// Forgets what was said of all pages that a freed allocation touches, also for those who share them.
pub(super) fn freed(allocation: &Allocation) {
    let mut pages = PAGES.lock();
    if !pages.0.is_empty() {
        pages.update(pages_of(allocation.base, allocation.size), |hints| *hints = Hints::default());
    }
}

fn change(address: usize, bytes: usize, with: impl Fn(&mut Hints)) -> Result<()> {
    holding(address, bytes)?;
    PAGES.lock().update(pages_of(address, bytes), with);
    Ok(())
}

/// Checks that a place fits an advice; false when such advice has no effect, whatever it is about.
///
/// A place is looked at only as far as the advice has a use for it. Advice for a NUMA node is taken and forgotten, as on
/// the real driver, which does not even look at the range.
pub fn check_advice(advice: Advice, at: Location) -> Result<bool> {
    let exists = match at {
        Location::Device(ordinal) => device(ordinal).is_ok(),
        Location::HostNuma(node) => location::has_numa_node(node),
        Location::Host | Location::HostNumaCurrent => true,
        Location::Unknown => return Err(Error::INVALID_VALUE),
    };
    let numa = matches!(at, Location::HostNuma(_) | Location::HostNumaCurrent);
    match advice {
        Advice::PreferredLocation(true) if !exists => Err(Error::INVALID_VALUE),
        Advice::AccessedBy(_) if numa || !exists => Err(Error::INVALID_VALUE),
        _ => Ok(!numa),
    }
}

/// Notes what the program says of a range. The place was checked with [`check_advice`].
pub fn advise(address: usize, bytes: usize, advice: Advice, at: Location) -> Result<()> {
    change(address, bytes, |hints| match (advice, at) {
        (Advice::ReadMostly(on), _) => hints.read_mostly = on,
        (Advice::PreferredLocation(on), _) => hints.preferred = on.then_some(at),
        (Advice::AccessedBy(true), Location::Device(ordinal)) => hints.accessing_devices |= 1 << (ordinal & 63),
        (Advice::AccessedBy(false), Location::Device(ordinal)) => hints.accessing_devices &= !(1 << (ordinal & 63)),
        (Advice::AccessedBy(on), _) => hints.accessing_host = on,
    })
}

/// Checks that memory can be sent to a place.
pub fn check_destination(to: Location) -> Result<()> {
    match to {
        Location::Device(ordinal) => device(ordinal).map(drop),
        Location::HostNuma(node) if !location::has_numa_node(node) => Err(Error::INVALID_VALUE),
        Location::Unknown => Err(Error::INVALID_VALUE),
        _ => Ok(()),
    }
}

/// One range of a prefetch: address, bytes, where to, and the number that tells the place among its kind.
pub type Prefetch = (usize, usize, Location, i32);

/// Sends ranges to places, in the stream's order: nothing is far away here, so only the places are noted.
pub fn prefetch(stream: &Arc<Stream>, ranges: Vec<Prefetch>) -> Result<()> {
    for &(address, bytes, to, _) in &ranges {
        check_destination(to)?;
        holding(address, bytes)?;
    }
    let task = move || {
        for &(address, bytes, to, id) in &ranges {
            // Memory that was freed meanwhile has no pages to note anything for.
            let _ = change(address, bytes, |hints| hints.prefetched = Some((to, id)));
        }
        Ok(())
    };
    stream.enqueue(Work::Task(Arc::new(task)))
}

/// Declares the contents of ranges void, in the stream's order: pages that lie inside are given back.
pub fn discard(stream: &Arc<Stream>, ranges: Vec<(usize, usize)>) -> Result<()> {
    for &(address, bytes) in &ranges {
        holding(address, bytes)?;
    }
    let task = move || {
        for &(address, bytes) in &ranges {
            if holding(address, bytes).is_ok() {
                let (start, end) = (address.next_multiple_of(PAGE), (address + bytes) / PAGE * PAGE);
                if start < end {
                    // SAFETY: whole pages of memory of ours whose contents the program gave up.
                    unsafe { libc::madvise(start as *mut _, end - start, libc::MADV_DONTNEED) };
                }
            }
        }
        Ok(())
    };
    stream.enqueue(Work::Task(Arc::new(task)))
}

/// What the hints of all pages of a range agree on; parts on which they differ are as if nothing was said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// All of it is mostly read.
    pub read_mostly: bool,
    /// Where all of it is best kept.
    pub preferred: Option<Location>,
    /// Who uses all of it.
    pub accessed_by: Vec<Location>,
    /// Where all of it was sent last, with the number that tells the place among its kind.
    pub prefetched: Option<(Location, i32)>,
}

/// What was said of a range.
pub fn summary(address: usize, bytes: usize) -> Result<Summary> {
    holding(address, bytes)?;
    let all = PAGES.lock();
    let mut pages = all.within(pages_of(address, bytes));
    let Some(mut common) = pages.next() else {
        return Ok(Summary::default());
    };
    for hints in pages {
        common.read_mostly &= hints.read_mostly;
        common.accessing_devices &= hints.accessing_devices;
        common.accessing_host &= hints.accessing_host;
        common.preferred = common.preferred.filter(|_| common.preferred == hints.preferred);
        common.prefetched = common.prefetched.filter(|_| common.prefetched == hints.prefetched);
    }
    let uses = |ordinal: &i32| common.accessing_devices >> (ordinal & 63) & 1 != 0;
    let users = (0..devices().len() as i32).filter(uses).map(Location::Device);
    let host = common.accessing_host.then_some(Location::Host);
    Ok(Summary {
        read_mostly: common.read_mostly,
        preferred: common.preferred,
        accessed_by: users.chain(host).collect(),
        prefetched: common.prefetched,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_are_kept_by_page_and_join_again() {
        let mut pages = Pages::new();
        let read = |pages: &Pages, range: Range<usize>| pages.within(range).all(|h| h.read_mostly);
        pages.update(2..5, |h| h.read_mostly = true);
        assert!(read(&pages, 2..5) && read(&pages, 4..5));
        assert!(!read(&pages, 1..3) && !read(&pages, 4..6) && !read(&pages, 0..1) && !read(&pages, 5..9));
        pages.update(5..7, |h| h.read_mostly = true);
        assert!(read(&pages, 2..7));
        assert_eq!(pages.0.len(), 2, "joined");
        pages.update(0..9, |h| h.read_mostly = false);
        assert!(pages.0.is_empty());
        for page in (0..100).step_by(2) {
            pages.update(page..page + 1, |h| h.accessing_devices = 1);
        }
        assert_eq!(pages.0.len(), 100);
        pages.update(0..100, |h| *h = Hints::default());
        assert!(pages.0.is_empty());
    }
}
