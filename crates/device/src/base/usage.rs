//! How much memory of a device is in use.
//!
//! Whoever takes memory owns a [`Charge`], which takes the bytes off again when it goes: none can be forgotten, and none
//! taken off twice.

use error::{Error, Result, refuse};
use std::sync::atomic::{AtomicU64, Ordering};

/// Size of a chunk: the unit of whole-chunk allocations and of accounting.
pub const CHUNK: usize = profiles::machine::GRANULE as usize;

/// What memory is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Chunks of ordinary allocations.
    Blocks,
    /// Segments of pools.
    Pools,
    /// What graphs allocate.
    Graphs,
    /// Arrays.
    Arrays,
    /// Physical memory.
    Physical,
}

impl Purpose {
    /// All but [`Purpose::Blocks`], which is the rest.
    const COUNTED: [Purpose; 4] = [Purpose::Pools, Purpose::Graphs, Purpose::Arrays, Purpose::Physical];
}

/// Bytes in use; what `cuMemGetInfo` subtracts.
#[derive(Default)]
pub struct Usage {
    total: AtomicU64,
    /// Those of [`Purpose::COUNTED`].
    parts: [AtomicU64; Purpose::COUNTED.len()],
}

impl Usage {
    /// Nothing in use.
    pub const fn new() -> Usage {
        Usage { total: AtomicU64::new(0), parts: [const { AtomicU64::new(0) }; Purpose::COUNTED.len()] }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        self.total.load(Ordering::Acquire)
    }

    /// Bytes in use for each purpose.
    pub fn parts(&self) -> [(Purpose, u64); Purpose::COUNTED.len() + 1] {
        let mut all = [(Purpose::Blocks, self.bytes()); Purpose::COUNTED.len() + 1];
        for (i, (purpose, part)) in Purpose::COUNTED.iter().zip(&self.parts).enumerate() {
            let bytes = part.load(Ordering::Acquire);
            all[i + 1] = (*purpose, bytes);
            all[0].1 = all[0].1.saturating_sub(bytes);
        }
        all
    }

    fn part(&self, purpose: Purpose) -> Option<&AtomicU64> {
        self.parts.get((purpose as usize).checked_sub(1)?)
    }

    fn add(&self, purpose: Purpose, bytes: usize, limit: u64) -> Result<()> {
        let add = |used: u64| used.checked_add(bytes as u64).filter(|&n| n <= limit);
        self.total.fetch_update(Ordering::AcqRel, Ordering::Acquire, add).map_err(|used| {
            refuse!(
                Error::OUT_OF_MEMORY,
                "bytesize: {} more bytes do not fit on the device, which has {} of {} in use",
                bytes,
                used,
                limit
            )
        })?;
        if let Some(part) = self.part(purpose) {
            part.fetch_add(bytes as u64, Ordering::AcqRel);
        }
        Ok(())
    }

    fn take_off(&self, purpose: Purpose, bytes: usize) {
        if let Some(part) = self.part(purpose) {
            part.fetch_sub(bytes as u64, Ordering::AcqRel);
        }
        self.total.fetch_sub(bytes as u64, Ordering::AcqRel);
    }
}

/// Bytes that count as in use while this lives.
pub struct Charge {
    usage: &'static Usage,
    purpose: Purpose,
    bytes: usize,
}

impl Charge {
    /// Counts nothing yet.
    pub const fn none(usage: &'static Usage, purpose: Purpose) -> Charge {
        Charge { usage, purpose, bytes: 0 }
    }

    /// Counts `bytes`, unless more than `limit` would be in use.
    #[inline]
    pub fn new(usage: &'static Usage, purpose: Purpose, bytes: usize, limit: u64) -> Result<Charge> {
        let mut charge = Charge::none(usage, purpose);
        charge.grow(bytes, limit)?;
        Ok(charge)
    }

    /// Counts `bytes` more, unless more than `limit` would be in use.
    pub fn grow(&mut self, bytes: usize, limit: u64) -> Result<()> {
        self.usage.add(self.purpose, bytes, limit)?;
        self.bytes += bytes;
        Ok(())
    }

    /// Counts no more than `bytes` from now on.
    pub fn shrink_to(&mut self, bytes: usize) {
        let less = self.bytes.saturating_sub(bytes);
        self.bytes -= less;
        self.usage.take_off(self.purpose, less);
    }

    /// Bytes that it counts.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.shrink_to(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_charge_takes_off_what_it_added_and_no_more() {
        static USAGE: Usage = Usage::new();
        let mut a = Charge::new(&USAGE, Purpose::Arrays, 100, 1000).unwrap();
        let b = Charge::new(&USAGE, Purpose::Blocks, 800, 1000).unwrap();
        assert_eq!(a.grow(101, 1000), Err(Error::OUT_OF_MEMORY));
        assert_eq!(Charge::new(&USAGE, Purpose::Pools, usize::MAX, u64::MAX).err(), Some(Error::OUT_OF_MEMORY));
        assert_eq!((a.bytes(), USAGE.bytes()), (100, 900), "what is refused counts nothing");
        a.grow(100, 1000).unwrap();
        a.shrink_to(150);
        a.shrink_to(200);
        assert_eq!((a.bytes(), USAGE.bytes()), (150, 950));
        let parts = USAGE.parts().map(|(_, bytes)| bytes);
        assert_eq!(parts, [800, 0, 0, 150, 0]);
        assert_eq!(USAGE.parts()[3].0, Purpose::Arrays);
        drop((a, b));
        assert_eq!(USAGE.parts().map(|(_, bytes)| bytes), [0; 5]);
    }
}
