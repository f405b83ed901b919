//! Memory that threads use, reserved from the host: zero at first, and taken from the system only when it is touched.

use crate::state::services::{GRAIN, Host};

/// A piece of the host's memory, given back when dropped.
pub struct Reservation {
    host: &'static dyn Host,
    at: usize,
    bytes: usize,
    start: u64,
}

impl Reservation {
    /// `bytes` bytes from an address that is a multiple of `align`, a power of two. `None` when there is not so much.
    pub fn new(host: &'static dyn Host, bytes: u64, align: u64) -> Option<Reservation> {
        let extra = if align > GRAIN as u64 { align } else { 0 };
        let bytes = usize::try_from(bytes.checked_add(extra)?).ok()?;
        let at = host.take(bytes)?;
        Some(Reservation { host, at, bytes, start: (at as u64).next_multiple_of(align) })
    }

    /// One with these bytes.
    pub fn of(host: &'static dyn Host, bytes: &[u8]) -> Option<Reservation> {
        let reservation = Reservation::new(host, bytes.len() as u64, 1)?;
        // SAFETY: the reservation has so many bytes, and nothing else knows it yet.
        unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), reservation.start as *mut u8, bytes.len()) };
        Some(reservation)
    }

    /// The first address.
    pub fn start(&self) -> u64 {
        self.start
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.host.give(self.at, self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::host::HOST;

    #[test]
    fn reservations_are_aligned_or_refused() {
        for align in [1, 128, 4096] {
            let reservation = Reservation::new(&HOST, 1000, align).unwrap();
            assert_eq!(reservation.start() % align, 0);
            // SAFETY: the reservation has so many bytes.
            let bytes = unsafe { core::slice::from_raw_parts(reservation.start() as *const u8, 1000) };
            assert!(bytes.iter().all(|b| *b == 0));
        }
        assert!(Reservation::new(&HOST, u64::MAX, 128).is_none());
        assert!(Reservation::new(&HOST, 1 << 62, 128).is_none());
    }
}
