//! Shapes of arrays.

use crate::abi::types::{CUDA_ARRAY3D_DESCRIPTOR, CUarray_format};
use core::ffi::c_uint;
use device::array::ArrayShape;

/// An extent as the driver reads it: of a `size_t` only the lower 32 bits count.
fn extent(n: usize) -> usize {
    n & u32::MAX as usize
}

/// The shape that a descriptor of up to three dimensions describes.
pub fn shape_3d(desc: &CUDA_ARRAY3D_DESCRIPTOR) -> ArrayShape {
    ArrayShape {
        width: extent(desc.Width),
        height: extent(desc.Height),
        depth: extent(desc.Depth),
        format: desc.Format.0,
        channels: desc.NumChannels,
        flags: desc.Flags,
    }
}

/// The shape that the members of a descriptor of up to two dimensions describe.
pub fn shape_2d(width: usize, height: usize, format: CUarray_format, channels: c_uint) -> ArrayShape {
    ArrayShape { width: extent(width), height: extent(height), depth: 0, format: format.0, channels, flags: 0 }
}
