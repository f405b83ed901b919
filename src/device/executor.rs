//! The threads that run queued stream work.
//!
//! Most work never comes here: an operation on an idle stream runs on the calling thread, and a thread that waits for
//! a stream runs what it can itself. What is left (work behind a host function, a wait, another stream) is run by a
//! small pool, started on first need. A thread that is inside a host function or polls memory counts as blocked, and
//! the pool grows so that other streams keep moving.

use super::stream::Stream;
use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::sync::Arc;

struct Queue {
    ready: VecDeque<Arc<Stream>>,
    idle: usize,
    threads: usize,
    blocked: usize,
    random: Option<u64>,
}

static QUEUE: Mutex<Queue> =
    Mutex::new(Queue { ready: VecDeque::new(), idle: 0, threads: 0, blocked: 0, random: None });
static WAKE: Condvar = Condvar::new();

/// More threads than this are never started, whatever blocks.
const MOST_THREADS: usize = 512;

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
pub fn submit(stream: Arc<Stream>) {
    let mut queue = QUEUE.lock();
    queue.ready.push_back(stream);
    wake_or_grow(&mut queue);
}

fn wake_or_grow(queue: &mut Queue) {
    if queue.idle > 0 {
        WAKE.notify_one();
    } else if queue.threads - queue.blocked < most_running() && queue.threads < MOST_THREADS {
        queue.threads += 1;
        if !spawn() {
            queue.threads -= 1;
        }
    }
}

/// Starts a worker with every signal blocked: signals of the program are for the program's threads. The two that a
/// guarded access needs are synchronous, and are delivered whatever the mask was when they are unblocked here.
fn spawn() -> bool {
    // SAFETY: plain mask manipulation of the calling thread, restored below.
    unsafe {
        let mut all: libc::sigset_t = core::mem::zeroed();
        let mut old: libc::sigset_t = core::mem::zeroed();
        libc::sigfillset(&mut all);
        for fault in [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL] {
            libc::sigdelset(&mut all, fault);
        }
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut old);
        let spawned = std::thread::Builder::new().name("doppel".into()).spawn(work).is_ok();
        libc::pthread_sigmask(libc::SIG_SETMASK, &old, core::ptr::null_mut());
        spawned
    }
}

fn work() {
    let mut queue = QUEUE.lock();
    loop {
        if queue.ready.is_empty() {
            queue.idle += 1;
            WAKE.wait(&mut queue);
            queue.idle -= 1;
            continue;
        }
        let at = match next_random(&mut queue) {
            Some(n) => n as usize % queue.ready.len(),
            None => 0,
        };
        let stream = queue.ready.remove(at);
        drop(queue);
        if let Some(stream) = stream {
            stream.run_queued();
        }
        queue = QUEUE.lock();
    }
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
