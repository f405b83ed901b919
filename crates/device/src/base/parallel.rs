//! Large operations on several cores: copies, memsets, grids of blocks.
//!
//! One core does not move memory as fast as the memory allows. The calling thread shares the pieces of a large
//! operation with helpers; it never waits for one that has not begun, so a busy machine costs nothing but the
//! call that wakes them. A helper looks for the next operation for a moment before it goes to sleep: waking it takes
//! longer.

use crate::base::thread;
use parking_lot::{Condvar, Mutex};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Operations below this size are done before a helper is awake.
pub const WORTHWHILE: usize = 4 << 20;
/// Bytes of a piece.
pub const PIECE: usize = 1 << 20;
/// How often a thread looks whether the last helper is done before it sleeps: about as long as a piece takes.
const SPINS: u32 = 4000;
/// More helpers do not find more bandwidth.
const MOST_COPYING: usize = 7;

/// An operation in pieces.
struct Job {
    /// Does a piece; false when it failed.
    piece: *const (dyn Fn(usize) -> bool + Sync),
    count: usize,
    next: AtomicUsize,
    failed: AtomicBool,
}

impl Job {
    /// Does pieces until none is left.
    fn work(&self) {
        loop {
            let i = self.next.fetch_add(1, Ordering::Relaxed);
            if i >= self.count || self.failed.load(Ordering::Relaxed) {
                return;
            }
            // SAFETY: the closure lives on the stack of `run`, which returns only after everybody has left the job.
            if !unsafe { (*self.piece)(i) } {
                self.failed.store(true, Ordering::Relaxed);
            }
        }
    }
}

struct Pool {
    /// The operation that wants helpers. Taken back before it ends.
    job: Option<*const Job>,
    /// Which operation that is, so that no helper joins one twice.
    number: u64,
    /// How many may help.
    most: usize,
    threads: usize,
    asleep: Vec<Asleep>,
}

/// A helper that sleeps.
struct Asleep {
    thread: libc::pid_t,
    /// The core that it used last.
    core: libc::c_int,
    /// It has to use another one.
    sent_away: bool,
}

// SAFETY: the pointer is to a `Job`, which is used by several threads at once, under the rules of `run`.
unsafe impl Send for Pool {}

static POOL: Mutex<Pool> = Mutex::new(Pool { job: None, number: 0, most: 0, threads: 0, asleep: Vec::new() });
/// `Pool::number`, to be read without the lock.
static LATEST: AtomicU64 = AtomicU64::new(0);
static WAKE: Condvar = Condvar::new();
/// A helper has left a job.
static LEFT: Condvar = Condvar::new();
/// Helpers inside of a job. Counted up under the lock of the pool, while the job is there.
static INSIDE: AtomicUsize = AtomicUsize::new(0);
/// One operation at a time has helpers; others do without.
static TAKEN: AtomicBool = AtomicBool::new(false);
/// How many operations on memory are still to do without, and how many that was when it began.
static ALONE: AtomicUsize = AtomicUsize::new(0);
static PATIENCE: AtomicUsize = AtomicUsize::new(0);
/// After so many operations on memory without helpers they are tried again.
const MOST_PATIENCE: usize = 255;
/// A helper that takes so long after everybody else has lost its core: several times what a piece of memory takes.
const LATE: Duration = Duration::from_micros(500);

/// Helpers that look for an operation before they go to sleep.
static LOOKING: AtomicUsize = AtomicUsize::new(0);
/// One of them is to make the call.
static DEFERRED: AtomicBool = AtomicBool::new(false);
static CALL: OnceLock<fn()> = OnceLock::new();

/// Leaves a call to a helper that looks for an operation: it makes it in some microseconds, unless [`cancel_deferred`] comes first, and
/// before it joins an operation. Every caller defers the same function. False if no helper looks; nothing is deferred then.
pub fn defer(call: fn()) -> bool {
    if LOOKING.load(Ordering::Relaxed) == 0 {
        return false;
    }
    CALL.get_or_init(|| call);
    DEFERRED.store(true, Ordering::SeqCst);
    // One that has stopped looking by now may not have seen it.
    LOOKING.load(Ordering::SeqCst) > 0 || !cancel_deferred()
}

/// Whether a call is deferred.
#[inline]
pub fn has_deferred() -> bool {
    DEFERRED.load(Ordering::Relaxed)
}

/// False if nothing is deferred, or a helper makes the call already.
pub fn cancel_deferred() -> bool {
    DEFERRED.swap(false, Ordering::SeqCst)
}

/// Makes the call, if it is deferred: for a helper.
fn call_deferred() {
    if cancel_deferred()
        && let Some(call) = CALL.get()
    {
        call();
    }
}

