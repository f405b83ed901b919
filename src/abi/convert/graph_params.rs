//! Converts the parameters of graph nodes to types of the device, and back.

use super::copy_descriptor::Described;
use super::graph_kernel::{describe_kernel, kernel_of};
use super::launch::host_call;
use super::memory_operation::operations;
use crate::abi::ptr::{In, InMut};
use crate::abi::types::{
    CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE, CU_GRAPH_COND_TYPE_IF, CU_GRAPH_COND_TYPE_SWITCH, CU_GRAPH_COND_TYPE_WHILE,
    CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, CU_GRAPH_NODE_TYPE_CONDITIONAL, CU_GRAPH_NODE_TYPE_EMPTY,
    CU_GRAPH_NODE_TYPE_EVENT_RECORD, CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL, CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT,
    CU_GRAPH_NODE_TYPE_GRAPH, CU_GRAPH_NODE_TYPE_HOST, CU_GRAPH_NODE_TYPE_KERNEL, CU_GRAPH_NODE_TYPE_MEM_ALLOC,
    CU_GRAPH_NODE_TYPE_MEM_FREE, CU_GRAPH_NODE_TYPE_MEMCPY, CU_GRAPH_NODE_TYPE_MEMSET, CU_GRAPH_NODE_TYPE_WAIT_EVENT,
    CU_MEM_ALLOCATION_TYPE_MANAGED, CU_MEM_ALLOCATION_TYPE_PINNED, CU_MEM_LOCATION_TYPE_DEVICE,
    CU_MEM_LOCATION_TYPE_HOST, CU_MEM_LOCATION_TYPE_HOST_NUMA, CU_MEMORYTYPE_UNIFIED, CUDA_BATCH_MEM_OP_NODE_PARAMS,
    CUDA_BATCH_MEM_OP_NODE_PARAMS_v2, CUDA_CHILD_GRAPH_NODE_PARAMS, CUDA_CONDITIONAL_NODE_PARAMS,
    CUDA_EVENT_RECORD_NODE_PARAMS, CUDA_EVENT_WAIT_NODE_PARAMS, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS,
    CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2, CUDA_EXT_SEM_WAIT_NODE_PARAMS, CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2,
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS, CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS, CUDA_HOST_NODE_PARAMS,
    CUDA_HOST_NODE_PARAMS_v2, CUDA_MEM_ALLOC_NODE_PARAMS, CUDA_MEM_ALLOC_NODE_PARAMS_v2, CUDA_MEM_FREE_NODE_PARAMS,
    CUDA_MEMCPY_NODE_PARAMS, CUDA_MEMCPY3D, CUDA_MEMSET_NODE_PARAMS, CUDA_MEMSET_NODE_PARAMS_v2, CUcontext,
    CUdeviceptr, CUevent, CUexternalSemaphore, CUgraph, CUgraphEdgeData, CUgraphNode, CUgraphNodeParams,
    CUgraphNodeType, CUstreamBatchMemOpParams,
};
use core::ffi::{c_uint, c_void};
use device::array::semaphore;
use device::copy::box_copy;
use device::copy::linear::LinearCopy;
use device::copy::memset::Memset;
use device::graph::memory::{self, GraphAllocation};
use device::graph::{Choice, Conditional, EdgeData, Given, Graph, Node, Operation};
use device::kernel::library;
use device::memory::access;
use device::memory::access::Declared;
use device::stream::context;
use device::stream::context::Context;
use device::stream::event::Event;
use device::stream::{HostCall, Work};
use error::{Error, Result, refuse, refuse_if};
use std::sync::{Arc, Weak};

