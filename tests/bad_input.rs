//! Every entry point with every kind of wrong argument: no crash, no hang, an error code or a harmless success.
//!
//! The list is the function table itself. Each phase runs in a process of its own, which names the function it is about
//! to call, so that a crash or a hang tells which one it was.

#![expect(clippy::disallowed_methods, reason = "memory of the test itself")]

use cuda::table::{ENTRIES, Entry};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, ExitCode, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Enough words for the registers and for every structure that is passed by value on the stack.
const WORDS: usize = 20;
type Function = unsafe extern "C" fn(
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
) -> u32;

/// A phase: what the process has done before it calls everything.
const PHASES: [&str; 9] =
    ["before-init", "no-context", "context", "destroyed-context", "mixed", "live", "threads", "after-fork", "at-exit"];

/// A function that really takes time or ends the process when its arguments are right, with the reason.
fn excluded(name: &str, phase: &str) -> bool {
    // A wait for a word that never comes is what the program asked for; these get wrong arguments in every other phase.
    ["mixed", "live"].contains(&phase) && (name.contains("WaitValue") || name.contains("BatchMemOp"))
}

fn call(entry: &Entry, args: [usize; WORDS]) -> u32 {
    // SAFETY: every export takes at most `WORDS` integer words; surplus words are ignored by the calling convention.
    let f: Function = unsafe { std::mem::transmute(entry.address) };
    let [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u] = args;
    // SAFETY: what the test is about: any arguments are to be answered.
    unsafe { f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u) }
}

struct Random(u64);

