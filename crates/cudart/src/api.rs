//! How an exported function is declared.
//!
//! ```text
//! api! {
//!     /// Needs a context: the thread's device gets its primary context if none is current.
//!     fn cudaMemGetInfo(free: *mut usize, total: *mut usize) { ... }
//!     /// With the export in which stream 0 is the per-thread default stream; the body sees which one was called.
//!     fn cudaMemcpyAsync / cudaMemcpyAsync_ptsz(dst: *mut c_void, ..., stream: Handle) |per_thread| { ... }
//!     /// The driver's function of these arguments.
//!     fn cudaGraphDestroy(graph: Handle) => cuGraphDestroy;
//!     /// Works without a context.
//!     #[bare]
//!     fn cudaGetDeviceCount(count: *mut c_int) { ... }
//! }
//! ```
//! Bodies are `Result<()>`. An error becomes the thread's last error and the function's value. A panic becomes
//! `cudaErrorUnknown`. The build script reads the lines that begin with `fn`: one line up to the parenthesis.

use crate::error::{self, Error, Result};
use std::panic::{AssertUnwindSafe, catch_unwind};

macro_rules! api {
    () => {};
    ($(#[$m:meta])* fn $name:ident($($a:ident: $t:ty),* $(,)?) => $driver:ident; $($rest:tt)*) => {
        api! { $(#[$m])* fn $name($($a: $t),*) { $crate::driver::$driver($($a),*) } $($rest)* }
    };
    ($(#[doc = $d:expr])* #[bare] $(#[$m:meta])* fn $name:ident($($a:ident: $t:ty),* $(,)?) $body:block $($rest:tt)*) => {
        $(#[doc = $d])* $(#[$m])*
        #[unsafe(no_mangle)]
        pub extern "C" fn $name($($a: $t),*) -> core::ffi::c_int {
            $crate::api::answer(false, || $body)
        }
        api! { $($rest)* }
    };
    ($(#[$m:meta])* fn $name:ident($($a:ident: $t:ty),* $(,)?) $body:block $($rest:tt)*) => {
        $(#[$m])*
        #[unsafe(no_mangle)]
        pub extern "C" fn $name($($a: $t),*) -> core::ffi::c_int {
            $crate::api::answer(true, || $body)
        }
        api! { $($rest)* }
    };
    ($(#[doc = $d:expr])* #[bare] fn $name:ident / $twin:ident($($a:ident: $t:ty),* $(,)?) |$pt:ident| $body:block $($rest:tt)*) => {
        $(#[doc = $d])*
        #[unsafe(no_mangle)]
        pub extern "C" fn $name($($a: $t),*) -> core::ffi::c_int {
            let $pt = false;
            $crate::api::answer(false, || $body)
        }
        $(#[doc = $d])*
        #[unsafe(no_mangle)]
        pub extern "C" fn $twin($($a: $t),*) -> core::ffi::c_int {
            let $pt = true;
            $crate::api::answer(false, || $body)
        }
        api! { $($rest)* }
    };
    ($(#[$m:meta])* fn $name:ident / $twin:ident($($a:ident: $t:ty),* $(,)?) |$pt:ident| $body:block $($rest:tt)*) => {
        $(#[$m])*
        #[unsafe(no_mangle)]
        pub extern "C" fn $name($($a: $t),*) -> core::ffi::c_int {
            let $pt = false;
            $crate::api::answer(true, || $body)
        }
        $(#[$m])*
        #[unsafe(no_mangle)]
        pub extern "C" fn $twin($($a: $t),*) -> core::ffi::c_int {
            let $pt = true;
            $crate::api::answer(true, || $body)
        }
        api! { $($rest)* }
    };
}

/// Runs the body of an exported function and remembers its error.
pub fn answer(needs_context: bool, body: impl FnOnce() -> Result) -> i32 {
    let result = catch_unwind(AssertUnwindSafe(|| {
        if needs_context {
            crate::context::ensure()?;
        }
        body()
    }));
    match result.unwrap_or(Err(Error::UNKNOWN)) {
        Ok(()) => 0,
        Err(e) => {
            error::remember(e);
            e.code()
        }
    }
}
