//! What the streams of one context share.

use super::{Fence, Keepsake, Stream, Work, poller};
use crate::stream::{capture, executor};
use error::{Error, Result, refuse};
use parking_lot::{Mutex, RwLock};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

/// What the streams of one context share. What calls ask for all the time comes first, in one line of the cache.
#[repr(C, align(64))]
pub struct Group {
    /// Operations queued or being run and not complete, over all streams.
    pub(super) pending: AtomicUsize,
    /// Those of the legacy stream, and those of the streams that it waits for.
    pub(super) legacy_open: AtomicUsize,
    pub(super) blocking_open: AtomicUsize,
    /// How many of those streams are being captured.
    pub(super) captured: AtomicUsize,
    /// The first asynchronous error, as its code; stays for the context's life.
    error: AtomicU32,
    /// Set when the context goes: waits on memory give up.
    closing: AtomicBool,
    /// Until the context is destroyed, released by its last user or reset.
    alive: AtomicBool,
    /// The context has memory and streams of today's kind.
    usable: bool,
    pub(super) legacy: RwLock<Weak<Stream>>,
    streams: RwLock<Vec<Weak<Stream>>>,
    /// Points that all later work of the context waits for, on streams that do not exist yet, too.
    barriers: Mutex<Vec<Fence>>,
    lane: Mutex<HostLane>,
}

/// Host functions of a context run one at a time.
///
/// While streams wait for the lane, it is taken, or a stream that waited is on its way to a worker, which passes the
/// lane on ([`Group::pass_lane`]) when it is done whether it needed it or not.
#[derive(Default)]
struct HostLane {
    busy: bool,
    waiting: VecDeque<Arc<Stream>>,
}

impl HostLane {
    fn next(&mut self) -> Option<Arc<Stream>> {
        if self.busy { None } else { self.waiting.pop_front() }
    }
}

impl Group {
    /// A group without streams. `usable`: whether the context is more than one of the first generation.
    pub fn new(usable: bool) -> Arc<Group> {
        Arc::new(Group {
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

    /// Makes the context stuck with `error`, and all others of its device with it; the first error stays.
    pub fn fail(&self, error: Error) {
        self.fail_alone(error);
        crate::stream::context::share_error(self, error);
    }

    /// Makes this context stuck with `error`; the first one stays.
    pub fn fail_alone(&self, error: Error) {
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

    pub(super) fn enrol(&self, stream: &Arc<Stream>) {
        let mut streams = self.streams.write();
        // Dead entries are swept out now and then, not at every creation.
        if streams.len() == streams.capacity() {
            streams.retain(|s| s.strong_count() > 0);
        }
        streams.push(Arc::downgrade(stream));
        drop(streams);
        let barriers: Vec<Fence> = self.barriers.lock().iter().filter(|b| !b.is_complete()).cloned().collect();
        for fence in barriers {
            stream.submit(Work::Wait(fence));
        }
    }

    /// Makes all later work of the context wait for a point.
    pub fn wait_for(&self, fence: &Fence) -> Result<()> {
        if fence.is_complete() {
            return Ok(());
        }
        {
            let mut barriers = self.barriers.lock();
            barriers.retain(|b| !b.is_complete());
            barriers.push(fence.clone());
        }
        self.streams().iter().try_for_each(|stream| stream.enqueue(Work::Wait(fence.clone())))
    }

    /// Keeps something that the program has destroyed until all work given to any stream so far is complete.
    pub fn keep(&self, thing: Keepsake) {
        if !self.is_idle() {
            self.streams().iter().for_each(|stream| stream.tail().keep(thing.clone()));
        }
    }

    /// Returns once all work given to any stream so far is complete.
    pub fn wait_idle(&self) {
        if self.is_idle() {
            return;
        }
        for stream in self.streams() {
            stream.tail().wait();
        }
    }

    /// Ends waits on memory, so that the context can go; then waits for the rest.
    pub fn close(&self) {
        self.closing.store(true, Ordering::SeqCst);
        poller::kick();
        for stream in self.streams() {
            if stream.capturing.load(Ordering::Acquire) {
                capture::refuse(&stream);
                capture::abandon(&stream);
            }
        }
        self.wait_idle();
        self.barriers.lock().clear();
    }

    /// True once the context is on its way out.
    pub fn is_closing(&self) -> bool {
        self.closing.load(Ordering::SeqCst)
    }

    /// True when nobody should wait for memory any more: the context is on its way out, or its work has no effects.
    pub(super) fn gives_up(&self) -> bool {
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
        next.into_iter().for_each(executor::submit);
    }

    /// Gives the next stream its turn if the lane is free.
    pub(super) fn pass_lane(&self) {
        let next = self.lane.lock().next();
        next.into_iter().for_each(executor::submit);
    }
}
