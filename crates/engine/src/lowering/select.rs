//! A function while its instructions are turned into steps, and what all instructions need for that.

use crate::lowering::context::Around;
use crate::state::frame::SLOT;
use crate::state::payload::Payload;
use crate::state::program::Base;
use crate::state::warp::{Code, Execute, Step};
use ptx::analysis::fuse::Fused;
use ptx::{Body, Function};
use std::collections::HashMap;
/// No place.
pub(super) const NONE: u32 = u32::MAX;

/// Why an instruction cannot be prepared.
pub(super) type Selected<T = ()> = Result<T, String>;

pub(super) fn unsupported<T>() -> Selected<T> {
    Err(String::new())
}

/// How a step jumps.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Jumps {
    /// It branches.
    Branch,
    /// It compares, and branches.
    Comparison,
    /// By a table.
    Table,
}

/// A function whose instructions are being turned into steps.
pub(super) struct Select<'m, 'a> {
    pub(super) around: &'m Around<'m, 'a>,
    pub(super) function: &'m Function<'a>,
    pub(super) body: &'m Body<'a>,
    pub(super) code: Code,
    pub(super) constants: HashMap<(u64, bool), u32>,
    /// Where each variable is: in local memory, in shared memory or among the parameters.
    pub(super) places: Vec<u64>,
    pub(super) flag: Option<u32>,
    pub(super) reconvergence: Vec<usize>,
    /// The instruction at hand.
    pub(super) at: usize,
    pub(super) guard: u32,
    /// Steps behind the one at hand.
    pub(super) after: Vec<Step>,
    /// For each instruction what it does for others.
    pub(super) fused: Vec<Fused>,
    /// Steps that jump.
    pub(super) jumps: Vec<(usize, Jumps)>,
    /// Of a function that allocates on the stack: the vector with the top of it at the beginning.
    pub(super) stack: Option<u32>,
    /// The accesses of the instruction at hand are probed.
    pub(super) probes: bool,
    /// It is volatile, relaxed or the like.
    pub(super) strong: bool,
    /// What [`Select::weight`] goes by.
    pub(super) weights: [Vec<u32>; 2],
    /// Lists of labels, by name.
    pub(super) tables: HashMap<&'a str, u32>,
    /// Prototypes of indirect calls, by name.
    pub(super) prototypes: HashMap<&'a str, &'m Function<'a>>,
}

impl<'m, 'a> Select<'m, 'a> {
    pub(super) fn slot(&mut self) -> u32 {
        self.code.slots += 1;
        (self.code.slots - 1) * SLOT
    }

    pub(super) fn constant(&mut self, bits: u64, wide: bool) -> u32 {
        let bits = if wide { bits } else { bits & 0xffff_ffff };
        if let Some(&at) = self.constants.get(&(bits, wide)) {
            return at;
        }
        let at = self.slot();
        self.code.constants.push((at / SLOT, bits, wide));
        self.constants.insert((bits, wide), at);
        at
    }

    pub(super) fn base(&mut self, base: Base) -> u32 {
        if let Some(&(slot, _)) = self.code.bases.iter().find(|b| b.1 == base) {
            return slot * SLOT;
        }
        let at = self.slot();
        self.code.bases.push((at / SLOT, base));
        at
    }

    pub(super) fn step(&self, execute: Execute) -> Step {
        Step { execute, guard: self.guard, to: [NONE; 4], from: [0; 5], payload: Payload::default() }
    }

    pub(super) fn push(&mut self, step: Step) {
        self.code.steps.push(step);
    }
}
