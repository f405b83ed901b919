//! Graph Management (executable graphs).

#![allow(non_snake_case)]

use super::convert::graph_kernel::changed_kernel;
use super::convert::graph_params::{
    check_change, copy_of, host_of, memory_operations_of, memset_of, operation_of, semaphores_of,
};
use super::convert::stream::lookup;
use super::ptr::{In, InMut, InOut, Out};
use super::types::{
    CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED, CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED,
    CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED,
    CU_GRAPH_EXEC_UPDATE_SUCCESS, CUDA_BATCH_MEM_OP_NODE_PARAMS, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS,
    CUDA_EXT_SEM_WAIT_NODE_PARAMS, CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED, CUDA_GRAPH_INSTANTIATE_ERROR,
    CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH, CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH,
    CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD, CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY,
    CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE, CUDA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED,
    CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED, CUDA_GRAPH_INSTANTIATE_PARAMS, CUDA_GRAPH_INSTANTIATE_SUCCESS,
    CUDA_HOST_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v1, CUDA_MEMCPY3D, CUDA_MEMSET_NODE_PARAMS,
    CUcontext, CUevent, CUgraph, CUgraphExec, CUgraphExecUpdateResult, CUgraphExecUpdateResultInfo, CUgraphNode,
    CUgraphNodeParams, CUstream, cuuint64_t,
};
use api_macro::entry;
use core::ffi::{c_char, c_uint, c_ulonglong};
use device::graph::exec::{Difference, Exec, Obstacle};
use device::graph::{Graph, Node, Operation};
use device::kernel::launch;
use device::stream::event::Event;
use device::stream::{capture, context};
use error::{Error, Result, refuse, refuse_if};
use std::sync::Arc;

/// Changes the parameters of a memory-operation node in an executable graph, for later launches.
///
/// - `hGraphExec`: the executable graph.
/// - `hNode`: the node, of the graph that it was made of.
/// - `nodeParams`: context, operations and flags (0).
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `hGraphExec` is no executable graph, if `hNode` is no
/// node of the graph that it was made of, or a node of another kind, for flags other than 0, more than 255 operations
/// or unknown ones, and for addresses that are not aligned or where no memory is; `CUDA_ERROR_NOT_SUPPORTED` for a
/// flush of remote writes; `CUDA_ERROR_INVALID_CONTEXT` if `ctx` in it is no context, or NULL and the thread has none.
///
/// Manual: Graph Management.
#[entry(since = 11070, needs = init)]
pub fn cuGraphExecBatchMemOpNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    nodeParams: In<CUDA_BATCH_MEM_OP_NODE_PARAMS>,
) -> Result<()> {
    let params = nodeParams.get()?;
    Exec::find(hGraphExec.0)?.set(hNode.0, |_| memory_operations_of(&params))
}

/// Reports the number of an executable graph, unique in this process.
///
/// - `hGraphExec`: the executable graph.
/// - `graphId`: receives the number.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `graphId` is NULL or `hGraphExec` is no executable graph.
///
/// Manual: Graph Management.
#[entry(since = 13010, needs = init)]
pub fn cuGraphExecGetId(hGraphExec: CUgraphExec, graphId: Out<c_uint>) -> Result<()> {
    graphId.check()?;
    graphId.set(Exec::find(hGraphExec.0)?.id)
}

/// Makes an executable graph out of a graph, with flags.
///
/// - `phGraphExec`: receives the executable graph.
/// - `hGraph`: the graph.
/// - `flags`: `CUDA_GRAPH_INSTANTIATE_FLAG_*`: `AUTO_FREE_ON_LAUNCH`, `DEVICE_LAUNCH`, `USE_NODE_PRIORITY`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `phGraphExec` is NULL, if `hGraph` is no graph, for a graph with a cycle, and
/// for other `flags` (`UPLOAD` needs a stream), and for a graph that kernels cannot launch, with `DEVICE_LAUNCH`: that has
/// kernels of the current context, copies, memsets and graphs of these alone, a kernel at least, and frees nothing;
/// `CUDA_ERROR_NOT_SUPPORTED` for a graph with nodes that allocate or free memory that has an executable form already;
/// `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call; `CUDA_ERROR_INVALID_CONTEXT` in a context
/// of the first generation.
///
/// Manual: Graph Management.
#[entry(since = 11040, needs = late, flags = CUgraphInstantiate_flags)]
pub fn cuGraphInstantiateWithFlags(phGraphExec: Out<CUgraphExec>, hGraph: CUgraph, flags: c_ulonglong) -> Result<()> {
    capture::check_call()?;
    phGraphExec.check()?;
    refuse_if!(Error::INVALID_VALUE, flags & !INSTANTIATE_FLAGS != 0, "flags {:#x} has unknown bits", flags);
    device::require_context()?;
    let graph = Graph::find(hGraph.0)?;
    let exec = instantiate(&graph, flags, INSTANTIATE_FLAGS)?;
    phGraphExec.set(CUgraphExec(exec.handle))
}

