//! Graph Management (nodes).

#![allow(non_snake_case)]

use super::graph_kernel::{
    changed_kernel, describe_kernel, describe_kernel_v1, kernel_at, kernel_of, with_attribute, with_attributes_of,
};
use super::graph_params::{
    allocation_of, copy_of, describe_allocation, describe_copy, describe_fill, describe_host,
    describe_memory_operations, fill_of, free_of, host_of, memory_operations_of, operation_of, plain, with_data,
};
use super::launch_attribute;
use super::ptr::{In, InMut, InOut, Out};
use super::types::{
    CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT,
    CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, CUDA_BATCH_MEM_OP_NODE_PARAMS, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS,
    CUDA_EXT_SEM_WAIT_NODE_PARAMS, CUDA_HOST_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v1,
    CUDA_MEM_ALLOC_NODE_PARAMS, CUDA_MEMCPY3D, CUDA_MEMSET_NODE_PARAMS, CUcontext, CUdevice, CUdeviceptr, CUevent,
    CUgraph, CUgraphEdgeData, CUgraphMem_attribute, CUgraphNode, CUgraphNodeParams, CUkernelNodeAttrID,
    CUkernelNodeAttrValue,
};
use crate::device;
use crate::device::graph::{EdgeData, Graph, Node, Operation, memory};
use crate::device::stream::event::Event;
use api_macro::entry;
use core::ffi::c_void;
use error::{Error, Result};
use std::sync::Arc;

/// Adds a node that launches a kernel.
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

/// First form of [`cuGraphAddKernelNode_v2`]: the parameters name a function only.
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
#[entry(since = 12000, needs = init)]
pub fn cuGraphKernelNodeGetParams_v2(hNode: CUgraphNode, nodeParams: Out<CUDA_KERNEL_NODE_PARAMS>) -> Result<()> {
    nodeParams.check()?;
    nodeParams.set(describe_kernel(&*kernel_at(hNode.0)?))
}

/// First form of [`cuGraphKernelNodeGetParams_v2`].
#[entry(since = 10000, needs = init)]
pub fn cuGraphKernelNodeGetParams(hNode: CUgraphNode, nodeParams: Out<CUDA_KERNEL_NODE_PARAMS_v1>) -> Result<()> {
    nodeParams.check()?;
    nodeParams.set(describe_kernel_v1(&*kernel_at(hNode.0)?))
}

/// Changes the parameters of a kernel node.
#[entry(since = 12000, needs = init)]
pub fn cuGraphKernelNodeSetParams_v2(hNode: CUgraphNode, nodeParams: In<CUDA_KERNEL_NODE_PARAMS>) -> Result<()> {
    let params = nodeParams.get()?;
    Node::find(hNode.0)?.update(|old| changed_kernel(old, &params))
}

/// First form of [`cuGraphKernelNodeSetParams_v2`].
#[entry(since = 10000, needs = init)]
pub fn cuGraphKernelNodeSetParams(hNode: CUgraphNode, nodeParams: In<CUDA_KERNEL_NODE_PARAMS_v1>) -> Result<()> {
    let params = nodeParams.get()?.into();
    Node::find(hNode.0)?.update(|old| changed_kernel(old, &params))
}

/// Adds a node that copies a box of memory.
///
/// The copy is checked here as a copy on a stream would be, and also when it is empty, which is
/// `CUDA_ERROR_INVALID_VALUE`. `ctx` may be `NULL` for the current context.
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
#[entry(since = 10000, needs = init)]
pub fn cuGraphMemcpyNodeGetParams(hNode: CUgraphNode, nodeParams: Out<CUDA_MEMCPY3D>) -> Result<()> {
    nodeParams.check()?;
    match Node::find(hNode.0)?.operation() {
        Operation::Copy(work, given) => nodeParams.set(describe_copy(&work, &given)?),
        _ => Err(Error::INVALID_VALUE),
    }
}

/// Changes the parameters of a copy node.
#[entry(since = 10000, needs = init)]
pub fn cuGraphMemcpyNodeSetParams(hNode: CUgraphNode, nodeParams: In<CUDA_MEMCPY3D>) -> Result<()> {
    let params = nodeParams.get()?;
    Node::find(hNode.0)?.update(|_| copy_of(&params, CUcontext::NULL))
}

