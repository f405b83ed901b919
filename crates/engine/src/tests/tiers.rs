//! The same kernels interpreted and compiled, where compiled code and the interpreter take turns.

use super::*;
use crate::running::{called, compile, force_engine, with_avx2};
use crate::state::coverage::counted;
use crate::state::native::BlockKind;
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

/// The same by compiled code alone.
fn compiled_alone(body: &str, block: u32, words: &[u32]) -> Vec<u32> {
    let mut words = words.to_vec();
    let launch = launch(&kernel(body), 1, block, &[words.as_mut_ptr() as u64]);
    force_engine(Engine::Compile, || launch.run()).unwrap();
    words
}

/// Opcodes of the steps of a kernel with this body that are called when it is compiled for this machine and for AVX2.
fn opcodes_called(body: &str) -> Vec<ptx::Opcode> {
    let launch = launch(&kernel(body), 1, 1, &[0]);
    let code = &launch.program.functions[launch.kernel as usize];
    let all = || called(code, BlockKind::Rows).expect("no code");
    let narrow = with_avx2(all);
    all().into_iter().chain(narrow).collect()
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

#[test]
fn a_warp_that_was_in_parts_goes_on_in_compiled_code_behind_barriers() {
    // One warp is in parts once. Then both come to a hundred barriers.
    let body = "setp.ne.u32 %p1, %t, 40; @%p1 bra B; W: ld.volatile.global.u32 %r2, [%out]; setp.eq.u32 %p2, %r2, 0; @%p2 bra W;
        B: setp.eq.u32 %p1, %t, 41; @%p1 st.volatile.global.u32 [%out], 1; bar.warp.sync 0xffffffff;
        mov.u32 %r8, 100; mov.u32 %r9, 0;
        A: bar.sync 0; mad.lo.u32 %r9, %r9, 3, %t; sub.u32 %r8, %r8, 1; setp.ne.u32 %p3, %r8, 0; @%p3 bra A;
        st.global.u32 [%mine+16], %r9; ";
    let left = both(body, 64, &[0; 68]);
    assert_eq!(left[0], left[1]);
    let mut words = [0u32; 68];
    let launch = counted(|| launch(&kernel(body), 1, 64, &[words.as_mut_ptr() as u64]));
    force_engine(Engine::Compile, || launch.run()).unwrap();
    assert_eq!(words[..], left[0]);
    let code = &launch.program.functions[launch.kernel as usize];
    let counts = &code.counted.as_ref().unwrap().counts;
    let all = (0..code.steps.len()).map(|at| counts.of(at)).fold((0, 0), |(a, b), (own, other)| (a + own, b + other));
    // Two warps, five steps a turn.
    assert!(all.0 >= 900 && all.1 < 100, "{all:?}");
}

#[test]
fn parts_of_a_warp_leave_registers_of_the_others_alone() {
    // Each lane waits for the one before it, or for the one behind it, in turns of its own, by registers that all lanes use; some of
    // them are the same for all lanes that get there together.
    let chain = |more: &str, wait: &str| {
        format!(
            ".reg .f32 %f<4>; .reg .f64 %d<4>; mul.lo.u32 %r3, %t, 77; add.u32 %r4, %t, 5; cvt.rn.f32.u32 %f1, %t; mov.u32 %r10, 0; {more}
             W: ld.volatile.global.u32 %r5, [%out+128]; add.u32 %r10, %r10, 1; xor.b32 %r6, %r5, %r4; cvt.rn.f64.u32 %d1, %r5; {wait}
             @%p1 bra W;
             mov.b32 %f2, 0x7fc12345; add.f32 %f3, %f2, %f1; mov.b32 %r7, %f3; add.u32 %r8, %r3, %r6; add.u32 %r8, %r8, %r7;
             mul.wide.u32 %rd3, %r8, %r4; cvt.u32.u64 %r9, %rd3; st.global.u32 [%mine+256], %r9; membar.gl;
             add.u32 %r11, %r5, 1; st.volatile.global.u32 [%out+128], %r11;
             bar.sync 0; ld.global.u32 %r12, [%mine+256]; add.u32 %r12, %r12, %r3; setp.gt.u32 %p2, %r10, 0; @%p2 add.u32 %r12, %r12, 3;
             st.global.u32 [%mine+512], %r12; st.global.u32 [%out+1024], %r4;"
        )
    };
    let bodies = [
        chain("", "setp.ne.u32 %p1, %r5, %t;"),
        chain("mov.u32 %r20, 31; sub.u32 %r21, %r20, %t;", "setp.ne.u32 %p1, %r5, %r21;"),
        chain("setp.lt.u32 %p3, %t, 16; @%p3 bra W; add.u32 %r3, %r3, 1;", "setp.ne.u32 %p1, %r5, %t;"),
        // The first lane alone waits, for what the others do on the other side.
        chain("setp.ne.u32 %p4, %t, 0; @%p4 bra F; V: ld.volatile.global.u32 %r5, [%out+132]; setp.lt.u32 %p1, %r5, 31; xor.b32 %r4, %r5, %r3;
            @%p1 bra V; bra W; F: add.u32 %r4, %r4, %r3; atom.global.add.u32 %r5, [%out+132], 1;", "setp.ne.u32 %p1, %r5, %t;"),
    ];
    for body in &bodies {
        let words = vec![0; 512];
        let [interpreted, compiled] = both(body, 32, &words);
        let [_, narrow] = with_avx2(|| both(body, 32, &words));
        assert_eq!(interpreted[32], 32, "{body}");
        assert!(interpreted == compiled, "{body}");
        assert!(interpreted == narrow, "AVX2: {body}");
    }
}

#[test]
fn lanes_that_wait_leave_registers_of_those_alone_that_wait_elsewhere() {
    // Each lane has numbers when it waits for its turn, and others, in the same registers of the machine, when it waits for all.
    const NUMBERS: u32 = 8;
    let each = |what: &dyn Fn(u32) -> String| (0..NUMBERS).map(what).collect::<String>();
    let load = each(&|n| format!("ld.global.u32 %r{}, [%mine+{}];", 10 + n, 128 * n));
    let add = each(&|n| format!("mad.lo.u32 %r2, %r{}, {}, %r2;", 10 + n, n + 3));
    let load_others = each(&|n| format!("ld.global.u32 %q{n}, [%mine+{}]; mul.lo.u32 %q{n}, %q{n}, %q{n};", 128 * n));
    let add_others = each(&|n| format!("mad.lo.u32 %r2, %q{n}, {}, %r2;", n + 5));
    let body = format!(
        ".reg .b32 %q<{NUMBERS}>; mov.u32 %r2, 0; {load}
        W: ld.volatile.global.u32 %r5, [%out+{at}]; setp.ne.u32 %p1, %r5, %t; @%p1 bra W;
        {add} {load_others} add.u32 %r6, %t, 1; st.volatile.global.u32 [%out+{at}], %r6;
        V: ld.volatile.global.u32 %r5, [%out+{at}]; setp.ne.u32 %p1, %r5, 32; @%p1 bra V;
        {add_others} st.global.u32 [%mine+{to}], %r2;",
        at = 128 * (NUMBERS + 1),
        to = 128 * (NUMBERS + 2)
    );
    let words: Vec<u32> = (0..32 * (NUMBERS + 3)).map(|n| if n < 32 * (NUMBERS + 1) { n * n + 7 } else { 0 }).collect();
    let [interpreted, compiled] = both(&body, 32, &words);
    let [_, narrow] = with_avx2(|| both(&body, 32, &words));
    assert_eq!(interpreted[32 * (NUMBERS as usize + 1)], 32);
    assert!(interpreted == compiled);
    assert!(interpreted == narrow, "AVX2");
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
        let services = fenced(AddressRange { start, bytes });
        let launch = Launch { services, ..launch(&kernel(body), 1, 32, &[start]) };
        let done = force_engine(engine, || launch.run());
        assert!(done.is_ok(), "{engine:?}: {done:?}");
        assert_eq!(words[5..], [42; 31], "{engine:?}");
    }
}

#[test]
fn loads_that_are_made_wider_go_by_addresses_of_lanes() {
    // What the address is made of changes later: the load comes in no row that is known, and is the interpreter's.
    let body = "mov.u32 %r1, %t; mov.u64 %rd3, 0; setp.ge.s32 %p1, %r1, 20; @%p1 bra A;
        mul.wide.u32 %rd4, %r1, 4; add.s64 %rd5, %out, %rd4; ld.global.s32 %rd3, [%rd5]; add.s32 %r1, %r1, 256;
        A: setp.ge.s32 %p2, %r1, 20; @%p2 bra B;
        mul.wide.u32 %rd6, %r1, 4; add.s64 %rd7, %out, %rd6; ld.global.s32 %rd8, [%rd7]; add.s64 %rd3, %rd3, %rd8;
        B: cvt.u32.u64 %r2, %rd3; st.global.u32 [%mine+128], %r2; ";
    let words: Vec<u32> = (0..64).map(|i| i * 7 + 1).collect();
    let [interpreted, compiled] = both(body, 32, &words);
    assert_eq!(interpreted[33], 8);
    assert_eq!(interpreted, compiled);
}

/// A kernel changes memory alike in both engines, where nearly all accesses go and elsewhere: there the interpreter makes each.
fn alike_near_and_far(body: &str, numbers: &[u32]) {
    let [near, far] = [false, true].map(|far| {
        [Engine::Interpret, Engine::Compile].map(|engine| {
            let mut words = numbers.to_vec();
            let (start, bytes) = (words.as_mut_ptr() as u64, 4 * words.len() as u64);
            let mut launch = launch(&kernel(body), 1, 64, &[start]);
            if far {
                launch.services = fenced(AddressRange { start, bytes });
            }
            let done = force_engine(engine, || launch.run());
            assert!(done.is_ok(), "{engine:?} {body}: {done:?}");
            words
        })
    });
    assert_ne!(near[0], numbers);
    assert!(near[0] == near[1] && near == far, "{body}");
}

#[test]
fn large_results_are_whole_where_they_begin_inside_of_a_line() {
    const BLOCKS: u32 = 64;
    // Blocks that are no multiple of a line wide follow each other without gaps; the last word of the first line is left out.
    let body = "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mad.lo.u32 %r3, %r1, %r2, %t; setp.eq.u32 %p1, %r3, 15; @%p1 bra E;
        mul.wide.u32 %rd1, %r3, 4; add.u64 %rd2, %out, %rd1; mul.lo.u32 %r4, %r3, 3; st.global.u32 [%rd2], %r4; E: ";
    for (block, skip) in [(256, 0), (264, 0), (256, 1)] {
        let mut words = vec![u32::MAX; (BLOCKS * block) as usize + 32];
        let first = words.as_ptr().align_offset(64) + skip;
        let launch = launch(&kernel(body), BLOCKS, block, &[words[first..].as_mut_ptr() as u64]);
        force_engine(Engine::Compile, || launch.run()).unwrap();
        let expected = |n: u32| if n == 15 { u32::MAX } else { n.wrapping_mul(3) };
        let (own, rest) = words[first..].split_at((BLOCKS * block) as usize);
        assert!(own.iter().zip(0..).all(|(&word, n)| word == expected(n)), "{block} {skip}");
        assert!(words[..first].iter().chain(rest).all(|&word| word == u32::MAX), "{block} {skip}");
    }
}

#[test]
fn accesses_near_each_other_may_go_elsewhere() {
    // A row, and numbers for all lanes, of which the interpreter loads some; some lanes have left the loop before others.
    let body = "mov.f32 %f0, 0f00000000; add.u32 %r5, %t, 3; mov.u64 %rd3, %out;
        L: ld.global.f32 %f1, [%mine]; ld.global.f32 %f2, [%mine+4]; ld.global.f32 %f3, [%rd3]; ld.global.f32 %f4, [%rd3+4];
        fma.rn.f32 %f0, %f1, %f3, %f0; fma.rn.f32 %f0, %f2, %f4, %f0; mul.f32 %f5, %f3, %f4; add.f32 %f0, %f0, %f5;
        setp.gt.f32 %p2, %f0, 0f45000000; selp.f32 %f0, %f1, %f0, %p2;
        add.u64 %rd3, %rd3, 4; sub.u32 %r5, %r5, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra L;
        st.global.f32 [%mine+256], %f0; st.global.f32 [%mine+512], %f5;";
    let body = format!(".reg .f32 %f<6>; {body}");
    let numbers: Vec<u32> = (0..256u16).map(|n| f32::from(n % 37).to_bits()).collect();
    alike_near_and_far(&body, &numbers);
}

#[test]
fn what_a_loop_keeps_in_registers_outlasts_loads_from_elsewhere() {
    let many: String = (0..24).map(|n| format!("mad.lo.u32 %r3, %r3, {}, {};", 2 * n + 3, 77 * n + 1000)).collect();
    let body = format!(
        "and.b32 %r10, %t, 15; mov.u32 %r7, 0; mov.u32 %r3, %t;
         L: {many} ld.global.u32 %r1, [%mine]; add.u32 %r3, %r3, %r1; add.u32 %r7, %r7, 1; setp.lt.u32 %p2, %r7, %r10; @%p2 bra L;
         st.global.u32 [%mine+512], %r3;"
    );
    let numbers: Vec<u32> = (0..256u32).map(|n| n.wrapping_mul(2654435761)).collect();
    alike_near_and_far(&body, &numbers);
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
    // Which cell a lane takes: all one, which the compiler knows or which turns out; a few, their own, most of them one.
    let cells = [
        ("mov.u32 %r1, 3;", ""),
        ("mov.u32 %r1, 3;", "@%p1 "),
        ("mov.u32 %r1, 3;", "@%p2 "),
        ("shr.u32 %r1, %t, 7; add.u32 %r1, %r1, 5;", ""),
        ("shr.u32 %r1, %t, 7; add.u32 %r1, %r1, 5;", "@%p2 "),
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
                setp.ne.u32 %p1, %t, 7; and.b32 %r1, %t, 22; setp.eq.u32 %p2, %r1, 18; mul.wide.u32 %rd1, %t, 8; add.u64 %rd2, %out, %rd1;
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
            // Generic addresses differ in how they are looked at alone.
            if !space.is_empty() && guard != "@%p1 " {
                let narrow = with_avx2(|| compiled_alone(&body, 40, &memory));
                assert_eq!(interpreted, narrow, "AVX2: {guard}{operation}.{ty} {space} {at} {cell}");
            }
            assert_ne!(interpreted[RESULTS / 4..], memory[RESULTS / 4..]);
        }
    }
}

#[test]
fn atomic_operations_are_compiled() {
    for (ty, operations) in ATOMICS {
        let r = if ty.ends_with("64") { "%rd" } else { "%r" };
        let spaces = [(".global", "%rd9"), (".shared", "%r9"), ("", "%rd9")];
        for (operation, (space, at)) in operations.iter().flat_map(|one| spaces.map(|space| (one, space))) {
            let second = if *operation == "cas" { format!(", {r}6") } else { String::new() };
            for place in [
                "mov.u32 %r9, s; mov.u64 %rd9, %out;",
                "mad.lo.u32 %r9, %r1, 8, 8; mul.wide.u32 %rd9, %r1, 8; add.u64 %rd9, %rd9, %out;",
            ] {
                let body = format!(
                    ".shared .align 8 .b8 s[1024]; ld.global.u32 %r1, [%mine]; ld.global.u64 %rd5, [%out]; cvt.u32.u64 %r5, %rd5;
                    mov.u64 %rd6, 5; mov.u32 %r6, %t; {place} atom{space}.{operation}.{ty} {r}4, [{at}], {r}5{second};
                    @%p1 atom{space}.{operation}.{ty} {r}7, [{at}+8], {r}5{second};
                    cvt.u64.u32 %rd8, %r4; add.u64 %rd8, %rd8, %rd4; st.global.u64 [%out+512], %rd8;"
                );
                assert_eq!(opcodes_called(&body), [], "{body}");
            }
        }
    }
}

/// Words that lanes add in one place: each sum is rounded, some become subnormal or cancel each other. With what is no number, and
/// without.
fn summands(double: bool) -> [Vec<u64>; 3] {
    let plain: Vec<u64> = (0..64u64)
        .map(|n| {
            let word = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let near = word % 41;
            match (n % 7, double) {
                (0, false) => (word >> 42) | (word & 1) << 31,
                (0, true) => (word >> 12) | (word & 1) << 63,
                // The smallest normal ones, whose differences are subnormal.
                (1, false) => 1 << 23 | word >> 60 | (word & 1) << 31,
                (1, true) => 1 << 52 | word >> 60 | (word & 1) << 63,
                (_, false) => (107 + near) << 23 | word >> 41 | (word & 1) << 31,
                (_, true) => (1000 + near) << 52 | word >> 12 | (word & 1) << 63,
            }
        })
        .collect();
    let tiny = plain.iter().enumerate().map(|(n, &word)| if n % 7 < 2 { word } else { plain[n / 7 * 7 + n % 2] });
    let (quiet, other, infinite) = if double {
        (0xfff8_0000_0000_0123, 0x7ff0_0000_0000_0456, [0x7ff << 52, 0xfff << 52])
    } else {
        (0xffc0_0123, 0x7f80_0456, [0x7f80_0000, 0xff80_0000])
    };
    let mut odd = plain.clone();
    [odd[5], odd[11], odd[17]] = [infinite[0], infinite[1], 1];
    [odd[37], odd[51]] = [other, quiet];
    [plain.clone(), tiny.collect(), odd]
}

