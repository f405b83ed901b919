//! Descriptors of tensors, for copies of boxes of them.

use crate::engine::tensor::{Descriptor, MOST, WORDS};
use crate::error::{Error, Result};

/// What a program says of a tensor.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    pub ty: u32,
    pub address: u64,
    pub size: &'a [u64],
    /// One less than there are axes.
    pub stride: &'a [u64],
    pub extent: &'a [u32],
    pub step: &'a [u32],
    pub interleave: u32,
    pub swizzle: u32,
    pub promotion: u32,
    pub fill: u32,
}

/// `CUtensorMapDataType`: types of whole elements, and those that are rounded or packed.
const LAST_PLAIN: u32 = 10;
const LAST_TYPE: u32 = 15;
const LAST_SWIZZLE: u32 = 6;

fn check(holds: bool) -> Result<()> {
    if holds { Ok(()) } else { Err(Error::INVALID_VALUE) }
}

/// The descriptor of a tensor and of boxes of it.
pub fn encode(request: &Request) -> Result<[u64; WORDS]> {
    let rank = request.size.len();
    check((1..=MOST).contains(&rank))?;
    check(request.ty <= LAST_TYPE && request.swizzle <= LAST_SWIZZLE && request.interleave <= 2)?;
    check(request.promotion <= 3 && request.fill <= 1)?;
    let grain = if request.interleave == 2 { 32 } else { 16 };
    check(request.address != 0 && request.address.is_multiple_of(grain))?;
    check(request.size.iter().all(|n| (1..=1 << 32).contains(n)))?;
    check(request.stride.iter().all(|n| n % grain == 0 && *n < 1 << 40))?;
    check(request.extent.iter().all(|n| (1..=256).contains(n)))?;
    check(request.step.iter().all(|n| (1..=8).contains(n)))?;
    check(request.interleave == 0 || rank >= 3)?;
    check(request.interleave != 2 || request.swizzle == 1)?;
    if request.interleave != 0 || request.ty > LAST_PLAIN || request.swizzle > 3 {
        return Err(Error::NOT_SUPPORTED);
    }
    let mut descriptor = Descriptor {
        address: request.address,
        ty: request.ty,
        rank: rank as u32,
        swizzle: request.swizzle,
        nan: request.fill == 1,
        size: [0; MOST],
        stride: [0; MOST],
        extent: [0; MOST],
        step: [0; MOST],
    };
    descriptor.size[..rank].copy_from_slice(request.size);
    descriptor.stride[1..rank].copy_from_slice(request.stride);
    descriptor.extent[..rank].copy_from_slice(request.extent);
    descriptor.step[..rank].copy_from_slice(request.step);
    let element = descriptor.element().ok_or(Error::INVALID_VALUE)?;
    let row = u64::from(request.extent[0]) * element.bytes() as u64;
    check(row.is_multiple_of(16))?;
    check(request.swizzle == 0 || row <= 16 << request.swizzle)?;
    check(request.fill == 0 || element.is_float())?;
    Ok(descriptor.pack())
}

/// The descriptor of the same tensor elsewhere.
pub fn move_to(words: &[u64; WORDS], address: u64) -> Result<[u64; WORDS]> {
    let descriptor = Descriptor::unpack(words).ok_or(Error::INVALID_VALUE)?;
    check(address != 0 && address.is_multiple_of(16))?;
    Ok(Descriptor { address, ..descriptor }.pack())
}
