//! The environment: which variables exist, what they may hold, and what they mean.
//!
//! The mode is read at the first call into the library, everything else at `cuInit`, as the real driver does, so that a
//! program can still set variables for itself after it has loaded us. A value that we cannot understand is reported on
//! stderr and refused: the mode stays what it is and `cuInit` fails with `CUDA_ERROR_INVALID_VALUE`.

mod check;
mod core_dump;
mod limits;
mod trace;
mod variables;
pub use check::{CHECKS, Check};
pub use core_dump::CoreDump;
pub use limits::Limits;
pub use trace::{Calls, Format, TraceRange, TraceSettings, glob, is_pattern};
pub use variables::{is_variable, nearest, unknown_variables, warn_of_unknown_variables};

use crate::log::{self, Level};
use core::ffi::{CStr, c_char};
use core::sync::atomic::{AtomicBool, Ordering};
use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

/// Who answers calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The emulated device.
    Cpu,
    /// The real driver.
    Forward,
    /// Nobody: a machine with a driver and no device.
    Absent,
    /// [`Mode::Forward`] if there is a real driver with a device, else [`Mode::Cpu`].
    Auto,
}

/// One of these is there where NVIDIA's kernel module is. Whoever does not load the driver (shims, tools, the auditing library)
/// takes [`Mode::Auto`] for [`Mode::Forward`] then.
const DRIVER_FILES: [&CStr; 3] = include!("driver_files.in");

/// Whether the machine has NVIDIA's kernel module, as far as its files tell.
pub fn has_driver_files() -> bool {
    DRIVER_FILES.iter().any(|file| Path::new(OsStr::from_bytes(file.to_bytes())).exists())
}

/// When queued work runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// As soon as it may.
    Eager,
    /// When somebody waits for it.
    Lazy,
    /// In any legal order, chosen by this seed.
    Random(u64),
}

/// One element of `CUDA_VISIBLE_DEVICES`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Visible {
    /// A device number.
    Index(u32),
    /// The beginning of a device's UUID, in the form `GPU-xxxxxxxx-...`.
    Uuid(String),
}

/// Order in which devices are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceOrder {
    /// Fastest device first: the default.
    FastestFirst,
    /// By position on the bus.
    PciBusId,
}

/// When an instruction that is not implemented is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// With the launch of a kernel that could come to it.
    Launch,
    /// With the module.
    Load,
}

/// When functions of a module are loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleLoading {
    /// At their first use: the default.
    Lazy,
    /// With their module.
    Eager,
}

/// Which processes share the devices with this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// All of the user's on this host that name no node: the default.
    User,
    /// Those that name the same one.
    Named(String),
    /// None.
    None,
}

impl Node {
    /// What tells nodes apart; `None` for a process that shares nothing.
    pub fn name(&self) -> Option<&str> {
        match self {
            Node::User => Some(""),
            Node::Named(name) => Some(name),
            Node::None => None,
        }
    }
}

/// Where names and places of compiled kernels are written, for `perf`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JitMap {
    #[default]
    Off,
    /// Into `/tmp/perf-PID.map`.
    Perf,
    /// With their code, into `/tmp/jit-PID.dump`.
    Jitdump,
}

/// What runs kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Kernels are compiled where that is worth it.
    Auto,
    /// The interpreter.
    Interpret,
    /// Every kernel is compiled.
    Compile,
}

/// What instructions compiled kernels may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cpu {
    /// All that the machine has.
    Auto,
    /// Of vectors those of AVX2.
    Avx2,
}

/// What decides how calls are answered; read at the first call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// `DOPPEL_MODE`. `None`: malformed, so that nothing can be answered.
    pub mode: Option<Mode>,
    /// `DOPPEL_REAL_LIBCUDA`.
    pub real_libcuda: Option<PathBuf>,
    /// `LD_LIBRARY_PATH`, where the real driver is searched.
    pub library_path: Option<OsString>,
    /// `DOPPEL_MEMORY_LIMIT`.
    pub limits: Limits,
    /// `DOPPEL_TRACE`, `DOPPEL_TRACE_CALLS`, `DOPPEL_TRACE_RANGE` and `DOPPEL_TRACE_STACKS`.
    pub trace: Option<TraceSettings>,
    /// `DOPPEL_RECORD`: the file that calls are recorded in.
    pub record: Option<PathBuf>,
    /// `DOPPEL_FAULT`, for those who know the functions and errors that it names: see [`refuse`].
    pub fault: Option<String>,
    /// A value of what stands between the program and the device is malformed, so that `cuInit` fails.
    pub malformed: bool,
}

