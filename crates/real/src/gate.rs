//! A lock that is free in a child of `fork`, whatever the parent's other threads were doing.

use core::cell::UnsafeCell;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// The one lock of this library. It is held around `fork`.
static LOCK: Mutex<()> = Mutex::new(());

/// The lock's guard while a thread is inside `fork`.
struct Held(UnsafeCell<Option<MutexGuard<'static, ()>>>);

// SAFETY: only the thread that holds `LOCK` touches it.
unsafe impl Sync for Held {}

static HELD: Held = Held(UnsafeCell::new(None));

extern "C" fn before_fork() {
    let guard = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: this thread holds the lock, up to `after_fork`, which it calls itself: in the parent and in the child.
    unsafe { *HELD.0.get() = Some(guard) };
}

extern "C" fn after_fork() {
    // SAFETY: as above.
    let guard = unsafe { (*HELD.0.get()).take() };
    drop(guard);
}

/// What the lock protects. Whoever is inside calls nothing that may come back here.
pub struct Gate<T>(UnsafeCell<T>);

// SAFETY: the contents are reached with the lock held alone.
unsafe impl<T: Send> Sync for Gate<T> {}

impl<T> Gate<T> {
    /// Contents behind the lock.
    pub const fn new(contents: T) -> Gate<T> {
        Gate(UnsafeCell::new(contents))
    }

    /// Runs `inside` with the contents, while nobody else does.
    pub fn with<R>(&self, inside: impl FnOnce(&mut T) -> R) -> R {
        static HANDLERS: Once = Once::new();
        HANDLERS.call_once(|| {
            // SAFETY: the handlers are functions of this library, which stays loaded.
            unsafe { libc::pthread_atfork(Some(before_fork), Some(after_fork), Some(after_fork)) };
        });
        let _guard = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the lock is held.
        inside(unsafe { &mut *self.0.get() })
    }
}
