//! The end of patience under the lazy schedule: a program may wait for the effects of its work without asking the driver
//! anything (it may watch a flag that a host function sets). What nobody has asked for in a while begins anyway.

use super::Stream;
use crate::stream::executor;
use crate::stream::executor::Service;
use parking_lot::{Condvar, Mutex};
use std::sync::{Arc, Weak};
use std::time::Duration;

/// How long work is left lying.
const PATIENCE: Duration = Duration::from_millis(250);

struct Late {
    streams: Vec<Weak<Stream>>,
    started: bool,
}

static LATE: Mutex<Late> = Mutex::new(Late { streams: Vec::new(), started: false });
static ADDED: Condvar = Condvar::new();

/// Notes a stream that was given work which nobody has asked for.
pub(super) fn note(stream: &Arc<Stream>) {
    let mut late = LATE.lock();
    if late.streams.last().is_some_and(|last| std::ptr::eq(last.as_ptr(), Arc::as_ptr(stream))) {
        return;
    }
    late.streams.push(Arc::downgrade(stream));
    if !core::mem::replace(&mut late.started, true) {
        static SERVICE: Service = Service { name: "doppel-late", serve, round };
        executor::start(&SERVICE);
    }
    ADDED.notify_one();
}

fn serve() {
    loop {
        {
            let mut late = LATE.lock();
            while late.streams.is_empty() {
                ADDED.wait(&mut late);
            }
        }
        std::thread::sleep(PATIENCE);
        round();
    }
}

/// Asks for everything that was noted. True if there was something.
fn round() -> bool {
    let mut streams = std::mem::take(&mut LATE.lock().streams);
    streams.sort_unstable_by_key(|s| s.as_ptr() as usize);
    streams.dedup_by(|a, b| Weak::ptr_eq(a, b));
    // Streams are locked here, which `note` is called with: the list must not be.
    streams.iter().filter_map(Weak::upgrade).for_each(|stream| stream.nudge(u64::MAX));
    !streams.is_empty()
}
