//! Memory Management (arrays and mipmapped arrays).

#![allow(non_snake_case)]

use super::ptr::{In, Out};
use super::types::{
    CUDA_ARRAY_DESCRIPTOR, CUDA_ARRAY_DESCRIPTOR_v1, CUDA_ARRAY_MEMORY_REQUIREMENTS, CUDA_ARRAY_SPARSE_PROPERTIES,
    CUDA_ARRAY3D_DESCRIPTOR, CUDA_ARRAY3D_DESCRIPTOR_v1, CUarray, CUarray_format, CUdevice, CUmipmappedArray,
};
use crate::device::array::{self, Array, MipmappedArray, Shape};
use crate::device::array_layout::SparseLayout;
use crate::device::{self, context};
use api_macro::entry;
use core::ffi::c_uint;
use core::mem::offset_of;
use error::{Error, Result};

/// An extent as the driver reads it: of a `size_t` only the lower 32 bits count.
fn extent(n: usize) -> usize {
    n & u32::MAX as usize
}

/// The shape that a descriptor of up to three dimensions tells.
pub(super) fn shape_3d(desc: &CUDA_ARRAY3D_DESCRIPTOR) -> Shape {
    Shape {
        width: extent(desc.Width),
        height: extent(desc.Height),
        depth: extent(desc.Depth),
        format: desc.Format.0,
        channels: desc.NumChannels,
        flags: desc.Flags,
    }
}

fn shape_2d(width: usize, height: usize, format: CUarray_format, channels: c_uint) -> Shape {
    Shape { width: extent(width), height: extent(height), depth: 0, format: format.0, channels, flags: 0 }
}

fn create(handle: Out<CUarray>, shape: Shape) -> Result<()> {
    handle.check()?;
    let array = Array::create(&context::current()?, shape)?;
    handle.set(CUarray(array.handle)).inspect_err(|_| {
        let _ = Array::destroy(array.handle);
    })
}

fn set_sparse(out: Out<CUDA_ARRAY_SPARSE_PROPERTIES>, layout: &SparseLayout) -> Result<()> {
    let mut properties = CUDA_ARRAY_SPARSE_PROPERTIES::default();
    let [width, height, depth] = layout.tile;
    properties.tileExtent.width = width;
    properties.tileExtent.height = height;
    properties.tileExtent.depth = depth;
    properties.miptailFirstLevel = layout.tail_first;
    properties.miptailSize = layout.tail_bytes as u64;
    properties.flags = u32::from(layout.single_tail);
    out.set_prefix(properties, offset_of!(CUDA_ARRAY_SPARSE_PROPERTIES, reserved))
}

/// Creates a 1D or 2D array.
/// Extents are in elements, of which only the lower 32 bits count; height 0 makes it one-dimensional. Its contents start
/// as zeros.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` for a format or number of components that the device does not have, and for extents
/// of 0 or beyond its limits; `CUDA_ERROR_OUT_OF_MEMORY`.
#[entry(since = 3020)]
pub fn cuArrayCreate_v2(pHandle: Out<CUarray>, pAllocateArray: In<CUDA_ARRAY_DESCRIPTOR>) -> Result<()> {
    let desc = pAllocateArray.get()?;
    create(pHandle, shape_2d(desc.Width, desc.Height, desc.Format, desc.NumChannels))
}

/// First-generation [`cuArrayCreate_v2`]: for contexts with addresses of 32 bits, which there are none of
/// (`CUDA_ERROR_INVALID_CONTEXT`).
#[entry(since = 2000)]
pub fn cuArrayCreate(pHandle: Out<CUarray>, pAllocateArray: In<CUDA_ARRAY_DESCRIPTOR_v1>) -> Result<()> {
    Err(Error::INVALID_CONTEXT)
}

/// Describes a 1D or 2D array.
/// The depth of an array that has one is left out. A mipmapped array's handle describes its first level.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` before anything else.
#[entry(since = 3020, needs = nothing)]
pub fn cuArrayGetDescriptor_v2(pArrayDescriptor: Out<CUDA_ARRAY_DESCRIPTOR>, hArray: CUarray) -> Result<()> {
    device::initialized_unless(hArray.is_null(), Error::INVALID_HANDLE)?;
    let shape = array::shape_of(hArray.0)?;
    context::check_error()?;
    pArrayDescriptor.set(CUDA_ARRAY_DESCRIPTOR {
        Width: shape.width,
        Height: shape.height,
        Format: CUarray_format(shape.format),
        NumChannels: shape.channels,
    })
}

