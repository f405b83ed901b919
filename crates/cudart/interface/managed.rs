//! Managed memory.

/// Waits until writes of other devices into this one's memory are visible.
#[entry(since = 13000)]
pub fn cudaDeviceFlushGPUDirectRDMAWrites(target: cudaFlushGPUDirectRDMAWritesTarget, scope: cudaFlushGPUDirectRDMAWritesScope) -> cudaError_t;

/// Allocates managed memory.
#[entry(since = 13000)]
pub fn cudaMallocManaged(devPtr: *mut *mut c_void, size: usize, flags: c_uint) -> cudaError_t;

/// Copies several ranges.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaMemcpyBatchAsync(dsts: *const *mut c_void, srcs: *const *const c_void, sizes: *const usize, count: usize, attrs: *mut cudaMemcpyAttributes, attrsIdxs: *mut usize, numAttrs: usize, stream: cudaStream_t) -> cudaError_t;

/// Copies several boxes. The descriptions have the driver's layout.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaMemcpy3DBatchAsync(numOps: usize, opList: *mut cudaMemcpy3DBatchOp, flags: c_ulonglong, stream: cudaStream_t) -> cudaError_t;

/// Copies one range with the attributes of a batch.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaMemcpyWithAttributesAsync(dst: *mut c_void, src: *const c_void, size: usize, attr: *mut cudaMemcpyAttributes, stream: cudaStream_t) -> cudaError_t;

/// Copies one box with the attributes of a batch.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaMemcpy3DWithAttributesAsync(op: *mut cudaMemcpy3DBatchOp, flags: c_ulonglong, stream: cudaStream_t) -> cudaError_t;

/// Tells where managed memory will be wanted.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaMemPrefetchAsync(devPtr: *const c_void, count: usize, location: cudaMemLocation, flags: c_uint, stream: cudaStream_t) -> cudaError_t;

/// Prefetches several ranges.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaMemPrefetchBatchAsync(dptrs: *mut *mut c_void, sizes: *mut usize, count: usize, prefetchLocs: *mut cudaMemLocation, prefetchLocIdxs: *mut usize, numPrefetchLocs: usize, flags: c_ulonglong, stream: cudaStream_t) -> cudaError_t;

/// Says that the contents of several ranges are no longer wanted.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaMemDiscardBatchAsync(dptrs: *mut *mut c_void, sizes: *mut usize, count: usize, flags: c_ulonglong, stream: cudaStream_t) -> cudaError_t;

/// Both at once.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaMemDiscardAndPrefetchBatchAsync(dptrs: *mut *mut c_void, sizes: *mut usize, count: usize, prefetchLocs: *mut cudaMemLocation, prefetchLocIdxs: *mut usize, numPrefetchLocs: usize, flags: c_ulonglong, stream: cudaStream_t) -> cudaError_t;

/// Tells how managed memory will be used.
#[entry(since = 13000)]
pub fn cudaMemAdvise(devPtr: *const c_void, count: usize, advice: cudaMemoryAdvise, location: cudaMemLocation) -> cudaError_t;

/// One attribute of a range of managed memory.
#[entry(since = 13000)]
pub fn cudaMemRangeGetAttribute(data: *mut c_void, dataSize: usize, attribute: cudaMemRangeAttribute, devPtr: *const c_void, count: usize) -> cudaError_t;

/// Several attributes of a range of managed memory.
#[entry(since = 13000)]
pub fn cudaMemRangeGetAttributes(data: *mut *mut c_void, dataSizes: *mut usize, attributes: *mut cudaMemRangeAttribute, numAttributes: usize, devPtr: *const c_void, count: usize) -> cudaError_t;

/// What kind of memory an address is. Memory that the driver does not know is no error.
#[entry(since = 13000)]
pub fn cudaPointerGetAttributes(attributes: *mut cudaPointerAttributes, ptr: *const c_void) -> cudaError_t;