/// What kernels of atomic operations begin with: words of 8 bytes in shared memory that are those in global memory, the first one of a
/// thread at `%rd2` and `%r2`; and lanes for guards.
const CELLS: &str = ".shared .align 8 .b8 s[1024]; .reg .b32 %b;
    setp.ne.u32 %p1, %t, 7; and.b32 %r1, %t, 22; setp.eq.u32 %p2, %r1, 18; setp.lt.u32 %p3, %r1, 7;
    mov.u32 %b, s; mul.wide.u32 %rd1, %t, 8; add.u64 %rd2, %out, %rd1; mad.lo.u32 %r2, %t, 8, %b;
    ld.global.u64 %rd3, [%rd2]; st.shared.u64 [%r2], %rd3; ld.global.u64 %rd3, [%rd2+512]; st.shared.u64 [%r2+512], %rd3;
    bar.sync 0;";

#[test]
fn sums_in_one_place_are_the_same_in_both() {
    // All lanes, most of them, a few, those on one side of a branch; one place that the compiler knows, or that turns out.
    let ways = ["", "@%p1 ", "@%p2 ", "@%p3 bra E; "];
    let places =
        ["mov.u32 %r1, 3;", "shr.u32 %r1, %t, 7; add.u32 %r1, %r1, 5;", "shr.u32 %r1, %t, 3; and.b32 %r1, %r1, 1;"];
    let spaces = [(".global", "%rd9"), (".shared", "%r9"), ("", "%rd9"), ("", "%rd11")];
    for double in [false, true] {
        let (bits, r) = if double { ("64", "%rd") } else { ("32", "%r") };
        for words in summands(double) {
            let memory: Vec<u32> =
                (0..512).flat_map(|n| [words[n % 64] as u32, (words[n % 64] >> 32) as u32]).collect();
            let all = ways.iter().flat_map(|way| places.iter().map(move |place| (way, place)));
            for ((way, place), (space, at)) in all.flat_map(|one| spaces.map(|space| (one, space))) {
                let body = format!(
                    "{CELLS}
                    ld.global.b{bits} {r}5, [%rd2]; ld.global.b{bits} {r}6, [%rd2+1024];
                    {place} mad.lo.u32 %r9, %r1, 8, %b; mul.wide.u32 %rd10, %r1, 8; add.u64 %rd9, %out, %rd10;
                    cvt.u64.u32 %rd11, %r9; cvta.shared.u64 %rd11, %rd11; mov.b{bits} {r}7, 0;
                    {way}atom{space}.add.f{bits} {r}7, [{at}], {r}5; {guard}red{space}.add.f{bits} [{at}+256], {r}6;
                    {guard}atom{space}.add.f{bits} {r}4, [{at}+256], {r}5;
                    E: st.global.b{bits} [%rd2+2048], {r}7; bar.sync 0;
                    ld.shared.u64 %rd3, [%r2]; st.global.u64 [%rd2+2560], %rd3;
                    ld.shared.u64 %rd3, [%r2+512]; st.global.u64 [%rd2+3072], %rd3;",
                    guard = if way.contains("bra") { "" } else { way },
                );
                let [interpreted, compiled] = both(&body, 64, &memory);
                let narrow = with_avx2(|| compiled_alone(&body, 64, &memory));
                assert!(interpreted == compiled, "f{bits} {way} {place} {space} {at}");
                assert!(interpreted == narrow, "AVX2: f{bits} {way} {place} {space} {at}");
                assert!(interpreted[..256] != memory[..256] || interpreted[640..] != memory[640..]);
            }
        }
    }
}

#[test]
fn atomic_operations_of_16_bits_are_the_same_in_both() {
    // Any bits; near each other, so that sums cancel and words are equal now and then; subnormal.
    let words = |n: u32| {
        let random = n.wrapping_mul(0x9e37_79b9) ^ n.wrapping_mul(n).wrapping_mul(0x85eb_ca6b) >> 7;
        match n % 4 {
            0 => random,
            1 => random & 0x83ff_83ff,
            2 => 0x3c00_4100 + (random & 0x8101_8101),
            _ => 0x4000_3f80 ^ (random & 0x8000_8003),
        }
    };
    let memory: Vec<u32> = (0..1024).map(words).collect();
    let ways = ["", "@%p1 ", "@%p2 ", "@%p3 bra E; "];
    let places =
        ["mov.u32 %r1, 3;", "shr.u32 %r1, %t, 7; add.u32 %r1, %r1, 5;", "and.b32 %r1, %t, 9;", "mov.u32 %r1, %t;"];
    let spaces = [(".global", "%rd9"), (".shared", "%r9"), ("", "%rd11")];
    let operations = ["add.noftz.f16", "add.noftz.bf16", "add.noftz.f16x2", "add.noftz.bf16x2", "cas.b16"];
    for operation in operations {
        let (bits, r) = if operation.ends_with("x2") { ("32", "%r") } else { ("16", "%h") };
        let second = if operation.starts_with("cas") { format!(", {r}6") } else { String::new() };
        let red = if second.is_empty() { "red" } else { "atom" };
        let unread = if second.is_empty() { String::new() } else { format!("{r}8, ") };
        let all = ways.iter().flat_map(|way| places.iter().map(move |place| (way, place)));
        for ((way, place), (space, at)) in all.flat_map(|one| spaces.map(|space| (one, space))) {
            let body = format!(
                "{CELLS} .reg .b16 %h<9>;
                ld.global.b{bits} {r}5, [%rd2]; ld.global.b{bits} {r}6, [%rd2+1026];
                {place} mad.lo.u32 %r9, %r1, 8, %b; mul.wide.u32 %rd10, %r1, 8; add.u64 %rd9, %out, %rd10;
                cvt.u64.u32 %rd11, %r9; cvta.shared.u64 %rd11, %rd11; mov.b{bits} {r}7, {r}5;
                {way}atom{space}.{operation} {r}7, [{at}], {r}5{second}; {red}{space}.{operation} {unread}[{at}+256], {r}5{second};
                {guard}{red}{space}.{operation} {unread}[{at}+4], {r}6{second}; {guard}atom{space}.{operation} {r}4, [{at}+256], {r}5{second};
                E: st.global.b{bits} [%rd2+2048], {r}7; bar.sync 0;
                ld.shared.u64 %rd3, [%r2]; st.global.u64 [%rd2+2560], %rd3;
                ld.shared.u64 %rd3, [%r2+512]; st.global.u64 [%rd2+3072], %rd3;",
                guard = if way.contains("bra") { "" } else { way },
            )
            .replace("+1026]", if bits == "16" { "+1026]" } else { "+1028]" });
            let [interpreted, compiled] = both(&body, 64, &memory);
            let narrow = with_avx2(|| compiled_alone(&body, 64, &memory));
            assert!(interpreted == compiled, "{operation} {way} {place} {space} {at}");
            assert!(interpreted == narrow, "AVX2: {operation} {way} {place} {space} {at}");
            assert!(interpreted[..256] != memory[..256] || interpreted[640..] != memory[640..]);
            let called = opcodes_called(&body);
            assert!(!called.contains(&ptx::Opcode::Atom) && !called.contains(&ptx::Opcode::Red), "{called:?} {body}");
        }
    }
}

#[test]
fn subnormal_numbers_that_are_kept_are_the_same_in_both() {
    // Of one place, of a place each; what is kept here is zero without the modifier.
    let memory: Vec<u32> = (0..512u32).map(|n| n.wrapping_mul(0x9e37_79b9) >> 10 | (n & 1) << 31).collect();
    for (space, place) in
        [".global", ""].iter().flat_map(|space| ["", "mul.wide.u32 %rd1, %t, 4;"].map(|place| (space, place)))
    {
        let body = format!(
            "ld.global.u32 %r1, [%mine+512]; mov.u64 %rd1, 0; {place} add.u64 %rd9, %out, %rd1;
             red{space}.add.noftz.f32 [%rd9], %r1; atom{space}.add.noftz.f32 %r2, [%rd9+256], %r1; st.global.u32 [%mine+1024], %r2;"
        );
        let text = format!("{}{}", HEAD.replace("9.2", "9.4"), kernel(&body));
        let run = |engine| {
            let mut words = memory.clone();
            let program = Program::build(&ptx::parse(&text).unwrap(), &HashMap::new());
            let program = Arc::new(program.unwrap_or_else(|e| panic!("{e}")));
            let launch = Launch { program, ..launch(&kernel(""), 1, 32, &[words.as_mut_ptr() as u64]) };
            force_engine(engine, || launch.run()).unwrap();
            words
        };
        let interpreted = run(Engine::Interpret);
        assert!(interpreted == run(Engine::Compile), "{body}");
        assert!(interpreted == with_avx2(|| run(Engine::Compile)), "AVX2: {body}");
        assert!(interpreted[..32] != memory[..32] && interpreted[256..288].iter().all(|&word| word & 0x7fff_ffff != 0));
    }
}

#[test]
fn vectors_that_are_added_are_the_same_in_both() {
    let memory: Vec<u32> = (0..1024u32).map(|n| (n.wrapping_mul(0x9e37_79b9) >> 4) + 0x3000_0000).collect();
    let places = [
        "mov.u64 %rd9, %out;",
        "mul.wide.u32 %rd9, %t, 32; add.u64 %rd9, %rd9, %out;",
        "and.b32 %r1, %r9, 3; mul.wide.u32 %rd9, %r1, 32; add.u64 %rd9, %rd9, %out;",
        // Not aligned, for all and for one lane.
        "add.u64 %rd9, %out, 4;",
        "selp.b64 %rd9, 4, 16, %p2; add.u64 %rd9, %rd9, %out;",
    ];
    let operations = [
        "red.global.add.v2.f32 [%rd9+16], {%r4, %r5};",
        "@%p1 red.add.v4.f32 [%rd9], {%r5, %r6, %r5, %r4};",
        "red.relaxed.gpu.global.add.noftz.v2.f16x2 [%rd9+8], {%r6, %r4};",
        "@!%p1 red.global.add.noftz.v4.bf16x2 [%rd9], {%r6, %r4, %r5, %r4};",
        "{ .reg .b16 %h, %i; mov.b32 {%h, %i}, %r5; red.global.add.noftz.v2.bf16 [%rd9+4], {%h, %i}; }",
        "{ .reg .b16 %h, %i; mov.b32 {%h, %i}, %r6; red.global.add.noftz.v4.f16 [%rd9], {%h, %i, %h, %h}; }",
    ];
    let all = places.iter().enumerate().flat_map(|(n, place)| operations.map(|operation| (n >= 3, place, operation)));
    for (wrong, place, operation) in all {
        let body = format!(
            "ld.global.u32 %r9, [%mine+2048]; ld.global.u32 %r4, [%mine+128]; ld.global.u32 %r5, [%mine+1024]; ld.global.u32 %r6, [%mine+64];
             setp.ne.u32 %p1, %t, 7; setp.eq.u32 %p2, %t, 9; st.global.u32 [%mine+3072], 7; {place} {operation} st.global.u32 [%mine+3584], 7;"
        );
        let [interpreted, compiled] = both_in(&body, [64, 1, 1], &memory);
        let [_, narrow] = with_avx2(|| both_in(&body, [64, 1, 1], &memory));
        // Two numbers of 16 bits may be where four bytes may; and the lane that is wrong may not be active.
        let fine = operation.contains("v2.bf16") || operation.starts_with("@!") && place.contains("selp");
        assert_eq!(interpreted.1, wrong && !fine, "{body}");
        assert!(interpreted == compiled, "{body}");
        assert!(interpreted == narrow, "AVX2: {body}");
        let called = opcodes_called(&body);
        assert!(!called.contains(&ptx::Opcode::Red), "{called:?} {body}");
    }
}

#[test]
fn atomic_operations_in_one_place_that_is_wrong_fail_in_both() {
    // A place that is not aligned, one that is nowhere, the end of shared memory; by all lanes, and by one of them after others.
    let places = ["add.u64 %rd9, %out, 34;", "mov.u64 %rd9, 16;", "mov.u64 %rd9, -8;"];
    let shared = ["mov.u32 %r9, s; add.u32 %r9, %r9, 2;", "mov.u32 %r9, 1024;", "mov.u32 %r9, -4;"];
    let operations = ["add.u32", "min.s32", "xor.b32", "add.f32", "add.u64", "max.u64", "add.f64"];
    let wrong = places.map(|place| (".global", "%rd9", place)).into_iter();
    let wrong = wrong.chain(shared.map(|place| (".shared", "%r9", place)));
    for ((space, at, place), operation) in wrong.flat_map(|one| operations.map(|operation| (one, operation))) {
        let r = if operation.ends_with("64") { "%rd" } else { "%r" };
        let right = if space == ".global" { "add.u64 %rd8, %out, 32;" } else { "mov.u32 %r8, s;" };
        let other = if space == ".global" { "%rd8" } else { "%r8" };
        let ty = if space == ".global" { "b64" } else { "b32" };
        for (choose, guard) in [("", ""), ("setp.eq.u32 %p1, %t, 9;", ""), ("", "@%p2 ")] {
            // Integers are added without a look at the lanes in between.
            if !choose.is_empty() && space == ".global" && operation.starts_with("add.u") && !place.contains("34") {
                continue;
            }
            let select = if choose.is_empty() { String::new() } else { format!("selp.{ty} {at}, {at}, {other}, %p1;") };
            let body = format!(
                ".shared .align 8 .b8 s[1024]; setp.gt.u32 %p2, %t, 99; cvt.u64.u32 %rd5, %t; mov.u32 %r5, %t;
                 st.global.u32 [%mine+512], 7; {right} {place} {choose} {select}
                 {guard}red{space}.{operation} [{at}], {r}5; st.global.u32 [%mine+1024], 7;"
            );
            let [interpreted, compiled] = both_in(&body, [32, 1, 1], &[1; 512]);
            let [_, narrow] = with_avx2(|| both_in(&body, [32, 1, 1], &[1; 512]));
            assert_eq!(interpreted.1, guard.is_empty(), "{body}");
            assert!(interpreted == compiled, "{body}");
            assert!(interpreted == narrow, "AVX2: {body}");
        }
    }
}

#[test]
fn changes_of_one_place_by_many_blocks_are_complete() {
    // Two threads change the words: what several lanes come to must not overwrite what the other one did meanwhile.
    let body = ".reg .f32 %f1; cvt.rn.f32.u32 %f1, %t; cvt.rn.f64.u32 %rd4, %t; mov.u32 %r5, %ctaid.x; mad.lo.u32 %r6, %r5, 64, %t;
        shr.u32 %r1, %t, 7; mul.wide.u32 %rd1, %r1, 8; add.u64 %rd9, %out, %rd1; mov.u32 %r2, 0; not.b32 %r7, %r6; cvt.s64.s32 %rd7, %r7;
        L: red.global.add.f32 [%out], %f1; red.global.add.f32 [%rd9+4], %f1; red.global.add.f64 [%out+8], %rd4;
        red.global.max.u32 [%out+16], %r6; red.global.min.s64 [%rd9+24], %rd7; red.global.xor.b32 [%out+32], %t;
        atom.global.add.u32 %r8, [%out+36], 1; atom.global.inc.u32 %r9, [%rd9+40], 999999999; add.u32 %r3, %r3, %r8;
        add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 20; @%p1 bra L;";
    let (mut words, sum) = (vec![0u32; 16], 64f64 * 20.0 * 2016.0);
    let launch = launch(&kernel(body), 64, 64, &[words.as_mut_ptr() as u64]);
    force_engine(Engine::Compile, || launch.run()).unwrap();
    let wide = |n: usize| u64::from(words[n]) | u64::from(words[n + 1]) << 32;
    assert_eq!([words[0], words[1]], [(sum as f32).to_bits(); 2]);
    assert_eq!(f64::from_bits(wide(2)), sum);
    assert_eq!((words[4], wide(6) as i64), (4095, -4096));
    assert_eq!(words[8..11], [0, 64 * 64 * 20, 64 * 64 * 20]);
}

