//! Memory.

/// Allocates device memory.
#[entry(since = 13000)]
pub fn cudaMalloc(devPtr: *mut *mut c_void, size: usize) -> cudaError_t;

/// Allocates pinned host memory.
#[entry(since = 13000)]
pub fn cudaMallocHost(ptr: *mut *mut c_void, size: usize) -> cudaError_t;

/// Allocates rows that begin at aligned addresses.
#[entry(since = 13000)]
pub fn cudaMallocPitch(devPtr: *mut *mut c_void, pitch: *mut usize, width: usize, height: usize) -> cudaError_t;

/// Frees device memory; NULL is nothing to free.
#[entry(since = 13000)]
pub fn cudaFree(devPtr: *mut c_void) -> cudaError_t;

/// Frees pinned host memory; NULL is nothing to free.
#[entry(since = 13000)]
pub fn cudaFreeHost(ptr: *mut c_void) -> cudaError_t;

/// Allocates pinned host memory with flags.
#[entry(since = 13000)]
pub fn cudaHostAlloc(pHost: *mut *mut c_void, size: usize, flags: c_uint) -> cudaError_t;

/// Pins memory of the program.
#[entry(since = 13000)]
pub fn cudaHostRegister(ptr: *mut c_void, size: usize, flags: c_uint) -> cudaError_t;

/// Unpins memory of the program.
#[entry(since = 13000)]
pub fn cudaHostUnregister(ptr: *mut c_void) -> cudaError_t;

/// The device's address of pinned memory.
#[entry(since = 13000)]
pub fn cudaHostGetDevicePointer(pDevice: *mut *mut c_void, pHost: *mut c_void, flags: c_uint) -> cudaError_t;

/// The flags that pinned memory was allocated with.
#[entry(since = 13000)]
pub fn cudaHostGetFlags(pFlags: *mut c_uint, pHost: *mut c_void) -> cudaError_t;

/// Allocates a box of rows that begin at aligned addresses.
#[entry(since = 13000)]
pub fn cudaMalloc3D(pitchedDevPtr: *mut cudaPitchedPtr, extent: cudaExtent) -> cudaError_t;

/// Free and total memory of the device.
#[entry(since = 13000)]
pub fn cudaMemGetInfo(free: *mut usize, total: *mut usize) -> cudaError_t;
