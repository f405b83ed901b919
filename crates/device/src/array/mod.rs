//! Arrays and mipmapped arrays.

pub mod array_format;
pub mod array_layout;
pub mod array_map;
pub mod array_store;
pub mod external;
mod images;
pub mod tensor_map;
pub mod texture;

use crate::array::array_format::{Format, Kind};
use crate::array::array_layout::SparseLayout;
use crate::array::array_store::{Provided, Store};
use crate::base::attribute::DeviceAttribute;
use crate::base::devices::Device;
use crate::base::handle::{Kind as HandleKind, Table};
use crate::stream;
use crate::stream::context::Context;
use error::{Error, Result, refuse, refuse_if};
use std::sync::{Arc, Weak};

/// The depth counts layers.
pub const LAYERED: u32 = 0x01;
/// Surfaces may be bound to it.
pub const SURFACE: u32 = 0x02;
/// Six layers are the faces of a cube.
pub const CUBEMAP: u32 = 0x04;
/// Textures may gather from it.
pub const GATHER: u32 = 0x08;
/// The program maps its memory tile by tile.
pub const SPARSE: u32 = 0x40;
/// The program maps its memory in one piece.
pub const DEFERRED: u32 = 0x80;
/// Video engines use it.
pub const VIDEO: u32 = 0x100;
/// Undocumented, accepted and without an effect that we know.
const UNNAMED: u32 = 0x8000_0000;
/// A target of graphics, for memory that a graphics library made.
const COLOR_ATTACHMENT: u32 = 0x20;
/// Depth textures (0x10) and colour attachments belong to graphics libraries and are refused in memory of our own.
const KNOWN: u32 = LAYERED | SURFACE | CUBEMAP | GATHER | SPARSE | DEFERRED | VIDEO | UNNAMED;

/// What an array looks like: extents in elements, the format's number, components of an element, flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Elements in a row.
    pub width: usize,
    /// Rows; 0 in one dimension.
    pub height: usize,
    /// Slices or layers; 0 where there is only one.
    pub depth: usize,
    /// Number of the format.
    pub format: u32,
    /// Components.
    pub channels: u32,
    /// Flags as the program gave them.
    pub flags: u32,
}

/// The attributes with the largest extents, for one kind of array: width, height, depth. `None` for a dimension without
/// limit.
type Limits = [Option<DeviceAttribute>; 3];

impl Shape {
    /// Arrays that share chunks on a device: those with elements of one size.
    fn group(&self) -> u32 {
        self.element_bytes().max(1).ilog2().min(4)
    }

    /// The depth counts layers, faces included.
    pub fn is_layered(&self) -> bool {
        self.flags & (LAYERED | CUBEMAP) != 0
    }

    /// True for layers of one row each.
    pub fn has_row_layers(&self) -> bool {
        self.height == 0 && self.is_layered()
    }

    fn known_format(&self) -> Format {
        // A shape that passed `check` has a known format; any other is treated as bytes.
        Format::find(self.format).unwrap_or(Format { kind: Kind::Plain, channels: 0, bytes: 1 })
    }

    /// Bytes of an element, or of a block of a compressed format.
    pub fn element_bytes(&self) -> usize {
        self.known_format().element_bytes(self.channels)
    }

    /// Elements that share a block, in each of the first two dimensions.
    pub fn block(&self) -> usize {
        self.known_format().block()
    }

    /// Bytes of a row (of a row of blocks).
    pub fn row_bytes(&self) -> usize {
        self.width.div_ceil(self.block()) * self.element_bytes()
    }

    /// Rows (of elements or blocks) in a slice.
    pub fn rows(&self) -> usize {
        self.height.max(1).div_ceil(self.block())
    }

    /// Slices or layers.
    pub fn slices(&self) -> usize {
        self.depth.max(1)
    }

    /// Bytes of everything, rows one after another.
    pub fn bytes(&self) -> usize {
        let planes = self.planes();
        if planes.is_empty() {
            self.row_bytes() * self.rows() * self.slices()
        } else {
            planes.iter().map(Shape::bytes).sum()
        }
    }

