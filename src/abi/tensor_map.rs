//! Tensor Map Object Management.

#![allow(non_snake_case)]

use super::ptr::{In, InOut, Out};
use super::types::{
    CUtensorMap, CUtensorMapAllocClass, CUtensorMapDataType, CUtensorMapFloatOOBfill, CUtensorMapIm2ColWideMode,
    CUtensorMapInterleave, CUtensorMapL2promotion, CUtensorMapSwizzle, cuuint32_t, cuuint64_t,
};
use crate::device::array::tensor_map;
use crate::device::array::tensor_map::Taken;
use api_macro::entry;
use core::ffi::{c_int, c_void};
use error::{Error, Result};

/// Encodes a descriptor for bulk copies of tiles of a tensor.
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
    if tensorMap.is_null() || !tensorMap.addr().is_multiple_of(64) || !(1..=5).contains(&rank) {
        return Err(Error::INVALID_VALUE);
    }
    let size = globalDim.slice(rank)?;
    let stride = globalStrides.slice(rank - 1)?;
    let (extent, step) = (boxDim.slice(rank)?, elementStrides.slice(rank)?);
    let request = tensor_map::Request {
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
    if tensorMap.is_null() || !tensorMap.addr().is_multiple_of(64) || !(3..=5).contains(&rank) {
        return Err(Error::INVALID_VALUE);
    }
    let size = globalDim.slice(rank)?;
    let stride = globalStrides.slice(rank - 1)?;
    let step = elementStrides.slice(rank)?;
    let (lower, upper) = (pixelBoxLowerCorner.slice(rank - 2)?, pixelBoxUpperCorner.slice(rank - 2)?);
    let request = tensor_map::Request {
        ty: tensorDataType.0,
        address: globalAddress as u64,
        size: &size,
        stride: &stride,
        step: &step,
        interleave: interleave.0,
        swizzle: swizzle.0,
        promotion: l2Promotion.0,
        fill: oobFill.0,
        taken: Taken::Columns { lower: &lower, upper: &upper, channels: channelsPerPixel, pixels: pixelsPerColumn },
    };
    tensorMap.set(CUtensorMap { opaque: tensor_map::encode(&request)? })
}

/// Encodes a descriptor for bulk copies in wide im2col order.
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
) -> Result<()>;

/// Changes the tensor address in a descriptor.
#[entry(since = 12000, needs = init)]
pub fn cuTensorMapReplaceAddress(tensorMap: InOut<CUtensorMap>, globalAddress: *mut c_void) -> Result<()> {
    let old = tensorMap.get()?;
    tensorMap.set(CUtensorMap { opaque: tensor_map::move_to(&old.opaque, globalAddress as u64)? })
}

/// Changes the allocation class in a descriptor.
#[entry(since = 13050, needs = init)]
pub fn cuTensorMapSetAllocationClass(
    tensorMap: InOut<CUtensorMap>,
    allocClass: CUtensorMapAllocClass,
    outAllocClass: Out<CUtensorMapAllocClass>,
) -> Result<()>;
