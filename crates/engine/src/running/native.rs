//! Compiled code: when a kernel is compiled, from what, and how a warp enters the code.

use crate::operations::asynchronous::SmallCopy;
use crate::operations::atomic::Alignment;
use crate::operations::collective::{Reduction, ShuffleMode, Vote};
use crate::operations::control::{Jump, TableJump};
use crate::operations::elementwise::{Branches, Choice, Comparison};
use crate::operations::memory::{Access, Address};
use crate::operations::predicate::Logic;
use crate::running::jit_map;
use crate::state::frame::{NOWHERE, Paths, SLOT, Waiting};
use crate::state::grid::LaunchShape;
use crate::state::native::{BlockKind, Leads, Native, NativeStep};
use crate::state::program::Base;
use crate::state::services::AddressRange;
use crate::state::step::{Flow, UNGUARDED};
use crate::state::surroundings::Surroundings;
use crate::state::warp::{Arrival, Code, Warp, is_lean};
use compiler::operation::Operation;
use compiler::unit::{Branch, Layout, Register, Step, Unit, outcome, path};
use compiler::{Level, Refusal};
use core::mem::offset_of;
use core::sync::atomic::Ordering;
use ptx::instruction::Special;
use settings::config::{Cpu, Engine, JitMap, settings};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// Which engine runs kernels: `DOPPEL_ENGINE`.
fn engine() -> Engine {
    #[cfg(test)]
    if let Some(engine) = FORCED.get() {
        return engine;
    }
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    *ENGINE.get_or_init(|| match settings() {
        Some(settings) if compiler::level().is_some() => settings.engine,
        _ => Engine::Interpret,
    })
}

/// What compiled code may use: `DOPPEL_CPU`.
fn level() -> Option<Level> {
    #[cfg(test)]
    if FOR_AVX2.get() {
        return compiler::level().map(|_| Level::Avx2);
    }
    static LEVEL: OnceLock<Option<Level>> = OnceLock::new();
    *LEVEL.get_or_init(|| match settings() {
        Some(settings) if settings.cpu == Cpu::Avx2 => compiler::level().map(|_| Level::Avx2),
        _ => compiler::level(),
    })
}

#[cfg(test)]
thread_local!(static FORCED: std::cell::Cell<Option<Engine>> = const { std::cell::Cell::new(None) });

#[cfg(test)]
thread_local!(static FOR_AVX2: std::cell::Cell<bool> = const { std::cell::Cell::new(false) });

/// What this thread compiles meanwhile does with AVX2.
#[cfg(test)]
pub fn with_avx2<T>(run: impl FnOnce() -> T) -> T {
    FOR_AVX2.set(true);
    let result = run();
    FOR_AVX2.set(false);
    result
}

/// Launches that this thread makes meanwhile are run by an engine, if the machine has what that takes.
#[cfg(test)]
pub fn force_engine<T>(engine: Engine, run: impl FnOnce() -> T) -> T {
    FORCED.set(Some(engine).filter(|_| compiler::level().is_some()));
    let result = run();
    FORCED.set(None);
    result
}

