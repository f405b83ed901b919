//! Conversions with all their modifiers, and those to and from formats of eight bits and `.tf32`.

use crate::numeric::float;
use crate::numeric::float::{Brain16, DOWN, Float16, Half, NEAREST, UP, ZERO, pack};
use ptx::Type;

/// A conversion, small enough to be a step's value.
#[derive(Clone, Copy, Debug, Default)]
pub struct Conversion {
    pub rounding: u32,
    /// Rounds to an integer first.
    pub integral: bool,
    pub flush: bool,
    pub saturate: bool,
    pub relu: bool,
    /// What is too large becomes the largest number.
    pub finite: bool,
    /// To the nearest, ties away from zero.
    pub away: bool,
    pub to: u8,
    pub from: u8,
}

/// The types that conversions know, by number.
const TYPES: [Type; 17] = [
    Type::U8,
    Type::S8,
    Type::U16,
    Type::S16,
    Type::U32,
    Type::S32,
    Type::U64,
    Type::S64,
    Type::F16,
    Type::Bf16,
    Type::F32,
    Type::F64,
    Type::Tf32,
    Type::F16x2,
    Type::Bf16x2,
    Type::E4m3x2,
    Type::E5m2x2,
];

/// The number of a type.
pub fn number(ty: Type) -> Option<u8> {
    TYPES.iter().position(|&t| t == ty).map(|n| n as u8)
}

impl Conversion {
    pub fn encode(self) -> i64 {
        let flag = |b: bool, at: u32| i64::from(b) << at;
        i64::from(self.rounding)
            | flag(self.integral, 4)
            | flag(self.flush, 5)
            | flag(self.saturate, 6)
            | flag(self.relu, 7)
            | flag(self.finite, 8)
            | flag(self.away, 9)
            | i64::from(self.to) << 16
            | i64::from(self.from) << 24
    }

    pub fn decode(value: i64) -> Conversion {
        let flag = |at: u32| value >> at & 1 != 0;
        Conversion {
            rounding: (value & 3) as u32,
            integral: flag(4),
            flush: flag(5),
            saturate: flag(6),
            relu: flag(7),
            finite: flag(8),
            away: flag(9),
            to: (value >> 16 & 31) as u8,
            from: (value >> 24 & 31) as u8,
        }
    }

    fn types(&self) -> (Type, Type) {
        let ty = |n: u8| TYPES[usize::from(n).min(TYPES.len() - 1)];
        (ty(self.to), ty(self.from))
    }

