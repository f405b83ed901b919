//! Logical Endpoints.

#![allow(non_snake_case)]

use super::ptr::{In, InMut, Out};
use super::types::{
    CUDA_FABRIC_COPY_BATCH_OP, CUdevice, CUlogicalEndpointId, CUlogicalEndpointIpcHandleType, CUlogicalEndpointProp,
    CUmemGenericAllocationHandle, CUstream, cuuint32_t, cuuint64_t,
};
use crate::error::Result;
use api_macro::entry;
use core::ffi::{c_int, c_ulonglong, c_void};

/// Reserves a run of endpoint identifiers.
#[entry(since = 13030, needs = init)]
pub fn cuLogicalEndpointIdReserve(baseLeId: Out<CUlogicalEndpointId>, count: cuuint32_t) -> Result<()>;

/// Gives back a run of endpoint identifiers.
#[entry(since = 13030, needs = init)]
pub fn cuLogicalEndpointIdRelease(baseLeId: CUlogicalEndpointId, count: cuuint32_t) -> Result<()>;

/// Creates an endpoint under a reserved identifier.
#[entry(since = 13030, needs = init)]
pub fn cuLogicalEndpointCreate(leId: CUlogicalEndpointId, prop: In<CUlogicalEndpointProp>) -> Result<()>;

/// Adds a device to an endpoint.
#[entry(since = 13030, needs = init)]
pub fn cuLogicalEndpointAddDevice(leId: CUlogicalEndpointId, dev: CUdevice) -> Result<()>;

/// Destroys an endpoint.
#[entry(since = 13030, needs = init)]
pub fn cuLogicalEndpointDestroy(leId: CUlogicalEndpointId) -> Result<()>;

/// Binds mapped memory to a range of an endpoint.
#[entry(since = 13030, needs = init)]
pub fn cuLogicalEndpointBindAddr(
    leId: CUlogicalEndpointId,
    dev: CUdevice,
    offset: cuuint64_t,
    ptr: *mut c_void,
    size: cuuint64_t,
    flags: c_ulonglong,
) -> Result<()>;

/// Binds physical memory to a range of an endpoint.
#[entry(since = 13030, needs = init)]
pub fn cuLogicalEndpointBindMem(
    leId: CUlogicalEndpointId,
    dev: CUdevice,
    offset: cuuint64_t,
    memHandle: CUmemGenericAllocationHandle,
    memOffset: cuuint64_t,
    size: cuuint64_t,
    flags: c_ulonglong,
) -> Result<()>;

/// Removes a device's bindings from a range of an endpoint.
#[entry(since = 13030, needs = init)]
pub fn cuLogicalEndpointUnbind(
    leId: CUlogicalEndpointId,
    dev: CUdevice,
    offset: cuuint64_t,
    size: cuuint64_t,
) -> Result<()>;

/// Exports an endpoint for other processes.
#[entry(since = 13030, needs = init)]
pub fn cuLogicalEndpointExport(
    handle: *mut c_void,
    leId: CUlogicalEndpointId,
    handleType: CUlogicalEndpointIpcHandleType,
) -> Result<()>;

/// Imports an endpoint that another process exported.
#[entry(since = 13030, needs = init)]
pub fn cuLogicalEndpointImport(
    leId: CUlogicalEndpointId,
    handle: *const c_void,
    handleType: CUlogicalEndpointIpcHandleType,
) -> Result<()>;

/// Reports alignment and largest size of endpoint bindings.
#[entry(since = 13030, needs = init)]
pub fn cuLogicalEndpointGetLimits(
    bindAlignment: Out<cuuint64_t>,
    maxSize: Out<cuuint64_t>,
    prop: In<CUlogicalEndpointProp>,
) -> Result<()>;

/// Reports the state of a run of endpoints.
#[entry(since = 13030, needs = init)]
pub fn cuLogicalEndpointQuery(leId: CUlogicalEndpointId, count: cuuint32_t, queryStatus: Out<c_int>) -> Result<()>;

/// Queues copies between endpoints and memory on a stream.
#[entry(since = 13050, twin = "ptsz")]
pub fn cuFabricCpyBatchAsync(
    numOps: usize,
    opList: InMut<CUDA_FABRIC_COPY_BATCH_OP>,
    flags: c_ulonglong,
    hStream: CUstream,
) -> Result<()>;
