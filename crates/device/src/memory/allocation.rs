//! The record of an allocation.

use crate::base::devices::Device;
use crate::base::trace;
use crate::memory::acting::acting_device;
use crate::stream::context;
use crate::stream::context::Context;
use crate::stream::{Keepsake, Stream};
use error::Result;
use parking_lot::Mutex;
use std::any::Any;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::AtomicU8;
use std::sync::{Arc, Weak};

/// What an allocation is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemoryKind {
    /// `cuMemAlloc` and its like.
    Device,
    /// Host memory that we allocated; `CU_MEMHOSTALLOC_*` flags.
    Host(u32),
    /// Host memory of the program that it registered; `CU_MEMHOSTREGISTER_*` flags.
    Registered(u32),
    /// Managed memory; `CU_MEM_ATTACH_*` flags.
    Managed(u32),
    /// Device memory from a pool.
    Pool,
    /// Host memory from a pool.
    HostPool,
    /// Where the real driver has an array. Only questions find it: it is used by its handle.
    Array,
    /// Device memory of another process, by the interface of `cuIpc`.
    Imported,
    /// A range of addresses without memory. Where memory is mapped into it, a look-up finds [`MemoryKind::Mapped`].
    Reserved,
    /// Physical memory mapped into a reservation; [`Extra::mapping`] says what.
    Mapped,
}

impl MemoryKind {
    /// True for memory that has granules or chunks of its own.
    pub(super) fn is_placed(&self) -> bool {
        matches!(self, MemoryKind::Device | MemoryKind::Host(_) | MemoryKind::Managed(_))
    }
}

/// An allocation: a range of addresses and what the program may know of it.
pub struct Allocation {
    /// First address.
    pub base: usize,
    /// Bytes that the program asked for.
    pub size: usize,
    /// Bytes that it takes up.
    pub span: usize,
    /// What it is.
    pub kind: MemoryKind,
    /// The device that it belongs to.
    pub device: Arc<Device>,
    /// Id of the context that it was made in.
    pub context: u64,
    /// That context's handle.
    pub context_handle: usize,
    /// Unique in the process, increasing.
    pub id: u64,
    /// `CU_POINTER_ATTRIBUTE_SYNC_MEMOPS` as the program set it: 0 or 1, or [`SYNC_UNSET`].
    pub sync_memops: AtomicU8,
    /// Where the program made it, if anything is checked.
    pub made: Option<Arc<trace::Trace>>,
    /// The pool that the memory came from.
    pub pool: Option<Arc<dyn PoolMemory>>,
    /// What only few have.
    pub extra: Mutex<ExtraSlot>,
}

/// The value of [`Allocation::sync_memops`] before the program sets it.
pub const SYNC_UNSET: u8 = 2;

/// Rarely used parts of an allocation's state.
#[derive(Default)]
pub struct Extra {
    /// First address and size of the larger block of another process that the memory was cut out of.
    pub block: Option<(usize, usize)>,
    /// What is mapped here, for [`MemoryKind::Mapped`].
    pub mapping: Option<Arc<dyn MappedMemory>>,
    /// Other processes were told of it.
    pub exported: bool,
    /// Belongs to a module: the program does not free it.
    pub of_module: bool,
    /// Belongs to a graphics resource: the program does not free it.
    pub of_graphics: bool,
    /// A mapping of imported external memory.
    pub imported: bool,
    /// The node of a graph that allocates it, which decides when it is there and who frees it.
    pub graph: Option<Weak<dyn GraphMemory>>,
    /// The file whose pages are mapped here, for memory that is not the device's own: it is counted nowhere.
    pub file: Option<Keepsake>,
}

/// An [`Extra`] that takes no room before something is set: programs have millions of allocations without.
#[derive(Default)]
pub struct ExtraSlot(Option<Box<Extra>>);

impl ExtraSlot {
    /// A slot with these parts.
    pub fn of(extra: Extra) -> ExtraSlot {
        ExtraSlot(Some(Box::new(extra)))
    }
}

impl Deref for ExtraSlot {
    type Target = Extra;
    fn deref(&self) -> &Extra {
        static NONE: Extra = Extra {
            block: None,
            mapping: None,
            exported: false,
            of_module: false,
            of_graphics: false,
            imported: false,
            graph: None,
            file: None,
        };
        self.0.as_deref().unwrap_or(&NONE)
    }
}

impl DerefMut for ExtraSlot {
    fn deref_mut(&mut self) -> &mut Extra {
        self.0.get_or_insert_default()
    }
}

/// Access to a mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    /// None at all.
    None,
    /// Reading.
    Read,
    /// Reading and writing.
    ReadWrite,
}

