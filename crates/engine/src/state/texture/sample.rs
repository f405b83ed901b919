//! Sampling: from coordinates to elements and their weights.
//!
//! Parts of an extent have 21 bits behind the point, fractions eight, rounded to the nearest. So have the weights of the elements
//! that are mixed: their products are rounded, and what one gets another loses. Between two levels the elements of both are mixed
//! at once. Recordings of the hardware decide wherever the manual is silent.

use super::blocks::SIDE;
use super::cube;
use super::level::optimised;
use super::source::{MipLevel, TextureSource};
use super::stretch::Stretch;
use crate::numeric::float;

/// `CU_TRSF_NORMALIZED_COORDINATES`.
const NORMALIZED: u32 = 2;
/// `CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION`.
const DISABLE_TRILINEAR_OPTIMIZATION: u32 = 0x20;
/// `CU_TRSF_SEAMLESS_CUBEMAP`.
const SEAMLESS: u32 = 0x40;
/// Address modes.
pub(super) const WRAP: u32 = 0;
pub(super) const CLAMP: u32 = 1;
pub(super) const MIRROR: u32 = 2;
pub(super) const BORDER: u32 = 3;

/// A coordinate.
#[derive(Clone, Copy, Debug)]
pub enum Coordinate {
    /// A number of an element.
    Whole(i32),
    /// A place, in elements or, if the texture says so, in parts of its extent.
    Real(f32),
}

/// A direction whose place in its face has moved, in parts of the face's sides.
fn moved_in_face(at: &[Coordinate; 3], by: [f64; 2]) -> [Coordinate; 3] {
    let real = |at: &Coordinate| if let Coordinate::Real(x) = at { *x } else { 0.0 };
    let (face, right, down) = cube::face([real(&at[0]), real(&at[1]), real(&at[2])]);
    let unit = |place: f64, by: f64| 2.0 * (place + by) - 1.0;
    cube::direction(face, unit(right, by[0]), unit(down, by[1])).map(|part| Coordinate::Real(part as f32))
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
    /// Nothing is there: a sample of which elements have none.
    pub missing: bool,
    /// The coordinates are a direction, and layers are cubes.
    pub cube: bool,
    /// The level of detail; one that comes with numbers of elements is a number.
    pub level: Detail,
    /// The place is longer in one direction.
    pub stretch: Option<Stretch>,
    /// The offset as it was given along the first dimension.
    pub raw_offset: u32,
    /// Numbers outside mean the nearest element.
    pub clamps: bool,
    /// The component of four elements instead of a mixture.
    pub gather: Option<usize>,
}

