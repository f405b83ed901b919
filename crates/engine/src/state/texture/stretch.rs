//! Anisotropy: several samples along the longer direction that a place is stretched in.
//!
//! Where the samples are and what they count is an H200's, to some 64ths; the level that they are taken of is an H100's, to two 256ths.

use super::level::Moves;

/// A place that is longer in one direction.
#[derive(Clone, Copy, Debug)]
pub struct Stretch {
    /// The longer direction, of length one, in elements.
    direction: [f64; 2],
    /// How many times longer it is.
    ratio: f64,
}

/// What a place is like where a texture may take several samples.
pub struct Shape {
    /// The shorter axis, in elements of the first level: the level is its logarithm.
    pub short: f64,
    /// Nothing if one sample is enough.
    pub stretch: Option<Stretch>,
}

/// What the device makes of the largest ratio that a texture asks for: its logarithm has four bits behind the point.
fn largest(asked: u32) -> f64 {
    let even = [2u32, 4, 6, 8, 10, 12, 16].into_iter().rev().find(|&n| n <= asked).unwrap_or(1);
    ((f64::from(even).log2() * 16.0).floor() / 16.0).exp2()
}

impl Shape {
    /// That of two gradients, for textures that ask for such a ratio at most. Nothing if that is 1.
    pub fn of(moves: &Moves, asked: u32) -> Option<Shape> {
        let ([px, py, _], [qx, qy, _], most) = (moves.first, moves.second, largest(asked));
        // The shorter axis of the ellipse that a circle becomes comes from its area.
        let long = moves.long;
        let short = ((px * qy - py * qx).abs() / long).max(long / most).min(long);
        // Elements of the first level are not sampled more than once each.
        let ratio = long / short.max(1.0);
        if most < 2.0 || !ratio.is_finite() || ratio == 0.0 {
            return None;
        }
        let angle = (2.0 * (px * py + qx * qy)).atan2(px * px + qx * qx - py * py - qy * qy) / 2.0;
        let stretch = Stretch { direction: [angle.cos(), angle.sin()], ratio };
        Some(Shape { short, stretch: (ratio > 1.0).then_some(stretch) })
    }
}

impl Stretch {
    /// Where samples are, in elements of the level that is read, and what they count.
    pub fn samples(&self) -> impl Iterator<Item = ([f64; 2], f64)> {
        let Stretch { direction, ratio, .. } = *self;
        // Two come nearer to each other; of more, one element apart, the outer ones count less.
        let half = if ratio <= 2.0 { 1 } else { (ratio / 2.0).ceil() as i32 };
        (-half..half).map(move |n| {
            let at = f64::from(n) + 0.5;
            let (at, weight) = match half {
                1 => (2.0 * at * (1.0 - 1.0 / ratio), 0.5),
                _ if n == -half || n == half - 1 => (at, (ratio / 2.0 - f64::from(half - 1)) / ratio),
                _ => (at, 1.0 / ratio),
            };
            (direction.map(|d| d * at), weight)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of([px, py]: [f64; 2], [qx, qy]: [f64; 2], asked: u32) -> Option<Stretch> {
        let long = px.hypot(py).max(qx.hypot(qy));
        Shape::of(&Moves { first: [px, py, 0.0], second: [qx, qy, 0.0], long }, asked)?.stretch
    }

    #[test]
    fn samples_are_the_devices() {
        // Recorded: lengths, largest ratio, places along the longer direction and what they count.
        type Sample = (f64, f64);
        let cases: [(f64, f64, u32, &[Sample]); 7] = [
            (2.0, 0.5, 16, &[(0.5, 0.5)]),
            (1.5, 0.5, 16, &[(0.336, 0.5)]),
            (3.0, 1.0, 16, &[(0.5, 0.333), (1.5, 0.166)]),
            (2.5, 1.0, 16, &[(0.5, 0.398), (1.5, 0.101)]),
            (8.0, 2.0, 16, &[(0.5, 0.25), (1.5, 0.25)]),
            (20.0, 0.25, 4, &[(0.5, 0.25), (1.5, 0.25)]),
            (20.0, 0.25, 5, &[(0.5, 0.25), (1.5, 0.25)]),
        ];
        for (long, short, asked, expected) in cases {
            for swapped in [false, true] {
                let (p, q) = ([long, 0.0], [0.0, short]);
                let (p, q) = if swapped { (q, p) } else { (p, q) };
                let stretch = of(p, q, asked).unwrap();
                let right: Vec<_> = stretch.samples().filter(|(at, _)| at[0] * stretch.direction[0] > 0.0).collect();
                assert_eq!(right.len(), expected.len(), "{long} {short}");
                for ((at, weight), &(place, counts)) in right.iter().zip(expected) {
                    assert!((at[0].abs() - place).abs() < 0.01 && (weight - counts).abs() < 0.01, "{at:?} {weight}");
                }
                assert!((stretch.samples().map(|s| s.1).sum::<f64>() - 1.0).abs() < 1e-9);
            }
        }
        assert!(of([4.0, 0.0], [0.0, 4.0], 16).is_none());
        assert!(of([4.0, 0.0], [0.0, 1.0], 1).is_none());
        assert!(of([0.5, 0.0], [0.0, 0.1], 16).is_none());
    }
}
