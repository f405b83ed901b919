//! What is known of a kernel's steps beyond what executes them, for whoever compiles it; and its compiled code.

use crate::state::affine::AffineRegister;
use compiler::map::Map;
use compiler::operation::{Manner, Operation};
use compiler::unit::Touched;
use core::sync::atomic::AtomicU64;
use ptx::Opcode;
use ptx::analysis::class::warps_are_rows;
use std::sync::{Arc, OnceLock};

/// A step, as the compiler sees it.
#[derive(Clone, Copy, Default)]
pub struct NativeStep {
    pub operation: Operation,
    /// The opcode of its instruction.
    pub opcode: Option<Opcode>,
    pub manner: Manner,
    /// Of a step that is called: its instruction's registers, by index.
    pub touched: u32,
    /// It may give way, or change which lanes are active.
    pub control: bool,
    /// Nothing goes on behind it.
    pub ends: bool,
    /// Where else it may lead to.
    pub leads: Leads,
}

/// Where a step that is called may lead to, beside the next one.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Leads {
    #[default]
    Nowhere,
    /// To the positions of a table of the function.
    Table,
    /// To where its comparison branches.
    Target,
}

/// How threads lie in the warps of a block: kernels are compiled for each.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    /// In any way.
    General,
    /// A warp is a row.
    Rows,
    /// The same, and blocks are a multiple of 32 threads wide, which makes a difference to the kernel.
    Whole,
    /// A warp is two rows of 16.
    Tiles,
}

impl BlockKind {
    const COUNT: usize = 4;

    /// Which strides registers have.
    fn strides(self) -> usize {
        match self {
            BlockKind::General | BlockKind::Tiles => 0,
            BlockKind::Rows => 1,
            BlockKind::Whole => 2,
        }
    }

    /// Each warp is a row.
    pub fn has_rows(self) -> bool {
        matches!(self, BlockKind::Rows | BlockKind::Whole)
    }
}

/// A kernel, for the compiler.
#[derive(Default)]
pub struct Native {
    /// One for each step.
    pub steps: Vec<NativeStep>,
    pub touched: Vec<Arc<Touched>>,
    /// For each register its stride, if one number stands for all lanes: in any block, in blocks whose warps are rows, and in
    /// those of them that are a multiple of 32 threads wide, where that makes a difference.
    pub strides: [Option<Vec<Option<i64>>>; 3],
    /// Steps that are executed once a launch, by index, and what they do.
    pub once: Vec<(u32, Operation)>,
    /// Numbers that registers always hold.
    pub constants: Map<u32, u64>,
    /// Registers that are written once a launch, and those of them that are the same in all threads of a block.
    pub early: Vec<bool>,
    pub shared: Vec<bool>,
    /// Those of them that code takes for rows with a stride, as `strides`: whether they are depends on the launch.
    pub assumed: [Vec<AffineRegister>; 3],
    /// The same in blocks whose warps are two rows of 16 threads, for each of them.
    pub halves: Vec<AffineRegister>,
    /// Warps that have run it, weighed.
    pub work: AtomicU64,
    /// Nothing in it orders accesses or waits: others see what it stores when it has ended.
    pub unordered: bool,
    /// The code, once somebody asked for it; none if it cannot be compiled. The second is for launches with large results.
    pub code: [[OnceLock<Option<compiler::Code>>; BlockKind::COUNT]; 2],
    /// The same for parts of warps that go on by themselves, and how often there were such.
    pub apart: OnceLock<Option<compiler::Code>>,
    pub parted: AtomicU64,
}

impl Native {
    /// How threads lie in the warps of blocks of so many threads.
    pub fn kind(&self, block: [u32; 3]) -> BlockKind {
        match block {
            [x, _, _] if x % 32 == 0 && self.strides[2].is_some() => BlockKind::Whole,
            _ if warps_are_rows(block) => BlockKind::Rows,
            [16, y, z] if y % 2 == 0 || z == 1 => BlockKind::Tiles,
            _ => BlockKind::General,
        }
    }

    /// The strides of registers in such blocks.
    pub fn strides_in(&self, kind: BlockKind) -> &[Option<i64>] {
        self.strides[kind.strides()].as_deref().unwrap_or_default()
    }

    /// The registers that code for such blocks takes for two rows of 16 lanes, of those that are written once a launch.
    pub fn halves_in(&self, kind: BlockKind) -> &[AffineRegister] {
        if kind == BlockKind::Tiles { &self.halves } else { &[] }
    }

    /// The registers that code for such blocks takes for rows, of those that are written once a launch.
    pub fn assumed_in(&self, kind: BlockKind) -> &[AffineRegister] {
        &self.assumed[kind.strides()]
    }
}
