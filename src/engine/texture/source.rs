//! What textures and surfaces read: extents and addresses of the levels behind an object.

use super::texel::Format;
use crate::device::array::array_store::Location;
use crate::device::array::texture::{Binding, ReferenceState, Resource, Sampling, Texture, View};
use crate::device::array::{ARRAYS, Array, CUBEMAP, LAYERED, Shape};
use std::sync::Arc;

/// Where the bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// From an address on.
    At(usize),
    /// In tiles of the array with this handle.
    Tiles(usize),
    /// Nowhere: reads see zeros, writes are lost.
    Nowhere,
    /// Not mapped.
    Missing,
}

/// A level of a texture, or a surface.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// Elements along each dimension; 1 where there is none.
    pub extent: [usize; 3],
    /// Where the first element is.
    pub place: Place,
    /// Bytes from row to row and from slice to slice.
    pub row: usize,
    pub slice: usize,
}

impl Level {
    /// The level of an array, its elements read with another size if a view says so.
    pub fn of(array: &Array) -> Level {
        let shape = &array.shape;
        let place = match array.store.location() {
            Location::Linear(base, _) => Place::At(base + array.offset),
            Location::Nowhere => Place::Nowhere,
            Location::Missing => Place::Missing,
            Location::Tiles => Place::Tiles(array.handle),
        };
        let row = shape.row_bytes();
        let extent = [shape.width, shape.height.max(1), shape.slices()];
        Level { extent, place, row, slice: row * shape.rows() }
    }

    /// The address of byte `x` in row `y` of slice `z`; `None` where nothing is behind it.
    #[inline(always)]
    pub fn address(&self, x: usize, y: usize, z: usize) -> Option<usize> {
        match self.place {
            Place::At(base) => Some(base + z * self.slice + y * self.row + x),
            // Fails like memory that is not there.
            Place::Missing => Some(0),
            Place::Nowhere => None,
            Place::Tiles(handle) => ARRAYS.get(handle)?.tile_run(x, y, z).0.map(|tile| tile.base),
        }
    }
}

/// Everything about a texture that sampling needs; plain numbers, so that a fault leaves nothing behind.
#[derive(Clone, Copy)]
pub struct Source {
    /// The levels, from the first that the texture shows.
    pub levels: [Level; MOST_LEVELS],
    /// How many there are.
    pub count: usize,
    /// First layer and layers, where the depth counts layers.
    pub layers: (usize, usize),
    /// Layers count in the depth, six of which are a cube, or are rows.
    pub stack: Stack,
    /// How elements are read.
    pub format: Format,
    /// How they are found and mixed.
    pub sampling: Sampling,
    /// There is no depth.
    pub flat: bool,
    /// A run of elements: outside of it everything is 0.
    pub linear: bool,
    /// The program gave an address, not an array.
    pub bound: bool,
    /// There are levels, or could be.
    pub leveled: bool,
}

/// How layers lie on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stack {
    /// There are none.
    None,
    /// Each is a row.
    Rows,
    /// Each is a plane.
    Planes,
    /// Six planes are one cube.
    Cube,
    /// Six planes each are a cube.
    Cubes,
}

impl Stack {
    /// That of an array.
    pub fn of(shape: &Shape) -> Stack {
        match (shape.flags & CUBEMAP != 0, shape.flags & LAYERED != 0) {
            (true, layered) => {
                if layered {
                    Stack::Cubes
                } else {
                    Stack::Cube
                }
            }
            (false, true) => {
                if shape.height == 0 {
                    Stack::Rows
                } else {
                    Stack::Planes
                }
            }
            _ => Stack::None,
        }
    }
}

/// Levels of the largest mipmapped array.
pub const MOST_LEVELS: usize = 18;

impl Source {
    /// What a texture object reads.
    pub fn of_texture(texture: &Texture) -> Option<Source> {
        Source::new(&texture.resource, &texture.sampling, texture.view.as_ref())
    }

