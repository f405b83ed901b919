//! Accesses to shared and global memory that nothing orders, and those that something does.

use super::*;
use crate::lowering::context::BuildOptions;
use crate::state::check::{AccessKind, Checker, Finding, Race, Wanted};
use parking_lot::Mutex;

/// Keeps what races are found: what the earlier and the later access are.
#[derive(Default)]
struct Found(Mutex<Vec<(AccessKind, AccessKind)>>);

impl Checker for Found {
    fn covers(&self, _: u64, _: u64, _: bool) -> bool {
        true
    }

    fn report(&self, finding: &Finding<'_>) {
        panic!("{finding:?}");
    }

    fn wants(&self) -> Wanted {
        Wanted { races: true, ..Wanted::default() }
    }

    fn has_races(&self, _: u64) -> bool {
        true
    }

    fn race(&self, race: &Race<'_>) {
        let unit = |thread: Thread| (thread.block, thread.thread[0] / 32);
        assert_ne!(unit(race.now.thread), unit(race.before.thread), "{race:?}");
        assert!(race.global || race.now.thread.block == race.before.thread.block);
        self.0.lock().push((race.before.kind, race.now.kind));
    }
}

/// Places of words in shared memory: the thread's own `%own`, the one of the next warp `%other`, the first `%first`.
const PLACES: &str =
    ".shared .align 16 .b8 s[1024]; .reg .b32 %first, %own, %other, %n, %x, %y, %lane, %w; .reg .pred %q<4>;
    mov.u32 %first, s; mov.u32 %n, %ntid.x; shl.b32 %own, %t, 2; add.u32 %own, %own, %first;
    add.u32 %other, %t, 32; rem.u32 %other, %other, %n; shl.b32 %other, %other, 2; add.u32 %other, %other, %first;
    and.b32 %lane, %t, 31; shr.u32 %w, %t, 5; setp.eq.u32 %q0, %t, 0; setp.eq.u32 %q1, %w, 0;\n";

fn races(body: &str, block: u32) -> Vec<(AccessKind, AccessKind)> {
    let text = format!("{HEAD}{}", kernel(&format!("{PLACES}{body}")));
    let module = ptx::parse(&text).unwrap_or_else(|e| panic!("{e}\n{body}"));
    let options = BuildOptions { checked: true, races: true, strict: true, ..BuildOptions::default() };
    let program = Program::build_for(&module, &HashMap::new(), options).unwrap_or_else(|e| panic!("{e}\n{body}"));
    let mut words = vec![0u32; 4096];
    let found = Arc::new(Found::default());
    let mut launch = launch(&kernel(""), 3, block, &[words.as_mut_ptr() as u64]);
    launch.program = Arc::new(program);
    launch.services = checked_by(&found);
    assert!(launch.run().is_ok(), "{body}");
    let mut found = core::mem::take(&mut *found.0.lock());
    found.sort_by_key(|(before, now)| (*before as u8, *now as u8));
    found.dedup();
    found
}

const READ: AccessKind = AccessKind::Read;
const WRITE: AccessKind = AccessKind::Write;

