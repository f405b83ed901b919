//! Steps to machine code, for AVX-512. For AVX2 a pass over the instructions comes behind ([`crate::avx2`]).
//!
//! Compiled code works on the interpreter's own frame and leaves the warp as the interpreter would have it wherever control
//! leaves it: any position that begins a block can be entered, and any step can be left to the interpreter. Lanes part and
//! reconverge by the interpreter's stack: `part` and `arrive` are calls, everything else is here.
//!
//! | register | holds |
//! |---|---|
//! | `rbx`, `rbp` | the warp, its frame |
//! | `rax`, `rcx`, `rdx`, `zmm0` to `zmm5`, `k3` to `k7` | nothing from one step to the next |
//! | `k1`, `k2` | active lanes: 0 to 15, 16 to 31 |
//! | others | registers of the kernel ([`crate::allocate`]) |

mod abreast;
mod ahead;
mod alike;
mod approximate;
mod arithmetic;
mod atomic;
mod bundle;
mod bytes;
mod choose;
mod combine;
mod control;
mod convert;
mod copy;
mod few;
mod float;
mod fold;
mod foreseen;
mod frame;
mod group;
mod halves;
mod integer;
mod interleave;
mod likely;
mod memory;
mod past;
mod pins;
mod roots;
mod rows;
mod runs;
mod scalar;
mod scaled;
mod turns;
mod warp;

use crate::aligned::Aligned;
use crate::allocate::{Home, homes, live_before};
use crate::assembler::{Assembled, Assembler, Constants, Failure, Label, Level, Mask, Operand, at, broadcast, narrow};
use crate::encode::Memory;
use crate::flow::{Flow, Saves, Sets, has, insert};
use crate::operation::Operation;
use crate::unit::{Layout, NOWHERE, SLOT, Step, UNGUARDED, Unit};
use crate::values::{Source, Values};
use iced_x86::{Code, Register};
use std::sync::Mutex;

pub const WARP: Register = Register::RBX;
pub const FRAME: Register = Register::RBP;
/// General registers that are handed out; the first six are the caller's to save.
pub const GENERAL: [Register; 10] = [
    Register::RSI,
    Register::RDI,
    Register::R8,
    Register::R9,
    Register::R10,
    Register::R11,
    Register::R12,
    Register::R13,
    Register::R14,
    Register::R15,
];
/// How many of them a call may change.
pub const VOLATILE: usize = 6;
/// The first vector register that is handed out, and how many.
pub const FIRST: u32 = 6;
pub const VECTORS: usize = 26;
/// Machine instructions of a kernel: beyond that it is interpreted.
const MOST_INSTRUCTIONS: usize = 400_000;

/// Turns in which it is found out which results of moves are loose.
const MOST_TURNS: usize = 16;

/// Sets that are not in use: the next kernel's are where the system has given memory already.
static SPARE: Mutex<Option<Sets>> = Mutex::new(None);
/// Bytes of sets that are kept.
const MOST_SPARE: usize = 1 << 19;

/// Why a unit stays with the interpreter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is too large to be looked at in bounded time.
    TooLarge,
    /// The assembler library refused an instruction.
    Encoding(String),
    /// The vectors of this machine have no code for an instruction.
    NoRule(String),
    /// The system gives no executable memory.
    NoMemory,
}

/// Machine code, not placed yet.
pub struct Lowered {
    pub assembled: Assembled,
    /// For each block its first step, where it is entered with its registers in the frame, and where with them in place.
    pub blocks: Vec<(u32, u64, u64)>,
    /// Addresses that the code jumps by: one a position. Filled in when the code is placed.
    pub table: Box<[u64]>,
    /// The same where it is entered with its registers in the frame.
    pub entries: Box<[u64]>,
    pub constants: Constants,
    /// Steps, and the positions of those that are called.
    pub steps: u32,
    pub called: Vec<u32>,
    /// Offsets from which on a fault is at a position, ascending; none for the one that is noted in the warp.
    pub marks: Vec<(u32, u32)>,
    /// Stores go past the caches.
    pub past_caches: bool,
    /// See [`crate::Code::chains`].
    pub chains: bool,
    /// See [`crate::Code::takes_turns`].
    pub abreast: bool,
}

