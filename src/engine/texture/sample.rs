//! Sampling: from coordinates to elements and their weights.
//!
//! Fractions have eight bits, rounded to the nearest. So have the weights of the elements that are mixed: their products
//! are rounded, and what one gets another loses. Recordings of the hardware decide wherever the manual is silent.

use super::blocks::SIDE;
use super::cube;
use super::source::{Level, Source};
use crate::engine::float;

/// `CU_TRSF_NORMALIZED_COORDINATES`.
const NORMALIZED: u32 = 2;
/// `CU_TRSF_SEAMLESS_CUBEMAP`.
const SEAMLESS: u32 = 0x40;
/// Address modes.
const WRAP: u32 = 0;
const CLAMP: u32 = 1;
const MIRROR: u32 = 2;
const BORDER: u32 = 3;

/// A coordinate.
#[derive(Clone, Copy, Debug)]
pub enum Coordinate {
    /// A number of an element.
    Whole(i32),
    /// A place, in elements or, if the texture says so, in parts of its extent.
    Real(f32),
}

/// Where and how to sample, for one lane.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// Coordinates along the dimensions that there are.
    pub at: [Coordinate; 3],
    /// How many these are.
    pub dimensions: usize,
    /// Added to the numbers of the elements.
    pub offset: [i32; 3],
    /// The layer, or 0.
    pub layer: u32,
    /// The coordinates are a direction, and layers are cubes.
    pub cube: bool,
    /// The level of detail.
    pub level: f32,
    /// The component of four elements instead of a mixture.
    pub gather: Option<usize>,
}

/// Elements along a dimension: the first, the next, and the 256ths that the next one counts.
#[derive(Clone, Copy, Debug, Default)]
struct Taps {
    numbers: [i64; 2],
    fraction: i32,
}

/// What is wanted of the elements around a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mix {
    /// The one that it lies in.
    Nearest,
    /// A mixture of those around.
    Blend,
    /// Each of those around.
    Gather,
}

/// Nowhere in the texture: the border's colour, or nothing.
const OUTSIDE: i64 = i64::MIN;
const NOTHING: i64 = i64::MIN + 1;

/// The element that a number means under an address mode.
#[inline(always)]
fn wrap(number: i64, extent: usize, mode: u32) -> i64 {
    let extent = extent as i64;
    match mode {
        WRAP => number.rem_euclid(extent),
        MIRROR => {
            let number = number.rem_euclid(2 * extent);
            if number < extent { number } else { 2 * extent - 1 - number }
        }
        BORDER => {
            if (0..extent).contains(&number) {
                number
            } else {
                OUTSIDE
            }
        }
        _ => number.clamp(0, extent - 1),
    }
}

/// Taps for a coordinate along a dimension.
fn taps(at: Coordinate, extent: usize, offset: i32, mode: u32, normalized: bool, mix: Mix) -> Taps {
    let x = match at {
        Coordinate::Whole(number) => {
            let number = i64::from(number) + i64::from(offset);
            let number = if (0..extent as i64).contains(&number) { number } else { NOTHING };
            return Taps { numbers: [number; 2], fraction: 0 };
        }
        // Neither NaNs nor subnormal numbers are places.
        Coordinate::Real(x) if x.is_nan() => 0.0,
        Coordinate::Real(x) => f64::from(float::flush(x)),
    };
    real_taps(x, extent, offset, mode, normalized, mix)
}

/// The same for a place that is one.
fn real_taps(x: f64, extent: usize, offset: i32, mode: u32, normalized: bool, mix: Mix) -> Taps {
    // Only parts of the extent can wrap around.
    let mode = if normalized || mode == BORDER { mode } else { CLAMP };
    let x = if normalized {
        // Numbers that large have no fraction that counts.
        let x = if mode == WRAP || mode == MIRROR { x % 2.0 } else { x };
        x * extent as f64
    } else {
        x
    };
    // Nothing is further away than this, and nothing in between overflows.
    let x = x.clamp(-1e9, 1e9);
    let (first, fraction) = if mix != Mix::Nearest {
        let mut fixed = (x * 256.0 - 128.0 + 0.5).floor() as i64 + (i64::from(offset) << 8);
        if mode == CLAMP && mix == Mix::Blend {
            // Nothing is mixed behind the edges.
            fixed = fixed.clamp(0, (extent as i64 - 1) << 8);
        }
        (fixed >> 8, (fixed & 255) as i32)
    } else {
        (x.floor() as i64 + i64::from(offset), 0)
    };
    Taps { numbers: [wrap(first, extent, mode), wrap(first + 1, extent, mode)], fraction }
}

