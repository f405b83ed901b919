//! Numbers of elements along a dimension, for all lanes.
//!
//! Doubles are as good as integers here: nothing is beyond 2^40, where they are exact.

use crate::numeric::float;
use crate::numeric::value::LANES;
use crate::state::texture::sample::{BORDER, CLAMP, MIRROR, PARTS, WRAP};

/// The elements along a dimension: the first, the next, and the 256ths that the next one counts. What is outside of the texture is negative.
pub struct Axis {
    pub near: [i32; LANES],
    pub far: [i32; LANES],
    pub fraction: [i32; LANES],
}

impl Axis {
    /// The first element for all lanes.
    pub const FIRST: Axis = Axis { near: [0; LANES], far: [0; LANES], fraction: [0; LANES] };
}

/// Where to look along a dimension.
pub struct Along<'a> {
    /// Bits of the coordinates.
    pub at: &'a [u32; LANES],
    /// Added to the numbers of the elements.
    pub offset: Option<&'a [i32; LANES]>,
    /// Elements.
    pub extent: u32,
}

/// No number that is not one comes here: neither NaN nor beyond 32 bits.
#[inline(always)]
fn integer(x: f64) -> i32 {
    // SAFETY: numbers of elements, or -1.
    unsafe { x.to_int_unchecked() }
}

/// A number within bounds; both are compared in vectors.
#[inline(always)]
fn within(x: f64, least: f64, most: f64) -> f64 {
    let x = if x < least { least } else { x };
    if x > most { most } else { x }
}

/// The rest of a division of whole numbers that is not negative.
#[inline(always)]
fn rest(number: f64, by: f64, part: f64) -> f64 {
    let rest = number - (number * part).floor() * by;
    // The quotient may be one off.
    let rest = if rest < 0.0 { rest + by } else { rest };
    if rest >= by { rest - by } else { rest }
}

impl Along<'_> {
    #[inline(always)]
    fn offset(&self) -> [i32; LANES] {
        self.offset.copied().unwrap_or([0; LANES])
    }

    /// For numbers of elements. `clamps`: outside the nearest one is meant.
    #[inline(always)]
    pub fn numbers(&self, clamps: bool, to: &mut Axis) {
        let (offset, most) = (self.offset(), i64::from(self.extent) - 1);
        let outside = if clamps { 0 } else { -1 };
        for lane in 0..LANES {
            let number = i64::from(self.at[lane] as i32) + i64::from(offset[lane]);
            let beyond = if clamps { most } else { -1 };
            let number = if number < 0 { outside } else { number };
            to.near[lane] = (if number > most { beyond } else { number }) as i32;
        }
    }

    /// For places, under an address mode.
    #[inline(always)]
    pub fn places(&self, mode: u32, normalized: bool, blends: bool, to: &mut Axis) {
        // Only parts of the extent can wrap around.
        let mode = if normalized || mode == BORDER { mode } else { CLAMP };
        let extent = f64::from(self.extent);
        let mut x = [0.0; LANES];
        for lane in 0..LANES {
            // Subnormal numbers are no places.
            x[lane] = f64::from(float::flush(f32::from_bits(self.at[lane])));
        }
        if normalized {
            if mode == WRAP || mode == MIRROR {
                for x in &mut x {
                    // Exact: the remainder has no more bits than the number.
                    *x -= 2.0 * (*x * 0.5).trunc();
                }
            }
            for x in &mut x {
                *x = (*x * PARTS).floor() * (1.0 / PARTS) * extent;
            }
        }
        for x in &mut x {
            *x = within(if x.is_nan() { 0.0 } else { *x }, -1e9, 1e9);
        }
        match (mode, blends) {
            (WRAP, false) => self.nearest::<WRAP>(&x, to),
            (CLAMP, false) => self.nearest::<CLAMP>(&x, to),
            (MIRROR, false) => self.nearest::<MIRROR>(&x, to),
            (_, false) => self.nearest::<BORDER>(&x, to),
            (WRAP, true) => self.around::<WRAP>(&x, to),
            (CLAMP, true) => self.around::<CLAMP>(&x, to),
            (MIRROR, true) => self.around::<MIRROR>(&x, to),
            (_, true) => self.around::<BORDER>(&x, to),
        }
    }

    /// The element that each place lies in.
    #[inline(always)]
    fn nearest<const MODE: u32>(&self, x: &[f64; LANES], to: &mut Axis) {
        let offset = self.offset();
        let bound = Bound::of(self.extent);
        for lane in 0..LANES {
            to.near[lane] = bound.pair::<MODE>(x[lane].floor() + f64::from(offset[lane])).0;
        }
    }

    /// The elements around each place.
    #[inline(always)]
    fn around<const MODE: u32>(&self, x: &[f64; LANES], to: &mut Axis) {
        let offset = self.offset();
        let bound = Bound::of(self.extent);
        for lane in 0..LANES {
            let mut fixed = (x[lane] * 256.0 + 0.5).floor() - 128.0 + f64::from(offset[lane]) * 256.0;
            if MODE == CLAMP {
                // Nothing is mixed behind the edges.
                fixed = within(fixed, 0.0, bound.last * 256.0);
            }
            let first = (fixed * (1.0 / 256.0)).floor();
            to.fraction[lane] = integer(fixed - first * 256.0);
            (to.near[lane], to.far[lane]) = bound.pair::<MODE>(first);
        }
    }
}

/// What numbers of elements are compared with.
struct Bound {
    extent: f64,
    last: f64,
    part: f64,
}

impl Bound {
    #[inline(always)]
    fn of(extent: u32) -> Bound {
        let extent = f64::from(extent);
        Bound { extent, last: extent - 1.0, part: 1.0 / extent }
    }

    /// The elements that a number and the next one mean under an address mode.
    #[inline(always)]
    fn pair<const MODE: u32>(&self, number: f64) -> (i32, i32) {
        let &Bound { extent, last, part } = self;
        match MODE {
            WRAP => {
                let near = rest(number, extent, part);
                (integer(near), integer(if near == last { 0.0 } else { near + 1.0 }))
            }
            MIRROR => {
                let most = 2.0 * extent - 1.0;
                let near = rest(number, 2.0 * extent, 0.5 * part);
                let far = if near == most { 0.0 } else { near + 1.0 };
                let fold = |n: f64| integer(if n < extent { n } else { most - n });
                (fold(near), fold(far))
            }
            CLAMP => (integer(within(number, 0.0, last)), integer(within(number + 1.0, 0.0, last))),
            _ => {
                let inside = |n: f64| integer(if n < 0.0 || n > last { -1.0 } else { n });
                (inside(number), inside(number + 1.0))
            }
        }
    }
}