/// What the emulated device needs to know; read at `cuInit`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// `DOPPEL_DEVICES`: a number of devices or a list of profiles.
    pub devices: Option<String>,
    /// `DOPPEL_DEVICE_MEMORY` in bytes.
    pub device_memory: Option<u64>,
    /// `DOPPEL_NODE`.
    pub node: Node,
    /// `DOPPEL_SCHEDULE`.
    pub schedule: Schedule,
    /// `DOPPEL_KERNEL_TIMEOUT`. `None`: kernels run as long as they like.
    pub kernel_limit: Option<Duration>,
    /// `DOPPEL_FAILURE` is `contexts`.
    pub contexts_recover: bool,
    /// `DOPPEL_CHECK`.
    pub check: Check,
    /// `DOPPEL_UNSUPPORTED`.
    pub unsupported: Unsupported,
    /// `DOPPEL_ENGINE`.
    pub engine: Engine,
    /// `DOPPEL_CPU`.
    pub cpu: Cpu,
    /// `DOPPEL_JIT_MAP`: where names and places of compiled kernels are written.
    pub jit_map: JitMap,
    /// `DOPPEL_COVERAGE`: a file that is told, when the process ends, how often steps of kernels ran in which engine.
    pub coverage: Option<PathBuf>,
    /// `CUDA_VISIBLE_DEVICES`. `None`: all.
    pub visible: Option<Vec<Visible>>,
    /// `CUDA_DEVICE_ORDER`. `None`: a word that is not known, with which `cuInit` fails.
    pub order: Option<DeviceOrder>,
    /// `CUDA_LOG_FILE`: where messages about refused calls are written, `stdout`, `stderr` or a path.
    pub log_file: Option<Vec<u8>>,
    /// Core dumps of kernels.
    pub core: CoreDump,
    /// `CUDA_LAUNCH_BLOCKING`.
    pub launch_blocking: bool,
    /// `CUDA_MODULE_LOADING`.
    pub module_loading: ModuleLoading,
    /// The process has more rights than its user: files that the environment names must not be opened.
    pub secure: bool,
}

/// True in set-uid and similar processes, where the environment belongs to someone with fewer rights.
pub fn secure() -> bool {
    // SAFETY: reads a number that the kernel handed to the process.
    unsafe { libc::getauxval(libc::AT_SECURE) != 0 }
}

fn raw(name: &CStr) -> Option<Vec<u8>> {
    // SAFETY: `name` ends in NUL; what getenv returns is copied before anything else can run on this thread.
    unsafe {
        let value: *const c_char = libc::getenv(name.as_ptr());
        (!value.is_null()).then(|| CStr::from_ptr(value).to_bytes().to_vec())
    }
}

/// The process's environment, as the parsers below want it.
fn environment(name: &str) -> Option<Vec<u8>> {
    raw(&std::ffi::CString::new(name).ok()?)
}
/// A value that cannot be understood, as one sentence for the user.
pub type Complaint = String;

