//! Tensor Map Object Management.

#![allow(non_snake_case)]

use super::ptr::{In, InOut, Out};
use super::types::{
    CU_TENSOR_MAP_ALLOC_CLASS_LARGE, CU_TENSOR_MAP_ALLOC_CLASS_SMALL, CU_TENSOR_MAP_IM2COL_WIDE_MODE_W,
    CU_TENSOR_MAP_IM2COL_WIDE_MODE_W128, CUtensorMap, CUtensorMapAllocClass, CUtensorMapDataType,
    CUtensorMapFloatOOBfill, CUtensorMapIm2ColWideMode, CUtensorMapInterleave, CUtensorMapL2promotion,
    CUtensorMapSwizzle, cuuint32_t, cuuint64_t,
};
use api_macro::entry;
use core::ffi::{c_int, c_void};
use device::array::tensor_map;
use device::array::tensor_map::{Order, Taken};
use error::{Error, Result, refuse_if};

/// Encodes a descriptor for bulk copies of tiles of a tensor.
///
/// - `tensorMap`: receives the descriptor, 128 bytes.
/// - `tensorDataType`: type of an element, `CU_TENSOR_MAP_DATA_TYPE_*`.
/// - `tensorRank`: number of dimensions, 1 to 5; at least 3 with an interleave.
/// - `globalAddress`: address of the tensor, a multiple of 16, of 32 with the interleave of 32 bytes.
/// - `globalDim`: array of `tensorRank` extents in elements, 1 to 2^32 each.
/// - `globalStrides`: array of `tensorRank` - 1 distances in bytes, of all dimensions but the first: multiples of 16,
///   of 32 with the interleave of 32 bytes, less than 2^40.
/// - `boxDim`: array of `tensorRank` extents of a tile in elements, 1 to 256 each; a row is a multiple of 16 bytes.
/// - `elementStrides`: array of `tensorRank` steps in elements, 1 to 8 each.
/// - `interleave`: `CU_TENSOR_MAP_INTERLEAVE_*`.
/// - `swizzle`: `CU_TENSOR_MAP_SWIZZLE_*`; a row is no longer than what is swizzled.
/// - `l2Promotion`: `CU_TENSOR_MAP_L2_PROMOTION_*`, which changes nothing here.
/// - `oobFill`: `CU_TENSOR_MAP_FLOAT_OOB_FILL_*`: what copies read outside of the tensor; NaNs for floats only.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `tensorMap` or an array is NULL, if a value is out of its range, or
/// if a tile is larger than the shared memory of a multiprocessor.
///
/// Manual: Tensor Map Object Management.
#[entry(since = 12000, needs = init)]
pub fn cuTensorMapEncodeTiled(
    tensorMap: Out<CUtensorMap>,
    tensorDataType: CUtensorMapDataType,
    tensorRank: cuuint32_t,
    globalAddress: *mut c_void,
    globalDim: In<cuuint64_t>,
    globalStrides: In<cuuint64_t>,
    boxDim: In<cuuint32_t>,
    elementStrides: In<cuuint32_t>,
    interleave: CUtensorMapInterleave,
    swizzle: CUtensorMapSwizzle,
    l2Promotion: CUtensorMapL2promotion,
    oobFill: CUtensorMapFloatOOBfill,
) -> Result<()> {
    let rank = tensorRank as usize;
    refuse_if!(Error::INVALID_VALUE, tensorMap.is_null(), "tensorMap is NULL");
    refuse_if!(Error::INVALID_VALUE, !(1..=5).contains(&rank), "tensorRank {} is not 1 to 5", rank);
    let size = globalDim.slice(rank)?;
    let stride = globalStrides.slice(rank - 1)?;
    let (extent, step) = (boxDim.slice(rank)?, elementStrides.slice(rank)?);
    let request = tensor_map::TensorMapRequest {
        ty: tensorDataType.0,
        address: globalAddress as u64,
        size: &size,
        stride: &stride,
        step: &step,
        interleave: interleave.0,
        swizzle: swizzle.0,
        promotion: l2Promotion.0,
        fill: oobFill.0,
        taken: Taken::Tile(&extent),
    };
    tensorMap.set(CUtensorMap { opaque: tensor_map::encode(&request)? })
}

