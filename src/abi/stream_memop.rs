//! Stream Memory Operations.

#![allow(non_snake_case)]

use super::ptr::InMut;
use super::stream::lookup;
use super::types::{
    CU_STREAM_MEM_OP_BARRIER, CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES, CU_STREAM_MEM_OP_WAIT_VALUE_32,
    CU_STREAM_MEM_OP_WAIT_VALUE_64, CU_STREAM_MEM_OP_WRITE_VALUE_32, CU_STREAM_MEM_OP_WRITE_VALUE_64,
    CU_STREAM_MEMORY_BARRIER_TYPE_GPU, CU_STREAM_WAIT_VALUE_AND, CU_STREAM_WAIT_VALUE_EQ, CU_STREAM_WAIT_VALUE_FLUSH,
    CU_STREAM_WAIT_VALUE_GEQ, CU_STREAM_WAIT_VALUE_NOR, CUdeviceptr, CUstream, CUstreamBatchMemOpParams,
    CUstreamWaitValue_flags, cuuint32_t, cuuint64_t,
};
use crate::device::graph::Operation;
use crate::device::memory;
use crate::device::memory::access;
use crate::device::memory::access::{Declared, Place};
use crate::device::stream::capture;
use crate::device::stream::{Condition, Stream, WaitValue, Work, WriteValue};
use api_macro::entry;
use core::ffi::c_uint;
use error::{Error, Result, refuse, refuse_if};
use std::sync::Arc;

/// Makes a stream wait until a 32-bit word in memory meets a condition.
///
/// - `stream`: the stream.
/// - `addr`: address of the word, a multiple of its size, in device memory or page-locked host memory of no pool.
/// - `value`: what the word is compared with.
/// - `flags`: the condition, `CU_STREAM_WAIT_VALUE_*`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if the condition is unknown, if the address is not aligned, or if it is no such
/// memory; `CUDA_ERROR_NOT_SUPPORTED` with `CU_STREAM_WAIT_VALUE_FLUSH`: the device has no remote writes to flush;
/// `CUDA_ERROR_INVALID_HANDLE` if `stream` is no stream.
///
/// Manual: Stream Memory Operations.
#[entry(since = 11070, twin = "ptsz")]
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
#[entry(since = 8000, twin = "ptsz")]
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
/// Errors: `CUDA_ERROR_INVALID_VALUE` if the condition is unknown, if the address is not aligned, or if it is no such
/// memory; `CUDA_ERROR_NOT_SUPPORTED` with `CU_STREAM_WAIT_VALUE_FLUSH`: the device has no remote writes to flush;
/// `CUDA_ERROR_INVALID_HANDLE` if `stream` is no stream.
///
/// Manual: Stream Memory Operations.
#[entry(since = 11070, twin = "ptsz")]
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
#[entry(since = 9000, twin = "ptsz")]
pub fn cuStreamWaitValue64(stream: CUstream, addr: CUdeviceptr, value: cuuint64_t, flags: c_uint) -> Result<()> {
    Err(refuse!(
        Error::NOT_SUPPORTED,
        "stream: the first form of the function is only supported where an option of the driver's module says so"
    ))
}

/// Writes a 32-bit word to memory on a stream.
///
/// What the stream did before is always visible to whoever sees the word.
///
/// - `stream`: the stream.
/// - `addr`: address of the word, a multiple of its size, in device memory or page-locked host memory of no pool.
/// - `value`: what is written.
/// - `flags`: 0.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `flags` is not 0, if the address is not aligned, or if it is no such memory;
/// `CUDA_ERROR_INVALID_HANDLE` if `stream` is no stream.
///
/// Manual: Stream Memory Operations.
#[entry(since = 11070, twin = "ptsz")]
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
#[entry(since = 8000, twin = "ptsz")]
pub fn cuStreamWriteValue32(stream: CUstream, addr: CUdeviceptr, value: cuuint32_t, flags: c_uint) -> Result<()> {
    Err(refuse!(
        Error::NOT_SUPPORTED,
        "stream: the first form of the function is only supported where an option of the driver's module says so"
    ))
}

/// Writes a 64-bit word to memory on a stream.
///
/// What the stream did before is always visible to whoever sees the word.
///
/// - `stream`: the stream.
/// - `addr`: address of the word, a multiple of its size, in device memory or page-locked host memory of no pool.
/// - `value`: what is written.
/// - `flags`: 0.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `flags` is not 0, if the address is not aligned, or if it is no such memory;
/// `CUDA_ERROR_INVALID_HANDLE` if `stream` is no stream.
///
/// Manual: Stream Memory Operations.
#[entry(since = 11070, twin = "ptsz")]
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
#[entry(since = 9000, twin = "ptsz")]
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
        return capture::record(&stream, Operation::MemoryOperations(operations, None));
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
#[entry(since = 8000, twin = "ptsz")]
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

