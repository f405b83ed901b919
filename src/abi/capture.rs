//! Stream Management (capture).

#![allow(non_snake_case)]

use super::DefaultStream;
use super::convert::graph_params::{describe, with_data};
use super::convert::stream::{capture_mode, lookup};
use super::ptr::{In, InMut, Out};
use super::types::CUstreamUpdateCaptureDependencies_flags;
use super::types::{
    CU_GRAPH_RECAPTURE_ELIGIBLE_FOR_UPDATE, CU_GRAPH_RECAPTURE_ERROR, CU_GRAPH_RECAPTURE_INELIGIBLE_FOR_UPDATE,
    CU_STREAM_ADD_CAPTURE_DEPENDENCIES, CU_STREAM_CAPTURE_STATUS_ACTIVE, CU_STREAM_CAPTURE_STATUS_INVALIDATED,
    CU_STREAM_CAPTURE_STATUS_NONE, CU_STREAM_SET_CAPTURE_DEPENDENCIES, CUgraph, CUgraphEdgeData, CUgraphNode,
    CUgraphRecaptureCallback, CUresult, CUstream, CUstreamCaptureMode, CUstreamCaptureStatus, CUstreamCigCaptureParams,
    cuuint64_t,
};
use api_macro::entry;
use core::ffi::{c_uint, c_void};
use device::graph::Graph;
use device::graph::recapture::{Change, Teller};
use device::graph::recording;
use device::stream::capture;
use device::stream::capture::{Mode, Status};
use error::{Error, Result, refuse, refuse_if};

/// Starts capturing a stream for a graphics queue (CUDA in Graphics).
///
/// - `hStream`: the stream.
/// - `streamCigCaptureParams`: the graphics queue.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hStream` is not a stream; `CUDA_ERROR_INVALID_VALUE` if
/// `streamCigCaptureParams` is NULL; else `CUDA_ERROR_INVALID_CONTEXT`: no context is one of a graphics queue.
///
/// Manual: Stream Management.
#[entry(
    since = 13010,
    twin = "ptsz",
    status = "refused: there are no contexts for graphics (by the manual; newer than driver 580)"
)]
pub fn cuStreamBeginCaptureToCig(
    hStream: CUstream,
    streamCigCaptureParams: InMut<CUstreamCigCaptureParams>,
) -> Result<()> {
    lookup(hStream, default_stream)?;
    refuse_if!(Error::INVALID_VALUE, streamCigCaptureParams.is_null(), "streamCigCaptureParams is NULL");
    Err(refuse!(Error::INVALID_CONTEXT, "hStream is of a context that was not made for a graphics queue"))
}

/// Ends a capture for a graphics queue.
///
/// - `hStream`: the stream.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hStream` is not a stream; else `CUDA_ERROR_INVALID_VALUE`: no stream is
/// captured for a graphics queue.
///
/// Manual: Stream Management.
#[entry(
    since = 13010,
    twin = "ptsz",
    status = "refused: there are no contexts for graphics (by the manual; newer than driver 580)"
)]
pub fn cuStreamEndCaptureToCig(hStream: CUstream) -> Result<()> {
    lookup(hStream, default_stream)?;
    Err(refuse!(Error::INVALID_VALUE, "hStream is not captured for a graphics queue"))
}

