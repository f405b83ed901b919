//! Accesses to memory at addresses that a program gave us.
//!
//! A program may pass any number as a pointer, and host memory may be unmapped by another thread while a queued copy
//! waits for its turn. Every such access runs inside [`run`]: a fault in it ends the access with an error instead of
//! the process. The signal handler is installed once, on first use, and hands every fault that is not ours to the
//! handler that was there before. A program that installs its own handler later and does not chain gets what it would
//! get from the real driver: the signal.

use core::cell::Cell;
use core::ffi::c_void;
use core::mem::MaybeUninit;
use core::panic::{RefUnwindSafe, UnwindSafe};
use core::ptr;
use core::sync::atomic::{AtomicUsize, Ordering};
use error::{Error, Result};
use parking_lot::Mutex;

pub mod mapping;
mod nontemporal;
pub mod state;

/// Addresses below are never mapped, addresses above are not canonical: refused without trying.
const LOWEST: usize = 0x1_0000;
const HIGHEST: usize = 0x7fff_ffff_f000;

/// True when `addr..addr + len` can be memory at all.
fn plausible(addr: usize, len: usize) -> bool {
    addr >= LOWEST && len <= HIGHEST && addr <= HIGHEST - len
}

#[cfg(target_arch = "x86_64")]
mod arch {
    use core::ffi::c_void;
    use core::mem::MaybeUninit;

    // A guarded call notes its stack pointer, under which everything lies that the way back needs. Single words are
    // moved by functions without a frame: a fault inside of them is known by the address of the instruction.
    core::arch::global_asm!(
        ".hidden doppel_guard_call",
        ".globl doppel_guard_call",
        ".type doppel_guard_call,@function",
        "doppel_guard_call:",
        ".cfi_startproc",
        "push rbp",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbp, -16",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "push rcx",
        "push qword ptr [rcx]",
        "sub rsp, 8",
        "mov [rcx], rsp",
        "call r8",
        "xor eax, eax",
        "1:",
        "mov rdx, [rsp + 8]",
        "mov rcx, [rsp + 16]",
        "mov [rcx], rdx",
        "add rsp, 24",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        ".cfi_def_cfa rsp, 8",
        "ret",
        ".hidden doppel_guard_landing",
        ".globl doppel_guard_landing",
        "doppel_guard_landing:",
        // The frame is 9 words below the return address; the faulting function left `rbp` as it liked.
        ".cfi_def_cfa rsp, 80",
        "cld",
        "mov eax, 1",
        "lea rbp, [rsp + 64]",
        ".cfi_def_cfa rbp, 16",
        "jmp 1b",
        ".cfi_endproc",
        ".size doppel_guard_call, . - doppel_guard_call",
        //
        ".hidden doppel_guard_words",
        ".globl doppel_guard_words",
        "doppel_guard_words:",
        ".hidden doppel_guard_load4",
        ".globl doppel_guard_load4",
        ".type doppel_guard_load4,@function",
        "doppel_guard_load4:",
        "mov eax, [rdi]",
        "xor edx, edx",
        "ret",
        ".size doppel_guard_load4, . - doppel_guard_load4",
        ".hidden doppel_guard_load8",
        ".globl doppel_guard_load8",
        ".type doppel_guard_load8,@function",
        "doppel_guard_load8:",
        "mov rax, [rdi]",
        "xor edx, edx",
        "ret",
        ".size doppel_guard_load8, . - doppel_guard_load8",
        ".hidden doppel_guard_store4",
        ".globl doppel_guard_store4",
        ".type doppel_guard_store4,@function",
        "doppel_guard_store4:",
        "mov [rdi], esi",
        "xor eax, eax",
        "ret",
        ".size doppel_guard_store4, . - doppel_guard_store4",
        ".hidden doppel_guard_store8",
        ".globl doppel_guard_store8",
        ".type doppel_guard_store8,@function",
        "doppel_guard_store8:",
        "mov [rdi], rsi",
        "xor eax, eax",
        "ret",
        ".size doppel_guard_store8, . - doppel_guard_store8",
        ".hidden doppel_guard_numbers",
        ".globl doppel_guard_numbers",
        ".type doppel_guard_numbers,@function",
        "doppel_guard_numbers:",
        "mov r8, rcx",
        "2:",
        "mov rax, [rsi]",
        "mov ecx, [rdx]",
        "cmp dword ptr [rdx + 4], 0",
        "jne 4f",
        "mov r9d, [rax]",
        "mov eax, [rax + rcx]",
        "3:",
        "shl ecx, 3",
        "shl rax, cl",
        "or rax, r9",
        "and rax, [rdx + 8]",
        "mov [rdi], rax",
        "add rdi, 8",
        "add rsi, 8",
        "add rdx, 16",
        "dec r8",
        "jnz 2b",
        "xor edx, edx",
        "ret",
        "4:",
        "movzx r9d, byte ptr [rax]",
        "movzx eax, byte ptr [rax + rcx]",
        "jmp 3b",
        ".size doppel_guard_numbers, . - doppel_guard_numbers",
        ".hidden doppel_guard_words_end",
        ".globl doppel_guard_words_end",
        "doppel_guard_words_end:",
        ".hidden doppel_guard_no_word",
        ".globl doppel_guard_no_word",
        "doppel_guard_no_word:",
        "mov eax, 1",
        "mov edx, 1",
        "ret",
    );

