//! Blocks whose warps are rows of threads, and warps that go in step: the same results as one thread at a time gives.

use super::{kernel, run};
use crate::state::fault::Fault;

/// Blocks of one warp, of some, of more than go in step, and with a last warp that is not full.
const BLOCKS: [u32; 6] = [32, 64, 256, 1024, 48, 100];

/// Runs a body for blocks of all kinds, two of each. `%i` is the number of a thread, `%n` that of all; its word is compared
/// with what the model says of the thread, given both numbers and the block's size.
fn check(body: &str, model: impl Fn(u32, u32, u32) -> u32) {
    for threads in BLOCKS {
        let count = 2 * threads;
        let text = kernel(&format!(
            ".reg .u32 %i, %n, %b, %x; .reg .u64 %at, %w<9>; .shared .align 16 .b32 s[4096];\n\
             mov.u32 %b, %ntid.x; mov.u32 %x, %ctaid.x; mad.lo.u32 %i, %x, %b, %t; mov.u32 %x, %nctaid.x;\n\
             mul.lo.u32 %n, %b, %x; mul.wide.u32 %at, %i, 4; add.u64 %at, %out, %at;\n\
             {body}"
        ));
        // A word each, and some that kernels may use.
        let mut words = vec![0u32; count as usize + 4096];
        run(&text, 2, threads, &mut words).unwrap();
        for i in 0..count {
            let (found, wanted) = (words[i as usize], model(i, count, threads));
            assert!(found == wanted, "blocks of {threads}, thread {i}: {found:#x}, not {wanted:#x}\n{body}");
        }
    }
}

#[test]
fn numbers_that_wrap_within_a_warp_are_made_wider_one_by_one() {
    for base in [0x7fff_ff80u32, 0x7fff_fff0, 0x8000_0000, 0xffff_ffe0, 0xffff_fff8, 0] {
        let signed = |i: u32| ((i64::from(i.wrapping_add(base) as i32) * 4) >> 5) as u32;
        let unsigned = |i: u32| ((u64::from(i.wrapping_add(base)) * 4) >> 5) as u32;
        let add = format!("add.u32 %r1, %i, {base};");
        let store = "shr.u64 %w3, %w2, 5; cvt.u32.u64 %r2, %w3; st.global.u32 [%at], %r2;";
        check(&format!("{add} mul.wide.s32 %w2, %r1, 4; {store}"), |i, _, _| signed(i));
        check(&format!("{add} mul.wide.u32 %w2, %r1, 4; {store}"), |i, _, _| unsigned(i));
        check(&format!("{add} cvt.s64.s32 %w1, %r1; shl.b64 %w2, %w1, 2; {store}"), |i, _, _| signed(i));
        check(&format!("{add} cvt.u64.u32 %w1, %r1; shl.b64 %w2, %w1, 2; {store}"), |i, _, _| unsigned(i));
        // The result takes the place of an operand.
        check(&format!("{add} mov.u64 %w2, 0; mad.wide.s32 %w2, %r1, 4, %w2; {store}"), |i, _, _| signed(i));
    }
}

