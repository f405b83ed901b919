//! Multicast Object Management.

#![allow(non_snake_case)]

use super::ptr::{In, Out};
use super::types::{
    CUdevice, CUdeviceptr, CUmemGenericAllocationHandle, CUmulticastGranularity_flags, CUmulticastObjectProp,
};
use api_macro::entry;
use core::ffi::c_ulonglong;
use error::Result;

/// Creates a multicast object that spans several devices.
///
/// - `mcHandle`: receives the object.
/// - `prop`: description of the object: number of devices, size in bytes, handle types.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Multicast Object Management.
#[entry(since = 12010, needs = init)]
pub fn cuMulticastCreate(mcHandle: Out<CUmemGenericAllocationHandle>, prop: In<CUmulticastObjectProp>) -> Result<()>;

/// Adds a device to a multicast object.
///
/// - `mcHandle`: the multicast object.
/// - `dev`: ordinal of the device.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Multicast Object Management.
#[entry(since = 12010, needs = init)]
pub fn cuMulticastAddDevice(mcHandle: CUmemGenericAllocationHandle, dev: CUdevice) -> Result<()>;

/// Binds physical memory to a range of a multicast object, for a device named explicitly.
///
/// - `mcHandle`: the multicast object.
/// - `dev`: ordinal of the device.
/// - `mcOffset`: first byte in the object, a multiple of the granularity.
/// - `memHandle`: handle of the physical memory.
/// - `memOffset`: first byte in that memory.
/// - `size`: size in bytes, a multiple of the granularity.
/// - `flags`: 0.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
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
) -> Result<()>;

/// Binds physical memory to a range of a multicast object.
///
/// - `mcHandle`: the multicast object.
/// - `mcOffset`: first byte in the object, a multiple of the granularity.
/// - `memHandle`: handle of the physical memory.
/// - `memOffset`: first byte in that memory.
/// - `size`: size in bytes, a multiple of the granularity.
/// - `flags`: 0.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
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
) -> Result<()>;

/// Binds the memory mapped at an address to a range of a multicast object, for a device named explicitly.
///
/// - `mcHandle`: the multicast object.
/// - `dev`: ordinal of the device.
/// - `mcOffset`: first byte in the object, a multiple of the granularity.
/// - `memptr`: first byte of the mapped memory.
/// - `size`: size in bytes, a multiple of the granularity.
/// - `flags`: 0.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
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
) -> Result<()>;

/// Binds the memory mapped at an address to a range of a multicast object.
///
/// - `mcHandle`: the multicast object.
/// - `mcOffset`: first byte in the object, a multiple of the granularity.
/// - `memptr`: first byte of the mapped memory.
/// - `size`: size in bytes, a multiple of the granularity.
/// - `flags`: 0.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Multicast Object Management.
#[entry(since = 12010, needs = init)]
pub fn cuMulticastBindAddr(
    mcHandle: CUmemGenericAllocationHandle,
    mcOffset: usize,
    memptr: CUdeviceptr,
    size: usize,
    flags: c_ulonglong,
) -> Result<()>;

/// Removes a device's bindings from a range of a multicast object.
///
/// - `mcHandle`: the multicast object.
/// - `dev`: ordinal of the device.
/// - `mcOffset`: first byte in the object, a multiple of the granularity.
/// - `size`: size in bytes, a multiple of the granularity.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Multicast Object Management.
#[entry(since = 12010, needs = init)]
pub fn cuMulticastUnbind(
    mcHandle: CUmemGenericAllocationHandle,
    dev: CUdevice,
    mcOffset: usize,
    size: usize,
) -> Result<()>;

/// Reports the minimum or recommended granularity for multicast sizes and offsets.
///
/// - `granularity`: receives the granularity in bytes.
/// - `prop`: description of the object: number of devices, size in bytes, handle types.
/// - `option`: `CU_MULTICAST_GRANULARITY_MINIMUM` or `CU_MULTICAST_GRANULARITY_RECOMMENDED`.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Multicast Object Management.
#[entry(since = 12010, needs = init)]
pub fn cuMulticastGetGranularity(
    granularity: Out<usize>,
    prop: In<CUmulticastObjectProp>,
    option: CUmulticastGranularity_flags,
) -> Result<()>;
