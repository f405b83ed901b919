//! What is mapped at reserved addresses, and who may use it.

use crate::memory::acting::acting_device;
use crate::memory::allocation::{Access, Allocation, MappedMemory};
use crate::memory::lookup::find;
use crate::memory::physical::Physical;
use crate::space::Overlay;
use error::{Error, Result, refuse, refuse_if};
use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

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
