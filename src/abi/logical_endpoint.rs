//! Logical Endpoints.

#![allow(non_snake_case)]

use super::ptr::{In, InMut, Out};
use super::types::{
    CUDA_FABRIC_COPY_BATCH_OP, CUdevice, CUlogicalEndpointId, CUlogicalEndpointIpcHandleType, CUlogicalEndpointProp,
    CUmemGenericAllocationHandle, CUstream, cuuint32_t, cuuint64_t,
};
use api_macro::entry;
use core::ffi::{c_int, c_ulonglong, c_void};
use error::{Error, Result, refuse};

/// Reserves a run of endpoint identifiers.
///
/// - `baseLeId`: receives the first identifier.
/// - `count`: how many.
///
/// Errors: always `CUDA_ERROR_NOT_SUPPORTED`: no device is part of a fabric, and none says that it has endpoints.
///
/// Manual: Logical Endpoint.
#[entry(since = 13030, needs = init, status = "refused: no device is part of a fabric (by the manual; newer than driver 580)")]
pub fn cuLogicalEndpointIdReserve(baseLeId: Out<CUlogicalEndpointId>, count: cuuint32_t) -> Result<()> {
    let _ = (baseLeId, count);
    Err(no_fabric())
}

/// Gives back a run of endpoint identifiers.
///
/// - `baseLeId`: first identifier.
/// - `count`: how many.
///
/// Errors: always `CUDA_ERROR_NOT_SUPPORTED`: no device is part of a fabric, and none says that it has endpoints.
///
/// Manual: Logical Endpoint.
#[entry(since = 13030, needs = init, status = "refused: no device is part of a fabric (by the manual; newer than driver 580)")]
pub fn cuLogicalEndpointIdRelease(baseLeId: CUlogicalEndpointId, count: cuuint32_t) -> Result<()> {
    let _ = (baseLeId, count);
    Err(no_fabric())
}

/// Creates an endpoint under a reserved identifier.
///
/// - `leId`: identifier of the endpoint.
/// - `prop`: description of the endpoint.
///
/// Errors: always `CUDA_ERROR_NOT_SUPPORTED`: no device is part of a fabric, and none says that it has endpoints.
///
/// Manual: Logical Endpoint.
#[entry(since = 13030, needs = init, status = "refused: no device is part of a fabric (by the manual; newer than driver 580)")]
pub fn cuLogicalEndpointCreate(leId: CUlogicalEndpointId, prop: In<CUlogicalEndpointProp>) -> Result<()> {
    let _ = (leId, prop);
    Err(no_fabric())
}

/// Adds a device to an endpoint.
///
/// - `leId`: identifier of the endpoint.
/// - `dev`: ordinal of the device.
///
/// Errors: always `CUDA_ERROR_NOT_SUPPORTED`: no device is part of a fabric, and none says that it has endpoints.
///
/// Manual: Logical Endpoint.
#[entry(since = 13030, needs = init, status = "refused: no device is part of a fabric (by the manual; newer than driver 580)")]
pub fn cuLogicalEndpointAddDevice(leId: CUlogicalEndpointId, dev: CUdevice) -> Result<()> {
    let _ = (leId, dev);
    Err(no_fabric())
}

/// Destroys an endpoint.
///
/// - `leId`: identifier of the endpoint.
///
/// Errors: always `CUDA_ERROR_NOT_SUPPORTED`: no device is part of a fabric, and none says that it has endpoints.
///
/// Manual: Logical Endpoint.
#[entry(since = 13030, needs = init, status = "refused: no device is part of a fabric (by the manual; newer than driver 580)")]
pub fn cuLogicalEndpointDestroy(leId: CUlogicalEndpointId) -> Result<()> {
    let _ = leId;
    Err(no_fabric())
}

/// Binds mapped memory to a range of an endpoint.
///
/// - `leId`: identifier of the endpoint.
/// - `dev`: ordinal of the device.
/// - `offset`: first byte in the endpoint.
/// - `ptr`: first byte of the mapped memory.
/// - `size`: size in bytes.
/// - `flags`: 0.
///
/// Errors: always `CUDA_ERROR_NOT_SUPPORTED`: no device is part of a fabric, and none says that it has endpoints.
///
/// Manual: Logical Endpoint.
#[entry(since = 13030, needs = init, status = "refused: no device is part of a fabric (by the manual; newer than driver 580)")]
pub fn cuLogicalEndpointBindAddr(
    leId: CUlogicalEndpointId,
    dev: CUdevice,
    offset: cuuint64_t,
    ptr: *mut c_void,
    size: cuuint64_t,
    flags: c_ulonglong,
) -> Result<()> {
    let _ = (leId, dev, offset, ptr, size, flags);
    Err(no_fabric())
}

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
/// Errors: always `CUDA_ERROR_NOT_SUPPORTED`: no device is part of a fabric, and none says that it has endpoints.
///
/// Manual: Logical Endpoint.
#[entry(since = 13030, needs = init, status = "refused: no device is part of a fabric (by the manual; newer than driver 580)")]
pub fn cuLogicalEndpointBindMem(
    leId: CUlogicalEndpointId,
    dev: CUdevice,
    offset: cuuint64_t,
    memHandle: CUmemGenericAllocationHandle,
    memOffset: cuuint64_t,
    size: cuuint64_t,
    flags: c_ulonglong,
) -> Result<()> {
    let _ = (leId, dev, offset, memHandle, memOffset, size, flags);
    Err(no_fabric())
}

