//! Arrays and copy descriptors.

use super::context::CUcontext;
use super::result::{CUdeviceptr, CUdeviceptr_v1};
use core::ffi::{c_uint, c_ulonglong, c_void};

c_enum! {
    /// Where the memory of a copy lies.
    pub enum CUmemorytype: CUmemorytype_enum {
        CU_MEMORYTYPE_HOST = 0x01,
        CU_MEMORYTYPE_DEVICE = 0x02,
        CU_MEMORYTYPE_ARRAY = 0x03,
        CU_MEMORYTYPE_UNIFIED = 0x04,
    }
}

c_handle! {
    /// An array.
    CUarray = CUarray_st;
}

c_handle! {
    /// A mipmapped array.
    CUmipmappedArray = CUmipmappedArray_st;
}

c_enum! {
    /// Element formats.
    pub enum CUarray_format: CUarray_format_enum {
        CU_AD_FORMAT_UNSIGNED_INT8 = 0x01,
        CU_AD_FORMAT_UNSIGNED_INT16 = 0x02,
        CU_AD_FORMAT_UNSIGNED_INT32 = 0x03,
        CU_AD_FORMAT_SIGNED_INT8 = 0x08,
        CU_AD_FORMAT_SIGNED_INT16 = 0x09,
        CU_AD_FORMAT_SIGNED_INT32 = 0x0a,
        CU_AD_FORMAT_HALF = 0x10,
        CU_AD_FORMAT_FLOAT = 0x20,
        CU_AD_FORMAT_NV12 = 0xb0,
        CU_AD_FORMAT_UNORM_INT8X1 = 0xc0,
        CU_AD_FORMAT_UNORM_INT8X2 = 0xc1,
        CU_AD_FORMAT_UNORM_INT8X4 = 0xc2,
        CU_AD_FORMAT_UNORM_INT16X1 = 0xc3,
        CU_AD_FORMAT_UNORM_INT16X2 = 0xc4,
        CU_AD_FORMAT_UNORM_INT16X4 = 0xc5,
        CU_AD_FORMAT_SNORM_INT8X1 = 0xc6,
        CU_AD_FORMAT_SNORM_INT8X2 = 0xc7,
        CU_AD_FORMAT_SNORM_INT8X4 = 0xc8,
        CU_AD_FORMAT_SNORM_INT16X1 = 0xc9,
        CU_AD_FORMAT_SNORM_INT16X2 = 0xca,
        CU_AD_FORMAT_SNORM_INT16X4 = 0xcb,
        CU_AD_FORMAT_BC1_UNORM = 0x91,
        CU_AD_FORMAT_BC1_UNORM_SRGB = 0x92,
        CU_AD_FORMAT_BC2_UNORM = 0x93,
        CU_AD_FORMAT_BC2_UNORM_SRGB = 0x94,
        CU_AD_FORMAT_BC3_UNORM = 0x95,
        CU_AD_FORMAT_BC3_UNORM_SRGB = 0x96,
        CU_AD_FORMAT_BC4_UNORM = 0x97,
        CU_AD_FORMAT_BC4_SNORM = 0x98,
        CU_AD_FORMAT_BC5_UNORM = 0x99,
        CU_AD_FORMAT_BC5_SNORM = 0x9a,
        CU_AD_FORMAT_BC6H_UF16 = 0x9b,
        CU_AD_FORMAT_BC6H_SF16 = 0x9c,
        CU_AD_FORMAT_BC7_UNORM = 0x9d,
        CU_AD_FORMAT_BC7_UNORM_SRGB = 0x9e,
        CU_AD_FORMAT_P010 = 0x9f,
        CU_AD_FORMAT_P016 = 0xa1,
        CU_AD_FORMAT_NV16 = 0xa2,
        CU_AD_FORMAT_P210 = 0xa3,
        CU_AD_FORMAT_P216 = 0xa4,
        CU_AD_FORMAT_YUY2 = 0xa5,
        CU_AD_FORMAT_Y210 = 0xa6,
        CU_AD_FORMAT_Y216 = 0xa7,
        CU_AD_FORMAT_AYUV = 0xa8,
        CU_AD_FORMAT_Y410 = 0xa9,
        CU_AD_FORMAT_Y416 = 0xb1,
        CU_AD_FORMAT_Y444_PLANAR8 = 0xb2,
        CU_AD_FORMAT_Y444_PLANAR10 = 0xb3,
        CU_AD_FORMAT_YUV444_8bit_SemiPlanar = 0xb4,
        CU_AD_FORMAT_YUV444_16bit_SemiPlanar = 0xb5,
        CU_AD_FORMAT_UNORM_INT_101010_2 = 0x50,
        CU_AD_FORMAT_UINT8_PACKED_422 = 0x51,
        CU_AD_FORMAT_UINT8_PACKED_444 = 0x52,
        CU_AD_FORMAT_UINT8_SEMIPLANAR_420 = 0x53,
        CU_AD_FORMAT_UINT16_SEMIPLANAR_420 = 0x54,
        CU_AD_FORMAT_UINT8_SEMIPLANAR_422 = 0x55,
        CU_AD_FORMAT_UINT16_SEMIPLANAR_422 = 0x56,
        CU_AD_FORMAT_UINT8_SEMIPLANAR_444 = 0x57,
        CU_AD_FORMAT_UINT16_SEMIPLANAR_444 = 0x58,
        CU_AD_FORMAT_UINT8_PLANAR_420 = 0x59,
        CU_AD_FORMAT_UINT16_PLANAR_420 = 0x5a,
        CU_AD_FORMAT_UINT8_PLANAR_422 = 0x5b,
        CU_AD_FORMAT_UINT16_PLANAR_422 = 0x5c,
        CU_AD_FORMAT_UINT8_PLANAR_444 = 0x5d,
        CU_AD_FORMAT_UINT16_PLANAR_444 = 0x5e,
        CU_AD_FORMAT_MAX = 0x7FFFFFFF,
    }
}

