//! Texture and surface references, which belong to modules, and what kernels find them bound to.

use crate::array::arrays::{Array, MipmappedArray};
use crate::array::texture::{FLAGS, Sampling, alignment};
use crate::base::devices::Device;
use crate::base::handle::{HandleKind, Table};
use crate::stream::context::Context;
use error::{Error, Result, refuse, refuse_if};
use parking_lot::Mutex;
use std::sync::Arc;

/// What a texture reference is bound to.
#[derive(Clone, Default)]
pub enum Binding {
    /// Nothing.
    #[default]
    None,
    /// An array.
    Array(Arc<Array>),
    /// A mipmapped array.
    Mipmapped(Arc<MipmappedArray>),
    /// A run of elements in memory.
    Linear {
        /// First byte.
        address: usize,
        /// Bytes.
        bytes: usize,
    },
    /// Rows of elements in memory.
    Pitched {
        /// First byte.
        address: usize,
        /// Elements in a row.
        width: usize,
        /// Rows.
        height: usize,
        /// Bytes from row to row.
        pitch: usize,
    },
}

impl Binding {
    /// The address of memory that is bound.
    pub fn address(&self) -> Option<usize> {
        match *self {
            Binding::Linear { address, .. } | Binding::Pitched { address, .. } => Some(address),
            _ => None,
        }
    }
}

/// The settings of a texture reference.
#[derive(Clone)]
pub struct ReferenceState {
    /// What it reads.
    pub binding: Binding,
    /// How.
    pub sampling: Sampling,
    /// Number of the format.
    pub format: u32,
    /// Components.
    pub channels: u32,
}

/// A texture reference.
pub struct TextureReference {
    /// The handle that the program has.
    pub handle: usize,
    /// Its settings.
    pub state: Mutex<ReferenceState>,
    context_id: u64,
}

/// All live texture references.
pub static REFERENCES: Table<TextureReference> = Table::new(HandleKind::TextureReference);

impl TextureReference {
    /// Creates a texture reference that reads single floats and is bound to nothing.
    pub fn create(context: &Context) -> Result<Arc<TextureReference>> {
        const CLAMP: u32 = 1;
        const FLOAT: u32 = 0x20;
        let sampling = Sampling { address_modes: [CLAMP; 3], ..Sampling::default() };
        let state = Mutex::new(ReferenceState { binding: Binding::None, sampling, format: FLOAT, channels: 1 });
        let make = |handle| Arc::new(TextureReference { handle, state, context_id: context.id });
        context.owns(
            REFERENCES
                .insert_with(make)
                .ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "there are too many texture references"))?,
        )
    }

    /// The live texture reference behind a handle.
    pub fn find(handle: usize) -> Result<Arc<TextureReference>> {
        REFERENCES.get_or(handle, Error::INVALID_HANDLE)
    }

    /// Sets format and components.
    pub fn set_format(&self, format: u32, channels: u32) -> Result<()> {
        refuse_if!(
            Error::INVALID_VALUE,
            !matches!(channels, 1 | 2 | 4),
            "NumPackedComponents {} is not 1, 2 or 4",
            channels
        );
        let mut state = self.state.lock();
        (state.format, state.channels) = (format, channels);
        Ok(())
    }

    /// Sets the read flags.
    pub fn set_flags(&self, flags: u32) -> Result<()> {
        refuse_if!(Error::INVALID_VALUE, flags & !FLAGS != 0, "Flags {:#x} has unknown bits", flags);
        self.state.lock().sampling.flags = flags;
        Ok(())
    }

    /// Binds memory from the nearest aligned address below on, and returns the distance to it.
    pub fn bind_address(&self, device: &Device, address: usize, bytes: usize, may_round: bool) -> Result<usize> {
        let offset = address % alignment(device);
        refuse_if!(
            Error::INVALID_VALUE,
            offset != 0 && !may_round,
            "dptr {:#x} is not aligned, and ByteOffset is NULL",
            address
        );
        let bytes = bytes.saturating_add(offset);
        self.state.lock().binding =
            if address == 0 { Binding::None } else { Binding::Linear { address: address - offset, bytes } };
        Ok(offset)
    }

    /// Binds rows in memory, at an aligned address.
    pub fn bind_rows(&self, device: &Device, address: usize, extent: [usize; 2], pitch: usize) -> Result<()> {
        refuse_if!(
            Error::INVALID_VALUE,
            !address.is_multiple_of(alignment(device)),
            "dptr {:#x} is not a multiple of the alignment of textures, {}",
            address,
            alignment(device)
        );
        let [width, height] = extent;
        self.state.lock().binding =
            if address == 0 { Binding::None } else { Binding::Pitched { address, width, height, pitch } };
        Ok(())
    }

    /// Binds an array, with its format.
    pub fn bind_array(&self, handle: usize) -> Result<()> {
        let array = Array::find(handle)?;
        let mut state = self.state.lock();
        (state.format, state.channels) = (array.shape.format, array.shape.channels);
        state.binding = Binding::Array(array);
        Ok(())
    }

    /// Binds a mipmapped array, with its format.
    pub fn bind_mipmapped(&self, handle: usize) -> Result<()> {
        let mipmapped = MipmappedArray::find(handle)?;
        let mut state = self.state.lock();
        (state.format, state.channels) = (mipmapped.shape.format, mipmapped.shape.channels);
        state.binding = Binding::Mipmapped(mipmapped);
        Ok(())
    }
}

