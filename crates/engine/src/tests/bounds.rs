//! Kernels that may access some of the memory of the process only.

use super::*;
use crate::state::fault::Fault;
use crate::state::reservation::Reservation;

/// What comes of a kernel with an address of ours, one inside of the accessible range, one of our words that it may access, and one
/// that it may not.
fn outcomes(text: &str, block: u32) -> [Result<(), Fault>; 3] {
    let reservation = Reservation::new(&host::HOST, 1 << 16, 128).unwrap();
    let mut words = Box::new(Words([7u32; 1 << 14]));
    let ours = words.0.as_mut_ptr() as u64;
    let more = AddressRange { start: ours, bytes: 1 << 16 };
    let run = |address: u64, more: AddressRange| {
        let launch = Launch { services: fenced(more), ..launch(text, 1, block, &[address]) };
        launch.run().map_err(|failure| failure.fault)
    };
    let all = [run(reservation.start(), AddressRange::NOTHING), run(ours, more), run(ours, AddressRange::NOTHING)];
    words.0.fill(7);
    assert!(
        run(ours, AddressRange::NOTHING).is_err() == all[2].is_err()
            && (all[2].is_ok() || words.0.iter().all(|&w| w == 7))
    );
    all
}

const STRAYS: [Result<(), Fault>; 3] = [Ok(()), Ok(()), Err(Fault::IllegalAddress)];

#[test]
fn accesses() {
    for (body, block) in [
        ("ld.global.u32 %r1, [%mine];", 32),
        ("ld.global.u32 %r1, [%mine];", 7),
        ("ld.global.u32 %r1, [%out];", 64),
        ("ld.u64 %rd1, [%out+8];", 1),
        ("st.global.u32 [%mine], %t;", 32),
        ("st.global.u32 [%mine], %t;", 40),
        ("st.u8 [%mine+3], 1;", 32),
        (
            "xor.b32 %r1, %t, 5; mul.wide.u32 %rd1, %r1, 8; add.u64 %rd1, %rd1, %out; ld.global.v2.u32 {%r2, %r3}, [%rd1];",
            32,
        ),
        ("xor.b32 %r1, %t, 5; mul.wide.u32 %rd1, %r1, 4; add.u64 %rd1, %rd1, %out; st.global.u32 [%rd1], %r1;", 32),
        ("atom.global.add.u32 %r1, [%mine], 1;", 32),
        ("red.global.add.f32 [%out], 0f3F800000;", 9),
        (
            "{ .shared .align 128 .b8 s[512]; .reg .b32 %s; mul.lo.u32 %s, %t, 8; mov.u32 %r1, s; add.u32 %s, %s, %r1;
            mul.wide.u32 %rd1, %t, 8; add.u64 %rd1, %rd1, %out; cp.async.ca.shared.global [%s], [%rd1], 8; }",
            32,
        ),
        (
            "{ .shared .align 128 .b8 s[512]; .reg .b32 %s; mov.u32 %s, s;
            cp.async.bulk.global.shared::cta.bulk_group [%out], [%s], 512; }",
            1,
        ),
        ("mbarrier.init.b64 [%out], 3;", 1),
    ] {
        assert_eq!(outcomes(&kernel(body), block), STRAYS, "{body} by {block}");
    }
    // What is not accessed is not checked.
    for body in ["prefetch.global.L2 [%out];", "setp.gt.u32 %p1, %t, 99; @%p1 st.global.u32 [%mine], %t;"] {
        assert_eq!(outcomes(&kernel(body), 32), [Ok(()); 3], "{body}");
    }
}

/// The edge of what may be accessed lies within a row.
#[test]
fn rows_that_reach_too_far() {
    let mut words = Box::new(Words([0u32; 1 << 10]));
    let ours = words.0.as_mut_ptr() as u64;
    let more = AddressRange { start: ours + 256, bytes: 128 };
    for (at, block, fits) in
        [(256, 32, true), (252, 32, false), (260, 32, false), (260, 31, true), (320, 16, true), (320, 17, false)]
    {
        for body in ["ld.global.u32 %r1, [%mine];", "st.global.u32 [%mine], %t;"] {
            let launch = launch(&kernel(body), 1, block, &[ours + at]);
            let result = Launch { services: fenced(more), ..launch }.run();
            assert_eq!(result.is_ok(), fits, "{body} of {block} at {at}");
        }
    }
    let outside = words.0[..64].iter().chain(&words.0[96..]);
    assert!(outside.copied().all(|word| word == 0));
}

/// What a kernel has fills and copies behind it, and what functions of the device's runtime write.
#[test]
fn the_runtime_of_the_device() {
    let runtime = "
        .extern .func (.param .b32 r) __cudaCDP2MemsetAsync (.param .b64 p, .param .b32 v, .param .b64 n, .param .b64 s);
        .extern .func (.param .b32 r) __cudaCDP2MemcpyAsync (.param .b64 to, .param .b64 from, .param .b64 n, .param .b32 kind, .param .b64 s);
        .extern .func (.param .b32 r) __cudaCDP2EventCreateWithFlags (.param .b64 e, .param .b32 f);\n";
    let fill =
        "{ .param .b64 p, n, s; .param .b32 v, r; st.param.b64 [p], %out; st.param.b32 [v], 3; st.param.b64 [n], 400;
        st.param.b64 [s], 0; call (r), __cudaCDP2MemsetAsync, (p, v, n, s); }";
    let copy =
        "{ .param .b64 p, f, n, s; .param .b32 k, r; .reg .b64 %b; add.u64 %b, %out, 4096; st.param.b64 [p], %out;
        st.param.b64 [f], %b; st.param.b64 [n], 400; st.param.b32 [k], 3; st.param.b64 [s], 0;
        call (r), __cudaCDP2MemcpyAsync, (p, f, n, k, s); }";
    for body in [fill, copy] {
        assert_eq!(outcomes(&format!("{runtime}{}", kernel(body)), 1), STRAYS, "{body}");
    }
    // An error of the call.
    let event = "{ .param .b64 e; .param .b32 f, r; st.param.b64 [e], %out; st.param.b32 [f], 2;
        call (r), __cudaCDP2EventCreateWithFlags, (e, f); ld.param.b32 %r1, [r]; setp.ne.u32 %p1, %r1, 0; @%p1 trap; }";
    let wanted = [Ok(()), Ok(()), Err(Fault::Trap)];
    assert_eq!(outcomes(&format!("{runtime}{}", kernel(event)), 1), wanted);
}

