//! The values that registers hold: static single assignment.

use super::effect::{Effect, effect};
use crate::ptx::Body;
use crate::ptx::flow::Graph;
use crate::ptx::instruction::Register;

/// A value, by number.
pub type Value = u32;

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The register was never written before.
    Undefined,
    /// An instruction writes it.
    Instruction(u32),
    /// It is one of several values at the beginning of a block, depending on where lanes come from.
    Join(u32),
}

/// A value.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The register that holds it.
    pub register: Register,
    /// Where it comes from.
    pub origin: Origin,
    /// What it follows from: the values that the instruction reads, or one for each block that comes before, in the order
    /// of [`Ssa::before`].
    pub from: Vec<Value>,
}

/// A function in static single assignment form.
pub struct Ssa {
    /// Blocks, and where they lead.
    pub graph: Graph,
    /// For each block those that lead to it.
    pub before: Vec<Vec<u32>>,
    /// The block of each instruction.
    pub block_of: Vec<u32>,
    /// What each instruction reads and writes.
    pub effects: Vec<Effect>,
    /// All values.
    pub values: Vec<Definition>,
    /// For each instruction the values that it reads, in the order of [`Effect::uses`]; then, if it is guarded, those that
    /// its results held before.
    pub uses: Vec<Vec<Value>>,
    /// For each instruction the values that it writes, in the order of [`Effect::defs`].
    pub defs: Vec<Vec<Value>>,
    /// How often each value is read, joins included.
    pub count: Vec<u32>,
}

/// The immediate dominator of each block that can be reached; itself for the first one, and `u32::MAX` for others.
pub fn dominators(graph: &Graph, before: &[Vec<u32>]) -> Vec<u32> {
    let count = graph.starts.len();
    let mut order = Vec::with_capacity(count);
    let mut rank = vec![usize::MAX; count];
    let mut seen = vec![false; count];
    if count == 0 {
        return Vec::new();
    }
    let mut stack = vec![(0usize, 0usize)];
    seen[0] = true;
    while let Some((block, at)) = stack.pop() {
        match graph.next[block].get(at) {
            Some(&to) => {
                stack.push((block, at + 1));
                if to < count && !seen[to] {
                    seen[to] = true;
                    stack.push((to, 0));
                }
            }
            None => order.push(block),
        }
    }
    order.reverse();
    for (place, &block) in order.iter().enumerate() {
        rank[block] = place;
    }
    let mut idom = vec![u32::MAX; count];
    idom[0] = 0;
    let mut changed = true;
    while changed {
        changed = false;
        for &block in order.iter().skip(1) {
            let mut new = u32::MAX;
            for &from in &before[block] {
                if idom[from as usize] == u32::MAX {
                    continue;
                }
                new = if new == u32::MAX { from } else { common(&idom, &rank, new, from) };
            }
            if new != idom[block] {
                idom[block] = new;
                changed = true;
            }
        }
    }
    idom
}

fn common(idom: &[u32], rank: &[usize], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        while rank[a as usize] > rank[b as usize] {
            a = idom[a as usize];
        }
        while rank[b as usize] > rank[a as usize] {
            b = idom[b as usize];
        }
    }
    a
}

/// Where joins of values defined in a block are needed: for each block its dominance frontier.
fn frontiers(before: &[Vec<u32>], idom: &[u32]) -> Vec<Vec<u32>> {
    let mut all: Vec<Vec<u32>> = vec![Vec::new(); before.len()];
    for (block, from) in before.iter().enumerate() {
        if from.len() < 2 || idom[block] == u32::MAX {
            continue;
        }
        for &start in from {
            let mut at = start;
            while idom[at as usize] != u32::MAX && at != idom[block] {
                if all[at as usize].last() != Some(&(block as u32)) {
                    all[at as usize].push(block as u32);
                }
                if at == idom[at as usize] {
                    break;
                }
                at = idom[at as usize];
            }
        }
    }
    all
}

impl Ssa {
    /// Finds the values of a function.
    pub fn new(body: &Body<'_>) -> Ssa {
        let graph = Graph::new(body);
        let blocks = graph.starts.len();
        let mut before = vec![Vec::new(); blocks];
        for (block, next) in graph.next.iter().enumerate() {
            for &to in next.iter().filter(|&&to| to < blocks) {
                before[to].push(block as u32);
            }
        }
        let mut block_of = vec![0; body.instructions.len()];
        for block in 0..blocks {
            block_of[graph.range(block, body.instructions.len())].fill(block as u32);
        }
        let effects: Vec<Effect> = body.instructions.iter().map(effect).collect();
        let mut ssa = Ssa {
            before,
            block_of,
            values: Vec::new(),
            uses: vec![Vec::new(); effects.len()],
            defs: vec![Vec::new(); effects.len()],
            effects,
            count: Vec::new(),
            graph,
        };
        ssa.build(body);
        ssa.count = vec![0; ssa.values.len()];
        let joins = ssa.values.iter().filter(|v| matches!(v.origin, Origin::Join(_)));
        for &value in ssa.uses.iter().flatten().chain(joins.flat_map(|v| &v.from)) {
            ssa.count[value as usize] += 1;
        }
        ssa
    }

    fn value(&mut self, register: Register, origin: Origin, from: Vec<Value>) -> Value {
        self.values.push(Definition { register, origin, from });
        self.values.len() as Value - 1
    }