/// Starts capturing the stream's work into a new graph.
///
/// - `hStream`: the stream; not the legacy default stream.
/// - `mode`: what else the capture forbids: calls of all threads (`CU_STREAM_CAPTURE_MODE_GLOBAL`), of this thread
///   (`..._THREAD_LOCAL`), or none (`..._RELAXED`).
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` for an unknown `mode`, before anything else is looked at;
/// `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` for the legacy stream; `CUDA_ERROR_ILLEGAL_STATE` for a stream that is being
/// captured already.
///
/// Manual: Stream Management.
#[entry(since = 10010, twin = "ptsz", needs = late)]
pub fn cuStreamBeginCapture_v2(hStream: CUstream, mode: CUstreamCaptureMode) -> Result<()> {
    let mode = capture_mode(mode)?;
    device::require_context()?;
    recording::begin(&lookup(hStream, default_stream)?, mode, None)
}

/// Starts capturing the stream's work into a new graph, in the global mode.
///
/// First form of [`cuStreamBeginCapture_v2`].
///
/// - `hStream`: the stream; not the legacy default stream.
///
/// Errors: `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` for the legacy stream; `CUDA_ERROR_ILLEGAL_STATE` for a stream that
/// is being captured already.
///
/// Manual: Stream Management.
#[entry(since = 10000, twin = "ptsz")]
pub fn cuStreamBeginCapture(hStream: CUstream) -> Result<()> {
    recording::begin(&lookup(hStream, default_stream)?, Mode::Global, None)
}

/// Starts capturing over an existing graph: its nodes again, in the order in which they were created.
///
/// Nodes take over what they do now. The capture fails, and the graph is of no more use, when a node of another kind or
/// with other dependencies comes, when an allocation or what is freed differs, when nodes are missing at the end, and
/// when the callback says so: the call that brings it about is `CUDA_ERROR_GRAPH_RECAPTURE_FAILURE`, later ones
/// `CUDA_ERROR_STREAM_CAPTURE_INVALIDATED`. Objects that the graph owns are released at once.
///
/// - `hStream`: the stream; not the legacy default stream.
/// - `mode`: what else the capture forbids: calls of all threads (`CU_STREAM_CAPTURE_MODE_GLOBAL`), of this thread
///   (`..._THREAD_LOCAL`), or none (`..._RELAXED`).
/// - `hGraph`: the graph; `cuStreamEndCapture` hands it out again.
/// - `callbackFunc`: called for each node that does something else than before, with its parameters then and now; anything
///   but `CUDA_SUCCESS` ends the capture; may be NULL.
/// - `userData`: its argument.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` for an unknown `mode`, and if `hGraph` is no graph;
/// `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` for the legacy stream; `CUDA_ERROR_ILLEGAL_STATE` for a stream that is being
/// captured already.
///
/// Manual: Stream Management.
#[entry(since = 13030, twin = "ptsz", status = "implemented by the manual; newer than driver 580")]
pub fn cuStreamBeginRecaptureToGraph(
    hStream: CUstream,
    mode: CUstreamCaptureMode,
    hGraph: CUgraph,
    callbackFunc: CUgraphRecaptureCallback,
    userData: *mut c_void,
) -> Result<()> {
    let mode = capture_mode(mode)?;
    let graph = Graph::find(hGraph.0)?;
    let data = userData as usize;
    let teller = callbackFunc.map(|callback| -> Teller {
        Box::new(move |node, old, new, change| {
            // What cannot be described is told of without its parameters.
            let [old, new] = [old, new].map(|operation| describe(operation).unwrap_or_default());
            let status = match change {
                Change::Eligible => CU_GRAPH_RECAPTURE_ELIGIBLE_FOR_UPDATE,
                Change::Ineligible => CU_GRAPH_RECAPTURE_INELIGIBLE_FOR_UPDATE,
                Change::Impossible => CU_GRAPH_RECAPTURE_ERROR,
            };
            // SAFETY: the program gave the function for this; no lock is held.
            unsafe { callback(data as *mut c_void, CUgraphNode(node), &old, &new, status) == CUresult::SUCCESS }
        })
    });
    recording::begin_again(&lookup(hStream, default_stream)?, mode, graph, teller)
}

