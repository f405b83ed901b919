//! Managed memory: host and devices share it.
//!
//! It is ordinary memory in the device's address space, which the program may touch directly, so nothing ever moves.
//! What the program says of it (advice, prefetches) is kept per page and told when asked.

use crate::base::devices::{Device, device, devices};
use crate::base::location;
use crate::base::location::Location;
use crate::memory::allocation::{Allocation, MemoryKind};
use crate::memory::builder::record;
use crate::memory::lookup::{CLASS_MANAGED, find, space};
use crate::space::Zone;
use crate::stream::context::Context;
use crate::stream::{Stream, Work};
use error::{Error, Result, refuse, refuse_if};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// Managed memory shares no chunk with other kinds. Its pages take up device memory only when they are there, so that
/// it may exceed what the device has.
fn zone(heap: u32) -> Zone {
    Zone { device: u32::MAX, class: CLASS_MANAGED, heap }
}

/// What advice and prefetches count in.
const PAGE: usize = 4096;

/// `CU_MEM_ATTACH_GLOBAL`
pub const ATTACH_GLOBAL: u32 = 1;

/// Allocates managed memory: `size` bytes (not 0); `flags` are `CU_MEM_ATTACH_*`.
pub fn alloc(context: &Context, size: usize, flags: u32) -> Result<Arc<Allocation>> {
    crate::stream::capture::check_call()?;
    alloc_for_module(context, size, flags)
}

/// The same for a module's variables: modules are loaded during captures, too.
pub fn alloc_for_module(context: &Context, size: usize, flags: u32) -> Result<Arc<Allocation>> {
    let make = |piece| record(context, piece, size, MemoryKind::Managed(flags));
    context.owns(space()?.place(zone(context.id as u32), size, |_| Ok(None), make)?)
}

/// The same for what belongs to no context, as a library's variables.
pub fn alloc_for_all(device: &Arc<Device>, size: usize) -> Result<Arc<Allocation>> {
    let kind = MemoryKind::Managed(ATTACH_GLOBAL);
    space()?.place(zone(0), size, |_| Ok(None), |piece| Allocation::builder(device, piece, size, kind).build())
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
    let allocation =
        find(address).ok_or_else(|| refuse!(Error::INVALID_VALUE, "_ {:#x} is not managed memory", address))?;
    let managed = matches!(allocation.kind, MemoryKind::Managed(_));
    refuse_if!(Error::INVALID_VALUE, !managed, "_ {:#x} is not managed memory", address);
    refuse_if!(Error::INVALID_VALUE, bytes == 0, "count is 0");
    refuse_if!(
        Error::INVALID_VALUE,
        bytes > allocation.base + allocation.size - address,
        "count {} goes beyond the end of the allocation from {:#x}, which has {} bytes there",
        bytes,
        address,
        allocation.base + allocation.size - address
    );
    Ok(allocation)
}

