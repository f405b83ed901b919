//! Events.

/// Makes an event that measures time.
#[entry(since = 13000)]
pub fn cudaEventCreate(event: *mut cudaEvent_t) -> cudaError_t;

/// Makes an event with flags.
#[entry(since = 13000)]
pub fn cudaEventCreateWithFlags(event: *mut cudaEvent_t, flags: c_uint) -> cudaError_t;

/// Records an event in a stream.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaEventRecord(event: cudaEvent_t, stream: cudaStream_t) -> cudaError_t;

/// Records an event in a stream, with flags for capture.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaEventRecordWithFlags(event: cudaEvent_t, stream: cudaStream_t, flags: c_uint) -> cudaError_t;

/// Says whether what an event stands for is done.
#[entry(since = 13000)]
pub fn cudaEventQuery(event: cudaEvent_t) -> cudaError_t;

/// Waits for what an event stands for.
#[entry(since = 13000)]
pub fn cudaEventSynchronize(event: cudaEvent_t) -> cudaError_t;

/// Destroys an event.
#[entry(since = 13000)]
pub fn cudaEventDestroy(event: cudaEvent_t) -> cudaError_t;

/// The milliseconds between two events.
#[entry(since = 13000)]
pub fn cudaEventElapsedTime(ms: *mut f32, start: cudaEvent_t, end: cudaEvent_t) -> cudaError_t;
