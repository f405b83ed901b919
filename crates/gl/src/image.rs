//! Images: textures and renderbuffers, their shape and contents.

use crate::context::Context;
use crate::format::Format;
use crate::functions::Direct;
use crate::name::{
    ACTIVE_TEXTURE, RENDERBUFFER, RENDERBUFFER_HEIGHT, RENDERBUFFER_INTERNAL_FORMAT, RENDERBUFFER_RED_SIZE,
    RENDERBUFFER_SAMPLES, RENDERBUFFER_WIDTH, TEXTURE_1D, TEXTURE_2D, TEXTURE_2D_ARRAY, TEXTURE_3D, TEXTURE_ALPHA_SIZE,
    TEXTURE_BINDINGS, TEXTURE_CUBE_MAP, TEXTURE_CUBE_MAP_ARRAY, TEXTURE_DEPTH, TEXTURE_HEIGHT, TEXTURE_INTENSITY_SIZE,
    TEXTURE_INTERNAL_FORMAT, TEXTURE_LUMINANCE_SIZE, TEXTURE_RECTANGLE, TEXTURE_RED_SIZE, TEXTURE_TARGET,
    TEXTURE_WIDTH, TEXTURE0, is_shared_target,
};
use crate::saved::{Pixels, Way};
use core::ffi::c_int;
use error::{Error, Result, refuse, refuse_if};

/// What an image is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Two dimensions: a texture, a rectangle or a renderbuffer. One dimension is a single row, layers of one are rows.
    Flat,
    /// Layers of two dimensions, also the faces of an array of cubes.
    Layers,
    /// Six faces.
    Cube,
    /// Three dimensions.
    Volume,
}

/// A texture or renderbuffer of the current context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Image {
    /// Its name.
    pub name: u32,
    /// Its target.
    pub target: u32,
    /// Extents of the first level: pixels of a row, rows, and slices, layers or faces.
    pub extents: [usize; 3],
    /// Mip levels that follow each other by halving.
    pub levels: u32,
    /// What its pixels are.
    pub format: Format,
}

impl Image {
    /// What it is.
    pub fn kind(&self) -> Kind {
        match self.target {
            TEXTURE_2D_ARRAY | TEXTURE_CUBE_MAP_ARRAY => Kind::Layers,
            TEXTURE_CUBE_MAP => Kind::Cube,
            TEXTURE_3D => Kind::Volume,
            _ => Kind::Flat,
        }
    }

    /// Extents of a level.
    pub fn level(&self, level: u32) -> [usize; 3] {
        let down = |n: usize| (n >> level).max(1);
        let [width, height, depth] = self.extents;
        [down(width), down(height), if self.kind() == Kind::Volume { down(depth) } else { depth }]
    }

    /// Levels that it has as an array: with more than one, layers and volumes have all down to a single element.
    pub fn levels_here(&self) -> u32 {
        let [width, height, depth] = self.extents;
        match self.kind() {
            Kind::Layers if self.levels > 1 => width.max(height).ilog2() + 1,
            Kind::Volume if self.levels > 1 => width.max(height).max(depth).ilog2() + 1,
            _ => self.levels,
        }
    }

    /// Bytes of a level.
    pub fn level_bytes(&self, level: u32) -> usize {
        self.level(level).iter().fold(self.format.bytes(), |bytes, n| bytes.saturating_mul(*n))
    }
}

/// A texture of our own for the time of a copy.
struct Temporary {
    direct: &'static Direct,
    name: u32,
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // SAFETY: made below; nobody else knows the name.
        unsafe { (self.direct.delete_textures)(1, &raw const self.name) };
    }
}

