//! Matrix products of a warp: `mma`, `mma.sp`, `wmma.mma`.
//!
//! Operands are taken out of the fragments that the lanes hold, multiplied row by row, and the results are put back. Which
//! lane holds what is a table made when the module is loaded ([`layout`]); how numbers are multiplied and added is in
//! [`numbers`].

pub mod doubles;
pub mod eights;
pub mod group;
pub mod known;
pub mod layout;
pub mod moves;
pub mod numbers;
pub mod quads;
#[cfg(test)]
mod tests;
mod whole;
pub mod wide;

use crate::numeric::float::{Float16, Half};
use crate::numeric::value::{LANES, SimdLevel, Value, simd_level};
use crate::state::payload::DetailOf;
use crate::state::registers::{set_vector, vector};
use crate::state::step::Flow;
use crate::state::warp::{Step, Warp};
use known::Known;
use layout::Layout;
use numbers::{Panel, Parts, Rows, Rules};
use ptx::Modifier;
use std::cell::Cell;
use std::sync::Arc;
use wide::Wide;

/// Columns that are computed together.
pub const WIDTH: usize = 8;

/// What the elements of a matrix are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    F16,
    Bf16,
    Tf32,
    E4m3,
    E5m2,
    /// In bytes: the lower six bits, the middle four.
    E2m3,
    E3m2,
    E2m1,
    /// The same four bits, close together.
    Packed2m1,
    F32,
    F64,
    S8,
    U8,
    S4,
    U4,
    /// Bits, 32 of them together.
    B1,
    S32,
}

impl Element {
    /// The type that a modifier names.
    pub fn of(modifier: Modifier<'_>) -> Option<Element> {
        Some(match modifier {
            Modifier::F16 => Element::F16,
            Modifier::Bf16 => Element::Bf16,
            Modifier::Tf32 => Element::Tf32,
            Modifier::E4m3 => Element::E4m3,
            Modifier::E5m2 => Element::E5m2,
            Modifier::E2m3 => Element::E2m3,
            Modifier::E3m2 => Element::E3m2,
            Modifier::E2m1 => Element::E2m1,
            Modifier::F32 => Element::F32,
            Modifier::F64 => Element::F64,
            Modifier::S8 => Element::S8,
            Modifier::U8 => Element::U8,
            Modifier::S4 => Element::S4,
            Modifier::U4 => Element::U4,
            Modifier::B1 => Element::B1,
            Modifier::S32 => Element::S32,
            _ => return None,
        })
    }

    /// Bits of an element; single bits count as the words that they come in.
    pub fn bits(self) -> usize {
        match self {
            Element::S4 | Element::U4 | Element::Packed2m1 => 4,
            Element::E4m3 | Element::E5m2 | Element::S8 | Element::U8 => 8,
            Element::E2m3 | Element::E3m2 | Element::E2m1 => 8,
            Element::F16 | Element::Bf16 => 16,
            Element::Tf32 | Element::F32 | Element::S32 | Element::B1 => 32,
            Element::F64 => 64,
        }
    }

    /// Elements in a register of 32 bits (of 64 for the widest type).
    pub fn per_register(self) -> usize {
        (32 / self.bits()).max(1)
    }

    /// True for types whose products are added as floating point numbers of single precision or less.
    pub fn is_short_float(self) -> bool {
        use Element::*;
        matches!(self, F16 | Bf16 | Tf32 | E4m3 | E5m2 | E2m3 | E3m2 | E2m1 | Packed2m1 | F32)
    }

    /// Of an integer type: the value in the low bits of a word.
    pub fn integer(self, bits: u32) -> i32 {
        match self {
            Element::S8 => i32::from(bits as i8),
            Element::U8 => i32::from(bits as u8),
            Element::S4 => (bits << 28) as i32 >> 28,
            Element::U4 => (bits & 15) as i32,
            _ => bits as i32,
        }
    }
}

/// A matrix that the lanes of a warp hold together.
pub struct Fragment {
    /// What it consists of.
    pub element: Element,
    /// Byte offsets of the registers in the frame.
    pub registers: Vec<u32>,
    /// Which element is where.
    pub layout: Arc<Layout>,
}

/// Which elements of a sparse matrix are there.
pub struct Sparsity {
    /// The register with the metadata.
    pub register: u32,
    /// Of each element that is stored, where its two bits are: lane and first bit.
    pub places: Vec<(u8, u8)>,
    /// Columns of a group of which half are stored: 4, or 2.
    pub group: usize,
    /// Elements that one pair of bits is for.
    pub together: usize,
}

/// A product with its operands.
pub struct Product {
    /// Rows and columns of the result, the stored columns of `a`, and the columns of `b`.
    pub rows: usize,
    pub columns: usize,
    pub depth: usize,
    pub b_columns: usize,
    pub a: Fragment,
    pub b: Fragment,
    pub c: Fragment,
    pub d: Fragment,
    /// How products are added up.
    pub rules: Rules,
    /// For sparse products.
    pub sparsity: Option<Sparsity>,
    /// For products with scales.
    pub scales: Option<Scales>,
    /// Which code there is for it, if [`Product::recognise`] has been asked.
    pub known: Option<known::Known>,
}

