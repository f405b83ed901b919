//! Mapping of physical memory into arrays that were made without: tiles and mip tails of sparse arrays, and arrays
//! with deferred mapping as a whole.

use crate::array::arrays::{Array, MipmappedArray};
use crate::array::layout;
use crate::array::layout::PAGE;
use crate::array::shape::ArrayShape;
use crate::array::store::{Provided, Store};
use crate::memory::physical;
use crate::memory::physical::{Physical, Window};
use crate::stream::{Stream, Work};
use error::{Error, Result, refuse, refuse_if};
use std::ops::Range;
use std::sync::Arc;

/// The array that memory is mapped into, by handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MappingTarget {
    /// An array.
    Array(usize),
    /// A mipmapped array.
    Mipmapped(usize),
}

/// A part of a sparse array; ignored for an array with deferred mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayPart {
    /// A box of whole tiles, in elements.
    Tiles {
        /// Mip level.
        level: u32,
        /// Layer of a layered array.
        layer: u32,
        /// Corner.
        offset: [u32; 3],
        /// Width, height, depth.
        extent: [u32; 3],
    },
    /// The mip tail.
    Tail {
        /// Layer of a layered array that has a tail for each.
        layer: u32,
        /// First byte.
        offset: u64,
        /// Bytes.
        size: u64,
    },
}

/// One mapping or unmapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MappingRequest {
    /// Where.
    pub target: MappingTarget,
    /// Which part of it.
    pub part: ArrayPart,
    /// Handle of the memory and the first byte of it; `None` unmaps.
    pub memory: Option<(u64, u64)>,
    /// Bits of device ordinals: the array's.
    pub devices: u32,
}

/// What a request changes.
struct Change {
    store: Arc<Store>,
    what: What,
}

/// What is mapped or unmapped.
enum What {
    /// All of an array with deferred mapping.
    Whole(Option<Provided>),
    /// A tile gets memory.
    Tile(u64, Provided),
    /// Tiles of a level, which begins at the tile with this number, lose theirs.
    NoTiles(usize, Tiles),
}

/// Maps or unmaps in the stream's order. Everything is checked before the first change.
pub fn map(stream: &Arc<Stream>, requests: &[MappingRequest]) -> Result<()> {
    let mut changes = Vec::new();
    for request in requests {
        check(request, &mut changes)?;
    }
    let task = move || {
        for change in &changes {
            match &change.what {
                What::Whole(memory) => change.store.map(memory.clone()),
                What::Tile(tile, memory) => change.store.map_tile(*tile, memory.clone()),
                What::NoTiles(first, tiles) => change.store.unmap_tiles(|n| tiles.contains(n, *first)),
            }
        }
        Ok(())
    };
    stream.enqueue(Work::Task(Arc::new(task)))
}

/// The array of a request, or its levels.
struct Subject {
    levels: Vec<Arc<Array>>,
    /// First level in the mip tail, and bytes of the tail.
    tail: Option<(usize, usize)>,
    /// Bytes that an array with deferred mapping needs.
    deferred: Option<usize>,
}

fn subject(target: MappingTarget) -> Result<Subject> {
    let (levels, layout, required) = match target {
        MappingTarget::Array(handle) => {
            let array = Array::find(handle)?;
            let (layout, required) = (array.sparse_layout(), array.memory_requirements());
            (vec![array], layout, required)
        }
        MappingTarget::Mipmapped(handle) => {
            let mipmapped = MipmappedArray::find(handle)?;
            (mipmapped.levels.clone(), mipmapped.sparse_layout(), mipmapped.memory_requirements())
        }
    };
    let tail = layout.ok().map(|l| (l.tail_first as usize, l.tail_bytes));
    let deferred = required.ok().map(|(bytes, _)| bytes);
    if tail.is_none() && deferred.is_none() {
        return Err(refuse!(
            Error::INVALID_VALUE,
            "mapInfoList: resource is neither a sparse array nor one whose memory is deferred"
        ));
    }
    Ok(Subject { levels, tail, deferred })
}

