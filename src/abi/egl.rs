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
#[entry(since = 7000)]
pub fn cuGraphicsEGLRegisterImage(
    pCudaResource: Out<CUgraphicsResource>,
    image: EGLImageKHR,
    flags: c_uint,
) -> Result<()>;

/// Connects as the consumer of an EGL stream.
#[entry(since = 7000)]
pub fn cuEGLStreamConsumerConnect(conn: Out<CUeglStreamConnection>, stream: EGLStreamKHR) -> Result<()>;

/// Connects as the consumer of an EGL stream and says where frames shall lie.
#[entry(since = 8000)]
pub fn cuEGLStreamConsumerConnectWithFlags(
    conn: Out<CUeglStreamConnection>,
    stream: EGLStreamKHR,
    flags: c_uint,
) -> Result<()>;

/// Ends the connection of a consumer.
#[entry(since = 7000)]
pub fn cuEGLStreamConsumerDisconnect(conn: InMut<CUeglStreamConnection>) -> Result<()>;

/// Takes the next frame from an EGL stream.
#[entry(since = 7000)]
pub fn cuEGLStreamConsumerAcquireFrame(
    conn: InMut<CUeglStreamConnection>,
    pCudaResource: Out<CUgraphicsResource>,
    pStream: InMut<CUstream>,
    timeout: c_uint,
) -> Result<()>;

/// Gives a frame back to an EGL stream.
#[entry(since = 7000)]
pub fn cuEGLStreamConsumerReleaseFrame(
    conn: InMut<CUeglStreamConnection>,
    pCudaResource: CUgraphicsResource,
    pStream: InMut<CUstream>,
) -> Result<()>;

/// Connects as the producer of an EGL stream.
#[entry(since = 7000)]
pub fn cuEGLStreamProducerConnect(
    conn: Out<CUeglStreamConnection>,
    stream: EGLStreamKHR,
    width: EGLint,
    height: EGLint,
) -> Result<()>;

/// Ends the connection of a producer.
#[entry(since = 7000)]
pub fn cuEGLStreamProducerDisconnect(conn: InMut<CUeglStreamConnection>) -> Result<()>;

/// Hands a frame to an EGL stream.
#[entry(since = 7000)]
pub fn cuEGLStreamProducerPresentFrame(
    conn: InMut<CUeglStreamConnection>,
    eglframe: CUeglFrame,
    pStream: InMut<CUstream>,
) -> Result<()>;

/// Takes back a frame that the consumer has released.
#[entry(since = 7000)]
pub fn cuEGLStreamProducerReturnFrame(
    conn: InMut<CUeglStreamConnection>,
    eglframe: Out<CUeglFrame>,
    pStream: InMut<CUstream>,
) -> Result<()>;

/// Describes the frame behind a mapped resource.
#[entry(since = 7000)]
pub fn cuGraphicsResourceGetMappedEglFrame(
    eglFrame: Out<CUeglFrame>,
    resource: CUgraphicsResource,
    index: c_uint,
    mipLevel: c_uint,
) -> Result<()>;

/// Makes an event out of an EGL sync object.
#[entry(since = 9000, lookup = false)]
pub fn cuEventCreateFromEGLSync(phEvent: Out<CUevent>, eglSync: EGLSyncKHR, flags: c_uint) -> Result<()>;

/// Private; prepares the EGL entry points.
#[entry(since = 2000, needs = init, header = false, lookup = false)]
pub fn cuEGLApiInit(a0: usize, a1: usize, a2: usize, a3: usize, a4: usize, a5: usize) -> Result<()>;
