//! Event Management.

#![allow(non_snake_case)]

use super::convert::stream::{lookup, with_any};
use super::ptr::Out;
use super::types::{
    CU_EVENT_BLOCKING_SYNC, CU_EVENT_DISABLE_TIMING, CU_EVENT_INTERPROCESS, CU_EVENT_RECORD_DEFAULT,
    CU_EVENT_RECORD_EXTERNAL, CUevent, CUstream,
};
use api_macro::entry;
use core::ffi::c_uint;
use device::graph::Operation;
use device::graph::recording;
use device::kernel::system;
use device::memory::ipc::SharedEvent;
use device::stream::event::Event;
use device::stream::{capture, context};
use error::{Error, Result, refuse, refuse_if};

/// Creates an event in the current context.
///
/// An event that other processes may open cannot measure times.
///
/// - `phEvent`: receives the event.
/// - `Flags`: `CU_EVENT_*` bits.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `phEvent` is NULL, for unknown `Flags`, and for `CU_EVENT_INTERPROCESS`
/// without `CU_EVENT_DISABLE_TIMING`.
///
/// Manual: Event Management.
#[entry(since = 2000, flags = CUevent_flags)]
pub fn cuEventCreate(phEvent: Out<CUevent>, Flags: c_uint) -> Result<()> {
    phEvent.check()?;
    let known = CU_EVENT_BLOCKING_SYNC.0 | CU_EVENT_DISABLE_TIMING.0 | CU_EVENT_INTERPROCESS.0;
    let timing = Flags & CU_EVENT_DISABLE_TIMING.0 == 0;
    let interprocess = Flags & CU_EVENT_INTERPROCESS.0 != 0;
    refuse_if!(Error::INVALID_VALUE, Flags & !known != 0, "Flags {:#x} has unknown bits", Flags);
    refuse_if!(
        Error::INVALID_VALUE,
        interprocess && timing,
        "Flags {:#x} has CU_EVENT_INTERPROCESS without CU_EVENT_DISABLE_TIMING",
        Flags
    );
    let context = context::current_any()?;
    let interprocess = if interprocess { Some(SharedEvent::create()? as _) } else { None };
    let event = Event::create(&context, timing, interprocess)?;
    phEvent.set(CUevent(event.handle))
}

/// Records in an event the work that a stream has been given so far.
///
/// - `hEvent`: the event.
/// - `hStream`: the stream, of the event's context.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hEvent` is no event, `CUDA_ERROR_CONTEXT_IS_DESTROYED` if its context is
/// gone; `CUDA_ERROR_INVALID_HANDLE` if event and stream belong to different contexts;
/// `CUDA_ERROR_STREAM_CAPTURE_INVALIDATED` for a stream whose capture is invalidated.
///
/// Manual: Event Management.
#[entry(since = 2000, twin = "ptsz")]
pub fn cuEventRecord(hEvent: CUevent, hStream: CUstream) -> Result<()> {
    let event = Event::find(hEvent.0)?;
    with_any(hStream, default_stream, |stream| event.record(stream))
}

/// Records an event, as an external node when the stream is being captured and the flag says so.
///
/// - `hEvent`: the event.
/// - `hStream`: the stream, of the event's context.
/// - `flags`: `CU_EVENT_RECORD_DEFAULT`, or `CU_EVENT_RECORD_EXTERNAL` for a node that records the event whenever the
///   graph runs.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` for unknown `flags`; `CUDA_ERROR_INVALID_HANDLE` if `hEvent` is no event,
/// `CUDA_ERROR_CONTEXT_IS_DESTROYED` if its context is gone; `CUDA_ERROR_INVALID_HANDLE` if event and stream belong to
/// different contexts; `CUDA_ERROR_ILLEGAL_STATE` for `CU_EVENT_RECORD_EXTERNAL` outside of a capture;
/// `CUDA_ERROR_STREAM_CAPTURE_INVALIDATED` for a stream whose capture is invalidated.
///
/// Manual: Event Management.
#[entry(since = 11010, twin = "ptsz", flags = CUevent_record_flags)]
pub fn cuEventRecordWithFlags(hEvent: CUevent, hStream: CUstream, flags: c_uint) -> Result<()> {
    refuse_if!(
        Error::INVALID_VALUE,
        flags & !CU_EVENT_RECORD_EXTERNAL.0 != CU_EVENT_RECORD_DEFAULT.0,
        "flags {:#x} is neither 0 nor CU_EVENT_RECORD_EXTERNAL",
        flags
    );
    let event = Event::find(hEvent.0)?;
    let stream = lookup(hStream, default_stream)?;
    if flags != CU_EVENT_RECORD_DEFAULT.0 {
        if !stream.admit()? {
            return Err(refuse!(
                Error::ILLEGAL_STATE,
                "flags is CU_EVENT_RECORD_EXTERNAL, and hStream is not capturing"
            ));
        }
        return recording::record(&stream, Operation::Record(event));
    }
    event.record(&stream)
}