/// `bytes` bytes of memory that may be mapped into arrays.
fn memory_at(handle: u64, offset: u64, bytes: usize) -> Result<(Arc<Physical>, usize)> {
    let physical = physical::find(handle)?;
    let offset = usize::try_from(offset)
        .map_err(|_| refuse!(Error::INVALID_VALUE, "mapInfoList: offset {} is too large", offset))?;
    let end = offset
        .checked_add(bytes)
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "mapInfoList: offset {} is too large", offset))?;
    refuse_if!(
        Error::INVALID_VALUE,
        !physical.properties.tile_pool,
        "mapInfoList: memHandle {:#x} is not a tile pool",
        handle
    );
    refuse_if!(
        Error::INVALID_VALUE,
        !offset.is_multiple_of(PAGE),
        "mapInfoList: offset {} is not a multiple of {}",
        offset,
        PAGE
    );
    refuse_if!(
        Error::INVALID_VALUE,
        end > physical.size,
        "mapInfoList: offset {} + {} bytes goes beyond the end of the memory, {} bytes",
        offset,
        bytes,
        physical.size
    );
    Ok((physical, offset))
}

fn provided(window: &Arc<Window>, offset: usize) -> Provided {
    Provided { base: window.base() + offset, owner: window.clone() }
}

fn check(request: &MappingRequest, changes: &mut Vec<Change>) -> Result<()> {
    let subject = subject(request.target)?;
    let first =
        subject.levels.first().ok_or_else(|| refuse!(Error::INVALID_VALUE, "mapInfoList: resource has no levels"))?;
    refuse_if!(
        Error::INVALID_VALUE,
        Some(request.devices) != 1u32.checked_shl(first.device.ordinal),
        "mapInfoList: deviceBitMask {:#x} is not that of the array's device {}",
        request.devices,
        first.device.ordinal
    );
    let store = &first.store;
    if let Some(bytes) = subject.deferred {
        let memory = match request.memory {
            Some((handle, offset)) => {
                let (physical, offset) = memory_at(handle, offset, bytes)?;
                Some(provided(&physical.window()?, offset))
            }
            None => None,
        };
        changes.push(Change { store: store.clone(), what: What::Whole(memory) });
        return Ok(());
    }
    let Some((tail_first, tail_bytes)) = subject.tail else {
        return Err(refuse!(Error::INVALID_VALUE, "mapInfoList: resource is not sparse"));
    };
    match request.part {
        ArrayPart::Tiles { level, layer, offset, extent } => {
            let level = level as usize;
            let array = subject.levels.get(level).ok_or_else(|| {
                refuse!(Error::INVALID_VALUE, "mapInfoList: level {} is not less than {}", level, subject.levels.len())
            })?;
            refuse_if!(
                Error::INVALID_VALUE,
                subject.levels.len() > 1 && level >= tail_first,
                "mapInfoList: level {} is in the mip tail, which begins at {}",
                level,
                tail_first
            );
            let tiles = tiles(&array.shape, layer, offset, extent)?;
            let Some((handle, offset)) = request.memory else {
                changes.push(Change { store: store.clone(), what: What::NoTiles(array.offset, tiles) });
                return Ok(());
            };
            // `memory_at` refuses more tiles than the memory has.
            let bytes = tiles
                .count()
                .checked_mul(PAGE)
                .ok_or_else(|| refuse!(Error::INVALID_VALUE, "mapInfoList: extent is too large"))?;
            let (physical, offset) = memory_at(handle, offset, bytes)?;
            let window = physical.window()?;
            for (i, tile) in tiles.numbers().enumerate() {
                let what = What::Tile((array.offset + tile) as u64, provided(&window, offset + i * PAGE));
                changes.push(Change { store: store.clone(), what });
            }
            Ok(())
        }
        ArrayPart::Tail { layer, offset, size } => {
            refuse_if!(Error::INVALID_VALUE, tail_bytes == 0, "mapInfoList: the array has no mip tail");
            refuse_if!(Error::INVALID_VALUE, offset != 0, "mapInfoList: offset {} in the mip tail is not 0", offset);
            refuse_if!(
                Error::INVALID_VALUE,
                size != tail_bytes as u64,
                "mapInfoList: size {} is not that of the mip tail, {}",
                size,
                tail_bytes
            );
            let mut tail = Vec::new();
            for array in subject.levels.iter().skip(tail_first) {
                let shape = &array.shape;
                let all =
                    [shape.width as u32, shape.height as u32, if shape.is_layered() { 1 } else { shape.depth as u32 }];
                tail.push((array.offset, tiles(shape, layer, [0; 3], all.map(|n| n.max(1)))?));
            }
            let Some((handle, offset)) = request.memory else {
                let unmap = |(first, tiles)| Change { store: store.clone(), what: What::NoTiles(first, tiles) };
                changes.extend(tail.into_iter().map(unmap));
                return Ok(());
            };
            // A program cannot see the layout of the levels in a tail: they get memory of our own layout, which lives
            // as long as the mapping.
            memory_at(handle, offset, tail_bytes)?;
            let count: usize = tail.iter().map(|(_, tiles)| tiles.count()).sum();
            let window = Window::anonymous(count * PAGE)?;
            let numbers = tail.iter().flat_map(|(first, tiles)| tiles.numbers().map(move |tile| (first + tile) as u64));
            for (i, tile) in numbers.enumerate() {
                changes.push(Change { store: store.clone(), what: What::Tile(tile, provided(&window, i * PAGE)) });
            }
            Ok(())
        }
    }
}

