//! EGL Interoperability.
//!
//! There is no EGL on this device. All answers are those of the real driver where no EGL display is. Mesa's EGL changes nothing: it
//! has no streams, and exports the memory of no image on the CPU, which programs use without mapping it (`tests/graphics/egl.c`).

#![allow(non_snake_case)]

use super::ptr::{InMut, Out};
use super::types::{
    CU_EVENT_BLOCKING_SYNC, CU_EVENT_DEFAULT, CUeglFrame, CUeglStreamConnection, CUevent, CUgraphicsResource, CUstream,
    EGLImageKHR, EGLStreamKHR, EGLSyncKHR, EGLint,
};
use api_macro::entry;
use core::ffi::c_uint;
use device::array::graphics;
use error::{Error, Result, refuse, refuse_if};

fn no_egl() -> Error {
    refuse!(Error::UNKNOWN, "there is no EGL on this device")
}

/// What is looked at first when something connects to a stream: then whether the driver is ready.
fn connect(conn: Out<CUeglStreamConnection>, stream: EGLStreamKHR) -> Result<()> {
    refuse_if!(Error::INVALID_HANDLE, stream.is_null(), "stream is NULL");
    device::initialized().and_then(|()| device::require_context())?;
    conn.check()?;
    Err(no_egl())
}

/// Why a connection is none; `missing`: something else is NULL.
fn not_connected(conn: InMut<CUeglStreamConnection>, missing: bool) -> Error {
    match conn.get() {
        Ok(connection) if connection.0 != 0 && !missing => {
            refuse!(Error::INVALID_VALUE, "conn is not connected: there is no EGL on this device")
        }
        _ => refuse!(Error::INVALID_HANDLE, "conn, what it points to, or another argument is NULL"),
    }
}

/// Shares an EGL image.
///
/// - `pCudaResource`: receives the resource.
/// - `image`: the image.
/// - `flags`: how it will be used.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pCudaResource` is NULL or `flags` are unknown; else `CUDA_ERROR_UNKNOWN`: there is no EGL on this
/// device.
///
/// Manual: EGL Interoperability.
#[entry(
    since = 7000,
    status = "refused: images are used without being mapped, and EGL on the CPU (Mesa) lets nobody have their memory; the answer is driver 580's where no EGL display is"
)]
pub fn cuGraphicsEGLRegisterImage(
    pCudaResource: Out<CUgraphicsResource>,
    image: EGLImageKHR,
    flags: c_uint,
) -> Result<()> {
    /// `CU_GRAPHICS_REGISTER_FLAGS_READ_ONLY` and `_WRITE_DISCARD`.
    const KNOWN: u32 = 2;
    let _ = image;
    pCudaResource.check()?;
    refuse_if!(Error::INVALID_VALUE, flags > KNOWN, "flags {:#x} are not those of an image", flags);
    Err(no_egl())
}

/// Connects as the consumer of an EGL stream.
///
/// - `conn`: receives the connection.
/// - `stream`: the EGL stream.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `stream` is NULL; `CUDA_ERROR_INVALID_VALUE` if `conn` is; else `CUDA_ERROR_UNKNOWN`: there is no
/// EGL on this device.
///
/// Manual: EGL Interoperability.
#[entry(since = 7000, needs = nothing, status = "refused: EGL on the CPU (Mesa) makes no streams; the answer is driver 580's where no EGL display is")]
pub fn cuEGLStreamConsumerConnect(conn: Out<CUeglStreamConnection>, stream: EGLStreamKHR) -> Result<()> {
    connect(conn, stream)
}

/// Connects as the consumer of an EGL stream and says where frames shall lie.
///
/// - `conn`: receives the connection.
/// - `stream`: the EGL stream.
/// - `flags`: where frames lie: device or system memory.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `stream` is NULL; `CUDA_ERROR_INVALID_VALUE` if `conn` is; else `CUDA_ERROR_UNKNOWN`: there is no
/// EGL on this device.
///
/// Manual: EGL Interoperability.
#[entry(since = 8000, needs = nothing, status = "refused: EGL on the CPU (Mesa) makes no streams; the answer is driver 580's where no EGL display is")]
pub fn cuEGLStreamConsumerConnectWithFlags(
    conn: Out<CUeglStreamConnection>,
    stream: EGLStreamKHR,
    flags: c_uint,
) -> Result<()> {
    let _ = flags;
    connect(conn, stream)
}

