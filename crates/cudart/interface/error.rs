//! Errors.

/// See the manual of the CUDA runtime.
#[entry(since = 13000)]
pub fn cudaGetLastError() -> cudaError_t;

/// See the manual of the CUDA runtime.
#[entry(since = 13000)]
pub fn cudaPeekAtLastError() -> cudaError_t;

/// See the manual of the CUDA runtime.
#[entry(since = 13000)]
pub fn cudaGetErrorName(error: cudaError_t) -> *const c_char;

/// See the manual of the CUDA runtime.
#[entry(since = 13000)]
pub fn cudaGetErrorString(error: cudaError_t) -> *const c_char;
