//! Examples of instructions, made from their forms: for tests, fuzzers and tools.

use super::*;
use core::fmt::Write;

/// All ways to write a form, or about so many of them in which each alternative is.
pub fn variants(form: &Form, most: usize) -> Vec<Vec<&'static str>> {
    let choices: Vec<Vec<Option<&'static str>>> = form
        .modifiers
        .iter()
        .filter(|g| !g.open())
        .map(|g| {
            let named = g.any_of.iter().map(|m| Some(if *m == "m64n*" { "m64n8k16" } else { m }));
            g.optional.then_some(None).into_iter().chain(named).collect()
        })
        .collect();
    let count = choices.iter().try_fold(1usize, |n, c| n.checked_mul(c.len())).unwrap_or(usize::MAX);
    let picks: Vec<Vec<usize>> = if count <= most {
        (0..count)
            .map(|mut n| {
                let mut digit = |c: &Vec<Option<&str>>| {
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

/// An instruction of a form with these modifiers, with operands of the right types.
pub fn example(form: &Form, modifiers: &[&'static str]) -> Option<String> {
    let types: Vec<&str> = modifiers.iter().copied().filter(|m| operands::is_type(m)).collect();
    operands::example(form, &types, modifiers).map(|operands| {
        let mut line = form.opcode.to_owned();
        for modifier in modifiers {
            let _ = write!(line, ".{modifier}");
        }
        format!("{line} {operands};")
    })
}

/// The forms that an instruction may be of, by its name.
pub fn forms_of(instruction: &str) -> Vec<&'static Form> {
    let mut parts = instruction.split(' ').next().unwrap_or("").trim_end_matches(';').split('.');
    let opcode = parts.next().unwrap_or("");
    let modifiers: Vec<&str> = parts.collect();
    table().of(opcode).filter(|f| f.fit(&modifiers).is_ok()).collect()
}

/// The group of an instruction, by its name.
pub fn group_of(instruction: &str) -> Option<usize> {
    forms_of(instruction).first().map(|f| f.group)
}
