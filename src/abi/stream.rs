//! Stream Management.

#![allow(non_snake_case)]

use super::DefaultStream;
use super::ptr::{In, InOut, Out};
use super::types::{
    CUcontext, CUdevice, CUdeviceptr, CUevent, CUgreenCtx, CUstream, CUstreamAttrID, CUstreamAttrValue,
    CUstreamCallback, CUstreamCaptureMode,
};
use crate::device::context;
use crate::device::stream::Stream;
use crate::error::Result;
use api_macro::entry;
use core::ffi::{c_int, c_uint, c_ulonglong, c_void};
use std::sync::Arc;

/// The stream that a handle means on the calling thread. Dead and invented handles are `CUDA_ERROR_INVALID_HANDLE`.
pub fn lookup(handle: CUstream, default_stream: DefaultStream) -> Result<Arc<Stream>> {
    context::stream(handle.0, default_stream == DefaultStream::PerThread)
}

/// Creates a stream.
#[entry(since = 2000)]
pub fn cuStreamCreate(phStream: Out<CUstream>, Flags: c_uint) -> Result<()>;

/// Creates a stream with a priority.
#[entry(since = 5050)]
pub fn cuStreamCreateWithPriority(phStream: Out<CUstream>, flags: c_uint, priority: c_int) -> Result<()>;

/// Reports the priority of a stream.
#[entry(since = 5050, twin = "ptsz")]
pub fn cuStreamGetPriority(hStream: CUstream, priority: Out<c_int>) -> Result<()>;

/// Reports the device of a stream.
#[entry(since = 12080, twin = "ptsz")]
pub fn cuStreamGetDevice(hStream: CUstream, device: Out<CUdevice>) -> Result<()>;

/// Reports the flags of a stream.
#[entry(since = 5050, twin = "ptsz")]
pub fn cuStreamGetFlags(hStream: CUstream, flags: Out<c_uint>) -> Result<()>;

/// Reports a number that identifies a stream uniquely in this process.
#[entry(since = 12000, twin = "ptsz")]
pub fn cuStreamGetId(hStream: CUstream, streamId: Out<c_ulonglong>) -> Result<()>;

/// Reports the context of a stream, or the green context if it belongs to one.
#[entry(since = 12050, twin = "ptsz")]
pub fn cuStreamGetCtx_v2(hStream: CUstream, pCtx: Out<CUcontext>, pGreenCtx: Out<CUgreenCtx>) -> Result<()>;

/// Reports the context of a stream.
#[entry(since = 9020, twin = "ptsz")]
pub fn cuStreamGetCtx(hStream: CUstream, pctx: Out<CUcontext>) -> Result<()>;

/// Makes later work on a stream wait for an event.
#[entry(since = 3020, twin = "ptsz")]
pub fn cuStreamWaitEvent(hStream: CUstream, hEvent: CUevent, Flags: c_uint) -> Result<()>;

/// Queues a host callback that also hears about errors.
#[entry(since = 5000, twin = "ptsz")]
pub fn cuStreamAddCallback(
    hStream: CUstream,
    callback: CUstreamCallback,
    userData: *mut c_void,
    flags: c_uint,
) -> Result<()>;

/// Exchanges the calling thread's capture mode with the given one.
#[entry(since = 10010, needs = init)]
pub fn cuThreadExchangeStreamCaptureMode(mode: InOut<CUstreamCaptureMode>) -> Result<()>;

/// Limits who may use managed memory: a stream, the host, or everyone.
#[entry(since = 6000, twin = "ptsz")]
pub fn cuStreamAttachMemAsync(hStream: CUstream, dptr: CUdeviceptr, length: usize, flags: c_uint) -> Result<()>;

/// Tells without waiting whether a stream has finished its work.
#[entry(since = 2000, twin = "ptsz")]
pub fn cuStreamQuery(hStream: CUstream) -> Result<()>;

/// Waits until a stream has finished its work.
#[entry(since = 2000, twin = "ptsz")]
pub fn cuStreamSynchronize(hStream: CUstream) -> Result<()>;

/// Destroys a stream; work already queued still completes.
#[entry(since = 4000, needs = init)]
pub fn cuStreamDestroy_v2(hStream: CUstream) -> Result<()>;

/// First form of [`cuStreamDestroy_v2`].
#[entry(since = 2000, needs = init)]
pub fn cuStreamDestroy(hStream: CUstream) -> Result<()>;

/// Copies all attributes from one stream to another.
#[entry(since = 11000, twin = "ptsz")]
pub fn cuStreamCopyAttributes(dst: CUstream, src: CUstream) -> Result<()>;

/// Reads an attribute of a stream.
#[entry(since = 11000, twin = "ptsz")]
pub fn cuStreamGetAttribute(hStream: CUstream, attr: CUstreamAttrID, value_out: Out<CUstreamAttrValue>) -> Result<()>;

/// Changes an attribute of a stream.
#[entry(since = 11000, twin = "ptsz")]
pub fn cuStreamSetAttribute(hStream: CUstream, attr: CUstreamAttrID, value: In<CUstreamAttrValue>) -> Result<()>;
