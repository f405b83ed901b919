//! What kernels find behind the handles of textures and surfaces, in the form that the engine reads and writes.

use super::arrays::{ARRAYS, Array};
use super::reference::{Binding, Bindings, REFERENCES, ReferenceState, SURFACE_REFERENCES};
use super::shape::{ArrayShape, CUBEMAP, LAYERED};
use super::store::ArrayMemory;
use super::texture::{Resource, SURFACES, TEXTURES, Texture, View};
use engine::state::services::{Images, Reference, Unsupported};
use engine::state::texture::source::{Backing, MOST_LEVELS, MipLevel, Sampling, Stack, Surface, TextureSource, Tiles};
use engine::state::texture::texel::Format;
use std::sync::Arc;

/// The address of a byte of a sparse array.
fn in_tile(array: usize, [x, y, z]: [usize; 3]) -> Option<usize> {
    ARRAYS.get(array)?.tile_run(x, y, z).0.map(|tile| tile.base)
}

/// An array as one mip level.
fn level_of(array: &Array) -> MipLevel {
    let shape = &array.shape;
    let backing = match array.store.memory() {
        ArrayMemory::Linear(base, _) => Backing::At(base + array.offset),
        ArrayMemory::Nowhere => Backing::Nowhere,
        ArrayMemory::Missing => Backing::Missing,
        ArrayMemory::Tiles => Backing::Tiles(Tiles { find: in_tile, array: array.handle }),
    };
    let row = shape.row_bytes();
    let extent = [shape.width, shape.height.max(1), shape.slices()];
    MipLevel { extent, backing, row, slice: row * shape.rows() }
}

/// How the layers of an array lie on each other.
fn stack_of(shape: &ArrayShape) -> Stack {
    match (shape.flags & CUBEMAP != 0, shape.flags & LAYERED != 0) {
        (true, true) => Stack::Cubes,
        (true, false) => Stack::Cube,
        (false, true) if shape.height == 0 => Stack::Rows,
        (false, true) => Stack::Planes,
        (false, false) => Stack::None,
    }
}

/// What a surface on an array reads and writes.
fn surface_of(array: &Array) -> Surface {
    /// Integers stay integers.
    const AS_INTEGER: u32 = 1;
    let shape = &array.shape;
    Surface {
        level: level_of(array),
        row_bytes: shape.row_bytes(),
        element_bytes: shape.element_bytes(),
        format: Format::of(shape.format, shape.channels, AS_INTEGER),
        extent: [shape.width, shape.height, shape.depth],
        layers: if shape.is_layered() { shape.slices() } else { 0 },
        stack: stack_of(shape),
    }
}

/// What a texture object reads. `None` for formats that cannot be read here.
fn source_of_texture(texture: &Texture) -> Option<TextureSource> {
    source_of(&texture.resource, texture.sampling, texture.view.as_ref())
}

/// What a texture reference reads; it is bound to something.
fn source_of_reference(state: &ReferenceState) -> Result<Option<TextureSource>, Unsupported> {
    let (format, channels) = (state.format, state.channels);
    let resource = match &state.binding {
        Binding::None => return Ok(None),
        Binding::Array(array) => Resource::Array(array.clone()),
        Binding::Mipmapped(mipmapped) => Resource::Mipmapped(mipmapped.clone()),
        &Binding::Linear { address, bytes } => Resource::Linear { address, format, channels, bytes },
        &Binding::Pitched { address, width, height, pitch } => {
            Resource::Pitched { address, format, channels, width, height, pitch }
        }
    };
    source_of(&resource, state.sampling, None).map(Some).ok_or(Unsupported)
}

fn source_of(resource: &Resource, sampling: Sampling, view: Option<&View>) -> Option<TextureSource> {
    let flags = sampling.flags;
    let (shape, all): (_, &[Arc<Array>]) = match resource {
        Resource::Array(array) => (&array.shape, core::slice::from_ref(array)),
        Resource::Mipmapped(mipmapped) => (&mipmapped.shape, &mipmapped.levels),
        &Resource::Linear { address, format, channels, bytes } => {
            return Some(TextureSource::of_run(address, bytes, Format::of(format, channels, flags)?, sampling));
        }
        &Resource::Pitched { address, format, channels, width, height, pitch } => {
            let format = Format::of(format, channels, flags)?;
            return Some(TextureSource::of_rows(address, [width, height], pitch, format, sampling));
        }
    };
    let format = match view {
        Some(view) => Format::of_view(view.format, flags)?,
        None => {
            let first = &all.first()?.shape;
            Format::of(first.format, first.channels, flags)?
        }
    };
    let mut source = TextureSource::new(format, sampling);
    source.leveled = matches!(resource, Resource::Mipmapped(_));
    let (first, last) = view.map_or((0, all.len() - 1), |v| (v.levels[0] as usize, v.levels[1] as usize));
    let shown = all.get(first..=last.min(all.len() - 1))?;
    source.count = shown.len().clamp(1, MOST_LEVELS);
    for (number, (level, array)) in source.levels.iter_mut().zip(shown).enumerate() {
        *level = level_of(array);
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
    (source.stack, source.flat) = (stack_of(shape), shape.depth == 0);
    Some(source)
}

/// Objects as they are, references as they were when the kernel was launched.
impl Images for Bindings {
    fn texture(&self, handle: u64) -> Result<Option<TextureSource>, Unsupported> {
        let handle = handle as usize;
        if let Some(texture) = TEXTURES.get(handle) {
            return source_of_texture(&texture).map(Some).ok_or(Unsupported);
        }
        self.texture(handle).map_or(Ok(None), |state| source_of_reference(&state))
    }

    fn surface(&self, handle: u64) -> Option<Surface> {
        let handle = handle as usize;
        match SURFACES.get(handle) {
            Some(surface) => Some(surface_of(&surface.array)),
            None => self.surface(handle).map(|array| surface_of(&array)),
        }
    }

    fn reference(&self, handle: u64) -> Option<Reference> {
        let handle = handle as usize;
        if REFERENCES.get(handle).is_some() {
            Some(Reference::Texture)
        } else {
            SURFACE_REFERENCES.get(handle).map(|_| Reference::Surface)
        }
    }
}
