//! The streams of a context: how they come and go, and what concerns all of them at once.

use crate::stream::schedule::{Schedule, schedule};
use crate::stream::thread_state::initialized;
use crate::stream::types::{Context, Fence, Group, Keepsake, STREAMS, Share, Stream, StreamKind, Work};
use crate::stream::{capture, poller};
use error::{Error, Result};
use parking_lot::{Condvar, Mutex};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::sync::{Arc, Weak};

/// The next stream id. Default streams draw from it too.
fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(7);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Stream {
    /// A stream that no table and no group knows yet.
    pub(super) fn build(
        handle: usize,
        kind: StreamKind,
        (flags, priority): (u32, i32),
        context: Weak<Context>,
        group: &Arc<Group>,
        share: Option<Arc<Share>>,
    ) -> Arc<Stream> {
        Arc::new(Stream {
            handle,
            id: next_id(),
            kind,
            flags,
            context,
            group: group.clone(),
            share,
            attributes: Mutex::default(),
            capturing: AtomicBool::new(false),
            capture: Mutex::new(None),
            priority: AtomicI32::new(priority),
            completed: AtomicU64::new(0),
            followed: Mutex::default(),
            state: Mutex::default(),
            progress: Condvar::new(),
        })
    }

    /// A default stream: the context's legacy stream, or a thread's own.
    pub fn new_default(kind: StreamKind, context: Weak<Context>, group: &Arc<Group>) -> Arc<Stream> {
        let stream = Self::build(0, kind, (0, 0), context, group, None);
        if kind == StreamKind::Legacy {
            *group.legacy.write() = Arc::downgrade(&stream);
        }
        group.enrol(&stream);
        stream
    }

    /// What a green context calls its default stream.
    pub fn default_of(share: &Arc<Share>, context: Weak<Context>, group: &Arc<Group>) -> Arc<Stream> {
        /// `CU_STREAM_NON_BLOCKING`.
        const FLAGS: u32 = 1;
        Self::build(0, StreamKind::NonBlocking, (FLAGS, 0), context, group, Some(share.clone()))
    }

    /// Takes a stream's handle away. What it has been given still runs.
    pub fn destroy(handle: usize) -> Result<()> {
        STREAMS.find(handle)?.group.check_error()?;
        STREAMS.remove(handle).ok_or_else(|| STREAMS.stale(Error::INVALID_HANDLE, handle))?.retire();
        Ok(())
    }

    /// For a stream that the program can no longer wait for: its work must not depend on that.
    pub fn retire(self: &Arc<Self>) {
        // In a child of fork nothing may be locked.
        if initialized().is_err() {
            return;
        }
        if self.capturing.load(Ordering::Relaxed) {
            capture::abandon(self);
        }
        if schedule() == Schedule::Lazy {
            self.nudge(u64::MAX);
        }
    }
}

impl Group {
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
}