/// Ends the connection of a consumer.
///
/// - `conn`: the connection.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `conn` or what it points to is NULL; else `CUDA_ERROR_INVALID_VALUE`: nothing is connected.
///
/// Manual: EGL Interoperability.
#[entry(since = 7000, needs = nothing, status = "refused: EGL on the CPU (Mesa) makes no streams, so that nothing can be connected; the answer is driver 580's for what is not")]
pub fn cuEGLStreamConsumerDisconnect(conn: InMut<CUeglStreamConnection>) -> Result<()> {
    Err(not_connected(conn, false))
}

/// Takes the next frame from an EGL stream.
///
/// - `conn`: the connection.
/// - `pCudaResource`: receives the frame's resource.
/// - `pStream`: the stream on which the frame is used, or NULL.
/// - `timeout`: how long to wait, in microseconds.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `conn`, what it points to, or `pCudaResource` is NULL; else `CUDA_ERROR_INVALID_VALUE`: nothing is connected.
///
/// Manual: EGL Interoperability.
#[entry(since = 7000, needs = nothing, status = "refused: EGL on the CPU (Mesa) makes no streams, so that nothing can be connected; the answer is driver 580's for what is not")]
pub fn cuEGLStreamConsumerAcquireFrame(
    conn: InMut<CUeglStreamConnection>,
    pCudaResource: Out<CUgraphicsResource>,
    pStream: InMut<CUstream>,
    timeout: c_uint,
) -> Result<()> {
    let _ = (pStream, timeout);
    Err(not_connected(conn, pCudaResource.is_null()))
}

/// Gives a frame back to an EGL stream.
///
/// - `conn`: the connection.
/// - `pCudaResource`: the frame's resource.
/// - `pStream`: the stream on which the frame is used, or NULL.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `conn`, what it points to, or `pCudaResource` is NULL; else `CUDA_ERROR_INVALID_VALUE`: nothing is connected.
///
/// Manual: EGL Interoperability.
#[entry(since = 7000, needs = nothing, status = "refused: EGL on the CPU (Mesa) makes no streams, so that nothing can be connected; the answer is driver 580's for what is not")]
pub fn cuEGLStreamConsumerReleaseFrame(
    conn: InMut<CUeglStreamConnection>,
    pCudaResource: CUgraphicsResource,
    pStream: InMut<CUstream>,
) -> Result<()> {
    let _ = pStream;
    Err(not_connected(conn, pCudaResource.0 == 0))
}

/// Connects as the producer of an EGL stream.
///
/// - `conn`: receives the connection.
/// - `stream`: the EGL stream.
/// - `width`: width of frames in pixels.
/// - `height`: height of frames in pixels.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `stream` is NULL; `CUDA_ERROR_INVALID_VALUE` if `conn` is; else `CUDA_ERROR_UNKNOWN`: there is no
/// EGL on this device.
///
/// Manual: EGL Interoperability.
#[entry(since = 7000, needs = nothing, status = "refused: EGL on the CPU (Mesa) makes no streams; the answer is driver 580's where no EGL display is")]
pub fn cuEGLStreamProducerConnect(
    conn: Out<CUeglStreamConnection>,
    stream: EGLStreamKHR,
    width: EGLint,
    height: EGLint,
) -> Result<()> {
    let _ = (width, height);
    connect(conn, stream)
}

/// Ends the connection of a producer.
///
/// - `conn`: the connection.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `conn` or what it points to is NULL; else `CUDA_ERROR_INVALID_VALUE`: nothing is connected.
///
/// Manual: EGL Interoperability.
#[entry(since = 7000, needs = nothing, status = "refused: EGL on the CPU (Mesa) makes no streams, so that nothing can be connected; the answer is driver 580's for what is not")]
pub fn cuEGLStreamProducerDisconnect(conn: InMut<CUeglStreamConnection>) -> Result<()> {
    Err(not_connected(conn, false))
}