#[test]
fn seeded_races_are_found() {
    find_all(&[
        ("exchange", "st.shared.u32 [%own], %t; ld.shared.u32 %x, [%other];", (WRITE, READ)),
        ("constant place", "@%q0 st.shared.u32 [s+16], 5; ld.shared.u32 %x, [s+16];", (WRITE, READ)),
        ("read, then written", "ld.shared.u32 %x, [%other]; st.shared.u32 [%own], %x;", (WRITE, READ)),
        ("written by all", "st.shared.u32 [%first], %t;", (WRITE, WRITE)),
        ("last writer wins", "setp.eq.u32 %p1, %lane, 0; @%p1 st.shared.u32 [%first], %w;", (WRITE, WRITE)),
        // The result of a block's reduction is read while the next one writes there: the barrier is missing behind it.
        (
            "reduction returns shared[0]",
            "mov.u32 %r1, 0; L: st.shared.u32 [%own], %t; bar.sync 0;
             @!%q0 bra S; mov.u32 %x, 0; mov.u32 %r2, 0; A: shl.b32 %r3, %r2, 2; add.u32 %r3, %r3, %first; ld.shared.u32 %y, [%r3];
             add.u32 %x, %x, %y; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %n; @%p1 bra A; st.shared.u32 [%first], %x; S: bar.sync 0;
             ld.shared.u32 %x, [%first]; add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 2; @%p2 bra L;",
            (WRITE, READ),
        ),
        (
            "tree without a barrier in its loop",
            "st.shared.u32 [%own], %t; bar.sync 0; mov.u32 %r1, 64;
             L: setp.lt.u32 %p1, %t, %r1; @!%p1 bra S; shl.b32 %r2, %r1, 2; add.u32 %r2, %r2, %own; ld.shared.u32 %x, [%r2];
             ld.shared.u32 %y, [%own]; add.u32 %x, %x, %y; st.shared.u32 [%own], %x; S: shr.u32 %r1, %r1, 1;
             setp.gt.u32 %p2, %r1, 0; @%p2 bra L;",
            (WRITE, READ),
        ),
        (
            "scan in place with one barrier a step",
            "st.shared.u32 [%own], %t; bar.sync 0; mov.u32 %r1, 32;
             L: setp.ge.u32 %p1, %t, %r1; @!%p1 bra S; shl.b32 %r2, %r1, 2; sub.u32 %r2, %own, %r2; ld.shared.u32 %x, [%r2];
             ld.shared.u32 %y, [%own]; add.u32 %x, %x, %y; st.shared.u32 [%own], %x; S: bar.sync 0; shl.b32 %r1, %r1, 1;
             setp.lt.u32 %p2, %r1, %n; @%p2 bra L;",
            (WRITE, READ),
        ),
        (
            "two buffers, one barrier too few",
            "mov.u32 %r1, 0; L: st.shared.u32 [%own], %r1; bar.sync 0; ld.shared.u32 %x, [%other]; add.u32 %r1, %r1, 1;
             setp.lt.u32 %p1, %r1, 3; @%p1 bra L;",
            (WRITE, READ),
        ),
        (
            "barrier of two warps of three",
            "@%q1 st.shared.u32 [%first], %t; setp.eq.u32 %p1, %w, 2; @%p1 bra S; bar.sync 1, 64; S: ld.shared.u32 %x, [%first];",
            (WRITE, READ),
        ),
        (
            "the reader does not wait",
            "@!%q1 bra R; st.shared.u32 [%own], 1; bar.arrive 2, 96; bra E; R: ld.shared.u32 %x, [%first]; bar.sync 2, 96; E:",
            (WRITE, READ),
        ),
        ("counter read too early", "red.shared.add.u32 [%first], 1; ld.shared.u32 %x, [%first];", (WRITE, READ)),
        ("counter not ready", "@%q0 st.shared.u32 [%first], 0; @%q1 bra E; red.shared.add.u32 [%first], 1; E:", (WRITE, WRITE)),
        ("counter reset too early", "red.shared.add.u32 [%first], 1; @%q0 st.shared.u32 [%first], 0;", (WRITE, WRITE)),
        ("volatile does not order", "@%q0 st.volatile.shared.u32 [%first], 7; ld.shared.u32 %x, [%first];", (WRITE, READ)),
        (
            "flag that is not strong",
            "@%q0 st.shared.u32 [%first], 1; @%q1 bra E; ld.volatile.shared.u32 %x, [%first]; E:",
            (WRITE, READ),
        ),
        (
            "data behind a plain flag",
            "@!%q0 bra S; st.shared.u32 [s+64], 9; st.shared.u32 [%first], 1; S: ld.shared.u32 %y, [s+64];",
            (WRITE, READ),
        ),
        (
            "parts of a vector",
            "@%q0 st.shared.v4.u32 [%first], {%t, %t, %t, %t}; ld.shared.u8 %x, [s+9];",
            (WRITE, READ),
        ),
        (
            "generic address",
            "cvt.u64.u32 %rd1, %own; cvta.shared.u64 %rd1, %rd1; st.u32 [%rd1], %t; ld.shared.u32 %x, [%other];",
            (WRITE, READ),
        ),
        (
            "asynchronous copy that only its threads wait for",
            "shl.b32 %r1, %t, 2; add.u32 %r1, %r1, %first; cp.async.ca.shared.global [%r1], [%mine], 4; cp.async.wait_all;
             ld.shared.u32 %x, [%other];",
            (WRITE, READ),
        ),
        (
            "matrix loaded before it is there",
            "st.shared.u32 [%own], %t; shl.b32 %r1, %lane, 4; and.b32 %r1, %r1, 112; add.u32 %r1, %r1, %first;
             ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%x}, [%r1];",
            (WRITE, READ),
        ),
        (
            "a barrier before, not between",
            "bar.sync 0; st.shared.u32 [%own], %t; ld.shared.u32 %x, [%other]; bar.sync 0;",
            (WRITE, READ),
        ),
        (
            "a fence is no barrier",
            "st.shared.u32 [%own], %t; membar.cta; ld.shared.u32 %x, [%other];",
            (WRITE, READ),
        ),
        (
            "a barrier of the warp is none of the block",
            "st.shared.u32 [%own], %t; bar.warp.sync 0xffffffff; ld.shared.u32 %x, [%other];",
            (WRITE, READ),
        ),
    ]);
}

