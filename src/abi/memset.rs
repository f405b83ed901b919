//! Memory Management (fills).

#![allow(non_snake_case)]

use super::types::{CUdeviceptr, CUdeviceptr_v1, CUstream};
use crate::error::Result;
use api_macro::entry;
use core::ffi::{c_uchar, c_uint, c_ushort};

/// Fills device memory with a byte.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemsetD8_v2(dstDevice: CUdeviceptr, uc: c_uchar, N: usize) -> Result<()>;

/// First-generation [`cuMemsetD8_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemsetD8(dstDevice: CUdeviceptr_v1, uc: c_uchar, N: c_uint) -> Result<()>;

/// Fills device memory with a 16-bit value.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemsetD16_v2(dstDevice: CUdeviceptr, us: c_ushort, N: usize) -> Result<()>;

/// First-generation [`cuMemsetD16_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemsetD16(dstDevice: CUdeviceptr_v1, us: c_ushort, N: c_uint) -> Result<()>;

/// Fills device memory with a 32-bit value.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemsetD32_v2(dstDevice: CUdeviceptr, ui: c_uint, N: usize) -> Result<()>;

/// First-generation [`cuMemsetD32_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemsetD32(dstDevice: CUdeviceptr_v1, ui: c_uint, N: c_uint) -> Result<()>;

/// Fills a rectangle of device memory with a byte.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemsetD2D8_v2(dstDevice: CUdeviceptr, dstPitch: usize, uc: c_uchar, Width: usize, Height: usize)
-> Result<()>;

/// First-generation [`cuMemsetD2D8_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemsetD2D8(
    dstDevice: CUdeviceptr_v1,
    dstPitch: c_uint,
    uc: c_uchar,
    Width: c_uint,
    Height: c_uint,
) -> Result<()>;

/// Fills a rectangle of device memory with a 16-bit value.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemsetD2D16_v2(
    dstDevice: CUdeviceptr,
    dstPitch: usize,
    us: c_ushort,
    Width: usize,
    Height: usize,
) -> Result<()>;

/// First-generation [`cuMemsetD2D16_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemsetD2D16(
    dstDevice: CUdeviceptr_v1,
    dstPitch: c_uint,
    us: c_ushort,
    Width: c_uint,
    Height: c_uint,
) -> Result<()>;

/// Fills a rectangle of device memory with a 32-bit value.
#[entry(since = 3020, twin = "ptds")]
pub fn cuMemsetD2D32_v2(dstDevice: CUdeviceptr, dstPitch: usize, ui: c_uint, Width: usize, Height: usize)
-> Result<()>;

/// First-generation [`cuMemsetD2D32_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemsetD2D32(
    dstDevice: CUdeviceptr_v1,
    dstPitch: c_uint,
    ui: c_uint,
    Width: c_uint,
    Height: c_uint,
) -> Result<()>;

/// Queues a fill of device memory with a byte on a stream.
#[entry(since = 3020, twin = "ptsz")]
pub fn cuMemsetD8Async(dstDevice: CUdeviceptr, uc: c_uchar, N: usize, hStream: CUstream) -> Result<()>;

/// Queues a fill of device memory with a 16-bit value on a stream.
#[entry(since = 3020, twin = "ptsz")]
pub fn cuMemsetD16Async(dstDevice: CUdeviceptr, us: c_ushort, N: usize, hStream: CUstream) -> Result<()>;

/// Queues a fill of device memory with a 32-bit value on a stream.
#[entry(since = 3020, twin = "ptsz")]
pub fn cuMemsetD32Async(dstDevice: CUdeviceptr, ui: c_uint, N: usize, hStream: CUstream) -> Result<()>;

/// Queues a fill of a rectangle with a byte on a stream.
#[entry(since = 3020, twin = "ptsz")]
pub fn cuMemsetD2D8Async(
    dstDevice: CUdeviceptr,
    dstPitch: usize,
    uc: c_uchar,
    Width: usize,
    Height: usize,
    hStream: CUstream,
) -> Result<()>;

/// Queues a fill of a rectangle with a 16-bit value on a stream.
#[entry(since = 3020, twin = "ptsz")]
pub fn cuMemsetD2D16Async(
    dstDevice: CUdeviceptr,
    dstPitch: usize,
    us: c_ushort,
    Width: usize,
    Height: usize,
    hStream: CUstream,
) -> Result<()>;

/// Queues a fill of a rectangle with a 32-bit value on a stream.
#[entry(since = 3020, twin = "ptsz")]
pub fn cuMemsetD2D32Async(
    dstDevice: CUdeviceptr,
    dstPitch: usize,
    ui: c_uint,
    Width: usize,
    Height: usize,
    hStream: CUstream,
) -> Result<()>;