/// Removes a device's bindings from a range of an endpoint.
///
/// - `leId`: identifier of the endpoint.
/// - `dev`: ordinal of the device.
/// - `offset`: first byte in the endpoint.
/// - `size`: size in bytes.
///
/// Errors: always `CUDA_ERROR_NOT_SUPPORTED`: no device is part of a fabric, and none says that it has endpoints.
///
/// Manual: Logical Endpoint.
#[entry(since = 13030, needs = init, status = "refused: no device is part of a fabric (by the manual; newer than driver 580)")]
pub fn cuLogicalEndpointUnbind(
    leId: CUlogicalEndpointId,
    dev: CUdevice,
    offset: cuuint64_t,
    size: cuuint64_t,
) -> Result<()> {
    let _ = (leId, dev, offset, size);
    Err(no_fabric())
}

/// Exports an endpoint for other processes.
///
/// - `handle`: receives the handle, of the size that its type has.
/// - `leId`: identifier of the endpoint.
/// - `handleType`: type of the handle.
///
/// Errors: always `CUDA_ERROR_NOT_SUPPORTED`: no device is part of a fabric, and none says that it has endpoints.
///
/// Manual: Logical Endpoint.
#[entry(since = 13030, needs = init, status = "refused: no device is part of a fabric (by the manual; newer than driver 580)")]
pub fn cuLogicalEndpointExport(
    handle: *mut c_void,
    leId: CUlogicalEndpointId,
    handleType: CUlogicalEndpointIpcHandleType,
) -> Result<()> {
    let _ = (handle, leId, handleType);
    Err(no_fabric())
}

/// Imports an endpoint that another process exported.
///
/// - `leId`: reserved identifier that the endpoint gets.
/// - `handle`: the handle, of the size that its type has.
/// - `handleType`: type of the handle.
///
/// Errors: always `CUDA_ERROR_NOT_SUPPORTED`: no device is part of a fabric, and none says that it has endpoints.
///
/// Manual: Logical Endpoint.
#[entry(since = 13030, needs = init, status = "refused: no device is part of a fabric (by the manual; newer than driver 580)")]
pub fn cuLogicalEndpointImport(
    leId: CUlogicalEndpointId,
    handle: *const c_void,
    handleType: CUlogicalEndpointIpcHandleType,
) -> Result<()> {
    let _ = (leId, handle, handleType);
    Err(no_fabric())
}

/// Reports alignment and largest size of endpoint bindings.
///
/// - `bindAlignment`: receives the alignment in bytes.
/// - `maxSize`: receives the largest size in bytes.
/// - `prop`: description of the endpoint.
///
/// Errors: always `CUDA_ERROR_NOT_SUPPORTED`: no device is part of a fabric, and none says that it has endpoints.
///
/// Manual: Logical Endpoint.
#[entry(since = 13030, needs = init, status = "refused: no device is part of a fabric (by the manual; newer than driver 580)")]
pub fn cuLogicalEndpointGetLimits(
    bindAlignment: Out<cuuint64_t>,
    maxSize: Out<cuuint64_t>,
    prop: In<CUlogicalEndpointProp>,
) -> Result<()> {
    let _ = (bindAlignment, maxSize, prop);
    Err(no_fabric())
}

/// Reports the state of a run of endpoints.
///
/// - `leId`: first identifier.
/// - `count`: how many.
/// - `queryStatus`: receives the state.
///
/// Errors: always `CUDA_ERROR_NOT_SUPPORTED`: no device is part of a fabric, and none says that it has endpoints.
///
/// Manual: Logical Endpoint.
#[entry(since = 13030, needs = init, status = "refused: no device is part of a fabric (by the manual; newer than driver 580)")]
pub fn cuLogicalEndpointQuery(leId: CUlogicalEndpointId, count: cuuint32_t, queryStatus: Out<c_int>) -> Result<()> {
    let _ = (leId, count, queryStatus);
    Err(no_fabric())
}

/// Queues copies between endpoints and memory on a stream.
///
/// - `numOps`: how many copies.
/// - `opList`: array of `numOps` copies.
/// - `flags`: 0.
/// - `hStream`: the stream.
///
/// Errors: always `CUDA_ERROR_NOT_SUPPORTED`: no device is part of a fabric, and none says that it has endpoints.
///
/// Manual: Logical Endpoint.
#[entry(
    since = 13050,
    twin = "ptsz",
    status = "refused: no device is part of a fabric (by the manual; newer than driver 580)"
)]
pub fn cuFabricCpyBatchAsync(
    numOps: usize,
    opList: InMut<CUDA_FABRIC_COPY_BATCH_OP>,
    flags: c_ulonglong,
    hStream: CUstream,
) -> Result<()> {
    let _ = (numOps, opList, flags, hStream);
    Err(no_fabric())
}

/// As the attributes of every device say.
fn no_fabric() -> Error {
    refuse!(Error::NOT_SUPPORTED, "no device here is part of a fabric: there are no logical endpoints")
}
