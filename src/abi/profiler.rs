//! Profiler Control.

#![allow(non_snake_case)]

use super::ptr::In;
use super::types::CUoutput_mode;
use api_macro::entry;
use core::ffi::c_char;
use device::stream::capture;
use error::{Error, Result, refuse};

/// Configures the old command-line profiler, which was withdrawn.
///
/// - `configFile`: path of its configuration, ends in NUL.
/// - `outputFile`: path of its output, ends in NUL.
/// - `outputMode`: format of its output.
///
/// Errors: `CUDA_ERROR_NOT_SUPPORTED`, always, as the real driver answers.
///
/// Manual: Profiler Control (deprecated).
#[entry(since = 4000, needs = nothing, status = "refused: that profiler was withdrawn, as with driver 580")]
pub fn cuProfilerInitialize(configFile: In<c_char>, outputFile: In<c_char>, outputMode: CUoutput_mode) -> Result<()> {
    Err(refuse!(
        Error::NOT_SUPPORTED,
        "configFile {:#x}, outputFile {:#x}, outputMode {:?}: the profiler was withdrawn",
        configFile.addr(),
        outputFile.addr(),
        outputMode
    ))
}

/// Starts the collection of a profiler that is attached.
///
/// No profiler attaches to this driver: nothing to do.
///
/// Errors: `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call.
///
/// Manual: Profiler Control.
#[entry(since = 4000)]
pub fn cuProfilerStart() -> Result<()> {
    capture::check_call()?;
    Ok(())
}

/// Ends the collection of a profiler that is attached.
///
/// No profiler attaches to this driver: nothing to do.
///
/// Errors: `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call.
///
/// Manual: Profiler Control.
#[entry(since = 4000)]
pub fn cuProfilerStop() -> Result<()> {
    capture::check_call()?;
    Ok(())
}
