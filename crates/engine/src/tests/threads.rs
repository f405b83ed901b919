//! Threads of a warp and of a block that wait for each other.

use super::*;

/// Words that a kernel with this body leaves, from zeros.
fn words(body: &str, block: u32, count: usize) -> Vec<u32> {
    let mut words = vec![0; count];
    run(&kernel(body), 1, block, &mut words).unwrap();
    words
}

#[test]
fn lanes_take_a_lock_in_turn() {
    // Who has the lock gives it back behind the loop in which the others wait for it.
    let body = "L: atom.global.cas.b32 %r1, [%out], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra L;
        ld.volatile.global.u32 %r2, [%out+4]; add.u32 %r2, %r2, 1; st.volatile.global.u32 [%out+4], %r2;
        membar.gl; atom.global.exch.b32 %r3, [%out], 0;";
    assert_eq!(words(body, 96, 2), [0, 96]);
}

#[test]
fn a_lane_waits_for_one_on_the_other_side_of_a_branch() {
    for (first, second) in [(0, 1), (1, 0)] {
        let body = format!(
            "and.b32 %r1, %t, 1; setp.ne.u32 %p1, %r1, {first}; @%p1 bra B;
            A: ld.volatile.global.u32 %r2, [%out]; setp.eq.u32 %p2, %r2, 0; @%p2 bra A; bra C;
            B: st.volatile.global.u32 [%out], 7;
            C: atom.global.add.u32 %r3, [%out+4], 1;"
        );
        assert_eq!(words(&body, 32, 2), [7, 32], "{first} {second}");
    }
}

#[test]
fn a_table_of_branches_waits_for_others() {
    // For another warp, and for a lane of the same.
    for (waits, block) in [("setp.lt.u32 %p1, %t, 32;", 64), ("setp.lt.u32 %p1, %t, 1;", 32)] {
        let body = format!(
            "{waits} @!%p1 bra S;
            T: .branchtargets W, E;
            W: ld.volatile.global.u32 %r1, [%out]; brx.idx %r1, T;
            S: st.volatile.global.u32 [%out], 1;
            E: atom.global.add.u32 %r3, [%out+4], 1;"
        );
        let mut words = [0u32; 2];
        let launch = launch(&kernel(&body), 1, block, &[words.as_mut_ptr() as u64]);
        Launch { limit: Some(std::time::Duration::from_secs(60)), ..launch }.run().unwrap();
        assert_eq!(words, [1, block]);
    }
}

#[test]
fn a_plain_load_is_waited_for_too() {
    let body = "setp.eq.u32 %p1, %t, 0; @%p1 bra B;
        A: ld.global.u32 %r2, [%out]; setp.eq.u32 %p2, %r2, 0; @%p2 bra A; bra C;
        B: st.global.u32 [%out], 7;
        C: ret;";
    assert_eq!(words(body, 32, 1), [7]);
}

#[test]
fn lanes_meet_at_a_barrier_of_the_warp() {
    // Both halves meet in the middle of their ways; what one wrote before it, the other reads behind it.
    let body = "xor.b32 %r9, %t, 16; mul.wide.u32 %rd1, %r9, 4; add.s64 %rd1, %out, %rd1; add.u32 %r5, %t, 100;
        setp.lt.u32 %p1, %t, 16; @%p1 bra A;
        st.volatile.global.u32 [%mine], %r5; bar.warp.sync 0xffffffff; ld.volatile.global.u32 %r1, [%rd1]; bra C;
        A: st.volatile.global.u32 [%mine], %r5; bar.warp.sync 0xffffffff; ld.volatile.global.u32 %r1, [%rd1];
        C: st.global.u32 [%mine+128], %r1;";
    let words = words(body, 32, 64);
    for lane in 0..32 {
        assert_eq!(words[32 + lane], (lane as u32 ^ 16) + 100);
    }
}

#[test]
fn lanes_that_went_apart_shuffle_together_again() {
    // The lock makes the lanes diverge for good; the shuffle needs all of them.
    let body = "L: atom.global.cas.b32 %r1, [%out], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra L;
        atom.global.exch.b32 %r3, [%out], 0;
        mul.lo.u32 %r4, %t, 3;
        shfl.sync.bfly.b32 %r5, %r4, 1, 31, -1;
        st.global.u32 [%mine+4], %r5;";
    let words = words(body, 32, 33);
    for lane in 0..32u32 {
        assert_eq!(words[1 + lane as usize], (lane ^ 1) * 3);
    }
}

