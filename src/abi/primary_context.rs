//! Primary Context Management.

#![allow(non_snake_case)]

use super::ptr::Out;
use super::types::{CUcontext, CUdevice};
use api_macro::entry;
use core::ffi::{c_int, c_uint};
use device::device;
use error::{Error, Result, refuse};

/// Takes a reference on the device's primary context and creates it if it is not active.
///
/// It does not become current. The context keeps its handle when it is released and retained again, and threads that
/// have it current can then use it again.
///
/// - `pctx`: receives the context.
/// - `dev`: ordinal of the device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pctx` is NULL; `CUDA_ERROR_INVALID_DEVICE` if the device does not exist; the
/// error of a kernel or a copy that failed in this process, on any device, unless the context is alive.
///
/// Manual: Primary Context Management.
#[entry(since = 7000, needs = init)]
pub fn cuDevicePrimaryCtxRetain(pctx: Out<CUcontext>, dev: CUdevice) -> Result<()> {
    pctx.check()?;
    let device = device(dev)?;
    let context = device.retain_primary()?;
    pctx.set(CUcontext(context.handle)).inspect_err(|_| {
        let _ = device.release_primary();
    })
}

/// Drops a reference on the device's primary context; the last one ends it and clears its flags.
///
/// The context stays current where it is, as a destroyed one.
///
/// - `dev`: ordinal of the device.
///
/// Errors: `CUDA_ERROR_INVALID_DEVICE` if the device does not exist; `CUDA_ERROR_INVALID_CONTEXT` if nobody holds the
/// context.
///
/// Manual: Primary Context Management.
#[entry(since = 11000, needs = init)]
pub fn cuDevicePrimaryCtxRelease_v2(dev: CUdevice) -> Result<()> {
    device(dev)?.release_primary()
}

/// Drops a reference on the device's primary context, with the rules of before CUDA 11: it is no error if there is
/// none.
///
/// - `dev`: ordinal of the device.
///
/// Errors: `CUDA_ERROR_INVALID_DEVICE` if the device does not exist.
///
/// Manual: none, replaced in CUDA 11.
#[entry(since = 7000, needs = init)]
pub fn cuDevicePrimaryCtxRelease(dev: CUdevice) -> Result<()> {
    device(dev)?.release_primary().or_else(|e| if e == Error::INVALID_CONTEXT { Ok(()) } else { Err(e) })
}

/// Sets the flags of the device's primary context, of the live one at once.
///
/// - `dev`: ordinal of the device.
/// - `flags`: `CU_CTX_*` bits with at most one way of waiting; not `CU_CTX_MAP_HOST`, which is always on.
///
/// Errors: `CUDA_ERROR_INVALID_DEVICE` if the device does not exist; `CUDA_ERROR_INVALID_VALUE` if a flag is unknown or
/// `CU_CTX_MAP_HOST`, or for more than one way of waiting.
///
/// Manual: Primary Context Management.
#[entry(since = 11000, needs = init, flags = CUctx_flags)]
pub fn cuDevicePrimaryCtxSetFlags_v2(dev: CUdevice, flags: c_uint) -> Result<()> {
    device(dev)?.set_primary_flags(flags)
}

/// Sets the flags of the device's primary context, which must not be active, by the rule of before CUDA 11.
///
/// - `dev`: ordinal of the device.
/// - `flags`: `CU_CTX_*` bits with at most one way of waiting; not `CU_CTX_MAP_HOST`, which is always on.
///
/// Errors: `CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE` if it is active; otherwise as [`cuDevicePrimaryCtxSetFlags_v2`].
///
/// Manual: none, replaced in CUDA 11.
#[entry(since = 7000, needs = init, flags = CUctx_flags)]
pub fn cuDevicePrimaryCtxSetFlags(dev: CUdevice, flags: c_uint) -> Result<()> {
    let device = device(dev)?;
    if device.primary_state().1 {
        return Err(refuse!(Error::PRIMARY_CONTEXT_ACTIVE, "dev: the primary context is active"));
    }
    device.set_primary_flags(flags)
}

/// Reports the flags of the device's primary context, as they were set, and whether it is active.
///
/// - `dev`: ordinal of the device.
/// - `flags`: receives `CU_CTX_*` bits.
/// - `active`: receives 1 if it is active, else 0.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a result is NULL; `CUDA_ERROR_INVALID_DEVICE` if the device does not exist.
///
/// Manual: Primary Context Management.
#[entry(since = 7000, needs = init)]
pub fn cuDevicePrimaryCtxGetState(dev: CUdevice, flags: Out<c_uint>, active: Out<c_int>) -> Result<()> {
    flags.check()?;
    active.check()?;
    let (value, alive) = device(dev)?.primary_state();
    flags.set(value)?;
    active.set(alive.into())
}

/// Destroys everything in the device's primary context, even if others hold it, and leaves its references.
///
/// Threads that have it current get `CUDA_ERROR_CONTEXT_IS_DESTROYED` until it is retained again. Its flags are cleared.
/// Succeeds if it is not active.
///
/// - `dev`: ordinal of the device.
///
/// Errors: `CUDA_ERROR_INVALID_DEVICE` if the device does not exist.
///
/// Manual: Primary Context Management.
#[entry(since = 11000, needs = init)]
pub fn cuDevicePrimaryCtxReset_v2(dev: CUdevice) -> Result<()> {
    device(dev)?.reset_primary(false)?;
    Ok(())
}

/// Destroys everything in the device's primary context, with the rules of before CUDA 11: its references are gone, too.
///
/// - `dev`: ordinal of the device.
///
/// Errors: `CUDA_ERROR_INVALID_DEVICE` if the device does not exist.
///
/// Manual: none, replaced in CUDA 11.
#[entry(since = 7000, needs = init)]
pub fn cuDevicePrimaryCtxReset(dev: CUdevice) -> Result<()> {
    device(dev)?.reset_primary(true)?;
    Ok(())
}
