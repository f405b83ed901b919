//! Memory Management (copies of ranges).

#![allow(non_snake_case)]

use super::DefaultStream;
use super::convert::copy_descriptor::peer_device;
use super::convert::stream;
use super::convert::stream::lookup;
use super::types::{CUcontext, CUdeviceptr, CUdeviceptr_v1, CUstream};
use api_macro::entry;
use core::ffi::{c_uint, c_void};
use device::copy::linear;
use device::copy::timing::Call;
use device::memory::access::Declared;
use device::stream::capture;
use error::Result;

/// A copy by one of the functions without stream: it runs on the caller's default stream.
#[inline]
fn copy_now(dst: (usize, Declared), src: (usize, Declared), bytes: usize, default_stream: DefaultStream) -> Result<()> {
    copy(dst, src, bytes, CUstream::NULL, default_stream, Call::Synchronous)
}

/// A copy by one of the functions with stream.
#[inline]
fn copy_on(
    dst: (usize, Declared),
    src: (usize, Declared),
    bytes: usize,
    stream: CUstream,
    default_stream: DefaultStream,
) -> Result<()> {
    copy(dst, src, bytes, stream, default_stream, Call::Asynchronous)
}

#[inline]
fn copy(
    dst: (usize, Declared),
    src: (usize, Declared),
    bytes: usize,
    stream: CUstream,
    default_stream: DefaultStream,
    call: Call,
) -> Result<()> {
    if stream::is_quiet(stream, default_stream) && linear::copy_at_once(dst, src, bytes) {
        return Ok(());
    }
    stream::with(stream, default_stream, |stream| linear::copy_range(stream, dst, src, bytes, call))
}

/// Copies between two unified addresses and finds out what kind of memory they are.
///
/// An address that no allocation holds counts as the program's own pageable memory. Returns when the copy is complete,
/// except between device memory, where the copy is only given to the stream.
///
/// - `dst`: destination, a unified address.
/// - `src`: source, a unified address.
/// - `ByteCount`: size in bytes; 0 does nothing, whatever the addresses are.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if an address is NULL, if a side leaves its allocation, if the current context's
/// device may not use it, or if pageable memory is not there.
///
/// Manual: Memory Management.
#[entry(since = 4000, twin = "ptds")]
pub fn cuMemcpy(dst: CUdeviceptr, src: CUdeviceptr, ByteCount: usize) -> Result<()> {
    copy_now((dst as usize, Declared::Unified), (src as usize, Declared::Unified), ByteCount, default_stream)
}

/// Copies between allocations of two contexts.
///
/// Peer access need not be enabled, but the device of each context must be allowed to use the memory on its side:
/// memory of pools and mapped memory may be closed to it. Does not wait for copies between device memory.
///
/// - `dstDevice`: destination, memory that the driver knows.
/// - `dstContext`: context of the destination, NULL for the current one.
/// - `srcDevice`: source, memory that the driver knows.
/// - `srcContext`: context of the source, NULL for the current one.
/// - `ByteCount`: size in bytes; 0 does nothing, whatever the addresses are.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a side is pageable, leaves its allocation or may not be used by its context's
/// device; `CUDA_ERROR_INVALID_CONTEXT` if a context handle is not valid; `CUDA_ERROR_CONTEXT_IS_DESTROYED` if a context was
/// destroyed.
///
/// Manual: Memory Management.
#[entry(since = 4000, twin = "ptds")]
pub fn cuMemcpyPeer(
    dstDevice: CUdeviceptr,
    dstContext: CUcontext,
    srcDevice: CUdeviceptr,
    srcContext: CUcontext,
    ByteCount: usize,
) -> Result<()> {
    let dst = (dstDevice as usize, peer_device(dstContext)?);
    let src = (srcDevice as usize, peer_device(srcContext)?);
    stream::with(CUstream::NULL, default_stream, |stream| {
        linear::copy_peer(stream, dst, src, ByteCount, Call::Synchronous)
    })
}

/// Copies from host to device memory.
///
/// Returns when the copy is complete. Both addresses may be of any memory that the driver knows; only `srcHost` may be
/// pageable.
///
/// - `dstDevice`: destination, memory that the driver knows.
/// - `srcHost`: source, any memory.
/// - `ByteCount`: size in bytes; 0 does nothing, whatever the addresses are.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if an address is NULL, if `dstDevice` is pageable, if a side leaves its
/// allocation, if the current context's device may not use it, or if pageable memory is not there.
///
/// Manual: Memory Management.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemcpyHtoD_v2(dstDevice: CUdeviceptr, srcHost: *const c_void, ByteCount: usize) -> Result<()> {
    copy_now((dstDevice as usize, Declared::Device), (srcHost as usize, Declared::Host), ByteCount, default_stream)
}

/// First-generation [`cuMemcpyHtoD_v2`]: addresses and sizes have 32 bits.
///
/// - `dstDevice`: destination, memory that the driver knows.
/// - `srcHost`: source, any memory.
/// - `ByteCount`: size in bytes; 0 does nothing, whatever the addresses are.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always: there is no memory with addresses of 32 bits.
///
/// Manual: none, first generation.
#[entry(since = 2000, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuMemcpyHtoD(dstDevice: CUdeviceptr_v1, srcHost: *const c_void, ByteCount: c_uint) -> Result<()> {
    Err(super::no_32_bit_context())
}

