//! Graph Management (nodes).

#![allow(non_snake_case)]

use super::convert::graph_kernel::{
    changed_kernel, describe_kernel, kernel_at, kernel_of, with_attribute, with_attributes_of,
};
use super::convert::graph_params::{
    allocation_of, check_change, check_kernel_context, copy_of, describe, describe_allocation, describe_copy,
    describe_host, describe_memory_operations, describe_memset, free_of, host_of, memory_operations_of, memset_of,
    operation_of, plain, semaphores_given, semaphores_of, with_data,
};
use super::convert::launch_attribute;
use super::ptr::{In, InMut, InOut, Out};
use super::types::{
    CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT,
    CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, CUDA_BATCH_MEM_OP_NODE_PARAMS, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS,
    CUDA_EXT_SEM_WAIT_NODE_PARAMS, CUDA_HOST_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v1,
    CUDA_MEM_ALLOC_NODE_PARAMS, CUDA_MEMCPY3D, CUDA_MEMSET_NODE_PARAMS, CUcontext, CUdevice, CUdeviceptr, CUevent,
    CUgraph, CUgraphEdgeData, CUgraphMem_attribute, CUgraphNode, CUgraphNodeParams, CUkernelNodeAttrID,
    CUkernelNodeAttrValue,
};
use api_macro::entry;
use core::ffi::c_void;
use device::graph::{EdgeData, Graph, Node, Operation, memory};
use device::stream::event::Event;
use error::{Error, Result, refuse, refuse_if};
use std::sync::Arc;

/// Adds a node that launches a kernel.
///
/// The parameters are copied before the call returns.
///
/// - `phGraphNode`: receives the node.
/// - `hGraph`: the graph.
/// - `dependencies`: nodes of the graph that the new one depends on; NULL for none.
/// - `numDependencies`: number of dependencies.
/// - `nodeParams`: function or library's kernel, grid, block, dynamic shared memory in bytes, parameters, context (NULL
///   for the current one).
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `hGraph` is no graph, for a dependency that is not one
/// of its nodes or is listed twice, and for what `cuLaunchKernel` refuses with this error; every other error of
/// `cuLaunchKernel`.
///
/// Manual: Graph Management.
#[entry(since = 12000, needs = init)]
pub fn cuGraphAddKernelNode_v2(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    numDependencies: usize,
    nodeParams: In<CUDA_KERNEL_NODE_PARAMS>,
) -> Result<()> {
    add_operation(phGraphNode, hGraph, dependencies, numDependencies, || kernel_of(&nodeParams.get()?))
}

/// Adds a node that launches a kernel, a function only.
///
/// First form of [`cuGraphAddKernelNode_v2`].
///
/// - `phGraphNode`: receives the node.
/// - `hGraph`: the graph.
/// - `dependencies`: nodes of the graph that the new one depends on; NULL for none.
/// - `numDependencies`: number of dependencies.
/// - `nodeParams`: function, grid, block, dynamic shared memory in bytes, parameters.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `hGraph` is no graph, for a dependency that is not one
/// of its nodes or is listed twice, and for what `cuLaunchKernel` refuses with this error; every other error of
/// `cuLaunchKernel`.
///
/// Manual: Graph Management.
#[entry(since = 10000, needs = init)]
pub fn cuGraphAddKernelNode(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    numDependencies: usize,
    nodeParams: In<CUDA_KERNEL_NODE_PARAMS_v1>,
) -> Result<()> {
    add_operation(phGraphNode, hGraph, dependencies, numDependencies, || kernel_of(&nodeParams.get()?.into()))
}

/// Reads the parameters of a kernel node.
///
/// - `hNode`: the node.
/// - `nodeParams`: receives them; the arrays belong to the node and live until it changes.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, and if `hNode` is no node of this kind.
///
/// Manual: Graph Management.
#[entry(since = 12000, needs = init)]
pub fn cuGraphKernelNodeGetParams_v2(hNode: CUgraphNode, nodeParams: Out<CUDA_KERNEL_NODE_PARAMS>) -> Result<()> {
    nodeParams.check()?;
    nodeParams.set(describe_kernel(&*kernel_at(hNode.0)?))
}

/// Reads the parameters of a kernel node, without library's kernel and context.
///
/// First form of [`cuGraphKernelNodeGetParams_v2`].
///
/// - `hNode`: the node.
/// - `nodeParams`: receives them; the arrays belong to the node and live until it changes.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, and if `hNode` is no node of this kind.
///
/// Manual: Graph Management.
#[entry(since = 10000, needs = init)]
pub fn cuGraphKernelNodeGetParams(hNode: CUgraphNode, nodeParams: Out<CUDA_KERNEL_NODE_PARAMS_v1>) -> Result<()> {
    nodeParams.check()?;
    nodeParams.set(describe_kernel(&*kernel_at(hNode.0)?).into())
}

/// Changes the parameters of a kernel node.
///
/// The node keeps its attributes.
///
/// - `hNode`: the node.
/// - `nodeParams`: function or library's kernel, grid, block, dynamic shared memory in bytes, parameters, context (NULL
///   for the current one).
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `hNode` is no node of this kind, and for what
/// `cuLaunchKernel` refuses with this error; every other error of `cuLaunchKernel`.
///
/// Manual: Graph Management.
#[entry(since = 12000, needs = init)]
pub fn cuGraphKernelNodeSetParams_v2(hNode: CUgraphNode, nodeParams: In<CUDA_KERNEL_NODE_PARAMS>) -> Result<()> {
    let params = nodeParams.get()?;
    Node::find(hNode.0)?.update(|old| changed_kernel(old, &params))
}