/// Reads what [`Start`] holds.
pub fn parse_start(env: impl Fn(&str) -> Option<Vec<u8>>, secure: bool) -> (Start, Vec<Complaint>) {
    let mut complaints = Vec::new();
    let path = |name| env(name).filter(|v| !secure && !v.is_empty()).map(OsString::from_vec);
    let mode = match text(&env, "DOPPEL_MODE", &mut complaints) {
        None => Some(Mode::Cpu),
        Some(word) => {
            let mode = match word.as_str() {
                "cpu" => Some(Mode::Cpu),
                "forward" => Some(Mode::Forward),
                "absent" => Some(Mode::Absent),
                "auto" => Some(Mode::Auto),
                _ => None,
            };
            if mode.is_none() {
                complaints.push(malformed("DOPPEL_MODE", &word, "cpu, forward, absent or auto"));
            }
            mode
        }
    };
    let mode = if complaints.is_empty() { mode } else { None };
    let before = complaints.len();
    let limits = text(&env, "DOPPEL_MEMORY_LIMIT", &mut complaints).map(|word| {
        Limits::parse(&word).unwrap_or_else(|| {
            complaints.push(malformed("DOPPEL_MEMORY_LIMIT", &word, limits::FORM));
            Limits::default()
        })
    });
    let mut calls = |name| {
        let word = text(&env, name, &mut complaints)?;
        Some(Calls::parse(&word).unwrap_or_else(|| {
            complaints.push(malformed(name, &word, trace::FORM));
            Calls::default()
        }))
    };
    let (calls, stacks) = (calls("DOPPEL_TRACE_CALLS"), calls("DOPPEL_TRACE_STACKS"));
    let range = text(&env, "DOPPEL_TRACE_RANGE", &mut complaints).map(|word| {
        TraceRange::parse(&word).unwrap_or_else(|| {
            complaints.push(malformed("DOPPEL_TRACE_RANGE", &word, "all or profiler"));
            TraceRange::All
        })
    });
    let trace = path("DOPPEL_TRACE")
        .map(|file| TraceSettings::of(file, calls.unwrap_or_default(), stacks, range.unwrap_or_default()));
    // Its rules may be in a file.
    let fault = text(&env, "DOPPEL_FAULT", &mut complaints).filter(|_| !secure);
    let start = Start {
        mode,
        real_libcuda: path("DOPPEL_REAL_LIBCUDA").map(PathBuf::from),
        library_path: path("LD_LIBRARY_PATH"),
        limits: limits.unwrap_or_default(),
        trace,
        record: path("DOPPEL_RECORD").map(PathBuf::from),
        fault,
        malformed: complaints.len() > before,
    };
    (start, complaints)
}

