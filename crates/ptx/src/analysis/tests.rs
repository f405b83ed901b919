//! The analyses on small kernels.

use super::class::{Class, Known, Uniformity, classes, fixed};
use super::effect::{Purity, effect};
use super::ssa::{Origin, Ssa};
use crate::{self as ptx, Body};

const HEAD: &str = ".version 8.7\n.target sm_90\n.address_size 64\n";

fn text(code: &str) -> String {
    format!(
        "{HEAD}.visible .entry k(.param .u64 a, .param .u32 n) {{ .reg .pred %p<9>; .reg .b32 %r<30>; .reg .f32 %f<9>;\n\
         .reg .b64 %rd<30>;\n{code}\nret; }}"
    )
}

fn with<R>(code: &str, f: impl FnOnce(&Body<'_>, &Ssa) -> R) -> R {
    let text = text(code);
    let module = ptx::parse(&text).unwrap_or_else(|e| panic!("{e}"));
    let body = module.functions[0].body.as_ref().unwrap();
    f(body, &Ssa::new(body))
}

/// The class of the first result of instruction `at`, for blocks of `threads`.
fn class(code: &str, at: usize, threads: [u32; 3]) -> Class {
    with(code, |body, ssa| {
        let classes =
            classes(body, ssa, Known { entry: true, parameters: 1, threads: Some(threads), ..Known::default() });
        classes.of[ssa.defs[at][0] as usize]
    })
}

fn uniformity(code: &str, at: usize) -> Uniformity {
    class(code, at, [256, 1, 1]).uniformity
}

const ROW: [u32; 3] = [256, 1, 1];

#[test]
fn results_and_operands() {
    with(
        "setp.eq.u32 %p1|%p2, %r1, %r2; @!%p1 add.u32 %r3, %r1, 1; st.global.u32 [%rd1+4], %r3; foo: bra foo;",
        |body, _| {
            let of = |at: usize| effect(&body.instructions[at]);
            assert_eq!((of(0).purity, of(0).defs.len(), of(0).uses.len()), (Purity::Pure, 2, 2));
            assert_eq!((of(1).defs.len(), of(1).uses.len()), (1, 2));
            assert_eq!((of(2).purity, of(2).defs.len(), of(2).uses.len()), (Purity::Other, 0, 2));
            assert_eq!((of(3).purity, of(3).defs.len()), (Purity::Other, 0));
        },
    );
    // What adds carries depends on more than its operands.
    with("add.cc.u32 %r1, %r2, %r3; addc.u32 %r4, %r2, %r3; mov.u32 %r5, %clock;", |body, _| {
        assert!((0..3).all(|at| effect(&body.instructions[at]).purity == Purity::Other));
    });
}

#[test]
fn values_join_where_paths_meet() {
    // 0: mov; 1: bra; 2: mov; L 3: add
    let code = "mov.u32 %r1, 1; @%p1 bra L; mov.u32 %r1, 2; L: add.u32 %r2, %r1, %r3;";
    with(code, |_, ssa| {
        let read = ssa.uses[3][0];
        let join = &ssa.values[read as usize];
        assert_eq!(join.origin, Origin::Join(2));
        let mut from = join.from.clone();
        from.sort_unstable();
        assert_eq!(from, [ssa.defs[0][0], ssa.defs[2][0]]);
        // No instruction wrote the other operand.
        assert_eq!(ssa.values[ssa.uses[3][1] as usize].origin, Origin::Undefined);
        assert_eq!(ssa.count[ssa.defs[3][0] as usize], 0);
    });
}

#[test]
fn loops_join_at_their_head() {
    // 0: mov; L 1: add; 2: setp; 3: bra; 4: mov
    let code = "mov.u32 %r1, 0; L: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 9; @%p1 bra L; mov.u32 %r2, %r1;";
    with(code, |_, ssa| {
        let head = ssa.uses[1][0];
        assert_eq!(ssa.values[head as usize].origin, Origin::Join(1));
        assert!(ssa.values[head as usize].from.contains(&ssa.defs[1][0]));
        assert_eq!(ssa.uses[4][0], ssa.defs[1][0]);
    });
}

#[test]
fn guarded_results_follow_from_what_was_there() {
    with("mov.u32 %r1, 1; @%p1 mov.u32 %r1, 2; mov.u32 %r2, %r1;", |_, ssa| {
        assert!(ssa.uses[1].contains(&ssa.defs[0][0]));
        // Registers are numbered as they are mentioned: %r1, %p1, %r2.
        assert_eq!(ssa.held(2, 2), None);
        assert_eq!(ssa.held(0, 2), Some(ssa.defs[1][0]));
        assert_eq!(ssa.uses[2][0], ssa.defs[1][0]);
    });
}

#[test]
fn addresses_are_affine() {
    let code = "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.s32 %r4, %r1, %r2, %r3;\n\
                ld.param.u64 %rd1, [a]; cvta.to.global.u64 %rd2, %rd1; mul.wide.s32 %rd3, %r4, 4;\n\
                add.s64 %rd4, %rd2, %rd3; ld.global.f32 %f1, [%rd4]; shl.b32 %r5, %r3, 2; sub.u32 %r6, %r1, %r5;";
    assert_eq!(uniformity(code, 0), Uniformity::Uniform);
    assert_eq!(uniformity(code, 3), Uniformity::Affine { stride: 1, guarded: false });
    assert_eq!(uniformity(code, 6), Uniformity::Affine { stride: 4, guarded: true });
    assert_eq!(uniformity(code, 7), Uniformity::Affine { stride: 4, guarded: true });
    assert_eq!(uniformity(code, 8), Uniformity::Varying);
    assert_eq!(uniformity(code, 9), Uniformity::Affine { stride: 4, guarded: false });
    assert_eq!(uniformity(code, 10), Uniformity::Affine { stride: -4, guarded: false });
    // Threads in rows of 16 are two rows a warp.
    assert_eq!(class(code, 2, [16, 16, 1]).uniformity, Uniformity::Varying);
    // What depends on the block is not the same for all.
    assert!(!class(code, 3, ROW).fixed);
    assert!(class(code, 9, ROW).fixed && class(code, 5, ROW).fixed);
    with(code, |body, ssa| {
        let classes = classes(body, ssa, Known { entry: true, parameters: 1, ..Known::default() });
        let early = fixed(body, ssa, &classes);
        assert_eq!(early[..11], [false, true, true, false, true, true, false, false, false, true, false]);
    });
}

#[test]
fn a_number_of_lanes_that_wraps_is_no_stride_without_a_guard() {
    let wide = |op: &str| uniformity(&format!("mov.u32 %r1, %tid.x; {op}"), 1);
    assert_eq!(wide("mul.wide.u32 %rd1, %r1, 8;"), Uniformity::Affine { stride: 8, guarded: true });
    assert_eq!(wide("cvt.u64.u32 %rd1, %r1;"), Uniformity::Affine { stride: 1, guarded: true });
    assert_eq!(wide("cvt.rn.f32.u32 %f1, %r1;"), Uniformity::Varying);
    assert_eq!(wide("mul.hi.u32 %r2, %r1, 8;"), Uniformity::Varying);
    assert_eq!(wide("mul.lo.u32 %r2, %r1, %r3;"), Uniformity::Varying);
    assert_eq!(wide("shr.u32 %r2, %r1, 1;"), Uniformity::Varying);
}

#[test]
fn lanes_that_part_make_joins_vary() {
    // 0: mov; 1: mov; 2: setp; 3: mov; 4: bra; 5: mov; L 6: mov
    let parted = |predicate: &str| {
        let code = format!(
            "mov.u32 %r9, %ctaid.x; mov.u32 %r1, %tid.x; setp.eq.u32 %p1, {predicate}, 0; mov.u32 %r2, 1; @%p1 bra L; mov.u32 %r2, 2;\n\
             L: mov.u32 %r3, %r2;"
        );
        uniformity(&code, 6)
    };
    assert_eq!(parted("%r1"), Uniformity::Varying);
    assert_eq!(parted("%r9"), Uniformity::Uniform);
}

#[test]
fn lanes_leave_loops_at_different_times() {
    // 0: mov; 1: mov; 2: mov; L 3: add; 4: setp; 5: bra; 6: mov
    let left = |limit: &str| {
        let code = format!(
            "mov.u32 %r9, %ctaid.x; mov.u32 %r1, %tid.x; mov.u32 %r2, 0; L: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, {limit}; @%p1 bra L;\n\
             mov.u32 %r3, %r2;"
        );
        with(&code, |body, ssa| {
            let classes =
                classes(body, ssa, Known { entry: true, parameters: 1, threads: Some(ROW), ..Known::default() });
            (classes.of[ssa.defs[6][0] as usize].uniformity, classes.divergent)
        })
    };
    let (uniformity, regions) = left("%r1");
    assert_eq!(uniformity, Uniformity::Varying);
    assert_eq!((regions.len(), regions[0].cyclic, regions[0].reconvergence), (1, true, Some(2)));
    assert_eq!(regions[0].blocks, [1]);
    let (uniformity, regions) = left("%r9");
    assert_eq!((uniformity, regions.len()), (Uniformity::Uniform, 0));
}

#[test]
fn registers_with_two_values_stay_where_they_are() {
    with("mov.u32 %r1, %tid.x; mov.u32 %r1, %ntid.x; @%p1 mov.u32 %r2, 1; mov.u32 %r3, 7;", |body, ssa| {
        let classes = classes(body, ssa, Known { entry: true, parameters: 1, ..Known::default() });
        assert_eq!(fixed(body, ssa, &classes)[..4], [false, false, false, true]);
    });
}

#[test]
fn parameters_of_calls_are_no_parameters_of_the_kernel() {
    let code = "ld.param.u64 %rd1, [a]; { .param .b32 o; ld.param.b32 %r1, [o]; }";
    with(code, |body, ssa| {
        let classes = classes(body, ssa, Known { entry: true, parameters: 2, ..Known::default() });
        assert_eq!(fixed(body, ssa, &classes)[..2], [true, false]);
        assert_eq!(classes.of[ssa.defs[1][0] as usize].uniformity, Uniformity::Varying);
    });
}

#[test]
fn odd_bodies_are_analysed() {
    for code in ["", "L: bra L;", "bra E; add.u32 %r1, %r1, 1; E:", "@%p1 bra E; @%p1 bra E; E: trap;"] {
        with(code, |body, ssa| {
            let classes = classes(body, ssa, Known::default());
            assert_eq!(classes.of.len(), ssa.values.len());
            assert!(!body.instructions.is_empty());
        });
    }
}

/// A function with thousands of branches one after the other takes about as many looks as it has values.
#[test]
fn many_branches() {
    let mut code = String::from("mov.u32 %r2, %tid.x; mov.u32 %r1, 0;\n");
    for n in 0..3000 {
        code += &format!("setp.eq.u32 %p1, %r2, {n}; @%p1 bra L{n}; add.u32 %r1, %r1, %r2; L{n}:\n");
    }
    let text = format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() {{ .reg .pred %p<2>; .reg .b32 %r<3>;\n{code}\nret; }}"
    );
    let module = crate::parse(&text).unwrap();
    let body = module.functions[0].body.as_ref().unwrap();
    let ssa = Ssa::new(body);
    let classes = classes(body, &ssa, Known { entry: true, ..Known::default() });
    assert_eq!(classes.divergent.len(), 3000);
}

