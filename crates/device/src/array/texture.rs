//! Texture and surface objects: what kernels read arrays and memory through.

use crate::array::arrays::{Array, MipmappedArray};
use crate::array::format::{ElementKind, Format};
use crate::array::image_object::{Description, ImageObject};
use crate::array::shape::{ArrayShape, CUBEMAP, SURFACE};
use crate::base::attribute::DeviceAttribute;
use crate::base::bounds::{MOST_LINEAR_TEXTURE_BYTES, MOST_LINEAR_TEXTURE_ELEMENTS};
use crate::base::devices::Device;
use crate::base::handle::{HandleKind, Table};
use crate::stream::context::Context;
use core::ptr;
pub use engine::state::texture::source::Sampling;
use error::{Error, Result, refuse, refuse_if};
use std::sync::{Arc, Weak};

impl Device {
    /// Elements that a 1D texture over linear memory may have.
    pub fn linear_texture_width(&self, format: &Format, channels: u32) -> usize {
        /// What the attribute counts: the widest elements.
        const WIDEST: usize = 16;
        let widest = self.count(DeviceAttribute::MAXIMUM_TEXTURE1D_LINEAR_WIDTH) as usize;
        // A texture over a video format shows one component of the frame.
        let bytes = if format.is_video() { format.bytes } else { format.element_bytes(channels) };
        (widest * WIDEST / bytes.max(1)).min(MOST_LINEAR_TEXTURE_ELEMENTS)
    }
}

/// What a texture or surface reads, as the program described it. The arrays stay alive with it.
#[derive(Clone)]
pub enum Resource {
    /// An array, or a level of one.
    Array(Arc<Array>),
    /// A mipmapped array.
    Mipmapped(Arc<MipmappedArray>),
    /// A run of elements in memory.
    Linear {
        /// First byte.
        address: usize,
        /// Number of the format.
        format: u32,
        /// Components.
        channels: u32,
        /// Bytes.
        bytes: usize,
    },
    /// Rows of elements in memory.
    Pitched {
        /// First byte.
        address: usize,
        /// Number of the format.
        format: u32,
        /// Components.
        channels: u32,
        /// Elements in a row.
        width: usize,
        /// Rows.
        height: usize,
        /// Bytes from row to row.
        pitch: usize,
    },
}

/// A view of an array with another format.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// Number of the view format.
    pub format: u32,
    /// Extents in elements of the view's format.
    pub extent: [usize; 3],
    /// First and last mip level.
    pub levels: [u32; 2],
    /// First and last layer.
    pub layers: [u32; 2],
}

/// What a texture object is.
pub struct TextureDescription {
    /// What it reads.
    pub resource: Resource,
    /// How.
    pub sampling: Sampling,
    /// Through which view.
    pub view: Option<View>,
}

/// What a surface object is.
pub struct SurfaceDescription {
    /// What it reads and writes.
    pub array: Arc<Array>,
}

/// A texture object.
pub type Texture = ImageObject<TextureDescription>;
/// A surface object.
pub type Surface = ImageObject<SurfaceDescription>;

/// All texture objects, with those that were destroyed and that work in flight may use.
pub static TEXTURES: Table<Texture> = Table::new(HandleKind::Texture);
/// All surface objects, with those that were destroyed and that work in flight may use.
pub static SURFACES: Table<Surface> = Table::new(HandleKind::Surface);

impl Description for TextureDescription {
    const NAME: &'static str = "texture objects";

    fn table() -> &'static Table<Texture> {
        &TEXTURES
    }
}

impl Description for SurfaceDescription {
    const NAME: &'static str = "surface objects";

    fn table() -> &'static Table<Surface> {
        &SURFACES
    }
}

/// Bits of [`Sampling::flags`] that mean something; the seamless one only for cubemaps.
pub(super) const FLAGS: u32 = 0x3f;
const SRGB: u32 = 0x10;
const SEAMLESS: u32 = 0x40;

/// Compressed formats whose colours are in sRGB: the flags of a texture have to say so, too.
fn is_srgb(format: u32) -> bool {
    matches!(format, 0x92 | 0x94 | 0x96 | 0x9e)
}

/// True for a plain format: textures over memory have no others.
fn plain(format: u32, channels: u32) -> bool {
    Format::find(format).is_some_and(|f| f.kind == ElementKind::Plain && f.accepts(channels))
}