/// The data of an edge as the program gives it. Programmatic edges begin at kernels, which is not checked here.
pub fn data_of_edge(data: CUgraphEdgeData) -> Result<EdgeData> {
    refuse_if!(Error::INVALID_VALUE, data.reserved != [0; 5], "edgeData: reserved is not 0");
    refuse_if!(Error::INVALID_VALUE, data.r#type > 1, "edgeData: type {} is not a CUgraphDependencyType", data.r#type);
    Ok([data.from_port, data.to_port, data.r#type, 0, 0, 0, 0, 0])
}

/// Dependencies without data.
pub fn plain(nodes: In<CUgraphNode>, count: usize) -> Result<Vec<(usize, EdgeData)>> {
    Ok(nodes.slice(count)?.into_iter().map(|n| (n.0, EdgeData::default())).collect())
}

/// Dependencies with data, if there is any.
pub fn with_data(nodes: In<CUgraphNode>, data: In<CUgraphEdgeData>, count: usize) -> Result<Vec<(usize, EdgeData)>> {
    if data.is_null() {
        return plain(nodes, count);
    }
    let data = data.slice(count)?;
    nodes.slice(count)?.into_iter().zip(data).map(|(n, d)| Ok((n.0, data_of_edge(d)?))).collect()
}

/// The context that a node runs in: the current one for `NULL`.
pub fn context_of(context: CUcontext) -> Result<Arc<Context>> {
    if context.is_null() { context::current() } else { Context::find(context.0) }
}

/// A structure of the program's, kept with a node. The addresses in it are only handed back, never used.
struct Kept<T>(T);
// SAFETY: plain data; see above.
unsafe impl<T> Send for Kept<T> {}
// SAFETY: as above, and never changed.
unsafe impl<T> Sync for Kept<T> {}

fn kept<T: 'static>(value: T) -> Given {
    Some(Arc::new(Kept(value)))
}

fn given<T: 'static>(given: &Given) -> Option<&T> {
    given.as_ref()?.downcast_ref::<Kept<T>>().map(|k| &k.0)
}

/// A copy node.
pub fn copy_of(params: &CUDA_MEMCPY3D, context: CUcontext) -> Result<Operation> {
    let context = CUcontext(context_of(context)?.handle);
    let described = Described::of_box(params)?
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "copyParams: WidthInBytes, Height or Depth is 0"))?;
    let checked = memory::trusting(|| box_copy::check(described.dst, described.src, described.extent))?;
    let copy =
        checked.ok_or_else(|| refuse!(Error::INVALID_VALUE, "copyParams: WidthInBytes, Height or Depth is 0"))?.copy;
    Ok(Operation::Copy(Work::of(copy), kept((*params, context))))
}

/// The parameters of a copy node. For captured copies with arrays not all of them are known: they are
/// `CUDA_ERROR_NOT_SUPPORTED`.
pub fn describe_copy(work: &Work, params: &Given) -> Result<CUDA_MEMCPY3D> {
    if let Some((params, _)) = given::<(CUDA_MEMCPY3D, CUcontext)>(params) {
        return Ok(*params);
    }
    let memory = |dst: usize, src: usize| CUDA_MEMCPY3D {
        srcMemoryType: CU_MEMORYTYPE_UNIFIED,
        srcDevice: src as CUdeviceptr,
        dstMemoryType: CU_MEMORYTYPE_UNIFIED,
        dstDevice: dst as CUdeviceptr,
        Height: 1,
        Depth: 1,
        ..Default::default()
    };
    if let Some(copy) = work.command::<LinearCopy>() {
        return Ok(CUDA_MEMCPY3D { WidthInBytes: copy.bytes, ..memory(copy.dst, copy.src) });
    }
    let unknown = || refuse!(Error::NOT_SUPPORTED, "nodeParams_out: the copy has no description in this form");
    let copy = work.command::<box_copy::BoxCopy>().ok_or_else(unknown)?;
    match (&copy.dst, &copy.src) {
        (
            box_copy::Side::Memory { address: dst, pitch: dst_pitch, slice: dst_slice, .. },
            box_copy::Side::Memory { address: src, pitch: src_pitch, slice: src_slice, .. },
        ) => Ok(CUDA_MEMCPY3D {
            srcPitch: *src_pitch,
            srcHeight: src_slice.checked_div(*src_pitch).unwrap_or(0),
            dstPitch: *dst_pitch,
            dstHeight: dst_slice.checked_div(*dst_pitch).unwrap_or(0),
            WidthInBytes: copy.extent.width,
            Height: copy.extent.height,
            Depth: copy.extent.depth,
            ..memory(*dst, *src)
        }),
        _ => Err(unknown()),
    }
}

