//! Memory Management (copies of rectangles and boxes, copies with arrays).

#![allow(non_snake_case)]

use super::DefaultStream;
use super::copy_descriptor::{Described, peer_box};
use super::memcpy::peer_device;
use super::ptr::In;
use super::stream;
use super::types::{
    CUDA_MEMCPY2D, CUDA_MEMCPY2D_v1, CUDA_MEMCPY3D, CUDA_MEMCPY3D_PEER, CUDA_MEMCPY3D_v1, CUarray, CUdeviceptr,
    CUdeviceptr_v1, CUstream,
};
use crate::device::access::Declared;
use crate::device::box_copy::{self, Corner, Extent, Operand};
use crate::error::{Error, Result};
use api_macro::entry;
use core::ffi::{c_uint, c_void};

/// One side of a copy: what it is, and where the copy begins.
type Side = (Operand, Corner);

fn device(address: CUdeviceptr) -> Side {
    let memory = Operand::Memory { base: address as usize, declared: Declared::Device, pitch: 0, height: 0 };
    (memory, Corner::default())
}

fn host(address: *const c_void) -> Side {
    let memory = Operand::Memory { base: address as usize, declared: Declared::Host, pitch: 0, height: 0 };
    (memory, Corner::default())
}

fn array(array: CUarray, offset: usize) -> Side {
    (Operand::Array(array.0), Corner { x: offset, ..Corner::default() })
}

fn line(bytes: usize) -> Extent {
    Extent { width: bytes, height: 1, depth: 1 }
}

/// A copy by one of the functions without stream.
fn now(dst: Side, src: Side, extent: Extent, default_stream: DefaultStream) -> Result<()> {
    if stream::is_quiet(CUstream::NULL, default_stream) && box_copy::copy_at_once(&dst, &src, extent) {
        return Ok(());
    }
    let stream = stream::lookup(CUstream::NULL, default_stream)?;
    box_copy::copy_box(&stream, dst, src, extent, false)
}

/// A copy by one of the functions with stream.
fn on(dst: Side, src: Side, extent: Extent, stream: CUstream, default_stream: DefaultStream) -> Result<()> {
    if stream::is_quiet(stream, default_stream) && box_copy::copy_at_once(&dst, &src, extent) {
        return Ok(());
    }
    let stream = stream::lookup(stream, default_stream)?;
    box_copy::copy_box(&stream, dst, src, extent, true)
}

fn described_now(copy: Option<Described>, default_stream: DefaultStream) -> Result<()> {
    copy.map_or(Ok(()), |c| now(c.dst, c.src, c.extent, default_stream))
}

fn described_on(copy: Option<Described>, stream: CUstream, default_stream: DefaultStream) -> Result<()> {
    copy.map_or(Ok(()), |c| on(c.dst, c.src, c.extent, stream, default_stream))
}

/// A copy between contexts, once these are known to live.
fn peer(copy: &CUDA_MEMCPY3D_PEER, stream: CUstream, default_stream: DefaultStream, asynchronous: bool) -> Result<()> {
    let devices = [peer_device(copy.dstContext)?, peer_device(copy.srcContext)?];
    let Some(Described { dst, src, extent }) = Described::of_box(&peer_box(copy))? else {
        return Ok(());
    };
    let stream = stream::lookup(stream, default_stream)?;
    box_copy::copy_between(&stream, dst, src, extent, devices, asynchronous)
}

/// Copies from device memory into a 1D array.
///
/// The bytes go into the array's first row, from `dstOffset` on (in bytes); they have to lie within that row, and the
/// source within one allocation (`CUDA_ERROR_INVALID_VALUE`). Does not wait for the copy to be complete.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemcpyDtoA_v2(dstArray: CUarray, dstOffset: usize, srcDevice: CUdeviceptr, ByteCount: usize) -> Result<()> {
    now(array(dstArray, dstOffset), device(srcDevice), line(ByteCount), default_stream)
}

/// First-generation [`cuMemcpyDtoA_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemcpyDtoA(dstArray: CUarray, dstOffset: c_uint, srcDevice: CUdeviceptr_v1, ByteCount: c_uint) -> Result<()> {
    Err(Error::INVALID_CONTEXT)
}

