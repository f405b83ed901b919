//! `--tolerance`: floating-point numbers that may differ.

use record::signature::Numbers;

/// Floating-point numbers that may differ by a part of themselves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    kind: Kind,
    relative: f64,
    /// They may also differ by this part of the largest number that came back with them.
    of_largest: f64,
}

/// What two kinds of devices may differ by: each approximates functions in its own way, and adds in its own order. `DEVICES` on the
/// command line.
const DEVICES: [Tolerance; 2] = [
    Tolerance { kind: Kind::F32, relative: 1e-5, of_largest: 1e-6 },
    Tolerance { kind: Kind::F64, relative: 1e-7, of_largest: 1e-12 },
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    F16,
    Bf16,
    F32,
    F64,
}

/// Fewer bytes do not say what they are.
const FEW: usize = 128;

impl Kind {
    fn size(self) -> usize {
        match self {
            Kind::F16 | Kind::Bf16 => 2,
            Kind::F32 => 4,
            Kind::F64 => 8,
        }
    }

    /// The number in as many bytes.
    fn value(self, bytes: &[u8]) -> f64 {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        let bits = u64::from_le_bytes(word);
        match self {
            Kind::F64 => f64::from_bits(bits),
            Kind::F32 => f64::from(f32::from_bits(bits as u32)),
            Kind::Bf16 => f64::from(f32::from_bits((bits as u32) << 16)),
            Kind::F16 => {
                let (sign, exponent, fraction) = (bits >> 15 & 1, bits >> 10 & 31, (bits & 1023) as f64 / 1024.0);
                let magnitude = match exponent {
                    0 => fraction * 2f64.powi(-14),
                    31 if fraction == 0.0 => f64::INFINITY,
                    31 => f64::NAN,
                    _ => (1.0 + fraction) * 2f64.powi(exponent as i32 - 15),
                };
                if sign == 1 { -magnitude } else { magnitude }
            }
        }
    }
}

/// Reads `f32=1e-6`, or `devices`.
pub fn tolerances(text: &str) -> Result<Vec<Tolerance>, String> {
    if text == "devices" { Ok(DEVICES.to_vec()) } else { tolerance(text).map(|one| vec![one]) }
}

fn tolerance(text: &str) -> Result<Tolerance, String> {
    let form = || "expected devices, or TYPE=NUMBER with f16, bf16, f32 or f64, such as f32=1e-6".to_owned();
    let (kind, number) = text.split_once('=').ok_or_else(form)?;
    let kind = match kind {
        "f16" => Kind::F16,
        "bf16" => Kind::Bf16,
        "f32" => Kind::F32,
        "f64" => Kind::F64,
        _ => return Err(form()),
    };
    let relative = number.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0).ok_or_else(form)?;
    Ok(Tolerance { kind, relative, of_largest: 0.0 })
}

impl Tolerance {
    /// Bytes of a number.
    pub fn size(&self) -> usize {
        self.kind.size()
    }

    /// What numbers may differ by whatever they are, where such bytes came back: nothing if they are of very different sizes.
    pub fn margin(&self, bytes: &[u8]) -> f64 {
        /// Numbers that are not smaller than this part of the largest are near it.
        const NEAR: f64 = 1e-18;
        if self.of_largest == 0.0 || bytes.len() < FEW {
            return 0.0;
        }
        let values = bytes.chunks_exact(self.size()).map(|bytes| self.kind.value(bytes).abs());
        let values: Vec<f64> = values.filter(|value| *value != 0.0 && value.is_finite()).collect();
        let largest = values.iter().copied().fold(0.0, f64::max);
        let near = values.iter().filter(|value| **value >= largest * NEAR).count();
        if near * 10 >= values.len() * 9 { largest * self.of_largest } else { 0.0 }
    }

    /// Whether the rule is about bytes of which a kernel's parameters say what they are. Who names a type knows better.
    pub fn is_about(&self, numbers: Numbers, bytes: &[u8]) -> bool {
        match numbers {
            _ if self.of_largest == 0.0 => true,
            Numbers::Unknown => self.suits(bytes),
            Numbers::Integers => false,
            Numbers::Floats => self.kind == Kind::F32,
            Numbers::Doubles => self.kind == Kind::F64,
        }
    }

