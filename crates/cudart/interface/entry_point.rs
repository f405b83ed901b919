//! Functions of the driver.

/// The newest form of a driver function that this runtime knows.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaGetDriverEntryPoint(symbol: *const c_char, funcPtr: *mut *mut c_void, flags: c_ulonglong, driverStatus: *mut cudaDriverEntryPointQueryResult) -> cudaError_t;

/// The form of a driver function that a version of CUDA means.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaGetDriverEntryPointByVersion(symbol: *const c_char, funcPtr: *mut *mut c_void, cudaVersion: c_uint, flags: c_ulonglong, driverStatus: *mut cudaDriverEntryPointQueryResult) -> cudaError_t;
