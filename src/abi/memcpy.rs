//! Memory Management (copies).

#![allow(non_snake_case)]

use super::DefaultStream;
use super::ptr::{In, InMut, Out};
use super::stream;
use super::types::{
    CUDA_MEMCPY2D, CUDA_MEMCPY2D_v1, CUDA_MEMCPY3D, CUDA_MEMCPY3D_BATCH_OP, CUDA_MEMCPY3D_PEER, CUDA_MEMCPY3D_v1,
    CUarray, CUcontext, CUdeviceptr, CUdeviceptr_v1, CUmemcpyAttributes, CUstream,
};
use crate::device::access::Declared;
use crate::device::context::Context;
use crate::device::transfer;
use crate::error::{Error, Result};
use api_macro::entry;
use core::ffi::{c_uint, c_ulonglong, c_void};

/// A copy by one of the functions without stream: it runs on the default stream that the caller means.
fn copy_now(dst: (usize, Declared), src: (usize, Declared), bytes: usize, default_stream: DefaultStream) -> Result<()> {
    let stream = stream::lookup(CUstream::NULL, default_stream)?;
    transfer::copy_range(&stream, dst, src, bytes, false)
}

/// A copy by one of the functions with stream.
fn copy_on(
    dst: (usize, Declared),
    src: (usize, Declared),
    bytes: usize,
    stream: CUstream,
    default_stream: DefaultStream,
) -> Result<()> {
    let stream = stream::lookup(stream, default_stream)?;
    transfer::copy_range(&stream, dst, src, bytes, true)
}

/// Checks a context that a peer copy names: `NULL` is the current one. Addresses are unified, so nothing else is asked
/// of it.
pub(super) fn peer_context(handle: CUcontext) -> Result<()> {
    if handle.is_null() || Context::find(handle.0)?.is_alive() { Ok(()) } else { Err(Error::CONTEXT_IS_DESTROYED) }
}

/// Copies `ByteCount` bytes between two unified addresses; what they are is found out.
///
/// An address that no allocation holds is taken for the program's own pageable memory. Each side has to lie within one
/// allocation (`CUDA_ERROR_INVALID_VALUE`). No bytes are no error, whatever the addresses. Returns when the copy is
/// complete, except between device memory, where it only is given to the stream.
#[entry(since = 4000, twin = "ptds")]
pub fn cuMemcpy(dst: CUdeviceptr, src: CUdeviceptr, ByteCount: usize) -> Result<()> {
    copy_now((dst as usize, Declared::Unified), (src as usize, Declared::Unified), ByteCount, default_stream)
}

/// Copies between allocations of two contexts; `NULL` is the current one. Peer access need not be enabled.
///
/// Pageable memory is refused. Otherwise as [`cuMemcpy`].
#[entry(since = 4000, twin = "ptds")]
pub fn cuMemcpyPeer(
    dstDevice: CUdeviceptr,
    dstContext: CUcontext,
    srcDevice: CUdeviceptr,
    srcContext: CUcontext,
    ByteCount: usize,
) -> Result<()> {
    peer_context(dstContext)?;
    peer_context(srcContext)?;
    copy_now((dstDevice as usize, Declared::Device), (srcDevice as usize, Declared::Device), ByteCount, default_stream)
}

/// Copies `ByteCount` bytes from host to device memory. Returns when the copy is complete.
///
/// Both addresses may be of any memory that the driver knows; only `srcHost` may be pageable.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemcpyHtoD_v2(dstDevice: CUdeviceptr, srcHost: *const c_void, ByteCount: usize) -> Result<()> {
    copy_now((dstDevice as usize, Declared::Device), (srcHost as usize, Declared::Host), ByteCount, default_stream)
}

/// First-generation [`cuMemcpyHtoD_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemcpyHtoD(dstDevice: CUdeviceptr_v1, srcHost: *const c_void, ByteCount: c_uint) -> Result<()> {
    Err(Error::INVALID_CONTEXT)
}

