//! Where the allocations of a pool lie: ranges of addresses, segments of memory behind them, and who may use what was
//! freed.
//!
//! A pool takes memory in segments of 32 MiB, as the real driver does, and packs allocations wall to wall into them. A
//! freed range remembers the point of the stream that it was freed in. The same stream may use it at once, others when
//! they were told to wait for that point, or when it is reached; and it goes back to the system when the program waited
//! for it, which settles the range.

use crate::base::memory_file::MemoryFile;
use crate::memory::lookup::space;
use crate::space::{CHUNK, GRANULE};
use crate::stream::{Fence, Stream};
use error::{Error, Result, refuse};
use guard::mapping::Rights;
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Pools take memory from the system and give it back in units of this.
pub const SEGMENT: usize = 32 << 20;
/// The first address of the segment that holds an address: extents begin at multiples of [`SEGMENT`].
pub fn segment_of(address: usize) -> usize {
    address & !(SEGMENT - 1)
}

/// Bytes of the file of a pool before its first extent.
pub const HEADER: u64 = CHUNK as u64;

/// Memory that the accounts no longer show is kept up to this many bytes a pool: a first touch costs several times a
/// copy.
const CACHE_LIMIT: usize = 1 << 30;

/// The first extent; every further one is twice as large as the one before.
const FIRST_EXTENT: usize = 4 << 30;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Segment {
    /// Addresses only.
    Bare,
    /// Memory that nobody is told of.
    Cached,
    /// Memory that counts for the pool.
    Reserved,
}

/// A run of addresses.
struct Extent {
    base: usize,
    segments: Vec<Segment>,
    /// Where its memory is in the pool's file, if it has one.
    offset: u64,
}

impl Extent {
    fn size(&self) -> usize {
        self.segments.len() * SEGMENT
    }

    /// Numbers of the segments that `start..end` touches.
    fn touched(&self, start: usize, end: usize) -> std::ops::Range<usize> {
        (start - self.base) / SEGMENT..(end - self.base).div_ceil(SEGMENT)
    }

    /// Numbers of the segments that lie in `start..end` as a whole.
    fn inside(&self, start: usize, end: usize) -> std::ops::Range<usize> {
        let first = (start - self.base).div_ceil(SEGMENT);
        first..((end - self.base) / SEGMENT).max(first)
    }
}

/// Points of streams: mostly one.
pub type Fences = SmallVec<[Fence; 1]>;

/// A free range.
struct Free {
    len: usize,
    /// Points that have to be reached, and waited for, before it is everybody's.
    pending: Fences,
}

impl Free {
    /// Whether a stream may use the range without waiting. `opportunistic`: what is reached counts, whether or not the
    /// program knows.
    fn is_usable_by(&self, stream: &Arc<Stream>, opportunistic: bool, follow: bool) -> bool {
        self.pending.iter().all(|f| {
            Arc::ptr_eq(f.stream(), stream) || (opportunistic && f.is_complete()) || (follow && stream.follows(f))
        })
    }

    /// What a stream that takes the range has to wait for.
    fn waits(mut self, stream: &Arc<Stream>) -> Fences {
        self.pending.retain(|f| !Arc::ptr_eq(f.stream(), stream) && !f.is_complete() && !stream.follows(f));
        self.pending
    }

    /// True when two neighbours can be one range without making either wait for another stream.
    fn joins(&self, other: &Free) -> bool {
        match (&self.pending[..], &other.pending[..]) {
            ([], []) => true,
            ([a], [b]) => Arc::ptr_eq(a.stream(), b.stream()),
            _ => false,
        }
    }

    /// Takes in a neighbour that it [joins](Free::joins): of two points of a stream, both wait for the later one.
    fn join(&mut self, other: Free) {
        self.len += other.len;
        for (own, others) in self.pending.iter_mut().zip(other.pending) {
            if others.includes(own) {
                *own = others;
            }
        }
    }
}

