//! Which libraries of the process may have a context, and how they say so.

use core::ffi::{CStr, c_char, c_void};
use core::ptr::NonNull;
use std::sync::OnceLock;

type CurrentContext = unsafe extern "C" fn() -> *mut c_void;
type ProcAddress = unsafe extern "C" fn(*const c_char) -> *mut c_void;

/// A library that makes contexts current: EGL or GLX.
#[derive(Clone, Copy)]
pub struct Library {
    egl: bool,
    current: CurrentContext,
    address: ProcAddress,
}

/// A way to find one: the names under which it is loaded, its function that names the current context, and the one that finds
/// OpenGL's functions.
struct Way {
    names: &'static [&'static CStr],
    current: &'static CStr,
    address: &'static CStr,
}

const WAYS: [Way; 2] = [
    Way { names: &[c"libEGL.so.1"], current: c"eglGetCurrentContext", address: c"eglGetProcAddress" },
    Way { names: &[c"libGLX.so.0", c"libGL.so.1"], current: c"glXGetCurrentContext", address: c"glXGetProcAddressARB" },
];

/// The number of ways.
pub const COUNT: usize = WAYS.len();

impl Library {
    /// The library by a way, if the program has loaded it. What is found stays loaded: contexts and functions that it gave are
    /// kept.
    fn find(way: &Way) -> Option<Library> {
        way.names.iter().find_map(|name| {
            // SAFETY: nothing is loaded that is not loaded, so that no constructor runs.
            let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
            let handle = NonNull::new(handle)?;
            // SAFETY: the handle came from dlopen and is closed only below.
            let symbol = |name: &CStr| NonNull::new(unsafe { libc::dlsym(handle.as_ptr(), name.as_ptr()) });
            match (symbol(way.current), symbol(way.address)) {
                (Some(current), Some(address)) => {
                    // SAFETY: EGL and GLX give these functions these types.
                    let current = unsafe { core::mem::transmute::<*mut c_void, CurrentContext>(current.as_ptr()) };
                    // SAFETY: the same.
                    let address = unsafe { core::mem::transmute::<*mut c_void, ProcAddress>(address.as_ptr()) };
                    Some(Library { egl: way.current == c"eglGetCurrentContext", current, address })
                }
                _ => {
                    // SAFETY: opened above; nothing of it is kept.
                    unsafe { libc::dlclose(handle.as_ptr()) };
                    None
                }
            }
        })
    }

    /// The library by a way, which is looked for until it is found.
    fn kept(way: &Way, found: &OnceLock<Library>) -> Option<Library> {
        found.get().copied().or_else(|| {
            let library = Library::find(way)?;
            Some(*found.get_or_init(|| library))
        })
    }

    /// What the process has loaded, way after way.
    pub fn loaded() -> impl Iterator<Item = (usize, Library)> {
        static FOUND: [OnceLock<Library>; COUNT] = [const { OnceLock::new() }; COUNT];
        let all = WAYS.iter().zip(&FOUND).enumerate();
        all.filter_map(|(number, (way, found))| Some((number, Library::kept(way, found)?)))
    }

    /// The context that is current on the calling thread, 0 without one.
    pub fn current(self) -> usize {
        // SAFETY: it may be called at any time.
        unsafe { (self.current)() as usize }
    }

    /// Whether it is EGL.
    pub fn is_egl(self) -> bool {
        self.egl
    }

    /// OpenGL's function of a name, or null.
    pub fn address(self, name: &CStr) -> *mut c_void {
        // SAFETY: it reads a name that ends with a zero.
        unsafe { (self.address)(name.as_ptr()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_is_looked_for_until_it_is_found() {
        // Functions of the same types in a library that every process has.
        let loaded = Way { names: &[c"libc.so.6"], current: c"__errno_location", address: c"getenv" };
        let missing = Way { names: &[c"libDoesNotExist.so.9"], ..loaded };
        let found = OnceLock::new();
        assert!(Library::kept(&missing, &found).is_none());
        let library = Library::kept(&loaded, &found).expect("it is loaded");
        // SAFETY: it only tells an address.
        assert_eq!(library.current(), unsafe { libc::__errno_location() } as usize);
        assert!(Library::kept(&missing, &found).is_some(), "it is not looked for again");
    }
}
