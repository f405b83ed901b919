//! Whether the library is started: each `nvmlInit` wants a `nvmlShutdown`.

use crate::code::{Code, Result};
use crate::{NVML, devices};
use core::sync::atomic::{AtomicU32, Ordering};

static STARTED: AtomicU32 = AtomicU32::new(0);

/// Whether it is.
pub fn is_started() -> bool {
    STARTED.load(Ordering::Acquire) > 0
}

/// Starts it, once more if it is started.
///
/// Errors: `NVML_ERROR_DRIVER_NOT_LOADED` where no device is emulated; `NVML_ERROR_UNKNOWN` for a malformed environment.
pub fn start() -> Result {
    if !NVML.found().works {
        return Err(Code::DRIVER_NOT_LOADED);
    }
    devices::load().ok_or(Code::UNKNOWN)?;
    STARTED.fetch_add(1, Ordering::AcqRel);
    Ok(())
}

/// Takes one start back.
pub fn stop() -> Result {
    let less = |count: u32| count.checked_sub(1);
    let before = STARTED.fetch_update(Ordering::AcqRel, Ordering::Acquire, less).map_err(|_| Code::UNINITIALIZED)?;
    if before == 1 {
        devices::forget();
    }
    Ok(())
}
