//! Stream Memory Operations.

#![allow(non_snake_case)]

use super::ptr::InMut;
use super::types::{CUdeviceptr, CUstream, CUstreamBatchMemOpParams, cuuint32_t, cuuint64_t};
use crate::error::Result;
use api_macro::entry;
use core::ffi::c_uint;

/// Makes a stream wait until a 32-bit word in memory meets a condition.
#[entry(since = 11070, twin = "ptsz")]
pub fn cuStreamWaitValue32_v2(stream: CUstream, addr: CUdeviceptr, value: cuuint32_t, flags: c_uint) -> Result<()>;

/// First form of [`cuStreamWaitValue32_v2`].
#[entry(since = 8000, twin = "ptsz")]
pub fn cuStreamWaitValue32(stream: CUstream, addr: CUdeviceptr, value: cuuint32_t, flags: c_uint) -> Result<()>;

/// Makes a stream wait until a 64-bit word in memory meets a condition.
#[entry(since = 11070, twin = "ptsz")]
pub fn cuStreamWaitValue64_v2(stream: CUstream, addr: CUdeviceptr, value: cuuint64_t, flags: c_uint) -> Result<()>;

/// First form of [`cuStreamWaitValue64_v2`].
#[entry(since = 9000, twin = "ptsz")]
pub fn cuStreamWaitValue64(stream: CUstream, addr: CUdeviceptr, value: cuuint64_t, flags: c_uint) -> Result<()>;

/// Writes a 32-bit word to memory on a stream.
#[entry(since = 11070, twin = "ptsz")]
pub fn cuStreamWriteValue32_v2(stream: CUstream, addr: CUdeviceptr, value: cuuint32_t, flags: c_uint) -> Result<()>;

/// First form of [`cuStreamWriteValue32_v2`].
#[entry(since = 8000, twin = "ptsz")]
pub fn cuStreamWriteValue32(stream: CUstream, addr: CUdeviceptr, value: cuuint32_t, flags: c_uint) -> Result<()>;

/// Writes a 64-bit word to memory on a stream.
#[entry(since = 11070, twin = "ptsz")]
pub fn cuStreamWriteValue64_v2(stream: CUstream, addr: CUdeviceptr, value: cuuint64_t, flags: c_uint) -> Result<()>;

/// First form of [`cuStreamWriteValue64_v2`].
#[entry(since = 9000, twin = "ptsz")]
pub fn cuStreamWriteValue64(stream: CUstream, addr: CUdeviceptr, value: cuuint64_t, flags: c_uint) -> Result<()>;

/// Queues several waits, writes and barriers on a stream.
#[entry(since = 11070, twin = "ptsz")]
pub fn cuStreamBatchMemOp_v2(
    stream: CUstream,
    count: c_uint,
    paramArray: InMut<CUstreamBatchMemOpParams>,
    flags: c_uint,
) -> Result<()>;

/// First form of [`cuStreamBatchMemOp_v2`].
#[entry(since = 8000, twin = "ptsz")]
pub fn cuStreamBatchMemOp(
    stream: CUstream,
    count: c_uint,
    paramArray: InMut<CUstreamBatchMemOpParams>,
    flags: c_uint,
) -> Result<()>;