/// Starts capturing the stream's work into an existing graph.
///
/// - `hStream`: the stream; not the legacy default stream.
/// - `hGraph`: the graph.
/// - `dependencies`: nodes of the graph that the first captured node will depend on.
/// - `dependencyData`: data of those edges, as many; NULL for plain ones.
/// - `numDependencies`: number of nodes.
/// - `mode`: what else the capture forbids: calls of all threads (`CU_STREAM_CAPTURE_MODE_GLOBAL`), of this thread
///   (`..._THREAD_LOCAL`), or none (`..._RELAXED`).
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` for an unknown `mode`, if `hGraph` is no graph, if `dependencies` is NULL and
/// `numDependencies` is not 0, for nodes of other graphs, and for edge data that are not known;
/// `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` for the legacy stream; `CUDA_ERROR_ILLEGAL_STATE` for a stream that is being
/// captured already.
///
/// Manual: Stream Management.
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
    recording::begin(&lookup(hStream, default_stream)?, mode, Some((graph, dependencies)))
}

/// Ends a capture and hands out the graph.
///
/// On an error there is no graph, and no stream stays in the capture, except after
/// `CUDA_ERROR_STREAM_CAPTURE_UNMATCHED`, which only invalidates it.
///
/// - `hStream`: the stream in which the capture began.
/// - `phGraph`: receives the graph, NULL on an error; with NULL a graph that was made for the capture is
///   destroyed.
///
/// Errors: `CUDA_ERROR_ILLEGAL_STATE` for a stream that is not captured; `CUDA_ERROR_STREAM_CAPTURE_UNMATCHED` for one
/// in which the capture did not begin; `CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD` for a thread that did not begin it,
/// unless its mode is relaxed; `CUDA_ERROR_GRAPH_RECAPTURE_FAILURE` if a capture over a graph has not come to its last node; `CUDA_ERROR_STREAM_CAPTURE_INVALIDATED` if the capture was invalidated;
/// `CUDA_ERROR_STREAM_CAPTURE_UNJOINED` when work of another stream does not lead back to this one.
///
/// Manual: Stream Management.
#[entry(since = 10000, twin = "ptsz", needs = late)]
pub fn cuStreamEndCapture(hStream: CUstream, phGraph: Out<CUgraph>) -> Result<()> {
    phGraph.set_opt(CUgraph::NULL)?;
    device::require_context()?;
    let stream = lookup(hStream, default_stream)?;
    if phGraph.is_null() {
        return recording::end_unseen(&stream);
    }
    let graph = recording::end(&stream)?;
    phGraph.set(CUgraph(graph.handle))
}

/// Tells whether a stream is being captured.
///
/// - `hStream`: the stream.
/// - `captureStatus`: receives the answer, a `CUstreamCaptureStatus`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `captureStatus` is NULL; `CUDA_ERROR_STREAM_CAPTURE_IMPLICIT` for the legacy
/// stream while a blocking stream of its context is being captured, which invalidates that capture.
///
/// Manual: Stream Management.
#[entry(since = 10000, twin = "ptsz")]
pub fn cuStreamIsCapturing(hStream: CUstream, captureStatus: Out<CUstreamCaptureStatus>) -> Result<()> {
    captureStatus.check()?;
    captureStatus.set(status_code(capture::status(&lookup(hStream, default_stream)?)?.0))
}

/// Reports state, graph, and next dependencies with their edge data of a capture.
///
/// All results but the status are written only for a stream that is being captured. The arrays live until the next call
/// about the stream.
///
/// - `hStream`: the stream.
/// - `captureStatus_out`: receives whether the stream is captured: a `CUstreamCaptureStatus`.
/// - `id_out`: receives a number that identifies the capture in this process; may be NULL.
/// - `graph_out`: receives the graph that is being made; may be NULL.
/// - `dependencies_out`: receives the address of the nodes that the next one will depend on; may be NULL.
/// - `edgeData_out`: receives the address of the data of those edges; may be NULL.
/// - `numDependencies_out`: receives the number of those nodes; may be NULL.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `captureStatus_out` is NULL; `CUDA_ERROR_STREAM_CAPTURE_IMPLICIT` for the
/// legacy stream while a blocking stream of its context is being captured, which invalidates that capture.
///
/// Manual: Stream Management.
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

/// Reports state, graph and next dependencies of a capture.
///
/// As [`cuStreamGetCaptureInfo_v3`], without edge data.
///
/// - `hStream`: the stream.
/// - `captureStatus_out`: receives whether the stream is captured: a `CUstreamCaptureStatus`.
/// - `id_out`: receives a number that identifies the capture in this process; may be NULL.
/// - `graph_out`: receives the graph that is being made; may be NULL.
/// - `dependencies_out`: receives the address of the nodes that the next one will depend on; may be NULL.
/// - `numDependencies_out`: receives the number of those nodes; may be NULL.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `captureStatus_out` is NULL; `CUDA_ERROR_STREAM_CAPTURE_IMPLICIT` for the
/// legacy stream while a blocking stream of its context is being captured, which invalidates that capture.
///
/// Manual: Stream Management.
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

/// Reports state and identifier of a capture.
///
/// As [`cuStreamGetCaptureInfo_v3`], without graph and dependencies.
///
/// - `hStream`: the stream.
/// - `captureStatus_out`: receives whether the stream is captured: a `CUstreamCaptureStatus`.
/// - `id_out`: receives a number that identifies the capture in this process; may be NULL.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `captureStatus_out` is NULL; `CUDA_ERROR_STREAM_CAPTURE_IMPLICIT` for the
/// legacy stream while a blocking stream of its context is being captured, which invalidates that capture.
///
/// Manual: Stream Management.
#[entry(since = 10010, twin = "ptsz")]
pub fn cuStreamGetCaptureInfo(
    hStream: CUstream,
    captureStatus_out: Out<CUstreamCaptureStatus>,
    id_out: Out<cuuint64_t>,
) -> Result<()> {
    let info = info(hStream, default_stream, captureStatus_out)?;
    info.map_or(Ok(()), |info| id_out.set_opt(info.id))
}

/// Changes what the next captured node depends on, with edge data.
///
/// - `hStream`: the stream.
/// - `dependencies`: nodes of the graph that is being made.
/// - `dependencyData`: data of the edges, as many as nodes; NULL for plain ones.
/// - `numDependencies`: number of nodes.
/// - `flags`: whether the nodes are added to (`CU_STREAM_ADD_CAPTURE_DEPENDENCIES`) or replace
///   (`CU_STREAM_SET_CAPTURE_DEPENDENCIES`) what there is.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` for unknown `flags`, if `dependencies` is NULL and `numDependencies` is not 0,
/// for nodes of other graphs, and for edge data that are not known; `CUDA_ERROR_ILLEGAL_STATE` for a stream that is not
/// captured; `CUDA_ERROR_STREAM_CAPTURE_INVALIDATED` if the capture is invalidated.
///
/// Manual: Stream Management.
#[entry(since = 12030, twin = "ptsz", flags = CUstreamUpdateCaptureDependencies_flags)]
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
        _ => {
            return Err(refuse!(
                Error::INVALID_VALUE,
                "flags {:#x} is not a CUstreamUpdateCaptureDependencies_flags",
                flags
            ));
        }
    };
    let nodes = with_data(In(dependencies.0), dependencyData, numDependencies)?;
    recording::set_dependencies(&*lookup(hStream, default_stream)?, nodes, add)
}

