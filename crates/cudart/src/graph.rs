//! Graphs. Handles, edges and most descriptions are the driver's; copies, kernels and fills are converted.

use crate::array::{driver_copy, params_of};
use crate::context;
use crate::copy::{CopyKind, rectangle};
use crate::driver as drv;
use crate::error::{Error, Result};
use crate::registry::{host_function, kernel, symbol_address};
#[cfg(cudart = "13")]
use crate::types::NULL;
use crate::types::{
    Address, DriverCopy3D, DriverKernelNodeParams, Handle, KernelNodeParams, Memcpy3DParams, MemsetParams, NodeParams,
};
use crate::user;
use core::ffi::{c_char, c_int, c_uint, c_void};
#[cfg(cudart = "13")]
use std::sync::{Mutex, PoisonError};

/// The driver's description of a copy of a box. Graphs have no empty copies.
fn copy_node(p: *const Memcpy3DParams) -> Result<DriverCopy3D> {
    driver_copy(&user::read(p)?)?.ok_or(Error::INVALID_VALUE)
}

/// The driver's description of a copy of `count` bytes.
fn copy_node_1d(dst: *mut c_void, src: *const c_void, count: usize, kind: c_int) -> Result<DriverCopy3D> {
    let flat = rectangle(dst, count, src, count, count, 1, CopyKind::parse(kind)?);
    let mut c = DriverCopy3D::zero();
    (c.src_type, c.src_host, c.src_device, c.src_pitch, c.src_height) =
        (flat.src_type, flat.src_host, flat.src_device, count, 1);
    (c.dst_type, c.dst_host, c.dst_device, c.dst_pitch, c.dst_height) =
        (flat.dst_type, flat.dst_host, flat.dst_device, count, 1);
    (c.width, c.height, c.depth) = (count, 1, 1);
    Ok(c)
}

fn kernel_node(p: *const KernelNodeParams) -> Result<DriverKernelNodeParams> {
    let p = user::read(p)?;
    let mut d = DriverKernelNodeParams::zero();
    d.kernel = kernel(p.func)?;
    (d.grid, d.block, d.shared, d.params, d.extra) = (p.grid, p.block, p.shared, p.params, p.extra);
    Ok(d)
}

/// `cudaGraphNodeType`
const KERNEL: c_int = 0;
const MEMCPY: c_int = 1;
const MEMSET: c_int = 2;
const MEM_ALLOC: c_int = 10;
const CONDITIONAL: c_int = 13;

/// The words of a structure, and a structure of words.
fn words<T: user::Plain, U: user::Plain>(from: &T, to: &mut U) {
    let len = size_of::<T>().min(size_of::<U>());
    // SAFETY: both are plain data of at least `len` bytes.
    unsafe { core::ptr::copy_nonoverlapping((&raw const *from).cast::<u8>(), (&raw mut *to).cast::<u8>(), len) };
}

/// The driver's description of any node. The unions have the driver's layout except for kernels and copies; a context
/// that is not named is the current one.
fn any_node(params: *const NodeParams) -> Result<NodeParams> {
    let mut p = user::read(params)?;
    let current = context::current()? as u64;
    let own = |context: u64| if context == 0 { current } else { context };
    match p.kind {
        KERNEL => {
            let mut runtime = KernelNodeParams::zero();
            words(&p.body, &mut runtime);
            let mut driver = DriverKernelNodeParams::zero();
            words(&runtime, &mut driver);
            driver.func = core::ptr::null_mut();
            driver.kernel = kernel(runtime.func)?;
            p.body = [0; 29];
            words(&driver, &mut p.body);
        }
        MEMCPY => {
            // Flags and a context come before the copy in both.
            let mut tail = [0u64; 27];
            tail.copy_from_slice(&p.body[2..]);
            let mut runtime = Memcpy3DParams::zero();
            words(&tail, &mut runtime);
            let copy = driver_copy(&runtime)?.ok_or(Error::INVALID_VALUE)?;
            tail = [0; 27];
            words(&copy, &mut tail);
            p.body[2..].copy_from_slice(&tail);
            p.body[1] = if cfg!(cudart = "12") { current } else { own(p.body[1]) };
        }
        // After the five words of the fill.
        MEMSET => p.body[5] = own(p.body[5]),
        // After handle, kind, size and the place for the bodies.
        CONDITIONAL => p.body[3] = own(p.body[3]),
        _ => {}
    }
    Ok(p)
}

