//! The table of `docs/PTX.md`: groups of forms, how many of them run, and how they are tested.

use core::fmt::Write;
use ptx::forms::examples::{example, forms_of, group_of, variants};
use ptx::forms::{Form, GROUPS, table};
use std::collections::BTreeSet;

/// What an H200 gave, what of it is other here, what it ran that is refused here, and what no model was written for.
const DEVICE: &str = include_str!("../../../../tests/ptx/h200.txt");
const DIFFERS: &str = include_str!("../../../../tests/ptx/h200-differs.txt");
const REFUSED: &str = include_str!("../../../../tests/ptx/h200-refused.txt");
const WITHOUT_MODEL: &str = include_str!("../../../../tests/ptx/without-model.txt");
/// What an H200 gave for all pairs of operands of 16 bits.
const SIXTEEN: &str = include_str!("../../../../tests/ptx/sixteen.txt");
/// What an H200 gave for textures and surfaces, all of which have models, or how it refused them.
const TEXTURES: &str = include_str!("../../../../tests/ptx/texture.txt");
/// Instructions in C tests whose expected output is that of an H200.
const C_TESTS: &str = include_str!("../../../../tests/ptx/c-tests.txt");

/// Opcode and modifiers, once each.
fn names<'t>(lines: impl Iterator<Item = &'t str>) -> BTreeSet<&'t str> {
    lines.map(|line| line.split([' ', ';']).next().unwrap_or("")).collect()
}

fn opcode(instruction: &str) -> &str {
    instruction.split(['.', ' ']).next().unwrap_or("")
}

/// A form with the first of what it must have.
fn shortest(form: &Form) -> String {
    let needed = form.modifiers.iter().filter(|g| !g.optional);
    let first = needed.map(|g| g.any_of.first().map_or_else(|| "*".to_owned(), |m| m.to_string()));
    core::iter::once(form.opcode.to_string()).chain(first).collect::<Vec<_>>().join(".")
}