    /// A word, and whether reading it faulted.
    #[repr(C)]
    pub struct Loaded {
        pub word: u64,
        pub faulted: u64,
    }

    /// A function for [`doppel_guard_call`].
    pub type Access = unsafe extern "C" fn(*mut c_void, *const c_void, usize) -> *mut c_void;

    unsafe extern "C" {
        /// Calls `f(a, b, c)` after noting in `landing` how to come back from inside it; `landing` gets its former value
        /// back. 0 when `f` returned, 1 when the signal handler cut it short.
        pub fn doppel_guard_call(a: *mut c_void, b: *const c_void, c: usize, landing: *mut usize, f: Access) -> u32;
        /// Reads 4 or 8 bytes.
        pub fn doppel_guard_load4(from: usize) -> Loaded;
        pub fn doppel_guard_load8(from: usize) -> Loaded;
        /// Writes 4 or 8 bytes; 1 when that faulted.
        pub fn doppel_guard_store4(to: usize, word: MaybeUninit<u32>) -> u32;
        pub fn doppel_guard_store8(to: usize, word: MaybeUninit<u64>) -> u32;
        /// Reads numbers whose addresses are in a list, `count` of them, at least one.
        pub fn doppel_guard_numbers(to: *mut u64, list: usize, numbers: *const super::Number, count: usize) -> Loaded;
        fn doppel_guard_landing();
        fn doppel_guard_words();
        fn doppel_guard_words_end();
        fn doppel_guard_no_word();
    }

    /// Makes the interrupted thread continue where a fault ends its guarded access; false when it was in none. `landing`
    /// is the thread's.
    ///
    /// # Safety
    /// `context` is the `ucontext_t` of a signal delivered on this thread.
    pub unsafe fn jump(context: *mut c_void, landing: usize) -> bool {
        let context = context.cast::<libc::ucontext_t>();
        // SAFETY: the caller passes the kernel's frame.
        let regs = unsafe { &mut (*context).uc_mcontext.gregs };
        let at = regs[libc::REG_RIP as usize] as usize;
        let fault = super::Fault { instruction: at, rbx: regs[libc::REG_RBX as usize] as usize };
        let _ = super::CUT_SHORT.try_with(|last| last.set(fault));
        if (doppel_guard_words as *const () as usize..doppel_guard_words_end as *const () as usize).contains(&at) {
            regs[libc::REG_RIP as usize] = doppel_guard_no_word as *const () as i64;
        } else if landing != 0 {
            regs[libc::REG_RSP as usize] = landing as i64;
            regs[libc::REG_RIP as usize] = doppel_guard_landing as *const () as i64;
        } else {
            return false;
        }
        true
    }
}

#[cfg(not(target_arch = "x86_64"))]
compile_error!("Doppel runs on x86-64: guard.rs needs the landing code of another architecture");

struct Previous(core::cell::UnsafeCell<[MaybeUninit<libc::sigaction>; 2]>);
// SAFETY: written once, before the handler that reads it is installed.
unsafe impl Sync for Previous {}
static PREVIOUS: Previous = Previous(core::cell::UnsafeCell::new([MaybeUninit::zeroed(); 2]));
const SIGNALS: [i32; 2] = [libc::SIGSEGV, libc::SIGBUS];

/// A range that nobody may write for a moment: writers wait in the signal handler.
struct Frozen {
    first: AtomicUsize,
    end: AtomicUsize,
    /// Odd while the range is frozen.
    generation: AtomicUsize,
}

static FROZEN: Frozen =
    Frozen { first: AtomicUsize::new(0), end: AtomicUsize::new(0), generation: AtomicUsize::new(0) };

thread_local! {
    /// The generation after which this thread has tried a faulting access again.
    static RETRIED: Cell<usize> = const { Cell::new(0) };
    /// See [`cut_short`].
    static CUT_SHORT: Cell<Fault> = const { Cell::new(Fault { instruction: 0, rbx: 0 }) };
}

/// A fault that has ended a guarded access.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// The address of the instruction.
    pub instruction: usize,
    /// What the register held.
    pub rbx: usize,
}

/// The last fault of the calling thread that has ended a guarded access.
pub fn cut_short() -> Fault {
    CUT_SHORT.get()
}

