//! Graphs.

use super::array::CUDA_MEMCPY3D;
use super::context::CUcontext;
use super::event::CUevent;
use super::external::{
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS, CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS, CUexternalSemaphore,
};
use super::green_context::CUgreenCtx;
use super::logical_endpoint::CUDA_FABRIC_COPY_BATCH_OP;
use super::memory::CUmemcpyAttributes;
use super::module::{CUfunction, CUkernel};
use super::pool::CUmemPoolProps;
use super::result::{CUdeviceptr, CUresult, cuuint64_t};
use super::stream::{CUhostFn, CUstream, CUstreamBatchMemOpParams};
use super::virtual_memory::CUmemAccessDesc;
use core::ffi::{c_char, c_int, c_longlong, c_uchar, c_uint, c_ulonglong, c_void};

c_handle! {
    /// A graph.
    CUgraph = CUgraph_st;
}

c_handle! {
    /// A node of a graph.
    CUgraphNode = CUgraphNode_st;
}

c_handle! {
    /// An executable graph.
    CUgraphExec = CUgraphExec_st;
}

c_handle! {
    /// A reference-counted object that graphs can own.
    CUuserObject = CUuserObject_st;
}

/// Control value of conditional nodes.
pub type CUgraphConditionalHandle = cuuint64_t;

c_handle! {
    /// A kernel node that device code can update.
    CUgraphDeviceNode = CUgraphDeviceUpdatableNode_st;
}

c_struct! {
    /// Parameters of a memory-operation node.
    pub struct CUDA_BATCH_MEM_OP_NODE_PARAMS_v1: CUDA_BATCH_MEM_OP_NODE_PARAMS_v1_st {
        pub ctx: CUcontext,
        pub count: c_uint,
        pub paramArray: *mut CUstreamBatchMemOpParams,
        pub flags: c_uint,
    }
}

/// The [`CUDA_BATCH_MEM_OP_NODE_PARAMS_v1`] in use.
pub type CUDA_BATCH_MEM_OP_NODE_PARAMS = CUDA_BATCH_MEM_OP_NODE_PARAMS_v1;

c_struct! {
    /// Parameters of a memory-operation node in `CUgraphNodeParams`.
    pub struct CUDA_BATCH_MEM_OP_NODE_PARAMS_v2: CUDA_BATCH_MEM_OP_NODE_PARAMS_v2_st {
        pub ctx: CUcontext,
        pub count: c_uint,
        pub paramArray: *mut CUstreamBatchMemOpParams,
        pub flags: c_uint,
    }
}

c_struct! {
    /// Parameters of a kernel node that names a function.
    pub struct CUDA_KERNEL_NODE_PARAMS_v1: CUDA_KERNEL_NODE_PARAMS_st {
        pub func: CUfunction,
        pub gridDimX: c_uint,
        pub gridDimY: c_uint,
        pub gridDimZ: c_uint,
        pub blockDimX: c_uint,
        pub blockDimY: c_uint,
        pub blockDimZ: c_uint,
        pub sharedMemBytes: c_uint,
        pub kernelParams: *mut *mut c_void,
        pub extra: *mut *mut c_void,
    }
}

c_struct! {
    /// Parameters of a kernel node that names a function or a kernel.
    pub struct CUDA_KERNEL_NODE_PARAMS_v2: CUDA_KERNEL_NODE_PARAMS_v2_st {
        pub func: CUfunction,
        pub gridDimX: c_uint,
        pub gridDimY: c_uint,
        pub gridDimZ: c_uint,
        pub blockDimX: c_uint,
        pub blockDimY: c_uint,
        pub blockDimZ: c_uint,
        pub sharedMemBytes: c_uint,
        pub kernelParams: *mut *mut c_void,
        pub extra: *mut *mut c_void,
        pub kern: CUkernel,
        pub ctx: CUcontext,
    }
}

/// The [`CUDA_KERNEL_NODE_PARAMS_v2`] in use.
pub type CUDA_KERNEL_NODE_PARAMS = CUDA_KERNEL_NODE_PARAMS_v2;

