//! Graphics Interoperability.

#![allow(non_snake_case)]

use super::ptr::{InMut, Out};
use super::types::{CUarray, CUdeviceptr, CUdeviceptr_v1, CUgraphicsResource, CUmipmappedArray, CUstream};
use api_macro::entry;
use core::ffi::c_uint;
use error::{Error, Result};

/// Ends the sharing of a graphics resource.
#[entry(since = 3000)]
pub fn cuGraphicsUnregisterResource(resource: CUgraphicsResource) -> Result<()>;

/// Hands out one face or level of a mapped resource as an array.
#[entry(since = 3000)]
pub fn cuGraphicsSubResourceGetMappedArray(
    pArray: Out<CUarray>,
    resource: CUgraphicsResource,
    arrayIndex: c_uint,
    mipLevel: c_uint,
) -> Result<()>;

/// Hands out a mapped resource as a mipmapped array.
#[entry(since = 5000)]
pub fn cuGraphicsResourceGetMappedMipmappedArray(
    pMipmappedArray: Out<CUmipmappedArray>,
    resource: CUgraphicsResource,
) -> Result<()>;

/// Reports address and size of a mapped resource.
#[entry(since = 3020)]
pub fn cuGraphicsResourceGetMappedPointer_v2(
    pDevPtr: Out<CUdeviceptr>,
    pSize: Out<usize>,
    resource: CUgraphicsResource,
) -> Result<()>;

/// First-generation [`cuGraphicsResourceGetMappedPointer_v2`]: addresses and sizes have 32 bits.
#[entry(since = 3000)]
pub fn cuGraphicsResourceGetMappedPointer(
    pDevPtr: Out<CUdeviceptr_v1>,
    pSize: Out<c_uint>,
    resource: CUgraphicsResource,
) -> Result<()>;

/// Sets how the next mapping of a resource will be used.
#[entry(since = 6050)]
pub fn cuGraphicsResourceSetMapFlags_v2(resource: CUgraphicsResource, flags: c_uint) -> Result<()>;

/// First form of [`cuGraphicsResourceSetMapFlags_v2`].
#[entry(since = 3000)]
pub fn cuGraphicsResourceSetMapFlags(resource: CUgraphicsResource, flags: c_uint) -> Result<()>;

/// Maps graphics resources for use on a stream.
///
/// There are none, so whatever is passed is wrong: `CUDA_ERROR_INVALID_VALUE` for nothing, else
/// `CUDA_ERROR_INVALID_HANDLE`.
#[entry(since = 3000, twin = "ptsz", needs = init)]
pub fn cuGraphicsMapResources(count: c_uint, resources: InMut<CUgraphicsResource>, hStream: CUstream) -> Result<()> {
    no_resource(count, resources)
}

/// Unmaps graphics resources in stream order.
///
/// As [`cuGraphicsMapResources`].
#[entry(since = 3000, twin = "ptsz", needs = init)]
pub fn cuGraphicsUnmapResources(count: c_uint, resources: InMut<CUgraphicsResource>, hStream: CUstream) -> Result<()> {
    no_resource(count, resources)
}

fn no_resource(count: c_uint, resources: InMut<CUgraphicsResource>) -> Result<()> {
    if count == 0 || resources.is_null() { Err(Error::INVALID_VALUE) } else { Err(Error::INVALID_HANDLE) }
}
