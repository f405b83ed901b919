//! Stream capture: what is given to a stream becomes a graph instead of being run.
//!
//! This is the gate: which streams are in which capture, what that forbids, and who has to be joined. What becomes of the
//! work is a [`Recording`], which `graph` fulfils.
//!
//! A capture begins in one stream, its origin. Other streams join it by waiting for an event that was recorded in it,
//! and have to be joined again before it ends. Whatever cannot be put into a graph invalidates the capture:
//! from then on all that is left is to end it, which gives no graph.

use crate::stream::types::{Group, Part, Stream, StreamKind, Work};
use error::{Error, Result, refuse};
use parking_lot::Mutex;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

pub use crate::stream::types::{Capture, EdgeData, Mode, Recording};

/// State of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Not being captured.
    None,
    /// Being captured.
    Active,
    /// The capture is invalidated but not ended.
    Invalidated,
}

/// What an event that was recorded in a capture stands for.
#[derive(Clone)]
pub struct CapturePoint {
    /// Not held: an event may be in the graph that the capture becomes.
    capture: Weak<Capture>,
    nodes: Vec<(usize, EdgeData)>,
}

impl CapturePoint {
    /// The capture, until it has ended.
    fn active(&self) -> Option<Arc<Capture>> {
        self.capture.upgrade().filter(|capture| !capture.ended.load(Ordering::Acquire))
    }

    /// Why the host may not ask about the event: the question invalidates the capture, unless that is over.
    pub fn refuse_host(&self) -> Error {
        let Some(capture) = self.active() else {
            return refuse!(Error::INVALID_VALUE, "hEvent was recorded in a capture that has ended");
        };
        capture.invalidate();
        refuse!(
            Error::CAPTURED_EVENT,
            "hEvent was recorded in a stream that is capturing: the host cannot ask about it or wait for it; the capture is invalid now"
        )
    }
}

/// All captures that have not ended.
static ACTIVE: Mutex<Vec<Arc<Capture>>> = Mutex::new(Vec::new());
/// How many, to be read without the lock.
static COUNT: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// The call at hand has invalidated a capture.
    static INVALIDATED: Cell<bool> = const { Cell::new(false) };
    /// What captures of other threads mean to the calls of this thread, and the number that the program gave that.
    static THREAD_MODE: Cell<(Mode, u32)> = const { Cell::new((Mode::Global, 0)) };
}

/// Whether the call at hand has invalidated a capture that was in order before. Asked by whoever knows the call's name.
pub fn has_invalidated() -> bool {
    INVALIDATED.take()
}

/// Sets what captures of other threads mean to the calls of this thread, and the number by which the program knows that;
/// returns the number that was set before. The first one is 0.
pub fn exchange_mode(mode: Mode, number: u32) -> u32 {
    THREAD_MODE.replace((mode, number)).1
}

impl Capture {
    /// Invalidates it.
    pub fn invalidate(&self) {
        if !self.invalid.swap(true, Ordering::AcqRel) {
            INVALIDATED.set(true);
        }
    }

    fn check(&self) -> Result<()> {
        if self.invalid.load(Ordering::Acquire) {
            Err(refuse!(
                Error::STREAM_CAPTURE_INVALIDATED,
                "hStream is part of a capture that was invalidated by an earlier error"
            ))
        } else {
            Ok(())
        }
    }

    /// Lets the streams go.
    fn release(self: &Arc<Self>) {
        let mut active = ACTIVE.lock();
        active.retain(|c| !Arc::ptr_eq(c, self));
        COUNT.store(active.len(), Ordering::Release);
        drop(active);
        self.ended.store(true, Ordering::Release);
        let streams = std::mem::take(&mut *self.streams.lock());
        for stream in streams {
            leave(&stream);
        }
        self.recording.close();
    }
}

fn enter(stream: &Arc<Stream>, capture: &Arc<Capture>, next: Vec<(usize, EdgeData)>) -> Result<()> {
    let mut part = stream.capture.lock();
    if part.is_some() {
        return Err(refuse!(Error::ILLEGAL_STATE, "hStream {:#x} is capturing already", stream.handle));
    }
    let mut streams = capture.streams.lock();
    if capture.ended.load(Ordering::Acquire) {
        // Another thread ended it just now: nobody would let the stream go again.
        return Err(refuse!(Error::INVALID_VALUE, "the capture that hStream should join has ended"));
    }
    streams.push(stream.clone());
    *part = Some(Part { capture: capture.clone(), next, shown: Default::default() });
    if stream.is_blocking() {
        stream.group.captured.fetch_add(1, Ordering::AcqRel);
    }
    stream.capturing.store(true, Ordering::Release);
    Ok(())
}

