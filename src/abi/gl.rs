//! OpenGL Interoperability.

#![allow(non_snake_case)]

use super::ptr::Out;
use super::types::{
    CUGLDeviceList, CUcontext, CUdevice, CUdeviceptr, CUdeviceptr_v1, CUgraphicsResource, CUstream, GLenum, GLuint,
};
use api_macro::entry;
use core::ffi::c_uint;
use error::Result;

/// Shares an OpenGL buffer.
#[entry(since = 3000)]
pub fn cuGraphicsGLRegisterBuffer(pCudaResource: Out<CUgraphicsResource>, buffer: GLuint, Flags: c_uint) -> Result<()>;

/// Shares an OpenGL texture or renderbuffer.
#[entry(since = 3000)]
pub fn cuGraphicsGLRegisterImage(
    pCudaResource: Out<CUgraphicsResource>,
    image: GLuint,
    target: GLenum,
    Flags: c_uint,
) -> Result<()>;

/// Lists the devices that drive the current OpenGL context.
#[entry(since = 6050, needs = init)]
pub fn cuGLGetDevices_v2(
    pCudaDeviceCount: Out<c_uint>,
    pCudaDevices: Out<CUdevice>,
    cudaDeviceCount: c_uint,
    deviceList: CUGLDeviceList,
) -> Result<()>;

/// First form of [`cuGLGetDevices_v2`].
#[entry(since = 4010, needs = init)]
pub fn cuGLGetDevices(
    pCudaDeviceCount: Out<c_uint>,
    pCudaDevices: Out<CUdevice>,
    cudaDeviceCount: c_uint,
    deviceList: CUGLDeviceList,
) -> Result<()>;

/// Creates a context for use with OpenGL (deprecated).
#[entry(since = 3020, needs = init)]
pub fn cuGLCtxCreate_v2(pCtx: Out<CUcontext>, Flags: c_uint, device: CUdevice) -> Result<()>;

/// First form of [`cuGLCtxCreate_v2`] (deprecated).
#[entry(since = 2000, needs = init)]
pub fn cuGLCtxCreate(pCtx: Out<CUcontext>, Flags: c_uint, device: CUdevice) -> Result<()>;

/// Prepares OpenGL sharing; does nothing today (deprecated).
#[entry(since = 2000)]
pub fn cuGLInit() -> Result<()>;

/// Shares an OpenGL buffer object (deprecated).
#[entry(since = 2000)]
pub fn cuGLRegisterBufferObject(buffer: GLuint) -> Result<()>;

/// Maps a shared buffer object (deprecated).
#[entry(since = 3020, twin = "ptds")]
pub fn cuGLMapBufferObject_v2(dptr: Out<CUdeviceptr>, size: Out<usize>, buffer: GLuint) -> Result<()>;

/// First-generation [`cuGLMapBufferObject_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuGLMapBufferObject(dptr: Out<CUdeviceptr_v1>, size: Out<c_uint>, buffer: GLuint) -> Result<()>;

/// Unmaps a shared buffer object (deprecated).
#[entry(since = 2000)]
pub fn cuGLUnmapBufferObject(buffer: GLuint) -> Result<()>;

/// Ends the sharing of a buffer object (deprecated).
#[entry(since = 2000)]
pub fn cuGLUnregisterBufferObject(buffer: GLuint) -> Result<()>;

/// Sets how the next mapping of a buffer object will be used (deprecated).
#[entry(since = 2030)]
pub fn cuGLSetBufferObjectMapFlags(buffer: GLuint, Flags: c_uint) -> Result<()>;

/// Maps a shared buffer object for use on a stream (deprecated).
#[entry(since = 3020, twin = "ptsz")]
pub fn cuGLMapBufferObjectAsync_v2(
    dptr: Out<CUdeviceptr>,
    size: Out<usize>,
    buffer: GLuint,
    hStream: CUstream,
) -> Result<()>;

/// First-generation [`cuGLMapBufferObjectAsync_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2030)]
pub fn cuGLMapBufferObjectAsync(
    dptr: Out<CUdeviceptr_v1>,
    size: Out<c_uint>,
    buffer: GLuint,
    hStream: CUstream,
) -> Result<()>;

/// Unmaps a shared buffer object in stream order (deprecated).
#[entry(since = 2030)]
pub fn cuGLUnmapBufferObjectAsync(buffer: GLuint, hStream: CUstream) -> Result<()>;
