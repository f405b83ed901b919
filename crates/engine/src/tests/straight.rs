//! Kernels without loops, of which code looks at as little as it can for each warp: the same results, and the same mistakes at the same
//! lines, as the interpreter gives.

#![expect(clippy::disallowed_methods, reason = "memory of tests")]

use super::*;
use crate::running::{force_engine, with_avx2};
use crate::state::fault::Fault;
use settings::config::Engine;

/// How a launch ends, with the line of what went wrong, and what it leaves of the words.
type End = (Result<(), (Fault, u32)>, Vec<u32>);

/// What a kernel `k` leaves of `words` by the interpreter, which compiled code at both levels leaves, too. `parameters` are given where
/// the words are; `reach`: kernels may access so many bytes from there on, if that is told.
fn alike(
    text: &str,
    shape: [[u32; 3]; 2],
    words: &[u32],
    reach: Option<u64>,
    parameters: impl Fn(u64) -> Vec<u64>,
) -> End {
    let end = |engine| {
        let mut words = words.to_vec();
        let start = words.as_mut_ptr() as u64;
        let mut launch = launch(text, 1, 1, &parameters(start));
        launch.shape = LaunchShape { grid: shape[0], block: shape[1] };
        // Blocks one after the other: what they leave before one goes wrong is the same each time.
        launch.cores = 1;
        if let Some(bytes) = reach {
            launch.services = within(AddressRange { start, bytes });
        }
        let result = force_engine(engine, || launch.run());
        (result.map_err(|failure| (failure.fault, failure.line)), words)
    };
    let wanted = end(Engine::Interpret);
    let both = [end(Engine::Compile), with_avx2(|| end(Engine::Compile))];
    for (found, level) in both.iter().zip(["all", "AVX2"]) {
        assert_eq!(found.0, wanted.0, "{level}: {text}");
        let differs = found.1.iter().zip(&wanted.1).position(|(a, b)| a != b);
        assert_eq!(differs, None, "{level}: {:?}\n{text}", wanted.0);
    }
    wanted
}

/// A kernel with two pointers `%in` and `%out` and two numbers `%w` and `%h`. `%x` and `%y` are the thread's places. Each
/// register is written once, as compilers do: what is written twice is no row.
fn plane(body: &str) -> String {
    format!(
        ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d) {{
         .reg .pred %p<12>; .reg .b32 %r<30>, %x, %y, %w, %h, %i; .reg .f32 %f<16>; .reg .b64 %rd<30>, %in, %out, %at, %to, %by;
         ld.param.u64 %in, [a]; ld.param.u64 %out, [b]; ld.param.u32 %w, [c]; ld.param.u32 %h, [d];
         mov.u32 %r1, %ntid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %tid.x; mad.lo.s32 %x, %r2, %r1, %r3;
         mov.u32 %r21, %ntid.y; mov.u32 %r22, %ctaid.y; mov.u32 %r23, %tid.y; mad.lo.s32 %y, %r22, %r21, %r23;
         {body}\nret;\n}}\n"
    )
}

fn numbers(count: u32) -> Vec<u32> {
    (0..count).map(|n| (n as f32 * 0.37 - 11.0).to_bits()).collect()
}