fn kernel(registers: usize, code: &str) -> String {
    format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n\
         .visible .entry k() {{ .reg .pred %p<2>; .reg .b32 %r<{registers}>;\n{code}\nret; }}"
    )
}

/// Registers that live in all of many loops have joins without number: those beyond a bound that grows with the text are read
/// as anything.
#[test]
fn too_many_joins() {
    let count = 1500;
    let mut code = String::new();
    for n in 0..count {
        code += &format!("B{n}: @%p1 bra B{}; add.u32 %r{n}, %r{n}, %r{};\n", n * 7 % count, n * 31 % count);
    }
    let text = kernel(count, &code);
    let module = ptx::parse(&text).unwrap();
    let body = module.functions[0].body.as_ref().unwrap();
    let ssa = Ssa::new(body);
    assert!(ssa.values.len() < 400_000, "{} values", ssa.values.len());
    let classes = classes(body, &ssa, Known { entry: true, ..Known::default() });
    let mut any = 0;
    for (value, class) in ssa.values.iter().zip(&classes.of).filter(|(value, _)| value.origin == Origin::Any) {
        assert_eq!((class.uniformity, class.fixed), (Uniformity::Varying, false), "register {}", value.register);
        any += 1;
    }
    assert!(any > 100);
    // What is written is still told apart.
    assert!(
        ssa.defs.iter().flatten().all(|&value| matches!(ssa.values[value as usize].origin, Origin::Instruction(_)))
    );
}

