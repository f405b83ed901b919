//! Parts of a device, and the driver's log: new in CUDA 13.

#![cfg(cudart = "13")]

use crate::driver as drv;
use crate::types::Handle;
use core::ffi::{c_char, c_int, c_uint, c_void};

api! {
    /// The multiprocessors of a device.
    fn cudaDeviceGetDevResource(device: c_int, resource: *mut c_void, kind: c_int) {
        drv::cuDeviceGetDevResource(device, resource, kind)
    }

    /// Splits multiprocessors into groups of a size.
    fn cudaDevSmResourceSplitByCount(
        result: *mut c_void, groups: *mut c_uint, input: *const c_void, rest: *mut c_void, flags: c_uint,
        least: c_uint,
    ) {
        drv::cuDevSmResourceSplitByCount(result, groups, input, rest, flags, least)
    }

    /// A description of resources, to make a context of.
    fn cudaDevResourceGenerateDesc(desc: *mut Handle, resources: *mut c_void, count: c_uint) {
        drv::cuDevResourceGenerateDesc(desc, resources, count)
    }

    /// The multiprocessors that a stream may use.
    fn cudaStreamGetDevResource / cudaStreamGetDevResource_ptsz(stream: Handle, resource: *mut c_void, kind: c_int) |pt| {
        drv::cuStreamGetDevResource(pt, stream, resource, kind)
    }

    /// The end of the driver's log.
    #[bare]
    fn cudaLogsCurrent(iterator: *mut c_uint, flags: c_uint) {
        drv::cuLogsCurrent(iterator, flags)
    }

    /// Writes the driver's log to a file.
    #[bare]
    fn cudaLogsDumpToFile(iterator: *mut c_uint, path: *const c_char, flags: c_uint) {
        drv::cuLogsDumpToFile(iterator, path, flags)
    }

    /// Writes the driver's log to memory.
    #[bare]
    fn cudaLogsDumpToMemory(iterator: *mut c_uint, buffer: *mut c_char, size: *mut usize, flags: c_uint) {
        drv::cuLogsDumpToMemory(iterator, buffer, size, flags)
    }

    /// Calls back for each message.
    #[bare]
    fn cudaLogsRegisterCallback(callback: *mut c_void, data: *mut c_void, handle: *mut Handle) {
        drv::cuLogsRegisterCallback(callback, data, handle)
    }

    /// Ends the calls.
    #[bare]
    fn cudaLogsUnregisterCallback(handle: Handle) {
        drv::cuLogsUnregisterCallback(handle)
    }
}
