//! What a block held when its kernel went wrong, for core dumps.

use crate::state::fault::Failure;
use crate::state::grid::LaunchShape;
use ptx::{Space, Type};
use std::sync::Arc;

/// What is kept of a function that is built for core dumps: its registers are as the text has them, and it is interpreted.
#[derive(Clone, Debug, Default)]
pub struct Plain {
    /// Registers and their names in the text.
    pub names: Vec<(u32, Box<str>)>,
    /// Accesses of memory, in the order of their steps.
    pub accesses: Vec<Access>,
    /// Sites of calls, and their steps.
    pub calls: Vec<(u32, u32)>,
}

/// An access of memory: the address is the sum of a register and an offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// Its steps: from this one on, up to the other.
    pub steps: core::ops::Range<u32>,
    /// The instruction.
    pub instruction: Box<str>,
    /// The register, if there is any.
    pub base: Option<u32>,
    pub offset: u64,
    /// Bytes of the access of a thread.
    pub bytes: u64,
    /// The space that the instruction names.
    pub space: Option<Space>,
}

/// A register of a warp: a value for each lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterState {
    pub name: String,
    pub ty: Type,
    pub lanes: [u64; 32],
}

/// A function that a warp was in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameState {
    pub function: String,
    /// The line of the text, and of the source.
    pub line: u32,
    pub source: Option<(Arc<str>, u32)>,
    pub registers: Vec<RegisterState>,
    /// Where its variables begin in a thread's local memory, and their bytes.
    pub local: core::ops::Range<u64>,
}

/// Threads of a warp that are at the same place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarpState {
    pub index: u32,
    /// Lanes of the warp that have not ended, and those that are here.
    pub alive: u32,
    pub active: u32,
    /// Those for which the instruction is executed, if it went wrong here.
    pub faulty: u32,
    /// The innermost function first.
    pub frames: Vec<FrameState>,
    /// Addresses of the lanes' local memory, and bytes of each.
    pub local: Vec<u64>,
    pub stride: u64,
}

/// The access that went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadAccess {
    /// The instruction.
    pub instruction: String,
    pub space: Option<Space>,
    pub bytes: u64,
    /// The lane that is the first with a wrong address, and the addresses of all.
    pub lane: u32,
    pub addresses: [u64; 32],
}

/// A block of the kernel that went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockState {
    pub index: [u32; 3],
    /// Address and bytes of its shared memory.
    pub shared: (u64, u64),
    pub warps: Vec<WarpState>,
    /// The warp's place in the list that went wrong.
    pub faulty: Option<usize>,
    pub access: Option<BadAccess>,
}

/// What is known of a kernel that went wrong, while its block is still there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoreState<'a> {
    pub kernel: &'a str,
    pub failure: Failure,
    pub grid_id: u64,
    pub shape: LaunchShape,
    pub parameters: &'a [u64],
    pub parameter_bytes: usize,
    pub dynamic_shared: u32,
    /// The text of the module, if it was kept.
    pub text: Option<&'a str>,
    pub block: BlockState,
}
