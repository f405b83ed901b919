//! Formats of images that can be shared: which there are, and how their pixels are copied without a change.

use crate::name::{
    ALPHA, ALPHA_INTEGER, BYTE, FLOAT, HALF_FLOAT, INT, INTENSITY, LUMINANCE, LUMINANCE_ALPHA, LUMINANCE_ALPHA_INTEGER,
    RED, RED_INTEGER, RG, RG_INTEGER, RGBA, RGBA_INTEGER, SHORT, STENCIL, UNSIGNED_BYTE, UNSIGNED_INT, UNSIGNED_SHORT,
};

/// How a component is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// A number from 0 to 1 in 8 bits.
    Unit8,
    /// A number from 0 to 1 in 16 bits.
    Unit16,
    /// A floating-point number of 16 bits.
    Float16,
    /// A floating-point number of 32 bits.
    Float32,
    /// An unsigned integer of 8 bits.
    Unsigned8,
    /// An unsigned integer of 16 bits.
    Unsigned16,
    /// An unsigned integer of 32 bits.
    Unsigned32,
    /// An integer of 8 bits.
    Signed8,
    /// An integer of 16 bits.
    Signed16,
    /// An integer of 32 bits.
    Signed32,
}

use Component::*;

/// A format that can be shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// The components, by a format without sizes.
    base: u32,
    /// What each of them is.
    pub component: Component,
    /// The format with sizes.
    pub(crate) sized: u32,
}

/// For the formats without sizes, and the older ones that only say how many components there are: which components.
fn unsized_base(internal: u32) -> Option<u32> {
    match internal {
        1 => Some(LUMINANCE),
        2 => Some(LUMINANCE_ALPHA),
        4 => Some(RGBA),
        RED | RG | RGBA | LUMINANCE | ALPHA | LUMINANCE_ALPHA | INTENSITY => Some(internal),
        _ => None,
    }
}

/// The formats with sizes: components, what each is, the format's number.
const SIZED: [(u32, Component, u32); 64] = [
    (RED, Unit8, 0x8229),
    (RED, Unit16, 0x822A),
    (RED, Float16, 0x822D),
    (RED, Float32, 0x822E),
    (RED, Signed8, 0x8231),
    (RED, Unsigned8, 0x8232),
    (RED, Signed16, 0x8233),
    (RED, Unsigned16, 0x8234),
    (RED, Signed32, 0x8235),
    (RED, Unsigned32, 0x8236),
    (RG, Unit8, 0x822B),
    (RG, Unit16, 0x822C),
    (RG, Float16, 0x822F),
    (RG, Float32, 0x8230),
    (RG, Signed8, 0x8237),
    (RG, Unsigned8, 0x8238),
    (RG, Signed16, 0x8239),
    (RG, Unsigned16, 0x823A),
    (RG, Signed32, 0x823B),
    (RG, Unsigned32, 0x823C),
    (RGBA, Unit8, 0x8058),
    (RGBA, Unit16, 0x805B),
    (RGBA, Float16, 0x881A),
    (RGBA, Float32, 0x8814),
    (RGBA, Signed8, 0x8D8E),
    (RGBA, Unsigned8, 0x8D7C),
    (RGBA, Signed16, 0x8D88),
    (RGBA, Unsigned16, 0x8D76),
    (RGBA, Signed32, 0x8D82),
    (RGBA, Unsigned32, 0x8D70),
    (ALPHA, Unit8, 0x803C),
    (ALPHA, Unit16, 0x803E),
    (ALPHA, Float16, 0x881C),
    (ALPHA, Float32, 0x8816),
    (ALPHA, Signed8, 0x8D90),
    (ALPHA, Unsigned8, 0x8D7E),
    (ALPHA, Signed16, 0x8D8A),
    (ALPHA, Unsigned16, 0x8D78),
    (ALPHA, Signed32, 0x8D84),
    (ALPHA, Unsigned32, 0x8D72),
    (LUMINANCE, Unit8, 0x8040),
    (LUMINANCE, Unit16, 0x8042),
    (LUMINANCE, Float16, 0x881E),
    (LUMINANCE, Float32, 0x8818),
    (LUMINANCE, Signed8, 0x8D92),
    (LUMINANCE, Unsigned8, 0x8D80),
    (LUMINANCE, Signed16, 0x8D8C),
    (LUMINANCE, Unsigned16, 0x8D7A),
    (LUMINANCE, Signed32, 0x8D86),
    (LUMINANCE, Unsigned32, 0x8D74),
    (LUMINANCE_ALPHA, Unit8, 0x8045),
    (LUMINANCE_ALPHA, Unit16, 0x8048),
    (LUMINANCE_ALPHA, Float16, 0x881F),
    (LUMINANCE_ALPHA, Float32, 0x8819),
    (LUMINANCE_ALPHA, Signed8, 0x8D93),
    (LUMINANCE_ALPHA, Unsigned8, 0x8D81),
    (LUMINANCE_ALPHA, Signed16, 0x8D8D),
    (LUMINANCE_ALPHA, Unsigned16, 0x8D7B),
    (LUMINANCE_ALPHA, Signed32, 0x8D87),
    (LUMINANCE_ALPHA, Unsigned32, 0x8D75),
    (INTENSITY, Unit8, 0x804B),
    (INTENSITY, Unit16, 0x804D),
    (INTENSITY, Float16, 0x881D),
    (INTENSITY, Float32, 0x8817),
];

