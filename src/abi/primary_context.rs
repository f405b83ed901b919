//! Primary Context Management.

#![allow(non_snake_case)]

use super::ptr::Out;
use super::types::{CUcontext, CUdevice};
use crate::device::device;
use api_macro::entry;
use core::ffi::{c_int, c_uint};
use error::{Error, Result};

/// Takes a reference on the device's primary context, creating it on the first one; does not make it current.
///
/// The context keeps its handle when it is released and retained again, and threads that have it current can then use it
/// again. `CUDA_ERROR_INVALID_VALUE` for `pctx` `NULL`, `CUDA_ERROR_INVALID_DEVICE` for an unknown device.
#[entry(since = 7000, needs = init)]
pub fn cuDevicePrimaryCtxRetain(pctx: Out<CUcontext>, dev: CUdevice) -> Result<()> {
    pctx.check()?;
    let device = device(dev)?;
    let context = device.retain_primary()?;
    pctx.set(CUcontext(context.handle)).inspect_err(|_| {
        let _ = device.release_primary();
    })
}

/// Drops a reference on the device's primary context; the last one tears it down.
///
/// It stays current where it is, as a destroyed context. `CUDA_ERROR_INVALID_CONTEXT` when nobody holds it.
#[entry(since = 11000, needs = init)]
pub fn cuDevicePrimaryCtxRelease_v2(dev: CUdevice) -> Result<()> {
    device(dev)?.release_primary()
}

/// Drops a reference on the device's primary context, with the rules of before CUDA 11: it is no error if there is none.
#[entry(since = 7000, needs = init)]
pub fn cuDevicePrimaryCtxRelease(dev: CUdevice) -> Result<()> {
    device(dev)?.release_primary().or_else(|e| if e == Error::INVALID_CONTEXT { Ok(()) } else { Err(e) })
}

/// Sets the flags of the device's primary context, of the live one at once.
///
/// `CUDA_ERROR_INVALID_VALUE` for unknown bits, for more than one way of waiting, and for `CU_CTX_MAP_HOST`, which is
/// always on.
#[entry(since = 11000, needs = init)]
pub fn cuDevicePrimaryCtxSetFlags_v2(dev: CUdevice, flags: c_uint) -> Result<()> {
    device(dev)?.set_primary_flags(flags)
}

/// Sets the flags of a primary context that must not be active (the rule of before CUDA 11): then
/// `CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE`. Otherwise as [`cuDevicePrimaryCtxSetFlags_v2`].
#[entry(since = 7000, needs = init)]
pub fn cuDevicePrimaryCtxSetFlags(dev: CUdevice, flags: c_uint) -> Result<()> {
    let device = device(dev)?;
    if device.primary_state().1 {
        return Err(Error::PRIMARY_CONTEXT_ACTIVE);
    }
    device.set_primary_flags(flags)
}

/// Reports the flags of the device's primary context, as they were set, and whether it is active (1) or not (0).
///
/// Both places are needed: `CUDA_ERROR_INVALID_VALUE` without one.
#[entry(since = 7000, needs = init)]
pub fn cuDevicePrimaryCtxGetState(dev: CUdevice, flags: Out<c_uint>, active: Out<c_int>) -> Result<()> {
    flags.check()?;
    active.check()?;
    let (value, alive) = device(dev)?.primary_state();
    flags.set(value)?;
    active.set(alive.into())
}

/// Destroys everything in the device's primary context, whoever holds it, without touching its reference count.
///
/// Threads that have it current get `CUDA_ERROR_CONTEXT_IS_DESTROYED` until it is retained again. Succeeds when it is not
/// active.
#[entry(since = 11000, needs = init)]
pub fn cuDevicePrimaryCtxReset_v2(dev: CUdevice) -> Result<()> {
    device(dev)?.reset_primary(false);
    Ok(())
}

/// Destroys everything in the device's primary context, with the rules of before CUDA 11: its references are gone, too.
#[entry(since = 7000, needs = init)]
pub fn cuDevicePrimaryCtxReset(dev: CUdevice) -> Result<()> {
    device(dev)?.reset_primary(true);
    Ok(())
}
