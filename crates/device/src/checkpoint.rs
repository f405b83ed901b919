//! Checkpoints of this process: its calls are held back, its work ends, and it gives its share of the devices back until it is restored.
//!
//! What is in device memory is memory of the host already, and stays where it is: a checkpoint of the process as a whole, as CRIU makes one, has
//! it. What others see is that the devices have that much more memory.

use crate::base::devices::{HELD, devices, hold, open};
use crate::base::thread::spawn;
use crate::stream::context::CONTEXTS;
use error::{Error, Result, refuse, refuse_if};
use node::checkpoint::{Answer, Missing, Request, Server, ask};
use parking_lot::{Condvar, Mutex};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// `CUprocessState`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Running = 0,
    Locked = 1,
    Checkpointed = 2,
}

/// What can be asked of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    State,
    Thread,
    /// Within so many milliseconds; 0 for as long as it takes.
    Lock(u32),
    Checkpoint,
    Restore,
    Unlock,
}

static STATE: Mutex<State> = Mutex::new(State::Running);
static OPENED: Condvar = Condvar::new();
/// One operation at a time.
static TURN: Mutex<()> = Mutex::new(());
/// The thread that serves other processes.
static THREAD: AtomicU32 = AtomicU32::new(0);
/// Whether other processes are served.
static SHARES: AtomicBool = AtomicBool::new(false);

impl Operation {
    fn request(self) -> Request {
        let (operation, argument) = match self {
            Operation::State => (0, 0),
            Operation::Thread => (1, 0),
            Operation::Lock(limit) => (2, limit),
            Operation::Checkpoint => (3, 0),
            Operation::Restore => (4, 0),
            Operation::Unlock => (5, 0),
        };
        Request { operation, argument }
    }

    fn of(request: Request) -> Option<Operation> {
        use Operation::{Checkpoint, Lock, Restore, State, Thread, Unlock};
        let all = [State, Thread, Lock(request.argument), Checkpoint, Restore, Unlock];
        all.get(request.operation as usize).copied()
    }
}

/// Asks a process. The answer is a value, if there is one.
pub fn perform(pid: i32, operation: Operation) -> Result<u32> {
    if pid >= 0 && pid as u32 == std::process::id() {
        refuse_if!(Error::NOT_INITIALIZED, !crate::is_started(), "cuInit has not been called in this process");
        return perform_here(operation);
    }
    let answer = u32::try_from(pid).map_err(|_| Missing::Process).and_then(|pid| ask(pid, operation.request()));
    match answer {
        Ok(Answer { code: 0, value }) => Ok(value),
        Ok(Answer { code, .. }) => {
            let error = Error::from_code(code).unwrap_or(Error::UNKNOWN);
            Err(refuse!(error, "pid {}: the process refuses {:?}", pid, operation))
        }
        Err(Missing::Process) => Err(refuse!(Error::OPERATING_SYSTEM, "pid {} is not that of a process", pid)),
        Err(Missing::Server) => {
            Err(refuse!(Error::NOT_INITIALIZED, "pid {}: the process has not called cuInit, or shares nothing", pid))
        }
    }
}

/// Performs an operation on this process.
fn perform_here(operation: Operation) -> Result<u32> {
    match operation {
        Operation::State => return Ok(*STATE.lock() as u32),
        Operation::Thread => {
            let thread = THREAD.load(Ordering::Acquire);
            return Ok(if thread != 0 { thread } else { std::process::id() });
        }
        _ => {}
    }
    let _turn = TURN.lock();
    let wants = match operation {
        Operation::Lock(_) => State::Running,
        Operation::Restore => State::Checkpointed,
        _ => State::Locked,
    };
    let state = *STATE.lock();
    refuse_if!(Error::ILLEGAL_STATE, state != wants, "the process is {:?}, and has to be {:?}", state, wants);
    match operation {
        Operation::Lock(limit) => lock(limit)?,
        Operation::Checkpoint => {
            devices().iter().for_each(|device| device.usage.set_aside());
            *STATE.lock() = State::Checkpointed;
        }
        Operation::Restore => {
            let room = devices().iter().all(|device| device.usage.take_back(device.memory_for_programs()));
            if !room {
                devices().iter().for_each(|device| device.usage.set_aside());
                return Err(refuse!(Error::OUT_OF_MEMORY, "other processes have the memory that this one had"));
            }
            *STATE.lock() = State::Locked;
        }
        _ => {
            *STATE.lock() = State::Running;
            open();
            OPENED.notify_all();
        }
    }
    Ok(0)
}

/// Holds calls back, and waits until the work that was given before is done.
fn lock(limit: u32) -> Result<()> {
    /// Calls that had begun get that long to give their work.
    const SETTLED: Duration = Duration::from_millis(2);
    let start = Instant::now();
    let limit = (limit != 0).then(|| Duration::from_millis(limit.into()));
    hold();
    let mut quiet: Option<Instant> = None;
    loop {
        let idle = CONTEXTS.all().iter().all(|context| context.group.is_idle());
        match quiet {
            Some(since) if idle && since.elapsed() >= SETTLED => break,
            _ if !idle => quiet = None,
            Some(_) => {}
            None => quiet = Some(Instant::now()),
        }
        if !idle && limit.is_some_and(|limit| start.elapsed() >= limit) {
            open();
            OPENED.notify_all();
            return Err(refuse!(Error::NOT_READY, "the process's work has not ended in time"));
        }
        std::thread::sleep(Duration::from_micros(100));
    }
    *STATE.lock() = State::Locked;
    Ok(())
}

/// Whether calls are held back.
#[inline]
pub fn is_held() -> bool {
    guard::state::PROCESS.state.load(Ordering::Acquire) == HELD
}

/// Waits until calls go on.
#[cold]
pub fn wait() {
    let mut state = STATE.lock();
    while is_held() {
        // An operation that fails opens without a change of state.
        OPENED.wait_for(&mut state, Duration::from_millis(20));
    }
}

/// Serves requests of other processes from now on.
pub fn serve() {
    static SERVER: OnceLock<Option<Server>> = OnceLock::new();
    if SHARES.swap(true, Ordering::AcqRel) {
        return;
    }
    if SERVER.get_or_init(Server::new).is_none() {
        return;
    }
    spawn("doppel-checkpoint", || {
        // SAFETY: a plain query.
        THREAD.store(unsafe { libc::gettid() } as u32, Ordering::Release);
        if let Some(Some(server)) = SERVER.get() {
            server.serve(|request| {
                let done = Operation::of(request).ok_or(Error::INVALID_VALUE).and_then(perform_here);
                match done {
                    Ok(value) => Answer { code: 0, value },
                    Err(error) => Answer { code: error.code(), value: 0 },
                }
            });
        }
    });
}