/// Reads what [`Settings`] holds.
pub fn parse_settings(env: impl Fn(&str) -> Option<Vec<u8>>, secure: bool) -> (Settings, Vec<Complaint>) {
    let mut complaints = Vec::new();
    if let Some(word) = text(&env, "DOPPEL_LOG", &mut complaints)
        && Level::parse(&word).is_none()
    {
        complaints.push(malformed("DOPPEL_LOG", &word, "off, error, warn, info or debug"));
    }
    let devices = text(&env, "DOPPEL_DEVICES", &mut complaints);
    let device_memory = text(&env, "DOPPEL_DEVICE_MEMORY", &mut complaints).and_then(|word| {
        let bytes = parse_bytes(&word).filter(|&n| n > 0);
        if bytes.is_none() {
            complaints.push(malformed("DOPPEL_DEVICE_MEMORY", &word, "a size such as 8GiB, 512MB or 1000000"));
        }
        bytes
    });
    let node = match text(&env, "DOPPEL_NODE", &mut complaints) {
        None => Node::User,
        Some(word) if word == "none" => Node::None,
        Some(word) => Node::Named(word),
    };
    let schedule = match text(&env, "DOPPEL_SCHEDULE", &mut complaints) {
        None => Schedule::Eager,
        Some(word) => parse_schedule(&word).unwrap_or_else(|| {
            complaints.push(malformed("DOPPEL_SCHEDULE", &word, "eager, lazy or random:SEED"));
            Schedule::Eager
        }),
    };
    let kernel_limit = text(&env, "DOPPEL_KERNEL_TIMEOUT", &mut complaints).and_then(|word| {
        let limit =
            word.parse().ok().filter(|&seconds| seconds > 0.0).and_then(|s| Duration::try_from_secs_f64(s).ok());
        if limit.is_none() {
            complaints.push(malformed("DOPPEL_KERNEL_TIMEOUT", &word, "seconds, such as 10 or 0.5"));
        }
        limit
    });
    let contexts_recover = match text(&env, "DOPPEL_FAILURE", &mut complaints).as_deref() {
        None | Some("process") => false,
        Some("contexts") => true,
        Some(word) => {
            complaints.push(malformed("DOPPEL_FAILURE", word, "process or contexts"));
            false
        }
    };
    let check = Check::parse(&text(&env, "DOPPEL_CHECK", &mut complaints).unwrap_or_default());
    let unsupported = match text(&env, "DOPPEL_UNSUPPORTED", &mut complaints).as_deref() {
        None | Some("launch") => Unsupported::Launch,
        Some("load") => Unsupported::Load,
        Some(word) => {
            complaints.push(malformed("DOPPEL_UNSUPPORTED", word, "launch or load"));
            Unsupported::Launch
        }
    };
    let engine = match text(&env, "DOPPEL_ENGINE", &mut complaints).as_deref() {
        None | Some("auto") => Engine::Auto,
        Some("interpret") => Engine::Interpret,
        Some("compile") => Engine::Compile,
        Some(word) => {
            complaints.push(malformed("DOPPEL_ENGINE", word, "auto, interpret or compile"));
            Engine::Auto
        }
    };
    let cpu = match text(&env, "DOPPEL_CPU", &mut complaints).as_deref() {
        None | Some("auto") => Cpu::Auto,
        Some("avx2") => Cpu::Avx2,
        Some(word) => {
            complaints.push(malformed("DOPPEL_CPU", word, "auto or avx2"));
            Cpu::Auto
        }
    };
    let jit_map = match text(&env, "DOPPEL_JIT_MAP", &mut complaints).as_deref() {
        None | Some("off") => JitMap::Off,
        // A file at a known place.
        Some("perf" | "jitdump") if secure => JitMap::Off,
        Some("perf") => JitMap::Perf,
        Some("jitdump") => JitMap::Jitdump,
        Some(word) => {
            complaints.push(malformed("DOPPEL_JIT_MAP", word, "perf, jitdump or off"));
            JitMap::Off
        }
    };
    let cuda = |name| env(name).map(|v| String::from_utf8_lossy(&v).into_owned());
    let settings = Settings {
        devices,
        device_memory,
        node,
        schedule,
        kernel_limit,
        contexts_recover,
        check,
        unsupported,
        engine,
        cpu,
        jit_map,
        coverage: env("DOPPEL_COVERAGE").filter(|v| !secure && !v.is_empty()).map(|v| OsString::from_vec(v).into()),
        visible: cuda("CUDA_VISIBLE_DEVICES").map(|v| parse_visible(&v)),
        order: match cuda("CUDA_DEVICE_ORDER").as_deref() {
            None | Some("FASTEST_FIRST") => Some(DeviceOrder::FastestFirst),
            Some("PCI_BUS_ID") => Some(DeviceOrder::PciBusId),
            Some(_) => None,
        },
        log_file: env("CUDA_LOG_FILE").filter(|v| !secure && !v.is_empty()),
        core: CoreDump::parse(&env, secure),
        launch_blocking: cuda("CUDA_LAUNCH_BLOCKING").is_some_and(|v| leading_number(&v).is_some_and(|n| n != 0)),
        module_loading: match cuda("CUDA_MODULE_LOADING").as_deref() {
            Some(mode) if mode.eq_ignore_ascii_case("EAGER") => ModuleLoading::Eager,
            _ => ModuleLoading::Lazy,
        },
        secure,
    };
    (settings, complaints)
}

/// What is said of a value that cannot be understood.
pub fn malformed(name: &str, value: &str, expected: &str) -> Complaint {
    format!("{name}=\"{value}\" is refused: expected {expected}")
}

/// A variable of ours: absent and empty are the same.
fn text(env: &impl Fn(&str) -> Option<Vec<u8>>, name: &str, complaints: &mut Vec<Complaint>) -> Option<String> {
    match String::from_utf8(env(name)?) {
        Ok(value) => Some(value).filter(|v| !v.is_empty()),
        Err(value) => {
            let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
            complaints.push(malformed(name, &value, "text in UTF-8"));
            None
        }
    }
}

