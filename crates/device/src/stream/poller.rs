//! One thread that watches the words in memory that streams wait for, however many there are.
//!
//! The word may be written by anybody (a stream, the program, another process), so it has to be looked at again and
//! again: eagerly at first, then ever more seldom. Writes by streams tell the poller to look at once.

use crate::stream::executor;
use crate::stream::executor::Service;
use crate::stream::queue::Queue;
use crate::stream::schedule::{Schedule, schedule};
use crate::stream::value::WaitValue;
use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A stream whose next operation is a wait for a word.
struct Watch {
    wait: WaitValue,
    stream: Arc<dyn Queue>,
    sequence: u64,
}

struct Poller {
    watches: Vec<Watch>,
    started: bool,
    kicked: bool,
}

static POLLER: Mutex<Poller> = Mutex::new(Poller { watches: Vec::new(), started: false, kicked: false });
static CHANGED: Condvar = Condvar::new();
/// How many are watched, to be read without the lock.
static WATCHED: AtomicUsize = AtomicUsize::new(0);

/// Releases `stream` from its wait number `sequence` as soon as the condition has been seen to hold.
pub(super) fn watch(wait: WaitValue, stream: Arc<dyn Queue>, sequence: u64) {
    let mut poller = POLLER.lock();
    poller.watches.push(Watch { wait, stream, sequence });
    WATCHED.fetch_add(1, Ordering::Relaxed);
    if !core::mem::replace(&mut poller.started, true) {
        static SERVICE: Service = Service { name: "doppel-poll", serve: poll, round };
        executor::start(&SERVICE);
    }
    poller.kicked = true;
    CHANGED.notify_one();
}

/// Makes the poller look now rather than later: a stream wrote a word, or a context is on its way out.
pub(super) fn kick() {
    if WATCHED.load(Ordering::Relaxed) > 0 {
        POLLER.lock().kicked = true;
        CHANGED.notify_one();
    }
}

/// Makes every stream run what it was given: any of it may write the word that somebody waits for, and a lazy schedule
/// would hold it back for ever.
fn ask_everyone(watches: &[Watch]) {
    if let Some(watch) = watches.first() {
        watch.stream.start_all();
    }
}

/// Fruitless rounds that go by without sleep.
const PATIENCE: u32 = 64;
/// Microseconds of the first sleep and of the longest one; each is one longer than that before.
const FIRST_SLEEP: u32 = 4;
const LONGEST_SLEEP: u32 = 300;

/// How long to sleep after `round` fruitless rounds; the first ones go by without.
fn pause(round: u32) -> Option<Duration> {
    match round {
        0..PATIENCE => None,
        _ => Some(Duration::from_micros((round - PATIENCE).saturating_add(FIRST_SLEEP).min(LONGEST_SLEEP).into())),
    }
}

/// Releases every stream whose word has the value that it waits for. Returns how many.
fn release_ready(watches: &mut Vec<Watch>) -> usize {
    // Streams are locked here, which `watch` is called with: the poller must not be.
    let before = watches.len();
    watches.retain(|watch| {
        let over = watch.stream.is_over(&watch.wait);
        if over {
            watch.stream.clone().release(watch.sequence);
        }
        !over
    });
    let over = before - watches.len();
    WATCHED.fetch_sub(over, Ordering::Relaxed);
    over
}

/// What the poller would do now, for a thread that does it in its place.
fn round() -> bool {
    let mut watches = std::mem::take(&mut POLLER.lock().watches);
    let over = release_ready(&mut watches);
    if schedule() == Schedule::Lazy {
        ask_everyone(&watches);
    }
    POLLER.lock().watches.append(&mut watches);
    over > 0
}

fn poll() {
    let mut round = 0u32;
    loop {
        let mut watches = {
            let mut poller = POLLER.lock();
            while poller.watches.is_empty() {
                CHANGED.wait(&mut poller);
            }
            poller.kicked = false;
            std::mem::take(&mut poller.watches)
        };
        let over = release_ready(&mut watches);
        round = if over > 0 { 0 } else { round.saturating_add(1) };
        if round >= PATIENCE && schedule() == Schedule::Lazy {
            ask_everyone(&watches);
        }
        let mut poller = POLLER.lock();
        poller.watches.append(&mut watches);
        if poller.kicked {
            round = 0;
            continue;
        }
        match pause(round) {
            Some(time) => {
                CHANGED.wait_for(&mut poller, time);
            }
            None => {
                drop(poller);
                if round < 32 {
                    core::hint::spin_loop();
                } else {
                    std::thread::yield_now();
                }
            }
        }
    }
}
