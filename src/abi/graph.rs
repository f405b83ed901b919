//! Graph Management (graphs and their edges).

#![allow(non_snake_case)]

use super::convert::bounds::MOST_REFERENCES;
use super::convert::graph_params::{context_of, data_of_edge};
use super::ptr::{In, InOut, Out};
use super::types::{
    CU_GRAPH_COND_ASSIGN_DEFAULT, CU_GRAPH_USER_OBJECT_MOVE, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC, CUcontext, CUgraph,
    CUgraphConditionalHandle, CUgraphEdgeData, CUgraphNode, CUgraphNodeType, CUhostFn, CUuserObject,
    CUuserObjectRetain_flags,
};
use api_macro::entry;
use core::ffi::{c_char, c_uint, c_ulonglong, c_void};
use device::graph::user_object::UserObject;
use device::graph::{Edge, EdgeData, Graph, Node, dot};
use error::{Error, Result, refuse, refuse_if};
use std::os::unix::ffi::OsStrExt;

/// Creates an empty graph.
///
/// - `phGraph`: receives the graph.
/// - `flags`: 0.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `phGraph` is NULL or `flags` is not 0.
///
/// Manual: Graph Management.
#[entry(since = 10000, needs = init)]
pub fn cuGraphCreate(phGraph: Out<CUgraph>, flags: c_uint) -> Result<()> {
    phGraph.check()?;
    refuse_if!(Error::INVALID_VALUE, flags != 0, "flags {:#x} is not 0", flags);
    phGraph.set(CUgraph(Graph::create()?.handle))
}

/// Copies a graph, child graphs included.
///
/// - `phGraphClone`: receives the copy.
/// - `originalGraph`: the graph.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `phGraphClone` is NULL or `originalGraph` is no graph;
/// `CUDA_ERROR_NOT_SUPPORTED` for a graph with nodes that allocate or free memory.
///
/// Manual: Graph Management.
#[entry(since = 10000, needs = init)]
pub fn cuGraphClone(phGraphClone: Out<CUgraph>, originalGraph: CUgraph) -> Result<()> {
    phGraphClone.check()?;
    phGraphClone.set(CUgraph(Graph::find(originalGraph.0)?.duplicate()?.handle))
}

/// Finds the copy of a node in a cloned graph.
///
/// - `phNode`: receives the copy.
/// - `hOriginalNode`: the node that was cloned.
/// - `hClonedGraph`: the clone.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `phNode` is NULL, for what is no node or graph, and if the graph was not
/// cloned from the node's.
///
/// Manual: Graph Management.
#[entry(since = 10000, needs = init)]
pub fn cuGraphNodeFindInClone(
    phNode: Out<CUgraphNode>,
    hOriginalNode: CUgraphNode,
    hClonedGraph: CUgraph,
) -> Result<()> {
    phNode.check()?;
    let original = Node::find(hOriginalNode.0)?;
    phNode.set(CUgraphNode(Graph::find(hClonedGraph.0)?.find_clone(original.handle)?.handle))
}

/// Reports the kind of a node.
///
/// - `hNode`: the node.
/// - `type`: receives the kind.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `type` is NULL or `hNode` is no node.
///
/// Manual: Graph Management.
#[entry(since = 10000, needs = init)]
pub fn cuGraphNodeGetType(hNode: CUgraphNode, r#type: Out<CUgraphNodeType>) -> Result<()> {
    r#type.check()?;
    r#type.set(CUgraphNodeType(Node::find(hNode.0)?.operation().kind()))
}

/// Reports the graph that a node belongs to.
///
/// - `hNode`: the node.
/// - `phGraph`: receives the graph.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `phGraph` is NULL or `hNode` is no node.
///
/// Manual: Graph Management.
#[entry(since = 13010, needs = init)]
pub fn cuGraphNodeGetContainingGraph(hNode: CUgraphNode, phGraph: Out<CUgraph>) -> Result<()> {
    phGraph.check()?;
    phGraph.set(CUgraph(Node::find(hNode.0)?.graph()?.handle))
}

