/*
 * The CUDA driver API as Doppel provides it.
 * Written by doppel-header from the declarations in src/abi. Do not edit.
 */

#if !defined(DOPPEL_CUDA_H) && !defined(__cuda_cuda_h__)
#define DOPPEL_CUDA_H
#define __cuda_cuda_h__

#include <stdint.h>
#include <stdlib.h>

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#endif

/*
 * The version whose meaning the plain names have and whose behaviour the library follows. Functions and types that came
 * later are declared as well; the library answers CUDA_ERROR_NOT_SUPPORTED for such functions unless it says otherwise.
 */
#define CUDA_VERSION 13000

#ifndef CUDAAPI
#define CUDAAPI
#endif
#ifndef CUDA_CB
#define CUDA_CB
#endif

/* With CUDA_API_PER_THREAD_DEFAULT_STREAM the plain names take stream 0 for the calling thread's default stream. */
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) && !defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define __CUDA_API_PER_THREAD_DEFAULT_STREAM
#endif
#if defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define __CUDA_API_PTDS(api) api##_ptds
#define __CUDA_API_PTSZ(api) api##_ptsz
#else
#define __CUDA_API_PTDS(api) api
#define __CUDA_API_PTSZ(api) api
#endif

/* Alignment of a type, as far as the language version knows of it. */
#if (defined(__cplusplus) && __cplusplus >= 201103L) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L)
#define CU_DOPPEL_ALIGN(bytes) __attribute__((aligned(bytes)))
#else
#define CU_DOPPEL_ALIGN(bytes)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The result of every function. */
typedef enum cudaError_enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_DEINITIALIZED = 4,
    CUDA_ERROR_PROFILER_DISABLED = 5,
    CUDA_ERROR_PROFILER_NOT_INITIALIZED = 6,
    CUDA_ERROR_PROFILER_ALREADY_STARTED = 7,
    CUDA_ERROR_PROFILER_ALREADY_STOPPED = 8,
    CUDA_ERROR_STUB_LIBRARY = 34,
    CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER = 36,
    CUDA_ERROR_DEVICE_UNAVAILABLE = 46,
    CUDA_ERROR_MULTICAST_RESOURCE_FULL = 47,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_DEVICE_NOT_LICENSED = 102,
    CUDA_ERROR_INVALID_IMAGE = 200,
    CUDA_ERROR_INVALID_CONTEXT = 201,
    CUDA_ERROR_CONTEXT_ALREADY_CURRENT = 202,
    CUDA_ERROR_MAP_FAILED = 205,
    CUDA_ERROR_UNMAP_FAILED = 206,
    CUDA_ERROR_ARRAY_IS_MAPPED = 207,
    CUDA_ERROR_ALREADY_MAPPED = 208,
    CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
    CUDA_ERROR_ALREADY_ACQUIRED = 210,
    CUDA_ERROR_NOT_MAPPED = 211,
    CUDA_ERROR_NOT_MAPPED_AS_ARRAY = 212,
    CUDA_ERROR_NOT_MAPPED_AS_POINTER = 213,
    CUDA_ERROR_ECC_UNCORRECTABLE = 214,
    CUDA_ERROR_UNSUPPORTED_LIMIT = 215,
    CUDA_ERROR_CONTEXT_ALREADY_IN_USE = 216,
    CUDA_ERROR_PEER_ACCESS_UNSUPPORTED = 217,
    CUDA_ERROR_INVALID_PTX = 218,
    CUDA_ERROR_INVALID_GRAPHICS_CONTEXT = 219,
    CUDA_ERROR_NVLINK_UNCORRECTABLE = 220,
    CUDA_ERROR_JIT_COMPILER_NOT_FOUND = 221,
    CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222,
    CUDA_ERROR_JIT_COMPILATION_DISABLED = 223,
    CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY = 224,
    CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC = 225,
    CUDA_ERROR_CONTAINED = 226,
    CUDA_ERROR_INSUFFICIENT_LOADER_VERSION = 227,
    CUDA_ERROR_INVALID_SOURCE = 300,
    CUDA_ERROR_FILE_NOT_FOUND = 301,
    CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND = 302,
    CUDA_ERROR_SHARED_OBJECT_INIT_FAILED = 303,
    CUDA_ERROR_OPERATING_SYSTEM = 304,
    CUDA_ERROR_INVALID_HANDLE = 400,
    CUDA_ERROR_ILLEGAL_STATE = 401,
    CUDA_ERROR_LOSSY_QUERY = 402,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_NOT_READY = 600,
    CUDA_ERROR_ILLEGAL_ADDRESS = 700,
    CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
    CUDA_ERROR_LAUNCH_TIMEOUT = 702,
    CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING = 703,
    CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704,
    CUDA_ERROR_PEER_ACCESS_NOT_ENABLED = 705,
    CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE = 708,
    CUDA_ERROR_CONTEXT_IS_DESTROYED = 709,
    CUDA_ERROR_ASSERT = 710,
    CUDA_ERROR_TOO_MANY_PEERS = 711,
    CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED = 712,
    CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED = 713,
    CUDA_ERROR_HARDWARE_STACK_ERROR = 714,
    CUDA_ERROR_ILLEGAL_INSTRUCTION = 715,
    CUDA_ERROR_MISALIGNED_ADDRESS = 716,
    CUDA_ERROR_INVALID_ADDRESS_SPACE = 717,
    CUDA_ERROR_INVALID_PC = 718,
    CUDA_ERROR_LAUNCH_FAILED = 719,
    CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE = 720,
    CUDA_ERROR_TENSOR_MEMORY_LEAK = 721,
    CUDA_ERROR_NOT_PERMITTED = 800,
    CUDA_ERROR_NOT_SUPPORTED = 801,
    CUDA_ERROR_SYSTEM_NOT_READY = 802,
    CUDA_ERROR_SYSTEM_DRIVER_MISMATCH = 803,
    CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE = 804,
    CUDA_ERROR_MPS_CONNECTION_FAILED = 805,
    CUDA_ERROR_MPS_RPC_FAILURE = 806,
    CUDA_ERROR_MPS_SERVER_NOT_READY = 807,
    CUDA_ERROR_MPS_MAX_CLIENTS_REACHED = 808,
    CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED = 809,
    CUDA_ERROR_MPS_CLIENT_TERMINATED = 810,
    CUDA_ERROR_CDP_NOT_SUPPORTED = 811,
    CUDA_ERROR_CDP_VERSION_MISMATCH = 812,
    CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900,
    CUDA_ERROR_STREAM_CAPTURE_INVALIDATED = 901,
    CUDA_ERROR_STREAM_CAPTURE_MERGE = 902,
    CUDA_ERROR_STREAM_CAPTURE_UNMATCHED = 903,
    CUDA_ERROR_STREAM_CAPTURE_UNJOINED = 904,
    CUDA_ERROR_STREAM_CAPTURE_ISOLATION = 905,
    CUDA_ERROR_STREAM_CAPTURE_IMPLICIT = 906,
    CUDA_ERROR_CAPTURED_EVENT = 907,
    CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD = 908,
    CUDA_ERROR_TIMEOUT = 909,
    CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE = 910,
    CUDA_ERROR_EXTERNAL_DEVICE = 911,
    CUDA_ERROR_INVALID_CLUSTER_SIZE = 912,
    CUDA_ERROR_FUNCTION_NOT_LOADED = 913,
    CUDA_ERROR_INVALID_RESOURCE_TYPE = 914,
    CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION = 915,
    CUDA_ERROR_KEY_ROTATION = 916,
    CUDA_ERROR_STREAM_DETACHED = 917,
    CUDA_ERROR_GRAPH_RECAPTURE_FAILURE = 918,
    CUDA_ERROR_FABRIC_NOT_READY = 919,
    CUDA_ERROR_UNKNOWN = 999
} CUresult;

/** Where the memory of a copy lies. */
typedef enum CUmemorytype_enum {
    CU_MEMORYTYPE_HOST = 0x01,
    CU_MEMORYTYPE_DEVICE = 0x02,
    CU_MEMORYTYPE_ARRAY = 0x03,
    CU_MEMORYTYPE_UNIFIED = 0x04
} CUmemorytype;

/** An array. */
typedef struct CUarray_st *CUarray;

/** A mipmapped array. */
typedef struct CUmipmappedArray_st *CUmipmappedArray;

/** Element formats. */
typedef enum CUarray_format_enum {
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
    CU_AD_FORMAT_MAX = 0x7FFFFFFF
} CUarray_format;

/** Faces of a cubemap in order of their layers. */
typedef enum CUarray_cubemap_face_enum {
    CU_CUBEMAP_FACE_POSITIVE_X = 0x00,
    CU_CUBEMAP_FACE_NEGATIVE_X = 0x01,
    CU_CUBEMAP_FACE_POSITIVE_Y = 0x02,
    CU_CUBEMAP_FACE_NEGATIVE_Y = 0x03,
    CU_CUBEMAP_FACE_POSITIVE_Z = 0x04,
    CU_CUBEMAP_FACE_NEGATIVE_Z = 0x05
} CUarray_cubemap_face;

/** A device address. */
typedef unsigned long long CUdeviceptr_v2;

/** The CUdeviceptr_v2 in use. */
typedef CUdeviceptr_v2 CUdeviceptr;

/** A rectangle copy. */
typedef struct CUDA_MEMCPY2D_st {
    size_t srcXInBytes;
    size_t srcY;
    CUmemorytype srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    CUarray srcArray;
    size_t srcPitch;
    size_t dstXInBytes;
    size_t dstY;
    CUmemorytype dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    CUarray dstArray;
    size_t dstPitch;
    size_t WidthInBytes;
    size_t Height;
} CUDA_MEMCPY2D_v2;

/** The CUDA_MEMCPY2D_v2 in use. */
typedef CUDA_MEMCPY2D_v2 CUDA_MEMCPY2D;

/** A box copy. */
typedef struct CUDA_MEMCPY3D_st {
    size_t srcXInBytes;
    size_t srcY;
    size_t srcZ;
    size_t srcLOD;
    CUmemorytype srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    CUarray srcArray;
    void *reserved0;
    size_t srcPitch;
    size_t srcHeight;
    size_t dstXInBytes;
    size_t dstY;
    size_t dstZ;
    size_t dstLOD;
    CUmemorytype dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    CUarray dstArray;
    void *reserved1;
    size_t dstPitch;
    size_t dstHeight;
    size_t WidthInBytes;
    size_t Height;
    size_t Depth;
} CUDA_MEMCPY3D_v2;

/** The CUDA_MEMCPY3D_v2 in use. */
typedef CUDA_MEMCPY3D_v2 CUDA_MEMCPY3D;

/** A context. */
typedef struct CUctx_st *CUcontext;

/** A box copy between contexts. */
typedef struct CUDA_MEMCPY3D_PEER_st {
    size_t srcXInBytes;
    size_t srcY;
    size_t srcZ;
    size_t srcLOD;
    CUmemorytype srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    CUarray srcArray;
    CUcontext srcContext;
    size_t srcPitch;
    size_t srcHeight;
    size_t dstXInBytes;
    size_t dstY;
    size_t dstZ;
    size_t dstLOD;
    CUmemorytype dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    CUarray dstArray;
    CUcontext dstContext;
    size_t dstPitch;
    size_t dstHeight;
    size_t WidthInBytes;
    size_t Height;
    size_t Depth;
} CUDA_MEMCPY3D_PEER_v1;

/** The CUDA_MEMCPY3D_PEER_v1 in use. */
typedef CUDA_MEMCPY3D_PEER_v1 CUDA_MEMCPY3D_PEER;

/** Description of a 1D or 2D array. */
typedef struct CUDA_ARRAY_DESCRIPTOR_st {
    size_t Width;
    size_t Height;
    CUarray_format Format;
    unsigned int NumChannels;
} CUDA_ARRAY_DESCRIPTOR_v2;

/** The CUDA_ARRAY_DESCRIPTOR_v2 in use. */
typedef CUDA_ARRAY_DESCRIPTOR_v2 CUDA_ARRAY_DESCRIPTOR;

/** Description of an array of up to three dimensions. */
typedef struct CUDA_ARRAY3D_DESCRIPTOR_st {
    size_t Width;
    size_t Height;
    size_t Depth;
    CUarray_format Format;
    unsigned int NumChannels;
    unsigned int Flags;
} CUDA_ARRAY3D_DESCRIPTOR_v2;

/** The CUDA_ARRAY3D_DESCRIPTOR_v2 in use. */
typedef CUDA_ARRAY3D_DESCRIPTOR_v2 CUDA_ARRAY3D_DESCRIPTOR;

/** Tile size and mip tail of a sparse array. */
typedef struct CUDA_ARRAY_SPARSE_PROPERTIES_st {
    struct {
        unsigned int width;
        unsigned int height;
        unsigned int depth;
    } tileExtent;
    unsigned int miptailFirstLevel;
    unsigned long long miptailSize;
    unsigned int flags;
    unsigned int reserved[4];
} CUDA_ARRAY_SPARSE_PROPERTIES_v1;

/** The CUDA_ARRAY_SPARSE_PROPERTIES_v1 in use. */
typedef CUDA_ARRAY_SPARSE_PROPERTIES_v1 CUDA_ARRAY_SPARSE_PROPERTIES;

/** Memory that an array with deferred mapping needs. */
typedef struct CUDA_ARRAY_MEMORY_REQUIREMENTS_st {
    size_t size;
    size_t alignment;
    unsigned int reserved[4];
} CUDA_ARRAY_MEMORY_REQUIREMENTS_v1;

/** The CUDA_ARRAY_MEMORY_REQUIREMENTS_v1 in use. */
typedef CUDA_ARRAY_MEMORY_REQUIREMENTS_v1 CUDA_ARRAY_MEMORY_REQUIREMENTS;

/** A device address of the 32-bit first generation. */
typedef unsigned int CUdeviceptr_v1;

/** A rectangle copy of the 32-bit first generation. */
typedef struct CUDA_MEMCPY2D_v1_st {
    unsigned int srcXInBytes;
    unsigned int srcY;
    CUmemorytype srcMemoryType;
    const void *srcHost;
    CUdeviceptr_v1 srcDevice;
    CUarray srcArray;
    unsigned int srcPitch;
    unsigned int dstXInBytes;
    unsigned int dstY;
    CUmemorytype dstMemoryType;
    void *dstHost;
    CUdeviceptr_v1 dstDevice;
    CUarray dstArray;
    unsigned int dstPitch;
    unsigned int WidthInBytes;
    unsigned int Height;
} CUDA_MEMCPY2D_v1;

/** A box copy of the 32-bit first generation. */
typedef struct CUDA_MEMCPY3D_v1_st {
    unsigned int srcXInBytes;
    unsigned int srcY;
    unsigned int srcZ;
    unsigned int srcLOD;
    CUmemorytype srcMemoryType;
    const void *srcHost;
    CUdeviceptr_v1 srcDevice;
    CUarray srcArray;
    void *reserved0;
    unsigned int srcPitch;
    unsigned int srcHeight;
    unsigned int dstXInBytes;
    unsigned int dstY;
    unsigned int dstZ;
    unsigned int dstLOD;
    CUmemorytype dstMemoryType;
    void *dstHost;
    CUdeviceptr_v1 dstDevice;
    CUarray dstArray;
    void *reserved1;
    unsigned int dstPitch;
    unsigned int dstHeight;
    unsigned int WidthInBytes;
    unsigned int Height;
    unsigned int Depth;
} CUDA_MEMCPY3D_v1;

/** A 1D or 2D array description of the 32-bit first generation. */
typedef struct CUDA_ARRAY_DESCRIPTOR_v1_st {
    unsigned int Width;
    unsigned int Height;
    CUarray_format Format;
    unsigned int NumChannels;
} CUDA_ARRAY_DESCRIPTOR_v1;

/** A 3D array description of the 32-bit first generation. */
typedef struct CUDA_ARRAY3D_DESCRIPTOR_v1_st {
    unsigned int Width;
    unsigned int Height;
    unsigned int Depth;
    CUarray_format Format;
    unsigned int NumChannels;
    unsigned int Flags;
} CUDA_ARRAY3D_DESCRIPTOR_v1;

/** Flags of a context: scheduling, mapping, core dumps. */
typedef enum CUctx_flags_enum {
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
    CU_CTX_FLAGS_MASK = 0xFF
} CUctx_flags;

/** Flags of an OpenCL context that shares with CUDA. */
typedef enum cl_context_flags_enum {
    NVCL_CTX_SCHED_AUTO = 0x00,
    NVCL_CTX_SCHED_SPIN = 0x01,
    NVCL_CTX_SCHED_YIELD = 0x02,
    NVCL_CTX_SCHED_BLOCKING_SYNC = 0x04
} cl_context_flags;

/** Preference between L1 cache and shared memory. */
typedef enum CUfunc_cache_enum {
    CU_FUNC_CACHE_PREFER_NONE = 0x00,
    CU_FUNC_CACHE_PREFER_SHARED = 0x01,
    CU_FUNC_CACHE_PREFER_L1 = 0x02,
    CU_FUNC_CACHE_PREFER_EQUAL = 0x03
} CUfunc_cache;

/** Width of shared memory banks. */
typedef enum CUsharedconfig_enum {
    CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE = 0x00,
    CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE = 0x01,
    CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE = 0x02
} CUsharedconfig;

/** The limits of a context. */
typedef enum CUlimit_enum {
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
    CU_LIMIT_MAX = 11
} CUlimit;

/** What a context shares with a graphics API (CUDA in Graphics). */
typedef enum CUcigDataType_enum {
    CIG_DATA_TYPE_D3D12_COMMAND_QUEUE = 0x1,
    CIG_DATA_TYPE_NV_BLOB = 0x2
} CUcigDataType;

/** Parameters of a context that shares work with a graphics API. */
typedef struct CUctxCigParam_st {
    CUcigDataType sharedDataType;
    void *sharedData;
} CUctxCigParam;

/** Kinds of execution affinity. */
typedef enum CUexecAffinityType_enum {
    CU_EXEC_AFFINITY_TYPE_SM_COUNT = 0,
    CU_EXEC_AFFINITY_TYPE_MAX = 1
} CUexecAffinityType;

/** A number of multiprocessors, as execution affinity. */
typedef struct CUexecAffinitySmCount_st {
    unsigned int val;
} CUexecAffinitySmCount_v1;

/** The CUexecAffinitySmCount_v1 in use. */
typedef CUexecAffinitySmCount_v1 CUexecAffinitySmCount;

/** One execution affinity request or report. */
typedef struct CUexecAffinityParam_st {
    CUexecAffinityType type;
    union {
        CUexecAffinitySmCount smCount;
    } param;
} CUexecAffinityParam_v1;

/** The CUexecAffinityParam_v1 in use. */
typedef CUexecAffinityParam_v1 CUexecAffinityParam;

/** Optional parameters of a new context. */
typedef struct CUctxCreateParams_st {
    CUexecAffinityParam *execAffinityParams;
    int numExecAffinityParams;
    CUctxCigParam *cigParams;
} CUctxCreateParams;

/** A device, as a small number. */
typedef int CUdevice_v1;

/** The CUdevice_v1 in use. */
typedef CUdevice_v1 CUdevice;

/** A registered asynchronous callback. */
typedef struct CUasyncCallbackEntry_st *CUasyncCallbackHandle;

#ifndef CU_UUID_HAS_BEEN_DEFINED
#define CU_UUID_HAS_BEEN_DEFINED
/** The 16 bytes that identify a device or a private table. */
typedef struct CUuuid_st {
    char bytes[16];
} CUuuid;
#endif

/** Atomic operations whose support can be asked for. */
typedef enum CUatomicOperation_enum {
    CU_ATOMIC_OPERATION_INTEGER_ADD = 0,
    CU_ATOMIC_OPERATION_INTEGER_MIN = 1,
    CU_ATOMIC_OPERATION_INTEGER_MAX = 2,
    CU_ATOMIC_OPERATION_INTEGER_INCREMENT = 3,
    CU_ATOMIC_OPERATION_INTEGER_DECREMENT = 4,
    CU_ATOMIC_OPERATION_AND = 5,
    CU_ATOMIC_OPERATION_OR = 6,
    CU_ATOMIC_OPERATION_XOR = 7,
    CU_ATOMIC_OPERATION_EXCHANGE = 8,
    CU_ATOMIC_OPERATION_CAS = 9,
    CU_ATOMIC_OPERATION_FLOAT_ADD = 10,
    CU_ATOMIC_OPERATION_FLOAT_MIN = 11,
    CU_ATOMIC_OPERATION_FLOAT_MAX = 12,
    CU_ATOMIC_OPERATION_MAX = 13
} CUatomicOperation;

/** How an atomic operation can be performed, as bits. */
typedef enum CUatomicOperationCapability_enum {
    CU_ATOMIC_CAPABILITY_SIGNED = 0x1,
    CU_ATOMIC_CAPABILITY_UNSIGNED = 0x2,
    CU_ATOMIC_CAPABILITY_REDUCTION = 0x4,
    CU_ATOMIC_CAPABILITY_SCALAR_32 = 0x8,
    CU_ATOMIC_CAPABILITY_SCALAR_64 = 0x10,
    CU_ATOMIC_CAPABILITY_SCALAR_128 = 0x20,
    CU_ATOMIC_CAPABILITY_VECTOR_32x4 = 0x40
} CUatomicOperationCapability;

/** Why an asynchronous notification was sent. */
typedef enum CUasyncNotificationType_enum {
    CU_ASYNC_NOTIFICATION_TYPE_OVER_BUDGET = 0x1
} CUasyncNotificationType;

/** What an asynchronous notification reports. */
typedef struct CUasyncNotificationInfo_st {
    CUasyncNotificationType type;
    union {
        struct {
            unsigned long long bytesOverBudget;
        } overBudget;
    } info;
} CUasyncNotificationInfo;

/** Receives asynchronous notifications of a device. */
typedef void (*CUasyncCallback)(CUasyncNotificationInfo *info, void *userData, CUasyncCallbackHandle callback);

/** The attributes that cuDeviceGetAttribute reads. */
typedef enum CUdevice_attribute_enum {
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
    CU_DEVICE_ATTRIBUTE_SHARED_MEMORY_PER_BLOCK = 8,
    CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY = 9,
    CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
    CU_DEVICE_ATTRIBUTE_MAX_PITCH = 11,
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 12,
    CU_DEVICE_ATTRIBUTE_REGISTERS_PER_BLOCK = 12,
    CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
    CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT = 14,
    CU_DEVICE_ATTRIBUTE_GPU_OVERLAP = 15,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT = 17,
    CU_DEVICE_ATTRIBUTE_INTEGRATED = 18,
    CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY = 19,
    CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = 20,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH = 21,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH = 22,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT = 23,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH = 24,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT = 25,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH = 26,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH = 27,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT = 28,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS = 29,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_WIDTH = 27,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_HEIGHT = 28,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES = 29,
    CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT = 30,
    CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS = 31,
    CU_DEVICE_ATTRIBUTE_ECC_ENABLED = 32,
    CU_DEVICE_ATTRIBUTE_PCI_BUS_ID = 33,
    CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID = 34,
    CU_DEVICE_ATTRIBUTE_TCC_DRIVER = 35,
    CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
    CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
    CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
    CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT = 40,
    CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH = 42,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS = 43,
    CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER = 44,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH = 45,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT = 46,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE = 47,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE = 48,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE = 49,
    CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID = 50,
    CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT = 51,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH = 52,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH = 53,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS = 54,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH = 55,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH = 56,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT = 57,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH = 58,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT = 59,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH = 60,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH = 61,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS = 62,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH = 63,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT = 64,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS = 65,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH = 66,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH = 67,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS = 68,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH = 69,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH = 70,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT = 71,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH = 72,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH = 73,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT = 74,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH = 77,
    CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED = 78,
    CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED = 79,
    CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED = 80,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = 82,
    CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = 83,
    CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD = 84,
    CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID = 85,
    CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED = 86,
    CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO = 87,
    CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS = 88,
    CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS = 89,
    CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED = 90,
    CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM = 91,
    CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1 = 92,
    CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1 = 93,
    CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1 = 94,
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95,
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH = 96,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
    CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES = 98,
    CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED = 99,
    CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES = 100,
    CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST = 101,
    CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED = 102,
    CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102,
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED = 103,
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED = 104,
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED = 105,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR = 106,
    CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED = 107,
    CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE = 108,
    CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE = 109,
    CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED = 110,
    CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK = 111,
    CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED = 112,
    CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED = 113,
    CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED = 114,
    CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = 115,
    CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED = 116,
    CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS = 117,
    CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WRITES_ORDERING = 118,
    CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES = 119,
    CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH = 120,
    CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED = 121,
    CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS = 122,
    CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR = 123,
    CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED = 124,
    CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED = 125,
    CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT = 126,
    CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED = 127,
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED = 128,
    CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS = 129,
    CU_DEVICE_ATTRIBUTE_NUMA_CONFIG = 130,
    CU_DEVICE_ATTRIBUTE_NUMA_ID = 131,
    CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED = 132,
    CU_DEVICE_ATTRIBUTE_MPS_ENABLED = 133,
    CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID = 134,
    CU_DEVICE_ATTRIBUTE_D3D12_CIG_SUPPORTED = 135,
    CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK = 136,
    CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH = 137,
    CU_DEVICE_ATTRIBUTE_VULKAN_CIG_SUPPORTED = 138,
    CU_DEVICE_ATTRIBUTE_GPU_PCI_DEVICE_ID = 139,
    CU_DEVICE_ATTRIBUTE_GPU_PCI_SUBSYSTEM_ID = 140,
    CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 141,
    CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED = 142,
    CU_DEVICE_ATTRIBUTE_HOST_NUMA_MULTINODE_IPC_SUPPORTED = 143,
    CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED = 144,
    CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 145,
    CU_DEVICE_ATTRIBUTE_HOST_ALLOC_DMA_BUF_SUPPORTED = 146,
    CU_DEVICE_ATTRIBUTE_ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED = 147,
    CU_DEVICE_ATTRIBUTE_ATOMIC_REDUCTION_SUPPORTED = 148,
    CU_DEVICE_ATTRIBUTE_LOCALITY_DOMAIN_COUNT = 149,
    CU_DEVICE_ATTRIBUTE_MAX_OVERSIZED_SHARED_MEMORY_PER_BLOCK = 150,
    CU_DEVICE_ATTRIBUTE_D3D12_CIG_STREAMS_SUPPORTED = 151,
    CU_DEVICE_ATTRIBUTE_DMA_BUF_MMAP_SUPPORTED = 152,
    CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_UNICAST_SUPPORTED = 153,
    CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_MULTICAST_SUPPORTED = 154,
    CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_COUNTED_OPS_SUPPORTED = 155,
    CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_UNICAST_ACCESS_ON_OWNER_DEVICE_SUPPORTED = 156,
    CU_DEVICE_ATTRIBUTE_LOCALITY_DOMAIN_MULTIPROCESSOR_COUNT = 157,
    CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_SUPPORTED_HANDLE_TYPES = 158,
    CU_DEVICE_ATTRIBUTE_VULKAN_CIG_STREAMS_SUPPORTED = 159,
    CU_DEVICE_ATTRIBUTE_TENSOR_MAP_LARGE_TENSOR_MIN_SIZE = 160,
    CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_LOCALIZED_MEMORY_SUPPORTED = 161,
    CU_DEVICE_ATTRIBUTE_MAX = 162
} CUdevice_attribute;

/** Basic device limits, as the deprecated cuDeviceGetProperties reports them. */
typedef struct CUdevprop_st {
    int maxThreadsPerBlock;
    int maxThreadsDim[3];
    int maxGridSize[3];
    int sharedMemPerBlock;
    int totalConstantMemory;
    int SIMDWidth;
    int memPitch;
    int regsPerBlock;
    int clockRate;
    int textureAlign;
} CUdevprop_v1;

/** The CUdevprop_v1 in use. */
typedef CUdevprop_v1 CUdevprop;

/** Who may create contexts on a device. */
typedef enum CUcomputemode_enum {
    CU_COMPUTEMODE_DEFAULT = 0,
    CU_COMPUTEMODE_PROHIBITED = 2,
    CU_COMPUTEMODE_EXCLUSIVE_PROCESS = 3
} CUcomputemode;

/** The attributes of a link between two devices. */
typedef enum CUdevice_P2PAttribute_enum {
    CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK = 0x01,
    CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED = 0x02,
    CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED = 0x03,
    CU_DEVICE_P2P_ATTRIBUTE_ACCESS_ACCESS_SUPPORTED = 0x04,
    CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED = 0x04,
    CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED = 0x05
} CUdevice_P2PAttribute;

/** Ways in which a device can flush remote writes, as bits. */
typedef enum CUflushGPUDirectRDMAWritesOptions_enum {
    CU_FLUSH_GPU_DIRECT_RDMA_WRITES_OPTION_HOST = 0x1,
    CU_FLUSH_GPU_DIRECT_RDMA_WRITES_OPTION_MEMOPS = 0x2
} CUflushGPUDirectRDMAWritesOptions;

/** To whom remote writes are ordered without a flush. */
typedef enum CUGPUDirectRDMAWritesOrdering_enum {
    CU_GPU_DIRECT_RDMA_WRITES_ORDERING_NONE = 0,
    CU_GPU_DIRECT_RDMA_WRITES_ORDERING_OWNER = 100,
    CU_GPU_DIRECT_RDMA_WRITES_ORDERING_ALL_DEVICES = 200
} CUGPUDirectRDMAWritesOrdering;

/** For whom a flush makes remote writes visible. */
typedef enum CUflushGPUDirectRDMAWritesScope_enum {
    CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER = 100,
    CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_ALL_DEVICES = 200
} CUflushGPUDirectRDMAWritesScope;

/** What is flushed. */
typedef enum CUflushGPUDirectRDMAWritesTarget_enum {
    CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX = 0
} CUflushGPUDirectRDMAWritesTarget;

/** How a device's memory appears as NUMA nodes. */
typedef enum CUdeviceNumaConfig_enum {
    CU_DEVICE_NUMA_CONFIG_NONE = 0,
    CU_DEVICE_NUMA_CONFIG_NUMA_NODE = 1
} CUdeviceNumaConfig;

/** Kinds of fabric cliques. */
typedef enum CUcliqueType_enum {
    CU_CLIQUE_TYPE_UNICAST_POINTER = 0,
    CU_CLIQUE_TYPE_MULTICAST_POINTER = 1,
    CU_CLIQUE_TYPE_UNICAST_LOGICAL_ENDPOINT = 2,
    CU_CLIQUE_TYPE_MULTICAST_LOGICAL_ENDPOINT = 3
} CUcliqueType;

/** One fabric clique of a device. */
typedef struct CUcliqueInfo_st {
    CUcliqueType type;
    unsigned int id;
} CUcliqueInfo;

/** An event. */
typedef struct CUevent_st *CUevent;

/** How a host thread waits for an event shared with OpenCL. */
typedef enum CUevent_sched_flags_enum {
    CU_EVENT_SCHED_AUTO = 0x00,
    CU_EVENT_SCHED_SPIN = 0x01,
    CU_EVENT_SCHED_YIELD = 0x02,
    CU_EVENT_SCHED_BLOCKING_SYNC = 0x04
} CUevent_sched_flags;

/** Flags of an OpenCL event that shares with CUDA. */
typedef enum cl_event_flags_enum {
    NVCL_EVENT_SCHED_AUTO = 0x00,
    NVCL_EVENT_SCHED_SPIN = 0x01,
    NVCL_EVENT_SCHED_YIELD = 0x02,
    NVCL_EVENT_SCHED_BLOCKING_SYNC = 0x04
} cl_event_flags;

/** Flags of an event. */
typedef enum CUevent_flags_enum {
    CU_EVENT_DEFAULT = 0x0,
    CU_EVENT_BLOCKING_SYNC = 0x1,
    CU_EVENT_DISABLE_TIMING = 0x2,
    CU_EVENT_INTERPROCESS = 0x4
} CUevent_flags;

/** Flags of recording an event. */
typedef enum CUevent_record_flags_enum {
    CU_EVENT_RECORD_DEFAULT = 0x0,
    CU_EVENT_RECORD_EXTERNAL = 0x1
} CUevent_record_flags;

/** Flags of waiting for an event. */
typedef enum CUevent_wait_flags_enum {
    CU_EVENT_WAIT_DEFAULT = 0x0,
    CU_EVENT_WAIT_EXTERNAL = 0x1
} CUevent_wait_flags;

/** Flags of occupancy computations. */
typedef enum CUoccupancy_flags_enum {
    CU_OCCUPANCY_DEFAULT = 0x0,
    CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE = 0x1
} CUoccupancy_flags;

/** How L2 cache lines are kept. */
typedef enum CUaccessProperty_enum {
    CU_ACCESS_PROPERTY_NORMAL = 0,
    CU_ACCESS_PROPERTY_STREAMING = 1,
    CU_ACCESS_PROPERTY_PERSISTING = 2
} CUaccessProperty;

/** A range of addresses with L2 cache policy. */
typedef struct CUaccessPolicyWindow_st {
    void *base_ptr;
    size_t num_bytes;
    float hitRatio;
    CUaccessProperty hitProp;
    CUaccessProperty missProp;
} CUaccessPolicyWindow_v1;

/** The CUaccessPolicyWindow_v1 in use. */
typedef CUaccessPolicyWindow_v1 CUaccessPolicyWindow;

/** How blocks of a cluster are spread. */
typedef enum CUclusterSchedulingPolicy_enum {
    CU_CLUSTER_SCHEDULING_POLICY_DEFAULT = 0,
    CU_CLUSTER_SCHEDULING_POLICY_SPREAD = 1,
    CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING = 2,
    CU_CLUSTER_SCHEDULING_POLICY_RUBIN_DSMEM_LOCALITY = 3
} CUclusterSchedulingPolicy;

/** Memory synchronisation domains. */
typedef enum CUlaunchMemSyncDomain_enum {
    CU_LAUNCH_MEM_SYNC_DOMAIN_DEFAULT = 0,
    CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE = 1
} CUlaunchMemSyncDomain;

/** Assignment of logical to physical memory synchronisation domains. */
typedef struct CUlaunchMemSyncDomainMap_st {
    unsigned char default_;
    unsigned char remote;
} CUlaunchMemSyncDomainMap;

/** Whether a launch may use clusters that not every device of its kind supports. */
typedef enum CUlaunchAttributePortableClusterMode_enum {
    CU_LAUNCH_PORTABLE_CLUSTER_MODE_DEFAULT = 0,
    CU_LAUNCH_PORTABLE_CLUSTER_MODE_REQUIRE_PORTABLE = 1,
    CU_LAUNCH_PORTABLE_CLUSTER_MODE_ALLOW_NON_PORTABLE = 2
} CUlaunchAttributePortableClusterMode;

/** Whether a launch may use shared memory sizes that not every device of its kind supports. */
typedef enum CUsharedMemoryMode_enum {
    CU_SHARED_MEMORY_MODE_DEFAULT = 0,
    CU_SHARED_MEMORY_MODE_REQUIRE_PORTABLE = 1,
    CU_SHARED_MEMORY_MODE_ALLOW_NON_PORTABLE = 2,
    CU_SHARED_MEMORY_MODE_ALLOW_OVERSIZED_SHARED_MEMORY = 3,
    CU_SHARED_MEMORY_MODE_PREFER_OVERSIZED_SHARED_MEMORY = 4
} CUsharedMemoryMode;

/** Attributes of launches, streams and kernel nodes. */
typedef enum CUlaunchAttributeID_enum {
    CU_LAUNCH_ATTRIBUTE_IGNORE = 0,
    CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW = 1,
    CU_LAUNCH_ATTRIBUTE_COOPERATIVE = 2,
    CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY = 3,
    CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4,
    CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE = 5,
    CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6,
    CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT = 7,
    CU_LAUNCH_ATTRIBUTE_PRIORITY = 8,
    CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP = 9,
    CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN = 10,
    CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION = 11,
    CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT = 12,
    CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE = 13,
    CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 14,
    CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING = 16,
    CU_LAUNCH_ATTRIBUTE_PORTABLE_CLUSTER_SIZE_MODE = 17,
    CU_LAUNCH_ATTRIBUTE_SHARED_MEMORY_MODE = 18
} CUlaunchAttributeID;

/** A kernel node that device code can update. */
typedef struct CUgraphDeviceUpdatableNode_st *CUgraphDeviceNode;

/** How a host thread waits. */
typedef enum CUsynchronizationPolicy_enum {
    CU_SYNC_POLICY_AUTO = 1,
    CU_SYNC_POLICY_SPIN = 2,
    CU_SYNC_POLICY_YIELD = 3,
    CU_SYNC_POLICY_BLOCKING_SYNC = 4
} CUsynchronizationPolicy;

/** Value of a launch attribute. */
typedef union CUlaunchAttributeValue_union {
    char pad[64];
    CUaccessPolicyWindow accessPolicyWindow;
    int cooperative;
    CUsynchronizationPolicy syncPolicy;
    struct {
        unsigned int x;
        unsigned int y;
        unsigned int z;
    } clusterDim;
    CUclusterSchedulingPolicy clusterSchedulingPolicyPreference;
    int programmaticStreamSerializationAllowed;
    struct {
        CUevent event;
        int flags;
        int triggerAtBlockStart;
    } programmaticEvent;
    struct {
        CUevent event;
        int flags;
    } launchCompletionEvent;
    int priority;
    CUlaunchMemSyncDomainMap memSyncDomainMap;
    CUlaunchMemSyncDomain memSyncDomain;
    struct {
        unsigned int x;
        unsigned int y;
        unsigned int z;
    } preferredClusterDim;
    struct {
        int deviceUpdatable;
        CUgraphDeviceNode devNode;
    } deviceUpdatableKernelNode;
    unsigned int sharedMemCarveout;
    unsigned int nvlinkUtilCentricScheduling;
    CUlaunchAttributePortableClusterMode portableClusterSizeMode;
    CUsharedMemoryMode sharedMemoryMode;
} CUlaunchAttributeValue;

/** One launch attribute. */
typedef struct CUlaunchAttribute_st {
    CUlaunchAttributeID id;
    char pad[4];
    CUlaunchAttributeValue value;
} CUlaunchAttribute;

/** A stream. */
typedef struct CUstream_st *CUstream;

/** Shape and attributes of a launch. */
typedef struct CUlaunchConfig_st {
    unsigned int gridDimX;
    unsigned int gridDimY;
    unsigned int gridDimZ;
    unsigned int blockDimX;
    unsigned int blockDimY;
    unsigned int blockDimZ;
    unsigned int sharedMemBytes;
    CUstream hStream;
    CUlaunchAttribute *attrs;
    unsigned int numAttrs;
} CUlaunchConfig;

/** The CUlaunchAttributeID in use. */
typedef CUlaunchAttributeID CUkernelNodeAttrID;

/** Versioned name of CUlaunchAttributeValue. */
typedef CUlaunchAttributeValue CUkernelNodeAttrValue_v1;

/** The CUkernelNodeAttrValue_v1 in use. */
typedef CUkernelNodeAttrValue_v1 CUkernelNodeAttrValue;

/** The CUlaunchAttributeID in use. */
typedef CUlaunchAttributeID CUstreamAttrID;

/** Versioned name of CUlaunchAttributeValue. */
typedef CUlaunchAttributeValue CUstreamAttrValue_v1;

/** The CUstreamAttrValue_v1 in use. */
typedef CUstreamAttrValue_v1 CUstreamAttrValue;

/** Computes the dynamic shared memory for a block size. */
typedef size_t (*CUoccupancyB2DSize)(int blockSize);

/** A kernel in a context. */
typedef struct CUfunc_st *CUfunction;

/** One launch on several devices. */
typedef struct CUDA_LAUNCH_PARAMS_st {
    CUfunction function;
    unsigned int gridDimX;
    unsigned int gridDimY;
    unsigned int gridDimZ;
    unsigned int blockDimX;
    unsigned int blockDimY;
    unsigned int blockDimZ;
    unsigned int sharedMemBytes;
    CUstream hStream;
    void **kernelParams;
} CUDA_LAUNCH_PARAMS_v1;

/** The CUDA_LAUNCH_PARAMS_v1 in use. */
typedef CUDA_LAUNCH_PARAMS_v1 CUDA_LAUNCH_PARAMS;

/** A resource shared with a graphics API. */
typedef struct CUgraphicsResource_st *CUgraphicsResource;

/** Memory of another API. */
typedef struct CUextMemory_st *CUexternalMemory;

/** A semaphore of another API. */
typedef struct CUextSemaphore_st *CUexternalSemaphore;

/** How a shared resource will be used. */
typedef enum CUgraphicsRegisterFlags_enum {
    CU_GRAPHICS_REGISTER_FLAGS_NONE = 0x00,
    CU_GRAPHICS_REGISTER_FLAGS_READ_ONLY = 0x01,
    CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD = 0x02,
    CU_GRAPHICS_REGISTER_FLAGS_SURFACE_LDST = 0x04,
    CU_GRAPHICS_REGISTER_FLAGS_TEXTURE_GATHER = 0x08
} CUgraphicsRegisterFlags;

/** How a mapping of a shared resource will be used. */
typedef enum CUgraphicsMapResourceFlags_enum {
    CU_GRAPHICS_MAP_RESOURCE_FLAGS_NONE = 0x00,
    CU_GRAPHICS_MAP_RESOURCE_FLAGS_READ_ONLY = 0x01,
    CU_GRAPHICS_MAP_RESOURCE_FLAGS_WRITE_DISCARD = 0x02
} CUgraphicsMapResourceFlags;

/** Kinds of handles of foreign memory. */
typedef enum CUexternalMemoryHandleType_enum {
    CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD = 1,
    CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32 = 2,
    CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_KMT = 3,
    CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP = 4,
    CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE = 5,
    CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE = 6,
    CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE_KMT = 7,
    CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF = 8,
    CU_EXTERNAL_MEMORY_HANDLE_TYPE_DMABUF_FD = 9
} CUexternalMemoryHandleType;

/** Foreign memory to import. */
typedef struct CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st {
    CUexternalMemoryHandleType type;
    union {
        int fd;
        struct {
            void *handle;
            const void *name;
        } win32;
        const void *nvSciBufObject;
    } handle;
    unsigned long long size;
    unsigned int flags;
    unsigned int reserved[16];
} CUDA_EXTERNAL_MEMORY_HANDLE_DESC_v1;

/** The CUDA_EXTERNAL_MEMORY_HANDLE_DESC_v1 in use. */
typedef CUDA_EXTERNAL_MEMORY_HANDLE_DESC_v1 CUDA_EXTERNAL_MEMORY_HANDLE_DESC;

/** Range of foreign memory to map. */
typedef struct CUDA_EXTERNAL_MEMORY_BUFFER_DESC_st {
    unsigned long long offset;
    unsigned long long size;
    unsigned int flags;
    unsigned int reserved[16];
} CUDA_EXTERNAL_MEMORY_BUFFER_DESC_v1;

/** The CUDA_EXTERNAL_MEMORY_BUFFER_DESC_v1 in use. */
typedef CUDA_EXTERNAL_MEMORY_BUFFER_DESC_v1 CUDA_EXTERNAL_MEMORY_BUFFER_DESC;

/** Foreign memory to map as a mipmapped array. */
typedef struct CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_st {
    unsigned long long offset;
    CUDA_ARRAY3D_DESCRIPTOR arrayDesc;
    unsigned int numLevels;
    unsigned int reserved[16];
} CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_v1;

/** The CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_v1 in use. */
typedef CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_v1 CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC;

/** Kinds of handles of foreign semaphores. */
typedef enum CUexternalSemaphoreHandleType_enum {
    CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD = 1,
    CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32 = 2,
    CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32_KMT = 3,
    CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D12_FENCE = 4,
    CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_FENCE = 5,
    CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_NVSCISYNC = 6,
    CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX = 7,
    CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX_KMT = 8,
    CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD = 9,
    CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_WIN32 = 10
} CUexternalSemaphoreHandleType;

/** Foreign semaphore to import. */
typedef struct CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_st {
    CUexternalSemaphoreHandleType type;
    union {
        int fd;
        struct {
            void *handle;
            const void *name;
        } win32;
        const void *nvSciSyncObj;
    } handle;
    unsigned int flags;
    unsigned int reserved[16];
} CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_v1;

/** The CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_v1 in use. */
typedef CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_v1 CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC;

/** How a foreign semaphore is signalled. */
typedef struct CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st {
    struct {
        struct {
            unsigned long long value;
        } fence;
        union {
            void *fence;
            unsigned long long reserved;
        } nvSciSync;
        struct {
            unsigned long long key;
        } keyedMutex;
        unsigned int reserved[12];
    } params;
    unsigned int flags;
    unsigned int reserved[16];
} CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_v1;

/** The CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_v1 in use. */
typedef CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_v1 CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS;

/** How a foreign semaphore is waited for. */
typedef struct CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st {
    struct {
        struct {
            unsigned long long value;
        } fence;
        union {
            void *fence;
            unsigned long long reserved;
        } nvSciSync;
        struct {
            unsigned long long key;
            unsigned int timeoutMs;
        } keyedMutex;
        unsigned int reserved[10];
    } params;
    unsigned int flags;
    unsigned int reserved[16];
} CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_v1;

/** The CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_v1 in use. */
typedef CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_v1 CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS;

/** A graph. */
typedef struct CUgraph_st *CUgraph;

/** A node of a graph. */
typedef struct CUgraphNode_st *CUgraphNode;

/** An executable graph. */
typedef struct CUgraphExec_st *CUgraphExec;

/** A reference-counted object that graphs can own. */
typedef struct CUuserObject_st *CUuserObject;

/** A 64-bit unsigned integer. */
typedef uint64_t cuuint64_t;

/** Control value of conditional nodes. */
typedef cuuint64_t CUgraphConditionalHandle;

/** Kinds of stream memory operations. */
typedef enum CUstreamBatchMemOpType_enum {
    CU_STREAM_MEM_OP_WAIT_VALUE_32 = 1,
    CU_STREAM_MEM_OP_WRITE_VALUE_32 = 2,
    CU_STREAM_MEM_OP_WAIT_VALUE_64 = 4,
    CU_STREAM_MEM_OP_WRITE_VALUE_64 = 5,
    CU_STREAM_MEM_OP_BARRIER = 6,
    CU_STREAM_MEM_OP_ATOMIC_REDUCTION = 8,
    CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES = 3
} CUstreamBatchMemOpType;

/** A 32-bit unsigned integer. */
typedef uint32_t cuuint32_t;

/** One kind of operation in CUstreamBatchMemOpParams_v1. */
struct CUstreamMemOpWaitValueParams_st {
    CUstreamBatchMemOpType operation;
    CUdeviceptr address;
    union {
        cuuint32_t value;
        cuuint64_t value64;
    };
    unsigned int flags;
    CUdeviceptr alias;
};

/** One kind of operation in CUstreamBatchMemOpParams_v1. */
struct CUstreamMemOpWriteValueParams_st {
    CUstreamBatchMemOpType operation;
    CUdeviceptr address;
    union {
        cuuint32_t value;
        cuuint64_t value64;
    };
    unsigned int flags;
    CUdeviceptr alias;
};

/** One kind of operation in CUstreamBatchMemOpParams_v1. */
struct CUstreamMemOpFlushRemoteWritesParams_st {
    CUstreamBatchMemOpType operation;
    unsigned int flags;
};

/** One kind of operation in CUstreamBatchMemOpParams_v1. */
struct CUstreamMemOpMemoryBarrierParams_st {
    CUstreamBatchMemOpType operation;
    unsigned int flags;
};

/** Reductions that a stream can perform on memory. */
typedef enum CUstreamAtomicReductionOpType_enum {
    CU_STREAM_ATOMIC_REDUCTION_OP_OR = 6,
    CU_STREAM_ATOMIC_REDUCTION_OP_AND = 5,
    CU_STREAM_ATOMIC_REDUCTION_OP_ADD = 0
} CUstreamAtomicReductionOpType;

/** Operand types of reductions that a stream can perform on memory. */
typedef enum CUstreamAtomicReductionDataType_enum {
    CU_STREAM_ATOMIC_REDUCTION_UNSIGNED_32 = 14,
    CU_STREAM_ATOMIC_REDUCTION_UNSIGNED_64 = 22
} CUstreamAtomicReductionDataType;

/** One kind of operation in CUstreamBatchMemOpParams_v1. */
struct CUstreamMemOpAtomicReductionParams_st {
    CUstreamBatchMemOpType operation;
    unsigned int flags;
    CUstreamAtomicReductionOpType reductionOp;
    CUstreamAtomicReductionDataType dataType;
    CUdeviceptr address;
    cuuint64_t value;
    CUdeviceptr alias;
};

/** One stream memory operation. */
typedef union CUstreamBatchMemOpParams_union {
    CUstreamBatchMemOpType operation;
    struct CUstreamMemOpWaitValueParams_st waitValue;
    struct CUstreamMemOpWriteValueParams_st writeValue;
    struct CUstreamMemOpFlushRemoteWritesParams_st flushRemoteWrites;
    struct CUstreamMemOpMemoryBarrierParams_st memoryBarrier;
    struct CUstreamMemOpAtomicReductionParams_st atomicReduction;
    cuuint64_t pad[6];
} CUstreamBatchMemOpParams_v1;

/** The CUstreamBatchMemOpParams_v1 in use. */
typedef CUstreamBatchMemOpParams_v1 CUstreamBatchMemOpParams;

/** Parameters of a memory-operation node. */
typedef struct CUDA_BATCH_MEM_OP_NODE_PARAMS_v1_st {
    CUcontext ctx;
    unsigned int count;
    CUstreamBatchMemOpParams *paramArray;
    unsigned int flags;
} CUDA_BATCH_MEM_OP_NODE_PARAMS_v1;

/** The CUDA_BATCH_MEM_OP_NODE_PARAMS_v1 in use. */
typedef CUDA_BATCH_MEM_OP_NODE_PARAMS_v1 CUDA_BATCH_MEM_OP_NODE_PARAMS;

/** Parameters of a memory-operation node in CUgraphNodeParams. */
typedef struct CUDA_BATCH_MEM_OP_NODE_PARAMS_v2_st {
    CUcontext ctx;
    unsigned int count;
    CUstreamBatchMemOpParams *paramArray;
    unsigned int flags;
} CUDA_BATCH_MEM_OP_NODE_PARAMS_v2;

/** Parameters of a kernel node that names a function. */
typedef struct CUDA_KERNEL_NODE_PARAMS_st {
    CUfunction func;
    unsigned int gridDimX;
    unsigned int gridDimY;
    unsigned int gridDimZ;
    unsigned int blockDimX;
    unsigned int blockDimY;
    unsigned int blockDimZ;
    unsigned int sharedMemBytes;
    void **kernelParams;
    void **extra;
} CUDA_KERNEL_NODE_PARAMS_v1;

/** A kernel of a library. */
typedef struct CUkern_st *CUkernel;

/** Parameters of a kernel node that names a function or a kernel. */
typedef struct CUDA_KERNEL_NODE_PARAMS_v2_st {
    CUfunction func;
    unsigned int gridDimX;
    unsigned int gridDimY;
    unsigned int gridDimZ;
    unsigned int blockDimX;
    unsigned int blockDimY;
    unsigned int blockDimZ;
    unsigned int sharedMemBytes;
    void **kernelParams;
    void **extra;
    CUkernel kern;
    CUcontext ctx;
} CUDA_KERNEL_NODE_PARAMS_v2;

/** The CUDA_KERNEL_NODE_PARAMS_v2 in use. */
typedef CUDA_KERNEL_NODE_PARAMS_v2 CUDA_KERNEL_NODE_PARAMS;

/** Parameters of a kernel node in CUgraphNodeParams. */
typedef struct CUDA_KERNEL_NODE_PARAMS_v3_st {
    CUfunction func;
    unsigned int gridDimX;
    unsigned int gridDimY;
    unsigned int gridDimZ;
    unsigned int blockDimX;
    unsigned int blockDimY;
    unsigned int blockDimZ;
    unsigned int sharedMemBytes;
    void **kernelParams;
    void **extra;
    CUkernel kern;
    CUcontext ctx;
} CUDA_KERNEL_NODE_PARAMS_v3;

/** Parameters of a memset node. */
typedef struct CUDA_MEMSET_NODE_PARAMS_st {
    CUdeviceptr dst;
    size_t pitch;
    unsigned int value;
    unsigned int elementSize;
    size_t width;
    size_t height;
} CUDA_MEMSET_NODE_PARAMS_v1;

/** The CUDA_MEMSET_NODE_PARAMS_v1 in use. */
typedef CUDA_MEMSET_NODE_PARAMS_v1 CUDA_MEMSET_NODE_PARAMS;

/** Parameters of a memset node in CUgraphNodeParams. */
typedef struct CUDA_MEMSET_NODE_PARAMS_v2_st {
    CUdeviceptr dst;
    size_t pitch;
    unsigned int value;
    unsigned int elementSize;
    size_t width;
    size_t height;
    CUcontext ctx;
} CUDA_MEMSET_NODE_PARAMS_v2;

/** A host function on a stream or in a graph. */
typedef void (*CUhostFn)(void *userData);

/** Parameters of a host node. */
typedef struct CUDA_HOST_NODE_PARAMS_st {
    CUhostFn fn;
    void *userData;
} CUDA_HOST_NODE_PARAMS_v1;

/** The CUDA_HOST_NODE_PARAMS_v1 in use. */
typedef CUDA_HOST_NODE_PARAMS_v1 CUDA_HOST_NODE_PARAMS;

/** A green context. */
typedef struct CUgreenCtx_st *CUgreenCtx;

/** Parameters of a host node in CUgraphNodeParams. */
typedef struct CUDA_HOST_NODE_PARAMS_v2_st {
    CUhostFn fn;
    void *userData;
    unsigned int syncMode;
    union {
        CUcontext ctx;
        CUgreenCtx gCtx;
    };
} CUDA_HOST_NODE_PARAMS_v2;

/** Kinds of conditional nodes. */
typedef enum CUgraphConditionalNodeType_enum {
    CU_GRAPH_COND_TYPE_IF = 0,
    CU_GRAPH_COND_TYPE_WHILE = 1,
    CU_GRAPH_COND_TYPE_SWITCH = 2
} CUgraphConditionalNodeType;

/** Parameters of a conditional node. */
typedef struct CUDA_CONDITIONAL_NODE_PARAMS {
    CUgraphConditionalHandle handle;
    CUgraphConditionalNodeType type;
    unsigned int size;
    CUgraph *phGraph_out;
    CUcontext ctx;
} CUDA_CONDITIONAL_NODE_PARAMS;

/** Kinds of nodes. */
typedef enum CUgraphNodeType_enum {
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
    CU_GRAPH_NODE_TYPE_FABRIC_CPY_BATCH = 18
} CUgraphNodeType;

/** Kinds of edges. */
typedef enum CUgraphDependencyType_enum {
    CU_GRAPH_DEPENDENCY_TYPE_DEFAULT = 0,
    CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC = 1
} CUgraphDependencyType;

/** Data of an edge. */
typedef struct CUgraphEdgeData_st {
    unsigned char from_port;
    unsigned char to_port;
    unsigned char type;
    unsigned char reserved[5];
} CUgraphEdgeData;

/** Why making an executable graph failed. */
typedef enum CUgraphInstantiateResult_enum {
    CUDA_GRAPH_INSTANTIATE_SUCCESS = 0,
    CUDA_GRAPH_INSTANTIATE_ERROR = 1,
    CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE = 2,
    CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED = 3,
    CUDA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED = 4,
    CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED = 5
} CUgraphInstantiateResult;

/** Parameters and result of making an executable graph. */
typedef struct CUDA_GRAPH_INSTANTIATE_PARAMS_st {
    cuuint64_t flags;
    CUstream hUploadStream;
    CUgraphNode hErrNode_out;
    CUgraphInstantiateResult result_out;
} CUDA_GRAPH_INSTANTIATE_PARAMS;

/** Parameters of a copy node in CUgraphNodeParams. */
typedef struct CUDA_MEMCPY_NODE_PARAMS_st {
    int flags;
    int reserved;
    CUcontext copyCtx;
    CUDA_MEMCPY3D copyParams;
} CUDA_MEMCPY_NODE_PARAMS;

/** Parameters of a semaphore-signal node. */
typedef struct CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_st {
    CUexternalSemaphore *extSemArray;
    const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *paramsArray;
    unsigned int numExtSems;
} CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v1;

/** The CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v1 in use. */
typedef CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v1 CUDA_EXT_SEM_SIGNAL_NODE_PARAMS;

/** Parameters of a semaphore-signal node in CUgraphNodeParams. */
typedef struct CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2_st {
    CUexternalSemaphore *extSemArray;
    const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *paramsArray;
    unsigned int numExtSems;
    union {
        CUcontext ctx;
        CUgreenCtx gCtx;
    };
} CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2;

/** Parameters of a semaphore-wait node. */
typedef struct CUDA_EXT_SEM_WAIT_NODE_PARAMS_st {
    CUexternalSemaphore *extSemArray;
    const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *paramsArray;
    unsigned int numExtSems;
} CUDA_EXT_SEM_WAIT_NODE_PARAMS_v1;

/** The CUDA_EXT_SEM_WAIT_NODE_PARAMS_v1 in use. */
typedef CUDA_EXT_SEM_WAIT_NODE_PARAMS_v1 CUDA_EXT_SEM_WAIT_NODE_PARAMS;

/** Parameters of a semaphore-wait node in CUgraphNodeParams. */
typedef struct CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2_st {
    CUexternalSemaphore *extSemArray;
    const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *paramsArray;
    unsigned int numExtSems;
    union {
        CUcontext ctx;
        CUgreenCtx gCtx;
    };
} CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2;

/** Why an executable graph could not be updated. */
typedef enum CUgraphExecUpdateResult_enum {
    CU_GRAPH_EXEC_UPDATE_SUCCESS = 0x0,
    CU_GRAPH_EXEC_UPDATE_ERROR = 0x1,
    CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED = 0x2,
    CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED = 0x3,
    CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED = 0x4,
    CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED = 0x5,
    CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED = 0x6,
    CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE = 0x7,
    CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED = 0x8
} CUgraphExecUpdateResult;

/** Result of updating an executable graph. */
typedef struct CUgraphExecUpdateResultInfo_st {
    CUgraphExecUpdateResult result;
    CUgraphNode errorNode;
    CUgraphNode errorFromNode;
} CUgraphExecUpdateResultInfo_v1;

/** The CUgraphExecUpdateResultInfo_v1 in use. */
typedef CUgraphExecUpdateResultInfo_v1 CUgraphExecUpdateResultInfo;

/** Kinds of physical memory. */
typedef enum CUmemAllocationType_enum {
    CU_MEM_ALLOCATION_TYPE_INVALID = 0x0,
    CU_MEM_ALLOCATION_TYPE_PINNED = 0x1,
    CU_MEM_ALLOCATION_TYPE_MANAGED = 0x2,
    CU_MEM_ALLOCATION_TYPE_MAX = 0x7FFFFFFF
} CUmemAllocationType;

/** Operating-system handles through which memory can be shared, as bits. */
typedef enum CUmemAllocationHandleType_enum {
    CU_MEM_HANDLE_TYPE_NONE = 0x0,
    CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 0x1,
    CU_MEM_HANDLE_TYPE_WIN32 = 0x2,
    CU_MEM_HANDLE_TYPE_WIN32_KMT = 0x4,
    CU_MEM_HANDLE_TYPE_FABRIC = 0x8,
    CU_MEM_HANDLE_TYPE_MAX = 0x7FFFFFFF
} CUmemAllocationHandleType;

/** Kinds of places where memory can be. */
typedef enum CUmemLocationType_enum {
    CU_MEM_LOCATION_TYPE_INVALID = 0x0,
    CU_MEM_LOCATION_TYPE_NONE = 0x0,
    CU_MEM_LOCATION_TYPE_DEVICE = 0x1,
    CU_MEM_LOCATION_TYPE_HOST = 0x2,
    CU_MEM_LOCATION_TYPE_HOST_NUMA = 0x3,
    CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT = 0x4,
    CU_MEM_LOCATION_TYPE_INVISIBLE = 0x5,
    CU_MEM_LOCATION_TYPE_DEVICE_LOCALITY_DOMAIN = 0x6,
    CU_MEM_LOCATION_TYPE_MAX = 0x7FFFFFFF
} CUmemLocationType;

/** A place where memory can be. */
typedef struct CUmemLocation_st {
    CUmemLocationType type;
    union {
        int id;
        struct {
            unsigned char deviceId;
            unsigned char localityDomainId;
        } localized;
    };
} CUmemLocation_v1;

/** The CUmemLocation_v1 in use. */
typedef CUmemLocation_v1 CUmemLocation;

/** Properties of a new pool. */
typedef struct CUmemPoolProps_st {
    CUmemAllocationType allocType;
    CUmemAllocationHandleType handleTypes;
    CUmemLocation location;
    void *win32SecurityAttributes;
    size_t maxSize;
    unsigned short usage;
    unsigned char gpuDirectRDMACapable;
    unsigned char reserved[53];
} CUmemPoolProps_v1;

/** The CUmemPoolProps_v1 in use. */
typedef CUmemPoolProps_v1 CUmemPoolProps;

/** Access of a location to memory. */
typedef enum CUmemAccess_flags_enum {
    CU_MEM_ACCESS_FLAGS_PROT_NONE = 0x0,
    CU_MEM_ACCESS_FLAGS_PROT_READ = 0x1,
    CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 0x3,
    CU_MEM_ACCESS_FLAGS_PROT_MAX = 0x7FFFFFFF
} CUmemAccess_flags;

/** Access granted to a location. */
typedef struct CUmemAccessDesc_st {
    CUmemLocation location;
    CUmemAccess_flags flags;
} CUmemAccessDesc_v1;

/** The CUmemAccessDesc_v1 in use. */
typedef CUmemAccessDesc_v1 CUmemAccessDesc;

/** Parameters of an allocation node. */
typedef struct CUDA_MEM_ALLOC_NODE_PARAMS_v1_st {
    CUmemPoolProps poolProps;
    const CUmemAccessDesc *accessDescs;
    size_t accessDescCount;
    size_t bytesize;
    CUdeviceptr dptr;
} CUDA_MEM_ALLOC_NODE_PARAMS_v1;

/** The CUDA_MEM_ALLOC_NODE_PARAMS_v1 in use. */
typedef CUDA_MEM_ALLOC_NODE_PARAMS_v1 CUDA_MEM_ALLOC_NODE_PARAMS;

/** Parameters of an allocation node in CUgraphNodeParams. */
typedef struct CUDA_MEM_ALLOC_NODE_PARAMS_v2_st {
    CUmemPoolProps poolProps;
    const CUmemAccessDesc *accessDescs;
    size_t accessDescCount;
    size_t bytesize;
    CUdeviceptr dptr;
} CUDA_MEM_ALLOC_NODE_PARAMS_v2;

/** Parameters of a free node. */
typedef struct CUDA_MEM_FREE_NODE_PARAMS_st {
    CUdeviceptr dptr;
} CUDA_MEM_FREE_NODE_PARAMS;

/** Counters of graph allocations. */
typedef enum CUgraphMem_attribute_enum {
    CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT = 0,
    CU_GRAPH_MEM_ATTR_USED_MEM_HIGH = 1,
    CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT = 2,
    CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH = 3
} CUgraphMem_attribute;

/** Who owns the graph of a child node. */
typedef enum CUgraphChildGraphNodeOwnership_enum {
    CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE = 0,
    CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE = 1,
    CU_GRAPH_CHILD_GRAPH_OWNERSHIP_INVALID = -1
} CUgraphChildGraphNodeOwnership;

/** Parameters of a child node. */
typedef struct CUDA_CHILD_GRAPH_NODE_PARAMS_st {
    CUgraph graph;
    CUgraphChildGraphNodeOwnership ownership;
} CUDA_CHILD_GRAPH_NODE_PARAMS;

/** Parameters of an event-recording node. */
typedef struct CUDA_EVENT_RECORD_NODE_PARAMS_st {
    CUevent event;
    union {
        CUcontext ctx;
        CUgreenCtx gCtx;
    };
} CUDA_EVENT_RECORD_NODE_PARAMS;

/** Parameters of an event-waiting node. */
typedef struct CUDA_EVENT_WAIT_NODE_PARAMS_st {
    CUevent event;
} CUDA_EVENT_WAIT_NODE_PARAMS;

/** When a batched copy may read its source. */
typedef enum CUmemcpySrcAccessOrder_enum {
    CU_MEMCPY_SRC_ACCESS_ORDER_INVALID = 0x0,
    CU_MEMCPY_SRC_ACCESS_ORDER_STREAM = 0x1,
    CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL = 0x2,
    CU_MEMCPY_SRC_ACCESS_ORDER_ANY = 0x3,
    CU_MEMCPY_SRC_ACCESS_ORDER_MAX = 0x7FFFFFFF
} CUmemcpySrcAccessOrder;

/** Attributes shared by a range of batched copies. */
typedef struct CUmemcpyAttributes_st {
    CUmemcpySrcAccessOrder srcAccessOrder;
    CUmemLocation srcLocHint;
    CUmemLocation dstLocHint;
    unsigned int flags;
} CUmemcpyAttributes_v1;

/** The CUmemcpyAttributes_v1 in use. */
typedef CUmemcpyAttributes_v1 CUmemcpyAttributes;

/** Parameters of a node with several copies. */
typedef struct CUDA_MEMCPY_BATCH_NODE_PARAMS_V1_st {
    size_t count;
    CUdeviceptr *dsts;
    CUdeviceptr *srcs;
    size_t *sizes;
    CUmemcpyAttributes *attrs;
    size_t *attrsIdxs;
    size_t numAttrs;
    union {
        CUcontext ctx;
        CUgreenCtx gCtx;
    };
} CUDA_MEMCPY_BATCH_NODE_PARAMS_V1;

/** The CUDA_MEMCPY_BATCH_NODE_PARAMS_V1 in use. */
typedef CUDA_MEMCPY_BATCH_NODE_PARAMS_V1 CUDA_MEMCPY_BATCH_NODE_PARAMS;

/** Kinds of operands of a fabric copy. */
typedef enum CUfabricCpyOperandType_enum {
    CU_FABRIC_COPY_OPERAND_TYPE_POINTER = 0x1,
    CU_FABRIC_COPY_OPERAND_TYPE_LOGICAL_ENDPOINT = 0x2,
    CU_FABRIC_COPY_OPERAND_TYPE_MAX = 0x7FFFFFFF
} CUfabricCpyOperandType;

/** A logical endpoint, as a number. */
typedef cuuint32_t CUlogicalEndpointId;

/** One side of a fabric copy. */
typedef struct CUfabricCpyOperand_st {
    CUfabricCpyOperandType type;
    union {
        struct {
            CUdeviceptr ptr;
            CUmemLocation locHint;
        } ptr;
        struct {
            CUlogicalEndpointId id;
            cuuint64_t offset;
        } le;
    } op;
} CUfabricCpyOperand;

/** One fabric copy. */
typedef struct CUDA_FABRIC_COPY_BATCH_OP_st {
    CUfabricCpyOperand src;
    CUfabricCpyOperand dst;
    size_t size;
    unsigned int flags;
} CUDA_FABRIC_COPY_BATCH_OP_v1;

/** The CUDA_FABRIC_COPY_BATCH_OP_v1 in use. */
typedef CUDA_FABRIC_COPY_BATCH_OP_v1 CUDA_FABRIC_COPY_BATCH_OP;

/** Parameters of a node with several fabric copies. */
typedef struct CUDA_FABRIC_CPY_BATCH_NODE_PARAMS_V1_st {
    size_t numOps;
    CUDA_FABRIC_COPY_BATCH_OP *opList;
    unsigned long long flags;
    union {
        CUcontext ctx;
        CUgreenCtx gCtx;
    };
} CUDA_FABRIC_CPY_BATCH_NODE_PARAMS_V1;

/** The CUDA_FABRIC_CPY_BATCH_NODE_PARAMS_V1 in use. */
typedef CUDA_FABRIC_CPY_BATCH_NODE_PARAMS_V1 CUDA_FABRIC_CPY_BATCH_NODE_PARAMS;

/** Parameters of a node of any kind. */
typedef struct CUgraphNodeParams_st {
    CUgraphNodeType type;
    int reserved0[3];
    union {
        long long reserved1[29];
        CUDA_KERNEL_NODE_PARAMS_v3 kernel;
        CUDA_MEMCPY_NODE_PARAMS memcpy;
        CUDA_MEMSET_NODE_PARAMS_v2 memset;
        CUDA_HOST_NODE_PARAMS_v2 host;
        CUDA_CHILD_GRAPH_NODE_PARAMS graph;
        CUDA_EVENT_WAIT_NODE_PARAMS eventWait;
        CUDA_EVENT_RECORD_NODE_PARAMS eventRecord;
        CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2 extSemSignal;
        CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2 extSemWait;
        CUDA_MEM_ALLOC_NODE_PARAMS_v2 alloc;
        CUDA_MEM_FREE_NODE_PARAMS free;
        CUDA_BATCH_MEM_OP_NODE_PARAMS_v2 memOp;
        CUDA_CONDITIONAL_NODE_PARAMS conditional;
        CUDA_MEMCPY_BATCH_NODE_PARAMS_V1 memcpyBatch;
        CUDA_FABRIC_CPY_BATCH_NODE_PARAMS_V1 fabricCpyBatch;
        char asBytes[232];
    };
    long long reserved2;
} CUgraphNodeParams;

/** What is written about each node in DOT format. */
typedef enum CUgraphDebugDot_flags_enum {
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
    CU_GRAPH_DEBUG_DOT_FLAGS_FABRIC_CPY_BATCH_NODE_PARAMS = 0x20000
} CUgraphDebugDot_flags;

/** Flags of a user object. */
typedef enum CUuserObject_flags_enum {
    CU_USER_OBJECT_NO_DESTRUCTOR_SYNC = 1
} CUuserObject_flags;

/** Flags of owning a user object. */
typedef enum CUuserObjectRetain_flags_enum {
    CU_GRAPH_USER_OBJECT_MOVE = 1
} CUuserObjectRetain_flags;

/** Flags of making an executable graph. */
typedef enum CUgraphInstantiate_flags_enum {
    CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH = 1,
    CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD = 2,
    CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH = 4,
    CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY = 8
} CUgraphInstantiate_flags;

/** How a captured node compares with the one that it replaces. */
typedef enum CUgraphRecaptureStatus_enum {
    CU_GRAPH_RECAPTURE_ELIGIBLE_FOR_UPDATE = 0,
    CU_GRAPH_RECAPTURE_INELIGIBLE_FOR_UPDATE = 1,
    CU_GRAPH_RECAPTURE_ERROR = 2
} CUgraphRecaptureStatus;

/** Called for each node of a capture over an existing graph. */
typedef CUresult (*CUgraphRecaptureCallback)(void *data,
                                             CUgraphNode node,
                                             const CUgraphNodeParams *originalParams,
                                             const CUgraphNodeParams *recaptureParams,
                                             CUgraphRecaptureStatus status);

/** Resources for a green context. */
typedef struct CUdevResourceDesc_st *CUdevResourceDesc;

/** Flags of a green context. */
typedef enum {
    CU_GREEN_CTX_NONE = 0x0,
    CU_GREEN_CTX_DEFAULT_STREAM = 0x1
} CUgreenCtxCreate_flags;

/** Flags of a group of multiprocessors. */
typedef enum {
    CU_DEV_SM_RESOURCE_GROUP_DEFAULT = 0,
    CU_DEV_SM_RESOURCE_GROUP_BACKFILL = 0x1,
    CU_DEV_SM_RESOURCE_GROUP_LOCALITY_DOMAIN_ID = 0x2,
    CU_DEV_SM_RESOURCE_GROUP_LOCALITY_DOMAIN_SUPPLEMENTAL_SMS = 0x4
} CUdevSmResourceGroup_flags;

/** Flags of splitting multiprocessors by count. */
typedef enum {
    CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING = 0x1,
    CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE = 0x2
} CUdevSmResourceSplitByCount_flags;

/** Kinds of device resources. */
typedef enum {
    CU_DEV_RESOURCE_TYPE_INVALID = 0,
    CU_DEV_RESOURCE_TYPE_SM = 1,
    CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG = 1000,
    CU_DEV_RESOURCE_TYPE_WORKQUEUE = 10000
} CUdevResourceType;

/** Multiprocessors as a resource. */
typedef struct CUdevSmResource_st {
    unsigned int smCount;
    unsigned int minSmPartitionSize;
    unsigned int smCoscheduledAlignment;
    unsigned int flags;
    unsigned int localityDomainId;
} CUdevSmResource;

/** Who shares work queues. */
typedef enum {
    CU_WORKQUEUE_SCOPE_DEVICE_CTX = 0,
    CU_WORKQUEUE_SCOPE_GREEN_CTX_BALANCED = 1
} CUdevWorkqueueConfigScope;

/** Configuration of work queues as a resource. */
typedef struct CUdevWorkqueueConfigResource_st {
    CUdevice device;
    unsigned int wqConcurrencyLimit;
    CUdevWorkqueueConfigScope sharingScope;
} CUdevWorkqueueConfigResource;

/** Existing work queues as a resource. */
typedef struct CUdevWorkqueueResource_st {
    unsigned char reserved[40];
} CUdevWorkqueueResource;

/** A wanted group of multiprocessors. */
typedef struct CU_DEV_SM_RESOURCE_GROUP_PARAMS_st {
    unsigned int smCount;
    unsigned int coscheduledSmCount;
    unsigned int preferredCoscheduledSmCount;
    unsigned int flags;
    unsigned int localityDomainId;
    unsigned int reserved[11];
} CU_DEV_SM_RESOURCE_GROUP_PARAMS;

/** A resource of a device. */
typedef struct CUdevResource_st {
    CUdevResourceType type;
    unsigned char _internal_padding[92];
    union {
        CUdevSmResource sm;
        CUdevWorkqueueConfigResource wqConfig;
        CUdevWorkqueueResource wq;
        unsigned char _oversize[40];
    };
    struct CUdevResource_st *nextResource;
} CUdevResource_v1;

/** The CUdevResource_v1 in use. */
typedef CUdevResource_v1 CUdevResource;

/** An event exported to other processes. */
typedef struct CUipcEventHandle_st {
    char reserved[64];
} CUipcEventHandle_v1;

/** The CUipcEventHandle_v1 in use. */
typedef CUipcEventHandle_v1 CUipcEventHandle;

/** A device allocation exported to other processes. */
typedef struct CUipcMemHandle_st {
    char reserved[64];
} CUipcMemHandle_v1;

/** The CUipcMemHandle_v1 in use. */
typedef CUipcMemHandle_v1 CUipcMemHandle;

/** Flags for opening exported memory. */
typedef enum CUipcMem_flags_enum {
    CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS = 0x1
} CUipcMem_flags;

/** Handles through which endpoints can be shared. */
typedef enum CUlogicalEndpointIpcHandleType_enum {
    CU_LOGICAL_ENDPOINT_IPC_HANDLE_TYPE_NONE = 0,
    CU_LOGICAL_ENDPOINT_IPC_HANDLE_TYPE_FABRIC = 1
} CUlogicalEndpointIpcHandleType;

/** An endpoint exported over the fabric. */
typedef struct CUlogicalEndpointFabricHandle_st {
    unsigned char data[64];
} CUlogicalEndpointFabricHandle;

/** Kinds of endpoints. */
typedef enum CUlogicalEndpointType_enum {
    CU_LOGICAL_ENDPOINT_TYPE_INVALID = 0,
    CU_LOGICAL_ENDPOINT_TYPE_UNICAST = 1,
    CU_LOGICAL_ENDPOINT_TYPE_MULTICAST = 2
} CUlogicalEndpointType;

/** Flags of an endpoint. */
typedef enum CUlogicalEndpointFlag_enum {
    CU_LOGICAL_ENDPOINT_FLAG_NONE = 0x0,
    CU_LOGICAL_ENDPOINT_FLAG_COUNTED_OPS = 0x1
} CUlogicalEndpointFlag;

/** Properties of an endpoint. */
typedef struct CUlogicalEndpointProp_struct {
    CUlogicalEndpointType type;
    union {
        struct {
            CUdevice device;
        } unicast;
        struct {
            unsigned int numDevices;
        } multicast;
    };
    unsigned long long size;
    unsigned int ipcHandleTypes;
    unsigned int flags;
} CUlogicalEndpointProp;

/** Who may use managed memory. */
typedef enum CUmemAttach_flags_enum {
    CU_MEM_ATTACH_GLOBAL = 0x1,
    CU_MEM_ATTACH_HOST = 0x2,
    CU_MEM_ATTACH_SINGLE = 0x4
} CUmemAttach_flags;

/** The attributes of an address. */
typedef enum CUpointer_attribute_enum {
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
    CU_POINTER_ATTRIBUTE_LOCALITY_DOMAIN_ORDINAL = 22
} CUpointer_attribute;

/** Advice on the use of managed memory. */
typedef enum CUmem_advise_enum {
    CU_MEM_ADVISE_SET_READ_MOSTLY = 1,
    CU_MEM_ADVISE_UNSET_READ_MOSTLY = 2,
    CU_MEM_ADVISE_SET_PREFERRED_LOCATION = 3,
    CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION = 4,
    CU_MEM_ADVISE_SET_ACCESSED_BY = 5,
    CU_MEM_ADVISE_UNSET_ACCESSED_BY = 6
} CUmem_advise;

/** The attributes of a range of managed memory. */
typedef enum CUmem_range_attribute_enum {
    CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY = 1,
    CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION = 2,
    CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY = 3,
    CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION = 4,
    CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE = 5,
    CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID = 6,
    CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE = 7,
    CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID = 8
} CUmem_range_attribute;

/** Tokens for the kernel-side peer-to-peer interface. */
typedef struct CUDA_POINTER_ATTRIBUTE_P2P_TOKENS_st {
    unsigned long long p2pToken;
    unsigned int vaSpaceToken;
} CUDA_POINTER_ATTRIBUTE_P2P_TOKENS_v1;

/** The CUDA_POINTER_ATTRIBUTE_P2P_TOKENS_v1 in use. */
typedef CUDA_POINTER_ATTRIBUTE_P2P_TOKENS_v1 CUDA_POINTER_ATTRIBUTE_P2P_TOKENS;

/** What a device may do with an address. */
typedef enum CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS_enum {
    CU_POINTER_ATTRIBUTE_ACCESS_FLAG_NONE = 0x0,
    CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READ = 0x1,
    CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE = 0x3
} CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS;

/** Flags of a batched copy. */
typedef enum CUmemcpyFlags_enum {
    CU_MEMCPY_FLAG_DEFAULT = 0x0,
    CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE = 0x1
} CUmemcpyFlags;

/** Kinds of operands of a batched box copy. */
typedef enum CUmemcpy3DOperandType_enum {
    CU_MEMCPY_OPERAND_TYPE_POINTER = 0x1,
    CU_MEMCPY_OPERAND_TYPE_ARRAY = 0x2,
    CU_MEMCPY_OPERAND_TYPE_MAX = 0x7FFFFFFF
} CUmemcpy3DOperandType;

/** An offset in an array, in elements. */
typedef struct CUoffset3D_st {
    size_t x;
    size_t y;
    size_t z;
} CUoffset3D_v1;

/** The CUoffset3D_v1 in use. */
typedef CUoffset3D_v1 CUoffset3D;

/** A box size in an array, in elements. */
typedef struct CUextent3D_st {
    size_t width;
    size_t height;
    size_t depth;
} CUextent3D_v1;

/** The CUextent3D_v1 in use. */
typedef CUextent3D_v1 CUextent3D;

/** One side of a batched box copy. */
typedef struct CUmemcpy3DOperand_st {
    CUmemcpy3DOperandType type;
    union {
        struct {
            CUdeviceptr ptr;
            size_t rowLength;
            size_t layerHeight;
            CUmemLocation locHint;
        } ptr;
        struct {
            CUarray array;
            CUoffset3D offset;
        } array;
    } op;
} CUmemcpy3DOperand_v1;

/** The CUmemcpy3DOperand_v1 in use. */
typedef CUmemcpy3DOperand_v1 CUmemcpy3DOperand;

/** One batched box copy. */
typedef struct CUDA_MEMCPY3D_BATCH_OP_st {
    CUmemcpy3DOperand src;
    CUmemcpy3DOperand dst;
    CUextent3D extent;
    CUmemcpySrcAccessOrder srcAccessOrder;
    unsigned int flags;
} CUDA_MEMCPY3D_BATCH_OP_v1;

/** The CUDA_MEMCPY3D_BATCH_OP_v1 in use. */
typedef CUDA_MEMCPY3D_BATCH_OP_v1 CUDA_MEMCPY3D_BATCH_OP;

/** Compression formats that a device can undo, as bits. */
typedef enum CUmemDecompressAlgorithm_enum {
    CU_MEM_DECOMPRESS_UNSUPPORTED = 0,
    CU_MEM_DECOMPRESS_ALGORITHM_DEFLATE = 0x1,
    CU_MEM_DECOMPRESS_ALGORITHM_SNAPPY = 0x2,
    CU_MEM_DECOMPRESS_ALGORITHM_LZ4 = 0x4
} CUmemDecompressAlgorithm;

/** One buffer to decompress. */
typedef struct CUmemDecompressParams_st {
    size_t srcNumBytes;
    size_t dstNumBytes;
    cuuint32_t *dstActBytes;
    const void *src;
    void *dst;
    CUmemDecompressAlgorithm algo;
    unsigned char padding[20];
} CUmemDecompressParams;

/** A module. */
typedef struct CUmod_st *CUmodule;

/** A library. */
typedef struct CUlib_st *CUlibrary;

/** The attributes of a function. */
typedef enum CUfunction_attribute_enum {
    CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
    CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
    CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2,
    CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
    CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
    CU_FUNC_ATTRIBUTE_PTX_VERSION = 5,
    CU_FUNC_ATTRIBUTE_BINARY_VERSION = 6,
    CU_FUNC_ATTRIBUTE_CACHE_MODE_CA = 7,
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
    CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 9,
    CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET = 10,
    CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH = 11,
    CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT = 12,
    CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH = 13,
    CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14,
    CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE = 15,
    CU_FUNC_ATTRIBUTE_DEVICE_NODE_UPDATE_SUPPORTED = 16,
    CU_FUNC_ATTRIBUTE_SHARED_MEMORY_MODE = 17,
    CU_FUNC_ATTRIBUTE_MAX = 18
} CUfunction_attribute;

/** Preferred share of shared memory, in percent, or one of these. */
typedef enum CUshared_carveout_enum {
    CU_SHAREDMEM_CARVEOUT_DEFAULT = -1,
    CU_SHAREDMEM_CARVEOUT_MAX_SHARED = 100,
    CU_SHAREDMEM_CARVEOUT_MAX_L1 = 0
} CUshared_carveout;

/** Options of the compiler and the linker. */
typedef enum CUjit_option_enum {
    CU_JIT_MAX_REGISTERS = 0,
    CU_JIT_THREADS_PER_BLOCK = 1,
    CU_JIT_WALL_TIME = 2,
    CU_JIT_INFO_LOG_BUFFER = 3,
    CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,
    CU_JIT_ERROR_LOG_BUFFER = 5,
    CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
    CU_JIT_OPTIMIZATION_LEVEL = 7,
    CU_JIT_TARGET_FROM_CUCONTEXT = 8,
    CU_JIT_TARGET = 9,
    CU_JIT_FALLBACK_STRATEGY = 10,
    CU_JIT_GENERATE_DEBUG_INFO = 11,
    CU_JIT_LOG_VERBOSE = 12,
    CU_JIT_GENERATE_LINE_INFO = 13,
    CU_JIT_CACHE_MODE = 14,
    CU_JIT_NEW_SM3X_OPT = 15,
    CU_JIT_FAST_COMPILE = 16,
    CU_JIT_GLOBAL_SYMBOL_NAMES = 17,
    CU_JIT_GLOBAL_SYMBOL_ADDRESSES = 18,
    CU_JIT_GLOBAL_SYMBOL_COUNT = 19,
    CU_JIT_LTO = 20,
    CU_JIT_FTZ = 21,
    CU_JIT_PREC_DIV = 22,
    CU_JIT_PREC_SQRT = 23,
    CU_JIT_FMA = 24,
    CU_JIT_REFERENCED_KERNEL_NAMES = 25,
    CU_JIT_REFERENCED_KERNEL_COUNT = 26,
    CU_JIT_REFERENCED_VARIABLE_NAMES = 27,
    CU_JIT_REFERENCED_VARIABLE_COUNT = 28,
    CU_JIT_OPTIMIZE_UNUSED_DEVICE_VARIABLES = 29,
    CU_JIT_POSITION_INDEPENDENT_CODE = 30,
    CU_JIT_MIN_CTA_PER_SM = 31,
    CU_JIT_MAX_THREADS_PER_BLOCK = 32,
    CU_JIT_OVERRIDE_DIRECTIVE_VALUES = 33,
    CU_JIT_SPLIT_COMPILE = 34,
    CU_JIT_BINARY_LOADER_THREAD_COUNT = 35,
    CU_JIT_NUM_OPTIONS = 36
} CUjit_option;

/** Architectures to compile for. */
typedef enum CUjit_target_enum {
    CU_TARGET_COMPUTE_30 = 30,
    CU_TARGET_COMPUTE_32 = 32,
    CU_TARGET_COMPUTE_35 = 35,
    CU_TARGET_COMPUTE_37 = 37,
    CU_TARGET_COMPUTE_50 = 50,
    CU_TARGET_COMPUTE_52 = 52,
    CU_TARGET_COMPUTE_53 = 53,
    CU_TARGET_COMPUTE_60 = 60,
    CU_TARGET_COMPUTE_61 = 61,
    CU_TARGET_COMPUTE_62 = 62,
    CU_TARGET_COMPUTE_70 = 70,
    CU_TARGET_COMPUTE_72 = 72,
    CU_TARGET_COMPUTE_75 = 75,
    CU_TARGET_COMPUTE_80 = 80,
    CU_TARGET_COMPUTE_86 = 86,
    CU_TARGET_COMPUTE_87 = 87,
    CU_TARGET_COMPUTE_89 = 89,
    CU_TARGET_COMPUTE_90 = 90,
    CU_TARGET_COMPUTE_100 = 100,
    CU_TARGET_COMPUTE_110 = 110,
    CU_TARGET_COMPUTE_103 = 103,
    CU_TARGET_COMPUTE_107 = 107,
    CU_TARGET_COMPUTE_120 = 120,
    CU_TARGET_COMPUTE_121 = 121,
    CU_TARGET_COMPUTE_90A = 65626,
    CU_TARGET_COMPUTE_100A = 65636,
    CU_TARGET_COMPUTE_110A = 65646,
    CU_TARGET_COMPUTE_103A = 65639,
    CU_TARGET_COMPUTE_107A = 65643,
    CU_TARGET_COMPUTE_120A = 65656,
    CU_TARGET_COMPUTE_121A = 65657,
    CU_TARGET_COMPUTE_100F = 131172,
    CU_TARGET_COMPUTE_110F = 131182,
    CU_TARGET_COMPUTE_103F = 131175,
    CU_TARGET_COMPUTE_107F = 131179,
    CU_TARGET_COMPUTE_120F = 131192,
    CU_TARGET_COMPUTE_121F = 131193
} CUjit_target;

/** What to do if no binary suits the device. */
typedef enum CUjit_fallback_enum {
    CU_PREFER_PTX = 0,
    CU_PREFER_BINARY = 1
} CUjit_fallback;

/** How loads are cached by default. */
typedef enum CUjit_cacheMode_enum {
    CU_JIT_CACHE_OPTION_NONE = 0,
    CU_JIT_CACHE_OPTION_CG = 1,
    CU_JIT_CACHE_OPTION_CA = 2
} CUjit_cacheMode;

/** Kinds of inputs of a link. */
typedef enum CUjitInputType_enum {
    CU_JIT_INPUT_CUBIN = 0,
    CU_JIT_INPUT_PTX = 1,
    CU_JIT_INPUT_FATBINARY = 2,
    CU_JIT_INPUT_OBJECT = 3,
    CU_JIT_INPUT_LIBRARY = 4,
    CU_JIT_INPUT_NVVM = 5,
    CU_JIT_NUM_INPUT_TYPES = 6
} CUjitInputType;

/** A link in progress. */
typedef struct CUlinkState_st *CUlinkState;

/** Options of loading a library. */
typedef enum CUlibraryOption_enum {
    CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE = 0,
    CU_LIBRARY_BINARY_IS_PRESERVED = 1,
    CU_LIBRARY_NUM_OPTIONS = 2
} CUlibraryOption;

/** Host tables for unified functions and data. */
typedef struct CUlibraryHostUniversalFunctionAndDataTable_st {
    void *functionTable;
    size_t functionWindowSize;
    void *dataTable;
    size_t dataWindowSize;
} CUlibraryHostUniversalFunctionAndDataTable;

/** When modules are loaded. */
typedef enum CUmoduleLoadingMode_enum {
    CU_MODULE_EAGER_LOADING = 0x1,
    CU_MODULE_LAZY_LOADING = 0x2
} CUmoduleLoadingMode;

/** Whether a function is loaded. */
typedef enum CUfunctionLoadingState_enum {
    CU_FUNCTION_LOADING_STATE_UNLOADED = 0,
    CU_FUNCTION_LOADING_STATE_LOADED = 1,
    CU_FUNCTION_LOADING_STATE_MAX = 2
} CUfunctionLoadingState;

/** A memory pool. */
typedef struct CUmemPoolHandle_st *CUmemoryPool;

/** The attributes of a pool. */
typedef enum CUmemPool_attribute_enum {
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
    CU_MEMPOOL_ATTR_LOCALITY_DOMAIN_ID = 15
} CUmemPool_attribute;

/** One exported allocation of a pool. */
typedef struct CUmemPoolPtrExportData_st {
    unsigned char reserved[64];
} CUmemPoolPtrExportData_v1;

/** The CUmemPoolPtrExportData_v1 in use. */
typedef CUmemPoolPtrExportData_v1 CUmemPoolPtrExportData;

/** How the thread that runs host functions waits for a stream. */
typedef enum CUhostTaskSyncMode_enum {
    CU_HOST_TASK_BLOCKING = 0x0,
    CU_HOST_TASK_SPINWAIT = 0x1
} CUhostTaskSyncMode;

/** Flags of a stream. */
typedef enum CUstream_flags_enum {
    CU_STREAM_DEFAULT = 0x0,
    CU_STREAM_NON_BLOCKING = 0x1
} CUstream_flags;

/** Conditions of a wait for a value. */
typedef enum CUstreamWaitValue_flags_enum {
    CU_STREAM_WAIT_VALUE_GEQ = 0x0,
    CU_STREAM_WAIT_VALUE_EQ = 0x1,
    CU_STREAM_WAIT_VALUE_AND = 0x2,
    CU_STREAM_WAIT_VALUE_NOR = 0x3,
    CU_STREAM_WAIT_VALUE_FLUSH = 0x40000000
} CUstreamWaitValue_flags;

/** Flags of a write of a value. */
typedef enum CUstreamWriteValue_flags_enum {
    CU_STREAM_WRITE_VALUE_DEFAULT = 0x0,
    CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER = 0x1
} CUstreamWriteValue_flags;

/** Scope of a barrier among stream memory operations. */
typedef enum CUstreamMemoryBarrier_flags_enum {
    CU_STREAM_MEMORY_BARRIER_TYPE_SYS = 0x0,
    CU_STREAM_MEMORY_BARRIER_TYPE_GPU = 0x1
} CUstreamMemoryBarrier_flags;

/** Whether capture dependencies are added or replaced. */
typedef enum CUstreamUpdateCaptureDependencies_flags_enum {
    CU_STREAM_ADD_CAPTURE_DEPENDENCIES = 0x0,
    CU_STREAM_SET_CAPTURE_DEPENDENCIES = 0x1
} CUstreamUpdateCaptureDependencies_flags;

/** Whether a stream is being captured. */
typedef enum CUstreamCaptureStatus_enum {
    CU_STREAM_CAPTURE_STATUS_NONE = 0,
    CU_STREAM_CAPTURE_STATUS_ACTIVE = 1,
    CU_STREAM_CAPTURE_STATUS_INVALIDATED = 2
} CUstreamCaptureStatus;

/** How strictly a capture forbids unrelated calls. */
typedef enum CUstreamCaptureMode_enum {
    CU_STREAM_CAPTURE_MODE_GLOBAL = 0,
    CU_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1,
    CU_STREAM_CAPTURE_MODE_RELAXED = 2
} CUstreamCaptureMode;

/** What a capture for a graphics queue shares. */
typedef enum CUstreamCigDataType_enum {
    STREAM_CIG_DATA_TYPE_D3D12_COMMAND_LIST = 0x1,
    STREAM_CIG_DATA_TYPE_VULKAN_COMMAND_BUFFER_HANDLE_NV = 0x2
} CUstreamCigDataType;

/** Parameters shared with a graphics queue. */
typedef struct CUstreamCigParam_st {
    CUstreamCigDataType streamSharedDataType;
    void *streamSharedData;
} CUstreamCigParam;

/** Parameters of a capture for a graphics queue. */
typedef struct CUstreamCigCaptureParams_st {
    CUstreamCigParam *streamCigParams;
} CUstreamCigCaptureParams;

/** A host callback on a stream that is also called after errors. */
typedef void (*CUstreamCallback)(CUstream hStream, CUresult status, void *userData);

/** A texture reference. */
typedef struct CUtexref_st *CUtexref;

/** A surface reference. */
typedef struct CUsurfref_st *CUsurfref;

/** A texture object. */
typedef unsigned long long CUtexObject_v1;

/** The CUtexObject_v1 in use. */
typedef CUtexObject_v1 CUtexObject;

/** A surface object. */
typedef unsigned long long CUsurfObject_v1;

/** The CUsurfObject_v1 in use. */
typedef CUsurfObject_v1 CUsurfObject;

/** What happens outside a texture. */
typedef enum CUaddress_mode_enum {
    CU_TR_ADDRESS_MODE_WRAP = 0,
    CU_TR_ADDRESS_MODE_CLAMP = 1,
    CU_TR_ADDRESS_MODE_MIRROR = 2,
    CU_TR_ADDRESS_MODE_BORDER = 3
} CUaddress_mode;

/** How texture elements are interpolated. */
typedef enum CUfilter_mode_enum {
    CU_TR_FILTER_MODE_POINT = 0,
    CU_TR_FILTER_MODE_LINEAR = 1
} CUfilter_mode;

/** Kinds of resources behind textures and surfaces. */
typedef enum CUresourcetype_enum {
    CU_RESOURCE_TYPE_ARRAY = 0x00,
    CU_RESOURCE_TYPE_MIPMAPPED_ARRAY = 0x01,
    CU_RESOURCE_TYPE_LINEAR = 0x02,
    CU_RESOURCE_TYPE_PITCH2D = 0x03
} CUresourcetype;

/** The resource behind a texture or surface object. */
typedef struct CUDA_RESOURCE_DESC_st {
    CUresourcetype resType;
    union {
        struct {
            CUarray hArray;
        } array;
        struct {
            CUmipmappedArray hMipmappedArray;
        } mipmap;
        struct {
            CUdeviceptr devPtr;
            CUarray_format format;
            unsigned int numChannels;
            size_t sizeInBytes;
        } linear;
        struct {
            CUdeviceptr devPtr;
            CUarray_format format;
            unsigned int numChannels;
            size_t width;
            size_t height;
            size_t pitchInBytes;
        } pitch2D;
        struct {
            int reserved[32];
        } reserved;
    } res;
    unsigned int flags;
} CUDA_RESOURCE_DESC_v1;

/** The CUDA_RESOURCE_DESC_v1 in use. */
typedef CUDA_RESOURCE_DESC_v1 CUDA_RESOURCE_DESC;

/** Sampling parameters of a texture object. */
typedef struct CUDA_TEXTURE_DESC_st {
    CUaddress_mode addressMode[3];
    CUfilter_mode filterMode;
    unsigned int flags;
    unsigned int maxAnisotropy;
    CUfilter_mode mipmapFilterMode;
    float mipmapLevelBias;
    float minMipmapLevelClamp;
    float maxMipmapLevelClamp;
    float borderColor[4];
    int reserved[12];
} CUDA_TEXTURE_DESC_v1;

/** The CUDA_TEXTURE_DESC_v1 in use. */
typedef CUDA_TEXTURE_DESC_v1 CUDA_TEXTURE_DESC;

/** Element formats of a resource view. */
typedef enum CUresourceViewFormat_enum {
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
    CU_RES_VIEW_FORMAT_UNSIGNED_BC7 = 0x22
} CUresourceViewFormat;

/** A view of a resource with another format or extent. */
typedef struct CUDA_RESOURCE_VIEW_DESC_st {
    CUresourceViewFormat format;
    size_t width;
    size_t height;
    size_t depth;
    unsigned int firstMipmapLevel;
    unsigned int lastMipmapLevel;
    unsigned int firstLayer;
    unsigned int lastLayer;
    unsigned int reserved[16];
} CUDA_RESOURCE_VIEW_DESC_v1;

/** The CUDA_RESOURCE_VIEW_DESC_v1 in use. */
typedef CUDA_RESOURCE_VIEW_DESC_v1 CUDA_RESOURCE_VIEW_DESC;

/** Encoded tensor descriptor; aligned to 128 bytes. */
typedef struct CU_DOPPEL_ALIGN(128) CUtensorMap_st {
    cuuint64_t opaque[16];
} CUtensorMap;

/** Element types of a tensor. */
typedef enum CUtensorMapDataType_enum {
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
    CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B = 15
} CUtensorMapDataType;

/** Interleaved layouts of a tensor. */
typedef enum CUtensorMapInterleave_enum {
    CU_TENSOR_MAP_INTERLEAVE_NONE = 0,
    CU_TENSOR_MAP_INTERLEAVE_16B = 1,
    CU_TENSOR_MAP_INTERLEAVE_32B = 2
} CUtensorMapInterleave;

/** Orders of banks in shared memory. */
typedef enum CUtensorMapSwizzle_enum {
    CU_TENSOR_MAP_SWIZZLE_NONE = 0,
    CU_TENSOR_MAP_SWIZZLE_32B = 1,
    CU_TENSOR_MAP_SWIZZLE_64B = 2,
    CU_TENSOR_MAP_SWIZZLE_128B = 3,
    CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B = 4,
    CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B = 5,
    CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B = 6
} CUtensorMapSwizzle;

/** How much is fetched into the L2 cache. */
typedef enum CUtensorMapL2promotion_enum {
    CU_TENSOR_MAP_L2_PROMOTION_NONE = 0,
    CU_TENSOR_MAP_L2_PROMOTION_L2_64B = 1,
    CU_TENSOR_MAP_L2_PROMOTION_L2_128B = 2,
    CU_TENSOR_MAP_L2_PROMOTION_L2_256B = 3
} CUtensorMapL2promotion;

/** What is read outside a tensor. */
typedef enum CUtensorMapFloatOOBfill_enum {
    CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE = 0,
    CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA = 1
} CUtensorMapFloatOOBfill;

/** Modes of wide im2col order. */
typedef enum CUtensorMapIm2ColWideMode_enum {
    CU_TENSOR_MAP_IM2COL_WIDE_MODE_W = 0,
    CU_TENSOR_MAP_IM2COL_WIDE_MODE_W128 = 1
} CUtensorMapIm2ColWideMode;

/** Allocation classes of tensor memory. */
typedef enum CUtensorMapAllocClass_enum {
    CU_TENSOR_MAP_ALLOC_CLASS_AUTO = 0,
    CU_TENSOR_MAP_ALLOC_CLASS_SMALL = 1,
    CU_TENSOR_MAP_ALLOC_CLASS_LARGE = 2
} CUtensorMapAllocClass;

/** Flags of looking up a function. */
typedef enum CUdriverProcAddress_flags_enum {
    CU_GET_PROC_ADDRESS_DEFAULT = 0,
    CU_GET_PROC_ADDRESS_LEGACY_STREAM = 0x1,
    CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM = 0x2
} CUdriverProcAddress_flags;

/** Why a function was not found. */
typedef enum CUdriverProcAddressQueryResult_enum {
    CU_GET_PROC_ADDRESS_SUCCESS = 0,
    CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND = 1,
    CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT = 2
} CUdriverProcAddressQueryResult;

/** Checkpoint states of a process. */
typedef enum CUprocessState_enum {
    CU_PROCESS_STATE_RUNNING = 0,
    CU_PROCESS_STATE_LOCKED = 1,
    CU_PROCESS_STATE_CHECKPOINTED = 2,
    CU_PROCESS_STATE_FAILED = 3,
    CU_PROCESS_STATE_CHECKPOINTING = 4,
    CU_PROCESS_STATE_RESTORING = 5
} CUprocessState;

/** Contents of one device in custom checkpoint storage. */
typedef struct CUcheckpointCustomStoragePerDeviceData_st {
    CUdeviceptr devPtr;
    size_t size;
    CUstream stream;
} CUcheckpointCustomStoragePerDeviceData;

/** A checkpoint operation with custom storage. */
typedef struct CUIcheckpointOperation_st *CUcheckpointOperationHandle;

/** Contents of all devices in custom checkpoint storage. */
typedef struct CUcheckpointCustomStorageInfo_st {
    CUcheckpointOperationHandle handle;
    CUcheckpointCustomStoragePerDeviceData *perDeviceData;
    unsigned int deviceCount;
} CUcheckpointCustomStorageInfo;

/** Options of holding a process back. */
typedef struct CUcheckpointLockArgs_st {
    unsigned int timeoutMs;
    unsigned int reserved0;
    cuuint64_t reserved1[7];
} CUcheckpointLockArgs;

/** Options of checkpointing a process. */
typedef struct CUcheckpointCheckpointArgs_st {
    CUcheckpointCustomStorageInfo **customStorageInfo_out;
    char reserved[56];
} CUcheckpointCheckpointArgs;

/** A device before and after a restore. */
typedef struct CUcheckpointGpuPair_st {
    CUuuid oldUuid;
    CUuuid newUuid;
} CUcheckpointGpuPair;

/** Options of restoring a process. */
typedef struct CUcheckpointRestoreArgs_st {
    CUcheckpointGpuPair *gpuPairs;
    unsigned int gpuPairsCount;
    unsigned int padding0;
    CUcheckpointCustomStorageInfo **customStorageInfo_out;
    char reserved[40];
} CUcheckpointRestoreArgs;

/** Options of letting a process go on. */
typedef struct CUcheckpointUnlockArgs_st {
    cuuint64_t reserved[8];
} CUcheckpointUnlockArgs;

/** Core dump settings. */
typedef enum CUcoredumpSettings_enum {
    CU_COREDUMP_ENABLE_ON_EXCEPTION = 1,
    CU_COREDUMP_TRIGGER_HOST = 2,
    CU_COREDUMP_LIGHTWEIGHT = 3,
    CU_COREDUMP_ENABLE_USER_TRIGGER = 4,
    CU_COREDUMP_FILE = 5,
    CU_COREDUMP_PIPE = 6,
    CU_COREDUMP_GENERATION_FLAGS = 7,
    CU_COREDUMP_MAX = 8
} CUcoredumpSettings;

/** What a core dump leaves out, as bits. */
typedef enum CUCoredumpGenerationFlags {
    CU_COREDUMP_DEFAULT_FLAGS = 0,
    CU_COREDUMP_SKIP_NONRELOCATED_ELF_IMAGES = 0x1,
    CU_COREDUMP_SKIP_GLOBAL_MEMORY = 0x2,
    CU_COREDUMP_SKIP_SHARED_MEMORY = 0x4,
    CU_COREDUMP_SKIP_LOCAL_MEMORY = 0x8,
    CU_COREDUMP_SKIP_ABORT = 0x10,
    CU_COREDUMP_SKIP_CONSTBANK_MEMORY = 0x20,
    CU_COREDUMP_GZIP_COMPRESS = 0x40,
    CU_COREDUMP_FAULTED_CONTEXTS_ONLY = 0x80,
    CU_COREDUMP_SKIP_TENSOR_MEMORY = 0x100,
    CU_COREDUMP_NO_ERRBAR_AT_EXIT = 0x40000000,
    CU_COREDUMP_LOG_ONLY = -0x7fffffff - 1,
    CU_COREDUMP_LIGHTWEIGHT_FLAGS = 303
} CUCoredumpGenerationFlags;

/** A registered core dump callback. */
typedef struct CUcoredumpCallbackEntry_st *CUcoredumpCallbackHandle;

/** Hears about the start or end of a core dump. */
typedef void (*CUcoredumpStatusCallback)(void *userData, int pid, CUdevice dev);

/** Levels of log messages. */
typedef enum CUlogLevel_enum {
    CU_LOG_LEVEL_ERROR = 0,
    CU_LOG_LEVEL_WARNING = 1
} CUlogLevel;

/** A registered log callback. */
typedef struct CUlogsCallbackEntry_st *CUlogsCallbackHandle;

/** Receives log messages. */
typedef void (*CUlogsCallback)(void *data, CUlogLevel logLevel, char *message, size_t length);

/** A position in the error log. */
typedef unsigned int CUlogIterator;

/** Memory exported over the fabric. */
typedef struct CUmemFabricHandle_st {
    unsigned char data[64];
} CUmemFabricHandle_v1;

/** The CUmemFabricHandle_v1 in use. */
typedef CUmemFabricHandle_v1 CUmemFabricHandle;

/** Physical memory. */
typedef unsigned long long CUmemGenericAllocationHandle_v1;

/** The CUmemGenericAllocationHandle_v1 in use. */
typedef CUmemGenericAllocationHandle_v1 CUmemGenericAllocationHandle;

/** Which granularity is asked for. */
typedef enum CUmemAllocationGranularity_flags_enum {
    CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0x0,
    CU_MEM_ALLOC_GRANULARITY_RECOMMENDED = 0x1
} CUmemAllocationGranularity_flags;

/** Handles for address ranges. */
typedef enum CUmemRangeHandleType_enum {
    CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD = 0x1,
    CU_MEM_RANGE_HANDLE_TYPE_MAX = 0x7FFFFFFF
} CUmemRangeHandleType;

/** Flags of handles for address ranges. */
typedef enum CUmemRangeFlags_enum {
    CU_MEM_RANGE_FLAG_DMA_BUF_MAPPING_TYPE_PCIE = 0x1
} CUmemRangeFlags;

/** Parts of a sparse array. */
typedef enum CUarraySparseSubresourceType_enum {
    CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL = 0,
    CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL = 1
} CUarraySparseSubresourceType;

/** Whether a sparse tile is mapped or unmapped. */
typedef enum CUmemOperationType_enum {
    CU_MEM_OPERATION_TYPE_MAP = 1,
    CU_MEM_OPERATION_TYPE_UNMAP = 2
} CUmemOperationType;

/** Kinds of memory handles for sparse tiles. */
typedef enum CUmemHandleType_enum {
    CU_MEM_HANDLE_TYPE_GENERIC = 0
} CUmemHandleType;

/** One mapping of tiles of a sparse array. */
typedef struct CUarrayMapInfo_st {
    CUresourcetype resourceType;
    union {
        CUmipmappedArray mipmap;
        CUarray array;
    } resource;
    CUarraySparseSubresourceType subresourceType;
    union {
        struct {
            unsigned int level;
            unsigned int layer;
            unsigned int offsetX;
            unsigned int offsetY;
            unsigned int offsetZ;
            unsigned int extentWidth;
            unsigned int extentHeight;
            unsigned int extentDepth;
        } sparseLevel;
        struct {
            unsigned int layer;
            unsigned long long offset;
            unsigned long long size;
        } miptail;
    } subresource;
    CUmemOperationType memOperationType;
    CUmemHandleType memHandleType;
    union {
        CUmemGenericAllocationHandle memHandle;
    } memHandle;
    unsigned long long offset;
    unsigned int deviceBitMask;
    unsigned int flags;
    unsigned int reserved[2];
} CUarrayMapInfo_v1;

/** The CUarrayMapInfo_v1 in use. */
typedef CUarrayMapInfo_v1 CUarrayMapInfo;

/** Whether physical memory is compressible. */
typedef enum CUmemAllocationCompType_enum {
    CU_MEM_ALLOCATION_COMP_NONE = 0x0,
    CU_MEM_ALLOCATION_COMP_GENERIC = 0x1
} CUmemAllocationCompType;

/** Properties of physical memory. */
typedef struct CUmemAllocationProp_st {
    CUmemAllocationType type;
    CUmemAllocationHandleType requestedHandleTypes;
    CUmemLocation location;
    void *win32HandleMetaData;
    struct {
        unsigned char compressionType;
        unsigned char gpuDirectRDMACapable;
        unsigned short usage;
        unsigned char reserved[4];
    } allocFlags;
} CUmemAllocationProp_v1;

/** The CUmemAllocationProp_v1 in use. */
typedef CUmemAllocationProp_v1 CUmemAllocationProp;

/** Which multicast granularity is asked for. */
typedef enum CUmulticastGranularity_flags_enum {
    CU_MULTICAST_GRANULARITY_MINIMUM = 0x0,
    CU_MULTICAST_GRANULARITY_RECOMMENDED = 0x1
} CUmulticastGranularity_flags;

/** Properties of a multicast object. */
typedef struct CUmulticastObjectProp_st {
    unsigned int numDevices;
    size_t size;
    unsigned long long handleTypes;
    unsigned long long flags;
} CUmulticastObjectProp_v1;

/** The CUmulticastObjectProp_v1 in use. */
typedef CUmulticastObjectProp_v1 CUmulticastObjectProp;

/** Bytes of a handle for other processes. */
#define CU_IPC_HANDLE_SIZE 64

/** The default stream that synchronises with all blocking streams. */
#define CU_STREAM_LEGACY ((CUstream)0x1)

/** The default stream of the calling thread. */
#define CU_STREAM_PER_THREAD ((CUstream)0x2)

/** Added to a target for the features of one architecture only. */
#define CU_COMPUTE_ACCELERATED_TARGET_BASE 0x10000

/** Added to a target for the features of a family of architectures. */
#define CU_COMPUTE_FAMILY_TARGET_BASE 0x20000

/** Conditional handle: take the default value at each launch. */
#define CU_GRAPH_COND_ASSIGN_DEFAULT 0x1

/** Edge from a kernel node: after its completion. */
#define CU_GRAPH_KERNEL_NODE_PORT_DEFAULT 0

/** Edge from a kernel node: after all blocks triggered or ended. */
#define CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC 1

/** Edge from a kernel node: after all blocks started. */
#define CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER 2

/** Name of the attribute for kernel nodes. */
#define CU_KERNEL_NODE_ATTRIBUTE_ACCESS_POLICY_WINDOW CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW

/** Name of the attribute for kernel nodes. */
#define CU_KERNEL_NODE_ATTRIBUTE_COOPERATIVE CU_LAUNCH_ATTRIBUTE_COOPERATIVE

/** Name of the attribute for kernel nodes. */
#define CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_DIMENSION CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION

/** Name of the attribute for kernel nodes. */
#define CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE

/** Name of the attribute for kernel nodes. */
#define CU_KERNEL_NODE_ATTRIBUTE_PRIORITY CU_LAUNCH_ATTRIBUTE_PRIORITY

/** Name of the attribute for kernel nodes. */
#define CU_KERNEL_NODE_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP

/** Name of the attribute for kernel nodes. */
#define CU_KERNEL_NODE_ATTRIBUTE_MEM_SYNC_DOMAIN CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN

/** Name of the attribute for kernel nodes. */
#define CU_KERNEL_NODE_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION

/** Name of the attribute for kernel nodes. */
#define CU_KERNEL_NODE_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE

/** Name of the attribute for kernel nodes. */
#define CU_KERNEL_NODE_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT

/** Name of the attribute for streams. */
#define CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW

/** Name of the attribute for streams. */
#define CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY

/** Name of the attribute for streams. */
#define CU_STREAM_ATTRIBUTE_PRIORITY CU_LAUNCH_ATTRIBUTE_PRIORITY

/** Name of the attribute for streams. */
#define CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP

/** Name of the attribute for streams. */
#define CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN

/** Page-locked for all contexts. */
#define CU_MEMHOSTALLOC_PORTABLE 0x01

/** Mapped for the device. */
#define CU_MEMHOSTALLOC_DEVICEMAP 0x02

/** Write-combined. */
#define CU_MEMHOSTALLOC_WRITECOMBINED 0x04

/** Page-locked for all contexts. */
#define CU_MEMHOSTREGISTER_PORTABLE 0x01

/** Mapped for the device. */
#define CU_MEMHOSTREGISTER_DEVICEMAP 0x02

/** The memory belongs to another device. */
#define CU_MEMHOSTREGISTER_IOMEMORY 0x04

/** The device only reads the memory. */
#define CU_MEMHOSTREGISTER_READ_ONLY 0x08

/** One mip tail serves all layers. */
#define CU_ARRAY_SPARSE_PROPERTIES_SINGLE_MIPTAIL 0x1

/** 64-bit words of a tensor map. */
#define CU_TENSOR_MAP_NUM_QWORDS 16

/** The foreign memory is a dedicated resource. */
#define CUDA_EXTERNAL_MEMORY_DEDICATED 0x1

/** Signal without synchronising imported buffers. */
#define CUDA_EXTERNAL_SEMAPHORE_SIGNAL_SKIP_NVSCIBUF_MEMSYNC 0x01

/** Wait without synchronising imported buffers. */
#define CUDA_EXTERNAL_SEMAPHORE_WAIT_SKIP_NVSCIBUF_MEMSYNC 0x02

/** Attributes for signalling are wanted. */
#define CUDA_NVSCISYNC_ATTR_SIGNAL 0x1

/** Attributes for waiting are wanted. */
#define CUDA_NVSCISYNC_ATTR_WAIT 0x2

/** Physical memory for tiles of sparse arrays. */
#define CU_MEM_CREATE_USAGE_TILE_POOL 0x1

/** Physical memory for hardware decompression. */
#define CU_MEM_CREATE_USAGE_HW_DECOMPRESS 0x2

/** Physical memory for remote access over PCIe. */
#define CU_MEM_CREATE_USAGE_GPU_DIRECT_RDMA_OVER_PCIE 0x4

/** Pool for hardware decompression. */
#define CU_MEM_POOL_CREATE_USAGE_HW_DECOMPRESS 0x2

/** Each grid waits for its own stream only. */
#define CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_PRE_LAUNCH_SYNC 0x01

/** Later work waits for the grid of its own stream only. */
#define CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_POST_LAUNCH_SYNC 0x02

/** Depth counts layers. */
#define CUDA_ARRAY3D_LAYERED 0x01

/** Older name of CUDA_ARRAY3D_LAYERED. */
#define CUDA_ARRAY3D_2DARRAY 0x01

/** Surfaces may be bound to the array. */
#define CUDA_ARRAY3D_SURFACE_LDST 0x02

/** The layers are faces of cubes. */
#define CUDA_ARRAY3D_CUBEMAP 0x04

/** Texture gather is possible. */
#define CUDA_ARRAY3D_TEXTURE_GATHER 0x08

/** Depth format. */
#define CUDA_ARRAY3D_DEPTH_TEXTURE 0x10

/** Colour target of a graphics API. */
#define CUDA_ARRAY3D_COLOR_ATTACHMENT 0x20

/** Memory is mapped tile by tile. */
#define CUDA_ARRAY3D_SPARSE 0x40

/** Memory is mapped as a whole, later. */
#define CUDA_ARRAY3D_DEFERRED_MAPPING 0x80

/** Suits the video units. */
#define CUDA_ARRAY3D_VIDEO_ENCODE_DECODE 0x100

/** Take the format of the array. */
#define CU_TRSA_OVERRIDE_FORMAT 0x01

/** Read integers as integers. */
#define CU_TRSF_READ_AS_INTEGER 0x01

/** Coordinates run from 0 to 1. */
#define CU_TRSF_NORMALIZED_COORDINATES 0x02

/** Convert from sRGB when reading. */
#define CU_TRSF_SRGB 0x10

/** Do not simplify trilinear filtering. */
#define CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION 0x20

/** Filter across the edges of a cube. */
#define CU_TRSF_SEAMLESS_CUBEMAP 0x40

/** Launch with the block shape that the kernel demands. */
#define CU_LAUNCH_KERNEL_REQUIRED_BLOCK_DIM 1

/** CU_LAUNCH_PARAM_END as a number. */
#define CU_LAUNCH_PARAM_END_AS_INT 0x00

/** Ends the extra list of a launch. */
#define CU_LAUNCH_PARAM_END ((void *)CU_LAUNCH_PARAM_END_AS_INT)

/** CU_LAUNCH_PARAM_BUFFER_POINTER as a number. */
#define CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT 0x01

/** The next element of the extra list is the parameter buffer. */
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT)

/** CU_LAUNCH_PARAM_BUFFER_SIZE as a number. */
#define CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT 0x02

/** The next element of the extra list points to the size of the parameter buffer. */
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *)CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT)

/** The texture unit that the compiler chose: the only value that is accepted. */
#define CU_PARAM_TR_DEFAULT -1

/** The host, where a device is asked for. */
#define CU_DEVICE_CPU ((CUdevice)-1)

/** No device. */
#define CU_DEVICE_INVALID ((CUdevice)-2)

/** Multiprocessors of any locality domain. */
#define CU_DEV_SM_RESOURCE_GROUP_LOCALITY_DOMAIN_ID_ANY (~0u)

/* Memory Management (arrays and mipmapped arrays) */

/**
 * Creates a 1D or 2D array in the current context.
 *
 * Its contents start as zeros.
 *
 * @param pHandle receives the handle.
 * @param pAllocateArray what it looks like: extents in elements, of which only the lower 32 bits count (height 0 makes
 *     it one-dimensional), format, and number of components (1, 2 or 4, unless the format fixes it).
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, for a format or number of components that the device does
 * not have, and for extents of 0 or beyond its limits; CUDA_ERROR_OUT_OF_MEMORY if the device has not that much
 * left; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call; CUDA_ERROR_INVALID_CONTEXT in a
 * context of the first generation.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuArrayCreate_v2(CUarray *pHandle, const CUDA_ARRAY_DESCRIPTOR *pAllocateArray);

/**
 * Creates a 1D or 2D array with the first generation's descriptor of 32 bits; always refused.
 *
 * It is for contexts whose memory has addresses of 32 bits; there is no such memory. See cuArrayCreate_v2.
 *
 * @param pHandle not written.
 * @param pAllocateArray not read.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuArrayCreate(CUarray *pHandle, const CUDA_ARRAY_DESCRIPTOR_v1 *pAllocateArray);

/**
 * Describes a 1D or 2D array.
 *
 * The depth of an array that has one is left out. A mipmapped array's handle describes its first level.
 *
 * @param pArrayDescriptor receives the description; extents in elements.
 * @param hArray the array, or a mipmapped array.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE, before anything else is looked at, if hArray is no array;
 * CUDA_ERROR_INVALID_VALUE if pArrayDescriptor is NULL; the current context's asynchronous error.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *pArrayDescriptor, CUarray hArray);

/**
 * Describes an array with the first generation's descriptor of 32 bits; always refused.
 *
 * @param pArrayDescriptor not written.
 * @param hArray ignored.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR_v1 *pArrayDescriptor, CUarray hArray);

/**
 * Reports tile size and mip tail layout of a sparse array.
 *
 * The size of the tail is 0 unless the whole array lies in it. reserved is not written.
 *
 * @param sparseProperties receives the tile's extent in elements, the first level in the tail, the tail's size in bytes,
 *     and flags.
 * @param array the array.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if sparseProperties is NULL, and for everything that is not a sparse array of
 * its own, NULL included.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *sparseProperties,
                                            CUarray array);

/**
 * Reports tile size and mip tail layout of a sparse mipmapped array.
 *
 * @param sparseProperties receives the tile's extent in elements, the first level in the tail, the tail's size in bytes,
 *     and flags; reserved is not written.
 * @param mipmap the mipmapped array.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if sparseProperties is NULL, and for everything that is not a sparse mipmapped
 * array, NULL included.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *sparseProperties,
                                                     CUmipmappedArray mipmap);

/**
 * Reports size and alignment of the memory that an array with deferred mapping needs.
 *
 * @param memoryRequirements receives both, in bytes; the rest is set to 0.
 * @param array the array.
 * @param device ignored, as with the real driver.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if memoryRequirements is NULL, and for everything that is not an array with
 * deferred mapping, NULL included.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *memoryRequirements,
                                              CUarray array,
                                              CUdevice device);

/**
 * Reports size and alignment of the memory that a mipmapped array with deferred mapping needs.
 *
 * @param memoryRequirements receives both, in bytes; the rest is set to 0.
 * @param mipmap the mipmapped array.
 * @param device ignored, as with the real driver.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if memoryRequirements is NULL, and for everything that is not a mipmapped array
 * with deferred mapping, NULL included.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *memoryRequirements,
                                                       CUmipmappedArray mipmap,
                                                       CUdevice device);

/**
 * Hands out one plane of a multi-planar array as an array.
 *
 * The same plane has the same handle every time; it lives as long as the array.
 *
 * @param pPlaneArray receives the plane's handle.
 * @param hArray the array.
 * @param planeIdx number of the plane, from 0.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hArray is no array; CUDA_ERROR_INVALID_VALUE for a plane that the format
 * does not have, for formats in one piece, and if pPlaneArray is NULL.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuArrayGetPlane(CUarray *pPlaneArray, CUarray hArray, unsigned int planeIdx);

/**
 * Destroys an array.
 *
 * Waits for the context's work first. A level of a mipmapped array and a plane of an array stay: for them this does
 * nothing and succeeds.
 *
 * @param hArray the array.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if it is no array; CUDA_ERROR_CONTEXT_IS_DESTROYED if its context is gone, and
 * for the handle of a stream; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call; its context's
 * asynchronous error: the array is destroyed nonetheless.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuArrayDestroy(CUarray hArray);

/**
 * Creates an array of up to three dimensions, layered, cubemap or sparse ones included.
 *
 * Its contents start as zeros. Video formats need CUDA_ARRAY3D_VIDEO_ENCODE_DECODE and even extents.
 *
 * @param pHandle receives the handle.
 * @param pAllocateArray what it looks like: extents in elements, of which only the lower 32 bits count (0 leaves height
 *     or depth out; the depth counts layers where CUDA_ARRAY3D_LAYERED or CUDA_ARRAY3D_CUBEMAP is set), format,
 *     number of components, CUDA_ARRAY3D_* flags.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, and for what the device does not have: unknown formats,
 * components and flags, combinations of them, extents of 0 or beyond its limits; CUDA_ERROR_NOT_SUPPORTED for
 * surfaces of compressed formats; CUDA_ERROR_OUT_OF_MEMORY if the device has not that much left;
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call; CUDA_ERROR_INVALID_CONTEXT in a context
 * of the first generation.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuArray3DCreate_v2(CUarray *pHandle, const CUDA_ARRAY3D_DESCRIPTOR *pAllocateArray);

/**
 * Creates a 3D array with the first generation's descriptor of 32 bits; always refused.
 *
 * It is for contexts whose memory has addresses of 32 bits; there is no such memory. See cuArray3DCreate_v2.
 *
 * @param pHandle not written.
 * @param pAllocateArray not read.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuArray3DCreate(CUarray *pHandle, const CUDA_ARRAY3D_DESCRIPTOR_v1 *pAllocateArray);

/**
 * Describes an array of up to three dimensions.
 *
 * A mipmapped array's handle describes its first level.
 *
 * @param pArrayDescriptor receives extents in elements, format, number of components and flags.
 * @param hArray the array, or a mipmapped array.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE, before anything else is looked at, if hArray is no array;
 * CUDA_ERROR_INVALID_VALUE if pArrayDescriptor is NULL; the current context's asynchronous error.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *pArrayDescriptor, CUarray hArray);

/**
 * Describes a 3D array with the first generation's descriptor of 32 bits; always refused.
 *
 * @param pArrayDescriptor not written.
 * @param hArray ignored.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR_v1 *pArrayDescriptor, CUarray hArray);

/**
 * Creates an array with several mip levels.
 *
 * @param pHandle receives the handle.
 * @param pMipmappedArrayDesc what the first level looks like, as for cuArray3DCreate_v2.
 * @param numMipmapLevels number of levels; clamped to at least 1, and to what it takes to get to a single element.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, and for what the device does not have, as for
 * cuArray3DCreate_v2, and for video formats; CUDA_ERROR_NOT_SUPPORTED for surfaces of compressed formats;
 * CUDA_ERROR_OUT_OF_MEMORY if the device has not that much left; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a
 * capture forbids the call; CUDA_ERROR_INVALID_CONTEXT in a context of the first generation.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMipmappedArrayCreate(CUmipmappedArray *pHandle,
                                        const CUDA_ARRAY3D_DESCRIPTOR *pMipmappedArrayDesc,
                                        unsigned int numMipmapLevels);

/**
 * Hands out one level of a mipmapped array as an array.
 *
 * The same level has the same handle every time; it lives as long as the mipmapped array.
 *
 * @param pLevelArray receives the level's handle.
 * @param hMipmappedArray the mipmapped array.
 * @param level number of the level; 0 is the largest.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE, before anything else is looked at, if hMipmappedArray is no array;
 * CUDA_ERROR_INVALID_VALUE for a level that is not there, for an array without levels, and if pLevelArray is NULL.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMipmappedArrayGetLevel(CUarray *pLevelArray, CUmipmappedArray hMipmappedArray, unsigned int level);

/**
 * Destroys a mipmapped array and its levels.
 *
 * Waits for the context's work first.
 *
 * @param hMipmappedArray the mipmapped array.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if it is not one; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids
 * the call.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMipmappedArrayDestroy(CUmipmappedArray hMipmappedArray);

/* Stream Management (capture) */

/**
 * Starts capturing a stream for a graphics queue (CUDA in Graphics).
 *
 * @param hStream the stream.
 * @param streamCigCaptureParams the graphics queue.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hStream is not a stream; CUDA_ERROR_INVALID_VALUE if
 * streamCigCaptureParams is NULL; else CUDA_ERROR_INVALID_CONTEXT: no context is one of a graphics queue.
 *
 * Manual: Stream Management.
 */
CUresult CUDAAPI cuStreamBeginCaptureToCig(CUstream hStream, CUstreamCigCaptureParams *streamCigCaptureParams);

/** cuStreamBeginCaptureToCig with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamBeginCaptureToCig_ptsz(CUstream hStream, CUstreamCigCaptureParams *streamCigCaptureParams);

/**
 * Ends a capture for a graphics queue.
 *
 * @param hStream the stream.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hStream is not a stream; else CUDA_ERROR_INVALID_VALUE: no stream is
 * captured for a graphics queue.
 *
 * Manual: Stream Management.
 */
CUresult CUDAAPI cuStreamEndCaptureToCig(CUstream hStream);

/** cuStreamEndCaptureToCig with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamEndCaptureToCig_ptsz(CUstream hStream);

/**
 * Starts capturing the stream's work into a new graph.
 *
 * @param hStream the stream; not the legacy default stream.
 * @param mode what else the capture forbids: calls of all threads (CU_STREAM_CAPTURE_MODE_GLOBAL), of this thread
 *     (..._THREAD_LOCAL), or none (..._RELAXED).
 *
 * Errors: CUDA_ERROR_INVALID_VALUE for an unknown mode, before anything else is looked at;
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED for the legacy stream; CUDA_ERROR_ILLEGAL_STATE for a stream that is being
 * captured already.
 *
 * Manual: Stream Management.
 */
CUresult CUDAAPI cuStreamBeginCapture_v2(CUstream hStream, CUstreamCaptureMode mode);

/** cuStreamBeginCapture_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamBeginCapture_v2_ptsz(CUstream hStream, CUstreamCaptureMode mode);

/**
 * Starts capturing the stream's work into a new graph, in the global mode.
 *
 * First form of cuStreamBeginCapture_v2.
 *
 * @param hStream the stream; not the legacy default stream.
 *
 * Errors: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED for the legacy stream; CUDA_ERROR_ILLEGAL_STATE for a stream that
 * is being captured already.
 *
 * Manual: Stream Management.
 */
CUresult CUDAAPI cuStreamBeginCapture(CUstream hStream);

/** cuStreamBeginCapture with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamBeginCapture_ptsz(CUstream hStream);

/**
 * Starts capturing over an existing graph: its nodes again, in the order in which they were created.
 *
 * Nodes take over what they do now. The capture fails, and the graph is of no more use, when a node of another kind or
 * with other dependencies comes, when an allocation or what is freed differs, when nodes are missing at the end, and
 * when the callback says so: the call that brings it about is CUDA_ERROR_GRAPH_RECAPTURE_FAILURE, later ones
 * CUDA_ERROR_STREAM_CAPTURE_INVALIDATED. Objects that the graph owns are released at once.
 *
 * @param hStream the stream; not the legacy default stream.
 * @param mode what else the capture forbids: calls of all threads (CU_STREAM_CAPTURE_MODE_GLOBAL), of this thread
 *     (..._THREAD_LOCAL), or none (..._RELAXED).
 * @param hGraph the graph; cuStreamEndCapture hands it out again.
 * @param callbackFunc called for each node that does something else than before, with its parameters then and now; anything
 *     but CUDA_SUCCESS ends the capture; may be NULL.
 * @param userData its argument.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE for an unknown mode, and if hGraph is no graph;
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED for the legacy stream; CUDA_ERROR_ILLEGAL_STATE for a stream that is being
 * captured already.
 *
 * Manual: Stream Management.
 */
CUresult CUDAAPI cuStreamBeginRecaptureToGraph(CUstream hStream,
                                               CUstreamCaptureMode mode,
                                               CUgraph hGraph,
                                               CUgraphRecaptureCallback callbackFunc,
                                               void *userData);

/** cuStreamBeginRecaptureToGraph with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamBeginRecaptureToGraph_ptsz(CUstream hStream,
                                                    CUstreamCaptureMode mode,
                                                    CUgraph hGraph,
                                                    CUgraphRecaptureCallback callbackFunc,
                                                    void *userData);

/**
 * Starts capturing the stream's work into an existing graph.
 *
 * @param hStream the stream; not the legacy default stream.
 * @param hGraph the graph.
 * @param dependencies nodes of the graph that the first captured node will depend on.
 * @param dependencyData data of those edges, as many; NULL for plain ones.
 * @param numDependencies number of nodes.
 * @param mode what else the capture forbids: calls of all threads (CU_STREAM_CAPTURE_MODE_GLOBAL), of this thread
 *     (..._THREAD_LOCAL), or none (..._RELAXED).
 *
 * Errors: CUDA_ERROR_INVALID_VALUE for an unknown mode, if hGraph is no graph, if dependencies is NULL and
 * numDependencies is not 0, for nodes of other graphs, and for edge data that are not known;
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED for the legacy stream; CUDA_ERROR_ILLEGAL_STATE for a stream that is being
 * captured already.
 *
 * Manual: Stream Management.
 */
CUresult CUDAAPI cuStreamBeginCaptureToGraph(CUstream hStream,
                                             CUgraph hGraph,
                                             const CUgraphNode *dependencies,
                                             const CUgraphEdgeData *dependencyData,
                                             size_t numDependencies,
                                             CUstreamCaptureMode mode);

/** cuStreamBeginCaptureToGraph with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamBeginCaptureToGraph_ptsz(CUstream hStream,
                                                  CUgraph hGraph,
                                                  const CUgraphNode *dependencies,
                                                  const CUgraphEdgeData *dependencyData,
                                                  size_t numDependencies,
                                                  CUstreamCaptureMode mode);

/**
 * Ends a capture and hands out the graph.
 *
 * On an error there is no graph, and no stream stays in the capture, except after
 * CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, which only invalidates it.
 *
 * @param hStream the stream in which the capture began.
 * @param phGraph receives the graph, NULL on an error; with NULL a graph that was made for the capture is
 *     destroyed.
 *
 * Errors: CUDA_ERROR_ILLEGAL_STATE for a stream that is not captured; CUDA_ERROR_STREAM_CAPTURE_UNMATCHED for one
 * in which the capture did not begin; CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD for a thread that did not begin it,
 * unless its mode is relaxed; CUDA_ERROR_GRAPH_RECAPTURE_FAILURE if a capture over a graph has not come to its last node; CUDA_ERROR_STREAM_CAPTURE_INVALIDATED if the capture was invalidated;
 * CUDA_ERROR_STREAM_CAPTURE_UNJOINED when work of another stream does not lead back to this one.
 *
 * Manual: Stream Management.
 */
CUresult CUDAAPI cuStreamEndCapture(CUstream hStream,
                                    CUgraph *phGraph);

/** cuStreamEndCapture with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamEndCapture_ptsz(CUstream hStream, CUgraph *phGraph);

/**
 * Tells whether a stream is being captured.
 *
 * @param hStream the stream.
 * @param captureStatus receives the answer, a CUstreamCaptureStatus.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if captureStatus is NULL; CUDA_ERROR_STREAM_CAPTURE_IMPLICIT for the legacy
 * stream while a blocking stream of its context is being captured, which invalidates that capture.
 *
 * Manual: Stream Management.
 */
CUresult CUDAAPI cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus *captureStatus);

/** cuStreamIsCapturing with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamIsCapturing_ptsz(CUstream hStream, CUstreamCaptureStatus *captureStatus);

/**
 * Reports state, graph, and next dependencies with their edge data of a capture.
 *
 * All results but the status are written only for a stream that is being captured. The arrays live until the next call
 * about the stream.
 *
 * @param hStream the stream.
 * @param captureStatus_out receives whether the stream is captured: a CUstreamCaptureStatus.
 * @param id_out receives a number that identifies the capture in this process; may be NULL.
 * @param graph_out receives the graph that is being made; may be NULL.
 * @param dependencies_out receives the address of the nodes that the next one will depend on; may be NULL.
 * @param edgeData_out receives the address of the data of those edges; may be NULL.
 * @param numDependencies_out receives the number of those nodes; may be NULL.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if captureStatus_out is NULL; CUDA_ERROR_STREAM_CAPTURE_IMPLICIT for the
 * legacy stream while a blocking stream of its context is being captured, which invalidates that capture.
 *
 * Manual: Stream Management.
 */
CUresult CUDAAPI cuStreamGetCaptureInfo_v3(CUstream hStream,
                                           CUstreamCaptureStatus *captureStatus_out,
                                           cuuint64_t *id_out,
                                           CUgraph *graph_out,
                                           const CUgraphNode **dependencies_out,
                                           const CUgraphEdgeData **edgeData_out,
                                           size_t *numDependencies_out);

/** cuStreamGetCaptureInfo_v3 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamGetCaptureInfo_v3_ptsz(CUstream hStream,
                                                CUstreamCaptureStatus *captureStatus_out,
                                                cuuint64_t *id_out,
                                                CUgraph *graph_out,
                                                const CUgraphNode **dependencies_out,
                                                const CUgraphEdgeData **edgeData_out,
                                                size_t *numDependencies_out);

/**
 * Reports state, graph and next dependencies of a capture.
 *
 * As cuStreamGetCaptureInfo_v3, without edge data.
 *
 * @param hStream the stream.
 * @param captureStatus_out receives whether the stream is captured: a CUstreamCaptureStatus.
 * @param id_out receives a number that identifies the capture in this process; may be NULL.
 * @param graph_out receives the graph that is being made; may be NULL.
 * @param dependencies_out receives the address of the nodes that the next one will depend on; may be NULL.
 * @param numDependencies_out receives the number of those nodes; may be NULL.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if captureStatus_out is NULL; CUDA_ERROR_STREAM_CAPTURE_IMPLICIT for the
 * legacy stream while a blocking stream of its context is being captured, which invalidates that capture.
 *
 * Manual: Stream Management.
 */
CUresult CUDAAPI cuStreamGetCaptureInfo_v2(CUstream hStream,
                                           CUstreamCaptureStatus *captureStatus_out,
                                           cuuint64_t *id_out,
                                           CUgraph *graph_out,
                                           const CUgraphNode **dependencies_out,
                                           size_t *numDependencies_out);

/** cuStreamGetCaptureInfo_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamGetCaptureInfo_v2_ptsz(CUstream hStream,
                                                CUstreamCaptureStatus *captureStatus_out,
                                                cuuint64_t *id_out,
                                                CUgraph *graph_out,
                                                const CUgraphNode **dependencies_out,
                                                size_t *numDependencies_out);

/**
 * Reports state and identifier of a capture.
 *
 * As cuStreamGetCaptureInfo_v3, without graph and dependencies.
 *
 * @param hStream the stream.
 * @param captureStatus_out receives whether the stream is captured: a CUstreamCaptureStatus.
 * @param id_out receives a number that identifies the capture in this process; may be NULL.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if captureStatus_out is NULL; CUDA_ERROR_STREAM_CAPTURE_IMPLICIT for the
 * legacy stream while a blocking stream of its context is being captured, which invalidates that capture.
 *
 * Manual: Stream Management.
 */
CUresult CUDAAPI cuStreamGetCaptureInfo(CUstream hStream, CUstreamCaptureStatus *captureStatus_out, cuuint64_t *id_out);

/** cuStreamGetCaptureInfo with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamGetCaptureInfo_ptsz(CUstream hStream, CUstreamCaptureStatus *captureStatus_out, cuuint64_t *id_out);

/**
 * Changes what the next captured node depends on, with edge data.
 *
 * @param hStream the stream.
 * @param dependencies nodes of the graph that is being made.
 * @param dependencyData data of the edges, as many as nodes; NULL for plain ones.
 * @param numDependencies number of nodes.
 * @param flags whether the nodes are added to (CU_STREAM_ADD_CAPTURE_DEPENDENCIES) or replace
 *     (CU_STREAM_SET_CAPTURE_DEPENDENCIES) what there is.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE for unknown flags, if dependencies is NULL and numDependencies is not 0,
 * for nodes of other graphs, and for edge data that are not known; CUDA_ERROR_ILLEGAL_STATE for a stream that is not
 * captured; CUDA_ERROR_STREAM_CAPTURE_INVALIDATED if the capture is invalidated.
 *
 * Manual: Stream Management.
 */
CUresult CUDAAPI cuStreamUpdateCaptureDependencies_v2(CUstream hStream,
                                                      CUgraphNode *dependencies,
                                                      const CUgraphEdgeData *dependencyData,
                                                      size_t numDependencies,
                                                      unsigned int flags);

/** cuStreamUpdateCaptureDependencies_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamUpdateCaptureDependencies_v2_ptsz(CUstream hStream,
                                                           CUgraphNode *dependencies,
                                                           const CUgraphEdgeData *dependencyData,
                                                           size_t numDependencies,
                                                           unsigned int flags);

/**
 * Changes what the next captured node depends on.
 *
 * As cuStreamUpdateCaptureDependencies_v2, without edge data.
 *
 * @param hStream the stream.
 * @param dependencies nodes of the graph that is being made.
 * @param numDependencies number of nodes.
 * @param flags whether the nodes are added to (CU_STREAM_ADD_CAPTURE_DEPENDENCIES) or replace
 *     (CU_STREAM_SET_CAPTURE_DEPENDENCIES) what there is.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE for unknown flags, if dependencies is NULL and numDependencies is not 0,
 * and for nodes of other graphs; CUDA_ERROR_ILLEGAL_STATE for a stream that is not captured;
 * CUDA_ERROR_STREAM_CAPTURE_INVALIDATED if the capture is invalidated.
 *
 * Manual: Stream Management.
 */
CUresult CUDAAPI cuStreamUpdateCaptureDependencies(CUstream hStream,
                                                   CUgraphNode *dependencies,
                                                   size_t numDependencies,
                                                   unsigned int flags);

/** cuStreamUpdateCaptureDependencies with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamUpdateCaptureDependencies_ptsz(CUstream hStream,
                                                        CUgraphNode *dependencies,
                                                        size_t numDependencies,
                                                        unsigned int flags);

/* CUDA Checkpointing */

/**
 * Reports the thread of a process that serves checkpoint requests.
 *
 * @param pid number of the process.
 * @param tid receives the number of the thread.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if tid is NULL; CUDA_ERROR_OPERATING_SYSTEM if there is no process of that number;
 * CUDA_ERROR_NOT_INITIALIZED if it has not called cuInit or shares nothing (DOPPEL_NODE=none).
 *
 * Manual: CUDA Checkpointing.
 */
CUresult CUDAAPI cuCheckpointProcessGetRestoreThreadId(int pid,
                                                       int *tid);

/**
 * Reports the checkpoint state of a process.
 *
 * @param pid number of the process.
 * @param state receives the state.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if state is NULL; CUDA_ERROR_OPERATING_SYSTEM if there is no process of that number;
 * CUDA_ERROR_NOT_INITIALIZED if it has not called cuInit or shares nothing (DOPPEL_NODE=none).
 *
 * Manual: CUDA Checkpointing.
 */
CUresult CUDAAPI cuCheckpointProcessGetState(int pid,
                                             CUprocessState *state);

/**
 * Holds back the CUDA calls of a process.
 *
 * @param pid number of the process.
 * @param args how long to wait for that, in milliseconds; NULL for the defaults.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a reserved member of args is not 0; CUDA_ERROR_OPERATING_SYSTEM if there is no process of that number;
 * CUDA_ERROR_NOT_INITIALIZED if it has not called cuInit or shares nothing (DOPPEL_NODE=none);
 * CUDA_ERROR_ILLEGAL_STATE unless the process runs; CUDA_ERROR_NOT_READY if its work has not ended in time: then it goes on.
 *
 * Manual: CUDA Checkpointing.
 */
CUresult CUDAAPI cuCheckpointProcessLock(int pid,
                                         CUcheckpointLockArgs *args);

/**
 * Moves a locked process's device memory to the host and frees its devices.
 *
 * @param pid number of the process.
 * @param args optional arguments, or NULL.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a reserved member of args is not 0, or custom storage is asked for, which driver 580 does not
 * have; CUDA_ERROR_OPERATING_SYSTEM if there is no process of that number;
 * CUDA_ERROR_NOT_INITIALIZED if it has not called cuInit or shares nothing (DOPPEL_NODE=none);
 * CUDA_ERROR_ILLEGAL_STATE unless the process is locked.
 *
 * Manual: CUDA Checkpointing.
 */
CUresult CUDAAPI cuCheckpointProcessCheckpoint(int pid,
                                               CUcheckpointCheckpointArgs *args);

/**
 * Brings a checkpointed process back onto devices.
 *
 * @param pid number of the process.
 * @param args which devices stand for which, or NULL.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a reserved member of args is not 0, or a device is to become another one; CUDA_ERROR_OPERATING_SYSTEM if there is no process of that number;
 * CUDA_ERROR_NOT_INITIALIZED if it has not called cuInit or shares nothing (DOPPEL_NODE=none);
 * CUDA_ERROR_ILLEGAL_STATE unless the process is checkpointed; CUDA_ERROR_OUT_OF_MEMORY if others have its memory by now.
 *
 * Manual: CUDA Checkpointing.
 */
CUresult CUDAAPI cuCheckpointProcessRestore(int pid,
                                            CUcheckpointRestoreArgs *args);

/**
 * Ends a checkpoint operation with custom storage.
 *
 * @param handle the operation.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE: there are no such operations.
 *
 * Manual: CUDA Checkpointing.
 */
CUresult CUDAAPI cuCheckpointOperationComplete(CUcheckpointOperationHandle handle);

/**
 * Lets a process go on with its CUDA calls.
 *
 * @param pid number of the process.
 * @param args optional arguments, or NULL.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a reserved member of args is not 0; CUDA_ERROR_OPERATING_SYSTEM if there is no process of that number;
 * CUDA_ERROR_NOT_INITIALIZED if it has not called cuInit or shares nothing (DOPPEL_NODE=none);
 * CUDA_ERROR_ILLEGAL_STATE unless the process is locked.
 *
 * Manual: CUDA Checkpointing.
 */
CUresult CUDAAPI cuCheckpointProcessUnlock(int pid,
                                           CUcheckpointUnlockArgs *args);

/* Context Management */

/**
 * Creates a context with optional parameters and makes it current to the calling thread.
 *
 * @param pctx receives the context.
 * @param ctxCreateParams execution affinity, or sharing with a graphics API; neither exists here. NULL or all zero for
 *     none.
 * @param flags CU_CTX_* bits, with at most one way of waiting.
 * @param dev the device.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pctx is NULL, for unknown flags or several ways of waiting, for sharing of an unknown
 * kind or with nothing, and for a number of affinity parameters that is negative or comes with NULL;
 * CUDA_ERROR_NOT_SUPPORTED for other sharing; CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY for affinity without sharing;
 * CUDA_ERROR_INVALID_DEVICE if there is no such device; the asynchronous error of another context of the device.
 *
 * Manual: Context Management.
 */
CUresult CUDAAPI cuCtxCreate_v4(CUcontext *pctx,
                                CUctxCreateParams *ctxCreateParams,
                                unsigned int flags,
                                CUdevice dev);

/**
 * Creates a context with execution affinity and makes it current to the calling thread.
 *
 * With numParams 0 as cuCtxCreate_v2; affinity is refused.
 *
 * @param pctx receives the context.
 * @param paramsArray numParams kinds of affinity; NULL for none.
 * @param numParams their number.
 * @param flags CU_CTX_* bits, with at most one way of waiting.
 * @param dev the device.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pctx is NULL, for unknown flags or several ways of waiting, and if
 * numParams is negative, or positive with paramsArray NULL; CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY for any
 * parameter; CUDA_ERROR_INVALID_DEVICE if there is no such device; the asynchronous error of another context of the
 * device.
 *
 * Manual: Context Management.
 */
CUresult CUDAAPI cuCtxCreate_v3(CUcontext *pctx,
                                CUexecAffinityParam *paramsArray,
                                int numParams,
                                unsigned int flags,
                                CUdevice dev);

/**
 * Creates a context and makes it current to the calling thread.
 *
 * @param pctx receives the context.
 * @param flags CU_CTX_* bits, with at most one way of waiting.
 * @param dev the device.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pctx is NULL, for unknown flags or several ways of waiting;
 * CUDA_ERROR_INVALID_DEVICE if there is no such device; the asynchronous error of another context of the device.
 *
 * Manual: Context Management.
 */
CUresult CUDAAPI cuCtxCreate_v2(CUcontext *pctx, unsigned int flags, CUdevice dev);

/**
 * Creates a context of the 32-bit first generation and makes it current to the calling thread.
 *
 * Functions for memory with 64-bit addresses refuse it (CUDA_ERROR_INVALID_CONTEXT).
 *
 * @param pctx receives the context.
 * @param flags CU_CTX_* bits, with at most one way of waiting.
 * @param dev the device.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pctx is NULL, for unknown flags or several ways of waiting;
 * CUDA_ERROR_INVALID_DEVICE if there is no such device; the asynchronous error of another context of the device.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuCtxCreate(CUcontext *pctx, unsigned int flags, CUdevice dev);

/**
 * Destroys a context, whichever threads have it current.
 *
 * Waits for its work. It is popped if it is on top of the caller's stack; elsewhere on stacks it stays, as a destroyed
 * context.
 *
 * @param ctx the context; not a primary one.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE for NULL, even before cuInit; CUDA_ERROR_INVALID_CONTEXT for a primary
 * context and for what is no context; CUDA_ERROR_CONTEXT_IS_DESTROYED the second time.
 *
 * Manual: Context Management.
 */
CUresult CUDAAPI cuCtxDestroy_v2(CUcontext ctx);

/**
 * Destroys a context, with the rules of before CUDA 4.
 *
 * As cuCtxDestroy_v2: there is no difference here.
 *
 * @param ctx the context; not a primary one.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE for NULL, even before cuInit; CUDA_ERROR_INVALID_CONTEXT for a primary
 * context and for what is no context; CUDA_ERROR_CONTEXT_IS_DESTROYED the second time.
 *
 * Manual: Context Management.
 */
CUresult CUDAAPI cuCtxDestroy(CUcontext ctx);

/**
 * Puts a context on top of the calling thread's stack.
 *
 * @param ctx the context.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE for NULL; CUDA_ERROR_INVALID_CONTEXT if it is no context,
 * CUDA_ERROR_CONTEXT_IS_DESTROYED if it was destroyed.
 *
 * Manual: Context Management.
 */
CUresult CUDAAPI cuCtxPushCurrent_v2(CUcontext ctx);

/**
 * Puts a context on top of the calling thread's stack, with the rules of before CUDA 4.
 *
 * One such rule was that it must not be current elsewhere; it is not applied here.
 *
 * @param ctx the context.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE for NULL; CUDA_ERROR_INVALID_CONTEXT if it is no context,
 * CUDA_ERROR_CONTEXT_IS_DESTROYED if it was destroyed.
 *
 * Manual: Context Management.
 */
CUresult CUDAAPI cuCtxPushCurrent(CUcontext ctx);

/**
 * Takes the topmost context off the calling thread's stack, destroyed or not.
 *
 * @param pctx receives it; may be NULL.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT if the stack is empty.
 *
 * Manual: Context Management.
 */
CUresult CUDAAPI cuCtxPopCurrent_v2(CUcontext *pctx);

/**
 * Takes the topmost context off the calling thread's stack, with the rules of before CUDA 4.
 *
 * As cuCtxPopCurrent_v2: there is no difference here.
 *
 * @param pctx receives it; may be NULL.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT if the stack is empty.
 *
 * Manual: Context Management.
 */
CUresult CUDAAPI cuCtxPopCurrent(CUcontext *pctx);

/**
 * Replaces the top of the calling thread's stack, or pops it when given NULL.
 *
 * A primary context that nobody holds can be made current; most functions then answer
 * CUDA_ERROR_CONTEXT_IS_DESTROYED, until it is retained.
 *
 * @param ctx the context, or NULL.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT if it is no context, CUDA_ERROR_CONTEXT_IS_DESTROYED if it was destroyed.
 *
 * Manual: Context Management.
 */
CUresult CUDAAPI cuCtxSetCurrent(CUcontext ctx);

/**
 * Reports the context on top of the calling thread's stack, destroyed or not.
 *
 * @param pctx receives it; NULL if the stack is empty.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pctx is NULL.
 *
 * Manual: Context Management.
 */
CUresult CUDAAPI cuCtxGetCurrent(CUcontext *pctx);

/**
 * Reports the device of a context.
 *
 * @param device receives the device.
 * @param ctx the context; NULL for the current one, which may be a destroyed one.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if device is NULL; CUDA_ERROR_INVALID_CONTEXT if ctx is no live context, or
 * NULL and the thread has none; CUDA_ERROR_CONTEXT_IS_DESTROYED if ctx was destroyed.
 *
 * Manual: Context Management.
 */
CUresult CUDAAPI cuCtxGetDevice_v2(CUdevice *device, CUcontext ctx);

/**
 * Reports the device of the current context, which may be a destroyed one.
 *
 * @param device receives the device.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT if the thread has no current context; CUDA_ERROR_INVALID_VALUE if device is
 * NULL.
 *
 * Manual: Context Management.
 */
CUresult CUDAAPI cuCtxGetDevice(CUdevice *device);

/**
 * Reports the flags of the current context: those with which it was created, and later changes.
 *
 * A primary context shows CU_CTX_MAP_HOST beside what was asked for. A destroyed context still reports its flags.
 *
 * @param flags receives the CU_CTX_* bits.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT if the thread has no current context; CUDA_ERROR_INVALID_VALUE if flags is
 * NULL.
 *
 * Manual: Context Management.
 */
CUresult CUDAAPI cuCtxGetFlags(unsigned int *flags);

/**
 * Changes the flags of the current context that may change after creation.
 *
 * These are the way of waiting, CU_CTX_LMEM_RESIZE_TO_MAX and CU_CTX_SYNC_MEMOPS.
 *
 * @param flags CU_CTX_* bits, of which the other known ones are ignored.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT if the thread has no current context, CUDA_ERROR_CONTEXT_IS_DESTROYED if that
 * was destroyed; CUDA_ERROR_INVALID_VALUE for unknown bits or several ways of waiting.
 *
 * Manual: Context Management.
 */
CUresult CUDAAPI cuCtxSetFlags(unsigned int flags);

/**
 * Reports a number that identifies a context uniquely in this process.
 *
 * Later contexts have greater numbers.
 *
 * @param ctx the context; NULL for the current one.
 * @param ctxId receives the number.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT if ctx is no live context, or NULL and the thread has none;
 * CUDA_ERROR_CONTEXT_IS_DESTROYED if it was destroyed; CUDA_ERROR_INVALID_VALUE if ctxId is NULL.
 *
 * Manual: Context Management.
 */
CUresult CUDAAPI cuCtxGetId(CUcontext ctx, unsigned long long *ctxId);

/**
 * Waits until all work of a context is done.
 *
 * @param ctx the context; NULL for the current one.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT if ctx is no live context, or NULL and the thread has none;
 * CUDA_ERROR_CONTEXT_IS_DESTROYED if it was destroyed; the context's asynchronous error.
 *
 * Manual: Context Management.
 */
CUresult CUDAAPI cuCtxSynchronize_v2(CUcontext ctx);

/**
 * Waits until all work of the current context is done.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT if the thread has no current context, CUDA_ERROR_CONTEXT_IS_DESTROYED if that
 * was destroyed; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a stream of the context is captured, which invalidates
 * the capture, or while a capture forbids the call; the context's asynchronous error.
 *
 * Manual: Context Management.
 */
CUresult CUDAAPI cuCtxSynchronize(void);

/**
 * Requests a new value for a limit of the current context.
 *
 * What takes effect may be another value: a stack is rounded up to 16 bytes, persisting L2 to tenths of the greatest;
 * the printf buffer, the heap and the pending launches are also kept between a least and a greatest.
 *
 * @param limit which one: stack, printf buffer, heap and so on, a CUlimit.
 * @param value bytes; a number of launches for CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE for an unknown limit, too large a stack, L2 share or fetch granularity, and for
 * the size of the printf buffer or the heap once a kernel that uses it was launched; CUDA_ERROR_UNSUPPORTED_LIMIT
 * for a limit that the device lacks; CUDA_ERROR_NOT_PERMITTED for one that is fixed at creation;
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call.
 *
 * Manual: Context Management.
 */
CUresult CUDAAPI cuCtxSetLimit(CUlimit limit, size_t value);

/**
 * Reports the value in force for a limit of the current context.
 *
 * @param pvalue receives the value, in bytes; a number of launches for CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT.
 * @param limit which one, a CUlimit.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pvalue is NULL, and for an unknown limit; CUDA_ERROR_UNSUPPORTED_LIMIT for
 * a limit that the device lacks.
 *
 * Manual: Context Management.
 */
CUresult CUDAAPI cuCtxGetLimit(size_t *pvalue, CUlimit limit);

/**
 * Reports whether the current context prefers L1 cache or shared memory.
 *
 * @param pconfig receives the preference.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pconfig is NULL.
 *
 * Manual: Context Management.
 */
CUresult CUDAAPI cuCtxGetCacheConfig(CUfunc_cache *pconfig);

/**
 * Sets whether the current context prefers L1 cache or shared memory, where a function says nothing else.
 *
 * It has an effect on occupancy and on cooperative launches.
 *
 * @param config the preference.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE for an unknown preference; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a
 * capture forbids the call.
 *
 * Manual: Context Management.
 */
CUresult CUDAAPI cuCtxSetCacheConfig(CUfunc_cache config);

/**
 * Reports the API version with which a context was created.
 *
 * @param ctx the context; NULL for the current one.
 * @param version receives 3010 for the first generation, else 3020.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT if ctx is no live context, or NULL and the thread has none;
 * CUDA_ERROR_CONTEXT_IS_DESTROYED if it was destroyed; CUDA_ERROR_INVALID_VALUE if version is NULL.
 *
 * Manual: Context Management.
 */
CUresult CUDAAPI cuCtxGetApiVersion(CUcontext ctx, unsigned int *version);

/**
 * Reports the range of stream priorities of the current context's device.
 *
 * @param leastPriority receives the least urgent one, 0; NULL to leave it out.
 * @param greatestPriority receives the most urgent one, -5; NULL to leave it out.
 *
 * Errors: none.
 *
 * Manual: Context Management.
 */
CUresult CUDAAPI cuCtxGetStreamPriorityRange(int *leastPriority, int *greatestPriority);

/**
 * Returns all persisting lines of the L2 cache to normal.
 *
 * The emulated device keeps no lines apart: nothing to do.
 *
 * Errors: none.
 *
 * Manual: Context Management.
 */
CUresult CUDAAPI cuCtxResetPersistingL2Cache(void);

/**
 * Reports the execution affinity in force for the current context: all multiprocessors.
 *
 * @param pExecAffinity receives type and number of multiprocessors; for another type only the type.
 * @param type what is asked about: CU_EXEC_AFFINITY_TYPE_SM_COUNT.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pExecAffinity is NULL; CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY for other
 * types.
 *
 * Manual: Context Management.
 */
CUresult CUDAAPI cuCtxGetExecAffinity(CUexecAffinityParam *pExecAffinity, CUexecAffinityType type);

/**
 * Records in an event the point after all work that a context has been given so far, on all its streams.
 *
 * @param hCtx the context; NULL for the current one.
 * @param hEvent the event, of that context.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT if hCtx is no live context, or NULL and the thread has none;
 * CUDA_ERROR_CONTEXT_IS_DESTROYED if it was destroyed; CUDA_ERROR_INVALID_HANDLE for an event of another context,
 * and for what is no event; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a stream of the context is captured, which
 * invalidates the capture; the context's asynchronous error.
 *
 * Manual: Context Management.
 */
CUresult CUDAAPI cuCtxRecordEvent(CUcontext hCtx, CUevent hEvent);

/**
 * Makes all later work of a context wait for an event, on streams that are yet to be created, too.
 *
 * An event that was never recorded is not waited for.
 *
 * @param hCtx the context; NULL for the current one.
 * @param hEvent the event.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT if hCtx is no live context, or NULL and the thread has none;
 * CUDA_ERROR_CONTEXT_IS_DESTROYED if it was destroyed; CUDA_ERROR_INVALID_HANDLE for what is no event;
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a stream of the context is captured, which invalidates the capture;
 * the context's asynchronous error.
 *
 * Manual: Context Management.
 */
CUresult CUDAAPI cuCtxWaitEvent(CUcontext hCtx, CUevent hEvent);

/**
 * Adds one to the usage count of the current context.
 *
 * @param pctx receives the current context.
 * @param flags 0.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pctx is NULL or flags is not 0.
 *
 * Manual: Context Management (deprecated).
 */
CUresult CUDAAPI cuCtxAttach(CUcontext *pctx, unsigned int flags);

/**
 * Takes one from the usage count of a context and destroys it at zero.
 *
 * Without effect on a primary context.
 *
 * @param ctx the context, which must be the current one.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT for NULL, for what is no live context, and if it is not the current one;
 * CUDA_ERROR_CONTEXT_IS_DESTROYED if it was destroyed.
 *
 * Manual: Context Management (deprecated).
 */
CUresult CUDAAPI cuCtxDetach(CUcontext ctx);

/**
 * Reports the shared memory bank width of the current context.
 *
 * @param pConfig receives CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE, always.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pConfig is NULL.
 *
 * Manual: Context Management (deprecated).
 */
CUresult CUDAAPI cuCtxGetSharedMemConfig(CUsharedconfig *pConfig);

/**
 * Sets the shared memory bank width of the current context.
 *
 * It is checked and has no effect, as on all devices with one width.
 *
 * @param config the width, a CUsharedconfig.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE for an unknown width; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture
 * forbids the call.
 *
 * Manual: Context Management (deprecated).
 */
CUresult CUDAAPI cuCtxSetSharedMemConfig(CUsharedconfig config);

/* Coredump Attributes Control API */

/**
 * Reads a core dump setting of the current context.
 *
 * @param attrib which setting: CU_COREDUMP_ENABLE_USER_TRIGGER and CU_COREDUMP_PIPE are the process's alone.
 * @param value receives the setting: a bool of 1 byte, the flags of 4 bytes, or text of up to 1024 bytes, its NUL included. NULL to
 *     ask for the size.
 * @param size bytes at value: exactly as many as a bool or the flags take; text is cut off. If value is NULL, receives how many
 *     bytes there are at most.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if attrib is none of a context, size is NULL, or is not that of the setting.
 *
 * Manual: Coredump Attributes Control API.
 */
CUresult CUDAAPI cuCoredumpGetAttribute(CUcoredumpSettings attrib,
                                        void *value,
                                        size_t *size);

/**
 * Reads a core dump setting of the process.
 *
 * Contexts begin with these settings. They can be asked for before cuInit.
 *
 * @param attrib which setting.
 * @param value receives the setting, as by cuCoredumpGetAttribute.
 * @param size bytes at value, as by cuCoredumpGetAttribute.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if attrib is unknown, size is NULL, or is not that of the setting.
 *
 * Manual: Coredump Attributes Control API.
 */
CUresult CUDAAPI cuCoredumpGetAttributeGlobal(CUcoredumpSettings attrib, void *value, size_t *size);

/**
 * Changes a core dump setting of the current context.
 *
 * @param attrib which setting: CU_COREDUMP_ENABLE_USER_TRIGGER and CU_COREDUMP_PIPE are the process's alone. What the environment
 *     has switched on stays on.
 * @param value the setting: a bool of 1 byte, the flags of 4 bytes, or text, in which %h, %p and %t become the host's name,
 *     the process's number and the time of the dump. NULL to ask for the size. Kernels of modules that are loaded while dumps
 *     are switched on are built for them; of others some registers are not known.
 * @param size bytes at value, for text at most 1024. If value is NULL, receives how many bytes there are at most.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if attrib is none of a context, size is NULL, or is not that of the setting.
 *
 * Manual: Coredump Attributes Control API.
 */
CUresult CUDAAPI cuCoredumpSetAttribute(CUcoredumpSettings attrib,
                                        void *value,
                                        size_t *size);

/**
 * Changes a core dump setting of the process, for contexts that are created from now on.
 *
 * @param attrib which setting.
 * @param value the setting, as by cuCoredumpSetAttribute; but words with % in text are replaced at once, and its NUL ends it,
 *     whatever size says.
 * @param size bytes at value, as by cuCoredumpSetAttribute.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if attrib is unknown, size is NULL, or is not that of the setting; and for
 * CU_COREDUMP_ENABLE_USER_TRIGGER once there is the pipe.
 *
 * Manual: Coredump Attributes Control API.
 */
CUresult CUDAAPI cuCoredumpSetAttributeGlobal(CUcoredumpSettings attrib,
                                              void *value,
                                              size_t *size);

/**
 * Registers a callback for the start of a core dump.
 *
 * It is called in the thread that writes the dump, before it does: with the number of this process and the device. Driver calls
 * inside it are refused with CUDA_ERROR_NOT_PERMITTED: the kernel waits for it.
 *
 * @param callback what is called.
 * @param userData its argument.
 * @param callbackOut receives a handle to withdraw it by.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if callback or callbackOut is NULL.
 *
 * Manual: Coredump Attributes Control API.
 */
CUresult CUDAAPI cuCoredumpRegisterStartCallback(CUcoredumpStatusCallback callback,
                                                 void *userData,
                                                 CUcoredumpCallbackHandle *callbackOut);

/**
 * Registers a callback for the end of a core dump.
 *
 * It is called in the thread that wrote the dump, before the process ends: with the number of this process and the device.
 * Driver calls inside it are refused with CUDA_ERROR_NOT_PERMITTED: the kernel waits for it.
 *
 * @param callback what is called.
 * @param userData its argument.
 * @param callbackOut receives a handle to withdraw it by.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if callback or callbackOut is NULL.
 *
 * Manual: Coredump Attributes Control API.
 */
CUresult CUDAAPI cuCoredumpRegisterCompleteCallback(CUcoredumpStatusCallback callback,
                                                    void *userData,
                                                    CUcoredumpCallbackHandle *callbackOut);

/**
 * Withdraws a callback for the start of core dumps.
 *
 * @param callback handle of the callback.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if it is not that of a registered callback for the start.
 *
 * Manual: Coredump Attributes Control API.
 */
CUresult CUDAAPI cuCoredumpDeregisterStartCallback(CUcoredumpCallbackHandle callback);

/**
 * Withdraws a callback for the end of core dumps.
 *
 * @param callback handle of the callback.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if it is not that of a registered callback for the end.
 *
 * Manual: Coredump Attributes Control API.
 */
CUresult CUDAAPI cuCoredumpDeregisterCompleteCallback(CUcoredumpCallbackHandle callback);

/* Memory Management (hardware decompression) */

/**
 * Decompresses several buffers on a stream.
 *
 * Blocks are raw: DEFLATE of RFC 1951 without header and trailer, LZ4 blocks, Snappy elements without the length in
 * front. A block that is not well-formed, or does not fit, makes its dstActBytes 0 and writes anything to its dst;
 * the context's asynchronous error is CUDA_ERROR_LAUNCH_FAILED then.
 *
 * @param paramsArray what to decompress: of each src and srcNumBytes (at least 1), dst and dstNumBytes (how many
 *     bytes the contents have at most; 0 leaves that to the allocation that dst lies in), dstActBytes, which
 *     receives the bytes written in 32 bits, and the algorithm. All three are memory of the device (cuMemAlloc, or a
 *     pool or physical memory made for this use), and neither side may be longer than the device's attribute
 *     MEM_DECOMPRESS_MAXIMUM_LENGTH.
 * @param count number of entries; 0 does nothing.
 * @param flags 0.
 * @param errorIndex receives, on an error, the number of the entry that is wrong, or SIZE_MAX; NULL to leave it out.
 * @param stream the stream; it cannot be captured.
 *
 * Errors: CUDA_ERROR_NOT_SUPPORTED, before anything else is looked at, on devices without a decompression engine;
 * CUDA_ERROR_INVALID_VALUE if flags or an entry's padding is not 0, if paramsArray is NULL and count is not 0,
 * for an algorithm that the device lacks, for a length of 0 or beyond what the device allows, and for memory of
 * another kind; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED for a stream that is being captured, which invalidates the
 * capture.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemBatchDecompressAsync(CUmemDecompressParams *paramsArray,
                                           size_t count,
                                           unsigned int flags,
                                           size_t *errorIndex,
                                           CUstream stream);

/** cuMemBatchDecompressAsync with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemBatchDecompressAsync_ptsz(CUmemDecompressParams *paramsArray,
                                                size_t count,
                                                unsigned int flags,
                                                size_t *errorIndex,
                                                CUstream stream);

/* Device Management */

/**
 * Turns an ordinal into a device handle.
 *
 * @param device receives the handle.
 * @param ordinal number of the device among those visible to this process, from 0.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if device is NULL; CUDA_ERROR_INVALID_DEVICE if there is no device with that
 * ordinal.
 *
 * Manual: Device Management.
 */
CUresult CUDAAPI cuDeviceGet(CUdevice *device, int ordinal);

/**
 * Counts the devices visible to this process.
 *
 * @param count receives the number.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if count is NULL.
 *
 * Manual: Device Management.
 */
CUresult CUDAAPI cuDeviceGetCount(int *count);

/**
 * Copies the product name of a device into a buffer.
 *
 * @param name receives the text and a NUL, cut short if it must be.
 * @param len size of the buffer in bytes, at least 1.
 * @param dev the device.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if name is NULL or len is not positive; CUDA_ERROR_INVALID_DEVICE if there
 * is no such device.
 *
 * Manual: Device Management.
 */
CUresult CUDAAPI cuDeviceGetName(char *name, int len, CUdevice dev);

/**
 * Reports the 16-byte identity of a device, or of the MIG instance that the handle stands for.
 *
 * It belongs to the device and does not change with CUDA_VISIBLE_DEVICES.
 *
 * @param uuid receives the identity.
 * @param dev the device.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if uuid is NULL; CUDA_ERROR_INVALID_DEVICE if there is no such device.
 *
 * Manual: Device Management.
 */
CUresult CUDAAPI cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice dev);

/**
 * Reports the 16-byte identity of a device; a MIG instance answers with its parent's.
 *
 * As cuDeviceGetUuid_v2: there are no MIG instances here.
 *
 * @param uuid receives the identity.
 * @param dev the device.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if uuid is NULL; CUDA_ERROR_INVALID_DEVICE if there is no such device.
 *
 * Manual: Device Management.
 */
CUresult CUDAAPI cuDeviceGetUuid(CUuuid *uuid, CUdevice dev);

/**
 * Reports the Windows adapter identifier and node mask of a device, which have no meaning elsewhere.
 *
 * @param luid not written.
 * @param deviceNodeMask not written.
 * @param dev the device.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if luid or deviceNodeMask is NULL; CUDA_ERROR_INVALID_DEVICE if there is no
 * such device; else CUDA_ERROR_NOT_SUPPORTED.
 *
 * Manual: Device Management.
 */
CUresult CUDAAPI cuDeviceGetLuid(char *luid, unsigned int *deviceNodeMask, CUdevice dev);

/**
 * Reports how much memory a device has.
 *
 * @param bytes receives the size in bytes; 0 with CUDA_ERROR_INVALID_DEVICE.
 * @param dev the device.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if bytes is NULL; CUDA_ERROR_INVALID_DEVICE if there is no such device.
 *
 * Manual: Device Management.
 */
CUresult CUDAAPI cuDeviceTotalMem_v2(size_t *bytes, CUdevice dev);

/**
 * Reports how much memory a device has, in 32 bits.
 *
 * @param bytes receives the size in bytes, the greatest 32-bit number if there is more; 0 with
 *     CUDA_ERROR_INVALID_DEVICE.
 * @param dev the device.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if bytes is NULL; CUDA_ERROR_INVALID_DEVICE if there is no such device.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuDeviceTotalMem(unsigned int *bytes, CUdevice dev);

/**
 * Reports how many elements a 1D texture over linear memory may have.
 *
 * Wide elements are limited by the texture's bytes, narrow ones by their number.
 *
 * @param maxWidthInElements receives the number of elements.
 * @param format format of the elements.
 * @param numChannels components of an element: 1, 2 or 4, unless the format fixes it.
 * @param dev the device.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if maxWidthInElements is NULL, for an unknown format, and for a number of
 * components that it does not have; CUDA_ERROR_INVALID_DEVICE if there is no such device.
 *
 * Manual: Device Management.
 */
CUresult CUDAAPI cuDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements,
                                                    CUarray_format format,
                                                    unsigned int numChannels,
                                                    CUdevice dev);

/**
 * Reads one integer attribute of a device: limits, sizes, clock rates and capabilities.
 *
 * @param pi receives the value, in the attribute's own unit.
 * @param attrib the attribute.
 * @param dev the device.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pi is NULL, and for an attribute that the device does not know;
 * CUDA_ERROR_INVALID_DEVICE if there is no such device.
 *
 * Manual: Device Management.
 */
CUresult CUDAAPI cuDeviceGetAttribute(int *pi, CUdevice_attribute attrib, CUdevice dev);

/**
 * Tells for each of several atomic operations how a device can perform it on host memory.
 *
 * All answers are 0 when the device's attribute HOST_NATIVE_ATOMIC_SUPPORTED is.
 *
 * @param capabilities receives count sets of bits of CUatomicOperationCapability; with an unknown operation only up
 *     to that one.
 * @param operations count operations.
 * @param count how many, at least 1.
 * @param dev the device.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL or count is 0, and for an unknown operation;
 * CUDA_ERROR_INVALID_DEVICE if there is no such device.
 *
 * Manual: Device Management.
 */
CUresult CUDAAPI cuDeviceGetHostAtomicCapabilities(unsigned int *capabilities,
                                                   const CUatomicOperation *operations,
                                                   unsigned int count,
                                                   CUdevice dev);

/**
 * Fills an NvSciSync attribute list with what a device needs to signal or wait on such objects: this device has none.
 *
 * @param nvSciSyncAttrList the list; not written.
 * @param dev the device.
 * @param flags CUDA_NVSCISYNC_ATTR_* bits.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if nvSciSyncAttrList is NULL; CUDA_ERROR_INVALID_DEVICE if there is no such device;
 * CUDA_ERROR_INVALID_VALUE if flags is 0; else CUDA_ERROR_NOT_SUPPORTED.
 *
 * Manual: Device Management.
 */
CUresult CUDAAPI cuDeviceGetNvSciSyncAttributes(void *nvSciSyncAttrList,
                                                CUdevice dev,
                                                int flags);

/**
 * Chooses the pool from which cuMemAllocAsync allocates on a device.
 *
 * @param dev the device.
 * @param pool a pool of that device, made by this process.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if there is no such device, and if pool is no pool, was imported, or belongs to
 * something else; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call.
 *
 * Manual: Device Management.
 */
CUresult CUDAAPI cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool);

/**
 * Reports the pool from which cuMemAllocAsync allocates on a device at present.
 *
 * @param pool receives the pool.
 * @param dev the device.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pool is NULL, and if there is no such device.
 *
 * Manual: Device Management.
 */
CUresult CUDAAPI cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice dev);

/**
 * Reports the default pool of a device.
 *
 * @param pool_out receives the pool.
 * @param dev the device.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pool_out is NULL; CUDA_ERROR_INVALID_DEVICE if there is no such device.
 *
 * Manual: Device Management.
 */
CUresult CUDAAPI cuDeviceGetDefaultMemPool(CUmemoryPool *pool_out, CUdevice dev);

/**
 * Tells whether a device can create contexts with a given kind of execution affinity.
 *
 * @param pi receives 0: the device has none of them.
 * @param type the kind; unknown ones are not supported either.
 * @param dev the device.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pi is NULL; CUDA_ERROR_INVALID_DEVICE if there is no such device.
 *
 * Manual: Device Management.
 */
CUresult CUDAAPI cuDeviceGetExecAffinitySupport(int *pi, CUexecAffinityType type, CUdevice dev);

/**
 * Fills the old structure of basic device limits.
 *
 * @param prop receives the limits: sizes in bytes, the clock rate in kHz.
 * @param dev the device.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if prop is NULL; CUDA_ERROR_INVALID_DEVICE if there is no such device.
 *
 * Manual: Device Management (deprecated).
 */
CUresult CUDAAPI cuDeviceGetProperties(CUdevprop *prop, CUdevice dev);

/**
 * Reports the compute capability of a device.
 *
 * @param major receives its first number.
 * @param minor receives its second number.
 * @param dev the device.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if major or minor is NULL; CUDA_ERROR_INVALID_DEVICE if there is no such
 * device.
 *
 * Manual: Device Management (deprecated).
 */
CUresult CUDAAPI cuDeviceComputeCapability(int *major, int *minor, CUdevice dev);

/**
 * Finds the device at a PCI address.
 *
 * @param dev receives the device.
 * @param pciBusId the address as text: domain:bus:device.function, domain:bus:device or bus:device.function, in
 *     hexadecimal.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, and for other text; CUDA_ERROR_INVALID_DEVICE when no
 * visible device has the address.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuDeviceGetByPCIBusId(CUdevice *dev, const char *pciBusId);

/**
 * Writes the PCI address of a device as text.
 *
 * @param pciBusId receives domain:bus:device.function in hexadecimal and a NUL, cut short if it must be.
 * @param len size of the buffer in bytes; 13 hold it.
 * @param dev the device.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pciBusId is NULL, if len is not positive, and if the text did not fit;
 * CUDA_ERROR_INVALID_DEVICE if there is no such device.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuDeviceGetPCIBusId(char *pciBusId, int len, CUdevice dev);

/**
 * Reports the identity of the fabric cluster that a device belongs to.
 *
 * @param uuid receives the identity.
 * @param dev the device.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL; CUDA_ERROR_INVALID_DEVICE if the device does not exist;
 * else CUDA_ERROR_NOT_SUPPORTED: no device is part of a fabric.
 *
 * Manual: Device Management.
 */
CUresult CUDAAPI cuDeviceGetFabricClusterUuid(CUuuid *uuid, CUdevice dev);

/**
 * Counts the fabric cliques that a device belongs to.
 *
 * @param count receives the number.
 * @param dev the device.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL; CUDA_ERROR_INVALID_DEVICE if the device does not exist;
 * else CUDA_ERROR_NOT_SUPPORTED: no device is part of a fabric.
 *
 * Manual: Device Management.
 */
CUresult CUDAAPI cuDeviceGetCliqueCount(size_t *count, CUdevice dev);

/**
 * Lists the fabric cliques that a device belongs to.
 *
 * @param cliqueInfo receives up to count of them.
 * @param count room for how many; receives their number.
 * @param dev the device.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL; CUDA_ERROR_INVALID_DEVICE if the device does not exist;
 * else CUDA_ERROR_NOT_SUPPORTED: no device is part of a fabric.
 *
 * Manual: Device Management.
 */
CUresult CUDAAPI cuDeviceGetCliqueInfo(CUcliqueInfo *cliqueInfo, size_t *count, CUdevice dev);

/**
 * Makes remote writes that arrived through GPUDirect RDMA visible to the given scope.
 *
 * No other device writes into the memory of an emulated one: nothing to do.
 *
 * @param target CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX.
 * @param scope for whom: the owner of the memory, or all devices.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE for an unknown target or scope.
 *
 * Manual: Device Management.
 */
CUresult CUDAAPI cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget target, CUflushGPUDirectRDMAWritesScope scope);

/* Driver Entry Point Access */

/**
 * Finds the function that serves a name for a given CUDA version, and says why there is none.
 *
 * In forward mode the real driver looks it up, and what we export ourselves takes the place of its functions.
 *
 * @param symbol name of the function without version suffix.
 * @param pfn receives its address, NULL if none is found.
 * @param cudaVersion the version whose interface is wanted, 1000 times the major number and 10 times the minor one; a
 *     negative one stands for the newest.
 * @param flags CU_GET_PROC_ADDRESS_*: which default stream the function shall mean by stream 0; 0 for the legacy one.
 * @param symbolStatus receives whether there is such a function, only a newer one, or none; may be NULL.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if symbol or pfn is NULL, for unknown flags, and for a version newer than
 * the driver's. A function that is not found is no error.
 *
 * Manual: Driver Entry Point Access.
 */
CUresult CUDAAPI cuGetProcAddress_v2(const char *symbol,
                                     void **pfn,
                                     int cudaVersion,
                                     cuuint64_t flags,
                                     CUdriverProcAddressQueryResult *symbolStatus);

/**
 * Finds the function that serves a name for a given CUDA version.
 *
 * First form of cuGetProcAddress_v2, without the reason.
 *
 * @param symbol name of the function without version suffix.
 * @param pfn receives its address.
 * @param cudaVersion the version whose interface is wanted, 1000 times the major number and 10 times the minor one; a
 *     negative one stands for the newest.
 * @param flags CU_GET_PROC_ADDRESS_*: which default stream the function shall mean by stream 0; 0 for the legacy one.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if symbol or pfn is NULL, for unknown flags, and for a version newer than
 * the driver's; CUDA_ERROR_NOT_FOUND if there is no such function in that version.
 *
 * Manual: Driver Entry Point Access.
 */
CUresult CUDAAPI cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags);

/**
 * Hands out a private function table by its identifier.
 *
 * There are two of our own, through which programs can ask about this library.
 *
 * @param ppExportTable receives the address of the table.
 * @param pExportTableId the identifier, 16 bytes.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL; CUDA_ERROR_NOT_FOUND for every other table, with a
 * warning in the log that says what that means for the file that asked.
 *
 * Manual: none, private.
 */
CUresult CUDAAPI cuGetExportTable(const void **ppExportTable, const CUuuid *pExportTableId);

/* Error Handling */

/**
 * Looks up the sentence that describes a result code.
 *
 * @param error the result code.
 * @param pStr receives the address of the text, which stays for good; NULL for an unknown code.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pStr is NULL, and for an unknown code.
 *
 * Manual: Error Handling.
 */
CUresult CUDAAPI cuGetErrorString(CUresult error, const char **pStr);

/**
 * Looks up the identifier of a result code.
 *
 * @param error the result code.
 * @param pStr receives the address of the text (CUDA_ERROR_INVALID_VALUE and so on), which stays for good; NULL for an
 *     unknown code.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pStr is NULL, and for an unknown code.
 *
 * Manual: Error Handling.
 */
CUresult CUDAAPI cuGetErrorName(CUresult error,
                                const char **pStr);

/* Event Management */

/**
 * Creates an event in the current context.
 *
 * An event that other processes may open cannot measure times.
 *
 * @param phEvent receives the event.
 * @param Flags CU_EVENT_* bits.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if phEvent is NULL, for unknown Flags, and for CU_EVENT_INTERPROCESS
 * without CU_EVENT_DISABLE_TIMING.
 *
 * Manual: Event Management.
 */
CUresult CUDAAPI cuEventCreate(CUevent *phEvent, unsigned int Flags);

/**
 * Records in an event the work that a stream has been given so far.
 *
 * @param hEvent the event.
 * @param hStream the stream, of the event's context.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hEvent is no event, CUDA_ERROR_CONTEXT_IS_DESTROYED if its context is
 * gone; CUDA_ERROR_INVALID_HANDLE if event and stream belong to different contexts;
 * CUDA_ERROR_STREAM_CAPTURE_INVALIDATED for a stream whose capture is invalidated.
 *
 * Manual: Event Management.
 */
CUresult CUDAAPI cuEventRecord(CUevent hEvent, CUstream hStream);

/** cuEventRecord with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuEventRecord_ptsz(CUevent hEvent, CUstream hStream);

/**
 * Records an event, as an external node when the stream is being captured and the flag says so.
 *
 * @param hEvent the event.
 * @param hStream the stream, of the event's context.
 * @param flags CU_EVENT_RECORD_DEFAULT, or CU_EVENT_RECORD_EXTERNAL for a node that records the event whenever the
 *     graph runs.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE for unknown flags; CUDA_ERROR_INVALID_HANDLE if hEvent is no event,
 * CUDA_ERROR_CONTEXT_IS_DESTROYED if its context is gone; CUDA_ERROR_INVALID_HANDLE if event and stream belong to
 * different contexts; CUDA_ERROR_ILLEGAL_STATE for CU_EVENT_RECORD_EXTERNAL outside of a capture;
 * CUDA_ERROR_STREAM_CAPTURE_INVALIDATED for a stream whose capture is invalidated.
 *
 * Manual: Event Management.
 */
CUresult CUDAAPI cuEventRecordWithFlags(CUevent hEvent, CUstream hStream, unsigned int flags);

/** cuEventRecordWithFlags with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuEventRecordWithFlags_ptsz(CUevent hEvent, CUstream hStream, unsigned int flags);

/**
 * Tells without waiting whether the work recorded in an event is done.
 *
 * Success when it is, or if the event was never recorded.
 *
 * @param hEvent the event.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hEvent is no event, CUDA_ERROR_CONTEXT_IS_DESTROYED if its context is
 * gone; CUDA_ERROR_NOT_READY while the work is not done; CUDA_ERROR_CAPTURED_EVENT for an event that was recorded
 * in a capture, where the call invalidates the capture, and CUDA_ERROR_INVALID_VALUE once the capture has ended;
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call; the asynchronous error of the event's
 * context.
 *
 * Manual: Event Management.
 */
CUresult CUDAAPI cuEventQuery(CUevent hEvent);

/**
 * Waits until the work recorded in an event is done.
 *
 * Returns at once if the event was never recorded.
 *
 * @param hEvent the event.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hEvent is no event, CUDA_ERROR_CONTEXT_IS_DESTROYED if its context is
 * gone; CUDA_ERROR_CAPTURED_EVENT for an event that was recorded in a capture, where the call invalidates the
 * capture, and CUDA_ERROR_INVALID_VALUE once the capture has ended; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a
 * capture forbids the call; the asynchronous error of the event's context.
 *
 * Manual: Event Management.
 */
CUresult CUDAAPI cuEventSynchronize(CUevent hEvent);

/**
 * Destroys an event.
 *
 * Returns at once: streams that were told to wait for it still do.
 *
 * @param hEvent the event.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if it is no event; CUDA_ERROR_CONTEXT_IS_DESTROYED if its context is gone: the
 * event is destroyed nonetheless; its context's asynchronous error: the event is not destroyed then.
 *
 * Manual: Event Management.
 */
CUresult CUDAAPI cuEventDestroy_v2(CUevent hEvent);

/**
 * Destroys an event, with the rules of before CUDA 4.
 *
 * As cuEventDestroy_v2: there is no difference here.
 *
 * @param hEvent the event.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if it is no event; CUDA_ERROR_CONTEXT_IS_DESTROYED if its context is gone: the
 * event is destroyed nonetheless; its context's asynchronous error: the event is not destroyed then.
 *
 * Manual: Event Management.
 */
CUresult CUDAAPI cuEventDestroy(CUevent hEvent);

/**
 * Measures the time between two recorded events.
 *
 * @param pMilliseconds receives milliseconds; negative when hEnd was reached first.
 * @param hStart the event at the beginning.
 * @param hEnd the event at the end, of the same context.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if a pointer or event is NULL, for what is no event, and unless both were
 * recorded, measure times and belong to one context; CUDA_ERROR_NOT_READY while one of them is not reached;
 * CUDA_ERROR_CAPTURED_EVENT for one that was recorded in a capture, which invalidates the capture, and
 * CUDA_ERROR_INVALID_VALUE once the capture has ended; CUDA_ERROR_CONTEXT_IS_DESTROYED if their context is gone;
 * its asynchronous error.
 *
 * Manual: Event Management.
 */
CUresult CUDAAPI cuEventElapsedTime_v2(float *pMilliseconds, CUevent hStart, CUevent hEnd);

/**
 * Measures the time between two recorded events.
 *
 * @param pMilliseconds receives milliseconds; negative when hEnd was reached first.
 * @param hStart the event at the beginning.
 * @param hEnd the event at the end, of the same context.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if a pointer or event is NULL, for what is no event, and unless both were
 * recorded, measure times and belong to one context; CUDA_ERROR_NOT_READY while one of them is not reached;
 * CUDA_ERROR_CAPTURED_EVENT for one that was recorded in a capture, which invalidates the capture, and
 * CUDA_ERROR_INVALID_VALUE once the capture has ended; CUDA_ERROR_CONTEXT_IS_DESTROYED if their context is gone;
 * its asynchronous error.
 *
 * Manual: Event Management.
 */
CUresult CUDAAPI cuEventElapsedTime(float *pMilliseconds, CUevent hStart, CUevent hEnd);

/* Execution Control */

/**
 * Reads an attribute of a function: registers, shared memory, largest block and so on.
 *
 * @param pi receives the value, in the attribute's own unit.
 * @param attrib the attribute.
 * @param hfunc the function.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pi is NULL, and for an unknown attribute; CUDA_ERROR_INVALID_HANDLE if
 * hfunc is no function, CUDA_ERROR_CONTEXT_IS_DESTROYED if its context is gone; its context's asynchronous error.
 *
 * Manual: Execution Control.
 */
CUresult CUDAAPI cuFuncGetAttribute(int *pi, CUfunction_attribute attrib, CUfunction hfunc);

/**
 * Changes an attribute of a function, such as its limit of dynamic shared memory.
 *
 * @param hfunc the function.
 * @param attrib the attribute.
 * @param value its new value, in the attribute's own unit.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hfunc is no function, CUDA_ERROR_CONTEXT_IS_DESTROYED if its context is
 * gone; its context's asynchronous error; CUDA_ERROR_INVALID_VALUE for an attribute that is unknown or cannot be
 * set, and for a value out of its range.
 *
 * Manual: Execution Control.
 */
CUresult CUDAAPI cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value);

/**
 * Sets whether a function prefers L1 cache or shared memory.
 *
 * @param hfunc the function.
 * @param config the preference.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hfunc is no function, CUDA_ERROR_CONTEXT_IS_DESTROYED if its context is
 * gone; its context's asynchronous error; CUDA_ERROR_INVALID_VALUE for an unknown preference.
 *
 * Manual: Execution Control.
 */
CUresult CUDAAPI cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config);

/**
 * Reports the module that a function comes from.
 *
 * @param hmod receives the module.
 * @param hfunc the function.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer or hfunc is NULL; CUDA_ERROR_INVALID_HANDLE if hfunc is no
 * function, CUDA_ERROR_CONTEXT_IS_DESTROYED if its context is gone; its context's asynchronous error.
 *
 * Manual: Execution Control.
 */
CUresult CUDAAPI cuFuncGetModule(CUmodule *hmod, CUfunction hfunc);

/**
 * Reports the linkage name of a function.
 *
 * @param name receives the address of the name, which stays as long as the function.
 * @param hfunc the function.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer or hfunc is NULL; CUDA_ERROR_INVALID_HANDLE if hfunc is no
 * function, CUDA_ERROR_CONTEXT_IS_DESTROYED if its context is gone; its context's asynchronous error.
 *
 * Manual: Execution Control.
 */
CUresult CUDAAPI cuFuncGetName(const char **name, CUfunction hfunc);

/**
 * Reports offset and size of one parameter of a function.
 *
 * @param func the function.
 * @param paramIndex number of the parameter, from 0.
 * @param paramOffset receives where it begins among the parameters, in bytes.
 * @param paramSize receives its size in bytes; may be NULL.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if paramOffset or func is NULL, and if there is no such parameter;
 * CUDA_ERROR_INVALID_HANDLE if func is no function, CUDA_ERROR_CONTEXT_IS_DESTROYED if its context is gone; its
 * context's asynchronous error.
 *
 * Manual: Execution Control.
 */
CUresult CUDAAPI cuFuncGetParamInfo(CUfunction func, size_t paramIndex, size_t *paramOffset, size_t *paramSize);

/**
 * Counts the parameters of a function.
 *
 * @param func the function.
 * @param paramCount receives the number.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer or func is NULL; CUDA_ERROR_INVALID_HANDLE if func is no
 * function, CUDA_ERROR_CONTEXT_IS_DESTROYED if its context is gone; its context's asynchronous error.
 *
 * Manual: Execution Control.
 */
CUresult CUDAAPI cuFuncGetParamCount(CUfunction func, size_t *paramCount);

/**
 * Tells whether a function has been loaded yet: it always has.
 *
 * @param state receives CU_FUNCTION_LOADING_STATE_LOADED.
 * @param function the function.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if state is NULL; CUDA_ERROR_INVALID_HANDLE if function is no function,
 * CUDA_ERROR_CONTEXT_IS_DESTROYED if its context is gone; its context's asynchronous error.
 *
 * Manual: Execution Control.
 */
CUresult CUDAAPI cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function);

/**
 * Loads a function that lazy loading left for later: there is nothing left to do.
 *
 * @param function the function.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if function is no function, CUDA_ERROR_CONTEXT_IS_DESTROYED if its context
 * is gone; its context's asynchronous error.
 *
 * Manual: Execution Control.
 */
CUresult CUDAAPI cuFuncLoad(CUfunction function);

/**
 * Queues a grid of thread blocks on a stream.
 *
 * The parameters are copied before the call returns. An error in the kernel becomes the context's asynchronous error.
 *
 * @param f the function, or a library's kernel.
 * @param gridDimX blocks along x, at least 1.
 * @param gridDimY blocks along y, at least 1.
 * @param gridDimZ blocks along z, at least 1.
 * @param blockDimX threads of a block along x, at least 1.
 * @param blockDimY threads of a block along y, at least 1.
 * @param blockDimZ threads of a block along z, at least 1.
 * @param sharedMemBytes dynamic shared memory of a block, in bytes.
 * @param hStream the stream.
 * @param kernelParams addresses of the parameters, one of each; NULL for none.
 * @param extra a list of names and values that hands over all parameters as one buffer (CU_LAUNCH_PARAM_*); NULL with
 *     kernelParams.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if f is no function, or of another context than the stream;
 * CUDA_ERROR_CONTEXT_IS_DESTROYED if its context is gone; CUDA_ERROR_INVALID_VALUE for blocks or grids beyond the
 * limits of function or device, for blocks of another shape than the function was compiled for (a single thread stands
 * for that shape), for more dynamic shared memory than the function is set to have, if kernelParams is NULL and the
 * function has parameters, and for both kernelParams and extra, unknown names in extra, or no end of it;
 * CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES for a buffer larger than the parameters; CUDA_ERROR_INVALID_CLUSTER_SIZE for
 * a function that needs clusters that the grid cannot be divided into, or has too large ones;
 * CUDA_ERROR_NOT_SUPPORTED for a function with instructions that are not emulated; for a library's kernel that the
 * context has not loaded yet, the error of loading it; the context's asynchronous error, and with
 * CUDA_LAUNCH_BLOCKING that of the kernel itself.
 *
 * Manual: Execution Control.
 */
CUresult CUDAAPI cuLaunchKernel(CUfunction f,
                                unsigned int gridDimX,
                                unsigned int gridDimY,
                                unsigned int gridDimZ,
                                unsigned int blockDimX,
                                unsigned int blockDimY,
                                unsigned int blockDimZ,
                                unsigned int sharedMemBytes,
                                CUstream hStream,
                                void **kernelParams,
                                void **extra);

/** cuLaunchKernel with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuLaunchKernel_ptsz(CUfunction f,
                                     unsigned int gridDimX,
                                     unsigned int gridDimY,
                                     unsigned int gridDimZ,
                                     unsigned int blockDimX,
                                     unsigned int blockDimY,
                                     unsigned int blockDimZ,
                                     unsigned int sharedMemBytes,
                                     CUstream hStream,
                                     void **kernelParams,
                                     void **extra);

/**
 * Queues a grid of thread blocks on a stream, with launch attributes.
 *
 * As cuLaunchKernel.
 *
 * @param config grid and block in blocks and threads, dynamic shared memory in bytes, stream, and attributes.
 * @param f the function, or a library's kernel.
 * @param kernelParams addresses of the parameters, one of each; NULL for none.
 * @param extra a list of names and values that hands over all parameters as one buffer (CU_LAUNCH_PARAM_*); NULL with
 *     kernelParams.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if f is no function, or of another context than the stream;
 * CUDA_ERROR_CONTEXT_IS_DESTROYED if its context is gone; CUDA_ERROR_INVALID_VALUE for blocks or grids beyond the
 * limits of function or device, for blocks of another shape than the function was compiled for (a single thread stands
 * for that shape), for more dynamic shared memory than the function is set to have, if kernelParams is NULL and the
 * function has parameters, if config is NULL, for an unknown attribute or value of one, and for both kernelParams
 * and extra, unknown names in extra, or no end of it; CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES for a buffer larger
 * than the parameters; CUDA_ERROR_INVALID_HANDLE for an attribute's event that does not exist or is of another context;
 * CUDA_ERROR_ILLEGAL_STATE for one that is to be recorded as external; CUDA_ERROR_NOT_SUPPORTED for one that
 * measures times or is for other processes, and for a node that kernels could update;
 * CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE for a cooperative launch of more blocks than the device holds at once;
 * CUDA_ERROR_INVALID_CLUSTER_SIZE for clusters that are too large or that the grid cannot be divided into, and if
 * there are none for a function that needs them; CUDA_ERROR_NOT_SUPPORTED for clusters on a device without them, and
 * for a function with instructions that are not emulated; for a library's kernel that the context has not loaded yet,
 * the error of loading it; the context's asynchronous error, and with CUDA_LAUNCH_BLOCKING that of the kernel itself.
 *
 * Manual: Execution Control.
 */
CUresult CUDAAPI cuLaunchKernelEx(const CUlaunchConfig *config,
                                  CUfunction f,
                                  void **kernelParams,
                                  void **extra);

/** cuLaunchKernelEx with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuLaunchKernelEx_ptsz(const CUlaunchConfig *config, CUfunction f, void **kernelParams, void **extra);

/**
 * Queues a grid whose blocks are all resident at once and may synchronise with each other.
 *
 * As cuLaunchKernel.
 *
 * @param f the function, or a library's kernel.
 * @param gridDimX blocks along x, at least 1.
 * @param gridDimY blocks along y, at least 1.
 * @param gridDimZ blocks along z, at least 1.
 * @param blockDimX threads of a block along x, at least 1.
 * @param blockDimY threads of a block along y, at least 1.
 * @param blockDimZ threads of a block along z, at least 1.
 * @param sharedMemBytes dynamic shared memory of a block, in bytes.
 * @param hStream the stream.
 * @param kernelParams addresses of the parameters, one of each; NULL for none.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if f is no function, or of another context than the stream;
 * CUDA_ERROR_CONTEXT_IS_DESTROYED if its context is gone; CUDA_ERROR_INVALID_VALUE for blocks or grids beyond the
 * limits of function or device, for blocks of another shape than the function was compiled for (a single thread stands
 * for that shape), for more dynamic shared memory than the function is set to have, if kernelParams is NULL and the
 * function has parameters; CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE for more blocks than the device holds at once;
 * CUDA_ERROR_INVALID_CLUSTER_SIZE for a function that needs clusters that the grid cannot be divided into, or has
 * too large ones; CUDA_ERROR_NOT_SUPPORTED for a function with instructions that are not emulated; for a library's
 * kernel that the context has not loaded yet, the error of loading it; the context's asynchronous error, and with
 * CUDA_LAUNCH_BLOCKING that of the kernel itself.
 *
 * Manual: Execution Control.
 */
CUresult CUDAAPI cuLaunchCooperativeKernel(CUfunction f,
                                           unsigned int gridDimX,
                                           unsigned int gridDimY,
                                           unsigned int gridDimZ,
                                           unsigned int blockDimX,
                                           unsigned int blockDimY,
                                           unsigned int blockDimZ,
                                           unsigned int sharedMemBytes,
                                           CUstream hStream,
                                           void **kernelParams);

/** cuLaunchCooperativeKernel with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuLaunchCooperativeKernel_ptsz(CUfunction f,
                                                unsigned int gridDimX,
                                                unsigned int gridDimY,
                                                unsigned int gridDimZ,
                                                unsigned int blockDimX,
                                                unsigned int blockDimY,
                                                unsigned int blockDimZ,
                                                unsigned int sharedMemBytes,
                                                CUstream hStream,
                                                void **kernelParams);

/**
 * Queues a call of a host function on a stream, with a choice of how its thread waits.
 *
 * As cuLaunchHostFunc.
 *
 * @param hStream the stream.
 * @param fn the function.
 * @param userData its argument.
 * @param syncMode a CUhostTaskSyncMode; it makes no difference here.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if fn is NULL, and for an unknown syncMode.
 *
 * Manual: Execution Control.
 */
CUresult CUDAAPI cuLaunchHostFunc_v2(CUstream hStream, CUhostFn fn, void *userData, unsigned int syncMode);

/** cuLaunchHostFunc_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuLaunchHostFunc_v2_ptsz(CUstream hStream, CUhostFn fn, void *userData, unsigned int syncMode);

/**
 * Queues a call of a host function on a stream.
 *
 * The function runs on a thread of ours, one at a time in a context. Driver calls inside it are refused with
 * CUDA_ERROR_NOT_PERMITTED. It is not called after an asynchronous error.
 *
 * @param hStream the stream.
 * @param fn the function.
 * @param userData its argument.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if fn is NULL.
 *
 * Manual: Execution Control.
 */
CUresult CUDAAPI cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void *userData);

/** cuLaunchHostFunc with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuLaunchHostFunc_ptsz(CUstream hStream, CUhostFn fn, void *userData);

/**
 * Sets the shared memory bank width of a function.
 *
 * It is checked and has no effect, as on all devices with one width.
 *
 * @param hfunc the function.
 * @param config the width, a CUsharedconfig.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hfunc is no function, CUDA_ERROR_CONTEXT_IS_DESTROYED if its context is
 * gone; its context's asynchronous error; CUDA_ERROR_INVALID_VALUE for an unknown width.
 *
 * Manual: Execution Control (deprecated).
 */
CUresult CUDAAPI cuFuncSetSharedMemConfig(CUfunction hfunc, CUsharedconfig config);

/* External Resource Interoperability */

/**
 * Imports memory that another API allocated.
 *
 * Descriptors of memory files can be imported: those of cuMemExportToShareableHandle, and of Vulkan on the CPU, Mesa's
 * lavapipe. An import that succeeds takes the descriptor over.
 *
 * @param extMem_out receives the handle.
 * @param memHandleDesc type and descriptor, size in bytes (not 0; mappings end where the file does), flags (0 or
 *     CUDA_EXTERNAL_MEMORY_DEDICATED).
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, for an unknown type or flag, for a resource of Direct3D
 * that is not marked as dedicated, and for a size of 0; CUDA_ERROR_UNKNOWN for a descriptor of anything else; CUDA_ERROR_NOT_SUPPORTED for handles of other systems;
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call.
 *
 * Manual: External Resource Interoperability.
 */
CUresult CUDAAPI cuImportExternalMemory(CUexternalMemory *extMem_out,
                                        const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *memHandleDesc);

/**
 * Maps a range of imported memory as linear memory.
 *
 * The result is freed with cuMemFree and outlives the handle.
 *
 * @param devPtr receives the address.
 * @param extMem the imported memory.
 * @param bufferDesc offset and size in bytes, flags (0).
 *
 * It belongs to the context of the import.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if extMem is no imported memory, for flags other than 0,
 * a size of 0, and a range beyond the memory; CUDA_ERROR_OUT_OF_MEMORY if
 * there is no room for it; CUDA_ERROR_INVALID_CONTEXT in a context of the first generation.
 *
 * Manual: External Resource Interoperability.
 */
CUresult CUDAAPI cuExternalMemoryGetMappedBuffer(CUdeviceptr *devPtr,
                                                 CUexternalMemory extMem,
                                                 const CUDA_EXTERNAL_MEMORY_BUFFER_DESC *bufferDesc);

/**
 * Maps imported memory as a mipmapped array.
 *
 * Elements lie in the memory row by row, level after level, each level at the next multiple of 64 bytes. So do those of
 * lavapipe's images, if the rows of all levels are multiples of 64 bytes and their number one of 4. The result is freed with cuMipmappedArrayDestroy and outlives the handle.
 *
 * @param mipmap receives the mipmapped array.
 * @param extMem the imported memory.
 * @param mipmapDesc offset in bytes, a multiple of 512, from which on the memory has to hold what the levels take; what
 *     the first level looks like (CUDA_ARRAY3D_COLOR_ATTACHMENT is allowed); the number of levels, which is not
 *     clamped.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if extMem is no imported memory, for an offset that is no
 * multiple of 512, for too little memory, for no levels or more than the extents allow, for sparse arrays and arrays
 * with deferred mapping, and for what the device does not have; CUDA_ERROR_NOT_SUPPORTED for surfaces of compressed
 * formats, and for images of lavapipe that are laid out otherwise; CUDA_ERROR_OUT_OF_MEMORY if there is no room for it; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a
 * capture forbids the call; CUDA_ERROR_INVALID_CONTEXT in a context of the first generation.
 *
 * Manual: External Resource Interoperability.
 */
CUresult CUDAAPI cuExternalMemoryGetMappedMipmappedArray(CUmipmappedArray *mipmap,
                                                         CUexternalMemory extMem,
                                                         const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC *mipmapDesc);

/**
 * Ends the use of imported memory.
 *
 * Mappings of it stay.
 *
 * @param extMem the imported memory.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if it is not one; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call.
 *
 * Manual: External Resource Interoperability.
 */
CUresult CUDAAPI cuDestroyExternalMemory(CUexternalMemory extMem);

/**
 * Imports a semaphore that processes of this machine share: a memory file that begins with a word of 64 bits.
 *
 * A timeline semaphore is the value of the word. Any other is signalled when the word is not 0, and a wait takes that
 * back. An import that succeeds takes the descriptor over. Descriptors of other APIs' devices are refused like any that
 * the driver does not know.
 *
 * @param extSem_out receives the semaphore.
 * @param semHandleDesc type and descriptor; flags and what is reserved 0.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, for an unknown type, for other flags, for what is reserved, and for a timeline
 * semaphore without a descriptor; CUDA_ERROR_NOT_SUPPORTED for handles of other systems; CUDA_ERROR_UNKNOWN for a
 * descriptor of anything else; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call.
 *
 * Manual: External Resource Interoperability.
 */
CUresult CUDAAPI cuImportExternalSemaphore(CUexternalSemaphore *extSem_out,
                                           const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC *semHandleDesc);

/**
 * Signals imported semaphores on a stream.
 *
 * A capture gets a node of them.
 *
 * @param extSemArray the semaphores.
 * @param paramsArray what to signal, as many.
 * @param numExtSems how many.
 * @param stream the stream.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if numExtSems is 0, for what is no semaphore that was imported in the
 * stream's context, for flags other than 0, and if what is reserved is not 0; CUDA_ERROR_INVALID_HANDLE for what is no stream.
 *
 * Manual: External Resource Interoperability.
 */
CUresult CUDAAPI cuSignalExternalSemaphoresAsync(const CUexternalSemaphore *extSemArray,
                                                 const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *paramsArray,
                                                 unsigned int numExtSems,
                                                 CUstream stream);

/** cuSignalExternalSemaphoresAsync with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuSignalExternalSemaphoresAsync_ptsz(const CUexternalSemaphore *extSemArray,
                                                      const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *paramsArray,
                                                      unsigned int numExtSems,
                                                      CUstream stream);

/**
 * Waits for imported semaphores on a stream.
 *
 * A capture gets a node of them.
 *
 * @param extSemArray the semaphores.
 * @param paramsArray what to wait for, as many.
 * @param numExtSems how many.
 * @param stream the stream.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if numExtSems is 0, for what is no semaphore that was imported in the
 * stream's context, for flags other than 0, and if what is reserved is not 0; CUDA_ERROR_INVALID_HANDLE for what is no stream.
 *
 * Manual: External Resource Interoperability.
 */
CUresult CUDAAPI cuWaitExternalSemaphoresAsync(const CUexternalSemaphore *extSemArray,
                                               const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *paramsArray,
                                               unsigned int numExtSems,
                                               CUstream stream);

/** cuWaitExternalSemaphoresAsync with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuWaitExternalSemaphoresAsync_ptsz(const CUexternalSemaphore *extSemArray,
                                                    const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *paramsArray,
                                                    unsigned int numExtSems,
                                                    CUstream stream);

/**
 * Ends the use of an imported semaphore.
 *
 * Work that uses it goes on.
 *
 * @param extSem the semaphore.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE for NULL; CUDA_ERROR_INVALID_HANDLE if it is not one;
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call.
 *
 * Manual: External Resource Interoperability.
 */
CUresult CUDAAPI cuDestroyExternalSemaphore(CUexternalSemaphore extSem);

/* Graph Management (graphs and their edges) */

/**
 * Creates an empty graph.
 *
 * @param phGraph receives the graph.
 * @param flags 0.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if phGraph is NULL or flags is not 0.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphCreate(CUgraph *phGraph, unsigned int flags);

/**
 * Copies a graph, child graphs included.
 *
 * @param phGraphClone receives the copy.
 * @param originalGraph the graph.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if phGraphClone is NULL or originalGraph is no graph;
 * CUDA_ERROR_NOT_SUPPORTED for a graph with nodes that allocate or free memory.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphClone(CUgraph *phGraphClone, CUgraph originalGraph);

/**
 * Finds the copy of a node in a cloned graph.
 *
 * @param phNode receives the copy.
 * @param hOriginalNode the node that was cloned.
 * @param hClonedGraph the clone.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if phNode is NULL, for what is no node or graph, and if the graph was not
 * cloned from the node's.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphNodeFindInClone(CUgraphNode *phNode, CUgraphNode hOriginalNode, CUgraph hClonedGraph);

/**
 * Reports the kind of a node.
 *
 * @param hNode the node.
 * @param type receives the kind.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if type is NULL or hNode is no node.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphNodeGetType(CUgraphNode hNode, CUgraphNodeType *type);

/**
 * Reports the graph that a node belongs to.
 *
 * @param hNode the node.
 * @param phGraph receives the graph.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if phGraph is NULL or hNode is no node.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphNodeGetContainingGraph(CUgraphNode hNode, CUgraph *phGraph);

/**
 * Reports the number of a node within its graph.
 *
 * @param hNode the node.
 * @param nodeId receives the number; nodes are counted from 0 in the order of their creation.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if nodeId is NULL or hNode is no node.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphNodeGetLocalId(CUgraphNode hNode, unsigned int *nodeId);

/**
 * Reports the number under which tools know a node.
 *
 * @param hNode the node.
 * @param toolsNodeId receives it: the graph's number in the upper 32 bits, the node's in the lower ones.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if toolsNodeId is NULL or hNode is no node.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphNodeGetToolsId(CUgraphNode hNode, unsigned long long *toolsNodeId);

/**
 * Reports the number of a graph, unique in this process.
 *
 * @param hGraph the graph.
 * @param graphId receives the number.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if graphId is NULL or hGraph is no graph.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphGetId(CUgraph hGraph, unsigned int *graphId);

/**
 * Lists the nodes of a graph.
 *
 * @param hGraph the graph.
 * @param nodes receives them; what is left of the array is set to NULL. NULL asks for their number only.
 * @param numNodes room in the array; receives how many were written, or all there are if the array is NULL.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if hGraph is no graph or numNodes is NULL.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphGetNodes(CUgraph hGraph, CUgraphNode *nodes, size_t *numNodes);

/**
 * Lists the nodes of a graph that depend on nothing.
 *
 * @param hGraph the graph.
 * @param rootNodes receives them; what is left of the array is set to NULL. NULL asks for their number only.
 * @param numRootNodes room in the array; receives how many were written, or all there are if the array is NULL.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if hGraph is no graph or numRootNodes is NULL.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphGetRootNodes(CUgraph hGraph, CUgraphNode *rootNodes, size_t *numRootNodes);

/**
 * Lists the edges of a graph with their data.
 *
 * @param hGraph the graph.
 * @param from receives the nodes that they begin at; what is left of the array is set to NULL. NULL together with to
 *     asks for their number only.
 * @param to receives the nodes that they lead to, likewise.
 * @param edgeData receives their data, likewise; NULL if none carries any.
 * @param numEdges room in each array; receives how many were written, or all there are if the arrays are NULL.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if hGraph is no graph, if only one of from and to is NULL, and if
 * numEdges is; CUDA_ERROR_LOSSY_QUERY without edgeData if an edge carries data.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphGetEdges_v2(CUgraph hGraph,
                                    CUgraphNode *from,
                                    CUgraphNode *to,
                                    CUgraphEdgeData *edgeData,
                                    size_t *numEdges);

/**
 * Lists the edges of a graph.
 *
 * As cuGraphGetEdges_v2, without data.
 *
 * @param hGraph the graph.
 * @param from receives the nodes that they begin at; what is left of the array is set to NULL. NULL together with to
 *     asks for their number only.
 * @param to receives the nodes that they lead to, likewise.
 * @param numEdges room in each array; receives how many were written, or all there are if the arrays are NULL.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if hGraph is no graph, if only one of from and to is NULL, and if
 * numEdges is; CUDA_ERROR_LOSSY_QUERY if an edge carries data.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphGetEdges(CUgraph hGraph, CUgraphNode *from, CUgraphNode *to, size_t *numEdges);

/**
 * Lists what a node depends on, with edge data.
 *
 * @param hNode the node.
 * @param dependencies receives them; what is left of the array is set to NULL. NULL asks for their number only.
 * @param edgeData receives the data of the edges, likewise; NULL if none carries any.
 * @param numDependencies room in the array; receives how many were written, or all there are if the array is NULL.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if hNode is no node or numDependencies is NULL; CUDA_ERROR_LOSSY_QUERY
 * without edgeData if an edge carries data.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphNodeGetDependencies_v2(CUgraphNode hNode,
                                               CUgraphNode *dependencies,
                                               CUgraphEdgeData *edgeData,
                                               size_t *numDependencies);

/**
 * Lists what a node depends on.
 *
 * @param hNode the node.
 * @param dependencies receives them; what is left of the array is set to NULL. NULL asks for their number only.
 * @param numDependencies room in the array; receives how many were written, or all there are if the array is NULL.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if hNode is no node or numDependencies is NULL; CUDA_ERROR_LOSSY_QUERY if
 * an edge carries data.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphNodeGetDependencies(CUgraphNode hNode, CUgraphNode *dependencies, size_t *numDependencies);

/**
 * Lists the nodes that depend on a node, with edge data.
 *
 * @param hNode the node.
 * @param dependentNodes receives them; what is left of the array is set to NULL. NULL asks for their number only.
 * @param edgeData receives the data of the edges, likewise; NULL if none carries any.
 * @param numDependentNodes room in the array; receives how many were written, or all there are if the array is NULL.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if hNode is no node or numDependentNodes is NULL; CUDA_ERROR_LOSSY_QUERY
 * without edgeData if an edge carries data.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphNodeGetDependentNodes_v2(CUgraphNode hNode,
                                                 CUgraphNode *dependentNodes,
                                                 CUgraphEdgeData *edgeData,
                                                 size_t *numDependentNodes);

/**
 * Lists the nodes that depend on a node.
 *
 * @param hNode the node.
 * @param dependentNodes receives them; what is left of the array is set to NULL. NULL asks for their number only.
 * @param numDependentNodes room in the array; receives how many were written, or all there are if the array is NULL.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if hNode is no node or numDependentNodes is NULL; CUDA_ERROR_LOSSY_QUERY if
 * an edge carries data.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphNodeGetDependentNodes(CUgraphNode hNode, CUgraphNode *dependentNodes, size_t *numDependentNodes);

/**
 * Adds edges with data to a graph, all or none.
 *
 * A cycle is found when the graph is made executable.
 *
 * @param hGraph the graph.
 * @param from nodes that the edges begin at.
 * @param to nodes that they lead to, as many.
 * @param edgeData data of the edges, as many; NULL for plain ones.
 * @param numDependencies number of edges.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if hGraph is no graph, if from or to is NULL and numDependencies is not
 * 0, for an edge that exists already or twice, for one that leads from a node to itself or to another graph, and for
 * edge data that are not known.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphAddDependencies_v2(CUgraph hGraph,
                                           const CUgraphNode *from,
                                           const CUgraphNode *to,
                                           const CUgraphEdgeData *edgeData,
                                           size_t numDependencies);

/**
 * Adds edges to a graph, all or none.
 *
 * A cycle is found when the graph is made executable.
 *
 * @param hGraph the graph.
 * @param from nodes that the edges begin at.
 * @param to nodes that they lead to, as many.
 * @param numDependencies number of edges.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if hGraph is no graph, if from or to is NULL and numDependencies is not
 * 0, for an edge that exists already or twice, and for one that leads from a node to itself or to another graph.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphAddDependencies(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to, size_t numDependencies);

/**
 * Removes edges with given data from a graph, all or none.
 *
 * @param hGraph the graph.
 * @param from nodes that the edges begin at.
 * @param to nodes that they lead to, as many.
 * @param edgeData data of the edges, as many; NULL for plain ones.
 * @param numDependencies number of edges.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if hGraph is no graph, if from or to is NULL and numDependencies is not
 * 0, for an edge that does not exist or is listed twice, and for edge data that are not known;
 * CUDA_ERROR_NOT_SUPPORTED for a graph with nodes that allocate or free memory.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphRemoveDependencies_v2(CUgraph hGraph,
                                              const CUgraphNode *from,
                                              const CUgraphNode *to,
                                              const CUgraphEdgeData *edgeData,
                                              size_t numDependencies);

/**
 * Removes edges without data from a graph, all or none.
 *
 * @param hGraph the graph.
 * @param from nodes that the edges begin at.
 * @param to nodes that they lead to, as many.
 * @param numDependencies number of edges.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if hGraph is no graph, if from or to is NULL and numDependencies is not
 * 0, and for an edge that does not exist or is listed twice; CUDA_ERROR_NOT_SUPPORTED for a graph with nodes that
 * allocate or free memory.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphRemoveDependencies(CUgraph hGraph,
                                           const CUgraphNode *from,
                                           const CUgraphNode *to,
                                           size_t numDependencies);

/**
 * Removes a node and its edges.
 *
 * @param hNode the node.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if hNode is no node; CUDA_ERROR_NOT_SUPPORTED in a graph with nodes that
 * allocate or free memory.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphDestroyNode(CUgraphNode hNode);

/**
 * Destroys a graph and its nodes.
 *
 * Executable graphs that were made of it stay. The graph of a child node goes with its node only.
 *
 * @param hGraph the graph.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if hGraph is no graph, or that of a child node.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphDestroy(CUgraph hGraph);

/**
 * Writes a graph to a file in DOT format.
 *
 * @param hGraph the graph.
 * @param path name of the file.
 * @param flags CU_GRAPH_DEBUG_DOT_FLAGS_*; any of them adds what the nodes do.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if hGraph is no graph or path is NULL or longer than 4096 bytes;
 * CUDA_ERROR_OPERATING_SYSTEM if the file cannot be written.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphDebugDotPrint(CUgraph hGraph, const char *path, unsigned int flags);

/**
 * Creates a reference-counted object with a destructor, to be owned by graphs.
 *
 * The destructor is called on a thread of ours, which may not call the driver.
 *
 * @param object_out receives the user object.
 * @param ptr argument of the destructor.
 * @param destroy the destructor, called when the last reference is gone.
 * @param initialRefcount references that the caller has, 1 to 2^31 - 1.
 * @param flags CU_USER_OBJECT_NO_DESTRUCTOR_SYNC, which must be there.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if object_out or destroy is NULL, for a number of references out of that
 * range, and for other flags.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuUserObjectCreate(CUuserObject *object_out,
                                    void *ptr,
                                    CUhostFn destroy,
                                    unsigned int initialRefcount,
                                    unsigned int flags);

/**
 * Adds references to a user object.
 *
 * @param object the user object.
 * @param count number of references, 1 to 2^31 - 1.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if object is not a user object, and for another count.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuUserObjectRetain(CUuserObject object, unsigned int count);

/**
 * Drops references to a user object.
 *
 * @param object the user object.
 * @param count number of references, 1 to 2^31 - 1.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if object is not a user object, for another count, and if there are fewer references.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuUserObjectRelease(CUuserObject object,
                                     unsigned int count);

/**
 * Makes a graph own references to a user object.
 *
 * @param graph the graph.
 * @param object the user object.
 * @param count number of references, 1 to 2^31 - 1.
 * @param flags 0, or CU_GRAPH_USER_OBJECT_MOVE, with which the caller's references become the graph's.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE for what is no graph or user object, and for another count or other flags.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count, unsigned int flags);

/**
 * Takes references to a user object back from a graph.
 *
 * @param graph the graph.
 * @param object the user object.
 * @param count number of references, 1 to 2^31 - 1.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE for what is no graph or user object, for another count, and if the graph owns
 * fewer references.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned int count);

/**
 * Creates the handle through which kernels control conditional nodes.
 *
 * @param pHandle_out receives the handle.
 * @param hGraph the graph.
 * @param ctx the context of those kernels.
 * @param defaultLaunchValue the value that a launch begins with, if flags says so; otherwise it is 0 at first, and stays
 *     what it was.
 * @param flags 0 or CU_GRAPH_COND_ASSIGN_DEFAULT.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pHandle_out is NULL, hGraph is no graph, and for other flags;
 * CUDA_ERROR_INVALID_CONTEXT if ctx is no context;
 * CUDA_ERROR_CONTEXT_IS_DESTROYED if ctx was destroyed.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphConditionalHandleCreate(CUgraphConditionalHandle *pHandle_out,
                                                CUgraph hGraph,
                                                CUcontext ctx,
                                                unsigned int defaultLaunchValue,
                                                unsigned int flags);

/* Graph Management (executable graphs) */

/**
 * Changes the parameters of a memory-operation node in an executable graph, for later launches.
 *
 * @param hGraphExec the executable graph.
 * @param hNode the node, of the graph that it was made of.
 * @param nodeParams context, operations and flags (0).
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if hGraphExec is no executable graph, if hNode is no
 * node of the graph that it was made of, or a node of another kind, for flags other than 0, more than 255 operations
 * or unknown ones, and for addresses that are not aligned or where no memory is; CUDA_ERROR_NOT_SUPPORTED for a
 * flush of remote writes; CUDA_ERROR_INVALID_CONTEXT if ctx in it is no context, or NULL and the thread has none.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphExecBatchMemOpNodeSetParams(CUgraphExec hGraphExec,
                                                    CUgraphNode hNode,
                                                    const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams);

/**
 * Reports the number of an executable graph, unique in this process.
 *
 * @param hGraphExec the executable graph.
 * @param graphId receives the number.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if graphId is NULL or hGraphExec is no executable graph.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphExecGetId(CUgraphExec hGraphExec, unsigned int *graphId);

/**
 * Makes an executable graph out of a graph, with flags.
 *
 * @param phGraphExec receives the executable graph.
 * @param hGraph the graph.
 * @param flags CUDA_GRAPH_INSTANTIATE_FLAG_*: AUTO_FREE_ON_LAUNCH, DEVICE_LAUNCH, USE_NODE_PRIORITY.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if phGraphExec is NULL, if hGraph is no graph, for a graph with a cycle, and
 * for other flags (UPLOAD needs a stream), and for a graph that kernels cannot launch, with DEVICE_LAUNCH: that has
 * kernels of the current context, copies, memsets and graphs of these alone, a kernel at least, and frees nothing;
 * CUDA_ERROR_NOT_SUPPORTED for a graph with nodes that allocate or free memory that has an executable form already;
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call; CUDA_ERROR_INVALID_CONTEXT in a context
 * of the first generation.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphInstantiateWithFlags(CUgraphExec *phGraphExec,
                                             CUgraph hGraph,
                                             unsigned long long flags);

/**
 * Makes an executable graph and reports in detail why that failed; can upload at once.
 *
 * @param phGraphExec receives the executable graph.
 * @param hGraph the graph.
 * @param instantiateParams flags (CUDA_GRAPH_INSTANTIATE_FLAG_*: AUTO_FREE_ON_LAUNCH, DEVICE_LAUNCH, USE_NODE_PRIORITY, UPLOAD)
 *     and the stream to upload on; receives the result, and the node in a
 *     conditional node that is to blame, or NULL.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if phGraphExec is NULL, if instantiateParams is NULL, if hGraph is no
 * graph, for a graph with a cycle, for other flags, and with DEVICE_LAUNCH for a graph that kernels cannot launch; CUDA_ERROR_INVALID_HANDLE if the stream to upload on is not
 * a stream; CUDA_ERROR_NOT_SUPPORTED for a graph in a conditional node, and for one with conditional nodes or nodes
 * that allocate or free memory that has an executable form already; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a
 * capture forbids the call; CUDA_ERROR_INVALID_CONTEXT in a context of the first generation.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphInstantiateWithParams(CUgraphExec *phGraphExec,
                                              CUgraph hGraph,
                                              CUDA_GRAPH_INSTANTIATE_PARAMS *instantiateParams);

/** cuGraphInstantiateWithParams with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuGraphInstantiateWithParams_ptsz(CUgraphExec *phGraphExec,
                                                   CUgraph hGraph,
                                                   CUDA_GRAPH_INSTANTIATE_PARAMS *instantiateParams);

/**
 * Makes an executable graph and writes the reason of a failure into a log buffer; the log stays empty.
 *
 * @param phGraphExec receives the executable graph.
 * @param hGraph the graph.
 * @param phErrorNode receives NULL: the node that is to blame is not reported; NULL to leave it out.
 * @param logBuffer receives an empty text; may be NULL.
 * @param bufferSize size of the buffer in bytes.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if phGraphExec is NULL, if hGraph is no graph, and for a graph with a cycle;
 * CUDA_ERROR_NOT_SUPPORTED for a graph with nodes that allocate or free memory that has an executable form already;
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call; CUDA_ERROR_INVALID_CONTEXT in a context
 * of the first generation.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphInstantiate_v2(CUgraphExec *phGraphExec,
                                       CUgraph hGraph,
                                       CUgraphNode *phErrorNode,
                                       char *logBuffer,
                                       size_t bufferSize);

/**
 * Makes an executable graph and writes the reason of a failure into a log buffer; the log stays empty.
 *
 * First form of cuGraphInstantiate_v2.
 *
 * @param phGraphExec receives the executable graph.
 * @param hGraph the graph.
 * @param phErrorNode receives NULL: the node that is to blame is not reported; NULL to leave it out.
 * @param logBuffer receives an empty text; may be NULL.
 * @param bufferSize size of the buffer in bytes.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if phGraphExec is NULL, if hGraph is no graph, and for a graph with a cycle;
 * CUDA_ERROR_NOT_SUPPORTED for a graph with nodes that allocate or free memory that has an executable form already;
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call; CUDA_ERROR_INVALID_CONTEXT in a context
 * of the first generation.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphInstantiate(CUgraphExec *phGraphExec,
                                    CUgraph hGraph,
                                    CUgraphNode *phErrorNode,
                                    char *logBuffer,
                                    size_t bufferSize);

/**
 * Reports the flags with which an executable graph was made.
 *
 * @param hGraphExec the executable graph.
 * @param flags receives the CUDA_GRAPH_INSTANTIATE_FLAG_* bits, without USE_NODE_PRIORITY.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if flags is NULL or hGraphExec is no executable graph.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphExecGetFlags(CUgraphExec hGraphExec, cuuint64_t *flags);

/**
 * Changes the parameters of a kernel node in an executable graph, for later launches.
 *
 * The node keeps its attributes.
 *
 * @param hGraphExec the executable graph.
 * @param hNode the node, of the graph that it was made of.
 * @param nodeParams function or library's kernel, grid, block, dynamic shared memory in bytes, parameters, context (NULL
 *     for the current one).
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if hGraphExec is no executable graph, if hNode is no
 * node of the graph that it was made of, or a node of another kind, and for what cuLaunchKernel refuses with this
 * error; every other error of cuLaunchKernel.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphExecKernelNodeSetParams_v2(CUgraphExec hGraphExec,
                                                   CUgraphNode hNode,
                                                   const CUDA_KERNEL_NODE_PARAMS *nodeParams);

/**
 * Changes the parameters of a kernel node in an executable graph, for later launches.
 *
 * First form of cuGraphExecKernelNodeSetParams_v2.
 *
 * @param hGraphExec the executable graph.
 * @param hNode the node, of the graph that it was made of.
 * @param nodeParams function, grid, block, dynamic shared memory in bytes, parameters.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if hGraphExec is no executable graph, if hNode is no
 * node of the graph that it was made of, or a node of another kind, and for what cuLaunchKernel refuses with this
 * error; every other error of cuLaunchKernel.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphExecKernelNodeSetParams(CUgraphExec hGraphExec,
                                                CUgraphNode hNode,
                                                const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams);

/**
 * Changes the parameters of a copy node in an executable graph, for later launches.
 *
 * @param hGraphExec the executable graph.
 * @param hNode the node, of the graph that it was made of.
 * @param copyParams the copy; its extent in bytes, rows and slices.
 * @param ctx the context; NULL for the current one.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if hGraphExec is no executable graph, if hNode is no
 * node of the graph that it was made of, or a node of another kind, for an empty copy, and for what a copy on a stream
 * refuses with this error; CUDA_ERROR_INVALID_CONTEXT if ctx is no context, or NULL and the thread has none.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphExecMemcpyNodeSetParams(CUgraphExec hGraphExec,
                                                CUgraphNode hNode,
                                                const CUDA_MEMCPY3D *copyParams,
                                                CUcontext ctx);

/**
 * Changes the parameters of a memset node in an executable graph, for later launches.
 *
 * @param hGraphExec the executable graph.
 * @param hNode the node, of the graph that it was made of.
 * @param memsetParams address, pitch in bytes, value, element size (1, 2 or 4 bytes), width in elements, height in rows.
 * @param ctx the context; NULL for the current one.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if hGraphExec is no executable graph, if hNode is no
 * node of the graph that it was made of, or a node of another kind, for an empty memset, another element size,
 * addresses and pitches that are not multiples of it, a pitch less than a row, and for what is no memory;
 * CUDA_ERROR_INVALID_CONTEXT if ctx is no context, or NULL and the thread has none.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphExecMemsetNodeSetParams(CUgraphExec hGraphExec,
                                                CUgraphNode hNode,
                                                const CUDA_MEMSET_NODE_PARAMS *memsetParams,
                                                CUcontext ctx);

/**
 * Changes the parameters of a host node in an executable graph, for later launches.
 *
 * @param hGraphExec the executable graph.
 * @param hNode the node, of the graph that it was made of.
 * @param nodeParams function and its argument.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if hGraphExec is no executable graph, if hNode is no
 * node of the graph that it was made of, or a node of another kind, and if the function is NULL.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphExecHostNodeSetParams(CUgraphExec hGraphExec,
                                              CUgraphNode hNode,
                                              const CUDA_HOST_NODE_PARAMS *nodeParams);

/**
 * Changes the parameters inside a child node of an executable graph, for later launches.
 *
 * @param hGraphExec the executable graph.
 * @param hNode the node, of the graph that it was made of.
 * @param childGraph the graph whose parameters are taken over; it must have the shape of the one inside.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if hGraphExec is no executable graph, if hNode is no node of the graph that
 * it was made of, or a node of another kind, and if childGraph is no graph, or differs in nodes, edges or kinds.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphExecChildGraphNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, CUgraph childGraph);

/**
 * Changes the event of an event-record node in an executable graph, for later launches.
 *
 * @param hGraphExec the executable graph.
 * @param hNode the node, of the graph that it was made of.
 * @param event the event.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if event is no event, CUDA_ERROR_CONTEXT_IS_DESTROYED if its context is
 * gone; CUDA_ERROR_INVALID_VALUE if hGraphExec is no executable graph, if hNode is no node of the graph that it
 * was made of, or a node of another kind.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphExecEventRecordNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode, CUevent event);

/**
 * Changes the event of an event-wait node in an executable graph, for later launches.
 *
 * @param hGraphExec the executable graph.
 * @param hNode the node, of the graph that it was made of.
 * @param event the event.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if event is no event, CUDA_ERROR_CONTEXT_IS_DESTROYED if its context is
 * gone; CUDA_ERROR_INVALID_VALUE if hGraphExec is no executable graph, if hNode is no node of the graph that it
 * was made of, or a node of another kind.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphExecEventWaitNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode, CUevent event);

/**
 * Changes the parameters of a semaphore-signal node in an executable graph.
 *
 * @param hGraphExec the executable graph.
 * @param hNode the node, of the graph that it was made of.
 * @param nodeParams the new parameters.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if nodeParams is NULL, if hGraphExec is no executable graph, and if hNode is no node of the
 * graph that it was made of, or a node of another kind; CUDA_ERROR_INVALID_HANDLE for what is no imported semaphore.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphExecExternalSemaphoresSignalNodeSetParams(CUgraphExec hGraphExec,
                                                                  CUgraphNode hNode,
                                                                  const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams);

/**
 * Changes the parameters of a semaphore-wait node in an executable graph.
 *
 * @param hGraphExec the executable graph.
 * @param hNode the node, of the graph that it was made of.
 * @param nodeParams the new parameters.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if nodeParams is NULL, if hGraphExec is no executable graph, and if hNode is no node of the
 * graph that it was made of, or a node of another kind; CUDA_ERROR_INVALID_HANDLE for what is no imported semaphore.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphExecExternalSemaphoresWaitNodeSetParams(CUgraphExec hGraphExec,
                                                                CUgraphNode hNode,
                                                                const CUDA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams);

/**
 * Switches a node of an executable graph on or off, for later launches.
 *
 * @param hGraphExec the executable graph.
 * @param hNode a kernel, copy or memset node of the graph that it was made of.
 * @param isEnabled 0 for off, anything else for on.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if hGraphExec is no executable graph, if hNode is no node of the graph that
 * it was made of, or a node of another kind.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphNodeSetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode, unsigned int isEnabled);

/**
 * Tells whether a node of an executable graph is switched on.
 *
 * @param hGraphExec the executable graph.
 * @param hNode a kernel, copy or memset node of the graph that it was made of.
 * @param isEnabled receives 1 for on, 0 for off.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if hGraphExec is no executable graph, if hNode is no
 * node of the graph that it was made of, or a node of another kind.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphNodeGetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode, unsigned int *isEnabled);

/**
 * Brings an executable graph to the device ahead of its first launch: there is nothing to do here.
 *
 * @param hGraphExec the executable graph.
 * @param hStream the stream.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if hGraphExec is no executable graph.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphUpload(CUgraphExec hGraphExec, CUstream hStream);

/** cuGraphUpload with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuGraphUpload_ptsz(CUgraphExec hGraphExec, CUstream hStream);

/**
 * Queues an executable graph on a stream.
 *
 * Launches of one executable graph do not overlap: each waits for the one before.
 *
 * @param hGraphExec the executable graph.
 * @param hStream the stream.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if hGraphExec is no executable graph, while memory that the last launch
 * allocated is not freed (unless the graph was made to free it itself); CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED for a
 * captured stream, which invalidates the capture; CUDA_ERROR_OUT_OF_MEMORY if there is no memory for what it allocates; with CUDA_LAUNCH_BLOCKING the
 * error of the work itself.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphLaunch(CUgraphExec hGraphExec,
                               CUstream hStream);

/** cuGraphLaunch with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuGraphLaunch_ptsz(CUgraphExec hGraphExec, CUstream hStream);

/**
 * Destroys an executable graph.
 *
 * Launches that have begun still complete.
 *
 * @param hGraphExec the executable graph.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if hGraphExec is no executable graph; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED
 * while a capture forbids the call.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphExecDestroy(CUgraphExec hGraphExec);

/**
 * Takes the parameters of an executable graph over from a graph of the same shape, with a detailed result.
 *
 * @param hGraphExec the executable graph.
 * @param hGraph the graph.
 * @param resultInfo receives what differs, and the nodes where, or success.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if hGraphExec is no executable graph, hGraph no graph, or resultInfo NULL;
 * CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE if they differ in nodes, edges or kinds, or in whether a kernel is
 * cooperative.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphExecUpdate_v2(CUgraphExec hGraphExec, CUgraph hGraph, CUgraphExecUpdateResultInfo *resultInfo);

/**
 * Takes the parameters of an executable graph over from a graph of the same shape.
 *
 * First form of cuGraphExecUpdate_v2.
 *
 * @param hGraphExec the executable graph.
 * @param hGraph the graph.
 * @param hErrorNode_out receives the node that differs, NULL if none does; may be NULL.
 * @param updateResult_out receives what differs, or success.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if hGraphExec is no executable graph, hGraph no graph, or updateResult_out
 * NULL; CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE if they differ in nodes, edges or kinds, or in whether a kernel is
 * cooperative.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphExecUpdate(CUgraphExec hGraphExec,
                                   CUgraph hGraph,
                                   CUgraphNode *hErrorNode_out,
                                   CUgraphExecUpdateResult *updateResult_out);

/**
 * Changes the parameters of a node of any kind in an executable graph, for later launches.
 *
 * @param hGraphExec the executable graph.
 * @param hNode the node, of the graph that it was made of.
 * @param nodeParams kind and parameters; reserved members are 0.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if hGraphExec is no executable graph, if hNode is no
 * node of the graph that it was made of, or a node of another kind, for reserved members that are not 0, for nodes
 * that allocate or free memory, and for what the function for nodes of its kind refuses with this error;
 * CUDA_ERROR_NOT_SUPPORTED for semaphores and conditional nodes; every other error of the function for nodes of its
 * kind.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphExecNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, CUgraphNodeParams *nodeParams);

/* Graph Management (nodes) */

/**
 * Adds a node that launches a kernel.
 *
 * The parameters are copied before the call returns.
 *
 * @param phGraphNode receives the node.
 * @param hGraph the graph.
 * @param dependencies nodes of the graph that the new one depends on; NULL for none.
 * @param numDependencies number of dependencies.
 * @param nodeParams function or library's kernel, grid, block, dynamic shared memory in bytes, parameters, context (NULL
 *     for the current one).
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if hGraph is no graph, for a dependency that is not one
 * of its nodes or is listed twice, and for what cuLaunchKernel refuses with this error; every other error of
 * cuLaunchKernel.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphAddKernelNode_v2(CUgraphNode *phGraphNode,
                                         CUgraph hGraph,
                                         const CUgraphNode *dependencies,
                                         size_t numDependencies,
                                         const CUDA_KERNEL_NODE_PARAMS *nodeParams);

/**
 * Adds a node that launches a kernel, a function only.
 *
 * First form of cuGraphAddKernelNode_v2.
 *
 * @param phGraphNode receives the node.
 * @param hGraph the graph.
 * @param dependencies nodes of the graph that the new one depends on; NULL for none.
 * @param numDependencies number of dependencies.
 * @param nodeParams function, grid, block, dynamic shared memory in bytes, parameters.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if hGraph is no graph, for a dependency that is not one
 * of its nodes or is listed twice, and for what cuLaunchKernel refuses with this error; every other error of
 * cuLaunchKernel.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphAddKernelNode(CUgraphNode *phGraphNode,
                                      CUgraph hGraph,
                                      const CUgraphNode *dependencies,
                                      size_t numDependencies,
                                      const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams);

/**
 * Reads the parameters of a kernel node.
 *
 * @param hNode the node.
 * @param nodeParams receives them; the arrays belong to the node and live until it changes.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, and if hNode is no node of this kind.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphKernelNodeGetParams_v2(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS *nodeParams);

/**
 * Reads the parameters of a kernel node, without library's kernel and context.
 *
 * First form of cuGraphKernelNodeGetParams_v2.
 *
 * @param hNode the node.
 * @param nodeParams receives them; the arrays belong to the node and live until it changes.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, and if hNode is no node of this kind.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphKernelNodeGetParams(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams);

/**
 * Changes the parameters of a kernel node.
 *
 * The node keeps its attributes.
 *
 * @param hNode the node.
 * @param nodeParams function or library's kernel, grid, block, dynamic shared memory in bytes, parameters, context (NULL
 *     for the current one).
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if hNode is no node of this kind, and for what
 * cuLaunchKernel refuses with this error; every other error of cuLaunchKernel.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphKernelNodeSetParams_v2(CUgraphNode hNode,
                                               const CUDA_KERNEL_NODE_PARAMS *nodeParams);

/**
 * Changes the parameters of a kernel node, a function only.
 *
 * First form of cuGraphKernelNodeSetParams_v2.
 *
 * @param hNode the node.
 * @param nodeParams function, grid, block, dynamic shared memory in bytes, parameters.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if hNode is no node of this kind, and for what
 * cuLaunchKernel refuses with this error; every other error of cuLaunchKernel.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphKernelNodeSetParams(CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams);

/**
 * Adds a node that copies a box of memory.
 *
 * The copy is checked here as a copy on a stream would be, and also when it is empty.
 *
 * @param phGraphNode receives the node.
 * @param hGraph the graph.
 * @param dependencies nodes of the graph that the new one depends on; NULL for none.
 * @param numDependencies number of dependencies.
 * @param copyParams the copy; its extent in bytes, rows and slices.
 * @param ctx the context; NULL for the current one.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if hGraph is no graph, for a dependency that is not one
 * of its nodes or is listed twice, for an empty copy, and for what a copy on a stream refuses with this error;
 * CUDA_ERROR_INVALID_CONTEXT if ctx is no context, or NULL and the thread has none;
 * CUDA_ERROR_CONTEXT_IS_DESTROYED if ctx was destroyed.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphAddMemcpyNode(CUgraphNode *phGraphNode,
                                      CUgraph hGraph,
                                      const CUgraphNode *dependencies,
                                      size_t numDependencies,
                                      const CUDA_MEMCPY3D *copyParams,
                                      CUcontext ctx);

/**
 * Reads the parameters of a copy node.
 *
 * @param hNode the node.
 * @param nodeParams receives them.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, and if hNode is no node of this kind;
 * CUDA_ERROR_NOT_SUPPORTED for a captured copy with arrays.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphMemcpyNodeGetParams(CUgraphNode hNode, CUDA_MEMCPY3D *nodeParams);

/**
 * Changes the parameters of a copy node.
 *
 * @param hNode the node.
 * @param nodeParams the copy; its extent in bytes, rows and slices.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if hNode is no node of this kind, for an empty copy, and
 * for what a copy on a stream refuses with this error; CUDA_ERROR_INVALID_CONTEXT if the thread has no current
 * context.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphMemcpyNodeSetParams(CUgraphNode hNode, const CUDA_MEMCPY3D *nodeParams);

/**
 * Adds a memset node.
 *
 * The memset is checked here as one on a stream would be.
 *
 * @param phGraphNode receives the node.
 * @param hGraph the graph.
 * @param dependencies nodes of the graph that the new one depends on; NULL for none.
 * @param numDependencies number of dependencies.
 * @param memsetParams address, pitch in bytes, value, element size (1, 2 or 4 bytes), width in elements, height in rows.
 * @param ctx the context; NULL for the current one.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if hGraph is no graph, for a dependency that is not one
 * of its nodes or is listed twice, for an empty memset, another element size, addresses and pitches that are not
 * multiples of it, a pitch less than a row, and for what is no memory; CUDA_ERROR_INVALID_CONTEXT if ctx is no
 * context, or NULL and the thread has none; CUDA_ERROR_CONTEXT_IS_DESTROYED if ctx was destroyed.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphAddMemsetNode(CUgraphNode *phGraphNode,
                                      CUgraph hGraph,
                                      const CUgraphNode *dependencies,
                                      size_t numDependencies,
                                      const CUDA_MEMSET_NODE_PARAMS *memsetParams,
                                      CUcontext ctx);

/**
 * Reads the parameters of a memset node.
 *
 * @param hNode the node.
 * @param nodeParams receives them.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, and if hNode is no node of this kind.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphMemsetNodeGetParams(CUgraphNode hNode, CUDA_MEMSET_NODE_PARAMS *nodeParams);

/**
 * Changes the parameters of a memset node.
 *
 * @param hNode the node.
 * @param nodeParams address, pitch in bytes, value, element size (1, 2 or 4 bytes), width in elements, height in rows.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if hNode is no node of this kind, for an empty memset,
 * another element size, addresses and pitches that are not multiples of it, a pitch less than a row, and for what is
 * no memory; CUDA_ERROR_INVALID_CONTEXT if the thread has no current context.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphMemsetNodeSetParams(CUgraphNode hNode, const CUDA_MEMSET_NODE_PARAMS *nodeParams);

/**
 * Adds a node that calls a host function.
 *
 * @param phGraphNode receives the node.
 * @param hGraph the graph.
 * @param dependencies nodes of the graph that the new one depends on; NULL for none.
 * @param numDependencies number of dependencies.
 * @param nodeParams function and its argument.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if hGraph is no graph, for a dependency that is not one
 * of its nodes or is listed twice, and if the function is NULL.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphAddHostNode(CUgraphNode *phGraphNode,
                                    CUgraph hGraph,
                                    const CUgraphNode *dependencies,
                                    size_t numDependencies,
                                    const CUDA_HOST_NODE_PARAMS *nodeParams);

/**
 * Reads the parameters of a host node.
 *
 * @param hNode the node.
 * @param nodeParams receives function and argument.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, and if hNode is no node of this kind.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphHostNodeGetParams(CUgraphNode hNode, CUDA_HOST_NODE_PARAMS *nodeParams);

/**
 * Changes the parameters of a host node.
 *
 * @param hNode the node.
 * @param nodeParams function and its argument.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if hNode is no node of this kind, and if the function is
 * NULL.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphHostNodeSetParams(CUgraphNode hNode, const CUDA_HOST_NODE_PARAMS *nodeParams);

/**
 * Adds a node that runs a copy of another graph.
 *
 * The copy is made here.
 *
 * @param phGraphNode receives the node.
 * @param hGraph the graph.
 * @param dependencies nodes of the graph that the new one depends on; NULL for none.
 * @param numDependencies number of dependencies.
 * @param childGraph the other graph.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if hGraph is no graph, for a dependency that is not one
 * of its nodes or is listed twice, and if childGraph is no graph; CUDA_ERROR_NOT_SUPPORTED if it has nodes that
 * allocate or free memory.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphAddChildGraphNode(CUgraphNode *phGraphNode,
                                          CUgraph hGraph,
                                          const CUgraphNode *dependencies,
                                          size_t numDependencies,
                                          CUgraph childGraph);

/**
 * Hands out the graph embedded in a child node.
 *
 * @param hNode the node.
 * @param phGraph receives the graph, which goes with the node.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, and if hNode is no node of this kind.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphChildGraphNodeGetGraph(CUgraphNode hNode, CUgraph *phGraph);

/**
 * Adds a node that does nothing, as a joining point of dependencies.
 *
 * @param phGraphNode receives the node.
 * @param hGraph the graph.
 * @param dependencies nodes of the graph that the new one depends on; NULL for none.
 * @param numDependencies number of dependencies.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if hGraph is no graph, for a dependency that is not one
 * of its nodes or is listed twice.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphAddEmptyNode(CUgraphNode *phGraphNode,
                                     CUgraph hGraph,
                                     const CUgraphNode *dependencies,
                                     size_t numDependencies);

/**
 * Adds a node that records an event.
 *
 * @param phGraphNode receives the node.
 * @param hGraph the graph.
 * @param dependencies nodes of the graph that the new one depends on; NULL for none.
 * @param numDependencies number of dependencies.
 * @param event the event.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if hGraph is no graph, for a dependency that is not one
 * of its nodes or is listed twice; CUDA_ERROR_INVALID_HANDLE if event is no event,
 * CUDA_ERROR_CONTEXT_IS_DESTROYED if its context is gone.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphAddEventRecordNode(CUgraphNode *phGraphNode,
                                           CUgraph hGraph,
                                           const CUgraphNode *dependencies,
                                           size_t numDependencies,
                                           CUevent event);

/**
 * Reads the event of an event-record node.
 *
 * @param hNode the node.
 * @param event_out receives the event.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, and if hNode is no node of this kind.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphEventRecordNodeGetEvent(CUgraphNode hNode, CUevent *event_out);

/**
 * Changes the event of an event-record node.
 *
 * @param hNode the node.
 * @param event the event.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if event is no event, CUDA_ERROR_CONTEXT_IS_DESTROYED if its context is
 * gone; CUDA_ERROR_INVALID_VALUE if hNode is no node of this kind.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphEventRecordNodeSetEvent(CUgraphNode hNode, CUevent event);

/**
 * Adds a node that waits for an event.
 *
 * @param phGraphNode receives the node.
 * @param hGraph the graph.
 * @param dependencies nodes of the graph that the new one depends on; NULL for none.
 * @param numDependencies number of dependencies.
 * @param event the event.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if hGraph is no graph, for a dependency that is not one
 * of its nodes or is listed twice; CUDA_ERROR_INVALID_HANDLE if event is no event,
 * CUDA_ERROR_CONTEXT_IS_DESTROYED if its context is gone.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphAddEventWaitNode(CUgraphNode *phGraphNode,
                                         CUgraph hGraph,
                                         const CUgraphNode *dependencies,
                                         size_t numDependencies,
                                         CUevent event);

/**
 * Reads the event of an event-wait node.
 *
 * @param hNode the node.
 * @param event_out receives the event.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, and if hNode is no node of this kind.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphEventWaitNodeGetEvent(CUgraphNode hNode, CUevent *event_out);

/**
 * Changes the event of an event-wait node.
 *
 * @param hNode the node.
 * @param event the event.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if event is no event, CUDA_ERROR_CONTEXT_IS_DESTROYED if its context is
 * gone; CUDA_ERROR_INVALID_VALUE if hNode is no node of this kind.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphEventWaitNodeSetEvent(CUgraphNode hNode, CUevent event);

/**
 * Adds a node that signals imported semaphores.
 *
 * @param phGraphNode receives the node.
 * @param hGraph the graph.
 * @param dependencies nodes of the graph that the new one depends on; NULL for none.
 * @param numDependencies number of dependencies.
 * @param nodeParams semaphores and what to signal.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if phGraphNode or nodeParams is NULL, if hGraph is no graph, and for a dependency that is
 * not one of its nodes or is listed twice; CUDA_ERROR_INVALID_HANDLE for what is no imported semaphore.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphAddExternalSemaphoresSignalNode(CUgraphNode *phGraphNode,
                                                        CUgraph hGraph,
                                                        const CUgraphNode *dependencies,
                                                        size_t numDependencies,
                                                        const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams);

/**
 * Reads the parameters of a semaphore-signal node.
 *
 * @param hNode the node.
 * @param params_out receives them.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, and if hNode is no node of this kind.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphExternalSemaphoresSignalNodeGetParams(CUgraphNode hNode, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *params_out);

/**
 * Changes the parameters of a semaphore-signal node.
 *
 * @param hNode the node.
 * @param nodeParams semaphores and what to signal.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if nodeParams is NULL, and if hNode is no node of this kind;
 * CUDA_ERROR_INVALID_HANDLE for what is no imported semaphore.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphExternalSemaphoresSignalNodeSetParams(CUgraphNode hNode,
                                                              const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams);

/**
 * Adds a node that waits for imported semaphores.
 *
 * @param phGraphNode receives the node.
 * @param hGraph the graph.
 * @param dependencies nodes of the graph that the new one depends on; NULL for none.
 * @param numDependencies number of dependencies.
 * @param nodeParams semaphores and what to wait for.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if phGraphNode or nodeParams is NULL, if hGraph is no graph, and for a dependency that is
 * not one of its nodes or is listed twice; CUDA_ERROR_INVALID_HANDLE for what is no imported semaphore.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphAddExternalSemaphoresWaitNode(CUgraphNode *phGraphNode,
                                                      CUgraph hGraph,
                                                      const CUgraphNode *dependencies,
                                                      size_t numDependencies,
                                                      const CUDA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams);

/**
 * Reads the parameters of a semaphore-wait node.
 *
 * @param hNode the node.
 * @param params_out receives them.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, and if hNode is no node of this kind.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphExternalSemaphoresWaitNodeGetParams(CUgraphNode hNode, CUDA_EXT_SEM_WAIT_NODE_PARAMS *params_out);

/**
 * Changes the parameters of a semaphore-wait node.
 *
 * @param hNode the node.
 * @param nodeParams semaphores and what to wait for.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if nodeParams is NULL, and if hNode is no node of this kind;
 * CUDA_ERROR_INVALID_HANDLE for what is no imported semaphore.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphExternalSemaphoresWaitNodeSetParams(CUgraphNode hNode, const CUDA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams);

/**
 * Adds a node that performs several stream memory operations.
 *
 * @param phGraphNode receives the node.
 * @param hGraph the graph.
 * @param dependencies nodes of the graph that the new one depends on; NULL for none.
 * @param numDependencies number of dependencies.
 * @param nodeParams context (NULL for the current one), operations, flags (0).
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if hGraph is no graph, for a dependency that is not one
 * of its nodes or is listed twice, for flags other than 0, more than 255 operations or unknown ones, and for addresses
 * that are not aligned or where no memory is; CUDA_ERROR_NOT_SUPPORTED for a flush of remote writes;
 * CUDA_ERROR_INVALID_CONTEXT if the context is none, or NULL and the thread has none.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphAddBatchMemOpNode(CUgraphNode *phGraphNode,
                                          CUgraph hGraph,
                                          const CUgraphNode *dependencies,
                                          size_t numDependencies,
                                          const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams);

/**
 * Reads the parameters of a memory-operation node.
 *
 * @param hNode the node.
 * @param nodeParams_out receives them; the array of operations belongs to the node and lives until the node is changed.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, and if hNode is no node of this kind;
 * CUDA_ERROR_NOT_SUPPORTED for a captured node.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphBatchMemOpNodeGetParams(CUgraphNode hNode, CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams_out);

/**
 * Changes the parameters of a memory-operation node.
 *
 * @param hNode the node.
 * @param nodeParams context (NULL for the current one), operations, flags (0).
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if hNode is no node of this kind, for flags other than 0,
 * more than 255 operations or unknown ones, and for addresses that are not aligned or where no memory is;
 * CUDA_ERROR_NOT_SUPPORTED for a flush of remote writes; CUDA_ERROR_INVALID_CONTEXT if the context does not exist,
 * or is NULL and none is current.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphBatchMemOpNodeSetParams(CUgraphNode hNode, const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams);

/**
 * Adds a node that allocates memory; the address is reported at once.
 *
 * The memory is there while the graph runs, until a node or the program frees it.
 *
 * @param phGraphNode receives the node.
 * @param hGraph the graph.
 * @param dependencies nodes of the graph that the new one depends on; NULL for none.
 * @param numDependencies number of dependencies.
 * @param nodeParams size in bytes, at least 1, and properties: memory of a device that no other process can get;
 *     receives the address.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if hGraph is no graph, for a dependency that is not one
 * of its nodes or is listed twice, for a size of 0, and for memory of another kind or of no device;
 * CUDA_ERROR_NOT_SUPPORTED for a handle type; CUDA_ERROR_OUT_OF_MEMORY for more than the device has.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphAddMemAllocNode(CUgraphNode *phGraphNode,
                                        CUgraph hGraph,
                                        const CUgraphNode *dependencies,
                                        size_t numDependencies,
                                        CUDA_MEM_ALLOC_NODE_PARAMS *nodeParams);

/**
 * Reads the parameters of an allocation node.
 *
 * @param hNode the node.
 * @param params_out receives them, with the address.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, and if hNode is no node of this kind.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphMemAllocNodeGetParams(CUgraphNode hNode, CUDA_MEM_ALLOC_NODE_PARAMS *params_out);

/**
 * Adds a node that frees memory which an allocation node made.
 *
 * @param phGraphNode receives the node.
 * @param hGraph the graph.
 * @param dependencies nodes of the graph that the new one depends on; NULL for none.
 * @param numDependencies number of dependencies.
 * @param dptr the address, from an allocation node of this graph or another one.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if hGraph is no graph, for a dependency that is not one
 * of its nodes or is listed twice, for any other address, for an allocation that this graph frees already, and for an
 * allocation of this graph once another graph frees it, or once this graph was made executable without a node that
 * frees it.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphAddMemFreeNode(CUgraphNode *phGraphNode,
                                       CUgraph hGraph,
                                       const CUgraphNode *dependencies,
                                       size_t numDependencies,
                                       CUdeviceptr dptr);

/**
 * Reads the address that a free node frees.
 *
 * @param hNode the node.
 * @param dptr_out receives the address.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, and if hNode is no node of this kind.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphMemFreeNodeGetParams(CUgraphNode hNode, CUdeviceptr *dptr_out);

/**
 * Gives unused memory of graph allocations on a device back to the system.
 *
 * @param device the device.
 *
 * Errors: CUDA_ERROR_INVALID_DEVICE if there is no such device.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuDeviceGraphMemTrim(CUdevice device);

/**
 * Reads a counter of graph allocations on a device.
 *
 * @param device the device.
 * @param attr which one: memory used or reserved, now or at most.
 * @param value receives bytes, in steps of 32 MiB, as a cuuint64_t.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if value is NULL, and for an unknown counter; CUDA_ERROR_INVALID_DEVICE if
 * there is no such device.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void *value);

/**
 * Resets a high-water mark of graph allocations on a device.
 *
 * @param device the device.
 * @param attr which one: memory used or reserved at most.
 * @param value a cuuint64_t that is 0.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if value is NULL or not 0, and for any other counter;
 * CUDA_ERROR_INVALID_DEVICE if there is no such device.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void *value);

/**
 * Copies all attributes from one kernel node to another.
 *
 * @param dst the node that receives them.
 * @param src the node that has them.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if one of them is no kernel node, and for what cuLaunchKernel refuses with this
 * error; every other error of cuLaunchKernel.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphKernelNodeCopyAttributes(CUgraphNode dst, CUgraphNode src);

/**
 * Reads an attribute of a kernel node.
 *
 * @param hNode the node.
 * @param attr the attribute.
 * @param value_out receives its value; only the member that the attribute means is written.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if value_out is NULL, if hNode is no kernel node, and for an unknown
 * attribute.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphKernelNodeGetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr, CUkernelNodeAttrValue *value_out);

/**
 * Changes an attribute of a kernel node.
 *
 * @param hNode the node.
 * @param attr the attribute.
 * @param value its new value.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if hNode is no node of this kind, for an unknown
 * attribute, or a value that it cannot have, and for what cuLaunchKernel refuses with this error; every other error
 * of cuLaunchKernel.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphKernelNodeSetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr, const CUkernelNodeAttrValue *value);

/**
 * Adds a node of any kind, with edge data and the parameter layouts of CUDA 13.4.
 *
 * @param phGraphNode receives the node.
 * @param hGraph the graph.
 * @param dependencies nodes of the graph that the new one depends on; NULL for none.
 * @param dependencyData data of the edges, one for each dependency; NULL for plain ones.
 * @param numDependencies number of dependencies.
 * @param nodeParams kind and parameters; receives what they report back.
 *
 * Errors: those of cuGraphAddNode_v2, and CUDA_ERROR_INVALID_CONTEXT for a kernel node that names a function and
 * another context than the function's.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphAddNode_v3(CUgraphNode *phGraphNode,
                                   CUgraph hGraph,
                                   const CUgraphNode *dependencies,
                                   const CUgraphEdgeData *dependencyData,
                                   size_t numDependencies,
                                   CUgraphNodeParams *nodeParams);

/**
 * Adds a node of any kind, with edge data.
 *
 * @param phGraphNode receives the node.
 * @param hGraph the graph.
 * @param dependencies nodes of the graph that the new one depends on; NULL for none.
 * @param dependencyData data of the edges, one for each dependency; NULL for plain ones.
 * @param numDependencies number of dependencies.
 * @param nodeParams kind and parameters; reserved members are 0; receives what they report back, such as an address.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if hGraph is no graph, for a dependency that is not one
 * of its nodes or is listed twice, for edge data that are not known, for reserved members that are not 0, for an
 * unknown kind, and for what the function for nodes of its kind refuses with this error; CUDA_ERROR_NOT_SUPPORTED
 * for semaphores; every other error of the function for nodes of its kind. Conditional nodes:
 * CUDA_ERROR_INVALID_VALUE for a size that does not fit the type, another context than the handle's, and a handle that
 * is another node's, or of neither this graph nor one that it is in.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphAddNode_v2(CUgraphNode *phGraphNode,
                                   CUgraph hGraph,
                                   const CUgraphNode *dependencies,
                                   const CUgraphEdgeData *dependencyData,
                                   size_t numDependencies,
                                   CUgraphNodeParams *nodeParams);

/**
 * Adds a node of any kind.
 *
 * @param phGraphNode receives the node.
 * @param hGraph the graph.
 * @param dependencies nodes of the graph that the new one depends on; NULL for none.
 * @param numDependencies number of dependencies.
 * @param nodeParams kind and parameters; reserved members are 0; receives what they report back, such as an address.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if hGraph is no graph, for a dependency that is not one
 * of its nodes or is listed twice, for reserved members that are not 0, for an unknown kind, and for what the function
 * for nodes of its kind refuses with this error; CUDA_ERROR_NOT_SUPPORTED for semaphores; every other error of the
 * function for nodes of its kind.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphAddNode(CUgraphNode *phGraphNode,
                                CUgraph hGraph,
                                const CUgraphNode *dependencies,
                                size_t numDependencies,
                                CUgraphNodeParams *nodeParams);

/**
 * Changes the parameters of a node of any kind, with the parameter layouts of CUDA 13.4.
 *
 * @param hNode the node.
 * @param nodeParams kind and parameters; reserved members are 0.
 *
 * Errors: those of cuGraphNodeSetParams, and CUDA_ERROR_INVALID_CONTEXT for a kernel node that names a function
 * and another context than the function's.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphNodeSetParams_v2(CUgraphNode hNode, CUgraphNodeParams *nodeParams);

/**
 * Changes the parameters of a node of any kind.
 *
 * @param hNode the node.
 * @param nodeParams kind and parameters; reserved members are 0.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if nodeParams is NULL, if hNode is no node or of another kind, for reserved
 * members that are not 0, for child nodes (what is inside is changed through the graph that the node hands out), for
 * nodes that allocate or free memory, and for what the function for nodes of its kind refuses with this error;
 * CUDA_ERROR_NOT_SUPPORTED for semaphores and conditional nodes; every other error of the function for nodes of its
 * kind.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphNodeSetParams(CUgraphNode hNode, CUgraphNodeParams *nodeParams);

/**
 * Reads the parameters of a node of any kind.
 *
 * @param hNode the node.
 * @param nodeParams receives kind and parameters; arrays and graphs in them belong to the node and live until it changes.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if nodeParams is NULL or hNode is no node; CUDA_ERROR_NOT_SUPPORTED for a
 * captured copy with arrays, and for captured operations on memory.
 *
 * Manual: Graph Management.
 */
CUresult CUDAAPI cuGraphNodeGetParams(CUgraphNode hNode,
                                      CUgraphNodeParams *nodeParams);

/* Graphics Interoperability */

/**
 * Ends the sharing of a graphics resource.
 *
 * Waits for the context's work.
 *
 * @param resource the resource.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if resource is none; CUDA_ERROR_CONTEXT_IS_DESTROYED if it ended with its context;
 * CUDA_ERROR_INVALID_GRAPHICS_CONTEXT without a current OpenGL context; CUDA_ERROR_ALREADY_MAPPED if it is mapped.
 *
 * Manual: Graphics Interoperability.
 */
CUresult CUDAAPI cuGraphicsUnregisterResource(CUgraphicsResource resource);

/**
 * Hands out one face or level of a mapped resource as an array.
 *
 * @param pArray receives the array.
 * @param resource the resource.
 * @param arrayIndex number of the layer or face.
 * @param mipLevel number of the mip level.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if resource is none; CUDA_ERROR_NOT_MAPPED_AS_ARRAY if it is a buffer;
 * CUDA_ERROR_NOT_MAPPED if it is not mapped; CUDA_ERROR_INVALID_VALUE if pArray is NULL, and for an index or level that it does
 * not have.
 *
 * Manual: Graphics Interoperability.
 */
CUresult CUDAAPI cuGraphicsSubResourceGetMappedArray(CUarray *pArray,
                                                     CUgraphicsResource resource,
                                                     unsigned int arrayIndex,
                                                     unsigned int mipLevel);

/**
 * Hands out a mapped resource as a mipmapped array.
 *
 * @param pMipmappedArray receives the mipmapped array.
 * @param resource the resource.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if resource is none; CUDA_ERROR_NOT_MAPPED_AS_ARRAY if it is a buffer;
 * CUDA_ERROR_NOT_MAPPED if it is not mapped; CUDA_ERROR_INVALID_VALUE if pMipmappedArray is NULL.
 *
 * Manual: Graphics Interoperability.
 */
CUresult CUDAAPI cuGraphicsResourceGetMappedMipmappedArray(CUmipmappedArray *pMipmappedArray, CUgraphicsResource resource);

/**
 * Reports address and size of a mapped resource.
 *
 * @param pDevPtr receives the address.
 * @param pSize receives the size in bytes.
 * @param resource the resource.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if resource is none; CUDA_ERROR_NOT_MAPPED_AS_POINTER if it is an image;
 * CUDA_ERROR_NOT_MAPPED if it is not mapped. The results are zeroed.
 *
 * Manual: Graphics Interoperability.
 */
CUresult CUDAAPI cuGraphicsResourceGetMappedPointer_v2(CUdeviceptr *pDevPtr, size_t *pSize, CUgraphicsResource resource);

/**
 * Reports address and size of a mapped resource in 32 bits.
 *
 * @param pDevPtr receives the address.
 * @param pSize receives the size in bytes.
 * @param resource the resource.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if resource is none; else CUDA_ERROR_INVALID_CONTEXT: there is no memory with addresses of
 * 32 bits. The results are zeroed.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuGraphicsResourceGetMappedPointer(CUdeviceptr_v1 *pDevPtr,
                                                    unsigned int *pSize,
                                                    CUgraphicsResource resource);

/**
 * Sets how the next mapping of a resource will be used.
 *
 * @param resource the resource.
 * @param flags read and written, only read, or only written.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if resource is none; CUDA_ERROR_INVALID_VALUE for unknown flags;
 * CUDA_ERROR_ALREADY_MAPPED if it is mapped.
 *
 * Manual: Graphics Interoperability.
 */
CUresult CUDAAPI cuGraphicsResourceSetMapFlags_v2(CUgraphicsResource resource, unsigned int flags);

/**
 * Sets how the next mapping of a resource will be used.
 *
 * First form of cuGraphicsResourceSetMapFlags_v2.
 *
 * @param resource the resource.
 * @param flags read and written, only read, or only written.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if resource is none; CUDA_ERROR_INVALID_VALUE for unknown flags;
 * CUDA_ERROR_ALREADY_MAPPED if it is mapped.
 *
 * Manual: Graphics Interoperability.
 */
CUresult CUDAAPI cuGraphicsResourceSetMapFlags(CUgraphicsResource resource, unsigned int flags);

/**
 * Maps graphics resources for use on a stream.
 *
 * Waits for what the graphics library was given before, and copies their contents into memory of the device, unless they were
 * registered, or are mapped, to be overwritten. What OpenGL has deleted, or given other storage, keeps the memory that it had here.
 *
 * @param count how many.
 * @param resources the resources.
 * @param hStream the stream.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if count is 0 or resources is NULL; CUDA_ERROR_INVALID_HANDLE if one is none or belongs to
 * another context than the stream, or hStream is no stream; CUDA_ERROR_ALREADY_MAPPED if one is mapped or there twice; CUDA_ERROR_INVALID_GRAPHICS_CONTEXT if no OpenGL context is current that knows it;
 * CUDA_ERROR_UNKNOWN if OpenGL has it mapped; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a
 * capture forbids the call. After an error none of them is mapped that was not.
 *
 * Manual: Graphics Interoperability.
 */
CUresult CUDAAPI cuGraphicsMapResources(unsigned int count,
                                        CUgraphicsResource *resources,
                                        CUstream hStream);

/** cuGraphicsMapResources with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuGraphicsMapResources_ptsz(unsigned int count, CUgraphicsResource *resources, CUstream hStream);

/**
 * Unmaps graphics resources in stream order.
 *
 * Waits for the stream, and copies what kernels have left in the device's memory back, unless they were registered, or are mapped,
 * to be read only.
 *
 * @param count how many.
 * @param resources the resources.
 * @param hStream the stream.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if count is 0 or resources is NULL; CUDA_ERROR_INVALID_HANDLE if one is none or belongs to
 * another context than the stream, or hStream is no stream; CUDA_ERROR_NOT_MAPPED if one is not mapped, or there twice;
 * CUDA_ERROR_INVALID_GRAPHICS_CONTEXT if no OpenGL context is current that knows it: then all stay mapped; the asynchronous error of the context.
 *
 * Manual: Graphics Interoperability.
 */
CUresult CUDAAPI cuGraphicsUnmapResources(unsigned int count,
                                          CUgraphicsResource *resources,
                                          CUstream hStream);

/** cuGraphicsUnmapResources with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuGraphicsUnmapResources_ptsz(unsigned int count, CUgraphicsResource *resources, CUstream hStream);

/* Green Contexts */

/**
 * Creates a context that owns a part of a device's resources.
 *
 * Kernels of its streams run on its multiprocessors alone. All else is shared with the device's primary context, which it retains:
 * memory, modules, events, limits, and an error that a kernel causes.
 *
 * @param phCtx receives the green context.
 * @param desc the resources; NULL for the whole device.
 * @param dev the device.
 * @param flags CU_GREEN_CTX_DEFAULT_STREAM.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if phCtx is NULL, flags is anything else, or desc is of another device;
 * CUDA_ERROR_INVALID_DEVICE if the device does not exist; CUDA_ERROR_INVALID_HANDLE if desc is no descriptor; the error
 * that a context of the device is stuck with.
 *
 * Manual: Green Contexts.
 */
CUresult CUDAAPI cuGreenCtxCreate(CUgreenCtx *phCtx,
                                  CUdevResourceDesc desc,
                                  CUdevice dev,
                                  unsigned int flags);

/**
 * Destroys a green context.
 *
 * @param hCtx the green context.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT if it is no live green context.
 *
 * Manual: Green Contexts.
 */
CUresult CUDAAPI cuGreenCtxDestroy(CUgreenCtx hCtx);

/**
 * Hands out the context form of a green context.
 *
 * @param pContext receives the context.
 * @param hCtx the green context.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pContext is NULL; CUDA_ERROR_INVALID_CONTEXT if hCtx is no live green context.
 *
 * Manual: Green Contexts.
 */
CUresult CUDAAPI cuCtxFromGreenCtx(CUcontext *pContext,
                                   CUgreenCtx hCtx);

/**
 * Reports the resources of a device of one kind.
 *
 * @param device the device.
 * @param resource receives the resources.
 * @param type their kind: CU_DEV_RESOURCE_TYPE_SM.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if resource is NULL; CUDA_ERROR_INVALID_RESOURCE_TYPE for kinds other than
 * multiprocessors, as driver 580 answers;
 * CUDA_ERROR_INVALID_DEVICE if the device does not exist.
 *
 * Manual: Green Contexts.
 */
CUresult CUDAAPI cuDeviceGetDevResource(CUdevice device, CUdevResource *resource, CUdevResourceType type);

/**
 * Reports the resources that a context may use, of one kind.
 *
 * @param hCtx the context.
 * @param resource receives the resources.
 * @param type their kind: CU_DEV_RESOURCE_TYPE_SM.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if resource is NULL; CUDA_ERROR_INVALID_RESOURCE_TYPE for kinds other than
 * multiprocessors, as driver 580 answers;
 * CUDA_ERROR_INVALID_CONTEXT if hCtx is no live context.
 *
 * Manual: Green Contexts.
 */
CUresult CUDAAPI cuCtxGetDevResource(CUcontext hCtx, CUdevResource *resource, CUdevResourceType type);

/**
 * Reports the resources of a green context of one kind.
 *
 * @param hCtx the green context.
 * @param resource receives the resources.
 * @param type their kind: CU_DEV_RESOURCE_TYPE_SM.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if resource is NULL; CUDA_ERROR_INVALID_RESOURCE_TYPE for kinds other than
 * multiprocessors, as driver 580 answers;
 * CUDA_ERROR_INVALID_CONTEXT if hCtx is no live green context.
 *
 * Manual: Green Contexts.
 */
CUresult CUDAAPI cuGreenCtxGetDevResource(CUgreenCtx hCtx, CUdevResource *resource, CUdevResourceType type);

/**
 * Splits multiprocessors into equal groups of a minimum size.
 *
 * @param result receives the groups; NULL to ask only how many there can be.
 * @param nbGroups how many groups are wanted; receives how many there are.
 * @param input the multiprocessors to split.
 * @param remainder receives what is left over; may be NULL.
 * @param flags CU_DEV_SM_RESOURCE_SPLIT_*.
 * @param minCount multiprocessors of a group, at least.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if nbGroups or input is NULL, if nbGroups is 0 where groups are wanted, and for other
 * flags; CUDA_ERROR_INVALID_RESOURCE_TYPE if input is not multiprocessors;
 * CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION if input was changed or comes of a split, and if minCount is more than it has.
 *
 * Manual: Green Contexts.
 */
CUresult CUDAAPI cuDevSmResourceSplitByCount(CUdevResource *result,
                                             unsigned int *nbGroups,
                                             const CUdevResource *input,
                                             CUdevResource *remainder,
                                             unsigned int flags,
                                             unsigned int minCount);

/**
 * Splits multiprocessors into groups described one by one.
 *
 * @param result receives the groups; NULL to ask only how many there can be.
 * @param nbGroups how many groups.
 * @param input the multiprocessors to split.
 * @param remainder receives what is left over; may be NULL.
 * @param flags 0.
 * @param groupParams what each group shall have; receives what it has.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if input or groupParams is NULL, and for nbGroups 0 and flags other than 0;
 * CUDA_ERROR_INVALID_RESOURCE_TYPE if input is not multiprocessors; CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION if input was
 * changed or comes of a split, and for groups that are odd, too large, or no multiple of the multiprocessors that are to run
 * clusters; CUDA_ERROR_NOT_SUPPORTED for locality domains. Driver 580 does not have the function: the answers are guessed.
 *
 * Manual: Green Contexts.
 */
CUresult CUDAAPI cuDevSmResourceSplit(CUdevResource *result,
                                      unsigned int nbGroups,
                                      const CUdevResource *input,
                                      CUdevResource *remainder,
                                      unsigned int flags,
                                      CU_DEV_SM_RESOURCE_GROUP_PARAMS *groupParams);

/**
 * Combines resources into a descriptor for a green context.
 *
 * @param phDesc receives the descriptor.
 * @param resources the resources.
 * @param nbResources their number.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL or nbResources is 0; CUDA_ERROR_INVALID_RESOURCE_TYPE if one is not
 * multiprocessors; CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION if one was changed, or they are of several devices.
 *
 * Manual: Green Contexts.
 */
CUresult CUDAAPI cuDevResourceGenerateDesc(CUdevResourceDesc *phDesc,
                                           CUdevResource *resources,
                                           unsigned int nbResources);

/**
 * Records in an event all work that a green context has been given so far.
 *
 * @param hCtx the green context.
 * @param hEvent the event.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT if hCtx is no live green context; CUDA_ERROR_INVALID_HANDLE for what is no event
 * and for an event of another context; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while one of its streams is captured, which invalidates the capture; the
 * context's asynchronous error.
 *
 * Manual: Green Contexts.
 */
CUresult CUDAAPI cuGreenCtxRecordEvent(CUgreenCtx hCtx,
                                       CUevent hEvent);

/**
 * Makes all later work of a green context wait for an event.
 *
 * @param hCtx the green context.
 * @param hEvent the event.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT if hCtx is no live green context; CUDA_ERROR_INVALID_HANDLE for what is no event;
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while one of its streams is captured, which invalidates the capture;
 * CUDA_ERROR_CAPTURED_EVENT for an event that was recorded in a capture, which that invalidates, too; the context's asynchronous
 * error.
 *
 * Manual: Green Contexts.
 */
CUresult CUDAAPI cuGreenCtxWaitEvent(CUgreenCtx hCtx,
                                     CUevent hEvent);

/**
 * Reports the green context of a stream.
 *
 * @param hStream the stream.
 * @param phCtx receives it; NULL for a stream of no green context.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if phCtx is NULL; CUDA_ERROR_INVALID_CONTEXT for a default stream if the
 * thread has no current context.
 *
 * Manual: Green Contexts.
 */
CUresult CUDAAPI cuStreamGetGreenCtx(CUstream hStream, CUgreenCtx *phCtx);

/**
 * Creates a stream in a green context.
 *
 * @param phStream receives the stream.
 * @param greenCtx the green context.
 * @param flags CU_STREAM_NON_BLOCKING.
 * @param priority its priority; lower numbers are more urgent.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if phStream is NULL or flags is not CU_STREAM_NON_BLOCKING;
 * CUDA_ERROR_INVALID_CONTEXT if greenCtx is no live green context; the context's asynchronous error.
 *
 * Manual: Green Contexts.
 */
CUresult CUDAAPI cuGreenCtxStreamCreate(CUstream *phStream, CUgreenCtx greenCtx, unsigned int flags, int priority);

/**
 * Reports a number that identifies a green context uniquely in this process.
 *
 * @param greenCtx the green context.
 * @param greenCtxId receives the number.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if greenCtxId is NULL; CUDA_ERROR_INVALID_CONTEXT if greenCtx is no live green
 * context.
 *
 * Manual: Green Contexts.
 */
CUresult CUDAAPI cuGreenCtxGetId(CUgreenCtx greenCtx,
                                 unsigned long long *greenCtxId);

/**
 * Reports the resources that a stream may use, of one kind.
 *
 * @param hStream the stream.
 * @param resource receives the resources.
 * @param type their kind: CU_DEV_RESOURCE_TYPE_SM.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if resource is NULL; CUDA_ERROR_INVALID_RESOURCE_TYPE for kinds other than
 * multiprocessors, as driver 580 answers;
 * CUDA_ERROR_INVALID_HANDLE if hStream is no stream.
 *
 * Manual: Green Contexts.
 */
CUresult CUDAAPI cuStreamGetDevResource(CUstream hStream, CUdevResource *resource, CUdevResourceType type);

/** cuStreamGetDevResource with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamGetDevResource_ptsz(CUstream hStream, CUdevResource *resource, CUdevResourceType type);

/* Initialization */

/**
 * Starts the driver; nearly every other function refuses to work before this has succeeded.
 *
 * Further calls, from any thread, succeed and do nothing.
 *
 * @param Flags 0.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if Flags is not 0, and for a malformed environment variable, which the log
 * names; CUDA_ERROR_NO_DEVICE when CUDA_VISIBLE_DEVICES leaves none; CUDA_ERROR_INVALID_DEVICE when it names one
 * twice, or when CUDA_DEVICE_ORDER is neither FASTEST_FIRST nor PCI_BUS_ID; CUDA_ERROR_NOT_INITIALIZED in a
 * child of fork whose parent had started the driver.
 *
 * Manual: Initialization.
 */
CUresult CUDAAPI cuInit(unsigned int Flags);

/* Memory Management (inter-process communication) */

/**
 * Makes a handle with which another process can open an event.
 *
 * @param pHandle receives the handle; all zero if the event has none.
 * @param event an event that this process created with CU_EVENT_INTERPROCESS.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pHandle or event is NULL; CUDA_ERROR_INVALID_HANDLE for any other event,
 * and for what is none; CUDA_ERROR_CONTEXT_IS_DESTROYED if its context is gone; its context's asynchronous error.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuIpcGetEventHandle(CUipcEventHandle *pHandle, CUevent event);

/**
 * Opens an event that another process exported.
 *
 * Every call makes an event of its own. When a process ends between a record and its completion, the event counts as
 * complete for the others.
 *
 * @param phEvent receives the event.
 * @param handle the handle.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if phEvent is NULL; CUDA_ERROR_INVALID_CONTEXT in the process that exported
 * it, and in a context of the first generation; CUDA_ERROR_MAP_FAILED for a handle that names no event, or none any
 * more.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuIpcOpenEventHandle(CUevent *phEvent, CUipcEventHandle handle);

/**
 * Makes a handle with which another process can open a device allocation.
 *
 * The handle is for all of the allocation, and is the same every time. The first export of memory takes time for each
 * byte that was ever written: the block that it lies in is moved to a memory file, at the same addresses. Small
 * allocations share such a block, and an importer maps all of it.
 *
 * @param pHandle receives the handle.
 * @param dptr any address of an allocation of cuMemAlloc or cuMemAllocPitch; other memory has no handle.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pHandle or dptr is NULL, and for other memory; CUDA_ERROR_OUT_OF_MEMORY
 * if the block cannot be moved.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuIpcGetMemHandle(CUipcMemHandle *pHandle, CUdeviceptr dptr);

/**
 * Maps a device allocation that another process exported.
 *
 * Memory that is open already has the same address again, and has to be closed as often as it was opened. Exporter and
 * importer must be processes of one user on one machine.
 *
 * @param pdptr receives the address.
 * @param handle the handle.
 * @param Flags CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS, which must be there.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pdptr is NULL, without that flag, and for a handle that names no memory, or
 * none any more; CUDA_ERROR_INVALID_CONTEXT in the process that exported it, and in a context of the first
 * generation; CUDA_ERROR_INVALID_HANDLE for memory that is open in another context of this process;
 * CUDA_ERROR_OUT_OF_MEMORY if there is no room for it.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuIpcOpenMemHandle_v2(CUdeviceptr *pdptr, CUipcMemHandle handle, unsigned int Flags);

/**
 * Maps a device allocation that another process exported.
 *
 * Memory that is open already has the same address again, and has to be closed as often as it was opened. Exporter and
 * importer must be processes of one user on one machine.
 *
 * @param pdptr receives the address.
 * @param handle the handle.
 * @param Flags CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS, which must be there.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pdptr is NULL, without that flag, and for a handle that names no memory, or
 * none any more; CUDA_ERROR_INVALID_CONTEXT in the process that exported it, and in a context of the first
 * generation; CUDA_ERROR_INVALID_HANDLE for memory that is open in another context of this process;
 * CUDA_ERROR_OUT_OF_MEMORY if there is no room for it.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuIpcOpenMemHandle(CUdeviceptr *pdptr, CUipcMemHandle handle, unsigned int Flags);

/**
 * Unmaps memory that was opened with cuIpcOpenMemHandle.
 *
 * Waits for the work of the context that opened it. The exporter need not exist any more.
 *
 * @param dptr the address that opening it gave.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE for anything else.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuIpcCloseMemHandle(CUdeviceptr dptr);

/* Execution Control (deprecated) */

/**
 * Sets the block shape for cuLaunch (deprecated).
 *
 * It is 1 by 1 by 1 at first. Every launch of the function, of whatever kind, also sets its shape, shared memory and
 * parameters for the next cuLaunch.
 *
 * @param hfunc the function, of the current context.
 * @param x threads along x.
 * @param y threads along y.
 * @param z threads along z.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hfunc is no function of the current context; CUDA_ERROR_INVALID_VALUE if
 * the shape is empty, larger than device or function allow, or not the one that the function was compiled for.
 *
 * Manual: Execution Control (deprecated).
 */
CUresult CUDAAPI cuFuncSetBlockShape(CUfunction hfunc, int x, int y, int z);

/**
 * Sets the dynamic shared memory for cuLaunch (deprecated).
 *
 * @param hfunc the function, of the current context.
 * @param bytes bytes for each block; 0 at first.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hfunc is no function of the current context; CUDA_ERROR_INVALID_VALUE if
 * bytes is more than the function may have.
 *
 * Manual: Execution Control (deprecated).
 */
CUresult CUDAAPI cuFuncSetSharedSize(CUfunction hfunc, unsigned int bytes);

/**
 * Sets the size of the parameter area for cuLaunch (deprecated).
 *
 * Parameters of the kernel that lie behind the size, or were never written, are zero.
 *
 * @param hfunc the function, of the current context.
 * @param numbytes size in bytes, at most 32764.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hfunc is no function of the current context; CUDA_ERROR_INVALID_VALUE if
 * numbytes is too large.
 *
 * Manual: Execution Control (deprecated).
 */
CUresult CUDAAPI cuParamSetSize(CUfunction hfunc, unsigned int numbytes);

/**
 * Writes an integer into the parameter area for cuLaunch (deprecated).
 *
 * @param hfunc the function, of the current context.
 * @param offset first byte in the parameter area; offset and size together are at most 32764.
 * @param value the value; it takes 4 bytes.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hfunc is no function of the current context; CUDA_ERROR_INVALID_VALUE if
 * offset is negative or too large.
 *
 * Manual: Execution Control (deprecated).
 */
CUresult CUDAAPI cuParamSeti(CUfunction hfunc, int offset, unsigned int value);

/**
 * Writes a float into the parameter area for cuLaunch (deprecated).
 *
 * @param hfunc the function, of the current context.
 * @param offset first byte in the parameter area; offset and size together are at most 32764.
 * @param value the value; it takes 4 bytes.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hfunc is no function of the current context; CUDA_ERROR_INVALID_VALUE if
 * offset is negative or too large.
 *
 * Manual: Execution Control (deprecated).
 */
CUresult CUDAAPI cuParamSetf(CUfunction hfunc, int offset, float value);

/**
 * Writes bytes into the parameter area for cuLaunch (deprecated).
 *
 * @param hfunc the function, of the current context.
 * @param offset first byte in the parameter area; offset and size together are at most 32764.
 * @param ptr the bytes.
 * @param numbytes how many.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hfunc is no function of the current context; CUDA_ERROR_INVALID_VALUE if
 * ptr is NULL or the range leaves the parameter area.
 *
 * Manual: Execution Control (deprecated).
 */
CUresult CUDAAPI cuParamSetv(CUfunction hfunc, int offset, void *ptr, unsigned int numbytes);

/**
 * Launches one block with the parameters set on the function (deprecated).
 *
 * @param f the function, of the current context.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if f is no function of the current context; CUDA_ERROR_INVALID_VALUE if the
 * block shape or the shared memory does not suit it; CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES if the size that was set is
 * more than its parameters have; CUDA_ERROR_INVALID_CLUSTER_SIZE if it needs clusters; CUDA_ERROR_NOT_SUPPORTED if
 * it has an instruction that is not implemented.
 *
 * Manual: Execution Control (deprecated).
 */
CUresult CUDAAPI cuLaunch(CUfunction f);

/**
 * Launches a 2D grid with the parameters set on the function (deprecated).
 *
 * @param f the function, of the current context.
 * @param grid_width blocks along x, at least 1.
 * @param grid_height blocks along y, at least 1.
 *
 * Errors: as cuLaunch; CUDA_ERROR_INVALID_VALUE also if the grid is empty or larger than the device allows.
 *
 * Manual: Execution Control (deprecated).
 */
CUresult CUDAAPI cuLaunchGrid(CUfunction f, int grid_width, int grid_height);

/**
 * Queues a 2D grid with the parameters set on the function (deprecated).
 *
 * @param f the function, of the current context.
 * @param grid_width blocks along x, at least 1.
 * @param grid_height blocks along y, at least 1.
 * @param hStream stream of the function's context.
 *
 * Errors: as cuLaunchGrid; CUDA_ERROR_INVALID_HANDLE also if hStream is no stream or belongs to another context;
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED if the stream is being captured, which invalidates the capture.
 *
 * Manual: Execution Control (deprecated).
 */
CUresult CUDAAPI cuLaunchGridAsync(CUfunction f, int grid_width, int grid_height, CUstream hStream);

/**
 * Queues cooperative grids on several devices at once (deprecated).
 *
 * Each entry names a device of its own by its stream, which cannot be a default stream. Unless the flags say
 * otherwise, no grid begins before all streams have come that far, and no stream goes on before all grids have ended.
 *
 * @param launchParamsList array of numDevices launches: the same function, shape and shared memory (bytes), each with
 *     its own stream and parameters.
 * @param numDevices how many, from 1 to the number of devices.
 * @param flags 0 or CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_*_LAUNCH_SYNC bits.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if numDevices or flags is out of range, if a launch does not suit its
 * function, or if launches differ; CUDA_ERROR_INVALID_DEVICE if two name the same device; CUDA_ERROR_INVALID_HANDLE if a stream is a default
 * stream or none, or a function is none or not of the stream's context; CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE if a
 * grid does not fit on its device at once; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED if a stream is being captured,
 * which invalidates the capture.
 *
 * Manual: Execution Control (deprecated).
 */
CUresult CUDAAPI cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS *launchParamsList,
                                                      unsigned int numDevices,
                                                      unsigned int flags);

/**
 * Attaches a texture reference to a function (deprecated).
 *
 * References belong to modules, whose kernels have them without this call: it accepts one of the function's module.
 *
 * @param hfunc the function, of the current context.
 * @param texunit CU_PARAM_TR_DEFAULT.
 * @param hTexRef the reference.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hfunc is no function of the current context or hTexRef is no reference;
 * CUDA_ERROR_INVALID_VALUE if texunit is anything else, or if the reference is not of the function's module.
 *
 * Manual: Execution Control (deprecated).
 */
CUresult CUDAAPI cuParamSetTexRef(CUfunction hfunc, int texunit, CUtexref hTexRef);

/* Library Management */

/**
 * Loads an image from memory for all contexts, now or as each one first needs it.
 *
 * The text is checked now; each context gets its module when it first needs it. The managed variables exist from now
 * on. A wrong image makes a library without kernels, whose error (CUDA_ERROR_INVALID_IMAGE,
 * CUDA_ERROR_INVALID_PTX, CUDA_ERROR_UNSUPPORTED_PTX_VERSION, CUDA_ERROR_NO_BINARY_FOR_GPU) comes when a kernel, a
 * module or a variable is asked for; with CUDA_MODULE_LOADING=EAGER at once.
 *
 * @param library receives the library.
 * @param code PTX text that ends in NUL, a fat binary, or a container, as cuLinkComplete gives.
 * @param jitOptions array of numJitOptions compiler and linker options (CU_JIT_*).
 * @param jitOptionsValues array of their values; sizes of logs and the wall time come back in it.
 * @param numJitOptions number of compiler and linker options, 0 for none.
 * @param libraryOptions array of numLibraryOptions library options.
 * @param libraryOptionValues array of their values; ignored.
 * @param numLibraryOptions number of library options, 0 for none.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if library or code is NULL, if an option is unknown, or its value none of its
 * own; CUDA_ERROR_OUT_OF_MEMORY if memory for it is lacking.
 *
 * Manual: Library Management.
 */
CUresult CUDAAPI cuLibraryLoadData(CUlibrary *library,
                                   const void *code,
                                   CUjit_option *jitOptions,
                                   void **jitOptionsValues,
                                   unsigned int numJitOptions,
                                   CUlibraryOption *libraryOptions,
                                   void **libraryOptionValues,
                                   unsigned int numLibraryOptions);

/**
 * Loads an image from a file for all contexts, now or as each one first needs it.
 *
 * As cuLibraryLoadData otherwise.
 *
 * @param library receives the library.
 * @param fileName path of the file, ends in NUL, shorter than 4096 bytes.
 * @param jitOptions array of numJitOptions compiler and linker options (CU_JIT_*).
 * @param jitOptionsValues array of their values; sizes of logs and the wall time come back in it.
 * @param numJitOptions number of compiler and linker options, 0 for none.
 * @param libraryOptions array of numLibraryOptions library options.
 * @param libraryOptionValues array of their values; ignored.
 * @param numLibraryOptions number of library options, 0 for none.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if library or fileName is NULL, if an option is unknown, or its value none of
 * its own; CUDA_ERROR_FILE_NOT_FOUND if the file cannot be read; CUDA_ERROR_OUT_OF_MEMORY if memory for it is
 * lacking.
 *
 * Manual: Library Management.
 */
CUresult CUDAAPI cuLibraryLoadFromFile(CUlibrary *library,
                                       const char *fileName,
                                       CUjit_option *jitOptions,
                                       void **jitOptionsValues,
                                       unsigned int numJitOptions,
                                       CUlibraryOption *libraryOptions,
                                       void **libraryOptionValues,
                                       unsigned int numLibraryOptions);

/**
 * Unloads a library from every context.
 *
 * Waits for work that may use it. Its kernels, and its modules in all contexts, become invalid.
 *
 * @param library the library.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if library is no library; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a
 * capture forbids the call.
 *
 * Manual: Library Management.
 */
CUresult CUDAAPI cuLibraryUnload(CUlibrary library);

/**
 * Finds a kernel of a library by name.
 *
 * @param pKernel receives the kernel.
 * @param library the library.
 * @param name name of the kernel, ends in NUL.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pKernel or name is NULL; CUDA_ERROR_INVALID_HANDLE if library is no
 * library; CUDA_ERROR_NOT_FOUND if it has no kernel of that name; the error of a wrong image.
 *
 * Manual: Library Management.
 */
CUresult CUDAAPI cuLibraryGetKernel(CUkernel *pKernel, CUlibrary library, const char *name);

/**
 * Counts the kernels of a library.
 *
 * @param count receives the number.
 * @param lib the library.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if count is NULL; CUDA_ERROR_INVALID_HANDLE if lib is no library.
 *
 * Manual: Library Management.
 */
CUresult CUDAAPI cuLibraryGetKernelCount(unsigned int *count, CUlibrary lib);

/**
 * Lists the kernels of a library.
 *
 * @param kernels receives up to numKernels kernels, the last one of the text first.
 * @param numKernels room in kernels; what is left of it stays untouched.
 * @param lib the library.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if kernels is NULL; CUDA_ERROR_INVALID_HANDLE if lib is no library.
 *
 * Manual: Library Management.
 */
CUresult CUDAAPI cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int numKernels, CUlibrary lib);

/**
 * Hands out the module as which a library is loaded in the current context.
 *
 * The library is loaded into the context if it was not yet.
 *
 * @param pMod receives the module. Only cuLibraryUnload ends it.
 * @param library the library.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pMod is NULL; CUDA_ERROR_INVALID_HANDLE if library is no library;
 * CUDA_ERROR_INVALID_CONTEXT without a current context; the context's asynchronous error; the error of a wrong image;
 * CUDA_ERROR_OUT_OF_MEMORY if loading needs more memory than the device has left.
 *
 * Manual: Library Management.
 */
CUresult CUDAAPI cuLibraryGetModule(CUmodule *pMod, CUlibrary library);

/**
 * Hands out the function that stands for a kernel in the current context.
 *
 * The library is loaded into the context if it was not yet.
 *
 * @param pFunc receives the function.
 * @param kernel the kernel.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pFunc is NULL; CUDA_ERROR_INVALID_HANDLE if kernel is no kernel;
 * CUDA_ERROR_INVALID_CONTEXT without a current context; the context's asynchronous error; CUDA_ERROR_OUT_OF_MEMORY
 * if loading needs more memory than the device has left.
 *
 * Manual: Library Management.
 */
CUresult CUDAAPI cuKernelGetFunction(CUfunction *pFunc, CUkernel kernel);

/**
 * Reports the library that a kernel comes from.
 *
 * @param pLib receives the library.
 * @param kernel the kernel.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pLib is NULL; CUDA_ERROR_INVALID_HANDLE if kernel is no kernel.
 *
 * Manual: Library Management.
 */
CUresult CUDAAPI cuKernelGetLibrary(CUlibrary *pLib, CUkernel kernel);

/**
 * Finds address and size of a library's global variable in the current context.
 *
 * The library is loaded into the context if it was not yet.
 *
 * @param dptr receives the address; may be NULL.
 * @param bytes receives the size in bytes; may be NULL, but not both.
 * @param library the library.
 * @param name name of the symbol, ends in NUL.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if both results are NULL, if name is NULL or empty, or names a kernel or a
 * texture reference; CUDA_ERROR_INVALID_HANDLE if library is no library; CUDA_ERROR_NOT_FOUND if it has no
 * variable of that name; CUDA_ERROR_INVALID_CONTEXT without a current context; the context's asynchronous error; the
 * error of a wrong image; CUDA_ERROR_OUT_OF_MEMORY if loading needs more memory than the device has left.
 *
 * Manual: Library Management.
 */
CUresult CUDAAPI cuLibraryGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUlibrary library, const char *name);

/**
 * Finds address and size of a library's managed variable.
 *
 * The address is the same in every context, and no context needs to be current.
 *
 * @param dptr receives the address; may be NULL.
 * @param bytes receives the size in bytes; may be NULL, but not both.
 * @param library the library.
 * @param name name of the symbol, ends in NUL.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if both results are NULL, or name is NULL or empty; CUDA_ERROR_INVALID_HANDLE
 * if library is no library; CUDA_ERROR_NOT_FOUND if it has no managed variable of that name; the error of a wrong
 * image.
 *
 * Manual: Library Management.
 */
CUresult CUDAAPI cuLibraryGetManaged(CUdeviceptr *dptr, size_t *bytes, CUlibrary library, const char *name);

/**
 * Finds a unified function of a library by name.
 *
 * No library that can be loaded here has any: the device has no unified function pointers.
 *
 * @param fptr stays untouched.
 * @param library the library.
 * @param symbol ignored.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if library is no library, otherwise always CUDA_ERROR_INVALID_VALUE.
 *
 * Manual: Library Management.
 */
CUresult CUDAAPI cuLibraryGetUnifiedFunction(void **fptr, CUlibrary library, const char *symbol);

/**
 * Reads an attribute of a kernel on a device.
 *
 * @param pi receives the value.
 * @param attrib CU_FUNC_ATTRIBUTE_*.
 * @param kernel the kernel.
 * @param dev ordinal of the device.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pi is NULL or the attribute is unknown; CUDA_ERROR_INVALID_HANDLE if
 * kernel is no kernel; CUDA_ERROR_INVALID_DEVICE if the device does not exist.
 *
 * Manual: Library Management.
 */
CUresult CUDAAPI cuKernelGetAttribute(int *pi, CUfunction_attribute attrib, CUkernel kernel, CUdevice dev);

/**
 * Changes an attribute of a kernel on a device, in all contexts.
 *
 * @param attrib a CU_FUNC_ATTRIBUTE_* that can be set: dynamic shared memory, carveout, or one about clusters.
 * @param val the value: bytes, percent (-1 for no preference), or blocks.
 * @param kernel the kernel.
 * @param dev ordinal of the device.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if the attribute cannot be set or the value is out of range;
 * CUDA_ERROR_INVALID_HANDLE if kernel is no kernel; CUDA_ERROR_INVALID_DEVICE if the device does not exist.
 *
 * Manual: Library Management.
 */
CUresult CUDAAPI cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel, CUdevice dev);

/**
 * Sets whether a kernel on a device prefers L1 cache or shared memory, in all contexts.
 *
 * @param kernel the kernel.
 * @param config CU_FUNC_CACHE_*.
 * @param dev ordinal of the device.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if config is unknown; CUDA_ERROR_INVALID_HANDLE if kernel is no kernel;
 * CUDA_ERROR_INVALID_DEVICE if the device does not exist.
 *
 * Manual: Library Management.
 */
CUresult CUDAAPI cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice dev);

/**
 * Reports the linkage name of a kernel.
 *
 * @param name receives the address of the name, which ends in NUL and lives as long as the library.
 * @param hfunc the kernel.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if name is NULL; CUDA_ERROR_INVALID_HANDLE if hfunc is no kernel.
 *
 * Manual: Library Management.
 */
CUresult CUDAAPI cuKernelGetName(const char **name, CUkernel hfunc);

/**
 * Reports offset and size of one parameter of a kernel.
 *
 * @param kernel the kernel.
 * @param paramIndex number of the parameter, from 0.
 * @param paramOffset receives its offset in the parameter area in bytes.
 * @param paramSize receives its size in bytes; may be NULL.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if paramOffset is NULL or there is no such parameter;
 * CUDA_ERROR_INVALID_HANDLE if kernel is no kernel; CUDA_ERROR_INVALID_CONTEXT without a current context; the
 * context's asynchronous error; CUDA_ERROR_OUT_OF_MEMORY if loading the library into the context needs more memory
 * than the device has left.
 *
 * Manual: Library Management.
 */
CUresult CUDAAPI cuKernelGetParamInfo(CUkernel kernel, size_t paramIndex, size_t *paramOffset, size_t *paramSize);

/**
 * Counts the parameters of a kernel.
 *
 * @param kernel the kernel.
 * @param paramCount receives the number.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if paramCount is NULL; CUDA_ERROR_INVALID_HANDLE if kernel is no kernel;
 * CUDA_ERROR_INVALID_CONTEXT without a current context; the context's asynchronous error; CUDA_ERROR_OUT_OF_MEMORY
 * if loading the library into the context needs more memory than the device has left.
 *
 * Manual: Library Management.
 */
CUresult CUDAAPI cuKernelGetParamCount(CUkernel kernel, size_t *paramCount);

/* Logical Endpoints */

/**
 * Reserves a run of endpoint identifiers.
 *
 * @param baseLeId receives the first identifier.
 * @param count how many.
 *
 * Errors: always CUDA_ERROR_NOT_SUPPORTED: no device is part of a fabric, and none says that it has endpoints.
 *
 * Manual: Logical Endpoint.
 */
CUresult CUDAAPI cuLogicalEndpointIdReserve(CUlogicalEndpointId *baseLeId, cuuint32_t count);

/**
 * Gives back a run of endpoint identifiers.
 *
 * @param baseLeId first identifier.
 * @param count how many.
 *
 * Errors: always CUDA_ERROR_NOT_SUPPORTED: no device is part of a fabric, and none says that it has endpoints.
 *
 * Manual: Logical Endpoint.
 */
CUresult CUDAAPI cuLogicalEndpointIdRelease(CUlogicalEndpointId baseLeId, cuuint32_t count);

/**
 * Creates an endpoint under a reserved identifier.
 *
 * @param leId identifier of the endpoint.
 * @param prop description of the endpoint.
 *
 * Errors: always CUDA_ERROR_NOT_SUPPORTED: no device is part of a fabric, and none says that it has endpoints.
 *
 * Manual: Logical Endpoint.
 */
CUresult CUDAAPI cuLogicalEndpointCreate(CUlogicalEndpointId leId, const CUlogicalEndpointProp *prop);

/**
 * Adds a device to an endpoint.
 *
 * @param leId identifier of the endpoint.
 * @param dev ordinal of the device.
 *
 * Errors: always CUDA_ERROR_NOT_SUPPORTED: no device is part of a fabric, and none says that it has endpoints.
 *
 * Manual: Logical Endpoint.
 */
CUresult CUDAAPI cuLogicalEndpointAddDevice(CUlogicalEndpointId leId, CUdevice dev);

/**
 * Destroys an endpoint.
 *
 * @param leId identifier of the endpoint.
 *
 * Errors: always CUDA_ERROR_NOT_SUPPORTED: no device is part of a fabric, and none says that it has endpoints.
 *
 * Manual: Logical Endpoint.
 */
CUresult CUDAAPI cuLogicalEndpointDestroy(CUlogicalEndpointId leId);

/**
 * Binds mapped memory to a range of an endpoint.
 *
 * @param leId identifier of the endpoint.
 * @param dev ordinal of the device.
 * @param offset first byte in the endpoint.
 * @param ptr first byte of the mapped memory.
 * @param size size in bytes.
 * @param flags 0.
 *
 * Errors: always CUDA_ERROR_NOT_SUPPORTED: no device is part of a fabric, and none says that it has endpoints.
 *
 * Manual: Logical Endpoint.
 */
CUresult CUDAAPI cuLogicalEndpointBindAddr(CUlogicalEndpointId leId,
                                           CUdevice dev,
                                           cuuint64_t offset,
                                           void *ptr,
                                           cuuint64_t size,
                                           unsigned long long flags);

/**
 * Binds physical memory to a range of an endpoint.
 *
 * @param leId identifier of the endpoint.
 * @param dev ordinal of the device.
 * @param offset first byte in the endpoint.
 * @param memHandle handle of the physical memory.
 * @param memOffset first byte in that memory.
 * @param size size in bytes.
 * @param flags 0.
 *
 * Errors: always CUDA_ERROR_NOT_SUPPORTED: no device is part of a fabric, and none says that it has endpoints.
 *
 * Manual: Logical Endpoint.
 */
CUresult CUDAAPI cuLogicalEndpointBindMem(CUlogicalEndpointId leId,
                                          CUdevice dev,
                                          cuuint64_t offset,
                                          CUmemGenericAllocationHandle memHandle,
                                          cuuint64_t memOffset,
                                          cuuint64_t size,
                                          unsigned long long flags);

/**
 * Removes a device's bindings from a range of an endpoint.
 *
 * @param leId identifier of the endpoint.
 * @param dev ordinal of the device.
 * @param offset first byte in the endpoint.
 * @param size size in bytes.
 *
 * Errors: always CUDA_ERROR_NOT_SUPPORTED: no device is part of a fabric, and none says that it has endpoints.
 *
 * Manual: Logical Endpoint.
 */
CUresult CUDAAPI cuLogicalEndpointUnbind(CUlogicalEndpointId leId, CUdevice dev, cuuint64_t offset, cuuint64_t size);

/**
 * Exports an endpoint for other processes.
 *
 * @param handle receives the handle, of the size that its type has.
 * @param leId identifier of the endpoint.
 * @param handleType type of the handle.
 *
 * Errors: always CUDA_ERROR_NOT_SUPPORTED: no device is part of a fabric, and none says that it has endpoints.
 *
 * Manual: Logical Endpoint.
 */
CUresult CUDAAPI cuLogicalEndpointExport(void *handle, CUlogicalEndpointId leId, CUlogicalEndpointIpcHandleType handleType);

/**
 * Imports an endpoint that another process exported.
 *
 * @param leId reserved identifier that the endpoint gets.
 * @param handle the handle, of the size that its type has.
 * @param handleType type of the handle.
 *
 * Errors: always CUDA_ERROR_NOT_SUPPORTED: no device is part of a fabric, and none says that it has endpoints.
 *
 * Manual: Logical Endpoint.
 */
CUresult CUDAAPI cuLogicalEndpointImport(CUlogicalEndpointId leId,
                                         const void *handle,
                                         CUlogicalEndpointIpcHandleType handleType);

/**
 * Reports alignment and largest size of endpoint bindings.
 *
 * @param bindAlignment receives the alignment in bytes.
 * @param maxSize receives the largest size in bytes.
 * @param prop description of the endpoint.
 *
 * Errors: always CUDA_ERROR_NOT_SUPPORTED: no device is part of a fabric, and none says that it has endpoints.
 *
 * Manual: Logical Endpoint.
 */
CUresult CUDAAPI cuLogicalEndpointGetLimits(cuuint64_t *bindAlignment, cuuint64_t *maxSize, const CUlogicalEndpointProp *prop);

/**
 * Reports the state of a run of endpoints.
 *
 * @param leId first identifier.
 * @param count how many.
 * @param queryStatus receives the state.
 *
 * Errors: always CUDA_ERROR_NOT_SUPPORTED: no device is part of a fabric, and none says that it has endpoints.
 *
 * Manual: Logical Endpoint.
 */
CUresult CUDAAPI cuLogicalEndpointQuery(CUlogicalEndpointId leId, cuuint32_t count, int *queryStatus);

/**
 * Queues copies between endpoints and memory on a stream.
 *
 * @param numOps how many copies.
 * @param opList array of numOps copies.
 * @param flags 0.
 * @param hStream the stream.
 *
 * Errors: always CUDA_ERROR_NOT_SUPPORTED: no device is part of a fabric, and none says that it has endpoints.
 *
 * Manual: Logical Endpoint.
 */
CUresult CUDAAPI cuFabricCpyBatchAsync(size_t numOps,
                                       CUDA_FABRIC_COPY_BATCH_OP *opList,
                                       unsigned long long flags,
                                       CUstream hStream);

/** cuFabricCpyBatchAsync with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuFabricCpyBatchAsync_ptsz(size_t numOps,
                                            CUDA_FABRIC_COPY_BATCH_OP *opList,
                                            unsigned long long flags,
                                            CUstream hStream);

/* Error Log Management Functions */

/**
 * Registers a callback for error log messages.
 *
 * It is called in the thread whose call is refused, before that call returns, with the message without time and thread. It may
 * call the driver; what is refused there is logged, but no callback hears of it. The same function can be registered
 * more than once.
 *
 * @param callbackFunc the function to be called with each message.
 * @param userData passed to the function.
 * @param callback_out receives the handle of the registration; optional.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if callbackFunc is NULL.
 *
 * Manual: Error Log Management Functions.
 */
CUresult CUDAAPI cuLogsRegisterCallback(CUlogsCallback callbackFunc,
                                        void *userData,
                                        CUlogsCallbackHandle *callback_out);

/**
 * Withdraws a callback for error log messages.
 *
 * Another thread may still be in it.
 *
 * @param callback handle of the registration.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if the handle is not, or no longer, that of a registration.
 *
 * Manual: Error Log Management Functions.
 */
CUresult CUDAAPI cuLogsUnregisterCallback(CUlogsCallbackHandle callback);

/**
 * Marks the present end of the error log.
 *
 * @param iterator_out receives the mark, the number of the message that comes next.
 * @param flags ignored, as by the real driver.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if iterator_out is NULL.
 *
 * Manual: Error Log Management Functions.
 */
CUresult CUDAAPI cuLogsCurrent(CUlogIterator *iterator_out, unsigned int flags);

/**
 * Writes the error log from a mark on into a file, in place of what is there.
 *
 * @param iterator the mark from which on to read; receives the new end of the log. NULL: all messages that are kept.
 * @param pathToFile path of the file, ends in NUL.
 * @param flags ignored, as by the real driver.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if the path is NULL or cannot be written, or the mark is beyond the end of the log.
 *
 * Manual: Error Log Management Functions.
 */
CUresult CUDAAPI cuLogsDumpToFile(CUlogIterator *iterator,
                                  const char *pathToFile,
                                  unsigned int flags);

/**
 * Copies the error log from a mark on into a buffer: whole messages, each with a newline, and a NUL at the end.
 *
 * Of more messages than there is room for the newest are copied, behind a line that says so. (The real driver writes that line
 * beyond the end of the buffer.)
 *
 * @param iterator the mark from which on to read; receives the end of the log. NULL: all messages that are kept.
 * @param buffer receives the text. Untouched when there are no messages.
 * @param size size of the buffer in bytes; receives the number of bytes written, without the NUL.
 * @param flags ignored, as by the real driver.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if buffer or size is NULL; if the mark is beyond the end of the log, or there is no room
 * for one message: then size receives 0.
 *
 * Manual: Error Log Management Functions.
 */
CUresult CUDAAPI cuLogsDumpToMemory(CUlogIterator *iterator,
                                    char *buffer,
                                    size_t *size,
                                    unsigned int flags);

/* Unified Addressing */

/**
 * Moves managed memory to a location on a stream.
 *
 * Nothing moves here: host and devices share the memory. The range attributes tell of the prefetch.
 *
 * @param devPtr first byte of the range.
 * @param count size of the range in bytes, at least 1; the range lies in one managed allocation.
 * @param location a device, the host or a NUMA node.
 * @param flags 0.
 * @param hStream the stream.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if flags is not 0, if the location is unknown, or if the range is empty or not
 * in one managed allocation; CUDA_ERROR_INVALID_DEVICE if the device does not exist; CUDA_ERROR_INVALID_HANDLE if
 * hStream is no stream; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED if the stream is being captured, which invalidates
 * the capture.
 *
 * Manual: Unified Addressing.
 */
CUresult CUDAAPI cuMemPrefetchAsync_v2(CUdeviceptr devPtr,
                                       size_t count,
                                       CUmemLocation location,
                                       unsigned int flags,
                                       CUstream hStream);

/** cuMemPrefetchAsync_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemPrefetchAsync_v2_ptsz(CUdeviceptr devPtr,
                                            size_t count,
                                            CUmemLocation location,
                                            unsigned int flags,
                                            CUstream hStream);

/**
 * Moves managed memory to a device, or to the host with CU_DEVICE_CPU, on a stream.
 *
 * @param devPtr first byte of the range.
 * @param count size of the range in bytes, at least 1; the range lies in one managed allocation.
 * @param dstDevice ordinal of the device, or CU_DEVICE_CPU.
 * @param hStream the stream.
 *
 * Errors: as cuMemPrefetchAsync_v2.
 *
 * Manual: Unified Addressing.
 */
CUresult CUDAAPI cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUdevice dstDevice, CUstream hStream);

/** cuMemPrefetchAsync with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemPrefetchAsync_ptsz(CUdeviceptr devPtr, size_t count, CUdevice dstDevice, CUstream hStream);

/**
 * Advises how managed memory will be used, for a location.
 *
 * Advice holds for whole pages of 4 KiB. A location that the advice has no use for is ignored, except that its
 * type has to be known. Advice for NUMA nodes succeeds without a look at the range or the context, and has no effect.
 *
 * @param devPtr first byte of the range.
 * @param count size of the range in bytes, at least 1; the range lies in one managed allocation.
 * @param advice CU_MEM_ADVISE_*.
 * @param location the location that the advice is about.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if the advice is unknown, if the location does not suit it or does not exist, or
 * if the range is empty or not in one managed allocation; CUDA_ERROR_INVALID_CONTEXT without a current context,
 * after advice and location were found to be right; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids
 * the call.
 *
 * Manual: Unified Addressing.
 */
CUresult CUDAAPI cuMemAdvise_v2(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUmemLocation location);

/**
 * Advises how managed memory will be used, for a device or the host.
 *
 * Otherwise as cuMemAdvise_v2.
 *
 * @param devPtr first byte of the range.
 * @param count size of the range in bytes, at least 1; the range lies in one managed allocation.
 * @param advice CU_MEM_ADVISE_*.
 * @param device ordinal of the device, or CU_DEVICE_CPU.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if the advice is unknown, or if the range is empty or not in one managed
 * allocation; CUDA_ERROR_INVALID_DEVICE if the advice names a device that does not exist;
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call.
 *
 * Manual: Unified Addressing.
 */
CUresult CUDAAPI cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUdevice device);

/**
 * Moves several ranges of managed memory on a stream.
 *
 * Location i serves the ranges from index prefetchLocIdxs[i] on, up to the next location's.
 *
 * @param dptrs array of count addresses.
 * @param sizes array of count sizes in bytes, at least 1 each; each range lies in one managed allocation.
 * @param count number of ranges, at least 1.
 * @param prefetchLocs array of numPrefetchLocs locations.
 * @param prefetchLocIdxs array of the index of the first range of each location; the first is 0.
 * @param numPrefetchLocs number of locations, from 1 to count.
 * @param flags 0.
 * @param hStream the stream; not the legacy default stream.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE for the legacy default stream, if an array is NULL, if a number is out of range,
 * if an index is not that of a range, if flags is not 0, if a location is unknown or does not exist, or if a range
 * is not in one managed allocation; CUDA_ERROR_INVALID_HANDLE if hStream is no stream; the asynchronous error of
 * the stream's context; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED if the stream is being captured, which invalidates the
 * capture.
 *
 * Manual: Unified Addressing.
 */
CUresult CUDAAPI cuMemPrefetchBatchAsync(CUdeviceptr *dptrs,
                                         size_t *sizes,
                                         size_t count,
                                         CUmemLocation *prefetchLocs,
                                         size_t *prefetchLocIdxs,
                                         size_t numPrefetchLocs,
                                         unsigned long long flags,
                                         CUstream hStream);

/** cuMemPrefetchBatchAsync with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemPrefetchBatchAsync_ptsz(CUdeviceptr *dptrs,
                                              size_t *sizes,
                                              size_t count,
                                              CUmemLocation *prefetchLocs,
                                              size_t *prefetchLocIdxs,
                                              size_t numPrefetchLocs,
                                              unsigned long long flags,
                                              CUstream hStream);

/**
 * Gives up the contents of several ranges of managed memory.
 *
 * Whole pages in the ranges are given back when the stream comes there, and read as zeros afterwards.
 *
 * @param dptrs array of count addresses.
 * @param sizes array of count sizes in bytes, at least 1 each; each range lies in one managed allocation.
 * @param count number of ranges, at least 1.
 * @param flags 0.
 * @param hStream the stream; not the legacy default stream.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE for the legacy default stream, if an array is NULL, if count is 0, if flags
 * is not 0, or if a range is not in one managed allocation; CUDA_ERROR_INVALID_HANDLE if hStream is no stream; the
 * asynchronous error of the stream's context; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED if the stream is being captured,
 * which invalidates the capture.
 *
 * Manual: Unified Addressing.
 */
CUresult CUDAAPI cuMemDiscardBatchAsync(CUdeviceptr *dptrs,
                                        size_t *sizes,
                                        size_t count,
                                        unsigned long long flags,
                                        CUstream hStream);

/** cuMemDiscardBatchAsync with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemDiscardBatchAsync_ptsz(CUdeviceptr *dptrs,
                                             size_t *sizes,
                                             size_t count,
                                             unsigned long long flags,
                                             CUstream hStream);

/**
 * Gives up the contents of several ranges of managed memory and moves them on a stream.
 *
 * The same as cuMemDiscardBatchAsync followed by cuMemPrefetchBatchAsync.
 *
 * @param dptrs array of count addresses.
 * @param sizes array of count sizes in bytes, at least 1 each; each range lies in one managed allocation.
 * @param count number of ranges, at least 1.
 * @param prefetchLocs array of numPrefetchLocs locations.
 * @param prefetchLocIdxs array of the index of the first range of each location; the first is 0.
 * @param numPrefetchLocs number of locations, from 1 to count.
 * @param flags 0.
 * @param hStream the stream; not the legacy default stream.
 *
 * Errors: as cuMemPrefetchBatchAsync.
 *
 * Manual: Unified Addressing.
 */
CUresult CUDAAPI cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr *dptrs,
                                                   size_t *sizes,
                                                   size_t count,
                                                   CUmemLocation *prefetchLocs,
                                                   size_t *prefetchLocIdxs,
                                                   size_t numPrefetchLocs,
                                                   unsigned long long flags,
                                                   CUstream hStream);

/** cuMemDiscardAndPrefetchBatchAsync with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemDiscardAndPrefetchBatchAsync_ptsz(CUdeviceptr *dptrs,
                                                        size_t *sizes,
                                                        size_t count,
                                                        CUmemLocation *prefetchLocs,
                                                        size_t *prefetchLocIdxs,
                                                        size_t numPrefetchLocs,
                                                        unsigned long long flags,
                                                        CUstream hStream);

/**
 * Samples where the pages of a range are.
 *
 * Pages are where they were prefetched to last, else on the host if they have memory, else nowhere.
 *
 * @param ptr first byte of the range, of managed memory or of the program's own that is not registered.
 * @param size size of the range in bytes.
 * @param summaryGranularity bytes that one result stands for, 1 to size.
 * @param samplingGranularity bytes from sample to sample, up to summaryGranularity; 0 for a usual number.
 * @param location_out receives a location for each summaryGranularity bytes; CU_MEM_LOCATION_TYPE_NONE for nowhere.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if location_out is NULL, for other granularities, and for a range of any other
 * memory or of none.
 *
 * Manual: Unified Addressing.
 */
CUresult CUDAAPI cuMemGetLocationInfo(CUdeviceptr ptr,
                                      size_t size,
                                      size_t summaryGranularity,
                                      size_t samplingGranularity,
                                      CUmemLocation *location_out);

/**
 * Reads one attribute of a range of managed memory.
 *
 * An attribute on which the pages of the range differ reads as if it had never been set. No location is -2, the host
 * is -1.
 *
 * @param data receives the value: 32 bits, or a list of them for CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, filled up with
 *     -2.
 * @param dataSize size of data in bytes: 4, for the list any multiple of 4.
 * @param attribute CU_MEM_RANGE_ATTRIBUTE_*.
 * @param devPtr first byte of the range.
 * @param count size of the range in bytes, at least 1; the range lies in one managed allocation.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if data is NULL, if the attribute is unknown or its size wrong, or if the range
 * is empty or not in one managed allocation.
 *
 * Manual: Unified Addressing.
 */
CUresult CUDAAPI cuMemRangeGetAttribute(void *data,
                                        size_t dataSize,
                                        CUmem_range_attribute attribute,
                                        CUdeviceptr devPtr,
                                        size_t count);

/**
 * Reads several attributes of a range of managed memory.
 *
 * Nothing is written unless everything is right. Values as for cuMemRangeGetAttribute.
 *
 * @param data array of numAttributes addresses, which receive the values.
 * @param dataSizes array of the sizes of the values in bytes.
 * @param attributes array of CU_MEM_RANGE_ATTRIBUTE_*.
 * @param numAttributes number of attributes, at least 1.
 * @param devPtr first byte of the range.
 * @param count size of the range in bytes, at least 1; the range lies in one managed allocation.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if an array is NULL or numAttributes is 0, if an address is NULL, if an
 * attribute is unknown or its size wrong, or if the range is empty or not in one managed allocation.
 *
 * Manual: Unified Addressing.
 */
CUresult CUDAAPI cuMemRangeGetAttributes(void **data,
                                         size_t *dataSizes,
                                         CUmem_range_attribute *attributes,
                                         size_t numAttributes,
                                         CUdeviceptr devPtr,
                                         size_t count);

/* Memory Management (copies of ranges) */

/**
 * Copies between two unified addresses and finds out what kind of memory they are.
 *
 * An address that no allocation holds counts as the program's own pageable memory. Returns when the copy is complete,
 * except between device memory, where the copy is only given to the stream.
 *
 * @param dst destination, a unified address.
 * @param src source, a unified address.
 * @param ByteCount size in bytes; 0 does nothing, whatever the addresses are.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if an address is NULL, if a side leaves its allocation, if the current context's
 * device may not use it, or if pageable memory is not there.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount);

/** cuMemcpy with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemcpy_ptds(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount);

/**
 * Copies between allocations of two contexts.
 *
 * Peer access need not be enabled, but the device of each context must be allowed to use the memory on its side:
 * memory of pools and mapped memory may be closed to it. Does not wait for copies between device memory.
 *
 * @param dstDevice destination, memory that the driver knows.
 * @param dstContext context of the destination, NULL for the current one.
 * @param srcDevice source, memory that the driver knows.
 * @param srcContext context of the source, NULL for the current one.
 * @param ByteCount size in bytes; 0 does nothing, whatever the addresses are.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a side is pageable, leaves its allocation or may not be used by its context's
 * device; CUDA_ERROR_INVALID_CONTEXT if a context handle is not valid; CUDA_ERROR_CONTEXT_IS_DESTROYED if a context was
 * destroyed.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemcpyPeer(CUdeviceptr dstDevice,
                              CUcontext dstContext,
                              CUdeviceptr srcDevice,
                              CUcontext srcContext,
                              size_t ByteCount);

/** cuMemcpyPeer with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemcpyPeer_ptds(CUdeviceptr dstDevice,
                                   CUcontext dstContext,
                                   CUdeviceptr srcDevice,
                                   CUcontext srcContext,
                                   size_t ByteCount);

/**
 * Copies from host to device memory.
 *
 * Returns when the copy is complete. Both addresses may be of any memory that the driver knows; only srcHost may be
 * pageable.
 *
 * @param dstDevice destination, memory that the driver knows.
 * @param srcHost source, any memory.
 * @param ByteCount size in bytes; 0 does nothing, whatever the addresses are.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if an address is NULL, if dstDevice is pageable, if a side leaves its
 * allocation, if the current context's device may not use it, or if pageable memory is not there.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemcpyHtoD_v2(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount);

/** cuMemcpyHtoD_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemcpyHtoD_v2_ptds(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount);

/**
 * First-generation cuMemcpyHtoD_v2: addresses and sizes have 32 bits.
 *
 * @param dstDevice destination, memory that the driver knows.
 * @param srcHost source, any memory.
 * @param ByteCount size in bytes; 0 does nothing, whatever the addresses are.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always: there is no memory with addresses of 32 bits.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuMemcpyHtoD(CUdeviceptr_v1 dstDevice, const void *srcHost, unsigned int ByteCount);

/**
 * Copies from device to host memory.
 *
 * Returns when the copy is complete. Both addresses may be of any memory that the driver knows; only dstHost may be
 * pageable.
 *
 * @param dstHost destination, any memory.
 * @param srcDevice source, memory that the driver knows.
 * @param ByteCount size in bytes; 0 does nothing, whatever the addresses are.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if an address is NULL, if srcDevice is pageable, if a side leaves its
 * allocation, if the current context's device may not use it, or if pageable memory is not there.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemcpyDtoH_v2(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount);

/** cuMemcpyDtoH_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemcpyDtoH_v2_ptds(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount);

/**
 * First-generation cuMemcpyDtoH_v2: addresses and sizes have 32 bits.
 *
 * @param dstHost destination, any memory.
 * @param srcDevice source, memory that the driver knows.
 * @param ByteCount size in bytes; 0 does nothing, whatever the addresses are.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always: there is no memory with addresses of 32 bits.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuMemcpyDtoH(void *dstHost, CUdeviceptr_v1 srcDevice, unsigned int ByteCount);

/**
 * Copies within device memory, also between devices.
 *
 * The ranges may overlap. Does not wait for the copy to be complete.
 *
 * @param dstDevice destination, memory that the driver knows.
 * @param srcDevice source, memory that the driver knows.
 * @param ByteCount size in bytes; 0 does nothing, whatever the addresses are.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a side is pageable or NULL, leaves its allocation, or may not be used by the
 * current context's device.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemcpyDtoD_v2(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount);

/** cuMemcpyDtoD_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemcpyDtoD_v2_ptds(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount);

/**
 * First-generation cuMemcpyDtoD_v2: addresses and sizes have 32 bits.
 *
 * @param dstDevice destination, memory that the driver knows.
 * @param srcDevice source, memory that the driver knows.
 * @param ByteCount size in bytes; 0 does nothing, whatever the addresses are.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always: there is no memory with addresses of 32 bits.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuMemcpyDtoD(CUdeviceptr_v1 dstDevice, CUdeviceptr_v1 srcDevice, unsigned int ByteCount);

/**
 * Queues a copy between two unified addresses on a stream.
 *
 * Copies between host memory, to pageable memory, and of more than 2 MiB from pageable memory return only when they
 * are complete. Less is read from pageable memory before this returns.
 *
 * @param dst destination, a unified address.
 * @param src source, a unified address.
 * @param ByteCount size in bytes; 0 does nothing, whatever the addresses are.
 * @param hStream the stream.
 *
 * Errors: as cuMemcpy; CUDA_ERROR_INVALID_HANDLE if hStream is no stream.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream);

/** cuMemcpyAsync with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemcpyAsync_ptsz(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream);

/**
 * Queues a copy between allocations of two contexts on a stream.
 *
 * Otherwise as cuMemcpyPeer.
 *
 * @param dstDevice destination, memory that the driver knows.
 * @param dstContext context of the destination, NULL for the current one.
 * @param srcDevice source, memory that the driver knows.
 * @param srcContext context of the source, NULL for the current one.
 * @param ByteCount size in bytes; 0 does nothing, whatever the addresses are.
 * @param hStream the stream.
 *
 * Errors: as cuMemcpyPeer; CUDA_ERROR_INVALID_HANDLE if hStream is no stream;
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED if the stream is being captured, which invalidates the capture.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemcpyPeerAsync(CUdeviceptr dstDevice,
                                   CUcontext dstContext,
                                   CUdeviceptr srcDevice,
                                   CUcontext srcContext,
                                   size_t ByteCount,
                                   CUstream hStream);

/** cuMemcpyPeerAsync with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemcpyPeerAsync_ptsz(CUdeviceptr dstDevice,
                                        CUcontext dstContext,
                                        CUdeviceptr srcDevice,
                                        CUcontext srcContext,
                                        size_t ByteCount,
                                        CUstream hStream);

/**
 * Queues a copy from host to device memory on a stream.
 *
 * Of pageable memory, up to 2 MiB are read before this returns; for more it waits until the copy is complete.
 *
 * @param dstDevice destination, memory that the driver knows.
 * @param srcHost source, any memory.
 * @param ByteCount size in bytes; 0 does nothing, whatever the addresses are.
 * @param hStream the stream.
 *
 * Errors: as cuMemcpyHtoD_v2; CUDA_ERROR_INVALID_HANDLE if hStream is no stream.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemcpyHtoDAsync_v2(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount, CUstream hStream);

/** cuMemcpyHtoDAsync_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemcpyHtoDAsync_v2_ptsz(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount, CUstream hStream);

/**
 * First-generation cuMemcpyHtoDAsync_v2: addresses and sizes have 32 bits.
 *
 * @param dstDevice destination, memory that the driver knows.
 * @param srcHost source, any memory.
 * @param ByteCount size in bytes; 0 does nothing, whatever the addresses are.
 * @param hStream the stream.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always: there is no memory with addresses of 32 bits.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuMemcpyHtoDAsync(CUdeviceptr_v1 dstDevice, const void *srcHost, unsigned int ByteCount, CUstream hStream);

/**
 * Queues a copy from device to host memory on a stream.
 *
 * To pageable memory, it returns when the copy is complete.
 *
 * @param dstHost destination, any memory.
 * @param srcDevice source, memory that the driver knows.
 * @param ByteCount size in bytes; 0 does nothing, whatever the addresses are.
 * @param hStream the stream.
 *
 * Errors: as cuMemcpyDtoH_v2; CUDA_ERROR_INVALID_HANDLE if hStream is no stream.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemcpyDtoHAsync_v2(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream);

/** cuMemcpyDtoHAsync_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemcpyDtoHAsync_v2_ptsz(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream);

/**
 * First-generation cuMemcpyDtoHAsync_v2: addresses and sizes have 32 bits.
 *
 * @param dstHost destination, any memory.
 * @param srcDevice source, memory that the driver knows.
 * @param ByteCount size in bytes; 0 does nothing, whatever the addresses are.
 * @param hStream the stream.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always: there is no memory with addresses of 32 bits.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuMemcpyDtoHAsync(void *dstHost, CUdeviceptr_v1 srcDevice, unsigned int ByteCount, CUstream hStream);

/**
 * Queues a copy within device memory on a stream.
 *
 * @param dstDevice destination, memory that the driver knows.
 * @param srcDevice source, memory that the driver knows.
 * @param ByteCount size in bytes; 0 does nothing, whatever the addresses are.
 * @param hStream the stream.
 *
 * Errors: as cuMemcpyDtoD_v2; CUDA_ERROR_INVALID_HANDLE if hStream is no stream.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemcpyDtoDAsync_v2(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream);

/** cuMemcpyDtoDAsync_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemcpyDtoDAsync_v2_ptsz(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream);

/**
 * First-generation cuMemcpyDtoDAsync_v2: addresses and sizes have 32 bits.
 *
 * @param dstDevice destination, memory that the driver knows.
 * @param srcDevice source, memory that the driver knows.
 * @param ByteCount size in bytes; 0 does nothing, whatever the addresses are.
 * @param hStream the stream.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always: there is no memory with addresses of 32 bits.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuMemcpyDtoDAsync(CUdeviceptr_v1 dstDevice,
                                   CUdeviceptr_v1 srcDevice,
                                   unsigned int ByteCount,
                                   CUstream hStream);

/* Memory Management (batches of copies, copies with attributes) */

/**
 * Queues many copies at once, with attributes shared by ranges of them.
 *
 * attrs[i] holds for the copies from attrsIdxs[i] up to the next index. The copies of a batch have no order among
 * themselves that a program may rely on. The copies before one that is refused have been given to the stream.
 *
 * @param dsts array of count destinations.
 * @param srcs array of count sources.
 * @param sizes array of count sizes in bytes, at least 1 each.
 * @param count number of copies, at least 1.
 * @param attrs array of numAttrs attributes: when sources may be read, hints of locations, flags.
 * @param attrsIdxs array of the index of the first copy that each attribute holds for; the first is 0, and they
 *     increase.
 * @param numAttrs number of attributes, from 1 to count.
 * @param hStream the stream; not the legacy default stream.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE for the legacy default stream, without a current context, for an empty batch, if
 * an array is NULL, if an attribute is unknown or out of order, if a copy has no bytes, and for what cuMemcpy
 * refuses; CUDA_ERROR_INVALID_HANDLE if hStream is no stream; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED if the
 * stream is being captured, which does not invalidate the capture.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemcpyBatchAsync_v2(CUdeviceptr *dsts,
                                       CUdeviceptr *srcs,
                                       size_t *sizes,
                                       size_t count,
                                       CUmemcpyAttributes *attrs,
                                       size_t *attrsIdxs,
                                       size_t numAttrs,
                                       CUstream hStream);

/** cuMemcpyBatchAsync_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemcpyBatchAsync_v2_ptsz(CUdeviceptr *dsts,
                                            CUdeviceptr *srcs,
                                            size_t *sizes,
                                            size_t count,
                                            CUmemcpyAttributes *attrs,
                                            size_t *attrsIdxs,
                                            size_t numAttrs,
                                            CUstream hStream);

/**
 * First form of cuMemcpyBatchAsync_v2, which also reports the index of the copy that failed.
 *
 * @param dsts array of count destinations.
 * @param srcs array of count sources.
 * @param sizes array of count sizes in bytes, at least 1 each.
 * @param count number of copies, at least 1.
 * @param attrs array of numAttrs attributes: when sources may be read, hints of locations, flags.
 * @param attrsIdxs array of the index of the first copy that each attribute holds for; the first is 0, and they
 *     increase.
 * @param numAttrs number of attributes, from 1 to count.
 * @param failIdx receives the index, SIZE_MAX if no single copy is to blame; may be NULL.
 * @param hStream the stream; not the legacy default stream.
 *
 * Errors: as cuMemcpyBatchAsync_v2.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemcpyBatchAsync(CUdeviceptr *dsts,
                                    CUdeviceptr *srcs,
                                    size_t *sizes,
                                    size_t count,
                                    CUmemcpyAttributes *attrs,
                                    size_t *attrsIdxs,
                                    size_t numAttrs,
                                    size_t *failIdx,
                                    CUstream hStream);

/** cuMemcpyBatchAsync with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemcpyBatchAsync_ptsz(CUdeviceptr *dsts,
                                         CUdeviceptr *srcs,
                                         size_t *sizes,
                                         size_t count,
                                         CUmemcpyAttributes *attrs,
                                         size_t *attrsIdxs,
                                         size_t numAttrs,
                                         size_t *failIdx,
                                         CUstream hStream);

/**
 * Queues many box copies at once.
 *
 * Unknown types, orders and flags are found before anything is copied.
 *
 * @param numOps number of copies, at least 1.
 * @param opList array of numOps box copies. Extents, offsets and row lengths are in elements of the array that takes
 *     part, in bytes without one; a row length or layer height of 0 means no gap.
 * @param flags 0.
 * @param hStream the stream; not the legacy default stream.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE for the legacy default stream, without a current context, for an empty batch, if
 * flags is not 0, if an operand type, an order, a flag or a hint is unknown, if an array does not exist, if two arrays
 * differ in the size of their elements, if a box is empty, and for what cuMemcpy3D_v2 refuses;
 * CUDA_ERROR_INVALID_HANDLE if hStream is no stream; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED if the stream is
 * being captured, which does not invalidate the capture.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemcpy3DBatchAsync_v2(size_t numOps,
                                         CUDA_MEMCPY3D_BATCH_OP *opList,
                                         unsigned long long flags,
                                         CUstream hStream);

/** cuMemcpy3DBatchAsync_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemcpy3DBatchAsync_v2_ptsz(size_t numOps,
                                              CUDA_MEMCPY3D_BATCH_OP *opList,
                                              unsigned long long flags,
                                              CUstream hStream);

/**
 * First form of cuMemcpy3DBatchAsync_v2, which also reports the index of the copy that failed.
 *
 * @param numOps number of copies, at least 1.
 * @param opList array of numOps box copies. Extents, offsets and row lengths are in elements of the array that takes
 *     part, in bytes without one; a row length or layer height of 0 means no gap.
 * @param failIdx receives the index of the first copy with an unknown type, order or flag or with arrays that do not go
 *     together, SIZE_MAX in all other cases; may be NULL.
 * @param flags 0.
 * @param hStream the stream; not the legacy default stream.
 *
 * Errors: as cuMemcpy3DBatchAsync_v2.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemcpy3DBatchAsync(size_t numOps,
                                      CUDA_MEMCPY3D_BATCH_OP *opList,
                                      size_t *failIdx,
                                      unsigned long long flags,
                                      CUstream hStream);

/** cuMemcpy3DBatchAsync with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemcpy3DBatchAsync_ptsz(size_t numOps,
                                           CUDA_MEMCPY3D_BATCH_OP *opList,
                                           size_t *failIdx,
                                           unsigned long long flags,
                                           CUstream hStream);

/**
 * Queues one copy with location hints and source ordering.
 *
 * A batch of one: see cuMemcpyBatchAsync_v2.
 *
 * @param dst destination.
 * @param src source.
 * @param size size in bytes, at least 1.
 * @param attr the attributes.
 * @param hStream the stream; not the legacy default stream.
 *
 * Errors: as cuMemcpyBatchAsync_v2.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemcpyWithAttributesAsync(CUdeviceptr dst,
                                             CUdeviceptr src,
                                             size_t size,
                                             CUmemcpyAttributes *attr,
                                             CUstream hStream);

/** cuMemcpyWithAttributesAsync with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemcpyWithAttributesAsync_ptsz(CUdeviceptr dst,
                                                  CUdeviceptr src,
                                                  size_t size,
                                                  CUmemcpyAttributes *attr,
                                                  CUstream hStream);

/**
 * Queues one box copy with location hints and source ordering.
 *
 * A batch of one: see cuMemcpy3DBatchAsync_v2.
 *
 * @param op the copy, in the units of cuMemcpy3DBatchAsync_v2.
 * @param flags 0.
 * @param hStream the stream; not the legacy default stream.
 *
 * Errors: as cuMemcpy3DBatchAsync_v2.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemcpy3DWithAttributesAsync(CUDA_MEMCPY3D_BATCH_OP *op, unsigned long long flags, CUstream hStream);

/** cuMemcpy3DWithAttributesAsync with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemcpy3DWithAttributesAsync_ptsz(CUDA_MEMCPY3D_BATCH_OP *op, unsigned long long flags, CUstream hStream);

/* Memory Management (copies of rectangles and boxes, copies with arrays) */

/**
 * Copies from device memory into the first row of an array.
 *
 * Does not wait for the copy to be complete.
 *
 * @param dstArray destination array.
 * @param dstOffset first byte in the destination's first row.
 * @param srcDevice source, memory that the driver knows.
 * @param ByteCount size in bytes; 0 does nothing, whatever the other arguments are.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if an array does not exist or has planes, if the range leaves its row, or cuts a
 * compressed block in two, or if memory is NULL, pageable, leaves its allocation or may not be used by the current
 * context's device.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemcpyDtoA_v2(CUarray dstArray, size_t dstOffset, CUdeviceptr srcDevice, size_t ByteCount);

/** cuMemcpyDtoA_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemcpyDtoA_v2_ptds(CUarray dstArray, size_t dstOffset, CUdeviceptr srcDevice, size_t ByteCount);

/**
 * First-generation cuMemcpyDtoA_v2: addresses and sizes have 32 bits.
 *
 * @param dstArray destination array.
 * @param dstOffset first byte in the destination's first row.
 * @param srcDevice source, memory that the driver knows.
 * @param ByteCount size in bytes; 0 does nothing, whatever the other arguments are.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always: there is no memory with addresses of 32 bits.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuMemcpyDtoA(CUarray dstArray, unsigned int dstOffset, CUdeviceptr_v1 srcDevice, unsigned int ByteCount);

/**
 * Copies from the first row of an array into device memory.
 *
 * Does not wait for the copy to be complete.
 *
 * @param dstDevice destination, memory that the driver knows.
 * @param srcArray source array.
 * @param srcOffset first byte in the source's first row.
 * @param ByteCount size in bytes; 0 does nothing, whatever the other arguments are.
 *
 * Errors: as cuMemcpyDtoA_v2.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemcpyAtoD_v2(CUdeviceptr dstDevice, CUarray srcArray, size_t srcOffset, size_t ByteCount);

/** cuMemcpyAtoD_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemcpyAtoD_v2_ptds(CUdeviceptr dstDevice, CUarray srcArray, size_t srcOffset, size_t ByteCount);

/**
 * First-generation cuMemcpyAtoD_v2: addresses and sizes have 32 bits.
 *
 * @param dstDevice destination, memory that the driver knows.
 * @param srcArray source array.
 * @param srcOffset first byte in the source's first row.
 * @param ByteCount size in bytes; 0 does nothing, whatever the other arguments are.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always: there is no memory with addresses of 32 bits.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuMemcpyAtoD(CUdeviceptr_v1 dstDevice, CUarray srcArray, unsigned int srcOffset, unsigned int ByteCount);

/**
 * Copies from host memory into the first row of an array.
 *
 * Returns when the copy is complete.
 *
 * @param dstArray destination array.
 * @param dstOffset first byte in the destination's first row.
 * @param srcHost source, any memory.
 * @param ByteCount size in bytes; 0 does nothing, whatever the other arguments are.
 *
 * Errors: as cuMemcpyDtoA_v2, but the host's memory may be pageable.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemcpyHtoA_v2(CUarray dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount);

/** cuMemcpyHtoA_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemcpyHtoA_v2_ptds(CUarray dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount);

/**
 * First-generation cuMemcpyHtoA_v2: addresses and sizes have 32 bits.
 *
 * @param dstArray destination array.
 * @param dstOffset first byte in the destination's first row.
 * @param srcHost source, any memory.
 * @param ByteCount size in bytes; 0 does nothing, whatever the other arguments are.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always: there is no memory with addresses of 32 bits.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuMemcpyHtoA(CUarray dstArray, unsigned int dstOffset, const void *srcHost, unsigned int ByteCount);

/**
 * Copies from the first row of an array into host memory.
 *
 * Returns when the copy is complete.
 *
 * @param dstHost destination, any memory.
 * @param srcArray source array.
 * @param srcOffset first byte in the source's first row.
 * @param ByteCount size in bytes; 0 does nothing, whatever the other arguments are.
 *
 * Errors: as cuMemcpyDtoA_v2, but the host's memory may be pageable.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemcpyAtoH_v2(void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount);

/** cuMemcpyAtoH_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemcpyAtoH_v2_ptds(void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount);

/**
 * First-generation cuMemcpyAtoH_v2: addresses and sizes have 32 bits.
 *
 * @param dstHost destination, any memory.
 * @param srcArray source array.
 * @param srcOffset first byte in the source's first row.
 * @param ByteCount size in bytes; 0 does nothing, whatever the other arguments are.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always: there is no memory with addresses of 32 bits.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuMemcpyAtoH(void *dstHost, CUarray srcArray, unsigned int srcOffset, unsigned int ByteCount);

/**
 * Copies between the first rows of two arrays.
 *
 * The elements of the two need not be of the same size. Does not wait for the copy to be complete.
 *
 * @param dstArray destination array.
 * @param dstOffset first byte in the destination's first row.
 * @param srcArray source array.
 * @param srcOffset first byte in the source's first row.
 * @param ByteCount size in bytes; 0 does nothing, whatever the other arguments are.
 *
 * Errors: as cuMemcpyDtoA_v2.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemcpyAtoA_v2(CUarray dstArray, size_t dstOffset, CUarray srcArray, size_t srcOffset, size_t ByteCount);

/** cuMemcpyAtoA_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemcpyAtoA_v2_ptds(CUarray dstArray, size_t dstOffset, CUarray srcArray, size_t srcOffset, size_t ByteCount);

/**
 * First-generation cuMemcpyAtoA_v2: addresses and sizes have 32 bits.
 *
 * @param dstArray destination array.
 * @param dstOffset first byte in the destination's first row.
 * @param srcArray source array.
 * @param srcOffset first byte in the source's first row.
 * @param ByteCount size in bytes; 0 does nothing, whatever the other arguments are.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always: there is no memory with addresses of 32 bits.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuMemcpyAtoA(CUarray dstArray,
                              unsigned int dstOffset,
                              CUarray srcArray,
                              unsigned int srcOffset,
                              unsigned int ByteCount);

/**
 * Copies a rectangle that a descriptor describes.
 *
 * Any pitch and any alignment will do; a pitch of 0 means rows without a gap. A rectangle without rows or columns does
 * nothing, whatever else is wrong. Returns when the copy is complete, except between device memory and arrays.
 *
 * @param pCopy the copy: for each side its memory type, address or array, pitch in bytes, and where the rectangle begins
 *     (bytes, rows); then bytes of a row and number of rows.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pCopy is NULL, if a memory type is unknown, if the driver knows no memory at
 * an address (a host address may be pageable), if a row is longer than the pitch, or if the rectangle leaves its
 * allocation or array.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemcpy2D_v2(const CUDA_MEMCPY2D *pCopy);

/** cuMemcpy2D_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemcpy2D_v2_ptds(const CUDA_MEMCPY2D *pCopy);

/**
 * First-generation cuMemcpy2D_v2: addresses and sizes have 32 bits.
 *
 * @param pCopy the copy: for each side its memory type, address or array, pitch in bytes, and where the rectangle begins
 *     (bytes, rows); then bytes of a row and number of rows.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always: there is no memory with addresses of 32 bits.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuMemcpy2D(const CUDA_MEMCPY2D_v1 *pCopy);

/**
 * Copies a rectangle of any pitch that a descriptor describes.
 *
 * The same as cuMemcpy2D_v2.
 *
 * @param pCopy the copy: for each side its memory type, address or array, pitch in bytes, and where the rectangle begins
 *     (bytes, rows); then bytes of a row and number of rows.
 *
 * Errors: as cuMemcpy2D_v2.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *pCopy);

/** cuMemcpy2DUnaligned_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemcpy2DUnaligned_v2_ptds(const CUDA_MEMCPY2D *pCopy);

/**
 * First-generation cuMemcpy2DUnaligned_v2: addresses and sizes have 32 bits.
 *
 * @param pCopy the copy: for each side its memory type, address or array, pitch in bytes, and where the rectangle begins
 *     (bytes, rows); then bytes of a row and number of rows.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always: there is no memory with addresses of 32 bits.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuMemcpy2DUnaligned(const CUDA_MEMCPY2D_v1 *pCopy);

/**
 * Copies a box that a descriptor describes.
 *
 * A height of 0 in the description of memory means slices without a gap. Otherwise as cuMemcpy2D_v2.
 *
 * @param pCopy the copy, as for a rectangle, with slices: where the box begins in them, how many rows each has in
 *     memory, and how many there are; the levels of arrays are 0.
 *
 * Errors: as cuMemcpy2D_v2; CUDA_ERROR_INVALID_VALUE also if the level of an array is not 0 or the box has more
 * rows than a slice.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemcpy3D_v2(const CUDA_MEMCPY3D *pCopy);

/** cuMemcpy3D_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemcpy3D_v2_ptds(const CUDA_MEMCPY3D *pCopy);

/**
 * First-generation cuMemcpy3D_v2: addresses and sizes have 32 bits.
 *
 * @param pCopy the copy, as for a rectangle, with slices: where the box begins in them, how many rows each has in
 *     memory, and how many there are; the levels of arrays are 0.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always: there is no memory with addresses of 32 bits.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuMemcpy3D(const CUDA_MEMCPY3D_v1 *pCopy);

/**
 * Copies a box between allocations of two contexts.
 *
 * Each side has to be memory that the device of its own context may use. Otherwise as cuMemcpy3D_v2.
 *
 * @param pCopy the copy, as for cuMemcpy3D_v2, with a context for each side, NULL for the current one.
 *
 * Errors: as cuMemcpy3D_v2; CUDA_ERROR_INVALID_CONTEXT if a context handle is not valid;
 * CUDA_ERROR_CONTEXT_IS_DESTROYED if a context was destroyed.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *pCopy);

/** cuMemcpy3DPeer with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemcpy3DPeer_ptds(const CUDA_MEMCPY3D_PEER *pCopy);

/**
 * Queues a copy from host memory into the first row of an array on a stream.
 *
 * Of pageable memory, up to 2 MiB are read before this returns; for more it waits until the copy is complete.
 *
 * @param dstArray destination array.
 * @param dstOffset first byte in the destination's first row.
 * @param srcHost source, any memory.
 * @param ByteCount size in bytes; 0 does nothing, whatever the other arguments are.
 * @param hStream the stream.
 *
 * Errors: as cuMemcpyHtoA_v2; CUDA_ERROR_INVALID_HANDLE if hStream is no stream.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemcpyHtoAAsync_v2(CUarray dstArray,
                                      size_t dstOffset,
                                      const void *srcHost,
                                      size_t ByteCount,
                                      CUstream hStream);

/** cuMemcpyHtoAAsync_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemcpyHtoAAsync_v2_ptsz(CUarray dstArray,
                                           size_t dstOffset,
                                           const void *srcHost,
                                           size_t ByteCount,
                                           CUstream hStream);

/**
 * First-generation cuMemcpyHtoAAsync_v2: addresses and sizes have 32 bits.
 *
 * @param dstArray destination array.
 * @param dstOffset first byte in the destination's first row.
 * @param srcHost source, any memory.
 * @param ByteCount size in bytes; 0 does nothing, whatever the other arguments are.
 * @param hStream the stream.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always: there is no memory with addresses of 32 bits.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuMemcpyHtoAAsync(CUarray dstArray,
                                   unsigned int dstOffset,
                                   const void *srcHost,
                                   unsigned int ByteCount,
                                   CUstream hStream);

/**
 * Queues a copy from the first row of an array into host memory on a stream.
 *
 * To pageable memory, it returns when the copy is complete.
 *
 * @param dstHost destination, any memory.
 * @param srcArray source array.
 * @param srcOffset first byte in the source's first row.
 * @param ByteCount size in bytes; 0 does nothing, whatever the other arguments are.
 * @param hStream the stream.
 *
 * Errors: as cuMemcpyAtoH_v2; CUDA_ERROR_INVALID_HANDLE if hStream is no stream.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemcpyAtoHAsync_v2(void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount, CUstream hStream);

/** cuMemcpyAtoHAsync_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemcpyAtoHAsync_v2_ptsz(void *dstHost,
                                           CUarray srcArray,
                                           size_t srcOffset,
                                           size_t ByteCount,
                                           CUstream hStream);

/**
 * First-generation cuMemcpyAtoHAsync_v2: addresses and sizes have 32 bits.
 *
 * @param dstHost destination, any memory.
 * @param srcArray source array.
 * @param srcOffset first byte in the source's first row.
 * @param ByteCount size in bytes; 0 does nothing, whatever the other arguments are.
 * @param hStream the stream.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always: there is no memory with addresses of 32 bits.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuMemcpyAtoHAsync(void *dstHost,
                                   CUarray srcArray,
                                   unsigned int srcOffset,
                                   unsigned int ByteCount,
                                   CUstream hStream);

/**
 * Queues a copy of a rectangle on a stream.
 *
 * Checked as cuMemcpy2D_v2. With pageable memory it may return later: see cuMemcpyHtoDAsync_v2.
 *
 * @param pCopy the copy: for each side its memory type, address or array, pitch in bytes, and where the rectangle begins
 *     (bytes, rows); then bytes of a row and number of rows.
 * @param hStream the stream.
 *
 * Errors: as cuMemcpy2D_v2; CUDA_ERROR_INVALID_HANDLE if hStream is no stream.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *pCopy,
                                    CUstream hStream);

/** cuMemcpy2DAsync_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemcpy2DAsync_v2_ptsz(const CUDA_MEMCPY2D *pCopy, CUstream hStream);

/**
 * First-generation cuMemcpy2DAsync_v2: addresses and sizes have 32 bits.
 *
 * @param pCopy the copy: for each side its memory type, address or array, pitch in bytes, and where the rectangle begins
 *     (bytes, rows); then bytes of a row and number of rows.
 * @param hStream the stream.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always: there is no memory with addresses of 32 bits.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuMemcpy2DAsync(const CUDA_MEMCPY2D_v1 *pCopy,
                                 CUstream hStream);

/**
 * Queues a copy of a box on a stream.
 *
 * Checked as cuMemcpy3D_v2. With pageable memory it may return later: see cuMemcpyHtoDAsync_v2.
 *
 * @param pCopy the copy, as for cuMemcpy3D_v2.
 * @param hStream the stream.
 *
 * Errors: as cuMemcpy3D_v2; CUDA_ERROR_INVALID_HANDLE if hStream is no stream.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *pCopy, CUstream hStream);

/** cuMemcpy3DAsync_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemcpy3DAsync_v2_ptsz(const CUDA_MEMCPY3D *pCopy, CUstream hStream);

/**
 * First-generation cuMemcpy3DAsync_v2: addresses and sizes have 32 bits.
 *
 * @param pCopy the copy, as for cuMemcpy3D_v2.
 * @param hStream the stream.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always: there is no memory with addresses of 32 bits.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuMemcpy3DAsync(const CUDA_MEMCPY3D_v1 *pCopy, CUstream hStream);

/**
 * Queues a copy of a box between allocations of two contexts on a stream.
 *
 * Checked as cuMemcpy3DPeer. With pageable memory it may return later: see cuMemcpyHtoDAsync_v2.
 *
 * @param pCopy the copy, as for cuMemcpy3DPeer.
 * @param hStream the stream.
 *
 * Errors: as cuMemcpy3DPeer; CUDA_ERROR_INVALID_HANDLE if hStream is no stream.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *pCopy, CUstream hStream);

/** cuMemcpy3DPeerAsync with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemcpy3DPeerAsync_ptsz(const CUDA_MEMCPY3D_PEER *pCopy, CUstream hStream);

/* Memory Management (allocation, host memory, information) */

/**
 * Reports free and total memory of the current context's device.
 *
 * Free is what allocations can still take up; what the system keeps for itself is part of the total, and neither free
 * nor used.
 *
 * @param free receives the free bytes; may be NULL; zeroed on failure.
 * @param total receives all bytes; may be NULL; zeroed on failure.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a result cannot be written; CUDA_ERROR_INVALID_CONTEXT without a current
 * context; the context's asynchronous error.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemGetInfo_v2(size_t *free, size_t *total);

/**
 * First-generation cuMemGetInfo_v2: addresses and sizes have 32 bits.
 *
 * @param free receives the free bytes; may be NULL; zeroed on failure.
 * @param total receives all bytes; may be NULL; zeroed on failure.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always, after the results were zeroed.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuMemGetInfo(unsigned int *free, unsigned int *total);

/**
 * Allocates linear memory on the device of the current context.
 *
 * The memory is not cleared.
 *
 * @param dptr receives the address, a multiple of 512; zeroed on failure.
 * @param bytesize size in bytes, at least 1.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if dptr is NULL or bytesize is 0; CUDA_ERROR_OUT_OF_MEMORY if the device
 * has not that much left; CUDA_ERROR_INVALID_CONTEXT without a current context; the context's asynchronous error;
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemAlloc_v2(CUdeviceptr *dptr, size_t bytesize);

/**
 * First-generation cuMemAlloc_v2: addresses and sizes have 32 bits.
 *
 * @param dptr receives the address, a multiple of 512; zeroed on failure.
 * @param bytesize size in bytes, at least 1.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always, after the result was zeroed.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuMemAlloc(CUdeviceptr_v1 *dptr, unsigned int bytesize);

/**
 * Allocates rows of linear memory and chooses the pitch that suits the device.
 *
 * @param dptr receives the address, a multiple of 512; zeroed on failure.
 * @param pPitch receives the bytes from row to row, a multiple of 512; set even if there is not enough memory.
 * @param WidthInBytes bytes of a row, at least 1.
 * @param Height number of rows, at least 1.
 * @param ElementSizeBytes 4, 8 or 16: the largest access that kernels will make.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a result is NULL, if a row or the whole has no bytes, or if ElementSizeBytes
 * is anything else; CUDA_ERROR_OUT_OF_MEMORY if the device has not that much left; CUDA_ERROR_INVALID_CONTEXT
 * without a current context; the context's asynchronous error; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture
 * forbids the call.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemAllocPitch_v2(CUdeviceptr *dptr,
                                    size_t *pPitch,
                                    size_t WidthInBytes,
                                    size_t Height,
                                    unsigned int ElementSizeBytes);

/**
 * First-generation cuMemAllocPitch_v2: addresses and sizes have 32 bits.
 *
 * @param dptr receives the address, a multiple of 512; zeroed on failure.
 * @param pPitch receives the bytes from row to row, a multiple of 512; set even if there is not enough memory.
 * @param WidthInBytes bytes of a row, at least 1.
 * @param Height number of rows, at least 1.
 * @param ElementSizeBytes 4, 8 or 16: the largest access that kernels will make.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always, after the results were zeroed.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuMemAllocPitch(CUdeviceptr_v1 *dptr,
                                 unsigned int *pPitch,
                                 unsigned int WidthInBytes,
                                 unsigned int Height,
                                 unsigned int ElementSizeBytes);

/**
 * Frees linear, managed or pool memory.
 *
 * Returns after the work that was given to the allocation's context before; memory of a pool waits for nothing. No
 * context needs to be current.
 *
 * @param dptr the address that the allocation begins at, or NULL, which does nothing.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE for any other address, and for variables of modules;
 * CUDA_ERROR_CONTEXT_IS_DESTROYED if the current context was destroyed; its asynchronous error;
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemFree_v2(CUdeviceptr dptr);

/**
 * First-generation cuMemFree_v2: addresses and sizes have 32 bits.
 *
 * @param dptr the address that the allocation begins at, or NULL, which does nothing.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuMemFree(CUdeviceptr_v1 dptr);

/**
 * Reports start and size of the allocation that contains an address: device or host memory, registered, managed or
 * mapped.
 *
 * @param pbase receives the first address; may be NULL; zeroed on failure.
 * @param psize receives the size in bytes; may be NULL; zeroed on failure.
 * @param dptr any address of the allocation; ignored if both results are NULL.
 *
 * Errors: CUDA_ERROR_NOT_FOUND if no allocation holds the address; CUDA_ERROR_INVALID_CONTEXT without a current
 * context; the context's asynchronous error.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemGetAddressRange_v2(CUdeviceptr *pbase, size_t *psize, CUdeviceptr dptr);

/**
 * First-generation cuMemGetAddressRange_v2: addresses and sizes have 32 bits.
 *
 * @param pbase receives the first address; may be NULL; zeroed on failure.
 * @param psize receives the size in bytes; may be NULL; zeroed on failure.
 * @param dptr any address of the allocation; ignored if both results are NULL.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always, after the results were zeroed.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuMemGetAddressRange(CUdeviceptr_v1 *pbase, unsigned int *psize, CUdeviceptr_v1 dptr);

/**
 * Allocates page-locked host memory that the device can reach at the same address.
 *
 * The memory is zero.
 *
 * @param pp receives the address; zeroed on failure.
 * @param bytesize size in bytes; 0 succeeds with NULL.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pp is NULL; CUDA_ERROR_OUT_OF_MEMORY if the host has not that much;
 * CUDA_ERROR_INVALID_CONTEXT without a current context; the context's asynchronous error;
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemAllocHost_v2(void **pp, size_t bytesize);

/**
 * First-generation cuMemAllocHost_v2: addresses and sizes have 32 bits.
 *
 * @param pp receives the address; zeroed on failure.
 * @param bytesize size in bytes; 0 succeeds with NULL.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always, after the result was zeroed.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuMemAllocHost(void **pp, unsigned int bytesize);

/**
 * Frees page-locked host memory, after the work that was given to its context before.
 *
 * @param p the address that an allocation function returned, or NULL, which does nothing.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE for any other address, also for registered memory;
 * CUDA_ERROR_CONTEXT_IS_DESTROYED if the current context was destroyed; its asynchronous error;
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemFreeHost(void *p);

/**
 * Allocates page-locked host memory with flags for portability, mapping and write combining.
 *
 * All such memory is mapped and accessible to every context, whatever the flags; they are only remembered. The memory
 * is zero.
 *
 * @param pp receives the address; zeroed on failure.
 * @param bytesize size in bytes; 0 succeeds with NULL.
 * @param Flags CU_MEMHOSTALLOC_* bits.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pp is NULL or a flag is unknown; CUDA_ERROR_OUT_OF_MEMORY if the host has
 * not that much; CUDA_ERROR_INVALID_CONTEXT without a current context; the context's asynchronous error;
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemHostAlloc(void **pp, size_t bytesize, unsigned int Flags);

/**
 * Reports the device address of mapped page-locked host memory, allocated or registered, which is the same address.
 *
 * @param pdptr receives the address; zeroed on failure.
 * @param p any address of the memory.
 * @param Flags 0.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pdptr is NULL, if Flags is not 0, or if p is not in page-locked memory,
 * such as managed or device memory; CUDA_ERROR_INVALID_CONTEXT without a current context; the context's asynchronous
 * error.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemHostGetDevicePointer_v2(CUdeviceptr *pdptr, void *p, unsigned int Flags);

/**
 * First-generation cuMemHostGetDevicePointer_v2: addresses and sizes have 32 bits.
 *
 * @param pdptr receives the address; zeroed on failure.
 * @param p any address of the memory.
 * @param Flags 0.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always, after the result was zeroed.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuMemHostGetDevicePointer(CUdeviceptr_v1 *pdptr, void *p, unsigned int Flags);

/**
 * Reports the flags with which page-locked host memory was allocated or registered.
 *
 * CU_MEMHOSTALLOC_DEVICEMAP is always among them. Managed memory has that flag alone.
 *
 * @param pFlags receives CU_MEMHOSTALLOC_* bits.
 * @param p any address of the memory.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pFlags is NULL or p is neither page-locked nor managed memory.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemHostGetFlags(unsigned int *pFlags, void *p);

/**
 * Allocates memory that host and devices share and that moves between them on demand.
 *
 * It may exceed the device's memory.
 *
 * @param dptr receives the address; zeroed on failure.
 * @param bytesize size in bytes, at least 1.
 * @param flags CU_MEM_ATTACH_GLOBAL or CU_MEM_ATTACH_HOST.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if dptr is NULL, if bytesize is 0, or if flags is anything else;
 * CUDA_ERROR_OUT_OF_MEMORY if no addresses are left for it; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture
 * forbids the call.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemAllocManaged(CUdeviceptr *dptr, size_t bytesize, unsigned int flags);

/**
 * Page-locks existing host memory and makes it reachable for the device at the same address.
 *
 * @param p first byte; need not be aligned.
 * @param bytesize size in bytes, at least 1. All of the range is mapped, and writable unless Flags says
 *     CU_MEMHOSTREGISTER_READ_ONLY.
 * @param Flags CU_MEMHOSTREGISTER_* bits other than CU_MEMHOSTREGISTER_IOMEMORY: no memory here is a device's.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if p is NULL, if bytesize is 0, if a flag is unknown or
 * CU_MEMHOSTREGISTER_IOMEMORY, if a page of the range is not there, or is read-only without
 * CU_MEMHOSTREGISTER_READ_ONLY, or if it holds memory that the driver allocated;
 * CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED if a byte of it is registered already; CUDA_ERROR_OUT_OF_MEMORY if it
 * is larger than the host's memory; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemHostRegister_v2(void *p, size_t bytesize, unsigned int Flags);

/**
 * First form of cuMemHostRegister_v2, with the flags of before CUDA 6.5.
 *
 * @param p first byte; need not be aligned.
 * @param bytesize size in bytes, at least 1. All of the range is mapped, and writable unless Flags says
 *     CU_MEMHOSTREGISTER_READ_ONLY.
 * @param Flags CU_MEMHOSTREGISTER_* bits other than CU_MEMHOSTREGISTER_IOMEMORY: no memory here is a device's.
 *
 * Errors: as cuMemHostRegister_v2.
 *
 * Manual: none, replaced in CUDA 6.5.
 */
CUresult CUDAAPI cuMemHostRegister(void *p, size_t bytesize, unsigned int Flags);

/**
 * Undoes cuMemHostRegister, after the work that was given to the context before.
 *
 * @param p the address that was registered.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if p is NULL, lies inside of the range or is other memory of the driver;
 * CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED if it is memory that the driver does not know;
 * CUDA_ERROR_CONTEXT_IS_DESTROYED if the current context was destroyed; its asynchronous error;
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemHostUnregister(void *p);

/**
 * Exports a range of device memory as an operating-system handle: a dma-buf file.
 *
 * @param handle receives an int, a descriptor that the program closes; set to -1 if the range is refused.
 * @param dptr first byte, a multiple of 4096.
 * @param size size in bytes, a multiple of 4096, at least 1 page; the range lies in one allocation.
 * @param handleType CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD.
 * @param flags 0 or CU_MEM_RANGE_FLAG_DMA_BUF_MAPPING_TYPE_PCIE.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if handle is NULL, if type or flags are unknown, or if the range is empty, not
 * aligned, or not in one allocation of device memory; CUDA_ERROR_NOT_SUPPORTED for a mapping over the bus, on
 * systems whose kernel makes no dma-buf of such memory, and before cuInit; CUDA_ERROR_INVALID_CONTEXT without a
 * current context.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemGetHandleForAddressRange(void *handle,
                                               CUdeviceptr dptr,
                                               size_t size,
                                               CUmemRangeHandleType handleType,
                                               unsigned long long flags);

/* Memory Management (memset) */

/**
 * Sets device memory to a byte.
 *
 * Host memory that the driver knows is accepted too, pageable memory is not. Returns at once for device memory, for
 * other memory when the memset is complete.
 *
 * @param dstDevice first byte.
 * @param uc the value of each byte.
 * @param N number of bytes; 0 does nothing, whatever the address is.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if the memory is pageable or NULL, if the range leaves its allocation, or if the
 * current context's device may not use it.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemsetD8_v2(CUdeviceptr dstDevice, unsigned char uc, size_t N);

/** cuMemsetD8_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemsetD8_v2_ptds(CUdeviceptr dstDevice, unsigned char uc, size_t N);

/**
 * First-generation cuMemsetD8_v2: addresses and sizes have 32 bits.
 *
 * @param dstDevice first byte.
 * @param uc the value of each byte.
 * @param N number of bytes; 0 does nothing, whatever the address is.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always: there is no memory with addresses of 32 bits.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuMemsetD8(CUdeviceptr_v1 dstDevice, unsigned char uc, unsigned int N);

/**
 * Sets device memory to a 16-bit value.
 *
 * Otherwise as cuMemsetD8_v2.
 *
 * @param dstDevice first byte, a multiple of 2.
 * @param us the value of each element.
 * @param N number of elements; 0 does nothing, whatever the address is.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if the address is no multiple of 2, if the memory is pageable or NULL, if the
 * range leaves its allocation, or if the current context's device may not use it.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemsetD16_v2(CUdeviceptr dstDevice, unsigned short us, size_t N);

/** cuMemsetD16_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemsetD16_v2_ptds(CUdeviceptr dstDevice, unsigned short us, size_t N);

/**
 * First-generation cuMemsetD16_v2: addresses and sizes have 32 bits.
 *
 * @param dstDevice first byte, a multiple of 2.
 * @param us the value of each element.
 * @param N number of elements; 0 does nothing, whatever the address is.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always: there is no memory with addresses of 32 bits.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuMemsetD16(CUdeviceptr_v1 dstDevice, unsigned short us, unsigned int N);

/**
 * Sets device memory to a 32-bit value.
 *
 * Otherwise as cuMemsetD8_v2.
 *
 * @param dstDevice first byte, a multiple of 4.
 * @param ui the value of each element.
 * @param N number of elements; 0 does nothing, whatever the address is.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if the address is no multiple of 4, if the memory is pageable or NULL, if the
 * range leaves its allocation, or if the current context's device may not use it.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemsetD32_v2(CUdeviceptr dstDevice, unsigned int ui, size_t N);

/** cuMemsetD32_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemsetD32_v2_ptds(CUdeviceptr dstDevice, unsigned int ui, size_t N);

/**
 * First-generation cuMemsetD32_v2: addresses and sizes have 32 bits.
 *
 * @param dstDevice first byte, a multiple of 4.
 * @param ui the value of each element.
 * @param N number of elements; 0 does nothing, whatever the address is.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always: there is no memory with addresses of 32 bits.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuMemsetD32(CUdeviceptr_v1 dstDevice, unsigned int ui, unsigned int N);

/**
 * Sets a rectangle of device memory to a byte.
 *
 * Otherwise as cuMemsetD8_v2.
 *
 * @param dstDevice first byte.
 * @param dstPitch bytes from row to row, at least a row; ignored for one row.
 * @param uc the value of each byte.
 * @param Width bytes of a row; 0 does nothing.
 * @param Height number of rows; 0 does nothing.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if the pitch is less than a row, if the memory is pageable or NULL, if the
 * rectangle leaves its allocation, or if the current context's device may not use it.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemsetD2D8_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height);

/** cuMemsetD2D8_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemsetD2D8_v2_ptds(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height);

/**
 * First-generation cuMemsetD2D8_v2: addresses and sizes have 32 bits.
 *
 * @param dstDevice first byte.
 * @param dstPitch bytes from row to row, at least a row; ignored for one row.
 * @param uc the value of each byte.
 * @param Width bytes of a row; 0 does nothing.
 * @param Height number of rows; 0 does nothing.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always: there is no memory with addresses of 32 bits.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuMemsetD2D8(CUdeviceptr_v1 dstDevice,
                              unsigned int dstPitch,
                              unsigned char uc,
                              unsigned int Width,
                              unsigned int Height);

/**
 * Sets a rectangle of device memory to a 16-bit value.
 *
 * Otherwise as cuMemsetD2D8_v2.
 *
 * @param dstDevice first byte, a multiple of 2.
 * @param dstPitch bytes from row to row, at least a row, a multiple of 2; ignored for one row.
 * @param us the value of each element.
 * @param Width elements of a row; 0 does nothing.
 * @param Height number of rows; 0 does nothing.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if the address or the pitch is no multiple of 2, if the pitch is less than a row,
 * if the memory is pageable or NULL, if the rectangle leaves its allocation, or if the current context's device may
 * not use it.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemsetD2D16_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t Height);

/** cuMemsetD2D16_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemsetD2D16_v2_ptds(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t Height);

/**
 * First-generation cuMemsetD2D16_v2: addresses and sizes have 32 bits.
 *
 * @param dstDevice first byte, a multiple of 2.
 * @param dstPitch bytes from row to row, at least a row, a multiple of 2; ignored for one row.
 * @param us the value of each element.
 * @param Width elements of a row; 0 does nothing.
 * @param Height number of rows; 0 does nothing.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always: there is no memory with addresses of 32 bits.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuMemsetD2D16(CUdeviceptr_v1 dstDevice,
                               unsigned int dstPitch,
                               unsigned short us,
                               unsigned int Width,
                               unsigned int Height);

/**
 * Sets a rectangle of device memory to a 32-bit value.
 *
 * Otherwise as cuMemsetD2D8_v2.
 *
 * @param dstDevice first byte, a multiple of 4.
 * @param dstPitch bytes from row to row, at least a row, a multiple of 4; ignored for one row.
 * @param ui the value of each element.
 * @param Width elements of a row; 0 does nothing.
 * @param Height number of rows; 0 does nothing.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if the address or the pitch is no multiple of 4, if the pitch is less than a row,
 * if the memory is pageable or NULL, if the rectangle leaves its allocation, or if the current context's device may
 * not use it.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemsetD2D32_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height);

/** cuMemsetD2D32_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemsetD2D32_v2_ptds(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height);

/**
 * First-generation cuMemsetD2D32_v2: addresses and sizes have 32 bits.
 *
 * @param dstDevice first byte, a multiple of 4.
 * @param dstPitch bytes from row to row, at least a row, a multiple of 4; ignored for one row.
 * @param ui the value of each element.
 * @param Width elements of a row; 0 does nothing.
 * @param Height number of rows; 0 does nothing.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always: there is no memory with addresses of 32 bits.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuMemsetD2D32(CUdeviceptr_v1 dstDevice,
                               unsigned int dstPitch,
                               unsigned int ui,
                               unsigned int Width,
                               unsigned int Height);

/**
 * Queues a memset of device memory with a byte on a stream.
 *
 * @param dstDevice first byte.
 * @param uc the value of each byte.
 * @param N number of bytes; 0 does nothing, whatever the address is.
 * @param hStream the stream.
 *
 * Errors: as cuMemsetD8_v2; CUDA_ERROR_INVALID_HANDLE if hStream is no stream.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream);

/** cuMemsetD8Async with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemsetD8Async_ptsz(CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream);

/**
 * Queues a memset of device memory with a 16-bit value on a stream.
 *
 * @param dstDevice first byte, a multiple of 2.
 * @param us the value of each element.
 * @param N number of elements; 0 does nothing, whatever the address is.
 * @param hStream the stream.
 *
 * Errors: as cuMemsetD16_v2; CUDA_ERROR_INVALID_HANDLE if hStream is no stream.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemsetD16Async(CUdeviceptr dstDevice, unsigned short us, size_t N, CUstream hStream);

/** cuMemsetD16Async with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemsetD16Async_ptsz(CUdeviceptr dstDevice, unsigned short us, size_t N, CUstream hStream);

/**
 * Queues a memset of device memory with a 32-bit value on a stream.
 *
 * @param dstDevice first byte, a multiple of 4.
 * @param ui the value of each element.
 * @param N number of elements; 0 does nothing, whatever the address is.
 * @param hStream the stream.
 *
 * Errors: as cuMemsetD32_v2; CUDA_ERROR_INVALID_HANDLE if hStream is no stream.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemsetD32Async(CUdeviceptr dstDevice, unsigned int ui, size_t N, CUstream hStream);

/** cuMemsetD32Async with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemsetD32Async_ptsz(CUdeviceptr dstDevice, unsigned int ui, size_t N, CUstream hStream);

/**
 * Queues a memset of a rectangle of device memory with a byte on a stream.
 *
 * @param dstDevice first byte.
 * @param dstPitch bytes from row to row, at least a row; ignored for one row.
 * @param uc the value of each byte.
 * @param Width bytes of a row; 0 does nothing.
 * @param Height number of rows; 0 does nothing.
 * @param hStream the stream.
 *
 * Errors: as cuMemsetD2D8_v2; CUDA_ERROR_INVALID_HANDLE if hStream is no stream.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemsetD2D8Async(CUdeviceptr dstDevice,
                                   size_t dstPitch,
                                   unsigned char uc,
                                   size_t Width,
                                   size_t Height,
                                   CUstream hStream);

/** cuMemsetD2D8Async with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemsetD2D8Async_ptsz(CUdeviceptr dstDevice,
                                        size_t dstPitch,
                                        unsigned char uc,
                                        size_t Width,
                                        size_t Height,
                                        CUstream hStream);

/**
 * Queues a memset of a rectangle of device memory with a 16-bit value on a stream.
 *
 * @param dstDevice first byte, a multiple of 2.
 * @param dstPitch bytes from row to row, at least a row, a multiple of 2; ignored for one row.
 * @param us the value of each element.
 * @param Width elements of a row; 0 does nothing.
 * @param Height number of rows; 0 does nothing.
 * @param hStream the stream.
 *
 * Errors: as cuMemsetD2D16_v2; CUDA_ERROR_INVALID_HANDLE if hStream is no stream.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemsetD2D16Async(CUdeviceptr dstDevice,
                                    size_t dstPitch,
                                    unsigned short us,
                                    size_t Width,
                                    size_t Height,
                                    CUstream hStream);

/** cuMemsetD2D16Async with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemsetD2D16Async_ptsz(CUdeviceptr dstDevice,
                                         size_t dstPitch,
                                         unsigned short us,
                                         size_t Width,
                                         size_t Height,
                                         CUstream hStream);

/**
 * Queues a memset of a rectangle of device memory with a 32-bit value on a stream.
 *
 * @param dstDevice first byte, a multiple of 4.
 * @param dstPitch bytes from row to row, at least a row, a multiple of 4; ignored for one row.
 * @param ui the value of each element.
 * @param Width elements of a row; 0 does nothing.
 * @param Height number of rows; 0 does nothing.
 * @param hStream the stream.
 *
 * Errors: as cuMemsetD2D32_v2; CUDA_ERROR_INVALID_HANDLE if hStream is no stream.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuMemsetD2D32Async(CUdeviceptr dstDevice,
                                    size_t dstPitch,
                                    unsigned int ui,
                                    size_t Width,
                                    size_t Height,
                                    CUstream hStream);

/** cuMemsetD2D32Async with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemsetD2D32Async_ptsz(CUdeviceptr dstDevice,
                                         size_t dstPitch,
                                         unsigned int ui,
                                         size_t Width,
                                         size_t Height,
                                         CUstream hStream);

/* Module Management */

/**
 * Loads a file of device code into the current context.
 *
 * @param module receives the module.
 * @param fname path of a file with PTX text, a fat binary, or a container; ends in NUL, shorter than 4096 bytes.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if module or fname is NULL; CUDA_ERROR_FILE_NOT_FOUND if the file cannot be
 * read; CUDA_ERROR_INVALID_IMAGE if the image is of no known kind; CUDA_ERROR_NO_BINARY_FOR_GPU if it holds no PTX
 * that the device can take; CUDA_ERROR_INVALID_PTX if its PTX is wrong; CUDA_ERROR_UNSUPPORTED_PTX_VERSION if its
 * PTX is of a newer version; CUDA_ERROR_OUT_OF_MEMORY if memory for it is lacking.
 *
 * Manual: Module Management.
 */
CUresult CUDAAPI cuModuleLoad(CUmodule *module, const char *fname);

/**
 * Loads an image of device code from memory into the current context.
 *
 * @param module receives the module.
 * @param image PTX text that ends in NUL, a fat binary, or a container, as cuLinkComplete gives.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if module or image is NULL; CUDA_ERROR_INVALID_IMAGE if the image is of no
 * known kind; CUDA_ERROR_NO_BINARY_FOR_GPU if it holds no PTX that the device can take; CUDA_ERROR_INVALID_PTX if
 * its PTX is wrong; CUDA_ERROR_UNSUPPORTED_PTX_VERSION if its PTX is of a newer version; CUDA_ERROR_OUT_OF_MEMORY
 * if memory for it is lacking.
 *
 * Manual: Module Management.
 */
CUresult CUDAAPI cuModuleLoadData(CUmodule *module, const void *image);

/**
 * Loads an image of device code from memory with compiler and linker options.
 *
 * @param module receives the module.
 * @param image PTX text that ends in NUL, a fat binary, or a container, as cuLinkComplete gives.
 * @param numOptions number of options, 0 for none.
 * @param options array of numOptions options (CU_JIT_*).
 * @param optionValues array of their values; sizes of logs and the wall time come back in it.
 *
 * Errors: as cuModuleLoadData; CUDA_ERROR_INVALID_VALUE also if an option is unknown, its value none of its own (a
 * log without its size, no registers), or an array is NULL; CUDA_ERROR_INVALID_IMAGE, CUDA_ERROR_INVALID_PTX or
 * CUDA_ERROR_INVALID_SOURCE for a target that does not suit image or device.
 *
 * Manual: Module Management.
 */
CUresult CUDAAPI cuModuleLoadDataEx(CUmodule *module,
                                    const void *image,
                                    unsigned int numOptions,
                                    CUjit_option *options,
                                    void **optionValues);

/**
 * Loads the image that suits the device out of a fat binary in memory.
 *
 * @param module receives the module.
 * @param fatCubin the fat binary, or any other image that cuModuleLoadData takes.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if module or fatCubin is NULL; CUDA_ERROR_INVALID_IMAGE if the image is of
 * no known kind; CUDA_ERROR_NO_BINARY_FOR_GPU if it holds no PTX that the device can take; CUDA_ERROR_INVALID_PTX
 * if its PTX is wrong; CUDA_ERROR_UNSUPPORTED_PTX_VERSION if its PTX is of a newer version;
 * CUDA_ERROR_OUT_OF_MEMORY if memory for it is lacking.
 *
 * Manual: Module Management.
 */
CUresult CUDAAPI cuModuleLoadFatBinary(CUmodule *module, const void *fatCubin);

/**
 * Removes a module from its context.
 *
 * Waits for work that may use it. Its functions, variables and references become invalid.
 *
 * @param hmod the module.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hmod is no module, or ended with its context; CUDA_ERROR_NOT_PERMITTED for
 * the module of a library; the current context's asynchronous error; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a
 * capture forbids the call.
 *
 * Manual: Module Management.
 */
CUresult CUDAAPI cuModuleUnload(CUmodule hmod);

/**
 * Tells whether modules are loaded lazily or eagerly in this process.
 *
 * @param mode receives CU_MODULE_LAZY_LOADING or CU_MODULE_EAGER_LOADING, as CUDA_MODULE_LOADING says.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if mode is NULL.
 *
 * Manual: Module Management.
 */
CUresult CUDAAPI cuModuleGetLoadingMode(CUmoduleLoadingMode *mode);

/**
 * Finds a kernel of a module by name.
 *
 * @param hfunc receives the function; NULL if there is none of that name.
 * @param hmod the module.
 * @param name name of the kernel, ends in NUL.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if hfunc is NULL, or name is NULL or empty; CUDA_ERROR_INVALID_HANDLE if
 * hmod is no module, or ended with its context; CUDA_ERROR_NOT_FOUND if it
 * has no kernel of that name; the current context's asynchronous error.
 *
 * Manual: Module Management.
 */
CUresult CUDAAPI cuModuleGetFunction(CUfunction *hfunc, CUmodule hmod, const char *name);

/**
 * Counts the kernels of a module.
 *
 * @param count receives the number.
 * @param mod the module.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if count is NULL; CUDA_ERROR_INVALID_HANDLE if mod is no module, or
 * ended with its context; the current context's asynchronous error.
 *
 * Manual: Module Management.
 */
CUresult CUDAAPI cuModuleGetFunctionCount(unsigned int *count, CUmodule mod);

/**
 * Lists the kernels of a module.
 *
 * @param functions receives up to numFunctions functions.
 * @param numFunctions room in functions; what is left of it stays untouched.
 * @param mod the module.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if functions is NULL; CUDA_ERROR_INVALID_HANDLE if mod is no module, or
 * ended with its context; the current context's asynchronous error.
 *
 * Manual: Module Management.
 */
CUresult CUDAAPI cuModuleEnumerateFunctions(CUfunction *functions, unsigned int numFunctions, CUmodule mod);

/**
 * Finds address and size of a global variable of a module by name.
 *
 * @param dptr receives the address; may be NULL; 0 on failure.
 * @param bytes receives the size in bytes; may be NULL, but not both; 0 on failure.
 * @param hmod the module.
 * @param name name of the symbol, ends in NUL.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if both results are NULL, if name is NULL or empty, or names a kernel or a
 * texture reference; CUDA_ERROR_INVALID_HANDLE if hmod is no module, or ended with
 * its context; CUDA_ERROR_NOT_FOUND if it has no variable of that name; the current context's asynchronous
 * error.
 *
 * Manual: Module Management.
 */
CUresult CUDAAPI cuModuleGetGlobal_v2(CUdeviceptr *dptr, size_t *bytes, CUmodule hmod, const char *name);

/**
 * First-generation cuModuleGetGlobal_v2: addresses and sizes have 32 bits.
 *
 * @param dptr receives the address; may be NULL; 0 on failure.
 * @param bytes receives the size in bytes; may be NULL, but not both; 0 on failure.
 * @param hmod the module.
 * @param name name of the symbol, ends in NUL.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hmod is NULL; else CUDA_ERROR_INVALID_CONTEXT: no variable has an address of 32
 * bits.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuModuleGetGlobal(CUdeviceptr_v1 *dptr,
                                   unsigned int *bytes,
                                   CUmodule hmod,
                                   const char *name);

/**
 * Finds a texture reference of a module by name (deprecated).
 *
 * The reference lives as long as the module.
 *
 * @param pTexRef receives the reference.
 * @param hmod the module.
 * @param name name of the symbol, ends in NUL.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pTexRef is NULL, or name is NULL or empty; CUDA_ERROR_INVALID_HANDLE if
 * hmod is no module, or ended with its context; CUDA_ERROR_NOT_FOUND if it
 * has no texture reference of that name.
 *
 * Manual: Module Management (deprecated).
 */
CUresult CUDAAPI cuModuleGetTexRef(CUtexref *pTexRef, CUmodule hmod, const char *name);

/**
 * Finds a surface reference of a module by name (deprecated).
 *
 * The reference lives as long as the module.
 *
 * @param pSurfRef receives the reference.
 * @param hmod the module.
 * @param name name of the symbol, ends in NUL.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pSurfRef is NULL, or name is NULL or empty; CUDA_ERROR_INVALID_HANDLE if
 * hmod is no module, or ended with its context; CUDA_ERROR_NOT_FOUND if it
 * has no surface reference of that name.
 *
 * Manual: Module Management (deprecated).
 */
CUresult CUDAAPI cuModuleGetSurfRef(CUsurfref *pSurfRef, CUmodule hmod, const char *name);

/**
 * Starts a link of several inputs into one image.
 *
 * The log buffers that the options name have to stay until the link ends: each step adds to them.
 *
 * @param numOptions number of compiler and linker options, 0 for none.
 * @param options array of numOptions compiler and linker options (CU_JIT_*).
 * @param optionValues array of their values; sizes of logs and the wall time come back in it.
 * @param stateOut receives the link, for the current context's device.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if stateOut is NULL, if an option is unknown, or if an array is NULL;
 * CUDA_ERROR_OUT_OF_MEMORY if no handle is left.
 *
 * Manual: Module Management.
 */
CUresult CUDAAPI cuLinkCreate_v2(unsigned int numOptions, CUjit_option *options, void **optionValues, CUlinkState *stateOut);

/**
 * First form of cuLinkCreate_v2, of before CUDA 6.5; the same here.
 *
 * @param numOptions number of compiler and linker options, 0 for none.
 * @param options array of numOptions compiler and linker options (CU_JIT_*).
 * @param optionValues array of their values; sizes of logs and the wall time come back in it.
 * @param stateOut receives the link, for the current context's device.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if stateOut is NULL, if an option is unknown, or if an array is NULL;
 * CUDA_ERROR_OUT_OF_MEMORY if no handle is left.
 *
 * Manual: none, replaced in CUDA 6.5.
 */
CUresult CUDAAPI cuLinkCreate(unsigned int numOptions, CUjit_option *options, void **optionValues, CUlinkState *stateOut);

/**
 * Adds an input in memory to a link.
 *
 * @param state the link.
 * @param type CU_JIT_INPUT_*: PTX, fat binary, object or library; only PTX in them can be linked.
 * @param data the input.
 * @param size its size in bytes, at least 1.
 * @param name name of the input in messages; ignored.
 * @param numOptions number of compiler and linker options, 0 for none.
 * @param options array of numOptions options; checked, and without effect: those of the link hold.
 * @param optionValues array of their values; not written.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if state is no link; CUDA_ERROR_INVALID_VALUE if data is NULL, if size
 * is 0, if the type is none of these, if an option is unknown, or if an array is NULL; CUDA_ERROR_INVALID_PTX if PTX
 * is wrong or is no PTX; CUDA_ERROR_UNSUPPORTED_PTX_VERSION if it is of a newer version; CUDA_ERROR_INVALID_IMAGE
 * if a fat binary is not one; CUDA_ERROR_INVALID_SOURCE if the input defines a symbol that an earlier one defines;
 * CUDA_ERROR_NO_BINARY_FOR_GPU if there is no PTX that the device can take, and for machine code, objects and
 * libraries that hold no such PTX or are damaged.
 *
 * Manual: Module Management.
 */
CUresult CUDAAPI cuLinkAddData_v2(CUlinkState state,
                                  CUjitInputType type,
                                  void *data,
                                  size_t size,
                                  const char *name,
                                  unsigned int numOptions,
                                  CUjit_option *options,
                                  void **optionValues);

/**
 * First form of cuLinkAddData_v2, of before CUDA 6.5; the same here.
 *
 * @param state the link.
 * @param type CU_JIT_INPUT_*: PTX, fat binary, object or library; only PTX in them can be linked.
 * @param data the input.
 * @param size its size in bytes, at least 1.
 * @param name name of the input in messages; ignored.
 * @param numOptions number of compiler and linker options, 0 for none.
 * @param options array of numOptions options; checked, and without effect: those of the link hold.
 * @param optionValues array of their values; not written.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if state is no link; CUDA_ERROR_INVALID_VALUE if data is NULL, if size
 * is 0, if the type is none of these, if an option is unknown, or if an array is NULL; CUDA_ERROR_INVALID_PTX if PTX
 * is wrong or is no PTX; CUDA_ERROR_UNSUPPORTED_PTX_VERSION if it is of a newer version; CUDA_ERROR_INVALID_IMAGE
 * if a fat binary is not one; CUDA_ERROR_INVALID_SOURCE if the input defines a symbol that an earlier one defines;
 * CUDA_ERROR_NO_BINARY_FOR_GPU if there is no PTX that the device can take, and for machine code, objects and
 * libraries that hold no such PTX or are damaged.
 *
 * Manual: none, replaced in CUDA 6.5.
 */
CUresult CUDAAPI cuLinkAddData(CUlinkState state,
                               CUjitInputType type,
                               void *data,
                               size_t size,
                               const char *name,
                               unsigned int numOptions,
                               CUjit_option *options,
                               void **optionValues);

/**
 * Adds an input file to a link.
 *
 * @param state the link.
 * @param type CU_JIT_INPUT_*: PTX, fat binary, object or library; only PTX in them can be linked.
 * @param path path of the file, ends in NUL, shorter than 4096 bytes.
 * @param numOptions ignored.
 * @param options ignored.
 * @param optionValues ignored.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if state is no link; CUDA_ERROR_INVALID_VALUE if path is NULL;
 * CUDA_ERROR_FILE_NOT_FOUND if the file cannot be read; otherwise as cuLinkAddData_v2.
 *
 * Manual: Module Management.
 */
CUresult CUDAAPI cuLinkAddFile_v2(CUlinkState state,
                                  CUjitInputType type,
                                  const char *path,
                                  unsigned int numOptions,
                                  CUjit_option *options,
                                  void **optionValues);

/**
 * First form of cuLinkAddFile_v2, of before CUDA 6.5; the same here.
 *
 * @param state the link.
 * @param type CU_JIT_INPUT_*: PTX, fat binary, object or library; only PTX in them can be linked.
 * @param path path of the file, ends in NUL, shorter than 4096 bytes.
 * @param numOptions ignored.
 * @param options ignored.
 * @param optionValues ignored.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if state is no link; CUDA_ERROR_INVALID_VALUE if path is NULL;
 * CUDA_ERROR_FILE_NOT_FOUND if the file cannot be read; otherwise as cuLinkAddData_v2.
 *
 * Manual: none, replaced in CUDA 6.5.
 */
CUresult CUDAAPI cuLinkAddFile(CUlinkState state,
                               CUjitInputType type,
                               const char *path,
                               unsigned int numOptions,
                               CUjit_option *options,
                               void **optionValues);

/**
 * Finishes a link and hands out the image.
 *
 * @param state the link.
 * @param cubinOut receives the address of the image, which lives until the link is destroyed or finished again.
 * @param sizeOut receives its size in bytes; may be NULL.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if cubinOut is NULL or nothing was added; CUDA_ERROR_INVALID_HANDLE if
 * state is no link; CUDA_ERROR_INVALID_PTX if the inputs together are wrong, such as a symbol that no input
 * defines.
 *
 * Manual: Module Management.
 */
CUresult CUDAAPI cuLinkComplete(CUlinkState state, void **cubinOut, size_t *sizeOut);

/**
 * Ends a link and frees its image.
 *
 * @param state the link.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if state is no link.
 *
 * Manual: Module Management.
 */
CUresult CUDAAPI cuLinkDestroy(CUlinkState state);

/* Multicast Object Management */

/**
 * Creates a multicast object that spans several devices.
 *
 * @param mcHandle receives the object.
 * @param prop description of the object: number of devices, size in bytes, handle types.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if flags are not 0, if a handle type is of another system, if the
 * number of devices is 0 or more than the machine has, or if the size is 0 or no multiple of the granularity;
 * CUDA_ERROR_NOT_PERMITTED for fabric handles where no device has a fabric; CUDA_ERROR_NOT_SUPPORTED if no device supports multicast objects;
 * CUDA_ERROR_OUT_OF_MEMORY if there is no room for it.
 *
 * Manual: Multicast Object Management.
 */
CUresult CUDAAPI cuMulticastCreate(CUmemGenericAllocationHandle *mcHandle,
                                   const CUmulticastObjectProp *prop);

/**
 * Adds a device to a multicast object.
 *
 * @param mcHandle the multicast object.
 * @param dev ordinal of the device.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if mcHandle is no multicast object; CUDA_ERROR_INVALID_DEVICE if the device does not
 * exist; CUDA_ERROR_NOT_PERMITTED if it was added before, or the object has all of its devices;
 * CUDA_ERROR_NOT_SUPPORTED if it does not support multicast objects.
 *
 * Manual: Multicast Object Management.
 */
CUresult CUDAAPI cuMulticastAddDevice(CUmemGenericAllocationHandle mcHandle,
                                      CUdevice dev);

/**
 * Binds physical memory to a range of a multicast object, for a device named explicitly.
 *
 * Waits until all devices were added to the object, by this process or others.
 *
 * @param mcHandle the multicast object.
 * @param dev ordinal of the device.
 * @param mcOffset first byte in the object, a multiple of the granularity.
 * @param memHandle handle of the physical memory.
 * @param memOffset first byte in that memory.
 * @param size size in bytes, a multiple of the granularity.
 * @param flags 0.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if mcHandle is no multicast object, if memHandle is no memory of cuMemCreate,
 * if the range is empty, not aligned or goes beyond an end, if the device has memory bound there, or if flags are not 0;
 * CUDA_ERROR_INVALID_DEVICE if the device was not added to the object, or the memory is another one's;
 * CUDA_ERROR_NOT_PERMITTED if the object can leave the process and the memory cannot, or if devices are missing and nobody
 * adds them; CUDA_ERROR_OUT_OF_MEMORY if there is no room for it.
 *
 * Manual: Multicast Object Management.
 */
CUresult CUDAAPI cuMulticastBindMem_v2(CUmemGenericAllocationHandle mcHandle,
                                       CUdevice dev,
                                       size_t mcOffset,
                                       CUmemGenericAllocationHandle memHandle,
                                       size_t memOffset,
                                       size_t size,
                                       unsigned long long flags);

/**
 * Binds physical memory to a range of a multicast object.
 *
 * Waits until all devices were added to the object, by this process or others.
 *
 * @param mcHandle the multicast object.
 * @param mcOffset first byte in the object, a multiple of the granularity.
 * @param memHandle handle of the physical memory.
 * @param memOffset first byte in that memory.
 * @param size size in bytes, a multiple of the granularity.
 * @param flags 0.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if mcHandle is no multicast object, if memHandle is no memory of cuMemCreate,
 * if the range is empty, not aligned or goes beyond an end, if the device has memory bound there, or if flags are not 0;
 * CUDA_ERROR_INVALID_DEVICE if the device of the memory was not added to the object;
 * CUDA_ERROR_NOT_PERMITTED if the object can leave the process and the memory cannot, or if devices are missing and nobody
 * adds them; CUDA_ERROR_OUT_OF_MEMORY if there is no room for it.
 *
 * Manual: Multicast Object Management.
 */
CUresult CUDAAPI cuMulticastBindMem(CUmemGenericAllocationHandle mcHandle,
                                    size_t mcOffset,
                                    CUmemGenericAllocationHandle memHandle,
                                    size_t memOffset,
                                    size_t size,
                                    unsigned long long flags);

/**
 * Binds the memory mapped at an address to a range of a multicast object, for a device named explicitly.
 *
 * Waits until all devices were added to the object, by this process or others.
 *
 * @param mcHandle the multicast object.
 * @param dev ordinal of the device.
 * @param mcOffset first byte in the object, a multiple of the granularity.
 * @param memptr first byte of the mapped memory.
 * @param size size in bytes, a multiple of the granularity.
 * @param flags 0.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if mcHandle is no multicast object, if memptr is no memory of cuMemCreate or a pool,
 * if the range is empty, not aligned or goes beyond an end, if the device has memory bound there, or if flags are not 0;
 * CUDA_ERROR_INVALID_DEVICE if the device was not added to the object, or the memory is another one's;
 * CUDA_ERROR_NOT_PERMITTED if the object can leave the process and the memory cannot, or if devices are missing and nobody
 * adds them; CUDA_ERROR_NOT_SUPPORTED for memory of a pool and an object that can leave the process;
 * CUDA_ERROR_OUT_OF_MEMORY if there is no room for it.
 *
 * Manual: Multicast Object Management.
 */
CUresult CUDAAPI cuMulticastBindAddr_v2(CUmemGenericAllocationHandle mcHandle,
                                        CUdevice dev,
                                        size_t mcOffset,
                                        CUdeviceptr memptr,
                                        size_t size,
                                        unsigned long long flags);

/**
 * Binds the memory mapped at an address to a range of a multicast object.
 *
 * Waits until all devices were added to the object, by this process or others.
 *
 * @param mcHandle the multicast object.
 * @param mcOffset first byte in the object, a multiple of the granularity.
 * @param memptr first byte of the mapped memory.
 * @param size size in bytes, a multiple of the granularity.
 * @param flags 0.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if mcHandle is no multicast object, if memptr is no memory of cuMemCreate or a pool,
 * if the range is empty, not aligned or goes beyond an end, if the device has memory bound there, or if flags are not 0;
 * CUDA_ERROR_INVALID_DEVICE if the device of the memory was not added to the object;
 * CUDA_ERROR_NOT_PERMITTED if the object can leave the process and the memory cannot, or if devices are missing and nobody
 * adds them; CUDA_ERROR_NOT_SUPPORTED for memory of a pool and an object that can leave the process;
 * CUDA_ERROR_OUT_OF_MEMORY if there is no room for it.
 *
 * Manual: Multicast Object Management.
 */
CUresult CUDAAPI cuMulticastBindAddr(CUmemGenericAllocationHandle mcHandle,
                                     size_t mcOffset,
                                     CUdeviceptr memptr,
                                     size_t size,
                                     unsigned long long flags);

/**
 * Removes a device's bindings from a range of a multicast object.
 *
 * @param mcHandle the multicast object.
 * @param dev ordinal of the device.
 * @param mcOffset first byte in the object, a multiple of the granularity.
 * @param size size in bytes, a multiple of the granularity.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if mcHandle is no multicast object, if the range is empty, not aligned or goes beyond the
 * end, if nothing is bound there, or if it cuts in two what is; CUDA_ERROR_INVALID_DEVICE if the device was not added to
 * the object.
 *
 * Manual: Multicast Object Management.
 */
CUresult CUDAAPI cuMulticastUnbind(CUmemGenericAllocationHandle mcHandle,
                                   CUdevice dev,
                                   size_t mcOffset,
                                   size_t size);

/**
 * Reports the minimum or recommended granularity for multicast sizes and offsets.
 *
 * @param granularity receives the granularity in bytes: 2 MiB for both.
 * @param prop description of the object; not checked further.
 * @param option CU_MULTICAST_GRANULARITY_MINIMUM or CU_MULTICAST_GRANULARITY_RECOMMENDED.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL or the option is unknown; CUDA_ERROR_NOT_SUPPORTED if no device supports multicast objects.
 *
 * Manual: Multicast Object Management.
 */
CUresult CUDAAPI cuMulticastGetGranularity(size_t *granularity,
                                           const CUmulticastObjectProp *prop,
                                           CUmulticastGranularity_flags option);

/* Memory Management (asynchronous notifications) */

/**
 * Registers a callback for asynchronous events of a device, such as an exceeded memory budget.
 *
 * The same function can be registered more than once; every registration has a handle of its own. There is no memory
 * budget here, so no callback is ever called.
 *
 * @param device ordinal of the device.
 * @param callbackFunc the function to be called.
 * @param userData passed to the function; ignored.
 * @param callback receives the handle of the registration.
 *
 * Errors: CUDA_ERROR_INVALID_DEVICE if the device does not exist; CUDA_ERROR_INVALID_VALUE if callback or
 * callbackFunc is NULL.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuDeviceRegisterAsyncNotification(CUdevice device,
                                                   CUasyncCallback callbackFunc,
                                                   void *userData,
                                                   CUasyncCallbackHandle *callback);

/**
 * Withdraws a callback that was registered for asynchronous events of a device.
 *
 * @param device ordinal of the device.
 * @param callback handle of the registration.
 *
 * Errors: CUDA_ERROR_INVALID_DEVICE if the device does not exist; CUDA_ERROR_INVALID_VALUE if the handle is not,
 * or no longer, registered for it.
 *
 * Manual: Memory Management.
 */
CUresult CUDAAPI cuDeviceUnregisterAsyncNotification(CUdevice device, CUasyncCallbackHandle callback);

/* Occupancy */

/**
 * Computes how many blocks of a function fit on a multiprocessor.
 *
 * @param numBlocks receives the number; 0 if not even one fits.
 * @param func a function, or the kernel of a library.
 * @param blockSize threads of a block, at least 1.
 * @param dynamicSMemSize dynamic shared memory of a block in bytes.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if numBlocks is NULL or blockSize is less than 1; CUDA_ERROR_INVALID_HANDLE
 * if func is no function.
 *
 * Manual: Occupancy.
 */
CUresult CUDAAPI cuOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks,
                                                             CUfunction func,
                                                             int blockSize,
                                                             size_t dynamicSMemSize);

/**
 * Computes how many blocks of a function fit on a multiprocessor, with flags.
 *
 * @param numBlocks receives the number; 0 if not even one fits.
 * @param func a function, or the kernel of a library.
 * @param blockSize threads of a block, at least 1.
 * @param dynamicSMemSize dynamic shared memory of a block in bytes.
 * @param flags 0 or CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE, which changes nothing.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if numBlocks is NULL, if blockSize is less than 1, or if a flag is unknown;
 * CUDA_ERROR_INVALID_HANDLE if func is no function.
 *
 * Manual: Occupancy.
 */
CUresult CUDAAPI cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks,
                                                                      CUfunction func,
                                                                      int blockSize,
                                                                      size_t dynamicSMemSize,
                                                                      unsigned int flags);

/**
 * Suggests the block size with the best occupancy.
 *
 * @param minGridSize receives the number of blocks that fill the device.
 * @param blockSize receives the threads of such a block.
 * @param func a function, or the kernel of a library.
 * @param blockSizeToDynamicSMemSize asked for the dynamic shared memory of a block of a size, in bytes; NULL if that
 *     does not depend on the size.
 * @param dynamicSMemSize dynamic shared memory of a block in bytes, for every size; ignored if there is a function
 *     to ask.
 * @param blockSizeLimit most threads of a block, 0 for no limit.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a result is NULL or the limit is negative; CUDA_ERROR_INVALID_HANDLE if
 * func is no function.
 *
 * Manual: Occupancy.
 */
CUresult CUDAAPI cuOccupancyMaxPotentialBlockSize(int *minGridSize,
                                                  int *blockSize,
                                                  CUfunction func,
                                                  CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                                  size_t dynamicSMemSize,
                                                  int blockSizeLimit);

/**
 * Suggests the block size with the best occupancy, with flags.
 *
 * @param minGridSize receives the number of blocks that fill the device.
 * @param blockSize receives the threads of such a block.
 * @param func a function, or the kernel of a library.
 * @param blockSizeToDynamicSMemSize asked for the dynamic shared memory of a block of a size, in bytes; NULL if that
 *     does not depend on the size.
 * @param dynamicSMemSize dynamic shared memory of a block in bytes, for every size; ignored if there is a function
 *     to ask.
 * @param blockSizeLimit most threads of a block, 0 for no limit.
 * @param flags 0 or CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE, which changes nothing.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a result is NULL, if the limit is negative, or if a flag is unknown;
 * CUDA_ERROR_INVALID_HANDLE if func is no function.
 *
 * Manual: Occupancy.
 */
CUresult CUDAAPI cuOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize,
                                                           int *blockSize,
                                                           CUfunction func,
                                                           CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                                           size_t dynamicSMemSize,
                                                           int blockSizeLimit,
                                                           unsigned int flags);

/**
 * Computes how much dynamic shared memory a block may use at a given occupancy.
 *
 * @param dynamicSmemSize receives the size in bytes.
 * @param func a function, or the kernel of a library.
 * @param numBlocks blocks on a multiprocessor, at least 1.
 * @param blockSize threads of a block, at least 1.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if dynamicSmemSize is NULL, if a number is less than 1, or if so many blocks do
 * not fit; CUDA_ERROR_INVALID_HANDLE if func is no function.
 *
 * Manual: Occupancy.
 */
CUresult CUDAAPI cuOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize,
                                                         CUfunction func,
                                                         int numBlocks,
                                                         int blockSize);

/**
 * Computes the largest cluster that a launch could use.
 *
 * @param clusterSize receives the number of blocks of a cluster.
 * @param func a function, or the kernel of a library.
 * @param config the launch: shape of the grid and of a block, dynamic shared memory in bytes, attributes.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer or func is NULL, if a block has no threads, or if an attribute is
 * unknown or wrong; CUDA_ERROR_INVALID_HANDLE if func is no function of the current context;
 * CUDA_ERROR_INVALID_CLUSTER_SIZE if the cluster of the launch does not suit function or grid;
 * CUDA_ERROR_NOT_SUPPORTED if the device has no clusters, or for an attribute that is not supported.
 *
 * Manual: Occupancy.
 */
CUresult CUDAAPI cuOccupancyMaxPotentialClusterSize(int *clusterSize, CUfunction func, const CUlaunchConfig *config);

/**
 * Computes how many clusters of a launch fit on the device.
 *
 * @param numClusters receives the number; 0 for a launch without clusters.
 * @param func a function, or the kernel of a library.
 * @param config the launch: shape of the grid and of a block, dynamic shared memory in bytes, attributes.
 *
 * Errors: as cuOccupancyMaxPotentialClusterSize.
 *
 * Manual: Occupancy.
 */
CUresult CUDAAPI cuOccupancyMaxActiveClusters(int *numClusters, CUfunction func, const CUlaunchConfig *config);

/* Peer Context Memory Access */

/**
 * Tells whether a device can reach another device's memory directly.
 *
 * @param canAccessPeer receives 1 for two different devices, 0 for the same one.
 * @param dev ordinal of the device that accesses.
 * @param peerDev ordinal of the device whose memory it is.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if canAccessPeer is NULL; CUDA_ERROR_INVALID_DEVICE if a device does not
 * exist.
 *
 * Manual: Peer Context Memory Access.
 */
CUresult CUDAAPI cuDeviceCanAccessPeer(int *canAccessPeer, CUdevice dev, CUdevice peerDev);

/**
 * Lets the current context reach the memory of a peer context.
 *
 * The other direction is a call of its own.
 *
 * @param peerContext context of another device.
 * @param Flags 0.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if Flags is not 0; CUDA_ERROR_INVALID_CONTEXT if peerContext is no context,
 * or a primary one that is not active; CUDA_ERROR_CONTEXT_IS_DESTROYED if it was destroyed;
 * CUDA_ERROR_PEER_ACCESS_UNSUPPORTED if it is of the same device; CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED the
 * second time.
 *
 * Manual: Peer Context Memory Access.
 */
CUresult CUDAAPI cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags);

/**
 * Ends the current context's access to the memory of a peer context.
 *
 * @param peerContext context of another device.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT if peerContext is no context, or a primary one that is not active;
 * CUDA_ERROR_CONTEXT_IS_DESTROYED if it was destroyed; CUDA_ERROR_PEER_ACCESS_NOT_ENABLED if there was no access;
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call.
 *
 * Manual: Peer Context Memory Access.
 */
CUresult CUDAAPI cuCtxDisablePeerAccess(CUcontext peerContext);

/**
 * Reads an attribute of the link between two different devices.
 *
 * @param value receives the value: 0 for the performance rank and for partial atomics, 1 for the others.
 * @param attrib CU_DEVICE_P2P_ATTRIBUTE_*.
 * @param srcDevice ordinal of the device that accesses.
 * @param dstDevice ordinal of the device whose memory it is.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if value is NULL or the attribute is unknown; CUDA_ERROR_INVALID_DEVICE if a
 * device does not exist or both are the same.
 *
 * Manual: Peer Context Memory Access.
 */
CUresult CUDAAPI cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attrib, CUdevice srcDevice, CUdevice dstDevice);

/**
 * Tells how a device can perform atomic operations on a peer's memory.
 *
 * All answers are 0, as those of the real driver for two H200s, although
 * CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED is 1 for them.
 *
 * @param capabilities receives count sets of CUatomicOperationCapability bits.
 * @param operations array of count atomic operations.
 * @param count number of operations, at least 1.
 * @param srcDevice ordinal of the device that accesses.
 * @param dstDevice ordinal of the device whose memory it is.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if an array is NULL, if count is 0, or if an operation is unknown, whose entry
 * becomes 0; CUDA_ERROR_INVALID_DEVICE if a device does not exist or both are the same.
 *
 * Manual: Peer Context Memory Access.
 */
CUresult CUDAAPI cuDeviceGetP2PAtomicCapabilities(unsigned int *capabilities,
                                                  const CUatomicOperation *operations,
                                                  unsigned int count,
                                                  CUdevice srcDevice,
                                                  CUdevice dstDevice);

/* Unified Addressing (attributes of addresses) */

/**
 * Reads one attribute of an address: kind of memory, context, device, allocation and so on.
 *
 * Two attributes that some memory does not have fail and still write: the host pointer of device memory, the
 * peer-to-peer tokens of host memory. So does the device pointer where the current context's device may not use the
 * memory, and without a current context. Memory whose tokens were asked for has CU_POINTER_ATTRIBUTE_SYNC_MEMOPS
 * from then on.
 *
 * @param data receives the value, of the type that the attribute has.
 * @param attribute CU_POINTER_ATTRIBUTE_*.
 * @param ptr any address of the allocation.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if data is NULL, if the attribute is unknown, if no memory is at the address,
 * or if the memory does not have the attribute; CUDA_ERROR_INVALID_CONTEXT for the device pointer without a current
 * context.
 *
 * Manual: Unified Addressing.
 */
CUresult CUDAAPI cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr ptr);

/**
 * Changes an attribute of the allocation at an address.
 *
 * @param value an unsigned int: whether every operation on the memory is synchronous.
 * @param attribute CU_POINTER_ATTRIBUTE_SYNC_MEMOPS.
 * @param ptr any address of the allocation.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if value is NULL, if no memory is at the address, or for any other attribute;
 * CUDA_ERROR_NOT_SUPPORTED for mapped memory; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the
 * call.
 *
 * Manual: Unified Addressing.
 */
CUresult CUDAAPI cuPointerSetAttribute(const void *value, CUpointer_attribute attribute, CUdeviceptr ptr);

/**
 * Reads several attributes of an address.
 *
 * An unknown address is no error: its values are null pointers, zeros, device -2 and the host pointer as given; the
 * range of the allocation stays unwritten. The first attribute that is wrong ends the call; what comes before it has
 * been written.
 *
 * @param numAttributes number of attributes, at least 1.
 * @param attributes array of CU_POINTER_ATTRIBUTE_*; not the peer-to-peer tokens, which have to be asked for alone.
 * @param data array of addresses, which receive the values.
 * @param ptr any address.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if numAttributes is 0, if an array or an address is NULL, or if an attribute is
 * unknown or the peer-to-peer tokens.
 *
 * Manual: Unified Addressing.
 */
CUresult CUDAAPI cuPointerGetAttributes(unsigned int numAttributes,
                                        CUpointer_attribute *attributes,
                                        void **data,
                                        CUdeviceptr ptr);

/* Stream Ordered Memory Allocator */

/**
 * Frees memory once the stream has come this far.
 *
 * From here on the address is invalid for every new call; work given before still sees the memory. The stream may get
 * the memory again at once, others later. Memory of cuMemAlloc is freed when the stream gets here, and is usable
 * until then. In a capture, memory that the capture allocated gets a node that frees it.
 *
 * @param dptr the address that the allocation begins at, or NULL, which does nothing.
 * @param hStream the stream.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if no allocation of a pool, of a graph or of device memory begins at dptr;
 * CUDA_ERROR_NOT_SUPPORTED for managed memory of no pool; CUDA_ERROR_INVALID_HANDLE if hStream is no stream;
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call, or if the stream is being captured and the
 * memory is of no graph, which invalidates the capture.
 *
 * Manual: Stream Ordered Memory Allocator.
 */
CUresult CUDAAPI cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream);

/** cuMemFreeAsync with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemFreeAsync_ptsz(CUdeviceptr dptr, CUstream hStream);

/**
 * Allocates from the device's current pool in stream order.
 *
 * The address can be used in other streams that wait for this one. If the pool is full, the stream may wait for memory
 * that another stream frees. In a capture, it becomes an allocation node.
 *
 * @param dptr receives the address; 0 on failure.
 * @param bytesize size in bytes; 0 succeeds with the address 0.
 * @param hStream the stream.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if dptr is NULL; CUDA_ERROR_OUT_OF_MEMORY if pool or device have not that
 * much left; CUDA_ERROR_INVALID_HANDLE if hStream is no stream; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a
 * capture forbids the call.
 *
 * Manual: Stream Ordered Memory Allocator.
 */
CUresult CUDAAPI cuMemAllocAsync(CUdeviceptr *dptr, size_t bytesize, CUstream hStream);

/** cuMemAllocAsync with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemAllocAsync_ptsz(CUdeviceptr *dptr, size_t bytesize, CUstream hStream);

/**
 * Gives unused memory of a pool back to the system, in whole segments of 32 MiB.
 *
 * @param pool the pool.
 * @param minBytesToKeep bytes that stay at least, as far as the pool holds them.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pool is no pool or was imported; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED
 * while a capture forbids the call.
 *
 * Manual: Stream Ordered Memory Allocator.
 */
CUresult CUDAAPI cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep);

/**
 * Changes an attribute of a pool.
 *
 * The high-water marks can be set to 0, which sets them back to the present values; the other counters cannot be set.
 *
 * @param pool the pool.
 * @param attr CU_MEMPOOL_ATTR_*.
 * @param value the value: 32 bits for the reuse policies, 64 for the others; thresholds are in bytes.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pool is no pool or was imported, if the attribute is unknown, if it cannot
 * be set or not to this value, or if value is NULL; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids
 * the call.
 *
 * Manual: Stream Ordered Memory Allocator.
 */
CUresult CUDAAPI cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value);

/**
 * Reads an attribute of a pool.
 *
 * Attributes that came after CUDA 13.0 are unknown.
 *
 * @param pool the pool.
 * @param attr CU_MEMPOOL_ATTR_*.
 * @param value receives the value: 32 bits for the reuse policies, 64 for the others; sizes are in bytes.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pool is no pool or was imported, if the attribute is unknown, or if value
 * is NULL; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call.
 *
 * Manual: Stream Ordered Memory Allocator.
 */
CUresult CUDAAPI cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value);

/**
 * Sets which devices may reach the memory of a pool.
 *
 * Access is all or nothing. Nothing changes unless everything is right.
 *
 * @param pool the pool.
 * @param map array of count locations, each with its access.
 * @param count number of locations.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pool is no pool, if map is NULL, or if an access or a location is unknown;
 * CUDA_ERROR_NOT_SUPPORTED for access that only reads, for device memory and a location that is no device, and if
 * the host would lose access to host memory; CUDA_ERROR_INVALID_DEVICE if a device does not exist, or would lose
 * access to its own memory; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call.
 *
 * Manual: Stream Ordered Memory Allocator.
 */
CUresult CUDAAPI cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *map, size_t count);

/**
 * Reports the access that a location has to the memory of a pool.
 *
 * @param flags receives CU_MEM_ACCESS_FLAGS_PROT_*.
 * @param memPool the pool.
 * @param location a device, the host or a NUMA node.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if memPool is no pool, or if the location is unknown or
 * its device does not exist; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call.
 *
 * Manual: Stream Ordered Memory Allocator.
 */
CUresult CUDAAPI cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool memPool, CUmemLocation *location);

/**
 * Creates a pool.
 *
 * @param pool receives the pool.
 * @param poolProps kind of memory, location, handle types (file descriptor, fabric; for memory of a device or of a NUMA
 *     node), maxSize in bytes, which counts in segments of 32 MiB (0 for what the device has), and usage; managed
 *     memory has neither handle types nor size nor usage.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if kind, handle types or location are unknown or do not go
 * together, if the location does not exist, or if a reserved byte is not 0; CUDA_ERROR_NOT_SUPPORTED for managed
 * memory at an unknown location; CUDA_ERROR_OUT_OF_MEMORY if maxSize is more than 32 TiB;
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call.
 *
 * Manual: Stream Ordered Memory Allocator.
 */
CUresult CUDAAPI cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *poolProps);

/**
 * Destroys a pool, whose memory goes when the last allocation is freed.
 *
 * Where it was the current pool, the default pool is the current one again.
 *
 * @param pool the pool.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pool is no pool, if it is a default pool, or if it was imported and memory
 * of it is in use; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call.
 *
 * Manual: Stream Ordered Memory Allocator.
 */
CUresult CUDAAPI cuMemPoolDestroy(CUmemoryPool pool);

/**
 * Reports the default pool of a location for a kind of memory.
 *
 * @param pool_out receives the pool.
 * @param location a device, the host, a NUMA node, or CU_MEM_LOCATION_TYPE_NONE for managed memory.
 * @param type CU_MEM_ALLOCATION_TYPE_PINNED or CU_MEM_ALLOCATION_TYPE_MANAGED.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if the kind is unknown, if the location does not exist, or
 * for no location and pinned memory; CUDA_ERROR_NOT_SUPPORTED if the type of the location is unknown.
 *
 * Manual: Stream Ordered Memory Allocator.
 */
CUresult CUDAAPI cuMemGetDefaultMemPool(CUmemoryPool *pool_out, CUmemLocation *location, CUmemAllocationType type);

/**
 * Reports the pool in use at a location for a kind of memory.
 *
 * @param pool receives the pool.
 * @param location a device, the host, a NUMA node, or CU_MEM_LOCATION_TYPE_NONE for managed memory.
 * @param type CU_MEM_ALLOCATION_TYPE_PINNED or CU_MEM_ALLOCATION_TYPE_MANAGED.
 *
 * Errors: as cuMemGetDefaultMemPool.
 *
 * Manual: Stream Ordered Memory Allocator.
 */
CUresult CUDAAPI cuMemGetMemPool(CUmemoryPool *pool, CUmemLocation *location, CUmemAllocationType type);

/**
 * Chooses the pool in use at a location for a kind of memory.
 *
 * @param location a device, the host, a NUMA node, or CU_MEM_LOCATION_TYPE_NONE for managed memory.
 * @param type CU_MEM_ALLOCATION_TYPE_PINNED or CU_MEM_ALLOCATION_TYPE_MANAGED.
 * @param pool a pool of that location and kind.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pool is no pool, was imported, or is of another location or kind; otherwise
 * as cuMemGetDefaultMemPool; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call.
 *
 * Manual: Stream Ordered Memory Allocator.
 */
CUresult CUDAAPI cuMemSetMemPool(CUmemLocation *location, CUmemAllocationType type, CUmemoryPool pool);

/**
 * Allocates from a given pool in stream order.
 *
 * In a capture, it becomes an allocation node.
 *
 * @param dptr receives the address; 0 on failure.
 * @param bytesize size in bytes; 0 succeeds with the address 0.
 * @param pool the pool.
 * @param hStream the stream.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if dptr is NULL, or if pool is no pool or was imported;
 * CUDA_ERROR_OUT_OF_MEMORY if pool or device have not that much left; CUDA_ERROR_INVALID_HANDLE if hStream is no
 * stream; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call.
 *
 * Manual: Stream Ordered Memory Allocator.
 */
CUresult CUDAAPI cuMemAllocFromPoolAsync(CUdeviceptr *dptr, size_t bytesize, CUmemoryPool pool, CUstream hStream);

/** cuMemAllocFromPoolAsync with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemAllocFromPoolAsync_ptsz(CUdeviceptr *dptr, size_t bytesize, CUmemoryPool pool, CUstream hStream);

/**
 * Exports a pool as an operating-system handle.
 *
 * @param handle_out receives an int, a descriptor that the program closes, or a fabric handle of 64 bytes.
 * @param pool the pool.
 * @param handleType a type that the pool was created with: CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR or
 *     CU_MEM_HANDLE_TYPE_FABRIC.
 * @param flags 0.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if handle_out is NULL, if flags is not 0, if pool is no pool, or if it was
 * not created with the type; CUDA_ERROR_NOT_PERMITTED for a fabric handle if the device has no fabric;
 * CUDA_ERROR_OPERATING_SYSTEM if there is no descriptor left; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a
 * capture forbids the call.
 *
 * Manual: Stream Ordered Memory Allocator.
 */
CUresult CUDAAPI cuMemPoolExportToShareableHandle(void *handle_out,
                                                  CUmemoryPool pool,
                                                  CUmemAllocationHandleType handleType,
                                                  unsigned long long flags);

/**
 * Imports a pool that another process exported.
 *
 * A pool that was imported before is the same pool, and has to be destroyed as often. Nothing can be allocated from
 * it; cuMemPoolImportPointer gives its memory.
 *
 * @param pool_out receives the pool; NULL on failure.
 * @param handle the descriptor itself, which stays the program's, or the address of a fabric handle.
 * @param handleType CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR or CU_MEM_HANDLE_TYPE_FABRIC.
 * @param flags 0.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pool_out is NULL, if flags is not 0, if a fabric handle is NULL, or if the
 * type is unknown; CUDA_ERROR_NOT_SUPPORTED for a type of another system; CUDA_ERROR_UNKNOWN if the handle is not
 * that of a pool; CUDA_ERROR_INVALID_DEVICE if the pool's device does not exist here;
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call.
 *
 * Manual: Stream Ordered Memory Allocator.
 */
CUresult CUDAAPI cuMemPoolImportFromShareableHandle(CUmemoryPool *pool_out,
                                                    void *handle,
                                                    CUmemAllocationHandleType handleType,
                                                    unsigned long long flags);

/**
 * Makes data with which another process can import one allocation of a shared pool.
 *
 * @param shareData_out receives the data, 64 bytes.
 * @param ptr the address that the allocation begins at.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if shareData_out is NULL, if no allocation of a pool begins at ptr, or if its
 * pool has not been exported; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call.
 *
 * Manual: Stream Ordered Memory Allocator.
 */
CUresult CUDAAPI cuMemPoolExportPointer(CUmemPoolPtrExportData *shareData_out, CUdeviceptr ptr);

/**
 * Imports one allocation of a shared pool.
 *
 * An allocation that is imported already has the same address again, and one free ends all of its imports. It has to
 * be freed before the exporter frees it.
 *
 * @param ptr_out receives the address; 0 on failure.
 * @param pool the imported pool.
 * @param shareData the data that the exporter made.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if pool was not imported, or if the data are not of an
 * allocation of it; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call.
 *
 * Manual: Stream Ordered Memory Allocator.
 */
CUresult CUDAAPI cuMemPoolImportPointer(CUdeviceptr *ptr_out, CUmemoryPool pool, CUmemPoolPtrExportData *shareData);

/* Primary Context Management */

/**
 * Takes a reference on the device's primary context and creates it if it is not active.
 *
 * It does not become current. The context keeps its handle when it is released and retained again, and threads that
 * have it current can then use it again.
 *
 * @param pctx receives the context.
 * @param dev ordinal of the device.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pctx is NULL; CUDA_ERROR_INVALID_DEVICE if the device does not exist; the
 * error of a kernel or a copy that failed in this process, on any device, unless the context is alive.
 *
 * Manual: Primary Context Management.
 */
CUresult CUDAAPI cuDevicePrimaryCtxRetain(CUcontext *pctx, CUdevice dev);

/**
 * Drops a reference on the device's primary context; the last one ends it and clears its flags.
 *
 * The context stays current where it is, as a destroyed one.
 *
 * @param dev ordinal of the device.
 *
 * Errors: CUDA_ERROR_INVALID_DEVICE if the device does not exist; CUDA_ERROR_INVALID_CONTEXT if nobody holds the
 * context.
 *
 * Manual: Primary Context Management.
 */
CUresult CUDAAPI cuDevicePrimaryCtxRelease_v2(CUdevice dev);

/**
 * Drops a reference on the device's primary context, with the rules of before CUDA 11: it is no error if there is
 * none.
 *
 * @param dev ordinal of the device.
 *
 * Errors: CUDA_ERROR_INVALID_DEVICE if the device does not exist.
 *
 * Manual: none, replaced in CUDA 11.
 */
CUresult CUDAAPI cuDevicePrimaryCtxRelease(CUdevice dev);

/**
 * Sets the flags of the device's primary context, of the live one at once.
 *
 * @param dev ordinal of the device.
 * @param flags CU_CTX_* bits with at most one way of waiting; not CU_CTX_MAP_HOST, which is always on.
 *
 * Errors: CUDA_ERROR_INVALID_DEVICE if the device does not exist; CUDA_ERROR_INVALID_VALUE if a flag is unknown or
 * CU_CTX_MAP_HOST, or for more than one way of waiting.
 *
 * Manual: Primary Context Management.
 */
CUresult CUDAAPI cuDevicePrimaryCtxSetFlags_v2(CUdevice dev, unsigned int flags);

/**
 * Sets the flags of the device's primary context, which must not be active, by the rule of before CUDA 11.
 *
 * @param dev ordinal of the device.
 * @param flags CU_CTX_* bits with at most one way of waiting; not CU_CTX_MAP_HOST, which is always on.
 *
 * Errors: CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE if it is active; otherwise as cuDevicePrimaryCtxSetFlags_v2.
 *
 * Manual: none, replaced in CUDA 11.
 */
CUresult CUDAAPI cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags);

/**
 * Reports the flags of the device's primary context, as they were set, and whether it is active.
 *
 * @param dev ordinal of the device.
 * @param flags receives CU_CTX_* bits.
 * @param active receives 1 if it is active, else 0.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a result is NULL; CUDA_ERROR_INVALID_DEVICE if the device does not exist.
 *
 * Manual: Primary Context Management.
 */
CUresult CUDAAPI cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int *flags, int *active);

/**
 * Destroys everything in the device's primary context, even if others hold it, and leaves its references.
 *
 * Threads that have it current get CUDA_ERROR_CONTEXT_IS_DESTROYED until it is retained again. Its flags are cleared.
 * Succeeds if it is not active.
 *
 * @param dev ordinal of the device.
 *
 * Errors: CUDA_ERROR_INVALID_DEVICE if the device does not exist.
 *
 * Manual: Primary Context Management.
 */
CUresult CUDAAPI cuDevicePrimaryCtxReset_v2(CUdevice dev);

/**
 * Destroys everything in the device's primary context, with the rules of before CUDA 11: its references are gone, too.
 *
 * @param dev ordinal of the device.
 *
 * Errors: CUDA_ERROR_INVALID_DEVICE if the device does not exist.
 *
 * Manual: none, replaced in CUDA 11.
 */
CUresult CUDAAPI cuDevicePrimaryCtxReset(CUdevice dev);

/* Stream Management */

/**
 * Creates a stream.
 *
 * @param phStream receives the stream; a handle that names no stream if there is no current context.
 * @param Flags 0, or CU_STREAM_NON_BLOCKING for a stream that the legacy default stream does not order.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if phStream is NULL or Flags is anything else; CUDA_ERROR_INVALID_CONTEXT
 * without a current context; its asynchronous error.
 *
 * Manual: Stream Management.
 */
CUresult CUDAAPI cuStreamCreate(CUstream *phStream, unsigned int Flags);

/**
 * Creates a stream with a priority.
 *
 * @param phStream receives the stream; a handle that names no stream if there is no current context.
 * @param flags 0, or CU_STREAM_NON_BLOCKING for a stream that the legacy default stream does not order.
 * @param priority lower numbers are more urgent; a number outside of the device's range is moved to its nearest end.
 *
 * Errors: as cuStreamCreate.
 *
 * Manual: Stream Management.
 */
CUresult CUDAAPI cuStreamCreateWithPriority(CUstream *phStream, unsigned int flags, int priority);

/**
 * Reports the priority of a stream.
 *
 * @param hStream the stream.
 * @param priority receives the priority.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if priority is NULL; CUDA_ERROR_INVALID_HANDLE if hStream is no stream.
 *
 * Manual: Stream Management.
 */
CUresult CUDAAPI cuStreamGetPriority(CUstream hStream, int *priority);

/** cuStreamGetPriority with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamGetPriority_ptsz(CUstream hStream, int *priority);

/**
 * Reports the device of a stream.
 *
 * @param hStream the stream.
 * @param device receives the ordinal.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if device is NULL; CUDA_ERROR_INVALID_HANDLE if hStream is no stream.
 *
 * Manual: Stream Management.
 */
CUresult CUDAAPI cuStreamGetDevice(CUstream hStream, CUdevice *device);

/** cuStreamGetDevice with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamGetDevice_ptsz(CUstream hStream, CUdevice *device);

/**
 * Reports the flags of a stream.
 *
 * @param hStream the stream.
 * @param flags receives 0 or CU_STREAM_NON_BLOCKING.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if flags is NULL; CUDA_ERROR_INVALID_HANDLE if hStream is no stream;
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED if the stream is being captured, which invalidates the capture.
 *
 * Manual: Stream Management.
 */
CUresult CUDAAPI cuStreamGetFlags(CUstream hStream, unsigned int *flags);

/** cuStreamGetFlags with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamGetFlags_ptsz(CUstream hStream, unsigned int *flags);

/**
 * Reports a number that identifies a stream uniquely in this process.
 *
 * The number of a destroyed stream is not used again.
 *
 * @param hStream the stream.
 * @param streamId receives the number.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if streamId is NULL; CUDA_ERROR_INVALID_HANDLE if hStream is no stream.
 *
 * Manual: Stream Management.
 */
CUresult CUDAAPI cuStreamGetId(CUstream hStream, unsigned long long *streamId);

/** cuStreamGetId with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamGetId_ptsz(CUstream hStream, unsigned long long *streamId);

/**
 * Reports the context of a stream, and the green context if it belongs to one.
 *
 * @param hStream the stream.
 * @param pCtx receives the context, a primary one if the stream is a green context's; may be NULL.
 * @param pGreenCtx receives the green context, or NULL; may be NULL.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hStream is no stream.
 *
 * Manual: Stream Management.
 */
CUresult CUDAAPI cuStreamGetCtx_v2(CUstream hStream, CUcontext *pCtx, CUgreenCtx *pGreenCtx);

/** cuStreamGetCtx_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamGetCtx_v2_ptsz(CUstream hStream, CUcontext *pCtx, CUgreenCtx *pGreenCtx);

/**
 * Reports the context of a stream.
 *
 * @param hStream the stream.
 * @param pctx receives the context; for a stream of a green context that, as a context.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pctx is NULL; CUDA_ERROR_INVALID_HANDLE if hStream is no stream.
 *
 * Manual: Stream Management.
 */
CUresult CUDAAPI cuStreamGetCtx(CUstream hStream, CUcontext *pctx);

/** cuStreamGetCtx with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamGetCtx_ptsz(CUstream hStream, CUcontext *pctx);

/**
 * Makes later work on a stream wait for an event.
 *
 * The event's latest record counts, as it is now; an event that was never recorded is not waited for. Event and stream
 * may belong to different contexts. An event that was recorded in a capture takes the stream into that capture.
 *
 * @param hStream the stream.
 * @param hEvent the event.
 * @param Flags 0, or CU_EVENT_WAIT_EXTERNAL for a node of a capture that waits for the event at each launch.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if Flags is anything else, or if the capture of the event has ended or is
 * invalidated; CUDA_ERROR_INVALID_HANDLE if hEvent is no event or hStream no stream; CUDA_ERROR_ILLEGAL_STATE
 * for CU_EVENT_WAIT_EXTERNAL outside of a capture; CUDA_ERROR_STREAM_CAPTURE_ISOLATION if the stream is being
 * captured and the event was recorded outside; CUDA_ERROR_STREAM_CAPTURE_MERGE if it was recorded in another
 * capture; CUDA_ERROR_STREAM_CAPTURE_IMPLICIT if it was recorded in a capture and the stream is the legacy default
 * stream. The last three invalidate the captures.
 *
 * Manual: Stream Management.
 */
CUresult CUDAAPI cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags);

/** cuStreamWaitEvent with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamWaitEvent_ptsz(CUstream hStream, CUevent hEvent, unsigned int Flags);

/**
 * Queues a host callback that is also told about errors.
 *
 * The callback runs on a thread of ours and gets the stream as it was passed here, and the context's asynchronous
 * error. Driver calls inside it are refused with CUDA_ERROR_NOT_PERMITTED.
 *
 * @param hStream the stream.
 * @param callback the function to be called.
 * @param userData passed to the function.
 * @param flags 0.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if callback is NULL or flags is not 0; CUDA_ERROR_INVALID_HANDLE if
 * hStream is no stream; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED if the stream is being captured, which invalidates
 * the capture.
 *
 * Manual: Stream Management.
 */
CUresult CUDAAPI cuStreamAddCallback(CUstream hStream, CUstreamCallback callback, void *userData, unsigned int flags);

/** cuStreamAddCallback with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamAddCallback_ptsz(CUstream hStream, CUstreamCallback callback, void *userData, unsigned int flags);

/**
 * Exchanges the calling thread's capture mode with the given one.
 *
 * The mode decides which captures, of this and of other threads, forbid this thread calls that could disturb them. It
 * begins as global. A number that is no mode is kept and counts as the global mode.
 *
 * @param mode the new mode, CU_STREAM_CAPTURE_MODE_*; receives the old one.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if mode is NULL.
 *
 * Manual: Stream Management.
 */
CUresult CUDAAPI cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode);

/**
 * Limits who may use managed memory: a stream, the host, or everyone.
 *
 * Host and devices here reach all memory at any time: only the order in the stream counts.
 *
 * @param hStream the stream.
 * @param dptr first address of a managed allocation.
 * @param length 0 or the size of the allocation in bytes.
 * @param flags CU_MEM_ATTACH_GLOBAL, CU_MEM_ATTACH_HOST, or CU_MEM_ATTACH_SINGLE, for which the stream is not
 *     NULL.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if flags is anything else, or if address and length are not those of a managed
 * allocation; CUDA_ERROR_INVALID_HANDLE if hStream is no stream; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED if the
 * stream is being captured, which invalidates the capture, or while a capture forbids the call.
 *
 * Manual: Stream Management.
 */
CUresult CUDAAPI cuStreamAttachMemAsync(CUstream hStream, CUdeviceptr dptr, size_t length, unsigned int flags);

/** cuStreamAttachMemAsync with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamAttachMemAsync_ptsz(CUstream hStream, CUdeviceptr dptr, size_t length, unsigned int flags);

/**
 * Tells without waiting whether a stream has finished its work.
 *
 * The legacy default stream has finished when the streams that it waits for have.
 *
 * @param hStream the stream.
 *
 * Errors: CUDA_ERROR_NOT_READY if it has not; CUDA_ERROR_INVALID_HANDLE if hStream is no stream; the
 * asynchronous error of its context; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED if the stream is being captured, which
 * invalidates the capture, or while a capture forbids the call.
 *
 * Manual: Stream Management.
 */
CUresult CUDAAPI cuStreamQuery(CUstream hStream);

/** cuStreamQuery with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamQuery_ptsz(CUstream hStream);

/**
 * Waits until a stream has finished its work.
 *
 * @param hStream the stream.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hStream is no stream; the asynchronous error of its context;
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED if the stream is being captured, which invalidates the capture, or while a
 * capture forbids the call.
 *
 * Manual: Stream Management.
 */
CUresult CUDAAPI cuStreamSynchronize(CUstream hStream);

/** cuStreamSynchronize with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamSynchronize_ptsz(CUstream hStream);

/**
 * Destroys a stream; work already queued still completes.
 *
 * Returns at once. A capture that began in the stream ends without a graph.
 *
 * @param hStream the stream; not a default stream.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hStream is no stream or a default stream; the asynchronous error of its
 * context.
 *
 * Manual: Stream Management.
 */
CUresult CUDAAPI cuStreamDestroy_v2(CUstream hStream);

/**
 * First form of cuStreamDestroy_v2; the same here.
 *
 * @param hStream the stream; not a default stream.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hStream is no stream or a default stream; the asynchronous error of its
 * context.
 *
 * Manual: none, replaced in CUDA 4.
 */
CUresult CUDAAPI cuStreamDestroy(CUstream hStream);

/**
 * Copies all attributes from one stream to another.
 *
 * @param dst the stream that gets them.
 * @param src the stream that has them.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if one of them is no stream.
 *
 * Manual: Stream Management.
 */
CUresult CUDAAPI cuStreamCopyAttributes(CUstream dst, CUstream src);

/** cuStreamCopyAttributes with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamCopyAttributes_ptsz(CUstream dst, CUstream src);

/**
 * Reads an attribute of a stream.
 *
 * Only the member of the union that the attribute means is written.
 *
 * @param hStream the stream.
 * @param attr access policy window, synchronisation policy, priority, or memory synchronisation domains
 *     (CU_LAUNCH_ATTRIBUTE_*).
 * @param value_out receives the value; a synchronisation policy that nobody set has all bits set.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if the attribute is any other or value_out is NULL; CUDA_ERROR_INVALID_HANDLE
 * if hStream is no stream.
 *
 * Manual: Stream Management.
 */
CUresult CUDAAPI cuStreamGetAttribute(CUstream hStream, CUstreamAttrID attr, CUstreamAttrValue *value_out);

/** cuStreamGetAttribute with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamGetAttribute_ptsz(CUstream hStream, CUstreamAttrID attr, CUstreamAttrValue *value_out);

/**
 * Changes an attribute of a stream.
 *
 * @param hStream the stream.
 * @param attr one of those of cuStreamGetAttribute.
 * @param value the value; a priority outside of the device's range is moved to its nearest end, the size of a window is
 *     in bytes.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if the attribute is any other, if value is NULL, or if it is out of range;
 * CUDA_ERROR_INVALID_HANDLE if hStream is no stream.
 *
 * Manual: Stream Management.
 */
CUresult CUDAAPI cuStreamSetAttribute(CUstream hStream, CUstreamAttrID attr, const CUstreamAttrValue *value);

/** cuStreamSetAttribute with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamSetAttribute_ptsz(CUstream hStream, CUstreamAttrID attr, const CUstreamAttrValue *value);

/* Stream Memory Operations */

/**
 * Makes a stream wait until a 32-bit word in memory meets a condition.
 *
 * @param stream the stream.
 * @param addr address of the word, a multiple of its size, in device memory or page-locked host memory of no pool.
 * @param value what the word is compared with.
 * @param flags the condition, CU_STREAM_WAIT_VALUE_*.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if the condition is unknown, if the address is not aligned, or if no such memory
 * is there; CUDA_ERROR_NOT_SUPPORTED with CU_STREAM_WAIT_VALUE_FLUSH: the device has no remote writes to flush;
 * CUDA_ERROR_INVALID_HANDLE if stream is no stream.
 *
 * Manual: Stream Memory Operations.
 */
CUresult CUDAAPI cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags);

/** cuStreamWaitValue32_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamWaitValue32_v2_ptsz(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags);

/**
 * First form of cuStreamWaitValue32_v2.
 *
 * @param stream the stream.
 * @param addr address of the word, a multiple of its size, in device memory or page-locked host memory of no pool.
 * @param value what the word is compared with.
 * @param flags the condition, CU_STREAM_WAIT_VALUE_*.
 *
 * Errors: CUDA_ERROR_NOT_SUPPORTED always, as the real driver answers unless a parameter of its kernel module allows
 * the call.
 *
 * Manual: none, replaced in CUDA 11.7.
 */
CUresult CUDAAPI cuStreamWaitValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags);

/** cuStreamWaitValue32 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamWaitValue32_ptsz(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags);

/**
 * Makes a stream wait until a 64-bit word in memory meets a condition.
 *
 * @param stream the stream.
 * @param addr address of the word, a multiple of its size, in device memory or page-locked host memory of no pool.
 * @param value what the word is compared with.
 * @param flags the condition, CU_STREAM_WAIT_VALUE_*.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if the condition is unknown, if the address is not aligned, or if no such memory
 * is there; CUDA_ERROR_NOT_SUPPORTED with CU_STREAM_WAIT_VALUE_FLUSH: the device has no remote writes to flush;
 * CUDA_ERROR_INVALID_HANDLE if stream is no stream.
 *
 * Manual: Stream Memory Operations.
 */
CUresult CUDAAPI cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags);

/** cuStreamWaitValue64_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamWaitValue64_v2_ptsz(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags);

/**
 * First form of cuStreamWaitValue64_v2.
 *
 * @param stream the stream.
 * @param addr address of the word, a multiple of its size, in device memory or page-locked host memory of no pool.
 * @param value what the word is compared with.
 * @param flags the condition, CU_STREAM_WAIT_VALUE_*.
 *
 * Errors: CUDA_ERROR_NOT_SUPPORTED always, as the real driver answers unless a parameter of its kernel module allows
 * the call.
 *
 * Manual: none, replaced in CUDA 11.7.
 */
CUresult CUDAAPI cuStreamWaitValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags);

/** cuStreamWaitValue64 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamWaitValue64_ptsz(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags);

/**
 * Writes a 32-bit word to memory on a stream.
 *
 * Earlier work of the stream is always visible to a reader that sees the word.
 *
 * @param stream the stream.
 * @param addr address of the word, a multiple of its size, in device memory or page-locked host memory of no pool.
 * @param value what is written.
 * @param flags 0.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if flags is not 0, if the address is not aligned, or if no such memory is
 * there; CUDA_ERROR_INVALID_HANDLE if stream is no stream.
 *
 * Manual: Stream Memory Operations.
 */
CUresult CUDAAPI cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags);

/** cuStreamWriteValue32_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamWriteValue32_v2_ptsz(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags);

/**
 * First form of cuStreamWriteValue32_v2.
 *
 * @param stream the stream.
 * @param addr address of the word, a multiple of its size, in device memory or page-locked host memory of no pool.
 * @param value what is written.
 * @param flags 0.
 *
 * Errors: CUDA_ERROR_NOT_SUPPORTED always, as the real driver answers unless a parameter of its kernel module allows
 * the call.
 *
 * Manual: none, replaced in CUDA 11.7.
 */
CUresult CUDAAPI cuStreamWriteValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags);

/** cuStreamWriteValue32 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamWriteValue32_ptsz(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags);

/**
 * Writes a 64-bit word to memory on a stream.
 *
 * Earlier work of the stream is always visible to a reader that sees the word.
 *
 * @param stream the stream.
 * @param addr address of the word, a multiple of its size, in device memory or page-locked host memory of no pool.
 * @param value what is written.
 * @param flags 0.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if flags is not 0, if the address is not aligned, or if no such memory is
 * there; CUDA_ERROR_INVALID_HANDLE if stream is no stream.
 *
 * Manual: Stream Memory Operations.
 */
CUresult CUDAAPI cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags);

/** cuStreamWriteValue64_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamWriteValue64_v2_ptsz(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags);

/**
 * First form of cuStreamWriteValue64_v2.
 *
 * @param stream the stream.
 * @param addr address of the word, a multiple of its size, in device memory or page-locked host memory of no pool.
 * @param value what is written.
 * @param flags 0.
 *
 * Errors: CUDA_ERROR_NOT_SUPPORTED always, as the real driver answers unless a parameter of its kernel module allows
 * the call.
 *
 * Manual: none, replaced in CUDA 11.7.
 */
CUresult CUDAAPI cuStreamWriteValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags);

/** cuStreamWriteValue64 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamWriteValue64_ptsz(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags);

/**
 * Queues several waits, writes and barriers on a stream.
 *
 * They take effect in their order; none does if one of them is wrong.
 *
 * @param stream the stream.
 * @param count number of operations, less than 256; 0 does nothing.
 * @param paramArray array of count operations.
 * @param flags 0.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if flags is not 0, for 256 operations and more, if paramArray is NULL, if an
 * operation or the scope of a barrier is unknown, and for what the single operations refuse;
 * CUDA_ERROR_NOT_SUPPORTED for a flush of remote writes; CUDA_ERROR_INVALID_HANDLE if stream is no stream.
 *
 * Manual: Stream Memory Operations.
 */
CUresult CUDAAPI cuStreamBatchMemOp_v2(CUstream stream,
                                       unsigned int count,
                                       CUstreamBatchMemOpParams *paramArray,
                                       unsigned int flags);

/** cuStreamBatchMemOp_v2 with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamBatchMemOp_v2_ptsz(CUstream stream,
                                            unsigned int count,
                                            CUstreamBatchMemOpParams *paramArray,
                                            unsigned int flags);

/**
 * First form of cuStreamBatchMemOp_v2.
 *
 * @param stream the stream.
 * @param count number of operations, less than 256; 0 does nothing.
 * @param paramArray array of count operations.
 * @param flags 0.
 *
 * Errors: CUDA_ERROR_NOT_SUPPORTED always, as the real driver answers unless a parameter of its kernel module allows
 * the call.
 *
 * Manual: none, replaced in CUDA 11.7.
 */
CUresult CUDAAPI cuStreamBatchMemOp(CUstream stream,
                                    unsigned int count,
                                    CUstreamBatchMemOpParams *paramArray,
                                    unsigned int flags);

/** cuStreamBatchMemOp with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuStreamBatchMemOp_ptsz(CUstream stream,
                                         unsigned int count,
                                         CUstreamBatchMemOpParams *paramArray,
                                         unsigned int flags);

/* Surface Reference Management (deprecated) and Surface Object Management */

/**
 * Binds an array to a surface reference (deprecated).
 *
 * @param hSurfRef the reference.
 * @param hArray the array.
 * @param Flags 0.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if Flags is not 0; CUDA_ERROR_INVALID_HANDLE if hSurfRef is no reference or
 * hArray no array.
 *
 * Manual: Surface Reference Management (deprecated).
 */
CUresult CUDAAPI cuSurfRefSetArray(CUsurfref hSurfRef, CUarray hArray, unsigned int Flags);

/**
 * Reads the array bound to a surface reference (deprecated).
 *
 * @param phArray receives the array.
 * @param hSurfRef the reference.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hSurfRef is no reference; CUDA_ERROR_INVALID_VALUE if phArray is NULL
 * or no array is bound.
 *
 * Manual: Surface Reference Management (deprecated).
 */
CUresult CUDAAPI cuSurfRefGetArray(CUarray *phArray, CUsurfref hSurfRef);

/**
 * Creates a surface object over an array.
 *
 * The array need not have been made for surfaces.
 *
 * @param pSurfObject receives the object.
 * @param pResDesc the resource: an array.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if flags of the resource are not 0, if it is no array, or
 * if the array is compressed, or has planes and was not made for surfaces; CUDA_ERROR_PEER_ACCESS_NOT_ENABLED for an
 * array of another context; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call.
 *
 * Manual: Surface Object Management.
 */
CUresult CUDAAPI cuSurfObjectCreate(CUsurfObject *pSurfObject, const CUDA_RESOURCE_DESC *pResDesc);

/**
 * Destroys a surface object.
 *
 * Kernels that were launched before still use it.
 *
 * @param surfObject the object; anything else does nothing.
 *
 * Errors: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call.
 *
 * Manual: Surface Object Management.
 */
CUresult CUDAAPI cuSurfObjectDestroy(CUsurfObject surfObject);

/**
 * Reads the resource of a surface object.
 *
 * @param pResDesc receives type, array and flags; the rest stays untouched.
 * @param surfObject the object.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pResDesc is NULL or surfObject is no object of the current context.
 *
 * Manual: Surface Object Management.
 */
CUresult CUDAAPI cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *pResDesc, CUsurfObject surfObject);

/* Tensor Map Object Management */

/**
 * Encodes a descriptor for bulk copies of tiles of a tensor.
 *
 * @param tensorMap receives the descriptor, 128 bytes.
 * @param tensorDataType type of an element, CU_TENSOR_MAP_DATA_TYPE_*.
 * @param tensorRank number of dimensions, 1 to 5; at least 3 with an interleave.
 * @param globalAddress address of the tensor, a multiple of 16, of 32 with the interleave of 32 bytes.
 * @param globalDim array of tensorRank extents in elements, 1 to 2^32 each.
 * @param globalStrides array of tensorRank - 1 distances in bytes, of all dimensions but the first: multiples of 16,
 *     of 32 with the interleave of 32 bytes, less than 2^40.
 * @param boxDim array of tensorRank extents of a tile in elements, 1 to 256 each; a row is a multiple of 16 bytes.
 * @param elementStrides array of tensorRank steps in elements, 1 to 8 each.
 * @param interleave CU_TENSOR_MAP_INTERLEAVE_*.
 * @param swizzle CU_TENSOR_MAP_SWIZZLE_*; a row is no longer than what is swizzled.
 * @param l2Promotion CU_TENSOR_MAP_L2_PROMOTION_*, which changes nothing here.
 * @param oobFill CU_TENSOR_MAP_FLOAT_OOB_FILL_*: what copies read outside of the tensor; NaNs for floats only.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if tensorMap or an array is NULL, if a value is out of its range, or
 * if a tile is larger than the shared memory of a multiprocessor.
 *
 * Manual: Tensor Map Object Management.
 */
CUresult CUDAAPI cuTensorMapEncodeTiled(CUtensorMap *tensorMap,
                                        CUtensorMapDataType tensorDataType,
                                        cuuint32_t tensorRank,
                                        void *globalAddress,
                                        const cuuint64_t *globalDim,
                                        const cuuint64_t *globalStrides,
                                        const cuuint32_t *boxDim,
                                        const cuuint32_t *elementStrides,
                                        CUtensorMapInterleave interleave,
                                        CUtensorMapSwizzle swizzle,
                                        CUtensorMapL2promotion l2Promotion,
                                        CUtensorMapFloatOOBfill oobFill);

/**
 * Encodes a descriptor for bulk copies in im2col order.
 *
 * @param tensorMap receives the descriptor, 128 bytes.
 * @param tensorDataType type of an element, CU_TENSOR_MAP_DATA_TYPE_*.
 * @param tensorRank number of dimensions, 3 to 5.
 * @param globalAddress address of the tensor, a multiple of 16, of 32 with the interleave of 32 bytes.
 * @param globalDim array of tensorRank extents in elements, 1 to 2^32 each.
 * @param globalStrides array of tensorRank - 1 distances in bytes, of all dimensions but the first: multiples of 16,
 *     of 32 with the interleave of 32 bytes, less than 2^40.
 * @param pixelBoxLowerCorner array of tensorRank - 2 corners of the box of pixels in elements, signed numbers of 16, 8
 *     or 5 bits for 3, 4 or 5 dimensions.
 * @param pixelBoxUpperCorner array of tensorRank - 2 opposite corners, counted from the end of each dimension, of as
 *     many bits.
 * @param channelsPerPixel channels that a copy takes of a pixel, 1 to 256; together a multiple of 16 bytes.
 * @param pixelsPerColumn pixels that a copy takes, 1 to 1024.
 * @param elementStrides array of tensorRank steps in elements, 1 to 8 each.
 * @param interleave CU_TENSOR_MAP_INTERLEAVE_*.
 * @param swizzle CU_TENSOR_MAP_SWIZZLE_*; a row is no longer than what is swizzled.
 * @param l2Promotion CU_TENSOR_MAP_L2_PROMOTION_*, which changes nothing here.
 * @param oobFill CU_TENSOR_MAP_FLOAT_OOB_FILL_*: what copies read outside of the tensor; NaNs for floats only.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if tensorMap or an array is NULL, if a value is out of its range, if
 * the box of pixels is empty, or if a copy is larger than the shared memory of a multiprocessor.
 *
 * Manual: Tensor Map Object Management.
 */
CUresult CUDAAPI cuTensorMapEncodeIm2col(CUtensorMap *tensorMap,
                                         CUtensorMapDataType tensorDataType,
                                         cuuint32_t tensorRank,
                                         void *globalAddress,
                                         const cuuint64_t *globalDim,
                                         const cuuint64_t *globalStrides,
                                         const int *pixelBoxLowerCorner,
                                         const int *pixelBoxUpperCorner,
                                         cuuint32_t channelsPerPixel,
                                         cuuint32_t pixelsPerColumn,
                                         const cuuint32_t *elementStrides,
                                         CUtensorMapInterleave interleave,
                                         CUtensorMapSwizzle swizzle,
                                         CUtensorMapL2promotion l2Promotion,
                                         CUtensorMapFloatOOBfill oobFill);

/**
 * Encodes a descriptor for bulk copies in wide im2col order.
 *
 * @param tensorMap receives the descriptor, 128 bytes.
 * @param tensorDataType type of an element, CU_TENSOR_MAP_DATA_TYPE_*.
 * @param tensorRank number of dimensions, 3 to 5.
 * @param globalAddress address of the tensor, a multiple of 16, of 32 with the interleave of 32 bytes.
 * @param globalDim array of tensorRank extents in elements, 1 to 2^32 each.
 * @param globalStrides array of tensorRank - 1 distances in bytes, of all dimensions but the first: multiples of 16,
 *     of 32 with the interleave of 32 bytes, less than 2^40.
 * @param pixelBoxLowerCornerWidth corner of the box of pixels along the width, in elements.
 * @param pixelBoxUpperCornerWidth opposite corner, counted from the end of the width.
 * @param channelsPerPixel channels that a copy takes of a pixel, 1 to 256; together a multiple of 16 bytes.
 * @param pixelsPerColumn pixels that a copy takes, 1 to 1024.
 * @param elementStrides array of tensorRank steps in elements, 1 to 8 each.
 * @param interleave CU_TENSOR_MAP_INTERLEAVE_*.
 * @param mode CU_TENSOR_MAP_IM2COL_WIDE_MODE_*.
 * @param swizzle CU_TENSOR_MAP_SWIZZLE_*; a row is no longer than what is swizzled.
 * @param l2Promotion CU_TENSOR_MAP_L2_PROMOTION_*, which changes nothing here.
 * @param oobFill CU_TENSOR_MAP_FLOAT_OOB_FILL_*: what copies read outside of the tensor; NaNs for floats only.
 *
 * Kernels copy in this order on devices of compute capability 10.0.
 *
 * Errors: as cuTensorMapEncodeIm2col; CUDA_ERROR_INVALID_VALUE for another mode.
 *
 * Manual: Tensor Map Object Management.
 */
CUresult CUDAAPI cuTensorMapEncodeIm2colWide(CUtensorMap *tensorMap,
                                             CUtensorMapDataType tensorDataType,
                                             cuuint32_t tensorRank,
                                             void *globalAddress,
                                             const cuuint64_t *globalDim,
                                             const cuuint64_t *globalStrides,
                                             int pixelBoxLowerCornerWidth,
                                             int pixelBoxUpperCornerWidth,
                                             cuuint32_t channelsPerPixel,
                                             cuuint32_t pixelsPerColumn,
                                             const cuuint32_t *elementStrides,
                                             CUtensorMapInterleave interleave,
                                             CUtensorMapIm2ColWideMode mode,
                                             CUtensorMapSwizzle swizzle,
                                             CUtensorMapL2promotion l2Promotion,
                                             CUtensorMapFloatOOBfill oobFill);

/**
 * Changes the tensor address in a descriptor.
 *
 * @param tensorMap the descriptor.
 * @param globalAddress the new address, a multiple of 16.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if tensorMap is NULL or no descriptor, or if the address is NULL or not
 * aligned.
 *
 * Manual: Tensor Map Object Management.
 */
CUresult CUDAAPI cuTensorMapReplaceAddress(CUtensorMap *tensorMap, void *globalAddress);

/**
 * Changes the allocation class in a descriptor; has no effect on any device that there is here.
 *
 * @param tensorMap the descriptor; stays as it is.
 * @param allocClass the class that is wanted, CU_TENSOR_MAP_ALLOC_CLASS_*.
 * @param outAllocClass receives the class in effect, always CU_TENSOR_MAP_ALLOC_CLASS_SMALL, also on failure; may be
 *     NULL.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if tensorMap is NULL or no descriptor, or the class is unknown.
 *
 * Manual: Tensor Map Object Management.
 */
CUresult CUDAAPI cuTensorMapSetAllocationClass(CUtensorMap *tensorMap,
                                               CUtensorMapAllocClass allocClass,
                                               CUtensorMapAllocClass *outAllocClass);

/* Texture Reference Management (deprecated) and Texture Object Management */

/**
 * Binds an array to a texture reference (deprecated).
 *
 * The reference takes the array's format over.
 *
 * @param hTexRef the reference.
 * @param hArray the array.
 * @param Flags 0 or CU_TRSA_OVERRIDE_FORMAT.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a flag is unknown; CUDA_ERROR_INVALID_HANDLE if hTexRef is no reference or
 * hArray no array.
 *
 * Manual: Texture Reference Management (deprecated).
 */
CUresult CUDAAPI cuTexRefSetArray(CUtexref hTexRef, CUarray hArray, unsigned int Flags);

/**
 * Binds a mipmapped array to a texture reference (deprecated).
 *
 * The reference takes the array's format over.
 *
 * @param hTexRef the reference.
 * @param hMipmappedArray the array.
 * @param Flags 0 or CU_TRSA_OVERRIDE_FORMAT.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a flag is unknown; CUDA_ERROR_INVALID_HANDLE if hTexRef is no reference or
 * hMipmappedArray no array.
 *
 * Manual: Texture Reference Management (deprecated).
 */
CUresult CUDAAPI cuTexRefSetMipmappedArray(CUtexref hTexRef, CUmipmappedArray hMipmappedArray, unsigned int Flags);

/**
 * Binds linear memory to a texture reference (deprecated).
 *
 * Textures begin at multiples of the device's texture alignment: the nearest one below dptr is bound. Address and
 * size are not checked further.
 *
 * @param ByteOffset receives the bytes from there to dptr; may be NULL if there are none.
 * @param hTexRef the reference.
 * @param dptr first byte, NULL to bind nothing.
 * @param bytes size in bytes.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hTexRef is no reference; CUDA_ERROR_INVALID_VALUE without ByteOffset if
 * the distance is not 0.
 *
 * Manual: Texture Reference Management (deprecated).
 */
CUresult CUDAAPI cuTexRefSetAddress_v2(size_t *ByteOffset, CUtexref hTexRef, CUdeviceptr dptr, size_t bytes);

/**
 * First-generation cuTexRefSetAddress_v2: addresses and sizes have 32 bits.
 *
 * @param ByteOffset receives the bytes from there to dptr; may be NULL if there are none.
 * @param hTexRef the reference.
 * @param dptr first byte, NULL to bind nothing.
 * @param bytes size in bytes.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always: there is no memory with addresses of 32 bits.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuTexRefSetAddress(unsigned int *ByteOffset, CUtexref hTexRef, CUdeviceptr_v1 dptr, unsigned int bytes);

/**
 * Binds pitched memory to a texture reference (deprecated).
 *
 * @param hTexRef the reference.
 * @param desc width and height in elements, format and components (1, 2 or 4).
 * @param dptr first byte, a multiple of the device's texture alignment; NULL to bind nothing.
 * @param Pitch bytes from row to row; not checked.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if desc is NULL, if the number of components is any other, or if the address is
 * not aligned; CUDA_ERROR_INVALID_HANDLE if hTexRef is no reference.
 *
 * Manual: Texture Reference Management (deprecated).
 */
CUresult CUDAAPI cuTexRefSetAddress2D_v3(CUtexref hTexRef, const CUDA_ARRAY_DESCRIPTOR *desc, CUdeviceptr dptr, size_t Pitch);

/**
 * Binds pitched memory to a texture reference, in the form of before CUDA 4.1 (deprecated).
 *
 * The same as cuTexRefSetAddress2D_v3.
 *
 * @param hTexRef the reference.
 * @param desc width and height in elements, format and components (1, 2 or 4).
 * @param dptr first byte, a multiple of the device's texture alignment; NULL to bind nothing.
 * @param Pitch bytes from row to row; not checked.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if desc is NULL, if the number of components is any other, or if the address is
 * not aligned; CUDA_ERROR_INVALID_HANDLE if hTexRef is no reference.
 *
 * Manual: none, replaced in CUDA 4.1.
 */
CUresult CUDAAPI cuTexRefSetAddress2D_v2(CUtexref hTexRef, const CUDA_ARRAY_DESCRIPTOR *desc, CUdeviceptr dptr, size_t Pitch);

/**
 * First-generation cuTexRefSetAddress2D_v3: addresses and sizes have 32 bits.
 *
 * @param hTexRef the reference.
 * @param desc width and height in elements, format and components (1, 2 or 4).
 * @param dptr first byte, a multiple of the device's texture alignment; NULL to bind nothing.
 * @param Pitch bytes from row to row; not checked.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always: there is no memory with addresses of 32 bits.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuTexRefSetAddress2D(CUtexref hTexRef,
                                      const CUDA_ARRAY_DESCRIPTOR_v1 *desc,
                                      CUdeviceptr_v1 dptr,
                                      unsigned int Pitch);

/**
 * Sets format and number of components of a texture reference (deprecated).
 *
 * @param hTexRef the reference.
 * @param fmt CU_AD_FORMAT_*; ignored.
 * @param NumPackedComponents 1, 2 or 4.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE for another number of components; CUDA_ERROR_INVALID_HANDLE if hTexRef is no
 * reference.
 *
 * Manual: Texture Reference Management (deprecated).
 */
CUresult CUDAAPI cuTexRefSetFormat(CUtexref hTexRef, CUarray_format fmt, int NumPackedComponents);

/**
 * Sets what a texture reference reads outside of one dimension (deprecated).
 *
 * @param hTexRef the reference.
 * @param dim the dimension, 0 to 2; any other does nothing.
 * @param am CU_TR_ADDRESS_MODE_*.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hTexRef is no reference.
 *
 * Manual: Texture Reference Management (deprecated).
 */
CUresult CUDAAPI cuTexRefSetAddressMode(CUtexref hTexRef, int dim, CUaddress_mode am);

/**
 * Sets the filter of a texture reference (deprecated).
 *
 * @param hTexRef the reference.
 * @param fm CU_TR_FILTER_MODE_*.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hTexRef is no reference.
 *
 * Manual: Texture Reference Management (deprecated).
 */
CUresult CUDAAPI cuTexRefSetFilterMode(CUtexref hTexRef, CUfilter_mode fm);

/**
 * Sets the filter between mip levels of a texture reference (deprecated).
 *
 * @param hTexRef the reference.
 * @param fm CU_TR_FILTER_MODE_*.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hTexRef is no reference.
 *
 * Manual: Texture Reference Management (deprecated).
 */
CUresult CUDAAPI cuTexRefSetMipmapFilterMode(CUtexref hTexRef, CUfilter_mode fm);

/**
 * Sets the mip level bias of a texture reference (deprecated).
 *
 * @param hTexRef the reference.
 * @param bias added to the level.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hTexRef is no reference.
 *
 * Manual: Texture Reference Management (deprecated).
 */
CUresult CUDAAPI cuTexRefSetMipmapLevelBias(CUtexref hTexRef, float bias);

/**
 * Sets the range of mip levels of a texture reference (deprecated).
 *
 * @param hTexRef the reference.
 * @param minMipmapLevelClamp lowest level.
 * @param maxMipmapLevelClamp highest level.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hTexRef is no reference.
 *
 * Manual: Texture Reference Management (deprecated).
 */
CUresult CUDAAPI cuTexRefSetMipmapLevelClamp(CUtexref hTexRef, float minMipmapLevelClamp, float maxMipmapLevelClamp);

/**
 * Sets the anisotropy limit of a texture reference (deprecated).
 *
 * @param hTexRef the reference.
 * @param maxAniso the largest ratio.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hTexRef is no reference.
 *
 * Manual: Texture Reference Management (deprecated).
 */
CUresult CUDAAPI cuTexRefSetMaxAnisotropy(CUtexref hTexRef, unsigned int maxAniso);

/**
 * Sets the border colour of a texture reference (deprecated).
 *
 * @param hTexRef the reference.
 * @param pBorderColor array of 4 components.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pBorderColor is NULL; CUDA_ERROR_INVALID_HANDLE if hTexRef is no
 * reference.
 *
 * Manual: Texture Reference Management (deprecated).
 */
CUresult CUDAAPI cuTexRefSetBorderColor(CUtexref hTexRef, float *pBorderColor);

/**
 * Sets the read flags of a texture reference (deprecated).
 *
 * @param hTexRef the reference.
 * @param Flags CU_TRSF_* bits other than CU_TRSF_SEAMLESS_CUBEMAP.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a flag is unknown; CUDA_ERROR_INVALID_HANDLE if hTexRef is no reference.
 *
 * Manual: Texture Reference Management (deprecated).
 */
CUresult CUDAAPI cuTexRefSetFlags(CUtexref hTexRef, unsigned int Flags);

/**
 * Reads the address bound to a texture reference (deprecated).
 *
 * @param pdptr receives the address; 0 if none is bound.
 * @param hTexRef the reference.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pdptr is NULL or no address is bound; CUDA_ERROR_INVALID_HANDLE if
 * hTexRef is no reference.
 *
 * Manual: Texture Reference Management (deprecated).
 */
CUresult CUDAAPI cuTexRefGetAddress_v2(CUdeviceptr *pdptr, CUtexref hTexRef);

/**
 * First-generation cuTexRefGetAddress_v2: addresses have 32 bits.
 *
 * @param pdptr receives the address; 0 if none is bound.
 * @param hTexRef the reference.
 *
 * Errors: CUDA_ERROR_INVALID_CONTEXT always: there is no memory with addresses of 32 bits.
 *
 * Manual: none, first generation.
 */
CUresult CUDAAPI cuTexRefGetAddress(CUdeviceptr_v1 *pdptr, CUtexref hTexRef);

/**
 * Reads the array bound to a texture reference (deprecated).
 *
 * @param phArray receives the array.
 * @param hTexRef the reference.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if phArray is NULL or no array is bound; CUDA_ERROR_INVALID_HANDLE if
 * hTexRef is no reference.
 *
 * Manual: Texture Reference Management (deprecated).
 */
CUresult CUDAAPI cuTexRefGetArray(CUarray *phArray, CUtexref hTexRef);

/**
 * Reads the mipmapped array bound to a texture reference (deprecated).
 *
 * @param phMipmappedArray receives the array.
 * @param hTexRef the reference.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if phMipmappedArray is NULL or no mipmapped array is bound;
 * CUDA_ERROR_INVALID_HANDLE if hTexRef is no reference.
 *
 * Manual: Texture Reference Management (deprecated).
 */
CUresult CUDAAPI cuTexRefGetMipmappedArray(CUmipmappedArray *phMipmappedArray, CUtexref hTexRef);

/**
 * Reads what a texture reference reads outside of one dimension (deprecated).
 *
 * @param pam receives CU_TR_ADDRESS_MODE_*.
 * @param hTexRef the reference.
 * @param dim the dimension, 0 to 2.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pam is NULL or for another dimension; CUDA_ERROR_INVALID_HANDLE if
 * hTexRef is no reference.
 *
 * Manual: Texture Reference Management (deprecated).
 */
CUresult CUDAAPI cuTexRefGetAddressMode(CUaddress_mode *pam, CUtexref hTexRef, int dim);

/**
 * Reads the filter of a texture reference (deprecated).
 *
 * @param pfm receives CU_TR_FILTER_MODE_*.
 * @param hTexRef the reference.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pfm is NULL; CUDA_ERROR_INVALID_HANDLE if hTexRef is no reference.
 *
 * Manual: Texture Reference Management (deprecated).
 */
CUresult CUDAAPI cuTexRefGetFilterMode(CUfilter_mode *pfm, CUtexref hTexRef);

/**
 * Reads format and number of components of a texture reference (deprecated).
 *
 * @param pFormat receives CU_AD_FORMAT_*; may be NULL.
 * @param pNumChannels receives the number of components; may be NULL.
 * @param hTexRef the reference.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hTexRef is no reference.
 *
 * Manual: Texture Reference Management (deprecated).
 */
CUresult CUDAAPI cuTexRefGetFormat(CUarray_format *pFormat, int *pNumChannels, CUtexref hTexRef);

/**
 * Reads the filter between mip levels of a texture reference (deprecated).
 *
 * @param pfm receives CU_TR_FILTER_MODE_*.
 * @param hTexRef the reference.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pfm is NULL; CUDA_ERROR_INVALID_HANDLE if hTexRef is no reference.
 *
 * Manual: Texture Reference Management (deprecated).
 */
CUresult CUDAAPI cuTexRefGetMipmapFilterMode(CUfilter_mode *pfm, CUtexref hTexRef);

/**
 * Reads the mip level bias of a texture reference (deprecated).
 *
 * @param pbias receives what is added to the level.
 * @param hTexRef the reference.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pbias is NULL; CUDA_ERROR_INVALID_HANDLE if hTexRef is no reference.
 *
 * Manual: Texture Reference Management (deprecated).
 */
CUresult CUDAAPI cuTexRefGetMipmapLevelBias(float *pbias, CUtexref hTexRef);

/**
 * Reads the range of mip levels of a texture reference (deprecated).
 *
 * @param pminMipmapLevelClamp receives the lowest level.
 * @param pmaxMipmapLevelClamp receives the highest level.
 * @param hTexRef the reference.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a result is NULL; CUDA_ERROR_INVALID_HANDLE if hTexRef is no reference.
 *
 * Manual: Texture Reference Management (deprecated).
 */
CUresult CUDAAPI cuTexRefGetMipmapLevelClamp(float *pminMipmapLevelClamp, float *pmaxMipmapLevelClamp, CUtexref hTexRef);

/**
 * Reads the anisotropy limit of a texture reference (deprecated).
 *
 * @param pmaxAniso receives the largest ratio.
 * @param hTexRef the reference.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pmaxAniso is NULL; CUDA_ERROR_INVALID_HANDLE if hTexRef is no reference.
 *
 * Manual: Texture Reference Management (deprecated).
 */
CUresult CUDAAPI cuTexRefGetMaxAnisotropy(int *pmaxAniso, CUtexref hTexRef);

/**
 * Reads the border colour of a texture reference (deprecated).
 *
 * @param pBorderColor receives 4 components.
 * @param hTexRef the reference.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pBorderColor is NULL; CUDA_ERROR_INVALID_HANDLE if hTexRef is no
 * reference.
 *
 * Manual: Texture Reference Management (deprecated).
 */
CUresult CUDAAPI cuTexRefGetBorderColor(float *pBorderColor, CUtexref hTexRef);

/**
 * Reads the read flags of a texture reference (deprecated).
 *
 * @param pFlags receives CU_TRSF_* bits.
 * @param hTexRef the reference.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pFlags is NULL; CUDA_ERROR_INVALID_HANDLE if hTexRef is no reference.
 *
 * Manual: Texture Reference Management (deprecated).
 */
CUresult CUDAAPI cuTexRefGetFlags(unsigned int *pFlags, CUtexref hTexRef);

/**
 * Creates a texture reference that belongs to no module (deprecated).
 *
 * It reads single 32-bit floats, takes the nearest element, clamps coordinates, and is bound to nothing.
 *
 * @param pTexRef receives the reference.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pTexRef is NULL.
 *
 * Manual: Texture Reference Management (deprecated).
 */
CUresult CUDAAPI cuTexRefCreate(CUtexref *pTexRef);

/**
 * Destroys a texture reference (deprecated).
 *
 * @param hTexRef the reference.
 *
 * Errors: CUDA_ERROR_INVALID_HANDLE if hTexRef is no reference.
 *
 * Manual: Texture Reference Management (deprecated).
 */
CUresult CUDAAPI cuTexRefDestroy(CUtexref hTexRef);

/**
 * Creates a texture object over an array or linear memory.
 *
 * Memory has to be aligned and of a plain format, but need not exist. Address modes are checked for the dimensions
 * that the resource has.
 *
 * @param pTexObject receives the object; on failure 0 if the view is refused because it has no format, otherwise
 *     untouched.
 * @param pResDesc the resource: an array, a mipmapped array, linear memory (size in bytes) or pitched memory (pitch in
 *     bytes).
 * @param pTexDesc how to sample: address modes, filters, CU_TRSF_* flags, mip levels, border colour.
 * @param pResViewDesc a view of an array in another format, whose elements have the size of the array's, or are
 *     compressed blocks in place of two or four 32-bit integers; may be NULL.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if another pointer is NULL, if flags or reserved bytes are not 0, if the resource
 * does not exist, is not aligned or is too large, if a mode, filter, flag or format is unknown, or if the view does
 * not suit the array; CUDA_ERROR_PEER_ACCESS_NOT_ENABLED for an array of another context;
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call.
 *
 * Manual: Texture Object Management.
 */
CUresult CUDAAPI cuTexObjectCreate(CUtexObject *pTexObject,
                                   const CUDA_RESOURCE_DESC *pResDesc,
                                   const CUDA_TEXTURE_DESC *pTexDesc,
                                   const CUDA_RESOURCE_VIEW_DESC *pResViewDesc);

/**
 * Destroys a texture object.
 *
 * Kernels that were launched before still read through it.
 *
 * @param texObject the object; anything else does nothing.
 *
 * Errors: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call.
 *
 * Manual: Texture Object Management.
 */
CUresult CUDAAPI cuTexObjectDestroy(CUtexObject texObject);

/**
 * Reads the resource of a texture object.
 *
 * Pitched memory with a height of 0 is reported as linear memory.
 *
 * @param pResDesc receives type, members of that type and flags; the rest stays untouched.
 * @param texObject the object.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pResDesc is NULL or texObject is no object of the current context.
 *
 * Manual: Texture Object Management.
 */
CUresult CUDAAPI cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *pResDesc, CUtexObject texObject);

/**
 * Reads the sampling parameters of a texture object.
 *
 * @param pTexDesc receives the parameters, but not the border colour, as with the real driver.
 * @param texObject the object.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pTexDesc is NULL or texObject is no object of the current context.
 *
 * Manual: Texture Object Management.
 */
CUresult CUDAAPI cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *pTexDesc, CUtexObject texObject);

/**
 * Reads the resource view of a texture object.
 *
 * @param pResViewDesc receives the view; stays untouched if the object has none.
 * @param texObject the object.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if pResViewDesc is NULL or texObject is no object of the current context.
 *
 * Manual: Texture Object Management.
 */
CUresult CUDAAPI cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *pResViewDesc, CUtexObject texObject);

/* Version Management */

/**
 * Reports the newest CUDA version that this driver serves.
 *
 * @param driverVersion receives 1000 * major + 10 * minor.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if driverVersion is NULL.
 *
 * Manual: Version Management.
 */
CUresult CUDAAPI cuDriverGetVersion(int *driverVersion);

/* Virtual Memory Management */

/**
 * Reserves a range of addresses without memory behind it.
 *
 * @param ptr receives the first address.
 * @param size size in bytes, a multiple of 2 MiB, at least that.
 * @param alignment in bytes, 0 or a power of two.
 * @param addr the first address that is wanted, a multiple of 2 MiB, or 0; other addresses are given if it is taken or
 *     was given back lately.
 * @param flags 0.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if ptr is NULL, if flags is not 0, or if size, alignment or addr is not
 * such a number; CUDA_ERROR_OUT_OF_MEMORY if no range is large enough.
 *
 * Manual: Virtual Memory Management.
 */
CUresult CUDAAPI cuMemAddressReserve(CUdeviceptr *ptr,
                                     size_t size,
                                     size_t alignment,
                                     CUdeviceptr addr,
                                     unsigned long long flags);

/**
 * Gives back a reserved range of addresses.
 *
 * @param ptr first address of the reservation.
 * @param size its size in bytes.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if ptr and size are not those of one reservation, or if something is mapped
 * in it.
 *
 * Manual: Virtual Memory Management.
 */
CUresult CUDAAPI cuMemAddressFree(CUdeviceptr ptr, size_t size);

/**
 * Creates physical memory that can be mapped at reserved addresses.
 *
 * The memory counts as used from here on, and its pages exist once they are touched; they are zero then.
 *
 * @param handle receives the handle.
 * @param size size in bytes, a multiple of 2 MiB, at least that.
 * @param prop kind (pinned), location, handle types and flags; bits of unknown handle types and usages are ignored.
 * @param flags 0.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL, if flags is not 0, if the size is 0 or no multiple of 2
 * MiB, if a property is unknown or of another system, if properties do not go together, or if the NUMA node does not
 * exist; CUDA_ERROR_INVALID_DEVICE if the device does not exist; CUDA_ERROR_NOT_PERMITTED for fabric handles where
 * no device has a fabric; CUDA_ERROR_OUT_OF_MEMORY if the device has not that much left.
 *
 * Manual: Virtual Memory Management.
 */
CUresult CUDAAPI cuMemCreate(CUmemGenericAllocationHandle *handle,
                             size_t size,
                             const CUmemAllocationProp *prop,
                             unsigned long long flags);

/**
 * Drops a handle to physical memory, which lives on while it is mapped.
 *
 * @param handle the handle; one that was retained is dropped as often.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if handle is no such handle.
 *
 * Manual: Virtual Memory Management.
 */
CUresult CUDAAPI cuMemRelease(CUmemGenericAllocationHandle handle);

/**
 * Maps physical memory at a reserved address.
 *
 * Memory is mapped as a whole. Access is granted separately. Multicast objects are mapped in the same way, once all of their
 * devices were added, for which the call waits.
 *
 * @param ptr first address, in a reservation, a multiple of 2 MiB.
 * @param size size of the memory in bytes.
 * @param offset 0.
 * @param handle handle of the physical memory.
 * @param flags 0.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if flags is not 0, if handle is no such handle, if the memory is for tiles of
 * arrays, which cannot be mapped at addresses, if the range is empty, not aligned or does not begin in a reservation,
 * or if something is mapped in it; CUDA_ERROR_NOT_SUPPORTED if size is not the size of the memory or offset is
 * not 0; CUDA_ERROR_OUT_OF_MEMORY if the system refuses the mapping.
 *
 * Manual: Virtual Memory Management.
 */
CUresult CUDAAPI cuMemMap(CUdeviceptr ptr,
                          size_t size,
                          size_t offset,
                          CUmemGenericAllocationHandle handle,
                          unsigned long long flags);

/**
 * Maps or unmaps tiles of sparse arrays on a stream.
 *
 * Boxes are made of whole tiles, except where a level ends; a mip tail is mapped as a whole. Arrays with deferred
 * mapping get all of their memory at once. Everything is checked before the first entry is carried out, in the
 * stream's order.
 *
 * @param mapInfoList array of count mappings: array, box in elements or mip tail in bytes, memory that was created for
 *     tiles and an offset in it in bytes, a multiple of 64 KiB.
 * @param count number of mappings, at least 1.
 * @param hStream the stream.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if mapInfoList is NULL, if count is 0, if flags or a type of an entry are
 * unknown, if an array is neither sparse nor has deferred mapping, if a box is empty or cuts a tile in two, if memory
 * is none or too small, or if the device is not the array's; CUDA_ERROR_INVALID_HANDLE if hStream is no stream or
 * an array is none; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED if the stream is being captured, which invalidates the
 * capture.
 *
 * Manual: Virtual Memory Management.
 */
CUresult CUDAAPI cuMemMapArrayAsync(CUarrayMapInfo *mapInfoList,
                                    unsigned int count,
                                    CUstream hStream);

/** cuMemMapArrayAsync with stream 0 as the per-thread default stream. */
CUresult CUDAAPI cuMemMapArrayAsync_ptsz(CUarrayMapInfo *mapInfoList, unsigned int count, CUstream hStream);

/**
 * Removes the mappings from a range of addresses.
 *
 * Gaps are fine, and so is a range without any mapping. Nothing is waited for: work in flight that uses the range
 * fails.
 *
 * @param ptr first address, in a reservation.
 * @param size size in bytes, at least 1.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if the range is empty, does not begin in a reservation, or cuts a mapping in two.
 *
 * Manual: Virtual Memory Management.
 */
CUresult CUDAAPI cuMemUnmap(CUdeviceptr ptr, size_t size);

/**
 * Sets which devices may read or write a mapped range.
 *
 * Copies and memsets of memory to which no access was granted fail with CUDA_ERROR_INVALID_VALUE.
 *
 * @param ptr first address, where a mapping begins.
 * @param size size in bytes; the range ends where a mapping ends.
 * @param desc array of count locations, each with its access; for a location that is named twice the last one counts.
 * @param count number of locations, at least 1.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if the range does not begin and end with a mapping, if desc is NULL, if count
 * is 0, or if a location or an access is unknown or the device does not exist; CUDA_ERROR_NOT_SUPPORTED for the
 * host's access to device memory, which can only be denied.
 *
 * Manual: Virtual Memory Management.
 */
CUresult CUDAAPI cuMemSetAccess(CUdeviceptr ptr, size_t size, const CUmemAccessDesc *desc, size_t count);

/**
 * Reports the access that a location has to a mapped address.
 *
 * Memory that the program did not map itself shows no access, whatever it allows.
 *
 * @param flags receives CU_MEM_ACCESS_FLAGS_PROT_*; 0 if no memory is at the address.
 * @param location a device, the host or a NUMA node.
 * @param ptr the address.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL or no memory is at the address; CUDA_ERROR_INVALID_DEVICE
 * if the location is unknown or its device does not exist.
 *
 * Manual: Virtual Memory Management.
 */
CUresult CUDAAPI cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr ptr);

/**
 * Exports physical memory as an operating-system handle.
 *
 * Imported memory cannot be exported.
 *
 * @param shareableHandle receives an int, a new descriptor that the program closes (and exec), or a fabric handle of
 *     64 bytes.
 * @param handle handle of the physical memory.
 * @param handleType a type that the memory was created with: CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR or
 *     CU_MEM_HANDLE_TYPE_FABRIC.
 * @param flags 0.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if shareableHandle is NULL, if flags is not 0, if handle is no such handle,
 * if it was imported, or if the memory was not created with the type; CUDA_ERROR_OPERATING_SYSTEM if there is no
 * descriptor left.
 *
 * Manual: Virtual Memory Management.
 */
CUresult CUDAAPI cuMemExportToShareableHandle(void *shareableHandle,
                                              CUmemGenericAllocationHandle handle,
                                              CUmemAllocationHandleType handleType,
                                              unsigned long long flags);

/**
 * Imports physical memory that another process exported.
 *
 * @param handle receives a handle of its own for the same memory.
 * @param osHandle the descriptor itself, which stays the program's, or the address of a fabric handle.
 * @param shHandleType CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR or CU_MEM_HANDLE_TYPE_FABRIC.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if handle is NULL, if a fabric handle is NULL, or if the type is unknown;
 * CUDA_ERROR_UNKNOWN for a descriptor of anything else; CUDA_ERROR_NOT_SUPPORTED for a fabric handle that names
 * nothing here; CUDA_ERROR_INVALID_DEVICE if the memory's device does not exist here.
 *
 * Manual: Virtual Memory Management.
 */
CUresult CUDAAPI cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle,
                                                void *osHandle,
                                                CUmemAllocationHandleType shHandleType);

/**
 * Reports the minimum or recommended granularity for sizes and addresses.
 *
 * @param granularity receives it in bytes: 2 MiB, whatever the properties are.
 * @param prop the properties; not checked further.
 * @param option CU_MEM_ALLOC_GRANULARITY_MINIMUM or CU_MEM_ALLOC_GRANULARITY_RECOMMENDED.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if a pointer is NULL or the option is unknown.
 *
 * Manual: Virtual Memory Management.
 */
CUresult CUDAAPI cuMemGetAllocationGranularity(size_t *granularity,
                                               const CUmemAllocationProp *prop,
                                               CUmemAllocationGranularity_flags option);

/**
 * Reports the properties with which physical memory was created.
 *
 * @param prop receives the properties: memory on the host shows the NUMA node that it is on, a multicast object no location, and
 *     the usage is always 0.
 * @param handle handle of the physical memory.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if prop is NULL or handle is no such handle.
 *
 * Manual: Virtual Memory Management.
 */
CUresult CUDAAPI cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop,
                                                        CUmemGenericAllocationHandle handle);

/**
 * Finds the physical memory mapped at an address and takes a reference on it.
 *
 * @param handle receives the handle that the program has, or a new one if it released all.
 * @param addr any address of the mapping.
 *
 * Errors: CUDA_ERROR_INVALID_VALUE if handle is NULL, or if the program mapped no memory at the address.
 *
 * Manual: Virtual Memory Management.
 */
CUresult CUDAAPI cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *addr);

#if defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM) && !defined(__CUDA_API_VERSION_INTERNAL)
/** cuGetProcAddress_v2 that prefers per-thread twins unless the flags say which kind is wanted. */
static inline CUresult cuGetProcAddress_v2_ptsz(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags,
                                                CUdriverProcAddressQueryResult *symbolStatus)
{
    if (!(flags & (CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)))
        flags |= CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
    return cuGetProcAddress_v2(symbol, pfn, cudaVersion, flags, symbolStatus);
}
#define cuGetProcAddress_v2 cuGetProcAddress_v2_ptsz
#endif

/* What the plain names mean. */
#if !defined(__CUDA_API_VERSION_INTERNAL)
#define cuArrayCreate cuArrayCreate_v2
#define cuArrayGetDescriptor cuArrayGetDescriptor_v2
#define cuArray3DCreate cuArray3DCreate_v2
#define cuArray3DGetDescriptor cuArray3DGetDescriptor_v2
#define cuStreamBeginCapture __CUDA_API_PTSZ(cuStreamBeginCapture_v2)
#define cuStreamGetCaptureInfo __CUDA_API_PTSZ(cuStreamGetCaptureInfo_v3)
#define cuStreamUpdateCaptureDependencies __CUDA_API_PTSZ(cuStreamUpdateCaptureDependencies_v2)
#define cuCtxCreate cuCtxCreate_v4
#define cuCtxDestroy cuCtxDestroy_v2
#define cuCtxPushCurrent cuCtxPushCurrent_v2
#define cuCtxPopCurrent cuCtxPopCurrent_v2
#define cuDeviceGetUuid cuDeviceGetUuid_v2
#define cuDeviceTotalMem cuDeviceTotalMem_v2
#define cuGetProcAddress cuGetProcAddress_v2
#define cuEventDestroy cuEventDestroy_v2
#define cuEventElapsedTime cuEventElapsedTime_v2
#define cuGraphGetEdges cuGraphGetEdges_v2
#define cuGraphNodeGetDependencies cuGraphNodeGetDependencies_v2
#define cuGraphNodeGetDependentNodes cuGraphNodeGetDependentNodes_v2
#define cuGraphAddDependencies cuGraphAddDependencies_v2
#define cuGraphRemoveDependencies cuGraphRemoveDependencies_v2
#define cuGraphInstantiate cuGraphInstantiateWithFlags
#define cuGraphExecKernelNodeSetParams cuGraphExecKernelNodeSetParams_v2
#define cuGraphExecUpdate cuGraphExecUpdate_v2
#define cuGraphAddKernelNode cuGraphAddKernelNode_v2
#define cuGraphKernelNodeGetParams cuGraphKernelNodeGetParams_v2
#define cuGraphKernelNodeSetParams cuGraphKernelNodeSetParams_v2
#define cuGraphAddNode cuGraphAddNode_v2
#define cuGraphicsResourceGetMappedPointer cuGraphicsResourceGetMappedPointer_v2
#define cuGraphicsResourceSetMapFlags cuGraphicsResourceSetMapFlags_v2
#define cuIpcOpenMemHandle cuIpcOpenMemHandle_v2
#define cuMemPrefetchAsync __CUDA_API_PTSZ(cuMemPrefetchAsync_v2)
#define cuMemAdvise cuMemAdvise_v2
#define cuMemcpyHtoD __CUDA_API_PTDS(cuMemcpyHtoD_v2)
#define cuMemcpyDtoH __CUDA_API_PTDS(cuMemcpyDtoH_v2)
#define cuMemcpyDtoD __CUDA_API_PTDS(cuMemcpyDtoD_v2)
#define cuMemcpyHtoDAsync __CUDA_API_PTSZ(cuMemcpyHtoDAsync_v2)
#define cuMemcpyDtoHAsync __CUDA_API_PTSZ(cuMemcpyDtoHAsync_v2)
#define cuMemcpyDtoDAsync __CUDA_API_PTSZ(cuMemcpyDtoDAsync_v2)
#define cuMemcpyBatchAsync __CUDA_API_PTSZ(cuMemcpyBatchAsync_v2)
#define cuMemcpy3DBatchAsync __CUDA_API_PTSZ(cuMemcpy3DBatchAsync_v2)
#define cuMemcpyDtoA __CUDA_API_PTDS(cuMemcpyDtoA_v2)
#define cuMemcpyAtoD __CUDA_API_PTDS(cuMemcpyAtoD_v2)
#define cuMemcpyHtoA __CUDA_API_PTDS(cuMemcpyHtoA_v2)
#define cuMemcpyAtoH __CUDA_API_PTDS(cuMemcpyAtoH_v2)
#define cuMemcpyAtoA __CUDA_API_PTDS(cuMemcpyAtoA_v2)
#define cuMemcpy2D __CUDA_API_PTDS(cuMemcpy2D_v2)
#define cuMemcpy2DUnaligned __CUDA_API_PTDS(cuMemcpy2DUnaligned_v2)
#define cuMemcpy3D __CUDA_API_PTDS(cuMemcpy3D_v2)
#define cuMemcpyHtoAAsync __CUDA_API_PTSZ(cuMemcpyHtoAAsync_v2)
#define cuMemcpyAtoHAsync __CUDA_API_PTSZ(cuMemcpyAtoHAsync_v2)
#define cuMemcpy2DAsync __CUDA_API_PTSZ(cuMemcpy2DAsync_v2)
#define cuMemcpy3DAsync __CUDA_API_PTSZ(cuMemcpy3DAsync_v2)
#define cuMemGetInfo cuMemGetInfo_v2
#define cuMemAlloc cuMemAlloc_v2
#define cuMemAllocPitch cuMemAllocPitch_v2
#define cuMemFree cuMemFree_v2
#define cuMemGetAddressRange cuMemGetAddressRange_v2
#define cuMemAllocHost cuMemAllocHost_v2
#define cuMemHostGetDevicePointer cuMemHostGetDevicePointer_v2
#define cuMemHostRegister cuMemHostRegister_v2
#define cuMemsetD8 __CUDA_API_PTDS(cuMemsetD8_v2)
#define cuMemsetD16 __CUDA_API_PTDS(cuMemsetD16_v2)
#define cuMemsetD32 __CUDA_API_PTDS(cuMemsetD32_v2)
#define cuMemsetD2D8 __CUDA_API_PTDS(cuMemsetD2D8_v2)
#define cuMemsetD2D16 __CUDA_API_PTDS(cuMemsetD2D16_v2)
#define cuMemsetD2D32 __CUDA_API_PTDS(cuMemsetD2D32_v2)
#define cuModuleGetGlobal cuModuleGetGlobal_v2
#define cuLinkCreate cuLinkCreate_v2
#define cuLinkAddData cuLinkAddData_v2
#define cuLinkAddFile cuLinkAddFile_v2
#define cuDevicePrimaryCtxRelease cuDevicePrimaryCtxRelease_v2
#define cuDevicePrimaryCtxSetFlags cuDevicePrimaryCtxSetFlags_v2
#define cuDevicePrimaryCtxReset cuDevicePrimaryCtxReset_v2
#define cuStreamDestroy cuStreamDestroy_v2
#define cuStreamWaitValue32 __CUDA_API_PTSZ(cuStreamWaitValue32_v2)
#define cuStreamWaitValue64 __CUDA_API_PTSZ(cuStreamWaitValue64_v2)
#define cuStreamWriteValue32 __CUDA_API_PTSZ(cuStreamWriteValue32_v2)
#define cuStreamWriteValue64 __CUDA_API_PTSZ(cuStreamWriteValue64_v2)
#define cuStreamBatchMemOp __CUDA_API_PTSZ(cuStreamBatchMemOp_v2)
#define cuTexRefSetAddress cuTexRefSetAddress_v2
#define cuTexRefSetAddress2D cuTexRefSetAddress2D_v3
#define cuTexRefGetAddress cuTexRefGetAddress_v2

#if defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define cuStreamBeginCaptureToCig __CUDA_API_PTSZ(cuStreamBeginCaptureToCig)
#define cuStreamEndCaptureToCig __CUDA_API_PTSZ(cuStreamEndCaptureToCig)
#define cuStreamBeginRecaptureToGraph __CUDA_API_PTSZ(cuStreamBeginRecaptureToGraph)
#define cuStreamBeginCaptureToGraph __CUDA_API_PTSZ(cuStreamBeginCaptureToGraph)
#define cuStreamEndCapture __CUDA_API_PTSZ(cuStreamEndCapture)
#define cuStreamIsCapturing __CUDA_API_PTSZ(cuStreamIsCapturing)
#define cuMemBatchDecompressAsync __CUDA_API_PTSZ(cuMemBatchDecompressAsync)
#define cuEventRecord __CUDA_API_PTSZ(cuEventRecord)
#define cuEventRecordWithFlags __CUDA_API_PTSZ(cuEventRecordWithFlags)
#define cuLaunchKernel __CUDA_API_PTSZ(cuLaunchKernel)
#define cuLaunchKernelEx __CUDA_API_PTSZ(cuLaunchKernelEx)
#define cuLaunchCooperativeKernel __CUDA_API_PTSZ(cuLaunchCooperativeKernel)
#define cuLaunchHostFunc __CUDA_API_PTSZ(cuLaunchHostFunc)
#define cuLaunchHostFunc_v2 __CUDA_API_PTSZ(cuLaunchHostFunc_v2)
#define cuSignalExternalSemaphoresAsync __CUDA_API_PTSZ(cuSignalExternalSemaphoresAsync)
#define cuWaitExternalSemaphoresAsync __CUDA_API_PTSZ(cuWaitExternalSemaphoresAsync)
#define cuGraphInstantiateWithParams __CUDA_API_PTSZ(cuGraphInstantiateWithParams)
#define cuGraphUpload __CUDA_API_PTSZ(cuGraphUpload)
#define cuGraphLaunch __CUDA_API_PTSZ(cuGraphLaunch)
#define cuGraphicsMapResources __CUDA_API_PTSZ(cuGraphicsMapResources)
#define cuGraphicsUnmapResources __CUDA_API_PTSZ(cuGraphicsUnmapResources)
#define cuStreamGetDevResource __CUDA_API_PTSZ(cuStreamGetDevResource)
#define cuFabricCpyBatchAsync __CUDA_API_PTSZ(cuFabricCpyBatchAsync)
#define cuMemPrefetchBatchAsync __CUDA_API_PTSZ(cuMemPrefetchBatchAsync)
#define cuMemDiscardBatchAsync __CUDA_API_PTSZ(cuMemDiscardBatchAsync)
#define cuMemDiscardAndPrefetchBatchAsync __CUDA_API_PTSZ(cuMemDiscardAndPrefetchBatchAsync)
#define cuMemcpy __CUDA_API_PTDS(cuMemcpy)
#define cuMemcpyPeer __CUDA_API_PTDS(cuMemcpyPeer)
#define cuMemcpyAsync __CUDA_API_PTSZ(cuMemcpyAsync)
#define cuMemcpyPeerAsync __CUDA_API_PTSZ(cuMemcpyPeerAsync)
#define cuMemcpyWithAttributesAsync __CUDA_API_PTSZ(cuMemcpyWithAttributesAsync)
#define cuMemcpy3DWithAttributesAsync __CUDA_API_PTSZ(cuMemcpy3DWithAttributesAsync)
#define cuMemcpy3DPeer __CUDA_API_PTDS(cuMemcpy3DPeer)
#define cuMemcpy3DPeerAsync __CUDA_API_PTSZ(cuMemcpy3DPeerAsync)
#define cuMemsetD8Async __CUDA_API_PTSZ(cuMemsetD8Async)
#define cuMemsetD16Async __CUDA_API_PTSZ(cuMemsetD16Async)
#define cuMemsetD32Async __CUDA_API_PTSZ(cuMemsetD32Async)
#define cuMemsetD2D8Async __CUDA_API_PTSZ(cuMemsetD2D8Async)
#define cuMemsetD2D16Async __CUDA_API_PTSZ(cuMemsetD2D16Async)
#define cuMemsetD2D32Async __CUDA_API_PTSZ(cuMemsetD2D32Async)
#define cuMemFreeAsync __CUDA_API_PTSZ(cuMemFreeAsync)
#define cuMemAllocAsync __CUDA_API_PTSZ(cuMemAllocAsync)
#define cuMemAllocFromPoolAsync __CUDA_API_PTSZ(cuMemAllocFromPoolAsync)
#define cuStreamGetPriority __CUDA_API_PTSZ(cuStreamGetPriority)
#define cuStreamGetDevice __CUDA_API_PTSZ(cuStreamGetDevice)
#define cuStreamGetFlags __CUDA_API_PTSZ(cuStreamGetFlags)
#define cuStreamGetId __CUDA_API_PTSZ(cuStreamGetId)
#define cuStreamGetCtx __CUDA_API_PTSZ(cuStreamGetCtx)
#define cuStreamGetCtx_v2 __CUDA_API_PTSZ(cuStreamGetCtx_v2)
#define cuStreamWaitEvent __CUDA_API_PTSZ(cuStreamWaitEvent)
#define cuStreamAddCallback __CUDA_API_PTSZ(cuStreamAddCallback)
#define cuStreamAttachMemAsync __CUDA_API_PTSZ(cuStreamAttachMemAsync)
#define cuStreamQuery __CUDA_API_PTSZ(cuStreamQuery)
#define cuStreamSynchronize __CUDA_API_PTSZ(cuStreamSynchronize)
#define cuStreamCopyAttributes __CUDA_API_PTSZ(cuStreamCopyAttributes)
#define cuStreamGetAttribute __CUDA_API_PTSZ(cuStreamGetAttribute)
#define cuStreamSetAttribute __CUDA_API_PTSZ(cuStreamSetAttribute)
#define cuMemMapArrayAsync __CUDA_API_PTSZ(cuMemMapArrayAsync)
#endif
#endif

#ifdef __cplusplus
}
#endif

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#endif /* DOPPEL_CUDA_H */
