//! Graph Management.

#![allow(non_snake_case)]

use super::ptr::{In, InMut, InOut, Out};
use super::types::{
    CUDA_BATCH_MEM_OP_NODE_PARAMS, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS, CUDA_EXT_SEM_WAIT_NODE_PARAMS,
    CUDA_GRAPH_INSTANTIATE_PARAMS, CUDA_HOST_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v1,
    CUDA_MEM_ALLOC_NODE_PARAMS, CUDA_MEMCPY3D, CUDA_MEMSET_NODE_PARAMS, CUcontext, CUdevice, CUdeviceptr, CUevent,
    CUgraph, CUgraphConditionalHandle, CUgraphEdgeData, CUgraphExec, CUgraphExecUpdateResult,
    CUgraphExecUpdateResultInfo, CUgraphMem_attribute, CUgraphNode, CUgraphNodeParams, CUgraphNodeType, CUhostFn,
    CUkernelNodeAttrID, CUkernelNodeAttrValue, CUstream, CUuserObject, cuuint64_t,
};
use crate::error::Result;
use api_macro::entry;
use core::ffi::{c_char, c_uint, c_ulonglong, c_void};

/// Creates an empty graph.
#[entry(since = 10000, needs = init)]
pub fn cuGraphCreate(phGraph: Out<CUgraph>, flags: c_uint) -> Result<()>;

/// Adds a node that launches a kernel.
#[entry(since = 12000, needs = init)]
pub fn cuGraphAddKernelNode_v2(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    numDependencies: usize,
    nodeParams: In<CUDA_KERNEL_NODE_PARAMS>,
) -> Result<()>;

/// First form of [`cuGraphAddKernelNode_v2`]: the parameters name a function only.
#[entry(since = 10000, needs = init)]
pub fn cuGraphAddKernelNode(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    numDependencies: usize,
    nodeParams: In<CUDA_KERNEL_NODE_PARAMS_v1>,
) -> Result<()>;

/// Reads the parameters of a kernel node.
#[entry(since = 12000, needs = init)]
pub fn cuGraphKernelNodeGetParams_v2(hNode: CUgraphNode, nodeParams: Out<CUDA_KERNEL_NODE_PARAMS>) -> Result<()>;

/// First form of [`cuGraphKernelNodeGetParams_v2`].
#[entry(since = 10000, needs = init)]
pub fn cuGraphKernelNodeGetParams(hNode: CUgraphNode, nodeParams: Out<CUDA_KERNEL_NODE_PARAMS_v1>) -> Result<()>;

/// Changes the parameters of a kernel node.
#[entry(since = 12000, needs = init)]
pub fn cuGraphKernelNodeSetParams_v2(hNode: CUgraphNode, nodeParams: In<CUDA_KERNEL_NODE_PARAMS>) -> Result<()>;

/// First form of [`cuGraphKernelNodeSetParams_v2`].
#[entry(since = 10000, needs = init)]
pub fn cuGraphKernelNodeSetParams(hNode: CUgraphNode, nodeParams: In<CUDA_KERNEL_NODE_PARAMS_v1>) -> Result<()>;

/// Adds a node that copies a box of memory.
#[entry(since = 10000, needs = init)]
pub fn cuGraphAddMemcpyNode(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    numDependencies: usize,
    copyParams: In<CUDA_MEMCPY3D>,
    ctx: CUcontext,
) -> Result<()>;

/// Reads the parameters of a copy node.
#[entry(since = 10000, needs = init)]
pub fn cuGraphMemcpyNodeGetParams(hNode: CUgraphNode, nodeParams: Out<CUDA_MEMCPY3D>) -> Result<()>;

/// Changes the parameters of a copy node.
#[entry(since = 10000, needs = init)]
pub fn cuGraphMemcpyNodeSetParams(hNode: CUgraphNode, nodeParams: In<CUDA_MEMCPY3D>) -> Result<()>;

/// Adds a node that fills memory.
#[entry(since = 10000, needs = init)]
pub fn cuGraphAddMemsetNode(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    numDependencies: usize,
    memsetParams: In<CUDA_MEMSET_NODE_PARAMS>,
    ctx: CUcontext,
) -> Result<()>;

/// Reads the parameters of a fill node.
#[entry(since = 10000, needs = init)]
pub fn cuGraphMemsetNodeGetParams(hNode: CUgraphNode, nodeParams: Out<CUDA_MEMSET_NODE_PARAMS>) -> Result<()>;

