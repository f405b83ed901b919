//! The chunks of the address space, and look-up in it.

use super::entries::{Entry, Found, Packed, Slab, Use};
use super::layout::{CHUNK, GRANULE, Piece, Region, SMALL_LIMIT, Zone};
use super::runs::FreeRuns;
use super::small::Smalls;
use super::thread_memory::ThreadMemory;
use super::view::{Glance, Record, View};
use super::zeroed::Zeroed;
use crate::base::memory_file::MemoryFile;
use crate::base::usage::Charge;
use core::ops::Range;
use error::{Error, Result, refuse};
use guard::mapping::{self, Advice, HostMapping, Rights};
use parking_lot::{RwLock, RwLockWriteGuard};
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// The range begins a chunk before a multiple of this, as the first chunk of a process does on the real driver: programs see that
/// in where aligned reservations lie.
const BASE_ALIGNMENT: usize = 64 << 20;
/// Behind the first chunk of a process the real driver has others of its own, up to this one: programs see that nothing of
/// theirs lies right behind it.
const FOREIGN: usize = 37;
/// So many chunks follow there, up to others that are not the program's; what is larger, or too much, lies behind those.
const NEAR: usize = 12;
/// Where it goes on.
const FAR: usize = 64;
/// One part in so many of the range is for threads of kernels.
const THREADS_SHARE: usize = 16;
/// Freed memory beyond this many bytes is given back to the system.
const CACHE_LIMIT: usize = 4 << 30;
/// Memory that has to be zero and was used before is cleared up to this many bytes; more is exchanged for fresh pages, which
/// only take up room when they are touched.
const CLEARED_BY_HAND: usize = 64 << 20;

/// An allocation of so many bytes in the first chunk shows that its pages had better be huge.
const LARGE: usize = 128 << 10;

/// The files of lent blocks, by first chunk, with the number of chunks.
type Lent = BTreeMap<usize, (usize, Arc<MemoryFile>)>;

/// What is behind the lock.
pub(super) struct Inner<T> {
    pub(super) chunks: Zeroed<u32>,
    /// Chunks that are readable and writable already.
    pub(super) committed: Zeroed<u64>,
    pub(super) committed_free: usize,
    pub(super) free: FreeRuns,
    pub(super) small: Smalls,
    pub(super) entries: Slab<Entry<T>>,
    pub(super) packed: Slab<Packed<T>>,
    pub(super) lent: Lent,
    /// Entries of retired allocations, by first address.
    pub(super) retired: BTreeMap<usize, u32>,
    pub(super) foreign: BTreeMap<usize, Entry<T>>,
    /// The first chunk has small pages still.
    pub(super) first_is_small: bool,
}

/// The address space, with a `T` behind every allocation.
pub struct Space<T> {
    pub(super) base: usize,
    pub(super) chunks: usize,
    /// Where the range ends: what lies behind the chunks is for threads of kernels.
    pub(super) end: usize,
    pub(super) thread_memory: ThreadMemory,
    pub(super) view: View,
    pub(super) inner: RwLock<Inner<T>>,
    pub(super) _reservation: HostMapping,
}

/// The right to change a space: its tables and its view.
pub(super) struct Change<'a, T> {
    inner: RwLockWriteGuard<'a, Inner<T>>,
    view: &'a View,
}

impl<'a, T> Change<'a, T> {
    /// Begins a change; readers without lock keep away until it is dropped.
    pub fn begin(inner: RwLockWriteGuard<'a, Inner<T>>, view: &'a View) -> Change<'a, T> {
        view.begin_change();
        Change { inner, view }
    }
}

impl<T> Drop for Change<'_, T> {
    fn drop(&mut self) {
        self.view.end_change(self.inner.foreign.len());
    }
}

impl<T> Deref for Change<'_, T> {
    type Target = Inner<T>;
    fn deref(&self) -> &Inner<T> {
        &self.inner
    }
}

impl<T> DerefMut for Change<'_, T> {
    fn deref_mut(&mut self) -> &mut Inner<T> {
        &mut self.inner
    }
}

impl<T> Space<T> {
    /// Reserves the range: as large as the system allows, 8 TiB at most.
    pub fn reserve() -> Option<Space<T>> {
        for shift in [43, 42, 41, 40, 38, 36, 34, 32] {
            let size = 1usize << shift;
            let Some(reservation) = HostMapping::anonymous(size, Rights::None) else { continue };
            mapping::advise(reservation.base(), size, Advice::NoDump);
            if let Some(space) = Self::of(reservation) {
                return Some(space);
            }
        }
        None
    }

    /// The space in a reserved range; `None` when the system has no room for its tables.
    pub(super) fn of(reservation: HostMapping) -> Option<Space<T>> {
        let (start, size) = (reservation.base(), reservation.size());
        // What lies beside what must not depend on where the system has put the range.
        let base = (start + CHUNK).next_multiple_of(BASE_ALIGNMENT) - CHUNK;
        let end = start + size;
        let chunks = (end - size / THREADS_SHARE - base) / CHUNK;
        advise_pages(base, base, chunks * CHUNK);
        let thread_memory = ThreadMemory::new(base + chunks * CHUNK..end);
        let inner = Inner {
            chunks: Zeroed::new(chunks)?,
            committed: Zeroed::new(chunks.div_ceil(64))?,
            committed_free: 0,
            free: FreeRuns::new([(0, 1), (FOREIGN, NEAR), (FAR, chunks - FAR)]),
            small: Smalls::new(),
            entries: Slab::new(),
            packed: Slab::new(),
            lent: Default::default(),
            retired: BTreeMap::new(),
            foreign: BTreeMap::new(),
            first_is_small: true,
        };
        let view = View::new(base, chunks)?;
        Some(Space { base, chunks, end, thread_memory, view, inner: RwLock::new(inner), _reservation: reservation })
    }

