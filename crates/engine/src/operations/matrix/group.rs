//! `wgmma`: products of four warps, with factors in shared memory.
//!
//! Each warp computes its sixteen rows when it comes to the instruction: what lies in shared memory has to be there by
//! then, and results may be there early, so that fences, commits and waits have nothing to do.

use super::layout::Layout;
use super::wide::place_of;
use super::{Element, Product, Scratch, WIDTH, each, multiply, put, wide, widen, with_scratch};
use crate::operations::memory::{Shared, Window};
use crate::state::fault::Fault;
use crate::state::payload::DetailOf;
use crate::state::registers::{predicate, vector};
use crate::state::step::Flow;
use crate::state::warp::{Step, Warp};

/// A product of a warpgroup: the rows of one warp, and where the factors are.
pub struct GroupProduct {
    /// The product. The left factor has no registers where it lies in shared memory; the right factor never has.
    pub product: Product,
    /// The register with the descriptor of the left factor.
    pub a: Option<u32>,
    /// The register with the descriptor of the right factor.
    pub b: u32,
    /// The predicate that says whether something is added, and what it is turned by.
    pub keep: (u32, u32),
    /// Factors whose signs are turned.
    pub negative: bool,
    /// Factors that lie in memory with their other dimension first.
    pub turned: [bool; 2],
}

/// A matrix in shared memory, as its descriptor has it.
#[derive(Clone, Copy)]
struct Descriptor {
    start: u64,
    leading: u64,
    stride: u64,
    /// Bytes of a row that is swizzled: 128, 64, 32, or 16 for none.
    width: u64,
    /// Rows of 128 bytes by which the pattern of the swizzle is late.
    late: u64,
}

impl Descriptor {
    fn new(bits: u64) -> Descriptor {
        let field = |at: u32| (bits >> at & 0x3fff) << 4;
        let width = [16, 128, 64, 32][(bits >> 62) as usize];
        Descriptor { start: field(0), leading: field(16), stride: field(32), width, late: bits >> 49 & 7 }
    }

    /// Where an element is: `i` along rows of the left or columns of the right factor, `k` along the sum.
    fn place(&self, i: usize, k: usize, bytes: usize, turned: bool) -> u64 {
        let (i, k, bytes) = (i as u64, k as u64, bytes as u64);
        let address = if turned {
            let across = self.width / bytes;
            let (first, second) =
                if self.width == 16 { (self.stride, self.leading) } else { (self.leading, self.stride) };
            i / across * first + k / 8 * second + k % 8 * self.width + i % across * bytes
        } else {
            // What is wider than the pattern of a swizzle goes on as without one.
            let (column, width) = (k * bytes, self.width);
            i / 8 * self.stride + i % 8 * width + column / width * self.leading + column % width
        };
        let address = self.start + address;
        // Pieces of 16 bytes change places from row to row.
        address ^ ((address >> 7).wrapping_sub(self.late) & (self.width / 16 - 1)) << 4
    }
}

/// Bytes that lie beside each other, whatever the swizzle.
const PIECE: usize = 16;

/// Takes a factor out of shared memory: calls `set` with `i`, `k` and the bits of all elements of `count` rows (or columns) from
/// `first` on.
unsafe fn fetch(
    warp: &Warp,
    element: Element,
    bits: u64,
    (first, count, depth): (usize, usize, usize),
    turned: bool,
    mut set: impl FnMut(usize, usize, u32),
) -> Result<(), Fault> {
    let descriptor = Descriptor::new(bits);
    let bytes = element.bits() / 8;
    let per = PIECE / bytes;
    // A piece goes along rows, or columns, of which there are whole pieces.
    let (across, along) = if turned { (depth, count) } else { (count, depth) };
    for outer in 0..across {
        for piece in (0..along).step_by(per) {
            let (i, k) = if turned { (piece, outer) } else { (outer, piece) };
            let address = descriptor.place(first + i, k, bytes, turned);
            // SAFETY: inside of the block's shared memory, or refused.
            let value = unsafe { (Shared::translate(warp, 0, address, PIECE)? as *const [u8; PIECE]).read_unaligned() };
            let word = u128::from_le_bytes(value);
            for n in 0..per {
                let (i, k) = if turned { (i + n, k) } else { (i, k + n) };
                let mask = if bytes == 4 { u32::MAX } else { (1 << (8 * bytes)) - 1 };
                set(i, k, (word >> (8 * bytes * n)) as u32 & mask);
            }
        }
    }
    Ok(())
}

