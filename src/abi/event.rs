//! Event Management.

#![allow(non_snake_case)]

use super::ptr::Out;
use super::stream::{lookup, with_any};
use super::types::{
    CU_EVENT_BLOCKING_SYNC, CU_EVENT_DISABLE_TIMING, CU_EVENT_INTERPROCESS, CU_EVENT_RECORD_DEFAULT,
    CU_EVENT_RECORD_EXTERNAL, CUevent, CUstream,
};
use crate::device;
use crate::device::graph::Operation;
use crate::device::kernel::kernel_output;
use crate::device::stream::event::Event;
use crate::device::stream::{capture, context};
use api_macro::entry;
use core::ffi::c_uint;
use error::{Error, Result};

/// Creates an event.
///
/// `Flags` are `CU_EVENT_*` bits. An event that other processes may open cannot measure times: `CU_EVENT_INTERPROCESS`
/// without `CU_EVENT_DISABLE_TIMING` is `CUDA_ERROR_INVALID_VALUE`.
#[entry(since = 2000)]
pub fn cuEventCreate(phEvent: Out<CUevent>, Flags: c_uint) -> Result<()> {
    phEvent.check()?;
    let known = CU_EVENT_BLOCKING_SYNC.0 | CU_EVENT_DISABLE_TIMING.0 | CU_EVENT_INTERPROCESS.0;
    let timing = Flags & CU_EVENT_DISABLE_TIMING.0 == 0;
    let interprocess = Flags & CU_EVENT_INTERPROCESS.0 != 0;
    if Flags & !known != 0 || (interprocess && timing) {
        return Err(Error::INVALID_VALUE);
    }
    let event = Event::create(&context::current_any()?, timing, interprocess)?;
    phEvent.set(CUevent(event.handle))
}

/// Records in an event the work that a stream has been given so far.
///
/// Event and stream must belong to the same context, else `CUDA_ERROR_INVALID_HANDLE`.
#[entry(since = 2000, twin = "ptsz")]
pub fn cuEventRecord(hEvent: CUevent, hStream: CUstream) -> Result<()> {
    let event = Event::find(hEvent.0)?;
    with_any(hStream, default_stream, |stream| event.record(stream))
}

/// Records an event, as an external node when the stream is being captured and the flag says so.
///
/// `CU_EVENT_RECORD_EXTERNAL` outside of a capture is `CUDA_ERROR_ILLEGAL_STATE`.
#[entry(since = 11010, twin = "ptsz")]
pub fn cuEventRecordWithFlags(hEvent: CUevent, hStream: CUstream, flags: c_uint) -> Result<()> {
    if flags & !CU_EVENT_RECORD_EXTERNAL.0 != CU_EVENT_RECORD_DEFAULT.0 {
        return Err(Error::INVALID_VALUE);
    }
    let event = Event::find(hEvent.0)?;
    let stream = lookup(hStream, default_stream)?;
    if flags != CU_EVENT_RECORD_DEFAULT.0 {
        if !stream.admit()? {
            return Err(Error::ILLEGAL_STATE);
        }
        return capture::record(&stream, Operation::Record(event));
    }
    event.record(&stream)
}

/// Tells without waiting whether the work recorded in an event is done.
///
/// `CUDA_SUCCESS` when it is or the event was never recorded, `CUDA_ERROR_NOT_READY` while it is not.
#[entry(since = 2000, needs = nothing)]
pub fn cuEventQuery(hEvent: CUevent) -> Result<()> {
    device::initialized_unless(hEvent.is_null(), Error::INVALID_HANDLE)?;
    let event = Event::find(hEvent.0)?;
    event.check_uncaptured()?;
    capture::check_call()?;
    if !event.is_complete() {
        // What other streams of a context that has failed were to do does not get done.
        return event.outcome().and(Err(Error::NOT_READY));
    }
    kernel_output::synchronized();
    event.outcome()
}

/// Waits until the work recorded in an event is done.
#[entry(since = 2000, needs = nothing)]
pub fn cuEventSynchronize(hEvent: CUevent) -> Result<()> {
    device::initialized_unless(hEvent.is_null(), Error::INVALID_HANDLE)?;
    let event = Event::find(hEvent.0)?;
    event.check_uncaptured()?;
    capture::check_call()?;
    event.synchronize();
    event.outcome()
}

/// Destroys an event.
///
/// Returns at once: streams that were told to wait for it still do.
#[entry(since = 4000, needs = nothing)]
pub fn cuEventDestroy_v2(hEvent: CUevent) -> Result<()> {
    device::initialized_unless(hEvent.is_null(), Error::INVALID_HANDLE)?;
    Event::destroy(hEvent.0)
}

/// First form of [`cuEventDestroy_v2`].
#[entry(since = 2000, needs = nothing)]
pub fn cuEventDestroy(hEvent: CUevent) -> Result<()> {
    device::initialized_unless(hEvent.is_null(), Error::INVALID_HANDLE)?;
    Event::destroy(hEvent.0)
}

/// Measures the milliseconds between two recorded events.
///
/// Both events must be recorded, measure times and belong to one context, else `CUDA_ERROR_INVALID_HANDLE`; so is a `NULL`
/// output. `CUDA_ERROR_NOT_READY` while one of them is not reached. Negative when `hEnd` was reached first.
#[entry(since = 12080, needs = nothing)]
pub fn cuEventElapsedTime_v2(pMilliseconds: Out<f32>, hStart: CUevent, hEnd: CUevent) -> Result<()> {
    elapsed(pMilliseconds, hStart, hEnd)
}

/// First form of [`cuEventElapsedTime_v2`].
#[entry(since = 2000, needs = nothing)]
pub fn cuEventElapsedTime(pMilliseconds: Out<f32>, hStart: CUevent, hEnd: CUevent) -> Result<()> {
    elapsed(pMilliseconds, hStart, hEnd)
}

fn elapsed(milliseconds: Out<f32>, start: CUevent, end: CUevent) -> Result<()> {
    if milliseconds.is_null() || start.is_null() || end.is_null() {
        return Err(Error::INVALID_HANDLE);
    }
    device::initialized()?;
    let (start, end) = (Event::find(start.0)?, Event::find(end.0)?);
    start.outcome()?;
    milliseconds.set(start.elapsed(&end)? as f32 / 1e6)
}
