//! Elements of textures: how they lie in memory and which numbers they stand for.

use super::blocks::Compression;
use super::srgb;
use crate::numeric::float;
use crate::numeric::float::{Float16, Half};

/// What the components of an element are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Integers, given as they are.
    Integers,
    /// Integers without a sign that stand for 0 to 1.
    Unsigned,
    /// Integers with a sign that stand for -1 to 1.
    Signed,
    /// Half precision.
    Half,
    /// Single precision.
    Single,
    /// Three of ten bits and one of two, in a word, for 0 to 1.
    Packed,
}

/// A format of elements, as a texture reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// What the components are.
    pub numbers: Numbers,
    /// Bytes of a component (of a packed element).
    pub bytes: usize,
    /// Integers have a sign.
    pub signed: bool,
    /// Components.
    pub channels: usize,
    /// The first three components are in sRGB.
    pub srgb: bool,
    /// Elements come in blocks.
    pub compression: Option<Compression>,
    /// An alpha that is not there is one, not nothing.
    pub opaque: bool,
}

/// Marks a component of a border's colour that has more bits than one of an element: the sign, which none of these have.
const BORDER_MARK: u32 = 1 << 31;
/// `CU_TRSF_READ_AS_INTEGER` and `CU_TRSF_SRGB`.
const READ_AS_INTEGER: u32 = 1;
const SRGB: u32 = 0x10;

impl Format {
    /// The format with a number of the API, read with these flags; `None` for formats that textures cannot read here.
    pub fn of(number: u32, channels: u32, flags: u32) -> Option<Format> {
        use Numbers::*;
        let integers = flags & READ_AS_INTEGER != 0;
        let (numbers, bytes, signed, channels) = match number {
            0x01 => (if integers { Integers } else { Unsigned }, 1, false, channels),
            0x02 => (if integers { Integers } else { Unsigned }, 2, false, channels),
            0x08 => (if integers { Integers } else { Signed }, 1, true, channels),
            0x09 => (if integers { Integers } else { Signed }, 2, true, channels),
            0x03 => (Integers, 4, false, channels),
            0x0a => (Integers, 4, true, channels),
            0x10 => (Half, 2, false, channels),
            0x20 => (Single, 4, false, channels),
            0xc0..=0xc2 => (Unsigned, 1, false, 1 << (number - 0xc0)),
            0xc3..=0xc5 => (Unsigned, 2, false, 1 << (number - 0xc3)),
            0xc6..=0xc8 => (Signed, 1, true, 1 << (number - 0xc6)),
            0xc9..=0xcb => (Signed, 2, true, 1 << (number - 0xc9)),
            0x50 => (Packed, 4, false, 4),
            _ => return Format::of_blocks(number, flags),
        };
        let srgb = flags & SRGB != 0 && numbers == Unsigned && bytes == 1;
        Some(Format { numbers, bytes, signed, channels: channels as usize, srgb, compression: None, opaque: false })
    }

    /// A compressed format. Flags that ask for integers change nothing.
    fn of_blocks(number: u32, flags: u32) -> Option<Format> {
        use Compression::*;
        use Numbers::*;
        let signed = number & 1 == 0;
        let (compression, numbers, bytes, channels) = match number {
            0x91 | 0x92 => (Bc1, Unsigned, 1, 4),
            0x93 | 0x94 => (Bc2, Unsigned, 1, 4),
            0x95 | 0x96 => (Bc3, Unsigned, 1, 4),
            0x97 | 0x98 => (Bc4 { signed }, if signed { Signed } else { Unsigned }, 2, 1),
            0x99 | 0x9a => (Bc5 { signed }, if signed { Signed } else { Unsigned }, 2, 2),
            0x9b | 0x9c => (Bc6 { signed }, Half, 2, 3),
            0x9d | 0x9e => (Bc7, Unsigned, 1, 4),
            _ => return None,
        };
        let srgb = flags & SRGB != 0 && bytes == 1;
        let (signed, compression) = (numbers == Signed, Some(compression));
        Some(Format { numbers, bytes, signed, channels, srgb, compression, opaque: true })
    }