/// Reports the number of a node within its graph.
///
/// - `hNode`: the node.
/// - `nodeId`: receives the number; nodes are counted from 0 in the order of their creation.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `nodeId` is NULL or `hNode` is no node.
///
/// Manual: Graph Management.
#[entry(since = 13010, needs = init)]
pub fn cuGraphNodeGetLocalId(hNode: CUgraphNode, nodeId: Out<c_uint>) -> Result<()> {
    nodeId.check()?;
    nodeId.set(Node::find(hNode.0)?.id)
}

/// Reports the number under which tools know a node.
///
/// - `hNode`: the node.
/// - `toolsNodeId`: receives it: the graph's number in the upper 32 bits, the node's in the lower ones.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `toolsNodeId` is NULL or `hNode` is no node.
///
/// Manual: Graph Management.
#[entry(since = 13010, needs = init)]
pub fn cuGraphNodeGetToolsId(hNode: CUgraphNode, toolsNodeId: Out<c_ulonglong>) -> Result<()> {
    toolsNodeId.check()?;
    let node = Node::find(hNode.0)?;
    toolsNodeId.set(u64::from(node.graph()?.id) << 32 | u64::from(node.id))
}

/// Reports the number of a graph, unique in this process.
///
/// - `hGraph`: the graph.
/// - `graphId`: receives the number.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `graphId` is NULL or `hGraph` is no graph.
///
/// Manual: Graph Management.
#[entry(since = 13010, needs = init)]
pub fn cuGraphGetId(hGraph: CUgraph, graphId: Out<c_uint>) -> Result<()> {
    graphId.check()?;
    graphId.set(Graph::find(hGraph.0)?.id)
}

/// Lists the nodes of a graph.
///
/// - `hGraph`: the graph.
/// - `nodes`: receives them; what is left of the array is set to NULL. NULL asks for their number only.
/// - `numNodes`: room in the array; receives how many were written, or all there are if the array is NULL.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `hGraph` is no graph or `numNodes` is NULL.
///
/// Manual: Graph Management.
#[entry(since = 10000, needs = init)]
pub fn cuGraphGetNodes(hGraph: CUgraph, nodes: Out<CUgraphNode>, numNodes: InOut<usize>) -> Result<()> {
    list(Graph::find(hGraph.0)?.nodes().iter().map(|n| CUgraphNode(n.handle)), nodes, numNodes)
}

/// Lists the nodes of a graph that depend on nothing.
///
/// - `hGraph`: the graph.
/// - `rootNodes`: receives them; what is left of the array is set to NULL. NULL asks for their number only.
/// - `numRootNodes`: room in the array; receives how many were written, or all there are if the array is NULL.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `hGraph` is no graph or `numRootNodes` is NULL.
///
/// Manual: Graph Management.
#[entry(since = 10000, needs = init)]
pub fn cuGraphGetRootNodes(hGraph: CUgraph, rootNodes: Out<CUgraphNode>, numRootNodes: InOut<usize>) -> Result<()> {
    list(Graph::find(hGraph.0)?.roots().iter().map(|n| CUgraphNode(n.handle)), rootNodes, numRootNodes)
}

/// Lists the edges of a graph with their data.
///
/// - `hGraph`: the graph.
/// - `from`: receives the nodes that they begin at; what is left of the array is set to NULL. NULL together with `to`
///   asks for their number only.
/// - `to`: receives the nodes that they lead to, likewise.
/// - `edgeData`: receives their data, likewise; NULL if none carries any.
/// - `numEdges`: room in each array; receives how many were written, or all there are if the arrays are NULL.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `hGraph` is no graph, if only one of `from` and `to` is NULL, and if
/// `numEdges` is; `CUDA_ERROR_LOSSY_QUERY` without `edgeData` if an edge carries data.
///
/// Manual: Graph Management.
#[entry(since = 12030, needs = init)]
pub fn cuGraphGetEdges_v2(
    hGraph: CUgraph,
    from: Out<CUgraphNode>,
    to: Out<CUgraphNode>,
    edgeData: Out<CUgraphEdgeData>,
    numEdges: InOut<usize>,
) -> Result<()> {
    list_edges(&Graph::find(hGraph.0)?.edges(), from, to, edgeData, numEdges)
}

