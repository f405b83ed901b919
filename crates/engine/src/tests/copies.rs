//! Copies of lanes to shared memory and matrices in it, interpreted and compiled.

use super::*;
use crate::running::{called, force_engine, with_avx2};
use crate::state::native::BlockKind;
use ptx::Opcode;
use settings::config::Engine;

const COUNT: usize = 4096;

/// What a kernel leaves of memory, and the line at which it fails.
type Outcome = (Vec<u32>, Option<u32>);

/// What becomes of a kernel, and what it calls when it is compiled.
fn one(text: &str, block: u32, engine: Engine) -> (Outcome, Vec<Opcode>) {
    let mut words = Box::new(Words::<COUNT>(core::array::from_fn(|n| (n as u32).wrapping_mul(2_654_435_761) >> 3)));
    let launch = launch(text, 1, block, &[words.0.as_mut_ptr() as u64]);
    let opcodes = called(&launch.program.functions[launch.kernel as usize], BlockKind::Rows).unwrap_or_default();
    let done = force_engine(engine, || launch.run());
    ((words.0.to_vec(), done.err().map(|failure| failure.line)), opcodes)
}

/// The same interpreted, and compiled, with all that the machine has and with AVX2: alike.
fn both(body: &str, block: u32) -> ([Outcome; 2], Vec<Opcode>) {
    let text = kernel(body);
    let (interpreted, _) = one(&text, block, Engine::Interpret);
    let (compiled, mut opcodes) = one(&text, block, Engine::Compile);
    let (narrow, others) = with_avx2(|| one(&text, block, Engine::Compile));
    assert!(narrow == compiled, "AVX2: {block} {body}");
    opcodes.extend(others);
    ([interpreted, compiled], opcodes)
}

/// `%b` is where shared memory is, `%r1` a mixture, `%p1` holds for most lanes.
const BEFORE: &str = ".shared .align 16 .b8 s[2048]; .reg .b32 %b; mov.u32 %b, s; ld.global.u32 %r1, [%mine+512];
    setp.ne.u32 %p1, %t, 5; mad.lo.u32 %r2, %t, 8, %b; and.b32 %r3, %r1, 127; st.shared.v2.u32 [%r2], {%r1, %t};
    st.shared.v2.u32 [%r2+512], {%r1, %r3}; bar.sync 0;";

/// Puts shared memory where the test sees it.
fn after(block: u32) -> String {
    let words = 512u32.div_ceil(block);
    let copy = |n| {
        let at = n * block * 4;
        format!(
            "mad.lo.u32 %r20, %t, 4, %b; ld.shared.u32 %r21, [%r20+{at}]; st.global.u32 [%mine+{}], %r21;\n",
            8192 + at
        )
    };
    // What is beyond the end is left out.
    let all: String = (0..512 / block).map(copy).collect();
    assert!(words >= 1);
    format!("bar.sync 0; {all}")
}

/// Both give the same, and fail or not; with native code alone for an opcode where `native` says so.
fn alike(body: &str, block: u32, fails: bool, native: Option<Opcode>) {
    let (text, level) = (format!("{BEFORE} {body} {}", after(block)), compiler::level());
    let ([interpreted, compiled], opcodes) = both(&text, block);
    assert_eq!(interpreted.1.is_some(), fails, "{body}");
    assert!(interpreted == compiled, "{block} {body}");
    if let (Some(opcode), Some(_)) = (native, level) {
        assert!(!opcodes.contains(&opcode), "{body}: {opcodes:?}");
    }
}

