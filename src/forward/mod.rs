//! The real driver: find it, open it, bind the function table to it.
//!
//! It is opened by an absolute path, `RTLD_LOCAL` and without `RTLD_DEEPBIND`. Its soname is ours, too, but the loader
//! compares sonames only for names without a slash, so that both are loaded; code that loads `libcuda.so.1` by name
//! keeps getting us. Today's driver is linked with `-Bsymbolic`; should one call its own exported functions through the
//! loader, and the program have us in its global scope, these calls come to us and are forwarded like any other, which
//! is harmless. `RTLD_DEEPBIND` would spare that way round, at the price of cutting the real driver off from the
//! program's memory allocator and from sanitizers.

mod cache;
mod elf;

use crate::table::{self, Entry};
use core::ffi::{CStr, c_int, c_uint, c_void};
use core::ptr;
use core::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use error::Error;
use settings::config::Start;
use std::ffi::CString;
use std::fmt::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Name of the library, everywhere.
const NAME: &str = "libcuda.so.1";

/// Where distributions, containers and drivers put it, for when neither the environment nor the loader's cache knows.
const USUAL: &[&str] = &[
    "/usr/local/cuda/compat",
    #[cfg(target_arch = "x86_64")]
    "/usr/lib/x86_64-linux-gnu",
    #[cfg(target_arch = "x86_64")]
    "/usr/lib/x86_64-linux-gnu/nvidia/current",
    #[cfg(target_arch = "x86_64")]
    "/lib/x86_64-linux-gnu",
    #[cfg(target_arch = "aarch64")]
    "/usr/lib/aarch64-linux-gnu",
    #[cfg(target_arch = "aarch64")]
    "/usr/lib/aarch64-linux-gnu/nvidia",
    #[cfg(target_arch = "aarch64")]
    "/usr/lib/aarch64-linux-gnu/tegra",
    "/usr/lib64",
    "/usr/lib64/nvidia",
    "/usr/lib",
    "/usr/lib/nvidia",
    "/usr/lib/wsl/lib",
    "/usr/local/nvidia/lib64",
    "/usr/local/nvidia/lib",
    "/run/opengl-driver/lib",
    "/opt/nvidia/lib64",
];

/// The opened library.
static HANDLE: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());

/// The real driver's function of this name, or null.
pub fn symbol(name: &CStr) -> *mut () {
    let handle = HANDLE.load(Ordering::Acquire);
    if handle.is_null() {
        return ptr::null_mut();
    }
    // SAFETY: `handle` came from dlopen and is never closed.
    unsafe { libc::dlsym(handle, name.as_ptr()) }.cast()
}

/// Finds and opens the real driver, and says where it is, or why there is none.
pub fn open(start: &Start) -> Result<PathBuf, String> {
    let own = own_file();
    let mut tried = String::new();
    for path in candidates(start) {
        match try_open(&path, own) {
            Ok(handle) => {
                HANDLE.store(handle, Ordering::Release);
                return Ok(path);
            }
            Err(reason) => {
                let _ = write!(tried, "{}{} ({reason})", if tried.is_empty() { "" } else { ", " }, path.display());
            }
        }
    }
    Err(if tried.is_empty() { format!("no {NAME} in any usual place") } else { format!("tried {tried}") })
}

/// Device and inode of the file that this code was loaded from.
fn own_file() -> Option<(u64, u64)> {
    // SAFETY: `info` is filled before it is read; the name belongs to the loader and stays while we are loaded.
    let path = unsafe {
        let mut info: libc::Dl_info = core::mem::zeroed();
        let here = own_file as *const c_void;
        if libc::dladdr(here, &mut info) == 0 || info.dli_fname.is_null() {
            return None;
        }
        CStr::from_ptr(info.dli_fname)
    };
    elf::identity(Path::new(std::ffi::OsStr::from_bytes(path.to_bytes()))).ok()
}

/// The files to try, in order: existing ones only, except for the one that the user names.
fn candidates(start: &Start) -> Vec<PathBuf> {
    if let Some(path) = &start.real_libcuda {
        return vec![path.clone()];
    }
    let mut list = Vec::new();
    if let Some(path) = &start.library_path {
        let dirs = path.as_bytes().split(|&b| b == b':' || b == b';');
        list.extend(
            dirs.filter(|d| d.first() == Some(&b'/')).map(|d| Path::new(std::ffi::OsStr::from_bytes(d)).join(NAME)),
        );
    }
    if let Ok(bytes) = std::fs::read("/etc/ld.so.cache") {
        list.extend(
            cache::paths(&bytes, NAME.as_bytes()).into_iter().map(|p| PathBuf::from(std::ffi::OsStr::from_bytes(p))),
        );
    }
    list.extend(USUAL.iter().map(|dir| Path::new(dir).join(NAME)));
    let mut seen = Vec::new();
    list.retain(|path| match elf::identity(path) {
        Ok(id) if seen.contains(&id) => false,
        Ok(id) => {
            seen.push(id);
            true
        }
        Err(_) => false,
    });
    list
}

