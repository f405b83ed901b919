//! The bytes of every operation, read by a disassembler; and units that are made to take long.

use crate::assembler::Level;
use crate::flow::Flow;
use crate::lower::{Lowered, Refusal, lower};
use crate::operation::{Element, Function, Manner, Number, Operation, Window};
use crate::unit::{Branch, Layout, NOWHERE, Register, SLOT, Step, Touched, UNGUARDED, Unit};
use crate::values::Values;
use iced_x86::{Decoder, DecoderOptions, OpKind};
use ptx::AtomicOperation;
use ptx::modifier::Comparison;
use std::collections::HashSet;
use std::sync::Arc;

const LAYOUT: Layout = Layout {
    frame: 0,
    active: 8,
    alive: 12,
    position: 16,
    reconverge: 20,
    jumps: 24,
    paths: 72,
    paths_room: 76,
    first_path: 80,
    reach_start: 32,
    reach_bytes: 40,
    row_reach: 88,
    around: 48,
    next: 56,
    left_lean: 64,
    running: 24,
    dirty: 0,
    abreast: 0,
    shared: 8,
    shared_bytes: 16,
    patience: 1 << 14,
    least_reach: 4096,
    counters: 0,
    call: 0x1234_5678_9abc,
    part: 0x2234_5678_9abc,
    arrive: 0x3234_5678_9abc,
    tire: 0x4234_5678_9abc,
};

fn lowered(unit: &Unit) -> Result<Lowered, Refusal> {
    lowered_at(unit, Level::Avx512)
}

fn lowered_at(unit: &Unit, level: Level) -> Result<Lowered, Refusal> {
    let values = Values::new(unit);
    let mut flow = Flow::new(unit).map_err(|_| Refusal::TooLarge)?;
    flow.settle(unit, &values).map_err(|_| Refusal::TooLarge)?;
    lower(unit, &flow, &values, &LAYOUT, level)
}

/// All bytes are instructions, and every jump and every way in leads to one.
fn check(lowered: &Lowered, what: &dyn Fn() -> String) {
    let bytes = lowered.assembled.bytes();
    let (mut starts, mut jumps) = (HashSet::new(), Vec::new());
    for instruction in Decoder::with_ip(64, bytes, 0, DecoderOptions::NONE).iter() {
        assert!(!instruction.is_invalid(), "{}: at {:#x}", what(), instruction.ip());
        starts.insert(instruction.ip());
        if instruction.op_count() > 0 && instruction.op0_kind() == OpKind::NearBranch64 {
            jumps.push(instruction.near_branch_target());
        }
    }
    jumps.extend(lowered.blocks.iter().flat_map(|&(_, entry, body)| [entry, body]));
    assert!(jumps.len() > 2);
    for target in jumps {
        assert!(starts.contains(&target), "{}: a jump to {target:#x}", what());
    }
}

const NUMBERS: [Number; 6] = [Number::U32, Number::S32, Number::U64, Number::S64, Number::F32, Number::F64];