/// Copies from a 1D array into device memory.
///
/// As [`cuMemcpyDtoA_v2`], in the other direction.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemcpyAtoD_v2(dstDevice: CUdeviceptr, srcArray: CUarray, srcOffset: usize, ByteCount: usize) -> Result<()> {
    now(device(dstDevice), array(srcArray, srcOffset), line(ByteCount), default_stream)
}

/// First-generation [`cuMemcpyAtoD_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemcpyAtoD(dstDevice: CUdeviceptr_v1, srcArray: CUarray, srcOffset: c_uint, ByteCount: c_uint) -> Result<()> {
    Err(Error::INVALID_CONTEXT)
}

/// Copies from host memory into a 1D array.
///
/// As [`cuMemcpyDtoA_v2`], but returns when the copy is complete.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemcpyHtoA_v2(dstArray: CUarray, dstOffset: usize, srcHost: *const c_void, ByteCount: usize) -> Result<()> {
    now(array(dstArray, dstOffset), host(srcHost), line(ByteCount), default_stream)
}

/// First-generation [`cuMemcpyHtoA_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemcpyHtoA(dstArray: CUarray, dstOffset: c_uint, srcHost: *const c_void, ByteCount: c_uint) -> Result<()> {
    Err(Error::INVALID_CONTEXT)
}

/// Copies from a 1D array into host memory.
///
/// As [`cuMemcpyDtoA_v2`], in the other direction; returns when the copy is complete.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemcpyAtoH_v2(dstHost: *mut c_void, srcArray: CUarray, srcOffset: usize, ByteCount: usize) -> Result<()> {
    now(host(dstHost), array(srcArray, srcOffset), line(ByteCount), default_stream)
}

/// First-generation [`cuMemcpyAtoH_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemcpyAtoH(dstHost: *mut c_void, srcArray: CUarray, srcOffset: c_uint, ByteCount: c_uint) -> Result<()> {
    Err(Error::INVALID_CONTEXT)
}

/// Copies between two 1D arrays.
///
/// Offsets are in bytes; the elements of the two need not be of the same size. Otherwise as [`cuMemcpyDtoA_v2`].
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemcpyAtoA_v2(
    dstArray: CUarray,
    dstOffset: usize,
    srcArray: CUarray,
    srcOffset: usize,
    ByteCount: usize,
) -> Result<()> {
    now(array(dstArray, dstOffset), array(srcArray, srcOffset), line(ByteCount), default_stream)
}

/// First-generation [`cuMemcpyAtoA_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemcpyAtoA(
    dstArray: CUarray,
    dstOffset: c_uint,
    srcArray: CUarray,
    srcOffset: c_uint,
    ByteCount: c_uint,
) -> Result<()> {
    Err(Error::INVALID_CONTEXT)
}

/// Copies a rectangle as a descriptor tells; pitches must suit the device.
///
/// Any pitch and any alignment will do; a pitch of 0 means rows without a gap. Everything wrong is
/// `CUDA_ERROR_INVALID_VALUE`: unknown memory types, addresses that the device does not know, rows longer than the pitch,
/// boxes that leave their allocation or array. A rectangle without rows or columns is no error, whatever else is wrong.
/// Returns when the copy is complete, except between device memory and arrays.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemcpy2D_v2(pCopy: In<CUDA_MEMCPY2D>) -> Result<()> {
    described_now(Described::rectangle(&pCopy.get()?)?, default_stream)
}

/// First-generation [`cuMemcpy2D_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemcpy2D(pCopy: In<CUDA_MEMCPY2D_v1>) -> Result<()> {
    Err(Error::INVALID_CONTEXT)
}

/// Copies a rectangle of any pitch as a descriptor tells.
///
/// The same as [`cuMemcpy2D_v2`].
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemcpy2DUnaligned_v2(pCopy: In<CUDA_MEMCPY2D>) -> Result<()> {
    described_now(Described::rectangle(&pCopy.get()?)?, default_stream)
}

/// First-generation [`cuMemcpy2DUnaligned_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemcpy2DUnaligned(pCopy: In<CUDA_MEMCPY2D_v1>) -> Result<()> {
    Err(Error::INVALID_CONTEXT)
}

