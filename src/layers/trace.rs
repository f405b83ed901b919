//! `DOPPEL_TRACE`: a line for each call, as `strace` writes them, or an event of Chrome's JSON, which Perfetto reads.

mod clock;
mod here;
mod kept;
pub mod kernel;
mod keys;
mod launches;
pub mod range;
mod sink;
mod stack;
mod work;

use super::call::{Call, ENDS_KERNELS, LAUNCH, RANGE, STACKS, TRACED};
use crate::show::{Pen, Text, Times};
use crate::table::Entry;
use clock::now;
use core::ops::Range;
use core::ptr;
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering};
use device::stream::Origin;
use error::Error;
use here::{Beginning, Here};
use kept::{KEPT, Lines};
use kernel::Kernel;
use launches::{Launch, Launches};
use parking_lot::Mutex;
use settings::config::{Format, TraceRange, TraceSettings};
use settings::log;
use sink::{Last, Sink};
use std::path::PathBuf;
use std::sync::OnceLock;

static SETTINGS: OnceLock<&'static TraceSettings> = OnceLock::new();

/// What every call looks at, in one line of the cache.
#[repr(align(64))]
struct Common {
    /// The file of this process; null until its first call, in a child of a fork too.
    sink: AtomicPtr<Sink>,
    /// When the first file of this process was opened, by the clock of [`now`].
    start: AtomicU64,
    /// The file is JSON.
    json: AtomicBool,
    /// Calls are written now: [`range`].
    is_open: AtomicBool,
}

/// Beside [`clock::LINE`], so that both are in one page.
#[unsafe(link_section = ".data.trace")]
static COMMON: Common = Common {
    sink: AtomicPtr::new(ptr::null_mut()),
    start: AtomicU64::new(0),
    json: AtomicBool::new(false),
    is_open: AtomicBool::new(true),
};

/// The process's number, which the system would have to be asked for.
static PID: AtomicU32 = AtomicU32::new(0);

/// Children of the process write to files with their number behind the name.
static FORKED: AtomicBool = AtomicBool::new(false);

extern "C" fn after_fork_in_child() {
    FORKED.store(true, Ordering::Relaxed);
    COMMON.sink.store(ptr::null_mut(), Ordering::Release);
    clock::after_fork();
    work::after_fork();
    here::with(Here::after_fork);
}

/// When the library ends: behind the program's own functions for its end, which may make calls.
#[used]
#[unsafe(link_section = ".fini_array")]
static AT_EXIT: extern "C" fn() = at_exit;

extern "C" fn at_exit() {
    let at = COMMON.sink.load(Ordering::Acquire);
    if !at.is_null() && at != closed() {
        // SAFETY: never freed once it is there.
        let sink = unsafe { &*at };
        sink.close(if json() { b"\n]\n" } else { b"" });
    }
}

fn json() -> bool {
    COMMON.json.load(Ordering::Relaxed)
}

/// Traces from now on; the emulated device too, if that is who answers.
pub fn start(settings: &'static TraceSettings, forward: bool) {
    if SETTINGS.set(settings).is_ok() {
        COMMON.json.store(settings.format == Format::Json, Ordering::Relaxed);
        // SAFETY: registers a handler that only stores to atomics.
        unsafe { libc::pthread_atfork(None, None, Some(after_fork_in_child)) };
        clock::start();
        if settings.range == TraceRange::Profiler {
            range::start();
        }
        if !forward {
            work::start();
        }
        sink();
    }
}

/// What is wanted of calls of a function.
pub fn bits(entry: &Entry, settings: &TraceSettings) -> u32 {
    let names = [entry.name(), entry.base];
    let stacks = settings.stacks.as_ref().is_some_and(|calls| calls.matches(&names));
    let ranged = settings.range == TraceRange::Profiler && range::is_about(entry);
    let bits = match settings.calls.matches(&names) {
        true if stacks => TRACED | kernel::bits(entry) | STACKS,
        true => TRACED | kernel::bits(entry) | kept::bits(entry),
        // What traced launches say of handles ends with these, too.
        false => kernel::bits(entry) & ENDS_KERNELS,
    };
    bits | if ranged { RANGE } else { 0 }
}