/// The table, and the instructions that are refused.
fn text() -> String {
    let registers = ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .b128 %q<9>; \
                     .reg .f32 %f<9>; .reg .f64 %d<9>; .reg .b8 %b<9>;";
    let mut all = String::from(
        "| group | forms | for an H200 | of these compared | with an example | examples that run | compared with an H200 | of these alike | with a model | all pairs of 16 bits | in C tests |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let mut refused: Vec<(String, String)> = Vec::new();
    let mut device = names(DEVICE.lines().filter_map(|l| l.split_once(' ')).map(|l| l.1));
    device = &device - &names(REFUSED.lines());
    device.extend(names(
        TEXTURES.lines().filter(|l| !l.starts_with("ERROR")).filter_map(|l| l.split_once(' ')).map(|l| l.1),
    ));
    let alike = &device - &names(DIFFERS.lines());
    let modelled = &device - &names(WITHOUT_MODEL.lines());
    let pairs = names(SIXTEEN.lines());
    let tested = names(C_TESTS.lines().filter_map(|l| l.split_once(' ')).map(|l| l.1));
    // Forms of which at least one instruction was compared.
    let compared: Vec<&Form> = (&(&device | &pairs) | &tested).iter().flat_map(|name| forms_of(name)).collect();
    let is_compared = |form: &&&Form| compared.iter().any(|c| core::ptr::eq(*c, **form));
    let mut missing = Vec::new();
    for (group, (name, _)) in GROUPS.iter().enumerate() {
        let forms: Vec<_> = table().forms().filter(|f| f.group == group).collect();
        let here: Vec<_> = forms.iter().filter(|f| f.target <= 90 && f.before == u32::MAX).copied().collect();
        let count = here.iter().filter(is_compared).count();
        missing.extend(here.iter().filter(|f| !is_compared(f)).map(|f| shortest(f)));
        let (mut shown, mut examples, mut run) = (0, 0, 0);
        for form in &forms {
            // Of targets that an H200 has.
            if form.target > 90 || form.before < u32::MAX {
                continue;
            }
            let lines: Vec<String> = variants(form, 24).iter().filter_map(|m| example(form, m)).collect();
            shown += usize::from(!lines.is_empty());
            for line in lines {
                examples += 1;
                let module = format!(
                    ".version 9.5\n.target sm_90a\n.address_size 64\n.visible .entry k() {{ {registers} L:\n{line}\nret; }}"
                );
                match super::forms::load(&module) {
                    Ok(_) => run += 1,
                    Err(_) => {
                        let short = line.split(' ').next().unwrap_or("").trim_end_matches(';').to_owned();
                        refused.push((opcode(&line).to_owned(), short));
                    }
                }
            }
        }
        let mine = |set: &BTreeSet<&str>| set.iter().filter(|name| group_of(name) == Some(group)).count();
        let _ = writeln!(
            all,
            "| {name} | {} | {} | {count} | {shown} | {run} of {examples} | {} | {} | {} | {} | {} |",
            forms.len(),
            here.len(),
            mine(&device),
            mine(&alike),
            mine(&modelled),
            mine(&pairs),
            mine(&tested)
        );
    }
    refused.sort();
    refused.dedup();
    let mut opcodes: Vec<(String, Vec<String>)> = Vec::new();
    for (opcode, short) in refused {
        match opcodes.last_mut() {
            Some(last) if last.0 == opcode => last.1.push(short),
            _ => opcodes.push((opcode, vec![short])),
        }
    }
    all += "\nExamples that are refused, with one of each opcode: ";
    let list: Vec<String> = opcodes.iter().map(|(_, shorts)| format!("`{}` ({})", shorts[0], shorts.len())).collect();
    all += &list.join(", ");
    all.push_str(".\n");
    let _ = writeln!(
        all,
        "\nForms for an H200 of which nothing was compared bit by bit, as short as they can be written: `{}`.",
        missing.join("`, `")
    );
    all
}

/// `UPDATE=1` writes the table.
#[test]
fn documented() {
    let name = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/PTX.md");
    let document = std::fs::read_to_string(name).unwrap();
    let (start, end) = ("<!-- coverage: made by the test `coverage` -->\n", "<!-- end of coverage -->\n");
    let (head, rest) = document.split_once(start).expect("no mark");
    let (old, tail) = rest.split_once(end).expect("no mark");
    let new = text();
    if std::env::var("UPDATE").is_ok() {
        std::fs::write(name, format!("{head}{start}{new}{end}{tail}")).unwrap();
    } else {
        assert!(old == new, "docs/PTX.md is stale: UPDATE=1 cargo test --lib coverage\n{new}");
    }
}

/// What is known and not run is refused when a module is loaded, with the instruction.
#[test]
fn missing_forms_are_refused() {
    for line in [
        "multimem.ld_reduce.relaxed.gpu.global.add.u32 %r1, [%rd1];",
        "multimem.ld_reduce.weak.global.min.v4.f16x2 {%r1, %r2, %r3, %r4}, [%rd1];",
        "multimem.st.relaxed.gpu.global.u32 [%rd1], %r1;",
        "multimem.red.relaxed.gpu.global.add.u32 [%rd1], %r1;",
        "multimem.cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], 16;",
        "multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [%r1], 16;",
        "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.ignore_oob [%r1], [%rd1], 16, 1, 1, [%r2];",
    ] {
        let module = format!(
            ".version 9.5\n.target sm_90a\n.address_size 64\n.visible .entry k() {{ .reg .b32 %r<9>; .reg .b64 %rd<9>;\n{line}\nret; }}"
        );
        let problem = super::forms::load(&module).err().map(|p| p.message).unwrap_or_default();
        let name = line.split(' ').next().unwrap_or("");
        assert!(problem.contains(name) && problem.contains("not supported"), "{line} {problem}");
    }
}
