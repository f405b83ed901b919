//! The blocks of a cluster. One thread runs them all.

use crate::running::block::{Block, Place, Turn};
use crate::state::cluster::Cluster;
use crate::state::core_dump::BlockState;
use crate::state::surroundings::Surroundings;
use crate::state::warp::Program;
use core::cell::Cell;
use std::sync::{Arc, Weak};

/// The blocks of a cluster, which can run again and again.
pub struct Unit<'c> {
    /// What it belongs to. Not held, but its address is not given to another one as long as this is here.
    program: Weak<Program>,
    blocks: Vec<Block<'c>>,
    open: Vec<bool>,
    cluster: Box<Cluster>,
    /// Number and place of the block that it is, if it has one alone.
    last: (u64, Place),
    /// The block that went wrong.
    faulty: Option<usize>,
}

impl<'c> Unit<'c> {
    /// Puts blocks together.
    pub fn new(program: &Arc<Program>, mut blocks: Vec<Block<'c>>, shape: [u32; 3], bytes: u32) -> Unit<'c> {
        let bases = blocks.iter().map(Block::shared_base).collect();
        let cluster = Box::new(Cluster { shape, bases, bytes, phase: Cell::new(0), arrived: Cell::new(0) });
        for (rank, block) in blocks.iter_mut().enumerate() {
            block.join(&*cluster, rank as u32);
        }
        let (program, open) = (Arc::downgrade(program), vec![false; blocks.len()]);
        Unit { program, open, blocks, cluster, last: (0, Place::from([0; 3])), faulty: None }
    }

    /// Makes its blocks those of another launch of the same kernel in the same shape.
    pub fn renew(&mut self, program: &'c Program, around: impl Fn() -> Surroundings) {
        self.blocks.iter_mut().for_each(|block| block.renew(program, around()));
    }

    /// True for the program that it belongs to.
    pub fn is_of(&self, program: &Arc<Program>) -> bool {
        core::ptr::eq(self.program.as_ptr(), Arc::as_ptr(program))
    }

    /// Its program is still there.
    pub fn has_program(&self) -> bool {
        self.program.strong_count() > 0
    }

    /// The same without a reference to its program, for later.
    pub fn without_program(mut self) -> Unit<'static> {
        self.blocks.iter_mut().for_each(Block::forget_program);
        // SAFETY: types that differ in a lifetime alone; no reference is left that lives shorter.
        unsafe { core::mem::transmute::<Unit<'c>, Unit<'static>>(self) }
    }

    /// Makes it the cluster with a number in a grid of so many blocks.
    pub fn begin(&mut self, number: u64, grid: [u32; 3]) {
        let shape = self.cluster.shape;
        if let ([block], [1, 1, 1]) = (self.blocks.as_mut_slice(), shape) {
            self.cluster.arrived.set(0);
            self.open[0] = true;
            self.last = (number, Place::from(place_of(number, grid)));
            return block.begin(self.last.1);
        }
        let [across, down] = [grid[0] / shape[0], grid[1] / shape[1]].map(u64::from);
        let cluster = [number % across, number / across % down, number / (across * down)];
        self.cluster.arrived.set(0);
        self.open.fill(true);
        for (rank, block) in self.blocks.iter_mut().enumerate() {
            let rank = rank as u32;
            let inner = [rank % shape[0], rank / shape[0] % shape[1], rank / (shape[0] * shape[1])];
            block.begin(Place::from([0, 1, 2].map(|axis| cluster[axis] as u32 * shape[axis] + inner[axis])));
        }
    }

    /// What is in the block that went wrong, or in the first that has not ended, and the number of the launch.
    pub fn core_state(&self) -> Option<(BlockState, u64)> {
        let at = self.faulty.or_else(|| self.open.iter().position(|&open| open)).unwrap_or(0);
        let block = self.blocks.get(at)?;
        Some((block.core_state(self.faulty.is_some()), block.grid_id()))
    }

    /// Whether warps have come to a `nanosleep` since this was asked last.
    pub fn has_slept(&mut self) -> bool {
        self.blocks.iter_mut().fold(false, |slept, block| block.has_slept() | slept)
    }

    /// Runs the blocks until all have ended or none gets anywhere. A single one that has ended goes on as the block with the number
    /// that `next` gives, if it gives one, in a grid of so many blocks.
    pub fn run(&mut self, next: &mut dyn FnMut() -> Option<u64>, grid: [u32; 3]) -> Turn {
        let (cluster, last, alone) = (&self.cluster, &mut self.last, self.blocks.len() == 1);
        let mut next = || {
            let number = if alone { next()? } else { return None };
            cluster.arrived.set(0);
            *last = (number, place_after(*last, number, grid));
            Some(last.1)
        };
        loop {
            let mut moved = false;
            let open = self.blocks.iter_mut().zip(&mut self.open).enumerate();
            for (at, (block, open)) in open.filter(|(_, (_, open))| **open) {
                match block.run(&mut next) {
                    Turn::Done => (*open, moved) = (false, true),
                    Turn::Spins => {}
                    fault => {
                        self.faulty = Some(at);
                        return fault;
                    }
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

/// Where the block with a number is in a grid.
fn place_of(number: u64, grid: [u32; 3]) -> [u32; 3] {
    let [across, down] = [grid[0], grid[1]].map(u64::from);
    [number % across, number / across % down, number / (across * down)].map(|axis| axis as u32)
}

/// The same, where the place of another one is known: divisions take long, and nearly always it is the next one.
#[inline]
fn place_after((last, place): (u64, Place), number: u64, grid: [u32; 3]) -> Place {
    if number == last + 1 {
        if place.x() + 1 < grid[0] {
            return place.right();
        }
        if place.y() + 1 < grid[1] {
            return place.below();
        }
    }
    Place::from(place_of(number, grid))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_follow_each_other() {
        for grid in [[7, 1, 1], [1, 5, 1], [3, 4, 5], [1, 1, 9], [2, 1, 3]] {
            let all = grid.iter().product::<u32>().into();
            for (from, to) in (0..all).flat_map(|from| (0..all).map(move |to| (from, to))) {
                assert_eq!(
                    place_after((from, Place::from(place_of(from, grid))), to, grid),
                    Place::from(place_of(to, grid)),
                    "{grid:?} {from} {to}"
                );
            }
        }
    }
}
