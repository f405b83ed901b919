//! Instructions that can be executed together with the one that uses their result.

use super::class::{Classes, Uniformity};
use super::ssa::{Origin, Ssa, Value};
use crate::instruction::{Instruction, Operand, Register};
use crate::modifier::Modifier;
use crate::module::Body;
use crate::opcode::Opcode;
use crate::types::Type;

/// What an instruction does beside its own work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fused {
    /// Nothing.
    #[default]
    Alone,
    /// Nothing at all: another one does its work.
    Dropped,
    /// An access: its address is the sum of an index and a base that is the same for all lanes.
    Based { index: Register, base: Register },
    /// A comparison: the branch that follows.
    Branches,
}

/// How often each register is written.
fn writes(body: &Body<'_>, ssa: &Ssa) -> Vec<u32> {
    let mut written = vec![0; body.registers.len()];
    for &register in ssa.effects.iter().flat_map(|effect| &effect.defs) {
        written[register as usize] += 1;
    }
    written
}

/// The register of an access of one element of 4 or 8 bytes, other than to local memory.
fn address(instruction: &Instruction<'_>) -> Option<Register> {
    let at = match instruction.opcode {
        Opcode::Ld => 1,
        Opcode::St => 0,
        _ => return None,
    };
    let bytes = instruction.types().last().map_or(0, Type::bytes);
    if !matches!(bytes, 4 | 8) || instruction.operands.len() != 2 || instruction.has(Modifier::Async) {
        return None;
    }
    use Modifier::{Ca, Cg, Cs, Cta, Global, Gpu, Nc, Relaxed, Sys, Volatile, Wb, Weak, Wt};
    let plain = |m: &Modifier<'_>| {
        let known = matches!(m, Global | Weak | Nc | Ca | Cg | Cs | Wb | Wt | Volatile | Relaxed | Gpu | Sys | Cta);
        known || m.ty().is_some()
    };
    if !instruction.modifiers.iter().all(plain) {
        return None;
    }
    match (&instruction.operands[at], &instruction.operands[1 - at]) {
        (Operand::Address(base, _), value) if !matches!(value, Operand::Vector(_)) => match **base {
            Operand::Register(register) if *value != Operand::Register(register) => Some(register),
            _ => None,
        },
        _ => None,
    }
}

/// True for a comparison of half precision: steps of these have no branch.
fn halves(instruction: &Instruction<'_>) -> bool {
    instruction.types().last().is_some_and(|ty| matches!(ty, Type::F16 | Type::Bf16 | Type::F16x2 | Type::Bf16x2))
}

/// For each instruction what it does together with others. `early` are instructions that are executed elsewhere.
pub fn fuse(body: &Body<'_>, ssa: &Ssa, classes: &Classes, early: &[bool]) -> Vec<Fused> {
    let mut fused = vec![Fused::Alone; body.instructions.len()];
    let written = writes(body, ssa);
    // Who reads each value: instructions, and whether there are joins among them.
    let mut readers: Vec<Vec<u32>> = vec![Vec::new(); ssa.values.len()];
    for (at, uses) in ssa.uses.iter().enumerate() {
        for &value in uses {
            readers[value as usize].push(at as u32);
        }
    }
    for (at, instruction) in body.instructions.iter().enumerate() {
        if early.get(at) == Some(&true) || instruction.guard.is_some() {
            continue;
        }
        let &[result] = ssa.defs[at].as_slice() else { continue };
        let users = &readers[result as usize];
        let only_these = users.len() as u32 == ssa.count[result as usize] && !users.is_empty();
        match instruction.opcode {
            Opcode::Add if only_these => {
                if let Some(sum) = sum(at, body, ssa, classes, &written) {
                    let register = ssa.values[result as usize].register;
                    if written[register as usize] == 1
                        && users.iter().all(|&user| address(&body.instructions[user as usize]) == Some(register))
                    {
                        users.iter().for_each(|&user| fused[user as usize] = sum);
                        fused[at] = Fused::Dropped;
                    }
                }
            }
            Opcode::Setp if only_these && users.as_slice() == [at as u32 + 1] && !halves(instruction) => {
                let next = &body.instructions[at + 1];
                let same_block = ssa.block_of[at] == ssa.block_of[at + 1];
                let guard = next.guard.is_some_and(|g| g.register == ssa.values[result as usize].register);
                if same_block && guard && next.opcode == Opcode::Bra {
                    fused[at] = Fused::Branches;
                    fused[at + 1] = Fused::Dropped;
                }
            }
            _ => {}
        }
    }
    fused
}

