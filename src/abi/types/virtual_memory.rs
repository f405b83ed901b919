//! Physical memory, its mapping, and multicast objects.

use super::array::{CUarray, CUmipmappedArray};
use super::memory::CUmemLocation;
use super::texture::CUresourcetype;
use core::ffi::{c_uchar, c_uint, c_ulonglong, c_ushort, c_void};

c_struct! {
    /// Memory exported over the fabric.
    pub struct CUmemFabricHandle_v1: CUmemFabricHandle_st {
        pub data: [c_uchar; 64],
    }
}

/// The [`CUmemFabricHandle_v1`] in use.
pub type CUmemFabricHandle = CUmemFabricHandle_v1;

/// Physical memory.
pub type CUmemGenericAllocationHandle_v1 = c_ulonglong;

/// The [`CUmemGenericAllocationHandle_v1`] in use.
pub type CUmemGenericAllocationHandle = CUmemGenericAllocationHandle_v1;

c_enum! {
    /// Operating-system handles through which memory can be shared, as bits.
    pub enum CUmemAllocationHandleType: CUmemAllocationHandleType_enum {
        CU_MEM_HANDLE_TYPE_NONE = 0x0,
        CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 0x1,
        CU_MEM_HANDLE_TYPE_WIN32 = 0x2,
        CU_MEM_HANDLE_TYPE_WIN32_KMT = 0x4,
        CU_MEM_HANDLE_TYPE_FABRIC = 0x8,
        CU_MEM_HANDLE_TYPE_MAX = 0x7FFFFFFF,
    }
}

c_enum! {
    /// Access of a location to memory.
    pub enum CUmemAccess_flags: CUmemAccess_flags_enum {
        CU_MEM_ACCESS_FLAGS_PROT_NONE = 0x0,
        CU_MEM_ACCESS_FLAGS_PROT_READ = 0x1,
        CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 0x3,
        CU_MEM_ACCESS_FLAGS_PROT_MAX = 0x7FFFFFFF,
    }
}

c_enum! {
    /// Kinds of physical memory.
    pub enum CUmemAllocationType: CUmemAllocationType_enum {
        CU_MEM_ALLOCATION_TYPE_INVALID = 0x0,
        CU_MEM_ALLOCATION_TYPE_PINNED = 0x1,
        CU_MEM_ALLOCATION_TYPE_MANAGED = 0x2,
        CU_MEM_ALLOCATION_TYPE_MAX = 0x7FFFFFFF,
    }
}

c_enum! {
    /// Which granularity is asked for.
    pub enum CUmemAllocationGranularity_flags: CUmemAllocationGranularity_flags_enum {
        CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0x0,
        CU_MEM_ALLOC_GRANULARITY_RECOMMENDED = 0x1,
    }
}

c_enum! {
    /// Handles for address ranges.
    pub enum CUmemRangeHandleType: CUmemRangeHandleType_enum {
        CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD = 0x1,
        CU_MEM_RANGE_HANDLE_TYPE_MAX = 0x7FFFFFFF,
    }
}

c_enum! {
    /// Flags of handles for address ranges.
    pub enum CUmemRangeFlags: CUmemRangeFlags_enum {
        CU_MEM_RANGE_FLAG_DMA_BUF_MAPPING_TYPE_PCIE = 0x1,
    }
}

c_enum! {
    /// Parts of a sparse array.
    pub enum CUarraySparseSubresourceType: CUarraySparseSubresourceType_enum {
        CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL = 0,
        CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL = 1,
    }
}

c_enum! {
    /// Whether a sparse tile is mapped or unmapped.
    pub enum CUmemOperationType: CUmemOperationType_enum {
        CU_MEM_OPERATION_TYPE_MAP = 1,
        CU_MEM_OPERATION_TYPE_UNMAP = 2,
    }
}

c_enum! {
    /// Kinds of memory handles for sparse tiles.
    pub enum CUmemHandleType: CUmemHandleType_enum {
        CU_MEM_HANDLE_TYPE_GENERIC = 0,
    }
}

c_struct! {
    /// Member `resource` of [`CUarrayMapInfo_v1`].
    pub union CUarrayMapInfo_v1_resource: _ {
        pub mipmap: CUmipmappedArray,
        pub array: CUarray,
    }
}

