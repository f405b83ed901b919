//! Textures, surfaces and tensor maps.

use super::array::{CUarray, CUarray_format, CUmipmappedArray};
use super::result::{CUdeviceptr, cuuint64_t};
use core::ffi::{c_int, c_uint, c_ulonglong};

c_handle! {
    /// A texture reference.
    CUtexref = CUtexref_st;
}

c_handle! {
    /// A surface reference.
    CUsurfref = CUsurfref_st;
}

/// A texture object.
pub type CUtexObject_v1 = c_ulonglong;

/// The [`CUtexObject_v1`] in use.
pub type CUtexObject = CUtexObject_v1;

/// A surface object.
pub type CUsurfObject_v1 = c_ulonglong;

/// The [`CUsurfObject_v1`] in use.
pub type CUsurfObject = CUsurfObject_v1;

c_enum! {
    /// What happens outside a texture.
    pub enum CUaddress_mode: CUaddress_mode_enum {
        CU_TR_ADDRESS_MODE_WRAP = 0,
        CU_TR_ADDRESS_MODE_CLAMP = 1,
        CU_TR_ADDRESS_MODE_MIRROR = 2,
        CU_TR_ADDRESS_MODE_BORDER = 3,
    }
}

c_enum! {
    /// How texture elements are interpolated.
    pub enum CUfilter_mode: CUfilter_mode_enum {
        CU_TR_FILTER_MODE_POINT = 0,
        CU_TR_FILTER_MODE_LINEAR = 1,
    }
}

c_enum! {
    /// Kinds of resources behind textures and surfaces.
    pub enum CUresourcetype: CUresourcetype_enum {
        CU_RESOURCE_TYPE_ARRAY = 0x00,
        CU_RESOURCE_TYPE_MIPMAPPED_ARRAY = 0x01,
        CU_RESOURCE_TYPE_LINEAR = 0x02,
        CU_RESOURCE_TYPE_PITCH2D = 0x03,
    }
}

c_struct! {
    /// Member `array` of [`CUDA_RESOURCE_DESC_v1_res`].
    pub struct CUDA_RESOURCE_DESC_v1_res_array: _ {
        pub hArray: CUarray,
    }
}

c_struct! {
    /// Member `mipmap` of [`CUDA_RESOURCE_DESC_v1_res`].
    pub struct CUDA_RESOURCE_DESC_v1_res_mipmap: _ {
        pub hMipmappedArray: CUmipmappedArray,
    }
}

c_struct! {
    /// Member `linear` of [`CUDA_RESOURCE_DESC_v1_res`].
    pub struct CUDA_RESOURCE_DESC_v1_res_linear: _ {
        pub devPtr: CUdeviceptr,
        pub format: CUarray_format,
        pub numChannels: c_uint,
        pub sizeInBytes: usize,
    }
}

c_struct! {
    /// Member `pitch2D` of [`CUDA_RESOURCE_DESC_v1_res`].
    pub struct CUDA_RESOURCE_DESC_v1_res_pitch2D: _ {
        pub devPtr: CUdeviceptr,
        pub format: CUarray_format,
        pub numChannels: c_uint,
        pub width: usize,
        pub height: usize,
        pub pitchInBytes: usize,
    }
}

c_struct! {
    /// Member `reserved` of [`CUDA_RESOURCE_DESC_v1_res`].
    pub struct CUDA_RESOURCE_DESC_v1_res_reserved: _ {
        pub reserved: [c_int; 32],
    }
}

c_struct! {
    /// Member `res` of [`CUDA_RESOURCE_DESC_v1`].
    pub union CUDA_RESOURCE_DESC_v1_res: _ {
        pub array: CUDA_RESOURCE_DESC_v1_res_array,
        pub mipmap: CUDA_RESOURCE_DESC_v1_res_mipmap,
        pub linear: CUDA_RESOURCE_DESC_v1_res_linear,
        pub pitch2D: CUDA_RESOURCE_DESC_v1_res_pitch2D,
        pub reserved: CUDA_RESOURCE_DESC_v1_res_reserved,
    }
}

c_struct! {
    /// The resource behind a texture or surface object.
    pub struct CUDA_RESOURCE_DESC_v1: CUDA_RESOURCE_DESC_st {
        pub resType: CUresourcetype,
        pub res: CUDA_RESOURCE_DESC_v1_res,
        pub flags: c_uint,
    }
}