/// Changes who may use an allocation, in the stream's order. Only all of it can be attached: `bytes` is 0 or its size.
/// Host and devices here reach all memory at any time, so that nothing but the order depends on it.
pub fn attach(stream: &Arc<Stream>, address: usize, bytes: usize, _to: Attachment) -> Result<()> {
    let allocation = holding(address, bytes.max(1))?;
    refuse_if!(
        Error::INVALID_VALUE,
        allocation.base != address,
        "dptr {:#x} is not the beginning of the allocation, which is {:#x}",
        address,
        allocation.base
    );
    refuse_if!(
        Error::INVALID_VALUE,
        bytes != 0 && bytes != allocation.size,
        "length {} is neither 0 nor the size of the allocation {}",
        bytes,
        allocation.size
    );
    crate::stream::capture::check_call()?;
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

/// Hints by page of the address space, as pieces of pages that were told the same: first page, end, hints. Pages without
/// hints are in no piece.
///
/// Hints belong to pages, not to allocations, as on the real driver: small allocations share pages, and who gets a part of
/// a page gets what was said of it.
///
/// The real driver walks over the pieces that a range touches and ends when the pieces it has met are as long as the range.
/// It counts them whole, also what lies outside of the range. So the walk can end early: the last pages of a range keep
/// what was said before, and are not asked. Recorded answers show that, so it is done alike here.
#[derive(Debug)]
struct Pages(BTreeMap<usize, (usize, Hints)>);

static PAGES: Mutex<Pages> = Mutex::new(Pages::new());

impl Pages {
    const fn new() -> Self {
        Pages(BTreeMap::new())
    }

    /// The piece that holds a page.
    fn holding(&self, page: usize) -> Option<(usize, usize, Hints)> {
        let (&start, &(end, hints)) = self.0.range(..=page).next_back()?;
        (page < end).then_some((start, end, hints))
    }

    /// Makes a page the first of its piece; what lies before it in the piece.
    fn split(&mut self, at: usize) -> usize {
        match self.holding(at) {
            Some((start, end, hints)) if start < at => {
                self.0.insert(start, (at, hints));
                self.0.insert(at, (end, hints));
                at - start
            }
            _ => 0,
        }
    }

    /// Makes one piece of the two that meet at a page if they were told the same; how long the second is then.
    fn join(&mut self, at: usize) -> usize {
        let Some(&(end, hints)) = self.0.get(&at) else { return 0 };
        match at.checked_sub(1).and_then(|page| self.holding(page)) {
            Some((start, _, before)) if before == hints => {
                self.0.remove(&at);
                self.0.insert(start, (end, hints));
                end - start
            }
            _ => end - at,
        }
    }

    fn update(&mut self, pages: Range<usize>, change: impl Fn(&mut Hints)) {
        let mut seen = self.split(pages.start);
        let mut at = pages.start;
        loop {
            self.split(pages.end);
            let (end, mut hints) = match self.0.remove(&at) {
                Some(piece) => piece,
                None => (self.0.range(at..pages.end).next().map_or(pages.end, |(&next, _)| next), Hints::default()),
            };
            change(&mut hints);
            if hints == Hints::default() {
                seen += end - at;
            } else {
                self.0.insert(at, (end, hints));
                seen += self.join(at);
            }
            at = end;
            if seen >= pages.len() || at >= pages.end {
                break;
            }
        }
        for page in [pages.start, at, pages.end] {
            self.join(page);
        }
    }

    fn clear(&mut self, pages: Range<usize>) {
        self.split(pages.start);
        self.split(pages.end);
        while let Some((&start, _)) = self.0.range(pages.clone()).next() {
            self.0.remove(&start);
        }
    }

    /// The hints of the pieces that a walk over some pages meets, with none for pages in no piece.
    fn within(&self, pages: Range<usize>) -> Vec<Hints> {
        let Some((first, ..)) = self.holding(pages.start) else { return vec![Hints::default()] };
        let (mut met, mut at) = (Vec::new(), first);
        for (&start, &(end, hints)) in self.0.range(first..) {
            if start != at {
                break;
            }
            met.push(hints);
            at = end;
            if at - first >= pages.len() {
                return met;
            }
        }
        met.push(Hints::default());
        met
    }
}

/// The pages that a range of at least one byte touches.
fn pages_of(address: usize, bytes: usize) -> Range<usize> {
    address / PAGE..(address + bytes - 1) / PAGE + 1
}

/// Forgets what was said of all pages that a freed allocation touches, also for those who share them.
pub fn freed(allocation: &Allocation) {
    let mut pages = PAGES.lock();
    if !pages.0.is_empty() {
        pages.clear(pages_of(allocation.base, allocation.size));
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
        Location::Unknown => return Err(refuse!(Error::INVALID_VALUE, "location.type is not a location")),
    };
    let numa = matches!(at, Location::HostNuma(_) | Location::HostNumaCurrent);
    match advice {
        Advice::PreferredLocation(true) if !exists => {
            Err(refuse!(Error::INVALID_VALUE, "location {:?} does not exist", at))
        }
        Advice::AccessedBy(_) if numa || !exists => Err(refuse!(
            Error::INVALID_VALUE,
            "location {:?} does not exist or is a NUMA node, which this advice cannot name",
            at
        )),
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
        Location::HostNuma(node) if !location::has_numa_node(node) => {
            Err(refuse!(Error::INVALID_VALUE, "location: there is no NUMA node {}", node))
        }
        Location::Unknown => Err(refuse!(Error::INVALID_VALUE, "location.type is not a location")),
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
                    unsafe { guard::mapping::discard(start, end - start) };
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
    let mut pages = PAGES.lock().within(pages_of(address, bytes)).into_iter();
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

/// Where the pages of a range are, asked at points `sampling` bytes apart (0: as suits), for each piece of `summary` bytes
/// the place that most of them are at: where they were sent last, or the host if they have memory; `None` is nowhere.
/// The range is managed memory, or of the program's own that is not registered.
pub fn locations(
    address: usize,
    bytes: usize,
    summary: usize,
    sampling: usize,
    mut tell: impl FnMut(usize, Option<Location>) -> Result<()>,
) -> Result<()> {
    /// As the device asks for itself.
    const USUAL: usize = 2 << 20;
    refuse_if!(
        Error::INVALID_VALUE,
        summary == 0 || summary > bytes,
        "summaryGranularity {} is 0 or more than size {}",
        summary,
        bytes
    );
    refuse_if!(
        Error::INVALID_VALUE,
        sampling > summary,
        "samplingGranularity {} is more than summaryGranularity {}",
        sampling,
        summary
    );
    let end = address.checked_add(bytes);
    let end = end.ok_or_else(|| refuse!(Error::INVALID_VALUE, "size {} is too large", bytes))?;
    let ours = space()?.owns(address, bytes) || find(address).is_some();
    if ours {
        holding(address, bytes)?;
    }
    let step = match sampling {
        0 => USUAL.min(summary),
        // Points in one page say the same.
        other => other.max(PAGE.min(summary)),
    };
    for (index, first) in (address..end).step_by(summary).enumerate() {
        let mut found: Vec<(Option<Location>, usize)> = Vec::new();
        for point in (first..first.saturating_add(summary).min(end)).step_by(step) {
            let resident = guard::mapping::is_resident(point);
            let resident =
                resident.ok_or_else(|| refuse!(Error::INVALID_VALUE, "ptr: there is no memory at {:#x}", point))?;
            let sent = PAGES.lock().holding(point / PAGE).and_then(|(_, _, hints)| hints.prefetched);
            let place = match sent {
                Some((place, _)) if ours => Some(place),
                _ => resident.then_some(Location::Host),
            };
            match found.iter_mut().find(|(known, _)| *known == place) {
                Some((_, count)) => *count += 1,
                None => found.push((place, 1)),
            }
        }
        let most = found.into_iter().reduce(|a, b| if b.1 > a.1 { b } else { a });
        tell(index, most.and_then(|(place, _)| place))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_are_kept_by_page_and_join_again() {
        let mut pages = Pages::new();
        let read = |pages: &Pages, range: Range<usize>| pages.within(range).iter().all(|h| h.read_mostly);
        pages.update(2..5, |h| h.read_mostly = true);
        assert!(read(&pages, 2..5) && read(&pages, 4..5));
        assert!(!read(&pages, 1..3) && !read(&pages, 2..6) && !read(&pages, 0..1) && !read(&pages, 5..9));
        pages.update(5..7, |h| h.read_mostly = true);
        assert!(read(&pages, 2..7));
        assert_eq!(pages.0.len(), 1, "joined");
        pages.update(0..9, |h| h.read_mostly = false);
        assert!(pages.0.is_empty());
        for page in (0..100).step_by(2) {
            pages.update(page..page + 1, |h| h.accessing_devices = 1);
        }
        assert_eq!(pages.0.len(), 50);
        pages.clear(1..99);
        assert_eq!(pages.0.len(), 1);
        pages.clear(0..1);
        assert!(pages.0.is_empty());
    }

    #[test]
    fn pieces_count_whole_when_a_range_is_walked_over() {
        let mut pages = Pages::new();
        let devices = |pages: &Pages, range: Range<usize>| pages.within(range).iter().all(|h| h.accessing_devices == 1);
        // Asked: a piece that begins before the range is as long as the range, whose last page is not looked at.
        pages.update(0..3, |h| h.accessing_devices = 1);
        assert!(devices(&pages, 1..4) && !devices(&pages, 1..5) && !devices(&pages, 0..4));
        // Told: the same, so that the last page keeps what it has.
        pages.update(3..4, |h| h.accessing_host = true);
        pages.update(2..4, |h| h.read_mostly = true);
        let last = pages.holding(3).unwrap().2;
        assert!(last.accessing_host && !last.read_mostly);
    }
}
