//! The nodes at the other ends of a node's edges.

use crate::stream::capture::EdgeData;
use std::collections::HashMap;

/// One side of a node's edges, in the order in which they were added. An edge has a number in its graph, by which it is
/// found on both sides, so that removing a node does not search the other edges of its neighbours.
#[derive(Clone, Default)]
pub(super) struct Ends {
    /// Numbers, which go up, nodes and data. A removed edge has [`GONE`] for a node; the list is cleaned when half of it is
    /// removed.
    list: Vec<(u64, usize, EdgeData)>,
    gone: usize,
}

const GONE: usize = 0;

impl Ends {
    /// Adds an edge, whose number is higher than those before.
    pub fn push(&mut self, number: u64, node: usize, data: EdgeData) {
        self.list.push((number, node, data));
    }

    /// Takes an edge out, if it is there.
    pub fn remove(&mut self, number: u64) {
        let Ok(at) = self.list.binary_search_by_key(&number, |e| e.0) else { return };
        if core::mem::replace(&mut self.list[at].1, GONE) != GONE {
            self.gone += 1;
        }
        if self.gone * 2 > self.list.len() {
            self.list.retain(|e| e.1 != GONE);
            self.list.shrink_to(self.list.len() * 2);
            self.gone = 0;
        }
    }

    fn there(&self) -> impl Iterator<Item = &(u64, usize, EdgeData)> {
        self.list.iter().filter(|e| e.1 != GONE)
    }

    /// The nodes with the data of their edges.
    pub fn iter(&self) -> impl Iterator<Item = (usize, EdgeData)> {
        self.there().map(|&(_, node, data)| (node, data))
    }

    /// The nodes with the numbers of their edges.
    pub fn numbered(&self) -> impl Iterator<Item = (u64, usize)> {
        self.there().map(|&(number, node, _)| (number, node))
    }

    /// The number of an edge.
    pub fn number(&self, node: usize, data: EdgeData) -> Option<u64> {
        self.there().find(|e| (e.1, e.2) == (node, data)).map(|e| e.0)
    }

    /// How many edges there are.
    pub fn len(&self) -> usize {
        self.list.len() - self.gone
    }

    /// True without edges.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The same edges between nodes with other handles.
    pub fn renamed(&self, names: &HashMap<usize, usize>) -> Ends {
        let name = |e: &(u64, usize, EdgeData)| Some((e.0, *names.get(&e.1)?, e.2));
        Ends { list: self.there().filter_map(name).collect(), gone: 0 }
    }
}