/// Alignment of textures in memory.
pub(super) fn alignment(device: &Device) -> usize {
    device.count(DeviceAttribute::TEXTURE_ALIGNMENT).max(1) as usize
}

/// Refuses an array of another context.
fn check_owner(owner: &Weak<Context>, context: &Context) -> Result<()> {
    if ptr::eq(owner.as_ptr(), context) {
        Ok(())
    } else {
        Err(refuse!(Error::PEER_ACCESS_NOT_ENABLED, "hArray is of another context"))
    }
}

impl Resource {
    /// [`check_owner`] of its array, if it has one.
    fn check_owner(&self, context: &Context) -> Result<()> {
        match self {
            Resource::Array(array) => check_owner(&array.context, context),
            Resource::Mipmapped(array) => check_owner(&array.context, context),
            _ => Ok(()),
        }
    }

    /// The shape of its array, if it has one.
    fn shape(&self) -> Option<&ArrayShape> {
        match self {
            Resource::Array(array) => Some(&array.shape),
            Resource::Mipmapped(mipmapped) => Some(&mipmapped.shape),
            _ => None,
        }
    }

    /// Checks it as the resource of a texture. Does not check that there is memory.
    fn check(&self, device: &Device) -> Result<()> {
        let aligned = |address: usize| address != 0 && address.is_multiple_of(alignment(device));
        let fine = match *self {
            Resource::Array(ref array) => array.planes.is_empty(),
            Resource::Mipmapped(_) => true,
            Resource::Linear { address, format, channels, bytes } => {
                plain(format, channels)
                    && aligned(address)
                    && bytes <= MOST_LINEAR_TEXTURE_BYTES
                    && Format::find(format)
                        .is_some_and(|f| bytes / f.element_bytes(channels) <= MOST_LINEAR_TEXTURE_ELEMENTS)
            }
            Resource::Pitched { address, format, channels, width, height, pitch } => {
                let [most_width, most_height, most_pitch] = [
                    DeviceAttribute::MAXIMUM_TEXTURE2D_LINEAR_WIDTH,
                    DeviceAttribute::MAXIMUM_TEXTURE2D_LINEAR_HEIGHT,
                    DeviceAttribute::MAXIMUM_TEXTURE2D_LINEAR_PITCH,
                ]
                .map(|attribute| device.count(attribute) as usize);
                plain(format, channels)
                    && aligned(address)
                    && pitch.is_multiple_of(device.count(DeviceAttribute::TEXTURE_PITCH_ALIGNMENT).max(1) as usize)
                    && width <= most_width
                    && height <= most_height
                    && pitch <= most_pitch
            }
        };
        if fine {
            return Ok(());
        }
        Err(match *self {
            Resource::Array(ref array) => {
                refuse!(Error::INVALID_VALUE, "hArray {:#x} has planes: a texture reads one plane", array.handle)
            }
            Resource::Mipmapped(_) => Error::INVALID_VALUE,
            Resource::Linear { address, format, channels, bytes } => refuse!(
                Error::INVALID_VALUE,
                "devPtr {:#x} is misaligned, or linear memory cannot have format {:#x} with numChannels {}, or sizeInBytes {} is too large",
                address,
                format,
                channels,
                bytes
            ),
            Resource::Pitched { address, format, channels, width, height, pitch } => refuse!(
                Error::INVALID_VALUE,
                "devPtr {:#x} or pitchInBytes {} is misaligned, or linear memory cannot have format {:#x} with numChannels {}, or width {} x height {} is too large",
                address,
                pitch,
                format,
                channels,
                width,
                height
            ),
        })
    }
}