/// An addition of 64 bits as index and base, if both stay what they are.
fn sum(at: usize, body: &Body<'_>, ssa: &Ssa, classes: &Classes, written: &[u32]) -> Option<Fused> {
    let instruction = &body.instructions[at];
    let ty = instruction.types().last()?;
    if !matches!(ty, Type::S64 | Type::U64 | Type::B64) || instruction.has(Modifier::Cc) {
        return None;
    }
    let &[_, Operand::Register(a), Operand::Register(b)] = instruction.operands.as_slice() else { return None };
    let &[value_a, value_b] = ssa.uses[at].as_slice() else { return None };
    let stays = |value: Value| {
        let definition = &ssa.values[value as usize];
        written[definition.register as usize] == 1 && matches!(definition.origin, Origin::Instruction(_))
    };
    if !stays(value_a) || !stays(value_b) {
        return None;
    }
    let uniform = |value: Value| classes.of[value as usize].uniformity == Uniformity::Uniform;
    match (uniform(value_a), uniform(value_b)) {
        (_, true) => Some(Fused::Based { index: a, base: b }),
        (true, _) => Some(Fused::Based { index: b, base: a }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::class::{Known, classes, fixed};
    use super::*;
    use crate as ptx;

    fn of(code: &str) -> Vec<Fused> {
        let text = format!(
            ".version 8.7\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a) {{ .reg .pred %p<9>;\n\
             .reg .b16 %h<9>; .reg .b32 %r<30>; .reg .b64 %rd<30>;\n\
             ld.param.u64 %rd1, [a]; mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd2, %r1, 4; ld.global.u64 %rd3, [%rd1];\n\
             {code}\nret; }}"
        );
        let module = ptx::parse(&text).unwrap_or_else(|e| panic!("{e}"));
        let body = module.functions[0].body.as_ref().unwrap();
        let ssa = Ssa::new(body);
        let classes = classes(body, &ssa, Known { entry: true, parameters: 1, ..Known::default() });
        fuse(body, &ssa, &classes, &fixed(body, &ssa, &classes)).split_off(4)
    }

    #[test]
    fn sums_that_are_addresses_alone() {
        let based = Fused::Based { index: 2, base: 0 };
        // Registers are numbered as they are mentioned: %rd1 0, %r1 1, %rd2 2, %rd3 3.
        let index = of("add.s64 %rd4, %rd2, %rd1; ld.global.u32 %r2, [%rd4+8]; st.global.u32 [%rd4], %r2;");
        assert!(matches!(index[0], Fused::Dropped) && matches!(index[1], Fused::Based { .. }));
        assert_eq!(index[1], index[2]);
        assert_eq!(index[1], based);
        // Used otherwise, written twice, stored itself, with a guard: none of these.
        for code in [
            "add.s64 %rd4, %rd1, %rd2; ld.global.u32 %r2, [%rd4]; st.global.u64 [%rd1], %rd4;",
            "add.s64 %rd4, %rd1, %rd2; ld.global.u32 %r2, [%rd4]; add.s64 %rd4, %rd4, 4;",
            "add.s64 %rd4, %rd1, %rd2; st.global.u64 [%rd4], %rd4;",
            "@%p1 add.s64 %rd4, %rd1, %rd2; ld.global.u32 %r2, [%rd4];",
            "add.s64 %rd4, %rd1, %rd2; ld.global.v2.u32 {%r2, %r3}, [%rd4];",
            "add.s64 %rd4, %rd1, %rd2; atom.global.add.u32 %r2, [%rd4], 1;",
        ] {
            assert!(of(code).iter().all(|f| *f == Fused::Alone), "{code}");
        }
        // An index that changes on the way.
        let code = "L: add.s64 %rd4, %rd1, %rd5; add.s64 %rd5, %rd5, 4; ld.global.u32 %r2, [%rd4]; @%p1 bra L;";
        assert!(of(code).iter().all(|f| *f == Fused::Alone));
    }

    #[test]
    fn comparisons_for_the_next_branch() {
        let code = "setp.eq.u32 %p1, %r1, 0; @!%p1 bra E; E:";
        assert_eq!(of(code)[..2], [Fused::Branches, Fused::Dropped]);
        for code in [
            "setp.eq.u32 %p1, %r1, 0; @%p1 bra E; @%p1 mov.u32 %r2, 1; E:",
            "setp.eq.u32 %p1|%p2, %r1, 0; @%p1 bra E; E:",
            "setp.eq.u32 %p1, %r1, 0; mov.u32 %r2, 1; @%p1 bra E; E:",
            "bra M; L: setp.eq.u32 %p1, %r1, 0; M: @%p1 bra L;",
            "setp.eq.f16x2 %p1, %r1, %r2; @%p1 bra E; E:",
            "setp.gt.ftz.f16 %p1, %h1, %h2; @%p1 bra E; E:",
        ] {
            assert!(of(code).iter().all(|f| *f == Fused::Alone), "{code}");
        }
    }
}