/// Code that is seldom run and stands behind all other.
pub(crate) enum Late {
    /// NaNs in vectors become the device's.
    Canonical { label: Label, back: Label, halves: [Register; 2] },
    /// The same for a load that the step behind it makes, and that step.
    Folded { label: Label, back: Label, at: usize },
    /// The whole step is executed by the interpreter; its results are loaded again.
    Slow { label: Label, back: Label, at: usize },
    /// The same for a step that may give way.
    Call { label: Label, back: Label, at: usize, before: Vec<u64>, after: Vec<u64> },
    /// The interpreter goes on at a step: registers are put into the frame first.
    Interpret { label: Label, at: usize, live: Vec<u64>, outcome: u32 },
    /// A call gave way: numbers that stand for all lanes are written out, and vectors that the frame does not have yet.
    Leave { label: Label, live: Vec<u64>, kept: Vec<u32> },
    /// Too many jumps backwards to a position.
    Tired { label: Label, target: u32, weight: u32 },
    /// Some lanes jump, others do not: the mask is in `eax`.
    Part { label: Label, at: usize, parted: Option<Label> },
    /// Lanes have left a loop of one block, perhaps: those that stay are in `k1` and `k2`.
    PartInTurn { label: Label, at: usize, all: Label, parted: Label },
    /// A comparison whose result is not the same for all lanes, or not as foreseen; without `lanes` nothing is known of any.
    Compare { label: Label, back: Label, at: usize, lanes: Option<Label>, then: control::Then },
    /// A row of shared memory is longer than what is there.
    Beyond { label: Label, back: Label, slow: Label, stride: i32, extent: i32 },
    /// Some lane's address is outside, perhaps one that waits.
    Outside { label: Label, back: Label, slow: Label, at: usize, bytes: u32 },
    /// Lanes of a gather or scatter that are no single row.
    Runs(runs::Runs),
    /// Numbers whose reciprocal square roots are left to the divider: those of the pieces that are true.
    Roots { label: Label, back: Label, at: usize, pieces: [bool; 2] },
    /// A pointer is not aligned: the interpreter says what becomes of that.
    Odd { label: Label },
    /// The next warp of a chain, not all lanes of which are active.
    Chained { label: Label },
    /// The end of a turn of a loop that the warps of a block go through side by side.
    TurnEnd(abreast::TurnEnd),
    /// Sums that wait are added.
    Sums { label: Label, back: Label },
    /// What a comparison gives is not as foreseen.
    Unforeseen { label: Label, at: usize, lanes: Option<Label>, known: foreseen::Assumed, tail: Label },
    /// What is assumed is written.
    Assumed { label: Label, known: foreseen::Assumed, to: Label },
    /// The rest of a block where something unforeseen has happened.
    Tail(foreseen::Tail),
    /// Few lanes of a gather or a scatter.
    Few(few::Few),
    /// Addresses that are no row, as they were likely to be.
    Unlikely { label: Label, back: Label, slow: Label, at: usize },
}

/// Registers that may not be in the frame: for each block where it begins, and at the step at hand. None: all of them.
pub(crate) struct Unsaved {
    all: Option<Sets>,
    now: Option<Vec<u64>>,
    /// Those that barriers do not put there as the interpreter wants them.
    rough: Option<Vec<u64>>,
}

impl Unsaved {
    fn is_there(&self, register: u32) -> bool {
        self.now.as_ref().is_some_and(|now| !has(now, register))
    }
}

pub(crate) struct Lower<'u> {
    pub unit: &'u Unit,
    pub flow: &'u Flow,
    pub values: &'u Values,
    pub layout: &'u Layout,
    pub homes: Vec<Home>,
    /// Registers that hold results of f32 arithmetic alone: their NaNs become the device's when somebody looks at the bits.
    pub loose: Vec<bool>,
    /// Registers whose numbers depend on what lanes have loaded.
    pub wild: Vec<bool>,
    pub asm: Assembler,
    pub constants: Constants,
    /// The address of the constant that is the device's NaN in all lanes.
    pub device_nans: Option<u64>,
    pub table: Box<[u64]>,
    pub entry_table: Box<[u64]>,
    pub bodies: Vec<Label>,
    pub entries: Vec<Label>,
    pub late: Vec<Late>,
    /// Addresses that are aligned if pointers are that have been looked at.
    pub aligned: Aligned,
    /// Accesses near each other, of the block at hand.
    pub groups: group::Groups,
    /// What blocks of steps rely on that has been looked at before them, and where that is made up for.
    pub trusts: Vec<group::Trust>,
    pub checked: Vec<Label>,
    /// Numbers of the block at hand that do not wrap from lane to lane, as signed or unsigned ones.
    pub even: Vec<(u32, bool)>,
    /// What may not be in the frame as it is, and what may not be there as the interpreter wants it.
    pub unsaved: Unsaved,
    pub unfixed: Unsaved,
    /// A load that the next one is done with where lanes lie by fours, and where code goes on behind that one.
    pub pair: Option<runs::Pair>,
    pub joins: Option<(usize, Label)>,
    /// The predicate in `eax`, all lanes of it; and whether the step at hand leaves its own nowhere else.
    pub in_eax: Option<u32>,
    pub passes: bool,
    /// The comparison right before the step at hand, which takes it, if it is known how that comes out.
    pub foreseen: Option<control::Foreseen>,
    /// What is assumed of predicates.
    pub assumptions: foreseen::Assumptions,
    /// A bit that the next step looks at.
    pub bit: Option<control::Bit>,
    /// The lanes of the comparison at hand are needed in the masks alone.
    pub in_masks: bool,
    /// See [`crate::Code::chains`].
    pub chained: bool,
    /// The predicate that is in the masks alone.
    pub only_in_masks: Option<u32>,
    /// The step that is worked out at the choice which takes what it gives, and the choice; and its result while that is done.
    pub arm: Option<choose::Arm>,
    pub choosing: Option<u32>,
    /// Accesses that have asked for the lines behind them.
    pub asked: Vec<memory::Asked>,
    /// For each block the one that leads there, if it is the only one.
    pub only_way: Vec<u32>,
    /// Loops, for what is asked for beforehand.
    pub ahead: ahead::Ahead,
    /// Loads of rows that are made together.
    pub bundles: bundle::Bundles,
    /// Loads that the step which needs them makes itself.
    pub folds: fold::Folds,
    /// Where the address of the access at hand is, or those of the first lanes of both halves.
    pub bases: [Register; 2],
    pub combining: combine::Combining,
    /// Operands that are in registers for a loop.
    pub pins: pins::Pins,
    /// Pieces of reciprocal square roots so far.
    pub roots: usize,
    /// Positions of steps that are called.
    pub called: Vec<u32>,
    /// Where faults are at which position, from a place of the code on.
    pub marks: Vec<(Label, u32)>,
    /// Back to the caller with the outcome in `eax`; the same after all registers have been put into the frame.
    pub leave: Label,
    pub leave_all: Label,
    /// The next warp has its turn: after one that waits at the block's first barrier, and after one that has ended.
    pub turns: [Label; 2],
    /// Lanes have come where they reconverge.
    pub join: Label,
    /// Code runs with subnormal f32 as zero, but for steps that want it otherwise; and what holds at this place of the code.
    pub flushes: bool,
    pub flushing: bool,
    /// Vectors are in the frame alone: the step at hand is the next of several that are called.
    pub in_frame: bool,
    /// What is live before each step of the block at hand. Kept from block to block.
    pub lives: Sets,
    /// Registers that something is done for where the code is entered or left ([`frame`]).
    pub own: Sets,
    /// Calls that keep all registers but `rax`: of a step, of lanes that part, arrive, tire.
    pub thunks: [Label; 4],
    pub full: bool,
    /// Registers and words of sets that calls of steps may still look at.
    pub left: usize,
}

