//! The lock of what is told about errors.

use std::sync::{Mutex, MutexGuard, TryLockError};

/// Locks what is held for moments alone. `None` if it stays locked: in the child of a fork, by a thread that is not there.
pub fn lock_briefly<T>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    for _ in 0..1000 {
        match mutex.try_lock() {
            Ok(guard) => return Some(guard),
            Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => std::thread::yield_now(),
        }
    }
    None
}