/// What an allocation may do to get memory.
pub struct Terms<'a> {
    /// The stream that it is for.
    pub stream: &'a Arc<Stream>,
    /// It may use what other streams freed when they have come that far.
    pub opportunistic: bool,
    /// It may use what other streams freed when its stream was told to wait for them.
    pub follow: bool,
    /// It may make its stream wait for others.
    pub dependencies: bool,
    /// Bytes of segments that the pool may have.
    pub limit: usize,
}

/// Free ranges that an allocation may take.
#[derive(Default)]
struct Search {
    /// One with memory.
    there: Option<usize>,
    /// The one that lacks the least: how much, and where it is.
    grown: Option<(usize, usize)>,
    /// One with memory, for which the stream would have to wait.
    waiting: Option<usize>,
}

/// A range of the arena that was taken.
pub struct Taken {
    /// First address.
    pub base: usize,
    /// What the stream has to wait for first.
    pub waits: Fences,
}

/// The memory of a pool.
#[derive(Default)]
pub struct Arena {
    extents: BTreeMap<usize, Extent>,
    free: BTreeMap<usize, Free>,
    by_size: BTreeSet<(usize, usize)>,
    /// Free ranges that somebody may have to be waited for.
    pending: BTreeSet<usize>,
    /// The range that was given back last: not among the free ones yet, as the next allocation may be of its size.
    latest: Option<(usize, Free)>,
    reserved: usize,
    cached: usize,
    /// Where the memory comes from; nowhere for memory that stays in the process.
    file: Option<MemoryFile>,
}

impl Arena {
    /// An arena whose memory lies in a file.
    pub fn in_file(file: MemoryFile) -> Arena {
        let mut arena = Arena::default();
        arena.file = Some(file);
        arena
    }

    /// The file, if the memory lies in one.
    pub fn file(&self) -> Option<&MemoryFile> {
        self.file.as_ref()
    }

    /// The run of addresses that holds one: first address, size, and where its memory is in the file.
    pub fn extent_of(&self, address: usize) -> Option<(usize, usize, u64)> {
        self.extent(address).map(|e| (e.base, e.size(), e.offset))
    }

    /// Bytes of segments that count for the pool.
    pub fn reserved(&self) -> usize {
        self.reserved
    }

    fn extent(&self, address: usize) -> Option<&Extent> {
        let (_, extent) = self.extents.range(..=address).next_back()?;
        (address - extent.base < extent.size()).then_some(extent)
    }

    /// Bytes of segments that `start..end` needs beyond what is reserved.
    fn missing(&self, start: usize, end: usize) -> usize {
        let Some(extent) = self.extent(start) else { return 0 };
        let touched = &extent.segments[extent.touched(start, end)];
        touched.iter().filter(|&&s| s != Segment::Reserved).count() * SEGMENT
    }

