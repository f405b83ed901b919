//! What the environment says: whether we work, and where our libraries are.

use crate::system;
use core::ffi::{CStr, c_char};

/// The name of this library's file.
const FILE: &[u8] = b"libdoppel-audit.so";
/// One of these is there where NVIDIA's kernel module is: the mode `auto` is `forward` then. The list is that of the crate `settings`,
/// which this library cannot use.
const DRIVER: [&CStr; 3] = include!("../../settings/src/driver_files.in");

/// The environment, as far as it concerns us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The folder of this library and of ours beside it, without its last slash. Without one there is nothing to do.
    folder: Option<&'static [u8]>,
    /// What is done is told on stderr.
    tells: bool,
}

impl Settings {
    /// Nothing to do.
    pub const fn none() -> Settings {
        Settings { folder: None, tells: false }
    }

    /// Reads the environment.
    ///
    /// # Safety
    /// `environment` is the process's, ends in NULL, and stays.
    pub unsafe fn read(environment: *const *const c_char) -> Settings {
        let value = |name: &[u8]| {
            let mut at = environment;
            // SAFETY: the caller says that it is a list of strings.
            while let Some(entry) = unsafe { at.as_ref().copied().filter(|entry| !entry.is_null()) } {
                // SAFETY: as above.
                let entry: &'static [u8] = unsafe { CStr::from_ptr(entry) }.to_bytes();
                if let Some(value) = entry.strip_prefix(name).and_then(|rest| rest.strip_prefix(b"=")) {
                    return value;
                }
                at = at.wrapping_add(1);
            }
            &[]
        };
        Settings::of(value(b"DOPPEL_MODE"), value(b"LD_AUDIT"), value(b"DOPPEL_LOG"), || {
            DRIVER.iter().any(|file| system::exists(file))
        })
    }

    fn of(mode: &[u8], audit: &'static [u8], log: &[u8], driver: impl Fn() -> bool) -> Settings {
        let emulated = match mode {
            b"" | b"cpu" => true,
            b"auto" => !driver(),
            // Also a word that is not known: then nothing can be answered.
            _ => false,
        };
        let folder_of =
            |entry: &'static [u8]| entry.strip_suffix(FILE)?.strip_suffix(b"/").filter(|f| f.starts_with(b"/"));
        let folder = audit.split(|&b| b == b':').find_map(folder_of).filter(|_| emulated);
        Settings { folder, tells: matches!(log, b"info" | b"debug") }
    }

    /// Whether there is anything to do.
    pub fn work(&self) -> bool {
        self.folder.is_some()
    }

    pub fn folder(&self) -> &'static [u8] {
        self.folder.unwrap_or_default()
    }

    pub fn tells(&self) -> bool {
        self.tells
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes() {
        let works = |mode: &[u8], driver: bool| Settings::of(mode, b"/d/libdoppel-audit.so", b"", || driver).work();
        assert!(works(b"", true) && works(b"cpu", true) && works(b"auto", false));
        assert!(!works(b"auto", true) && !works(b"forward", true) && !works(b"absent", false) && !works(b"CPU", false));
    }

    #[test]
    fn folders() {
        let folder = |audit| Settings::of(b"", audit, b"", || false).folder();
        assert_eq!(folder(b"/d/lib/libdoppel-audit.so"), b"/d/lib");
        assert_eq!(folder(b"/other.so:/d/libdoppel-audit.so:/e/libdoppel-audit.so"), b"/d");
        for none in [&b""[..], b"libdoppel-audit.so", b"lib/libdoppel-audit.so", b"/libdoppel-audit.so", b"/d/audit.so"]
        {
            assert_eq!(folder(none), b"");
        }
    }

    #[test]
    fn the_environment() {
        let entries = [c"A=1", c"DOPPEL_MODE=cpu", c"LD_AUDIT=/d/libdoppel-audit.so", c"DOPPEL_LOG=info"];
        let mut list: Vec<*const c_char> = entries.iter().map(|entry| entry.as_ptr()).collect();
        list.push(core::ptr::null());
        // SAFETY: a list of strings that ends in NULL.
        let settings = unsafe { Settings::read(list.as_ptr()) };
        assert!(settings.work() && settings.tells() && settings.folder() == b"/d");
        // SAFETY: nothing.
        assert_eq!(unsafe { Settings::read(core::ptr::null()) }, Settings::none());
    }
}
