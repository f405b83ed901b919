//! `DOPPEL_FAULT`: calls that fail on purpose, by rules.

use super::call::{Call, as_ours};
use super::trace::kernel;
use crate::table::{self, Entry};
use core::ffi::c_void;
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use device::kernel::launch;
use error::Error;
use settings::config::{glob, is_pattern, parse_bytes, read_small};
use settings::log;
use std::sync::OnceLock;
use std::time::Duration;

/// Functions that are meant by a word rather than by their names.
const GROUPS: &[(&str, &[&str])] = &[
    ("alloc", &["cuMemAlloc*", "cuMemCreate", "cuArray*Create*", "cuMipmappedArrayCreate", "cuMemHostAlloc"]),
    ("copy", &["cuMemcpy*"]),
    ("launch", &["cuLaunch*", "cuGraphLaunch*"]),
    ("load", &["cuModuleLoad*", "cuLibraryLoad*"]),
    ("sync", SYNCHRONISING),
    ("all", &["cu*"]),
];

/// Functions that wait for the device, or ask it, and so tell of what went wrong there.
const SYNCHRONISING: &[&str] = &[
    "cuCtxSynchronize*",
    "cuStreamSynchronize*",
    "cuEventSynchronize",
    "cuStreamQuery*",
    "cuEventQuery",
    "cuMemcpyHtoD_v2*",
    "cuMemcpyDtoH_v2*",
];

/// Functions that ask nothing of a device, and answer whatever became of it.
const ABOVE_ALL: &[&str] = &[
    "cuInit",
    "cuDriverGetVersion",
    "cuGetErrorName",
    "cuGetErrorString",
    "cuGetProcAddress*",
    "cuGetExportTable",
    "cuLogs*",
];

/// Parameters that are sizes in bytes.
const SIZES: &[&str] = &["bytesize: usize", "Bytesize: usize", "ByteCount: usize", "size: usize"];

/// When a rule is about a call.
#[derive(Clone, Copy, Debug, PartialEq)]
enum When {
    Always,
    /// The one with this number, from 1.
    Nth(u64),
    /// Each with a multiple of this number.
    Every(u64),
    /// With this probability, out of 2^32, by a seed.
    Chance(u64, u64),
}

/// A rule.
#[derive(Debug)]
pub struct Rule {
    patterns: Vec<String>,
    when: When,
    /// Calls about fewer bytes are left alone.
    from: u64,
    error: Option<u32>,
    /// From then on every call fails.
    sticky: bool,
    /// The call succeeds, and one that waits tells of the error.
    later: bool,
    /// The kernel that is launched fails on the device.
    inside: bool,
    /// Only launches of kernels with such a name.
    kernel: Option<String>,
    delay: Duration,
    /// Calls that the rule is about, by pattern and size.
    seen: AtomicU64,
}

/// What a rule consists of.
const FORM: &str = "FUNCTIONS:WHAT,... with names such as cuMemAlloc* or a group (alloc, copy, launch, load, sync, all), and of \
                    error=NAME, nth=N, every=N, from=SIZE, kernel=NAME, probability=P, seed=N, delay=MILLISECONDS, sticky, async, \
                    inside; several with ; between, or a file with them, named by a path with a / in it";

