//! Streams: queues of work, and the rules that order them.
//!
//! Work on one stream runs in the order it was given. Between streams there is no order, except through events
//! ([`Work::Wait`]) and through the legacy default stream of a context: its work starts after everything that was
//! given before to the context's blocking streams, and their later work starts after it.
//!
//! **Who runs it.** An operation that cannot block, given to an idle stream with nothing to wait for, runs at once on
//! the calling thread. Otherwise it is queued. A queue is run by whoever gets to it first: a thread that waits for the
//! stream, or a worker of the [`executor`]. Host functions and waits on memory are left to workers, and only one host
//! function of a context runs at a time, as on the real driver.

use super::context;
use super::event::{self, Stamp};
use super::executor;
use super::handle::{Kind as HandleKind, Table};
use super::transfer::{Copy, Fill};
use crate::error::{Error, Result};
use crate::guard;
use parking_lot::{Condvar, Mutex, RwLock};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

/// Which rules order a stream against others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The context's legacy default stream.
    Legacy,
    /// A thread's own default stream; a blocking stream otherwise.
    PerThread,
    /// Created without `CU_STREAM_NON_BLOCKING`.
    Blocking,
    /// Created with it: the legacy stream means nothing to it.
    NonBlocking,
}

/// When queued work runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// As soon as it may.
    Eager,
    /// Not before someone waits for it or asks.
    Lazy,
    /// Now or later, in any legal order, decided by a seeded generator.
    Random,
}

static SCHEDULE: AtomicU32 = AtomicU32::new(0);

/// Sets the policy for the whole process.
pub fn set_schedule(schedule: Schedule) {
    SCHEDULE.store(schedule as u32, Ordering::Relaxed);
}

fn schedule() -> Schedule {
    match SCHEDULE.load(Ordering::Relaxed) {
        0 => Schedule::Eager,
        1 => Schedule::Lazy,
        _ => Schedule::Random,
    }
}

/// When a wait on memory is over, seen as signed or unsigned words of the operation's width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The cyclic difference `memory - value` is not negative.
    Geq,
    /// They are equal.
    Eq,
    /// `memory & value` is not zero.
    And,
    /// `!(memory | value)` is not zero.
    Nor,
}

/// A wait for a word in memory.
#[derive(Clone, Copy, Debug)]
pub struct WaitValue {
    /// Address of the word.
    pub address: usize,
    /// What to compare with.
    pub value: u64,
    /// 64 bits, else 32.
    pub wide: bool,
    /// How.
    pub condition: Condition,
}

/// A write of a word to memory.
#[derive(Clone, Copy, Debug)]
pub struct WriteValue {
    /// Address of the word.
    pub address: usize,
    /// What to write.
    pub value: u64,
    /// 64 bits, else 32.
    pub wide: bool,
}

/// One piece of work for a stream. It can be run more than once (graphs keep it).
#[derive(Clone)]
pub enum Work {
    /// A copy between two ranges of memory.
    Copy(Copy),
    /// A fill of a range or of rows with a pattern.
    Fill(Fill),
    /// A function of the program; runs on a worker, where the driver API refuses calls.
    Host(Arc<dyn Fn() + Send + Sync>),
    /// Any other operation of the device that does not block.
    Task(Arc<dyn Fn() -> Result<()> + Send + Sync>),
    /// Notes the time at which the stream got here.
    Record(Stamp),
    /// Waits for a point of another stream.
    Wait(Fence),
    /// Waits for a word in memory.
    WaitValue(WaitValue),
    /// Writes a word to memory.
    WriteValue(WriteValue),
}

impl Work {
    /// True when the calling thread may run it on the spot.
    fn is_prompt(&self) -> bool {
        match self {
            Work::Host(_) | Work::WaitValue(_) => false,
            Work::Wait(fence) => fence.is_complete(),
            _ => true,
        }
    }

    /// Does it. Not for [`Work::Host`] and [`Work::WaitValue`], which the queue treats itself.
    fn execute(&self) -> Result<()> {
        match self {
            Work::Copy(copy) => copy.run(),
            Work::Fill(fill) => fill.run(),
            Work::Task(task) => task(),
            Work::Record(stamp) => {
                event::mark(stamp);
                Ok(())
            }
            Work::WriteValue(w) => w.run(),
            Work::Wait(_) | Work::Host(_) | Work::WaitValue(_) => Ok(()),
        }
    }
}

