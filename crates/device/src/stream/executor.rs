//! The threads that run queued stream work.
//!
//! Most work never comes here: an operation on an idle stream runs on the calling thread, and a thread that waits for
//! a stream runs what it can itself. What is left (work behind a host function, a wait, another stream) is run by a
//! small pool, started on first need. A thread that is inside a host function, or a kernel that waits for others, counts as
//! blocked, and the pool grows so that other streams keep moving: host functions of different contexts may wait for each other,
//! and so may kernels of different devices. A context runs one host function at a time, and no more kernels that wait than
//! [`MOST_WAITING`] count, so that there are never many more threads than contexts; those that nobody needs any more end.
//!
//! The system may refuse a thread. Then whoever waits for work, or asks how far it has come, does in [`help`] what the
//! missing threads would have done, and tries to start them again.

use crate::base::parallel;
use crate::base::thread::spawn;
use crate::stream::queue;
use parking_lot::{Condvar, Mutex, MutexGuard};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

struct Queue {
    ready: VecDeque<Arc<dyn queue::Queue>>,
    /// Workers asleep that nobody has woken yet.
    idle: usize,
    threads: usize,
    blocked: usize,
    random: Option<u64>,
}

static QUEUE: Mutex<Queue> =
    Mutex::new(Queue { ready: VecDeque::new(), idle: 0, threads: 0, blocked: 0, random: None });
static WAKE: Condvar = Condvar::new();
/// Length of `Queue::ready`, to be read without the lock.
static READY: AtomicUsize = AtomicUsize::new(0);
/// Workers that look at `READY` and will see what is put there.
static SPINNING: AtomicUsize = AtomicUsize::new(0);

/// What is missing because the system refused a thread: a bit for workers, one for services.
static MISSING: AtomicU8 = AtomicU8::new(0);
const WORKERS: u8 = 1;
const SERVICES: u8 = 2;
/// Services without a thread.
static WITHOUT: Mutex<Vec<&'static Service>> = Mutex::new(Vec::new());

/// A thread that serves for as long as the process lives.
pub struct Service {
    /// Name of the thread.
    pub name: &'static str,
    /// What it does.
    pub serve: fn(),
    /// What there is to do at the moment, for a thread that has something else to do. True if there was something.
    pub round: fn() -> bool,
}

/// Starts the thread of a service. If the system refuses it, others do its work until there is one.
pub fn start(service: &'static Service) {
    if !spawn(service.name, service.serve) {
        let mut without = WITHOUT.lock();
        without.push(service);
        MISSING.fetch_or(SERVICES, Ordering::Release);
    }
}

/// True while a thread is missing.
#[inline]
pub fn is_short() -> bool {
    MISSING.load(Ordering::Acquire) != 0
}

/// Does something of what missing threads would do; true if there was something. For a thread that waits for work or asks
/// about it, and holds no locks: host functions of the program may be called.
pub fn help() -> bool {
    if MISSING.load(Ordering::Acquire) & SERVICES != 0 {
        let services = core::mem::take(&mut *WITHOUT.lock());
        let mut helped = false;
        let without: Vec<_> = services.into_iter().filter(|s| !spawn(s.name, s.serve)).collect();
        without.iter().for_each(|s| helped |= (s.round)());
        let mut all = WITHOUT.lock();
        all.extend(without);
        if all.is_empty() {
            MISSING.fetch_and(!SERVICES, Ordering::Release);
        }
        drop(all);
        if helped {
            return true;
        }
    }
    let mut queue = QUEUE.lock();
    if MISSING.load(Ordering::Acquire) & WORKERS == 0 {
        return false;
    }
    if queue.ready.is_empty() || grow(&mut queue) {
        MISSING.fetch_and(!WORKERS, Ordering::Release);
        return false;
    }
    let Some(stream) = choose(&mut queue) else { return false };
    READY.store(queue.ready.len(), Ordering::Relaxed);
    // A worker for the time being.
    queue.threads += 1;
    MutexGuard::unlocked(&mut queue, move || stream.run());
    queue.threads -= 1;
    true
}

/// More workers than this do not stay to sleep.
const MOST_IDLE: usize = 64;

/// Makes the choice of the next stream to run random, reproducibly for a given seed.
pub fn randomise(seed: u64) {
    QUEUE.lock().random = Some(seed | 1);
}

/// The next number of the random schedule; `None` when the schedule is not random.
pub fn dice() -> Option<u64> {
    next_random(&mut QUEUE.lock())
}

fn next_random(queue: &mut Queue) -> Option<u64> {
    let x = queue.random.as_mut()?;
    // xorshift64: any sequence will do, as long as the seed fixes it.
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    Some(*x >> 11)
}

fn most_running() -> usize {
    static CORES: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(2, |n| n.get()).max(2))
}

