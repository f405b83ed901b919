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
