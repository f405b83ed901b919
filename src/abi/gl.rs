//! OpenGL Interoperability.
//!
//! There is no OpenGL on this device. All answers are those of the real driver to a thread without a current context of OpenGL.

#![allow(non_snake_case)]

use super::convert::stream;
use super::ptr::Out;
use super::types::{
    CUGLDeviceList, CUcontext, CUdevice, CUdeviceptr, CUdeviceptr_v1, CUgraphicsResource, CUstream, GLenum, GLuint,
};
use api_macro::entry;
use core::ffi::c_uint;
use device::base::devices;
use device::stream::context::flag;
use error::{Error, Result, refuse, refuse_if};

fn no_context() -> Error {
    refuse!(Error::OPERATING_SYSTEM, "no OpenGL context is current: there is no OpenGL on this device")
}

fn not_shared(buffer: GLuint) -> Error {
    refuse!(Error::INVALID_VALUE, "buffer {} is not shared: there is no OpenGL on this device", buffer)
}

fn first_generation() -> Error {
    refuse!(Error::INVALID_CONTEXT, "no context of the first generation with buffers of OpenGL is current")
}

/// Clears results that may be left out.
fn clear<A: Copy + Default, S: Copy + Default>(address: Out<A>, size: Out<S>) -> Result<()> {
    address.set_opt(A::default())?;
    size.set_opt(S::default())
}

/// Shares an OpenGL buffer.
///
/// - `pCudaResource`: receives the resource.
/// - `buffer`: name of the buffer.
/// - `Flags`: how it will be used, `CU_GRAPHICS_REGISTER_FLAGS_*`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pCudaResource` is NULL, `buffer` is 0, or `Flags` are not those of a buffer; else
/// `CUDA_ERROR_OPERATING_SYSTEM`: there is no OpenGL on this device.
///
/// Manual: OpenGL Interoperability.
#[entry(since = 3000)]
pub fn cuGraphicsGLRegisterBuffer(pCudaResource: Out<CUgraphicsResource>, buffer: GLuint, Flags: c_uint) -> Result<()> {
    /// `CU_GRAPHICS_REGISTER_FLAGS_READ_ONLY` and `_WRITE_DISCARD`.
    const KNOWN: u32 = 2;
    pCudaResource.check()?;
    refuse_if!(Error::INVALID_VALUE, buffer == 0, "buffer is 0");
    refuse_if!(Error::INVALID_VALUE, Flags > KNOWN, "Flags {:#x} are not those of a buffer", Flags);
    Err(no_context())
}

/// Shares an OpenGL texture or renderbuffer.
///
/// - `pCudaResource`: receives the resource.
/// - `image`: name of the texture or renderbuffer.
/// - `target`: what it is, such as `GL_TEXTURE_2D`.
/// - `Flags`: how it will be used, `CU_GRAPHICS_REGISTER_FLAGS_*`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pCudaResource` is NULL, `image` is 0, `target` is none that can be shared, or `Flags` has
/// unknown bits; else `CUDA_ERROR_OPERATING_SYSTEM`: there is no OpenGL on this device.
///
/// Manual: OpenGL Interoperability.
#[entry(since = 3000)]
pub fn cuGraphicsGLRegisterImage(
    pCudaResource: Out<CUgraphicsResource>,
    image: GLuint,
    target: GLenum,
    Flags: c_uint,
) -> Result<()> {
    /// `GL_TEXTURE_2D`, `_3D`, `_RECTANGLE`, `_CUBE_MAP`, `_2D_ARRAY` and `GL_RENDERBUFFER`.
    const TARGETS: [u32; 6] = [0x0DE1, 0x806F, 0x84F5, 0x8513, 0x8C1A, 0x8D41];
    /// All of `CU_GRAPHICS_REGISTER_FLAGS_*`.
    const FLAGS: u32 = 0xF;
    pCudaResource.check()?;
    refuse_if!(Error::INVALID_VALUE, image == 0, "image is 0");
    refuse_if!(Error::INVALID_VALUE, Flags & !FLAGS != 0, "Flags {:#x} has unknown bits", Flags);
    refuse_if!(Error::INVALID_VALUE, !TARGETS.contains(&target), "target {:#x} cannot be shared", target);
    Err(no_context())
}

