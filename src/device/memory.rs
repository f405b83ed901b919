//! Linear memory: device memory, host memory and what both share, the record of an allocation.

use super::Device;
use super::context::Context;
use super::space::{Piece, Zone, space};
use crate::error::{Error, Result};
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// What an allocation is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
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
    /// A range of addresses without memory. Where memory is mapped into it, a look-up finds [`Kind::Mapped`].
    Reserved,
    /// Physical memory mapped into a reservation; [`Extra::mapping`] says what.
    Mapped,
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
    pub kind: Kind,
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
    /// What only some kinds need.
    pub extra: Mutex<Extra>,
}

/// The value of [`Allocation::sync_memops`] before the program sets it.
pub const SYNC_UNSET: u8 = 2;

/// Rarely used parts of an allocation's state.
#[derive(Default)]
pub struct Extra {
    /// What is mapped here, for [`Kind::Mapped`].
    pub mapping: Option<Arc<super::virtual_memory::Mapping>>,
    /// What the program said of its pages, for [`Kind::Managed`].
    pub managed: Option<super::managed::Pages>,
}

impl Allocation {
    /// True for memory of the host side, which the program may touch directly.
    pub fn is_host(&self) -> bool {
        matches!(self.kind, Kind::Host(_) | Kind::Registered(_))
    }
}

/// The next buffer id.
pub fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Zone classes: kinds of memory that never share a chunk.
const CLASS_DEVICE: u32 = 0;
const CLASS_HOST: u32 = 1;

pub(super) fn record(context: &Context, piece: Piece, size: usize, kind: Kind) -> Arc<Allocation> {
    Arc::new(Allocation {
        base: piece.base,
        size,
        span: piece.span,
        kind,
        device: context.device.clone(),
        context: context.id,
        context_handle: context.handle,
        id: next_id(),
        sync_memops: AtomicU8::new(SYNC_UNSET),
        extra: Mutex::new(Extra::default()),
    })
}

/// Allocates device memory: `size` bytes (not 0), 512-byte aligned.
pub fn alloc(context: &Context, size: usize) -> Result<Arc<Allocation>> {
    let device = &context.device;
    let zone = Zone { device: device.ordinal, class: CLASS_DEVICE };
    let limit = device.memory_for_programs();
    space()?.place(
        zone,
        size,
        |bytes| device.usage.charge(bytes, limit),
        |piece| record(context, piece, size, Kind::Device),
    )
}

/// Frees the device memory that begins at `base`. Waits for the device's queued work first, as the real driver does.
pub fn free(base: usize) -> Result<()> {
    let space = space()?;
    let kind = space.with(base, |first, _, a| (first == base).then(|| a.kind.clone())).flatten();
    if !matches!(kind, Some(Kind::Device | Kind::Managed(_))) {
        return Err(Error::INVALID_VALUE);
    }
    let (allocation, bytes) = space.remove(base).ok_or(Error::INVALID_VALUE)?;
    if allocation.kind == Kind::Device {
        allocation.device.usage.release(bytes);
    }
    Ok(())
}

/// Allocates host memory: `size` bytes (not 0), accessible to the program and every device.
pub fn alloc_host(context: &Context, size: usize, flags: u32) -> Result<Arc<Allocation>> {
    let zone = Zone { device: u32::MAX, class: CLASS_HOST };
    space()?.place(zone, size, |_| Ok(()), |piece| record(context, piece, size, Kind::Host(flags)))
}

/// Frees host memory that [`alloc_host`] gave.
pub fn free_host(base: usize) -> Result<()> {
    let space = space()?;
    let ours = space.with(base, |first, _, a| first == base && matches!(a.kind, Kind::Host(_)));
    if ours != Some(true) {
        return Err(Error::INVALID_VALUE);
    }
    space.remove(base).map(drop).ok_or(Error::INVALID_VALUE)
}

/// Registers host memory of the program.
pub fn register(context: &Context, base: usize, size: usize, flags: u32) -> Result<()> {
    let piece = Piece { base, span: size };
    space()?.enter_foreign(base, size, record(context, piece, size, Kind::Registered(flags)))
}

/// Ends the registration of the range that begins at `base`.
pub fn unregister(base: usize) -> Result<()> {
    let space = space()?;
    let ours = space.with(base, |first, _, a| first == base && matches!(a.kind, Kind::Registered(_)));
    if ours != Some(true) {
        return Err(Error::HOST_MEMORY_NOT_REGISTERED);
    }
    space.remove(base).map(drop).ok_or(Error::HOST_MEMORY_NOT_REGISTERED)
}

/// The allocation that holds `addr`.
pub fn find(addr: usize) -> Option<Arc<Allocation>> {
    space().ok()?.find(addr)
}

/// Frees everything that was made in a context.
pub fn free_all_of(context: &Context) {
    let Ok(space) = space() else { return };
    for allocation in space.collect(|a| a.context == context.id) {
        if let Some((allocation, bytes)) = space.remove(allocation.base)
            && allocation.kind == Kind::Device
        {
            allocation.device.usage.release(bytes);
        }
    }
}