impl WriteValue {
    fn run(&self) -> Result<()> {
        let Self { address, value, wide } = *self;
        let done = guard::run(move || {
            // SAFETY: guarded; atomic so that a thread that polls the word never sees half of it.
            unsafe {
                if wide {
                    (*(address as *const AtomicU64)).store(value, Ordering::Release);
                } else {
                    (*(address as *const AtomicU32)).store(value as u32, Ordering::Release);
                }
            }
        });
        if done { Ok(()) } else { Err(Error::ILLEGAL_ADDRESS) }
    }
}

impl WaitValue {
    /// Whether the condition holds now; an unreadable word is an error.
    fn holds(&self) -> Result<bool> {
        let Self { address, value, wide, condition } = *self;
        let mut holds = false;
        let result = &raw mut holds;
        let done = guard::run(move || {
            // SAFETY: guarded; `result` points to `holds`.
            unsafe {
                *result = if wide {
                    let m = (*(address as *const AtomicU64)).load(Ordering::Acquire);
                    match condition {
                        Condition::Geq => m.wrapping_sub(value) as i64 >= 0,
                        Condition::Eq => m == value,
                        Condition::And => m & value != 0,
                        Condition::Nor => !(m | value) != 0,
                    }
                } else {
                    let m = (*(address as *const AtomicU32)).load(Ordering::Acquire);
                    let v = value as u32;
                    match condition {
                        Condition::Geq => m.wrapping_sub(v) as i32 >= 0,
                        Condition::Eq => m == v,
                        Condition::And => m & v != 0,
                        Condition::Nor => !(m | v) != 0,
                    }
                };
            }
        });
        if done { Ok(holds) } else { Err(Error::ILLEGAL_ADDRESS) }
    }
}

/// A point in a stream: complete when everything given to the stream up to it is.
#[derive(Clone)]
pub struct Fence {
    stream: Arc<Stream>,
    sequence: u64,
}

impl Fence {
    /// True once reached.
    pub fn is_complete(&self) -> bool {
        self.stream.completed.load(Ordering::Acquire) >= self.sequence
    }

    /// Returns once reached; runs the stream's work meanwhile where it can.
    pub fn wait(&self) {
        self.stream.wait_for(self.sequence);
    }

    /// The stream it is a point of.
    pub fn stream(&self) -> &Arc<Stream> {
        &self.stream
    }

    /// Makes sure that the work before the point is on its way even under a lazy schedule.
    pub fn nudge(&self) {
        if !self.is_complete() {
            self.stream.nudge();
        }
    }
}

/// What the streams of one context share.
pub struct Group {
    /// Operations given and not complete, over all streams.
    pending: AtomicUsize,
    /// Those of the legacy stream, and those of the streams that it waits for.
    legacy_open: AtomicUsize,
    blocking_open: AtomicUsize,
    /// The first asynchronous error, as its code; stays for the context's life.
    error: AtomicU32,
    /// Set when the context goes: waits on memory give up.
    closing: AtomicBool,
    legacy: RwLock<Weak<Stream>>,
    streams: RwLock<Vec<Weak<Stream>>>,
    lane: Mutex<HostLane>,
}

/// Host functions of a context run one at a time.
struct HostLane {
    busy: bool,
    waiting: VecDeque<Arc<Stream>>,
}

impl Group {
    /// A group without streams.
    pub fn new() -> Arc<Group> {
        Arc::new(Group {
            pending: AtomicUsize::new(0),
            legacy_open: AtomicUsize::new(0),
            blocking_open: AtomicUsize::new(0),
            error: AtomicU32::new(0),
            closing: AtomicBool::new(false),
            legacy: RwLock::new(Weak::new()),
            streams: RwLock::new(Vec::new()),
            lane: Mutex::new(HostLane { busy: false, waiting: VecDeque::new() }),
        })
    }

    /// The asynchronous error that the context is stuck with, if any.
    pub fn error(&self) -> Option<Error> {
        match self.error.load(Ordering::Relaxed) {
            0 => None,
            code => Error::from_code(code),
        }
    }

    /// Makes the context stuck with `error`; the first one stays.
    pub fn fail(&self, error: Error) {
        let _ = self.error.compare_exchange(0, error.code(), Ordering::AcqRel, Ordering::Relaxed);
    }

