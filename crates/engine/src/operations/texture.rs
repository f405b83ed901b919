//! Texture instructions: `tex`, `tld4`, `txq`, `istypep`.

use crate::numeric::float::{Float16, Half};
use crate::numeric::value::{LANES, Value};
use crate::state::fault::Fault;
use crate::state::payload::{DetailOf, payload};
use crate::state::registers::{set_predicate, set_vector, vector};
use crate::state::services::{Images, Reference};
use crate::state::step::Flow;
use crate::state::texture::lanes::plan::Places;
use crate::state::texture::level::{Moves, logarithm, moves};
use crate::state::texture::sample::{Coordinate, Detail as Level, Request};
use crate::state::texture::seen::SeenTexture;
use crate::state::texture::source::{Backing, Stack, TextureSource};
use crate::state::texture::stretch::Shape;
use crate::state::warp::{Step, Warp};
use ptx::Modifier;

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
    /// Halves, one in a register.
    Singly,
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

/// Who knows the textures and surfaces of a warp's launch.
pub(super) fn images<'w>(warp: &'w Warp) -> &'w dyn Images {
    // SAFETY: a warp that runs has surroundings, and the launch keeps what they point to.
    unsafe { &*(*warp.around).images }
}

/// [`source`] for what a warp reads: linear memory that it may not access is not there.
fn readable(warp: &Warp, handle: u64) -> Result<Option<TextureSource>, Fault> {
    let mut source = source(warp, handle)?;
    if let Some(source) = &mut source
        && let Some((address, bytes)) = source.span()
        && !warp.may_access(address as u64, bytes)
    {
        source.levels[0].backing = Backing::Missing;
    }
    Ok(source)
}

/// The object behind a handle of a kernel, if there is one.
fn source(warp: &Warp, handle: u64) -> Result<Option<TextureSource>, Fault> {
    images(warp).texture(handle).map_err(|_| {
        settings::log::error!("a kernel reads a texture of a format that is not supported");
        Fault::IllegalInstruction
    })
}

/// Places may be longer in one direction, but in volumes and in layers of rows, where the device takes one sample.
fn shape_of(source: &TextureSource, fetch: &Fetch, moves: &Moves) -> Option<Shape> {
    let flat = match fetch.at.len() {
        1 => fetch.layer.is_none(),
        2 => true,
        _ => fetch.cube,
    };
    if !flat || source.linear {
        return None;
    }
    Shape::of(moves, source.sampling.anisotropy)
}

impl Fetch {
    /// Where all lanes sample, for what is done for all of them at once: no cubes, nothing gathered, no gradients. A level is
    /// the first one, which `linear` memory and places have alone.
    unsafe fn places(&self, warp: &Warp, linear: bool) -> Option<Places> {
        if self.cube || self.gather.is_some() || self.sample.is_some() {
            return None;
        }
        // SAFETY: the contract of `Execute`.
        let read = |at: u32| unsafe { vector::<u32>(warp, at) };
        match &self.detail {
            Detail::Gradients(..) => return None,
            Detail::Level(at) if self.whole && !linear => {
                let mask = warp.mask;
                let others = read(*at).iter().enumerate().any(|(lane, &level)| level != 0 && mask >> lane & 1 != 0);
                if others {
                    return None;
                }
            }
            _ => {}
        }
        let mut at = [[0; LANES]; 3];
        for (to, &from) in at.iter_mut().zip(&self.at) {
            *to = read(from);
        }
        let offset = (!self.offset.is_empty()).then(|| {
            let mut offset = [[0; LANES]; 3];
            for (to, &from) in offset.iter_mut().zip(&self.offset) {
                // Four bits.
                *to = read(from).map(|bits| (bits << 28) as i32 >> 28);
            }
            offset
        });
        Some(Places {
            at,
            dimensions: self.at.len(),
            whole: self.whole,
            offset,
            layer: self.layer.map(read),
            clamps: matches!(self.detail, Detail::Level(_)),
            mask: warp.mask,
        })
    }

    /// Samples for all lanes at once where they read one texture of a usual kind. Gives the lanes that are still to be done.
    unsafe fn at_once(&self, warp: &Warp, results: &mut [[u32; LANES]; 4]) -> Result<u32, Fault> {
        // SAFETY: the contract of `Execute`; a warp that runs has surroundings, which its block alone uses.
        unsafe {
            let handles = vector::<u64>(warp, self.texture);
            let mask = warp.mask;
            if mask == 0 {
                return Ok(0);
            }
            let handle = handles[mask.trailing_zeros() as usize % LANES];
            let others = handles.iter().enumerate().any(|(lane, &other)| other != handle && mask >> lane & 1 != 0);
            if others {
                return Ok(mask);
            }
            let textures = &mut (*warp.around).textures;
            if textures.find(handle).is_none() {
                match source(warp, handle)? {
                    // What has no memory yet may get some.
                    Some(source) if matches!(source.levels[0].backing, Backing::At(_)) => {
                        textures.keep(handle, SeenTexture { plan: source.plan(), source });
                    }
                    _ => return Ok(mask),
                }
            }
            let Some(texture) = textures.find(handle) else { return Ok(mask) };
            let Some(plan) = &texture.plan else { return Ok(mask) };
            if texture.source.span().is_some_and(|(address, bytes)| !warp.may_access(address as u64, bytes)) {
                return Ok(mask);
            }
            let Some(places) = self.places(warp, texture.source.linear) else { return Ok(mask) };
            Ok(plan.sample(&places, results) & mask)
        }
    }

