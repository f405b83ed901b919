//! Graphs.

/// Makes an empty graph.
#[entry(since = 13000)]
pub fn cudaGraphCreate(pGraph: *mut cudaGraph_t, flags: c_uint) -> cudaError_t;

/// Adds a launch.
#[entry(since = 13000)]
pub fn cudaGraphAddKernelNode(pGraphNode: *mut cudaGraphNode_t, graph: cudaGraph_t, pDependencies: *const cudaGraphNode_t, numDependencies: usize, pNodeParams: *const cudaKernelNodeParams) -> cudaError_t;

/// What a launch launches. The kernel is named by its host function, if it has one.
#[entry(since = 13000)]
pub fn cudaGraphKernelNodeGetParams(node: cudaGraphNode_t, pNodeParams: *mut cudaKernelNodeParams) -> cudaError_t;

/// Changes what a launch launches.
#[entry(since = 13000)]
pub fn cudaGraphKernelNodeSetParams(node: cudaGraphNode_t, pNodeParams: *const cudaKernelNodeParams) -> cudaError_t;

/// Copies attributes between launches.
#[entry(since = 13000)]
pub fn cudaGraphKernelNodeCopyAttributes(hDst: cudaGraphNode_t, hSrc: cudaGraphNode_t) -> cudaError_t;

/// One attribute of a launch.
#[entry(since = 13000)]
pub fn cudaGraphKernelNodeGetAttribute(hNode: cudaGraphNode_t, attr: cudaLaunchAttributeID, value_out: *mut cudaLaunchAttributeValue) -> cudaError_t;

/// Sets one attribute of a launch.
#[entry(since = 13000)]
pub fn cudaGraphKernelNodeSetAttribute(hNode: cudaGraphNode_t, attr: cudaLaunchAttributeID, value: *const cudaLaunchAttributeValue) -> cudaError_t;

/// Adds a copy of a box.
#[entry(since = 13000)]
pub fn cudaGraphAddMemcpyNode(pGraphNode: *mut cudaGraphNode_t, graph: cudaGraph_t, pDependencies: *const cudaGraphNode_t, numDependencies: usize, pCopyParams: *const cudaMemcpy3DParms) -> cudaError_t;

/// Adds a copy into a variable.
#[entry(since = 13000)]
pub fn cudaGraphAddMemcpyNodeToSymbol(pGraphNode: *mut cudaGraphNode_t, graph: cudaGraph_t, pDependencies: *const cudaGraphNode_t, numDependencies: usize, symbol: *const c_void, src: *const c_void, count: usize, offset: usize, kind: cudaMemcpyKind) -> cudaError_t;

/// Adds a copy out of a variable.
#[entry(since = 13000)]
pub fn cudaGraphAddMemcpyNodeFromSymbol(pGraphNode: *mut cudaGraphNode_t, graph: cudaGraph_t, pDependencies: *const cudaGraphNode_t, numDependencies: usize, dst: *mut c_void, symbol: *const c_void, count: usize, offset: usize, kind: cudaMemcpyKind) -> cudaError_t;

/// Adds a copy of `count` bytes.
#[entry(since = 13000)]
pub fn cudaGraphAddMemcpyNode1D(pGraphNode: *mut cudaGraphNode_t, graph: cudaGraph_t, pDependencies: *const cudaGraphNode_t, numDependencies: usize, dst: *mut c_void, src: *const c_void, count: usize, kind: cudaMemcpyKind) -> cudaError_t;

/// What a copy node copies.
#[entry(since = 13000)]
pub fn cudaGraphMemcpyNodeGetParams(node: cudaGraphNode_t, pNodeParams: *mut cudaMemcpy3DParms) -> cudaError_t;

/// Changes what a copy node copies.
#[entry(since = 13000)]
pub fn cudaGraphMemcpyNodeSetParams(node: cudaGraphNode_t, pNodeParams: *const cudaMemcpy3DParms) -> cudaError_t;

/// Changes what a copy node copies.
#[entry(since = 13000)]
pub fn cudaGraphMemcpyNodeSetParamsToSymbol(node: cudaGraphNode_t, symbol: *const c_void, src: *const c_void, count: usize, offset: usize, kind: cudaMemcpyKind) -> cudaError_t;

