//! What every call looks at: one line of the cache for the process, and one for the calling thread.
//!
//! A copy of a few ten KiB evicts everything from the first-level cache, so that the next call pays for every line that
//! it touches. What is here needs neither construction nor destruction, and is usable at any time of a thread's life.

use core::cell::Cell;
use core::sync::atomic::{AtomicBool, AtomicU8};

/// What all threads share.
#[repr(C, align(64))]
pub struct Process {
    /// Whether the device is started: see `device`.
    pub state: AtomicU8,
    /// When queued work runs: see `device::stream`.
    pub schedule: AtomicU8,
    /// Kernels have printed what was not written yet: see `device::kernel::output`.
    pub printed: AtomicBool,
    /// The handlers of the head of this crate are in place.
    pub guarded: AtomicBool,
}

/// The one of this process.
pub static PROCESS: Process = Process {
    state: AtomicU8::new(0),
    schedule: AtomicU8::new(0),
    printed: AtomicBool::new(false),
    guarded: AtomicBool::new(false),
};

/// What belongs to a thread. All zero bytes at its start, which has to be a value of every field.
#[repr(C, align(64))]
pub struct Thread {
    /// The stack pointer of the innermost guarded call, 0 outside: see the head of this crate.
    pub landing: Cell<usize>,
    /// Words of the device: the thread's context, in a form that only the device knows.
    pub device: [Cell<usize>; DEVICE_WORDS],
}

/// How many words of a thread's line belong to the device.
pub const DEVICE_WORDS: usize = 7;

const SIZE: usize = 64;
const _: () = assert!(size_of::<Thread>() == SIZE);

// The compiler would ask the loader for the address of a thread's variables by a call that looks at four more lines. This
// is the same variable by the newer convention ("TLS descriptors"), in which the loader answers with a constant where it
// can.
core::arch::global_asm!(
    ".pushsection .tbss.doppel_thread, \"awT\", @nobits",
    ".balign 64",
    ".hidden doppel_thread",
    ".globl doppel_thread",
    ".type doppel_thread, @object",
    ".size doppel_thread, {size}",
    "doppel_thread:",
    ".zero {size}",
    ".popsection",
    size = const SIZE,
);

/// What belongs to the calling thread.
#[inline(always)]
pub fn thread() -> &'static Thread {
    let at: *const Thread;
    // SAFETY: the sequence that the convention demands, word for word. It keeps all registers but the result; loaders before
    // glibc 2.39 may lose vector registers where they have to allocate. The variable lives as long as the thread, and the
    // reference cannot leave it: `Cell` is not `Sync`.
    unsafe {
        core::arch::asm!(
            "lea rax, [rip + doppel_thread@TLSDESC]",
            "call [rax + doppel_thread@TLSCALL]",
            "add rax, fs:[0]",
            out("rax") at,
            out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
            out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
            out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
            out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
            options(pure, nomem),
        );
        &*at
    }
}
