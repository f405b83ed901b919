//! Numbers that the first lane stands for: each other lane's is a stride more than that of the lane before.
//!
//! In blocks whose warps are rows of threads most addresses and loop counters are like that. Steps that are marked with
//! [`LINEAR`] work out the first lane alone, whatever the mask, and write it alone unless somebody wants all of them. The
//! analysis ([`ptx::analysis::affine`]) says which registers may be kept like that. If a warp comes to a point
//! where it does not hold any more, its registers are completed, and it goes on with the steps for vectors, which stand at
//! the same positions.

use super::lanes::{LANES, Level};
use super::program::Code;
use super::step::{Flow, Step};
use super::warp::{SLOT, Warp};
use core::arch::x86_64::*;
use ptx::instruction::Special;

/// In the `number` of a step: its operands (of an access: the address) are linear.
pub const LINEAR: u32 = 1 << 30;
/// Of a marked step: all lanes of the result are written. Of a load: those without the mask, too.
pub const FILLS: u32 = 1 << 29;
/// Of marked arithmetic: an operand of 32 bits is made wider. Bits 0 and 1 of `number` say which one, `to[3]` is its stride.
pub const WIDENS: u32 = 1 << 28;
/// With [`WIDENS`]: as a signed number.
pub const SIGNED: u32 = 1 << 27;

/// A register that is kept in its first lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Its slot.
    pub slot: u32,
    /// Lanes of 64 bits.
    pub wide: bool,
    /// How much more each lane's number is than that of the lane before.
    pub stride: i64,
}

/// The steps of a kernel for blocks whose warps are rows of threads.
#[derive(Default)]
pub struct Linear {
    /// One for each step for vectors.
    pub steps: Vec<Step>,
    /// Registers and special registers that only the first lane is written of.
    pub kept: Vec<Kept>,
    /// Registers that are written once a launch and must be linear for these steps to do.
    pub assumed: Vec<Kept>,
    /// Special registers that are not the same for all blocks, and whether anybody wants more than the first lane.
    pub specials: Vec<(u32, Special, bool)>,
}

/// How a lane follows from the first one.
pub trait Along: Copy + Default {
    /// The number of a lane, with a stride.
    fn along(self, lane: usize, stride: i64) -> Self;
    /// Those of all lanes.
    fn all<const LEVEL: u8>(self, stride: i64) -> [Self; LANES];
}

impl Along for u32 {
    #[inline(always)]
    fn along(self, lane: usize, stride: i64) -> u32 {
        self.wrapping_add((lane as u32).wrapping_mul(stride as u32))
    }

    #[inline(always)]
    fn all<const LEVEL: u8>(self, stride: i64) -> [u32; LANES] {
        #[target_feature(enable = "avx512f")]
        #[inline]
        fn all512(first: u32, stride: i32) -> [u32; LANES] {
            let lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
            let step = _mm512_set1_epi32(stride);
            let low = _mm512_add_epi32(_mm512_set1_epi32(first as i32), _mm512_mullo_epi32(lanes, step));
            let high = _mm512_add_epi32(low, _mm512_slli_epi32::<4>(step));
            let mut all = [0; LANES];
            // SAFETY: two halves of the array.
            unsafe {
                _mm512_storeu_epi32(all.as_mut_ptr().cast(), low);
                _mm512_storeu_epi32(all.as_mut_ptr().add(16).cast(), high);
            }
            all
        }
        if LEVEL == Level::Avx512 as u8 {
            // SAFETY: this instance is called on machines of its level.
            return unsafe { all512(self, stride as i32) };
        }
        core::array::from_fn(|lane| self.along(lane, stride))
    }
}

impl Along for u64 {
    #[inline(always)]
    fn along(self, lane: usize, stride: i64) -> u64 {
        self.wrapping_add((lane as u64).wrapping_mul(stride as u64))
    }

    #[inline(always)]
    fn all<const LEVEL: u8>(self, stride: i64) -> [u64; LANES] {
        #[target_feature(enable = "avx512f,avx512dq")]
        #[inline]
        fn all512(first: u64, stride: i64) -> [u64; LANES] {
            let step = _mm512_set1_epi64(stride);
            let lanes = _mm512_mullo_epi64(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7), step);
            let mut part = _mm512_add_epi64(_mm512_set1_epi64(first as i64), lanes);
            let next = _mm512_slli_epi64::<3>(step);
            let mut all = [0; LANES];
            for n in 0..4 {
                // SAFETY: a quarter of the array.
                unsafe { _mm512_storeu_epi64(all.as_mut_ptr().add(8 * n).cast(), part) };
                part = _mm512_add_epi64(part, next);
            }
            all
        }
        if LEVEL == Level::Avx512 as u8 {
            // SAFETY: this instance is called on machines of its level.
            return unsafe { all512(self, stride) };
        }
        core::array::from_fn(|lane| self.along(lane, stride))
    }
}