#[test]
fn lanes_that_went_apart_shuffle_in_calls_of_their_own() {
    let text = ".func (.param .b32 z) f(.param .b32 x) { .reg .b32 %r<4>; ld.param.b32 %r1, [x];
        shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1; st.param.b32 [z], %r2; ret; }\n"
        .to_owned()
        + &kernel(
            "L: atom.global.cas.b32 %r1, [%out], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra L;
        atom.global.exch.b32 %r3, [%out], 0;
        { .param .b32 i; .param .b32 o; st.param.b32 [i], %t; call (o), f, (i); ld.param.b32 %r5, [o]; }
        st.global.u32 [%mine+4], %r5;",
        );
    let mut words = vec![0; 33];
    run(&text, 1, 32, &mut words).unwrap();
    for lane in 0..32u32 {
        assert_eq!(words[1 + lane as usize], lane ^ 1);
    }
}

#[test]
fn groups_of_lanes_meet_among_themselves() {
    // Eight lanes that agree in two bits vote, in the order in which they come.
    let body = "and.b32 %r1, %t, 3; mov.u32 %r2, 0x11111111; shl.b32 %r2, %r2, %r1;
        setp.gt.u32 %p1, %t, 15; @%p1 bra A;
        vote.sync.ballot.b32 %r3, 1, %r2; bra B;
        A: mov.u32 %r4, 0; vote.sync.ballot.b32 %r3, 1, %r2;
        B: match.any.sync.b32 %r5, %r1, -1; st.global.u32 [%mine], %r5;";
    let words = words(body, 32, 32);
    for (lane, word) in words.iter().enumerate().take(32) {
        assert_eq!(*word, 0x1111_1111 << (lane & 3));
    }
}

#[test]
fn a_barrier_counts_the_threads_that_come_apart() {
    // Each half of each warp comes to the barrier by its own way.
    let body = "and.b32 %r1, %t, 1; setp.ne.u32 %p1, %r1, 0; st.volatile.global.u32 [%mine], 5;
        @%p1 bra A; bar.sync 0; bra B;
        A: bar.sync 0;
        B: sub.u32 %r2, 63, %t; mul.wide.u32 %rd1, %r2, 4; add.s64 %rd1, %out, %rd1; ld.volatile.global.u32 %r3, [%rd1];
        st.global.u32 [%mine+256], %r3;";
    assert_eq!(words(body, 64, 128)[64..], [5; 64]);
}

#[test]
fn who_has_ended_is_not_waited_for() {
    let body = "setp.gt.u32 %p1, %t, 40; @%p1 ret; bar.sync 0; st.global.u32 [%mine], 1;";
    assert_eq!(words(body, 64, 64).iter().sum::<u32>(), 41);
    // The last ones end while the others are there already.
    let body = "setp.lt.u32 %p1, %t, 3; @!%p1 bra A; bar.sync 0; st.global.u32 [%mine], 1; ret;
        A: bar.warp.sync 0xfffffff8;";
    assert_eq!(words(body, 32, 32).iter().sum::<u32>(), 3);
}

#[test]
fn producers_arrive_and_consumers_wait() {
    // Warp 0 hands a value to warp 1 through barrier 1, four times; warp 1 says through barrier 2 that it has it.
    let body = "mov.u32 %r1, 0; setp.gt.u32 %p1, %t, 31; @%p1 bra C;
        P: st.volatile.global.u32 [%mine], %r1; bar.arrive 1, 64; bar.sync 2, 64;
        add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 4; @%p2 bra P; ret;
        C: mov.u32 %r5, 0;
        D: bar.sync 1, 64; ld.volatile.global.u32 %r2, [%mine+-128]; mul.lo.u32 %r5, %r5, 10; add.u32 %r5, %r5, %r2;
        bar.arrive 2, 64; add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 4; @%p2 bra D; st.global.u32 [%mine], %r5;";
    assert_eq!(words(body, 64, 64)[32..], [123; 32]);
}

