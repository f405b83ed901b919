//! Memory and semaphores of others.

/// Imports memory.
#[entry(since = 13000)]
pub fn cudaImportExternalMemory(extMem_out: *mut cudaExternalMemory_t, memHandleDesc: *const cudaExternalMemoryHandleDesc) -> cudaError_t;

/// Maps imported memory.
#[entry(since = 13000)]
pub fn cudaExternalMemoryGetMappedBuffer(devPtr: *mut *mut c_void, extMem: cudaExternalMemory_t, bufferDesc: *const cudaExternalMemoryBufferDesc) -> cudaError_t;

/// Maps imported memory as a mipmapped array.
#[entry(since = 13000)]
pub fn cudaExternalMemoryGetMappedMipmappedArray(mipmap: *mut cudaMipmappedArray_t, extMem: cudaExternalMemory_t, mipmapDesc: *const cudaExternalMemoryMipmappedArrayDesc) -> cudaError_t;

/// Forgets imported memory.
#[entry(since = 13000)]
pub fn cudaDestroyExternalMemory(extMem: cudaExternalMemory_t) -> cudaError_t;

/// Imports a semaphore.
#[entry(since = 13000)]
pub fn cudaImportExternalSemaphore(extSem_out: *mut cudaExternalSemaphore_t, semHandleDesc: *const cudaExternalSemaphoreHandleDesc) -> cudaError_t;

/// Signals semaphores in the order of a stream.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaSignalExternalSemaphoresAsync(extSemArray: *const cudaExternalSemaphore_t, paramsArray: *const cudaExternalSemaphoreSignalParams, numExtSems: c_uint, stream: cudaStream_t) -> cudaError_t;

/// Waits for semaphores in the order of a stream.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaWaitExternalSemaphoresAsync(extSemArray: *const cudaExternalSemaphore_t, paramsArray: *const cudaExternalSemaphoreWaitParams, numExtSems: c_uint, stream: cudaStream_t) -> cudaError_t;

/// Forgets a semaphore.
#[entry(since = 13000)]
pub fn cudaDestroyExternalSemaphore(extSem: cudaExternalSemaphore_t) -> cudaError_t;

/// Forgets a resource.
#[entry(since = 13000)]
pub fn cudaGraphicsUnregisterResource(resource: cudaGraphicsResource_t) -> cudaError_t;

/// Sets how a resource will be mapped.
#[entry(since = 13000)]
pub fn cudaGraphicsResourceSetMapFlags(resource: cudaGraphicsResource_t, flags: c_uint) -> cudaError_t;

/// Maps resources of another interface.
#[entry(since = 13000)]
pub fn cudaGraphicsMapResources(count: c_int, resources: *mut cudaGraphicsResource_t, stream: cudaStream_t) -> cudaError_t;

/// Unmaps them.
#[entry(since = 13000)]
pub fn cudaGraphicsUnmapResources(count: c_int, resources: *mut cudaGraphicsResource_t, stream: cudaStream_t) -> cudaError_t;

/// The address of a mapped resource.
#[entry(since = 13000)]
pub fn cudaGraphicsResourceGetMappedPointer(devPtr: *mut *mut c_void, size: *mut usize, resource: cudaGraphicsResource_t) -> cudaError_t;

/// One array of a mapped resource.
#[entry(since = 13000)]
pub fn cudaGraphicsSubResourceGetMappedArray(array: *mut cudaArray_t, resource: cudaGraphicsResource_t, arrayIndex: c_uint, mipLevel: c_uint) -> cudaError_t;

/// The mipmapped array of a mapped resource.
#[entry(since = 13000)]
pub fn cudaGraphicsResourceGetMappedMipmappedArray(mipmappedArray: *mut cudaMipmappedArray_t, resource: cudaGraphicsResource_t) -> cudaError_t;