c_struct! {
    /// Parameters of a kernel node in `CUgraphNodeParams`.
    pub struct CUDA_KERNEL_NODE_PARAMS_v3: CUDA_KERNEL_NODE_PARAMS_v3_st {
        pub func: CUfunction,
        pub gridDimX: c_uint,
        pub gridDimY: c_uint,
        pub gridDimZ: c_uint,
        pub blockDimX: c_uint,
        pub blockDimY: c_uint,
        pub blockDimZ: c_uint,
        pub sharedMemBytes: c_uint,
        pub kernelParams: *mut *mut c_void,
        pub extra: *mut *mut c_void,
        pub kern: CUkernel,
        pub ctx: CUcontext,
    }
}

c_struct! {
    /// Parameters of a memset node.
    pub struct CUDA_MEMSET_NODE_PARAMS_v1: CUDA_MEMSET_NODE_PARAMS_st {
        pub dst: CUdeviceptr,
        pub pitch: usize,
        pub value: c_uint,
        pub elementSize: c_uint,
        pub width: usize,
        pub height: usize,
    }
}

/// The [`CUDA_MEMSET_NODE_PARAMS_v1`] in use.
pub type CUDA_MEMSET_NODE_PARAMS = CUDA_MEMSET_NODE_PARAMS_v1;

c_struct! {
    /// Parameters of a memset node in `CUgraphNodeParams`.
    pub struct CUDA_MEMSET_NODE_PARAMS_v2: CUDA_MEMSET_NODE_PARAMS_v2_st {
        pub dst: CUdeviceptr,
        pub pitch: usize,
        pub value: c_uint,
        pub elementSize: c_uint,
        pub width: usize,
        pub height: usize,
        pub ctx: CUcontext,
    }
}

c_struct! {
    /// Parameters of a host node.
    pub struct CUDA_HOST_NODE_PARAMS_v1: CUDA_HOST_NODE_PARAMS_st {
        pub r#fn: CUhostFn,
        pub userData: *mut c_void,
    }
}

/// The [`CUDA_HOST_NODE_PARAMS_v1`] in use.
pub type CUDA_HOST_NODE_PARAMS = CUDA_HOST_NODE_PARAMS_v1;

c_struct! {
    /// Unnamed member of [`CUDA_HOST_NODE_PARAMS_v2`].
    pub union CUDA_HOST_NODE_PARAMS_v2_anon0: _ {
        pub ctx: CUcontext,
        pub gCtx: CUgreenCtx,
    }
}

c_struct! {
    /// Parameters of a host node in `CUgraphNodeParams`.
    pub struct CUDA_HOST_NODE_PARAMS_v2: CUDA_HOST_NODE_PARAMS_v2_st {
        pub r#fn: CUhostFn,
        pub userData: *mut c_void,
        pub syncMode: c_uint,
        pub anon0: CUDA_HOST_NODE_PARAMS_v2_anon0,
    }
}

c_enum! {
    /// Kinds of conditional nodes.
    pub enum CUgraphConditionalNodeType: CUgraphConditionalNodeType_enum {
        CU_GRAPH_COND_TYPE_IF = 0,
        CU_GRAPH_COND_TYPE_WHILE = 1,
        CU_GRAPH_COND_TYPE_SWITCH = 2,
    }
}

c_struct! {
    /// Parameters of a conditional node.
    pub struct CUDA_CONDITIONAL_NODE_PARAMS: CUDA_CONDITIONAL_NODE_PARAMS {
        pub handle: CUgraphConditionalHandle,
        pub r#type: CUgraphConditionalNodeType,
        pub size: c_uint,
        pub phGraph_out: *mut CUgraph,
        pub ctx: CUcontext,
    }
}

