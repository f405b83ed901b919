//! Pools.

/// The pool that a device came with.
#[entry(since = 13000)]
pub fn cudaDeviceGetDefaultMemPool(memPool: *mut cudaMemPool_t, device: c_int) -> cudaError_t;

/// Sets the pool that a device allocates from.
#[entry(since = 13000)]
pub fn cudaDeviceSetMemPool(device: c_int, memPool: cudaMemPool_t) -> cudaError_t;

/// The pool that a device allocates from.
#[entry(since = 13000)]
pub fn cudaDeviceGetMemPool(memPool: *mut cudaMemPool_t, device: c_int) -> cudaError_t;

/// Allocates in the order of a stream, from the device's pool.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaMallocAsync(devPtr: *mut *mut c_void, size: usize, hStream: cudaStream_t) -> cudaError_t;

/// Frees in the order of a stream.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaFreeAsync(devPtr: *mut c_void, hStream: cudaStream_t) -> cudaError_t;

/// Gives memory of a pool back to the device.
#[entry(since = 13000)]
pub fn cudaMemPoolTrimTo(memPool: cudaMemPool_t, minBytesToKeep: usize) -> cudaError_t;

/// Sets one attribute of a pool.
#[entry(since = 13000)]
pub fn cudaMemPoolSetAttribute(memPool: cudaMemPool_t, attr: cudaMemPoolAttr, value: *mut c_void) -> cudaError_t;

/// One attribute of a pool.
#[entry(since = 13000)]
pub fn cudaMemPoolGetAttribute(memPool: cudaMemPool_t, attr: cudaMemPoolAttr, value: *mut c_void) -> cudaError_t;

/// Sets who may access a pool.
#[entry(since = 13000)]
pub fn cudaMemPoolSetAccess(memPool: cudaMemPool_t, descList: *const cudaMemAccessDesc, count: usize) -> cudaError_t;

/// Who may access a pool.
#[entry(since = 13000)]
pub fn cudaMemPoolGetAccess(flags: *mut cudaMemAccessFlags, memPool: cudaMemPool_t, location: *mut cudaMemLocation) -> cudaError_t;

/// Makes a pool. The properties have the driver's layout.
#[entry(since = 13000)]
pub fn cudaMemPoolCreate(memPool: *mut cudaMemPool_t, poolProps: *const cudaMemPoolProps) -> cudaError_t;

/// Destroys a pool.
#[entry(since = 13000)]
pub fn cudaMemPoolDestroy(memPool: cudaMemPool_t) -> cudaError_t;

/// The pool that a place came with.
#[entry(since = 13000)]
pub fn cudaMemGetDefaultMemPool(memPool: *mut cudaMemPool_t, location: *mut cudaMemLocation, r#type: cudaMemAllocationType) -> cudaError_t;

/// The pool that a place allocates from.
#[entry(since = 13000)]
pub fn cudaMemGetMemPool(memPool: *mut cudaMemPool_t, location: *mut cudaMemLocation, r#type: cudaMemAllocationType) -> cudaError_t;

/// Sets the pool that a place allocates from.
#[entry(since = 13000)]
pub fn cudaMemSetMemPool(location: *mut cudaMemLocation, r#type: cudaMemAllocationType, memPool: cudaMemPool_t) -> cudaError_t;

/// Allocates in the order of a stream, from a pool.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaMallocFromPoolAsync(ptr: *mut *mut c_void, size: usize, memPool: cudaMemPool_t, stream: cudaStream_t) -> cudaError_t;

/// Exports a pool to other processes.
#[entry(since = 13000)]
pub fn cudaMemPoolExportToShareableHandle(shareableHandle: *mut c_void, memPool: cudaMemPool_t, handleType: cudaMemAllocationHandleType, flags: c_uint) -> cudaError_t;

/// Imports another process's pool.
#[entry(since = 13000)]
pub fn cudaMemPoolImportFromShareableHandle(memPool: *mut cudaMemPool_t, shareableHandle: *mut c_void, handleType: cudaMemAllocationHandleType, flags: c_uint) -> cudaError_t;

/// Exports one allocation of an exported pool.
#[entry(since = 13000)]
pub fn cudaMemPoolExportPointer(exportData: *mut cudaMemPoolPtrExportData, ptr: *mut c_void) -> cudaError_t;

/// Imports one allocation of an imported pool.
#[entry(since = 13000)]
pub fn cudaMemPoolImportPointer(ptr: *mut *mut c_void, memPool: cudaMemPool_t, exportData: *mut cudaMemPoolPtrExportData) -> cudaError_t;
