//! The runtime's error codes, and the last error of each thread.

use core::cell::Cell;
use core::ffi::{c_char, c_int};
use runtime_errors::{NEW_IN_13, Row, UNRECOGNIZED};

/// An error of the runtime; the numbers of errors that the driver has, too, are the driver's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error(i32);

/// The result of almost everything.
pub type Result<T = (), E = Error> = core::result::Result<T, E>;

impl Error {
    pub const INVALID_VALUE: Error = Error(1);
    pub const MEMORY_ALLOCATION: Error = Error(2);
    #[cfg(cudart = "12")]
    pub const INVALID_CONFIGURATION: Error = Error(9);
    pub const INVALID_PITCH_VALUE: Error = Error(12);
    pub const INVALID_SYMBOL: Error = Error(13);
    pub const INVALID_CHANNEL_DESCRIPTOR: Error = Error(20);
    pub const INVALID_MEMCPY_DIRECTION: Error = Error(21);
    pub const INSUFFICIENT_DRIVER: Error = Error(35);
    pub const CALL_REQUIRES_NEWER_DRIVER: Error = Error(36);
    pub const DEVICES_UNAVAILABLE: Error = Error(46);
    pub const INCOMPATIBLE_DRIVER_CONTEXT: Error = Error(49);
    pub const MISSING_CONFIGURATION: Error = Error(52);
    pub const INVALID_DEVICE_FUNCTION: Error = Error(98);
    pub const NO_DEVICE: Error = Error(100);
    pub const INVALID_DEVICE: Error = Error(101);
    #[cfg(cudart = "13")]
    pub const INVALID_RESOURCE_HANDLE: Error = Error(400);
    pub const NOT_SUPPORTED: Error = Error(801);
    pub const UNKNOWN: Error = Error(999);

    /// The number that C sees.
    pub fn code(self) -> i32 {
        self.0
    }

    /// True for errors of kernels that ran: illegal and misaligned addresses, traps, assertions and their like.
    pub fn is_of_kernel(self) -> bool {
        matches!(self.0, 700 | 702 | 710 | 714..=719)
    }

    /// The runtime's error for a driver's result. The numbers are the same where the runtime has the error at all.
    pub fn from_driver(code: i32) -> Error {
        if code != 0 && find(code).is_some() { Error(code) } else { Error::UNKNOWN }
    }
}

fn find(code: i32) -> Option<&'static Row> {
    if cfg!(cudart = "12") && NEW_IN_13.contains(&code) {
        return None;
    }
    runtime_errors::find(code)
}

thread_local! {
    /// No destructor: usable at any time of a thread's life.
    static LAST: Cell<i32> = const { Cell::new(0) };
}

/// Makes `e` the thread's last error.
pub fn remember(e: Error) {
    LAST.set(e.0);
}

/// The thread's last error, which is forgotten. An error that outlives this (a kernel's crash) lives in the driver's
/// context, and the next call meets it again.
#[unsafe(no_mangle)]
#[rustfmt::skip]
pub extern "C"
fn cudaGetLastError() -> c_int {
    LAST.replace(0)
}

/// The thread's last error.
#[unsafe(no_mangle)]
#[rustfmt::skip]
pub extern "C"
fn cudaPeekAtLastError() -> c_int {
    LAST.get()
}

/// The name of an error's constant.
#[unsafe(no_mangle)]
#[rustfmt::skip]
pub extern "C"
fn cudaGetErrorName(error: c_int) -> *const c_char {
    find(error).map_or(UNRECOGNIZED, |row| row.name).as_ptr()
}

/// The text that describes an error.
#[unsafe(no_mangle)]
#[rustfmt::skip]
pub extern "C"
fn cudaGetErrorString(error: c_int) -> *const c_char {
    find(error).map_or(UNRECOGNIZED, |row| row.text).as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn driver_results() {
        assert_eq!(Error::from_driver(400).code(), 400);
        // The runtime has no such error.
        assert_eq!(Error::from_driver(202), Error::UNKNOWN);
        assert_eq!(Error::from_driver(-1), Error::UNKNOWN);
    }

    #[test]
    fn last_error() {
        remember(Error::INVALID_VALUE);
        assert_eq!(cudaPeekAtLastError(), 1);
        assert_eq!(cudaGetLastError(), 1);
        assert_eq!(cudaGetLastError(), 0);
    }
}