/// Changes the parameters of a fill node.
#[entry(since = 10000, needs = init)]
pub fn cuGraphMemsetNodeSetParams(hNode: CUgraphNode, nodeParams: In<CUDA_MEMSET_NODE_PARAMS>) -> Result<()>;

/// Adds a node that calls a host function.
#[entry(since = 10000, needs = nothing)]
pub fn cuGraphAddHostNode(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    numDependencies: usize,
    nodeParams: In<CUDA_HOST_NODE_PARAMS>,
) -> Result<()>;

/// Reads the parameters of a host node.
#[entry(since = 10000, needs = init)]
pub fn cuGraphHostNodeGetParams(hNode: CUgraphNode, nodeParams: Out<CUDA_HOST_NODE_PARAMS>) -> Result<()>;

/// Changes the parameters of a host node.
#[entry(since = 10000, needs = init)]
pub fn cuGraphHostNodeSetParams(hNode: CUgraphNode, nodeParams: In<CUDA_HOST_NODE_PARAMS>) -> Result<()>;

/// Adds a node that runs a copy of another graph.
#[entry(since = 10000, needs = init)]
pub fn cuGraphAddChildGraphNode(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    numDependencies: usize,
    childGraph: CUgraph,
) -> Result<()>;

/// Hands out the graph embedded in a child node.
#[entry(since = 10000, needs = init)]
pub fn cuGraphChildGraphNodeGetGraph(hNode: CUgraphNode, phGraph: Out<CUgraph>) -> Result<()>;

/// Adds a node that does nothing, as a joining point of dependencies.
#[entry(since = 10000, needs = nothing)]
pub fn cuGraphAddEmptyNode(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    numDependencies: usize,
) -> Result<()>;

/// Adds a node that records an event.
#[entry(since = 11010, needs = init)]
pub fn cuGraphAddEventRecordNode(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    numDependencies: usize,
    event: CUevent,
) -> Result<()>;

/// Reads the event of a recording node.
#[entry(since = 11010, needs = init)]
pub fn cuGraphEventRecordNodeGetEvent(hNode: CUgraphNode, event_out: Out<CUevent>) -> Result<()>;

/// Changes the event of a recording node.
#[entry(since = 11010, needs = init)]
pub fn cuGraphEventRecordNodeSetEvent(hNode: CUgraphNode, event: CUevent) -> Result<()>;

/// Adds a node that waits for an event.
#[entry(since = 11010, needs = init)]
pub fn cuGraphAddEventWaitNode(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    numDependencies: usize,
    event: CUevent,
) -> Result<()>;

/// Reads the event of a waiting node.
#[entry(since = 11010, needs = init)]
pub fn cuGraphEventWaitNodeGetEvent(hNode: CUgraphNode, event_out: Out<CUevent>) -> Result<()>;

/// Changes the event of a waiting node.
#[entry(since = 11010, needs = init)]
pub fn cuGraphEventWaitNodeSetEvent(hNode: CUgraphNode, event: CUevent) -> Result<()>;

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
) -> Result<()>;

/// Reads the parameters of a memory-operation node.
#[entry(since = 11070, needs = init)]
pub fn cuGraphBatchMemOpNodeGetParams(
    hNode: CUgraphNode,
    nodeParams_out: Out<CUDA_BATCH_MEM_OP_NODE_PARAMS>,
) -> Result<()>;

/// Changes the parameters of a memory-operation node.
#[entry(since = 11070, needs = init)]
pub fn cuGraphBatchMemOpNodeSetParams(hNode: CUgraphNode, nodeParams: In<CUDA_BATCH_MEM_OP_NODE_PARAMS>) -> Result<()>;

/// Changes the parameters of a memory-operation node in an executable graph.
#[entry(since = 11070, needs = init)]
pub fn cuGraphExecBatchMemOpNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    nodeParams: In<CUDA_BATCH_MEM_OP_NODE_PARAMS>,
) -> Result<()>;

/// Adds a node that allocates memory; the address is reported at once.
#[entry(since = 11040, needs = init)]
pub fn cuGraphAddMemAllocNode(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    numDependencies: usize,
    nodeParams: InOut<CUDA_MEM_ALLOC_NODE_PARAMS>,
) -> Result<()>;

