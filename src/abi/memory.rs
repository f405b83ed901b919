//! Memory Management (allocation, host memory, information).

#![allow(non_snake_case)]

use super::ptr::Out;
use super::types::{
    CU_MEM_ATTACH_GLOBAL, CU_MEM_ATTACH_HOST, CU_MEM_RANGE_FLAG_DMA_BUF_MAPPING_TYPE_PCIE,
    CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD, CUdeviceptr, CUdeviceptr_v1, CUmemRangeHandleType,
};
use api_macro::entry;
use core::ffi::{c_int, c_uint, c_ulonglong, c_void};
use device::memory;
use device::memory::{access, managed, virtual_memory};
use device::stream::{capture, context};
use error::{Error, Result, refuse, refuse_if};
use std::os::fd::{AsRawFd, IntoRawFd};

/// `CU_MEMHOSTALLOC_PORTABLE`, `_DEVICEMAP` and `_WRITECOMBINED`.
const HOST_ALLOC_FLAGS: c_uint = 7;
/// `CU_MEMHOSTALLOC_DEVICEMAP`; with unified addressing all host memory is mapped.
const HOST_DEVICEMAP: c_uint = 2;
/// `CU_MEMHOSTREGISTER_PORTABLE`.
const REGISTER_PORTABLE: c_uint = 1;
/// `CU_MEMHOSTREGISTER_IOMEMORY`.
const REGISTER_IO: c_uint = 4;
/// `CU_MEMHOSTREGISTER_READ_ONLY`.
const REGISTER_READ_ONLY: c_uint = 8;

/// Zeroes a result before anything is checked, as the real driver does; `NULL` is left for later.
fn clear<T: Copy + Default>(out: Out<T>) -> Result<()> {
    out.set_opt(T::default())
}

/// The answer of functions of the first generation: addresses of a context do not fit into 32 bits.
fn no_32_bit_context() -> Result<()> {
    context::require()?;
    Err(super::no_32_bit_context())
}

/// [`clear`] for a pointer, which has no default.
fn clear_pointer(out: Out<*mut c_void>) -> Result<()> {
    out.set_opt(core::ptr::null_mut())
}

/// The body of both functions that allocate host memory. A size of 0 succeeds with `NULL`.
fn alloc_host(pp: Out<*mut c_void>, size: usize, flags: c_uint) -> Result<()> {
    clear_pointer(pp)?;
    context::require()?;
    capture::check_call()?;
    pp.check()?;
    refuse_if!(
        Error::INVALID_VALUE,
        flags & !HOST_ALLOC_FLAGS != 0,
        "Flags {:#x} has bits other than PORTABLE, DEVICEMAP and WRITECOMBINED",
        flags
    );
    if size == 0 {
        return Ok(());
    }
    let context = context::current()?;
    let allocation = memory::alloc_host(&context, size, flags | HOST_DEVICEMAP)?;
    pp.set(allocation.base as *mut c_void)
}

/// The body of both versions of the function that registers host memory.
fn register(p: *mut c_void, size: usize, flags: c_uint) -> Result<()> {
    capture::check_call()?;
    const KNOWN: c_uint = REGISTER_PORTABLE | HOST_DEVICEMAP | REGISTER_IO | REGISTER_READ_ONLY;
    // `REGISTER_IO` is for the memory of an I/O device; there is none here.
    refuse_if!(Error::INVALID_VALUE, p.is_null(), "p is NULL");
    refuse_if!(Error::INVALID_VALUE, size == 0, "bytesize is 0");
    refuse_if!(Error::INVALID_VALUE, flags & !KNOWN != 0, "Flags {:#x} has bits that have no meaning", flags);
    refuse_if!(
        Error::INVALID_VALUE,
        flags & REGISTER_IO != 0,
        "Flags {:#x} asks for IOMEMORY, and there is no I/O device",
        flags
    );
    let read_only = flags & REGISTER_READ_ONLY != 0;
    let flags = flags & REGISTER_PORTABLE | HOST_DEVICEMAP;
    let context = context::current()?;
    memory::register(&context, p as usize, size, flags, read_only)
}