    /// One number to one number.
    pub fn run(&self, bits: u64) -> u64 {
        let (to, from) = self.types();
        let whole = match from {
            Type::U8 => Some(i128::from(bits as u8)),
            Type::S8 => Some(i128::from(bits as i8)),
            Type::U16 => Some(i128::from(bits as u16)),
            Type::S16 => Some(i128::from(bits as i16)),
            Type::U32 => Some(i128::from(bits as u32)),
            Type::S32 => Some(i128::from(bits as i32)),
            Type::U64 => Some(i128::from(bits)),
            Type::S64 => Some(i128::from(bits as i64)),
            _ => None,
        };
        let mut x = match (whole, from) {
            // Odd where bits are lost: one rounding follows.
            (Some(whole), _) => odd(whole),
            (_, Type::F16) => f64::from(Float16(bits as u16).to_f32()),
            (_, Type::Bf16) => f64::from(Brain16(bits as u16).to_f32()),
            (_, Type::F32) => {
                let x = f32::from_bits(bits as u32);
                // To 16 bits, nothing is flushed.
                let flushes = self.flush && to != Type::F16;
                f64::from(if flushes { float::canonical(float::flush(x)) } else { x })
            }
            _ => f64::from_bits(bits),
        };
        // Copies keep what is no number; doubles hand its upper bits on.
        match (from, to) {
            (Type::Bf16, Type::F32) if x.is_nan() && !self.flush && !self.saturate => return bits << 16 & 0xffff_ffff,
            (Type::F32, Type::F32) if x.is_nan() && !self.flush && !self.integral && !self.saturate => return bits,
            (Type::F64, _) if x.is_nan() && !self.saturate => {
                let payload = bits >> 51 << 51 | bits & ((1 << 51) - 1) | 1 << 51;
                let cut = |shift: u32, width: u32, exponent: u64| {
                    payload >> 63 << (width - 1) | exponent | payload >> shift & ((1 << (52 - shift)) - 1)
                };
                match to {
                    Type::F64 => return if self.integral { payload } else { bits },
                    Type::F32 => return cut(29, 32, 0x7f80_0000),
                    Type::F16 if !self.relu => return cut(42, 16, 0x7c00),
                    Type::Bf16 if !self.relu => return cut(45, 16, 0x7f80),
                    _ => {}
                }
            }
            _ => {}
        }
        // Where no number makes an integer: 0, or, of doubles and in 64 bits, the upper bit alone.
        if x.is_nan() && !to.is_float() && (from == Type::F64 || to.bytes() == 8) {
            return match to {
                Type::U8 => 0x80,
                Type::S8 => 0xffff_ff80,
                Type::U16 => 0x8000,
                Type::S16 => 0xffff_8000,
                Type::U32 | Type::S32 => 0x8000_0000,
                _ => 1 << 63,
            };
        }
        if self.integral {
            x = rounded(self.rounding, x);
        }
        match to {
            Type::U8 => return u64::from(x as u8),
            Type::S8 => return x as i8 as u64 & 0xffff_ffff,
            Type::U16 => return u64::from(x as u16),
            Type::S16 => return x as i16 as u64 & 0xffff_ffff,
            Type::U32 => return u64::from(x as u32),
            Type::S32 => return x as i32 as u64 & 0xffff_ffff,
            Type::U64 => return x as u64,
            Type::S64 => return x as i64 as u64,
            _ => {}
        }
        let rounding = if self.integral { NEAREST } else { self.rounding };
        let nan = x.is_nan();
        if self.saturate {
            x = float::saturate64(x);
        }
        if self.relu && !nan && x.is_sign_negative() {
            x = 0.0;
        }
        match to {
            Type::F16 => self.limit16(u64::from(half::<Float16>(rounding, x)), 0x7c00),
            Type::Bf16 => self.limit16(u64::from(half::<Brain16>(rounding, x)), 0x7f80),
            Type::F32 => {
                let mut r = match rounding {
                    DOWN => float::narrow::<DOWN>(x),
                    UP => float::narrow::<UP>(x),
                    ZERO => float::narrow::<ZERO>(x),
                    _ => float::narrow::<NEAREST>(x),
                };
                if self.flush {
                    r = float::flush(r);
                }
                u64::from(float::canonical(r).to_bits())
            }
            Type::Tf32 if nan => u64::from(self.tf32(f32::from_bits(bits as u32))),
            Type::Tf32 => u64::from(self.tf32(x as f32)),
            _ => x.to_bits(),
        }
    }

    /// With `.satfinite`, infinity becomes the largest number.
    fn limit16(&self, bits: u64, infinity: u64) -> u64 {
        if self.finite && bits & 0x7fff == infinity { bits - 1 } else { bits }
    }

    fn tf32(&self, x: f32) -> u32 {
        if x.is_nan() && !self.away {
            return 0x7fff_e000;
        }
        let bits = x.to_bits();
        let up = match (self.away, self.rounding) {
            (true, _) => 0x1000,
            (false, ZERO) => 0,
            _ => 0xfff + (bits >> 13 & 1),
        };
        // Infinity has nothing behind the point that could carry.
        let rounded = if x.is_finite() { bits.wrapping_add(up) } else { bits } & !0x1fff;
        if self.finite && rounded & 0x7fff_ffff >= 0x7f80_0000 { rounded - 0x2000 } else { rounded }
    }

