//! Memory pools.

use super::memory::CUmemLocation;
use super::virtual_memory::{CUmemAllocationHandleType, CUmemAllocationType};
use core::ffi::{c_uchar, c_ushort, c_void};

c_handle! {
    /// A memory pool.
    CUmemoryPool = CUmemPoolHandle_st;
}

c_enum! {
    /// The attributes of a pool.
    pub enum CUmemPool_attribute: CUmemPool_attribute_enum {
        CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES = 1,
        CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC = 2,
        CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES = 3,
        CU_MEMPOOL_ATTR_RELEASE_THRESHOLD = 4,
        CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT = 5,
        CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH = 6,
        CU_MEMPOOL_ATTR_USED_MEM_CURRENT = 7,
        CU_MEMPOOL_ATTR_USED_MEM_HIGH = 8,
        CU_MEMPOOL_ATTR_ALLOCATION_TYPE = 9,
        CU_MEMPOOL_ATTR_EXPORT_HANDLE_TYPES = 10,
        CU_MEMPOOL_ATTR_LOCATION_ID = 11,
        CU_MEMPOOL_ATTR_LOCATION_TYPE = 12,
        CU_MEMPOOL_ATTR_MAX_POOL_SIZE = 13,
        CU_MEMPOOL_ATTR_HW_DECOMPRESS_ENABLED = 14,
        CU_MEMPOOL_ATTR_LOCALITY_DOMAIN_ID = 15,
    }
}

c_struct! {
    /// Properties of a new pool.
    pub struct CUmemPoolProps_v1: CUmemPoolProps_st {
        pub allocType: CUmemAllocationType,
        pub handleTypes: CUmemAllocationHandleType,
        pub location: CUmemLocation,
        pub win32SecurityAttributes: *mut c_void,
        pub maxSize: usize,
        pub usage: c_ushort,
        pub gpuDirectRDMACapable: c_uchar,
        pub reserved: [c_uchar; 53],
    }
}

/// The [`CUmemPoolProps_v1`] in use.
pub type CUmemPoolProps = CUmemPoolProps_v1;

c_struct! {
    /// One exported allocation of a pool.
    pub struct CUmemPoolPtrExportData_v1: CUmemPoolPtrExportData_st {
        pub reserved: [c_uchar; 64],
    }
}

/// The [`CUmemPoolPtrExportData_v1`] in use.
pub type CUmemPoolPtrExportData = CUmemPoolPtrExportData_v1;
