//! Texture instructions: `tex`, `tld4`, `txq`, `istypep`.

pub mod blocks;
pub mod cube;
pub mod sample;
pub mod source;
pub mod srgb;
#[cfg(test)]
mod tests;
pub mod texel;

use super::float::{Float16, Half};
use super::lanes::{LANES, Value, set_predicate, set_vector, vector};
use super::step::{Flow, Step, Trouble};
use super::warp::Warp;
use crate::device::texture::{Binding, REFERENCES, SURFACE_REFERENCES, TEXTURES};
use sample::{Coordinate, Request};
use source::{Source, Stack};

/// How the level of detail comes about.
#[derive(Clone, Debug, PartialEq)]
pub enum Detail {
    /// There is none: the first level and what the texture adds to it.
    None,
    /// The first level.
    Base,
    /// From a register.
    Level(u32),
    /// From how fast coordinates change, along two directions.
    Gradients(Vec<u32>, Vec<u32>),
}

/// What a texture instruction gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// Words.
    Words,
    /// Halves, two in a word.
    Halves,
}

/// A texture instruction.
pub struct Fetch {
    /// The register with the texture.
    pub texture: u32,
    /// The coordinates, and whether they are integers.
    pub at: Vec<u32>,
    pub whole: bool,
    /// The layer.
    pub layer: Option<u32>,
    /// The sample of the element. No array has more than one.
    pub sample: Option<u32>,
    /// A direction.
    pub cube: bool,
    pub detail: Detail,
    /// Offsets in elements.
    pub offset: Vec<u32>,
    /// The component to gather.
    pub gather: Option<usize>,
    /// Where the results go.
    pub to: Vec<u32>,
    pub given: Given,
}

/// The object behind a handle of a kernel, if there is one.
fn source(handle: u64) -> Result<Option<Source>, Trouble> {
    let handle = handle as usize;
    let known = |source: Option<Source>| {
        source.map(Some).ok_or_else(|| {
            crate::log::error!("a kernel reads a texture of a format that is not supported");
            Trouble::IllegalInstruction
        })
    };
    if let Some(texture) = TEXTURES.get(handle) {
        return known(Source::of_texture(&texture));
    }
    let Some(reference) = REFERENCES.get(handle) else { return Ok(None) };
    let state = reference.state.lock().clone();
    match state.binding {
        Binding::None => Ok(None),
        _ => known(Source::of_reference(&state)),
    }
}

/// A number with ten bits of fraction, cut off.
fn short(x: f32) -> f64 {
    f64::from(f32::from_bits(x.to_bits() & !0x1fff))
}

/// The device's idea of the length of a vector.
fn length(of: [f64; 3]) -> f64 {
    let mut all = of.map(f64::abs);
    all.sort_by(f64::total_cmp);
    all[2] + all[1] * (11.0 / 32.0) + all[0] * 0.25
}

/// The logarithm of a positive number, to 256ths, as the device looks it up: of the fraction eight bits count.
fn logarithm(x: f64) -> f32 {
    let exponent = (x.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    let index = x.to_bits() >> 44 & 255;
    let fraction = match index {
        0 => 0.0,
        // A little before the middle of what the entry is for.
        _ => (256.0 * (1.0 + (index as f64 + 0.47) / 256.0).log2() + 0.5).floor().min(255.0),
    };
    exponent as f32 + fraction as f32 / 256.0
}

/// The level of detail for gradients, in elements of the first level. The device takes the longest of the two and of their
/// diagonals' halves, about.
fn level_of(source: &Source, first: [f32; 3], second: [f32; 3]) -> f32 {
    let extent = source.levels[0].extent;
    let scaled = |by: [f32; 3]| -> [f64; 3] { core::array::from_fn(|n| short(by[n] * extent[n] as f32)) };
    let (p, q) = (scaled(first), scaled(second));
    let sum = |sign: f64| length(core::array::from_fn(|n| p[n] + sign * q[n]));
    let longest = length(p).max(length(q)).max(11.0 / 16.0 * sum(1.0).max(sum(-1.0)));
    // What is just between two levels belongs to the smaller one, other than a level that is given.
    if longest > 0.0 { logarithm(longest) + 1.0 / 1024.0 } else { f32::NEG_INFINITY }
}

/// `tex` and `tld4`: number `number` of the function.
pub unsafe fn fetch(warp: &mut Warp, step: &Step) -> Flow {
    let Some(fetch) = warp.code().fetches.get(step.number as usize) else { return Flow::Next };
    let mut results = [[0u32; LANES]; 4];
    // SAFETY: the contract of `Execute`; what textures lead to is guarded, and nothing is owned meanwhile.
    unsafe {
        let handles = vector::<u64>(warp, fetch.texture);
        let mut known: Option<(u64, Source)> = None;
        let read = |at: u32| vector::<u32>(warp, at);
        for lane in 0..LANES {
            if warp.mask >> lane & 1 == 0 {
                continue;
            }
            let handle = handles[lane];
            if known.as_ref().is_none_or(|k| k.0 != handle) {
                known = match source(handle) {
                    Ok(source) => source.map(|source| (handle, source)),
                    Err(trouble) => return Flow::Fault(trouble),
                };
            }
            // An object that is not there gives zeros.
            let Some((_, source)) = &known else { continue };
            if fetch.sample.is_some_and(|at| read(at)[lane] != 0) {
                continue;
            }
            let mut request = Request {
                at: [Coordinate::Real(0.0); 3],
                dimensions: fetch.at.len(),
                offset: [0; 3],
                layer: fetch.layer.map_or(0, |at| read(at)[lane]),
                cube: fetch.cube,
                level: 0.0,
                gather: fetch.gather,
            };
            for (axis, &at) in fetch.at.iter().enumerate().take(3) {
                let bits = read(at)[lane];
                request.at[axis] =
                    if fetch.whole { Coordinate::Whole(bits as i32) } else { Coordinate::Real(f32::from_bits(bits)) };
            }
            for (axis, &at) in fetch.offset.iter().enumerate().take(3) {
                // Four bits and a sign.
                request.offset[axis] = (read(at)[lane] << 28) as i32 >> 28;
            }
            let floats = |all: &[u32]| -> [f32; 3] {
                core::array::from_fn(|n| all.get(n).map_or(0.0, |&at| f32::from_bits(read(at)[lane])))
            };
            request.level = match &fetch.detail {
                Detail::None => 0.0,
                Detail::Base => f32::NEG_INFINITY,
                Detail::Level(at) if fetch.whole => read(*at)[lane] as i32 as f32,
                Detail::Level(at) => f32::from_bits(read(*at)[lane]),
                Detail::Gradients(first, second) => level_of(source, floats(first), floats(second)),
            };
            let texel = source.sample(&request);
            for (result, bits) in results.iter_mut().zip(texel) {
                result[lane] = bits;
            }
        }
        match fetch.given {
            Given::Words => {
                for (&to, result) in fetch.to.iter().zip(&results) {
                    set_vector(warp, to, result);
                }
            }
            Given::Halves => {
                let half = |bits: u32| Float16::nearest(f64::from(f32::from_bits(bits))).put();
                for (n, &to) in fetch.to.iter().enumerate().take(2) {
                    let pairs: [u32; LANES] =
                        core::array::from_fn(|lane| half(results[2 * n][lane]) | half(results[2 * n + 1][lane]) << 16);
                    set_vector(warp, to, &pairs);
                }
            }
        }
    }
    Flow::Next
}

/// What `txq` and `suq` ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    Width,
    Height,
    Depth,
    ArraySize,
    Levels,
    Samples,
}