/// Reports free and total memory of the current context's device.
///
/// Free is what allocations can still take up; what the system keeps for itself is part of the total, and neither free
/// nor used.
///
/// - `free`: receives the free bytes; may be NULL; zeroed on failure.
/// - `total`: receives all bytes; may be NULL; zeroed on failure.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a result cannot be written; `CUDA_ERROR_INVALID_CONTEXT` without a current
/// context; the context's asynchronous error.
///
/// Manual: Memory Management.
#[entry(since = 3020, needs = init)]
pub fn cuMemGetInfo_v2(free: Out<usize>, total: Out<usize>) -> Result<()> {
    clear(free)?;
    clear(total)?;
    context::require()?;
    let context = context::current()?;
    let (unused, all) = memory::info(&context.device);
    free.set_opt(unused as usize)?;
    total.set_opt(all as usize)
}

/// First-generation [`cuMemGetInfo_v2`]: addresses and sizes have 32 bits.
///
/// - `free`: receives the free bytes; may be NULL; zeroed on failure.
/// - `total`: receives all bytes; may be NULL; zeroed on failure.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always, after the results were zeroed.
///
/// Manual: none, first generation.
#[entry(since = 2000, needs = init)]
pub fn cuMemGetInfo(free: Out<c_uint>, total: Out<c_uint>) -> Result<()> {
    clear(free)?;
    clear(total)?;
    no_32_bit_context()
}

/// Allocates linear memory on the device of the current context.
///
/// The memory is not cleared.
///
/// - `dptr`: receives the address, a multiple of 512; zeroed on failure.
/// - `bytesize`: size in bytes, at least 1.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `dptr` is NULL or `bytesize` is 0; `CUDA_ERROR_OUT_OF_MEMORY` if the device
/// has not that much left; `CUDA_ERROR_INVALID_CONTEXT` without a current context; the context's asynchronous error;
/// `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call.
///
/// Manual: Memory Management.
#[entry(since = 3020, needs = init)]
pub fn cuMemAlloc_v2(dptr: Out<CUdeviceptr>, bytesize: usize) -> Result<()> {
    clear(dptr)?;
    context::require()?;
    capture::check_call()?;
    dptr.check()?;
    refuse_if!(Error::INVALID_VALUE, bytesize == 0, "bytesize is 0");
    let context = context::current()?;
    let allocation = memory::alloc(&context, bytesize)?;
    dptr.set(allocation.base as CUdeviceptr)
}

/// First-generation [`cuMemAlloc_v2`]: addresses and sizes have 32 bits.
///
/// - `dptr`: receives the address, a multiple of 512; zeroed on failure.
/// - `bytesize`: size in bytes, at least 1.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always, after the result was zeroed.
///
/// Manual: none, first generation.
#[entry(since = 2000, needs = init)]
pub fn cuMemAlloc(dptr: Out<CUdeviceptr_v1>, bytesize: c_uint) -> Result<()> {
    clear(dptr)?;
    no_32_bit_context()
}