/// The pool that memory came from.
pub trait PoolMemory: Any + Send + Sync {
    /// The pool's handle.
    fn handle(&self) -> usize;
    /// First address and size of the segment that holds an address of the pool.
    fn segment(&self, address: usize) -> (usize, usize);
    /// Kinds of handles for other processes that its memory can be exported as: `CU_MEM_HANDLE_TYPE_*` bits.
    fn handle_types(&self) -> u64;
    /// True for a device that was granted access to the pool's memory. Takes no lock.
    fn is_granted(&self, device: u32) -> bool;
    /// True when the memory was made for a decompression engine.
    fn is_decompressible(&self) -> bool;
}

/// What is mapped at reserved addresses.
pub trait MappedMemory: Any + Send + Sync {
    /// What a device may do here.
    fn device_access(&self, ordinal: u32) -> Access;
    /// True when the memory was made for a decompression engine.
    fn is_decompressible(&self) -> bool;
}

/// Memory that a node of a graph allocates.
pub trait GraphMemory: Send + Sync {
    /// Its device, if the range may be used although no memory is there yet.
    fn promised(&self, address: usize, bytes: usize) -> Option<u32>;
    /// Frees what a launch left to the program, once the device's work is complete. False when that is not so.
    fn free_now(&self) -> bool;
    /// Frees it in stream order, or adds that to the capture of the stream.
    fn free(self: Arc<Self>, stream: &Arc<Stream>) -> Result<()>;
}

impl Allocation {
    /// True for memory of the device's own that goes without a look at anybody else: neither a pool, a module nor another
    /// process has a part in it.
    #[inline]
    pub(super) fn is_plain(&self) -> bool {
        let extra = self.extra.lock();
        self.kind == MemoryKind::Device
            && self.pool.is_none()
            && extra.file.is_none()
            && !extra.exported
            && !extra.of_module
            && !extra.of_graphics
    }

    /// First address and size of the larger block that the memory was cut out of, where that is not a chunk: the segment of
    /// a pool, or a block of another process.
    pub(super) fn block(&self) -> Option<(usize, usize)> {
        match &self.pool {
            Some(pool) => Some(pool.segment(self.base)),
            None => self.extra.lock().block,
        }
    }

    /// True for a variable of a module that belongs to another context than the given one. Managed variables belong to all.
    pub fn is_variable_of_another(&self, context: usize) -> bool {
        self.kind == MemoryKind::Device && self.context_handle != context && self.extra.lock().of_module
    }

    /// True for what only the context that it was made in has an address for, if that is another one than the given one: a variable
    /// of a module, or imported external memory.
    pub fn is_only_of_another(&self, context: usize) -> bool {
        self.kind == MemoryKind::Device && self.context_handle != context && {
            let extra = self.extra.lock();
            extra.of_module || extra.imported
        }
    }

    /// The node of a graph that allocates this memory.
    pub fn graph(&self) -> Option<Arc<dyn GraphMemory>> {
        self.extra.lock().graph.as_ref()?.upgrade()
    }

    /// True for memory that came from a pool.
    #[inline]
    pub fn is_from_pool(&self) -> bool {
        self.pool.is_some()
    }

    /// True when the acting device was granted access to this memory of a pool.
    pub fn is_granted(&self) -> bool {
        let device = acting_device();
        self.pool.as_ref().is_some_and(|p| p.is_granted(device))
    }

    /// True when the acting device may use this memory in all ways, as kernels and memsets do. Copies ask for less: memory
    /// that came from no pool may be copied without access to the peer.
    pub fn is_open(&self) -> bool {
        let home = self.device.ordinal == acting_device();
        match self.kind {
            // Memory of another process may be open in a context of another device than its own.
            MemoryKind::Device | MemoryKind::Imported => {
                let open = |c: Arc<Context>| c.id == self.context || c.peers.lock().contains(&self.context);
                home || context::top().is_some_and(open)
            }
            MemoryKind::Pool => home || self.is_granted(),
            _ => true,
        }
    }

    /// True for memory that a decompression engine can use: plain device memory, or memory that was made for it.
    pub fn is_decompressible(&self) -> bool {
        let extra = self.extra.lock();
        self.kind == MemoryKind::Device && !extra.of_module
            || self.pool.as_ref().is_some_and(|p| p.is_decompressible())
            || extra.mapping.as_ref().is_some_and(|m| m.is_decompressible())
    }

    /// True for memory of the host side, which the program may touch directly.
    #[inline]
    pub fn is_host(&self) -> bool {
        matches!(self.kind, MemoryKind::Host(_) | MemoryKind::Registered(_) | MemoryKind::HostPool)
    }
}
