//! Kernels of one instruction each, and lists of instructions, from the table of forms: the same text runs here and on a device.
//!
//! A kernel takes arrays of words of 64 bits, one a source operand, and writes two words a thread. Those for instructions
//! that do more than compute are made by `tests/ptx/kernels`, from the same table.

use crate::{Failure, load};
use core::fmt::Write;
use ptx::forms::examples::{name, variants};
use ptx::forms::{Form, GROUPS, operands, table};
use ptx::{Modifier, Opcode};

/// Groups of the table that such kernels are made of.
const SCALAR: [&str; 8] = [
    "integer arithmetic",
    "extended precision",
    "logic and shifts",
    "comparison and selection",
    "floating point",
    "half precision",
    "conversion",
    "video",
];

/// How a type lies in a register: its prefix, its type, and the instructions that bring a word of 64 bits there and back.
fn register(ty: &str) -> Option<(&'static str, &'static str)> {
    Some(match ty {
        "pred" => ("%p", "pred"),
        "u8" | "s8" | "b8" | "u16" | "s16" | "b16" | "f16" | "bf16" | "e4m3x2" | "e5m2x2" => ("%h", "b16"),
        "f32" => ("%f", "f32"),
        "f64" => ("%d", "f64"),
        "u64" | "s64" | "b64" | "f32x2" => ("%x", "b64"),
        "b128" => return None,
        _ => ("%r", "b32"),
    })
}

/// Brings word `from` into register `to`.
fn bring(ty: &str, to: &str, from: &str) -> String {
    match register(ty).map(|r| r.1) {
        Some("pred") => format!("and.b64 %y, {from}, 1; setp.ne.u64 {to}, %y, 0;"),
        Some("b16") => format!("cvt.u16.u64 {to}, {from};"),
        Some("f32") => format!("cvt.u32.u64 %z, {from}; mov.b32 {to}, %z;"),
        Some("f64") => format!("mov.b64 {to}, {from};"),
        Some("b64") => format!("mov.b64 {to}, {from};"),
        _ => format!("cvt.u32.u64 {to}, {from};"),
    }
}

/// Brings register `from` into word `to`.
fn keep(ty: &str, to: &str, from: &str) -> String {
    match register(ty).map(|r| r.1) {
        Some("pred") => format!("selp.b64 {to}, 1, 0, {from};"),
        Some("b16") => format!("cvt.u64.u16 {to}, {from};"),
        Some("f32") => format!("mov.b32 %z, {from}; cvt.u64.u32 {to}, %z;"),
        Some("f64") => format!("mov.b64 {to}, {from};"),
        Some("b64") => format!("mov.b64 {to}, {from};"),
        _ => format!("cvt.u64.u32 {to}, {from};"),
    }
}

