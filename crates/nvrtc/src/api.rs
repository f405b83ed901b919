//! How an exported function is declared.
//!
//! ```text
//! api! {
//!     /// Goes to the real library, once its arguments are such that it cannot crash on them.
//!     fn nvrtcGetPTX(prog: Program, ptx: *mut c_char);
//!     /// Has a body in `cpu` mode, which may call the real library's function as `real`, if there is one.
//!     fn nvrtcDestroyProgram(prog: *mut Program) |real| { ... }
//! }
//! ```
//! In `forward` and `absent` mode every call goes to the real library as it is. The lines that begin with `fn` are what
//! `docs/STATUS-compilers.md` is written from.

use crate::program::{self, Program};
use core::ffi::{c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, UnwindSafe, catch_unwind};

/// `nvrtcResult`: what is not success.
pub type Code = c_int;
pub const SUCCESS: Code = 0;
pub const INVALID_INPUT: Code = 3;
pub const INVALID_PROGRAM: Code = 4;
pub const INVALID_OPTION: Code = 5;
pub const COMPILATION: Code = 6;
pub const INTERNAL_ERROR: Code = 11;

/// Names of results, from 0 on.
pub const NAMES: &[&core::ffi::CStr] = &[
    c"NVRTC_SUCCESS",
    c"NVRTC_ERROR_OUT_OF_MEMORY",
    c"NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
    c"NVRTC_ERROR_INVALID_INPUT",
    c"NVRTC_ERROR_INVALID_PROGRAM",
    c"NVRTC_ERROR_INVALID_OPTION",
    c"NVRTC_ERROR_COMPILATION",
    c"NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
    c"NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
    c"NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
    c"NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
    c"NVRTC_ERROR_INTERNAL_ERROR",
    c"NVRTC_ERROR_TIME_FILE_WRITE_FAILED",
    c"NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED",
    c"NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED",
    c"NVRTC_ERROR_PCH_CREATE",
    c"NVRTC_ERROR_CANCELLED",
    #[cfg(nvrtc = "13")]
    c"NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED",
    #[cfg(nvrtc = "13")]
    c"NVRTC_ERROR_BUSY",
];

/// An argument that the real library would crash on is refused.
pub trait Argument {
    /// The error that it is refused with.
    fn check(&self) -> Result<(), Code> {
        Ok(())
    }
}

impl Argument for c_int {}
impl Argument for u32 {}
impl Argument for usize {}
impl Argument for Option<Callback> {}
// A payload is the program's own.
impl Argument for *mut c_void {}

impl Argument for Program {
    fn check(&self) -> Result<(), Code> {
        if program::is_live(*self) { Ok(()) } else { Err(INVALID_PROGRAM) }
    }
}

/// A result. The real library looks at NULL itself.
impl<T> Argument for *mut T
where
    T: Written,
{
    fn check(&self) -> Result<(), Code> {
        if self.is_null() || guard::probe_write(*self as usize, size_of::<T>()).is_ok() {
            Ok(())
        } else {
            Err(INVALID_INPUT)
        }
    }
}

/// What the real library writes.
pub trait Written {}
impl Written for c_char {}
impl Written for c_int {}
impl Written for usize {}
impl Written for Program {}
impl Written for *const c_char {}

/// A string.
impl Argument for *const c_char {
    fn check(&self) -> Result<(), Code> {
        if self.is_null() || real::string(*self).is_ok() { Ok(()) } else { Err(INVALID_INPUT) }
    }
}

/// An array, which the body looks at.
impl Argument for *const *const c_char {}

/// `nvrtcSetFlowCallback`'s.
pub type Callback = unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int;

/// The strings of an array of the program, or `None` if it is not memory.
pub fn strings(array: *const *const c_char, count: c_int) -> Option<Vec<Vec<u8>>> {
    real::strings(array, usize::try_from(count).ok()?).ok()
}

/// Runs a body. A panic is an internal error of the compiler to the program.
pub fn answer(body: impl FnOnce() -> Result<Code, Code> + UnwindSafe) -> Code {
    catch_unwind(body).map_or(INTERNAL_ERROR, |result| result.unwrap_or_else(|code| code))
}

/// The same for what holds pointers of the program.
pub fn answer_any(body: impl FnOnce() -> Result<Code, Code>) -> Code {
    answer(AssertUnwindSafe(body))
}

macro_rules! api {
    () => {};
    ($(#[$m:meta])* fn $name:ident($($a:ident: $t:ty),* $(,)?); $($rest:tt)*) => {
        api! { $(#[$m])* fn $name($($a: $t),*) |real| { Ok(real.map_or($crate::api::INTERNAL_ERROR, |real| real($($a),*))) } $($rest)* }
    };
    ($(#[$m:meta])* fn $name:ident($($a:ident: $t:ty),* $(,)?) |$real:ident| $body:block $($rest:tt)*) => {
        $(#[$m])*
        #[unsafe(export_name = concat!(env!("PREFIX"), stringify!($name)))]
        pub extern "C" fn $name($($a: $t),*) -> core::ffi::c_int {
            let real = real::original!($crate::NVRTC, $name, fn($($t),*) -> core::ffi::c_int);
            if let Some(real) = real
                && !$crate::NVRTC.found().works
            {
                // SAFETY: the caller called a function of this type; in this mode it is answerable for the arguments.
                return unsafe { real($($a),*) };
            }
            $crate::api::answer_any(move || {
                $($crate::api::Argument::check(&$a)?;)*
                // SAFETY: as above; what could crash the real function was looked at.
                let $real = real.map(|real| move |$($a: $t),*| unsafe { real($($a),*) });
                $body
            })
        }
        api! { $($rest)* }
    };
}