/// Encodes a descriptor for bulk copies in im2col order.
///
/// - `tensorMap`: receives the descriptor, 128 bytes.
/// - `tensorDataType`: type of an element, `CU_TENSOR_MAP_DATA_TYPE_*`.
/// - `tensorRank`: number of dimensions, 3 to 5.
/// - `globalAddress`: address of the tensor, a multiple of 16, of 32 with the interleave of 32 bytes.
/// - `globalDim`: array of `tensorRank` extents in elements, 1 to 2^32 each.
/// - `globalStrides`: array of `tensorRank` - 1 distances in bytes, of all dimensions but the first: multiples of 16,
///   of 32 with the interleave of 32 bytes, less than 2^40.
/// - `pixelBoxLowerCorner`: array of `tensorRank` - 2 corners of the box of pixels in elements, signed numbers of 16, 8
///   or 5 bits for 3, 4 or 5 dimensions.
/// - `pixelBoxUpperCorner`: array of `tensorRank` - 2 opposite corners, counted from the end of each dimension, of as
///   many bits.
/// - `channelsPerPixel`: channels that a copy takes of a pixel, 1 to 256; together a multiple of 16 bytes.
/// - `pixelsPerColumn`: pixels that a copy takes, 1 to 1024.
/// - `elementStrides`: array of `tensorRank` steps in elements, 1 to 8 each.
/// - `interleave`: `CU_TENSOR_MAP_INTERLEAVE_*`.
/// - `swizzle`: `CU_TENSOR_MAP_SWIZZLE_*`; a row is no longer than what is swizzled.
/// - `l2Promotion`: `CU_TENSOR_MAP_L2_PROMOTION_*`, which changes nothing here.
/// - `oobFill`: `CU_TENSOR_MAP_FLOAT_OOB_FILL_*`: what copies read outside of the tensor; NaNs for floats only.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `tensorMap` or an array is NULL, if a value is out of its range, if
/// the box of pixels is empty, or if a copy is larger than the shared memory of a multiprocessor.
///
/// Manual: Tensor Map Object Management.
#[entry(since = 12000, needs = init)]
pub fn cuTensorMapEncodeIm2col(
    tensorMap: Out<CUtensorMap>,
    tensorDataType: CUtensorMapDataType,
    tensorRank: cuuint32_t,
    globalAddress: *mut c_void,
    globalDim: In<cuuint64_t>,
    globalStrides: In<cuuint64_t>,
    pixelBoxLowerCorner: In<c_int>,
    pixelBoxUpperCorner: In<c_int>,
    channelsPerPixel: cuuint32_t,
    pixelsPerColumn: cuuint32_t,
    elementStrides: In<cuuint32_t>,
    interleave: CUtensorMapInterleave,
    swizzle: CUtensorMapSwizzle,
    l2Promotion: CUtensorMapL2promotion,
    oobFill: CUtensorMapFloatOOBfill,
) -> Result<()> {
    let rank = tensorRank as usize;
    refuse_if!(Error::INVALID_VALUE, tensorMap.is_null(), "tensorMap is NULL");
    refuse_if!(Error::INVALID_VALUE, !(3..=5).contains(&rank), "tensorRank {} is not 3 to 5", rank);
    let size = globalDim.slice(rank)?;
    let stride = globalStrides.slice(rank - 1)?;
    let step = elementStrides.slice(rank)?;
    let (lower, upper) = (pixelBoxLowerCorner.slice(rank - 2)?, pixelBoxUpperCorner.slice(rank - 2)?);
    let request = tensor_map::TensorMapRequest {
        ty: tensorDataType.0,
        address: globalAddress as u64,
        size: &size,
        stride: &stride,
        step: &step,
        interleave: interleave.0,
        swizzle: swizzle.0,
        promotion: l2Promotion.0,
        fill: oobFill.0,
        taken: Taken::Columns {
            lower: &lower,
            upper: &upper,
            channels: channelsPerPixel,
            pixels: pixelsPerColumn,
            order: Order::Box,
        },
    };
    tensorMap.set(CUtensorMap { opaque: tensor_map::encode(&request)? })
}

