//! Stream Management (capture).

#![allow(non_snake_case)]

use super::ptr::{In, InMut, Out};
use super::types::{
    CUgraph, CUgraphEdgeData, CUgraphNode, CUgraphRecaptureCallback, CUstream, CUstreamCaptureMode,
    CUstreamCaptureStatus, CUstreamCigCaptureParams, cuuint64_t,
};
use crate::error::Result;
use api_macro::entry;
use core::ffi::{c_uint, c_void};

/// Starts recording a stream for a graphics queue (CUDA in Graphics).
#[entry(since = 13010, twin = "ptsz")]
pub fn cuStreamBeginCaptureToCig(
    hStream: CUstream,
    streamCigCaptureParams: InMut<CUstreamCigCaptureParams>,
) -> Result<()>;

/// Ends a recording for a graphics queue.
#[entry(since = 13010, twin = "ptsz")]
pub fn cuStreamEndCaptureToCig(hStream: CUstream) -> Result<()>;

/// Starts recording the stream's work into a graph, in a given mode.
#[entry(since = 10010, twin = "ptsz")]
pub fn cuStreamBeginCapture_v2(hStream: CUstream, mode: CUstreamCaptureMode) -> Result<()>;

/// First form of [`cuStreamBeginCapture_v2`]: the mode is always global.
#[entry(since = 10000, twin = "ptsz")]
pub fn cuStreamBeginCapture(hStream: CUstream) -> Result<()>;

/// Starts recording over an existing graph, with a callback for each node.
#[entry(since = 13030, twin = "ptsz")]
pub fn cuStreamBeginRecaptureToGraph(
    hStream: CUstream,
    mode: CUstreamCaptureMode,
    hGraph: CUgraph,
    callbackFunc: CUgraphRecaptureCallback,
    userData: *mut c_void,
) -> Result<()>;

/// Starts recording the stream's work into an existing graph.
#[entry(since = 12030, twin = "ptsz")]
pub fn cuStreamBeginCaptureToGraph(
    hStream: CUstream,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    dependencyData: In<CUgraphEdgeData>,
    numDependencies: usize,
    mode: CUstreamCaptureMode,
) -> Result<()>;

/// Ends a recording and hands out the graph.
#[entry(since = 10000, twin = "ptsz")]
pub fn cuStreamEndCapture(hStream: CUstream, phGraph: Out<CUgraph>) -> Result<()>;

/// Tells whether a stream is recording.
#[entry(since = 10000, twin = "ptsz")]
pub fn cuStreamIsCapturing(hStream: CUstream, captureStatus: Out<CUstreamCaptureStatus>) -> Result<()>;

/// Reports state, graph, and next dependencies with their edge data of a recording.
#[entry(since = 12030, twin = "ptsz")]
pub fn cuStreamGetCaptureInfo_v3(
    hStream: CUstream,
    captureStatus_out: Out<CUstreamCaptureStatus>,
    id_out: Out<cuuint64_t>,
    graph_out: Out<CUgraph>,
    dependencies_out: Out<*const CUgraphNode>,
    edgeData_out: Out<*const CUgraphEdgeData>,
    numDependencies_out: Out<usize>,
) -> Result<()>;

/// Reports state, graph and next dependencies of a recording.
#[entry(since = 11030, twin = "ptsz")]
pub fn cuStreamGetCaptureInfo_v2(
    hStream: CUstream,
    captureStatus_out: Out<CUstreamCaptureStatus>,
    id_out: Out<cuuint64_t>,
    graph_out: Out<CUgraph>,
    dependencies_out: Out<*const CUgraphNode>,
    numDependencies_out: Out<usize>,
) -> Result<()>;

/// Reports state and identifier of a recording.
#[entry(since = 10010, twin = "ptsz")]
pub fn cuStreamGetCaptureInfo(
    hStream: CUstream,
    captureStatus_out: Out<CUstreamCaptureStatus>,
    id_out: Out<cuuint64_t>,
) -> Result<()>;

/// Changes what the next recorded node depends on, with edge data.
#[entry(since = 12030, twin = "ptsz")]
pub fn cuStreamUpdateCaptureDependencies_v2(
    hStream: CUstream,
    dependencies: InMut<CUgraphNode>,
    dependencyData: In<CUgraphEdgeData>,
    numDependencies: usize,
    flags: c_uint,
) -> Result<()>;

/// Changes what the next recorded node depends on.
#[entry(since = 11030, twin = "ptsz")]
pub fn cuStreamUpdateCaptureDependencies(
    hStream: CUstream,
    dependencies: InMut<CUgraphNode>,
    numDependencies: usize,
    flags: c_uint,
) -> Result<()>;
