//! The driver's functions by name.

use crate::context;
use crate::driver as drv;
use crate::error::{Error, Result};
use core::ffi::{c_char, c_int, c_void};

/// `CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM`
const PER_THREAD: u64 = 2;

/// Flags 0 mean the kind of default stream that the caller was compiled for.
fn entry_point(
    symbol: *const c_char,
    function: *mut *mut c_void,
    version: c_int,
    flags: u64,
    status: *mut c_int,
    per_thread: bool,
) -> Result {
    if symbol.is_null() || function.is_null() || flags > PER_THREAD {
        return Err(Error::INVALID_VALUE);
    }
    context::init()?;
    let flags = if flags == 0 && per_thread { PER_THREAD } else { flags };
    drv::cuGetProcAddress_v2(symbol, function, version, flags, status)
}

api! {
    /// The newest form of a driver function that this runtime knows.
    #[bare]
    fn cudaGetDriverEntryPoint / cudaGetDriverEntryPoint_ptsz(
        symbol: *const c_char, function: *mut *mut c_void, flags: u64, status: *mut c_int,
    ) |pt| {
        entry_point(symbol, function, crate::VERSION, flags, status, pt)
    }

    /// The form of a driver function that a version of CUDA means.
    #[bare]
    fn cudaGetDriverEntryPointByVersion / cudaGetDriverEntryPointByVersion_ptsz(
        symbol: *const c_char, function: *mut *mut c_void, version: u32, flags: u64, status: *mut c_int,
    ) |pt| {
        let version = c_int::try_from(version).map_err(|_| Error::INVALID_VALUE)?;
        entry_point(symbol, function, version, flags, status, pt)
    }
}
