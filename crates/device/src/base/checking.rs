//! Whether the program is checked: flags that `DOPPEL_CHECK` sets once, before the device is used.
//!
//! Every allocation and every launch asks; when nothing is checked, that costs one load.

use core::sync::atomic::{AtomicU8, Ordering};

static ASKED: AtomicU8 = AtomicU8::new(0);
const MEMORY: u8 = 1;
const LEAKS: u8 = 2;
const RACES: u8 = 4;

/// Sets what is checked: the memory accesses of kernels, memory that nobody frees, and races, which need the first.
pub fn set(memory: bool, leaks: bool, races: bool) {
    let bit = |wanted, bit| if wanted { bit } else { 0 };
    let asked = bit(memory || races, MEMORY) | bit(leaks, LEAKS) | bit(races, RACES);
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

/// True when anything is checked.
#[inline]
pub fn is_on() -> bool {
    ASKED.load(Ordering::Relaxed) != 0
}
