//! Accesses to a block's shared memory that nothing orders, and what a block knows of the order of those to global memory.
//!
//! Each warp has a clock, and knows of every other one's how far it has seen it: barriers, atomics and strong accesses hand that on. An
//! access comes after an earlier one if its warp has seen the clock of that one. What a warp does itself is in order. What
//! the hardware copies on its own behalf, for whoever waits at an `mbarrier`, is not looked at, and a block that uses
//! the barrier of its cluster is not looked at any further: reports are few and right rather than many.

use crate::state::access::AccessKind;
use crate::state::global_races::{Clock, Earlier, GlobalAccess, GlobalRaces, Place, Unit, WARPS};
use std::collections::{HashMap, HashSet};

/// The largest access whose bytes are compared.
const LARGEST: usize = 32;

/// Who made an access, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The thread, by its number in the block.
    pub thread: u32,
    /// The line of the text, and the step.
    pub line: u32,
    pub position: u32,
    /// The function, for whoever put it there.
    pub code: *const (),
    /// Nobody else comes between, and others see it: an atomic or a volatile access or the like.
    pub strong: bool,
    /// When, by its warp's clock; 0 for never.
    clock: u32,
}

impl Mark {
    const NONE: Mark = Mark { thread: 0, line: 0, position: 0, code: core::ptr::null(), strong: false, clock: 0 };

    /// An access that is about to be made.
    pub fn new(thread: u32, (line, position): (u32, u32), code: *const (), strong: bool) -> Mark {
        Mark { thread, line, position, code, strong, clock: 0 }
    }

    fn warp(&self) -> usize {
        self.thread as usize / 32 % WARPS
    }
}

/// What is known of a byte: who wrote it last, and who has read it since.
#[derive(Clone, Copy)]
struct Cell {
    written: Mark,
    read: [Mark; 2],
}

/// Two accesses that nothing orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Where in the memory.
    pub offset: usize,
    /// Bytes of the later one.
    pub bytes: usize,
    /// The later and the earlier one.
    pub now: (AccessKind, Mark),
    pub before: (AccessKind, Mark),
}

/// A write over another one, with the bytes before it: it is no race if it changes nothing.
struct Suspect {
    pair: Pair,
    bytes: [u8; LARGEST],
}

/// What warps that come to a barrier have seen, and which of them wait.
#[derive(Clone, Copy, Default)]
struct Gathering {
    seen: Clock,
    acquired: u64,
    waiting: u32,
}

/// All accesses of a block.
pub struct Races {
    clocks: Vec<Clock>,
    cells: Vec<Cell>,
    touched: core::ops::Range<usize>,
    objects: HashMap<usize, (Clock, u64)>,
    barriers: [Gathering; 16],
    suspects: Vec<Suspect>,
    told: HashSet<(u32, u32)>,
    over: bool,
    global: Global,
}

/// What a block knows of the grid that it belongs to.
#[derive(Default)]
struct Global {
    block: u32,
    /// Releases of the block, and whether there was an access behind the last one.
    epoch: u32,
    accessed: bool,
    /// The grid's time when each warp last acquired something; and warps that are about to.
    acquired: [u64; WARPS],
    acquires: u32,
    /// Numbers of places.
    places: HashMap<Place, u32>,
    suspects: Vec<GlobalSuspect>,
}

/// A write of the block over something that nothing orders, with the bytes before it.
struct GlobalSuspect {
    pair: GlobalPair,
    old: [u8; LARGEST],
}

/// Two accesses to global memory that nothing orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GlobalPair {
    pub now: GlobalAccess,
    pub place: Place,
    pub before: Earlier,
}

fn join(to: &mut Clock, from: &Clock) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = (*to).max(*from);
    }
}