#[test]
fn sums_that_wait_are_the_same_in_both() {
    // Words of all lanes in a few cells, in loops: as often as a lane wants, under guards, with other accesses in between,
    // in places far from each other, of words that no other lane has.
    let cells = ["and.b32 %r4, %r3, 15;", "xor.b32 %r4, %t, 1;", "mul.lo.u32 %r4, %r3, %r3; and.b32 %r4, %r4, 1023;"];
    let adds = [
        "red.global.add.u32 [%rd2], 3;",
        "atom.global.add.u32 %r9, [%rd2], %r3;",
        "@%p2 atom.global.add.s32 %r9, [%rd2], %r3;",
        "red.global.add.u32 [%rd2], 1; ld.global.u32 %r7, [%mine]; add.u32 %r6, %r6, %r7;",
        "red.global.add.u32 [%rd2], %t; st.global.u32 [%mine], %r1;",
        "red.global.add.u32 [%rd2], 1; red.global.add.u32 [%rd2+16384], 1; red.global.add.u32 [%rd2+32768], 2;",
        "red.global.add.u32 [%rd2], 1; ld.global.u32 %r7, [%rd2]; add.u32 %r6, %r6, %r7;",
        "ld.global.u32 %r9, [%mine]; red.global.add.u32 [%rd2], 1; ld.global.u32 %r7, [%mine+64]; add.u32 %r6, %r9, %r7;",
        "red.global.add.u32 [%rd2], 1; membar.gl; ld.volatile.global.u32 %r7, [%rd2+4]; add.u32 %r6, %r6, %r7;",
        "red.global.add.u32 [%rd2], 1; shfl.sync.bfly.b32 %r3, %r3, 5, 31, -1;",
    ];
    let ends = ["mov.u32 %r2, 40;", "and.b32 %r2, %t, 7; add.u32 %r2, %r2, 1;"];
    let memory: Vec<u32> = (0..16384u32).map(|n| n.wrapping_mul(2_654_435_761)).collect();
    for (cell, (add, end)) in
        cells.iter().flat_map(|cell| adds.iter().flat_map(move |add| ends.map(|end| (cell, (add, end)))))
    {
        let parts = end.contains("and");
        if parts && add.contains("sync") {
            continue;
        }
        let body = format!(
            "mov.u32 %r1, 0; mov.u32 %r6, 0; {end}
            L: mul.wide.u32 %rd1, %r1, 128; add.u64 %rd3, %mine, %rd1; ld.global.u32 %r3, [%rd3];
            and.b32 %r8, %r3, 1; setp.eq.u32 %p2, %r8, 0;
            {cell} mul.wide.u32 %rd1, %r4, 4; add.u64 %rd2, %out, %rd1;
            {add}
            add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r2; @%p1 bra L;
            st.global.u32 [%mine+8192], %r6;"
        );
        let [interpreted, compiled] = both(&body, 64, &memory);
        assert!(interpreted == compiled, "{cell} {add} {end}");
        assert!(interpreted[..2048] != memory[..2048]);
    }
}

#[test]
fn sums_of_many_blocks_are_complete() {
    let body = "mov.u32 %r1, 0; mov.u32 %r5, %ctaid.x;
        L: mad.lo.u32 %r3, %r1, 7, %t; xor.b32 %r3, %r3, %r5; and.b32 %r3, %r3, 31; mul.wide.u32 %rd1, %r3, 4; add.u64 %rd2, %out, %rd1;
        red.global.add.u32 [%rd2], 1;
        add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 50; @%p1 bra L;";
    let mut words = vec![0; 32];
    let launch = launch(&kernel(body), 64, 128, &[words.as_mut_ptr() as u64]);
    force_engine(Engine::Compile, || launch.run()).unwrap();
    assert_eq!(words, [64 * 128 * 50 / 32; 32]);
}

#[test]
fn blocks_know_where_they_are() {
    // A block goes on as the next one without leaving its code; those that sleep leave it. Each adds to its own words.
    let body = "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %ctaid.z; mov.u32 %r4, %nctaid.x; mov.u32 %r5, %nctaid.y;
        add.u32 %r10, %r1, %r2; and.b32 %r10, %r10, SLEEPS; setp.eq.u32 %p1, %r10, 3; @%p1 nanosleep.u32 20;
        mad.lo.u32 %r6, %r3, %r5, %r2; mad.lo.u32 %r6, %r6, %r4, %r1; mad.lo.u32 %r6, %r6, 40, %t;
        mul.wide.u32 %rd3, %r6, 4; add.u64 %rd3, %rd3, %out;
        mad.lo.u32 %r7, %r2, 256, %r1; mad.lo.u32 %r7, %r3, 65536, %r7; mad.lo.u32 %r7, %t, 0x1000000, %r7;
        red.global.add.u32 [%rd3], %r7;";
    for grid in [[300, 1, 1], [1, 90, 1], [1, 1, 70], [7, 5, 6], [2, 40, 3]] {
        let [x, y, z] = grid;
        let own = (0..z).flat_map(|z| (0..y).flat_map(move |y| (0..x).map(move |x| x + (y << 8) + (z << 16))));
        let expected: Vec<u32> = own.flat_map(|own| (0..40).map(move |t: u32| own + (t << 24))).collect();
        for (sleeps, engine) in [("0", Engine::Compile), ("7", Engine::Compile), ("7", Engine::Interpret)] {
            let mut words = vec![0; expected.len()];
            let text = kernel(&body.replace("SLEEPS", sleeps));
            let shape = LaunchShape { grid, block: [40, 1, 1] };
            let launch = Launch { shape, ..launch(&text, 1, 1, &[words.as_mut_ptr() as u64]) };
            force_engine(engine, || launch.run()).unwrap();
            assert!(words == expected, "{grid:?} {sleeps} {engine:?}");
        }
    }
}

/// A thread keeps blocks, whose frames keep what does not change from launch to launch.
#[test]
fn kept_blocks_know_the_launch_at_hand() {
    let body = "ld.param.u64 %rd1, [a+8]; mov.u32 %r1, %nctaid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %laneid;
        mov.u32 %r8, %nwarpid; mov.u64 %rd2, %gridid; cvt.u32.u64 %r9, %rd2; mov.u32 %r10, %tid.y;
        mad.lo.u32 %r5, %r2, %r3, %t; mul.wide.u32 %rd3, %r5, 16; add.u64 %rd4, %out, %rd3; shl.b32 %r6, %r1, 8; or.b32 %r6, %r6, %r4;
        shl.b32 %r7, %r2, 16; or.b32 %r7, %r7, %t; setp.eq.u64 %p1, %rd1, 7; setp.gt.u32 %p2, %r4, 5; @%p2 bra A; add.u32 %r7, %r7, 0;
        A: @%p1 trap; mad.lo.u32 %r8, %r8, 256, %r10; st.global.v4.u32 [%rd4], {%r6, %r7, %r8, %r3};";
    let text = kernel(body).replace("(.param .u64 a)", "(.param .align 8 .b8 a[16])");
    let all = launch(&text, 1, 40, &[0, 0]);
    let turns = [Engine::Interpret, Engine::Compile, Engine::Compile, Engine::Interpret, Engine::Compile];
    for (turn, (grid, fails)) in
        [(1u32, 0), (3, 0), (2, 7), (2, 0), (5, 0), (1, 7), (1, 0)].into_iter().cycle().take(35).enumerate()
    {
        let mut words = vec![0u32; grid as usize * 40 * 4];
        let shape = LaunchShape { grid: [grid, 1, 1], block: [40, 1, 1] };
        let again = Launch {
            program: all.program.clone(),
            shape,
            ..launch(&text, grid, 40, &[words.as_mut_ptr() as u64, fails])
        };
        let done = force_engine(turns[turn % turns.len()], || again.run());
        assert_eq!(done.is_err(), fails == 7);
        for (n, row) in words.chunks(4).enumerate().filter(|_| fails == 0) {
            let (block, thread) = (n as u32 / 40, n as u32 % 40);
            assert_eq!(
                row,
                [(grid << 8) + thread % 32, (block << 16) + thread, 64 * 256, 40],
                "turn {turn}, thread {n}"
            );
        }
    }
}

/// What a kernel with this body leaves of `words`, and whether it fails, by both, in blocks of a shape.
fn both_in(body: &str, block: [u32; 3], words: &[u32]) -> [(Vec<u32>, bool); 2] {
    [Engine::Interpret, Engine::Compile].map(|engine| {
        let mut words = words.to_vec();
        let shape = LaunchShape { grid: [1; 3], block };
        let launch = Launch { shape, ..launch(&kernel(body), 1, 1, &[words.as_mut_ptr() as u64]) };
        let done = force_engine(engine, || launch.run());
        (words, done.is_err())
    })
}

#[test]
fn accesses_near_each_other_are_the_same_in_both() {
    let memory: Vec<u32> = (0..8192u32).map(|n| n.wrapping_mul(2654435761) >> 7).collect();
    // Global and shared memory, by rows, tiles, and in one place; numbers of all sizes; bases that change in between; guards.
    let bodies = [
        "ld.global.u32 %r1, [%mine+4]; ld.global.u32 %r2, [%mine-0]; ld.global.u32 %r3, [%mine+64]; ld.global.v2.u32 {%r4, %r5}, [%out+8];
         ld.global.v2.u32 {%r6, %r7}, [%out+16]; st.global.u32 [%mine+8192], %r1; st.global.u32 [%mine+9192], %r2;
         add.u64 %mine, %mine, 4; st.global.u32 [%mine+16384], %r3; st.global.u32 [%mine+17384], %r4; st.global.u32 [%mine+18384], %r7;",
        "st.shared.u32 [%r9+4], %r1; st.shared.u32 [%r9], %r2; ld.shared.u32 %r3, [%r9+4]; ld.shared.u32 %r4, [%r9+64];
         ld.shared.u32 %r5, [%r10]; ld.shared.u32 %r6, [%r10+4]; ld.shared.u32 %r7, [%r10+8]; add.u32 %r10, %r10, 64;
         ld.shared.u32 %r8, [%r10]; ld.shared.u32 %r11, [%r10+4]; add.u32 %r3, %r3, %r4; add.u32 %r5, %r5, %r6;
         mad.lo.u32 %r3, %r5, 3, %r3; mad.lo.u32 %r3, %r7, 7, %r3; mad.lo.u32 %r3, %r8, 11, %r3; mad.lo.u32 %r3, %r11, 13, %r3;
         st.global.u32 [%mine+8192], %r3;",
        "@%p1 ld.global.u32 %r1, [%mine+4]; ld.global.u32 %r2, [%mine+400]; @%p1 st.global.u32 [%mine+8192], %r1;
         st.global.u32 [%mine+9192], %r2; @%p1 st.global.u32 [%mine+12192], %r2; st.global.u32 [%mine+10192], %r2;",
        "ld.global.u8 %r1, [%mine+1]; ld.global.u8 %r2, [%mine+2]; ld.global.s16 %r3, [%mine+2]; ld.global.s16 %r4, [%mine+4];
         ld.global.u64 %rd5, [%out+8]; ld.global.u64 %rd6, [%out+24]; add.u64 %rd5, %rd5, %rd6; cvt.u32.u64 %r5, %rd5;
         add.u32 %r1, %r1, %r2; add.u32 %r3, %r3, %r4; mad.lo.u32 %r1, %r3, %r5, %r1; st.global.u32 [%mine+8192], %r1;",
        // Vectors without gaps, and with gaps that are accessed, too.
        "mul.wide.u32 %rd1, %r12, 16; add.u64 %rd2, %out, %rd1; mul.wide.u32 %rd1, %r12, 8; add.u64 %rd3, %out, %rd1;
         ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd2+64]; ld.global.v2.u32 {%r5, %r6}, [%rd3+72];
         @%p1 ld.global.v4.u32 {%r1, %r2, _, %r7}, [%rd2+160]; st.global.v2.u32 [%rd3+16384], {%r1, %r5};
         st.global.v4.u32 [%rd2+20480], {%r6, %r2, %r3, %r7}; @%p1 st.global.v2.u32 [%rd3+18432], {%r4, 9};",
        "mad.lo.u32 %r13, %t, 32, %b; mad.lo.u32 %r14, %t, 16, %b; st.shared.v4.u32 [%r14+32], {%r1, %t, %r2, %y};
         st.shared.v4.u32 [%r14+4096], {%t, %r2, %r1, 5}; bar.sync 0;
         ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [%r13]; ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [%r13+16];
         ld.shared.v4.u32 {%r15, %r16, %r17, %r13}, [%r13+32]; mad.lo.u32 %r1, %r2, 3, %r1; mad.lo.u32 %r3, %r4, 5, %r3;
         mad.lo.u32 %r5, %r6, 7, %r5; mad.lo.u32 %r7, %r8, 9, %r7; mad.lo.u32 %r15, %r16, 11, %r15; mad.lo.u32 %r17, %r13, 13, %r17;
         st.global.u32 [%mine+8192], %r1; st.global.u32 [%mine+10240], %r3; st.global.u32 [%mine+12288], %r5;
         st.global.u32 [%mine+14336], %r7; st.global.u32 [%mine+16384], %r15; st.global.u32 [%mine+18432], %r17;",
    ];
    let before = ".shared .align 16 .b8 s[8192]; .reg .b32 %b, %y;
        mov.u32 %y, %tid.y; mov.u32 %b, s; mad.lo.u32 %r10, %y, 128, %b; mad.lo.u32 %r9, %t, 4, %r10;
        mad.lo.u32 %r12, %y, 100, %t; mul.wide.u32 %rd1, %r12, 4; add.u64 %mine, %out, %rd1;
        setp.ne.u32 %p1, %t, 5; ld.global.u32 %r1, [%mine+1024]; ld.global.u32 %r2, [%mine+1032];";
    for (body, block) in
        bodies.iter().flat_map(|body| [[64, 2, 1], [16, 4, 1], [16, 1, 1], [24, 3, 1]].map(|block| (body, block)))
    {
        let [interpreted, compiled] = both_in(&format!("{before}\n{body}"), block, &memory);
        assert!(interpreted == compiled, "{block:?} {body}");
        assert!(!interpreted.1 && interpreted.0 != memory);
    }
    // One of several is out of reach, or not aligned: what stands before it is done.
    let wrong = [
        "st.shared.u32 [%r9], 1; st.global.u32 [%mine+8192], %t; ld.shared.u32 %r1, [%r9+60000];",
        "ld.shared.u32 %r1, [%b]; st.global.u32 [%mine+8192], %t; ld.shared.u32 %r2, [%b+8190];",
        "ld.global.u32 %r1, [%mine]; st.global.u32 [%mine+8192], %t; ld.global.u32 %r2, [%mine+2];",
        "add.u32 %r9, %r9, 8192; st.global.u32 [%mine+8192], %t; ld.shared.u32 %r2, [%r9-8192]; st.global.u32 [%mine+9192], %t;
         ld.shared.u32 %r2, [%r9];",
    ];
    for (body, block) in wrong.iter().flat_map(|body| [[32, 1, 1], [16, 2, 1]].map(|block| (body, block))) {
        let [interpreted, compiled] = both_in(&format!("{before}\n{body}"), block, &memory);
        assert!(interpreted == compiled, "{block:?} {body}");
        assert!(interpreted.1 && interpreted.0 != memory);
    }
}

#[test]
fn rows_of_sixteen_threads_are_the_same_in_both() {
    let memory: Vec<u32> = (0..16384u32).map(|n| n.wrapping_mul(2654435761) >> 7).collect();
    let before = ".shared .align 16 .b8 s[8192]; .reg .b32 %b, %y, %i; .reg .b64 %row, %own; .reg .f64 %d<3>;
        mov.u32 %y, %tid.y; mov.u32 %b, s; mov.u32 %r10, %t;
        Z: mad.lo.u32 %r11, %r10, 4, %b; st.shared.u32 [%r11], 0; add.u32 %r10, %r10, 8; setp.lt.u32 %p4, %r10, 2048; @%p4 bra Z; bar.sync 0;
        ld.global.u32 %r20, [%out]; and.b32 %r20, %r20, 1; add.u32 %r20, %r20, 64;
        mad.lo.u32 %i, %y, %r20, %t; mul.wide.u32 %rd1, %i, 4; add.s64 %row, %out, %rd1; mov.u64 %own, %row; mov.u32 %r7, 0;
        mad.lo.u32 %r9, %i, 4, %b; setp.lt.u32 %p1, %t, 5; setp.eq.u32 %p2, %y, 1; setp.gt.u32 %p3, %t, 2; mov.u32 %r8, 0;";
    // A loop over rows in global and shared memory.
    let rows = |inside: &str| {
        format!(
            "L: ld.global.u32 %r1, [%row+4096]; st.shared.u32 [%r9], %r1; {inside} bar.sync 0; ld.shared.u32 %r2, [%r9]; ld.shared.u32 %r3, [%r9+4];
             mad.lo.u32 %r7, %r7, 3, %r2; xor.b32 %r7, %r7, %r3; bar.sync 0; st.global.u32 [%own+16384], %r7; add.s64 %row, %row, 256;
             add.u32 %r9, %r9, 16; add.u32 %r8, %r8, 1; setp.lt.u32 %p4, %r8, 5; @%p4 bra L;"
        )
    };
    // One after the other, and lanes by themselves; what other lanes still need changes, by half of the warp or by lane.
    let called = "cvt.rn.f64.u32 %d1, %r1; rsqrt.approx.f64 %d2, %d1; mov.b64 %rd7, %d2; cvt.u32.u64 %r6, %rd7; add.u32 %r7, %r7, %r6;";
    let parts = |guard: &str, change: &str| rows(&format!("{guard} bra E; {change} E:"));
    let left = |lanes: &str| {
        format!(
            "{lanes} exit; L: ld.global.u32 %r1, [%row+4096]; st.shared.u32 [%r9], %r1; bar.sync 0; ld.shared.u32 %r2, [%r9-8]; ld.shared.u32 %r3, [%r9-4]; bar.sync 0;
             mad.lo.u32 %r7, %r2, 5, %r7; add.u32 %r7, %r7, %r3; st.global.u32 [%own+16384], %r7; add.s64 %row, %row, 256;
             add.u32 %r9, %r9, 64; add.u32 %r8, %r8, 1; setp.lt.u32 %p4, %r8, 5; @%p4 bra L;"
        )
    };
    // Indices that wrap in one half of the warp, or in both.
    let wraps = |start: &str, wide: &str, lanes: &str| {
        format!(
            "mul.lo.u32 %r3, %y, 8; add.u32 %r3, %r3, %t; add.s32 %r3, %r3, {start}; {wide} {lanes} add.s64 %rd3, %rd2, %out; mov.u64 %rd4, 0;
             L: @%p4 ld.global.u32 %r1, [%rd3]; @%p4 add.u32 %r7, %r7, %r1; add.s64 %rd3, %rd3, 64; cvt.u32.u64 %r4, %rd3; cvt.u32.u64 %r5, %out;
             sub.u32 %r4, %r4, %r5; mad.lo.u32 %r7, %r7, 3, %r4; add.u32 %r8, %r8, 1; setp.lt.u32 %p5, %r8, 3; @%p5 bra L;
             st.global.u32 [%own+16384], %r7;"
        )
    };
    let signed = "mul.wide.s32 %rd2, %r3, 4; sub.s64 %rd2, %rd2, 8589934496; setp.gt.s32 %p4, %r3, 0;";
    let unsigned = "mul.wide.u32 %rd2, %r3, 4; sub.s64 %rd2, %rd2, 17179869088; setp.lt.s32 %p4, %r3, 0;";
    let mut bodies = vec![
        rows(""),
        rows(called),
        rows("@%p1 add.s64 %row, %row, 4;"),
        rows("mov.u64 %rd5, %row; sub.s64 %rd6, %rd5, 8; ld.global.u32 %r5, [%rd6+4096]; add.u32 %r7, %r7, %r5;"),
        rows(
            "shl.b32 %r5, %i, 2; cvt.s64.s32 %rd5, %r5; add.s64 %rd6, %rd5, %out; ld.global.u32 %r5, [%rd6]; add.u32 %r7, %r7, %r5;",
        ),
        rows(
            "mad.lo.u32 %r5, %y, %r8, %i; mad.wide.s32 %rd5, %r5, 8, %out; ld.global.v2.u32 {%r5, %r6}, [%rd5]; add.u32 %r7, %r6, %r5;",
        ),
    ];
    for guard in ["@%p1", "@%p2", "@!%p3"] {
        for change in ["add.s64 %row, %row, 4;", "add.u32 %r9, %r9, 4;", "mov.u64 %row, %out;", called] {
            bodies.push(parts(guard, change));
        }
    }
    // The first lanes of both halves have left; their addresses would be below shared memory.
    for lanes in ["@%p1", "@!%p3"] {
        bodies.push(left(lanes));
        bodies.push(left(&format!("{called} {lanes}")));
    }
    for (start, wide) in [("2147483624", signed), ("2147483636", signed), ("-24", unsigned), ("-12", unsigned)] {
        bodies.push(wraps(start, wide, ""));
    }
    for body in &bodies {
        for block in [[16, 4, 1], [16, 3, 1], [16, 1, 1], [16, 2, 2], [8, 4, 1]] {
            let [interpreted, compiled] = both_in(&format!("{before}\n{body}"), block, &memory);
            assert!(interpreted == compiled, "{block:?} {body}");
            let [_, narrow] = with_avx2(|| both_in(&format!("{before}\n{body}"), block, &memory));
            assert!(interpreted == narrow, "AVX2, {block:?} {body}");
            assert!(interpreted.0 != memory, "{block:?} {body}");
        }
    }
}