/// Makes an executable graph and reports in detail why that failed; can upload at once.
///
/// - `phGraphExec`: receives the executable graph.
/// - `hGraph`: the graph.
/// - `instantiateParams`: flags (`CUDA_GRAPH_INSTANTIATE_FLAG_*`: `AUTO_FREE_ON_LAUNCH`, `DEVICE_LAUNCH`, `USE_NODE_PRIORITY`, `UPLOAD`)
///   and the stream to upload on; receives the result, and the node in a
///   conditional node that is to blame, or NULL.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `phGraphExec` is NULL, if `instantiateParams` is NULL, if `hGraph` is no
/// graph, for a graph with a cycle, for other flags, and with `DEVICE_LAUNCH` for a graph that kernels cannot launch; `CUDA_ERROR_INVALID_HANDLE` if the stream to upload on is not
/// a stream; `CUDA_ERROR_NOT_SUPPORTED` for a graph in a conditional node, and for one with conditional nodes or nodes
/// that allocate or free memory that has an executable form already; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a
/// capture forbids the call; `CUDA_ERROR_INVALID_CONTEXT` in a context of the first generation.
///
/// Manual: Graph Management.
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
        Err(_) => {
            let for_kernels = params.flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH.0 as u64 != 0;
            let (why, node) = Exec::obstacle(&graph, for_kernels);
            params.hErrNode_out = CUgraphNode(node);
            match why {
                Obstacle::Structure => CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE,
                Obstacle::Operation => CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED,
                Obstacle::Contexts => CUDA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED,
                Obstacle::UnusedCondition => CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED,
                Obstacle::Other => CUDA_GRAPH_INSTANTIATE_ERROR,
            }
        }
    };
    let told = instantiateParams.set(params);
    let Ok(exec) = result else { return told.and(result.map(drop)) };
    let upload = params.flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD.0 as u64 != 0;
    let finish = || {
        told?;
        if upload {
            lookup(params.hUploadStream, default_stream)?;
        }
        phGraphExec.set(CUgraphExec(exec.handle))
    };
    // Nobody could destroy what nobody is told of.
    let done = finish();
    if done.is_err() {
        Exec::destroy(exec.handle)?;
    }
    done
}

/// Makes an executable graph and writes the reason of a failure into a log buffer; the log stays empty.
///
/// - `phGraphExec`: receives the executable graph.
/// - `hGraph`: the graph.
/// - `phErrorNode`: receives NULL: the node that is to blame is not reported; NULL to leave it out.
/// - `logBuffer`: receives an empty text; may be NULL.
/// - `bufferSize`: size of the buffer in bytes.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `phGraphExec` is NULL, if `hGraph` is no graph, and for a graph with a cycle;
/// `CUDA_ERROR_NOT_SUPPORTED` for a graph with nodes that allocate or free memory that has an executable form already;
/// `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call; `CUDA_ERROR_INVALID_CONTEXT` in a context
/// of the first generation.
///
/// Manual: Graph Management.
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

