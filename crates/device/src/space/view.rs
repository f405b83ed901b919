//! What can be told of an address without a lock.
//!
//! Beside the tables that the lock guards, there is a view of what most calls ask about: ordinary allocations in chunks
//! of their own or in shared ones. Who changes the space makes the version odd before and even after; a reader that saw
//! the same even version before and after saw one state of the space. What the view does not show (mappings,
//! pools, memory of other processes, ...) and what is just being changed is *unclear*: the tables under the lock know.

use super::layout::{CHUNK, GRANULE, GRANULES, SMALL_LIMIT, Zone};
use super::zeroed::{Zero, Zeroed};
use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering, fence};

/// What a glance at an address tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glance {
    /// An ordinary allocation holds it.
    Inside(Spot),
    /// It is not in our range, and no memory outside of it is known.
    Outside,
    /// Ask under the lock.
    Unclear,
}

/// A place in an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// First address of the allocation.
    pub base: usize,
    /// Its bytes.
    pub size: usize,
    /// Bytes from the address to its end.
    pub left: usize,
    /// Where it was placed.
    pub zone: Zone,
}

/// The allocations of a shared chunk, by granule. A table is never given back, so that readers may come late.
pub(super) struct Table {
    /// Granules all of whose bytes belong to an allocation: a million of these bits fit into a cache that as many records
    /// do not fit into.
    full: [AtomicU64; GRANULES / 64],
    records: [AtomicU64; GRANULES],
}

/// What a table says of the allocation at a granule: the granule it begins at, its size in bytes, and its entry.
#[derive(Clone, Copy)]
pub(super) struct Record {
    start: usize,
    size: usize,
    pub slot: u32,
    obscured: bool,
}

impl Record {
    const START_BITS: u32 = GRANULES.ilog2();
    const SIZE_BITS: u32 = SMALL_LIMIT.ilog2() + 1;
    const SLOT_BITS: u32 = 63 - Self::START_BITS - Self::SIZE_BITS;
    /// Slots from here on cannot be recorded.
    pub const SLOTS: usize = 1 << Self::SLOT_BITS;

    fn pack(self) -> u64 {
        self.start as u64
            | (self.size as u64) << Self::START_BITS
            | u64::from(self.slot) << (Self::START_BITS + Self::SIZE_BITS)
            | u64::from(self.obscured) << 63
    }

    #[inline]
    fn unpack(word: u64) -> Option<Record> {
        (word != 0).then_some(Record {
            start: word as usize & ((1 << Self::START_BITS) - 1),
            size: (word >> Self::START_BITS) as usize & ((1 << Self::SIZE_BITS) - 1),
            slot: (word >> (Self::START_BITS + Self::SIZE_BITS)) as u32 & ((1 << Self::SLOT_BITS) - 1),
            obscured: word >> 63 != 0,
        })
    }
}

impl Table {
    /// A table without allocations, for good.
    pub fn make() -> &'static Table {
        // SAFETY: zeros are atomics of zero.
        Box::leak(unsafe { Box::<Table>::new_zeroed().assume_init() })
    }

    /// What is at a granule.
    #[inline]
    pub fn record(&self, granule: usize) -> Option<Record> {
        Record::unpack(self.records.get(granule)?.load(Ordering::Relaxed))
    }

    /// Enters an allocation of `size` bytes.
    pub fn enter(&self, start: usize, size: usize, slot: u32) {
        let word = Record { start, size, slot, obscured: false }.pack();
        self.records[start..start + size.div_ceil(GRANULE)].iter().for_each(|r| r.store(word, Ordering::Relaxed));
        self.fill(start, size / GRANULE, true);
    }

    /// Takes out what is at `count` granules, all of an allocation.
    pub fn clear(&self, start: usize, count: usize) {
        self.records[start..start + count].iter().for_each(|r| r.store(0, Ordering::Relaxed));
        self.fill(start, count, false);
    }

    fn fill(&self, start: usize, count: usize, on: bool) {
        let (mut i, end) = (start, start + count);
        while i < end {
            let n = (64 - i % 64).min(end - i);
            let mask = (u64::MAX >> (64 - n)) << (i % 64);
            let word = &self.full[i / 64];
            let old = word.load(Ordering::Relaxed);
            word.store(if on { old | mask } else { old & !mask }, Ordering::Relaxed);
            i += n;
        }
    }

    /// Whether a byte belongs to an allocation.
    #[inline]
    pub fn holds(&self, offset: usize) -> bool {
        let granule = offset / GRANULE;
        self.full[granule / 64].load(Ordering::Relaxed) >> (granule % 64) & 1 != 0
            || self.record(granule).is_some_and(|r| offset - r.start * GRANULE < r.size)
    }
}

