//! Accesses that are probed before they are made.

use super::*;
use crate::lowering::context::BuildOptions;
use crate::state::check::{AccessKind, AccessTarget, Checker, Finding};
use crate::state::fault::Fault;
use parking_lot::Mutex;

/// Knows one range of memory, and keeps what is found.
#[derive(Default)]
struct Known {
    start: u64,
    bytes: u64,
    found: Mutex<Vec<Found>>,
}

type Found = (AccessKind, u64, u64, Option<u64>, AccessTarget, [u32; 3], u32, Option<(String, u32)>);

impl Checker for Known {
    fn covers(&self, address: u64, bytes: u64, _: bool) -> bool {
        address >= self.start && address + bytes <= self.start + self.bytes
    }

    fn report(&self, f: &Finding<'_>) {
        assert_eq!(f.kernel, "k");
        let source = f.source.map(|(file, line)| (file.to_owned(), line));
        let address = f.address.wrapping_sub(self.start);
        let found = (f.kind, f.bytes, address, f.misaligned, f.target.clone(), f.thread.thread, f.threads, source);
        self.found.lock().push(found);
    }
}

/// Runs a kernel that gets the address of `bytes` bytes of `words`; gives what is found, the result and the words.
fn check(text: &str, block: u32, bytes: usize) -> (Vec<Found>, Result<(), Failure>, Vec<u32>) {
    let text = format!("{HEAD}{text}");
    let module = ptx::parse(&text).unwrap_or_else(|e| panic!("{e}"));
    let program = Program::build_for(
        &module,
        &HashMap::new(),
        BuildOptions { checked: true, strict: true, ..BuildOptions::default() },
    )
    .unwrap_or_else(|e| panic!("{e}"));
    let mut words = vec![0u32; 4096];
    let start = words.as_mut_ptr() as u64;
    let known = Arc::new(Known { start, bytes: bytes as u64, ..Known::default() });
    let mut launch = launch(&kernel(""), 1, block, &[start]);
    launch.kernel = program.functions.iter().position(|f| f.name == "k").unwrap() as u32;
    launch.program = Arc::new(program);
    launch.services = checked_by(&known);
    let result = launch.run();
    let found = core::mem::take(&mut *known.found.lock());
    (found, result, words)
}

fn fault(result: Result<(), Failure>) -> Option<Fault> {
    result.err().map(|f| f.fault)
}

#[test]
fn threads_behind_the_end_are_counted_and_others_go_on() {
    let body = ".loc 1 5 1\nst.global.u32 [%mine], 7; st.global.u32 [%mine+4], 8;\n.loc 1 6 1\nbar.sync 0;";
    let (found, result, words) = check(&format!("{}.file 1 \"a.cu\"\n", kernel(body)), 48, 40 * 4);
    let source = || Some(("a.cu".to_owned(), 5));
    // The second warp has one thread that is right at both stores less than at the first.
    assert_eq!(
        found,
        [
            (AccessKind::Write, 4, 160, None, AccessTarget::Memory, [40, 0, 0], 8, source()),
            (AccessKind::Write, 4, 160, None, AccessTarget::Memory, [39, 0, 0], 1, source()),
        ]
    );
    assert_eq!(fault(result), Some(Fault::IllegalAddress));
    assert_eq!((words[38], words[39], words[40]), (8, 8, 0));
}

#[test]
fn guarded_and_parted_lanes_are_not_probed() {
    let body = "setp.lt.u32 %p1, %t, 4; @%p1 st.global.u32 [%mine], 1; @%p1 bra A; bra E;
        A: ld.global.u32 %r1, [%mine]; st.global.u32 [%mine], %r1; E:";
    let (found, result, words) = check(&kernel(body), 32, 16);
    assert!(found.is_empty() && result.is_ok());
    assert_eq!(words[..5], [1, 1, 1, 1, 0]);
}

#[test]
fn what_is_misaligned_is_said_to_be() {
    let (found, result, _) =
        check(&kernel("add.u64 %rd1, %out, 8; ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];"), 1, 64);
    assert_eq!(found, [(AccessKind::Read, 16, 8, Some(16), AccessTarget::Memory, [0; 3], 1, None)]);
    assert_eq!(fault(result), Some(Fault::Misaligned));
}

#[test]
fn fused_addresses_are_probed_too() {
    let body =
        "mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, 4; add.s64 %rd2, %out, %rd1; ld.global.u32 %r2, [%rd2+128];";
    let (found, _, _) = check(&kernel(body), 32, 31 * 4 + 128);
    assert_eq!(found, [(AccessKind::Read, 4, 31 * 4 + 128, None, AccessTarget::Memory, [31, 0, 0], 1, None)]);
}

#[test]
fn variables_in_local_memory_have_ends() {
    let body = ".local .align 8 .b8 x[8]; .local .align 8 .b8 b[12]; mov.u32 %r1, b; mul.lo.u32 %r2, %t, 4;
        add.u32 %r1, %r1, %r2; st.local.u32 [%r1], %t; st.global.u32 [%mine], %t;";
    let (found, _, words) = check(&kernel(body), 4, 64);
    let nearest = Some(("b".to_owned(), "k".to_owned(), 8, 12));
    let target = AccessTarget::Local { offset: 20, nearest };
    assert_eq!(found.len(), 1);
    assert_eq!((&found[0].4, found[0].5, found[0].6), (&target, [3, 0, 0], 1));
    assert_eq!(words[..4], [0, 1, 2, 0]);
}

