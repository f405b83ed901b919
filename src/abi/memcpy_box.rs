//! Memory Management (copies of rectangles and boxes, copies with arrays).

#![allow(non_snake_case)]

use super::DefaultStream;
use super::convert::copy_descriptor::{Described, peer_box, peer_device};
use super::convert::stream;
use super::ptr::In;
use super::types::{
    CUDA_MEMCPY2D, CUDA_MEMCPY2D_v1, CUDA_MEMCPY3D, CUDA_MEMCPY3D_PEER, CUDA_MEMCPY3D_v1, CUarray, CUdeviceptr,
    CUdeviceptr_v1, CUstream,
};
use api_macro::entry;
use core::ffi::{c_uint, c_void};
use device::copy::box_copy;
use device::copy::box_copy::{Corner, Extent, Operand};
use device::copy::timing::Call;
use device::memory::access::Declared;
use error::Result;

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

/// A copy by one of the functions without stream: it runs on the caller's default stream.
fn now(dst: Side, src: Side, extent: Extent, default_stream: DefaultStream) -> Result<()> {
    copy(dst, src, extent, CUstream::NULL, default_stream, Call::Synchronous)
}

/// A copy by one of the functions with stream.
fn on(dst: Side, src: Side, extent: Extent, stream: CUstream, default_stream: DefaultStream) -> Result<()> {
    copy(dst, src, extent, stream, default_stream, Call::Asynchronous)
}

#[inline]
fn copy(
    dst: Side,
    src: Side,
    extent: Extent,
    stream: CUstream,
    default_stream: DefaultStream,
    call: Call,
) -> Result<()> {
    if stream::is_quiet(stream, default_stream) && box_copy::copy_at_once(&dst, &src, extent) {
        return Ok(());
    }
    let stream = stream::lookup(stream, default_stream)?;
    box_copy::copy_box(&stream, dst, src, extent, call)
}

fn described_now(copy: Option<Described>, default_stream: DefaultStream) -> Result<()> {
    copy.map_or(Ok(()), |c| now(c.dst, c.src, c.extent, default_stream))
}

fn described_on(copy: Option<Described>, stream: CUstream, default_stream: DefaultStream) -> Result<()> {
    copy.map_or(Ok(()), |c| on(c.dst, c.src, c.extent, stream, default_stream))
}

/// A copy between contexts, after a check that they live.
fn peer(copy: &CUDA_MEMCPY3D_PEER, stream: CUstream, default_stream: DefaultStream, call: Call) -> Result<()> {
    let devices = [peer_device(copy.dstContext)?, peer_device(copy.srcContext)?];
    let Some(Described { dst, src, extent }) = Described::of_box(&peer_box(copy))? else {
        return Ok(());
    };
    let stream = stream::lookup(stream, default_stream)?;
    box_copy::copy_between(&stream, dst, src, extent, devices, call)
}

/// Copies from device memory into the first row of an array.
///
/// Does not wait for the copy to be complete.
///
/// - `dstArray`: destination array.
/// - `dstOffset`: first byte in the destination's first row.
/// - `srcDevice`: source, memory that the driver knows.
/// - `ByteCount`: size in bytes; 0 does nothing, whatever the other arguments are.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if an array does not exist or has planes, if the range leaves its row, or cuts a
/// compressed block in two, or if memory is NULL, pageable, leaves its allocation or may not be used by the current
/// context's device.
///
/// Manual: Memory Management.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemcpyDtoA_v2(dstArray: CUarray, dstOffset: usize, srcDevice: CUdeviceptr, ByteCount: usize) -> Result<()> {
    now(array(dstArray, dstOffset), device(srcDevice), line(ByteCount), default_stream)
}

/// First-generation [`cuMemcpyDtoA_v2`]: addresses and sizes have 32 bits.
///
/// - `dstArray`: destination array.
/// - `dstOffset`: first byte in the destination's first row.
/// - `srcDevice`: source, memory that the driver knows.
/// - `ByteCount`: size in bytes; 0 does nothing, whatever the other arguments are.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always: there is no memory with addresses of 32 bits.
///
/// Manual: none, first generation.
#[entry(since = 2000, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuMemcpyDtoA(dstArray: CUarray, dstOffset: c_uint, srcDevice: CUdeviceptr_v1, ByteCount: c_uint) -> Result<()> {
    Err(super::no_32_bit_context())
}