/// The code of a kernel for a launch, if it is worth it.
pub(super) fn code_for<'c>(code: &'c Code, shape: &LaunchShape) -> Option<&'c compiler::Code> {
    /// Warps, weighed, from which on compiling pays: a step takes about as long to compile as to execute a hundred times.
    const ENOUGH: u64 = 256;
    /// Threads whose results, a word each, are larger than caches: as many as copies write past them. Fewer in tests.
    const MANY: u64 = if cfg!(test) { 1 << 10 } else { 8 << 20 };
    let native = code.native.as_deref()?;
    let level = level()?;
    match engine() {
        Engine::Interpret => return None,
        Engine::Compile => {}
        Engine::Auto => {
            let warps = shape.blocks().saturating_mul(shape.threads().div_ceil(32));
            let weight = warps.saturating_mul(if code.loops { 16 } else { 1 });
            let before = match native.work.load(Ordering::Relaxed) {
                // Nobody asks how much more it is.
                enough @ ENOUGH.. => enough,
                _ => native.work.fetch_add(weight.min(1 << 40), Ordering::Relaxed),
            };
            if before.saturating_add(weight) < ENOUGH {
                if before == 0 {
                    settings::log::info!(
                        "kernel '{}' is interpreted until more of it is run: {warps} warps",
                        code.name
                    );
                }
                return None;
            }
        }
    }
    let kind = native.kind(shape.block);
    let large = native.unordered && shape.blocks().saturating_mul(shape.threads()) >= MANY;
    let compiled = native.code[usize::from(large)][kind as usize].get_or_init(|| {
        /// Ways out of tables of branches.
        const MOST_WAYS: usize = 1 << 18;
        let tables = |at: &crate::state::native::NativeStep| at.leads == Leads::Table;
        let longest = code.tables.iter().map(Vec::len).max().unwrap_or(0);
        if native.steps.iter().filter(|at| tables(at)).count().saturating_mul(longest) > MOST_WAYS {
            settings::log::info!("kernel '{}' is interpreted: its tables of branches are too large", code.name);
            return None;
        }
        let unit = Unit { past_caches: large, ..unit(code, native, kind) };
        match compiler::compile(unit, &layout(code), level) {
            Ok(mut compiled) => {
                tell(&code.name, &mut compiled);
                let (steps, called) = compiled.coverage();
                settings::log::info!(
                    "kernel '{}' compiled: {} of {steps} steps native, {} bytes{}",
                    code.name,
                    steps as usize - called.len(),
                    compiled.bytes().len(),
                    names(native, called)
                );
                Some(compiled)
            }
            Err(refusal @ Refusal::NoMemory) => {
                settings::log::once!(settings::log::warn!(
                    "the system gives no executable memory: kernels are interpreted"
                ));
                settings::log::info!("kernel '{}' is interpreted: {refusal:?}", code.name);
                None
            }
            Err(refusal) => {
                settings::log::info!("kernel '{}' is interpreted: {refusal:?}", code.name);
                None
            }
        }
    });
    compiled.as_ref()
}

/// The code of a kernel for parts of warps, if it is worth it.
fn apart_code(code: &Code) -> Option<&compiler::Code> {
    /// Turns of such parts from which on compiling pays.
    const ENOUGH: u64 = 64;
    let native = code.native.as_deref()?;
    if engine() == Engine::Auto && native.parted.fetch_add(1, Ordering::Relaxed) < ENOUGH {
        return None;
    }
    let compiled = native.apart.get_or_init(|| {
        let unit = Unit { apart: true, ..unit(code, native, BlockKind::General) };
        match compiler::compile(unit, &layout(code), level()?) {
            Ok(mut compiled) => {
                tell(&code.name, &mut compiled);
                settings::log::info!(
                    "kernel '{}' compiled for parts of warps: {} bytes",
                    code.name,
                    compiled.bytes().len()
                );
                Some(compiled)
            }
            Err(refusal) => {
                settings::log::info!("parts of warps of kernel '{}' are interpreted: {refusal:?}", code.name);
                None
            }
        }
    });
    compiled.as_ref()
}

/// A kernel's code for blocks whose warps are rows, made anew. None if it is no kernel.
pub fn compile(code: &Code) -> Option<Result<compiler::Code, Refusal>> {
    let (native, level) = (code.native.as_deref()?, level()?);
    Some(compiler::compile(unit(code, native, BlockKind::Rows), &layout(code), level))
}

/// The opcodes of the steps that a kernel's code for such blocks calls. None where it is not compiled.
#[cfg(test)]
pub fn called(code: &Code, kind: BlockKind) -> Option<Vec<ptx::Opcode>> {
    let (native, level) = (code.native.as_deref()?, level()?);
    let compiled = compiler::compile(unit(code, native, kind), &layout(code), level).ok()?;
    Some(compiled.coverage().1.iter().filter_map(|&at| native.steps[at as usize].opcode).collect())
}

