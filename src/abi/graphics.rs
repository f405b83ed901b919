//! Graphics Interoperability.

#![allow(non_snake_case)]

use super::ptr::{InMut, Out};
use super::types::{CUarray, CUdeviceptr, CUdeviceptr_v1, CUgraphicsResource, CUmipmappedArray, CUstream};
use api_macro::entry;
use core::ffi::c_uint;
use error::{Error, Result, refuse};

/// Ends the sharing of a graphics resource.
///
/// - `resource`: the resource.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE`: no graphics resource is shared.
///
/// Manual: Graphics Interoperability.
#[entry(since = 3000, needs = init)]
pub fn cuGraphicsUnregisterResource(resource: CUgraphicsResource) -> Result<()> {
    let _ = resource;
    Err(not_shared())
}

/// Hands out one face or level of a mapped resource as an array.
///
/// - `pArray`: receives the array.
/// - `resource`: the resource.
/// - `arrayIndex`: number of the layer or face.
/// - `mipLevel`: number of the mip level.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE`: no graphics resource is shared.
///
/// Manual: Graphics Interoperability.
#[entry(since = 3000, needs = init)]
pub fn cuGraphicsSubResourceGetMappedArray(
    pArray: Out<CUarray>,
    resource: CUgraphicsResource,
    arrayIndex: c_uint,
    mipLevel: c_uint,
) -> Result<()> {
    let _ = (pArray, resource, arrayIndex, mipLevel);
    Err(not_shared())
}

/// Hands out a mapped resource as a mipmapped array.
///
/// - `pMipmappedArray`: receives the mipmapped array.
/// - `resource`: the resource.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE`: no graphics resource is shared.
///
/// Manual: Graphics Interoperability.
#[entry(since = 5000, needs = init)]
pub fn cuGraphicsResourceGetMappedMipmappedArray(
    pMipmappedArray: Out<CUmipmappedArray>,
    resource: CUgraphicsResource,
) -> Result<()> {
    let _ = (pMipmappedArray, resource);
    Err(not_shared())
}

/// Reports address and size of a mapped resource.
///
/// - `pDevPtr`: receives the address.
/// - `pSize`: receives the size in bytes.
/// - `resource`: the resource.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE`: no graphics resource is shared. The results are zeroed.
///
/// Manual: Graphics Interoperability.
#[entry(since = 3020, needs = nothing)]
pub fn cuGraphicsResourceGetMappedPointer_v2(
    pDevPtr: Out<CUdeviceptr>,
    pSize: Out<usize>,
    resource: CUgraphicsResource,
) -> Result<()> {
    let _ = resource;
    pDevPtr.set_opt(0)?;
    pSize.set_opt(0)?;
    device::initialized()?;
    Err(not_shared())
}

/// Reports address and size of a mapped resource in 32 bits.
///
/// - `pDevPtr`: receives the address.
/// - `pSize`: receives the size in bytes.
/// - `resource`: the resource.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE`: no graphics resource is shared. The results are zeroed.
///
/// Manual: none, first generation.
#[entry(since = 3000, needs = nothing)]
pub fn cuGraphicsResourceGetMappedPointer(
    pDevPtr: Out<CUdeviceptr_v1>,
    pSize: Out<c_uint>,
    resource: CUgraphicsResource,
) -> Result<()> {
    let _ = resource;
    pDevPtr.set_opt(0)?;
    pSize.set_opt(0)?;
    device::initialized()?;
    Err(not_shared())
}

/// Sets how the next mapping of a resource will be used.
///
/// - `resource`: the resource.
/// - `flags`: read and written, only read, or only written.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE`: no graphics resource is shared.
///
/// Manual: Graphics Interoperability.
#[entry(since = 6050, needs = init)]
pub fn cuGraphicsResourceSetMapFlags_v2(resource: CUgraphicsResource, flags: c_uint) -> Result<()> {
    let _ = (resource, flags);
    Err(not_shared())
}

/// Sets how the next mapping of a resource will be used.
///
/// First form of [`cuGraphicsResourceSetMapFlags_v2`].
///
/// - `resource`: the resource.
/// - `flags`: read and written, only read, or only written.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE`: no graphics resource is shared.
///
/// Manual: Graphics Interoperability.
#[entry(since = 3000, needs = init)]
pub fn cuGraphicsResourceSetMapFlags(resource: CUgraphicsResource, flags: c_uint) -> Result<()> {
    let _ = (resource, flags);
    Err(not_shared())
}

/// Maps graphics resources for use on a stream; there are none.
///
/// - `count`: how many.
/// - `resources`: the resources.
/// - `hStream`: the stream; ignored.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `count` is 0 or `resources` is NULL; else `CUDA_ERROR_INVALID_HANDLE`.
///
/// Manual: Graphics Interoperability.
#[entry(since = 3000, twin = "ptsz", needs = init)]
pub fn cuGraphicsMapResources(count: c_uint, resources: InMut<CUgraphicsResource>, hStream: CUstream) -> Result<()> {
    no_resource(count, resources)
}

/// Unmaps graphics resources in stream order; there are none.
///
/// - `count`: how many.
/// - `resources`: the resources.
/// - `hStream`: the stream; ignored.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `count` is 0 or `resources` is NULL; else `CUDA_ERROR_INVALID_HANDLE`.
///
/// Manual: Graphics Interoperability.
#[entry(since = 3000, twin = "ptsz", needs = init)]
pub fn cuGraphicsUnmapResources(count: c_uint, resources: InMut<CUgraphicsResource>, hStream: CUstream) -> Result<()> {
    no_resource(count, resources)
}
fn no_resource(count: c_uint, resources: InMut<CUgraphicsResource>) -> Result<()> {
    if count == 0 || resources.is_null() {
        Err(refuse!(Error::INVALID_VALUE, "count {} is 0, or resources is NULL", count))
    } else {
        Err(refuse!(
            Error::INVALID_HANDLE,
            "resources has a handle that is not a graphics resource: there is no graphics API here"
        ))
    }
}

fn not_shared() -> Error {
    refuse!(Error::INVALID_HANDLE, "resource is not a graphics resource: there is no graphics API here")
}