fn try_open(path: &Path, own: Option<(u64, u64)>) -> Result<*mut c_void, String> {
    let id = elf::identity(path).map_err(|e| e.to_string())?;
    if own == Some(id) {
        return Err("this library itself".into());
    }
    match elf::inspect(path).map_err(|e| e.to_string())? {
        elf::FileKind::Library => {}
        elf::FileKind::Doppel => return Err("another copy of this library".into()),
        elf::FileKind::Other => return Err("not a library for this machine".into()),
    }
    // dlopen takes a name without a slash as a library to be searched, and would find us.
    let absolute = std::path::absolute(path).map_err(|e| e.to_string())?;
    let name = CString::new(absolute.as_os_str().as_bytes()).map_err(|e| e.to_string())?;
    // SAFETY: runs the constructors of the library that the user, or the system, calls the driver.
    let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    if handle.is_null() {
        return Err(last_error());
    }
    // SAFETY: `handle` is open.
    let init = unsafe { libc::dlsym(handle, c"cuInit".as_ptr()) };
    let ours = table::by_name("cuInit").map(|e| e.address.cast::<c_void>());
    let reason = if init.is_null() {
        "it has no cuInit"
    } else if Some(init.cast_const()) == ours {
        "this library itself"
    } else {
        return Ok(handle);
    };
    // SAFETY: `handle` is open, and nothing of it is in use.
    unsafe { libc::dlclose(handle) };
    Err(reason.into())
}

fn last_error() -> String {
    // SAFETY: dlerror's text is this thread's own until its next call.
    unsafe {
        let text = libc::dlerror();
        if text.is_null() { "unknown error".into() } else { CStr::from_ptr(text).to_string_lossy().into_owned() }
    }
}

/// Asks the opened driver for a device, for `auto` mode.
pub fn has_device() -> Result<(), String> {
    let init = symbol(c"cuInit");
    let count = symbol(c"cuDeviceGetCount");
    if init.is_null() || count.is_null() {
        return Err("it has no cuDeviceGetCount".into());
    }
    // SAFETY: these are the signatures of these functions in every version of the driver.
    let (code, devices) = unsafe {
        let init: unsafe extern "C" fn(c_uint) -> c_int = core::mem::transmute(init);
        let count: unsafe extern "C" fn(*mut c_int) -> c_int = core::mem::transmute(count);
        let mut devices = 0;
        match init(0) {
            0 => (count(&mut devices), devices),
            code => (code, 0),
        }
    };
    match (code, devices) {
        (0, 1..) => Ok(()),
        (0, _) => Err("it has no device".into()),
        (code, _) => Err(format!("its cuInit failed with error {code}")),
    }
}

/// True while `auto` mode has initialised the real driver and the program has not.
static EARLY: AtomicBool = AtomicBool::new(false);

/// For `auto` mode, which has to initialise the real driver to know whether it has a device: nothing is bound yet.
pub fn wait_for_init() {
    EARLY.store(true, Ordering::Release);
}

/// True when the program has not called `cuInit`, so that it must not find the driver initialised.
pub fn waits_for_init() -> bool {
    EARLY.load(Ordering::Acquire)
}

/// `cuInit` for `auto` mode: once the program's own call has succeeded, it finds the driver initialised.
///
/// # Safety
/// As [`crate::abi::initialization::cuInit`].
pub unsafe extern "C" fn init(flags: c_uint) -> c_int {
    let real = symbol(c"cuInit");
    if real.is_null() {
        return Error::NOT_INITIALIZED.code() as c_int;
    }
    // SAFETY: this is the function's signature.
    let code = unsafe { core::mem::transmute::<*mut (), unsafe extern "C" fn(c_uint) -> c_int>(real)(flags) };
    if code == 0 && waits_for_init() {
        bind();
    }
    code
}

/// Points every row of the table at the real driver. Rows that it lacks, and those whose body does the forwarding,
/// stay empty; so does `cuInit` until the dispatch has checked the configuration.
pub fn bind() {
    EARLY.store(false, Ordering::Release);
    for entry in table::ENTRIES {
        if !entry.run_in_forward && entry.base != "cuInit" {
            entry.bind(symbol(entry.c_name()));
        }
    }
}

/// Real functions by address, with our exports of the same name.
fn addresses() -> &'static [(usize, &'static Entry)] {
    static ADDRESSES: OnceLock<Vec<(usize, &'static Entry)>> = OnceLock::new();
    ADDRESSES.get_or_init(|| {
        let mut all: Vec<_> =
            table::ENTRIES.iter().map(|e| (symbol(e.c_name()) as usize, e)).filter(|(addr, _)| *addr != 0).collect();
        all.sort_unstable_by_key(|(addr, e)| (*addr, e.name()));
        all
    })
}

/// Our export for an address that the real driver handed out for `base`, if it is that of an exported function.
/// Aliases share an address; the one that was asked for comes first.
pub fn export_for(real: *const c_void, base: &[u8]) -> Option<&'static Entry> {
    let all = addresses();
    let start = all.partition_point(|(addr, _)| *addr < real as usize);
    let same = all[start..].iter().take_while(|(addr, _)| *addr == real as usize).map(|(_, e)| *e);
    same.clone().find(|e| e.base.as_bytes() == base).or_else(|| same.clone().next())
}