/// Makes an executable graph and writes the reason of a failure into a log buffer; the log stays empty.
///
/// First form of [`cuGraphInstantiate_v2`].
///
/// - `phGraphExec`: receives the executable graph.
/// - `hGraph`: the graph.
/// - `phErrorNode`: receives NULL: the node that is to blame is not reported; NULL to leave it out.
/// - `logBuffer`: receives an empty text; may be NULL.
/// - `bufferSize`: size of the buffer in bytes.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `phGraphExec` is NULL, if `hGraph` is no graph, and for a graph with a cycle;
/// `CUDA_ERROR_NOT_SUPPORTED` for a graph with nodes that allocate or free memory that has an executable form already;
/// `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call; `CUDA_ERROR_INVALID_CONTEXT` in a context
/// of the first generation.
///
/// Manual: Graph Management.
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
///
/// - `hGraphExec`: the executable graph.
/// - `flags`: receives the `CUDA_GRAPH_INSTANTIATE_FLAG_*` bits, without `USE_NODE_PRIORITY`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `flags` is NULL or `hGraphExec` is no executable graph.
///
/// Manual: Graph Management.
#[entry(since = 12000, needs = init)]
pub fn cuGraphExecGetFlags(hGraphExec: CUgraphExec, flags: Out<cuuint64_t>) -> Result<()> {
    flags.check()?;
    flags.set(Exec::find(hGraphExec.0)?.flags)
}

/// Changes the parameters of a kernel node in an executable graph, for later launches.
///
/// The node keeps its attributes.
///
/// - `hGraphExec`: the executable graph.
/// - `hNode`: the node, of the graph that it was made of.
/// - `nodeParams`: function or library's kernel, grid, block, dynamic shared memory in bytes, parameters, context (NULL
///   for the current one).
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `hGraphExec` is no executable graph, if `hNode` is no
/// node of the graph that it was made of, or a node of another kind, and for what `cuLaunchKernel` refuses with this
/// error; every other error of `cuLaunchKernel`.
///
/// Manual: Graph Management.
#[entry(since = 12000, needs = init)]
pub fn cuGraphExecKernelNodeSetParams_v2(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    nodeParams: In<CUDA_KERNEL_NODE_PARAMS>,
) -> Result<()> {
    let params = nodeParams.get()?;
    Exec::find(hGraphExec.0)?.set(hNode.0, |old| changed_kernel(old, &params))
}

/// Changes the parameters of a kernel node in an executable graph, for later launches.
///
/// First form of [`cuGraphExecKernelNodeSetParams_v2`].
///
/// - `hGraphExec`: the executable graph.
/// - `hNode`: the node, of the graph that it was made of.
/// - `nodeParams`: function, grid, block, dynamic shared memory in bytes, parameters.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `hGraphExec` is no executable graph, if `hNode` is no
/// node of the graph that it was made of, or a node of another kind, and for what `cuLaunchKernel` refuses with this
/// error; every other error of `cuLaunchKernel`.
///
/// Manual: Graph Management.
#[entry(since = 10010, needs = init)]
pub fn cuGraphExecKernelNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    nodeParams: In<CUDA_KERNEL_NODE_PARAMS_v1>,
) -> Result<()> {
    let params = nodeParams.get()?.into();
    Exec::find(hGraphExec.0)?.set(hNode.0, |old| changed_kernel(old, &params))
}

/// Changes the parameters of a copy node in an executable graph, for later launches.
///
/// - `hGraphExec`: the executable graph.
/// - `hNode`: the node, of the graph that it was made of.
/// - `copyParams`: the copy; its extent in bytes, rows and slices.
/// - `ctx`: the context; NULL for the current one.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `hGraphExec` is no executable graph, if `hNode` is no
/// node of the graph that it was made of, or a node of another kind, for an empty copy, and for what a copy on a stream
/// refuses with this error; `CUDA_ERROR_INVALID_CONTEXT` if `ctx` is no context, or NULL and the thread has none.
///
/// Manual: Graph Management.
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

/// Changes the parameters of a memset node in an executable graph, for later launches.
///
/// - `hGraphExec`: the executable graph.
/// - `hNode`: the node, of the graph that it was made of.
/// - `memsetParams`: address, pitch in bytes, value, element size (1, 2 or 4 bytes), width in elements, height in rows.
/// - `ctx`: the context; NULL for the current one.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `hGraphExec` is no executable graph, if `hNode` is no
/// node of the graph that it was made of, or a node of another kind, for an empty memset, another element size,
/// addresses and pitches that are not multiples of it, a pitch less than a row, and for what is no memory;
/// `CUDA_ERROR_INVALID_CONTEXT` if `ctx` is no context, or NULL and the thread has none.
///
/// Manual: Graph Management.
#[entry(since = 10020, needs = init)]
pub fn cuGraphExecMemsetNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    memsetParams: In<CUDA_MEMSET_NODE_PARAMS>,
    ctx: CUcontext,
) -> Result<()> {
    let params = memsetParams.get()?;
    Exec::find(hGraphExec.0)?.set(hNode.0, |_| memset_of(&params, ctx))
}

