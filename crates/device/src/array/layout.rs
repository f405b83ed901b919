//! How much memory an array takes on the device, and in which tiles a sparse one is mapped.
//!
//! The device stores arrays in blocks of 64 bytes by 8 rows. Rows are padded to whole blocks. Where an array has no
//! depth, blocks are stacked, up to sixteen and to the next power of two of what the array has; where it has depth,
//! slices are grouped the same way. We keep the rows of an array one after another instead (see
//! [`crate::array::store`]): only the sizes that a program can ask for follow the device.

use crate::array::shape::ArrayShape;

/// The alignment of mappings of memory to arrays.
pub const PAGE: usize = 64 << 10;

const BLOCK_BYTES: usize = 64;
const BLOCK_ROWS: usize = 8;
const MOST_STACKED: usize = 16;

/// Bytes of one layer of a shape (all of it where it is not layered), without a mip level below it.
fn layer_bytes(shape: &ArrayShape) -> usize {
    let row = shape.row_bytes().next_multiple_of(BLOCK_BYTES);
    let blocks = shape.rows().div_ceil(BLOCK_ROWS);
    let stack = |n: usize| n.next_power_of_two().min(MOST_STACKED);
    if shape.is_layered() || shape.depth == 0 {
        row * blocks.next_multiple_of(stack(blocks)) * BLOCK_ROWS
    } else {
        row * blocks * BLOCK_ROWS * shape.depth.next_multiple_of(stack(shape.depth))
    }
}

/// Bytes of the mip levels `first..levels` of one layer.
fn levels_bytes(shape: &ArrayShape, first: u32, levels: u32) -> usize {
    (first..levels).map(|level| layer_bytes(&shape.level(level))).sum()
}

/// Bytes that an array with `levels` mip levels takes on the device, in whole pages.
pub fn required_bytes(shape: &ArrayShape, levels: u32) -> usize {
    blocks_bytes(shape, levels).next_multiple_of(PAGE)
}

/// Bytes of all blocks of an array with `levels` mip levels.
pub fn blocks_bytes(shape: &ArrayShape, levels: u32) -> usize {
    let layers = if shape.is_layered() { shape.slices() } else { 1 };
    let planes = shape.planes();
    let one = if planes.is_empty() {
        levels_bytes(shape, 0, levels)
    } else {
        planes.iter().map(|plane| levels_bytes(plane, 0, levels)).sum()
    };
    one * layers
}

/// Tiles and mip tail of a sparse array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SparseLayout {
    /// Elements of a tile of [`PAGE`] bytes, by dimension.
    pub tile: [u32; 3],
    /// The first level that is smaller than a tile in some dimension, so that it lies in the tail.
    pub tail_first: u32,
    /// Bytes of the tail: of each layer, or of the whole array if `single_tail`.
    pub tail_bytes: usize,
    /// Everything lies in one tail that all layers share.
    pub single_tail: bool,
}

/// The tiles of a sparse array with `levels` mip levels.
pub fn sparse_layout(shape: &ArrayShape, levels: u32) -> SparseLayout {
    let flat = shape.is_layered() || shape.depth == 0;
    // Powers of two, as square as they go; the width gets what is left over, then the height.
    let elements = (PAGE / shape.element_bytes()).ilog2();
    let bits = if flat {
        [elements.div_ceil(2), elements / 2, 0]
    } else {
        [elements.div_ceil(3), (elements + 1) / 3, elements / 3]
    };
    let block = shape.block() as u32;
    let tile = [block << bits[0], block << bits[1], 1 << bits[2]];
    let in_tail = |level: u32| {
        let s = shape.level(level);
        s.width < tile[0] as usize || s.height < tile[1] as usize || (!flat && s.depth < tile[2] as usize)
    };
    let tail_first = (0..levels).find(|&level| in_tail(level)).unwrap_or(levels);
    let single_tail = tail_first == 0;
    let tail_bytes = if single_tail {
        required_bytes(shape, levels)
    } else {
        levels_bytes(shape, tail_first, levels).next_multiple_of(PAGE)
    };
    SparseLayout { tile, tail_first, tail_bytes, single_tail }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::shape::{LAYERED, SPARSE};

    fn shape(width: usize, height: usize, depth: usize, channels: u32, flags: u32) -> ArrayShape {
        ArrayShape { width, height, depth, format: if channels == 4 { 0x20 } else { 0x01 }, channels, flags }
    }

    #[test]
    fn sizes_are_those_of_the_device() {
        let pages = |s: ArrayShape, levels| required_bytes(&s, levels) / PAGE;
        assert_eq!(pages(shape(500, 300, 0, 4, 0), 1), 47);
        assert_eq!(pages(shape(5000, 0, 0, 4, 0), 6), 20);
        assert_eq!(pages(shape(300, 200, 3, 4, LAYERED), 5), 76);
        assert_eq!(pages(shape(100, 100, 3, 4, 0), 1), 11);
        assert_eq!(pages(shape(100, 100, 33, 4, 0), 2), 134);
        assert_eq!(pages(shape(1000, 1000, 7, 1, 0), 1), 125);
        assert_eq!(pages(shape(1, 1, 1, 1, 0), 1), 1);
    }

    #[test]
    fn tiles_hold_a_page() {
        let layout = |s: ArrayShape, levels| sparse_layout(&s, levels);
        let float = |width, height, depth, flags| ArrayShape { width, height, depth, format: 0x20, channels: 1, flags };
        assert_eq!(layout(float(1024, 1024, 0, SPARSE), 1).tile, [128, 128, 1]);
        assert_eq!(layout(float(256, 256, 64, SPARSE), 1).tile, [32, 32, 16]);
        let bytes =
            |width, height, depth| ArrayShape { width, height, depth, format: 0x01, channels: 1, flags: SPARSE };
        assert_eq!(layout(bytes(1024, 1024, 0), 1).tile, [256, 256, 1]);
        assert_eq!(layout(bytes(256, 256, 256), 1).tile, [64, 32, 32]);
        let blocks = ArrayShape { width: 256, height: 256, depth: 256, format: 0x91, channels: 4, flags: SPARSE };
        assert_eq!(layout(blocks, 1).tile, [128, 64, 16]);
        let tail = layout(float(1024, 256, 0, SPARSE), 4);
        assert_eq!((tail.tail_first, tail.tail_bytes / PAGE, tail.single_tail), (2, 2, false));
        let tail = layout(float(8, 512, 0, SPARSE), 9);
        assert_eq!((tail.tail_first, tail.tail_bytes / PAGE, tail.single_tail), (0, 2, true));
        let none = layout(float(1024, 1024, 3, SPARSE | LAYERED), 2);
        assert_eq!((none.tail_first, none.tail_bytes), (2, 0));
    }
}