/// Formats that have a component more here than in OpenGL, or another size: what is read of the first is full, and what is written
/// to it is lost.
const WIDENED: [(u32, Component, u32); 11] = [
    (RGBA, Unit8, 0x8051),
    (RGBA, Signed8, 0x8D8F),
    (RGBA, Unit16, 0x8054),
    (RGBA, Signed32, 0x8D83),
    (RGBA, Float32, 0x8815),
    (RGBA, Unit8, 0x8C41),
    (RGBA, Unit8, 0x8C43),
    (RGBA, Unit8, 0x8055),
    (RGBA, Unit8, 0x8056),
    (RGBA, Unit16, 0x805A),
    (STENCIL, Unsigned8, 0x8D48),
];

/// The formats of intensity that hold integers.
const INTENSITY_INTEGERS: [(u32, Component, u32); 6] = [
    (INTENSITY, Signed8, 0x8D91),
    (INTENSITY, Unsigned8, 0x8D7F),
    (INTENSITY, Signed16, 0x8D8B),
    (INTENSITY, Unsigned16, 0x8D79),
    (INTENSITY, Signed32, 0x8D85),
    (INTENSITY, Unsigned32, 0x8D73),
];

impl Format {
    /// The format of an image by the number that it was made with. `bits`: of its largest component, which says what a format
    /// without sizes became.
    pub(crate) fn of(internal: u32, bits: u32) -> Option<Format> {
        let mut all = SIZED.iter().chain(&INTENSITY_INTEGERS);
        let found = match unsized_base(internal) {
            Some(base) => {
                let wanted = match bits {
                    8 => Unit8,
                    16 => Unit16,
                    _ => return None,
                };
                all.find(|&&(b, component, _)| b == base && component == wanted)
            }
            None => all.chain(&WIDENED).find(|&&(_, _, sized)| sized == internal),
        };
        found.map(|&(base, component, sized)| Format { base, component, sized })
    }

    /// Components of a pixel.
    pub fn channels(self) -> u32 {
        match self.base {
            RGBA => 4,
            RG | LUMINANCE_ALPHA => 2,
            _ => 1,
        }
    }

    /// Bytes of a pixel.
    pub fn bytes(self) -> usize {
        let each = match self.component {
            Unit8 | Unsigned8 | Signed8 => 1,
            Unit16 | Float16 | Unsigned16 | Signed16 => 2,
            Float32 | Unsigned32 | Signed32 => 4,
        };
        each * self.channels() as usize
    }

    /// Format and type with which pixels are copied without a change.
    pub(crate) fn transfer(self) -> (u32, u32) {
        let kind = match self.component {
            Unit8 | Unsigned8 => UNSIGNED_BYTE,
            Unit16 | Unsigned16 => UNSIGNED_SHORT,
            Float16 => HALF_FLOAT,
            Float32 => FLOAT,
            Unsigned32 => UNSIGNED_INT,
            Signed8 => BYTE,
            Signed16 => SHORT,
            Signed32 => INT,
        };
        // Luminance and intensity are read and written by their red component.
        let whole = !matches!(self.component, Unit8 | Unit16 | Float16 | Float32);
        let format = match (self.base, whole) {
            (RG, false) => RG,
            (RG, true) => RG_INTEGER,
            (RGBA, false) => RGBA,
            (RGBA, true) => RGBA_INTEGER,
            (ALPHA, false) => ALPHA,
            (ALPHA, true) => ALPHA_INTEGER,
            (LUMINANCE_ALPHA, false) => LUMINANCE_ALPHA,
            (LUMINANCE_ALPHA, true) => LUMINANCE_ALPHA_INTEGER,
            (STENCIL, _) => STENCIL,
            (_, false) => RED,
            (_, true) => RED_INTEGER,
        };
        (format, kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_is_there_once_and_has_its_sizes() {
        let all: Vec<_> = SIZED.iter().chain(&INTENSITY_INTEGERS).collect();
        assert_eq!(all.len(), 70);
        for (at, (base, component, sized)) in all.iter().enumerate() {
            assert!(all[at + 1..].iter().all(|(b, c, s)| s != sized && (b, c) != (base, component)));
            let format = Format::of(*sized, 0).unwrap();
            assert_eq!((format.base, format.component), (*base, *component));
        }
        assert_eq!(Format::of(0x8814, 32).map(|f| (f.bytes(), f.channels())), Some((16, 4)));
        assert_eq!(Format::of(RGBA, 8).map(|f| f.sized), Some(0x8058));
        assert_eq!(Format::of(4, 16).map(|f| f.sized), Some(0x805B));
        for &(base, component, sized) in &WIDENED {
            assert!(all.iter().all(|(_, _, s)| *s != sized));
            let format = Format::of(sized, 8).unwrap();
            assert_eq!((format.base, format.component), (base, component));
        }
        // GL_RGB16F, GL_RGB8UI, GL_DEPTH_COMPONENT24, GL_RGB, and a size that nothing has.
        for (internal, bits) in [(0x881B, 16), (0x8D7D, 8), (0x81A6, 24), (0x1907, 8), (RGBA, 4)] {
            assert_eq!(Format::of(internal, bits), None);
        }
    }
}
