//! VDPAU Interoperability.
//!
//! There is no VDPAU on this device. All answers are those of the real driver where there is none.

#![allow(non_snake_case)]

use super::ptr::Out;
use super::types::{
    CUcontext, CUdevice, CUgraphicsResource, VdpDevice, VdpFuncId, VdpOutputSurface, VdpStatus, VdpVideoSurface,
};
use api_macro::entry;
use core::ffi::{c_uint, c_void};
use device::base::devices;
use device::stream::context::{self, flag};
use error::{Error, Result, refuse, refuse_if};

/// Finds the device behind a VDPAU device.
///
/// - `pDevice`: receives the ordinal of the device.
/// - `vdpDevice`: the VDPAU device.
/// - `vdpGetProcAddress`: VDPAU's function for finding functions.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE`: there is no VDPAU on this device.
///
/// Manual: VDPAU Interoperability.
#[entry(since = 3010, needs = init, status = "refused: there is no VDPAU device, as on the machine where driver 580 was asked")]
pub fn cuVDPAUGetDevice(
    pDevice: Out<CUdevice>,
    vdpDevice: VdpDevice,
    vdpGetProcAddress: Option<unsafe extern "C" fn(VdpDevice, VdpFuncId, *mut *mut c_void) -> VdpStatus>,
) -> Result<()> {
    let _ = (pDevice, vdpDevice, vdpGetProcAddress);
    Err(refuse!(Error::INVALID_VALUE, "vdpDevice is none of a device here: there is no VDPAU"))
}

/// Creates a context for use with VDPAU.
///
/// - `pCtx`: receives the context.
/// - `flags`: `CU_CTX_*` bits.
/// - `device`: ordinal of the device.
/// - `vdpDevice`: the VDPAU device.
/// - `vdpGetProcAddress`: VDPAU's function for finding functions.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pCtx` or `vdpGetProcAddress` is NULL or `flags` has unknown bits; `CUDA_ERROR_INVALID_DEVICE` if
/// there is no such device; else `CUDA_ERROR_UNKNOWN`: there is no VDPAU on this device.
///
/// Manual: VDPAU Interoperability.
#[entry(since = 3020, needs = init, status = "refused: there is no VDPAU device, as on the machine where driver 580 was asked")]
pub fn cuVDPAUCtxCreate_v2(
    pCtx: Out<CUcontext>,
    flags: c_uint,
    device: CUdevice,
    vdpDevice: VdpDevice,
    vdpGetProcAddress: Option<unsafe extern "C" fn(VdpDevice, VdpFuncId, *mut *mut c_void) -> VdpStatus>,
) -> Result<()> {
    let _ = vdpDevice;
    pCtx.check()?;
    refuse_if!(
        Error::INVALID_VALUE,
        !flag::valid(flags),
        "flags {:#x} has unknown bits, or two ways of scheduling",
        flags
    );
    devices::device(device)?;
    refuse_if!(Error::INVALID_VALUE, vdpGetProcAddress.is_none(), "vdpGetProcAddress is NULL");
    Err(refuse!(Error::UNKNOWN, "vdpDevice is none of a device here: there is no VDPAU"))
}

/// First form of [`cuVDPAUCtxCreate_v2`].
///
/// - `pCtx`: receives the context.
/// - `flags`: `CU_CTX_*` bits.
/// - `device`: ordinal of the device.
/// - `vdpDevice`: the VDPAU device.
/// - `vdpGetProcAddress`: VDPAU's function for finding functions.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pCtx` or `vdpGetProcAddress` is NULL or `flags` has unknown bits; `CUDA_ERROR_INVALID_DEVICE` if
/// there is no such device; else `CUDA_ERROR_UNKNOWN`: there is no VDPAU on this device.
///
/// Manual: none, first generation.
#[entry(since = 3010, needs = init, status = "refused: there is no VDPAU device, as on the machine where driver 580 was asked")]
pub fn cuVDPAUCtxCreate(
    pCtx: Out<CUcontext>,
    flags: c_uint,
    device: CUdevice,
    vdpDevice: VdpDevice,
    vdpGetProcAddress: Option<unsafe extern "C" fn(VdpDevice, VdpFuncId, *mut *mut c_void) -> VdpStatus>,
) -> Result<()> {
    let _ = vdpDevice;
    pCtx.check()?;
    refuse_if!(
        Error::INVALID_VALUE,
        !flag::valid(flags),
        "flags {:#x} has unknown bits, or two ways of scheduling",
        flags
    );
    devices::device(device)?;
    refuse_if!(Error::INVALID_VALUE, vdpGetProcAddress.is_none(), "vdpGetProcAddress is NULL");
    refuse_if!(
        Error::OUT_OF_MEMORY,
        context::current_handle() != 0,
        "there is a context that is not of the first generation"
    );
    Err(refuse!(Error::UNKNOWN, "vdpDevice is none of a device here: there is no VDPAU"))
}

/// Shares a VDPAU video surface.
///
/// - `pCudaResource`: receives the resource.
/// - `vdpSurface`: the surface.
/// - `flags`: `CU_GRAPHICS_REGISTER_FLAGS_*`.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT`: no context for VDPAU can be current.
///
/// Manual: VDPAU Interoperability.
#[entry(since = 3010, needs = init, status = "refused: there is no VDPAU device, as on the machine where driver 580 was asked")]
pub fn cuGraphicsVDPAURegisterVideoSurface(
    pCudaResource: Out<CUgraphicsResource>,
    vdpSurface: VdpVideoSurface,
    flags: c_uint,
) -> Result<()> {
    let _ = (pCudaResource, vdpSurface, flags);
    Err(refuse!(Error::INVALID_CONTEXT, "no context for VDPAU is current"))
}

/// Shares a VDPAU output surface.
///
/// - `pCudaResource`: receives the resource.
/// - `vdpSurface`: the surface.
/// - `flags`: `CU_GRAPHICS_REGISTER_FLAGS_*`.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT`: no context for VDPAU can be current.
///
/// Manual: VDPAU Interoperability.
#[entry(since = 3010, needs = init, status = "refused: there is no VDPAU device, as on the machine where driver 580 was asked")]
pub fn cuGraphicsVDPAURegisterOutputSurface(
    pCudaResource: Out<CUgraphicsResource>,
    vdpSurface: VdpOutputSurface,
    flags: c_uint,
) -> Result<()> {
    let _ = (pCudaResource, vdpSurface, flags);
    Err(refuse!(Error::INVALID_CONTEXT, "no context for VDPAU is current"))
}
