//! Graph Management (graphs and their edges).

#![allow(non_snake_case)]

use super::ptr::{In, InOut, Out};
use super::types::{
    CU_GRAPH_USER_OBJECT_MOVE, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC, CUcontext, CUgraph, CUgraphConditionalHandle,
    CUgraphEdgeData, CUgraphNode, CUgraphNodeType, CUhostFn, CUuserObject, CUuserObjectRetain_flags,
};
use crate::device::graph::user_object::UserObject;
use crate::device::graph::{Edge, EdgeData, Graph, Node, dot};
use api_macro::entry;
use core::ffi::{c_char, c_uint, c_ulonglong, c_void};
use error::{Error, Result};
use std::os::unix::ffi::OsStrExt;

/// Creates an empty graph.
///
/// `flags` must be 0.
#[entry(since = 10000, needs = init)]
pub fn cuGraphCreate(phGraph: Out<CUgraph>, flags: c_uint) -> Result<()> {
    phGraph.check()?;
    if flags != 0 {
        return Err(Error::INVALID_VALUE);
    }
    phGraph.set(CUgraph(Graph::create()?.handle))
}

/// Copies a graph, child graphs included.
///
/// A graph with allocation nodes cannot be copied: `CUDA_ERROR_NOT_SUPPORTED`.
#[entry(since = 10000, needs = init)]
pub fn cuGraphClone(phGraphClone: Out<CUgraph>, originalGraph: CUgraph) -> Result<()> {
    phGraphClone.check()?;
    phGraphClone.set(CUgraph(Graph::find(originalGraph.0)?.duplicate()?.handle))
}

/// Finds the copy of a node in a cloned graph.
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
#[entry(since = 10000, needs = init)]
pub fn cuGraphNodeGetType(hNode: CUgraphNode, r#type: Out<CUgraphNodeType>) -> Result<()> {
    r#type.check()?;
    r#type.set(CUgraphNodeType(Node::find(hNode.0)?.operation().kind()))
}

/// Reports the graph that a node belongs to.
#[entry(since = 13010, needs = init)]
pub fn cuGraphNodeGetContainingGraph(hNode: CUgraphNode, phGraph: Out<CUgraph>) -> Result<()> {
    phGraph.check()?;
    phGraph.set(CUgraph(Node::find(hNode.0)?.graph()?.handle))
}

/// Reports the number of a node within its graph.
#[entry(since = 13010, needs = init)]
pub fn cuGraphNodeGetLocalId(hNode: CUgraphNode, nodeId: Out<c_uint>) -> Result<()> {
    nodeId.check()?;
    nodeId.set(Node::find(hNode.0)?.id)
}

/// Reports the number under which tools know a node.
#[entry(since = 13010, needs = init)]
pub fn cuGraphNodeGetToolsId(hNode: CUgraphNode, toolsNodeId: Out<c_ulonglong>) -> Result<()> {
    toolsNodeId.check()?;
    let node = Node::find(hNode.0)?;
    toolsNodeId.set(u64::from(node.graph()?.id) << 32 | u64::from(node.id))
}

/// Reports the number of a graph.
#[entry(since = 13010, needs = init)]
pub fn cuGraphGetId(hGraph: CUgraph, graphId: Out<c_uint>) -> Result<()> {
    graphId.check()?;
    graphId.set(Graph::find(hGraph.0)?.id)
}

/// Lists the nodes of a graph.
///
/// With `nodes` `NULL` only their number is reported. Otherwise `numNodes` is the size of the array; what is left of it is
/// set to `NULL`, and `numNodes` to the number of nodes written.
#[entry(since = 10000, needs = init)]
pub fn cuGraphGetNodes(hGraph: CUgraph, nodes: Out<CUgraphNode>, numNodes: InOut<usize>) -> Result<()> {
    list(Graph::find(hGraph.0)?.nodes().iter().map(|n| CUgraphNode(n.handle)), nodes, numNodes)
}

/// Lists the nodes of a graph that depend on nothing.
///
/// As [`cuGraphGetNodes`].
#[entry(since = 10000, needs = init)]
pub fn cuGraphGetRootNodes(hGraph: CUgraph, rootNodes: Out<CUgraphNode>, numRootNodes: InOut<usize>) -> Result<()> {
    list(Graph::find(hGraph.0)?.roots().iter().map(|n| CUgraphNode(n.handle)), rootNodes, numRootNodes)
}

/// Lists the edges of a graph with their data.
///
/// As [`cuGraphGetNodes`], with pairs of arrays. Without `edgeData` an edge that carries data is `CUDA_ERROR_LOSSY_QUERY`.
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

/// Lists the edges of a graph; fails if one carries data.
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
/// As [`cuGraphGetNodes`].
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

/// Lists what a node depends on; fails if an edge carries data.
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
/// As [`cuGraphGetNodes`].
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

/// Lists the nodes that depend on a node; fails if an edge carries data.
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

/// Adds edges with data to a graph.
///
/// All or none: an edge that exists already, or that leads from a node to itself or to another graph, is
/// `CUDA_ERROR_INVALID_VALUE`. A cycle is found when the graph is made executable.
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

/// Adds edges to a graph.
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

/// Removes edges with given data from a graph.
///
/// All or none: an edge that does not exist is `CUDA_ERROR_INVALID_VALUE`.
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

