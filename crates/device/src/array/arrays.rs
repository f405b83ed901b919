//! Arrays and mipmapped arrays: their handles, their memory, their planes and levels.

use crate::array::layout;
use crate::array::layout::SparseLayout;
use crate::array::shape::{ArrayShape, COLOR_ATTACHMENT, CUBEMAP, DEFERRED, GATHER, LAYERED, SPARSE};
use crate::array::store::{Provided, Store};
use crate::base::devices::Device;
use crate::base::handle::{HandleKind, Table};
use crate::stream;
use crate::stream::context::Context;
use error::{Error, Result, refuse, refuse_if};
use std::sync::{Arc, Weak};

/// What an array is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// An array of its own.
    Whole,
    /// A level of a mipmapped array, or a plane of an array: destroyed with it.
    Part,
    /// A part of what a graphics library owns, which stays as long as that is shared.
    Shared,
}

/// An array, a level of a mipmapped array or a plane of an array.
pub struct Array {
    /// The handle that the program has.
    pub handle: usize,
    /// Its extents and format.
    pub shape: ArrayShape,
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
    /// The handle that the program has.
    pub handle: usize,
    /// Extents of the first level, and the format.
    pub shape: ArrayShape,
    /// Where it was made.
    pub context: Weak<Context>,
    /// The levels, from the largest.
    pub levels: Vec<Arc<Array>>,
    /// The memory of all levels.
    pub store: Arc<Store>,
    role: Role,
    context_id: u64,
}

/// All live arrays.
pub static ARRAYS: Table<Array> = Table::new(HandleKind::Array);
/// All live mipmapped arrays.
pub static MIPMAPPED: Table<MipmappedArray> = Table::new(HandleKind::MipmappedArray);

/// Memory for an array of `shape` with `levels` mip levels, `bytes` bytes of it.
fn store(device: &Arc<Device>, shape: &ArrayShape, levels: u32, bytes: usize) -> Result<Arc<Store>> {
    let required = layout::required_bytes(shape, levels);
    if shape.flags & SPARSE != 0 {
        Ok(Store::sparse(device, required))
    } else if shape.flags & DEFERRED != 0 {
        Ok(Store::deferred(device, required))
    } else {
        Store::allocate(device, bytes, required, (layout::blocks_bytes(shape, levels), shape.group()))
    }
}