#[test]
fn barriers_count_predicates() {
    let body = "setp.lt.u32 %p1, %t, 37; bar.red.popc.u32 %r1, 0, %p1; bar.red.and.pred %p2, 0, %p1;
        bar.red.or.pred %p3, 0, !%p1; selp.u32 %r2, 100, 0, %p2; selp.u32 %r3, 1000, 0, %p3; add.u32 %r1, %r1, %r2;
        add.u32 %r1, %r1, %r3; st.global.u32 [%mine], %r1;";
    assert_eq!(words(body, 64, 64), [1037; 64]);
    // By lanes that come apart.
    let body = "and.b32 %r1, %t, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra A;
        barrier.red.popc.u32 %r2, 0, %p1; bra B;
        A: barrier.red.popc.u32 %r2, 0, %p1;
        B: st.global.u32 [%mine], %r2;";
    assert_eq!(words(body, 64, 64), [32; 64]);
}

#[test]
fn lanes_call_different_functions() {
    let text = ".func (.param .b32 z) f(.param .b32 x) { .reg .b32 %r<4>; ld.param.b32 %r1, [x];
        add.u32 %r1, %r1, 1000; st.param.b32 [z], %r1; ret; }
        .func (.param .b32 z) g(.param .b32 x) { .reg .b32 %r<4>; ld.param.b32 %r1, [x];
        mul.lo.u32 %r1, %r1, 2; st.param.b32 [z], %r1; ret; }\n"
        .to_owned()
        + &kernel(
            "P: .callprototype (.param .b32 _) _ (.param .b32 _);
        mov.u64 %rd1, f; mov.u64 %rd2, g; and.b32 %r1, %t, 1; setp.eq.u32 %p1, %r1, 0; selp.b64 %rd3, %rd1, %rd2, %p1;
        setp.ne.u32 %p2, %t, 5; mov.u32 %r5, 9;
        { .param .b32 i; .param .b32 o; st.param.b32 [i], %t; @%p2 call (o), %rd3, (i), P; @%p2 ld.param.b32 %r5, [o]; }
        st.global.u32 [%mine], %r5;",
        );
    let mut words = vec![0; 32];
    run(&text, 1, 32, &mut words).unwrap();
    for lane in 0..32u32 {
        let expected = if lane == 5 {
            9
        } else if lane % 2 == 0 {
            lane + 1000
        } else {
            lane * 2
        };
        assert_eq!(words[lane as usize], expected, "lane {lane}");
    }
}

#[test]
fn blocks_wait_for_later_blocks() {
    // Each block waits for the one behind it, and adds to what that one found.
    let body = "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %nctaid.x; add.u32 %r3, %r1, 1; setp.eq.u32 %p1, %r3, %r2;
        mul.wide.u32 %rd1, %r1, 4; add.s64 %rd1, %out, %rd1; mov.u32 %r4, 0; @%p1 bra B;
        A: ld.volatile.global.u32 %r4, [%rd1+4]; setp.eq.u32 %p2, %r4, 0; @%p2 bra A;
        B: add.u32 %r4, %r4, 1; st.volatile.global.u32 [%rd1], %r4;";
    let mut words = vec![0; 100];
    run(&kernel(body), 100, 1, &mut words).unwrap();
    assert_eq!(words, (1..=100).rev().collect::<Vec<u32>>());
}

#[test]
fn a_cooperative_grid_meets() {
    let body = "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %nctaid.x; mov.u32 %r5, 0;
        A: bar.sync 0; setp.ne.u32 %p1, %t, 0; @%p1 bra C; add.u32 %r5, %r5, %r2;
        atom.global.add.u32 %r3, [%out], 1;
        B: ld.acquire.gpu.global.u32 %r4, [%out]; setp.lt.u32 %p2, %r4, %r5; @%p2 bra B;
        setp.eq.u32 %p3, %r3, 0;
        C: bar.sync 0; add.u32 %r6, %r6, 1; setp.lt.u32 %p4, %r6, 5; @%p4 bra A;
        atom.global.add.u32 %r7, [%out+4], 1;";
    let mut words = vec![0; 2];
    let mut launch = launch(&kernel(body), 64, 33, &[words.as_mut_ptr() as u64]);
    launch.cooperative = true;
    launch.run().unwrap();
    assert_eq!(words, [320, 64 * 33]);
}

#[test]
fn kernels_without_end_are_stopped() {
    for body in ["L: bra L;", "L: bar.sync 0; bra L;", "L: nanosleep.u32 10; bra L;"] {
        let mut launch = launch(&kernel(body), 3, 96, &[0]);
        launch.limit = Some(std::time::Duration::from_millis(50));
        assert_eq!(launch.run().unwrap_err().fault, crate::state::fault::Fault::TimedOut, "{body}");
    }
}