impl Context {
    fn images(&self) -> Result<&'static Direct> {
        self.direct().ok_or_else(|| {
            refuse!(
                Error::NOT_SUPPORTED,
                "the current context is not of OpenGL 4.5: textures and renderbuffers cannot be shared"
            )
        })
    }

    /// The image of a name, as it is now.
    pub fn image(&self, name: u32, target: u32) -> Result<Image> {
        let direct = self.images()?;
        // SAFETY: any number may be asked about.
        let known = unsafe {
            match target {
                RENDERBUFFER => (direct.is_renderbuffer)(name),
                _ => (direct.is_texture)(name),
            }
        } != 0;
        refuse_if!(
            Error::INVALID_HANDLE,
            !known,
            "image {} is not the name of a texture or renderbuffer of the current OpenGL context",
            name
        );
        let image = if target == RENDERBUFFER { renderbuffer(direct, name) } else { self.texture(direct, name) }?;
        refuse_if!(Error::INVALID_VALUE, image.extents.contains(&0), "image {} has no storage", name);
        // The size of what OpenGL writes is told in 32 bits.
        let size = image.level_bytes(0);
        refuse_if!(Error::NOT_SUPPORTED, size > i32::MAX as usize, "image {} is too large: {} bytes", name, size);
        Ok(image)
    }

    /// Whether an image is still what it was; an error: the context has no images that can be copied.
    pub fn has_image(&self, image: Image) -> Result<bool> {
        self.images()?;
        Ok(self.image(image.name, image.target) == Ok(image))
    }

    fn check_image(&self, image: Image) -> Result<()> {
        let there = self.has_image(image)?;
        refuse_if!(Error::UNKNOWN, !there, "OpenGL image {} has other storage than before", image.name);
        Ok(())
    }

    /// A texture with room for a renderbuffer's pixels: those of renderbuffers cannot be copied to the host without drawing
    /// state.
    fn temporary(&self, direct: &'static Direct, image: Image) -> Temporary {
        let mut name = 0;
        let [width, height, _] = image.extents;
        // SAFETY: one name is made, and gets storage of a format that the renderbuffer has.
        unsafe {
            (direct.create_textures)(TEXTURE_2D, 1, &raw mut name);
            (direct.give_storage)(name, 1, image.format.sized, width as c_int, height as c_int);
        }
        Temporary { direct, name }
    }

    /// Copies all pixels of a level out, once all that OpenGL was given before is complete: rows without gaps, the first one first.
    pub fn read_image(&self, image: Image, level: u32, to: &mut [u8]) -> Result<()> {
        let direct = self.images()?;
        self.check_image(image)?;
        refuse_if!(Error::UNKNOWN, to.len() != image.level_bytes(level), "level {} has another size", level);
        let _pixels = Pixels::plain(self, direct, Way::Out);
        let (format, kind) = image.format.transfer();
        let (bytes, to) = (to.len() as c_int, to.as_mut_ptr());
        // SAFETY: so many bytes are borrowed, no buffer is bound to take their place, and OpenGL writes no more than that.
        unsafe {
            if image.target == RENDERBUFFER {
                let other = self.temporary(direct, image);
                copy(direct, (image.name, RENDERBUFFER), (other.name, TEXTURE_2D), image.extents);
                (direct.read_texture)(other.name, 0, format, kind, bytes, to.cast());
            } else {
                (direct.read_texture)(image.name, level as c_int, format, kind, bytes, to.cast());
            }
        }
        Ok(())
    }

    /// Replaces all pixels of a level, before all that OpenGL is given after.
    pub fn write_image(&self, image: Image, level: u32, from: &[u8]) -> Result<()> {
        let direct = self.images()?;
        self.check_image(image)?;
        refuse_if!(Error::UNKNOWN, from.len() != image.level_bytes(level), "level {} has another size", level);
        let _pixels = Pixels::plain(self, direct, Way::In);
        let (format, kind) = image.format.transfer();
        let [width, height, depth] = image.level(level).map(|n| n as c_int);
        let (level, from) = (level as c_int, from.as_ptr().cast());
        // SAFETY: the pixels of the level are borrowed, without gaps, and no buffer is bound to take their place.
        unsafe {
            match image.kind() {
                Kind::Flat if image.target == RENDERBUFFER => {
                    let other = self.temporary(direct, image);
                    (direct.write_texture_2d)(other.name, 0, 0, 0, width, height, format, kind, from);
                    copy(direct, (other.name, TEXTURE_2D), (image.name, RENDERBUFFER), image.extents);
                }
                Kind::Flat if image.target == TEXTURE_1D => {
                    (direct.write_texture_1d)(image.name, level, 0, width, format, kind, from);
                }
                Kind::Flat => (direct.write_texture_2d)(image.name, level, 0, 0, width, height, format, kind, from),
                _ => (direct.write_texture_3d)(image.name, level, 0, 0, 0, width, height, depth, format, kind, from),
            }
        }
        Ok(())
    }
}

/// Copies pixels as they are.
///
/// # Safety
/// Both are images of the current context with these extents and formats of one size.
unsafe fn copy(direct: &Direct, from: (u32, u32), to: (u32, u32), extents: [usize; 3]) {
    let [width, height, _] = extents.map(|n| n as c_int);
    // SAFETY: the caller's.
    unsafe { (direct.copy_image)(from.0, from.1, 0, 0, 0, 0, to.0, to.1, 0, 0, 0, 0, width, height, 1) };
}

