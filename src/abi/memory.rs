//! Memory Management (allocation, host memory, information).

#![allow(non_snake_case)]

use super::ptr::Out;
use super::types::{CU_MEM_ATTACH_GLOBAL, CU_MEM_ATTACH_HOST, CUdeviceptr, CUdeviceptr_v1, CUmemRangeHandleType};
use crate::device::{context, managed};
use crate::error::{Error, Result};
use api_macro::entry;
use core::ffi::{c_uint, c_ulonglong, c_void};

/// Reports free and total memory of the current context's device, in bytes.
#[entry(since = 3020)]
pub fn cuMemGetInfo_v2(free: Out<usize>, total: Out<usize>) -> Result<()>;

/// First-generation [`cuMemGetInfo_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemGetInfo(free: Out<c_uint>, total: Out<c_uint>) -> Result<()>;

/// Allocates linear memory on the current context's device.
#[entry(since = 3020)]
pub fn cuMemAlloc_v2(dptr: Out<CUdeviceptr>, bytesize: usize) -> Result<()>;

/// First-generation [`cuMemAlloc_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemAlloc(dptr: Out<CUdeviceptr_v1>, bytesize: c_uint) -> Result<()>;

/// Allocates rows of linear memory and chooses the pitch that suits the device.
#[entry(since = 3020)]
pub fn cuMemAllocPitch_v2(
    dptr: Out<CUdeviceptr>,
    pPitch: Out<usize>,
    WidthInBytes: usize,
    Height: usize,
    ElementSizeBytes: c_uint,
) -> Result<()>;

/// First-generation [`cuMemAllocPitch_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemAllocPitch(
    dptr: Out<CUdeviceptr_v1>,
    pPitch: Out<c_uint>,
    WidthInBytes: c_uint,
    Height: c_uint,
    ElementSizeBytes: c_uint,
) -> Result<()>;

/// Frees linear or managed memory; `NULL` is accepted.
#[entry(since = 3020, needs = init)]
pub fn cuMemFree_v2(dptr: CUdeviceptr) -> Result<()>;

/// First-generation [`cuMemFree_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000, needs = init)]
pub fn cuMemFree(dptr: CUdeviceptr_v1) -> Result<()>;

/// Reports start and size of the allocation that contains an address.
#[entry(since = 3020)]
pub fn cuMemGetAddressRange_v2(pbase: Out<CUdeviceptr>, psize: Out<usize>, dptr: CUdeviceptr) -> Result<()>;

/// First-generation [`cuMemGetAddressRange_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemGetAddressRange(pbase: Out<CUdeviceptr_v1>, psize: Out<c_uint>, dptr: CUdeviceptr_v1) -> Result<()>;

/// Allocates page-locked host memory that the device can reach.
#[entry(since = 3020)]
pub fn cuMemAllocHost_v2(pp: Out<*mut c_void>, bytesize: usize) -> Result<()>;

/// First-generation [`cuMemAllocHost_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuMemAllocHost(pp: Out<*mut c_void>, bytesize: c_uint) -> Result<()>;

/// Frees page-locked host memory.
#[entry(since = 2000, needs = init)]
pub fn cuMemFreeHost(p: *mut c_void) -> Result<()>;

/// Allocates page-locked host memory with flags for portability, mapping and write combining.
#[entry(since = 2020)]
pub fn cuMemHostAlloc(pp: Out<*mut c_void>, bytesize: usize, Flags: c_uint) -> Result<()>;

/// Reports the device address of mapped page-locked host memory.
#[entry(since = 3020)]
pub fn cuMemHostGetDevicePointer_v2(pdptr: Out<CUdeviceptr>, p: *mut c_void, Flags: c_uint) -> Result<()>;

/// First-generation [`cuMemHostGetDevicePointer_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2020)]
pub fn cuMemHostGetDevicePointer(pdptr: Out<CUdeviceptr_v1>, p: *mut c_void, Flags: c_uint) -> Result<()>;

/// Reports the flags with which page-locked host memory was allocated.
#[entry(since = 2030)]
pub fn cuMemHostGetFlags(pFlags: Out<c_uint>, p: *mut c_void) -> Result<()>;

/// Allocates memory that host and devices share and that moves between them on demand.
#[entry(since = 6000)]
pub fn cuMemAllocManaged(dptr: Out<CUdeviceptr>, bytesize: usize, flags: c_uint) -> Result<()> {
    dptr.set(0)?;
    let known = [CU_MEM_ATTACH_GLOBAL.0, CU_MEM_ATTACH_HOST.0].contains(&flags);
    if !known || bytesize == 0 {
        return Err(Error::INVALID_VALUE);
    }
    let context = context::current()?;
    dptr.set(managed::alloc(&context, bytesize, flags)?.base as CUdeviceptr)
}

/// Page-locks existing host memory and makes it reachable for the device.
#[entry(since = 6050)]
pub fn cuMemHostRegister_v2(p: *mut c_void, bytesize: usize, Flags: c_uint) -> Result<()>;

/// First form of [`cuMemHostRegister_v2`], with the flags of before CUDA 6.5.
#[entry(since = 4000)]
pub fn cuMemHostRegister(p: *mut c_void, bytesize: usize, Flags: c_uint) -> Result<()>;

/// Undoes `cuMemHostRegister`.
#[entry(since = 4000)]
pub fn cuMemHostUnregister(p: *mut c_void) -> Result<()>;

/// Exports an address range as an operating-system handle such as a dma-buf file.
#[entry(since = 11070)]
pub fn cuMemGetHandleForAddressRange(
    handle: *mut c_void,
    dptr: CUdeviceptr,
    size: usize,
    handleType: CUmemRangeHandleType,
    flags: c_ulonglong,
) -> Result<()>;

/// Private; was never documented.
#[entry(since = 13000, needs = init, header = false, lookup = false)]
pub fn cuMemGetAttribute(a0: usize, a1: usize, a2: usize, a3: usize, a4: usize, a5: usize) -> Result<()>;

/// Private; was never documented.
#[entry(since = 13000, needs = init, header = false, lookup = false)]
pub fn cuMemGetAttribute_v2(a0: usize, a1: usize, a2: usize, a3: usize, a4: usize, a5: usize) -> Result<()>;
