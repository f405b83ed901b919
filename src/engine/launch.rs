//! A launch: blocks handed out to the cores.

use super::block::{Block, Shape, Surroundings, Turn};
use super::program::{Program, Site, System};
use super::step::Trouble;
use super::warp::Warp;
use core::sync::atomic::{AtomicU64, Ordering};
use parking_lot::Mutex;
use std::sync::Arc;

/// A kernel with everything that it needs to run.
pub struct Launch {
    /// The module.
    pub program: Arc<Program>,
    /// The kernel, by number.
    pub kernel: u32,
    /// Blocks and threads.
    pub shape: Shape,
    /// Parameters, as the kernel finds them.
    pub parameters: Vec<u64>,
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// All blocks run at the same time and may wait for each other.
    pub cooperative: bool,
    /// Most bytes of stack that a thread may use beyond what is known.
    pub stack_limit: u64,
    /// Multiprocessors of the device.
    pub cores: u32,
}

/// How a kernel went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What happened.
    pub trouble: Trouble,
    /// The line of the instruction in the text.
    pub line: u32,
}

/// The shared memory of a kernel: where the dynamic part begins, and bytes in all.
pub fn shared_layout(fixed: u32, dynamic: u32) -> (u32, u32) {
    let start = fixed.next_multiple_of(16);
    if dynamic == 0 { (start, fixed.max(start)) } else { (start, start.saturating_add(dynamic)) }
}

impl Launch {
    fn surroundings(&self, core: u32, grid_id: u64, workspace: u64) -> Surroundings {
        let code = &self.program.functions[self.kernel as usize];
        let (start, bytes) = shared_layout(code.shared, self.dynamic_shared);
        Surroundings {
            shape: self.shape,
            block: [0; 3],
            parameters: self.parameters.as_ptr() as u64,
            shared: 0,
            shared_bytes: bytes,
            dynamic_shared: u64::from(start),
            core: core % self.cores.max(1),
            cores: self.cores,
            grid_id,
            workspace,
        }
    }

    /// Bytes of local memory of a thread.
    fn stride(&self) -> u64 {
        let code = &self.program.functions[self.kernel as usize];
        code.stack.unwrap_or(code.local + self.stack_limit.max(64 << 10)).max(16).next_multiple_of(128)
    }

    /// True when running it takes next to no time and cannot wait for anything.
    pub fn is_brief(&self) -> bool {
        /// Threads that run through straight code in a few microseconds.
        const FEW: u64 = 1024;
        let code = &self.program.functions[self.kernel as usize];
        !code.loops && !self.cooperative && self.shape.blocks().saturating_mul(self.shape.threads()) <= FEW
    }

    /// Runs it.
    pub fn run(&self) -> Result<(), Failure> {
        static GRID: AtomicU64 = AtomicU64::new(1);
        let grid_id = GRID.fetch_add(1, Ordering::Relaxed);
        let blocks = self.shape.blocks();
        if blocks == 0 {
            return Ok(());
        }
        let failure = Mutex::new(None);
        let stride = self.stride();
        if self.cooperative {
            self.run_together(blocks, grid_id, stride, &failure);
        } else {
            let next = AtomicU64::new(0);
            let cores = std::thread::available_parallelism().map_or(1, |n| n.get()) as u64;
            let workers = if self.is_brief() { 1 } else { cores.min(blocks) };
            let chunk = (blocks / (16 * workers)).clamp(1, 64);
            crate::device::parallel::run(workers as usize, &|worker| {
                let around = self.surroundings(worker as u32, grid_id, 0);
                let mut block = Block::new(&self.program, self.kernel, around, stride);
                'chunks: loop {
                    let first = next.fetch_add(chunk, Ordering::Relaxed);
                    if first >= blocks {
                        return true;
                    }
                    for number in first..(first + chunk).min(blocks) {
                        block.begin(number);
                        loop {
                            match block.run() {
                                Turn::Done => break,
                                Turn::Spins if failure.lock().is_some() => break 'chunks,
                                Turn::Spins => std::thread::yield_now(),
                                Turn::Fault(trouble, line) => {
                                    failure.lock().get_or_insert(Failure { trouble, line });
                                    break 'chunks;
                                }
                            }
                        }
                    }
                    if failure.lock().is_some() {
                        break;
                    }
                }
                false
            });
        }
        let failure = failure.lock().take();
        failure.map_or(Ok(()), Err)
    }

    /// All blocks are there from the start and take turns.
    fn run_together(&self, blocks: u64, grid_id: u64, stride: u64, failure: &Mutex<Option<Failure>>) {
        // What grid barriers count in.
        let workspace = vec![0u64; 64];
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get()) as u64;
        let workers = cores.min(blocks);
        crate::device::parallel::run(workers as usize, &|worker| {
            let mine = (worker as u64..blocks).step_by(workers as usize);
            let mut open: Vec<Block> = mine
                .map(|number| {
                    let around = self.surroundings(number as u32, grid_id, workspace.as_ptr() as u64);
                    let mut block = Block::new(&self.program, self.kernel, around, stride);
                    block.begin(number);
                    block
                })
                .collect();
            while !open.is_empty() {
                let mut fault = None;
                let before = open.len();
                open.retain_mut(|block| match block.run() {
                    Turn::Done => false,
                    Turn::Spins => true,
                    Turn::Fault(trouble, line) => {
                        fault = Some(Failure { trouble, line });
                        false
                    }
                });
                if let Some(fault) = fault {
                    failure.lock().get_or_insert(fault);
                }
                if failure.lock().is_some() {
                    return false;
                }
                if open.len() == before {
                    std::thread::yield_now();
                }
            }
            true
        });
        // Words that the kernel wrote behind our back.
        core::hint::black_box(&workspace);
    }
}

/// A call of a function that the system provides.
pub(super) fn system(_: &mut Warp, function: System, _: &Site) -> Result<(), Trouble> {
    match function {
        System::Assert => Err(Trouble::Assert),
        System::Print | System::Allocate | System::Free => Err(Trouble::Trap),
    }
}
