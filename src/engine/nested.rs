//! Launches by kernels: dynamic parallelism.
//!
//! What the threads of a grid launch runs when the grid has ended, in the order of the calls, which keeps the order of every
//! stream; tail launches come behind all others. So a grid counts as ended only when all that it launched has. Nobody can
//! wait for a nested grid inside of the one that launched it, so nobody sees that it is late.

use super::block::Shape;
use super::launch::{Failure, Launch};
use super::program::{FUNCTIONS, Passed, Program, Site};
use super::services::place_of;
use super::step::Trouble;
use super::warp::Warp;
use crate::guard;
use parking_lot::Mutex;
use std::collections::HashMap;

/// The functions of the device's runtime that are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Memory for parameters, for a launch that is described with it, or of so many bytes.
    Parameters,
    PlainParameters,
    /// The launch.
    Launch,
    PlainLaunch,
    LastError,
    PeekError,
    /// Handles without meaning: everything runs in order anyway.
    Create,
    Ignore,
    Copy,
    Fill,
    Allocate,
    Free,
}

impl Call {
    /// The function with a name.
    pub fn parse(name: &str) -> Option<Call> {
        let name = name.strip_prefix("__cudaCDP2")?;
        Some(match name.strip_suffix("_ptsz").unwrap_or(name) {
            "GetParameterBufferV2" => Call::Parameters,
            "GetParameterBuffer" => Call::PlainParameters,
            "LaunchDeviceV2" => Call::Launch,
            "LaunchDevice" => Call::PlainLaunch,
            "GetLastError" => Call::LastError,
            "PeekAtLastError" => Call::PeekError,
            "StreamCreateWithFlags" | "EventCreateWithFlags" => Call::Create,
            "StreamDestroy" | "StreamWaitEvent" | "EventRecord" | "EventRecordWithFlags" | "EventDestroy" => {
                Call::Ignore
            }
            "MemcpyAsync" => Call::Copy,
            "MemsetAsync" => Call::Fill,
            "Malloc" => Call::Allocate,
            "Free" => Call::Free,
            _ => return None,
        })
    }
}

/// Error codes of the runtime.
mod code {
    pub const INVALID_VALUE: u32 = 1;
    pub const MEMORY_ALLOCATION: u32 = 2;
    pub const INVALID_CONFIGURATION: u32 = 9;
    pub const MAX_DEPTH: u32 = 65;
    pub const PENDING_COUNT: u32 = 69;
    pub const INVALID_DEVICE_FUNCTION: u32 = 98;
}

/// Streams that have a number.
const TAIL: u64 = 3;
/// Deepest nesting, and most launches of a grid.
const DEEPEST: u32 = 24;
const MOST: usize = 1 << 20;

/// A launch in the making.
#[derive(Default)]
struct Planned {
    kernel: Option<u32>,
    grid: [u32; 3],
    block: [u32; 3],
    shared: u32,
    /// Two words at a time: what is in it is aligned to 16 bytes.
    parameters: Vec<[u64; 2]>,
}

/// Something to do behind a grid.
enum Item {
    Launch(Planned),
    Copy { to: u64, from: u64, bytes: u64 },
    Fill { to: u64, value: u8, bytes: u64 },
}

#[derive(Default)]
struct State {
    /// By the address of their parameters.
    planned: HashMap<u64, Planned>,
    queue: Vec<Item>,
    tail: Vec<Item>,
    /// The last error of a thread: address of its warp, and lane.
    errors: HashMap<(u64, u32), u32>,
    handles: u64,
}

/// What the threads of a grid have launched.
#[derive(Default)]
pub struct Nested {
    state: Mutex<State>,
}

/// An argument of a call: its bytes, at most 16.
fn argument(warp: &Warp, passed: &Passed, lane: usize) -> [u32; 4] {
    let mut words = [0u32; 4];
    // SAFETY: a place of the current frame with that many bytes.
    unsafe {
        let from = place_of(warp, passed.place, lane) as *const u8;
        core::ptr::copy_nonoverlapping(from, words.as_mut_ptr().cast(), passed.size.min(16));
    }
    words
}