    /// True when no stream of the context has work.
    pub fn is_idle(&self) -> bool {
        self.pending.load(Ordering::Acquire) == 0
    }

    /// Every live stream of the context.
    pub fn streams(&self) -> Vec<Arc<Stream>> {
        self.streams.read().iter().filter_map(Weak::upgrade).collect()
    }

    /// Returns once all work given to any stream so far is complete.
    pub fn wait_idle(&self) {
        if self.is_idle() {
            return;
        }
        for stream in self.streams() {
            stream.tail().wait();
        }
    }

    /// Ends waits on memory, so that the context can go; then waits for the rest.
    pub fn close(&self) {
        self.closing.store(true, Ordering::Release);
        self.wait_idle();
    }
}

struct Item {
    sequence: u64,
    work: Work,
}

#[derive(Default)]
struct State {
    submitted: u64,
    queue: VecDeque<Item>,
    /// A thread is running this stream's work.
    running: bool,
    /// The stream stands in the executor's queue.
    handed_over: bool,
    /// Something happened while a thread was running it: it must look again before it leaves.
    again: bool,
    /// Threads asleep in `wait_for`.
    sleepers: usize,
    /// Streams to hand to the executor once a sequence number is complete.
    wakers: Vec<(u64, Arc<Stream>)>,
}

/// A stream of a context.
pub struct Stream {
    /// What the program holds; 0 for default streams.
    pub handle: usize,
    /// Unique in the process.
    pub id: u64,
    /// The order rules.
    pub kind: Kind,
    /// `CU_STREAM_*` flags as given at creation.
    pub flags: u32,
    /// Lower is more urgent; within the device's range.
    pub priority: i32,
    /// The context it belongs to.
    pub context: Weak<context::Context>,
    /// What it shares with the context's other streams.
    pub group: Arc<Group>,
    /// Settable attributes and capture state.
    pub extra: Mutex<Extra>,
    /// True while the stream is being captured into a graph: work must not be enqueued then.
    pub capturing: AtomicBool,
    completed: AtomicU64,
    state: Mutex<State>,
    progress: Condvar,
}

/// Per-stream settings that the program can change.
#[derive(Default)]
pub struct Extra {
    /// Values set by `cuStreamSetAttribute`, by attribute id: raw bytes of the attribute union.
    pub attributes: std::collections::BTreeMap<u32, [u8; 64]>,
}

/// All created streams (default streams have no handle).
pub static STREAMS: Table<Stream> = Table::new(HandleKind::Stream);

/// The next stream id. Default streams draw from it too.
fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(7);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Who {
    /// A thread of the program that waits for a sequence number. It stops there: what comes later may wait for work
    /// that this very thread is in the middle of.
    Caller(u64),
    /// A worker.
    Worker,
}

impl Stream {
    fn build(
        handle: usize,
        kind: Kind,
        flags: u32,
        priority: i32,
        context: Weak<context::Context>,
        group: &Arc<Group>,
    ) -> Arc<Stream> {
        Arc::new(Stream {
            handle,
            id: next_id(),
            kind,
            flags,
            priority,
            context,
            group: group.clone(),
            extra: Mutex::new(Extra::default()),
            capturing: AtomicBool::new(false),
            completed: AtomicU64::new(0),
            state: Mutex::new(State::default()),
            progress: Condvar::new(),
        })
    }

    /// A default stream: the context's legacy stream, or a thread's own.
    pub fn new_default(kind: Kind, context: Weak<context::Context>, group: &Arc<Group>) -> Arc<Stream> {
        let stream = Self::build(0, kind, 0, 0, context, group);
        if kind == Kind::Legacy {
            *group.legacy.write() = Arc::downgrade(&stream);
        }
        Self::enrol(&stream, group);
        stream
    }

    /// A stream with a handle.
    pub fn create(context: &Arc<context::Context>, kind: Kind, flags: u32, priority: i32) -> Result<Arc<Stream>> {
        let group = &context.group;
        let stream = STREAMS
            .insert_with(|handle| Self::build(handle, kind, flags, priority, Arc::downgrade(context), group))
            .ok_or(Error::OUT_OF_MEMORY)?;
        Self::enrol(&stream, group);
        Ok(stream)
    }

    fn enrol(stream: &Arc<Stream>, group: &Arc<Group>) {
        let mut streams = group.streams.write();
        streams.retain(|s| s.strong_count() > 0);
        streams.push(Arc::downgrade(stream));
    }