/// The other way round: the runtime's description of any node.
#[cfg(cudart = "13")]
fn runtime_node(mut p: NodeParams) -> Result<NodeParams> {
    match p.kind {
        KERNEL => {
            let mut driver = DriverKernelNodeParams::zero();
            words(&p.body, &mut driver);
            let mut runtime = KernelNodeParams::zero();
            words(&driver, &mut runtime);
            runtime.func = host_function(if driver.kernel.is_null() { driver.func } else { driver.kernel });
            p.body = [0; 29];
            words(&runtime, &mut p.body);
        }
        MEMCPY => {
            let mut tail = [0u64; 27];
            tail.copy_from_slice(&p.body[2..]);
            let mut driver = DriverCopy3D::zero();
            words(&tail, &mut driver);
            tail = [0; 27];
            words(&params_of(&driver)?, &mut tail);
            p.body[2..].copy_from_slice(&tail);
        }
        _ => {}
    }
    Ok(p)
}

/// `cudaGraphRecaptureCallbackData`: a function and its argument.
#[cfg(cudart = "13")]
#[repr(C)]
#[derive(Clone, Copy, PartialEq)]
pub struct Told {
    function: usize,
    data: usize,
}
#[cfg(cudart = "13")]
// SAFETY: two addresses.
unsafe impl user::Plain for Told {}

/// Where a function and its argument stay: the driver uses them as long as a capture lasts, whose end nobody tells us.
#[cfg(cudart = "13")]
fn kept(told: Told) -> *mut Told {
    static ALL: Mutex<Vec<&'static Told>> = Mutex::new(Vec::new());
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    let known = all.iter().position(|known| **known == told).unwrap_or_else(|| {
        all.push(Box::leak(Box::new(told)));
        all.len() - 1
    });
    core::ptr::from_ref(all[known]).cast_mut()
}

/// Tells the program of a node in the runtime's words.
#[cfg(cudart = "13")]
extern "C" fn tell(
    data: *const Told,
    node: Handle,
    was: *const NodeParams,
    is: *const NodeParams,
    status: c_int,
) -> c_int {
    type Function = extern "C" fn(usize, Handle, *const NodeParams, *const NodeParams, c_int) -> c_int;
    let (Ok(told), Ok(was), Ok(is)) = (user::read(data), user::read(was), user::read(is)) else { return 1 };
    let (was, is) = (runtime_node(was).unwrap_or(was), runtime_node(is).unwrap_or(is));
    // SAFETY: the program gave the function for this.
    let function: Function = unsafe { core::mem::transmute::<usize, Function>(told.function) };
    function(told.data, node, &was, &is, status)
}

/// Adds any node; the driver tells the address of an allocation and the bodies of a condition.
fn add_any(
    node: *mut Handle,
    graph: Handle,
    after: *const Handle,
    edges: *const c_void,
    n: usize,
    params: *mut NodeParams,
) -> Result {
    let mut p = any_node(params)?;
    drv::cuGraphAddNode_v2(node, graph, after, edges, n, &raw mut p)?;
    if matches!(p.kind, MEM_ALLOC | CONDITIONAL) { user::write(params, p) } else { Ok(()) }
}

fn add_copy(node: *mut Handle, graph: Handle, after: *const Handle, n: usize, copy: &DriverCopy3D) -> Result {
    drv::cuGraphAddMemcpyNode(node, graph, after, n, &raw const *copy, context::current()?)
}

fn set_copy(exec: Handle, node: Handle, copy: &DriverCopy3D) -> Result {
    drv::cuGraphExecMemcpyNodeSetParams(exec, node, &raw const *copy, context::current()?)
}