/// What stands for a file that cannot be written.
fn closed() -> *mut Sink {
    ptr::dangling_mut()
}

fn sink() -> Option<&'static Sink> {
    let mut at = COMMON.sink.load(Ordering::Acquire);
    if at.is_null() {
        at = open();
    }
    // SAFETY: never freed once it is there.
    (at != closed()).then(|| unsafe { &*at })
}

#[cold]
fn open() -> *mut Sink {
    static OPENING: Mutex<()> = Mutex::new(());
    // In a child, a thread of the parent's may have held it: then the child goes without.
    let Some(_opening) = OPENING.try_lock_for(core::time::Duration::from_secs(1)) else { return closed() };
    let at = COMMON.sink.load(Ordering::Acquire);
    if !at.is_null() {
        return at;
    }
    let new = create().map_or(closed(), |sink| ptr::from_ref(sink.keep()).cast_mut());
    COMMON.sink.store(new, Ordering::Release);
    new
}

/// Opens the file of this process, and writes what every file begins with.
fn create() -> Option<Sink> {
    let settings = SETTINGS.get()?;
    let pid = std::process::id();
    PID.store(pid, Ordering::Relaxed);
    let sink = match &settings.file {
        None => Sink::stderr(),
        Some(file) => {
            let name = file.to_string_lossy();
            let own = || match name.contains("%p") {
                true => PathBuf::from(name.replace("%p", &pid.to_string())),
                // The end says what the format is.
                false => match file.extension() {
                    Some(end) => file.with_extension(format!("{pid}.{}", end.to_string_lossy())),
                    None => PathBuf::from(format!("{name}.{pid}")),
                },
            };
            let first = if FORKED.load(Ordering::Relaxed) || name.contains("%p") { own() } else { file.clone() };
            // A file that another process writes is that one's.
            let opened =
                Sink::open(&first).and_then(|sink| sink.map_or_else(|| Sink::open(&own()), |sink| Ok(Some(sink))));
            match opened {
                Ok(Some(sink)) => sink,
                Ok(None) => return None,
                Err(why) => {
                    log::error!("DOPPEL_TRACE: {} cannot be written: {why}", first.display());
                    return None;
                }
            }
        }
    };
    COMMON.start.store(now(), Ordering::Relaxed);
    let program = std::fs::read_link("/proc/self/exe").unwrap_or_default();
    let program = program.file_name().unwrap_or_default().to_string_lossy();
    let mut text = Text::default();
    if settings.format == Format::Json {
        text.push(b"[\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":");
        text.decimal(pid.into());
        text.push(b",\"tid\":0,\"args\":{\"name\":\"");
        let start = text.len();
        text.push(program.as_bytes());
        text.escape_since(start);
        text.push(b"\"}}");
    } else {
        text.push(b"# doppel trace, process ");
        text.decimal(pid.into());
        text.push(b", ");
        text.push(program.replace('\n', " ").as_bytes());
        text.push(b"\n");
    }
    sink.write(&Last::new(), text.bytes());
    Some(sink)
}

/// Makes a call, and writes about it. In most cases all but the times is known, for which there is one straight way.
#[inline(always)]
pub fn around(call: &mut Call, next: impl FnOnce(&mut Call) -> u32) -> u32 {
    here::with(|here| {
        let running = Running::begin(here);
        let launch = (call.layers & LAUNCH != 0).then(|| prepare(call, here));
        let code = next(call);
        let times = running.end(here);
        let Some(sink) = sink() else { return code };
        if code == 0 && call.layers & (KEPT | LAUNCH) != 0 {
            let json = json();
            let write = |text: &[u8]| write_known(json, here, sink, times, text);
            let is_written = match &launch {
                Some(launch) => write_launch(json, call, launch, here, sink, times),
                None => here.remembered(|memory| known(json, call, &mut memory.lines).is_some_and(write)),
            };
            if is_written {
                return code;
            }
        }
        write_unknown(call, launch.as_ref(), here, sink, times, code);
        code
    })
}

/// Looks at a launch before it is made, and asks for what is needed to write about it.
#[inline(never)]
#[unsafe(link_section = ".text.trace")]
fn prepare(call: &Call, here: &Here) -> Launch {
    let launch = Launch::of(call);
    here.remembered(|memory| memory.launches.prefetch(&launch));
    if let Some(sink) = sink() {
        sink.prefetch(&here.place);
    }
    launch
}

/// Writes about a launch that has succeeded, if its text is known. Else: false.
#[inline(never)]
#[unsafe(link_section = ".text.trace")]
fn write_launch(json: bool, call: &Call, launch: &Launch, here: &Here, sink: &Sink, times: (u64, u64)) -> bool {
    let write = |text: &[u8]| write_known(json, here, sink, times, text);
    call.layers & STACKS == 0
        && here.remembered(|memory| known_launch(json, call, launch, &mut memory.launches).is_some_and(write))
}

/// A call that the thread is in the middle of.
struct Running {
    begin: u64,
    /// The call around it.
    before: Origin,
}

impl Running {
    #[inline(always)]
    fn begin(here: &Here) -> Running {
        // The counter of another processor may be a little behind.
        let begin = now().max(here.last.get());
        Running { begin, before: here.call.replace(Origin { begin, thread: here.thread() }) }
    }

    /// When it began, since the trace did, and how long it took.
    #[inline(always)]
    fn end(self, here: &Here) -> (u64, u64) {
        here.call.set(self.before);
        let end = now().max(here.last.get()).max(self.begin);
        here.last.set(end);
        // In the child of a fork, the thread has another number.
        here.thread();
        (self.begin.saturating_sub(COMMON.start.load(Ordering::Relaxed)), end - self.begin)
    }
}

/// The text of a call that has succeeded, between its times and what is behind them in every line.
#[inline(always)]
fn known<'a>(json: bool, call: &Call, lines: &'a mut Lines) -> Option<&'a [u8]> {
    lines.find(call, |text| {
        if json {
            name_and_answer(call, 0, text);
            members(call, 0..usize::MAX, text);
            // The quotation mark is behind it.
            text.shorten_since(0, text.len() - 1);
        } else {
            name(call, text);
            arguments(call, 0..usize::MAX, text);
        }
    })
}

