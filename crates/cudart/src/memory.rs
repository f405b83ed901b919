//! Linear device memory and pinned host memory.

use crate::driver as drv;
use crate::error::{Error, Result};
use crate::types::{Address, Extent, PitchedPtr};
use crate::user;
use core::ffi::{c_uint, c_void};

/// The size of the largest element that pitched memory is meant for.
const ELEMENT: c_uint = 4;

fn pitched(width: usize, rows: usize) -> Result<(Address, usize)> {
    let (mut address, mut pitch) = (0, 0);
    if width != 0 && rows != 0 {
        drv::cuMemAllocPitch_v2(&raw mut address, &raw mut pitch, width, rows, ELEMENT)?;
    }
    Ok((address, pitch))
}

/// An allocation of no bytes is NULL, without asking the driver.
fn nothing(ptr: *mut *mut c_void) -> Result {
    user::write(ptr, core::ptr::null_mut())
}

api! {
    /// Allocates device memory.
    fn cudaMalloc(ptr: *mut *mut c_void, size: usize) {
        if ptr.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        if size == 0 { nothing(ptr) } else { drv::cuMemAlloc_v2(ptr, size) }
    }

    /// Frees device memory; NULL is nothing to free.
    fn cudaFree(ptr: *mut c_void) {
        drv::cuMemFree_v2(ptr)
    }

    /// Allocates rows that begin at aligned addresses.
    fn cudaMallocPitch(ptr: *mut *mut c_void, pitch: *mut usize, width: usize, height: usize) {
        if ptr.is_null() || pitch.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        let (address, bytes) = pitched(width, height)?;
        user::write(ptr, address as *mut c_void)?;
        user::write(pitch, bytes)
    }

    /// Allocates a box of rows that begin at aligned addresses.
    fn cudaMalloc3D(ptr: *mut PitchedPtr, extent: Extent) {
        if ptr.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        let rows = extent.height.checked_mul(extent.depth).ok_or(Error::MEMORY_ALLOCATION)?;
        let (address, pitch) = pitched(extent.width, rows)?;
        user::write(ptr, PitchedPtr { ptr: address as *mut c_void, pitch, xsize: extent.width, ysize: extent.height })
    }

    /// Allocates pinned host memory.
    fn cudaMallocHost(ptr: *mut *mut c_void, size: usize) {
        if ptr.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        if size == 0 { nothing(ptr) } else { drv::cuMemHostAlloc(ptr, size, 0u32) }
    }

    /// Allocates pinned host memory with flags.
    fn cudaHostAlloc(ptr: *mut *mut c_void, size: usize, flags: c_uint) {
        if ptr.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        if size == 0 { nothing(ptr) } else { drv::cuMemHostAlloc(ptr, size, flags) }
    }

    /// Frees pinned host memory; NULL is nothing to free.
    fn cudaFreeHost(ptr: *mut c_void) {
        drv::cuMemFreeHost(ptr)
    }

    /// Pins memory of the program.
    fn cudaHostRegister(ptr: *mut c_void, size: usize, flags: c_uint) {
        drv::cuMemHostRegister_v2(ptr, size, flags)
    }

    /// Unpins memory of the program.
    fn cudaHostUnregister(ptr: *mut c_void) {
        drv::cuMemHostUnregister(ptr)
    }

    /// The device's address of pinned memory.
    fn cudaHostGetDevicePointer(device_ptr: *mut *mut c_void, ptr: *mut c_void, flags: c_uint) {
        drv::cuMemHostGetDevicePointer_v2(device_ptr, ptr, flags)
    }

    /// The flags that pinned memory was allocated with.
    fn cudaHostGetFlags(flags: *mut c_uint, ptr: *mut c_void) {
        drv::cuMemHostGetFlags(flags, ptr)
    }

    /// Free and total memory of the device.
    fn cudaMemGetInfo(free: *mut usize, total: *mut usize) {
        drv::cuMemGetInfo_v2(free, total)
    }
}