fn leave(stream: &Stream) -> Option<Part> {
    let part = stream.capture.lock().take();
    if part.is_some() {
        stream.capturing.store(false, Ordering::Release);
        if stream.is_blocking() {
            stream.group.captured.fetch_sub(1, Ordering::AcqRel);
        }
    }
    part
}

fn capture_of(stream: &Stream) -> Option<Arc<Capture>> {
    stream.capture.lock().as_ref().map(|p| p.capture.clone())
}

/// Begins a capture of a stream, behind the given nodes. An error discards the recording.
pub fn begin(
    stream: &Arc<Stream>,
    mode: Mode,
    recording: Box<dyn Recording>,
    next: Vec<(usize, EdgeData)>,
) -> Result<()> {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let capture = Arc::new(Capture {
        id: NEXT.fetch_add(1, Ordering::Relaxed),
        recording,
        mode,
        thread: std::thread::current().id(),
        origin: Arc::downgrade(stream),
        invalid: AtomicBool::new(false),
        ended: AtomicBool::new(false),
        streams: Mutex::default(),
        left: Mutex::default(),
    });
    // Known to all before its stream knows it: whoever ends it takes it out again.
    let mut active = ACTIVE.lock();
    enter(stream, &capture, next).inspect_err(|_| capture.recording.discard())?;
    active.push(capture);
    COUNT.store(active.len(), Ordering::Release);
    drop(active);
    // Another thread may have destroyed the stream before it was in a capture: then nobody else will end that.
    if stream.is_gone() {
        abandon(stream);
        return Err(Error::INVALID_HANDLE);
    }
    Ok(())
}

/// Ends the capture that began in `stream` and returns it. Whatever the error, no stream is left in the capture,
/// except when it is not ended where it began.
pub fn end(stream: &Arc<Stream>) -> Result<Arc<Capture>> {
    let (capture, last) = {
        let part = stream.capture.lock();
        let part = part.as_ref().ok_or_else(|| refuse!(Error::ILLEGAL_STATE, "hStream is not capturing"))?;
        (part.capture.clone(), part.next.clone())
    };
    if !std::ptr::eq(capture.origin.as_ptr(), Arc::as_ptr(stream)) {
        capture.invalidate();
        return Err(refuse!(
            Error::STREAM_CAPTURE_UNMATCHED,
            "hStream is not the stream in which the capture began; the capture is invalid now"
        ));
    }
    if capture.mode != Mode::Relaxed && capture.thread != std::thread::current().id() {
        capture.release();
        capture.recording.discard();
        return Err(refuse!(
            Error::STREAM_CAPTURE_WRONG_THREAD,
            "hStream: the capture was begun by another thread, and is not relaxed"
        ));
    }
    let last: Vec<usize> = last.iter().map(|(n, _)| *n).collect();
    let others: Vec<_> = capture.streams.lock().iter().filter(|s| !Arc::ptr_eq(s, stream)).cloned().collect();
    let next = |s: &Arc<Stream>| s.capture.lock().iter().flat_map(|p| &p.next).map(|(n, _)| *n).collect::<Vec<_>>();
    let mut open: Vec<usize> = others.iter().flat_map(next).collect();
    open.extend(capture.left.lock().iter());
    let result = capture.check().and_then(|()| match capture.recording.all_lead_to(&open, &last) {
        true => Ok(()),
        false => Err(refuse!(
            Error::STREAM_CAPTURE_UNJOINED,
            "hStream: a stream that joined the capture was not joined back to it"
        )),
    });
    capture.release();
    match result {
        Ok(()) => Ok(capture),
        Err(error) => {
            capture.recording.discard();
            Err(error)
        }
    }
}

/// For a stream that goes away while it is being captured. What it gave stays, unless the capture began in it.
pub fn abandon(stream: &Arc<Stream>) {
    let Some(capture) = capture_of(stream) else { return };
    if std::ptr::eq(capture.origin.as_ptr(), Arc::as_ptr(stream)) {
        // Nobody can end it any more.
        capture.invalidate();
        if has_invalidated() {
            settings::log::warn!("a stream is destroyed in which a capture began: nobody can end it");
        }
        capture.release();
        capture.recording.discard();
    } else {
        capture.streams.lock().retain(|s| !Arc::ptr_eq(s, stream));
        if let Some(part) = leave(stream) {
            capture.left.lock().extend(part.next.iter().map(|(node, _)| *node));
        }
    }
}