    /// Samples lane by lane.
    unsafe fn one_by_one(&self, warp: &Warp, lanes: u32, results: &mut [[u32; LANES]; 4]) -> Result<(), Fault> {
        // SAFETY: the contract of `Execute`; what textures lead to is guarded, and nothing is owned meanwhile.
        unsafe {
            let handles = vector::<u64>(warp, self.texture);
            let mut known: Option<(u64, TextureSource)> = None;
            let read = |at: u32| vector::<u32>(warp, at);
            // With gradients the device takes numbers of elements for the bits of places.
            let whole = self.whole && !matches!(self.detail, Detail::Gradients(..));
            for lane in 0..LANES {
                if lanes >> lane & 1 == 0 {
                    continue;
                }
                let handle = handles[lane];
                if known.as_ref().is_none_or(|k| k.0 != handle) {
                    known = match readable(warp, handle) {
                        Ok(source) => source.map(|source| (handle, source)),
                        Err(fault) => return Err(fault),
                    };
                }
                // An object that is not there gives zeros.
                let Some((_, source)) = &known else { continue };
                // Nothing is at numbers in rows with gradients.
                if self.whole && !whole && self.at.len() == 1 && self.layer.is_none() {
                    continue;
                }
                let mut request = Request {
                    at: [Coordinate::Real(0.0); 3],
                    dimensions: self.at.len(),
                    offset: [0; 3],
                    layer: self.layer.map_or(0, |at| read(at)[lane]),
                    // Elements have one sample, and only the first layer has elements then.
                    missing: self
                        .sample
                        .is_some_and(|at| read(at)[lane] != 0 || self.layer.is_some_and(|at| read(at)[lane] != 0)),
                    cube: self.cube,
                    level: Level::Real(0.0),
                    stretch: None,
                    raw_offset: 0,
                    clamps: matches!(self.detail, Detail::Level(_)),
                    gather: self.gather,
                };
                for (axis, &at) in self.at.iter().enumerate().take(3) {
                    let bits = read(at)[lane];
                    request.at[axis] =
                        if whole { Coordinate::Whole(bits as i32) } else { Coordinate::Real(f32::from_bits(bits)) };
                }
                for (axis, &at) in self.offset.iter().enumerate().take(3) {
                    // Four bits, or six to gather.
                    let unused = if self.gather.is_some() { 26 } else { 28 };
                    request.offset[axis] = (read(at)[lane] << unused) as i32 >> unused;
                    if axis == 0 {
                        request.raw_offset = read(at)[lane];
                    }
                }
                let floats = |all: &[u32]| -> [f32; 3] {
                    core::array::from_fn(|n| all.get(n).map_or(0.0, |&at| f32::from_bits(read(at)[lane])))
                };
                request.level = match &self.detail {
                    // Memory has one level.
                    Detail::Level(at) if whole && !source.linear => Level::Whole(read(*at)[lane] as i32),
                    _ if whole => Level::Whole(0),
                    Detail::None => Level::Real(0.0),
                    Detail::Base => Level::Real(f32::NEG_INFINITY),
                    Detail::Level(at) => Level::Real(f32::from_bits(read(*at)[lane])),
                    Detail::Gradients(first, second) => {
                        let (first, second) = (floats(first), floats(second));
                        let moves = moves(source, self.cube.then(|| floats(&self.at)), first, second);
                        let shape = shape_of(source, self, &moves);
                        request.stretch = shape.as_ref().and_then(|shape| shape.stretch);
                        Level::Real(shape.map_or_else(|| moves.level(), |shape| logarithm(shape.short)))
                    }
                };
                let texel = source.sample(&request);
                for (result, bits) in results.iter_mut().zip(texel) {
                    result[lane] = bits;
                }
            }
        }
        Ok(())
    }
}

