//! Registration.

/// Copies into a variable.
#[entry(since = 13000, twin = ptds)]
pub fn cudaMemcpyToSymbol(symbol: *const c_void, src: *const c_void, count: usize, offset: usize, kind: cudaMemcpyKind) -> cudaError_t;

/// Copies out of a variable.
#[entry(since = 13000, twin = ptds)]
pub fn cudaMemcpyFromSymbol(dst: *mut c_void, symbol: *const c_void, count: usize, offset: usize, kind: cudaMemcpyKind) -> cudaError_t;

/// `cudaMemcpyToSymbol` in the order of a stream.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaMemcpyToSymbolAsync(symbol: *const c_void, src: *const c_void, count: usize, offset: usize, kind: cudaMemcpyKind, stream: cudaStream_t) -> cudaError_t;

/// `cudaMemcpyFromSymbol` in the order of a stream.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaMemcpyFromSymbolAsync(dst: *mut c_void, symbol: *const c_void, count: usize, offset: usize, kind: cudaMemcpyKind, stream: cudaStream_t) -> cudaError_t;

/// The device's address of a variable.
#[entry(since = 13000)]
pub fn cudaGetSymbolAddress(devPtr: *mut *mut c_void, symbol: *const c_void) -> cudaError_t;

/// The size of a variable.
#[entry(since = 13000)]
pub fn cudaGetSymbolSize(size: *mut usize, symbol: *const c_void) -> cudaError_t;

/// The driver's function of a host function.
#[entry(since = 13000)]
pub fn cudaGetFuncBySymbol(functionPtr: *mut cudaFunction_t, symbolPtr: *const c_void) -> cudaError_t;

/// The kernel of a host function.
#[entry(since = 13000)]
pub fn cudaGetKernel(kernelPtr: *mut cudaKernel_t, entryFuncAddr: *const c_void) -> cudaError_t;