/// Copies from device to host memory.
///
/// Returns when the copy is complete. Both addresses may be of any memory that the driver knows; only `dstHost` may be
/// pageable.
///
/// - `dstHost`: destination, any memory.
/// - `srcDevice`: source, memory that the driver knows.
/// - `ByteCount`: size in bytes; 0 does nothing, whatever the addresses are.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if an address is NULL, if `srcDevice` is pageable, if a side leaves its
/// allocation, if the current context's device may not use it, or if pageable memory is not there.
///
/// Manual: Memory Management.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemcpyDtoH_v2(dstHost: *mut c_void, srcDevice: CUdeviceptr, ByteCount: usize) -> Result<()> {
    copy_now((dstHost as usize, Declared::Host), (srcDevice as usize, Declared::Device), ByteCount, default_stream)
}

/// First-generation [`cuMemcpyDtoH_v2`]: addresses and sizes have 32 bits.
///
/// - `dstHost`: destination, any memory.
/// - `srcDevice`: source, memory that the driver knows.
/// - `ByteCount`: size in bytes; 0 does nothing, whatever the addresses are.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always: there is no memory with addresses of 32 bits.
///
/// Manual: none, first generation.
#[entry(since = 2000, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuMemcpyDtoH(dstHost: *mut c_void, srcDevice: CUdeviceptr_v1, ByteCount: c_uint) -> Result<()> {
    Err(super::no_32_bit_context())
}

/// Copies within device memory, also between devices.
///
/// The ranges may overlap. Does not wait for the copy to be complete.
///
/// - `dstDevice`: destination, memory that the driver knows.
/// - `srcDevice`: source, memory that the driver knows.
/// - `ByteCount`: size in bytes; 0 does nothing, whatever the addresses are.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a side is pageable or NULL, leaves its allocation, or may not be used by the
/// current context's device.
///
/// Manual: Memory Management.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemcpyDtoD_v2(dstDevice: CUdeviceptr, srcDevice: CUdeviceptr, ByteCount: usize) -> Result<()> {
    copy_now((dstDevice as usize, Declared::Device), (srcDevice as usize, Declared::Device), ByteCount, default_stream)
}

/// First-generation [`cuMemcpyDtoD_v2`]: addresses and sizes have 32 bits.
///
/// - `dstDevice`: destination, memory that the driver knows.
/// - `srcDevice`: source, memory that the driver knows.
/// - `ByteCount`: size in bytes; 0 does nothing, whatever the addresses are.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always: there is no memory with addresses of 32 bits.
///
/// Manual: none, first generation.
#[entry(since = 2000, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuMemcpyDtoD(dstDevice: CUdeviceptr_v1, srcDevice: CUdeviceptr_v1, ByteCount: c_uint) -> Result<()> {
    Err(super::no_32_bit_context())
}

/// Queues a copy between two unified addresses on a stream.
///
/// Copies between host memory, to pageable memory, and of more than 2 MiB from pageable memory return only when they
/// are complete. Less is read from pageable memory before this returns.
///
/// - `dst`: destination, a unified address.
/// - `src`: source, a unified address.
/// - `ByteCount`: size in bytes; 0 does nothing, whatever the addresses are.
/// - `hStream`: the stream.
///
/// Errors: as [`cuMemcpy`]; `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream.
///
/// Manual: Memory Management.
#[entry(since = 4000, twin = "ptsz")]
pub fn cuMemcpyAsync(dst: CUdeviceptr, src: CUdeviceptr, ByteCount: usize, hStream: CUstream) -> Result<()> {
    copy_on((dst as usize, Declared::Unified), (src as usize, Declared::Unified), ByteCount, hStream, default_stream)
}

/// Queues a copy between allocations of two contexts on a stream.
///
/// Otherwise as [`cuMemcpyPeer`].
///
/// - `dstDevice`: destination, memory that the driver knows.
/// - `dstContext`: context of the destination, NULL for the current one.
/// - `srcDevice`: source, memory that the driver knows.
/// - `srcContext`: context of the source, NULL for the current one.
/// - `ByteCount`: size in bytes; 0 does nothing, whatever the addresses are.
/// - `hStream`: the stream.
///
/// Errors: as [`cuMemcpyPeer`]; `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream;
/// `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` if the stream is being captured, which invalidates the capture.
///
/// Manual: Memory Management.
#[entry(since = 4000, twin = "ptsz")]
pub fn cuMemcpyPeerAsync(
    dstDevice: CUdeviceptr,
    dstContext: CUcontext,
    srcDevice: CUdeviceptr,
    srcContext: CUcontext,
    ByteCount: usize,
    hStream: CUstream,
) -> Result<()> {
    let dst = (dstDevice as usize, peer_device(dstContext)?);
    let src = (srcDevice as usize, peer_device(srcContext)?);
    let stream = lookup(hStream, default_stream)?;
    if stream.admit()? {
        // A graph has no copies between contexts.
        return Err(capture::refuse(&stream));
    }
    linear::copy_peer(&stream, dst, src, ByteCount, Call::Asynchronous)
}

