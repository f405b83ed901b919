//! Regions of divergence.

use crate::ptx::flow::Graph;

/// What a branch that parts the lanes of a warp does to the blocks behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The block that ends with the branch.
    pub branch: u32,
    /// Where all lanes meet again; none if that is the end of the function.
    pub meet: Option<u32>,
    /// Blocks that lanes may be in while others are elsewhere, ascending.
    pub blocks: Vec<u32>,
    /// Lanes may leave a loop while others go on in it.
    pub cyclic: bool,
}

/// The region of the branch at the end of a block, whose lanes meet again at `meet` (the number of blocks for the end).
pub fn region(graph: &Graph, branch: usize, meet: usize) -> Region {
    let count = graph.starts.len();
    let mut inside = vec![false; count];
    let mut stack: Vec<usize> = graph.next[branch].clone();
    while let Some(block) = stack.pop() {
        if block < count && block != meet && !inside[block] {
            inside[block] = true;
            stack.extend(&graph.next[block]);
        }
    }
    let blocks: Vec<u32> = (0..count as u32).filter(|&block| inside[block as usize]).collect();
    // A way inside that comes back to where it was: a depth-first search meets a block that it is still in.
    let mut state = vec![0u8; count];
    let mut cyclic = false;
    for &start in &blocks {
        if state[start as usize] != 0 {
            continue;
        }
        let mut path = vec![(start as usize, 0usize)];
        state[start as usize] = 1;
        while let Some((block, at)) = path.pop() {
            match graph.next[block].get(at) {
                Some(&to) => {
                    path.push((block, at + 1));
                    if to < count && inside[to] {
                        cyclic |= state[to] == 1;
                        if state[to] == 0 {
                            state[to] = 1;
                            path.push((to, 0));
                        }
                    }
                }
                None => state[block] = 2,
            }
        }
    }
    Region { branch: branch as u32, meet: (meet < count).then_some(meet as u32), blocks, cyclic }
}
