//! Event Management.

#![allow(non_snake_case)]

use super::ptr::Out;
use super::types::{CUevent, CUstream};
use crate::error::Result;
use api_macro::entry;
use core::ffi::c_uint;

/// Creates an event.
#[entry(since = 2000)]
pub fn cuEventCreate(phEvent: Out<CUevent>, Flags: c_uint) -> Result<()>;

/// Records in an event the work that a stream has been given so far.
#[entry(since = 2000, twin = "ptsz")]
pub fn cuEventRecord(hEvent: CUevent, hStream: CUstream) -> Result<()>;

/// Records an event, as an external node when the stream is being captured and the flag says so.
#[entry(since = 11010, twin = "ptsz")]
pub fn cuEventRecordWithFlags(hEvent: CUevent, hStream: CUstream, flags: c_uint) -> Result<()>;

/// Tells without waiting whether the work recorded in an event is done.
#[entry(since = 2000, needs = init)]
pub fn cuEventQuery(hEvent: CUevent) -> Result<()>;

/// Waits until the work recorded in an event is done.
#[entry(since = 2000, needs = init)]
pub fn cuEventSynchronize(hEvent: CUevent) -> Result<()>;

/// Destroys an event.
#[entry(since = 4000, needs = init)]
pub fn cuEventDestroy_v2(hEvent: CUevent) -> Result<()>;

/// First form of [`cuEventDestroy_v2`].
#[entry(since = 2000, needs = init)]
pub fn cuEventDestroy(hEvent: CUevent) -> Result<()>;

/// Measures the milliseconds between two recorded events.
#[entry(since = 12080, needs = nothing)]
pub fn cuEventElapsedTime_v2(pMilliseconds: Out<f32>, hStart: CUevent, hEnd: CUevent) -> Result<()>;

/// First form of [`cuEventElapsedTime_v2`].
#[entry(since = 2000, needs = nothing)]
pub fn cuEventElapsedTime(pMilliseconds: Out<f32>, hStart: CUevent, hEnd: CUevent) -> Result<()>;