    /// True for streams that the legacy stream orders.
    pub fn is_blocking(&self) -> bool {
        matches!(self.kind, Kind::Blocking | Kind::PerThread)
    }

    /// The point after everything given so far.
    pub fn tail(self: &Arc<Self>) -> Fence {
        Fence { stream: self.clone(), sequence: self.state.lock().submitted }
    }

    /// True when everything given to this stream, and what a legacy stream must wait for, is complete.
    pub fn is_idle(self: &Arc<Self>) -> bool {
        if self.group.is_idle() {
            return true;
        }
        let idle = {
            let state = self.state.lock();
            self.completed.load(Ordering::Acquire) >= state.submitted
        };
        if !idle && schedule() != Schedule::Eager {
            self.nudge();
        }
        idle
    }

    /// The points that this stream's next operation has to wait for by the rules of the legacy stream.
    pub fn implicit_waits(self: &Arc<Self>) -> Vec<Fence> {
        match self.kind {
            Kind::NonBlocking => Vec::new(),
            Kind::Legacy if self.group.blocking_open.load(Ordering::Acquire) == 0 => Vec::new(),
            Kind::Legacy => self
                .group
                .streams()
                .iter()
                .filter(|s| s.is_blocking())
                .map(|s| s.tail())
                .filter(|f| !f.is_complete())
                .collect(),
            Kind::Blocking | Kind::PerThread if self.group.legacy_open.load(Ordering::Acquire) == 0 => Vec::new(),
            Kind::Blocking | Kind::PerThread => {
                let legacy = self.group.legacy.read().upgrade();
                legacy.map(|s| s.tail()).filter(|f| !f.is_complete()).into_iter().collect()
            }
        }
    }

    fn count(&self, open: bool) {
        let change = |counter: &AtomicUsize| {
            if open {
                counter.fetch_add(1, Ordering::AcqRel);
            } else {
                counter.fetch_sub(1, Ordering::AcqRel);
            }
        };
        change(&self.group.pending);
        match self.kind {
            Kind::Legacy => change(&self.group.legacy_open),
            Kind::Blocking | Kind::PerThread => change(&self.group.blocking_open),
            Kind::NonBlocking => {}
        }
    }

    /// Gives the stream one operation: it runs after whatever the stream has to wait for, or becomes a node of the
    /// graph that the stream is being captured into. The result is about the giving only.
    ///
    /// An error of the operation itself is asynchronous: it becomes the context's, even when the operation ran before
    /// this returns.
    pub fn enqueue(self: &Arc<Self>, work: Work) -> Result<()> {
        if self.capturing.load(Ordering::Relaxed) {
            return Err(Error::STREAM_CAPTURE_UNSUPPORTED);
        }
        self.submit(work);
        Ok(())
    }

    /// Like [`Stream::enqueue`], for a stream that is known not to be captured. Returns the point behind the operation.
    pub fn submit(self: &Arc<Self>, work: Work) -> Fence {
        let waits = self.implicit_waits();
        let prompt = match schedule() {
            Schedule::Eager => true,
            Schedule::Lazy => false,
            Schedule::Random => executor::dice().is_some_and(|n| n & 1 == 0),
        };
        let mut state = self.state.lock();
        if prompt && !state.running && state.queue.is_empty() && waits.is_empty() && work.is_prompt() {
            state.submitted += 1;
            let sequence = state.submitted;
            self.count(true);
            state.running = true;
            drop(state);
            let result = work.execute();
            if let Err(error) = result {
                self.group.fail(error);
            }
            let mut state = self.state.lock();
            self.complete(&mut state, sequence);
            state.running = false;
            if !state.queue.is_empty() {
                self.hand_over(&mut state);
            }
            return Fence { stream: self.clone(), sequence };
        }
        for fence in waits {
            self.push(&mut state, Work::Wait(fence));
        }
        self.push(&mut state, work);
        let sequence = state.submitted;
        if state.running {
            state.again = true;
        } else if schedule() != Schedule::Lazy {
            self.hand_over(&mut state);
        }
        Fence { stream: self.clone(), sequence }
    }

    fn push(self: &Arc<Self>, state: &mut State, work: Work) {
        state.submitted += 1;
        let sequence = state.submitted;
        self.count(true);
        state.queue.push_back(Item { sequence, work });
    }

