//! Dominators of a graph, by Lengauer and Tarjan: nearly as many steps as the graph has edges, whatever it looks like.

/// No node.
pub const NONE: u32 = u32::MAX;

/// The immediate dominator of each of `count` nodes that can be reached from `root`; itself for `root`, [`NONE`] for others.
/// `next` and `before` give the n-th node behind or in front of one.
pub fn dominators(
    count: usize,
    root: usize,
    next: impl Fn(usize, usize) -> Option<usize>,
    before: impl Fn(usize, usize) -> Option<usize>,
) -> Vec<u32> {
    let mut idom = vec![NONE; count];
    if root >= count {
        return idom;
    }
    // Nodes in the order of a search in depth; from here on they go by their places in it.
    let (mut order, mut parent, mut place) = (Vec::new(), Vec::new(), vec![NONE; count]);
    let mut stack = vec![(root, 0usize)];
    place[root] = 0;
    order.push(root as u32);
    parent.push(NONE);
    while let Some((node, n)) = stack.pop() {
        let Some(to) = next(node, n) else { continue };
        stack.push((node, n + 1));
        if place[to] == NONE {
            place[to] = order.len() as u32;
            order.push(to as u32);
            parent.push(place[node]);
            stack.push((to, 0));
        }
    }
    let reached = order.len();
    let mut forest = Forest {
        ancestor: vec![NONE; reached],
        label: (0..reached as u32).collect(),
        semi: (0..reached as u32).collect(),
        path: Vec::new(),
    };
    let mut found = vec![0u32; reached];
    // Lists of nodes with the same semidominator.
    let (mut first, mut other) = (vec![NONE; reached], vec![NONE; reached]);
    for node in (1..reached as u32).rev() {
        let at = order[node as usize] as usize;
        for from in (0..).map_while(|n| before(at, n)).map(|from| place[from]).filter(|&from| from != NONE) {
            let best = forest.best(from);
            let semi = forest.semi[best as usize];
            let own = &mut forest.semi[node as usize];
            *own = semi.min(*own);
        }
        let semi = forest.semi[node as usize] as usize;
        other[node as usize] = first[semi];
        first[semi] = node;
        let up = parent[node as usize];
        forest.ancestor[node as usize] = up;
        let mut waiting = core::mem::replace(&mut first[up as usize], NONE);
        while waiting != NONE {
            let best = forest.best(waiting);
            let earlier = forest.semi[best as usize] < forest.semi[waiting as usize];
            found[waiting as usize] = if earlier { best } else { up };
            waiting = other[waiting as usize];
        }
    }
    for node in 1..reached {
        if found[node] != forest.semi[node] {
            found[node] = found[found[node] as usize];
        }
    }
    for (node, &at) in order.iter().enumerate() {
        idom[at as usize] = order[found[node] as usize];
    }
    idom
}

/// The part of the search's tree that was visited, with short cuts.
struct Forest {
    ancestor: Vec<u32>,
    /// The node with the least semidominator on the way up.
    label: Vec<u32>,
    semi: Vec<u32>,
    path: Vec<u32>,
}

impl Forest {
    fn best(&mut self, node: u32) -> u32 {
        let up = |of: &Self, at: u32| of.ancestor[at as usize];
        if up(self, node) == NONE {
            return node;
        }
        let mut at = node;
        while up(self, up(self, at)) != NONE {
            self.path.push(at);
            at = up(self, at);
        }
        while let Some(at) = self.path.pop() {
            let above = up(self, at);
            let (own, its) = (self.label[at as usize], self.label[above as usize]);
            if self.semi[its as usize] < self.semi[own as usize] {
                self.label[at as usize] = its;
            }
            self.ancestor[at as usize] = up(self, above);
        }
        self.label[node as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What cannot be reached without a node is dominated by it.
    fn by_definition(next: &[Vec<usize>]) -> Vec<u32> {
        let count = next.len();
        let reached = |without: usize| {
            let mut seen = vec![false; count];
            let mut stack = vec![0];
            while let Some(node) = stack.pop() {
                if node != without && !core::mem::replace(&mut seen[node], true) {
                    stack.extend(&next[node]);
                }
            }
            seen
        };
        let all = reached(count);
        let dominated: Vec<Vec<bool>> = (0..count).map(reached).collect();
        let dominates = |a: usize, b: usize| a == b || all[b] && !dominated[a][b];
        let nearest = |node: usize| {
            let mut strict = (0..count).filter(|&a| a != node && all[a] && dominates(a, node));
            // The one that all others dominate.
            strict.clone().find(|&a| strict.clone().all(|b| dominates(b, a))).or(strict.next())
        };
        (0..count)
            .map(|node| match (all[node], node) {
                (false, _) => NONE,
                (_, 0) => 0,
                _ => nearest(node).unwrap() as u32,
            })
            .collect()
    }

    fn of(next: &[Vec<usize>]) -> Vec<u32> {
        let mut before = vec![Vec::new(); next.len()];
        for (node, all) in next.iter().enumerate() {
            all.iter().for_each(|&to| before[to].push(node));
        }
        dominators(next.len(), 0, |node, n| next[node].get(n).copied(), |node, n| before[node].get(n).copied())
    }

    #[test]
    fn graphs_of_all_kinds() {
        let mut seed = 1u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below
        };
        for round in 0..400 {
            let count = 1 + random(14);
            let next: Vec<Vec<usize>> =
                (0..count).map(|_| (0..random(4)).map(|_| random(count)).collect::<Vec<_>>()).collect();
            assert_eq!(of(&next), by_definition(&next), "round {round}: {next:?}");
        }
        assert!(dominators(0, 0, |_, _| None, |_, _| None).is_empty());
    }

    #[test]
    fn long_chains() {
        // Each node leads to the next one and to the last: a search up and down for each would take 10^10 steps.
        let count = 200_000;
        let next: Vec<Vec<usize>> =
            (0..count).map(|n| if n + 1 < count { vec![n + 1, count - 1] } else { vec![] }).collect();
        let idom = of(&next);
        assert!((1..count - 1).all(|n| idom[n] == n as u32 - 1));
        assert_eq!(idom[count - 1], 0);
    }
}