/// Branches that all skip the rest have regions as large as their number squared: then nothing is known of any value.
#[test]
fn too_large_regions() {
    let of = |count: usize| {
        let mut code = String::from("mov.u32 %r1, %tid.x; mov.u32 %r3, 5;\n");
        for n in 0..count {
            code += &format!("setp.eq.u32 %p1, %r1, {n}; @%p1 bra E; add.u32 %r2, %r2, %r1;\n");
        }
        let text = kernel(4, &(code + "E:"));
        let module = ptx::parse(&text).unwrap();
        let body = module.functions[0].body.as_ref().unwrap();
        let ssa = Ssa::new(body);
        let classes = classes(body, &ssa, Known { entry: true, ..Known::default() });
        (classes.divergent.len(), classes.of[ssa.defs[1][0] as usize].uniformity)
    };
    assert_eq!(of(1000), (1000, Uniformity::Uniform));
    assert_eq!(of(9000), (0, Uniformity::Varying));
}

/// Tables that would lead from everywhere to everywhere are refused before all edges are enumerated.
#[test]
fn too_many_ways() {
    let of = |count: usize| {
        let labels: Vec<String> = (0..count).map(|n| format!("L{n}")).collect();
        let jumps: String = labels.iter().map(|label| format!("{label}: brx.idx %r1, T;\n")).collect();
        let text = kernel(2, &format!("T: .branchtargets {};\n{jumps}", labels.join(", ")));
        ptx::parse(&text).map(drop).map_err(|problem| problem.kind)
    };
    assert_eq!(of(100), Ok(()));
    assert_eq!(of(3000), Err(ptx::ErrorKind::OutOfMemory));
}

