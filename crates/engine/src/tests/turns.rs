//! Loops that lanes leave one by one, choices between what was worked out right before, and results that nobody reads but the step that
//! gives them: interpreted and compiled.

use super::*;

#[test]
fn lanes_that_leave_a_loop_of_one_block_are_the_same_in_both() {
    let head = ".reg .f32 %f<8>; .reg .f64 %d<4>; ld.global.u32 %r1, [%mine]; and.b32 %r2, %r1, 1023; add.u32 %r2, %r2, 1; mov.u32 %r3, 0; mov.u32 %r4, 0;
        cvt.rn.f32.u32 %f1, %r2; mov.f32 %f2, 0f3F800000;";
    let tail = "st.global.u32 [%mine], %r3; add.u32 %r4, %r4, %r2; st.global.u32 [%mine+2048], %r4;";
    let halves = "and.b32 %r5, %r2, 1; setp.eq.b32 %p1, %r5, 1; mad.lo.s32 %r6, %r2, 3, 1; shr.u32 %r7, %r2, 1; selp.b32 %r2, %r6, %r7, %p1; add.u32 %r3, %r3, 1;";
    let mut loops = vec![
        // By a number, by one bit, by its sign; as long as it holds, and until it does.
        format!("L: {halves} setp.ne.s32 %p2, %r2, 1; @%p2 bra L;"),
        format!("L: {halves} setp.eq.s32 %p2, %r2, 1; @!%p2 bra L;"),
        "L: add.u32 %r3, %r3, 3; shr.u32 %r2, %r2, 1; and.b32 %r5, %r2, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra L;".into(),
        "or.b32 %r2, %r2, 4096; L: add.u32 %r3, %r3, 3; shr.u32 %r2, %r2, 1; and.b32 %r5, %r2, 1; setp.ne.u32 %p1, %r5, 0; @!%p1 bra L;".into(),
        "L: sub.u32 %r2, %r2, 37; add.u32 %r3, %r3, %r2; setp.gt.s32 %p1, %r2, 0; @%p1 bra L;".into(),
        "L: sub.u32 %r2, %r2, 37; add.u32 %r3, %r3, %r2; setp.hi.u32 %p1, %r2, 2000; @!%p1 bra L;".into(),
        // What the comparison looks at is needed behind the loop, is loaded, or is of 64 bits.
        "L: sub.u32 %r2, %r2, 37; add.u32 %r4, %r4, %r2; add.u32 %r3, %r3, 1; setp.gt.s32 %p1, %r2, 0; @%p1 bra L; add.u32 %r3, %r3, %r2;".into(),
        "mov.u64 %rd1, %mine; L: ld.global.u32 %r5, [%rd1]; add.u64 %rd1, %rd1, 4; add.u32 %r3, %r3, %r5; and.b32 %r5, %r5, 7; setp.ne.u32 %p1, %r5, 0; @%p1 bra L;".into(),
        "cvt.u64.u32 %rd1, %r2; L: sub.u64 %rd1, %rd1, 41; add.u32 %r3, %r3, 1; setp.gt.s64 %p1, %rd1, 0; @%p1 bra L;".into(),
        // Among lanes that wait elsewhere, in a loop around it, and more turns than code makes without a look outside.
        format!("setp.gt.u32 %p3, %r2, 500; @%p3 bra E; L: {halves} setp.ne.s32 %p2, %r2, 1; @%p2 bra L; E: add.u32 %r3, %r3, 7;"),
        format!(
            "mov.u32 %r8, 0; K: add.u32 %r2, %r1, %r8; and.b32 %r2, %r2, 255; add.u32 %r2, %r2, 1; L: {halves} setp.ne.s32 %p2, %r2, 1; @%p2 bra L;
             add.u32 %r8, %r8, 1; setp.lt.u32 %p3, %r8, 5; @%p3 bra K;"
        ),
        "L: add.u32 %r3, %r3, %r2; add.u32 %r4, %r4, 1; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 40000; @%p1 bra L;".into(),
        // Steps of the interpreter's, accesses and lanes that are asked for, in a loop.
        "cvt.rn.f64.u32 %d1, %r2; L: rsqrt.approx.f64 %d2, %d1; cvt.rzi.u32.f64 %r5, %d2; add.u32 %r3, %r3, %r5; add.f64 %d1, %d1, %d1; sub.u32 %r2, %r2, 99; setp.gt.s32 %p1, %r2, 0; @%p1 bra L;".into(),
        "L: st.global.u8 [%mine+3000], %r2; sub.u32 %r2, %r2, 99; add.u32 %r3, %r3, 1; setp.gt.s32 %p1, %r2, 0; @%p1 bra L;".into(),
        "L: activemask.b32 %r5; xor.b32 %r3, %r3, %r5; sub.u32 %r2, %r2, 99; setp.gt.s32 %p1, %r2, 0; @%p1 bra L;".into(),
        "L: sub.u32 %r2, %r2, 99; setp.gt.s32 %p2, %r2, 500; @%p2 add.u32 %r3, %r3, %r2; setp.gt.s32 %p1, %r2, 0; @%p1 bra L;".into(),
    ];
    for (how, unless) in [("gt", ""), ("leu", "!"), ("ltu", "!"), ("ne", ""), ("num", ""), ("nan", "!"), ("equ", "!")] {
        // Some become infinite, and not a number then.
        loops.push(format!(
            "setp.gt.u32 %p3, %r2, 700; selp.f32 %f1, 0f7F000000, %f1, %p3; mov.f32 %f3, 0f3F000000; L: mul.f32 %f1, %f1, %f3; mul.f32 %f3, %f3, 0f3F8CCCCD;
             sub.f32 %f3, %f3, 0f3D000000; add.u32 %r3, %r3, 1; add.u32 %r2, %r2, 3; min.u32 %r5, %r3, 90; sub.u32 %r5, 90, %r5; cvt.rn.f32.u32 %f4, %r5; mul.f32 %f4, %f4, %f2;
             div.rn.f32 %f5, %f4, %f4; mul.f32 %f1, %f1, %f5; setp.{how}.f32 %p1, %f1, 0f3E800000; @{unless}%p1 bra L;"
        ));
    }
    for body in loops {
        for block in [32, 45, 192] {
            same(&format!("{head} {body} {tail}"), block);
        }
    }
}