/// Tells debuggers and `perf` where a kernel's code is.
fn tell(name: &str, code: &mut compiler::Code) {
    code.name(name);
    jit_map::write(settings().map_or(JitMap::Off, |settings| settings.jit_map), name, code.bytes());
}

/// Which warps compiled code goes on with when the one that it is entered for waits at the block's first barrier or has ended.
#[derive(Clone, Copy)]
pub(super) enum Together<'c> {
    /// None: it comes back.
    Alone,
    /// The next ones of the block, and then the first one again.
    From(*mut Warp<'c>),
    /// The same; warps before it wait already.
    After(*mut Warp<'c>),
    /// The next ones of a block of which nothing has run, by code that chains warps: it leaves those that have ended as the next block
    /// finds them.
    Chained(*mut Warp<'c>),
}

/// The opcodes of steps that are called, for the log.
fn names(native: &Native, called: &[u32]) -> String {
    let mut counts = BTreeMap::new();
    for &at in called {
        let opcode = native.steps[at as usize].opcode;
        *counts.entry(opcode.map_or_else(|| "setup".to_owned(), |opcode| opcode.to_string())).or_insert(0) += 1;
    }
    let list: Vec<String> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
    if list.is_empty() { String::new() } else { format!("; called: {}", list.join(", ")) }
}

/// A kernel as the compiler takes it.
fn unit(code: &Code, native: &Native, kind: BlockKind) -> Unit {
    let rows = kind.has_rows();
    let strides = native.strides_in(kind);
    let register = |(number, ty): (usize, &ptx::Type)| Register {
        bytes: match ty.bytes() {
            0 => 0,
            8 => 8,
            16 => 16,
            _ => 4,
        },
        stride: strides.get(number).copied().flatten(),
        early: native.early[number],
        shared: native.shared[number],
        constant: native.constants.get(&(number as u32)).copied(),
    };
    let special = |&(slot, special): &(u32, Special)| {
        let stride = match special {
            Special::Tid(0) if rows => 1,
            Special::LaneId => 1,
            Special::Tid(_) if !rows => return None,
            Special::LanemaskEq
            | Special::LanemaskLe
            | Special::LanemaskLt
            | Special::LanemaskGe
            | Special::LanemaskGt
            | Special::IsExplicitCluster => return None,
            special if special.is_clock() => return None,
            _ => 0,
        };
        Some((slot, stride))
    };
    let tile = |&(slot, special): &(u32, Special)| match special {
        _ if kind != BlockKind::Tiles => None,
        Special::Tid(0) => Some((slot, 1)),
        Special::Tid(_) => Some((slot, 0)),
        _ => None,
    };
    let early =
        native.halves.iter().filter(|_| kind == BlockKind::Tiles).map(|register| (register.slot, register.stride));
    // The engine writes one lane of what is the same for all lanes of a block, and not of a launch.
    let lean = |&(slot, special): &(u32, Special)| is_lean(special).then_some((slot, special.is_wide()));
    let base = |&(slot, _): &(u32, Base)| (slot, 0);
    let mut steps = Vec::with_capacity(code.steps.len());
    code.steps.iter().zip(&native.steps).for_each(|(own, known)| step(code, native, own, known, &mut steps));
    let mut once = Vec::with_capacity(native.once.len());
    for &(at, operation) in &native.once {
        let known = NativeStep { operation, ..NativeStep::default() };
        step(code, native, &code.once[at as usize], &known, &mut once);
    }
    Unit {
        steps,
        once,
        tiles: code.specials.iter().filter_map(tile).chain(early).collect(),
        registers: code.types.iter().enumerate().map(register).collect(),
        constants: code.constants.iter().map(|&(slot, bits, _)| (slot, bits)).collect(),
        lean: code.specials.iter().filter_map(lean).collect(),
        scalars: code.specials.iter().filter_map(special).chain(code.bases.iter().map(base)).collect(),
        past_caches: false,
        apart: false,
    }
}

/// Puts a step behind others, and fills it in there.
fn step(code: &Code, native: &Native, step: &crate::state::warp::Step, known: &NativeStep, steps: &mut Vec<Step>) {
    let result = steps.push_mut(Step {
        operation: known.operation,
        manner: known.manner,
        guard: step.guard,
        to: step.to,
        from: step.from,
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
        ends: known.ends,
        control: known.control,
        touched: None,
        scaled: None,
        source: 0,
        left: false,
    });
    match known.operation {
        Operation::Branch => {
            let always = step.guard == UNGUARDED;
            result.branch = Some(branch(step.payload(), false, always));
        }
        Operation::Compare(..) => {
            let Comparison { branches, jump, combination, negated, pair, .. } = step.payload();
            result.combination = combination as u8;
            result.negated = negated.into();
            result.pair = pair;
            if branches != Branches::No {
                result.branch = Some(branch(jump, branches == Branches::Unless, false));
            }
        }
        Operation::Select { .. } => result.negated = step.payload::<Choice>().negated.into(),
        Operation::Logic => {
            let Logic { operation, negated: [a, b] } = step.payload();
            (result.mode, result.negated) = (operation as u8, u8::from(a) | u8::from(b) << 1);
        }
        Operation::Atomic { .. } | Operation::Load { .. } | Operation::Store { .. } => {
            let Access { address, .. } = step.payload();
            (result.offset, result.narrow, result.based) = (address.offset, address.narrow, address.based);
        }
        Operation::Aligned { .. } => {
            let Alignment { address, .. } = step.payload();
            result.offset = address.offset;
        }
        Operation::CopyAcross { .. } => {
            let SmallCopy { ignores, narrow, offsets: [to, from], .. } = step.payload();
            (result.offset, result.source) = (to.into(), from.into());
            (result.narrow, result.mode) = (narrow, ignores.into());
        }
        Operation::Rows { .. } => {
            let Address { offset, narrow, .. } = step.payload();
            (result.offset, result.narrow) = (offset, narrow);
        }
        Operation::Shuffle => result.mode = step.payload::<ShuffleMode>() as u8,
        Operation::Reduce => result.mode = step.payload::<Reduction>() as u8,
        Operation::Vote => {
            let Vote { mode, negated } = step.payload();
            (result.mode, result.negated) = (mode as u8, negated.into());
        }
        _ => {}
    }
    result.reconverge = result.branch.as_ref().map_or(NOWHERE, |branch| branch.reconverge);
    if result.operation == Operation::Step {
        result.touched = Some(Arc::clone(&native.touched[known.touched as usize]));
        result.leads = match known.leads {
            Leads::Nowhere => Box::default(),
            Leads::Table => {
                let TableJump { table, reconverge, .. } = step.payload();
                result.reconverge = reconverge;
                code.tables.get(table as usize).map(|table| table[..].into()).unwrap_or_default()
            }
            Leads::Target => {
                let Comparison { jump, .. } = step.payload();
                result.reconverge = jump.reconverge;
                Box::new([jump.target])
            }
        };
    }
}

fn branch(Jump { target, reconverge, weight }: Jump, unless: bool, always: bool) -> Branch {
    Branch { target, reconverge, weight: weight.into(), unless, always }
}

/// Where compiled code finds things.
fn layout(code: &Code) -> Layout {
    let counts = code.counted.as_ref().map(|counted| &counted.counts);
    let range = offset_of!(Warp, accessible) as u32;
    let paths = offset_of!(Warp, waiting) as u32;
    Layout {
        frame: offset_of!(Warp, frame) as u32,
        active: offset_of!(Warp, active) as u32,
        alive: offset_of!(Warp, alive) as u32,
        position: offset_of!(Warp, position) as u32,
        reconverge: offset_of!(Warp, reconverge) as u32,
        jumps: offset_of!(Warp, jumps) as u32,
        paths: paths + offset_of!(Paths, length) as u32,
        paths_room: paths + offset_of!(Paths, room) as u32,
        first_path: paths + offset_of!(Paths, first) as u32,
        reach_start: range + offset_of!(AddressRange, start) as u32,
        reach_bytes: range + offset_of!(AddressRange, bytes) as u32,
        row_reach: offset_of!(Warp, row_reach) as u32,
        around: offset_of!(Warp, around) as u32,
        next: offset_of!(Warp, next) as u32,
        left_lean: offset_of!(Warp, left_lean) as u32,
        running: offset_of!(Surroundings, running) as u32,
        dirty: offset_of!(Surroundings, dirty) as u32,
        abreast: offset_of!(Surroundings, abreast) as u32,
        shared: offset_of!(Surroundings, shared) as u32,
        shared_bytes: offset_of!(Surroundings, shared_bytes) as u32,
        patience: crate::operations::control::PATIENCE,
        least_reach: u32::try_from(AddressRange::LEAST).unwrap_or(u32::MAX),
        counters: counts.map_or(0, |counts| counts.reached.as_ptr().expose_provenance()),
        call: (if counts.is_some() { call_counted } else { call }) as *const () as usize,
        part: part as *const () as usize,
        arrive: arrive as *const () as usize,
        tire: tire as *const () as usize,
    }
}

impl<'c> Warp<'c> {
    /// Where compiled code is entered at the position, if it can be.
    #[inline]
    fn place(&self) -> Option<(&'c compiler::Code, *const u8)> {
        let code = self.native.filter(|_| self.frames.len() == 1 && !self.parted)?;
        Some((code, code.entry(self.position)?))
    }

    /// True when compiled code can go on with it.
    #[inline]
    pub(super) fn is_native(&self) -> bool {
        self.place().is_some() && self.position != self.reconverge
    }

    /// Runs compiled code from the position on, if it begins there. None if the interpreter goes on.
    ///
    /// # Safety
    /// As for [`Warp::run`].
    #[inline]
    pub(super) unsafe fn run_native(&mut self) -> Option<Flow> {
        if self.parted {
            // SAFETY: the same contract.
            return unsafe { self.run_apart() };
        }
        // SAFETY: the contract of this function.
        let left = unsafe { self.enter_native(Together::Alone) }?;
        self.left_native(left.outcome)
    }

    /// The same for a warp that is or was in parts, by code that leaves the registers of all other lanes alone.
    ///
    /// # Safety
    /// As for [`Warp::run`].
    #[cold]
    unsafe fn run_apart(&mut self) -> Option<Flow> {
        debug_assert!(!self.left_lean, "a warp comes to parts from code that has all lanes in the frame");
        self.native.filter(|_| self.frames.len() == 1)?;
        let code = apart_code(self.code())?;
        let place = code.entry(self.position)?;
        // SAFETY: the code was made for this kernel and the layout of this type; the warp is at the place, and all lanes of its
        // registers are in the frame.
        let left = unsafe { (code.enter())(core::ptr::from_mut(self).cast(), place, core::ptr::null_mut(), 0) };
        self.left_native(left.outcome)
    }

    /// Enters compiled code at the position, if it can be.
    ///
    /// # Safety
    /// As for [`Warp::run`], of all warps of the block if they run together.
    #[inline]
    pub(super) unsafe fn enter_native(&mut self, together: Together<'c>) -> Option<compiler::Left> {
        let (code, place) = self.place()?;
        self.complete_firsts(code);
        self.left_lean = false;
        let (first, waiting) = match together {
            Together::Alone => (core::ptr::null_mut(), compiler::waiting::NONE),
            Together::From(first) => (first, compiler::waiting::NONE),
            Together::After(first) => (first, compiler::waiting::SOME),
            Together::Chained(first) => (first, compiler::waiting::CHAINED),
        };
        // SAFETY: the code was made for this kernel and the layout of this type; the warp is at the place.
        Some(unsafe { (code.enter())(core::ptr::from_mut(self).cast(), place, first.cast(), waiting) })
    }

    /// After compiled code was left: what the warp does next, none if the interpreter goes on.
    #[inline]
    pub(super) fn left_native(&mut self, outcome: u32) -> Option<Flow> {
        self.left_lean &= outcome == outcome::BARRIER;
        if let Some(panic) = self.panic.take() {
            std::panic::resume_unwind(panic);
        }
        match outcome {
            outcome::INTERPRET => {
                // Until the end of the block.
                self.native = None;
                None
            }
            outcome::AWHILE => None,
            outcome::DONE => Some(Flow::Done),
            outcome::BARRIER => {
                self.come_to_barrier();
                Some(Flow::Barrier)
            }
            _ => {
                if let Flow::Fault(_) = self.flow {
                    self.line = self.current_line();
                }
                Some(self.flow)
            }
        }
    }

    /// All its lanes wait at the block's first barrier.
    pub(super) fn come_to_barrier(&mut self) {
        self.barrier = Arrival { barrier: 0, threads: 0, waits: true };
        self.mask = self.active;
    }

    /// Works out the first lanes that compiled code reads, where steps of the interpreter have written active lanes alone.
    fn complete_firsts(&mut self, code: &compiler::Code) {
        /// Those of the warp, and of its second half.
        const FIRST_LANES: u32 = 0x1_0001;
        if !self.left_lean && self.active & FIRST_LANES != FIRST_LANES {
            // SAFETY: the frame is the kernel's.
            code.numbers().iter().for_each(|number| unsafe { self.complete_first(number) });
        }
    }

    /// The same for a warp that compiled code goes on with by itself.
    pub(super) fn expect_native(&mut self) {
        if let Some((code, _)) = self.place() {
            self.complete_firsts(code);
        }
    }

    /// Works out the first lane of a register that one number stands for, from the first active lane; of one that stands for half of
    /// them by itself, those of both halves.
    ///
    /// # Safety
    /// The frame is that of the compiled kernel, the register one of its own.
    unsafe fn complete_first(&mut self, number: &compiler::Number) {
        let (rows, lanes) = if number.halves { (2, 16) } else { (1, 32) };
        for row in 0..rows {
            let active = self.active >> (16 * row) & (u32::MAX >> (32 - lanes));
            let lane = active.trailing_zeros() % lanes;
            let more = number.stride.wrapping_mul(lane.into());
            // SAFETY: the contract of this function.
            unsafe {
                let vector = self.frame.add((number.slot * SLOT) as usize);
                if number.wide {
                    let first = vector.cast::<u64>().add(16 * row);
                    *first = (*first.add(lane as usize)).wrapping_sub(more as u64);
                } else {
                    let first = vector.cast::<u32>().add(16 * row);
                    *first = (*first.add(lane as usize)).wrapping_sub(more as u32);
                }
            }
        }
    }

    /// The step at which an instruction of compiled code went wrong, if it is one: none for the warp's position.
    pub(super) fn step_of(&self, instruction: usize) -> Option<Option<u32>> {
        // SAFETY: a warp that ran has surroundings; the launch keeps the code.
        let whole = unsafe { (*self.around).native.as_ref() };
        let apart = self.code().native.as_deref().and_then(|native| native.apart.get()).and_then(Option::as_ref);
        whole.into_iter().chain(apart).find_map(|code| code.step_of(instruction))
    }

    /// What a call from compiled code gives back; a panic goes on behind it.
    fn outcome(&mut self, f: impl FnOnce(&mut Warp) -> Flow) -> u32 {
        let warp = core::ptr::from_mut(self);
        // SAFETY: the warp outlives the call; nobody looks at it between a panic and the end of the launch.
        match std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| f(unsafe { &mut *warp }))) {
            Ok(flow) => self.flow = flow,
            Err(panic) => {
                self.panic = Some(panic);
                self.flow = Flow::Done;
            }
        }
        u32::from(self.flow != Flow::Next)
    }

    /// The same after a load that compiled code left to the interpreter.
    ///
    /// # Safety
    /// The frame is that of the compiled kernel, and the step one of its own.
    unsafe fn complete_result(&mut self, position: u32, step: &crate::state::warp::Step) {
        let known = self.code().native.as_ref().map(|native| native.steps[position as usize].operation);
        if let (Some(Operation::Load { .. }), Some(code)) = (known, self.native) {
            let slot = step.to[0] / SLOT;
            if let Ok(at) = code.numbers().binary_search_by_key(&slot, |number| number.slot) {
                // SAFETY: the contract of this function.
                unsafe { self.complete_first(&code.numbers()[at]) };
            }
        }
    }

    /// After lanes have parted or arrived: goes on with those whose turn it is.
    fn next_or_done(&mut self, flow: Flow) -> Flow {
        match flow {
            Flow::Jump | Flow::Next if self.position == self.reconverge && !self.next_path() => Flow::Done,
            Flow::Jump => Flow::Next,
            other => other,
        }
    }
}

