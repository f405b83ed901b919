//! Memory and events of other processes. The handles are 64 bytes, passed by value.

use crate::driver as drv;
use crate::types::{Handle, IpcHandle};
use core::ffi::{c_uint, c_void};

api! {
    /// A name for memory, for other processes.
    fn cudaIpcGetMemHandle(handle: *mut IpcHandle, ptr: *mut c_void) {
        drv::cuIpcGetMemHandle(handle, ptr)
    }

    /// Maps another process's memory.
    fn cudaIpcOpenMemHandle(ptr: *mut *mut c_void, handle: IpcHandle, flags: c_uint) {
        drv::cuIpcOpenMemHandle_v2(ptr, handle, flags)
    }

    /// Unmaps another process's memory.
    fn cudaIpcCloseMemHandle(ptr: *mut c_void) {
        drv::cuIpcCloseMemHandle(ptr)
    }

    /// A name for an event, for other processes.
    fn cudaIpcGetEventHandle(handle: *mut IpcHandle, event: Handle) {
        drv::cuIpcGetEventHandle(handle, event)
    }

    /// Opens another process's event.
    fn cudaIpcOpenEventHandle(event: *mut Handle, handle: IpcHandle) {
        drv::cuIpcOpenEventHandle(event, handle)
    }
}
