//! The memory checker is told here of what is freed and of what addresses are used again.
//!
//! The checker stands above this room and installs itself once. When nothing is checked, each of these costs one load of
//! a flag.

use crate::base::checking;
use crate::memory::allocation::Allocation;
use crate::stream::Fence;
use std::sync::{Arc, OnceLock};

/// Who watches the life of memory.
pub trait Observer: Send + Sync {
    /// Memory is about to be freed. Kernels may go on using it until a stream comes to one of the points in `until`.
    fn freed(&self, allocation: &Allocation, until: Vec<Fence>);
    /// Memory is about to be freed because its context ends: the program did not do it.
    fn lost(&self, allocation: &Allocation);
    /// Addresses come to life again.
    fn reused(&self, base: usize, bytes: usize);
    /// Nobody has written to addresses that have come to life.
    fn fresh(&self, base: usize, bytes: usize);
    /// True for memory whose addresses are to be held back when it is freed.
    fn delays(&self, allocation: &Allocation) -> bool;
    /// Holds the addresses of freed memory back, and lets the oldest ones go. Not with the address space locked.
    fn hold(&self, allocation: &Arc<Allocation>);
    /// Lets all addresses go: memory is short. Not with the address space locked.
    fn relieve(&self);
}

static OBSERVER: OnceLock<&'static dyn Observer> = OnceLock::new();

/// Installs the observer. The first one stays.
pub fn install(observer: &'static dyn Observer) {
    let _ = OBSERVER.set(observer);
}

#[cold]
fn tell(f: impl FnOnce(&dyn Observer)) {
    if let Some(observer) = OBSERVER.get() {
        f(*observer);
    }
}

/// [`Observer::freed`]; `until` is asked only if somebody wants to know.
#[inline]
pub fn freed(allocation: &Allocation, until: &dyn Fn() -> Vec<Fence>) {
    if checking::memory() {
        tell(|observer| observer.freed(allocation, until()));
    }
}

/// [`Observer::lost`]
#[inline]
pub fn lost(allocation: &Allocation) {
    if checking::leaks() {
        tell(|observer| observer.lost(allocation));
    }
}

/// [`Observer::reused`]
#[inline]
pub fn reused(base: usize, bytes: usize) {
    if checking::memory() {
        tell(|observer| observer.reused(base, bytes));
    }
}

/// [`Observer::fresh`]
#[inline]
pub fn fresh(allocation: &Allocation) {
    if checking::unwritten() {
        tell(|observer| observer.fresh(allocation.base, allocation.size));
    }
}

/// [`Observer::delays`]
#[inline]
pub fn delays(allocation: &Allocation) -> bool {
    let mut delays = false;
    if checking::memory() {
        tell(|observer| delays = observer.delays(allocation));
    }
    delays
}

/// [`Observer::hold`]
pub fn hold(allocation: &Arc<Allocation>) {
    tell(|observer| observer.hold(allocation));
}

/// [`Observer::relieve`]
pub fn relieve() {
    if checking::memory() {
        tell(|observer| observer.relieve());
    }
}