#[test]
fn null_is_nowhere_even_where_kernels_may_access_everything() {
    for body in [
        "ld.global.u32 %r1, [%mine];",
        "ld.global.u32 %r1, [%out+16];",
        "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%out];",
        "setp.lt.u32 %p1, %t, 9; @%p1 ld.global.u32 %r1, [%mine];",
        "st.global.u32 [%mine], %t;",
        "atom.global.add.u32 %r1, [%out], 1;",
    ] {
        let result = launch(&kernel(body), 1, 32, &[0]).run();
        assert_eq!(result.map_err(|failure| failure.fault), Err(Fault::IllegalAddress), "{body}");
    }
}

/// Offsets near the ends of their 64 bits: sums wrap, also those of the parts of a vector.
#[test]
fn offsets_of_any_size() {
    let accesses = [
        "ld.global.u32 %r1, [A]; st.global.u32 [A], %r1;",
        "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [A]; st.global.v4.u32 [A], {%r4, %r3, %r2, %r1};",
        "ld.global.v2.u64 {%rd1, %rd2}, [A]; st.v2.u64 [A], {%rd2, %rd1};",
        "ld.global.u8 %r1, [A]; st.global.u8 [A], %r1; ld.s16 %r2, [A];",
        "atom.global.add.u32 %r1, [A], 1; red.global.max.u32 [A], 9; atom.global.cas.b64 %rd1, [A], %rd2, %rd3;",
        "{ .reg .f32 %f<5>; mov.f32 %f1, 0f3F800000; atom.global.add.v4.f32 {%f1, %f2, %f3, %f4}, [A], {%f1, %f1, %f1, %f1};
           red.global.add.v2.f32 [A], {%f1, %f1}; }",
        "{ .reg .b32 %w<9>; ld.global.v8.b32 {%w0, %w1, %w2, %w3, %w4, %w5, %w6, %w7}, [A]; st.global.v8.b32 [A], {%w7, %w1, %w2, %w3, %w4, %w5, %w6, %w0}; }",
        "{ .reg .b128 %q; ld.global.b128 %q, [A]; st.global.b128 [A], %q; atom.global.exch.b128 %q, [A], %q; }",
        "prefetch.global.L2 [A];",
    ];
    let run = |body: &str, engine| {
        let mut words: Vec<u32> = vec![0; 2048 + 64];
        let first = words.as_ptr().align_offset(64);
        (0..2048u32).for_each(|n| words[first + n as usize] = n.wrapping_mul(0x9e37_79b9));
        let text = HEAD.replace("sm_90a", "sm_100a") + &kernel(body);
        let launch = launch(&text, 1, 32, &[words[first + 512..].as_mut_ptr() as u64]);
        let result = crate::running::force_engine(engine, || launch.run());
        (result.map_err(|failure| failure.fault), words[first..first + 2048].to_vec())
    };
    for offset in
        [i64::MAX, i64::MAX - 31, i64::MAX - 63, i64::MIN, i64::MIN + 16, 0x8000_0000, -0x8000_0010, i64::MAX - 15]
    {
        for access in accesses {
            // Each lane has a place of 64 bytes, or all have the same one.
            for (base, thread) in [("%out", "0"), ("%mine", "%t")] {
                let at = |address: &str| access.replace('A', &format!("{address}+{offset}"));
                let back = format!(
                    "mul.wide.u32 %rd7, {thread}, 60; add.u64 %rd7, %rd7, {base}; mov.u64 %rd9, {offset}; sub.u64 %rd8, %rd7, %rd9; {}",
                    at("%rd8")
                );
                for (body, there) in [(back, true), (at(base), false)] {
                    // Not two gigabytes away, where something of the process may be.
                    if !there && offset.unsigned_abs() >> 40 == 0 {
                        continue;
                    }
                    let interpreted = run(&body, settings::config::Engine::Interpret);
                    let compiled = run(&body, settings::config::Engine::Compile);
                    let narrow = crate::running::with_avx2(|| run(&body, settings::config::Engine::Compile));
                    if there {
                        assert_eq!(interpreted.0, Ok(()), "{body}");
                    } else {
                        assert!(access.contains("prefetch") || interpreted.0.is_err(), "{body}: succeeds");
                    }
                    assert_eq!(interpreted.0, compiled.0, "{body}");
                    assert_eq!(interpreted.0, narrow.0, "AVX2: {body}");
                    assert!(interpreted.1 == compiled.1 && interpreted.1 == narrow.1, "{body}");
                }
            }
        }
    }
}