/// A chunk: 32 bytes, two to a line.
#[repr(C, align(32))]
struct Chunk {
    /// Kind, zone and, for a large allocation, the chunk that it begins at; 0 where the view shows nothing.
    word: AtomicU64,
    /// Bytes of the large allocation that begins here.
    size: AtomicUsize,
    /// The table of a shared chunk; stays when the chunk becomes something else.
    table: AtomicPtr<Table>,
}

// SAFETY: zeros are atomics of zero, and null.
unsafe impl Zero for Chunk {}

const SMALL: u64 = 1;
const LARGE: u64 = 2;
const KIND: u64 = 3;
const DEVICE: u32 = 0xff_ffff;

/// Kind and zone of a chunk, or 0 when the zone has numbers that find no room.
fn word(kind: u64, zone: Zone) -> u64 {
    if zone.class >= 64 || (zone.device >= DEVICE && zone.device != u32::MAX) {
        return 0;
    }
    kind | u64::from(zone.class) << 2 | u64::from(zone.device & DEVICE) << 8
}

#[inline]
fn zone(word: u64) -> Zone {
    let device = (word >> 8) as u32 & DEVICE;
    Zone { device: if device == DEVICE { u32::MAX } else { device }, class: (word >> 2) as u32 & 63, heap: 0 }
}

/// The view of a space.
pub(super) struct View {
    /// Odd while the space is being changed.
    version: AtomicU64,
    base: usize,
    chunks: Zeroed<Chunk>,
    /// Ranges outside of the range.
    foreign: AtomicUsize,
}

impl View {
    /// Keeps readers away until [`View::end_change`]. The caller holds the lock of the space for writing.
    #[inline]
    pub fn begin_change(&self) {
        let version = self.version.load(Ordering::Relaxed);
        self.version.store(version + 1, Ordering::Relaxed);
        fence(Ordering::Release);
    }

    /// Shows a change, after which there are so many allocations outside of the range.
    #[inline]
    pub fn end_change(&self, foreign: usize) {
        self.foreign.store(foreign, Ordering::Relaxed);
        let version = self.version.load(Ordering::Relaxed);
        self.version.store(version + 1, Ordering::Release);
    }

    /// A view of an empty space; `None` when the system has no room for it.
    pub fn new(base: usize, chunks: usize) -> Option<View> {
        Some(View { version: AtomicU64::new(0), base, chunks: Zeroed::new(chunks)?, foreign: AtomicUsize::new(0) })
    }

    /// Shows a large allocation.
    pub fn show_large(&self, start: usize, count: usize, size: usize, of: Zone) {
        let word = word(LARGE, of);
        if word != 0 {
            self.chunks[start].size.store(size, Ordering::Relaxed);
            let word = word | (start as u64) << 32;
            self.chunks[start..start + count].iter().for_each(|c| c.word.store(word, Ordering::Relaxed));
        }
    }

    /// Shows a shared chunk.
    pub fn show_small(&self, chunk: usize, table: &'static Table, of: Zone) {
        self.chunks[chunk].table.store(core::ptr::from_ref(table).cast_mut(), Ordering::Relaxed);
        self.chunks[chunk].word.store(word(SMALL, of), Ordering::Relaxed);
    }

    /// Shows nothing any more.
    pub fn hide(&self, start: usize, count: usize) {
        for chunk in &self.chunks[start..start + count] {
            // What never was shown keeps its pages untouched.
            if chunk.word.load(Ordering::Relaxed) != 0 {
                chunk.word.store(0, Ordering::Relaxed);
            }
        }
    }

    /// From now on look-ups of the allocation at an address take the lock.
    pub fn obscure(&self, addr: usize) {
        let offset = addr.wrapping_sub(self.base);
        let Some(chunk) = self.chunks.get(offset / CHUNK) else { return };
        let word = chunk.word.load(Ordering::Relaxed);
        match word & KIND {
            LARGE => {
                let start = (word >> 32) as usize;
                let count = self.chunks[start].size.load(Ordering::Relaxed).div_ceil(CHUNK);
                self.hide(start, count);
            }
            SMALL => {
                let Some(table) = self.table(chunk) else { return };
                let Some(record) = table.record(offset % CHUNK / GRANULE) else { return };
                let word = Record { obscured: true, ..record }.pack();
                let records = &table.records[record.start..record.start + record.size.div_ceil(GRANULE)];
                records.iter().for_each(|r| r.store(word, Ordering::Relaxed));
            }
            _ => {}
        }
    }

