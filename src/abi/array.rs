//! Memory Management (arrays and mipmapped arrays).

#![allow(non_snake_case)]

use super::ptr::{In, Out};
use super::types::{
    CUDA_ARRAY_DESCRIPTOR, CUDA_ARRAY_DESCRIPTOR_v1, CUDA_ARRAY_MEMORY_REQUIREMENTS, CUDA_ARRAY_SPARSE_PROPERTIES,
    CUDA_ARRAY3D_DESCRIPTOR, CUDA_ARRAY3D_DESCRIPTOR_v1, CUarray, CUdevice, CUmipmappedArray,
};
use crate::error::Result;
use api_macro::entry;
use core::ffi::c_uint;

/// Creates a 1D or 2D array.
#[entry(since = 3020)]
pub fn cuArrayCreate_v2(pHandle: Out<CUarray>, pAllocateArray: In<CUDA_ARRAY_DESCRIPTOR>) -> Result<()>;

/// First-generation [`cuArrayCreate_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuArrayCreate(pHandle: Out<CUarray>, pAllocateArray: In<CUDA_ARRAY_DESCRIPTOR_v1>) -> Result<()>;

/// Describes a 1D or 2D array.
#[entry(since = 3020, needs = init)]
pub fn cuArrayGetDescriptor_v2(pArrayDescriptor: Out<CUDA_ARRAY_DESCRIPTOR>, hArray: CUarray) -> Result<()>;

/// First-generation [`cuArrayGetDescriptor_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000, needs = init)]
pub fn cuArrayGetDescriptor(pArrayDescriptor: Out<CUDA_ARRAY_DESCRIPTOR_v1>, hArray: CUarray) -> Result<()>;

/// Reports tile size and mip tail layout of a sparse array.
#[entry(since = 11010, needs = init)]
pub fn cuArrayGetSparseProperties(sparseProperties: Out<CUDA_ARRAY_SPARSE_PROPERTIES>, array: CUarray) -> Result<()>;

/// Reports tile size and mip tail layout of a sparse mipmapped array.
#[entry(since = 11010, needs = nothing)]
pub fn cuMipmappedArrayGetSparseProperties(
    sparseProperties: Out<CUDA_ARRAY_SPARSE_PROPERTIES>,
    mipmap: CUmipmappedArray,
) -> Result<()>;

/// Reports size and alignment of the memory that an array with deferred mapping needs.
#[entry(since = 11060, needs = nothing)]
pub fn cuArrayGetMemoryRequirements(
    memoryRequirements: Out<CUDA_ARRAY_MEMORY_REQUIREMENTS>,
    array: CUarray,
    device: CUdevice,
) -> Result<()>;

/// Reports size and alignment of the memory that a mipmapped array with deferred mapping needs.
#[entry(since = 11060, needs = nothing)]
pub fn cuMipmappedArrayGetMemoryRequirements(
    memoryRequirements: Out<CUDA_ARRAY_MEMORY_REQUIREMENTS>,
    mipmap: CUmipmappedArray,
    device: CUdevice,
) -> Result<()>;

/// Hands out one plane of a multi-planar array as an array of its own.
#[entry(since = 11020, needs = init)]
pub fn cuArrayGetPlane(pPlaneArray: Out<CUarray>, hArray: CUarray, planeIdx: c_uint) -> Result<()>;

/// Destroys an array.
#[entry(since = 2000, needs = init)]
pub fn cuArrayDestroy(hArray: CUarray) -> Result<()>;

/// Creates an array of up to three dimensions, layered, cubemap or sparse ones included.
#[entry(since = 3020)]
pub fn cuArray3DCreate_v2(pHandle: Out<CUarray>, pAllocateArray: In<CUDA_ARRAY3D_DESCRIPTOR>) -> Result<()>;

/// First-generation [`cuArray3DCreate_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuArray3DCreate(pHandle: Out<CUarray>, pAllocateArray: In<CUDA_ARRAY3D_DESCRIPTOR_v1>) -> Result<()>;

/// Describes an array of up to three dimensions.
#[entry(since = 3020, needs = nothing)]
pub fn cuArray3DGetDescriptor_v2(pArrayDescriptor: Out<CUDA_ARRAY3D_DESCRIPTOR>, hArray: CUarray) -> Result<()>;

/// First-generation [`cuArray3DGetDescriptor_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000, needs = nothing)]
pub fn cuArray3DGetDescriptor(pArrayDescriptor: Out<CUDA_ARRAY3D_DESCRIPTOR_v1>, hArray: CUarray) -> Result<()>;

/// Creates an array with several mip levels.
#[entry(since = 5000)]
pub fn cuMipmappedArrayCreate(
    pHandle: Out<CUmipmappedArray>,
    pMipmappedArrayDesc: In<CUDA_ARRAY3D_DESCRIPTOR>,
    numMipmapLevels: c_uint,
) -> Result<()>;

/// Hands out one level of a mipmapped array as an array.
#[entry(since = 5000, needs = nothing)]
pub fn cuMipmappedArrayGetLevel(
    pLevelArray: Out<CUarray>,
    hMipmappedArray: CUmipmappedArray,
    level: c_uint,
) -> Result<()>;

/// Destroys a mipmapped array.
#[entry(since = 5000, needs = init)]
pub fn cuMipmappedArrayDestroy(hMipmappedArray: CUmipmappedArray) -> Result<()>;
