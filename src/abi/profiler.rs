//! Profiler Control.

#![allow(non_snake_case)]

use super::ptr::In;
use super::types::CUoutput_mode;
use crate::device::stream::capture;
use api_macro::entry;
use core::ffi::c_char;
use error::Result;

/// Configures the old command-line profiler (withdrawn; kept for its symbol).
#[entry(since = 4000)]
pub fn cuProfilerInitialize(configFile: In<c_char>, outputFile: In<c_char>, outputMode: CUoutput_mode) -> Result<()>;

/// Starts the collection of a profiler that is attached. No profiler attaches to this driver: nothing to do.
#[entry(since = 4000)]
pub fn cuProfilerStart() -> Result<()> {
    capture::check_call()?;
    Ok(())
}

/// Ends the collection of a profiler that is attached. No profiler attaches to this driver: nothing to do.
#[entry(since = 4000)]
pub fn cuProfilerStop() -> Result<()> {
    capture::check_call()?;
    Ok(())
}
