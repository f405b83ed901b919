//! A launch: blocks handed out to the cores.

use crate::running::block::Turn;
use crate::running::block_cache;
use crate::running::cluster::Unit;
use crate::running::native;
use crate::running::shares::Shares;
use crate::state::check::Checked;
use crate::state::core_dump::CoreState;
use crate::state::fault::{Failure, Fault};
use crate::state::grid::LaunchShape;
use crate::state::nested::Nested;
use crate::state::reservation::Reservation;
use crate::state::services::{Host, Images, Services};
use crate::state::surroundings::{Home, RESERVED_SHARED, SHARED_GRAIN, Surroundings, WORKSPACE};
use crate::state::texture::seen::Seen;
use crate::state::warp::Program;
use core::ops::Range;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A kernel with everything that it needs to run.
pub struct Launch {
    /// The module.
    pub program: Arc<Program>,
    /// The kernel, by number.
    pub kernel: u32,
    /// Blocks and threads.
    pub shape: LaunchShape,
    /// Blocks of a cluster along each axis, if the launch asks for clusters. The grid consists of whole ones.
    pub cluster: Option<[u32; 3]>,
    /// Parameters, as the kernel finds them.
    pub parameters: Vec<u64>,
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// All blocks run at the same time and may wait for each other.
    pub cooperative: bool,
    /// Blocks that the device holds at the same time.
    pub resident: u64,
    /// Most bytes of stack that a thread may use beyond what is known.
    pub stack_limit: u64,
    /// Multiprocessors of the device.
    pub cores: u32,
    /// The numbers of those that it may run on, if not all. It takes no more than their share of this machine's cores.
    pub places: Option<Arc<[u32]>>,
    /// How long it may run with all that it launches; none for as long as it likes.
    pub limit: Option<Duration>,
    /// What its threads may ask for.
    pub services: Arc<dyn Services>,
    /// Who knows textures and surfaces, if the module has references, which stay bound as they are at the launch. Else its
    /// services are asked.
    pub images: Option<Arc<dyn Images>>,
    /// What the process gives it: cores and memory.
    pub host: &'static dyn Host,
    /// 0, or one more than the launch that it is nested in.
    pub depth: u32,
}

/// There is no memory for its blocks.
const NO_MEMORY: Failure = Failure { fault: Fault::OutOfMemory, line: 0 };

/// The shared memory of a kernel: where the dynamic part begins, and where all ends.
fn shared_layout(fixed: u32, dynamic: u32, alignment: u32) -> (u32, u32) {
    let start = fixed.next_multiple_of(alignment.max(16));
    // A device gives it in whole pieces: what lies behind the last variable in one is there, too.
    let end = u64::from(if dynamic == 0 { fixed.next_multiple_of(16) } else { start }) + u64::from(dynamic);
    (start, u32::try_from(end.next_multiple_of(SHARED_GRAIN)).unwrap_or(u32::MAX))
}

impl Launch {
    fn surroundings(
        &self,
        home: Home,
        grid_id: u64,
        workspace: u64,
        nested: &Nested,
        checked: Option<&Checked<'_>>,
        native: Option<&compiler::Code>,
    ) -> Surroundings {
        let code = &self.program.functions[self.kernel as usize];
        let (start, end) = shared_layout(code.shared, self.dynamic_shared, self.program.dynamic_alignment);
        Surroundings {
            shape: self.shape,
            block: [0; 3],
            parameters: self.parameters.as_ptr() as u64,
            parameter_words: self.parameters.len(),
            shared: 0,
            shared_bytes: self.shared_bytes(),
            reserved_shared: end,
            shared_sizes: [code.shared, self.dynamic_shared],
            dynamic_shared: u64::from(start),
            cores: self.cores,
            home,
            grid_id,
            workspace,
            cluster: core::ptr::null(),
            rank: 0,
            cluster_shape: self.cluster.unwrap_or([1; 3]),
            clusters: self.cluster.is_some(),
            native: native.map_or(core::ptr::null(), core::ptr::from_ref),
            running: core::ptr::null(),
            dirty: true,
            abreast: false,
            services: Arc::as_ptr(&self.services),
            images: match &self.images {
                Some(images) => Arc::as_ptr(images),
                None => self.services.images(),
            },
            textures: Seen::default(),
            surfaces: Seen::default(),
            host: self.host,
            nested,
            depth: self.depth,
            accessible: self.services.accessible(),
            slept: false,
            checked: checked.map_or(core::ptr::null(), |checked| core::ptr::from_ref(checked).cast()),
            races: core::ptr::null_mut(),
            barriers: core::ptr::null_mut(),
            next: core::ptr::null(),
            clusters_in_all: 0,
        }
    }

