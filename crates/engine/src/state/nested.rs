//! Launches by kernels: dynamic parallelism.
//!
//! What the threads of a grid launch runs when the grid has ended, in the order of the calls, which keeps the order of every
//! stream; tail launches come behind all others. So a grid counts as ended only when all that it launched has. No thread can
//! wait for a nested grid inside of the one that launched it, so none can see that it is late.

use crate::state::bounds::{DEEPEST_NESTING, MOST_NESTED_LAUNCHES};
use crate::state::device_calls::code;
use crate::state::grid::LaunchShape;
use crate::state::program::{Code, FUNCTIONS, Program};
use crate::state::reservation::Reservation;
use crate::state::services::Host;
use crate::state::step::Runner;
use parking_lot::{MappedMutexGuard, Mutex, MutexGuard};
use std::collections::HashMap;

/// Streams that have a number.
const TAIL: u64 = 3;

/// A launch.
#[derive(Default)]
pub struct Planned {
    pub kernel: Option<u32>,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub shared: u32,
    /// Bytes of its parameters as a kernel may fill them in, in pieces of 16; and the parameters.
    bytes: u64,
    pub parameters: Vec<u64>,
}

/// A launch in the making: a kernel writes the parameters.
struct Opened {
    planned: Planned,
    buffer: Reservation,
}

impl Opened {
    fn new(host: &'static dyn Host, planned: Planned) -> Result<Opened, u32> {
        let buffer = Reservation::new(host, planned.bytes, 16).ok_or(code::MEMORY_ALLOCATION)?;
        Ok(Opened { planned, buffer })
    }
}

/// `wanted` bytes of parameters: those in the buffer of `bytes` bytes, and zeros.
fn parameters(buffer: &Reservation, bytes: u64, wanted: u64) -> Vec<u64> {
    let mut all = vec![0u64; wanted as usize / 8];
    // SAFETY: both have so many bytes.
    unsafe {
        let (from, to) = (buffer.start() as *const u8, all.as_mut_ptr().cast::<u8>());
        core::ptr::copy_nonoverlapping(from, to, bytes.min(wanted) as usize);
    }
    all
}

/// Where the rows of a box begin: the first, and how far apart rows and slices are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rows {
    pub base: u64,
    pub pitch: u64,
    pub slice: u64,
}

impl Rows {
    /// The address of a row.
    pub fn row(&self, y: u64, z: u64) -> usize {
        self.base.wrapping_add(y.wrapping_mul(self.pitch)).wrapping_add(z.wrapping_mul(self.slice)) as usize
    }
}

/// Something to do behind a grid. Extents are bytes of a row, rows and slices.
pub enum Item {
    Launch(Planned),
    Copy { to: Rows, from: Rows, extent: [u64; 3] },
    Fill { to: Rows, value: u8, extent: [u64; 3] },
}

#[derive(Default)]
struct State {
    /// By the address of their parameters.
    planned: HashMap<u64, Opened>,
    queue: Vec<Item>,
    tail: Vec<Item>,
    /// The last error of a thread: address of its warp, and lane.
    errors: HashMap<(u64, u32), u32>,
    handles: u64,
}

/// What the threads of a grid have launched.
pub struct Nested {
    host: &'static dyn Host,
    graph: u64,
    /// Few kernels launch anything.
    state: Mutex<Option<Box<State>>>,
}

/// A thread of a grid: the address of its warp, and its lane.
pub type Thread = (u64, u32);

/// A launch as a kernel describes it: the function's address, the shape and bytes of dynamic shared memory.
#[derive(Clone, Copy, Debug)]
pub struct Described {
    pub function: u64,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub shared: u32,
}

/// The kernel at an address.
pub fn kernel_at<W: Runner>(program: &Program<W>, address: u64) -> Result<(u32, &Code<W>), u32> {
    let number = address.checked_sub(FUNCTIONS).filter(|offset| offset % 16 == 0).map(|offset| (offset / 16) as u32);
    number
        .and_then(|number| Some((number, program.functions.get(number as usize)?)))
        .filter(|(_, code)| code.entry)
        .ok_or(code::INVALID_DEVICE_FUNCTION)
}

