//! Bitwise operations of whose results another one is the only reader: both are one operation of three numbers, for which the
//! AVX-512 level has an instruction. Sums of hashes are little else.

use crate::flow::{Flow, counts, results};
use crate::operation::Operation;
use crate::unit::{SLOT, Step, UNGUARDED, Unit};
use crate::values::{Source, Values};

/// The tables of three inputs: bit `4 * a + 2 * b + c` is what is given for bits `a`, `b` and `c`.
const INPUTS: [u8; 3] = [0xf0, 0xcc, 0xaa];
/// Operations that wait for a reader at a time.
const MOST_OPEN: usize = 16;

/// A bitwise function of up to three operands.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Function {
    operands: [u32; 3],
    count: usize,
    table: u8,
}

impl Function {
    fn operand(offset: u32) -> Function {
        Function { operands: [offset; 3], count: 1, table: INPUTS[0] }
    }

    /// The place of an operand, which becomes one if there is room.
    fn place(&mut self, offset: u32) -> Option<usize> {
        let known = self.operands[..self.count].iter().position(|&own| own == offset);
        known.or_else(|| {
            *self.operands.get_mut(self.count)? = offset;
            self.count += 1;
            Some(self.count - 1)
        })
    }

    /// A function of functions. None: it has more than three operands.
    fn of(table: u8, parts: &[Function]) -> Option<Function> {
        let mut all = Function { operands: [u32::MAX; 3], count: 0, table: 0 };
        let mut tables = [0; 3];
        for (to, part) in tables.iter_mut().zip(parts) {
            let mut places = [0; 3];
            for (place, &operand) in places.iter_mut().zip(&part.operands[..part.count]) {
                *place = all.place(operand)?;
            }
            *to = compose(part.table, places.map(|place| INPUTS[place]));
        }
        all.table = compose(table, tables);
        let first = all.operands[0];
        all.operands[all.count..].fill(first);
        Some(all)
    }
}

/// The table of a function of three others.
fn compose(table: u8, [a, b, c]: [u8; 3]) -> u8 {
    (0..8).fold(0, |result, bit| {
        let of = |table: u8, place: u8| (table >> bit & 1) << place;
        result | (table >> (of(a, 2) | of(b, 1) | of(c, 0)) & 1) << bit
    })
}

/// A table whose operands stand in another order: place `n` of the new one has operand `order[n]` of the old one.
pub fn reorder(table: u8, order: [usize; 3]) -> u8 {
    let mut inputs = [0; 3];
    for (new, &old) in order.iter().enumerate() {
        inputs[old] = INPUTS[new];
    }
    compose(table, inputs)
}

/// A result that waits for its reader.
struct Open {
    at: usize,
    register: u32,
    wide: bool,
    function: Function,
}

/// The table of a bitwise step, how many operands it has, and whether they have 64 bits.
fn bitwise(step: &Step, values: &Values) -> Option<(u8, usize, bool)> {
    let [a, b, _] = INPUTS;
    Some(match step.operation {
        Operation::And { wide } => (a & b, 2, wide),
        Operation::Or { wide } => (a | b, 2, wide),
        Operation::Xor { wide } => (a ^ b, 2, wide),
        Operation::Not { wide } => (!a, 1, wide),
        Operation::Lop3 => match values.source(step.from[3]) {
            Source::Constant(table) => (table as u8, 3, false),
            _ => return None,
        },
        _ => return None,
    })
}

/// Whether a step works on registers of its own lane and never leaves the code: what is not worked out before it may be behind it.
fn stays(step: &Step) -> bool {
    use Operation::*;
    let known = match step.operation {
        Copy { .. } | And { .. } | Or { .. } | Xor { .. } | Not { .. } | Shl { .. } | Select { .. } | Funnel { .. } => {
            true
        }
        Add(n) | Sub(n) | Mul(n) | Min(n) | Max(n) | Shr(n) => !n.is_float() && n.narrow().is_none(),
        Lop3 | Nothing => true,
        _ => false,
    };
    known && !step.manner.saturate
}

/// Makes one operation of several.
pub fn fuse(unit: &mut Unit, flow: &Flow, values: &Values) {
    if unit.steps.iter().filter(|step| bitwise(step, values).is_some()).nth(1).is_none() {
        return;
    }
    let counts = counts(unit);
    let mut open: Vec<Open> = Vec::new();
    for block in 0..flow.count() {
        open.clear();
        for at in flow.range(block) {
            let step = &unit.steps[at];
            if !stays(step) || results(step).any(|to| values.kept(to / SLOT).is_some()) {
                open.clear();
                continue;
            }
            let made = bitwise(step, values).filter(|_| step.guard == UNGUARDED && !step.left);
            let found = made.and_then(|made| find(step, made, &open));
            for written in results(step).map(|to| to / SLOT) {
                open.retain(|open| {
                    open.register != written && open.function.operands.iter().all(|&own| own / SLOT != written)
                });
            }
            let (Some((_, _, wide)), Some((function, parts))) = (made, found) else { continue };
            let to = step.to[0];
            if !parts.is_empty() {
                let step = &mut unit.steps[at];
                step.operation = Operation::Bitwise { table: function.table, wide };
                step.from[..3].copy_from_slice(&function.operands);
            }
            for part in parts {
                unit.steps[part].operation = Operation::Nothing;
            }
            let register = to / SLOT;
            let vector = matches!(values.source(to), Source::Vector { .. });
            if vector && counts.get(register as usize) == Some(&(1, 1)) {
                if open.len() == MOST_OPEN {
                    open.remove(0);
                }
                open.push(Open { at, register, wide, function });
            }
        }
    }
}