/// Copies from the first row of an array into device memory.
///
/// Does not wait for the copy to be complete.
///
/// - `dstDevice`: destination, memory that the driver knows.
/// - `srcArray`: source array.
/// - `srcOffset`: first byte in the source's first row.
/// - `ByteCount`: size in bytes; 0 does nothing, whatever the other arguments are.
///
/// Errors: as [`cuMemcpyDtoA_v2`].
///
/// Manual: Memory Management.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemcpyAtoD_v2(dstDevice: CUdeviceptr, srcArray: CUarray, srcOffset: usize, ByteCount: usize) -> Result<()> {
    now(device(dstDevice), array(srcArray, srcOffset), line(ByteCount), default_stream)
}

/// First-generation [`cuMemcpyAtoD_v2`]: addresses and sizes have 32 bits.
///
/// - `dstDevice`: destination, memory that the driver knows.
/// - `srcArray`: source array.
/// - `srcOffset`: first byte in the source's first row.
/// - `ByteCount`: size in bytes; 0 does nothing, whatever the other arguments are.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always: there is no memory with addresses of 32 bits.
///
/// Manual: none, first generation.
#[entry(since = 2000, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuMemcpyAtoD(dstDevice: CUdeviceptr_v1, srcArray: CUarray, srcOffset: c_uint, ByteCount: c_uint) -> Result<()> {
    Err(super::no_32_bit_context())
}

/// Copies from host memory into the first row of an array.
///
/// Returns when the copy is complete.
///
/// - `dstArray`: destination array.
/// - `dstOffset`: first byte in the destination's first row.
/// - `srcHost`: source, any memory.
/// - `ByteCount`: size in bytes; 0 does nothing, whatever the other arguments are.
///
/// Errors: as [`cuMemcpyDtoA_v2`], but the host's memory may be pageable.
///
/// Manual: Memory Management.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemcpyHtoA_v2(dstArray: CUarray, dstOffset: usize, srcHost: *const c_void, ByteCount: usize) -> Result<()> {
    now(array(dstArray, dstOffset), host(srcHost), line(ByteCount), default_stream)
}

/// First-generation [`cuMemcpyHtoA_v2`]: addresses and sizes have 32 bits.
///
/// - `dstArray`: destination array.
/// - `dstOffset`: first byte in the destination's first row.
/// - `srcHost`: source, any memory.
/// - `ByteCount`: size in bytes; 0 does nothing, whatever the other arguments are.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always: there is no memory with addresses of 32 bits.
///
/// Manual: none, first generation.
#[entry(since = 2000, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuMemcpyHtoA(dstArray: CUarray, dstOffset: c_uint, srcHost: *const c_void, ByteCount: c_uint) -> Result<()> {
    Err(super::no_32_bit_context())
}

/// Copies from the first row of an array into host memory.
///
/// Returns when the copy is complete.
///
/// - `dstHost`: destination, any memory.
/// - `srcArray`: source array.
/// - `srcOffset`: first byte in the source's first row.
/// - `ByteCount`: size in bytes; 0 does nothing, whatever the other arguments are.
///
/// Errors: as [`cuMemcpyDtoA_v2`], but the host's memory may be pageable.
///
/// Manual: Memory Management.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemcpyAtoH_v2(dstHost: *mut c_void, srcArray: CUarray, srcOffset: usize, ByteCount: usize) -> Result<()> {
    now(host(dstHost), array(srcArray, srcOffset), line(ByteCount), default_stream)
}