/// Copies a box as a descriptor tells.
///
/// A height of 0 in the description of memory means slices without a gap. The levels have to be 0 for arrays. Otherwise as
/// [`cuMemcpy2D_v2`].
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemcpy3D_v2(pCopy: In<CUDA_MEMCPY3D>) -> Result<()> {
    described_now(Described::of_box(&pCopy.get()?)?, default_stream)
}

/// First-generation [`cuMemcpy3D_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemcpy3D(pCopy: In<CUDA_MEMCPY3D_v1>) -> Result<()> {
    Err(Error::INVALID_CONTEXT)
}

/// Copies a box between allocations of two contexts.
///
/// A context may be `NULL`, the current one. Otherwise as [`cuMemcpy3D_v2`].
#[entry(since = 4000, twin = "ptds")]
pub fn cuMemcpy3DPeer(pCopy: In<CUDA_MEMCPY3D_PEER>) -> Result<()> {
    peer(&pCopy.get()?, CUstream::NULL, default_stream, false)
}

/// Queues a copy from host memory into a 1D array on a stream.
#[entry(since = 3020, twin = "ptsz")]
pub fn cuMemcpyHtoAAsync_v2(
    dstArray: CUarray,
    dstOffset: usize,
    srcHost: *const c_void,
    ByteCount: usize,
    hStream: CUstream,
) -> Result<()> {
    on(array(dstArray, dstOffset), host(srcHost), line(ByteCount), hStream, default_stream)
}

/// First-generation [`cuMemcpyHtoAAsync_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemcpyHtoAAsync(
    dstArray: CUarray,
    dstOffset: c_uint,
    srcHost: *const c_void,
    ByteCount: c_uint,
    hStream: CUstream,
) -> Result<()> {
    Err(Error::INVALID_CONTEXT)
}

/// Queues a copy from a 1D array into host memory on a stream.
#[entry(since = 3020, twin = "ptsz")]
pub fn cuMemcpyAtoHAsync_v2(
    dstHost: *mut c_void,
    srcArray: CUarray,
    srcOffset: usize,
    ByteCount: usize,
    hStream: CUstream,
) -> Result<()> {
    on(host(dstHost), array(srcArray, srcOffset), line(ByteCount), hStream, default_stream)
}

/// First-generation [`cuMemcpyAtoHAsync_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemcpyAtoHAsync(
    dstHost: *mut c_void,
    srcArray: CUarray,
    srcOffset: c_uint,
    ByteCount: c_uint,
    hStream: CUstream,
) -> Result<()> {
    Err(Error::INVALID_CONTEXT)
}

/// Queues a copy of a rectangle on a stream.
///
/// Checked as [`cuMemcpy2D_v2`]. With pageable memory it may return later: see `cuMemcpyHtoDAsync_v2`.
#[entry(since = 3020, twin = "ptsz")]
pub fn cuMemcpy2DAsync_v2(pCopy: In<CUDA_MEMCPY2D>, hStream: CUstream) -> Result<()> {
    described_on(Described::rectangle(&pCopy.get()?)?, hStream, default_stream)
}

/// First-generation [`cuMemcpy2DAsync_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemcpy2DAsync(pCopy: In<CUDA_MEMCPY2D_v1>, hStream: CUstream) -> Result<()> {
    Err(Error::INVALID_CONTEXT)
}

/// Queues a copy of a box on a stream.
///
/// As [`cuMemcpy2DAsync_v2`].
#[entry(since = 3020, twin = "ptsz")]
pub fn cuMemcpy3DAsync_v2(pCopy: In<CUDA_MEMCPY3D>, hStream: CUstream) -> Result<()> {
    described_on(Described::of_box(&pCopy.get()?)?, hStream, default_stream)
}

/// First-generation [`cuMemcpy3DAsync_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemcpy3DAsync(pCopy: In<CUDA_MEMCPY3D_v1>, hStream: CUstream) -> Result<()> {
    Err(Error::INVALID_CONTEXT)
}

/// Queues a copy of a box between allocations of two contexts on a stream.
///
/// As [`cuMemcpy3DPeer`] and [`cuMemcpy2DAsync_v2`].
#[entry(since = 4000, twin = "ptsz")]
pub fn cuMemcpy3DPeerAsync(pCopy: In<CUDA_MEMCPY3D_PEER>, hStream: CUstream) -> Result<()> {
    peer(&pCopy.get()?, hStream, default_stream, true)
}
