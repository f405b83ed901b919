//! Which matrix instructions load.

use super::forms::load;
use ptx::forms::GROUPS;

fn matrix_loads(line: &str) -> bool {
    let registers = ".reg .pred %p<9>; .reg .b32 %r<140>; .reg .b64 %rd<140>;";
    let head = ".version 9.5\n.target sm_90a\n.address_size 64\n.visible .entry k() {";
    load(&format!("{head} {registers}\n{line}\nret; }}")).is_ok()
}

/// The forms that NVIDIA's assembler takes are in the table; what the manual does not have of them is refused.
#[test]
fn matrix_instructions_are_forms() {
    let matrix = GROUPS.iter().position(|g| g.0 == "matrix");
    let all = include_str!("../../../../tests/ptx/matrix.txt");
    for name in all.lines() {
        assert_eq!(ptx::forms::examples::group_of(name), matrix, "{name}");
    }
    assert_eq!(all.lines().count(), 1938);
    let doubles = |n: usize| (0..n).map(|i| format!("%rd{i}")).collect::<Vec<_>>().join(", ");
    for (shape, factor) in [("m16n16k8", 4), ("m16n16k16", 8)] {
        let (sum, factor) = (doubles(8), doubles(factor));
        let line = format!(
            "wmma.mma.sync.aligned.row.col.{shape}.f64.f64.f64.f64 {{{sum}}}, {{{factor}}}, {{{factor}}}, {{{sum}}};"
        );
        assert!(!matrix_loads(&line), "{line}");
    }
    assert!(matrix_loads(
        "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r0, %r1}, {%r2, %r3}, {%r4}, {%r5, %r6};"
    ));
    for line in [
        "mma.sync.aligned.m16n8k8.col.row.f16.f16.f16.f16 {%r0, %r1}, {%r2, %r3}, {%r4}, {%r5, %r6};",
        "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f32 {%r0, %r1}, {%r2, %r3}, {%r4}, {%r5, %r6, %r7, %r8};",
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16.satfinite {%r0, %r1, %r2, %r3}, %rd0, %rd1, %p0, 1, 1, 0, 0;",
    ] {
        assert!(!matrix_loads(line), "{line}");
    }
}