/// Tiles in a box of a level: columns, lines, and slices or layers of tiles. The level has so many columns and lines.
struct Tiles {
    ranges: [Range<usize>; 3],
    columns: usize,
    lines: usize,
}

impl Tiles {
    fn count(&self) -> usize {
        self.ranges.iter().map(Range::len).product()
    }

    /// Their numbers, as [`Array::tile_run`] counts them.
    fn numbers(&self) -> impl Iterator<Item = usize> {
        let [across, down, deep] = &self.ranges;
        let rows = deep.clone().flat_map(move |z| down.clone().map(move |y| (z * self.lines + y) * self.columns));
        rows.flat_map(move |row| across.clone().map(move |x| row + x))
    }

    /// Whether they hold the tile with a number in the store, in which the level begins at `first`.
    fn contains(&self, number: u64, first: usize) -> bool {
        let Some(tile) = usize::try_from(number).ok().and_then(|n| n.checked_sub(first)) else { return false };
        let (row, x) = (tile / self.columns, tile % self.columns);
        let at = [x, row % self.lines, row / self.lines];
        self.ranges.iter().zip(at).all(|(range, at)| range.contains(&at))
    }
}

/// The tiles of a box of a level, which is made of whole tiles except where the level ends.
fn tiles(shape: &ArrayShape, layer: u32, offset: [u32; 3], extent: [u32; 3]) -> Result<Tiles> {
    let tile = layout::sparse_layout(shape, 1).tile;
    let layered = shape.is_layered();
    let size = [shape.width as u32, shape.height.max(1) as u32, if layered { 1 } else { shape.depth.max(1) as u32 }];
    let mut ranges: [Range<usize>; 3] = Default::default();
    for axis in 0..3 {
        let (start, tile) = (offset[axis], tile[axis].max(1));
        let end = start.checked_add(extent[axis]).ok_or_else(|| {
            refuse!(Error::INVALID_VALUE, "mapInfoList: offset {} + extent {} is too large", start, extent[axis])
        })?;
        let whole = start.is_multiple_of(tile) && (end.is_multiple_of(tile) || end == size[axis]);
        refuse_if!(Error::INVALID_VALUE, extent[axis] == 0, "mapInfoList: extent is 0 in dimension {}", axis);
        refuse_if!(
            Error::INVALID_VALUE,
            !whole,
            "mapInfoList: offset {} and extent {} in dimension {} are not multiples of the tile, {}",
            start,
            extent[axis],
            axis,
            tile
        );
        refuse_if!(
            Error::INVALID_VALUE,
            end > size[axis],
            "mapInfoList: offset {} + extent {} is more than the array has in dimension {}, {}",
            start,
            extent[axis],
            axis,
            size[axis]
        );
        ranges[axis] = (start / tile) as usize..end.div_ceil(tile) as usize;
    }
    if layered {
        refuse_if!(
            Error::INVALID_VALUE,
            layer as usize >= shape.slices(),
            "mapInfoList: layer {} is not less than {}",
            layer,
            shape.slices()
        );
        ranges[2] = layer as usize..layer as usize + 1;
    } else if layer != 0 {
        return Err(refuse!(Error::INVALID_VALUE, "mapInfoList: layer {} is not 0 for an array without layers", layer));
    }
    let [columns, lines] = [0, 1].map(|axis| size[axis].div_ceil(tile[axis].max(1)) as usize);
    Ok(Tiles { ranges, columns, lines })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::shape::SPARSE;
    use crate::testing::context;

    fn shape(width: usize, height: usize, depth: usize) -> ArrayShape {
        ArrayShape { width, height, depth, format: 0x20, channels: 1, flags: SPARSE }
    }

    #[test]
    fn a_box_contains_the_tiles_that_it_lists() {
        let shape = shape(200, 100, 40);
        let [w, h, d] = layout::sparse_layout(&shape, 1).tile;
        let some = tiles(&shape, 0, [w, 0, d], [2 * w, h, 40 - d]).unwrap();
        let numbers: Vec<usize> = some.numbers().collect();
        assert_eq!(numbers.len(), some.count());
        let all = tiles(&shape, 0, [0; 3], [200, 100, 40]).unwrap();
        let held: Vec<usize> = all.numbers().filter(|&n| some.contains(7 + n as u64, 7)).collect();
        assert_eq!(held, numbers);
        assert!(!some.contains(0, 7) && !all.contains(7 + all.count() as u64, 7));
        for (offset, extent) in
            [([1, 0, 0], [w, h, d]), ([0; 3], [w + 1, h, d]), ([0; 3], [0, h, d]), ([w; 3], [u32::MAX; 3])]
        {
            assert!(tiles(&shape, 0, offset, extent).is_err(), "{offset:?} {extent:?}");
        }
    }

    #[test]
    fn unmapping_the_largest_array_takes_one_step() {
        let context = context();
        let stream = context.legacy_stream();
        let array = Array::create(&context, shape(16384, 16384, 16384)).unwrap();
        let properties = physical::Properties {
            descriptor: false,
            fabric: false,
            location: crate::base::location::Location::Device(0),
            compressible: false,
            rdma: false,
            tile_pool: true,
            decompress: false,
        };
        let handle = physical::create(physical::GRANULARITY, properties).unwrap() as u64;
        let [w, h, d] = layout::sparse_layout(&array.shape, 1).tile;
        let request =
            |part, memory| MappingRequest { target: MappingTarget::Array(array.handle), part, memory, devices: 1 };
        let last =
            ArrayPart::Tiles { level: 0, layer: 0, offset: [16384 - w, 16384 - h, 16384 - d], extent: [w, h, d] };
        let whole = ArrayPart::Tiles { level: 0, layer: 0, offset: [0; 3], extent: [16384; 3] };
        map(stream, &[request(last, Some((handle, 0)))]).unwrap();
        assert!(array.tile_run(65535, 16383, 16383).0.is_some());
        assert_eq!(map(stream, &[request(whole, Some((handle, 0)))]), Err(Error::INVALID_VALUE), "too little memory");
        map(stream, &[request(whole, None)]).unwrap();
        assert!(array.tile_run(65535, 16383, 16383).0.is_none());
        physical::release(handle).unwrap();
        Array::destroy(array.handle).unwrap();
        assert_eq!(Array::destroy(array.handle), Err(Error::INVALID_HANDLE));
        context.destroy();
    }
}