impl Product {
    /// Finds out which code there is for it.
    pub fn recognise(mut self) -> Product {
        self.known = known::known(&self);
        self
    }
}

/// What blocks of the factors are multiplied by.
pub struct Scales {
    pub a: ScaleOperand,
    pub b: ScaleOperand,
    /// Blocks of a row of the left factor.
    pub blocks: usize,
    /// They are powers of two; else numbers of eight bits without a sign.
    pub powers: bool,
}

/// Where the scales of a factor are.
pub struct ScaleOperand {
    /// Words of which each has four.
    pub register: u32,
    /// The first byte that counts.
    pub byte: u32,
    /// Which lanes of each four count: two for rows of the left factor, one for columns of the right one.
    pub thread: u32,
}

/// Buffers for the operands of a product, kept from one to the next.
#[derive(Default)]
pub struct Scratch {
    pub a: Rows,
    pub b: Rows,
    /// The rows of `b` that each row of `a` meets.
    pub picks: Vec<u16>,
    pub c: Vec<u64>,
    /// For products of sixteen rows at once.
    pub wide: Wide,
    /// For products of whole numbers.
    pub whole: whole::Memory,
}

thread_local! {
    static SCRATCH: Cell<Option<Box<Scratch>>> = const { Cell::new(None) };
}

/// Runs with the thread's scratch buffers. Nothing in there may fault.
pub fn with_scratch(f: impl FnOnce(&mut Scratch)) {
    SCRATCH.with(|place| {
        let mut scratch = place.take().unwrap_or_default();
        f(&mut scratch);
        // There is nothing to drop: it was taken.
        core::mem::forget(place.replace(Some(scratch)));
    });
}

/// Calls `f` with the index in the matrix and the bits of every element of a fragment.
#[inline(always)]
unsafe fn each(warp: &Warp, fragment: &Fragment, mut f: impl FnMut(usize, u64)) {
    let (bits, per) = (fragment.element.bits(), fragment.element.per_register());
    for (number, &register) in fragment.registers.iter().enumerate() {
        // SAFETY: the contract of `Execute`: registers of the frame.
        unsafe {
            if bits == 64 {
                let words = vector::<u64>(warp, register);
                for (lane, &word) in words.iter().enumerate() {
                    f(fragment.layout.index(number, lane), word);
                }
                continue;
            }
            let words = vector::<u32>(warp, register);
            let mask = if bits == 32 { u32::MAX } else { (1 << bits) - 1 };
            for element in 0..per {
                for (lane, &word) in words.iter().enumerate() {
                    f(fragment.layout.index(number * per + element, lane), (word >> (element * bits) & mask).into());
                }
            }
        }
    }
}

/// Puts a matrix of raw elements into a fragment.
unsafe fn put(warp: &mut Warp, fragment: &Fragment, matrix: &[u64]) {
    let (bits, per) = (fragment.element.bits(), fragment.element.per_register());
    for (number, &register) in fragment.registers.iter().enumerate() {
        // SAFETY: the contract of `Execute`: registers of the frame.
        unsafe {
            if bits == 64 {
                let words: [u64; LANES] = core::array::from_fn(|lane| matrix[fragment.layout.index(number, lane)]);
                set_vector(warp, register, &words);
                continue;
            }
            let mut words = [0u32; LANES];
            for element in 0..per {
                for (lane, word) in words.iter_mut().enumerate() {
                    *word |= (matrix[fragment.layout.index(number * per + element, lane)] as u32) << (element * bits);
                }
            }
            set_vector(warp, register, &words);
        }
    }
}

/// A matrix product.
///
/// # Safety
/// The contract of [`Execute`](crate::state::warp::Execute).
pub unsafe fn product(warp: &mut Warp, step: &Step) -> Flow {
    if !warp.aligned() {
        return Flow::Held;
    }
    let Some(product) = warp.code().details.get(step.payload::<DetailOf<Product>>()) else { return Flow::Next };
    // SAFETY: the contract of `Execute`, on a machine of that level.
    let done = unsafe {
        let level = simd_level();
        match (level, product.known) {
            (_, Some(Known::Doubles { .. })) => doubles::product(warp, product, level),
            (SimdLevel::Avx512, _) => whole::product(warp, product) || quads::product(warp, product),
            (SimdLevel::Avx2, _) => eights::product(warp, product),
            _ => false,
        }
    };
    if done {
        return Flow::Next;
    }
    with_scratch(|scratch| {
        // SAFETY: the contract of `Execute`; none of this touches the program's memory.
        unsafe {
            if wide::fits(product) {
                let wide = &mut scratch.wide;
                wide.take(warp, product, true);
                wide.take(warp, product, false);
                wide.take_sums(warp, product);
                wide.multiply(product, false);
                wide.put(warp, product);
                return;
            }
            scratch.a.reset(product.a.element, product.rows, product.depth);
            each(warp, &product.a, |at, bits| scratch.a.set(product.a.element, at, bits));
            let b_rows = product.sparsity.as_ref().map_or(product.depth, |_| product.depth * 2);
            scratch.b.reset(product.b.element, b_rows, product.b_columns);
            each(warp, &product.b, |at, bits| scratch.b.set(product.b.element, at, bits));
            scratch.c.clear();
            scratch.c.resize(product.rows * product.columns, 0);
            let c = &mut scratch.c;
            each(warp, &product.c, |at, bits| c[at] = widen(product.c.element, bits));
            if let Rules::Short { parts: Parts::Pairs, .. } = product.rules {
                scratch.a.as_halves();
                scratch.b.as_halves();
            }
            if let Some(scales) = &product.scales {
                scales.apply(warp, product, scratch);
            }
            if let Some(sparsity) = &product.sparsity {
                sparsity.choose(&vector::<u32>(warp, sparsity.register), product, scratch);
            }
            multiply(product, scratch);
            put(warp, &product.d, &scratch.c);
        }
    });
    Flow::Next
}

