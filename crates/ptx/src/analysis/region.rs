//! Regions of divergence.

use crate::flow::Graph;

/// What a branch that parts the lanes of a warp does to the blocks behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The block that ends with the branch.
    pub branch: u32,
    /// Where all lanes reconverge; none if that is the end of the function.
    pub reconvergence: Option<u32>,
    /// Blocks that lanes may be in while others are elsewhere, ascending.
    pub blocks: Vec<u32>,
    /// Lanes may leave a loop while others go on in it.
    pub cyclic: bool,
}

/// Finds regions. What one takes depends on its own size, not on that of the function.
pub struct Finder {
    /// For each block the last region that it was found in, and whether the search is still in it.
    inside: Vec<u32>,
    open: Vec<bool>,
    number: u32,
    stack: Vec<(u32, u32)>,
}

impl Finder {
    /// For functions with so many blocks.
    pub fn new(blocks: usize) -> Finder {
        Finder { inside: vec![0; blocks], open: vec![false; blocks], number: 0, stack: Vec::new() }
    }

    /// Whether a block is in the region that was found last.
    pub fn is_inside(&self, block: u32) -> bool {
        self.inside[block as usize] == self.number
    }

    /// The region of the branch at the end of a block, whose lanes reconverge at `reconvergence` (the number of blocks for the end).
    /// What it takes is taken off `work`; none if that is not enough.
    pub fn find(&mut self, graph: &Graph, branch: usize, reconvergence: usize, work: &mut usize) -> Option<Region> {
        let count = graph.starts.len();
        self.number += 1;
        self.stack.clear();
        let (mut blocks, mut cyclic) = (Vec::new(), false);
        for &start in &graph.next[branch] {
            if start >= count || start == reconvergence || self.inside[start] == self.number {
                continue;
            }
            self.inside[start] = self.number;
            self.open[start] = true;
            self.stack.push((start as u32, 0));
            // In depth: a way that comes back to a block that the search is still in is a loop.
            while let Some((block, way)) = self.stack.pop() {
                let Some(&to) = graph.next[block as usize].get(way as usize) else {
                    self.open[block as usize] = false;
                    blocks.push(block);
                    continue;
                };
                let Some(left) = work.checked_sub(1) else {
                    self.open.fill(false);
                    return None;
                };
                *work = left;
                self.stack.push((block, way + 1));
                if to >= count || to == reconvergence {
                    continue;
                }
                if self.inside[to] != self.number {
                    self.inside[to] = self.number;
                    self.open[to] = true;
                    self.stack.push((to as u32, 0));
                } else {
                    cyclic |= self.open[to];
                }
            }
        }
        blocks.sort_unstable();
        Some(Region {
            branch: branch as u32,
            reconvergence: (reconvergence < count).then_some(reconvergence as u32),
            blocks,
            cyclic,
        })
    }
}