/// Cores that this process may use.
pub fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    // Asking takes several system calls.
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, |n| n.get()))
}

/// Calls `piece` for every number below `count`, on this thread and on others, in no order. False when one failed; then
/// others may not have been called. `piece` must not unwind.
pub fn run(count: usize, piece: &(dyn Fn(usize) -> bool + Sync)) -> bool {
    share(count, MOST_COPYING, piece).0
}

/// [`run`] for pieces of memory of [`PIECE`] bytes. A helper whose core is taken away in the middle of one costs more than
/// many gained: after that the next operations do without.
pub fn run_memory(count: usize, piece: &(dyn Fn(usize) -> bool + Sync)) -> bool {
    if ALONE.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok() {
        return (0..count).all(piece);
    }
    let (done, waited) = share(count, MOST_COPYING, piece);
    let before = PATIENCE.load(Ordering::Relaxed);
    if waited > LATE {
        let patience = (before * 2 + 1).min(MOST_PATIENCE);
        PATIENCE.store(patience, Ordering::Relaxed);
        ALONE.store(patience, Ordering::Relaxed);
    } else if before > 0 {
        // A helper that came too late to do anything was no help either: trust comes back slowly.
        PATIENCE.store(before - 1 - before / 16, Ordering::Relaxed);
    }
    done
}

/// Calls `work` once for each of `count` cores at most, this thread being the first. What a helper does not come to do
/// this thread does, one after the other.
pub fn on_cores(count: usize, work: &(dyn Fn(usize) -> bool + Sync)) -> bool {
    if count == 1 {
        return work(0);
    }
    share(count, count - 1, work).0
}