/// The same for a launch: its text ends with its kernel's parameters.
#[inline]
fn known_launch<'a>(json: bool, call: &Call, launch: &Launch, launches: &'a mut Launches) -> Option<&'a [u8]> {
    let before = |text: &mut Text| {
        if json {
            name_and_answer(call, 0, text);
            members(call, 0..launch.at, text);
            text.put(b",\"kernelParams\":\"");
        } else {
            name(call, text);
            arguments(call, 0..launch.at, text);
            text.put(b", kernelParams=");
        }
    };
    let behind = |text: &mut Text| {
        if json {
            text.put(b"\"");
            members(call, launch.at + 1..usize::MAX, text);
            text.put(b",\"kernel\":\"");
        } else {
            arguments(call, launch.at + 1..usize::MAX, text);
            text.put(b" -> ");
        }
    };
    launches.text(launch, if json { LONGEST } else { usize::MAX }, before, behind)
}

/// Writes a line or an event of which all but the times is known. False: it has to be written in another way.
#[inline(never)]
#[unsafe(link_section = ".text.trace")]
fn write_known(json: bool, here: &Here, sink: &Sink, (begin, duration): (u64, u64), text: &[u8]) -> bool {
    let times = if json { Times::microseconds(begin, duration) } else { Times::seconds(begin, duration) };
    let Some(times) = times else { return false };
    here.timed(times.upper, json, |beginning| {
        let around = if json { DURATION.len() + ENDS.len() } else { ANSWER.len() + LINE_ENDS.len() };
        let len = beginning.bytes().len() + 8 + times.width + text.len() + around;
        let elsewhere = |at| sink.write_elsewhere(&here.place, at, &|pen| put(json, pen, beginning, times, text));
        sink.write_by(&here.place, len, |pen| put(json, pen, beginning, times, text), elsewhere);
    });
    true
}

/// What is in a line between its arguments and its duration, if it has succeeded and took less than a tenth of a second.
const ANSWER: &[u8; 21] = b") = CUDA_SUCCESS <0.0";
const LINE_ENDS: &[u8; 2] = b">\n";
/// What is behind the arguments of an event of which all but the times is known.
const ENDS: &[u8; 3] = b"\"}}";