/// Lists the edges of a graph.
///
/// As [`cuGraphGetEdges_v2`], without data.
///
/// - `hGraph`: the graph.
/// - `from`: receives the nodes that they begin at; what is left of the array is set to NULL. NULL together with `to`
///   asks for their number only.
/// - `to`: receives the nodes that they lead to, likewise.
/// - `numEdges`: room in each array; receives how many were written, or all there are if the arrays are NULL.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `hGraph` is no graph, if only one of `from` and `to` is NULL, and if
/// `numEdges` is; `CUDA_ERROR_LOSSY_QUERY` if an edge carries data.
///
/// Manual: Graph Management.
#[entry(since = 10000, needs = init)]
pub fn cuGraphGetEdges(
    hGraph: CUgraph,
    from: Out<CUgraphNode>,
    to: Out<CUgraphNode>,
    numEdges: InOut<usize>,
) -> Result<()> {
    list_edges(&Graph::find(hGraph.0)?.edges(), from, to, Out(core::ptr::null_mut()), numEdges)
}

/// Lists what a node depends on, with edge data.
///
/// - `hNode`: the node.
/// - `dependencies`: receives them; what is left of the array is set to NULL. NULL asks for their number only.
/// - `edgeData`: receives the data of the edges, likewise; NULL if none carries any.
/// - `numDependencies`: room in the array; receives how many were written, or all there are if the array is NULL.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `hNode` is no node or `numDependencies` is NULL; `CUDA_ERROR_LOSSY_QUERY`
/// without `edgeData` if an edge carries data.
///
/// Manual: Graph Management.
#[entry(since = 12030, needs = init)]
pub fn cuGraphNodeGetDependencies_v2(
    hNode: CUgraphNode,
    dependencies: Out<CUgraphNode>,
    edgeData: Out<CUgraphEdgeData>,
    numDependencies: InOut<usize>,
) -> Result<()> {
    let node = Node::find(hNode.0)?;
    list_neighbours(&node.graph()?.dependencies(node.handle), dependencies, edgeData, numDependencies)
}

/// Lists what a node depends on.
///
/// - `hNode`: the node.
/// - `dependencies`: receives them; what is left of the array is set to NULL. NULL asks for their number only.
/// - `numDependencies`: room in the array; receives how many were written, or all there are if the array is NULL.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `hNode` is no node or `numDependencies` is NULL; `CUDA_ERROR_LOSSY_QUERY` if
/// an edge carries data.
///
/// Manual: Graph Management.
#[entry(since = 10000, needs = init)]
pub fn cuGraphNodeGetDependencies(
    hNode: CUgraphNode,
    dependencies: Out<CUgraphNode>,
    numDependencies: InOut<usize>,
) -> Result<()> {
    let node = Node::find(hNode.0)?;
    let found = node.graph()?.dependencies(node.handle);
    list_neighbours(&found, dependencies, Out(core::ptr::null_mut()), numDependencies)
}

/// Lists the nodes that depend on a node, with edge data.
///
/// - `hNode`: the node.
/// - `dependentNodes`: receives them; what is left of the array is set to NULL. NULL asks for their number only.
/// - `edgeData`: receives the data of the edges, likewise; NULL if none carries any.
/// - `numDependentNodes`: room in the array; receives how many were written, or all there are if the array is NULL.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `hNode` is no node or `numDependentNodes` is NULL; `CUDA_ERROR_LOSSY_QUERY`
/// without `edgeData` if an edge carries data.
///
/// Manual: Graph Management.
#[entry(since = 12030, needs = init)]
pub fn cuGraphNodeGetDependentNodes_v2(
    hNode: CUgraphNode,
    dependentNodes: Out<CUgraphNode>,
    edgeData: Out<CUgraphEdgeData>,
    numDependentNodes: InOut<usize>,
) -> Result<()> {
    let node = Node::find(hNode.0)?;
    list_neighbours(&node.graph()?.dependents(node.handle), dependentNodes, edgeData, numDependentNodes)
}