/// A memset node.
pub fn memset_of(params: &CUDA_MEMSET_NODE_PARAMS, context: CUcontext) -> Result<Operation> {
    let CUDA_MEMSET_NODE_PARAMS { dst, pitch, value, elementSize, width, height } = *params;
    let context = CUcontext(context_of(context)?.handle);
    let (dst, element) = (dst as usize, elementSize as usize);
    refuse_if!(
        Error::INVALID_VALUE,
        !matches!(element, 1 | 2 | 4),
        "memsetParams: elementSize {} is not 1, 2 or 4",
        element
    );
    refuse_if!(Error::INVALID_VALUE, width == 0, "memsetParams: width is 0");
    refuse_if!(Error::INVALID_VALUE, height == 0, "memsetParams: height is 0");
    refuse_if!(
        Error::INVALID_VALUE,
        !dst.is_multiple_of(element),
        "memsetParams: dst {:#x} is not a multiple of elementSize {}",
        dst,
        element
    );
    let row = width
        .checked_mul(element)
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "memsetParams: width {} is too large", width))?;
    refuse_if!(
        Error::INVALID_VALUE,
        height > 1 && pitch < row,
        "memsetParams: pitch {} is less than width {} * elementSize {}",
        pitch,
        width,
        element
    );
    refuse_if!(
        Error::INVALID_VALUE,
        height > 1 && !pitch.is_multiple_of(element),
        "memsetParams: pitch {} is not a multiple of elementSize {}",
        pitch,
        element
    );
    let bytes = if height == 1 { Some(row) } else { pitch.checked_mul(height - 1).and_then(|n| n.checked_add(row)) };
    let bytes = bytes.ok_or_else(|| {
        refuse!(Error::INVALID_VALUE, "memsetParams: pitch {} * height {} is too large", pitch, height)
    })?;
    memory::trusting(|| access::resolve(dst, bytes, Declared::Memset, true))?;
    Ok(Operation::Memset(Memset { dst, pitch, value, element, width, rows: height }, kept(context)))
}

/// The forms of the parameters have the same members, but for the context, which the first one lacks.
impl From<CUDA_MEMSET_NODE_PARAMS_v2> for CUDA_MEMSET_NODE_PARAMS {
    fn from(p: CUDA_MEMSET_NODE_PARAMS_v2) -> Self {
        let CUDA_MEMSET_NODE_PARAMS_v2 { dst, pitch, value, elementSize, width, height, ctx: _ } = p;
        CUDA_MEMSET_NODE_PARAMS { dst, pitch, value, elementSize, width, height }
    }
}

impl From<CUDA_MEMSET_NODE_PARAMS> for CUDA_MEMSET_NODE_PARAMS_v2 {
    fn from(p: CUDA_MEMSET_NODE_PARAMS) -> Self {
        let CUDA_MEMSET_NODE_PARAMS { dst, pitch, value, elementSize, width, height } = p;
        CUDA_MEMSET_NODE_PARAMS_v2 { dst, pitch, value, elementSize, width, height, ctx: CUcontext::NULL }
    }
}

/// The parameters of a memset node.
pub fn describe_memset(memset: &Memset) -> CUDA_MEMSET_NODE_PARAMS {
    CUDA_MEMSET_NODE_PARAMS {
        dst: memset.dst as CUdeviceptr,
        pitch: memset.pitch,
        value: memset.value,
        elementSize: memset.element as u32,
        width: memset.width,
        height: memset.rows,
    }
}

