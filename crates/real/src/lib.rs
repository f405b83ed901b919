//! The real library behind one of ours: where it is, and opening it.
//!
//! It is opened by an absolute path and `RTLD_LOCAL`. Its soname is ours, too, but the loader compares sonames only for
//! names without a slash, so that both are loaded; code that loads the library by name keeps getting us.

mod cache;
mod elf;
mod gate;
mod places;
pub mod shim;
mod strings;

pub use gate::Gate;
pub use libc;
pub use places::{
    library_path, own_program, package_folders, python_folders, site_packages, system_cache, toolkit_folders,
};
pub use strings::{Unreadable, string, strings};

use core::ffi::{CStr, c_void};
use core::ptr::NonNull;
use std::ffi::{CString, OsStr};
use std::fmt::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// What our minor numbers have more than the real libraries': so many minor releases no major one had.
const OWN_MINOR: u32 = 50;

/// The minor number of the version that one of our compilers says it has (13.55 for 13.5). Programs keep compiled code under keys with
/// the compiler's version: what ours made is not to be taken for machine code, nor machine code for ours.
pub fn own_minor(minor: u32) -> u32 {
    minor.saturating_add(OWN_MINOR)
}

/// An opened library. It is never closed.
#[derive(Clone, Copy, Debug)]
pub struct Library(NonNull<c_void>);

// SAFETY: the loader's handle may be used by any thread.
unsafe impl Send for Library {}
// SAFETY: the same.
unsafe impl Sync for Library {}

impl Library {
    /// The library that a program would get under this name (`libx.so.1`), which may be one of ours.
    pub fn of_name(name: &str) -> Option<Library> {
        let name = CString::new(name).ok()?;
        // SAFETY: runs the constructors of a library of the system or of ours.
        NonNull::new(unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY | libc::RTLD_LOCAL) }).map(Library)
    }

    /// The library's function or variable of this name, or null.
    pub fn symbol(self, name: &CStr) -> *mut c_void {
        // SAFETY: the handle came from dlopen and is never closed.
        unsafe { libc::dlsym(self.0.as_ptr(), name.as_ptr()) }
    }
}

/// Opens the first of `paths` that is a real library for this machine and has the function `probe`, which must not be
/// `ours`. Otherwise a text says what was tried.
pub fn open(paths: &[PathBuf], probe: &CStr, ours: *const c_void) -> Result<(PathBuf, Library), String> {
    open_beside(paths, probe, ours, own_file as *const c_void)
}

/// The same; `here` lies in our own file.
fn open_beside(
    paths: &[PathBuf],
    probe: &CStr,
    ours: *const c_void,
    here: *const c_void,
) -> Result<(PathBuf, Library), String> {
    let own = own_file(here);
    let mut tried = String::new();
    for path in paths {
        match try_open(path, own, probe, ours) {
            Ok(library) => return Ok((path.clone(), library)),
            Err(reason) => {
                let _ = write!(tried, "{}{} ({reason})", if tried.is_empty() { "" } else { ", " }, path.display());
            }
        }
    }
    Err(tried)
}

/// Whether a library of ours that stands over a real one is loaded under this name (`libx.so.1`).
pub fn stands_in(name: &str) -> bool {
    let Ok(name) = CString::new(name) else { return false };
    // SAFETY: nothing is loaded that is not loaded, and what is found stays: libraries of ours are never unloaded.
    unsafe {
        let handle = libc::dlopen(name.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD);
        if handle.is_null() {
            return false;
        }
        let ours = !libc::dlsym(handle, c"doppel_real_library".as_ptr()).is_null();
        libc::dlclose(handle);
        ours
    }
}

/// Removes what does not exist, and what is a file that stands earlier in the list.
pub fn existing(mut list: Vec<PathBuf>) -> Vec<PathBuf> {
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

/// Device and inode of the file that `here` was loaded from, if the loader tells: where an auditing library put us in
/// the place of the real one, it gives that one's path, and there is no mark of ours in the file.
fn own_file(here: *const c_void) -> Option<(u64, u64)> {
    // SAFETY: `info` is filled before it is read; the name belongs to the loader and stays while we are loaded.
    let path = unsafe {
        let mut info: libc::Dl_info = core::mem::zeroed();
        if libc::dladdr(here, &mut info) == 0 || info.dli_fname.is_null() {
            return None;
        }
        CStr::from_ptr(info.dli_fname)
    };
    let path = Path::new(OsStr::from_bytes(path.to_bytes()));
    elf::inspect(path).ok().filter(|kind| *kind == elf::FileKind::Doppel)?;
    elf::identity(path).ok()
}

fn try_open(path: &Path, own: Option<(u64, u64)>, probe: &CStr, ours: *const c_void) -> Result<Library, String> {
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
    // SAFETY: runs the constructors of the library that the user, or the system, calls the real one.
    let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    let Some(handle) = NonNull::new(handle) else {
        return Err(last_error());
    };
    let found = Library(handle).symbol(probe);
    let reason = if found.is_null() {
        format!("it has no {}", probe.to_string_lossy())
    } else if found.cast_const() == ours {
        "this library itself".into()
    } else {
        return Ok(Library(handle));
    };
    // SAFETY: `handle` is open, and nothing of it is in use.
    unsafe { libc::dlclose(handle.as_ptr()) };
    Err(reason)
}

fn last_error() -> String {
    // SAFETY: dlerror's text is this thread's own until its next call.
    unsafe {
        let text = libc::dlerror();
        if text.is_null() { "unknown error".into() } else { CStr::from_ptr(text).to_string_lossy().into_owned() }
    }
}
