//! Memory Management (asynchronous notifications).

#![allow(non_snake_case)]

use super::ptr::Out;
use super::types::{CUasyncCallback, CUasyncCallbackHandle, CUdevice};
use crate::error::Result;
use api_macro::entry;
use core::ffi::c_void;

/// Registers a callback for asynchronous events of a device, such as an exceeded memory budget.
#[entry(since = 12040, needs = init)]
pub fn cuDeviceRegisterAsyncNotification(
    device: CUdevice,
    callbackFunc: CUasyncCallback,
    userData: *mut c_void,
    callback: Out<CUasyncCallbackHandle>,
) -> Result<()>;

/// Withdraws a callback that was registered for asynchronous events of a device.
#[entry(since = 12040, needs = init)]
pub fn cuDeviceUnregisterAsyncNotification(device: CUdevice, callback: CUasyncCallbackHandle) -> Result<()>;