    /// The format of a view, by its number.
    pub fn of_view(number: u32, flags: u32) -> Option<Format> {
        let clear = |array| Format::of_blocks(array, flags).map(|format| Format { opaque: false, ..format });
        let (format, nth) = match number {
            0x01..=0x03 => (0x01, number - 0x01),
            0x04..=0x06 => (0x08, number - 0x04),
            0x07..=0x09 => (0x02, number - 0x07),
            0x0a..=0x0c => (0x09, number - 0x0a),
            0x0d..=0x0f => (0x03, number - 0x0d),
            0x10..=0x12 => (0x0a, number - 0x10),
            0x13..=0x15 => (0x10, number - 0x13),
            0x16..=0x18 => (0x20, number - 0x16),
            // BC1 to BC3, BC4 to BC6H without and with a sign, BC7.
            0x19..=0x1b => return clear(0x91 + 2 * (number - 0x19)),
            0x1c..=0x1f => return clear(0x97 + number - 0x1c),
            0x20 | 0x21 => return clear(0x9b + number - 0x20),
            0x22 => return clear(0x9d),
            _ => return None,
        };
        Format::of(format, 1 << nth, flags)
    }

    /// Bytes of an element, or of a block.
    pub fn element_bytes(&self) -> usize {
        if let Some(compression) = self.compression {
            return compression.bytes();
        }
        if self.numbers == Numbers::Packed { 4 } else { self.bytes * self.channels }
    }

    /// Components at an address, as they lie there; integers with a sign extended.
    ///
    /// # Safety
    /// Inside of [`guard::run`].
    #[inline(always)]
    pub unsafe fn read(&self, address: usize) -> [u32; 4] {
        let mut all = [0; 4];
        // SAFETY: the contract of this function.
        unsafe {
            if self.numbers == Numbers::Packed {
                let word = (address as *const u32).read_volatile();
                return [word & 0x3ff, word >> 10 & 0x3ff, word >> 20 & 0x3ff, word >> 30];
            }
            for (n, to) in all.iter_mut().enumerate().take(self.channels) {
                let at = address + n * self.bytes;
                *to = match (self.bytes, self.signed) {
                    (1, false) => u32::from((at as *const u8).read_volatile()),
                    (1, true) => (at as *const i8).read_volatile() as i32 as u32,
                    (2, false) => u32::from((at as *const u16).read_volatile()),
                    (2, true) => (at as *const i16).read_volatile() as i32 as u32,
                    _ => (at as *const u32).read_volatile(),
                };
            }
        }
        all
    }

    /// The largest value of a component.
    fn largest(&self, component: usize) -> u32 {
        match (self.numbers, self.bytes) {
            (Numbers::Packed, _) => {
                if component == 3 {
                    3
                } else {
                    1023
                }
            }
            (Numbers::Signed, bytes) => (1 << (bytes * 8 - 1)) - 1,
            (_, bytes) => ((1u64 << (bytes * 8)) - 1) as u32,
        }
    }

    /// True for components in sRGB: not the last one of two or four.
    fn is_curved(&self, component: usize) -> bool {
        self.srgb && (component + 1 < self.channels || self.channels == 1)
    }

    /// Such a component as a linear one. A border's colour is linear already and kept with its upper bits set.
    fn curved(&self, raw: u32) -> f32 {
        if raw > 0xff { f32::from_bits(raw & !BORDER_MARK) } else { srgb::linear(raw as u8) }
    }

    /// What textures give for a component that is not there.
    fn missing(&self, component: usize) -> u32 {
        if component == 3 && self.opaque { 1f32.to_bits() } else { 0 }
    }

