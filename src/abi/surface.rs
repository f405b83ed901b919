//! Surface Reference Management (deprecated) and Surface Object Management.

#![allow(non_snake_case)]

use super::convert::resource::{resource, set_resource};
use super::ptr::{In, Out};
use super::types::{CUDA_RESOURCE_DESC, CUarray, CUsurfObject, CUsurfref};
use api_macro::entry;
use core::ffi::c_uint;
use device::array::Array;
use device::array::reference::SurfaceReference;
use device::array::texture::{Resource, Surface};
use device::stream::{capture, context};
use error::{Error, Result, refuse, refuse_if};

/// Binds an array to a surface reference (deprecated).
///
/// - `hSurfRef`: the reference.
/// - `hArray`: the array.
/// - `Flags`: 0.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `Flags` is not 0; `CUDA_ERROR_INVALID_HANDLE` if `hSurfRef` is no reference or
/// `hArray` no array.
///
/// Manual: Surface Reference Management (deprecated).
#[entry(since = 3000)]
pub fn cuSurfRefSetArray(hSurfRef: CUsurfref, hArray: CUarray, Flags: c_uint) -> Result<()> {
    refuse_if!(Error::INVALID_VALUE, Flags != 0, "Flags {:#x} is not 0", Flags);
    let reference = SurfaceReference::find(hSurfRef.0)?;
    let array = Array::find(hArray.0)?;
    *reference.array.lock() = Some(array);
    Ok(())
}

/// Reads the array bound to a surface reference (deprecated).
///
/// - `phArray`: receives the array.
/// - `hSurfRef`: the reference.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hSurfRef` is no reference; `CUDA_ERROR_INVALID_VALUE` if `phArray` is NULL
/// or no array is bound.
///
/// Manual: Surface Reference Management (deprecated).
#[entry(since = 3000)]
pub fn cuSurfRefGetArray(phArray: Out<CUarray>, hSurfRef: CUsurfref) -> Result<()> {
    let reference = SurfaceReference::find(hSurfRef.0)?;
    let array = reference
        .array
        .lock()
        .as_ref()
        .map(|a| a.handle)
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "hSurfRef has no array"))?;
    phArray.set(CUarray(array))
}

/// Creates a surface object over an array.
///
/// The array need not have been made for surfaces.
///
/// - `pSurfObject`: receives the object.
/// - `pResDesc`: the resource: an array.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if flags of the resource are not 0, if it is no array, or
/// if the array is compressed, or has planes and was not made for surfaces; `CUDA_ERROR_PEER_ACCESS_NOT_ENABLED` for an
/// array of another context; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call.
///
/// Manual: Surface Object Management.
#[entry(since = 5000)]
pub fn cuSurfObjectCreate(pSurfObject: Out<CUsurfObject>, pResDesc: In<CUDA_RESOURCE_DESC>) -> Result<()> {
    capture::check_call()?;
    pSurfObject.check()?;
    let Resource::Array(array) = resource(&pResDesc.get()?)? else {
        return Err(refuse!(Error::INVALID_VALUE, "pResDesc: resType is not CU_RESOURCE_TYPE_ARRAY"));
    };
    let surface = Surface::create(&*context::current()?, array)?;
    pSurfObject.set(surface.handle as CUsurfObject)
}

/// Destroys a surface object.
///
/// Kernels that were launched before still use it.
///
/// - `surfObject`: the object; anything else does nothing.
///
/// Errors: `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call.
///
/// Manual: Surface Object Management.
#[entry(since = 5000)]
pub fn cuSurfObjectDestroy(surfObject: CUsurfObject) -> Result<()> {
    capture::check_call()?;
    Surface::destroy(surfObject as usize);
    Ok(())
}

/// Reads the resource of a surface object.
///
/// - `pResDesc`: receives type, array and flags; the rest stays untouched.
/// - `surfObject`: the object.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pResDesc` is NULL or `surfObject` is no object of the current context.
///
/// Manual: Surface Object Management.
#[entry(since = 5000)]
pub fn cuSurfObjectGetResourceDesc(pResDesc: Out<CUDA_RESOURCE_DESC>, surfObject: CUsurfObject) -> Result<()> {
    let surface = Surface::find(surfObject as usize)?;
    set_resource(pResDesc, &Resource::Array(surface.array.clone()))
}
