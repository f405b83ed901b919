//! The scheduler: a stream's queue, who runs it, and who waits for it.

use crate::stream::queue::Queue;
use crate::stream::schedule::{Schedule, is_plain, schedule};
use crate::stream::thread_state::in_callback;
use crate::stream::types::{
    Activity, CONTEXTS, Fence, Group, Item, Keepsake, Origin, STREAMS, State, Stream, StreamKind, Work,
};
use crate::stream::value::WaitValue;
use crate::stream::{executor, lazy_timeout, poller, watch};
use parking_lot::MutexGuard;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

impl Fence {
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
    #[inline]
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

#[derive(Clone, Copy, PartialEq, Eq)]
enum Who {
    /// A thread of the program that waits for a sequence number. It stops there: what comes later may wait for work
    /// that this very thread is in the middle of.
    Caller(u64),
    /// A worker.
    Worker,
}

impl Stream {
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

    /// The point after everything given so far.
    #[inline]
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

    /// The point after everything that the stream's next operation would come after. Work that the rules of the legacy stream
    /// put before it is in other streams, and not before [`Stream::tail`].
    pub fn ordered_tail(self: &Arc<Self>) -> Fence {
        if self.implicit_waits().is_empty() { self.tail() } else { self.submit(Work::Task(Arc::new(|| Ok(())))) }
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

    fn follow(&self, fence: &Fence) {
        /// A stream that waits for more streams than this forgets the earlier ones.
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
    #[inline]
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

    /// [`Stream::submit`] for those who do not ask for the point.
    #[inline]
    pub fn post(self: &Arc<Self>, work: Work) {
        self.give(work);
    }

    pub(super) fn give(self: &Arc<Self>, work: Work) -> u64 {
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
                self.execute(&work, watch::origin());
                self.completed.store(sequence, Ordering::Release);
                return sequence;
            }
            self.count(true);
            state.running = true;
            drop(state);
            self.execute(&work, watch::origin());
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
        state.queue.push_back(Item { sequence, origin: watch::origin(), work });
    }

    /// Runs an operation, unless the context is stuck with an error: nothing has effects then.
    #[inline]
    pub(super) fn execute(&self, work: &Work, origin: Origin) {
        if self.group.error().is_none()
            && let Err(error) = watch::on(self, origin, || work.execute())
        {
            self.group.fail(error);
        }
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
    pub(super) fn nudge(self: &Arc<Self>, sequence: u64) {
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

    /// Hands `waiter` to the executor once `sequence` is complete; false when it is already.
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

    /// Runs queued work until there is none, or something has to be waited for, or the limit of the caller is reached.
    fn drain(self: &Arc<Self>, who: Who) {
        let mut state = self.state.lock();
        if let Who::Caller(until) = who {
            state.wanted = state.wanted.max(until);
            if state.handed_over && !state.running && executor::has_put_off() {
                let stream: Arc<dyn Queue> = self.clone();
                state.handed_over = !executor::take_back(&stream);
            }
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
                Work::WaitValue(wait) if state.released < sequence && !is_over(&self.group, wait) => {
                    if state.watched < sequence {
                        let wait = *wait;
                        state.watched = sequence;
                        poller::watch(wait, self.clone(), sequence);
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
            let Some(Item { work, origin, .. }) = state.queue.pop_front() else {
                break;
            };
            let in_lane = matches!(work, Work::Host(_));
            match work {
                Work::Wait(_) | Work::WaitValue(_) => {}
                Work::Host(function) => {
                    drop(state);
                    let error = self.group.error();
                    if error.is_none() || function.after_error {
                        let call = || executor::blocking(|| in_callback(|| (function.call)(error)));
                        let activity = || Some(Activity::Host(function.identity.0));
                        watch::on(self, origin, || watch::timed(activity, call));
                    }
                    // Before the lock: the last hold on an object of the device may go with it, whose end needs locks.
                    drop(function);
                    state = self.state.lock();
                }
                work => {
                    drop(state);
                    self.execute(&work, origin);
                    drop(work);
                    state = self.state.lock();
                }
            }
            self.finish(&mut state, sequence);
            if in_lane {
                // After the item is complete: the next host function may look whether it is.
                drop(state);
                self.group.leave_lane();
                state = self.state.lock();
            }
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
}

/// True when a wait for a word in memory is over: its condition holds, or nobody should wait for it any more.
fn is_over(group: &Group, wait: &WaitValue) -> bool {
    group.gives_up()
        || wait.holds().unwrap_or_else(|error| {
            group.fail(error);
            true
        })
}

impl Queue for Stream {
    fn priority(&self) -> i32 {
        Stream::priority(self)
    }

    fn run(self: Arc<Self>) {
        self.state.lock().handed_over = false;
        self.drain(Who::Worker);
        self.group.pass_lane();
    }

    fn start(self: Arc<Self>) {
        self.nudge(u64::MAX);
    }

    fn start_all(&self) {
        for context in CONTEXTS.all() {
            for stream in context.group.streams() {
                stream.nudge(u64::MAX);
            }
        }
    }

    fn is_over(&self, wait: &WaitValue) -> bool {
        is_over(&self.group, wait)
    }

    fn release(self: Arc<Self>, sequence: u64) {
        let mut state = self.state.lock();
        state.released = state.released.max(sequence);
        if !state.running {
            self.hand_over(&mut state);
        }
    }
}
