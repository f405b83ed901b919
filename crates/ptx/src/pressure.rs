//! How many registers a function needs at once.
//!
//! A register counts from where it is first named to where it is last named, and to the end of a loop that it is carried
//! into. That is what a compiler without cleverness would need; programs ask for it to judge occupancy.

use crate::flow::Graph;
use crate::instruction::Operand;
use crate::module::Body;
use crate::types::Type;
use core::ops::RangeInclusive;

/// Registers that a thread has: a program may ask for a bound between these.
const BOUNDS: RangeInclusive<u32> = 16..=255;
/// What a kernel has that needs next to none.
const LEAST: u32 = 8;

/// The number that a program is told for a kernel that needs so many, under the bound that it asked for.
pub fn announced(registers: u32, most: Option<u32>) -> u32 {
    registers.clamp(LEAST, most.unwrap_or(*BOUNDS.end()).clamp(*BOUNDS.start(), *BOUNDS.end()))
}

/// Registers of 32 bits that are live at the same time, at most. Predicates have registers of their own.
pub fn registers(body: &Body<'_>) -> u32 {
    let mut ranges: Vec<Option<(usize, usize)>> = vec![None; body.registers.len()];
    for (at, instruction) in body.instructions.iter().enumerate() {
        let mut name = |register: u32| {
            if let Some(range) = ranges.get_mut(register as usize) {
                *range = Some(range.map_or((at, at), |(first, _)| (first, at)));
            }
        };
        if let Some(guard) = instruction.guard {
            name(guard.register);
        }
        instruction.operands.iter().for_each(|operand| visit(operand, &mut name));
    }
    // A bound on the work, which no compiler's output comes near: beyond it the number is too low.
    let enough = (1 << 26) / ranges.len().max(1);
    for (first, last) in loops(body).into_iter().take(enough) {
        for range in ranges.iter_mut().flatten() {
            if range.0 < first && (first..=last).contains(&range.1) {
                range.1 = last;
            }
        }
    }
    // Where how many registers begin and end.
    let mut change = vec![0i64; body.instructions.len() + 1];
    for (range, ty) in ranges.iter().zip(&body.registers) {
        let (Some((first, last)), false) = (range, *ty == Type::Pred) else { continue };
        let words = (ty.bytes() as i64).div_euclid(4).max(1);
        change[*first] += words;
        change[*last] -= words;
    }
    let (mut live, mut most) = (0, 0);
    for step in change {
        live += step;
        most = most.max(live);
    }
    most.clamp(0, u32::MAX.into()) as u32
}

/// First and last instruction of each jump backwards, inner loops first.
fn loops(body: &Body<'_>) -> Vec<(usize, usize)> {
    let graph = Graph::new(body);
    let end = |block: usize| graph.starts.get(block + 1).copied().unwrap_or(body.instructions.len()) - 1;
    let mut all = Vec::new();
    for (block, next) in graph.next.iter().enumerate() {
        let back = next.iter().filter(|&&to| to <= block && to < graph.starts.len());
        all.extend(back.map(|&to| (graph.starts[to], end(block))));
    }
    all.sort_unstable_by_key(|&(first, last)| last - first);
    all
}

fn visit(operand: &Operand<'_>, name: &mut impl FnMut(u32)) {
    match operand {
        Operand::Register(register) | Operand::Not(register) => name(*register),
        Operand::Address(base, _) => visit(base, name),
        Operand::Indexed(all) | Operand::Vector(all) | Operand::List(all) => all.iter().for_each(|o| visit(o, name)),
        Operand::Pair(a, b) => {
            visit(a, name);
            visit(b, name);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(code: &str) -> u32 {
        let text = format!(
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() {{\n\
             .reg .pred %p<4>;\n.reg .b32 %r<16>;\n.reg .b64 %rd<16>;\n{code}\nret;\n}}\n"
        );
        let module = crate::parse(&text).unwrap();
        registers(module.functions[0].body.as_ref().unwrap())
    }

    #[test]
    fn values_that_follow_each_other_share_a_register() {
        assert_eq!(of("mov.u32 %r1, 1;\nadd.u32 %r2, %r1, 1;\nadd.u32 %r3, %r2, 1;"), 1);
    }

    #[test]
    fn values_needed_together_count_together() {
        let code = "mov.u32 %r1, 1;\nmov.u64 %rd1, 2;\nmov.u32 %r2, 3;\nadd.u32 %r3, %r1, %r2;\nadd.u64 %rd2, %rd1, 1;";
        assert_eq!(of(code), 4);
    }

    #[test]
    fn a_value_used_in_a_loop_lives_through_it() {
        let code = "mov.u32 %r1, 1;\nmov.u32 %r2, 2;\nl: add.u32 %r2, %r2, %r1;\nmov.u32 %r4, 1;\nmov.u32 %r5, 1;\n\
                    add.u32 %r6, %r4, %r5;\nsetp.lt.u32 %p1, %r6, 9;\n@%p1 bra l;";
        assert_eq!(of(code), 4);
    }
}
