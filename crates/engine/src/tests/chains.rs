//! Blocks one after the other, by code that leaves warps that have ended as the next block finds them: interpreted and compiled.

use super::*;
use crate::running::{force_engine, with_avx2};
use crate::state::core_dump::CoreState;
use crate::state::fault::Fault;
use parking_lot::Mutex;
use settings::config::Engine;

/// A grid's blocks of so many threads; each thread has two words.
fn results(body: &str, block: u32, engine: Engine) -> Vec<u32> {
    const BLOCKS: u32 = 40;
    let mut words = vec![0u32; (BLOCKS * block * 2) as usize];
    let text = kernel(&format!(
        ".reg .b32 %i, %block; mov.u32 %block, %ctaid.x; mov.u32 %i, %ntid.x; mad.lo.u32 %i, %block, %i, %t;
         mul.wide.u32 %rd28, %i, 8; add.s64 %mine, %out, %rd28; mov.u32 %r1, 0; {body}"
    ));
    let launch = launch(&text, BLOCKS, block, &[words.as_mut_ptr() as u64]);
    force_engine(engine, || launch.run()).unwrap();
    words
}

#[test]
fn blocks_follow_blocks_whose_warps_ended_in_any_way() {
    let odd_blocks = "and.b32 %r5, %block, 1; setp.eq.b32 %p1, %r5, 1;";
    let bodies = [
        // All lanes of all warps come to the end together; lanes have ended before; lanes come there one after the other.
        "add.u32 %r1, %i, 1; st.global.u32 [%mine], %r1;".to_owned(),
        format!("{odd_blocks} and.b32 %r6, %t, 3; setp.eq.b32 %p2, %r6, 1; and.pred %p1, %p1, %p2; @%p1 ret; add.u32 %r1, %i, 1; st.global.u32 [%mine], %r1;"),
        format!("{odd_blocks} and.b32 %r6, %t, 3; setp.eq.b32 %p2, %r6, 1; and.pred %p1, %p1, %p2; @%p1 bra L; add.u32 %r1, %i, 1; st.global.u32 [%mine], %r1; ret;
                 L: add.u32 %r1, %i, 5; st.global.u32 [%mine+4], %r1;"),
        // Whole warps end early, in some blocks.
        format!("{odd_blocks} setp.gt.u32 %p2, %t, 63; and.pred %p1, %p1, %p2; @%p1 ret; add.u32 %r1, %i, 1; st.global.u32 [%mine], %r1;"),
        // Loops of different lengths, longer than code runs without a look outside.
        "mov.u32 %r2, 0; L: add.u32 %r1, %r1, %r2; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 700; @%p1 bra L; st.global.u32 [%mine], %r1;".to_owned(),
        "and.b32 %r3, %t, 7; add.u32 %r3, %r3, %block; mov.u32 %r2, 0; L: add.u32 %r1, %r1, %r2; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r3; @%p1 bra L; st.global.u32 [%mine], %r1;".to_owned(),
        // Steps of the interpreter's; local memory that a warp allocates in some blocks; a barrier that code leaves to the block.
        format!("{odd_blocks} @%p1 bra L; alloca.u64 %rd1, 512; st.local.u32 [%rd1], %t; ld.local.u32 %r1, [%rd1]; L: st.global.u32 [%mine], %r1; st.global.u32 [%mine+4], %i;"),
        format!("{odd_blocks} @%p1 bra L; barrier.sync 3; L: st.global.u32 [%mine], %i;"),
        ".shared .align 4 .b8 s[4096]; mov.u32 %r9, s; mad.lo.u32 %r9, %t, 4, %r9; st.shared.u32 [%r9], %i; bar.sync 0; xor.b32 %r8, %t, 3; mov.u32 %r9, s;
         mad.lo.u32 %r9, %r8, 4, %r9; ld.shared.u32 %r1, [%r9]; st.global.u32 [%mine], %r1;".to_owned(),
        // Bytes, which are left to the interpreter where they are at odd places.
        "add.s64 %rd1, %mine, 1; st.global.u8 [%rd1], %t; add.u32 %r1, %i, 1; st.global.u32 [%mine+4], %r1;".to_owned(),
    ];
    for body in &bodies {
        for block in [32, 96, 100, 256] {
            let interpreted = results(body, block, Engine::Interpret);
            assert!(interpreted.iter().any(|&word| word != 0), "{block} {body}");
            assert!(interpreted == results(body, block, Engine::Compile), "{block} {body}");
            assert!(interpreted == with_avx2(|| results(body, block, Engine::Compile)), "AVX2: {block} {body}");
        }
    }
}

/// The warps of a core dump: number, lanes that have not ended.
#[derive(Default)]
struct Dumped(Mutex<Vec<(u32, u32)>>);

impl Services for Dumped {
    fn print(&self, _: u64, _: u64) -> Option<i32> {
        None
    }
    fn assertion(&self, _: Thread, _: Assertion) {}
    fn allocate(&self, _: u64) -> u64 {
        0
    }
    fn free(&self, _: u64) -> bool {
        false
    }
    fn wants_core(&self) -> bool {
        true
    }
    fn core(&self, core: &CoreState<'_>) {
        *self.0.lock() = core.block.warps.iter().map(|warp| (warp.index, warp.alive)).collect();
    }
}

#[test]
fn warps_that_have_ended_are_not_in_a_core_dump() {
    // The third warp of the fourth block goes wrong: by a trap, and by an access that nobody can make.
    let place = "mov.u32 %r5, %ctaid.x; setp.eq.u32 %p1, %r5, 3; shr.u32 %r6, %t, 5; setp.eq.u32 %p2, %r6, 2; and.pred %p1, %p1, %p2;";
    for wrong in
        ["trap;", "mov.u64 %rd1, 16; mul.wide.u32 %rd2, %t, 4; add.s64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %t;"]
    {
        for engine in [Engine::Interpret, Engine::Compile] {
            let dumped = Arc::new(Dumped::default());
            let mut words = [0u32; 128];
            let text = kernel(&format!("{place} @!%p1 bra L; {wrong} L: st.global.u32 [%mine], %t;"));
            let mut launch = launch(&text, 5, 128, &[words.as_mut_ptr() as u64]);
            launch.services = dumped.clone();
            launch.cores = 1;
            let failure = force_engine(engine, || launch.run()).unwrap_err();
            assert!(matches!(failure.fault, Fault::Trap | Fault::IllegalAddress), "{failure:?}");
            assert_eq!(*dumped.0.lock(), [(2, u32::MAX), (3, u32::MAX)], "{wrong} {engine:?}");
        }
    }
}
