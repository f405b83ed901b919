//! Who looks at work: which call gave it, and when it ran on which stream. Nobody does, most of the time.

use crate::stream::types::{Activity, Origin, Stream};
use std::cell::Cell;
use std::ptr;
use std::sync::OnceLock;

/// Somebody who wants to know what streams do.
pub trait Watcher: Sync {
    /// The call that the thread is in the middle of.
    fn origin(&self) -> Origin;

    /// The time, by whatever clock.
    fn now(&self) -> u64;

    /// A stream has done something that a call gave it.
    fn ran(&self, stream: &Stream, activity: &Activity<'_>, origin: Origin, begin: u64, end: u64);
}

static WATCHER: OnceLock<&'static dyn Watcher> = OnceLock::new();

thread_local! {
    /// The stream whose work the thread runs, and the call that gave it.
    static RUNNING: Cell<(*const Stream, Origin)> = const { Cell::new((ptr::null(), Origin::NONE)) };
}

/// Installs the watcher. The first one stays. From then on no work takes a way on which nobody sees it.
pub fn install(watcher: &'static dyn Watcher) {
    if WATCHER.set(watcher).is_ok() {
        super::schedule::watch_all();
    }
}

/// The call that work is given by now.
#[inline]
pub(super) fn origin() -> Origin {
    WATCHER.get().map_or(Origin::NONE, |watcher| watcher.origin())
}

/// Does what a stream was given.
#[inline]
pub(super) fn on<R>(stream: &Stream, origin: Origin, run: impl FnOnce() -> R) -> R {
    if WATCHER.get().is_none() { run() } else { note(stream, origin, run) }
}

#[inline(never)]
fn note<R>(stream: &Stream, origin: Origin, run: impl FnOnce() -> R) -> R {
    let before = RUNNING.replace((ptr::from_ref(stream), origin));
    let result = run();
    RUNNING.set(before);
    result
}

/// Does one thing of what a stream was given.
#[inline]
pub(super) fn timed<'a, R>(activity: impl FnOnce() -> Option<Activity<'a>>, run: impl FnOnce() -> R) -> R {
    match WATCHER.get() {
        None => run(),
        Some(watcher) => time(*watcher, activity(), run),
    }
}

#[inline(never)]
fn time<R>(watcher: &dyn Watcher, activity: Option<Activity<'_>>, run: impl FnOnce() -> R) -> R {
    let (stream, origin) = RUNNING.get();
    let Some(activity) = activity.filter(|_| !stream.is_null()) else { return run() };
    let begin = watcher.now();
    let result = run();
    // SAFETY: `note`, which set it, is above on this thread's stack and holds the stream.
    watcher.ran(unsafe { &*stream }, &activity, origin, begin, watcher.now());
    result
}
