//! Graph Management (executable graphs).

#![allow(non_snake_case)]

use super::graph_kernel::changed_kernel;
use super::graph_params::{copy_of, fill_of, host_of, memory_operations_of, operation_of};
use super::ptr::{In, InMut, InOut, Out};
use super::stream::lookup;
use super::types::{
    CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED, CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED,
    CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, CU_GRAPH_EXEC_UPDATE_SUCCESS, CUDA_BATCH_MEM_OP_NODE_PARAMS,
    CUDA_EXT_SEM_SIGNAL_NODE_PARAMS, CUDA_EXT_SEM_WAIT_NODE_PARAMS, CUDA_GRAPH_INSTANTIATE_ERROR,
    CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH, CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD,
    CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY, CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE,
    CUDA_GRAPH_INSTANTIATE_PARAMS, CUDA_GRAPH_INSTANTIATE_SUCCESS, CUDA_HOST_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS,
    CUDA_KERNEL_NODE_PARAMS_v1, CUDA_MEMCPY3D, CUDA_MEMSET_NODE_PARAMS, CUcontext, CUevent, CUgraph, CUgraphExec,
    CUgraphExecUpdateResult, CUgraphExecUpdateResultInfo, CUgraphNode, CUgraphNodeParams, CUstream, cuuint64_t,
};
use crate::device;
use crate::device::graph::exec::{Exec, Reason};
use crate::device::graph::{Graph, Node, Operation};
use crate::device::kernel::launch;
use crate::device::stream::event::Event;
use crate::device::stream::{capture, context};
use api_macro::entry;
use core::ffi::{c_char, c_uint, c_ulonglong};
use error::{Error, Result};
use std::sync::Arc;

/// Changes the parameters of a memory-operation node in an executable graph.
#[entry(since = 11070, needs = init)]
pub fn cuGraphExecBatchMemOpNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    nodeParams: In<CUDA_BATCH_MEM_OP_NODE_PARAMS>,
) -> Result<()> {
    let params = nodeParams.get()?;
    Exec::find(hGraphExec.0)?.set(hNode.0, |_| memory_operations_of(&params))
}

/// Reports the number of an executable graph.
#[entry(since = 13010, needs = init)]
pub fn cuGraphExecGetId(hGraphExec: CUgraphExec, graphId: Out<c_uint>) -> Result<()> {
    graphId.check()?;
    graphId.set(Exec::find(hGraphExec.0)?.id)
}

/// Makes an executable graph out of a graph, with flags.
///
/// `flags` are `CUDA_GRAPH_INSTANTIATE_FLAG_*`, without `UPLOAD`, which needs a stream. A cycle is
/// `CUDA_ERROR_INVALID_VALUE`. A graph with allocation nodes has one executable form at a time: `CUDA_ERROR_NOT_SUPPORTED`.
#[entry(since = 11040, needs = late)]
pub fn cuGraphInstantiateWithFlags(phGraphExec: Out<CUgraphExec>, hGraph: CUgraph, flags: c_ulonglong) -> Result<()> {
    capture::check_call()?;
    phGraphExec.check()?;
    if flags & !INSTANTIATE_FLAGS != 0 {
        return Err(Error::INVALID_VALUE);
    }
    device::require_context()?;
    let graph = Graph::find(hGraph.0)?;
    let exec = instantiate(&graph, flags, INSTANTIATE_FLAGS)?;
    phGraphExec.set(CUgraphExec(exec.handle))
}

