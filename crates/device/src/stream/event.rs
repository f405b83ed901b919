//! Events: points in a stream that others can query, wait for and measure between.

use crate::base::handle::{HandleKind, Table};
use crate::base::handle_words::Carried;
use crate::stream::capture::{self, Signal};
use crate::stream::clock::{Stamp, mark};
use crate::stream::hooks::{self, Waited};
use crate::stream::types::{Context, Fence, Group, STREAMS, Stream, Work};
use error::{Error, Result, refuse, refuse_if};
use parking_lot::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

/// The latest record of an event.
#[derive(Clone)]
pub struct Record {
    /// Complete when the work before the record is.
    pub fence: Fence,
    /// When that happened, on the device's clock.
    pub stamp: Stamp,
}

impl Record {
    /// Makes this the record of the point where an idle stream is now, if the event has stood for another point of it: of
    /// that, nothing has to be built anew. False when the record has to be given to the stream as work.
    fn renew(&mut self, stream: &Arc<Stream>) -> bool {
        // Another thread that looks at the old record at this moment keeps it.
        if !Arc::ptr_eq(self.fence.stream(), stream) || !stream.is_quiet() || Arc::get_mut(&mut self.stamp).is_none() {
            return false;
        }
        self.fence.renew();
        mark(&self.stamp);
        true
    }
}

/// What an event stands for.
#[derive(Clone, Default)]
pub enum EventPoint {
    /// Nothing: it was never recorded.
    #[default]
    None,
    /// A point in a stream.
    Stream(Record),
    /// A point in a capture: nothing that one could wait for.
    Capture(capture::CapturePoint),
}

/// An event that several processes have. `memory::ipc` makes them.
pub trait Interprocess: Send + Sync {
    /// What another process needs to open it.
    fn handle(&self) -> Result<Carried>;
    /// Notes that this process records the event. Returns the number of the record.
    fn begin(&self) -> u64;
    /// Notes that a record is reached.
    fn reach(&self, record: u64);
    /// The number of the latest record, 0 if there was none.
    fn latest(&self) -> u64;
    /// True when the latest record is reached.
    fn is_complete(&self) -> bool;
    /// Waits until the latest record is reached.
    fn synchronize(&self);
    /// Makes a stream wait until the latest record is reached.
    fn hold(self: Arc<Self>, stream: &Arc<Stream>) -> Result<()>;
}

/// What other processes see of an event.
pub struct Shared {
    /// The event that all have.
    pub event: Arc<dyn Interprocess>,
    /// It was made by another process.
    pub imported: bool,
    /// The number of the latest record by this process's event.
    own: AtomicU64,
}

/// An event of a context.
pub struct Event {
    /// What the program holds.
    pub handle: usize,
    /// Whether times can be measured with it.
    pub timing: bool,
    /// Whether other processes may open it.
    pub interprocess: bool,
    /// What other processes see of it.
    pub shared: Option<Shared>,
    /// Where it was created.
    pub context: Weak<Context>,
    /// What the streams of that context share.
    group: Arc<Group>,
    /// The latest record.
    pub point: Mutex<EventPoint>,
}

/// All events that were not destroyed. Those of a destroyed context stay, as the real driver's do.
pub static EVENTS: Table<Event> = Table::new(HandleKind::Event);

impl Event {
    /// Creates an event of `context`, which other processes may open if `interprocess` is there.
    pub fn create(
        context: &Arc<Context>,
        timing: bool,
        interprocess: Option<Arc<dyn Interprocess>>,
    ) -> Result<Arc<Event>> {
        let shared = |event| Shared { event, imported: false, own: AtomicU64::new(0) };
        Event::enter(context, timing, interprocess.map(shared))
    }

    /// An event of `context` for what another process made.
    pub fn import(context: &Arc<Context>, event: Arc<dyn Interprocess>) -> Result<Arc<Event>> {
        Event::enter(context, false, Some(Shared { event, imported: true, own: AtomicU64::new(0) }))
    }