/// The weights of up to eight elements: bit 0 of the index is the dimension x, and so on.
fn weights(taps: &[Taps; 3], dimensions: usize) -> [i32; 8] {
    let [x, y, z] = taps.map(|t| t.fraction);
    let mut all = [0; 8];
    match dimensions {
        1 => (all[0], all[1]) = (256 - x, x),
        2 => {
            let both = (x * y + 128) >> 8;
            (all[0], all[1], all[2], all[3]) = (256 - x - y + both, x - both, y - both, both);
        }
        _ => {
            // First x and z; each of these four is parted along y, halves upwards where x is the next one.
            let both = (x * z + 128) >> 8;
            for (at, weight, half) in
                [(0, 256 - x - z + both, 127), (1, x - both, 128), (4, z - both, 127), (5, both, 128)]
            {
                let next = (weight * y + half) >> 8;
                (all[at], all[at + 2]) = (weight - next, next);
            }
        }
    }
    all
}

impl Source {
    fn normalized(&self) -> bool {
        self.sampling.flags & NORMALIZED != 0
    }

    /// True if elements are mixed.
    fn blends(&self) -> bool {
        self.sampling.filter == 1 && !self.linear
    }

    /// An element; outside it is the border's colour, or 0 where a run of elements ends.
    unsafe fn element(&self, level: &Level, at: [i64; 3]) -> [u32; 4] {
        if at.contains(&NOTHING) {
            return [0; 4];
        }
        if at.contains(&OUTSIDE) {
            return self.format.border(self.sampling.border);
        }
        let [x, y, z] = at.map(|n| n as usize);
        if let Some(compression) = self.format.compression {
            let mut block = [0; 16];
            if let Some(address) = level.address(x / SIDE * compression.bytes(), y / SIDE, z) {
                // SAFETY: guarded by whoever runs the step.
                unsafe {
                    core::ptr::copy_nonoverlapping(address as *const u8, block.as_mut_ptr(), compression.bytes())
                };
            }
            return compression.unpack(&block, y % SIDE * SIDE + x % SIDE);
        }
        match level.address(x * self.format.element_bytes(), y, z) {
            // SAFETY: guarded by whoever runs the step.
            Some(address) => unsafe { self.format.read(address) },
            None => [0; 4],
        }
    }

    /// The level to take and the 256ths that the next one counts.
    fn choose(&self, level: f32) -> (usize, i32) {
        let last = (self.count - 1) as f32;
        if self.count == 1 {
            return (0, 0);
        }
        let s = &self.sampling;
        let level = if level.is_nan() { 0.0 } else { level } + s.level_bias;
        let level = level.max(s.level_clamp[0]).min(s.level_clamp[1]).clamp(0.0, last);
        if s.level_filter == 1 {
            let fixed = (level * 256.0).floor() as usize;
            (fixed >> 8, (fixed & 255) as i32)
        } else {
            ((level + 0.5).ceil() as usize - 1, 0)
        }
    }

    /// Samples: four components, as the bits of singles or integers.
    ///
    /// # Safety
    /// Inside of [`crate::guard::run`].
    pub unsafe fn sample(&self, request: &Request) -> [u32; 4] {
        // SAFETY: the same contract.
        unsafe {
            if let Some(component) = request.gather {
                return self.gather(request, component);
            }
            let (level, fraction) = self.choose(request.level);
            let near = self.sample_level(request, level);
            if fraction == 0 {
                return near;
            }
            let far = self.sample_level(request, level + 1);
            core::array::from_fn(|n| {
                let (near, far) = (f32::from_bits(near[n]), f32::from_bits(far[n]));
                let weight = f64::from(fraction) / 256.0;
                ((f64::from(near) * (1.0 - weight) + f64::from(far) * weight) as f32).to_bits()
            })
        }
    }