/// Exchanges what lies behind `addr..addr + len` while other threads may use it: the memory is made read-only, and a
/// thread that writes to it waits until `exchange` is done. It has to leave the range writable.
pub fn freeze<R>(addr: usize, len: usize, exchange: impl FnOnce() -> R) -> Option<R> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _one = ONE_AT_A_TIME.lock();
    install();
    struct Thaw;
    impl Drop for Thaw {
        fn drop(&mut self) {
            FROZEN.generation.fetch_add(1, Ordering::SeqCst);
        }
    }
    FROZEN.first.store(addr, Ordering::SeqCst);
    FROZEN.end.store(addr + len, Ordering::SeqCst);
    FROZEN.generation.fetch_add(1, Ordering::SeqCst);
    let _thaw = Thaw;
    // SAFETY: takes rights away from memory of the device; whoever faults comes to the handler above.
    unsafe { mapping::protect(addr, len, mapping::Rights::Read) }.then(exchange)
}

/// Whether a fault at `addr` may come from [`freeze`]: the access is to be tried again. Waits until that makes sense.
fn thaws(addr: usize) -> bool {
    loop {
        let generation = FROZEN.generation.load(Ordering::SeqCst);
        let frozen = || addr >= FROZEN.first.load(Ordering::SeqCst) && addr < FROZEN.end.load(Ordering::SeqCst);
        if generation % 2 == 1 && frozen() {
            // SAFETY: a plain system call, allowed in signal handlers.
            unsafe { libc::sched_yield() };
            continue;
        }
        // Between the fault and here its range may have thawed, and others been frozen. A fault that comes back with none of
        // that in between is another one.
        return RETRIED.try_with(|retried| retried.replace(generation) != generation).unwrap_or(false);
    }
}

unsafe extern "C" fn on_fault(signal: i32, info: *mut libc::siginfo_t, context: *mut c_void) {
    let landing = state::thread().landing.get();
    // A signal sent by a process (`si_code <= 0`) is not a fault of the access.
    // SAFETY: the kernel passes a valid `siginfo_t`.
    let fault = unsafe { (*info).si_code } > 0;
    // SAFETY: the kernel fills in the address of a fault.
    if fault && thaws(unsafe { (*info).si_addr() } as usize) {
        return;
    }
    // SAFETY: the kernel's frame; the landing lies in the frame of a guarded call, below the faulting frame.
    if fault && unsafe { arch::jump(context, landing) } {
        return;
    }
    let which = usize::from(signal == libc::SIGBUS);
    // SAFETY: filled in before this handler was installed.
    let previous = unsafe { (*PREVIOUS.0.get())[which].assume_init_ref() };
    match previous.sa_sigaction {
        libc::SIG_DFL | libc::SIG_IGN => {
            // Back to the default action: the faulting instruction runs again and ends the process as it would
            // have without us. A signal that was sent has to be raised again.
            // SAFETY: plain system calls with valid arguments; both are async-signal-safe.
            unsafe {
                let mut default: libc::sigaction = core::mem::zeroed();
                default.sa_sigaction = libc::SIG_DFL;
                libc::sigaction(signal, &default, ptr::null_mut());
                if (*info).si_code <= 0 {
                    libc::raise(signal);
                }
            }
        }
        handler if previous.sa_flags & libc::SA_SIGINFO != 0 => {
            type Action = unsafe extern "C" fn(i32, *mut libc::siginfo_t, *mut c_void);
            // SAFETY: the program registered this address as a handler of this type.
            unsafe { core::mem::transmute::<usize, Action>(handler)(signal, info, context) }
        }
        handler => {
            // SAFETY: as above, for the handler type without SA_SIGINFO.
            unsafe { core::mem::transmute::<usize, unsafe extern "C" fn(i32)>(handler)(signal) }
        }
    }
}

#[inline]
fn install() {
    if !state::PROCESS.guarded.load(Ordering::Acquire) {
        install_handlers();
    }
}

#[cold]
fn install_handlers() {
    static INSTALLING: Mutex<()> = Mutex::new(());
    let _installing = INSTALLING.lock();
    if state::PROCESS.guarded.load(Ordering::Acquire) {
        return;
    }
    for (which, signal) in SIGNALS.into_iter().enumerate() {
        // SAFETY: plain system calls on valid structures; `PREVIOUS` is written before the handler can read it.
        unsafe {
            let slot = (*PREVIOUS.0.get())[which].as_mut_ptr();
            if libc::sigaction(signal, ptr::null(), slot) != 0 {
                continue;
            }
            let mut action: libc::sigaction = core::mem::zeroed();
            action.sa_sigaction = on_fault as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER;
            libc::sigemptyset(&mut action.sa_mask);
            libc::sigaction(signal, &action, ptr::null_mut());
        }
    }
    state::PROCESS.guarded.store(true, Ordering::Release);
}

