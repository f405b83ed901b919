//! A module, ready to run.

use crate::numeric::value::LANES;
use crate::state::affine::{AffineRegister, AffineSteps, is_affine};
use crate::state::core_dump::Plain;
use crate::state::coverage::Counted;
use crate::state::native::Native;
use crate::state::payload::DetailOf;
use crate::state::step::{Runner, Step};
use core::any::Any;
use ptx::Type;
use ptx::analysis::class::warps_are_rows;
use ptx::instruction::Special;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Addresses of functions begin here: nothing else lies there.
pub const FUNCTIONS: u64 = 0x7fff_0000_0000_0000;

/// A module, ready to run.
pub struct Program<W: Runner> {
    /// Its functions, kernels among them, in the order of the module.
    pub functions: Vec<Code<W>>,
    /// What the shared memory of a block and the local memory of a thread are aligned to: a power of two.
    pub alignment: u64,
    /// The same of the dynamic part of shared memory.
    pub dynamic_alignment: u32,
    /// Bytes of its variables in constant memory, and where they are.
    pub constant: u64,
    pub constants: core::ops::Range<u64>,
    /// Accesses are probed before they are made.
    pub checked: bool,
    /// The text, if it was built for core dumps.
    pub text: Option<Arc<str>>,
}

/// What a vector of a frame is set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// Address of the kernel's parameters.
    Parameters,
    /// Where the variables of the call begin in local memory.
    Local,
    /// Where the dynamic part of shared memory begins.
    DynamicShared,
}

/// Where an argument or a result of a call is in the caller.
#[derive(Clone, Copy, Debug)]
pub enum ArgumentPlace {
    /// A variable, by its offset.
    Local(u64),
    /// A register: byte offset of the vector, and whether its lanes have 64 bits.
    Lane(u32, bool),
}

/// A value that a call passes.
#[derive(Clone, Copy, Debug)]
pub struct Passed {
    /// Where it is in the caller.
    pub place: ArgumentPlace,
    /// Its bytes.
    pub size: usize,
    /// Where it is in the callee's variables.
    pub offset: u64,
}

/// What is called.
#[derive(Clone, Copy, Debug)]
pub enum Callee {
    /// A function of the program.
    Function(u32),
    /// The function whose address is in a register.
    Register(u32),
    /// One that the system provides.
    System(System),
}

/// Functions that the system provides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    Print,
    Assert,
    Allocate,
    Free,
    /// Sets the condition of a graph.
    SetCondition,
    /// Launches a graph.
    LaunchGraph,
    /// A function of the device's runtime.
    Device(crate::state::device_calls::Call),
}

/// A call.
pub struct CallSite {
    pub target: Callee,
    pub arguments: Vec<Passed>,
    pub results: Vec<Passed>,
}

/// Steps from this one on, up to the next, come from a line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLine {
    pub step: u32,
    pub file: Arc<str>,
    pub line: u32,
}

/// A variable in local memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalVariable {
    pub name: String,
    pub offset: u64,
    pub size: u64,
}

/// A parameter of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub offset: usize,
    pub size: usize,
    /// It is declared as a floating point number.
    pub is_float: bool,
}

/// What a function uses beyond its instructions; of a kernel, what the functions that it may call use, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// It asks for the memory by which the blocks of the grid synchronise.
    pub workspace: bool,
    /// It asks for the shared memory that the system keeps.
    pub reserved: bool,
    /// It prints.
    pub prints: bool,
    /// It allocates memory, or frees some.
    pub allocates: bool,
    /// It launches kernels, copies or fills memory through the device's runtime.
    pub launches: bool,
    /// It launches graphs, or asks for its own.
    pub graphs: bool,
    /// It has a loop that probably waits for other threads.
    pub waits: bool,
}

impl Uses {
    /// What the instructions of a function use.
    pub fn of<W: Runner>(code: &Code<W>) -> Uses {
        let calls =
            |all: &[System]| code.sites.iter().any(|s| matches!(s.target, Callee::System(f) if all.contains(&f)));
        Uses {
            workspace: code.specials.iter().any(|s| matches!(s.1, Special::Environment(1 | 2))),
            reserved: code.specials.iter().any(|s| matches!(s.1, Special::ReservedShared(_))),
            prints: calls(&[System::Print]),
            allocates: calls(&[System::Allocate, System::Free]),
            launches: code
                .sites
                .iter()
                .any(|s| matches!(s.target, Callee::System(System::Device(call)) if call.launches())),
            graphs: calls(&[System::LaunchGraph]) || code.specials.iter().any(|s| s.1 == Special::GraphExec),
            waits: code.waits,
        }
    }

