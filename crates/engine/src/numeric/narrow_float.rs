//! Numbers of four to eight bits as devices of compute capability 10.0 and 12.0 convert them: packed in pairs and fours, scaled, and
//! rounded by random bits.

use crate::numeric::float::{Brain16, Float16, Half, NEAREST, pack};
use ptx::Modifier;

/// A format of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    F16,
    Bf16,
    F32,
    E4m3,
    E5m2,
    E2m3,
    E3m2,
    E2m1,
    /// In two's complement, six bits behind the point.
    S2f6,
    /// A power of two.
    Ue8m0,
}

impl Format {
    const ALL: [Format; 10] = [
        Format::F16,
        Format::Bf16,
        Format::F32,
        Format::E4m3,
        Format::E5m2,
        Format::E2m3,
        Format::E3m2,
        Format::E2m1,
        Format::S2f6,
        Format::Ue8m0,
    ];

    /// The format that a modifier names, alone or packed.
    pub fn of(modifier: Modifier<'_>) -> Option<Format> {
        Some(match modifier {
            Modifier::F16x2 => Format::F16,
            Modifier::Bf16x2 => Format::Bf16,
            Modifier::F32 => Format::F32,
            Modifier::E4m3x2 | Modifier::E4m3x4 => Format::E4m3,
            Modifier::E5m2x2 | Modifier::E5m2x4 => Format::E5m2,
            Modifier::E2m3x2 | Modifier::E2m3x4 => Format::E2m3,
            Modifier::E3m2x2 | Modifier::E3m2x4 => Format::E3m2,
            Modifier::E2m1x2 | Modifier::E2m1x4 => Format::E2m1,
            Modifier::S2f6x2 => Format::S2f6,
            Modifier::Ue8m0x2 => Format::Ue8m0,
            _ => return None,
        })
    }

    /// Bits from one number of a pair to the next.
    pub fn bits(self) -> u32 {
        match self {
            Format::F32 => 32,
            Format::F16 | Format::Bf16 => 16,
            Format::E2m1 => 4,
            _ => 8,
        }
    }

    /// Bits behind the point, the least and the largest exponent, and the bits of the largest number, of formats with a sign.
    fn shape(self) -> (u32, i32, i32, u32) {
        match self {
            Format::F16 => (10, -14, 15, 0x7bff),
            Format::Bf16 => (7, -126, 127, 0x7f7f),
            Format::E4m3 => (3, -6, 8, 0x7e),
            Format::E5m2 => (2, -14, 15, 0x7b),
            Format::E2m3 => (3, 0, 2, 0x1f),
            Format::E3m2 => (2, -2, 4, 0x1f),
            _ => (1, 0, 2, 7),
        }
    }

    /// The number that bits stand for.
    pub fn value(self, bits: u32) -> f64 {
        match self {
            Format::F32 => f64::from(f32::from_bits(bits)),
            Format::F16 => f64::from(Float16(bits as u16).to_f32()),
            Format::Bf16 => f64::from(Brain16(bits as u16).to_f32()),
            Format::S2f6 => f64::from(bits as u8 as i8) / 64.0,
            Format::Ue8m0 if bits & 0xff == 0xff => f64::NAN,
            Format::Ue8m0 => 2f64.powi((bits & 0xff) as i32 - 127),
            Format::E4m3 if bits & 0x7f == 0x7f => f64::NAN,
            Format::E5m2 if bits & 0x7f > 0x7c => f64::NAN,
            _ => {
                let (fraction, low, ..) = self.shape();
                let sign = match self {
                    Format::E4m3 | Format::E5m2 => 0x80,
                    Format::E2m1 => 8,
                    _ => 0x20,
                };
                let rest = bits & (sign - 1);
                let (field, digits) = (rest >> fraction, f64::from(rest & ((1 << fraction) - 1)));
                let magnitude = match (self, field) {
                    (Format::E5m2, 31) => f64::INFINITY,
                    (_, 0) => digits * 2f64.powi(low - fraction as i32),
                    _ => (digits + f64::from(1u32 << fraction)) * 2f64.powi(field as i32 - 1 + low - fraction as i32),
                };
                if bits & sign != 0 { -magnitude } else { magnitude }
            }
        }
    }
}

/// A conversion, small enough to be a step's value.
#[derive(Clone, Copy, Debug)]
pub struct Narrowing {
    pub to: Format,
    pub from: Format,
    pub relu: bool,
    /// What is too large becomes the largest number.
    pub finite: bool,
    /// Away from zero, of powers of two.
    pub up: bool,
    /// Random bits for the two numbers of a pair.
    pub random: u32,
}