/// Changes what a copy node copies.
#[entry(since = 13000)]
pub fn cudaGraphMemcpyNodeSetParamsFromSymbol(node: cudaGraphNode_t, dst: *mut c_void, symbol: *const c_void, count: usize, offset: usize, kind: cudaMemcpyKind) -> cudaError_t;

/// Changes what a copy node copies.
#[entry(since = 13000)]
pub fn cudaGraphMemcpyNodeSetParams1D(node: cudaGraphNode_t, dst: *mut c_void, src: *const c_void, count: usize, kind: cudaMemcpyKind) -> cudaError_t;

/// Adds a fill.
#[entry(since = 13000)]
pub fn cudaGraphAddMemsetNode(pGraphNode: *mut cudaGraphNode_t, graph: cudaGraph_t, pDependencies: *const cudaGraphNode_t, numDependencies: usize, pMemsetParams: *const cudaMemsetParams) -> cudaError_t;

/// What a fill fills.
#[entry(since = 13000)]
pub fn cudaGraphMemsetNodeGetParams(node: cudaGraphNode_t, pNodeParams: *mut cudaMemsetParams) -> cudaError_t;

/// Changes what a fill fills.
#[entry(since = 13000)]
pub fn cudaGraphMemsetNodeSetParams(node: cudaGraphNode_t, pNodeParams: *const cudaMemsetParams) -> cudaError_t;

/// Adds a call of a host function.
#[entry(since = 13000)]
pub fn cudaGraphAddHostNode(pGraphNode: *mut cudaGraphNode_t, graph: cudaGraph_t, pDependencies: *const cudaGraphNode_t, numDependencies: usize, pNodeParams: *const cudaHostNodeParams) -> cudaError_t;

/// What a call calls.
#[entry(since = 13000)]
pub fn cudaGraphHostNodeGetParams(node: cudaGraphNode_t, pNodeParams: *mut cudaHostNodeParams) -> cudaError_t;

/// Changes what a call calls.
#[entry(since = 13000)]
pub fn cudaGraphHostNodeSetParams(node: cudaGraphNode_t, pNodeParams: *const cudaHostNodeParams) -> cudaError_t;

/// Adds a graph as a node.
#[entry(since = 13000)]
pub fn cudaGraphAddChildGraphNode(pGraphNode: *mut cudaGraphNode_t, graph: cudaGraph_t, pDependencies: *const cudaGraphNode_t, numDependencies: usize, childGraph: cudaGraph_t) -> cudaError_t;

/// The graph that is a node.
#[entry(since = 13000)]
pub fn cudaGraphChildGraphNodeGetGraph(node: cudaGraphNode_t, pGraph: *mut cudaGraph_t) -> cudaError_t;

/// Adds a node that does nothing.
#[entry(since = 13000)]
pub fn cudaGraphAddEmptyNode(pGraphNode: *mut cudaGraphNode_t, graph: cudaGraph_t, pDependencies: *const cudaGraphNode_t, numDependencies: usize) -> cudaError_t;

/// Adds the recording of an event.
#[entry(since = 13000)]
pub fn cudaGraphAddEventRecordNode(pGraphNode: *mut cudaGraphNode_t, graph: cudaGraph_t, pDependencies: *const cudaGraphNode_t, numDependencies: usize, event: cudaEvent_t) -> cudaError_t;

/// The event that is recorded.
#[entry(since = 13000)]
pub fn cudaGraphEventRecordNodeGetEvent(node: cudaGraphNode_t, event_out: *mut cudaEvent_t) -> cudaError_t;

/// Changes the event that is recorded.
#[entry(since = 13000)]
pub fn cudaGraphEventRecordNodeSetEvent(node: cudaGraphNode_t, event: cudaEvent_t) -> cudaError_t;

/// Adds a wait for an event.
#[entry(since = 13000)]
pub fn cudaGraphAddEventWaitNode(pGraphNode: *mut cudaGraphNode_t, graph: cudaGraph_t, pDependencies: *const cudaGraphNode_t, numDependencies: usize, event: cudaEvent_t) -> cudaError_t;

/// The event that is waited for.
#[entry(since = 13000)]
pub fn cudaGraphEventWaitNodeGetEvent(node: cudaGraphNode_t, event_out: *mut cudaEvent_t) -> cudaError_t;