/// Runs `access`; false when it touched memory that is not there (or may not be touched that way).
///
/// `access` is cut short at the faulting instruction, so that nothing may be left half done there. Its type says so:
/// `Copy` means that it owns nothing and borrows nothing mutably, `UnwindSafe` that it knows no lock and no cell.
/// ```
/// let (from, mut to) = (7u64, 0u64);
/// let (at, target) = (&raw const from as usize, &raw mut to);
/// assert!(guard::run(move || unsafe { *target = *(at as *const u64) }));
/// assert!(!guard::run(move || unsafe { *target = *(0x1_0000 as *const u64) }));
/// assert_eq!(to, 7);
/// ```
/// A lock cannot be taken in it, and what is behind one cannot be used:
/// ```compile_fail,E0277
/// let lock = parking_lot::Mutex::new(0);
/// let known = &lock;
/// guard::run(move || drop(known.lock()));
/// ```
/// ```compile_fail,E0277
/// let lock = parking_lot::Mutex::new(0);
/// let mut held = lock.lock();
/// guard::run(move || *held = 1);
/// ```
/// Nothing is left to be dropped, and nothing is borrowed that could be half changed:
/// ```compile_fail,E0277
/// let bytes = vec![0u8; 8];
/// guard::run(move || drop(bytes));
/// ```
/// ```compile_fail,E0277
/// let mut bytes = vec![0u8; 8];
/// guard::run(|| bytes.push(1));
/// ```
pub fn run<F: FnOnce() + Copy + UnwindSafe>(access: F) -> bool {
    // SAFETY: whatever `access` can reach are plain values and memory that it promises itself to use well.
    unsafe { run_disposable(access) }
}

/// [`run`] for more than accesses: a whole computation that may fault at any of them.
///
/// # Safety
/// Wherever `access` may fault it holds no lock and owns nothing that has to be dropped. What it works on is thrown away or
/// reset by the caller when this returns false.
pub unsafe fn run_disposable<F: FnOnce() + Copy>(access: F) -> bool {
    install();
    unsafe extern "C" fn call<F: FnOnce() + Copy>(access: *mut c_void, _: *const c_void, _: usize) -> *mut c_void {
        // SAFETY: `access` is the closure below, of which this is a copy.
        unsafe { (*access.cast::<F>())() };
        ptr::null_mut()
    }
    let mut access = access;
    let landing = state::thread().landing.as_ptr();
    // SAFETY: `call::<F>` gets the argument it expects; frames that a fault skips own nothing, as the caller promises.
    unsafe { arch::doppel_guard_call((&raw mut access).cast(), ptr::null(), 0, landing, call::<F>) == 0 }
}

/// Like [`run`], as a result: a fault is [`Error::INVALID_VALUE`].
fn attempt<F: FnOnce() + Copy + UnwindSafe>(access: F) -> Result<()> {
    if run(access) { Ok(()) } else { Err(Error::INVALID_VALUE) }
}

/// Moves `len` bytes, not 0, between two addresses of which one or both are the program's.
#[inline]
fn transfer(dst: usize, src: usize, len: usize, by: arch::Access) -> Result<()> {
    install();
    let landing = state::thread().landing.as_ptr();
    // SAFETY: both addresses are guarded, or borrowed by the caller; functions that move bytes own nothing.
    let faulted = unsafe { arch::doppel_guard_call(dst as *mut c_void, src as *const c_void, len, landing, by) };
    if faulted == 0 { Ok(()) } else { Err(Error::INVALID_VALUE) }
}

/// Copies bytes from the program's memory at `addr` into ours, all of `dst`.
#[inline]
pub fn read(dst: &mut [MaybeUninit<u8>], addr: usize) -> Result<()> {
    let (dst, len) = (dst.as_mut_ptr(), dst.len());
    if len == 0 {
        return Ok(());
    }
    if !plausible(addr, len) {
        return Err(Error::INVALID_VALUE);
    }
    install();
    // SAFETY: `dst` is borrowed and has room for the word; `addr` is guarded.
    unsafe {
        let loaded = match len {
            4 => arch::doppel_guard_load4(addr),
            8 => arch::doppel_guard_load8(addr),
            _ => return transfer(dst as usize, addr, len, libc::memmove),
        };
        if loaded.faulted != 0 {
            return Err(Error::INVALID_VALUE);
        }
        match len {
            4 => dst.cast::<u32>().write_unaligned(loaded.word as u32),
            _ => dst.cast::<u64>().write_unaligned(loaded.word),
        }
    }
    Ok(())
}

/// Copies our bytes to the program's memory at `addr`. Bytes that are not initialised (padding) are copied as they are.
#[inline]
pub fn write(addr: usize, src: &[MaybeUninit<u8>]) -> Result<()> {
    let len = src.len();
    if len == 0 {
        return Ok(());
    }
    if !plausible(addr, len) {
        return Err(Error::INVALID_VALUE);
    }
    install();
    // SAFETY: `src` has the bytes of the word; `addr` is guarded.
    let faulted = unsafe {
        match len {
            4 => arch::doppel_guard_store4(addr, src.as_ptr().cast::<MaybeUninit<u32>>().read_unaligned()),
            8 => arch::doppel_guard_store8(addr, src.as_ptr().cast::<MaybeUninit<u64>>().read_unaligned()),
            _ => return transfer(addr, src.as_ptr() as usize, len, libc::memmove),
        }
    };
    if faulted == 0 { Ok(()) } else { Err(Error::INVALID_VALUE) }
}

