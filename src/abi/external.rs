//! External Resource Interoperability.

#![allow(non_snake_case)]

use super::ptr::{In, Out};
use super::types::{
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC, CUDA_EXTERNAL_MEMORY_HANDLE_DESC, CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC,
    CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC, CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS, CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS,
    CUdeviceptr, CUexternalMemory, CUexternalSemaphore, CUmipmappedArray, CUstream,
};
use crate::error::Result;
use api_macro::entry;
use core::ffi::c_uint;

/// Imports memory that another API allocated.
#[entry(since = 10000)]
pub fn cuImportExternalMemory(
    extMem_out: Out<CUexternalMemory>,
    memHandleDesc: In<CUDA_EXTERNAL_MEMORY_HANDLE_DESC>,
) -> Result<()>;

/// Maps a range of imported memory as linear memory.
#[entry(since = 10000)]
pub fn cuExternalMemoryGetMappedBuffer(
    devPtr: Out<CUdeviceptr>,
    extMem: CUexternalMemory,
    bufferDesc: In<CUDA_EXTERNAL_MEMORY_BUFFER_DESC>,
) -> Result<()>;

/// Maps imported memory as a mipmapped array.
#[entry(since = 10000)]
pub fn cuExternalMemoryGetMappedMipmappedArray(
    mipmap: Out<CUmipmappedArray>,
    extMem: CUexternalMemory,
    mipmapDesc: In<CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC>,
) -> Result<()>;

/// Ends the use of imported memory.
#[entry(since = 10000)]
pub fn cuDestroyExternalMemory(extMem: CUexternalMemory) -> Result<()>;

/// Imports a semaphore that another API created.
#[entry(since = 10000)]
pub fn cuImportExternalSemaphore(
    extSem_out: Out<CUexternalSemaphore>,
    semHandleDesc: In<CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC>,
) -> Result<()>;

/// Signals imported semaphores on a stream.
#[entry(since = 10000, twin = "ptsz")]
pub fn cuSignalExternalSemaphoresAsync(
    extSemArray: In<CUexternalSemaphore>,
    paramsArray: In<CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS>,
    numExtSems: c_uint,
    stream: CUstream,
) -> Result<()>;

/// Waits for imported semaphores on a stream.
#[entry(since = 10000, twin = "ptsz")]
pub fn cuWaitExternalSemaphoresAsync(
    extSemArray: In<CUexternalSemaphore>,
    paramsArray: In<CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS>,
    numExtSems: c_uint,
    stream: CUstream,
) -> Result<()>;

/// Ends the use of an imported semaphore.
#[entry(since = 10000)]
pub fn cuDestroyExternalSemaphore(extSem: CUexternalSemaphore) -> Result<()>;