/// General registers that are handed out.
pub fn general(level: Level) -> usize {
    GENERAL.len() - level.reserved()
}

/// Whether warps of a unit end one after the other, without having waited for each other.
pub fn chains(unit: &Unit, layout: &Layout) -> bool {
    layout.alive == layout.active + 4 && !unit.steps.iter().any(|step| matches!(step.operation, Operation::Barrier))
}

/// Compiles a unit.
pub fn lower(unit: &Unit, flow: &Flow, values: &Values, layout: &Layout, level: Level) -> Result<Lowered, Refusal> {
    let mut asm = Assembler::new(level, unit.steps.len());
    let blocks = flow.count();
    let spare = SPARE.try_lock().ok().and_then(|mut spare| spare.take()).unwrap_or_default();
    let longest = (0..blocks).map(|block| flow.range(block).len()).max().unwrap_or(0);
    let labels = |asm: &mut Assembler| (0..blocks).map(|_| asm.label()).collect::<Vec<_>>();
    let (bodies, entries) = (labels(&mut asm), labels(&mut asm));
    let checked = bodies.clone();
    let (leave, leave_all) = (asm.label(), asm.label());
    let (turns, join) = ([asm.label(), asm.label()], asm.label());
    let thunks = core::array::from_fn(|_| asm.label());
    let homes = homes(unit, flow, values, general(level), VECTORS, 2);
    let loose = loose(unit, values);
    let calls = level != Level::Avx2;
    let unsaved = flow.unsaved(unit, &Saves { calls, rough: None });
    // With AVX2 vectors outlast calls.
    let mut rough = vec![0; flow.live_in.words()];
    (0..loose.len()).filter(|&register| loose[register]).for_each(|register| insert(&mut rough, register as u32));
    let unfixed = if calls { flow.unsaved(unit, &Saves { calls, rough: Some(&rough) }) } else { None };
    let mut lower = Lower {
        unit,
        flow,
        values,
        layout,
        bases: [Register::RAX, Register::RCX],
        homes,
        loose,
        wild: runs::wild(unit, values),
        asm,
        constants: Constants::new(),
        device_nans: None,
        table: vec![0; unit.steps.len() + 1].into_boxed_slice(),
        entry_table: vec![0; unit.steps.len() + 1].into_boxed_slice(),
        bodies,
        entries,
        late: Vec::with_capacity(unit.steps.len() / 4),
        aligned: Aligned::new(unit),
        groups: group::Groups::default(),
        trusts: Vec::new(),
        checked,
        even: Vec::new(),
        unsaved: Unsaved { all: unsaved, now: None, rough: None },
        unfixed: Unsaved { all: unfixed, now: None, rough: Some(rough) },
        pair: None,
        joins: None,
        in_eax: None,
        passes: false,
        foreseen: None,
        assumptions: foreseen::Assumptions::default(),
        bit: None,
        in_masks: false,
        chained: chains(unit, layout),
        only_in_masks: None,
        arm: None,
        choosing: None,
        asked: Vec::new(),
        only_way: only_ways(flow),
        ahead: ahead::Ahead::default(),
        bundles: bundle::Bundles::default(),
        folds: fold::Folds::default(),
        combining: combine::Combining::default(),
        pins: pins::Pins::default(),
        roots: 0,
        called: Vec::new(),
        marks: Vec::new(),
        leave,
        leave_all,
        turns,
        join,
        thunks,
        flushes: flushes(unit, flow),
        flushing: false,
        in_frame: false,
        lives: spare.renewed(longest + 1, unit.registers.len()),
        own: Sets::default(),
        full: false,
        left: 1 << 24,
    };
    lower.find_own();
    lower.find_sums();
    lower.find_loops();
    lower.enter();
    for block in 0..blocks {
        lower.block(block);
        if lower.full {
            return Err(Refusal::TooLarge);
        }
    }
    lower.end_pins();
    if level == Level::Avx512 {
        lower.mark(NOWHERE);
    }
    lower.asm.rest_is_cold();
    lower.groups = group::Groups::default();
    lower.entries();
    while let Some(late) = lower.late.pop() {
        lower.late(late);
        if lower.asm.instructions() > MOST_INSTRUCTIONS {
            return Err(Refusal::TooLarge);
        }
    }
    if let Ok(mut spare) = SPARE.try_lock()
        && (spare.as_ref().map_or(0, Sets::bytes) + 1..=MOST_SPARE).contains(&lower.lives.bytes())
    {
        *spare = Some(core::mem::take(&mut lower.lives));
    }
    lower.ends();
    if lower.full || lower.asm.instructions() > MOST_INSTRUCTIONS {
        return Err(Refusal::TooLarge);
    }
    let abreast = lower.ahead.has_strides();
    let Lower { asm, constants, table, entry_table, checked, entries, called, marks, chained: chains, .. } = lower;
    let assembled = asm.assemble().map_err(|failure| match failure {
        Failure::Encoding(what) => Refusal::Encoding(what),
        Failure::NoRule(what) => Refusal::NoRule(what),
    })?;
    let offset = |label: &Label| assembled.offset(label).ok_or(Refusal::Encoding("a label without a place".into()));
    let mut places = Vec::with_capacity(blocks);
    for block in 0..blocks {
        places.push((flow.starts[block], offset(&entries[block])?, offset(&checked[block])?));
    }
    let place = |(label, position): &(Label, u32)| Some((u32::try_from(assembled.offset(label)?).ok()?, *position));
    let marks = marks.iter().filter_map(place).collect();
    let steps = unit.steps.len() as u32;
    Ok(Lowered {
        assembled,
        blocks: places,
        table,
        entries: entry_table,
        constants,
        steps,
        called,
        marks,
        past_caches: unit.past_caches,
        chains,
        abreast,
    })
}

