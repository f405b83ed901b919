//! Descriptors of tensors, for copies of boxes of them.

use crate::base::bounds::{
    BOX_SIZES, COLUMN_PIXELS, ELEMENT_STEPS, MOST_BOX_BYTES, PIXEL_CHANNELS, TENSOR_SIZES, TENSOR_STRIDE_END,
};
pub use engine::operations::tensor::descriptor::Order;
use engine::operations::tensor::descriptor::{Columns, Descriptor, MOST, MOST_INNER, WORDS};
use error::{Error, Result, refuse};

/// A tensor as the program describes it.
#[derive(Clone, Copy, Debug)]
pub struct TensorMapRequest<'a> {
    pub ty: u32,
    pub address: u64,
    pub size: &'a [u64],
    /// One less than there are axes.
    pub stride: &'a [u64],
    pub step: &'a [u32],
    pub interleave: u32,
    pub swizzle: u32,
    pub promotion: u32,
    pub fill: u32,
    pub taken: Taken<'a>,
}

/// The part of the tensor that one copy takes.
#[derive(Clone, Copy, Debug)]
pub enum Taken<'a> {
    /// Boxes: elements along each axis.
    Tile(&'a [u32]),
    /// Pixels of a box that is given by two corners, and channels of them.
    Columns { lower: &'a [i32], upper: &'a [i32], channels: u32, pixels: u32, order: Order },
}

/// The last of `CUtensorMapDataType` and `CUtensorMapSwizzle` on this device, and of the other enumerations.
const LAST_TYPE: u32 = 12;
const LAST_SWIZZLE: u32 = 3;
const LAST_INTERLEAVE: u32 = 2;
const LAST_PROMOTION: u32 = 3;
const LAST_FILL: u32 = 1;
/// Bits of the corners of a box of pixels, by its dimensions.
const CORNER_BITS: [u32; MOST_INNER] = [16, 8, 5];

fn check(holds: bool, what: &'static str) -> Result<()> {
    if holds { Ok(()) } else { Err(refuse!(Error::INVALID_VALUE, "{}", what)) }
}

