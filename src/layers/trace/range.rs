//! `DOPPEL_TRACE_RANGE=profiler`: a trace of what the program does between `cuProfilerStart` and `cuProfilerStop`.

use super::COMMON;
use crate::table::Entry;
use core::sync::atomic::Ordering;

/// Nothing is written until the program starts its profiler.
pub fn start() {
    COMMON.is_open.store(false, Ordering::Relaxed);
}

/// Whether calls are written now.
pub fn is_open() -> bool {
    COMMON.is_open.load(Ordering::Relaxed)
}

/// Whether calls of a function begin or end what is written.
pub fn is_about(entry: &Entry) -> bool {
    matches!(entry.base, "cuProfilerStart" | "cuProfilerStop")
}

/// The program has called such a function, with whatever answer: a driver without a profiler refuses.
pub fn after(entry: &Entry) {
    COMMON.is_open.store(entry.base == "cuProfilerStart", Ordering::Relaxed);
}
