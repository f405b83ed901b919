//! Which level of a texture gradients ask for, and how far places stretch.

use super::cube;
use super::source::TextureSource;

/// A number with nine bits of fraction, cut off.
fn short(x: f32) -> f64 {
    if x.is_nan() { 0.0 } else { f64::from(f32::from_bits(x.to_bits() & !0x3fff)) }
}

/// The device's idea of the length of a vector: with twelve bits behind the first of its longest part.
pub(super) fn length(of: [f64; 3]) -> f64 {
    let mut all = of.map(f64::abs);
    all.sort_by(f64::total_cmp);
    let [c, b, a] = all;
    if a == 0.0 || a.is_infinite() {
        return a;
    }
    let unit = f64::from_bits((a.to_bits() >> 52).saturating_sub(12) << 52);
    a + ((b * (11.0 / 32.0) / unit + 0.5).floor() + (c * 0.25 / unit).floor()) * unit
}

/// The logarithm of a positive number, to 256ths, as the device looks it up: of the fraction eight bits count.
pub fn logarithm(x: f64) -> f32 {
    let exponent = (x.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    let index = x.to_bits() >> 44 & 255;
    let fraction = match index {
        0 => 0.0,
        // A little before the middle of what the entry is for.
        _ => (256.0 * (1.0 + (index as f64 + 0.47) / 256.0).log2() + 0.5).floor().min(255.0),
    };
    exponent as f32 + fraction as f32 / 256.0
}

/// What gradients move, in elements of the first level.
pub struct Moves {
    pub first: [f64; 3],
    pub second: [f64; 3],
    /// What the device takes for the length of the longer axis of the ellipse that a circle becomes.
    pub long: f64,
}

/// What gradients move. The device takes the longest of the two and of their diagonals' halves, about. Of directions of cubes, what the
/// place in the face moves counts; where one leaves it, diagonals do not.
pub fn moves(source: &TextureSource, cube: Option<[f32; 3]>, first: [f32; 3], second: [f32; 3]) -> Moves {
    let extent = source.levels[0].extent;
    let scaled = |by: [f32; 3]| -> ([f64; 3], bool) {
        let Some(direction) = cube else { return (core::array::from_fn(|n| short(by[n] * extent[n] as f32)), false) };
        let cube::Slope { inside, beyond, leaves } = cube::slope(direction, by);
        let elements = |part: f64| short((part * extent[0] as f64) as f32);
        let [right, down] = core::array::from_fn(|n| short((elements(inside[n]) + elements(beyond[n])) as f32));
        ([right, down, 0.0], leaves)
    };
    let ((p, first_leaves), (q, second_leaves)) = (scaled(first), scaled(second));
    let sum = |sign: f64| length(core::array::from_fn(|n| short((p[n] + sign * q[n]) as f32)));
    let diagonals = if first_leaves || second_leaves { 0.0 } else { 11.0 / 16.0 * sum(1.0).max(sum(-1.0)) };
    Moves { first: p, second: q, long: length(p).max(length(q)).max(diagonals) }
}

impl Moves {
    /// The level of detail.
    pub fn level(&self) -> f32 {
        match self.long {
            x if x.is_infinite() => f32::INFINITY,
            x if x > 0.0 => logarithm(x),
            _ => f32::NEG_INFINITY,
        }
    }
}

/// How the device mixes two levels less where it may take several samples, unless a texture forbids it
/// (`CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION`): how much steeper the step from one to the next is, in quarters, for a largest anisotropy.
fn steepness(anisotropy: u32) -> i64 {
    match anisotropy {
        0 | 1 => 4,
        2 | 3 => 6,
        4..=7 => 7,
        _ => 8,
    }
}

/// A level with a bias, both in 256ths, as a texture with such an anisotropy mixes it.
pub fn optimised(level: i64, bias: f64, anisotropy: u32) -> i64 {
    let steep = steepness(anisotropy);
    // The step is steeper around the middle between two levels. The device keeps one number, without fraction, for bias and middle.
    let middle = 128.0 - 512.0 / steep as f64;
    let level = level + (bias - middle).trunc() as i64 + middle as i64;
    let (whole, part) = (level & !255, level & 255);
    whole + ((part - middle as i64) * steep).div_euclid(4).clamp(0, 256)
}
