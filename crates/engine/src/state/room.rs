//! Memory that threads use: zero at first, and taken from the system only when it is touched.

use crate::state::services::{GRAIN, Host};

/// A piece of memory.
pub struct Room {
    host: &'static dyn Host,
    at: usize,
    bytes: usize,
    start: u64,
}

impl Room {
    /// `bytes` bytes from an address that is a multiple of `align`, a power of two. `None` when there is not so much.
    pub fn new(host: &'static dyn Host, bytes: u64, align: u64) -> Option<Room> {
        let extra = if align > GRAIN as u64 { align } else { 0 };
        let bytes = usize::try_from(bytes.checked_add(extra)?).ok()?;
        let at = host.take(bytes)?;
        Some(Room { host, at, bytes, start: (at as u64).next_multiple_of(align) })
    }

    /// One with these bytes.
    pub fn of(host: &'static dyn Host, bytes: &[u8]) -> Option<Room> {
        let room = Room::new(host, bytes.len() as u64, 1)?;
        // SAFETY: the room has so many bytes, and is nobody else's yet.
        unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), room.start as *mut u8, bytes.len()) };
        Some(room)
    }

    /// The first address.
    pub fn start(&self) -> u64 {
        self.start
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        self.host.give(self.at, self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::host::HOST;

    #[test]
    fn rooms_are_aligned_or_not_there() {
        for align in [1, 128, 4096] {
            let room = Room::new(&HOST, 1000, align).unwrap();
            assert_eq!(room.start() % align, 0);
            // SAFETY: the room has so many bytes.
            let bytes = unsafe { core::slice::from_raw_parts(room.start() as *const u8, 1000) };
            assert!(bytes.iter().all(|b| *b == 0));
        }
        assert!(Room::new(&HOST, u64::MAX, 128).is_none());
        assert!(Room::new(&HOST, 1 << 62, 128).is_none());
    }
}
