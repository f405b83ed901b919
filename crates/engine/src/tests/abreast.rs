//! Loops in which each turn goes further by a whole grid: the warps of a block take turns. Interpreted and compiled.

use super::*;
use crate::running::{force_engine, with_avx2};
use crate::state::fault::Fault;
use settings::config::Engine;

/// A grid with a stride of a page and more.
const BLOCKS: u32 = 9;
const BLOCK: u32 = 160;
/// Turns of the longest loops that are compared word by word.
const TURNS: u32 = 37;

/// `%i` is the thread's number in the grid, `%step` the grid's threads, `%n` a parameter, `%w` the warp's number, `%b` the block's.
fn text(body: &str) -> String {
    format!(
        ".visible .entry k(.param .u64 a, .param .u32 b) {{ .reg .pred %p<9>; .reg .b32 %r<30>, %i, %step, %n, %t, %w, %b; .reg .b64 %rd<30>, %out; .reg .f32 %f<9>;
         ld.param.u64 %out, [a]; ld.param.u32 %n, [b]; mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %nctaid.x;
         mul.lo.s32 %step, %r1, %r2; mad.lo.s32 %i, %b, %r1, %t; shr.u32 %w, %t, 5; mov.u32 %r9, 0; {body} ret; }}"
    )
}

fn run(body: &str, block: u32, n: u32, engine: Engine) -> (Vec<u32>, Result<(), Fault>) {
    run_long(TURNS, body, block, n, engine)
}

/// The same with words for so many turns.
fn run_long(turns: u32, body: &str, block: u32, n: u32, engine: Engine) -> (Vec<u32>, Result<(), Fault>) {
    let mut words: Vec<u32> = (0..BLOCKS * BLOCK * turns).map(|n| n.wrapping_mul(2_654_435_769) >> (n % 13)).collect();
    let launch = launch(&text(body), BLOCKS, block, &[words.as_mut_ptr() as u64, n.into()]);
    let result = force_engine(engine, || launch.run());
    (words, result.map_err(|failure| failure.fault))
}

/// One turn, with `{}` for what it does with the word at `%rd1`, and the loop around it.
fn around(turn: &str) -> String {
    format!(
        "setp.ge.s32 %p1, %i, %n; @%p1 bra E; L: mul.wide.s32 %rd2, %i, 4; add.s64 %rd1, %out, %rd2; {turn}
         add.s32 %i, %i, %step; setp.lt.s32 %p1, %i, %n; @%p1 bra L; E:"
    )
}

/// The loop with other labels.
fn again(body: &str) -> String {
    body.replace("L:", "M:").replace("bra L", "bra M").replace("E:", "F:").replace("bra E", "bra F")
}

const ADD: &str =
    "ld.global.u32 %r3, [%rd1]; mad.lo.u32 %r3, %r3, 3, %i; add.u32 %r9, %r9, %r3; st.global.u32 [%rd1], %r3;";