c_enum! {
    /// Kinds of nodes.
    pub enum CUgraphNodeType: CUgraphNodeType_enum {
        CU_GRAPH_NODE_TYPE_KERNEL = 0,
        CU_GRAPH_NODE_TYPE_MEMCPY = 1,
        CU_GRAPH_NODE_TYPE_MEMSET = 2,
        CU_GRAPH_NODE_TYPE_HOST = 3,
        CU_GRAPH_NODE_TYPE_GRAPH = 4,
        CU_GRAPH_NODE_TYPE_EMPTY = 5,
        CU_GRAPH_NODE_TYPE_WAIT_EVENT = 6,
        CU_GRAPH_NODE_TYPE_EVENT_RECORD = 7,
        CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL = 8,
        CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT = 9,
        CU_GRAPH_NODE_TYPE_MEM_ALLOC = 10,
        CU_GRAPH_NODE_TYPE_MEM_FREE = 11,
        CU_GRAPH_NODE_TYPE_BATCH_MEM_OP = 12,
        CU_GRAPH_NODE_TYPE_CONDITIONAL = 13,
        CU_GRAPH_NODE_TYPE_MEMCPY_BATCH = 14,
        CU_GRAPH_NODE_TYPE_RESERVED_16 = 16,
        CU_GRAPH_NODE_TYPE_EXTERNAL_ENGINE = 17,
        CU_GRAPH_NODE_TYPE_FABRIC_CPY_BATCH = 18,
    }
}

c_enum! {
    /// Kinds of edges.
    pub enum CUgraphDependencyType: CUgraphDependencyType_enum {
        CU_GRAPH_DEPENDENCY_TYPE_DEFAULT = 0,
        CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC = 1,
    }
}

c_struct! {
    /// Data of an edge.
    pub struct CUgraphEdgeData: CUgraphEdgeData_st {
        pub from_port: c_uchar,
        pub to_port: c_uchar,
        pub r#type: c_uchar,
        pub reserved: [c_uchar; 5],
    }
}

c_enum! {
    /// Why making an executable graph failed.
    pub enum CUgraphInstantiateResult: CUgraphInstantiateResult_enum {
        CUDA_GRAPH_INSTANTIATE_SUCCESS = 0,
        CUDA_GRAPH_INSTANTIATE_ERROR = 1,
        CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE = 2,
        CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED = 3,
        CUDA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED = 4,
        CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED = 5,
    }
}

c_struct! {
    /// Parameters and result of making an executable graph.
    pub struct CUDA_GRAPH_INSTANTIATE_PARAMS: CUDA_GRAPH_INSTANTIATE_PARAMS_st {
        pub flags: cuuint64_t,
        pub hUploadStream: CUstream,
        pub hErrNode_out: CUgraphNode,
        pub result_out: CUgraphInstantiateResult,
    }
}

c_struct! {
    /// Parameters of a copy node in `CUgraphNodeParams`.
    pub struct CUDA_MEMCPY_NODE_PARAMS: CUDA_MEMCPY_NODE_PARAMS_st {
        pub flags: c_int,
        pub reserved: c_int,
        pub copyCtx: CUcontext,
        pub copyParams: CUDA_MEMCPY3D,
    }
}

c_struct! {
    /// Parameters of a semaphore-signal node.
    pub struct CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v1: CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_st {
        pub extSemArray: *mut CUexternalSemaphore,
        pub paramsArray: *const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS,
        pub numExtSems: c_uint,
    }
}

/// The [`CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v1`] in use.
pub type CUDA_EXT_SEM_SIGNAL_NODE_PARAMS = CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v1;

c_struct! {
    /// Unnamed member of [`CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2`].
    pub union CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2_anon0: _ {
        pub ctx: CUcontext,
        pub gCtx: CUgreenCtx,
    }
}

c_struct! {
    /// Parameters of a semaphore-signal node in `CUgraphNodeParams`.
    pub struct CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2: CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2_st {
        pub extSemArray: *mut CUexternalSemaphore,
        pub paramsArray: *const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS,
        pub numExtSems: c_uint,
        pub anon0: CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2_anon0,
    }
}

c_struct! {
    /// Parameters of a semaphore-wait node.
    pub struct CUDA_EXT_SEM_WAIT_NODE_PARAMS_v1: CUDA_EXT_SEM_WAIT_NODE_PARAMS_st {
        pub extSemArray: *mut CUexternalSemaphore,
        pub paramsArray: *const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS,
        pub numExtSems: c_uint,
    }
}

/// The [`CUDA_EXT_SEM_WAIT_NODE_PARAMS_v1`] in use.
pub type CUDA_EXT_SEM_WAIT_NODE_PARAMS = CUDA_EXT_SEM_WAIT_NODE_PARAMS_v1;

