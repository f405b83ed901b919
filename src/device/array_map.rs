//! Mapping of physical memory into arrays that were made without: tiles and mip tails of sparse arrays, and arrays
//! with deferred mapping as a whole.

use super::array::{Array, MipmappedArray, Shape};
use super::array_layout::{self, PAGE};
use super::array_store::{Provided, Store};
use super::physical::{self, Physical, Window};
use super::stream::{Stream, Work};
use crate::error::{Error, Result};
use std::ops::Range;
use std::sync::Arc;

/// What is mapped into, by handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// An array.
    Array(usize),
    /// A mipmapped array.
    Mipmapped(usize),
}

/// A part of a sparse array; nobody looks at it for an array with deferred mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
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

/// One mapping, or one that ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Where.
    pub target: Target,
    /// Which part of it.
    pub part: Part,
    /// Handle of the memory and the first byte of it; `None` unmaps.
    pub memory: Option<(u64, u64)>,
    /// Bits of device ordinals: the array's.
    pub devices: u32,
}

/// What a request comes to.
struct Change {
    store: Arc<Store>,
    /// The tile, or all of a deferred array.
    tile: Option<u64>,
    memory: Option<Provided>,
}

/// Maps or unmaps in the stream's order. Everything is checked before the first change.
pub fn map(stream: &Arc<Stream>, requests: &[Request]) -> Result<()> {
    let mut changes = Vec::new();
    for request in requests {
        check(request, &mut changes)?;
    }
    let task = move || {
        for change in &changes {
            match change.tile {
                Some(tile) => change.store.map_tile(tile, change.memory.clone()),
                None => change.store.map(change.memory.clone()),
            }
        }
        Ok(())
    };
    stream.enqueue(Work::Task(Arc::new(task)))
}

/// The array, or the levels, that a request is about.
struct Subject {
    levels: Vec<Arc<Array>>,
    /// First level in the mip tail, and bytes of the tail.
    tail: Option<(usize, usize)>,
    /// Bytes that an array with deferred mapping needs.
    deferred: Option<usize>,
}

fn subject(target: Target) -> Result<Subject> {
    let (levels, layout, required) = match target {
        Target::Array(handle) => {
            let array = Array::find(handle)?;
            let (layout, required) = (array.sparse_layout(), array.memory_requirements());
            (vec![array], layout, required)
        }
        Target::Mipmapped(handle) => {
            let mipmapped = MipmappedArray::find(handle)?;
            (mipmapped.levels.clone(), mipmapped.sparse_layout(), mipmapped.memory_requirements())
        }
    };
    let tail = layout.ok().map(|l| (l.tail_first as usize, l.tail_bytes));
    let deferred = required.ok().map(|(bytes, _)| bytes);
    if tail.is_none() && deferred.is_none() {
        return Err(Error::INVALID_VALUE);
    }
    Ok(Subject { levels, tail, deferred })
}

/// `bytes` bytes of memory that may be mapped into arrays.
fn memory_at(handle: u64, offset: u64, bytes: usize) -> Result<(Arc<Physical>, usize)> {
    let physical = physical::find(handle)?;
    let offset = usize::try_from(offset).map_err(|_| Error::INVALID_VALUE)?;
    let end = offset.checked_add(bytes).ok_or(Error::INVALID_VALUE)?;
    if !physical.properties.tile_pool || !offset.is_multiple_of(PAGE) || end > physical.size {
        return Err(Error::INVALID_VALUE);
    }
    Ok((physical, offset))
}

fn provided(window: &Arc<Window>, offset: usize) -> Provided {
    Provided { base: window.base() + offset, owner: window.clone() }
}