/// A size: `8GiB`, `8G`, `8GB`, `100mib`, `1.5 GiB`, or plain bytes. Units are binary, however they are spelled, as with Docker and
/// `nvidia-smi`: memory of devices is counted so.
pub fn parse_bytes(text: &str) -> Option<u64> {
    let unit_at = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_at);
    let (whole, fraction) = number.split_once('.').map_or((number, None), |(whole, fraction)| (whole, Some(fraction)));
    let unit = unit.strip_prefix(' ').filter(|unit| !unit.is_empty()).unwrap_or(unit).to_ascii_lowercase();
    let shift = match unit.as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return None,
    };
    let whole = whole.parse::<u64>().ok()?.checked_mul(1 << shift)?;
    let part = match fraction {
        None => 0,
        // Parts of a byte are none.
        Some(digits) if shift > 0 && (1..=9).contains(&digits.len()) => {
            (u128::from(digits.parse::<u64>().ok()?) << shift) / 10u128.pow(digits.len() as u32)
        }
        Some(_) => return None,
    };
    whole.checked_add(part as u64)
}

fn parse_schedule(text: &str) -> Option<Schedule> {
    match text {
        "eager" => Some(Schedule::Eager),
        "lazy" => Some(Schedule::Lazy),
        _ => {
            let seed = text.strip_prefix("random:")?;
            let plain = !seed.is_empty() && seed.bytes().all(|b| b.is_ascii_digit());
            plain.then(|| seed.parse().ok()).flatten().map(Schedule::Random)
        }
    }
}

/// The number at the beginning, as `strtoull` reads it: too large is all ones, a minus sign negates within 64 bits.
fn leading_number(text: &str) -> Option<u64> {
    let text = text.trim_start();
    let (minus, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let len = digits.bytes().take_while(u8::is_ascii_digit).count();
    if len == 0 {
        return None;
    }
    match digits[..len].parse::<u64>() {
        Ok(n) if minus => Some(n.wrapping_neg()),
        Ok(n) => Some(n),
        Err(_) => Some(u64::MAX),
    }
}

/// A word of a UUID list begins with this, in capitals and without a space before it.
const UUID: &str = "GPU-";

/// `CUDA_VISIBLE_DEVICES`: a list of device numbers, or one of UUIDs, as its first word decides; it ends before the first
/// word of another kind. A number is what `strtoull` reads at the beginning of a word, cut to 32 bits.
pub fn parse_visible(text: &str) -> Vec<Visible> {
    let uuids = text.starts_with(UUID);
    let word = |word: &str| {
        if word.starts_with(UUID) != uuids {
            None
        } else if uuids {
            Some(Visible::Uuid(word.to_string()))
        } else {
            leading_number(word).and_then(|n| u32::try_from(n as i32).ok()).map(Visible::Index)
        }
    };
    text.split(',').map_while(word).collect()
}

/// Which devices are visible, and in which order. `uuids` are the existing devices' in the form `GPU-...`. The list
/// ends before an element that names no device, or, by the beginning of a UUID, several. `None`: a device is named
/// twice, which the real driver refuses.
pub fn select_visible(list: &[Visible], uuids: &[String]) -> Option<Vec<usize>> {
    let mut chosen = Vec::new();
    for element in list {
        let index = match element {
            Visible::Index(index) => Some(*index as usize).filter(|&i| i < uuids.len()),
            Visible::Uuid(start) => {
                // What follows a whole UUID is not looked at.
                let named = |uuid: &String| {
                    let len = start.len().min(uuid.len());
                    start.as_bytes()[..len].eq_ignore_ascii_case(&uuid.as_bytes()[..len])
                };
                let mut hits = (0..uuids.len()).filter(|&i| start.len() > UUID.len() && named(&uuids[i]));
                match (hits.next(), hits.next()) {
                    (Some(index), None) => Some(index),
                    _ => None,
                }
            }
        };
        match index {
            Some(index) if chosen.contains(&index) => return None,
            Some(index) => chosen.push(index),
            None => break,
        }
    }
    Some(chosen)
}

fn report(complaints: &[Complaint]) {
    for complaint in complaints {
        log::error!("{complaint}; cuInit will fail");
    }
}

static REFUSED: AtomicBool = AtomicBool::new(false);

/// Reads a text that a value names: profiles, rules. None is as long as what is refused; there are devices that have no end.
pub fn read_small(name: &str) -> std::io::Result<String> {
    const LONGEST: u64 = 1 << 20;
    let mut text = String::new();
    let read = std::fs::File::open(name)?.take(LONGEST + 1).read_to_string(&mut text)?;
    if read as u64 > LONGEST { Err(std::io::ErrorKind::FileTooLarge.into()) } else { Ok(text) }
}

/// Reports a value that only a part above this one can tell to be malformed. Before [`settings`] is asked for.
pub fn refuse(name: &str, value: &str, why: &str) {
    report(&[format!("{name}=\"{value}\" is refused: {why}")]);
    REFUSED.store(true, Ordering::Relaxed);
}

/// What decides how calls are answered; the environment is read at the first call of this function.
pub fn start() -> &'static Start {
    static START: OnceLock<Start> = OnceLock::new();
    START.get_or_init(|| {
        let (start, complaints) = parse_start(environment, secure());
        report(&complaints);
        start
    })
}