/// First-generation [`cuArrayGetDescriptor_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000, needs = init)]
pub fn cuArrayGetDescriptor(pArrayDescriptor: Out<CUDA_ARRAY_DESCRIPTOR_v1>, hArray: CUarray) -> Result<()> {
    Err(Error::INVALID_CONTEXT)
}

/// Reports tile size and mip tail layout of a sparse array.
/// The size of the tail is 0 unless the whole array lies in it. `reserved` is not written.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` for everything that is not a sparse array of its own, `NULL` included.
#[entry(since = 11010, needs = nothing)]
pub fn cuArrayGetSparseProperties(sparseProperties: Out<CUDA_ARRAY_SPARSE_PROPERTIES>, array: CUarray) -> Result<()> {
    sparseProperties.check()?;
    device::initialized_unless(array.is_null(), Error::INVALID_VALUE)?;
    let layout = Array::find(array.0).and_then(|a| a.sparse_layout()).map_err(|_| Error::INVALID_VALUE)?;
    set_sparse(sparseProperties, &layout)
}

/// Reports tile size and mip tail layout of a sparse mipmapped array.
/// Errors: `CUDA_ERROR_INVALID_VALUE` for everything that is not a sparse mipmapped array, `NULL` included.
#[entry(since = 11010, needs = nothing)]
pub fn cuMipmappedArrayGetSparseProperties(
    sparseProperties: Out<CUDA_ARRAY_SPARSE_PROPERTIES>,
    mipmap: CUmipmappedArray,
) -> Result<()> {
    sparseProperties.check()?;
    let mipmap = MipmappedArray::find(mipmap.0).map_err(|_| Error::INVALID_VALUE)?;
    set_sparse(sparseProperties, &mipmap.sparse_layout()?)
}

/// Reports size and alignment of the memory that an array with deferred mapping needs.
/// The device is not looked at, as with the real driver.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` for everything that is not an array with deferred mapping, `NULL` included.
#[entry(since = 11060, needs = nothing)]
pub fn cuArrayGetMemoryRequirements(
    memoryRequirements: Out<CUDA_ARRAY_MEMORY_REQUIREMENTS>,
    array: CUarray,
    device: CUdevice,
) -> Result<()> {
    let _ = device;
    memoryRequirements.check()?;
    let (size, alignment) =
        Array::find(array.0).and_then(|a| a.memory_requirements()).map_err(|_| Error::INVALID_VALUE)?;
    memoryRequirements.set(CUDA_ARRAY_MEMORY_REQUIREMENTS { size, alignment, ..Default::default() })
}

/// Reports size and alignment of the memory that a mipmapped array with deferred mapping needs.
/// As [`cuArrayGetMemoryRequirements`].
#[entry(since = 11060, needs = nothing)]
pub fn cuMipmappedArrayGetMemoryRequirements(
    memoryRequirements: Out<CUDA_ARRAY_MEMORY_REQUIREMENTS>,
    mipmap: CUmipmappedArray,
    device: CUdevice,
) -> Result<()> {
    let _ = device;
    memoryRequirements.check()?;
    let mipmap = MipmappedArray::find(mipmap.0).map_err(|_| Error::INVALID_VALUE)?;
    let (size, alignment) = mipmap.memory_requirements()?;
    memoryRequirements.set(CUDA_ARRAY_MEMORY_REQUIREMENTS { size, alignment, ..Default::default() })
}

/// Hands out one plane of a multi-planar array as an array of its own.
/// The same plane has the same handle every time; it lives as long as the array.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE`; `CUDA_ERROR_INVALID_VALUE` for a plane that the format does not have, and for
/// formats in one piece.
#[entry(since = 11020, needs = nothing)]
pub fn cuArrayGetPlane(pPlaneArray: Out<CUarray>, hArray: CUarray, planeIdx: c_uint) -> Result<()> {
    device::initialized_unless(hArray.is_null(), Error::INVALID_HANDLE)?;
    let plane = Array::find(hArray.0)?.plane(planeIdx)?;
    pPlaneArray.set(CUarray(plane.handle))
}

/// Destroys an array.
/// Waits for the context's work first. A level of a mipmapped array and a plane of an array stay: for them this does
/// nothing and succeeds.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE`.
#[entry(since = 2000, needs = init)]
pub fn cuArrayDestroy(hArray: CUarray) -> Result<()> {
    Array::destroy(hArray.0)
}

