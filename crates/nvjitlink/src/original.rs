//! The real library, which alone understands code for link time optimisation.

use crate::JITLINK;
use crate::api::{Code, INTERNAL, SUCCESS};
use core::ffi::{c_char, c_int, c_void};
use std::ffi::CString;
use std::ptr;

/// The real library's own handle.
type Raw = *mut c_void;
type Measure = unsafe extern "C" fn(Raw, *mut usize) -> c_int;
type Get = unsafe extern "C" fn(Raw, *mut c_void) -> c_int;

/// The release of the real library.
pub fn version() -> Option<(u32, u32)> {
    let real = real::original!(JITLINK, nvJitLinkVersion, fn(*mut u32, *mut u32) -> c_int)?;
    let (mut major, mut minor) = (0, 0);
    // SAFETY: both are ours.
    (unsafe { real(&mut major, &mut minor) } == SUCCESS).then_some((major, minor))
}

/// A link of the real library. It is destroyed when this is dropped.
pub struct Original(Raw);

/// What it gave.
#[derive(Default)]
pub struct Outcome {
    pub code: Code,
    pub errors: Vec<u8>,
    pub remarks: Vec<u8>,
    /// The PTX, with its NUL.
    pub text: Vec<u8>,
    /// The code that was put together.
    pub intermediate: Vec<u8>,
}

fn read(raw: Raw, measure: Option<Measure>, get: Option<Get>) -> Vec<u8> {
    let (Some(measure), Some(get)) = (measure, get) else { return Vec::new() };
    let mut size = 0;
    // SAFETY: the handle is alive and `size` is ours.
    // Of what is empty it would write a NUL that it has not counted.
    if unsafe { measure(raw, &mut size) } != SUCCESS || size == 0 {
        return Vec::new();
    }
    let mut bytes = vec![0; size];
    // SAFETY: the buffer has the size that the library asked for.
    if unsafe { get(raw, bytes.as_mut_ptr().cast()) } == SUCCESS { bytes } else { Vec::new() }
}

impl Original {
    /// Begins a link; with the code comes the link, whose log says what is wrong. `None`: there is no real library.
    pub fn create(options: &[Vec<u8>]) -> Option<(Original, Code)> {
        let create = real::original!(JITLINK, nvJitLinkCreate, fn(*mut Raw, u32, *const *const c_char) -> c_int)?;
        let options: Vec<CString> =
            options.iter().map(|option| CString::new(option.as_slice()).unwrap_or_default()).collect();
        let pointers: Vec<*const c_char> = options.iter().map(|option| option.as_ptr()).collect();
        let mut raw = ptr::null_mut();
        // SAFETY: the array has as many strings as is said.
        let code = unsafe { create(&mut raw, pointers.len() as u32, pointers.as_ptr()) };
        Some((Original(raw), code))
    }

    /// Adds an input.
    pub fn add(&self, kind: c_int, data: &[u8], name: Option<&[u8]>) -> Code {
        let add =
            real::original!(JITLINK, nvJitLinkAddData, fn(Raw, c_int, *const c_void, usize, *const c_char) -> c_int);
        let name = name.map(|name| CString::new(name).unwrap_or_default());
        let name = name.as_ref().map_or(ptr::null(), |name| name.as_ptr());
        // SAFETY: the handle is alive; data and name are ours.
        add.map_or(INTERNAL, |add| unsafe { add(self.0, kind, data.as_ptr().cast(), data.len(), name) })
    }

    /// Links.
    pub fn complete(&self) -> Code {
        let complete = real::original!(JITLINK, nvJitLinkComplete, fn(Raw) -> c_int);
        // SAFETY: the handle is alive.
        complete.map_or(INTERNAL, |complete| unsafe { complete(self.0) })
    }

    /// The information log of a link that has begun.
    pub fn remarks(&self) -> Vec<u8> {
        let measure = real::original!(JITLINK, nvJitLinkGetInfoLogSize, fn(Raw, *mut usize) -> c_int);
        read(self.0, measure, real::original!(JITLINK, nvJitLinkGetInfoLog, fn(Raw, *mut c_void) -> c_int))
    }

    /// The logs, and what was made.
    pub fn outcome(&self, code: Code) -> Outcome {
        macro_rules! output {
            ($size:ident, $get:ident) => {
                read(
                    self.0,
                    real::original!(JITLINK, $size, fn(Raw, *mut usize) -> c_int),
                    real::original!(JITLINK, $get, fn(Raw, *mut c_void) -> c_int),
                )
            };
        }
        let mut outcome = Outcome {
            code,
            errors: output!(nvJitLinkGetErrorLogSize, nvJitLinkGetErrorLog),
            remarks: output!(nvJitLinkGetInfoLogSize, nvJitLinkGetInfoLog),
            ..Outcome::default()
        };
        // Of a link that failed the library gives its logs alone.
        if code == SUCCESS {
            outcome.text = output!(nvJitLinkGetLinkedPtxSize, nvJitLinkGetLinkedPtx);
            outcome.intermediate = output!(nvJitLinkGetLinkedLTOIRSize, nvJitLinkGetLinkedLTOIR);
        }
        outcome
    }
}

impl Drop for Original {
    fn drop(&mut self) {
        if let Some(destroy) = real::original!(JITLINK, nvJitLinkDestroy, fn(*mut Raw) -> c_int)
            && !self.0.is_null()
        {
            // SAFETY: the handle is alive, and nobody uses it afterwards.
            unsafe { destroy(&mut self.0) };
        }
    }
}