/// The bytes of initialised memory as [`write`] takes them.
pub fn bytes(initialised: &[u8]) -> &[MaybeUninit<u8>] {
    // SAFETY: the same layout; every value is a valid `MaybeUninit`.
    unsafe { core::slice::from_raw_parts(initialised.as_ptr().cast(), initialised.len()) }
}

/// Copies between two addresses of the program; the ranges may overlap. What was copied before a fault stays copied.
#[inline]
pub fn copy(dst: usize, src: usize, len: usize) -> Result<()> {
    if len == 0 {
        return Ok(());
    }
    if !plausible(dst, len) || !plausible(src, len) {
        return Err(Error::INVALID_VALUE);
    }
    transfer(dst, src, len, libc::memmove)
}

/// [`copy`] for a part of so much memory that none of it will be found in a cache again: what is written does not pass
/// through the caches, and is not read into them first. The ranges may not overlap.
pub fn copy_nontemporal(dst: usize, src: usize, len: usize) -> Result<()> {
    if len == 0 {
        return Ok(());
    }
    if !plausible(dst, len) || !plausible(src, len) {
        return Err(Error::INVALID_VALUE);
    }
    transfer(dst, src, len, nontemporal::best())
}

/// Proves that every page of `addr..addr + len` can be read.
pub fn probe_read(addr: usize, len: usize) -> Result<()> {
    if len == 0 {
        return Ok(());
    }
    if !plausible(addr, len) {
        return Err(Error::INVALID_VALUE);
    }
    attempt(move || {
        let mut at = addr;
        loop {
            // SAFETY: guarded; the value is not used.
            unsafe { ptr::read_volatile(at as *const u8) };
            let next = (at & !4095) + 4096;
            if next >= addr + len {
                break;
            }
            at = next;
        }
    })
}

/// Proves that every page of `addr..addr + len` can be written, and brings it to life. What the memory holds stays as it
/// is, also under the eyes of other threads.
pub fn probe_write(addr: usize, len: usize) -> Result<()> {
    if len == 0 {
        return Ok(());
    }
    if !plausible(addr, len) {
        return Err(Error::INVALID_VALUE);
    }
    attempt(move || {
        let mut at = addr;
        while at < addr + len {
            // In assembly: the compiler knows that adding no bits is a load, and would make it one.
            // SAFETY: guarded; adding no bits atomically needs write access and changes nothing.
            unsafe { core::arch::asm!("lock or byte ptr [{}], 0", in(reg) at, options(nostack)) };
            at = (at & !4095) + 4096;
        }
    })
}

/// A pointer in the program's memory at `addr`.
///
/// # Errors
/// [`Error::INVALID_VALUE`] if it cannot be read.
#[inline]
pub fn read_pointer(addr: usize) -> Result<usize> {
    load(addr, size_of::<usize>(), arch::doppel_guard_load8).map(|word| word as usize)
}

/// Reads a number of 4 bytes.
///
/// # Errors
/// [`Error::INVALID_VALUE`] if it cannot be read.
#[inline]
pub fn read_u32(addr: usize) -> Result<u32> {
    load(addr, size_of::<u32>(), arch::doppel_guard_load4).map(|word| word as u32)
}

/// Reads a word of so many bytes.
#[inline(always)]
fn load(addr: usize, len: usize, by: unsafe extern "C" fn(usize) -> arch::Loaded) -> Result<u64> {
    if !plausible(addr, len) {
        return Err(Error::INVALID_VALUE);
    }
    install();
    // SAFETY: a function that reads, and is guarded.
    let loaded = unsafe { by(addr) };
    if loaded.faulted == 0 { Ok(loaded.word) } else { Err(Error::INVALID_VALUE) }
}

/// Copies `len` bytes of the program's memory into a buffer of their own. The range is proved readable before a huge
/// length makes us allocate.
pub fn read_vec(addr: usize, len: usize) -> Result<Vec<u8>> {
    probe_read(addr, len)?;
    let mut copy = Vec::new();
    copy.try_reserve_exact(len).map_err(|_| Error::OUT_OF_MEMORY)?;
    read(&mut copy.spare_capacity_mut()[..len], addr)?;
    // SAFETY: `read` filled `len` bytes.
    unsafe { copy.set_len(len) };
    Ok(copy)
}