/// Changes the parameters of a host node in an executable graph, for later launches.
///
/// - `hGraphExec`: the executable graph.
/// - `hNode`: the node, of the graph that it was made of.
/// - `nodeParams`: function and its argument.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `hGraphExec` is no executable graph, if `hNode` is no
/// node of the graph that it was made of, or a node of another kind, and if the function is NULL.
///
/// Manual: Graph Management.
#[entry(since = 10020, needs = init)]
pub fn cuGraphExecHostNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    nodeParams: In<CUDA_HOST_NODE_PARAMS>,
) -> Result<()> {
    let params = nodeParams.get()?;
    Exec::find(hGraphExec.0)?.set(hNode.0, |_| host_of(&params))
}

/// Changes the parameters inside a child node of an executable graph, for later launches.
///
/// - `hGraphExec`: the executable graph.
/// - `hNode`: the node, of the graph that it was made of.
/// - `childGraph`: the graph whose parameters are taken over; it must have the shape of the one inside.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `hGraphExec` is no executable graph, if `hNode` is no node of the graph that
/// it was made of, or a node of another kind, and if `childGraph` is no graph, or differs in nodes, edges or kinds.
///
/// Manual: Graph Management.
#[entry(since = 11010, needs = init)]
pub fn cuGraphExecChildGraphNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    childGraph: CUgraph,
) -> Result<()> {
    let child = Graph::find(childGraph.0)?;
    Exec::find(hGraphExec.0)?.set_child(hNode.0, &child)
}

/// Changes the event of an event-record node in an executable graph, for later launches.
///
/// - `hGraphExec`: the executable graph.
/// - `hNode`: the node, of the graph that it was made of.
/// - `event`: the event.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `event` is no event, `CUDA_ERROR_CONTEXT_IS_DESTROYED` if its context is
/// gone; `CUDA_ERROR_INVALID_VALUE` if `hGraphExec` is no executable graph, if `hNode` is no node of the graph that it
/// was made of, or a node of another kind.
///
/// Manual: Graph Management.
#[entry(since = 11010, needs = init)]
pub fn cuGraphExecEventRecordNodeSetEvent(hGraphExec: CUgraphExec, hNode: CUgraphNode, event: CUevent) -> Result<()> {
    let event = Event::find(event.0)?;
    Exec::find(hGraphExec.0)?.set(hNode.0, |_| Ok(Operation::Record(event)))
}

/// Changes the event of an event-wait node in an executable graph, for later launches.
///
/// - `hGraphExec`: the executable graph.
/// - `hNode`: the node, of the graph that it was made of.
/// - `event`: the event.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `event` is no event, `CUDA_ERROR_CONTEXT_IS_DESTROYED` if its context is
/// gone; `CUDA_ERROR_INVALID_VALUE` if `hGraphExec` is no executable graph, if `hNode` is no node of the graph that it
/// was made of, or a node of another kind.
///
/// Manual: Graph Management.
#[entry(since = 11010, needs = init)]
pub fn cuGraphExecEventWaitNodeSetEvent(hGraphExec: CUgraphExec, hNode: CUgraphNode, event: CUevent) -> Result<()> {
    let event = Event::find(event.0)?;
    Exec::find(hGraphExec.0)?.set(hNode.0, |_| Ok(Operation::Wait(event)))
}

/// The number of semaphores of an executable node stays.
fn as_many(old: &Operation, new: Operation) -> Result<Operation> {
    if let (Operation::Semaphores { works: old, .. }, Operation::Semaphores { works: new, .. }) = (old, &new) {
        refuse_if!(Error::INVALID_VALUE, old.len() != new.len(), "nodeParams: numExtSems is not what the node has");
    }
    Ok(new)
}