/// Allocates rows of linear memory and chooses the pitch that suits the device.
///
/// - `dptr`: receives the address, a multiple of 512; zeroed on failure.
/// - `pPitch`: receives the bytes from row to row, a multiple of 512; set even if there is not enough memory.
/// - `WidthInBytes`: bytes of a row, at least 1.
/// - `Height`: number of rows, at least 1.
/// - `ElementSizeBytes`: 4, 8 or 16: the largest access that kernels will make.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a result is NULL, if a row or the whole has no bytes, or if `ElementSizeBytes`
/// is anything else; `CUDA_ERROR_OUT_OF_MEMORY` if the device has not that much left; `CUDA_ERROR_INVALID_CONTEXT`
/// without a current context; the context's asynchronous error; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture
/// forbids the call.
///
/// Manual: Memory Management.
#[entry(since = 3020, needs = init)]
pub fn cuMemAllocPitch_v2(
    dptr: Out<CUdeviceptr>,
    pPitch: Out<usize>,
    WidthInBytes: usize,
    Height: usize,
    ElementSizeBytes: c_uint,
) -> Result<()> {
    clear(dptr)?;
    clear(pPitch)?;
    context::require()?;
    capture::check_call()?;
    dptr.check()?;
    pPitch.check()?;
    refuse_if!(Error::INVALID_VALUE, WidthInBytes == 0, "WidthInBytes is 0");
    refuse_if!(Error::INVALID_VALUE, Height == 0, "Height is 0");
    refuse_if!(
        Error::INVALID_VALUE,
        !matches!(ElementSizeBytes, 4 | 8 | 16),
        "ElementSizeBytes {} is not 4, 8 or 16",
        ElementSizeBytes
    );
    let (pitch, bytes) = memory::pitch(WidthInBytes, Height);
    pPitch.set(pitch)?;
    refuse_if!(Error::INVALID_VALUE, bytes == 0, "WidthInBytes {} * Height {} is too large", WidthInBytes, Height);
    let context = context::current()?;
    let allocation = memory::alloc(&context, bytes)?;
    dptr.set(allocation.base as CUdeviceptr)
}

/// First-generation [`cuMemAllocPitch_v2`]: addresses and sizes have 32 bits.
///
/// - `dptr`: receives the address, a multiple of 512; zeroed on failure.
/// - `pPitch`: receives the bytes from row to row, a multiple of 512; set even if there is not enough memory.
/// - `WidthInBytes`: bytes of a row, at least 1.
/// - `Height`: number of rows, at least 1.
/// - `ElementSizeBytes`: 4, 8 or 16: the largest access that kernels will make.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always, after the results were zeroed.
///
/// Manual: none, first generation.
#[entry(since = 2000, needs = init)]
pub fn cuMemAllocPitch(
    dptr: Out<CUdeviceptr_v1>,
    pPitch: Out<c_uint>,
    WidthInBytes: c_uint,
    Height: c_uint,
    ElementSizeBytes: c_uint,
) -> Result<()> {
    clear(dptr)?;
    clear(pPitch)?;
    no_32_bit_context()
}

/// Frees linear, managed or pool memory.
///
/// Returns after the work that was given to the allocation's context before; memory of a pool waits for nothing. No
/// context needs to be current.
///
/// - `dptr`: the address that the allocation begins at, or NULL, which does nothing.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` for any other address, and for variables of modules;
/// `CUDA_ERROR_CONTEXT_IS_DESTROYED` if the current context was destroyed; its asynchronous error;
/// `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call.
///
/// Manual: Memory Management.
#[entry(since = 3020, needs = init)]
pub fn cuMemFree_v2(dptr: CUdeviceptr) -> Result<()> {
    match context::require() {
        // Memory can be freed on a thread without context, but not with a dead one, nor after an asynchronous error.
        Err(error) if error != Error::INVALID_CONTEXT => return Err(error),
        _ => {}
    }
    capture::check_call()?;
    if dptr == 0 { Ok(()) } else { memory::free(dptr as usize) }
}

/// First-generation [`cuMemFree_v2`]: addresses and sizes have 32 bits.
///
/// - `dptr`: the address that the allocation begins at, or NULL, which does nothing.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always.
///
/// Manual: none, first generation.
#[entry(since = 2000, needs = init)]
pub fn cuMemFree(dptr: CUdeviceptr_v1) -> Result<()> {
    no_32_bit_context()
}

