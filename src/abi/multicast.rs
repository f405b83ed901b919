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
#[entry(since = 12010, needs = init)]
pub fn cuMulticastCreate(mcHandle: Out<CUmemGenericAllocationHandle>, prop: In<CUmulticastObjectProp>) -> Result<()>;

/// Adds a device to a multicast object.
#[entry(since = 12010, needs = init)]
pub fn cuMulticastAddDevice(mcHandle: CUmemGenericAllocationHandle, dev: CUdevice) -> Result<()>;

/// Binds physical memory to a range of a multicast object, for a device named explicitly.
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
#[entry(since = 12010, needs = init)]
pub fn cuMulticastBindAddr(
    mcHandle: CUmemGenericAllocationHandle,
    mcOffset: usize,
    memptr: CUdeviceptr,
    size: usize,
    flags: c_ulonglong,
) -> Result<()>;

/// Removes a device's bindings from a range of a multicast object.
#[entry(since = 12010, needs = init)]
pub fn cuMulticastUnbind(
    mcHandle: CUmemGenericAllocationHandle,
    dev: CUdevice,
    mcOffset: usize,
    size: usize,
) -> Result<()>;

/// Reports the minimum or recommended granularity for multicast sizes and offsets.
#[entry(since = 12010, needs = init)]
pub fn cuMulticastGetGranularity(
    granularity: Out<usize>,
    prop: In<CUmulticastObjectProp>,
    option: CUmulticastGranularity_flags,
) -> Result<()>;