fn unshareable(name: u32, internal: u32) -> Error {
    refuse!(Error::INVALID_VALUE, "image {} has the format {:#x}, which cannot be shared", name, internal)
}

fn renderbuffer(direct: &Direct, name: u32) -> Result<Image> {
    let ask = |what| {
        let mut value = 0;
        // SAFETY: it is a renderbuffer; the answer is one number.
        unsafe { (direct.renderbuffer_parameter)(name, what, &raw mut value) };
        value as u32
    };
    refuse_if!(
        Error::INVALID_VALUE,
        ask(RENDERBUFFER_SAMPLES) > 0,
        "image {} is a renderbuffer with several samples",
        name
    );
    let internal = ask(RENDERBUFFER_INTERNAL_FORMAT);
    let format = Format::of(internal, ask(RENDERBUFFER_RED_SIZE)).ok_or_else(|| unshareable(name, internal))?;
    let extents = [ask(RENDERBUFFER_WIDTH) as usize, ask(RENDERBUFFER_HEIGHT) as usize, 1];
    Ok(Image { name, target: RENDERBUFFER, extents, levels: 1, format })
}

impl Context {
    /// Which kind of texture has a name. It is the name of one.
    fn texture_target(&self, direct: &Direct, name: u32) -> u32 {
        let Some(old) = self.old() else {
            let mut target: c_int = 0;
            // SAFETY: it is a texture; the answer is one number.
            unsafe { (direct.texture_parameter)(name, TEXTURE_TARGET, &raw mut target) };
            return target as u32;
        };
        // Mesa does not tell in the compatibility profile; but what is bound to a unit is bound as what it is.
        let bindings = || TEXTURE_BINDINGS.map(|(target, binding)| (target, self.integer(binding) as u32));
        let before = bindings();
        // SAFETY: the unit is one, and what was bound to it is bound again.
        unsafe { (old.bind_unit)((self.integer(ACTIVE_TEXTURE) as u32).saturating_sub(TEXTURE0), name) };
        let now = bindings();
        let own = now.iter().find(|(_, bound)| *bound == name).map_or(0, |(target, _)| *target);
        for ((target, was), _) in before.iter().zip(now).filter(|((_, was), (_, now))| was != now) {
            // SAFETY: the same.
            unsafe { (old.bind_texture)(*target, *was) };
        }
        own
    }

    fn texture(&self, direct: &Direct, name: u32) -> Result<Image> {
        let own = self.texture_target(direct, name);
        // The texture knows better than the program what it is.
        refuse_if!(
            Error::INVALID_VALUE,
            !is_shared_target(own),
            "the texture {} has the target {:#x}, which cannot be shared",
            name,
            own
        );
        let target = own;
        let ask = |level: u32, what| {
            let mut value = 0;
            // SAFETY: the texture can have the level; the answer is one number.
            unsafe { (direct.level_parameter)(name, level as c_int, what, &raw mut value) };
            value as u32
        };
        let internal = ask(0, TEXTURE_INTERNAL_FORMAT);
        // The core profile does not know the sizes of the last two.
        let sizes = [TEXTURE_RED_SIZE, TEXTURE_ALPHA_SIZE, TEXTURE_LUMINANCE_SIZE, TEXTURE_INTENSITY_SIZE];
        let known = if self.old().is_some() { 4 } else { 2 };
        let bits = sizes[..known].iter().map(|&size| ask(0, size)).max().unwrap_or(0);
        let extents = |level| {
            let depth = if target == TEXTURE_CUBE_MAP { 6 } else { ask(level, TEXTURE_DEPTH) };
            [ask(level, TEXTURE_WIDTH), ask(level, TEXTURE_HEIGHT), depth].map(|n| n as usize)
        };
        refuse_if!(Error::INVALID_VALUE, extents(0).contains(&0), "image {} has no storage", name);
        let format = Format::of(internal, bits).ok_or_else(|| unshareable(name, internal))?;
        let mut image = Image { name, target, extents: extents(0), levels: 1, format };
        let [width, height, depth] = image.extents;
        let largest = width.max(height).max(if target == TEXTURE_3D { depth } else { 1 });
        let most = if target == TEXTURE_RECTANGLE { 1 } else { largest.ilog2() + 1 };
        while image.levels < most
            && extents(image.levels) == image.level(image.levels)
            && ask(image.levels, TEXTURE_INTERNAL_FORMAT) == internal
        {
            image.levels += 1;
        }
        Ok(image)
    }
}