/// Copies `ByteCount` bytes from device to host memory. Returns when the copy is complete.
///
/// Both addresses may be of any memory that the driver knows; only `dstHost` may be pageable.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemcpyDtoH_v2(dstHost: *mut c_void, srcDevice: CUdeviceptr, ByteCount: usize) -> Result<()> {
    copy_now((dstHost as usize, Declared::Host), (srcDevice as usize, Declared::Device), ByteCount, default_stream)
}

/// First-generation [`cuMemcpyDtoH_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemcpyDtoH(dstHost: *mut c_void, srcDevice: CUdeviceptr_v1, ByteCount: c_uint) -> Result<()> {
    Err(Error::INVALID_CONTEXT)
}

/// Copies `ByteCount` bytes within device memory, also between devices. The ranges may overlap.
///
/// Does not wait for the copy to be complete.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemcpyDtoD_v2(dstDevice: CUdeviceptr, srcDevice: CUdeviceptr, ByteCount: usize) -> Result<()> {
    copy_now((dstDevice as usize, Declared::Device), (srcDevice as usize, Declared::Device), ByteCount, default_stream)
}

/// First-generation [`cuMemcpyDtoD_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemcpyDtoD(dstDevice: CUdeviceptr_v1, srcDevice: CUdeviceptr_v1, ByteCount: c_uint) -> Result<()> {
    Err(Error::INVALID_CONTEXT)
}

/// Copies from device memory into a 1D array.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemcpyDtoA_v2(dstArray: CUarray, dstOffset: usize, srcDevice: CUdeviceptr, ByteCount: usize) -> Result<()>;

/// First-generation [`cuMemcpyDtoA_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemcpyDtoA(dstArray: CUarray, dstOffset: c_uint, srcDevice: CUdeviceptr_v1, ByteCount: c_uint) -> Result<()>;

/// Copies from a 1D array into device memory.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemcpyAtoD_v2(dstDevice: CUdeviceptr, srcArray: CUarray, srcOffset: usize, ByteCount: usize) -> Result<()>;

/// First-generation [`cuMemcpyAtoD_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemcpyAtoD(dstDevice: CUdeviceptr_v1, srcArray: CUarray, srcOffset: c_uint, ByteCount: c_uint) -> Result<()>;

/// Copies from host memory into a 1D array.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemcpyHtoA_v2(dstArray: CUarray, dstOffset: usize, srcHost: *const c_void, ByteCount: usize) -> Result<()>;

/// First-generation [`cuMemcpyHtoA_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemcpyHtoA(dstArray: CUarray, dstOffset: c_uint, srcHost: *const c_void, ByteCount: c_uint) -> Result<()>;

/// Copies from a 1D array into host memory.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemcpyAtoH_v2(dstHost: *mut c_void, srcArray: CUarray, srcOffset: usize, ByteCount: usize) -> Result<()>;

/// First-generation [`cuMemcpyAtoH_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemcpyAtoH(dstHost: *mut c_void, srcArray: CUarray, srcOffset: c_uint, ByteCount: c_uint) -> Result<()>;

/// Copies between two 1D arrays.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemcpyAtoA_v2(
    dstArray: CUarray,
    dstOffset: usize,
    srcArray: CUarray,
    srcOffset: usize,
    ByteCount: usize,
) -> Result<()>;

/// First-generation [`cuMemcpyAtoA_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemcpyAtoA(
    dstArray: CUarray,
    dstOffset: c_uint,
    srcArray: CUarray,
    srcOffset: c_uint,
    ByteCount: c_uint,
) -> Result<()>;

/// Copies a rectangle as a descriptor tells; pitches must suit the device.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemcpy2D_v2(pCopy: In<CUDA_MEMCPY2D>) -> Result<()>;

/// First-generation [`cuMemcpy2D_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemcpy2D(pCopy: In<CUDA_MEMCPY2D_v1>) -> Result<()>;

/// Copies a rectangle of any pitch as a descriptor tells.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemcpy2DUnaligned_v2(pCopy: In<CUDA_MEMCPY2D>) -> Result<()>;