c_struct! {
    /// Unnamed member of [`CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2`].
    pub union CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2_anon0: _ {
        pub ctx: CUcontext,
        pub gCtx: CUgreenCtx,
    }
}

c_struct! {
    /// Parameters of a semaphore-wait node in `CUgraphNodeParams`.
    pub struct CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2: CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2_st {
        pub extSemArray: *mut CUexternalSemaphore,
        pub paramsArray: *const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS,
        pub numExtSems: c_uint,
        pub anon0: CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2_anon0,
    }
}

c_enum! {
    /// Why an executable graph could not be updated.
    pub enum CUgraphExecUpdateResult: CUgraphExecUpdateResult_enum {
        CU_GRAPH_EXEC_UPDATE_SUCCESS = 0x0,
        CU_GRAPH_EXEC_UPDATE_ERROR = 0x1,
        CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED = 0x2,
        CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED = 0x3,
        CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED = 0x4,
        CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED = 0x5,
        CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED = 0x6,
        CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE = 0x7,
        CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED = 0x8,
    }
}

c_struct! {
    /// Result of updating an executable graph.
    pub struct CUgraphExecUpdateResultInfo_v1: CUgraphExecUpdateResultInfo_st {
        pub result: CUgraphExecUpdateResult,
        pub errorNode: CUgraphNode,
        pub errorFromNode: CUgraphNode,
    }
}

/// The [`CUgraphExecUpdateResultInfo_v1`] in use.
pub type CUgraphExecUpdateResultInfo = CUgraphExecUpdateResultInfo_v1;

c_struct! {
    /// Parameters of an allocation node.
    pub struct CUDA_MEM_ALLOC_NODE_PARAMS_v1: CUDA_MEM_ALLOC_NODE_PARAMS_v1_st {
        pub poolProps: CUmemPoolProps,
        pub accessDescs: *const CUmemAccessDesc,
        pub accessDescCount: usize,
        pub bytesize: usize,
        pub dptr: CUdeviceptr,
    }
}

/// The [`CUDA_MEM_ALLOC_NODE_PARAMS_v1`] in use.
pub type CUDA_MEM_ALLOC_NODE_PARAMS = CUDA_MEM_ALLOC_NODE_PARAMS_v1;

c_struct! {
    /// Parameters of an allocation node in `CUgraphNodeParams`.
    pub struct CUDA_MEM_ALLOC_NODE_PARAMS_v2: CUDA_MEM_ALLOC_NODE_PARAMS_v2_st {
        pub poolProps: CUmemPoolProps,
        pub accessDescs: *const CUmemAccessDesc,
        pub accessDescCount: usize,
        pub bytesize: usize,
        pub dptr: CUdeviceptr,
    }
}

c_struct! {
    /// Parameters of a free node.
    pub struct CUDA_MEM_FREE_NODE_PARAMS: CUDA_MEM_FREE_NODE_PARAMS_st {
        pub dptr: CUdeviceptr,
    }
}

c_enum! {
    /// Counters of graph allocations.
    pub enum CUgraphMem_attribute: CUgraphMem_attribute_enum {
        CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT = 0,
        CU_GRAPH_MEM_ATTR_USED_MEM_HIGH = 1,
        CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT = 2,
        CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH = 3,
    }
}

c_enum! {
    /// Who owns the graph of a child node.
    pub enum CUgraphChildGraphNodeOwnership: CUgraphChildGraphNodeOwnership_enum as i32 {
        CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE = 0,
        CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE = 1,
        CU_GRAPH_CHILD_GRAPH_OWNERSHIP_INVALID = -1,
    }
}

c_struct! {
    /// Parameters of a child node.
    pub struct CUDA_CHILD_GRAPH_NODE_PARAMS: CUDA_CHILD_GRAPH_NODE_PARAMS_st {
        pub graph: CUgraph,
        pub ownership: CUgraphChildGraphNodeOwnership,
    }
}