#[inline(always)]
fn put(json: bool, pen: &mut Pen<'_>, beginning: &Beginning, times: Times, text: &[u8]) {
    beginning.write(pen);
    pen.word(times.begin, 8);
    if json {
        pen.put(DURATION);
        pen.word(times.duration, times.width);
        pen.push_long(text);
        pen.put(ENDS);
    } else {
        pen.push_long(text);
        pen.put(ANSWER);
        pen.word(times.duration, times.width);
        pen.put(LINE_ENDS);
    }
}

/// Writes about any call.
#[inline(never)]
fn write_unknown(call: &Call, launch: Option<&Launch>, here: &Here, sink: &Sink, times: (u64, u64), code: u32) {
    let mut text = Text::default();
    text.follow(code == 0);
    let stack = (call.layers & STACKS != 0).then(stack::here);
    let mut put = |kernel: Launched<'_>| {
        if json() {
            write_json(call, here, code, times, stack.as_deref(), kernel, &mut text);
        } else {
            write_line(call, here, code, times, kernel, &mut text);
        }
    };
    match launch.filter(|_| code == 0) {
        Some(launch) => here.remembered(|memory| {
            put(memory.launches.kernel(launch).map(|kernel| (&**kernel, launch.parameters)));
        }),
        None => put(None),
    }
    match stack.filter(|_| !json()) {
        // One piece: lines of other threads do not come between.
        Some(stack) => sink.write(&here.place, &[text.bytes(), stack.as_bytes()].concat()),
        None => sink.write(&here.place, text.bytes()),
    }
}

fn result(code: u32, text: &mut Text) {
    use core::fmt::Write;
    match Error::from_code(code) {
        None => text.put(b"CUDA_SUCCESS"),
        Some(error) => {
            let _ = write!(text, "{error:?}");
        }
    }
}

/// What is shown of a value in JSON.
const LONGEST: usize = 300;

/// What has to fit behind the arguments.
const BEHIND: usize = 160;

/// Writes arguments of a line.
fn arguments(call: &Call, which: Range<usize>, text: &mut Text) {
    for (i, parameter) in call.entry.parameters.iter().enumerate().take(which.end).skip(which.start) {
        if i > 0 {
            text.put(b", ");
        }
        text.push(parameter.name().as_bytes());
        text.put(b"=");
        // SAFETY: the argument is of the parameter's type.
        unsafe { call.show(i, parameter, text) };
    }
}

fn name(call: &Call, text: &mut Text) {
    text.put(b" ");
    text.push(call.entry.name().as_bytes());
    text.put(b"(");
}

/// The kernel of a launch that has succeeded, and the array of the addresses of its parameters.
type Launched<'a> = Option<(&'a Kernel, usize)>;

fn write_line(call: &Call, here: &Here, code: u32, times: (u64, u64), kernel: Launched<'_>, text: &mut Text) {
    text.pen(|pen| {
        here.beginning.borrow().write(pen);
        pen.seconds(times.0);
    });
    name(call, text);
    arguments(call, 0..usize::MAX, text);
    if let Some((kernel, parameters)) = kernel {
        text.put(b" -> ");
        kernel.show(parameters, text);
    }
    text.keep_free(BEHIND);
    text.put(b") = ");
    result(code, text);
    text.pen(|pen| {
        pen.put(b" <");
        pen.seconds(times.1);
        pen.put(b">\n");
    });
}

/// Writes arguments of an event as members of its object.
fn members(call: &Call, which: Range<usize>, text: &mut Text) {
    for (i, parameter) in call.entry.parameters.iter().enumerate().take(which.end).skip(which.start) {
        // Half a value would be no JSON.
        if text.room() < 1024 {
            break;
        }
        text.push(parameter.key.as_bytes());
        let start = text.len();
        // SAFETY: the argument is of the parameter's type.
        unsafe { call.show(i, parameter, text) };
        text.shorten_since(start, LONGEST);
        text.escape_values_since(start);
        text.put(b"\"");
    }
}

/// What is in an event between its time and its duration.
const DURATION: &[u8; 7] = b",\"dur\":";