    /// Does one operation in the stream's order and returns when it is complete, with its own error.
    pub fn perform(self: &Arc<Self>, work: Work) -> Result<()> {
        if self.capturing.load(Ordering::Relaxed) {
            return Err(Error::STREAM_CAPTURE_UNSUPPORTED);
        }
        if self.group.is_idle() && work.is_prompt() {
            // Nothing to be ordered against: no queue is touched.
            return work.execute();
        }
        let result = Arc::new(Mutex::new(Ok(())));
        let slot = result.clone();
        self.submit(Work::Task(Arc::new(move || {
            *slot.lock() = work.execute();
            Ok(())
        })))
        .wait();
        *result.lock()
    }

    fn hand_over(self: &Arc<Self>, state: &mut State) {
        if !state.handed_over {
            state.handed_over = true;
            executor::submit(self.clone());
        }
    }

    /// Hands the stream to a worker if it has work that nobody runs.
    fn nudge(self: &Arc<Self>) {
        let mut state = self.state.lock();
        if state.running {
            state.again = true;
        } else if !state.queue.is_empty() {
            self.hand_over(&mut state);
        }
    }

    fn complete(&self, state: &mut State, sequence: u64) {
        self.completed.store(sequence, Ordering::Release);
        self.count(false);
        if !state.wakers.is_empty() {
            let mut i = 0;
            while i < state.wakers.len() {
                if state.wakers[i].0 <= sequence {
                    // The other stream is not locked here: workers find out under its own lock what is to do.
                    executor::submit(state.wakers.swap_remove(i).1);
                } else {
                    i += 1;
                }
            }
        }
        if state.sleepers > 0 {
            self.progress.notify_all();
        }
    }

    /// Has `waiter` handed to the executor once `sequence` is complete; false when it is already.
    fn wake_when(self: &Arc<Self>, sequence: u64, waiter: &Arc<Stream>) -> bool {
        let mut state = self.state.lock();
        if self.completed.load(Ordering::Acquire) >= sequence {
            return false;
        }
        state.wakers.push((sequence, waiter.clone()));
        if !state.running && !state.queue.is_empty() {
            self.hand_over(&mut state);
        }
        true
    }

    /// Entry of a worker: runs what is queued.
    pub(super) fn run_queued(self: &Arc<Self>) {
        self.state.lock().handed_over = false;
        self.drain(Who::Worker);
    }

    /// Runs queued work until there is none, or something has to be waited for.
    fn drain(self: &Arc<Self>, who: Who) {
        let mut state = self.state.lock();
        if state.running {
            state.again = true;
            return;
        }
        state.running = true;
        loop {
            state.again = false;
            let Some(front) = state.queue.front() else {
                break;
            };
            let sequence = front.sequence;
            if let Who::Caller(until) = who
                && sequence > until
            {
                self.hand_over(&mut state);
                break;
            }
            match &front.work {
                Work::Wait(fence) => {
                    if !fence.is_complete() {
                        let fence = fence.clone();
                        drop(state);
                        let parked = match who {
                            Who::Caller(_) => {
                                fence.wait();
                                false
                            }
                            Who::Worker => fence.stream.wake_when(fence.sequence, self),
                        };
                        state = self.state.lock();
                        if parked && !state.again {
                            break;
                        }
                        continue;
                    }
                    state.queue.pop_front();
                }
                Work::Host(_) | Work::WaitValue(_) if who != Who::Worker => {
                    self.hand_over(&mut state);
                    break;
                }
                Work::Host(function) => {
                    if !self.enter_lane() {
                        break;
                    }
                    let function = function.clone();
                    state.queue.pop_front();
                    drop(state);
                    executor::blocking(|| context::in_callback(|| function()));
                    self.leave_lane();
                    state = self.state.lock();
                }
                Work::WaitValue(wait) => {
                    let wait = *wait;
                    state.queue.pop_front();
                    drop(state);
                    self.poll(wait);
                    state = self.state.lock();
                }
                work => {
                    let work = work.clone();
                    state.queue.pop_front();
                    drop(state);
                    // After an asynchronous error nothing else of the context has effects.
                    if self.group.error().is_none()
                        && let Err(error) = work.execute()
                    {
                        self.group.fail(error);
                    }
                    state = self.state.lock();
                }
            }
            self.complete(&mut state, sequence);
        }
        state.running = false;
    }