/// `wgmma.mma_async`: number `number` of the function.
///
/// # Safety
/// The contract of [`Execute`](crate::state::warp::Execute).
pub unsafe fn product(warp: &mut Warp, step: &Step) -> Flow {
    if !warp.aligned() {
        return Flow::Held;
    }
    let Some(group) = warp.code().details.get(step.payload::<DetailOf<GroupProduct>>()) else { return Flow::Next };
    let mut flow = Flow::Next;
    with_scratch(|scratch| {
        // SAFETY: the contract of `Execute`; shared memory belongs to the block.
        if let Err(fault) = unsafe { group.run(warp, scratch) } {
            flow = Flow::Fault(fault);
        }
    });
    flow
}

impl GroupProduct {
    unsafe fn run(&self, warp: &mut Warp, scratch: &mut Scratch) -> Result<(), Fault> {
        let product = &self.product;
        let lane = warp.mask.trailing_zeros() as usize & 31;
        let (left, right) = (product.a.element, product.b.element);
        let depth = product.depth * if product.sparsity.is_some() { 2 } else { 1 };
        let extent_of_right = (0, product.columns, depth);
        // SAFETY: the contract of `Execute`.
        unsafe {
            let descriptor = |register: u32| vector::<u64>(warp, register)[lane];
            let extent_of_left = (warp.index as usize % 4 * product.rows, product.rows, product.depth);
            let keeps = (predicate(warp, self.keep.0) ^ self.keep.1) >> lane & 1 != 0;
            if wide::fits(product) {
                let wide = &mut scratch.wide;
                if let Some(register) = self.a {
                    let (a, rows) = (&mut wide.a, product.rows);
                    a.reset(left, rows * depth);
                    fetch(warp, left, descriptor(register), extent_of_left, self.turned[0], |i, k, bits| {
                        a.set(left, place_of(left, rows, i, k), bits);
                    })?;
                } else {
                    wide.take(warp, product, true);
                }
                let (b, columns) = (&mut wide.b, product.columns);
                b.reset(right, columns * depth);
                fetch(warp, right, descriptor(self.b), extent_of_right, self.turned[1], |j, k, bits| {
                    b.set(right, place_of(right, columns, j, k), bits);
                })?;
                if keeps {
                    wide.take_sums(warp, product);
                } else {
                    wide.clear(product);
                }
                wide.multiply(product, self.negative);
                wide.put(warp, product);
                return Ok(());
            }
            let Scratch { a, b, c, .. } = scratch;
            a.reset(left, product.rows, product.depth);
            if let Some(register) = self.a {
                fetch(warp, left, descriptor(register), extent_of_left, self.turned[0], |i, k, bits| {
                    a.set(left, i * product.depth + k, bits.into());
                })?;
            } else {
                each(warp, &product.a, |at, bits| a.set(left, at, bits));
            }
            if self.negative {
                a.negate();
            }
            b.reset(right, depth, product.columns);
            fetch(warp, right, descriptor(self.b), extent_of_right, self.turned[1], |j, k, bits| {
                b.set(right, k * product.columns + j, bits.into());
            })?;
            c.clear();
            c.resize(product.rows * product.columns, 0);
            if keeps {
                each(warp, &product.c, |at, bits| c[at] = widen(product.c.element, bits));
            }
            if let Some(sparsity) = &product.sparsity {
                sparsity.choose(&vector::<u32>(warp, sparsity.register), product, scratch);
            }
            multiply(product, scratch);
            put(warp, &product.d, &scratch.c);
        }
        Ok(())
    }
}

/// The layout of nothing.
pub fn no_layout() -> std::sync::Arc<Layout> {
    Layout::of(super::layout::Key {
        role: super::layout::Role::C,
        element: Element::F32,
        rows: 8,
        columns: WIDTH,
        form: super::layout::Form::Plain,
    })
}
