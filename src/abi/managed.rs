//! Unified Addressing.

#![allow(non_snake_case)]

use super::ptr::{InMut, Out};
use super::types::{
    CUdevice, CUdeviceptr, CUmem_advise, CUmem_range_attribute, CUmemLocation, CUpointer_attribute, CUstream,
};
use crate::error::Result;
use api_macro::entry;
use core::ffi::{c_uint, c_ulonglong, c_void};

/// Reads one property of an address: kind of memory, context, device, allocation and so on.
#[entry(since = 4000, needs = init)]
pub fn cuPointerGetAttribute(data: *mut c_void, attribute: CUpointer_attribute, ptr: CUdeviceptr) -> Result<()>;

/// Moves managed memory to a location on a stream.
#[entry(since = 12020, twin = "ptsz")]
pub fn cuMemPrefetchAsync_v2(
    devPtr: CUdeviceptr,
    count: usize,
    location: CUmemLocation,
    flags: c_uint,
    hStream: CUstream,
) -> Result<()>;

/// Moves managed memory to a device, or to the host with `CU_DEVICE_CPU`, on a stream.
#[entry(since = 8000, twin = "ptsz")]
pub fn cuMemPrefetchAsync(devPtr: CUdeviceptr, count: usize, dstDevice: CUdevice, hStream: CUstream) -> Result<()>;

/// Advises how managed memory will be used, for a location.
#[entry(since = 12020)]
pub fn cuMemAdvise_v2(devPtr: CUdeviceptr, count: usize, advice: CUmem_advise, location: CUmemLocation) -> Result<()>;

/// Advises how managed memory will be used, for a device or the host.
#[entry(since = 8000)]
pub fn cuMemAdvise(devPtr: CUdeviceptr, count: usize, advice: CUmem_advise, device: CUdevice) -> Result<()>;

/// Moves several ranges of managed memory on a stream.
#[entry(since = 13000, twin = "ptsz", needs = nothing)]
pub fn cuMemPrefetchBatchAsync(
    dptrs: InMut<CUdeviceptr>,
    sizes: InMut<usize>,
    count: usize,
    prefetchLocs: InMut<CUmemLocation>,
    prefetchLocIdxs: InMut<usize>,
    numPrefetchLocs: usize,
    flags: c_ulonglong,
    hStream: CUstream,
) -> Result<()>;

/// Declares the contents of several ranges of managed memory void.
#[entry(since = 13000, twin = "ptsz", needs = nothing)]
pub fn cuMemDiscardBatchAsync(
    dptrs: InMut<CUdeviceptr>,
    sizes: InMut<usize>,
    count: usize,
    flags: c_ulonglong,
    hStream: CUstream,
) -> Result<()>;

/// Declares the contents of several ranges void and moves their memory.
#[entry(since = 13000, twin = "ptsz", needs = nothing)]
pub fn cuMemDiscardAndPrefetchBatchAsync(
    dptrs: InMut<CUdeviceptr>,
    sizes: InMut<usize>,
    count: usize,
    prefetchLocs: InMut<CUmemLocation>,
    prefetchLocIdxs: InMut<usize>,
    numPrefetchLocs: usize,
    flags: c_ulonglong,
    hStream: CUstream,
) -> Result<()>;

/// Samples where the pages of a range are.
#[entry(since = 13040)]
pub fn cuMemGetLocationInfo(
    ptr: CUdeviceptr,
    size: usize,
    summaryGranularity: usize,
    samplingGranularity: usize,
    location_out: Out<CUmemLocation>,
) -> Result<()>;

/// Reads one property of a range of managed memory.
#[entry(since = 8000)]
pub fn cuMemRangeGetAttribute(
    data: *mut c_void,
    dataSize: usize,
    attribute: CUmem_range_attribute,
    devPtr: CUdeviceptr,
    count: usize,
) -> Result<()>;

/// Reads several properties of a range of managed memory.
#[entry(since = 8000)]
pub fn cuMemRangeGetAttributes(
    data: InMut<*mut c_void>,
    dataSizes: InMut<usize>,
    attributes: InMut<CUmem_range_attribute>,
    numAttributes: usize,
    devPtr: CUdeviceptr,
    count: usize,
) -> Result<()>;

/// Changes a property of the allocation at an address.
#[entry(since = 6000, needs = init)]
pub fn cuPointerSetAttribute(value: *const c_void, attribute: CUpointer_attribute, ptr: CUdeviceptr) -> Result<()>;

/// Reads several properties of an address; unknown addresses yield defaults.
#[entry(since = 7000, needs = init)]
pub fn cuPointerGetAttributes(
    numAttributes: c_uint,
    attributes: InMut<CUpointer_attribute>,
    data: InMut<*mut c_void>,
    ptr: CUdeviceptr,
) -> Result<()>;
