//! Memory that threads of kernels have beside allocations: local and shared memory, parameters, what they take from their
//! heap.
//!
//! It lies at the end of the range that all memory of the devices is in, so that one comparison says whether an access
//! of a kernel stays in what kernels may use. Nothing else is kept there: what says which piece is whose lies outside.

use core::ops::Range;
use guard::mapping::{self, Rights};
use parking_lot::Mutex;
use std::collections::{BTreeMap, BTreeSet};

/// Pieces begin at multiples of this, and are as many bytes long.
pub const GRAIN: usize = 64;
/// The memory is made accessible in steps of so many bytes.
const STEP: usize = 16 << 20;
/// Pieces from this size on give their pages back when they are free.
const LARGE: usize = 256 << 10;
const PAGE: usize = 4096;

/// A part of the range from which pieces are taken.
pub struct ThreadMemory {
    range: Range<usize>,
    state: Mutex<State>,
}

struct State {
    /// Where nothing was taken yet, and where nothing is accessible yet.
    top: usize,
    ready: usize,
    /// Free pieces: bytes by first address, and both by bytes.
    by_start: BTreeMap<usize, usize>,
    by_size: BTreeSet<(usize, usize)>,
}

impl State {
    fn insert(&mut self, start: usize, size: usize) {
        self.by_start.insert(start, size);
        self.by_size.insert((size, start));
    }

    fn remove(&mut self, start: usize, size: usize) {
        self.by_start.remove(&start);
        self.by_size.remove(&(size, start));
    }
}

/// Bytes that a piece takes.
fn whole(bytes: usize) -> Option<usize> {
    bytes.max(1).checked_next_multiple_of(GRAIN)
}

/// The whole pages of a piece.
fn pages(at: usize, size: usize) -> Range<usize> {
    let first = at.next_multiple_of(PAGE);
    first..((at + size) & !(PAGE - 1)).max(first)
}

impl ThreadMemory {
    /// Of a part of a reservation that nobody has touched.
    pub fn new(range: Range<usize>) -> ThreadMemory {
        let (top, ready) = (range.start, range.start);
        let state = State { top, ready, by_start: BTreeMap::new(), by_size: BTreeSet::new() };
        ThreadMemory { range, state: Mutex::new(state) }
    }

    /// A piece of `bytes` bytes, all zero.
    pub fn take(&self, bytes: usize) -> Option<usize> {
        let size = whole(bytes)?;
        let mut state = self.state.lock();
        if let Some(&(free, at)) = state.by_size.range((size, 0)..).next() {
            state.remove(at, free);
            if free > size {
                state.insert(at + size, free - size);
            }
            drop(state);
            clear(at, size);
            return Some(at);
        }
        let at = state.top;
        let end = at.checked_add(size).filter(|&end| end <= self.range.end)?;
        if end > state.ready {
            let ready = end.next_multiple_of(STEP).min(self.range.end);
            // SAFETY: our own part of the reservation.
            if !unsafe { mapping::protect(state.ready, ready - state.ready, Rights::ReadWrite) } {
                return None;
            }
            state.ready = ready;
        }
        state.top = end;
        Some(at)
    }

    /// Takes a piece of so many bytes back.
    pub fn give(&self, at: usize, bytes: usize) {
        let Some(size) = whole(bytes) else { return };
        if size >= LARGE {
            let pages = pages(at, size);
            // SAFETY: pages of a piece that nobody uses any more.
            unsafe { mapping::discard(pages.start, pages.len()) };
        }
        let mut state = self.state.lock();
        let (mut start, mut all) = (at, size);
        if let Some((&before, &n)) = state.by_start.range(..at).next_back()
            && before + n == at
        {
            state.remove(before, n);
            (start, all) = (before, all + n);
        }
        if let Some(&n) = state.by_start.get(&(at + size)) {
            state.remove(at + size, n);
            all += n;
        }
        state.insert(start, all);
    }
}

/// Makes a piece zero that was used before.
fn clear(at: usize, size: usize) {
    let pages = if size >= LARGE { pages(at, size) } else { at + size..at + size };
    // SAFETY: a piece that was just taken; pages that are taken away come back as zeros.
    unsafe {
        core::ptr::write_bytes(at as *mut u8, 0, pages.start - at);
        if !pages.is_empty() && !mapping::discard(pages.start, pages.len()) {
            core::ptr::write_bytes(pages.start as *mut u8, 0, pages.len());
        }
        core::ptr::write_bytes(pages.end as *mut u8, 0, at + size - pages.end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{Piece, Space};

    #[test]
    fn neighbours_grow_together() {
        let space = Space::<Piece>::reserve().unwrap();
        let memory = space.thread_memory();
        memory.state.lock().top = memory.range.end - STEP;
        memory.state.lock().ready = memory.range.end - STEP;
        let pieces: Vec<usize> = (0..4).map(|_| memory.take(1000).unwrap()).collect();
        assert_eq!(pieces[1] - pieces[0], 1024);
        for n in [2, 0, 1] {
            memory.give(pieces[n], 1000);
        }
        assert_eq!(memory.take(3000), Some(pieces[0]), "three of them");
        assert_eq!(memory.take(STEP), None);
    }
}