#[test]
fn copies_to_shared_memory_are_the_same_in_both() {
    for (bytes, cache) in [(4, "ca"), (8, "ca"), (16, "ca"), (16, "cg")] {
        // Sources and destinations in no order, in a row, and in one place.
        let places = [
            format!(
                "shr.u32 %r4, %r1, 7; and.b32 %r4, %r4, 63; mad.lo.u32 %r5, %r4, {bytes}, %b; mul.wide.u32 %rd1, %r3, {bytes};"
            ),
            format!("mad.lo.u32 %r5, %t, {bytes}, %b; mul.wide.u32 %rd1, %t, {bytes};"),
            "add.u32 %r5, %b, 64; mov.u64 %rd1, 128;".to_owned(),
        ];
        let copy = format!("cp.async.{cache}.shared.global");
        let forms = [
            format!("{copy} [%r5], [%rd2], {bytes};"),
            format!("{copy} [%r5+32], [%rd2+64], {bytes}; cp.async.commit_group; cp.async.wait_group 0;"),
            format!("@%p1 {copy} [%r5+32], [%rd2+-64], {bytes}; cp.async.wait_all;"),
            format!("@!%p1 {copy} [%r5], [%rd2], {bytes};"),
            // All bytes or none; some; as many for all lanes.
            format!("and.b32 %r6, %r1, 32; {copy} [%r5], [%rd2], {bytes}, %r6;"),
            format!(
                "selp.b32 %r6, {bytes}, 0, %p1; setp.gt.u32 %p2, %r1, %r3; @%p2 {copy} [%r5+16], [%rd2], {bytes}, %r6;"
            ),
            format!("and.b32 %r6, %r1, 31; {copy} [%r5], [%rd2], {bytes}, %r6;"),
            format!("{copy} [%r5], [%rd2], {bytes}, 3;"),
            format!("{copy} [%r5], [%rd2], {bytes}, 0;"),
            format!("{copy} [%r5], [%rd2+16], {bytes}, {bytes};"),
            format!("mov.u32 %r6, %ntid.y; mul.lo.u32 %r6, %r6, {bytes}; {copy} [%r5], [%rd2], {bytes}, %r6;"),
            // A predicate that says which lanes have no source: nobody looks at what is there.
            format!("{copy} [%r5], [%rd2], {bytes}, %p1;"),
            format!("setp.gt.u32 %p2, %r1, %r3; @%p2 {copy} [%r5], [%rd2], {bytes}, %p1;"),
            format!(
                "selp.b64 %rd2, %rd2, 0x7ffffffffffff000, %p1; not.pred %p1, %p1; {copy} [%r5], [%rd2], {bytes}, %p1;"
            ),
            format!(
                "selp.b64 %rd2, %rd2, 0x7ffffffffffff000, %p1; selp.b32 %r6, {bytes}, 0, %p1; {copy} [%r5], [%rd2], {bytes}, %r6;"
            ),
        ];
        for (n, place) in places.iter().enumerate() {
            for form in &forms[..if n == 0 { forms.len() } else { 3 }] {
                let body = format!("{place} add.u64 %rd2, %out, %rd1; add.u64 %rd2, %rd2, 1024; {form}");
                alike(&body, if bytes == 8 { 24 } else { 64 }, false, Some(Opcode::Cp));
            }
        }
        // In a loop, some lanes for longer than others.
        let body = format!(
            "{} add.u64 %rd2, %out, %rd1; add.u64 %rd2, %rd2, 1024; mov.u32 %r7, 0; L: {copy} [%r5], [%rd2], {bytes}; add.u64 %rd2, %rd2, {bytes};
             add.u32 %r5, %r5, {bytes}; add.u32 %r7, %r7, 1; and.b32 %r8, %r1, 3; setp.le.u32 %p2, %r7, %r8; @%p2 bra L; cp.async.commit_group;",
            places[0]
        );
        alike(&body, 64, false, Some(Opcode::Cp));
    }
}

#[test]
fn copies_that_lead_nowhere_fail_in_both() {
    for bytes in [4, 8, 16] {
        let copy = "cp.async.ca.shared.global";
        for form in [
            // Of one lane the address of the source or of the destination is not aligned, or outside.
            format!("selp.b64 %rd3, 0, 2, %p1; add.u64 %rd2, %rd2, %rd3; {copy} [%r5], [%rd2], {bytes};"),
            format!("selp.b32 %r7, 0, 2, %p1; add.u32 %r5, %r5, %r7; {copy} [%r5], [%rd2], {bytes};"),
            format!("selp.b32 %r7, 0, 65536, %p1; add.u32 %r5, %r5, %r7; {copy} [%r5], [%rd2], {bytes};"),
            format!("selp.b64 %rd2, %rd2, 0x7ffffffffffff000, %p1; {copy} [%r5], [%rd2], {bytes};"),
            format!("selp.b64 %rd2, %rd2, 64, %p1; {copy} [%r5], [%rd2], {bytes}, %r6;"),
            // One without a source has to be aligned, too.
            format!("selp.b64 %rd3, 0, 2, %p1; add.u64 %rd2, %rd2, %rd3; {copy} [%r5], [%rd2], {bytes}, 0;"),
            format!(
                "selp.b64 %rd3, 0, 2, %p1; add.u64 %rd2, %rd2, %rd3; not.pred %p2, %p1; {copy} [%r5], [%rd2], {bytes}, %p2;"
            ),
        ] {
            let body = format!(
                "mad.lo.u32 %r5, %t, {bytes}, %b; mul.wide.u32 %rd1, %r3, {bytes}; add.u64 %rd2, %out, %rd1; mov.u32 %r6, {bytes};
                 st.global.u32 [%out+12288], %r6; add.u64 %rd2, %rd2, 1024;\n{form}\n"
            );
            alike(&body, 64, true, Some(Opcode::Cp));
        }
    }
}

