//! Green Contexts.

#![allow(non_snake_case)]

use super::DefaultStream;
use super::convert::stream::lookup;
use super::ptr::{In, InMut, InOut, Out};
use super::types::{
    CU_DEV_SM_RESOURCE_GROUP_PARAMS, CUcontext, CUdevResource, CUdevResourceDesc, CUdevResourceType, CUdevice, CUevent,
    CUgreenCtx, CUstream,
};
use api_macro::entry;
use core::ffi::{c_int, c_uint, c_ulonglong};
use error::Result;

/// Creates a context that owns a part of a device's resources.
///
/// - `phCtx`: receives the green context.
/// - `desc`: the resources.
/// - `dev`: the device.
/// - `flags`: `CU_GREEN_CTX_DEFAULT_STREAM`.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Green Contexts.
#[entry(since = 12040, needs = init, flags = CUgreenCtxCreate_flags)]
pub fn cuGreenCtxCreate(phCtx: Out<CUgreenCtx>, desc: CUdevResourceDesc, dev: CUdevice, flags: c_uint) -> Result<()>;

/// Destroys a green context.
///
/// - `hCtx`: the green context.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Green Contexts.
#[entry(since = 12040, needs = init)]
pub fn cuGreenCtxDestroy(hCtx: CUgreenCtx) -> Result<()>;

/// Hands out the context form of a green context.
///
/// - `pContext`: receives the context.
/// - `hCtx`: the green context.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Green Contexts.
#[entry(since = 12040, needs = init)]
pub fn cuCtxFromGreenCtx(pContext: Out<CUcontext>, hCtx: CUgreenCtx) -> Result<()>;

/// Reports the resources of a device of one kind.
///
/// - `device`: the device.
/// - `resource`: receives the resources.
/// - `type`: their kind: multiprocessors or work queues.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Green Contexts.
#[entry(since = 12040, needs = init)]
pub fn cuDeviceGetDevResource(device: CUdevice, resource: Out<CUdevResource>, r#type: CUdevResourceType) -> Result<()>;

/// Reports the resources that a context may use, of one kind.
///
/// - `hCtx`: the context.
/// - `resource`: receives the resources.
/// - `type`: their kind: multiprocessors or work queues.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Green Contexts.
#[entry(since = 12040, needs = init)]
pub fn cuCtxGetDevResource(hCtx: CUcontext, resource: Out<CUdevResource>, r#type: CUdevResourceType) -> Result<()>;

/// Reports the resources of a green context of one kind.
///
/// - `hCtx`: the green context.
/// - `resource`: receives the resources.
/// - `type`: their kind: multiprocessors or work queues.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Green Contexts.
#[entry(since = 12040, needs = init)]
pub fn cuGreenCtxGetDevResource(
    hCtx: CUgreenCtx,
    resource: Out<CUdevResource>,
    r#type: CUdevResourceType,
) -> Result<()>;

/// Splits multiprocessors into equal groups of a minimum size.
///
/// - `result`: receives the groups; NULL to ask only how many there can be.
/// - `nbGroups`: how many groups are wanted; receives how many there are.
/// - `input`: the multiprocessors to split.
/// - `remainder`: receives what is left over; may be NULL.
/// - `flags`: `CU_DEV_SM_RESOURCE_SPLIT_*`.
/// - `minCount`: multiprocessors of a group, at least.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Green Contexts.
#[entry(since = 12040, needs = init)]
pub fn cuDevSmResourceSplitByCount(
    result: Out<CUdevResource>,
    nbGroups: InOut<c_uint>,
    input: In<CUdevResource>,
    remainder: Out<CUdevResource>,
    flags: c_uint,
    minCount: c_uint,
) -> Result<()>;

/// Splits multiprocessors into groups described one by one.
///
/// - `result`: receives the groups; NULL to ask only how many there can be.
/// - `nbGroups`: how many groups.
/// - `input`: the multiprocessors to split.
/// - `remainder`: receives what is left over; may be NULL.
/// - `flags`: 0.
/// - `groupParams`: what each group shall have; receives what it has.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Green Contexts.
#[entry(since = 13010, needs = init)]
pub fn cuDevSmResourceSplit(
    result: Out<CUdevResource>,
    nbGroups: c_uint,
    input: In<CUdevResource>,
    remainder: Out<CUdevResource>,
    flags: c_uint,
    groupParams: InOut<CU_DEV_SM_RESOURCE_GROUP_PARAMS>,
) -> Result<()>;

/// Combines resources into a descriptor for a green context.
///
/// - `phDesc`: receives the descriptor.
/// - `resources`: the resources.
/// - `nbResources`: their number.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Green Contexts.
#[entry(since = 12040, needs = init)]
pub fn cuDevResourceGenerateDesc(
    phDesc: Out<CUdevResourceDesc>,
    resources: InMut<CUdevResource>,
    nbResources: c_uint,
) -> Result<()>;

/// Records in an event all work that a green context has been given so far.
///
/// - `hCtx`: the green context.
/// - `hEvent`: the event.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Green Contexts.
#[entry(since = 12040, needs = init)]
pub fn cuGreenCtxRecordEvent(hCtx: CUgreenCtx, hEvent: CUevent) -> Result<()>;

/// Makes all later work of a green context wait for an event.
///
/// - `hCtx`: the green context.
/// - `hEvent`: the event.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Green Contexts.
#[entry(since = 12040, needs = init)]
pub fn cuGreenCtxWaitEvent(hCtx: CUgreenCtx, hEvent: CUevent) -> Result<()>;

/// Reports the green context of a stream: none has one.
///
/// - `hStream`: the stream.
/// - `phCtx`: receives NULL.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `phCtx` is NULL; `CUDA_ERROR_INVALID_CONTEXT` for a default stream if the
/// thread has no current context.
///
/// Manual: Green Contexts.
#[entry(since = 12040, needs = init)]
pub fn cuStreamGetGreenCtx(hStream: CUstream, phCtx: Out<CUgreenCtx>) -> Result<()> {
    phCtx.check()?;
    lookup(hStream, DefaultStream::Legacy)?;
    phCtx.set(CUgreenCtx::NULL)
}

/// Creates a stream in a green context.
///
/// - `phStream`: receives the stream.
/// - `greenCtx`: the green context.
/// - `flags`: `CU_STREAM_*` bits.
/// - `priority`: its priority; lower numbers are more urgent.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Green Contexts.
#[entry(since = 12050, needs = init, flags = CUstream_flags)]
pub fn cuGreenCtxStreamCreate(
    phStream: Out<CUstream>,
    greenCtx: CUgreenCtx,
    flags: c_uint,
    priority: c_int,
) -> Result<()>;

/// Reports a number that identifies a green context uniquely in this process.
///
/// - `greenCtx`: the green context.
/// - `greenCtxId`: receives the number.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Green Contexts.
#[entry(since = 12090, needs = init)]
pub fn cuGreenCtxGetId(greenCtx: CUgreenCtx, greenCtxId: Out<c_ulonglong>) -> Result<()>;

/// Reports the resources that a stream may use, of one kind.
///
/// - `hStream`: the stream.
/// - `resource`: receives the resources.
/// - `type`: their kind: multiprocessors or work queues.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Green Contexts.
#[entry(since = 13010, twin = "ptsz", needs = init)]
pub fn cuStreamGetDevResource(hStream: CUstream, resource: Out<CUdevResource>, r#type: CUdevResourceType)
-> Result<()>;
