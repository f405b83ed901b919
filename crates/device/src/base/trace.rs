//! Where in the program a call came from.

use crate::base::{checking, python};
use core::ffi::{CStr, c_void};
use core::fmt::Write;
use std::cell::RefCell;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// Frames that are remembered, and that are shown.
const KEPT: usize = 32;
const SHOWN: usize = 12;

/// The program's frames, innermost first: as addresses of the calls, and in a Python program what the interpreter says.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Trace {
    frames: Box<[usize]>,
    python: Box<[String]>,
}

thread_local! {
    /// Whose call it is, if that was earlier or on another thread.
    static CALLER: RefCell<Option<Arc<Trace>>> = const { RefCell::new(None) };
}

/// Where the program called us; `None` when nothing is checked.
#[inline]
pub fn here() -> Option<Arc<Trace>> {
    if checking::is_on() { Some(caller()) } else { None }
}

#[cold]
fn caller() -> Arc<Trace> {
    let earlier = CALLER.try_with(|caller| caller.borrow().clone()).ok().flatten();
    earlier.unwrap_or_else(|| Arc::new(Trace::capture()))
}

/// Does what the program has asked for earlier.
pub fn on_behalf<R>(caller: &Option<Arc<Trace>>, f: impl FnOnce() -> R) -> R {
    let before = CALLER.try_with(|c| c.replace(caller.clone())).ok().flatten();
    let result = f();
    let _ = CALLER.try_with(|c| c.replace(before));
    result
}

/// What the loader knows of an address.
fn loaded(at: usize) -> Option<libc::Dl_info> {
    // SAFETY: a plain query, and plain data.
    unsafe {
        let mut info: libc::Dl_info = core::mem::zeroed();
        (libc::dladdr(at as *const c_void, &mut info) != 0).then_some(info)
    }
}

/// The loaded file that holds an address: its first address and its name.
fn module(at: usize) -> Option<(usize, &'static CStr)> {
    let info = loaded(at).filter(|info| !info.dli_fname.is_null())?;
    // SAFETY: names of loaded files stay.
    Some((info.dli_fbase as usize, unsafe { CStr::from_ptr(info.dli_fname) }))
}

/// True for code of this library.
fn is_ours(at: usize) -> bool {
    static OURS: OnceLock<usize> = OnceLock::new();
    let ours = *OURS.get_or_init(|| module(caller as *const () as usize).map_or(0, |m| m.0));
    module(at).is_some_and(|m| m.0 == ours)
}

impl Trace {
    /// Where the program called us.
    #[cold]
    pub fn capture() -> Trace {
        let mut frames = Vec::with_capacity(KEPT);
        let mut inside = true;
        backtrace::trace(|frame| {
            // Not the address that a call returns to, which may be another line's.
            let at = (frame.ip() as usize).wrapping_sub(1);
            // Ours are passed over; behind them, ours are those of a callback.
            inside = inside && is_ours(at);
            if !inside {
                frames.push(at);
            }
            frames.len() < KEPT
        });
        Trace { frames: frames.into_boxed_slice(), python: python::frames().into_boxed_slice() }
    }

    /// In words, a frame a line, each behind `indent`. Python's come first; behind them, what is between them and us.
    pub fn describe(&self, indent: &str, to: &mut String) {
        let mut shown = 0;
        for frame in self.python.iter().take(SHOWN) {
            let _ = writeln!(to, "{indent}{frame}");
            shown += 1;
        }
        if shown == SHOWN {
            return;
        }
        for &at in &self.frames {
            // Python's interpreter.
            if !self.python.is_empty() && is_in(at, &["python", "libpython"]) {
                return;
            }
            let mut known = false;
            let (mut last, mut passed_over) = (false, false);
            backtrace::resolve(at as *mut c_void, |symbol| {
                let Some(name) = symbol.name() else { return };
                known = true;
                let name = names::function(name.as_bytes());
                // Our own runtime library: its exports say enough.
                if name.starts_with("doppel_cudart") {
                    passed_over = true;
                    return;
                }
                let _ = write!(to, "{indent}{name}");
                match (symbol.filename(), symbol.lineno()) {
                    (Some(file), Some(line)) => _ = writeln!(to, " ({}:{line})", file.display()),
                    _ => _ = writeln!(to, " ({})", place(at)),
                }
                last |= name == "main";
            });
            if !known {
                // A stripped runtime library has names for its exports alone.
                passed_over = is_in(at, &["libcudart"]);
                // Without /proc nobody knows where the program's own file is; the loader knows its exports.
                let export = export(at).filter(|_| !passed_over);
                last |= export.as_deref() == Some("main");
                match export {
                    Some(name) => _ = writeln!(to, "{indent}{name} ({})", place(at)),
                    None if passed_over => {}
                    None => _ = writeln!(to, "{indent}{}", place(at)),
                }
            }
            shown += usize::from(!passed_over);
            // What is before `main` is the same for all programs.
            if last || shown == SHOWN {
                return;
            }
        }
        if self.frames.is_empty() && self.python.is_empty() {
            let _ = writeln!(to, "{indent}a thread of the driver");
        }
    }
}

/// True for code of a file whose name begins with one of these.
fn is_in(at: usize, names: &[&str]) -> bool {
    let name = module(at).map(|(_, name)| name.to_string_lossy());
    let file = name.as_deref().and_then(|name| Path::new(name).file_name()?.to_str());
    file.is_some_and(|file| names.iter().any(|name| file.starts_with(name)))
}

/// The name of the exported function that an address is in.
fn export(at: usize) -> Option<String> {
    let info = loaded(at).filter(|info| !info.dli_sname.is_null())?;
    // SAFETY: a name, which stays as long as the library does.
    let name = unsafe { CStr::from_ptr(info.dli_sname) };
    Some(names::function(name.to_bytes()))
}

/// The file that an address is in, and the offset there.
fn place(at: usize) -> String {
    match module(at) {
        Some((base, name)) => {
            let name = name.to_string_lossy();
            let name = Path::new(&*name).file_name().unwrap_or(name.as_ref().as_ref());
            format!("{}+{:#x}", name.to_string_lossy(), at - base)
        }
        None => format!("{at:#x}"),
    }
}
