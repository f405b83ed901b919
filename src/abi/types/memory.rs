//! Addresses, managed memory, batched copies, decompression.

use super::array::CUarray;
use super::result::{CUdeviceptr, cuuint32_t};
use core::ffi::{c_int, c_uchar, c_uint, c_ulonglong, c_void};

c_enum! {
    /// Who may use managed memory.
    pub enum CUmemAttach_flags: CUmemAttach_flags_enum {
        CU_MEM_ATTACH_GLOBAL = 0x1,
        CU_MEM_ATTACH_HOST = 0x2,
        CU_MEM_ATTACH_SINGLE = 0x4,
    }
}

c_enum! {
    /// The attributes of an address.
    pub enum CUpointer_attribute: CUpointer_attribute_enum {
        CU_POINTER_ATTRIBUTE_CONTEXT = 1,
        CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
        CU_POINTER_ATTRIBUTE_DEVICE_POINTER = 3,
        CU_POINTER_ATTRIBUTE_HOST_POINTER = 4,
        CU_POINTER_ATTRIBUTE_P2P_TOKENS = 5,
        CU_POINTER_ATTRIBUTE_SYNC_MEMOPS = 6,
        CU_POINTER_ATTRIBUTE_BUFFER_ID = 7,
        CU_POINTER_ATTRIBUTE_IS_MANAGED = 8,
        CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9,
        CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE = 10,
        CU_POINTER_ATTRIBUTE_RANGE_START_ADDR = 11,
        CU_POINTER_ATTRIBUTE_RANGE_SIZE = 12,
        CU_POINTER_ATTRIBUTE_MAPPED = 13,
        CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES = 14,
        CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE = 15,
        CU_POINTER_ATTRIBUTE_ACCESS_FLAGS = 16,
        CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE = 17,
        CU_POINTER_ATTRIBUTE_MAPPING_SIZE = 18,
        CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR = 19,
        CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID = 20,
        CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE = 21,
        CU_POINTER_ATTRIBUTE_LOCALITY_DOMAIN_ORDINAL = 22,
    }
}

c_enum! {
    /// Advice on the use of managed memory.
    pub enum CUmem_advise: CUmem_advise_enum {
        CU_MEM_ADVISE_SET_READ_MOSTLY = 1,
        CU_MEM_ADVISE_UNSET_READ_MOSTLY = 2,
        CU_MEM_ADVISE_SET_PREFERRED_LOCATION = 3,
        CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION = 4,
        CU_MEM_ADVISE_SET_ACCESSED_BY = 5,
        CU_MEM_ADVISE_UNSET_ACCESSED_BY = 6,
    }
}

c_enum! {
    /// The attributes of a range of managed memory.
    pub enum CUmem_range_attribute: CUmem_range_attribute_enum {
        CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY = 1,
        CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION = 2,
        CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY = 3,
        CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION = 4,
        CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE = 5,
        CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID = 6,
        CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE = 7,
        CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID = 8,
    }
}

c_struct! {
    /// Tokens for the kernel-side peer-to-peer interface.
    pub struct CUDA_POINTER_ATTRIBUTE_P2P_TOKENS_v1: CUDA_POINTER_ATTRIBUTE_P2P_TOKENS_st {
        pub p2pToken: c_ulonglong,
        pub vaSpaceToken: c_uint,
    }
}

/// The [`CUDA_POINTER_ATTRIBUTE_P2P_TOKENS_v1`] in use.
pub type CUDA_POINTER_ATTRIBUTE_P2P_TOKENS = CUDA_POINTER_ATTRIBUTE_P2P_TOKENS_v1;

c_enum! {
    /// What a device may do with an address.
    pub enum CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS: CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS_enum {
        CU_POINTER_ATTRIBUTE_ACCESS_FLAG_NONE = 0x0,
        CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READ = 0x1,
        CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE = 0x3,
    }
}

c_enum! {
    /// Kinds of places where memory can be.
    pub enum CUmemLocationType: CUmemLocationType_enum {
        CU_MEM_LOCATION_TYPE_INVALID = 0x0,
        CU_MEM_LOCATION_TYPE_NONE = 0x0,
        CU_MEM_LOCATION_TYPE_DEVICE = 0x1,
        CU_MEM_LOCATION_TYPE_HOST = 0x2,
        CU_MEM_LOCATION_TYPE_HOST_NUMA = 0x3,
        CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT = 0x4,
        CU_MEM_LOCATION_TYPE_INVISIBLE = 0x5,
        CU_MEM_LOCATION_TYPE_DEVICE_LOCALITY_DOMAIN = 0x6,
        CU_MEM_LOCATION_TYPE_MAX = 0x7FFFFFFF,
    }
}

c_struct! {
    /// Member `localized` of [`CUmemLocation_v1_anon0`].
    pub struct CUmemLocation_v1_anon0_localized: _ {
        pub deviceId: c_uchar,
        pub localityDomainId: c_uchar,
    }
}

c_struct! {
    /// Unnamed member of [`CUmemLocation_v1`].
    pub union CUmemLocation_v1_anon0: _ {
        pub id: c_int,
        pub localized: CUmemLocation_v1_anon0_localized,
    }
}

c_struct! {
    /// A place where memory can be.
    pub struct CUmemLocation_v1: CUmemLocation_st {
        pub r#type: CUmemLocationType,
        pub anon0: CUmemLocation_v1_anon0,
    }
}

