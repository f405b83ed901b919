//! Graphics Interoperability.
//!
//! What is shared is OpenGL's (`gl`). Its answers are those of the real driver to a thread with a context of NVIDIA's OpenGL.

#![allow(non_snake_case)]

use super::convert::gl::with_context;
use super::convert::stream;
use super::ptr::{InMut, Out};
use super::types::{CUarray, CUdeviceptr, CUdeviceptr_v1, CUgraphicsResource, CUmipmappedArray, CUstream};
use api_macro::entry;
use core::ffi::c_uint;
use device::array::graphics::{self, Resource};
use error::{Error, Result, refuse_if};
use std::sync::Arc;

/// The resources of a list.
fn listed(count: c_uint, resources: InMut<CUgraphicsResource>) -> Result<Vec<Arc<Resource>>> {
    refuse_if!(Error::INVALID_VALUE, count == 0 || resources.is_null(), "count {} is 0, or resources is NULL", count);
    let find = |handle: CUgraphicsResource| graphics::find(handle.0).map_err(|error| error.of("resources"));
    resources.slice(count as usize)?.into_iter().map(find).collect()
}

/// Ends the sharing of a graphics resource.
///
/// Waits for the context's work.
///
/// - `resource`: the resource.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `resource` is none; `CUDA_ERROR_CONTEXT_IS_DESTROYED` if it ended with its context;
/// `CUDA_ERROR_INVALID_GRAPHICS_CONTEXT` without a current OpenGL context; `CUDA_ERROR_ALREADY_MAPPED` if it is mapped.
///
/// Manual: Graphics Interoperability.
#[entry(since = 3000, needs = init)]
pub fn cuGraphicsUnregisterResource(resource: CUgraphicsResource) -> Result<()> {
    let resource = graphics::find(resource.0)?;
    with_context()?;
    resource.unregister()
}

/// Hands out one face or level of a mapped resource as an array.
///
/// - `pArray`: receives the array.
/// - `resource`: the resource.
/// - `arrayIndex`: number of the layer or face.
/// - `mipLevel`: number of the mip level.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `resource` is none; `CUDA_ERROR_NOT_MAPPED_AS_ARRAY` if it is a buffer;
/// `CUDA_ERROR_NOT_MAPPED` if it is not mapped; `CUDA_ERROR_INVALID_VALUE` if `pArray` is NULL, and for an index or level that it does
/// not have.
///
/// Manual: Graphics Interoperability.
#[entry(since = 3000, needs = init)]
pub fn cuGraphicsSubResourceGetMappedArray(
    pArray: Out<CUarray>,
    resource: CUgraphicsResource,
    arrayIndex: c_uint,
    mipLevel: c_uint,
) -> Result<()> {
    let resource = graphics::find(resource.0)?;
    pArray.check()?;
    pArray.set(CUarray(resource.array(arrayIndex, mipLevel)?.handle))
}

/// Hands out a mapped resource as a mipmapped array.
///
/// - `pMipmappedArray`: receives the mipmapped array.
/// - `resource`: the resource.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `resource` is none; `CUDA_ERROR_NOT_MAPPED_AS_ARRAY` if it is a buffer;
/// `CUDA_ERROR_NOT_MAPPED` if it is not mapped; `CUDA_ERROR_INVALID_VALUE` if `pMipmappedArray` is NULL.
///
/// Manual: Graphics Interoperability.
#[entry(since = 5000, needs = init)]
pub fn cuGraphicsResourceGetMappedMipmappedArray(
    pMipmappedArray: Out<CUmipmappedArray>,
    resource: CUgraphicsResource,
) -> Result<()> {
    let resource = graphics::find(resource.0)?;
    pMipmappedArray.set(CUmipmappedArray(resource.mipmapped()?.handle))
}

/// Reports address and size of a mapped resource.
///
/// - `pDevPtr`: receives the address.
/// - `pSize`: receives the size in bytes.
/// - `resource`: the resource.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `resource` is none; `CUDA_ERROR_NOT_MAPPED_AS_POINTER` if it is an image;
/// `CUDA_ERROR_NOT_MAPPED` if it is not mapped. The results are zeroed.
///
/// Manual: Graphics Interoperability.
#[entry(since = 3020, needs = nothing)]
pub fn cuGraphicsResourceGetMappedPointer_v2(
    pDevPtr: Out<CUdeviceptr>,
    pSize: Out<usize>,
    resource: CUgraphicsResource,
) -> Result<()> {
    pDevPtr.set_opt(0)?;
    pSize.set_opt(0)?;
    device::initialized()?;
    let (base, size) = graphics::find(resource.0)?.pointer()?;
    pDevPtr.set_opt(base as CUdeviceptr)?;
    pSize.set_opt(size)
}

