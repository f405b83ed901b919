//! Physical memory: what `cuMemCreate` makes and `cuMemMap` maps.
//!
//! Memory that stays in the process and is mapped at one address, as most is, is anonymous memory right there, in huge
//! pages. While it is mapped nowhere its pages are kept aside. Memory that is mapped at several addresses, or may leave
//! the process, lies in a memory file: from the start where creation says so, else from the second mapping on. Memory
//! that may leave has a file of its own; all other shares one, in which every piece has its own offset, so that thousands
//! of pieces take one descriptor. Pages exist once they are touched.

mod bytes;
mod share;
use bytes::Bytes;
pub use share::{import_descriptor, import_fabric, open_foreign};

use crate::base::devices::{Device, device, devices};
use crate::base::handle::{HandleKind, Table};
use crate::base::location;
use crate::base::location::Location;
use crate::base::memory_file::MemoryFile;
use crate::space::CHUNK;
use error::{Error, Result, refuse, refuse_if};
use guard::mapping::{HostMapping, Rights};
use parking_lot::Mutex;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Weak};

/// Sizes are multiples of this, and so are the addresses at which the memory can be mapped.
pub const GRANULARITY: usize = CHUNK;

/// What physical memory is made like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Properties {
    /// Can leave the process as a file descriptor.
    pub descriptor: bool,
    /// Can leave the process as a fabric handle.
    pub fabric: bool,
    /// Where it is: a device that exists, or a NUMA node.
    pub location: Location,
    /// May be compressed.
    pub compressible: bool,
    /// May be reached by other devices on the bus.
    pub rdma: bool,
    /// Holds tiles of sparse arrays: cannot be mapped at addresses.
    pub tile_pool: bool,
    /// Can be used by a decompression engine.
    pub decompress: bool,
}

/// The file that all memory shares which stays in the process. Offsets are never used twice.
struct SharedFile {
    file: Arc<MemoryFile>,
    end: u64,
}

static SHARED_FILE: Mutex<Option<SharedFile>> = Mutex::new(None);

/// Bytes that a device counts as in use.
struct Charge {
    device: Arc<Device>,
    bytes: usize,
}

impl Charge {
    fn new(device: &Arc<Device>, bytes: usize) -> Result<Charge> {
        crate::memory::pool::charge(device, bytes)?;
        Ok(Charge { device: device.clone(), bytes })
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.device.usage.release(self.bytes);
    }
}

/// Bytes of a memory file.
pub struct Backing {
    file: Arc<MemoryFile>,
    offset: u64,
    size: usize,
    /// What they are counted as.
    _charge: Option<Charge>,
    /// Nobody else has the file's bytes: their pages go when this goes.
    private: bool,
}

impl Backing {
    /// Memory that stays in the process.
    fn private(size: usize) -> Result<Backing> {
        let mut shared = SHARED_FILE.lock();
        if shared.as_ref().is_none_or(|a| a.file.descriptor().is_err()) {
            *shared = Some(SharedFile { file: Arc::new(MemoryFile::create(0)?), end: 0 });
        }
        let shared = shared.as_mut().ok_or(Error::OUT_OF_MEMORY)?;
        let offset = shared.end;
        let end = offset.checked_add(size as u64).ok_or(Error::OUT_OF_MEMORY)?;
        shared.file.file.set_len(end).map_err(|_| Error::OUT_OF_MEMORY)?;
        shared.end = end;
        Ok(Backing { file: shared.file.clone(), offset, size, _charge: None, private: true })
    }

    /// Bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// A dma-buf of `size` bytes from `offset`, both multiples of the page size.
    pub fn dma_buf(&self, offset: usize, size: usize) -> Result<OwnedFd> {
        let inside = offset.checked_add(size).is_some_and(|end| end <= self.size);
        refuse_if!(
            Error::INVALID_VALUE,
            !inside,
            "size {} from offset {} goes beyond the end of the memory, {} bytes",
            size,
            offset,
            self.size
        );
        self.file.dma_buf(self.offset + offset as u64, size)
    }

    /// Maps all of it at `addr`, inaccessible, over what was there.
    pub fn map(&self, addr: usize) -> Result<()> {
        self.map_with(addr, Rights::None)
    }

    /// As [`Backing::map`], with rights.
    fn map_with(&self, addr: usize, rights: Rights) -> Result<()> {
        self.place(addr, 0, self.size, rights)
    }

