//! Looks at a child from inside: crashes, panics and hangs say where they are, and what grows is noticed.

use crate::record::Record;
use std::alloc::{GlobalAlloc, Layout, System};
use std::backtrace::Backtrace;
use std::collections::BTreeMap;
use std::fmt;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Counts what is allocated, by the library as well: it is part of this program.
struct Counting;
static BYTES: AtomicIsize = AtomicIsize::new(0);

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BYTES.fetch_add(layout.size() as isize, Relaxed);
        // SAFETY: as the caller promised.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        BYTES.fetch_sub(layout.size() as isize, Relaxed);
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const FATAL: [i32; 5] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGABRT];

extern "C" fn crashed(signal: i32, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    static ONCE: AtomicBool = AtomicBool::new(false);
    // SAFETY: the kernel's own description of the signal; the signal ends the process when it comes again.
    unsafe {
        if !ONCE.swap(true, Relaxed) {
            // Whatever the handler runs into: this is the end.
            libc::alarm(60);
            let registers = &(*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs;
            let at = registers[libc::REG_RIP as usize];
            eprintln!("signal {signal} in thread {}, at {at:#x}, address {:?}", thread(), (*info).si_addr());
            if !ask_debugger() {
                eprintln!("{}", Backtrace::force_capture());
            }
        }
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
}

extern "C" fn asked(_: i32) {
    eprintln!("thread {}:\n{}", thread(), Backtrace::force_capture());
}

fn thread() -> i32 {
    // SAFETY: a plain query.
    unsafe { libc::gettid() }
}

/// Fatal signals and panics print where they are, and end the process. Before the library starts: its own handler hands
/// on what is not its own.
pub fn catch_crashes() {
    for signal in FATAL.into_iter().chain([libc::SIGUSR2]) {
        let handler = if signal == libc::SIGUSR2 { asked as *const () } else { crashed as *const () };
        // SAFETY: a handler of ours; it does more than a handler should, in a process that is lost.
        unsafe {
            let mut action: libc::sigaction = core::mem::zeroed();
            action.sa_sigaction = handler as usize;
            action.sa_flags = libc::SA_ONSTACK | libc::SA_RESTART | libc::SA_SIGINFO;
            libc::sigaction(signal, &action, std::ptr::null_mut());
        }
    }
    own_stack();
    std::panic::set_hook(Box::new(|info| {
        eprintln!("{info}\n{}", Backtrace::force_capture());
        std::process::abort();
    }));
    let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: no files of dead processes.
    unsafe { libc::setrlimit(libc::RLIMIT_CORE, &none) };
}

/// A stack for the handlers of this thread that has room for a backtrace.
pub fn own_stack() {
    thread_local! {
        static STACK: Box<[u8]> = vec![0; 256 << 10].into_boxed_slice();
    }
    STACK.with(|stack| {
        let stack = libc::stack_t { ss_sp: stack.as_ptr() as *mut _, ss_flags: 0, ss_size: stack.len() };
        // SAFETY: the memory lives as long as the thread.
        unsafe { libc::sigaltstack(&stack, std::ptr::null_mut()) };
    });
}

/// A child in which no call begins for so many seconds says where its threads are, and ends.
pub fn watch_progress(record: Record, patience: u64) {
    std::thread::spawn(move || {
        let mut seen = (record.total(), Instant::now());
        loop {
            std::thread::sleep(Duration::from_millis(200));
            if record.total() != seen.0 {
                seen = (record.total(), Instant::now());
            } else if seen.1.elapsed() > Duration::from_secs(patience) {
                eprintln!("hangs: no call in {patience} s");
                if !ask_debugger() {
                    ask_threads();
                }
                // SAFETY: nothing of this process is worth an orderly end.
                unsafe { libc::_exit(3) };
            }
        }
    });
}

/// Where all threads are, by a debugger if there is one.
fn ask_debugger() -> bool {
    // SAFETY: lets any process look at this one.
    unsafe { libc::prctl(libc::PR_SET_PTRACER, libc::PR_SET_PTRACER_ANY) };
    let mut debugger = Command::new("gdb");
    debugger.args(["-p", &std::process::id().to_string(), "-batch", "-ex", "thread apply all backtrace 30"]);
    match debugger.stdin(Stdio::null()).output() {
        Ok(output) if output.status.success() => {
            eprintln!("{}", String::from_utf8_lossy(&output.stdout));
            true
        }
        _ => false,
    }
}

/// The same, as each thread says it.
fn ask_threads() {
    for task in numbers("/proc/self/task").into_iter().filter(|&task| task != thread()) {
        // SAFETY: asks a thread of ours to say where it is.
        unsafe { libc::syscall(libc::SYS_tgkill, libc::getpid(), task, libc::SIGUSR2) };
        std::thread::sleep(Duration::from_millis(300));
    }
}

fn numbers(folder: &str) -> Vec<i32> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// What the open descriptors are.
pub fn descriptors() -> String {
    let links = numbers("/proc/self/fd").into_iter().map(|fd| format!("/proc/self/fd/{fd}"));
    let text = |link: String| {
        let size = std::fs::metadata(&link).map_or(0, |data| data.len());
        Some(format!("{}: {size} bytes\n", std::fs::read_link(&link).ok()?.display()))
    };
    links.filter_map(text).collect()
}

/// The mappings that have much memory.
pub fn large_mappings() -> String {
    let text = std::fs::read_to_string("/proc/self/smaps").unwrap_or_default();
    let (mut head, mut found) = ("", String::new());
    for line in text.lines() {
        if line.split(' ').next().is_some_and(|word| word.contains('-')) {
            head = line;
        } else if let Some(size) = line.strip_prefix("Rss:")
            && size.trim().trim_end_matches(" kB").parse::<u64>().is_ok_and(|size| size >= 8 << 10)
        {
            found += &format!("{head}: {}\n", size.trim());
        }
    }
    found
}

/// What is in use after each round.
#[derive(Default)]
pub struct Growth {
    looks: Vec<[i64; 6]>,
    /// The most of each kind that lived after a round.
    most: BTreeMap<String, u64>,
}

const NAMES: [&str; 6] =
    ["bytes allocated", "resident bytes", "descriptors", "threads", "mappings", "bytes of the devices"];
/// What a later round may have more than an early one. Tables keep the size that they once needed, and freed memory stays
/// resident for the next use. Of descriptors one is a file that all physical memory shares. Threads: workers that are about to
/// end; helpers of kernels, one a core, begin when they are first wanted.
const ROOM: [i64; 6] = [1 << 20, 256 << 20, 1, 2, 32, 0];
const THREADS: usize = 3;

impl Growth {
    pub fn look(&mut self, devices: u64) {
        let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
        let resident = statm.split(' ').nth(1).and_then(|pages| pages.parse::<i64>().ok()).unwrap_or(0) * 4096;
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default().lines().count() as i64;
        let count = |folder| numbers(folder).len() as i64;
        self.looks.push([
            BYTES.load(Relaxed) as i64,
            resident,
            count("/proc/self/fd"),
            count("/proc/self/task"),
            maps,
            devices as i64,
        ]);
    }

    /// Of which kinds more lives than after any earlier round, as text: who looks for the cause of growth begins there. In the
    /// first rounds nothing is told.
    pub fn look_closer(&mut self, settled: bool) -> Vec<String> {
        let mut more = Vec::new();
        for (kind, count) in device::census() {
            let most = self.most.entry(kind.clone()).or_default();
            if count > *most {
                more.push(format!("{count} {kind} ({most} before)"));
                *most = count;
            }
        }
        if settled { more } else { Vec::new() }
    }

    /// What was in use after the last round.
    pub fn last(&self) -> String {
        let words = self.looks.iter().next_back().into_iter().flat_map(|look| NAMES.iter().zip(look));
        words.map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
    }

    /// What had grown beyond its room in all of the last rounds, compared with the first ones.
    pub fn fault(&self, settled: usize) -> Option<String> {
        let looks = self.looks.get(settled..)?;
        let part = looks.len() / 4;
        let (early, late) = (looks.get(..part)?, looks.get(looks.len() - part..)?);
        let mut faults = Vec::new();
        for i in 0..NAMES.len() {
            let most = early.iter().map(|look| look[i]).max()?;
            let least = late.iter().map(|look| look[i]).min()?;
            let cores = std::thread::available_parallelism().map_or(1, usize::from) as i64;
            if least > most + ROOM[i] + if i == THREADS { cores } else { 0 } {
                let all: Vec<_> = self.looks.iter().map(|look| look[i].to_string()).collect();
                faults.push(format!("{}: {}", NAMES[i], all.join(" ")));
                if NAMES[i] == "descriptors" {
                    faults.push(descriptors());
                }
                if NAMES[i] == "resident bytes" {
                    faults.push(large_mappings());
                }
            }
        }
        (!faults.is_empty()).then(|| faults.join("\n"))
    }
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Some(first), Some(last)) = (self.looks.first(), self.looks.last()) else {
            return f.write_str("no round ended");
        };
        let each = (0..NAMES.len()).map(|i| format!("{} {} -> {}", NAMES[i], first[i], last[i]));
        f.write_str(&each.collect::<Vec<_>>().join(", "))
    }
}