/// Changes the event that is waited for.
#[entry(since = 13000)]
pub fn cudaGraphEventWaitNodeSetEvent(node: cudaGraphNode_t, event: cudaEvent_t) -> cudaError_t;

/// Adds signals to semaphores.
#[entry(since = 13000)]
pub fn cudaGraphAddExternalSemaphoresSignalNode(pGraphNode: *mut cudaGraphNode_t, graph: cudaGraph_t, pDependencies: *const cudaGraphNode_t, numDependencies: usize, nodeParams: *const cudaExternalSemaphoreSignalNodeParams) -> cudaError_t;

/// The semaphores that are signalled.
#[entry(since = 13000)]
pub fn cudaGraphExternalSemaphoresSignalNodeGetParams(hNode: cudaGraphNode_t, params_out: *mut cudaExternalSemaphoreSignalNodeParams) -> cudaError_t;

/// Changes the semaphores that are signalled.
#[entry(since = 13000)]
pub fn cudaGraphExternalSemaphoresSignalNodeSetParams(hNode: cudaGraphNode_t, nodeParams: *const cudaExternalSemaphoreSignalNodeParams) -> cudaError_t;

/// Adds waits for semaphores.
#[entry(since = 13000)]
pub fn cudaGraphAddExternalSemaphoresWaitNode(pGraphNode: *mut cudaGraphNode_t, graph: cudaGraph_t, pDependencies: *const cudaGraphNode_t, numDependencies: usize, nodeParams: *const cudaExternalSemaphoreWaitNodeParams) -> cudaError_t;

/// The semaphores that are waited for.
#[entry(since = 13000)]
pub fn cudaGraphExternalSemaphoresWaitNodeGetParams(hNode: cudaGraphNode_t, params_out: *mut cudaExternalSemaphoreWaitNodeParams) -> cudaError_t;

/// Changes the semaphores that are waited for.
#[entry(since = 13000)]
pub fn cudaGraphExternalSemaphoresWaitNodeSetParams(hNode: cudaGraphNode_t, nodeParams: *const cudaExternalSemaphoreWaitNodeParams) -> cudaError_t;

/// Adds an allocation; its address is written into the description, which has the driver's layout.
#[entry(since = 13000)]
pub fn cudaGraphAddMemAllocNode(pGraphNode: *mut cudaGraphNode_t, graph: cudaGraph_t, pDependencies: *const cudaGraphNode_t, numDependencies: usize, nodeParams: *mut cudaMemAllocNodeParams) -> cudaError_t;

/// What an allocation allocates.
#[entry(since = 13000)]
pub fn cudaGraphMemAllocNodeGetParams(node: cudaGraphNode_t, params_out: *mut cudaMemAllocNodeParams) -> cudaError_t;

/// Adds the end of an allocation.
#[entry(since = 13000)]
pub fn cudaGraphAddMemFreeNode(pGraphNode: *mut cudaGraphNode_t, graph: cudaGraph_t, pDependencies: *const cudaGraphNode_t, numDependencies: usize, dptr: *mut c_void) -> cudaError_t;

/// The allocation that ends.
#[entry(since = 13000)]
pub fn cudaGraphMemFreeNodeGetParams(node: cudaGraphNode_t, dptr_out: *mut c_void) -> cudaError_t;

/// Gives memory that graphs no longer use back.
#[entry(since = 13000)]
pub fn cudaDeviceGraphMemTrim(device: c_int) -> cudaError_t;

/// One attribute of the memory of graphs.
#[entry(since = 13000)]
pub fn cudaDeviceGetGraphMemAttribute(device: c_int, attr: cudaGraphMemAttributeType, value: *mut c_void) -> cudaError_t;

/// Sets one attribute of the memory of graphs.
#[entry(since = 13000)]
pub fn cudaDeviceSetGraphMemAttribute(device: c_int, attr: cudaGraphMemAttributeType, value: *mut c_void) -> cudaError_t;

/// Copies a graph.
#[entry(since = 13000)]
pub fn cudaGraphClone(pGraphClone: *mut cudaGraph_t, originalGraph: cudaGraph_t) -> cudaError_t;

/// The copy of a node in a copy of its graph.
#[entry(since = 13000)]
pub fn cudaGraphNodeFindInClone(pNode: *mut cudaGraphNode_t, originalNode: cudaGraphNode_t, clonedGraph: cudaGraph_t) -> cudaError_t;