/// Reports start and size of the allocation that contains an address: device or host memory, registered, managed or
/// mapped.
///
/// - `pbase`: receives the first address; may be NULL; zeroed on failure.
/// - `psize`: receives the size in bytes; may be NULL; zeroed on failure.
/// - `dptr`: any address of the allocation; ignored if both results are NULL.
///
/// Errors: `CUDA_ERROR_NOT_FOUND` if no allocation holds the address; `CUDA_ERROR_INVALID_CONTEXT` without a current
/// context; the context's asynchronous error.
///
/// Manual: Memory Management.
#[entry(since = 3020, needs = init)]
pub fn cuMemGetAddressRange_v2(pbase: Out<CUdeviceptr>, psize: Out<usize>, dptr: CUdeviceptr) -> Result<()> {
    clear(pbase)?;
    clear(psize)?;
    context::require()?;
    if pbase.is_null() && psize.is_null() {
        return Ok(());
    }
    let (base, size) = access::address_range(dptr as usize)
        .ok_or_else(|| refuse!(Error::NOT_FOUND, "dptr {:#x} is in no allocation", dptr))?;
    pbase.set_opt(base as CUdeviceptr)?;
    psize.set_opt(size)
}

/// First-generation [`cuMemGetAddressRange_v2`]: addresses and sizes have 32 bits.
///
/// - `pbase`: receives the first address; may be NULL; zeroed on failure.
/// - `psize`: receives the size in bytes; may be NULL; zeroed on failure.
/// - `dptr`: any address of the allocation; ignored if both results are NULL.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always, after the results were zeroed.
///
/// Manual: none, first generation.
#[entry(since = 2000, needs = init)]
pub fn cuMemGetAddressRange(pbase: Out<CUdeviceptr_v1>, psize: Out<c_uint>, dptr: CUdeviceptr_v1) -> Result<()> {
    clear(pbase)?;
    clear(psize)?;
    no_32_bit_context()
}

/// Allocates page-locked host memory that the device can reach at the same address.
///
/// The memory is zero.
///
/// - `pp`: receives the address; zeroed on failure.
/// - `bytesize`: size in bytes; 0 succeeds with NULL.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pp` is NULL; `CUDA_ERROR_OUT_OF_MEMORY` if the host has not that much;
/// `CUDA_ERROR_INVALID_CONTEXT` without a current context; the context's asynchronous error;
/// `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call.
///
/// Manual: Memory Management.
#[entry(since = 3020, needs = init)]
pub fn cuMemAllocHost_v2(pp: Out<*mut c_void>, bytesize: usize) -> Result<()> {
    alloc_host(pp, bytesize, 0)
}

/// First-generation [`cuMemAllocHost_v2`]: addresses and sizes have 32 bits.
///
/// - `pp`: receives the address; zeroed on failure.
/// - `bytesize`: size in bytes; 0 succeeds with NULL.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always, after the result was zeroed.
///
/// Manual: none, first generation.
#[entry(since = 2000, needs = init)]
pub fn cuMemAllocHost(pp: Out<*mut c_void>, bytesize: c_uint) -> Result<()> {
    clear_pointer(pp)?;
    no_32_bit_context()
}

/// Frees page-locked host memory, after the work that was given to its context before.
///
/// - `p`: the address that an allocation function returned, or NULL, which does nothing.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` for any other address, also for registered memory;
/// `CUDA_ERROR_CONTEXT_IS_DESTROYED` if the current context was destroyed; its asynchronous error;
/// `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call.
///
/// Manual: Memory Management.
#[entry(since = 2000, needs = init)]
pub fn cuMemFreeHost(p: *mut c_void) -> Result<()> {
    capture::check_call()?;
    if p.is_null() {
        return Ok(());
    }
    context::check_not_destroyed()?;
    memory::free_host(p as usize)
}

