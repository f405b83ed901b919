//! What is compiled: the steps of a kernel, as the interpreter executes them, with what is known of each.

use crate::map::Map;
use crate::operation::{Manner, Operation};
use crate::scaled::Scaled;
use std::sync::Arc;

/// Bytes of a vector of the frame.
pub const SLOT: u32 = 256;
/// The guard of a step that has none.
pub const UNGUARDED: u32 = u32::MAX;
/// No position.
pub const NOWHERE: u32 = u32::MAX;

/// A step. What is asked for in every pass over the steps comes first, in one line of the cache.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Step {
    /// What it does.
    pub operation: Operation,
    /// How it rounds.
    pub manner: Manner,
    /// Byte offset of the guard's predicate in the frame, bit 0 set if it is negated; or [`UNGUARDED`].
    pub guard: u32,
    /// Byte offsets of results and operands in the frame.
    pub to: [u32; 4],
    pub from: [u32; 5],
    /// It is executed where the interpreter wants its result alone.
    pub left: bool,
    /// The vector at `from[4]` is added to its address, and to `offset`.
    pub based: bool,
    /// An address of 32 bits.
    pub narrow: bool,
    /// Of a predicate operand: it is negated. Of logic: bit 0 for the first, bit 1 for the second operand.
    pub negated: u8,
    /// Which logic: 0 and, 1 or, 2 xor, 3 not, 4 copy. Of a shuffle: its mode. Of a copy: 1 if the predicate at `from[3]` says
    /// which lanes have no source.
    pub mode: u8,
    /// Of a comparison: it combines with a predicate in this way (0 for none), and has a second result.
    pub combination: u8,
    pub pair: bool,
    /// The next step is never reached from this one.
    pub ends: bool,
    /// The offset of an address.
    pub offset: i64,
    /// Of a copy: the offset of the source's address, which is at `from[1]`.
    pub source: i64,
    /// Where it branches to, if it does.
    pub branch: Option<Branch>,
    /// Further positions that it may lead to: tables of branches.
    pub leads: Box<[u32]>,
    /// Of a step that is called: its instruction's registers.
    pub touched: Option<Arc<Touched>>,
    /// Where lanes reconverge that such a step sends different ways.
    pub reconverge: u32,
    /// It may give way, or change which lanes are active.
    pub control: bool,
    /// The parts of its address ([`crate::scaled`]).
    pub scaled: Option<Scaled>,
}

const _: () = assert!(core::mem::offset_of!(Step, offset) <= 64);

impl Step {
    /// Of a step that is called: registers that its instruction reads. Others name theirs as operands.
    #[inline]
    pub fn reads(&self) -> &[u32] {
        self.touched.as_ref().map_or(&[], |touched| &touched.reads)
    }

    /// The same of those that it writes.
    #[inline]
    pub fn writes(&self) -> &[u32] {
        self.touched.as_ref().map_or(&[], |touched| &touched.writes)
    }
}

/// Registers that an instruction reads and writes.
#[derive(Debug, Default)]
pub struct Touched {
    pub reads: Vec<u32>,
    pub writes: Vec<u32>,
}

/// A branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    pub target: u32,
    /// Where lanes that part here reconverge.
    pub reconverge: u32,
    /// What it counts when it goes backwards.
    pub weight: u32,
    /// Of a comparison: lanes jump for which it does not hold.
    pub unless: bool,
    /// All active lanes jump.
    pub always: bool,
}

/// A register of the function: the vector of the frame with its number.
#[derive(Clone, Copy, Debug, Default)]
pub struct Register {
    /// Bytes of a lane: 0 for a predicate, else 4 or 8; 16 is never touched by native code.
    pub bytes: u8,
    /// How much more each lane's number is than that of the lane before, where one number can stand for all lanes.
    pub stride: Option<i64>,
    /// It is written once a launch, before the first step.
    pub early: bool,
    /// The same, and all warps of a block find the same number there.
    pub shared: bool,
    /// The number that it always holds, where a move of it is all that writes the register.
    pub constant: Option<u64>,
}