#[test]
fn rows_are_read_and_written_under_masks() {
    let some = "setp.gt.u32 %p1, %t, 5; setp.lt.u32 %p2, %t, 29; and.pred %p3, %p1, %p2;";
    check(&format!("{some} @%p3 st.global.u32 [%at], %i;"), |i, _, b| if (6..29).contains(&(i % b)) { i } else { 0 });
    let body = format!(
        "st.global.u32 [%at], %i; mov.u32 %r1, 7; {some} @!%p3 bra E; ld.global.u32 %r1, [%at]; add.u32 %r1, %r1, 1; E:\n\
         st.global.u32 [%at], %r1;"
    );
    check(&body, |i, _, b| if (6..29).contains(&(i % b)) { i + 1 } else { 7 });
    // Elements of 8, 2 and 1 bytes, and four at once.
    let wide = "mov.u32 %r2, s; shl.b32 %r3, %t, 3; add.u32 %r3, %r2, %r3; cvt.u64.u32 %w4, %i; not.b64 %w4, %w4;\n\
                st.shared.u64 [%r3], %w4; ld.shared.u64 %w5, [%r3]; shr.u64 %w5, %w5, 16; cvt.u32.u64 %r1, %w5; st.global.u32 [%at], %r1;";
    check(wide, |i, _, _| (!u64::from(i) >> 16) as u32);
    let narrow = "mov.u32 %r2, s; shl.b32 %r3, %t, 1; add.u32 %r3, %r2, %r3; cvt.u16.u32 %h1, %t; st.shared.u16 [%r3], %h1;\n\
                  ld.shared.s16 %r4, [%r3]; add.u32 %r5, %r2, %t; bar.sync 0; st.shared.u8 [%r5], %t; ld.shared.u8 %r6, [%r5];\n\
                  add.u32 %r4, %r4, %r6; st.global.u32 [%at], %r4;";
    check(&format!(".reg .b16 %h<3>; {narrow}"), |i, _, b| (i % b) + ((i % b) & 255));
    let four = "mov.u32 %r2, s; shl.b32 %r3, %t, 4; add.u32 %r3, %r2, %r3;\n\
                add.u32 %r4, %t, 1; add.u32 %r5, %t, 2; add.u32 %r6, %t, 3; st.shared.v4.u32 [%r3], {%t, %r4, %r5, %r6};\n\
                ld.shared.v4.u32 {%r7, %r8, %r9, %r10}, [%r3]; shl.b32 %r7, %r7, 8; xor.b32 %r7, %r7, %r8; mad.lo.u32 %r7, %r9, %r10, %r7;\n\
                st.global.u32 [%at], %r7;";
    check(four, |i, _, b| {
        let t = i % b;
        ((t << 8) ^ (t + 1)) + (t + 2) * (t + 3)
    });
}

#[test]
fn loops_that_lanes_leave_at_different_times() {
    // A grid that strides over more than it has threads: the last round is not full.
    let body = "mov.u32 %r1, 0; mov.u32 %r2, %i; L: add.u32 %r1, %r1, %r2; add.u32 %r2, %r2, %n; setp.lt.u32 %p1, %r2, 777;\n\
                @%p1 bra L; st.global.u32 [%at], %r1;";
    check(body, |i, n, _| (i..777.max(i + 1)).step_by(n as usize).sum());
    // The counter is wanted behind the loop.
    let body = "mov.u32 %r1, 0; and.b32 %r2, %i, 15; L: add.u32 %r1, %r1, 3; setp.lt.u32 %p1, %r1, %r2; @%p1 bra L;\n\
                st.global.u32 [%at], %r1;";
    check(body, |i, _, _| 3 * (i & 15).div_ceil(3).max(1));
    // Sides that use one register for different numbers, one of which was there before.
    let body = "mov.u32 %r1, %i; add.u32 %r4, %i, 5; setp.lt.u32 %p1, %t, 9; @%p1 bra A; mov.u32 %r1, 40; add.u32 %r3, %r1, 1; bra M;\n\
                A: add.u32 %r3, %r1, %r4; M: st.global.u32 [%at], %r3;";
    check(body, |i, _, b| if i % b < 9 { 2 * i + 5 } else { 41 });
}

#[test]
fn what_calls_return_is_each_lanes_own() {
    let text = kernel(
        "{ .param .u32 given; .param .u32 result; st.param.u32 [given], %t; call (result), twice, (given);\n\
         ld.param.u32 %r1, [result]; }\n\
         st.global.u32 [%mine], %r1;",
    );
    let function = ".func (.param .u32 r) twice(.param .u32 x) { .reg .u32 %a; ld.param.u32 %a, [x]; add.u32 %a, %a, %a;\n\
                    st.param.u32 [r], %a; ret; }\n";
    let mut words = vec![0; 64];
    run(&format!("{function}{text}"), 1, 64, &mut words).unwrap();
    assert!((0..).zip(&words).all(|(t, found)| *found == 2 * t), "{words:?}");
}

