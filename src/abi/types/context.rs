//! Contexts.

use super::device::CUexecAffinityParam;
use core::ffi::{c_int, c_void};

c_handle! {
    /// A context.
    CUcontext = CUctx_st;
}

c_enum! {
    /// Flags of a context: scheduling, mapping, core dumps.
    pub enum CUctx_flags: CUctx_flags_enum {
        CU_CTX_SCHED_AUTO = 0x00,
        CU_CTX_SCHED_SPIN = 0x01,
        CU_CTX_SCHED_YIELD = 0x02,
        CU_CTX_SCHED_BLOCKING_SYNC = 0x04,
        CU_CTX_BLOCKING_SYNC = 0x04,
        CU_CTX_SCHED_MASK = 0x07,
        CU_CTX_MAP_HOST = 0x08,
        CU_CTX_LMEM_RESIZE_TO_MAX = 0x10,
        CU_CTX_COREDUMP_ENABLE = 0x20,
        CU_CTX_USER_COREDUMP_ENABLE = 0x40,
        CU_CTX_SYNC_MEMOPS = 0x80,
        CU_CTX_FLAGS_MASK = 0xFF,
    }
}

c_enum! {
    /// Flags of an OpenCL context that shares with CUDA.
    pub enum cl_context_flags: cl_context_flags_enum {
        NVCL_CTX_SCHED_AUTO = 0x00,
        NVCL_CTX_SCHED_SPIN = 0x01,
        NVCL_CTX_SCHED_YIELD = 0x02,
        NVCL_CTX_SCHED_BLOCKING_SYNC = 0x04,
    }
}

c_enum! {
    /// Preference between L1 cache and shared memory.
    pub enum CUfunc_cache: CUfunc_cache_enum {
        CU_FUNC_CACHE_PREFER_NONE = 0x00,
        CU_FUNC_CACHE_PREFER_SHARED = 0x01,
        CU_FUNC_CACHE_PREFER_L1 = 0x02,
        CU_FUNC_CACHE_PREFER_EQUAL = 0x03,
    }
}

c_enum! {
    /// Width of shared memory banks.
    pub enum CUsharedconfig: CUsharedconfig_enum {
        CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE = 0x00,
        CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE = 0x01,
        CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE = 0x02,
    }
}

c_enum! {
    /// The limits of a context.
    pub enum CUlimit: CUlimit_enum {
        CU_LIMIT_STACK_SIZE = 0x00,
        CU_LIMIT_PRINTF_FIFO_SIZE = 0x01,
        CU_LIMIT_MALLOC_HEAP_SIZE = 0x02,
        CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH = 0x03,
        CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT = 0x04,
        CU_LIMIT_MAX_L2_FETCH_GRANULARITY = 0x05,
        CU_LIMIT_PERSISTING_L2_CACHE_SIZE = 0x06,
        CU_LIMIT_SHMEM_SIZE = 0x07,
        CU_LIMIT_CIG_ENABLED = 0x08,
        CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED = 0x09,
        CU_LIMIT_PER_BLOCK_MEMORY_SIZE = 0x0A,
        CU_LIMIT_MAX = 11,
    }
}

c_enum! {
    /// What a context shares with a graphics API (CUDA in Graphics).
    pub enum CUcigDataType: CUcigDataType_enum {
        CIG_DATA_TYPE_D3D12_COMMAND_QUEUE = 0x1,
        CIG_DATA_TYPE_NV_BLOB = 0x2,
    }
}

c_struct! {
    /// Parameters of a context that shares work with a graphics API.
    pub struct CUctxCigParam: CUctxCigParam_st {
        pub sharedDataType: CUcigDataType,
        pub sharedData: *mut c_void,
    }
}

c_struct! {
    /// Optional parameters of a new context.
    pub struct CUctxCreateParams: CUctxCreateParams_st {
        pub execAffinityParams: *mut CUexecAffinityParam,
        pub numExecAffinityParams: c_int,
        pub cigParams: *mut CUctxCigParam,
    }
}