#[test]
fn warps_that_take_turns_do_what_they_do_one_after_the_other() {
    let bodies = [
        around(ADD),
        // Behind other lanes that have ended, or wait; and with numbers from before the loop behind it.
        format!("and.b32 %r5, %t, 7; setp.eq.u32 %p2, %r5, 3; @%p2 ret; {}", around(ADD)),
        format!("setp.eq.u32 %p2, %w, 2; @%p2 ret; {}", around(ADD)),
        format!(
            "mov.u32 %r7, %i; and.b32 %r5, %t, 7; setp.eq.u32 %p2, %r5, 3; @%p2 bra J; {} J: mul.wide.s32 %rd3, %r7, 4; add.s64 %rd3, %out, %rd3;
             xor.b32 %r9, %r9, %r7; st.global.u32 [%rd3], %r9;",
            around(ADD)
        ),
        // Choices and lanes that part in a turn; another loop in it; a step of the interpreter's.
        around("ld.global.u32 %r3, [%rd1]; and.b32 %r4, %r3, 1; setp.eq.u32 %p2, %r4, 0; @%p2 bra O; shr.u32 %r3, %r3, 1; add.u32 %r3, %r3, %i; O: st.global.u32 [%rd1], %r3;"),
        around("ld.global.u32 %r3, [%rd1]; mov.u32 %r4, 0; I: add.u32 %r3, %r3, %r4; shl.b32 %r5, %r3, 1; xor.b32 %r3, %r3, %r5; add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 6; @%p2 bra I; st.global.u32 [%rd1], %r3;"),
        around(&format!("{ADD} cvt.rn.f32.u32 %f1, %r3; tanh.approx.f32 %f2, %f1; st.global.f32 [%rd1], %f2;")),
        // Two such loops, and one whose operands are worked out in it.
        format!("mov.u32 %r8, %i; {} mov.u32 %i, %r8; {}", around(ADD), again(&around(ADD))),
        // As many turns as the warp, or the block, says; from the last word down; f32 numbers that are not numbers.
        "mad.lo.s32 %r7, %w, 5, 2; add.s32 %r7, %r7, %b; L: mul.wide.s32 %rd2, %i, 4; add.s64 %rd1, %out, %rd2; ld.global.u32 %r3, [%rd1]; add.u32 %r3, %r3, %r7;
         st.global.u32 [%rd1], %r3; add.s32 %i, %i, %step; sub.s32 %r7, %r7, 1; setp.gt.s32 %p1, %r7, 0; @%p1 bra L;"
            .to_owned(),
        "sub.s32 %r7, 26, %w; L: mul.wide.s32 %rd2, %i, 4; add.s64 %rd1, %out, %rd2; ld.global.u32 %r3, [%rd1]; add.u32 %r3, %r3, %r7;
         st.global.u32 [%rd1], %r3; add.s32 %i, %i, %step; sub.s32 %r7, %r7, 1; setp.gt.s32 %p1, %r7, 0; @%p1 bra L;"
            .to_owned(),
        // The last warp comes to a barrier first, which is the interpreter's; behind it each reads what another one has written.
        "mul.lo.s32 %r7, %w, 3; sub.s32 %r7, 20, %r7; mov.u32 %r8, %i; add.u32 %r4, %t, 32; rem.u32 %r4, %r4, %r1; L: mul.wide.s32 %rd2, %i, 4; add.s64 %rd1, %out, %rd2;
         ld.global.u32 %r3, [%rd1]; add.u32 %r3, %r3, %r7; st.global.u32 [%rd1], %r3; add.s32 %i, %i, %step; sub.s32 %r7, %r7, 1; setp.gt.s32 %p1, %r7, 0; @%p1 bra L;
         barrier.sync 3; sub.s32 %r4, %r4, %t; add.s32 %r8, %r8, %r4; mul.wide.s32 %rd4, %r8, 4; add.s64 %rd5, %out, %rd4; ld.global.u32 %r5, [%rd5]; barrier.sync 3;
         mul.wide.s32 %rd4, %i, 4; add.s64 %rd5, %out, %rd4; st.global.u32 [%rd5], %r5;"
            .to_owned(),
        format!(
            "mov.f32 %f3, 0f00000000; mov.u32 %r7, %i; {} mul.wide.s32 %rd3, %r7, 4; add.s64 %rd3, %out, %rd3; st.global.f32 [%rd3], %f3;",
            around("ld.global.f32 %f1, [%rd1]; fma.rn.f32 %f3, %f1, %f1, %f3; sub.f32 %f3, %f3, %f1; st.global.f32 [%rd1], %f3;")
        ),
    ];
    let step = BLOCKS * BLOCK;
    for body in &bodies {
        for (block, n) in [
            (BLOCK, 0),
            (BLOCK, 77),
            (BLOCK, step),
            (BLOCK, step * 4 + 777),
            (BLOCK, step * TURNS),
            (150, 30_000),
            (32, 3000),
            (128, step * 29),
        ] {
            let interpreted = run(body, block, n, Engine::Interpret);
            assert_eq!(interpreted.1, Ok(()), "{body}");
            assert!(interpreted == run(body, block, n, Engine::Compile), "{block} {n} {body}");
            assert!(interpreted == with_avx2(|| run(body, block, n, Engine::Compile)), "AVX2: {block} {n} {body}");
        }
    }
}

