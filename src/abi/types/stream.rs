//! Streams, their memory operations and their capture.

use super::result::{CUdeviceptr, CUresult, cuuint32_t, cuuint64_t};
use core::ffi::{c_uint, c_void};

c_handle! {
    /// A stream.
    CUstream = CUstream_st;
}

c_enum! {
    /// How the thread that runs host functions waits for a stream.
    pub enum CUhostTaskSyncMode: CUhostTaskSyncMode_enum {
        CU_HOST_TASK_BLOCKING = 0x0,
        CU_HOST_TASK_SPINWAIT = 0x1,
    }
}

c_enum! {
    /// Flags of a stream.
    pub enum CUstream_flags: CUstream_flags_enum {
        CU_STREAM_DEFAULT = 0x0,
        CU_STREAM_NON_BLOCKING = 0x1,
    }
}

c_enum! {
    /// Conditions of a wait for a value.
    pub enum CUstreamWaitValue_flags: CUstreamWaitValue_flags_enum {
        CU_STREAM_WAIT_VALUE_GEQ = 0x0,
        CU_STREAM_WAIT_VALUE_EQ = 0x1,
        CU_STREAM_WAIT_VALUE_AND = 0x2,
        CU_STREAM_WAIT_VALUE_NOR = 0x3,
        CU_STREAM_WAIT_VALUE_FLUSH = 0x40000000,
    }
}

c_enum! {
    /// Flags of a write of a value.
    pub enum CUstreamWriteValue_flags: CUstreamWriteValue_flags_enum {
        CU_STREAM_WRITE_VALUE_DEFAULT = 0x0,
        CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER = 0x1,
    }
}

c_enum! {
    /// Kinds of stream memory operations.
    pub enum CUstreamBatchMemOpType: CUstreamBatchMemOpType_enum {
        CU_STREAM_MEM_OP_WAIT_VALUE_32 = 1,
        CU_STREAM_MEM_OP_WRITE_VALUE_32 = 2,
        CU_STREAM_MEM_OP_WAIT_VALUE_64 = 4,
        CU_STREAM_MEM_OP_WRITE_VALUE_64 = 5,
        CU_STREAM_MEM_OP_BARRIER = 6,
        CU_STREAM_MEM_OP_ATOMIC_REDUCTION = 8,
        CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES = 3,
    }
}

c_enum! {
    /// Scope of a barrier among stream memory operations.
    pub enum CUstreamMemoryBarrier_flags: CUstreamMemoryBarrier_flags_enum {
        CU_STREAM_MEMORY_BARRIER_TYPE_SYS = 0x0,
        CU_STREAM_MEMORY_BARRIER_TYPE_GPU = 0x1,
    }
}

c_enum! {
    /// Reductions that a stream can perform on memory.
    pub enum CUstreamAtomicReductionOpType: CUstreamAtomicReductionOpType_enum {
        CU_STREAM_ATOMIC_REDUCTION_OP_OR = 6,
        CU_STREAM_ATOMIC_REDUCTION_OP_AND = 5,
        CU_STREAM_ATOMIC_REDUCTION_OP_ADD = 0,
    }
}

c_enum! {
    /// Operand types of reductions that a stream can perform on memory.
    pub enum CUstreamAtomicReductionDataType: CUstreamAtomicReductionDataType_enum {
        CU_STREAM_ATOMIC_REDUCTION_UNSIGNED_32 = 14,
        CU_STREAM_ATOMIC_REDUCTION_UNSIGNED_64 = 22,
    }
}

c_struct! {
    /// Unnamed member of [`CUstreamMemOpWaitValueParams_st`].
    pub union CUstreamMemOpWaitValueParams_st_anon0: _ {
        pub value: cuuint32_t,
        pub value64: cuuint64_t,
    }
}

c_struct! {
    /// One kind of operation in [`CUstreamBatchMemOpParams_v1`].
    pub struct CUstreamMemOpWaitValueParams_st: CUstreamMemOpWaitValueParams_st {
        pub operation: CUstreamBatchMemOpType,
        pub address: CUdeviceptr,
        pub anon0: CUstreamMemOpWaitValueParams_st_anon0,
        pub flags: c_uint,
        pub alias: CUdeviceptr,
    }
}

c_struct! {
    /// Unnamed member of [`CUstreamMemOpWriteValueParams_st`].
    pub union CUstreamMemOpWriteValueParams_st_anon0: _ {
        pub value: cuuint32_t,
        pub value64: cuuint64_t,
    }
}

c_struct! {
    /// One kind of operation in [`CUstreamBatchMemOpParams_v1`].
    pub struct CUstreamMemOpWriteValueParams_st: CUstreamMemOpWriteValueParams_st {
        pub operation: CUstreamBatchMemOpType,
        pub address: CUdeviceptr,
        pub anon0: CUstreamMemOpWriteValueParams_st_anon0,
        pub flags: c_uint,
        pub alias: CUdeviceptr,
    }
}

