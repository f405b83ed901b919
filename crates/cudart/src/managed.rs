//! Managed memory, advice, prefetching, and what is known about addresses.

use crate::context;
use crate::driver as drv;
use crate::error::Error;
use crate::types::{Address, Handle, Location, NULL, PointerAttributes};
use crate::user;
use core::ffi::{c_int, c_uint, c_void};

/// `CUpointer_attribute`: context, memory type, device pointer, host pointer, is managed, device ordinal.
const ASKED: [c_int; 6] = [1, 2, 3, 4, 8, 9];
/// `CU_POINTER_ATTRIBUTE_...` that the runtime of CUDA 13 asks for besides; drivers may not know it.
#[cfg(cudart = "13")]
const LOCALITY_DOMAIN: c_int = 22;

api! {
    /// Allocates managed memory.
    fn cudaMallocManaged(ptr: *mut *mut c_void, size: usize, flags: c_uint) {
        if ptr.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        if size == 0 {
            return user::write(ptr, NULL);
        }
        drv::cuMemAllocManaged(ptr, size, flags)
    }

    /// What kind of memory an address is. Memory that the driver does not know is no error.
    fn cudaPointerGetAttributes(attributes: *mut PointerAttributes, ptr: *const c_void) {
        if attributes.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        let (mut context, mut device_pointer, mut host_pointer): (Handle, Address, *mut c_void) = (NULL, 0, NULL);
        let (mut kind, mut managed, mut device): (c_uint, c_uint, c_int) = (0, 0, -2);
        let mut values: [*mut c_void; 6] = [
            (&raw mut context).cast(),
            (&raw mut kind).cast(),
            (&raw mut device_pointer).cast(),
            (&raw mut host_pointer).cast(),
            (&raw mut managed).cast(),
            (&raw mut device).cast(),
        ];
        drv::cuPointerGetAttributes(6u32, ASKED.as_ptr(), values.as_mut_ptr(), ptr)?;
        let mut found = PointerAttributes::zero();
        found.kind = match kind {
            _ if managed & 1 != 0 => 3,
            1 => 1,
            2 => 2,
            _ => 0,
        };
        found.device = device;
        found.device_pointer = device_pointer;
        found.host_pointer = host_pointer;
        #[cfg(cudart = "13")]
        {
            let mut domain: c_int = 0;
            if drv::cuPointerGetAttribute(&raw mut domain, LOCALITY_DOMAIN, ptr).is_ok() {
                found.locality_domain = i64::from(domain);
            }
        }
        user::write(attributes, found)
    }

    /// Tells where managed memory will be wanted.
    #[cfg(cudart = "13")]
    fn cudaMemPrefetchAsync / cudaMemPrefetchAsync_ptsz(
        ptr: *const c_void, count: usize, location: Location, flags: c_uint, stream: Handle,
    ) |pt| {
        drv::cuMemPrefetchAsync_v2(pt, ptr, count, location, flags, stream)
    }

    /// Tells where managed memory will be wanted: a device, or -1 for the host.
    #[cfg(cudart = "12")]
    fn cudaMemPrefetchAsync / cudaMemPrefetchAsync_ptsz(
        ptr: *const c_void, count: usize, device: c_int, stream: Handle,
    ) |pt| {
        drv::cuMemPrefetchAsync(pt, ptr, count, device, stream)
    }

    /// Tells where managed memory will be wanted.
    #[cfg(cudart = "12")]
    fn cudaMemPrefetchAsync_v2 / cudaMemPrefetchAsync_v2_ptsz(
        ptr: *const c_void, count: usize, location: Location, flags: c_uint, stream: Handle,
    ) |pt| {
        drv::cuMemPrefetchAsync_v2(pt, ptr, count, location, flags, stream)
    }

    /// Tells how managed memory will be used.
    #[cfg(cudart = "13")]
    fn cudaMemAdvise(ptr: *const c_void, count: usize, advice: c_int, location: Location) {
        drv::cuMemAdvise_v2(ptr, count, advice, location)
    }

    /// Tells how managed memory will be used.
    #[cfg(cudart = "12")]
    fn cudaMemAdvise(ptr: *const c_void, count: usize, advice: c_int, device: c_int) {
        drv::cuMemAdvise(ptr, count, advice, device)
    }

    /// Tells how managed memory will be used.
    #[cfg(cudart = "12")]
    fn cudaMemAdvise_v2(ptr: *const c_void, count: usize, advice: c_int, location: Location) {
        drv::cuMemAdvise_v2(ptr, count, advice, location)
    }

    /// One attribute of a range of managed memory.
    fn cudaMemRangeGetAttribute(data: *mut c_void, size: usize, attribute: c_int, ptr: *const c_void, count: usize) {
        drv::cuMemRangeGetAttribute(data, size, attribute, ptr, count)
    }

    /// Several attributes of a range of managed memory.
    fn cudaMemRangeGetAttributes(
        data: *mut *mut c_void, sizes: *mut usize, attributes: *mut c_int, n: usize, ptr: *const c_void, count: usize,
    ) {
        drv::cuMemRangeGetAttributes(data, sizes, attributes, n, ptr, count)
    }

    /// Prefetches several ranges.
    #[cfg(cudart = "13")]
    fn cudaMemPrefetchBatchAsync / cudaMemPrefetchBatchAsync_ptsz(
        ptrs: *mut *mut c_void, sizes: *mut usize, count: usize, locations: *mut Location, indices: *mut usize,
        n: usize, flags: u64, stream: Handle,
    ) |pt| {
        drv::cuMemPrefetchBatchAsync(pt, ptrs, sizes, count, locations, indices, n, flags, stream)
    }

    /// Says that the contents of several ranges are no longer wanted.
    #[cfg(cudart = "13")]
    fn cudaMemDiscardBatchAsync / cudaMemDiscardBatchAsync_ptsz(
        ptrs: *mut *mut c_void, sizes: *mut usize, count: usize, flags: u64, stream: Handle,
    ) |pt| {
        drv::cuMemDiscardBatchAsync(pt, ptrs, sizes, count, flags, stream)
    }

    /// Both at once.
    #[cfg(cudart = "13")]
    fn cudaMemDiscardAndPrefetchBatchAsync / cudaMemDiscardAndPrefetchBatchAsync_ptsz(
        ptrs: *mut *mut c_void, sizes: *mut usize, count: usize, locations: *mut Location, indices: *mut usize,
        n: usize, flags: u64, stream: Handle,
    ) |pt| {
        drv::cuMemDiscardAndPrefetchBatchAsync(pt, ptrs, sizes, count, locations, indices, n, flags, stream)
    }

    /// Copies several ranges.
    #[cfg(cudart = "13")]
    fn cudaMemcpyBatchAsync / cudaMemcpyBatchAsync_ptsz(
        dsts: *const *mut c_void, srcs: *const *const c_void, sizes: *const usize, count: usize,
        attributes: *mut c_void, indices: *mut usize, n: usize, stream: Handle,
    ) |pt| {
        drv::cuMemcpyBatchAsync_v2(pt, dsts, srcs, sizes, count, attributes, indices, n, stream)
    }

    /// Copies several ranges; tells which one failed.
    #[cfg(cudart = "12")]
    fn cudaMemcpyBatchAsync / cudaMemcpyBatchAsync_ptsz(
        dsts: *const *mut c_void, srcs: *const *const c_void, sizes: *const usize, count: usize,
        attributes: *mut c_void, indices: *mut usize, n: usize, failed: *mut usize, stream: Handle,
    ) |pt| {
        drv::cuMemcpyBatchAsync(pt, dsts, srcs, sizes, count, attributes, indices, n, failed, stream)
    }

    /// Copies several boxes. The descriptions have the driver's layout.
    #[cfg(cudart = "13")]
    fn cudaMemcpy3DBatchAsync / cudaMemcpy3DBatchAsync_ptsz(count: usize, list: *mut c_void, flags: u64, stream: Handle) |pt| {
        drv::cuMemcpy3DBatchAsync_v2(pt, count, list, flags, stream)
    }

    /// Copies several boxes; tells which one failed. The descriptions have the driver's layout.
    #[cfg(cudart = "12")]
    fn cudaMemcpy3DBatchAsync / cudaMemcpy3DBatchAsync_ptsz(
        count: usize, list: *mut c_void, failed: *mut usize, flags: u64, stream: Handle,
    ) |pt| {
        drv::cuMemcpy3DBatchAsync(pt, count, list, failed, flags, stream)
    }

    /// Copies one range with the attributes of a batch.
    #[cfg(cudart = "13")]
    fn cudaMemcpyWithAttributesAsync / cudaMemcpyWithAttributesAsync_ptsz(
        dst: *mut c_void, src: *const c_void, size: usize, attributes: *mut c_void, stream: Handle,
    ) |pt| {
        drv::cuMemcpyWithAttributesAsync(pt, dst, src, size, attributes, stream)
    }

    /// Copies one box with the attributes of a batch.
    #[cfg(cudart = "13")]
    fn cudaMemcpy3DWithAttributesAsync / cudaMemcpy3DWithAttributesAsync_ptsz(
        list: *mut c_void, flags: u64, stream: Handle,
    ) |pt| {
        drv::cuMemcpy3DWithAttributesAsync(pt, list, flags, stream)
    }

    /// Waits until writes of other devices into this one's memory are visible.
    fn cudaDeviceFlushGPUDirectRDMAWrites(target: c_int, scope: c_int) {
        let _ = context::current()?;
        drv::cuFlushGPUDirectRDMAWrites(target, scope)
    }
}
