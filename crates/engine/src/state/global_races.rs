//! Accesses of a grid to global memory that nothing orders.
//!
//! Within a block the clocks of its warps say what comes after what ([`crate::state::races`]). For all else there is one time for the
//! grid: an access comes after an earlier one if a thread of the earlier one's block released something behind it (wrote
//! atomically, by a volatile store, or came to its cluster's barrier) and the later one's warp acquired something behind that. Whether it
//! was the same thing is not asked: a grid's barrier, a flag, a ticket, a look-back all pass, and what is reported has no
//! order at all. What is written twice the same is no race.

use crate::state::access::AccessKind;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use parking_lot::{Mutex, RwLock};
use std::collections::{HashMap, HashSet};

/// Warps of a block at most.
pub const WARPS: usize = 32;
/// What a warp has seen of each.
pub type Clock = [u32; WARPS];

/// Bytes of a word, and of a page of words.
const WORD: u64 = 4;
const PAGE: u64 = 1024;
const WORDS: usize = (PAGE / WORD) as usize;
const SHARDS: usize = 64;
/// Bytes that the pages of a grid take at most: what lies in others is not looked at.
const MOST: usize = 512 << 20;
/// Releases of a block that are told apart; behind so many everything counts as ordered.
const RELEASES: usize = 1 << 14;

/// An instruction of the grid's program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    pub line: u32,
    pub position: u32,
    /// Address of the function, for whoever put it there.
    pub code: usize,
}

/// Who made an access, and where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Mark {
    block: u32,
    /// How often its block had released something before.
    epoch: u32,
    /// When, by its warp's clock.
    clock: u32,
    /// The number of its place; 0 for no access.
    place: u32,
    thread: u16,
    /// The bytes of the word.
    mask: u8,
    strong: bool,
}

/// What is known of a word.
#[derive(Clone, Copy, Default)]
struct Cell {
    written: Mark,
    read: Mark,
}

/// The block and the warp that make an access, and what they know of others.
#[derive(Clone, Copy)]
pub struct Unit<'a> {
    pub block: u32,
    pub epoch: u32,
    /// The grid's time when the warp last acquired something.
    pub acquired: u64,
    pub warp: usize,
    pub seen: &'a Clock,
}

/// An access by a thread of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GlobalAccess {
    pub address: u64,
    pub bytes: u64,
    pub kind: AccessKind,
    pub thread: u16,
    /// The number of its place.
    pub place: u32,
    pub strong: bool,
}

/// An earlier access: what it was, its place, its block and its thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Earlier {
    pub kind: AccessKind,
    pub place: Place,
    pub block: u32,
    pub thread: u16,
}

/// All accesses of a grid.
pub struct GlobalRaces {
    shards: [Mutex<HashMap<u64, Box<[Cell; WORDS]>>>; SHARDS],
    pages: AtomicUsize,
    time: AtomicU64,
    /// When each block released something.
    releases: RwLock<HashMap<u32, Vec<u64>>>,
    places: RwLock<Vec<Place>>,
    told: Mutex<HashSet<(u32, u32)>>,
}

impl Default for GlobalRaces {
    fn default() -> GlobalRaces {
        GlobalRaces {
            shards: core::array::from_fn(|_| Mutex::default()),
            pages: AtomicUsize::new(0),
            time: AtomicU64::new(0),
            releases: RwLock::default(),
            places: RwLock::default(),
            told: Mutex::default(),
        }
    }
}

impl GlobalRaces {
    /// The time.
    pub fn now(&self) -> u64 {
        self.time.load(Ordering::SeqCst)
    }

    /// A block releases something; gives how often it has.
    pub fn release(&self, block: u32) -> u32 {
        let now = self.time.fetch_add(1, Ordering::SeqCst);
        let mut all = self.releases.write();
        let times = all.entry(block).or_default();
        if times.len() < RELEASES {
            times.push(now);
        }
        times.len() as u32
    }

    /// The number of a place that was not seen before.
    pub fn enter(&self, place: Place) -> u32 {
        let mut places = self.places.write();
        places.push(place);
        places.len() as u32
    }

    /// Whether an access comes before what a unit does now.
    fn is_before(&self, other: &Mark, unit: &Unit<'_>) -> bool {
        if other.block == unit.block {
            let warp = usize::from(other.thread) / 32 % WARPS;
            if warp == unit.warp || other.clock <= unit.seen[warp] {
                return true;
            }
        }
        if other.epoch as usize >= RELEASES {
            return true;
        }
        let all = self.releases.read();
        let time = all.get(&other.block).and_then(|times| times.get(other.epoch as usize));
        time.is_some_and(|&time| time < unit.acquired)
    }