/// Reads the parameters of an allocation node.
#[entry(since = 11040, needs = init)]
pub fn cuGraphMemAllocNodeGetParams(hNode: CUgraphNode, params_out: Out<CUDA_MEM_ALLOC_NODE_PARAMS>) -> Result<()>;

/// Adds a node that frees memory which an allocation node made.
#[entry(since = 11040, needs = init)]
pub fn cuGraphAddMemFreeNode(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    numDependencies: usize,
    dptr: CUdeviceptr,
) -> Result<()>;

/// Reads the address that a free node frees.
#[entry(since = 11040, needs = init)]
pub fn cuGraphMemFreeNodeGetParams(hNode: CUgraphNode, dptr_out: Out<CUdeviceptr>) -> Result<()>;

/// Gives unused memory of graph allocations on a device back to the system.
#[entry(since = 11040, needs = init)]
pub fn cuDeviceGraphMemTrim(device: CUdevice) -> Result<()>;

/// Reads a counter of graph allocations on a device.
#[entry(since = 11040, needs = init)]
pub fn cuDeviceGetGraphMemAttribute(device: CUdevice, attr: CUgraphMem_attribute, value: *mut c_void) -> Result<()>;

/// Resets a high-water mark of graph allocations on a device.
#[entry(since = 11040, needs = init)]
pub fn cuDeviceSetGraphMemAttribute(device: CUdevice, attr: CUgraphMem_attribute, value: *mut c_void) -> Result<()>;

/// Copies a graph, child graphs included.
#[entry(since = 10000, needs = init)]
pub fn cuGraphClone(phGraphClone: Out<CUgraph>, originalGraph: CUgraph) -> Result<()>;

/// Finds the copy of a node in a cloned graph.
#[entry(since = 10000, needs = init)]
pub fn cuGraphNodeFindInClone(
    phNode: Out<CUgraphNode>,
    hOriginalNode: CUgraphNode,
    hClonedGraph: CUgraph,
) -> Result<()>;

