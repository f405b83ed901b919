//! `DOPPEL_CHECK=leaks` in front of the real driver: what is still there when its context goes, and when the process ends, with
//! the call that made it.

use super::account::{ACCOUNTS, Account, Made};
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use device::base::trace::Trace;
use device::check;
use settings::config::Check;
use std::sync::Arc;

static ON: AtomicBool = AtomicBool::new(false);

/// Looks for leaks from now on.
pub fn start(settings: &Check) {
    ON.store(true, Ordering::Relaxed);
    ACCOUNTS.with(|_| ());
    check::start_outside(settings, left);
}

/// Whether anybody wants to know.
pub fn is_on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// What is to be said of memory that the program has just been given.
pub fn made(what: &'static str, at: u64) -> Option<Arc<Made>> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    is_on().then(|| {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        Arc::new(Made { number, what, at, trace: Trace::capture() })
    })
}

/// Reports what went with its context: the program has not freed it.
pub fn lost(mut accounts: Vec<Account>) {
    let number = |account: &Account| account.made.as_ref().map_or(0, |made| made.number);
    accounts.sort_by_key(number);
    for account in accounts {
        if let Some(made) = account.made {
            check::leaked(account.bytes, made.what, made.at, Some(&made.trace));
        }
    }
}

/// Reports what is left at the end. A child of a fork that has made no call of this kind has nothing to say.
fn left() -> bool {
    let there = ACCOUNTS.is_there();
    if there {
        lost(ACCOUNTS.with(|accounts| accounts.left()));
    }
    there
}
