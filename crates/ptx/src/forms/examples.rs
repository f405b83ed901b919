//! Examples of instructions, made from their forms: for tests, fuzzers and tools.

use super::*;
use core::fmt::Write;

/// All ways to write a form, or about so many of them in which each alternative is.
pub fn variants(form: &Form, most: usize) -> Vec<Vec<Modifier<'static>>> {
    let choices: Vec<Vec<Option<Modifier<'static>>>> = form
        .modifiers
        .iter()
        .filter(|g| !g.open)
        .map(|g| {
            let named = g.any_of.iter().map(|&m| match m {
                Modifier::Shape([rows, 0, 0]) => Some(Modifier::Shape([rows, 8, 16])),
                other => Some(other),
            });
            g.optional.then_some(None).into_iter().chain(named).collect()
        })
        .collect();
    let count = choices.iter().try_fold(1usize, |n, c| n.checked_mul(c.len())).unwrap_or(usize::MAX);
    let picks: Vec<Vec<usize>> = if count <= most {
        (0..count)
            .map(|mut n| {
                let mut digit = |c: &Vec<Option<Modifier<'static>>>| {
                    let d = n % c.len();
                    n /= c.len();
                    d
                };
                choices.iter().map(&mut digit).collect()
            })
            .collect()
    } else {
        let longest = choices.iter().map(Vec::len).max().unwrap_or(1);
        (0..longest * (most / longest).clamp(1, 40))
            .map(|n| choices.iter().enumerate().map(|(g, c)| (n * (2 * g + 1) + n / longest * g) % c.len()).collect())
            .collect()
    };
    picks.iter().map(|pick| pick.iter().zip(&choices).filter_map(|(&n, c)| c[n]).collect()).collect()
}

/// Opcode and modifiers as one name.
pub fn name(opcode: Opcode, modifiers: &[Modifier<'static>]) -> String {
    let mut name = opcode.to_string();
    for modifier in modifiers {
        let _ = write!(name, ".{modifier}");
    }
    name
}

/// An instruction of a form with these modifiers, with operands of the right types.
pub fn example(form: &Form, modifiers: &[Modifier<'static>]) -> Option<String> {
    operands::example(form, modifiers).map(|operands| format!("{} {operands};", name(form.opcode, modifiers)))
}

/// The forms that an instruction may be of, by its name.
pub fn forms_of(instruction: &str) -> Vec<&'static Form> {
    let mut parts = instruction.split(' ').next().unwrap_or("").trim_end_matches(';').split('.');
    let opcode = parts.next().and_then(Opcode::parse);
    let modifiers: Vec<Modifier<'_>> = parts.map(Modifier::parse).collect();
    opcode.map_or(&[] as &[Form], |opcode| table().of(opcode)).iter().filter(|f| f.fit(&modifiers).is_ok()).collect()
}

/// The group of an instruction, by its name.
pub fn group_of(instruction: &str) -> Option<usize> {
    forms_of(instruction).first().map(|f| f.group)
}