/// The state of a stream, and the capture that it is in.
pub fn status(stream: &Arc<Stream>) -> Result<(Status, Option<Arc<Capture>>)> {
    stream.admit()?;
    Ok(match capture_of(stream) {
        None => (Status::None, None),
        Some(capture) if capture.check().is_err() => (Status::Invalidated, Some(capture)),
        Some(capture) => (Status::Active, Some(capture)),
    })
}

/// The nodes that the next one will depend on, as arrays that live until the next call about this stream: address of
/// the handles, address of the edge data, how many.
pub fn dependencies(stream: &Stream) -> (usize, usize, usize) {
    let mut part = stream.capture.lock();
    let Some(part) = part.as_mut() else { return (0, 0, 0) };
    part.shown = part.next.iter().copied().unzip::<_, _, Vec<_>, Vec<_>>().into_boxes();
    (part.shown.0.as_ptr() as usize, part.shown.1.as_ptr() as usize, part.shown.0.len())
}

trait IntoBoxes {
    fn into_boxes(self) -> (Box<[usize]>, Box<[EdgeData]>);
}

impl IntoBoxes for (Vec<usize>, Vec<EdgeData>) {
    fn into_boxes(self) -> (Box<[usize]>, Box<[EdgeData]>) {
        (self.0.into(), self.1.into())
    }
}

fn merge(into: &mut Vec<(usize, EdgeData)>, nodes: &[(usize, EdgeData)]) {
    for node in nodes {
        if !into.contains(node) {
            into.push(*node);
        }
    }
}

impl Part {
    /// Adds a node by `add`; it becomes what the next one depends on.
    fn record(&mut self, add: impl FnOnce(&[(usize, EdgeData)]) -> Result<usize>) -> Result<usize> {
        self.capture.check()?;
        let node = add(&self.next).inspect_err(|error| {
            if *error == Error::GRAPH_RECAPTURE_FAILURE {
                self.capture.invalidate();
            }
        })?;
        self.next = vec![(node, EdgeData::default())];
        Ok(node)
    }

    /// Adds work. What cannot be recorded invalidates the capture.
    fn add(&mut self, work: Work) -> Result<usize> {
        let capture = self.capture.clone();
        self.record(|after| {
            capture.recording.add(work, after)?.ok_or_else(|| {
                capture.invalidate();
                refuse!(
                    Error::STREAM_CAPTURE_UNSUPPORTED,
                    "hStream is capturing, and the call cannot be captured; the capture is invalid now"
                )
            })
        })
    }
}

/// Adds a node behind what was captured of a stream so far, by `add`, which gets the capture and the nodes that it depends on.
pub fn record(stream: &Stream, add: impl FnOnce(&Capture, &[(usize, EdgeData)]) -> Result<usize>) -> Result<()> {
    let mut part = stream.capture.lock();
    let own = part.as_mut().ok_or_else(|| refuse!(Error::ILLEGAL_STATE, "hStream is not capturing"))?;
    let capture = own.capture.clone();
    let node = own.record(|after| add(&capture, after));
    drop(part);
    tell(&capture, node)
}

/// Lets the program hear of what was added, and maybe end the capture by that.
fn tell(capture: &Capture, node: Result<usize>) -> Result<()> {
    let goes_on = capture.recording.tell();
    node?;
    if !goes_on {
        capture.invalidate();
        return Err(refuse!(
            Error::GRAPH_RECAPTURE_FAILURE,
            "hStream: the program ended the capture over a graph; the capture is invalid now"
        ));
    }
    Ok(())
}

/// Sets or extends what the next node of a stream will depend on; `is_node` says whether the capture has such a node.
pub fn set_dependencies(
    stream: &Stream,
    nodes: Vec<(usize, EdgeData)>,
    add: bool,
    is_node: impl Fn(&Capture, usize) -> bool,
) -> Result<()> {
    let mut part = stream.capture.lock();
    let part = part.as_mut().ok_or_else(|| refuse!(Error::ILLEGAL_STATE, "hStream is not capturing"))?;
    part.capture.check()?;
    if !nodes.iter().all(|(n, _)| is_node(&part.capture, *n)) {
        return Err(refuse!(Error::INVALID_VALUE, "dependencies has a node that is not in the graph of the capture"));
    }
    if !add {
        part.next.clear();
    }
    merge(&mut part.next, &nodes);
    Ok(())
}