api! {
    /// Makes an empty graph.
    fn cudaGraphCreate(graph: *mut Handle, flags: c_uint) => cuGraphCreate;

    /// Destroys a graph.
    fn cudaGraphDestroy(graph: Handle) => cuGraphDestroy;

    /// Copies a graph.
    fn cudaGraphClone(clone: *mut Handle, original: Handle) => cuGraphClone;

    /// Adds a node that does nothing.
    fn cudaGraphAddEmptyNode(node: *mut Handle, graph: Handle, after: *const Handle, n: usize) => cuGraphAddEmptyNode;

    /// Adds a copy of a box.
    fn cudaGraphAddMemcpyNode(
        node: *mut Handle, graph: Handle, after: *const Handle, n: usize, params: *const Memcpy3DParams,
    ) {
        add_copy(node, graph, after, n, &copy_node(params)?)
    }

    /// Adds a copy of `count` bytes.
    fn cudaGraphAddMemcpyNode1D(
        node: *mut Handle, graph: Handle, after: *const Handle, n: usize, dst: *mut c_void, src: *const c_void,
        count: usize, kind: c_int,
    ) {
        add_copy(node, graph, after, n, &copy_node_1d(dst, src, count, kind)?)
    }

    /// Adds a copy into a variable.
    fn cudaGraphAddMemcpyNodeToSymbol(
        node: *mut Handle, graph: Handle, after: *const Handle, n: usize, symbol: *const c_void, src: *const c_void,
        count: usize, offset: usize, kind: c_int,
    ) {
        add_copy(node, graph, after, n, &copy_node_1d(symbol_address(symbol, offset, count)?, src, count, kind)?)
    }

    /// Adds a copy out of a variable.
    fn cudaGraphAddMemcpyNodeFromSymbol(
        node: *mut Handle, graph: Handle, after: *const Handle, n: usize, dst: *mut c_void, symbol: *const c_void,
        count: usize, offset: usize, kind: c_int,
    ) {
        add_copy(node, graph, after, n, &copy_node_1d(dst, symbol_address(symbol, offset, count)?, count, kind)?)
    }

    /// What a copy node copies.
    fn cudaGraphMemcpyNodeGetParams(node: Handle, params: *mut Memcpy3DParams) {
        let mut copy = DriverCopy3D::zero();
        drv::cuGraphMemcpyNodeGetParams(node, &raw mut copy)?;
        user::write(params, params_of(&copy)?)
    }

    /// Changes what a copy node copies.
    fn cudaGraphMemcpyNodeSetParams(node: Handle, params: *const Memcpy3DParams) {
        drv::cuGraphMemcpyNodeSetParams(node, &copy_node(params)?)
    }

    /// Changes what a copy node copies.
    fn cudaGraphMemcpyNodeSetParams1D(
        node: Handle, dst: *mut c_void, src: *const c_void, count: usize, kind: c_int,
    ) {
        drv::cuGraphMemcpyNodeSetParams(node, &copy_node_1d(dst, src, count, kind)?)
    }

    /// Changes what a copy node copies.
    fn cudaGraphMemcpyNodeSetParamsToSymbol(
        node: Handle, symbol: *const c_void, src: *const c_void, count: usize, offset: usize, kind: c_int,
    ) {
        let copy = copy_node_1d(symbol_address(symbol, offset, count)?, src, count, kind)?;
        drv::cuGraphMemcpyNodeSetParams(node, &raw const copy)
    }

    /// Changes what a copy node copies.
    fn cudaGraphMemcpyNodeSetParamsFromSymbol(
        node: Handle, dst: *mut c_void, symbol: *const c_void, count: usize, offset: usize, kind: c_int,
    ) {
        let copy = copy_node_1d(dst, symbol_address(symbol, offset, count)?, count, kind)?;
        drv::cuGraphMemcpyNodeSetParams(node, &raw const copy)
    }

    /// Changes what a copy node of an executable graph copies.
    fn cudaGraphExecMemcpyNodeSetParams(exec: Handle, node: Handle, params: *const Memcpy3DParams) {
        set_copy(exec, node, &copy_node(params)?)
    }

    /// Changes what a copy node of an executable graph copies.
    fn cudaGraphExecMemcpyNodeSetParams1D(
        exec: Handle, node: Handle, dst: *mut c_void, src: *const c_void, count: usize, kind: c_int,
    ) {
        set_copy(exec, node, &copy_node_1d(dst, src, count, kind)?)
    }

    /// Changes what a copy node of an executable graph copies.
    fn cudaGraphExecMemcpyNodeSetParamsToSymbol(
        exec: Handle, node: Handle, symbol: *const c_void, src: *const c_void, count: usize, offset: usize, kind: c_int,
    ) {
        set_copy(exec, node, &copy_node_1d(symbol_address(symbol, offset, count)?, src, count, kind)?)
    }

    /// Changes what a copy node of an executable graph copies.
    fn cudaGraphExecMemcpyNodeSetParamsFromSymbol(
        exec: Handle, node: Handle, dst: *mut c_void, symbol: *const c_void, count: usize, offset: usize, kind: c_int,
    ) {
        set_copy(exec, node, &copy_node_1d(dst, symbol_address(symbol, offset, count)?, count, kind)?)
    }

    /// Adds a fill.
    fn cudaGraphAddMemsetNode(
        node: *mut Handle, graph: Handle, after: *const Handle, n: usize, params: *const MemsetParams,
    ) {
        drv::cuGraphAddMemsetNode(node, graph, after, n, params, context::current()?)
    }

    /// What a fill fills.
    fn cudaGraphMemsetNodeGetParams(node: Handle, params: *mut MemsetParams) => cuGraphMemsetNodeGetParams;

    /// Changes what a fill fills.
    fn cudaGraphMemsetNodeSetParams(node: Handle, params: *const MemsetParams) => cuGraphMemsetNodeSetParams;

    /// Changes what a fill of an executable graph fills.
    fn cudaGraphExecMemsetNodeSetParams(exec: Handle, node: Handle, params: *const MemsetParams) {
        drv::cuGraphExecMemsetNodeSetParams(exec, node, params, context::current()?)
    }

    /// Adds a launch.
    fn cudaGraphAddKernelNode(
        node: *mut Handle, graph: Handle, after: *const Handle, n: usize, params: *const KernelNodeParams,
    ) {
        drv::cuGraphAddKernelNode_v2(node, graph, after, n, &kernel_node(params)?)
    }

    /// What a launch launches. The kernel is named by its host function, if it has one.
    fn cudaGraphKernelNodeGetParams(node: Handle, params: *mut KernelNodeParams) {
        let mut d = DriverKernelNodeParams::zero();
        drv::cuGraphKernelNodeGetParams_v2(node, &raw mut d)?;
        let mut p = KernelNodeParams::zero();
        p.func = host_function(if d.kernel.is_null() { d.func } else { d.kernel });
        (p.grid, p.block, p.shared, p.params, p.extra) = (d.grid, d.block, d.shared, d.params, d.extra);
        user::write(params, p)
    }

    /// Changes what a launch launches.
    fn cudaGraphKernelNodeSetParams(node: Handle, params: *const KernelNodeParams) {
        drv::cuGraphKernelNodeSetParams_v2(node, &kernel_node(params)?)
    }

    /// Changes what a launch of an executable graph launches.
    fn cudaGraphExecKernelNodeSetParams(exec: Handle, node: Handle, params: *const KernelNodeParams) {
        drv::cuGraphExecKernelNodeSetParams_v2(exec, node, &kernel_node(params)?)
    }

    /// One attribute of a launch.
    fn cudaGraphKernelNodeGetAttribute(node: Handle, attribute: c_int, value: *mut c_void) => cuGraphKernelNodeGetAttribute;

    /// Sets one attribute of a launch.
    fn cudaGraphKernelNodeSetAttribute(node: Handle, attribute: c_int, value: *const c_void) => cuGraphKernelNodeSetAttribute;

    /// Copies attributes between launches.
    #[cfg(cudart = "13")]
    fn cudaGraphKernelNodeCopyAttributes(dst: Handle, src: Handle) => cuGraphKernelNodeCopyAttributes;

    /// Copies attributes between launches.
    #[cfg(cudart = "12")]
    fn cudaGraphKernelNodeCopyAttributes(src: Handle, dst: Handle) {
        drv::cuGraphKernelNodeCopyAttributes(dst, src)
    }

    /// Adds a call of a host function.
    fn cudaGraphAddHostNode(node: *mut Handle, graph: Handle, after: *const Handle, n: usize, params: *const c_void) => cuGraphAddHostNode;

    /// What a call calls.
    fn cudaGraphHostNodeGetParams(node: Handle, params: *mut c_void) => cuGraphHostNodeGetParams;

    /// Changes what a call calls.
    fn cudaGraphHostNodeSetParams(node: Handle, params: *const c_void) => cuGraphHostNodeSetParams;

    /// Changes what a call of an executable graph calls.
    fn cudaGraphExecHostNodeSetParams(exec: Handle, node: Handle, params: *const c_void) => cuGraphExecHostNodeSetParams;

    /// Adds a graph as a node.
    fn cudaGraphAddChildGraphNode(node: *mut Handle, graph: Handle, after: *const Handle, n: usize, child: Handle) => cuGraphAddChildGraphNode;

    /// The graph that is a node.
    fn cudaGraphChildGraphNodeGetGraph(node: Handle, graph: *mut Handle) => cuGraphChildGraphNodeGetGraph;

    /// Changes the graph that is a node of an executable graph.
    fn cudaGraphExecChildGraphNodeSetParams(exec: Handle, node: Handle, child: Handle) => cuGraphExecChildGraphNodeSetParams;

    /// Adds the recording of an event.
    fn cudaGraphAddEventRecordNode(node: *mut Handle, graph: Handle, after: *const Handle, n: usize, event: Handle) => cuGraphAddEventRecordNode;

    /// The event that is recorded.
    fn cudaGraphEventRecordNodeGetEvent(node: Handle, event: *mut Handle) => cuGraphEventRecordNodeGetEvent;

    /// Changes the event that is recorded.
    fn cudaGraphEventRecordNodeSetEvent(node: Handle, event: Handle) => cuGraphEventRecordNodeSetEvent;

    /// Changes the event that an executable graph records.
    fn cudaGraphExecEventRecordNodeSetEvent(exec: Handle, node: Handle, event: Handle) => cuGraphExecEventRecordNodeSetEvent;

    /// Adds a wait for an event.
    fn cudaGraphAddEventWaitNode(node: *mut Handle, graph: Handle, after: *const Handle, n: usize, event: Handle) => cuGraphAddEventWaitNode;

    /// The event that is waited for.
    fn cudaGraphEventWaitNodeGetEvent(node: Handle, event: *mut Handle) => cuGraphEventWaitNodeGetEvent;

    /// Changes the event that is waited for.
    fn cudaGraphEventWaitNodeSetEvent(node: Handle, event: Handle) => cuGraphEventWaitNodeSetEvent;

    /// Changes the event that an executable graph waits for.
    fn cudaGraphExecEventWaitNodeSetEvent(exec: Handle, node: Handle, event: Handle) => cuGraphExecEventWaitNodeSetEvent;

    /// Adds signals to semaphores.
    fn cudaGraphAddExternalSemaphoresSignalNode(
        node: *mut Handle, graph: Handle, after: *const Handle, n: usize, params: *const c_void,
    ) => cuGraphAddExternalSemaphoresSignalNode;

    /// The semaphores that are signalled.
    fn cudaGraphExternalSemaphoresSignalNodeGetParams(node: Handle, params: *mut c_void) => cuGraphExternalSemaphoresSignalNodeGetParams;

    /// Changes the semaphores that are signalled.
    fn cudaGraphExternalSemaphoresSignalNodeSetParams(node: Handle, params: *const c_void) => cuGraphExternalSemaphoresSignalNodeSetParams;

    /// Changes the semaphores that an executable graph signals.
    fn cudaGraphExecExternalSemaphoresSignalNodeSetParams(exec: Handle, node: Handle, params: *const c_void) => cuGraphExecExternalSemaphoresSignalNodeSetParams;

    /// Adds waits for semaphores.
    fn cudaGraphAddExternalSemaphoresWaitNode(
        node: *mut Handle, graph: Handle, after: *const Handle, n: usize, params: *const c_void,
    ) => cuGraphAddExternalSemaphoresWaitNode;

    /// The semaphores that are waited for.
    fn cudaGraphExternalSemaphoresWaitNodeGetParams(node: Handle, params: *mut c_void) => cuGraphExternalSemaphoresWaitNodeGetParams;

    /// Changes the semaphores that are waited for.
    fn cudaGraphExternalSemaphoresWaitNodeSetParams(node: Handle, params: *const c_void) => cuGraphExternalSemaphoresWaitNodeSetParams;

    /// Changes the semaphores that an executable graph waits for.
    fn cudaGraphExecExternalSemaphoresWaitNodeSetParams(exec: Handle, node: Handle, params: *const c_void) => cuGraphExecExternalSemaphoresWaitNodeSetParams;

    /// Adds an allocation; its address is written into the description, which has the driver's layout.
    fn cudaGraphAddMemAllocNode(
        node: *mut Handle, graph: Handle, after: *const Handle, n: usize, params: *mut c_void,
    ) => cuGraphAddMemAllocNode;

    /// What an allocation allocates.
    fn cudaGraphMemAllocNodeGetParams(node: Handle, params: *mut c_void) => cuGraphMemAllocNodeGetParams;

    /// Adds the end of an allocation.
    fn cudaGraphAddMemFreeNode(
        node: *mut Handle, graph: Handle, after: *const Handle, n: usize, ptr: *mut c_void,
    ) => cuGraphAddMemFreeNode;

    /// The allocation that ends.
    fn cudaGraphMemFreeNodeGetParams(node: Handle, ptr: *mut Address) => cuGraphMemFreeNodeGetParams;

    /// Gives memory that graphs no longer use back.
    fn cudaDeviceGraphMemTrim(device: c_int) => cuDeviceGraphMemTrim;

    /// One attribute of the memory of graphs.
    fn cudaDeviceGetGraphMemAttribute(device: c_int, attribute: c_int, value: *mut c_void) => cuDeviceGetGraphMemAttribute;

    /// Sets one attribute of the memory of graphs.
    fn cudaDeviceSetGraphMemAttribute(device: c_int, attribute: c_int, value: *mut c_void) => cuDeviceSetGraphMemAttribute;

    /// The copy of a node in a copy of its graph.
    fn cudaGraphNodeFindInClone(found: *mut Handle, node: Handle, clone: Handle) => cuGraphNodeFindInClone;

    /// What kind of node it is. The kinds have the driver's numbers.
    fn cudaGraphNodeGetType(node: Handle, kind: *mut c_int) => cuGraphNodeGetType;

    /// The nodes of a graph.
    fn cudaGraphGetNodes(graph: Handle, nodes: *mut Handle, count: *mut usize) => cuGraphGetNodes;

    /// The nodes that depend on none.
    fn cudaGraphGetRootNodes(graph: Handle, nodes: *mut Handle, count: *mut usize) => cuGraphGetRootNodes;

    /// Removes a node.
    fn cudaGraphDestroyNode(node: Handle) => cuGraphDestroyNode;

    /// Writes a graph in the language of Graphviz.
    fn cudaGraphDebugDotPrint(graph: Handle, path: *const c_char, flags: c_uint) => cuGraphDebugDotPrint;

    /// Makes a graph executable.
    fn cudaGraphInstantiate(exec: *mut Handle, graph: Handle, flags: u64) => cuGraphInstantiateWithFlags;

    /// Makes a graph executable.
    fn cudaGraphInstantiateWithFlags(exec: *mut Handle, graph: Handle, flags: u64) => cuGraphInstantiateWithFlags;

    /// Makes a graph executable; says what is wrong if it cannot be.
    fn cudaGraphInstantiateWithParams / cudaGraphInstantiateWithParams_ptsz(
        exec: *mut Handle, graph: Handle, params: *mut c_void,
    ) |pt| {
        drv::cuGraphInstantiateWithParams(pt, exec, graph, params)
    }

    /// The flags that an executable graph was made with.
    fn cudaGraphExecGetFlags(exec: Handle, flags: *mut u64) => cuGraphExecGetFlags;

    /// Sends an executable graph to the device without running it.
    fn cudaGraphUpload / cudaGraphUpload_ptsz(exec: Handle, stream: Handle) |pt| {
        drv::cuGraphUpload(pt, exec, stream)
    }

    /// Runs an executable graph in a stream.
    fn cudaGraphLaunch / cudaGraphLaunch_ptsz(exec: Handle, stream: Handle) |pt| {
        drv::cuGraphLaunch(pt, exec, stream)
    }

    /// Destroys an executable graph.
    fn cudaGraphExecDestroy(exec: Handle) => cuGraphExecDestroy;

    /// Brings an executable graph up to date with a graph of the same shape.
    fn cudaGraphExecUpdate(exec: Handle, graph: Handle, result: *mut c_void) => cuGraphExecUpdate_v2;

    /// Switches a node of an executable graph on or off.
    fn cudaGraphNodeSetEnabled(exec: Handle, node: Handle, enabled: c_uint) => cuGraphNodeSetEnabled;

    /// Says whether a node of an executable graph is on.
    fn cudaGraphNodeGetEnabled(exec: Handle, node: Handle, enabled: *mut c_uint) => cuGraphNodeGetEnabled;

    /// Makes an object that graphs keep alive.
    fn cudaUserObjectCreate(
        object: *mut Handle, ptr: *mut c_void, destroy: *mut c_void, count: c_uint, flags: c_uint,
    ) => cuUserObjectCreate;

    /// Keeps an object alive.
    fn cudaUserObjectRetain(object: Handle, count: c_uint) => cuUserObjectRetain;

    /// Keeps an object alive no longer.
    fn cudaUserObjectRelease(object: Handle, count: c_uint) => cuUserObjectRelease;

    /// Makes a graph keep an object alive.
    fn cudaGraphRetainUserObject(graph: Handle, object: Handle, count: c_uint, flags: c_uint) => cuGraphRetainUserObject;

    /// Makes a graph keep an object alive no longer.
    fn cudaGraphReleaseUserObject(graph: Handle, object: Handle, count: c_uint) => cuGraphReleaseUserObject;

    /// Makes the condition of a conditional node.
    fn cudaGraphConditionalHandleCreate(handle: *mut u64, graph: Handle, value: c_uint, flags: c_uint) {
        drv::cuGraphConditionalHandleCreate(handle, graph, context::current()?, value, flags)
    }

    /// Makes the condition of a conditional node, for the kernels of an execution context; NULL is the current one.
    #[cfg(cudart = "13")]
    fn cudaGraphConditionalHandleCreate_v2(
        handle: *mut u64, graph: Handle, context: Handle, value: c_uint, flags: c_uint,
    ) {
        let context = if context.is_null() { context::current()? } else { context };
        drv::cuGraphConditionalHandleCreate(handle, graph, context, value, flags)
    }

    /// Captures over an existing graph.
    #[cfg(cudart = "13")]
    fn cudaStreamBeginRecaptureToGraph / cudaStreamBeginRecaptureToGraph_ptsz(
        stream: Handle, mode: c_int, graph: Handle, told: *const Told,
    ) |pt| {
        if told.is_null() {
            return drv::cuStreamBeginRecaptureToGraph(pt, stream, mode, graph, NULL, NULL);
        }
        let told = user::read(told)?;
        let function = if told.function == 0 { NULL } else { tell as *const () as Handle };
        let data = if function.is_null() { NULL } else { kept(told).cast() };
        drv::cuStreamBeginRecaptureToGraph(pt, stream, mode, graph, function, data)
    }

    /// The edges of a graph.
    #[cfg(cudart = "13")]
    fn cudaGraphGetEdges(graph: Handle, from: *mut Handle, to: *mut Handle, data: *mut c_void, count: *mut usize) => cuGraphGetEdges_v2;

    /// What a node depends on.
    #[cfg(cudart = "13")]
    fn cudaGraphNodeGetDependencies(node: Handle, nodes: *mut Handle, data: *mut c_void, count: *mut usize) => cuGraphNodeGetDependencies_v2;

    /// What depends on a node.
    #[cfg(cudart = "13")]
    fn cudaGraphNodeGetDependentNodes(node: Handle, nodes: *mut Handle, data: *mut c_void, count: *mut usize) => cuGraphNodeGetDependentNodes_v2;

    /// Adds edges.
    #[cfg(cudart = "13")]
    fn cudaGraphAddDependencies(
        graph: Handle, from: *const Handle, to: *const Handle, data: *const c_void, count: usize,
    ) => cuGraphAddDependencies_v2;

    /// Removes edges.
    #[cfg(cudart = "13")]
    fn cudaGraphRemoveDependencies(
        graph: Handle, from: *const Handle, to: *const Handle, data: *const c_void, count: usize,
    ) => cuGraphRemoveDependencies_v2;

    /// The edges of a graph.
    #[cfg(cudart = "12")]
    fn cudaGraphGetEdges(graph: Handle, from: *mut Handle, to: *mut Handle, count: *mut usize) => cuGraphGetEdges;

    /// What a node depends on.
    #[cfg(cudart = "12")]
    fn cudaGraphNodeGetDependencies(node: Handle, nodes: *mut Handle, count: *mut usize) => cuGraphNodeGetDependencies;

    /// What depends on a node.
    #[cfg(cudart = "12")]
    fn cudaGraphNodeGetDependentNodes(node: Handle, nodes: *mut Handle, count: *mut usize) => cuGraphNodeGetDependentNodes;

    /// Adds edges.
    #[cfg(cudart = "12")]
    fn cudaGraphAddDependencies(graph: Handle, from: *const Handle, to: *const Handle, count: usize) => cuGraphAddDependencies;

    /// Removes edges.
    #[cfg(cudart = "12")]
    fn cudaGraphRemoveDependencies(graph: Handle, from: *const Handle, to: *const Handle, count: usize) => cuGraphRemoveDependencies;

    /// The edges of a graph, with their data.
    #[cfg(cudart = "12")]
    fn cudaGraphGetEdges_v2(graph: Handle, from: *mut Handle, to: *mut Handle, data: *mut c_void, count: *mut usize) => cuGraphGetEdges_v2;

    /// What a node depends on, with the data of the edges.
    #[cfg(cudart = "12")]
    fn cudaGraphNodeGetDependencies_v2(node: Handle, nodes: *mut Handle, data: *mut c_void, count: *mut usize) => cuGraphNodeGetDependencies_v2;

    /// What depends on a node, with the data of the edges.
    #[cfg(cudart = "12")]
    fn cudaGraphNodeGetDependentNodes_v2(node: Handle, nodes: *mut Handle, data: *mut c_void, count: *mut usize) => cuGraphNodeGetDependentNodes_v2;

    /// Adds edges with data.
    #[cfg(cudart = "12")]
    fn cudaGraphAddDependencies_v2(
        graph: Handle, from: *const Handle, to: *const Handle, data: *const c_void, count: usize,
    ) => cuGraphAddDependencies_v2;

    /// Removes edges with data.
    #[cfg(cudart = "12")]
    fn cudaGraphRemoveDependencies_v2(
        graph: Handle, from: *const Handle, to: *const Handle, data: *const c_void, count: usize,
    ) => cuGraphRemoveDependencies_v2;

    /// Adds a node of any kind.
    #[cfg(cudart = "13")]
    fn cudaGraphAddNode(
        node: *mut Handle, graph: Handle, after: *const Handle, edges: *const c_void, n: usize, params: *mut NodeParams,
    ) {
        add_any(node, graph, after, edges, n, params)
    }

    /// Adds a node of any kind.
    #[cfg(cudart = "12")]
    fn cudaGraphAddNode(node: *mut Handle, graph: Handle, after: *const Handle, n: usize, params: *mut NodeParams) {
        add_any(node, graph, after, core::ptr::null(), n, params)
    }

    /// Adds a node of any kind, with the data of its edges.
    #[cfg(cudart = "12")]
    fn cudaGraphAddNode_v2(
        node: *mut Handle, graph: Handle, after: *const Handle, edges: *const c_void, n: usize, params: *mut NodeParams,
    ) {
        add_any(node, graph, after, edges, n, params)
    }

    /// Changes what a node of any kind does.
    fn cudaGraphNodeSetParams(node: Handle, params: *mut NodeParams) {
        drv::cuGraphNodeSetParams(node, &any_node(params)?)
    }

    /// Changes what a node of any kind of an executable graph does.
    fn cudaGraphExecNodeSetParams(exec: Handle, node: Handle, params: *mut NodeParams) {
        drv::cuGraphExecNodeSetParams(exec, node, &any_node(params)?)
    }

    /// What a node of any kind does.
    #[cfg(cudart = "13")]
    fn cudaGraphNodeGetParams(node: Handle, params: *mut NodeParams) {
        if params.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        let mut p = NodeParams::zero();
        drv::cuGraphNodeGetParams(node, &raw mut p)?;
        user::write(params, runtime_node(p)?)
    }

    /// The number of a graph.
    #[cfg(cudart = "13")]
    fn cudaGraphGetId(graph: Handle, id: *mut c_uint) => cuGraphGetId;

    /// The number of an executable graph.
    #[cfg(cudart = "13")]
    fn cudaGraphExecGetId(exec: Handle, id: *mut c_uint) => cuGraphExecGetId;

    /// The graph that a node belongs to.
    #[cfg(cudart = "13")]
    fn cudaGraphNodeGetContainingGraph(node: Handle, graph: *mut Handle) => cuGraphNodeGetContainingGraph;

    /// The number of a node in its graph.
    #[cfg(cudart = "13")]
    fn cudaGraphNodeGetLocalId(node: Handle, id: *mut c_uint) => cuGraphNodeGetLocalId;

    /// The number of a node for tools.
    #[cfg(cudart = "13")]
    fn cudaGraphNodeGetToolsId(node: Handle, id: *mut u64) => cuGraphNodeGetToolsId;
}
