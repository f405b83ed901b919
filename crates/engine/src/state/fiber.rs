//! Parts of a warp that go on without each other.
//!
//! While lanes only diverge and reconverge, one stack serves the warp ([`crate::state::warp`]): lanes that are early wait until the others
//! have caught up. That does not do when the others, in turn, wait for something that the early ones are still to do: a
//! lane that spins on another one, or stands at a barrier. Then the warp is cut in two: each part has a stack with its
//! lanes alone, both share the registers. Parts that stand at the same place of the same calls become one again.

use crate::numeric::value::LANES;
use crate::state::frame::{Frame, Paths, SLOT, Waiting};
use crate::state::payload::payload;
use crate::state::program::{Code, Program};
use crate::state::step::Runner;
use ptx::Type;

/// What a part of a warp waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// Its turn.
    Turn,
    /// That a barrier of the block changes its phase: the number of the barrier, and the phase.
    Barrier(u32, u32),
    /// That the cluster's barrier changes its phase.
    Cluster(u32),
    /// That all lanes of a mask wait like this.
    Lanes(u32),
    /// That all lanes wait like this, or can go no further without these.
    Aligned,
}

payload! {
    /// What lanes do at a barrier.
    pub enum BarrierKind {
        /// They wait.
        Wait,
        /// They arrive, and go on.
        Arrive,
        /// They wait, and count those for which the third operand holds;
        Count,
        /// ask whether it holds for all;
        All,
        /// for any.
        Any,
    }
}

/// What a barrier that counts predicates found: threads for which it holds, and threads at all.
pub type Outcome = (u32, u32);

/// A part of a warp that does not run now.
pub struct Fiber {
    pub active: u32,
    pub position: u32,
    pub reconverge: u32,
    pub waiting: Paths,
    pub frames: Vec<Frame>,
    /// What for.
    pub hold: Hold,
    /// A result of a barrier that is still to be written.
    pub reduction: Option<(BarrierKind, u32)>,
    pub outcome: Option<Outcome>,
}

impl Fiber {
    /// The lanes that would go on.
    pub fn lanes(&self) -> u32 {
        self.active
    }

    /// True when both stand at the same place of the same calls, and have the same way before them.
    pub fn joins(&self, other: &Fiber) -> bool {
        let way = |a: &Waiting, b: &Waiting| (a.position, a.reconverge, a.depth) == (b.position, b.reconverge, b.depth);
        (self.position, self.reconverge, self.hold) == (other.position, other.reconverge, other.hold)
            && (self.reduction.is_none() && other.reduction.is_none())
            && self.frames.len() == other.frames.len()
            && self.frames.iter().zip(&other.frames).all(|(a, b)| a.is_like(b))
            && self.waiting.len() == other.waiting.len()
            && self.waiting.iter().zip(other.waiting.iter()).all(|(a, b)| way(a, b))
    }

    /// Takes the lanes of another part that stands at the same place.
    pub fn join<W: Runner>(&mut self, other: &Fiber, program: &Program<W>) {
        for (own, theirs) in self.frames.iter().zip(&other.frames).filter(|(a, b)| a.at != b.at) {
            let Some(code) = program.functions.get(own.function as usize) else { continue };
            let lanes = other.waiting.iter().fold(other.active, |all, w| all | w.mask);
            // SAFETY: both frames are of this function, and of this warp.
            unsafe { copy_lanes(own.at, theirs.at, code, lanes) };
        }
        self.active |= other.active;
        for (own, theirs) in self.waiting.iter_mut().zip(other.waiting.iter()) {
            own.mask |= theirs.mask;
        }
    }
}

/// Copies the registers of lanes from one frame of a function to another one.
unsafe fn copy_lanes<W: Runner>(to: *mut u8, from: *const u8, code: &Code<W>, lanes: u32) {
    let which = || (0..LANES).filter(move |&lane| lanes >> lane & 1 != 0);
    for slot in 0..code.slots as usize {
        // What lies behind the registers is needed within an instruction alone. Where parts of a warp stand, that is
        // at most operands of 32 bits.
        let ty = code.types.get(slot).copied().unwrap_or(Type::U32);
        // SAFETY: slots of both frames; the type says how lanes lie there.
        unsafe {
            let (to, from) = (to.add(slot * SLOT as usize), from.add(slot * SLOT as usize));
            match ty.bytes() {
                0 => {
                    let (to, from) = (to.cast::<u32>(), from.cast::<u32>());
                    *to = *to & !lanes | *from & lanes;
                }
                1..=4 => which().for_each(|l| *to.cast::<u32>().add(l) = *from.cast::<u32>().add(l)),
                _ => which().for_each(|l| *to.cast::<u64>().add(l) = *from.cast::<u64>().add(l)),
            }
        }
    }
}
