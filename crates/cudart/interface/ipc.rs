//! Memory shared between processes.

/// A name for an event, for other processes.
#[entry(since = 13000)]
pub fn cudaIpcGetEventHandle(handle: *mut cudaIpcEventHandle_t, event: cudaEvent_t) -> cudaError_t;

/// Opens another process's event.
#[entry(since = 13000)]
pub fn cudaIpcOpenEventHandle(event: *mut cudaEvent_t, handle: cudaIpcEventHandle_t) -> cudaError_t;

/// A name for memory, for other processes.
#[entry(since = 13000)]
pub fn cudaIpcGetMemHandle(handle: *mut cudaIpcMemHandle_t, devPtr: *mut c_void) -> cudaError_t;

/// Maps another process's memory.
#[entry(since = 13000)]
pub fn cudaIpcOpenMemHandle(devPtr: *mut *mut c_void, handle: cudaIpcMemHandle_t, flags: c_uint) -> cudaError_t;

/// Unmaps another process's memory.
#[entry(since = 13000)]
pub fn cudaIpcCloseMemHandle(devPtr: *mut c_void) -> cudaError_t;
