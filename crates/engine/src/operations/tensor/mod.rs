//! Copies of boxes of tensors between global and shared memory, as a descriptor says.

pub mod descriptor;
mod walk;

use crate::numeric::value::LANES;
use crate::operations::asynchronous::{Change, complete, targets};
use crate::operations::memory::translate;
use crate::operations::team::Team;
use crate::state::fault::Fault;
use crate::state::payload::{DetailOf, payload};
use crate::state::registers::vector;
use crate::state::step::Flow;
use crate::state::warp::{Step, Warp};
use descriptor::{Descriptor, MOST, MOST_INNER, Order, WORDS};
use ptx::AtomicOperation;
use ptx::Type;
use walk::{PIECE, Piece, Walk};

/// What a copy does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// To shared memory.
    Load,
    /// To global memory.
    Store,
    /// Into what is in global memory.
    Reduce(AtomicOperation),
    /// Nothing that could be seen.
    Prefetch,
}

/// `cp.async.bulk.tensor` and its like. Registers: the vectors of a frame.
pub struct TensorCopy {
    pub what: What,
    /// The descriptor is for im2col in this order.
    pub columns: Option<Order>,
    /// Four rows, whose numbers stand behind the first column: they are gathered or scattered.
    pub rows: bool,
    /// Address of the descriptor.
    pub map: u32,
    /// Address in shared memory.
    pub memory: u32,
    /// Address of the barrier of a load.
    pub barrier: u32,
    /// The blocks that a load goes to.
    pub blocks: Option<u32>,
    /// Coordinates.
    pub origin: Vec<u32>,
    /// Of im2col: what is added to the places of pixels. Along the width alone: pixels of the halo, and what is added to the width.
    pub offsets: Vec<u32>,
}

/// Alignment of boxes in shared memory.
const ALIGNED: u64 = 128;

/// A tensor copy: number `number` of the function.
///
/// # Safety
/// The contract of [`Execute`](crate::state::warp::Execute).
pub unsafe fn copy(warp: &mut Warp, step: &Step) -> Flow {
    let Some(copy) = warp.code().details.get(step.payload::<DetailOf<TensorCopy>>()) else { return Flow::Next };
    for lane in (0..LANES).filter(|&l| warp.mask >> l & 1 != 0) {
        // SAFETY: the contract of `Execute`; what an address leads to is guarded.
        if let Err(fault) = unsafe { copy.run(warp, lane) } {
            return Flow::Fault(fault);
        }
    }
    Flow::Next
}

/// What a copy covers: bytes in shared memory, and runs of bytes of the tensor.
pub struct Covered {
    pub bytes: u64,
    pub rows: Vec<(u64, u64)>,
}

impl TensorCopy {
    /// Its descriptor, and where it begins; `None` for a descriptor that is none or of another kind. The caller has checked that
    /// the descriptor can be accessed.
    unsafe fn begin(&self, warp: &Warp, lane: usize) -> Option<(Descriptor, [i32; MOST], [u16; MOST_INNER])> {
        // SAFETY: the contract of `Execute`; the descriptor is guarded.
        unsafe {
            let narrow = |at: u32| vector::<u32>(warp, at)[lane];
            let words = (vector::<u64>(warp, self.map)[lane] as *const [u64; WORDS]).read_volatile();
            let descriptor = Descriptor::unpack(&words)?;
            let rank = if self.rows { 2 } else { self.origin.len() };
            if descriptor.rank as usize != rank || descriptor.columns.map(|columns| columns.order) != self.columns {
                return None;
            }
            // Rows come one by one.
            if self.rows && descriptor.extent[1] != 1 {
                return None;
            }
            let origin = core::array::from_fn(|axis| self.origin.get(axis).map_or(0, |&at| narrow(at) as i32));
            let offsets = core::array::from_fn(|axis| self.offsets.get(axis).map_or(0, |&at| narrow(at) as u16));
            Some((descriptor, origin, offsets))
        }
    }

    /// The boxes of the copy: where each begins.
    fn boxes(&self, origin: [i32; MOST]) -> impl Iterator<Item = [i32; MOST]> + Clone {
        let all = if self.rows { origin.len() - 1 } else { 1 };
        let rows = self.rows;
        (1..=all).map(move |n| if rows { [origin[0], origin[n], 0, 0, 0] } else { origin })
    }

