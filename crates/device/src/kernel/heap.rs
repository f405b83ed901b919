//! The heap of a context that kernels take memory from.

use crate::base::checking;
use crate::memory::thread_memory;
use parking_lot::Mutex;
use std::collections::{BTreeMap, VecDeque};

/// Alignment of what kernels get.
const ALIGNMENT: usize = 16;

/// A block: bytes that it takes, and that were asked for.
#[derive(Clone, Copy)]
struct Block {
    size: usize,
    asked: u64,
}

#[derive(Default)]
struct State {
    /// By address.
    allocations: BTreeMap<u64, Block>,
    used: u64,
    /// What was freed and is held back while accesses are checked, by address and in order, and its bytes.
    freed: BTreeMap<u64, Block>,
    order: VecDeque<u64>,
    held: usize,
}

/// Bytes that are held back at most.
const HELD: usize = 16 << 20;

/// The heap.
#[derive(Default)]
pub struct Heap {
    state: Mutex<State>,
}

impl Heap {
    /// Allocates memory for a kernel; 0 when the heap of `limit` bytes has no room.
    pub fn allocate(&self, bytes: u64, limit: u64) -> u64 {
        let Some(size) = bytes.max(1).checked_next_multiple_of(ALIGNMENT as u64) else { return 0 };
        let mut state = self.state.lock();
        // Every block needs some bytes for the heap's own use.
        let taken = size.saturating_add(ALIGNMENT as u64);
        if state.used.saturating_add(taken) > limit {
            return 0;
        }
        let Some(address) = thread_memory::take(size as usize) else { return 0 };
        state.used += taken;
        state.allocations.insert(address as u64, Block { size: size as usize, asked: bytes });
        address as u64
    }

    /// Frees an allocation; 0 is allowed. False for an address that is no allocation.
    pub fn free(&self, address: u64) -> bool {
        if address == 0 {
            return true;
        }
        let mut state = self.state.lock();
        let Some(block) = state.allocations.remove(&address) else { return false };
        state.used -= (block.size + ALIGNMENT) as u64;
        if checking::memory() {
            state.hold(address, block);
        } else {
            release(address, block.size);
        }
        true
    }

    /// True when one block holds all of the bytes.
    pub fn covers(&self, address: u64, bytes: u64) -> bool {
        let state = self.state.lock();
        let block = state.allocations.range(..=address).next_back();
        block.is_some_and(|(base, block)| (address - base).saturating_add(bytes) <= block.asked)
    }

    /// The block that holds an address or is right beside it: its address, its bytes, and whether it is
    /// not freed.
    pub fn nearest(&self, address: u64) -> Option<(u64, u64, bool)> {
        /// Bytes beside a block.
        const NEAR: u64 = 256;
        let state = self.state.lock();
        let distance = |base: u64, asked: u64| base.saturating_sub(address).max(address.saturating_sub(base + asked));
        let around = |blocks: &BTreeMap<u64, Block>, live: bool| -> Vec<(u64, u64, bool)> {
            let before = blocks.range(..=address).next_back();
            let behind = blocks.range(address..).next();
            before.into_iter().chain(behind).map(|(&base, block)| (base, block.asked, live)).collect()
        };
        let all = [around(&state.allocations, true), around(&state.freed, false)].concat();
        let near = all.into_iter().filter(|&(base, asked, _)| distance(base, asked) <= NEAR);
        near.min_by_key(|&(base, asked, live)| (distance(base, asked), address >= base + asked, !live))
    }
}

fn release(address: u64, size: usize) {
    thread_memory::give(address as usize, size);
}

impl State {
    /// Holds a freed block back for a while, so that it is not reused.
    fn hold(&mut self, address: u64, block: Block) {
        self.freed.insert(address, block);
        self.order.push_back(address);
        self.held += block.size;
        while self.held > HELD
            && let Some(oldest) = self.order.pop_front()
        {
            if let Some(block) = self.freed.remove(&oldest) {
                self.held -= block.size;
                release(oldest, block.size);
            }
        }
    }
}

impl Heap {
    /// Frees everything.
    pub fn clear(&self) {
        let mut state = self.state.lock();
        let State { allocations, freed, .. } = core::mem::take(&mut *state);
        for (address, block) in allocations.into_iter().chain(freed) {
            release(address, block.size);
        }
    }
}

impl Drop for Heap {
    fn drop(&mut self) {
        self.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allocations_are_freed_and_limited() {
        let heap = Heap::default();
        let a = heap.allocate(100, 1 << 20);
        assert!(a != 0 && a % 16 == 0);
        assert_eq!(heap.allocate(1 << 20, 1 << 20), 0, "no room");
        assert_eq!(heap.allocate(u64::MAX, u64::MAX), 0);
        assert!(heap.free(a));
        assert!(!heap.free(a), "twice");
        assert!(heap.free(0));
        let mut all = 0;
        while heap.allocate(1024, 1 << 20) != 0 {
            all += 1024;
        }
        assert!(all > 900 << 10 && all <= 1 << 20, "{all}");
    }
}