    /// The shape of a mip level.
    pub fn level(&self, level: u32) -> Shape {
        let down = |n: usize| if n == 0 { 0 } else { (n >> level).max(1) };
        let depth = if self.is_layered() { self.depth } else { down(self.depth) };
        Shape { width: down(self.width), height: down(self.height), depth, ..*self }
    }

    /// How many mip levels an array of this shape has when `wanted` are asked for.
    pub fn clamp_levels(&self, wanted: u32) -> u32 {
        let depth = if self.is_layered() { 0 } else { self.depth };
        let most = self.width.max(self.height).max(depth).max(1).ilog2() + 1;
        wanted.clamp(1, most)
    }

    /// The shapes of the planes of a video frame; none where it is in one piece.
    pub fn planes(&self) -> Vec<Shape> {
        let plane = |p: &crate::array::array_format::Plane| Shape {
            width: self.width >> u32::from(p.half_width),
            height: self.height >> u32::from(p.half_height),
            format: p.format,
            channels: p.channels,
            ..*self
        };
        self.known_format().planes().iter().map(plane).collect()
    }

    /// Checks that `device` can have an array like this, with mip levels if `mipmapped`.
    pub fn check(&self, device: &Device, mipmapped: bool) -> Result<()> {
        use DeviceAttribute as A;
        let format = Format::find(self.format)
            .ok_or_else(|| refuse!(Error::INVALID_VALUE, "Format {:#x} is not a CUarray_format", self.format))?;
        let &Shape { width, height, depth, channels, flags, .. } = self;
        let is = |flag| flags & flag != 0;
        let (layered, cubemap) = (is(LAYERED), is(CUBEMAP));
        let flat = depth == 0 && !self.is_layered();
        let mut fine = format.accepts(channels) && flags & !KNOWN == 0 && width > 0;
        // Which extents go with which kind of array, and the limits of textures and of surfaces on it.
        let (textures, surfaces): (Limits, Limits) = if cubemap {
            fine &= height == width && if layered { depth > 0 && depth.is_multiple_of(6) } else { depth == 6 };
            if layered {
                (
                    [
                        Some(A::MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH),
                        Some(A::MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH),
                        Some(A::MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS),
                    ],
                    [
                        Some(A::MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH),
                        Some(A::MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH),
                        Some(A::MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS),
                    ],
                )
            } else {
                (
                    [Some(A::MAXIMUM_TEXTURECUBEMAP_WIDTH), Some(A::MAXIMUM_TEXTURECUBEMAP_WIDTH), None],
                    [Some(A::MAXIMUM_SURFACECUBEMAP_WIDTH), Some(A::MAXIMUM_SURFACECUBEMAP_WIDTH), None],
                )
            }
        } else if layered {
            fine &= depth > 0;
            if height == 0 {
                (
                    [Some(A::MAXIMUM_TEXTURE1D_LAYERED_WIDTH), None, Some(A::MAXIMUM_TEXTURE1D_LAYERED_LAYERS)],
                    [Some(A::MAXIMUM_SURFACE1D_LAYERED_WIDTH), None, Some(A::MAXIMUM_SURFACE1D_LAYERED_LAYERS)],
                )
            } else {
                (
                    [
                        Some(A::MAXIMUM_TEXTURE2D_LAYERED_WIDTH),
                        Some(A::MAXIMUM_TEXTURE2D_LAYERED_HEIGHT),
                        Some(A::MAXIMUM_TEXTURE2D_LAYERED_LAYERS),
                    ],
                    [
                        Some(A::MAXIMUM_SURFACE2D_LAYERED_WIDTH),
                        Some(A::MAXIMUM_SURFACE2D_LAYERED_HEIGHT),
                        Some(A::MAXIMUM_SURFACE2D_LAYERED_LAYERS),
                    ],
                )
            }
        } else if depth > 0 {
            fine &= height > 0;
            let alternate = [
                Some(A::MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE),
                Some(A::MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE),
                Some(A::MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE),
            ];
            // Surfaces have no alternative.
            let tall = !self.fits(
                device,
                [Some(A::MAXIMUM_TEXTURE3D_WIDTH), Some(A::MAXIMUM_TEXTURE3D_HEIGHT), Some(A::MAXIMUM_TEXTURE3D_DEPTH)],
            ) && !is(SURFACE)
                && self.fits(device, alternate);
            (
                if tall {
                    alternate
                } else {
                    [
                        Some(A::MAXIMUM_TEXTURE3D_WIDTH),
                        Some(A::MAXIMUM_TEXTURE3D_HEIGHT),
                        Some(A::MAXIMUM_TEXTURE3D_DEPTH),
                    ]
                },
                [Some(A::MAXIMUM_SURFACE3D_WIDTH), Some(A::MAXIMUM_SURFACE3D_HEIGHT), Some(A::MAXIMUM_SURFACE3D_DEPTH)],
            )
        } else if height > 0 {
            (
                if mipmapped {
                    [Some(A::MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH), Some(A::MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT), None]
                } else {
                    [Some(A::MAXIMUM_TEXTURE2D_WIDTH), Some(A::MAXIMUM_TEXTURE2D_HEIGHT), None]
                },
                [Some(A::MAXIMUM_SURFACE2D_WIDTH), Some(A::MAXIMUM_SURFACE2D_HEIGHT), None],
            )
        } else {
            (
                if mipmapped {
                    [Some(A::MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH), None, None]
                } else {
                    [Some(A::MAXIMUM_TEXTURE1D_WIDTH), None, None]
                },
                [Some(A::MAXIMUM_SURFACE1D_WIDTH), None, None],
            )
        };
        fine &= self.fits(device, textures) && (!is(SURFACE) || self.fits(device, surfaces));
        fine &= !is(GATHER)
            || (flat
                && height > 0
                && self.fits(
                    device,
                    [Some(A::MAXIMUM_TEXTURE2D_GATHER_WIDTH), Some(A::MAXIMUM_TEXTURE2D_GATHER_HEIGHT), None],
                ));
        fine &= !is(SPARSE) || (height > 0 && !is(SURFACE | CUBEMAP | DEFERRED));
        fine &= format.kind != Kind::Block || height > 0;
        if format.is_video() {
            let even = height > 0 && width.is_multiple_of(2) && height.is_multiple_of(2);
            fine &= is(VIDEO) && even && (depth == 0 || (layered && !cubemap)) && !is(SPARSE) && !mipmapped;
        }
        refuse_if!(
            Error::INVALID_VALUE,
            !format.accepts(channels),
            "NumChannels {} does not go with Format {:#x}",
            channels,
            self.format
        );
        refuse_if!(Error::INVALID_VALUE, flags & !KNOWN != 0, "Flags {:#x} has unknown bits", flags);
        refuse_if!(Error::INVALID_VALUE, width == 0, "Width is 0");
        refuse_if!(
            Error::INVALID_VALUE,
            cubemap && height != width,
            "Height {} is not Width {}, as a cubemap has it",
            height,
            width
        );
        refuse_if!(
            Error::INVALID_VALUE,
            !fine,
            "Width {} x Height {} x Depth {}, Flags {:#x} and Format {:#x} do not go together, or are more than the device allows",
            width,
            height,
            depth,
            flags,
            self.format
        );
        if format.kind == Kind::Block && is(SURFACE) {
            return Err(refuse!(
                Error::NOT_SUPPORTED,
                "Flags {:#x} has SURFACE_LDST for the compressed Format {:#x}",
                flags,
                self.format
            ));
        }
        Ok(())
    }