impl Rule {
    fn parse(text: &str) -> Option<Rule> {
        let (functions, rest) = text.split_once(':')?;
        let patterns = match GROUPS.iter().find(|(name, _)| *name == functions.trim()) {
            Some((_, patterns)) => patterns.iter().map(|pattern| (*pattern).to_owned()).collect(),
            None => functions.split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
        };
        if patterns.is_empty() || !patterns.iter().all(|word| word.starts_with("cu") && is_pattern(word)) {
            return None;
        }
        let mut rule = Rule {
            patterns,
            when: When::Always,
            from: 0,
            error: None,
            sticky: false,
            later: false,
            inside: false,
            kernel: None,
            delay: Duration::ZERO,
            seen: AtomicU64::new(0),
        };
        let mut seed = 0;
        for word in rest.split(',').map(str::trim) {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            let positive = || value.parse().ok().filter(|&n: &u64| n > 0);
            let once = |rule: &Rule, when| (rule.when == When::Always).then_some(when);
            match key {
                "error" => rule.error = Some(error::code_named(value)?),
                "nth" => rule.when = once(&rule, When::Nth(positive()?))?,
                "every" => rule.when = once(&rule, When::Every(positive()?))?,
                "probability" => {
                    let p = value.parse().ok().filter(|p: &f64| (0.0..=1.0).contains(p))?;
                    rule.when = once(&rule, When::Chance((p * f64::from(u32::MAX)) as u64 + u64::from(p > 0.0), 0))?;
                }
                "seed" => seed = value.parse().ok()?,
                "from" => rule.from = parse_bytes(value)?,
                "delay" => {
                    let milliseconds = value.parse().ok().filter(|ms: &f64| (0.0..=3_600_000.0).contains(ms))?;
                    rule.delay = Duration::from_secs_f64(milliseconds / 1e3);
                }
                "kernel" if is_pattern(value) => rule.kernel = Some(value.to_owned()),
                "inside" if value.is_empty() => rule.inside = true,
                "sticky" if value.is_empty() => rule.sticky = true,
                "async" if value.is_empty() => rule.later = true,
                _ => return None,
            }
        }
        if let When::Chance(_, by) = &mut rule.when {
            *by = seed;
        }
        if rule.inside && (rule.later || rule.sticky || rule.error.is_none()) {
            return None;
        }
        // A rule that does nothing is a mistake.
        (rule.error.is_some() || (!rule.delay.is_zero() && !rule.sticky)).then_some(rule)
    }

    /// By the name of the symbol, or the one without a version.
    fn is_about(&self, entry: &Entry) -> bool {
        let is = |name: &str| self.patterns.iter().any(|pattern| glob(pattern.as_bytes(), name.as_bytes()));
        is(entry.name()) || is(entry.base)
    }

    /// Whether it is about the kernel that a call launches, whose name is asked for only if a rule has one.
    fn is_about_kernel(&self, call: &Call) -> bool {
        let Some(pattern) = &self.kernel else { return true };
        kernel::launched(call).is_some_and(|name| is_named(pattern, &name))
    }

    /// Whether it is this call's turn.
    fn strikes(&self, size: Option<u64>) -> bool {
        if self.from > 0 && size.is_none_or(|size| size < self.from) {
            return false;
        }
        let number = self.seen.fetch_add(1, Ordering::Relaxed) + 1;
        match self.when {
            When::Always => true,
            When::Nth(n) => number == n,
            When::Every(n) => number.is_multiple_of(n),
            When::Chance(p, seed) => mix(seed, number) & 0xffff_ffff < p,
        }
    }
}

/// Whether a pattern is a kernel's name, as the program's text has it or as the source has it, without parameters.
fn is_named(pattern: &str, name: &str) -> bool {
    let full = record::signature::demangled(name);
    // A template's instance begins with what it returns.
    let plain = full.split(['(', '<']).next().unwrap_or_default().rsplit(' ').next().unwrap_or_default();
    [name, plain].iter().any(|name| glob(pattern.as_bytes(), name.as_bytes()))
}