/// Sets the control word of SSE as the interpreter wants it: compiled code may have another one.
pub(super) fn set_normal_control() {
    let control = 0x1f80u32;
    // SAFETY: the word that processes begin with.
    unsafe { core::arch::asm!("ldmxcsr [{}]", in(reg) &control, options(nostack, readonly)) };
}

/// Executes a step of the interpreter.
unsafe extern "sysv64" fn call(warp: *mut Warp, position: u32, _: u32) -> u32 {
    // SAFETY: compiled code gives its warp, and a position of the kernel; a warp that runs has surroundings.
    let warp = unsafe {
        // Whoever handles a fault looks there.
        (*(*warp).around).running = warp.cast_const().cast();
        &mut *warp
    };
    warp.outcome(|warp| {
        let step = core::ptr::from_ref(&warp.code().steps[position as usize]);
        // SAFETY: the program outlives the launch; the frame is the kernel's, with all that the step needs in place.
        unsafe {
            let step = &*step;
            let flow = warp.execute(step, position);
            if flow == Flow::Next && warp.active & 1 == 0 {
                warp.complete_result(position, step);
            }
            flow
        }
    })
}

/// The same, and counts it.
unsafe extern "sysv64" fn call_counted(warp: *mut Warp, position: u32, unused: u32) -> u32 {
    // SAFETY: as for `call`.
    let counted = unsafe { &(*warp).code().counted };
    if let Some(counted) = counted {
        counted.counts.called[position as usize].fetch_add(1, Ordering::Relaxed);
    }
    // SAFETY: the contract of this function.
    unsafe { call(warp, position, unused) }
}