fn check(request: &Request, changes: &mut Vec<Change>) -> Result<()> {
    let subject = subject(request.target)?;
    let first = subject.levels.first().ok_or(Error::INVALID_VALUE)?;
    if Some(request.devices) != 1u32.checked_shl(first.device.ordinal) {
        return Err(Error::INVALID_VALUE);
    }
    let store = &first.store;
    if let Some(bytes) = subject.deferred {
        let memory = match request.memory {
            Some((handle, offset)) => {
                let (physical, offset) = memory_at(handle, offset, bytes)?;
                Some(provided(&physical.window()?, offset))
            }
            None => None,
        };
        changes.push(Change { store: store.clone(), tile: None, memory });
        return Ok(());
    }
    let Some((tail_first, tail_bytes)) = subject.tail else {
        return Err(Error::INVALID_VALUE);
    };
    match request.part {
        Part::Tiles { level, layer, offset, extent } => {
            let level = level as usize;
            let array = subject.levels.get(level).ok_or(Error::INVALID_VALUE)?;
            if subject.levels.len() > 1 && level >= tail_first {
                return Err(Error::INVALID_VALUE);
            }
            let tiles = tiles(&array.shape, layer, offset, extent)?;
            let memory = match request.memory {
                Some((handle, offset)) => {
                    let (physical, offset) = memory_at(handle, offset, tiles.len() * PAGE)?;
                    Some((physical.window()?, offset))
                }
                None => None,
            };
            for (i, tile) in tiles.into_iter().enumerate() {
                let memory = memory.as_ref().map(|(window, offset)| provided(window, offset + i * PAGE));
                changes.push(Change { store: store.clone(), tile: Some((array.offset + tile) as u64), memory });
            }
            Ok(())
        }
        Part::Tail { layer, offset, size } => {
            if tail_bytes == 0 || offset != 0 || size != tail_bytes as u64 {
                return Err(Error::INVALID_VALUE);
            }
            let levels = subject.levels.iter().skip(tail_first);
            let mut tail = Vec::new();
            for array in levels {
                let shape = &array.shape;
                let all =
                    [shape.width as u32, shape.height as u32, if shape.is_layered() { 1 } else { shape.depth as u32 }];
                let tiles = tiles(shape, layer, [0; 3], all.map(|n| n.max(1)))?;
                tail.extend(tiles.into_iter().map(|tile| (array.offset + tile) as u64));
            }
            // The levels of a tail lie in it in a way that nobody can see: they get memory that suits us, which lives
            // as long as the mapping.
            let window = match request.memory {
                Some((handle, offset)) => {
                    memory_at(handle, offset, tail_bytes)?;
                    Some(Window::anonymous(tail.len() * PAGE)?)
                }
                None => None,
            };
            for (i, tile) in tail.into_iter().enumerate() {
                let memory = window.as_ref().map(|window| provided(window, i * PAGE));
                changes.push(Change { store: store.clone(), tile: Some(tile), memory });
            }
            Ok(())
        }
    }
}

/// The numbers of the tiles in a box of a level, as [`Array::tile_run`] counts them. The box is made of whole tiles,
/// except where the level ends.
fn tiles(shape: &Shape, layer: u32, offset: [u32; 3], extent: [u32; 3]) -> Result<Vec<usize>> {
    let tile = array_layout::sparse_layout(shape, 1).tile;
    let layered = shape.is_layered();
    let size = [shape.width as u32, shape.height.max(1) as u32, if layered { 1 } else { shape.depth.max(1) as u32 }];
    let mut ranges: [Range<usize>; 3] = Default::default();
    for axis in 0..3 {
        let (start, tile) = (offset[axis], tile[axis].max(1));
        let end = start.checked_add(extent[axis]).ok_or(Error::INVALID_VALUE)?;
        let whole = start.is_multiple_of(tile) && (end.is_multiple_of(tile) || end == size[axis]);
        if extent[axis] == 0 || !whole || end > size[axis] {
            return Err(Error::INVALID_VALUE);
        }
        ranges[axis] = (start / tile) as usize..end.div_ceil(tile) as usize;
    }
    if layered {
        if layer as usize >= shape.slices() {
            return Err(Error::INVALID_VALUE);
        }
        ranges[2] = layer as usize..layer as usize + 1;
    } else if layer != 0 {
        return Err(Error::INVALID_VALUE);
    }
    let [columns, lines] = [0, 1].map(|axis| size[axis].div_ceil(tile[axis].max(1)) as usize);
    let [across, down, deep] = ranges;
    let number = |z: usize, y: usize, x: usize| (z * lines + y) * columns + x;
    let all = deep.flat_map(|z| down.clone().map(move |y| (z, y)));
    Ok(all.flat_map(|(z, y)| across.clone().map(move |x| number(z, y, x))).collect())
}