c_struct! {
    /// Unnamed member of [`CUDA_EVENT_RECORD_NODE_PARAMS`].
    pub union CUDA_EVENT_RECORD_NODE_PARAMS_anon0: _ {
        pub ctx: CUcontext,
        pub gCtx: CUgreenCtx,
    }
}

c_struct! {
    /// Parameters of an event-recording node.
    pub struct CUDA_EVENT_RECORD_NODE_PARAMS: CUDA_EVENT_RECORD_NODE_PARAMS_st {
        pub event: CUevent,
        pub anon0: CUDA_EVENT_RECORD_NODE_PARAMS_anon0,
    }
}

c_struct! {
    /// Parameters of an event-waiting node.
    pub struct CUDA_EVENT_WAIT_NODE_PARAMS: CUDA_EVENT_WAIT_NODE_PARAMS_st {
        pub event: CUevent,
    }
}

c_struct! {
    /// Unnamed member of [`CUDA_MEMCPY_BATCH_NODE_PARAMS_V1`].
    pub union CUDA_MEMCPY_BATCH_NODE_PARAMS_V1_anon0: _ {
        pub ctx: CUcontext,
        pub gCtx: CUgreenCtx,
    }
}

c_struct! {
    /// Parameters of a node with several copies.
    pub struct CUDA_MEMCPY_BATCH_NODE_PARAMS_V1: CUDA_MEMCPY_BATCH_NODE_PARAMS_V1_st {
        pub count: usize,
        pub dsts: *mut CUdeviceptr,
        pub srcs: *mut CUdeviceptr,
        pub sizes: *mut usize,
        pub attrs: *mut CUmemcpyAttributes,
        pub attrsIdxs: *mut usize,
        pub numAttrs: usize,
        pub anon0: CUDA_MEMCPY_BATCH_NODE_PARAMS_V1_anon0,
    }
}

/// The [`CUDA_MEMCPY_BATCH_NODE_PARAMS_V1`] in use.
pub type CUDA_MEMCPY_BATCH_NODE_PARAMS = CUDA_MEMCPY_BATCH_NODE_PARAMS_V1;

c_struct! {
    /// Unnamed member of [`CUDA_FABRIC_CPY_BATCH_NODE_PARAMS_V1`].
    pub union CUDA_FABRIC_CPY_BATCH_NODE_PARAMS_V1_anon0: _ {
        pub ctx: CUcontext,
        pub gCtx: CUgreenCtx,
    }
}

c_struct! {
    /// Parameters of a node with several fabric copies.
    pub struct CUDA_FABRIC_CPY_BATCH_NODE_PARAMS_V1: CUDA_FABRIC_CPY_BATCH_NODE_PARAMS_V1_st {
        pub numOps: usize,
        pub opList: *mut CUDA_FABRIC_COPY_BATCH_OP,
        pub flags: c_ulonglong,
        pub anon0: CUDA_FABRIC_CPY_BATCH_NODE_PARAMS_V1_anon0,
    }
}

/// The [`CUDA_FABRIC_CPY_BATCH_NODE_PARAMS_V1`] in use.
pub type CUDA_FABRIC_CPY_BATCH_NODE_PARAMS = CUDA_FABRIC_CPY_BATCH_NODE_PARAMS_V1;

c_struct! {
    /// Unnamed member of [`CUgraphNodeParams`].
    pub union CUgraphNodeParams_anon0: _ {
        pub reserved1: [c_longlong; 29],
        pub kernel: CUDA_KERNEL_NODE_PARAMS_v3,
        pub memcpy: CUDA_MEMCPY_NODE_PARAMS,
        pub memset: CUDA_MEMSET_NODE_PARAMS_v2,
        pub host: CUDA_HOST_NODE_PARAMS_v2,
        pub graph: CUDA_CHILD_GRAPH_NODE_PARAMS,
        pub eventWait: CUDA_EVENT_WAIT_NODE_PARAMS,
        pub eventRecord: CUDA_EVENT_RECORD_NODE_PARAMS,
        pub extSemSignal: CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2,
        pub extSemWait: CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2,
        pub alloc: CUDA_MEM_ALLOC_NODE_PARAMS_v2,
        pub free: CUDA_MEM_FREE_NODE_PARAMS,
        pub memOp: CUDA_BATCH_MEM_OP_NODE_PARAMS_v2,
        pub conditional: CUDA_CONDITIONAL_NODE_PARAMS,
        pub memcpyBatch: CUDA_MEMCPY_BATCH_NODE_PARAMS_V1,
        pub fabricCpyBatch: CUDA_FABRIC_CPY_BATCH_NODE_PARAMS_V1,
        pub asBytes: [c_char; 232],
    }
}