/// Removes edges from a graph.
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
/// Not in a graph with allocation nodes: `CUDA_ERROR_NOT_SUPPORTED`.
#[entry(since = 10000, needs = init)]
pub fn cuGraphDestroyNode(hNode: CUgraphNode) -> Result<()> {
    let node = Node::find(hNode.0)?;
    node.graph()?.remove(&node)
}

/// Destroys a graph and its nodes.
///
/// Executable graphs that were made of it stay. The graph of a child node goes with its node only:
/// `CUDA_ERROR_INVALID_VALUE`.
#[entry(since = 10000, needs = init)]
pub fn cuGraphDestroy(hGraph: CUgraph) -> Result<()> {
    Graph::destroy(hGraph.0)
}

/// Writes a graph to a file in DOT format.
///
/// Any of the `CU_GRAPH_DEBUG_DOT_FLAGS_*` adds what the nodes do.
#[entry(since = 11030, needs = init)]
pub fn cuGraphDebugDotPrint(hGraph: CUgraph, path: In<c_char>, flags: c_uint) -> Result<()> {
    let graph = Graph::find(hGraph.0)?;
    let path = path.string(4096)?;
    let text = dot::text(&graph, flags != 0);
    std::fs::write(std::ffi::OsStr::from_bytes(&path), text).map_err(|_| Error::OPERATING_SYSTEM)
}

/// Creates a reference-counted object with a destructor, to be owned by graphs.
///
/// The destructor is called on a thread of ours, which may not call the driver; `flags` has to say so with
/// `CU_USER_OBJECT_NO_DESTRUCTOR_SYNC`.
#[entry(since = 11030, needs = init)]
pub fn cuUserObjectCreate(
    object_out: Out<CUuserObject>,
    ptr: *mut c_void,
    destroy: CUhostFn,
    initialRefcount: c_uint,
    flags: c_uint,
) -> Result<()> {
    object_out.check()?;
    let function = destroy.ok_or(Error::INVALID_VALUE)?;
    if initialRefcount == 0 || initialRefcount > MOST_REFERENCES || flags != CU_USER_OBJECT_NO_DESTRUCTOR_SYNC.0 {
        return Err(Error::INVALID_VALUE);
    }
    let argument = ptr as usize;
    // SAFETY: the program passed this function to be called with this argument.
    let destructor = move || unsafe { function(argument as *mut c_void) };
    let object = UserObject::create(initialRefcount, Box::new(destructor))?;
    object_out.set(CUuserObject(object.handle))
}

/// Adds references to a user object.
#[entry(since = 11030, needs = init)]
pub fn cuUserObjectRetain(object: CUuserObject, count: c_uint) -> Result<()> {
    let object = UserObject::find(object.0)?;
    object.retain(references(count)?);
    Ok(())
}

/// Drops references to a user object.
#[entry(since = 11030, needs = init)]
pub fn cuUserObjectRelease(object: CUuserObject, count: c_uint) -> Result<()> {
    let object = UserObject::find(object.0)?;
    if object.release(references(count)?) { Ok(()) } else { Err(Error::INVALID_VALUE) }
}

/// Makes a graph own references to a user object.
///
/// With `CU_GRAPH_USER_OBJECT_MOVE` the caller's references become the graph's.
#[entry(since = 11030, needs = init)]
pub fn cuGraphRetainUserObject(graph: CUgraph, object: CUuserObject, count: c_uint, flags: c_uint) -> Result<()> {
    let graph = Graph::find(graph.0)?;
    let object = UserObject::find(object.0)?;
    let count = references(count)?;
    match CUuserObjectRetain_flags(flags) {
        CUuserObjectRetain_flags(0) => object.retain(count),
        CU_GRAPH_USER_OBJECT_MOVE => {}
        _ => return Err(Error::INVALID_VALUE),
    }
    graph.own(&object, count)
}

/// Takes references to a user object back from a graph.
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
#[entry(since = 12030, needs = init)]
pub fn cuGraphConditionalHandleCreate(
    pHandle_out: Out<CUgraphConditionalHandle>,
    hGraph: CUgraph,
    ctx: CUcontext,
    defaultLaunchValue: c_uint,
    flags: c_uint,
) -> Result<()>;

/// References that one call can add or drop.
const MOST_REFERENCES: c_uint = i32::MAX as c_uint;

fn references(count: c_uint) -> Result<u32> {
    if (1..=MOST_REFERENCES).contains(&count) { Ok(count) } else { Err(Error::INVALID_VALUE) }
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

/// The data of an edge as the program gives it. Programmatic edges begin at kernels, which is not checked here.
pub(super) fn data_of_edge(data: CUgraphEdgeData) -> Result<EdgeData> {
    if data.reserved != [0; 5] || data.r#type > 1 {
        return Err(Error::INVALID_VALUE);
    }
    Ok([data.from_port, data.to_port, data.r#type, 0, 0, 0, 0, 0])
}

fn check_lossless(mut data: impl Iterator<Item = EdgeData>, out: Out<CUgraphEdgeData>) -> Result<()> {
    if out.is_null() && data.any(|d| d != EdgeData::default()) { Err(Error::LOSSY_QUERY) } else { Ok(()) }
}

fn list_edges(
    edges: &[Edge],
    from: Out<CUgraphNode>,
    to: Out<CUgraphNode>,
    data: Out<CUgraphEdgeData>,
    count: InOut<usize>,
) -> Result<()> {
    if from.is_null() != to.is_null() {
        return Err(Error::INVALID_VALUE);
    }
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
