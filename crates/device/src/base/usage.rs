//! How much memory of a device is in use.
//!
//! Whoever takes memory owns a [`Charge`], which takes the bytes off again when it goes: none can be forgotten, and none
//! taken off twice.

use error::{Error, Result, refuse};
use node::{ComputeMode, Load, Share};
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
pub struct Usage {
    /// Where the node's processes see them, if the device is shared.
    share: Option<Share>,
    /// Where they are counted else.
    alone: AtomicU64,
    /// The most that this process may have, whatever else is free.
    own_limit: u64,
    /// Those of [`Purpose::COUNTED`].
    parts: [AtomicU64; Purpose::COUNTED.len()],
}

impl Default for Usage {
    fn default() -> Usage {
        Usage::new()
    }
}

impl Usage {
    /// Nothing in use.
    pub const fn new() -> Usage {
        Usage {
            share: None,
            alone: AtomicU64::new(0),
            own_limit: u64::MAX,
            parts: [const { AtomicU64::new(0) }; Purpose::COUNTED.len()],
        }
    }

    /// Nothing in use by this process, of a device that others may share.
    pub fn shared(share: Option<Share>) -> Usage {
        Usage { share, ..Usage::new() }
    }

    /// The same, of which this process may have `limit` bytes; `None`: all.
    pub fn limited(self, limit: Option<u64>) -> Usage {
        Usage { own_limit: limit.unwrap_or(u64::MAX), ..self }
    }

    /// Whether other processes share the device.
    pub fn is_shared(&self) -> bool {
        self.share.is_some()
    }

    /// Gives what this process holds to the others, for a while.
    pub fn set_aside(&self) {
        if let Some(share) = &self.share {
            share.set_aside(self.bytes());
        }
    }

    /// Takes it back, of so many bytes that there are for all. False if others have too much of them.
    pub fn take_back(&self, all: u64) -> bool {
        let Some(share) = &self.share else { return true };
        share.set_aside(0);
        share.sweep();
        share.others().saturating_add(self.bytes()) <= all
    }

    #[inline]
    fn total(&self) -> &AtomicU64 {
        match &self.share {
            Some(share) => share.bytes(),
            None => &self.alone,
        }
    }

    /// Bytes in use by this process.
    pub fn bytes(&self) -> u64 {
        self.total().load(Ordering::Acquire)
    }

    /// Bytes in use by all processes that share the device.
    pub fn bytes_of_all(&self) -> u64 {
        let others = self.share.as_ref().map_or(0, |share| {
            share.sweep();
            share.others()
        });
        self.bytes().saturating_add(others)
    }

    /// What others have of the device, or had when they ended.
    #[inline]
    fn others(&self) -> u64 {
        self.share.as_ref().map_or(0, Share::others)
    }

    /// Counts a context that this process is about to make on the device.
    /// [`Error::DEVICE_UNAVAILABLE`] if the device's compute mode does not let it.
    pub fn claim_context(&self) -> Result<()> {
        let claimed = self.share.as_ref().map_or(Ok(()), Share::claim_context);
        claimed.map_err(|mode| match mode {
            ComputeMode::Prohibited => {
                refuse!(Error::DEVICE_UNAVAILABLE, "the device's compute mode is CU_COMPUTEMODE_PROHIBITED")
            }
            _ => refuse!(
                Error::DEVICE_UNAVAILABLE,
                "the device has a context, and its compute mode is CU_COMPUTEMODE_EXCLUSIVE_PROCESS"
            ),
        })
    }

    /// Counts a context of this process no more.
    pub fn release_context(&self) {
        if let Some(share) = &self.share {
            share.context_gone();
        }
    }

    /// The device's compute mode, if somebody can set it.
    pub fn compute_mode(&self) -> Option<u32> {
        self.share.as_ref().map(|share| share.compute_mode() as u32)
    }

    /// Runs something that keeps the device busy.
    #[inline]
    pub fn busy<R>(&self, load: Load, run: impl FnOnce() -> R) -> R {
        let Some(track) = self.share.as_ref().map(|share| share.track(load)) else { return run() };
        track.begin();
        // Also when it panics.
        let _end = Ending(|| track.end());
        run()
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
        let swept = || self.share.as_ref().is_some_and(Share::sweep);
        let fits = self.fits(bytes, limit) || (swept() && self.fits(bytes, limit));
        if !fits && self.bytes().saturating_add(bytes as u64) > self.own_limit {
            return Err(refuse!(
                Error::OUT_OF_MEMORY,
                "bytesize: {} more bytes are over DOPPEL_MEMORY_LIMIT: the process has {} of {}",
                bytes,
                self.bytes(),
                self.own_limit
            ));
        }
        if !fits {
            return Err(refuse!(
                Error::OUT_OF_MEMORY,
                "bytesize: {} more bytes do not fit on the device, which has {} of {} in use, {} by other processes",
                bytes,
                self.bytes().saturating_add(self.others()),
                limit,
                self.others()
            ));
        }
        if let Some(part) = self.part(purpose) {
            part.fetch_add(bytes as u64, Ordering::AcqRel);
        }
        Ok(())
    }

    /// Counts `bytes` if they fit.
    #[inline]
    fn fits(&self, bytes: usize, limit: u64) -> bool {
        let fit = |used: u64, others: u64| used.saturating_add(others) <= limit;
        let others = self.others();
        let add = |used: u64| used.checked_add(bytes as u64).filter(|&n| n <= self.own_limit && fit(n, others));
        let Ok(before) = self.total().fetch_update(Ordering::SeqCst, Ordering::Acquire, add) else { return false };
        // Another process may have come between: of two that are too much together neither gets what both saw as free.
        let stays = self.share.is_none() || fit(before + bytes as u64, self.others());
        if !stays {
            self.total().fetch_sub(bytes as u64, Ordering::AcqRel);
        }
        stays
    }

    fn take_off(&self, purpose: Purpose, bytes: usize) {
        if let Some(part) = self.part(purpose) {
            part.fetch_sub(bytes as u64, Ordering::AcqRel);
        }
        self.total().fetch_sub(bytes as u64, Ordering::AcqRel);
    }
}

/// Calls a function when it goes.
struct Ending<F: Fn()>(F);

impl<F: Fn()> Drop for Ending<F> {
    fn drop(&mut self) {
        self.0();
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
    fn a_process_has_no_more_than_its_limit() {
        static USAGE: std::sync::LazyLock<Usage> = std::sync::LazyLock::new(|| Usage::new().limited(Some(500)));
        let first = Charge::new(&USAGE, Purpose::Blocks, 300, 1000).unwrap();
        assert_eq!(Charge::new(&USAGE, Purpose::Pools, 201, 1000).err(), Some(Error::OUT_OF_MEMORY));
        let second = Charge::new(&USAGE, Purpose::Pools, 200, 1000).unwrap();
        assert_eq!(USAGE.bytes(), 500);
        drop((first, second));
        assert_eq!(USAGE.bytes(), 0);
        assert_eq!(Charge::new(&USAGE, Purpose::Pools, 400, 399).err(), Some(Error::OUT_OF_MEMORY), "the device's own");
    }

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
