//! What Rust's standard library unwinds the stack with, opened when it is first needed.
//!
//! The standard library calls the functions of `libgcc_s.so.1` by name. Here are these names, for the linker alone: none of our
//! libraries and programs needs `libgcc_s.so.1` to be loaded, and a program that never panics and shows no call stacks never opens it. A
//! call goes to the system's library, the one that glibc opens to end a thread and that C++ is linked with: a process has one unwinder,
//! whoever asked for it first.
//!
//! Where the system has none, it is `libdoppel-unwind.so`, which the packages have beside our libraries: nothing else in such a
//! process unwinds, as glibc cannot without libgcc_s, and C++ is not there. Without that, too, call stacks are empty, and a panic ends the process
//! with a message.
//!
//! A library or program that is to have these names says `extern crate unwinder`, directly or by a crate that it uses.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};

/// Where the fields of [`TABLE`] lead: the functions that Rust's standard library calls. `build.sh` reads them here.
const NAMES: [&CStr; 14] = [
    c"_Unwind_Backtrace",
    c"_Unwind_DeleteException",
    c"_Unwind_FindEnclosingFunction",
    c"_Unwind_GetCFA",
    c"_Unwind_GetDataRelBase",
    c"_Unwind_GetIP",
    c"_Unwind_GetIPInfo",
    c"_Unwind_GetLanguageSpecificData",
    c"_Unwind_GetRegionStart",
    c"_Unwind_GetTextRelBase",
    c"_Unwind_RaiseException",
    c"_Unwind_Resume",
    c"_Unwind_SetGR",
    c"_Unwind_SetIP",
];
/// The first of them: call stacks.
const BACKTRACE: usize = 0;

/// The functions, null until they were first asked for.
static TABLE: [AtomicPtr<c_void>; NAMES.len()] = [const { AtomicPtr::new(ptr::null_mut()) }; NAMES.len()];

// The names that the linker finds, hidden: no library of ours exports them, so that no other one is bound to them. They jump, so that the
// unwinder begins with the frame of who called, and keep the arguments, of which there are three at most.
macro_rules! names {
    ($($name:literal $index:literal),*) => {
        core::arch::global_asm!(
            ".pushsection .text.doppel_unwinder, \"ax\", @progbits",
            $(
                concat!(".hidden ", $name),
                concat!(".globl ", $name),
                concat!(".type ", $name, ", @function"),
                ".p2align 4",
                concat!($name, ":"),
                ".cfi_startproc",
                concat!("mov rax, qword ptr [rip + {table} + 8 * ", $index, "]"),
                "test rax, rax",
                "je 2f",
                "jmp rax",
                concat!("2: mov eax, ", $index),
                "jmp 3f",
                ".cfi_endproc",
                concat!(".size ", $name, ", . - ", $name),
            )*
            "3:",
            ".cfi_startproc",
            "push rdi",
            ".cfi_adjust_cfa_offset 8",
            "push rsi",
            ".cfi_adjust_cfa_offset 8",
            "push rdx",
            ".cfi_adjust_cfa_offset 8",
            "mov edi, eax",
            "call {find}",
            "pop rdx",
            ".cfi_adjust_cfa_offset -8",
            "pop rsi",
            ".cfi_adjust_cfa_offset -8",
            "pop rdi",
            ".cfi_adjust_cfa_offset -8",
            "jmp rax",
            ".cfi_endproc",
            ".popsection",
            table = sym TABLE,
            find = sym find,
        );
    };
}
names!(
    "_Unwind_Backtrace" 0,
    "_Unwind_DeleteException" 1,
    "_Unwind_FindEnclosingFunction" 2,
    "_Unwind_GetCFA" 3,
    "_Unwind_GetDataRelBase" 4,
    "_Unwind_GetIP" 5,
    "_Unwind_GetIPInfo" 6,
    "_Unwind_GetLanguageSpecificData" 7,
    "_Unwind_GetRegionStart" 8,
    "_Unwind_GetTextRelBase" 9,
    "_Unwind_RaiseException" 10,
    "_Unwind_Resume" 11,
    "_Unwind_SetGR" 12,
    "_Unwind_SetIP" 13
);

