//! Paths through a function and where they meet.

use super::{Body, Instruction, Operand};

/// No instruction: the end of the function.
pub const END: usize = usize::MAX;

/// Where control may go from an instruction, other than to the next one; and whether it may go there.
fn successors(body: &Body<'_>, at: usize, instruction: &Instruction<'_>) -> (Vec<usize>, bool) {
    let guarded = instruction.guard.is_some();
    let labels = |operands: &[Operand<'_>]| -> Vec<usize> {
        let label = |o: &Operand<'_>| if let Operand::Label(to) = o { Some(*to) } else { None };
        operands.iter().filter_map(label).collect()
    };
    let _ = at;
    match instruction.opcode {
        "bra" => (labels(&instruction.operands), guarded),
        "brx" => {
            let list = instruction.operands.iter().find_map(|o| match o {
                Operand::Symbol(name, _) => body.targets.iter().find(|t| t.0 == *name),
                _ => None,
            });
            (list.map_or_else(Vec::new, |t| t.1.clone()), guarded)
        }
        "ret" | "exit" => (vec![END], guarded),
        // What comes behind a trap does not count.
        "trap" => (vec![END], guarded),
        _ => (Vec::new(), true),
    }
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
        let mut first = vec![false; count + 1];
        first[0] = true;
        let mut flows = Vec::with_capacity(count);
        for (at, instruction) in body.instructions.iter().enumerate() {
            let flow = successors(body, at, instruction);
            if !flow.0.is_empty() || !flow.1 {
                first[at + 1] = true;
            }
            for &to in flow.0.iter().filter(|&&to| to < count) {
                first[to] = true;
            }
            flows.push(flow);
        }
        let starts: Vec<usize> = (0..count).filter(|&at| first[at]).collect();
        let mut block_of = vec![starts.len(); count + 1];
        for (block, &start) in starts.iter().enumerate() {
            let end = starts.get(block + 1).copied().unwrap_or(count);
            block_of[start..end].fill(block);
        }
        let next = (0..starts.len())
            .map(|block| {
                let last = starts.get(block + 1).copied().unwrap_or(count) - 1;
                let (to, falls) = &flows[last];
                let mut next: Vec<usize> =
                    to.iter().map(|&to| if to >= count { starts.len() } else { block_of[to] }).collect();
                if *falls {
                    next.push(block_of[last + 1]);
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
    pub fn meeting_points(&self) -> Vec<usize> {
        let end = self.starts.len();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); end + 1];
        for (block, next) in self.next.iter().enumerate() {
            for &to in next {
                before[to].push(block);
            }
        }
        // Blocks in an order in which most come behind their successors: backwards from the end, and what cannot reach
        // it (an endless loop) last.
        let mut order = Vec::with_capacity(end + 1);
        let mut seen = vec![false; end + 1];
        let mut visit = |from: usize, order: &mut Vec<usize>| {
            let mut stack = vec![(from, 0usize)];
            seen[from] = true;
            while let Some((block, at)) = stack.pop() {
                if let Some(&to) = before[block].get(at) {
                    stack.push((block, at + 1));
                    if !seen[to] {
                        seen[to] = true;
                        stack.push((to, 0));
                    }
                } else {
                    order.push(block);
                }
            }
        };
        visit(end, &mut order);
        order.reverse();
        let mut rank = vec![usize::MAX; end + 1];
        for (place, &block) in order.iter().enumerate() {
            rank[block] = place;
        }
        let none = usize::MAX;
        let mut meets = vec![none; end + 1];
        meets[end] = end;
        let mut changed = true;
        while changed {
            changed = false;
            for &block in order.iter().skip(1) {
                let mut meet = none;
                for &to in &self.next[block] {
                    if meets[to] == none {
                        continue;
                    }
                    meet = if meet == none { to } else { intersect(&meets, &rank, meet, to) };
                }
                if meet != none && meets[block] != meet {
                    meets[block] = meet;
                    changed = true;
                }
            }
        }
        meets.truncate(end);
        // What never reaches the end meets nowhere.
        meets.iter().map(|&m| if m == none { end } else { m }).collect()
    }
}

fn intersect(meets: &[usize], rank: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while rank[a] > rank[b] {
            a = meets[a];
        }
        while rank[b] > rank[a] {
            b = meets[b];
        }
    }
    a
}

/// For each instruction that may send the lanes of a warp different ways, where they meet again: an instruction, or
/// [`END`]. Others have [`END`], too.
pub fn reconvergence(body: &Body<'_>) -> Vec<usize> {
    let graph = Graph::new(body);
    let meets = graph.meeting_points();
    let mut points = vec![END; body.instructions.len()];
    for (block, &meet) in meets.iter().enumerate() {
        let last = graph.starts.get(block + 1).copied().unwrap_or(body.instructions.len()) - 1;
        points[last] = graph.starts.get(meet).copied().unwrap_or(END);
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
