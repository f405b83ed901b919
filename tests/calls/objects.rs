//! What earlier calls made: live objects of every kind, dead ones, and everything that has to be given back.

use std::collections::HashMap;

/// Objects of a kind that calls choose from; what is made beyond this is destroyed again.
pub const MOST: usize = 20;

#[derive(Default)]
pub struct Objects {
    /// By kind.
    pub live: Vec<Vec<u64>>,
    pub dead: Vec<Vec<u64>>,
    /// Everything that was made since the last clearing, in order.
    pub made: Vec<(usize, u64)>,
    /// The nodes of a graph with their sorts, and the graph of an executable one.
    pub nodes: HashMap<u64, Vec<(u64, &'static str)>>,
    pub graph_of: HashMap<u64, u64>,
    /// Reserved addresses with their sizes, and all that were: of two threads one may free what the other gets at once.
    pub ranges: Vec<(u64, u64)>,
    pub reserved: Vec<(u64, u64)>,
    /// Where physical memory was mapped, with sizes: it may reach out of the range that it begins in.
    pub mapped: Vec<(u64, u64)>,
    /// Values of structures that calls wrote or took, by type.
    pub values: HashMap<usize, Vec<Vec<u8>>>,
    /// Descriptors of ours that the driver made.
    pub descriptors: Vec<u64>,
}

impl Objects {
    pub fn new(kinds: usize) -> Objects {
        Objects { live: vec![Vec::new(); kinds], dead: vec![Vec::new(); kinds], ..Objects::default() }
    }

    /// Enters an object. One that has to go instead is returned.
    pub fn enter(&mut self, kind: usize, value: u64, turn: usize) -> Option<u64> {
        self.dead[kind].retain(|&other| other != value);
        if value == 0 || self.live[kind].contains(&value) {
            return None;
        }
        self.made.push((kind, value));
        self.live[kind].push(value);
        (self.live[kind].len() > MOST).then(|| {
            let gone = self.live[kind].swap_remove(turn % MOST);
            self.bury(kind, gone);
            gone
        })
    }

    /// An object that was destroyed.
    pub fn kill(&mut self, value: u64) {
        for kind in 0..self.live.len() {
            self.doubt(kind, value);
        }
        self.nodes.remove(&value);
        self.graph_of.remove(&value);
        self.ranges.retain(|&(base, _)| base != value);
    }

    /// An object that seems to be dead. It will be given back all the same.
    pub fn doubt(&mut self, kind: usize, value: u64) {
        if let Some(at) = self.live[kind].iter().position(|&other| other == value) {
            self.live[kind].swap_remove(at);
            self.bury(kind, value);
        }
    }

    fn bury(&mut self, kind: usize, value: u64) {
        let dead = &mut self.dead[kind];
        dead.push(value);
        if dead.len() > MOST {
            dead.remove(0);
        }
    }

    /// A context died: about half of everything with it, as far as anybody knows.
    pub fn thin(&mut self, turn: usize) {
        for kind in 0..self.live.len() {
            let all = std::mem::take(&mut self.live[kind]);
            for (i, value) in all.into_iter().enumerate() {
                if (turn >> (i % 16)) & 1 == 0 { self.live[kind].push(value) } else { self.bury(kind, value) }
            }
        }
    }

    /// Keeps the value of a structure.
    pub fn keep(&mut self, ty: usize, value: Vec<u8>, turn: usize) {
        let kept = self.values.entry(ty).or_default();
        if kept.len() < 12 { kept.push(value) } else { kept[turn % 12] = value }
    }

    /// Everything that was made since the last time; nothing is left.
    pub fn clear(&mut self) -> Vec<(usize, u64)> {
        let made = std::mem::take(&mut self.made);
        let kinds = self.live.len();
        *self = Objects { values: std::mem::take(&mut self.values), ..Objects::new(kinds) };
        made
    }
}