impl Question {
    /// The question that a modifier names.
    pub fn parse(name: &str) -> Option<Question> {
        Some(match name {
            "width" => Question::Width,
            "height" => Question::Height,
            "depth" => Question::Depth,
            "array_size" => Question::ArraySize,
            "num_mipmap_levels" => Question::Levels,
            "num_samples" => Question::Samples,
            _ => return None,
        })
    }
}

/// The answer for an object: extents, layers and levels. Layers that are rows count as the height, others as the depth.
fn answer(question: Question, extent: [usize; 3], stack: Stack, layers: usize, levels: usize) -> u32 {
    let value = match (question, stack) {
        (Question::Width, _) => extent[0],
        (Question::Height, Stack::Rows) => layers,
        (Question::Height, _) => extent[1],
        (Question::Depth, Stack::None) => extent[2],
        (Question::Depth, Stack::Planes) => layers,
        (Question::Depth, Stack::Cubes) => layers / 6,
        (Question::Depth, _) => 0,
        (Question::ArraySize, _) => layers,
        (Question::Levels, _) => levels,
        (Question::Samples, _) => 1,
    };
    value as u32
}

/// `txq` and `suq`: the object in the first operand, the level in the second one; `number` is the question, with bit 8
/// for surfaces.
pub unsafe fn query(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let handles = vector::<u64>(warp, step.from[0]);
        let levels = vector::<u32>(warp, step.from[1]);
        let question = match step.number & 0xff {
            0 => Question::Width,
            1 => Question::Height,
            2 => Question::Depth,
            3 => Question::ArraySize,
            4 => Question::Levels,
            _ => Question::Samples,
        };
        let mut results = [0; LANES];
        for (lane, result) in results.iter_mut().enumerate() {
            if warp.mask >> lane & 1 == 0 {
                continue;
            }
            if step.number & 0x100 != 0 {
                if let Some(array) = super::surface::array(handles[lane]) {
                    let s = array.shape;
                    let layers = if s.is_layered() { s.slices() } else { 0 };
                    // Faces count one by one here.
                    let stack = match Stack::of(&s) {
                        Stack::Cube | Stack::Cubes => Stack::Planes,
                        other => other,
                    };
                    *result = answer(question, [s.width, s.height, s.depth], stack, layers, 1);
                }
            } else if let Ok(Some(source)) = source(handles[lane]) {
                let level = levels[lane] as usize;
                if level < source.count {
                    let mut extent = source.levels[level].extent;
                    if source.flat {
                        extent[2] = 0;
                    }
                    *result = answer(question, extent, source.stack, source.layers.1, source.count);
                }
            }
        }
        set_vector(warp, step.to[0], &results);
    }
    Flow::Next
}

/// `istypep`: `number` is 0 for textures, 1 for samplers, 2 for surfaces.
pub unsafe fn is_type(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let handles = vector::<u64>(warp, step.from[0]);
        let mut bits = 0;
        for (lane, &handle) in handles.iter().enumerate() {
            let handle = handle as usize;
            let holds = match step.number {
                // Only references have a type that a kernel could tell.
                0 | 1 => REFERENCES.get(handle).is_some(),
                _ => SURFACE_REFERENCES.get(handle).is_some(),
            };
            bits |= u32::from(holds) << lane;
        }
        set_predicate(warp, step.to[0], bits);
    }
    Flow::Next
}