/// Reports the kind of a node.
#[entry(since = 10000, needs = init)]
pub fn cuGraphNodeGetType(hNode: CUgraphNode, r#type: Out<CUgraphNodeType>) -> Result<()>;

/// Reports the graph that a node belongs to.
#[entry(since = 13010, needs = init)]
pub fn cuGraphNodeGetContainingGraph(hNode: CUgraphNode, phGraph: Out<CUgraph>) -> Result<()>;

/// Reports the number of a node within its graph.
#[entry(since = 13010, needs = init)]
pub fn cuGraphNodeGetLocalId(hNode: CUgraphNode, nodeId: Out<c_uint>) -> Result<()>;

/// Reports the number under which tools know a node.
#[entry(since = 13010, needs = init)]
pub fn cuGraphNodeGetToolsId(hNode: CUgraphNode, toolsNodeId: Out<c_ulonglong>) -> Result<()>;

/// Reports the number of a graph.
#[entry(since = 13010, needs = init)]
pub fn cuGraphGetId(hGraph: CUgraph, graphId: Out<c_uint>) -> Result<()>;

/// Reports the number of an executable graph.
#[entry(since = 13010, needs = init)]
pub fn cuGraphExecGetId(hGraphExec: CUgraphExec, graphId: Out<c_uint>) -> Result<()>;

/// Lists the nodes of a graph.
#[entry(since = 10000, needs = init)]
pub fn cuGraphGetNodes(hGraph: CUgraph, nodes: Out<CUgraphNode>, numNodes: InOut<usize>) -> Result<()>;

/// Lists the nodes of a graph that depend on nothing.
#[entry(since = 10000, needs = init)]
pub fn cuGraphGetRootNodes(hGraph: CUgraph, rootNodes: Out<CUgraphNode>, numRootNodes: InOut<usize>) -> Result<()>;

/// Lists the edges of a graph with their data.
#[entry(since = 12030, needs = init)]
pub fn cuGraphGetEdges_v2(
    hGraph: CUgraph,
    from: Out<CUgraphNode>,
    to: Out<CUgraphNode>,
    edgeData: Out<CUgraphEdgeData>,
    numEdges: InOut<usize>,
) -> Result<()>;

/// Lists the edges of a graph; fails if one carries data.
#[entry(since = 10000, needs = init)]
pub fn cuGraphGetEdges(
    hGraph: CUgraph,
    from: Out<CUgraphNode>,
    to: Out<CUgraphNode>,
    numEdges: InOut<usize>,
) -> Result<()>;

/// Lists what a node depends on, with edge data.
#[entry(since = 12030, needs = init)]
pub fn cuGraphNodeGetDependencies_v2(
    hNode: CUgraphNode,
    dependencies: Out<CUgraphNode>,
    edgeData: Out<CUgraphEdgeData>,
    numDependencies: InOut<usize>,
) -> Result<()>;

/// Lists what a node depends on; fails if an edge carries data.
#[entry(since = 10000, needs = init)]
pub fn cuGraphNodeGetDependencies(
    hNode: CUgraphNode,
    dependencies: Out<CUgraphNode>,
    numDependencies: InOut<usize>,
) -> Result<()>;

/// Lists the nodes that depend on a node, with edge data.
#[entry(since = 12030, needs = init)]
pub fn cuGraphNodeGetDependentNodes_v2(
    hNode: CUgraphNode,
    dependentNodes: Out<CUgraphNode>,
    edgeData: Out<CUgraphEdgeData>,
    numDependentNodes: InOut<usize>,
) -> Result<()>;

/// Lists the nodes that depend on a node; fails if an edge carries data.
#[entry(since = 10000, needs = init)]
pub fn cuGraphNodeGetDependentNodes(
    hNode: CUgraphNode,
    dependentNodes: Out<CUgraphNode>,
    numDependentNodes: InOut<usize>,
) -> Result<()>;

/// Adds edges with data to a graph.
#[entry(since = 12030, needs = init)]
pub fn cuGraphAddDependencies_v2(
    hGraph: CUgraph,
    from: In<CUgraphNode>,
    to: In<CUgraphNode>,
    edgeData: In<CUgraphEdgeData>,
    numDependencies: usize,
) -> Result<()>;

/// Adds edges to a graph.
#[entry(since = 10000, needs = init)]
pub fn cuGraphAddDependencies(
    hGraph: CUgraph,
    from: In<CUgraphNode>,
    to: In<CUgraphNode>,
    numDependencies: usize,
) -> Result<()>;

/// Removes edges with given data from a graph.
#[entry(since = 12030, needs = init)]
pub fn cuGraphRemoveDependencies_v2(
    hGraph: CUgraph,
    from: In<CUgraphNode>,
    to: In<CUgraphNode>,
    edgeData: In<CUgraphEdgeData>,
    numDependencies: usize,
) -> Result<()>;

/// Removes edges from a graph.
#[entry(since = 10000, needs = init)]
pub fn cuGraphRemoveDependencies(
    hGraph: CUgraph,
    from: In<CUgraphNode>,
    to: In<CUgraphNode>,
    numDependencies: usize,
) -> Result<()>;

/// Removes a node and its edges.
#[entry(since = 10000, needs = init)]
pub fn cuGraphDestroyNode(hNode: CUgraphNode) -> Result<()>;

/// Makes an executable graph out of a graph, with flags.
#[entry(since = 11040)]
pub fn cuGraphInstantiateWithFlags(phGraphExec: Out<CUgraphExec>, hGraph: CUgraph, flags: c_ulonglong) -> Result<()>;

/// Makes an executable graph and reports in detail why that failed; can upload at once.
#[entry(since = 12000, twin = "ptsz")]
pub fn cuGraphInstantiateWithParams(
    phGraphExec: Out<CUgraphExec>,
    hGraph: CUgraph,
    instantiateParams: InOut<CUDA_GRAPH_INSTANTIATE_PARAMS>,
) -> Result<()>;

/// Makes an executable graph and writes the reason of a failure into a log buffer.
#[entry(since = 11000)]
pub fn cuGraphInstantiate_v2(
    phGraphExec: Out<CUgraphExec>,
    hGraph: CUgraph,
    phErrorNode: Out<CUgraphNode>,
    logBuffer: Out<c_char>,
    bufferSize: usize,
) -> Result<()>;

/// First form of [`cuGraphInstantiate_v2`].
#[entry(since = 10000)]
pub fn cuGraphInstantiate(
    phGraphExec: Out<CUgraphExec>,
    hGraph: CUgraph,
    phErrorNode: Out<CUgraphNode>,
    logBuffer: Out<c_char>,
    bufferSize: usize,
) -> Result<()>;

/// Reports the flags with which an executable graph was made.
#[entry(since = 12000, needs = init)]
pub fn cuGraphExecGetFlags(hGraphExec: CUgraphExec, flags: Out<cuuint64_t>) -> Result<()>;

/// Changes the parameters of a kernel node in an executable graph.
#[entry(since = 12000, needs = init)]
pub fn cuGraphExecKernelNodeSetParams_v2(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    nodeParams: In<CUDA_KERNEL_NODE_PARAMS>,
) -> Result<()>;

/// First form of [`cuGraphExecKernelNodeSetParams_v2`].
#[entry(since = 10010, needs = init)]
pub fn cuGraphExecKernelNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    nodeParams: In<CUDA_KERNEL_NODE_PARAMS_v1>,
) -> Result<()>;

