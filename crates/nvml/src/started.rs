//! How often the library was started: each `nvmlInit` wants a `nvmlShutdown`.

use core::sync::atomic::{AtomicU32, Ordering};

static STARTED: AtomicU32 = AtomicU32::new(0);

/// Whether it is started.
pub fn is_started() -> bool {
    STARTED.load(Ordering::Acquire) > 0
}

/// Starts it, once more if it is started.
pub fn more() {
    STARTED.fetch_add(1, Ordering::AcqRel);
}

/// Takes one start back and tells how many there were, if there were any.
pub fn less() -> Option<u32> {
    STARTED.fetch_update(Ordering::AcqRel, Ordering::Acquire, |count| count.checked_sub(1)).ok()
}