/// First-generation [`cuMemcpy2DUnaligned_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemcpy2DUnaligned(pCopy: In<CUDA_MEMCPY2D_v1>) -> Result<()>;

/// Copies a box as a descriptor tells.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemcpy3D_v2(pCopy: In<CUDA_MEMCPY3D>) -> Result<()>;

/// First-generation [`cuMemcpy3D_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemcpy3D(pCopy: In<CUDA_MEMCPY3D_v1>) -> Result<()>;

/// Copies a box between allocations of two contexts.
#[entry(since = 4000, twin = "ptds")]
pub fn cuMemcpy3DPeer(pCopy: In<CUDA_MEMCPY3D_PEER>) -> Result<()>;

/// Queues a copy between two unified addresses on a stream.
///
/// Copies between host memory, to pageable memory, and of more than 64 KiB from pageable memory return only when they
/// are complete. Less is read from pageable memory before this returns.
#[entry(since = 4000, twin = "ptsz")]
pub fn cuMemcpyAsync(dst: CUdeviceptr, src: CUdeviceptr, ByteCount: usize, hStream: CUstream) -> Result<()> {
    copy_on((dst as usize, Declared::Unified), (src as usize, Declared::Unified), ByteCount, hStream, default_stream)
}

/// Queues a copy between allocations of two contexts on a stream.
#[entry(since = 4000, twin = "ptsz")]
pub fn cuMemcpyPeerAsync(
    dstDevice: CUdeviceptr,
    dstContext: CUcontext,
    srcDevice: CUdeviceptr,
    srcContext: CUcontext,
    ByteCount: usize,
    hStream: CUstream,
) -> Result<()> {
    peer_context(dstContext)?;
    peer_context(srcContext)?;
    copy_on(
        (dstDevice as usize, Declared::Device),
        (srcDevice as usize, Declared::Device),
        ByteCount,
        hStream,
        default_stream,
    )
}

/// Queues a copy from host to device memory on a stream.
///
/// From pageable memory, up to 64 KiB are read before this returns; for more it waits until the copy is complete.
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
#[entry(since = 2000)]
pub fn cuMemcpyHtoDAsync(
    dstDevice: CUdeviceptr_v1,
    srcHost: *const c_void,
    ByteCount: c_uint,
    hStream: CUstream,
) -> Result<()> {
    Err(Error::INVALID_CONTEXT)
}

/// Queues a copy from device to host memory on a stream. For pageable memory it returns when the copy is complete.
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
#[entry(since = 2000)]
pub fn cuMemcpyDtoHAsync(
    dstHost: *mut c_void,
    srcDevice: CUdeviceptr_v1,
    ByteCount: c_uint,
    hStream: CUstream,
) -> Result<()> {
    Err(Error::INVALID_CONTEXT)
}

/// Queues a copy within device memory on a stream.
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
#[entry(since = 3000)]
pub fn cuMemcpyDtoDAsync(
    dstDevice: CUdeviceptr_v1,
    srcDevice: CUdeviceptr_v1,
    ByteCount: c_uint,
    hStream: CUstream,
) -> Result<()> {
    Err(Error::INVALID_CONTEXT)
}

/// Queues a copy from host memory into a 1D array on a stream.
#[entry(since = 3020, twin = "ptsz")]
pub fn cuMemcpyHtoAAsync_v2(
    dstArray: CUarray,
    dstOffset: usize,
    srcHost: *const c_void,
    ByteCount: usize,
    hStream: CUstream,
) -> Result<()>;

/// First-generation [`cuMemcpyHtoAAsync_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemcpyHtoAAsync(
    dstArray: CUarray,
    dstOffset: c_uint,
    srcHost: *const c_void,
    ByteCount: c_uint,
    hStream: CUstream,
) -> Result<()>;

/// Queues a copy from a 1D array into host memory on a stream.
#[entry(since = 3020, twin = "ptsz")]
pub fn cuMemcpyAtoHAsync_v2(
    dstHost: *mut c_void,
    srcArray: CUarray,
    srcOffset: usize,
    ByteCount: usize,
    hStream: CUstream,
) -> Result<()>;