/// First-generation [`cuMemcpyAtoH_v2`]: addresses and sizes have 32 bits.
///
/// - `dstHost`: destination, any memory.
/// - `srcArray`: source array.
/// - `srcOffset`: first byte in the source's first row.
/// - `ByteCount`: size in bytes; 0 does nothing, whatever the other arguments are.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always: there is no memory with addresses of 32 bits.
///
/// Manual: none, first generation.
#[entry(since = 2000, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuMemcpyAtoH(dstHost: *mut c_void, srcArray: CUarray, srcOffset: c_uint, ByteCount: c_uint) -> Result<()> {
    Err(super::no_32_bit_context())
}

/// Copies between the first rows of two arrays.
///
/// The elements of the two need not be of the same size. Does not wait for the copy to be complete.
///
/// - `dstArray`: destination array.
/// - `dstOffset`: first byte in the destination's first row.
/// - `srcArray`: source array.
/// - `srcOffset`: first byte in the source's first row.
/// - `ByteCount`: size in bytes; 0 does nothing, whatever the other arguments are.
///
/// Errors: as [`cuMemcpyDtoA_v2`].
///
/// Manual: Memory Management.
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
///
/// - `dstArray`: destination array.
/// - `dstOffset`: first byte in the destination's first row.
/// - `srcArray`: source array.
/// - `srcOffset`: first byte in the source's first row.
/// - `ByteCount`: size in bytes; 0 does nothing, whatever the other arguments are.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always: there is no memory with addresses of 32 bits.
///
/// Manual: none, first generation.
#[entry(since = 2000, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuMemcpyAtoA(
    dstArray: CUarray,
    dstOffset: c_uint,
    srcArray: CUarray,
    srcOffset: c_uint,
    ByteCount: c_uint,
) -> Result<()> {
    Err(super::no_32_bit_context())
}

/// Copies a rectangle that a descriptor describes.
///
/// Any pitch and any alignment will do; a pitch of 0 means rows without a gap. A rectangle without rows or columns does
/// nothing, whatever else is wrong. Returns when the copy is complete, except between device memory and arrays.
///
/// - `pCopy`: the copy: for each side its memory type, address or array, pitch in bytes, and where the rectangle begins
///   (bytes, rows); then bytes of a row and number of rows.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pCopy` is NULL, if a memory type is unknown, if the driver knows no memory at
/// an address (a host address may be pageable), if a row is longer than the pitch, or if the rectangle leaves its
/// allocation or array.
///
/// Manual: Memory Management.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemcpy2D_v2(pCopy: In<CUDA_MEMCPY2D>) -> Result<()> {
    described_now(Described::rectangle(&pCopy.get()?)?, default_stream)
}

/// First-generation [`cuMemcpy2D_v2`]: addresses and sizes have 32 bits.
///
/// - `pCopy`: the copy: for each side its memory type, address or array, pitch in bytes, and where the rectangle begins
///   (bytes, rows); then bytes of a row and number of rows.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always: there is no memory with addresses of 32 bits.
///
/// Manual: none, first generation.
#[entry(since = 2000, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuMemcpy2D(pCopy: In<CUDA_MEMCPY2D_v1>) -> Result<()> {
    Err(super::no_32_bit_context())
}

/// Copies a rectangle of any pitch that a descriptor describes.
///
/// The same as [`cuMemcpy2D_v2`].
///
/// - `pCopy`: the copy: for each side its memory type, address or array, pitch in bytes, and where the rectangle begins
///   (bytes, rows); then bytes of a row and number of rows.
///
/// Errors: as [`cuMemcpy2D_v2`].
///
/// Manual: Memory Management.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemcpy2DUnaligned_v2(pCopy: In<CUDA_MEMCPY2D>) -> Result<()> {
    described_now(Described::rectangle(&pCopy.get()?)?, default_stream)
}

/// First-generation [`cuMemcpy2DUnaligned_v2`]: addresses and sizes have 32 bits.
///
/// - `pCopy`: the copy: for each side its memory type, address or array, pitch in bytes, and where the rectangle begins
///   (bytes, rows); then bytes of a row and number of rows.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always: there is no memory with addresses of 32 bits.
///
/// Manual: none, first generation.
#[entry(since = 2000, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuMemcpy2DUnaligned(pCopy: In<CUDA_MEMCPY2D_v1>) -> Result<()> {
    Err(super::no_32_bit_context())
}