#[test]
fn pointers_that_are_not_aligned() {
    let start = "mul.wide.s32 %by, %x, 4; add.s64 %at, %in, %by; add.s64 %to, %out, %by;";
    let bodies = [
        format!("{start}\nld.global.f32 %f1, [%at];\nadd.f32 %f1, %f1, 0f3F800000;\nst.global.f32 [%to], %f1;"),
        // One of the pointers is used by some warps alone, or by none.
        format!(
            "{start}\nsetp.lt.s32 %p1, %x, %w; @%p1 bra L;\nld.global.f32 %f1, [%at]; L:\nst.global.u32 [%to], %x;"
        ),
        format!("{start}\nsetp.lt.s32 %p1, %x, %w;\n@!%p1 ld.global.f32 %f1, [%at];\nst.global.u32 [%to], %x;"),
        // What is added makes up for it.
        format!("{start}\nld.global.u32 %r5, [%at+3];\nst.global.u32 [%to], %r5;"),
        format!("{start}\nadd.s64 %at, %at, 2;\nld.global.u32 %r5, [%at];\nst.global.u32 [%to], %r5;"),
        // Words of several sizes off one pointer.
        "mul.wide.s32 %by, %x, 16; add.s64 %at, %in, %by; mul.wide.s32 %by, %x, 4; add.s64 %to, %out, %by;
         ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%at];\nxor.b32 %r5, %r6, %r7;\nst.global.u32 [%to], %r5;"
            .to_owned(),
        format!(
            "{start}\nld.global.u8 %r5, [%at];\nld.global.u16 %r6, [%at+2];\nadd.u32 %r5, %r5, %r6;\nst.global.u32 [%to], %r5;"
        ),
    ];
    let (mut right, mut wrong) = (0, 0);
    for body in &bodies {
        for [first, second] in [[0, 0], [4, 0], [8, 4], [1, 0], [2, 0], [0, 2], [3, 3]] {
            for width in [0, 64, 1000] {
                let shape = [[3, 1, 1], [64, 1, 1]];
                let pointers = |start: u64| vec![start + first, start + 4096 + second, width, 0];
                let end = alike(&plane(body), shape, &numbers(2048), None, pointers);
                *if end.0.is_ok() { &mut right } else { &mut wrong } += 1;
            }
        }
    }
    assert!(right > 20 && wrong > 20, "{right} {wrong}");
}

#[test]
fn neighbours_out_of_reach() {
    let start = "mul.wide.s32 %by, %x, 4; add.s64 %at, %in, %by; add.s64 %to, %out, %by;";
    // What another address is made of is in a register of its own.
    let row = "mul.wide.s32 %rd6, %w, 4; add.s64 %rd5, %at, %rd6;\nld.global.f32 %f5, [%rd5];\nadd.f32 %f1, %f1, %f5;";
    // The same register tells accesses of several blocks of steps, some of which not all warps come to.
    let near = |way: &str| {
        format!(
            "{start}\nld.global.f32 %f1, [%at];\n{way}\nld.global.f32 %f2, [%at+-4];\nld.global.f32 %f3, [%at+4];
             ld.global.f32 %f4, [%at+256];\nadd.f32 %f1, %f1, %f2;\nadd.f32 %f1, %f1, %f3;\nadd.f32 %f1, %f1, %f4;\n{row}
             st.global.f32 [%to], %f1;\nret;\nL: st.global.u32 [%to], 7;"
        )
    };
    let bodies = [
        near(""),
        near("setp.ge.s32 %p1, %x, %w;\n@%p1 bra L;"),
        near("setp.eq.s32 %p1, %x, 0;\nsetp.ge.s32 %p2, %x, %w;\nor.pred %p1, %p1, %p2;\n@%p1 bra L;"),
        // One of them is too far away to be looked at with what was before.
        format!(
            "{start}\nld.global.f32 %f1, [%at];\nsetp.ge.s32 %p1, %x, %w;\n@%p1 bra L;\nld.global.f32 %f2, [%at+3000];
             add.f32 %f1, %f1, %f2;\nld.global.f32 %f2, [%at+6000];\nadd.f32 %f1, %f1, %f2;\n{row}\nst.global.f32 [%to], %f1;\nret;\nL: st.global.u32 [%to], 7;"
        ),
        // Lanes go different ways within a warp.
        near("and.b32 %r5, %x, 1;\nsetp.eq.u32 %p1, %r5, 1;\n@%p1 bra L;"),
        near("and.b32 %r5, %x, 32;\nsetp.ne.u32 %p1, %r5, 0;\n@%p1 bra L;"),
        // Two ways, one behind the other, and a store among the accesses.
        near(
            "setp.ge.s32 %p1, %x, %w;\n@%p1 bra L;\nst.global.f32 [%at+8], %f1;\nsetp.eq.s32 %p2, %x, 5;\n@%p2 bra L;",
        ),
    ];
    // The words behind those that may be accessed, and those before them.
    let (mut right, mut wrong) = (0, 0);
    for body in &bodies {
        for reach in [4096, 4096 + 252, 4096 + 256, 4096 + 260, 4096 + 768, 4096 + 1028, 8192] {
            for (first, width) in [(4096, 192), (4096, 100), (4096, 0), (4096, 32), (0, 192), (4, 192), (4, 64)] {
                let pointers = |start: u64| vec![start + first, start + 1024, width, 0];
                let end = alike(&plane(body), [[3, 1, 1], [64, 1, 1]], &numbers(4096), Some(reach), pointers);
                *if end.0.is_ok() { &mut right } else { &mut wrong } += 1;
            }
        }
    }
    assert!(right > 20 && wrong > 20, "{right} {wrong}");
}

