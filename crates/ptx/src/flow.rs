//! Paths through a function and where they reconverge.

use crate::dominators::{NONE, dominators};
use crate::instruction::{Instruction, Operand};
use crate::module::Body;
use crate::opcode::ControlFlow;
use foldhash::HashMap;

/// No instruction: the end of the function.
pub const END: usize = usize::MAX;

/// Lists of labels, by name.
type Tables<'t, 'a> = HashMap<&'a str, &'t [usize]>;

fn tables<'t, 'a>(body: &'t Body<'a>) -> Tables<'t, 'a> {
    // Of two with the same name the first one counts.
    body.targets.iter().rev().map(|(name, labels)| (*name, labels.as_slice())).collect()
}

/// Where control may go from an instruction, other than to the next one; and whether it may go there.
fn successors<'t>(tables: &Tables<'t, '_>, instruction: &Instruction<'_>) -> (Ways<'t>, bool) {
    let guarded = instruction.guard.is_some();
    match instruction.opcode.control_flow() {
        ControlFlow::Branch => {
            let label = |o: &Operand<'_>| if let Operand::Label(to) = o { Some(*to) } else { None };
            (instruction.operands.iter().find_map(label).map_or(Ways::None, Ways::One), guarded)
        }
        ControlFlow::Table => {
            let list = instruction.operands.iter().find_map(|o| match o {
                Operand::Symbol(name, _) => tables.get(name).copied(),
                _ => None,
            });
            (list.map_or(Ways::None, Ways::Many), guarded)
        }
        // What comes behind a trap does not count.
        ControlFlow::End => (Ways::One(END), guarded),
        ControlFlow::Next => (Ways::None, true),
    }
}

/// Instructions that one leads to.
#[derive(Clone, Copy)]
enum Ways<'t> {
    None,
    One(usize),
    Many(&'t [usize]),
}

impl Ways<'_> {
    fn as_slice(&self) -> &[usize] {
        match self {
            Ways::None => &[],
            Ways::One(to) => core::slice::from_ref(to),
            Ways::Many(all) => all,
        }
    }
}

/// How many ways lead from one instruction of a body to another that is not the next one.
pub fn edges(body: &Body<'_>) -> usize {
    let tables = tables(body);
    let jumps = body.instructions.iter().filter(|i| i.opcode.branches());
    jumps.map(|i| successors(&tables, i).0.as_slice().len()).sum()
}

/// The basic blocks of a function.
pub struct Graph {
    /// First instruction of each block, ascending.
    pub starts: Vec<usize>,
    /// Blocks that follow; `starts.len()` is the end.
    pub next: Vec<Vec<usize>>,
}

impl Graph {
    /// Cuts a body into blocks.
    pub fn new(body: &Body<'_>) -> Graph {
        let count = body.instructions.len();
        let tables = tables(body);
        let mut first = vec![false; count + 1];
        first[0] = true;
        for (at, instruction) in body.instructions.iter().enumerate() {
            let (to, falls) = successors(&tables, instruction);
            if !to.as_slice().is_empty() || !falls {
                first[at + 1] = true;
            }
            for &to in to.as_slice().iter().filter(|&&to| to < count) {
                first[to] = true;
            }
        }
        let starts: Vec<usize> = (0..count).filter(|&at| first[at]).collect();
        let mut block_of = vec![starts.len() as u32; count + 1];
        for (block, &start) in starts.iter().enumerate() {
            let end = starts.get(block + 1).copied().unwrap_or(count);
            block_of[start..end].fill(block as u32);
        }
        let next = (0..starts.len())
            .map(|block| {
                let last = starts.get(block + 1).copied().unwrap_or(count) - 1;
                let (to, falls) = successors(&tables, &body.instructions[last]);
                let place = |&to: &usize| if to >= count { starts.len() } else { block_of[to] as usize };
                let mut next: Vec<usize> = to.as_slice().iter().map(place).collect();
                if falls {
                    next.push(block_of[last + 1] as usize);
                }
                next.sort_unstable();
                next.dedup();
                next
            })
            .collect();
        Graph { starts, next }
    }

    /// The instructions of a block, of a body with so many.
    pub fn range(&self, block: usize, count: usize) -> core::ops::Range<usize> {
        self.starts[block]..self.starts.get(block + 1).copied().unwrap_or(count)
    }

    /// For each block the nearest block that every path from it to the end passes through: its immediate
    /// post-dominator. `starts.len()` is the end of the function.
    pub fn reconvergence_blocks(&self) -> Vec<usize> {
        let end = self.starts.len();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); end + 1];
        for (block, next) in self.next.iter().enumerate() {
            for &to in next {
                before[to].push(block);
            }
        }
        let ways = |block: usize, n: usize| self.next.get(block).and_then(|next| next.get(n)).copied();
        let mut points = dominators(end + 1, end, |block, n| before[block].get(n).copied(), ways);
        points.truncate(end);
        // What never reaches the end reconverges nowhere.
        points.iter().map(|&m| if m == NONE { end } else { m as usize }).collect()
    }
}

/// For each instruction that may send the lanes of a warp different ways, where they reconverge: an instruction, or
/// [`END`]. Others have [`END`], too.
pub fn reconvergence(body: &Body<'_>) -> Vec<usize> {
    let graph = Graph::new(body);
    let blocks = graph.reconvergence_blocks();
    let mut points = vec![END; body.instructions.len()];
    for (block, &at) in blocks.iter().enumerate() {
        let last = graph.starts.get(block + 1).copied().unwrap_or(body.instructions.len()) - 1;
        points[last] = graph.starts.get(at).copied().unwrap_or(END);
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(code: &str) -> Vec<usize> {
        let text = format!(
            ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() {{ .reg .pred %p; .reg .u32 %r<9>;\n{code} }}"
        );
        let module = super::super::parse(&text).unwrap();
        reconvergence(module.functions[0].body.as_ref().unwrap())
    }

    #[test]
    fn branches_meet_behind_both_sides() {
        // 0: bra A; 1: add; 2: bra B; A 3: add; B 4: ret
        let p = points("@%p bra A; add.u32 %r1,%r1,1; bra B; A: add.u32 %r1,%r1,2; B: ret;");
        assert_eq!(p[0], 4);
    }

    #[test]
    fn loops_meet_behind_their_end() {
        // L 0: add; 1: bra L; 2: ret
        assert_eq!(points("L: add.u32 %r1,%r1,1; @%p bra L; ret;")[1], 2);
        // An early return: only the end is common.
        assert_eq!(points("@%p ret; add.u32 %r1,%r1,1; @%p bra E; add.u32 %r1,%r1,2; E: ret;")[0], END);
        // No way to the end.
        assert_eq!(points("L: @%p bra M; bra L; M: bra L;")[0], END);
    }
}
