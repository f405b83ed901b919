//! Whether the program is checked: flags that `DOPPEL_CHECK` sets once, before the device is used.
//!
//! Every allocation and every launch asks; when nothing is checked, that costs one load.

use core::sync::atomic::{AtomicU8, Ordering};
use settings::config::Check;
use std::sync::OnceLock;

static ASKED: AtomicU8 = AtomicU8::new(0);
const MEMORY: u8 = 1;
const LEAKS: u8 = 2;
const RACES: u8 = 4;
const UNWRITTEN: u8 = 8;
const MISUSE: u8 = 16;

/// Sets what is checked.
pub fn set(check: &Check) {
    let bit = |wanted, bit| if wanted { bit } else { 0 };
    let asked = bit(check.accesses(), MEMORY)
        | bit(check.leaks, LEAKS)
        | bit(check.races, RACES)
        | bit(check.unwritten, UNWRITTEN)
        | bit(check.misuse, MISUSE);
    ASKED.store(asked, Ordering::Release);
}

/// True when the memory accesses of kernels are checked.
#[inline]
pub fn memory() -> bool {
    ASKED.load(Ordering::Relaxed) & MEMORY != 0
}

/// True when memory that nobody frees is listed.
#[inline]
pub fn leaks() -> bool {
    ASKED.load(Ordering::Relaxed) & LEAKS != 0
}

/// True when accesses are looked at that nothing orders.
#[inline]
pub fn races() -> bool {
    ASKED.load(Ordering::Relaxed) & RACES != 0
}

/// True when reads of memory are looked at that nobody wrote.
#[inline]
pub fn unwritten() -> bool {
    ASKED.load(Ordering::Relaxed) & UNWRITTEN != 0
}

/// True when barriers are looked at.
#[inline]
pub fn misuse() -> bool {
    ASKED.load(Ordering::Relaxed) & MISUSE != 0
}

/// Who is told of what others than kernels write.
static WRITER: OnceLock<fn(usize, usize)> = OnceLock::new();

/// Installs who is told. The first one stays.
pub fn install_writer(writer: fn(usize, usize)) {
    let _ = WRITER.set(writer);
}

/// The device writes so many bytes at an address, not by a kernel; or others may from now on.
#[inline]
pub fn written(base: usize, bytes: usize) {
    if unwritten() {
        tell(base, bytes);
    }
}

#[cold]
fn tell(base: usize, bytes: usize) {
    if let Some(writer) = WRITER.get() {
        writer(base, bytes);
    }
}

/// True when anything is checked.
#[inline]
pub fn is_on() -> bool {
    ASKED.load(Ordering::Relaxed) != 0
}