/// Checks how a texture is to sample a resource.
fn check_sampling(sampling: &Sampling, resource: &Resource) -> Result<()> {
    let shape = resource.shape();
    let dimensions = match (resource, shape) {
        (_, Some(s)) if s.height == 0 => 1,
        (_, Some(s)) if s.depth == 0 || s.is_layered() => 2,
        (_, Some(_)) => 3,
        (Resource::Pitched { .. }, _) => 2,
        _ => 1,
    };
    let cubemap = shape.is_some_and(|s| s.flags & CUBEMAP != 0);
    let known = if cubemap { FLAGS | SEAMLESS } else { FLAGS };
    let fine = sampling.address_modes[..dimensions].iter().all(|&mode| mode <= 3)
        && sampling.filter <= 1
        && sampling.level_filter <= 1
        && sampling.flags & !known == 0
        && (sampling.flags & SRGB != 0 || !shape.is_some_and(|s| is_srgb(s.format)));
    refuse_if!(
        Error::INVALID_VALUE,
        sampling.address_modes[..dimensions].iter().any(|&mode| mode > 3),
        "addressMode has a value that is not a CUaddress_mode: {:?}",
        sampling.address_modes
    );
    refuse_if!(Error::INVALID_VALUE, sampling.filter > 1, "filterMode {} is not a CUfilter_mode", sampling.filter);
    refuse_if!(
        Error::INVALID_VALUE,
        sampling.level_filter > 1,
        "mipmapFilterMode {} is not a CUfilter_mode",
        sampling.level_filter
    );
    refuse_if!(
        Error::INVALID_VALUE,
        sampling.flags & !known != 0,
        "flags {:#x} has unknown bits, or SEAMLESS_CUBEMAP for another array",
        sampling.flags
    );
    refuse_if!(
        Error::INVALID_VALUE,
        !fine,
        "flags {:#x} lacks CU_TRSF_SRGB, which the format of the array needs",
        sampling.flags
    );
    Ok(())
}

impl View {
    /// Bytes of an element of a view format, or of a block and how many components the array has to have.
    fn element(format: u32) -> Option<(usize, Option<u32>)> {
        let plain = |bytes: usize, nth: u32| Some((bytes << nth, None));
        match format {
            // One, two and four components of integers without and with a sign, and floating point.
            0x01..=0x06 => plain(1, (format - 0x01) % 3),
            0x07..=0x0c => plain(2, (format - 0x07) % 3),
            0x0d..=0x12 => plain(4, (format - 0x0d) % 3),
            0x13..=0x15 => plain(2, format - 0x13),
            0x16..=0x18 => plain(4, format - 0x16),
            // BC1 and BC4, and the others.
            0x19 | 0x1c | 0x1d => Some((8, Some(2))),
            0x1a | 0x1b | 0x1e..=0x22 => Some((16, Some(4))),
            _ => None,
        }
    }

    fn check(&self, shape: &ArrayShape, mipmapped: bool) -> Result<()> {
        const UINT32: u32 = 0x03;
        let (bytes, block) = View::element(self.format)
            .ok_or_else(|| refuse!(Error::INVALID_VALUE, "format {:#x} is not a CUresourceViewFormat", self.format))?;
        let array = Format::find(shape.format)
            .ok_or_else(|| refuse!(Error::INVALID_VALUE, "the format of the array is unknown"))?;
        let scale = if block.is_some() { 4 } else { 1 };
        let extent = [shape.width * scale, shape.height * scale, shape.depth];
        let layers_fit = if shape.is_layered() {
            self.layers[0] <= self.layers[1] && (self.layers[1] as usize) < shape.depth
        } else {
            self.layers == [0, 0]
        };
        let fine = self.extent == extent
            && self.levels[0] <= self.levels[1]
            && (mipmapped || self.levels[1] == 0)
            && layers_fit
            && match block {
                Some(channels) => shape.format == UINT32 && shape.channels == channels,
                None => array.kind != ElementKind::Block && bytes == shape.element_bytes(),
            };
        refuse_if!(
            Error::INVALID_VALUE,
            self.extent != extent,
            "width {} x height {} x depth {} of the view is not that of the array, {} x {} x {}",
            self.extent[0],
            self.extent[1],
            self.extent[2],
            extent[0],
            extent[1],
            extent[2]
        );
        refuse_if!(
            Error::INVALID_VALUE,
            self.levels[0] > self.levels[1],
            "firstMipmapLevel {} is more than lastMipmapLevel {}",
            self.levels[0],
            self.levels[1]
        );
        refuse_if!(
            Error::INVALID_VALUE,
            !mipmapped && self.levels[1] != 0,
            "lastMipmapLevel {} is not 0 for an array without levels",
            self.levels[1]
        );
        refuse_if!(
            Error::INVALID_VALUE,
            !layers_fit,
            "firstLayer {} or lastLayer {} is not a layer of the array",
            self.layers[0],
            self.layers[1]
        );
        refuse_if!(
            Error::INVALID_VALUE,
            !fine,
            "format {:#x} of the view does not go with that of the array, {:#x} with {} channels",
            self.format,
            shape.format,
            shape.channels
        );
        Ok(())
    }
}

