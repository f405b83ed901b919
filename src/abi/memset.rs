//! Memory Management (fills).

#![allow(non_snake_case)]

use super::DefaultStream;
use super::stream;
use super::types::{CUdeviceptr, CUdeviceptr_v1, CUstream};
use crate::device::transfer::{self, Fill};
use crate::error::{Error, Result};
use api_macro::entry;
use core::ffi::{c_uchar, c_uint, c_ushort};

/// A fill as the entry points describe it: `height` rows of `width` elements of `size` bytes.
fn elements(dst: CUdeviceptr, pitch: usize, value: u32, size: usize, width: usize, height: usize) -> Fill {
    Fill { dst: dst as usize, pitch, value, element: size, width, rows: height }
}

/// A fill by one of the functions without stream: it runs on the default stream that the caller means.
fn fill_now(fill: Fill, default_stream: DefaultStream) -> Result<()> {
    stream::with(CUstream::NULL, default_stream, |stream| transfer::fill_range(stream, fill, false))
}

/// A fill by one of the functions with stream.
fn fill_on(fill: Fill, stream: CUstream, default_stream: DefaultStream) -> Result<()> {
    stream::with(stream, default_stream, |stream| transfer::fill_range(stream, fill, true))
}

/// Fills `N` bytes of device memory with a byte.
///
/// Host memory that the driver knows is accepted too, pageable memory is not. Returns at once for device memory, when the
/// fill is complete for other memory. No bytes are no error, whatever the address.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemsetD8_v2(dstDevice: CUdeviceptr, uc: c_uchar, N: usize) -> Result<()> {
    fill_now(elements(dstDevice, 0, uc.into(), 1, N, 1), default_stream)
}

/// First-generation [`cuMemsetD8_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemsetD8(dstDevice: CUdeviceptr_v1, uc: c_uchar, N: c_uint) -> Result<()> {
    Err(Error::INVALID_CONTEXT)
}

/// Fills `N` elements of device memory with a 16-bit value; `dstDevice` is a multiple of 2. Otherwise as
/// [`cuMemsetD8_v2`].
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemsetD16_v2(dstDevice: CUdeviceptr, us: c_ushort, N: usize) -> Result<()> {
    fill_now(elements(dstDevice, 0, us.into(), 2, N, 1), default_stream)
}

/// First-generation [`cuMemsetD16_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemsetD16(dstDevice: CUdeviceptr_v1, us: c_ushort, N: c_uint) -> Result<()> {
    Err(Error::INVALID_CONTEXT)
}

/// Fills `N` elements of device memory with a 32-bit value; `dstDevice` is a multiple of 4. Otherwise as
/// [`cuMemsetD8_v2`].
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemsetD32_v2(dstDevice: CUdeviceptr, ui: c_uint, N: usize) -> Result<()> {
    fill_now(elements(dstDevice, 0, ui, 4, N, 1), default_stream)
}

/// First-generation [`cuMemsetD32_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemsetD32(dstDevice: CUdeviceptr_v1, ui: c_uint, N: c_uint) -> Result<()> {
    Err(Error::INVALID_CONTEXT)
}

/// Fills a rectangle of device memory, `Height` rows of `Width` bytes, with a byte.
///
/// - `dstPitch`: distance of rows in bytes, at least a row; means nothing for one row.
///
/// Otherwise as [`cuMemsetD8_v2`].
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemsetD2D8_v2(
    dstDevice: CUdeviceptr,
    dstPitch: usize,
    uc: c_uchar,
    Width: usize,
    Height: usize,
) -> Result<()> {
    fill_now(elements(dstDevice, dstPitch, uc.into(), 1, Width, Height), default_stream)
}

/// First-generation [`cuMemsetD2D8_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemsetD2D8(
    dstDevice: CUdeviceptr_v1,
    dstPitch: c_uint,
    uc: c_uchar,
    Width: c_uint,
    Height: c_uint,
) -> Result<()> {
    Err(Error::INVALID_CONTEXT)
}