    fn fits(&self, device: &Device, limits: Limits) -> bool {
        let within = |extent: usize, limit: Option<DeviceAttribute>| {
            limit.is_none_or(|attribute| extent <= device.count(attribute) as usize)
        };
        within(self.width, limits[0]) && within(self.height, limits[1]) && within(self.depth, limits[2])
    }
}

/// What an array is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// An array of its own.
    Whole,
    /// A level of a mipmapped array, or a plane of an array: goes when that goes.
    Part,
}

/// An array, a level of a mipmapped array or a plane of an array.
pub struct Array {
    /// What the program holds.
    pub handle: usize,
    /// Its extents and format.
    pub shape: Shape,
    /// The device that it belongs to.
    pub device: Arc<Device>,
    /// Where it was made.
    pub context: Weak<Context>,
    /// Its memory, shared with what it is part of.
    pub store: Arc<Store>,
    /// Where in the store it begins: a byte, or the first tile of a sparse array.
    pub offset: usize,
    /// Its planes, where the format has several.
    pub planes: Vec<Arc<Array>>,
    role: Role,
    context_id: u64,
}

/// An array with mip levels.
pub struct MipmappedArray {
    /// What the program holds.
    pub handle: usize,
    /// Extents of the first level, and the format.
    pub shape: Shape,
    /// Where it was made.
    pub context: Weak<Context>,
    /// The levels, from the largest.
    pub levels: Vec<Arc<Array>>,
    /// The memory of all levels.
    pub store: Arc<Store>,
    context_id: u64,
}