c_struct! {
    /// Parameters of a node of any kind.
    pub struct CUgraphNodeParams: CUgraphNodeParams_st {
        pub r#type: CUgraphNodeType,
        pub reserved0: [c_int; 3],
        pub anon0: CUgraphNodeParams_anon0,
        pub reserved2: c_longlong,
    }
}

c_enum! {
    /// What is written about each node in DOT format.
    pub enum CUgraphDebugDot_flags: CUgraphDebugDot_flags_enum {
        CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE = 0x1,
        CU_GRAPH_DEBUG_DOT_FLAGS_RUNTIME_TYPES = 0x2,
        CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS = 0x4,
        CU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_NODE_PARAMS = 0x8,
        CU_GRAPH_DEBUG_DOT_FLAGS_MEMSET_NODE_PARAMS = 0x10,
        CU_GRAPH_DEBUG_DOT_FLAGS_HOST_NODE_PARAMS = 0x20,
        CU_GRAPH_DEBUG_DOT_FLAGS_EVENT_NODE_PARAMS = 0x40,
        CU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_SIGNAL_NODE_PARAMS = 0x80,
        CU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_WAIT_NODE_PARAMS = 0x100,
        CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_ATTRIBUTES = 0x200,
        CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES = 0x400,
        CU_GRAPH_DEBUG_DOT_FLAGS_MEM_ALLOC_NODE_PARAMS = 0x800,
        CU_GRAPH_DEBUG_DOT_FLAGS_MEM_FREE_NODE_PARAMS = 0x1000,
        CU_GRAPH_DEBUG_DOT_FLAGS_BATCH_MEM_OP_NODE_PARAMS = 0x2000,
        CU_GRAPH_DEBUG_DOT_FLAGS_EXTRA_TOPO_INFO = 0x4000,
        CU_GRAPH_DEBUG_DOT_FLAGS_CONDITIONAL_NODE_PARAMS = 0x8000,
        CU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_BATCH_NODE_PARAMS = 0x10000,
        CU_GRAPH_DEBUG_DOT_FLAGS_FABRIC_CPY_BATCH_NODE_PARAMS = 0x20000,
    }
}

c_enum! {
    /// Flags of a user object.
    pub enum CUuserObject_flags: CUuserObject_flags_enum {
        CU_USER_OBJECT_NO_DESTRUCTOR_SYNC = 1,
    }
}

c_enum! {
    /// Flags of owning a user object.
    pub enum CUuserObjectRetain_flags: CUuserObjectRetain_flags_enum {
        CU_GRAPH_USER_OBJECT_MOVE = 1,
    }
}

c_enum! {
    /// Flags of making an executable graph.
    pub enum CUgraphInstantiate_flags: CUgraphInstantiate_flags_enum {
        CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH = 1,
        CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD = 2,
        CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH = 4,
        CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY = 8,
    }
}

c_enum! {
    /// How a captured node compares with the one that it replaces.
    pub enum CUgraphRecaptureStatus: CUgraphRecaptureStatus_enum {
        CU_GRAPH_RECAPTURE_ELIGIBLE_FOR_UPDATE = 0,
        CU_GRAPH_RECAPTURE_INELIGIBLE_FOR_UPDATE = 1,
        CU_GRAPH_RECAPTURE_ERROR = 2,
    }
}

/// Called for each node of a capture over an existing graph.
pub type CUgraphRecaptureCallback = Option<
    unsafe extern "C" fn(
        data: *mut c_void,
        node: CUgraphNode,
        originalParams: *const CUgraphNodeParams,
        recaptureParams: *const CUgraphNodeParams,
        status: CUgraphRecaptureStatus,
    ) -> CUresult,
>;