    /// The linear memory that it reads: first address and bytes. `None` for arrays, whose memory no kernel names.
    pub fn span(&self) -> Option<(usize, usize)> {
        let level = &self.levels[0];
        match level.place {
            Place::At(address) if self.bound => {
                let [width, height, _] = level.extent;
                Some((
                    address,
                    (height - 1).saturating_mul(level.row).saturating_add(width * self.format.element_bytes()),
                ))
            }
            _ => None,
        }
    }

    /// What a texture reference reads.
    pub fn of_reference(state: &ReferenceState) -> Option<Source> {
        let resource = match &state.binding {
            Binding::None => return None,
            Binding::Array(array) => Resource::Array(array.clone()),
            Binding::Mipmapped(mipmapped) => Resource::Mipmapped(mipmapped.clone()),
            &Binding::Linear { address, bytes } => {
                Resource::Linear { address, format: state.format, channels: state.channels, bytes }
            }
            &Binding::Pitched { address, width, height, pitch } => {
                let (format, channels) = (state.format, state.channels);
                Resource::Pitched { address, format, channels, width, height, pitch }
            }
        };
        Source::new(&resource, &state.sampling, None)
    }

    fn new(resource: &Resource, sampling: &Sampling, view: Option<&View>) -> Option<Source> {
        let flags = sampling.flags;
        let one = |array: &Arc<Array>| Format::of(array.shape.format, array.shape.channels, flags);
        let nothing = Level { extent: [1; 3], place: Place::Nowhere, row: 0, slice: 0 };
        let mut source = Source {
            levels: [nothing; MOST_LEVELS],
            count: 1,
            layers: (0, 1),
            stack: Stack::None,
            format: Format::of(0x20, 1, 0)?,
            sampling: *sampling,
            flat: true,
            linear: false,
            bound: matches!(resource, Resource::Linear { .. } | Resource::Pitched { .. }),
            leveled: matches!(resource, Resource::Mipmapped(_)),
        };
        let (shape, all): (_, &[Arc<Array>]) = match resource {
            Resource::Array(array) => (&array.shape, core::slice::from_ref(array)),
            Resource::Mipmapped(mipmapped) => (&mipmapped.shape, &mipmapped.levels),
            &Resource::Linear { address, format, channels, bytes } => {
                source.format = Format::of(format, channels, flags)?;
                let width = bytes / source.format.element_bytes();
                // Memory of less than an element stays nothing.
                if width > 0 {
                    let extent = [width, 1, 1];
                    source.levels[0] = Level { extent, place: Place::At(address), row: bytes, slice: bytes };
                }
                source.linear = true;
                return Some(source);
            }
            &Resource::Pitched { address, format, channels, width, height, pitch } => {
                source.format = Format::of(format, channels, flags)?;
                if width > 0 {
                    let extent = [width, height.max(1), 1];
                    source.levels[0] = Level { extent, place: Place::At(address), row: pitch, slice: 0 };
                }
                return Some(source);
            }
        };
        source.format = match view {
            Some(view) => Format::of_view(view.format, flags)?,
            None => one(all.first()?)?,
        };
        let (first, last) = view.map_or((0, all.len() - 1), |v| (v.levels[0] as usize, v.levels[1] as usize));
        let shown = all.get(first..=last.min(all.len() - 1))?;
        source.count = shown.len().clamp(1, MOST_LEVELS);
        for (number, (level, array)) in source.levels.iter_mut().zip(shown).enumerate() {
            *level = Level::of(array);
            if let (Some(view), Some(_)) = (view, source.format.compression) {
                // The array's elements are blocks.
                for axis in 0..2 {
                    level.extent[axis] = (view.extent[axis] >> (first + number)).max(1);
                }
            }
        }
        if shape.is_layered() {
            source.layers = match view {
                Some(view) => (view.layers[0] as usize, (view.layers[1] - view.layers[0]) as usize + 1),
                None => (0, shape.slices()),
            };
        }
        (source.stack, source.flat) = (Stack::of(shape), shape.depth == 0);
        Some(source)
    }
}