/// Lists the nodes that depend on a node.
///
/// - `hNode`: the node.
/// - `dependentNodes`: receives them; what is left of the array is set to NULL. NULL asks for their number only.
/// - `numDependentNodes`: room in the array; receives how many were written, or all there are if the array is NULL.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `hNode` is no node or `numDependentNodes` is NULL; `CUDA_ERROR_LOSSY_QUERY` if
/// an edge carries data.
///
/// Manual: Graph Management.
#[entry(since = 10000, needs = init)]
pub fn cuGraphNodeGetDependentNodes(
    hNode: CUgraphNode,
    dependentNodes: Out<CUgraphNode>,
    numDependentNodes: InOut<usize>,
) -> Result<()> {
    let node = Node::find(hNode.0)?;
    let found = node.graph()?.dependents(node.handle);
    list_neighbours(&found, dependentNodes, Out(core::ptr::null_mut()), numDependentNodes)
}

/// Adds edges with data to a graph, all or none.
///
/// A cycle is found when the graph is made executable.
///
/// - `hGraph`: the graph.
/// - `from`: nodes that the edges begin at.
/// - `to`: nodes that they lead to, as many.
/// - `edgeData`: data of the edges, as many; NULL for plain ones.
/// - `numDependencies`: number of edges.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `hGraph` is no graph, if `from` or `to` is NULL and `numDependencies` is not
/// 0, for an edge that exists already or twice, for one that leads from a node to itself or to another graph, and for
/// edge data that are not known.
///
/// Manual: Graph Management.
#[entry(since = 12030, needs = init)]
pub fn cuGraphAddDependencies_v2(
    hGraph: CUgraph,
    from: In<CUgraphNode>,
    to: In<CUgraphNode>,
    edgeData: In<CUgraphEdgeData>,
    numDependencies: usize,
) -> Result<()> {
    let graph = Graph::find(hGraph.0)?;
    graph.connect(&edges(from, to, edgeData, numDependencies)?)
}

/// Adds edges to a graph, all or none.
///
/// A cycle is found when the graph is made executable.
///
/// - `hGraph`: the graph.
/// - `from`: nodes that the edges begin at.
/// - `to`: nodes that they lead to, as many.
/// - `numDependencies`: number of edges.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `hGraph` is no graph, if `from` or `to` is NULL and `numDependencies` is not
/// 0, for an edge that exists already or twice, and for one that leads from a node to itself or to another graph.
///
/// Manual: Graph Management.
#[entry(since = 10000, needs = init)]
pub fn cuGraphAddDependencies(
    hGraph: CUgraph,
    from: In<CUgraphNode>,
    to: In<CUgraphNode>,
    numDependencies: usize,
) -> Result<()> {
    let graph = Graph::find(hGraph.0)?;
    graph.connect(&edges(from, to, In(core::ptr::null()), numDependencies)?)
}

/// Removes edges with given data from a graph, all or none.
///
/// - `hGraph`: the graph.
/// - `from`: nodes that the edges begin at.
/// - `to`: nodes that they lead to, as many.
/// - `edgeData`: data of the edges, as many; NULL for plain ones.
/// - `numDependencies`: number of edges.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `hGraph` is no graph, if `from` or `to` is NULL and `numDependencies` is not
/// 0, for an edge that does not exist or is listed twice, and for edge data that are not known;
/// `CUDA_ERROR_NOT_SUPPORTED` for a graph with nodes that allocate or free memory.
///
/// Manual: Graph Management.
#[entry(since = 12030, needs = init)]
pub fn cuGraphRemoveDependencies_v2(
    hGraph: CUgraph,
    from: In<CUgraphNode>,
    to: In<CUgraphNode>,
    edgeData: In<CUgraphEdgeData>,
    numDependencies: usize,
) -> Result<()> {
    let graph = Graph::find(hGraph.0)?;
    graph.disconnect(&edges(from, to, edgeData, numDependencies)?)
}

