//! Memory and semaphores of other interfaces. The descriptions have the driver's layout, except for mipmapped arrays.

use crate::array::driver_format;
use crate::driver as drv;
use crate::types::{ArrayDescriptor, DriverExternalMipmapDesc, ExternalMipmapDesc, Handle};
#[cfg(cudart = "12")]
use crate::types::{DriverSemaphoreDesc, DriverSemaphoreParams, SemaphoreDesc, SignalParams, WaitParams};
use crate::user;
use core::ffi::{c_int, c_uint, c_void};

api! {
    /// Imports memory.
    fn cudaImportExternalMemory(memory: *mut Handle, desc: *const c_void) {
        drv::cuImportExternalMemory(memory, desc)
    }

    /// Maps imported memory.
    fn cudaExternalMemoryGetMappedBuffer(ptr: *mut *mut c_void, memory: Handle, desc: *const c_void) {
        drv::cuExternalMemoryGetMappedBuffer(ptr, memory, desc)
    }

    /// Maps imported memory as a mipmapped array.
    fn cudaExternalMemoryGetMappedMipmappedArray(
        mipmap: *mut Handle, memory: Handle, desc: *const ExternalMipmapDesc,
    ) {
        let p = user::read(desc)?;
        let (format, channels) = driver_format(p.format)?;
        let mut d = DriverExternalMipmapDesc::zero();
        d.offset = p.offset;
        d.array = ArrayDescriptor {
            width: p.extent.width,
            height: p.extent.height,
            depth: p.extent.depth,
            format,
            channels,
            flags: p.flags,
        };
        d.levels = p.levels;
        drv::cuExternalMemoryGetMappedMipmappedArray(mipmap, memory, &raw const d)
    }

    /// Forgets imported memory.
    fn cudaDestroyExternalMemory(memory: Handle) {
        drv::cuDestroyExternalMemory(memory)
    }

    /// Imports a semaphore.
    #[cfg(cudart = "12")]
    fn cudaImportExternalSemaphore(semaphore: *mut Handle, desc: *const SemaphoreDesc) {
        let SemaphoreDesc { kind, handle, flags } = user::read(desc)?;
        let driver = DriverSemaphoreDesc { kind, handle, flags, ..DriverSemaphoreDesc::zero() };
        drv::cuImportExternalSemaphore(semaphore, &raw const driver)
    }

    /// Imports a semaphore.
    #[cfg(cudart = "13")]
    fn cudaImportExternalSemaphore(semaphore: *mut Handle, desc: *const c_void) {
        drv::cuImportExternalSemaphore(semaphore, desc)
    }

    /// Forgets a semaphore.
    fn cudaDestroyExternalSemaphore(semaphore: Handle) {
        drv::cuDestroyExternalSemaphore(semaphore)
    }

    /// Signals semaphores in the order of a stream.
    #[cfg(cudart = "13")]
    fn cudaSignalExternalSemaphoresAsync / cudaSignalExternalSemaphoresAsync_ptsz(
        list: *const Handle, params: *const c_void, count: c_uint, stream: Handle,
    ) |pt| {
        drv::cuSignalExternalSemaphoresAsync(pt, list, params, count, stream)
    }

    /// Waits for semaphores in the order of a stream.
    #[cfg(cudart = "13")]
    fn cudaWaitExternalSemaphoresAsync / cudaWaitExternalSemaphoresAsync_ptsz(
        list: *const Handle, params: *const c_void, count: c_uint, stream: Handle,
    ) |pt| {
        drv::cuWaitExternalSemaphoresAsync(pt, list, params, count, stream)
    }

    /// Signals semaphores in the order of a stream, in the way of before CUDA 11.2.
    #[cfg(cudart = "12")]
    fn cudaSignalExternalSemaphoresAsync / cudaSignalExternalSemaphoresAsync_ptsz(
        list: *const Handle, params: *const SignalParams, count: c_uint, stream: Handle,
    ) |pt| {
        let known = if params.is_null() { Vec::new() } else { user::read_all(params, count as usize)? };
        let driver = |p: SignalParams| {
            let SignalParams { fence, sci, key, flags } = p;
            DriverSemaphoreParams { fence, sci, key, flags, ..DriverSemaphoreParams::zero() }
        };
        let known: Vec<_> = known.into_iter().map(driver).collect();
        let first = if params.is_null() { core::ptr::null() } else { known.as_ptr() };
        drv::cuSignalExternalSemaphoresAsync(pt, list, first, count, stream)
    }

    /// Waits for semaphores in the order of a stream, in the way of before CUDA 11.2.
    #[cfg(cudart = "12")]
    fn cudaWaitExternalSemaphoresAsync / cudaWaitExternalSemaphoresAsync_ptsz(
        list: *const Handle, params: *const WaitParams, count: c_uint, stream: Handle,
    ) |pt| {
        let known = if params.is_null() { Vec::new() } else { user::read_all(params, count as usize)? };
        let driver = |p: WaitParams| {
            let WaitParams { fence, sci, key, timeout, flags } = p;
            DriverSemaphoreParams { fence, sci, key, timeout, flags, ..DriverSemaphoreParams::zero() }
        };
        let known: Vec<_> = known.into_iter().map(driver).collect();
        let first = if params.is_null() { core::ptr::null() } else { known.as_ptr() };
        drv::cuWaitExternalSemaphoresAsync(pt, list, first, count, stream)
    }

    /// Signals semaphores in the order of a stream.
    #[cfg(cudart = "12")]
    fn cudaSignalExternalSemaphoresAsync_v2 / cudaSignalExternalSemaphoresAsync_v2_ptsz(
        list: *const Handle, params: *const c_void, count: c_uint, stream: Handle,
    ) |pt| {
        drv::cuSignalExternalSemaphoresAsync(pt, list, params, count, stream)
    }

    /// Waits for semaphores in the order of a stream.
    #[cfg(cudart = "12")]
    fn cudaWaitExternalSemaphoresAsync_v2 / cudaWaitExternalSemaphoresAsync_v2_ptsz(
        list: *const Handle, params: *const c_void, count: c_uint, stream: Handle,
    ) |pt| {
        drv::cuWaitExternalSemaphoresAsync(pt, list, params, count, stream)
    }

    /// Maps resources of another interface.
    fn cudaGraphicsMapResources(count: c_int, resources: *mut Handle, stream: Handle) {
        drv::cuGraphicsMapResources(false, count as c_uint, resources, stream)
    }

    /// Unmaps them.
    fn cudaGraphicsUnmapResources(count: c_int, resources: *mut Handle, stream: Handle) {
        drv::cuGraphicsUnmapResources(false, count as c_uint, resources, stream)
    }

    /// Forgets a resource.
    fn cudaGraphicsUnregisterResource(resource: Handle) {
        drv::cuGraphicsUnregisterResource(resource)
    }

    /// The address of a mapped resource.
    fn cudaGraphicsResourceGetMappedPointer(ptr: *mut *mut c_void, size: *mut usize, resource: Handle) {
        drv::cuGraphicsResourceGetMappedPointer_v2(ptr, size, resource)
    }

    /// The mipmapped array of a mapped resource.
    fn cudaGraphicsResourceGetMappedMipmappedArray(mipmap: *mut Handle, resource: Handle) {
        drv::cuGraphicsResourceGetMappedMipmappedArray(mipmap, resource)
    }

    /// Sets how a resource will be mapped.
    fn cudaGraphicsResourceSetMapFlags(resource: Handle, flags: c_uint) {
        drv::cuGraphicsResourceSetMapFlags_v2(resource, flags)
    }

    /// One array of a mapped resource.
    fn cudaGraphicsSubResourceGetMappedArray(array: *mut Handle, resource: Handle, index: c_uint, level: c_uint) {
        drv::cuGraphicsSubResourceGetMappedArray(array, resource, index, level)
    }
}
