//! Streams: queues of work, and the rules that order them.
//!
//! Work on one stream runs in the order it was given. Between streams there is no order, except through events
//! ([`Work::Wait`]) and through the legacy default stream of a context: its work starts after everything that was
//! given before to the context's blocking streams, and their later work starts after it.
//!
//! **Who runs it.** An operation that cannot block, given to an idle stream with nothing to wait for, runs at once on
//! the calling thread. Otherwise it is queued. A queue is run by whoever gets to it first: a thread that waits for the
//! stream, or a worker of the [`executor`]. Host functions are left to workers, and only one host function of a context
//! runs at a time, as on the real driver. Words in memory are watched by the `poller`.
//!
//! **Nothing gets lost.** A stream with queued work is always in one of these states, and each of them ends by
//! somebody looking at the queue again: it is being run; it stands in the executor's queue; it waits for a point of
//! another stream (`State::wakers` of that one), for the host function lane or for a word in memory. Under the lazy
//! schedule there is one more: nobody has asked for its next operation yet (`State::wanted`).

mod attributes;
pub mod capture;
pub mod context;
pub mod event;
pub mod executor;
mod group;
pub mod hooks;
mod lazy_timeout;
mod poller;
pub mod primary;
#[cfg(test)]
mod tests;
mod value;
mod work;

pub use attributes::{AccessPolicyWindow, Attributes};
pub use group::Group;
pub use hooks::Waited;
pub use value::{Condition, WaitValue, WriteValue};
pub use work::{Command, HostCall, Task, Work};

use crate::base::handle::{HandleKind, Table};
use error::{Error, Result, refuse};
use guard::state;
use parking_lot::{Condvar, Mutex, MutexGuard};
use std::cell::Cell;
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

/// Which rules order a stream against others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamKind {
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
    /// Not before someone waits for it or asks, or a quarter of a second has gone by.
    Lazy,
    /// Now or later, in any legal order, decided by a seeded generator.
    Random,
}

/// Sets the policy for the whole process.
pub fn set_schedule(schedule: Schedule) {
    state::PROCESS.schedule.store(schedule as u8, Ordering::Relaxed);
}

#[inline]
fn schedule() -> Schedule {
    match state::PROCESS.schedule.load(Ordering::Relaxed) {
        0 => Schedule::Eager,
        1 => Schedule::Lazy,
        _ => Schedule::Random,
    }
}

/// True when work is not put off, and nothing waits for the program to wait for it.
#[inline]
pub fn is_plain() -> bool {
    schedule() == Schedule::Eager && !state::PROCESS.printed.load(Ordering::Relaxed)
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
        self.stream.has_completed(self.sequence)
    }

    /// Like [`Fence::wait`], from inside of the running of another stream. A stream that waits for a stream that waits
    /// for a stream takes up this thread's stack: false, without waiting, when that has gone far enough.
    fn wait_inside(&self) -> bool {
        const DEEPEST: u32 = 32;
        thread_local! {
            static DEPTH: Cell<u32> = const { Cell::new(0) };
        }
        let depth = DEPTH.get();
        if depth == DEEPEST {
            return false;
        }
        DEPTH.set(depth + 1);
        self.wait();
        DEPTH.set(depth);
        true
    }

    /// Returns once reached; runs the stream's work meanwhile where it can.
    pub fn wait(&self) {
        self.stream.wait_for(self.sequence);
    }

    /// True when this point is in the same stream as the other one and not before it.
    pub fn includes(&self, other: &Fence) -> bool {
        Arc::ptr_eq(&self.stream, &other.stream) && self.sequence >= other.sequence
    }

    /// Moves it to the point after everything that its stream has been given so far.
    pub fn renew(&mut self) {
        self.sequence = self.stream.state.lock().submitted;
    }

    /// Keeps something until the point is reached.
    pub fn keep(&self, thing: Keepsake) {
        let mut state = self.stream.state.lock();
        if !self.is_complete() {
            state.kept.push((self.sequence, thing));
        }
    }

    /// The stream it is a point of.
    pub fn stream(&self) -> &Arc<Stream> {
        &self.stream
    }

    /// For a thread that asks whether the point is reached, which is a way of waiting. Holds no locks.
    pub fn ask(&self) {
        self.nudge();
        if executor::is_short() {
            executor::help();
        }
    }

    /// Makes sure that the work before the point is on its way even under a lazy schedule.
    pub fn nudge(&self) {
        if schedule() == Schedule::Lazy && !self.is_complete() {
            self.stream.nudge(self.sequence);
        }
    }
}

