//! OpenGL Interoperability.
//!
//! OpenGL is what the program has loaded, such as Mesa's on the CPU: see the crate `gl`. The answers are those of the real driver, which
//! was asked without OpenGL, and with a context of its own.

#![allow(non_snake_case)]

use super::convert::gl::{buffer, current, current_again, image as shared_image, with_context};
use super::convert::stream;
use super::ptr::Out;
use super::types::{
    CU_GL_DEVICE_LIST_ALL, CU_GL_DEVICE_LIST_NEXT_FRAME, CUGLDeviceList, CUcontext, CUdevice, CUdeviceptr,
    CUdeviceptr_v1, CUgraphicsResource, CUstream, GLenum, GLuint,
};
use crate::abi::DefaultStream;
use api_macro::entry;
use core::ffi::c_uint;
use device::array::graphics::{self, Contents};
use device::base::devices;
use device::stream::context;
use device::stream::context::flag;
use error::{Error, Result, refuse, refuse_if};
use std::slice;

/// A buffer that was shared by its name in the current context.
fn named(name: GLuint) -> Result<std::sync::Arc<graphics::Resource>> {
    graphics::named(&*context::current_any()?, name)
}

fn map(
    dptr: Out<CUdeviceptr>,
    size: Out<usize>,
    name: GLuint,
    hStream: CUstream,
    default_stream: DefaultStream,
) -> Result<()> {
    clear(dptr, size)?;
    device::initialized().and_then(|()| device::require_context())?;
    let stream = stream::lookup(hStream, default_stream)?;
    let buffer = named(name)?;
    graphics::map(slice::from_ref(&buffer), &stream)?;
    let (base, bytes) = buffer.pointer()?;
    dptr.set_opt(base as CUdeviceptr)?;
    size.set_opt(bytes)
}

fn unmap(name: GLuint, hStream: CUstream) -> Result<()> {
    let buffer = named(name)?;
    let stream = stream::lookup(hStream, DefaultStream::Legacy)?;
    graphics::unmap(slice::from_ref(&buffer), &stream)
}

fn devices_of_context(
    pCudaDeviceCount: Out<c_uint>,
    pCudaDevices: Out<CUdevice>,
    cudaDeviceCount: c_uint,
    deviceList: CUGLDeviceList,
) -> Result<()> {
    if let Err(error) = current() {
        if gl::has_been_current() {
            pCudaDeviceCount.set_opt(0)?;
        }
        return Err(error);
    }
    pCudaDeviceCount.check()?;
    if cudaDeviceCount > 0 {
        pCudaDevices.check()?;
    }
    pCudaDeviceCount.set(0)?;
    refuse_if!(
        Error::INVALID_VALUE,
        !(CU_GL_DEVICE_LIST_ALL..=CU_GL_DEVICE_LIST_NEXT_FRAME).contains(&deviceList),
        "deviceList {:?} is not a CUGLDeviceList",
        deviceList
    );
    if cudaDeviceCount == 0 {
        return Ok(());
    }
    pCudaDevices.set(context::top_device().unwrap_or(0) as CUdevice)?;
    pCudaDeviceCount.set(1)
}

