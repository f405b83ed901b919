//! The real library, which answers in `forward` mode.

use crate::code::Code;

unsafe extern "C" {
    /// Ours, by which a file is known to be another library.
    fn nvmlInit_v2() -> i32;
}

/// What an internal export answers where there is no real library.
const MISSING: i32 = Code::FUNCTION_NOT_FOUND.0;

real::jump!(crate::library::NVML, nvmlInternalGetExportTable, crate::library::MISSING);

real::shim!(NVML, "libnvidia-ml.so.1", "DOPPEL_REAL_NVML", c"nvmlInit_v2", nvmlInit_v2, alone);