/// Checks a launch.
fn plan<W: Runner>(program: &Program<W>, wanted: Described) -> Result<Planned, u32> {
    let Described { function, grid, block, shared } = wanted;
    let (kernel, code) = kernel_at(program, function)?;
    if !code.runs() {
        return Err(code::NOT_SUPPORTED);
    }
    let shape = LaunchShape { grid, block };
    let most =
        code.required_threads.or(code.most_threads).map_or(1024, |n| n.iter().map(|&n| u64::from(n.max(1))).product());
    let fits = !grid.contains(&0)
        && (1..=most.min(1024)).contains(&shape.threads())
        && block[2] <= 64
        && grid[0] <= i32::MAX as u32
        && grid[1] <= 65535
        && grid[2] <= 65535
        && u64::from(code.shared) + u64::from(shared) <= 232_448;
    if !fits {
        return Err(code::INVALID_CONFIGURATION);
    }
    let bytes = code.parameter_bytes.max(1).next_multiple_of(16) as u64;
    Ok(Planned { kernel: Some(kernel), grid, block, shared, bytes, parameters: Vec::new() })
}

impl Nested {
    /// Of a grid of an executable graph, 0 for none, that nothing was launched in yet.
    pub fn new(host: &'static dyn Host, graph: u64) -> Nested {
        Nested { host, graph, state: Mutex::default() }
    }

    /// The handle of the executable graph that the grid is part of, or 0.
    pub fn graph(&self) -> u64 {
        self.graph
    }

    /// What the grid left to do behind it, and behind everything else.
    pub fn into_items(self) -> (Vec<Item>, Vec<Item>) {
        self.state.into_inner().map_or_else(Default::default, |state| (state.queue, state.tail))
    }

    fn state(&self) -> MappedMutexGuard<'_, State> {
        MutexGuard::map(self.state.lock(), |state| &mut **state.get_or_insert_default())
    }

    /// The last error of a thread, which is forgotten.
    pub fn take_error(&self, thread: Thread) -> u32 {
        self.state().errors.remove(&thread).unwrap_or(0)
    }

    /// The last error of a thread.
    pub fn error(&self, thread: Thread) -> u32 {
        self.state().errors.get(&thread).copied().unwrap_or(0)
    }

    /// Makes an error the last one of a thread.
    pub fn remember(&self, thread: Thread, error: u32) {
        self.state().errors.insert(thread, error);
    }

    /// A number that was none before.
    pub fn handle(&self) -> u64 {
        let mut state = self.state();
        state.handles += 1;
        0x100 + state.handles
    }

    /// Where the parameters of a launch go.
    pub fn parameters<W: Runner>(&self, program: &Program<W>, wanted: Described) -> Result<u64, u32> {
        Opened::new(self.host, plan(program, wanted)?).map(|opened| self.state().add(opened))
    }

    /// The same for a launch that is described later.
    pub fn plain_parameters(&self, bytes: u64) -> Result<u64, u32> {
        let bytes = bytes.clamp(1, 1 << 16).next_multiple_of(16);
        Opened::new(self.host, Planned { bytes, ..Planned::default() }).map(|opened| self.state().add(opened))
    }

    /// Launches what has its parameters at `buffer`. `described` is for those that were not described before.
    pub fn launch<W: Runner>(
        &self,
        program: &Program<W>,
        buffer: u64,
        described: Option<Described>,
        stream: u64,
        depth: u32,
    ) -> Result<(), u32> {
        let mut state = self.state();
        let opened = state.planned.remove(&buffer);
        if depth >= DEEPEST_NESTING {
            return Err(code::MAX_DEPTH);
        }
        if state.queue.len() + state.tail.len() >= MOST_NESTED_LAUNCHES {
            return Err(code::PENDING_COUNT);
        }
        let Opened { planned, buffer } = opened.ok_or(code::INVALID_VALUE)?;
        let bytes = planned.bytes;
        let mut planned = match described {
            Some(described) => plan(program, described)?,
            None => planned,
        };
        planned.parameters = parameters(&buffer, bytes, planned.bytes);
        if planned.kernel.is_some() {
            let queue = if stream == TAIL { &mut state.tail } else { &mut state.queue };
            queue.push(Item::Launch(planned));
        }
        Ok(())
    }

    /// Does something else behind the grid.
    pub fn behind(&self, item: Item) {
        self.state().queue.push(item);
    }
}

impl Nested {
    /// Whether bytes belong to the parameters of a launch in the making.
    pub fn holds(&self, address: u64, bytes: u64) -> bool {
        let state = self.state();
        state.planned.iter().any(|(&start, planned)| {
            let size = planned.planned.bytes;
            let offset = address.wrapping_sub(start);
            offset < size && offset.saturating_add(bytes) <= size
        })
    }
}

impl State {
    fn add(&mut self, opened: Opened) -> u64 {
        let address = opened.buffer.start();
        self.planned.insert(address, opened);
        address
    }
}