impl Races {
    /// Of a block with so many warps and bytes.
    pub fn new(warps: usize, bytes: usize) -> Races {
        let cell = Cell { written: Mark::NONE, read: [Mark::NONE; 2] };
        let mut races = Races {
            clocks: vec![[0; WARPS]; warps.min(WARPS)],
            cells: vec![cell; bytes],
            touched: 0..0,
            objects: HashMap::new(),
            barriers: [Gathering::default(); 16],
            suspects: Vec::new(),
            told: HashSet::new(),
            over: false,
            global: Global::default(),
        };
        races.begin(0);
        races
    }

    /// A block begins, the one with this number in its grid.
    pub fn begin(&mut self, block: u32) {
        let places = core::mem::take(&mut self.global.places);
        self.global = Global { block, places, ..Global::default() };
        for (warp, clock) in self.clocks.iter_mut().enumerate() {
            *clock = [0; WARPS];
            clock[warp] = 1;
        }
        let touched = core::mem::take(&mut self.touched);
        for cell in self.cells.get_mut(touched).into_iter().flatten() {
            *cell = Cell { written: Mark::NONE, read: [Mark::NONE; 2] };
        }
        self.objects.clear();
        self.barriers = [Gathering::default(); 16];
        self.suspects.clear();
        self.over = false;
    }

    /// Nothing more is looked at until the next block begins.
    pub fn give_up(&mut self) {
        self.over = true;
        self.suspects.clear();
    }

    fn tick(&mut self, warp: usize) {
        if let Some(clock) = self.clocks.get_mut(warp) {
            clock[warp] += 1;
        }
    }

    /// A warp has come to a barrier.
    pub fn arrive(&mut self, barrier: usize, warp: usize, waits: bool, grid: Option<&GlobalRaces>) {
        if let Some(grid) = grid {
            self.acquire(warp, grid);
        }
        let acquired = self.global.acquired.get(warp).copied().unwrap_or(0);
        let (Some(clock), Some(barrier)) = (self.clocks.get(warp), self.barriers.get_mut(barrier)) else { return };
        join(&mut barrier.seen, clock);
        barrier.acquired = barrier.acquired.max(acquired);
        barrier.waiting |= u32::from(waits) << warp;
        self.tick(warp);
    }

    /// A barrier has opened; `whole`: for the whole block, also for warps that have ended.
    pub fn open(&mut self, barrier: usize, whole: bool) {
        let Some(barrier) = self.barriers.get_mut(barrier) else { return };
        let Gathering { mut seen, acquired, waiting } = core::mem::take(barrier);
        if whole {
            self.clocks.iter().for_each(|clock| join(&mut seen, clock));
        }
        for (warp, clock) in self.clocks.iter_mut().enumerate() {
            if whole || waiting >> warp & 1 != 0 {
                join(clock, &seen);
                clock[warp] += 1;
                self.global.acquired[warp] = self.global.acquired[warp].max(acquired);
            }
        }
    }

    /// A strong access: what its warp has seen is there for the next one of the same place.
    fn pass(&mut self, place: usize, warp: usize) {
        let Some(clock) = self.clocks.get_mut(warp) else { return };
        let (object, acquired) = self.objects.entry(place).or_insert(([0; WARPS], 0));
        join(clock, object);
        *object = *clock;
        clock[warp] += 1;
        let own = &mut self.global.acquired[warp];
        *own = (*own).max(*acquired);
        *acquired = *own;
    }

    /// Lanes of a warp did what may have told them of other blocks: by now it is done. To be called before each access.
    pub fn acquire(&mut self, warp: usize, grid: &GlobalRaces) {
        if self.global.acquires >> (warp % WARPS) & 1 != 0 {
            self.global.acquires &= !(1 << (warp % WARPS));
            self.global.acquired[warp % WARPS] = grid.now();
        }
    }

    /// A warp is about to do something, all accesses of which are entered, that may tell other blocks of what its block has done, and that may tell it of theirs.
    pub fn meet(&mut self, warp: usize, grid: &GlobalRaces) {
        if core::mem::take(&mut self.global.accessed) {
            self.global.epoch = grid.release(self.global.block);
        }
        self.global.acquires |= 1 << (warp % WARPS);
    }