/// Changes the parameters of a kernel node, a function only.
///
/// First form of [`cuGraphKernelNodeSetParams_v2`].
///
/// - `hNode`: the node.
/// - `nodeParams`: function, grid, block, dynamic shared memory in bytes, parameters.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `hNode` is no node of this kind, and for what
/// `cuLaunchKernel` refuses with this error; every other error of `cuLaunchKernel`.
///
/// Manual: Graph Management.
#[entry(since = 10000, needs = init)]
pub fn cuGraphKernelNodeSetParams(hNode: CUgraphNode, nodeParams: In<CUDA_KERNEL_NODE_PARAMS_v1>) -> Result<()> {
    let params = nodeParams.get()?.into();
    Node::find(hNode.0)?.update(|old| changed_kernel(old, &params))
}

/// Adds a node that copies a box of memory.
///
/// The copy is checked here as a copy on a stream would be, and also when it is empty.
///
/// - `phGraphNode`: receives the node.
/// - `hGraph`: the graph.
/// - `dependencies`: nodes of the graph that the new one depends on; NULL for none.
/// - `numDependencies`: number of dependencies.
/// - `copyParams`: the copy; its extent in bytes, rows and slices.
/// - `ctx`: the context; NULL for the current one.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `hGraph` is no graph, for a dependency that is not one
/// of its nodes or is listed twice, for an empty copy, and for what a copy on a stream refuses with this error;
/// `CUDA_ERROR_INVALID_CONTEXT` if `ctx` is no context, or NULL and the thread has none;
/// `CUDA_ERROR_CONTEXT_IS_DESTROYED` if `ctx` was destroyed.
///
/// Manual: Graph Management.
#[entry(since = 10000, needs = init)]
pub fn cuGraphAddMemcpyNode(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    numDependencies: usize,
    copyParams: In<CUDA_MEMCPY3D>,
    ctx: CUcontext,
) -> Result<()> {
    add_operation(phGraphNode, hGraph, dependencies, numDependencies, || copy_of(&copyParams.get()?, ctx))
}

/// Reads the parameters of a copy node.
///
/// - `hNode`: the node.
/// - `nodeParams`: receives them.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, and if `hNode` is no node of this kind;
/// `CUDA_ERROR_NOT_SUPPORTED` for a captured copy with arrays.
///
/// Manual: Graph Management.
#[entry(since = 10000, needs = init)]
pub fn cuGraphMemcpyNodeGetParams(hNode: CUgraphNode, nodeParams: Out<CUDA_MEMCPY3D>) -> Result<()> {
    nodeParams.check()?;
    match Node::find(hNode.0)?.operation() {
        Operation::Copy(work, given) => nodeParams.set(describe_copy(&work, &given)?),
        _ => Err(refuse!(Error::INVALID_VALUE, "hNode {:#x} is not a memcpy node", hNode.0)),
    }
}

/// Changes the parameters of a copy node.
///
/// - `hNode`: the node.
/// - `nodeParams`: the copy; its extent in bytes, rows and slices.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `hNode` is no node of this kind, for an empty copy, and
/// for what a copy on a stream refuses with this error; `CUDA_ERROR_INVALID_CONTEXT` if the thread has no current
/// context.
///
/// Manual: Graph Management.
#[entry(since = 10000, needs = init)]
pub fn cuGraphMemcpyNodeSetParams(hNode: CUgraphNode, nodeParams: In<CUDA_MEMCPY3D>) -> Result<()> {
    let params = nodeParams.get()?;
    Node::find(hNode.0)?.update(|_| copy_of(&params, CUcontext::NULL))
}

/// Adds a memset node.
///
/// The memset is checked here as one on a stream would be.
///
/// - `phGraphNode`: receives the node.
/// - `hGraph`: the graph.
/// - `dependencies`: nodes of the graph that the new one depends on; NULL for none.
/// - `numDependencies`: number of dependencies.
/// - `memsetParams`: address, pitch in bytes, value, element size (1, 2 or 4 bytes), width in elements, height in rows.
/// - `ctx`: the context; NULL for the current one.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `hGraph` is no graph, for a dependency that is not one
/// of its nodes or is listed twice, for an empty memset, another element size, addresses and pitches that are not
/// multiples of it, a pitch less than a row, and for what is no memory; `CUDA_ERROR_INVALID_CONTEXT` if `ctx` is no
/// context, or NULL and the thread has none; `CUDA_ERROR_CONTEXT_IS_DESTROYED` if `ctx` was destroyed.
///
/// Manual: Graph Management.
#[entry(since = 10000, needs = init)]
pub fn cuGraphAddMemsetNode(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    numDependencies: usize,
    memsetParams: In<CUDA_MEMSET_NODE_PARAMS>,
    ctx: CUcontext,
) -> Result<()> {
    add_operation(phGraphNode, hGraph, dependencies, numDependencies, || memset_of(&memsetParams.get()?, ctx))
}

/// Reads the parameters of a memset node.
///
/// - `hNode`: the node.
/// - `nodeParams`: receives them.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, and if `hNode` is no node of this kind.
///
/// Manual: Graph Management.
#[entry(since = 10000, needs = init)]
pub fn cuGraphMemsetNodeGetParams(hNode: CUgraphNode, nodeParams: Out<CUDA_MEMSET_NODE_PARAMS>) -> Result<()> {
    nodeParams.check()?;
    match Node::find(hNode.0)?.operation() {
        Operation::Memset(memset, _) => nodeParams.set(describe_memset(&memset)),
        _ => Err(refuse!(Error::INVALID_VALUE, "hNode {:#x} is not a memset node", hNode.0)),
    }
}