/// A seed, changed by the environment: `BAD_INPUT_SEED=7 cargo test --test bad_input` looks elsewhere.
fn seeded(seed: u64) -> u64 {
    let other: u64 = std::env::var("BAD_INPUT_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(0);
    (seed ^ other.wrapping_mul(0x9e37_79b9_7f4a_7c15)).max(1)
}

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

unsafe extern "C" fn harmless() {}

/// Zeroed memory with inaccessible memory after it: a copy of a huge length ends at its edge.
fn scratch() -> usize {
    const SIZE: usize = 1 << 20;
    // SAFETY: a fresh mapping.
    unsafe {
        let p = libc::mmap(std::ptr::null_mut(), SIZE + 4096, 3, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 0);
        assert_ne!(p, libc::MAP_FAILED);
        libc::mprotect(p.add(SIZE), 4096, libc::PROT_NONE);
        p as usize
    }
}

/// Calls everything with uniform words: NULL, one, all ones, and random numbers that are no addresses.
fn wrong(phase: &str, report: &mut dyn FnMut(&str)) {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for entry in sorted() {
        if excluded(entry.name(), phase) || entry.name() == "cuInit" {
            continue;
        }
        report(entry.name());
        for word in [0, 1, usize::MAX, 0x1230, usize::MAX / 2] {
            check(entry, call(entry, [word; WORDS]));
        }
        for _ in 0..20 {
            // Never a mapped address: the low half of the address space is ours to avoid, not the library's.
            let args = std::array::from_fn(|_| match random.next() {
                r if r & 1 == 0 => (r >> 44) as usize,
                r => (r | 1 << 63) as usize,
            });
            check(entry, call(entry, args));
        }
    }
}

/// Whether a parameter, as it is declared, is a function of the program.
fn is_callback(parameter: &str) -> bool {
    let parameter = parameter.to_lowercase();
    parameter.contains("callback") || parameter.contains("hostfn") || parameter.starts_with("fn")
}

/// Calls everything with some arguments right and some wrong: gets past the first check.
fn mixed(report: &mut dyn FnMut(&str)) {
    let scratch = scratch();
    let mut random = Random(seeded(0x2545_f491_4f6c_dd1d));
    for entry in sorted() {
        if excluded(entry.name(), "mixed") {
            continue;
        }
        report(entry.name());
        let callback: Vec<bool> = entry.params.split(", ").map(is_callback).collect();
        for _ in 0..60 {
            let args = std::array::from_fn(|i| {
                if callback.get(i).copied().unwrap_or(false) {
                    return if random.next() & 1 == 0 { 0 } else { harmless as *const () as usize };
                }
                match random.next() % 8 {
                    0 => 0,
                    1 => 1,
                    2 => usize::MAX,
                    3 => (random.next() % 4096) as usize,
                    4 => (random.next() | 1 << 63) as usize,
                    _ => scratch + (random.next() % 64) as usize * 512,
                }
            });
            check(entry, call(entry, args));
        }
        // SAFETY: our own mapping: what one function left there is no argument for the next.
        unsafe { std::ptr::write_bytes(scratch as *mut u8, 0, 1 << 20) };
    }
}

/// A kernel that writes where it is told.
const CODE: &std::ffi::CStr = c".version 7.0\n.target sm_70\n.address_size 64\n.visible .global .u32 g;\n\
    .visible .entry k(.param .u64 p) { .reg .b64 %a; ld.param.u64 %a, [p]; st.global.u32 [%a], 5; ret; }";

/// A context with an object of each of the common kinds: what a program has in its hands. Some may be missing.
fn live_objects() -> Vec<usize> {
    let context = make_context();
    let mut words = vec![context];
    let mut make = |name: &str, rest: &[usize]| {
        let mut word = 0usize;
        let mut args = vec![&raw mut word as usize];
        args.extend_from_slice(rest);
        if simple(name, &args) == 0 {
            words.push(word);
        }
        word
    };
    make("cuMemAlloc_v2", &[1 << 16]);
    make("cuMemAlloc_v2", &[3 << 20]);
    make("cuMemHostAlloc", &[1 << 16, 0]);
    make("cuMemAllocManaged", &[1 << 16, 1]);
    let stream = make("cuStreamCreate", &[1]);
    make("cuStreamCreate", &[0]);
    make("cuMemAllocAsync", &[1 << 16, stream]);
    make("cuEventCreate", &[0]);
    make("cuGraphCreate", &[0]);
    make("cuDeviceGetDefaultMemPool", &[0]);
    make("cuMemAddressReserve", &[4 << 20, 0, 0, 0]);
    // Width, height, format 8-bit unsigned, one channel; the second with a depth and without flags.
    let flat: [usize; 3] = [64, 32, 1 | 1 << 32];
    make("cuArrayCreate_v2", &[flat.as_ptr() as usize]);
    let solid: [usize; 5] = [16, 16, 4, 1 | 1 << 32, 0];
    make("cuArray3DCreate_v2", &[solid.as_ptr() as usize]);
    make("cuMipmappedArrayCreate", &[solid.as_ptr() as usize, 3]);
    // Pinned memory on device 0.
    let properties: [usize; 4] = [1, 1, 0, 0];
    make("cuMemCreate", &[2 << 20, properties.as_ptr() as usize, 0]);
    let (text, name) = (CODE.as_ptr() as usize, c"k".as_ptr() as usize);
    let module = make("cuModuleLoadData", &[text]);
    make("cuModuleGetFunction", &[module, name]);
    let library = make("cuLibraryLoadData", &[text, 0, 0, 0, 0, 0, 0]);
    make("cuLibraryGetKernel", &[library, name]);
    words
}

/// Calls everything with live objects among the arguments, in any place. Each function gets a context of its own, which
/// is destroyed with whatever the calls left in it.
fn live(report: &mut dyn FnMut(&str)) {
    let scratch = scratch();
    let mut random = Random(seeded(0x1357_9bdf_0246_8ace));
    for entry in sorted() {
        if excluded(entry.name(), "live") {
            continue;
        }
        report(entry.name());
        for _ in 0..2 {
            let words = live_objects();
            for _ in 0..60 {
                let args = std::array::from_fn(|i| {
                    let callback = entry.params.split(", ").nth(i).is_some_and(is_callback);
                    if callback {
                        return if random.next() & 1 == 0 { 0 } else { harmless as *const () as usize };
                    }
                    match random.next() % 12 {
                        0 => 0,
                        1 => 1,
                        2 => (random.next() % 64) as usize,
                        3 => (random.next() % (1 << 17)) as usize,
                        4 => usize::MAX,
                        5..8 => scratch + (random.next() % 64) as usize * 512,
                        n => words[random.next() as usize % words.len()] + if n == 8 { 64 } else { 0 },
                    }
                });
                check(entry, call(entry, args));
                // Structures full of live objects.
                for _ in 0..8 {
                    let at = (scratch + (random.next() % 4096) as usize * 8) as *mut usize;
                    // SAFETY: inside of the scratch memory.
                    unsafe { at.write_volatile(words[random.next() as usize % words.len()]) };
                }
            }
            report(&format!("{}, then cuCtxDestroy", entry.name()));
            simple("cuCtxDestroy_v2", &[words[0]]);
            end_contexts();
            // SAFETY: our own mapping.
            unsafe { std::ptr::write_bytes(scratch as *mut u8, 0, 1 << 16) };
        }
    }
}

/// A result code is one that the API knows. Functions of the debugger interface return anything.
fn check(entry: &Entry, code: u32) {
    assert!(
        code < 1000 || entry.name().starts_with("cudbg"),
        "{} returned {code}, which is no result code",
        entry.name()
    );
}

fn sorted() -> Vec<&'static Entry> {
    let mut all: Vec<&Entry> = ENTRIES.iter().collect();
    all.sort_by_key(|e| e.name());
    all
}

fn named(name: &str) -> &'static Entry {
    ENTRIES.iter().find(|e| e.name() == name).expect("the table has it")
}