/// Allocates page-locked host memory with flags for portability, mapping and write combining.
///
/// All such memory is mapped and accessible to every context, whatever the flags; they are only remembered. The memory
/// is zero.
///
/// - `pp`: receives the address; zeroed on failure.
/// - `bytesize`: size in bytes; 0 succeeds with NULL.
/// - `Flags`: `CU_MEMHOSTALLOC_*` bits.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pp` is NULL or a flag is unknown; `CUDA_ERROR_OUT_OF_MEMORY` if the host has
/// not that much; `CUDA_ERROR_INVALID_CONTEXT` without a current context; the context's asynchronous error;
/// `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call.
///
/// Manual: Memory Management.
#[entry(since = 2020, needs = init)]
pub fn cuMemHostAlloc(pp: Out<*mut c_void>, bytesize: usize, Flags: c_uint) -> Result<()> {
    alloc_host(pp, bytesize, Flags)
}

/// Reports the device address of mapped page-locked host memory, allocated or registered, which is the same address.
///
/// - `pdptr`: receives the address; zeroed on failure.
/// - `p`: any address of the memory.
/// - `Flags`: 0.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pdptr` is NULL, if `Flags` is not 0, or if `p` is not in page-locked memory,
/// such as managed or device memory; `CUDA_ERROR_INVALID_CONTEXT` without a current context; the context's asynchronous
/// error.
///
/// Manual: Memory Management.
#[entry(since = 3020, needs = init)]
pub fn cuMemHostGetDevicePointer_v2(pdptr: Out<CUdeviceptr>, p: *mut c_void, Flags: c_uint) -> Result<()> {
    clear(pdptr)?;
    context::require()?;
    pdptr.check()?;
    refuse_if!(Error::INVALID_VALUE, Flags != 0, "Flags {:#x} is not 0", Flags);
    pdptr.set(memory::host_device_pointer(p as usize)? as CUdeviceptr)
}

/// First-generation [`cuMemHostGetDevicePointer_v2`]: addresses and sizes have 32 bits.
///
/// - `pdptr`: receives the address; zeroed on failure.
/// - `p`: any address of the memory.
/// - `Flags`: 0.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always, after the result was zeroed.
///
/// Manual: none, first generation.
#[entry(since = 2020, needs = init)]
pub fn cuMemHostGetDevicePointer(pdptr: Out<CUdeviceptr_v1>, p: *mut c_void, Flags: c_uint) -> Result<()> {
    clear(pdptr)?;
    no_32_bit_context()
}

/// Reports the flags with which page-locked host memory was allocated or registered.
///
/// `CU_MEMHOSTALLOC_DEVICEMAP` is always among them. Managed memory has that flag alone.
///
/// - `pFlags`: receives `CU_MEMHOSTALLOC_*` bits.
/// - `p`: any address of the memory.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pFlags` is NULL or `p` is neither page-locked nor managed memory.
///
/// Manual: Memory Management.
#[entry(since = 2030)]
pub fn cuMemHostGetFlags(pFlags: Out<c_uint>, p: *mut c_void) -> Result<()> {
    pFlags.check()?;
    pFlags.set(memory::host_flags(p as usize)?)
}

/// Allocates memory that host and devices share and that moves between them on demand.
///
/// It may exceed the device's memory.
///
/// - `dptr`: receives the address; zeroed on failure.
/// - `bytesize`: size in bytes, at least 1.
/// - `flags`: `CU_MEM_ATTACH_GLOBAL` or `CU_MEM_ATTACH_HOST`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `dptr` is NULL, if `bytesize` is 0, or if `flags` is anything else;
/// `CUDA_ERROR_OUT_OF_MEMORY` if no addresses are left for it; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture
/// forbids the call.
///
/// Manual: Memory Management.
#[entry(since = 6000, needs = late, flags = CUmemAttach_flags)]
pub fn cuMemAllocManaged(dptr: Out<CUdeviceptr>, bytesize: usize, flags: c_uint) -> Result<()> {
    dptr.set(0)?;
    capture::check_call()?;
    let known = [CU_MEM_ATTACH_GLOBAL.0, CU_MEM_ATTACH_HOST.0].contains(&flags);
    refuse_if!(
        Error::INVALID_VALUE,
        !known,
        "flags {:#x} is neither CU_MEM_ATTACH_GLOBAL nor CU_MEM_ATTACH_HOST",
        flags
    );
    refuse_if!(Error::INVALID_VALUE, bytesize == 0, "bytesize is 0");
    device::require_context()?;
    let context = context::current()?;
    dptr.set(managed::alloc(&context, bytesize, flags)?.base as CUdeviceptr)
}