/// Something whose end waits for work: its destructor does what is to be done then.
pub type Keepsake = Arc<dyn Send + Sync>;

struct Item {
    sequence: u64,
    work: Work,
}

struct State {
    /// Number of the latest operation given; the first one is 1.
    submitted: u64,
    queue: VecDeque<Item>,
    /// A thread is running this stream's work.
    running: bool,
    /// The stream stands in the executor's queue.
    handed_over: bool,
    /// The number of the wait for another stream at which a worker left it: when that is first in the queue, the other
    /// stream hands this one to the executor when the time has come, and nobody else needs to.
    parked: u64,
    /// Somebody came while a thread was running it: that thread must look again before it leaves.
    again: bool,
    /// The latest operation that somebody has asked for. Counts under the lazy schedule only.
    wanted: u64,
    /// The wait on memory that the poller has been told of, and the one that it has released.
    watched: u64,
    released: u64,
    /// The earliest operation that a thread asleep in `wait_for` waits for.
    alarm: u64,
    /// Streams to hand to the executor once a sequence number is complete.
    wakers: Vec<(u64, Arc<Stream>)>,
    /// What work in the queue may use although the program has destroyed it, and the operation after which it may go.
    kept: Vec<(u64, Keepsake)>,
}

impl Default for State {
    fn default() -> State {
        State {
            submitted: 0,
            queue: VecDeque::new(),
            running: false,
            handed_over: false,
            parked: 0,
            again: false,
            wanted: 0,
            watched: 0,
            released: 0,
            alarm: u64::MAX,
            wakers: Vec::new(),
            kept: Vec::new(),
        }
    }
}