/// Reports address and size of a mapped resource in 32 bits.
///
/// - `pDevPtr`: receives the address.
/// - `pSize`: receives the size in bytes.
/// - `resource`: the resource.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `resource` is none; else `CUDA_ERROR_INVALID_CONTEXT`: there is no memory with addresses of
/// 32 bits. The results are zeroed.
///
/// Manual: none, first generation.
#[entry(since = 3000, needs = nothing, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuGraphicsResourceGetMappedPointer(
    pDevPtr: Out<CUdeviceptr_v1>,
    pSize: Out<c_uint>,
    resource: CUgraphicsResource,
) -> Result<()> {
    pDevPtr.set_opt(0)?;
    pSize.set_opt(0)?;
    device::initialized()?;
    graphics::find(resource.0)?;
    Err(super::no_32_bit_context())
}

/// Sets how the next mapping of a resource will be used.
///
/// - `resource`: the resource.
/// - `flags`: read and written, only read, or only written.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `resource` is none; `CUDA_ERROR_INVALID_VALUE` for unknown `flags`;
/// `CUDA_ERROR_ALREADY_MAPPED` if it is mapped.
///
/// Manual: Graphics Interoperability.
#[entry(since = 6050, needs = init)]
pub fn cuGraphicsResourceSetMapFlags_v2(resource: CUgraphicsResource, flags: c_uint) -> Result<()> {
    graphics::find(resource.0)?.set_flags(flags)
}

/// Sets how the next mapping of a resource will be used.
///
/// First form of [`cuGraphicsResourceSetMapFlags_v2`].
///
/// - `resource`: the resource.
/// - `flags`: read and written, only read, or only written.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `resource` is none; `CUDA_ERROR_INVALID_VALUE` for unknown `flags`;
/// `CUDA_ERROR_ALREADY_MAPPED` if it is mapped.
///
/// Manual: Graphics Interoperability.
#[entry(since = 3000, needs = init)]
pub fn cuGraphicsResourceSetMapFlags(resource: CUgraphicsResource, flags: c_uint) -> Result<()> {
    graphics::find(resource.0)?.set_flags(flags)
}

/// Maps graphics resources for use on a stream.
///
/// Waits for what the graphics library was given before, and copies their contents into memory of the device, unless they were
/// registered, or are mapped, to be overwritten. What OpenGL has deleted, or given other storage, keeps the memory that it had here.
///
/// - `count`: how many.
/// - `resources`: the resources.
/// - `hStream`: the stream.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `count` is 0 or `resources` is NULL; `CUDA_ERROR_INVALID_HANDLE` if one is none or belongs to
/// another context than the stream, or `hStream` is no stream; `CUDA_ERROR_ALREADY_MAPPED` if one is mapped or there twice; `CUDA_ERROR_INVALID_GRAPHICS_CONTEXT` if no OpenGL context is current that knows it;
/// `CUDA_ERROR_UNKNOWN` if OpenGL has it mapped; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a
/// capture forbids the call. After an error none of them is mapped that was not.
///
/// Manual: Graphics Interoperability.
#[entry(since = 3000, twin = "ptsz", needs = init)]
pub fn cuGraphicsMapResources(count: c_uint, resources: InMut<CUgraphicsResource>, hStream: CUstream) -> Result<()> {
    let list = listed(count, resources)?;
    graphics::map(&list, &stream::lookup(hStream, default_stream)?)
}

/// Unmaps graphics resources in stream order.
///
/// Waits for the stream, and copies what kernels have left in the device's memory back, unless they were registered, or are mapped,
/// to be read only.
///
/// - `count`: how many.
/// - `resources`: the resources.
/// - `hStream`: the stream.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `count` is 0 or `resources` is NULL; `CUDA_ERROR_INVALID_HANDLE` if one is none or belongs to
/// another context than the stream, or `hStream` is no stream; `CUDA_ERROR_NOT_MAPPED` if one is not mapped, or there twice;
/// `CUDA_ERROR_INVALID_GRAPHICS_CONTEXT` if no OpenGL context is current that knows it: then all stay mapped; the asynchronous error of the context.
///
/// Manual: Graphics Interoperability.
#[entry(since = 3000, twin = "ptsz", needs = init)]
pub fn cuGraphicsUnmapResources(count: c_uint, resources: InMut<CUgraphicsResource>, hStream: CUstream) -> Result<()> {
    let list = listed(count, resources)?;
    graphics::unmap(&list, &stream::lookup(hStream, default_stream)?)
}
