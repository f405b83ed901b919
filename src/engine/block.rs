//! A block: its warps, its shared memory and its barriers.

use super::fiber::{Hold, Outcome};
use super::program::Program;
use super::services::Services;
use super::step::{Flow, Trouble};
use super::warp::{SLOT, Slot, Warp};
use crate::guard;
use crate::ptx::instruction::Special;

/// The shape of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Blocks.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
}

impl Shape {
    /// Threads of a block.
    pub fn threads(&self) -> u64 {
        self.block.iter().map(|&n| u64::from(n)).product()
    }

    /// Blocks of the grid.
    pub fn blocks(&self) -> u64 {
        self.grid.iter().map(|&n| u64::from(n)).product()
    }
}

/// A barrier of a block. Threads are counted one by one, but a warp that comes as a whole counts as a full one.
#[derive(Clone, Copy, Default)]
struct Barrier {
    /// Threads that are there.
    arrived: u32,
    /// Threads that it takes; 0 for all that have not ended.
    wanted: u32,
    /// Changes when it opens.
    phase: u32,
    /// Of a reduction: threads for which the predicate holds, and threads at all.
    count: u32,
    threads: u32,
    /// The results of the last phase.
    result: Outcome,
}

/// What the warps of a block share.
pub struct Surroundings {
    /// The launch.
    pub shape: Shape,
    /// Place of the block in the grid.
    pub block: [u32; 3],
    /// Address of the parameters.
    pub parameters: u64,
    /// First address of the shared memory.
    pub shared: u64,
    /// Bytes of it.
    pub shared_bytes: u32,
    /// Where the dynamic part begins.
    pub dynamic_shared: u64,
    /// The core that it runs on.
    pub core: u32,
    /// Cores of the device.
    pub cores: u32,
    /// Number of the launch.
    pub grid_id: u64,
    /// Address of the memory that the blocks of a cooperative launch meet in.
    pub workspace: u64,
    /// What its threads may ask for; the launch holds it.
    pub services: *const dyn Services,
}

impl Surroundings {
    /// The value of a special register that is the same for the whole block.
    pub fn special(&self, special: Special) -> u64 {
        let at = |values: [u32; 3], axis: u8| u64::from(values[usize::from(axis.min(2))]);
        match special {
            Special::Ntid(axis) => at(self.shape.block, axis),
            Special::Ctaid(axis) | Special::ClusterId(axis) => at(self.block, axis),
            Special::Nctaid(axis) | Special::NclusterId(axis) => at(self.shape.grid, axis),
            Special::ClusterNctaid(_) | Special::ClusterNctarank => 1,
            Special::NwarpId => self.shape.threads().div_ceil(32),
            Special::SmId => u64::from(self.core),
            Special::NsmId => u64::from(self.cores),
            Special::GridId => self.grid_id,
            Special::DynamicShared => u64::from(self.shared_bytes).saturating_sub(self.dynamic_shared),
            Special::TotalShared => u64::from(self.shared_bytes),
            Special::Environment(1) => self.workspace >> 32,
            Special::Environment(2) => self.workspace & 0xffff_ffff,
            _ => 0,
        }
    }
}

/// Why a warp does not run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Ready,
    /// Until the phase of its barrier changes.
    Waits(u32),
    Done,
}

/// How a turn of a block ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// All threads have ended.
    Done,
    /// Some wait for something in memory.
    Spins,
    /// An error, and the line of the instruction.
    Fault(Trouble, u32),
}

/// A block that can run, again and again.
pub struct Block {
    warps: Vec<Warp>,
    states: Vec<State>,
    around: Box<Surroundings>,
    _shared: Vec<Slot>,
    barriers: [Barrier; 16],
}

impl Block {
    /// Room for a block of a kernel.
    pub fn new(program: &Program, kernel: u32, mut around: Surroundings, stride: u64) -> Block {
        let warps = around.shape.threads().div_ceil(32) as u32;
        let room = around.shared_bytes as usize + program.alignment as usize;
        let mut shared = vec![Slot([0; 32]); room.div_ceil(SLOT as usize) + 1];
        around.shared = (shared.as_mut_ptr() as u64).next_multiple_of(program.alignment);
        Block {
            warps: (0..warps).map(|index| Warp::new(program, kernel, index, stride)).collect(),
            states: vec![State::Ready; warps as usize],
            around: Box::new(around),
            _shared: shared,
            barriers: [Barrier::default(); 16],
        }
    }

    /// Makes it the block at a place of the grid.
    pub fn begin(&mut self, number: u64) {
        let [x, y, _] = self.around.shape.grid.map(u64::from);
        self.around.block = [(number % x) as u32, (number / x % y) as u32, (number / (x * y)) as u32];
        self.barriers = [Barrier::default(); 16];
        let around: *mut Surroundings = &mut *self.around;
        let threads = self.around.shape.threads();
        for (warp, state) in self.warps.iter_mut().zip(&mut self.states) {
            let left = threads - u64::from(warp.index) * 32;
            warp.begin(around, if left >= 32 { u32::MAX } else { (1 << left) - 1 });
            *state = State::Ready;
        }
    }