/// Encodes a descriptor for bulk copies in wide im2col order.
///
/// - `tensorMap`: receives the descriptor, 128 bytes.
/// - `tensorDataType`: type of an element, `CU_TENSOR_MAP_DATA_TYPE_*`.
/// - `tensorRank`: number of dimensions, 3 to 5.
/// - `globalAddress`: address of the tensor, a multiple of 16, of 32 with the interleave of 32 bytes.
/// - `globalDim`: array of `tensorRank` extents in elements, 1 to 2^32 each.
/// - `globalStrides`: array of `tensorRank` - 1 distances in bytes, of all dimensions but the first: multiples of 16,
///   of 32 with the interleave of 32 bytes, less than 2^40.
/// - `pixelBoxLowerCornerWidth`: corner of the box of pixels along the width, in elements.
/// - `pixelBoxUpperCornerWidth`: opposite corner, counted from the end of the width.
/// - `channelsPerPixel`: channels that a copy takes of a pixel, 1 to 256; together a multiple of 16 bytes.
/// - `pixelsPerColumn`: pixels that a copy takes, 1 to 1024.
/// - `elementStrides`: array of `tensorRank` steps in elements, 1 to 8 each.
/// - `interleave`: `CU_TENSOR_MAP_INTERLEAVE_*`.
/// - `mode`: `CU_TENSOR_MAP_IM2COL_WIDE_MODE_*`.
/// - `swizzle`: `CU_TENSOR_MAP_SWIZZLE_*`; a row is no longer than what is swizzled.
/// - `l2Promotion`: `CU_TENSOR_MAP_L2_PROMOTION_*`, which changes nothing here.
/// - `oobFill`: `CU_TENSOR_MAP_FLOAT_OOB_FILL_*`: what copies read outside of the tensor; NaNs for floats only.
///
/// Kernels copy in this order on devices of compute capability 10.0.
///
/// Errors: as [`cuTensorMapEncodeIm2col`]; `CUDA_ERROR_INVALID_VALUE` for another mode.
///
/// Manual: Tensor Map Object Management.
#[entry(since = 12080, needs = init)]
pub fn cuTensorMapEncodeIm2colWide(
    tensorMap: Out<CUtensorMap>,
    tensorDataType: CUtensorMapDataType,
    tensorRank: cuuint32_t,
    globalAddress: *mut c_void,
    globalDim: In<cuuint64_t>,
    globalStrides: In<cuuint64_t>,
    pixelBoxLowerCornerWidth: c_int,
    pixelBoxUpperCornerWidth: c_int,
    channelsPerPixel: cuuint32_t,
    pixelsPerColumn: cuuint32_t,
    elementStrides: In<cuuint32_t>,
    interleave: CUtensorMapInterleave,
    mode: CUtensorMapIm2ColWideMode,
    swizzle: CUtensorMapSwizzle,
    l2Promotion: CUtensorMapL2promotion,
    oobFill: CUtensorMapFloatOOBfill,
) -> Result<()> {
    let rank = tensorRank as usize;
    refuse_if!(Error::INVALID_VALUE, tensorMap.is_null(), "tensorMap is NULL");
    refuse_if!(Error::INVALID_VALUE, !(3..=5).contains(&rank), "tensorRank {} is not 3 to 5", rank);
    refuse_if!(
        Error::INVALID_VALUE,
        mode != CU_TENSOR_MAP_IM2COL_WIDE_MODE_W && mode != CU_TENSOR_MAP_IM2COL_WIDE_MODE_W128,
        "mode {:?} is not a CUtensorMapIm2ColWideMode",
        mode
    );
    let size = globalDim.slice(rank)?;
    let stride = globalStrides.slice(rank - 1)?;
    let step = elementStrides.slice(rank)?;
    // The corners of the other dimensions have the bounds of the width's, which is all that they are checked for.
    let corners = |corner: c_int| vec![corner; rank - 2];
    let (lower, upper) = (corners(pixelBoxLowerCornerWidth), corners(pixelBoxUpperCornerWidth));
    let request = tensor_map::TensorMapRequest {
        ty: tensorDataType.0,
        address: globalAddress as u64,
        size: &size,
        stride: &stride,
        step: &step,
        interleave: interleave.0,
        swizzle: swizzle.0,
        promotion: l2Promotion.0,
        fill: oobFill.0,
        taken: Taken::Columns {
            lower: &lower,
            upper: &upper,
            channels: channelsPerPixel,
            pixels: pixelsPerColumn,
            order: if mode == CU_TENSOR_MAP_IM2COL_WIDE_MODE_W { Order::Width } else { Order::Width128 },
        },
    };
    tensorMap.set(CUtensorMap { opaque: tensor_map::encode(&request)? })
}

/// Changes the tensor address in a descriptor.
///
/// - `tensorMap`: the descriptor.
/// - `globalAddress`: the new address, a multiple of 16.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `tensorMap` is NULL or no descriptor, or if the address is NULL or not
/// aligned.
///
/// Manual: Tensor Map Object Management.
#[entry(since = 12000, needs = init)]
pub fn cuTensorMapReplaceAddress(tensorMap: InOut<CUtensorMap>, globalAddress: *mut c_void) -> Result<()> {
    let old = tensorMap.get()?;
    tensorMap.set(CUtensorMap { opaque: tensor_map::move_to(&old.opaque, globalAddress as u64)? })
}

/// Changes the allocation class in a descriptor; has no effect on any device that there is here.
///
/// - `tensorMap`: the descriptor; stays as it is.
/// - `allocClass`: the class that is wanted, `CU_TENSOR_MAP_ALLOC_CLASS_*`.
/// - `outAllocClass`: receives the class in effect, always `CU_TENSOR_MAP_ALLOC_CLASS_SMALL`, also on failure; may be
///   NULL.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `tensorMap` is NULL or no descriptor, or the class is unknown.
///
/// Manual: Tensor Map Object Management.
#[entry(since = 13050, needs = init, status = "implemented by the manual; newer than driver 580")]
pub fn cuTensorMapSetAllocationClass(
    tensorMap: InOut<CUtensorMap>,
    allocClass: CUtensorMapAllocClass,
    outAllocClass: Out<CUtensorMapAllocClass>,
) -> Result<()> {
    outAllocClass.set_opt(CU_TENSOR_MAP_ALLOC_CLASS_SMALL)?;
    refuse_if!(
        Error::INVALID_VALUE,
        allocClass.0 > CU_TENSOR_MAP_ALLOC_CLASS_LARGE.0,
        "allocClass {:?} is not a CUtensorMapAllocClass",
        allocClass
    );
    tensor_map::check_descriptor(&tensorMap.get()?.opaque)
}