/// Changes the parameters of a copy node in an executable graph.
#[entry(since = 10020, needs = init)]
pub fn cuGraphExecMemcpyNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    copyParams: In<CUDA_MEMCPY3D>,
    ctx: CUcontext,
) -> Result<()>;

/// Changes the parameters of a fill node in an executable graph.
#[entry(since = 10020, needs = init)]
pub fn cuGraphExecMemsetNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    memsetParams: In<CUDA_MEMSET_NODE_PARAMS>,
    ctx: CUcontext,
) -> Result<()>;

/// Changes the parameters of a host node in an executable graph.
#[entry(since = 10020, needs = init)]
pub fn cuGraphExecHostNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    nodeParams: In<CUDA_HOST_NODE_PARAMS>,
) -> Result<()>;

/// Changes the parameters inside a child node of an executable graph.
#[entry(since = 11010, needs = init)]
pub fn cuGraphExecChildGraphNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    childGraph: CUgraph,
) -> Result<()>;

/// Changes the event of a recording node in an executable graph.
#[entry(since = 11010, needs = init)]
pub fn cuGraphExecEventRecordNodeSetEvent(hGraphExec: CUgraphExec, hNode: CUgraphNode, event: CUevent) -> Result<()>;

/// Changes the event of a waiting node in an executable graph.
#[entry(since = 11010, needs = init)]
pub fn cuGraphExecEventWaitNodeSetEvent(hGraphExec: CUgraphExec, hNode: CUgraphNode, event: CUevent) -> Result<()>;

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
#[entry(since = 11060, needs = init)]
pub fn cuGraphNodeSetEnabled(hGraphExec: CUgraphExec, hNode: CUgraphNode, isEnabled: c_uint) -> Result<()>;

/// Tells whether a node of an executable graph is switched on.
#[entry(since = 11060, needs = init)]
pub fn cuGraphNodeGetEnabled(hGraphExec: CUgraphExec, hNode: CUgraphNode, isEnabled: Out<c_uint>) -> Result<()>;

/// Brings an executable graph to the device ahead of its first launch.
#[entry(since = 11010, twin = "ptsz")]
pub fn cuGraphUpload(hGraphExec: CUgraphExec, hStream: CUstream) -> Result<()>;

/// Queues an executable graph on a stream.
#[entry(since = 10000, twin = "ptsz")]
pub fn cuGraphLaunch(hGraphExec: CUgraphExec, hStream: CUstream) -> Result<()>;

/// Destroys an executable graph.
#[entry(since = 10000, needs = init)]
pub fn cuGraphExecDestroy(hGraphExec: CUgraphExec) -> Result<()>;

/// Destroys a graph and its nodes.
#[entry(since = 10000, needs = init)]
pub fn cuGraphDestroy(hGraph: CUgraph) -> Result<()>;

/// Takes the parameters of an executable graph over from a graph of the same shape, with a detailed result.
#[entry(since = 12000, needs = init)]
pub fn cuGraphExecUpdate_v2(
    hGraphExec: CUgraphExec,
    hGraph: CUgraph,
    resultInfo: Out<CUgraphExecUpdateResultInfo>,
) -> Result<()>;

/// First form of [`cuGraphExecUpdate_v2`].
#[entry(since = 10020, needs = init)]
pub fn cuGraphExecUpdate(
    hGraphExec: CUgraphExec,
    hGraph: CUgraph,
    hErrorNode_out: Out<CUgraphNode>,
    updateResult_out: Out<CUgraphExecUpdateResult>,
) -> Result<()>;

