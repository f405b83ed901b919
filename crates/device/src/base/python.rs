//! Where a Python program is: the interpreter in this process says it.

use core::ffi::{CStr, c_char, c_int, c_void};
use std::fs::File;
use std::io::{Read, Seek};
use std::os::fd::{AsRawFd, FromRawFd};

/// Bytes of what the interpreter says that are read.
const READ: usize = 64 << 10;

/// A function of the interpreter's, if there is one in this process.
fn function(name: &CStr) -> Option<*mut c_void> {
    // SAFETY: looks a name up in what is loaded.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!found.is_null()).then_some(found)
}

/// The frames of this thread, innermost first: file, line, function. None where no Python is, or this thread is not Python's.
pub fn frames() -> Vec<String> {
    said().map_or_else(Vec::new, |text| chosen(&text))
}

/// The interpreter's own words. It needs no lock for them: the frames are this thread's, which is in here.
fn said() -> Option<String> {
    let state = function(c"PyGILState_GetThisThreadState")?;
    let dump = function(c"_Py_DumpTraceback")?;
    // SAFETY: the signature that this function has in every Python 3.
    let state = unsafe { core::mem::transmute::<*mut c_void, unsafe extern "C" fn() -> *mut c_void>(state)() };
    if state.is_null() {
        return None;
    }
    // SAFETY: a file of our own, which nobody else has.
    let mut file = unsafe {
        let name: *const c_char = c"doppel-python".as_ptr();
        let descriptor = libc::memfd_create(name, libc::MFD_CLOEXEC);
        if descriptor < 0 {
            return None;
        }
        File::from_raw_fd(descriptor)
    };
    // SAFETY: the signature that this function has in every Python 3. It may be called wherever a signal may come, takes no lock
    // and allocates nothing; the state is this thread's.
    unsafe {
        let dump = core::mem::transmute::<*mut c_void, unsafe extern "C" fn(c_int, *mut c_void)>(dump);
        dump(file.as_raw_fd(), state);
    }
    file.rewind().ok()?;
    let mut bytes = Vec::new();
    file.take(READ as u64).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The frames as we write them. Those of installed packages are left out where the program has others.
fn chosen(text: &str) -> Vec<String> {
    let frame = |line: &str| {
        let (file, rest) = line.trim().strip_prefix("File \"")?.split_once("\", line ")?;
        let (line, function) = rest.split_once(" in ")?;
        let installed = file.starts_with('<') || file.contains("/site-packages/") || file.contains("/dist-packages/");
        Some((installed, format!("{function} ({file}:{line})")))
    };
    let frames: Vec<(bool, String)> = text.lines().filter_map(frame).collect();
    let some = frames.iter().any(|(installed, _)| !installed);
    frames.into_iter().filter(|(installed, _)| !(some && *installed)).map(|(_, frame)| frame).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_interpreter_says_nothing() {
        assert!(frames().is_empty());
    }

    #[test]
    fn frames_of_the_program() {
        let text = "Stack (most recent call first):\n  File \"/v/lib/python3.11/site-packages/numba/cuda/x.py\", line 7 in f\n  \
                    File \"/p/my test.py\", line 12 in test_leak\n  File \"<frozen runpy>\", line 88 in _run_code\n  ...\n";
        assert_eq!(chosen(text), ["test_leak (/p/my test.py:12)"]);
        let text =
            "  File \"/v/lib/python3.11/site-packages/a.py\", line 7 in f\n  File \"<string>\", line 1 in <module>\n";
        assert_eq!(chosen(text), ["f (/v/lib/python3.11/site-packages/a.py:7)", "<module> (<string>:1)"]);
        assert!(chosen("").is_empty());
    }
}
