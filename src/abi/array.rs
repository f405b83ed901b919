//! Memory Management (arrays and mipmapped arrays).

#![allow(non_snake_case)]

use super::convert::array::{shape_2d, shape_3d};
use super::ptr::{In, Out};
use super::types::{
    CUDA_ARRAY_DESCRIPTOR, CUDA_ARRAY_DESCRIPTOR_v1, CUDA_ARRAY_MEMORY_REQUIREMENTS, CUDA_ARRAY_SPARSE_PROPERTIES,
    CUDA_ARRAY3D_DESCRIPTOR, CUDA_ARRAY3D_DESCRIPTOR_v1, CUarray, CUarray_format, CUdevice, CUmipmappedArray,
};
use api_macro::entry;
use core::ffi::c_uint;
use core::mem::offset_of;
use device::array::layout::SparseLayout;
use device::array::{self, Array, ArrayShape, MipmappedArray};
use device::stream::context;
use error::{Error, Result, refuse};

fn create(handle: Out<CUarray>, shape: ArrayShape) -> Result<()> {
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

/// Creates a 1D or 2D array in the current context.
///
/// Its contents start as zeros.
///
/// - `pHandle`: receives the handle.
/// - `pAllocateArray`: what it looks like: extents in elements, of which only the lower 32 bits count (height 0 makes
///   it one-dimensional), format, and number of components (1, 2 or 4, unless the format fixes it).
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, for a format or number of components that the device does
/// not have, and for extents of 0 or beyond its limits; `CUDA_ERROR_OUT_OF_MEMORY` if the device has not that much
/// left; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call; `CUDA_ERROR_INVALID_CONTEXT` in a
/// context of the first generation.
///
/// Manual: Memory Management.
#[entry(since = 3020)]
pub fn cuArrayCreate_v2(pHandle: Out<CUarray>, pAllocateArray: In<CUDA_ARRAY_DESCRIPTOR>) -> Result<()> {
    let desc = pAllocateArray.get()?;
    create(pHandle, shape_2d(desc.Width, desc.Height, desc.Format, desc.NumChannels))
}

/// Creates a 1D or 2D array with the first generation's descriptor of 32 bits; always refused.
///
/// It is for contexts whose memory has addresses of 32 bits; there is no such memory. See [`cuArrayCreate_v2`].
///
/// - `pHandle`: not written.
/// - `pAllocateArray`: not read.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always.
///
/// Manual: none, first generation.
#[entry(since = 2000, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuArrayCreate(pHandle: Out<CUarray>, pAllocateArray: In<CUDA_ARRAY_DESCRIPTOR_v1>) -> Result<()> {
    Err(super::no_32_bit_context())
}

/// Describes a 1D or 2D array.
///
/// The depth of an array that has one is left out. A mipmapped array's handle describes its first level.
///
/// - `pArrayDescriptor`: receives the description; extents in elements.
/// - `hArray`: the array, or a mipmapped array.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE`, before anything else is looked at, if `hArray` is no array;
/// `CUDA_ERROR_INVALID_VALUE` if `pArrayDescriptor` is NULL; the current context's asynchronous error.
///
/// Manual: Memory Management.
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

/// Describes an array with the first generation's descriptor of 32 bits; always refused.
///
/// - `pArrayDescriptor`: not written.
/// - `hArray`: ignored.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always.
///
/// Manual: none, first generation.
#[entry(since = 2000, needs = init, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuArrayGetDescriptor(pArrayDescriptor: Out<CUDA_ARRAY_DESCRIPTOR_v1>, hArray: CUarray) -> Result<()> {
    Err(super::no_32_bit_context())
}

/// Reports tile size and mip tail layout of a sparse array.
///
/// The size of the tail is 0 unless the whole array lies in it. `reserved` is not written.
///
/// - `sparseProperties`: receives the tile's extent in elements, the first level in the tail, the tail's size in bytes,
///   and flags.
/// - `array`: the array.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `sparseProperties` is NULL, and for everything that is not a sparse array of
/// its own, NULL included.
///
/// Manual: Memory Management.
#[entry(since = 11010, needs = nothing)]
pub fn cuArrayGetSparseProperties(sparseProperties: Out<CUDA_ARRAY_SPARSE_PROPERTIES>, array: CUarray) -> Result<()> {
    sparseProperties.check()?;
    device::initialized_unless(array.is_null(), Error::INVALID_VALUE)?;
    let layout =
        Array::find(array.0).and_then(|a| a.sparse_layout()).map_err(|error| error.with_code(Error::INVALID_VALUE))?;
    set_sparse(sparseProperties, &layout)
}