    /// An access of global memory.
    ///
    /// # Safety
    /// The bytes are there.
    pub unsafe fn access_global(
        &mut self,
        grid: &GlobalRaces,
        warp: usize,
        place: Place,
        access: GlobalAccess,
    ) -> Option<GlobalPair> {
        let strong = access.strong || access.kind == AccessKind::Atomic;
        if strong {
            self.pass(access.address as usize & !3, warp);
        }
        let seen = *self.clocks.get(warp)?;
        let number = *self.global.places.entry(place).or_insert_with(|| grid.enter(place));
        let unit = Unit {
            block: self.global.block,
            epoch: self.global.epoch,
            acquired: self.global.acquired[warp],
            warp,
            seen: &seen,
        };
        let access = GlobalAccess { place: number, ..access };
        let before = grid.access(&unit, access);
        self.global.accessed = true;
        let pair = GlobalPair { now: access, place, before: before? };
        let bytes = access.bytes as usize;
        if access.kind == AccessKind::Write && bytes <= LARGEST {
            let mut old = [0; LARGEST];
            // SAFETY: the bytes are there, as the caller says.
            unsafe { core::ptr::copy_nonoverlapping(access.address as *const u8, old.as_mut_ptr(), bytes) };
            self.global.suspects.push(GlobalSuspect { pair, old });
            return None;
        }
        grid.is_new(pair.before.place.line, place.line).then_some(pair)
    }

    /// Writes to global memory over others that have changed something since.
    ///
    /// # Safety
    /// The bytes that were written are still there.
    pub unsafe fn settle_global(&mut self, grid: &GlobalRaces) -> Vec<GlobalPair> {
        let mut pairs = Vec::new();
        for GlobalSuspect { pair, old } in core::mem::take(&mut self.global.suspects) {
            let (at, bytes) = (pair.now.address as *const u8, pair.now.bytes as usize);
            let mut now = [0; LARGEST];
            // SAFETY: as the caller says.
            unsafe { core::ptr::copy_nonoverlapping(at, now.as_mut_ptr(), bytes) };
            if now[..bytes] != old[..bytes] && grid.is_new(pair.before.place.line, pair.place.line) {
                pairs.push(pair);
            }
        }
        pairs
    }

    /// An access of bytes at an offset. `memory` is where the block's shared memory lies.
    ///
    /// # Safety
    /// The bytes are there.
    pub unsafe fn access(
        &mut self,
        offset: usize,
        bytes: usize,
        kind: AccessKind,
        mark: Mark,
        memory: *const u8,
    ) -> Option<Pair> {
        let (end, warp) = (offset.checked_add(bytes)?, mark.warp());
        if self.over || end > self.cells.len() || warp >= self.clocks.len() {
            return None;
        }
        let strong = mark.strong || kind == AccessKind::Atomic;
        if strong {
            self.pass(offset & !3, warp);
        }
        let seen = self.clocks[warp];
        let mark = Mark { clock: seen[warp], strong, ..mark };
        let unordered =
            |other: &Mark| other.clock > seen[other.warp()] && other.warp() != warp && !(other.strong && strong);
        self.touched = match self.touched.is_empty() {
            true => offset..end,
            false => self.touched.start.min(offset)..self.touched.end.max(end),
        };
        let mut found = None;
        for cell in &mut self.cells[offset..end] {
            let writes = kind != AccessKind::Read;
            if unordered(&cell.written) {
                found = found.or(Some((AccessKind::Write, cell.written)));
            }
            if writes {
                let read = cell.read.iter().find(|read| unordered(read));
                found = found.or(read.map(|read| (AccessKind::Read, *read)));
                *cell = Cell { written: mark, read: [Mark::NONE; 2] };
            } else {
                // One that this one comes after says no more than this one.
                let place = cell.read.iter().position(|read| !unordered(read));
                cell.read[place.unwrap_or(0)] = mark;
            }
        }
        let before = found?;
        let pair = Pair { offset, bytes, now: (kind, mark), before };
        if kind == AccessKind::Write && before.0 == AccessKind::Write && bytes <= LARGEST {
            let mut old = [0; LARGEST];
            // SAFETY: the bytes are there, as the caller says.
            unsafe { core::ptr::copy_nonoverlapping(memory.add(offset), old.as_mut_ptr(), bytes) };
            self.suspects.push(Suspect { pair, bytes: old });
            return None;
        }
        self.is_new(&pair).then_some(pair)
    }