#[test]
fn products_of_tiles_are_the_same_in_both() {
    // Numbers of all kinds, with many NaNs and infinities among them.
    let number = |n: u32| match n.wrapping_mul(2654435761) >> 24 {
        0 => 0xffa0_0000 | n,
        1 => 0x7f80_0000,
        2 => n & 0x007f_ffff,
        high => (high << 23 & 0x8000_0000) | (100 + high % 60) << 23 | n.wrapping_mul(40503) & 0x007f_ffff,
    };
    let memory: Vec<u32> = (0..16384).map(number).collect();
    /// More sums than there are registers.
    const SUMS: usize = 40;
    // Rows of words side by side, of which some lanes or all of them load eight, five or three; a sum's bits are looked at in between.
    let products = |columns: usize, turns: usize| {
        let mut text = String::new();
        for turn in 0..turns {
            for column in 0..columns {
                text += &format!("ld.shared.f32 %y{column}, [%r9+{}];", turn * 32 + 4 * column);
            }
            for sum in 0..SUMS {
                if sum % 8 == 0 {
                    text += &format!("ld.shared.f32 %x, [%r10+{}];", 4096 + 64 * turn + sum / 2);
                }
                text += &format!("fma.rn.f32 %s{sum}, %x, %y{}, %s{sum};", sum % columns);
                if sum % 11 == 0 {
                    text += &format!(
                        "ld.shared.f32 %z, [%r8+{}]; ld.shared.f32 %x, [%r10+{}];",
                        128 * turn + 4 * sum,
                        8 + 4 * sum
                    );
                    text += &format!("fma.rn.f32 %s{}, %z, %x, %s{sum};", sum + 1);
                }
            }
            text += "mov.b32 %r3, %s7; xor.b32 %r4, %r4, %r3; add.f32 %s8, %s7, %y1; mul.f32 %d, %s8, %s9; mul.f32 %s9, %d, %s8;";
        }
        text
    };
    let begin: String = (0..SUMS).map(|sum| format!("mov.f32 %s{sum}, 0f00000000;")).collect();
    let end: String = (0..SUMS).map(|sum| format!("st.global.f32 [%mine+{}], %s{sum};", 20000 + 1000 * sum)).collect();
    let fill = "ld.global.u32 %r1, [%rd3]; st.shared.u32 [%r11], %r1; ld.global.u32 %r2, [%rd3+8192]; st.shared.u32 [%r11+4096], %r2;";
    for (columns, scale, part) in [(8, 32, "1"), (8, 32, "%p1"), (5, 32, "1"), (3, 4, "1"), (8, 16, "%p1")] {
        let body = format!(
            ".shared .align 16 .b8 s[16384]; .reg .b32 %b, %y; .reg .f32 %s<64>, %y<9>, %x, %z, %d;
             mov.u32 %y, %tid.y; mov.u32 %b, s; mad.lo.u32 %r12, %y, 32, %t; mul.wide.u32 %rd1, %r12, 4; add.u64 %mine, %out, %rd1;
             mad.lo.u32 %r11, %r12, 4, %b; mad.lo.u32 %r9, %t, {scale}, %b; mad.lo.u32 %r10, %y, 128, %b; mad.lo.u32 %r8, %t, 4, %b;
             setp.lt.u32 %p1, %t, 13; mov.u64 %rd3, %mine; mov.u32 %r4, 0; mov.u32 %r5, 0; {begin}
             L: {fill} bar.sync 0; {guard} {products} E: bar.sync 0; add.u64 %rd3, %rd3, %rd9; add.u32 %r5, %r5, 1;
             setp.lt.u32 %p2, %r5, 3; @%p2 bra L; {end} st.global.u32 [%mine+19000], %r4;",
            guard = if part == "1" { "" } else { "@!%p1 bra E;" },
            products = products(columns, 3),
        );
        let body = format!("mov.u64 %rd9, 512; {body}");
        for block in [[32, 4, 1], [16, 8, 1], [16, 3, 1], [24, 3, 1]] {
            let [interpreted, compiled] = both_in(&body, block, &memory);
            assert!(interpreted == compiled, "{block:?} {columns} {scale} {part}");
            assert!(!interpreted.1 && interpreted.0 != memory);
        }
    }
}

#[test]
fn what_a_loop_keeps_in_registers_is_the_same_in_both() {
    let memory: Vec<u32> = (0..4096u32).map(|n| n.wrapping_mul(2654435761) >> 5).collect();
    // Constants, and numbers that are the same for all lanes: some change in the loop, some are in a step that is called, in loops
    // whose lanes leave one by one, or that give way to others.
    let plain = "mad.lo.u32 %r3, %r3, 3, %r1; and.b32 %r4, %r3, 1; setp.eq.u32 %p1, %r4, 1; selp.b32 %r3, %r3, 77, %p1;
        lop3.b32 %r5, %r5, %r1, 12345, 0x96; max.s32 %r5, %r5, %r6; add.u64 %rd2, %rd2, %rd1; sub.u64 %rd3, %rd2, 5; xor.b64 %rd4, %rd3, %rd4;
        and.b64 %rd4, %rd4, 0x7fffffff5; add.u32 %r5, %r5, 5; fma.rn.f32 %f1, %f1, %f2, 0f3f000000; setp.gt.f32 %p3, %f1, 0f42c80000;
        @%p3 mul.f32 %f1, %f1, 0f3a800000; sub.u64 %rd2, %rd2, %rd3; add.u64 %rd2, %rd3, 5;";
    let changes = "add.u32 %r1, %r1, 3; add.u64 %rd1, %rd1, 1; add.u32 %r6, %r6, %r1; max.u32 %r5, %r5, %r1;";
    let called = "cvt.rn.f64.u32 %d1, %r3; rsqrt.approx.f64 %d2, %d1; mov.b64 %rd7, %d2; xor.b64 %rd4, %rd4, %rd7;";
    let guarded =
        "cvt.rn.f64.u32 %d1, %r3; @%p1 rsqrt.approx.f64 %d2, %d1; mov.b64 %rd7, %d2; add.u64 %rd4, %rd4, %rd7;";
    let loads = "and.b32 %r8, %r3, 1020; cvt.u64.u32 %rd8, %r8; add.u64 %rd8, %rd8, %out; ld.global.u32 %r9, [%rd8]; add.u32 %r5, %r5, %r9;";
    let atomic = "atom.global.add.u32 %r9, [%mine+8192], 5; add.u32 %r5, %r5, %r9;";
    let exchange = "shfl.sync.bfly.b32 %r9, %r3, 1, 31, -1; add.u32 %r5, %r5, %r9;";
    // More constants than there are registers, and few numbers beside them: what calls change is among them.
    let many: String = (0..24).map(|n| format!("mad.lo.u32 %r3, %r3, {}, {};", 2 * n + 3, 77 * n + 1000)).collect();
    let reciprocal = "rcp.rz.ftz.f32 %f1, %f2; mov.b32 %r9, %f1; add.u32 %r3, %r3, %r9;";
    let wraps =
        "add.s32 %r12, %t, 2147483640; mul.wide.s32 %rd9, %r12, 4; cvt.u32.u64 %r9, %rd9; add.u32 %r3, %r3, %r9;";
    let some = "and.b32 %r10, %r2, 31;";
    for (turns, body, more) in [
        (some, plain, ""),
        (some, plain, changes),
        (some, plain, called),
        (some, plain, guarded),
        (some, plain, reciprocal),
        (some, plain, wraps),
        (some, plain, loads),
        (some, plain, atomic),
        ("mov.u32 %r10, 23;", plain, called),
        ("mov.u32 %r10, 23;", plain, exchange),
        (some, &many, reciprocal),
        (some, &many, wraps),
        ("mov.u32 %r10, 23;", &many, wraps),
        // So long that others get their turn.
        ("mov.u32 %r10, 17000;", "mad.lo.u32 %r3, %r3, 3, %r1;", ""),
    ] {
        for (first, second) in [(body, more), (more, body)] {
            let body = format!(
                ".reg .f32 %f<4>; .reg .f64 %d<3>; ld.global.u32 %r1, [%out]; ld.global.u64 %rd1, [%out+8]; ld.global.f32 %f2, [%out+16];
                 ld.global.u32 %r2, [%mine+64]; ld.global.u32 %r3, [%mine+256]; ld.global.u32 %r6, [%out+20]; mov.u32 %r5, %t;
                 mov.u64 %rd2, %mine; sub.u64 %rd2, %rd2, %out; mov.u64 %rd4, 0; mov.f32 %f1, 0f3f800000; mov.f64 %d2, 0d3ff0000000000000;
                 setp.lt.u32 %p1, %t, 13; {turns} mov.u32 %r7, 0;
                 L: {first} {second} add.u32 %r7, %r7, 1; setp.lt.u32 %p2, %r7, %r10; @%p2 bra L;
                 st.global.u32 [%mine+1024], %r3; st.global.u32 [%mine+2048], %r5; cvt.u32.u64 %r11, %rd4; st.global.u32 [%mine+3072], %r11;
                 cvt.u32.u64 %r11, %rd2; st.global.u32 [%mine+4096], %r11; st.global.f32 [%mine+5120], %f1; st.global.u32 [%mine+6144], %r6;"
            );
            for block in [[32, 1, 1], [16, 4, 1], [44, 1, 1]] {
                let [interpreted, compiled] = both_in(&body, block, &memory);
                assert!(interpreted == compiled, "{block:?} {turns} {first} {second}");
                assert!(!interpreted.1 && interpreted.0 != memory);
            }
        }
    }
}

#[test]
fn approximations_are_the_same_in_both() {
    // Numbers of any size, small angles and exponents, and those at the edges: what comes out is mixed into one word a function.
    let edges = [
        0,
        1 << 31,
        1,
        0x7f80_0000,
        0xff80_0000,
        0x7fc0_0000,
        0xffa0_0000,
        0x0080_0000,
        0x3f80_0000,
        0xc2fc_0000,
        0xc316_0000,
    ];
    for (flush, flushes) in [("", false), (".ftz", true), (".ftz", false), ("", true)] {
        let other = if flushes {
            "add.ftz.f32 %f3, %f3, %f3; mul.ftz.f32 %f3, %f3, %f3; add.ftz.f32 %f3, %f3, %f3;"
        } else {
            ""
        };
        let mut body = ".reg .f32 %f<4>; mov.u32 %r1, 0; mov.u32 %r4, 0; mov.u32 %r5, 0; mov.u32 %r6, 0; mad.lo.u32 %r2, %t, 7919, 77;
            L: mad.lo.u32 %r2, %r2, 1664525, 1013904223; shr.u32 %r3, %r2, 9; xor.b32 %r3, %r3, %r2; mov.b32 %f1, %r3;
            and.b32 %r7, %r1, 1; setp.eq.u32 %p1, %r7, 0; cvt.rn.f32.s32 %f2, %r2; mul.f32 %f2, %f2, 0f30800000; @%p1 mov.f32 %f1, %f2;
            setp.lt.u32 %p2, %r1, 12; @!%p2 bra M; shl.b32 %r7, %r1, 2; cvt.u64.u32 %rd3, %r7; add.u64 %rd3, %rd3, %out;
            ld.global.f32 %f1, [%rd3]; M: "
            .to_owned();
        for (function, register) in [("ex2", 4), ("sin", 5), ("cos", 6)] {
            body += &format!(
                "{function}.approx{flush}.f32 %f2, %f1; mov.b32 %r3, %f2; mad.lo.u32 %r{register}, %r{register}, 31, %r3;\n"
            );
        }
        body += &format!(
            "{other} add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 3000; @%p1 bra L;
            st.global.u32 [%mine+64], %r4; st.global.u32 [%mine+192], %r5; st.global.u32 [%mine+320], %r6;"
        );
        let mut words = vec![0u32; 112];
        words[..edges.len()].copy_from_slice(&edges);
        let [interpreted, compiled] = both(&body, 32, &words);
        assert_ne!(interpreted[16..48], [0; 32]);
        assert_eq!(interpreted, compiled, "{flush} {flushes}");
        assert_eq!(interpreted, with_avx2(|| compiled_alone(&body, 32, &words)), "AVX2: {flush} {flushes}");
        let mut left = opcodes_called(&body);
        left.retain(|opcode| matches!(opcode, ptx::Opcode::Ex2 | ptx::Opcode::Sin | ptx::Opcode::Cos));
        // A sine that is to flush what other code does not is left to the interpreter.
        left.retain(|&opcode| opcode == ptx::Opcode::Ex2 || flushes != flush.is_empty());
        assert_eq!(left, [], "{flush} {flushes}");
    }
}

#[test]
fn reciprocal_roots_are_the_same_in_both() {
    // Positive numbers of every size in all lanes; and among them zeros, subnormal and negative numbers, infinities and NaNs.
    let edges = [
        0,
        1 << 31,
        1,
        0x007f_ffff,
        0x7f80_0000,
        0xff80_0000,
        0x7fc0_0000,
        0xffa0_0000,
        0xbf80_0000,
        0x0080_0000,
        0x7f7f_ffff,
    ];
    for (flush, flushes) in [("", false), (".ftz", true), (".ftz", false), ("", true)] {
        let other = if flushes {
            "add.ftz.f32 %f3, %f3, %f3; mul.ftz.f32 %f3, %f3, %f3; add.ftz.f32 %f3, %f3, %f3;"
        } else {
            ""
        };
        // Three roots: of which some are the divider's.
        let body = format!(
            ".reg .f32 %f<8>; mov.u32 %r1, 0; mov.u32 %r4, 0; mad.lo.u32 %r2, %t, 7919, 77;
            L: mad.lo.u32 %r2, %r2, 1664525, 1013904223; shr.u32 %r3, %r2, 9; xor.b32 %r3, %r3, %r2;
            rem.u32 %r3, %r3, 2130706432; add.u32 %r3, %r3, 8388608; mov.b32 %f1, %r3;
            add.u32 %r7, %r1, %t; and.b32 %r7, %r7, 127; setp.lt.u32 %p2, %r7, 12; setp.lt.u32 %p1, %r1, 1500; or.pred %p2, %p2, %p1; @%p2 bra M;
            and.b32 %r7, %r7, 15; shl.b32 %r7, %r7, 2; cvt.u64.u32 %rd3, %r7; add.u64 %rd3, %rd3, %out; ld.global.f32 %f1, [%rd3];
            M: mov.b32 %f4, 0x3f7fffff; mul.f32 %f5, %f1, %f4;
            rsqrt.approx{flush}.f32 %f2, %f1; rsqrt.approx{flush}.f32 %f6, %f5; rsqrt.approx{flush}.f32 %f7, %f6;
            mov.b32 %r3, %f2; mad.lo.u32 %r4, %r4, 31, %r3; mov.b32 %r3, %f6; mad.lo.u32 %r4, %r4, 31, %r3;
            mov.b32 %r3, %f7; mad.lo.u32 %r4, %r4, 31, %r3;
            {other} add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 3000; @%p1 bra L; st.global.u32 [%mine+64], %r4;"
        );
        let mut words = vec![0x4000_0000u32; 48];
        words[..edges.len()].copy_from_slice(&edges);
        let [interpreted, compiled] = both(&body, 32, &words);
        assert_ne!(interpreted[16..48], [0x4000_0000; 32]);
        assert_eq!(interpreted, compiled, "{flush} {flushes}");
    }
}