/// Page-locks existing host memory and makes it reachable for the device at the same address.
///
/// - `p`: first byte; need not be aligned.
/// - `bytesize`: size in bytes, at least 1. All of the range is mapped, and writable unless `Flags` says
///   `CU_MEMHOSTREGISTER_READ_ONLY`.
/// - `Flags`: `CU_MEMHOSTREGISTER_*` bits other than `CU_MEMHOSTREGISTER_IOMEMORY`: no memory here is a device's.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `p` is NULL, if `bytesize` is 0, if a flag is unknown or
/// `CU_MEMHOSTREGISTER_IOMEMORY`, if a page of the range is not there, or is read-only without
/// `CU_MEMHOSTREGISTER_READ_ONLY`, or if it holds memory that the driver allocated;
/// `CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED` if a byte of it is registered already; `CUDA_ERROR_OUT_OF_MEMORY` if it
/// is larger than the host's memory; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call.
///
/// Manual: Memory Management.
#[entry(since = 6050)]
pub fn cuMemHostRegister_v2(p: *mut c_void, bytesize: usize, Flags: c_uint) -> Result<()> {
    register(p, bytesize, Flags)
}

/// First form of [`cuMemHostRegister_v2`], with the flags of before CUDA 6.5.
///
/// - `p`: first byte; need not be aligned.
/// - `bytesize`: size in bytes, at least 1. All of the range is mapped, and writable unless `Flags` says
///   `CU_MEMHOSTREGISTER_READ_ONLY`.
/// - `Flags`: `CU_MEMHOSTREGISTER_*` bits other than `CU_MEMHOSTREGISTER_IOMEMORY`: no memory here is a device's.
///
/// Errors: as [`cuMemHostRegister_v2`].
///
/// Manual: none, replaced in CUDA 6.5.
#[entry(since = 4000)]
pub fn cuMemHostRegister(p: *mut c_void, bytesize: usize, Flags: c_uint) -> Result<()> {
    register(p, bytesize, Flags)
}

/// Undoes `cuMemHostRegister`, after the work that was given to the context before.
///
/// - `p`: the address that was registered.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `p` is NULL, lies inside of the range or is other memory of the driver;
/// `CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED` if it is memory that the driver does not know;
/// `CUDA_ERROR_CONTEXT_IS_DESTROYED` if the current context was destroyed; its asynchronous error;
/// `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call.
///
/// Manual: Memory Management.
#[entry(since = 4000, needs = init)]
pub fn cuMemHostUnregister(p: *mut c_void) -> Result<()> {
    refuse_if!(Error::INVALID_VALUE, p.is_null(), "p is NULL");
    context::check_not_destroyed()?;
    context::check_error()?;
    memory::unregister(p as usize)
}