/// Writes what is behind the times of an event, up to the arguments: all of that may be kept.
fn name_and_answer(call: &Call, code: u32, text: &mut Text) {
    text.put(b",\"name\":\"");
    text.push(call.entry.name().as_bytes());
    text.put(b"\",\"args\":{\"result\":\"");
    result(code, text);
    text.put(b"\"");
}

fn write_json(
    call: &Call,
    here: &Here,
    code: u32,
    times: (u64, u64),
    stack: Option<&str>,
    kernel: Launched<'_>,
    text: &mut Text,
) {
    text.pen(|pen| {
        here.beginning.borrow().write(pen);
        pen.microseconds(times.0);
        pen.put(DURATION);
        pen.microseconds(times.1);
    });
    name_and_answer(call, code, text);
    members(call, 0..usize::MAX, text);
    if let Some((kernel, parameters)) = kernel.filter(|_| text.room() >= 1024) {
        text.put(b",\"kernel\":\"");
        let start = text.len();
        kernel.show(parameters, text);
        text.shorten_since(start, LONGEST);
        text.escape_values_since(start);
        text.put(b"\"");
    }
    if let Some(stack) = stack {
        // Half of the room: what has to be escaped takes more.
        text.put(b",\"stack\":\"");
        let (start, most) = (text.len(), text.room().saturating_sub(BEHIND) / 2);
        text.push(stack.trim_end().as_bytes());
        text.shorten_since(start, most);
        text.escape_since(start);
        text.put(b"\"");
    }
    text.put(b"}}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::call::LAUNCH_BY_CONFIG;
    use record::signature::Kind;
    use std::cell::Cell;

    /// Numbers that look like any.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, most: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % most
        }

        /// A number of any length.
        fn number(&mut self) -> u64 {
            let (high, low) = (self.below(1 << 31), self.below(1 << 31));
            ((high << 33) | low) >> self.below(64)
        }
    }

    /// When a call began, and how long it took.
    const TIMES: (u64, u64) = (12_000_000_001, 2);

    /// How a launch is asked for.
    #[derive(Clone)]
    struct Asked {
        name: &'static str,
        function: usize,
        shape: [u32; 7],
        stream: usize,
        attributes: (usize, u32),
        list: usize,
        extra: usize,
    }

    /// The line and the event of a launch, with what is kept and without, in this order.
    fn texts(asked: &Asked, launches: &mut Launches) -> [String; 4] {
        let entry = crate::table::by_name(asked.name).unwrap();
        let config = [
            u64::from(asked.shape[0]) | (u64::from(asked.shape[1]) << 32),
            u64::from(asked.shape[2]) | (u64::from(asked.shape[3]) << 32),
            u64::from(asked.shape[4]) | (u64::from(asked.shape[5]) << 32),
            // What is between fields is anything.
            u64::from(asked.shape[6]) | ((asked.list as u64) << 32),
            asked.stream as u64,
            asked.attributes.0 as u64,
            u64::from(asked.attributes.1) | ((asked.extra as u64 + 1) << 32),
        ];
        let config = config.as_ptr();

        let shape = asked.shape.iter().map(|n| ptr::from_ref(n).cast());
        let (function, stream) = (ptr::from_ref(&asked.function).cast(), ptr::from_ref(&asked.stream).cast());
        let (list, extra) = (ptr::from_ref(&asked.list).cast(), ptr::from_ref(&asked.extra).cast());
        let arguments: Vec<*const ()> = match entry.base {
            "cuLaunchKernelEx" => vec![(&raw const config).cast(), function, list, extra],
            "cuLaunchKernel" => [function].into_iter().chain(shape).chain([stream, list, extra]).collect(),
            _ => [function].into_iter().chain(shape).chain([stream, list]).collect(),
        };
        assert_eq!(arguments.len(), entry.parameters.len());
        // SAFETY: nothing is called.
        let call = unsafe { Call::new(entry, &arguments, none) };
        let reference = |json: bool| {
            let kernel = kernel::find(asked.function);
            here::with(|here| unknown(json, &call, here, kernel.as_deref().map(|kernel| (kernel, asked.list))))
        };
        let one = |json: bool, launches: &mut Launches| {
            let written = here::with(|here| {
                known_launch(json, &call, &Launch::of(&call), launches)
                    .map(|text| written(|sink| assert!(write_known(json, here, sink, TIMES, text))))
            });
            written.unwrap_or_else(|| reference(json))
        };
        let line = one(false, launches);
        // Events are kept elsewhere: a process writes but one of the two.
        let mut events = EVENTS.take();
        let event = one(true, &mut events);
        EVENTS.set(events);
        [line, event, reference(false), reference(true)]
    }

    /// What is behind calls that are not made.
    unsafe fn none(_: *const *const ()) -> u32 {
        0
    }

    /// A call as it is written when nothing is known of it.
    fn unknown(json: bool, call: &Call, here: &Here, kernel: Launched<'_>) -> String {
        let mut text = Text::default();
        match json {
            true => write_json(call, here, 0, TIMES, None, kernel, &mut text),
            false => write_line(call, here, 0, TIMES, kernel, &mut text),
        }
        String::from_utf8(text.bytes().to_vec()).unwrap()
    }

    /// What a sink gets.
    fn written(write: impl FnOnce(&Sink)) -> String {
        thread_local! {
            static SINK: Sink = {
                let name = format!("doppel-trace-{:?}-{}", std::thread::current().id(), std::process::id());
                let path = std::env::temp_dir().join(name);
                let sink = Sink::open(&path).unwrap().unwrap();
                std::fs::remove_file(&path).unwrap();
                sink
            };
        }
        SINK.with(|sink| String::from_utf8(sink.written(|| write(sink))).unwrap())
    }

    thread_local! {
        static EVENTS: Cell<Launches> = Cell::new(Launches::default());
    }

    const NAMES: [&str; 4] = ["cuLaunchKernel", "cuLaunchKernelEx", "cuLaunchCooperativeKernel", "cuLaunchKernel_ptsz"];

    fn asked(name: &'static str, function: usize, list: usize) -> Asked {
        Asked { name, function, shape: [2, 1, 1, 32, 1, 1, 0], stream: 0, attributes: (0, 0), list, extra: 0 }
    }

    /// Calls are written as if no line were kept, for all functions of which lines are.
    #[test]
    fn kept_lines_are_those_that_would_be_written() {
        let mut dice = Dice(2);
        let (mut functions, mut found) = (0, 0);
        for entry in crate::table::ENTRIES {
            let bits = kept::bits(entry);
            if bits == 0 {
                continue;
            }
            functions += 1;
            // Other tests have launches of their own.
            entry.put_layers(entry.layers() | bits);
            for json in [false, true] {
                // Lines and events are not kept in one process.
                let here = Here::for_test();
                for _ in 0..60 {
                    // Few values, so that most calls are known.
                    let values: Vec<u64> =
                        (0..4).map(|_| [0, 1, 2, 5, 0x7000_0000_0040, u64::MAX][dice.below(6) as usize]).collect();
                    let words: Vec<u64> = entry
                        .parameters
                        .iter()
                        .zip(&values)
                        .map(|(parameter, value)| match (parameter.ty.shape.kind, dice.below(8)) {
                            (crate::show::Kind::Pointer { .. }, 0) => 0,
                            (crate::show::Kind::Pointer { .. }, 1) => 0x20_0000,
                            (crate::show::Kind::Pointer { .. }, _) => core::ptr::from_ref(value).addr() as u64,
                            _ => *value,
                        })
                        .collect();
                    let arguments: Vec<*const ()> = words.iter().map(|word| ptr::from_ref(word).cast()).collect();
                    // SAFETY: nothing is called.
                    let call = unsafe { Call::new(entry, &arguments, none) };
                    let reference = unknown(json, &call, &here, None);
                    let text = here.remembered(|memory| {
                        known(json, &call, &mut memory.lines)
                            .map(|text| written(|sink| assert!(write_known(json, &here, sink, TIMES, text))))
                    });
                    if let Some(text) = text {
                        found += 1;
                        assert_eq!(text, reference, "{}", entry.name());
                    }
                }
                here.forget_for_test();
            }
        }
        assert!(functions > 100 && found > 60 * functions, "{functions} {found}");
    }

    /// Launches are written as if nothing of them were kept, whatever was launched before.
    #[test]
    fn nothing_stale_is_written() {
        for name in NAMES {
            let by_config = if name.contains("Ex") { LAUNCH_BY_CONFIG } else { 0 };
            crate::table::by_name(name).unwrap().put_layers(LAUNCH | by_config);
        }
        // Handles of other tests are none of these.
        const FIRST: usize = 0x7a00_0000_0000;
        let mut launches = Launches::default();
        let (address, number) = (0x7f00_1234_0000u64, -7i32);
        let list = [&raw const address as usize, &raw const number as usize];
        let with = |function| asked("cuLaunchKernel", function, list.as_ptr() as usize);

        // The text itself, before a handle ends and when it is another function's.
        let pair = [(8, Kind::Address), (4, Kind::Signed)];
        kernel::know(FIRST, "before", &pair);
        for _ in 0..2 {
            let [line, event, ..] = texts(&with(FIRST), &mut launches);
            assert!(line.contains("hStream=NULL, kernelParams=[0x"), "{line}");
            assert!(
                line.ends_with("], extra=NULL -> before(0x7f0012340000, -7)) = CUDA_SUCCESS <0.000000002>\n"),
                "{line}"
            );
            assert!(event.ends_with("]\",\"extra\":\"NULL\",\"kernel\":\"before(0x7f0012340000, -7)\"}}"), "{event}");
        }
        kernel::after(0);
        kernel::know(FIRST, "after_it", &[(4, Kind::Unsigned)]);
        let [line, event, ..] = texts(&with(FIRST), &mut launches);
        assert!(line.contains(" -> after_it(305397760)) = "), "{line}");
        assert!(event.contains("\"kernel\":\"after_it(305397760)\"}}"), "{event}");

        // Anything after anything.
        let kinds = [Kind::Float, Kind::Signed, Kind::Unsigned, Kind::Address, Kind::Unknown];
        let mut dice = Dice(1);
        let mut values = [0u64; 40];
        let mut list: Vec<usize> = Vec::new();
        let mut generation = 0;
        for round in 0..20_000 {
            if round % 1000 == 0 {
                kernel::after(0);
                generation += 1;
                for i in 0..24 {
                    let size = |dice: &mut Dice| [1, 2, 4, 8, 8, 8, 4, 4, 24, 3][dice.below(10) as usize];
                    let count = [0, 1, 2, 5, 16, 17, 40][dice.below(7) as usize];
                    let parameters: Vec<_> =
                        (0..count).map(|_| (size(&mut dice), kinds[dice.below(5) as usize])).collect();
                    let long = ["", "_with_quite_a_long_name", "\"<\\>"][dice.below(3) as usize];
                    let name = format!("k{i}_{generation}{}", long.repeat(dice.below(20) as usize));
                    kernel::know(FIRST + 16 * i, &name, &parameters);
                }
            }
            // Little changes between most launches.
            for _ in 0..dice.below(4) {
                let at = dice.below(40) as usize;
                values[at] = if dice.below(3) == 0 { f64::from(dice.below(9) as u32).to_bits() } else { dice.number() };
            }
            list.clear();
            list.extend(values.iter().map(|value| &raw const *value as usize));
            let mut asked = with(FIRST + 16 * dice.below(26) as usize);
            asked.name = NAMES[dice.below(4) as usize];
            asked.list = list.as_ptr() as usize;
            asked.stream = [0, 1, 2, 0x5000, 0x6000][dice.below(5) as usize];
            match dice.below(12) {
                0 => asked.shape[dice.below(7) as usize] = dice.number() as u32,
                1 => asked.attributes = (dice.number() as usize, dice.number() as u32),
                2 => asked.extra = [16, asked.list][dice.below(2) as usize],
                3 => asked.list = [0, 16, 1 << 20, usize::MAX - 3][dice.below(4) as usize],
                4 => list[dice.below(3) as usize] = [0, 16, 1 << 20][dice.below(3) as usize],
                _ => {}
            }
            let [line, event, reference, reference_event] = texts(&asked, &mut launches);
            assert_eq!(line, reference, "round {round}");
            assert_eq!(event, reference_event, "round {round}");
        }
    }
}