#[test]
fn products_by_shifts_and_bits_that_are_looked_at_are_the_same_in_both() {
    let mut body = "ld.global.u32 %r1, [%mine]; mov.u32 %r4, 0; mov.u64 %rd4, 0;".to_owned();
    for factor in [0, 1, 2, 3, 4, 5, 7, 8, 15, 17, 31, 33, 1 << 31, (1 << 31) + 1, (1u32 << 31) - 1, u32::MAX] {
        body += &format!(
            "mul.lo.u32 %r2, %r1, {factor}; mad.lo.s32 %r4, %r4, 31, %r2; mad.lo.u32 %r4, {factor}, %r1, %r4;
            cvt.u64.u32 %rd3, %r4; mad.lo.u64 %rd4, %rd3, {factor}, %rd4; mul.lo.u64 %rd3, %rd4, {factor}; xor.b64 %rd4, %rd4, %rd3;
            cvt.u32.u64 %r5, %rd4; xor.b32 %r4, %r4, %r5;\n"
        );
    }
    for (bit, how, with) in [(1, "eq", 1), (4, "ne", 4), (1 << 31, "eq", 0), (12, "ne", 0), (6, "eq", 6), (8, "eq", 1)]
    {
        // The predicate is in the masks alone; it is read later on, too; the bit is.
        body += &format!(
            "and.b32 %r5, %r4, {bit}; setp.{how}.b32 %p1, %r5, {with}; mad.lo.s32 %r6, %r4, 3, 1; shr.u32 %r7, %r4, 1;
            selp.b32 %r4, %r6, %r7, %p1;
            and.b32 %r5, %r4, {bit}; setp.{how}.b32 %p2, %r5, {with}; selp.b32 %r6, %r4, %r1, %p2; selp.b32 %r7, 5, %r6, %p2; xor.b32 %r4, %r4, %r7;
            and.b32 %r5, %r4, {bit}; setp.{how}.b32 %p3, %r5, {with}; selp.b32 %r6, %r5, 77, %p3; add.u32 %r4, %r4, %r6;
            setp.gt.s32 %p4, %r4, %r1; mul.lo.u32 %r6, %r4, 9; @%p4 add.u32 %r4, %r4, %r6; selp.b32 %r7, %r6, %r4, %p4; xor.b32 %r4, %r4, %r7;\n"
        );
    }
    body += "st.global.u32 [%mine], %r4;";
    let words: Vec<u32> = (0..64u32).map(|n| n.wrapping_mul(2_654_435_769) >> (n % 29)).collect();
    let [interpreted, compiled] = both(&body, 64, &words);
    assert_ne!(interpreted, words);
    assert_eq!(interpreted, compiled);
}

#[test]
fn choices_by_two_predicates_in_turn_are_compiled() {
    // The first choice reads a predicate of before, and the masks are its.
    let body = "ld.global.u32 %r1, [%mine]; setp.gt.u32 %p1, %r1, 5; xor.b32 %r2, %r1, 3; setp.lt.u32 %p2, %r2, 40;
        selp.b32 %r3, %r1, %r2, %p1; selp.b32 %r4, %r3, 7, %p2; st.global.u32 [%mine], %r4;";
    let words: Vec<u32> = (0..64u32).map(|n| n * 37 % 64).collect();
    let [interpreted, compiled] = both(body, 64, &words);
    assert_ne!(interpreted, words);
    assert_eq!(interpreted, compiled);
    let launch = launch(&kernel(body), 1, 64, &[0]);
    let refusal = compile(&launch.program.functions[launch.kernel as usize]).and_then(Result::err);
    assert!(refusal.is_none(), "{refusal:?}");
}

#[test]
fn choices_between_a_result_and_a_constant_are_compiled_whatever_the_number_of_registers() {
    // Constants have numbers behind those of registers, for which sets of registers have no bits.
    for more in 1..70 {
        let turns: String = (1..=more).map(|n| format!("mad.lo.u32 %more{n}, %more{}, 3, %r1;\n", n - 1)).collect();
        let body = format!(
            ".reg .b32 %more<80>; ld.global.u32 %r1, [%mine]; xor.b32 %more0, %r1, 9; {turns}
             setp.gt.s32 %p1, %more{more}, 50; mul.lo.u32 %r3, %r1, %r1; selp.b32 %r4, %r3, 12345, %p1; add.u32 %r4, %r4, %more{more};
             st.global.u32 [%mine], %r4;"
        );
        let words: Vec<u32> = (0..64u32).map(|n| n.wrapping_mul(2_654_435_769)).collect();
        let [interpreted, compiled] = both(&body, 64, &words);
        assert_ne!(interpreted, words);
        assert_eq!(interpreted, compiled, "{more} registers more");
    }
}

#[test]
fn numbers_at_edges_of_a_block_are_the_same_in_both() {
    // Comparisons of what is the same for all lanes of a warp, alone, combined with others, and turned: foreseen or not.
    let mut body = "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %ntid.x; mad.lo.u32 %r4, %r2, %r3, %r1;
        mul.wide.u32 %rd3, %r4, 4; add.u64 %rd3, %rd3, %out; mov.u32 %r4, 0;"
        .to_owned();
    for (at, how) in ["eq", "ne", "lt", "le", "gt", "ge"].into_iter().enumerate() {
        body += &format!(
            "setp.{how}.s32 %p1, %r2, 2; setp.{how}.s32 %p2, %r1, 5; or.pred %p3, %p1, %p2; @%p3 add.u32 %r4, %r4, {};
            setp.{how}.u32 %p1, %r2, 1; @!%p1 bra L{at}; add.u32 %r4, %r4, 1000; L{at}:
            setp.{how}.s32 %p1, %r2, 0; setp.{how}.s32 %p2, %r1, 31; and.pred %p4, %p1, %p2; not.pred %p4, %p4; xor.pred %p3, %p3, %p4;
            setp.{how}.s32 %p1, %r2, 3; or.pred %p3, %p3, %p1; @%p3 bra M{at}; add.u32 %r4, %r4, 77; M{at}:
            selp.b32 %r5, 3, 5, %p1; mad.lo.u32 %r4, %r4, 7, %r5;\n",
            at + 1
        );
    }
    body += "st.global.u32 [%rd3], %r4;";
    for block in [[32, 4, 1], [64, 3, 1], [16, 8, 1], [7, 5, 1]] {
        let words = vec![0; (block[0] * block[1]) as usize];
        let [interpreted, compiled] = both_in(&body, block, &words);
        assert!(!interpreted.1 && interpreted.0 != words);
        assert!(interpreted == compiled, "{block:?}");
    }
}

#[test]
fn lanes_that_wait_for_their_warp_are_the_same_in_both() {
    // Together, in two parts that meet, and with lanes that have ended.
    let body = "mov.u32 %r1, 1; bar.warp.sync 0xffffffff; setp.lt.u32 %p1, %t, 9; @%p1 bra A;
        add.u32 %r1, %r1, 2; st.global.u32 [%mine], %r1; bar.warp.sync 0xffffffff; bra B;
        A: mul.lo.u32 %r1, %r1, 7; st.global.u32 [%mine], %r1; bar.warp.sync 0xffffffff;
        B: xor.b32 %r2, %t, 31; mul.wide.u32 %rd3, %r2, 4; add.u64 %rd3, %rd3, %out; ld.global.u32 %r3, [%rd3];
        bar.warp.sync 0xffffffff; setp.eq.u32 %p2, %t, 3; @%p2 exit; bar.warp.sync 0xfffffff7;
        mad.lo.u32 %r1, %r3, 100, %r1; st.global.u32 [%mine], %r1;";
    let [interpreted, compiled] = both(body, 32, &[0; 32]);
    assert_eq!((interpreted[0], interpreted[3], interpreted[20], interpreted[31]), (307, 7, 303, 703));
    assert_eq!(interpreted, compiled);
}

#[test]
fn warps_of_a_block_take_turns_at_barriers() {
    // Eight warps and a half: one ends at once, one after the first barrier, in one half the lanes end; others part between
    // barriers, wait at another barrier in between, count at it, and hand a sum on from warp to warp.
    let body = ".shared .align 4 .b8 sums[1024]; .reg .b32 %w, %s, %n, %a;
        shr.u32 %w, %t, 5; mov.u32 %s, sums; mov.u32 %n, 0; mov.u32 %a, 0;
        setp.eq.u32 %p1, %w, 2; @%p1 exit;
        mad.lo.u32 %r1, %t, 4, %s; setp.lt.u32 %p1, %t, 256; @%p1 st.shared.u32 [%r1], %t;
        bar.sync 0;
        setp.eq.u32 %p1, %w, 4; @%p1 exit;
        and.b32 %r2, %t, 47; setp.eq.u32 %p1, %r2, 35; @%p1 exit;
        L: xor.b32 %r3, %n, 5; mad.lo.u32 %r3, %r3, 4, %s; ld.shared.u32 %r4, [%r3]; add.u32 %a, %a, %r4;
        and.b32 %r5, %t, 3; setp.gt.u32 %p2, %r5, 1; @%p2 bra B;
        add.u32 %a, %a, 7; setp.eq.u32 %p3, %r5, 0; @%p3 bra C; shl.b32 %a, %a, 1; bra C;
        B: sub.u32 %a, %a, 3;
        C: bar.sync 0;
        setp.eq.u32 %p2, %t, %n; @%p2 st.shared.u32 [%r3], %a;
        bar.sync 0;
        setp.eq.u32 %p2, %n, 3; @!%p2 bra D; setp.gt.u32 %p4, %t, 9; bar.red.popc.u32 %r4, 1, %p4; add.u32 %a, %a, %r4;
        D: add.u32 %n, %n, 1; setp.lt.u32 %p2, %n, 9; @%p2 bra L;
        st.global.u32 [%mine], %a;";
    for threads in [272, 256, 64, 33, 32, 5] {
        let [interpreted, compiled] = both(body, threads, &vec![0; threads as usize + 1]);
        assert_eq!(interpreted, compiled, "{threads} threads");
        assert_ne!(interpreted[1], 0);
    }
}

#[test]
fn warps_that_wait_for_later_ones_get_there() {
    // Each warp spins until the next one of the block has told it to go on; between barriers, and again.
    let body = ".shared .align 4 .b8 told[160]; .reg .b32 %w, %s, %n;
        shr.u32 %w, %t, 5; mov.u32 %s, told; mad.lo.u32 %s, %w, 4, %s; mov.u32 %n, 1;
        setp.lt.u32 %p1, %t, 40; mov.u32 %r6, told; mad.lo.u32 %r6, %t, 4, %r6; @%p1 st.shared.u32 [%r6], 0;
        bar.sync 0;
        L: setp.eq.u32 %p1, %w, 7; @%p1 bra T;
        W: ld.volatile.shared.u32 %r2, [%s+4]; setp.lt.u32 %p2, %r2, %n; @%p2 bra W;
        T: st.volatile.shared.u32 [%s], %n;
        bar.sync 0;
        add.u32 %n, %n, 1; setp.lt.u32 %p2, %n, 4; @%p2 bra L;
        st.global.u32 [%mine], %n;";
    let [interpreted, compiled] = both(body, 256, &[0; 257]);
    assert_eq!(interpreted[..256], [4; 256]);
    assert_eq!(interpreted, compiled);
}

/// Pairs of a first lane's number and one for all lanes: near each other, and near where numbers wrap.
fn near_ends(stride: i64) -> Vec<[u64; 2]> {
    let firsts = [0, 1, 100, -1, -16, -40, i32::MAX as i64 - 9, i32::MIN.into(), i64::MAX - 9, i64::MIN];
    let ways =
        [-1, 0, 1, 5 * stride, 15 * stride, 31 * stride, 31 * stride + 1, 32 * stride, 40, -40, 1 << 20, i64::MAX];
    let pair = |first: i64| ways.map(|way| [first as u64, first.wrapping_add(way) as u64]);
    firsts.into_iter().flat_map(pair).collect()
}

#[test]
fn comparisons_of_lanes_in_a_row_with_one_number() {
    for (ty, bits, comparisons) in [
        ("s32", 32, "eq ne lt le gt ge"),
        ("u32", 32, "eq ne lo ls hi hs"),
        ("s64", 64, "eq ne lt le gt ge"),
        ("u64", 64, "eq ne lo ls hi hs"),
    ] {
        for (n, how) in comparisons.split(' ').enumerate() {
            for (stride, swapped) in [(1, false), (1, true), (-3, n % 2 == 0), (1 << 24, false)] {
                let pairs = near_ends(stride);
                let number = |bits: u64| if ty.ends_with("32") { bits & 0xffff_ffff } else { bits };
                let holds = |a: u64, b: u64| {
                    let order = match ty {
                        "s32" => (a as i32).cmp(&(b as i32)),
                        "s64" => (a as i64).cmp(&(b as i64)),
                        _ => number(a).cmp(&number(b)),
                    };
                    match how {
                        "eq" => order.is_eq(),
                        "ne" => order.is_ne(),
                        "lt" | "lo" => order.is_lt(),
                        "le" | "ls" => order.is_le(),
                        "gt" | "hi" => order.is_gt(),
                        _ => order.is_ge(),
                    }
                };
                let (row, same) = if bits == 32 { ("%r3", "%r2") } else { ("%rd5", "%rd4") };
                let (a, b) = if swapped { (same, row) } else { (row, same) };
                let narrow = if bits == 32 { "cvt.u32.u64 %r1, %rd3; cvt.u32.u64 %r2, %rd4;" } else { "" };
                let all = pairs.len();
                let body = format!(
                    "mov.u32 %r4, %ctaid.x; mul.wide.u32 %rd1, %r4, 16; add.u64 %rd2, %out, %rd1;
                    ld.global.u64 %rd3, [%rd2]; ld.global.u64 %rd4, [%rd2+8]; {narrow}
                    mad.lo.u32 %r3, %t, {low}, %r1; cvt.u64.u32 %rd5, %t; mad.lo.u64 %rd5, %rd5, {stride}, %rd3;
                    mad.lo.u32 %r5, %r4, 32, %t; mul.wide.u32 %rd6, %r5, 8; add.u64 %rd6, %rd6, %out;
                    setp.{how}.{ty} %p1, {a}, {b}; selp.u32 %r6, 1, 0, %p1; st.global.u32 [%rd6+{place}], %r6;
                    mov.u32 %r7, 0; setp.{how}.{ty} %p2, {a}, {b}; @!%p2 bra E; mov.u32 %r7, 1;
                    E: st.global.u32 [%rd6+{place}+4], %r7;",
                    low = stride as i32,
                    place = all * 16
                );
                let mut words: Vec<u64> = pairs.iter().flatten().copied().collect();
                words.resize(2 * all + 32 * all, 0);
                let wanted: Vec<u64> = pairs
                    .iter()
                    .flat_map(|&[first, same]| {
                        (0..32).map(move |lane| [first.wrapping_add((lane * stride) as u64), same])
                    })
                    .map(|[row, same]| if swapped { holds(same, row) } else { holds(row, same) })
                    .map(|holds| u64::from(holds) | u64::from(holds) << 32)
                    .collect();
                for engine in [Engine::Interpret, Engine::Compile] {
                    let launch = launch(&kernel(&body), all as u32, 32, &[words.as_mut_ptr() as u64]);
                    force_engine(engine, || launch.run()).unwrap();
                    assert!(words[2 * all..] == wanted, "{how}.{ty} {stride} {swapped} {engine:?}");
                }
            }
        }
    }
}