fn operations() -> Vec<Operation> {
    use Operation::*;
    let functions = [Function::Exp2, Function::Sin, Function::Cos].map(Approximate);
    let mut all = vec![Lop3, Logic, Shuffle, Brev, Bfi, Prmt, Vote, Reduce, ActiveMask, Cnot, Fence, Nothing];
    all.extend([4, 8, 16].map(|bytes| CopyAcross { bytes }));
    for (count, turned) in [(1, false), (2, true), (4, false), (4, true)] {
        all.extend([false, true].map(|stores| Rows { count, turned, stores }));
    }
    for window in [Window::Plain, Window::Shared] {
        use AtomicOperation::*;
        let changes = [Add, Min, Max, And, Or, Xor, Exchange, CompareExchange, Increment, Decrement];
        let integers = changes.into_iter().flat_map(|change| [(change, Number::U32), (change, Number::S64)]);
        for (change, number) in integers.chain([(Add, Number::F32), (Add, Number::F64)]) {
            let generic = number.is_float() && window == Window::Plain;
            all.push(Atomic { window, change, number, pair: false, generic, exact: false });
        }
    }
    for (change, number, pair) in [
        (AtomicOperation::CompareExchange, Number::U16, false),
        (AtomicOperation::Add, Number::F16, false),
        (AtomicOperation::Add, Number::F16, true),
        (AtomicOperation::Add, Number::Bf16, false),
        (AtomicOperation::Add, Number::Bf16, true),
    ] {
        all.extend([Window::Plain, Window::Shared].map(|window| {
            let generic = window == Window::Plain;
            Atomic { window, change, number, pair, generic, exact: true }
        }));
    }
    all.push(Aligned { bytes: 16 });
    all.extend([(0x96, false), (0xca, false), (0xe8, true)].map(|(table, wide)| Bitwise { table, wide }));
    all.extend(functions);
    all.push(Meet);
    all.extend(
        [(false, false), (false, true), (true, false), (true, true)].map(|(right, clamp)| Funnel { right, clamp }),
    );
    for wide in [false, true] {
        all.extend([
            Copy { wide },
            And { wide },
            Or { wide },
            Xor { wide },
            Not { wide },
            Shl { wide },
            Select { wide },
        ]);
        all.extend([Popc { wide }, Clz { wide }, Copysign { wide }]);
        all.extend([Number::S32, Number::F32].map(|by| SelectSign { wide, by }));
        for bytes in [1, 2, 4, 8] {
            for (window, count) in [(Window::Plain, 1), (Window::Shared, 1), (Window::Plain, 2), (Window::Shared, 4)] {
                let element = Element { bytes, signed: wide };
                all.extend([Load { window, element, count }, Store { window, element, count }]);
            }
        }
    }
    for signed in [false, true] {
        all.extend([
            MulWide { signed },
            MadWide { signed },
            MulHigh { signed },
            MulWide16 { signed },
            Mad24 { signed },
            Sad { signed },
            Bfind { signed },
        ]);
    }
    for n in NUMBERS {
        all.extend([Add(n), Sub(n), Mul(n), Mad(n), Min(n), Max(n), Neg(n)]);
        if n.is_float() {
            all.extend([Abs(n), Div(n), Sqrt(n), Rcp(n), Rsqrt(n), Integral(n)]);
        } else {
            all.extend([Shr(n), Div(n), Rem(n), Bfe(n)]);
        }
        all.extend(NUMBERS.map(|from| Convert { to: n, from }));
        use Comparison::*;
        all.extend([Eq, Ne, Lt, Le, Gt, Ge, Lo, Hs, Equ, Ltu, Nan, Num].map(|how| Compare(n, how)));
    }
    all
}

