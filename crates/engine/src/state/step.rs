//! Steps: what the interpreter executes. They run on what a [`Runner`] says, which is a [`Warp`](crate::state::warp::Warp): it
//! stands above, since it knows the programs that consist of them.

use crate::state::fault::Fault;
use crate::state::payload::{Field, Payload};

/// What a step does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Goes on with the next step.
    Next,
    /// The step has set the position itself.
    Jump,
    /// Other warps get their turn; the position is set.
    Yield,
    /// Waits at a barrier; the position is behind it.
    Barrier,
    /// Lanes wait for others of their warp; the position is that of what goes on.
    Held,
    /// No lanes are left that could go on.
    Done,
    /// An error ends the kernel.
    Fault(Fault),
}

/// What steps run on.
pub trait Runner {
    /// It lives no longer than the program that it runs.
    type Of<'c>;
}

/// Executes a step.
///
/// # Safety
/// The warp's frame is laid out as the program says that the step belongs to. Memory accesses run inside of
/// [`guard::run`].
pub type Execute<W> = for<'c> unsafe fn(&mut <W as Runner>::Of<'c>, &Step<W>) -> Flow;

/// A guard of a step that has none.
pub const UNGUARDED: u32 = u32::MAX;

/// An instruction, prepared: one line of the cache.
#[repr(C, align(64))]
pub struct Step<W: Runner> {
    /// What to do.
    pub execute: Execute<W>,
    /// Byte offset of the guard's predicate in the frame, bit 0 set if it is negated; or [`UNGUARDED`].
    pub guard: u32,
    /// Byte offsets of the results.
    pub to: [u32; 4],
    /// Byte offsets of the operands.
    pub from: [u32; 5],
    /// What else it has to know: of a type that belongs to the function that `execute` is.
    pub payload: Payload,
}

impl<W: Runner> Step<W> {
    /// The payload of a step of a kind.
    #[inline(always)]
    pub fn payload<K: Field>(&self) -> K {
        self.payload.get()
    }

    /// Sets it.
    pub fn set<K: Field>(&mut self, kind: K) {
        self.payload.set(kind);
    }

    /// Changes it.
    pub fn change<K: Field>(&mut self, change: impl FnOnce(&mut K)) {
        let mut kind = self.payload();
        change(&mut kind);
        self.set(kind);
    }
}

impl<W: Runner> Clone for Step<W> {
    fn clone(&self) -> Step<W> {
        Step { ..*self }
    }
}
