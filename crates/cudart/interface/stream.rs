//! Streams.

/// Waits for all work of the device.
#[entry(since = 13000)]
pub fn cudaDeviceSynchronize() -> cudaError_t;

/// The range of priorities that the device knows; each output may be NULL.
#[entry(since = 13000)]
pub fn cudaDeviceGetStreamPriorityRange(leastPriority: *mut c_int, greatestPriority: *mut c_int) -> cudaError_t;

/// Makes a stream.
#[entry(since = 13000)]
pub fn cudaStreamCreate(pStream: *mut cudaStream_t) -> cudaError_t;

/// Makes a stream with flags.
#[entry(since = 13000)]
pub fn cudaStreamCreateWithFlags(pStream: *mut cudaStream_t, flags: c_uint) -> cudaError_t;

/// Makes a stream with flags and a priority.
#[entry(since = 13000)]
pub fn cudaStreamCreateWithPriority(pStream: *mut cudaStream_t, flags: c_uint, priority: c_int) -> cudaError_t;

/// The stream's priority.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaStreamGetPriority(hStream: cudaStream_t, priority: *mut c_int) -> cudaError_t;

/// The stream's flags.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaStreamGetFlags(hStream: cudaStream_t, flags: *mut c_uint) -> cudaError_t;

/// The stream's number, unique in the process.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaStreamGetId(hStream: cudaStream_t, streamId: *mut c_ulonglong) -> cudaError_t;

/// The stream's device.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaStreamGetDevice(hStream: cudaStream_t, device: *mut c_int) -> cudaError_t;

/// Gives the persisting part of the L2 cache back to normal use.
#[entry(since = 13000)]
pub fn cudaCtxResetPersistingL2Cache() -> cudaError_t;

/// Copies attributes between streams.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaStreamCopyAttributes(dst: cudaStream_t, src: cudaStream_t) -> cudaError_t;

/// One attribute of a stream.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaStreamGetAttribute(hStream: cudaStream_t, attr: cudaLaunchAttributeID, value_out: *mut cudaLaunchAttributeValue) -> cudaError_t;

/// Sets one attribute of a stream.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaStreamSetAttribute(hStream: cudaStream_t, attr: cudaLaunchAttributeID, value: *const cudaLaunchAttributeValue) -> cudaError_t;

/// Destroys a stream; its work goes on.
#[entry(since = 13000)]
pub fn cudaStreamDestroy(stream: cudaStream_t) -> cudaError_t;

/// Makes a stream wait for an event.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaStreamWaitEvent(stream: cudaStream_t, event: cudaEvent_t, flags: c_uint) -> cudaError_t;

/// Calls a host function in a stream, with the stream's error.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaStreamAddCallback(stream: cudaStream_t, callback: cudaStreamCallback_t, userData: *mut c_void, flags: c_uint) -> cudaError_t;

/// Waits for a stream's work.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaStreamSynchronize(stream: cudaStream_t) -> cudaError_t;

/// Says whether a stream's work is done.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaStreamQuery(stream: cudaStream_t) -> cudaError_t;

/// Attaches managed memory to a stream. The driver alone judges the arguments.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaStreamAttachMemAsync(stream: cudaStream_t, devPtr: *mut c_void, length: usize, flags: c_uint) -> cudaError_t;

/// Begins to capture a stream's work into a graph.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaStreamBeginCapture(stream: cudaStream_t, mode: cudaStreamCaptureMode) -> cudaError_t;

/// Begins to capture a stream's work into a graph that exists.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaStreamBeginCaptureToGraph(stream: cudaStream_t, graph: cudaGraph_t, dependencies: *const cudaGraphNode_t, dependencyData: *const cudaGraphEdgeData, numDependencies: usize, mode: cudaStreamCaptureMode) -> cudaError_t;

/// Begins to capture a stream's work into a graph that has been captured before.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaStreamBeginRecaptureToGraph(stream: cudaStream_t, mode: cudaStreamCaptureMode, graph: cudaGraph_t, callbackData: *mut cudaGraphRecaptureCallbackData) -> cudaError_t;

/// Exchanges the thread's mode of capture.
#[entry(since = 13000)]
pub fn cudaThreadExchangeStreamCaptureMode(mode: *mut cudaStreamCaptureMode) -> cudaError_t;

/// Ends a capture.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaStreamEndCapture(stream: cudaStream_t, pGraph: *mut cudaGraph_t) -> cudaError_t;

/// Says whether a stream is captured.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaStreamIsCapturing(stream: cudaStream_t, pCaptureStatus: *mut cudaStreamCaptureStatus) -> cudaError_t;

/// The state of a capture.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaStreamGetCaptureInfo(stream: cudaStream_t, captureStatus_out: *mut cudaStreamCaptureStatus, id_out: *mut c_ulonglong, graph_out: *mut cudaGraph_t, dependencies_out: *mut *const cudaGraphNode_t, edgeData_out: *mut *const cudaGraphEdgeData, numDependencies_out: *mut usize) -> cudaError_t;

/// Changes what the next captured work depends on.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaStreamUpdateCaptureDependencies(stream: cudaStream_t, dependencies: *mut cudaGraphNode_t, dependencyData: *const cudaGraphEdgeData, numDependencies: usize, flags: c_uint) -> cudaError_t;

/// Calls a host function in a stream.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaLaunchHostFunc(stream: cudaStream_t, r#fn: cudaHostFn_t, userData: *mut c_void) -> cudaError_t;

/// Calls a host function in a stream; `mode` says how the stream waits for it.
#[entry(since = 13010, twin = ptsz)]
pub fn cudaLaunchHostFunc_v2(stream: cudaStream_t, r#fn: cudaHostFn_t, userData: *mut c_void, syncMode: c_uint) -> cudaError_t;
