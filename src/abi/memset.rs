//! Memory Management (memset).

#![allow(non_snake_case)]

use super::DefaultStream;
use super::convert::stream;
use super::types::{CUdeviceptr, CUdeviceptr_v1, CUstream};
use api_macro::entry;
use core::ffi::{c_uchar, c_uint, c_ushort};
use device::copy::memset;
use device::copy::memset::Memset;
use device::copy::timing::Call;
use error::Result;

/// A memset as the entry points describe it: `height` rows of `width` elements of `size` bytes.
fn elements(dst: CUdeviceptr, pitch: usize, value: u32, size: usize, width: usize, height: usize) -> Memset {
    Memset { dst: dst as usize, pitch, value, element: size, width, rows: height }
}

/// A memset by one of the functions without stream: it runs on the caller's default stream.
fn memset_now(memset: Memset, default_stream: DefaultStream) -> Result<()> {
    stream::with(CUstream::NULL, default_stream, |stream| memset::set_range(stream, memset, Call::Synchronous))
}

/// A memset by one of the functions with stream.
fn memset_on(memset: Memset, stream: CUstream, default_stream: DefaultStream) -> Result<()> {
    stream::with(stream, default_stream, |stream| memset::set_range(stream, memset, Call::Asynchronous))
}

/// Sets device memory to a byte.
///
/// Host memory that the driver knows is accepted too, pageable memory is not. Returns at once for device memory, for
/// other memory when the memset is complete.
///
/// - `dstDevice`: first byte.
/// - `uc`: the value of each byte.
/// - `N`: number of bytes; 0 does nothing, whatever the address is.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if the memory is pageable or NULL, if the range leaves its allocation, or if the
/// current context's device may not use it.
///
/// Manual: Memory Management.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemsetD8_v2(dstDevice: CUdeviceptr, uc: c_uchar, N: usize) -> Result<()> {
    memset_now(elements(dstDevice, 0, uc.into(), 1, N, 1), default_stream)
}

/// First-generation [`cuMemsetD8_v2`]: addresses and sizes have 32 bits.
///
/// - `dstDevice`: first byte.
/// - `uc`: the value of each byte.
/// - `N`: number of bytes; 0 does nothing, whatever the address is.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always: there is no memory with addresses of 32 bits.
///
/// Manual: none, first generation.
#[entry(since = 2000, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuMemsetD8(dstDevice: CUdeviceptr_v1, uc: c_uchar, N: c_uint) -> Result<()> {
    Err(super::no_32_bit_context())
}

/// Sets device memory to a 16-bit value.
///
/// Otherwise as [`cuMemsetD8_v2`].
///
/// - `dstDevice`: first byte, a multiple of 2.
/// - `us`: the value of each element.
/// - `N`: number of elements; 0 does nothing, whatever the address is.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if the address is no multiple of 2, if the memory is pageable or NULL, if the
/// range leaves its allocation, or if the current context's device may not use it.
///
/// Manual: Memory Management.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemsetD16_v2(dstDevice: CUdeviceptr, us: c_ushort, N: usize) -> Result<()> {
    memset_now(elements(dstDevice, 0, us.into(), 2, N, 1), default_stream)
}

/// First-generation [`cuMemsetD16_v2`]: addresses and sizes have 32 bits.
///
/// - `dstDevice`: first byte, a multiple of 2.
/// - `us`: the value of each element.
/// - `N`: number of elements; 0 does nothing, whatever the address is.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always: there is no memory with addresses of 32 bits.
///
/// Manual: none, first generation.
#[entry(since = 2000, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuMemsetD16(dstDevice: CUdeviceptr_v1, us: c_ushort, N: c_uint) -> Result<()> {
    Err(super::no_32_bit_context())
}

/// Sets device memory to a 32-bit value.
///
/// Otherwise as [`cuMemsetD8_v2`].
///
/// - `dstDevice`: first byte, a multiple of 4.
/// - `ui`: the value of each element.
/// - `N`: number of elements; 0 does nothing, whatever the address is.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if the address is no multiple of 4, if the memory is pageable or NULL, if the
/// range leaves its allocation, or if the current context's device may not use it.
///
/// Manual: Memory Management.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemsetD32_v2(dstDevice: CUdeviceptr, ui: c_uint, N: usize) -> Result<()> {
    memset_now(elements(dstDevice, 0, ui, 4, N, 1), default_stream)
}

/// First-generation [`cuMemsetD32_v2`]: addresses and sizes have 32 bits.
///
/// - `dstDevice`: first byte, a multiple of 4.
/// - `ui`: the value of each element.
/// - `N`: number of elements; 0 does nothing, whatever the address is.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always: there is no memory with addresses of 32 bits.
///
/// Manual: none, first generation.
#[entry(since = 2000, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuMemsetD32(dstDevice: CUdeviceptr_v1, ui: c_uint, N: c_uint) -> Result<()> {
    Err(super::no_32_bit_context())
}