/// Copies values into `target` in one guarded pass. `list` is the program's array of their addresses; for each of them
/// `parts` has an offset in `target` and a number of bytes. What was copied before a fault stays copied.
pub fn read_listed<P>(target: &mut [u8], list: usize, mut parts: P) -> Result<()>
where
    P: Iterator<Item = (usize, usize)> + RefUnwindSafe,
{
    let mut whole = true;
    let (done, parts) = (&raw mut whole, &raw mut parts);
    let (start, room) = (target.as_mut_ptr(), target.len());
    let copied = run(move || {
        let word = size_of::<usize>();
        let each = |(index, (offset, size)): (usize, (usize, usize))| {
            let at = list.wrapping_add(index * word);
            if !plausible(at, word) {
                return false;
            }
            // SAFETY: guarded.
            let from = unsafe { (at as *const usize).read_unaligned() };
            if offset > room || size > room - offset {
                return false;
            }
            if size > 0 {
                if !plausible(from, size) {
                    return false;
                }
                // SAFETY: the source is guarded, and the target has so many bytes from there. The program's memory may be
                // anywhere, so that nothing is said about overlaps.
                unsafe { ptr::copy(from as *const u8, start.add(offset), size) };
            }
            true
        };
        // SAFETY: locals that outlive the call.
        unsafe { *done = (*parts).by_ref().enumerate().all(each) };
    });
    if copied && whole { Ok(()) } else { Err(Error::INVALID_VALUE) }
}

/// How a number of some bytes is read: as two halves, each of 4 bytes or of one, the second one so far behind the first.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Number {
    second: u32,
    narrow: u32,
    mask: u64,
}

impl Number {
    /// A number of 1, 2, 4 or 8 bytes; of anything else the beginning, which reads as 0.
    pub const fn of(size: usize) -> Number {
        let (second, narrow, mask) = match size {
            8 => (4, 0, u64::MAX),
            4 => (0, 0, u32::MAX as u64),
            2 => (1, 1, u16::MAX as u64),
            1 => (0, 1, u8::MAX as u64),
            0 | 3 => (0, 1, 0),
            _ => (0, 0, 0),
        };
        Number { second, narrow, mask }
    }
}

/// Reads numbers into `values`, as many as there are `numbers`. `list` is the program's array of their addresses.
///
/// # Errors
/// [`Error::INVALID_VALUE`] if one of them cannot be read, or `values` is too short.
pub fn read_numbers(values: &mut [u64], list: usize, numbers: &[Number]) -> Result<()> {
    if numbers.is_empty() {
        return Ok(());
    }
    if values.len() < numbers.len() || !plausible(list, numbers.len() * size_of::<u64>()) {
        return Err(Error::INVALID_VALUE);
    }
    install();
    // SAFETY: `values` has room for them; the rest is guarded.
    let loaded = unsafe { arch::doppel_guard_numbers(values.as_mut_ptr(), list, numbers.as_ptr(), numbers.len()) };
    if loaded.faulted == 0 { Ok(()) } else { Err(Error::INVALID_VALUE) }
}

/// Reads a string that ends in NUL within `limit` bytes, without the NUL.
pub fn read_string(addr: usize, limit: usize) -> Result<Vec<u8>> {
    if !plausible(addr, 1) {
        return Err(Error::INVALID_VALUE);
    }
    let mut len = usize::MAX;
    let found = &raw mut len;
    attempt(move || {
        for i in 0..limit {
            // SAFETY: guarded; `found` points to `len`, which outlives the call.
            unsafe {
                if *((addr + i) as *const u8) == 0 {
                    *found = i;
                    break;
                }
            }
        }
    })?;
    if len == usize::MAX {
        return Err(Error::INVALID_VALUE);
    }
    read_vec(addr, len)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "what the guard is tested on comes from the system itself")]
mod tests {
    use super::*;

    #[test]
    fn wrong_addresses_are_errors() {
        let mut x = [MaybeUninit::new(0u8); 8];
        for bad in [0usize, 8, 4096, usize::MAX, usize::MAX - 7, 1 << 63, 0x7fff_ffff_fff8] {
            assert!(read(&mut x, bad).is_err(), "{bad:#x}");
            assert!(write(bad, &x).is_err(), "{bad:#x}");
        }
    }

    #[test]
    fn listed_numbers_are_read_or_refused() {
        let (a, b, c, d) = (0x0102_0304_0506_0708u64, -2i32, 0x1234u16, 0xffu8);
        let list =
            [&raw const a as usize, &raw const b as usize, &raw const c as usize, &raw const d as usize, 1 << 20];
        let at = list.as_ptr() as usize;
        let mut values = [7; 5];
        let numbers = [8, 4, 2, 1, 24].map(Number::of);
        assert_eq!(read_numbers(&mut values, at, &numbers[..4]), Ok(()));
        assert_eq!(values, [a, 0xffff_fffe, 0x1234, 0xff, 7]);
        let none = Err(Error::INVALID_VALUE);
        assert_eq!(read_numbers(&mut values, at, &numbers), none, "no memory");
        assert_eq!(read_numbers(&mut values[..3], at, &numbers[..4]), none, "no room");
        // Of something else nothing is told.
        let list = [at];
        assert_eq!(read_numbers(&mut values, list.as_ptr() as usize, &numbers[4..]), Ok(()));
        assert_eq!(values[0], 0);
        for bad in [0, 8, 1 << 20, usize::MAX - 3] {
            assert_eq!(read_numbers(&mut values, bad, &numbers[..1]), none, "{bad:#x}");
            assert_eq!(read_numbers(&mut values, bad, &[]), Ok(()), "nothing is read");
            let list = [bad];
            assert_eq!(read_numbers(&mut values, list.as_ptr() as usize, &numbers[..1]), none, "{bad:#x}");
        }
    }

