//! Which registers an instruction reads and writes.

use crate::instruction::Register;
use crate::{Instruction, Operand, Space};

/// What an instruction does beside writing its results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Nothing: the results follow from the operands, and it cannot go wrong.
    Pure,
    /// It reads a parameter of the kernel.
    Parameter,
    /// It reads memory that the launch does not change: constants.
    Constant,
    /// Results that do not follow from its operands, or effects.
    #[default]
    Other,
}

/// The registers of an instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// What it does.
    pub kind: Kind,
    /// Registers that it reads, the guard's included.
    pub uses: Vec<Register>,
    /// Registers that it writes.
    pub defs: Vec<Register>,
}

/// Opcodes whose first operand is the result and which have no other effect.
const PURE: &[&str] = &[
    "abs", "add", "and", "bfe", "bfi", "bfind", "bmsk", "brev", "clz", "cnot", "copysign", "cos", "cvt", "cvta", "div",
    "dp2a", "dp4a", "ex2", "fma", "fns", "isspacep", "lg2", "lop3", "mad", "mad24", "max", "min", "mov", "mul",
    "mul24", "neg", "not", "or", "popc", "prmt", "rcp", "rem", "rsqrt", "sad", "selp", "set", "setp", "shf", "shl",
    "shr", "sin", "slct", "sqrt", "sub", "szext", "tanh", "testp", "xor",
];
/// Opcodes whose first operand is the result.
const WITH_RESULT: &[&str] = &[
    "activemask",
    "atom",
    "elect",
    "ld",
    "ldu",
    "ldmatrix",
    "match",
    "redux",
    "shfl",
    "suld",
    "tex",
    "tld4",
    "txq",
    "vote",
];
/// Opcodes without results.
const WITHOUT_RESULT: &[&str] = &[
    "applypriority",
    "bra",
    "brkpt",
    "brx",
    "discard",
    "exit",
    "fence",
    "membar",
    "nanosleep",
    "pmevent",
    "prefetch",
    "prefetchu",
    "red",
    "ret",
    "st",
    "stmatrix",
    "sust",
    "trap",
];

/// The registers in an operand.
fn registers(operand: &Operand<'_>, all: &mut Vec<Register>) {
    match operand {
        Operand::Register(register) | Operand::Not(register) => all.push(*register),
        Operand::Address(base, _) => registers(base, all),
        Operand::Place(list) | Operand::Vector(list) | Operand::List(list) => {
            list.iter().for_each(|o| registers(o, all));
        }
        Operand::Pair(a, b) => {
            registers(a, all);
            registers(b, all);
        }
        _ => {}
    }
}

/// The registers that an instruction reads and writes. Of an opcode that is not known here all are taken to be both.
pub fn effect(instruction: &Instruction<'_>) -> Effect {
    let opcode = instruction.opcode;
    let (mut uses, mut defs) = (Vec::new(), Vec::new());
    if let Some(guard) = instruction.guard {
        uses.push(guard.register);
    }
    let pure = PURE.binary_search(&opcode).is_ok();
    // The carry is a register without a name.
    let carries = instruction.has("cc") || matches!(opcode, "addc" | "subc" | "madc");
    let results = match opcode {
        _ if pure || carries || WITH_RESULT.contains(&opcode) => 1,
        // A reduction over a barrier has a result.
        "bar" | "barrier" if instruction.has("red") => 1,
        "bar" | "barrier" => 0,
        "call" => match instruction.operands.as_slice() {
            [Operand::List(_), _, ..] => 1,
            _ => 0,
        },
        _ if WITHOUT_RESULT.contains(&opcode) => 0,
        _ => {
            instruction.operands.iter().for_each(|o| registers(o, &mut uses));
            instruction.operands.iter().for_each(|o| registers(o, &mut defs));
            return Effect { kind: Kind::Other, uses, defs };
        }
    };
    for (n, operand) in instruction.operands.iter().enumerate() {
        registers(operand, if n < results { &mut defs } else { &mut uses });
    }
    // What changes from one moment to the next.
    let clock = |o: &Operand<'_>| matches!(o, Operand::Special(s) if s.is_clock());
    let kind = if pure && !carries && !instruction.operands.iter().any(clock) {
        Kind::Pure
    } else if opcode == "ld" {
        match instruction.modifiers.iter().find_map(|m| Space::parse(m)) {
            Some(Space::Parameter) => Kind::Parameter,
            Some(Space::Constant) => Kind::Constant,
            _ => Kind::Other,
        }
    } else {
        Kind::Other
    };
    Effect { kind, uses, defs }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted() {
        assert!(PURE.is_sorted() && WITH_RESULT.len() > 1 && WITHOUT_RESULT.is_sorted());
    }
}
