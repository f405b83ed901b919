//! What the tests give launches: threads, and memory that lies in one range.

#![expect(clippy::disallowed_methods, reason = "memory of tests")]

use crate::state::services::{AddressRange, GRAIN, Host};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// The host of all tests.
pub static HOST: Tests = Tests;

pub struct Tests;

/// Bytes that are reserved; the system has to give only what is touched.
const BYTES: usize = 64 << 30;
/// Pieces from this size on give their pages back when they are free.
const LARGE: usize = 64 << 10;
const PAGE: usize = 4096;

struct Memory {
    top: usize,
    end: usize,
    /// Free pieces by their size, which is a power of two.
    free: BTreeMap<usize, Vec<usize>>,
}

fn memory() -> &'static (AddressRange, Mutex<Memory>) {
    static MEMORY: OnceLock<(AddressRange, Mutex<Memory>)> = OnceLock::new();
    MEMORY.get_or_init(|| {
        // SAFETY: a fresh mapping, touching nothing that exists.
        let start = unsafe {
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
            libc::mmap(core::ptr::null_mut(), BYTES, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0)
        };
        assert_ne!(start, libc::MAP_FAILED);
        let start = start as usize;
        let range = AddressRange { start: start as u64, bytes: BYTES as u64 };
        (range, Mutex::new(Memory { top: start, end: start + BYTES, free: BTreeMap::new() }))
    })
}

/// Where all memory of [`HOST`] lies.
pub fn accessible() -> AddressRange {
    memory().0
}

fn size_of(bytes: usize) -> Option<usize> {
    bytes.max(GRAIN).checked_next_power_of_two().filter(|&size| size <= BYTES)
}

impl Host for Tests {
    fn cores(&self) -> usize {
        std::thread::available_parallelism().map_or(1, |n| n.get())
    }

    fn on_cores(&self, count: usize, work: &(dyn Fn(usize) -> bool + Sync)) -> bool {
        let failed = AtomicBool::new(false);
        let one = |number: usize| {
            if !work(number) {
                failed.store(true, Ordering::Relaxed);
            }
        };
        std::thread::scope(|scope| {
            (1..count).for_each(|number| drop(scope.spawn(move || one(number))));
            one(0);
        });
        !failed.into_inner()
    }

    fn take(&self, bytes: usize) -> Option<usize> {
        let size = size_of(bytes)?;
        let mut memory = memory().1.lock();
        if let Some(at) = memory.free.get_mut(&size).and_then(Vec::pop) {
            if size < LARGE {
                // SAFETY: a piece of ours that is not in use.
                unsafe { core::ptr::write_bytes(at as *mut u8, 0, size) };
            }
            return Some(at);
        }
        let at = memory.top.next_multiple_of(size.min(PAGE));
        memory.top = at.checked_add(size).filter(|&top| top <= memory.end)?;
        Some(at)
    }

    fn give(&self, at: usize, bytes: usize) {
        let Some(size) = size_of(bytes) else { return };
        if size >= LARGE {
            // SAFETY: pages of a piece that is no longer in use; they come back as zeros.
            assert_eq!(unsafe { libc::madvise(at as *mut _, size, libc::MADV_DONTNEED) }, 0);
        }
        memory().1.lock().free.entry(size).or_default().push(at);
    }
}