/// Changes the parameters of a memset node.
///
/// - `hNode`: the node.
/// - `nodeParams`: address, pitch in bytes, value, element size (1, 2 or 4 bytes), width in elements, height in rows.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `hNode` is no node of this kind, for an empty memset,
/// another element size, addresses and pitches that are not multiples of it, a pitch less than a row, and for what is
/// no memory; `CUDA_ERROR_INVALID_CONTEXT` if the thread has no current context.
///
/// Manual: Graph Management.
#[entry(since = 10000, needs = init)]
pub fn cuGraphMemsetNodeSetParams(hNode: CUgraphNode, nodeParams: In<CUDA_MEMSET_NODE_PARAMS>) -> Result<()> {
    let params = nodeParams.get()?;
    Node::find(hNode.0)?.update(|_| memset_of(&params, CUcontext::NULL))
}

/// Adds a node that calls a host function.
///
/// - `phGraphNode`: receives the node.
/// - `hGraph`: the graph.
/// - `dependencies`: nodes of the graph that the new one depends on; NULL for none.
/// - `numDependencies`: number of dependencies.
/// - `nodeParams`: function and its argument.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `hGraph` is no graph, for a dependency that is not one
/// of its nodes or is listed twice, and if the function is NULL.
///
/// Manual: Graph Management.
#[entry(since = 10000, needs = nothing)]
pub fn cuGraphAddHostNode(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    numDependencies: usize,
    nodeParams: In<CUDA_HOST_NODE_PARAMS>,
) -> Result<()> {
    add_operation(phGraphNode, hGraph, dependencies, numDependencies, || host_of(&nodeParams.get()?))
}

/// Reads the parameters of a host node.
///
/// - `hNode`: the node.
/// - `nodeParams`: receives function and argument.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, and if `hNode` is no node of this kind.
///
/// Manual: Graph Management.
#[entry(since = 10000, needs = init)]
pub fn cuGraphHostNodeGetParams(hNode: CUgraphNode, nodeParams: Out<CUDA_HOST_NODE_PARAMS>) -> Result<()> {
    nodeParams.check()?;
    match Node::find(hNode.0)?.operation() {
        Operation::Host(call) => nodeParams.set(describe_host(&call)),
        _ => Err(refuse!(Error::INVALID_VALUE, "hNode {:#x} is not a host node", hNode.0)),
    }
}

/// Changes the parameters of a host node.
///
/// - `hNode`: the node.
/// - `nodeParams`: function and its argument.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `hNode` is no node of this kind, and if the function is
/// NULL.
///
/// Manual: Graph Management.
#[entry(since = 10000, needs = init)]
pub fn cuGraphHostNodeSetParams(hNode: CUgraphNode, nodeParams: In<CUDA_HOST_NODE_PARAMS>) -> Result<()> {
    let params = nodeParams.get()?;
    Node::find(hNode.0)?.update(|_| host_of(&params))
}

/// Adds a node that runs a copy of another graph.
///
/// The copy is made here.
///
/// - `phGraphNode`: receives the node.
/// - `hGraph`: the graph.
/// - `dependencies`: nodes of the graph that the new one depends on; NULL for none.
/// - `numDependencies`: number of dependencies.
/// - `childGraph`: the other graph.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `hGraph` is no graph, for a dependency that is not one
/// of its nodes or is listed twice, and if `childGraph` is no graph; `CUDA_ERROR_NOT_SUPPORTED` if it has nodes that
/// allocate or free memory.
///
/// Manual: Graph Management.
#[entry(since = 10000, needs = init)]
pub fn cuGraphAddChildGraphNode(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    numDependencies: usize,
    childGraph: CUgraph,
) -> Result<()> {
    add_operation(phGraphNode, hGraph, dependencies, numDependencies, || {
        Ok(Operation::Child(Graph::find(childGraph.0)?.embed()?))
    })
}

/// Hands out the graph embedded in a child node.
///
/// - `hNode`: the node.
/// - `phGraph`: receives the graph, which goes with the node.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, and if `hNode` is no node of this kind.
///
/// Manual: Graph Management.
#[entry(since = 10000, needs = init)]
pub fn cuGraphChildGraphNodeGetGraph(hNode: CUgraphNode, phGraph: Out<CUgraph>) -> Result<()> {
    phGraph.check()?;
    match Node::find(hNode.0)?.operation() {
        Operation::Child(graph) => phGraph.set(CUgraph(graph.handle)),
        _ => Err(refuse!(Error::INVALID_VALUE, "hNode {:#x} is not a child graph", hNode.0)),
    }
}

/// Adds a node that does nothing, as a joining point of dependencies.
///
/// - `phGraphNode`: receives the node.
/// - `hGraph`: the graph.
/// - `dependencies`: nodes of the graph that the new one depends on; NULL for none.
/// - `numDependencies`: number of dependencies.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `hGraph` is no graph, for a dependency that is not one
/// of its nodes or is listed twice.
///
/// Manual: Graph Management.
#[entry(since = 10000, needs = nothing)]
pub fn cuGraphAddEmptyNode(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    numDependencies: usize,
) -> Result<()> {
    add_operation(phGraphNode, hGraph, dependencies, numDependencies, || Ok(Operation::Empty))
}

