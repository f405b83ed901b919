//! The device's clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Nanoseconds since the first use of the device, from 1 up: the device's clock.
pub fn now() -> u64 {
    static START: std::sync::OnceLock<u64> = std::sync::OnceLock::new();
    let clock = || {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: `time` is the caller's own.
        unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
        time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
    };
    let start = *START.get_or_init(clock);
    clock() - start + 1
}

/// When a recorded point was reached: 0 while it was not.
pub type Stamp = Arc<AtomicU64>;

/// Marks a stamp with the current time.
#[inline]
pub fn mark(stamp: &Stamp) {
    stamp.store(now(), Ordering::Release);
}
