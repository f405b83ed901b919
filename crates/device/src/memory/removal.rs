//! The end of an allocation.

use crate::memory::allocation::{Allocation, MemoryKind};
use crate::memory::lookup::space;
use crate::memory::{ipc, managed, observer};
use error::{Error, Result, refuse};
use std::sync::Arc;

const PAGE: usize = 4096;

/// Takes an allocation out of the space, unless another thread was faster.
pub fn remove(owner: &Arc<Allocation>) -> Result<()> {
    let space = space()?;
    let (foreign, exported) = {
        let extra = owner.extra.lock();
        (extra.file.is_some(), extra.exported)
    };
    if owner.kind == MemoryKind::Imported {
        return ipc::forget(owner);
    }
    if exported {
        ipc::retract(owner);
    }
    observer::freed(owner, &Vec::new);
    if observer::delays(owner) && !foreign && !exported && owner.kind.is_placed() {
        space
            .retire(owner.base, |a| Arc::ptr_eq(a, owner))
            .ok_or_else(|| refuse!(Error::INVALID_VALUE, "_ {:#x} is being freed by another thread", owner.base))?;
        forget_hints(owner);
        observer::hold(owner);
        return Ok(());
    }
    let wanted = |a: &Arc<Allocation>| {
        let same = Arc::ptr_eq(a, owner);
        if same && foreign {
            // The chunks go back without the file's pages, the first of which may begin before the allocation.
            let lead = owner.base % PAGE;
            space.unmap(owner.base - lead, owner.span + lead);
        }
        same
    };
    space
        .remove_if(owner.base, wanted)
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "_ {:#x} is being freed by another thread", owner.base))?;
    // An export that began meanwhile saw it still there; one that begins now finds it gone.
    if !exported && owner.extra.lock().exported {
        ipc::retract(owner);
    }
    forget_hints(owner);
    Ok(())
}

/// Forgets what was said of the pages of an allocation that is gone.
fn forget_hints(owner: &Allocation) {
    if let MemoryKind::Managed(_) = owner.kind {
        managed::freed(owner);
    }
}

/// Gives the addresses of an allocation back that was freed, and held back since.
pub fn release(owner: &Arc<Allocation>) {
    if let Ok(space) = space() {
        space.release(owner.base, |a| Arc::ptr_eq(a, owner));
    }
    forget_hints(owner);
}