/// Adds a node that records an event.
///
/// - `phGraphNode`: receives the node.
/// - `hGraph`: the graph.
/// - `dependencies`: nodes of the graph that the new one depends on; NULL for none.
/// - `numDependencies`: number of dependencies.
/// - `event`: the event.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `hGraph` is no graph, for a dependency that is not one
/// of its nodes or is listed twice; `CUDA_ERROR_INVALID_HANDLE` if `event` is no event,
/// `CUDA_ERROR_CONTEXT_IS_DESTROYED` if its context is gone.
///
/// Manual: Graph Management.
#[entry(since = 11010, needs = init)]
pub fn cuGraphAddEventRecordNode(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    numDependencies: usize,
    event: CUevent,
) -> Result<()> {
    add_operation(phGraphNode, hGraph, dependencies, numDependencies, || Ok(Operation::Record(Event::find(event.0)?)))
}

/// Reads the event of an event-record node.
///
/// - `hNode`: the node.
/// - `event_out`: receives the event.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, and if `hNode` is no node of this kind.
///
/// Manual: Graph Management.
#[entry(since = 11010, needs = init)]
pub fn cuGraphEventRecordNodeGetEvent(hNode: CUgraphNode, event_out: Out<CUevent>) -> Result<()> {
    event_out.check()?;
    match Node::find(hNode.0)?.operation() {
        Operation::Record(event) => event_out.set(CUevent(event.handle)),
        _ => Err(refuse!(Error::INVALID_VALUE, "hNode {:#x} is not an event record node", hNode.0)),
    }
}

/// Changes the event of an event-record node.
///
/// - `hNode`: the node.
/// - `event`: the event.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `event` is no event, `CUDA_ERROR_CONTEXT_IS_DESTROYED` if its context is
/// gone; `CUDA_ERROR_INVALID_VALUE` if `hNode` is no node of this kind.
///
/// Manual: Graph Management.
#[entry(since = 11010, needs = init)]
pub fn cuGraphEventRecordNodeSetEvent(hNode: CUgraphNode, event: CUevent) -> Result<()> {
    let event = Event::find(event.0)?;
    Node::find(hNode.0)?.update(|_| Ok(Operation::Record(event)))
}

/// Adds a node that waits for an event.
///
/// - `phGraphNode`: receives the node.
/// - `hGraph`: the graph.
/// - `dependencies`: nodes of the graph that the new one depends on; NULL for none.
/// - `numDependencies`: number of dependencies.
/// - `event`: the event.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `hGraph` is no graph, for a dependency that is not one
/// of its nodes or is listed twice; `CUDA_ERROR_INVALID_HANDLE` if `event` is no event,
/// `CUDA_ERROR_CONTEXT_IS_DESTROYED` if its context is gone.
///
/// Manual: Graph Management.
#[entry(since = 11010, needs = init)]
pub fn cuGraphAddEventWaitNode(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    numDependencies: usize,
    event: CUevent,
) -> Result<()> {
    add_operation(phGraphNode, hGraph, dependencies, numDependencies, || Ok(Operation::Wait(Event::find(event.0)?)))
}

/// Reads the event of an event-wait node.
///
/// - `hNode`: the node.
/// - `event_out`: receives the event.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, and if `hNode` is no node of this kind.
///
/// Manual: Graph Management.
#[entry(since = 11010, needs = init)]
pub fn cuGraphEventWaitNodeGetEvent(hNode: CUgraphNode, event_out: Out<CUevent>) -> Result<()> {
    event_out.check()?;
    match Node::find(hNode.0)?.operation() {
        Operation::Wait(event) => event_out.set(CUevent(event.handle)),
        _ => Err(refuse!(Error::INVALID_VALUE, "hNode {:#x} is not an event wait node", hNode.0)),
    }
}

/// Changes the event of an event-wait node.
///
/// - `hNode`: the node.
/// - `event`: the event.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `event` is no event, `CUDA_ERROR_CONTEXT_IS_DESTROYED` if its context is
/// gone; `CUDA_ERROR_INVALID_VALUE` if `hNode` is no node of this kind.
///
/// Manual: Graph Management.
#[entry(since = 11010, needs = init)]
pub fn cuGraphEventWaitNodeSetEvent(hNode: CUgraphNode, event: CUevent) -> Result<()> {
    let event = Event::find(event.0)?;
    Node::find(hNode.0)?.update(|_| Ok(Operation::Wait(event)))
}

/// Adds a node that signals imported semaphores.
///
/// - `phGraphNode`: receives the node.
/// - `hGraph`: the graph.
/// - `dependencies`: nodes of the graph that the new one depends on; NULL for none.
/// - `numDependencies`: number of dependencies.
/// - `nodeParams`: semaphores and what to signal.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `phGraphNode` or `nodeParams` is NULL, if `hGraph` is no graph, and for a dependency that is
/// not one of its nodes or is listed twice; `CUDA_ERROR_INVALID_HANDLE` for what is no imported semaphore.
///
/// Manual: Graph Management.
#[entry(since = 11020, needs = init)]
pub fn cuGraphAddExternalSemaphoresSignalNode(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    numDependencies: usize,
    nodeParams: In<CUDA_EXT_SEM_SIGNAL_NODE_PARAMS>,
) -> Result<()> {
    add_operation(phGraphNode, hGraph, dependencies, numDependencies, || {
        let params = nodeParams.get()?;
        semaphores_of(params)
    })
}

/// Reads the parameters of a semaphore-signal node.
///
/// - `hNode`: the node.
/// - `params_out`: receives them.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, and if `hNode` is no node of this kind.
///
/// Manual: Graph Management.
#[entry(since = 11020, needs = init)]
pub fn cuGraphExternalSemaphoresSignalNodeGetParams(
    hNode: CUgraphNode,
    params_out: Out<CUDA_EXT_SEM_SIGNAL_NODE_PARAMS>,
) -> Result<()> {
    params_out.check()?;
    params_out.set(semaphores_given(hNode)?)
}

