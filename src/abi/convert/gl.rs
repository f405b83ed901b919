//! Buffers and images of OpenGL as the device takes them.

use device::array::ArrayShape;
use device::array::graphics::{Contents, Owner, Reach};
use device::array::shape::{CUBEMAP, GATHER, LAYERED, SURFACE};
use error::{Error, Result, refuse};
use gl::{Buffer, Component, Context, Group, Image, Kind, Place};

/// `CU_GRAPHICS_REGISTER_FLAGS_SURFACE_LDST`
const SURFACE_LDST: u32 = 4;
/// `CU_GRAPHICS_REGISTER_FLAGS_TEXTURE_GATHER`
const TEXTURE_GATHER: u32 = 8;

/// The calling thread's OpenGL context.
pub fn current() -> Result<Context> {
    Context::current().ok_or_else(|| match gl::is_loaded() {
        true => refuse!(Error::INVALID_GRAPHICS_CONTEXT, "no OpenGL context is current on this thread"),
        false => refuse!(Error::OPERATING_SYSTEM, "no OpenGL is loaded in this process"),
    })
}

/// The same for what shares objects: where that was done before, no context is an invalid value.
pub fn current_again() -> Result<Context> {
    current().map_err(|error| if gl::has_been_current() { error.with_code(Error::INVALID_VALUE) } else { error })
}

/// Checks that the calling thread has a context of OpenGL, whichever.
pub fn with_context() -> Result<()> {
    let none = || refuse!(Error::INVALID_GRAPHICS_CONTEXT, "no OpenGL context is current on this thread");
    Context::current().map(drop).ok_or_else(none)
}

/// An object of OpenGL, and the contexts that know it.
struct Shared<T> {
    object: T,
    group: Group,
}

impl<T> Shared<T> {
    fn of(object: T, context: &Context) -> Result<Box<Shared<T>>> {
        let group = context.group().ok_or_else(|| refuse!(Error::UNKNOWN, "OpenGL has no memory left"))?;
        Ok(Box::new(Shared { object, group }))
    }

    /// A context that knows the object: the calling thread's, or one that takes its place for a moment.
    fn context(&self) -> Result<Place> {
        Place::of(self.group).ok_or_else(|| {
            refuse!(
                Error::INVALID_GRAPHICS_CONTEXT,
                "on this thread no OpenGL context is current that shares objects with the one of the registration"
            )
        })
    }
}

impl Owner for Shared<Buffer> {
    fn check(&self) -> Result<Reach> {
        let context = self.context()?;
        Ok(match context.has_buffer(self.object) {
            true if context.is_host_mapped(self.object) => Reach::Apart,
            true => Reach::Shared,
            false => Reach::Gone,
        })
    }

    fn read(&self, _level: u32, to: &mut [u8]) -> Result<()> {
        self.context()?.read_buffer(self.object, to)
    }

    fn write(&self, _level: u32, from: &[u8]) -> Result<()> {
        self.context()?.write_buffer(self.object, from)
    }
}

impl Owner for Shared<Image> {
    fn check(&self) -> Result<Reach> {
        Ok(if self.context()?.has_image(self.object)? { Reach::Shared } else { Reach::Gone })
    }

    fn read(&self, level: u32, to: &mut [u8]) -> Result<()> {
        if level >= self.object.levels {
            return Ok(());
        }
        self.context()?.read_image(self.object, level, to)
    }

    fn write(&self, level: u32, from: &[u8]) -> Result<()> {
        if level >= self.object.levels {
            return Ok(());
        }
        self.context()?.write_image(self.object, level, from)
    }
}

/// The buffer of a name: its bytes, and who copies them.
pub fn buffer(context: &Context, name: u32) -> Result<(usize, Box<dyn Owner>)> {
    let buffer = context.buffer(name)?;
    Ok((buffer.size, Shared::of(buffer, context)?))
}

/// The image of a name, as an array with mip levels, and who copies it. `flags`: as it is registered.
pub fn image(context: &Context, name: u32, target: u32, flags: u32) -> Result<(Contents, Box<dyn Owner>)> {
    let image = context.image(name, target)?;
    let [width, height, depth] = image.extents;
    let (depth, kind) = match image.kind() {
        Kind::Flat => (0, 0),
        Kind::Layers => (depth, LAYERED),
        Kind::Cube => (depth, CUBEMAP),
        Kind::Volume => (depth, 0),
    };
    let surface = if flags & SURFACE_LDST != 0 { SURFACE } else { 0 };
    let gather = if flags & TEXTURE_GATHER != 0 { GATHER } else { 0 };
    let shape = ArrayShape {
        width,
        height,
        depth,
        format: array_format(image.format.component),
        channels: image.format.channels(),
        flags: kind | surface | gather,
    };
    Ok((Contents::Image(shape, image.levels_here()), Shared::of(image, context)?))
}

/// `CU_AD_FORMAT_*` of a component: what is read as a fraction is one of textures that normalise.
fn array_format(component: Component) -> u32 {
    match component {
        Component::Unit8 | Component::Unsigned8 => 0x01,
        Component::Unit16 | Component::Unsigned16 => 0x02,
        Component::Unsigned32 => 0x03,
        Component::Signed8 => 0x08,
        Component::Signed16 => 0x09,
        Component::Signed32 => 0x0a,
        Component::Float16 => 0x10,
        Component::Float32 => 0x20,
    }
}
