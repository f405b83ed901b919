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
///
/// - `pCudaResource`: receives the resource.
/// - `buffer`: name of the buffer.
/// - `Flags`: how it will be used, `CU_GRAPHICS_REGISTER_FLAGS_*`.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: OpenGL Interoperability.
#[entry(since = 3000)]
pub fn cuGraphicsGLRegisterBuffer(pCudaResource: Out<CUgraphicsResource>, buffer: GLuint, Flags: c_uint) -> Result<()>;

/// Shares an OpenGL texture or renderbuffer.
///
/// - `pCudaResource`: receives the resource.
/// - `image`: name of the texture or renderbuffer.
/// - `target`: what it is, such as `GL_TEXTURE_2D`.
/// - `Flags`: how it will be used, `CU_GRAPHICS_REGISTER_FLAGS_*`.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: OpenGL Interoperability.
#[entry(since = 3000)]
pub fn cuGraphicsGLRegisterImage(
    pCudaResource: Out<CUgraphicsResource>,
    image: GLuint,
    target: GLenum,
    Flags: c_uint,
) -> Result<()>;

/// Lists the devices that drive the current OpenGL context.
///
/// - `pCudaDeviceCount`: receives their number.
/// - `pCudaDevices`: receives up to `cudaDeviceCount` devices.
/// - `cudaDeviceCount`: room in the array.
/// - `deviceList`: which ones: of all frames, or of the current or the next one.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: OpenGL Interoperability.
#[entry(since = 6050, needs = init)]
pub fn cuGLGetDevices_v2(
    pCudaDeviceCount: Out<c_uint>,
    pCudaDevices: Out<CUdevice>,
    cudaDeviceCount: c_uint,
    deviceList: CUGLDeviceList,
) -> Result<()>;

/// Lists the devices that drive the current OpenGL context.
///
/// - `pCudaDeviceCount`: receives their number.
/// - `pCudaDevices`: receives up to `cudaDeviceCount` devices.
/// - `cudaDeviceCount`: room in the array.
/// - `deviceList`: which ones: of all frames, or of the current or the next one.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: OpenGL Interoperability.
#[entry(since = 4010, needs = init)]
pub fn cuGLGetDevices(
    pCudaDeviceCount: Out<c_uint>,
    pCudaDevices: Out<CUdevice>,
    cudaDeviceCount: c_uint,
    deviceList: CUGLDeviceList,
) -> Result<()>;

/// Creates a context for use with OpenGL.
///
/// - `pCtx`: receives the context.
/// - `Flags`: `CU_CTX_*` bits.
/// - `device`: the device.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: OpenGL Interoperability (deprecated).
#[entry(since = 3020, needs = init)]
pub fn cuGLCtxCreate_v2(pCtx: Out<CUcontext>, Flags: c_uint, device: CUdevice) -> Result<()>;

/// Creates a context of the first generation for use with OpenGL.
///
/// - `pCtx`: receives the context.
/// - `Flags`: `CU_CTX_*` bits.
/// - `device`: the device.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: none, first generation.
#[entry(since = 2000, needs = init)]
pub fn cuGLCtxCreate(pCtx: Out<CUcontext>, Flags: c_uint, device: CUdevice) -> Result<()>;

/// Prepares OpenGL sharing; does nothing in today's drivers.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: OpenGL Interoperability (deprecated).
#[entry(since = 2000)]
pub fn cuGLInit() -> Result<()>;

/// Shares an OpenGL buffer object.
///
/// - `buffer`: name of the buffer.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: OpenGL Interoperability (deprecated).
#[entry(since = 2000)]
pub fn cuGLRegisterBufferObject(buffer: GLuint) -> Result<()>;

/// Maps a shared buffer object.
///
/// - `dptr`: receives the address.
/// - `size`: receives the size in bytes.
/// - `buffer`: name of the buffer.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: OpenGL Interoperability (deprecated).
#[entry(since = 3020, twin = "ptds")]
pub fn cuGLMapBufferObject_v2(dptr: Out<CUdeviceptr>, size: Out<usize>, buffer: GLuint) -> Result<()>;

/// Maps a shared buffer object, with address and size of 32 bits.
///
/// - `dptr`: receives the address.
/// - `size`: receives the size in bytes.
/// - `buffer`: name of the buffer.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: none, first generation.
#[entry(since = 2000)]
pub fn cuGLMapBufferObject(dptr: Out<CUdeviceptr_v1>, size: Out<c_uint>, buffer: GLuint) -> Result<()>;

/// Unmaps a shared buffer object.
///
/// - `buffer`: name of the buffer.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: OpenGL Interoperability (deprecated).
#[entry(since = 2000)]
pub fn cuGLUnmapBufferObject(buffer: GLuint) -> Result<()>;

/// Ends the sharing of a buffer object.
///
/// - `buffer`: name of the buffer.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: OpenGL Interoperability (deprecated).
#[entry(since = 2000)]
pub fn cuGLUnregisterBufferObject(buffer: GLuint) -> Result<()>;

/// Sets how the next mapping of a buffer object will be used.
///
/// - `buffer`: name of the buffer.
/// - `Flags`: read and written, only read, or only written.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: OpenGL Interoperability (deprecated).
#[entry(since = 2030)]
pub fn cuGLSetBufferObjectMapFlags(buffer: GLuint, Flags: c_uint) -> Result<()>;

/// Maps a shared buffer object for use on a stream.
///
/// - `dptr`: receives the address.
/// - `size`: receives the size in bytes.
/// - `buffer`: name of the buffer.
/// - `hStream`: the stream.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: OpenGL Interoperability (deprecated).
#[entry(since = 3020, twin = "ptsz")]
pub fn cuGLMapBufferObjectAsync_v2(
    dptr: Out<CUdeviceptr>,
    size: Out<usize>,
    buffer: GLuint,
    hStream: CUstream,
) -> Result<()>;

/// Maps a shared buffer object for use on a stream, with address and size of 32 bits.
///
/// - `dptr`: receives the address.
/// - `size`: receives the size in bytes.
/// - `buffer`: name of the buffer.
/// - `hStream`: the stream.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: none, first generation.
#[entry(since = 2030)]
pub fn cuGLMapBufferObjectAsync(
    dptr: Out<CUdeviceptr_v1>,
    size: Out<c_uint>,
    buffer: GLuint,
    hStream: CUstream,
) -> Result<()>;

/// Unmaps a shared buffer object in stream order.
///
/// - `buffer`: name of the buffer.
/// - `hStream`: the stream.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: OpenGL Interoperability (deprecated).
#[entry(since = 2030)]
pub fn cuGLUnmapBufferObjectAsync(buffer: GLuint, hStream: CUstream) -> Result<()>;