/// What kind of node it is. The kinds have the driver's numbers.
#[entry(since = 13000)]
pub fn cudaGraphNodeGetType(node: cudaGraphNode_t, pType: *mut cudaGraphNodeType) -> cudaError_t;

/// The graph that a node belongs to.
#[entry(since = 13000)]
pub fn cudaGraphNodeGetContainingGraph(hNode: cudaGraphNode_t, phGraph: *mut cudaGraph_t) -> cudaError_t;

/// The number of a node in its graph.
#[entry(since = 13000)]
pub fn cudaGraphNodeGetLocalId(hNode: cudaGraphNode_t, nodeId: *mut c_uint) -> cudaError_t;

/// The number of a node for tools.
#[entry(since = 13000)]
pub fn cudaGraphNodeGetToolsId(hNode: cudaGraphNode_t, toolsNodeId: *mut c_ulonglong) -> cudaError_t;

/// The number of a graph.
#[entry(since = 13000)]
pub fn cudaGraphGetId(hGraph: cudaGraph_t, graphID: *mut c_uint) -> cudaError_t;

/// The number of an executable graph.
#[entry(since = 13000)]
pub fn cudaGraphExecGetId(hGraphExec: cudaGraphExec_t, graphID: *mut c_uint) -> cudaError_t;

/// The nodes of a graph.
#[entry(since = 13000)]
pub fn cudaGraphGetNodes(graph: cudaGraph_t, nodes: *mut cudaGraphNode_t, numNodes: *mut usize) -> cudaError_t;

/// The nodes that depend on none.
#[entry(since = 13000)]
pub fn cudaGraphGetRootNodes(graph: cudaGraph_t, pRootNodes: *mut cudaGraphNode_t, pNumRootNodes: *mut usize) -> cudaError_t;

/// The edges of a graph.
#[entry(since = 13000)]
pub fn cudaGraphGetEdges(graph: cudaGraph_t, from: *mut cudaGraphNode_t, to: *mut cudaGraphNode_t, edgeData: *mut cudaGraphEdgeData, numEdges: *mut usize) -> cudaError_t;

/// What a node depends on.
#[entry(since = 13000)]
pub fn cudaGraphNodeGetDependencies(node: cudaGraphNode_t, pDependencies: *mut cudaGraphNode_t, edgeData: *mut cudaGraphEdgeData, pNumDependencies: *mut usize) -> cudaError_t;

/// What depends on a node.
#[entry(since = 13000)]
pub fn cudaGraphNodeGetDependentNodes(node: cudaGraphNode_t, pDependentNodes: *mut cudaGraphNode_t, edgeData: *mut cudaGraphEdgeData, pNumDependentNodes: *mut usize) -> cudaError_t;

/// Adds edges.
#[entry(since = 13000)]
pub fn cudaGraphAddDependencies(graph: cudaGraph_t, from: *const cudaGraphNode_t, to: *const cudaGraphNode_t, edgeData: *const cudaGraphEdgeData, numDependencies: usize) -> cudaError_t;

/// Removes edges.
#[entry(since = 13000)]
pub fn cudaGraphRemoveDependencies(graph: cudaGraph_t, from: *const cudaGraphNode_t, to: *const cudaGraphNode_t, edgeData: *const cudaGraphEdgeData, numDependencies: usize) -> cudaError_t;

/// Removes a node.
#[entry(since = 13000)]
pub fn cudaGraphDestroyNode(node: cudaGraphNode_t) -> cudaError_t;

/// Makes a graph executable.
#[entry(since = 13000)]
pub fn cudaGraphInstantiate(pGraphExec: *mut cudaGraphExec_t, graph: cudaGraph_t, flags: c_ulonglong) -> cudaError_t;

/// Makes a graph executable.
#[entry(since = 13000)]
pub fn cudaGraphInstantiateWithFlags(pGraphExec: *mut cudaGraphExec_t, graph: cudaGraph_t, flags: c_ulonglong) -> cudaError_t;

/// Makes a graph executable; says what is wrong if it cannot be.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaGraphInstantiateWithParams(pGraphExec: *mut cudaGraphExec_t, graph: cudaGraph_t, instantiateParams: *mut cudaGraphInstantiateParams) -> cudaError_t;

