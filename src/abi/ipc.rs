//! Memory Management (inter-process communication).

#![allow(non_snake_case)]

use super::ptr::Out;
use super::types::{CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS, CUdeviceptr, CUevent, CUipcEventHandle, CUipcMemHandle};
use api_macro::entry;
use core::ffi::{c_char, c_uint};
use device::memory::ipc;
use device::stream::context;
use device::stream::event::Event;
use error::{Error, Result, refuse, refuse_if};

fn octets(chars: [c_char; 64]) -> ipc::Handle {
    chars.map(|c| c as u8)
}

fn chars(octets: ipc::Handle) -> [c_char; 64] {
    octets.map(|o| o as c_char)
}

fn open(dptr: Out<CUdeviceptr>, handle: CUipcMemHandle, flags: c_uint) -> Result<()> {
    dptr.check()?;
    // Other bits are ignored.
    refuse_if!(
        Error::INVALID_VALUE,
        flags & CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS.0 == 0,
        "Flags {:#x} lacks CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS",
        flags
    );
    let context = context::current()?;
    dptr.set(ipc::open_memory(&context, &octets(handle.reserved))? as CUdeviceptr)
}

/// Makes a handle with which another process can open an event.
///
/// - `pHandle`: receives the handle; all zero if the event has none.
/// - `event`: an event that this process created with `CU_EVENT_INTERPROCESS`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pHandle` or `event` is NULL; `CUDA_ERROR_INVALID_HANDLE` for any other event,
/// and for what is none; `CUDA_ERROR_CONTEXT_IS_DESTROYED` if its context is gone; its context's asynchronous error.
///
/// Manual: Memory Management.
#[entry(since = 4010, needs = nothing)]
pub fn cuIpcGetEventHandle(pHandle: Out<CUipcEventHandle>, event: CUevent) -> Result<()> {
    pHandle.check()?;
    device::initialized_unless(event.is_null(), Error::INVALID_VALUE)?;
    device::require_context()?;
    pHandle.set(CUipcEventHandle::default())?;
    let event = Event::find(event.0)?;
    event.outcome()?;
    let shared = event.shared.as_ref().filter(|s| !s.imported).ok_or_else(|| {
        refuse!(Error::INVALID_HANDLE, "event was made without CU_EVENT_INTERPROCESS, or in another process")
    })?;
    pHandle.set(CUipcEventHandle { reserved: chars(shared.event.handle()?) })
}

/// Opens an event that another process exported.
///
/// Every call makes an event of its own. When a process ends between a record and its completion, the event counts as
/// complete for the others.
///
/// - `phEvent`: receives the event.
/// - `handle`: the handle.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `phEvent` is NULL; `CUDA_ERROR_INVALID_CONTEXT` in the process that exported
/// it, and in a context of the first generation; `CUDA_ERROR_MAP_FAILED` for a handle that names no event, or none any
/// more.
///
/// Manual: Memory Management.
#[entry(since = 4010)]
pub fn cuIpcOpenEventHandle(phEvent: Out<CUevent>, handle: CUipcEventHandle) -> Result<()> {
    phEvent.check()?;
    let shared = ipc::open_event(&octets(handle.reserved))?;
    phEvent.set(CUevent(Event::import(&context::current()?, shared)?.handle))
}

/// Makes a handle with which another process can open a device allocation.
///
/// The handle is for all of the allocation, and is the same every time. The first export of memory takes time for each
/// byte that was ever written: the block that it lies in is moved to a memory file, at the same addresses. Small
/// allocations share such a block, and an importer maps all of it.
///
/// - `pHandle`: receives the handle.
/// - `dptr`: any address of an allocation of `cuMemAlloc` or `cuMemAllocPitch`; other memory has no handle.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pHandle` or `dptr` is NULL, and for other memory; `CUDA_ERROR_OUT_OF_MEMORY`
/// if the block cannot be moved.
///
/// Manual: Memory Management.
#[entry(since = 4010, needs = late)]
pub fn cuIpcGetMemHandle(pHandle: Out<CUipcMemHandle>, dptr: CUdeviceptr) -> Result<()> {
    pHandle.check()?;
    refuse_if!(Error::INVALID_VALUE, dptr == 0, "dptr is NULL");
    device::require_context()?;
    pHandle.set(CUipcMemHandle { reserved: chars(ipc::export_memory(dptr as usize)?) })
}

/// Maps a device allocation that another process exported.
///
/// Memory that is open already has the same address again, and has to be closed as often as it was opened. Exporter and
/// importer must be processes of one user on one machine.
///
/// - `pdptr`: receives the address.
/// - `handle`: the handle.
/// - `Flags`: `CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS`, which must be there.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pdptr` is NULL, without that flag, and for a handle that names no memory, or
/// none any more; `CUDA_ERROR_INVALID_CONTEXT` in the process that exported it, and in a context of the first
/// generation; `CUDA_ERROR_INVALID_HANDLE` for memory that is open in another context of this process;
/// `CUDA_ERROR_OUT_OF_MEMORY` if there is no room for it.
///
/// Manual: Memory Management.
#[entry(since = 11000, flags = CUipcMem_flags)]
pub fn cuIpcOpenMemHandle_v2(pdptr: Out<CUdeviceptr>, handle: CUipcMemHandle, Flags: c_uint) -> Result<()> {
    open(pdptr, handle, Flags)
}

/// Maps a device allocation that another process exported.
///
/// Memory that is open already has the same address again, and has to be closed as often as it was opened. Exporter and
/// importer must be processes of one user on one machine.
///
/// - `pdptr`: receives the address.
/// - `handle`: the handle.
/// - `Flags`: `CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS`, which must be there.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pdptr` is NULL, without that flag, and for a handle that names no memory, or
/// none any more; `CUDA_ERROR_INVALID_CONTEXT` in the process that exported it, and in a context of the first
/// generation; `CUDA_ERROR_INVALID_HANDLE` for memory that is open in another context of this process;
/// `CUDA_ERROR_OUT_OF_MEMORY` if there is no room for it.
///
/// Manual: Memory Management.
#[entry(since = 4010, flags = CUipcMem_flags)]
pub fn cuIpcOpenMemHandle(pdptr: Out<CUdeviceptr>, handle: CUipcMemHandle, Flags: c_uint) -> Result<()> {
    open(pdptr, handle, Flags)
}

/// Unmaps memory that was opened with `cuIpcOpenMemHandle`.
///
/// Waits for the work of the context that opened it. The exporter need not exist any more.
///
/// - `dptr`: the address that opening it gave.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` for anything else.
///
/// Manual: Memory Management.
#[entry(since = 4010)]
pub fn cuIpcCloseMemHandle(dptr: CUdeviceptr) -> Result<()> {
    ipc::close_memory(dptr as usize)
}