/// Reports tile size and mip tail layout of a sparse mipmapped array.
///
/// - `sparseProperties`: receives the tile's extent in elements, the first level in the tail, the tail's size in bytes,
///   and flags; `reserved` is not written.
/// - `mipmap`: the mipmapped array.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `sparseProperties` is NULL, and for everything that is not a sparse mipmapped
/// array, NULL included.
///
/// Manual: Memory Management.
#[entry(since = 11010, needs = nothing)]
pub fn cuMipmappedArrayGetSparseProperties(
    sparseProperties: Out<CUDA_ARRAY_SPARSE_PROPERTIES>,
    mipmap: CUmipmappedArray,
) -> Result<()> {
    sparseProperties.check()?;
    let mipmap = MipmappedArray::find(mipmap.0).map_err(|error| error.with_code(Error::INVALID_VALUE))?;
    set_sparse(sparseProperties, &mipmap.sparse_layout()?)
}

/// Reports size and alignment of the memory that an array with deferred mapping needs.
///
/// - `memoryRequirements`: receives both, in bytes; the rest is set to 0.
/// - `array`: the array.
/// - `device`: ignored, as with the real driver.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `memoryRequirements` is NULL, and for everything that is not an array with
/// deferred mapping, NULL included.
///
/// Manual: Memory Management.
#[entry(since = 11060, needs = nothing)]
pub fn cuArrayGetMemoryRequirements(
    memoryRequirements: Out<CUDA_ARRAY_MEMORY_REQUIREMENTS>,
    array: CUarray,
    device: CUdevice,
) -> Result<()> {
    let _ = device;
    memoryRequirements.check()?;
    let (size, alignment) = Array::find(array.0)
        .and_then(|a| a.memory_requirements())
        .map_err(|error| error.with_code(Error::INVALID_VALUE))?;
    memoryRequirements.set(CUDA_ARRAY_MEMORY_REQUIREMENTS { size, alignment, ..Default::default() })
}

/// Reports size and alignment of the memory that a mipmapped array with deferred mapping needs.
///
/// - `memoryRequirements`: receives both, in bytes; the rest is set to 0.
/// - `mipmap`: the mipmapped array.
/// - `device`: ignored, as with the real driver.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `memoryRequirements` is NULL, and for everything that is not a mipmapped array
/// with deferred mapping, NULL included.
///
/// Manual: Memory Management.
#[entry(since = 11060, needs = nothing)]
pub fn cuMipmappedArrayGetMemoryRequirements(
    memoryRequirements: Out<CUDA_ARRAY_MEMORY_REQUIREMENTS>,
    mipmap: CUmipmappedArray,
    device: CUdevice,
) -> Result<()> {
    let _ = device;
    memoryRequirements.check()?;
    let mipmap = MipmappedArray::find(mipmap.0).map_err(|error| error.with_code(Error::INVALID_VALUE))?;
    let (size, alignment) = mipmap.memory_requirements()?;
    memoryRequirements.set(CUDA_ARRAY_MEMORY_REQUIREMENTS { size, alignment, ..Default::default() })
}

/// Hands out one plane of a multi-planar array as an array.
///
/// The same plane has the same handle every time; it lives as long as the array.
///
/// - `pPlaneArray`: receives the plane's handle.
/// - `hArray`: the array.
/// - `planeIdx`: number of the plane, from 0.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hArray` is no array; `CUDA_ERROR_INVALID_VALUE` for a plane that the format
/// does not have, for formats in one piece, and if `pPlaneArray` is NULL.
///
/// Manual: Memory Management.
#[entry(since = 11020, needs = nothing)]
pub fn cuArrayGetPlane(pPlaneArray: Out<CUarray>, hArray: CUarray, planeIdx: c_uint) -> Result<()> {
    device::initialized_unless(hArray.is_null(), Error::INVALID_HANDLE)?;
    let plane = Array::find(hArray.0)?.plane(planeIdx)?;
    pPlaneArray.set(CUarray(plane.handle))
}

/// Destroys an array.
///
/// Waits for the context's work first. A level of a mipmapped array and a plane of an array stay: for them this does
/// nothing and succeeds.
///
/// - `hArray`: the array.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if it is no array; `CUDA_ERROR_CONTEXT_IS_DESTROYED` if its context is gone, and
/// for the handle of a stream; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call; its context's
/// asynchronous error: the array is destroyed nonetheless.
///
/// Manual: Memory Management.
#[entry(since = 2000, needs = init)]
pub fn cuArrayDestroy(hArray: CUarray) -> Result<()> {
    Array::destroy(hArray.0)
}