/// A number by chance, the same for the same two.
fn mix(seed: u64, number: u64) -> u64 {
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(number.wrapping_mul(0xd1b5_4a32_d192_ed03));
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

static RULES: OnceLock<Vec<Rule>> = OnceLock::new();
/// The error that every call gives from now on, 0 for none.
static STUCK: AtomicU32 = AtomicU32::new(0);
/// The error that the next call which waits gives, 0 for none.
static PENDING: AtomicU32 = AtomicU32::new(0);

fn parse(text: &str) -> Option<Vec<Rule>> {
    let words = text.split([';', '\n']).map(str::trim).filter(|rule| !rule.is_empty() && !rule.starts_with('#'));
    let rules: Vec<Rule> = words.map(Rule::parse).collect::<Option<_>>()?;
    (!rules.is_empty()).then_some(rules)
}

/// The rules that a value names. The error is what is wrong with it.
pub fn rules(value: &str) -> Result<Vec<Rule>, String> {
    // No rule has a slash in it.
    let text = match value.contains('/') {
        true => read_small(value).map_err(|why| why.to_string())?,
        false => value.to_owned(),
    };
    let rules = parse(&text).ok_or_else(|| format!("expected {FORM}"))?;
    match super::names::no_function(rules.iter().flat_map(|rule| &rule.patterns).map(String::as_str)) {
        Some(why) => Err(why),
        None => Ok(rules),
    }
}

/// Faults from now on, as the value says. The error is what is wrong with it.
pub fn start(value: &str) -> Result<(), String> {
    let _ = RULES.set(rules(value)?);
    Ok(())
}

fn is_synchronising(entry: &Entry) -> bool {
    SYNCHRONISING.iter().any(|pattern| glob(pattern.as_bytes(), entry.name().as_bytes()))
}

fn is_above_all(entry: &Entry) -> bool {
    ABOVE_ALL.iter().any(|pattern| glob(pattern.as_bytes(), entry.name().as_bytes()))
}

/// Whether calls of a function may fail.
pub fn is_about(entry: &Entry) -> bool {
    let rules = RULES.get().map_or(&[][..], Vec::as_slice);
    // What kernels fail with may stick to the real driver's calls.
    let stuck = rules.iter().any(|rule| rule.sticky || rule.inside) && !is_above_all(entry);
    let waits = rules.iter().any(|rule| rule.later || rule.inside) && is_synchronising(entry);
    stuck || waits || rules.iter().any(|rule| rule.is_about(entry))
}

/// The bytes that a call is about, if it says so.
fn size(call: &Call) -> Option<u64> {
    let at = call.entry.params.split(", ").position(|parameter| SIZES.contains(&parameter))?;
    // SAFETY: the declaration says that it is one.
    Some(unsafe { call.argument::<usize>(at) } as u64)
}

#[cold]
fn tell(call: &Call, error: u32, how: &str) -> u32 {
    log::info!("{}: {}: DOPPEL_FAULT{how}", call.entry.name(), name_of_error(error));
    error
}

fn name_of_error(error: u32) -> &'static str {
    Error::from_code(error).and_then(Error::name).unwrap_or("?")
}

/// Makes a call, or lets it fail.
pub fn around(call: &mut Call, next: impl FnOnce(&mut Call) -> u32) -> u32 {
    let stuck = STUCK.load(Ordering::Relaxed);
    if STUCK_INSIDE.load(Ordering::Relaxed) && ends_context(call.entry) {
        let code = next(call);
        if code == 0 {
            // A call that waited was told of the error, or would have been.
            let error = LATER_STUCK.load(Ordering::Relaxed);
            NO_CONTEXT.store(error, Ordering::Relaxed);
            STUCK_INSIDE.store(false, Ordering::Relaxed);
            for error in [&STUCK, &PENDING, &LATER_STUCK] {
                error.store(0, Ordering::Relaxed);
            }
        }
        return code;
    }
    if stuck != 0 && !is_above_all(call.entry) {
        return tell(call, stuck, ", as before");
    }
    let no_context = NO_CONTEXT.load(Ordering::Relaxed);
    if no_context != 0 && makes_context(call.entry) {
        return tell(call, no_context, ", as before");
    }
    for rule in RULES.get().map_or(&[][..], Vec::as_slice) {
        if !rule.is_about(call.entry) || !rule.is_about_kernel(call) || !rule.strikes(size(call)) {
            continue;
        }
        if !rule.later {
            std::thread::sleep(rule.delay);
        } else if !rule.delay.is_zero() {
            delay_stream(call, rule.delay);
        }
        let Some(error) = rule.error else { continue };
        if rule.inside {
            return inside(call, error, next);
        }
        if rule.later {
            let code = next(call);
            if code == 0 {
                // One that waits already is the first.
                let _ = PENDING.compare_exchange(0, error, Ordering::Relaxed, Ordering::Relaxed);
                if rule.sticky {
                    LATER_STUCK.store(error, Ordering::Relaxed);
                }
                if is_synchronising(call.entry) {
                    return deliver(call, code);
                }
            }
            return code;
        }
        if rule.sticky {
            STUCK.store(error, Ordering::Relaxed);
        }
        return tell(call, error, "");
    }
    let code = next(call);
    if is_synchronising(call.entry) { deliver(call, code) } else { code }
}