    /// How many of this machine's cores it may take: the share that its multiprocessors are of the device's, and one at least.
    fn cores_of(&self, all: u64) -> u64 {
        match &self.places {
            None => all,
            Some(places) => (all * places.len() as u64 / u64::from(self.cores.max(1))).clamp(1, all.max(1)),
        }
    }

    /// The multiprocessors that one of so many cores stands for.
    fn home(&self, core: u32, of: u32) -> Home {
        let (places, count) = match &self.places {
            None => (core::ptr::null(), self.cores),
            Some(places) => (places.as_ptr(), places.len() as u32),
        };
        Home { core, of, places, count }
    }

    /// Bytes of local memory of a thread.
    fn stride(&self) -> u64 {
        let code = &self.program.functions[self.kernel as usize];
        code.stack
            .unwrap_or(code.local + self.stack_limit.max(64 << 10))
            .max(16)
            .next_multiple_of(self.program.alignment)
    }

    /// Bytes of shared memory of a block, with the system's part if the kernel asks for it.
    fn shared_bytes(&self) -> u32 {
        let code = &self.program.functions[self.kernel as usize];
        let (_, end) = shared_layout(code.shared, self.dynamic_shared, self.program.dynamic_alignment);
        end.saturating_add(if code.uses.reserved { RESERVED_SHARED as u32 } else { 0 })
    }

    /// What its blocks are like.
    fn block_key(&self) -> block_cache::BlockKey {
        block_cache::BlockKey {
            kernel: self.kernel,
            threads: self.shape.block,
            cluster: self.cluster.unwrap_or([1; 3]),
            shared: self.shared_bytes(),
            stride: self.stride(),
        }
    }

    /// Bytes that a block takes while it runs, about.
    fn block_bytes(&self) -> u64 {
        let code = &self.program.functions[self.kernel as usize];
        let warps = self.shape.threads().div_ceil(32);
        let shared = u64::from(code.shared) + u64::from(self.dynamic_shared);
        (warps * (u64::from(code.slots) * 256 + 4096)).saturating_add(self.stride().saturating_mul(32 * warps)) + shared
    }

    /// True when running it takes next to no time and cannot wait for anything.
    pub fn is_brief(&self) -> bool {
        /// Threads that run through straight code in a few microseconds.
        const FEW: u64 = 1024;
        let code = &self.program.functions[self.kernel as usize];
        !code.loops && !self.cooperative && self.shape.blocks().saturating_mul(self.shape.threads()) <= FEW
    }

    /// Runs the grid alone, until `end` at most.
    pub(super) fn run_grid(&self, nested: &Nested, end: Deadline) -> Result<(), Failure> {
        static GRID: AtomicU64 = AtomicU64::new(1);
        let blocks = self.shape.blocks();
        if blocks == 0 {
            return Ok(());
        }
        // A launch by a kernel may come late.
        if end.is_over() {
            return Err(Failure { fault: Fault::TimedOut, line: 0 });
        }
        let cores = self.cores_of(self.host.cores() as u64);
        let each = self.cluster.unwrap_or([1; 3]).iter().map(|&n| u64::from(n.max(1))).product::<u64>();
        let blocks = blocks / each;
        let workers = if self.is_brief() { 1 } else { cores.min(blocks) };
        let uses = self.program.uses(self.kernel);
        let waits = self.cooperative || uses.waits;
        let workspace = if uses.workspace {
            Some(Reservation::new(self.host, WORKSPACE as u64 * 8, 64).ok_or(NO_MEMORY)?)
        } else {
            None
        };
        let run = Run {
            launch: self,
            nested,
            checked: self.checked(),
            native: self.native(),
            grid_id: GRID.fetch_add(1, Ordering::Relaxed),
            // What grid barriers count in.
            workspace: workspace.as_ref().map_or(0, Reservation::start),
            shape: self.block_key(),
            each,
            workers: workers as u32,
            blocks,
            next: AtomicU64::new(0),
            // Those that may wait for others begin in order.
            shares: if waits || workers == 1 { None } else { Shares::new(blocks, workers as u32) },
            chunk: if waits { 1 } else { (blocks / (16 * workers)).clamp(1, 64) },
            open: AtomicU64::new(0),
            most_open: if self.cooperative {
                blocks
            } else {
                (self.resident.min(MOST_OPEN / self.block_bytes()) / each).max(1)
            },
            patience: if waits { Duration::ZERO } else { FIRST_PATIENCE },
            failure: Mutex::new(None),
            told: AtomicBool::new(false),
            end,
        };
        self.host.on_cores(workers as usize, &|worker| {
            let done = run.work(worker as u32);
            run.native.into_iter().for_each(compiler::Code::settle);
            done
        });
        let failure = run.failure.into_inner();
        // What was found first came first.
        let failure = run.checked.as_ref().and_then(Checked::failure).or(failure);
        failure.map_or(Ok(()), Err)
    }

