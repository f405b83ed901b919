//! Element formats of arrays: how large an element is, how many components it has, which planes a frame consists of.

/// What an element of a format is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementKind {
    /// One, two or four components of a given size.
    Plain,
    /// A fixed number of components in one element.
    Packed,
    /// A block of 4 x 4 elements, compressed.
    Block,
    /// Elements of a video frame whose colours are interleaved with its brightness.
    Frame,
    /// A video frame in several planes.
    Planar(&'static [Plane]),
}

/// One plane of a video frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plane {
    /// Number of the plain format of its components.
    pub format: u32,
    /// Components of an element.
    pub channels: u32,
    /// It has half the frame's width.
    pub half_width: bool,
    /// It has half the frame's height.
    pub half_height: bool,
}

/// A format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// What its elements are.
    pub kind: ElementKind,
    /// The number of components that a description has to name; 0 where 1, 2 and 4 are allowed.
    pub channels: u32,
    /// Bytes of a component of a plain format and of a frame, of an element of a packed one, of a block.
    pub bytes: usize,
}

const fn plane(format: u32, channels: u32, half_width: bool, half_height: bool) -> Plane {
    Plane { format, channels, half_width, half_height }
}

const U8: u32 = 0x01;
const U16: u32 = 0x02;
static SEMI_420_8: [Plane; 2] = [plane(U8, 1, false, false), plane(U8, 2, true, true)];
static SEMI_420_16: [Plane; 2] = [plane(U16, 1, false, false), plane(U16, 2, true, true)];
static SEMI_422_8: [Plane; 2] = [plane(U8, 1, false, false), plane(U8, 2, true, false)];
static SEMI_422_16: [Plane; 2] = [plane(U16, 1, false, false), plane(U16, 2, true, false)];
static SEMI_444_8: [Plane; 2] = [plane(U8, 1, false, false), plane(U8, 2, false, false)];
static SEMI_444_16: [Plane; 2] = [plane(U16, 1, false, false), plane(U16, 2, false, false)];
static PLANAR_444_8: [Plane; 3] = [plane(U8, 1, false, false); 3];
static PLANAR_444_16: [Plane; 3] = [plane(U16, 1, false, false); 3];

impl Format {
    /// The format with a number of `CUarray_format`; `None` for numbers that mean nothing to the device.
    pub fn find(number: u32) -> Option<Format> {
        let make = |kind, channels, bytes| Some(Format { kind, channels, bytes });
        match number {
            // Integers without and with a sign, and floating point.
            0x01 | 0x08 => make(ElementKind::Plain, 0, 1),
            0x02 | 0x09 | 0x10 => make(ElementKind::Plain, 0, 2),
            0x03 | 0x0a | 0x20 => make(ElementKind::Plain, 0, 4),
            // Normalised integers, whose number of components is part of the format.
            0xc0 | 0xc6 => make(ElementKind::Packed, 1, 1),
            0xc1 | 0xc7 => make(ElementKind::Packed, 2, 2),
            0xc2 | 0xc8 => make(ElementKind::Packed, 4, 4),
            0xc3 | 0xc9 => make(ElementKind::Packed, 1, 2),
            0xc4 | 0xca => make(ElementKind::Packed, 2, 4),
            0xc5 | 0xcb => make(ElementKind::Packed, 4, 8),
            0x50 => make(ElementKind::Packed, 4, 4),
            // BC1 to BC7.
            0x91 | 0x92 => make(ElementKind::Block, 4, 8),
            0x93..=0x96 => make(ElementKind::Block, 4, 16),
            0x97 | 0x98 => make(ElementKind::Block, 1, 8),
            0x99 | 0x9a => make(ElementKind::Block, 2, 16),
            0x9b | 0x9c => make(ElementKind::Block, 3, 16),
            0x9d | 0x9e => make(ElementKind::Block, 4, 16),
            // NV12, P010, P016, NV16, P210, P216.
            0xb0 => make(ElementKind::Planar(&SEMI_420_8), 3, 1),
            0x9f | 0xa1 => make(ElementKind::Planar(&SEMI_420_16), 3, 2),
            0xa2 => make(ElementKind::Planar(&SEMI_422_8), 3, 1),
            0xa3 | 0xa4 => make(ElementKind::Planar(&SEMI_422_16), 3, 2),
            // YUY2, Y210, Y216, AYUV, Y410, Y416.
            0xa5 | 0xa8 => make(ElementKind::Frame, 4, 1),
            0xa6 | 0xa7 => make(ElementKind::Frame, 2, 2),
            0xa9 => make(ElementKind::Frame, 1, 4),
            0xb1 => make(ElementKind::Frame, 4, 2),
            // 4:4:4 in planes of one and of two components.
            0xb2 => make(ElementKind::Planar(&PLANAR_444_8), 3, 1),
            0xb3 => make(ElementKind::Planar(&PLANAR_444_16), 3, 2),
            0xb4 => make(ElementKind::Planar(&SEMI_444_8), 3, 1),
            0xb5 => make(ElementKind::Planar(&SEMI_444_16), 3, 2),
            _ => None,
        }
    }

    /// True when the format can have `channels` components.
    pub fn accepts(&self, channels: u32) -> bool {
        if self.channels == 0 { matches!(channels, 1 | 2 | 4) } else { channels == self.channels }
    }

    /// Bytes of an element with `channels` components (of a block where elements are compressed).
    pub fn element_bytes(&self, channels: u32) -> usize {
        match self.kind {
            ElementKind::Packed | ElementKind::Block => self.bytes,
            ElementKind::Plain | ElementKind::Frame | ElementKind::Planar(_) => self.bytes * channels as usize,
        }
    }

    /// Elements that share a block, in each of the first two dimensions.
    pub fn block(&self) -> usize {
        if self.kind == ElementKind::Block { 4 } else { 1 }
    }

    /// True for the formats of video frames.
    pub fn is_video(&self) -> bool {
        matches!(self.kind, ElementKind::Frame | ElementKind::Planar(_))
    }

    /// The planes of a frame; none where it is in one piece.
    pub fn planes(&self) -> &'static [Plane] {
        match self.kind {
            ElementKind::Planar(planes) => planes,
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_have_the_size_of_their_components() {
        let bytes = |number, channels| Format::find(number).map(|f| f.element_bytes(channels));
        assert_eq!(bytes(0x20, 4), Some(16));
        assert_eq!(bytes(0xc5, 4), Some(8));
        assert_eq!(bytes(0x91, 4), Some(8));
        assert_eq!(bytes(0xa7, 2), Some(4));
        assert_eq!(bytes(0x51, 1), None);
        assert!(!Format::find(0x01).unwrap().accepts(3));
        assert!(Format::find(0x9b).unwrap().accepts(3));
        assert_eq!(Format::find(0xb0).unwrap().planes()[1].channels, 2);
    }
}