/// A host node.
pub fn host_of(params: &CUDA_HOST_NODE_PARAMS) -> Result<Operation> {
    Ok(Operation::Host(host_call(params.r#fn, params.userData)?))
}

/// The parameters of a host node.
pub fn describe_host(call: &HostCall) -> CUDA_HOST_NODE_PARAMS {
    let (function, argument) = call.identity;
    // SAFETY: a function pointer or none, from the program, put together again from its address.
    let function = unsafe { core::mem::transmute::<usize, crate::abi::types::CUhostFn>(function) };
    CUDA_HOST_NODE_PARAMS { r#fn: function, userData: argument as *mut c_void }
}

/// The parameters of a memory-operation node, with an array of our own that the program is shown.
struct Batch {
    context: CUcontext,
    flags: u32,
    array: Box<[CUstreamBatchMemOpParams]>,
}

/// A memory-operation node.
pub fn memory_operations_of(params: &CUDA_BATCH_MEM_OP_NODE_PARAMS) -> Result<Operation> {
    context_of(params.ctx)?;
    refuse_if!(Error::INVALID_VALUE, params.flags != 0, "nodeParams: flags {:#x} is not 0", params.flags);
    let array = InMut(params.paramArray);
    let works = memory::trusting(|| operations(params.count, array))?;
    let array = array.slice(params.count as usize)?.into();
    Ok(Operation::MemoryOperations(works, kept(Batch { context: params.ctx, flags: params.flags, array })))
}

/// The parameters of a memory-operation node. A captured one is `CUDA_ERROR_NOT_SUPPORTED`.
pub fn describe_memory_operations(params: &Given) -> Result<CUDA_BATCH_MEM_OP_NODE_PARAMS> {
    let batch: &Batch = given(params)
        .ok_or_else(|| refuse!(Error::NOT_SUPPORTED, "nodeParams_out: the node has no description in this form"))?;
    Ok(CUDA_BATCH_MEM_OP_NODE_PARAMS {
        ctx: batch.context,
        count: batch.array.len() as u32,
        paramArray: batch.array.as_ptr().cast_mut(),
        flags: batch.flags,
    })
}

/// The allocation of an allocation node.
pub fn allocation_of(node: Option<Adding>, params: &CUDA_MEM_ALLOC_NODE_PARAMS) -> Result<Arc<GraphAllocation>> {
    let properties = &params.poolProps;
    refuse_if!(Error::INVALID_VALUE, params.bytesize == 0, "nodeParams: bytesize is 0");
    let managed = properties.allocType == CU_MEM_ALLOCATION_TYPE_MANAGED;
    let kind = properties.location.r#type;
    refuse_if!(
        Error::NOT_SUPPORTED,
        managed && kind != CU_MEM_LOCATION_TYPE_DEVICE
            || properties.allocType == CU_MEM_ALLOCATION_TYPE_PINNED
                && (kind == CU_MEM_LOCATION_TYPE_HOST || kind == CU_MEM_LOCATION_TYPE_HOST_NUMA),
        "nodeParams: poolProps.location.type {:?} is not CU_MEM_LOCATION_TYPE_DEVICE",
        kind
    );
    // Managed memory is asked for in vain: the driver allocates what it always does.
    refuse_if!(
        Error::INVALID_VALUE,
        properties.allocType != CU_MEM_ALLOCATION_TYPE_PINNED && !managed,
        "nodeParams: poolProps.allocType {:?} is not CU_MEM_ALLOCATION_TYPE_PINNED",
        properties.allocType
    );
    refuse_if!(
        Error::INVALID_VALUE,
        properties.location.r#type != CU_MEM_LOCATION_TYPE_DEVICE,
        "nodeParams: poolProps.location.type {:?} is not CU_MEM_LOCATION_TYPE_DEVICE",
        properties.location.r#type
    );
    // SAFETY: every member of the union is valid for every bit pattern.
    let device = device::device(unsafe { properties.location.anon0.id })
        .map_err(|error| error.of("nodeParams: poolProps.location.id").with_code(Error::INVALID_VALUE))?;
    refuse_if!(
        Error::NOT_SUPPORTED,
        properties.handleTypes.0 != 0,
        "nodeParams: poolProps.handleTypes {:#x} is not 0",
        properties.handleTypes.0
    );
    if let Some((graph, dependencies)) = node {
        graph.expect_allocation(dependencies)?;
    }
    GraphAllocation::create(device, context::current_handle(), params.bytesize, kept(*params), false)
}

/// The parameters of an allocation node.
pub fn describe_allocation(allocation: &GraphAllocation) -> CUDA_MEM_ALLOC_NODE_PARAMS {
    let mut params = given::<CUDA_MEM_ALLOC_NODE_PARAMS>(&allocation.given).copied().unwrap_or_else(|| {
        let mut params = CUDA_MEM_ALLOC_NODE_PARAMS::default();
        params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
        params.poolProps.location.r#type = CU_MEM_LOCATION_TYPE_DEVICE;
        params.bytesize = allocation.size;
        params
    });
    params.dptr = allocation.address as CUdeviceptr;
    params
}

/// A free node.
pub fn free_of(node: Option<Adding>, address: CUdeviceptr) -> Result<Operation> {
    let (graph, dependencies) =
        node.ok_or_else(|| refuse!(Error::INVALID_VALUE, "nodeParams: memory is freed by new nodes only"))?;
    graph.expect_allocation(dependencies)?;
    let address =
        usize::try_from(address).map_err(|_| refuse!(Error::INVALID_VALUE, "dptr {:#x} is too large", address))?;
    let allocation = GraphAllocation::find(address)
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "dptr {:#x} is not memory that a graph allocates", address))?;
    refuse_if!(
        Error::INVALID_VALUE,
        !graph.may_free(&allocation),
        "dptr {:#x} is memory of another graph, or is freed already",
        address
    );
    if !graph.allocates(address) {
        allocation.outlast();
    }
    Ok(Operation::Free(allocation))
}

/// What a conditional node does. A node that is there keeps its condition and its graphs.
fn conditional_of(node: Option<Adding>, params: &CUDA_CONDITIONAL_NODE_PARAMS) -> Result<Arc<Conditional>> {
    let choice = match params.r#type {
        CU_GRAPH_COND_TYPE_IF => Choice::If,
        CU_GRAPH_COND_TYPE_WHILE => Choice::While,
        CU_GRAPH_COND_TYPE_SWITCH => Choice::Switch,
        other => {
            return Err(refuse!(
                Error::INVALID_VALUE,
                "nodeParams: conditional.type {:?} is not a CUgraphConditionalNodeType",
                other
            ));
        }
    };
    let (graph, _) =
        node.ok_or_else(|| refuse!(Error::NOT_SUPPORTED, "nodeParams: conditional nodes cannot be changed"))?;
    let handle = usize::try_from(params.handle).map_err(|_| {
        refuse!(Error::INVALID_VALUE, "nodeParams: conditional.handle {:#x} is too large", params.handle)
    })?;
    let condition = graph.find_condition(handle).map_err(|error| error.of("nodeParams: conditional.handle"))?;
    refuse_if!(Error::INVALID_CONTEXT, params.ctx.is_null(), "nodeParams: conditional.ctx is NULL");
    let context = context_of(params.ctx)?;
    refuse_if!(
        Error::INVALID_VALUE,
        !condition.context.ptr_eq(&Arc::downgrade(&context)),
        "nodeParams: conditional.ctx is not the context of conditional.handle {:#x}",
        handle
    );
    Conditional::create(condition, choice, params.size as usize)
}

/// The array of the graphs in a conditional node.
fn bodies_of(conditional: &Conditional) -> *mut CUgraph {
    const { assert!(size_of::<CUgraph>() == size_of::<usize>()) };
    conditional.shown.as_ptr().cast::<CUgraph>().cast_mut()
}

/// The parameters of a node of any kind. What a captured node was given is not known: its context is NULL, and operations on memory
/// and copies of arrays are `CUDA_ERROR_NOT_SUPPORTED`.
pub fn describe(operation: &Operation) -> Result<CUgraphNodeParams> {
    let mut params = CUgraphNodeParams { r#type: CUgraphNodeType(operation.kind()), ..Default::default() };
    let of = &mut params.anon0;
    match operation {
        Operation::Empty => {}
        Operation::Kernel(kernel) => of.kernel = describe_kernel(kernel).into(),
        Operation::Copy(work, given_to) => {
            let context =
                given::<(CUDA_MEMCPY3D, CUcontext)>(given_to).map_or(CUcontext::NULL, |(_, context)| *context);
            of.memcpy = CUDA_MEMCPY_NODE_PARAMS {
                flags: 0,
                reserved: 0,
                copyCtx: context,
                copyParams: describe_copy(work, given_to)?,
            };
        }
        Operation::Memset(memset, given_to) => {
            let context = given::<CUcontext>(given_to).copied().unwrap_or(CUcontext::NULL);
            of.memset = CUDA_MEMSET_NODE_PARAMS_v2 { ctx: context, ..describe_memset(memset).into() };
        }
        Operation::Host(call) => {
            let CUDA_HOST_NODE_PARAMS { r#fn, userData } = describe_host(call);
            of.host = CUDA_HOST_NODE_PARAMS_v2 { r#fn, userData, ..Default::default() };
        }
        Operation::Child(graph) => {
            let ownership = CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE;
            of.graph = CUDA_CHILD_GRAPH_NODE_PARAMS { graph: CUgraph(graph.handle), ownership };
        }
        Operation::Wait(event) => of.eventWait = CUDA_EVENT_WAIT_NODE_PARAMS { event: CUevent(event.handle) },
        Operation::Record(event) => {
            of.eventRecord = CUDA_EVENT_RECORD_NODE_PARAMS { event: CUevent(event.handle), ..Default::default() };
        }
        Operation::Allocate(allocation) => {
            let CUDA_MEM_ALLOC_NODE_PARAMS { poolProps, accessDescs, accessDescCount, bytesize, dptr } =
                describe_allocation(allocation);
            of.alloc = CUDA_MEM_ALLOC_NODE_PARAMS_v2 { poolProps, accessDescs, accessDescCount, bytesize, dptr };
        }
        Operation::Free(allocation) => of.free = CUDA_MEM_FREE_NODE_PARAMS { dptr: allocation.address as CUdeviceptr },
        Operation::MemoryOperations(_, given_to) => {
            let CUDA_BATCH_MEM_OP_NODE_PARAMS { ctx, count, paramArray, flags } = describe_memory_operations(given_to)?;
            of.memOp = CUDA_BATCH_MEM_OP_NODE_PARAMS_v2 { ctx, count, paramArray, flags };
        }
        Operation::Semaphores { waits: false, given: parameters, .. } => {
            if let Some(p) = given::<Semaphores<CUDA_EXT_SEM_SIGNAL_NODE_PARAMS>>(parameters) {
                let CUDA_EXT_SEM_SIGNAL_NODE_PARAMS { extSemArray, paramsArray, numExtSems } = p.params;
                of.extSemSignal =
                    CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2 { extSemArray, paramsArray, numExtSems, ..Default::default() };
            }
        }
        Operation::Semaphores { waits: true, given: parameters, .. } => {
            if let Some(p) = given::<Semaphores<CUDA_EXT_SEM_WAIT_NODE_PARAMS>>(parameters) {
                let CUDA_EXT_SEM_WAIT_NODE_PARAMS { extSemArray, paramsArray, numExtSems } = p.params;
                of.extSemWait =
                    CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2 { extSemArray, paramsArray, numExtSems, ..Default::default() };
            }
        }
        Operation::Conditional(conditional) => {
            of.conditional = CUDA_CONDITIONAL_NODE_PARAMS {
                handle: conditional.condition.handle as u64,
                r#type: match conditional.choice {
                    Choice::If => CU_GRAPH_COND_TYPE_IF,
                    Choice::While => CU_GRAPH_COND_TYPE_WHILE,
                    Choice::Switch => CU_GRAPH_COND_TYPE_SWITCH,
                },
                size: conditional.bodies.len() as u32,
                phGraph_out: bodies_of(conditional),
                ctx: CUcontext(conditional.condition.context.upgrade().map_or(0, |context| context.handle)),
            };
        }
    }
    Ok(params)
}

/// Refuses a kernel node that names a function and another context than the function's, as newer forms of the calls do.
pub fn check_kernel_context(params: &CUgraphNodeParams) -> Result<()> {
    if params.r#type != CU_GRAPH_NODE_TYPE_KERNEL {
        return Ok(());
    }
    // SAFETY: plain data, valid for every bit pattern.
    let (function, context) = unsafe { (params.anon0.kernel.func, params.anon0.kernel.ctx) };
    if function.is_null() || context.is_null() {
        return Ok(());
    }
    let given = Context::find(context.0)?;
    let function = library::function_of(function.0, None)?;
    refuse_if!(
        Error::INVALID_CONTEXT,
        !function.context.ptr_eq(&Arc::downgrade(&given)),
        "nodeParams: kernel.ctx {:#x} is not the context of kernel.func",
        context.0
    );
    Ok(())
}

/// Refuses parameters of another kind than a node's, and those of kinds that cannot be changed.
pub fn check_change(node: &Node, params: &CUgraphNodeParams) -> Result<()> {
    let kind = node.operation().kind();
    refuse_if!(
        Error::INVALID_VALUE,
        params.reserved0 != [0; 3] || params.reserved2 != 0,
        "nodeParams: reserved is not 0"
    );
    refuse_if!(
        Error::INVALID_VALUE,
        params.r#type.0 != kind,
        "nodeParams: type {:?} is not that of hNode, {:?}",
        params.r#type,
        CUgraphNodeType(kind)
    );
    refuse_if!(
        Error::NOT_SUPPORTED,
        params.r#type == CU_GRAPH_NODE_TYPE_MEM_ALLOC,
        "nodeParams: memory allocation nodes cannot be changed"
    );
    Ok(())
}

/// What a node of semaphores does and how the program described it, in arrays that the node owns.
pub trait SemaphoreNode: Copy + 'static {
    /// What is said of each semaphore.
    type Each: Copy + 'static;
    /// It waits, else it signals.
    const WAITS: bool;
    /// The arrays and their length.
    fn arrays(&self) -> (*mut CUexternalSemaphore, *const Self::Each, c_uint);
    /// The same with other arrays.
    fn with(self, semaphores: *mut CUexternalSemaphore, each: *const Self::Each) -> Self;
    /// The value that a semaphore gets or has to reach.
    fn value(each: &Self::Each) -> u64;
    /// What is reserved.
    fn flags(each: &Self::Each) -> c_uint;
    /// Whether the words that are kept for later are 0.
    fn is_plain(each: &Self::Each) -> bool;
}

/// What a stream wants of semaphores, and a node does not.
pub fn check_semaphores<T: SemaphoreNode>(params: &T, context: &Weak<Context>) -> Result<()> {
    let (semaphores, each, count) = params.arrays();
    let refused = |error: Error| error.with_code(Error::INVALID_VALUE);
    for (semaphore, each) in
        In(semaphores.cast_const()).slice(count as usize)?.iter().zip(In(each).slice(count as usize)?)
    {
        refuse_if!(
            Error::INVALID_VALUE,
            !semaphore::find(semaphore.0).map_err(refused)?.is_of(context),
            "extSemArray: {:#x} was imported in another context than hStream's",
            semaphore.0
        );
        refuse_if!(Error::INVALID_VALUE, T::flags(&each) != 0, "paramsArray: flags {:#x} is not 0", T::flags(&each));
        refuse_if!(Error::INVALID_VALUE, !T::is_plain(&each), "paramsArray: reserved is not 0");
    }
    Ok(())
}

impl SemaphoreNode for CUDA_EXT_SEM_SIGNAL_NODE_PARAMS {
    type Each = CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS;
    const WAITS: bool = false;
    fn arrays(&self) -> (*mut CUexternalSemaphore, *const Self::Each, c_uint) {
        (self.extSemArray, self.paramsArray, self.numExtSems)
    }
    fn with(self, semaphores: *mut CUexternalSemaphore, each: *const Self::Each) -> Self {
        Self { extSemArray: semaphores, paramsArray: each, ..self }
    }
    fn value(each: &Self::Each) -> u64 {
        each.params.fence.value
    }
    fn flags(each: &Self::Each) -> c_uint {
        each.flags
    }
    fn is_plain(each: &Self::Each) -> bool {
        each.reserved == [0; 16]
    }
}

impl SemaphoreNode for CUDA_EXT_SEM_WAIT_NODE_PARAMS {
    type Each = CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS;
    const WAITS: bool = true;
    fn arrays(&self) -> (*mut CUexternalSemaphore, *const Self::Each, c_uint) {
        (self.extSemArray, self.paramsArray, self.numExtSems)
    }
    fn with(self, semaphores: *mut CUexternalSemaphore, each: *const Self::Each) -> Self {
        Self { extSemArray: semaphores, paramsArray: each, ..self }
    }
    fn value(each: &Self::Each) -> u64 {
        each.params.fence.value
    }
    fn flags(each: &Self::Each) -> c_uint {
        each.flags
    }
    fn is_plain(each: &Self::Each) -> bool {
        each.reserved == [0; 16]
    }
}

/// A description of a node of semaphores, and the arrays that it points to.
struct Semaphores<T: SemaphoreNode> {
    params: T,
    _handles: Box<[CUexternalSemaphore]>,
    _each: Box<[T::Each]>,
}

/// A node of semaphores.
pub fn semaphores_of<T: SemaphoreNode>(params: T) -> Result<Operation> {
    /// No program has more.
    const MOST: c_uint = 1 << 16;
    let (semaphores, each, count) = params.arrays();
    let none = semaphores.is_null() || each.is_null() || count > MOST;
    refuse_if!(Error::INVALID_HANDLE, count != 0 && none, "nodeParams: numExtSems {} semaphores are not there", count);
    let (mut handles, mut values) = (Box::default(), Box::default());
    if count != 0 {
        handles = In(semaphores.cast_const()).slice(count as usize)?.into_boxed_slice();
        values = In(each).slice(count as usize)?.into_boxed_slice();
    }
    let works = semaphore_works::<T>(&handles, &values)?;
    let params = if count == 0 { params } else { params.with(handles.as_ptr().cast_mut(), values.as_ptr()) };
    Ok(Operation::Semaphores {
        waits: T::WAITS,
        works,
        given: kept(Semaphores { params, _handles: handles, _each: values }),
    })
}

/// What signals semaphores or waits for them.
fn semaphore_works<T: SemaphoreNode>(semaphores: &[CUexternalSemaphore], each: &[T::Each]) -> Result<Vec<Work>> {
    let mut works = Vec::new();
    for (semaphore, each) in semaphores.iter().zip(each) {
        let semaphore = semaphore::find(semaphore.0)?;
        match T::WAITS {
            true => works.extend(semaphore.wait(T::value(each))),
            false => works.extend(semaphore.signal(T::value(each))),
        }
    }
    Ok(works)
}

/// What a node of semaphores was given.
pub fn semaphores_given<T: SemaphoreNode>(node: CUgraphNode) -> Result<T> {
    match Node::find(node.0)?.operation() {
        Operation::Semaphores { given: parameters, .. } => given::<Semaphores<T>>(&parameters).map(|all| all.params),
        _ => None,
    }
    .ok_or_else(|| refuse!(Error::INVALID_VALUE, "hNode {:#x} is not a node of such semaphores", node.0))
}

/// The graph that a node is being added to, and what the node will depend on.
pub type Adding<'a> = (&'a Graph, &'a [(usize, EdgeData)]);

/// A node of any kind, to be added or to be given to a node that is there. Writes what the parameters report back.
pub fn operation_of(node: Option<Adding>, params: &mut CUgraphNodeParams) -> Result<Operation> {
    refuse_if!(
        Error::INVALID_VALUE,
        params.reserved0 != [0; 3] || params.reserved2 != 0,
        "nodeParams: reserved is not 0"
    );
    // SAFETY: every member of the union is plain data, valid for every bit pattern but for function pointers, which are
    // read as `Option` and may be any address.
    unsafe {
        let of = &mut params.anon0;
        match params.r#type {
            CU_GRAPH_NODE_TYPE_EMPTY => Ok(Operation::Empty),
            CU_GRAPH_NODE_TYPE_MEMCPY if of.memcpy.flags == 0 && of.memcpy.reserved == 0 => {
                copy_of(&of.memcpy.copyParams, of.memcpy.copyCtx)
            }
            CU_GRAPH_NODE_TYPE_MEMSET => memset_of(&of.memset.into(), of.memset.ctx),
            CU_GRAPH_NODE_TYPE_HOST => Ok(Operation::Host(host_call(of.host.r#fn, of.host.userData)?)),
            CU_GRAPH_NODE_TYPE_GRAPH => Ok(Operation::Child(Graph::find(of.graph.graph.0)?.embed()?)),
            CU_GRAPH_NODE_TYPE_WAIT_EVENT if of.eventWait.event.is_null() => {
                Err(refuse!(Error::INVALID_VALUE, "nodeParams: eventWait.event is NULL"))
            }
            CU_GRAPH_NODE_TYPE_EVENT_RECORD if of.eventRecord.event.is_null() => {
                Err(refuse!(Error::INVALID_VALUE, "nodeParams: eventRecord.event is NULL"))
            }
            CU_GRAPH_NODE_TYPE_WAIT_EVENT => Ok(Operation::Wait(Event::find(of.eventWait.event.0)?)),
            CU_GRAPH_NODE_TYPE_EVENT_RECORD => Ok(Operation::Record(Event::find(of.eventRecord.event.0)?)),
            CU_GRAPH_NODE_TYPE_MEM_ALLOC => {
                let p = of.alloc;
                let params = CUDA_MEM_ALLOC_NODE_PARAMS {
                    poolProps: p.poolProps,
                    accessDescs: p.accessDescs,
                    accessDescCount: p.accessDescCount,
                    bytesize: p.bytesize,
                    dptr: p.dptr,
                };
                let allocation = allocation_of(node, &params)?;
                of.alloc.dptr = allocation.address as CUdeviceptr;
                Ok(Operation::Allocate(allocation))
            }
            CU_GRAPH_NODE_TYPE_MEM_FREE => free_of(node, of.free.dptr),
            CU_GRAPH_NODE_TYPE_BATCH_MEM_OP => {
                let p = of.memOp;
                refuse_if!(Error::INVALID_VALUE, p.paramArray.is_null(), "nodeParams: memOp.paramArray is NULL");
                memory_operations_of(&CUDA_BATCH_MEM_OP_NODE_PARAMS {
                    ctx: p.ctx,
                    count: p.count,
                    paramArray: p.paramArray,
                    flags: p.flags,
                })
            }
            CU_GRAPH_NODE_TYPE_KERNEL => kernel_of(&of.kernel.into()),
            CU_GRAPH_NODE_TYPE_CONDITIONAL => {
                let conditional = conditional_of(node, &of.conditional)?;
                of.conditional.phGraph_out = bodies_of(&conditional);
                Ok(Operation::Conditional(conditional))
            }
            CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL => {
                let CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2 { extSemArray, paramsArray, numExtSems, .. } = of.extSemSignal;
                let params = CUDA_EXT_SEM_SIGNAL_NODE_PARAMS { extSemArray, paramsArray, numExtSems };
                semaphores_of(params)
            }
            CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT => {
                let CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2 { extSemArray, paramsArray, numExtSems, .. } = of.extSemWait;
                let params = CUDA_EXT_SEM_WAIT_NODE_PARAMS { extSemArray, paramsArray, numExtSems };
                semaphores_of(params)
            }
            _ => Err(refuse!(Error::INVALID_VALUE, "nodeParams: type {:?} is not a CUgraphNodeType", params.r#type)),
        }
    }
}