/// The rest of the configuration; the environment is read at the first call of this function, which `cuInit` makes.
/// `None`: something in it is malformed, which has been reported.
pub fn settings() -> Option<&'static Settings> {
    static SETTINGS: OnceLock<Option<Settings>> = OnceLock::new();
    SETTINGS
        .get_or_init(|| {
            let (settings, complaints) = parse_settings(environment, secure());
            report(&complaints);
            for word in &settings.check.unknown {
                log::warn!("DOPPEL_CHECK: {word:?} is unknown and has no effect; there are {CHECKS}");
            }
            let understood = complaints.is_empty() && !start().malformed && !REFUSED.load(Ordering::Relaxed);
            (understood && start().mode.is_some()).then_some(settings)
        })
        .as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env<'a>(vars: &'a [(&'a str, &'a str)]) -> impl Fn(&str) -> Option<Vec<u8>> + 'a {
        move |name| vars.iter().find(|(n, _)| *n == name).map(|(_, v)| v.as_bytes().to_vec())
    }

    #[test]
    fn modes() {
        let mode = |value| parse_start(env(&[("DOPPEL_MODE", value)]), false).0.mode;
        assert_eq!(parse_start(env(&[]), false).0.mode, Some(Mode::Cpu));
        assert_eq!(mode(""), Some(Mode::Cpu));
        assert_eq!(mode("cpu"), Some(Mode::Cpu));
        assert_eq!(mode("forward"), Some(Mode::Forward));
        assert_eq!(mode("absent"), Some(Mode::Absent));
        assert_eq!(mode("auto"), Some(Mode::Auto));
        for bad in ["CPU", " cpu", "gpu", "cpu,forward"] {
            let (start, complaints) = parse_start(env(&[("DOPPEL_MODE", bad)]), false);
            assert_eq!(start.mode, None);
            assert_eq!(complaints.len(), 1);
            assert!(complaints[0].contains("DOPPEL_MODE") && complaints[0].contains(bad));
        }
    }

    #[test]
    fn a_value_that_is_no_text_is_malformed() {
        let env = |name: &str| (name == "DOPPEL_MODE").then(|| vec![0xff]);
        assert_eq!(parse_start(env, false).0.mode, None);
    }

    #[test]
    fn libraries_are_not_named_by_the_environment_of_a_secure_process() {
        let vars = [("DOPPEL_REAL_LIBCUDA", "/x/libcuda.so.1"), ("LD_LIBRARY_PATH", "/y")];
        let (start, _) = parse_start(env(&vars), false);
        assert_eq!(start.real_libcuda, Some(PathBuf::from("/x/libcuda.so.1")));
        assert_eq!(start.library_path, Some(OsString::from("/y")));
        let (start, _) = parse_start(env(&vars), true);
        assert_eq!((start.real_libcuda, start.library_path), (None, None));
    }

    #[test]
    fn sizes() {
        assert_eq!(parse_bytes("1000"), Some(1000));
        assert_eq!(parse_bytes("1B"), Some(1));
        assert_eq!(parse_bytes("4K"), Some(4096));
        assert_eq!(parse_bytes("512MiB"), Some(512 << 20));
        assert_eq!(parse_bytes("8GiB"), Some(8 << 30));
        assert_eq!(parse_bytes("1TiB"), Some(1 << 40));
        assert_eq!(parse_bytes("16777215TiB"), Some(16777215 << 40));
        for same in ["8GiB", "8G", "8GB", "8g", "8gb", "8gib", "8 GiB", "8 gb", "8.0GiB", "8192MiB", "8192mb"] {
            assert_eq!(parse_bytes(same), Some(8 << 30), "{same}");
        }
        assert_eq!(parse_bytes("100mib"), Some(100 << 20));
        assert_eq!(parse_bytes("1.5GiB"), Some(3 << 29));
        assert_eq!(parse_bytes("0.5k"), Some(512));
        for bad in [
            "",
            "GiB",
            "-1",
            "+1",
            "8  GiB",
            " 8GiB",
            "8 ",
            "8GiB ",
            "16777216TiB",
            "99999999999999999999",
            "8GiBx",
            "8iB",
            "8XB",
            "1.5",
            "1.GiB",
            ".5GiB",
            "1.5.5G",
            "1.0000000001G",
            "1e3",
            "16777215.999999999TiBs",
            "\u{661}G",
        ] {
            assert_eq!(parse_bytes(bad), None, "{bad}");
        }
    }

    #[test]
    fn settings_of_the_emulated_device() {
        let (settings, complaints) = parse_settings(env(&[]), false);
        assert!(complaints.is_empty());
        assert_eq!(settings.schedule, Schedule::Eager);
        assert_eq!(settings.node.name(), Some(""));
        let node = |value| parse_settings(env(&[("DOPPEL_NODE", value)]), false).0.node;
        assert_eq!((node("none").name(), node("a").name(), node("").name()), (None, Some("a"), Some("")));
        assert_eq!((settings.devices, settings.device_memory, settings.visible), (None, None, None));
        let vars = [("DOPPEL_DEVICES", "h200,h200"), ("DOPPEL_DEVICE_MEMORY", "8GiB"), ("DOPPEL_SCHEDULE", "random:7")];
        let (settings, complaints) = parse_settings(env(&vars), false);
        assert!(complaints.is_empty());
        assert_eq!(settings.devices.as_deref(), Some("h200,h200"));
        assert_eq!(settings.device_memory, Some(8 << 30));
        assert_eq!(settings.schedule, Schedule::Random(7));
        for (name, value) in [
            ("DOPPEL_DEVICE_MEMORY", "lots"),
            ("DOPPEL_DEVICE_MEMORY", "0"),
            ("DOPPEL_SCHEDULE", "random"),
            ("DOPPEL_SCHEDULE", "random:"),
            ("DOPPEL_SCHEDULE", "random:-1"),
            ("DOPPEL_SCHEDULE", "Eager"),
            ("DOPPEL_FAILURE", "device"),
            ("DOPPEL_KERNEL_TIMEOUT", "soon"),
            ("DOPPEL_KERNEL_TIMEOUT", "0"),
            ("DOPPEL_UNSUPPORTED", "never"),
            ("DOPPEL_KERNEL_TIMEOUT", "1e300"),
            ("DOPPEL_LOG", "loud"),
            ("DOPPEL_ENGINE", "fast"),
            ("DOPPEL_CPU", "sse"),
            ("DOPPEL_JIT_MAP", "yes"),
        ] {
            let (_, complaints) = parse_settings(env(&[(name, value)]), false);
            assert_eq!(complaints.len(), 1, "{name}={value}");
        }
    }

    #[test]
    fn engines() {
        let get = |name, value, secure| parse_settings(env(&[(name, value)]), secure).0;
        assert_eq!(get("DOPPEL_ENGINE", "", false).engine, Engine::Auto);
        assert_eq!(get("DOPPEL_ENGINE", "interpret", false).engine, Engine::Interpret);
        assert_eq!(get("DOPPEL_ENGINE", "compile", false).engine, Engine::Compile);
        assert_eq!(get("DOPPEL_ENGINE", "auto", false).engine, Engine::Auto);
        assert_eq!(get("DOPPEL_CPU", "", false).cpu, Cpu::Auto);
        assert_eq!(get("DOPPEL_CPU", "auto", false).cpu, Cpu::Auto);
        assert_eq!(get("DOPPEL_CPU", "avx2", false).cpu, Cpu::Avx2);
        assert_eq!(get("DOPPEL_JIT_MAP", "perf", false).jit_map, JitMap::Perf);
        assert_eq!(get("DOPPEL_JIT_MAP", "jitdump", false).jit_map, JitMap::Jitdump);
        assert_eq!(get("DOPPEL_JIT_MAP", "perf", true).jit_map, JitMap::Off);
        assert_eq!(get("DOPPEL_JIT_MAP", "off", false).jit_map, JitMap::Off);
        assert_eq!(get("DOPPEL_COVERAGE", "/tmp/it", false).coverage, Some(PathBuf::from("/tmp/it")));
        assert_eq!(get("DOPPEL_COVERAGE", "/tmp/it", true).coverage, None);
        assert_eq!(get("DOPPEL_COVERAGE", "", false).coverage, None);
    }

    #[test]
    fn variables_of_cuda() {
        let get = |name, value| parse_settings(env(&[(name, value)]), false).0;
        assert!(get("CUDA_LAUNCH_BLOCKING", "1").launch_blocking);
        assert!(!get("CUDA_LAUNCH_BLOCKING", "0").launch_blocking);
        assert!(!get("CUDA_LAUNCH_BLOCKING", "yes").launch_blocking);
        assert_eq!(get("CUDA_DEVICE_ORDER", "PCI_BUS_ID").order, Some(DeviceOrder::PciBusId));
        assert_eq!(get("CUDA_DEVICE_ORDER", "FASTEST_FIRST").order, Some(DeviceOrder::FastestFirst));
        assert_eq!(get("CUDA_DEVICE_ORDERS", "x").order, Some(DeviceOrder::FastestFirst));
        assert_eq!(get("CUDA_DEVICE_ORDER", "x").order, None);
        assert_eq!(get("CUDA_DEVICE_ORDER", "").order, None);
        assert_eq!(get("CUDA_MODULE_LOADING", "EAGER").module_loading, ModuleLoading::Eager);
        assert_eq!(get("CUDA_MODULE_LOADING", "eager").module_loading, ModuleLoading::Eager);
        assert_eq!(get("CUDA_MODULE_LOADING", "LAZY").module_loading, ModuleLoading::Lazy);
    }

    #[test]
    fn visible_devices() {
        let uuids: Vec<String> = ["GPU-aa11", "GPU-aa22", "GPU-bb33"].iter().map(|s| s.to_string()).collect();
        let try_select = |text: &str| select_visible(&parse_visible(text), &uuids);
        let select = |text: &str| try_select(text).unwrap();
        assert_eq!(select("0,1,2"), [0, 1, 2]);
        assert_eq!(select("2,0"), [2, 0]);
        assert_eq!(select(" 1 , 2"), [1, 2]);
        assert_eq!(select(""), [0usize; 0]);
        assert_eq!(select("-1"), [0usize; 0]);
        assert_eq!(select("1,-1,2"), [1]);
        assert_eq!(select("1,9,2"), [1]);
        assert_eq!(try_select("0,0"), None);
        assert_eq!(try_select("GPU-aa22,GPU-AA2"), None);
        assert_eq!(select("0,9,0"), [0]);
        assert_eq!(select("1,GPU-aa2,2"), [1]);
        assert_eq!(select("GPU-bb33,0"), [2]);
        assert_eq!(select("GPU-bb33,GPU-aa1"), [2, 0]);
        assert_eq!(select("GPU-BB33 and more"), [2]);
        for none in ["GPU-", "gpu-bb33", " GPU-bb33", "bb33", ",0", "99999999999999999999", "MIG-0", "abc"] {
            assert_eq!(select(none), [0usize; 0], "{none}");
        }
        for first in
            ["4294967296", "-4294967296", "9223372036854775808", "+0", "0x7", "0 1", "0;1", "00", "0,,1", "\t0"]
        {
            assert_eq!(select(first), [0], "{first}");
        }
        assert_eq!(select("GPU-b"), [2]);
        assert_eq!(select("GPU-a"), [0usize; 0]);
        assert_eq!(select("NoDevFiles"), [0usize; 0]);
    }
}