/// A kernel.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    pub steps: Vec<Step>,
    pub registers: Vec<Register>,
    /// Vectors that never change, by slot: the bits of all lanes.
    pub constants: Map<u32, u64>,
    /// Other vectors of which the first lane says all, by slot: their strides.
    pub scalars: Map<u32, i64>,
    /// Of these, vectors of which only the first lane is in the frame: true for lanes of 64 bits.
    pub lean: Map<u32, bool>,
    /// Steps that are executed once a launch.
    pub once: Vec<Step>,
    /// In blocks whose warps are two rows of 16 threads: vectors that go up by so much from lane to lane within a row.
    pub tiles: Map<u32, i64>,
    /// Stores of whole lines had better go past the caches, where nothing reads them again: nothing in the kernel orders accesses, and
    /// whoever runs it makes them visible at its end ([`crate::Code::settle`]).
    pub past_caches: bool,
    /// Lanes that are not active may be anywhere, and go on by themselves: all their registers are kept, and no number stands for those
    /// of all lanes.
    pub apart: bool,
}

/// Where compiled code finds things: byte offsets in a warp and in what surrounds it.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    pub frame: u32,
    pub active: u32,
    pub alive: u32,
    pub position: u32,
    pub reconverge: u32,
    pub jumps: u32,
    /// The stack of lanes that wait for their turn: how many entries there are and have room, and where the first one is.
    pub paths: u32,
    pub paths_room: u32,
    pub first_path: u32,
    pub reach_start: u32,
    pub reach_bytes: u32,
    /// How far from the start of the reach [`Layout::least_reach`] bytes may begin.
    pub row_reach: u32,
    pub around: u32,
    /// The next warp of the block, or null; and whether the first lanes of numbers in the frame are all that is up to date.
    pub next: u32,
    pub left_lean: u32,
    /// Of what surrounds warps: the warp that runs.
    pub running: u32,
    /// A byte: warps of the block are not as the next block finds them.
    pub dirty: u32,
    /// A byte: warps of the block have taken turns, and those that have ended are marked so.
    pub abreast: u32,
    pub shared: u32,
    pub shared_bytes: u32,
    /// Jumps backwards before others get their turn.
    pub patience: u32,
    /// Accesses of up to so many bytes may be compared with the reach at once.
    pub least_reach: u32,
    /// Where numbers of 64 bits lie, one for each step, that count how often the code comes to it; 0 for nowhere.
    pub counters: usize,
    /// `fn(warp, position) -> u32`: executes the interpreter's step; 0 when the warp goes on with the next one.
    pub call: usize,
    /// `fn(warp, position, mask) -> u32`: lanes of the mask jump; 0 when the warp goes on at its position.
    pub part: usize,
    /// `fn(warp, position) -> u32`: lanes have come where others may wait for them; 0 as above.
    pub arrive: usize,
    /// `fn(warp, position, weight) -> u32`: too many jumps backwards; the position is set.
    pub tire: usize,
}

/// An entry of the stack of lanes that wait for their turn: the byte offsets of its words.
pub mod path {
    pub const POSITION: i64 = 0;
    pub const RECONVERGE: i64 = 4;
    pub const MASK: i64 = 8;
    /// Frames of the warp when they began to wait.
    pub const DEPTH: i64 = 12;
    /// Its bytes, as a power of two.
    pub const SHIFT: u32 = 4;
}

/// What compiled code returns.
pub mod outcome {
    /// Look at the warp's flow.
    pub const FLOW: u32 = 1;
    /// The interpreter goes on at the warp's position.
    pub const INTERPRET: u32 = 2;
    /// All lanes have ended: of the warp that was entered alone, or of all warps of the block.
    pub const DONE: u32 = 3;
    /// All lanes wait at the first barrier of the block; the position is behind it.
    pub const BARRIER: u32 = 4;
    /// All warps of the block have waited there so often that somebody should look at the clock; it has opened.
    pub const TURNS: u32 = 5;
    /// The interpreter goes on at the warp's position, until code can be entered again.
    pub const AWHILE: u32 = 6;
}
