//! Surface Reference Management (deprecated) and Surface Object Management.

#![allow(non_snake_case)]

use super::ptr::{In, Out};
use super::texture::{resource, set_resource};
use super::types::{CUDA_RESOURCE_DESC, CUarray, CUsurfObject, CUsurfref};
use crate::device::array::Array;
use crate::device::array::texture::{Resource, Surface, SurfaceReference};
use crate::device::stream::{capture, context};
use api_macro::entry;
use core::ffi::c_uint;
use error::{Error, Result};

/// Binds an array to a surface reference (deprecated).
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` for flags; `CUDA_ERROR_INVALID_HANDLE` for the reference and the array.
#[entry(since = 3000)]
pub fn cuSurfRefSetArray(hSurfRef: CUsurfref, hArray: CUarray, Flags: c_uint) -> Result<()> {
    if Flags != 0 {
        return Err(Error::INVALID_VALUE);
    }
    let reference = SurfaceReference::find(hSurfRef.0)?;
    let array = Array::find(hArray.0)?;
    *reference.array.lock() = Some(array);
    Ok(())
}

/// Reads the array bound to a surface reference (deprecated).
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` where none is bound.
#[entry(since = 3000)]
pub fn cuSurfRefGetArray(phArray: Out<CUarray>, hSurfRef: CUsurfref) -> Result<()> {
    let reference = SurfaceReference::find(hSurfRef.0)?;
    let array = reference.array.lock().as_ref().map(|a| a.handle).ok_or(Error::INVALID_VALUE)?;
    phArray.set(CUarray(array))
}

/// Creates a surface object over an array.
///
/// An array that was not made for surfaces will do.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE`, also for resources other than arrays.
#[entry(since = 5000)]
pub fn cuSurfObjectCreate(pSurfObject: Out<CUsurfObject>, pResDesc: In<CUDA_RESOURCE_DESC>) -> Result<()> {
    capture::check_call()?;
    pSurfObject.check()?;
    let Resource::Array(array) = resource(&pResDesc.get()?)? else {
        return Err(Error::INVALID_VALUE);
    };
    let surface = Surface::create(&*context::current()?, array)?;
    pSurfObject.set(surface.handle as CUsurfObject)
}

/// Destroys a surface object. Kernels that were launched before still use it.
///
/// An unknown object is no error.
#[entry(since = 5000)]
pub fn cuSurfObjectDestroy(surfObject: CUsurfObject) -> Result<()> {
    capture::check_call()?;
    Surface::destroy(surfObject as usize);
    Ok(())
}

/// Reads the resource of a surface object.
///
/// Only what an array's description has is written.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE`, also for an unknown object.
#[entry(since = 5000)]
pub fn cuSurfObjectGetResourceDesc(pResDesc: Out<CUDA_RESOURCE_DESC>, surfObject: CUsurfObject) -> Result<()> {
    let surface = Surface::find(surfObject as usize)?;
    set_resource(pResDesc, &Resource::Array(surface.array.clone()))
}