fn simple(name: &str, args: &[usize]) -> u32 {
    let mut words = [0; WORDS];
    words[..args.len()].copy_from_slice(args);
    call(named(name), words)
}

/// Ends the contexts that the calls have left to this thread: an error that one of them has is the device's while it lives.
fn end_contexts() {
    let mut context = 0usize;
    while simple("cuCtxPopCurrent_v2", &[&raw mut context as usize]) == 0 {
        simple("cuCtxDestroy_v2", &[context]);
    }
    (0..2).for_each(|device| {
        simple("cuDevicePrimaryCtxReset_v2", &[device]);
    });
}

fn make_context() -> usize {
    let mut context = 0usize;
    assert_eq!(simple("cuInit", &[0]), 0);
    assert_eq!(simple("cuCtxCreate_v2", &[&raw mut context as usize, 0, 0]), 0);
    context
}

static AT_EXIT: std::sync::Mutex<()> = std::sync::Mutex::new(());

extern "C" fn at_exit() {
    let _alone = AT_EXIT.lock();
    wrong("at-exit", &mut say);
    println!("done");
}

fn say(name: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{name}");
}

fn child(phase: &str) {
    match phase {
        "before-init" => {
            wrong(phase, &mut say);
            assert_ne!(simple("cuInit", &[usize::MAX]), 0);
        }
        "no-context" => {
            assert_eq!(simple("cuInit", &[0]), 0);
            wrong(phase, &mut say);
        }
        "context" => {
            make_context();
            wrong(phase, &mut say);
        }
        "destroyed-context" => {
            let context = make_context();
            let other = std::thread::spawn(move || simple("cuCtxDestroy_v2", &[context]));
            assert_eq!(other.join().unwrap(), 0);
            wrong(phase, &mut say);
        }
        "mixed" => {
            make_context();
            mixed(&mut say);
        }
        "live" => {
            assert_eq!(simple("cuInit", &[0]), 0);
            live(&mut say);
        }
        "threads" => {
            let context = make_context();
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(move || {
                        simple("cuCtxPushCurrent_v2", &[context]);
                        wrong(phase, &mut say);
                    });
                }
            });
        }
        "after-fork" => {
            make_context();
            // SAFETY: the process has threads of the library's own at most; the child calls the library and exits.
            let pid = unsafe { libc::fork() };
            if pid == 0 {
                wrong(phase, &mut say);
                assert_eq!(simple("cuInit", &[0]), 3, "the device does not survive a fork");
                println!("done");
                // SAFETY: ends the child without the parent's exit handlers.
                unsafe { libc::_exit(0) };
            }
            let mut status = 0;
            // SAFETY: waits for the child above.
            unsafe { libc::waitpid(pid, &mut status, 0) };
            assert_eq!(status, 0, "the child ended with {status:#x}");
            return;
        }
        "at-exit" => {
            make_context();
            // SAFETY: registers a function of this program.
            unsafe { libc::atexit(at_exit) };
            return;
        }
        _ => panic!("no such phase: {phase}"),
    }
    println!("done");
}

fn run(phase: &str) -> Result<(), String> {
    let mut child = Command::new(std::env::current_exe().expect("the test knows itself"))
        // Some functions write files, to any name.
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .env("BAD_INPUT_PHASE", phase)
        .env("DOPPEL_LOG", "off")
        .env("DOPPEL_FAILURE", "contexts")
        .env("DOPPEL_DEVICE_MEMORY", "1GiB")
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|e| e.to_string())?;
    let (send, receive) = channel();
    let output = child.stdout.take().expect("piped");
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                break;
            }
        }
    });
    let mut last = String::from("the start");
    let mut done = false;
    loop {
        match receive.recv_timeout(Duration::from_secs(60)) {
            Ok(line) if line == "done" => done = true,
            Ok(line) => last = line,
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("hangs in {last}"));
            }
        }
    }
    let status = child.wait().map_err(|e| e.to_string())?;
    if status.success() && done { Ok(()) } else { Err(format!("{status} in {last}")) }
}

fn main() -> ExitCode {
    if let Ok(phase) = std::env::var("BAD_INPUT_PHASE") {
        child(&phase);
        return ExitCode::SUCCESS;
    }
    let filter = std::env::args().skip(1).find(|a| !a.starts_with('-'));
    let (mut passed, mut failed) = (0, 0);
    for phase in PHASES {
        if filter.as_ref().is_some_and(|f| !phase.contains(f.as_str())) {
            continue;
        }
        match run(phase) {
            Ok(()) => {
                passed += 1;
                println!("bad input, {phase}: {} entry points ok", ENTRIES.len());
            }
            Err(why) => {
                failed += 1;
                println!("bad input, {phase}: {why}");
            }
        }
    }
    println!("{passed} passed, {failed} failed");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