/// Copies a box that a descriptor describes.
///
/// A height of 0 in the description of memory means slices without a gap. Otherwise as [`cuMemcpy2D_v2`].
///
/// - `pCopy`: the copy, as for a rectangle, with slices: where the box begins in them, how many rows each has in
///   memory, and how many there are; the levels of arrays are 0.
///
/// Errors: as [`cuMemcpy2D_v2`]; `CUDA_ERROR_INVALID_VALUE` also if the level of an array is not 0 or the box has more
/// rows than a slice.
///
/// Manual: Memory Management.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemcpy3D_v2(pCopy: In<CUDA_MEMCPY3D>) -> Result<()> {
    described_now(Described::of_box(&pCopy.get()?)?, default_stream)
}

/// First-generation [`cuMemcpy3D_v2`]: addresses and sizes have 32 bits.
///
/// - `pCopy`: the copy, as for a rectangle, with slices: where the box begins in them, how many rows each has in
///   memory, and how many there are; the levels of arrays are 0.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always: there is no memory with addresses of 32 bits.
///
/// Manual: none, first generation.
#[entry(since = 2000, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuMemcpy3D(pCopy: In<CUDA_MEMCPY3D_v1>) -> Result<()> {
    Err(super::no_32_bit_context())
}

/// Copies a box between allocations of two contexts.
///
/// Each side has to be memory that the device of its own context may use. Otherwise as [`cuMemcpy3D_v2`].
///
/// - `pCopy`: the copy, as for [`cuMemcpy3D_v2`], with a context for each side, NULL for the current one.
///
/// Errors: as [`cuMemcpy3D_v2`]; `CUDA_ERROR_INVALID_CONTEXT` if a context handle is not valid;
/// `CUDA_ERROR_CONTEXT_IS_DESTROYED` if a context was destroyed.
///
/// Manual: Memory Management.
#[entry(since = 4000, twin = "ptds")]
pub fn cuMemcpy3DPeer(pCopy: In<CUDA_MEMCPY3D_PEER>) -> Result<()> {
    peer(&pCopy.get()?, CUstream::NULL, default_stream, Call::Synchronous)
}

/// Queues a copy from host memory into the first row of an array on a stream.
///
/// Of pageable memory, up to 2 MiB are read before this returns; for more it waits until the copy is complete.
///
/// - `dstArray`: destination array.
/// - `dstOffset`: first byte in the destination's first row.
/// - `srcHost`: source, any memory.
/// - `ByteCount`: size in bytes; 0 does nothing, whatever the other arguments are.
/// - `hStream`: the stream.
///
/// Errors: as [`cuMemcpyHtoA_v2`]; `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream.
///
/// Manual: Memory Management.
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
///
/// - `dstArray`: destination array.
/// - `dstOffset`: first byte in the destination's first row.
/// - `srcHost`: source, any memory.
/// - `ByteCount`: size in bytes; 0 does nothing, whatever the other arguments are.
/// - `hStream`: the stream.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always: there is no memory with addresses of 32 bits.
///
/// Manual: none, first generation.
#[entry(since = 2000, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuMemcpyHtoAAsync(
    dstArray: CUarray,
    dstOffset: c_uint,
    srcHost: *const c_void,
    ByteCount: c_uint,
    hStream: CUstream,
) -> Result<()> {
    Err(super::no_32_bit_context())
}