/// Hands a frame to an EGL stream.
///
/// - `conn`: the connection.
/// - `eglframe`: the frame.
/// - `pStream`: the stream on which the frame is used, or NULL.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `conn` or what it points to is NULL; else `CUDA_ERROR_INVALID_VALUE`: nothing is connected.
///
/// Manual: EGL Interoperability.
#[entry(since = 7000, needs = nothing, status = "refused: EGL on the CPU (Mesa) makes no streams, so that nothing can be connected; the answer is driver 580's for what is not")]
pub fn cuEGLStreamProducerPresentFrame(
    conn: InMut<CUeglStreamConnection>,
    eglframe: CUeglFrame,
    pStream: InMut<CUstream>,
) -> Result<()> {
    let _ = (eglframe, pStream);
    Err(not_connected(conn, false))
}

/// Takes back a frame that the consumer has released.
///
/// - `conn`: the connection.
/// - `eglframe`: receives the frame.
/// - `pStream`: the stream on which the frame is used, or NULL.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `conn`, what it points to, or `eglframe` is NULL; else `CUDA_ERROR_INVALID_VALUE`: nothing is connected.
///
/// Manual: EGL Interoperability.
#[entry(since = 7000, needs = nothing, status = "refused: EGL on the CPU (Mesa) makes no streams, so that nothing can be connected; the answer is driver 580's for what is not")]
pub fn cuEGLStreamProducerReturnFrame(
    conn: InMut<CUeglStreamConnection>,
    eglframe: Out<CUeglFrame>,
    pStream: InMut<CUstream>,
) -> Result<()> {
    let _ = pStream;
    Err(not_connected(conn, eglframe.is_null()))
}

/// Describes the frame behind a mapped resource.
///
/// - `eglFrame`: receives the frame.
/// - `resource`: the resource.
/// - `index`: number of the layer or face.
/// - `mipLevel`: number of the mip level.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `resource` is none; `CUDA_ERROR_INVALID_VALUE`: it is not one of EGL.
///
/// Manual: EGL Interoperability.
#[entry(since = 7000, needs = init, status = "refused: no image or frame of EGL can be registered; of other resources the answer is driver 580's")]
pub fn cuGraphicsResourceGetMappedEglFrame(
    eglFrame: Out<CUeglFrame>,
    resource: CUgraphicsResource,
    index: c_uint,
    mipLevel: c_uint,
) -> Result<()> {
    let _ = (eglFrame, index, mipLevel);
    graphics::find(resource.0)?;
    Err(refuse!(Error::INVALID_VALUE, "resource {:#x} is not an image of EGL", resource.0))
}

/// Makes an event out of an EGL sync object.
///
/// - `phEvent`: receives the event.
/// - `eglSync`: the sync object.
/// - `flags`: `CU_EVENT_*` bits.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `phEvent` is NULL or `flags` has unknown bits; else
/// `CUDA_ERROR_NOT_SUPPORTED`: there is no EGL on this device.
///
/// Manual: EGL Interoperability.
#[entry(since = 9000, lookup = false, status = "refused: driver 580 does not export it on x86-64")]
pub fn cuEventCreateFromEGLSync(phEvent: Out<CUevent>, eglSync: EGLSyncKHR, flags: c_uint) -> Result<()> {
    phEvent.check()?;
    let known = CU_EVENT_DEFAULT.0 | CU_EVENT_BLOCKING_SYNC.0;
    refuse_if!(Error::INVALID_VALUE, flags & !known != 0, "flags {:#x} has unknown bits", flags);
    let _ = eglSync;
    Err(refuse!(Error::NOT_SUPPORTED, "eglSync: there is no EGL on this device"))
}

/// Prepares the EGL entry points.
///
/// - `a0`: unknown; ignored.
/// - `a1`: unknown; ignored.
/// - `a2`: unknown; ignored.
/// - `a3`: unknown; ignored.
/// - `a4`: unknown; ignored.
/// - `a5`: unknown; ignored.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: none, private.
#[entry(
    since = 2000,
    needs = init,
    header = false,
    lookup = false,
    status = "not implemented: hands NVIDIA's EGL a table of private functions, and crashes on NULL (driver 580, asked on an H100)"
)]
pub fn cuEGLApiInit(a0: usize, a1: usize, a2: usize, a3: usize, a4: usize, a5: usize) -> Result<()>;