/// Sets a rectangle of device memory to a byte.
///
/// Otherwise as [`cuMemsetD8_v2`].
///
/// - `dstDevice`: first byte.
/// - `dstPitch`: bytes from row to row, at least a row; ignored for one row.
/// - `uc`: the value of each byte.
/// - `Width`: bytes of a row; 0 does nothing.
/// - `Height`: number of rows; 0 does nothing.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if the pitch is less than a row, if the memory is pageable or NULL, if the
/// rectangle leaves its allocation, or if the current context's device may not use it.
///
/// Manual: Memory Management.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemsetD2D8_v2(
    dstDevice: CUdeviceptr,
    dstPitch: usize,
    uc: c_uchar,
    Width: usize,
    Height: usize,
) -> Result<()> {
    memset_now(elements(dstDevice, dstPitch, uc.into(), 1, Width, Height), default_stream)
}

/// First-generation [`cuMemsetD2D8_v2`]: addresses and sizes have 32 bits.
///
/// - `dstDevice`: first byte.
/// - `dstPitch`: bytes from row to row, at least a row; ignored for one row.
/// - `uc`: the value of each byte.
/// - `Width`: bytes of a row; 0 does nothing.
/// - `Height`: number of rows; 0 does nothing.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always: there is no memory with addresses of 32 bits.
///
/// Manual: none, first generation.
#[entry(since = 2000, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuMemsetD2D8(
    dstDevice: CUdeviceptr_v1,
    dstPitch: c_uint,
    uc: c_uchar,
    Width: c_uint,
    Height: c_uint,
) -> Result<()> {
    Err(super::no_32_bit_context())
}

/// Sets a rectangle of device memory to a 16-bit value.
///
/// Otherwise as [`cuMemsetD2D8_v2`].
///
/// - `dstDevice`: first byte, a multiple of 2.
/// - `dstPitch`: bytes from row to row, at least a row, a multiple of 2; ignored for one row.
/// - `us`: the value of each element.
/// - `Width`: elements of a row; 0 does nothing.
/// - `Height`: number of rows; 0 does nothing.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if the address or the pitch is no multiple of 2, if the pitch is less than a row,
/// if the memory is pageable or NULL, if the rectangle leaves its allocation, or if the current context's device may
/// not use it.
///
/// Manual: Memory Management.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemsetD2D16_v2(
    dstDevice: CUdeviceptr,
    dstPitch: usize,
    us: c_ushort,
    Width: usize,
    Height: usize,
) -> Result<()> {
    memset_now(elements(dstDevice, dstPitch, us.into(), 2, Width, Height), default_stream)
}

/// First-generation [`cuMemsetD2D16_v2`]: addresses and sizes have 32 bits.
///
/// - `dstDevice`: first byte, a multiple of 2.
/// - `dstPitch`: bytes from row to row, at least a row, a multiple of 2; ignored for one row.
/// - `us`: the value of each element.
/// - `Width`: elements of a row; 0 does nothing.
/// - `Height`: number of rows; 0 does nothing.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always: there is no memory with addresses of 32 bits.
///
/// Manual: none, first generation.
#[entry(since = 2000, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuMemsetD2D16(
    dstDevice: CUdeviceptr_v1,
    dstPitch: c_uint,
    us: c_ushort,
    Width: c_uint,
    Height: c_uint,
) -> Result<()> {
    Err(super::no_32_bit_context())
}

/// Sets a rectangle of device memory to a 32-bit value.
///
/// Otherwise as [`cuMemsetD2D8_v2`].
///
/// - `dstDevice`: first byte, a multiple of 4.
/// - `dstPitch`: bytes from row to row, at least a row, a multiple of 4; ignored for one row.
/// - `ui`: the value of each element.
/// - `Width`: elements of a row; 0 does nothing.
/// - `Height`: number of rows; 0 does nothing.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if the address or the pitch is no multiple of 4, if the pitch is less than a row,
/// if the memory is pageable or NULL, if the rectangle leaves its allocation, or if the current context's device may
/// not use it.
///
/// Manual: Memory Management.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemsetD2D32_v2(
    dstDevice: CUdeviceptr,
    dstPitch: usize,
    ui: c_uint,
    Width: usize,
    Height: usize,
) -> Result<()> {
    memset_now(elements(dstDevice, dstPitch, ui, 4, Width, Height), default_stream)
}

/// First-generation [`cuMemsetD2D32_v2`]: addresses and sizes have 32 bits.
///
/// - `dstDevice`: first byte, a multiple of 4.
/// - `dstPitch`: bytes from row to row, at least a row, a multiple of 4; ignored for one row.
/// - `ui`: the value of each element.
/// - `Width`: elements of a row; 0 does nothing.
/// - `Height`: number of rows; 0 does nothing.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always: there is no memory with addresses of 32 bits.
///
/// Manual: none, first generation.
#[entry(since = 2000, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuMemsetD2D32(
    dstDevice: CUdeviceptr_v1,
    dstPitch: c_uint,
    ui: c_uint,
    Width: c_uint,
    Height: c_uint,
) -> Result<()> {
    Err(super::no_32_bit_context())
}