    fn enter(context: &Arc<Context>, timing: bool, shared: Option<Shared>) -> Result<Arc<Event>> {
        let (context, group) = (Arc::downgrade(context), context.group.clone());
        let interprocess = shared.is_some();
        let point = Mutex::default();
        EVENTS
            .insert_with(|handle| Arc::new(Event { handle, timing, interprocess, shared, context, group, point }))
            .ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "there are too many events"))
    }

    /// What the event stands for when another process recorded it last.
    pub fn foreign(&self) -> Option<&Arc<dyn Interprocess>> {
        let shared = self.shared.as_ref()?;
        (shared.event.latest() != shared.own.load(Ordering::Acquire)).then_some(&shared.event)
    }

    /// The live event behind a handle. [`Error::CONTEXT_IS_DESTROYED`] when its context is gone.
    pub fn find(handle: usize) -> Result<Arc<Event>> {
        let event = EVENTS.get(handle).ok_or_else(|| no_event(handle))?;
        if event.group.is_alive() {
            Ok(event)
        } else {
            Err(refuse!(Error::CONTEXT_IS_DESTROYED, "_ {:#x} is an event whose context was destroyed", handle))
        }
    }

    /// Takes an event's handle away. Streams that wait for it still do. In a context that has failed nothing is taken: its
    /// error comes.
    pub fn destroy(handle: usize) -> Result<()> {
        let event = EVENTS.get_or(handle, Error::INVALID_HANDLE)?;
        if event.group.is_alive() {
            event.outcome()?;
        }
        EVENTS.remove(handle).ok_or_else(|| EVENTS.stale(Error::INVALID_HANDLE, handle))?.context().map(drop)
    }

    /// Its context, while that lives.
    pub fn context(&self) -> Result<Arc<Context>> {
        self.context.upgrade().filter(|c| c.is_alive()).ok_or_else(|| {
            refuse!(Error::CONTEXT_IS_DESTROYED, "_ {:#x} is an event whose context was destroyed", self.handle)
        })
    }

    /// The asynchronous error of its context, which hearing from the event reports.
    pub fn outcome(&self) -> Result<()> {
        if !self.group.is_alive() {
            return Err(refuse!(
                Error::CONTEXT_IS_DESTROYED,
                "_ {:#x} is an event whose context was destroyed",
                self.handle
            ));
        }
        self.group.check_error()
    }

    /// Makes the event stand for the point that `stream`, of the same context, has been given so far.
    pub fn record(&self, stream: &Arc<Stream>) -> Result<()> {
        if !Weak::ptr_eq(&self.context, &stream.context) {
            return Err(refuse!(
                Error::INVALID_HANDLE,
                "hEvent {:#x} is an event of another context than that of hStream",
                self.handle
            ));
        }
        if stream.admit()? {
            *self.point.lock() = EventPoint::Capture(capture::point(stream)?);
        } else {
            self.record_on(stream);
        }
        Ok(())
    }

    /// [`Event::record`] on a stream that is known not to be captured.
    pub fn record_on(&self, stream: &Arc<Stream>) {
        // Under the event's lock, so that of two threads the one that records last is the one that counts.
        let mut point = self.point.lock();
        if self.shared.is_none()
            && let EventPoint::Stream(record) = &mut *point
            && record.renew(stream)
        {
            return;
        }
        let stamp = Stamp::default();
        let mut fence = stream.submit(Work::Record(stamp.clone()));
        if let Some(shared) = &self.shared {
            let (event, record) = (shared.event.clone(), shared.event.begin());
            shared.own.store(record, Ordering::Release);
            fence = stream.submit(Work::Task(Arc::new(move || {
                event.reach(record);
                Ok(())
            })));
            // Other processes cannot ask for it.
            fence.nudge();
        }
        *point = EventPoint::Stream(Record { fence, stamp });
    }

    /// The point in a stream of the latest record, if there was one.
    pub fn fence(&self) -> Option<Fence> {
        match &*self.point.lock() {
            EventPoint::Stream(record) => Some(record.fence.clone()),
            EventPoint::None | EventPoint::Capture(_) => None,
        }
    }

    /// The event has to be one that the host may ask about: not one of a capture, which the question would invalidate.
    pub fn check_uncaptured(&self) -> Result<()> {
        match &*self.point.lock() {
            EventPoint::Capture(point) => Err(point.refuse_host()),
            EventPoint::None | EventPoint::Stream(_) => Ok(()),
        }
    }

    /// True when the latest record is reached, or there is none. Asking moves lazy streams on.
    pub fn is_complete(&self) -> bool {
        if let Some(foreign) = self.foreign() {
            return foreign.is_complete();
        }
        match self.fence() {
            // Other processes may see the point before this one has put the operation behind it: all see the same.
            Some(fence) if !fence.is_complete() => {
                let seen = self.shared.as_ref().is_some_and(|shared| shared.event.is_complete());
                if !seen {
                    fence.ask();
                }
                seen
            }
            _ => true,
        }
    }

    /// Waits until the latest record is reached, where a capture does not forbid it.
    pub fn synchronize(&self) -> Result<()> {
        // Looked at once: this is a call that programs make often.
        let fence = match &*self.point.lock() {
            EventPoint::None => None,
            EventPoint::Stream(record) => Some(record.fence.clone()),
            EventPoint::Capture(point) => return Err(point.refuse_host()),
        };
        capture::check_call()?;
        if let Some(foreign) = self.foreign() {
            foreign.synchronize();
        } else if let Some(fence) = fence {
            fence.wait();
            hooks::waited(&Waited::Point(&fence));
        }
        Ok(())
    }

    /// Nanoseconds from this event's latest record to that of `end`. Both must measure times, belong to one context
    /// and have been recorded ([`Error::INVALID_HANDLE`]) and reached ([`Error::NOT_READY`]).
    pub fn elapsed(&self, end: &Event) -> Result<i64> {
        refuse_if!(
            Error::INVALID_HANDLE,
            !self.timing,
            "hStart {:#x} was made with CU_EVENT_DISABLE_TIMING",
            self.handle
        );
        refuse_if!(Error::INVALID_HANDLE, !end.timing, "hEnd {:#x} was made with CU_EVENT_DISABLE_TIMING", end.handle);
        refuse_if!(
            Error::INVALID_HANDLE,
            !Weak::ptr_eq(&self.context, &end.context),
            "hStart {:#x} and hEnd {:#x} are of different contexts",
            self.handle,
            end.handle
        );
        let recorded = |event: &Event| match &*event.point.lock() {
            EventPoint::Stream(record) => Ok(record.clone()),
            EventPoint::None => {
                Err(refuse!(Error::INVALID_HANDLE, "hStart or hEnd: {:#x} was not recorded", event.handle))
            }
            EventPoint::Capture(point) => Err(point.refuse_host()),
        };
        let (from, to) = (recorded(self)?, recorded(end)?);
        for record in [&from, &to] {
            if !record.fence.is_complete() {
                record.fence.ask();
                return Err(Error::NOT_READY);
            }
        }
        let at = |record: &Record| record.stamp.load(Ordering::Acquire) as i64;
        Ok(at(&to) - at(&from))
    }
}

