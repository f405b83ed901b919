//! The table of `docs/PTX.md`: groups of forms, how many of them run, and how they are tested.

use crate::{Failure, load};
use compiler::operation::{Operation, operation_of, operations_of};
use core::fmt::Write;
use ptx::forms::examples::{example, forms_of, group_of, variants};
use ptx::forms::{Form, GROUPS, table};
use std::collections::{BTreeMap, BTreeSet};

/// The page, and the comments between which the table stands.
const PAGE: &str = "docs/PTX.md";
const START: &str = "<!-- coverage: written by cargo xtask coverage -->\n";
const END: &str = "<!-- end of coverage -->\n";

/// A file of the repository, wherever the tool is called from.
fn path(name: &str) -> String {
    format!("{}/../../{name}", env!("CARGO_MANIFEST_DIR"))
}

fn read(name: &str) -> Result<String, Failure> {
    std::fs::read_to_string(path(name)).map_err(|error| format!("{name}: {error}").into())
}

/// What was recorded: lists of instructions, a line each.
struct Recorded {
    /// What an H200 gave, with a digest in front.
    device: String,
    /// What of it is other here.
    differs: String,
    /// What is refused here and ran there.
    refused: String,
    /// What no model was written for.
    without_model: String,
    /// What an H200 gave for all pairs of operands of 16 bits.
    sixteen: String,
    /// What an H200 gave for textures and surfaces, all of which have models, or how it refused them.
    textures: String,
    /// Instructions in C tests whose expected output is that of an H200, with the test in front.
    c_tests: String,
}

impl Recorded {
    fn read() -> Result<Recorded, Failure> {
        Ok(Recorded {
            device: read("tests/ptx/h200.txt")?,
            differs: read("tests/ptx/h200-differs.txt")?,
            refused: read("tests/ptx/h200-refused.txt")?,
            without_model: read("tests/ptx/without-model.txt")?,
            sixteen: read("tests/ptx/sixteen.txt")?,
            textures: read("tests/ptx/texture.txt")?,
            c_tests: read("tests/ptx/c-tests.txt")?,
        })
    }
}

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

/// Whether the instructions of an opcode in a module have native code, if their operands are as it wants them.
fn is_native(module: &str, opcode: &str) -> bool {
    let Ok(module) = ptx::parse(module) else { return false };
    let bodies = module.functions.iter().filter_map(|function| function.body.as_ref());
    let mut own = bodies.flat_map(|body| &body.instructions).filter(|i| i.opcode.to_string() == opcode);
    own.any(|i| operation_of(i).0 != Operation::Step || operations_of(i).is_some())
}

/// The table, and the instructions that are refused.
fn text(recorded: &Recorded) -> String {
    let registers = ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .b128 %q<9>; \
                     .reg .f32 %f<9>; .reg .f64 %d<9>; .reg .b8 %b<9>;";
    let mut all = String::from(
        "| group | forms | for an H200 | of these compared | with an example | examples that run | compared with an H200 | of these alike | with a model | all pairs of 16 bits | in C tests |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let mut refused: Vec<(String, String)> = Vec::new();
    // For each opcode its examples that run, and how many of them have native code.
    let mut compiled: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut device = names(recorded.device.lines().filter_map(|l| l.split_once(' ')).map(|l| l.1));
    device = &device - &names(recorded.refused.lines());
    device.extend(names(
        recorded.textures.lines().filter(|l| !l.starts_with("ERROR")).filter_map(|l| l.split_once(' ')).map(|l| l.1),
    ));
    let alike = &device - &names(recorded.differs.lines());
    let modelled = &device - &names(recorded.without_model.lines());
    let pairs = names(recorded.sixteen.lines());
    let tested = names(recorded.c_tests.lines().filter_map(|l| l.split_once(' ')).map(|l| l.1));
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
                match load(&module) {
                    Ok(_) => {
                        run += 1;
                        let counts = compiled.entry(opcode(&line).to_owned()).or_default();
                        counts.0 += 1;
                        counts.1 += usize::from(is_native(&module, opcode(&line)));
                    }
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
    let list = |which: &dyn Fn(usize, usize) -> Option<String>| {
        let all: Vec<String> = compiled
            .iter()
            .filter_map(|(name, &(run, native))| which(run, native).map(|counts| format!("`{name}`{counts}")))
            .collect();
        all.join(", ")
    };
    let _ = writeln!(
        all,
        "\nCompiled code has native code for all examples of: {}.\n\nFor some of: {}.\n\nIt calls the interpreter's step for: {}.",
        list(&|run, native| (run == native).then(String::new)),
        list(&|run, native| (native > 0 && native < run).then(|| format!(" ({native} of {run})"))),
        list(&|_, native| (native == 0).then(String::new)),
    );
    let _ = writeln!(
        all,
        "\nForms for an H200 of which nothing was compared bit by bit, as short as they can be written: `{}`.",
        missing.join("`, `")
    );
    all
}

/// Writes the table into the page; with `check` it says whether that would change it.
pub fn write(check: bool) -> Result<(), Failure> {
    let page = read(PAGE)?;
    let no_marks = || format!("{PAGE}: no {} ... {}", START.trim_end(), END.trim_end());
    let (head, rest) = page.split_once(START).ok_or_else(no_marks)?;
    let (old, tail) = rest.split_once(END).ok_or_else(no_marks)?;
    let new = text(&Recorded::read()?);
    if !check {
        return Ok(std::fs::write(path(PAGE), format!("{head}{START}{new}{END}{tail}"))?);
    }
    if old == new {
        return Ok(());
    }
    let changed = new.lines().filter(|line| !old.lines().any(|other| other == *line)).collect::<Vec<_>>().join("\n");
    Err(format!("{PAGE} is stale: cargo xtask coverage\n{changed}").into())
}