/// Changes the parameters of a semaphore-signal node.
///
/// - `hNode`: the node.
/// - `nodeParams`: semaphores and what to signal.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `nodeParams` is NULL, and if `hNode` is no node of this kind;
/// `CUDA_ERROR_INVALID_HANDLE` for what is no imported semaphore.
///
/// Manual: Graph Management.
#[entry(since = 11020, needs = init)]
pub fn cuGraphExternalSemaphoresSignalNodeSetParams(
    hNode: CUgraphNode,
    nodeParams: In<CUDA_EXT_SEM_SIGNAL_NODE_PARAMS>,
) -> Result<()> {
    let params = nodeParams.get()?;
    let operation = semaphores_of(params)?;
    Node::find(hNode.0)?.update(|_| Ok(operation))
}

/// Adds a node that waits for imported semaphores.
///
/// - `phGraphNode`: receives the node.
/// - `hGraph`: the graph.
/// - `dependencies`: nodes of the graph that the new one depends on; NULL for none.
/// - `numDependencies`: number of dependencies.
/// - `nodeParams`: semaphores and what to wait for.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `phGraphNode` or `nodeParams` is NULL, if `hGraph` is no graph, and for a dependency that is
/// not one of its nodes or is listed twice; `CUDA_ERROR_INVALID_HANDLE` for what is no imported semaphore.
///
/// Manual: Graph Management.
#[entry(since = 11020, needs = init)]
pub fn cuGraphAddExternalSemaphoresWaitNode(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    numDependencies: usize,
    nodeParams: In<CUDA_EXT_SEM_WAIT_NODE_PARAMS>,
) -> Result<()> {
    add_operation(phGraphNode, hGraph, dependencies, numDependencies, || {
        let params = nodeParams.get()?;
        semaphores_of(params)
    })
}

/// Reads the parameters of a semaphore-wait node.
///
/// - `hNode`: the node.
/// - `params_out`: receives them.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, and if `hNode` is no node of this kind.
///
/// Manual: Graph Management.
#[entry(since = 11020, needs = init)]
pub fn cuGraphExternalSemaphoresWaitNodeGetParams(
    hNode: CUgraphNode,
    params_out: Out<CUDA_EXT_SEM_WAIT_NODE_PARAMS>,
) -> Result<()> {
    params_out.check()?;
    params_out.set(semaphores_given(hNode)?)
}

/// Changes the parameters of a semaphore-wait node.
///
/// - `hNode`: the node.
/// - `nodeParams`: semaphores and what to wait for.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `nodeParams` is NULL, and if `hNode` is no node of this kind;
/// `CUDA_ERROR_INVALID_HANDLE` for what is no imported semaphore.
///
/// Manual: Graph Management.
#[entry(since = 11020, needs = init)]
pub fn cuGraphExternalSemaphoresWaitNodeSetParams(
    hNode: CUgraphNode,
    nodeParams: In<CUDA_EXT_SEM_WAIT_NODE_PARAMS>,
) -> Result<()> {
    let params = nodeParams.get()?;
    let operation = semaphores_of(params)?;
    Node::find(hNode.0)?.update(|_| Ok(operation))
}

/// Adds a node that performs several stream memory operations.
///
/// - `phGraphNode`: receives the node.
/// - `hGraph`: the graph.
/// - `dependencies`: nodes of the graph that the new one depends on; NULL for none.
/// - `numDependencies`: number of dependencies.
/// - `nodeParams`: context (NULL for the current one), operations, flags (0).
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `hGraph` is no graph, for a dependency that is not one
/// of its nodes or is listed twice, for flags other than 0, more than 255 operations or unknown ones, and for addresses
/// that are not aligned or where no memory is; `CUDA_ERROR_NOT_SUPPORTED` for a flush of remote writes;
/// `CUDA_ERROR_INVALID_CONTEXT` if the context is none, or NULL and the thread has none.
///
/// Manual: Graph Management.
#[entry(since = 11070, needs = init)]
pub fn cuGraphAddBatchMemOpNode(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    numDependencies: usize,
    nodeParams: In<CUDA_BATCH_MEM_OP_NODE_PARAMS>,
) -> Result<()> {
    add_operation(phGraphNode, hGraph, dependencies, numDependencies, || memory_operations_of(&nodeParams.get()?))
}

/// Reads the parameters of a memory-operation node.
///
/// - `hNode`: the node.
/// - `nodeParams_out`: receives them; the array of operations belongs to the node and lives until the node is changed.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, and if `hNode` is no node of this kind;
/// `CUDA_ERROR_NOT_SUPPORTED` for a captured node.
///
/// Manual: Graph Management.
#[entry(since = 11070, needs = init)]
pub fn cuGraphBatchMemOpNodeGetParams(
    hNode: CUgraphNode,
    nodeParams_out: Out<CUDA_BATCH_MEM_OP_NODE_PARAMS>,
) -> Result<()> {
    nodeParams_out.check()?;
    match Node::find(hNode.0)?.operation() {
        Operation::MemoryOperations(_, given) => nodeParams_out.set(describe_memory_operations(&given)?),
        _ => Err(refuse!(Error::INVALID_VALUE, "hNode {:#x} is not a batch memory operation node", hNode.0)),
    }
}

/// Changes the parameters of a memory-operation node.
///
/// - `hNode`: the node.
/// - `nodeParams`: context (NULL for the current one), operations, flags (0).
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `hNode` is no node of this kind, for flags other than 0,
/// more than 255 operations or unknown ones, and for addresses that are not aligned or where no memory is;
/// `CUDA_ERROR_NOT_SUPPORTED` for a flush of remote writes; `CUDA_ERROR_INVALID_CONTEXT` if the context does not exist,
/// or is NULL and none is current.
///
/// Manual: Graph Management.
#[entry(since = 11070, needs = init)]
pub fn cuGraphBatchMemOpNodeSetParams(hNode: CUgraphNode, nodeParams: In<CUDA_BATCH_MEM_OP_NODE_PARAMS>) -> Result<()> {
    let params = nodeParams.get()?;
    Node::find(hNode.0)?.update(|_| memory_operations_of(&params))
}

