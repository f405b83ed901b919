//! Addresses that are taken because the real driver has something there.

use crate::base::devices::{Device, is_started};
use crate::memory::allocation::{Allocation, MemoryKind};
use crate::memory::lookup::{CLASS_STANDIN, space};
use crate::space::{CHUNK, Zone};
use crate::stream::context;
use std::sync::Arc;

/// Addresses that something takes which lies elsewhere here.
pub struct Standin(Arc<Allocation>);

impl Standin {
    /// For an array of `size` bytes, which lies apart from those of other groups: look-ups find it.
    pub fn of_array(device: &Arc<Device>, size: usize, group: u32) -> Option<Standin> {
        Standin::take(device, size, MemoryKind::Array, CLASS_STANDIN + group)
    }

    /// For an array to which the program maps memory: look-ups find it, and it has chunks of its own.
    pub fn of_mapped_array(device: &Arc<Device>, size: usize) -> Option<Standin> {
        let owner = context::top().map_or(0, |context| context.handle);
        let make = |piece| Allocation::builder(device, piece, size, MemoryKind::Array).made_in(owner).build();
        space().ok()?.reserve_range(size, CHUNK, 0, make).ok().map(Standin)
    }

    /// For `size` bytes that no look-up finds.
    pub fn hidden(device: &Arc<Device>, size: usize) -> Option<Standin> {
        let taken = Standin::take(device, size, MemoryKind::Reserved, CLASS_STANDIN)?;
        space().ok()?.retire(taken.0.base, |a| Arc::ptr_eq(a, &taken.0))?;
        Some(taken)
    }

    fn take(device: &Arc<Device>, size: usize, kind: MemoryKind, class: u32) -> Option<Standin> {
        let owner = context::top().map_or((0, 0), |context| (context.id, context.handle));
        let zone = Zone { device: device.ordinal, class, heap: owner.0 as u32 };
        // No context frees it at its end: it goes with what it stands for.
        let make = |piece| Allocation::builder(device, piece, size, kind).made_in(owner.1).build();
        space().ok()?.place(zone, size.max(1), |_| Ok(None), make).ok().map(Standin)
    }
}

impl Drop for Standin {
    fn drop(&mut self) {
        // In a child of fork nothing may be locked.
        if is_started()
            && let Ok(space) = space()
        {
            let same = |a: &Arc<Allocation>| Arc::ptr_eq(a, &self.0);
            match self.0.kind {
                MemoryKind::Array => drop(space.remove_if(self.0.base, same)),
                _ => drop(space.release(self.0.base, same)),
            }
        }
    }
}