/// What a step gives as a function of what is read by it and by those before it that it alone reads, and the positions of these:
/// as many as fit.
fn find(step: &Step, (table, count, wide): (u8, usize, bool), open: &[Open]) -> Option<(Function, Vec<usize>)> {
    /// Operands that are taken apart, as bits: many before few.
    const CHOICES: [u8; 8] = [7, 3, 5, 6, 1, 2, 4, 0];
    let own: [Option<&Open>; 3] = [0, 1, 2].map(|n| {
        let of = |open: &&Open| n < count && open.wide == wide && open.register == step.from[n] / SLOT;
        open.iter().find(of)
    });
    let there = (0..3).filter(|&n| own[n].is_some()).fold(0u8, |there, n| there | 1 << n);
    CHOICES.into_iter().filter(|choice| choice & !there == 0).find_map(|choice| {
        let taken = |n: usize| own[n].filter(|_| choice >> n & 1 != 0);
        let parts = [0, 1, 2].map(|n| taken(n).map_or(Function::operand(step.from[n]), |open| open.function));
        let function = Function::of(table, &parts[..count])?;
        Some((function, (0..count).filter_map(taken).map(|open| open.at).collect()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables() {
        let [a, b, c] = INPUTS;
        let operand = Function::operand;
        let xor = Function::of(a ^ b, &[operand(0), operand(256)]).unwrap();
        assert_eq!((xor.table, xor.count, xor.operands), (a ^ b, 2, [0, 256, 0]));
        let three = Function::of(a ^ b, &[xor, operand(512)]).unwrap();
        assert_eq!((three.table, three.operands), (a ^ b ^ c, [0, 256, 512]));
        assert_eq!(Function::of(a ^ b, &[three, operand(768)]), None);
        // `b & a | !b & c`, by operands in another order.
        let not = Function::of(!a, &[operand(256)]).unwrap();
        let [yes, no] =
            [[operand(256), operand(0)], [not, operand(512)]].map(|parts| Function::of(a & b, &parts).unwrap());
        let choice = Function::of(a | b, &[yes, no]).unwrap();
        assert_eq!((choice.table, choice.operands), (a & b | !a & c, [256, 0, 512]));
        assert_eq!(reorder(choice.table, [1, 0, 2]), a & b | !b & c);
        assert_eq!(reorder(choice.table, [2, 0, 1]), b & c | !b & a);
    }

    /// What becomes of steps that read registers 0 to 3, given as operation, result and operands.
    fn fused(steps: &[(Operation, u32, &[u32])]) -> Vec<(Operation, [u32; 3])> {
        let make = |&(operation, to, from): &(Operation, u32, &[u32])| {
            let mut step = Step { operation, ..crate::tests::plain() };
            step.to[0] = to * SLOT;
            step.from.iter_mut().zip(from).for_each(|(place, &from)| *place = from * SLOT);
            step
        };
        let exit = Step { operation: Operation::Exit, ends: true, control: true, ..crate::tests::plain() };
        let register = crate::unit::Register { bytes: 4, ..Default::default() };
        let mut unit = Unit { registers: vec![register; 9], ..Default::default() };
        unit.steps = steps.iter().map(make).chain([exit]).collect();
        let (values, flow) = (Values::new(&unit), Flow::new(&unit).ok().unwrap());
        fuse(&mut unit, &flow, &values);
        let places = |step: &Step| [0, 1, 2].map(|n| step.from[n] / SLOT);
        unit.steps[..steps.len()].iter().map(|step| (step.operation, places(step))).collect()
    }

    #[test]
    fn steps() {
        let ([a, b, c], wide) = (INPUTS, false);
        let (xor, and) = (Operation::Xor { wide }, Operation::And { wide });
        let load = Operation::Load {
            window: crate::operation::Window::Shared,
            element: crate::operation::Element { bytes: 4, signed: false },
            count: 1,
        };
        let three = |table| Operation::Bitwise { table, wide };
        let found = fused(&[(xor, 4, &[0, 1]), (and, 5, &[4, 2]), (xor, 6, &[5, 0])]);
        assert_eq!(found[0].0, Operation::Nothing);
        assert_eq!(found[1].0, Operation::Nothing);
        assert_eq!(found[2], (three((a ^ b) & c ^ a), [0, 1, 2]));
        // Four operands are too many for one, so the first one stays.
        let found = fused(&[(xor, 4, &[0, 1]), (and, 5, &[2, 3]), (xor, 6, &[5, 4])]);
        assert_eq!(found.iter().filter(|step| step.0 == Operation::Nothing).count(), 1);
        // Two readers; an operand that is written before the reader; what may leave the code in between.
        for steps in [
            [(xor, 4, &[0, 1][..]), (and, 5, &[4, 2]), (Operation::Copy { wide }, 6, &[4])],
            [(xor, 4, &[0, 1]), (Operation::Copy { wide }, 0, &[2]), (and, 5, &[4, 3])],
            [(xor, 4, &[0, 1]), (load, 6, &[2]), (and, 5, &[4, 3])],
        ] {
            assert!(fused(&steps).iter().all(|step| !matches!(step.0, Operation::Bitwise { .. } | Operation::Nothing)));
        }
    }
}
