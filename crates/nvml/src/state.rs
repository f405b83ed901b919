//! Starting the library and ending it.

use crate::code::{Code, Result};
use crate::library::NVML;
use crate::{devices, started};

/// Starts it, once more if it is started.
///
/// Errors: `NVML_ERROR_DRIVER_NOT_LOADED` where no device is emulated; `NVML_ERROR_UNKNOWN` for a malformed environment.
pub fn start() -> Result {
    if !NVML.found().works {
        return Err(Code::DRIVER_NOT_LOADED);
    }
    devices::load().ok_or(Code::UNKNOWN)?;
    started::more();
    Ok(())
}

/// Takes one start back. Handles are worth nothing after the last one.
///
/// Errors: `NVML_ERROR_UNINITIALIZED` if there is none.
pub fn stop() -> Result {
    if started::less().ok_or(Code::UNINITIALIZED)? == 1 {
        devices::forget();
    }
    Ok(())
}