    /// Maps `size` bytes from `offset`, a multiple of the page size, at `addr`, over what was there.
    pub fn map_part(&self, addr: usize, offset: usize, size: usize) -> Result<()> {
        self.place(addr, offset, size, Rights::ReadWrite)
    }

    fn place(&self, addr: usize, offset: usize, size: usize, rights: Rights) -> Result<()> {
        // SAFETY: the caller owns the addresses, a part of a reservation.
        unsafe { self.file.map(addr, self.offset.saturating_add(offset as u64), size, rights) }
    }
}

impl Drop for Backing {
    fn drop(&mut self) {
        if self.private {
            self.file.clear(self.offset, self.size);
        }
    }
}

/// Memory mapped at an address of the system's choice, for our own use.
pub struct Window {
    pages: HostMapping,
    _backing: Option<Arc<Backing>>,
}

impl Window {
    fn new(pages: Option<HostMapping>, size: usize, backing: Option<Arc<Backing>>) -> Result<Arc<Window>> {
        let pages =
            pages.ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "size {}: the host has no room for a mapping", size))?;
        Ok(Arc::new(Window { pages, _backing: backing }))
    }

    /// All of a file's bytes.
    fn of(backing: &Arc<Backing>) -> Result<Arc<Window>> {
        let (fd, offset) = (backing.file.descriptor()?, backing.offset as i64);
        Window::new(HostMapping::file(fd, offset, backing.size), backing.size, Some(backing.clone()))
    }

    /// `size` bytes of a file from `offset` on, as far as their pages go; and where the first of them is.
    pub fn of_part(backing: &Arc<Backing>, offset: usize, size: usize) -> Result<(Arc<Window>, usize)> {
        const PAGE: usize = 4096;
        let skipped = offset % PAGE;
        let size =
            size.checked_add(skipped).ok_or_else(|| refuse!(Error::INVALID_VALUE, "size {} is too large", size))?;
        let start = backing.offset.checked_add((offset - skipped) as u64).and_then(|n| i64::try_from(n).ok());
        let (fd, start) = (backing.file.descriptor()?, start.ok_or(Error::INVALID_VALUE)?);
        let window = Window::new(HostMapping::file(fd, start, size), size, Some(backing.clone()))?;
        let first = window.base() + skipped;
        Ok((window, first))
    }

    /// Memory of nobody else, all zero: `size` bytes, not 0.
    pub fn anonymous(size: usize) -> Result<Arc<Window>> {
        Window::new(HostMapping::anonymous(size, Rights::ReadWrite), size, None)
    }

    /// First byte.
    pub fn base(&self) -> usize {
        self.pages.base()
    }
}

/// A handle's state.
struct Held {
    handle: usize,
    references: u32,
}

/// Physical memory. It lives while a handle or a mapping holds it.
pub struct Physical {
    /// Bytes.
    pub size: usize,
    /// What it is made like.
    pub properties: Properties,
    /// Where the bytes are.
    bytes: Mutex<Bytes>,
    _charge: Option<Charge>,
    held: Mutex<Held>,
    window: Mutex<Weak<Window>>,
}

static HANDLES: Table<Physical> = Table::new(HandleKind::Allocation);

/// Whether memory can be exported over the fabric.
fn has_fabric() -> bool {
    devices().iter().any(|d| d.profile.fabric)
}

/// Checks that `size` bytes are whole granules, and not none.
pub fn check_size(size: usize) -> Result<()> {
    refuse_if!(Error::INVALID_VALUE, size == 0, "size is 0");
    refuse_if!(
        Error::INVALID_VALUE,
        !size.is_multiple_of(GRANULARITY),
        "size {} is not a multiple of the granularity {}",
        size,
        GRANULARITY
    );
    Ok(())
}

/// Checks what is told before anything else about memory that is to be made: that it has a size, and that the device
/// exists.
pub fn check(size: usize, location: Location) -> Result<()> {
    check_size(size)?;
    match location {
        Location::Device(ordinal) => device(ordinal).map(drop),
        _ => Ok(()),
    }
}