    #[inline(always)]
    fn table(&self, chunk: &Chunk) -> Option<&'static Table> {
        // SAFETY: null, or a table, which lives for good.
        unsafe { chunk.table.load(Ordering::Relaxed).as_ref() }
    }

    /// Does `read` on one state of the space; `None` if that changed meanwhile.
    #[inline(always)]
    fn consistently<R>(&self, read: impl FnOnce() -> R) -> Option<R> {
        let version = self.version.load(Ordering::Acquire);
        if version % 2 == 1 {
            return None;
        }
        let result = read();
        fence(Ordering::Acquire);
        (self.version.load(Ordering::Relaxed) == version).then_some(result)
    }

    /// What is at an address.
    #[inline]
    pub fn glance(&self, addr: usize) -> Glance {
        self.consistently(|| self.probe(addr)).unwrap_or(Glance::Unclear)
    }

    #[inline]
    fn probe(&self, addr: usize) -> Glance {
        let offset = addr.wrapping_sub(self.base);
        let Some(chunk) = self.chunks.get(offset / CHUNK) else {
            return if self.foreign.load(Ordering::Relaxed) == 0 { Glance::Outside } else { Glance::Unclear };
        };
        let word = chunk.word.load(Ordering::Relaxed);
        let (first, size) = match word & KIND {
            LARGE => {
                let start = (word >> 32) as usize;
                let Some(chunk) = self.chunks.get(start) else { return Glance::Unclear };
                (start * CHUNK, chunk.size.load(Ordering::Relaxed))
            }
            SMALL => {
                let record = self.table(chunk).and_then(|t| t.record(offset % CHUNK / GRANULE));
                match record {
                    Some(r) if !r.obscured => (offset / CHUNK * CHUNK + r.start * GRANULE, r.size),
                    _ => return Glance::Unclear,
                }
            }
            _ => return Glance::Unclear,
        };
        let at = offset.wrapping_sub(first);
        if at >= size {
            return Glance::Unclear;
        }
        Glance::Inside(Spot { base: self.base + first, size, left: size - at, zone: zone(word) })
    }

    /// True when the bytes at both addresses are all ordinary memory: of one allocation each, or, where that is allowed, of
    /// the program. False says nothing.
    #[inline(always)]
    pub fn covers(&self, a: (usize, bool), a_bytes: usize, b: (usize, bool), b_bytes: usize) -> bool {
        self.consistently(|| self.reach(a.0, a.1) >= a_bytes && self.reach(b.0, b.1) >= b_bytes).unwrap_or(false)
    }

    /// How many bytes of ordinary memory there are from an address on, 0 where that is not clear; those of the program's own
    /// memory only if `pageable`.
    #[inline(always)]
    fn reach(&self, addr: usize, pageable: bool) -> usize {
        let offset = addr.wrapping_sub(self.base);
        let Some(chunk) = self.chunks.get(offset / CHUNK) else {
            return match pageable && addr != 0 && self.foreign.load(Ordering::Relaxed) == 0 {
                true if addr < self.base => self.base - addr,
                true => usize::MAX - addr,
                false => 0,
            };
        };
        let word = chunk.word.load(Ordering::Relaxed);
        if word & KIND == LARGE {
            let start = (word >> 32) as usize;
            let size = self.chunks.get(start).map_or(0, |chunk| chunk.size.load(Ordering::Relaxed));
            return size.saturating_sub(offset - start * CHUNK);
        }
        match self.probe(addr) {
            Glance::Inside(spot) => spot.left,
            _ => 0,
        }
    }

    /// The zone of the allocation that holds an address: touches less memory than [`View::glance`].
    #[inline]
    pub fn zone(&self, addr: usize) -> Option<Zone> {
        let offset = addr.wrapping_sub(self.base);
        let chunk = self.chunks.get(offset / CHUNK)?;
        let read = || {
            let word = chunk.word.load(Ordering::Relaxed);
            match word & KIND {
                SMALL => self.table(chunk).is_some_and(|t| t.holds(offset % CHUNK)).then(|| zone(word)),
                LARGE => match self.probe(addr) {
                    Glance::Inside(spot) => Some(spot.zone),
                    _ => None,
                },
                _ => None,
            }
        };
        self.consistently(read).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{Piece, Space};
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    fn place(space: &Space<Piece>, device: u32, size: usize) -> usize {
        space.place(Zone { device, class: 0, heap: 0 }, size, |_| Ok(None), Arc::new).unwrap().base
    }

    #[test]
    fn a_glance_tells_what_the_tables_tell() {
        let space = Space::<Piece>::reserve().unwrap();
        let mut live = Vec::new();
        for (i, size) in [1, 511, 512, 513, 4096, 100_000, 1 << 20, (1 << 20) + 1, 5 << 20].into_iter().enumerate() {
            let device = if i % 2 == 0 { u32::MAX } else { 3 };
            live.push((place(&space, device, size), size, device));
        }
        let check = |live: &[(usize, usize, u32)], gone: &[(usize, usize, u32)]| {
            for &(base, size, device) in live {
                for at in [0, size / 2, size - 1] {
                    let zone = Zone { device, class: 0, heap: 0 };
                    let spot = Spot { base, size, left: size - at, zone };
                    assert_eq!(space.glance(base + at), Glance::Inside(spot));
                    assert_eq!(space.zone(base + at), Some(zone));
                    assert!(space.covers_both((base + at, false), (base, false), size - at));
                    assert!(!space.covers_both((base + at, false), (base, false), size - at + 1));
                }
                let behind = base + size;
                match space.glance(behind) {
                    Glance::Inside(next) => assert!(next.base == behind && space.zone(behind) == Some(next.zone)),
                    other => assert_eq!((other, space.zone(behind)), (Glance::Unclear, None)),
                }
            }
            for &(base, size, _) in gone {
                assert_eq!((space.glance(base), space.glance(base + size - 1)), (Glance::Unclear, Glance::Unclear));
                assert_eq!(space.zone(base), None);
                assert!(!space.covers_both((base, true), (base, true), 1));
            }
        };
        check(&live, &[]);
        let gone: Vec<_> = [7, 4, 0].into_iter().map(|i| live.remove(i)).collect();
        gone.iter().for_each(|g| assert!(space.remove(g.0).is_some()));
        check(&live, &gone);
    }

    #[test]
    fn what_is_obscured_is_unclear() {
        let space = Space::<Piece>::reserve().unwrap();
        for size in [3 * GRANULE, 5 << 20] {
            let (a, b) = (place(&space, 0, size), place(&space, 0, size));
            space.obscure(a + size - 1);
            assert_eq!((space.glance(a), space.glance(a + size - 1)), (Glance::Unclear, Glance::Unclear));
            assert!(matches!(space.glance(b), Glance::Inside(_)));
            assert!(space.find(a).is_some());
            assert!(space.remove(a).is_some());
            let again = place(&space, 0, size);
            assert_eq!(again, a);
            assert!(matches!(space.glance(again), Glance::Inside(_)), "the next owner is ordinary");
        }
        space.obscure(0);
    }

    #[test]
    fn memory_of_the_program_is_outside_while_nothing_else_is() {
        let space = Space::<Piece>::reserve().unwrap();
        let (own, len) = ((1 << 32) + 8, 100);
        assert_eq!(space.glance(own), Glance::Outside);
        let ours = place(&space, 0, len);
        assert!(space.covers_both((ours, false), (own, true), len));
        assert!(!space.covers_both((ours, false), (own, false), len), "where only device memory may be");
        assert!(!space.covers_both((0, true), (ours, true), len));
        assert!(!space.covers_both((usize::MAX - 10, true), (ours, true), len));
        assert!(!space.covers_both((space.base - 10, true), (ours, true), len), "into our range");
        space.enter_foreign(1 << 33, 4096, Arc::new(Piece { base: 0, span: 0 })).unwrap();
        assert_eq!(space.glance(own), Glance::Unclear);
        assert!(!space.covers_both((ours, false), (own, true), len));
        space.remove(1 << 33).unwrap();
        assert_eq!(space.glance(own), Glance::Outside);
    }

    /// Readers never see a mixture of two states.
    #[test]
    fn readers_meet_writers() {
        const SIZES: [usize; 4] = [700, 5000, 3 << 20, 5 << 20];
        let space = Space::<Piece>::reserve().unwrap();
        // Every size has its zone. Addresses come back with other sizes.
        let first = place(&space, 9, 3 << 20);
        space.remove(first).unwrap();
        let (stop, seen, space) = (&AtomicBool::new(false), &AtomicUsize::new(0), &space);
        std::thread::scope(|scope| {
            let reader = |r: usize| {
                let mut at = r * 64;
                while !stop.load(Ordering::Relaxed) {
                    at = (at + 4096 + 128) % (64 << 20);
                    if let Glance::Inside(spot) = space.glance(first + at) {
                        assert_eq!(spot.size, SIZES[spot.zone.device as usize]);
                        assert_eq!(spot.base + spot.size, first + at + spot.left);
                        seen.fetch_add(1, Ordering::Relaxed);
                    }
                }
            };
            let readers: Vec<_> = (0..2).map(|r| scope.spawn(move || reader(r))).collect();
            let mut x = 88172645463325252u64;
            let mut live = Vec::new();
            let mut steps = 0;
            // On a busy machine readers come late. One that failed has stopped reading.
            while steps < 20000 || (seen.load(Ordering::Relaxed) < 1000 && !readers.iter().any(|r| r.is_finished())) {
                steps += 1;
                x ^= x << 13;
                x ^= x >> 7;
                x ^= x << 17;
                if live.len() > 20 {
                    assert!(space.remove(live.swap_remove(x as usize % live.len())).is_some());
                } else {
                    let which = (x >> 16) as usize % 4;
                    live.push(place(space, which as u32, SIZES[which]));
                }
            }
            stop.store(true, Ordering::Relaxed);
        });
    }
}