/// Bytes of the lanes of results and operands; 0 for predicates.
fn shape(operation: Operation) -> (Vec<u8>, Vec<u8>) {
    use Operation::*;
    let bytes = |wide: bool| if wide { 8 } else { 4 };
    match operation {
        Step | Branch => (vec![], vec![]),
        Copy { wide } | Not { wide } => (vec![bytes(wide)], vec![bytes(wide)]),
        And { wide } | Or { wide } | Xor { wide } => (vec![bytes(wide)], vec![bytes(wide); 2]),
        Shl { wide } => (vec![bytes(wide)], vec![bytes(wide), 4]),
        Shr(n) => (vec![bytes(n.is_wide())], vec![bytes(n.is_wide()), 4]),
        Neg(n) | Abs(n) | Sqrt(n) | Rcp(n) | Rsqrt(n) => (vec![bytes(n.is_wide())], vec![bytes(n.is_wide())]),
        Mad(n) => (vec![bytes(n.is_wide())], vec![bytes(n.is_wide()); 3]),
        MulWide { .. } => (vec![8], vec![4, 4]),
        MadWide { .. } => (vec![8], vec![4, 4, 8]),
        MulHigh { .. } => (vec![4], vec![4, 4]),
        Lop3 => (vec![4], vec![4; 3]),
        Bitwise { wide, .. } => (vec![bytes(wide)], vec![bytes(wide); 3]),
        Select { wide } => (vec![bytes(wide)], vec![bytes(wide), bytes(wide), 0]),
        Compare(n, _) => (vec![0, 0], vec![bytes(n.is_wide()), bytes(n.is_wide()), 0]),
        Logic => (vec![0], vec![0, 0]),
        Convert { to, from } => (vec![bytes(to.is_wide())], vec![bytes(from.is_wide())]),
        Load { window, element, count } => {
            (vec![bytes(element.bytes == 8); count.into()], vec![bytes(window == Window::Plain), 0, 0, 0, 8])
        }
        Store { window, element, count } => {
            let mut from = vec![bytes(window == Window::Plain)];
            from.resize(1 + usize::from(count), bytes(element.bytes == 8));
            (vec![], from)
        }
        Shuffle => (vec![4, 0], vec![4; 4]),
        Add(n) | Sub(n) | Mul(n) | Div(n) | Min(n) | Max(n) => (vec![bytes(n.is_wide())], vec![bytes(n.is_wide()); 2]),
        Rem(n) => (vec![bytes(n.is_wide())], vec![bytes(n.is_wide()); 2]),
        Integral(n) => (vec![bytes(n.is_wide())], vec![bytes(n.is_wide())]),
        ConvertPair(_) | MulWide16 { .. } => (vec![4], vec![4, 4]),
        Popc { wide } | Clz { wide } => (vec![4], vec![bytes(wide)]),
        Brev | Approximate(_) => (vec![4], vec![4]),
        Bfe(n) => (vec![bytes(n.is_wide())], vec![bytes(n.is_wide()), 4, 4]),
        Bfi => (vec![4], vec![4; 4]),
        Prmt | Funnel { .. } => (vec![4], vec![4; 3]),
        Copysign { wide } => (vec![bytes(wide)], vec![bytes(wide); 2]),
        SelectSign { wide, .. } => (vec![bytes(wide)], vec![bytes(wide), bytes(wide), 4]),
        Vote => (vec![4], vec![0, 4]),
        Reduce => (vec![4], vec![4, 4]),
        ActiveMask => (vec![4], vec![]),
        Atomic { window, number, .. } => {
            let word = bytes(number.is_wide());
            (vec![word], vec![bytes(window == Window::Plain), word, word])
        }
        Aligned { .. } => (vec![], vec![8]),
        Exit | Barrier | Fence | Nothing => (vec![], vec![]),
        CopyAcross { .. } => (vec![], vec![4, 8, 4, 0]),
        Rows { count, stores: false, .. } => (vec![4; count.into()], vec![4]),
        Rows { count, .. } => (vec![], vec![4; 1 + usize::from(count)]),
        Meet => (vec![], vec![4]),
        // Most others have two operands of 32 bits.
        _ => (vec![4], vec![4; 3]),
    }
}

/// Numbers at random.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }
}

/// Registers of each kind: so many that they do not all find a place in the machine's.
const EACH: usize = 24;

fn touched(reads: Vec<u32>, writes: Vec<u32>) -> Option<Arc<Touched>> {
    Some(Arc::new(Touched { reads, writes }))
}

pub(crate) fn plain() -> Step {
    Step {
        operation: Operation::Step,
        manner: Manner::default(),
        guard: UNGUARDED,
        to: [u32::MAX; 4],
        from: [0; 5],
        offset: 0,
        based: false,
        narrow: false,
        negated: 0,
        mode: 0,
        combination: 0,
        pair: false,
        branch: None,
        leads: Box::default(),
        reconverge: NOWHERE,
        ends: false,
        control: false,
        touched: None,
        scaled: None,
        source: 0,
        left: false,
    }
}

