//! What `DOPPEL_CHECK` asks for: a look at every access of kernels, and at memory that nobody frees.
//!
//! [`past`] remembers what the program freed. [`knowledge`] answers the interpreter, which
//! looks at accesses ([`engine::state::check`]), [`report`] puts what it finds into words, [`finish`] sums up when the
//! process ends. When nothing is checked, an allocation costs one look at a flag, and kernels nothing.

mod finish;
mod knowledge;
mod past;
mod report;

use crate::base::checking;
use crate::kernel::launch;
use crate::memory::{Allocation, Kind, observer};
use crate::stream::Fence;
use settings::config::Check;
use std::sync::Arc;

/// Begins to check. Called once, before the device is used.
pub fn start(check: &Check) {
    report::limit(check.limit);
    finish::status(check.exit);
    observer::install(&Checker);
    launch::install(launch::Checker { stopped: report::stopped, errors: report::errors });
    checking::set(check.memory, check.leaks);
}

/// What is told of memory.
struct Checker;

impl observer::Observer for Checker {
    fn freed(&self, allocation: &Allocation, until: Vec<Fence>) {
        past::enter(allocation, until);
    }

    fn lost(&self, allocation: &Allocation) {
        if counts(allocation) {
            finish::leak(allocation);
        }
    }

    fn reused(&self, base: usize, bytes: usize) {
        past::forget(base, bytes);
    }

    fn delays(&self, allocation: &Allocation) -> bool {
        past::delays(allocation)
    }

    fn hold(&self, allocation: &Arc<Allocation>) {
        past::hold(allocation);
    }

    fn relieve(&self) {
        past::relieve();
    }
}

/// True for memory that the program has to free.
fn counts(allocation: &Allocation) -> bool {
    let own = matches!(allocation.kind, Kind::Device | Kind::Host(_) | Kind::Managed(_) | Kind::Pool | Kind::HostPool);
    own && !allocation.extra.lock().of_module
}

/// What an allocation is, in words.
fn name(kind: &Kind) -> &'static str {
    match kind {
        Kind::Device => "device memory",
        Kind::Host(_) => "page-locked host memory",
        Kind::Registered(_) => "registered host memory",
        Kind::Managed(_) => "managed memory",
        Kind::Pool => "device memory in stream order",
        Kind::HostPool => "host memory of a pool",
        Kind::Imported => "memory of another process",
        Kind::Reserved => "reserved addresses without memory",
        Kind::Mapped => "mapped memory",
        Kind::Array => "array",
    }
}
