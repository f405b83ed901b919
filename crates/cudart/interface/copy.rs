//! Copies.

/// Copies `count` bytes; returns when the program may use both places.
#[entry(since = 13000, twin = ptds)]
pub fn cudaMemcpy(dst: *mut c_void, src: *const c_void, count: usize, kind: cudaMemcpyKind) -> cudaError_t;

/// Copies `height` rows of `width` bytes.
#[entry(since = 13000, twin = ptds)]
pub fn cudaMemcpy2D(dst: *mut c_void, dpitch: usize, src: *const c_void, spitch: usize, width: usize, height: usize, kind: cudaMemcpyKind) -> cudaError_t;

/// Copies `count` bytes in the order of a stream.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaMemcpyAsync(dst: *mut c_void, src: *const c_void, count: usize, kind: cudaMemcpyKind, stream: cudaStream_t) -> cudaError_t;

/// `cudaMemcpy2D` in the order of a stream.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaMemcpy2DAsync(dst: *mut c_void, dpitch: usize, src: *const c_void, spitch: usize, width: usize, height: usize, kind: cudaMemcpyKind, stream: cudaStream_t) -> cudaError_t;

/// Fills `count` bytes.
#[entry(since = 13000, twin = ptds)]
pub fn cudaMemset(devPtr: *mut c_void, value: c_int, count: usize) -> cudaError_t;

/// Fills `height` rows of `width` bytes.
#[entry(since = 13000, twin = ptds)]
pub fn cudaMemset2D(devPtr: *mut c_void, pitch: usize, value: c_int, width: usize, height: usize) -> cudaError_t;

/// Fills a box in pitched memory.
#[entry(since = 13000, twin = ptds)]
pub fn cudaMemset3D(pitchedDevPtr: cudaPitchedPtr, value: c_int, extent: cudaExtent) -> cudaError_t;

/// Fills `count` bytes in the order of a stream.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaMemsetAsync(devPtr: *mut c_void, value: c_int, count: usize, stream: cudaStream_t) -> cudaError_t;

/// `cudaMemset2D` in the order of a stream.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaMemset2DAsync(devPtr: *mut c_void, pitch: usize, value: c_int, width: usize, height: usize, stream: cudaStream_t) -> cudaError_t;

/// `cudaMemset3D` in the order of a stream.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaMemset3DAsync(pitchedDevPtr: cudaPitchedPtr, value: c_int, extent: cudaExtent, stream: cudaStream_t) -> cudaError_t;
