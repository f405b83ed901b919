//! Stream Management (capture).

#![allow(non_snake_case)]

use super::DefaultStream;
use super::graph_params::with_data;
use super::ptr::{In, InMut, Out};
use super::stream::lookup;
use super::types::CUstreamUpdateCaptureDependencies_flags;
use super::types::{
    CU_STREAM_ADD_CAPTURE_DEPENDENCIES, CU_STREAM_CAPTURE_MODE_GLOBAL, CU_STREAM_CAPTURE_MODE_RELAXED,
    CU_STREAM_CAPTURE_MODE_THREAD_LOCAL, CU_STREAM_CAPTURE_STATUS_ACTIVE, CU_STREAM_CAPTURE_STATUS_INVALIDATED,
    CU_STREAM_CAPTURE_STATUS_NONE, CU_STREAM_SET_CAPTURE_DEPENDENCIES, CUgraph, CUgraphEdgeData, CUgraphNode,
    CUgraphRecaptureCallback, CUstream, CUstreamCaptureMode, CUstreamCaptureStatus, CUstreamCigCaptureParams,
    cuuint64_t,
};
use crate::device;
use crate::device::capture::{self, Mode, Status};
use crate::device::graph::Graph;
use api_macro::entry;
use core::ffi::{c_uint, c_void};
use error::{Error, Result};

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
///
/// The legacy default stream cannot be recorded: `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED`. `CUDA_ERROR_ILLEGAL_STATE` for a
/// stream that is recording already.
#[entry(since = 10010, twin = "ptsz", needs = late)]
pub fn cuStreamBeginCapture_v2(hStream: CUstream, mode: CUstreamCaptureMode) -> Result<()> {
    let mode = capture_mode(mode)?;
    device::require_context()?;
    capture::begin(&lookup(hStream, default_stream)?, mode, None)
}

/// First form of [`cuStreamBeginCapture_v2`]: the mode is always global.
#[entry(since = 10000, twin = "ptsz")]
pub fn cuStreamBeginCapture(hStream: CUstream) -> Result<()> {
    capture::begin(&lookup(hStream, default_stream)?, Mode::Global, None)
}

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
///
/// The first recorded node depends on `dependencies`, which must be nodes of the graph.
#[entry(since = 12030, twin = "ptsz")]
pub fn cuStreamBeginCaptureToGraph(
    hStream: CUstream,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    dependencyData: In<CUgraphEdgeData>,
    numDependencies: usize,
    mode: CUstreamCaptureMode,
) -> Result<()> {
    let mode = capture_mode(mode)?;
    let graph = Graph::find(hGraph.0)?;
    let dependencies = with_data(dependencies, dependencyData, numDependencies)?;
    capture::begin(&lookup(hStream, default_stream)?, mode, Some((graph, dependencies)))
}

/// Ends a recording and hands out the graph.
///
/// `CUDA_ERROR_ILLEGAL_STATE` for a stream that is not recording, `CUDA_ERROR_STREAM_CAPTURE_UNMATCHED` for one in which the
/// recording did not begin, `..._WRONG_THREAD` for a thread that did not begin it unless its mode is relaxed,
/// `..._UNJOINED` when another stream was not joined again, `..._INVALIDATED` when something was called that cannot be
/// recorded. No graph comes of it then. Without `phGraph` the graph is thrown away.
#[entry(since = 10000, twin = "ptsz", needs = late)]
pub fn cuStreamEndCapture(hStream: CUstream, phGraph: Out<CUgraph>) -> Result<()> {
    phGraph.set_opt(CUgraph::NULL)?;
    device::require_context()?;
    let graph = capture::end(&lookup(hStream, default_stream)?)?;
    if phGraph.is_null() {
        return Graph::destroy(graph.handle);
    }
    phGraph.set(CUgraph(graph.handle))
}

/// Tells whether a stream is recording.
///
/// The legacy default stream cannot tell while a blocking stream is recording: `CUDA_ERROR_STREAM_CAPTURE_IMPLICIT`.
#[entry(since = 10000, twin = "ptsz")]
pub fn cuStreamIsCapturing(hStream: CUstream, captureStatus: Out<CUstreamCaptureStatus>) -> Result<()> {
    captureStatus.check()?;
    captureStatus.set(status_code(capture::status(&lookup(hStream, default_stream)?)?.0))
}

/// Reports state, graph, and next dependencies with their edge data of a recording.
///
/// Outputs other than the status may be `NULL`; they are written only for a stream that is recording. The arrays live until
/// the next call about the stream.
#[entry(since = 12030, twin = "ptsz")]
pub fn cuStreamGetCaptureInfo_v3(
    hStream: CUstream,
    captureStatus_out: Out<CUstreamCaptureStatus>,
    id_out: Out<cuuint64_t>,
    graph_out: Out<CUgraph>,
    dependencies_out: Out<*const CUgraphNode>,
    edgeData_out: Out<*const CUgraphEdgeData>,
    numDependencies_out: Out<usize>,
) -> Result<()> {
    let Some(info) = info(hStream, default_stream, captureStatus_out)? else { return Ok(()) };
    info.tell(id_out, graph_out, dependencies_out)?;
    edgeData_out.set_opt(info.data as *const CUgraphEdgeData)?;
    numDependencies_out.set_opt(info.count)
}