#[test]
fn parts_of_a_row() {
    let code = "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.s32 %r4, %r1, %r2, %r3; shr.u32 %r5, %r4, 5;
        and.b32 %r6, %r3, 31; shr.u32 %r7, %r3, 5; shl.b32 %r8, %r1, 10; or.b32 %r9, %r6, %r8; and.b32 %r10, %r3, -32;
        and.b32 %r11, %r3, 15; shr.u32 %r12, %r3, 4; and.b32 %r13, %r4, 31; or.b32 %r14, %r6, %r1; shl.b32 %r15, %r3, 2;
        and.b32 %r16, %r15, 127; shr.s32 %r17, %r15, 7;";
    let row = Uniformity::Affine { stride: 1, guarded: false };
    let words = Uniformity::Affine { stride: 4, guarded: false };
    use Uniformity::{Uniform, Varying};
    with(code, |body, ssa| {
        for whole in [false, true] {
            let known = Known { entry: true, parameters: 1, threads: Some([32, 1, 1]), whole };
            let classes = classes(body, ssa, known);
            let of = |at: usize| classes.of[ssa.defs[at][0] as usize].uniformity;
            // The number of the warp in the grid, which takes blocks of whole warps.
            assert_eq!(of(4), if whole { Uniform } else { Varying });
            assert_eq!(of(12), if whole { row } else { Varying });
            assert_eq!(classes.wants_whole, !whole);
            let expected = [row, Uniform, Uniform, row, Uniform, Varying, Varying];
            assert_eq!((5..12).map(of).collect::<Vec<_>>(), expected);
            assert_eq!([of(13), of(14), of(15), of(16)], [Varying, words, words, Uniform]);
        }
    });
}