/// Adds work that was given to a stream. What cannot be recorded invalidates the capture.
pub fn enqueue(stream: &Stream, work: Work) -> Result<()> {
    let mut part = stream.capture.lock();
    let own = part.as_mut().ok_or_else(|| refuse!(Error::ILLEGAL_STATE, "hStream is not capturing"))?;
    let capture = own.capture.clone();
    let node = own.add(work);
    drop(part);
    tell(&capture, node)
}

/// Adds an allocation of so many bytes; returns its address.
pub fn allocate(stream: &Arc<Stream>, size: usize) -> Result<usize> {
    capture_of(stream)
        .ok_or_else(|| refuse!(Error::ILLEGAL_STATE, "hStream is not capturing"))?
        .recording
        .allocate(stream, size)
}

/// Adds a launch. `note` gets what makes, for a moment of the launch, the point that an event of it stands for.
pub(super) fn launch(
    stream: &Stream,
    kernel: Work,
    overlaps: bool,
    note: impl FnOnce(&dyn Fn(Signal) -> CapturePoint),
) -> Result<()> {
    let mut own = stream.capture.lock();
    let part = own.as_mut().ok_or_else(|| refuse!(Error::ILLEGAL_STATE, "hStream is not capturing"))?;
    if overlaps {
        let Part { capture, next, .. } = part;
        let edges = next.iter_mut().filter(|(node, _)| capture.recording.is_kernel(*node));
        edges.for_each(|(_, edge)| *edge = PROGRAMMATIC);
    }
    let capture = part.capture.clone();
    let node = match part.add(kernel) {
        Ok(node) => node,
        refused => {
            drop(own);
            return tell(&capture, refused);
        }
    };
    note(&|signal| {
        let edge = if signal == Signal::Programmatic { PROGRAMMATIC } else { LAUNCH_ORDER };
        CapturePoint { capture: Arc::downgrade(&capture), nodes: vec![(node, edge)] }
    });
    drop(own);
    tell(&capture, Ok(node))
}

/// Which moment of a launch an event stands for. Here both come when the kernel has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// All blocks let later work begin.
    Programmatic,
    /// All blocks have begun.
    LaunchCompletion,
}

/// Where an edge begins and of which kind it is, as the interface lays it out: the programmatic port of a kernel, and the one
/// that stands for its launch.
const PROGRAMMATIC: EdgeData = [1, 0, 1, 0, 0, 0, 0, 0];
const LAUNCH_ORDER: EdgeData = [2, 0, 0, 0, 0, 0, 0, 0];

/// Invalidates the capture of a stream by a call that is not allowed for such a stream.
pub fn refuse(stream: &Stream) -> Error {
    match capture_of(stream) {
        Some(capture) if capture.check().is_err() => refuse!(
            Error::STREAM_CAPTURE_INVALIDATED,
            "hStream is part of a capture that was invalidated by an earlier error"
        ),
        Some(capture) => {
            capture.invalidate();
            refuse!(
                Error::STREAM_CAPTURE_UNSUPPORTED,
                "hStream is capturing, and the call cannot be captured; the capture is invalid now"
            )
        }
        None => refuse!(Error::STREAM_CAPTURE_UNSUPPORTED, "hStream: the call cannot be captured"),
    }
}

/// Invalidates the captures that the legacy stream would have to wait for.
pub fn implicate(legacy: &Stream) -> Error {
    for capture in ACTIVE.lock().iter() {
        let involved = |s: &Arc<Stream>| s.is_blocking() && Arc::ptr_eq(&s.group, &legacy.group);
        if capture.streams.lock().iter().any(involved) {
            capture.invalidate();
        }
    }
    refuse!(
        Error::STREAM_CAPTURE_IMPLICIT,
        "hStream is the legacy default stream, which would wait for a stream that is capturing; the capture is invalid now"
    )
}

impl Stream {
    /// Whether work for this stream goes into a graph. An error when it may not be given at all: the legacy stream would
    /// have to wait for a stream that is being captured.
    #[inline]
    pub fn admit(self: &Arc<Self>) -> Result<bool> {
        if self.kind == StreamKind::Legacy && self.group.captured.load(Ordering::Relaxed) > 0 {
            return Err(implicate(self));
        }
        Ok(self.capturing.load(Ordering::Relaxed))
    }