/// The function with this index, for one that is not in [`TABLE`]. Allocates nothing of ours, and leaves `errno` as it is.
#[cold]
extern "C" fn find(index: usize) -> *mut c_void {
    // SAFETY: the thread's own variable.
    let errno = unsafe { libc::__errno_location() };
    // SAFETY: as above.
    let before = unsafe { *errno };
    let mut found = [ptr::null_mut(); NAMES.len()];
    let target = if open(&mut found) {
        for (place, function) in TABLE.iter().zip(found) {
            place.store(function, Ordering::Release);
        }
        found[index]
    } else if index == BACKTRACE {
        // Asked for often where calls are checked. A panic looks for the library again: descriptors may have been short.
        let none = no_frames as *mut c_void;
        TABLE[BACKTRACE].store(none, Ordering::Release);
        none
    } else {
        none as *mut c_void
    };
    // SAFETY: as above.
    unsafe { *errno = before };
    target
}

/// All functions: of the system's library, or else of the one beside us. What was opened stays open: these functions are called as long as
/// there is code of ours.
fn open(found: &mut [*mut c_void; NAMES.len()]) -> bool {
    // SAFETY: its constructors do what the loader would have had them do.
    let system = unsafe { libc::dlopen(c"libgcc_s.so.1".as_ptr(), libc::RTLD_NOW) };
    let all = |(name, place): (&&CStr, &mut *mut c_void)| {
        // SAFETY: an open library, and a name.
        *place = unsafe { libc::dlsym(system, name.as_ptr()) };
        !place.is_null()
    };
    if !system.is_null() && NAMES.iter().zip(found.iter_mut()).all(all) {
        return true;
    }
    let mut path = [0; 4096];
    ["libdoppel-unwind.so", "../lib/libdoppel-unwind.so"].iter().any(|name| {
        if !beside(name, &mut path) {
            return false;
        }
        // SAFETY: a string, and a library of our making, whose table has the functions in this order.
        unsafe {
            let library = libc::dlopen(path.as_ptr(), libc::RTLD_NOW);
            if library.is_null() {
                return false;
            }
            let table = libc::dlsym(library, c"doppel_unwinder".as_ptr()).cast::<[*mut c_void; NAMES.len()]>();
            table.as_ref().inspect(|table| *found = **table).is_some()
        }
    })
}

/// Writes the path of a file in the folder of this library or program.
fn beside(name: &str, path: &mut [c_char; 4096]) -> bool {
    // SAFETY: the structure is plain data; names of loaded files stay.
    let own = unsafe {
        let mut info: libc::Dl_info = core::mem::zeroed();
        if libc::dladdr(find as *const c_void, &mut info) == 0 || info.dli_fname.is_null() {
            return false;
        }
        let mut own = CStr::from_ptr(info.dli_fname).to_bytes();
        let started = libc::getauxval(libc::AT_EXECFN) as *const c_char;
        // A program that was found by PATH calls itself by its name alone.
        if !own.contains(&b'/') && !started.is_null() {
            own = CStr::from_ptr(started).to_bytes();
        }
        own
    };
    let folder = own.iter().rposition(|&b| b == b'/').map_or(&b""[..], |at| &own[..=at]);
    // Without a folder the loader would search for it.
    if folder.is_empty() || folder.len() + name.len() >= path.len() {
        return false;
    }
    path.fill(0);
    for (to, &from) in path.iter_mut().zip(folder.iter().chain(name.as_bytes())) {
        *to = from as c_char;
    }
    true
}

/// A call stack without frames: `_URC_END_OF_STACK`.
extern "C" fn no_frames() -> c_int {
    5
}

/// The end of a process that panics and cannot unwind.
extern "C" fn none() -> ! {
    const TEXT: &str = "doppel: a panic cannot be caught without libgcc_s.so.1, which this system lacks (Debian: libgcc-s1): the process ends\n";
    // SAFETY: writes a text.
    unsafe {
        libc::write(2, TEXT.as_ptr().cast(), TEXT.len());
        libc::abort()
    }
}
