//! Starts work that has waited too long under the lazy schedule: a program may wait for the effects of its work without a
//! call to the driver (it may watch a flag that a host function sets).

use crate::stream::executor;
use crate::stream::executor::Service;
use crate::stream::queue::Queue;
use parking_lot::{Condvar, Mutex};
use std::ptr;
use std::sync::{Arc, Weak};
use std::time::Duration;

/// How long work waits before it is started.
const TIMEOUT: Duration = Duration::from_millis(250);

struct Waiting {
    streams: Vec<Weak<dyn Queue>>,
    started: bool,
}

static WAITING: Mutex<Waiting> = Mutex::new(Waiting { streams: Vec::new(), started: false });
static ADDED: Condvar = Condvar::new();

/// Notes a stream with work that no call has asked for.
pub(super) fn note<Q: Queue + 'static>(stream: &Arc<Q>) {
    let mut waiting = WAITING.lock();
    if waiting.streams.last().is_some_and(|last| ptr::addr_eq(last.as_ptr(), Arc::as_ptr(stream))) {
        return;
    }
    let stream: Weak<dyn Queue> = Arc::<Q>::downgrade(stream);
    waiting.streams.push(stream);
    if !core::mem::replace(&mut waiting.started, true) {
        static SERVICE: Service = Service { name: "doppel-waiting", serve, round };
        executor::start(&SERVICE);
    }
    ADDED.notify_one();
}

fn serve() {
    loop {
        {
            let mut waiting = WAITING.lock();
            while waiting.streams.is_empty() {
                ADDED.wait(&mut waiting);
            }
        }
        std::thread::sleep(TIMEOUT);
        round();
    }
}

/// Starts everything that was noted. True if there was something.
fn round() -> bool {
    let mut streams = std::mem::take(&mut WAITING.lock().streams);
    streams.sort_unstable_by_key(|s| s.as_ptr().addr());
    streams.dedup_by(|a, b| ptr::addr_eq(a.as_ptr(), b.as_ptr()));
    // Streams are locked here, which `note` is called with: the list must not be.
    streams.iter().filter_map(Weak::upgrade).for_each(Queue::start);
    !streams.is_empty()
}