/// Queues a copy from the first row of an array into host memory on a stream.
///
/// To pageable memory, it returns when the copy is complete.
///
/// - `dstHost`: destination, any memory.
/// - `srcArray`: source array.
/// - `srcOffset`: first byte in the source's first row.
/// - `ByteCount`: size in bytes; 0 does nothing, whatever the other arguments are.
/// - `hStream`: the stream.
///
/// Errors: as [`cuMemcpyAtoH_v2`]; `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream.
///
/// Manual: Memory Management.
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
///
/// - `dstHost`: destination, any memory.
/// - `srcArray`: source array.
/// - `srcOffset`: first byte in the source's first row.
/// - `ByteCount`: size in bytes; 0 does nothing, whatever the other arguments are.
/// - `hStream`: the stream.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always: there is no memory with addresses of 32 bits.
///
/// Manual: none, first generation.
#[entry(since = 2000, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuMemcpyAtoHAsync(
    dstHost: *mut c_void,
    srcArray: CUarray,
    srcOffset: c_uint,
    ByteCount: c_uint,
    hStream: CUstream,
) -> Result<()> {
    Err(super::no_32_bit_context())
}

/// Queues a copy of a rectangle on a stream.
///
/// Checked as [`cuMemcpy2D_v2`]. With pageable memory it may return later: see `cuMemcpyHtoDAsync_v2`.
///
/// - `pCopy`: the copy: for each side its memory type, address or array, pitch in bytes, and where the rectangle begins
///   (bytes, rows); then bytes of a row and number of rows.
/// - `hStream`: the stream.
///
/// Errors: as [`cuMemcpy2D_v2`]; `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream.
///
/// Manual: Memory Management.
#[entry(since = 3020, twin = "ptsz")]
pub fn cuMemcpy2DAsync_v2(pCopy: In<CUDA_MEMCPY2D>, hStream: CUstream) -> Result<()> {
    described_on(Described::rectangle(&pCopy.get()?)?, hStream, default_stream)
}

/// First-generation [`cuMemcpy2DAsync_v2`]: addresses and sizes have 32 bits.
///
/// - `pCopy`: the copy: for each side its memory type, address or array, pitch in bytes, and where the rectangle begins
///   (bytes, rows); then bytes of a row and number of rows.
/// - `hStream`: the stream.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always: there is no memory with addresses of 32 bits.
///
/// Manual: none, first generation.
#[entry(since = 2000, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuMemcpy2DAsync(pCopy: In<CUDA_MEMCPY2D_v1>, hStream: CUstream) -> Result<()> {
    Err(super::no_32_bit_context())
}

/// Queues a copy of a box on a stream.
///
/// Checked as [`cuMemcpy3D_v2`]. With pageable memory it may return later: see `cuMemcpyHtoDAsync_v2`.
///
/// - `pCopy`: the copy, as for [`cuMemcpy3D_v2`].
/// - `hStream`: the stream.
///
/// Errors: as [`cuMemcpy3D_v2`]; `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream.
///
/// Manual: Memory Management.
#[entry(since = 3020, twin = "ptsz")]
pub fn cuMemcpy3DAsync_v2(pCopy: In<CUDA_MEMCPY3D>, hStream: CUstream) -> Result<()> {
    described_on(Described::of_box(&pCopy.get()?)?, hStream, default_stream)
}

/// First-generation [`cuMemcpy3DAsync_v2`]: addresses and sizes have 32 bits.
///
/// - `pCopy`: the copy, as for [`cuMemcpy3D_v2`].
/// - `hStream`: the stream.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always: there is no memory with addresses of 32 bits.
///
/// Manual: none, first generation.
#[entry(since = 2000, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuMemcpy3DAsync(pCopy: In<CUDA_MEMCPY3D_v1>, hStream: CUstream) -> Result<()> {
    Err(super::no_32_bit_context())
}

/// Queues a copy of a box between allocations of two contexts on a stream.
///
/// Checked as [`cuMemcpy3DPeer`]. With pageable memory it may return later: see `cuMemcpyHtoDAsync_v2`.
///
/// - `pCopy`: the copy, as for [`cuMemcpy3DPeer`].
/// - `hStream`: the stream.
///
/// Errors: as [`cuMemcpy3DPeer`]; `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream.
///
/// Manual: Memory Management.
#[entry(since = 4000, twin = "ptsz")]
pub fn cuMemcpy3DPeerAsync(pCopy: In<CUDA_MEMCPY3D_PEER>, hStream: CUstream) -> Result<()> {
    peer(&pCopy.get()?, hStream, default_stream, Call::Asynchronous)
}