/// A step with random operands.
fn random_step(operation: Operation, random: &mut Random) -> Step {
    let mut step = Step { operation, ..plain() };
    let register = |bytes: u8, random: &mut Random| {
        let kind = match bytes {
            4 => 0,
            8 => 1,
            _ => 2,
        };
        (kind * EACH + random.below(EACH)) as u32 * SLOT
    };
    // Behind the registers: two constants, and numbers that go up from lane to lane.
    let other = |random: &mut Random| (3 * EACH + random.below(4)) as u32 * SLOT;
    let (to, from) = shape(operation);
    for (place, &bytes) in step.to.iter_mut().zip(&to) {
        *place = register(bytes, random);
    }
    for (place, &bytes) in step.from.iter_mut().zip(&from) {
        *place = if bytes != 0 && random.below(4) == 0 { other(random) } else { register(bytes, random) };
    }
    if random.below(4) == 0 {
        step.guard = register(0, random) | random.below(2) as u32;
    }
    step.offset = [0, 4, -64, 1 << 40][random.below(4)];
    match operation {
        Operation::Lop3 => step.from[3] = (3 * EACH) as u32 * SLOT,
        Operation::Logic => (step.mode, step.negated) = (random.below(5) as u8, random.below(4) as u8),
        Operation::Compare(..) => {
            (step.combination, step.pair) = (random.below(4) as u8, random.below(2) == 0);
            step.negated = random.below(2) as u8;
        }
        Operation::Load { window, .. } | Operation::Store { window, .. } | Operation::Atomic { window, .. } => {
            step.narrow = window == Window::Shared;
            step.based = matches!(operation, Operation::Load { .. }) && !step.narrow && random.below(2) == 0;
        }
        Operation::CopyAcross { .. } => (step.narrow, step.mode, step.source) = (true, random.below(2) as u8, 16),
        Operation::Rows { .. } => step.narrow = true,
        Operation::Select { .. } => step.negated = random.below(2) as u8,
        Operation::Shuffle | Operation::Vote | Operation::Reduce => step.mode = random.below(4) as u8,
        _ => step.manner.rounding = random.below(4) as u8,
    }
    step
}

/// Steps of an operation in a loop, with branches, and a step of the interpreter.
fn unit(operation: Operation, random: &mut Random) -> Unit {
    let mut unit = Unit::default();
    for bytes in [4, 8, 0] {
        unit.registers.extend((0..EACH).map(|n| {
            let stride = [None, None, Some(0), Some(1), Some(-8)][n % 5].filter(|_| bytes != 0);
            Register { bytes, stride, early: n % 7 == 0 && bytes != 0, ..Register::default() }
        }));
    }
    for n in 0..4 {
        let slot = (3 * EACH + n) as u32;
        if n < 2 {
            unit.constants.insert(slot, 5 + n as u64);
        } else {
            unit.scalars.insert(slot, n as i64 - 2);
        }
    }
    unit.steps.extend((0..12).map(|_| random_step(operation, random)));
    let all = (0..EACH as u32 * 2).collect::<Vec<_>>();
    unit.steps.push(Step { touched: touched(all.clone(), Vec::new()), control: true, ..plain() });
    let end = 30;
    let ways = [
        Branch { target: 0, reconverge: 14, weight: 1, unless: false, always: false },
        Branch { target: end - 1, reconverge: end - 1, weight: 64, unless: true, always: false },
    ];
    for (branch, number) in ways.into_iter().zip([Number::S32, Number::F64]) {
        let operation = Operation::Compare(number, Comparison::Lt);
        let step = Step { pair: false, guard: UNGUARDED, ..random_step(operation, random) };
        unit.steps.push(Step { branch: Some(branch), reconverge: branch.reconverge, ..step });
    }
    unit.steps.extend((15..end - 1).map(|_| random_step(operation, random)));
    unit.steps.push(Step { touched: touched(all, Vec::new()), ends: true, control: true, ..plain() });
    unit.apart = random.below(6) == 0;
    unit
}

#[test]
fn every_operation_becomes_instructions() {
    let mut native = 0;
    for operation in operations() {
        for seed in 0..6 {
            let unit = unit(operation, &mut Random(seed));
            let lowered = lowered(&unit).unwrap_or_else(|refusal| panic!("{operation:?}: {refusal:?}"));
            check(&lowered, &|| format!("{operation:?} {seed}"));
            native += usize::from(lowered.steps as usize - lowered.called.len() > 12);
        }
    }
    assert!(native > operations().len() * 3, "{native} units are native");
}