fn enter(
    context: &Arc<Context>,
    shape: ArrayShape,
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

/// Removes parts from the table again when making the whole fails.
fn withdraw(parts: &[Arc<Array>]) {
    for part in parts {
        ARRAYS.remove(part.handle);
    }
}

/// Makes the parts of an array, one after another in its store.
fn enter_parts(
    context: &Arc<Context>,
    shapes: &[ArrayShape],
    store: &Arc<Store>,
    step: Step,
    role: Role,
) -> Result<Vec<Arc<Array>>> {
    let mut parts = Vec::new();
    let mut offset = 0;
    for shape in shapes {
        match enter(context, *shape, store, offset, role, Vec::new()) {
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
type Step = fn(&ArrayShape) -> usize;

/// Bytes between parts, aligned for every element.
fn step_bytes(shape: &ArrayShape) -> usize {
    shape.bytes().next_multiple_of(64)
}

/// Tiles of a sparse level, all layers.
fn step_tiles(shape: &ArrayShape) -> usize {
    let [w, h, d] = layout::sparse_layout(shape, 1).tile.map(|n| n as usize);
    let deep = if shape.is_layered() { shape.slices() } else { shape.slices().div_ceil(d) };
    shape.width.div_ceil(w) * shape.height.max(1).div_ceil(h) * deep
}

impl Array {
    /// Creates an array in `context`.
    pub fn create(context: &Arc<Context>, shape: ArrayShape) -> Result<Arc<Array>> {
        crate::stream::capture::check_call()?;
        shape.check(&context.device, false)?;
        let planes = shape.planes();
        let bytes = if planes.is_empty() { shape.bytes() } else { planes.iter().map(step_bytes).sum() };
        let store = store(&context.device, &shape, 1, bytes)?;
        let planes = enter_parts(context, &planes, &store, step_bytes, Role::Part)?;
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
        Ok((layout::required_bytes(&self.shape, 1), layout::PAGE))
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
        let layout = layout::sparse_layout(&self.shape, 1);
        let tail_bytes = if layout.single_tail { layout.tail_bytes } else { 0 };
        Ok(SparseLayout { tail_first: 0, tail_bytes, ..layout })
    }

    /// Where a byte of a sparse array is (`None`: its tile is not mapped), and how many bytes of its row follow there.
    pub fn tile_run(&self, x: usize, y: usize, z: usize) -> (Option<Provided>, usize) {
        let shape = &self.shape;
        let block = shape.block();
        let [width, height, depth] = layout::sparse_layout(shape, 1).tile.map(|n| n as usize);
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

    /// One layer or face of a level that a graphics library owns, as an array of two dimensions.
    /// [`Array::withdraw`] ends it.
    pub fn layer(&self, context: &Arc<Context>, layer: usize) -> Result<Arc<Array>> {
        let shape = ArrayShape { depth: 0, flags: self.shape.flags & !(LAYERED | CUBEMAP), ..self.shape };
        let offset = self.offset + layer * shape.row_bytes() * shape.rows();
        enter(context, shape, &self.store, offset, Role::Shared, Vec::new())
    }

    /// Ends an array that [`Array::layer`] made.
    pub fn withdraw(&self) {
        ARRAYS.remove(self.handle);
    }

    /// Destroys an array once its context's work is complete. A level or plane stays until what it is part of is destroyed.
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
        // What belongs to a graphics resource ends with that.
        if matches!(array.role, Role::Part | Role::Shared) {
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
    pub fn create(context: &Arc<Context>, shape: ArrayShape, levels: u32) -> Result<Arc<MipmappedArray>> {
        crate::stream::capture::check_call()?;
        shape.check(&context.device, true)?;
        let count = shape.clamp_levels(levels);
        let shapes: Vec<ArrayShape> = (0..count).map(|level| shape.level(level)).collect();
        let store = store(&context.device, &shape, count, shapes.iter().map(step_bytes).sum())?;
        Self::enter(context, shape, &shapes, store, Role::Whole)
    }

    /// Makes one of exactly `levels` levels for an image that a graphics library owns. The program does not destroy it:
    /// [`MipmappedArray::withdraw`] does.
    pub fn create_shared(context: &Arc<Context>, shape: ArrayShape, levels: u32) -> Result<Arc<MipmappedArray>> {
        crate::stream::capture::check_call()?;
        // Cubes of a graphics library may be gathered from.
        let gather = if shape.flags & CUBEMAP != 0 { GATHER } else { 0 };
        ArrayShape { flags: shape.flags & !gather, ..shape }.check(&context.device, true)?;
        let shapes: Vec<ArrayShape> = (0..levels).map(|level| shape.level(level)).collect();
        let store = store(&context.device, &shape, levels, shapes.iter().map(step_bytes).sum())?;
        Self::enter(context, shape, &shapes, store, Role::Shared)
    }

    /// Ends one that was shared, and its levels.
    pub fn withdraw(&self) {
        MIPMAPPED.remove(self.handle);
        withdraw(&self.levels);
    }

    /// Makes one of exactly `levels` levels in memory that already exists: `memory` is asked for as many bytes as the
    /// device would take. It may be a target of graphics. It cannot be sparse or deferred.
    pub fn create_in(
        context: &Arc<Context>,
        shape: ArrayShape,
        levels: u32,
        memory: impl FnOnce(usize) -> Result<Provided>,
    ) -> Result<Arc<MipmappedArray>> {
        crate::stream::capture::check_call()?;
        refuse_if!(
            Error::INVALID_VALUE,
            shape.flags & (SPARSE | DEFERRED) != 0,
            "Flags {:#x}: an array in external memory can be neither sparse nor deferred",
            shape.flags
        );
        ArrayShape { flags: shape.flags & !COLOR_ATTACHMENT, ..shape }.check(&context.device, true)?;
        refuse_if!(Error::INVALID_VALUE, levels == 0, "numMipmapLevels is 0");
        refuse_if!(
            Error::INVALID_VALUE,
            levels != shape.clamp_levels(levels),
            "numMipmapLevels {} is more than the array can have, {}",
            levels,
            shape.clamp_levels(levels)
        );
        let shapes: Vec<ArrayShape> = (0..levels).map(|level| shape.level(level)).collect();
        let memory = memory(layout::blocks_bytes(&shape, levels))?;
        Self::enter(context, shape, &shapes, Store::provided(memory), Role::Whole)
    }

    fn enter(
        context: &Arc<Context>,
        shape: ArrayShape,
        shapes: &[ArrayShape],
        store: Arc<Store>,
        role: Role,
    ) -> Result<Arc<MipmappedArray>> {
        let step = if shape.flags & SPARSE != 0 { step_tiles } else { step_bytes };
        let of_parts = if role == Role::Shared { Role::Shared } else { Role::Part };
        let levels = enter_parts(context, shapes, &store, step, of_parts)?;
        let made = MIPMAPPED.insert_with(|handle| {
            let (levels, context_id) = (levels.clone(), context.id);
            Arc::new(MipmappedArray {
                handle,
                shape,
                context: Arc::downgrade(context),
                levels,
                store,
                role,
                context_id,
            })
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
        Ok((layout::required_bytes(&self.shape, self.levels.len() as u32), layout::PAGE))
    }

    /// The tiles and the mip tail of a sparse one.
    pub fn sparse_layout(&self) -> Result<SparseLayout> {
        refuse_if!(Error::INVALID_VALUE, self.shape.flags & SPARSE == 0, "_ {:#x} is not sparse", self.handle);
        Ok(layout::sparse_layout(&self.shape, self.levels.len() as u32))
    }

    /// Destroys it and its levels, once its context's work is complete.
    pub fn destroy(handle: usize) -> Result<()> {
        let mipmapped = Self::find(handle)?;
        crate::stream::capture::check_call()?;
        // What belongs to a graphics resource ends with that.
        if mipmapped.role == Role::Shared {
            return Ok(());
        }
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
pub fn shape_of(handle: usize) -> Result<ArrayShape> {
    match ARRAYS.get(handle) {
        // Whole levels of a graphics library's cubes do not tell their faces.
        Some(array) if array.role == Role::Shared && array.shape.flags & CUBEMAP != 0 => {
            Ok(ArrayShape { depth: 0, ..array.shape })
        }
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
    use crate::array::shape::VIDEO;
    use crate::testing::context;

    fn shape(width: usize, height: usize, depth: usize, flags: u32) -> ArrayShape {
        ArrayShape { width, height, depth, format: 0x20, channels: 1, flags }
    }

    #[test]
    fn an_array_that_is_too_large_takes_no_memory() {
        let context = context();
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
        let frame = ArrayShape { format: 0xb0, channels: 3, ..shape(64, 32, 0, VIDEO) };
        let a = Array::create(&context, frame).unwrap();
        let plane = a.plane(1).unwrap();
        assert_eq!((plane.shape.width, plane.shape.height, plane.shape.channels), (32, 16, 2));
        assert!(a.plane(2).is_err());
        context.destroy();
        assert!(Array::find(a.handle).is_err() && Array::find(plane.handle).is_err());
    }
}
