//! Primary Context Management.

#![allow(non_snake_case)]

use super::ptr::Out;
use super::types::{CUcontext, CUdevice};
use crate::device::{self, context};
use crate::error::Result;
use api_macro::entry;
use core::ffi::{c_int, c_uint};

/// Takes a reference on the device's primary context, creating it on the first one; does not make it current.
#[entry(since = 7000, needs = init)]
pub fn cuDevicePrimaryCtxRetain(pctx: Out<CUcontext>, dev: CUdevice) -> Result<()> {
    pctx.check()?;
    let context = context::retain_primary(device::device(dev)?)?;
    pctx.set(CUcontext(context.handle))
}

/// Drops a reference on the device's primary context; the last one tears it down.
#[entry(since = 11000, needs = init)]
pub fn cuDevicePrimaryCtxRelease_v2(dev: CUdevice) -> Result<()>;

/// Drops a reference on the device's primary context, with the rules of before CUDA 11.
#[entry(since = 7000, needs = init)]
pub fn cuDevicePrimaryCtxRelease(dev: CUdevice) -> Result<()>;

/// Sets the scheduling flags of the device's primary context.
#[entry(since = 11000, needs = init)]
pub fn cuDevicePrimaryCtxSetFlags_v2(dev: CUdevice, flags: c_uint) -> Result<()>;

/// Sets the flags of a primary context that must not be active (the rule of before CUDA 11).
#[entry(since = 7000, needs = init)]
pub fn cuDevicePrimaryCtxSetFlags(dev: CUdevice, flags: c_uint) -> Result<()>;

/// Reports the flags of the device's primary context and whether it is active.
#[entry(since = 7000, needs = init)]
pub fn cuDevicePrimaryCtxGetState(dev: CUdevice, flags: Out<c_uint>, active: Out<c_int>) -> Result<()>;

/// Destroys everything in the device's primary context without touching its reference count.
#[entry(since = 11000, needs = init)]
pub fn cuDevicePrimaryCtxReset_v2(dev: CUdevice) -> Result<()>;

/// Destroys everything in the device's primary context, with the rules of before CUDA 11.
#[entry(since = 7000, needs = init)]
pub fn cuDevicePrimaryCtxReset(dev: CUdevice) -> Result<()>;
