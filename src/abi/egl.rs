//! EGL Interoperability.

#![allow(non_snake_case)]

use super::ptr::{InMut, Out};
use super::types::{
    CUeglFrame, CUeglStreamConnection, CUevent, CUgraphicsResource, CUstream, EGLImageKHR, EGLStreamKHR, EGLSyncKHR,
    EGLint,
};
use api_macro::entry;
use core::ffi::c_uint;
use error::Result;

/// Shares an EGL image.
///
/// - `pCudaResource`: receives the resource.
/// - `image`: the image.
/// - `flags`: how it will be used.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: EGL Interoperability.
#[entry(since = 7000)]
pub fn cuGraphicsEGLRegisterImage(
    pCudaResource: Out<CUgraphicsResource>,
    image: EGLImageKHR,
    flags: c_uint,
) -> Result<()>;

/// Connects as the consumer of an EGL stream.
///
/// - `conn`: receives the connection.
/// - `stream`: the EGL stream.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: EGL Interoperability.
#[entry(since = 7000)]
pub fn cuEGLStreamConsumerConnect(conn: Out<CUeglStreamConnection>, stream: EGLStreamKHR) -> Result<()>;

/// Connects as the consumer of an EGL stream and says where frames shall lie.
///
/// - `conn`: receives the connection.
/// - `stream`: the EGL stream.
/// - `flags`: where frames lie: device or system memory.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: EGL Interoperability.
#[entry(since = 8000)]
pub fn cuEGLStreamConsumerConnectWithFlags(
    conn: Out<CUeglStreamConnection>,
    stream: EGLStreamKHR,
    flags: c_uint,
) -> Result<()>;

/// Ends the connection of a consumer.
///
/// - `conn`: the connection.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: EGL Interoperability.
#[entry(since = 7000)]
pub fn cuEGLStreamConsumerDisconnect(conn: InMut<CUeglStreamConnection>) -> Result<()>;

/// Takes the next frame from an EGL stream.
///
/// - `conn`: the connection.
/// - `pCudaResource`: receives the frame's resource.
/// - `pStream`: the stream on which the frame is used, or NULL.
/// - `timeout`: how long to wait, in microseconds.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: EGL Interoperability.
#[entry(since = 7000)]
pub fn cuEGLStreamConsumerAcquireFrame(
    conn: InMut<CUeglStreamConnection>,
    pCudaResource: Out<CUgraphicsResource>,
    pStream: InMut<CUstream>,
    timeout: c_uint,
) -> Result<()>;

/// Gives a frame back to an EGL stream.
///
/// - `conn`: the connection.
/// - `pCudaResource`: the frame's resource.
/// - `pStream`: the stream on which the frame is used, or NULL.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: EGL Interoperability.
#[entry(since = 7000)]
pub fn cuEGLStreamConsumerReleaseFrame(
    conn: InMut<CUeglStreamConnection>,
    pCudaResource: CUgraphicsResource,
    pStream: InMut<CUstream>,
) -> Result<()>;

/// Connects as the producer of an EGL stream.
///
/// - `conn`: receives the connection.
/// - `stream`: the EGL stream.
/// - `width`: width of frames in pixels.
/// - `height`: height of frames in pixels.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: EGL Interoperability.
#[entry(since = 7000)]
pub fn cuEGLStreamProducerConnect(
    conn: Out<CUeglStreamConnection>,
    stream: EGLStreamKHR,
    width: EGLint,
    height: EGLint,
) -> Result<()>;

/// Ends the connection of a producer.
///
/// - `conn`: the connection.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: EGL Interoperability.
#[entry(since = 7000)]
pub fn cuEGLStreamProducerDisconnect(conn: InMut<CUeglStreamConnection>) -> Result<()>;

/// Hands a frame to an EGL stream.
///
/// - `conn`: the connection.
/// - `eglframe`: the frame.
/// - `pStream`: the stream on which the frame is used, or NULL.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: EGL Interoperability.
#[entry(since = 7000)]
pub fn cuEGLStreamProducerPresentFrame(
    conn: InMut<CUeglStreamConnection>,
    eglframe: CUeglFrame,
    pStream: InMut<CUstream>,
) -> Result<()>;

/// Takes back a frame that the consumer has released.
///
/// - `conn`: the connection.
/// - `eglframe`: receives the frame.
/// - `pStream`: the stream on which the frame is used, or NULL.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: EGL Interoperability.
#[entry(since = 7000)]
pub fn cuEGLStreamProducerReturnFrame(
    conn: InMut<CUeglStreamConnection>,
    eglframe: Out<CUeglFrame>,
    pStream: InMut<CUstream>,
) -> Result<()>;

/// Describes the frame behind a mapped resource.
///
/// - `eglFrame`: receives the frame.
/// - `resource`: the resource.
/// - `index`: number of the layer or face.
/// - `mipLevel`: number of the mip level.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: EGL Interoperability.
#[entry(since = 7000)]
pub fn cuGraphicsResourceGetMappedEglFrame(
    eglFrame: Out<CUeglFrame>,
    resource: CUgraphicsResource,
    index: c_uint,
    mipLevel: c_uint,
) -> Result<()>;

/// Makes an event out of an EGL sync object.
///
/// - `phEvent`: receives the event.
/// - `eglSync`: the sync object.
/// - `flags`: `CU_EVENT_*` bits.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: EGL Interoperability.
#[entry(since = 9000, lookup = false)]
pub fn cuEventCreateFromEGLSync(phEvent: Out<CUevent>, eglSync: EGLSyncKHR, flags: c_uint) -> Result<()>;

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
#[entry(since = 2000, needs = init, header = false, lookup = false)]
pub fn cuEGLApiInit(a0: usize, a1: usize, a2: usize, a3: usize, a4: usize, a5: usize) -> Result<()>;