    fn is_new(&mut self, pair: &Pair) -> bool {
        self.told.insert((pair.before.1.line, pair.now.1.line))
    }

    /// Writes over others that have changed something since.
    ///
    /// # Safety
    /// `memory` is where the block's shared memory lies.
    pub unsafe fn settle(&mut self, memory: *const u8) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for suspect in core::mem::take(&mut self.suspects) {
            let Pair { offset, bytes, .. } = suspect.pair;
            // SAFETY: as the caller says; `access` has seen that the bytes are there.
            let now = unsafe { core::slice::from_raw_parts(memory.add(offset), bytes) };
            if now != &suspect.bytes[..bytes] && self.is_new(&suspect.pair) {
                pairs.push(suspect.pair);
            }
        }
        pairs
    }

    /// Whether something waits for [`Races::settle`].
    pub fn is_unsettled(&self) -> bool {
        !self.suspects.is_empty() || !self.global.suspects.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use AccessKind::{Atomic, Read, Write};

    fn access(races: &mut Races, warp: u32, kind: AccessKind, memory: &[u8]) -> Option<(AccessKind, u32)> {
        let mark = Mark::new(warp * 32, (warp, 0), core::ptr::null(), false);
        // SAFETY: the memory has so many bytes.
        let pair = unsafe { races.access(0, 4, kind, mark, memory.as_ptr()) };
        pair.map(|pair| (pair.before.0, pair.before.1.thread / 32))
    }

    #[test]
    fn barriers_and_strong_accesses_order() {
        let memory = [0u8; 8];
        let races = &mut Races::new(4, 8);
        assert_eq!(access(races, 0, Write, &memory), None);
        assert_eq!(access(races, 0, Read, &memory), None, "a warp is in order");
        assert_eq!(access(races, 1, Read, &memory), Some((Write, 0)));
        races.begin(0);
        access(races, 0, Write, &memory);
        (0..4).for_each(|warp| races.arrive(0, warp, true, None));
        races.open(0, true);
        assert_eq!((access(races, 1, Read, &memory), access(races, 2, Read, &memory)), (None, None));
        races.told.clear();
        assert_eq!(access(races, 0, Write, &memory), Some((Read, 1)));
        // A named barrier orders those that come to it, and those that only arrive are not told.
        races.begin(0);
        access(races, 0, Write, &memory);
        races.arrive(1, 0, false, None);
        races.arrive(1, 1, true, None);
        races.open(1, false);
        races.told.clear();
        assert_eq!(access(races, 1, Read, &memory), None);
        assert_eq!(access(races, 2, Read, &memory), Some((Write, 0)));
        // Atomics do not race with each other, but with others.
        races.begin(0);
        races.told.clear();
        assert_eq!((access(races, 0, Atomic, &memory), access(races, 1, Atomic, &memory)), (None, None));
        assert_eq!(access(races, 2, Read, &memory), Some((Write, 1)));
        races.give_up();
        races.told.clear();
        assert_eq!(access(races, 3, Write, &memory), None);
    }

    #[test]
    fn what_is_written_twice_the_same_is_no_race() {
        let mut memory = [0u8; 8];
        let races = &mut Races::new(2, 8);
        for changed in [0, 1] {
            races.begin(0);
            assert_eq!((access(races, 0, Write, &memory), access(races, 1, Write, &memory)), (None, None));
            memory[1] = changed;
            assert!(races.is_unsettled());
            // SAFETY: as above.
            assert_eq!(unsafe { races.settle(memory.as_ptr()) }.len(), usize::from(changed));
        }
    }
}
