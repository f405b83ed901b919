//! How much memory of a device is in use.

use error::{Error, Result, refuse};
use std::sync::atomic::{AtomicU64, Ordering};

/// Size of a chunk: the unit of whole-chunk allocations and of accounting.
pub const CHUNK: usize = 2 << 20;

/// Bytes of chunks in use, by zone's device; what `cuMemGetInfo` subtracts.
#[derive(Default)]
pub struct Usage(pub AtomicU64);

impl Usage {
    /// Nothing in use.
    pub const fn new() -> Usage {
        Usage(AtomicU64::new(0))
    }

    /// Adds `bytes` unless that exceeds `limit`.
    pub fn charge(&self, bytes: usize, limit: u64) -> Result<()> {
        let add = |used: u64| used.checked_add(bytes as u64).filter(|&n| n <= limit);
        self.0.fetch_update(Ordering::AcqRel, Ordering::Acquire, add).map(drop).map_err(|used| {
            refuse!(
                Error::OUT_OF_MEMORY,
                "bytesize: {} more bytes do not fit on the device, which has {} of {} in use",
                bytes,
                used,
                limit
            )
        })
    }

    /// Takes `bytes` off again.
    pub fn release(&self, bytes: usize) {
        self.0.fetch_sub(bytes as u64, Ordering::AcqRel);
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        self.0.load(Ordering::Acquire)
    }
}