    /// The host may ask about this stream and wait for it: not while it is being captured, and not while another
    /// capture forbids such calls.
    pub fn check_uncaptured(self: &Arc<Self>) -> Result<()> {
        if self.admit()? {
            return Err(refuse(self));
        }
        check_call()
    }
}

/// For calls that could disturb a capture, wherever it is: [`Error::STREAM_CAPTURE_UNSUPPORTED`], and the capture is
/// invalidated, unless the modes of the capture and of the thread allow it.
#[inline]
pub fn check_call() -> Result<()> {
    if COUNT.load(Ordering::Relaxed) == 0 { Ok(()) } else { check_call_slowly() }
}

#[cold]
fn check_call_slowly() -> Result<()> {
    let (thread_mode, _) = THREAD_MODE.get();
    if thread_mode == Mode::Relaxed {
        return Ok(());
    }
    let me = std::thread::current().id();
    let mut result = Ok(());
    for capture in ACTIVE.lock().iter() {
        let own = capture.thread == me && capture.mode != Mode::Relaxed;
        let global = thread_mode == Mode::Global && capture.mode == Mode::Global;
        if own || global {
            capture.invalidate();
            result = Err(refuse!(
                Error::STREAM_CAPTURE_UNSUPPORTED,
                "the call could disturb a stream capture that is active, and the mode of the capture or of the thread forbids that; the capture is invalid now"
            ));
        }
    }
    result
}

/// For calls that wait for a whole context: not while one of its streams is being captured.
pub fn check_context(group: &Arc<Group>) -> Result<()> {
    if COUNT.load(Ordering::Relaxed) == 0 {
        return Ok(());
    }
    check_call_slowly().and(refuse_in(group))
}

/// For calls that concern all streams of a context, in whatever mode one of them is being captured.
pub fn refuse_in(group: &Arc<Group>) -> Result<()> {
    let mut result = Ok(());
    for capture in ACTIVE.lock().iter() {
        if capture.streams.lock().iter().any(|s| Arc::ptr_eq(&s.group, group)) {
            capture.invalidate();
            result = Err(refuse!(
                Error::STREAM_CAPTURE_UNSUPPORTED,
                "the call waits for a context in which hStream, or another one, is capturing; the capture is invalid now"
            ));
        }
    }
    result
}

/// What an event that is recorded in a captured stream stands for.
pub fn point(stream: &Stream) -> Result<CapturePoint> {
    let part = stream.capture.lock();
    let part = part.as_ref().ok_or_else(|| refuse!(Error::ILLEGAL_STATE, "hStream is not capturing"))?;
    part.capture.check()?;
    Ok(CapturePoint { capture: Arc::downgrade(&part.capture), nodes: part.next.clone() })
}

/// Makes later work of a stream, which is being captured if `capturing`, wait for a point of a capture.
pub(super) fn wait(stream: &Arc<Stream>, point: CapturePoint, capturing: bool) -> Result<()> {
    let Some(capture) = point.active() else {
        if capturing {
            refuse(stream);
        }
        return Err(refuse!(Error::INVALID_VALUE, "hEvent was recorded in a capture that has ended"));
    };
    if capturing {
        let mut part = stream.capture.lock();
        let part = part.as_mut().ok_or_else(|| refuse!(Error::ILLEGAL_STATE, "hStream is not capturing"))?;
        if !Arc::ptr_eq(&part.capture, &capture) {
            part.capture.invalidate();
            capture.invalidate();
            return Err(refuse!(
                Error::STREAM_CAPTURE_MERGE,
                "hEvent was recorded in another capture than that of hStream; both captures are invalid now"
            ));
        }
        part.capture.check()?;
        merge(&mut part.next, &point.nodes);
        return Ok(());
    }
    capture
        .check()
        .map_err(|_| refuse!(Error::INVALID_VALUE, "hEvent was recorded in a capture that was invalidated"))?;
    if stream.kind == StreamKind::Legacy {
        capture.invalidate();
        return Err(refuse!(
            Error::STREAM_CAPTURE_IMPLICIT,
            "hStream is the legacy default stream, which cannot join a capture; the capture is invalid now"
        ));
    }
    enter(stream, &capture, point.nodes)
}