/// Changes what the next captured node depends on.
///
/// As [`cuStreamUpdateCaptureDependencies_v2`], without edge data.
///
/// - `hStream`: the stream.
/// - `dependencies`: nodes of the graph that is being made.
/// - `numDependencies`: number of nodes.
/// - `flags`: whether the nodes are added to (`CU_STREAM_ADD_CAPTURE_DEPENDENCIES`) or replace
///   (`CU_STREAM_SET_CAPTURE_DEPENDENCIES`) what there is.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` for unknown `flags`, if `dependencies` is NULL and `numDependencies` is not 0,
/// and for nodes of other graphs; `CUDA_ERROR_ILLEGAL_STATE` for a stream that is not captured;
/// `CUDA_ERROR_STREAM_CAPTURE_INVALIDATED` if the capture is invalidated.
///
/// Manual: Stream Management.
#[entry(since = 11030, twin = "ptsz", flags = CUstreamUpdateCaptureDependencies_flags)]
pub fn cuStreamUpdateCaptureDependencies(
    hStream: CUstream,
    dependencies: InMut<CUgraphNode>,
    numDependencies: usize,
    flags: c_uint,
) -> Result<()> {
    let add = match CUstreamUpdateCaptureDependencies_flags(flags) {
        CU_STREAM_ADD_CAPTURE_DEPENDENCIES => true,
        CU_STREAM_SET_CAPTURE_DEPENDENCIES => false,
        _ => {
            return Err(refuse!(
                Error::INVALID_VALUE,
                "flags {:#x} is not a CUstreamUpdateCaptureDependencies_flags",
                flags
            ));
        }
    };
    let nodes = with_data(In(dependencies.0), In(core::ptr::null()), numDependencies)?;
    recording::set_dependencies(&*lookup(hStream, default_stream)?, nodes, add)
}

fn status_code(status: Status) -> CUstreamCaptureStatus {
    match status {
        Status::None => CU_STREAM_CAPTURE_STATUS_NONE,
        Status::Active => CU_STREAM_CAPTURE_STATUS_ACTIVE,
        Status::Invalidated => CU_STREAM_CAPTURE_STATUS_INVALIDATED,
    }
}

/// What queries report of a stream that is being captured; `nodes` and `data` are addresses of arrays.
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
        Info {
            id: capture.id,
            graph: recording::graph_of(&capture).map_or(0, |graph| graph.handle),
            nodes,
            data,
            count,
        }
    }))
}