/// Removes edges without data from a graph, all or none.
///
/// - `hGraph`: the graph.
/// - `from`: nodes that the edges begin at.
/// - `to`: nodes that they lead to, as many.
/// - `numDependencies`: number of edges.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `hGraph` is no graph, if `from` or `to` is NULL and `numDependencies` is not
/// 0, and for an edge that does not exist or is listed twice; `CUDA_ERROR_NOT_SUPPORTED` for a graph with nodes that
/// allocate or free memory.
///
/// Manual: Graph Management.
#[entry(since = 10000, needs = init)]
pub fn cuGraphRemoveDependencies(
    hGraph: CUgraph,
    from: In<CUgraphNode>,
    to: In<CUgraphNode>,
    numDependencies: usize,
) -> Result<()> {
    let graph = Graph::find(hGraph.0)?;
    graph.disconnect(&edges(from, to, In(core::ptr::null()), numDependencies)?)
}

/// Removes a node and its edges.
///
/// - `hNode`: the node.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `hNode` is no node; `CUDA_ERROR_NOT_SUPPORTED` in a graph with nodes that
/// allocate or free memory.
///
/// Manual: Graph Management.
#[entry(since = 10000, needs = init)]
pub fn cuGraphDestroyNode(hNode: CUgraphNode) -> Result<()> {
    let node = Node::find(hNode.0)?;
    node.graph()?.remove(&node)
}

/// Destroys a graph and its nodes.
///
/// Executable graphs that were made of it stay. The graph of a child node goes with its node only.
///
/// - `hGraph`: the graph.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `hGraph` is no graph, or that of a child node.
///
/// Manual: Graph Management.
#[entry(since = 10000, needs = init)]
pub fn cuGraphDestroy(hGraph: CUgraph) -> Result<()> {
    Graph::destroy(hGraph.0)
}

/// Writes a graph to a file in DOT format.
///
/// - `hGraph`: the graph.
/// - `path`: name of the file.
/// - `flags`: `CU_GRAPH_DEBUG_DOT_FLAGS_*`; any of them adds what the nodes do.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `hGraph` is no graph or `path` is NULL or longer than 4096 bytes;
/// `CUDA_ERROR_OPERATING_SYSTEM` if the file cannot be written.
///
/// Manual: Graph Management.
#[entry(since = 11030, needs = init, flags = CUgraphDebugDot_flags)]
pub fn cuGraphDebugDotPrint(hGraph: CUgraph, path: In<c_char>, flags: c_uint) -> Result<()> {
    let graph = Graph::find(hGraph.0)?;
    let path = path.string(4096)?;
    let text = dot::text(&graph, flags != 0);
    std::fs::write(std::ffi::OsStr::from_bytes(&path), text)
        .map_err(|_| refuse!(Error::OPERATING_SYSTEM, "path cannot be written"))
}

/// Creates a reference-counted object with a destructor, to be owned by graphs.
///
/// The destructor is called on a thread of ours, which may not call the driver.
///
/// - `object_out`: receives the user object.
/// - `ptr`: argument of the destructor.
/// - `destroy`: the destructor, called when the last reference is gone.
/// - `initialRefcount`: references that the caller has, 1 to 2^31 - 1.
/// - `flags`: `CU_USER_OBJECT_NO_DESTRUCTOR_SYNC`, which must be there.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `object_out` or `destroy` is NULL, for a number of references out of that
/// range, and for other flags.
///
/// Manual: Graph Management.
#[entry(since = 11030, needs = init, flags = CUuserObject_flags)]
pub fn cuUserObjectCreate(
    object_out: Out<CUuserObject>,
    ptr: *mut c_void,
    destroy: CUhostFn,
    initialRefcount: c_uint,
    flags: c_uint,
) -> Result<()> {
    object_out.check()?;
    let function = destroy.ok_or_else(|| refuse!(Error::INVALID_VALUE, "destroy is NULL"))?;
    refuse_if!(
        Error::INVALID_VALUE,
        initialRefcount == 0 || initialRefcount > MOST_REFERENCES,
        "initialRefcount {} is not 1 to {}",
        initialRefcount,
        MOST_REFERENCES
    );
    refuse_if!(
        Error::INVALID_VALUE,
        flags != CU_USER_OBJECT_NO_DESTRUCTOR_SYNC.0,
        "flags {:#x} is not CU_USER_OBJECT_NO_DESTRUCTOR_SYNC",
        flags
    );
    let argument = ptr as usize;
    // SAFETY: the program passed this function to be called with this argument.
    let destructor = move || unsafe { function(argument as *mut c_void) };
    let object = UserObject::create(initialRefcount, Box::new(destructor))?;
    object_out.set(CUuserObject(object.handle))
}