/// Adds a node that fills memory.
///
/// The fill is checked here as a fill on a stream would be; an empty one is `CUDA_ERROR_INVALID_VALUE`. `ctx` may be `NULL`
/// for the current context.
#[entry(since = 10000, needs = init)]
pub fn cuGraphAddMemsetNode(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    numDependencies: usize,
    memsetParams: In<CUDA_MEMSET_NODE_PARAMS>,
    ctx: CUcontext,
) -> Result<()> {
    add_operation(phGraphNode, hGraph, dependencies, numDependencies, || fill_of(&memsetParams.get()?, ctx))
}

/// Reads the parameters of a fill node.
#[entry(since = 10000, needs = init)]
pub fn cuGraphMemsetNodeGetParams(hNode: CUgraphNode, nodeParams: Out<CUDA_MEMSET_NODE_PARAMS>) -> Result<()> {
    nodeParams.check()?;
    match Node::find(hNode.0)?.operation() {
        Operation::Fill(fill) => nodeParams.set(describe_fill(&fill)),
        _ => Err(Error::INVALID_VALUE),
    }
}

/// Changes the parameters of a fill node.
#[entry(since = 10000, needs = init)]
pub fn cuGraphMemsetNodeSetParams(hNode: CUgraphNode, nodeParams: In<CUDA_MEMSET_NODE_PARAMS>) -> Result<()> {
    let params = nodeParams.get()?;
    Node::find(hNode.0)?.update(|_| fill_of(&params, CUcontext::NULL))
}

/// Adds a node that calls a host function.
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
#[entry(since = 10000, needs = init)]
pub fn cuGraphHostNodeGetParams(hNode: CUgraphNode, nodeParams: Out<CUDA_HOST_NODE_PARAMS>) -> Result<()> {
    nodeParams.check()?;
    match Node::find(hNode.0)?.operation() {
        Operation::Host(call) => nodeParams.set(describe_host(&call)),
        _ => Err(Error::INVALID_VALUE),
    }
}

/// Changes the parameters of a host node.
#[entry(since = 10000, needs = init)]
pub fn cuGraphHostNodeSetParams(hNode: CUgraphNode, nodeParams: In<CUDA_HOST_NODE_PARAMS>) -> Result<()> {
    let params = nodeParams.get()?;
    Node::find(hNode.0)?.update(|_| host_of(&params))
}

/// Adds a node that runs a copy of another graph.
///
/// The copy is made here; a graph with allocation nodes cannot be copied: `CUDA_ERROR_NOT_SUPPORTED`.
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
#[entry(since = 10000, needs = init)]
pub fn cuGraphChildGraphNodeGetGraph(hNode: CUgraphNode, phGraph: Out<CUgraph>) -> Result<()> {
    phGraph.check()?;
    match Node::find(hNode.0)?.operation() {
        Operation::Child(graph) => phGraph.set(CUgraph(graph.handle)),
        _ => Err(Error::INVALID_VALUE),
    }
}

/// Adds a node that does nothing, as a joining point of dependencies.
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

/// Reads the event of a recording node.
#[entry(since = 11010, needs = init)]
pub fn cuGraphEventRecordNodeGetEvent(hNode: CUgraphNode, event_out: Out<CUevent>) -> Result<()> {
    event_out.check()?;
    match Node::find(hNode.0)?.operation() {
        Operation::Record(event) => event_out.set(CUevent(event.handle)),
        _ => Err(Error::INVALID_VALUE),
    }
}

/// Changes the event of a recording node.
#[entry(since = 11010, needs = init)]
pub fn cuGraphEventRecordNodeSetEvent(hNode: CUgraphNode, event: CUevent) -> Result<()> {
    let event = Event::find(event.0)?;
    Node::find(hNode.0)?.update(|_| Ok(Operation::Record(event)))
}

/// Adds a node that waits for an event.
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

/// Reads the event of a waiting node.
#[entry(since = 11010, needs = init)]
pub fn cuGraphEventWaitNodeGetEvent(hNode: CUgraphNode, event_out: Out<CUevent>) -> Result<()> {
    event_out.check()?;
    match Node::find(hNode.0)?.operation() {
        Operation::Wait(event) => event_out.set(CUevent(event.handle)),
        _ => Err(Error::INVALID_VALUE),
    }
}