    /// What the copy of a lane covers; `None` where the copy itself will fail.
    ///
    /// # Safety
    /// The contract of [`Execute`](crate::state::warp::Execute); the descriptor is readable.
    pub unsafe fn covered(&self, warp: &Warp, lane: usize) -> Option<Covered> {
        // SAFETY: the same contract.
        let (descriptor, origin, offsets) = unsafe { self.begin(warp, lane) }?;
        // No block has room for more.
        let size = descriptor.element_bytes() as u64;
        let mut rows: Vec<(u64, u64)> = Vec::new();
        let mut all = 0;
        for origin in self.boxes(origin) {
            let walk = Walk::new(&descriptor, origin, offsets).filter(|walk| walk.span() <= 1 << 20)?;
            all += walk.span();
            walk.pieces(|Piece { address, inside: (first, end), .. }| {
                // A piece that begins inside is written to its end.
                let (skip, until) = match self.what {
                    What::Load => (u64::from(first) * size, u64::from(end) * size),
                    _ => (0, if first < end { PIECE.into() } else { 0 }),
                };
                let (address, bytes) = (address.wrapping_add(skip), until.saturating_sub(skip));
                match rows.last_mut() {
                    Some((start, run)) if start.wrapping_add(*run) == address => *run += bytes,
                    _ if bytes > 0 => rows.push((address, bytes)),
                    _ => {}
                }
            });
        }
        Some(Covered { bytes: all, rows })
    }

    unsafe fn run(&self, warp: &Warp, lane: usize) -> Result<(), Fault> {
        let illegal = Fault::IllegalInstruction;
        // SAFETY: the contract of `Execute`; what an address leads to is guarded.
        unsafe {
            let wide = |at: u32| vector::<u64>(warp, at)[lane];
            let narrow = |at: u32| vector::<u32>(warp, at)[lane];
            let map = wide(self.map);
            if !map.is_multiple_of(8) {
                return Err(Fault::Misaligned);
            }
            translate(warp, lane, map, WORDS * 8, false)?;
            let (descriptor, origin, offsets) = self.begin(warp, lane).ok_or(illegal)?;
            let walks: Option<Vec<Walk<'_>>> =
                self.boxes(origin).map(|origin| Walk::new(&descriptor, origin, offsets)).collect();
            let walks = walks.ok_or(illegal)?;
            if self.what == What::Prefetch {
                return Ok(());
            }
            let shared = wide(self.memory);
            if !shared.is_multiple_of(ALIGNED) {
                return Err(Fault::Misaligned);
            }
            // The whole box has to be inside of the block's shared memory: then each piece is.
            let span = walks.iter().map(|walk| walk.span() as usize).sum();
            let operation = match self.what {
                What::Load => {
                    let blocks = self.blocks.map(|at| narrow(at) & 0xffff);
                    for target in targets(shared, blocks) {
                        let base = translate(warp, lane, target, span, true)?;
                        let mut behind = 0;
                        for walk in &walks {
                            load(warp, &descriptor, walk, target as u32 + behind, base + u64::from(behind))?;
                            behind += walk.span() as u32;
                        }
                    }
                    for barrier in targets(wide(self.barrier), blocks) {
                        complete(warp, lane, barrier, walks.iter().map(|walk| walk.bytes() as u32).sum(), true)?;
                    }
                    return Ok(());
                }
                What::Reduce(operation) => Some(operation),
                _ => None,
            };
            let change = change(&descriptor, operation).ok_or(illegal)?;
            // Only reads may begin before the tensor does.
            if origin.iter().any(|&place| place < 0) || !walks.iter().all(Walk::is_writable) {
                return Err(illegal);
            }
            let base = translate(warp, lane, shared, span, true)?;
            let mut strays = false;
            let mut behind = 0;
            let mut team = Team::new(true);
            for walk in &walks {
                walk.pieces(|Piece { offset, address, inside: (first, end) }| {
                    // A piece that begins inside is written to its end.
                    if first >= end || strays {
                        return;
                    }
                    let from = base + u64::from(behind + mixed(walk, shared as u32 + behind, offset));
                    let put = |at| change.apply_all(at, from, PIECE as usize);
                    if warp.may_access(address, PIECE as usize) {
                        put(address);
                    } else if operation.is_none()
                        && let Ok(places) = team.places(warp, address, PIECE.into())
                    {
                        places.for_each(put);
                    } else {
                        strays = true;
                    }
                });
                behind += walk.span() as u32;
            }
            if strays { Err(Fault::IllegalAddress) } else { Ok(()) }
        }
    }
}

/// Where a piece is in a box that begins at an offset of shared memory: which bits are mixed depends on the latter.
fn mixed(walk: &Walk, start: u32, offset: u32) -> u32 {
    offset ^ walk.mixed(start.wrapping_add(offset))
}