#[test]
fn any_operations_become_instructions() {
    let all = operations();
    for seed in 0..60 {
        let mut random = Random(seed);
        let mut unit = unit(all[0], &mut random);
        for at in (0..12).chain(15..29) {
            unit.steps[at] = random_step(all[random.below(all.len())], &mut random);
        }
        let lowered = lowered(&unit).unwrap_or_else(|refusal| panic!("{seed}: {refusal:?}"));
        check(&lowered, &|| format!("{seed}"));
    }
}

/// Every instruction that the lowering makes has a rule, which leaves none of AVX-512.
#[test]
fn every_operation_becomes_instructions_of_avx2() {
    let mut without = std::collections::BTreeSet::new();
    let mut made = 0;
    let all = operations();
    let mut units: Vec<(String, Unit)> = Vec::new();
    for &operation in &all {
        units.extend((0..1).map(|seed| (format!("{operation:?} {seed}"), unit(operation, &mut Random(seed)))));
    }
    for seed in 0..10 {
        let mut random = Random(seed);
        let mut unit = unit(all[0], &mut random);
        for at in (0..12).chain(15..29) {
            unit.steps[at] = random_step(all[random.below(all.len())], &mut random);
        }
        units.push((format!("many {seed}"), unit));
    }
    for (what, unit) in units {
        match lowered_at(&unit, Level::Avx2) {
            Ok(lowered) => {
                check(&lowered, &|| what.clone());
                for i in Decoder::with_ip(64, lowered.assembled.bytes(), 0, DecoderOptions::NONE).iter() {
                    assert!(!crate::avx2::tests::is_avx512(&i), "{what}: {:?} is left", i.code());
                    made += 1;
                }
            }
            Err(Refusal::NoRule(instruction)) => {
                without.insert(instruction);
            }
            Err(refusal) => panic!("{what}: {refusal:?}"),
        }
    }
    assert!(without.is_empty(), "no rules: {without:#?}");
    assert!(made > 100_000, "{made}");
}

/// So many registers of 32 bits, and so many steps of which each may branch to the last one.
fn branches(registers: usize, steps: u32) -> Unit {
    let mut unit = Unit::default();
    unit.registers.resize(registers, Register { bytes: 4, ..Register::default() });
    for at in 0..steps - 1 {
        let branch = Branch { target: steps - 1, reconverge: steps - 1, weight: 1, unless: false, always: false };
        let mut step = Step { operation: Operation::Compare(Number::S32, Comparison::Lt), ..plain() };
        (step.from[0], step.branch, step.reconverge) = (at % registers as u32 * SLOT, Some(branch), steps - 1);
        unit.steps.push(step);
    }
    unit.steps.push(Step {
        ends: true,
        control: true,
        touched: touched((0..registers as u32).collect(), Vec::new()),
        ..plain()
    });
    unit
}

/// Two stores to the same row. `apart`: one after the other on two ways, of which lanes take one; else both on the same way.
fn stores(apart: bool) -> Unit {
    const ADDRESS: u32 = 0;
    const VALUE: u32 = 1;
    let word = Element { bytes: 4, signed: false };
    let operation = Operation::Store { window: Window::Plain, element: word, count: 1 };
    let store = Step { operation, from: [ADDRESS * SLOT, VALUE * SLOT, 0, 0, 0], ..plain() };
    let branch = Branch { target: 2, reconverge: 3, weight: 0, unless: false, always: false };
    let compare = Step {
        operation: Operation::Compare(Number::S32, Comparison::Lt),
        from: [VALUE * SLOT, VALUE * SLOT, 0, 0, 0],
        branch: Some(branch),
        reconverge: 3,
        ..plain()
    };
    let end = Step { operation: Operation::Exit, ends: true, control: true, ..plain() };
    let address = Register { bytes: 8, stride: Some(4), early: true, ..Register::default() };
    let value = Register { bytes: 4, ..Register::default() };
    let steps = if apart { [compare, store.clone(), store, end] } else { [store.clone(), compare, store, end] };
    let mut unit = Unit { steps: steps.to_vec(), registers: vec![address, value], ..Unit::default() };
    unit.scalars.insert(ADDRESS, 4);
    unit
}