c_enum! {
    /// Faces of a cubemap in order of their layers.
    pub enum CUarray_cubemap_face: CUarray_cubemap_face_enum {
        CU_CUBEMAP_FACE_POSITIVE_X = 0x00,
        CU_CUBEMAP_FACE_NEGATIVE_X = 0x01,
        CU_CUBEMAP_FACE_POSITIVE_Y = 0x02,
        CU_CUBEMAP_FACE_NEGATIVE_Y = 0x03,
        CU_CUBEMAP_FACE_POSITIVE_Z = 0x04,
        CU_CUBEMAP_FACE_NEGATIVE_Z = 0x05,
    }
}

c_struct! {
    /// A rectangle copy.
    pub struct CUDA_MEMCPY2D_v2: CUDA_MEMCPY2D_st {
        pub srcXInBytes: usize,
        pub srcY: usize,
        pub srcMemoryType: CUmemorytype,
        pub srcHost: *const c_void,
        pub srcDevice: CUdeviceptr,
        pub srcArray: CUarray,
        pub srcPitch: usize,
        pub dstXInBytes: usize,
        pub dstY: usize,
        pub dstMemoryType: CUmemorytype,
        pub dstHost: *mut c_void,
        pub dstDevice: CUdeviceptr,
        pub dstArray: CUarray,
        pub dstPitch: usize,
        pub WidthInBytes: usize,
        pub Height: usize,
    }
}

/// The [`CUDA_MEMCPY2D_v2`] in use.
pub type CUDA_MEMCPY2D = CUDA_MEMCPY2D_v2;