/// All live arrays.
pub static ARRAYS: Table<Array> = Table::new(HandleKind::Array);
/// All live mipmapped arrays.
pub static MIPMAPPED: Table<MipmappedArray> = Table::new(HandleKind::MipmappedArray);

/// Memory for an array of `shape` with `levels` mip levels, `bytes` bytes of it.
fn store(device: &Arc<Device>, shape: &Shape, levels: u32, bytes: usize) -> Result<Arc<Store>> {
    let required = array_layout::required_bytes(shape, levels);
    if shape.flags & SPARSE != 0 {
        Ok(Store::sparse(device, required))
    } else if shape.flags & DEFERRED != 0 {
        Ok(Store::deferred(device, required))
    } else {
        Store::allocate(device, bytes, required, (array_layout::blocks_bytes(shape, levels), shape.group()))
    }
}

fn enter(
    context: &Arc<Context>,
    shape: Shape,
    store: &Arc<Store>,
    offset: usize,
    role: Role,
    planes: Vec<Arc<Array>>,
) -> Result<Arc<Array>> {
    let make = |handle| {
        Arc::new(Array {
            handle,
            shape,
            device: context.device.clone(),
            context: Arc::downgrade(context),
            store: store.clone(),
            offset,
            planes,
            role,
            context_id: context.id,
        })
    };
    context.owns(ARRAYS.insert_with(make).ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "there are too many arrays"))?)
}

/// Takes parts that were entered out again, when the whole fails.
fn withdraw(parts: &[Arc<Array>]) {
    for part in parts {
        ARRAYS.remove(part.handle);
    }
}

/// Enters the parts of an array, one after another in its store.
fn enter_parts(context: &Arc<Context>, shapes: &[Shape], store: &Arc<Store>, step: Step) -> Result<Vec<Arc<Array>>> {
    let mut parts = Vec::new();
    let mut offset = 0;
    for shape in shapes {
        match enter(context, *shape, store, offset, Role::Part, Vec::new()) {
            Ok(part) => parts.push(part),
            Err(error) => {
                withdraw(&parts);
                return Err(error);
            }
        }
        offset += step(shape);
    }
    Ok(parts)
}

/// How far the next part of an array is from this one.
type Step = fn(&Shape) -> usize;

/// Bytes between parts, aligned for every element.
fn step_bytes(shape: &Shape) -> usize {
    shape.bytes().next_multiple_of(64)
}

/// Tiles of a sparse level, all layers.
fn step_tiles(shape: &Shape) -> usize {
    let [w, h, d] = array_layout::sparse_layout(shape, 1).tile.map(|n| n as usize);
    let deep = if shape.is_layered() { shape.slices() } else { shape.slices().div_ceil(d) };
    shape.width.div_ceil(w) * shape.height.max(1).div_ceil(h) * deep
}