/// First-generation [`cuMemcpyAtoHAsync_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemcpyAtoHAsync(
    dstHost: *mut c_void,
    srcArray: CUarray,
    srcOffset: c_uint,
    ByteCount: c_uint,
    hStream: CUstream,
) -> Result<()>;

/// Queues a copy of a rectangle on a stream.
#[entry(since = 3020, twin = "ptsz")]
pub fn cuMemcpy2DAsync_v2(pCopy: In<CUDA_MEMCPY2D>, hStream: CUstream) -> Result<()>;

/// First-generation [`cuMemcpy2DAsync_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemcpy2DAsync(pCopy: In<CUDA_MEMCPY2D_v1>, hStream: CUstream) -> Result<()>;

/// Queues a copy of a box on a stream.
#[entry(since = 3020, twin = "ptsz")]
pub fn cuMemcpy3DAsync_v2(pCopy: In<CUDA_MEMCPY3D>, hStream: CUstream) -> Result<()>;

/// First-generation [`cuMemcpy3DAsync_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemcpy3DAsync(pCopy: In<CUDA_MEMCPY3D_v1>, hStream: CUstream) -> Result<()>;

/// Queues a copy of a box between allocations of two contexts on a stream.
#[entry(since = 4000, twin = "ptsz")]
pub fn cuMemcpy3DPeerAsync(pCopy: In<CUDA_MEMCPY3D_PEER>, hStream: CUstream) -> Result<()>;

/// Queues many copies at once, with attributes shared by ranges of them.
#[entry(since = 13000, twin = "ptsz", needs = init)]
pub fn cuMemcpyBatchAsync_v2(
    dsts: InMut<CUdeviceptr>,
    srcs: InMut<CUdeviceptr>,
    sizes: InMut<usize>,
    count: usize,
    attrs: InMut<CUmemcpyAttributes>,
    attrsIdxs: InMut<usize>,
    numAttrs: usize,
    hStream: CUstream,
) -> Result<()>;

/// First form of [`cuMemcpyBatchAsync_v2`], which also reports the index of the copy that failed.
#[entry(since = 12080, twin = "ptsz", needs = init)]
pub fn cuMemcpyBatchAsync(
    dsts: InMut<CUdeviceptr>,
    srcs: InMut<CUdeviceptr>,
    sizes: InMut<usize>,
    count: usize,
    attrs: InMut<CUmemcpyAttributes>,
    attrsIdxs: InMut<usize>,
    numAttrs: usize,
    failIdx: Out<usize>,
    hStream: CUstream,
) -> Result<()>;

/// Queues many box copies at once.
#[entry(since = 13000, twin = "ptsz", needs = init)]
pub fn cuMemcpy3DBatchAsync_v2(
    numOps: usize,
    opList: InMut<CUDA_MEMCPY3D_BATCH_OP>,
    flags: c_ulonglong,
    hStream: CUstream,
) -> Result<()>;

/// First form of [`cuMemcpy3DBatchAsync_v2`], which also reports the index of the copy that failed.
#[entry(since = 12080, twin = "ptsz", needs = init)]
pub fn cuMemcpy3DBatchAsync(
    numOps: usize,
    opList: InMut<CUDA_MEMCPY3D_BATCH_OP>,
    failIdx: Out<usize>,
    flags: c_ulonglong,
    hStream: CUstream,
) -> Result<()>;

/// Queues one copy with location hints and source ordering.
#[entry(since = 13020, twin = "ptsz")]
pub fn cuMemcpyWithAttributesAsync(
    dst: CUdeviceptr,
    src: CUdeviceptr,
    size: usize,
    attr: InMut<CUmemcpyAttributes>,
    hStream: CUstream,
) -> Result<()>;

/// Queues one box copy with location hints and source ordering.
#[entry(since = 13020, twin = "ptsz")]
pub fn cuMemcpy3DWithAttributesAsync(
    op: InMut<CUDA_MEMCPY3D_BATCH_OP>,
    flags: c_ulonglong,
    hStream: CUstream,
) -> Result<()>;
