//! What is mapped at reserved addresses, and who may use it.

use crate::memory::acting::acting_device;
use crate::memory::allocation::{Access, Allocation, MappedMemory};
use crate::memory::lookup::find;
use crate::memory::physical::Physical;
use crate::space::Overlay;
use core::ops::Range;
use error::{Error, Result, refuse, refuse_if};
use parking_lot::RwLock;
use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};

/// Physical memory mapped at an address.
pub struct Mapping {
    /// What is mapped.
    pub physical: Arc<Physical>,
    /// Where it is mapped.
    pub reservation: Arc<Allocation>,
    pub(super) overlay: Overlay,
    /// Devices that may read, and those that may write, by bit of their ordinal.
    pub(super) readers: AtomicU64,
    pub(super) writers: AtomicU64,
    /// The host's access, as the number of [`Access`].
    pub(super) host: AtomicU8,
}

impl Mapping {
    /// What the host may do here.
    pub fn host_access(&self) -> Access {
        [Access::None, Access::Read, Access::ReadWrite][usize::from(self.host.load(Ordering::Acquire)).min(2)]
    }

    pub(super) fn set_device_access(&self, ordinal: u32, access: Access) {
        let bit = 1u64.checked_shl(ordinal).unwrap_or(0);
        for (mask, least) in [(&self.readers, Access::Read), (&self.writers, Access::ReadWrite)] {
            if access >= least {
                mask.fetch_or(bit, Ordering::AcqRel);
            } else {
                mask.fetch_and(!bit, Ordering::AcqRel);
            }
        }
    }

    /// What any location may do here, which is what the pages allow.
    pub(super) fn widest(&self) -> Access {
        if self.writers.load(Ordering::Acquire) != 0 {
            Access::ReadWrite
        } else if self.readers.load(Ordering::Acquire) != 0 {
            Access::Read.max(self.host_access())
        } else {
            self.host_access()
        }
    }
}

impl MappedMemory for Mapping {
    fn device_access(&self, ordinal: u32) -> Access {
        let bit = 1u64.checked_shl(ordinal).unwrap_or(0);
        if self.writers.load(Ordering::Acquire) & bit != 0 {
            Access::ReadWrite
        } else if self.readers.load(Ordering::Acquire) & bit != 0 {
            Access::Read
        } else {
            Access::None
        }
    }

    fn is_decompressible(&self) -> bool {
        self.physical.properties.decompress
    }
}

/// Where multicast objects are mapped: ends, by first address. Nothing is at these addresses.
static MULTICAST: RwLock<BTreeMap<usize, usize>> = RwLock::new(BTreeMap::new());
/// How many there are.
static MULTICAST_COUNT: AtomicUsize = AtomicUsize::new(0);

/// Notes that a multicast object is mapped, or is no more.
pub(super) fn note_multicast(base: usize, size: usize, mapped: bool) {
    let mut all = MULTICAST.write();
    if mapped {
        all.insert(base, base + size);
    } else {
        all.remove(&base);
    }
    MULTICAST_COUNT.store(all.len(), Ordering::Release);
}

/// Whether there are multicast addresses.
#[inline]
pub fn any_multicast() -> bool {
    MULTICAST_COUNT.load(Ordering::Acquire) != 0
}

/// What is left of a range around an address without multicast addresses. `None` for one of these, and outside of the range.
pub fn beside_multicast(range: &Range<usize>, address: usize) -> Option<Range<usize>> {
    gap(&MULTICAST.read(), range, address)
}

/// The part of a range without multicast addresses that has most of `wanted`.
pub fn apart_from_multicast(range: &Range<usize>, wanted: &Range<usize>) -> Option<Range<usize>> {
    let all = MULTICAST.read();
    let starts = [range.start].into_iter().chain(all.values().copied());
    let gaps = starts.filter_map(|start| gap(&all, range, start));
    gaps.max_by_key(|gap| gap.end.min(wanted.end).saturating_sub(gap.start.max(wanted.start)))
}

fn gap(all: &BTreeMap<usize, usize>, range: &Range<usize>, address: usize) -> Option<Range<usize>> {
    let before = all.range(..=address).next_back().map_or(range.start, |(_, &end)| end);
    let behind = all.range(address..).next().map_or(range.end, |(&start, _)| start);
    let gap = before.max(range.start)..behind.min(range.end);
    gap.contains(&address).then_some(gap)
}

/// What is mapped at an allocation of kind [`MemoryKind::Mapped`](crate::memory::allocation::MemoryKind::Mapped).
pub fn of(mapped: &Allocation) -> Option<Arc<Mapping>> {
    let mapping: Arc<dyn Any + Send + Sync> = mapped.extra.lock().mapping.clone()?;
    mapping.downcast().ok()
}

/// True where a multicast object is mapped.
pub fn is_multicast(mapped: &Allocation) -> bool {
    of(mapped).is_some_and(|mapping| mapping.physical.multicast().is_some())
}

/// Checks that the current context's device may read, or write, `bytes` bytes at `addr`: `first` is the mapping there,
/// others may follow without a gap. The device that the memory is on, `None` for the host.
pub fn check(first: &Arc<Allocation>, addr: usize, bytes: usize, writes: bool) -> Result<Option<u32>> {
    let end = addr.checked_add(bytes).ok_or_else(|| {
        refuse!(Error::INVALID_VALUE, "_ {:#x} + {} bytes goes beyond the end of the address space", addr, bytes)
    })?;
    let needed = if writes { Access::ReadWrite } else { Access::Read };
    let ordinal = acting_device();
    let end_and_home = |allocation: &Allocation| {
        let mapping =
            of(allocation).ok_or_else(|| refuse!(Error::INVALID_VALUE, "_ {:#x} is not mapped", allocation.base))?;
        refuse_if!(
            Error::INVALID_VALUE,
            mapping.device_access(ordinal) < needed,
            "_ {:#x} is memory to which cuMemSetAccess gave device {} no such access",
            allocation.base,
            ordinal
        );
        Ok((allocation.base + allocation.size, mapping.physical.device().map(|d| d.ordinal)))
    };
    let (mut at, home) = end_and_home(first)?;
    while at < end {
        let next = find(at).ok_or_else(|| refuse!(Error::INVALID_VALUE, "_ {:#x} is not mapped", at))?;
        at = end_and_home(&next)?.0;
    }
    Ok(home)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multicast_addresses_are_left_out() {
        let all = BTreeMap::from([(100, 200), (200, 250), (400, 500)]);
        let whole = 50..1000;
        for (address, left) in [
            (49, None),
            (50, Some(50..100)),
            (99, Some(50..100)),
            (100, None),
            (199, None),
            (249, None),
            (250, Some(250..400)),
            (399, Some(250..400)),
            (499, None),
            (500, Some(500..1000)),
            (999, Some(500..1000)),
            (1000, None),
        ] {
            assert_eq!(gap(&all, &whole, address), left, "{address}");
        }
        assert_eq!(gap(&BTreeMap::new(), &whole, 60), Some(50..1000), "there are none");
        assert_eq!(gap(&all, &(450..1000), 600), Some(500..1000), "one begins before the range");
    }
}