/// Exports a range of device memory as an operating-system handle: a dma-buf file.
///
/// - `handle`: receives an `int`, a descriptor that the program closes; set to -1 if the range is refused.
/// - `dptr`: first byte, a multiple of 4096.
/// - `size`: size in bytes, a multiple of 4096, at least 1 page; the range lies in one allocation.
/// - `handleType`: `CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD`.
/// - `flags`: 0 or `CU_MEM_RANGE_FLAG_DMA_BUF_MAPPING_TYPE_PCIE`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `handle` is NULL, if type or flags are unknown, or if the range is empty, not
/// aligned, or not in one allocation of device memory; `CUDA_ERROR_NOT_SUPPORTED` for a mapping over the bus, on
/// systems whose kernel makes no dma-buf of such memory, and before `cuInit`; `CUDA_ERROR_INVALID_CONTEXT` without a
/// current context.
///
/// Manual: Memory Management.
#[entry(since = 11070, needs = nothing)]
pub fn cuMemGetHandleForAddressRange(
    handle: *mut c_void,
    dptr: CUdeviceptr,
    size: usize,
    handleType: CUmemRangeHandleType,
    flags: c_ulonglong,
) -> Result<()> {
    const PAGE: usize = 4096;
    let handle = Out::<c_int>(handle.cast());
    handle.check()?;
    refuse_if!(
        Error::INVALID_VALUE,
        handleType != CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD,
        "handleType {:?} is not CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD",
        handleType
    );
    let pcie = CU_MEM_RANGE_FLAG_DMA_BUF_MAPPING_TYPE_PCIE.0 as c_ulonglong;
    refuse_if!(Error::INVALID_VALUE, flags != 0 && flags & pcie == 0, "flags {:#x} has unknown bits", flags);
    if !device::is_started() {
        return Err(refuse!(Error::NOT_SUPPORTED, "cuInit has not been called"));
    }
    device::initialized()?;
    device::require_context()?;
    let address = dptr as usize;
    refuse_if!(Error::INVALID_VALUE, address == 0, "dptr is NULL");
    refuse_if!(Error::INVALID_VALUE, size == 0, "size is 0");
    refuse_if!(
        Error::INVALID_VALUE,
        !address.is_multiple_of(PAGE),
        "dptr {:#x} is not a multiple of {}",
        address,
        PAGE
    );
    refuse_if!(Error::INVALID_VALUE, !size.is_multiple_of(PAGE), "size {} is not a multiple of {}", size, PAGE);
    handle.set(-1)?;
    if flags != 0 {
        return Err(refuse!(
            Error::NOT_SUPPORTED,
            "flags {:#x} asks for a mapping through PCIe, which this device does not have",
            flags
        ));
    }
    let descriptor = virtual_memory::dma_buf(address, size)?;
    handle.set(descriptor.as_raw_fd())?;
    // The program closes it.
    let _ = descriptor.into_raw_fd();
    Ok(())
}

/// Private function that was never documented.
///
/// - `a0`: unknown; ignored.
/// - `a1`: unknown; ignored.
/// - `a2`: unknown; ignored.
/// - `a3`: unknown; ignored.
/// - `a4`: unknown; ignored.
/// - `a5`: unknown; ignored.
///
/// Errors: `CUDA_ERROR_NOT_SUPPORTED` in every case.
///
/// Manual: none, private.
#[entry(
    since = 13000,
    needs = nothing,
    header = false,
    lookup = false,
    status = "refused, also before `cuInit`, as by driver 580 (asked on an H100)"
)]
pub fn cuMemGetAttribute(a0: usize, a1: usize, a2: usize, a3: usize, a4: usize, a5: usize) -> Result<()> {
    let _ = (a0, a1, a2, a3, a4, a5);
    Err(refuse!(Error::NOT_SUPPORTED, "the driver has no such attributes"))
}

/// Private function that was never documented.
///
/// - `a0`: unknown; ignored.
/// - `a1`: unknown; ignored.
/// - `a2`: unknown; ignored.
/// - `a3`: unknown; ignored.
/// - `a4`: unknown; ignored.
/// - `a5`: unknown; ignored.
///
/// Errors: `CUDA_ERROR_NOT_SUPPORTED` in every case.
///
/// Manual: none, private.
#[entry(
    since = 13000,
    needs = nothing,
    header = false,
    lookup = false,
    status = "refused, also before `cuInit`, as by driver 580 (asked on an H100)"
)]
pub fn cuMemGetAttribute_v2(a0: usize, a1: usize, a2: usize, a3: usize, a4: usize, a5: usize) -> Result<()> {
    let _ = (a0, a1, a2, a3, a4, a5);
    Err(refuse!(Error::NOT_SUPPORTED, "the driver has no such attributes"))
}