/// Makes a launch whose kernel fails. The emulated device's kernel does, before its first instruction. A real device's runs as
/// ever: the next call that waits tells of the error, and all others do from then on, until the context is gone; then those that would
/// make another one do.
fn inside(call: &mut Call, error: u32, next: impl FnOnce(&mut Call) -> u32) -> u32 {
    let (code, failed) = match Error::from_code(error) {
        Some(error) => launch::failing(error, || next(call)),
        None => (next(call), false),
    };
    if code == 0 && failed {
        log::info!("{}: {}: DOPPEL_FAULT, in the kernel", call.entry.name(), name_of_error(error));
    } else if code == 0 && PENDING.compare_exchange(0, error, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
        LATER_STUCK.store(error, Ordering::Relaxed);
        STUCK_INSIDE.store(true, Ordering::Relaxed);
    }
    code
}

/// A kernel's error sticks, until the context is gone.
static STUCK_INSIDE: AtomicBool = AtomicBool::new(false);
/// The error, once it is gone: there is no other.
static NO_CONTEXT: AtomicU32 = AtomicU32::new(0);

/// Whether a call makes a context.
fn makes_context(entry: &Entry) -> bool {
    matches!(entry.base, "cuDevicePrimaryCtxRetain" | "cuCtxCreate" | "cuGreenCtxCreate")
}

/// Whether a context ends with a call.
fn ends_context(entry: &Entry) -> bool {
    entry.base == "cuCtxDestroy"
        || entry.base.starts_with("cuDevicePrimaryCtxRe") && entry.base != "cuDevicePrimaryCtxRetain"
}

/// Sleeps as a function of a stream, whose later work is late then.
extern "C" fn sleep(microseconds: *mut c_void) {
    std::thread::sleep(Duration::from_micros(microseconds.addr() as u64));
}

/// Makes a call's stream late, if it has one that nobody captures.
fn delay_stream(call: &Call, delay: Duration) {
    let place = call.entry.params.split(", ").position(|p| matches!(p, "hStream: CUstream" | "stream: CUstream"));
    let (Some(place), Some(capturing), Some(launch)) =
        (place, table::by_name("cuStreamIsCapturing"), table::by_name("cuLaunchHostFunc"))
    else {
        return;
    };
    // SAFETY: the declaration says that it is a stream.
    let mut stream = unsafe { call.argument::<usize>(place) };
    const PER_THREAD: usize = 2;
    if stream == 0 && call.entry.name().ends_with("_ptsz") {
        stream = PER_THREAD;
    }
    let mut status = 0u32;
    // SAFETY: our exports, which have these signatures; calls that the rules are not about go to whoever answers.
    unsafe {
        let capturing: extern "C" fn(usize, *mut u32) -> u32 = core::mem::transmute(capturing.address);
        let launch: extern "C" fn(usize, extern "C" fn(*mut c_void), *mut c_void) -> u32 =
            core::mem::transmute(launch.address);
        as_ours(|| {
            if capturing(stream, &mut status) == 0 && status == 0 {
                launch(stream, sleep, core::ptr::without_provenance_mut(delay.as_micros() as usize));
            }
        });
    }
}

/// The error that sticks once it has been told.
static LATER_STUCK: AtomicU32 = AtomicU32::new(0);