/// Creates an array of up to three dimensions, layered, cubemap or sparse ones included.
///
/// Its contents start as zeros. Video formats need `CUDA_ARRAY3D_VIDEO_ENCODE_DECODE` and even extents.
///
/// - `pHandle`: receives the handle.
/// - `pAllocateArray`: what it looks like: extents in elements, of which only the lower 32 bits count (0 leaves height
///   or depth out; the depth counts layers where `CUDA_ARRAY3D_LAYERED` or `CUDA_ARRAY3D_CUBEMAP` is set), format,
///   number of components, `CUDA_ARRAY3D_*` flags.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, and for what the device does not have: unknown formats,
/// components and flags, combinations of them, extents of 0 or beyond its limits; `CUDA_ERROR_NOT_SUPPORTED` for
/// surfaces of compressed formats; `CUDA_ERROR_OUT_OF_MEMORY` if the device has not that much left;
/// `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call; `CUDA_ERROR_INVALID_CONTEXT` in a context
/// of the first generation.
///
/// Manual: Memory Management.
#[entry(since = 3020)]
pub fn cuArray3DCreate_v2(pHandle: Out<CUarray>, pAllocateArray: In<CUDA_ARRAY3D_DESCRIPTOR>) -> Result<()> {
    create(pHandle, shape_3d(&pAllocateArray.get()?))
}

/// Creates a 3D array with the first generation's descriptor of 32 bits; always refused.
///
/// It is for contexts whose memory has addresses of 32 bits; there is no such memory. See [`cuArray3DCreate_v2`].
///
/// - `pHandle`: not written.
/// - `pAllocateArray`: not read.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always.
///
/// Manual: none, first generation.
#[entry(since = 2000, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuArray3DCreate(pHandle: Out<CUarray>, pAllocateArray: In<CUDA_ARRAY3D_DESCRIPTOR_v1>) -> Result<()> {
    Err(super::no_32_bit_context())
}

/// Describes an array of up to three dimensions.
///
/// A mipmapped array's handle describes its first level.
///
/// - `pArrayDescriptor`: receives extents in elements, format, number of components and flags.
/// - `hArray`: the array, or a mipmapped array.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE`, before anything else is looked at, if `hArray` is no array;
/// `CUDA_ERROR_INVALID_VALUE` if `pArrayDescriptor` is NULL; the current context's asynchronous error.
///
/// Manual: Memory Management.
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

/// Describes a 3D array with the first generation's descriptor of 32 bits; always refused.
///
/// - `pArrayDescriptor`: not written.
/// - `hArray`: ignored.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always.
///
/// Manual: none, first generation.
#[entry(since = 2000, needs = nothing, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuArray3DGetDescriptor(pArrayDescriptor: Out<CUDA_ARRAY3D_DESCRIPTOR_v1>, hArray: CUarray) -> Result<()> {
    Err(super::no_32_bit_context())
}

/// Creates an array with several mip levels.
///
/// - `pHandle`: receives the handle.
/// - `pMipmappedArrayDesc`: what the first level looks like, as for [`cuArray3DCreate_v2`].
/// - `numMipmapLevels`: number of levels; clamped to at least 1, and to what it takes to get to a single element.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, and for what the device does not have, as for
/// [`cuArray3DCreate_v2`], and for video formats; `CUDA_ERROR_NOT_SUPPORTED` for surfaces of compressed formats;
/// `CUDA_ERROR_OUT_OF_MEMORY` if the device has not that much left; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a
/// capture forbids the call; `CUDA_ERROR_INVALID_CONTEXT` in a context of the first generation.
///
/// Manual: Memory Management.
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
///
/// The same level has the same handle every time; it lives as long as the mipmapped array.
///
/// - `pLevelArray`: receives the level's handle.
/// - `hMipmappedArray`: the mipmapped array.
/// - `level`: number of the level; 0 is the largest.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE`, before anything else is looked at, if `hMipmappedArray` is no array;
/// `CUDA_ERROR_INVALID_VALUE` for a level that is not there, for an array without levels, and if `pLevelArray` is NULL.
///
/// Manual: Memory Management.
#[entry(since = 5000, needs = nothing)]
pub fn cuMipmappedArrayGetLevel(
    pLevelArray: Out<CUarray>,
    hMipmappedArray: CUmipmappedArray,
    level: c_uint,
) -> Result<()> {
    // The handle of an array is accepted here, but it has no levels.
    let missing = |error| {
        if Array::find(hMipmappedArray.0).is_ok() {
            refuse!(Error::INVALID_VALUE, "hMipmappedArray {:#x} is an array without levels", hMipmappedArray.0)
        } else {
            error
        }
    };
    let level = MipmappedArray::find(hMipmappedArray.0).map_err(missing)?.level(level)?;
    pLevelArray.set(CUarray(level.handle))
}

/// Destroys a mipmapped array and its levels.
///
/// Waits for the context's work first.
///
/// - `hMipmappedArray`: the mipmapped array.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if it is not one; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids
/// the call.
///
/// Manual: Memory Management.
#[entry(since = 5000, needs = init)]
pub fn cuMipmappedArrayDestroy(hMipmappedArray: CUmipmappedArray) -> Result<()> {
    MipmappedArray::destroy(hMipmappedArray.0)
}
