//! Functions: parameters in registers, other names, memory on the stack.

use super::{Words, kernel, launch, run};
use crate::running::force_engine;
use settings::config::Engine;

/// Behind the code of a function: it stays a function, and does not take the place of its calls.
const KEPT: &str = "ret; exit;";

#[test]
fn parameters_in_registers() {
    let mut words = Words([0u32; 64]);
    let text = format!(
        ".func (.reg .b32 r) f(.reg .b32 a, .reg .u64 b, .param .b32 c) {{
             .reg .b32 x, y; .reg .pred p;
             ld.param.b32 x, [c]; cvt.u32.u64 y, b; add.u32 r, a, x; setp.lt.u32 p, a, 16; @p ret;
             add.u32 r, r, y; ret; }}
         .func (.reg .f32 r) g(.reg .f32 a) {{ add.f32 r, a, a; }}
         {}",
        kernel(
            "proto: .callprototype (.reg .f32 _) _ (.reg .f32 _); .reg .f32 %f<4>;
             mov.u64 %rd1, 1000; call (%r1), f, (%t, %rd1, 5); st.global.u32 [%mine], %r1;
             mov.u64 %rd2, g; mov.f32 %f1, 1.5; call (%f2), %rd2, (%f1), proto; st.global.f32 [%mine+128], %f2;"
        )
    );
    run(&text, 1, 32, &mut words.0).unwrap();
    for lane in 0..32 {
        assert_eq!(words.0[lane as usize], lane + 5 + if lane < 16 { 0 } else { 1000 });
        assert_eq!(words.0[lane as usize + 32], 3f32.to_bits());
    }
}

#[test]
fn aliases() {
    let mut words = Words([0u32; 4]);
    let text = format!(
        ".visible .func (.param .b32 r) f(.param .b32 a) {{ .reg .b32 x; ld.param.b32 x, [a]; add.u32 x, x, 7;
             st.param.b32 [r], x; ret; }}
         .visible .func (.param .b32 r) other(.param .b32 a);
         .alias other, f;
         {}",
        kernel(
            "{ .param .b32 p, q; st.param.b32 [p], 1; call (q), other, (p); ld.param.b32 %r1, [q]; }
             mov.u64 %rd1, f; mov.u64 %rd2, other; sub.u64 %rd3, %rd1, %rd2; cvt.u32.u64 %r2, %rd3;
             st.global.v2.u32 [%out], {%r1, %r2};"
        )
    );
    run(&text, 1, 1, &mut words.0).unwrap();
    assert_eq!(words.0[..2], [8, 0]);
}

/// Places are aligned, go downwards, are given back in one go, and belong to the thread.
#[test]
fn memory_on_the_stack() {
    let mut words = Words([0u32; 64]);
    let text = kernel(
        ".local .align 4 .b8 own[8]; mov.u64 %rd28, own; st.local.u32 [%rd28], %t;
         stacksave.u64 %rd1; mov.u64 %rd2, 5; alloca.u64 %rd3, %rd2; stacksave.u64 %rd4;
         mov.u64 %rd5, 0; alloca.u64 %rd6, %rd5; mov.u64 %rd8, 24; alloca.u64 %rd9, %rd8, 64;
         alloca.u64 %rd11, %rd2, 4; stackrestore.u64 %rd4; alloca.u64 %rd13, %rd2, 16;
         st.local.u32 [%rd13], %t; cvta.local.u64 %rd14, %rd13; ld.u32 %r1, [%rd14]; ld.local.u32 %r2, [%rd28];
         add.u32 %r1, %r1, %r2; st.global.u32 [%mine+64], %r1;
         stackrestore.u64 %rd1; mov.u64 %rd17, 100; alloca.u64 %rd18, %rd17;
         sub.u64 %rd20, %rd1, %rd3; st.global.u64 [%out], %rd20; sub.u64 %rd20, %rd3, %rd6; st.global.u64 [%out+8], %rd20;
         and.b64 %rd20, %rd9, 63; st.global.u64 [%out+16], %rd20; sub.u64 %rd20, %rd9, %rd11;
         st.global.u64 [%out+24], %rd20; and.b64 %rd20, %rd14, 15; st.global.u64 [%out+32], %rd20;
         sub.u64 %rd20, %rd1, %rd18; st.global.u64 [%out+40], %rd20; alloca.u32 %r5, 4; stacksave.u32 %r6;
         sub.u32 %r5, %r5, %r6; st.global.u32 [%out+48], %r5;",
    );
    run(&text, 1, 32, &mut words.0).unwrap();
    assert_eq!(words.0[..13], [8, 0, 0, 0, 0, 0, 8, 0, 0, 0, 104, 0, 0]);
    let sums: Vec<u32> = (0..32).map(|lane| lane * 2).collect();
    assert_eq!(words.0[16..48], sums);
}