    /// No byte behind a number is looked at.
    #[test]
    fn numbers_at_the_end_of_memory_are_read() {
        // SAFETY: two new pages, of which the second one goes again.
        let page = unsafe {
            let anonymous = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            let page = libc::mmap(ptr::null_mut(), 8192, libc::PROT_READ | libc::PROT_WRITE, anonymous, -1, 0);
            assert_ne!(page, libc::MAP_FAILED);
            assert_eq!(libc::munmap(page.byte_add(4096), 4096), 0);
            page.cast::<u8>().write_bytes(0xab, 4096);
            page as usize
        };
        for size in [1, 2, 4, 8, 5, 3] {
            let mut value = [7u64];
            let list = [page + 4096 - size];
            let list = list.as_ptr() as usize;
            assert_eq!(read_numbers(&mut value, list, &[Number::of(size)]), Ok(()));
            let read = if size.is_power_of_two() { 0xabab_abab_abab_abab >> (64 - 8 * size) } else { 0 };
            assert_eq!(value, [read], "{size}");
            if size.is_power_of_two() {
                let list = [page + 4097 - size];
                assert!(read_numbers(&mut value, list.as_ptr() as usize, &[Number::of(size)]).is_err(), "{size}");
            }
        }
        // SAFETY: the page above.
        unsafe { libc::munmap(page as *mut c_void, 4096) };
    }

    #[test]
    fn listed_values_are_read_or_refused() {
        let (a, b) = (0x0102_0304u32, 7u8);
        let list = [&raw const a as usize, &raw const b as usize, 1 << 20];
        let at = list.as_ptr() as usize;
        let mut target = [0u8; 16];
        assert_eq!(read_listed(&mut target, at, [(8, 4), (1, 1), (0, 0)].iter().copied()), Ok(()));
        assert_eq!(target[..12], [0, 7, 0, 0, 0, 0, 0, 0, 4, 3, 2, 1]);
        let none = Err(Error::INVALID_VALUE);
        assert_eq!(read_listed(&mut target, at, [(0, 4), (4, 1), (5, 1)].iter().copied()), none, "no memory");
        assert_eq!(read_listed(&mut target, at, [(14, 4)].iter().copied()), none, "no room");
        for bad in [0, 8, usize::MAX - 3] {
            assert_eq!(read_listed(&mut target, bad, [(0, 4)].iter().copied()), none, "{bad:#x}");
            assert_eq!(read_listed(&mut target, bad, [(0, 0); 0].iter().copied()), Ok(()), "nothing is read");
        }
    }

    #[test]
    fn a_fault_in_the_middle_comes_back() {
        // SAFETY: a private mapping of two pages, the second one taken away again.
        unsafe {
            let p = libc::mmap(ptr::null_mut(), 8192, 3, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 0) as usize;
            assert_eq!(libc::munmap((p + 4096) as *mut _, 4096), 0);
            let src = [7u8; 8192];
            for _ in 0..1000 {
                assert_eq!(write(p, bytes(&src)), Err(Error::INVALID_VALUE));
            }
            assert_eq!(write(p, bytes(&src[..4096])), Ok(()));
            assert_eq!(probe_read(p, 4096), Ok(()));
            assert_eq!(probe_read(p, 4097), Err(Error::INVALID_VALUE));
            assert_eq!(*((p + 4095) as *const u8), 7);
            assert!(read_string(p, 10000).is_err());
            assert_eq!(probe_write(p, 4096), Ok(()));
            assert_eq!(*((p + 4095) as *const u8), 7);
            assert_eq!(libc::mprotect(p as *mut _, 4096, libc::PROT_READ), 0);
            assert_eq!(probe_write(p, 4096), Err(Error::INVALID_VALUE), "only readable");
            assert_eq!(probe_read(p, 4096), Ok(()));
            libc::munmap(p as *mut _, 4096);
        }
    }

    #[test]
    fn pointers_of_the_program() {
        let pointers = [1usize, usize::MAX, 0];
        let start = pointers.as_ptr() as usize;
        for (n, &pointer) in pointers.iter().enumerate() {
            assert_eq!(read_pointer(start + n * size_of::<usize>()), Ok(pointer));
        }
        assert!(read_pointer(0).is_err() && read_pointer(usize::MAX - 3).is_err());
    }