/// What references are bound to when a kernel is launched. Binding them again later does not change the launch.
#[derive(Default)]
pub struct Bindings {
    textures: Vec<(usize, ReferenceState)>,
    surfaces: Vec<(usize, Option<Arc<Array>>)>,
}

impl Bindings {
    /// The bindings of a kernel whose module has no references.
    pub const NONE: Bindings = Bindings { textures: Vec::new(), surfaces: Vec::new() };

    /// The state of the references with these handles.
    pub fn of(references: &[usize]) -> Bindings {
        let mut all = Bindings::default();
        for &handle in references {
            if let Some(reference) = REFERENCES.get(handle) {
                all.textures.push((handle, reference.state.lock().clone()));
            } else if let Some(reference) = SURFACE_REFERENCES.get(handle) {
                all.surfaces.push((handle, reference.array.lock().clone()));
            }
        }
        all
    }

    /// The settings of a texture reference at the launch; the current ones if it was not known then.
    pub(super) fn texture(&self, handle: usize) -> Option<ReferenceState> {
        let found = self.textures.iter().find(|(of, _)| *of == handle);
        match found {
            Some((_, state)) => Some(state.clone()),
            None => REFERENCES.get(handle).map(|reference| reference.state.lock().clone()),
        }
    }

    /// The array of a surface reference at the launch; the current one if the reference was not known then.
    pub(super) fn surface(&self, handle: usize) -> Option<Arc<Array>> {
        let found = self.surfaces.iter().find(|(of, _)| *of == handle);
        match found {
            Some((_, array)) => array.clone(),
            None => SURFACE_REFERENCES.get(handle)?.array.lock().clone(),
        }
    }
}

/// A surface reference: belongs to a module.
pub struct SurfaceReference {
    /// The handle that the program has.
    pub handle: usize,
    /// The array that it reads and writes.
    pub array: Mutex<Option<Arc<Array>>>,
    context_id: u64,
}

/// All live surface references.
pub static SURFACE_REFERENCES: Table<SurfaceReference> = Table::new(HandleKind::SurfaceReference);

impl SurfaceReference {
    /// Creates a surface reference that is bound to nothing.
    pub fn create(context: &Context) -> Result<Arc<SurfaceReference>> {
        let make = |handle| Arc::new(SurfaceReference { handle, array: Mutex::new(None), context_id: context.id });
        context.owns(
            SURFACE_REFERENCES
                .insert_with(make)
                .ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "there are too many surface references"))?,
        )
    }

    /// The live surface reference behind a handle.
    pub fn find(handle: usize) -> Result<Arc<SurfaceReference>> {
        SURFACE_REFERENCES.get_or(handle, Error::INVALID_HANDLE)
    }
}

/// Ends every reference of a context.
pub fn free_all_of(context: &Context) {
    for reference in REFERENCES.all().into_iter().filter(|r| r.context_id == context.id) {
        REFERENCES.remove(reference.handle);
    }
    for reference in SURFACE_REFERENCES.all().into_iter().filter(|r| r.context_id == context.id) {
        SURFACE_REFERENCES.remove(reference.handle);
    }
}