/// Makes later work of a stream wait for an event, where the stream or the event is part of a capture or neither is.
pub fn wait(stream: &Arc<Stream>, event: &Event) -> Result<()> {
    let point = event.point.lock().clone();
    let capturing = stream.admit()?;
    if !capturing && let Some(foreign) = event.foreign() {
        return foreign.clone().hold(stream);
    }
    match point {
        EventPoint::None => Ok(()),
        EventPoint::Stream(record) if !capturing => stream.enqueue(Work::Wait(record.fence)),
        EventPoint::Stream(_) => match capture::refuse(stream) {
            error if error == Error::STREAM_CAPTURE_UNSUPPORTED => Err(Error::STREAM_CAPTURE_ISOLATION),
            other => Err(other),
        },
        EventPoint::Capture(point) => capture::wait(stream, point, capturing),
    }
}

/// Adds a launch to the capture of a stream. The events that it records stand for its node, by an edge of their own kind.
pub fn capture_launch(stream: &Stream, kernel: Work, overlaps: bool, signals: &[(Signal, Arc<Event>)]) -> Result<()> {
    capture::launch(stream, kernel, overlaps, |point_at| {
        for (signal, event) in signals {
            *event.point.lock() = EventPoint::Capture(point_at(*signal));
        }
    })
}

/// Why a handle is not an event's. The real driver takes a stream for an event of a context that is gone.
#[cold]
fn no_event(handle: usize) -> Error {
    match STREAMS.get(handle) {
        Some(_) => refuse!(Error::CONTEXT_IS_DESTROYED, "_ {:#x} is not an event, but a stream", handle),
        None => refuse!(Error::INVALID_HANDLE, "_ {:#x} is not a live event", handle),
    }
}
