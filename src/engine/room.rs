//! Memory that threads use: zero at first, and taken from the system only when it is touched.

use std::alloc::{Layout, alloc_zeroed, dealloc};

/// A piece of memory.
pub struct Room {
    at: *mut u8,
    layout: Layout,
    start: u64,
}

impl Room {
    /// `bytes` bytes from an address that is a multiple of `align`, a power of two. `None` when there is not so much.
    pub fn new(bytes: u64, align: u64) -> Option<Room> {
        // The allocator clears memory by hand if it is asked for a large alignment: so it is not asked.
        let size = usize::try_from(bytes.max(1).checked_add(align)?).ok()?;
        let layout = Layout::from_size_align(size, 16).ok()?;
        // SAFETY: the size is not zero.
        let at = unsafe { alloc_zeroed(layout) };
        if at.is_null() {
            return None;
        }
        Some(Room { at, layout, start: (at as u64).next_multiple_of(align) })
    }

    /// The first address.
    pub fn start(&self) -> u64 {
        self.start
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout.
        unsafe { dealloc(self.at, self.layout) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_are_aligned_or_not_there() {
        for align in [1, 128, 4096] {
            let room = Room::new(1000, align).unwrap();
            assert_eq!(room.start() % align, 0);
            // SAFETY: the room has so many bytes.
            let bytes = unsafe { core::slice::from_raw_parts(room.start() as *const u8, 1000) };
            assert!(bytes.iter().all(|b| *b == 0));
        }
        assert!(Room::new(u64::MAX, 128).is_none());
        assert!(Room::new(1 << 62, 128).is_none());
    }
}