    #[inline]
    pub(super) fn chunk_of(&self, addr: usize) -> Option<usize> {
        let chunk = addr.wrapping_sub(self.base) / CHUNK;
        (addr >= self.base && chunk < self.chunks).then_some(chunk)
    }

    /// Applies `f` to the allocation that holds `addr`: its first address, its size in bytes, and its value.
    pub fn with<R>(&self, addr: usize, f: impl FnOnce(usize, usize, &Arc<T>) -> R) -> Option<R> {
        let inner = self.inner.read();
        let entry = self.entry(&inner, addr)?;
        Some(f(entry.base, entry.size, entry.value))
    }

    /// The right to change the space.
    pub(super) fn change(&self) -> Change<'_, T> {
        Change::begin(self.inner.write(), &self.view)
    }

    /// What is at `addr`, as far as that can be told without a lock.
    #[inline]
    pub fn glance(&self, addr: usize) -> Glance {
        self.view.glance(addr)
    }

    /// True when `bytes` bytes at both addresses can be told to be memory without a lock: of one ordinary allocation each,
    /// or of the program where the flag allows that. False says nothing.
    #[inline]
    pub fn covers_both(&self, a: (usize, bool), b: (usize, bool), bytes: usize) -> bool {
        self.view.covers(a, bytes, b, bytes)
    }

    /// [`Space::covers_both`] with a number of bytes for each address.
    #[inline]
    pub fn covers_each(&self, a: (usize, bool), a_bytes: usize, b: (usize, bool), b_bytes: usize) -> bool {
        self.view.covers(a, a_bytes, b, b_bytes)
    }

    /// The zone of the ordinary allocation that holds `addr`, told without a lock. `None` says nothing.
    #[inline]
    pub fn zone(&self, addr: usize) -> Option<Zone> {
        self.view.zone(addr)
    }

    /// [`Space::glance`] gives no answer for the allocation that holds `addr` from now on: it is not ordinary any more.
    pub fn obscure(&self, addr: usize) {
        let _change = self.change();
        self.view.obscure(addr);
    }

    /// Applies `f` to what holds `addr`, if anything: the bytes from there to the allocation's end, and its value.
    #[inline]
    pub fn with_span<R>(&self, addr: usize, f: impl FnOnce(Option<(usize, &Arc<T>)>) -> R) -> R {
        let inner = self.inner.read();
        f(self.span(&inner, addr))
    }

    /// [`Space::with_span`] for two addresses at once.
    #[inline]
    pub fn with_spans<R>(
        &self,
        a: usize,
        b: usize,
        f: impl FnOnce(Option<(usize, &Arc<T>)>, Option<(usize, &Arc<T>)>) -> R,
    ) -> R {
        let inner = self.inner.read();
        f(self.span(&inner, a), self.span(&inner, b))
    }

    #[inline]
    pub(super) fn span<'a>(&self, inner: &'a Inner<T>, addr: usize) -> Option<(usize, &'a Arc<T>)> {
        let entry = self.entry(inner, addr)?;
        Some((entry.base + entry.size - addr, entry.value))
    }

    /// All of our own range.
    pub fn whole(&self) -> Range<usize> {
        self.base..self.end
    }

    /// The part of it that threads of kernels have.
    pub fn thread_memory(&self) -> &ThreadMemory {
        &self.thread_memory
    }

    /// Applies `f` to first address and bytes of memory outside of our own range that touches the page of `addr`, of `page`
    /// bytes; to what holds `addr`, if there is any.
    pub fn with_outside<R>(&self, addr: usize, page: usize, f: impl FnOnce(usize, usize) -> R) -> Option<R> {
        let inner = self.inner.read();
        let first = addr & !(page - 1);
        let before = inner.foreign.range(..=addr).next_back();
        let behind = || inner.foreign.range(addr..first.saturating_add(page)).next();
        let touches = |e: &&Entry<T>| e.size > 0 && e.base + e.size > first;
        let entry = before.map(|(_, e)| e).filter(touches).or_else(|| behind().map(|(_, e)| e))?;
        Some(f(entry.base, entry.size))
    }

    /// True when all of `addr..addr + len` lies outside of our own range.
    #[inline]
    pub fn is_outside(&self, addr: usize, len: usize) -> bool {
        addr.checked_add(len).is_some_and(|end| end <= self.base || addr >= self.end)
    }

    /// True when any of `addr..addr + len` lies in our own range, used or not.
    pub fn owns(&self, addr: usize, len: usize) -> bool {
        addr < self.end && addr.saturating_add(len) > self.base
    }

    #[inline]
    pub(super) fn entry<'a>(&self, inner: &'a Inner<T>, addr: usize) -> Option<Found<'a, T>> {
        let entry = match self.chunk_of(addr) {
            Some(chunk) => match Use::unpack(inner.chunks[chunk]) {
                Use::Free => return None,
                Use::Large(i) => inner.entries.get(i)?.found(),
                Use::Packed(i) => inner.packed.get(i)?.holding(addr)?,
                Use::Small(i) => {
                    let granule = (addr - self.base) % CHUNK / GRANULE;
                    inner.entries.get(inner.small.get(i)?.owner(granule)?)?.found()
                }
            },
            None => inner.foreign.range(..=addr).next_back()?.1.found(),
        };
        // An allocation may begin after the first byte of its first chunk.
        (addr.wrapping_sub(entry.base) < entry.size).then_some(entry)
    }

    /// The value of the allocation that holds `addr`.
    pub fn find(&self, addr: usize) -> Option<Arc<T>> {
        self.with(addr, |_, _, value| value.clone())
    }

    /// The first allocation that overlaps `addr..addr + len`, for ranges that may begin outside of one.
    pub fn find_overlapping(&self, addr: usize, len: usize) -> Option<Arc<T>> {
        let end = addr.checked_add(len.max(1))?;
        let inner = self.inner.read();
        if let Some(entry) = self.entry(&inner, addr) {
            return Some(entry.value.clone());
        }
        if let Some((_, entry)) = inner.foreign.range(addr..end).next() {
            return Some(entry.value.clone());
        }
        let mut at = addr.max(self.base);
        let end = end.min(self.base + self.chunks * CHUNK);
        while at < end {
            let chunk = (at - self.base) / CHUNK;
            let step = match Use::unpack(inner.chunks[chunk]) {
                Use::Free => CHUNK,
                Use::Large(i) => match inner.entries.get(i) {
                    Some(entry) if entry.size > 0 => return Some(entry.value.clone()),
                    _ => CHUNK,
                },
                Use::Packed(i) => {
                    if let Some(value) = inner.packed.get(i).and_then(|p| p.first(at, end)) {
                        return Some(value.clone());
                    }
                    CHUNK
                }
                Use::Small(_) => GRANULE,
            };
            if let Some(entry) = self.entry(&inner, at) {
                return Some(entry.value.clone());
            }
            at = (at / step + 1) * step;
        }
        None
    }

    /// All values that `keep` picks, in no order.
    pub fn collect(&self, mut keep: impl FnMut(&T) -> bool) -> Vec<Arc<T>> {
        let inner = self.inner.read();
        let own = inner.entries.slots.iter().flatten().chain(inner.foreign.values());
        let own = own.filter(|e| e.size > 0).map(|e| &e.value);
        let packed = inner.packed.slots.iter().flatten().flat_map(Packed::values);
        own.chain(packed).filter(|value| keep(value)).cloned().collect()
    }

    /// Places `size` bytes (not 0) for `zone`, small sizes in shared chunks, and enters the value that `make` builds
    /// for the address. `charge` is told how many bytes of chunks that takes up beyond what is taken already, and may
    /// refuse; what it gives is dropped when the chunks are not used any more.
    pub fn place(
        &self,
        zone: Zone,
        size: usize,
        charge: impl FnOnce(usize) -> Result<Option<Charge>>,
        make: impl FnOnce(Piece) -> Arc<T>,
    ) -> Result<Arc<T>> {
        Ok(self.place_as(zone, size, (0, false), charge, |piece, _| make(piece))?.0)
    }

    /// [`Space::place`] for memory that has to be zero, and whether the caller has to see to that: fresh memory is, and of a
    /// large allocation all is made fresh. `make` is told the label of what came first into the chunk.
    pub fn place_telling(
        &self,
        zone: Zone,
        size: usize,
        label: u32,
        charge: impl FnOnce(usize) -> Result<Option<Charge>>,
        make: impl FnOnce(Piece, u32) -> Arc<T>,
    ) -> Result<(Arc<T>, bool)> {
        self.place_as(zone, size, (label, true), charge, make)
    }

    pub(super) fn place_as(
        &self,
        zone: Zone,
        size: usize,
        (label, zero): (u32, bool),
        charge: impl FnOnce(usize) -> Result<Option<Charge>>,
        make: impl FnOnce(Piece, u32) -> Arc<T>,
    ) -> Result<(Arc<T>, bool)> {
        if size > self.chunks * CHUNK {
            return Err(refuse!(
                Error::OUT_OF_MEMORY,
                "bytesize {} is more than the address space of the devices",
                size
            ));
        }
        let mut inner = self.change();
        if size <= SMALL_LIMIT {
            return self.place_small(&mut inner, zone, size, label, charge, make);
        }
        let count = size.div_ceil(CHUNK);
        let start = self.take_run(&mut inner, zone.region(), count).ok_or_else(|| {
            refuse!(
                Error::OUT_OF_MEMORY,
                "bytesize {}: the address space of the devices has no free range for it",
                size
            )
        })?;
        let charge = charge(count * CHUNK).inspect_err(|_| self.give_run(&mut inner, start, count))?;
        if zero {
            let used = count_committed(&inner.committed, start, count);
            if used > 0 && (used < count || size > CLEARED_BY_HAND) {
                self.decommit(&mut inner, start, count);
            }
        }
        let reused = self.commit(&mut inner, start, count)?;
        let value = self.enter_large(&mut inner, (start, count), (0, size), charge, |piece| make(piece, label));
        self.view.show_large(start, count, size, zone);
        Ok((value, reused))
    }

    /// Takes whole chunks, aligned to `align` bytes, at `hint` if that is free and not 0. The chunks stay inaccessible:
    /// the owner maps into them.
    pub fn reserve_range(
        &self,
        size: usize,
        align: usize,
        hint: usize,
        make: impl FnOnce(Piece) -> Arc<T>,
    ) -> Result<Arc<T>> {
        self.reserve_range_in(Region::Main, (size, align, hint), 0, |_| Ok(()), make)
    }

    /// Takes whole chunks and has `fill` put memory there, before anybody can find or free what `make` builds. That begins
    /// `lead` bytes, less than a chunk, after the first one.
    pub fn fill_range(
        &self,
        size: usize,
        lead: usize,
        fill: impl FnOnce(Piece) -> Result<()>,
        make: impl FnOnce(Piece) -> Arc<T>,
    ) -> Result<Arc<T>> {
        self.reserve_range_in(Region::Main, (size, 0, 0), lead, fill, make)
    }

    /// [`Space::reserve_range`] where pools are, one chunk after the other.
    pub fn reserve_among_pools(&self, size: usize, make: impl FnOnce(Piece) -> Arc<T>) -> Result<Arc<T>> {
        self.reserve_range_in(Region::Pools, (size, CHUNK, 0), 0, |_| Ok(()), make)
    }

    pub(super) fn reserve_range_in(
        &self,
        region: Region,
        (size, align, hint): (usize, usize, usize),
        lead: usize,
        fill: impl FnOnce(Piece) -> Result<()>,
        make: impl FnOnce(Piece) -> Arc<T>,
    ) -> Result<Arc<T>> {
        let count = size.saturating_add(lead).div_ceil(CHUNK);
        let mut inner = self.change();
        self.give_kept(&mut inner);
        let wanted = self.chunk_of(hint).filter(|_| hint.is_multiple_of(CHUNK) && hint.is_multiple_of(align.max(1)));
        let start = wanted
            .and_then(|at| Self::take_at(&mut inner, at, count))
            .or_else(|| {
                // Alignment counts from address zero, chunk numbers from `base`.
                let align = align.max(CHUNK) / CHUNK;
                let phase = (self.base / CHUNK) % align;
                self.take_aligned(&mut inner, region, count, align, phase)
            })
            .ok_or_else(|| {
                refuse!(
                    Error::OUT_OF_MEMORY,
                    "size {}: the address space of the devices has no free range for it",
                    size
                )
            })?;
        // Whatever was cached here goes: the owner starts from nothing.
        self.decommit(&mut inner, start, count);
        let piece = Piece { base: self.base + start * CHUNK, span: count * CHUNK };
        if let Err(error) = fill(piece) {
            self.unmap(piece.base, piece.span);
            self.give_run(&mut inner, start, count);
            return Err(error);
        }
        Ok(self.enter_large(&mut inner, (start, count), (lead, size), None, make))
    }

    pub(super) fn enter_large(
        &self,
        inner: &mut Inner<T>,
        (start, count): (usize, usize),
        (lead, size): (usize, usize),
        charge: Option<Charge>,
        make: impl FnOnce(Piece) -> Arc<T>,
    ) -> Arc<T> {
        let span = count * CHUNK;
        let piece = Piece { base: self.base + start * CHUNK + lead, span: span - lead };
        let value = make(piece);
        let entry = Entry { base: piece.base, size, span, value: value.clone(), charge };
        let word = Use::Large(inner.entries.insert(entry)).pack();
        inner.chunks[start..start + count].fill(word);
        value
    }

    pub(super) fn place_small(
        &self,
        inner: &mut Inner<T>,
        zone: Zone,
        size: usize,
        label: u32,
        charge: impl FnOnce(usize) -> Result<Option<Charge>>,
        make: impl FnOnce(Piece, u32) -> Arc<T>,
    ) -> Result<(Arc<T>, bool)> {
        let granules = size.div_ceil(GRANULE);
        if inner.entries.slots.len() >= Record::SLOTS {
            return Err(refuse!(Error::OUT_OF_MEMORY, "bytesize {}: there are too many allocations", size));
        }
        let found = inner.small.find(zone, granules);
        let empty =
            found.and_then(|(i, _)| inner.small.get(i)).filter(|small| small.is_empty()).map(|small| small.chunk);
        let mut reused = true;
        let (i, at) = match found {
            Some(found) if empty.is_none() => found,
            // An empty chunk is kept, but not counted, and no better than others below.
            Some(found)
                if empty == inner.small.lowest_kept()
                    && self.first_free(inner, zone.region()).is_none_or(|free| empty < Some(free)) =>
            {
                let charge = charge(CHUNK)?;
                if let Some(small) = inner.small.get_mut(found.0) {
                    small.charge = charge;
                }
                found
            }
            _ => {
                let chunk = self.take_run(inner, zone.region(), 1).ok_or_else(|| {
                    refuse!(Error::OUT_OF_MEMORY, "bytesize {}: the address space of the devices is full", size)
                })?;
                let charge = charge(CHUNK).inspect_err(|_| self.give_run(inner, chunk, 1))?;
                reused = self.commit(inner, chunk, 1)?;
                let i = inner.small.add(chunk, zone);
                inner.chunks[chunk] = Use::Small(i).pack();
                if let Some(small) = inner.small.get_mut(i) {
                    small.charge = charge;
                    self.view.show_small(chunk, small.table, zone);
                }
                (i, 0)
            }
        };
        inner.small.take(i, at, granules, label);
        if inner.first_is_small && size >= LARGE && inner.small.get(i).is_some_and(|small| small.chunk == 0) {
            inner.first_is_small = false;
            mapping::advise(self.base, CHUNK, Advice::Huge);
        }
        let small = inner.small.get_mut(i).expect("just found");
        let piece = Piece { base: self.base + small.chunk * CHUNK + at * GRANULE, span: granules * GRANULE };
        let value = make(piece, small.label);
        let entry = Entry { base: piece.base, size, span: piece.span, value: value.clone(), charge: None };
        let slot = inner.entries.insert(entry);
        small.table.enter(at, size, slot);
        Ok((value, reused))
    }

    /// Enters memory outside of the range (registered by the program). Refuses an overlap with another such range.
    pub fn enter_foreign(&self, base: usize, size: usize, value: Arc<T>) -> Result<()> {
        let end = base.checked_add(size).ok_or_else(|| {
            refuse!(Error::INVALID_VALUE, "_ {:#x} + {} bytes goes beyond the end of the address space", base, size)
        })?;
        let mut inner = self.change();
        if let Some((_, before)) = inner.foreign.range(..end).next_back()
            && before.base + before.size > base
        {
            return Err(refuse!(
                Error::HOST_MEMORY_ALREADY_REGISTERED,
                "_ {:#x} + {} bytes overlaps memory that is registered already",
                base,
                size
            ));
        }
        inner.foreign.insert(base, Entry { base, size, span: size, value, charge: None });
        Ok(())
    }

    /// Takes the allocation that begins at `base` out.
    pub fn remove(&self, base: usize) -> Option<Arc<T>> {
        self.remove_if(base, |_| true)
    }

    /// [`Space::remove`], if `wanted` says so about the allocation.
    pub fn remove_if(&self, base: usize, wanted: impl FnOnce(&Arc<T>) -> bool) -> Option<Arc<T>> {
        let mut inner = self.change();
        if !wanted(self.entry(&inner, base)?.value) {
            return None;
        }
        self.take_out(&mut inner, base)
    }

    /// Takes the entry that begins at `base` out.
    pub(super) fn take_out(&self, inner: &mut Inner<T>, base: usize) -> Option<Arc<T>> {
        let Some(chunk) = self.chunk_of(base) else {
            return inner.foreign.remove(&base).map(|e| e.value);
        };
        match Use::unpack(inner.chunks[chunk]) {
            Use::Free => None,
            Use::Packed(i) => inner.packed.get_mut(i)?.remove(base),
            Use::Large(i) => {
                if inner.entries.get(i)?.base != base {
                    return None;
                }
                let entry = inner.entries.remove(i)?;
                self.give_chunks(inner, chunk, entry.span / CHUNK);
                Some(entry.value)
            }
            Use::Small(i) => {
                let at = (base - self.base) % CHUNK / GRANULE;
                let slot = inner.small.get(i)?.owner(at)?;
                if inner.entries.get(slot)?.base != base {
                    return None;
                }
                let entry = inner.entries.remove(slot)?;
                self.give_granules(inner, i, at, entry.span / GRANULE);
                Some(entry.value)
            }
        }
    }

    /// Gives chunks of a large allocation back.
    pub(super) fn give_chunks(&self, inner: &mut Inner<T>, chunk: usize, count: usize) {
        inner.chunks[chunk..chunk + count].fill(0);
        self.view.hide(chunk, count);
        self.give_run(inner, chunk, count);
    }

    /// Gives granules of a shared chunk back.
    pub(super) fn give_granules(&self, inner: &mut Inner<T>, i: u32, at: usize, granules: usize) {
        let Some(another) = inner.small.release(i, at, granules) else { return };
        // One empty chunk of each zone stays, so that a lone small allocation that comes and goes is cheap; not what other
        // processes may map.
        if another || inner.small.get(i).is_some_and(|small| inner.lent.contains_key(&small.chunk)) {
            self.give_empty(inner, i);
        }
    }

    pub(super) fn give_empty(&self, inner: &mut Inner<T>, i: u32) {
        if let Some(chunk) = inner.small.remove(i) {
            self.give_chunks(inner, chunk, 1);
        }
    }

    /// Puts the empty chunks that zones keep among the free ones, before one of those is chosen: they are no zone's.
    pub(super) fn give_kept(&self, inner: &mut Inner<T>) {
        while let Some(i) = inner.small.kept() {
            self.give_empty(inner, i);
        }
    }

    /// Where a region begins.
    pub(super) fn origin(&self, region: Region) -> usize {
        match region {
            Region::Main => 0,
            Region::Managed => self.chunks / 2,
            Region::Pools => self.chunks / 4 * 3,
        }
    }

    /// The first free chunk of a region, or behind it.
    pub(super) fn first_free(&self, inner: &Inner<T>, region: Region) -> Option<usize> {
        inner.free.from(self.origin(region)).next().map(|(start, _)| start)
    }

    pub(super) fn take_run(&self, inner: &mut Inner<T>, region: Region, count: usize) -> Option<usize> {
        self.give_kept(inner);
        self.take_aligned(inner, region, count, 1, 0)
    }

    /// Takes the first free run of a region that is long enough; `(start + phase) % align == 0`. Where many are too short, or
    /// none is left, the best-fitting one anywhere.
    pub(super) fn take_aligned(
        &self,
        inner: &mut Inner<T>,
        region: Region,
        count: usize,
        align: usize,
        phase: usize,
    ) -> Option<usize> {
        /// Free runs that are looked at.
        const LOOKS: usize = 1000;
        let fit = |(start, len): (usize, usize)| {
            // Mostly 1: a division costs as much as all the rest.
            let at = if align == 1 { start } else { (start + phase).next_multiple_of(align) - phase };
            (at + count <= start + len).then_some(at)
        };
        let first = inner.free.from(self.origin(region)).take(LOOKS).find_map(fit);
        let at = first.or_else(|| inner.free.by_size(count).find_map(fit))?;
        Self::take_at(inner, at, count)
    }

    /// Takes a given run if all of it is free.
    pub(super) fn take_at(inner: &mut Inner<T>, at: usize, count: usize) -> Option<usize> {
        inner.free.take(at, count)?;
        Some(at)
    }

    /// Puts a run back among the free ones; what it committed stays cached, up to the limit.
    pub(super) fn give_run(&self, inner: &mut Inner<T>, at: usize, count: usize) {
        self.take_home(inner, at, count);
        let kept = count_committed(&inner.committed, at, count) * CHUNK;
        inner.committed_free += kept;
        if inner.committed_free > CACHE_LIMIT {
            self.decommit(inner, at, count);
        }
        inner.free.give(at, count);
    }

    /// Ends the lending of chunks that are given back: what comes next is not for those who mapped them.
    pub(super) fn take_home(&self, inner: &mut Inner<T>, at: usize, count: usize) {
        while let Some(start) = inner.lent.range(at..at + count).next().map(|(&start, _)| start) {
            inner.lent.remove(&start);
            self.decommit(inner, at, count);
        }
    }

    /// Makes chunks that were just taken readable and writable. Returns whether any of them was used before.
    pub(super) fn commit(&self, inner: &mut Inner<T>, at: usize, count: usize) -> Result<bool> {
        let have = count_committed(&inner.committed, at, count);
        inner.committed_free = inner.committed_free.saturating_sub(have * CHUNK);
        if have == count {
            return Ok(true);
        }
        let (addr, len) = (self.base + at * CHUNK, count * CHUNK);
        // SAFETY: chunks of our own reservation.
        if !unsafe { mapping::protect(addr, len, Rights::ReadWrite) } {
            self.give_run(inner, at, count);
            return Err(refuse!(Error::OUT_OF_MEMORY, "bytesize: the host has no memory for {} bytes", len));
        }
        for (word, mask) in words(at, count) {
            inner.committed[word] |= mask;
        }
        Ok(have > 0)
    }

    /// Back to a bare reservation, whatever was mapped there.
    pub(super) fn decommit(&self, inner: &mut Inner<T>, at: usize, count: usize) {
        let have = count_committed(&inner.committed, at, count);
        inner.committed_free = inner.committed_free.saturating_sub(have * CHUNK);
        if have > 0 {
            self.unmap(self.base + at * CHUNK, count * CHUNK);
        }
        for (word, mask) in words(at, count) {
            inner.committed[word] &= !mask;
        }
    }

    /// Replaces whatever is mapped in a part of the range by inaccessible, empty pages.
    pub fn unmap(&self, addr: usize, len: usize) {
        // SAFETY: the caller owns this part of our reservation.
        unsafe { mapping::replace_by_empty(addr, len, Rights::None) };
        advise_pages(self.base, addr, len);
        mapping::advise(addr, len, Advice::NoDump);
    }
}