c_struct! {
    /// Member `sparseLevel` of [`CUarrayMapInfo_v1_subresource`].
    pub struct CUarrayMapInfo_v1_subresource_sparseLevel: _ {
        pub level: c_uint,
        pub layer: c_uint,
        pub offsetX: c_uint,
        pub offsetY: c_uint,
        pub offsetZ: c_uint,
        pub extentWidth: c_uint,
        pub extentHeight: c_uint,
        pub extentDepth: c_uint,
    }
}

c_struct! {
    /// Member `miptail` of [`CUarrayMapInfo_v1_subresource`].
    pub struct CUarrayMapInfo_v1_subresource_miptail: _ {
        pub layer: c_uint,
        pub offset: c_ulonglong,
        pub size: c_ulonglong,
    }
}

c_struct! {
    /// Member `subresource` of [`CUarrayMapInfo_v1`].
    pub union CUarrayMapInfo_v1_subresource: _ {
        pub sparseLevel: CUarrayMapInfo_v1_subresource_sparseLevel,
        pub miptail: CUarrayMapInfo_v1_subresource_miptail,
    }
}

c_struct! {
    /// Member `memHandle` of [`CUarrayMapInfo_v1`].
    pub union CUarrayMapInfo_v1_memHandle: _ {
        pub memHandle: CUmemGenericAllocationHandle,
    }
}

c_struct! {
    /// One mapping of tiles of a sparse array.
    pub struct CUarrayMapInfo_v1: CUarrayMapInfo_st {
        pub resourceType: CUresourcetype,
        pub resource: CUarrayMapInfo_v1_resource,
        pub subresourceType: CUarraySparseSubresourceType,
        pub subresource: CUarrayMapInfo_v1_subresource,
        pub memOperationType: CUmemOperationType,
        pub memHandleType: CUmemHandleType,
        pub memHandle: CUarrayMapInfo_v1_memHandle,
        pub offset: c_ulonglong,
        pub deviceBitMask: c_uint,
        pub flags: c_uint,
        pub reserved: [c_uint; 2],
    }
}

/// The [`CUarrayMapInfo_v1`] in use.
pub type CUarrayMapInfo = CUarrayMapInfo_v1;

c_enum! {
    /// Whether physical memory is compressible.
    pub enum CUmemAllocationCompType: CUmemAllocationCompType_enum {
        CU_MEM_ALLOCATION_COMP_NONE = 0x0,
        CU_MEM_ALLOCATION_COMP_GENERIC = 0x1,
    }
}

c_struct! {
    /// Member `allocFlags` of [`CUmemAllocationProp_v1`].
    pub struct CUmemAllocationProp_v1_allocFlags: _ {
        pub compressionType: c_uchar,
        pub gpuDirectRDMACapable: c_uchar,
        pub usage: c_ushort,
        pub reserved: [c_uchar; 4],
    }
}

c_struct! {
    /// Properties of physical memory.
    pub struct CUmemAllocationProp_v1: CUmemAllocationProp_st {
        pub r#type: CUmemAllocationType,
        pub requestedHandleTypes: CUmemAllocationHandleType,
        pub location: CUmemLocation,
        pub win32HandleMetaData: *mut c_void,
        pub allocFlags: CUmemAllocationProp_v1_allocFlags,
    }
}

/// The [`CUmemAllocationProp_v1`] in use.
pub type CUmemAllocationProp = CUmemAllocationProp_v1;

c_enum! {
    /// Which multicast granularity is asked for.
    pub enum CUmulticastGranularity_flags: CUmulticastGranularity_flags_enum {
        CU_MULTICAST_GRANULARITY_MINIMUM = 0x0,
        CU_MULTICAST_GRANULARITY_RECOMMENDED = 0x1,
    }
}

c_struct! {
    /// Properties of a multicast object.
    pub struct CUmulticastObjectProp_v1: CUmulticastObjectProp_st {
        pub numDevices: c_uint,
        pub size: usize,
        pub handleTypes: c_ulonglong,
        pub flags: c_ulonglong,
    }
}

/// The [`CUmulticastObjectProp_v1`] in use.
pub type CUmulticastObjectProp = CUmulticastObjectProp_v1;

c_struct! {
    /// Access granted to a location.
    pub struct CUmemAccessDesc_v1: CUmemAccessDesc_st {
        pub location: CUmemLocation,
        pub flags: CUmemAccess_flags,
    }
}

/// The [`CUmemAccessDesc_v1`] in use.
pub type CUmemAccessDesc = CUmemAccessDesc_v1;