/// Changes the parameters of a semaphore-signal node in an executable graph.
///
/// - `hGraphExec`: the executable graph.
/// - `hNode`: the node, of the graph that it was made of.
/// - `nodeParams`: the new parameters.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `nodeParams` is NULL, if `hGraphExec` is no executable graph, and if `hNode` is no node of the
/// graph that it was made of, or a node of another kind; `CUDA_ERROR_INVALID_HANDLE` for what is no imported semaphore.
///
/// Manual: Graph Management.
#[entry(since = 11020, needs = init)]
pub fn cuGraphExecExternalSemaphoresSignalNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    nodeParams: In<CUDA_EXT_SEM_SIGNAL_NODE_PARAMS>,
) -> Result<()> {
    let params = nodeParams.get()?;
    let operation = semaphores_of(params)?;
    Exec::find(hGraphExec.0)?.set(hNode.0, |old| as_many(old, operation))
}

/// Changes the parameters of a semaphore-wait node in an executable graph.
///
/// - `hGraphExec`: the executable graph.
/// - `hNode`: the node, of the graph that it was made of.
/// - `nodeParams`: the new parameters.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `nodeParams` is NULL, if `hGraphExec` is no executable graph, and if `hNode` is no node of the
/// graph that it was made of, or a node of another kind; `CUDA_ERROR_INVALID_HANDLE` for what is no imported semaphore.
///
/// Manual: Graph Management.
#[entry(since = 11020, needs = init)]
pub fn cuGraphExecExternalSemaphoresWaitNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    nodeParams: In<CUDA_EXT_SEM_WAIT_NODE_PARAMS>,
) -> Result<()> {
    let params = nodeParams.get()?;
    let operation = semaphores_of(params)?;
    Exec::find(hGraphExec.0)?.set(hNode.0, |old| as_many(old, operation))
}

/// Switches a node of an executable graph on or off, for later launches.
///
/// - `hGraphExec`: the executable graph.
/// - `hNode`: a kernel, copy or memset node of the graph that it was made of.
/// - `isEnabled`: 0 for off, anything else for on.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `hGraphExec` is no executable graph, if `hNode` is no node of the graph that
/// it was made of, or a node of another kind.
///
/// Manual: Graph Management.
#[entry(since = 11060, needs = init)]
pub fn cuGraphNodeSetEnabled(hGraphExec: CUgraphExec, hNode: CUgraphNode, isEnabled: c_uint) -> Result<()> {
    Exec::find(hGraphExec.0)?.enable(hNode.0, isEnabled != 0)
}

/// Tells whether a node of an executable graph is switched on.
///
/// - `hGraphExec`: the executable graph.
/// - `hNode`: a kernel, copy or memset node of the graph that it was made of.
/// - `isEnabled`: receives 1 for on, 0 for off.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `hGraphExec` is no executable graph, if `hNode` is no
/// node of the graph that it was made of, or a node of another kind.
///
/// Manual: Graph Management.
#[entry(since = 11060, needs = init)]
pub fn cuGraphNodeGetEnabled(hGraphExec: CUgraphExec, hNode: CUgraphNode, isEnabled: Out<c_uint>) -> Result<()> {
    isEnabled.check()?;
    isEnabled.set(Exec::find(hGraphExec.0)?.is_enabled(hNode.0)?.into())
}

/// Brings an executable graph to the device ahead of its first launch: there is nothing to do here.
///
/// - `hGraphExec`: the executable graph.
/// - `hStream`: the stream.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `hGraphExec` is no executable graph.
///
/// Manual: Graph Management.
#[entry(since = 11010, twin = "ptsz")]
pub fn cuGraphUpload(hGraphExec: CUgraphExec, hStream: CUstream) -> Result<()> {
    Exec::find(hGraphExec.0)?;
    lookup(hStream, default_stream)?.admit().map(drop)
}

/// Queues an executable graph on a stream.
///
/// Launches of one executable graph do not overlap: each waits for the one before.
///
/// - `hGraphExec`: the executable graph.
/// - `hStream`: the stream.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `hGraphExec` is no executable graph, while memory that the last launch
/// allocated is not freed (unless the graph was made to free it itself); `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` for a
/// captured stream, which invalidates the capture; `CUDA_ERROR_OUT_OF_MEMORY` if there is no memory for what it allocates; with `CUDA_LAUNCH_BLOCKING` the
/// error of the work itself.
///
/// Manual: Graph Management.
#[entry(since = 10000, twin = "ptsz")]
pub fn cuGraphLaunch(hGraphExec: CUgraphExec, hStream: CUstream) -> Result<()> {
    let exec = Exec::find(hGraphExec.0)?;
    let stream = lookup(hStream, default_stream)?;
    if stream.admit()? {
        return Err(capture::refuse(&stream));
    }
    exec.launch(&stream)?;
    launch::wait_if_blocking(&stream)
}

