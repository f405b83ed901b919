//! `--tolerance`: floating-point numbers that may differ.

/// Floating-point numbers that may differ by a part of themselves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    kind: Kind,
    relative: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    F16,
    Bf16,
    F32,
    F64,
}

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

/// Reads `f32=1e-6`.
pub fn tolerance(text: &str) -> Result<Tolerance, String> {
    let form = || "expected TYPE=NUMBER with f16, bf16, f32 or f64, such as f32=1e-6".to_owned();
    let (kind, number) = text.split_once('=').ok_or_else(form)?;
    let kind = match kind {
        "f16" => Kind::F16,
        "bf16" => Kind::Bf16,
        "f32" => Kind::F32,
        "f64" => Kind::F64,
        _ => return Err(form()),
    };
    let relative = number.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0).ok_or_else(form)?;
    Ok(Tolerance { kind, relative })
}

impl Tolerance {
    /// Bytes of a number.
    pub fn size(&self) -> usize {
        self.kind.size()
    }

    /// Whether two numbers may stand for each other.
    pub fn allows(&self, a: &[u8], b: &[u8]) -> bool {
        let (a, b) = (self.kind.value(a), self.kind.value(b));
        if a == b || (a.is_nan() && b.is_nan()) {
            return true;
        }
        // A part of infinity is infinity: nothing else is near it.
        a.is_finite() && b.is_finite() && (a - b).abs() <= self.relative * a.abs().max(b.abs())
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
        let allows = |a: f32, b: f32| rule.allows(&a.to_le_bytes(), &b.to_le_bytes());
        assert!(allows(1000.0, 1000.5) && allows(f32::NAN, -f32::NAN) && allows(f32::INFINITY, f32::INFINITY));
        assert!(!allows(1000.0, 1002.0) && !allows(f32::NAN, 1.0));
        assert!(
            !allows(f32::INFINITY, 1.0) && !allows(1.0, f32::INFINITY) && !allows(f32::INFINITY, f32::NEG_INFINITY)
        );
        for bad in ["f32", "f8=1", "f32=-1", "f32=x", "f32=inf"] {
            assert!(tolerance(bad).is_err(), "{bad}");
        }
    }
}