#[test]
fn barriers_hold_for_warps_that_go_in_step() {
    // Each thread hands a number on to the next warp, three times; warps differ in between.
    let body = "mov.u32 %r1, s; shl.b32 %r2, %t, 2; add.u32 %r2, %r1, %r2; add.u32 %r3, %t, 32; rem.u32 %r3, %r3, %b; shl.b32 %r3, %r3, 2;\n\
                add.u32 %r3, %r1, %r3; mov.u32 %r4, %i; mov.u32 %r5, 0;\n\
                L: st.shared.u32 [%r2], %r4; bar.sync 0; ld.shared.u32 %r4, [%r3]; bar.sync 0;\n\
                setp.lt.u32 %p1, %t, 32; @%p1 bra N; add.u32 %r4, %r4, 1000; N: bar.sync 0;\n\
                add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 3; @%p2 bra L; st.global.u32 [%at], %r4;";
    check(body, |i, _, b| {
        // Backwards from the last round.
        let (mut t, mut more) = (i % b, 0);
        for _ in 0..3 {
            more += if t < 32 { 0 } else { 1000 };
            t = (t + 32) % b;
        }
        i - i % b + t + more
    });
    // Of a reduction, and of threads that ended before.
    let body = "setp.lt.u32 %p1, %t, 20; bar.red.popc.u32 %r1, 0, %p1; st.global.u32 [%at], %r1; setp.ge.u32 %p2, %t, 32; @%p2 ret;\n\
                bar.sync 0; add.u32 %r1, %r1, 1; st.global.u32 [%at], %r1;";
    check(body, |i, _, b| if i % b < 32 { 21 } else { 20 });
}

#[test]
fn warps_that_wait_for_those_behind_them() {
    let body = "mul.wide.u32 %w1, %n, 4; add.u64 %w2, %out, %w1; mov.u32 %r3, %ctaid.x; mul.wide.u32 %w3, %r3, 4; add.u64 %w2, %w2, %w3;\n\
                sub.u32 %r1, %b, 1; setp.ne.u32 %p1, %t, %r1; @%p1 bra W; st.global.u32 [%w2], 5; W: ld.volatile.global.u32 %r2, [%w2];\n\
                setp.eq.u32 %p2, %r2, 0; @%p2 bra W; st.global.u32 [%at], %r2;";
    check(body, |_, _, _| 5);
}

#[test]
fn mistakes_of_one_warp_among_those_that_go_in_step() {
    // The address of the fourth warp is no multiple of four, in line 6 of the body.
    let text = kernel(
        "mul.wide.u32 %rd1, %t, 4; add.u64 %rd1, %out, %rd1; setp.eq.u32 %p1, %t, 100;\n\
         selp.u64 %rd2, 1, 0, %p1; add.u64 %rd3, %rd1, %rd2;\n\n\
         add.u32 %r1, %t, 1;\n\
         st.global.u32 [%rd3], %r1;",
    );
    let mut words = vec![0; 256];
    let failure = run(&text, 1, 256, &mut words).unwrap_err();
    let wanted = super::HEAD.lines().count() + text.lines().position(|l| l.contains("st.global")).unwrap() + 1;
    assert_eq!((failure.fault, failure.line), (Fault::Misaligned, wanted as u32));
}

#[test]
fn parts_of_registers_that_are_rows_are_those_of_each_lane() {
    // The operand of a part is a row, which needs all its lanes; a part of a row is written.
    let store = "st.global.u32 [%at], %r9;";
    check(&format!("add.u32 %r1, %i, 5; vadd.u32.u32.u32 %r9, %r1.b0, %r1.b0; {store}"), |i, _, _| {
        2 * ((i + 5) & 0xff)
    });
    check(
        &format!("add.u32 %r1, %i, 5; mov.u32 %r2, 1; vmad.s32.u32.u32 %r9, -%r1.b0, %r2.b0, %r1; {store}"),
        |i, _, _| (i + 5).wrapping_sub((i + 5) & 0xff),
    );
    check(&format!("mov.u32 %r9, 7; shl.b32 %r1, %i, 1; vadd.u32.u32.u32 %r9.b1, %r1, 0, %r9; {store}"), |i, _, _| {
        7 | ((2 * i) & 0xff) << 8
    });
}