/// Changes the event of a waiting node.
#[entry(since = 11010, needs = init)]
pub fn cuGraphEventWaitNodeSetEvent(hNode: CUgraphNode, event: CUevent) -> Result<()> {
    let event = Event::find(event.0)?;
    Node::find(hNode.0)?.update(|_| Ok(Operation::Wait(event)))
}

/// Adds a node that signals imported semaphores.
#[entry(since = 11020, needs = init)]
pub fn cuGraphAddExternalSemaphoresSignalNode(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    numDependencies: usize,
    nodeParams: In<CUDA_EXT_SEM_SIGNAL_NODE_PARAMS>,
) -> Result<()>;

/// Reads the parameters of a semaphore-signal node.
#[entry(since = 11020, needs = init)]
pub fn cuGraphExternalSemaphoresSignalNodeGetParams(
    hNode: CUgraphNode,
    params_out: Out<CUDA_EXT_SEM_SIGNAL_NODE_PARAMS>,
) -> Result<()>;

/// Changes the parameters of a semaphore-signal node.
#[entry(since = 11020, needs = init)]
pub fn cuGraphExternalSemaphoresSignalNodeSetParams(
    hNode: CUgraphNode,
    nodeParams: In<CUDA_EXT_SEM_SIGNAL_NODE_PARAMS>,
) -> Result<()>;

/// Adds a node that waits for imported semaphores.
#[entry(since = 11020, needs = init)]
pub fn cuGraphAddExternalSemaphoresWaitNode(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    numDependencies: usize,
    nodeParams: In<CUDA_EXT_SEM_WAIT_NODE_PARAMS>,
) -> Result<()>;

/// Reads the parameters of a semaphore-wait node.
#[entry(since = 11020, needs = init)]
pub fn cuGraphExternalSemaphoresWaitNodeGetParams(
    hNode: CUgraphNode,
    params_out: Out<CUDA_EXT_SEM_WAIT_NODE_PARAMS>,
) -> Result<()>;

/// Changes the parameters of a semaphore-wait node.
#[entry(since = 11020, needs = init)]
pub fn cuGraphExternalSemaphoresWaitNodeSetParams(
    hNode: CUgraphNode,
    nodeParams: In<CUDA_EXT_SEM_WAIT_NODE_PARAMS>,
) -> Result<()>;

/// Adds a node that performs several stream memory operations.
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
/// The array of operations belongs to the node; it lives until the node is changed.
#[entry(since = 11070, needs = init)]
pub fn cuGraphBatchMemOpNodeGetParams(
    hNode: CUgraphNode,
    nodeParams_out: Out<CUDA_BATCH_MEM_OP_NODE_PARAMS>,
) -> Result<()> {
    nodeParams_out.check()?;
    match Node::find(hNode.0)?.operation() {
        Operation::MemoryOperations(_, given) => nodeParams_out.set(describe_memory_operations(&given)?),
        _ => Err(Error::INVALID_VALUE),
    }
}

/// Changes the parameters of a memory-operation node.
#[entry(since = 11070, needs = init)]
pub fn cuGraphBatchMemOpNodeSetParams(hNode: CUgraphNode, nodeParams: In<CUDA_BATCH_MEM_OP_NODE_PARAMS>) -> Result<()> {
    let params = nodeParams.get()?;
    Node::find(hNode.0)?.update(|_| memory_operations_of(&params))
}

/// Adds a node that allocates memory; the address is reported at once.
///
/// Device memory only, that no other process can get: a handle type is `CUDA_ERROR_NOT_SUPPORTED`. The memory is there while
/// the graph runs, until a node or the program frees it.
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
#[entry(since = 11040, needs = init)]
pub fn cuGraphMemAllocNodeGetParams(hNode: CUgraphNode, params_out: Out<CUDA_MEM_ALLOC_NODE_PARAMS>) -> Result<()> {
    params_out.check()?;
    match Node::find(hNode.0)?.operation() {
        Operation::Allocate(allocation) => params_out.set(describe_allocation(&allocation)),
        _ => Err(Error::INVALID_VALUE),
    }
}