#[test]
fn a_fault_in_a_turn_is_found_whoever_has_it() {
    let far = "setp.eq.u32 %p2, %r9, 9; mov.u64 %rd5, 64; selp.b64 %rd1, %rd5, %rd1, %p3; ld.global.u32 %r3, [%rd1]; st.global.u32 [%rd1], %r3; add.u32 %r9, %r9, 1;";
    for warp in [0, 2, 4] {
        let at = format!("setp.eq.u32 %p2, %w, {warp}; setp.eq.and.u32 %p3, %r9, 9, %p2;");
        for (wrong, fault) in [
            (format!("{at} {far}"), Fault::IllegalAddress),
            (format!("{at} {ADD} @%p3 trap; add.u32 %r9, %r9, 1;"), Fault::Trap),
        ] {
            let body = around(&wrong.replace("add.u32 %r9, %r9, %r3;", ""));
            for engine in [Engine::Interpret, Engine::Compile] {
                assert_eq!(run(&body, BLOCK, BLOCKS * BLOCK * TURNS, engine).1, Err(fault), "{warp} {engine:?} {body}");
            }
            let narrow = with_avx2(|| run(&body, BLOCK, BLOCKS * BLOCK * TURNS, Engine::Compile));
            assert_eq!(narrow.1, Err(fault), "AVX2: {warp} {body}");
        }
    }
}

#[test]
fn loops_of_more_turns_than_code_makes_without_a_look_outside() {
    const LONG: u32 = 18_000;
    // 1152 threads, and each turn adds one to the same words again: the warps read what they have written themselves.
    let body = "mov.u32 %r7, %i; mov.u32 %r6, 0; L: mul.wide.s32 %rd2, %i, 4; add.s64 %rd1, %out, %rd2; ld.global.u32 %r3, [%rd1]; add.u32 %r9, %r9, %r3;
        add.s32 %i, %i, %step; add.s32 %r6, %r6, 1; setp.lt.s32 %p1, %r6, %n; @%p1 bra L; mul.wide.s32 %rd2, %r7, 4; add.s64 %rd1, %out, %rd2; st.global.u32 [%rd1], %r9;";
    let sums = |engine| {
        let mut words = vec![1u32; (9 * 128 * LONG) as usize];
        let launch = launch(&text(body), 9, 128, &[words.as_mut_ptr() as u64, LONG.into()]);
        force_engine(engine, || launch.run()).unwrap();
        words[..9 * 128].to_vec()
    };
    assert_eq!(sums(Engine::Compile), [LONG; 9 * 128]);
    assert_eq!(with_avx2(|| sums(Engine::Compile)), [LONG; 9 * 128]);
}

/// Code that has gone round often is left, in the middle of a block of which some warps have ended, and goes on.
#[test]
fn warps_that_have_ended_stay_so_when_code_is_left() {
    const LONG: u32 = 300;
    // Loops like this one may wait for other threads: a few turns are many.
    let volatile = ADD.replace("ld.global", "ld.volatile.global");
    let bodies = [0, 1, 2, 4].map(|warp| {
        format!(
            "setp.eq.u32 %p2, %w, {warp}; @%p2 exit; mov.u32 %r8, %i; {} mov.u32 %i, %r8; {}",
            around(&volatile),
            again(&around(&volatile))
        )
    });
    let run = |body: &str, engine| run_long(LONG, body, BLOCK, BLOCKS * BLOCK * LONG, engine);
    for body in &bodies {
        let interpreted = run(body, Engine::Interpret);
        assert_eq!(interpreted.1, Ok(()), "{body}");
        assert!(interpreted == run(body, Engine::Compile), "{body}");
        assert!(interpreted == with_avx2(|| run(body, Engine::Compile)), "AVX2: {body}");
    }
}