#[test]
fn predicates_of_one_block_of_steps_are_the_same_in_both() {
    let pairs = near_ends(1);
    let all = pairs.len();
    let start: Vec<u32> = pairs
        .iter()
        .flat_map(|&[first, same]| [first as u32, (first >> 32) as u32, same as u32, (same >> 32) as u32])
        .chain(core::iter::repeat_n(0, 32 * all))
        .collect();
    // What is done with the result right behind a comparison, and later on; with a step of the interpreter in between, which wants
    // registers for itself, or a load that leads nowhere for lanes that do not make it.
    let tails = [
        "or.pred %p3, %p1, %p2; @%p3 bra A;",
        "and.pred %p3, %p2, %p1; @!%p3 bra A;",
        "xor.pred %p3, %p1, %p2; rsqrt.approx.f64 %d, %d; @%p3 bra A;",
        "not.pred %p3, %p1; and.pred %p4, %p3, %p2; @%p4 bra A;",
        "@%p1 bra A;",
        "@!%p1 bra A;",
        "xor.pred %p3, %p1, %p1; or.pred %p3, %p3, %p2; @%p3 bra A;",
        "or.pred %p3, %p1, %p2; setp.ne.u32 %p4, %r3, 5; and.pred %p5, %p3, %p4; setp.eq.s32 %p6, %t, 31; xor.pred %p7, %p6, %p5;
         setp.lt.s32 %p4, %r7, 3; or.pred %p7, %p4, %p7; @!%p7 bra A;",
        "and.pred %p3, %p1, %p2; rsqrt.approx.f64 %d, %d; or.pred %p4, %p3, %p1; setp.gt.s32 %p5, %r2, 3; and.pred %p4, %p4, %p5;
         ld.global.u32 %r8, [%rd6]; not.pred %p4, %p4; xor.pred %p4, %p4, %p1; @%p4 bra A;",
        "or.pred %p1, %p1, %p2; and.pred %p1, %p1, %p2; @%p1 bra A; not.pred %p1, %p1; @%p1 bra A;",
        "mov.pred %p3, %p1; @%p2 mov.pred %p3, %p2; selp.u32 %r6, 40, 0, %p3; or.pred %p1, %p3, %p1; @%p1 bra A;",
    ];
    for how in ["eq", "ne", "lt", "le", "gt", "ge"] {
        for (tail, swapped) in tails.iter().flat_map(|tail| [(tail, false), (tail, true)]) {
            let (a, b) = if swapped { ("%r2", "%r3") } else { ("%r3", "%r2") };
            let body = format!(
                ".reg .f64 %d; cvt.rn.f64.u32 %d, %t; mov.u32 %r4, %ctaid.x; mul.wide.u32 %rd1, %r4, 16; add.u64 %rd2, %out, %rd1;
                ld.global.u32 %r1, [%rd2]; ld.global.u32 %r2, [%rd2+8]; add.u32 %r3, %r1, %t; mov.u32 %r6, 0; mov.u32 %r8, 0;
                mad.lo.u32 %r5, %r4, 32, %t; mul.wide.u32 %rd6, %r5, 4; add.u64 %rd6, %rd6, %out; add.u64 %rd6, %rd6, {place};
                and.b32 %r7, %r4, 7; setp.ge.u32 %p2, %t, 9; setp.{how}.s32 %p1, {a}, {b}; {tail} add.u32 %r6, %r6, 1;
                A: add.u32 %r6, %r6, 100; add.u32 %r6, %r6, %r8; st.global.u32 [%rd6], %r6;",
                place = all * 16
            );
            let [interpreted, compiled] = [Engine::Interpret, Engine::Compile].map(|engine| {
                let mut words = start.clone();
                let launch = launch(&kernel(&body), all as u32, 32, &[words.as_mut_ptr() as u64]);
                force_engine(engine, || launch.run()).unwrap();
                words
            });
            assert!(interpreted[4 * all..].iter().all(|&word| word != 0));
            assert!(interpreted == compiled, "{how} {swapped} {tail}");
        }
    }
}

#[test]
fn loops_that_share_out_an_array_are_the_same_in_both() {
    // Memory is asked for what lies beside a row, also behind the last one: nothing there is touched.
    let body = "mov.u32 %r1, %ntid.x; mov.u32 %r2, %nctaid.x; mov.u32 %r3, %ctaid.x; mad.lo.u32 %r4, %r3, %r1, %t; mul.lo.u32 %r5, %r1, %r2;
        L: setp.ge.s32 %p1, %r4, 3001; @%p1 bra E; mul.wide.s32 %rd1, %r4, 4; add.u64 %rd2, %out, %rd1; ld.global.u32 %r6, [%rd2];
        mad.lo.u32 %r6, %r6, 3, 1; st.global.u32 [%rd2], %r6; add.u32 %r4, %r4, %r5; bra L; E:";
    for block in [32, 50, 256] {
        for engine in [Engine::Interpret, Engine::Compile] {
            let mut words: Vec<u32> = (0..3001).collect();
            let launch = launch(&kernel(body), 3, block, &[words.as_mut_ptr() as u64]);
            force_engine(engine, || launch.run()).unwrap();
            assert!((0..3001).zip(words).all(|(n, word)| word == 3 * n + 1), "{block} {engine:?}");
        }
    }
}

#[test]
fn loops_with_moves_behind_their_comparison_are_the_same_in_both() {
    // A loop that all active lanes leave together, within a part of the warp, of which some lanes are gone: those that wait keep what is
    // written there. The comparison stands before the moves of the back edge; or the number of times is that of a lane.
    let memory: Vec<u32> = (0..4096u32).map(|n| n.wrapping_mul(2654435761) >> 3).collect();
    for times in ["mov.u32 %r6, 5;", "ld.global.u32 %r6, [%out]; and.b32 %r6, %r6, 7;", "and.b32 %r6, %t, 3;"] {
        for inside in ["", "@%p3 st.global.u32 [%mine+4096], %r5;", "shfl.sync.idx.b32 %r5, %r5, 1, 31, %r11;"] {
            let body = format!(
                "ld.global.u32 %r1, [%mine]; mov.u32 %r2, 7; mov.u32 %r3, 9; mov.u32 %r4, 0; {times}
                 setp.eq.u32 %p4, %t, 3; @%p4 exit; and.b32 %r7, %r1, 3; setp.eq.u32 %p1, %r7, 0; activemask.b32 %r11; @%p1 bra E;
                 activemask.b32 %r11;
                 L: mad.lo.u32 %r5, %r2, %r1, %r3; setp.gt.u32 %p3, %r5, 1000; {inside} add.u32 %r4, %r4, 1;
                 setp.lt.u32 %p2, %r4, %r6; mov.u32 %r3, %r2; mov.u32 %r2, %r5; @%p2 bra L;
                 E: st.global.u32 [%mine+8192], %r2; st.global.u32 [%mine+9216], %r3; st.global.u32 [%mine+10240], %r4;"
            );
            // A shuffle is for lanes that all arrive.
            if inside.starts_with("shfl") && times.contains("%t") {
                continue;
            }
            for block in [32, 50] {
                let [interpreted, compiled] = both(&body, block, &memory);
                assert_ne!(interpreted, memory);
                assert!(interpreted == compiled, "{times} {inside} {block}");
            }
        }
    }
}

#[test]
fn bytes_that_lie_in_no_row_are_the_same_in_both() {
    let memory: Vec<u32> = (0..8192u32).map(|n| n.wrapping_mul(2654435761) >> 3).collect();
    let mut bodies = Vec::new();
    for (ty, bytes) in [("u8", 1), ("s8", 1), ("u16", 2), ("s16", 2)] {
        // Strides of shared and of global memory, down and up, with gaps; addresses that are like random numbers; guards.
        for stride in [-bytes, -3 * bytes, 2 * bytes, 5 * bytes] {
            bodies.push(format!(
                "mad.lo.s32 %r3, %t, {stride}, %r10; ld.shared.{ty} %r4, [%r3+{bytes}]; st.global.u32 [%mine+8192], %r4;
                 cvt.s64.s32 %rd3, %r12; mad.lo.s64 %rd3, %rd3, {stride}, %out; ld.global.{ty} %r5, [%rd3+3000];
                 st.global.u32 [%mine+9216], %r5; @%p1 ld.shared.{ty} %r4, [%r3]; add.u32 %r4, %r4, %r5;
                 st.global.{ty} [%rd3+20000], %r4; st.shared.{ty} [%r3], %r4; ld.shared.u32 %r5, [%r9]; @%p1 st.shared.{ty} [%r3+2], %r5;
                 st.global.u32 [%mine+10240], %r5;"
            ));
        }
        bodies.push(format!(
            "and.b32 %r3, %r1, 1022; add.u32 %r3, %r3, %b; ld.shared.{ty} %r4, [%r3+6]; st.global.u32 [%mine+8192], %r4;
             cvt.u64.u32 %rd3, %r3; add.u64 %rd3, %rd3, %out; ld.global.{ty} %r5, [%rd3+4]; st.global.u32 [%mine+9216], %r5;
             @%p1 ld.global.{ty} %r6, [%rd3]; @%p1 ld.shared.{ty} %r7, [%r3]; add.u32 %r6, %r6, %r7; st.global.u32 [%mine+10240], %r6;
             st.shared.{ty} [%r3+2], %r4; @%p1 st.shared.{ty} [%r3], %r5; ld.shared.u32 %r8, [%r9]; st.global.u32 [%mine+11264], %r8;
             st.global.{ty} [%rd3+20000], %r4; @%p1 st.global.{ty} [%rd3+20002], %r5;"
        ));
        // Vectors, and registers that are wider than the elements.
        bodies.push(format!(
            "mad.lo.u32 %r3, %t, {gap}, %r10; ld.shared.v2.{ty} {{%r4, %r5}}, [%r3]; mul.wide.u32 %rd3, %r12, 8; add.u64 %rd3, %rd3, %out;
             ld.global.v4.{ty} {{%r6, %r7, %r11, %r13}}, [%rd3]; @%p1 st.global.v2.{ty} [%rd3+16384], {{%r6, %r4}}; mul.wide.u32 %rd6, %t, {bytes};
             add.u64 %rd6, %rd6, %out; ld.global.{ty} %rd4, [%rd6+{bytes}]; @%p1 ld.global.{ty} %rd5, [%out+6]; st.global.u64 [%rd3+8192], %rd4;
             @%p1 st.global.u64 [%rd3+10240], %rd5; st.global.{ty} [%rd6+24000], %rd4; ld.global.{ty} %rd7, [%out+10]; mul.wide.u32 %rd8, %t, 8;
             add.u64 %rd8, %rd8, %rd7; st.global.u64 [%rd3+20480], %rd8; ld.global.{ty} %r14, [%out+14]; mad.lo.u32 %r14, %t, 3, %r14;
             st.global.u32 [%mine+23000], %r14; @%p1 st.global.{ty} [%rd3+26000], %rd29; st.global.{ty} [%out+30000], %rd4;
             add.u32 %r6, %r6, %r7; add.u32 %r11, %r11, %r13; add.u32 %r4, %r4, %r5; add.u32 %r6, %r6, %r11; add.u32 %r6, %r6, %r4;
             st.global.u32 [%mine+13312], %r6;",
            gap = 4 * bytes
        ));
        // Several off one address, which is then kept in a register.
        bodies.push(format!(
            "mul.wide.u32 %rd3, %r12, {gap}; add.u64 %rd3, %rd3, %out; st.global.{ty} [%rd3+16384], %r1; st.global.{ty} [%rd3+{one}], %r2;
             st.global.{ty} [%rd3+{two}], %t; @%p1 st.global.{ty} [%rd3+{three}], %r12;",
            gap = 4 * bytes,
            one = 16384 + bytes,
            two = 16384 + 2 * bytes,
            three = 16384 + 3 * bytes,
        ));
        // All lanes to one place: what the last active one stores.
        bodies.push(format!(
            "st.shared.{ty} [%b+6], %r1; st.global.{ty} [%out+8192], %r1; st.global.{ty} [%out+8200], 77; st.shared.v2.{ty} [%b+8], {{%r1, %r2}};
             @%p1 st.global.{ty} [%out+8204], %t; @%p2 st.global.{ty} [%out+8208], %r1; ld.shared.v4.u32 {{%r1, %r2, %r3, %r4}}, [%b];
             @%p1 bra E; st.global.{ty} [%out+8212], %r2; E: add.u32 %r1, %r1, %r2; add.u32 %r3, %r3, %r4; add.u32 %r1, %r1, %r3;
             st.global.u32 [%mine+10240], %r1;"
        ));
    }
    bodies.push(
        "st.global.u64 [%out+8192], %rd29; st.global.v4.u32 [%out+8208], {%r1, 5, %r2, %t}; @%p1 st.global.f32 [%out+8300], %r2;
         @%p2 st.global.u32 [%out+8400], 9;"
            .to_owned(),
    );
    for ty in ["u32", "s32"] {
        bodies.push(format!(
            "ld.global.{ty} %rd3, [%mine+4]; @%p1 ld.global.{ty} %rd4, [%out+8]; ld.shared.{ty} %rd5, [%b+12]; add.u64 %rd5, %rd5, 5;
             mul.wide.u32 %rd6, %r12, 8; add.u64 %rd6, %rd6, %out; st.global.u64 [%rd6+8192], %rd3; @%p1 st.global.u64 [%rd6+12288], %rd4;
             st.global.u64 [%rd6+16384], %rd5; st.global.{ty} [%mine+20480], %rd3; @%p1 st.global.{ty} [%out+24000], %rd3;
             st.global.{ty} [%out+24008], %rd5; ld.global.v2.{ty} {{%rd7, %rd8}}, [%out+16]; add.u64 %rd7, %rd7, %rd8;
             st.global.u64 [%rd6+24576], %rd7;"
        ));
    }
    // Numbers of 16 bits that are the same for all lanes, as parts of addresses.
    bodies.push(
        "mov.u32 %r3, %ntid.x; mad.lo.u32 %r3, %r3, 70000, 65537; cvt.u16.u32 %h1, %r3; mul.wide.u16 %r4, %h1, -21845; shr.u32 %r4, %r4, 17;
         cvt.u16.u32 %h2, %r4; mul.lo.s16 %h2, %h2, 3; sub.s16 %h1, %h1, %h2; cvt.u32.u16 %r5, %h1; cvt.s32.s16 %r6, %h2;
         cvt.s64.s16 %rd3, %h2; cvt.s32.s8 %r7, %r3; cvt.u64.u8 %rd4, %r3; mul.wide.s16 %r8, %h2, -5; cvt.s16.s8 %h3, %r3;
         cvt.s32.s16 %r11, %h3; and.b32 %r5, %r5, 1; mad.lo.u32 %r9, %r5, 4, %r9; ld.shared.u32 %r4, [%r9];
         st.global.u32 [%mine+8192], %r4; st.global.u32 [%mine+9216], %r6; st.global.u32 [%mine+10240], %r7; st.global.u32 [%mine+11264], %r8;
         cvt.u32.u64 %r6, %rd3; cvt.u32.u64 %r7, %rd4; st.global.u32 [%mine+12288], %r6; st.global.u32 [%mine+13312], %r7;
         st.global.u32 [%mine+14336], %r11; st.global.u16 [%mine+15360], %h1;"
            .to_owned(),
    );
    let before = ".shared .align 16 .b8 s[8192]; .reg .b32 %b, %y; .reg .b16 %h<4>;
        mov.u32 %y, %tid.y; mov.u32 %b, s; mad.lo.u32 %r10, %y, 700, %b; mad.lo.u32 %r9, %t, 4, %r10; add.u32 %r10, %r10, 2000;
        mad.lo.u32 %r12, %y, 100, %t; mul.wide.u32 %rd1, %r12, 4; add.u64 %mine, %out, %rd1;
        setp.ne.u32 %p1, %t, 5; setp.gt.u32 %p2, %t, 5000; ld.global.u32 %r1, [%mine+1024]; ld.global.u32 %r2, [%mine+1032];
        mad.lo.u32 %r8, %r12, 8, %b; st.shared.v2.u32 [%r8], {%r1, %r2}; bar.sync 0;";
    for (body, block) in
        bodies.iter().flat_map(|body| [[64, 2, 1], [16, 4, 1], [32, 1, 1], [24, 3, 1]].map(|block| (body, block)))
    {
        let [interpreted, compiled] = both_in(&format!("{before}\n{body}"), block, &memory);
        assert!(interpreted == compiled, "{block:?} {body}");
        assert!(!interpreted.1 && interpreted.0 != memory, "{body}");
    }
}

#[test]
fn addresses_by_numbers_of_32_bits() {
    // `%i` is the number that is multiplied; its lanes are a mixture, so that nobody knows a stride.
    let index = "mul.lo.u32 %i, %t, 13; xor.b32 %i, %i, 5; and.b32 %i, %i, 63;";
    let ends = "st.global.u32 [%mine+2048], %r1; st.global.u32 [%mine+3072], %r2;";
    let mut bodies = Vec::new();
    for sign in ["u", "s"] {
        // The product alone, of which nobody else wants to know; with sums; with something that reads it, too; and stored there.
        for rest in [
            "ld.global.u32 %r1, [%rd2+256]; ld.global.u32 %r2, [%rd2+4];",
            "add.s64 %rd3, %out, %rd1; ld.global.u32 %r1, [%rd3+256]; st.global.u32 [%rd3+4096], %t; ld.global.u32 %r2, [%rd3];",
            "add.s64 %rd3, %rd1, %out; ld.global.u32 %r1, [%rd3]; cvt.u32.u64 %r2, %rd1;",
            "add.s64 %rd3, %out, %rd1; ld.global.u32 %r1, [%rd3]; sub.u64 %rd4, %rd3, %out; cvt.u32.u64 %r2, %rd4;",
            "add.s64 %rd3, %out, %rd1; setp.gt.u32 %p1, %t, 40; @%p1 st.global.u32 [%rd3+4096], %i; mov.u32 %i, 7;
             @!%p1 ld.global.u32 %r1, [%rd3+16]; ld.global.u32 %r2, [%rd3+20];",
            "setp.gt.u32 %p1, %i, 20; @%p1 bra E; add.s64 %rd3, %out, %rd1; ld.global.u32 %r1, [%rd3]; E:",
            "ld.global.u32 %r1, [%out+8]; add.s64 %rd3, %out, %rd1; ld.global.u32 %r2, [%rd3]; ld.global.u32 %r4, [%out+16];
             st.global.u32 [%rd3+4096], %r4;",
        ] {
            bodies.push(format!("mul.wide.{sign}32 %rd1, %i, 4; add.s64 %rd2, %out, %rd1; {rest}"));
        }
        bodies.push(format!(
            "mul.wide.{sign}32 %rd1, %i, 8; add.s64 %rd3, %out, %rd1; ld.global.u64 %rd4, [%rd3+8]; cvt.u32.u64 %r1, %rd4; shr.u64 %rd4, %rd4, 32;
             cvt.u32.u64 %r2, %rd4; st.global.u64 [%rd3+8192], %rd4; st.global.v2.u32 [%rd3+12288], {{%r1, %t}};"
        ));
    }
    // Below the first word, and far below where a number without a sign would be far above.
    bodies.push(
        "sub.s32 %i, %i, 40; add.s64 %rd2, %out, 256; mul.wide.s32 %rd1, %i, 4; add.s64 %rd3, %rd2, %rd1; ld.global.u32 %r1, [%rd3];
         mul.wide.s32 %rd5, %i, 4; ld.global.u32 %r2, [%rd3+4];"
            .to_owned(),
    );
    let numbers: Vec<u32> = (0..4096u32).map(|n| n.wrapping_mul(2_654_435_761)).collect();
    for body in &bodies {
        let body = format!(".reg .b32 %i; {index} mov.u32 %r1, 1; mov.u32 %r2, 2; {body} {ends}");
        alike_near_and_far(&body, &numbers);
    }
}