    /// Waits for a word in memory: first eagerly, then ever more seldom.
    fn poll(&self, wait: WaitValue) {
        executor::blocking(|| {
            let mut round = 0u32;
            loop {
                match wait.holds() {
                    Ok(true) => return,
                    Ok(false) => {}
                    Err(error) => return self.group.fail(error),
                }
                if self.group.closing.load(Ordering::Acquire) {
                    return;
                }
                round += 1;
                match round {
                    0..100 => core::hint::spin_loop(),
                    100..200 => std::thread::yield_now(),
                    _ => std::thread::sleep(std::time::Duration::from_micros(u64::from(round.min(1000)) / 5)),
                }
            }
        });
    }

    /// Takes the context's host function lane; if it is taken, the stream is handed over again when it is free.
    fn enter_lane(self: &Arc<Self>) -> bool {
        let mut lane = self.group.lane.lock();
        if lane.busy {
            lane.waiting.push_back(self.clone());
            return false;
        }
        lane.busy = true;
        true
    }

    /// Frees the lane. Every stream that waited tries again: one that waited twice over may not need it any more, so
    /// waking only the first could leave the others asleep.
    fn leave_lane(&self) {
        let waiting = {
            let mut lane = self.group.lane.lock();
            lane.busy = false;
            std::mem::take(&mut lane.waiting)
        };
        waiting.into_iter().for_each(executor::submit);
    }

    /// Returns once `sequence` is complete, running the stream's work on this thread where it can.
    fn wait_for(self: &Arc<Self>, sequence: u64) {
        const SPINS: u32 = 2000;
        let done = || self.completed.load(Ordering::Acquire) >= sequence;
        let mut spins = 0;
        loop {
            if done() {
                return;
            }
            self.drain(Who::Caller(sequence));
            while !done() && spins < SPINS {
                core::hint::spin_loop();
                spins += 1;
            }
            if done() {
                return;
            }
            let mut state = self.state.lock();
            let seen = self.completed.load(Ordering::Acquire);
            if seen >= sequence {
                return;
            }
            state.sleepers += 1;
            while self.completed.load(Ordering::Acquire) == seen {
                self.progress.wait(&mut state);
            }
            state.sleepers -= 1;
            spins = 0;
        }
    }