    #[test]
    fn writers_wait_while_memory_is_exchanged() {
        let len = 1 << 20;
        let map = |addr: usize, flags: i32| {
            // SAFETY: new memory, or memory in place of what this test made.
            unsafe {
                let p = libc::mmap(addr as *mut _, len, 3, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | flags, -1, 0);
                assert_ne!(p, libc::MAP_FAILED);
                p as usize
            }
        };
        let p = map(0, 0);
        let stop = core::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            let writers: Vec<_> = (0..2)
                .map(|w| {
                    let stop = &stop;
                    scope.spawn(move || {
                        let mut n = 0u64;
                        while !stop.load(Ordering::Relaxed) {
                            n += 1;
                            assert_eq!(write(p + w * 512 + 4096, bytes(&n.to_ne_bytes())), Ok(()));
                        }
                        n
                    })
                })
                .collect();
            for _ in 0..200 {
                freeze(p, len, || {
                    let mut old = vec![0u8; len];
                    // SAFETY: only read while nobody can write; `old` is as long.
                    unsafe { ptr::copy_nonoverlapping(p as *const u8, old.as_mut_ptr(), len) };
                    let new = map(0, 0);
                    // SAFETY: the new memory moves over the old one with its contents.
                    unsafe {
                        ptr::copy_nonoverlapping(old.as_ptr(), new as *mut u8, len);
                        libc::mremap(new as *mut _, len, len, libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED, p as *mut u8);
                    }
                })
                .unwrap();
            }
            stop.store(true, Ordering::Relaxed);
            for (w, writer) in writers.into_iter().enumerate() {
                let last = writer.join().unwrap();
                assert_eq!(read_vec(p + w * 512 + 4096, 8).unwrap(), last.to_ne_bytes());
            }
        });
        // SAFETY: made above.
        unsafe { libc::munmap(p as *mut _, len) };
        assert!(write(p, bytes(&[0; 8])).is_err(), "a fault behind the exchange is a fault");
    }

    #[test]
    fn a_fault_is_tried_again_when_other_memory_was_frozen_since() {
        let two = [(); 2].map(|()| mapping::HostMapping::anonymous(8192, mapping::Rights::ReadWrite).unwrap());
        let freeze = |at: &mapping::HostMapping| {
            // SAFETY: memory of this test.
            let thawed = || unsafe { mapping::protect(at.base(), at.size(), mapping::Rights::ReadWrite) };
            assert_eq!(freeze(at.base(), at.size(), thawed), Some(true));
        };
        let at = two[0].base();
        freeze(&two[0]);
        // As if a fault of the first freeze came to the handler only now.
        freeze(&two[1]);
        assert!(thaws(at));
        // Tests beside this one freeze memory, too; that ends.
        while thaws(at) {}
    }

    #[test]
    fn words_of_every_size() {
        let memory = [0x11u8, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc];
        let at = memory.as_ptr() as usize + 1;
        for len in 1..=9 {
            let mut got = [MaybeUninit::new(0u8); 9];
            read(&mut got[..len], at).unwrap();
            let mut target = [0u8; 12];
            write(target.as_mut_ptr() as usize + 1, &got[..len]).unwrap();
            assert_eq!(target[1..1 + len], memory[1..1 + len], "{len}");
            assert!(target[0] == 0 && target[1 + len..].iter().all(|&b| b == 0), "{len}");
            // Nothing is mapped there.
            assert_eq!(read(&mut got[..len], 0x1_0000), Err(Error::INVALID_VALUE));
            assert_eq!(write(0x1_0000, &got[..len]), Err(Error::INVALID_VALUE));
        }
    }

    #[test]
    fn nontemporal_copies_come_back_from_faults() {
        let mut own = vec![7u8; 40_000];
        let at = own.as_mut_ptr() as usize;
        assert_eq!(copy_nontemporal(at, 0x1_0000, own.len()), Err(Error::INVALID_VALUE));
        assert_eq!(copy_nontemporal(0x1_0000, at, own.len()), Err(Error::INVALID_VALUE));
        assert_eq!(copy_nontemporal(at + 20_000, at, 20_000), Ok(()));
    }

    #[test]
    fn guarded_calls_nest() {
        let inner = || copy(0x1_0000, 0x2_0000, 64).is_err() && read_vec(0x1_0000, 4).is_err();
        let mut seen = false;
        let at = &raw mut seen;
        // SAFETY: `at` outlives the call; then an address where nothing is mapped.
        let whole = run(move || unsafe {
            *at = inner();
            ptr::read_volatile(0x1_0000 as *const u8);
        });
        assert!(seen && !whole);
        assert_eq!(state::thread().landing.get(), 0);
    }

    #[test]
    fn strings_end_within_the_limit() {
        let s = c"hello";
        assert_eq!(read_string(s.as_ptr() as usize, 100).unwrap(), b"hello");
        assert!(read_string(s.as_ptr() as usize, 3).is_err());
    }
}
