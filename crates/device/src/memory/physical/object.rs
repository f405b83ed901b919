//! Physical memory and its handles.

use crate::base::devices::{Device, device, devices};
use crate::base::handle::{HandleKind, Table};
use crate::base::location::Location;
use crate::base::usage::Charge;
use crate::memory::physical::backing::{Backing, Window};
use crate::memory::physical::multicast::Multicast;
use crate::space::CHUNK;
use core::fmt;
use error::{Error, Result, refuse, refuse_if};
use guard::mapping::HostMapping;
use parking_lot::Mutex;
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

impl Properties {
    /// Of multicast objects that cannot leave the process: they count as memory of the first device.
    pub(super) const MULTICAST: Properties = Properties {
        descriptor: false,
        fabric: false,
        location: Location::Device(0),
        compressible: false,
        rdma: false,
        tile_pool: false,
        decompress: false,
    };
}

/// Where the bytes are.
pub(super) enum Bytes {
    /// Nowhere: all zero.
    Untouched,
    /// Anonymous pages at the only address that they are mapped at.
    InPlace(usize),
    /// Anonymous pages, mapped nowhere that a program could see.
    Aside(HostMapping),
    /// In a memory file.
    File(Arc<Backing>),
    /// On several devices: there are none to be mapped, and `multimem` instructions find them.
    Multicast(Arc<Multicast>),
}

/// A handle's state.
pub(super) struct Held {
    handle: usize,
    pub(super) references: u32,
}

/// Physical memory. It lives while a handle or a mapping holds it.
pub struct Physical {
    /// Bytes.
    pub size: usize,
    /// What it is made like.
    pub properties: Properties,
    /// Where the bytes are.
    pub(super) bytes: Mutex<Bytes>,
    _charge: Option<Charge>,
    pub(super) held: Mutex<Held>,
    window: Mutex<Weak<Window>>,
}

pub(crate) static HANDLES: Table<Physical> = Table::new(HandleKind::Allocation);

/// Whether memory can be exported over the fabric.
pub(super) fn has_fabric() -> bool {
    devices().iter().any(|d| d.profile.fabric)
}

/// Checks that `size` bytes are whole granules, and not none.
pub fn check_size(size: usize) -> Result<()> {
    refuse_if!(Error::INVALID_VALUE, size == 0, "size is 0");
    check_whole(size, format_args!("size {size}"))
}

/// Checks that a number of bytes, or an address, is one of whole granules. `named` is its name and value.
pub fn check_whole(value: usize, named: fmt::Arguments<'_>) -> Result<()> {
    refuse_if!(
        Error::INVALID_VALUE,
        !value.is_multiple_of(GRANULARITY),
        "{} is not a multiple of the granularity {}",
        named,
        GRANULARITY
    );
    Ok(())
}

/// Makes the first handle of memory.
pub(super) fn enter(size: usize, properties: Properties, bytes: Bytes, charge: Option<Charge>) -> Result<usize> {
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

    /// What it is, if it is a multicast object.
    pub fn multicast(&self) -> Option<Arc<Multicast>> {
        match &*self.bytes.lock() {
            Bytes::Multicast(multicast) => Some(multicast.clone()),
            _ => None,
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
