//! `DOPPEL_TRACE_RANGE=profiler`: a trace of what the program does between `cuProfilerStart` and `cuProfilerStop`.

use crate::table::Entry;
use core::sync::atomic::{AtomicBool, Ordering};

/// Calls are written now.
static OPEN: AtomicBool = AtomicBool::new(true);

/// Nothing is written until the program starts its profiler.
pub fn start() {
    OPEN.store(false, Ordering::Relaxed);
}

/// Whether calls are written now.
pub fn is_open() -> bool {
    OPEN.load(Ordering::Relaxed)
}

/// Whether calls of a function begin or end what is written.
pub fn is_about(entry: &Entry) -> bool {
    matches!(entry.base, "cuProfilerStart" | "cuProfilerStop")
}

/// The program has called such a function, with whatever answer: a driver without a profiler refuses.
pub fn after(entry: &Entry) {
    OPEN.store(entry.base == "cuProfilerStart", Ordering::Relaxed);
}