/// The most operations in one batch.
const MOST_OPERATIONS: c_uint = 255;

/// Checks that a stream may wait for or write a word: aligned, beginning in device memory or in page-locked host memory. Managed
/// memory, pool allocations and pageable memory are refused. Aligned words that end behind an allocation still lie in its last
/// granule or page.
fn check_word(address: u64, wide: bool) -> Result<usize> {
    let size = if wide { 8 } else { 4 };
    let address =
        usize::try_from(address).map_err(|_| refuse!(Error::INVALID_VALUE, "address {:#x} is too large", address))?;
    refuse_if!(
        Error::INVALID_VALUE,
        !address.is_multiple_of(size),
        "address {:#x} is not a multiple of {}",
        address,
        size
    );
    refuse_if!(
        Error::INVALID_VALUE,
        memory::find(address).is_some_and(|a| a.is_from_pool()),
        "address {:#x} is memory of a pool",
        address
    );
    match access::resolve(address, 1, Declared::Device, true)?.place {
        Place::Pinned | Place::Registered | Place::Device(_) | Place::Mapped(_) => Ok(address),
        Place::Pageable | Place::Managed => {
            Err(refuse!(Error::INVALID_VALUE, "address {:#x} is pageable or managed memory", address))
        }
    }
}

fn wait(address: u64, value: u64, wide: bool, flags: c_uint) -> Result<Work> {
    let condition = match CUstreamWaitValue_flags(flags & !CU_STREAM_WAIT_VALUE_FLUSH.0) {
        CU_STREAM_WAIT_VALUE_GEQ => Condition::Geq,
        CU_STREAM_WAIT_VALUE_EQ => Condition::Eq,
        CU_STREAM_WAIT_VALUE_AND => Condition::And,
        CU_STREAM_WAIT_VALUE_NOR => Condition::Nor,
        _ => return Err(refuse!(Error::INVALID_VALUE, "flags {:#x} is not a CUstreamWaitValue_flags", flags)),
    };
    let address = check_word(address, wide)?;
    if flags & CU_STREAM_WAIT_VALUE_FLUSH.0 != 0 {
        // The device has no remote writes to flush (`CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES`).
        return Err(refuse!(
            Error::NOT_SUPPORTED,
            "flags {:#x} asks to flush remote writes, which this device does not have",
            flags
        ));
    }
    Ok(Work::WaitValue(WaitValue { address, value, wide, condition }))
}

fn write(address: u64, value: u64, wide: bool, flags: c_uint) -> Result<Work> {
    refuse_if!(Error::INVALID_VALUE, flags != 0, "flags {:#x} is not 0", flags);
    let address = check_word(address, wide)?;
    Ok(Work::WriteValue(WriteValue { address, value, wide }))
}

/// The operations of a batch, each as work. Barriers need no work: every operation sees the ones before it.
pub(super) fn operations(count: c_uint, array: InMut<CUstreamBatchMemOpParams>) -> Result<Vec<Work>> {
    refuse_if!(Error::INVALID_VALUE, count > MOST_OPERATIONS, "count {} is more than {}", count, MOST_OPERATIONS);
    let mut works = Vec::new();
    for params in array.slice(count as usize)? {
        // SAFETY: every member of the union is valid for every bit pattern.
        let (operation, wait_params, write_params, barrier) =
            unsafe { (params.operation, params.waitValue, params.writeValue, params.memoryBarrier) };
        // SAFETY: as above.
        let (wait_value, write_value) = unsafe { (wait_params.anon0.value64, write_params.anon0.value64) };
        let low = |value: u64| u64::from(value as u32);
        works.push(match operation {
            CU_STREAM_MEM_OP_WAIT_VALUE_32 => wait(wait_params.address, low(wait_value), false, wait_params.flags)?,
            CU_STREAM_MEM_OP_WAIT_VALUE_64 => wait(wait_params.address, wait_value, true, wait_params.flags)?,
            CU_STREAM_MEM_OP_WRITE_VALUE_32 => {
                write(write_params.address, low(write_value), false, write_params.flags)?
            }
            CU_STREAM_MEM_OP_WRITE_VALUE_64 => write(write_params.address, write_value, true, write_params.flags)?,
            CU_STREAM_MEM_OP_BARRIER if barrier.flags <= CU_STREAM_MEMORY_BARRIER_TYPE_GPU.0 => continue,
            CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES => {
                return Err(refuse!(
                    Error::NOT_SUPPORTED,
                    "paramArray: operation CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES is not supported by this device"
                ));
            }
            _ => {
                return Err(refuse!(
                    Error::INVALID_VALUE,
                    "paramArray has an operation that is not a CUstreamBatchMemOpType, or a barrier with flags {:#x}",
                    barrier.flags
                ));
            }
        });
    }
    Ok(works)
}