    /// The kernel's code, if it is to run compiled.
    fn native(&self) -> Option<&compiler::Code> {
        native::code_for(&self.program.functions[self.kernel as usize], &self.shape)
    }

    /// The memory checker's part in it, if its program was built to be checked and a checker is there.
    fn checked(&self) -> Option<Checked<'_>> {
        let checker = self.services.checker().filter(|_| self.program.checked)?;
        let code = &self.program.functions[self.kernel as usize];
        Some(Checked::new(checker, &code.name, code.parameter_bytes as u64, code.shared))
    }
}

/// When a launch has to be over, if ever.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline(Option<Instant>);

impl Deadline {
    /// So long from now.
    pub(super) fn after(limit: Option<Duration>) -> Deadline {
        Deadline(limit.and_then(|limit| Instant::now().checked_add(limit)))
    }

    /// It has passed.
    pub(super) fn is_over(self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }
}

/// Bytes that blocks may take which have begun, unless they are promised to run together.
const MOST_OPEN: u64 = 1 << 30;
/// How long a block may run before another one is begun beside it, if nothing in the kernel looks like waiting. Every
/// time that happens, the next one has to be twice as patient.
const FIRST_PATIENCE: Duration = Duration::from_millis(200);
/// How long blocks that get nowhere give way to other threads before this one sleeps, if they do not ask for sleep themselves: a sleep
/// takes many times as long as a look at what they wait for, and kernels that count their looks are done by then.
const BUSY: Duration = Duration::from_millis(10);
/// How long blocks may get nowhere once the memory checker has found something.
const LAST_PATIENCE: Duration = Duration::from_secs(2);

/// A launch that runs.
struct Run<'a> {
    launch: &'a Launch,
    nested: &'a Nested,
    /// The memory checker's part.
    checked: Option<Checked<'a>>,
    /// Compiled code of the kernel, if it is to run that.
    native: Option<&'a compiler::Code>,
    grid_id: u64,
    workspace: u64,
    shape: block_cache::BlockKey,
    /// Blocks of a cluster; 1 without any.
    each: u64,
    /// Cores that take part.
    workers: u32,
    /// Clusters.
    blocks: u64,
    /// The next cluster to begin, if they begin in order.
    next: AtomicU64,
    /// Else those that have not begun.
    shares: Option<Shares>,
    /// How many a core takes at once.
    chunk: u64,
    /// Those that have begun and not ended, and how many may.
    open: AtomicU64,
    most_open: u64,
    patience: Duration,
    failure: Mutex<Option<Failure>>,
    /// A core dump was asked for.
    told: AtomicBool,
    end: Deadline,
}