    /// What textures give for a component: the bits of a single, or of an integer.
    #[inline(always)]
    pub fn result(&self, component: usize, raw: u32) -> u32 {
        if component >= self.channels {
            return self.missing(component);
        }
        match self.numbers {
            Numbers::Integers | Numbers::Single => raw,
            Numbers::Half => Float16(raw as u16).to_f32().to_bits(),
            Numbers::Unsigned if self.is_curved(component) => self.curved(raw).to_bits(),
            // A border's colour has sixteen bits, of which ten remain in the first three components.
            Numbers::Packed if raw & BORDER_MARK != 0 => {
                let raw = raw & 0xffff;
                let unit = if component == 3 {
                    raw as f32 / 65535.0
                } else {
                    ((raw * 1023 + 0x7fff) / 0xffff) as f32 / 1023.0
                };
                unit.to_bits()
            }
            Numbers::Unsigned | Numbers::Packed => (raw as f32 / self.largest(component) as f32).to_bits(),
            Numbers::Signed => {
                let largest = self.largest(component) as i32;
                ((raw as i32).max(-largest) as f32 / largest as f32).to_bits()
            }
        }
    }

    /// Mixes elements: weights are counted in 256ths.
    #[inline(always)]
    pub fn blend(&self, component: usize, elements: &[[u32; 4]], weights: &[i32]) -> u32 {
        if component >= self.channels {
            return self.missing(component);
        }
        let pairs = elements.iter().zip(weights).map(|(e, &w)| (e[component], i64::from(w))).filter(|p| p.1 != 0);
        match self.numbers {
            Numbers::Unsigned | Numbers::Packed if !self.is_curved(component) => {
                let sum: i64 = pairs.map(|(raw, w)| i64::from(self.in_sixteen_bits(component, raw)) * w).sum();
                (((sum + 128) >> 8) as f32 / 65535.0).to_bits()
            }
            Numbers::Signed => {
                let largest = i64::from(self.largest(component));
                // The least number counts until all is mixed.
                let sum: i64 = pairs.map(|(raw, w)| i64::from(raw as i32) * w).sum();
                // Of eight bits a step is 258 and a 128th.
                let scaled =
                    if largest == 127 { (sum * 33025 + (1 << 14)).div_euclid(1 << 15) } else { (sum + 128) >> 8 };
                (scaled.max(-32767) as f32 / 32767.0).to_bits()
            }
            Numbers::Integers => {
                let value = |raw: u32| if self.signed { i64::from(raw as i32) } else { i64::from(raw) };
                let sum: i64 = pairs.map(|(raw, w)| value(raw) * w).sum();
                ((sum + if self.bytes < 4 { 128 } else { 0 }) >> 8) as u32
            }
            _ => {
                let groups = elements.chunks(4).zip(weights.chunks(4));
                let sum = groups.map(|(e, w)| self.aligned(component, e, w)).sum::<f64>() / 256.0;
                // Mixtures of colours in sRGB are halves, too. Halves of a step go away from zero.
                let sum = if self.numbers == Numbers::Half || self.is_curved(component) {
                    Float16::nearest(sum * (1.0 + f64::EPSILON)).to_f32()
                } else {
                    nearest_away(sum)
                };
                sum.to_bits()
            }
        }
    }

    /// A component of a sample as a number.
    pub fn number(&self, bits: u32) -> f64 {
        match self.numbers {
            Numbers::Integers if self.signed => f64::from(bits as i32),
            Numbers::Integers => f64::from(bits),
            _ => f64::from(f32::from_bits(bits)),
        }
    }

    /// A component that is the mean of several samples. As in [`Format::blend`], integers of 32 bits are cut off, and what is normalised
    /// has sixteen bits.
    pub fn mean(&self, component: usize, sum: f64) -> u32 {
        let steps = |most: f64| ((sum * most + 0.5).floor() as f32 / most as f32).to_bits();
        match self.numbers {
            Numbers::Integers => (sum + if self.bytes < 4 { 0.5 } else { 0.0 }).floor() as i64 as u32,
            Numbers::Unsigned | Numbers::Packed if !self.is_curved(component) => steps(65535.0),
            Numbers::Signed => steps(32767.0),
            _ => (sum as f32).to_bits(),
        }
    }