/// Adds references to a user object.
///
/// - `object`: the user object.
/// - `count`: number of references, 1 to 2^31 - 1.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `object` is not a user object, and for another `count`.
///
/// Manual: Graph Management.
#[entry(since = 11030, needs = init)]
pub fn cuUserObjectRetain(object: CUuserObject, count: c_uint) -> Result<()> {
    let object = UserObject::find(object.0)?;
    object.retain(references(count)?);
    Ok(())
}

/// Drops references to a user object.
///
/// - `object`: the user object.
/// - `count`: number of references, 1 to 2^31 - 1.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `object` is not a user object, for another `count`, and if there are fewer references.
///
/// Manual: Graph Management.
#[entry(since = 11030, needs = init)]
pub fn cuUserObjectRelease(object: CUuserObject, count: c_uint) -> Result<()> {
    let object = UserObject::find(object.0)?;
    if object.release(references(count)?) {
        Ok(())
    } else {
        Err(refuse!(Error::INVALID_VALUE, "count {} is more references than object {:#x} has", count, object.handle))
    }
}

/// Makes a graph own references to a user object.
///
/// - `graph`: the graph.
/// - `object`: the user object.
/// - `count`: number of references, 1 to 2^31 - 1.
/// - `flags`: 0, or `CU_GRAPH_USER_OBJECT_MOVE`, with which the caller's references become the graph's.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` for what is no graph or user object, and for another `count` or other `flags`.
///
/// Manual: Graph Management.
#[entry(since = 11030, needs = init, flags = CUuserObjectRetain_flags)]
pub fn cuGraphRetainUserObject(graph: CUgraph, object: CUuserObject, count: c_uint, flags: c_uint) -> Result<()> {
    let graph = Graph::find(graph.0)?;
    let object = UserObject::find(object.0)?;
    let count = references(count)?;
    match CUuserObjectRetain_flags(flags) {
        CUuserObjectRetain_flags(0) => object.retain(count),
        CU_GRAPH_USER_OBJECT_MOVE => {}
        _ => {
            return Err(refuse!(Error::INVALID_VALUE, "flags {:#x} is neither 0 nor CU_GRAPH_USER_OBJECT_MOVE", flags));
        }
    }
    graph.own(&object, count)
}

/// Takes references to a user object back from a graph.
///
/// - `graph`: the graph.
/// - `object`: the user object.
/// - `count`: number of references, 1 to 2^31 - 1.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` for what is no graph or user object, for another `count`, and if the graph owns
/// fewer references.
///
/// Manual: Graph Management.
#[entry(since = 11030, needs = init)]
pub fn cuGraphReleaseUserObject(graph: CUgraph, object: CUuserObject, count: c_uint) -> Result<()> {
    let graph = Graph::find(graph.0)?;
    let object = UserObject::find(object.0)?;
    let count = references(count)?;
    graph.disown(&object, count)?;
    object.release(count);
    Ok(())
}

/// Creates the handle through which kernels control conditional nodes.
///
/// - `pHandle_out`: receives the handle.
/// - `hGraph`: the graph.
/// - `ctx`: the context of those kernels.
/// - `defaultLaunchValue`: the value that a launch begins with, if `flags` says so; otherwise it is 0 at first, and stays
///   what it was.
/// - `flags`: 0 or `CU_GRAPH_COND_ASSIGN_DEFAULT`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pHandle_out` is NULL, `hGraph` is no graph, and for other `flags`;
/// `CUDA_ERROR_INVALID_CONTEXT` if `ctx` is no context;
/// `CUDA_ERROR_CONTEXT_IS_DESTROYED` if `ctx` was destroyed.
///
/// Manual: Graph Management.
#[entry(since = 12030, needs = init)]
pub fn cuGraphConditionalHandleCreate(
    pHandle_out: Out<CUgraphConditionalHandle>,
    hGraph: CUgraph,
    ctx: CUcontext,
    defaultLaunchValue: c_uint,
    flags: c_uint,
) -> Result<()> {
    pHandle_out.check()?;
    let graph = Graph::find(hGraph.0)?;
    refuse_if!(
        Error::INVALID_VALUE,
        flags & !CU_GRAPH_COND_ASSIGN_DEFAULT != 0,
        "flags {:#x} is neither 0 nor CU_GRAPH_COND_ASSIGN_DEFAULT",
        flags
    );
    refuse_if!(Error::INVALID_CONTEXT, ctx.is_null(), "ctx is NULL");
    let context = context_of(ctx)?;
    let default = (flags != 0).then_some(defaultLaunchValue);
    pHandle_out.set(graph.create_condition(&context, default)? as u64)
}

