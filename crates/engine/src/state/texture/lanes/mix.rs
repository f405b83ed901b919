//! What elements stand for, alone and mixed, for all lanes. [`Format`](crate::state::texture::texel::Format) says the same for one.

use super::axis::Axis;
use super::plan::{Kind, Plan};
use super::texels::Texels;
use crate::numeric::float::{Float16, Half};
use crate::numeric::value::LANES;
use crate::state::texture::srgb;
use crate::state::texture::texel::nearest_away;

/// 256ths of the elements around a place.
type Weights<const COUNT: usize> = [[i32; LANES]; COUNT];

#[inline(always)]
pub fn weights_of_row(axes: &[Axis; 3]) -> Weights<2> {
    let mut weights = [[0; LANES]; 2];
    for lane in 0..LANES {
        let x = axes[0].fraction[lane];
        (weights[0][lane], weights[1][lane]) = (256 - x, x);
    }
    weights
}

#[inline(always)]
pub fn weights_of_plane(axes: &[Axis; 3]) -> Weights<4> {
    let mut weights = [[0; LANES]; 4];
    for lane in 0..LANES {
        let all = plane(256, axes[0].fraction[lane], axes[1].fraction[lane]);
        for n in 0..4 {
            weights[n][lane] = all[n];
        }
    }
    weights
}

#[inline(always)]
pub fn weights_of_space(axes: &[Axis; 3]) -> Weights<8> {
    let mut weights = [[0; LANES]; 8];
    for lane in 0..LANES {
        let [x, y, z] = [0, 1, 2].map(|n: usize| axes[n].fraction[lane]);
        let (near, far) = (plane(256 - z, x, y), plane(z, x, y));
        for n in 0..4 {
            (weights[n][lane], weights[n + 4][lane]) = (near[n], far[n]);
        }
    }
    weights
}

/// The weights of four elements, which add up to `all`.
#[inline(always)]
fn plane(all: i32, x: i32, y: i32) -> [i32; 4] {
    let next = (all * x + 128) >> 8;
    let here = all - next;
    let (upper, next_upper) = ((here * y + 127) >> 8, (next * y + 128) >> 8);
    [here - upper, next - next_upper, upper, next_upper]
}

/// Components that are integers in memory.
trait Whole {
    /// Out of a word.
    fn value(word: u32, shift: u32) -> i32;
    /// What one stands for.
    fn alone(value: i32) -> u32;
    /// What a mixture stands for, of 256ths.
    fn mixed(sum: i32) -> u32;
}

macro_rules! whole {
    ($($name:ident, $value:expr, $alone:expr, $mixed:expr;)*) => {
        $(struct $name;
        impl Whole for $name {
            #[inline(always)]
            fn value(word: u32, shift: u32) -> i32 {
                let value: fn(u32) -> i32 = $value;
                value(word >> shift)
            }
            #[inline(always)]
            fn alone(value: i32) -> u32 {
                let alone: fn(i32) -> u32 = $alone;
                alone(value)
            }
            #[inline(always)]
            fn mixed(sum: i32) -> u32 {
                let mixed: fn(i32) -> u32 = $mixed;
                mixed(sum)
            }
        })*
    };
}

/// A part of the largest number.
#[inline(always)]
fn part(value: i32, largest: i32) -> u32 {
    (value as f32 / largest as f32).to_bits()
}

whole! {
    Unsigned8, |w| i32::from(w as u8), |v| part(v, 255), |s| part((s * 0x101 + 128) >> 8, 65535);
    Unsigned16, |w| i32::from(w as u16), |v| part(v, 65535), |s| part((s + 128) >> 8, 65535);
    // Of eight bits a step is 258 and a 128th.
    Signed8, |w| i32::from(w as i8), |v| part(v.max(-127), 127), |s| part(((s * 33025 + (1 << 14)) >> 15).max(-32767), 32767);
    Signed16, |w| i32::from(w as i16), |v| part(v.max(-32767), 32767), |s| part(((s + 128) >> 8).max(-32767), 32767);
    Natural8, |w| i32::from(w as u8), |v| v as u32, |s| ((s + 128) >> 8) as u32;
    Natural16, |w| i32::from(w as u16), |v| v as u32, |s| ((s + 128) >> 8) as u32;
    Integer8, |w| i32::from(w as i8), |v| v as u32, |s| ((s + 128) >> 8) as u32;
    Integer16, |w| i32::from(w as i16), |v| v as u32, |s| ((s + 128) >> 8) as u32;
}