impl Array {
    /// Creates an array in `context`.
    pub fn create(context: &Arc<Context>, shape: Shape) -> Result<Arc<Array>> {
        crate::stream::capture::check_call()?;
        shape.check(&context.device, false)?;
        let planes = shape.planes();
        let bytes = if planes.is_empty() { shape.bytes() } else { planes.iter().map(step_bytes).sum() };
        let store = store(&context.device, &shape, 1, bytes)?;
        let planes = enter_parts(context, &planes, &store, step_bytes)?;
        enter(context, shape, &store, 0, Role::Whole, planes.clone()).inspect_err(|_| withdraw(&planes))
    }

    /// The live array behind a handle.
    pub fn find(handle: usize) -> Result<Arc<Array>> {
        ARRAYS.find(handle)
    }

    /// Bytes and alignment that an array with deferred mapping needs.
    pub fn memory_requirements(&self) -> Result<(usize, usize)> {
        refuse_if!(
            Error::INVALID_VALUE,
            self.shape.flags & DEFERRED == 0,
            "_ {:#x} was made without CUDA_ARRAY3D_DEFERRED_MAPPING",
            self.handle
        );
        refuse_if!(
            Error::INVALID_VALUE,
            self.role == Role::Part,
            "_ {:#x} is a level or a plane of another array",
            self.handle
        );
        Ok((array_layout::required_bytes(&self.shape, 1), array_layout::PAGE))
    }

    /// The tiles of a sparse array. The tail's first level is always 0, and its size that of the array if that lies
    /// in one tail.
    pub fn sparse_layout(&self) -> Result<SparseLayout> {
        refuse_if!(Error::INVALID_VALUE, self.shape.flags & SPARSE == 0, "_ {:#x} is not sparse", self.handle);
        refuse_if!(
            Error::INVALID_VALUE,
            self.role == Role::Part,
            "_ {:#x} is a level or a plane of another array",
            self.handle
        );
        let layout = array_layout::sparse_layout(&self.shape, 1);
        let tail_bytes = if layout.single_tail { layout.tail_bytes } else { 0 };
        Ok(SparseLayout { tail_first: 0, tail_bytes, ..layout })
    }

    /// Where a byte of a sparse array is (`None`: its tile is not mapped), and how many bytes of its row follow there.
    pub fn tile_run(&self, x: usize, y: usize, z: usize) -> (Option<Provided>, usize) {
        let shape = &self.shape;
        let block = shape.block();
        let [width, height, depth] = array_layout::sparse_layout(shape, 1).tile.map(|n| n as usize);
        let (row, rows) = (width / block * shape.element_bytes(), height / block);
        let columns = shape.row_bytes().div_ceil(row);
        let lines = shape.rows().div_ceil(rows);
        let tile = (z / depth * lines + y / rows) * columns + x / row;
        let within = ((z % depth) * rows + y % rows) * row + x % row;
        let there = self.store.tile((self.offset + tile) as u64).map(|p| Provided { base: p.base + within, ..p });
        (there, row - x % row)
    }

    /// One of its planes.
    pub fn plane(&self, index: u32) -> Result<Arc<Array>> {
        self.planes.get(index as usize).cloned().ok_or_else(|| {
            refuse!(
                Error::INVALID_VALUE,
                "planeIdx {} is not less than the planes of the array, {}",
                index,
                self.planes.len()
            )
        })
    }

    /// Ends an array once its context's work is complete. A level or plane stays until what it is part of goes.
    pub fn destroy(handle: usize) -> Result<()> {
        let array = match ARRAYS.get(handle) {
            Some(array) => array,
            // The real driver takes a stream's handle for an array of a context that is gone.
            None if stream::STREAMS.get(handle).is_some() => {
                return Err(refuse!(Error::CONTEXT_IS_DESTROYED, "_ {:#x} is a stream", handle));
            }
            None => ARRAYS.find(handle)?,
        };
        crate::stream::capture::check_call()?;
        if array.role == Role::Part {
            return Ok(());
        }
        let mut result = Ok(());
        if let Some(context) = array.context.upgrade() {
            context.group.wait_idle();
            result = context.check_error();
        }
        ARRAYS
            .remove(handle)
            .ok_or_else(|| refuse!(Error::INVALID_HANDLE, "_ {:#x} is being destroyed by another thread", handle))?;
        withdraw(&array.planes);
        result
    }
}