/// A level of detail.
#[derive(Clone, Copy, Debug)]
pub enum Detail {
    /// Between levels, before what the texture adds.
    Real(f32),
    /// A level by its number.
    Whole(i32),
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

/// Parts of an extent that are told apart.
pub(super) const PARTS: f64 = (1 << 21) as f64;
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

/// Taps for the number of an element. `nearest`: outside the nearest one is meant.
fn integer_taps(number: i32, extent: usize, offset: i32, nearest: bool) -> Taps {
    let (number, extent) = (i64::from(number) + i64::from(offset), extent as i64);
    let number = match (0..extent).contains(&number) {
        true => number,
        false if nearest => number.clamp(0, extent - 1),
        false => NOTHING,
    };
    Taps { numbers: [number; 2], fraction: 0 }
}

/// Taps for a place.
fn float_taps(x: f64, extent: usize, offset: i32, mode: u32, normalized: bool, mix: Mix) -> Taps {
    // Only parts of the extent can wrap around.
    let mode = if normalized || mode == BORDER { mode } else { CLAMP };
    let x = if normalized {
        // Numbers that large have no fraction that counts.
        let x = if mode == WRAP || mode == MIRROR { x % 2.0 } else { x };
        (x * PARTS).floor() / PARTS * extent as f64
    } else {
        x
    };
    // Nothing is further away than this, and nothing in between overflows.
    let x = if x.is_nan() { 0.0 } else { x.clamp(-1e9, 1e9) };
    let (first, fraction) = if mix != Mix::Nearest {
        let mut fixed = (x * 256.0 + 0.5).floor() as i64 - 128 + (i64::from(offset) << 8);
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

/// The weights of up to eight elements, which add up to `all`: bit 0 of the index is the dimension x, and so on. They are parted
/// along z first, then along x, then along y; halves go to the next one along x.
fn weights(taps: &[Taps; 3], dimensions: usize, all: i32) -> [i32; 8] {
    let [x, y, z] = taps.map(|t| t.fraction);
    let far = if dimensions == 3 { (all * z + 127) >> 8 } else { 0 };
    let mut weights = [0; 8];
    for (plane, whole) in [(0, all - far), (4, far)] {
        let next = (whole * x + 128) >> 8;
        for (column, whole, half) in [(0, whole - next, 127), (1, next, 128)] {
            let upper = if dimensions > 1 { (whole * y + half) >> 8 } else { 0 };
            (weights[plane + column], weights[plane + column + 2]) = (whole - upper, upper);
        }
    }
    weights
}

/// The elements that are mixed, their weights, and how many there are.
struct Footprint {
    elements: [[u32; 4]; 8],
    weights: [i32; 8],
    count: usize,
    /// The one that is missing at a cube's corner.
    missing: Option<usize>,
}

impl TextureSource {
    pub(super) fn normalized(&self) -> bool {
        // With levels they always are.
        self.sampling.flags & NORMALIZED != 0 || self.leveled
    }

    /// True if elements are mixed.
    pub(super) fn blends(&self) -> bool {
        self.sampling.filter == 1 && !self.linear
    }

    /// An element; outside it is the border's colour, or 0 where a run of elements ends.
    unsafe fn element(&self, level: &MipLevel, at: [i64; 3]) -> [u32; 4] {
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
                // SAFETY: the step runs inside `guard::run`.
                unsafe {
                    core::ptr::copy_nonoverlapping(address as *const u8, block.as_mut_ptr(), compression.bytes())
                };
            }
            return compression.unpack(&block, y % SIDE * SIDE + x % SIDE);
        }
        match level.address(x * self.format.element_bytes(), y, z) {
            // SAFETY: the step runs inside `guard::run`.
            Some(address) => unsafe { self.format.read(address) },
            None => [0; 4],
        }
    }

    /// The level to take and the 256ths that the next one counts; nothing if there is no such level.
    fn choose(&self, level: Detail) -> Option<(usize, i32)> {
        let level = match level {
            // What the texture says about levels is for places only.
            Detail::Whole(number) => return usize::try_from(number).ok().filter(|&n| n < self.count).map(|n| (n, 0)),
            Detail::Real(_) if self.count == 1 => return Some((0, 0)),
            Detail::Real(level) if level.is_nan() => 0.0,
            Detail::Real(level) => level.clamp(-1000.0, 1000.0),
        };
        let s = &self.sampling;
        let (level, bias) = ((level * 256.0).floor() as i64, (f64::from(s.level_bias) * 256.0).clamp(-1e6, 1e6));
        let mixes = s.level_filter == 1 && s.flags & DISABLE_TRILINEAR_OPTIMIZATION == 0;
        let level = optimised(level, bias, if mixes { s.anisotropy } else { 0 }) as f32 / 256.0;
        let level = level.min(s.level_clamp[1]).max(s.level_clamp[0]).clamp(0.0, (self.count - 1) as f32);
        let fixed = (level * 256.0).floor() as usize;
        Some(if s.level_filter == 1 { (fixed >> 8, (fixed & 255) as i32) } else { ((level + 0.5).floor() as usize, 0) })
    }

    /// Samples: four components, as the bits of singles or integers.
    ///
    /// # Safety
    /// Inside of [`guard::run`].
    pub unsafe fn sample(&self, request: &Request) -> [u32; 4] {
        // SAFETY: the same contract.
        unsafe {
            if let Some(component) = request.gather {
                return self.gather(request, component);
            }
            let Some((level, fraction)) = self.choose(request.level) else { return [0; 4] };
            if let Some(stretch) = request.stretch {
                return self.sample_along(request, &stretch, level, fraction);
            }
            let whole = matches!(request.at[0], Coordinate::Whole(_));
            let mix = if self.blends() && !whole { Mix::Blend } else { Mix::Nearest };
            let near = self.footprint(request, &self.levels[level], mix, 256 - fraction);
            if fraction == 0 {
                if near.count == 1 {
                    return core::array::from_fn(|n| self.format.result(n, near.elements[0][n]));
                }
                return core::array::from_fn(|n| {
                    self.format.blend(n, &near.elements[..near.count], &near.weights[..near.count])
                });
            }
            let far = self.footprint(request, &self.levels[level + 1], mix, fraction);
            let (mut elements, mut weights) = ([[0; 4]; 16], [0; 16]);
            for (n, of) in [near, far].into_iter().enumerate() {
                elements[n * of.count..][..of.count].copy_from_slice(&of.elements[..of.count]);
                weights[n * of.count..][..of.count].copy_from_slice(&of.weights[..of.count]);
                if n == 1 {
                    let all = 2 * of.count;
                    return core::array::from_fn(|n| self.format.blend(n, &elements[..all], &weights[..all]));
                }
            }
            [0; 4]
        }
    }

    /// The mean of several samples, of one level or two.
    unsafe fn sample_along(&self, request: &Request, stretch: &Stretch, level: usize, fraction: i32) -> [u32; 4] {
        let mut sums = [0f64; 4];
        for (level, part) in [(level, 256 - fraction), (level + 1, fraction)].into_iter().filter(|l| l.1 > 0) {
            let level = &self.levels[level];
            for (by, weight) in stretch.samples() {
                let mut one = *request;
                if request.cube {
                    one.at = moved_in_face(&request.at, by.map(|by| by / level.extent[0] as f64));
                } else {
                    for (axis, by) in by.into_iter().enumerate() {
                        if let Coordinate::Real(x) = one.at[axis] {
                            let by = if self.normalized() { by / level.extent[axis] as f64 } else { by };
                            one.at[axis] = Coordinate::Real((f64::from(x) + by) as f32);
                        }
                    }
                }
                let mix = if self.blends() { Mix::Blend } else { Mix::Nearest };
                // SAFETY: the same contract.
                let around = unsafe { self.footprint(&one, level, mix, 256) };
                for (n, sum) in sums.iter_mut().enumerate() {
                    let (elements, weights) = (&around.elements[..around.count], &around.weights[..around.count]);
                    let bits = match around.count {
                        1 => self.format.result(n, elements[0][n]),
                        _ => self.format.blend(n, elements, weights),
                    };
                    *sum += self.format.number(bits) * weight * f64::from(part) / 256.0;
                }
            }
        }
        core::array::from_fn(|n| self.format.mean(n, sums[n]))
    }

    /// The elements that a request touches in a level, and their weights, which add up to `all`.
    unsafe fn footprint(&self, request: &Request, level: &MipLevel, mix: Mix, all: i32) -> Footprint {
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
                return unsafe { self.across_edges(level, layer, [s, t], mix, all) };
            }
            // Each face ends at its edges.
            for (axis, place) in [s, t].into_iter().enumerate() {
                taps[axis] = float_taps(place, level.extent[0], 0, modes[axis], true, mix);
            }
        } else {
            let (mut at, mut offset) = (request.at, request.offset);
            if self.linear {
                // Memory has none.
                offset = [0; 3];
            }
            if dimensions == 1 && !whole && !layered && modes[1] == BORDER {
                // The device takes these for rows whose border lies above and below. The next bits of the offset count.
                let offset_y = (request.raw_offset << 24) as i32 >> 28;
                (dimensions, at[1], offset[1]) = (2, Coordinate::Real(0.0), offset_y);
            }
            let nearest = whole && request.clamps;
            for axis in 0..dimensions {
                let (extent, offset) = (level.extent[axis], offset[axis]);
                taps[axis] = match at[axis] {
                    Coordinate::Whole(number) => integer_taps(number, extent, offset, nearest),
                    // Subnormal numbers are no places.
                    Coordinate::Real(x) => {
                        float_taps(f64::from(float::flush(x)), extent, offset, modes[axis], self.normalized(), mix)
                    }
                };
            }
            // Runs of elements are read by number, rows of arrays by place, and not the other way round.
            let unlike = request.dimensions == 1 && !layered && whole != self.linear;
            let no_layer = whole && layered && !request.clamps && layer as usize >= self.layers.1;
            if unlike || no_layer || request.missing {
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
        let weights = if count == 1 { [all, 0, 0, 0, 0, 0, 0, 0] } else { weights(&taps, dimensions, all) };
        Footprint { elements, weights, count, missing: None }
    }

    /// The elements around a place of a cube's face, some of which may be on other faces.
    unsafe fn across_edges(&self, level: &MipLevel, layer: u32, place: [f64; 2], mix: Mix, all: i32) -> Footprint {
        let size = level.extent[0] as i64;
        let first_of_cube = self.layers.0 as i64 + i64::from(layer / 6 * 6);
        let mut numbers = [[0i64; 2]; 2];
        let mut taps = [Taps::default(); 3];
        for axis in 0..2 {
            let x = place[axis] * size as f64;
            let fixed = if mix != Mix::Nearest { (x * 256.0 - 128.0 + 0.5).floor() } else { x.floor() * 256.0 } as i64;
            numbers[axis] = [fixed >> 8, (fixed >> 8) + 1];
            taps[axis].fraction = if mix != Mix::Nearest { (fixed & 255) as i32 } else { 0 };
            if mix == Mix::Nearest {
                numbers[axis][0] = numbers[axis][0].clamp(0, size - 1);
            }
        }
        let count = if mix == Mix::Nearest { 1 } else { 4 };
        let mut weights = if count == 1 { [all, 0, 0, 0, 0, 0, 0, 0] } else { weights(&taps, 2, all) };
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
            // Three faces meet here: the others get the weight.
            let whole = core::mem::take(&mut weights[corner]);
            let third = (whole * 85 + 128) >> 8;
            for (other, part) in [(3, whole - 2 * third), (1, third), (2, third)] {
                weights[corner ^ other] += part;
            }
        }
        Footprint { elements, weights, count, missing }
    }

    /// One component of the four elements that a filter would mix: first the lower left one, then around.
    unsafe fn gather(&self, request: &Request, component: usize) -> [u32; 4] {
        // SAFETY: the same contract.
        let around = unsafe { self.footprint(request, &self.levels[0], Mix::Gather, 256) };
        let elements = &around.elements;
        let order = [2, 3, 1, 0];
        // As mixtures of one, or of the three around a corner.
        core::array::from_fn(|n| {
            let corner = if around.count == 4 { order[n] } else { 0 };
            if around.missing == Some(corner) {
                let three = [elements[corner ^ 3], elements[corner ^ 1], elements[corner ^ 2]];
                return self.format.blend(component, &three, &[86, 85, 85]);
            }
            self.format.blend(component, &elements[corner..=corner], &[256])
        })
    }
}