/// Queues a copy from host to device memory on a stream.
///
/// Of pageable memory, up to 2 MiB are read before this returns; for more it waits until the copy is complete.
///
/// - `dstDevice`: destination, memory that the driver knows.
/// - `srcHost`: source, any memory.
/// - `ByteCount`: size in bytes; 0 does nothing, whatever the addresses are.
/// - `hStream`: the stream.
///
/// Errors: as [`cuMemcpyHtoD_v2`]; `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream.
///
/// Manual: Memory Management.
#[entry(since = 3020, twin = "ptsz")]
pub fn cuMemcpyHtoDAsync_v2(
    dstDevice: CUdeviceptr,
    srcHost: *const c_void,
    ByteCount: usize,
    hStream: CUstream,
) -> Result<()> {
    copy_on(
        (dstDevice as usize, Declared::Device),
        (srcHost as usize, Declared::Host),
        ByteCount,
        hStream,
        default_stream,
    )
}

/// First-generation [`cuMemcpyHtoDAsync_v2`]: addresses and sizes have 32 bits.
///
/// - `dstDevice`: destination, memory that the driver knows.
/// - `srcHost`: source, any memory.
/// - `ByteCount`: size in bytes; 0 does nothing, whatever the addresses are.
/// - `hStream`: the stream.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always: there is no memory with addresses of 32 bits.
///
/// Manual: none, first generation.
#[entry(since = 2000, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuMemcpyHtoDAsync(
    dstDevice: CUdeviceptr_v1,
    srcHost: *const c_void,
    ByteCount: c_uint,
    hStream: CUstream,
) -> Result<()> {
    Err(super::no_32_bit_context())
}

/// Queues a copy from device to host memory on a stream.
///
/// To pageable memory, it returns when the copy is complete.
///
/// - `dstHost`: destination, any memory.
/// - `srcDevice`: source, memory that the driver knows.
/// - `ByteCount`: size in bytes; 0 does nothing, whatever the addresses are.
/// - `hStream`: the stream.
///
/// Errors: as [`cuMemcpyDtoH_v2`]; `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream.
///
/// Manual: Memory Management.
#[entry(since = 3020, twin = "ptsz")]
pub fn cuMemcpyDtoHAsync_v2(
    dstHost: *mut c_void,
    srcDevice: CUdeviceptr,
    ByteCount: usize,
    hStream: CUstream,
) -> Result<()> {
    copy_on(
        (dstHost as usize, Declared::Host),
        (srcDevice as usize, Declared::Device),
        ByteCount,
        hStream,
        default_stream,
    )
}

/// First-generation [`cuMemcpyDtoHAsync_v2`]: addresses and sizes have 32 bits.
///
/// - `dstHost`: destination, any memory.
/// - `srcDevice`: source, memory that the driver knows.
/// - `ByteCount`: size in bytes; 0 does nothing, whatever the addresses are.
/// - `hStream`: the stream.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always: there is no memory with addresses of 32 bits.
///
/// Manual: none, first generation.
#[entry(since = 2000, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuMemcpyDtoHAsync(
    dstHost: *mut c_void,
    srcDevice: CUdeviceptr_v1,
    ByteCount: c_uint,
    hStream: CUstream,
) -> Result<()> {
    Err(super::no_32_bit_context())
}

/// Queues a copy within device memory on a stream.
///
/// - `dstDevice`: destination, memory that the driver knows.
/// - `srcDevice`: source, memory that the driver knows.
/// - `ByteCount`: size in bytes; 0 does nothing, whatever the addresses are.
/// - `hStream`: the stream.
///
/// Errors: as [`cuMemcpyDtoD_v2`]; `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream.
///
/// Manual: Memory Management.
#[entry(since = 3020, twin = "ptsz")]
pub fn cuMemcpyDtoDAsync_v2(
    dstDevice: CUdeviceptr,
    srcDevice: CUdeviceptr,
    ByteCount: usize,
    hStream: CUstream,
) -> Result<()> {
    copy_on(
        (dstDevice as usize, Declared::Device),
        (srcDevice as usize, Declared::Device),
        ByteCount,
        hStream,
        default_stream,
    )
}

/// First-generation [`cuMemcpyDtoDAsync_v2`]: addresses and sizes have 32 bits.
///
/// - `dstDevice`: destination, memory that the driver knows.
/// - `srcDevice`: source, memory that the driver knows.
/// - `ByteCount`: size in bytes; 0 does nothing, whatever the addresses are.
/// - `hStream`: the stream.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always: there is no memory with addresses of 32 bits.
///
/// Manual: none, first generation.
#[entry(since = 3000, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuMemcpyDtoDAsync(
    dstDevice: CUdeviceptr_v1,
    srcDevice: CUdeviceptr_v1,
    ByteCount: c_uint,
    hStream: CUstream,
) -> Result<()> {
    Err(super::no_32_bit_context())
}