fn find_all(seeded: &[(&str, &str, (AccessKind, AccessKind))]) {
    let mut missed = Vec::new();
    for (name, body, expected) in seeded {
        // Which of the two comes first, the schedule of warps decides; what an atomic access leaves is a write.
        let found = races(body, 96);
        let plain = |kind: AccessKind| if kind == READ { READ } else { WRITE };
        let is = |(a, b): &(AccessKind, AccessKind)| {
            let (a, b) = (plain(*a), plain(*b));
            (a, b) == *expected || (b, a) == *expected
        };
        if !found.iter().any(is) {
            missed.push((name, found));
        }
    }
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
fn what_is_ordered_is_no_race() {
    let right: &[(&str, &str)] = &[
        ("exchange", "st.shared.u32 [%own], %t; bar.sync 0; ld.shared.u32 %x, [%other];"),
        (
            "a barrier behind each use",
            "mov.u32 %r1, 0; L: st.shared.u32 [%own], %r1; bar.sync 0; ld.shared.u32 %x, [%other]; bar.sync 0; add.u32 %r1, %r1, 1;
             setp.lt.u32 %p1, %r1, 3; @%p1 bra L;",
        ),
        ("what all write the same", "st.shared.u32 [%first], 7; bar.sync 0; ld.shared.u32 %x, [%first];"),
        ("bytes beside each other", "add.u32 %r1, %first, %t; st.shared.u8 [%r1], %t; ld.shared.u8 %x, [%r1];"),
        ("within a warp", "shl.b32 %r1, %w, 7; add.u32 %r1, %r1, %first; st.shared.u32 [%own], %t; bar.warp.sync 0xffffffff; ld.shared.u32 %x, [%r1];"),
        ("read by all", "@%q0 st.shared.u32 [%first], 1; bar.sync 0; ld.shared.u32 %x, [%first]; ld.shared.u32 %y, [s];"),
        (
            "counter",
            "@%q0 st.shared.u32 [%first], 0; bar.sync 0; red.shared.add.u32 [%first], 1; bar.sync 0; ld.shared.u32 %x, [%first];",
        ),
        (
            "producer and consumers",
            "@!%q1 bra R; st.shared.u32 [%own], 1; bar.arrive 2, 96; bra E; R: bar.sync 2, 96; ld.shared.u32 %x, [%first]; E:",
        ),
        (
            "barrier of two warps",
            "setp.eq.u32 %p1, %w, 2; @%p1 bra S; @%q1 st.shared.u32 [%first], %t; bar.sync 1, 64; ld.shared.u32 %x, [%first]; S:",
        ),
        (
            "warps that have ended",
            "st.shared.u32 [%own], %t; setp.eq.u32 %p1, %w, 1; @%p1 exit; bar.sync 0; ld.shared.u32 %x, [%other];",
        ),
        (
            "flag",
            "@%q0 st.volatile.shared.u32 [s+4], 0; bar.sync 0; @!%q0 bra W; st.shared.u32 [s+64], 9; membar.cta; st.volatile.shared.u32 [s+4], 1;
             W: ld.volatile.shared.u32 %x, [s+4]; setp.eq.u32 %p1, %x, 0; @%p1 bra W; ld.shared.u32 %y, [s+64];",
        ),
        (
            "lock",
            "@%q0 st.shared.u32 [%first], 0; @%q0 st.shared.u32 [s+64], 0; bar.sync 0; setp.ne.u32 %p1, %lane, 0; @%p1 bra E;
             W: atom.shared.cas.b32 %x, [%first], 0, 1; setp.ne.u32 %p2, %x, 0; @%p2 bra W;
             ld.shared.u32 %y, [s+64]; add.u32 %y, %y, 1; st.shared.u32 [s+64], %y; membar.cta; atom.shared.exch.b32 %x, [%first], 0; E:",
        ),
        (
            "barrier that counts",
            ".reg .b64 %state; @%q0 mbarrier.init.shared.b64 [s], 96; bar.sync 0; st.shared.u32 [%own+64], %t;
             mbarrier.arrive.shared.b64 %state, [s]; W: mbarrier.test_wait.shared.b64 %p1, [s], %state; @!%p1 bra W;
             ld.shared.u32 %x, [%other+64];",
        ),
        (
            "asynchronous copy with a barrier behind it",
            "shl.b32 %r1, %t, 2; add.u32 %r1, %r1, %first; cp.async.ca.shared.global [%r1], [%mine], 4; cp.async.wait_all; bar.sync 0;
             ld.shared.u32 %x, [%other];",
        ),
        (
            "reduction of barriers",
            "st.shared.u32 [%own], %t; setp.lt.u32 %p1, %t, 5; bar.red.popc.u32 %x, 0, %p1; ld.shared.u32 %y, [%other];",
        ),
        (
            "divergent barrier of all threads",
            "st.shared.u32 [%own], %t; setp.lt.u32 %p1, %lane, 16; @%p1 bra A; barrier.sync 0; bra B; A: barrier.sync 0; B: ld.shared.u32 %x, [%other];",
        ),
    ];
    for (name, body) in right {
        assert_eq!(races(body, 96), [], "{name}");
    }
}

/// In global memory: the thread's word in the whole grid `[%all]`, the one of the next block `[%next]`, a word that all have
/// `[%out]`, and one behind it `[%out+8]`. The grid has three blocks of 96 threads.
const GLOBAL: &str = ".reg .b32 %b, %g; .reg .b64 %all, %next, %warp; mov.u32 %b, %ctaid.x; mad.lo.u32 %g, %b, %n, %t;
    mul.wide.u32 %all, %g, 4; add.u64 %all, %all, %out; add.u64 %all, %all, 64; add.u32 %r29, %g, %n; rem.u32 %r29, %r29, 288;
    mul.wide.u32 %next, %r29, 4; add.u64 %next, %next, %out; add.u64 %next, %next, 64;
    add.u32 %r28, %t, 32; rem.u32 %r28, %r28, %n; mad.lo.u32 %r28, %b, %n, %r28; mul.wide.u32 %warp, %r28, 4;
    add.u64 %warp, %warp, %out; add.u64 %warp, %warp, 64;\n";

#[test]
fn seeded_races_in_global_memory_are_found() {
    let seeded: &[(&str, &str, (AccessKind, AccessKind))] = &[
        ("neighbour's word", "st.global.u32 [%all], %g; ld.global.u32 %x, [%next];", (WRITE, READ)),
        (
            "neighbour's word with a barrier of the block",
            "st.global.u32 [%all], %g; bar.sync 0; ld.global.u32 %x, [%next];",
            (WRITE, READ),
        ),
        (
            "a fence is no barrier of the grid",
            "st.global.u32 [%all], %g; membar.gl; ld.global.u32 %x, [%next];",
            (WRITE, READ),
        ),
        ("another warp's word", "st.global.u32 [%all], %g; ld.global.u32 %x, [%warp];", (WRITE, READ)),
        ("last writer wins", "st.global.u32 [%out], %g;", (WRITE, WRITE)),
        (
            "sum without atomics",
            "ld.global.u32 %x, [%out]; add.u32 %x, %x, %g; st.global.u32 [%out], %x;",
            (WRITE, READ),
        ),
        (
            "counter written as plain memory",
            "red.global.add.u32 [%out], 1; setp.eq.u32 %p1, %t, 64; @%p1 st.global.u32 [%out], %g;",
            (WRITE, WRITE),
        ),
        (
            "counter reset while others count",
            "setp.eq.u32 %p1, %g, 287; @%p1 st.global.u32 [%out], 7; red.global.add.u32 [%out], 1;",
            (WRITE, WRITE),
        ),
        (
            "in place, read before it is written",
            "ld.global.u32 %x, [%next]; add.u32 %x, %x, 1; st.global.u32 [%all], %x;",
            (WRITE, READ),
        ),
        (
            "flag that is plain",
            "setp.eq.u32 %p1, %g, 0; @%p1 st.global.u32 [%out+8], 9; @%p1 st.global.u32 [%out], 1; ld.global.u32 %x, [%out];",
            (WRITE, READ),
        ),
        (
            "vector over others' words",
            "and.b64 %rd1, %all, -16; st.global.u32 [%all], %g; add.u64 %rd1, %rd1, 384; setp.lt.u32 %p1, %g, 180;
             @%p1 ld.global.v4.u32 {%x, %y, %r1, %r2}, [%rd1];",
            (WRITE, READ),
        ),
        (
            "the block's result read by a warp of its own",
            "@%q0 st.global.u32 [%all], 5; mul.wide.u32 %rd1, %b, 384; add.u64 %rd1, %rd1, %out; ld.global.u32 %x, [%rd1+64];",
            (WRITE, READ),
        ),
    ];
    let seeded: Vec<_> =
        seeded.iter().map(|(name, body, expected)| (*name, format!("{GLOBAL}{body}"), *expected)).collect();
    find_all(&seeded.iter().map(|(name, body, expected)| (*name, body.as_str(), *expected)).collect::<Vec<_>>());
}

#[test]
fn what_is_ordered_in_global_memory_is_no_race() {
    let right: &[(&str, &str)] = &[
        ("each its own", "st.global.u32 [%all], %g; ld.global.u32 %x, [%all];"),
        ("a barrier of the block", "st.global.u32 [%all], %g; bar.sync 0; ld.global.u32 %x, [%warp];"),
        ("bytes beside each other", "cvt.u64.u32 %rd1, %g; add.u64 %rd1, %rd1, %out; st.global.u8 [%rd1], %g;"),
        ("what all write the same", "st.global.u32 [%out], 7;"),
        ("counter", "red.global.add.u32 [%out], 1; atom.global.inc.u32 %x, [%out+4], 500;"),
        (
            "a loop that compares and exchanges",
            "ld.global.u32 %x, [%out]; L: add.u32 %y, %x, 1; mov.u32 %r1, %x; atom.global.cas.b32 %x, [%out], %r1, %y;
             setp.ne.u32 %p1, %x, %r1; @%p1 bra L;",
        ),
        (
            "the last block sums what the others wrote",
            "st.global.u32 [%all], %g; membar.gl; bar.sync 0; @%q0 atom.global.add.u32 %x, [%out], 1; @%q0 st.shared.u32 [%first], %x;
             bar.sync 0; ld.shared.u32 %x, [%first]; setp.ne.u32 %p1, %x, 2; @%p1 bra E; ld.global.u32 %y, [%next];
             st.global.u32 [%out+8], 1; E:",
        ),
        (
            "a flag that one block sets and others wait for",
            "setp.ne.u32 %p1, %b, 0; @%p1 bra W; @%q0 st.global.u32 [%out+8], 9; membar.gl; @%q0 st.volatile.global.u32 [%out], 1; bra E;
             W: ld.volatile.global.u32 %x, [%out]; setp.eq.u32 %p2, %x, 0; @%p2 bra W; ld.global.u32 %y, [%out+8]; E:",
        ),
        (
            "a flag that one thread of each block waits for",
            "setp.ne.u32 %p1, %b, 0; @%p1 bra W; st.global.u32 [%all], %g; membar.gl; bar.sync 0; @%q0 atom.global.exch.b32 %x, [%out], 1;
             bra E; W: @!%q0 bra B; V: ld.acquire.gpu.global.u32 %x, [%out]; setp.eq.u32 %p2, %x, 0; @%p2 bra V; B: bar.sync 0;
             ld.global.u32 %y, [%mine+64]; E:",
        ),
        (
            "a lock",
            "@!%q0 bra E; L: atom.global.cas.b32 %x, [%out], 0, 1; setp.ne.u32 %p1, %x, 0; @%p1 bra L; ld.global.u32 %y, [%out+8];
             add.u32 %y, %y, 1; st.global.u32 [%out+8], %y; membar.gl; atom.global.exch.b32 %x, [%out], 0; E:",
        ),
    ];
    for (name, body) in right {
        assert_eq!(races(&format!("{GLOBAL}{body}"), 96), [], "{name}");
    }
}
