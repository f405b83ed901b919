//! What `DOPPEL_CHECK` asks for: a check of every access of kernels, and a report of memory that is never freed.
//!
//! [`freed`] remembers what the program freed. [`accessible`] answers the interpreter, which checks accesses
//! ([`engine::state::check`]), [`report`] puts what it finds into words, [`summary`] sums up when the process ends. When nothing
//! is checked, an allocation costs one test of a flag, and kernels nothing.

mod accessible;
mod files;
mod freed;
mod memory;
mod report;
mod summary;
mod unwritten;

use crate::base::checking;
use crate::kernel::launch;
use crate::memory::{Allocation, observer};
use crate::stream;
use crate::stream::Fence;
use settings::config::Check;
use std::sync::Arc;

/// Begins to check. Called once, before the device is used.
pub fn start(check: &Check) {
    // Code that is not run is not brought into memory.
    if *check == Check::default() {
        return;
    }
    report::limit(check.limit);
    files::start(check);
    summary::status(check.exit);
    observer::install(&Checker);
    launch::install(launch::Checker { stopped: report::stopped, errors: report::errors });
    if check.unwritten {
        checking::install_writer(unwritten::write);
        stream::watch_all();
    }
    checking::set(check);
}

pub use summary::leaked;

/// Begins to look for leaks on a device that is not ours. When the process ends, `left` reports by [`leaked`] what is still there;
/// it is false where this process has none.
pub fn start_outside(check: &Check, left: fn() -> bool) {
    let leaks = Check { leaks: true, exit: check.exit, limit: check.limit, ..Check::default() };
    report::limit(check.limit);
    files::start(&Check { junit: check.junit.clone(), sarif: check.sarif.clone(), ..leaks });
    summary::status(check.exit);
    summary::ask_outside(left);
}

/// The observer of memory.
struct Checker;

impl observer::Observer for Checker {
    fn freed(&self, allocation: &Allocation, until: Vec<Fence>) {
        unwritten::forget(allocation.base, allocation.span);
        freed::enter(allocation, until);
    }

    fn lost(&self, allocation: &Allocation) {
        if memory::has_to_be_freed(allocation) {
            summary::leak(allocation);
        }
    }

    fn reused(&self, base: usize, bytes: usize) {
        unwritten::forget(base, bytes);
        freed::forget(base, bytes);
    }

    fn fresh(&self, base: usize, bytes: usize) {
        unwritten::begin(base, bytes);
    }

    fn delays(&self, allocation: &Allocation) -> bool {
        freed::delays(allocation)
    }

    fn hold(&self, allocation: &Arc<Allocation>) {
        freed::hold(allocation);
    }

    fn relieve(&self) {
        freed::relieve();
    }
}
