//! What arrays take, by their descriptors: elements without the padding of the real driver, which it tells nobody.

use core::ffi::c_uint;
use device::array::format::Format;

/// `CUDA_ARRAY_DESCRIPTOR`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct ArrayDescriptor {
    width: usize,
    height: usize,
    format: u32,
    channels: c_uint,
}

/// `CUDA_ARRAY3D_DESCRIPTOR`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Array3dDescriptor {
    width: usize,
    height: usize,
    depth: usize,
    format: u32,
    channels: c_uint,
    flags: c_uint,
}

impl From<ArrayDescriptor> for Array3dDescriptor {
    fn from(from: ArrayDescriptor) -> Self {
        let ArrayDescriptor { width, height, format, channels } = from;
        Array3dDescriptor { width, height, depth: 0, format, channels, flags: 0 }
    }
}

/// `CUDA_ARRAY3D_SPARSE` and `CUDA_ARRAY3D_DEFERRED_MAPPING`: memory is mapped later, and counts by itself.
const MAPPED_LATER: c_uint = 0x40 | 0x80;

/// Side of a block of a compressed format, 1 for others, and bytes of a block.
fn block(format: u32, channels: c_uint) -> (u64, u64) {
    match Format::find(format).filter(|format| !format.is_video()) {
        Some(format) => (format.block() as u64, format.element_bytes(channels) as u64),
        // Planes and packed pixels of videos have 4 bytes at most.
        None => (1, 4),
    }
}

fn level(array: &Array3dDescriptor, level: u32) -> u64 {
    /// `CUDA_ARRAY3D_LAYERED`: the depth is a number of layers.
    const LAYERED: c_uint = 1;
    let (side, bytes) = block(array.format, array.channels);
    let shrunk = |n: usize| (n as u64).checked_shr(level).unwrap_or(0).max(1);
    let depth = if array.flags & LAYERED != 0 { array.depth.max(1) as u64 } else { shrunk(array.depth) };
    let blocks = |n: usize| shrunk(n).div_ceil(side);
    blocks(array.width).saturating_mul(blocks(array.height)).saturating_mul(depth).saturating_mul(bytes)
}

/// Bytes of an array.
pub fn array(array: &Array3dDescriptor) -> u64 {
    if array.flags & MAPPED_LATER != 0 { 0 } else { level(array, 0) }
}

/// Bytes of all levels of a mipmapped array.
pub fn mipmapped_array(array: &Array3dDescriptor, levels: c_uint) -> u64 {
    if array.flags & MAPPED_LATER != 0 {
        return 0;
    }
    // No dimension has more bits.
    (0..levels.min(64)).map(|n| level(array, n)).fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn descriptor(size: [usize; 3], format: u32, channels: c_uint, flags: c_uint) -> Array3dDescriptor {
        let [width, height, depth] = size;
        Array3dDescriptor { width, height, depth, format, channels, flags }
    }

    #[test]
    fn sizes() {
        assert_eq!(array(&descriptor([100, 0, 0], 0x20, 1, 0)), 400);
        assert_eq!(array(&descriptor([100, 10, 0], 0x01, 4, 0)), 4000);
        assert_eq!(array(&descriptor([16, 16, 4], 0x10, 2, 0)), 16 * 16 * 4 * 4);
        assert_eq!(array(&descriptor([16, 10, 0], 0x91, 4, 0)), 4 * 3 * 8);
        assert_eq!(array(&descriptor([16, 16, 0], 0x20, 1, 0x40)), 0);
        assert_eq!(mipmapped_array(&descriptor([4, 4, 0], 0x20, 1, 0), 3), 4 * (16 + 4 + 1));
        assert_eq!(mipmapped_array(&descriptor([4, 4, 6], 0x20, 1, 1), 2), 4 * 6 * (16 + 4));
        assert_eq!(mipmapped_array(&descriptor([4, 4, 4], 0x20, 1, 0), 2), 4 * (64 + 8));
        assert_eq!(array(&descriptor([usize::MAX, usize::MAX, 0], 0x20, 4, 0)), u64::MAX);
    }
}