/// The [`CUmemLocation_v1`] in use.
pub type CUmemLocation = CUmemLocation_v1;

c_enum! {
    /// Flags of a batched copy.
    pub enum CUmemcpyFlags: CUmemcpyFlags_enum {
        CU_MEMCPY_FLAG_DEFAULT = 0x0,
        CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE = 0x1,
    }
}

c_enum! {
    /// When a batched copy may read its source.
    pub enum CUmemcpySrcAccessOrder: CUmemcpySrcAccessOrder_enum {
        CU_MEMCPY_SRC_ACCESS_ORDER_INVALID = 0x0,
        CU_MEMCPY_SRC_ACCESS_ORDER_STREAM = 0x1,
        CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL = 0x2,
        CU_MEMCPY_SRC_ACCESS_ORDER_ANY = 0x3,
        CU_MEMCPY_SRC_ACCESS_ORDER_MAX = 0x7FFFFFFF,
    }
}

c_struct! {
    /// Attributes shared by a range of batched copies.
    pub struct CUmemcpyAttributes_v1: CUmemcpyAttributes_st {
        pub srcAccessOrder: CUmemcpySrcAccessOrder,
        pub srcLocHint: CUmemLocation,
        pub dstLocHint: CUmemLocation,
        pub flags: c_uint,
    }
}

/// The [`CUmemcpyAttributes_v1`] in use.
pub type CUmemcpyAttributes = CUmemcpyAttributes_v1;

c_enum! {
    /// Kinds of operands of a batched box copy.
    pub enum CUmemcpy3DOperandType: CUmemcpy3DOperandType_enum {
        CU_MEMCPY_OPERAND_TYPE_POINTER = 0x1,
        CU_MEMCPY_OPERAND_TYPE_ARRAY = 0x2,
        CU_MEMCPY_OPERAND_TYPE_MAX = 0x7FFFFFFF,
    }
}

c_struct! {
    /// An offset in an array, in elements.
    pub struct CUoffset3D_v1: CUoffset3D_st {
        pub x: usize,
        pub y: usize,
        pub z: usize,
    }
}

/// The [`CUoffset3D_v1`] in use.
pub type CUoffset3D = CUoffset3D_v1;

c_struct! {
    /// A box size in an array, in elements.
    pub struct CUextent3D_v1: CUextent3D_st {
        pub width: usize,
        pub height: usize,
        pub depth: usize,
    }
}

/// The [`CUextent3D_v1`] in use.
pub type CUextent3D = CUextent3D_v1;

c_struct! {
    /// Member `ptr` of [`CUmemcpy3DOperand_v1_op`].
    pub struct CUmemcpy3DOperand_v1_op_ptr: _ {
        pub ptr: CUdeviceptr,
        pub rowLength: usize,
        pub layerHeight: usize,
        pub locHint: CUmemLocation,
    }
}

c_struct! {
    /// Member `array` of [`CUmemcpy3DOperand_v1_op`].
    pub struct CUmemcpy3DOperand_v1_op_array: _ {
        pub array: CUarray,
        pub offset: CUoffset3D,
    }
}

c_struct! {
    /// Member `op` of [`CUmemcpy3DOperand_v1`].
    pub union CUmemcpy3DOperand_v1_op: _ {
        pub ptr: CUmemcpy3DOperand_v1_op_ptr,
        pub array: CUmemcpy3DOperand_v1_op_array,
    }
}

c_struct! {
    /// One side of a batched box copy.
    pub struct CUmemcpy3DOperand_v1: CUmemcpy3DOperand_st {
        pub r#type: CUmemcpy3DOperandType,
        pub op: CUmemcpy3DOperand_v1_op,
    }
}

/// The [`CUmemcpy3DOperand_v1`] in use.
pub type CUmemcpy3DOperand = CUmemcpy3DOperand_v1;

c_struct! {
    /// One batched box copy.
    pub struct CUDA_MEMCPY3D_BATCH_OP_v1: CUDA_MEMCPY3D_BATCH_OP_st {
        pub src: CUmemcpy3DOperand,
        pub dst: CUmemcpy3DOperand,
        pub extent: CUextent3D,
        pub srcAccessOrder: CUmemcpySrcAccessOrder,
        pub flags: c_uint,
    }
}

/// The [`CUDA_MEMCPY3D_BATCH_OP_v1`] in use.
pub type CUDA_MEMCPY3D_BATCH_OP = CUDA_MEMCPY3D_BATCH_OP_v1;

c_enum! {
    /// Compression formats that a device can undo, as bits.
    pub enum CUmemDecompressAlgorithm: CUmemDecompressAlgorithm_enum {
        CU_MEM_DECOMPRESS_UNSUPPORTED = 0,
        CU_MEM_DECOMPRESS_ALGORITHM_DEFLATE = 0x1,
        CU_MEM_DECOMPRESS_ALGORITHM_SNAPPY = 0x2,
        CU_MEM_DECOMPRESS_ALGORITHM_LZ4 = 0x4,
    }
}

c_struct! {
    /// One buffer to decompress.
    pub struct CUmemDecompressParams: CUmemDecompressParams_st {
        pub srcNumBytes: usize,
        pub dstNumBytes: usize,
        pub dstActBytes: *mut cuuint32_t,
        pub src: *const c_void,
        pub dst: *mut c_void,
        pub algo: CUmemDecompressAlgorithm,
        pub padding: [c_uchar; 20],
    }
}