/// Huge pages for a part of the range that begins at `base`. The first chunk begins with small ones: short programs
/// have little there, and a huge page of zeros takes longer than all else that their first copy does.
fn advise_pages(base: usize, addr: usize, len: usize) {
    let small = (base + CHUNK).saturating_sub(addr).min(len);
    if small > 0 {
        mapping::advise(addr, small, Advice::Small);
    }
    if len > small {
        mapping::advise(addr + small, len - small, Advice::Huge);
    }
}

/// The words of `committed` that chunks `at..at + count` have bits in, each with the mask of these bits.
fn words(at: usize, count: usize) -> impl Iterator<Item = (usize, u64)> {
    let end = at + count;
    (at / 64..end.div_ceil(64)).map(move |word| {
        let (from, to) = (at.saturating_sub(word * 64), (end - word * 64).min(64));
        (word, u64::MAX >> (64 - (to - from)) << from)
    })
}

/// How many of chunks `at..at + count` are committed.
fn count_committed(bits: &[u64], at: usize, count: usize) -> usize {
    words(at, count).map(|(word, mask)| (bits[word] & mask).count_ones() as usize).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::usage::{Purpose, Usage};

    const ZONE: Zone = Zone { device: 0, class: 0, heap: 0 };

    fn place(space: &Space<Piece>, size: usize) -> Piece {
        *space.place(ZONE, size, |_| Ok(None), Arc::new).unwrap()
    }

    #[test]
    fn words_of_chunks() {
        for at in [0, 1, 63, 64, 65, 130] {
            for count in [1, 2, 62, 63, 64, 65, 127, 128, 200] {
                let chunks: Vec<usize> = words(at, count)
                    .flat_map(|(word, mask)| {
                        (0..64).filter(move |bit| mask >> bit & 1 == 1).map(move |bit| word * 64 + bit)
                    })
                    .collect();
                assert_eq!(chunks, (at..at + count).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn small_allocations_share_a_chunk() {
        let space = Space::<Piece>::reserve().unwrap();
        let a = place(&space, 1);
        let b = place(&space, 513);
        let c = place(&space, 512);
        assert_eq!((b.base - a.base, c.base - b.base), (512, 1024));
        assert_eq!(space.find(a.base).as_deref(), Some(&a));
        assert!(space.find(a.base + 1).is_none(), "past the end");
        assert_eq!(space.find(b.base + 512).as_deref(), Some(&b));
        assert!(space.remove(b.base + 512).is_none(), "not a first address");
        space.remove(b.base).unwrap();
        assert!(space.find(b.base).is_none());
        assert_eq!(place(&space, 1024).base, b.base, "the hole is used again");
        space.remove(a.base).unwrap();
        space.remove(b.base).unwrap();
        space.remove(c.base).unwrap();
    }

    #[test]
    fn one_byte_of_the_first_chunk_is_no_huge_page() {
        let space = Space::<Piece>::reserve().unwrap();
        let a = place(&space, 1);
        let mut resident = vec![0u8; CHUNK / 4096];
        // SAFETY: memory of this test; the vector has a byte for each page.
        let failed = unsafe {
            *(a.base as *mut u8) = 7;
            libc::mincore(space.base as *mut _, CHUNK, resident.as_mut_ptr())
        };
        assert_eq!(failed, 0);
        assert!(resident.iter().filter(|&&page| page & 1 == 1).count() <= 16);
        assert!(space.inner.read().first_is_small);
        place(&space, LARGE);
        assert!(!space.inner.read().first_is_small);
    }

    #[test]
    fn chunks_count_while_anything_lies_in_them() {
        static USAGE: Usage = Usage::new();
        let space = Space::<Piece>::reserve().unwrap();
        let place = |size: usize, limit: usize| {
            let charge = |bytes| Charge::new(&USAGE, Purpose::Blocks, bytes, (limit * CHUNK) as u64).map(Some);
            space.place(ZONE, size, charge, Arc::new).map(|piece| piece.base)
        };
        let used = || USAGE.bytes() as usize / CHUNK;
        let (a, b) = (place(1, 1).unwrap(), place(700, 1).unwrap());
        assert_eq!(used(), 1, "a chunk for both");
        assert_eq!(place(SMALL_LIMIT + 1, 1), Err(Error::OUT_OF_MEMORY));
        let c = place(3 * CHUNK + 1, 5).unwrap();
        assert_eq!(used(), 5);
        assert!(space.remove(a).is_some() && space.remove(a).is_none());
        assert_eq!(used(), 5, "the other one is still there");
        assert!(space.remove(b).is_some() && space.remove(c).is_some() && space.remove(c).is_none());
        assert_eq!(used(), 0);
        let a = place(1, 1).unwrap();
        assert_eq!(used(), 1, "the chunk that was kept counts again");
        assert!(space.retire(a, |_| true).is_some());
        assert_eq!(used(), 1, "a shared chunk counts until its addresses are free");
        assert!(space.release(a, |_| true).is_some());
        assert_eq!(used(), 0);
        let a = place(CHUNK, 1).unwrap();
        assert!(space.retire(a, |_| true).is_some());
        assert_eq!(used(), 0);
        assert!(space.release(a, |_| true).is_some());
        assert_eq!(used(), 0);
    }

    #[test]
    fn a_range_that_cannot_be_filled_is_free_again() {
        let space = Space::<Piece>::reserve().unwrap();
        let mut tried = 0;
        let fill = |piece: Piece| {
            tried = piece.base;
            assert!(space.inner.try_read().is_none(), "nobody finds it yet");
            Err(Error::OUT_OF_MEMORY)
        };
        assert_eq!(space.fill_range(1000, 0, fill, Arc::new).err(), Some(Error::OUT_OF_MEMORY));
        assert_eq!(space.fill_range(1000, 0, |_| Ok(()), Arc::new).unwrap().base, tried);
        let late = space.fill_range(CHUNK, 5, |_| Ok(()), Arc::new).unwrap();
        let chunk = late.base - 5;
        assert_eq!((chunk % CHUNK, late.span), (space.base % CHUNK, 2 * CHUNK - 5));
        assert!(space.find(chunk).is_none() && space.find(chunk + 4).is_none());
        assert!(Arc::ptr_eq(&space.find(late.base).unwrap(), &late));
        assert!(space.find(late.base + CHUNK - 1).is_some() && space.find(late.base + CHUNK).is_none());
        assert!(space.remove(chunk).is_none());
        assert!(space.remove(late.base).is_some());
        assert_eq!(
            space.fill_range(2 * CHUNK, 0, |_| Ok(()), Arc::new).unwrap().base,
            chunk,
            "all of it is free again"
        );
    }

    #[test]
    fn a_lent_chunk_is_not_kept() {
        use crate::base::memory_file::MemoryFile;
        let space = Space::<Piece>::reserve().unwrap();
        let a = place(&space, 1);
        let (_, file) = space.lend(a.base, |_| true, |block| MemoryFile::create(block.span as u64)).unwrap();
        space.remove(a.base).unwrap();
        assert_eq!(Arc::strong_count(&file), 1, "nobody holds its file");
        assert_eq!(place(&space, 1).base, a.base);
        assert!(space.lent(a.base).is_none());
        let refused = space.lend(a.base, |_| false, |_| unreachable!("another allocation has the address by now"));
        assert_eq!(refused.err(), Some(Error::INVALID_VALUE));
    }

    #[test]
    fn large_allocations_own_chunks() {
        let space = Space::<Piece>::reserve().unwrap();
        let a = place(&space, SMALL_LIMIT + 1);
        let b = place(&space, 3 * CHUNK + 1);
        assert_eq!((a.span, b.span), (CHUNK, 4 * CHUNK));
        assert_eq!(space.find(b.base + 3 * CHUNK).as_deref(), Some(&b));
        assert!(space.find(b.base + 3 * CHUNK + 1).is_none());
        assert_eq!(space.remove(a.base).as_deref(), Some(&a));
        assert_eq!(space.remove(b.base).as_deref(), Some(&b));
        assert!(space.remove(b.base).is_none());
    }

    #[test]
    fn what_is_too_large_for_the_first_chunks_lies_behind_others() {
        let space = Space::<Piece>::reserve().unwrap();
        let chunk = |size| (place(&space, size).base - space.base) / CHUNK;
        assert_eq!(chunk((NEAR + 1) * CHUNK), FAR);
        assert_eq!((chunk(CHUNK), chunk(NEAR * CHUNK)), (0, FOREIGN));
        assert_eq!(chunk(CHUNK), FAR + NEAR + 1);
    }

    #[test]
    fn large_zero_memory_is_fresh_where_it_was_used_in_part() {
        let space = Space::<Piece>::reserve().unwrap();
        let place = |size| space.place_telling(ZONE, size, 0, |_| Ok(None), |piece, _| Arc::new(piece)).unwrap();
        let (a, used) = place(2 * CHUNK);
        assert!(!used);
        // SAFETY: memory of this test.
        unsafe { *(a.base as *mut u8) = 7 };
        space.remove(a.base).unwrap();
        let (b, used) = place(2 * CHUNK);
        assert!(b.base == a.base && used, "the caller clears it");
        space.remove(b.base).unwrap();
        let (c, used) = place(3 * CHUNK);
        // SAFETY: memory of this test.
        assert!(c.base == a.base && !used && unsafe { *(c.base as *const u8) } == 0);
    }

    #[test]
    fn foreign_ranges_may_not_overlap() {
        let space = Space::<Piece>::reserve().unwrap();
        let value = || Arc::new(Piece { base: 0, span: 0 });
        space.enter_foreign(0x10000, 0x1000, value()).unwrap();
        assert!(space.enter_foreign(0x10fff, 1, value()).is_err());
        assert!(space.enter_foreign(0xf000, 0x1001, value()).is_err());
        space.enter_foreign(0x11000, 0x1000, value()).unwrap();
        assert!(space.find(0x10fff).is_some());
        assert!(space.find(0x12000).is_none());
        assert!(space.remove(0x10000).is_some());
        assert!(space.find(0x10800).is_none());
    }

    #[test]
    fn neighbours_do_not_depend_on_where_the_range_lies() {
        assert_eq!((Space::<Piece>::reserve().unwrap().base + CHUNK) % BASE_ALIGNMENT, 0);
    }

    #[test]
    fn aligned_reservations_and_hints() {
        let space = Space::<Piece>::reserve().unwrap();
        place(&space, CHUNK);
        let a = *space.reserve_range(2 * CHUNK, 64 << 20, 0, Arc::new).unwrap();
        assert_eq!(a.base % (64 << 20), 0);
        let hint = a.base + (1 << 30);
        assert_eq!(space.reserve_range(CHUNK, CHUNK, hint, Arc::new).unwrap().base, hint);
        assert_ne!(space.reserve_range(CHUNK, CHUNK, hint, Arc::new).unwrap().base, hint);
    }

    #[test]
    fn random_placement_never_overlaps() {
        let space = Space::<Piece>::reserve().unwrap();
        let mut live: Vec<Piece> = Vec::new();
        let mut x = 88172645463325252u64;
        for _ in 0..20000 {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            if live.len() > 300 || (x & 3 == 0 && !live.is_empty()) {
                let p = live.swap_remove(x as usize / 8 % live.len());
                assert!(space.remove(p.base).is_some());
            } else {
                let size = 1 + (x >> 8) as usize % if x & 64 == 0 { 9 << 20 } else { 70000 };
                live.push(place(&space, size));
            }
        }
        live.sort_by_key(|p| p.base);
        assert!(live.windows(2).all(|w| w[0].base + w[0].span <= w[1].base));
    }
}
