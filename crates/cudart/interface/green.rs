//! Green contexts.

/// Calls back for each message.
#[entry(since = 13000)]
pub fn cudaLogsRegisterCallback(callbackFunc: cudaLogsCallback_t, userData: *mut c_void, callback_out: *mut cudaLogsCallbackHandle) -> cudaError_t;

/// Ends the calls.
#[entry(since = 13000)]
pub fn cudaLogsUnregisterCallback(callback: cudaLogsCallbackHandle) -> cudaError_t;

/// The end of the driver's log.
#[entry(since = 13000)]
pub fn cudaLogsCurrent(iterator_out: *mut cudaLogIterator, flags: c_uint) -> cudaError_t;

/// Writes the driver's log to a file.
#[entry(since = 13000)]
pub fn cudaLogsDumpToFile(iterator: *mut cudaLogIterator, pathToFile: *const c_char, flags: c_uint) -> cudaError_t;

/// Writes the driver's log to memory.
#[entry(since = 13000)]
pub fn cudaLogsDumpToMemory(iterator: *mut cudaLogIterator, buffer: *mut c_char, size: *mut usize, flags: c_uint) -> cudaError_t;

/// The multiprocessors of a device.
#[entry(since = 13000)]
pub fn cudaDeviceGetDevResource(device: c_int, resource: *mut cudaDevResource, r#type: cudaDevResourceType) -> cudaError_t;

/// Splits multiprocessors into groups of a size.
#[entry(since = 13000)]
pub fn cudaDevSmResourceSplitByCount(result: *mut cudaDevResource, nbGroups: *mut c_uint, input: *const cudaDevResource, remaining: *mut cudaDevResource, flags: c_uint, minCount: c_uint) -> cudaError_t;

/// A description of resources, to make a context of.
#[entry(since = 13000)]
pub fn cudaDevResourceGenerateDesc(phDesc: *mut cudaDevResourceDesc_t, resources: *mut cudaDevResource, nbResources: c_uint) -> cudaError_t;

/// The multiprocessors that a stream may use.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaStreamGetDevResource(hStream: cudaStream_t, resource: *mut cudaDevResource, r#type: cudaDevResourceType) -> cudaError_t;