/// `tex` and `tld4`.
///
/// # Safety
/// The contract of [`Execute`](crate::state::warp::Execute).
pub unsafe fn fetch(warp: &mut Warp, step: &Step) -> Flow {
    let Some(fetch) = warp.code().details.get(step.payload::<DetailOf<Fetch>>()) else { return Flow::Next };
    let mut results = [[0u32; LANES]; 4];
    // SAFETY: the contract of `Execute`.
    unsafe {
        let left = match fetch.at_once(warp, &mut results) {
            Ok(left) => left,
            Err(fault) => return Flow::Fault(fault),
        };
        if left != 0
            && let Err(fault) = fetch.one_by_one(warp, left, &mut results)
        {
            return Flow::Fault(fault);
        }
        let half = |bits: u32| Float16::nearest(f64::from(f32::from_bits(bits))).put();
        match fetch.given {
            Given::Singly => {
                for (&to, result) in fetch.to.iter().zip(&results) {
                    set_vector(warp, to, &result.map(half));
                }
            }
            Given::Words => {
                for (&to, result) in fetch.to.iter().zip(&results) {
                    set_vector(warp, to, result);
                }
            }
            Given::Halves => {
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

payload! {
    /// What `txq` and `suq` ask.
    pub enum TextureQuery {
        Width,
        Height,
        Depth,
        ArraySize,
        Levels,
        Samples,
    }
}

impl TextureQuery {
    /// The question that a modifier names.
    pub fn of(modifier: Modifier<'_>) -> Option<TextureQuery> {
        Some(match modifier {
            Modifier::Width => TextureQuery::Width,
            Modifier::Height => TextureQuery::Height,
            Modifier::Depth => TextureQuery::Depth,
            Modifier::ArraySize => TextureQuery::ArraySize,
            Modifier::NumMipmapLevels => TextureQuery::Levels,
            Modifier::NumSamples => TextureQuery::Samples,
            _ => return None,
        })
    }
}

/// The answer for an object: extents, layers and levels. Layers that are rows count as the height, others as the depth.
fn answer(question: TextureQuery, extent: [usize; 3], stack: Stack, layers: usize, levels: usize) -> u32 {
    let value = match (question, stack) {
        (TextureQuery::Width, _) => extent[0],
        (TextureQuery::Height, Stack::Rows) => layers,
        (TextureQuery::Height, _) => extent[1],
        (TextureQuery::Depth, Stack::None) => extent[2],
        (TextureQuery::Depth, Stack::Planes) => layers,
        (TextureQuery::Depth, Stack::Cubes) => layers / 6,
        (TextureQuery::Depth, _) => 0,
        (TextureQuery::ArraySize, _) => layers,
        (TextureQuery::Levels, _) => levels,
        (TextureQuery::Samples, _) => 1,
    };
    value as u32
}

payload! {
    /// `txq` or `suq`.
    pub struct Query {
        pub question: TextureQuery,
        /// Of a surface.
        pub surface: bool,
    }
}

/// `txq` and `suq`: the object in the first operand, the level in the second one.
///
/// # Safety
/// The contract of [`Execute`](crate::state::warp::Execute).
pub unsafe fn query(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let handles = vector::<u64>(warp, step.from[0]);
        let levels = vector::<u32>(warp, step.from[1]);
        let Query { question, surface } = step.payload();
        let mut results = [0; LANES];
        for (lane, result) in results.iter_mut().enumerate() {
            if warp.mask >> lane & 1 == 0 {
                continue;
            }
            if surface {
                if let Some(surface) = images(warp).surface(handles[lane]) {
                    // Faces count one by one here.
                    let stack = match surface.stack {
                        Stack::Cube | Stack::Cubes => Stack::Planes,
                        other => other,
                    };
                    *result = answer(question, surface.extent, stack, surface.layers, 1);
                }
            } else if let Ok(Some(source)) = source(warp, handles[lane]) {
                let level = levels[lane] as usize;
                if level < source.count {
                    let mut extent = source.levels[level].extent;
                    if source.flat {
                        extent[2] = 0;
                    }
                    if source.linear {
                        extent[1] = 0;
                    }
                    *result = answer(question, extent, source.stack, source.layers.1, source.count);
                }
            }
        }
        set_vector(warp, step.to[0], &results);
    }
    Flow::Next
}

payload! {
    /// What `istypep` asks for.
    pub enum ReferenceType {
        Texture,
        Sampler,
        Surface,
    }
}

/// `istypep`, by a [`ReferenceType`].
///
/// # Safety
/// The contract of [`Execute`](crate::state::warp::Execute).
pub unsafe fn is_type(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let handles = vector::<u64>(warp, step.from[0]);
        let mut bits = 0;
        for (lane, &handle) in handles.iter().enumerate() {
            // Only references have a type that a kernel could tell. Those of textures have their sampler in them.
            let wanted = match step.payload() {
                ReferenceType::Texture => Some(Reference::Texture),
                ReferenceType::Sampler => None,
                ReferenceType::Surface => Some(Reference::Surface),
            };
            let holds = wanted.is_some() && images(warp).reference(handle) == wanted;
            bits |= u32::from(holds) << lane;
        }
        set_predicate(warp, step.to[0], bits);
    }
    Flow::Next
}
