//! The policy that says when queued work runs.

use guard::state;
use std::sync::atomic::Ordering;

/// When queued work runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// As soon as it may.
    Eager,
    /// Not before someone waits for it or asks, or a quarter of a second has gone by.
    Lazy,
    /// Now or later, in any legal order, decided by a seeded generator.
    Random,
}

/// Set beside the policy when work is watched: see `watch`.
pub(super) const WATCHED: u8 = 0x80;

/// From now on no work takes a way on which nobody sees it.
pub fn watch_all() {
    state::PROCESS.schedule.fetch_or(WATCHED, Ordering::Relaxed);
}

/// Sets the policy for the whole process.
pub fn set_schedule(schedule: Schedule) {
    let watched = state::PROCESS.schedule.load(Ordering::Relaxed) & WATCHED;
    state::PROCESS.schedule.store(schedule as u8 | watched, Ordering::Relaxed);
}

/// The policy.
#[inline]
pub(super) fn schedule() -> Schedule {
    match state::PROCESS.schedule.load(Ordering::Relaxed) & !WATCHED {
        0 => Schedule::Eager,
        1 => Schedule::Lazy,
        _ => Schedule::Random,
    }
}

/// True when work is not put off, nobody watches it, and nothing waits for the program to wait for it.
#[inline]
pub fn is_plain() -> bool {
    state::PROCESS.schedule.load(Ordering::Relaxed) == Schedule::Eager as u8
        && !state::PROCESS.printed.load(Ordering::Relaxed)
}
