//! Multicast Object Management.

#![allow(non_snake_case)]

use super::ptr::{In, Out};
use super::types::{
    CU_MEM_HANDLE_TYPE_FABRIC, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, CU_MEM_HANDLE_TYPE_WIN32,
    CU_MEM_HANDLE_TYPE_WIN32_KMT, CU_MULTICAST_GRANULARITY_RECOMMENDED, CUdevice, CUdeviceptr,
    CUmemAllocationHandleType, CUmemGenericAllocationHandle, CUmulticastGranularity_flags, CUmulticastObjectProp,
};
use api_macro::entry;
use core::ffi::c_ulonglong;
use device::memory::multicast;
use device::memory::multicast::{MULTICAST_GRANULARITY, Place, Properties};
use error::{Error, Result, refuse_if};

/// Checks and converts the properties of an object.
fn properties(prop: &CUmulticastObjectProp) -> Result<Properties> {
    let types = prop.handleTypes;
    let of = |ty: CUmemAllocationHandleType| types & u64::from(ty.0) != 0;
    refuse_if!(Error::INVALID_VALUE, prop.flags != 0, "prop.flags {:#x} is not 0", prop.flags);
    refuse_if!(
        Error::INVALID_VALUE,
        of(CU_MEM_HANDLE_TYPE_WIN32) || of(CU_MEM_HANDLE_TYPE_WIN32_KMT),
        "prop.handleTypes {:#x} does not exist on Linux",
        types
    );
    multicast::check_devices(prop.numDevices as usize)?;
    Ok(Properties {
        devices: prop.numDevices as usize,
        size: prop.size,
        descriptor: of(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
        fabric: of(CU_MEM_HANDLE_TYPE_FABRIC),
    })
}

/// Checks the flags of a binding.
fn check_flags(flags: c_ulonglong) -> Result<()> {
    refuse_if!(Error::INVALID_VALUE, flags != 0, "flags {:#x} is not 0", flags);
    Ok(())
}

/// Creates a multicast object that spans several devices.
///
/// - `mcHandle`: receives the object.
/// - `prop`: description of the object: number of devices, size in bytes, handle types.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if flags are not 0, if a handle type is of another system, if the
/// number of devices is 0 or more than the machine has, or if the size is 0 or no multiple of the granularity;
/// `CUDA_ERROR_NOT_PERMITTED` for fabric handles where no device has a fabric; `CUDA_ERROR_NOT_SUPPORTED` if no device supports multicast objects;
/// `CUDA_ERROR_OUT_OF_MEMORY` if there is no room for it.
///
/// Manual: Multicast Object Management.
#[entry(since = 12010, needs = init)]
pub fn cuMulticastCreate(mcHandle: Out<CUmemGenericAllocationHandle>, prop: In<CUmulticastObjectProp>) -> Result<()> {
    mcHandle.check()?;
    let prop = prop.get()?;
    multicast::check_support()?;
    mcHandle.set(multicast::create(&properties(&prop)?)? as CUmemGenericAllocationHandle)
}

/// Adds a device to a multicast object.
///
/// - `mcHandle`: the multicast object.
/// - `dev`: ordinal of the device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `mcHandle` is no multicast object; `CUDA_ERROR_INVALID_DEVICE` if the device does not
/// exist; `CUDA_ERROR_NOT_PERMITTED` if it was added before, or the object has all of its devices;
/// `CUDA_ERROR_NOT_SUPPORTED` if it does not support multicast objects.
///
/// Manual: Multicast Object Management.
#[entry(since = 12010, needs = init)]
pub fn cuMulticastAddDevice(mcHandle: CUmemGenericAllocationHandle, dev: CUdevice) -> Result<()> {
    multicast::add_device(mcHandle, dev)
}

/// Binds physical memory to a range of a multicast object, for a device named explicitly.
///
/// Waits until all devices were added to the object, by this process or others.
///
/// - `mcHandle`: the multicast object.
/// - `dev`: ordinal of the device.
/// - `mcOffset`: first byte in the object, a multiple of the granularity.
/// - `memHandle`: handle of the physical memory.
/// - `memOffset`: first byte in that memory.
/// - `size`: size in bytes, a multiple of the granularity.
/// - `flags`: 0.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `mcHandle` is no multicast object, if `memHandle` is no memory of `cuMemCreate`,
/// if the range is empty, not aligned or goes beyond an end, if the device has memory bound there, or if flags are not 0;
/// `CUDA_ERROR_INVALID_DEVICE` if the device was not added to the object, or the memory is another one's;
/// `CUDA_ERROR_NOT_PERMITTED` if the object can leave the process and the memory cannot, or if devices are missing and nobody
/// adds them; `CUDA_ERROR_OUT_OF_MEMORY` if there is no room for it.
///
/// Manual: Multicast Object Management.
#[entry(since = 13010, needs = init)]
pub fn cuMulticastBindMem_v2(
    mcHandle: CUmemGenericAllocationHandle,
    dev: CUdevice,
    mcOffset: usize,
    memHandle: CUmemGenericAllocationHandle,
    memOffset: usize,
    size: usize,
    flags: c_ulonglong,
) -> Result<()> {
    check_flags(flags)?;
    let place = Place { handle: mcHandle, device: Some(dev), offset: mcOffset, size };
    multicast::bind(place, memHandle, memOffset)
}

/// Binds physical memory to a range of a multicast object.
///
/// Waits until all devices were added to the object, by this process or others.
///
/// - `mcHandle`: the multicast object.
/// - `mcOffset`: first byte in the object, a multiple of the granularity.
/// - `memHandle`: handle of the physical memory.
/// - `memOffset`: first byte in that memory.
/// - `size`: size in bytes, a multiple of the granularity.
/// - `flags`: 0.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `mcHandle` is no multicast object, if `memHandle` is no memory of `cuMemCreate`,
/// if the range is empty, not aligned or goes beyond an end, if the device has memory bound there, or if flags are not 0;
/// `CUDA_ERROR_INVALID_DEVICE` if the device of the memory was not added to the object;
/// `CUDA_ERROR_NOT_PERMITTED` if the object can leave the process and the memory cannot, or if devices are missing and nobody
/// adds them; `CUDA_ERROR_OUT_OF_MEMORY` if there is no room for it.
///
/// Manual: Multicast Object Management.
#[entry(since = 12010, needs = init)]
pub fn cuMulticastBindMem(
    mcHandle: CUmemGenericAllocationHandle,
    mcOffset: usize,
    memHandle: CUmemGenericAllocationHandle,
    memOffset: usize,
    size: usize,
    flags: c_ulonglong,
) -> Result<()> {
    check_flags(flags)?;
    multicast::bind(Place { handle: mcHandle, device: None, offset: mcOffset, size }, memHandle, memOffset)
}

/// Binds the memory mapped at an address to a range of a multicast object, for a device named explicitly.
///
/// Waits until all devices were added to the object, by this process or others.
///
/// - `mcHandle`: the multicast object.
/// - `dev`: ordinal of the device.
/// - `mcOffset`: first byte in the object, a multiple of the granularity.
/// - `memptr`: first byte of the mapped memory.
/// - `size`: size in bytes, a multiple of the granularity.
/// - `flags`: 0.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `mcHandle` is no multicast object, if `memptr` is no memory of `cuMemCreate` or a pool,
/// if the range is empty, not aligned or goes beyond an end, if the device has memory bound there, or if flags are not 0;
/// `CUDA_ERROR_INVALID_DEVICE` if the device was not added to the object, or the memory is another one's;
/// `CUDA_ERROR_NOT_PERMITTED` if the object can leave the process and the memory cannot, or if devices are missing and nobody
/// adds them; `CUDA_ERROR_NOT_SUPPORTED` for memory of a pool and an object that can leave the process;
/// `CUDA_ERROR_OUT_OF_MEMORY` if there is no room for it.
///
/// Manual: Multicast Object Management.
#[entry(since = 13010, needs = init)]
pub fn cuMulticastBindAddr_v2(
    mcHandle: CUmemGenericAllocationHandle,
    dev: CUdevice,
    mcOffset: usize,
    memptr: CUdeviceptr,
    size: usize,
    flags: c_ulonglong,
) -> Result<()> {
    check_flags(flags)?;
    let place = Place { handle: mcHandle, device: Some(dev), offset: mcOffset, size };
    multicast::bind_address(place, memptr as usize)
}

/// Binds the memory mapped at an address to a range of a multicast object.
///
/// Waits until all devices were added to the object, by this process or others.
///
/// - `mcHandle`: the multicast object.
/// - `mcOffset`: first byte in the object, a multiple of the granularity.
/// - `memptr`: first byte of the mapped memory.
/// - `size`: size in bytes, a multiple of the granularity.
/// - `flags`: 0.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `mcHandle` is no multicast object, if `memptr` is no memory of `cuMemCreate` or a pool,
/// if the range is empty, not aligned or goes beyond an end, if the device has memory bound there, or if flags are not 0;
/// `CUDA_ERROR_INVALID_DEVICE` if the device of the memory was not added to the object;
/// `CUDA_ERROR_NOT_PERMITTED` if the object can leave the process and the memory cannot, or if devices are missing and nobody
/// adds them; `CUDA_ERROR_NOT_SUPPORTED` for memory of a pool and an object that can leave the process;
/// `CUDA_ERROR_OUT_OF_MEMORY` if there is no room for it.
///
/// Manual: Multicast Object Management.
#[entry(since = 12010, needs = init)]
pub fn cuMulticastBindAddr(
    mcHandle: CUmemGenericAllocationHandle,
    mcOffset: usize,
    memptr: CUdeviceptr,
    size: usize,
    flags: c_ulonglong,
) -> Result<()> {
    check_flags(flags)?;
    let place = Place { handle: mcHandle, device: None, offset: mcOffset, size };
    multicast::bind_address(place, memptr as usize)
}

/// Removes a device's bindings from a range of a multicast object.
///
/// - `mcHandle`: the multicast object.
/// - `dev`: ordinal of the device.
/// - `mcOffset`: first byte in the object, a multiple of the granularity.
/// - `size`: size in bytes, a multiple of the granularity.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `mcHandle` is no multicast object, if the range is empty, not aligned or goes beyond the
/// end, if nothing is bound there, or if it cuts in two what is; `CUDA_ERROR_INVALID_DEVICE` if the device was not added to
/// the object.
///
/// Manual: Multicast Object Management.
#[entry(since = 12010, needs = init)]
pub fn cuMulticastUnbind(
    mcHandle: CUmemGenericAllocationHandle,
    dev: CUdevice,
    mcOffset: usize,
    size: usize,
) -> Result<()> {
    multicast::unbind(mcHandle, dev, mcOffset, size)
}

/// Reports the minimum or recommended granularity for multicast sizes and offsets.
///
/// - `granularity`: receives the granularity in bytes: 2 MiB for both.
/// - `prop`: description of the object; not checked further.
/// - `option`: `CU_MULTICAST_GRANULARITY_MINIMUM` or `CU_MULTICAST_GRANULARITY_RECOMMENDED`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL or the option is unknown; `CUDA_ERROR_NOT_SUPPORTED` if no device supports multicast objects.
///
/// Manual: Multicast Object Management.
#[entry(since = 12010, needs = init)]
pub fn cuMulticastGetGranularity(
    granularity: Out<usize>,
    prop: In<CUmulticastObjectProp>,
    option: CUmulticastGranularity_flags,
) -> Result<()> {
    granularity.check()?;
    prop.get()?;
    multicast::check_support()?;
    refuse_if!(
        Error::INVALID_VALUE,
        option > CU_MULTICAST_GRANULARITY_RECOMMENDED,
        "option {:?} is not a CUmulticastGranularity_flags",
        option
    );
    granularity.set(MULTICAST_GRANULARITY)
}