/// Adds a node that allocates memory; the address is reported at once.
///
/// The memory is there while the graph runs, until a node or the program frees it.
///
/// - `phGraphNode`: receives the node.
/// - `hGraph`: the graph.
/// - `dependencies`: nodes of the graph that the new one depends on; NULL for none.
/// - `numDependencies`: number of dependencies.
/// - `nodeParams`: size in bytes, at least 1, and properties: memory of a device that no other process can get;
///   receives the address.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `hGraph` is no graph, for a dependency that is not one
/// of its nodes or is listed twice, for a size of 0, and for memory of another kind or of no device;
/// `CUDA_ERROR_NOT_SUPPORTED` for a handle type; `CUDA_ERROR_OUT_OF_MEMORY` for more than the device has.
///
/// Manual: Graph Management.
#[entry(since = 11040, needs = init)]
pub fn cuGraphAddMemAllocNode(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    numDependencies: usize,
    nodeParams: InOut<CUDA_MEM_ALLOC_NODE_PARAMS>,
) -> Result<()> {
    phGraphNode.check()?;
    let (graph, dependencies) = (Graph::find(hGraph.0)?, plain(dependencies, numDependencies)?);
    let mut params = nodeParams.get()?;
    let allocation = allocation_of(Some((&*graph, &dependencies[..])), &params)?;
    params.dptr = allocation.address as CUdeviceptr;
    let node = graph.add(Operation::Allocate(allocation), &dependencies)?;
    nodeParams.set(params)?;
    phGraphNode.set(CUgraphNode(node.handle))
}

/// Reads the parameters of an allocation node.
///
/// - `hNode`: the node.
/// - `params_out`: receives them, with the address.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, and if `hNode` is no node of this kind.
///
/// Manual: Graph Management.
#[entry(since = 11040, needs = init)]
pub fn cuGraphMemAllocNodeGetParams(hNode: CUgraphNode, params_out: Out<CUDA_MEM_ALLOC_NODE_PARAMS>) -> Result<()> {
    params_out.check()?;
    match Node::find(hNode.0)?.operation() {
        Operation::Allocate(allocation) => params_out.set(describe_allocation(&allocation)),
        _ => Err(refuse!(Error::INVALID_VALUE, "hNode {:#x} is not a memory allocation node", hNode.0)),
    }
}

/// Adds a node that frees memory which an allocation node made.
///
/// - `phGraphNode`: receives the node.
/// - `hGraph`: the graph.
/// - `dependencies`: nodes of the graph that the new one depends on; NULL for none.
/// - `numDependencies`: number of dependencies.
/// - `dptr`: the address, from an allocation node of this graph or another one.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `hGraph` is no graph, for a dependency that is not one
/// of its nodes or is listed twice, for any other address, for an allocation that this graph frees already, and for an
/// allocation of this graph once another graph frees it, or once this graph was made executable without a node that
/// frees it.
///
/// Manual: Graph Management.
#[entry(since = 11040, needs = init)]
pub fn cuGraphAddMemFreeNode(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    numDependencies: usize,
    dptr: CUdeviceptr,
) -> Result<()> {
    phGraphNode.check()?;
    let (graph, dependencies) = (Graph::find(hGraph.0)?, plain(dependencies, numDependencies)?);
    let node = graph.add(free_of(Some((&*graph, &dependencies[..])), dptr)?, &dependencies)?;
    phGraphNode.set(CUgraphNode(node.handle))
}

/// Reads the address that a free node frees.
///
/// - `hNode`: the node.
/// - `dptr_out`: receives the address.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, and if `hNode` is no node of this kind.
///
/// Manual: Graph Management.
#[entry(since = 11040, needs = init)]
pub fn cuGraphMemFreeNodeGetParams(hNode: CUgraphNode, dptr_out: Out<CUdeviceptr>) -> Result<()> {
    dptr_out.check()?;
    match Node::find(hNode.0)?.operation() {
        Operation::Free(allocation) => dptr_out.set(allocation.address as CUdeviceptr),
        _ => Err(refuse!(Error::INVALID_VALUE, "hNode {:#x} is not a memory free node", hNode.0)),
    }
}

/// Gives unused memory of graph allocations on a device back to the system.
///
/// - `device`: the device.
///
/// Errors: `CUDA_ERROR_INVALID_DEVICE` if there is no such device.
///
/// Manual: Graph Management.
#[entry(since = 11040, needs = init)]
pub fn cuDeviceGraphMemTrim(device: CUdevice) -> Result<()> {
    memory::trim(device::device(device)?);
    Ok(())
}

/// Reads a counter of graph allocations on a device.
///
/// - `device`: the device.
/// - `attr`: which one: memory used or reserved, now or at most.
/// - `value`: receives bytes, in steps of 32 MiB, as a `cuuint64_t`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `value` is NULL, and for an unknown counter; `CUDA_ERROR_INVALID_DEVICE` if
/// there is no such device.
///
/// Manual: Graph Management.
#[entry(since = 11040, needs = init)]
pub fn cuDeviceGetGraphMemAttribute(device: CUdevice, attr: CUgraphMem_attribute, value: *mut c_void) -> Result<()> {
    let value: Out<u64> = Out(value.cast());
    value.check()?;
    let device = device::device(device)?;
    let counters = memory::counters(device, |c| c.clone());
    value.set(match attr {
        CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT => counters.used,
        CU_GRAPH_MEM_ATTR_USED_MEM_HIGH => counters.used_high,
        CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT => counters.reserved,
        CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH => counters.reserved_high,
        _ => return Err(refuse!(Error::INVALID_VALUE, "attr {:?} is not a CUgraphMem_attribute", attr)),
    } as u64)
}