    /// Runs its warps until all have ended or all that could run have had a turn without getting anywhere.
    pub fn run(&mut self) -> Turn {
        loop {
            let (mut moved, mut open) = (false, false);
            for index in 0..self.warps.len() {
                match self.states[index] {
                    State::Done => continue,
                    State::Waits(phase) => {
                        open = true;
                        let warp = &mut self.warps[index];
                        let barrier = self.barriers[warp.barrier.barrier as usize & 15];
                        if barrier.phase == phase {
                            continue;
                        }
                        if let Some((kind, place)) = warp.reduction.take() {
                            warp.mask = warp.active;
                            warp.write_reduction(kind, place, barrier.result);
                        }
                        self.states[index] = State::Ready;
                    }
                    State::Ready => open = true,
                }
                if !self.warps[index].parked.is_empty() && !self.choose(index) {
                    continue;
                }
                let warp = &mut self.warps[index];
                let mut flow = None;
                {
                    let (warp, flow) = (&raw mut *warp, &raw mut flow);
                    // SAFETY: both outlive the call; a step that faults owns nothing.
                    if !guard::run(move || unsafe { *flow = Some((*warp).run()) }) {
                        flow_fault(flow);
                    }
                }
                match flow {
                    Some(Flow::Fault(trouble)) => {
                        let line = if self.warps[index].line != 0 {
                            self.warps[index].line
                        } else {
                            self.warps[index].current_line()
                        };
                        return Turn::Fault(trouble, line);
                    }
                    Some(Flow::Yield) => {}
                    Some(Flow::Held) => moved = true,
                    Some(Flow::Barrier) => {
                        moved = true;
                        self.arrive(index);
                    }
                    _ => {
                        moved = true;
                        if self.warps[index].alive == 0 {
                            self.states[index] = State::Done;
                        }
                        // Those that wait at a barrier may have waited for what has ended.
                        (0..self.barriers.len()).for_each(|id| self.open_barrier(id));
                    }
                }
            }
            if !open {
                return Turn::Done;
            }
            // Nobody got anywhere, or everybody waits at barriers that nobody can open.
            if !moved {
                return Turn::Spins;
            }
        }
    }

    /// Finds a part of a warp that can go on.
    fn choose(&mut self, index: usize) -> bool {
        let barriers = &self.barriers;
        self.warps[index].choose(|hold| match hold {
            Hold::Barrier(id, phase) => {
                let barrier = barriers[id as usize & 15];
                (barrier.phase != phase).then_some(barrier.result)
            }
            _ => None,
        })
    }

    /// Lanes of a warp have come to a barrier.
    fn arrive(&mut self, index: usize) {
        let warp = &mut self.warps[index];
        let (lanes, at) = (warp.mask, warp.barrier);
        let id = at.barrier as usize & 15;
        let barrier = &mut self.barriers[id];
        let hold = Hold::Barrier(at.barrier, barrier.phase);
        if lanes == warp.alive {
            barrier.arrived += 32;
        } else {
            let there = warp.parked.iter().filter(|f| f.hold == hold).fold(0, |all, f| all | f.lanes());
            let complete = (there | lanes) == warp.alive;
            barrier.arrived += if complete { 32 - there.count_ones() } else { lanes.count_ones() };
        }
        barrier.count += warp.vote.count_ones();
        barrier.threads += lanes.count_ones();
        barrier.wanted = barrier.wanted.max(at.threads);
        warp.vote = 0;
        if at.waits && lanes == warp.alive {
            self.states[index] = State::Waits(barrier.phase);
        } else if at.waits {
            warp.park(lanes, hold);
        }
        self.open_barrier(id);
    }

    /// Opens a barrier if all that it takes are there.
    fn open_barrier(&mut self, id: usize) {
        let barrier = self.barriers[id];
        if barrier.threads == 0 {
            return;
        }
        let complete = if barrier.wanted == 0 {
            barrier.threads >= self.warps.iter().map(|w| w.alive.count_ones()).sum()
        } else {
            barrier.arrived >= barrier.wanted
        };
        if complete {
            self.barriers[id] = Barrier {
                phase: barrier.phase.wrapping_add(1),
                result: (barrier.count, barrier.threads),
                ..Barrier::default()
            };
        }
    }
}

fn flow_fault(flow: *mut Option<Flow>) {
    // SAFETY: the caller's variable.
    unsafe { *flow = Some(Flow::Fault(Trouble::IllegalAddress)) };
}
