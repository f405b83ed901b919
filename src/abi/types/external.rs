//! Memory, semaphores and resources of other APIs.

use super::array::CUDA_ARRAY3D_DESCRIPTOR;
use core::ffi::{c_int, c_uint, c_ulonglong, c_void};

c_handle! {
    /// A resource shared with a graphics API.
    CUgraphicsResource = CUgraphicsResource_st;
}

c_handle! {
    /// Memory of another API.
    CUexternalMemory = CUextMemory_st;
}

c_handle! {
    /// A semaphore of another API.
    CUexternalSemaphore = CUextSemaphore_st;
}

c_enum! {
    /// How a shared resource will be used.
    pub enum CUgraphicsRegisterFlags: CUgraphicsRegisterFlags_enum {
        CU_GRAPHICS_REGISTER_FLAGS_NONE = 0x00,
        CU_GRAPHICS_REGISTER_FLAGS_READ_ONLY = 0x01,
        CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD = 0x02,
        CU_GRAPHICS_REGISTER_FLAGS_SURFACE_LDST = 0x04,
        CU_GRAPHICS_REGISTER_FLAGS_TEXTURE_GATHER = 0x08,
    }
}

c_enum! {
    /// How a mapping of a shared resource will be used.
    pub enum CUgraphicsMapResourceFlags: CUgraphicsMapResourceFlags_enum {
        CU_GRAPHICS_MAP_RESOURCE_FLAGS_NONE = 0x00,
        CU_GRAPHICS_MAP_RESOURCE_FLAGS_READ_ONLY = 0x01,
        CU_GRAPHICS_MAP_RESOURCE_FLAGS_WRITE_DISCARD = 0x02,
    }
}

c_enum! {
    /// Kinds of handles of foreign memory.
    pub enum CUexternalMemoryHandleType: CUexternalMemoryHandleType_enum {
        CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD = 1,
        CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32 = 2,
        CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_KMT = 3,
        CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP = 4,
        CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE = 5,
        CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE = 6,
        CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE_KMT = 7,
        CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF = 8,
        CU_EXTERNAL_MEMORY_HANDLE_TYPE_DMABUF_FD = 9,
    }
}

c_struct! {
    /// Member `win32` of [`CUDA_EXTERNAL_MEMORY_HANDLE_DESC_v1_handle`].
    pub struct CUDA_EXTERNAL_MEMORY_HANDLE_DESC_v1_handle_win32: _ {
        pub handle: *mut c_void,
        pub name: *const c_void,
    }
}

c_struct! {
    /// Member `handle` of [`CUDA_EXTERNAL_MEMORY_HANDLE_DESC_v1`].
    pub union CUDA_EXTERNAL_MEMORY_HANDLE_DESC_v1_handle: _ {
        pub fd: c_int,
        pub win32: CUDA_EXTERNAL_MEMORY_HANDLE_DESC_v1_handle_win32,
        pub nvSciBufObject: *const c_void,
    }
}

c_struct! {
    /// Foreign memory to import.
    pub struct CUDA_EXTERNAL_MEMORY_HANDLE_DESC_v1: CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st {
        pub r#type: CUexternalMemoryHandleType,
        pub handle: CUDA_EXTERNAL_MEMORY_HANDLE_DESC_v1_handle,
        pub size: c_ulonglong,
        pub flags: c_uint,
        pub reserved: [c_uint; 16],
    }
}

/// The [`CUDA_EXTERNAL_MEMORY_HANDLE_DESC_v1`] in use.
pub type CUDA_EXTERNAL_MEMORY_HANDLE_DESC = CUDA_EXTERNAL_MEMORY_HANDLE_DESC_v1;

c_struct! {
    /// Range of foreign memory to map.
    pub struct CUDA_EXTERNAL_MEMORY_BUFFER_DESC_v1: CUDA_EXTERNAL_MEMORY_BUFFER_DESC_st {
        pub offset: c_ulonglong,
        pub size: c_ulonglong,
        pub flags: c_uint,
        pub reserved: [c_uint; 16],
    }
}

/// The [`CUDA_EXTERNAL_MEMORY_BUFFER_DESC_v1`] in use.
pub type CUDA_EXTERNAL_MEMORY_BUFFER_DESC = CUDA_EXTERNAL_MEMORY_BUFFER_DESC_v1;

