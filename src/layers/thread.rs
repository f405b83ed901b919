//! What the layers know of each thread. In one place: each way to a thread's own memory takes a call.

use super::trace::Here;
use std::cell::Cell;

/// What there is of each thread. Nothing in it ends with the thread, which may make calls until its very end.
pub struct Thread {
    /// The thread makes calls for a layer, which are not the program's.
    ours: Cell<bool>,
    /// What the trace knows of it.
    pub trace: Here,
}

thread_local! {
    static THREAD: Thread = const { Thread { ours: Cell::new(false), trace: Here::new() } };
}

/// Does something with what there is of the calling thread.
#[inline]
pub fn with<R>(run: impl FnOnce(&Thread) -> R) -> R {
    THREAD.with(run)
}

impl Thread {
    /// Whether the thread makes calls for a layer.
    pub fn is_ours(&self) -> bool {
        self.ours.get()
    }
}

/// Makes calls that no layer is about.
pub fn as_ours<R>(calls: impl FnOnce() -> R) -> R {
    let before = with(|thread| thread.ours.replace(true));
    let result = calls();
    with(|thread| thread.ours.set(before));
    result
}
