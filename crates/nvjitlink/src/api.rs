//! How an exported function is declared.
//!
//! ```text
//! api! {
//!     /// A body in `cpu` mode; in the others the call goes to the real library as it is.
//!     fn nvJitLinkComplete(handle: Handle) { ... }
//!     /// Under this name alone.
//!     #[plain]
//!     fn nvJitLinkVersion(major: *mut u32, minor: *mut u32) { ... }
//! }
//! ```
//! Programs call a function by the name of the release that they were compiled for (`__nvJitLinkComplete_13_0`): all of these are
//! this one. The lines that begin with `fn` are what `docs/STATUS-compilers.md` is written from.

use core::ffi::{c_char, c_int};
use real::Unreadable;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// `nvJitLinkResult`: what is not success.
pub type Code = c_int;
pub const SUCCESS: Code = 0;
pub const UNRECOGNIZED_OPTION: Code = 1;
pub const MISSING_ARCH: Code = 2;
pub const INVALID_INPUT: Code = 3;
pub const PTX_COMPILE: Code = 4;
pub const INTERNAL: Code = 6;
pub const UNRECOGNIZED_INPUT: Code = 8;
pub const INCOMPATIBLE_OPTIONS: Code = if cfg!(nvjitlink = "12") { INVALID_INPUT } else { 11 };
pub const UNRECOGNIZED_ARCH: Code = if cfg!(nvjitlink = "12") { INTERNAL } else { 16 };
#[cfg(nvjitlink = "13")]
pub const UNSUPPORTED_ARCH: Code = 17;
/// NULL.
pub const NULL: Code = if cfg!(nvjitlink = "12") { INVALID_INPUT } else { 10 };
/// The input is of another type than was said.
pub const INCORRECT_TYPE: Code = if cfg!(nvjitlink = "12") { INVALID_INPUT } else { 12 };
/// Code for link time optimisation, which was not asked for.
pub const LTO_NOT_ENABLED: Code = if cfg!(nvjitlink = "12") { INTERNAL } else { 18 };

/// What an unreadable string is to the program.
fn refused(what: Unreadable) -> Code {
    match what {
        Unreadable::Null => NULL,
        Unreadable::Memory => INVALID_INPUT,
    }
}

/// A string of the program.
pub fn string(address: *const c_char) -> Result<Vec<u8>, Code> {
    real::string(address).map_err(refused)
}

/// The strings of an array of the program.
pub fn strings(array: *const *const c_char, count: u32) -> Result<Vec<Vec<u8>>, Code> {
    real::strings(array, count as usize).map_err(refused)
}

/// Writes into memory of the program.
pub fn write(address: usize, bytes: &[u8]) -> Result<(), Code> {
    if address == 0 {
        return Err(NULL);
    }
    guard::write(address, guard::bytes(bytes)).map_err(|_| INVALID_INPUT)
}

/// Runs a body. A panic is an internal error of the linker to the program.
pub fn answer(body: impl FnOnce() -> Result<(), Code>) -> Code {
    catch_unwind(AssertUnwindSafe(body)).map_or(INTERNAL, |result| result.err().unwrap_or(SUCCESS))
}

macro_rules! aliases {
    ($name:ident, $($release:literal)*) => {
        $(core::arch::global_asm!(
            concat!(".globl ", env!("PREFIX"), "__", stringify!($name), $release),
            concat!(".type ", env!("PREFIX"), "__", stringify!($name), $release, ",@function"),
            concat!(env!("PREFIX"), "__", stringify!($name), $release, ":"),
            concat!("jmp ", env!("PREFIX"), stringify!($name), "@PLT"),
        );)*
    };
}

macro_rules! api {
    () => {};
    ($(#[doc = $d:expr])* #[plain] fn $name:ident($($a:ident: $t:ty),* $(,)?) $body:block $($rest:tt)*) => {
        $(#[doc = $d])*
        #[unsafe(export_name = concat!(env!("PREFIX"), stringify!($name)))]
        pub extern "C" fn $name($($a: $t),*) -> core::ffi::c_int {
            if !$crate::JITLINK.found().works
                && let Some(real) = real::original!($crate::JITLINK, $name, fn($($t),*) -> core::ffi::c_int)
            {
                // SAFETY: the caller called a function of this type; in this mode it is answerable for the arguments.
                return unsafe { real($($a),*) };
            }
            $crate::api::answer(move || $body)
        }
        api! { $($rest)* }
    };
    ($(#[doc = $d:expr])* $(#[cfg($($c:tt)*)])? fn $name:ident($($a:ident: $t:ty),* $(,)?) $body:block $($rest:tt)*) => {
        $(#[cfg($($c)*)])?
        mod $name {
            #[cfg(nvjitlink = "12")]
            aliases! { $name, "_12_0" "_12_1" "_12_2" "_12_3" "_12_4" "_12_5" "_12_6" "_12_7" "_12_8" "_12_9" }
            #[cfg(nvjitlink = "13")]
            aliases! { $name, "_13_0" "_13_1" "_13_2" "_13_3" "_13_4" "_13_5" }
        }
        $(#[cfg($($c)*)])?
        api! { $(#[doc = $d])* #[plain] fn $name($($a: $t),*) $body }
        api! { $($rest)* }
    };
}