/// Lists the devices that drive the current OpenGL context.
///
/// - `pCudaDeviceCount`: receives their number.
/// - `pCudaDevices`: receives up to `cudaDeviceCount` devices.
/// - `cudaDeviceCount`: room in the array.
/// - `deviceList`: which ones: of all frames, or of the current or the next one.
///
/// Errors: `CUDA_ERROR_OPERATING_SYSTEM`, as from the real driver where no OpenGL context is current: there is no OpenGL on this device.
///
/// Manual: OpenGL Interoperability.
#[entry(since = 6050, needs = init)]
pub fn cuGLGetDevices_v2(
    pCudaDeviceCount: Out<c_uint>,
    pCudaDevices: Out<CUdevice>,
    cudaDeviceCount: c_uint,
    deviceList: CUGLDeviceList,
) -> Result<()> {
    let _ = (pCudaDeviceCount, pCudaDevices, cudaDeviceCount, deviceList);
    Err(no_context())
}

/// Lists the devices that drive the current OpenGL context.
///
/// - `pCudaDeviceCount`: receives their number.
/// - `pCudaDevices`: receives up to `cudaDeviceCount` devices.
/// - `cudaDeviceCount`: room in the array.
/// - `deviceList`: which ones: of all frames, or of the current or the next one.
///
/// Errors: `CUDA_ERROR_OPERATING_SYSTEM`, as from the real driver where no OpenGL context is current: there is no OpenGL on this device.
///
/// Manual: OpenGL Interoperability.
#[entry(since = 4010, needs = init)]
pub fn cuGLGetDevices(
    pCudaDeviceCount: Out<c_uint>,
    pCudaDevices: Out<CUdevice>,
    cudaDeviceCount: c_uint,
    deviceList: CUGLDeviceList,
) -> Result<()> {
    let _ = (pCudaDeviceCount, pCudaDevices, cudaDeviceCount, deviceList);
    Err(no_context())
}

/// Creates a context for use with OpenGL.
///
/// - `pCtx`: receives the context.
/// - `Flags`: `CU_CTX_*` bits.
/// - `device`: the device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pCtx` is NULL or `Flags` has unknown bits; `CUDA_ERROR_INVALID_DEVICE` if there is no such
/// device; else `CUDA_ERROR_OPERATING_SYSTEM`: there is no OpenGL on this device.
///
/// Manual: OpenGL Interoperability (deprecated).
#[entry(since = 3020, needs = init)]
pub fn cuGLCtxCreate_v2(pCtx: Out<CUcontext>, Flags: c_uint, device: CUdevice) -> Result<()> {
    pCtx.check()?;
    refuse_if!(
        Error::INVALID_VALUE,
        !flag::valid(Flags),
        "Flags {:#x} has unknown bits, or two ways of scheduling",
        Flags
    );
    devices::device(device)?;
    Err(no_context())
}

/// Creates a context of the first generation for use with OpenGL.
///
/// - `pCtx`: receives the context.
/// - `Flags`: `CU_CTX_*` bits.
/// - `device`: the device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pCtx` is NULL or `Flags` has unknown bits; `CUDA_ERROR_INVALID_DEVICE` if there is no such
/// device; else `CUDA_ERROR_OPERATING_SYSTEM`: there is no OpenGL on this device.
///
/// Manual: none, first generation.
#[entry(since = 2000, needs = init)]
pub fn cuGLCtxCreate(pCtx: Out<CUcontext>, Flags: c_uint, device: CUdevice) -> Result<()> {
    pCtx.check()?;
    refuse_if!(
        Error::INVALID_VALUE,
        !flag::valid(Flags),
        "Flags {:#x} has unknown bits, or two ways of scheduling",
        Flags
    );
    devices::device(device)?;
    Err(no_context())
}

/// Prepares OpenGL sharing; does nothing in today's drivers.
///
/// Errors: `CUDA_ERROR_OPERATING_SYSTEM`, as from the real driver where no OpenGL context is current: there is no OpenGL on this device.
///
/// Manual: OpenGL Interoperability (deprecated).
#[entry(since = 2000)]
pub fn cuGLInit() -> Result<()> {
    Err(no_context())
}

/// Shares an OpenGL buffer object.
///
/// - `buffer`: name of the buffer.
///
/// Errors: `CUDA_ERROR_OPERATING_SYSTEM`, as from the real driver where no OpenGL context is current: there is no OpenGL on this device.
///
/// Manual: OpenGL Interoperability (deprecated).
#[entry(since = 2000)]
pub fn cuGLRegisterBufferObject(buffer: GLuint) -> Result<()> {
    let _ = buffer;
    Err(no_context())
}

