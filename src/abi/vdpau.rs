//! VDPAU Interoperability.

#![allow(non_snake_case)]

use super::ptr::Out;
use super::types::{
    CUcontext, CUdevice, CUgraphicsResource, VdpDevice, VdpFuncId, VdpOutputSurface, VdpStatus, VdpVideoSurface,
};
use api_macro::entry;
use core::ffi::{c_uint, c_void};
use error::Result;

/// Finds the device behind a VDPAU device.
///
/// - `pDevice`: receives the ordinal of the device.
/// - `vdpDevice`: the VDPAU device.
/// - `vdpGetProcAddress`: VDPAU's function for finding functions.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: VDPAU Interoperability.
#[entry(since = 3010, needs = init)]
pub fn cuVDPAUGetDevice(
    pDevice: Out<CUdevice>,
    vdpDevice: VdpDevice,
    vdpGetProcAddress: Option<unsafe extern "C" fn(VdpDevice, VdpFuncId, *mut *mut c_void) -> VdpStatus>,
) -> Result<()>;

/// Creates a context for use with VDPAU.
///
/// - `pCtx`: receives the context.
/// - `flags`: `CU_CTX_*` bits.
/// - `device`: ordinal of the device.
/// - `vdpDevice`: the VDPAU device.
/// - `vdpGetProcAddress`: VDPAU's function for finding functions.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: VDPAU Interoperability.
#[entry(since = 3020, needs = init)]
pub fn cuVDPAUCtxCreate_v2(
    pCtx: Out<CUcontext>,
    flags: c_uint,
    device: CUdevice,
    vdpDevice: VdpDevice,
    vdpGetProcAddress: Option<unsafe extern "C" fn(VdpDevice, VdpFuncId, *mut *mut c_void) -> VdpStatus>,
) -> Result<()>;

/// First form of [`cuVDPAUCtxCreate_v2`].
///
/// - `pCtx`: receives the context.
/// - `flags`: `CU_CTX_*` bits.
/// - `device`: ordinal of the device.
/// - `vdpDevice`: the VDPAU device.
/// - `vdpGetProcAddress`: VDPAU's function for finding functions.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: none, first generation.
#[entry(since = 3010, needs = init)]
pub fn cuVDPAUCtxCreate(
    pCtx: Out<CUcontext>,
    flags: c_uint,
    device: CUdevice,
    vdpDevice: VdpDevice,
    vdpGetProcAddress: Option<unsafe extern "C" fn(VdpDevice, VdpFuncId, *mut *mut c_void) -> VdpStatus>,
) -> Result<()>;

/// Shares a VDPAU video surface.
///
/// - `pCudaResource`: receives the resource.
/// - `vdpSurface`: the surface.
/// - `flags`: `CU_GRAPHICS_REGISTER_FLAGS_*`.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: VDPAU Interoperability.
#[entry(since = 3010)]
pub fn cuGraphicsVDPAURegisterVideoSurface(
    pCudaResource: Out<CUgraphicsResource>,
    vdpSurface: VdpVideoSurface,
    flags: c_uint,
) -> Result<()>;

/// Shares a VDPAU output surface.
///
/// - `pCudaResource`: receives the resource.
/// - `vdpSurface`: the surface.
/// - `flags`: `CU_GRAPHICS_REGISTER_FLAGS_*`.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: VDPAU Interoperability.
#[entry(since = 3010)]
pub fn cuGraphicsVDPAURegisterOutputSurface(
    pCudaResource: Out<CUgraphicsResource>,
    vdpSurface: VdpOutputSurface,
    flags: c_uint,
) -> Result<()>;
