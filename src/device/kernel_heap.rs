//! The heap of a context that kernels take memory from.

use parking_lot::Mutex;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::collections::HashMap;

/// Alignment of what kernels get.
const ALIGNMENT: usize = 16;

#[derive(Default)]
struct State {
    /// Bytes by address.
    allocations: HashMap<u64, usize>,
    used: u64,
}

/// The heap.
#[derive(Default)]
pub struct Heap {
    state: Mutex<State>,
}

impl Heap {
    /// Memory for a kernel, or 0 when the heap of `limit` bytes has no room.
    pub fn allocate(&self, bytes: u64, limit: u64) -> u64 {
        let Some(size) = bytes.max(1).checked_next_multiple_of(ALIGNMENT as u64) else { return 0 };
        let mut state = self.state.lock();
        // Each takes some of the heap for itself.
        let taken = size.saturating_add(ALIGNMENT as u64);
        if state.used.saturating_add(taken) > limit {
            return 0;
        }
        let Ok(layout) = Layout::from_size_align(size as usize, ALIGNMENT) else { return 0 };
        // SAFETY: the size is not zero.
        let address = unsafe { alloc_zeroed(layout) } as u64;
        if address != 0 {
            state.used += taken;
            state.allocations.insert(address, size as usize);
        }
        address
    }

    /// Takes it back; nothing at all is fine. False for what is no allocation.
    pub fn free(&self, address: u64) -> bool {
        if address == 0 {
            return true;
        }
        let mut state = self.state.lock();
        let Some(size) = state.allocations.remove(&address) else { return false };
        state.used -= (size + ALIGNMENT) as u64;
        release(address, size);
        true
    }
}

fn release(address: u64, size: usize) {
    if let Ok(layout) = Layout::from_size_align(size, ALIGNMENT) {
        // SAFETY: allocated with this layout, and taken out of the table.
        unsafe { dealloc(address as *mut u8, layout) };
    }
}

impl Heap {
    /// Takes everything back.
    pub fn clear(&self) {
        let mut state = self.state.lock();
        state.used = 0;
        for (address, size) in state.allocations.drain() {
            release(address, size);
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
    fn memory_comes_and_goes() {
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
