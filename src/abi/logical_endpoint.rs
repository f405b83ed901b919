//! Logical Endpoints.

#![allow(non_snake_case)]

use super::ptr::{In, InMut, Out};
use super::types::{
    CUDA_FABRIC_COPY_BATCH_OP, CUdevice, CUlogicalEndpointId, CUlogicalEndpointIpcHandleType, CUlogicalEndpointProp,
    CUmemGenericAllocationHandle, CUstream, cuuint32_t, cuuint64_t,
};
use api_macro::entry;
use core::ffi::{c_int, c_ulonglong, c_void};
use error::Result;

/// Reserves a run of endpoint identifiers.
///
/// - `baseLeId`: receives the first identifier.
/// - `count`: how many.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Logical Endpoint.
#[entry(since = 13030, needs = init)]
pub fn cuLogicalEndpointIdReserve(baseLeId: Out<CUlogicalEndpointId>, count: cuuint32_t) -> Result<()>;

/// Gives back a run of endpoint identifiers.
///
/// - `baseLeId`: first identifier.
/// - `count`: how many.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Logical Endpoint.
#[entry(since = 13030, needs = init)]
pub fn cuLogicalEndpointIdRelease(baseLeId: CUlogicalEndpointId, count: cuuint32_t) -> Result<()>;

/// Creates an endpoint under a reserved identifier.
///
/// - `leId`: identifier of the endpoint.
/// - `prop`: description of the endpoint.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Logical Endpoint.
#[entry(since = 13030, needs = init)]
pub fn cuLogicalEndpointCreate(leId: CUlogicalEndpointId, prop: In<CUlogicalEndpointProp>) -> Result<()>;

/// Adds a device to an endpoint.
///
/// - `leId`: identifier of the endpoint.
/// - `dev`: ordinal of the device.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Logical Endpoint.
#[entry(since = 13030, needs = init)]
pub fn cuLogicalEndpointAddDevice(leId: CUlogicalEndpointId, dev: CUdevice) -> Result<()>;

/// Destroys an endpoint.
///
/// - `leId`: identifier of the endpoint.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Logical Endpoint.
#[entry(since = 13030, needs = init)]
pub fn cuLogicalEndpointDestroy(leId: CUlogicalEndpointId) -> Result<()>;

/// Binds mapped memory to a range of an endpoint.
///
/// - `leId`: identifier of the endpoint.
/// - `dev`: ordinal of the device.
/// - `offset`: first byte in the endpoint.
/// - `ptr`: first byte of the mapped memory.
/// - `size`: size in bytes.
/// - `flags`: 0.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Logical Endpoint.
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
///
/// - `leId`: identifier of the endpoint.
/// - `dev`: ordinal of the device.
/// - `offset`: first byte in the endpoint.
/// - `memHandle`: handle of the physical memory.
/// - `memOffset`: first byte in that memory.
/// - `size`: size in bytes.
/// - `flags`: 0.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Logical Endpoint.
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
///
/// - `leId`: identifier of the endpoint.
/// - `dev`: ordinal of the device.
/// - `offset`: first byte in the endpoint.
/// - `size`: size in bytes.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Logical Endpoint.
#[entry(since = 13030, needs = init)]
pub fn cuLogicalEndpointUnbind(
    leId: CUlogicalEndpointId,
    dev: CUdevice,
    offset: cuuint64_t,
    size: cuuint64_t,
) -> Result<()>;

/// Exports an endpoint for other processes.
///
/// - `handle`: receives the handle, of the size that its type has.
/// - `leId`: identifier of the endpoint.
/// - `handleType`: type of the handle.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Logical Endpoint.
#[entry(since = 13030, needs = init)]
pub fn cuLogicalEndpointExport(
    handle: *mut c_void,
    leId: CUlogicalEndpointId,
    handleType: CUlogicalEndpointIpcHandleType,
) -> Result<()>;

/// Imports an endpoint that another process exported.
///
/// - `leId`: reserved identifier that the endpoint gets.
/// - `handle`: the handle, of the size that its type has.
/// - `handleType`: type of the handle.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Logical Endpoint.
#[entry(since = 13030, needs = init)]
pub fn cuLogicalEndpointImport(
    leId: CUlogicalEndpointId,
    handle: *const c_void,
    handleType: CUlogicalEndpointIpcHandleType,
) -> Result<()>;

/// Reports alignment and largest size of endpoint bindings.
///
/// - `bindAlignment`: receives the alignment in bytes.
/// - `maxSize`: receives the largest size in bytes.
/// - `prop`: description of the endpoint.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Logical Endpoint.
#[entry(since = 13030, needs = init)]
pub fn cuLogicalEndpointGetLimits(
    bindAlignment: Out<cuuint64_t>,
    maxSize: Out<cuuint64_t>,
    prop: In<CUlogicalEndpointProp>,
) -> Result<()>;

/// Reports the state of a run of endpoints.
///
/// - `leId`: first identifier.
/// - `count`: how many.
/// - `queryStatus`: receives the state.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Logical Endpoint.
#[entry(since = 13030, needs = init)]
pub fn cuLogicalEndpointQuery(leId: CUlogicalEndpointId, count: cuuint32_t, queryStatus: Out<c_int>) -> Result<()>;

/// Queues copies between endpoints and memory on a stream.
///
/// - `numOps`: how many copies.
/// - `opList`: array of `numOps` copies.
/// - `flags`: 0.
/// - `hStream`: the stream.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Logical Endpoint.
#[entry(since = 13050, twin = "ptsz")]
pub fn cuFabricCpyBatchAsync(
    numOps: usize,
    opList: InMut<CUDA_FABRIC_COPY_BATCH_OP>,
    flags: c_ulonglong,
    hStream: CUstream,
) -> Result<()>;