#[test]
fn matrices_in_shared_memory_are_the_same_in_both() {
    let results = ["{%r10}", "{%r10, %r11}", "{%r10, %r11, %r12, %r13}"];
    let places = [
        "and.b32 %r4, %r3, 63; mad.lo.u32 %r5, %r4, 16, %b;",
        "mad.lo.u32 %r5, %t, 16, %b;",
        "add.u32 %r5, %b, 128;",
        // The first lanes alone count.
        "mad.lo.u32 %r5, %t, 16, %b; setp.ge.u32 %p3, %t, 32; @%p3 add.u32 %r5, %r5, -512;",
    ];
    for (count, registers) in [1, 2, 4].into_iter().zip(results) {
        for turned in ["", ".trans"] {
            for place in places {
                let load = format!("ldmatrix.sync.aligned.m8n8.x{count}{turned}.shared.b16 {registers}, [%r5+32];");
                let store = format!("stmatrix.sync.aligned.m8n8.x{count}{turned}.shared.b16 [%r5+16], {registers};");
                let shown = "st.global.v4.u32 [%rd4+4096], {%r10, %r11, %r12, %r13};";
                let body = format!(
                    "{place} mul.wide.u32 %rd3, %t, 16; add.u64 %rd4, %out, %rd3; mov.u32 %r10, 1; mov.u32 %r11, %t; mov.u32 %r12, 3; xor.b32 %r13, %r1, 4;
                     {load} {shown} {store} add.u32 %r10, %r10, %t; bar.warp.sync -1; {load} add.u64 %rd4, %rd4, 1024; {shown}"
                );
                // In the last warp of 40 threads there are eight, which say where one matrix is.
                for block in [32, 64, 40].into_iter().filter(|&block| block != 40 || count == 1) {
                    alike(&body, block, false, None);
                }
                let (_, opcodes) = both(&format!("{BEFORE} {body}"), 64);
                let own = [Opcode::Ldmatrix, Opcode::Stmatrix];
                assert!(compiler::level().is_none() || !opcodes.iter().any(|opcode| own.contains(opcode)), "{body}");
                // Some lanes have ended, or come later.
                for apart in ["@!%p1 exit;", "@!%p1 bra S; add.u32 %r9, %r9, 1; S:"] {
                    alike(&format!("{place} mov.u32 %r10, %t; mov.u32 %r11, %r1; mov.u32 %r12, 7; mov.u32 %r13, %r3; mov.u32 %r9, 0;
                        mul.wide.u32 %rd3, %t, 16; add.u64 %rd4, %out, %rd3; {apart} {store} {load} {shown}"), 64, false, None);
                }
            }
            for wrong in ["selp.b32 %r7, 0, 8, %p1;", "selp.b32 %r7, 0, 8192, %p1;", "mov.u32 %r7, 2048;"] {
                for stores in [false, true] {
                    let access = if stores {
                        format!("stmatrix.sync.aligned.m8n8.x{count}{turned}.shared.b16 [%r5], {registers};")
                    } else {
                        format!("ldmatrix.sync.aligned.m8n8.x{count}{turned}.shared.b16 {registers}, [%r5];")
                    };
                    let body = format!(
                        "mad.lo.u32 %r5, %t, 16, %b; {wrong} add.u32 %r5, %r5, %r7; mov.u32 %r10, %t; mov.u32 %r11, 8; mov.u32 %r12, 9; mov.u32 %r13, 10;
                         st.global.u32 [%mine+4096], %r5;\n{access}\n st.global.u32 [%mine+5120], %r10;"
                    );
                    alike(&body, 32, true, None);
                }
            }
        }
    }
}
