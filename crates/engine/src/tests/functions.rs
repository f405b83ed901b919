//! Functions: parameters in registers, other names, memory on the stack.

use super::{Words, kernel, launch, run};

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
    for before in 0..6 {
        for inside in 0..6 {
            let sleeps = |n: usize| "nanosleep.u32 10; ".repeat(n);
            let text = |end: &str, last: &str| {
                let (before, inside) = (sleeps(before), sleeps(inside));
                format!(
                    ".func f() {{ {inside} {end} }} .func g() {{ call f; membar.gl; }}
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
