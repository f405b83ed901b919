//! Parts of a device, and the driver's log: new in CUDA 13.

#![cfg(cudart = "13")]

use crate::context;
use crate::driver as drv;
use crate::error::{Error, Result};
use crate::types::{Handle, NULL};
use std::sync::{Mutex, PoisonError};

/// Green contexts that this runtime made: the context that the program has of each, and the driver's handle.
static GREEN: Mutex<Vec<(usize, usize)>> = Mutex::new(Vec::new());

fn green<T>(run: impl FnOnce(&mut Vec<(usize, usize)>) -> T) -> T {
    run(&mut GREEN.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The driver's handle of a green context.
fn green_of(context: Handle) -> Option<Handle> {
    green(|all| all.iter().find(|(known, _)| *known == context as usize).map(|(_, handle)| *handle as Handle))
}

/// An execution context has to be named.
fn named(context: Handle) -> Result<Handle> {
    if context.is_null() { Err(Error::INVALID_VALUE) } else { Ok(context) }
}

/// `CU_STREAM_NON_BLOCKING`
const NON_BLOCKING: c_uint = 1;
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

    /// Splits multiprocessors into groups of sizes of their own.
    fn cudaDevSmResourceSplit(
        result: *mut c_void, groups: c_uint, input: *const c_void, rest: *mut c_void, flags: c_uint,
        params: *mut c_void,
    ) {
        drv::cuDevSmResourceSplit(result, groups, input, rest, flags, params)
    }

    /// A context of some of a device's resources.
    fn cudaGreenCtxCreate(context: *mut Handle, desc: Handle, device: c_int, flags: c_uint) {
        if context.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        // What the driver calls the default stream's flag is part of what it asks for.
        const DEFAULT_STREAM: c_uint = 1;
        if flags != 0 {
            return Err(Error::INVALID_VALUE);
        }
        let (mut made, mut seen): (Handle, Handle) = (NULL, NULL);
        drv::cuGreenCtxCreate(&raw mut made, desc, device, DEFAULT_STREAM)?;
        let told = drv::cuCtxFromGreenCtx(&raw mut seen, made)
            .and_then(|()| crate::user::write(context.cast::<usize>(), seen as usize));
        if told.is_err() {
            drv::cuGreenCtxDestroy(made)?;
            return told;
        }
        green(|all| all.push((seen as usize, made as usize)));
        Ok(())
    }

    /// Ends a green context.
    fn cudaExecutionCtxDestroy(context: Handle) {
        let handle = green_of(named(context)?).ok_or(Error::INVALID_RESOURCE_HANDLE)?;
        drv::cuGreenCtxDestroy(handle)?;
        green(|all| all.retain(|(known, _)| *known != context as usize));
        Ok(())
    }

    /// The primary context of a device.
    #[bare]
    fn cudaDeviceGetExecutionCtx(context: *mut Handle, device: c_int) {
        context::check_device(device)?;
        crate::user::write(context.cast::<usize>(), context::primary(device)? as usize)
    }

    /// The resources of a context.
    fn cudaExecutionCtxGetDevResource(context: Handle, resource: *mut c_void, kind: c_int) {
        drv::cuCtxGetDevResource(named(context)?, resource, kind)
    }

    /// The device of a context.
    fn cudaExecutionCtxGetDevice(device: *mut c_int, context: Handle) {
        drv::cuCtxGetDevice_v2(device, named(context)?)
    }

    /// The number of a context.
    fn cudaExecutionCtxGetId(context: Handle, id: *mut u64) {
        drv::cuCtxGetId(named(context)?, id)
    }

    /// A stream of a context. Those of green contexts never wait for the default stream.
    fn cudaExecutionCtxStreamCreate(stream: *mut Handle, context: Handle, flags: c_uint, priority: c_int) {
        if let Some(handle) = green_of(named(context)?) {
            if flags & !NON_BLOCKING != 0 {
                return Err(Error::INVALID_VALUE);
            }
            return drv::cuGreenCtxStreamCreate(stream, handle, NON_BLOCKING, priority);
        }
        let mut popped: Handle = NULL;
        drv::cuCtxPushCurrent_v2(context)?;
        let made = drv::cuStreamCreateWithPriority(stream, flags, priority);
        drv::cuCtxPopCurrent_v2(&raw mut popped)?;
        made
    }

    /// Waits for all work of a context.
    fn cudaExecutionCtxSynchronize(context: Handle) {
        drv::cuCtxSynchronize_v2(named(context)?)
    }

    /// Records an event behind all work of a context.
    fn cudaExecutionCtxRecordEvent(context: Handle, event: Handle) {
        drv::cuCtxRecordEvent(named(context)?, event)
    }

    /// Makes later work of a context wait for an event.
    fn cudaExecutionCtxWaitEvent(context: Handle, event: Handle) {
        drv::cuCtxWaitEvent(named(context)?, event)
    }

    /// Samples where the pages of a range are.
    fn cudaMemGetLocationInfo(
        ptr: *mut c_void, size: usize, summary: usize, sampling: usize, locations: *mut c_void,
    ) {
        drv::cuMemGetLocationInfo(ptr, size, summary, sampling, locations)
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