/// Components that are real when they are mixed.
trait Real {
    /// Out of a word.
    fn value(word: u32, shift: u32) -> f32;
    /// Power of two of the step that a number that is not 0, with an exponent, is counted in.
    fn step(word: u32, shift: u32, exponent: i64) -> i64;
    /// What a mixture stands for.
    fn mixed(sum: f64) -> f32;
}

struct Single;
struct Brief;
struct Curved;

impl Real for Single {
    #[inline(always)]
    fn value(word: u32, _: u32) -> f32 {
        f32::from_bits(word)
    }
    #[inline(always)]
    fn step(_: u32, _: u32, exponent: i64) -> i64 {
        exponent - 27
    }
    #[inline(always)]
    fn mixed(sum: f64) -> f32 {
        nearest_away(sum)
    }
}

impl Real for Brief {
    #[inline(always)]
    fn value(word: u32, shift: u32) -> f32 {
        Float16((word >> shift) as u16).to_f32()
    }
    #[inline(always)]
    fn step(_: u32, _: u32, exponent: i64) -> i64 {
        exponent - 14
    }
    #[inline(always)]
    fn mixed(sum: f64) -> f32 {
        half(sum)
    }
}

impl Real for Curved {
    #[inline(always)]
    fn value(word: u32, shift: u32) -> f32 {
        srgb::linear((word >> shift) as u8)
    }
    #[inline(always)]
    fn step(word: u32, shift: u32, _: i64) -> i64 {
        srgb::step((word >> shift) as u8).into()
    }
    #[inline(always)]
    fn mixed(sum: f64) -> f32 {
        half(sum)
    }
}

/// The nearest number of half precision; halves of a step go away from zero.
#[inline(always)]
fn half(sum: f64) -> f32 {
    let x = (sum * (1.0 + f64::EPSILON)).abs();
    // A number that large leaves no bits behind those that remain.
    let exponent = x.to_bits() >> 52;
    let least = 1023 - 14;
    let exponent = if exponent < least { least } else { exponent };
    let large = f64::from_bits((exponent + 52 - 10) << 52);
    let rounded = (x + large) - large;
    let rounded = if rounded >= 65536.0 { f64::INFINITY } else { rounded };
    rounded.copysign(sum) as f32
}

/// Two to a power that a double has.
#[inline(always)]
fn power(n: i64) -> f64 {
    f64::from_bits(((n + 1023) as u64) << 52)
}

/// Below the step of any number.
const NO_STEP: i64 = -300;

/// The sum of up to four components times their weights, each cut off some bits behind the point of the largest.
#[inline(always)]
fn aligned<R: Real, const COUNT: usize>(
    words: &[[u32; LANES]; COUNT],
    weights: &Weights<COUNT>,
    lane: usize,
    first: usize,
    shift: u32,
) -> f64 {
    let last = if COUNT < first + 4 { COUNT } else { first + 4 };
    let (mut values, mut step) = ([0f64; 4], NO_STEP);
    for n in first..last {
        let x = f64::from(R::value(words[n][lane], shift));
        let counts = weights[n][lane] != 0 && x != 0.0;
        values[n - first] = if counts { x } else { 0.0 };
        let own = R::step(words[n][lane], shift, (x.to_bits() >> 52 & 0x7ff) as i64 - 1023);
        let own = if counts { own } else { NO_STEP };
        step = if own > step { own } else { step };
    }
    // Where there is nothing to cut off, that changes nothing.
    let (up, down) = (power(-step), power(step));
    let mut sum = 0.0;
    for n in first..last {
        sum += (values[n - first] * up).trunc() * down * f64::from(weights[n][lane]);
    }
    sum
}

/// The words of a component.
#[inline(always)]
unsafe fn words<'a, const COUNT: usize>(texels: *const Texels, word: usize) -> &'a [[u32; LANES]; COUNT] {
    // SAFETY: the caller has read them.
    unsafe { &*texels.cast::<[[u32; LANES]; 8]>().add(word).cast() }
}

#[inline(always)]
fn map(words: &[[u32; LANES]; 1], to: &mut [u32; LANES], f: impl Fn(u32) -> u32) {
    for lane in 0..LANES {
        to[lane] = f(words[0][lane]);
    }
}

#[inline(always)]
fn mix_whole<W: Whole, const COUNT: usize>(
    words: &[[u32; LANES]; COUNT],
    weights: &Weights<COUNT>,
    shift: u32,
    to: &mut [u32; LANES],
) {
    for lane in 0..LANES {
        let mut sum = 0;
        for n in 0..COUNT {
            sum += W::value(words[n][lane], shift) * weights[n][lane];
        }
        to[lane] = W::mixed(sum);
    }
}