/// A call of a function of the device's runtime by a lane, and its result.
pub fn call(warp: &Warp, what: Call, site: &Site, lane: usize) -> u64 {
    // SAFETY: a warp that runs has surroundings, and the launch keeps what they point to.
    let (nested, services) = unsafe { (&*(*warp.around).nested, &*(*warp.around).services) };
    // SAFETY: the program outlives the warp.
    let program = unsafe { &*warp.program };
    let words = |n: usize| site.arguments.get(n).map_or([0; 4], |passed| argument(warp, passed, lane));
    let number = |n: usize| u64::from(words(n)[0]) | u64::from(words(n)[1]) << 32;
    let shape = |n: usize| [words(n)[0], words(n)[1], words(n)[2]];
    let me = (warp as *const Warp as u64, lane as u32);
    let mut state = nested.state.lock();
    let error = match what {
        Call::LastError => return state.errors.remove(&me).unwrap_or(0).into(),
        Call::PeekError => return state.errors.get(&me).copied().unwrap_or(0).into(),
        Call::Parameters => match plan(program, number(0), shape(1), shape(2), words(3)[0]) {
            Ok(planned) => return state.add(planned),
            Err(error) => {
                state.errors.insert(me, error);
                return 0;
            }
        },
        Call::PlainParameters => {
            let words = number(1).div_ceil(16).clamp(1, 4096) as usize;
            return state.add(Planned { parameters: vec![[0; 2]; words], ..Planned::default() });
        }
        Call::Launch | Call::PlainLaunch => {
            let (buffer, stream) = if what == Call::Launch { (0, 1) } else { (1, 5) };
            // SAFETY: as above.
            let depth = unsafe { (*warp.around).depth };
            let pending = state.queue.len() + state.tail.len();
            match state.planned.remove(&number(buffer)) {
                _ if depth >= DEEPEST => code::MAX_DEPTH,
                _ if pending >= MOST => code::PENDING_COUNT,
                None => code::INVALID_VALUE,
                Some(mut planned) => {
                    let described = if what == Call::Launch {
                        Ok(())
                    } else {
                        plan(program, number(0), shape(2), shape(3), words(4)[0]).map(|described| {
                            let mut parameters = core::mem::take(&mut planned.parameters);
                            parameters.resize(described.parameters.len().max(1), [0; 2]);
                            planned = Planned { parameters, ..described };
                        })
                    };
                    if described.is_ok() && planned.kernel.is_some() {
                        let tail = number(stream) == TAIL;
                        let queue = if tail { &mut state.tail } else { &mut state.queue };
                        queue.push(Item::Launch(planned));
                    }
                    described.err().unwrap_or(0)
                }
            }
        }
        Call::Create => {
            state.handles += 1;
            let handle = 0x100 + state.handles;
            write(number(0), handle)
        }
        Call::Ignore => 0,
        Call::Copy => {
            state.queue.push(Item::Copy { to: number(0), from: number(1), bytes: number(2) });
            0
        }
        Call::Fill => {
            state.queue.push(Item::Fill { to: number(0), value: words(1)[0] as u8, bytes: number(2) });
            0
        }
        Call::Allocate => match services.allocate(number(1)) {
            0 => code::MEMORY_ALLOCATION,
            address => write(number(0), address),
        },
        Call::Free if services.free(number(0)) => 0,
        Call::Free => code::INVALID_VALUE,
    };
    if error != 0 {
        state.errors.insert(me, error);
    }
    error.into()
}

fn write(to: u64, value: u64) -> u32 {
    match guard::write(to as usize, guard::bytes(&value.to_le_bytes())) {
        Ok(()) => 0,
        Err(_) => code::INVALID_VALUE,
    }
}

/// Checks a launch.
fn plan(program: &Program, function: u64, grid: [u32; 3], block: [u32; 3], shared: u32) -> Result<Planned, u32> {
    let kernel = function.checked_sub(FUNCTIONS).filter(|offset| offset % 16 == 0).map(|offset| offset / 16);
    let code = kernel.and_then(|kernel| program.functions.get(kernel as usize)).filter(|code| code.entry);
    let code = code.ok_or(code::INVALID_DEVICE_FUNCTION)?;
    let shape = Shape { grid, block };
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
    let parameters = vec![[0; 2]; code.parameter_bytes.div_ceil(16).max(1)];
    Ok(Planned { kernel: kernel.map(|kernel| kernel as u32), grid, block, shared, parameters })
}

impl Nested {
    /// Whether bytes belong to the parameters of a launch in the making.
    pub fn holds(&self, address: u64, bytes: u64) -> bool {
        let state = self.state.lock();
        state.planned.iter().any(|(&start, planned)| {
            let size = planned.parameters.len() as u64 * 16;
            let offset = address.wrapping_sub(start);
            offset < size && offset.saturating_add(bytes) <= size
        })
    }
}

impl State {
    fn add(&mut self, planned: Planned) -> u64 {
        let address = planned.parameters.as_ptr() as u64;
        self.planned.insert(address, planned);
        address
    }
}

/// A launch by a kernel, as a launch.
fn prepared(parent: &Launch, planned: Planned, depth: u32) -> Launch {
    Launch {
        program: parent.program.clone(),
        kernel: planned.kernel.unwrap_or(0),
        shape: Shape { grid: planned.grid, block: planned.block },
        cluster: None,
        parameters: planned.parameters.into_flattened(),
        dynamic_shared: planned.shared,
        cooperative: false,
        resident: parent.resident,
        stack_limit: parent.stack_limit,
        cores: parent.cores,
        limit: parent.limit,
        services: parent.services.clone(),
        depth,
    }
}

/// Runs a grid and all that comes of it.
pub fn run(launch: &Launch) -> Result<(), Failure> {
    let mut tail = grid_and_children(launch)?;
    // What a tail launch launches last comes before the next one. No recursion: such chains may be long.
    tail.reverse();
    while let Some(item) = tail.pop() {
        match item {
            Item::Launch(planned) => {
                let next = prepared(launch, planned, launch.depth);
                let more = grid_and_children(&next)?;
                tail.extend(more.into_iter().rev());
            }
            other => do_item(launch, other)?,
        }
    }
    Ok(())
}

/// Runs a grid and what it launched; gives what it left for the end.
fn grid_and_children(launch: &Launch) -> Result<Vec<Item>, Failure> {
    let nested = Nested::default();
    launch.run_grid(&nested)?;
    let State { queue, tail, .. } = nested.state.into_inner();
    for item in queue {
        do_item(launch, item)?;
    }
    Ok(tail)
}

fn do_item(launch: &Launch, item: Item) -> Result<(), Failure> {
    let done = match item {
        Item::Launch(planned) => return run(&prepared(launch, planned, launch.depth + 1)),
        Item::Copy { to, from, bytes } => guard::copy(to as usize, from as usize, bytes as usize),
        // SAFETY: guarded.
        Item::Fill { to, value, bytes } => {
            let filled = guard::run(move || unsafe { core::ptr::write_bytes(to as *mut u8, value, bytes as usize) });
            if filled { Ok(()) } else { Err(crate::error::Error::INVALID_VALUE) }
        }
    };
    done.map_err(|_| Failure { trouble: Trouble::IllegalAddress, line: 0 })
}