c_struct! {
    /// One kind of operation in [`CUstreamBatchMemOpParams_v1`].
    pub struct CUstreamMemOpFlushRemoteWritesParams_st: CUstreamMemOpFlushRemoteWritesParams_st {
        pub operation: CUstreamBatchMemOpType,
        pub flags: c_uint,
    }
}

c_struct! {
    /// One kind of operation in [`CUstreamBatchMemOpParams_v1`].
    pub struct CUstreamMemOpMemoryBarrierParams_st: CUstreamMemOpMemoryBarrierParams_st {
        pub operation: CUstreamBatchMemOpType,
        pub flags: c_uint,
    }
}

c_struct! {
    /// One kind of operation in [`CUstreamBatchMemOpParams_v1`].
    pub struct CUstreamMemOpAtomicReductionParams_st: CUstreamMemOpAtomicReductionParams_st {
        pub operation: CUstreamBatchMemOpType,
        pub flags: c_uint,
        pub reductionOp: CUstreamAtomicReductionOpType,
        pub dataType: CUstreamAtomicReductionDataType,
        pub address: CUdeviceptr,
        pub value: cuuint64_t,
        pub alias: CUdeviceptr,
    }
}

c_struct! {
    /// One stream memory operation.
    pub union CUstreamBatchMemOpParams_v1: CUstreamBatchMemOpParams_union {
        pub operation: CUstreamBatchMemOpType,
        pub waitValue: CUstreamMemOpWaitValueParams_st,
        pub writeValue: CUstreamMemOpWriteValueParams_st,
        pub flushRemoteWrites: CUstreamMemOpFlushRemoteWritesParams_st,
        pub memoryBarrier: CUstreamMemOpMemoryBarrierParams_st,
        pub atomicReduction: CUstreamMemOpAtomicReductionParams_st,
        pub pad: [cuuint64_t; 6],
    }
}

/// The [`CUstreamBatchMemOpParams_v1`] in use.
pub type CUstreamBatchMemOpParams = CUstreamBatchMemOpParams_v1;

c_enum! {
    /// Whether capture dependencies are added or replaced.
    pub enum CUstreamUpdateCaptureDependencies_flags: CUstreamUpdateCaptureDependencies_flags_enum {
        CU_STREAM_ADD_CAPTURE_DEPENDENCIES = 0x0,
        CU_STREAM_SET_CAPTURE_DEPENDENCIES = 0x1,
    }
}

/// A host function on a stream or in a graph.
pub type CUhostFn = Option<unsafe extern "C" fn(userData: *mut c_void)>;

c_enum! {
    /// How a host thread waits.
    pub enum CUsynchronizationPolicy: CUsynchronizationPolicy_enum {
        CU_SYNC_POLICY_AUTO = 1,
        CU_SYNC_POLICY_SPIN = 2,
        CU_SYNC_POLICY_YIELD = 3,
        CU_SYNC_POLICY_BLOCKING_SYNC = 4,
    }
}

c_enum! {
    /// Whether a stream is being captured.
    pub enum CUstreamCaptureStatus: CUstreamCaptureStatus_enum {
        CU_STREAM_CAPTURE_STATUS_NONE = 0,
        CU_STREAM_CAPTURE_STATUS_ACTIVE = 1,
        CU_STREAM_CAPTURE_STATUS_INVALIDATED = 2,
    }
}

c_enum! {
    /// How strictly a capture forbids unrelated calls.
    pub enum CUstreamCaptureMode: CUstreamCaptureMode_enum {
        CU_STREAM_CAPTURE_MODE_GLOBAL = 0,
        CU_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1,
        CU_STREAM_CAPTURE_MODE_RELAXED = 2,
    }
}

c_enum! {
    /// What a capture for a graphics queue shares.
    pub enum CUstreamCigDataType: CUstreamCigDataType_enum {
        STREAM_CIG_DATA_TYPE_D3D12_COMMAND_LIST = 0x1,
        STREAM_CIG_DATA_TYPE_VULKAN_COMMAND_BUFFER_HANDLE_NV = 0x2,
    }
}

c_struct! {
    /// Parameters shared with a graphics queue.
    pub struct CUstreamCigParam: CUstreamCigParam_st {
        pub streamSharedDataType: CUstreamCigDataType,
        pub streamSharedData: *mut c_void,
    }
}

c_struct! {
    /// Parameters of a capture for a graphics queue.
    pub struct CUstreamCigCaptureParams: CUstreamCigCaptureParams_st {
        pub streamCigParams: *mut CUstreamCigParam,
    }
}

/// A host callback on a stream that is also called after errors.
pub type CUstreamCallback = Option<unsafe extern "C" fn(hStream: CUstream, status: CUresult, userData: *mut c_void)>;