    /// Two numbers to a packed pair; `a` goes into the upper half.
    pub fn pack(&self, a: u32, b: u32) -> u32 {
        let (to, from) = self.types();
        let source = |bits: u32| match from {
            Type::F16x2 => f64::from(Float16(bits as u16).to_f32()),
            _ => f64::from(f32::from_bits(bits)),
        };
        let one = |bits: u32| {
            let mut x = source(bits);
            if self.relu && !x.is_nan() && x.is_sign_negative() {
                x = 0.0;
            }
            match to {
                Type::F16x2 => self.limit16(u64::from(half::<Float16>(self.rounding, x)), 0x7c00) as u32,
                Type::Bf16x2 => self.limit16(u64::from(half::<Brain16>(self.rounding, x)), 0x7f80) as u32,
                Type::E4m3x2 => small(x, 3, -6, 8, 0x7e, 0x7f),
                _ => small(x, 2, -14, 15, 0x7b, 0x7f),
            }
        };
        match to {
            Type::F16x2 | Type::Bf16x2 => one(a) << 16 | one(b),
            _ => one(a) << 8 | one(b),
        }
    }

    /// A packed pair of eight bits each to a pair of `.f16`.
    pub fn unpack(&self, pair: u32) -> u32 {
        let (_, from) = self.types();
        let one = |byte: u32| {
            let sign = (byte & 0x80) << 8;
            let rest = byte & 0x7f;
            let bits = match from {
                Type::E5m2x2 if rest > 0x7c => 0x7fff,
                Type::E5m2x2 => rest << 8 | sign,
                _ if rest == 0x7f => 0x7fff,
                _ => {
                    // Three bits behind the point; the smallest numbers have an exponent of -6.
                    let (exponent, fraction) = (rest >> 3, f64::from(rest & 7));
                    let value = match exponent {
                        0 => fraction / 512.0,
                        _ => (8.0 + fraction) * 2f64.powi(exponent as i32 - 10),
                    };
                    u32::from(Float16::nearest(value).0) | sign
                }
            };
            if self.relu && bits & 0x8000 != 0 { 0 } else { bits }
        };
        one(pair >> 8 & 0xff) << 16 | one(pair & 0xff)
    }
}

/// An integer as a double; bits that are lost leave a one behind.
fn odd(x: i128) -> f64 {
    let magnitude = x.unsigned_abs();
    let drop = (128 - magnitude.leading_zeros()).saturating_sub(53);
    let lost = magnitude & ((1 << drop) - 1) != 0;
    let kept = (magnitude >> drop | u128::from(lost)) << drop;
    if x < 0 { -(kept as f64) } else { kept as f64 }
}

fn rounded(rounding: u32, x: f64) -> f64 {
    match rounding {
        DOWN => x.floor(),
        UP => x.ceil(),
        ZERO => x.trunc(),
        _ => x.round_ties_even(),
    }
}

fn half<H: Half<Lane = u32>>(rounding: u32, x: f64) -> u16 {
    let h = match rounding {
        DOWN => H::round::<DOWN>(x),
        UP => H::round::<UP>(x),
        ZERO => H::round::<ZERO>(x),
        _ => H::round::<NEAREST>(x),
    };
    h.put() as u16
}

/// To a format of eight bits, always to a number: what is too large becomes the largest.
fn small(x: f64, fraction: u32, low: i32, high: i32, largest: u16, nan: u16) -> u32 {
    if x.is_nan() {
        return u32::from(nan);
    }
    let bits = if x.is_infinite() { largest } else { pack::<NEAREST>(x, fraction, low, high).min(largest) };
    u32::from(bits) | u32::from(x.is_sign_negative()) << 7
}

/// `cvt.pack.sat`: two integers, cut to `bits` bits, and what is there before.
pub fn pack_integers(bits: u32, signed: bool, a: u32, b: u32, c: u32) -> u32 {
    let one = |x: u32| {
        let x = i64::from(x as i32);
        let cut = if signed { x.clamp(-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { x.clamp(0, (1 << bits) - 1) };
        cut as u32 & ((1 << bits) - 1)
    };
    let pair = one(a) << bits | one(b);
    if bits == 16 { pair } else { c << (2 * bits) | pair }
}
