//! What `DOPPEL_CHECK` asks for: a look at every access of kernels, and at memory that nobody frees.
//!
//! [`trace`] remembers where the program called us, [`past`] what it freed. [`knowledge`] answers the interpreter, which
//! looks at accesses ([`engine::check`]), [`report`] puts what it finds into words, [`finish`] sums up when the
//! process ends. When nothing is checked, an allocation costs one look at a flag, and kernels nothing.

mod finish;
mod knowledge;
mod past;
mod report;
mod trace;

pub use past::{delays, hold, relieve};
pub use report::{errors, stopped};
pub use trace::{Trace, here, on_behalf};

use super::memory::{Allocation, Kind};
use super::stream::Fence;
use core::sync::atomic::{AtomicU8, Ordering};
use settings::config::Check;

static ASKED: AtomicU8 = AtomicU8::new(0);
const MEMORY: u8 = 1;
const LEAKS: u8 = 2;

/// Begins to check. Called once, before the device is used.
pub fn start(check: &Check) {
    report::limit(check.limit);
    finish::status(check.exit);
    let asked = if check.memory { MEMORY } else { 0 } | if check.leaks { LEAKS } else { 0 };
    ASKED.store(asked, Ordering::Release);
}

/// True when accesses of kernels are looked at.
#[inline]
pub fn memory() -> bool {
    ASKED.load(Ordering::Relaxed) & MEMORY != 0
}

/// True when memory that nobody frees is listed.
fn leaks() -> bool {
    ASKED.load(Ordering::Relaxed) & LEAKS != 0
}

/// True when anything is checked.
#[inline]
fn is_on() -> bool {
    ASKED.load(Ordering::Relaxed) != 0
}

/// Memory is about to be freed. Kernels may go on using it until a stream comes to one of the points in `until`.
#[inline]
pub fn freed(allocation: &Allocation, until: &dyn Fn() -> Vec<Fence>) {
    if memory() {
        past::enter(allocation, until());
    }
}

/// Memory is about to be freed because its context ends: the program did not do it.
pub fn lost(allocation: &Allocation) {
    if leaks() && counts(allocation) {
        finish::leak(allocation);
    }
}

/// Addresses come to life again.
#[inline]
pub fn reused(base: usize, bytes: usize) {
    if memory() {
        past::forget(base, bytes);
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