    /// Finds a place for `size` bytes (not 0) and takes it. `charge` is told how many bytes more the pool reserves.
    pub fn take(&mut self, size: usize, terms: &Terms, charge: impl FnOnce(usize) -> Result<()>) -> Result<Taken> {
        let span = size
            .checked_next_multiple_of(GRANULE)
            .ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "bytesize {} is too large", size))?;
        if span > terms.limit {
            return Err(refuse!(
                Error::OUT_OF_MEMORY,
                "bytesize {} is more than the pool may have, {}",
                span,
                terms.limit
            ));
        }
        let fits = |(_, free): &mut (usize, Free)| {
            free.len == span && free.is_usable_by(terms.stream, terms.opportunistic, terms.follow)
        };
        if let Some((base, free)) = self.latest.take_if(fits) {
            return Ok(Taken { base, waits: free.waits(terms.stream) });
        }
        self.file_latest();
        // Memory that is there, then memory that has to come, then memory that others have yet to leave.
        let mut search = self.search(span, terms);
        if search.there.is_none() && terms.opportunistic && !self.pending.is_empty() {
            // What others left may lie in pieces that are enough together.
            self.settle(Fence::is_complete);
            search = self.search(span, terms);
        }
        let Search { there, grown, waiting } = search;
        if let Some(start) = there {
            return Ok(self.cut(start, span, terms.stream));
        }
        let mut error = Error::OUT_OF_MEMORY;
        if let Some((missing, start)) =
            grown.or_else(|| self.extend(span).ok().map(|start| (self.missing(start, start + span), start)))
            && self.reserved + missing <= terms.limit
        {
            match charge(missing).and_then(|()| self.reserve(start, start + span)) {
                Ok(()) => return Ok(self.cut(start, span, terms.stream)),
                Err(e) => error = e,
            }
        }
        match waiting {
            Some(start) if terms.dependencies => Ok(self.cut(start, span, terms.stream)),
            _ => Err(error),
        }
    }

    fn search(&self, span: usize, terms: &Terms) -> Search {
        let mut search = Search::default();
        for &(_, start) in self.by_size.range((span, 0)..) {
            let Some(free) = self.free.get(&start) else { continue };
            let missing = self.missing(start, start + span);
            if !free.is_usable_by(terms.stream, terms.opportunistic, terms.follow) {
                if missing == 0 && search.waiting.is_none() {
                    search.waiting = Some(start);
                }
            } else if missing == 0 {
                search.there = Some(start);
                break;
            } else if search.grown.is_none_or(|(least, _)| missing < least) {
                search.grown = Some((missing, start));
            }
        }
        search
    }

    /// Adds addresses with room for `span` bytes.
    fn extend(&mut self, span: usize) -> Result<usize> {
        let last = self.extents.values().map(Extent::size).max();
        let wanted = last.map_or(FIRST_EXTENT, |size| size.saturating_mul(2));
        let least = span
            .checked_next_multiple_of(SEGMENT)
            .ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "bytesize {} is too large", span))?;
        let space = space()?;
        let (size, base) = [wanted.max(least), least]
            .into_iter()
            .find_map(|size| Some((size, space.reserve_packed(size, SEGMENT).ok()?)))
            .ok_or_else(|| {
                refuse!(
                    Error::OUT_OF_MEMORY,
                    "bytesize {}: the address space of the devices has no free range for it",
                    span
                )
            })?;
        let end = |e: &Extent| e.offset + e.size() as u64;
        let offset = self.extents.values().map(end).max().unwrap_or(HEADER);
        if let Some(file) = &self.file
            && let Err(error) = file.set_length(offset + size as u64)
        {
            space.release_packed(base, size);
            return Err(error);
        }
        self.extents.insert(base, Extent { base, segments: vec![Segment::Bare; size / SEGMENT], offset });
        self.insert(base, Free { len: size, pending: Fences::new() });
        // The new range may have joined an older neighbour.
        let (&start, _) = self.free.range(..=base).next_back().ok_or(Error::OUT_OF_MEMORY)?;
        Ok(start.max(base))
    }

    /// Puts memory behind `start..end`.
    fn reserve(&mut self, start: usize, end: usize) -> Result<()> {
        let space = space()?;
        let (_, extent) = self.extents.range_mut(..=start).next_back().ok_or(Error::OUT_OF_MEMORY)?;
        for i in extent.touched(start, end) {
            match extent.segments[i] {
                Segment::Reserved => continue,
                Segment::Cached => self.cached -= SEGMENT,
                Segment::Bare => {
                    let base = extent.base + i * SEGMENT;
                    match &self.file {
                        None => space.commit_packed(base, SEGMENT)?,
                        // SAFETY: a part of our own region.
                        Some(file) => unsafe {
                            let offset = extent.offset + (i * SEGMENT) as u64;
                            file.map(base, offset, SEGMENT, Rights::ReadWrite)?;
                        },
                    }
                }
            }
            extent.segments[i] = Segment::Reserved;
            self.reserved += SEGMENT;
        }
        Ok(())
    }

    /// Takes `span` bytes from the beginning of the free range at `start`.
    fn cut(&mut self, start: usize, span: usize, stream: &Arc<Stream>) -> Taken {
        let Some(free) = self.detach(start) else {
            return Taken { base: start, waits: Fences::new() };
        };
        if free.len > span {
            self.attach(start + span, Free { len: free.len - span, pending: free.pending.clone() });
        }
        Taken { base: start, waits: free.waits(stream) }
    }

    /// Gives a place back, free for others after all of `pending`.
    pub fn give(&mut self, base: usize, size: usize, pending: Fences) {
        self.file_latest();
        self.latest = Some((base, Free { len: size.next_multiple_of(GRANULE), pending }));
    }

    /// Puts the range that was given back last among the free ones.
    fn file_latest(&mut self) {
        if let Some((base, free)) = self.latest.take() {
            self.insert(base, free);
        }
    }

    fn attach(&mut self, start: usize, free: Free) {
        self.by_size.insert((free.len, start));
        if !free.pending.is_empty() {
            self.pending.insert(start);
        }
        self.free.insert(start, free);
    }

    fn detach(&mut self, start: usize) -> Option<Free> {
        let free = self.free.remove(&start)?;
        self.by_size.remove(&(free.len, start));
        self.pending.remove(&start);
        Some(free)
    }

    /// Enters a free range, as one with its neighbours where that is possible.
    fn insert(&mut self, mut start: usize, mut free: Free) {
        let same_extent = |a: usize, b: usize| self.extent(a).map(|e| e.base) == self.extent(b).map(|e| e.base);
        let before = self
            .free
            .range(..start)
            .next_back()
            .filter(|&(&at, f)| at + f.len == start && f.joins(&free) && same_extent(at, start));
        let before = before.map(|(&at, _)| at);
        let after = start + free.len;
        let joins_after = self.free.get(&after).is_some_and(|f| f.joins(&free)) && same_extent(start, after);
        if let Some(at) = before
            && let Some(other) = self.detach(at)
        {
            start = at;
            free.join(other);
        }
        if joins_after && let Some(other) = self.detach(after) {
            free.join(other);
        }
        self.attach(start, free);
    }

    /// Takes the points of `reached` as passed for good.
    pub fn settle(&mut self, reached: impl Fn(&Fence) -> bool) {
        self.file_latest();
        let touched = |start: &&usize| self.free.get(start).is_some_and(|f| f.pending.iter().any(&reached));
        let touched: Vec<usize> = self.pending.iter().filter(touched).copied().collect();
        for start in touched {
            if let Some(mut free) = self.detach(start) {
                free.pending.retain(|f| !reached(f));
                self.insert(start, free);
            }
        }
    }

    /// Gives settled memory back that no allocation lies in, while at least `keep` bytes stay. `cache` is for memory
    /// that may come back soon.
    pub fn release(&mut self, keep: usize, cache: bool) {
        self.file_latest();
        let Ok(space) = space() else { return };
        for (&start, free) in self.free.iter().rev() {
            if !free.pending.is_empty() {
                continue;
            }
            let Some((_, extent)) = self.extents.range_mut(..=start).next_back() else { continue };
            for i in extent.inside(start, start + free.len).rev() {
                if extent.segments[i] == Segment::Bare {
                    continue;
                }
                if extent.segments[i] == Segment::Reserved {
                    if self.reserved < keep.saturating_add(SEGMENT) {
                        continue;
                    }
                    self.reserved -= SEGMENT;
                    self.cached += SEGMENT;
                    extent.segments[i] = Segment::Cached;
                }
                if !cache || self.cached > CACHE_LIMIT {
                    space.unmap(extent.base + i * SEGMENT, SEGMENT);
                    if let Some(file) = &self.file {
                        file.clear(extent.offset + (i * SEGMENT) as u64, SEGMENT);
                    }
                    extent.segments[i] = Segment::Bare;
                    self.cached -= SEGMENT;
                }
            }
        }
    }

    /// True when there are free ranges that are not settled.
    pub fn is_unsettled(&self) -> bool {
        !self.pending.is_empty() || self.latest.as_ref().is_some_and(|(_, f)| !f.pending.is_empty())
    }

    /// True when a stream still has to come to the point where it leaves freed memory.
    pub fn is_pending(&self) -> bool {
        let waits = |start| self.free.get(start).is_some_and(|f| f.pending.iter().any(|f| !f.is_complete()));
        let latest = self.latest.iter().any(|(_, free)| free.pending.iter().any(|f| !f.is_complete()));
        latest || self.pending.iter().any(waits)
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        let Ok(space) = space() else { return };
        for extent in self.extents.values() {
            space.release_packed(extent.base, extent.size());
        }
    }
}