/// For each block the one that leads there, if it is the only one.
fn only_ways(flow: &Flow) -> Vec<u32> {
    const NONE_YET: u32 = NOWHERE - 1;
    let mut ways = vec![NONE_YET; flow.count()];
    for (from, next) in flow.next.iter().enumerate() {
        for &to in next {
            let way = &mut ways[to as usize];
            *way = if *way == NONE_YET || *way == from as u32 { from as u32 } else { NOWHERE };
        }
    }
    ways.iter().map(|&way| if way == NONE_YET { NOWHERE } else { way }).collect()
}

/// Whether more of the unit's floating point wants subnormal numbers as zero than wants them as they are.
fn flushes(unit: &Unit, flow: &Flow) -> bool {
    let mut balance = 0f32;
    for block in 0..flow.count() {
        let weight = flow.weight(block);
        for at in flow.range(block) {
            match float::flushes(&unit.steps[at]) {
                Some(true) => balance += weight,
                Some(false) => balance -= weight,
                None => {}
            }
        }
    }
    balance > 0.0
}

/// Whether a step of this operation may leave the code, or asks for more than registers of its own lane.
fn may_leave(operation: Operation) -> bool {
    use Operation::*;
    matches!(
        operation,
        Step | Branch
            | Load { .. }
            | Store { .. }
            | Atomic { .. }
            | Aligned { .. }
            | Exit
            | Barrier
            | Shuffle
            | Meet
            | Vote
            | Reduce
            | CopyAcross { .. }
            | Rows { .. }
    )
}

/// Registers that nothing but f32 arithmetic writes, and what moves its results.
fn loose(unit: &Unit, values: &Values) -> Vec<bool> {
    let mut float = vec![false; unit.registers.len()];
    if unit.apart {
        // Other code for the kernel may go on with them.
        return float;
    }
    let mut other: Vec<bool> = unit.registers.iter().map(|register| register.early).collect();
    // Of moves: to where, and from where. Numbers that stand for all lanes are never loose.
    let mut moves = Vec::new();
    let mut strike = |offset: u32| {
        if let Some(other) = other.get_mut((offset / SLOT) as usize) {
            *other = true;
        }
    };
    for step in &unit.steps {
        step.writes().iter().for_each(|&register| strike(register * SLOT));
        let moved = arithmetic::moves(step.operation);
        for (n, offset) in crate::flow::results(step).enumerate() {
            match float.get_mut((offset / SLOT) as usize) {
                _ if n > 0 => strike(offset),
                Some(float) if arithmetic::gives_loose(step) || moved > 0 => *float = true,
                _ => strike(offset),
            }
        }
        for &from in &step.from[..moved] {
            match values.source(from) {
                Source::Constant(bits) if !f32::from_bits(bits as u32).is_nan() => {}
                Source::Vector { slot }
                    if [step.to[0] / SLOT, slot].iter().all(|&slot| (slot as usize) < unit.registers.len()) =>
                {
                    moves.push(((step.to[0] / SLOT) as usize, slot as usize));
                }
                _ => strike(step.to[0]),
            }
        }
        // What names places or lanes counts by its bits.
        match step.operation {
            Operation::Shuffle => strike(step.from[1]),
            Operation::CopyAcross { .. } => step.from[..3].iter().for_each(|&from| strike(from)),
            Operation::Rows { .. } | Operation::Aligned { .. } => strike(step.from[0]),
            Operation::Load { .. } | Operation::Store { .. } | Operation::Atomic { .. } => {
                strike(step.from[0]);
                strike(step.from[4]);
                step.scaled.iter().flat_map(|scaled| scaled.reads()).for_each(&mut strike);
            }
            _ => {}
        }
    }
    (0..float.len())
        .filter(|&slot| values.kept(slot as u32).or(values.in_halves(slot as u32)).is_some())
        .for_each(|slot| other[slot] = true);
    let mut loose: Vec<bool> = float.iter().zip(other).map(|(&float, other)| float && !other).collect();
    // Results of moves are loose no longer than what they move. Each turn strikes one at least; seldom more than a few do.
    for turn in 0.. {
        let mut changed = false;
        for &(to, from) in &moves {
            if loose[to] && (turn > MOST_TURNS || !loose[from]) {
                (loose[to], changed) = (false, true);
            }
        }
        if !changed {
            break;
        }
    }
    loose
}