fn references(count: c_uint) -> Result<u32> {
    if (1..=MOST_REFERENCES).contains(&count) {
        Ok(count)
    } else {
        Err(refuse!(Error::INVALID_VALUE, "count {} is not 1 to {}", count, MOST_REFERENCES))
    }
}

/// Writes a list into an array of the program and its length into `count`; see [`cuGraphGetNodes`].
fn list<T: Copy + Default>(values: impl ExactSizeIterator<Item = T>, out: Out<T>, count: InOut<usize>) -> Result<()> {
    let all = values.len();
    if out.is_null() {
        return count.set(all);
    }
    let room = count.get()?;
    for (i, value) in values.take(room).enumerate() {
        out.set_at(i, value)?;
    }
    for i in all..room {
        out.set_at(i, T::default())?;
    }
    count.set(all.min(room))
}

fn edge_data(data: EdgeData) -> CUgraphEdgeData {
    let [from_port, to_port, r#type, reserved @ ..] = data;
    CUgraphEdgeData { from_port, to_port, r#type, reserved }
}

fn check_lossless(mut data: impl Iterator<Item = EdgeData>, out: Out<CUgraphEdgeData>) -> Result<()> {
    if out.is_null() && data.any(|d| d != EdgeData::default()) {
        Err(refuse!(Error::LOSSY_QUERY, "edgeData is NULL, and an edge has data"))
    } else {
        Ok(())
    }
}

fn list_edges(
    edges: &[Edge],
    from: Out<CUgraphNode>,
    to: Out<CUgraphNode>,
    data: Out<CUgraphEdgeData>,
    count: InOut<usize>,
) -> Result<()> {
    refuse_if!(Error::INVALID_VALUE, from.is_null() != to.is_null(), "only one of from and to is NULL");
    if from.is_null() {
        return count.set(edges.len());
    }
    check_lossless(edges.iter().map(|e| e.2), data)?;
    let room = count.get()?;
    list(edges.iter().map(|e| CUgraphNode(e.0)), from, count)?;
    count.set(room)?;
    if !data.is_null() {
        list(edges.iter().map(|e| edge_data(e.2)), data, count)?;
        count.set(room)?;
    }
    list(edges.iter().map(|e| CUgraphNode(e.1)), to, count)
}

fn list_neighbours(
    neighbours: &[(usize, EdgeData)],
    nodes: Out<CUgraphNode>,
    data: Out<CUgraphEdgeData>,
    count: InOut<usize>,
) -> Result<()> {
    if nodes.is_null() {
        return count.set(neighbours.len());
    }
    check_lossless(neighbours.iter().map(|n| n.1), data)?;
    if !data.is_null() {
        let room = count.get()?;
        list(neighbours.iter().map(|n| edge_data(n.1)), data, count)?;
        count.set(room)?;
    }
    list(neighbours.iter().map(|n| CUgraphNode(n.0)), nodes, count)
}

/// Edges as arrays of their ends; without data they are plain.
fn edges(from: In<CUgraphNode>, to: In<CUgraphNode>, data: In<CUgraphEdgeData>, count: usize) -> Result<Vec<Edge>> {
    let ends = from.slice(count)?.into_iter().zip(to.slice(count)?);
    if data.is_null() {
        return Ok(ends.map(|(from, to)| (from.0, to.0, EdgeData::default())).collect());
    }
    let data = data.slice(count)?;
    ends.zip(data).map(|((from, to), data)| Ok((from.0, to.0, data_of_edge(data)?))).collect()
}
