//! Stream Memory Operations.

#![allow(non_snake_case)]

use super::convert::memory_operation::{operations, wait, write};
use super::convert::stream::lookup;
use super::ptr::InMut;
use super::types::{CUdeviceptr, CUstream, CUstreamBatchMemOpParams, cuuint32_t, cuuint64_t};
use api_macro::entry;
use core::ffi::c_uint;
use device::graph::Operation;
use device::graph::recording;
use device::memory::access;
use device::stream::{Stream, Work};
use error::{Error, Result, refuse, refuse_if};
use std::sync::Arc;

/// Makes a stream wait until a 32-bit word in memory meets a condition.
///
/// - `stream`: the stream.
/// - `addr`: address of the word, a multiple of its size, in device memory or page-locked host memory of no pool.
/// - `value`: what the word is compared with.
/// - `flags`: the condition, `CU_STREAM_WAIT_VALUE_*`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if the condition is unknown, if the address is not aligned, or if no such memory
/// is there; `CUDA_ERROR_NOT_SUPPORTED` with `CU_STREAM_WAIT_VALUE_FLUSH`: the device has no remote writes to flush;
/// `CUDA_ERROR_INVALID_HANDLE` if `stream` is no stream.
///
/// Manual: Stream Memory Operations.
#[entry(since = 11070, twin = "ptsz", flags = CUstreamWaitValue_flags)]
pub fn cuStreamWaitValue32_v2(stream: CUstream, addr: CUdeviceptr, value: cuuint32_t, flags: c_uint) -> Result<()> {
    let stream = lookup(stream, default_stream);
    give(stream, wait(addr, u64::from(value), false, flags)?)
}

/// First form of [`cuStreamWaitValue32_v2`].
///
/// - `stream`: the stream.
/// - `addr`: address of the word, a multiple of its size, in device memory or page-locked host memory of no pool.
/// - `value`: what the word is compared with.
/// - `flags`: the condition, `CU_STREAM_WAIT_VALUE_*`.
///
/// Errors: `CUDA_ERROR_NOT_SUPPORTED` always, as the real driver answers unless a parameter of its kernel module allows
/// the call.
///
/// Manual: none, replaced in CUDA 11.7.
#[entry(since = 8000, twin = "ptsz", flags = CUstreamWaitValue_flags, status = "refused: an option of a kernel module would have to allow it, as with driver 580")]
pub fn cuStreamWaitValue32(stream: CUstream, addr: CUdeviceptr, value: cuuint32_t, flags: c_uint) -> Result<()> {
    Err(refuse!(
        Error::NOT_SUPPORTED,
        "stream: the first form of the function is only supported where an option of the driver's module says so"
    ))
}

/// Makes a stream wait until a 64-bit word in memory meets a condition.
///
/// - `stream`: the stream.
/// - `addr`: address of the word, a multiple of its size, in device memory or page-locked host memory of no pool.
/// - `value`: what the word is compared with.
/// - `flags`: the condition, `CU_STREAM_WAIT_VALUE_*`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if the condition is unknown, if the address is not aligned, or if no such memory
/// is there; `CUDA_ERROR_NOT_SUPPORTED` with `CU_STREAM_WAIT_VALUE_FLUSH`: the device has no remote writes to flush;
/// `CUDA_ERROR_INVALID_HANDLE` if `stream` is no stream.
///
/// Manual: Stream Memory Operations.
#[entry(since = 11070, twin = "ptsz", flags = CUstreamWaitValue_flags)]
pub fn cuStreamWaitValue64_v2(stream: CUstream, addr: CUdeviceptr, value: cuuint64_t, flags: c_uint) -> Result<()> {
    let stream = lookup(stream, default_stream);
    give(stream, wait(addr, value, true, flags)?)
}

/// First form of [`cuStreamWaitValue64_v2`].
///
/// - `stream`: the stream.
/// - `addr`: address of the word, a multiple of its size, in device memory or page-locked host memory of no pool.
/// - `value`: what the word is compared with.
/// - `flags`: the condition, `CU_STREAM_WAIT_VALUE_*`.
///
/// Errors: `CUDA_ERROR_NOT_SUPPORTED` always, as the real driver answers unless a parameter of its kernel module allows
/// the call.
///
/// Manual: none, replaced in CUDA 11.7.
#[entry(since = 9000, twin = "ptsz", flags = CUstreamWaitValue_flags, status = "refused: an option of a kernel module would have to allow it, as with driver 580")]
pub fn cuStreamWaitValue64(stream: CUstream, addr: CUdeviceptr, value: cuuint64_t, flags: c_uint) -> Result<()> {
    Err(refuse!(
        Error::NOT_SUPPORTED,
        "stream: the first form of the function is only supported where an option of the driver's module says so"
    ))
}

/// Writes a 32-bit word to memory on a stream.
///
/// Earlier work of the stream is always visible to a reader that sees the word.
///
/// - `stream`: the stream.
/// - `addr`: address of the word, a multiple of its size, in device memory or page-locked host memory of no pool.
/// - `value`: what is written.
/// - `flags`: 0.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `flags` is not 0, if the address is not aligned, or if no such memory is
/// there; `CUDA_ERROR_INVALID_HANDLE` if `stream` is no stream.
///
/// Manual: Stream Memory Operations.
#[entry(since = 11070, twin = "ptsz", flags = CUstreamWriteValue_flags)]
pub fn cuStreamWriteValue32_v2(stream: CUstream, addr: CUdeviceptr, value: cuuint32_t, flags: c_uint) -> Result<()> {
    let stream = lookup(stream, default_stream);
    give(stream, write(addr, u64::from(value), false, flags)?)
}