#[inline]
pub fn zmm(number: u32) -> Register {
    use Register::*;
    const ALL: [Register; 32] = [
        ZMM0, ZMM1, ZMM2, ZMM3, ZMM4, ZMM5, ZMM6, ZMM7, ZMM8, ZMM9, ZMM10, ZMM11, ZMM12, ZMM13, ZMM14, ZMM15, ZMM16,
        ZMM17, ZMM18, ZMM19, ZMM20, ZMM21, ZMM22, ZMM23, ZMM24, ZMM25, ZMM26, ZMM27, ZMM28, ZMM29, ZMM30, ZMM31,
    ];
    ALL[number as usize & 31]
}

pub fn xmm(register: Register) -> Register {
    Register::XMM0 + (register as u32 - Register::ZMM0 as u32)
}

pub fn ymm(register: Register) -> Register {
    Register::YMM0 + (register as u32 - Register::ZMM0 as u32)
}

impl Lower<'_> {
    fn block(&mut self, block: usize) {
        let mut live = core::mem::take(&mut self.lives);
        live_before(self.flow, block, &mut live);
        self.block_with(block, &live);
        self.lives = live;
    }

    /// One block. `live`: what is live before each of its steps.
    fn block_with(&mut self, block: usize, live: &Sets) {
        self.asm.place_exposed(self.bodies[block]);
        self.begin_pins(block);
        if self.flow.reconverges[block] {
            self.compare_number(at(WARP, self.layout.reconverge.into()), self.flow.starts[block]);
            self.asm.je(self.join);
        }
        self.begin_block(block);
        self.find_groups(block);
        self.begin_steps(block, live);
        self.begin_saved(block);
        self.steps(block, self.flow.range(block).start, &[], live);
        if self.full {
            return;
        }
        self.end_assumed();
        self.end_trusts(block);
        self.end_saved();
        self.set_flushing(self.flushes);
        let last = self.flow.range(block).end - 1;
        let falls = block + 1 == self.flow.count() && !self.unit.steps[last].ends;
        if falls {
            // Behind the last step there is none: never reached.
            self.asm.op0(Code::Ud2);
        }
    }

    /// What is known where steps of a block begin.
    fn begin_steps(&mut self, block: usize, live: &Sets) {
        self.find_bundles(block);
        self.find_folds(block, live);
        self.even.clear();
        self.in_eax = None;
        self.only_in_masks = None;
        self.arm = None;
    }

    /// The steps of a block from one on. `labels`: where some of them begin.
    fn steps(&mut self, block: usize, from: usize, labels: &[(usize, Label)], live: &Sets) {
        let range = self.flow.range(block);
        for (n, step) in range.clone().enumerate().skip(from - range.start) {
            if let Some(&(_, label)) = labels.iter().find(|&&(at, _)| at == step) {
                self.asm.place(label);
                self.in_eax = None;
            }
            self.note_live(step, live.of(n));
            let more = step + 1 < self.flow.range(block).end;
            // What is come to from elsewhere finds predicates in their places.
            let begins = labels.iter().any(|&(at, _)| at == step + 1);
            self.passes = more && !begins && self.passes_on(step, |register| !has(live.of(n + 2), register));
            let range = range.clone();
            let predicate = self.unit.steps[step].to[0] / SLOT;
            let dies = |at: usize| !has(live.of(at + 1 - range.start), predicate);
            self.in_masks = !self.passes && self.layout.counters == 0 && self.stays_in_masks(step, range.end, dies);
            if more && self.picks_bit(step, |register| !has(live.of(n + 2), register)) {
                self.in_eax = None;
                continue;
            }
            let waits = !self.makes_load(step);
            if waits
                && self
                    .waits_for_choice(step, range.clone(), |at, register| !has(live.of(at + 1 - range.start), register))
            {
                continue;
            }
            if self.only_in_masks.is_some_and(|held| crate::flow::results(&self.unit.steps[step]).any(|to| to == held))
            {
                self.only_in_masks = None;
            }
            self.step(step, live.of(n), live.of(n + 1));
            self.note_saved(step);
            if let Some((_, label)) = self.folds.back.take_if(|(second, _)| *second == step) {
                self.asm.place(label);
            }
            if let Some((_, label)) = self.joins.take_if(|(second, _)| *second == step) {
                self.asm.place(label);
            }
            self.forget_even(step);
            self.forget_dead(live.of(n + 1));
            if !matches!(self.unit.steps[step].operation, Operation::Compare(..) | Operation::Logic) {
                self.in_eax = None;
            }
            if self.full || self.asm.instructions() > MOST_INSTRUCTIONS {
                self.full = true;
                return;
            }
        }
    }

    /// One step.
    fn step(&mut self, at: usize, before: &[u64], after: &[u64]) {
        let unit = self.unit;
        let step = &unit.steps[at];
        if self.layout.counters != 0 {
            self.asm.number(Register::RAX, self.layout.counters as u64 + 8 * at as u64);
            self.asm.locked1(Code::Inc_rm64, crate::assembler::at(Register::RAX, 0));
        }
        if step.left {
            return;
        }
        // Whatever may leave the code does so with the word that holds everywhere.
        let leaves = may_leave(step.operation) || step.to[0] != u32::MAX && self.is_scalar(step.to[0]);
        if let Some(flushing) = if leaves { Some(self.flushes) } else { float::flushes(step) } {
            self.set_flushing(flushing);
        }
        let writes =
            |held: u32| crate::flow::results(step).any(|to| to == held) || step.writes().contains(&(held / SLOT));
        if self.asm.held().is_some_and(writes) {
            self.asm.hold(None);
        }
        if self.follow_assumed(at, step, after) {
            self.in_eax = None;
            return;
        }
        match step.operation {
            Operation::Exit => self.exit(at, step, before, after),
            Operation::Barrier => self.barrier(at, step, before, after),
            _ if self.native(at, step, before, after) => self.close_folds(step),
            _ => {
                self.called.push(at as u32);
                // The call, and the way past it, end with the word that holds everywhere.
                self.set_flushing(self.flushes);
                if matches!(step.operation, Operation::Step) {
                    self.call_in_row(at, before, after);
                } else {
                    self.call_guarded(at, step, before, after);
                }
            }
        }
    }

    fn native(&mut self, at: usize, step: &Step, before: &[u64], after: &[u64]) -> bool {
        let known = self.in_eax.take().filter(|_| self.layout.counters == 0);
        if self.follow_foreseen(at, step) {
            return true;
        }
        match step.operation {
            Operation::Step | Operation::Exit | Operation::Barrier => false,
            Operation::Branch => {
                self.branch(at, step, known);
                true
            }
            Operation::Compare(number, how) => self.compare(at, step, number, how),
            Operation::Logic => {
                self.logic(step, known);
                true
            }
            Operation::Load { window, element, count, .. } => self.load(at, step, window, element, count),
            Operation::Store { window, element, count, .. } => self.store(at, step, window, element, count),
            Operation::Shuffle | Operation::Vote | Operation::Reduce | Operation::ActiveMask | Operation::Meet => {
                self.exchange(at, step, before, after)
            }
            Operation::Atomic { .. } => self.atomic(at, step, after),
            Operation::Aligned { bytes } => {
                self.look_at_vectors(at, step, bytes);
                true
            }
            Operation::CopyAcross { bytes } => self.copy_across(at, step, bytes),
            Operation::Rows { count, turned, stores } => self.rows(at, step, (count, turned, stores), before, after),
            Operation::Fence => {
                self.asm.op0(Code::Mfence);
                true
            }
            Operation::Nothing => true,
            Operation::Approximate(function) => self.approximate(at, step, function),
            _ if self.is_scalar(step.to[0]) => {
                self.scalar(at, step, before);
                true
            }
            _ if self.is_in_halves(step.to[0]) => {
                self.in_halves(at, step, before);
                true
            }
            _ => self.vector(at, step),
        }
    }

    /// True when a result is kept as one number.
    pub fn is_scalar(&self, offset: u32) -> bool {
        self.values.kept(offset / SLOT).is_some()
    }

    pub fn source(&self, offset: u32) -> Source {
        self.values.source(offset)
    }

    /// A line of constants: its address in a register.
    pub fn line(&mut self, bytes: [u8; 64], to: Register) {
        match self.constants.line(bytes) {
            Some(address) => self.asm.number(to, address),
            None => self.full = true,
        }
    }

    /// The same 32 bits sixteen times.
    pub fn line32(&mut self, f: impl Fn(u32) -> u32, to: Register) {
        let mut bytes = [0; 64];
        for lane in 0..16u32 {
            bytes[lane as usize * 4..][..4].copy_from_slice(&f(lane).to_le_bytes());
        }
        self.line(bytes, to);
    }

    pub fn line64(&mut self, f: impl Fn(u64) -> u64, to: Register) {
        let mut bytes = [0; 64];
        for lane in 0..8u64 {
            bytes[lane as usize * 8..][..8].copy_from_slice(&f(lane).to_le_bytes());
        }
        self.line(bytes, to);
    }

    /// The home of the register at an offset; none for vectors that are no registers.
    pub fn home(&self, offset: u32) -> Option<Home> {
        self.homes.get((offset / SLOT) as usize).copied()
    }

    /// Whether the pieces of an operand are registers.
    pub fn is_in_register(&self, offset: u32) -> bool {
        matches!(self.home(offset), Some(Home::Vector(_) | Home::Single(_)))
    }

    /// A piece of 64 bytes of an operand.
    #[inline]
    pub fn piece(&mut self, offset: u32, piece: u32, wide: bool, scratch: Register) -> Operand {
        match self.home(offset) {
            // Nobody else has these.
            Some(Home::Vector(first)) => zmm(FIRST + u32::from(first) + piece).into(),
            Some(Home::Single(n)) => zmm(FIRST + u32::from(n)).into(),
            _ => self.other_piece(offset, piece, wide, scratch),
        }
    }

    /// The same of what has no vector register of its own.
    #[inline(never)]
    fn other_piece(&mut self, offset: u32, piece: u32, wide: bool, scratch: Register) -> Operand {
        if let Some(register) = self.pinned(offset, wide) {
            return register.into();
        }
        match self.source(offset) {
            // All pieces are alike.
            Source::Constant(_) => at(FRAME, offset.into()).into(),
            Source::Scalar { stride, .. } => {
                if self.unit.lean.contains_key(&(offset / SLOT)) {
                    return broadcast(FRAME, offset.into()).into();
                }
                let own = self.unit.registers.get((offset / SLOT) as usize);
                let whole = own.is_none_or(|register| register.early);
                if whole {
                    // All lanes are there.
                    let more = if stride == 0 { 0 } else { 64 * i64::from(piece) };
                    return at(FRAME, i64::from(offset) + more).into();
                }
                if let (0, Some(Home::Frame)) = (stride, self.home(offset)) {
                    return broadcast(FRAME, offset.into()).into();
                }
                self.spread(offset, piece, wide, stride, scratch);
                scratch.into()
            }
            Source::Vector { .. } if let Some(stride) = self.values.lean_halves(self.unit, offset) => {
                self.spread_half(offset, piece, wide, stride, scratch);
                scratch.into()
            }
            Source::Vector { .. } => at(FRAME, self.place(offset) + 64 * i64::from(piece)).into(),
        }
    }

    /// Where a vector of the frame is while the code runs.
    pub fn place(&self, offset: u32) -> i64 {
        match self.home(offset) {
            Some(Home::Place(slot)) => i64::from(slot * SLOT),
            _ => offset.into(),
        }
    }

    /// The same, in a register.
    #[inline]
    pub fn piece_in(&mut self, offset: u32, piece: u32, wide: bool, scratch: Register) -> Register {
        match self.piece(offset, piece, wide, scratch) {
            Operand::Register(register) => register,
            Operand::Memory(memory) => self.load_piece(memory, wide, scratch),
        }
    }

    #[inline(never)]
    fn load_piece(&mut self, memory: Memory, wide: bool, to: Register) -> Register {
        if memory.broadcasts {
            let plain = at(memory.base, memory.offset);
            let code =
                if wide { Code::EVEX_Vpbroadcastq_zmm_k1z_xmmm64 } else { Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32 };
            self.asm.op2(code, to, plain);
        } else {
            self.asm.op2(Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512, to, memory);
        }
        to
    }

    /// A number that stands for all lanes, as a piece of a vector.
    pub fn spread(&mut self, offset: u32, piece: u32, wide: bool, stride: i64, to: Register) {
        match self.home(offset) {
            Some(Home::Single(n)) => {
                self.asm.op2(Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512, to, zmm(FIRST + u32::from(n)));
            }
            Some(Home::General(n)) => {
                let from = GENERAL[usize::from(n)];
                if wide {
                    self.asm.op2(Code::EVEX_Vpbroadcastq_zmm_k1z_r64, to, from);
                } else {
                    self.asm.op2(Code::EVEX_Vpbroadcastd_zmm_k1z_r32, to, narrow(from));
                }
            }
            _ => {
                let code =
                    if wide { Code::EVEX_Vpbroadcastq_zmm_k1z_xmmm64 } else { Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32 };
                self.asm.op2(code, to, at(FRAME, offset.into()));
            }
        }
        if stride == 0 {
            return;
        }
        if wide {
            let first = u64::from(piece) * 8;
            self.line64(|lane| (first + lane).wrapping_mul(stride as u64), Register::RDX);
            self.asm.op3(Code::EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64, to, to, at(Register::RDX, 0));
        } else {
            let first = piece * 16;
            self.line32(|lane| (first + lane).wrapping_mul(stride as u32), Register::RDX);
            self.asm.op3(Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, to, to, at(Register::RDX, 0));
        }
    }

    /// Puts the lanes that a step is for into `k3` and `k4`, if it has a guard.
    pub fn guard(&mut self, step: &Step) {
        if step.guard == UNGUARDED {
            return;
        }
        let slot = i64::from(step.guard & !1);
        for (k, active, offset) in [(Register::K3, Register::K1, slot), (Register::K4, Register::K2, slot + 2)] {
            self.asm.op2(Code::VEX_Kmovw_kr_km16, k, at(FRAME, offset));
            let code = if step.guard & 1 != 0 { Code::VEX_Kandnw_kr_kr_kr } else { Code::VEX_Kandw_kr_kr_kr };
            self.asm.op3(code, k, k, active);
        }
    }

    /// The lanes of a piece that a step is for: a mask register, perhaps made in `scratch`. [`Lower::guard`] has been called.
    pub fn lanes(&mut self, step: &Step, piece: u32, wide: bool, scratch: Register) -> Register {
        let half = if wide { piece / 2 } else { piece };
        let halves = if step.guard == UNGUARDED { [Register::K1, Register::K2] } else { [Register::K3, Register::K4] };
        let mask = halves[half as usize];
        if !wide || piece.is_multiple_of(2) {
            return mask;
        }
        self.asm.op3i(Code::VEX_Kshiftrw_kr_kr_imm8, scratch, mask, 8, Mask::ALL);
        scratch
    }

    /// The mask that a result is written with.
    pub fn write_mask(&mut self, step: &Step, to: u32, piece: u32, wide: bool) -> Mask {
        if self.choosing == Some(to) {
            return Mask::of([Register::K5, Register::K6][piece as usize & 1]);
        }
        let spares = self.flow.masked.get((to / SLOT) as usize) == Some(&true);
        if step.guard == UNGUARDED && !spares {
            return Mask::ALL;
        }
        Mask::of(self.lanes(step, piece, wide, Register::K7))
    }

    /// Where a piece of a result is worked out: in its own register if nothing speaks against it.
    pub fn target(&self, step: &Step, to: u32, piece: u32) -> Register {
        let slot = (to / SLOT) as usize;
        let plain = step.guard == UNGUARDED && self.flow.masked.get(slot) != Some(&true) && self.choosing != Some(to);
        match self.home(to) {
            Some(Home::Vector(first)) if plain => zmm(FIRST + u32::from(first) + piece),
            _ => zmm(4),
        }
    }

    /// Writes a piece of a result that was worked out in a register.
    pub fn put(&mut self, step: &Step, to: u32, piece: u32, wide: bool, from: Register) {
        let mask = self.write_mask(step, to, piece, wide);
        let (load, store) = if wide {
            (Code::EVEX_Vmovdqa64_zmm_k1z_zmmm512, Code::EVEX_Vmovdqu64_zmmm512_k1z_zmm)
        } else {
            (Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512, Code::EVEX_Vmovdqu32_zmmm512_k1z_zmm)
        };
        match self.home(to) {
            Some(Home::Vector(first)) => {
                let own = zmm(FIRST + u32::from(first) + piece);
                if own != from {
                    self.asm.masked2(load, own, from, mask);
                }
            }
            _ => self.asm.masked2(store, at(FRAME, self.place(to) + 64 * i64::from(piece)), from, mask),
        }
    }

    /// The same by the instruction that worked it out, which was the last one. False if it cannot.
    pub fn merge(&mut self, step: &Step, to: u32, piece: u32, wide: bool, from: Register) -> bool {
        let Some(Home::Vector(first)) = self.home(to) else { return false };
        let own = zmm(FIRST + u32::from(first) + piece);
        if wide || own == from {
            return false;
        }
        let mask = self.write_mask(step, to, piece, wide);
        self.asm.redirect(from, own, mask)
    }

    /// NaNs in a register become the device's.
    pub fn canonical(&mut self, register: Register) {
        self.asm.op4i(Code::EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae, Register::K6, register, register, 3, Mask::ALL);
        match self.device_nans {
            Some(address) => self.asm.number(Register::RDX, address),
            None => {
                self.line32(|_| 0x7fff_ffff, Register::RDX);
                self.device_nans = self.constants.last();
            }
        }
        self.asm.masked2(Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512, register, at(Register::RDX, 0), Mask::of(Register::K6));
    }

    /// The same of a piece of the frame, written elsewhere or back. Changes `zmm5`.
    pub fn canonical_in(&mut self, from: i64, to: i64) {
        self.asm.load(zmm(5), FRAME, from);
        self.canonical(zmm(5));
        self.asm.store(FRAME, to, zmm(5));
    }

    /// NaNs in the result of a step are those of this machine.
    pub fn is_loose_result(&self, step: &Step) -> bool {
        self.loose.get((step.to[0] / SLOT) as usize) == Some(&true)
    }

    /// The bits of an operand are looked at: NaNs in its register become the device's.
    pub fn fix(&mut self, offset: u32) {
        if self.loose.get((offset / SLOT) as usize) != Some(&true) {
            return;
        }
        if let (Some(Home::Vector(first)), Level::Avx512) = (self.home(offset), self.asm.level()) {
            // There is seldom one: both halves are looked at together.
            let halves = [0, 1].map(|half| zmm(FIRST + u32::from(first) + half));
            let [a, b] = halves;
            self.asm.op4i(Code::EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae, Register::K6, a, b, 3, Mask::ALL);
            self.asm.op2(Code::VEX_Kortestw_kr_kr, Register::K6, Register::K6);
            let (label, back) = (self.asm.label(), self.asm.label());
            self.asm.jne(label);
            self.asm.place(back);
            self.late.push(Late::Canonical { label, back, halves });
            return;
        }
        for piece in 0..2 {
            match self.home(offset) {
                Some(Home::Vector(first)) => self.canonical(zmm(FIRST + u32::from(first) + piece)),
                _ => {
                    let place = self.place(offset) + 64 * i64::from(piece);
                    self.canonical_in(place, place);
                }
            }
        }
    }

    /// `cmp dword [..], number`.
    pub fn compare_number(&mut self, memory: Memory, number: u32) {
        self.asm.op2i(Code::Cmp_rm32_imm32, memory, number as i32);
    }

    pub fn wide(&self, offset: u32) -> bool {
        self.unit.registers.get((offset / SLOT) as usize).is_some_and(|register| register.bytes == 8)
    }
}