/// Accumulators are kept as f32, f64 or integers.
fn widen(element: Element, bits: u64) -> u64 {
    match element {
        Element::F16 => Float16::get(bits as u32).to_f32().to_bits().into(),
        _ => bits,
    }
}

/// `c = a * b + c`, all in the scratch buffers; `c` ends in the type of `d`.
fn multiply(product: &Product, scratch: &mut Scratch) {
    // Small products that share the registers: each eight rows of the left factor have columns of their own.
    let quads = product.b_columns > product.columns;
    let Scratch { a, b, picks, c, .. } = scratch;
    let depth = product.depth;
    for panel in 0..product.columns / WIDTH {
        for row in 0..product.rows {
            let picks = product.sparsity.as_ref().map(|_| &picks[row * depth..(row + 1) * depth]);
            let at = row * product.columns + panel * WIDTH;
            let Some(cells) = c.get_mut(at..at + WIDTH) else { continue };
            let first = if quads { row / WIDTH } else { panel } * WIDTH;
            let view = Panel { rows: b, columns: product.b_columns, first, picks };
            numbers::dot(&product.rules, a, row * depth, depth, &view, cells);
        }
    }
}

impl Scales {
    /// Multiplies the factors.
    ///
    /// # Safety
    /// The contract of [`Execute`](crate::state::warp::Execute).
    unsafe fn apply(&self, warp: &Warp, product: &Product, scratch: &mut Scratch) {
        let first = warp.mask.trailing_zeros() as usize & 31;
        // SAFETY: the contract of `Execute`.
        let words = |place: u32| unsafe { vector::<u32>(warp, place) };
        let (depth, columns) = (product.depth, product.b_columns);
        let part = |operand: &ScaleOperand| {
            (words(operand.register), words(operand.byte)[first] as usize, words(operand.thread)[first] as usize)
        };
        let (all, byte, thread) = part(&self.a);
        for at in 0..product.rows * depth {
            let (row, block) = (at / depth, at % depth * self.blocks / depth);
            let lane = row % 8 * 4 + thread % 2 * 2 + row / 8 % 2;
            scratch.a.scale(at, all[lane] >> ((byte + block) % 4 * 8) & 0xff, self.powers);
        }
        let (all, byte, thread) = part(&self.b);
        let rows = if product.sparsity.is_some() { depth * 2 } else { depth };
        for at in 0..rows * columns {
            let (block, column) = (at / columns * self.blocks / rows, at % columns);
            let lane = column % 8 * 4 + thread % 4;
            scratch.b.scale(at, all[lane] >> ((byte + block) % 4 * 8) & 0xff, self.powers);
        }
    }
}

impl Sparsity {
    /// Which row of `b` each stored element of `a` meets.
    fn choose(&self, words: &[u32; LANES], product: &Product, scratch: &mut Scratch) {
        let (depth, picks) = (product.depth, &mut scratch.picks);
        picks.clear();
        if self.group == 2 {
            return self.choose_halves(words, product, scratch);
        }
        for (at, &(lane, bit)) in self.places.iter().enumerate() {
            let column = at % depth;
            let (pair, within) = (column / self.together, column % self.together);
            let code = (words[lane as usize & 31] >> bit & 3) as usize;
            picks.push(((pair / 2 * 4 + code) * self.together + within) as u16);
        }
    }

    /// Of two numbers of 32 bits, two pairs of bits name the halves of the one that is taken: 0 and 1, or 2 and 3. Other halves
    /// make numbers of their own, in rows behind those of `b`.
    fn choose_halves(&self, words: &[u32; LANES], product: &Product, scratch: &mut Scratch) {
        let rows = 2 * product.depth;
        let mut mixed = false;
        for (at, &(lane, bit)) in self.places.iter().enumerate() {
            let (column, code) = (at % product.depth, (words[lane as usize & 31] >> bit & 15) as usize);
            scratch.picks.push(match code {
                0b0100 => 2 * column,
                0b1110 => 2 * column + 1,
                _ => {
                    mixed = true;
                    rows + column * 16 + code
                }
            } as u16);
        }
        if mixed {
            scratch.b.mix_halves(product.b.element, rows, product.b_columns);
        }
    }
}