    /// The elements that a request touches in a level, and their weights.
    unsafe fn footprint(&self, request: &Request, level: &Level, mix: Mix) -> ([[u32; 4]; 8], [i32; 8], usize) {
        let modes = self.sampling.address_modes;
        let mut taps = [Taps::default(); 3];
        let mut dimensions = request.dimensions;
        let mut layer = request.layer;
        let layered = self.layers.1 > 1 || level.extent[2] > 1 && request.dimensions < 3;
        let whole = matches!(request.at[0], Coordinate::Whole(_));
        if request.cube {
            let direction = request.at.map(|c| match c {
                Coordinate::Real(x) => x,
                Coordinate::Whole(n) => n as f32,
            });
            let (face, s, t) = cube::face(direction);
            dimensions = 2;
            layer = layer.min((self.layers.1 / 6).saturating_sub(1) as u32) * 6 + face;
            if self.sampling.flags & SEAMLESS != 0 {
                // SAFETY: the same contract.
                return unsafe { self.across_edges(level, layer, [s, t], mix) };
            }
            // Each face ends at its edges.
            for (axis, place) in [s, t].into_iter().enumerate() {
                taps[axis] =
                    real_taps(if place.is_nan() { 0.0 } else { place }, level.extent[0], 0, modes[axis], true, mix);
            }
        } else {
            let mut at = request.at;
            let mut offset = request.offset;
            if dimensions == 1 && !whole && modes[1] == BORDER {
                // The device takes these for rows whose border lies above and below.
                (dimensions, at[1], offset[1]) = (2, Coordinate::Real(0.0), offset[0]);
            }
            let normalized = self.normalized() && !whole;
            for axis in 0..dimensions {
                taps[axis] = self::taps(at[axis], level.extent[axis], offset[axis], modes[axis], normalized, mix);
            }
            // Runs of elements are read by number, rows of arrays by place, and not the other way round.
            let unlike = request.dimensions == 1 && !layered && whole != self.linear;
            if unlike || (whole && layered && layer as usize >= self.layers.1) {
                taps[0].numbers = [NOTHING; 2];
            }
        }
        let slice = if layered || request.cube {
            self.layers.0 as i64 + i64::from(layer).min(self.layers.1 as i64 - 1)
        } else {
            0
        };
        let count = if mix == Mix::Nearest { 1 } else { 1 << dimensions };
        let mut elements = [[0; 4]; 8];
        for (corner, element) in elements.iter_mut().enumerate().take(count) {
            let mut at = [0, 0, slice];
            for axis in 0..dimensions {
                at[axis] = taps[axis].numbers[corner >> axis & 1];
            }
            // SAFETY: the same contract.
            *element = unsafe { self.element(level, at) };
        }
        (elements, weights(&taps, dimensions), count)
    }

    /// The elements around a place of a cube's face, some of which may be on other faces.
    unsafe fn across_edges(
        &self,
        level: &Level,
        layer: u32,
        place: [f64; 2],
        mix: Mix,
    ) -> ([[u32; 4]; 8], [i32; 8], usize) {
        let size = level.extent[0] as i64;
        let first_of_cube = self.layers.0 as i64 + i64::from(layer / 6 * 6);
        let mut numbers = [[0i64; 2]; 2];
        let mut taps = [Taps::default(); 3];
        for axis in 0..2 {
            let x = if place[axis].is_nan() { 0.0 } else { place[axis] } * size as f64;
            let fixed = if mix != Mix::Nearest { (x * 256.0 - 128.0 + 0.5).floor() } else { x.floor() * 256.0 } as i64;
            numbers[axis] = [fixed >> 8, (fixed >> 8) + 1];
            taps[axis].fraction = if mix != Mix::Nearest { (fixed & 255) as i32 } else { 0 };
            if mix == Mix::Nearest {
                numbers[axis][0] = numbers[axis][0].clamp(0, size - 1);
            }
        }
        let count = if mix == Mix::Nearest { 1 } else { 4 };
        let mut weights = weights(&taps, 2);
        let mut elements = [[0; 4]; 8];
        let mut missing = None;
        for corner in 0..count {
            let (x, y) = (numbers[0][corner & 1], numbers[1][corner >> 1]);
            match cube::neighbour(layer % 6, x, y, size) {
                Some((face, x, y)) => {
                    // SAFETY: the same contract.
                    elements[corner] = unsafe { self.element(level, [x, y, first_of_cube + i64::from(face)]) };
                }
                None => missing = Some(corner),
            }
        }
        if let Some(corner) = missing {
            // Three faces meet here.
            let [a, b, c] = [3, 1, 2].map(|other| elements[corner ^ other]);
            elements[corner] = self.format.mean(a, [b, c]);
            let whole = core::mem::take(&mut weights[corner]);
            let third = (whole * 85 + 128) >> 8;
            for (other, part) in [(3, whole - 2 * third), (1, third), (2, third)] {
                weights[corner ^ other] += part;
            }
        }
        (elements, weights, count)
    }

    unsafe fn sample_level(&self, request: &Request, level: usize) -> [u32; 4] {
        let level = &self.levels[level];
        let whole = matches!(request.at[0], Coordinate::Whole(_));
        let mix = if self.blends() && !whole { Mix::Blend } else { Mix::Nearest };
        // SAFETY: the same contract.
        let (elements, weights, count) = unsafe { self.footprint(request, level, mix) };
        if count == 1 {
            return core::array::from_fn(|n| self.format.result(n, elements[0][n]));
        }
        core::array::from_fn(|n| self.format.blend(n, &elements[..count], &weights[..count]))
    }

    /// One component of the four elements that a filter would mix: first the lower left one, then around.
    unsafe fn gather(&self, request: &Request, component: usize) -> [u32; 4] {
        // SAFETY: the same contract.
        let (elements, _, count) = unsafe { self.footprint(request, &self.levels[0], Mix::Gather) };
        let order = [2, 3, 1, 0];
        core::array::from_fn(|n| {
            let corner = if count == 4 { order[n] } else { 0 };
            self.format.result(component, elements[corner][component])
        })
    }
}
