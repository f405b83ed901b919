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

/// Splits multiprocessors into groups of sizes of their own.
#[entry(since = 13000)]
pub fn cudaDevSmResourceSplit(result: *mut cudaDevResource, nbGroups: c_uint, input: *const cudaDevResource, remainder: *mut cudaDevResource, flags: c_uint, groupParams: *mut cudaDevSmResourceGroupParams) -> cudaError_t;

/// Creates a green context.
#[entry(since = 13000)]
pub fn cudaGreenCtxCreate(phCtx: *mut cudaExecutionContext_t, desc: cudaDevResourceDesc_t, device: c_int, flags: c_uint) -> cudaError_t;

/// Destroys a green context.
#[entry(since = 13000)]
pub fn cudaExecutionCtxDestroy(ctx: cudaExecutionContext_t) -> cudaError_t;

/// The primary context of a device.
#[entry(since = 13000)]
pub fn cudaDeviceGetExecutionCtx(ctx: *mut cudaExecutionContext_t, device: c_int) -> cudaError_t;

/// The resources of a context.
#[entry(since = 13000)]
pub fn cudaExecutionCtxGetDevResource(ctx: cudaExecutionContext_t, resource: *mut cudaDevResource, r#type: cudaDevResourceType) -> cudaError_t;

/// The device of a context.
#[entry(since = 13000)]
pub fn cudaExecutionCtxGetDevice(device: *mut c_int, ctx: cudaExecutionContext_t) -> cudaError_t;

/// The number of a context.
#[entry(since = 13000)]
pub fn cudaExecutionCtxGetId(ctx: cudaExecutionContext_t, ctxId: *mut c_ulonglong) -> cudaError_t;

/// A stream of a context.
#[entry(since = 13000)]
pub fn cudaExecutionCtxStreamCreate(phStream: *mut cudaStream_t, ctx: cudaExecutionContext_t, flags: c_uint, priority: c_int) -> cudaError_t;

/// Waits for all work of a context.
#[entry(since = 13000)]
pub fn cudaExecutionCtxSynchronize(ctx: cudaExecutionContext_t) -> cudaError_t;

/// Records an event behind all work of a context.
#[entry(since = 13000)]
pub fn cudaExecutionCtxRecordEvent(ctx: cudaExecutionContext_t, event: cudaEvent_t) -> cudaError_t;

/// Makes later work of a context wait for an event.
#[entry(since = 13000)]
pub fn cudaExecutionCtxWaitEvent(ctx: cudaExecutionContext_t, event: cudaEvent_t) -> cudaError_t;

/// Samples where the pages of a range are.
#[entry(since = 13000)]
pub fn cudaMemGetLocationInfo(devPtr: *mut c_void, size: usize, summaryGranularity: usize, samplingGranularity: usize, location_out: *mut cudaMemLocation) -> cudaError_t;
