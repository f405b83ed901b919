//! Settings of core dumps: of the process, and of each context, which begins with the process's.

use crate::base::thread::spawn;
use core::ffi::c_void;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use error::{Error, Result, refuse};
use parking_lot::Mutex;
use settings::config::CoreDump;
use std::ffi::{CString, OsStr};
use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// `CUcoredumpSettings`: whether a setting is a truth, a number or text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attribute {
    Enabled,
    Host,
    Light,
    User,
    File,
    Pipe,
    Flags,
}

impl Attribute {
    /// The one with a number of the interface.
    pub fn of(number: u32) -> Option<Attribute> {
        use Attribute::*;
        [Enabled, Host, Light, User, File, Pipe, Flags].get((number as usize).checked_sub(1)?).copied()
    }
}

/// `CUCoredumpGenerationFlags`.
pub mod flag {
    pub const SKIP_IMAGES: u32 = 0x1;
    pub const SKIP_GLOBAL: u32 = 0x2;
    pub const SKIP_SHARED: u32 = 0x4;
    pub const SKIP_LOCAL: u32 = 0x8;
    pub const SKIP_ABORT: u32 = 0x10;
    pub const SKIP_CONSTANTS: u32 = 0x20;
    /// What a lightweight dump leaves out.
    pub const LIGHT: u32 = SKIP_IMAGES | SKIP_GLOBAL | SKIP_SHARED | SKIP_LOCAL | SKIP_CONSTANTS;
}

/// Bytes of a text, its NUL included.
pub const MOST_TEXT: usize = 1024;

/// Where dumps and the pipe go, unless somebody says otherwise.
const FILE: &[u8] = b"core_%t_%h_%p.nvcudmp";
const PIPE: &[u8] = b"corepipe_%h_%p";

/// What is set. Truths are bytes, which read back as they were set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// A kernel that goes wrong leaves a dump; and the environment says so, which nobody changes.
    pub enabled: u8,
    pub forced: bool,
    /// The user may ask for a dump, by a pipe.
    pub user: u8,
    /// Where the dump goes, and the pipe; empty for what is usual.
    pub file: Vec<u8>,
    pub pipe: Vec<u8>,
    /// Bits of [`flag`].
    pub flags: u32,
    /// The environment wants lightweight dumps. As on the real driver, no setting tells.
    pub quick: bool,
}

impl Settings {
    /// What the environment says. To ask for dumps by a pipe is to have dumps.
    fn of(said: &CoreDump) -> Settings {
        let quiet = if said.host { 0 } else { flag::SKIP_ABORT };
        Settings {
            enabled: (said.enabled || said.user).into(),
            forced: said.enabled,
            user: said.user.into(),
            file: said.file.as_deref().map_or(Vec::new(), expand),
            pipe: said.pipe.as_deref().map_or(Vec::new(), expand),
            flags: said.flags | quiet,
            quick: said.light,
        }
    }

    /// Whether a lightweight dump is wanted.
    pub fn is_light(&self) -> bool {
        self.quick || self.reads_light()
    }

    fn reads_light(&self) -> bool {
        self.flags & flag::LIGHT == flag::LIGHT
    }

    /// The value of a setting that is a truth or a number.
    pub fn number(&self, attribute: Attribute) -> u32 {
        match attribute {
            Attribute::Enabled => self.enabled.into(),
            Attribute::Host => u32::from(self.flags & flag::SKIP_ABORT == 0),
            Attribute::Light => self.reads_light().into(),
            Attribute::User => self.user.into(),
            Attribute::Flags => self.flags,
            Attribute::File | Attribute::Pipe => 0,
        }
    }

    /// Changes it.
    pub fn set_number(&mut self, attribute: Attribute, value: u32) {
        let change = |flags: &mut u32, bits: u32, on: bool| *flags = if on { *flags | bits } else { *flags & !bits };
        match attribute {
            Attribute::Enabled if !self.forced => self.enabled = value as u8,
            Attribute::Host => change(&mut self.flags, flag::SKIP_ABORT, value == 0),
            Attribute::Light => change(&mut self.flags, flag::LIGHT, value != 0),
            Attribute::User => self.user = value as u8,
            Attribute::Flags => self.flags = value,
            Attribute::Enabled | Attribute::File | Attribute::Pipe => {}
        }
    }

    /// The file of a dump.
    pub fn path(&self) -> Vec<u8> {
        expand(if self.file.is_empty() { FILE } else { &self.file })
    }

    /// The pipe by which the user asks for one.
    pub fn pipe_path(&self) -> Vec<u8> {
        if self.pipe.is_empty() { expand(PIPE) } else { self.pipe.clone() }
    }
}

/// A template with `%h`, `%p` and `%t` as the host's name, the process's number and the time. Of another word only what comes
/// behind the `%` is left.
pub fn expand(template: &[u8]) -> Vec<u8> {
    let mut path = Vec::with_capacity(template.len() + 64);
    let mut rest = template.iter();
    while let Some(&byte) = rest.next() {
        if byte != b'%' {
            path.push(byte);
            continue;
        }
        match rest.next() {
            Some(b'h') => path.extend_from_slice(&host()),
            Some(b'p') => path.extend_from_slice(std::process::id().to_string().as_bytes()),
            Some(b't') => {
                let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
                path.extend_from_slice(now.to_string().as_bytes());
            }
            Some(&other) => path.push(other),
            None => {}
        }
    }
    path
}

fn host() -> Vec<u8> {
    let mut name = [0u8; 256];
    // SAFETY: writes at most so many bytes.
    unsafe { libc::gethostname(name.as_mut_ptr().cast(), name.len() - 1) };
    name.iter().copied().take_while(|&byte| byte != 0).collect()
}

