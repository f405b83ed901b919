//! The same kernels interpreted and compiled, where compiled code and the interpreter take turns.

use super::*;
use crate::running::force_engine;
use crate::state::services::{AddressRange, Services};
use settings::config::Engine;

/// What a kernel with this body leaves of `words`, by both.
fn both(body: &str, block: u32, words: &[u32]) -> [Vec<u32>; 2] {
    [Engine::Interpret, Engine::Compile].map(|engine| {
        let mut words = words.to_vec();
        let launch = launch(&kernel(body), 1, block, &[words.as_mut_ptr() as u64]);
        force_engine(engine, || launch.run()).unwrap();
        words
    })
}

#[test]
fn a_number_for_all_lanes_outlives_the_first_lane() {
    // The first lane goes another way and ends; meanwhile the others get `%r3` from the interpreter, since the warp is in parts.
    let body = "setp.eq.u32 %p1, %t, 0; @%p1 bra Z;
        W: ld.volatile.global.u32 %r2, [%out]; setp.eq.u32 %p2, %r2, 0; @%p2 bra W;
        ld.global.u32 %r3, [%out+8]; st.volatile.global.u32 [%out+4], 1;
        V: ld.volatile.global.u32 %r6, [%out+12]; setp.eq.u32 %p2, %r6, 0; @%p2 bra V;
        add.u32 %r7, %r3, %r6; st.global.u32 [%mine+16], %r7; bra E;
        Z: st.volatile.global.u32 [%out], 1;
        Y: ld.volatile.global.u32 %r5, [%out+4]; setp.eq.u32 %p3, %r5, 0; @%p3 bra Y;
        st.volatile.global.u32 [%out+12], 1; exit;
        E: ";
    let mut words = vec![0; 36];
    words[2] = 41;
    let [interpreted, compiled] = both(body, 32, &words);
    assert_eq!(interpreted[5..], [42; 31]);
    assert_eq!(interpreted, compiled);
}

/// Kernels may access some more than what nearly all accesses go to.
struct Elsewhere(AddressRange);

impl Services for Elsewhere {
    fn print(&self, _: u64, _: u64) -> Option<i32> {
        None
    }
    fn assertion(&self, _: crate::state::grid::Thread, _: crate::state::services::Assertion) {}
    fn allocate(&self, _: u64) -> u64 {
        0
    }
    fn free(&self, _: u64) -> bool {
        false
    }
    fn accessible(&self) -> AddressRange {
        host::accessible()
    }
    fn accessible_at(&self, address: u64) -> AddressRange {
        if self.0.holds(address, 1) { self.0 } else { AddressRange::NOTHING }
    }
}

#[test]
fn a_number_that_the_interpreter_loads_without_the_first_lane() {
    let body = "setp.eq.u32 %p1, %t, 0; @%p1 bra E;
        ld.global.u32 %r3, [%out+4]; ld.global.u64 %rd3, [%out+8]; cvt.u32.u64 %r4, %rd3; add.u32 %r3, %r3, %r4;
        st.global.u32 [%mine+16], %r3;
        E: ";
    for engine in [Engine::Interpret, Engine::Compile] {
        let mut words = vec![0u32; 36];
        (words[1], words[2]) = (40, 2);
        let (start, bytes) = (words.as_mut_ptr() as u64, 4 * words.len() as u64);
        let services = Arc::new(Elsewhere(AddressRange { start, bytes }));
        let launch = Launch { services, ..launch(&kernel(body), 1, 32, &[start]) };
        let done = force_engine(engine, || launch.run());
        assert!(done.is_ok(), "{engine:?}: {done:?}");
        assert_eq!(words[5..], [42; 31], "{engine:?}");
    }
}

/// A kernel of so many blocks, each with a branch of its own, and as many registers.
fn many_blocks(count: usize) -> String {
    use core::fmt::Write;
    let mut body = format!(".reg .b32 %x<{}>; mov.u32 %x0, %t; mov.u32 %x{count}, 0;", count + 1);
    for n in 0..count {
        let _ = writeln!(body, "add.u32 %x{}, %x{n}, 1; setp.gt.u32 %p1, %x{n}, {}; @%p1 bra E;", n + 1, n + 20);
    }
    let _ = write!(body, "E: st.global.u32 [%mine], %x{count};");
    body
}

#[test]
fn kernels_that_are_too_large_are_interpreted() {
    // Lanes from 21 on leave at the first branch, with 0 in the last register.
    for count in [50, 3_000] {
        let mut wanted: Vec<u32> = (0..32).map(|lane| if lane > 20 { 0 } else { lane + count as u32 }).collect();
        wanted.push(0);
        let [interpreted, compiled] = both(&many_blocks(count), 32, &[0; 33]);
        assert_eq!(interpreted, compiled);
        if count == 50 {
            assert_eq!(interpreted, wanted);
        }
    }
}

#[test]
fn tables_of_branches_that_are_too_large_are_interpreted() {
    let labels: Vec<String> = (0..600).map(|n| format!("L{n}")).collect();
    let mut body = format!("T: .branchtargets {}; mov.u32 %r1, 0;", labels.join(", "));
    for label in &labels {
        body += &format!("{label}: add.u32 %r1, %r1, 1; add.u32 %r2, %r1, %t; rem.u32 %r2, %r2, 600;\n");
        body += "setp.gt.u32 %p1, %r1, 100; @%p1 bra E; brx.idx %r2, T;\n";
    }
    body += "E: st.global.u32 [%mine], %r1;";
    let [interpreted, compiled] = both(&body, 32, &[0; 33]);
    assert_eq!(interpreted[..32], [101; 32]);
    assert_eq!(interpreted, compiled);
}