/// A stream of a context.
pub struct Stream {
    /// What the program holds; 0 for default streams.
    pub handle: usize,
    /// Unique in the process.
    pub id: u64,
    /// The order rules.
    pub kind: StreamKind,
    /// `CU_STREAM_*` flags as given at creation.
    pub flags: u32,
    /// The context it belongs to.
    pub context: Weak<context::Context>,
    /// What it shares with the context's other streams.
    pub group: Arc<Group>,
    /// Settable attributes.
    pub attributes: Mutex<Attributes>,
    /// True while the stream is being captured into a graph: work must not be enqueued then.
    pub capturing: AtomicBool,
    /// Its part in that capture.
    pub(super) capture: Mutex<Option<capture::Part>>,
    priority: AtomicI32,
    completed: AtomicU64,
    /// The latest point of each other stream that this one was told to wait for, by stream id.
    followed: Mutex<BTreeMap<u64, u64>>,
    state: Mutex<State>,
    progress: Condvar,
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
        kind: StreamKind,
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
            context,
            group: group.clone(),
            attributes: Mutex::default(),
            capturing: AtomicBool::new(false),
            capture: Mutex::new(None),
            priority: AtomicI32::new(priority),
            completed: AtomicU64::new(0),
            followed: Mutex::default(),
            state: Mutex::default(),
            progress: Condvar::new(),
        })
    }

    /// A default stream: the context's legacy stream, or a thread's own.
    pub fn new_default(kind: StreamKind, context: Weak<context::Context>, group: &Arc<Group>) -> Arc<Stream> {
        let stream = Self::build(0, kind, 0, 0, context, group);
        if kind == StreamKind::Legacy {
            *group.legacy.write() = Arc::downgrade(&stream);
        }
        group.enrol(&stream);
        stream
    }

    /// A stream with a handle.
    pub fn create(context: &Arc<context::Context>, kind: StreamKind, flags: u32, priority: i32) -> Result<Arc<Stream>> {
        let group = &context.group;
        context.note_stream();
        let stream = STREAMS
            .insert_with(|handle| Self::build(handle, kind, flags, priority, Arc::downgrade(context), group))
            .ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "there are too many streams"))?;
        group.enrol(&stream);
        // Another thread may have ended the context before it could know of the stream.
        context.owns(()).inspect_err(|_| drop(STREAMS.orphan(stream.handle)))?;
        Ok(stream)
    }

    /// Takes a stream's handle away. What it has been given still runs.
    pub fn destroy(handle: usize) -> Result<()> {
        STREAMS.get_or(handle, Error::INVALID_HANDLE)?.group.check_error()?;
        STREAMS.remove(handle).ok_or_else(|| STREAMS.stale(Error::INVALID_HANDLE, handle))?.retire();
        Ok(())
    }

    /// For a stream that the program can no longer wait for: its work must not depend on that.
    pub fn retire(self: &Arc<Self>) {
        // In a child of fork nothing may be locked.
        if context::initialized().is_err() {
            return;
        }
        if self.capturing.load(Ordering::Relaxed) {
            capture::abandon(self);
        }
        if schedule() == Schedule::Lazy {
            self.nudge(u64::MAX);
        }
    }

    /// True once the program has destroyed it, or its context is on its way out.
    pub fn is_gone(&self) -> bool {
        let created = matches!(self.kind, StreamKind::Blocking | StreamKind::NonBlocking);
        self.group.is_closing() || created && STREAMS.get(self.handle).is_none()
    }

    /// Lower is more urgent; within the device's range.
    pub fn priority(&self) -> i32 {
        self.priority.load(Ordering::Relaxed)
    }

    /// Changes the priority.
    pub fn set_priority(&self, priority: i32) {
        self.priority.store(priority, Ordering::Relaxed);
    }

    /// True for streams that the legacy stream orders.
    pub fn is_blocking(&self) -> bool {
        matches!(self.kind, StreamKind::Blocking | StreamKind::PerThread)
    }

    fn has_completed(&self, sequence: u64) -> bool {
        self.completed.load(Ordering::Acquire) >= sequence
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
        let mut idle = true;
        let own = [self.tail()];
        let others = if self.kind == StreamKind::Legacy { self.implicit_waits() } else { Vec::new() };
        for fence in own.iter().chain(&others).filter(|f| !f.is_complete()) {
            fence.ask();
            idle = false;
        }
        idle
    }

    /// The points that this stream's next operation has to wait for by the rules of the legacy stream.
    pub fn implicit_waits(self: &Arc<Self>) -> Vec<Fence> {
        let open = |counter: &AtomicUsize| counter.load(Ordering::Acquire) > 0;
        match self.kind {
            StreamKind::Legacy if open(&self.group.blocking_open) => {
                let streams = self.group.streams();
                streams.iter().filter(|s| s.is_blocking()).map(Stream::tail).filter(|f| !f.is_complete()).collect()
            }
            StreamKind::Blocking | StreamKind::PerThread if open(&self.group.legacy_open) => {
                let legacy = self.group.legacy.read().upgrade();
                legacy.map(|s| s.tail()).filter(|f| !f.is_complete()).into_iter().collect()
            }
            _ => Vec::new(),
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
            StreamKind::Legacy => change(&self.group.legacy_open),
            StreamKind::Blocking | StreamKind::PerThread => change(&self.group.blocking_open),
            StreamKind::NonBlocking => {}
        }
    }

    /// Whether work for this stream goes into a graph. An error when it may not be given at all: the legacy stream would
    /// have to wait for a stream that is being captured.
    #[inline]
    pub fn admit(self: &Arc<Self>) -> Result<bool> {
        if self.kind == StreamKind::Legacy && self.group.captured.load(Ordering::Relaxed) > 0 {
            return Err(capture::implicate(self));
        }
        Ok(self.capturing.load(Ordering::Relaxed))
    }

    /// The host may ask about this stream and wait for it: not while it is being captured, and not while another
    /// capture forbids such calls.
    pub fn check_uncaptured(self: &Arc<Self>) -> Result<()> {
        if self.admit()? {
            return Err(capture::refuse(self));
        }
        capture::check_call()
    }

    /// Gives the stream one operation: it runs after whatever the stream has to wait for, or becomes a node of the
    /// graph that the stream is being captured into. The result is about the giving only.
    ///
    /// An error of the operation itself is asynchronous: it becomes the context's, even when the operation ran before
    /// this returns.
    pub fn enqueue(self: &Arc<Self>, work: Work) -> Result<()> {
        if self.admit()? {
            return capture::enqueue(self, work);
        }
        self.give(work);
        Ok(())
    }

    fn follow(&self, fence: &Fence) {
        /// Who waits for more streams than this loses count of the earlier ones.
        const MOST: usize = 256;
        let mut followed = self.followed.lock();
        if followed.len() >= MOST {
            followed.clear();
        }
        let latest = followed.entry(fence.stream.id).or_insert(0);
        *latest = fence.sequence.max(*latest);
    }

    /// True when everything that the stream is given from now on comes after `fence`: it was told to wait for it.
    pub fn follows(&self, fence: &Fence) -> bool {
        self.followed.lock().get(&fence.stream.id).is_some_and(|&latest| latest >= fence.sequence)
    }

    /// Like [`Stream::enqueue`], for a stream that is known not to be captured. Returns the point behind the operation.
    pub fn submit(self: &Arc<Self>, work: Work) -> Fence {
        let sequence = self.give(work);
        Fence { stream: self.clone(), sequence }
    }

    /// True when an operation that does not block may run here and now, whoever gives it: nothing of the context is pending,
    /// nothing is being captured or to be printed, no error is in the way, and the schedule has no other plans.
    #[inline]
    pub fn is_quiet(&self) -> bool {
        is_plain()
            && self.group.is_calm()
            && (self.kind == StreamKind::Legacy || !self.capturing.load(Ordering::Relaxed))
    }

    /// Nothing of the context is pending, so an operation that does not block may run here and now, unless the schedule
    /// has other plans.
    #[inline]
    pub fn may_run_at_once(&self) -> bool {
        schedule() == Schedule::Eager && self.group.is_idle()
    }

    /// Like [`Stream::submit`], for an operation to whose end nobody refers: when nothing of the context is pending, there
    /// is nothing to be ordered against, and it runs here and now without passing through the queue.
    #[inline]
    pub fn run_or_submit(self: &Arc<Self>, work: Work) {
        if self.may_run_at_once() && work.is_prompt() {
            self.execute(&work);
        } else {
            self.give(work);
        }
    }

    /// [`Stream::run_or_submit`] for a command by value, which becomes [`Work`] only if it has to wait for its turn.
    #[inline]
    pub fn run_or_submit_command(self: &Arc<Self>, command: impl Command) {
        if self.may_run_at_once() && command.is_prompt() {
            if self.group.error().is_none()
                && let Err(error) = command.run()
            {
                self.group.fail(error);
            }
        } else {
            self.give(Work::of(command));
        }
    }

    /// [`Stream::perform`] for a command by value.
    #[inline]
    pub fn perform_command(self: &Arc<Self>, command: impl Command) -> Result<()> {
        if self.group.is_idle() && command.is_prompt() && !self.admit()? {
            hooks::print();
            return command.run();
        }
        self.perform(Work::of(command))
    }

    fn give(self: &Arc<Self>, work: Work) -> u64 {
        if let Work::Wait(fence) = &work {
            self.follow(fence);
        }
        let waits = self.implicit_waits();
        let at_once = match schedule() {
            Schedule::Eager => true,
            Schedule::Lazy => false,
            Schedule::Random => executor::dice().is_some_and(|n| n & 1 == 0),
        };
        let mut state = self.state.lock();
        if at_once && !state.running && state.queue.is_empty() && waits.is_empty() && work.is_prompt() {
            state.submitted += 1;
            let sequence = state.submitted;
            if work.is_brief() {
                // Nobody can be waiting for it yet: done before the lock is given back, it was never pending.
                self.execute(&work);
                self.completed.store(sequence, Ordering::Release);
                return sequence;
            }
            self.count(true);
            state.running = true;
            drop(state);
            self.execute(&work);
            let mut state = self.state.lock();
            self.finish(&mut state, sequence);
            state.running = false;
            self.hand_over(&mut state);
            return sequence;
        }
        for fence in waits {
            self.push(&mut state, Work::Wait(fence));
        }
        self.push(&mut state, work);
        let sequence = state.submitted;
        if state.running {
            state.again = true;
        } else {
            self.hand_over(&mut state);
        }
        if schedule() == Schedule::Lazy {
            lazy_timeout::note(self);
        }
        sequence
    }

    fn push(&self, state: &mut State, work: Work) {
        state.submitted += 1;
        let sequence = state.submitted;
        self.count(true);
        state.queue.push_back(Item { sequence, work });
    }

    /// Runs an operation, unless the context is stuck with an error: nothing has effects then.
    fn execute(&self, work: &Work) {
        if self.group.error().is_none()
            && let Err(error) = work.execute()
        {
            self.group.fail(error);
        }
    }

    /// Does one operation in the stream's order and returns when it is complete, with its own error.
    pub fn perform(self: &Arc<Self>, work: Work) -> Result<()> {
        if self.admit()? {
            return Err(capture::refuse(self));
        }
        if self.group.is_idle() && work.is_prompt() {
            // Nothing to be ordered against: no queue is touched.
            hooks::print();
            return work.execute();
        }
        let outcome = Arc::new(Mutex::new(None));
        let slot = outcome.clone();
        self.submit(Work::Task(Arc::new(move || {
            *slot.lock() = Some(work.execute());
            Ok(())
        })))
        .wait();
        hooks::print();
        // Work that was never run stood behind the error of other work.
        let outcome = outcome.lock().take();
        outcome.unwrap_or_else(|| Err(self.group.error().unwrap_or(Error::UNKNOWN)))
    }

    /// Hands the stream to a worker if there is something for one to do. Not while a thread is running it.
    fn hand_over(self: &Arc<Self>, state: &mut State) {
        let Some(front) = state.queue.front() else { return };
        let ready = schedule() != Schedule::Lazy || front.sequence <= state.wanted;
        if ready && !state.handed_over && front.sequence != state.parked {
            state.handed_over = true;
            executor::submit(self.clone());
        }
    }

    /// Asks for everything up to `sequence`: hands the stream to a worker if nobody runs it.
    fn nudge(self: &Arc<Self>, sequence: u64) {
        let mut state = self.state.lock();
        state.wanted = state.wanted.max(sequence.min(state.submitted));
        if !state.running {
            self.hand_over(&mut state);
        }
    }

    /// Lets go of what was kept for an operation that has been run, and completes it.
    fn finish(&self, state: &mut MutexGuard<'_, State>, sequence: u64) {
        // More may be kept while this goes on: until the operation is complete, it counts.
        while state.kept.iter().any(|(until, _)| *until <= sequence) {
            let over: Vec<_> = state.kept.extract_if(.., |(until, _)| *until <= sequence).collect();
            // The end of an object needs locks.
            MutexGuard::unlocked(state, || drop(over));
        }
        self.complete(state, sequence);
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
        if sequence >= state.alarm {
            state.alarm = u64::MAX;
            self.progress.notify_all();
        }
    }

    /// Has `waiter` handed to the executor once `sequence` is complete; false when it is already.
    fn wake_when(self: &Arc<Self>, sequence: u64, waiter: &Arc<Stream>) -> bool {
        let mut state = self.state.lock();
        if self.has_completed(sequence) {
            return false;
        }
        state.wanted = state.wanted.max(sequence);
        if !state.wakers.iter().any(|(s, w)| *s == sequence && Arc::ptr_eq(w, waiter)) {
            state.wakers.push((sequence, waiter.clone()));
        }
        if !state.running {
            self.hand_over(&mut state);
        }
        true
    }

    /// Called by the poller: true when `wait`, number `sequence`, is over. The stream goes on then.
    fn release(self: &Arc<Self>, wait: &WaitValue, sequence: u64) -> bool {
        if !self.is_over(wait) {
            return false;
        }
        let mut state = self.state.lock();
        state.released = state.released.max(sequence);
        if !state.running {
            self.hand_over(&mut state);
        }
        true
    }

    fn is_over(&self, wait: &WaitValue) -> bool {
        self.group.gives_up()
            || wait.holds().unwrap_or_else(|error| {
                self.group.fail(error);
                true
            })
    }

    /// Entry of a worker: runs what is queued.
    pub(super) fn run_queued(self: &Arc<Self>) {
        self.state.lock().handed_over = false;
        self.drain(Who::Worker);
        self.group.pass_lane();
    }

    /// Runs queued work until there is none, or something has to be waited for, or the limit of who asks is reached.
    fn drain(self: &Arc<Self>, who: Who) {
        let mut state = self.state.lock();
        if let Who::Caller(until) = who {
            state.wanted = state.wanted.max(until);
        }
        if state.running {
            state.again = true;
            return;
        }
        state.running = true;
        // What a worker does in this stream's place comes after this thread has left.
        let mut leave_the_rest = false;
        loop {
            state.again = false;
            let Some(front) = state.queue.front() else {
                break;
            };
            let sequence = front.sequence;
            let limit = match who {
                Who::Caller(until) => until,
                Who::Worker if schedule() == Schedule::Lazy => state.wanted,
                Who::Worker => u64::MAX,
            };
            if sequence > limit {
                leave_the_rest = true;
                break;
            }
            match &front.work {
                Work::Wait(fence) if !fence.is_complete() => {
                    let fence = fence.clone();
                    drop(state);
                    let parked = match who {
                        Who::Caller(_) if fence.wait_inside() => false,
                        _ => fence.stream.wake_when(fence.sequence, self),
                    };
                    state = self.state.lock();
                    // Woken already, perhaps: whoever came found the stream being run.
                    if parked && !state.again {
                        state.parked = sequence;
                        break;
                    }
                    continue;
                }
                Work::WaitValue(wait) if state.released < sequence && !self.is_over(wait) => {
                    if state.watched < sequence {
                        let wait = *wait;
                        state.watched = sequence;
                        poller::watch(wait, self, sequence);
                    }
                    break;
                }
                Work::Host(_) if who != Who::Worker => {
                    leave_the_rest = true;
                    break;
                }
                Work::Host(_) if !self.group.enter_lane(self) => break,
                _ => {}
            }
            let Some(Item { work, .. }) = state.queue.pop_front() else {
                break;
            };
            match work {
                Work::Wait(_) | Work::WaitValue(_) => {}
                Work::Host(function) => {
                    drop(state);
                    let error = self.group.error();
                    if error.is_none() || function.after_error {
                        executor::blocking(|| context::in_callback(|| (function.call)(error)));
                    }
                    // Before the lock: the last hold on an object of the device may go with it, whose end needs locks.
                    drop(function);
                    self.group.leave_lane();
                    state = self.state.lock();
                }
                work => {
                    drop(state);
                    self.execute(&work);
                    drop(work);
                    state = self.state.lock();
                }
            }
            self.finish(&mut state, sequence);
        }
        state.running = false;
        if leave_the_rest {
            self.hand_over(&mut state);
        }
    }

    /// Returns once `sequence` is complete, running the stream's work on this thread where it can.
    fn wait_for(self: &Arc<Self>, sequence: u64) {
        const SPINS: u32 = 1000;
        while !self.has_completed(sequence) {
            self.drain(Who::Caller(sequence));
            for _ in 0..SPINS {
                if self.has_completed(sequence) {
                    return;
                }
                core::hint::spin_loop();
            }
            if executor::is_short() && executor::help() {
                continue;
            }
            let state = self.state.lock();
            self.sleep(state, sequence);
        }
    }

    /// Sleeps until `sequence` is complete, or another thread that slept here is; not so long that nobody would notice
    /// that a thread is missing.
    fn sleep(&self, mut state: MutexGuard<'_, State>, sequence: u64) {
        const LONGEST: Duration = Duration::from_millis(100);
        const WHEN_SHORT: Duration = Duration::from_millis(1);
        // Under the lock that `complete` is called with, so that the alarm is not missed.
        if !self.has_completed(sequence) {
            state.alarm = state.alarm.min(sequence);
            self.progress.wait_for(&mut state, if executor::is_short() { WHEN_SHORT } else { LONGEST });
        }
    }

    /// Returns once everything given so far is complete: `cuStreamSynchronize`. For the legacy stream that includes
    /// what its next operation would have to wait for.
    pub fn synchronize(self: &Arc<Self>) -> Result<()> {
        if !self.group.is_idle() {
            if self.kind == StreamKind::Legacy {
                self.implicit_waits().iter().for_each(Fence::wait);
            }
            self.tail().wait();
        }
        hooks::waited(&Waited::Stream(self));
        self.group.check_error()
    }
}
