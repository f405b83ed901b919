//! The summary at the end of the process.

use super::{files, memory, report};
use crate::base::checking;
use crate::base::trace::Trace;
use crate::memory::Allocation;
use crate::memory::space;
use core::fmt::Write;
use core::sync::atomic::{AtomicU16, AtomicU64, Ordering};
use parking_lot::Mutex;
use std::sync::{Arc, OnceLock};

/// The exit status of a process with errors, if it is to have one.
static STATUS: AtomicU16 = AtomicU16::new(NONE);
const NONE: u16 = u16::MAX;

/// Memory that was lost when its context ended: how many pieces, and their bytes.
static LOST: AtomicU64 = AtomicU64::new(0);
static LOST_BYTES: AtomicU64 = AtomicU64::new(0);

/// Sets the exit status.
pub fn status(status: Option<u8>) {
    STATUS.store(status.map_or(NONE, u16::from), Ordering::Relaxed);
}

/// Who reports what is left on a device that is not ours. False: this process has none of it.
static OUTSIDE: OnceLock<fn() -> bool> = OnceLock::new();

/// Memory of a device that is not ours is asked for at the end.
pub fn ask_outside(left: fn() -> bool) {
    let _ = OUTSIDE.set(left);
}

/// Reports an allocation that was never freed.
pub fn leak(allocation: &Allocation) {
    let what = memory::name(&allocation.kind);
    leaked(allocation.size as u64, what, allocation.base as u64, allocation.made.as_deref());
}

/// Reports memory that was never freed.
pub fn leaked(size: u64, what: &str, at: u64, made: Option<&Trace>) {
    LOST.fetch_add(1, Ordering::Relaxed);
    LOST_BYTES.fetch_add(size, Ordering::Relaxed);
    let mut text = format!("leaks: {} of {what} at {at:#x} were never freed\n", report::bytes(size));
    if let Some(made) = made {
        text.push_str("    allocated by\n");
        made.describe("        ", &mut text);
    }
    report::write_limited(&text);
}

/// Writes the summary.
fn finish() {
    let outside = OUTSIDE.get();
    if outside.is_none() && (!checking::is_on() || !crate::base::devices::is_started()) {
        return;
    }
    let mut errors = 0;
    let mut text = String::new();
    if checking::leaks() || outside.is_some() {
        static ONCE: Mutex<()> = Mutex::new(());
        let _once = ONCE.lock();
        if let Some(left) = outside {
            if !left() {
                return;
            }
        } else {
            let mut left: Vec<Arc<Allocation>> = space().map_or(Vec::new(), |space| space.collect(|_| true));
            left.retain(|a| memory::has_to_be_freed(a));
            left.sort_by_key(|a| a.id);
            left.iter().for_each(|a| leak(a));
        }
        let (count, bytes) = (LOST.load(Ordering::Relaxed), LOST_BYTES.load(Ordering::Relaxed));
        errors += count;
        let _ = match count {
            0 => writeln!(text, "leaks: everything was freed"),
            _ => writeln!(
                text,
                "leaks: {} in {} were never freed",
                report::bytes(bytes),
                report::count(count, "allocation")
            ),
        };
    }
    if checking::memory() {
        errors += report::errors() + report::others();
        report::sum_up(&mut text);
    }
    report::write(&text);
    files::finish();
    let status = STATUS.load(Ordering::Relaxed);
    if errors > 0 && status != NONE {
        // SAFETY: writes what the program has left in its streams, then ends the process, as was about to happen.
        unsafe {
            libc::fflush(core::ptr::null_mut());
            libc::_exit(status.into());
        }
    }
}

extern "C" fn at_end() {
    // A panic may not get out of here.
    let _ = std::panic::catch_unwind(finish);
}

/// Behind all that the program has registered for its end, and its own destructors.
#[used]
#[unsafe(link_section = ".fini_array")]
static AT_END: extern "C" fn() = at_end;