/// Gives whether some mixture is no number.
#[inline(always)]
fn mix_real<R: Real, const COUNT: usize>(
    words: &[[u32; LANES]; COUNT],
    weights: &Weights<COUNT>,
    shift: u32,
    to: &mut [u32; LANES],
) -> bool {
    let mut wrong = 0;
    for lane in 0..LANES {
        let mut sum = aligned::<R, COUNT>(words, weights, lane, 0, shift);
        if COUNT > 4 {
            sum += aligned::<R, COUNT>(words, weights, lane, 4, shift);
        }
        let mixed = R::mixed(sum * (1.0 / 256.0));
        wrong |= u32::from(mixed.is_nan());
        to[lane] = mixed.to_bits();
    }
    wrong != 0
}

impl Plan {
    /// The word and the shift of a component.
    #[inline(always)]
    fn place(&self, component: usize) -> (usize, u32) {
        let bytes = self.bytes / self.channels;
        (component * bytes / 4, (component * bytes % 4 * 8) as u32)
    }

    /// What single elements stand for. Gives the lanes that are still to be done: none.
    ///
    /// # Safety
    /// The first elements have been read.
    #[inline(always)]
    pub(super) unsafe fn alone(&self, texels: *const Texels, results: &mut [[u32; LANES]; 4]) -> u32 {
        for component in 0..self.channels {
            let (word, shift) = self.place(component);
            // SAFETY: the contract of this function.
            let words = unsafe { words::<1>(texels, word) };
            let to = &mut results[component];
            macro_rules! each {
                ($name:ident) => {
                    map(words, to, |word| $name::alone($name::value(word, shift)))
                };
            }
            match self.kind {
                _ if component < self.curved => map(words, to, |word| Curved::value(word, shift).to_bits()),
                Kind::Unsigned8 => each!(Unsigned8),
                Kind::Unsigned16 => each!(Unsigned16),
                Kind::Signed8 => each!(Signed8),
                Kind::Signed16 => each!(Signed16),
                Kind::Natural8 => each!(Natural8),
                Kind::Natural16 => each!(Natural16),
                Kind::Integer8 => each!(Integer8),
                Kind::Integer16 => each!(Integer16),
                Kind::Word | Kind::Single => *to = words[0],
                Kind::Half => map(words, to, |word| Brief::value(word, shift).to_bits()),
            }
        }
        0
    }

    /// Mixes elements. Gives the lanes that are still to be done: those with a mixture that is no number.
    ///
    /// # Safety
    /// `COUNT` elements have been read.
    #[inline(always)]
    pub(super) unsafe fn mix<const COUNT: usize>(
        &self,
        texels: *const Texels,
        weights: &Weights<COUNT>,
        results: &mut [[u32; LANES]; 4],
    ) -> u32 {
        let mut wrong = false;
        for component in 0..self.channels {
            let (word, shift) = self.place(component);
            // SAFETY: the contract of this function.
            let words = unsafe { words::<COUNT>(texels, word) };
            let to = &mut results[component];
            match self.kind {
                _ if component < self.curved => wrong |= mix_real::<Curved, COUNT>(words, weights, shift, to),
                Kind::Unsigned8 => mix_whole::<Unsigned8, COUNT>(words, weights, shift, to),
                Kind::Unsigned16 => mix_whole::<Unsigned16, COUNT>(words, weights, shift, to),
                Kind::Signed8 => mix_whole::<Signed8, COUNT>(words, weights, shift, to),
                Kind::Signed16 => mix_whole::<Signed16, COUNT>(words, weights, shift, to),
                Kind::Natural8 => mix_whole::<Natural8, COUNT>(words, weights, shift, to),
                Kind::Natural16 => mix_whole::<Natural16, COUNT>(words, weights, shift, to),
                Kind::Integer8 => mix_whole::<Integer8, COUNT>(words, weights, shift, to),
                Kind::Integer16 => mix_whole::<Integer16, COUNT>(words, weights, shift, to),
                // These are done lane by lane.
                Kind::Word => {}
                Kind::Half => wrong |= mix_real::<Brief, COUNT>(words, weights, shift, to),
                Kind::Single => wrong |= mix_real::<Single, COUNT>(words, weights, shift, to),
            }
        }
        if !wrong {
            return 0;
        }
        let mut mask = 0;
        for result in &results[..self.channels] {
            for (lane, &bits) in result.iter().enumerate() {
                mask |= u32::from(f32::from_bits(bits).is_nan()) << lane;
            }
        }
        mask
    }
}
