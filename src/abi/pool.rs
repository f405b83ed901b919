//! Stream Ordered Memory Allocator.

#![allow(non_snake_case)]

use super::ptr::{In, InMut, Out};
use super::types::{
    CUdeviceptr, CUmemAccess_flags, CUmemAccessDesc, CUmemAllocationHandleType, CUmemAllocationType, CUmemLocation,
    CUmemPool_attribute, CUmemPoolProps, CUmemPoolPtrExportData, CUmemoryPool, CUstream,
};
use crate::error::Result;
use api_macro::entry;
use core::ffi::{c_ulonglong, c_void};

/// Frees memory once the stream has come this far.
#[entry(since = 11020, twin = "ptsz")]
pub fn cuMemFreeAsync(dptr: CUdeviceptr, hStream: CUstream) -> Result<()>;

/// Allocates from the device's current pool in stream order.
#[entry(since = 11020, twin = "ptsz")]
pub fn cuMemAllocAsync(dptr: Out<CUdeviceptr>, bytesize: usize, hStream: CUstream) -> Result<()>;

/// Gives unused memory of a pool back to the system, down to a floor.
#[entry(since = 11020, needs = init)]
pub fn cuMemPoolTrimTo(pool: CUmemoryPool, minBytesToKeep: usize) -> Result<()>;

/// Changes a property of a pool.
#[entry(since = 11020, needs = init)]
pub fn cuMemPoolSetAttribute(pool: CUmemoryPool, attr: CUmemPool_attribute, value: *mut c_void) -> Result<()>;

/// Reads a property of a pool.
#[entry(since = 11020, needs = init)]
pub fn cuMemPoolGetAttribute(pool: CUmemoryPool, attr: CUmemPool_attribute, value: *mut c_void) -> Result<()>;

/// Sets which devices may reach the memory of a pool.
#[entry(since = 11020, needs = init)]
pub fn cuMemPoolSetAccess(pool: CUmemoryPool, map: In<CUmemAccessDesc>, count: usize) -> Result<()>;

/// Reports the access that a location has to the memory of a pool.
#[entry(since = 11020, needs = init)]
pub fn cuMemPoolGetAccess(
    flags: Out<CUmemAccess_flags>,
    memPool: CUmemoryPool,
    location: InMut<CUmemLocation>,
) -> Result<()>;

/// Creates a pool.
#[entry(since = 11020, needs = init)]
pub fn cuMemPoolCreate(pool: Out<CUmemoryPool>, poolProps: In<CUmemPoolProps>) -> Result<()>;

/// Destroys a pool; its memory goes when the last allocation is freed.
#[entry(since = 11020, needs = init)]
pub fn cuMemPoolDestroy(pool: CUmemoryPool) -> Result<()>;

/// Reports the pool that a location is born with for a kind of memory.
#[entry(since = 13000, needs = init)]
pub fn cuMemGetDefaultMemPool(
    pool_out: Out<CUmemoryPool>,
    location: InMut<CUmemLocation>,
    r#type: CUmemAllocationType,
) -> Result<()>;

/// Reports the pool in use at a location for a kind of memory.
#[entry(since = 13000, needs = init)]
pub fn cuMemGetMemPool(
    pool: Out<CUmemoryPool>,
    location: InMut<CUmemLocation>,
    r#type: CUmemAllocationType,
) -> Result<()>;

/// Chooses the pool in use at a location for a kind of memory.
#[entry(since = 13000, needs = init)]
pub fn cuMemSetMemPool(location: InMut<CUmemLocation>, r#type: CUmemAllocationType, pool: CUmemoryPool) -> Result<()>;

/// Allocates from a given pool in stream order.
#[entry(since = 11020, twin = "ptsz")]
pub fn cuMemAllocFromPoolAsync(
    dptr: Out<CUdeviceptr>,
    bytesize: usize,
    pool: CUmemoryPool,
    hStream: CUstream,
) -> Result<()>;

/// Exports a pool as an operating-system handle.
#[entry(since = 11020, needs = init)]
pub fn cuMemPoolExportToShareableHandle(
    handle_out: *mut c_void,
    pool: CUmemoryPool,
    handleType: CUmemAllocationHandleType,
    flags: c_ulonglong,
) -> Result<()>;

/// Imports a pool that another process exported.
#[entry(since = 11020, needs = init)]
pub fn cuMemPoolImportFromShareableHandle(
    pool_out: Out<CUmemoryPool>,
    handle: *mut c_void,
    handleType: CUmemAllocationHandleType,
    flags: c_ulonglong,
) -> Result<()>;

/// Makes data with which another process can import one allocation of a shared pool.
#[entry(since = 11020, needs = init)]
pub fn cuMemPoolExportPointer(shareData_out: Out<CUmemPoolPtrExportData>, ptr: CUdeviceptr) -> Result<()>;

/// Imports one allocation of a shared pool.
#[entry(since = 11020, needs = init)]
pub fn cuMemPoolImportPointer(
    ptr_out: Out<CUdeviceptr>,
    pool: CUmemoryPool,
    shareData: InMut<CUmemPoolPtrExportData>,
) -> Result<()>;
