//! Surface Reference Management (deprecated) and Surface Object Management.

#![allow(non_snake_case)]

use super::ptr::{In, Out};
use super::types::{CUDA_RESOURCE_DESC, CUarray, CUsurfObject, CUsurfref};
use crate::error::Result;
use api_macro::entry;
use core::ffi::c_uint;

/// Binds an array to a surface reference (deprecated).
#[entry(since = 3000)]
pub fn cuSurfRefSetArray(hSurfRef: CUsurfref, hArray: CUarray, Flags: c_uint) -> Result<()>;

/// Reads the array bound to a surface reference (deprecated).
#[entry(since = 3000)]
pub fn cuSurfRefGetArray(phArray: Out<CUarray>, hSurfRef: CUsurfref) -> Result<()>;

/// Creates a surface object over an array.
#[entry(since = 5000)]
pub fn cuSurfObjectCreate(pSurfObject: Out<CUsurfObject>, pResDesc: In<CUDA_RESOURCE_DESC>) -> Result<()>;

/// Destroys a surface object.
#[entry(since = 5000)]
pub fn cuSurfObjectDestroy(surfObject: CUsurfObject) -> Result<()>;

/// Reads the resource of a surface object.
#[entry(since = 5000)]
pub fn cuSurfObjectGetResourceDesc(pResDesc: Out<CUDA_RESOURCE_DESC>, surfObject: CUsurfObject) -> Result<()>;