#[test]
fn each_way_asks_once_for_what_lies_behind_a_row() {
    for (apart, lines) in [(true, 4), (false, 2)] {
        let lowered = lowered(&stores(apart)).unwrap_or_else(|refusal| panic!("{refusal:?}"));
        let bytes = lowered.assembled.bytes();
        let all = Decoder::with_ip(64, bytes, 0, DecoderOptions::NONE);
        let asks = all.into_iter().filter(|i| i.code() == iced_x86::Code::Prefetchw_m8).count();
        assert_eq!(asks, lines, "apart: {apart}");
    }
}

#[test]
fn whole_lines_that_nobody_reads_again_go_past_the_caches() {
    let count = |unit: &Unit, level| {
        let lowered = lowered_at(unit, level).unwrap_or_else(|refusal| panic!("{refusal:?}"));
        let all = Decoder::with_ip(64, lowered.assembled.bytes(), 0, DecoderOptions::NONE);
        let past = [iced_x86::Code::EVEX_Vmovntdq_m512_zmm, iced_x86::Code::VEX_Vmovntdq_m256_ymm];
        all.into_iter().filter(|i| past.contains(&i.code())).count()
    };
    let unit = |past_caches| Unit { past_caches, ..stores(true) };
    assert_eq!(count(&unit(true), Level::Avx512), 4);
    assert_eq!(count(&unit(false), Level::Avx512), 0);
    assert_eq!(count(&unit(true), Level::Avx2), 0);
    // A load between both: what the first has stored may be read.
    let mut read = unit(true);
    let [_, store, last, end] = read.steps.as_slice() else { unreachable!() };
    let word = Element { bytes: 4, signed: false };
    let operation = Operation::Load { window: Window::Plain, element: word, count: 1 };
    let load = Step { operation, to: [SLOT, u32::MAX, u32::MAX, u32::MAX], ..store.clone() };
    read.steps = vec![store.clone(), load, last.clone(), end.clone()];
    assert_eq!(count(&read, Level::Avx512), 2);
    // Lanes that a guard leaves out.
    let mut guarded = unit(true);
    guarded.registers.push(Register::default());
    guarded.steps[1].guard = 2 * SLOT;
    assert_eq!(count(&guarded, Level::Avx512), 2);
}

#[test]
fn large_units_are_left_to_the_interpreter() {
    assert!(lowered(&branches(64, 400)).is_ok());
    // Many blocks and registers; regions of which each holds all others; steps that call with everything in use.
    assert_eq!(lowered(&branches(30_000, 30_000)).err(), Some(Refusal::TooLarge));
    assert_eq!(lowered(&branches(8, 60_000)).err(), Some(Refusal::TooLarge));
    let mut calls = branches(20_000, 2);
    let call = Step { touched: touched(vec![1], vec![1]), ..plain() };
    calls.steps.splice(0..1, vec![call; 50_000]);
    assert_eq!(lowered(&calls).err(), Some(Refusal::TooLarge));
    assert_eq!(crate::compile(branches(8, 60_001), &LAYOUT, Level::Avx512).err(), Some(Refusal::TooLarge));
}

#[test]
fn strides_that_depend_on_each_other_end() {
    // Each register is one number if the next one is; the last is none: found one by one.
    let count = 3_000;
    let mut unit = branches(count, 2);
    unit.registers.iter_mut().for_each(|register| register.stride = Some(0));
    unit.registers[count - 1].stride = None;
    let copies = (0..count as u32 - 1).map(|n| {
        let mut step = Step { operation: Operation::Copy { wide: false }, ..plain() };
        (step.to[0], step.from[0]) = (n * SLOT, (n + 1) * SLOT);
        step
    });
    unit.steps.splice(0..1, copies);
    let values = Values::new(&unit);
    assert!((0..count as u32).all(|register| values.kept(register).is_none()));
    assert!(lowered(&unit).is_ok());
}