/// Copies all attributes from one kernel node to another.
#[entry(since = 11000, needs = init)]
pub fn cuGraphKernelNodeCopyAttributes(dst: CUgraphNode, src: CUgraphNode) -> Result<()>;

/// Reads an attribute of a kernel node.
#[entry(since = 11000, needs = init)]
pub fn cuGraphKernelNodeGetAttribute(
    hNode: CUgraphNode,
    attr: CUkernelNodeAttrID,
    value_out: Out<CUkernelNodeAttrValue>,
) -> Result<()>;

/// Changes an attribute of a kernel node.
#[entry(since = 11000, needs = init)]
pub fn cuGraphKernelNodeSetAttribute(
    hNode: CUgraphNode,
    attr: CUkernelNodeAttrID,
    value: In<CUkernelNodeAttrValue>,
) -> Result<()>;

/// Writes a graph to a file in DOT format.
#[entry(since = 11030, needs = init)]
pub fn cuGraphDebugDotPrint(hGraph: CUgraph, path: In<c_char>, flags: c_uint) -> Result<()>;

/// Creates a reference-counted object with a destructor, to be owned by graphs.
#[entry(since = 11030, needs = init)]
pub fn cuUserObjectCreate(
    object_out: Out<CUuserObject>,
    ptr: *mut c_void,
    destroy: CUhostFn,
    initialRefcount: c_uint,
    flags: c_uint,
) -> Result<()>;

/// Adds references to a user object.
#[entry(since = 11030, needs = init)]
pub fn cuUserObjectRetain(object: CUuserObject, count: c_uint) -> Result<()>;

/// Drops references to a user object.
#[entry(since = 11030, needs = init)]
pub fn cuUserObjectRelease(object: CUuserObject, count: c_uint) -> Result<()>;

/// Makes a graph own references to a user object.
#[entry(since = 11030, needs = init)]
pub fn cuGraphRetainUserObject(graph: CUgraph, object: CUuserObject, count: c_uint, flags: c_uint) -> Result<()>;

/// Takes references to a user object back from a graph.
#[entry(since = 11030, needs = init)]
pub fn cuGraphReleaseUserObject(graph: CUgraph, object: CUuserObject, count: c_uint) -> Result<()>;

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
#[entry(since = 12030, needs = init)]
pub fn cuGraphAddNode_v2(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    dependencyData: In<CUgraphEdgeData>,
    numDependencies: usize,
    nodeParams: InOut<CUgraphNodeParams>,
) -> Result<()>;

/// Adds a node of any kind.
#[entry(since = 12020, needs = init)]
pub fn cuGraphAddNode(
    phGraphNode: Out<CUgraphNode>,
    hGraph: CUgraph,
    dependencies: In<CUgraphNode>,
    numDependencies: usize,
    nodeParams: InOut<CUgraphNodeParams>,
) -> Result<()>;

/// Changes the parameters of a node of any kind, with the parameter layouts of CUDA 13.4.
#[entry(since = 13040, needs = init)]
pub fn cuGraphNodeSetParams_v2(hNode: CUgraphNode, nodeParams: InMut<CUgraphNodeParams>) -> Result<()>;

/// Changes the parameters of a node of any kind.
#[entry(since = 12020, needs = init)]
pub fn cuGraphNodeSetParams(hNode: CUgraphNode, nodeParams: InMut<CUgraphNodeParams>) -> Result<()>;

/// Reads the parameters of a node of any kind.
#[entry(since = 13020, needs = init)]
pub fn cuGraphNodeGetParams(hNode: CUgraphNode, nodeParams: Out<CUgraphNodeParams>) -> Result<()>;

/// Changes the parameters of a node of any kind in an executable graph.
#[entry(since = 12020, needs = init)]
pub fn cuGraphExecNodeSetParams(
    hGraphExec: CUgraphExec,
    hNode: CUgraphNode,
    nodeParams: InMut<CUgraphNodeParams>,
) -> Result<()>;

/// Creates the handle through which kernels control conditional nodes.
#[entry(since = 12030, needs = init)]
pub fn cuGraphConditionalHandleCreate(
    pHandle_out: Out<CUgraphConditionalHandle>,
    hGraph: CUgraph,
    ctx: CUcontext,
    defaultLaunchValue: c_uint,
    flags: c_uint,
) -> Result<()>;