#[test]
fn comparisons_that_come_out_otherwise() {
    // A border of a plane is copied, and what lies within is summed, as boundary tests mostly say that no lane is at a border.
    let body = "setp.ge.s32 %p1, %x, %w; setp.ge.s32 %p2, %y, %h; or.pred %p3, %p1, %p2; @%p3 bra E;
        mad.lo.s32 %i, %y, %w, %x; setp.eq.s32 %p4, %y, 0; setp.eq.s32 %p5, %x, 0; or.pred %p6, %p5, %p4;
        add.s32 %r12, %w, -1; setp.eq.s32 %p7, %x, %r12; or.pred %p8, %p6, %p7;
        add.s32 %r13, %h, -1; setp.eq.s32 %p9, %y, %r13; or.pred %p10, %p8, %p9;
        mul.wide.s32 %by, %i, 4; add.s64 %at, %in, %by; ld.global.f32 %f1, [%at]; add.s64 %to, %out, %by;
        @%p10 bra B;
        ld.global.f32 %f2, [%at+-4]; ld.global.f32 %f3, [%at+4]; add.f32 %f4, %f2, %f3;
        sub.s32 %r14, %i, %w; mul.wide.s32 %rd1, %r14, 4; add.s64 %rd2, %in, %rd1; ld.global.f32 %f5, [%rd2]; add.f32 %f4, %f4, %f5;
        mul.wide.s32 %rd3, %w, 4; add.s64 %rd4, %at, %rd3; ld.global.f32 %f6, [%rd4]; add.f32 %f4, %f4, %f6;
        mul.f32 %f7, %f4, 0f3E000000; fma.rn.f32 %f1, %f1, 0f3F000000, %f7;
        B: st.global.f32 [%to], %f1; E:";
    // What is foreseen is read again: as a number, by a guard, and behind where ways meet.
    let again = "setp.eq.s32 %p1, %x, 0; setp.eq.s32 %p2, %y, %h; or.pred %p3, %p1, %p2; and.pred %p4, %p1, %p2; xor.pred %p5, %p3, %p1;
        not.pred %p6, %p3; selp.u32 %r5, 3, 4, %p3; selp.u32 %r6, 5, %x, %p4; @%p5 add.u32 %r6, %r6, 100; @%p6 bra L; add.u32 %r5, %r5, %y;
        L: @!%p1 add.u32 %r5, %r5, 1000; add.u32 %r5, %r5, %r6; mad.lo.s32 %i, %y, %w, %x; mul.wide.s32 %by, %i, 4; add.s64 %to, %out, %by;
        setp.lt.s32 %p7, %x, %w; and.pred %p8, %p7, %p3; selp.u32 %r7, 1, 2, %p8; add.u32 %r5, %r5, %r7; @%p7 st.global.u32 [%to], %r5;";
    for body in [body, again] {
        for block in [[32, 4, 1], [64, 2, 1], [16, 8, 1], [33, 3, 1]] {
            for [width, height] in [[1, 1], [2, 3], [31, 4], [32, 5], [33, 7], [64, 9], [65, 8], [100, 12], [128, 3]] {
                let grid = [128u32.div_ceil(block[0]), 12u32.div_ceil(block[1]), 1];
                let pointers = |start: u64| vec![start + 1024, start + 16384, width, height];
                let end = alike(&plane(body), [grid, block], &numbers(8192), None, pointers);
                assert_eq!(end.0, Ok(()));
            }
        }
    }
}