/// Makes an executable graph and reports in detail why that failed; can upload at once.
#[entry(since = 12000, twin = "ptsz")]
pub fn cuGraphInstantiateWithParams(
    phGraphExec: Out<CUgraphExec>,
    hGraph: CUgraph,
    instantiateParams: InOut<CUDA_GRAPH_INSTANTIATE_PARAMS>,
) -> Result<()> {
    capture::check_call()?;
    phGraphExec.check()?;
    let mut params = instantiateParams.get()?;
    let graph = Graph::find(hGraph.0)?;
    params.hErrNode_out = CUgraphNode::NULL;
    let result = instantiate(&graph, params.flags, INSTANTIATE_FLAGS | CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD.0 as u64);
    params.result_out = match result {
        Ok(_) => CUDA_GRAPH_INSTANTIATE_SUCCESS,
        Err(_) if graph.order().is_err() => CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE,
        Err(_) => CUDA_GRAPH_INSTANTIATE_ERROR,
    };
    instantiateParams.set(params)?;
    let exec = result?;
    if params.flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD.0 as u64 != 0 {
        lookup(params.hUploadStream, default_stream)?;
    }
    phGraphExec.set(CUgraphExec(exec.handle))
}

/// Makes an executable graph and writes the reason of a failure into a log buffer.
///
/// The log stays empty.
#[entry(since = 11000)]
pub fn cuGraphInstantiate_v2(
    phGraphExec: Out<CUgraphExec>,
    hGraph: CUgraph,
    phErrorNode: Out<CUgraphNode>,
    logBuffer: Out<c_char>,
    bufferSize: usize,
) -> Result<()> {
    capture::check_call()?;
    instantiate_with_log(phGraphExec, hGraph, phErrorNode, logBuffer, bufferSize)
}

/// First form of [`cuGraphInstantiate_v2`].
#[entry(since = 10000)]
pub fn cuGraphInstantiate(
    phGraphExec: Out<CUgraphExec>,
    hGraph: CUgraph,
    phErrorNode: Out<CUgraphNode>,
    logBuffer: Out<c_char>,
    bufferSize: usize,
) -> Result<()> {
    capture::check_call()?;
    instantiate_with_log(phGraphExec, hGraph, phErrorNode, logBuffer, bufferSize)
}

/// Reports the flags with which an executable graph was made.
#[entry(since = 12000, needs = init)]
pub fn cuGraphExecGetFlags(hGraphExec: CUgraphExec, flags: Out<cuuint64_t>) -> Result<()> {
    flags.check()?;
    flags.set(Exec::find(hGraphExec.0)?.flags)
}

/// Changes the parameters of a kernel node in an executable graph.
#[entry(since = 12000, needs = init)]
pub fn cuGraphExecKernelNodeSetParams_v2(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    nodeParams: In<CUDA_KERNEL_NODE_PARAMS>,
) -> Result<()> {
    let params = nodeParams.get()?;
    Exec::find(hGraphExec.0)?.set(hNode.0, |old| changed_kernel(old, &params))
}

/// First form of [`cuGraphExecKernelNodeSetParams_v2`].
#[entry(since = 10010, needs = init)]
pub fn cuGraphExecKernelNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    nodeParams: In<CUDA_KERNEL_NODE_PARAMS_v1>,
) -> Result<()> {
    let params = nodeParams.get()?.into();
    Exec::find(hGraphExec.0)?.set(hNode.0, |old| changed_kernel(old, &params))
}

/// Changes the parameters of a copy node in an executable graph.
#[entry(since = 10020, needs = init)]
pub fn cuGraphExecMemcpyNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    copyParams: In<CUDA_MEMCPY3D>,
    ctx: CUcontext,
) -> Result<()> {
    let params = copyParams.get()?;
    Exec::find(hGraphExec.0)?.set(hNode.0, |_| copy_of(&params, ctx))
}

/// Changes the parameters of a fill node in an executable graph.
#[entry(since = 10020, needs = init)]
pub fn cuGraphExecMemsetNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    memsetParams: In<CUDA_MEMSET_NODE_PARAMS>,
    ctx: CUcontext,
) -> Result<()> {
    let params = memsetParams.get()?;
    Exec::find(hGraphExec.0)?.set(hNode.0, |_| fill_of(&params, ctx))
}

/// Changes the parameters of a host node in an executable graph.
#[entry(since = 10020, needs = init)]
pub fn cuGraphExecHostNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    nodeParams: In<CUDA_HOST_NODE_PARAMS>,
) -> Result<()> {
    let params = nodeParams.get()?;
    Exec::find(hGraphExec.0)?.set(hNode.0, |_| host_of(&params))
}

