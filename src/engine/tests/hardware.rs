//! Kernels of one instruction each, for `tests/ptx/hardware.sh`: the same text runs here and on a device.
//!
//! A kernel takes arrays of words of 64 bits, one a source operand, and writes two words a thread: results, or what an atomic
//! operation gave and what it left behind.

use crate::ptx::forms::tests::variants;
use crate::ptx::forms::{Form, GROUPS, operands, table};
use core::fmt::Write;

/// Groups of the table that such kernels are made of.
const SCALAR: [&str; 9] = [
    "integer arithmetic",
    "extended precision",
    "logic and shifts",
    "comparison and selection",
    "floating point",
    "half precision",
    "conversion",
    "video",
    "atomics",
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

/// A kernel for an instruction: its text, types of its sources, and the instruction.
fn kernel(number: usize, form: &Form, modifiers: &[&'static str]) -> Option<(String, Vec<String>, String)> {
    let types: Vec<&str> = modifiers.iter().copied().filter(|m| operands::is_type(m)).collect();
    // Numbers and selectors follow from the name alone, so that they stay when the table changes.
    let name = format!("{}.{}", form.opcode, modifiers.join("."));
    let seed = name.bytes().fold(2_166_136_261u32, |h, b| (h ^ u32::from(b)).wrapping_mul(16_777_619));
    let (slots, results) = operands::slots(form, &types, modifiers)?;
    let atomic = slots.iter().any(|s| s == "[]");
    let shared = modifiers.iter().any(|m| m.starts_with("shared"));
    if modifiers.contains(&"L2::cache_hint") || modifiers.contains(&"shared::cluster") || form.operands == "*" {
        return None;
    }
    let (mut before, mut after, mut sources) = (String::new(), String::new(), Vec::new());
    let (mut words, mut kept) = (Vec::new(), 0);
    for (n, ty) in slots.iter().enumerate() {
        match ty.as_str() {
            "[]" => words.push(if shared { "[%s]".to_owned() } else { "[%o+8]".to_owned() }),
            "imm" => words.push(format!("{}", seed >> 5 & 0xff)),
            _ => {
                let word = format!("{}{n}", register(ty)?.0);
                if n < results {
                    if kept == 2 || atomic && kept == 1 {
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
        let many = form.opcode.ends_with(['2', '4']);
        for word in &mut words[1..3] {
            let digits = |count: u32, most: u32, next: &mut dyn FnMut(u32) -> u32| -> String {
                (0..count).map(|_| char::from(b'0' + next(most) as u8)).collect()
            };
            *word += &match (many, form.opcode.ends_with('2')) {
                (false, _) => whole[next(7) as usize].to_owned(),
                (true, true) => format!(".h{}", digits(2, 4, &mut next)),
                (true, false) => format!(".b{}", digits(4, 8, &mut next)),
            };
        }
        let merges = !modifiers.iter().any(|m| matches!(*m, "add" | "min" | "max")) && slots.len() == 4;
        if many {
            words[0] += if form.opcode.ends_with('2') {
                ["", ".h0", ".h1"][next(3) as usize]
            } else {
                ["", ".b1", ".b30", ".b210"][next(4) as usize]
            };
        } else if form.opcode == "vmad" {
            if !modifiers.contains(&"po") {
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
    let mut instruction = form.opcode.to_owned();
    for modifier in modifiers {
        let _ = write!(instruction, ".{modifier}");
    }
    // Two results in one operand; vectors.
    let vector = modifiers.iter().any(|m| matches!(*m, "v2" | "v4" | "v8"));
    if vector {
        return None;
    }
    let joined = if results == 2 { format!("{}|{}", words[0], words[1]) } else { words[..results].join(", ") };
    let mut all = if results == 0 { Vec::new() } else { vec![joined] };
    all.extend(words[results..].iter().cloned());
    let _ = write!(instruction, " {};", all.join(", "));
    // The carry: set by one instruction before, read by one behind.
    let carries = GROUPS.get(form.group)?.0 == "extended precision";
    let mut text = String::new();
    let _ = writeln!(
        text,
        ".visible .entry k{number}(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 p3, .param .u64 p4, .param .u64 po, \
         .param .u32 pn) {{\n.reg .pred %p<9>, %g; .reg .b16 %h<9>; .reg .b32 %r<9>, %z, %k, %n, %m, %s; .reg .b64 %x<9>, %w<12>, \
         %a, %i, %o, %y; .reg .f32 %f<9>; .reg .f64 %d<9>;\n.shared .align 16 .b8 cells[1024];\n\
         mov.u32 %k, %ctaid.x; mov.u32 %n, %ntid.x; mov.u32 %m, %tid.x; mad.lo.u32 %k, %k, %n, %m; ld.param.u32 %n, [pn];\n\
         setp.ge.u32 %g, %k, %n; @%g ret;\nmul.wide.u32 %i, %k, 8; ld.param.u64 %o, [po]; add.u64 %o, %o, %i; add.u64 %o, %o, %i;\n\
         mov.u64 %w10, 0; mov.u64 %w11, 0;"
    );
    text += &before;
    if atomic {
        // The cell holds what the last array has.
        let _ = writeln!(text, "ld.param.u64 %a, [p4]; add.u64 %a, %a, %i; ld.global.u64 %w4, [%a];");
        let _ = writeln!(text, "mov.u32 %s, cells; mad.lo.u32 %s, %m, 8, %s;");
        let _ = writeln!(text, "st.global.u64 [%o+8], %w4; st.shared.u64 [%s], %w4; membar.gl;");
    }
    if carries {
        let _ = writeln!(text, "add.cc.u32 %z, %k, -7;");
    }
    text += &instruction;
    text.push('\n');
    if carries {
        let _ = writeln!(text, "addc.u32 %z, 0, 0; cvt.u64.u32 %w11, %z;");
    }
    text += &after;
    if atomic {
        let from = if shared { "ld.shared.u64 %w11, [%s];" } else { "ld.global.u64 %w11, [%o+8];" };
        let _ = writeln!(text, "membar.gl; {from}");
    }
    let _ = writeln!(text, "st.global.v2.u64 [%o], {{%w10, %w11}};\nret;\n}}");
    Some((text, sources, instruction))
}

/// Writes the kernels and the list of them: name, types of sources, instruction. What is refused here is left out.
#[test]
#[ignore = "writes files for a script"]
fn write_kernels() {
    let folder = std::env::var("FOLDER").unwrap();
    let head = ".version 8.6\n.target sm_90a\n.address_size 64\n";
    let (mut module, mut list, mut refused) = (head.to_owned(), String::new(), String::new());
    let mut number = 0;
    for form in &table().forms {
        if form.target > 90 || form.version > 86 || form.before < u32::MAX || !SCALAR.contains(&GROUPS[form.group].0) {
            continue;
        }
        let most = if GROUPS[form.group].0 == "atomics" { 8 } else { 40 };
        for modifiers in variants(form, most) {
            number += 1;
            let Some((text, sources, instruction)) = kernel(number, form, &modifiers) else { continue };
            match super::forms::load(&format!("{head}{text}")) {
                Ok(_) => {
                    module += &text;
                    let _ = writeln!(
                        list,
                        "k{number} {} {instruction}",
                        if sources.is_empty() { "-".to_owned() } else { sources.join(",") }
                    );
                }
                Err(problem) => {
                    let _ = writeln!(refused, "{instruction} {problem}");
                }
            }
        }
    }
    std::fs::write(format!("{folder}/forms.ptx"), module).unwrap();
    std::fs::write(format!("{folder}/forms.txt"), list).unwrap();
    std::fs::write(format!("{folder}/refused.txt"), refused).unwrap();
}