c_struct! {
    /// A box copy.
    pub struct CUDA_MEMCPY3D_v2: CUDA_MEMCPY3D_st {
        pub srcXInBytes: usize,
        pub srcY: usize,
        pub srcZ: usize,
        pub srcLOD: usize,
        pub srcMemoryType: CUmemorytype,
        pub srcHost: *const c_void,
        pub srcDevice: CUdeviceptr,
        pub srcArray: CUarray,
        pub reserved0: *mut c_void,
        pub srcPitch: usize,
        pub srcHeight: usize,
        pub dstXInBytes: usize,
        pub dstY: usize,
        pub dstZ: usize,
        pub dstLOD: usize,
        pub dstMemoryType: CUmemorytype,
        pub dstHost: *mut c_void,
        pub dstDevice: CUdeviceptr,
        pub dstArray: CUarray,
        pub reserved1: *mut c_void,
        pub dstPitch: usize,
        pub dstHeight: usize,
        pub WidthInBytes: usize,
        pub Height: usize,
        pub Depth: usize,
    }
}

/// The [`CUDA_MEMCPY3D_v2`] in use.
pub type CUDA_MEMCPY3D = CUDA_MEMCPY3D_v2;

c_struct! {
    /// A box copy between contexts.
    pub struct CUDA_MEMCPY3D_PEER_v1: CUDA_MEMCPY3D_PEER_st {
        pub srcXInBytes: usize,
        pub srcY: usize,
        pub srcZ: usize,
        pub srcLOD: usize,
        pub srcMemoryType: CUmemorytype,
        pub srcHost: *const c_void,
        pub srcDevice: CUdeviceptr,
        pub srcArray: CUarray,
        pub srcContext: CUcontext,
        pub srcPitch: usize,
        pub srcHeight: usize,
        pub dstXInBytes: usize,
        pub dstY: usize,
        pub dstZ: usize,
        pub dstLOD: usize,
        pub dstMemoryType: CUmemorytype,
        pub dstHost: *mut c_void,
        pub dstDevice: CUdeviceptr,
        pub dstArray: CUarray,
        pub dstContext: CUcontext,
        pub dstPitch: usize,
        pub dstHeight: usize,
        pub WidthInBytes: usize,
        pub Height: usize,
        pub Depth: usize,
    }
}

/// The [`CUDA_MEMCPY3D_PEER_v1`] in use.
pub type CUDA_MEMCPY3D_PEER = CUDA_MEMCPY3D_PEER_v1;

c_struct! {
    /// Description of a 1D or 2D array.
    pub struct CUDA_ARRAY_DESCRIPTOR_v2: CUDA_ARRAY_DESCRIPTOR_st {
        pub Width: usize,
        pub Height: usize,
        pub Format: CUarray_format,
        pub NumChannels: c_uint,
    }
}

/// The [`CUDA_ARRAY_DESCRIPTOR_v2`] in use.
pub type CUDA_ARRAY_DESCRIPTOR = CUDA_ARRAY_DESCRIPTOR_v2;

c_struct! {
    /// Description of an array of up to three dimensions.
    pub struct CUDA_ARRAY3D_DESCRIPTOR_v2: CUDA_ARRAY3D_DESCRIPTOR_st {
        pub Width: usize,
        pub Height: usize,
        pub Depth: usize,
        pub Format: CUarray_format,
        pub NumChannels: c_uint,
        pub Flags: c_uint,
    }
}

/// The [`CUDA_ARRAY3D_DESCRIPTOR_v2`] in use.
pub type CUDA_ARRAY3D_DESCRIPTOR = CUDA_ARRAY3D_DESCRIPTOR_v2;

c_struct! {
    /// Member `tileExtent` of [`CUDA_ARRAY_SPARSE_PROPERTIES_v1`].
    pub struct CUDA_ARRAY_SPARSE_PROPERTIES_v1_tileExtent: _ {
        pub width: c_uint,
        pub height: c_uint,
        pub depth: c_uint,
    }
}