/// Every atomic operation with native code, by its type.
const ATOMICS: [(&str, &[&str]); 8] = [
    ("u32", &["add", "min", "max", "inc", "dec"]),
    ("s32", &["add", "min", "max"]),
    ("u64", &["add", "min", "max"]),
    ("s64", &["min", "max"]),
    ("b32", &["and", "or", "xor", "exch", "cas"]),
    ("b64", &["and", "or", "xor", "exch", "cas"]),
    ("f32", &["add"]),
    ("f64", &["add"]),
];

/// Numbers at the edges of their types, and others.
fn edge(n: usize) -> u64 {
    let singles: [u32; 12] = [
        0,
        1,
        0x8000_0000,
        0x7fff_ffff,
        0xffff_ffff,
        0x0000_0100,
        0x7f80_0000,
        0xff80_0000,
        0x3f80_0000,
        0xc020_0000,
        0x8000_0007,
        0x0080_0001,
    ];
    let doubles: [u64; 8] = [
        0x7ff0_0000_0000_0001,
        0xfff8_0000_0000_0005,
        0x7ff0_0000_0000_0000,
        0xfff0_0000_0000_0000,
        3,
        0x3ff0_0000_0000_0000,
        0xc000_0000_0000_0000,
        0x8000_0000_0000_0000,
    ];
    if n.is_multiple_of(3) {
        doubles[n / 3 % doubles.len()]
    } else {
        u64::from(singles[n % singles.len()]) | u64::from(singles[n * 7 % singles.len()]) << 32
    }
}

#[test]
fn atomic_operations_are_the_same_in_both() {
    /// Where results begin, in bytes.
    const RESULTS: usize = 2048;
    let memory: Vec<u32> = (0..448).flat_map(|n| [edge(n) as u32, (edge(n) >> 32) as u32]).collect();
    // Which cell a lane takes: all one, a few, their own, most of them one.
    let cells = [
        ("mov.u32 %r1, 3;", ""),
        ("and.b32 %r1, %t, 3;", "@%p1 "),
        ("mov.u32 %r1, %t;", "@%p1 "),
        ("mul.lo.u32 %r1, %t, %t; and.b32 %r1, %r1, 15;", ""),
    ];
    let spaces = [(".global", "%rd9"), (".shared", "%r9"), ("", "%rd9"), ("", "%rd11")];
    for (ty, operations) in ATOMICS {
        let bits = &ty[1..];
        let r = if bits == "64" { "%rd" } else { "%r" };
        let all = operations.iter().flat_map(|operation| spaces.map(|space| (*operation, space)));
        for ((operation, (space, at)), (cell, guard)) in all.flat_map(|one| cells.map(|cell| (one, cell))) {
            let second = if operation == "cas" { format!(", {r}6") } else { String::new() };
            let red = if matches!(operation, "exch" | "cas") {
                format!("atom{space}.{operation}.{ty} {r}26,")
            } else {
                format!("red{space}.{operation}.{ty}")
            };
            let body = format!(
                ".shared .align 8 .b8 s[1024]; .reg .b32 %b;
                setp.ne.u32 %p1, %t, 7; mul.wide.u32 %rd1, %t, 8; add.u64 %rd2, %out, %rd1;
                mov.u32 %b, s; mad.lo.u32 %r2, %t, 8, %b;
                ld.global.u64 %rd3, [%rd2]; st.shared.u64 [%r2], %rd3;
                ld.global.u64 %rd3, [%rd2+512]; st.shared.u64 [%r2+512], %rd3;
                bar.sync 0;
                ld.global.b{bits} {r}5, [%rd2+1024]; ld.global.b{bits} {r}6, [%rd2+1536]; ld.global.b{bits} {r}8, [%out+1032];
                {cell} mad.lo.u32 %r9, %r1, 8, %b; mul.wide.u32 %rd10, %r1, 8; add.u64 %rd9, %out, %rd10;
                cvt.u64.u32 %rd11, %r9; cvta.shared.u64 %rd11, %rd11;
                mov.b{bits} {r}7, {r}5;
                {guard}atom{space}.{operation}.{ty} {r}7, [{at}], {r}5{second};
                {guard}atom{space}.{operation}.{ty} {r}27, [{at}+256], {r}5{second};
                {guard}{red} [{at}+512], {r}5{second};
                {guard}{red} [{at}], {r}8{second};
                st.global.b{bits} [%rd2+{RESULTS}], {r}7;
                bar.sync 0;
                ld.shared.u64 %rd3, [%r2]; st.global.u64 [%rd2+2560], %rd3;
                ld.shared.u64 %rd3, [%r2+512]; st.global.u64 [%rd2+3072], %rd3;"
            );
            let [interpreted, compiled] = both(&body, 40, &memory);
            assert_eq!(interpreted, compiled, "{guard}{operation}.{ty} {space} {at} {cell}");
            assert_ne!(interpreted[RESULTS / 4..], memory[RESULTS / 4..]);
        }
    }
}
