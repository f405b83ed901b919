//! What sampling for all lanes at once has to know of a texture.

use super::elements::Element;
use crate::numeric::value::LANES;
use crate::state::texture::sample::BORDER;
use crate::state::texture::source::{Backing, TextureSource};
use crate::state::texture::texel::{Format, Numbers};

/// Where to sample, for all lanes.
pub struct Places {
    /// Bits of the coordinates along the dimensions that there are.
    pub at: [[u32; LANES]; 3],
    /// How many these are.
    pub dimensions: usize,
    /// Coordinates are numbers of elements.
    pub whole: bool,
    /// Added to the numbers of the elements.
    pub offset: Option<[[i32; LANES]; 3]>,
    /// The layers.
    pub layer: Option<[u32; LANES]>,
    /// Numbers outside mean the nearest element.
    pub clamps: bool,
    /// Lanes that are to be sampled.
    pub mask: u32,
}

/// What the components of elements are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Unsigned8,
    Unsigned16,
    Signed8,
    Signed16,
    /// Integers that stay integers.
    Natural8,
    Natural16,
    Integer8,
    Integer16,
    Word,
    Half,
    Single,
}

impl Kind {
    fn of(format: &Format) -> Option<Kind> {
        Some(match (format.numbers, format.bytes, format.signed) {
            (Numbers::Unsigned, 1, false) => Kind::Unsigned8,
            (Numbers::Unsigned, 2, false) => Kind::Unsigned16,
            (Numbers::Signed, 1, true) => Kind::Signed8,
            (Numbers::Signed, 2, true) => Kind::Signed16,
            (Numbers::Integers, 1, false) => Kind::Natural8,
            (Numbers::Integers, 2, false) => Kind::Natural16,
            (Numbers::Integers, 1, true) => Kind::Integer8,
            (Numbers::Integers, 2, true) => Kind::Integer16,
            (Numbers::Integers, 4, _) => Kind::Word,
            (Numbers::Half, 2, _) => Kind::Half,
            (Numbers::Single, 4, _) => Kind::Single,
            _ => return None,
        })
    }
}

/// A texture that is sampled for all lanes at once.
pub struct Plan {
    pub(super) base: u64,
    pub(super) row: u32,
    pub(super) slice: u64,
    pub(super) extent: [u32; 3],
    /// First layer and layers.
    pub(super) layers: (i64, i64),
    pub(super) modes: [u32; 3],
    pub(super) normalized: bool,
    pub(super) blends: bool,
    pub(super) linear: bool,
    pub(super) kind: Kind,
    pub(super) channels: usize,
    /// Bytes of an element.
    pub(super) bytes: usize,
    /// Components in sRGB: the first ones.
    pub(super) curved: usize,
    /// The border's colour as an element.
    pub(super) border: Element,
}

impl TextureSource {
    /// How to sample it for all lanes at once. `None` for what is not of the usual kinds.
    pub fn plan(&self) -> Option<Plan> {
        let (level, format) = (&self.levels[0], &self.format);
        let Backing::At(base) = level.backing else { return None };
        let modes = self.sampling.address_modes;
        let curved = if !format.srgb {
            0
        } else if format.channels == 1 {
            1
        } else {
            format.channels - 1
        };
        let bytes = format.element_bytes();
        let aligned = |n: usize| n.is_multiple_of(bytes.max(1));
        // A border's colour in sRGB is no element.
        if self.count != 1
            || format.compression.is_some()
            || !matches!(bytes, 1 | 2 | 4 | 8 | 16)
            || !aligned(base)
            || !aligned(level.row)
            || !aligned(level.slice)
            || modes.iter().any(|&mode| mode > BORDER || mode == BORDER && curved > 0)
        {
            return None;
        }
        let mut border = Element([0; 16]);
        for (n, bits) in format.border(self.sampling.border).iter().enumerate().take(format.channels) {
            border.0[n * format.bytes..][..format.bytes].copy_from_slice(&bits.to_le_bytes()[..format.bytes]);
        }
        let mut extent = [0; 3];
        for (to, from) in extent.iter_mut().zip(level.extent) {
            // Twice as much is still a number of 32 bits, for mirrors.
            *to = u32::try_from(from).ok().filter(|n| (1..=1 << 30).contains(n))?;
        }
        Some(Plan {
            base: base as u64,
            row: u32::try_from(level.row).ok()?,
            slice: level.slice as u64,
            extent,
            layers: (i64::try_from(self.layers.0).ok()?, i64::try_from(self.layers.1).ok()?),
            modes,
            normalized: self.normalized(),
            blends: self.blends(),
            linear: self.linear,
            kind: Kind::of(format)?,
            channels: format.channels,
            bytes,
            curved,
            border,
        })
    }
}

impl Plan {
    /// Whether a slice is a layer.
    pub(super) fn is_layered(&self, places: &Places) -> bool {
        self.layers.1 > 1 || self.extent[2] > 1 && places.dimensions < 3
    }
}