/// Hands a stream that has work ready to the pool.
pub(super) fn submit(stream: Arc<dyn queue::Queue>) {
    let mut queue = QUEUE.lock();
    queue.ready.push_back(stream);
    READY.store(queue.ready.len(), Ordering::Relaxed);
    if is_looked_for(&queue) {
        return;
    }
    // A thread that gives a stream work is likely to wait for it next, and runs it itself then: a helper that is awake can wake the
    // worker in a moment, if it is wanted at all. One stream alone is put off so.
    let put_off = queue.ready.len() == 1 && queue.blocked == 0 && queue.random.is_none() && parallel::defer(wake_late);
    if !put_off {
        wake_or_grow(&mut queue);
    }
}

/// Wakes a worker for what was put off.
fn wake_late() {
    let mut queue = QUEUE.lock();
    if !is_looked_for(&queue) {
        wake_or_grow(&mut queue);
    }
}

/// True when each stream that is ready finds a worker without waking one: workers that are about to go to sleep look once more
/// under the lock.
fn is_looked_for(queue: &Queue) -> bool {
    SPINNING.load(Ordering::Relaxed) >= queue.ready.len()
}

/// Whether [`take_back`] may succeed.
#[inline]
pub(super) fn has_put_off() -> bool {
    parallel::has_deferred()
}

/// Takes a stream back for which no worker was woken, since this thread runs it now. False if it is left with the workers.
pub(super) fn take_back(stream: &Arc<dyn queue::Queue>) -> bool {
    let mut queue = QUEUE.lock();
    let Some(at) = queue.ready.iter().position(|other| Arc::ptr_eq(other, stream)) else { return false };
    // Others that came since have woken workers of their own.
    if !parallel::cancel_deferred() {
        return false;
    }
    queue.ready.remove(at);
    READY.store(queue.ready.len(), Ordering::Relaxed);
    true
}

fn wake_or_grow(queue: &mut Queue) {
    if queue.idle > 0 {
        // Counted here and not by the worker, so that two calls wake two.
        queue.idle -= 1;
        WAKE.notify_one();
    } else if queue.threads < most_running() + queue.blocked && !grow(queue) {
        // Even if there are some: they may be in kernels that wait for what this one is to run.
        MISSING.fetch_or(WORKERS, Ordering::Release);
    }
}

/// Starts another worker; false if the system refuses.
fn grow(queue: &mut Queue) -> bool {
    let started = spawn("doppel", work);
    queue.threads += usize::from(started);
    started
}

/// Looks for work for a little while before the thread goes to sleep: waking it takes longer.
fn spin() {
    const SPINS: u32 = 300;
    SPINNING.fetch_add(1, Ordering::Relaxed);
    for _ in 0..SPINS {
        if READY.load(Ordering::Relaxed) > 0 {
            break;
        }
        core::hint::spin_loop();
    }
}

fn work() {
    let mut spun = false;
    let mut queue = QUEUE.lock();
    loop {
        if let Some(stream) = choose(&mut queue) {
            READY.store(queue.ready.len(), Ordering::Relaxed);
            MutexGuard::unlocked(&mut queue, move || stream.run());
            spun = false;
        } else if spun && queue.idle >= MOST_IDLE {
            queue.threads -= 1;
            return;
        } else if spun {
            queue.idle += 1;
            WAKE.wait(&mut queue);
        } else {
            MutexGuard::unlocked(&mut queue, spin);
            // Under the lock again: whoever counted on this thread has put its stream there.
            SPINNING.fetch_sub(1, Ordering::Relaxed);
            spun = true;
        }
    }
}

/// Takes the next stream out: the most urgent one that came first, or any under the random schedule.
fn choose(queue: &mut Queue) -> Option<Arc<dyn queue::Queue>> {
    let at = match next_random(queue) {
        _ if queue.ready.is_empty() => return None,
        Some(n) => n as usize % queue.ready.len(),
        None => queue.ready.iter().enumerate().min_by_key(|(_, s)| s.priority()).map_or(0, |(at, _)| at),
    };
    queue.ready.remove(at)
}

/// Kernels that wait count as blocked up to this number: a device runs no more at the same time.
const MOST_WAITING: usize = 128;

/// As [`blocking`], for a kernel that waits for others.
pub fn waiting<R>(f: impl FnOnce() -> R) -> R {
    let few = QUEUE.lock().blocked < MOST_WAITING;
    if few { blocking(f) } else { f() }
}

/// Runs `f`, which may take as long as the program likes, without holding up the pool.
pub fn blocking<R>(f: impl FnOnce() -> R) -> R {
    struct Unblock;
    impl Drop for Unblock {
        fn drop(&mut self) {
            QUEUE.lock().blocked -= 1;
        }
    }
    {
        let mut queue = QUEUE.lock();
        queue.blocked += 1;
        if !queue.ready.is_empty() {
            wake_or_grow(&mut queue);
        }
    }
    let _unblock = Unblock;
    f()
}
