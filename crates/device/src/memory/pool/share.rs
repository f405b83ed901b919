//! Pools that leave the process: the pool by descriptor or fabric handle, its allocations by a few bytes of data.
//!
//! The memory of such a pool lies in a memory file of its own. The first chunk of the file tells what the pool is like;
//! the extents of the pool follow. An importer maps the extents that it is told of, and sees the allocations that it
//! was handed. Whatever comes from outside is checked before it is believed.

use crate::base::devices::device;
use crate::base::handle_words;
use crate::base::handle_words::Carried;
use crate::base::location::Location;
use crate::base::memory_file::{MemoryFile, duplicate};
use crate::memory::allocation::MemoryKind;
use crate::memory::lookup::{find, space};
use crate::memory::pool::file::{Imports, MAGIC, SEALS, properties};
use crate::memory::pool::pools::{Origin, POOLS, Pool, pool_of};
use crate::space::GRANULE;

use error::{Error, Result, refuse, refuse_if};
use std::os::fd::OwnedFd;
use std::sync::Arc;

const POINTER_MAGIC: u64 = u64::from_le_bytes(*b"DOPPELpp");

/// A fabric handle: process, descriptor, inode.
pub type FabricHandle = Carried;

/// What another process needs to find one allocation: inode of the pool's file, offset and size of the extent in the
/// file, offset of the allocation in the extent, its size.
pub type PointerData = Carried;

fn import(file: MemoryFile) -> Option<Result<Arc<Pool>>> {
    let properties = properties(&file.read_words(0)?)?;
    let owner = match properties.location {
        Location::Device(id) => device(id),
        _ => device(0),
    };
    let owner = match owner {
        Ok(owner) => owner.clone(),
        Err(error) => return Some(Err(error)),
    };
    // What is here already is here once more.
    let again = POOLS.all().into_iter().find(|pool| {
        let mut state = pool.state.lock();
        match &mut state.imports {
            Some(imports) if imports.file.inode == file.inode && imports.references > 0 => {
                imports.references += 1;
                true
            }
            _ => false,
        }
    });
    if let Some(pool) = again {
        return Some(Ok(pool));
    }
    let imports = Imports::new(file);
    Some(Pool::build(properties, owner, Origin::Imported, |state| state.imports = Some(imports)))
}

/// Makes a pool of the memory of another process's pool. The descriptor stays the caller's. One of anything else is
/// [`Error::UNKNOWN`].
pub fn import_descriptor(fd: i32) -> Result<Arc<Pool>> {
    let file = duplicate(fd)
        .and_then(|fd| MemoryFile::adopt(fd.into(), SEALS))
        .ok_or_else(|| refuse!(Error::UNKNOWN, "handle {} is not the descriptor of an exported pool", fd))?;
    import(file).ok_or_else(|| refuse!(Error::UNKNOWN, "handle {} is not the descriptor of an exported pool", fd))?
}

/// Makes a pool of the memory of another process's pool. A handle that names nothing is [`Error::UNKNOWN`].
pub fn import_fabric(handle: &FabricHandle) -> Result<Arc<Pool>> {
    let Some([process, descriptor, inode, 0, 0, 0, 0]) = handle_words::open(MAGIC, handle) else {
        return Err(refuse!(Error::UNKNOWN, "handle is not the fabric handle of a pool"));
    };
    let (Ok(process), Ok(descriptor)) = (u32::try_from(process), i32::try_from(descriptor)) else {
        return Err(refuse!(Error::UNKNOWN, "handle is not the fabric handle of a pool"));
    };
    let file = MemoryFile::open_from(process, descriptor, inode, SEALS)
        .ok_or_else(|| refuse!(Error::UNKNOWN, "handle: process {} has no such pool any more", process))?;
    import(file).ok_or_else(|| refuse!(Error::UNKNOWN, "handle is not the fabric handle of a pool"))?
}

impl Pool {
    /// A descriptor of the pool for another process, closed on `exec`.
    pub fn export_descriptor(&self) -> Result<OwnedFd> {
        let mut state = self.state.lock();
        state.exported = true;
        let file = state.arena.file().ok_or_else(|| {
            refuse!(
                Error::INVALID_VALUE,
                "pool {:#x} was made without handle types, and cannot be exported",
                self.handle
            )
        })?;
        file.descriptor()?;
        Ok(file.file.try_clone().map_err(|_| Error::OPERATING_SYSTEM)?.into())
    }

    /// A fabric handle of the pool.
    pub fn export_fabric(&self) -> Result<FabricHandle> {
        refuse_if!(
            Error::NOT_PERMITTED,
            !self.device.profile.fabric,
            "handleType is a fabric handle, and the device has no fabric"
        );
        let mut state = self.state.lock();
        state.exported = true;
        let file = state.arena.file().ok_or_else(|| {
            refuse!(
                Error::INVALID_VALUE,
                "pool {:#x} was made without handle types, and cannot be exported",
                self.handle
            )
        })?;
        let words = [std::process::id().into(), file.descriptor()? as u64, file.inode];
        Ok(handle_words::seal(MAGIC, &words))
    }

