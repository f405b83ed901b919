//! Barriers and collective instructions that are used as they must not be, memory that is read and was never written, and kernels in
//! which all of that is right.

use super::*;
use crate::lowering::context::BuildOptions;
use crate::state::check::{Checker, Finding, Misuse, Wanted};
use parking_lot::Mutex;
use std::collections::BTreeSet;

/// Keeps what is found: what is wrong and the line. Bytes are written that a kernel has written, and the first ones.
#[derive(Default)]
struct Found {
    all: Mutex<Vec<(String, u32)>>,
    start: u64,
    written: Mutex<BTreeSet<u64>>,
}

/// Bytes of global memory that are written when a kernel begins.
const WRITTEN: u64 = 256;

impl Checker for Found {
    fn covers(&self, _: u64, _: u64, _: bool) -> bool {
        true
    }

    fn report(&self, finding: &Finding<'_>) {
        panic!("{finding:?}");
    }

    fn wants(&self) -> Wanted {
        Wanted { races: false, unwritten: true, misuse: true }
    }

    fn writes(&self, address: u64, bytes: u64) {
        self.written.lock().extend(address..address + bytes);
    }

    fn is_unwritten(&self, address: u64, bytes: u64) -> bool {
        let written = self.written.lock();
        !(address..address + bytes).any(|at| at < self.start + WRITTEN || written.contains(&at))
    }

    fn unwritten(&self, finding: &Finding<'_>) {
        self.all.lock().push((format!("{} bytes, {} threads", finding.bytes, finding.threads), finding.line));
    }

    fn misuse(&self, misuse: &Misuse<'_>) {
        assert!(misuse.threads > 0 && misuse.kernel == "k", "{misuse:?}");
        self.all.lock().push((format!("{}: {}", misuse.what, misuse.more), misuse.line));
    }
}

/// Runs a kernel of one block; gives what is found, and whether the launch succeeded.
fn run_checked(body: &str, block: u32) -> (Vec<(String, u32)>, bool) {
    let text = format!(
        "{HEAD}{}",
        kernel(&format!(
            ".shared .align 16 .b8 s[1024]; .reg .b32 %x, %y, %lane, %w; .reg .b64 %state; .reg .pred %q<4>; and.b32 %lane, %t, 31;
             shr.u32 %w, %t, 5; setp.lt.u32 %q0, %lane, 16; setp.eq.u32 %q1, %w, 0; setp.eq.u32 %q2, %t, 0;\n{body}"
        ))
    );
    let module = ptx::parse(&text).unwrap_or_else(|e| panic!("{e}\n{body}"));
    let options = BuildOptions { checked: true, misuse: true, strict: true, ..BuildOptions::default() };
    let program = Program::build_for(&module, &HashMap::new(), options).unwrap_or_else(|e| panic!("{e}\n{body}"));
    let mut words = vec![0u32; 4096];
    let start = words.as_mut_ptr() as u64;
    let found = Arc::new(Found { start, ..Found::default() });
    let mut launch = launch(&kernel(""), 1, block, &[start]);
    launch.program = Arc::new(program);
    launch.services = checked_by(&found);
    launch.limit = Some(std::time::Duration::from_secs(20));
    let result = launch.run();
    let found = core::mem::take(&mut *found.all.lock());
    (found, result.is_ok())
}