impl Narrowing {
    pub fn encode(self) -> i64 {
        self.to as i64
            | (self.from as i64) << 4
            | i64::from(self.relu) << 8
            | i64::from(self.finite) << 9
            | i64::from(self.up) << 10
            | i64::from(self.random) << 16
    }

    pub fn decode(value: i64) -> Narrowing {
        let format = |at: u32| Format::ALL[(value >> at & 15) as usize % Format::ALL.len()];
        Narrowing {
            to: format(0),
            from: format(4),
            relu: value >> 8 & 1 != 0,
            finite: value >> 9 & 1 != 0,
            up: value >> 10 & 1 != 0,
            random: (value >> 16 & 0xff) as u32,
        }
    }

    /// A packed pair, each number times a power of two.
    pub fn pair(self, a: u32, scales: u32) -> u32 {
        let bits = self.from.bits();
        let part = |n: u32| {
            let own = a >> (n * bits) & (u32::MAX >> (32 - bits));
            self.nearest(self.from.value(own) * Format::Ue8m0.value(scales >> (8 * n)))
        };
        part(1) << self.to.bits() | part(0)
    }

    /// Two numbers of 32 bits, the first one into the upper half.
    pub fn two(self, a: u32, b: u32) -> u32 {
        self.nearest(self.from.value(a)) << self.to.bits() | self.nearest(self.from.value(b))
    }

    /// The same, rounded by so many random bits each.
    pub fn by_chance(self, a: u32, b: u32, random: [u32; 2]) -> u32 {
        let one = |x: u32, random: u32| self.random(f32::from_bits(x), random & ((1 << self.random) - 1));
        one(a, random[0]) << self.to.bits() | one(b, random[1])
    }

    /// The bits of the nearest number.
    pub fn nearest(self, x: f64) -> u32 {
        let x = if self.relu && x.is_sign_negative() && !x.is_nan() { 0.0 } else { x };
        match self.to {
            Format::Ue8m0 => self.power(x as f32),
            Format::S2f6 if x.is_nan() => 0x7f,
            Format::S2f6 => (x * 64.0).round_ties_even().clamp(-128.0, 127.0) as i32 as u32 & 0xff,
            _ => {
                let (fraction, low, high, largest) = self.to.shape();
                self.signed(x, || u32::from(pack::<NEAREST>(x, fraction, low, high)), largest)
            }
        }
    }

    /// What rounding gave, with a sign, or what stands for what is no number or too large.
    fn signed(self, x: f64, rounded: impl FnOnce() -> u32, largest: u32) -> u32 {
        let none = match self.to {
            Format::F16 | Format::Bf16 => 0x7fff,
            Format::E4m3 | Format::E5m2 => 0x7f,
            // Every bit pattern is a number.
            _ => largest,
        };
        if x.is_nan() {
            return none;
        }
        let magnitude = if x.is_infinite() { u32::MAX } else { rounded() };
        let whole = matches!(self.to, Format::F16 | Format::Bf16) && !self.finite;
        let magnitude = if whole { magnitude.min(largest + 1) } else { magnitude.min(largest) };
        let sign = match self.to {
            Format::E2m3 | Format::E3m2 => 5,
            other => other.bits() - 1,
        };
        magnitude | u32::from(x.is_sign_negative()) << sign
    }

    /// The power of two next to a number's magnitude.
    fn power(self, x: f32) -> u32 {
        let magnitude = x.to_bits() & 0x7fff_ffff;
        if x.is_nan() {
            return 0xff;
        }
        // The least power is half the least normal number.
        let more = self.up && magnitude & 0x7f_ffff != 0 && magnitude > 0x40_0000;
        let power = (magnitude >> 23) + u32::from(more);
        if self.finite { power.min(0xfe) } else { power }
    }

    /// The bits of a neighbour: the next one outward where random bits and what is cut off make up a unit.
    fn random(self, x: f32, random: u32) -> u32 {
        let x = f64::from(if self.relu && x.is_sign_negative() && !x.is_nan() { 0.0 } else { x });
        let (fraction, low, high, largest) = self.to.shape();
        let rounded = || {
            let magnitude = x.abs();
            let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(low);
            if exponent > high {
                return u32::MAX;
            }
            let units = magnitude * 2f64.powi(fraction as i32 - exponent);
            let chance = f64::from(random) / f64::from(1u32 << self.random);
            (units + chance).floor() as u32 + (((exponent - low) as u32) << fraction)
        };
        self.signed(x, rounded, largest)
    }
}