/// The descriptor of a tensor and of boxes of it.
pub fn encode(request: &TensorMapRequest) -> Result<[u64; WORDS]> {
    let rank = request.size.len();
    let sliced = request.interleave != 0;
    let columns = matches!(request.taken, Taken::Columns { .. });
    check(
        (if sliced || columns { 3 } else { 1 }..=MOST).contains(&rank),
        "tensorRank is out of range for this interleave",
    )?;
    check(request.ty <= LAST_TYPE, "tensorDataType is not a CUtensorMapDataType")?;
    check(request.swizzle <= LAST_SWIZZLE, "swizzle is not a CUtensorMapSwizzle")?;
    check(request.interleave <= LAST_INTERLEAVE, "interleave is not a CUtensorMapInterleave")?;
    check(request.promotion <= LAST_PROMOTION, "l2Promotion is not a CUtensorMapL2promotion")?;
    check(request.fill <= LAST_FILL, "oobFill is not a CUtensorMapFloatOOBfill")?;
    let grain = if request.interleave == 2 { 32 } else { 16 };
    check(request.address != 0, "globalAddress is NULL")?;
    check(
        request.address.is_multiple_of(grain),
        "globalAddress is not a multiple of 16, or of 32 with CU_TENSOR_MAP_INTERLEAVE_32B",
    )?;
    check(request.size.iter().all(|n| TENSOR_SIZES.contains(n)), "globalDim has a size that is not 1 to 2^32")?;
    check(
        request.stride.iter().all(|n| n % grain == 0 && *n < TENSOR_STRIDE_END),
        "globalStrides has a stride that is not a multiple of 16 (of 32 with CU_TENSOR_MAP_INTERLEAVE_32B) or not less than 2^40",
    )?;
    check(request.step.iter().all(|n| ELEMENT_STEPS.contains(n)), "elementStrides has a step that is not 1 to 8")?;
    let mut descriptor = Descriptor {
        address: request.address,
        ty: request.ty,
        rank: rank as u32,
        interleave: request.interleave,
        swizzle: request.swizzle,
        nan: request.fill == 1,
        size: [0; MOST],
        stride: [0; MOST],
        extent: [1; MOST],
        step: [1; MOST],
        columns: None,
    };
    descriptor.size[..rank].copy_from_slice(request.size);
    descriptor.stride[1..rank].copy_from_slice(request.stride);
    descriptor.step[..rank].copy_from_slice(request.step);
    let element = descriptor
        .element()
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "tensorDataType does not go with this interleave"))?;
    let size = element.bytes() as u64;
    let (row, bytes) = match request.taken {
        Taken::Tile(extent) => {
            check(extent.iter().all(|n| BOX_SIZES.contains(n)), "boxDim has a size that is not 1 to 256")?;
            descriptor.extent[..rank].copy_from_slice(extent);
            let taken = extent.iter().zip(request.step).map(|(n, step)| u64::from(n / step));
            (u64::from(extent[0]) * size, taken.product::<u64>() * size)
        }
        Taken::Columns { lower, upper, channels, pixels, order } => {
            check(PIXEL_CHANNELS.contains(&channels), "channelsPerPixel is not 1 to 256")?;
            check(COLUMN_PIXELS.contains(&pixels), "pixelsPerColumn is not 1 to 1024")?;
            let first = usize::from(!sliced);
            let place = |corner: i32| {
                let most = 1 << (CORNER_BITS[rank - 3] - 1);
                check((-most..most).contains(&corner), "pixelBoxLowerCorner or pixelBoxUpperCorner is out of range")
                    .map(|()| corner as i16)
            };
            let mut found = Columns { channels: channels as u16, pixels: pixels as u16, order, ..Columns::default() };
            for inner in 0..rank - 2 {
                (found.lower[inner], found.upper[inner]) = (place(lower[inner])?, place(upper[inner])?);
                // Sizes have 32 bits here.
                let pixels = i64::from(request.size[first + inner] as u32) + i64::from(upper[inner]);
                check(pixels > lower[inner].into(), "pixelBoxLowerCorner leaves no pixel of pixelBoxUpperCorner")?;
            }
            descriptor.columns = Some(found);
            (u64::from(channels) * size, u64::from(channels * pixels) * size)
        }
    };
    check(row.is_multiple_of(16), "boxDim[0] (or channelsPerPixel) is not a multiple of 16 bytes")?;
    check(bytes <= MOST_BOX_BYTES, "boxDim is larger than shared memory")?;
    check(
        sliced || request.swizzle == 0 || row <= 16 << request.swizzle,
        "boxDim[0] (or channelsPerPixel) is more bytes than swizzle spans",
    )?;
    check(
        request.fill == 0 || element.is_float(),
        "oobFill is NaN for a tensorDataType that is no floating-point type",
    )?;
    Ok(descriptor.pack())
}

/// Whether words are a descriptor.
pub fn check_descriptor(words: &[u64; WORDS]) -> Result<()> {
    let refusal = || refuse!(Error::INVALID_VALUE, "tensorMap is not what cuTensorMapEncodeTiled wrote");
    Descriptor::unpack(words).map(drop).ok_or_else(refusal)
}

/// The descriptor of the same tensor at another address.
pub fn move_to(words: &[u64; WORDS], address: u64) -> Result<[u64; WORDS]> {
    let descriptor = Descriptor::unpack(words)
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "tensorMap is not what cuTensorMapEncodeTiled wrote"))?;
    check(address != 0, "globalAddress is NULL")?;
    check(address.is_multiple_of(16), "globalAddress is not a multiple of 16")?;
    Ok(Descriptor { address, ..descriptor }.pack())
}