/// What a call that waits answers.
fn deliver(call: &Call, code: u32) -> u32 {
    let pending = PENDING.swap(0, Ordering::Relaxed);
    if pending == 0 || code != 0 {
        if pending != 0 {
            PENDING.store(pending, Ordering::Relaxed);
        }
        return code;
    }
    let stuck = LATER_STUCK.load(Ordering::Relaxed);
    if stuck != 0 {
        STUCK.store(stuck, Ordering::Relaxed);
    }
    tell(call, pending, ", of an earlier call")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(text: &str) -> Rule {
        Rule::parse(text).unwrap_or_else(|| panic!("{text}"))
    }

    fn struck(text: &str, sizes: &[Option<u64>]) -> Vec<bool> {
        let rule = rule(text);
        sizes.iter().map(|size| rule.strikes(*size)).collect()
    }

    #[test]
    fn rules() {
        let r = rule("cuMemAlloc* cuMemCreate:error=CUDA_ERROR_OUT_OF_MEMORY,nth=3,sticky,delay=1.5");
        assert_eq!((r.error, r.when, r.sticky, r.later), (Some(2), When::Nth(3), true, false));
        assert_eq!(r.delay, Duration::from_micros(1500));
        let about = |rule: &Rule, name| rule.is_about(crate::table::by_name(name).unwrap());
        assert!(about(&r, "cuMemAllocAsync_ptsz") && about(&r, "cuMemCreate") && !about(&r, "cuMemFree_v2"));
        assert!(about(&rule("cuMemFree:delay=1"), "cuMemFree_v2"));
        assert!(rule("launch:error=LAUNCH_FAILED,async").later);
        assert!(about(&rule("alloc:error=OUT_OF_MEMORY"), "cuArray3DCreate_v2"));
        assert_eq!(parse("# all\n\ncopy:error=UNKNOWN\nsync:delay=1;\n").map(|rules| rules.len()), Some(2));
        for bad in [
            "",
            "cuInit",
            "cuInit:",
            "cuInit:nth=1",
            "cuInit:error=NOPE",
            "cuInit:error=SUCCESS",
            "malloc:error=UNKNOWN",
            "cuInit:error=UNKNOWN,nth=0",
            "cuInit:error=UNKNOWN,nth=1,every=2",
            "cuInit:error=UNKNOWN,probability=2",
            "cuInit:error=UNKNOWN,from=1QB",
            "cuInit:error=UNKNOWN,often",
            "cuInit:delay=1,sticky",
            "cuInit:async",
            "launch:inside",
            "launch:inside,async,error=ILLEGAL_ADDRESS",
            "launch:inside,sticky,error=ILLEGAL_ADDRESS",
            "launch:kernel=,error=ILLEGAL_ADDRESS",
            "cu Init:error=UNKNOWN",
            "cuInit:error=UNKNOWN;cuX",
        ] {
            assert!(parse(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn names_of_kernels() {
        assert!(is_named("_Z5scalePKfPfi", "_Z5scalePKfPfi") && is_named("scale", "_Z5scalePKfPfi"));
        assert!(is_named("sc*", "_Z5scalePKfPfi") && is_named("fill", "fill") && !is_named("fill", "filled"));
        assert!(is_named("f", "_Z1fI3BoxEvT_PFvifEl") && is_named("a::f", "_ZN1a1fEi"));
        assert!(rule("launch:kernel=scale,inside,nth=2,error=ILLEGAL_ADDRESS").inside);
    }

    #[test]
    fn when_rules_strike() {
        assert_eq!(struck("cuX:error=UNKNOWN,nth=2", &[None; 4]), [false, true, false, false]);
        assert_eq!(struck("cuX:error=UNKNOWN,every=2", &[None; 4]), [false, true, false, true]);
        let sizes = [Some(10), None, Some(1024), Some(2048)];
        assert_eq!(struck("cuX:error=UNKNOWN,from=1K", &sizes), [false, false, true, true]);
        // Smaller ones are not counted.
        assert_eq!(struck("cuX:error=UNKNOWN,from=1K,nth=2", &sizes), [false, false, false, true]);
        let many = struck("cuX:error=UNKNOWN,probability=0.25,seed=7", &[None; 10_000]);
        assert_eq!(many, struck("cuX:error=UNKNOWN,probability=0.25,seed=7", &[None; 10_000]));
        assert_ne!(many, struck("cuX:error=UNKNOWN,probability=0.25,seed=8", &[None; 10_000]));
        let count = many.iter().filter(|struck| **struck).count();
        assert!((2300..2700).contains(&count), "{count}");
        assert!(!struck("cuX:error=UNKNOWN,probability=0", &[None; 100]).contains(&true));
        assert!(!struck("cuX:error=UNKNOWN,probability=1", &[None; 100]).contains(&false));
    }

    #[test]
    fn sizes_are_read_where_the_declarations_have_them() {
        let has = |name| crate::table::by_name(name).unwrap().params.split(", ").any(|p| SIZES.contains(&p));
        for name in ["cuMemAlloc_v2", "cuMemcpyHtoD_v2", "cuMemAllocAsync", "cuMemCreate", "cuMemHostAlloc"] {
            assert!(has(name), "{name}");
        }
    }
}
