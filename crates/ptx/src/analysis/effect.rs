//! Which registers an instruction reads and writes.

use crate::instruction::{Instruction, Operand, Register};
use crate::modifier::Modifier;
use crate::opcode::{Dataflow, Opcode};
use crate::types::Space;

/// What an instruction does beside writing its results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purity {
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
    pub purity: Purity,
    /// Registers that it reads, the guard's included.
    pub uses: Vec<Register>,
    /// Registers that it writes.
    pub defs: Vec<Register>,
}

/// The registers in an operand.
fn registers(operand: &Operand<'_>, all: &mut Vec<Register>) {
    match operand {
        Operand::Register(register) | Operand::Not(register) | Operand::Part(register, _) => all.push(*register),
        Operand::Address(base, _) => registers(base, all),
        Operand::Indexed(list) | Operand::Vector(list) | Operand::List(list) => {
            list.iter().for_each(|o| registers(o, all));
        }
        Operand::Pair(a, b) => {
            registers(a, all);
            registers(b, all);
        }
        Operand::Negative(inner) => registers(inner, all),
        Operand::Integer(_) | Operand::F32(_) | Operand::F64(_) | Operand::Special(_) | Operand::Local(..) => {}
        Operand::Symbol(..) | Operand::Label(_) | Operand::Name(..) | Operand::Nothing => {}
    }
}

/// The registers that an instruction reads and writes.
pub fn effect(instruction: &Instruction<'_>) -> Effect {
    let (mut uses, mut defs) = (Vec::new(), Vec::new());
    if let Some(guard) = instruction.guard {
        uses.push(guard.register);
    }
    let dataflow = instruction.opcode.dataflow();
    let results = match dataflow {
        Dataflow::Pure | Dataflow::Result | Dataflow::Carry => 1,
        Dataflow::NoResult => 0,
        Dataflow::Barrier => usize::from(instruction.has(Modifier::Red)),
        Dataflow::Call => usize::from(matches!(instruction.operands.as_slice(), [Operand::List(_), _, ..])),
        Dataflow::Any => {
            instruction.operands.iter().for_each(|o| registers(o, &mut uses));
            instruction.operands.iter().for_each(|o| registers(o, &mut defs));
            return Effect { purity: Purity::Other, uses, defs };
        }
    };
    for (n, operand) in instruction.operands.iter().enumerate() {
        registers(operand, if n < results { &mut defs } else { &mut uses });
    }
    // What changes from one moment to the next.
    let clock = |o: &Operand<'_>| matches!(o, Operand::Special(s) if s.is_clock());
    // The carry is a register without a name.
    let pure = dataflow == Dataflow::Pure && !instruction.has(Modifier::Cc);
    let purity = if pure && !instruction.operands.iter().any(clock) {
        Purity::Pure
    } else if instruction.opcode == Opcode::Ld {
        match instruction.modifiers.iter().find_map(|m| m.space()) {
            Some(Space::Parameter) => Purity::Parameter,
            Some(Space::Constant) => Purity::Constant,
            _ => Purity::Other,
        }
    } else {
        Purity::Other
    };
    Effect { purity, uses, defs }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate as ptx;

    fn effects(code: &str) -> Vec<Effect> {
        let text = format!(
            ".version 8.7\n.target sm_90\n.address_size 64\n.visible .entry k() {{ .reg .b32 %r<9>;\n{code}\nret; }}"
        );
        let module = ptx::parse(&text).unwrap_or_else(|e| panic!("{e}"));
        module.functions[0].body.as_ref().unwrap().instructions.iter().map(effect).collect()
    }

    #[test]
    fn parts_of_registers_count() {
        let video = &effects("vmad.s32.s32.s32 %r1, -%r2.b0, %r3.h1, %r4;")[0];
        assert_eq!((video.uses.len(), video.purity), (4, Purity::Other));
        assert!(video.uses.iter().all(|register| video.defs.contains(register)));
    }

    #[test]
    fn carries_are_not_pure() {
        let kinds: Vec<Purity> = effects("add.cc.u32 %r1, %r2, %r3; addc.u32 %r4, %r5, %r6; add.u32 %r1, %r1, %r2;")
            .iter()
            .map(|effect| effect.purity)
            .collect();
        assert_eq!(kinds[..3], [Purity::Other, Purity::Other, Purity::Pure]);
    }
}