/// Changes the parameters inside a child node of an executable graph.
///
/// The graph must have the shape of the one inside.
#[entry(since = 11010, needs = init)]
pub fn cuGraphExecChildGraphNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    childGraph: CUgraph,
) -> Result<()> {
    let child = Graph::find(childGraph.0)?;
    Exec::find(hGraphExec.0)?.set_child(hNode.0, &child)
}

/// Changes the event of a recording node in an executable graph.
#[entry(since = 11010, needs = init)]
pub fn cuGraphExecEventRecordNodeSetEvent(hGraphExec: CUgraphExec, hNode: CUgraphNode, event: CUevent) -> Result<()> {
    let event = Event::find(event.0)?;
    Exec::find(hGraphExec.0)?.set(hNode.0, |_| Ok(Operation::Record(event)))
}

/// Changes the event of a waiting node in an executable graph.
#[entry(since = 11010, needs = init)]
pub fn cuGraphExecEventWaitNodeSetEvent(hGraphExec: CUgraphExec, hNode: CUgraphNode, event: CUevent) -> Result<()> {
    let event = Event::find(event.0)?;
    Exec::find(hGraphExec.0)?.set(hNode.0, |_| Ok(Operation::Wait(event)))
}

/// Changes the parameters of a semaphore-signal node in an executable graph.
#[entry(since = 11020, needs = init)]
pub fn cuGraphExecExternalSemaphoresSignalNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    nodeParams: In<CUDA_EXT_SEM_SIGNAL_NODE_PARAMS>,
) -> Result<()>;

/// Changes the parameters of a semaphore-wait node in an executable graph.
#[entry(since = 11020, needs = init)]
pub fn cuGraphExecExternalSemaphoresWaitNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    nodeParams: In<CUDA_EXT_SEM_WAIT_NODE_PARAMS>,
) -> Result<()>;

/// Switches a node of an executable graph on or off.
///
/// Copies and fills only.
#[entry(since = 11060, needs = init)]
pub fn cuGraphNodeSetEnabled(hGraphExec: CUgraphExec, hNode: CUgraphNode, isEnabled: c_uint) -> Result<()> {
    Exec::find(hGraphExec.0)?.enable(hNode.0, isEnabled != 0)
}

/// Tells whether a node of an executable graph is switched on.
#[entry(since = 11060, needs = init)]
pub fn cuGraphNodeGetEnabled(hGraphExec: CUgraphExec, hNode: CUgraphNode, isEnabled: Out<c_uint>) -> Result<()> {
    isEnabled.check()?;
    isEnabled.set(Exec::find(hGraphExec.0)?.is_enabled(hNode.0)?.into())
}

/// Brings an executable graph to the device ahead of its first launch.
///
/// There is nothing to bring anywhere.
#[entry(since = 11010, twin = "ptsz")]
pub fn cuGraphUpload(hGraphExec: CUgraphExec, hStream: CUstream) -> Result<()> {
    Exec::find(hGraphExec.0)?;
    lookup(hStream, default_stream)?.admit().map(drop)
}

/// Queues an executable graph on a stream.
///
/// An executable graph does not run beside itself: a launch waits for the one before. `CUDA_ERROR_INVALID_VALUE` while memory
/// that the last launch allocated is not freed, unless the graph was made to free it itself.
#[entry(since = 10000, twin = "ptsz")]
pub fn cuGraphLaunch(hGraphExec: CUgraphExec, hStream: CUstream) -> Result<()> {
    let exec = Exec::find(hGraphExec.0)?;
    let stream = lookup(hStream, default_stream)?;
    if stream.admit()? {
        return capture::record(&stream, Operation::Child(exec.embed()?));
    }
    exec.launch(&stream)?;
    launch::wait_if_blocking(&stream)
}

/// Destroys an executable graph.
///
/// Launches that are under way complete.
#[entry(since = 10000, needs = init)]
pub fn cuGraphExecDestroy(hGraphExec: CUgraphExec) -> Result<()> {
    capture::check_call()?;
    Exec::destroy(hGraphExec.0)
}