    /// What either uses.
    pub fn and(self, other: Uses) -> Uses {
        Uses {
            workspace: self.workspace | other.workspace,
            reserved: self.reserved | other.reserved,
            prints: self.prints | other.prints,
            allocates: self.allocates | other.allocates,
            launches: self.launches | other.launches,
            graphs: self.graphs | other.graphs,
            waits: self.waits | other.waits,
        }
    }
}

/// What instructions need to know beyond their steps, of any type: an operation alone knows which.
#[derive(Default)]
pub struct Details(Vec<Box<dyn Any + Send + Sync>>);

impl Details {
    /// Keeps one; the number is for its step.
    pub fn add<T: Any + Send + Sync>(&mut self, detail: T) -> DetailOf<T> {
        self.0.push(Box::new(detail));
        DetailOf::new(self.0.len() as u32 - 1)
    }

    /// The one with a number. `None` where an operation asks for what is not its own.
    #[inline]
    pub fn get<T: Any>(&self, detail: DetailOf<T>) -> Option<&T> {
        self.0.get(detail.number())?.downcast_ref()
    }
}

/// A function, ready to run.
pub struct Code<W: Runner> {
    /// Its name.
    pub name: String,
    /// A kernel.
    pub entry: bool,
    /// What it does. The last step leaves the function.
    pub steps: Vec<Step<W>>,
    /// Of a kernel: steps whose results are the same for all blocks of a launch. They are executed before all others, by all
    /// lanes.
    pub once: Vec<Step<W>>,
    /// Of a kernel: the steps for blocks whose warps are rows of threads, if they are any quicker.
    pub affine: Option<AffineSteps<W>>,
    /// Of a kernel: what the compiler needs to know of it.
    pub native: Option<Box<Native>>,
    /// What is kept for core dumps, if it was built for them.
    pub plain: Option<Box<Plain>>,
    /// How often its steps ran, if somebody asked.
    pub counted: Option<Box<Counted<W>>>,
    /// For each step the line of its instruction in the text.
    pub lines: Vec<u32>,
    /// Where steps come from, in their order.
    pub sources: Vec<SourceLine>,
    /// Vectors of a frame.
    pub slots: u32,
    /// Types of the first of them: the function's registers.
    pub types: Vec<Type>,
    /// Vectors that never change: slot, bits of a lane, lanes of 64 bits.
    pub constants: Vec<(u32, u64, bool)>,
    /// Vectors that the hardware fills.
    pub specials: Vec<(u32, Special)>,
    /// Vectors with addresses.
    pub bases: Vec<(u32, Base)>,
    /// Bytes of its variables in a lane's local memory.
    pub local: u64,
    /// It allocates more of it while it runs.
    pub allocates_stack: bool,
    /// These variables, if accesses are probed.
    pub variables: Vec<LocalVariable>,
    /// Calls.
    pub sites: Vec<CallSite>,
    /// Targets of `brx.idx`.
    pub tables: Vec<Vec<u32>>,
    /// What instructions need to know beyond their steps: each step names its own by number.
    pub details: Details,
    /// Of a kernel: its parameters and their bytes.
    pub parameters: Vec<Parameter>,
    pub parameter_bytes: usize,
    /// Of a kernel: bytes of static shared memory.
    pub shared: u32,
    /// The same as the device counts them: up to where the module's dynamic arrays begin, if it declares any.
    pub shared_size: u32,
    /// Bytes of local memory that it and what it calls need; `None` if that has no bound.
    pub stack: Option<u64>,
    /// Of a kernel: `.maxntid` and `.reqntid`.
    pub most_threads: Option<[u32; 3]>,
    pub required_threads: Option<[u32; 3]>,
    pub required_cluster: Option<[u32; 3]>,
    /// Of a kernel: it cannot be launched without clusters.
    pub explicit_cluster: bool,
    /// Of a kernel: most blocks of a cluster, if it says.
    pub largest_cluster: Option<u32>,
    /// Has a way backwards, or calls something.
    pub loops: bool,
    /// Has a loop that probably waits for other threads.
    pub waits: bool,
    /// What it uses.
    pub uses: Uses,
    /// Registers of 32 bits that it uses.
    pub registers: u32,
    /// Why it cannot run: an instruction of it, or of a function that it may call.
    pub missing: Option<Arc<Missing>>,
    /// It has been reported.
    pub told: AtomicBool,
}