/// Resets a high-water mark of graph allocations on a device.
///
/// - `device`: the device.
/// - `attr`: which one: memory used or reserved at most.
/// - `value`: a `cuuint64_t` that is 0.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `value` is NULL or not 0, and for any other counter;
/// `CUDA_ERROR_INVALID_DEVICE` if there is no such device.
///
/// Manual: Graph Management.
#[entry(since = 11040, needs = init)]
pub fn cuDeviceSetGraphMemAttribute(device: CUdevice, attr: CUgraphMem_attribute, value: *mut c_void) -> Result<()> {
    let device = device::device(device)?;
    let value: u64 = In(value.cast::<u64>()).get()?;
    refuse_if!(Error::INVALID_VALUE, value != 0, "value {} is not 0", value);
    memory::counters(device, |c| match attr {
        CU_GRAPH_MEM_ATTR_USED_MEM_HIGH => {
            c.used_high = c.used;
            Ok(())
        }
        CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH => {
            c.reserved_high = c.reserved;
            Ok(())
        }
        _ => Err(refuse!(Error::INVALID_VALUE, "attr {:?} cannot be set", attr)),
    })
}

/// Copies all attributes from one kernel node to another.
///
/// - `dst`: the node that receives them.
/// - `src`: the node that has them.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if one of them is no kernel node, and for what `cuLaunchKernel` refuses with this
/// error; every other error of `cuLaunchKernel`.
///
/// Manual: Graph Management.
#[entry(since = 11000, needs = init)]
pub fn cuGraphKernelNodeCopyAttributes(dst: CUgraphNode, src: CUgraphNode) -> Result<()> {
    let from = kernel_at(src.0)?;
    Node::find(dst.0)?.update(|old| with_attributes_of(old, &from))
}

/// Reads an attribute of a kernel node.
///
/// - `hNode`: the node.
/// - `attr`: the attribute.
/// - `value_out`: receives its value; only the member that the attribute means is written.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `value_out` is NULL, if `hNode` is no kernel node, and for an unknown
/// attribute.
///
/// Manual: Graph Management.
#[entry(since = 11000, needs = init, status = "kernels cannot change nodes")]
pub fn cuGraphKernelNodeGetAttribute(
    hNode: CUgraphNode,
    attr: CUkernelNodeAttrID,
    value_out: Out<CUkernelNodeAttrValue>,
) -> Result<()> {
    launch_attribute::get(&kernel_at(hNode.0)?.request, attr, value_out)
}

/// Changes an attribute of a kernel node.
///
/// - `hNode`: the node.
/// - `attr`: the attribute.
/// - `value`: its new value.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `hNode` is no node of this kind, for an unknown
/// attribute, or a value that it cannot have, and for what `cuLaunchKernel` refuses with this error; every other error
/// of `cuLaunchKernel`.
///
/// Manual: Graph Management.
#[entry(since = 11000, needs = init, status = "kernels cannot change nodes")]
pub fn cuGraphKernelNodeSetAttribute(
    hNode: CUgraphNode,
    attr: CUkernelNodeAttrID,
    value: In<CUkernelNodeAttrValue>,
) -> Result<()> {
    let value = value.get()?;
    Node::find(hNode.0)?.update(|old| with_attribute(old, attr, &value))
}

/// Adds a node of any kind, with edge data and the parameter layouts of CUDA 13.4.
///
/// - `phGraphNode`: receives the node.
/// - `hGraph`: the graph.
/// - `dependencies`: nodes of the graph that the new one depends on; NULL for none.
/// - `dependencyData`: data of the edges, one for each dependency; NULL for plain ones.
/// - `numDependencies`: number of dependencies.
/// - `nodeParams`: kind and parameters; receives what they report back.
///
/// Errors: those of [`cuGraphAddNode_v2`], and `CUDA_ERROR_INVALID_CONTEXT` for a kernel node that names a function and
/// another context than the function's.
///
/// Manual: Graph Management.
#[entry(since = 13040, needs = init)]
pub fn cuGraphAddNode_v3(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    dependencyData: In<CUgraphEdgeData>,
    numDependencies: usize,
    nodeParams: InOut<CUgraphNodeParams>,
) -> Result<()> {
    let graph = Graph::find(hGraph.0)?;
    let dependencies = with_data(dependencies, dependencyData, numDependencies)?;
    check_kernel_context(&nodeParams.get()?)?;
    add(phGraphNode, &graph, &dependencies, nodeParams)
}

/// Adds a node of any kind, with edge data.
///
/// - `phGraphNode`: receives the node.
/// - `hGraph`: the graph.
/// - `dependencies`: nodes of the graph that the new one depends on; NULL for none.
/// - `dependencyData`: data of the edges, one for each dependency; NULL for plain ones.
/// - `numDependencies`: number of dependencies.
/// - `nodeParams`: kind and parameters; reserved members are 0; receives what they report back, such as an address.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `hGraph` is no graph, for a dependency that is not one
/// of its nodes or is listed twice, for edge data that are not known, for reserved members that are not 0, for an
/// unknown kind, and for what the function for nodes of its kind refuses with this error; `CUDA_ERROR_NOT_SUPPORTED`
/// for semaphores; every other error of the function for nodes of its kind. Conditional nodes:
/// `CUDA_ERROR_INVALID_VALUE` for a size that does not fit the type, another context than the handle's, and a handle that
/// is another node's, or of neither this graph nor one that it is in.
///
/// Manual: Graph Management.
#[entry(since = 12030, needs = init)]
pub fn cuGraphAddNode_v2(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    dependencyData: In<CUgraphEdgeData>,
    numDependencies: usize,
    nodeParams: InOut<CUgraphNodeParams>,
) -> Result<()> {
    let graph = Graph::find(hGraph.0)?;
    add(phGraphNode, &graph, &with_data(dependencies, dependencyData, numDependencies)?, nodeParams)
}