/// Whether all pieces were done, and how long this thread slept until the last helper was.
fn share(count: usize, most: usize, piece: &(dyn Fn(usize) -> bool + Sync)) -> (bool, Duration) {
    let most = most.min(cores() - 1).min(count.saturating_sub(1));
    // SAFETY: only the lifetime changes; the job is gone when this function returns.
    let piece = unsafe {
        core::mem::transmute::<*const (dyn Fn(usize) -> bool + Sync + '_), *const (dyn Fn(usize) -> bool + Sync)>(piece)
    };
    let job = Job { piece, count, next: AtomicUsize::new(0), failed: AtomicBool::new(false) };
    if most == 0 || TAKEN.swap(true, Ordering::Acquire) {
        job.work();
        return (!job.failed.load(Ordering::Relaxed), Duration::ZERO);
    }
    let asleep = {
        let mut pool = POOL.lock();
        pool.job = Some(&raw const job);
        pool.number += 1;
        pool.most = most;
        LATEST.store(pool.number, Ordering::Relaxed);
        while pool.threads < most && thread::spawn("doppel-help", help) {
            pool.threads += 1;
        }
        let here = current_core();
        for helper in pool.asleep.iter_mut().filter(|helper| helper.core == here && !helper.sent_away) {
            helper.sent_away = allow(helper.thread, here, false);
        }
        !pool.asleep.is_empty()
    };
    if asleep {
        WAKE.notify_all();
    }
    job.work();
    POOL.lock().job = None;
    // Whoever is inside is in the middle of its last piece.
    let mut spins = 0u32;
    while INSIDE.load(Ordering::Acquire) != 0 && spins < SPINS {
        spins += 1;
        core::hint::spin_loop();
    }
    let mut slept = Duration::ZERO;
    if INSIDE.load(Ordering::Acquire) != 0 {
        // A helper whose core somebody else uses: asleep, this thread leaves it its own.
        let began = Instant::now();
        let mut pool = POOL.lock();
        while INSIDE.load(Ordering::Acquire) != 0 {
            LEFT.wait(&mut pool);
        }
        slept = began.elapsed();
    }
    TAKEN.store(false, Ordering::Release);
    (!job.failed.load(Ordering::Relaxed), slept)
}

/// The core that this thread uses; below 0 if nobody says.
fn current_core() -> libc::c_int {
    // SAFETY: asks for a number.
    unsafe { libc::sched_getcpu() }
}

/// Lets a thread use a core, or keeps it off, if it has others. True if that was done.
///
/// The scheduler wakes a helper on the core that it used last, unless it sees an idle one at that moment. Where that is the core of
/// the thread that wakes it, the helper waits there until the next tick, several milliseconds, while another core becomes idle.
fn allow(thread: libc::pid_t, core: libc::c_int, allowed: bool) -> bool {
    let Ok(core) = usize::try_from(core) else { return false };
    // SAFETY: the set is as large as is said, the system checks the thread, and a core beyond the set is not looked for there.
    unsafe {
        let mut set: libc::cpu_set_t = core::mem::zeroed();
        if core >= 8 * size_of_val(&set) || libc::sched_getaffinity(thread, size_of_val(&set), &raw mut set) != 0 {
            return false;
        }
        if allowed {
            libc::CPU_SET(core, &mut set);
        } else {
            libc::CPU_CLR(core, &mut set);
        }
        libc::CPU_COUNT(&set) > 0 && libc::sched_setaffinity(thread, size_of_val(&set), &raw const set) == 0
    }
}

/// The life of a helper.
fn help() {
    /// Some tens of microseconds.
    const SPINS: u32 = 2000;
    /// So often it looks before it makes a deferred call: whoever left it may be about to cancel it.
    const PATIENCE: u32 = 200;
    // SAFETY: asks for a number.
    let thread = unsafe { libc::gettid() };
    let mut pool = POOL.lock();
    let mut done = 0;
    let mut looked = true;
    loop {
        match pool.job {
            Some(job) if pool.number != done && INSIDE.load(Ordering::Relaxed) < pool.most => {
                done = pool.number;
                INSIDE.fetch_add(1, Ordering::Relaxed);
                drop(pool);
                // SAFETY: `run` waits until nobody is inside before the job goes.
                unsafe { (*job).work() };
                INSIDE.fetch_sub(1, Ordering::Release);
                pool = POOL.lock();
                // Under the lock, so that nobody goes to sleep between its look and its sleep.
                LEFT.notify_all();
                looked = false;
            }
            _ if !looked => {
                let seen = pool.number;
                drop(pool);
                LOOKING.fetch_add(1, Ordering::SeqCst);
                let mut waited = 0;
                for _ in 0..SPINS {
                    if LATEST.load(Ordering::Relaxed) != seen {
                        break;
                    }
                    waited += u32::from(has_deferred());
                    if waited == PATIENCE {
                        call_deferred();
                        waited = 0;
                    }
                    core::hint::spin_loop();
                }
                LOOKING.fetch_sub(1, Ordering::SeqCst);
                call_deferred();
                pool = POOL.lock();
                looked = true;
            }
            _ => {
                pool.asleep.push(Asleep { thread, core: current_core(), sent_away: false });
                WAKE.wait(&mut pool);
                if let Some(at) = pool.asleep.iter().position(|helper| helper.thread == thread) {
                    let Asleep { core, sent_away, .. } = pool.asleep.swap_remove(at);
                    if sent_away {
                        allow(thread, core, true);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_done_once() {
        for count in [0usize, 1, 2, 100] {
            let done: Vec<AtomicUsize> = (0..count).map(|_| AtomicUsize::new(0)).collect();
            for round in 1..=50 {
                assert!(run(count, &|i| {
                    done[i].fetch_add(1, Ordering::Relaxed);
                    true
                }));
                assert!(done.iter().all(|n| n.load(Ordering::Relaxed) == round));
            }
        }
    }

    #[test]
    fn after_a_late_helper_memory_is_moved_without() {
        let mine = std::thread::current().id();
        let others = AtomicUsize::new(0);
        let slow = |_| {
            if std::thread::current().id() == mine {
                std::thread::sleep(LATE / 4);
            } else {
                others.fetch_add(1, Ordering::Relaxed);
                std::thread::sleep(20 * LATE);
            }
            true
        };
        assert!((0..300).all(|_| run_memory(2, &slow)));
        // Some are tried again. All of them would be most of 300, where there is a core for a helper.
        assert!(others.load(Ordering::Relaxed) < 100);
        let done: Vec<AtomicUsize> = (0..20).map(|_| AtomicUsize::new(0)).collect();
        assert!((0..300).all(|_| run_memory(20, &|i| done[i].fetch_add(1, Ordering::Relaxed) < 300)));
        assert!(done.iter().all(|n| n.load(Ordering::Relaxed) == 300));
        assert!((0..300).all(|_| !run_memory(20, &|i| i != 7)));
    }

    #[test]
    fn a_thread_is_kept_off_a_core_and_gets_it_back() {
        std::thread::spawn(|| {
            // SAFETY: asks for a number.
            let (thread, core) = (unsafe { libc::gettid() }, current_core());
            let others = std::thread::available_parallelism().is_ok_and(|cores| cores.get() > 1);
            assert_eq!(allow(thread, core, false), others);
            assert_eq!(current_core() != core, others);
            assert!(allow(thread, core, true));
            assert!(!allow(thread, -1, true) && !allow(thread, 1 << 20, false));
        })
        .join()
        .unwrap();
    }

    #[test]
    fn failures_and_rivals() {
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for n in 0..100usize {
                        assert_eq!(run(20, &|i| i != n), n >= 20);
                    }
                });
            }
        });
    }
}
