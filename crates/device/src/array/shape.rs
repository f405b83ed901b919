//! The shapes of arrays: extents, format and flags, and which of them a device allows.

use crate::array::format::{ElementKind, Format, Plane};
use crate::base::attribute::DeviceAttribute;
use crate::base::devices::Device;
use error::{Error, Result, refuse, refuse_if};

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
/// Undocumented: accepted, with no known effect.
const UNNAMED: u32 = 0x8000_0000;
/// A target of graphics, for memory that a graphics library made.
pub const COLOR_ATTACHMENT: u32 = 0x20;
/// Depth textures (0x10) and colour attachments belong to graphics libraries and are refused in memory of our own.
const KNOWN: u32 = LAYERED | SURFACE | CUBEMAP | GATHER | SPARSE | DEFERRED | VIDEO | UNNAMED;

/// Extents in elements, the format's number, components of an element, flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayShape {
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

impl ArrayShape {
    /// Arrays that share chunks on a device: those with elements of one size.
    pub fn group(&self) -> u32 {
        self.element_bytes().max(1).ilog2().min(4)
    }

    /// The depth counts layers, faces included.
    pub fn is_layered(&self) -> bool {
        self.flags & (LAYERED | CUBEMAP) != 0
    }

    /// True when every layer is a single row.
    pub fn has_row_layers(&self) -> bool {
        self.height == 0 && self.is_layered()
    }

    fn known_format(&self) -> Format {
        // A shape that passed `check` has a known format; any other is treated as bytes.
        Format::find(self.format).unwrap_or(Format { kind: ElementKind::Plain, channels: 0, bytes: 1 })
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
            planes.iter().map(ArrayShape::bytes).sum()
        }
    }

    /// The shape of a mip level.
    pub fn level(&self, level: u32) -> ArrayShape {
        let down = |n: usize| if n == 0 { 0 } else { (n >> level).max(1) };
        let depth = if self.is_layered() { self.depth } else { down(self.depth) };
        ArrayShape { width: down(self.width), height: down(self.height), depth, ..*self }
    }

    /// How many mip levels an array of this shape has when `wanted` are asked for.
    pub fn clamp_levels(&self, wanted: u32) -> u32 {
        let depth = if self.is_layered() { 0 } else { self.depth };
        let most = self.width.max(self.height).max(depth).max(1).ilog2() + 1;
        wanted.clamp(1, most)
    }

    /// The shapes of the planes of a video frame; none where it is in one piece.
    pub fn planes(&self) -> Vec<ArrayShape> {
        let plane = |p: &Plane| ArrayShape {
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
        let &ArrayShape { width, height, depth, channels, flags, .. } = self;
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
        fine &= format.kind != ElementKind::Block || height > 0;
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
        if format.kind == ElementKind::Block && is(SURFACE) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::context;

    fn shape(width: usize, height: usize, depth: usize, flags: u32) -> ArrayShape {
        ArrayShape { width, height, depth, format: 0x20, channels: 1, flags }
    }

    #[test]
    fn extents_must_fit_the_kind_of_array() {
        let context = context();
        let refuse = |s: ArrayShape| assert_eq!(s.check(&context.device, false), Err(Error::INVALID_VALUE), "{s:?}");
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
        context.destroy();
    }
}