/// Pages, the last of which nobody may access.
struct Pages(*mut u8);

impl Pages {
    const BYTES: usize = 4096;

    fn new() -> Pages {
        // SAFETY: a fresh mapping, touching nothing that exists, of which the last page is taken away.
        unsafe {
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            let start =
                libc::mmap(core::ptr::null_mut(), 3 * Self::BYTES, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0);
            assert_ne!(start, libc::MAP_FAILED);
            assert_eq!(libc::mprotect(start.byte_add(2 * Self::BYTES), Self::BYTES, libc::PROT_NONE), 0);
            Pages(start.cast())
        }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and no kernel runs.
        unsafe { libc::munmap(self.0.cast(), 3 * Self::BYTES) };
    }
}

#[test]
fn faults_tell_the_line_of_the_access() {
    // All addresses are in reach, and some of them are of no memory: the system says so, in the middle of a row.
    let start = "mul.wide.s32 %by, %x, 4; add.s64 %at, %in, %by; add.s64 %to, %out, %by;";
    let bodies = [
        format!("{start}\nld.global.f32 %f1, [%at];\nst.global.f32 [%to], %f1;"),
        format!("{start}\nld.global.f32 %f1, [%at];\nld.global.f32 %f2, [%at+128];\nadd.f32 %f1, %f1, %f2;\nld.global.f32 %f3, [%at+256];
                 add.f32 %f1, %f1, %f3;\nst.global.f32 [%to], %f1;"),
        format!("{start}\nld.global.f32 %f1, [%to];\nadd.f32 %f1, %f1, 0f3F800000;\nst.global.f32 [%to], %f1;\nst.global.f32 [%at], %f1;\nst.global.f32 [%at+64], %f1;"),
        // Loads that the next step makes, behind a way that some go.
        format!("{start}\nld.global.f32 %f1, [%to];\nsetp.eq.s32 %p1, %x, 0;\n@%p1 bra L;\nld.global.f32 %f2, [%at];\nmul.f32 %f1, %f1, %f2;
                 ld.global.f32 %f3, [%at+4];\nfma.rn.f32 %f1, %f3, 0f3F000000, %f1;\nL: st.global.f32 [%to], %f1;"),
        // A step of the interpreter's in between, and one that goes wrong.
        format!("{start}\nld.global.f32 %f1, [%at];\natom.global.add.u32 %r5, [%to], 1;\nld.global.f32 %f2, [%at+192];\nst.global.f32 [%to], %f2;"),
        format!("{start}\nld.global.f32 %f1, [%to];\natom.global.add.u32 %r5, [%at], 1;\nst.global.f32 [%to], %f1;"),
    ];
    let (mut right, mut wrong) = (0, 0);
    for body in &bodies {
        for back in [0, 4, 64, 128, 132, 192, 256, 384, 768, 772, 1024, 1200] {
            let run = |engine| {
                let pages = Pages::new();
                let start = pages.0 as u64;
                let edge = start + 2 * Pages::BYTES as u64;
                let mut launch = launch(&plane(body), 3, 64, &[edge - back, start, 0, 0]);
                launch.cores = 1;
                launch.services = within(AddressRange { start, bytes: 3 * Pages::BYTES as u64 });
                let result = force_engine(engine, || launch.run());
                result.map_err(|failure| (failure.fault, failure.line))
            };
            let wanted = run(Engine::Interpret);
            assert_eq!(run(Engine::Compile), wanted, "{back} {body}");
            assert_eq!(with_avx2(|| run(Engine::Compile)), wanted, "AVX2: {back} {body}");
            *if wanted.is_ok() { &mut right } else { &mut wrong } += 1;
        }
    }
    assert!(right > 10 && wrong > 10, "{right} {wrong}");
}
