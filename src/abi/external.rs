//! External Resource Interoperability.

#![allow(non_snake_case)]

use super::convert::array::shape_3d;
use super::convert::graph_params::{SemaphoreNode, check_semaphores, semaphores_of};
use super::convert::stream::lookup;
use super::ptr::{In, Out};
use super::types::{
    CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE, CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE_KMT,
    CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP, CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE,
    CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF, CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD,
    CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32, CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_KMT,
    CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD, CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD,
    CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_WIN32, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS,
    CUDA_EXT_SEM_WAIT_NODE_PARAMS, CUDA_EXTERNAL_MEMORY_BUFFER_DESC, CUDA_EXTERNAL_MEMORY_DEDICATED,
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC, CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC, CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC,
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS, CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS, CUdeviceptr, CUexternalMemory,
    CUexternalMemoryHandleType, CUexternalSemaphore, CUmipmappedArray, CUstream,
};
use api_macro::entry;
use core::ffi::c_uint;
use device::array::MipmappedArray;
use device::array::external;
use device::array::semaphore;
use device::graph::{Operation, recording};
use device::stream::{Stream, capture, context};
use error::{Error, Result, refuse, refuse_if};
use std::sync::Arc;

/// `CU_EXTERNAL_MEMORY_HANDLE_TYPE_DMABUF_FD`
const DMABUF_FD: CUexternalMemoryHandleType = CUexternalMemoryHandleType(9);