    /// Returns once everything given so far is complete: `cuStreamSynchronize`. For the legacy stream that includes
    /// what its next operation would have to wait for.
    pub fn synchronize(self: &Arc<Self>) -> Result<()> {
        if !self.group.is_idle() {
            for fence in self.implicit_waits() {
                if self.kind == Kind::Legacy {
                    fence.wait();
                }
            }
            self.tail().wait();
        }
        match self.group.error() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{self, Setup, profile::Profile};
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    fn context() -> Arc<context::Context> {
        device::initialize(|| Ok(Setup { profiles: Profile::list("2", false).unwrap(), memory: Some(1 << 30) }))
            .unwrap();
        context::Context::create(device::device(0).unwrap(), 0, 3020).unwrap()
    }

    fn stream(context: &Arc<context::Context>, kind: Kind) -> Arc<Stream> {
        Stream::create(context, kind, 0, 0).unwrap()
    }

    /// A host function that holds its stream until opened.
    fn gate() -> (Work, Arc<AtomicBool>) {
        let open = Arc::new(AtomicBool::new(false));
        let seen = open.clone();
        let work = Work::Host(Arc::new(move || {
            while !seen.load(Ordering::Acquire) {
                std::thread::sleep(Duration::from_micros(50));
            }
        }));
        (work, open)
    }

    fn push(log: &Arc<Mutex<Vec<u32>>>, n: u32) -> Work {
        let log = log.clone();
        Work::Task(Arc::new(move || {
            log.lock().push(n);
            Ok(())
        }))
    }

    #[test]
    fn a_held_stream_queues_and_keeps_order() {
        let context = context();
        let s = stream(&context, Kind::NonBlocking);
        let log = Arc::new(Mutex::new(Vec::new()));
        let (hold, open) = gate();
        s.submit(hold);
        for n in 0..100 {
            s.submit(push(&log, n));
        }
        assert!(!s.is_idle());
        assert!(log.lock().is_empty());
        open.store(true, Ordering::Release);
        s.synchronize().unwrap();
        assert_eq!(*log.lock(), (0..100).collect::<Vec<_>>());
        assert!(s.is_idle() && context.group.is_idle());
    }

    #[test]
    fn the_legacy_stream_orders_blocking_streams_only() {
        let context = context();
        let blocking = stream(&context, Kind::Blocking);
        let free = stream(&context, Kind::NonBlocking);
        let log = Arc::new(Mutex::new(Vec::new()));
        let (hold, open) = gate();
        blocking.submit(hold);
        context.legacy_stream().submit(push(&log, 1));
        blocking.submit(push(&log, 2));
        context.thread_stream().submit(push(&log, 3));
        free.submit(push(&log, 0));
        free.synchronize().unwrap();
        assert_eq!(*log.lock(), [0]);
        open.store(true, Ordering::Release);
        context.synchronize().unwrap();
        assert_eq!(log.lock()[..2], [0, 1]);
        assert_eq!(log.lock().len(), 4);
    }

    #[test]
    fn waits_cross_streams_and_contexts_end() {
        let context = context();
        let (a, b, c) = (
            stream(&context, Kind::NonBlocking),
            stream(&context, Kind::NonBlocking),
            stream(&context, Kind::NonBlocking),
        );
        let log = Arc::new(Mutex::new(Vec::new()));
        let (hold, open) = gate();
        a.submit(hold);
        let first = a.submit(push(&log, 1));
        b.submit(Work::Wait(first));
        let second = b.submit(push(&log, 2));
        c.submit(Work::Wait(second));
        c.submit(push(&log, 3));
        let opener = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            open.store(true, Ordering::Release);
        });
        c.synchronize().unwrap();
        assert_eq!(*log.lock(), [1, 2, 3]);
        opener.join().unwrap();
        let word = Box::leak(Box::new(0u32));
        let wait =
            WaitValue { address: std::ptr::from_ref(word) as usize, value: 1, wide: false, condition: Condition::Eq };
        a.submit(Work::WaitValue(wait));
        assert!(context.destroy(), "a wait that never ends does not hold the context");
        assert!(!context.destroy());
    }

    #[test]
    fn many_threads_many_streams() {
        let context = context();
        let streams: Vec<_> =
            (0..6).map(|i| stream(&context, if i % 2 == 0 { Kind::Blocking } else { Kind::NonBlocking })).collect();
        let ran = Arc::new(AtomicU64::new(0));
        let mut given = 0;
        std::thread::scope(|scope| {
            for t in 0..8u64 {
                given += 2000;
                let (streams, ran, context) = (&streams, &ran, &context);
                scope.spawn(move || {
                    let mut x = t * 7919 + 1;
                    for _ in 0..2000 {
                        x ^= x << 13;
                        x ^= x >> 7;
                        x ^= x << 17;
                        let s = &streams[x as usize % streams.len()];
                        let counter = ran.clone();
                        let count = move || {
                            counter.fetch_add(1, Ordering::Relaxed);
                        };
                        match x >> 8 & 15 {
                            0 => drop(s.submit(Work::Host(Arc::new(count)))),
                            1 => {
                                let fence = streams[(x >> 16) as usize % streams.len()].tail();
                                s.submit(Work::Wait(fence));
                                count();
                            }
                            2 => {
                                let counted = move || {
                                    count();
                                    Ok(())
                                };
                                drop(context.legacy_stream().submit(Work::Task(Arc::new(counted))));
                            }
                            3 => {
                                s.synchronize().unwrap();
                                count();
                            }
                            _ => {
                                let counted = move || {
                                    count();
                                    Ok(())
                                };
                                drop(s.submit(Work::Task(Arc::new(counted))));
                            }
                        }
                    }
                });
            }
        });
        context.synchronize().unwrap();
        assert_eq!(ran.load(Ordering::Relaxed), given);
        assert!(context.group.is_idle());
    }

    #[test]
    fn an_asynchronous_error_stays() {
        let context = context();
        let s = stream(&context, Kind::NonBlocking);
        s.submit(Work::Copy(Copy { dst: 0x10000, src: 0x20000, bytes: 16 }));
        assert_eq!(s.synchronize(), Err(Error::ILLEGAL_ADDRESS));
        assert_eq!(context.synchronize(), Err(Error::ILLEGAL_ADDRESS));
    }
}
