//! The blocks of a cluster. One thread runs them all.

use crate::running::block::{Block, Turn};
use crate::state::cluster::Cluster;
use crate::state::surroundings::Surroundings;
use crate::state::warp::Program;
use core::cell::Cell;

/// The blocks of a cluster, which can run again and again.
pub struct Unit<'c> {
    blocks: Vec<Block<'c>>,
    open: Vec<bool>,
    cluster: Box<Cluster>,
}

impl<'c> Unit<'c> {
    /// Puts blocks together.
    pub fn new(mut blocks: Vec<Block<'c>>, shape: [u32; 3], bytes: u32) -> Unit<'c> {
        let bases = blocks.iter().map(Block::shared_base).collect();
        let cluster = Box::new(Cluster { shape, bases, bytes, phase: Cell::new(0), arrived: Cell::new(0) });
        for (rank, block) in blocks.iter_mut().enumerate() {
            block.join(&*cluster, rank as u32);
        }
        Unit { open: vec![false; blocks.len()], blocks, cluster }
    }

    /// Makes its blocks those of another launch of the same kernel in the same shape.
    pub fn renew(&mut self, program: &'c Program, around: impl Fn() -> Surroundings) {
        self.blocks.iter_mut().for_each(|block| block.renew(program, around()));
    }

    /// The same without its program, for later.
    pub fn without_program(mut self) -> Unit<'static> {
        self.blocks.iter_mut().for_each(Block::forget_program);
        // SAFETY: types that differ in a lifetime alone; no reference is left that lives shorter.
        unsafe { core::mem::transmute::<Unit<'c>, Unit<'static>>(self) }
    }

    /// Makes it the cluster with a number in a grid of so many blocks.
    pub fn begin(&mut self, number: u64, grid: [u32; 3]) {
        let shape = self.cluster.shape;
        if let ([block], [1, 1, 1], [_, 1, 1]) = (self.blocks.as_mut_slice(), shape, grid) {
            // Most are like this, and divisions take long.
            self.cluster.arrived.set(0);
            self.open[0] = true;
            return block.begin([number as u32, 0, 0]);
        }
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