impl Run<'_> {
    /// Adds to one of its counters; what it was before. Nobody but a single core changes it meanwhile.
    #[inline]
    fn count(&self, counter: &AtomicU64, more: u64) -> u64 {
        if self.workers > 1 {
            return counter.fetch_add(more, Ordering::Relaxed);
        }
        let before = counter.load(Ordering::Relaxed);
        counter.store(before.wrapping_add(more), Ordering::Relaxed);
        before
    }

    /// The clusters that a core begins next.
    #[inline(never)]
    fn take(&self, worker: u32) -> Option<Range<u64>> {
        if let Some(shares) = &self.shares {
            return shares.take(worker, self.chunk);
        }
        // Once all are taken, others need not be told.
        if self.next.load(Ordering::Relaxed) >= self.blocks {
            return None;
        }
        let first = self.count(&self.next, self.chunk).min(self.blocks);
        Some(first..(first + self.chunk).min(self.blocks))
    }

    /// What a core does: it runs blocks one after the other. If one waits for something, it begins others beside it,
    /// as many as the device could hold, and they take turns. So a block that others wait for gets its turn,
    /// whichever block it is and however many cores take part.
    fn work(&self, worker: u32) -> bool {
        let home = self.launch.home(worker, self.workers);
        let mut taken = 0..0;
        let mut take = || {
            if taken.is_empty() {
                taken = self.take(worker)?;
            }
            taken.next()
        };
        let mut open: VecDeque<Unit> = VecDeque::new();
        // The one in front of these, which nearly always is the only one.
        let mut front: Option<Unit> = None;
        // Turns since one of them got somewhere, and when that was, as far as it took long.
        let mut turns = 0;
        let mut since: Option<Instant> = None;
        let mut patience = self.patience;
        // When none got anywhere for the first time after the memory checker had found something.
        let mut doomed: Option<Instant> = None;
        loop {
            let stuck = turns > 0 && turns >= open.len() && since.is_some_and(|since| since.elapsed() >= patience);
            if stuck {
                patience *= 2;
                since = Some(Instant::now());
            }
            // A core without a block takes one, also beyond what is allowed.
            if front.is_none() && open.is_empty() || stuck && self.open.load(Ordering::Relaxed) < self.most_open {
                if let Some(number) = take() {
                    let around = || {
                        let (grid, workspace) = (self.grid_id, self.workspace);
                        let (checked, native) = (self.checked.as_ref(), self.native);
                        let next = core::ptr::from_ref(&self.next);
                        Surroundings {
                            next,
                            clusters_in_all: self.blocks,
                            ..self.launch.surroundings(home, grid, workspace, self.nested, checked, native)
                        }
                    };
                    let Some(mut unit) = block_cache::take(&self.launch.program, self.shape, around) else {
                        return self.fail(NO_MEMORY);
                    };
                    unit.begin(number, self.launch.shape.grid);
                    front = Some(unit);
                    self.count(&self.open, 1);
                    turns = 0;
                } else if open.is_empty() {
                    return true;
                }
            }
            let Some(mut unit) = front.take().or_else(|| open.pop_front()) else { return true };
            // Many that end can take as long as one that does not.
            let mut next = || if self.end.is_over() { None } else { take() };
            match unit.run(&mut next, self.launch.shape.grid) {
                Turn::Done => {
                    (turns, since, doomed) = (0, None, None);
                    if let Some(number) = take() {
                        if self.end.is_over() {
                            return self.fail(Failure { fault: Fault::TimedOut, line: 0 });
                        }
                        unit.begin(number, self.launch.shape.grid);
                        front = Some(unit);
                    } else {
                        block_cache::give(self.shape, unit, self.launch.block_bytes() * self.each);
                        self.count(&self.open, 1u64.wrapping_neg());
                    }
                }
                Turn::Spins => {
                    let slept = unit.has_slept();
                    open.push_back(unit);
                    let since = *since.get_or_insert_with(Instant::now);
                    turns += 1;
                    if turns > 64 * open.len() && (slept || since.elapsed() > BUSY) {
                        std::thread::sleep(Duration::from_micros(20));
                    } else if turns >= open.len() {
                        std::thread::yield_now();
                    }
                    if self.failure.lock().is_some() {
                        return false;
                    }
                    // Threads that ended by a mistake are not waited for forever.
                    if let Some(failure) = self.checked.as_ref().and_then(Checked::failure)
                        && doomed.get_or_insert_with(Instant::now).elapsed() >= LAST_PATIENCE
                    {
                        return self.fail(failure);
                    }
                    if self.end.is_over() {
                        return self.fail(Failure { fault: Fault::TimedOut, line: 0 });
                    }
                    if self.launch.services.is_interrupted() {
                        let failure = Failure { fault: Fault::Interrupted, line: 0 };
                        if let Some(unit) = open.back() {
                            self.leave_core(unit, failure);
                        }
                        return self.fail(failure);
                    }
                }
                Turn::Fault(fault, line) => {
                    let failure = Failure { fault, line };
                    self.leave_core(&unit, failure);
                    return self.fail(failure);
                }
            }
        }
    }

    /// Tells what is in a block that went wrong, if it is the first one and somebody wants to know.
    #[cold]
    fn leave_core(&self, unit: &Unit<'_>, failure: Failure) {
        if !self.launch.services.wants_core() || self.told.swap(true, Ordering::AcqRel) {
            return;
        }
        let Some((block, grid_id)) = unit.core_state() else { return };
        let code = &self.launch.program.functions[self.launch.kernel as usize];
        self.launch.services.core(&CoreState {
            kernel: &code.name,
            failure,
            grid_id,
            shape: self.launch.shape,
            parameters: &self.launch.parameters,
            parameter_bytes: code.parameter_bytes,
            dynamic_shared: self.launch.dynamic_shared,
            text: self.launch.program.text.as_deref(),
            block,
        });
    }

    /// Ends the launch: no more blocks begin.
    fn fail(&self, failure: Failure) -> bool {
        self.next.fetch_max(self.blocks, Ordering::Relaxed);
        self.shares.iter().for_each(Shares::end);
        self.failure.lock().get_or_insert(failure);
        false
    }
}