/// The [`CUDA_RESOURCE_DESC_v1`] in use.
pub type CUDA_RESOURCE_DESC = CUDA_RESOURCE_DESC_v1;

c_struct! {
    /// Sampling parameters of a texture object.
    pub struct CUDA_TEXTURE_DESC_v1: CUDA_TEXTURE_DESC_st {
        pub addressMode: [CUaddress_mode; 3],
        pub filterMode: CUfilter_mode,
        pub flags: c_uint,
        pub maxAnisotropy: c_uint,
        pub mipmapFilterMode: CUfilter_mode,
        pub mipmapLevelBias: f32,
        pub minMipmapLevelClamp: f32,
        pub maxMipmapLevelClamp: f32,
        pub borderColor: [f32; 4],
        pub reserved: [c_int; 12],
    }
}

/// The [`CUDA_TEXTURE_DESC_v1`] in use.
pub type CUDA_TEXTURE_DESC = CUDA_TEXTURE_DESC_v1;

c_enum! {
    /// Element formats of a resource view.
    pub enum CUresourceViewFormat: CUresourceViewFormat_enum {
        CU_RES_VIEW_FORMAT_NONE = 0x00,
        CU_RES_VIEW_FORMAT_UINT_1X8 = 0x01,
        CU_RES_VIEW_FORMAT_UINT_2X8 = 0x02,
        CU_RES_VIEW_FORMAT_UINT_4X8 = 0x03,
        CU_RES_VIEW_FORMAT_SINT_1X8 = 0x04,
        CU_RES_VIEW_FORMAT_SINT_2X8 = 0x05,
        CU_RES_VIEW_FORMAT_SINT_4X8 = 0x06,
        CU_RES_VIEW_FORMAT_UINT_1X16 = 0x07,
        CU_RES_VIEW_FORMAT_UINT_2X16 = 0x08,
        CU_RES_VIEW_FORMAT_UINT_4X16 = 0x09,
        CU_RES_VIEW_FORMAT_SINT_1X16 = 0x0a,
        CU_RES_VIEW_FORMAT_SINT_2X16 = 0x0b,
        CU_RES_VIEW_FORMAT_SINT_4X16 = 0x0c,
        CU_RES_VIEW_FORMAT_UINT_1X32 = 0x0d,
        CU_RES_VIEW_FORMAT_UINT_2X32 = 0x0e,
        CU_RES_VIEW_FORMAT_UINT_4X32 = 0x0f,
        CU_RES_VIEW_FORMAT_SINT_1X32 = 0x10,
        CU_RES_VIEW_FORMAT_SINT_2X32 = 0x11,
        CU_RES_VIEW_FORMAT_SINT_4X32 = 0x12,
        CU_RES_VIEW_FORMAT_FLOAT_1X16 = 0x13,
        CU_RES_VIEW_FORMAT_FLOAT_2X16 = 0x14,
        CU_RES_VIEW_FORMAT_FLOAT_4X16 = 0x15,
        CU_RES_VIEW_FORMAT_FLOAT_1X32 = 0x16,
        CU_RES_VIEW_FORMAT_FLOAT_2X32 = 0x17,
        CU_RES_VIEW_FORMAT_FLOAT_4X32 = 0x18,
        CU_RES_VIEW_FORMAT_UNSIGNED_BC1 = 0x19,
        CU_RES_VIEW_FORMAT_UNSIGNED_BC2 = 0x1a,
        CU_RES_VIEW_FORMAT_UNSIGNED_BC3 = 0x1b,
        CU_RES_VIEW_FORMAT_UNSIGNED_BC4 = 0x1c,
        CU_RES_VIEW_FORMAT_SIGNED_BC4 = 0x1d,
        CU_RES_VIEW_FORMAT_UNSIGNED_BC5 = 0x1e,
        CU_RES_VIEW_FORMAT_SIGNED_BC5 = 0x1f,
        CU_RES_VIEW_FORMAT_UNSIGNED_BC6H = 0x20,
        CU_RES_VIEW_FORMAT_SIGNED_BC6H = 0x21,
        CU_RES_VIEW_FORMAT_UNSIGNED_BC7 = 0x22,
    }
}