    /// Registers that are read in a block before they are written there, and where each is written.
    fn survey(&self, body: &Body<'_>) -> (Vec<bool>, Vec<Vec<u32>>) {
        let registers = body.registers.len();
        let (mut crosses, mut written) = (vec![false; registers], vec![Vec::<u32>::new(); registers]);
        let mut last = vec![u32::MAX; registers];
        for (at, effect) in self.effects.iter().enumerate() {
            let block = self.block_of[at];
            let guarded = body.instructions[at].guard.is_some();
            let old = effect.defs.iter().filter(|_| guarded);
            for &register in effect.uses.iter().chain(old) {
                crosses[register as usize] |= last[register as usize] != block;
            }
            for &register in &effect.defs {
                last[register as usize] = block;
                if written[register as usize].last() != Some(&block) {
                    written[register as usize].push(block);
                }
            }
        }
        (crosses, written)
    }

    fn build(&mut self, body: &Body<'_>) {
        let blocks = self.graph.starts.len();
        if blocks == 0 {
            return;
        }
        let idom = dominators(&self.graph, &self.before);
        let frontiers = frontiers(&self.before, &idom);
        let (crosses, written) = self.survey(body);
        // Joins, for registers that live in more than one block.
        let mut joins: Vec<Vec<Value>> = vec![Vec::new(); blocks];
        let mut has = vec![u32::MAX; blocks];
        for register in 0..body.registers.len() {
            if !crosses[register] || written[register].is_empty() {
                continue;
            }
            let mut work = written[register].clone();
            while let Some(block) = work.pop() {
                for &to in &frontiers[block as usize] {
                    if has[to as usize] != register as u32 {
                        has[to as usize] = register as u32;
                        let from = vec![Value::MAX; self.before[to as usize].len()];
                        let join = self.value(register as Register, Origin::Join(to), from);
                        joins[to as usize].push(join);
                        work.push(to);
                    }
                }
            }
        }
        // Names, down the tree of dominators.
        let mut children: Vec<Vec<u32>> = vec![Vec::new(); blocks];
        for block in 1..blocks {
            if idom[block] != u32::MAX {
                children[idom[block] as usize].push(block as u32);
            }
        }
        let mut now: Vec<Option<Value>> = vec![None; body.registers.len()];
        let mut undone: Vec<(Register, Option<Value>)> = Vec::new();
        // A block to enter, or a mark to go back to.
        let mut stack: Vec<(u32, Option<usize>)> = vec![(0, None)];
        while let Some((block, mark)) = stack.pop() {
            if let Some(mark) = mark {
                for (register, old) in undone.drain(mark..).rev() {
                    now[register as usize] = old;
                }
                continue;
            }
            stack.push((block, Some(undone.len())));
            for &join in &joins[block as usize] {
                let register = self.values[join as usize].register;
                undone.push((register, now[register as usize].replace(join)));
            }
            for at in self.graph.range(block as usize, body.instructions.len()) {
                self.rename(body, at, &mut now, &mut undone);
            }
            for edge in 0..self.graph.next[block as usize].len() {
                let to = self.graph.next[block as usize][edge];
                if to >= blocks {
                    continue;
                }
                let slots = self.before[to].iter().enumerate().filter(|b| *b.1 == block).map(|b| b.0);
                let slots: Vec<usize> = slots.collect();
                for &join in &joins[to] {
                    let value = self.read(self.values[join as usize].register, &mut now);
                    for &slot in &slots {
                        self.values[join as usize].from[slot] = value;
                    }
                }
            }
            stack.extend(children[block as usize].iter().map(|&child| (child, None)));
        }
        // Blocks that cannot be reached lead nowhere that counts.
        for definition in &mut self.values {
            definition.from.retain(|&value| value != Value::MAX);
        }
    }

    fn read(&mut self, register: Register, now: &mut [Option<Value>]) -> Value {
        if let Some(value) = now[register as usize] {
            return value;
        }
        self.value(register, Origin::Undefined, Vec::new())
    }

    fn rename(
        &mut self,
        body: &Body<'_>,
        at: usize,
        now: &mut [Option<Value>],
        undone: &mut Vec<(Register, Option<Value>)>,
    ) {
        let effect = self.effects[at].clone();
        let mut uses: Vec<Value> = effect.uses.iter().map(|&register| self.read(register, now)).collect();
        if body.instructions[at].guard.is_some() {
            uses.extend(effect.defs.iter().map(|&register| self.read(register, now)).collect::<Vec<_>>());
        }
        for &register in &effect.defs {
            let value = self.value(register, Origin::Instruction(at as u32), uses.clone());
            undone.push((register, now[register as usize].replace(value)));
            self.defs[at].push(value);
        }
        self.uses[at] = uses;
    }

    /// The value that a register holds when an instruction begins, if the instruction's block says so.
    pub fn held(&self, register: Register, at: usize) -> Option<Value> {
        let start = self.graph.starts[self.block_of[at] as usize];
        (start..at).rev().find_map(|before| {
            let written = self.effects[before].defs.iter().rposition(|&r| r == register);
            let read = self.effects[before].uses.iter().position(|&r| r == register);
            match (written, read) {
                (Some(n), _) => self.defs[before].get(n).copied(),
                (None, Some(n)) => self.uses[before].get(n).copied(),
                _ => None,
            }
        })
    }
}