impl MipmappedArray {
    /// Creates an array with up to `levels` mip levels, at least one and no more than halving allows.
    pub fn create(context: &Arc<Context>, shape: Shape, levels: u32) -> Result<Arc<MipmappedArray>> {
        crate::stream::capture::check_call()?;
        shape.check(&context.device, true)?;
        let count = shape.clamp_levels(levels);
        let shapes: Vec<Shape> = (0..count).map(|level| shape.level(level)).collect();
        let store = store(&context.device, &shape, count, shapes.iter().map(step_bytes).sum())?;
        Self::enter(context, shape, &shapes, store)
    }

    /// Makes one of exactly `levels` levels in memory that lies elsewhere: `memory` is asked for as many bytes as the
    /// device would take. It may be a target of graphics, and needs no memory of its own later.
    pub fn create_in(
        context: &Arc<Context>,
        shape: Shape,
        levels: u32,
        memory: impl FnOnce(usize) -> Result<Provided>,
    ) -> Result<Arc<MipmappedArray>> {
        crate::stream::capture::check_call()?;
        refuse_if!(
            Error::INVALID_VALUE,
            shape.flags & (SPARSE | DEFERRED) != 0,
            "Flags {:#x}: the memory is there already, so that the array can be neither sparse nor deferred",
            shape.flags
        );
        Shape { flags: shape.flags & !COLOR_ATTACHMENT, ..shape }.check(&context.device, true)?;
        refuse_if!(Error::INVALID_VALUE, levels == 0, "numMipmapLevels is 0");
        refuse_if!(
            Error::INVALID_VALUE,
            levels != shape.clamp_levels(levels),
            "numMipmapLevels {} is more than the array can have, {}",
            levels,
            shape.clamp_levels(levels)
        );
        let shapes: Vec<Shape> = (0..levels).map(|level| shape.level(level)).collect();
        let memory = memory(array_layout::blocks_bytes(&shape, levels))?;
        Self::enter(context, shape, &shapes, Store::provided(&context.device, memory))
    }

    fn enter(context: &Arc<Context>, shape: Shape, shapes: &[Shape], store: Arc<Store>) -> Result<Arc<MipmappedArray>> {
        let step = if shape.flags & SPARSE != 0 { step_tiles } else { step_bytes };
        let levels = enter_parts(context, shapes, &store, step)?;
        let made = MIPMAPPED.insert_with(|handle| {
            let (levels, context_id) = (levels.clone(), context.id);
            Arc::new(MipmappedArray { handle, shape, context: Arc::downgrade(context), levels, store, context_id })
        });
        let made = made
            .ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "there are too many arrays"))
            .inspect_err(|_| withdraw(&levels))?;
        context.owns(made)
    }

    /// The live mipmapped array behind a handle.
    pub fn find(handle: usize) -> Result<Arc<MipmappedArray>> {
        MIPMAPPED.find(handle)
    }

    /// One of its levels.
    pub fn level(&self, level: u32) -> Result<Arc<Array>> {
        self.levels.get(level as usize).cloned().ok_or_else(|| {
            refuse!(
                Error::INVALID_VALUE,
                "level {} is not less than the levels of the array, {}",
                level,
                self.levels.len()
            )
        })
    }

    /// Bytes and alignment that one with deferred mapping needs.
    pub fn memory_requirements(&self) -> Result<(usize, usize)> {
        refuse_if!(
            Error::INVALID_VALUE,
            self.shape.flags & DEFERRED == 0,
            "_ {:#x} was made without CUDA_ARRAY3D_DEFERRED_MAPPING",
            self.handle
        );
        Ok((array_layout::required_bytes(&self.shape, self.levels.len() as u32), array_layout::PAGE))
    }

    /// The tiles and the mip tail of a sparse one.
    pub fn sparse_layout(&self) -> Result<SparseLayout> {
        refuse_if!(Error::INVALID_VALUE, self.shape.flags & SPARSE == 0, "_ {:#x} is not sparse", self.handle);
        Ok(array_layout::sparse_layout(&self.shape, self.levels.len() as u32))
    }

    /// Ends it and its levels, once its context's work is complete.
    pub fn destroy(handle: usize) -> Result<()> {
        let mipmapped = Self::find(handle)?;
        crate::stream::capture::check_call()?;
        if let Some(context) = mipmapped.context.upgrade() {
            context.group.wait_idle();
        }
        MIPMAPPED
            .remove(handle)
            .ok_or_else(|| refuse!(Error::INVALID_HANDLE, "_ {:#x} is being destroyed by another thread", handle))?;
        withdraw(&mipmapped.levels);
        Ok(())
    }
}