/// Takes the parameters of an executable graph over from a graph of the same shape, with a detailed result.
#[entry(since = 12000, needs = init)]
pub fn cuGraphExecUpdate_v2(
    hGraphExec: CUgraphExec,
    hGraph: CUgraph,
    resultInfo: Out<CUgraphExecUpdateResultInfo>,
) -> Result<()> {
    let exec = Exec::find(hGraphExec.0)?;
    let graph = Graph::find(hGraph.0)?;
    let (result, node, from) = update(&exec, &graph);
    resultInfo.set(CUgraphExecUpdateResultInfo { result, errorNode: node, errorFromNode: from })?;
    if result == CU_GRAPH_EXEC_UPDATE_SUCCESS { Ok(()) } else { Err(Error::GRAPH_EXEC_UPDATE_FAILURE) }
}

/// First form of [`cuGraphExecUpdate_v2`].
#[entry(since = 10020, needs = init)]
pub fn cuGraphExecUpdate(
    hGraphExec: CUgraphExec,
    hGraph: CUgraph,
    hErrorNode_out: Out<CUgraphNode>,
    updateResult_out: Out<CUgraphExecUpdateResult>,
) -> Result<()> {
    let exec = Exec::find(hGraphExec.0)?;
    let graph = Graph::find(hGraph.0)?;
    let (result, node, _) = update(&exec, &graph);
    hErrorNode_out.set_opt(node)?;
    updateResult_out.set(result)?;
    if result == CU_GRAPH_EXEC_UPDATE_SUCCESS { Ok(()) } else { Err(Error::GRAPH_EXEC_UPDATE_FAILURE) }
}

/// Changes the parameters of a node of any kind in an executable graph.
#[entry(since = 12020, needs = init)]
pub fn cuGraphExecNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    nodeParams: InMut<CUgraphNodeParams>,
) -> Result<()> {
    let mut params = nodeParams.get()?;
    let exec = Exec::find(hGraphExec.0)?;
    Node::find(hNode.0)?.graph()?;
    match operation_of(None, &mut params)? {
        Operation::Child(graph) => exec.set_child(hNode.0, &graph),
        operation => exec.set(hNode.0, |_| Ok(operation)),
    }
}

/// Flags of every way to make an executable graph. One that kernels could launch would need a kernel to begin with.
const INSTANTIATE_FLAGS: u64 =
    CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH.0 as u64 | CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY.0 as u64;

fn instantiate(graph: &Arc<Graph>, flags: u64, known: u64) -> Result<Arc<Exec>> {
    if flags & !known != 0 {
        return Err(Error::INVALID_VALUE);
    }
    // Accepted, but not reported: every node has its priority anyway.
    let told = flags & !(CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY.0 as u64);
    Exec::create(&context::current()?, graph, told)
}

fn instantiate_with_log(
    out: Out<CUgraphExec>,
    graph: CUgraph,
    error_node: Out<CUgraphNode>,
    log: Out<c_char>,
    size: usize,
) -> Result<()> {
    out.check()?;
    let graph = Graph::find(graph.0)?;
    if !log.is_null() && size > 0 {
        log.set(0)?;
    }
    error_node.set_opt(CUgraphNode::NULL)?;
    let exec = instantiate(&graph, 0, INSTANTIATE_FLAGS)?;
    out.set(CUgraphExec(exec.handle))
}

fn update(exec: &Exec, graph: &Arc<Graph>) -> (CUgraphExecUpdateResult, CUgraphNode, CUgraphNode) {
    match exec.update(graph) {
        Ok(()) => (CU_GRAPH_EXEC_UPDATE_SUCCESS, CUgraphNode::NULL, CUgraphNode::NULL),
        Err(mismatch) => {
            let result = match mismatch.reason {
                Reason::Topology => CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED,
                Reason::Type => CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED,
                Reason::Attributes => CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED,
            };
            (result, CUgraphNode(mismatch.node), CUgraphNode(mismatch.from))
        }
    }
}