/// Reports state, graph and next dependencies of a recording.
#[entry(since = 11030, twin = "ptsz")]
pub fn cuStreamGetCaptureInfo_v2(
    hStream: CUstream,
    captureStatus_out: Out<CUstreamCaptureStatus>,
    id_out: Out<cuuint64_t>,
    graph_out: Out<CUgraph>,
    dependencies_out: Out<*const CUgraphNode>,
    numDependencies_out: Out<usize>,
) -> Result<()> {
    let Some(info) = info(hStream, default_stream, captureStatus_out)? else { return Ok(()) };
    info.tell(id_out, graph_out, dependencies_out)?;
    numDependencies_out.set_opt(info.count)
}

/// Reports state and identifier of a recording.
#[entry(since = 10010, twin = "ptsz")]
pub fn cuStreamGetCaptureInfo(
    hStream: CUstream,
    captureStatus_out: Out<CUstreamCaptureStatus>,
    id_out: Out<cuuint64_t>,
) -> Result<()> {
    let info = info(hStream, default_stream, captureStatus_out)?;
    info.map_or(Ok(()), |info| id_out.set_opt(info.id))
}

/// Changes what the next recorded node depends on, with edge data.
///
/// `flags` says whether the nodes are added to or replace what there is. `CUDA_ERROR_ILLEGAL_STATE` for a stream that is not
/// recording.
#[entry(since = 12030, twin = "ptsz")]
pub fn cuStreamUpdateCaptureDependencies_v2(
    hStream: CUstream,
    dependencies: InMut<CUgraphNode>,
    dependencyData: In<CUgraphEdgeData>,
    numDependencies: usize,
    flags: c_uint,
) -> Result<()> {
    let add = match CUstreamUpdateCaptureDependencies_flags(flags) {
        CU_STREAM_ADD_CAPTURE_DEPENDENCIES => true,
        CU_STREAM_SET_CAPTURE_DEPENDENCIES => false,
        _ => return Err(Error::INVALID_VALUE),
    };
    let nodes = with_data(In(dependencies.0), dependencyData, numDependencies)?;
    capture::set_dependencies(&*lookup(hStream, default_stream)?, nodes, add)
}

/// Changes what the next recorded node depends on.
#[entry(since = 11030, twin = "ptsz")]
pub fn cuStreamUpdateCaptureDependencies(
    hStream: CUstream,
    dependencies: InMut<CUgraphNode>,
    numDependencies: usize,
    flags: c_uint,
) -> Result<()> {
    let add = match CUstreamUpdateCaptureDependencies_flags(flags) {
        CU_STREAM_ADD_CAPTURE_DEPENDENCIES => true,
        CU_STREAM_SET_CAPTURE_DEPENDENCIES => false,
        _ => return Err(Error::INVALID_VALUE),
    };
    let nodes = with_data(In(dependencies.0), In(core::ptr::null()), numDependencies)?;
    capture::set_dependencies(&*lookup(hStream, default_stream)?, nodes, add)
}

/// The mode that a number means.
pub(super) fn capture_mode(mode: CUstreamCaptureMode) -> Result<Mode> {
    match mode {
        CU_STREAM_CAPTURE_MODE_GLOBAL => Ok(Mode::Global),
        CU_STREAM_CAPTURE_MODE_THREAD_LOCAL => Ok(Mode::ThreadLocal),
        CU_STREAM_CAPTURE_MODE_RELAXED => Ok(Mode::Relaxed),
        _ => Err(Error::INVALID_VALUE),
    }
}

fn status_code(status: Status) -> CUstreamCaptureStatus {
    match status {
        Status::None => CU_STREAM_CAPTURE_STATUS_NONE,
        Status::Active => CU_STREAM_CAPTURE_STATUS_ACTIVE,
        Status::Invalidated => CU_STREAM_CAPTURE_STATUS_INVALIDATED,
    }
}

/// What is known of a recording stream; addresses of arrays.
struct Info {
    id: u64,
    graph: usize,
    nodes: usize,
    data: usize,
    count: usize,
}

impl Info {
    /// Writes what every form of the query asks for.
    fn tell(&self, id: Out<cuuint64_t>, graph: Out<CUgraph>, nodes: Out<*const CUgraphNode>) -> Result<()> {
        id.set_opt(self.id)?;
        graph.set_opt(CUgraph(self.graph))?;
        nodes.set_opt(self.nodes as *const CUgraphNode)
    }
}

fn info(
    stream: CUstream,
    default_stream: DefaultStream,
    status_out: Out<CUstreamCaptureStatus>,
) -> Result<Option<Info>> {
    status_out.check()?;
    let stream = lookup(stream, default_stream)?;
    let (status, capture) = capture::status(&stream)?;
    status_out.set(status_code(status))?;
    Ok(capture.map(|capture| {
        let (nodes, data, count) = capture::dependencies(&stream);
        Info { id: capture.id, graph: capture.graph.handle, nodes, data, count }
    }))
}