/// Adds a node that frees memory which an allocation node made.
///
/// The address must come from an allocation node, of this graph or another one. An allocation that this graph frees
/// already is `CUDA_ERROR_INVALID_VALUE`, and so is one of this graph that another graph frees, or that this graph was made
/// executable with.
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
#[entry(since = 11040, needs = init)]
pub fn cuGraphMemFreeNodeGetParams(hNode: CUgraphNode, dptr_out: Out<CUdeviceptr>) -> Result<()> {
    dptr_out.check()?;
    match Node::find(hNode.0)?.operation() {
        Operation::Free(allocation) => dptr_out.set(allocation.address as CUdeviceptr),
        _ => Err(Error::INVALID_VALUE),
    }
}

/// Gives unused memory of graph allocations on a device back to the system.
#[entry(since = 11040, needs = init)]
pub fn cuDeviceGraphMemTrim(device: CUdevice) -> Result<()> {
    memory::trim(device::device(device)?);
    Ok(())
}

/// Reads a counter of graph allocations on a device.
///
/// `value` is a `cuuint64_t`: bytes, in steps of 32 MiB.
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
        _ => return Err(Error::INVALID_VALUE),
    } as u64)
}

/// Resets a high-water mark of graph allocations on a device.
///
/// `value` is a `cuuint64_t` that must be 0.
#[entry(since = 11040, needs = init)]
pub fn cuDeviceSetGraphMemAttribute(device: CUdevice, attr: CUgraphMem_attribute, value: *mut c_void) -> Result<()> {
    let device = device::device(device)?;
    let value: u64 = In(value.cast::<u64>()).get()?;
    if value != 0 {
        return Err(Error::INVALID_VALUE);
    }
    memory::counters(device, |c| match attr {
        CU_GRAPH_MEM_ATTR_USED_MEM_HIGH => {
            c.used_high = c.used;
            Ok(())
        }
        CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH => {
            c.reserved_high = c.reserved;
            Ok(())
        }
        _ => Err(Error::INVALID_VALUE),
    })
}

/// Copies all attributes from one kernel node to another.
#[entry(since = 11000, needs = init)]
pub fn cuGraphKernelNodeCopyAttributes(dst: CUgraphNode, src: CUgraphNode) -> Result<()> {
    let from = kernel_at(src.0)?;
    Node::find(dst.0)?.update(|old| with_attributes_of(old, &from))
}

/// Reads an attribute of a kernel node.
#[entry(since = 11000, needs = init, status = "kernels cannot change nodes")]
pub fn cuGraphKernelNodeGetAttribute(
    hNode: CUgraphNode,
    attr: CUkernelNodeAttrID,
    value_out: Out<CUkernelNodeAttrValue>,
) -> Result<()> {
    launch_attribute::get(&kernel_at(hNode.0)?.request, attr, value_out)
}

/// Changes an attribute of a kernel node.
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
#[entry(since = 13040, needs = init)]
pub fn cuGraphAddNode_v3(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    dependencyData: In<CUgraphEdgeData>,
    numDependencies: usize,
    nodeParams: InOut<CUgraphNodeParams>,
) -> Result<()>;

/// Adds a node of any kind, with edge data.
///
/// Reserved members must be 0.
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
#[entry(since = 13040, needs = init)]
pub fn cuGraphNodeSetParams_v2(hNode: CUgraphNode, nodeParams: InMut<CUgraphNodeParams>) -> Result<()>;

/// Changes the parameters of a node of any kind.
#[entry(since = 12020, needs = init)]
pub fn cuGraphNodeSetParams(hNode: CUgraphNode, nodeParams: InMut<CUgraphNodeParams>) -> Result<()> {
    let mut params = nodeParams.get()?;
    let node = Node::find(hNode.0)?;
    node.graph()?;
    let operation = operation_of(None, &mut params)?;
    match operation {
        // What is inside a child node is changed through the graph that the node hands out.
        Operation::Child(_) => Err(Error::INVALID_VALUE),
        operation if operation.is_allocation() => Err(Error::INVALID_VALUE),
        operation => node.update(|_| Ok(operation)),
    }
}

/// Reads the parameters of a node of any kind.
#[entry(since = 13020, needs = init)]
pub fn cuGraphNodeGetParams(hNode: CUgraphNode, nodeParams: Out<CUgraphNodeParams>) -> Result<()>;

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