/// Maps a shared buffer object.
///
/// - `dptr`: receives the address.
/// - `size`: receives the size in bytes.
/// - `buffer`: name of the buffer.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE`: no buffer is shared. The results are zeroed.
///
/// Manual: OpenGL Interoperability (deprecated).
#[entry(since = 3020, twin = "ptds", needs = nothing)]
pub fn cuGLMapBufferObject_v2(dptr: Out<CUdeviceptr>, size: Out<usize>, buffer: GLuint) -> Result<()> {
    let _ = default_stream;
    clear(dptr, size)?;
    device::initialized().and_then(|()| device::require_context())?;
    Err(not_shared(buffer))
}

/// Maps a shared buffer object, with address and size of 32 bits.
///
/// - `dptr`: receives the address.
/// - `size`: receives the size in bytes.
/// - `buffer`: name of the buffer.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT`: a context of the first generation would have to be current, with buffers of OpenGL. The
/// results are zeroed.
///
/// Manual: none, first generation.
#[entry(since = 2000, needs = nothing)]
pub fn cuGLMapBufferObject(dptr: Out<CUdeviceptr_v1>, size: Out<c_uint>, buffer: GLuint) -> Result<()> {
    let _ = buffer;
    clear(dptr, size)?;
    device::initialized()?;
    Err(first_generation())
}

/// Unmaps a shared buffer object.
///
/// - `buffer`: name of the buffer.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE`: no buffer is shared.
///
/// Manual: OpenGL Interoperability (deprecated).
#[entry(since = 2000)]
pub fn cuGLUnmapBufferObject(buffer: GLuint) -> Result<()> {
    Err(not_shared(buffer))
}

/// Ends the sharing of a buffer object.
///
/// - `buffer`: name of the buffer.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE`: no buffer is shared.
///
/// Manual: OpenGL Interoperability (deprecated).
#[entry(since = 2000)]
pub fn cuGLUnregisterBufferObject(buffer: GLuint) -> Result<()> {
    Err(not_shared(buffer))
}

/// Sets how the next mapping of a buffer object will be used.
///
/// - `buffer`: name of the buffer.
/// - `Flags`: read and written, only read, or only written.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE`: no buffer is shared.
///
/// Manual: OpenGL Interoperability (deprecated).
#[entry(since = 2030)]
pub fn cuGLSetBufferObjectMapFlags(buffer: GLuint, Flags: c_uint) -> Result<()> {
    let _ = Flags;
    Err(not_shared(buffer))
}

/// Maps a shared buffer object for use on a stream.
///
/// - `dptr`: receives the address.
/// - `size`: receives the size in bytes.
/// - `buffer`: name of the buffer.
/// - `hStream`: the stream.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream; else `CUDA_ERROR_INVALID_VALUE`: no buffer is shared. The results are
/// zeroed.
///
/// Manual: OpenGL Interoperability (deprecated).
#[entry(since = 3020, twin = "ptsz", needs = nothing)]
pub fn cuGLMapBufferObjectAsync_v2(
    dptr: Out<CUdeviceptr>,
    size: Out<usize>,
    buffer: GLuint,
    hStream: CUstream,
) -> Result<()> {
    clear(dptr, size)?;
    device::initialized().and_then(|()| device::require_context())?;
    stream::lookup(hStream, default_stream)?;
    Err(not_shared(buffer))
}

/// Maps a shared buffer object for use on a stream, with address and size of 32 bits.
///
/// - `dptr`: receives the address.
/// - `size`: receives the size in bytes.
/// - `buffer`: name of the buffer.
/// - `hStream`: the stream.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT`: a context of the first generation would have to be current, with buffers of OpenGL. The
/// results are zeroed.
///
/// Manual: none, first generation.
#[entry(since = 2030, needs = nothing)]
pub fn cuGLMapBufferObjectAsync(
    dptr: Out<CUdeviceptr_v1>,
    size: Out<c_uint>,
    buffer: GLuint,
    hStream: CUstream,
) -> Result<()> {
    let _ = (buffer, hStream);
    clear(dptr, size)?;
    device::initialized()?;
    Err(first_generation())
}

/// Unmaps a shared buffer object in stream order.
///
/// - `buffer`: name of the buffer.
/// - `hStream`: the stream.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE`: no buffer is shared.
///
/// Manual: OpenGL Interoperability (deprecated).
#[entry(since = 2030)]
pub fn cuGLUnmapBufferObjectAsync(buffer: GLuint, hStream: CUstream) -> Result<()> {
    let _ = hStream;
    Err(not_shared(buffer))
}