impl Texture {
    /// Creates a texture object. Pitched memory without rows becomes linear; a view on memory is ignored.
    pub fn create(
        context: &Context,
        resource: Resource,
        sampling: Sampling,
        view: Option<View>,
    ) -> Result<Arc<Texture>> {
        resource.check(&context.device)?;
        resource.check_owner(context)?;
        check_sampling(&sampling, &resource)?;
        if let (Some(view), Some(shape)) = (&view, resource.shape()) {
            view.check(shape, matches!(resource, Resource::Mipmapped(_)))?;
        }
        let resource = match resource {
            Resource::Pitched { address, format, channels, height: 0, pitch, .. } => {
                Resource::Linear { address, format, channels, bytes: pitch }
            }
            other => other,
        };
        Texture::enter(context, TextureDescription { resource, sampling, view })
    }
}

impl Surface {
    /// Creates a surface object on an array. Like the real driver, it accepts an array that was not made for surfaces,
    /// unless its format is compressed or has planes.
    pub fn create(context: &Context, array: Arc<Array>) -> Result<Arc<Surface>> {
        check_owner(&array.context, context)?;
        let compressed = array.shape.block() > 1;
        refuse_if!(Error::INVALID_VALUE, compressed, "hArray {:#x} has a compressed format", array.handle);
        refuse_if!(
            Error::INVALID_VALUE,
            !array.planes.is_empty() && array.shape.flags & SURFACE == 0,
            "hArray {:#x} has planes, and was made without CUDA_ARRAY3D_SURFACE_LDST",
            array.handle
        );
        Surface::enter(context, SurfaceDescription { array })
    }
}

/// Ends every texture and surface object of a context.
pub fn free_all_of(context: &Context) {
    Texture::free_all_of(context);
    Surface::free_all_of(context);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::context;
    use crate::testing;

    #[test]
    fn a_view_has_elements_of_the_arrays_size() {
        let shape = ArrayShape { width: 64, height: 64, depth: 0, format: 0x03, channels: 2, flags: 0 };
        let view = |format, width| View { format, extent: [width, width, 0], levels: [0, 0], layers: [0, 0] };
        for (format, width) in [(0x0e, 64), (0x17, 64), (0x09, 64), (0x19, 256)] {
            assert_eq!(view(format, width).check(&shape, false), Ok(()), "{format:#x}");
        }
        for (format, width) in [(0x00, 64), (0x0f, 64), (0x19, 64), (0x1a, 256), (0x0e, 32), (0x23, 64)] {
            assert_eq!(view(format, width).check(&shape, false), Err(Error::INVALID_VALUE), "{format:#x}");
        }
        let layers = View { layers: [1, 2], ..view(0x0e, 64) };
        assert!(layers.check(&shape, true).is_err());
    }

    #[test]
    fn textures_over_memory_must_be_aligned() {
        let context = testing::context_on(0);
        let make = |resource| Texture::create(&context, resource, Sampling::default(), None).map(|t| t.handle);
        let linear = |address, format, channels| Resource::Linear { address, format, channels, bytes: 64 };
        assert!(make(linear(1 << 20, 0x20, 1)).is_ok());
        for wrong in
            [linear(0, 0x20, 1), linear((1 << 20) + 16, 0x20, 1), linear(1 << 20, 0x20, 3), linear(512, 0xc2, 4)]
        {
            assert_eq!(make(wrong), Err(Error::INVALID_VALUE));
        }
        let pitched =
            |height, pitch| Resource::Pitched { address: 1 << 20, format: 0x20, channels: 1, width: 16, height, pitch };
        assert!(make(pitched(16, 100)).is_err());
        let handle = make(pitched(0, 512)).unwrap();
        assert!(Texture::find(handle).is_err(), "not the current context's");
        context::push(context.clone());
        let flat = Texture::find(handle).unwrap();
        assert!(matches!(flat.resource, Resource::Linear { bytes: 512, .. }));
        context.destroy();
        assert!(Texture::find(flat.handle).is_err());
        context::pop();
    }
}