#[test]
fn choices_of_what_was_just_worked_out_are_the_same_in_both() {
    let arms = [
        "mad.lo.s32 %r6, %r2, 3, 1;",
        "mad.lo.s32 %r6, %r2, %r1, %r2;",
        "add.u32 %r6, %r2, %r1;",
        "sub.u32 %r6, 5, %r2;",
        "mul.lo.u32 %r6, %r2, %r1;",
        "xor.b32 %r6, %r2, %r1;",
        "shl.b32 %r6, %r2, 3;",
        "shr.s32 %r6, %r2, 2;",
        "add.u32 %r6, %r2, 1; mul.lo.u32 %r6, %r6, %r6;",
    ];
    let others = [
        "shr.u32 %r7, %r2, 1;",
        "add.u32 %r7, %r1, 9;",
        "mov.u32 %r7, %r1;",
        "add.u32 %r7, %r6, %r2;",
        "sub.u32 %r7, %r7, %r2;",
    ];
    let choices = [
        "selp.b32 %r2, %r6, %r7, %p1;",
        "selp.b32 %r2, %r7, %r6, %p1;",
        "selp.b32 %r3, %r6, %r7, %p1; add.u32 %r2, %r2, %r3;",
        "selp.b32 %r3, %r6, %r7, %p1; sub.u32 %r2, %r3, %r7;",
        "selp.b32 %r3, %r6, %r7, %p1; xor.b32 %r2, %r3, %r6;",
        "selp.b32 %r3, %r6, %r7, %p1; selp.b32 %r4, %r2, %r3, %p1; add.u32 %r2, %r3, %r4;",
        "selp.b32 %r6, %r6, 4, %p1; add.u32 %r2, %r2, %r6;",
        "mad.lo.u32 %r1, %r1, 3, %r2; selp.b32 %r2, %r6, %r7, %p1;",
        "add.u32 %r2, %r2, %r1; selp.b32 %r3, %r6, %r7, %p1; xor.b32 %r2, %r2, %r3;",
    ];
    let compares = [
        "setp.gt.u32 %p1, %r2, 500;",
        "and.b32 %r5, %r2, 1; setp.eq.b32 %p1, %r5, 1;",
        "and.b32 %r5, %r2, 4; setp.eq.b32 %p1, %r5, 0;",
    ];
    for arm in arms {
        let mut body =
            "ld.global.u32 %r1, [%mine]; ld.global.u32 %r2, [%mine+1024]; mov.u32 %r7, 77; mov.u32 %r3, 0;\n"
                .to_owned();
        for other in others {
            for choice in choices {
                for compare in compares {
                    body += &format!("{compare} {arm} {other} {choice} xor.b32 %r1, %r1, %r2;\n");
                    let free = !other.contains("%r6");
                    if free {
                        body += &format!("{compare} {other} {arm} {choice} add.u32 %r1, %r1, %r2;\n");
                    }
                }
            }
        }
        body += "st.global.u32 [%mine], %r1; st.global.u32 [%mine+2048], %r2;";
        same(&body, 64);
        // Where some lanes wait.
        same(
            &format!(
                "setp.gt.u32 %p3, %t, 40; mov.u32 %r2, 3; @%p3 bra E;\n{body}\nE: st.global.u32 [%mine+3072], %r2;"
            ),
            64,
        );
    }
}

#[test]
fn results_that_are_operands_of_the_same_step_are_the_same_in_both() {
    // Nobody else reads `%r3`: what the first gives the second takes, and the next turn.
    for (first, second) in [("add", "inc"), ("exch", "add"), ("max", "xor"), ("xor", "exch"), ("add", "add")] {
        for space in ["global", "shared"] {
            let (first, second) = (format!("atom.{space}.{first}"), format!("atom.{space}.{second}"));
            let [a, b] = [&first, &second]
                .map(|name| if name.ends_with("xor") || name.ends_with("exch") { "b32" } else { "u32" });
            let place = if space == "global" { "%mine" } else { "%r9" };
            let body = format!(
                ".shared .align 4 .b8 s[4096]; mov.u32 %r9, s; mad.lo.u32 %r9, %t, 4, %r9; ld.global.u32 %r1, [%mine]; mov.u32 %r3, %r1; mov.u32 %r5, 0;
                 st.shared.u32 [%r9], %r1; st.shared.u32 [%r9+512], %r1; setp.gt.u32 %p1, %t, 9;
                 L: {first}.{a} %r3, [{place}], %r1; @%p1 {second}.{b} %r3, [{place}+512], %r3; add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 3; @%p2 bra L;
                 ld.shared.u32 %r6, [%r9]; ld.shared.u32 %r7, [%r9+512]; st.global.u32 [%mine+2048], %r6; st.global.u32 [%mine+2560], %r7;"
            );
            same(&body, 64);
        }
    }
}