/// Destroys an executable graph.
///
/// Launches that have begun still complete.
///
/// - `hGraphExec`: the executable graph.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `hGraphExec` is no executable graph; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED`
/// while a capture forbids the call.
///
/// Manual: Graph Management.
#[entry(since = 10000, needs = init)]
pub fn cuGraphExecDestroy(hGraphExec: CUgraphExec) -> Result<()> {
    capture::check_call()?;
    Exec::destroy(hGraphExec.0)
}

/// Takes the parameters of an executable graph over from a graph of the same shape, with a detailed result.
///
/// - `hGraphExec`: the executable graph.
/// - `hGraph`: the graph.
/// - `resultInfo`: receives what differs, and the nodes where, or success.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `hGraphExec` is no executable graph, `hGraph` no graph, or `resultInfo` NULL;
/// `CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE` if they differ in nodes, edges or kinds, or in whether a kernel is
/// cooperative.
///
/// Manual: Graph Management.
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
    if result == CU_GRAPH_EXEC_UPDATE_SUCCESS {
        Ok(())
    } else {
        Err(refuse!(
            Error::GRAPH_EXEC_UPDATE_FAILURE,
            "hGraph differs too much from the graph that hGraphExec was made from: {:?}",
            result
        ))
    }
}

/// Takes the parameters of an executable graph over from a graph of the same shape.
///
/// First form of [`cuGraphExecUpdate_v2`].
///
/// - `hGraphExec`: the executable graph.
/// - `hGraph`: the graph.
/// - `hErrorNode_out`: receives the node that differs, NULL if none does; may be NULL.
/// - `updateResult_out`: receives what differs, or success.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `hGraphExec` is no executable graph, `hGraph` no graph, or `updateResult_out`
/// NULL; `CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE` if they differ in nodes, edges or kinds, or in whether a kernel is
/// cooperative.
///
/// Manual: Graph Management.
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
    if result == CU_GRAPH_EXEC_UPDATE_SUCCESS {
        Ok(())
    } else {
        Err(refuse!(
            Error::GRAPH_EXEC_UPDATE_FAILURE,
            "hGraph differs too much from the graph that hGraphExec was made from: {:?}",
            result
        ))
    }
}

/// Changes the parameters of a node of any kind in an executable graph, for later launches.
///
/// - `hGraphExec`: the executable graph.
/// - `hNode`: the node, of the graph that it was made of.
/// - `nodeParams`: kind and parameters; reserved members are 0.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `hGraphExec` is no executable graph, if `hNode` is no
/// node of the graph that it was made of, or a node of another kind, for reserved members that are not 0, for nodes
/// that allocate or free memory, and for what the function for nodes of its kind refuses with this error;
/// `CUDA_ERROR_NOT_SUPPORTED` for semaphores and conditional nodes; every other error of the function for nodes of its
/// kind.
///
/// Manual: Graph Management.
#[entry(since = 12020, needs = init)]
pub fn cuGraphExecNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    nodeParams: InMut<CUgraphNodeParams>,
) -> Result<()> {
    let mut params = nodeParams.get()?;
    let exec = Exec::find(hGraphExec.0)?;
    let node = Node::find(hNode.0)?;
    node.graph()?;
    check_change(&node, &params)?;
    match operation_of(None, &mut params)? {
        Operation::Child(graph) => exec.set_child(hNode.0, &graph),
        operation => exec.set(hNode.0, |_| Ok(operation)),
    }
}

/// Flags of every way to make an executable graph.
const INSTANTIATE_FLAGS: u64 = CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH.0 as u64
    | CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH.0 as u64
    | CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY.0 as u64;

fn instantiate(graph: &Arc<Graph>, flags: u64, known: u64) -> Result<Arc<Exec>> {
    refuse_if!(Error::INVALID_VALUE, flags & !known != 0, "flags {:#x} has unknown bits", flags);
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
                Difference::Topology => CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED,
                Difference::Type => CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED,
                Difference::Attributes => CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED,
                Difference::Unsupported => CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED,
            };
            (result, CUgraphNode(mismatch.node), CUgraphNode(mismatch.from))
        }
    }
}
