//! The real driver: find it, open it, bind the function table to it.
//!
//! `real` opens it without `RTLD_DEEPBIND`. Today's driver is linked with `-Bsymbolic`; should one call its own exported
//! functions through the loader, and the program have us in its global scope, these calls come to us and are forwarded
//! like any other, which is harmless. `RTLD_DEEPBIND` would spare that way round, at the price of cutting the real driver
//! off from the program's memory allocator and from sanitizers.

use crate::table::{self, Entry};
use core::ffi::{CStr, c_int, c_uint, c_void};
use core::ptr;
use core::sync::atomic::{AtomicBool, Ordering};
use error::Error;
use settings::config::Start;
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
static DRIVER: OnceLock<real::Library> = OnceLock::new();

/// The real driver's function of this name, or null.
pub fn symbol(name: &CStr) -> *mut () {
    DRIVER.get().map_or(ptr::null_mut(), |driver| driver.symbol(name).cast())
}

/// Finds and opens the real driver, and says where it is, or why there is none.
pub fn open(start: &Start) -> Result<PathBuf, String> {
    let ours = table::by_name("cuInit").map_or(ptr::null(), |e| e.address.cast::<c_void>());
    match real::open(&candidates(start), c"cuInit", ours) {
        Ok((path, driver)) => {
            let _ = DRIVER.set(driver);
            Ok(path)
        }
        Err(tried) if tried.is_empty() => Err(format!("no {NAME} in any usual place")),
        Err(tried) => Err(format!("tried {tried}")),
    }
}

/// The files to try, in order: existing ones only, except for the one that the user names.
fn candidates(start: &Start) -> Vec<PathBuf> {
    if let Some(path) = &start.real_libcuda {
        return vec![path.clone()];
    }
    let mut list = start.library_path.as_deref().map_or_else(Vec::new, |path| real::library_path(path, NAME));
    list.extend(real::system_cache(NAME));
    list.extend(USUAL.iter().map(|dir| Path::new(dir).join(NAME)));
    real::existing(list)
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
