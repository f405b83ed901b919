//! The stream-ordered allocator and its pools.

use crate::driver as drv;
use crate::error::Error;
use crate::types::{Handle, Location};
use core::ffi::{c_int, c_uint, c_void};

api! {
    /// Allocates in the order of a stream, from the device's pool.
    fn cudaMallocAsync / cudaMallocAsync_ptsz(ptr: *mut *mut c_void, size: usize, stream: Handle) |pt| {
        if ptr.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        drv::cuMemAllocAsync(pt, ptr, size, stream)
    }

    /// Allocates in the order of a stream, from a pool.
    fn cudaMallocFromPoolAsync / cudaMallocFromPoolAsync_ptsz(
        ptr: *mut *mut c_void, size: usize, pool: Handle, stream: Handle,
    ) |pt| {
        if ptr.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        drv::cuMemAllocFromPoolAsync(pt, ptr, size, pool, stream)
    }

    /// Frees in the order of a stream.
    fn cudaFreeAsync / cudaFreeAsync_ptsz(ptr: *mut c_void, stream: Handle) |pt| {
        drv::cuMemFreeAsync(pt, ptr, stream)
    }

    /// The pool that a device came with.
    fn cudaDeviceGetDefaultMemPool(pool: *mut Handle, device: c_int) {
        drv::cuDeviceGetDefaultMemPool(pool, device)
    }

    /// The pool that a device allocates from.
    fn cudaDeviceGetMemPool(pool: *mut Handle, device: c_int) {
        drv::cuDeviceGetMemPool(pool, device)
    }

    /// Sets the pool that a device allocates from.
    fn cudaDeviceSetMemPool(device: c_int, pool: Handle) {
        drv::cuDeviceSetMemPool(device, pool)
    }

    /// Makes a pool. The properties have the driver's layout.
    fn cudaMemPoolCreate(pool: *mut Handle, properties: *const c_void) {
        drv::cuMemPoolCreate(pool, properties)
    }

    /// Destroys a pool.
    fn cudaMemPoolDestroy(pool: Handle) {
        drv::cuMemPoolDestroy(pool)
    }

    /// Gives memory of a pool back to the device.
    fn cudaMemPoolTrimTo(pool: Handle, keep: usize) {
        drv::cuMemPoolTrimTo(pool, keep)
    }

    /// One attribute of a pool.
    fn cudaMemPoolGetAttribute(pool: Handle, attribute: c_int, value: *mut c_void) {
        drv::cuMemPoolGetAttribute(pool, attribute, value)
    }

    /// Sets one attribute of a pool.
    fn cudaMemPoolSetAttribute(pool: Handle, attribute: c_int, value: *mut c_void) {
        drv::cuMemPoolSetAttribute(pool, attribute, value)
    }

    /// Who may access a pool.
    fn cudaMemPoolGetAccess(flags: *mut c_int, pool: Handle, location: *mut Location) {
        drv::cuMemPoolGetAccess(flags, pool, location)
    }

    /// Sets who may access a pool.
    fn cudaMemPoolSetAccess(pool: Handle, list: *const c_void, count: usize) {
        drv::cuMemPoolSetAccess(pool, list, count)
    }

    /// Exports a pool to other processes.
    fn cudaMemPoolExportToShareableHandle(handle: *mut c_void, pool: Handle, kind: c_int, flags: c_uint) {
        drv::cuMemPoolExportToShareableHandle(handle, pool, kind, u64::from(flags))
    }

    /// Imports another process's pool.
    fn cudaMemPoolImportFromShareableHandle(pool: *mut Handle, handle: *mut c_void, kind: c_int, flags: c_uint) {
        drv::cuMemPoolImportFromShareableHandle(pool, handle, kind, u64::from(flags))
    }

    /// Exports one allocation of an exported pool.
    fn cudaMemPoolExportPointer(data: *mut c_void, ptr: *mut c_void) {
        drv::cuMemPoolExportPointer(data, ptr)
    }

    /// Imports one allocation of an imported pool.
    fn cudaMemPoolImportPointer(ptr: *mut *mut c_void, pool: Handle, data: *mut c_void) {
        drv::cuMemPoolImportPointer(ptr, pool, data)
    }

    /// The pool that a place came with.
    #[cfg(cudart = "13")]
    fn cudaMemGetDefaultMemPool(pool: *mut Handle, location: *mut Location, kind: c_int) {
        drv::cuMemGetDefaultMemPool(pool, location, kind)
    }

    /// The pool that a place allocates from.
    #[cfg(cudart = "13")]
    fn cudaMemGetMemPool(pool: *mut Handle, location: *mut Location, kind: c_int) {
        drv::cuMemGetMemPool(pool, location, kind)
    }

    /// Sets the pool that a place allocates from.
    #[cfg(cudart = "13")]
    fn cudaMemSetMemPool(location: *mut Location, kind: c_int, pool: Handle) {
        drv::cuMemSetMemPool(location, kind, pool)
    }
}