#[test]
fn addresses_by_numbers_that_lead_nowhere_fail_in_both() {
    // Not aligned, far above and far below: the first lanes are right.
    for body in [
        "mul.lo.u32 %i, %t, 5; mul.wide.u32 %rd1, %i, 4; add.s64 %rd2, %out, 2; add.s64 %rd2, %rd2, %rd1; ld.global.u32 %r1, [%rd2];",
        "mul.lo.u32 %i, %t, 0x40000000; or.b32 %i, %i, %t; mul.wide.u32 %rd1, %i, 8; mul.wide.u32 %rd3, %i, 8; add.s64 %rd2, %out, %rd1;
         add.s64 %rd2, %rd2, %rd3; ld.global.u32 %r1, [%rd2]; mov.u64 %rd4, 0; mul.wide.s32 %rd5, %i, 4; add.s64 %rd5, %rd4, %rd5;
         ld.global.u32 %r1, [%rd5];",
    ] {
        let body = format!(".reg .b32 %i; {body} st.global.u32 [%mine], %r1;");
        let [interpreted, compiled] = [Engine::Interpret, Engine::Compile].map(|engine| {
            let mut words = vec![0u32; 64];
            let launch = launch(&kernel(&body), 1, 32, &[words.as_mut_ptr() as u64]);
            force_engine(engine, || launch.run()).map_err(|failure| failure.line)
        });
        assert!(interpreted.is_err(), "{body}");
        assert_eq!(interpreted, compiled, "{body}");
    }
}

#[test]
fn lanes_that_turn_out_to_lie_in_rows_are_the_same_in_both() {
    // Places by the number of the thread: one row, two of them, more, the same ones again, none; where lanes overlap the last one counts.
    let indices = [
        "mov.u32 %i, %t;",
        "and.b32 %i, %t, 7;",
        "rem.u32 %i, %t, 24; mad.lo.u32 %i, %i, 1, 3;",
        "div.u32 %r5, %t, 34; mul.lo.u32 %r6, %r5, 34; sub.u32 %r6, %t, %r6; mad.lo.u32 %i, %r5, 40, %r6;",
        "sub.s32 %i, %t, 3; max.s32 %i, %i, 0; min.s32 %i, %i, 50;",
        "shr.u32 %i, %t, 5; mul.lo.u32 %i, %i, 5;",
        "xor.b32 %i, %t, 8;",
        // Fours, as in fragments; fours that are not next to each other, and such whose last lane is elsewhere.
        "shr.u32 %r5, %t, 2; and.b32 %r6, %t, 3; mad.lo.u32 %i, %r5, 5, %r6;",
        "shr.u32 %r5, %t, 2; and.b32 %r6, %t, 3; sub.u32 %r5, 20, %r5; mad.lo.u32 %i, %r5, 4, %r6;",
        "shr.u32 %r5, %t, 2; and.b32 %r6, %t, 3; max.u32 %i, %r6, 1; mad.lo.u32 %i, %r5, 5, %i;",
        "xor.b32 %i, %t, 5;",
        "mul.lo.u32 %i, %t, %t; and.b32 %i, %i, 63;",
        "sub.u32 %i, 70, %t;",
        // What memory says is no place that one looks for rows of.
        "ld.global.u32 %i, [%mine]; and.b32 %i, %i, 63;",
    ];
    let accesses = [
        "ld.global.u32 %r1, [%g+256]; st.global.u32 [%g+8192], %r2; ld.shared.u32 %r3, [%s+8]; st.shared.u32 [%s+1024], %r2;",
        "@%p1 ld.global.u32 %r1, [%g]; @%p1 st.global.u32 [%g+8192], %t; @%p1 ld.shared.u32 %r3, [%s]; @%p1 st.shared.u32 [%s+512], %t;",
        "@!%p2 bra V; ld.global.f32 %f1, [%g]; add.f32 %f1, %f1, %f1; st.global.f32 [%g+8192], %f1; st.shared.f32 [%s+512], %f1;
         ld.shared.u32 %r3, [%s]; V:",
        "@%p3 bra V; ld.global.u32 %r1, [%g]; ld.shared.u32 %r3, [%s+64]; st.global.u32 [%g+8192], %r2; st.shared.u32 [%s], %r2; V:",
        // By addresses of 64 bits.
        "ld.global.u32 %r1, [%far+4]; st.global.u32 [%far+8192], %r2; @%p1 ld.global.u32 %r3, [%far];",
        "@%p3 bra V; ld.global.u32 %r1, [%far+4]; ld.shared.u32 %r3, [%s]; st.global.u32 [%far+8192], %r2; V:",
        // Two by the same addresses: near each other, far from each other, and such that go by what the first one gives.
        "ld.global.u32 %r1, [%far+4]; ld.global.u32 %r3, [%far+20]; st.global.u32 [%far+8192], %r3;",
        "ld.global.u32 %r3, [%far+4]; ld.global.u32 %r1, [%far+12]; ld.global.u32 %r5, [%far+16]; add.u32 %r1, %r1, %r5;",
        "@%p3 bra V; ld.global.u32 %r1, [%far]; ld.global.u32 %r3, [%far+32]; st.global.u32 [%far+8192], %r1; V:",
        "ld.global.u32 %r1, [%far+4]; @%p1 ld.global.u32 %r3, [%far+16]; ld.global.u32 %r3, [%far+4100];",
        "ld.global.v2.u32 {%r1, %r3}, [%w]; ld.shared.s32 %rd3, [%s]; st.global.v2.u32 [%w+8192], {%t, %r2}; st.shared.u32 [%s+512], %rd3;",
    ];
    let before = ".shared .align 8 .b8 s[4096]; .reg .b32 %b, %i, %s; .reg .b64 %g, %w, %far; .reg .f32 %f<4>; mov.u32 %b, s;
        ld.global.u32 %r2, [%mine+2048]; mad.lo.u32 %s, %t, 16, %b; st.shared.v2.u32 [%s], {%r2, %t}; st.shared.v2.u32 [%s+8], {%t, %r2};
        bar.sync 0; mov.u32 %r1, 1; mov.u32 %r3, 3; setp.ne.u32 %p1, %t, 4; setp.gt.u32 %p2, %t, 12; and.b32 %r4, %t, 3;
        setp.eq.u32 %p3, %r4, 2;";
    let after = "bar.sync 0; mad.lo.u32 %s, %t, 16, %b; ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [%s]; xor.b32 %r5, %r5, %r6;
        xor.b32 %r7, %r7, %r8; mad.lo.u32 %r5, %r7, 3, %r5; st.global.u32 [%mine+10240], %r1; st.global.u32 [%mine+11264], %r3;
        st.global.u32 [%mine+12288], %r5;";
    let numbers: Vec<u32> = (0..4096u32).map(|n| n.wrapping_mul(2_654_435_761)).collect();
    for (index, access) in indices.iter().flat_map(|index| accesses.iter().map(move |access| (index, access))) {
        let places =
            "mul.wide.s32 %rd1, %i, 4; add.s64 %g, %out, %rd1; mul.wide.s32 %rd2, %i, 8; add.s64 %w, %out, %rd2;
            mad.lo.u32 %s, %i, 4, %b; cvt.u64.u32 %far, %i; shl.b64 %far, %far, 1; add.u64 %far, %far, %far; add.u64 %far, %far, %out;";
        alike_near_and_far(&format!("{before} {index} {places} {access} {after}"), &numbers);
    }
}

#[test]
fn numbers_that_are_moved_keep_their_bits() {
    // NaNs that arithmetic gives are the device's wherever they are moved to; those that memory holds stay as they are.
    let made =
        "ld.global.f32 %f1, [%mine]; ld.global.f32 %f2, [%mine+512]; mul.f32 %f3, %f1, %f2; sub.f32 %f4, %f1, %f1;";
    let constant = "mov.f32 %f7, 0f3F800000; setp.gt.u32 %p2, %t, 9; @%p2 mul.f32 %f7, %f1, %f2;";
    let mut moves = vec!["mov.b32 %r3, %f3; mov.b32 %f5, %r3; mov.b32 %r4, %f5; add.u32 %r5, %r4, 1;".to_owned()];
    for from in ["%f3", "%f1", "%f7"] {
        // Taken apart and put together, by way of places that are no registers.
        moves.push(format!(
            "mov.b32 %r3, {from}; mov.b32 {{%h1, %h2}}, %r3; mov.b32 %r4, {{%h2, %h1}}; mov.b32 {{%h1, %h2}}, {from};
             mov.b32 %f5, {{%h1, %h2}}; mov.b32 %r5, %f5; mov.b64 %rd3, {{%r3, {from}}}; mov.b64 {{%r3, %f5}}, %rd3; mov.b32 %r6, %f5;
             xor.b32 %r5, %r5, %r6;"
        ));
        for mode in ["up", "down", "bfly", "idx"] {
            for by in [1, 2, 3, 4, 6, 8, 12, 16, 17, 20, 31] {
                let limit = if mode == "up" { "0" } else { "31" };
                moves.push(format!(
                    "mov.b32 %r3, {from}; shfl.sync.{mode}.b32 %r4|%p3, %r3, {by}, {limit}, -1; mov.b32 %f5, %r4; add.f32 %f6, %f5, %f4;
                     mov.b32 %r5, %f6; shfl.sync.{mode}.b32 %r3, %r3, {by}, 0x181f, -1; selp.b32 %r5, %r5, %r3, %p3;"
                ));
            }
        }
        moves.push(format!(
            "mov.b32 %r3, {from}; selp.b32 %r4, %r3, 7, %p1; selp.f32 %f5, {from}, %f4, %p1; mov.b32 %r5, %f5;
             @%p1 mov.b32 %r3, %f4; xor.b32 %r4, %r4, %r3;"
        ));
        // A loop that moves it on, and a value that a move gets from two places.
        moves.push(format!(
            "mov.b32 %r3, {from}; mov.u32 %r6, 5; mov.u32 %r4, 0; L: shfl.sync.bfly.b32 %r5, %r3, 5, 31, -1; mov.b32 %f5, %r5;
             @%p1 add.f32 %f5, %f5, {from}; mov.b32 %r3, %f5; xor.b32 %r4, %r4, %r3; sub.u32 %r6, %r6, 1; setp.ne.u32 %p3, %r6, 0;
             @%p3 bra L;"
        ));
        // A place, and a lane, by such a number.
        moves.push(format!(
            "mov.b32 %r3, {from}; shfl.sync.bfly.b32 %r5, %r3, 16, 31, -1; shfl.sync.idx.b32 %r4, %t, %r5, 31, -1; mov.f32 %f6, {from};
             mov.b32 %r6, %f6; and.b32 %r6, %r6, 124; cvt.u64.u32 %rd3, %r6; add.u64 %rd3, %rd3, %out; ld.global.u32 %r5, [%rd3];"
        ));
    }
    let edges = [
        0,
        0x8000_0000,
        0x3f80_0000,
        0x7f80_0000,
        0xff80_0000,
        0x7fc0_0001,
        0xffc1_2345,
        0x7f80_0001,
        0x7fff_ffff,
        0xc2f6_e979,
    ];
    let numbers: Vec<u32> = (0..1024usize).map(|n| edges[(n * 7 + n / 10) % 10]).collect();
    for moves in &moves {
        let body = format!(
            ".reg .f32 %f<8>; .reg .b16 %h<3>; and.b32 %r1, %t, 3; setp.eq.u32 %p1, %r1, 1; {made} {constant} mov.u32 %r4, 0; {moves}
             st.global.u32 [%mine+1024], %r3; st.global.u32 [%mine+1536], %r4; st.global.u32 [%mine+2048], %r5; st.global.f32 [%mine+2560], %f3;"
        );
        alike_near_and_far(&body, &numbers);
    }
}

#[test]
fn rows_of_shared_memory_may_be_shorter_than_a_warp() {
    // 16 words, which the first 16 lanes use, or the last.
    let body = "setp.gt.u32 %p1, %t, 15; shl.b32 %r1, %t, 2; add.u32 %r1, %r1, %b; @%p1 bra W; ld.global.u32 %r2, [%mine];
        st.shared.u32 [%r1], %r2; W: bar.sync 0; and.b32 %r3, %t, 31; setp.lt.u32 %p2, %r3, 16; add.u32 %r4, %b, -64;
        shl.b32 %r5, %r3, 2; add.u32 %r5, %r5, %r4; mov.u32 %r6, 1; @%p2 bra V; ld.shared.u32 %r6, [%r5]; V: st.global.u32 [%mine+512], %r6;
        mov.u32 %r7, 3; @%p1 bra E; ld.shared.u32 %r7, [%r1]; add.u32 %r7, %r7, 1; st.shared.u32 [%r1], %r7; ld.shared.u32 %r8, [%r1];
        add.u32 %r7, %r7, %r8; E: st.global.u32 [%mine+1024], %r7;";
    let words: Vec<u32> = (0..512).map(|n| n * 7 + 1).collect();
    let [interpreted, compiled] =
        both(&format!(".shared .align 4 .b8 s[64]; .reg .b32 %b; mov.u32 %b, s; {body}"), 64, &words);
    assert_eq!(interpreted[128 + 16..128 + 32], words[..16]);
    assert_eq!(interpreted, compiled);
    // The last of these has no word.
    let beyond =
        "setp.gt.u32 %p1, %t, 16; shl.b32 %r1, %t, 14; add.u32 %r1, %r1, %b; @%p1 bra E; st.shared.u32 [%r1], %t; E:";
    for engine in [Engine::Interpret, Engine::Compile] {
        let text = kernel(&format!(".shared .align 4 .b8 s[64]; .reg .b32 %b; mov.u32 %b, s; {beyond}"));
        let done = force_engine(engine, || launch(&text, 1, 32, &[words.as_ptr() as u64]).run());
        assert!(done.is_err(), "{engine:?}");
    }
}

#[test]
fn the_number_of_a_warp_is_the_same_for_its_lanes() {
    let body = "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mad.lo.s32 %r3, %r1, %r2, %t; shr.u32 %r4, %r3, 5; and.b32 %r5, %r3, 31;
        shr.u32 %r6, %t, 5; and.b32 %r7, %t, -32; shl.b32 %r8, %r1, 10; and.b32 %r9, %t, 31; or.b32 %r10, %r9, %r8; mul.wide.s32 %rd1, %r3, 32;
        add.s64 %rd1, %rd1, %out; and.b32 %r11, %r4, 63; mul.wide.u32 %rd2, %r11, 4; add.s64 %rd2, %rd2, %out; ld.global.u32 %r12, [%rd2+32768];
        add.u32 %r13, %r12, %r5; setp.lt.s32 %p1, %r4, 5; @%p1 bra L; add.u32 %r13, %r13, 1000;
        L: st.global.u32 [%rd1], %r4; st.global.u32 [%rd1+4], %r5; st.global.u32 [%rd1+8], %r6; st.global.u32 [%rd1+12], %r7;
        st.global.u32 [%rd1+16], %r10; st.global.u32 [%rd1+20], %r13;";
    // Whole warps, and blocks after which a warp of the grid does not begin.
    for block in [32, 96, 128, 33, 100, 24] {
        let words: Vec<u32> = (0..8448).map(|n| n * 3 + 7).collect();
        let [interpreted, compiled] = [Engine::Interpret, Engine::Compile].map(|engine| {
            let mut words = words.clone();
            let launch = launch(&kernel(body), 5, block, &[words.as_mut_ptr() as u64]);
            force_engine(engine, || launch.run()).unwrap();
            words
        });
        let last = (5 * block as usize - 1) * 8;
        assert_eq!(interpreted[last..last + 2], [(5 * block - 1) / 32, (5 * block - 1) % 32]);
        assert!(interpreted == compiled, "{block}");
    }
}