c_struct! {
    /// Tile size and mip tail of a sparse array.
    pub struct CUDA_ARRAY_SPARSE_PROPERTIES_v1: CUDA_ARRAY_SPARSE_PROPERTIES_st {
        pub tileExtent: CUDA_ARRAY_SPARSE_PROPERTIES_v1_tileExtent,
        pub miptailFirstLevel: c_uint,
        pub miptailSize: c_ulonglong,
        pub flags: c_uint,
        pub reserved: [c_uint; 4],
    }
}

/// The [`CUDA_ARRAY_SPARSE_PROPERTIES_v1`] in use.
pub type CUDA_ARRAY_SPARSE_PROPERTIES = CUDA_ARRAY_SPARSE_PROPERTIES_v1;

c_struct! {
    /// Memory that an array with deferred mapping needs.
    pub struct CUDA_ARRAY_MEMORY_REQUIREMENTS_v1: CUDA_ARRAY_MEMORY_REQUIREMENTS_st {
        pub size: usize,
        pub alignment: usize,
        pub reserved: [c_uint; 4],
    }
}

/// The [`CUDA_ARRAY_MEMORY_REQUIREMENTS_v1`] in use.
pub type CUDA_ARRAY_MEMORY_REQUIREMENTS = CUDA_ARRAY_MEMORY_REQUIREMENTS_v1;

c_struct! {
    /// A rectangle copy of the 32-bit first generation.
    pub struct CUDA_MEMCPY2D_v1: CUDA_MEMCPY2D_v1_st {
        pub srcXInBytes: c_uint,
        pub srcY: c_uint,
        pub srcMemoryType: CUmemorytype,
        pub srcHost: *const c_void,
        pub srcDevice: CUdeviceptr_v1,
        pub srcArray: CUarray,
        pub srcPitch: c_uint,
        pub dstXInBytes: c_uint,
        pub dstY: c_uint,
        pub dstMemoryType: CUmemorytype,
        pub dstHost: *mut c_void,
        pub dstDevice: CUdeviceptr_v1,
        pub dstArray: CUarray,
        pub dstPitch: c_uint,
        pub WidthInBytes: c_uint,
        pub Height: c_uint,
    }
}

c_struct! {
    /// A box copy of the 32-bit first generation.
    pub struct CUDA_MEMCPY3D_v1: CUDA_MEMCPY3D_v1_st {
        pub srcXInBytes: c_uint,
        pub srcY: c_uint,
        pub srcZ: c_uint,
        pub srcLOD: c_uint,
        pub srcMemoryType: CUmemorytype,
        pub srcHost: *const c_void,
        pub srcDevice: CUdeviceptr_v1,
        pub srcArray: CUarray,
        pub reserved0: *mut c_void,
        pub srcPitch: c_uint,
        pub srcHeight: c_uint,
        pub dstXInBytes: c_uint,
        pub dstY: c_uint,
        pub dstZ: c_uint,
        pub dstLOD: c_uint,
        pub dstMemoryType: CUmemorytype,
        pub dstHost: *mut c_void,
        pub dstDevice: CUdeviceptr_v1,
        pub dstArray: CUarray,
        pub reserved1: *mut c_void,
        pub dstPitch: c_uint,
        pub dstHeight: c_uint,
        pub WidthInBytes: c_uint,
        pub Height: c_uint,
        pub Depth: c_uint,
    }
}

c_struct! {
    /// A 1D or 2D array description of the 32-bit first generation.
    pub struct CUDA_ARRAY_DESCRIPTOR_v1: CUDA_ARRAY_DESCRIPTOR_v1_st {
        pub Width: c_uint,
        pub Height: c_uint,
        pub Format: CUarray_format,
        pub NumChannels: c_uint,
    }
}

c_struct! {
    /// A 3D array description of the 32-bit first generation.
    pub struct CUDA_ARRAY3D_DESCRIPTOR_v1: CUDA_ARRAY3D_DESCRIPTOR_v1_st {
        pub Width: c_uint,
        pub Height: c_uint,
        pub Depth: c_uint,
        pub Format: CUarray_format,
        pub NumChannels: c_uint,
        pub Flags: c_uint,
    }
}