fn create(pCtx: Out<CUcontext>, flags: c_uint, device: CUdevice, api_version: u32) -> Result<()> {
    pCtx.check()?;
    refuse_if!(
        Error::INVALID_VALUE,
        !flag::valid(flags),
        "Flags {:#x} has unknown bits, or two ways of scheduling",
        flags
    );
    let device = devices::device(device)?;
    current()?;
    let context = context::Context::create(device, flags, api_version)?;
    pCtx.set(CUcontext(context.handle)).inspect_err(|_| context.end())?;
    context::push(context);
    Ok(())
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
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pCudaResource` is NULL, `buffer` is 0, or `Flags` are not those of a buffer;
/// `CUDA_ERROR_INVALID_HANDLE` if `buffer` is none; `CUDA_ERROR_OUT_OF_MEMORY` if it has no storage, or the device has no room for it.
/// Without a current OpenGL context (3.2, or OpenGL ES 3.0): `CUDA_ERROR_OPERATING_SYSTEM` where OpenGL is not loaded,
/// `CUDA_ERROR_INVALID_GRAPHICS_CONTEXT` where there was none, and then `CUDA_ERROR_INVALID_VALUE`.
///
/// Manual: OpenGL Interoperability.
#[entry(since = 3000)]
pub fn cuGraphicsGLRegisterBuffer(pCudaResource: Out<CUgraphicsResource>, buffer: GLuint, Flags: c_uint) -> Result<()> {
    /// `CU_GRAPHICS_REGISTER_FLAGS_READ_ONLY` and `_WRITE_DISCARD`.
    const KNOWN: u32 = 2;
    pCudaResource.check()?;
    refuse_if!(Error::INVALID_VALUE, buffer == 0, "buffer is 0");
    refuse_if!(Error::INVALID_VALUE, Flags > KNOWN, "Flags {:#x} are not those of a buffer", Flags);
    let (bytes, owner) = self::buffer(&current_again()?, buffer)?;
    let made = graphics::register(&context::current()?, Contents::Bytes(bytes), Flags, owner)?;
    pCudaResource.set(CUgraphicsResource(made.handle)).inspect_err(|_| {
        let _ = made.unregister();
    })
}

/// Shares an OpenGL texture or renderbuffer.
///
/// - `pCudaResource`: receives the resource.
/// - `image`: name of the texture or renderbuffer.
/// - `target`: what it is, such as `GL_TEXTURE_2D`.
/// - `Flags`: how it will be used, `CU_GRAPHICS_REGISTER_FLAGS_*`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pCudaResource` is NULL, `image` is 0 or has no storage, `target` or the texture's own is none
/// that can be shared, `Flags` has unknown bits, or the format or the number of samples cannot be shared; `CUDA_ERROR_INVALID_HANDLE` if it is the name of
/// nothing; without a current OpenGL context as for buffers; `CUDA_ERROR_NOT_SUPPORTED` if that is not of OpenGL 4.5, or for an image of 2 GiB and more;
/// `CUDA_ERROR_OUT_OF_MEMORY` if the device has no room for it.
///
/// Manual: OpenGL Interoperability.
#[entry(since = 3000)]
pub fn cuGraphicsGLRegisterImage(
    pCudaResource: Out<CUgraphicsResource>,
    image: GLuint,
    target: GLenum,
    Flags: c_uint,
) -> Result<()> {
    /// All of `CU_GRAPHICS_REGISTER_FLAGS_*`.
    const FLAGS: u32 = 0xF;
    pCudaResource.check()?;
    refuse_if!(Error::INVALID_VALUE, image == 0, "image is 0");
    refuse_if!(Error::INVALID_VALUE, Flags & !FLAGS != 0, "Flags {:#x} has unknown bits", Flags);
    refuse_if!(Error::INVALID_VALUE, !gl::is_image_target(target), "target {:#x} cannot be shared", target);
    let (contents, owner) = shared_image(&current_again()?, image, target, Flags)?;
    let usage = Flags & (graphics::READ_ONLY | graphics::WRITE_DISCARD);
    let made = graphics::register(&context::current()?, contents, usage, owner)?;
    pCudaResource.set(CUgraphicsResource(made.handle)).inspect_err(|_| {
        let _ = made.unregister();
    })
}

/// Lists the devices that drive the current OpenGL context: the calling thread's device, or the first one.
///
/// OpenGL on the CPU is as near to one emulated device as to another.
///
/// - `pCudaDeviceCount`: receives their number.
/// - `pCudaDevices`: receives up to `cudaDeviceCount` devices.
/// - `cudaDeviceCount`: room in the array.
/// - `deviceList`: which ones: of all frames, or of the current or the next one.
///
/// Errors: `CUDA_ERROR_OPERATING_SYSTEM` where OpenGL is not loaded; `CUDA_ERROR_INVALID_GRAPHICS_CONTEXT` without a current OpenGL context;
/// `CUDA_ERROR_INVALID_VALUE` if `deviceList` is none or a pointer that is needed is NULL.
///
/// Manual: OpenGL Interoperability.
#[entry(since = 6050, needs = init)]
pub fn cuGLGetDevices_v2(
    pCudaDeviceCount: Out<c_uint>,
    pCudaDevices: Out<CUdevice>,
    cudaDeviceCount: c_uint,
    deviceList: CUGLDeviceList,
) -> Result<()> {
    devices_of_context(pCudaDeviceCount, pCudaDevices, cudaDeviceCount, deviceList)
}

/// Lists the devices that drive the current OpenGL context: the calling thread's device, or the first one.
///
/// OpenGL on the CPU is as near to one emulated device as to another.
///
/// - `pCudaDeviceCount`: receives their number.
/// - `pCudaDevices`: receives up to `cudaDeviceCount` devices.
/// - `cudaDeviceCount`: room in the array.
/// - `deviceList`: which ones: of all frames, or of the current or the next one.
///
/// Errors: `CUDA_ERROR_OPERATING_SYSTEM` where OpenGL is not loaded; `CUDA_ERROR_INVALID_GRAPHICS_CONTEXT` without a current OpenGL context;
/// `CUDA_ERROR_INVALID_VALUE` if `deviceList` is none or a pointer that is needed is NULL.
///
/// Manual: OpenGL Interoperability.
#[entry(since = 4010, needs = init)]
pub fn cuGLGetDevices(
    pCudaDeviceCount: Out<c_uint>,
    pCudaDevices: Out<CUdevice>,
    cudaDeviceCount: c_uint,
    deviceList: CUGLDeviceList,
) -> Result<()> {
    devices_of_context(pCudaDeviceCount, pCudaDevices, cudaDeviceCount, deviceList)
}

/// Creates a context for use with OpenGL.
///
/// - `pCtx`: receives the context.
/// - `Flags`: `CU_CTX_*` bits.
/// - `device`: the device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pCtx` is NULL or `Flags` has unknown bits; `CUDA_ERROR_INVALID_DEVICE` if there is no such
/// device; `CUDA_ERROR_OPERATING_SYSTEM` where OpenGL is not loaded; `CUDA_ERROR_INVALID_GRAPHICS_CONTEXT` without a current context of it.
///
/// Manual: OpenGL Interoperability (deprecated).
#[entry(since = 3020, needs = init)]
pub fn cuGLCtxCreate_v2(pCtx: Out<CUcontext>, Flags: c_uint, device: CUdevice) -> Result<()> {
    create(pCtx, Flags, device, context::API_VERSION)
}

/// Creates a context of the first generation for use with OpenGL.
///
/// - `pCtx`: receives the context.
/// - `Flags`: `CU_CTX_*` bits.
/// - `device`: the device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pCtx` is NULL or `Flags` has unknown bits; `CUDA_ERROR_INVALID_DEVICE` if there is no such
/// device; `CUDA_ERROR_OPERATING_SYSTEM` where OpenGL is not loaded; `CUDA_ERROR_INVALID_GRAPHICS_CONTEXT` without a current context of it.
///
/// Manual: none, first generation.
#[entry(since = 2000, needs = init)]
pub fn cuGLCtxCreate(pCtx: Out<CUcontext>, Flags: c_uint, device: CUdevice) -> Result<()> {
    create(pCtx, Flags, device, context::FIRST_GENERATION)
}

/// Prepares OpenGL sharing; does nothing in today's drivers.
///
/// Errors: those of `cuGraphicsGLRegisterBuffer` without a current OpenGL context.
///
/// Manual: OpenGL Interoperability (deprecated).
#[entry(since = 2000)]
pub fn cuGLInit() -> Result<()> {
    current_again().map(drop)
}

/// Shares an OpenGL buffer object.
///
/// - `buffer`: name of the buffer.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `buffer` is none; `CUDA_ERROR_ALREADY_MAPPED` if it is shared already;
/// `CUDA_ERROR_OUT_OF_MEMORY` if it has no storage, or the device has no room for it; those of `cuGraphicsGLRegisterBuffer` without a current
/// OpenGL context.
///
/// Manual: OpenGL Interoperability (deprecated).
#[entry(since = 2000)]
pub fn cuGLRegisterBufferObject(buffer: GLuint) -> Result<()> {
    let (bytes, owner) = self::buffer(&current_again()?, buffer)?;
    let context = context::current()?;
    refuse_if!(Error::ALREADY_MAPPED, graphics::named(&context, buffer).is_ok(), "buffer {} is shared already", buffer);
    graphics::register_named(&context, bytes, buffer, owner).map(drop)
}

/// Maps a shared buffer object.
///
/// - `dptr`: receives the address.
/// - `size`: receives the size in bytes.
/// - `buffer`: name of the buffer.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `buffer` is not shared in this context; `CUDA_ERROR_ALREADY_MAPPED` if it is mapped;
/// `CUDA_ERROR_INVALID_GRAPHICS_CONTEXT` without a current OpenGL context that knows it; `CUDA_ERROR_UNKNOWN` if OpenGL does not give
/// its contents. The results are zeroed.
///
/// Manual: OpenGL Interoperability (deprecated).
#[entry(since = 3020, twin = "ptds", needs = nothing)]
pub fn cuGLMapBufferObject_v2(dptr: Out<CUdeviceptr>, size: Out<usize>, buffer: GLuint) -> Result<()> {
    map(dptr, size, buffer, CUstream::default(), default_stream)
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
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `buffer` is not shared in this context; `CUDA_ERROR_NOT_MAPPED` if it is not mapped;
/// `CUDA_ERROR_INVALID_GRAPHICS_CONTEXT` without a current OpenGL context that knows it; the asynchronous error of the context.
///
/// Manual: OpenGL Interoperability (deprecated).
#[entry(since = 2000)]
pub fn cuGLUnmapBufferObject(buffer: GLuint) -> Result<()> {
    unmap(buffer, CUstream::default())
}

/// Ends the sharing of a buffer object.
///
/// - `buffer`: name of the buffer.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `buffer` is not shared in this context; `CUDA_ERROR_INVALID_GRAPHICS_CONTEXT` without a current
/// OpenGL context; `CUDA_ERROR_ALREADY_MAPPED` if it is mapped, after which its name is forgotten.
///
/// Manual: OpenGL Interoperability (deprecated).
#[entry(since = 2000)]
pub fn cuGLUnregisterBufferObject(buffer: GLuint) -> Result<()> {
    let buffer = named(buffer)?;
    with_context()?;
    buffer.unregister_named()
}

/// Sets how the next mapping of a buffer object will be used.
///
/// - `buffer`: name of the buffer.
/// - `Flags`: read and written, only read, or only written.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `buffer` is not shared in this context or `Flags` are none; `CUDA_ERROR_ALREADY_MAPPED` if it is
/// mapped.
///
/// Manual: OpenGL Interoperability (deprecated).
#[entry(since = 2030)]
pub fn cuGLSetBufferObjectMapFlags(buffer: GLuint, Flags: c_uint) -> Result<()> {
    named(buffer)?.set_flags(Flags)
}

/// Maps a shared buffer object for use on a stream.
///
/// - `dptr`: receives the address.
/// - `size`: receives the size in bytes.
/// - `buffer`: name of the buffer.
/// - `hStream`: the stream.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream;
/// `CUDA_ERROR_INVALID_VALUE` if `buffer` is not shared in this context; `CUDA_ERROR_ALREADY_MAPPED` if it is mapped;
/// `CUDA_ERROR_INVALID_GRAPHICS_CONTEXT` without a current OpenGL context that knows it; `CUDA_ERROR_UNKNOWN` if OpenGL does not give
/// its contents. The results are zeroed.
///
/// Manual: OpenGL Interoperability (deprecated).
#[entry(since = 3020, twin = "ptsz", needs = nothing)]
pub fn cuGLMapBufferObjectAsync_v2(
    dptr: Out<CUdeviceptr>,
    size: Out<usize>,
    buffer: GLuint,
    hStream: CUstream,
) -> Result<()> {
    map(dptr, size, buffer, hStream, default_stream)
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
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `buffer` is not shared in this context; `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream;
/// `CUDA_ERROR_NOT_MAPPED` if it is not mapped; `CUDA_ERROR_INVALID_GRAPHICS_CONTEXT` without a current OpenGL context that knows it;
/// the asynchronous error of the context.
///
/// Manual: OpenGL Interoperability (deprecated).
#[entry(since = 2030)]
pub fn cuGLUnmapBufferObjectAsync(buffer: GLuint, hStream: CUstream) -> Result<()> {
    unmap(buffer, hStream)
}