fn joined(modifiers: &[Modifier<'static>], by: &str) -> String {
    modifiers.iter().map(Modifier::to_string).collect::<Vec<_>>().join(by)
}

/// A kernel for an instruction: its text, types of its sources, and the instruction.
fn kernel(number: usize, form: &Form, modifiers: &[Modifier<'static>]) -> Option<(String, Vec<String>, String)> {
    // Numbers and selectors follow from the name alone, so that they stay when the table changes.
    let seed_of = format!("{}.{}", form.opcode, joined(modifiers, "."));
    let seed = seed_of.bytes().fold(2_166_136_261u32, |h, b| (h ^ u32::from(b)).wrapping_mul(16_777_619));
    let (slots, results) = operands::slots(form, modifiers)?;
    let (mut before, mut after, mut sources) = (String::new(), String::new(), Vec::new());
    let (mut words, mut kept) = (Vec::new(), 0);
    for (n, ty) in slots.iter().enumerate() {
        match ty.as_str() {
            "imm" => words.push(format!("{}", seed >> 5 & 0xff)),
            _ => {
                let word = format!("{}{n}", register(ty)?.0);
                if n < results {
                    if kept == 2 {
                        return None;
                    }
                    let _ = writeln!(after, "{}", keep(ty, &format!("%w{}", 10 + kept), &word));
                    kept += 1;
                } else {
                    let at = sources.len();
                    let _ =
                        writeln!(before, "ld.param.u64 %a, [p{at}]; add.u64 %a, %a, %i; ld.global.u64 %w{at}, [%a];");
                    let _ = writeln!(before, "{}", bring(ty, &word, &format!("%w{at}")));
                    sources.push(ty.clone());
                }
                words.push(word);
            }
        }
    }
    if sources.len() > 5 {
        return None;
    }
    // Selectors of video instructions: other ones each time.
    if form.group == GROUPS.iter().position(|g| g.0 == "video")? {
        let mut state = seed.wrapping_add(slots.len() as u32);
        let mut next = |n: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % n
        };
        let whole = ["", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1"];
        let (halves, bytes) = (form.opcode.text().ends_with('2'), form.opcode.text().ends_with('4'));
        let many = halves || bytes;
        for word in &mut words[1..3] {
            let digits = |count: u32, most: u32, next: &mut dyn FnMut(u32) -> u32| -> String {
                (0..count).map(|_| char::from(b'0' + next(most) as u8)).collect()
            };
            *word += &match (many, halves) {
                (false, _) => whole[next(7) as usize].to_owned(),
                (true, true) => format!(".h{}", digits(2, 4, &mut next)),
                (true, false) => format!(".b{}", digits(4, 8, &mut next)),
            };
        }
        let merges =
            !modifiers.iter().any(|m| matches!(m, Modifier::Add | Modifier::Min | Modifier::Max)) && slots.len() == 4;
        if many {
            words[0] += if halves {
                ["", ".h0", ".h1"][next(3) as usize]
            } else {
                ["", ".b1", ".b30", ".b210"][next(4) as usize]
            };
        } else if form.opcode == Opcode::Vmad {
            if !modifiers.contains(&Modifier::Po) {
                match next(4) {
                    0 => words[1].insert(0, '-'),
                    1 => words[3].insert(0, '-'),
                    _ => {}
                }
            }
        } else if merges {
            words[0] += whole[1 + next(6) as usize];
        }
    }
    let mut instruction = name(form.opcode, modifiers);
    // Two results in one operand.
    let to = if results == 2 { format!("{}|{}", words[0], words[1]) } else { words[..results].join(", ") };
    let mut all = if results == 0 { Vec::new() } else { vec![to] };
    all.extend(words[results..].iter().cloned());
    let _ = write!(instruction, " {};", all.join(", "));
    // The carry: set by one instruction before, read by one behind.
    let carries = GROUPS.get(form.group)?.0 == "extended precision";
    let mut text = String::new();
    let _ = writeln!(
        text,
        ".visible .entry k{number}(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 p3, .param .u64 p4, .param .u64 po, \
         .param .u32 pn) {{\n.reg .pred %p<9>, %g; .reg .b16 %h<9>; .reg .b32 %r<9>, %z, %k, %n, %m; .reg .b64 %x<9>, %w<12>, \
         %a, %i, %o, %y; .reg .f32 %f<9>; .reg .f64 %d<9>;\n\
         mov.u32 %k, %ctaid.x; mov.u32 %n, %ntid.x; mov.u32 %m, %tid.x; mad.lo.u32 %k, %k, %n, %m; ld.param.u32 %n, [pn];\n\
         setp.ge.u32 %g, %k, %n; @%g ret;\nmul.wide.u32 %i, %k, 8; ld.param.u64 %o, [po]; add.u64 %o, %o, %i; add.u64 %o, %o, %i;\n\
         mov.u64 %w10, 0; mov.u64 %w11, 0;"
    );
    text += &before;
    if carries {
        let _ = writeln!(text, "add.cc.u32 %z, %k, -7;");
    }
    text += &instruction;
    text.push('\n');
    if carries {
        let _ = writeln!(text, "addc.u32 %z, 0, 0; cvt.u64.u32 %w11, %z;");
    }
    text += &after;
    let _ = writeln!(text, "st.global.v2.u64 [%o], {{%w10, %w11}};\nret;\n}}");
    Some((text, sources, instruction))
}

/// What stands before the kernels.
const HEAD: &str = ".version 8.6\n.target sm_90a\n.address_size 64\n";

/// Writes the kernels, each behind a line `//// name types instruction`.
pub fn kernels(folder: &str) -> Result<(), Failure> {
    let mut all = HEAD.to_owned();
    let mut number = 0;
    for form in table().forms() {
        let group = GROUPS[form.group].0;
        if form.target > 90 || form.version > 86 || form.before < u32::MAX || !SCALAR.contains(&group) {
            continue;
        }
        for modifiers in variants(form, if group == "video" { 100 } else { 40 }) {
            number += 1;
            if let Some((text, sources, instruction)) = kernel(number, form, &modifiers) {
                let sources = if sources.is_empty() { "-".to_owned() } else { sources.join(",") };
                let _ = write!(all, "//// k{number} {sources} {instruction}\n{text}");
            }
        }
    }
    Ok(std::fs::write(format!("{folder}/forms.all"), all)?)
}

/// Writes down the forms and ways to write them, for kernels that a script makes: group, opcode, modifiers, operands, version.
pub fn variants_of_forms(folder: &str) -> Result<(), Failure> {
    let mut text = String::new();
    for form in table().forms().filter(|f| f.target <= 90 && f.before == u32::MAX) {
        for modifiers in variants(form, 24) {
            let group = GROUPS[form.group].0;
            let _ = writeln!(
                text,
                "{group}\t{}\t{}\t{}\t{}",
                form.opcode,
                joined(&modifiers, " "),
                form.operands.text,
                form.version
            );
        }
    }
    Ok(std::fs::write(format!("{folder}/variants.txt"), text)?)
}

/// Keeps what we can load of such kernels, in a module and a list, and says why not of the others.
pub fn keep_loadable(folder: &str) -> Result<(), Failure> {
    for name in ["forms", "more", "newer"] {
        let all = std::fs::read_to_string(format!("{folder}/{name}.all"))?;
        let mut pieces = all.split("//// ");
        let head = pieces.next().unwrap_or_default();
        let (mut module, mut list, mut refused) = (head.to_owned(), String::new(), String::new());
        for piece in pieces {
            let (line, text) = piece.split_once('\n').ok_or("a kernel without a line about it")?;
            match load(&format!("{head}{text}")) {
                Ok(_) => {
                    module += text;
                    let _ = writeln!(list, "{line}");
                }
                Err(problem) => {
                    let _ = writeln!(refused, "{line} {problem}");
                }
            }
        }
        for (ending, text) in [("ptx", module), ("txt", list), ("refused", refused)] {
            std::fs::write(format!("{folder}/{name}.{ending}"), text)?;
        }
    }
    Ok(())
}

/// Writes down every texture and surface instruction that the table allows: opcode and modifiers.
pub fn textures(folder: &str) -> Result<(), Failure> {
    let mut text = String::new();
    for form in table().forms().filter(|f| GROUPS[f.group].0 == "textures and surfaces") {
        for modifiers in variants(form, usize::MAX) {
            let _ = writeln!(text, "{}", name(form.opcode, &modifiers));
        }
    }
    Ok(std::fs::write(format!("{folder}/textures.txt"), text)?)
}

/// Of the instructions in a file, a line each, writes down those that load for a device's own target.
pub fn taken(lines: &str, into: &str) -> Result<(), Failure> {
    let registers = ".reg .pred %p<9>; .reg .b32 %r<140>; .reg .b64 %rd<140>;";
    let head = ".version 9.5\n.target sm_90a\n.address_size 64\n.visible .entry k() {";
    let loads = |line: &&str| load(&format!("{head} {registers}\n{line}\nret; }}")).is_ok();
    let lines = std::fs::read_to_string(lines)?;
    let taken: String = lines.lines().filter(loads).flat_map(|line| [line, "\n"]).collect();
    Ok(std::fs::write(into, taken)?)
}
