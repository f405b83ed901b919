//! How the record of an allocation is made.

use crate::base::devices::Device;
use crate::base::trace;
use crate::memory::allocation::{Allocation, Extra, ExtraSlot, MemoryKind, PoolMemory, SYNC_UNSET};
use crate::memory::observer;
use crate::space::Piece;
use crate::stream::context::Context;
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

impl Allocation {
    /// The first step to a new allocation of `size` bytes; [`Builder::build`] is the last.
    #[inline(always)]
    pub fn builder(device: &Arc<Device>, piece: Piece, size: usize, kind: MemoryKind) -> Builder {
        Builder { device: device.clone(), piece, size, kind, context: 0, context_handle: 0, pool: None }
    }
}

/// A new allocation on its way. It belongs to no context unless [`Builder::of`] says so.
pub struct Builder {
    device: Arc<Device>,
    piece: Piece,
    size: usize,
    kind: MemoryKind,
    context: u64,
    context_handle: usize,
    pool: Option<Arc<dyn PoolMemory>>,
}

impl Builder {
    /// It belongs to a context, which frees it at its end.
    #[inline(always)]
    pub fn of(mut self, context: &Context) -> Builder {
        (self.context, self.context_handle) = (context.id, context.handle);
        self
    }

    /// It was made in a context, by its handle, whose end does not free it.
    #[inline(always)]
    pub fn made_in(mut self, context_handle: usize) -> Builder {
        self.context_handle = context_handle;
        self
    }

    /// It comes from a pool.
    #[inline(always)]
    pub fn from_pool(mut self, pool: Arc<dyn PoolMemory>) -> Builder {
        self.pool = Some(pool);
        self
    }

    /// The allocation, made by the call of the program that is under way.
    #[inline(always)]
    pub fn build(self) -> Arc<Allocation> {
        self.finish(trace::here(), ExtraSlot::default)
    }

    /// [`Builder::build`] with the rarely used parts.
    #[inline(always)]
    pub fn build_with(self, extra: impl FnOnce() -> Extra) -> Arc<Allocation> {
        self.finish(trace::here(), || ExtraSlot::of(extra()))
    }

    /// The allocation that a node of a graph makes where another one takes its place, made by the same call.
    pub fn build_like(self, other: &Allocation) -> Arc<Allocation> {
        let graph = other.extra.lock().graph.clone();
        self.finish(other.made.clone(), || ExtraSlot::of(Extra { graph, ..Extra::default() }))
    }

    #[inline(always)]
    fn finish(self, made: Option<Arc<trace::Trace>>, extra: impl FnOnce() -> ExtraSlot) -> Arc<Allocation> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        observer::reused(self.piece.base, self.piece.span);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        // Written where it stays: moving it there costs as much as the rest, because it is read before it has left the
        // processor's store buffer.
        let record = Arc::new_uninit();
        let allocation = Allocation {
            base: self.piece.base,
            size: self.size,
            span: self.piece.span,
            kind: self.kind,
            device: self.device,
            context: self.context,
            context_handle: self.context_handle,
            id,
            sync_memops: AtomicU8::new(SYNC_UNSET),
            made,
            pool: self.pool,
            extra: Mutex::new(extra()),
        };
        // SAFETY: nobody else has the record yet (`Arc::get_mut` would ask by a locked exchange), and it is written here.
        unsafe {
            Arc::as_ptr(&record).cast::<Allocation>().cast_mut().write(allocation);
            record.assume_init()
        }
    }
}

/// The record of an allocation that belongs to a context.
#[inline]
pub fn record(context: &Context, piece: Piece, size: usize, kind: MemoryKind) -> Arc<Allocation> {
    Allocation::builder(&context.device, piece, size, kind).of(context).build()
}
