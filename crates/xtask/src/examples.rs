//! Instructions made from the table of forms, for NVIDIA's assembler to judge (`tests/ptx/forms.sh`).

use crate::Failure;
use core::fmt::Write;
use ptx::forms::examples::{example, variants};
use ptx::forms::table;
use ptx::{Modifier, parse};

/// Registers of every type, as the examples use them.
const REGISTERS: &str = ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .b128 %q<9>; \
    .reg .f32 %f<9>; .reg .f64 %d<9>; .reg .u32 %u<9>; .reg .s32 %s<9>; .reg .b8 %b<9>;";

/// Writes the examples down: a form's requirements and an instruction a line.
pub fn examples(file: &str) -> Result<(), Failure> {
    let mut text = String::new();
    for form in table().forms() {
        for modifiers in variants(form, 4096) {
            if let Some(line) = example(form, &modifiers) {
                let _ = writeln!(text, "{} {} {} {line}", form.home(), form.before, form.version);
            }
        }
    }
    Ok(std::fs::write(file, text)?)
}

/// Writes down examples as modules of just the version that a form needs and of the one before have them, and what we say:
/// the target, the version, the instruction, the verdict.
pub fn versions(file: &str) -> Result<(), Failure> {
    const VERSIONS: [u32; 24] =
        [63, 64, 65, 70, 71, 72, 73, 74, 75, 76, 77, 78, 80, 81, 82, 83, 84, 85, 86, 87, 88, 90, 91, 92];
    // Targets that the assembler knows, with the versions that they came with.
    const TARGETS: [(u32, u32); 6] = [(75, 63), (80, 70), (86, 71), (87, 74), (89, 78), (90, 78)];
    let mut lines = std::collections::BTreeSet::new();
    for form in table().forms().filter(|f| f.before > 100 && f.target <= 90 && f.own.is_empty()) {
        let Some(&(target, oldest)) = TARGETS.iter().find(|t| t.0 >= form.target) else { continue };
        let least = form.version.max(oldest);
        let before = VERSIONS.iter().copied().filter(|&v| v < least && v >= oldest).max();
        for version in before.into_iter().chain([least]) {
            for modifiers in variants(form, 24) {
                lines.extend(example(form, &modifiers).map(|line| (target, version, line)));
            }
        }
    }
    let mut text = String::new();
    for (target, version, line) in lines {
        let (major, minor) = (version / 10, version % 10);
        // Older versions know no registers of 128 bits.
        let registers = if version < 83 { REGISTERS.replace(".reg .b128 %q<9>;", "") } else { REGISTERS.to_owned() };
        let module = format!(
            ".version {major}.{minor}\n.target sm_{target}\n.address_size 64\n.visible .entry k() {{ {registers}\nL: {line}\nret; }}"
        );
        let verdict = parse(&module).map_or_else(|p| format!("no {}", p.message), |_| "yes".to_owned());
        let _ = writeln!(text, "{target}\t{major}.{minor}\t{line}\t{verdict}");
    }
    Ok(std::fs::write(file, text)?)
}

/// Writes down what newer devices have, the examples of the table and the lines of `tests/ptx/newer.txt`, for each of their targets, and
/// what we say: the target, the version, the instruction, the verdict.
pub fn targets(file: &str) -> Result<(), Failure> {
    const TARGETS: [&str; 10] = ["100", "100a", "100f", "103a", "110f", "120", "120a", "120f", "121a", "90a"];
    const VERSIONS: [u32; 9] = [86, 87, 88, 90, 91, 92, 93, 94, 95];
    let newest = VERSIONS[VERSIONS.len() - 1];
    let mut lines = std::collections::BTreeSet::new();
    for line in include_str!("../../../tests/ptx/newer.txt").lines() {
        lines.extend(TARGETS.map(|target| (target.to_owned(), newest, line.to_owned())));
    }
    for form in table().forms().filter(|f| f.target > 90) {
        let home = form.home();
        // A target of the first kind that has it came with this version.
        let oldest = match home.trim_end_matches('a') {
            "120" => 87,
            _ => 86,
        };
        let least = form.version.max(oldest);
        let before = VERSIONS.iter().copied().filter(|&v| v < least && v >= oldest).max();
        for line in variants(form, 12).iter().filter_map(|modifiers| example(form, modifiers)) {
            lines.extend(before.into_iter().chain([least]).map(|version| (home.clone(), version, line.clone())));
            lines.extend(TARGETS.map(|target| (target.to_owned(), newest, line.clone())));
        }
    }
    let mut text = String::new();
    let registers = REGISTERS.replace("<9>", "<30>");
    for (target, version, line) in lines {
        let (major, minor) = (version / 10, version % 10);
        let module = format!(
            ".version {major}.{minor}\n.target sm_{target}\n.address_size 64\n.visible .entry k() {{ {registers}\nL: {line}\nret; }}"
        );
        let verdict = parse(&module).map_or_else(|p| format!("no {}", p.message), |_| "yes".to_owned());
        let _ = writeln!(text, "{target}\t{major}.{minor}\t{line}\t{verdict}");
    }
    Ok(std::fs::write(file, text)?)
}

/// Writes down instructions that are nearly forms, and what we say to them.
pub fn mutants(file: &str) -> Result<(), Failure> {
    const MORE: &str = "ftz sat rn rz rni relu satfinite NaN approx full cc hi wide uni and volatile relaxed gpu global shared \
                        nc ca v2 sync aligned noftz clamp to add min cas eq lo";
    const TYPES: &str = "pred b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f16 f16x2 bf16 bf16x2 f32 f64 u16x2 s16x2 tf32 \
                         e4m3x2";
    let mut lines = std::collections::BTreeSet::new();
    for form in table().forms().filter(|f| f.before == u32::MAX) {
        let all = variants(form, 4096);
        for modifiers in all.iter().step_by((all.len() / 4).max(1)) {
            let mut mutants = Vec::new();
            for at in 0..modifiers.len() {
                let mut without = modifiers.clone();
                let gone = without.remove(at);
                mutants.push(without);
                if gone.class().is_some() {
                    for ty in TYPES.split(' ').map(Modifier::parse) {
                        let mut other = modifiers.clone();
                        other[at] = ty;
                        mutants.push(other);
                    }
                }
            }
            for more in MORE.split(' ').map(Modifier::parse).filter(|m| !modifiers.contains(m)) {
                let mut with = modifiers.clone();
                with.insert(0, more);
                mutants.push(with);
            }
            lines.extend(mutants.iter().filter_map(|m| example(form, m)));
        }
    }
    let mut text = String::new();
    for line in lines {
        let module = format!(
            ".version 9.5\n.target sm_90\n.address_size 64\n.visible .entry k() {{ {REGISTERS}\nL: {line}\nret; }}"
        );
        let verdict = parse(&module).map_or_else(|p| format!("no {}", p.message), |_| "yes".to_owned());
        let _ = writeln!(text, "{line}\t{verdict}");
    }
    Ok(std::fs::write(file, text)?)
}
