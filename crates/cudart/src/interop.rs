//! OpenGL, EGL and VDPAU: what the driver says, which has none of them unless it is a real one on a machine that does.

use crate::context;
use crate::driver as drv;
use crate::error::{Error, Result};
use crate::types::{Address, DriverEglFrame, EglFrame, EglPlane, Handle, NULL, PitchedPtr};
use crate::user;
use core::ffi::{c_int, c_uint, c_void};

/// `cudaEglFrameTypeArray`; the other one is `cudaEglFrameTypePitch`.
const ARRAY: c_uint = 0;

/// The driver's description of a frame, which tells about the first plane alone.
fn driver_frame(frame: &EglFrame) -> Result<DriverEglFrame> {
    let mut d = DriverEglFrame::zero();
    let plane = frame.planes[0];
    if frame.count == 0 || frame.count as usize > d.pointers.len() {
        return Err(Error::INVALID_VALUE);
    }
    for (i, pointer) in d.pointers.iter_mut().enumerate().take(frame.count as usize) {
        // Arrays are a list of handles; memory is a list of pitched pointers.
        *pointer =
            if frame.kind == ARRAY { frame.pointers[i] } else { frame.pointers[i * size_of::<PitchedPtr>() / 8] };
    }
    let (format, _) = crate::array::driver_format(plane.format)?;
    (d.width, d.height, d.depth, d.pitch) = (plane.width, plane.height, plane.depth, plane.pitch);
    (d.planes, d.channels, d.kind, d.color, d.format) = (frame.count, plane.channels, frame.kind, frame.color, format);
    Ok(d)
}

/// The runtime's description of a frame of one plane. What the others are like the driver does not say.
fn runtime_frame(d: &DriverEglFrame) -> Result<EglFrame> {
    let mut frame = EglFrame::zero();
    if d.planes != 1 {
        return Err(Error::NOT_SUPPORTED);
    }
    frame.pointers[0] = d.pointers[0];
    if d.kind != ARRAY {
        (frame.pointers[1], frame.pointers[2], frame.pointers[3]) =
            (d.pitch as usize, d.width as usize, d.height as usize);
    }
    let format = crate::array::channel_format(d.format, d.channels)?;
    frame.planes[0] = EglPlane {
        width: d.width,
        height: d.height,
        depth: d.depth,
        pitch: d.pitch,
        channels: d.channels,
        format,
        reserved: [0; 4],
    };
    (frame.count, frame.kind, frame.color) = (d.planes, d.kind, d.color);
    Ok(frame)
}