/// The flags that an executable graph was made with.
#[entry(since = 13000)]
pub fn cudaGraphExecGetFlags(graphExec: cudaGraphExec_t, flags: *mut c_ulonglong) -> cudaError_t;

/// Changes what a launch of an executable graph launches.
#[entry(since = 13000)]
pub fn cudaGraphExecKernelNodeSetParams(hGraphExec: cudaGraphExec_t, node: cudaGraphNode_t, pNodeParams: *const cudaKernelNodeParams) -> cudaError_t;

/// Changes what a copy node of an executable graph copies.
#[entry(since = 13000)]
pub fn cudaGraphExecMemcpyNodeSetParams(hGraphExec: cudaGraphExec_t, node: cudaGraphNode_t, pNodeParams: *const cudaMemcpy3DParms) -> cudaError_t;

/// Changes what a copy node of an executable graph copies.
#[entry(since = 13000)]
pub fn cudaGraphExecMemcpyNodeSetParamsToSymbol(hGraphExec: cudaGraphExec_t, node: cudaGraphNode_t, symbol: *const c_void, src: *const c_void, count: usize, offset: usize, kind: cudaMemcpyKind) -> cudaError_t;

/// Changes what a copy node of an executable graph copies.
#[entry(since = 13000)]
pub fn cudaGraphExecMemcpyNodeSetParamsFromSymbol(hGraphExec: cudaGraphExec_t, node: cudaGraphNode_t, dst: *mut c_void, symbol: *const c_void, count: usize, offset: usize, kind: cudaMemcpyKind) -> cudaError_t;

/// Changes what a copy node of an executable graph copies.
#[entry(since = 13000)]
pub fn cudaGraphExecMemcpyNodeSetParams1D(hGraphExec: cudaGraphExec_t, node: cudaGraphNode_t, dst: *mut c_void, src: *const c_void, count: usize, kind: cudaMemcpyKind) -> cudaError_t;

/// Changes what a fill of an executable graph fills.
#[entry(since = 13000)]
pub fn cudaGraphExecMemsetNodeSetParams(hGraphExec: cudaGraphExec_t, node: cudaGraphNode_t, pNodeParams: *const cudaMemsetParams) -> cudaError_t;

/// Changes what a call of an executable graph calls.
#[entry(since = 13000)]
pub fn cudaGraphExecHostNodeSetParams(hGraphExec: cudaGraphExec_t, node: cudaGraphNode_t, pNodeParams: *const cudaHostNodeParams) -> cudaError_t;

/// Changes the graph that is a node of an executable graph.
#[entry(since = 13000)]
pub fn cudaGraphExecChildGraphNodeSetParams(hGraphExec: cudaGraphExec_t, node: cudaGraphNode_t, childGraph: cudaGraph_t) -> cudaError_t;

/// Changes the event that an executable graph records.
#[entry(since = 13000)]
pub fn cudaGraphExecEventRecordNodeSetEvent(hGraphExec: cudaGraphExec_t, hNode: cudaGraphNode_t, event: cudaEvent_t) -> cudaError_t;

/// Changes the event that an executable graph waits for.
#[entry(since = 13000)]
pub fn cudaGraphExecEventWaitNodeSetEvent(hGraphExec: cudaGraphExec_t, hNode: cudaGraphNode_t, event: cudaEvent_t) -> cudaError_t;

/// Changes the semaphores that an executable graph signals.
#[entry(since = 13000)]
pub fn cudaGraphExecExternalSemaphoresSignalNodeSetParams(hGraphExec: cudaGraphExec_t, hNode: cudaGraphNode_t, nodeParams: *const cudaExternalSemaphoreSignalNodeParams) -> cudaError_t;

/// Changes the semaphores that an executable graph waits for.
#[entry(since = 13000)]
pub fn cudaGraphExecExternalSemaphoresWaitNodeSetParams(hGraphExec: cudaGraphExec_t, hNode: cudaGraphNode_t, nodeParams: *const cudaExternalSemaphoreWaitNodeParams) -> cudaError_t;

/// Switches a node of an executable graph on or off.
#[entry(since = 13000)]
pub fn cudaGraphNodeSetEnabled(hGraphExec: cudaGraphExec_t, hNode: cudaGraphNode_t, isEnabled: c_uint) -> cudaError_t;