/// Fills a rectangle of device memory with a 16-bit value. Address and pitch are multiples of 2, `Width` counts elements.
/// Otherwise as [`cuMemsetD2D8_v2`].
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemsetD2D16_v2(
    dstDevice: CUdeviceptr,
    dstPitch: usize,
    us: c_ushort,
    Width: usize,
    Height: usize,
) -> Result<()> {
    fill_now(elements(dstDevice, dstPitch, us.into(), 2, Width, Height), default_stream)
}

/// First-generation [`cuMemsetD2D16_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemsetD2D16(
    dstDevice: CUdeviceptr_v1,
    dstPitch: c_uint,
    us: c_ushort,
    Width: c_uint,
    Height: c_uint,
) -> Result<()> {
    Err(Error::INVALID_CONTEXT)
}

/// Fills a rectangle of device memory with a 32-bit value. Address and pitch are multiples of 4, `Width` counts elements.
/// Otherwise as [`cuMemsetD2D8_v2`].
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemsetD2D32_v2(
    dstDevice: CUdeviceptr,
    dstPitch: usize,
    ui: c_uint,
    Width: usize,
    Height: usize,
) -> Result<()> {
    fill_now(elements(dstDevice, dstPitch, ui, 4, Width, Height), default_stream)
}

/// First-generation [`cuMemsetD2D32_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemsetD2D32(
    dstDevice: CUdeviceptr_v1,
    dstPitch: c_uint,
    ui: c_uint,
    Width: c_uint,
    Height: c_uint,
) -> Result<()> {
    Err(Error::INVALID_CONTEXT)
}

/// Queues a fill of device memory with a byte on a stream.
#[entry(since = 3020, twin = "ptsz")]
pub fn cuMemsetD8Async(dstDevice: CUdeviceptr, uc: c_uchar, N: usize, hStream: CUstream) -> Result<()> {
    fill_on(elements(dstDevice, 0, uc.into(), 1, N, 1), hStream, default_stream)
}

/// Queues a fill of device memory with a 16-bit value on a stream.
#[entry(since = 3020, twin = "ptsz")]
pub fn cuMemsetD16Async(dstDevice: CUdeviceptr, us: c_ushort, N: usize, hStream: CUstream) -> Result<()> {
    fill_on(elements(dstDevice, 0, us.into(), 2, N, 1), hStream, default_stream)
}

/// Queues a fill of device memory with a 32-bit value on a stream.
#[entry(since = 3020, twin = "ptsz")]
pub fn cuMemsetD32Async(dstDevice: CUdeviceptr, ui: c_uint, N: usize, hStream: CUstream) -> Result<()> {
    fill_on(elements(dstDevice, 0, ui, 4, N, 1), hStream, default_stream)
}

/// Queues a fill of a rectangle with a byte on a stream.
#[entry(since = 3020, twin = "ptsz")]
pub fn cuMemsetD2D8Async(
    dstDevice: CUdeviceptr,
    dstPitch: usize,
    uc: c_uchar,
    Width: usize,
    Height: usize,
    hStream: CUstream,
) -> Result<()> {
    fill_on(elements(dstDevice, dstPitch, uc.into(), 1, Width, Height), hStream, default_stream)
}

/// Queues a fill of a rectangle with a 16-bit value on a stream.
#[entry(since = 3020, twin = "ptsz")]
pub fn cuMemsetD2D16Async(
    dstDevice: CUdeviceptr,
    dstPitch: usize,
    us: c_ushort,
    Width: usize,
    Height: usize,
    hStream: CUstream,
) -> Result<()> {
    fill_on(elements(dstDevice, dstPitch, us.into(), 2, Width, Height), hStream, default_stream)
}

/// Queues a fill of a rectangle with a 32-bit value on a stream.
#[entry(since = 3020, twin = "ptsz")]
pub fn cuMemsetD2D32Async(
    dstDevice: CUdeviceptr,
    dstPitch: usize,
    ui: c_uint,
    Width: usize,
    Height: usize,
    hStream: CUstream,
) -> Result<()> {
    fill_on(elements(dstDevice, dstPitch, ui, 4, Width, Height), hStream, default_stream)
}
