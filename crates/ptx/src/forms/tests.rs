//! What the table takes and refuses. `tests/ptx/forms.sh` holds it against NVIDIA's assembler.

use super::examples::{example, variants};
use super::*;
use crate::parse;

/// Registers of every type, as the lines of the tests use them.
const REGISTERS: &str = ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .b128 %q<9>; \
    .reg .f32 %f<9>; .reg .f64 %d<9>; .reg .u32 %u<9>; .reg .s32 %s<9>; .reg .b8 %b<9>;";

fn problem(code: &str) -> Option<String> {
    let text =
        format!(".version 8.5\n.target sm_90\n.address_size 64\n.visible .entry k() {{ {REGISTERS}\n{code}\nret; }}");
    parse(&text).err().map(|d| d.message)
}

#[test]
fn forms_that_are_none() {
    for (code, message) in [
        ("foo.u32 %r1, %r2, %r3;", "Not a name of any known instruction: 'foo'"),
        ("add.foo.u32 %r1, %r2, %r3;", "Unknown modifier '.foo'"),
        ("add.ftz.f64 %d1, %d2, %d3;", "Illegal modifier '.ftz' for instruction 'add'"),
        ("add.relu.f32 %f1, %f2, %f3;", "Illegal modifier '.relu' for instruction 'add'"),
        ("add.b32 %r1, %r2, %r3;", "Unexpected instruction types specified for 'add'"),
        ("add %r1, %r2, %r3;", "Unexpected instruction types specified for 'add'"),
        ("add.u32.u32 %r1, %r2, %r3;", "Unexpected instruction types specified for 'add'"),
        ("add.u32 %r1, %r2;", "Arguments mismatch for instruction 'add'"),
        ("add.u32 %r1, %r2, %r3, %r4;", "Arguments mismatch for instruction 'add'"),
        ("add.u32 %rd1, %r2, %r3;", "Arguments mismatch for instruction 'add'"),
        ("add.u32 %f1, %r2, %r3;", "Arguments mismatch for instruction 'add'"),
        ("add.f32 %f1, %f2, 1;", "Arguments mismatch for instruction 'add'"),
        ("add.u32 5, %r2, %r3;", "Result register required for instruction 'add'"),
        ("add.u32 %r1, %tid.x, %r3;", "Special register argument not allowed for instruction 'add'"),
        ("fma.f32 %f1, %f2, %f3, %f4;", "Rounding modifier required for instruction 'fma'"),
        ("setp.u32 %p1, %r2, %r3;", "Comparison modifier required for instruction 'setp'"),
        ("ex2.f32 %f1, %f2;", ".approx modifier required for instruction 'ex2'"),
        ("add.f32x2 %rd1, %rd2, %rd3;", "Feature 'add.f32x2' requires PTX ISA .version 8.6 or later"),
        ("ld.global.v3.u32 {%r1, %r2, %r3}, [%rd1];", "Unknown modifier '.v3'"),
        ("wgmma.fence.sync.aligned;", "Feature 'wgmma' not supported on .target 'sm_90'"),
    ] {
        assert_eq!(problem(code).as_deref(), Some(message), "{code}");
    }
}

#[test]
fn forms_in_any_order_of_their_modifiers() {
    for code in [
        "add.sat.s32 %r1, %r2, %s3;",
        "add.s32.sat %r1, %r2, %r3;",
        "add.f32 %r1, %f2, 0f3F800000;",
        "atom.add.relaxed.gpu.u64 %rd1, [%rd2], %rd3;",
        "ld.ca.global.u8 %rd1, [%rd2];",
        "ld.global.v2.u32 {%r1, _}, [%rd1];",
        "st.global.b32 [%rd1], 0f3F800000;",
        "setp.lt.and.u32 %p1|_, %r1, 5, !%p2;",
        "vadd.u32.s32.u32.sat.min %r1, %r2.b0, %r3.h1, %r4;",
        "vmad.s32.s32.s32 %r1, -%r2.b0, %r3.h1, %r4;",
        "cvt.u32.u8 %r1, %rd2;",
        "popc.b64 %r1, %rd1;",
    ] {
        assert_eq!(problem(code), None, "{code}");
    }
}

/// Every form passes its own check.
#[test]
fn examples_are_valid() {
    let mut count = 0;
    for form in table().forms() {
        let target = match (form.before, form.own.is_empty()) {
            (u32::MAX, true) => 120.max(form.target).to_string(),
            (u32::MAX, false) => form.home(),
            _ => "60".to_owned(),
        };
        let lines: Vec<String> = variants(form, 64).iter().filter_map(|modifiers| example(form, modifiers)).collect();
        count += lines.len();
        let text = format!(
            ".version 9.5\n.target sm_{target}\n.address_size 64\n.visible .entry k() {{ {REGISTERS} L:\n{}\nret; }}",
            lines.join("\n")
        );
        if let Err(problem) = parse(&text) {
            panic!("{} {problem}", lines[problem.line as usize - 5]);
        }
    }
    assert!(count > 3000, "{count}");
}

/// What only newer devices have is known, and refused for the target, not as something that there is not.
#[test]
fn forms_of_newer_targets() {
    let mut wrong = Vec::new();
    for line in include_str!("../../../../tests/ptx/newer.txt").lines() {
        let text = format!(
            ".version 9.5\n.target sm_90\n.address_size 64\n.visible .entry k() {{ {}\n{line}\nret; }}",
            REGISTERS.replace("<9>", "<10>")
        );
        let message = parse(&text).err().map_or("taken".to_owned(), |d| d.message);
        if !message.starts_with("Feature") || !message.contains(".target") {
            wrong.push(format!("{line}: {message}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