    /// Whether bytes may be numbers of the type. Of a rule about numbers of all types, that of the others does not count: the first half
    /// of a number of eight bytes is anything as one of four.
    fn suits(&self, bytes: &[u8]) -> bool {
        if self.of_largest == 0.0 || bytes.len() < FEW {
            return true;
        }
        let halves = bytes.chunks_exact(8).map(|word| Kind::F32.value(&word[..4]).abs());
        let (mut count, mut zeros, mut large, mut small) = (0, 0, 0, 0);
        for half in halves {
            count += 1;
            zeros += usize::from(half == 0.0);
            large += usize::from(half > 1e9 || half.is_nan());
            small += usize::from(half != 0.0 && half < 1e-9);
        }
        let anything = large * 7 > count - zeros && small * 7 > count - zeros;
        match self.kind {
            Kind::F64 => anything || zeros * 2 > count,
            _ => !anything,
        }
    }

    /// Whether two numbers may stand for each other; `margin` is what they may differ by whatever they are.
    pub fn allows(&self, a: &[u8], b: &[u8], margin: f64) -> bool {
        let (a, b) = (self.kind.value(a), self.kind.value(b));
        if a == b || (a.is_nan() && b.is_nan()) {
            return true;
        }
        // A part of infinity is infinity: nothing else is near it.
        a.is_finite() && b.is_finite() && (a - b).abs() <= (self.relative * a.abs().max(b.abs())).max(margin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_and_formats() {
        let half = |bits: u16| Kind::F16.value(&bits.to_le_bytes());
        assert_eq!(
            (half(0x3c00), half(0xc000), half(0x0001), half(0x7c00)),
            (1.0, -2.0, 2f64.powi(-24), f64::INFINITY)
        );
        assert_eq!(Kind::Bf16.value(&0x3f80u16.to_le_bytes()), 1.0);
        assert!(tolerance("bf16=0.01").is_ok_and(|rule| rule.size() == 2));
        let rule = tolerance("f32=1e-3").unwrap();
        let allows = |a: f32, b: f32| rule.allows(&a.to_le_bytes(), &b.to_le_bytes(), 0.0);
        assert!(allows(1000.0, 1000.5) && allows(f32::NAN, -f32::NAN) && allows(f32::INFINITY, f32::INFINITY));
        assert!(!allows(1000.0, 1002.0) && !allows(f32::NAN, 1.0));
        assert!(
            !allows(f32::INFINITY, 1.0) && !allows(1.0, f32::INFINITY) && !allows(f32::INFINITY, f32::NEG_INFINITY)
        );
        assert!(tolerances("devices").is_ok_and(|rules| rules.len() == 2) && tolerances("f16=1").is_ok());
        for bad in ["f32", "f8=1", "f32=-1", "f32=x", "f32=inf"] {
            assert!(tolerance(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn numbers_look_like_their_type() {
        let mut seed = 1u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 40) as f64 / f64::from(1 << 24) - 0.5
        };
        let doubles: Vec<u8> = (0..500).flat_map(|_| (random() * 1e3 / 3.0).to_le_bytes()).collect();
        let floats: Vec<u8> = (0..500).flat_map(|_| (random() as f32 * 7.0).to_le_bytes()).collect();
        let [f32, f64] = DEVICES;
        assert!(f64.suits(&doubles) && !f32.suits(&doubles) && f32.suits(&floats) && !f64.suits(&floats));
        assert!(f64.margin(&doubles) > 1e-10);
        // Results of very different sizes are numbers of their type all the same.
        let wide: Vec<u8> = (0..500).flat_map(|i| 10f32.powi(-(i % 40)).to_le_bytes()).collect();
        assert!(f32.suits(&wide) && !f64.suits(&wide) && f32.margin(&wide) == 0.0);
        // Who knows what they are is believed.
        use Numbers::{Doubles, Floats, Integers, Unknown};
        let about =
            |rule: Tolerance, bytes: &[u8]| [Unknown, Integers, Floats, Doubles].map(|n| rule.is_about(n, bytes));
        assert_eq!(about(f32, &floats), [true, false, true, false]);
        assert_eq!(about(f64, &floats), [false, false, false, true]);
        assert_eq!(about(tolerance("f32=1").unwrap(), &floats), [true; 4]);
        // Near zero a number may differ by a part of the largest one.
        let margin = f32.margin(&floats);
        let allows = |a: f32, b: f32| f32.allows(&a.to_le_bytes(), &b.to_le_bytes(), margin);
        assert!(allows(1e-9, 1e-7) && !allows(1e-9, 1e-4) && !allows(f32::INFINITY, 1.0));
    }
}
