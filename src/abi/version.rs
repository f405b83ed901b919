//! Version Management.

#![allow(non_snake_case)]

use super::ptr::Out;
use api_macro::entry;
use core::ffi::c_int;
use error::Result;

/// Reports the newest CUDA version that this driver serves.
///
/// - `driverVersion`: receives `1000 * major + 10 * minor`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `driverVersion` is NULL.
///
/// Manual: Version Management.
#[entry(since = 2020, needs = nothing, absent = "run")]
pub fn cuDriverGetVersion(driverVersion: Out<c_int>) -> Result<()> {
    driverVersion.set(crate::table::DRIVER_VERSION as c_int)
}