    /// The sum of up to four real components times their weights. Each is cut off some bits behind the point of the largest.
    #[inline(always)]
    fn aligned(&self, component: usize, elements: &[[u32; 4]], weights: &[i32]) -> f64 {
        // Bits behind the first that components have, and that remain of the largest.
        let (own, kept) = match self.numbers {
            Numbers::Single => (23, 27),
            Numbers::Half => (10, 14),
            // Of a border's colour they are a single's.
            _ => (23, 7),
        };
        let exponent = |x: f64| (x.to_bits() >> 52 & 0x7ff) as i32 - 1023;
        let (mut values, mut step, mut finest) = ([0f64; 4], i32::MIN, i32::MAX);
        for ((value, element), &weight) in values.iter_mut().zip(elements).zip(weights) {
            let raw = element[component];
            let x = f64::from(f32::from_bits(self.result(component, raw)));
            if weight == 0 || x == 0.0 {
                continue;
            }
            *value = x;
            let is_color = self.numbers == Numbers::Unsigned && raw <= 0xff;
            step = step.max(if is_color { srgb::step(raw as u8) } else { exponent(x) - kept });
            finest = finest.min(exponent(x) - own);
        }
        // Infinities and what is no number stay; most often there is nothing to cut off.
        let cuts = finest < step && step < 900;
        let power = |n: i32| f64::from_bits(((n + 1023) as u64) << 52);
        let mut sum = 0.0;
        for (&value, &weight) in values.iter().zip(weights).filter(|(_, w)| **w != 0) {
            let kept = if cuts { (value * power(-step)).trunc() * power(step) } else { value };
            sum += kept * f64::from(weight);
        }
        sum
    }

    /// A component without a sign, stretched to 16 bits.
    fn in_sixteen_bits(&self, component: usize, raw: u32) -> u32 {
        match (self.numbers, self.bytes) {
            (Numbers::Packed, _) if raw & BORDER_MARK != 0 => raw & 0xffff,
            (Numbers::Packed, _) if component < 3 => raw << 6 | raw >> 4,
            (Numbers::Packed, _) => raw * 0x5555,
            (_, 1) => raw * 0x101,
            _ => raw,
        }
    }

    /// A border colour as an element would hold it.
    pub fn border(&self, color: [f32; 4]) -> [u32; 4] {
        core::array::from_fn(|n| {
            let color = color[n];
            let unit = if color > 0.0 { color.min(1.0) } else { 0.0 };
            let whole = |x: f32| (f64::from(x) * f64::from(self.largest(n)) + 0.5).floor() as i32 as u32;
            match self.numbers {
                Numbers::Unsigned if self.is_curved(n) => unit.to_bits() | BORDER_MARK,
                Numbers::Packed => (f64::from(unit) * 65535.0 + 0.5) as u32 | BORDER_MARK,
                Numbers::Single => color.to_bits(),
                Numbers::Half => Float16::round::<{ float::ZERO }>(f64::from(color)).0.into(),
                Numbers::Integers => match (self.bytes, self.signed) {
                    (1, false) => color.to_bits() & 0xff,
                    (1, true) => color.to_bits() as i8 as i32 as u32,
                    (2, false) => color.to_bits() & 0xffff,
                    (2, true) => color.to_bits() as i16 as i32 as u32,
                    _ => color.to_bits(),
                },
                Numbers::Unsigned => whole(unit),
                Numbers::Signed => whole(if color.is_nan() { 0.0 } else { color.clamp(-1.0, 1.0) }),
            }
        })
    }
}

/// A double as a single, halves away from zero.
#[inline(always)]
pub(super) fn nearest_away(x: f64) -> f32 {
    const HALF: u64 = 1 << 28;
    if !x.is_finite() || x == 0.0 {
        return x as f32;
    }
    let bits = x.to_bits().wrapping_add(HALF) & !(2 * HALF - 1);
    f64::from_bits(bits) as f32
}
