//! Memory for arguments: far away from everything else, so that what a call writes by contract, however wrong its sizes
//! and pitches are, meets nothing but what is there to be overwritten.

#![expect(clippy::disallowed_methods, reason = "memory of the test itself")]

use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering::Relaxed};

const BASE: usize = 0x7000_0000_0000;
/// Unreadable memory before and after all of it, and between the areas.
const AROUND: usize = 1 << 40;
const APART: usize = 1 << 30;
/// Bytes of an area.
pub const SIZE: usize = 2 << 20;

/// What an area is for.
#[derive(Clone, Copy)]
pub enum Use {
    /// Structures, arrays and texts that calls read.
    Read,
    /// Results. They may hold addresses of the driver's own memory, so nothing is ever read from here by a call.
    Written,
    /// Host memory of copies.
    Data,
}

/// How many areas there are.
static AREAS: AtomicUsize = AtomicUsize::new(0);

/// Makes the areas of this many threads, and the page of gates.
pub fn make(threads: usize) {
    let areas = threads * 3 + 1;
    AREAS.store(areas, Relaxed);
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED_NOREPLACE;
    // SAFETY: fresh memory where nothing is; parts of it become readable.
    unsafe {
        let start = (BASE - AROUND) as *mut libc::c_void;
        let at = libc::mmap(start, 2 * AROUND + areas * APART, libc::PROT_NONE, flags, -1, 0);
        assert_eq!(at, start, "the place for arguments is taken");
        for area in 0..areas {
            let at = (BASE + area * APART) as *mut libc::c_void;
            assert_eq!(libc::mprotect(at, SIZE, libc::PROT_READ | libc::PROT_WRITE), 0);
        }
        let fd = libc::memfd_create(c"semaphore".as_ptr(), libc::MFD_CLOEXEC);
        assert_eq!(libc::ftruncate(fd, 4096), 0);
        let (at, rights) = (SEMAPHORE as *mut libc::c_void, libc::PROT_READ | libc::PROT_WRITE);
        assert_eq!(libc::mmap(at, 4096, rights, libc::MAP_SHARED | libc::MAP_FIXED, fd, 0), at);
        SEMAPHORE_FILE.store(fd, Relaxed);
    }
}

/// The first address of a thread's area.
pub fn area(thread: usize, what: Use) -> usize {
    BASE + (1 + thread * 3 + what as usize) * APART
}

/// Words that are opened and closed again all the time: what a stream may wait for.
pub const GATES: usize = BASE;
pub const GATE_COUNT: usize = 16;

/// The word of all external semaphores, one more gate. Far behind the gates, which are registered.
const SEMAPHORE: usize = BASE + SIZE / 2;
static SEMAPHORE_FILE: AtomicI32 = AtomicI32::new(-1);

/// The descriptor of the memory file that the word is in.
pub fn semaphore() -> i32 {
    SEMAPHORE_FILE.load(Relaxed)
}

/// Opens the gates (1) or closes them (0).
pub fn set_gates(open: bool) {
    // SAFETY: inside of the first area.
    unsafe { ptr::write_volatile(SEMAPHORE as *mut u64, u64::from(open)) };
    for i in 0..GATE_COUNT {
        // SAFETY: inside of the first area.
        unsafe { ptr::write_volatile((GATES + i * 8) as *mut u64, u64::from(open)) };
    }
}

/// Writes a number of so many bytes into an area.
pub fn put(at: usize, size: usize, value: u64) {
    // SAFETY: the caller took the place from an area; all of them are plain bytes.
    unsafe { ptr::copy_nonoverlapping(value.to_le_bytes().as_ptr(), at as *mut u8, size.min(8)) };
}

/// Reads a number of so many bytes from an area.
pub fn get(at: usize, size: usize) -> u64 {
    let mut bytes = [0; 8];
    // SAFETY: as above.
    unsafe { ptr::copy_nonoverlapping(at as *const u8, bytes.as_mut_ptr(), size.min(8)) };
    u64::from_le_bytes(bytes)
}

/// Copies bytes into an area.
pub fn put_bytes(at: usize, bytes: &[u8]) {
    // SAFETY: as above.
    unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), at as *mut u8, bytes.len()) };
}

/// Copies bytes out of an area.
pub fn get_bytes(at: usize, len: usize) -> Vec<u8> {
    let mut bytes = vec![0; len];
    // SAFETY: as above.
    unsafe { ptr::copy_nonoverlapping(at as *const u8, bytes.as_mut_ptr(), len) };
    bytes
}

/// Fills a place with one byte.
pub fn fill(at: usize, len: usize, byte: u8) {
    // SAFETY: as above.
    unsafe { ptr::write_bytes(at as *mut u8, byte, len) };
}

/// True for an address in one of the areas with so many bytes behind it.
pub fn holds(at: usize, bytes: usize) -> bool {
    (BASE..BASE + AREAS.load(Relaxed) * APART).contains(&at) && at % APART <= SIZE - bytes
}

/// True for an address in one of the areas with some words behind it.
pub fn owns(at: usize) -> bool {
    holds(at, 64)
}