/// A function gives back what it took, also in a loop of calls; too much is an error, and so is calling on top of it.
#[test]
fn stacks_end() {
    use crate::state::fault::Fault;
    let text = |size: u32, calls: u32| {
        format!(
            ".func (.param .b64 r) f(.param .b64 n) {{ .reg .b64 x, y; .local .b8 v[256]; .reg .b64 z; mov.u64 z, v;
                 st.local.u32 [z], 3; ld.param.b64 x, [n]; alloca.u64 y, x; st.local.u32 [y], 1; st.param.b64 [r], y; ret; }}
             {}",
            kernel(&format!(
                "mov.u32 %r1, 0; mov.u64 %rd9, 0;
                 AGAIN: {{ .param .b64 p, q; st.param.b64 [p], {size}; call (q), f, (p); ld.param.b64 %rd1, [q]; }}
                 setp.ne.u64 %p1, %rd9, 0; setp.ne.and.u64 %p1, %rd1, %rd9, %p1; @%p1 trap; mov.u64 %rd9, %rd1;
                 add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, {calls}; @%p1 bra AGAIN; st.global.u32 [%out], %r1;"
            ))
        )
    };
    let mut words = Words([0u32; 4]);
    run(&text(4096, 1000), 2, 64, &mut words.0).unwrap();
    assert_eq!(words.0[0], 1000);
    assert_eq!(run(&text(1 << 20, 1), 1, 1, &mut words.0).unwrap_err().fault, Fault::StackOverflow);
    // A launch after a failed one finds the stack empty.
    let launch = launch(&text(60000, 3), 1, 32, &[words.0.as_mut_ptr() as u64]);
    launch.run().unwrap();
    launch.run().unwrap();
}

/// Neither the kernel nor the function has a register, wherever the call stands in both.
#[test]
fn frames_without_registers() {
    use crate::state::fault::Fault;
    for (before, inside, kept) in (0..72).map(|n| (n % 6, n / 6 % 6, n / 36 == 1)) {
        {
            let sleeps = |n: usize| "nanosleep.u32 10; ".repeat(n);
            let text = |end: &str, last: &str| {
                let (before, inside, kept) = (sleeps(before), sleeps(inside), if kept { KEPT } else { "" });
                format!(
                    ".func f() {{ {inside} {end} {kept} }} .func g() {{ call f; membar.gl; }}
                     .visible .entry k() {{ {before} call g; membar.gl; call f; {last} ret; }}"
                )
            };
            let result = |end, last| launch(&text(end, last), 2, 64, &[]).run().map_err(|failure| failure.fault);
            assert_eq!(result("ret;", ""), Ok(()), "{before} {inside}");
            assert_eq!(result("ret;", "trap;"), Err(Fault::Trap), "{before} {inside}");
            assert_eq!(result("trap;", ""), Err(Fault::Trap), "{before} {inside}");
        }
    }
}

/// Calls give the same whether the functions stand in their place or not, interpreted and compiled.
#[test]
fn calls_in_place() {
    // Lanes return early and late, out of loops; `g` calls `f` twice; registers hold over calls; results come in variables
    // and in registers, of guarded calls for some lanes alone; `own` is each function's.
    let functions = |kept: &str| {
        format!(
            ".func (.param .b32 r) f(.param .b32 a, .param .b64 b) {{
                 .reg .b32 x, y, i; .reg .b64 z; .reg .pred p; .local .align 8 .b8 own[8];
                 ld.param.b32 x, [a]; ld.param.b64 z, [b]; st.local.u64 [own], z; mov.u32 i, 0;
                 st.param.b32 [r], x; setp.eq.u32 p, x, 3; @p ret;
                 L: add.u32 i, i, x; setp.gt.u32 p, i, 200; @p bra E; add.u32 x, x, 7; setp.lt.u32 p, x, 60; @p bra L;
                 ld.local.u32 y, [own]; add.u32 i, i, y; st.param.b32 [r], i; ret;
                 E: mov.u32 y, %laneid; sub.u32 i, i, y; st.param.b32 [r], i; {kept} }}
             .func (.reg .b32 r) g(.reg .b32 a, .reg .u64 b) {{
                 .reg .b32 x; .param .b32 pa, pr; .param .b64 pb;
                 st.param.b32 [pa], a; st.param.b64 [pb], b; call (pr), f, (pa, pb); ld.param.b32 r, [pr];
                 add.u32 x, a, 1; st.param.b32 [pa], x; call (pr), f, (pa, pb); ld.param.b32 x, [pr];
                 mad.lo.u32 r, r, 3, x; {kept} }}"
        )
    };
    let body = kernel(
        "mov.u64 %rd1, 11; mov.u32 %r9, 5; and.b32 %r1, %t, 3; setp.ne.u32 %p1, %r1, 2; mov.u32 %r2, 77; mov.u32 %r5, 0;
         AGAIN: @%p1 call (%r2), g, (%t, %rd1); add.u32 %r9, %r9, %r2;
         { .param .b32 p, q; .param .b64 w; st.param.b32 [p], %r9; st.param.b64 [w], %rd1; @!%p1 call (q), f, (p, w);
           @!%p1 ld.param.b32 %r9, [q]; }
         call (%r3), g, (3, 9); add.u32 %r9, %r9, %r3;
         add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, %r1; @%p2 bra AGAIN;
         st.global.u32 [%mine], %r9; st.global.u32 [%mine+256], %r2;",
    );
    let results: Vec<Vec<u32>> = ["", KEPT]
        .into_iter()
        .flat_map(|kept| [(kept, Engine::Interpret), (kept, Engine::Compile)])
        .map(|(kept, engine)| {
            let mut words = vec![0u32; 128];
            let launch = launch(&format!("{}{body}", functions(kept)), 1, 64, &[words.as_mut_ptr() as u64]);
            let sites = launch.program.functions[launch.kernel as usize].sites.len();
            assert_eq!(sites, if kept.is_empty() { 0 } else { 3 });
            force_engine(engine, || launch.run()).unwrap();
            words
        })
        .collect();
    assert!(results[0][..64].iter().all(|&word| word != 0));
    assert!(results.iter().all(|words| *words == results[0]), "{results:?}");
}