/// First form of [`cuStreamWriteValue32_v2`].
///
/// - `stream`: the stream.
/// - `addr`: address of the word, a multiple of its size, in device memory or page-locked host memory of no pool.
/// - `value`: what is written.
/// - `flags`: 0.
///
/// Errors: `CUDA_ERROR_NOT_SUPPORTED` always, as the real driver answers unless a parameter of its kernel module allows
/// the call.
///
/// Manual: none, replaced in CUDA 11.7.
#[entry(since = 8000, twin = "ptsz", flags = CUstreamWriteValue_flags, status = "refused: an option of a kernel module would have to allow it, as with driver 580")]
pub fn cuStreamWriteValue32(stream: CUstream, addr: CUdeviceptr, value: cuuint32_t, flags: c_uint) -> Result<()> {
    Err(refuse!(
        Error::NOT_SUPPORTED,
        "stream: the first form of the function is only supported where an option of the driver's module says so"
    ))
}

/// Writes a 64-bit word to memory on a stream.
///
/// Earlier work of the stream is always visible to a reader that sees the word.
///
/// - `stream`: the stream.
/// - `addr`: address of the word, a multiple of its size, in device memory or page-locked host memory of no pool.
/// - `value`: what is written.
/// - `flags`: 0.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `flags` is not 0, if the address is not aligned, or if no such memory is
/// there; `CUDA_ERROR_INVALID_HANDLE` if `stream` is no stream.
///
/// Manual: Stream Memory Operations.
#[entry(since = 11070, twin = "ptsz", flags = CUstreamWriteValue_flags)]
pub fn cuStreamWriteValue64_v2(stream: CUstream, addr: CUdeviceptr, value: cuuint64_t, flags: c_uint) -> Result<()> {
    let stream = lookup(stream, default_stream);
    give(stream, write(addr, value, true, flags)?)
}

/// First form of [`cuStreamWriteValue64_v2`].
///
/// - `stream`: the stream.
/// - `addr`: address of the word, a multiple of its size, in device memory or page-locked host memory of no pool.
/// - `value`: what is written.
/// - `flags`: 0.
///
/// Errors: `CUDA_ERROR_NOT_SUPPORTED` always, as the real driver answers unless a parameter of its kernel module allows
/// the call.
///
/// Manual: none, replaced in CUDA 11.7.
#[entry(since = 9000, twin = "ptsz", flags = CUstreamWriteValue_flags, status = "refused: an option of a kernel module would have to allow it, as with driver 580")]
pub fn cuStreamWriteValue64(stream: CUstream, addr: CUdeviceptr, value: cuuint64_t, flags: c_uint) -> Result<()> {
    Err(refuse!(
        Error::NOT_SUPPORTED,
        "stream: the first form of the function is only supported where an option of the driver's module says so"
    ))
}

/// Queues several waits, writes and barriers on a stream.
///
/// They take effect in their order; none does if one of them is wrong.
///
/// - `stream`: the stream.
/// - `count`: number of operations, less than 256; 0 does nothing.
/// - `paramArray`: array of `count` operations.
/// - `flags`: 0.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `flags` is not 0, for 256 operations and more, if `paramArray` is NULL, if an
/// operation or the scope of a barrier is unknown, and for what the single operations refuse;
/// `CUDA_ERROR_NOT_SUPPORTED` for a flush of remote writes; `CUDA_ERROR_INVALID_HANDLE` if `stream` is no stream.
///
/// Manual: Stream Memory Operations.
#[entry(since = 11070, twin = "ptsz")]
pub fn cuStreamBatchMemOp_v2(
    stream: CUstream,
    count: c_uint,
    paramArray: InMut<CUstreamBatchMemOpParams>,
    flags: c_uint,
) -> Result<()> {
    refuse_if!(Error::INVALID_VALUE, flags != 0, "flags {:#x} is not 0", flags);
    if count == 0 {
        return lookup(stream, default_stream).map(drop);
    }
    let operations = operations(count, paramArray)?;
    let stream = lookup(stream, default_stream)?;
    if stream.admit()? {
        return recording::record(&stream, Operation::MemoryOperations(operations, None));
    }
    operations.into_iter().try_for_each(|work| stream.enqueue(work))
}

/// First form of [`cuStreamBatchMemOp_v2`].
///
/// - `stream`: the stream.
/// - `count`: number of operations, less than 256; 0 does nothing.
/// - `paramArray`: array of `count` operations.
/// - `flags`: 0.
///
/// Errors: `CUDA_ERROR_NOT_SUPPORTED` always, as the real driver answers unless a parameter of its kernel module allows
/// the call.
///
/// Manual: none, replaced in CUDA 11.7.
#[entry(
    since = 8000,
    twin = "ptsz",
    status = "refused: an option of a kernel module would have to allow it, as with driver 580"
)]
pub fn cuStreamBatchMemOp(
    stream: CUstream,
    count: c_uint,
    paramArray: InMut<CUstreamBatchMemOpParams>,
    flags: c_uint,
) -> Result<()> {
    Err(refuse!(
        Error::NOT_SUPPORTED,
        "stream: the first form of the function is only supported where an option of the driver's module says so"
    ))
}

/// Gives an operation to a stream, which was looked up before the operation was looked at: a thread's default stream is made then.
/// A variable of a module belongs to its context's streams.
fn give(stream: Result<Arc<Stream>>, work: Work) -> Result<()> {
    let stream = stream?;
    if let Work::WriteValue(write) = &work {
        access::check_variable(write.address, || stream.context.upgrade().map_or(0, |context| context.handle))?;
    }
    stream.enqueue(work)
}