/// Says whether a node of an executable graph is on.
#[entry(since = 13000)]
pub fn cudaGraphNodeGetEnabled(hGraphExec: cudaGraphExec_t, hNode: cudaGraphNode_t, isEnabled: *mut c_uint) -> cudaError_t;

/// Brings an executable graph up to date with a graph of the same shape.
#[entry(since = 13000)]
pub fn cudaGraphExecUpdate(hGraphExec: cudaGraphExec_t, hGraph: cudaGraph_t, resultInfo: *mut cudaGraphExecUpdateResultInfo) -> cudaError_t;

/// Sends an executable graph to the device without running it.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaGraphUpload(graphExec: cudaGraphExec_t, stream: cudaStream_t) -> cudaError_t;

/// Runs an executable graph in a stream.
#[entry(since = 13000, twin = ptsz)]
pub fn cudaGraphLaunch(graphExec: cudaGraphExec_t, stream: cudaStream_t) -> cudaError_t;

/// Destroys an executable graph.
#[entry(since = 13000)]
pub fn cudaGraphExecDestroy(graphExec: cudaGraphExec_t) -> cudaError_t;

/// Destroys a graph.
#[entry(since = 13000)]
pub fn cudaGraphDestroy(graph: cudaGraph_t) -> cudaError_t;

/// Writes a graph in the language of Graphviz.
#[entry(since = 13000)]
pub fn cudaGraphDebugDotPrint(graph: cudaGraph_t, path: *const c_char, flags: c_uint) -> cudaError_t;

/// Makes an object that graphs keep alive.
#[entry(since = 13000)]
pub fn cudaUserObjectCreate(object_out: *mut cudaUserObject_t, ptr: *mut c_void, destroy: cudaHostFn_t, initialRefcount: c_uint, flags: c_uint) -> cudaError_t;

/// Keeps an object alive.
#[entry(since = 13000)]
pub fn cudaUserObjectRetain(object: cudaUserObject_t, count: c_uint) -> cudaError_t;

/// Keeps an object alive no longer.
#[entry(since = 13000)]
pub fn cudaUserObjectRelease(object: cudaUserObject_t, count: c_uint) -> cudaError_t;

/// Makes a graph keep an object alive.
#[entry(since = 13000)]
pub fn cudaGraphRetainUserObject(graph: cudaGraph_t, object: cudaUserObject_t, count: c_uint, flags: c_uint) -> cudaError_t;

/// Makes a graph keep an object alive no longer.
#[entry(since = 13000)]
pub fn cudaGraphReleaseUserObject(graph: cudaGraph_t, object: cudaUserObject_t, count: c_uint) -> cudaError_t;

/// Adds a node of any kind.
#[entry(since = 13000)]
pub fn cudaGraphAddNode(pGraphNode: *mut cudaGraphNode_t, graph: cudaGraph_t, pDependencies: *const cudaGraphNode_t, dependencyData: *const cudaGraphEdgeData, numDependencies: usize, nodeParams: *mut cudaGraphNodeParams) -> cudaError_t;

/// Changes what a node of any kind does.
#[entry(since = 13000)]
pub fn cudaGraphNodeSetParams(node: cudaGraphNode_t, nodeParams: *mut cudaGraphNodeParams) -> cudaError_t;

/// What a node of any kind does.
#[entry(since = 13000)]
pub fn cudaGraphNodeGetParams(node: cudaGraphNode_t, nodeParams: *mut cudaGraphNodeParams) -> cudaError_t;

/// Changes what a node of any kind of an executable graph does.
#[entry(since = 13000)]
pub fn cudaGraphExecNodeSetParams(graphExec: cudaGraphExec_t, node: cudaGraphNode_t, nodeParams: *mut cudaGraphNodeParams) -> cudaError_t;

/// Makes the condition of a conditional node.
#[entry(since = 13000)]
pub fn cudaGraphConditionalHandleCreate(pHandle_out: *mut cudaGraphConditionalHandle, graph: cudaGraph_t, defaultLaunchValue: c_uint, flags: c_uint) -> cudaError_t;

/// Makes the condition of a conditional node of a context.
#[entry(since = 13000)]
pub fn cudaGraphConditionalHandleCreate_v2(pHandle_out: *mut cudaGraphConditionalHandle, graph: cudaGraph_t, ctx: cudaExecutionContext_t, defaultLaunchValue: c_uint, flags: c_uint) -> cudaError_t;
