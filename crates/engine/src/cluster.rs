//! Clusters: blocks that run together and reach each other's shared memory. Without clusters each block is one.
//!
//! A block names shared memory by an offset. An offset into that of a block of the cluster has the block's rank and one
//! in its upper eight bits, so that offsets without rank are always the block's own.

use super::block::{Block, Surroundings, Turn};
use super::fiber::Hold;
use super::lanes::{LANES, set_predicate, set_vector, vector};
use super::step::{Flow, Step, Trouble};
use super::warp::Warp;
use core::cell::Cell;

/// Where the rank begins in an offset.
const RANK: u32 = 24;

/// What the blocks of a cluster share. One thread runs them all.
pub struct Cluster {
    /// Blocks along each axis.
    pub shape: [u32; 3],
    /// Where the shared memory of each block begins, by rank, and bytes of each.
    bases: Vec<u64>,
    bytes: u32,
    /// Of the barrier: changes when it opens; threads that are there.
    phase: Cell<u32>,
    arrived: Cell<u32>,
}

impl Cluster {
    /// The address in this process of an offset with a rank.
    #[cold]
    pub fn reach(&self, address: u32, bytes: usize) -> Result<u64, Trouble> {
        let offset = address & ((1 << RANK) - 1);
        let base = (address >> RANK).checked_sub(1).and_then(|rank| self.bases.get(rank as usize));
        match base {
            Some(base) if u64::from(offset) + bytes as u64 <= u64::from(self.bytes) => Ok(base + u64::from(offset)),
            _ => Err(Trouble::IllegalAddress),
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
    fn open(&self, alive: u32) -> bool {
        let complete = self.arrived.get() > 0 && self.arrived.get() >= alive;
        if complete {
            self.arrived.set(0);
            self.phase.set(self.phase.get().wrapping_add(1));
        }
        complete
    }
}

/// The blocks of a cluster, which can run again and again.
pub struct Unit {
    blocks: Vec<Block>,
    open: Vec<bool>,
    cluster: Box<Cluster>,
}

impl Unit {
    /// Puts blocks together.
    pub fn new(mut blocks: Vec<Block>, shape: [u32; 3], bytes: u32) -> Unit {
        let bases = blocks.iter().map(Block::shared_base).collect();
        let cluster = Box::new(Cluster { shape, bases, bytes, phase: Cell::new(0), arrived: Cell::new(0) });
        for (rank, block) in blocks.iter_mut().enumerate() {
            block.join(&*cluster, rank as u32);
        }
        Unit { open: vec![false; blocks.len()], blocks, cluster }
    }

    /// Makes its blocks those of another launch of the same kernel in the same shape.
    pub fn renew(&mut self, around: impl Fn() -> Surroundings) {
        self.blocks.iter_mut().for_each(|block| block.renew(around()));
    }

    /// Makes it the cluster with a number in a grid of so many blocks.
    pub fn begin(&mut self, number: u64, grid: [u32; 3]) {
        let shape = self.cluster.shape;
        let [across, down] = [grid[0] / shape[0], grid[1] / shape[1]].map(u64::from);
        let cluster = [number % across, number / across % down, number / (across * down)];
        self.cluster.arrived.set(0);
        self.open.fill(true);
        for (rank, block) in self.blocks.iter_mut().enumerate() {
            let rank = rank as u32;
            let inner = [rank % shape[0], rank / shape[0] % shape[1], rank / (shape[0] * shape[1])];
            block.begin([0, 1, 2].map(|axis| cluster[axis] as u32 * shape[axis] + inner[axis]));
        }
    }

    /// Runs the blocks until all have ended or none gets anywhere.
    pub fn run(&mut self) -> Turn {
        loop {
            let mut moved = false;
            for (block, open) in self.blocks.iter_mut().zip(&mut self.open).filter(|(_, open)| **open) {
                match block.run() {
                    Turn::Done => (*open, moved) = (false, true),
                    Turn::Spins => {}
                    fault => return fault,
                }
            }
            if !self.open.contains(&true) {
                return Turn::Done;
            }
            if self.cluster.arrived.get() > 0 {
                moved |= self.cluster.open(self.blocks.iter().map(Block::alive).sum());
            }
            if !moved {
                return Turn::Spins;
            }
        }
    }
}

fn surroundings(warp: &Warp) -> &Surroundings {
    // SAFETY: a warp that runs has surroundings.
    unsafe { &*warp.around }
}

impl Surroundings {
    /// The cluster.
    pub fn cluster(&self) -> &Cluster {
        // SAFETY: the unit that the block is part of sets it before the block runs, and outlives the block.
        unsafe { &*self.cluster }
    }
}

/// `barrier.cluster.arrive`.
pub unsafe fn arrive(warp: &mut Warp, _: &Step) -> Flow {
    let cluster = surroundings(warp).cluster();
    let (phase, lanes) = (cluster.phase(), warp.mask);
    cluster.arrived.set(cluster.arrived.get() + lanes.count_ones());
    warp.odd = if phase & 1 != 0 { warp.odd | lanes } else { warp.odd & !lanes };
    Flow::Next
}

/// `barrier.cluster.wait`: until the barrier has opened since each lane arrived.
pub unsafe fn wait(warp: &mut Warp, _: &Step) -> Flow {
    let phase = surroundings(warp).cluster().phase();
    let same = if phase & 1 != 0 { warp.odd } else { !warp.odd };
    let lanes = warp.mask & same;
    if lanes == 0 {
        return Flow::Next;
    }
    warp.position += 1;
    warp.park(lanes, Hold::Cluster(phase));
    Flow::Held
}

/// `mapa`: `number` bit 1: generic addresses, with 64 bits; bit 2: the offset has 64 bits.
pub unsafe fn map(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let addresses = vector::<u64>(warp, step.from[0]);
        let ranks = vector::<u32>(warp, step.from[1]);
        let around = surroundings(warp);
        let mapped: [u64; LANES] = core::array::from_fn(|lane| {
            let (address, rank) = (addresses[lane], ranks[lane]);
            if step.number & 2 == 0 {
                return address & ((1 << RANK) - 1) | u64::from(rank.wrapping_add(1)) << RANK & 0xffff_ffff;
            }
            let offset = around.cluster().find(address).map_or(0, |(_, offset)| offset);
            around.cluster().base(rank).map_or(0, |base| base + u64::from(offset))
        });
        if step.number & 6 != 0 {
            set_vector(warp, step.to[0], &mapped);
        } else {
            set_vector(warp, step.to[0], &mapped.map(|a| a as u32));
        }
    }
    Flow::Next
}

/// `getctarank`: `number` bit 1: generic addresses.
pub unsafe fn rank(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let addresses = vector::<u64>(warp, step.from[0]);
        let around = surroundings(warp);
        let ranks: [u32; LANES] = addresses.map(|address| {
            if step.number & 2 == 0 {
                (address as u32 >> RANK).checked_sub(1).unwrap_or(around.rank)
            } else {
                around.cluster().find(address).map_or(around.rank, |(rank, _)| rank)
            }
        });
        set_vector(warp, step.to[0], &ranks);
    }
    Flow::Next
}

/// `cvta.shared::cluster`, and `cvta.to.shared::cluster` if bit 1 of `number`.
pub unsafe fn convert(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let addresses = vector::<u64>(warp, step.from[0]);
        let around = surroundings(warp);
        let converted: [u64; LANES] = addresses.map(|address| {
            if step.number & 2 != 0 {
                return match around.cluster().find(address) {
                    Some((rank, offset)) => u64::from(rank + 1) << RANK | u64::from(offset),
                    None => address.wrapping_sub(around.shared),
                };
            }
            let rank = (address as u32 >> RANK).checked_sub(1).unwrap_or(around.rank);
            around.cluster().base(rank).map_or(0, |base| base + (address & ((1 << RANK) - 1)))
        });
        set_vector(warp, step.to[0], &converted);
    }
    Flow::Next
}

/// `isspacep.shared::cluster`.
pub unsafe fn is_shared(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let addresses = vector::<u64>(warp, step.from[0]);
        let cluster = surroundings(warp).cluster();
        let bits = (0..LANES).filter(|&l| cluster.find(addresses[l]).is_some()).fold(0, |all, l| all | 1 << l);
        set_predicate(warp, step.to[0], bits);
    }
    Flow::Next
}
