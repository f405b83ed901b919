//! Memory Management (asynchronous notifications).

#![allow(non_snake_case)]

use super::ptr::Out;
use super::types::{CUasyncCallback, CUasyncCallbackHandle, CUdevice};
use api_macro::entry;
use core::ffi::c_void;
use device::base::notify;
use error::{Error, Result, refuse_if};

/// Registers a callback for asynchronous events of a device, such as an exceeded memory budget.
///
/// The same function can be registered more than once; every registration has a handle of its own. There is no memory
/// budget here, so no callback is ever called.
///
/// - `device`: ordinal of the device.
/// - `callbackFunc`: the function to be called.
/// - `userData`: passed to the function; ignored.
/// - `callback`: receives the handle of the registration.
///
/// Errors: `CUDA_ERROR_INVALID_DEVICE` if the device does not exist; `CUDA_ERROR_INVALID_VALUE` if `callback` or
/// `callbackFunc` is NULL.
///
/// Manual: Memory Management.
#[entry(since = 12040, needs = init)]
pub fn cuDeviceRegisterAsyncNotification(
    device: CUdevice,
    callbackFunc: CUasyncCallback,
    userData: *mut c_void,
    callback: Out<CUasyncCallbackHandle>,
) -> Result<()> {
    let device = device::device(device)?;
    callback.check()?;
    // Not kept: the only event for which callbacks are called does not happen here.
    let _ = userData;
    refuse_if!(Error::INVALID_VALUE, callbackFunc.is_none(), "callbackFunc is NULL");
    callback.set(CUasyncCallbackHandle(notify::register(device)?.handle))
}

/// Withdraws a callback that was registered for asynchronous events of a device.
///
/// - `device`: ordinal of the device.
/// - `callback`: handle of the registration.
///
/// Errors: `CUDA_ERROR_INVALID_DEVICE` if the device does not exist; `CUDA_ERROR_INVALID_VALUE` if the handle is not,
/// or no longer, registered for it.
///
/// Manual: Memory Management.
#[entry(since = 12040, needs = init)]
pub fn cuDeviceUnregisterAsyncNotification(device: CUdevice, callback: CUasyncCallbackHandle) -> Result<()> {
    notify::unregister(device::device(device)?, callback.0)
}