#[test]
fn lanes_that_a_loop_left_behind_come_to_what_a_whole_warp_executes() {
    // The lock makes the lanes diverge for good; the matrix needs all of them: lane `t` has its elements `2t` and `2t + 1`, row by row.
    let body = "L: atom.global.cas.b32 %r1, [%out], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra L;
        atom.global.exch.b32 %r3, [%out], 0;
        mul.lo.u32 %r4, %t, 131074; add.u32 %r4, %r4, 65536;
        movmatrix.sync.aligned.m8n8.trans.b16 %r5, %r4;
        st.global.u32 [%mine+4], %r5;";
    for words in both(body, 32, &[0; 33]) {
        for (lane, &word) in (0..32).zip(&words[1..]) {
            let turned = 16 * (lane % 4) + lane / 4;
            assert_eq!(word, turned | (turned + 8) << 16, "lane {lane}");
        }
    }
}

#[test]
fn what_a_whole_warp_executes_does_not_wait_for_lanes_that_cannot_come() {
    // Half of the warp comes behind a lock, the other half waits for it at a barrier: a mistake of the program, which ends nevertheless.
    let body = "setp.gt.u32 %p2, %t, 15; @%p2 bra B;
        L: atom.global.cas.b32 %r1, [%out], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra L;
        atom.global.exch.b32 %r3, [%out], 0;
        movmatrix.sync.aligned.m8n8.trans.b16 %r5, %t;
        B: bar.sync 0; st.global.u32 [%mine+4], 7;";
    for words in both(body, 32, &[0; 33]) {
        assert_eq!(words[1..], [7; 32]);
    }
}

#[test]
fn lanes_by_addresses_are_the_same_in_both_however_many_are_active() {
    // Of each mask the lanes that are set read and write where numbers lead that nobody foresees; several lanes may store at one place.
    let mut masks =
        vec![0, u32::MAX, 1, 0x8000_0000, 0x8001, 0xffff, 0xffff_0000, 0x1111_1111, 0x0107_0000, 0x00f0_001f];
    masks
        .extend((0..22u32).map(|n| (n + 1).wrapping_mul(2_654_435_761) & (n + 7).wrapping_mul(0x9e37_79b1) << (n % 5)));
    let number =
        "xor.b32 %i, %t, %k; mul.lo.u32 %i, %i, 40503; shr.u32 %i, %i, 3; and.b32 %i, %i, 60; xor.b32 %j, %i, 3;";
    // By numbers of 32 bits, by whole addresses, and in shared memory.
    let narrow = |bytes: u32| format!("mul.wide.u32 %rd1, %i, {bytes}; add.u64 %rd2, %out, %rd1;");
    let wide = |bytes: u32| format!("cvt.u64.u32 %rd1, %i; mad.lo.u64 %rd2, %rd1, {bytes}, %out;");
    let sum =
        "mad.lo.u32 %s, %s, 3, %r1; mad.lo.u32 %s, %s, 5, %r2; mad.lo.u32 %s, %s, 7, %r3; mad.lo.u32 %s, %s, 9, %r4;";
    let bodies = [
        format!("{} ld.global.u32 %r1, [%rd2+256]; st.global.u32 [%rd2+512], %s; ld.global.u32 %r2, [%rd2+512];", narrow(4)),
        format!("{} ld.global.u32 %r1, [%rd2+256]; st.global.u32 [%rd2+512], %s; ld.global.u32 %r2, [%rd2+512];", wide(4)),
        format!("{} ld.global.u64 %rd3, [%rd2+256]; st.global.u64 [%rd2+1024], %rd3; cvt.u32.u64 %r1, %rd3;", narrow(8)),
        format!("{} ld.global.u64 %rd3, [%rd2+256]; st.global.u64 [%rd2+1024], %rd3; cvt.u32.u64 %r1, %rd3;", wide(8)),
        format!("{} ld.global.v2.u32 {{%r1, %r2}}, [%rd2+256]; st.global.v2.u32 [%rd2+512], {{%s, %t}};", narrow(8)),
        format!("{} ld.global.v2.u32 {{%r1, %r2}}, [%rd2+256]; st.global.v2.u32 [%rd2+512], {{7, %s}};", wide(8)),
        format!("{} ld.global.v2.u32 {{_, %r2}}, [%rd2+256]; st.global.v2.u32 [%rd2+512], {{%k, %t}};", wide(8)),
        format!(
            "{} ld.global.v4.u32 {{%r1, %r2, %r3, %r4}}, [%rd2+256]; st.global.v4.u32 [%rd2+512], {{%s, %t, %r1, 5}};",
            wide(16)
        ),
        "shl.b32 %a, %i, 3; add.u32 %a, %a, %b; ld.shared.u32 %r1, [%a+4]; st.shared.u32 [%a], %s; ld.shared.u64 %rd3, [%a];
         st.shared.u64 [%a+512], %rd3; ld.shared.v2.u32 {%r2, %r3}, [%a+512]; st.shared.v2.u32 [%a+1024], {%r3, %s};"
            .to_owned(),
        "shl.b32 %a, %i, 4; add.u32 %a, %a, %b; ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [%a]; st.shared.v4.u32 [%a], {%s, %r1, %t, 4};"
            .to_owned(),
        // Rows of eight lanes without gaps between their elements, and with gaps.
        "shr.u32 %a, %t, 3; xor.b32 %a, %a, %k; and.b32 %a, %a, 3; and.b32 %j, %t, 7; mad.lo.u32 %a, %a, 9, %j; shl.b32 %a, %a, 3;
         add.u32 %a, %a, %b; ld.shared.v2.u32 {%r1, %r2}, [%a+8]; st.shared.v2.u32 [%a], {%s, %r1}; and.b32 %j, %k, 1; xor.b32 %j, %j, %t;
         shl.b32 %j, %j, 3; add.u32 %a, %j, %b; st.shared.v2.u32 [%a+512], {%r2, %s}; mul.wide.u32 %rd9, %j, 1; add.u64 %rd9, %rd9, %out;
         st.global.v2.u32 [%rd9+1024], {%r2, %t};"
            .to_owned(),
    ];
    let mut words = masks.clone();
    words.extend((32..4096u32).map(|n| n.wrapping_mul(2_654_435_761)));
    for (body, guard) in bodies.iter().flat_map(|body| [(body, false), (body, true)]) {
        // Lanes that are not set jump past, or all steps have a guard.
        let accesses =
            if guard {
                body.split_inclusive(';')
                    .map(|step| {
                        if step.contains("ld.") || step.contains("st.") { format!("@%p1 {step}") } else { step.into() }
                    })
                    .collect()
            } else {
                format!("@!%p1 bra S; {body} {sum} S:")
            };
        let body = format!(
            ".shared .align 16 .b8 s[4096]; .reg .b32 %i, %j, %k, %s, %a, %b, %m; .reg .b64 %at; mov.u32 %b, s; mov.u32 %s, %t;
             mov.u32 %r1, 1; mov.u32 %r2, 2; mov.u32 %r3, 3; mov.u32 %r4, 4; mov.u64 %rd3, 9; mov.u32 %k, 0;
             shl.b32 %a, %t, 6; add.u32 %a, %a, %b; st.shared.v4.u32 [%a], {{%t, 1, 2, 3}}; st.shared.v4.u32 [%a+16], {{%t, 4, 5, 6}};
             st.shared.v4.u32 [%a+32], {{7, %t, 8, 9}}; st.shared.v4.u32 [%a+48], {{10, 11, %t, 12}}; bar.sync 0;
             L: mul.wide.u32 %rd4, %k, 4; add.u64 %at, %out, %rd4; ld.global.u32 %m, [%at]; shr.u32 %m, %m, %t; and.b32 %m, %m, 1;
             setp.ne.u32 %p1, %m, 0; {number} {accesses} {sum} add.u32 %k, %k, 1; setp.lt.u32 %p2, %k, 32; @%p2 bra L;
             st.global.u32 [%mine+8192], %s; ld.shared.u32 %r1, [%a]; st.global.u32 [%mine+8320], %r1; ld.shared.u32 %r1, [%b];
             st.global.u32 [%mine+8448], %r1; cvt.u32.u64 %r1, %rd3; st.global.u32 [%mine+8576], %r1;"
        );
        alike_near_and_far(&body, &words);
    }
}

#[test]
fn few_lanes_that_lead_nowhere_fail_in_both() {
    for access in ["ld.global.u32 %r1, [%rd2];", "st.global.u32 [%rd2], %t;", "ld.global.v2.u32 {%r1, %r2}, [%rd2];"] {
        // The last of three lanes is not aligned, or far away.
        for more in ["mul.wide.u32 %rd3, %r3, 2;", "mul.wide.u32 %rd3, %r3, 0x7ffffff8; mul.lo.u64 %rd3, %rd3, 40503;"]
        {
            let body = format!(
                "setp.gt.u32 %p1, %t, 2; mov.u32 %r1, 0; @%p1 bra E; shr.u32 %r3, %t, 1; {more} mad.lo.u64 %rd2, %rd3, 1, %mine;
                 mul.lo.u64 %rd4, %rd29, 2; add.u64 %rd2, %rd2, %rd4; sub.u64 %rd2, %rd2, %rd29; {access} E: st.global.u32 [%mine+256], %r1;"
            );
            let [interpreted, compiled] = [Engine::Interpret, Engine::Compile].map(|engine| {
                let mut words = vec![5u32; 256];
                let launch = launch(&kernel(&body), 1, 32, &[words.as_mut_ptr() as u64]);
                let done = force_engine(engine, || launch.run()).map_err(|failure| failure.line);
                (done, words)
            });
            assert!(interpreted.0.is_err(), "{body}");
            assert_eq!(interpreted, compiled, "{body}");
        }
    }
}

#[test]
fn addresses_that_are_likely_to_be_rows_may_be_others() {
    // What a warp's number leads to is the same for all lanes where blocks are whole warps. Loops leave lanes behind.
    let body = ".reg .b32 %w, %l, %i, %e; .reg .f32 %f<4>; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mad.lo.s32 %r3, %r1, %r2, %t;
        shr.u32 %w, %r3, 5; and.b32 %l, %t, 31; mul.wide.s32 %rd1, %w, 4; add.s64 %rd1, %rd1, %out; ld.global.u32 %i, [%rd1];
        ld.global.u32 %e, [%rd1+4]; add.s32 %i, %i, %l; mov.u32 %r4, 0; mul.wide.s32 %rd2, %i, 4; add.s64 %rd2, %rd2, %out;
        mul.wide.s32 %rd5, %i, 8; add.s64 %rd5, %rd5, %out; mul.wide.s32 %rd4, %r3, 4; add.s64 %rd4, %rd4, %out;
        setp.ge.s32 %p1, %i, %e; @%p1 bra E;
        L: ld.global.u32 %r5, [%rd2+256]; mad.lo.u32 %r4, %r4, 3, %r5; ld.global.u64 %rd6, [%rd5+256]; cvt.u32.u64 %r6, %rd6;
        mad.lo.u32 %r4, %r4, 5, %r6; add.s32 %i, %i, 32; add.s64 %rd2, %rd2, 128; add.s64 %rd5, %rd5, 256;
        mul.wide.s32 %rd7, %i, 4; add.s64 %rd8, %out, %rd7; ld.global.u32 %r7, [%rd8+128]; add.u32 %r4, %r4, %r7;
        setp.lt.s32 %p2, %i, %e; @%p2 bra L;
        E: st.global.u32 [%rd4+16384], %r4; add.s64 %rd9, %rd2, 24576; setp.lt.s32 %p3, %l, 20; @!%p3 bra F; st.global.u32 [%rd9], %r4;
        F: ld.global.u32 %r8, [%rd1+8]; st.global.u32 [%rd4+20480], %r8;";
    for block in [32, 96, 128, 33, 100, 24] {
        // Where rows begin, up to 100 words each; then numbers.
        let mut words: Vec<u32> = (0..20_000u32).map(|n| n.wrapping_mul(2_654_435_761)).collect();
        (0..64usize).for_each(|n| words[n] = n as u32 * 37 % 90 * (n as u32 % 3) + n as u32 * 9);
        let [interpreted, compiled] = [Engine::Interpret, Engine::Compile].map(|engine| {
            let mut words = words.clone();
            let launch = launch(&kernel(body), 1, block, &[words.as_mut_ptr() as u64]);
            force_engine(engine, || launch.run()).unwrap();
            words
        });
        assert!(interpreted == compiled, "{block}");
        assert!(interpreted != words);
    }
}

#[test]
fn remainders_by_one_number_are_the_same_in_both() {
    // Powers of two, other numbers, none, and the least one; with and without a sign, and with some lanes alone.
    let numbers = [1u32, 2, 3, 4, 64, 100, 1 << 30, 1 << 31, u32::MAX, u32::MAX - 7, 0];
    let mut words: Vec<u32> = (0..512u32).map(|n| n.wrapping_mul(2_654_435_761) ^ n << 3).collect();
    for number in numbers {
        words[..4].fill(number);
        words[40] = 1 << 31;
        words[41] = 0;
        let body = "ld.global.u32 %r1, [%out]; ld.global.u32 %r2, [%mine+128]; mov.u32 %r5, 7; mov.u32 %r6, 9;
            rem.u32 %r3, %r2, %r1; rem.s32 %r4, %r2, %r1; setp.gt.u32 %p1, %t, 9; @%p1 rem.s32 %r5, %r2, %r1; div.u32 %r7, 1000, %r1;
            @%p1 rem.u32 %r6, 777, %r1; st.global.u32 [%mine+512], %r3; st.global.u32 [%mine+640], %r4;
            st.global.u32 [%mine+768], %r5; st.global.u32 [%mine+896], %r6; st.global.u32 [%mine+1024], %r7;";
        let [interpreted, compiled] = both(body, 32, &words);
        assert_eq!(interpreted, compiled, "{number}");
    }
}

#[test]
fn bits_that_turn_are_the_same_in_both() {
    let words: Vec<u32> = (0..128u32).map(|n| n.wrapping_mul(2_654_435_761)).collect();
    for by in [0u32, 1, 7, 31, 32, 33, 63] {
        for form in ["l.wrap", "r.wrap", "l.clamp", "r.clamp"] {
            let body = format!(
                "ld.global.u32 %r1, [%mine]; mov.u32 %r3, 5; shf.{form}.b32 %r2, %r1, %r1, {by}; setp.gt.u32 %p1, %t, 9;
                 @%p1 shf.{form}.b32 %r3, %r1, %r1, {by}; st.global.u32 [%mine+128], %r2; st.global.u32 [%mine+256], %r3;"
            );
            let [interpreted, compiled] = both(&body, 32, &words);
            assert_eq!(interpreted, compiled, "{form} {by}");
        }
    }
}

#[test]
fn what_the_frame_has_already_is_what_it_was() {
    // Numbers that stay as they are, and others that change, between barriers and calls of the interpreter's steps (a root of f64,
    // as an estimate): on ways that lanes take one after the other, in loops that some of them leave, and in f32 with NaNs.
    let step = |n: u32| {
        format!("cvt.rn.f64.u32 %d, %a{n}; rsqrt.approx.f64 %d, %d; cvt.rzi.u32.f64 %r1, %d; add.u32 %r1, %r1, %t;")
    };
    let (first, second, third) = (step(1), step(2), step(3));
    let body = format!(
        ".shared .align 4 .b8 s[1024]; .reg .b32 %a<8>, %n, %s; .reg .f64 %d; .reg .f32 %f<8>;
         mov.u32 %s, s; mad.lo.u32 %s, %t, 4, %s; ld.global.u32 %a1, [%mine]; ld.global.u32 %a2, [%mine+1024];
         xor.b32 %a3, %a1, %a2; and.b32 %a4, %a1, 7; mov.u32 %n, 0; ld.global.f32 %f1, [%mine]; ld.global.f32 %f2, [%mine+1024];
         mul.f32 %f3, %f1, %f2; sub.f32 %f4, %f3, %f3;
         L: {first} add.u32 %a2, %a2, %r1; st.shared.u32 [%s], %a2; bar.sync 0; ld.shared.u32 %a5, [%s]; bar.sync 0;
         setp.gt.u32 %p1, %a4, 3; @%p1 bra B;
         add.u32 %a3, %a3, %a1; {second} add.u32 %a5, %a5, %r1; fma.rn.f32 %f4, %f3, %f1, %f4; {third} xor.b32 %a3, %a3, %r1; bra C;
         B: {third} sub.u32 %a3, %a3, %r1; mul.f32 %f3, %f3, %f2; {first} add.u32 %a1, %a1, %r1;
         M: add.u32 %a6, %a3, %a5; {second} xor.b32 %a3, %a6, %r1; sub.u32 %a4, %a4, 1; setp.gt.u32 %p2, %a4, 4; @%p2 bra M;
         C: add.u32 %a1, %a1, %a5; bar.sync 0; {first} add.u32 %a3, %a3, %a1; add.u32 %n, %n, 1; setp.lt.u32 %p3, %n, 5; @%p3 bra L;
         mov.b32 %a6, %f3; mov.b32 %a7, %f4; st.global.u32 [%mine+2048], %a1; st.global.u32 [%mine+3072], %a2;
         st.global.u32 [%mine+4096], %a3; st.global.u32 [%mine+5120], %a6; st.global.u32 [%mine+6144], %a7;"
    );
    let words: Vec<u32> = (0..2048u32).map(|n| n.wrapping_mul(2_654_435_761) ^ (n % 5) << 29).collect();
    for threads in [32, 96, 256, 45] {
        let [interpreted, compiled] = both(&body, threads, &words);
        assert_ne!(interpreted, words);
        assert_eq!(interpreted, compiled, "{threads} threads");
    }
}