/// Adds a node of any kind.
///
/// - `phGraphNode`: receives the node.
/// - `hGraph`: the graph.
/// - `dependencies`: nodes of the graph that the new one depends on; NULL for none.
/// - `numDependencies`: number of dependencies.
/// - `nodeParams`: kind and parameters; reserved members are 0; receives what they report back, such as an address.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `hGraph` is no graph, for a dependency that is not one
/// of its nodes or is listed twice, for reserved members that are not 0, for an unknown kind, and for what the function
/// for nodes of its kind refuses with this error; `CUDA_ERROR_NOT_SUPPORTED` for semaphores; every other error of the
/// function for nodes of its kind.
///
/// Manual: Graph Management.
#[entry(since = 12020, needs = init)]
pub fn cuGraphAddNode(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    numDependencies: usize,
    nodeParams: InOut<CUgraphNodeParams>,
) -> Result<()> {
    let graph = Graph::find(hGraph.0)?;
    add(phGraphNode, &graph, &plain(dependencies, numDependencies)?, nodeParams)
}

/// Changes the parameters of a node of any kind, with the parameter layouts of CUDA 13.4.
///
/// - `hNode`: the node.
/// - `nodeParams`: kind and parameters; reserved members are 0.
///
/// Errors: those of [`cuGraphNodeSetParams`], and `CUDA_ERROR_INVALID_CONTEXT` for a kernel node that names a function
/// and another context than the function's.
///
/// Manual: Graph Management.
#[entry(since = 13040, needs = init)]
pub fn cuGraphNodeSetParams_v2(hNode: CUgraphNode, nodeParams: InMut<CUgraphNodeParams>) -> Result<()> {
    let params = nodeParams.get()?;
    check_kernel_context(&params)?;
    change(hNode, params)
}

/// Changes the parameters of a node of any kind.
///
/// - `hNode`: the node.
/// - `nodeParams`: kind and parameters; reserved members are 0.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `nodeParams` is NULL, if `hNode` is no node or of another kind, for reserved
/// members that are not 0, for child nodes (what is inside is changed through the graph that the node hands out), for
/// nodes that allocate or free memory, and for what the function for nodes of its kind refuses with this error;
/// `CUDA_ERROR_NOT_SUPPORTED` for semaphores and conditional nodes; every other error of the function for nodes of its
/// kind.
///
/// Manual: Graph Management.
#[entry(since = 12020, needs = init)]
pub fn cuGraphNodeSetParams(hNode: CUgraphNode, nodeParams: InMut<CUgraphNodeParams>) -> Result<()> {
    change(hNode, nodeParams.get()?)
}

/// Changes the parameters of a node of any kind.
fn change(node: CUgraphNode, mut params: CUgraphNodeParams) -> Result<()> {
    let node = Node::find(node.0)?;
    node.graph()?;
    check_change(&node, &params)?;
    let operation = operation_of(None, &mut params)?;
    match operation {
        operation if operation.is_allocation() => {
            Err(refuse!(Error::INVALID_VALUE, "nodeParams: memory allocation and free nodes cannot be changed"))
        }
        operation => node.update(|_| Ok(operation)),
    }
}

/// Reads the parameters of a node of any kind.
///
/// - `hNode`: the node.
/// - `nodeParams`: receives kind and parameters; arrays and graphs in them belong to the node and live until it changes.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `nodeParams` is NULL or `hNode` is no node; `CUDA_ERROR_NOT_SUPPORTED` for a
/// captured copy with arrays, and for captured operations on memory.
///
/// Manual: Graph Management.
#[entry(since = 13020, needs = init)]
pub fn cuGraphNodeGetParams(hNode: CUgraphNode, nodeParams: Out<CUgraphNodeParams>) -> Result<()> {
    nodeParams.check()?;
    nodeParams.set(describe(&Node::find(hNode.0)?.operation())?)
}

/// Adds a node whose kind has a function of its own. Nothing is made before everything else is known to be right.
fn add_operation(
    out: Out<CUgraphNode>,
    graph: CUgraph,
    dependencies: In<CUgraphNode>,
    count: usize,
    operation: impl FnOnce() -> Result<Operation>,
) -> Result<()> {
    out.check()?;
    let graph = Graph::find(graph.0)?;
    let dependencies = plain(dependencies, count)?;
    let node = graph.add(operation()?, &dependencies)?;
    out.set(CUgraphNode(node.handle))
}

/// Adds a node of any kind. What the parameters report back is written.
fn add(
    out: Out<CUgraphNode>,
    graph: &Arc<Graph>,
    dependencies: &[(usize, EdgeData)],
    params: InOut<CUgraphNodeParams>,
) -> Result<()> {
    out.check()?;
    let mut values = params.get()?;
    let operation = operation_of(Some((&**graph, dependencies)), &mut values)?;
    let node = graph.add(operation, dependencies)?;
    params.set(values)?;
    out.set(CUgraphNode(node.handle))
}
