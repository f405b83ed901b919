//! Affine values, which the first lane stands for: each other lane's is a stride more than that of the lane before.
//!
//! In blocks whose warps are rows of threads most addresses and loop counters are like that. Steps whose payload says that they
//! are `affine` work out the first lane alone, whatever the mask, and write it alone unless a later step reads all of them. The
//! analysis ([`ptx::analysis::affine`]) says which registers may be kept like that. If a warp comes to a point
//! where it does not hold any more, its registers are completed, and it goes on with the steps for vectors, which stand at
//! the same positions.

use crate::numeric::value::{Affine, LANES};
use crate::state::frame::SLOT;
use crate::state::step::{Runner, Step};
use ptx::instruction::Special;

/// A register that is kept in its first lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AffineRegister {
    /// Its slot.
    pub slot: u32,
    /// Lanes of 64 bits.
    pub wide: bool,
    /// How much more each lane's value is than that of the lane before.
    pub stride: i64,
}

/// The steps of a kernel for blocks whose warps are rows of threads.
pub struct AffineSteps<W: Runner> {
    /// One for each step for vectors.
    pub steps: Vec<Step<W>>,
    /// Registers and special registers that only the first lane is written of.
    pub kept: Vec<AffineRegister>,
    /// Registers that are written once a launch and must be affine for these steps to do.
    pub assumed: Vec<AffineRegister>,
    /// Special registers that are not the same for all blocks, and whether a step reads more than the first lane.
    pub specials: Vec<(u32, Special, bool)>,
}

/// Writes all lanes of a register from its first one.
///
/// # Safety
/// The frame is one of the function that the register is of.
pub(super) unsafe fn fill(frame: *mut u8, kept: &AffineRegister) {
    // SAFETY: the caller gives a frame of the function that the register is of.
    unsafe {
        let at = frame.add(kept.slot as usize * SLOT as usize);
        if kept.wide {
            let start = at.cast::<u64>().read();
            (0..32).for_each(|lane| at.cast::<u64>().add(lane).write(start.at_lane(lane, kept.stride)));
        } else {
            let start = at.cast::<u32>().read();
            (0..32).for_each(|lane| at.cast::<u32>().add(lane).write(start.at_lane(lane, kept.stride)));
        }
    }
}

/// True when all lanes of a register follow from the first one of their row of so many lanes.
///
/// # Safety
/// The frame is one of the function that the register is of.
pub(super) unsafe fn is_affine(frame: *const u8, kept: &AffineRegister, row: usize) -> bool {
    fn follow<T: Affine + PartialEq>(all: &[T], stride: i64) -> bool {
        all.first().is_none_or(|&first| {
            (0..).zip(all).fold(true, |right, (lane, &x)| right & (x == first.at_lane(lane, stride)))
        })
    }
    // SAFETY: the caller gives a frame of the function that the register is of.
    unsafe {
        let at = frame.add(kept.slot as usize * SLOT as usize);
        if kept.wide {
            at.cast::<[u64; LANES]>().read().chunks(row).all(|row| follow(row, kept.stride))
        } else {
            at.cast::<[u32; LANES]>().read().chunks(row).all(|row| follow(row, kept.stride))
        }
    }
}