/// Creates an array of up to three dimensions, layered, cubemap or sparse ones included.
/// Extents are in elements; 0 leaves a dimension out. The depth counts layers where `CUDA_ARRAY3D_LAYERED` or
/// `CUDA_ARRAY3D_CUBEMAP` is set. Video formats need `CUDA_ARRAY3D_VIDEO_ENCODE_DECODE` and even extents.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` for combinations that the device does not have, and beyond its limits;
/// `CUDA_ERROR_NOT_SUPPORTED` for surfaces of compressed formats; `CUDA_ERROR_OUT_OF_MEMORY`.
#[entry(since = 3020)]
pub fn cuArray3DCreate_v2(pHandle: Out<CUarray>, pAllocateArray: In<CUDA_ARRAY3D_DESCRIPTOR>) -> Result<()> {
    create(pHandle, shape_3d(&pAllocateArray.get()?))
}

/// First-generation [`cuArray3DCreate_v2`]: for contexts with addresses of 32 bits, which there are none of
/// (`CUDA_ERROR_INVALID_CONTEXT`).
#[entry(since = 2000)]
pub fn cuArray3DCreate(pHandle: Out<CUarray>, pAllocateArray: In<CUDA_ARRAY3D_DESCRIPTOR_v1>) -> Result<()> {
    Err(Error::INVALID_CONTEXT)
}

/// Describes an array of up to three dimensions.
/// Errors: `CUDA_ERROR_INVALID_HANDLE` before anything else.
#[entry(since = 3020, needs = nothing)]
pub fn cuArray3DGetDescriptor_v2(pArrayDescriptor: Out<CUDA_ARRAY3D_DESCRIPTOR>, hArray: CUarray) -> Result<()> {
    let shape = array::shape_of(hArray.0)?;
    context::check_error()?;
    pArrayDescriptor.set(CUDA_ARRAY3D_DESCRIPTOR {
        Width: shape.width,
        Height: shape.height,
        Depth: shape.depth,
        Format: CUarray_format(shape.format),
        NumChannels: shape.channels,
        Flags: shape.flags,
    })
}

/// First-generation [`cuArray3DGetDescriptor_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000, needs = nothing)]
pub fn cuArray3DGetDescriptor(pArrayDescriptor: Out<CUDA_ARRAY3D_DESCRIPTOR_v1>, hArray: CUarray) -> Result<()> {
    Err(Error::INVALID_CONTEXT)
}

/// Creates an array with several mip levels.
/// The number of levels is clamped: at least one, and no more than it takes to get to a single element.
///
/// Errors: as [`cuArray3DCreate_v2`].
#[entry(since = 5000)]
pub fn cuMipmappedArrayCreate(
    pHandle: Out<CUmipmappedArray>,
    pMipmappedArrayDesc: In<CUDA_ARRAY3D_DESCRIPTOR>,
    numMipmapLevels: c_uint,
) -> Result<()> {
    let desc = pMipmappedArrayDesc.get()?;
    pHandle.check()?;
    let shape = shape_3d(&desc);
    let mipmapped = MipmappedArray::create(&context::current()?, shape, numMipmapLevels)?;
    pHandle.set(CUmipmappedArray(mipmapped.handle)).inspect_err(|_| {
        let _ = MipmappedArray::destroy(mipmapped.handle);
    })
}

/// Hands out one level of a mipmapped array as an array.
/// The same level has the same handle every time; it lives as long as the mipmapped array.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` before anything else; `CUDA_ERROR_INVALID_VALUE` for a level that is not there.
#[entry(since = 5000, needs = nothing)]
pub fn cuMipmappedArrayGetLevel(
    pLevelArray: Out<CUarray>,
    hMipmappedArray: CUmipmappedArray,
    level: c_uint,
) -> Result<()> {
    // An array's handle is understood, as something without levels.
    let missing = |error| if Array::find(hMipmappedArray.0).is_ok() { Error::INVALID_VALUE } else { error };
    let level = MipmappedArray::find(hMipmappedArray.0).map_err(missing)?.level(level)?;
    pLevelArray.set(CUarray(level.handle))
}

/// Destroys a mipmapped array.
/// Waits for the context's work first.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE`.
#[entry(since = 5000, needs = init)]
pub fn cuMipmappedArrayDestroy(hMipmappedArray: CUmipmappedArray) -> Result<()> {
    MipmappedArray::destroy(hMipmappedArray.0)
}