/// Fills the box that begins at offset `start` of shared memory, which is at `base`.
unsafe fn load(warp: &Warp, descriptor: &Descriptor, walk: &Walk, start: u32, base: u64) -> Result<(), Fault> {
    let size = descriptor.element_bytes();
    // Whatever the type.
    let outside = if descriptor.nan { 0x7ff7_7ff7_7ff7_7ff7_7ff7_7ff7_7ff7_7ff7 } else { 0u128 };
    let rounds = matches!(descriptor.ty, TF32 | TF32_FTZ);
    let mut strays = false;
    walk.pieces(|Piece { offset, address, inside: (first, end) }| {
        let mut piece = outside.to_le_bytes();
        let (from, to) = (first as usize * size, end as usize * size);
        let source = address.wrapping_add(from as u64);
        strays |= from < to && !warp.may_access(source, to - from);
        // SAFETY: the step runs inside `guard::run`; the box is inside of shared memory.
        unsafe {
            if from < to && !strays {
                let source = source as *const u8;
                core::ptr::copy_nonoverlapping(source, piece.as_mut_ptr().add(from), to - from);
            }
            if rounds {
                for word in piece[from..to.max(from)].as_chunks_mut::<4>().0 {
                    *word = rounded(u32::from_le_bytes(*word)).to_le_bytes();
                }
            }
            let at = base + u64::from(mixed(walk, start, offset));
            core::ptr::copy_nonoverlapping(piece.as_ptr(), at as *mut u8, PIECE as usize);
        }
    });
    if strays { Err(Fault::IllegalAddress) } else { Ok(()) }
}

/// `CU_TENSOR_MAP_DATA_TYPE_*`.
const FLOAT32_FTZ: u32 = 10;
const TF32: u32 = 11;
const TF32_FTZ: u32 = 12;

/// An f32 as a number of 19 bits, to the nearest even one.
fn rounded(bits: u32) -> u32 {
    if f32::from_bits(bits).is_nan() {
        return 0x7fff_e000;
    }
    (bits + 0xfff + (bits >> 13 & 1)) & !0x1fff
}

/// How a store or a reduction changes an element; `None` for those that are not defined.
fn change(descriptor: &Descriptor, operation: Option<AtomicOperation>) -> Option<Change> {
    use AtomicOperation::*;
    let ty = descriptor.element()?;
    let Some(done) = operation else {
        let ty = [Type::B8, Type::B16, Type::B32, Type::B64][ty.bytes().trailing_zeros() as usize & 3];
        return Some(Change { operation: None, ty, flushes: false });
    };
    let bitwise = matches!(done, And | Or | Xor);
    let ordered = matches!(done, Min | Max);
    let fits = match ty {
        Type::U32 => true,
        Type::S32 | Type::U64 => bitwise || ordered || done == Add,
        Type::S64 => ordered,
        Type::F16 | Type::Bf16 => ordered || done == Add,
        Type::F32 | Type::F64 => done == Add,
        _ => false,
    };
    let flushes = matches!(descriptor.ty, FLOAT32_FTZ | TF32_FTZ);
    fits.then_some(Change { operation, ty, flushes })
}

payload! {
    /// `tensormap.replace`.
    pub struct Replacement {
        /// The address is one of shared memory.
        pub shared: bool,
        /// The index of the field in `descriptor::FIELDS`.
        pub field: u8,
    }
}

/// `tensormap.replace`: the address in the first operand, a number of an axis in the second, the value in the third.
///
/// # Safety
/// The contract of [`Execute`](crate::state::warp::Execute).
pub unsafe fn replace(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`; what an address leads to is guarded.
    unsafe {
        let Replacement { shared, field } = step.payload();
        for lane in (0..LANES).filter(|&l| warp.mask >> l & 1 != 0) {
            let address = vector::<u64>(warp, step.from[0])[lane];
            let at = match translate(warp, lane, address, 128, shared) {
                Ok(at) if at % 8 == 0 => at as *mut [u64; WORDS],
                _ => return Flow::Fault(Fault::IllegalAddress),
            };
            let axis = vector::<u32>(warp, step.from[1])[lane] as usize;
            let value = vector::<u64>(warp, step.from[2])[lane];
            // Where there is no tensor map, a device changes bits of whatever there is, and goes on.
            let Some(descriptor) = Descriptor::unpack(&at.read_volatile()) else { continue };
            match descriptor.replaced(field, axis, value) {
                Some(descriptor) => at.write_volatile(descriptor.pack()),
                None => return Flow::Fault(Fault::IllegalInstruction),
            }
        }
    }
    Flow::Next
}