#[test]
fn seeded_misuse_of_barriers_is_found() {
    let seeded: &[(&str, &str, &str)] = &[
        (
            "barrier in a branch of some threads of a warp",
            "bar.sync 0; @!%q0 bra E; bar.sync 0; E:",
            "divergent threads of the block at a barrier: 48 threads that came to barriers before have ended",
        ),
        (
            "barrier in a loop that threads leave at different times",
            "mov.u32 %r1, 0; L: mad.lo.u32 %r2, %r1, 96, %t; setp.ge.u32 %p1, %r2, 250; @%p1 bra N; bar.sync 0; N: add.u32 %r1, %r1, 1;
             setp.lt.u32 %p2, %r1, 3; @%p2 bra L;",
            "divergent threads of the block at a barrier: 38 threads that came to barriers before have ended",
        ),
        (
            "barriers on both sides of a branch within warps",
            "@%q0 bra A; bar.sync 0; bra E; A: bar.sync 0; E:",
            "divergent threads of a warp at a barrier of the block",
        ),
        (
            "barriers on both sides of a branch between warps",
            "@%q1 bra A; bar.sync 0; bra E; A: bar.sync 0; E:",
            "divergent threads of the block at a barrier: others are at the one",
        ),
        (
            "a warp that goes on to the next barrier",
            "@%q1 bra S; bar.sync 0; S: bar.sync 0;",
            "divergent threads of the block at a barrier",
        ),
        ("threads that are no multiple of 32", "bar.sync 1, 40;", "number of threads that is no multiple of 32: barrier 1 of 40"),
        ("a number that is too large", "mov.u32 %r1, 16; bar.sync %r1;", "number of a barrier that is not there: barrier 16"),
        ("more threads than there are", "bar.sync 1, 128;", "barrier of more threads than the block has: barrier 1 of 128"),
        (
            "threads that do not agree on a count",
            "@%q1 bra A; bar.sync 1, 96; bra E; A: bar.sync 1, 64; E:",
            "threads that do not agree on how many a barrier takes",
        ),
        ("one warp too few", "@%q1 bra E; bar.sync 1, 96; E:", "barrier that never opens: 64 threads are at barrier 1, which takes 96"),
        (
            "two barriers in different order",
            "@%q1 bra A; bar.sync 1, 96; bar.sync 2, 96; bra E; A: bar.sync 2, 96; bar.sync 1, 96; E:",
            "barrier that never opens",
        ),
        (
            "mask without the thread itself",
            "setp.gt.u32 %p1, %lane, 16; @%p1 bra E; bar.warp.sync 0xffff; E:",
            "mask that does not name the thread itself: the mask is 0x0000ffff",
        ),
        (
            "shuffle in a branch of half a warp, with a mask of the other half",
            "@!%q0 bra E; shfl.sync.down.b32 %x, %t, 1, 31, 0xffff0000; E:",
            "mask that does not name the thread itself",
        ),
        (
            "masks that differ",
            "mov.u32 %x, 0xffffffff; @%q0 mov.u32 %x, 0xffff; vote.sync.ballot.b32 %y, %p1, %x;",
            "threads that name different masks",
        ),
        (
            "shuffles on both sides of a branch",
            "@%q0 bra A; shfl.sync.idx.b32 %x, %t, 0, 31, 0xffffffff; bra E; A: shfl.sync.idx.b32 %x, %t, 0, 31, 0xffffffff; E:",
            "threads of a mask at different instructions",
        ),
        (
            "lanes wait for lanes that wait at a barrier",
            "@%q0 bra A; bar.sync 0; bra E; A: bar.warp.sync 0xffffffff; bar.sync 0; E:",
            "barrier that never opens",
        ),
        (
            "mbarrier that nobody initialised",
            "mbarrier.arrive.shared.b64 %state, [s];",
            "mbarrier that is not initialised: at offset 0x0",
        ),
        (
            "mbarrier that is not valid any more",
            "@!%q2 bra E; mbarrier.init.shared.b64 [s+8], 1; mbarrier.inval.shared.b64 [s+8]; mbarrier.arrive.shared.b64 %state, [s+8]; E:",
            "mbarrier that is not initialised: at offset 0x8",
        ),
        ("mbarrier of no threads", "@%q2 mbarrier.init.shared.b64 [s], 0;", "wrong count of an mbarrier: 0"),
        (
            "more arrivals than an mbarrier takes",
            "@!%q2 bra E; mbarrier.init.shared.b64 [s], 2; mbarrier.arrive.shared.b64 %state, [s], 3; E:",
            "wrong count of arrivals at an mbarrier: 3 arrive, and 2 are waited for",
        ),
    ];
    let mut missed = Vec::new();
    for (name, body, expected) in seeded {
        let (found, _) = run_checked(body, 96);
        if !found.iter().any(|(what, _)| what.starts_with(expected)) {
            missed.push((name, found));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn seeded_reads_of_what_nobody_wrote_are_found() {
    let seeded: &[(&str, &str, &str)] = &[
        ("a word", "ld.global.u32 %x, [%mine];", "4 bytes, 32 threads"),
        ("a generic address", "add.u64 %rd1, %mine, 1024; ld.u32 %x, [%rd1];", "4 bytes, 32 threads"),
        (
            "one element too few was written",
            "st.global.u32 [%mine], 1; ld.global.u32 %x, [%mine+4];",
            "4 bytes, 1 threads",
        ),
        (
            "a vector",
            "shl.b32 %r1, %t, 4; cvt.u64.u32 %rd1, %r1; add.u64 %rd1, %rd1, %out; ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];",
            "8 bytes, 16 threads",
        ),
        ("a counter", "red.global.add.u32 [%out+2048], 1;", "4 bytes, 32 threads"),
        (
            "a byte between others",
            "st.global.u8 [%out+300], 1; st.global.u8 [%out+302], 1; @%q2 ld.global.u8 %x, [%out+301];",
            "1 bytes, 1 threads",
        ),
        ("a double", "@%q2 ld.global.f64 %rd1, [%out+512];", "8 bytes, 1 threads"),
        ("an asynchronous copy", "@%q2 cp.async.ca.shared.global [s], [%out+512], 16;", "8 bytes, 1 threads"),
    ];
    let mut missed = Vec::new();
    for (name, body, expected) in seeded {
        let (found, whole) = run_checked(body, 96);
        assert!(whole, "{name}");
        if !found.iter().any(|(what, _)| what == expected) {
            missed.push((name, found));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn right_uses_are_not_reported() {
    let right: &[(&str, &str)] = &[
        ("all threads", "bar.sync 0; bar.sync 0; barrier.sync.aligned 0;"),
        ("those that return early", "setp.ge.u32 %p1, %t, 80; @%p1 ret; bar.sync 0; bar.sync 0;"),
        ("those that return early, by a branch around", "setp.ge.u32 %p1, %t, 80; @%p1 bra E; bar.sync 0; E:"),
        ("warps that have ended", "setp.eq.u32 %p1, %w, 1; @%p1 exit; bar.sync 0;"),
        ("a barrier of two warps", "setp.eq.u32 %p1, %w, 2; @%p1 bra S; bar.sync 1, 64; S:"),
        ("producer and consumers", "@!%q1 bra R; bar.arrive 2, 96; bra E; R: bar.sync 2, 96; E:"),
        ("divergent barrier of all threads", "@%q0 bra A; barrier.sync 0; bra B; A: barrier.sync 0; B:"),
        ("a loop", "mov.u32 %r1, 0; L: bar.sync 0; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 5; @%p1 bra L;"),
        ("halves of a warp", "mov.u32 %x, 0xffff0000; @%q0 mov.u32 %x, 0xffff; bar.warp.sync %x; shfl.sync.down.b32 %y, %t, 1, 31, %x;"),
        ("halves of a warp, one after the other", "@%q0 bra A; shfl.sync.down.b32 %y, %t, 1, 31, 0xffff0000; bra E; A: shfl.sync.down.b32 %y, %t, 1, 31, 0xffff; E: bar.warp.sync 0xffffffff;"),
        ("barriers of a warp on both sides of a branch", "@%q0 bra A; bar.warp.sync 0xffffffff; bra E; A: bar.warp.sync 0xffffffff; E:"),
        ("a mask of those that are there", "@!%q0 bra E; activemask.b32 %x; vote.sync.any.pred %p1, %p2, %x; E:"),
        ("a mask that names threads that have ended", "setp.gt.u32 %p1, %lane, 20; @%p1 exit; shfl.sync.down.b32 %y, %t, 1, 31, 0xffffffff;"),
        (
            "a barrier that counts",
            "@%q2 mbarrier.init.shared.b64 [s], 96; bar.sync 0; mbarrier.arrive.shared.b64 %state, [s];
             W: mbarrier.test_wait.shared.b64 %p1, [s], %state; @!%p1 bra W; bar.sync 0; @%q2 mbarrier.inval.shared.b64 [s];",
        ),
        ("what is written before", "ld.global.u32 %x, [%out+128]; st.global.u32 [%mine+1024], %t; ld.global.u32 %x, [%mine+1024];"),
        ("a structure with a hole", "@!%q2 bra E; st.global.u32 [%out+512], 1; ld.global.u64 %rd1, [%out+512]; st.global.u64 [%out+520], %rd1; E:"),
    ];
    for (name, body) in right {
        assert_eq!(run_checked(body, 96), (vec![], true), "{name}");
    }
}