/// Tells without waiting whether the work recorded in an event is done.
///
/// Success when it is, or if the event was never recorded.
///
/// - `hEvent`: the event.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hEvent` is no event, `CUDA_ERROR_CONTEXT_IS_DESTROYED` if its context is
/// gone; `CUDA_ERROR_NOT_READY` while the work is not done; `CUDA_ERROR_CAPTURED_EVENT` for an event that was recorded
/// in a capture, where the call invalidates the capture, and `CUDA_ERROR_INVALID_VALUE` once the capture has ended;
/// `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call; the asynchronous error of the event's
/// context.
///
/// Manual: Event Management.
#[entry(since = 2000, needs = nothing)]
pub fn cuEventQuery(hEvent: CUevent) -> Result<()> {
    device::initialized_unless(hEvent.is_null(), Error::INVALID_HANDLE)?;
    let event = Event::find(hEvent.0)?;
    event.check_uncaptured()?;
    capture::check_call()?;
    if !event.is_complete() {
        // After an error of its context, the work ahead of the event is never done: the call returns that error.
        return event.outcome().and(Err(Error::NOT_READY));
    }
    system::write_output();
    event.outcome()
}

/// Waits until the work recorded in an event is done.
///
/// Returns at once if the event was never recorded.
///
/// - `hEvent`: the event.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hEvent` is no event, `CUDA_ERROR_CONTEXT_IS_DESTROYED` if its context is
/// gone; `CUDA_ERROR_CAPTURED_EVENT` for an event that was recorded in a capture, where the call invalidates the
/// capture, and `CUDA_ERROR_INVALID_VALUE` once the capture has ended; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a
/// capture forbids the call; the asynchronous error of the event's context.
///
/// Manual: Event Management.
#[entry(since = 2000, needs = nothing)]
pub fn cuEventSynchronize(hEvent: CUevent) -> Result<()> {
    device::initialized_unless(hEvent.is_null(), Error::INVALID_HANDLE)?;
    let event = Event::find(hEvent.0)?;
    event.synchronize()?;
    event.outcome()
}

/// Destroys an event.
///
/// Returns at once: streams that were told to wait for it still do.
///
/// - `hEvent`: the event.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if it is no event; `CUDA_ERROR_CONTEXT_IS_DESTROYED` if its context is gone: the
/// event is destroyed nonetheless; its context's asynchronous error: the event is not destroyed then.
///
/// Manual: Event Management.
#[entry(since = 4000, needs = nothing)]
pub fn cuEventDestroy_v2(hEvent: CUevent) -> Result<()> {
    device::initialized_unless(hEvent.is_null(), Error::INVALID_HANDLE)?;
    Event::destroy(hEvent.0)
}

/// Destroys an event, with the rules of before CUDA 4.
///
/// As [`cuEventDestroy_v2`]: there is no difference here.
///
/// - `hEvent`: the event.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if it is no event; `CUDA_ERROR_CONTEXT_IS_DESTROYED` if its context is gone: the
/// event is destroyed nonetheless; its context's asynchronous error: the event is not destroyed then.
///
/// Manual: Event Management.
#[entry(since = 2000, needs = nothing)]
pub fn cuEventDestroy(hEvent: CUevent) -> Result<()> {
    device::initialized_unless(hEvent.is_null(), Error::INVALID_HANDLE)?;
    Event::destroy(hEvent.0)
}

/// Measures the time between two recorded events.
///
/// - `pMilliseconds`: receives milliseconds; negative when `hEnd` was reached first.
/// - `hStart`: the event at the beginning.
/// - `hEnd`: the event at the end, of the same context.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if a pointer or event is NULL, for what is no event, and unless both were
/// recorded, measure times and belong to one context; `CUDA_ERROR_NOT_READY` while one of them is not reached;
/// `CUDA_ERROR_CAPTURED_EVENT` for one that was recorded in a capture, which invalidates the capture, and
/// `CUDA_ERROR_INVALID_VALUE` once the capture has ended; `CUDA_ERROR_CONTEXT_IS_DESTROYED` if their context is gone;
/// its asynchronous error.
///
/// Manual: Event Management.
#[entry(since = 12080, needs = nothing)]
pub fn cuEventElapsedTime_v2(pMilliseconds: Out<f32>, hStart: CUevent, hEnd: CUevent) -> Result<()> {
    elapsed(pMilliseconds, hStart, hEnd)
}

/// Measures the time between two recorded events.
///
/// - `pMilliseconds`: receives milliseconds; negative when `hEnd` was reached first.
/// - `hStart`: the event at the beginning.
/// - `hEnd`: the event at the end, of the same context.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if a pointer or event is NULL, for what is no event, and unless both were
/// recorded, measure times and belong to one context; `CUDA_ERROR_NOT_READY` while one of them is not reached;
/// `CUDA_ERROR_CAPTURED_EVENT` for one that was recorded in a capture, which invalidates the capture, and
/// `CUDA_ERROR_INVALID_VALUE` once the capture has ended; `CUDA_ERROR_CONTEXT_IS_DESTROYED` if their context is gone;
/// its asynchronous error.
///
/// Manual: Event Management.
#[entry(since = 2000, needs = nothing)]
pub fn cuEventElapsedTime(pMilliseconds: Out<f32>, hStart: CUevent, hEnd: CUevent) -> Result<()> {
    elapsed(pMilliseconds, hStart, hEnd)
}

fn elapsed(milliseconds: Out<f32>, start: CUevent, end: CUevent) -> Result<()> {
    refuse_if!(Error::INVALID_HANDLE, milliseconds.is_null(), "pMilliseconds is NULL");
    refuse_if!(Error::INVALID_HANDLE, start.is_null(), "hStart is NULL");
    refuse_if!(Error::INVALID_HANDLE, end.is_null(), "hEnd is NULL");
    device::initialized()?;
    let (start, end) = (Event::find(start.0)?, Event::find(end.0)?);
    start.outcome()?;
    milliseconds.set(start.elapsed(&end)? as f32 / 1e6)
}