c_struct! {
    /// Foreign memory to map as a mipmapped array.
    pub struct CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_v1: CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_st {
        pub offset: c_ulonglong,
        pub arrayDesc: CUDA_ARRAY3D_DESCRIPTOR,
        pub numLevels: c_uint,
        pub reserved: [c_uint; 16],
    }
}

/// The [`CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_v1`] in use.
pub type CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC = CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_v1;

c_enum! {
    /// Kinds of handles of foreign semaphores.
    pub enum CUexternalSemaphoreHandleType: CUexternalSemaphoreHandleType_enum {
        CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD = 1,
        CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32 = 2,
        CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32_KMT = 3,
        CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D12_FENCE = 4,
        CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_FENCE = 5,
        CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_NVSCISYNC = 6,
        CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX = 7,
        CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX_KMT = 8,
        CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD = 9,
        CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_WIN32 = 10,
    }
}

c_struct! {
    /// Member `win32` of [`CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_v1_handle`].
    pub struct CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_v1_handle_win32: _ {
        pub handle: *mut c_void,
        pub name: *const c_void,
    }
}

c_struct! {
    /// Member `handle` of [`CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_v1`].
    pub union CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_v1_handle: _ {
        pub fd: c_int,
        pub win32: CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_v1_handle_win32,
        pub nvSciSyncObj: *const c_void,
    }
}

c_struct! {
    /// Foreign semaphore to import.
    pub struct CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_v1: CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_st {
        pub r#type: CUexternalSemaphoreHandleType,
        pub handle: CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_v1_handle,
        pub flags: c_uint,
        pub reserved: [c_uint; 16],
    }
}

/// The [`CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_v1`] in use.
pub type CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC = CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_v1;

c_struct! {
    /// Member `fence` of [`CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_v1_params`].
    pub struct CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_v1_params_fence: _ {
        pub value: c_ulonglong,
    }
}

c_struct! {
    /// Member `nvSciSync` of [`CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_v1_params`].
    pub union CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_v1_params_nvSciSync: _ {
        pub fence: *mut c_void,
        pub reserved: c_ulonglong,
    }
}

c_struct! {
    /// Member `keyedMutex` of [`CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_v1_params`].
    pub struct CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_v1_params_keyedMutex: _ {
        pub key: c_ulonglong,
    }
}

c_struct! {
    /// Member `params` of [`CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_v1`].
    pub struct CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_v1_params: _ {
        pub fence: CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_v1_params_fence,
        pub nvSciSync: CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_v1_params_nvSciSync,
        pub keyedMutex: CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_v1_params_keyedMutex,
        pub reserved: [c_uint; 12],
    }
}

c_struct! {
    /// How a foreign semaphore is signalled.
    pub struct CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_v1: CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st {
        pub params: CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_v1_params,
        pub flags: c_uint,
        pub reserved: [c_uint; 16],
    }
}

/// The [`CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_v1`] in use.
pub type CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS = CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_v1;

c_struct! {
    /// Member `fence` of [`CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_v1_params`].
    pub struct CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_v1_params_fence: _ {
        pub value: c_ulonglong,
    }
}

c_struct! {
    /// Member `nvSciSync` of [`CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_v1_params`].
    pub union CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_v1_params_nvSciSync: _ {
        pub fence: *mut c_void,
        pub reserved: c_ulonglong,
    }
}

c_struct! {
    /// Member `keyedMutex` of [`CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_v1_params`].
    pub struct CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_v1_params_keyedMutex: _ {
        pub key: c_ulonglong,
        pub timeoutMs: c_uint,
    }
}

c_struct! {
    /// Member `params` of [`CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_v1`].
    pub struct CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_v1_params: _ {
        pub fence: CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_v1_params_fence,
        pub nvSciSync: CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_v1_params_nvSciSync,
        pub keyedMutex: CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_v1_params_keyedMutex,
        pub reserved: [c_uint; 10],
    }
}

c_struct! {
    /// How a foreign semaphore is waited for.
    pub struct CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_v1: CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st {
        pub params: CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_v1_params,
        pub flags: c_uint,
        pub reserved: [c_uint; 16],
    }
}

/// The [`CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_v1`] in use.
pub type CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS = CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_v1;