/// The first lane of a vector.
///
/// # Safety
/// `at` is the offset of a vector of the frame, as steps name them.
#[inline(always)]
pub unsafe fn first<L: Copy>(warp: &Warp, at: u32) -> L {
    // SAFETY: by the contract of `Execute`, `at` is the offset of a vector of the frame.
    unsafe { *warp.frame.add(at as usize).cast::<L>() }
}

/// Writes the result of a marked step.
///
/// # Safety
/// The contract of [`Execute`](super::step::Execute).
#[inline(always)]
pub unsafe fn put<L: Along, const LEVEL: u8>(warp: &mut Warp, step: &Step, d: L) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        if step.number & WIDENS != 0 && wraps(warp, step) {
            warp.complete();
            return Flow::Jump;
        }
        let to = warp.frame.add(step.to[0] as usize).cast::<L>();
        if step.number & FILLS == 0 {
            to.write(d);
        } else {
            to.cast::<[L; LANES]>().write(d.all::<LEVEL>(step.value));
        }
    }
    Flow::Next
}

/// True when the operand that is made wider wraps within the warp.
#[inline(always)]
unsafe fn wraps(warp: &Warp, step: &Step) -> bool {
    // SAFETY: the contract of `Execute`.
    let first: u32 = unsafe { first(warp, step.from[(step.number & 3) as usize]) };
    let more = 31 * i64::from(step.to[3] as i32);
    if step.number & SIGNED != 0 {
        i32::try_from(i64::from(first as i32) + more).is_err()
    } else {
        u32::try_from(i64::from(first) + more).is_err()
    }
}

/// Writes all lanes of a register from its first one.
unsafe fn fill(frame: *mut u8, kept: &Kept) {
    // SAFETY: the caller gives a frame of the function that the register is of.
    unsafe {
        let at = frame.add(kept.slot as usize * SLOT as usize);
        if kept.wide {
            let start = at.cast::<u64>().read();
            (0..32).for_each(|lane| at.cast::<u64>().add(lane).write(start.along(lane, kept.stride)));
        } else {
            let start = at.cast::<u32>().read();
            (0..32).for_each(|lane| at.cast::<u32>().add(lane).write(start.along(lane, kept.stride)));
        }
    }
}

/// True when all lanes of a register follow from its first one.
unsafe fn is_linear(frame: *const u8, kept: &Kept) -> bool {
    // SAFETY: the caller gives a frame of the function that the register is of.
    unsafe {
        let at = frame.add(kept.slot as usize * SLOT as usize);
        if kept.wide {
            let all = at.cast::<[u64; LANES]>().read();
            all.iter().enumerate().fold(0, |wrong, (lane, x)| wrong | x ^ all[0].along(lane, kept.stride)) == 0
        } else {
            let all = at.cast::<[u32; LANES]>().read();
            all.iter().enumerate().fold(0, |wrong, (lane, x)| wrong | x ^ all[0].along(lane, kept.stride)) == 0
        }
    }
}

impl Code {
    /// The steps for rows, if a warp with this frame can be executed by them: its registers that are written once a launch
    /// are in place.
    ///
    /// # Safety
    /// The frame is one of this function.
    pub unsafe fn linear_for(&self, block: [u32; 3], frame: *const u8) -> Option<&Linear> {
        let [x, y, z] = block;
        let rows = x % 32 == 0 || y == 1 && z == 1;
        // SAFETY: the contract of this function.
        let holds = |kept: &Kept| unsafe { is_linear(frame, kept) };
        self.linear.as_ref().filter(|linear| rows && linear.assumed.iter().all(holds))
    }
}

impl Warp {
    /// Goes on with steps for vectors: completes all registers of which only the first lane was kept.
    #[cold]
    pub fn complete(&mut self) {
        let Some(linear) = self.linear.take() else { return };
        let Some(frame) = self.frames.first() else { return };
        for kept in &linear.kept {
            // SAFETY: these steps are those of the kernel, which the first frame is of.
            unsafe { fill(frame.at, kept) };
        }
    }
}