/// Lanes of the mask jump, the others do not.
unsafe extern "sysv64" fn part(warp: *mut Warp, position: u32, mask: u32) -> u32 {
    // SAFETY: as for `call`.
    let warp = unsafe { &mut *warp };
    warp.outcome(|warp| {
        let step = &warp.code().steps[position as usize];
        let native = warp.code().native.as_ref().map(|native| native.steps[position as usize].operation);
        let jump = match native {
            Some(Operation::Branch) => step.payload(),
            _ => step.payload::<Comparison>().jump,
        };
        (warp.position, warp.mask) = (position, mask);
        let flow = warp.branch(jump);
        warp.next_or_done(flow)
    })
}

/// The warp has come to a place where lanes reconverge.
unsafe extern "sysv64" fn arrive(warp: *mut Warp, position: u32, _: u32) -> u32 {
    // SAFETY: as for `call`.
    let warp = unsafe { &mut *warp };
    warp.outcome(|warp| {
        warp.position = position;
        warp.next_or_done(Flow::Jump)
    })
}

/// Too many jumps backwards.
unsafe extern "sysv64" fn tire(warp: *mut Warp, position: u32, weight: u32) -> u32 {
    // SAFETY: as for `call`.
    let warp = unsafe { &mut *warp };
    warp.outcome(|warp| {
        warp.position = position;
        warp.jumped(weight)
    })
}

const _: () = assert!(NOWHERE == compiler::unit::NOWHERE && UNGUARDED == compiler::unit::UNGUARDED);
const _: () = assert!(
    offset_of!(Waiting, position) as i64 == path::POSITION
        && offset_of!(Waiting, reconverge) as i64 == path::RECONVERGE
        && offset_of!(Waiting, mask) as i64 == path::MASK
        && offset_of!(Waiting, depth) as i64 == path::DEPTH
        && size_of::<Waiting>() == 1 << path::SHIFT
);
