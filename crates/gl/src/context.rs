//! The context that is current on the calling thread.

use crate::functions::{Direct, Egl, Functions, Labels, Old};
use crate::library::{COUNT, Library};
use crate::name::{CONTEXT_COMPATIBILITY_PROFILE_BIT, CONTEXT_PROFILE_MASK, SYNC_GPU_COMMANDS_COMPLETE, VERSION};
use crate::visit::Home;
use core::ffi::{CStr, c_char, c_int};
use core::marker::PhantomData;
use parking_lot::Mutex;
use std::ffi::CString;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Contexts that share their objects.
///
/// Neither EGL nor GLX say which contexts do. A fence is an object that has no name, so that the program never meets it, and
/// belongs to all contexts that share: whether a context knows it answers the question. It goes with the last of them, and another
/// fence may have its address then, so a label with a number that is used once says that it is ours, where OpenGL has labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    fence: usize,
    number: u64,
    /// The context that it was found by.
    pub(crate) home: Option<Home>,
}

/// The number of the group that was made last.
static NUMBER: AtomicU64 = AtomicU64::new(0);

/// The label of a group's fence.
fn label_of(number: u64) -> CString {
    CString::new(format!("doppel {number}")).unwrap_or_default()
}

/// The latest groups, so that one group has one fence, however much is shared.
static GROUPS: Mutex<Vec<Group>> = Mutex::new(Vec::new());
/// How many are remembered. For a forgotten one another fence is made.
const MOST_GROUPS: usize = 32;

/// The context that is current on the calling thread, while it is.
pub struct Context {
    functions: &'static Functions,
    embedded: bool,
    version: (u32, u32),
    /// It is that of this thread.
    _of_thread: PhantomData<*const ()>,
}

/// A context was current when somebody asked.
static CURRENT: AtomicBool = AtomicBool::new(false);

/// Whether a context was current on any thread when it was asked about.
pub fn has_been_current() -> bool {
    CURRENT.load(Ordering::Relaxed)
}

/// Whether the process has loaded a library that makes contexts current.
pub fn is_loaded() -> bool {
    Library::loaded().next().is_some()
}

/// Major and minor version, and whether it is OpenGL ES, from the text of `GL_VERSION`.
fn parse_version(text: &str) -> Option<(bool, (u32, u32))> {
    let embedded = text.strip_prefix("OpenGL ES ");
    let number = embedded.unwrap_or(text).split(' ').next()?;
    let mut parts = number.split('.').map(|part| part.parse::<u32>().ok());
    Some((embedded.is_some(), (parts.next()??, parts.next()??)))
}

impl Context {
    /// The current context, if the program has one that something can be shared with.
    pub fn current() -> Option<Context> {
        static FUNCTIONS: [OnceLock<Option<Functions>>; COUNT] = [const { OnceLock::new() }; COUNT];
        let (number, library) = Library::loaded().find(|(_, library)| library.current() != 0)?;
        let functions = FUNCTIONS[number].get_or_init(|| Functions::load(library)).as_ref()?;
        // SAFETY: a context is current; the text is the library's own and stays.
        let text = unsafe { (functions.common.get_string)(VERSION) };
        if text.is_null() {
            return None;
        }
        // SAFETY: it ends with a zero, as OpenGL has it.
        let (embedded, version) = parse_version(unsafe { CStr::from_ptr(text) }.to_str().ok()?)?;
        let least = if embedded { (3, 0) } else { (3, 2) };
        if version < least {
            return None;
        }
        CURRENT.store(true, Ordering::Relaxed);
        Some(Context { functions, embedded, version, _of_thread: PhantomData })
    }

    /// Its functions.
    pub(crate) fn functions(&self) -> &'static Functions {
        self.functions
    }

    /// EGL's functions, if it has made the context current.
    pub(crate) fn egl(&self) -> Option<&'static Egl> {
        self.functions.egl.as_ref()
    }

    /// Whether it is one of OpenGL ES, and its version.
    pub(crate) fn kind(&self) -> (bool, (u32, u32)) {
        (self.embedded, self.version)
    }

    /// The functions that name their objects, which OpenGL 4.5 has.
    pub(crate) fn direct(&self) -> Option<&'static Direct> {
        self.functions.direct.as_ref().filter(|_| !self.embedded && self.version >= (4, 5))
    }

    /// The functions of the compatibility profile, if the context is one.
    pub(crate) fn old(&self) -> Option<&'static Old> {
        let compatible =
            !self.embedded && self.integer(CONTEXT_PROFILE_MASK) as u32 & CONTEXT_COMPATIBILITY_PROFILE_BIT != 0;
        self.functions.old.as_ref().filter(|_| compatible)
    }

    /// A number of the context's state.
    pub(crate) fn integer(&self, name: u32) -> i32 {
        let mut value: [c_int; 4] = [0; 4];
        // SAFETY: what is asked about here is one number.
        unsafe { (self.functions.common.get_integer)(name, value.as_mut_ptr()) };
        value[0]
    }

    /// True when objects of the group can be used by their names.
    pub fn is_of(&self, group: Group) -> bool {
        // SAFETY: OpenGL looks the pointer up among the fences that it knows.
        if unsafe { (self.functions.common.is_fence)(group.fence as *mut _) } == 0 {
            return false;
        }
        let Some(labels) = self.labels() else { return true };
        let mut found = [0 as c_char; 32];
        // SAFETY: a fence, which OpenGL knows, and room for as much as is said, with the zero at the end.
        unsafe { (labels.label_of)(group.fence as *const _, 32, core::ptr::null_mut(), found.as_mut_ptr()) };
        let expected = label_of(group.number);
        expected.as_bytes_with_nul().iter().zip(&found).all(|(a, b)| *a == *b as u8)
    }

    /// The functions of labels, if the context has them.
    fn labels(&self) -> Option<&'static Labels> {
        let least = if self.embedded { (3, 2) } else { (4, 3) };
        self.functions.labels.as_ref().filter(|_| self.version >= least)
    }

    /// The group that the context belongs to.
    pub fn group(&self) -> Option<Group> {
        // No lock is held while OpenGL runs, which may call the program's debug function.
        let known = GROUPS.lock().clone();
        if let Some(group) = known.into_iter().find(|&group| self.is_of(group)) {
            return Some(group);
        }
        // SAFETY: a context of 3.2 or of ES 3.0 has fences.
        let fence = unsafe { (self.functions.common.fence)(SYNC_GPU_COMMANDS_COMPLETE, 0) };
        if fence.is_null() {
            return None;
        }
        let number = NUMBER.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(labels) = self.labels() {
            let label = label_of(number);
            // SAFETY: the fence was made here; the text ends with a zero, and is copied.
            unsafe { (labels.label)(fence, -1, label.as_ptr()) };
        }
        let group = Group { fence: fence as usize, number, home: Home::of(self) };
        let mut known = GROUPS.lock();
        if known.len() == MOST_GROUPS {
            known.remove(0);
        }
        known.push(group);
        Some(group)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        assert_eq!(parse_version("4.5 (Core Profile) Mesa 22.3.6"), Some((false, (4, 5))));
        assert_eq!(parse_version("4.6.0 NVIDIA 580.95"), Some((false, (4, 6))));
        assert_eq!(parse_version("OpenGL ES 3.2 Mesa 22.3.6"), Some((true, (3, 2))));
        assert_eq!(parse_version("OpenGL ES-CM 1.1"), None);
        assert_eq!(parse_version(""), None);
        assert_eq!(parse_version("4"), None);
    }

    #[test]
    fn without_a_library_no_context_is_current() {
        assert!(Context::current().is_none());
    }
}