/// The shape behind the handle of an array or, as with the real driver, of a mipmapped array.
pub fn shape_of(handle: usize) -> Result<Shape> {
    match ARRAYS.get(handle) {
        Some(array) => Ok(array.shape),
        None if ARRAYS.is_orphan(handle) => {
            Err(refuse!(Error::CONTEXT_IS_DESTROYED, "_ {:#x} is an array whose context was destroyed", handle))
        }
        None => MipmappedArray::find(handle).map(|m| m.shape),
    }
}

/// Ends every array that was made in a context.
pub fn free_all_of(context: &Context) {
    for mipmapped in MIPMAPPED.all().into_iter().filter(|m| m.context_id == context.id) {
        MIPMAPPED.orphan(mipmapped.handle);
    }
    for array in ARRAYS.all().into_iter().filter(|a| a.context_id == context.id) {
        ARRAYS.orphan(array.handle);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::context;

    fn shape(width: usize, height: usize, depth: usize, flags: u32) -> Shape {
        Shape { width, height, depth, format: 0x20, channels: 1, flags }
    }

    #[test]
    fn extents_have_to_suit_the_kind() {
        let context = context();
        let refuse = |s: Shape| assert_eq!(s.check(&context.device, false), Err(Error::INVALID_VALUE), "{s:?}");
        for s in [
            shape(0, 4, 4, 0),
            shape(8, 0, 4, 0),
            shape(8, 4, 0, LAYERED),
            shape(8, 4, 6, CUBEMAP),
            shape(8, 8, 7, CUBEMAP | LAYERED),
            shape(8, 4, 2, GATHER),
            shape(512, 0, 0, SPARSE),
            shape(8193, 1, 16385, 0),
            shape(1, 1, 16385, SURFACE),
            shape(8, 8, 0, 0x200),
            shape(usize::MAX, 1, 1, 0),
        ] {
            refuse(s);
        }
        for s in [shape(1, 1, 16385, 0), shape(8, 8, 12, CUBEMAP | LAYERED), shape(131072, 65536, 0, 0)] {
            assert_eq!(s.check(&context.device, false), Ok(()), "{s:?}");
        }
        assert_eq!(Array::create(&context, shape(16384, 16384, 16384, 0)).err(), Some(Error::OUT_OF_MEMORY));
        assert_eq!(context.device.usage.bytes() % 65536, 0);
        context.destroy();
    }

    #[test]
    fn levels_go_with_their_array() {
        let context = context();
        let m = MipmappedArray::create(&context, shape(100, 37, 0, 0), 99).unwrap();
        assert_eq!(m.levels.len(), 7);
        assert_eq!((m.levels[6].shape.width, m.levels[6].shape.height), (1, 1));
        let level = m.levels[3].handle;
        assert_eq!(Array::destroy(level), Ok(()));
        assert!(Array::find(level).is_ok());
        assert_eq!(MipmappedArray::destroy(m.handle), Ok(()));
        assert!(Array::find(level).is_err());
        let frame = Shape { format: 0xb0, channels: 3, ..shape(64, 32, 0, VIDEO) };
        let a = Array::create(&context, frame).unwrap();
        let plane = a.plane(1).unwrap();
        assert_eq!((plane.shape.width, plane.shape.height, plane.shape.channels), (32, 16, 2));
        assert!(a.plane(2).is_err());
        context.destroy();
        assert!(Array::find(a.handle).is_err() && Array::find(plane.handle).is_err());
    }
}