impl<W: Runner> Default for Code<W> {
    fn default() -> Code<W> {
        Code {
            name: Default::default(),
            entry: Default::default(),
            steps: Default::default(),
            once: Default::default(),
            affine: Default::default(),
            native: Default::default(),
            plain: Default::default(),
            counted: Default::default(),
            lines: Default::default(),
            sources: Default::default(),
            slots: Default::default(),
            types: Default::default(),
            constants: Default::default(),
            specials: Default::default(),
            bases: Default::default(),
            local: Default::default(),
            allocates_stack: Default::default(),
            variables: Default::default(),
            sites: Default::default(),
            tables: Default::default(),
            details: Default::default(),
            parameters: Default::default(),
            parameter_bytes: Default::default(),
            shared: Default::default(),
            shared_size: Default::default(),
            stack: Default::default(),
            most_threads: Default::default(),
            required_threads: Default::default(),
            required_cluster: Default::default(),
            explicit_cluster: Default::default(),
            largest_cluster: Default::default(),
            loops: Default::default(),
            waits: Default::default(),
            uses: Default::default(),
            registers: Default::default(),
            missing: Default::default(),
            told: Default::default(),
        }
    }
}

impl<W: Runner> Code<W> {
    /// What is to be told of a kernel, without what it does.
    pub fn outline(&self) -> Code<W> {
        Code {
            name: self.name.clone(),
            entry: self.entry,
            local: self.local,
            parameters: self.parameters.clone(),
            parameter_bytes: self.parameter_bytes,
            shared: self.shared,
            shared_size: self.shared_size,
            stack: self.stack,
            most_threads: self.most_threads,
            required_threads: self.required_threads,
            required_cluster: self.required_cluster,
            explicit_cluster: self.explicit_cluster,
            largest_cluster: self.largest_cluster,
            registers: self.registers,
            missing: self.missing.clone(),
            ..Code::default()
        }
    }
}

/// An instruction that is not implemented.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// As the text has it.
    pub instruction: String,
    /// Its line there.
    pub line: u32,
    /// The function that it stands in.
    pub function: String,
}

/// Names of what the system provides.
pub fn system(name: &str) -> Option<System> {
    Some(match name {
        "vprintf" => System::Print,
        "__assertfail" => System::Assert,
        "malloc" => System::Allocate,
        "free" => System::Free,
        "cudaGraphSetConditional" => System::SetCondition,
        "cudaGraphLaunch" => System::LaunchGraph,
        _ => System::Device(crate::state::device_calls::Call::parse(name)?),
    })
}

impl<W: Runner> Code<W> {
    /// Whether it can run. If not, the first call logs why.
    pub fn runs(&self) -> bool {
        let Some(missing) = &self.missing else { return true };
        if !self.told.swap(true, Ordering::Relaxed) {
            let Missing { instruction, line, function } = &**missing;
            let own = *function == self.name;
            let place = if own { String::new() } else { format!(" (in '{function}', which it may call)") };
            settings::log::error!(
                "kernel '{}' cannot run: instruction '{instruction}' in line {line} of its PTX is not supported{place}",
                self.name
            );
        }
        false
    }

    /// File and line of the source that a step comes from.
    pub fn source(&self, step: u32) -> Option<(&str, u32)> {
        let next = self.sources.partition_point(|s| s.step <= step);
        let source = self.sources.get(next.checked_sub(1)?)?;
        // Line 0 is of no line.
        (source.line != 0 && !source.file.is_empty()).then_some((&*source.file, source.line))
    }
}

impl<W: Runner> Program<W> {
    /// A program without functions.
    pub const NOTHING: Program<W> = Program {
        functions: Vec::new(),
        alignment: 1,
        dynamic_alignment: 1,
        constant: 0,
        constants: 0..0,
        checked: false,
        text: None,
    };

    /// What a kernel uses.
    pub fn uses(&self, kernel: u32) -> Uses {
        self.functions.get(kernel as usize).map_or(Uses::default(), |code| code.uses)
    }
}

impl<W: Runner> Code<W> {
    /// The steps for rows, if a warp with this frame can be executed by them: its registers that are written once a launch
    /// are in place.
    ///
    /// # Safety
    /// The frame is one of this function.
    pub unsafe fn affine_for(&self, block: [u32; 3], frame: *const u8) -> Option<&AffineSteps<W>> {
        let rows = warps_are_rows(block);
        // SAFETY: the contract of this function.
        let holds = |kept: &AffineRegister| unsafe { is_affine(frame, kept, LANES) };
        self.affine.as_ref().filter(|affine| rows && affine.assumed.iter().all(holds))
    }

    /// Whether a warp with this frame can be executed by compiled code: registers that are written once a launch go up from
    /// lane to lane as analysis says they do if no number of 32 bits wraps.
    ///
    /// # Safety
    /// The frame is one of this function.
    pub unsafe fn native_assumptions_hold(&self, block: [u32; 3], frame: *const u8) -> bool {
        let Some(native) = &self.native else { return false };
        // SAFETY: the contract of this function.
        let rows = |register: &AffineRegister, lanes: usize| unsafe { is_affine(frame, register, lanes) };
        let kind = native.kind(block);
        native.assumed_in(kind).iter().all(|register| rows(register, LANES))
            && native.halves_in(kind).iter().all(|register| rows(register, LANES / 2))
    }
}