api! {
    /// The devices that draw for the current context of OpenGL.
    fn cudaGLGetDevices(count: *mut c_uint, devices: *mut c_int, room: c_uint, list: c_uint) {
        drv::cuGLGetDevices_v2(count, devices, room, list)
    }

    /// Registers a texture or a render buffer.
    fn cudaGraphicsGLRegisterImage(resource: *mut Handle, image: c_uint, target: c_uint, flags: c_uint) {
        drv::cuGraphicsGLRegisterImage(resource, image, target, flags)
    }

    /// Registers a buffer.
    fn cudaGraphicsGLRegisterBuffer(resource: *mut Handle, buffer: c_uint, flags: c_uint) {
        drv::cuGraphicsGLRegisterBuffer(resource, buffer, flags)
    }

    /// Chooses the device, which needs nothing of OpenGL since CUDA 5.
    #[bare]
    fn cudaGLSetGLDevice(device: c_int) {
        context::set_device(device)
    }

    /// Registers a buffer, in the way of before CUDA 3.
    fn cudaGLRegisterBufferObject(buffer: c_uint) {
        drv::cuGLRegisterBufferObject(buffer)
    }

    /// Maps a buffer.
    fn cudaGLMapBufferObject(ptr: *mut *mut c_void, buffer: c_uint) {
        map(ptr, |address, size| drv::cuGLMapBufferObject_v2(address, size, buffer))
    }

    /// Unmaps a buffer.
    fn cudaGLUnmapBufferObject(buffer: c_uint) {
        drv::cuGLUnmapBufferObject(buffer)
    }

    /// Forgets a buffer.
    fn cudaGLUnregisterBufferObject(buffer: c_uint) {
        drv::cuGLUnregisterBufferObject(buffer)
    }

    /// Says how a buffer will be used.
    fn cudaGLSetBufferObjectMapFlags(buffer: c_uint, flags: c_uint) {
        drv::cuGLSetBufferObjectMapFlags(buffer, flags)
    }

    /// Maps a buffer, in the order of a stream.
    fn cudaGLMapBufferObjectAsync(ptr: *mut *mut c_void, buffer: c_uint, stream: Handle) {
        map(ptr, |address, size| drv::cuGLMapBufferObjectAsync_v2(address, size, buffer, stream))
    }

    /// Unmaps a buffer, in the order of a stream.
    fn cudaGLUnmapBufferObjectAsync(buffer: c_uint, stream: Handle) {
        drv::cuGLUnmapBufferObjectAsync(buffer, stream)
    }

    /// Registers an image.
    fn cudaGraphicsEGLRegisterImage(resource: *mut Handle, image: Handle, flags: c_uint) {
        drv::cuGraphicsEGLRegisterImage(resource, image, flags)
    }

    /// Connects a consumer to a stream of images.
    fn cudaEGLStreamConsumerConnect(connection: *mut Handle, stream: Handle) {
        drv::cuEGLStreamConsumerConnect(connection, stream)
    }

    /// The same for arrays or for memory.
    fn cudaEGLStreamConsumerConnectWithFlags(connection: *mut Handle, stream: Handle, flags: c_uint) {
        drv::cuEGLStreamConsumerConnectWithFlags(connection, stream, flags)
    }

    /// Disconnects a consumer.
    fn cudaEGLStreamConsumerDisconnect(connection: *mut Handle) {
        drv::cuEGLStreamConsumerDisconnect(connection)
    }

    /// Takes a frame.
    fn cudaEGLStreamConsumerAcquireFrame(
        connection: *mut Handle, resource: *mut Handle, stream: *mut Handle, timeout: c_uint,
    ) {
        drv::cuEGLStreamConsumerAcquireFrame(connection, resource, stream, timeout)
    }

    /// Gives a frame back.
    fn cudaEGLStreamConsumerReleaseFrame(connection: *mut Handle, resource: Handle, stream: *mut Handle) {
        drv::cuEGLStreamConsumerReleaseFrame(connection, resource, stream)
    }

    /// Connects a producer.
    fn cudaEGLStreamProducerConnect(connection: *mut Handle, stream: Handle, width: c_int, height: c_int) {
        drv::cuEGLStreamProducerConnect(connection, stream, width, height)
    }

    /// Disconnects a producer.
    fn cudaEGLStreamProducerDisconnect(connection: *mut Handle) {
        drv::cuEGLStreamProducerDisconnect(connection)
    }

    /// Presents a frame.
    fn cudaEGLStreamProducerPresentFrame(connection: *mut Handle, frame: EglFrame, stream: *mut Handle) {
        drv::cuEGLStreamProducerPresentFrame(connection, driver_frame(&frame)?, stream)
    }

    /// Takes a frame back.
    fn cudaEGLStreamProducerReturnFrame(connection: *mut Handle, frame: *mut EglFrame, stream: *mut Handle) {
        let mut d = DriverEglFrame::zero();
        drv::cuEGLStreamProducerReturnFrame(connection, if frame.is_null() { NULL } else { (&raw mut d).cast() }, stream)?;
        user::write(frame, runtime_frame(&d)?)
    }

    /// The frame of a registered image.
    fn cudaGraphicsResourceGetMappedEglFrame(
        frame: *mut EglFrame, resource: Handle, index: c_uint, level: c_uint,
    ) {
        let mut d = DriverEglFrame::zero();
        drv::cuGraphicsResourceGetMappedEglFrame(
            if frame.is_null() { NULL } else { (&raw mut d).cast() }, resource, index, level,
        )?;
        user::write(frame, runtime_frame(&d)?)
    }

    /// An event of a sync object.
    fn cudaEventCreateFromEGLSync(event: *mut Handle, sync: Handle, flags: c_uint) {
        drv::cuEventCreateFromEGLSync(event, sync, flags)
    }

    /// The device that shows what VDPAU decodes.
    fn cudaVDPAUGetDevice(device: *mut c_int, vdp: c_uint, find: *mut c_void) {
        drv::cuVDPAUGetDevice(device, vdp, find)
    }

    /// Makes a context that works with VDPAU on a device, and makes it current.
    #[bare]
    fn cudaVDPAUSetVDPAUDevice(device: c_int, vdp: c_uint, find: *mut c_void) {
        context::check_device(device)?;
        let mut context: Handle = NULL;
        drv::cuVDPAUCtxCreate_v2(&raw mut context, 0u32, device, vdp, find)
    }

    /// Registers a surface of video.
    fn cudaGraphicsVDPAURegisterVideoSurface(resource: *mut Handle, surface: c_uint, flags: c_uint) {
        drv::cuGraphicsVDPAURegisterVideoSurface(resource, surface, flags)
    }

    /// Registers a surface of output.
    fn cudaGraphicsVDPAURegisterOutputSurface(resource: *mut Handle, surface: c_uint, flags: c_uint) {
        drv::cuGraphicsVDPAURegisterOutputSurface(resource, surface, flags)
    }
}

/// Maps a buffer of OpenGL; the runtime does not tell its size.
fn map(ptr: *mut *mut c_void, by: impl FnOnce(*mut Address, *mut usize) -> Result) -> Result {
    let (mut address, mut size) = (0, 0);
    if ptr.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    by(&raw mut address, &raw mut size)?;
    user::write(ptr.cast::<Address>(), address)
}
