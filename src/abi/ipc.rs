//! Memory Management (inter-process communication).

#![allow(non_snake_case)]

use super::ptr::Out;
use super::types::{CUdeviceptr, CUevent, CUipcEventHandle, CUipcMemHandle};
use crate::error::Result;
use api_macro::entry;
use core::ffi::c_uint;

/// Makes a handle with which another process can open an event.
#[entry(since = 4010, needs = init)]
pub fn cuIpcGetEventHandle(pHandle: Out<CUipcEventHandle>, event: CUevent) -> Result<()>;

/// Opens an event that another process exported.
#[entry(since = 4010)]
pub fn cuIpcOpenEventHandle(phEvent: Out<CUevent>, handle: CUipcEventHandle) -> Result<()>;

/// Makes a handle with which another process can open a device allocation.
#[entry(since = 4010)]
pub fn cuIpcGetMemHandle(pHandle: Out<CUipcMemHandle>, dptr: CUdeviceptr) -> Result<()>;

/// Maps a device allocation that another process exported.
#[entry(since = 11000)]
pub fn cuIpcOpenMemHandle_v2(pdptr: Out<CUdeviceptr>, handle: CUipcMemHandle, Flags: c_uint) -> Result<()>;

/// First form of [`cuIpcOpenMemHandle_v2`].
#[entry(since = 4010)]
pub fn cuIpcOpenMemHandle(pdptr: Out<CUdeviceptr>, handle: CUipcMemHandle, Flags: c_uint) -> Result<()>;

/// Unmaps memory that was opened with `cuIpcOpenMemHandle`.
#[entry(since = 4010)]
pub fn cuIpcCloseMemHandle(dptr: CUdeviceptr) -> Result<()>;