/// Queues a memset of device memory with a byte on a stream.
///
/// - `dstDevice`: first byte.
/// - `uc`: the value of each byte.
/// - `N`: number of bytes; 0 does nothing, whatever the address is.
/// - `hStream`: the stream.
///
/// Errors: as [`cuMemsetD8_v2`]; `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream.
///
/// Manual: Memory Management.
#[entry(since = 3020, twin = "ptsz")]
pub fn cuMemsetD8Async(dstDevice: CUdeviceptr, uc: c_uchar, N: usize, hStream: CUstream) -> Result<()> {
    memset_on(elements(dstDevice, 0, uc.into(), 1, N, 1), hStream, default_stream)
}

/// Queues a memset of device memory with a 16-bit value on a stream.
///
/// - `dstDevice`: first byte, a multiple of 2.
/// - `us`: the value of each element.
/// - `N`: number of elements; 0 does nothing, whatever the address is.
/// - `hStream`: the stream.
///
/// Errors: as [`cuMemsetD16_v2`]; `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream.
///
/// Manual: Memory Management.
#[entry(since = 3020, twin = "ptsz")]
pub fn cuMemsetD16Async(dstDevice: CUdeviceptr, us: c_ushort, N: usize, hStream: CUstream) -> Result<()> {
    memset_on(elements(dstDevice, 0, us.into(), 2, N, 1), hStream, default_stream)
}

/// Queues a memset of device memory with a 32-bit value on a stream.
///
/// - `dstDevice`: first byte, a multiple of 4.
/// - `ui`: the value of each element.
/// - `N`: number of elements; 0 does nothing, whatever the address is.
/// - `hStream`: the stream.
///
/// Errors: as [`cuMemsetD32_v2`]; `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream.
///
/// Manual: Memory Management.
#[entry(since = 3020, twin = "ptsz")]
pub fn cuMemsetD32Async(dstDevice: CUdeviceptr, ui: c_uint, N: usize, hStream: CUstream) -> Result<()> {
    memset_on(elements(dstDevice, 0, ui, 4, N, 1), hStream, default_stream)
}

/// Queues a memset of a rectangle of device memory with a byte on a stream.
///
/// - `dstDevice`: first byte.
/// - `dstPitch`: bytes from row to row, at least a row; ignored for one row.
/// - `uc`: the value of each byte.
/// - `Width`: bytes of a row; 0 does nothing.
/// - `Height`: number of rows; 0 does nothing.
/// - `hStream`: the stream.
///
/// Errors: as [`cuMemsetD2D8_v2`]; `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream.
///
/// Manual: Memory Management.
#[entry(since = 3020, twin = "ptsz")]
pub fn cuMemsetD2D8Async(
    dstDevice: CUdeviceptr,
    dstPitch: usize,
    uc: c_uchar,
    Width: usize,
    Height: usize,
    hStream: CUstream,
) -> Result<()> {
    memset_on(elements(dstDevice, dstPitch, uc.into(), 1, Width, Height), hStream, default_stream)
}

/// Queues a memset of a rectangle of device memory with a 16-bit value on a stream.
///
/// - `dstDevice`: first byte, a multiple of 2.
/// - `dstPitch`: bytes from row to row, at least a row, a multiple of 2; ignored for one row.
/// - `us`: the value of each element.
/// - `Width`: elements of a row; 0 does nothing.
/// - `Height`: number of rows; 0 does nothing.
/// - `hStream`: the stream.
///
/// Errors: as [`cuMemsetD2D16_v2`]; `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream.
///
/// Manual: Memory Management.
#[entry(since = 3020, twin = "ptsz")]
pub fn cuMemsetD2D16Async(
    dstDevice: CUdeviceptr,
    dstPitch: usize,
    us: c_ushort,
    Width: usize,
    Height: usize,
    hStream: CUstream,
) -> Result<()> {
    memset_on(elements(dstDevice, dstPitch, us.into(), 2, Width, Height), hStream, default_stream)
}

/// Queues a memset of a rectangle of device memory with a 32-bit value on a stream.
///
/// - `dstDevice`: first byte, a multiple of 4.
/// - `dstPitch`: bytes from row to row, at least a row, a multiple of 4; ignored for one row.
/// - `ui`: the value of each element.
/// - `Width`: elements of a row; 0 does nothing.
/// - `Height`: number of rows; 0 does nothing.
/// - `hStream`: the stream.
///
/// Errors: as [`cuMemsetD2D32_v2`]; `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream.
///
/// Manual: Memory Management.
#[entry(since = 3020, twin = "ptsz")]
pub fn cuMemsetD2D32Async(
    dstDevice: CUdeviceptr,
    dstPitch: usize,
    ui: c_uint,
    Width: usize,
    Height: usize,
    hStream: CUstream,
) -> Result<()> {
    memset_on(elements(dstDevice, dstPitch, ui, 4, Width, Height), hStream, default_stream)
}
