//! Clusters: blocks that run together and reach each other's shared memory. Without clusters each block is one.
//!
//! A block names shared memory by an offset. An offset into that of a block of the cluster has the block's rank and one
//! in its upper eight bits, so that offsets without rank are always the block's own.

use crate::state::fault::Fault;
use core::cell::Cell;

/// Where the rank begins in an offset.
pub const RANK: u32 = 24;

/// What the blocks of a cluster share. One thread runs them all.
pub struct Cluster {
    /// Blocks along each axis.
    pub shape: [u32; 3],
    /// Where the shared memory of each block begins, by rank, and bytes of each.
    pub bases: Vec<u64>,
    pub bytes: u32,
    /// Of the barrier: changes when it opens; threads that are there.
    pub phase: Cell<u32>,
    pub arrived: Cell<u32>,
}

impl Cluster {
    /// The address in this process of an offset with a rank.
    #[cold]
    pub fn translate(&self, address: u32, bytes: usize) -> Result<u64, Fault> {
        let offset = address & ((1 << RANK) - 1);
        let base = (address >> RANK).checked_sub(1).and_then(|rank| self.bases.get(rank as usize));
        match base {
            Some(base) if u64::from(offset) + bytes as u64 <= u64::from(self.bytes) => Ok(base + u64::from(offset)),
            _ => Err(Fault::IllegalAddress),
        }
    }

    /// The offset in the memory of the block that an offset names the rank of.
    pub fn parts(&self, address: u32) -> Option<u32> {
        let rank = (address >> RANK).checked_sub(1)?;
        self.bases.get(rank as usize).map(|_| address & ((1 << RANK) - 1))
    }

    /// Rank and offset of a generic address in the shared memory of some block.
    pub fn find(&self, address: u64) -> Option<(u32, u32)> {
        let at = |base: &u64| address.checked_sub(*base).filter(|&offset| offset < u64::from(self.bytes.max(1)));
        let found = self.bases.iter().enumerate().find_map(|(rank, base)| at(base).map(|offset| (rank, offset)));
        found.map(|(rank, offset)| (rank as u32, offset as u32))
    }

    /// Where the shared memory of a block begins.
    pub fn base(&self, rank: u32) -> Option<u64> {
        self.bases.get(rank as usize).copied()
    }

    /// The phase of the barrier.
    pub fn phase(&self) -> u32 {
        self.phase.get()
    }

    /// Opens the barrier if all `alive` threads are there. True when it has.
    pub fn open(&self, alive: u32) -> bool {
        let complete = self.arrived.get() > 0 && self.arrived.get() >= alive;
        if complete {
            self.arrived.set(0);
            self.phase.set(self.phase.get().wrapping_add(1));
        }
        complete
    }
}
