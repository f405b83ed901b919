//! The values that registers hold: static single assignment.

use super::effect::{Effect, effect};
use crate::dominators::dominators;
use crate::flow::Graph;
use crate::instruction::Register;
use crate::module::Body;

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
    /// Any value that the register ever holds: in functions with more joins than a program needs, some registers are not
    /// looked at closely.
    Any,
}

/// A value.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The register that holds it.
    pub register: Register,
    /// Where it comes from.
    pub origin: Origin,
    /// Of a join: one value for each block that comes before, in the order of [`Ssa::before`].
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
    /// Registers that are read as [`Origin::Any`] of their values.
    coarse: Vec<bool>,
}

/// Where joins of values defined in a block are needed: for each block its dominance frontier. None if they are too large.
fn frontiers(before: &[Vec<u32>], idom: &[u32]) -> Option<Vec<Vec<u32>>> {
    /// Blocks in all frontiers: loops in loops in loops have as many as their number squared.
    const ENOUGH: usize = 1 << 21;
    let mut count = 0;
    let mut all: Vec<Vec<u32>> = vec![Vec::new(); before.len()];
    for (block, from) in before.iter().enumerate() {
        if from.len() < 2 || idom[block] == u32::MAX {
            continue;
        }
        for &start in from {
            let mut at = start;
            while idom[at as usize] != u32::MAX && at != idom[block] {
                // Another predecessor came through here before.
                if all[at as usize].last() == Some(&(block as u32)) {
                    break;
                }
                all[at as usize].push(block as u32);
                count += 1;
                if at == idom[at as usize] {
                    break;
                }
                at = idom[at as usize];
            }
        }
        if count > ENOUGH {
            return None;
        }
    }
    Some(all)
}

/// How much more work joins may make: a bound that grows with the text, far beyond what compilers write.
struct Left {
    steps: usize,
    values: usize,
}

impl Left {
    fn new(instructions: usize) -> Left {
        Left { steps: (1 << 22) + 64 * instructions, values: (1 << 18) + 16 * instructions }
    }
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
            coarse: vec![false; body.registers.len()],
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
        let ways = |block: usize, n: usize| self.graph.next[block].get(n).copied().filter(|&to| to < blocks);
        // The end comes last among the ways of a block: none is left out behind it.
        let idom = dominators(blocks, 0, ways, |block, n| self.before[block].get(n).map(|&from| from as usize));
        let frontiers = frontiers(&self.before, &idom);
        let (crosses, written) = self.survey(body);
        // Joins, for registers that live in more than one block.
        let mut joins: Vec<Vec<Value>> = vec![Vec::new(); blocks];
        let mut has = vec![u32::MAX; blocks];
        let mut left = Left::new(body.instructions.len());
        let mut now: Vec<Option<Value>> = vec![None; body.registers.len()];
        for register in 0..body.registers.len() {
            if !crosses[register] || written[register].is_empty() {
                continue;
            }
            let joined = frontiers.as_ref().and_then(|frontiers| {
                let mut work = written[register].clone();
                let mut joined = Vec::new();
                while let Some(block) = work.pop() {
                    let frontier = &frontiers[block as usize];
                    left.steps = left.steps.checked_sub(1 + frontier.len())?;
                    for &to in frontier {
                        if has[to as usize] != register as u32 {
                            has[to as usize] = register as u32;
                            left.values = left.values.checked_sub(1 + self.before[to as usize].len())?;
                            joined.push(to);
                            work.push(to);
                        }
                    }
                }
                Some(joined)
            });
            let Some(joined) = joined else {
                left = Left { steps: 0, values: 0 };
                self.coarse[register] = true;
                now[register] = Some(self.value(register as Register, Origin::Any, Vec::new()));
                continue;
            };
            for to in joined {
                let from = vec![Value::MAX; self.before[to as usize].len()];
                let join = self.value(register as Register, Origin::Join(to), from);
                joins[to as usize].push(join);
            }
        }
        // Names, down the tree of dominators.
        let mut children: Vec<Vec<u32>> = vec![Vec::new(); blocks];
        for block in 1..blocks {
            if idom[block] != u32::MAX {
                children[idom[block] as usize].push(block as u32);
            }
        }
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
                let Ok(slot) = self.before[to].binary_search(&block) else { continue };
                for &join in &joins[to] {
                    let value = self.read(self.values[join as usize].register, &mut now);
                    self.values[join as usize].from[slot] = value;
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
        let effect = core::mem::take(&mut self.effects[at]);
        let mut uses: Vec<Value> = effect.uses.iter().map(|&register| self.read(register, now)).collect();
        if body.instructions[at].guard.is_some() {
            uses.extend(effect.defs.iter().map(|&register| self.read(register, now)).collect::<Vec<_>>());
        }
        for &register in &effect.defs {
            let value = self.value(register, Origin::Instruction(at as u32), Vec::new());
            if !self.coarse[register as usize] {
                undone.push((register, now[register as usize].replace(value)));
            }
            self.defs[at].push(value);
        }
        self.effects[at] = effect;
        self.uses[at] = uses;
    }

    /// Values that an instruction reads, or another one that is read.
    pub fn live_values(&self) -> Vec<bool> {
        let ssa = self;
        let mut live = vec![false; ssa.values.len()];
        let mut work: Vec<u32> = ssa.uses.iter().flatten().copied().collect();
        // What an instruction writes counts even if no instruction reads it: it is written nevertheless.
        work.extend(ssa.defs.iter().flatten());
        while let Some(value) = work.pop() {
            if !core::mem::replace(&mut live[value as usize], true)
                && matches!(ssa.values[value as usize].origin, Origin::Join(_))
            {
                work.extend(&ssa.values[value as usize].from);
            }
        }
        live
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