#[test]
fn callers_variables_may_be_used_through_pointers() {
    let text = ".func deeper (.param .b64 p) { .reg .b64 %rd<2>; .local .align 4 .b8 own[4]; ld.param.u64 %rd1, [p];
        st.u32 [%rd1], 5; ret; }\n";
    let body =
        ".local .align 4 .b8 x[4]; .param .b64 pp; mov.u64 %rd1, x; cvta.local.u64 %rd2, %rd1; st.param.b64 [pp], %rd2;
        call deeper, (pp); ld.local.u32 %r1, [x]; st.global.u32 [%mine], %r1;
        add.u64 %rd2, %rd2, 4; st.param.b64 [pp], %rd2; call deeper, (pp);";
    let (found, _, words) = check(&format!("{text}{}", kernel(body)), 1, 4);
    assert_eq!(words[0], 5);
    assert_eq!(found.len(), 1);
    assert!(matches!(&found[0].4, AccessTarget::Local { offset: 4, .. }), "{found:?}");
}

#[test]
fn shared_memory_ends_with_its_last_byte() {
    let body = ".shared .align 4 .b8 s[20]; mov.u32 %r1, s; mul.lo.u32 %r2, %t, 4; add.u32 %r1, %r1, %r2;
        st.shared.u32 [%r1], %t; atom.shared.add.u32 %r3, [%r1+4], 1;";
    let (found, _, _) = check(&kernel(body), 6, 4);
    let target = |offset| AccessTarget::Shared { offset, fixed: 20, dynamic: 20, end: 20 };
    assert_eq!(
        found.iter().map(|f| (f.0, f.4.clone(), f.6)).collect::<Vec<_>>(),
        [(AccessKind::Write, target(20), 1), (AccessKind::Atomic, target(20), 1),]
    );
}

#[test]
fn parameters_and_what_names_say_need_no_finding() {
    let body = "mov.b64 %rd1, a; cvta.param.u64 %rd1, %rd1; ld.u64 %rd2, [%rd1]; ld.u32 %r1, [%rd1+4];
        setp.ne.u64 %p1, %rd2, %out; @%p1 trap;";
    let (found, result, _) = check(&kernel(body), 32, 4);
    assert!(found.is_empty() && result.is_ok(), "{found:?} {result:?}");
    let (found, ..) = check(&kernel("mov.b64 %rd1, a; cvta.param.u64 %rd1, %rd1; ld.u32 %r1, [%rd1+8];"), 1, 4);
    assert!(matches!(found[0].4, AccessTarget::Parameters(_, 8)), "{found:?}");
}

#[test]
fn the_stack_and_values_of_128_bits_are_probed() {
    let body = ".reg .b128 %q; alloca.u64 %rd1, 32; st.local.u32 [%rd1], 3; st.local.u32 [%rd1+28], 4;
        ld.local.u32 %r1, [%rd1+28]; st.global.u32 [%out], %r1; ld.global.b128 %q, [%out]; st.local.u32 [%rd1+32], 5;";
    let (found, ..) = check(&kernel(body), 1, 12);
    assert_eq!(found.len(), 1, "the thread has ended there: {found:?}");
    assert_eq!((found[0].0, found[0].1, found[0].2, &found[0].4), (AccessKind::Read, 16, 0, &AccessTarget::Memory));
    let (found, ..) = check(&kernel("alloca.u64 %rd1, 32; st.local.u32 [%rd1+32], 5;"), 1, 12);
    assert!(matches!(found[0].4, AccessTarget::Local { .. }), "{found:?}");
}

#[test]
fn a_program_without_probes_finds_nothing() {
    let text = format!("{HEAD}{}", kernel("st.global.u32 [%mine], 7; atom.global.add.u32 %r1, [%mine], 1;"));
    let module = ptx::parse(&text).unwrap();
    let build = |checked| {
        Program::build_for(&module, &HashMap::new(), BuildOptions { checked, strict: true, ..BuildOptions::default() })
    };
    let steps = |checked| build(checked).unwrap().functions[0].steps.len();
    assert_eq!(steps(true), steps(false) + 2);
    assert_eq!(steps(false), Program::build(&module, &HashMap::new()).unwrap().functions[0].steps.len());
}

/// The list of opcodes says which of them access memory: just these have a probe in front. Forms whose operands the tables do not
/// describe have no examples here.
#[test]
fn what_accesses_memory_is_probed_first() {
    use ptx::forms::{examples, table};
    use ptx::opcode::{MemoryEffect, Opcode};
    let registers = ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .b128 %q<9>; \
                     .reg .f32 %f<9>; .reg .f64 %d<9>; .reg .b8 %b<9>;";
    let mut count = 0;
    for form in table().forms().filter(|f| f.target <= 90 && f.before == u32::MAX) {
        let lines = examples::variants(form, 12);
        for line in lines.iter().filter_map(|modifiers| examples::example(form, modifiers)) {
            let text = format!(
                ".version 9.5\n.target sm_90a\n.address_size 64\n.visible .entry k() {{ {registers} L:\n{line}\nret; }}"
            );
            let module = ptx::parse(&text).unwrap_or_else(|e| panic!("{line}: {e}"));
            let steps = |checked| {
                let program = Program::build_for(
                    &module,
                    &HashMap::new(),
                    BuildOptions { checked, strict: true, ..BuildOptions::default() },
                )
                .ok()?;
                Some(program.functions[0].steps.len())
            };
            let (Some(with), Some(without)) = (steps(true), steps(false)) else { continue };
            let accesses =
                !matches!(form.opcode.memory(), MemoryEffect::Untouched | MemoryEffect::Orders) && line.contains('[');
            // A hint that the program does not need what is there.
            let wanted = accesses && form.opcode != Opcode::Discard;
            assert_eq!(with > without, wanted, "{line}");
            count += u32::from(wanted);
        }
    }
    assert!(count > 300, "{count}");
}