static PROCESS: OnceLock<Mutex<Settings>> = OnceLock::new();

/// The process's settings: those of the environment at first.
pub fn process() -> &'static Mutex<Settings> {
    PROCESS.get_or_init(|| {
        Mutex::new(Settings::of(&settings::config::settings().map_or_else(CoreDump::default, |all| all.core.clone())))
    })
}

/// Which moment of a dump a callback hears of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    Start,
    End,
}

/// What is called: with what the program gave, the process's number and the device's.
pub type Callback = unsafe extern "C" fn(*mut c_void, i32, i32);

struct Registered {
    handle: usize,
    moment: Moment,
    callback: Callback,
    data: usize,
}

static CALLBACKS: Mutex<Vec<Registered>> = Mutex::new(Vec::new());

/// Registers a callback; returns its handle.
pub fn register(moment: Moment, callback: Callback, data: *mut c_void) -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(1);
    // Not to be taken for an address, and a multiple of what addresses are.
    let handle = 0xc0de_0000 + NEXT.fetch_add(1, Ordering::Relaxed) * 16;
    CALLBACKS.lock().push(Registered { handle, moment, callback, data: data as usize });
    handle
}

/// Withdraws a callback.
pub fn deregister(moment: Moment, handle: usize) -> Result<()> {
    let mut all = CALLBACKS.lock();
    let at = all.iter().position(|one| one.handle == handle && one.moment == moment);
    at.map(|at| _ = all.remove(at))
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "callback {:#x} is not registered", handle))
}

/// Calls those that wait for a moment, in the order of their registration. No lock is held.
pub fn tell(moment: Moment, device: u32) {
    let all: Vec<(Callback, usize)> =
        CALLBACKS.lock().iter().filter(|one| one.moment == moment).map(|one| (one.callback, one.data)).collect();
    for (callback, data) in all {
        // SAFETY: a function of the program, with what it asked to be given.
        unsafe { callback(data as *mut c_void, std::process::id() as i32, device as i32) };
    }
}

/// The user asked for a dump, which no kernel has left yet.
static ASKED: AtomicBool = AtomicBool::new(false);
static PIPE_OPEN: AtomicBool = AtomicBool::new(false);

/// Whether the user has asked for a dump.
pub fn is_asked_for() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// A dump is there.
pub fn is_given() {
    ASKED.store(false, Ordering::Relaxed);
}

/// Whether there is the pipe by which the user asks for dumps.
pub fn has_pipe() -> bool {
    PIPE_OPEN.load(Ordering::Relaxed)
}

/// Makes the pipe by which the user asks for dumps, if it is wanted, and waits there for a byte.
pub fn open_pipe() {
    let settings = process().lock().clone();
    if settings.user == 0 || PIPE_OPEN.swap(true, Ordering::AcqRel) {
        return;
    }
    let path = settings.pipe_path();
    let made = CString::new(path.clone()).is_ok_and(|name| {
        // SAFETY: a string that ends in NUL.
        unsafe { libc::mkfifo(name.as_ptr(), 0o640) == 0 }
    });
    if !made || !spawn("doppel-core", listen) {
        settings::log::error!("there is no pipe {} for core dumps", String::from_utf8_lossy(&path));
    }
}

/// Waits at the pipe.
fn listen() {
    let name = process().lock().pipe_path();
    // Opened for both: a writer that goes does not end it.
    while let Ok(mut pipe) = OpenOptions::new().read(true).write(true).open(OsStr::from_bytes(&name)) {
        let mut byte = [0u8];
        if pipe.read(&mut byte).is_ok_and(|count| count == 1) {
            ASKED.store(true, Ordering::Relaxed);
            wait_for_kernels();
        }
    }
}

/// Gives kernels that run the time to leave a dump. Without any, the dump says so.
fn wait_for_kernels() {
    /// Kernels give way many times in it.
    const PATIENCE: Duration = Duration::from_secs(1);
    let start = Instant::now();
    while is_asked_for() && start.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(5));
    }
    if !ASKED.swap(false, Ordering::Relaxed) {
        return;
    }
    let settings = process().lock().clone();
    let text = format!("core\t{}\nprocess\t{}\nidle\n", dump::VERSION, std::process::id());
    let section = dump::Section { name: dump::CORE.to_owned(), address: 0, bytes: text.into_bytes() };
    tell(Moment::Start, 0);
    let path = PathBuf::from(OsStr::from_bytes(&settings.path()));
    put(&path, "no kernel runs", &dump::write(&[section]));
    tell(Moment::End, 0);
    end_process(&settings);
}

/// Writes a dump in one piece. A pipe that is there already is written into: somebody reads it.
pub fn put(path: &Path, what: &str, file: &[u8]) {
    let is_pipe = std::fs::metadata(path).is_ok_and(|data| data.file_type().is_fifo());
    let mut options = OpenOptions::new();
    let options =
        if is_pipe { options.write(true) } else { options.write(true).create(true).truncate(true).mode(0o644) };
    match options.open(path).and_then(|mut to| to.write_all(file)) {
        Ok(()) => settings::log::error!("{what}: a core dump is in {}", path.display()),
        Err(error) => settings::log::error!("{what}: no core dump in {}: {error}", path.display()),
    }
}

/// Ends the process behind a dump, unless the program does not want that.
pub fn end_process(settings: &Settings) {
    if settings.flags & flag::SKIP_ABORT == 0 {
        std::process::abort();
    }
}