/// Makes physical memory and its first handle. `size` is a multiple of [`GRANULARITY`], not 0.
pub fn create(size: usize, properties: Properties) -> Result<usize> {
    check(size, properties.location)?;
    let mut properties = properties;
    let owner = match properties.location {
        Location::Device(ordinal) => Some(device(ordinal)?),
        Location::Host => {
            properties.location = Location::HostNuma(0);
            None
        }
        Location::HostNuma(node) if location::has_numa_node(node) => None,
        Location::HostNuma(_) | Location::HostNumaCurrent | Location::Unknown => {
            return Err(refuse!(
                Error::INVALID_VALUE,
                "prop.location {:?} is no location that memory can be made at",
                properties.location
            ));
        }
    };
    refuse_if!(
        Error::NOT_PERMITTED,
        properties.fabric && !has_fabric(),
        "prop.requestedHandleTypes asks for a fabric handle, and the device has no fabric"
    );
    refuse_if!(Error::OUT_OF_MEMORY, size > isize::MAX as usize, "size {} is more than an address space", size);
    let charge = owner.map(|device| Charge::new(device, size)).transpose()?;
    if properties.descriptor || properties.fabric {
        let backing = share::create(size, &properties, charge)?;
        return enter(size, properties, Bytes::File(backing), None);
    }
    // Tiles and memory for other devices of the bus are used by way of a file.
    let bytes = match properties.tile_pool || properties.rdma {
        true => Bytes::File(Arc::new(Backing::private(size)?)),
        false => Bytes::Untouched,
    };
    enter(size, properties, bytes, charge)
}

/// Makes the first handle of memory.
fn enter(size: usize, properties: Properties, bytes: Bytes, charge: Option<Charge>) -> Result<usize> {
    let entered = HANDLES.insert_with(|handle| {
        let held = Mutex::new(Held { handle, references: 1 });
        let (bytes, window) = (Mutex::new(bytes), Mutex::new(Weak::new()));
        Arc::new(Physical { size, properties, bytes, _charge: charge, held, window })
    });
    Ok(entered.ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "there are too many allocations"))?.held.lock().handle)
}

/// The memory behind a handle.
pub fn find(handle: u64) -> Result<Arc<Physical>> {
    usize::try_from(handle)
        .ok()
        .and_then(|h| HANDLES.get(h))
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "handle {:#x} is not a live allocation handle", handle))
}

/// Drops one reference of a handle.
pub fn release(handle: u64) -> Result<()> {
    let physical = find(handle)?;
    let mut held = physical.held.lock();
    held.references = held
        .references
        .checked_sub(1)
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "handle {:#x} has been released", handle))?;
    if held.references == 0 {
        HANDLES.remove(held.handle);
    }
    Ok(())
}

impl Physical {
    /// Takes a reference on the handle; memory whose handles are all gone gets a new one.
    pub fn retain(self: &Arc<Self>) -> Result<usize> {
        let mut held = self.held.lock();
        if held.references == 0 {
            HANDLES
                .insert_with(|handle| {
                    held.handle = handle;
                    self.clone()
                })
                .ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "there are too many allocations"))?;
        }
        held.references = held
            .references
            .checked_add(1)
            .ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "handle has been retained too often"))?;
        Ok(held.handle)
    }

    /// The file that it lies in. Memory that lies in none is [`Error::NOT_SUPPORTED`].
    pub fn file(&self) -> Result<Arc<Backing>> {
        match &*self.bytes.lock() {
            Bytes::File(backing) => Ok(backing.clone()),
            _ => Err(refuse!(Error::NOT_SUPPORTED, "handle is memory that was not made for export")),
        }
    }

    /// All of it mapped for our own use; the same mapping while anyone holds it.
    pub fn window(&self) -> Result<Arc<Window>> {
        let mut known = self.window.lock();
        if let Some(window) = known.upgrade() {
            return Ok(window);
        }
        let window = Window::of(&self.file()?)?;
        *known = Arc::downgrade(&window);
        Ok(window)
    }

    /// The device that it belongs to; `None` for memory of the host.
    pub fn device(&self) -> Option<Arc<Device>> {
        match self.properties.location {
            Location::Device(ordinal) => device(ordinal).ok().cloned(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dma_buf_is_a_part_of_the_memory() {
        let (_first, memory) = (Backing::private(GRANULARITY).unwrap(), Backing::private(2 * GRANULARITY).unwrap());
        assert_eq!(memory.dma_buf(GRANULARITY, 2 * GRANULARITY).err(), Some(Error::INVALID_VALUE), "past the memory");
        assert_eq!(memory.dma_buf(usize::MAX, 1).err(), Some(Error::INVALID_VALUE));
    }
}
