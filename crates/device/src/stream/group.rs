//! What the streams of one context share: its state, its error, and the lane of its host functions.

use crate::base::devices::Failure;
use crate::stream::executor;
use crate::stream::types::{CONTEXTS, Group, HostLane, Stream};
use core::ptr;
use error::{Error, Result, refuse};
use parking_lot::{Mutex, RwLock};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

impl HostLane {
    fn next(&mut self) -> Option<Arc<Stream>> {
        if self.busy { None } else { self.waiting.pop_front() }
    }
}

impl Group {
    /// A group without streams. `usable`: whether the context is more than one of the first generation. `failure`: its device's.
    pub fn new(usable: bool, failure: &'static Failure) -> Arc<Group> {
        Arc::new(Group {
            failure,
            pending: AtomicUsize::new(0),
            legacy_open: AtomicUsize::new(0),
            blocking_open: AtomicUsize::new(0),
            captured: AtomicUsize::new(0),
            error: AtomicU32::new(0),
            closing: AtomicBool::new(false),
            alive: AtomicBool::new(true),
            usable,
            legacy: RwLock::new(Weak::new()),
            streams: RwLock::new(Vec::new()),
            barriers: Mutex::default(),
            lane: Mutex::default(),
        })
    }

    /// The asynchronous error that the context is stuck with, if any.
    #[inline]
    pub fn error(&self) -> Option<Error> {
        match self.error.load(Ordering::Relaxed) {
            0 => None,
            code => Error::from_code(code),
        }
    }

    /// Fails with that error.
    pub fn check_error(&self) -> Result<()> {
        self.error().map_or(Ok(()), |error| {
            Err(refuse!(error, "a kernel or a copy failed earlier, which its context does not survive"))
        })
    }

    /// Makes the context stuck with `error`, and with it all others of the process, on every device, and those to come; the
    /// first error stays.
    pub fn fail(&self, error: Error) {
        self.failure.note(error);
        self.fail_alone(error);
        // One that is being created meanwhile may not be among them: see `catch_up`.
        let all = CONTEXTS.all();
        all.iter().filter(|c| ptr::eq(c.device.failure, self.failure)).for_each(|c| c.group.fail_alone(error));
    }

    /// Makes the context stuck if the process is: for one that others could not find yet when that came about.
    pub(super) fn catch_up(&self) {
        if let Err(error) = self.failure.check() {
            self.fail_alone(error);
        }
    }

    /// Makes this context stuck with `error`; the first one stays.
    pub(super) fn fail_alone(&self, error: Error) {
        let _ = self.error.compare_exchange(0, error.code(), Ordering::AcqRel, Ordering::Relaxed);
    }

    /// True when no stream of the context has work.
    #[inline]
    pub fn is_idle(&self) -> bool {
        self.pending.load(Ordering::Acquire) == 0
    }

    /// False once the context is destroyed, released by its last user or reset.
    #[inline]
    pub fn is_alive(&self) -> bool {
        self.alive.load(Ordering::Acquire)
    }

    /// Ends the life of the context; false when it had ended before.
    pub fn end(&self) -> bool {
        self.alive.swap(false, Ordering::AcqRel)
    }

    /// True for the live context of today's kind.
    #[inline]
    pub fn is_usable(&self) -> bool {
        self.usable && self.is_alive()
    }

    /// True when the context is alive and has no asynchronous error.
    #[inline]
    pub fn is_sound(&self) -> bool {
        self.is_alive() && self.error.load(Ordering::Relaxed) == 0
    }

    /// True when no stream of the context has work, none that the legacy stream waits for is being captured, and there is
    /// no error.
    #[inline]
    pub fn is_calm(&self) -> bool {
        self.is_idle() && self.captured.load(Ordering::Relaxed) == 0 && self.error.load(Ordering::Relaxed) == 0
    }

    /// Every live stream of the context, those included that the program destroyed while they had work.
    pub fn streams(&self) -> Vec<Arc<Stream>> {
        self.streams.read().iter().filter_map(Weak::upgrade).collect()
    }

    /// True once the context is on its way out.
    pub fn is_closing(&self) -> bool {
        self.closing.load(Ordering::SeqCst)
    }

    /// True when nobody should wait for memory any more: the context is on its way out, or its work has no effects.
    pub fn gives_up(&self) -> bool {
        self.closing.load(Ordering::Acquire) || self.error().is_some()
    }

    /// Takes the host function lane; if it is taken, the stream is handed to a worker again in its turn.
    pub(super) fn enter_lane(&self, stream: &Arc<Stream>) -> bool {
        let mut lane = self.lane.lock();
        if lane.busy {
            if !lane.waiting.iter().any(|s| Arc::ptr_eq(s, stream)) {
                lane.waiting.push_back(stream.clone());
            }
            return false;
        }
        lane.busy = true;
        true
    }

    /// Gives the lane back.
    pub(super) fn leave_lane(&self) {
        let next = {
            let mut lane = self.lane.lock();
            lane.busy = false;
            lane.next()
        };
        next.into_iter().for_each(|stream| executor::submit(stream));
    }

    /// Gives the next stream its turn if the lane is free.
    pub(super) fn pass_lane(&self) {
        let next = self.lane.lock().next();
        next.into_iter().for_each(|stream| executor::submit(stream));
    }
}
