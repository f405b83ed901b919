//! Virtual Memory Management.

#![allow(non_snake_case)]

use super::ptr::{In, InMut, Out};
use super::types::{
    CUarrayMapInfo, CUdeviceptr, CUmemAccessDesc, CUmemAllocationGranularity_flags, CUmemAllocationHandleType,
    CUmemAllocationProp, CUmemGenericAllocationHandle, CUmemLocation, CUstream,
};
use crate::error::Result;
use api_macro::entry;
use core::ffi::{c_uint, c_ulonglong, c_void};

/// Reserves a range of addresses without memory behind it.
#[entry(since = 10020, needs = init)]
pub fn cuMemAddressReserve(
    ptr: Out<CUdeviceptr>,
    size: usize,
    alignment: usize,
    addr: CUdeviceptr,
    flags: c_ulonglong,
) -> Result<()>;

/// Gives back a reserved range of addresses.
#[entry(since = 10020, needs = init)]
pub fn cuMemAddressFree(ptr: CUdeviceptr, size: usize) -> Result<()>;

/// Creates physical memory that can be mapped at reserved addresses.
#[entry(since = 10020, needs = init)]
pub fn cuMemCreate(
    handle: Out<CUmemGenericAllocationHandle>,
    size: usize,
    prop: In<CUmemAllocationProp>,
    flags: c_ulonglong,
) -> Result<()>;

/// Drops a handle to physical memory, which lives on while it is mapped.
#[entry(since = 10020, needs = init)]
pub fn cuMemRelease(handle: CUmemGenericAllocationHandle) -> Result<()>;

/// Maps physical memory at a reserved address; access is granted separately.
#[entry(since = 10020, needs = init)]
pub fn cuMemMap(
    ptr: CUdeviceptr,
    size: usize,
    offset: usize,
    handle: CUmemGenericAllocationHandle,
    flags: c_ulonglong,
) -> Result<()>;

/// Maps or unmaps tiles of sparse arrays on a stream.
#[entry(since = 11010, twin = "ptsz", needs = init)]
pub fn cuMemMapArrayAsync(mapInfoList: InMut<CUarrayMapInfo>, count: c_uint, hStream: CUstream) -> Result<()>;

/// Removes the mapping from a range of addresses.
#[entry(since = 10020, needs = init)]
pub fn cuMemUnmap(ptr: CUdeviceptr, size: usize) -> Result<()>;

/// Sets which devices may read or write a mapped range.
#[entry(since = 10020, needs = init)]
pub fn cuMemSetAccess(ptr: CUdeviceptr, size: usize, desc: In<CUmemAccessDesc>, count: usize) -> Result<()>;

/// Reports the access that a location has to a mapped address.
#[entry(since = 10020, needs = init)]
pub fn cuMemGetAccess(flags: Out<c_ulonglong>, location: In<CUmemLocation>, ptr: CUdeviceptr) -> Result<()>;

/// Exports physical memory as an operating-system handle.
#[entry(since = 10020, needs = init)]
pub fn cuMemExportToShareableHandle(
    shareableHandle: *mut c_void,
    handle: CUmemGenericAllocationHandle,
    handleType: CUmemAllocationHandleType,
    flags: c_ulonglong,
) -> Result<()>;

/// Imports physical memory that another process exported.
#[entry(since = 10020, needs = init)]
pub fn cuMemImportFromShareableHandle(
    handle: Out<CUmemGenericAllocationHandle>,
    osHandle: *mut c_void,
    shHandleType: CUmemAllocationHandleType,
) -> Result<()>;

/// Reports the minimum or recommended granularity for sizes and addresses.
#[entry(since = 10020, needs = init)]
pub fn cuMemGetAllocationGranularity(
    granularity: Out<usize>,
    prop: In<CUmemAllocationProp>,
    option: CUmemAllocationGranularity_flags,
) -> Result<()>;

/// Reports the properties with which physical memory was created.
#[entry(since = 10020, needs = init)]
pub fn cuMemGetAllocationPropertiesFromHandle(
    prop: Out<CUmemAllocationProp>,
    handle: CUmemGenericAllocationHandle,
) -> Result<()>;

/// Finds the physical memory mapped at an address and takes a reference on it.
#[entry(since = 11000, needs = init)]
pub fn cuMemRetainAllocationHandle(handle: Out<CUmemGenericAllocationHandle>, addr: *mut c_void) -> Result<()>;