c_struct! {
    /// A view of a resource with another format or extent.
    pub struct CUDA_RESOURCE_VIEW_DESC_v1: CUDA_RESOURCE_VIEW_DESC_st {
        pub format: CUresourceViewFormat,
        pub width: usize,
        pub height: usize,
        pub depth: usize,
        pub firstMipmapLevel: c_uint,
        pub lastMipmapLevel: c_uint,
        pub firstLayer: c_uint,
        pub lastLayer: c_uint,
        pub reserved: [c_uint; 16],
    }
}

/// The [`CUDA_RESOURCE_VIEW_DESC_v1`] in use.
pub type CUDA_RESOURCE_VIEW_DESC = CUDA_RESOURCE_VIEW_DESC_v1;

c_struct! {
    /// Encoded tensor descriptor; aligned to 128 bytes.
    #[repr(align(128))]
    pub struct CUtensorMap: CUtensorMap_st {
        pub opaque: [cuuint64_t; 16],
    }
}

c_enum! {
    /// Element types of a tensor.
    pub enum CUtensorMapDataType: CUtensorMapDataType_enum {
        CU_TENSOR_MAP_DATA_TYPE_UINT8 = 0,
        CU_TENSOR_MAP_DATA_TYPE_UINT16 = 1,
        CU_TENSOR_MAP_DATA_TYPE_UINT32 = 2,
        CU_TENSOR_MAP_DATA_TYPE_INT32 = 3,
        CU_TENSOR_MAP_DATA_TYPE_UINT64 = 4,
        CU_TENSOR_MAP_DATA_TYPE_INT64 = 5,
        CU_TENSOR_MAP_DATA_TYPE_FLOAT16 = 6,
        CU_TENSOR_MAP_DATA_TYPE_FLOAT32 = 7,
        CU_TENSOR_MAP_DATA_TYPE_FLOAT64 = 8,
        CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 = 9,
        CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ = 10,
        CU_TENSOR_MAP_DATA_TYPE_TFLOAT32 = 11,
        CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ = 12,
        CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B = 13,
        CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B = 14,
        CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B = 15,
    }
}

c_enum! {
    /// Interleaved layouts of a tensor.
    pub enum CUtensorMapInterleave: CUtensorMapInterleave_enum {
        CU_TENSOR_MAP_INTERLEAVE_NONE = 0,
        CU_TENSOR_MAP_INTERLEAVE_16B = 1,
        CU_TENSOR_MAP_INTERLEAVE_32B = 2,
    }
}

c_enum! {
    /// Orders of banks in shared memory.
    pub enum CUtensorMapSwizzle: CUtensorMapSwizzle_enum {
        CU_TENSOR_MAP_SWIZZLE_NONE = 0,
        CU_TENSOR_MAP_SWIZZLE_32B = 1,
        CU_TENSOR_MAP_SWIZZLE_64B = 2,
        CU_TENSOR_MAP_SWIZZLE_128B = 3,
        CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B = 4,
        CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B = 5,
        CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B = 6,
    }
}

c_enum! {
    /// How much is fetched into the L2 cache.
    pub enum CUtensorMapL2promotion: CUtensorMapL2promotion_enum {
        CU_TENSOR_MAP_L2_PROMOTION_NONE = 0,
        CU_TENSOR_MAP_L2_PROMOTION_L2_64B = 1,
        CU_TENSOR_MAP_L2_PROMOTION_L2_128B = 2,
        CU_TENSOR_MAP_L2_PROMOTION_L2_256B = 3,
    }
}

c_enum! {
    /// What is read outside a tensor.
    pub enum CUtensorMapFloatOOBfill: CUtensorMapFloatOOBfill_enum {
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE = 0,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA = 1,
    }
}

c_enum! {
    /// Modes of wide im2col order.
    pub enum CUtensorMapIm2ColWideMode: CUtensorMapIm2ColWideMode_enum {
        CU_TENSOR_MAP_IM2COL_WIDE_MODE_W = 0,
        CU_TENSOR_MAP_IM2COL_WIDE_MODE_W128 = 1,
    }
}

c_enum! {
    /// Allocation classes of tensor memory.
    pub enum CUtensorMapAllocClass: CUtensorMapAllocClass_enum {
        CU_TENSOR_MAP_ALLOC_CLASS_AUTO = 0,
        CU_TENSOR_MAP_ALLOC_CLASS_SMALL = 1,
        CU_TENSOR_MAP_ALLOC_CLASS_LARGE = 2,
    }
}
