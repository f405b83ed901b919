//! Version Management.

#![allow(non_snake_case)]

use super::ptr::Out;
use api_macro::entry;
use core::ffi::c_int;
use error::Result;

/// Reports the newest CUDA version that this driver serves, as `1000 * major + 10 * minor`.
#[entry(since = 2020, needs = nothing, absent = "run")]
pub fn cuDriverGetVersion(driverVersion: Out<c_int>) -> Result<()> {
    driverVersion.set(crate::table::DRIVER_VERSION as c_int)
}