/// Imports memory that another API allocated.
///
/// Descriptors of memory files can be imported: those of `cuMemExportToShareableHandle`, and of Vulkan on the CPU, Mesa's
/// lavapipe. An import that succeeds takes the descriptor over.
///
/// - `extMem_out`: receives the handle.
/// - `memHandleDesc`: type and descriptor, size in bytes (not 0; mappings end where the file does), flags (0 or
///   `CUDA_EXTERNAL_MEMORY_DEDICATED`).
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, for an unknown type or flag, for a resource of Direct3D
/// that is not marked as dedicated, and for a size of 0; `CUDA_ERROR_UNKNOWN` for a descriptor of anything else; `CUDA_ERROR_NOT_SUPPORTED` for handles of other systems;
/// `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call.
///
/// Manual: External Resource Interoperability.
#[entry(since = 10000)]
pub fn cuImportExternalMemory(
    extMem_out: Out<CUexternalMemory>,
    memHandleDesc: In<CUDA_EXTERNAL_MEMORY_HANDLE_DESC>,
) -> Result<()> {
    capture::check_call()?;
    extMem_out.check()?;
    let desc = memHandleDesc.get()?;
    // SAFETY: every member of the union is plain bytes.
    let descriptor = unsafe { desc.handle.fd };
    match desc.r#type {
        CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD => {}
        // Newer than the recorded driver, which has it already.
        DMABUF_FD if desc.flags == 0 && descriptor >= 0 => {
            return Err(refuse!(Error::NOT_SUPPORTED, "memHandleDesc: dma-bufs are not imported"));
        }
        // Other systems' handles. Resources have to be marked as dedicated before anything else is checked.
        CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE
        | CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE
        | CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE_KMT
            if desc.flags & CUDA_EXTERNAL_MEMORY_DEDICATED != 0 =>
        {
            return Err(refuse!(Error::NOT_SUPPORTED, "memHandleDesc: type {:?} does not exist on Linux", desc.r#type));
        }
        CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32
        | CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_KMT
        | CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP
        | CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF => {
            // SAFETY: every member of the union is plain bytes.
            let object = unsafe { desc.handle.nvSciBufObject };
            refuse_if!(
                Error::INVALID_VALUE,
                desc.r#type == CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF && (object.is_null() || desc.flags != 0),
                "memHandleDesc: nvSciBufObject is NULL, or flags {:#x} is not 0",
                desc.flags
            );
            return Err(refuse!(Error::NOT_SUPPORTED, "memHandleDesc: type {:?} does not exist on Linux", desc.r#type));
        }
        _ => {
            return Err(refuse!(
                Error::INVALID_VALUE,
                "memHandleDesc: type {:?} is not a CUexternalMemoryHandleType",
                desc.r#type
            ));
        }
    }
    refuse_if!(
        Error::INVALID_VALUE,
        desc.flags & !CUDA_EXTERNAL_MEMORY_DEDICATED != 0,
        "memHandleDesc: flags {:#x} has bits other than CUDA_EXTERNAL_MEMORY_DEDICATED",
        desc.flags
    );
    let size = usize::try_from(desc.size)
        .map_err(|_| refuse!(Error::INVALID_VALUE, "memHandleDesc: size {} is too large", desc.size))?;
    let memory = external::import(&context::current()?, descriptor, size)?;
    extMem_out.set(CUexternalMemory(memory))?;
    // SAFETY: an import that worked takes the descriptor over; ours is a copy.
    unsafe { libc::close(descriptor) };
    Ok(())
}

/// Maps a range of imported memory as linear memory.
///
/// The result is freed with `cuMemFree` and outlives the handle.
///
/// - `devPtr`: receives the address.
/// - `extMem`: the imported memory.
/// - `bufferDesc`: offset and size in bytes, flags (0).
///
/// It belongs to the context of the import.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `extMem` is no imported memory, for flags other than 0,
/// a size of 0, and a range beyond the memory; `CUDA_ERROR_OUT_OF_MEMORY` if
/// there is no room for it; `CUDA_ERROR_INVALID_CONTEXT` in a context of the first generation.
///
/// Manual: External Resource Interoperability.
#[entry(since = 10000)]
pub fn cuExternalMemoryGetMappedBuffer(
    devPtr: Out<CUdeviceptr>,
    extMem: CUexternalMemory,
    bufferDesc: In<CUDA_EXTERNAL_MEMORY_BUFFER_DESC>,
) -> Result<()> {
    devPtr.check()?;
    let desc = bufferDesc.get()?;
    refuse_if!(Error::INVALID_VALUE, desc.flags != 0, "bufferDesc: flags {:#x} is not 0", desc.flags);
    let number =
        |n: u64| usize::try_from(n).map_err(|_| refuse!(Error::INVALID_VALUE, "bufferDesc: {} is too large", n));
    context::current()?;
    let buffer = external::map(extMem.0, number(desc.offset)?, number(desc.size)?)?;
    devPtr.set(buffer.base as CUdeviceptr)
}

/// Maps imported memory as a mipmapped array.
///
/// Elements lie in the memory row by row, level after level, each level at the next multiple of 64 bytes. So do those of
/// lavapipe's images, if the rows of all levels are multiples of 64 bytes and their number one of 4. The result is freed with `cuMipmappedArrayDestroy` and outlives the handle.
///
/// - `mipmap`: receives the mipmapped array.
/// - `extMem`: the imported memory.
/// - `mipmapDesc`: offset in bytes, a multiple of 512, from which on the memory has to hold what the levels take; what
///   the first level looks like (`CUDA_ARRAY3D_COLOR_ATTACHMENT` is allowed); the number of levels, which is not
///   clamped.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `extMem` is no imported memory, for an offset that is no
/// multiple of 512, for too little memory, for no levels or more than the extents allow, for sparse arrays and arrays
/// with deferred mapping, and for what the device does not have; `CUDA_ERROR_NOT_SUPPORTED` for surfaces of compressed
/// formats, and for images of lavapipe that are laid out otherwise; `CUDA_ERROR_OUT_OF_MEMORY` if there is no room for it; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a
/// capture forbids the call; `CUDA_ERROR_INVALID_CONTEXT` in a context of the first generation.
///
/// Manual: External Resource Interoperability.
#[entry(since = 10000)]
pub fn cuExternalMemoryGetMappedMipmappedArray(
    mipmap: Out<CUmipmappedArray>,
    extMem: CUexternalMemory,
    mipmapDesc: In<CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC>,
) -> Result<()> {
    mipmap.check()?;
    let desc = mipmapDesc.get()?;
    refuse_if!(Error::INVALID_VALUE, desc.reserved != [0; 16], "mipmapDesc: reserved is not 0");
    let offset = usize::try_from(desc.offset)
        .map_err(|_| refuse!(Error::INVALID_VALUE, "mipmapDesc: offset {} is too large", desc.offset))?;
    let shape = shape_3d(&desc.arrayDesc);
    let made = external::map_mipmapped(&context::current()?, extMem.0, offset, shape, desc.numLevels)?;
    mipmap.set(CUmipmappedArray(made.handle)).inspect_err(|_| {
        let _ = MipmappedArray::destroy(made.handle);
    })
}

/// Ends the use of imported memory.
///
/// Mappings of it stay.
///
/// - `extMem`: the imported memory.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if it is not one; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call.
///
/// Manual: External Resource Interoperability.
#[entry(since = 10000, needs = init)]
pub fn cuDestroyExternalMemory(extMem: CUexternalMemory) -> Result<()> {
    capture::check_call()?;
    external::destroy(extMem.0)
}

/// Imports a semaphore that processes of this machine share: a memory file that begins with a word of 64 bits.
///
/// A timeline semaphore is the value of the word. Any other is signalled when the word is not 0, and a wait takes that
/// back. An import that succeeds takes the descriptor over. Descriptors of other APIs' devices are refused like any that
/// the driver does not know.
///
/// - `extSem_out`: receives the semaphore.
/// - `semHandleDesc`: type and descriptor; flags and what is reserved 0.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, for an unknown type, for other flags, for what is reserved, and for a timeline
/// semaphore without a descriptor; `CUDA_ERROR_NOT_SUPPORTED` for handles of other systems; `CUDA_ERROR_UNKNOWN` for a
/// descriptor of anything else; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call.
///
/// Manual: External Resource Interoperability.
#[entry(since = 10000)]
pub fn cuImportExternalSemaphore(
    extSem_out: Out<CUexternalSemaphore>,
    semHandleDesc: In<CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC>,
) -> Result<()> {
    capture::check_call()?;
    extSem_out.check()?;
    let desc = semHandleDesc.get()?;
    // SAFETY: every member of the union is plain bytes.
    let descriptor = unsafe { desc.handle.fd };
    match desc.r#type {
        kind @ (CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD
        | CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD) => {
            let timeline = kind == CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD;
            refuse_if!(Error::INVALID_VALUE, desc.flags != 0, "semHandleDesc: flags {:#x} is not 0", desc.flags);
            refuse_if!(Error::INVALID_VALUE, desc.reserved != [0; 16], "semHandleDesc: reserved is not 0");
            refuse_if!(
                Error::INVALID_VALUE,
                timeline && descriptor < 0,
                "semHandleDesc: {} is not a file descriptor",
                descriptor
            );
            let imported = semaphore::import(&context::current()?, descriptor, timeline)?;
            extSem_out.set(CUexternalSemaphore(imported)).inspect_err(|_| {
                let _ = semaphore::destroy(imported);
            })?;
            // SAFETY: an import that worked takes the descriptor over; ours is a copy.
            unsafe { libc::close(descriptor) };
            Ok(())
        }
        t if (CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD
            ..=CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_WIN32)
            .contains(&t) =>
        {
            Err(refuse!(Error::NOT_SUPPORTED, "semHandleDesc: type {:?} does not exist here", t))
        }
        _ => Err(refuse!(Error::INVALID_VALUE, "semHandleDesc: type is not a CUexternalSemaphoreHandleType")),
    }
}

/// Signals imported semaphores on a stream.
///
/// A capture gets a node of them.
///
/// - `extSemArray`: the semaphores.
/// - `paramsArray`: what to signal, as many.
/// - `numExtSems`: how many.
/// - `stream`: the stream.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `numExtSems` is 0, for what is no semaphore that was imported in the
/// stream's context, for flags other than 0, and if what is reserved is not 0; `CUDA_ERROR_INVALID_HANDLE` for what is no stream.
///
/// Manual: External Resource Interoperability.
#[entry(since = 10000, twin = "ptsz")]
pub fn cuSignalExternalSemaphoresAsync(
    extSemArray: In<CUexternalSemaphore>,
    paramsArray: In<CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS>,
    numExtSems: c_uint,
    stream: CUstream,
) -> Result<()> {
    refuse_if!(Error::INVALID_VALUE, numExtSems == 0, "numExtSems is 0");
    refuse_if!(Error::INVALID_VALUE, extSemArray.is_null(), "extSemArray is NULL");
    refuse_if!(Error::INVALID_VALUE, paramsArray.is_null(), "paramsArray is NULL");
    let (extSemArray, paramsArray) = (extSemArray.0.cast_mut(), paramsArray.0);
    let params = CUDA_EXT_SEM_SIGNAL_NODE_PARAMS { extSemArray, paramsArray, numExtSems };
    enqueue_semaphores(params, &lookup(stream, default_stream)?)
}

/// Waits for imported semaphores on a stream.
///
/// A capture gets a node of them.
///
/// - `extSemArray`: the semaphores.
/// - `paramsArray`: what to wait for, as many.
/// - `numExtSems`: how many.
/// - `stream`: the stream.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `numExtSems` is 0, for what is no semaphore that was imported in the
/// stream's context, for flags other than 0, and if what is reserved is not 0; `CUDA_ERROR_INVALID_HANDLE` for what is no stream.
///
/// Manual: External Resource Interoperability.
#[entry(since = 10000, twin = "ptsz")]
pub fn cuWaitExternalSemaphoresAsync(
    extSemArray: In<CUexternalSemaphore>,
    paramsArray: In<CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS>,
    numExtSems: c_uint,
    stream: CUstream,
) -> Result<()> {
    refuse_if!(Error::INVALID_VALUE, numExtSems == 0, "numExtSems is 0");
    refuse_if!(Error::INVALID_VALUE, extSemArray.is_null(), "extSemArray is NULL");
    refuse_if!(Error::INVALID_VALUE, paramsArray.is_null(), "paramsArray is NULL");
    let (extSemArray, paramsArray) = (extSemArray.0.cast_mut(), paramsArray.0);
    let params = CUDA_EXT_SEM_WAIT_NODE_PARAMS { extSemArray, paramsArray, numExtSems };
    enqueue_semaphores(params, &lookup(stream, default_stream)?)
}

/// Ends the use of an imported semaphore.
///
/// Work that uses it goes on.
///
/// - `extSem`: the semaphore.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` for NULL; `CUDA_ERROR_INVALID_HANDLE` if it is not one;
/// `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call.
///
/// Manual: External Resource Interoperability.
#[entry(since = 10000, needs = init)]
pub fn cuDestroyExternalSemaphore(extSem: CUexternalSemaphore) -> Result<()> {
    capture::check_call()?;
    if extSem.is_null() { Err(refuse!(Error::INVALID_VALUE, "extSem is NULL")) } else { semaphore::destroy(extSem.0) }
}

/// Gives a stream what signals semaphores or waits for them, or its capture the node.
fn enqueue_semaphores<T: SemaphoreNode>(params: T, stream: &Arc<Stream>) -> Result<()> {
    // Streams look closer than nodes.
    check_semaphores(&params, &stream.context)?;
    let operation = semaphores_of(params)?;
    if stream.admit()? {
        return recording::record(stream, operation);
    }
    match operation {
        Operation::Semaphores { works, .. } => works.into_iter().try_for_each(|work| stream.enqueue(work)),
        _ => Ok(()),
    }
}