    /// An access; gives one that it races with.
    pub fn access(&self, unit: &Unit<'_>, access: GlobalAccess) -> Option<Earlier> {
        let GlobalAccess { address, bytes, kind, thread, place, strong } = access;
        let end = address.checked_add(bytes)?;
        let strong = strong || kind == AccessKind::Atomic;
        let mut found = None;
        let mut at = address;
        while at < end {
            let word = at / WORD;
            let until = ((word + 1) * WORD).min(end);
            let mask = (at..until).fold(0u8, |mask, byte| mask | 1 << (byte % WORD));
            let mark =
                Mark { block: unit.block, epoch: unit.epoch, clock: unit.seen[unit.warp], place, thread, mask, strong };
            let page = at / PAGE;
            let mut shard = self.shards[page as usize % SHARDS].lock();
            let cells = match shard.entry(page) {
                std::collections::hash_map::Entry::Occupied(cells) => cells.into_mut(),
                std::collections::hash_map::Entry::Vacant(empty) => {
                    let size = size_of::<[Cell; WORDS]>();
                    if self.pages.fetch_add(1, Ordering::Relaxed) >= MOST / size {
                        return None;
                    }
                    empty.insert(Box::new([Cell::default(); WORDS]))
                }
            };
            let cell = &mut cells[word as usize % WORDS];
            // Who reads what others change atomically knows that it may be old: the first look of a loop that compares and exchanges.
            let races = |other: &Mark, reads: bool| {
                let watched = if reads { other.strong || strong } else { other.strong && strong };
                other.place != 0 && other.mask & mask != 0 && !watched && !self.is_before(other, unit)
            };
            if found.is_none() && races(&cell.written, kind == AccessKind::Read) {
                found = Some((AccessKind::Write, cell.written));
            }
            if kind == AccessKind::Read {
                // One that this one comes after says no more than this one.
                if cell.read.place == 0 || !races(&cell.read, true) {
                    cell.read = mark;
                }
            } else {
                if found.is_none() && races(&cell.read, true) {
                    found = Some((AccessKind::Read, cell.read));
                }
                let old = cell.written;
                let same = (old.block, old.epoch, old.clock, old.place) == (mark.block, mark.epoch, mark.clock, place);
                cell.written =
                    if same && old.thread / 32 == thread / 32 { Mark { mask: mask | old.mask, ..mark } } else { mark };
                if cell.read.mask & !mask == 0 {
                    cell.read = Mark::default();
                }
            }
            at = until;
        }
        let (kind, mark) = found?;
        let place = *self.places.read().get((mark.place as usize).checked_sub(1)?)?;
        Some(Earlier { kind, place, block: mark.block, thread: mark.thread })
    }

    /// Whether a pair of lines was not told yet.
    pub fn is_new(&self, before: u32, now: u32) -> bool {
        self.told.lock().insert((before, now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use AccessKind::{Atomic, Read, Write};

    fn access(
        all: &GlobalRaces,
        (block, warp, acquired): (u32, u16, u64),
        epoch: u32,
        kind: AccessKind,
        (address, bytes): (u64, u64),
    ) -> Option<(AccessKind, u32)> {
        let mut seen = [0; WARPS];
        seen[usize::from(warp)] = 1;
        let unit = Unit { block, epoch, acquired, warp: usize::from(warp), seen: &seen };
        let access = GlobalAccess { address, bytes, kind, thread: warp * 32, place: 1, strong: false };
        all.access(&unit, access).map(|e| (e.kind, e.block))
    }

    fn grid() -> GlobalRaces {
        let all = GlobalRaces::default();
        all.enter(Place { line: 7, position: 3, code: 0 });
        all
    }

    #[test]
    fn blocks_are_ordered_by_what_they_release_and_acquire() {
        let all = grid();
        assert_eq!(access(&all, (0, 0, 0), 0, Write, (64, 4)), None);
        assert_eq!(access(&all, (0, 0, 0), 0, Read, (64, 4)), None, "a warp is in order");
        assert_eq!(access(&all, (0, 1, 0), 0, Read, (64, 4)), Some((Write, 0)), "another warp is not");
        assert_eq!(access(&all, (1, 0, 0), 0, Read, (64, 4)), Some((Write, 0)));
        assert_eq!(access(&all, (1, 0, 0), 0, Read, (68, 4)), None, "another word");
        assert_eq!(all.release(0), 1);
        assert_eq!(access(&all, (1, 0, all.now()), 0, Read, (64, 4)), None);
        assert_eq!(access(&all, (0, 0, 0), 1, Write, (64, 4)), Some((Read, 1)), "released before");
        assert_eq!(access(&all, (1, 0, all.now()), 0, Write, (64, 4)), Some((Write, 0)));
    }

    #[test]
    fn bytes_and_atomic_accesses() {
        let all = grid();
        assert_eq!(access(&all, (0, 0, 0), 0, Write, (64, 1)), None);
        assert_eq!(access(&all, (1, 0, 0), 0, Write, (65, 1)), None, "bytes beside each other");
        assert_eq!(access(&all, (2, 0, 0), 0, Write, (60, 16)), Some((Write, 1)), "a vector over them");
        assert_eq!(access(&all, (0, 0, 0), 0, Atomic, (128, 8)), None);
        assert_eq!(access(&all, (1, 0, 0), 0, Atomic, (128, 8)), None);
        assert_eq!(access(&all, (2, 0, 0), 0, Read, (132, 4)), None, "a look at what others count");
        assert_eq!(access(&all, (2, 0, 0), 0, Write, (132, 4)), Some((Write, 1)));
    }
}