    /// Maps one allocation of the exporter. An allocation that is here already keeps its address.
    pub fn import_pointer(self: &Arc<Self>, data: &PointerData) -> Result<usize> {
        let Some([inode, offset, extent_size, at, size, 0, 0]) = handle_words::open(POINTER_MAGIC, data) else {
            return Err(refuse!(Error::INVALID_VALUE, "shareData is not what cuMemPoolExportPointer wrote"));
        };
        let number = |n: u64| {
            usize::try_from(n).map_err(|_| refuse!(Error::INVALID_VALUE, "shareData has {}, which is too large", n))
        };
        let (extent_size, at, size) = (number(extent_size)?, number(at)?, number(size)?);
        let end = at
            .checked_add(size)
            .ok_or_else(|| refuse!(Error::INVALID_VALUE, "shareData is not what cuMemPoolExportPointer wrote"))?;
        refuse_if!(
            Error::INVALID_VALUE,
            size == 0 || end > extent_size || !at.is_multiple_of(GRANULE),
            "shareData is not what cuMemPoolExportPointer wrote"
        );
        let mut state = self.state.lock();
        let imports = state.imports.as_mut().filter(|i| i.file.inode == inode).ok_or_else(|| {
            refuse!(
                Error::INVALID_VALUE,
                "shareData is of another pool than pool {:#x}, or that is not an imported one",
                self.handle
            )
        })?;
        let extent = imports.extent(offset, extent_size)?;
        let base = extent + at;
        match space()?.find_overlapping(base, size) {
            Some(same) if same.base == base && same.size == size => return Ok(base),
            Some(_) => {
                return Err(refuse!(
                    Error::INVALID_VALUE,
                    "shareData: the allocation overlaps one that was imported already"
                ));
            }
            None => {
                let allocation = self.record(base, size);
                space()?.enter_packed(base, size, allocation)?;
            }
        }
        state.live += 1;
        Ok(base)
    }
}

/// What another process needs to import the allocation that begins at `base`, from a pool that was exported.
pub fn export_pointer(base: usize) -> Result<PointerData> {
    let allocation = find(base).filter(|a| a.base == base && a.kind != MemoryKind::Mapped).ok_or_else(|| {
        refuse!(Error::INVALID_VALUE, "ptr {:#x} is not the beginning of an allocation from a pool", base)
    })?;
    let pool =
        pool_of(&allocation).ok_or_else(|| refuse!(Error::INVALID_VALUE, "ptr {:#x} is not memory of a pool", base))?;
    let state = pool.state.lock();
    let file =
        state.arena.file().filter(|_| state.exported).ok_or_else(|| {
            refuse!(Error::INVALID_VALUE, "ptr {:#x} is memory of a pool that was not exported", base)
        })?;
    let (extent, extent_size, offset) = state
        .arena
        .extent_of(base)
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "ptr {:#x} is memory of a pool that was not exported", base))?;
    let words = [file.inode, offset, extent_size as u64, (base - extent) as u64, allocation.size as u64];
    Ok(handle_words::seal(POINTER_MAGIC, &words))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::pool::pools::tests::pinned;
    use crate::memory::pool::properties::Properties;
    use crate::testing::context;
    use std::os::fd::AsRawFd;

    #[test]
    fn an_imported_allocation_is_the_same_memory() {
        let context = context();
        let stream = context.legacy_stream();
        let pool = Pool::create(Properties { handle_types: 1, ..pinned() }).unwrap();
        let a = pool.alloc(100_000, stream).unwrap();
        let b = pool.alloc(1000, stream).unwrap();
        assert!(export_pointer(b).is_err(), "not before the pool");
        let fd = pool.export_descriptor().unwrap();
        let data = export_pointer(b).unwrap();
        assert!(export_pointer(b + 512).is_err());
        let other = import_descriptor(fd.as_raw_fd()).unwrap();
        let there = other.import_pointer(&data).unwrap();
        assert_ne!(there, b);
        // SAFETY: both are mapped.
        unsafe {
            *((b + 999) as *mut u8) = 42;
            assert_eq!(*((there + 999) as *const u8), 42);
        }
        assert_eq!(find(there + 999).unwrap().size, 1000);
        assert!(find(there + 1000).is_none());
        assert_eq!(other.import_pointer(&data).unwrap(), there);
        for bit in 0..512 {
            let mut wrong = data;
            wrong[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(other.import_pointer(&wrong), Err(Error::INVALID_VALUE), "bit {bit}");
        }
        for at in 0..5 {
            let mut wrong = handle_words::open(POINTER_MAGIC, &data).unwrap();
            for bad in [u64::MAX, 0, 1, wrong[at].wrapping_add(1), wrong[at] << 40] {
                // Another place in the extent is something that the exporter could have said.
                if bad != wrong[at] && (at < 3 || bad > 1 << 40) {
                    let good = std::mem::replace(&mut wrong[at], bad);
                    let made = handle_words::seal(POINTER_MAGIC, &wrong);
                    assert!(other.import_pointer(&made).is_err(), "word {at} = {bad:#x}");
                    wrong[at] = good;
                }
            }
        }
        assert!(pool.import_pointer(&data).is_err(), "not imported");
        assert_eq!(import_descriptor(fd.as_raw_fd()).unwrap().handle, other.handle);
        Pool::destroy(other.handle).unwrap();
        assert!(Pool::destroy(other.handle).is_err(), "memory of it is in use");
        crate::memory::pool::free(there, stream).unwrap();
        assert!(find(there).is_none());
        assert_eq!(other.alloc(1, stream), Err(Error::INVALID_VALUE));
        for p in [a, b] {
            crate::memory::pool::free(p, stream).unwrap();
        }
        assert!(import_descriptor(0).is_err() && import_descriptor(-1).is_err());
        Pool::destroy(other.handle).unwrap();
        Pool::destroy(pool.handle).unwrap();
        context.destroy();
    }
}
