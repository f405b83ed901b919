/*
 * The types of the CUDA runtime as Doppel provides it.
 * Written by doppel-header from the declarations in crates/cudart/interface. Do not edit.
 */

#if defined(__CUDACC__) && defined(__has_include_next)
#if __has_include_next(<driver_types.h>)
#include_next <driver_types.h>
#define DOPPEL_DRIVER_TYPES_H
#endif
#endif

#if !defined(DOPPEL_DRIVER_TYPES_H) && !defined(__DRIVER_TYPES_H__)
#define DOPPEL_DRIVER_TYPES_H
#define __DRIVER_TYPES_H__

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#endif

#ifndef CUDART_CB
#define CUDART_CB
#endif
#ifndef CUDARTAPI
#define CUDARTAPI
#endif

/* Alignment of a type, as far as the language version knows of it. */
#ifndef CU_DOPPEL_ALIGN
#if (defined(__cplusplus) && __cplusplus >= 201103L) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L)
#define CU_DOPPEL_ALIGN(bytes) __attribute__((aligned(bytes)))
#else
#define CU_DOPPEL_ALIGN(bytes)
#endif
#endif

#ifndef __VECTOR_TYPES_H__
/** The size of a grid, a block or a cluster. */
struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_) {}
#endif
};
typedef struct dim3 dim3;
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The result of every function. */
typedef enum cudaError {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInitializationError = 3,
    cudaErrorCudartUnloading = 4,
    cudaErrorProfilerDisabled = 5,
    cudaErrorProfilerNotInitialized = 6,
    cudaErrorProfilerAlreadyStarted = 7,
    cudaErrorProfilerAlreadyStopped = 8,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorVersionTranslation = 10,
    cudaErrorInvalidPitchValue = 12,
    cudaErrorInvalidSymbol = 13,
    cudaErrorInvalidHostPointer = 16,
    cudaErrorInvalidDevicePointer = 17,
    cudaErrorInvalidTexture = 18,
    cudaErrorInvalidTextureBinding = 19,
    cudaErrorInvalidChannelDescriptor = 20,
    cudaErrorInvalidMemcpyDirection = 21,
    cudaErrorAddressOfConstant = 22,
    cudaErrorTextureFetchFailed = 23,
    cudaErrorTextureNotBound = 24,
    cudaErrorSynchronizationError = 25,
    cudaErrorInvalidFilterSetting = 26,
    cudaErrorInvalidNormSetting = 27,
    cudaErrorMixedDeviceExecution = 28,
    cudaErrorNotYetImplemented = 31,
    cudaErrorMemoryValueTooLarge = 32,
    cudaErrorStubLibrary = 34,
    cudaErrorInsufficientDriver = 35,
    cudaErrorCallRequiresNewerDriver = 36,
    cudaErrorInvalidSurface = 37,
    cudaErrorDuplicateVariableName = 43,
    cudaErrorDuplicateTextureName = 44,
    cudaErrorDuplicateSurfaceName = 45,
    cudaErrorDevicesUnavailable = 46,
    cudaErrorIncompatibleDriverContext = 49,
    cudaErrorMissingConfiguration = 52,
    cudaErrorPriorLaunchFailure = 53,
    cudaErrorLaunchMaxDepthExceeded = 65,
    cudaErrorLaunchFileScopedTex = 66,
    cudaErrorLaunchFileScopedSurf = 67,
    cudaErrorSyncDepthExceeded = 68,
    cudaErrorLaunchPendingCountExceeded = 69,
    cudaErrorInvalidDeviceFunction = 98,
    cudaErrorNoDevice = 100,
    cudaErrorInvalidDevice = 101,
    cudaErrorDeviceNotLicensed = 102,
    cudaErrorSoftwareValidityNotEstablished = 103,
    cudaErrorStartupFailure = 127,
    cudaErrorInvalidKernelImage = 200,
    cudaErrorDeviceUninitialized = 201,
    cudaErrorMapBufferObjectFailed = 205,
    cudaErrorUnmapBufferObjectFailed = 206,
    cudaErrorArrayIsMapped = 207,
    cudaErrorAlreadyMapped = 208,
    cudaErrorNoKernelImageForDevice = 209,
    cudaErrorAlreadyAcquired = 210,
    cudaErrorNotMapped = 211,
    cudaErrorNotMappedAsArray = 212,
    cudaErrorNotMappedAsPointer = 213,
    cudaErrorECCUncorrectable = 214,
    cudaErrorUnsupportedLimit = 215,
    cudaErrorDeviceAlreadyInUse = 216,
    cudaErrorPeerAccessUnsupported = 217,
    cudaErrorInvalidPtx = 218,
    cudaErrorInvalidGraphicsContext = 219,
    cudaErrorNvlinkUncorrectable = 220,
    cudaErrorJitCompilerNotFound = 221,
    cudaErrorUnsupportedPtxVersion = 222,
    cudaErrorJitCompilationDisabled = 223,
    cudaErrorUnsupportedExecAffinity = 224,
    cudaErrorUnsupportedDevSideSync = 225,
    cudaErrorContained = 226,
    cudaErrorInsufficientLoaderVersion = 227,
    cudaErrorInvalidSource = 300,
    cudaErrorFileNotFound = 301,
    cudaErrorSharedObjectSymbolNotFound = 302,
    cudaErrorSharedObjectInitFailed = 303,
    cudaErrorOperatingSystem = 304,
    cudaErrorInvalidResourceHandle = 400,
    cudaErrorIllegalState = 401,
    cudaErrorLossyQuery = 402,
    cudaErrorSymbolNotFound = 500,
    cudaErrorNotReady = 600,
    cudaErrorIllegalAddress = 700,
    cudaErrorLaunchOutOfResources = 701,
    cudaErrorLaunchTimeout = 702,
    cudaErrorLaunchIncompatibleTexturing = 703,
    cudaErrorPeerAccessAlreadyEnabled = 704,
    cudaErrorPeerAccessNotEnabled = 705,
    cudaErrorSetOnActiveProcess = 708,
    cudaErrorContextIsDestroyed = 709,
    cudaErrorAssert = 710,
    cudaErrorTooManyPeers = 711,
    cudaErrorHostMemoryAlreadyRegistered = 712,
    cudaErrorHostMemoryNotRegistered = 713,
    cudaErrorHardwareStackError = 714,
    cudaErrorIllegalInstruction = 715,
    cudaErrorMisalignedAddress = 716,
    cudaErrorInvalidAddressSpace = 717,
    cudaErrorInvalidPc = 718,
    cudaErrorLaunchFailure = 719,
    cudaErrorCooperativeLaunchTooLarge = 720,
    cudaErrorTensorMemoryLeak = 721,
    cudaErrorNotPermitted = 800,
    cudaErrorNotSupported = 801,
    cudaErrorSystemNotReady = 802,
    cudaErrorSystemDriverMismatch = 803,
    cudaErrorCompatNotSupportedOnDevice = 804,
    cudaErrorMpsConnectionFailed = 805,
    cudaErrorMpsRpcFailure = 806,
    cudaErrorMpsServerNotReady = 807,
    cudaErrorMpsMaxClientsReached = 808,
    cudaErrorMpsMaxConnectionsReached = 809,
    cudaErrorMpsClientTerminated = 810,
    cudaErrorCdpNotSupported = 811,
    cudaErrorCdpVersionMismatch = 812,
    cudaErrorStreamCaptureUnsupported = 900,
    cudaErrorStreamCaptureInvalidated = 901,
    cudaErrorStreamCaptureMerge = 902,
    cudaErrorStreamCaptureUnmatched = 903,
    cudaErrorStreamCaptureUnjoined = 904,
    cudaErrorStreamCaptureIsolation = 905,
    cudaErrorStreamCaptureImplicit = 906,
    cudaErrorCapturedEvent = 907,
    cudaErrorStreamCaptureWrongThread = 908,
    cudaErrorTimeout = 909,
    cudaErrorGraphExecUpdateFailure = 910,
    cudaErrorExternalDevice = 911,
    cudaErrorInvalidClusterSize = 912,
    cudaErrorFunctionNotLoaded = 913,
    cudaErrorInvalidResourceType = 914,
    cudaErrorInvalidResourceConfiguration = 915,
    cudaErrorStreamDetached = 917,
    cudaErrorGraphRecaptureFailure = 918,
    cudaErrorFabricNotReady = 919,
    cudaErrorUnknown = 999,
    cudaErrorApiFailureBase = 10000
} cudaError;

/** The result of every function. */
typedef cudaError cudaError_t;

/** Limits of a device. */
typedef enum cudaLimit {
    cudaLimitStackSize = 0,
    cudaLimitPrintfFifoSize = 1,
    cudaLimitMallocHeapSize = 2,
    cudaLimitDevRuntimeSyncDepth = 3,
    cudaLimitDevRuntimePendingLaunchCount = 4,
    cudaLimitMaxL2FetchGranularity = 5,
    cudaLimitPersistingL2CacheSize = 6,
    cudaLimitPerBlockMemorySize = 10
} cudaLimit;

/** What a channel of an element holds. */
typedef enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned = 0,
    cudaChannelFormatKindUnsigned = 1,
    cudaChannelFormatKindFloat = 2,
    cudaChannelFormatKindNone = 3,
    cudaChannelFormatKindNV12 = 4,
    cudaChannelFormatKindUnsignedNormalized8X1 = 5,
    cudaChannelFormatKindUnsignedNormalized8X2 = 6,
    cudaChannelFormatKindUnsignedNormalized8X4 = 7,
    cudaChannelFormatKindUnsignedNormalized16X1 = 8,
    cudaChannelFormatKindUnsignedNormalized16X2 = 9,
    cudaChannelFormatKindUnsignedNormalized16X4 = 10,
    cudaChannelFormatKindSignedNormalized8X1 = 11,
    cudaChannelFormatKindSignedNormalized8X2 = 12,
    cudaChannelFormatKindSignedNormalized8X4 = 13,
    cudaChannelFormatKindSignedNormalized16X1 = 14,
    cudaChannelFormatKindSignedNormalized16X2 = 15,
    cudaChannelFormatKindSignedNormalized16X4 = 16,
    cudaChannelFormatKindUnsignedBlockCompressed1 = 17,
    cudaChannelFormatKindUnsignedBlockCompressed1SRGB = 18,
    cudaChannelFormatKindUnsignedBlockCompressed2 = 19,
    cudaChannelFormatKindUnsignedBlockCompressed2SRGB = 20,
    cudaChannelFormatKindUnsignedBlockCompressed3 = 21,
    cudaChannelFormatKindUnsignedBlockCompressed3SRGB = 22,
    cudaChannelFormatKindUnsignedBlockCompressed4 = 23,
    cudaChannelFormatKindSignedBlockCompressed4 = 24,
    cudaChannelFormatKindUnsignedBlockCompressed5 = 25,
    cudaChannelFormatKindSignedBlockCompressed5 = 26,
    cudaChannelFormatKindUnsignedBlockCompressed6H = 27,
    cudaChannelFormatKindSignedBlockCompressed6H = 28,
    cudaChannelFormatKindUnsignedBlockCompressed7 = 29,
    cudaChannelFormatKindUnsignedBlockCompressed7SRGB = 30,
    cudaChannelFormatKindUnsignedNormalized1010102 = 31,
    cudaChannelFormatKindUnsigned8Packed422 = 32,
    cudaChannelFormatKindUnsigned8Packed444 = 33,
    cudaChannelFormatKindUnsigned8SemiPlanar420 = 34,
    cudaChannelFormatKindUnsigned16SemiPlanar420 = 35,
    cudaChannelFormatKindUnsigned8SemiPlanar422 = 36,
    cudaChannelFormatKindUnsigned16SemiPlanar422 = 37,
    cudaChannelFormatKindUnsigned8SemiPlanar444 = 38,
    cudaChannelFormatKindUnsigned16SemiPlanar444 = 39,
    cudaChannelFormatKindUnsigned8Planar420 = 40,
    cudaChannelFormatKindUnsigned16Planar420 = 41,
    cudaChannelFormatKindUnsigned8Planar422 = 42,
    cudaChannelFormatKindUnsigned16Planar422 = 43,
    cudaChannelFormatKindUnsigned8Planar444 = 44,
    cudaChannelFormatKindUnsigned16Planar444 = 45
} cudaChannelFormatKind;

/** The channels of an array's elements: their bits, and what they hold. */
typedef struct cudaChannelFormatDesc {
    int x;
    int y;
    int z;
    int w;
    cudaChannelFormatKind f;
} cudaChannelFormatDesc;

/** Which of cache and shared memory is preferred. */
typedef enum cudaFuncCache {
    cudaFuncCachePreferNone = 0,
    cudaFuncCachePreferShared = 1,
    cudaFuncCachePreferL1 = 2,
    cudaFuncCachePreferEqual = 3
} cudaFuncCache;

/** An event for another process. */
typedef struct cudaIpcEventHandle_st {
    char reserved[64];
} cudaIpcEventHandle_t;

/** An event. */
typedef struct CUevent_st *cudaEvent_t;

/** Memory for another process. */
typedef struct cudaIpcMemHandle_st {
    char reserved[64];
} cudaIpcMemHandle_t;

/** Whose view of remote writes is flushed. */
typedef enum cudaFlushGPUDirectRDMAWritesTarget {
    cudaFlushGPUDirectRDMAWritesTargetCurrentDevice = 0
} cudaFlushGPUDirectRDMAWritesTarget;

/** How far remote writes are flushed. */
typedef enum cudaFlushGPUDirectRDMAWritesScope {
    cudaFlushGPUDirectRDMAWritesToOwner = 100,
    cudaFlushGPUDirectRDMAWritesToAllDevices = 200
} cudaFlushGPUDirectRDMAWritesScope;

/** The kinds of notifications. */
typedef enum cudaAsyncNotificationType_enum {
    cudaAsyncNotificationTypeOverBudget = 1
} cudaAsyncNotificationType;

/** What a notification tells. */
typedef struct cudaAsyncNotificationInfo {
    cudaAsyncNotificationType type;
    union {
        struct {
            unsigned long long bytesOverBudget;
        } overBudget;
    } info;
} cudaAsyncNotificationInfo;

/** What a notification tells. */
typedef cudaAsyncNotificationInfo cudaAsyncNotificationInfo_t;

/** A function that is told of notifications. */
typedef struct cudaAsyncCallbackEntry *cudaAsyncCallbackHandle_t;

/** Is told of a notification. */
typedef void (*cudaAsyncCallback)(cudaAsyncNotificationInfo_t*, void*, cudaAsyncCallbackHandle_t);

/** The width of shared memory's banks. */
typedef enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault = 0,
    cudaSharedMemBankSizeFourByte = 1,
    cudaSharedMemBankSizeEightByte = 2
} cudaSharedMemConfig;

#ifndef CU_UUID_HAS_BEEN_DEFINED
#define CU_UUID_HAS_BEEN_DEFINED
/** An identifier of 16 bytes. */
typedef struct CUuuid_st {
    char bytes[16];
} CUuuid;
#endif

/** An identifier of 16 bytes. */
typedef CUuuid cudaUUID_t;

/** What a device is. */
typedef struct cudaDeviceProp {
    char name[256];
    cudaUUID_t uuid;
    char luid[8];
    unsigned int luidDeviceNodeMask;
    size_t totalGlobalMem;
    size_t sharedMemPerBlock;
    int regsPerBlock;
    int warpSize;
    size_t memPitch;
    int maxThreadsPerBlock;
    int maxThreadsDim[3];
    int maxGridSize[3];
    size_t totalConstMem;
    int major;
    int minor;
    size_t textureAlignment;
    size_t texturePitchAlignment;
    int multiProcessorCount;
    int integrated;
    int canMapHostMemory;
    int maxTexture1D;
    int maxTexture1DMipmap;
    int maxTexture2D[2];
    int maxTexture2DMipmap[2];
    int maxTexture2DLinear[3];
    int maxTexture2DGather[2];
    int maxTexture3D[3];
    int maxTexture3DAlt[3];
    int maxTextureCubemap;
    int maxTexture1DLayered[2];
    int maxTexture2DLayered[3];
    int maxTextureCubemapLayered[2];
    int maxSurface1D;
    int maxSurface2D[2];
    int maxSurface3D[3];
    int maxSurface1DLayered[2];
    int maxSurface2DLayered[3];
    int maxSurfaceCubemap;
    int maxSurfaceCubemapLayered[2];
    size_t surfaceAlignment;
    int concurrentKernels;
    int ECCEnabled;
    int pciBusID;
    int pciDeviceID;
    int pciDomainID;
    int tccDriver;
    int asyncEngineCount;
    int unifiedAddressing;
    int memoryBusWidth;
    int l2CacheSize;
    int persistingL2CacheMaxSize;
    int maxThreadsPerMultiProcessor;
    int streamPrioritiesSupported;
    int globalL1CacheSupported;
    int localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor;
    int managedMemory;
    int isMultiGpuBoard;
    int multiGpuBoardGroupID;
    int hostNativeAtomicSupported;
    int pageableMemoryAccess;
    int concurrentManagedAccess;
    int computePreemptionSupported;
    int canUseHostPointerForRegisteredMem;
    int cooperativeLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables;
    int directManagedMemAccessFromHost;
    int maxBlocksPerMultiProcessor;
    int accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported;
    int sparseCudaArraySupported;
    int hostRegisterReadOnlySupported;
    int timelineSemaphoreInteropSupported;
    int memoryPoolsSupported;
    int gpuDirectRDMASupported;
    unsigned int gpuDirectRDMAFlushWritesOptions;
    int gpuDirectRDMAWritesOrdering;
    unsigned int memoryPoolSupportedHandleTypes;
    int deferredMappingCudaArraySupported;
    int ipcEventSupported;
    int clusterLaunch;
    int unifiedFunctionPointers;
    int deviceNumaConfig;
    int deviceNumaId;
    int mpsEnabled;
    int hostNumaId;
    unsigned int gpuPciDeviceID;
    unsigned int gpuPciSubsystemID;
    int hostNumaMultinodeIpcSupported;
    int reserved[56];
} cudaDeviceProp;

/** The attributes of a device. */
typedef enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxBlockDimX = 2,
    cudaDevAttrMaxBlockDimY = 3,
    cudaDevAttrMaxBlockDimZ = 4,
    cudaDevAttrMaxGridDimX = 5,
    cudaDevAttrMaxGridDimY = 6,
    cudaDevAttrMaxGridDimZ = 7,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrTotalConstantMemory = 9,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrMaxPitch = 11,
    cudaDevAttrMaxRegistersPerBlock = 12,
    cudaDevAttrClockRate = 13,
    cudaDevAttrTextureAlignment = 14,
    cudaDevAttrGpuOverlap = 15,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrKernelExecTimeout = 17,
    cudaDevAttrIntegrated = 18,
    cudaDevAttrCanMapHostMemory = 19,
    cudaDevAttrComputeMode = 20,
    cudaDevAttrMaxTexture1DWidth = 21,
    cudaDevAttrMaxTexture2DWidth = 22,
    cudaDevAttrMaxTexture2DHeight = 23,
    cudaDevAttrMaxTexture3DWidth = 24,
    cudaDevAttrMaxTexture3DHeight = 25,
    cudaDevAttrMaxTexture3DDepth = 26,
    cudaDevAttrMaxTexture2DLayeredWidth = 27,
    cudaDevAttrMaxTexture2DLayeredHeight = 28,
    cudaDevAttrMaxTexture2DLayeredLayers = 29,
    cudaDevAttrSurfaceAlignment = 30,
    cudaDevAttrConcurrentKernels = 31,
    cudaDevAttrEccEnabled = 32,
    cudaDevAttrPciBusId = 33,
    cudaDevAttrPciDeviceId = 34,
    cudaDevAttrTccDriver = 35,
    cudaDevAttrMemoryClockRate = 36,
    cudaDevAttrGlobalMemoryBusWidth = 37,
    cudaDevAttrL2CacheSize = 38,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrAsyncEngineCount = 40,
    cudaDevAttrUnifiedAddressing = 41,
    cudaDevAttrMaxTexture1DLayeredWidth = 42,
    cudaDevAttrMaxTexture1DLayeredLayers = 43,
    cudaDevAttrMaxTexture2DGatherWidth = 45,
    cudaDevAttrMaxTexture2DGatherHeight = 46,
    cudaDevAttrMaxTexture3DWidthAlt = 47,
    cudaDevAttrMaxTexture3DHeightAlt = 48,
    cudaDevAttrMaxTexture3DDepthAlt = 49,
    cudaDevAttrPciDomainId = 50,
    cudaDevAttrTexturePitchAlignment = 51,
    cudaDevAttrMaxTextureCubemapWidth = 52,
    cudaDevAttrMaxTextureCubemapLayeredWidth = 53,
    cudaDevAttrMaxTextureCubemapLayeredLayers = 54,
    cudaDevAttrMaxSurface1DWidth = 55,
    cudaDevAttrMaxSurface2DWidth = 56,
    cudaDevAttrMaxSurface2DHeight = 57,
    cudaDevAttrMaxSurface3DWidth = 58,
    cudaDevAttrMaxSurface3DHeight = 59,
    cudaDevAttrMaxSurface3DDepth = 60,
    cudaDevAttrMaxSurface1DLayeredWidth = 61,
    cudaDevAttrMaxSurface1DLayeredLayers = 62,
    cudaDevAttrMaxSurface2DLayeredWidth = 63,
    cudaDevAttrMaxSurface2DLayeredHeight = 64,
    cudaDevAttrMaxSurface2DLayeredLayers = 65,
    cudaDevAttrMaxSurfaceCubemapWidth = 66,
    cudaDevAttrMaxSurfaceCubemapLayeredWidth = 67,
    cudaDevAttrMaxSurfaceCubemapLayeredLayers = 68,
    cudaDevAttrMaxTexture1DLinearWidth = 69,
    cudaDevAttrMaxTexture2DLinearWidth = 70,
    cudaDevAttrMaxTexture2DLinearHeight = 71,
    cudaDevAttrMaxTexture2DLinearPitch = 72,
    cudaDevAttrMaxTexture2DMipmappedWidth = 73,
    cudaDevAttrMaxTexture2DMipmappedHeight = 74,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrMaxTexture1DMipmappedWidth = 77,
    cudaDevAttrStreamPrioritiesSupported = 78,
    cudaDevAttrGlobalL1CacheSupported = 79,
    cudaDevAttrLocalL1CacheSupported = 80,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
    cudaDevAttrMaxRegistersPerMultiprocessor = 82,
    cudaDevAttrManagedMemory = 83,
    cudaDevAttrIsMultiGpuBoard = 84,
    cudaDevAttrMultiGpuBoardGroupID = 85,
    cudaDevAttrHostNativeAtomicSupported = 86,
    cudaDevAttrSingleToDoublePrecisionPerfRatio = 87,
    cudaDevAttrPageableMemoryAccess = 88,
    cudaDevAttrConcurrentManagedAccess = 89,
    cudaDevAttrComputePreemptionSupported = 90,
    cudaDevAttrCanUseHostPointerForRegisteredMem = 91,
    cudaDevAttrReserved92 = 92,
    cudaDevAttrReserved93 = 93,
    cudaDevAttrReserved94 = 94,
    cudaDevAttrCooperativeLaunch = 95,
    cudaDevAttrReserved96 = 96,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
    cudaDevAttrCanFlushRemoteWrites = 98,
    cudaDevAttrHostRegisterSupported = 99,
    cudaDevAttrPageableMemoryAccessUsesHostPageTables = 100,
    cudaDevAttrDirectManagedMemAccessFromHost = 101,
    cudaDevAttrMaxBlocksPerMultiprocessor = 106,
    cudaDevAttrMaxPersistingL2CacheSize = 108,
    cudaDevAttrMaxAccessPolicyWindowSize = 109,
    cudaDevAttrReservedSharedMemoryPerBlock = 111,
    cudaDevAttrSparseCudaArraySupported = 112,
    cudaDevAttrHostRegisterReadOnlySupported = 113,
    cudaDevAttrTimelineSemaphoreInteropSupported = 114,
    cudaDevAttrMemoryPoolsSupported = 115,
    cudaDevAttrGPUDirectRDMASupported = 116,
    cudaDevAttrGPUDirectRDMAFlushWritesOptions = 117,
    cudaDevAttrGPUDirectRDMAWritesOrdering = 118,
    cudaDevAttrMemoryPoolSupportedHandleTypes = 119,
    cudaDevAttrClusterLaunch = 120,
    cudaDevAttrDeferredMappingCudaArraySupported = 121,
    cudaDevAttrReserved122 = 122,
    cudaDevAttrReserved123 = 123,
    cudaDevAttrReserved124 = 124,
    cudaDevAttrIpcEventSupport = 125,
    cudaDevAttrMemSyncDomainCount = 126,
    cudaDevAttrReserved127 = 127,
    cudaDevAttrReserved128 = 128,
    cudaDevAttrReserved129 = 129,
    cudaDevAttrNumaConfig = 130,
    cudaDevAttrNumaId = 131,
    cudaDevAttrReserved132 = 132,
    cudaDevAttrMpsEnabled = 133,
    cudaDevAttrHostNumaId = 134,
    cudaDevAttrD3D12CigSupported = 135,
    cudaDevAttrVulkanCigSupported = 138,
    cudaDevAttrGpuPciDeviceId = 139,
    cudaDevAttrGpuPciSubsystemId = 140,
    cudaDevAttrReserved141 = 141,
    cudaDevAttrHostNumaMemoryPoolsSupported = 142,
    cudaDevAttrHostNumaMultinodeIpcSupported = 143,
    cudaDevAttrHostMemoryPoolsSupported = 144,
    cudaDevAttrReserved145 = 145,
    cudaDevAttrOnlyPartialHostNativeAtomicSupported = 147,
    cudaDevAttrAtomicReductionSupported = 148,
    cudaDevAttrLocalityDomainCount = 149,
    cudaDevAttrOversizedSharedMemoryPerBlock = 150,
    cudaDevAttrCigStreamsSupported = 151,
    cudaDevAttrLocalityDomainMultiprocessorCount = 157,
    cudaDevAttrTensorMapLargeTensorMinSize = 160,
    cudaDevAttrMax = 161
} cudaDeviceAttr;

/** Atomic operations between devices and the host. */
typedef enum cudaAtomicOperation {
    cudaAtomicOperationIntegerAdd = 0,
    cudaAtomicOperationIntegerMin = 1,
    cudaAtomicOperationIntegerMax = 2,
    cudaAtomicOperationIntegerIncrement = 3,
    cudaAtomicOperationIntegerDecrement = 4,
    cudaAtomicOperationAnd = 5,
    cudaAtomicOperationOr = 6,
    cudaAtomicOperationXOR = 7,
    cudaAtomicOperationExchange = 8,
    cudaAtomicOperationCAS = 9,
    cudaAtomicOperationFloatAdd = 10,
    cudaAtomicOperationFloatMin = 11,
    cudaAtomicOperationFloatMax = 12
} cudaAtomicOperation;

/** A pool of memory. */
typedef struct CUmemPoolHandle_st *cudaMemPool_t;

/** The attributes of a pair of devices. */
typedef enum cudaDeviceP2PAttr {
    cudaDevP2PAttrPerformanceRank = 1,
    cudaDevP2PAttrAccessSupported = 2,
    cudaDevP2PAttrNativeAtomicSupported = 3,
    cudaDevP2PAttrCudaArrayAccessSupported = 4,
    cudaDevP2PAttrOnlyPartialNativeAtomicSupported = 5
} cudaDeviceP2PAttr;

/** A stream. */
typedef struct CUstream_st *cudaStream_t;

/** The attributes of a launch. */
typedef enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore = 0,
    cudaLaunchAttributeAccessPolicyWindow = 1,
    cudaLaunchAttributeCooperative = 2,
    cudaLaunchAttributeSynchronizationPolicy = 3,
    cudaLaunchAttributeClusterDimension = 4,
    cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
    cudaLaunchAttributeProgrammaticStreamSerialization = 6,
    cudaLaunchAttributeProgrammaticEvent = 7,
    cudaLaunchAttributePriority = 8,
    cudaLaunchAttributeMemSyncDomainMap = 9,
    cudaLaunchAttributeMemSyncDomain = 10,
    cudaLaunchAttributePreferredClusterDimension = 11,
    cudaLaunchAttributeLaunchCompletionEvent = 12,
    cudaLaunchAttributeDeviceUpdatableKernelNode = 13,
    cudaLaunchAttributePreferredSharedMemoryCarveout = 14,
    cudaLaunchAttributeNvlinkUtilCentricScheduling = 16,
    cudaLaunchAttributePortableClusterSizeMode = 17,
    cudaLaunchAttributeSharedMemoryMode = 18
} cudaLaunchAttributeID;

/** How accesses treat the cache. */
typedef enum cudaAccessProperty {
    cudaAccessPropertyNormal = 0,
    cudaAccessPropertyStreaming = 1,
    cudaAccessPropertyPersisting = 2
} cudaAccessProperty;

/** A range with its policy of access. */
typedef struct cudaAccessPolicyWindow {
    void *base_ptr;
    size_t num_bytes;
    float hitRatio;
    cudaAccessProperty hitProp;
    cudaAccessProperty missProp;
} cudaAccessPolicyWindow;

/** How threads of the host wait. */
typedef enum cudaSynchronizationPolicy {
    cudaSyncPolicyAuto = 1,
    cudaSyncPolicySpin = 2,
    cudaSyncPolicyYield = 3,
    cudaSyncPolicyBlockingSync = 4
} cudaSynchronizationPolicy;

/** How clusters are scheduled. */
typedef enum cudaClusterSchedulingPolicy {
    cudaClusterSchedulingPolicyDefault = 0,
    cudaClusterSchedulingPolicySpread = 1,
    cudaClusterSchedulingPolicyLoadBalancing = 2,
    cudaClusterSchedulingPolicyRubinDsmemLocality = 3
} cudaClusterSchedulingPolicy;

/** Which domains of memory order stand for which. */
typedef struct cudaLaunchMemSyncDomainMap_st {
    unsigned char default_;
    unsigned char remote;
} cudaLaunchMemSyncDomainMap;

/** Domains of memory order. */
typedef enum cudaLaunchMemSyncDomain {
    cudaLaunchMemSyncDomainDefault = 0,
    cudaLaunchMemSyncDomainRemote = 1
} cudaLaunchMemSyncDomain;

/** A node of a graph that kernels may update. */
typedef struct CUgraphDeviceUpdatableNode_st *cudaGraphDeviceNode_t;

/** Whether clusters keep to sizes that every device has. */
typedef enum cudaLaunchAttributePortableClusterMode {
    cudaLaunchPortableClusterModeDefault = 0,
    cudaLaunchPortableClusterModeRequirePortable = 1,
    cudaLaunchPortableClusterModeAllowNonPortable = 2
} cudaLaunchAttributePortableClusterMode;

/** How shared memory is given out. */
typedef enum cudaSharedMemoryMode {
    cudaSharedMemoryModeDefault = 0,
    cudaSharedMemoryModeRequirePortable = 1,
    cudaSharedMemoryModeAllowNonPortable = 2,
    cudaSharedMemoryModeAllowOversizedSharedMemory = 3,
    cudaSharedMemoryModePreferOversizedSharedMemory = 4
} cudaSharedMemoryMode;

/** The value of an attribute of a launch. */
typedef union cudaLaunchAttributeValue {
    char pad[64];
    cudaAccessPolicyWindow accessPolicyWindow;
    int cooperative;
    cudaSynchronizationPolicy syncPolicy;
    struct {
        unsigned int x;
        unsigned int y;
        unsigned int z;
    } clusterDim;
    cudaClusterSchedulingPolicy clusterSchedulingPolicyPreference;
    int programmaticStreamSerializationAllowed;
    struct {
        cudaEvent_t event;
        int flags;
        int triggerAtBlockStart;
    } programmaticEvent;
    int priority;
    cudaLaunchMemSyncDomainMap memSyncDomainMap;
    cudaLaunchMemSyncDomain memSyncDomain;
    struct {
        unsigned int x;
        unsigned int y;
        unsigned int z;
    } preferredClusterDim;
    struct {
        cudaEvent_t event;
        int flags;
    } launchCompletionEvent;
    struct {
        int deviceUpdatable;
        cudaGraphDeviceNode_t devNode;
    } deviceUpdatableKernelNode;
    unsigned int sharedMemCarveout;
    unsigned int nvlinkUtilCentricScheduling;
    cudaLaunchAttributePortableClusterMode portableClusterSizeMode;
    cudaSharedMemoryMode sharedMemoryMode;
} cudaLaunchAttributeValue;

/** Is called when the work before it is done. */
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *userData);

/** Which calls a capture forbids. */
typedef enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal = 0,
    cudaStreamCaptureModeThreadLocal = 1,
    cudaStreamCaptureModeRelaxed = 2
} cudaStreamCaptureMode;

/** A graph. */
typedef struct CUgraph_st *cudaGraph_t;

/** A node of a graph. */
typedef struct CUgraphNode_st *cudaGraphNode_t;

/** What an edge of a graph means. */
typedef struct cudaGraphEdgeData_st {
    unsigned char from_port;
    unsigned char to_port;
    unsigned char type;
    unsigned char reserved[5];
} cudaGraphEdgeData;

/** Whether a stream is captured. */
typedef enum cudaStreamCaptureStatus {
    cudaStreamCaptureStatusNone = 0,
    cudaStreamCaptureStatusActive = 1,
    cudaStreamCaptureStatusInvalidated = 2
} cudaStreamCaptureStatus;

/** Memory of another interface. */
typedef struct CUexternalMemory_st *cudaExternalMemory_t;

/** What kind of handle names memory of another interface. */
typedef enum cudaExternalMemoryHandleType {
    cudaExternalMemoryHandleTypeOpaqueFd = 1,
    cudaExternalMemoryHandleTypeOpaqueWin32 = 2,
    cudaExternalMemoryHandleTypeOpaqueWin32Kmt = 3,
    cudaExternalMemoryHandleTypeD3D12Heap = 4,
    cudaExternalMemoryHandleTypeD3D12Resource = 5,
    cudaExternalMemoryHandleTypeD3D11Resource = 6,
    cudaExternalMemoryHandleTypeD3D11ResourceKmt = 7,
    cudaExternalMemoryHandleTypeNvSciBuf = 8
} cudaExternalMemoryHandleType;

/** Memory of another interface to import. */
typedef struct cudaExternalMemoryHandleDesc {
    cudaExternalMemoryHandleType type;
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
} cudaExternalMemoryHandleDesc;

/** A range of imported memory. */
typedef struct cudaExternalMemoryBufferDesc {
    unsigned long long offset;
    unsigned long long size;
    unsigned int flags;
    unsigned int reserved[16];
} cudaExternalMemoryBufferDesc;

/** An array with levels. */
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;

/** Width, height and depth. */
typedef struct cudaExtent {
    size_t width;
    size_t height;
    size_t depth;
} cudaExtent;

/** An array with levels in imported memory. */
typedef struct cudaExternalMemoryMipmappedArrayDesc {
    unsigned long long offset;
    cudaChannelFormatDesc formatDesc;
    cudaExtent extent;
    unsigned int flags;
    unsigned int numLevels;
    unsigned int reserved[16];
} cudaExternalMemoryMipmappedArrayDesc;

/** A semaphore of another interface. */
typedef struct CUexternalSemaphore_st *cudaExternalSemaphore_t;

/** What kind of handle names a semaphore of another interface. */
typedef enum cudaExternalSemaphoreHandleType {
    cudaExternalSemaphoreHandleTypeOpaqueFd = 1,
    cudaExternalSemaphoreHandleTypeOpaqueWin32 = 2,
    cudaExternalSemaphoreHandleTypeOpaqueWin32Kmt = 3,
    cudaExternalSemaphoreHandleTypeD3D12Fence = 4,
    cudaExternalSemaphoreHandleTypeD3D11Fence = 5,
    cudaExternalSemaphoreHandleTypeNvSciSync = 6,
    cudaExternalSemaphoreHandleTypeKeyedMutex = 7,
    cudaExternalSemaphoreHandleTypeKeyedMutexKmt = 8,
    cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd = 9,
    cudaExternalSemaphoreHandleTypeTimelineSemaphoreWin32 = 10
} cudaExternalSemaphoreHandleType;

/** A semaphore of another interface to import. */
typedef struct cudaExternalSemaphoreHandleDesc {
    cudaExternalSemaphoreHandleType type;
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
} cudaExternalSemaphoreHandleDesc;

/** How a semaphore is signalled. */
typedef struct cudaExternalSemaphoreSignalParams {
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
} cudaExternalSemaphoreSignalParams;

/** How a semaphore is waited for. */
typedef struct cudaExternalSemaphoreWaitParams {
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
} cudaExternalSemaphoreWaitParams;

/** An attribute of a launch with its value. */
typedef struct cudaLaunchAttribute_st {
    cudaLaunchAttributeID id;
    char pad[4];
    cudaLaunchAttributeValue val;
} cudaLaunchAttribute;

/** A launch: grid, block, shared memory, stream, attributes. */
typedef struct cudaLaunchConfig_st {
    dim3 gridDim;
    dim3 blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned int numAttrs;
} cudaLaunchConfig_t;

/** What a kernel needs and may have. */
typedef struct cudaFuncAttributes {
    size_t sharedSizeBytes;
    size_t constSizeBytes;
    size_t localSizeBytes;
    int maxThreadsPerBlock;
    int numRegs;
    int ptxVersion;
    int binaryVersion;
    int cacheModeCA;
    int maxDynamicSharedSizeBytes;
    int preferredShmemCarveout;
    int clusterDimMustBeSet;
    int requiredClusterWidth;
    int requiredClusterHeight;
    int requiredClusterDepth;
    int clusterSchedulingPolicyPreference;
    int nonPortableClusterSizeAllowed;
    int deviceNodeUpdateStatus;
    cudaSharedMemoryMode sharedMemoryMode;
    int reserved[14];
} cudaFuncAttributes;

/** The attributes of a kernel that can be set. */
typedef enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,
    cudaFuncAttributeClusterDimMustBeSet = 10,
    cudaFuncAttributeRequiredClusterWidth = 11,
    cudaFuncAttributeRequiredClusterHeight = 12,
    cudaFuncAttributeRequiredClusterDepth = 13,
    cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
    cudaFuncAttributeClusterSchedulingPolicyPreference = 15,
    cudaFuncAttributeSharedMemoryMode = 16,
    cudaFuncAttributeMax = 17
} cudaFuncAttribute;

/** A function of the host in a stream or a graph. */
typedef void (*cudaHostFn_t)(void *userData);

/** An array. */
typedef struct cudaArray *cudaArray_t;

/** Rows of linear memory. */
typedef struct cudaPitchedPtr {
    void *ptr;
    size_t pitch;
    size_t xsize;
    size_t ysize;
} cudaPitchedPtr;

/** An array with levels that is only read. */
typedef const struct cudaMipmappedArray *cudaMipmappedArray_const_t;

/** A place in an array or in linear memory. */
typedef struct cudaPos {
    size_t x;
    size_t y;
    size_t z;
} cudaPos;

/** From where to where is copied. */
typedef enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4
} cudaMemcpyKind;

/** A copy of three dimensions. */
typedef struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
} cudaMemcpy3DParms;

/** A copy of three dimensions between devices. */
typedef struct cudaMemcpy3DPeerParms {
    cudaArray_t srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    int srcDevice;
    cudaArray_t dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    int dstDevice;
    cudaExtent extent;
} cudaMemcpy3DPeerParms;

/** How much memory an array needs. */
typedef struct cudaArrayMemoryRequirements {
    size_t size;
    size_t alignment;
    unsigned int reserved[4];
} cudaArrayMemoryRequirements;

/** The tiles of a sparse array. */
typedef struct cudaArraySparseProperties {
    struct {
        unsigned int width;
        unsigned int height;
        unsigned int depth;
    } tileExtent;
    unsigned int miptailFirstLevel;
    unsigned long long miptailSize;
    unsigned int flags;
    unsigned int reserved[4];
} cudaArraySparseProperties;

/** An array that is only read. */
typedef const struct cudaArray *cudaArray_const_t;

/** When the source of a copy is read. */
typedef enum cudaMemcpySrcAccessOrder {
    cudaMemcpySrcAccessOrderInvalid = 0,
    cudaMemcpySrcAccessOrderStream = 1,
    cudaMemcpySrcAccessOrderDuringApiCall = 2,
    cudaMemcpySrcAccessOrderAny = 3,
    cudaMemcpySrcAccessOrderMax = 2147483647
} cudaMemcpySrcAccessOrder;

/** The kinds of places where memory may be. */
typedef enum cudaMemLocationType {
    cudaMemLocationTypeInvalid = 0,
    cudaMemLocationTypeNone = 0,
    cudaMemLocationTypeDevice = 1,
    cudaMemLocationTypeHost = 2,
    cudaMemLocationTypeHostNuma = 3,
    cudaMemLocationTypeHostNumaCurrent = 4,
    cudaMemLocationTypeInvisible = 5,
    cudaMemLocationTypeDeviceLocalityDomain = 6
} cudaMemLocationType;

/** A place where memory may be. */
typedef struct cudaMemLocation {
    cudaMemLocationType type;
    union {
        int id;
        struct {
            unsigned char deviceId;
            unsigned char localityDomainId;
        } localized;
    };
} cudaMemLocation;

/** How copies of a batch are made. */
typedef struct cudaMemcpyAttributes {
    cudaMemcpySrcAccessOrder srcAccessOrder;
    cudaMemLocation srcLocHint;
    cudaMemLocation dstLocHint;
    unsigned int flags;
} cudaMemcpyAttributes;

/** What kind of operand a copy has. */
typedef enum cudaMemcpy3DOperandType {
    cudaMemcpyOperandTypePointer = 1,
    cudaMemcpyOperandTypeArray = 2,
    cudaMemcpyOperandTypeMax = 2147483647
} cudaMemcpy3DOperandType;

/** A place in an array. */
typedef struct cudaOffset3D {
    size_t x;
    size_t y;
    size_t z;
} cudaOffset3D;

/** The source or destination of a copy in a batch. */
typedef struct cudaMemcpy3DOperand {
    cudaMemcpy3DOperandType type;
    union {
        struct {
            void *ptr;
            size_t rowLength;
            size_t layerHeight;
            cudaMemLocation locHint;
        } ptr;
        struct {
            cudaArray_t array;
            cudaOffset3D offset;
        } array;
    } op;
} cudaMemcpy3DOperand;

/** A copy of a batch. */
typedef struct cudaMemcpy3DBatchOp {
    cudaMemcpy3DOperand src;
    cudaMemcpy3DOperand dst;
    cudaExtent extent;
    cudaMemcpySrcAccessOrder srcAccessOrder;
    unsigned int flags;
} cudaMemcpy3DBatchOp;

/** Advice on the use of managed memory. */
typedef enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly = 2,
    cudaMemAdviseSetPreferredLocation = 3,
    cudaMemAdviseUnsetPreferredLocation = 4,
    cudaMemAdviseSetAccessedBy = 5,
    cudaMemAdviseUnsetAccessedBy = 6
} cudaMemoryAdvise;

/** The attributes of a range of managed memory. */
typedef enum cudaMemRangeAttribute {
    cudaMemRangeAttributeReadMostly = 1,
    cudaMemRangeAttributePreferredLocation = 2,
    cudaMemRangeAttributeAccessedBy = 3,
    cudaMemRangeAttributeLastPrefetchLocation = 4,
    cudaMemRangeAttributePreferredLocationType = 5,
    cudaMemRangeAttributePreferredLocationId = 6,
    cudaMemRangeAttributeLastPrefetchLocationType = 7,
    cudaMemRangeAttributeLastPrefetchLocationId = 8
} cudaMemRangeAttribute;

/** The attributes of a pool. */
typedef enum cudaMemPoolAttr {
    cudaMemPoolReuseFollowEventDependencies = 1,
    cudaMemPoolReuseAllowOpportunistic = 2,
    cudaMemPoolReuseAllowInternalDependencies = 3,
    cudaMemPoolAttrReleaseThreshold = 4,
    cudaMemPoolAttrReservedMemCurrent = 5,
    cudaMemPoolAttrReservedMemHigh = 6,
    cudaMemPoolAttrUsedMemCurrent = 7,
    cudaMemPoolAttrUsedMemHigh = 8,
    cudaMemPoolAttrAllocationType = 9,
    cudaMemPoolAttrExportHandleTypes = 10,
    cudaMemPoolAttrLocationId = 11,
    cudaMemPoolAttrLocationType = 12,
    cudaMemPoolAttrMaxPoolSize = 13,
    cudaMemPoolAttrHwDecompressEnabled = 14,
    cudaMemPoolAttrLocalityDomainId = 15
} cudaMemPoolAttr;

/** What a device may do with memory. */
typedef enum cudaMemAccessFlags {
    cudaMemAccessFlagsProtNone = 0,
    cudaMemAccessFlagsProtRead = 1,
    cudaMemAccessFlagsProtReadWrite = 3
} cudaMemAccessFlags;

/** What the device at a place may do with memory. */
typedef struct cudaMemAccessDesc {
    cudaMemLocation location;
    cudaMemAccessFlags flags;
} cudaMemAccessDesc;

/** The kinds of allocations. */
typedef enum cudaMemAllocationType {
    cudaMemAllocationTypeInvalid = 0,
    cudaMemAllocationTypePinned = 1,
    cudaMemAllocationTypeManaged = 2,
    cudaMemAllocationTypeMax = 2147483647
} cudaMemAllocationType;

/** The kinds of handles under which memory is exported. */
typedef enum cudaMemAllocationHandleType {
    cudaMemHandleTypeNone = 0,
    cudaMemHandleTypePosixFileDescriptor = 1,
    cudaMemHandleTypeWin32 = 2,
    cudaMemHandleTypeWin32Kmt = 4,
    cudaMemHandleTypeFabric = 8
} cudaMemAllocationHandleType;

/** What a pool is made of. */
typedef struct cudaMemPoolProps {
    cudaMemAllocationType allocType;
    cudaMemAllocationHandleType handleTypes;
    cudaMemLocation location;
    void *win32SecurityAttributes;
    size_t maxSize;
    unsigned short usage;
    unsigned char reserved[53];
    unsigned char reserved1;
} cudaMemPoolProps;

/** An allocation of a pool for another process. */
typedef struct cudaMemPoolPtrExportData {
    unsigned char reserved[64];
} cudaMemPoolPtrExportData;

/** Whose memory an address is in. */
typedef enum cudaMemoryType {
    cudaMemoryTypeUnregistered = 0,
    cudaMemoryTypeHost = 1,
    cudaMemoryTypeDevice = 2,
    cudaMemoryTypeManaged = 3
} cudaMemoryType;

/** What is known of an address. */
typedef struct cudaPointerAttributes {
    cudaMemoryType type;
    int device;
    void *devicePointer;
    void *hostPointer;
    union {
        int localityDomainOrdinal;
        long unused;
    };
    long reserved[7];
} cudaPointerAttributes;

/** A resource of a graphics interface. */
typedef struct cudaGraphicsResource *cudaGraphicsResource_t;

/** A texture object. */
typedef unsigned long long cudaTextureObject_t;

/** The kinds of resources behind textures and surfaces. */
typedef enum cudaResourceType {
    cudaResourceTypeArray = 0,
    cudaResourceTypeMipmappedArray = 1,
    cudaResourceTypeLinear = 2,
    cudaResourceTypePitch2D = 3
} cudaResourceType;

/** The resource behind a texture or surface object. */
typedef struct cudaResourceDesc {
    cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            cudaMipmappedArray_t mipmap;
        } mipmap;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t width;
            size_t height;
            size_t pitchInBytes;
        } pitch2D;
        struct {
            int reserved[32];
        } reserved;
    } res;
    unsigned int flags;
} cudaResourceDesc;

/** What is read outside of a texture. */
typedef enum cudaTextureAddressMode {
    cudaAddressModeWrap = 0,
    cudaAddressModeClamp = 1,
    cudaAddressModeMirror = 2,
    cudaAddressModeBorder = 3
} cudaTextureAddressMode;

/** How elements of a texture are interpolated. */
typedef enum cudaTextureFilterMode {
    cudaFilterModePoint = 0,
    cudaFilterModeLinear = 1
} cudaTextureFilterMode;

/** Whether integers are read as fractions of their largest value. */
typedef enum cudaTextureReadMode {
    cudaReadModeElementType = 0,
    cudaReadModeNormalizedFloat = 1
} cudaTextureReadMode;

/** How a texture is read. */
typedef struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned int maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias;
    float minMipmapLevelClamp;
    float maxMipmapLevelClamp;
    int disableTrilinearOptimization;
    int seamlessCubemap;
} cudaTextureDesc;

/** How a view takes elements. */
typedef enum cudaResourceViewFormat {
    cudaResViewFormatNone = 0,
    cudaResViewFormatUnsignedChar1 = 1,
    cudaResViewFormatUnsignedChar2 = 2,
    cudaResViewFormatUnsignedChar4 = 3,
    cudaResViewFormatSignedChar1 = 4,
    cudaResViewFormatSignedChar2 = 5,
    cudaResViewFormatSignedChar4 = 6,
    cudaResViewFormatUnsignedShort1 = 7,
    cudaResViewFormatUnsignedShort2 = 8,
    cudaResViewFormatUnsignedShort4 = 9,
    cudaResViewFormatSignedShort1 = 10,
    cudaResViewFormatSignedShort2 = 11,
    cudaResViewFormatSignedShort4 = 12,
    cudaResViewFormatUnsignedInt1 = 13,
    cudaResViewFormatUnsignedInt2 = 14,
    cudaResViewFormatUnsignedInt4 = 15,
    cudaResViewFormatSignedInt1 = 16,
    cudaResViewFormatSignedInt2 = 17,
    cudaResViewFormatSignedInt4 = 18,
    cudaResViewFormatHalf1 = 19,
    cudaResViewFormatHalf2 = 20,
    cudaResViewFormatHalf4 = 21,
    cudaResViewFormatFloat1 = 22,
    cudaResViewFormatFloat2 = 23,
    cudaResViewFormatFloat4 = 24,
    cudaResViewFormatUnsignedBlockCompressed1 = 25,
    cudaResViewFormatUnsignedBlockCompressed2 = 26,
    cudaResViewFormatUnsignedBlockCompressed3 = 27,
    cudaResViewFormatUnsignedBlockCompressed4 = 28,
    cudaResViewFormatSignedBlockCompressed4 = 29,
    cudaResViewFormatUnsignedBlockCompressed5 = 30,
    cudaResViewFormatSignedBlockCompressed5 = 31,
    cudaResViewFormatUnsignedBlockCompressed6H = 32,
    cudaResViewFormatSignedBlockCompressed6H = 33,
    cudaResViewFormatUnsignedBlockCompressed7 = 34
} cudaResourceViewFormat;

/** A view of a resource. */
typedef struct cudaResourceViewDesc {
    cudaResourceViewFormat format;
    size_t width;
    size_t height;
    size_t depth;
    unsigned int firstMipmapLevel;
    unsigned int lastMipmapLevel;
    unsigned int firstLayer;
    unsigned int lastLayer;
    unsigned int reserved[16];
} cudaResourceViewDesc;

/** A surface object. */
typedef unsigned long long cudaSurfaceObject_t;

/** How bad it is what a message tells. */
typedef enum CUDAlogLevel_enum {
    cudaLogLevelError = 0,
    cudaLogLevelWarning = 1
} cudaLogLevel;

/** Is told messages. */
typedef void (*cudaLogsCallback_t)(void *data, cudaLogLevel logLevel, char *message, size_t length);

/** A function that is told messages. */
typedef struct CUlogsCallbackEntry_st *cudaLogsCallbackHandle;

/** A place among messages. */
typedef unsigned int cudaLogIterator;

/** A launch in a graph. */
typedef struct cudaKernelNodeParams {
    void *func;
    dim3 gridDim;
    dim3 blockDim;
    unsigned int sharedMemBytes;
    void **kernelParams;
    void **extra;
} cudaKernelNodeParams;

/** A memset in a graph. */
typedef struct cudaMemsetParams {
    void *dst;
    size_t pitch;
    unsigned int value;
    unsigned int elementSize;
    size_t width;
    size_t height;
} cudaMemsetParams;

/** A function of the host in a graph. */
typedef struct cudaHostNodeParams {
    cudaHostFn_t fn;
    void *userData;
} cudaHostNodeParams;

/** Semaphores that a node signals. */
typedef struct cudaExternalSemaphoreSignalNodeParams {
    cudaExternalSemaphore_t *extSemArray;
    const cudaExternalSemaphoreSignalParams *paramsArray;
    unsigned int numExtSems;
} cudaExternalSemaphoreSignalNodeParams;

/** Semaphores that a node waits for. */
typedef struct cudaExternalSemaphoreWaitNodeParams {
    cudaExternalSemaphore_t *extSemArray;
    const cudaExternalSemaphoreWaitParams *paramsArray;
    unsigned int numExtSems;
} cudaExternalSemaphoreWaitNodeParams;

/** An allocation in a graph. */
typedef struct cudaMemAllocNodeParams {
    cudaMemPoolProps poolProps;
    const cudaMemAccessDesc *accessDescs;
    size_t accessDescCount;
    size_t bytesize;
    void *dptr;
} cudaMemAllocNodeParams;

/** The attributes of memory that graphs hold. */
typedef enum cudaGraphMemAttributeType {
    cudaGraphMemAttrUsedMemCurrent = 0,
    cudaGraphMemAttrUsedMemHigh = 1,
    cudaGraphMemAttrReservedMemCurrent = 2,
    cudaGraphMemAttrReservedMemHigh = 3
} cudaGraphMemAttributeType;

/** The kinds of nodes. */
typedef enum cudaGraphNodeType {
    cudaGraphNodeTypeKernel = 0,
    cudaGraphNodeTypeMemcpy = 1,
    cudaGraphNodeTypeMemset = 2,
    cudaGraphNodeTypeHost = 3,
    cudaGraphNodeTypeGraph = 4,
    cudaGraphNodeTypeEmpty = 5,
    cudaGraphNodeTypeWaitEvent = 6,
    cudaGraphNodeTypeEventRecord = 7,
    cudaGraphNodeTypeExtSemaphoreSignal = 8,
    cudaGraphNodeTypeExtSemaphoreWait = 9,
    cudaGraphNodeTypeMemAlloc = 10,
    cudaGraphNodeTypeMemFree = 11,
    cudaGraphNodeTypeConditional = 13,
    cudaGraphNodeTypeMemcpyBatch = 14,
    cudaGraphNodeTypeReserved16 = 16,
    cudaGraphNodeTypeExternalEngine = 17,
    cudaGraphNodeTypeCount = 18
} cudaGraphNodeType;

/** A graph that can be launched. */
typedef struct CUgraphExec_st *cudaGraphExec_t;

/** What came of making a graph executable. */
typedef enum cudaGraphInstantiateResult {
    cudaGraphInstantiateSuccess = 0,
    cudaGraphInstantiateError = 1,
    cudaGraphInstantiateInvalidStructure = 2,
    cudaGraphInstantiateNodeOperationNotSupported = 3,
    cudaGraphInstantiateMultipleDevicesNotSupported = 4,
    cudaGraphInstantiateConditionalHandleUnused = 5
} cudaGraphInstantiateResult;

/** How a graph is made executable. */
typedef struct cudaGraphInstantiateParams_st {
    unsigned long long flags;
    cudaStream_t uploadStream;
    cudaGraphNode_t errNode_out;
    cudaGraphInstantiateResult result_out;
} cudaGraphInstantiateParams;

/** What came of updating an executable graph. */
typedef enum cudaGraphExecUpdateResult {
    cudaGraphExecUpdateSuccess = 0,
    cudaGraphExecUpdateError = 1,
    cudaGraphExecUpdateErrorTopologyChanged = 2,
    cudaGraphExecUpdateErrorNodeTypeChanged = 3,
    cudaGraphExecUpdateErrorFunctionChanged = 4,
    cudaGraphExecUpdateErrorParametersChanged = 5,
    cudaGraphExecUpdateErrorNotSupported = 6,
    cudaGraphExecUpdateErrorUnsupportedFunctionChange = 7,
    cudaGraphExecUpdateErrorAttributesChanged = 8
} cudaGraphExecUpdateResult;

/** What came of an update, and at which node. */
typedef struct cudaGraphExecUpdateResultInfo_st {
    cudaGraphExecUpdateResult result;
    cudaGraphNode_t errorNode;
    cudaGraphNode_t errorFromNode;
} cudaGraphExecUpdateResultInfo;

/** An object of the program's that graphs keep alive. */
typedef struct CUuserObject_st *cudaUserObject_t;

/** A kernel of a library. */
typedef struct CUkern_st *cudaKernel_t;

/** A kernel of a module. */
typedef struct CUfunc_st *cudaFunction_t;

/** Part of a device for work. */
typedef struct cudaExecutionContext_st *cudaExecutionContext_t;

/** What names a kernel. */
typedef enum cudaKernelFunctionType {
    cudaKernelFunctionTypeUnspecified = 0,
    cudaKernelFunctionTypeDeviceEntry = 1,
    cudaKernelFunctionTypeKernel = 2,
    cudaKernelFunctionTypeFunction = 3
} cudaKernelFunctionType;

/** A launch in a graph. */
typedef struct cudaKernelNodeParamsV2 {
    union {
        void *func;
        cudaKernel_t kern;
        cudaFunction_t cuFunc;
    };
    dim3 gridDim;
    dim3 blockDim;
    unsigned int sharedMemBytes;
    void **kernelParams;
    void **extra;
    cudaExecutionContext_t ctx;
    cudaKernelFunctionType functionType;
} cudaKernelNodeParamsV2;

/** A copy in a graph. */
typedef struct cudaMemcpyNodeParams {
    int flags;
    int reserved;
    cudaExecutionContext_t ctx;
    cudaMemcpy3DParms copyParams;
} cudaMemcpyNodeParams;

/** A memset in a graph. */
typedef struct cudaMemsetParamsV2 {
    void *dst;
    size_t pitch;
    unsigned int value;
    unsigned int elementSize;
    size_t width;
    size_t height;
    cudaExecutionContext_t ctx;
} cudaMemsetParamsV2;

/** A function of the host in a graph. */
typedef struct cudaHostNodeParamsV2 {
    cudaHostFn_t fn;
    void *userData;
    unsigned int syncMode;
    cudaExecutionContext_t ctx;
} cudaHostNodeParamsV2;

/** Who owns the graph inside of a node. */
typedef enum cudaGraphChildGraphNodeOwnership {
    cudaGraphChildGraphOwnershipClone = 0,
    cudaGraphChildGraphOwnershipMove = 1,
    cudaGraphChildGraphOwnershipInvalid = -1
} cudaGraphChildGraphNodeOwnership;

/** A graph in a graph. */
typedef struct cudaChildGraphNodeParams {
    cudaGraph_t graph;
    cudaGraphChildGraphNodeOwnership ownership;
} cudaChildGraphNodeParams;

/** An event that a node waits for. */
typedef struct cudaEventWaitNodeParams {
    cudaEvent_t event;
} cudaEventWaitNodeParams;

/** An event that a node records. */
typedef struct cudaEventRecordNodeParams {
    cudaEvent_t event;
    cudaExecutionContext_t ctx;
} cudaEventRecordNodeParams;

/** Semaphores that a node signals. */
typedef struct cudaExternalSemaphoreSignalNodeParamsV2 {
    cudaExternalSemaphore_t *extSemArray;
    const cudaExternalSemaphoreSignalParams *paramsArray;
    unsigned int numExtSems;
    cudaExecutionContext_t ctx;
} cudaExternalSemaphoreSignalNodeParamsV2;

/** Semaphores that a node waits for. */
typedef struct cudaExternalSemaphoreWaitNodeParamsV2 {
    cudaExternalSemaphore_t *extSemArray;
    const cudaExternalSemaphoreWaitParams *paramsArray;
    unsigned int numExtSems;
    cudaExecutionContext_t ctx;
} cudaExternalSemaphoreWaitNodeParamsV2;

/** An allocation in a graph. */
typedef struct cudaMemAllocNodeParamsV2 {
    cudaMemPoolProps poolProps;
    const cudaMemAccessDesc *accessDescs;
    size_t accessDescCount;
    size_t bytesize;
    void *dptr;
} cudaMemAllocNodeParamsV2;

/** Memory that a node frees. */
typedef struct cudaMemFreeNodeParams {
    void *dptr;
} cudaMemFreeNodeParams;

/** The value that decides about a conditional node. */
typedef unsigned long long cudaGraphConditionalHandle;

/** The kinds of conditional nodes. */
typedef enum cudaGraphConditionalNodeType {
    cudaGraphCondTypeIf = 0,
    cudaGraphCondTypeWhile = 1,
    cudaGraphCondTypeSwitch = 2
} cudaGraphConditionalNodeType;

/** A conditional node. */
typedef struct cudaConditionalNodeParams {
    cudaGraphConditionalHandle handle;
    cudaGraphConditionalNodeType type;
    unsigned int size;
    cudaGraph_t *phGraph_out;
    cudaExecutionContext_t ctx;
} cudaConditionalNodeParams;

/** A batch of copies in a graph. */
typedef struct cudaMemcpyBatchNodeParams {
    size_t count;
    void **dsts;
    void **srcs;
    size_t *sizes;
    cudaMemcpyAttributes *attrs;
    size_t *attrsIdxs;
    size_t numAttrs;
    cudaExecutionContext_t ctx;
} cudaMemcpyBatchNodeParams;

/** A node of any kind. */
typedef struct cudaGraphNodeParams {
    cudaGraphNodeType type;
    int reserved0[3];
    union {
        long long reserved1[29];
        cudaKernelNodeParamsV2 kernel;
        cudaMemcpyNodeParams memcpy;
        cudaMemsetParamsV2 memset;
        cudaHostNodeParamsV2 host;
        cudaChildGraphNodeParams graph;
        cudaEventWaitNodeParams eventWait;
        cudaEventRecordNodeParams eventRecord;
        cudaExternalSemaphoreSignalNodeParamsV2 extSemSignal;
        cudaExternalSemaphoreWaitNodeParamsV2 extSemWait;
        cudaMemAllocNodeParamsV2 alloc;
        cudaMemFreeNodeParams free;
        cudaConditionalNodeParams conditional;
        cudaMemcpyBatchNodeParams memcpyBatch;
    };
    long long reserved2;
} cudaGraphNodeParams;

/** What came of looking a function of the driver up. */
typedef enum cudaDriverEntryPointQueryResult {
    cudaDriverEntryPointSuccess = 0,
    cudaDriverEntryPointSymbolNotFound = 1,
    cudaDriverEntryPointVersionNotSufficent = 2
} cudaDriverEntryPointQueryResult;

/** A library of kernels. */
typedef struct CUlib_st *cudaLibrary_t;

/** The options of compiling. */
typedef enum cudaJitOption {
    cudaJitMaxRegisters = 0,
    cudaJitThreadsPerBlock = 1,
    cudaJitWallTime = 2,
    cudaJitInfoLogBuffer = 3,
    cudaJitInfoLogBufferSizeBytes = 4,
    cudaJitErrorLogBuffer = 5,
    cudaJitErrorLogBufferSizeBytes = 6,
    cudaJitOptimizationLevel = 7,
    cudaJitFallbackStrategy = 10,
    cudaJitGenerateDebugInfo = 11,
    cudaJitLogVerbose = 12,
    cudaJitGenerateLineInfo = 13,
    cudaJitCacheMode = 14,
    cudaJitPositionIndependentCode = 30,
    cudaJitMinCtaPerSm = 31,
    cudaJitMaxThreadsPerBlock = 32,
    cudaJitOverrideDirectiveValues = 33
} cudaJitOption;

/** The options of loading a library. */
typedef enum cudaLibraryOption {
    cudaLibraryHostUniversalFunctionAndDataTable = 0,
    cudaLibraryBinaryIsPreserved = 1
} cudaLibraryOption;

/** The kinds of a device's resources. */
typedef enum cudaDevResourceType {
    cudaDevResourceTypeInvalid = 0,
    cudaDevResourceTypeSm = 1,
    cudaDevResourceTypeWorkqueueConfig = 1000,
    cudaDevResourceTypeWorkqueue = 10000
} cudaDevResourceType;

/** Multiprocessors of a device. */
typedef struct cudaDevSmResource {
    unsigned int smCount;
    unsigned int minSmPartitionSize;
    unsigned int smCoscheduledAlignment;
    unsigned int flags;
    unsigned int localityDomainId;
} cudaDevSmResource;

/** Who shares queues of work. */
typedef enum cudaDevWorkqueueConfigScope {
    cudaDevWorkqueueConfigScopeDeviceCtx = 0,
    cudaDevWorkqueueConfigScopeGreenCtxBalanced = 1
} cudaDevWorkqueueConfigScope;

/** How queues of work are shared. */
typedef struct cudaDevWorkqueueConfigResource {
    int device;
    unsigned int wqConcurrencyLimit;
    cudaDevWorkqueueConfigScope sharingScope;
} cudaDevWorkqueueConfigResource;

/** Queues of work. */
typedef struct cudaDevWorkqueueResource {
    unsigned char reserved[40];
} cudaDevWorkqueueResource;

/** A resource of a device. */
typedef struct cudaDevResource_st {
    cudaDevResourceType type;
    unsigned char _internal_padding[92];
    union {
        cudaDevSmResource sm;
        cudaDevWorkqueueConfigResource wqConfig;
        cudaDevWorkqueueResource wq;
        unsigned char _oversize[40];
    };
    struct cudaDevResource_st *nextResource;
} cudaDevResource;

/** Resources for a part of a device. */
typedef struct CUdevResourceDesc_st *cudaDevResourceDesc_t;

/** How results are rounded. */
typedef enum cudaRoundMode {
    cudaRoundNearest = 0,
    cudaRoundZero = 1,
    cudaRoundPosInf = 2,
    cudaRoundMinInf = 3
} cudaRoundMode;

/** What came of capturing into a graph again. */
typedef enum cudaGraphRecaptureStatus {
    cudaGraphRecaptureEligibleForUpdate = 0,
    cudaGraphRecaptureIneligibleForUpdate = 1,
    cudaGraphRecaptureError = 2
} cudaGraphRecaptureStatus;

/** How what a capture waits for is changed. */
typedef enum cudaStreamUpdateCaptureDependenciesFlags {
    cudaStreamAddCaptureDependencies = 0,
    cudaStreamSetCaptureDependencies = 1
} cudaStreamUpdateCaptureDependenciesFlags;

/** How an object of the program's is kept. */
typedef enum cudaUserObjectFlags {
    cudaUserObjectNoDestructorSync = 1
} cudaUserObjectFlags;

/** How a graph takes references. */
typedef enum cudaUserObjectRetainFlags {
    cudaGraphUserObjectMove = 1
} cudaUserObjectRetainFlags;

/** How a host function waits. */
typedef enum cudaHostTaskSyncMode {
    cudaHostTaskBlocking = 0,
    cudaHostTaskSpinWait = 1
} cudaHostTaskSyncMode;

/** How a graphics resource is registered. */
typedef enum cudaGraphicsRegisterFlags {
    cudaGraphicsRegisterFlagsNone = 0,
    cudaGraphicsRegisterFlagsReadOnly = 1,
    cudaGraphicsRegisterFlagsWriteDiscard = 2,
    cudaGraphicsRegisterFlagsSurfaceLoadStore = 4,
    cudaGraphicsRegisterFlagsTextureGather = 8
} cudaGraphicsRegisterFlags;

/** How a graphics resource is mapped. */
typedef enum cudaGraphicsMapFlags {
    cudaGraphicsMapFlagsNone = 0,
    cudaGraphicsMapFlagsReadOnly = 1,
    cudaGraphicsMapFlagsWriteDiscard = 2
} cudaGraphicsMapFlags;

/** The faces of a cube. */
typedef enum cudaGraphicsCubeFace {
    cudaGraphicsCubeFacePositiveX = 0,
    cudaGraphicsCubeFaceNegativeX = 1,
    cudaGraphicsCubeFacePositiveY = 2,
    cudaGraphicsCubeFaceNegativeY = 3,
    cudaGraphicsCubeFacePositiveZ = 4,
    cudaGraphicsCubeFaceNegativeZ = 5
} cudaGraphicsCubeFace;

/** Shares of shared memory. */
typedef enum cudaSharedCarveout {
    cudaSharedmemCarveoutDefault = -1,
    cudaSharedmemCarveoutMaxShared = 100,
    cudaSharedmemCarveoutMaxL1 = 0
} cudaSharedCarveout;

/** How many processes may use a device. */
typedef enum cudaComputeMode {
    cudaComputeModeDefault = 0,
    cudaComputeModeExclusive = 1,
    cudaComputeModeProhibited = 2,
    cudaComputeModeExclusiveProcess = 3
} cudaComputeMode;

/** How writes from outside can be flushed. */
typedef enum cudaFlushGPUDirectRDMAWritesOptions {
    cudaFlushGPUDirectRDMAWritesOptionHost = 1,
    cudaFlushGPUDirectRDMAWritesOptionMemOps = 2
} cudaFlushGPUDirectRDMAWritesOptions;

/** How writes from outside are ordered. */
typedef enum cudaGPUDirectRDMAWritesOrdering {
    cudaGPUDirectRDMAWritesOrderingNone = 0,
    cudaGPUDirectRDMAWritesOrderingOwner = 100,
    cudaGPUDirectRDMAWritesOrderingAllDevices = 200
} cudaGPUDirectRDMAWritesOrdering;

/** How a copy of a batch is made. */
typedef enum cudaMemcpyFlags {
    cudaMemcpyFlagDefault = 0,
    cudaMemcpyFlagPreferOverlapWithCompute = 1
} cudaMemcpyFlags;

/** How far atomic operations between devices and the host go. */
typedef enum cudaAtomicOperationCapability {
    cudaAtomicCapabilitySigned = 1,
    cudaAtomicCapabilityUnsigned = 2,
    cudaAtomicCapabilityReduction = 4,
    cudaAtomicCapabilityScalar32 = 8,
    cudaAtomicCapabilityScalar64 = 16,
    cudaAtomicCapabilityScalar128 = 32,
    cudaAtomicCapabilityVector32x4 = 64
} cudaAtomicOperationCapability;

/** How multiprocessors are grouped. */
typedef enum cudaDevSmResourceGroup_flags {
    cudaDevSmResourceGroupDefault = 0,
    cudaDevSmResourceGroupBackfill = 1,
    cudaDevSmResourceGroupLocalityDomainId = 2,
    cudaDevSmResourceGroupLocalityDomainSupplementalSms = 4
} cudaDevSmResourceGroup_flags;

/** How multiprocessors are divided. */
typedef enum cudaDevSmResourceSplitByCount_flags {
    cudaDevSmResourceSplitIgnoreSmCoscheduling = 1,
    cudaDevSmResourceSplitMaxPotentialClusterSize = 2
} cudaDevSmResourceSplitByCount_flags;

/** Which caches compiled code uses. */
typedef enum cudaJit_CacheMode {
    cudaJitCacheOptionNone = 0,
    cudaJitCacheOptionCG = 1,
    cudaJitCacheOptionCA = 2
} cudaJit_CacheMode;

/** What is preferred where machine code does not fit. */
typedef enum cudaJit_Fallback {
    cudaPreferPtx = 0,
    cudaPreferBinary = 1
} cudaJit_Fallback;

/** The scopes of cooperative groups. */
typedef enum cudaCGScope {
    cudaCGScopeInvalid = 0,
    cudaCGScopeGrid = 1,
    cudaCGScopeReserved = 2
} cudaCGScope;

/** How a conditional node's value begins. */
typedef enum cudaGraphConditionalHandleFlags {
    cudaGraphCondAssignDefault = 1
} cudaGraphConditionalHandleFlags;

/** What an edge of a graph waits for. */
typedef enum cudaGraphDependencyType_enum {
    cudaGraphDependencyTypeDefault = 0,
    cudaGraphDependencyTypeProgrammatic = 1
} cudaGraphDependencyType;

/** What a kernel may change in a node. */
typedef enum cudaGraphKernelNodeField {
    cudaGraphKernelNodeFieldInvalid = 0,
    cudaGraphKernelNodeFieldGridDim = 1,
    cudaGraphKernelNodeFieldParam = 2,
    cudaGraphKernelNodeFieldEnabled = 3
} cudaGraphKernelNodeField;

/** Which twin of a function of the driver is looked up. */
typedef enum cudaGetDriverEntryPointFlags {
    cudaEnableDefault = 0,
    cudaEnableLegacyStream = 1,
    cudaEnablePerThreadDefaultStream = 2
} cudaGetDriverEntryPointFlags;

/** What a picture of a graph shows. */
typedef enum cudaGraphDebugDotFlags {
    cudaGraphDebugDotFlagsVerbose = 1,
    cudaGraphDebugDotFlagsKernelNodeParams = 4,
    cudaGraphDebugDotFlagsMemcpyNodeParams = 8,
    cudaGraphDebugDotFlagsMemsetNodeParams = 16,
    cudaGraphDebugDotFlagsHostNodeParams = 32,
    cudaGraphDebugDotFlagsEventNodeParams = 64,
    cudaGraphDebugDotFlagsExtSemasSignalNodeParams = 128,
    cudaGraphDebugDotFlagsExtSemasWaitNodeParams = 256,
    cudaGraphDebugDotFlagsKernelNodeAttributes = 512,
    cudaGraphDebugDotFlagsHandles = 1024,
    cudaGraphDebugDotFlagsConditionalNodeParams = 32768,
    cudaGraphDebugDotFlagsMemcpyBatchNodeParams = 65536
} cudaGraphDebugDotFlags;

/** How a graph is made executable. */
typedef enum cudaGraphInstantiateFlags {
    cudaGraphInstantiateFlagAutoFreeOnLaunch = 1,
    cudaGraphInstantiateFlagUpload = 2,
    cudaGraphInstantiateFlagDeviceLaunch = 4,
    cudaGraphInstantiateFlagUseNodePriority = 8
} cudaGraphInstantiateFlags;

/** How a device's memory is divided. */
typedef enum cudaDeviceNumaConfig {
    cudaDeviceNumaConfigNone = 0,
    cudaDeviceNumaConfigNumaNode = 1
} cudaDeviceNumaConfig;

/** What an operation of the fabric tells its state by. */
typedef enum cudaFabricOpStatusSource {
    cudaFabricOpStatusSourceMbarrierV1 = 0,
    cudaFabricOpStatusSourceMax = 2147483647
} cudaFabricOpStatusSource;

/** The state of an operation of the fabric. */
typedef enum cudaFabricOpStatusInfo {
    cudaFabricOpStatusInfoSuccess = 0,
    cudaFabricOpStatusInfoLast = 0,
    cudaFabricOpStatusInfoMax = 2147483647
} cudaFabricOpStatusInfo;

/** What happens outside of a surface. */
typedef enum cudaSurfaceBoundaryMode {
    cudaBoundaryModeZero = 0,
    cudaBoundaryModeClamp = 1,
    cudaBoundaryModeTrap = 2
} cudaSurfaceBoundaryMode;

/** How a surface is written. */
typedef enum cudaSurfaceFormatMode {
    cudaFormatModeForced = 0,
    cudaFormatModeAuto = 1
} cudaSurfaceFormatMode;

/** Memory for another machine of the fabric. */
typedef struct cudaMemFabricHandle_st {
    char reserved[64];
} cudaMemFabricHandle_t;

/** A group of multiprocessors. */
typedef struct cudaDevSmResourceGroupParams_st {
    unsigned int smCount;
    unsigned int coscheduledSmCount;
    unsigned int preferredCoscheduledSmCount;
    unsigned int flags;
    unsigned int localityDomainId;
    unsigned int reserved[11];
} cudaDevSmResourceGroupParams;

/** Is asked about a node that is captured again. */
typedef cudaError_t (*cudaGraphRecaptureCallback_t)(void *data,
                                                    cudaGraphNode_t node,
                                                    const cudaGraphNodeParams *originalParams,
                                                    const cudaGraphNodeParams *recaptureParams,
                                                    cudaGraphRecaptureStatus status);

/** Who is asked about nodes that are captured again. */
typedef struct cudaGraphRecaptureCallbackData {
    cudaGraphRecaptureCallback_t callbackFunc;
    void *userData;
} cudaGraphRecaptureCallbackData;

/** A flag of cudaHostAlloc. */
#define cudaHostAllocDefault 0x00

/** A flag of cudaHostAlloc. */
#define cudaHostAllocPortable 0x01

/** A flag of cudaHostAlloc. */
#define cudaHostAllocMapped 0x02

/** A flag of cudaHostAlloc. */
#define cudaHostAllocWriteCombined 0x04

/** A flag of cudaHostRegister. */
#define cudaHostRegisterDefault 0x00

/** A flag of cudaHostRegister. */
#define cudaHostRegisterPortable 0x01

/** A flag of cudaHostRegister. */
#define cudaHostRegisterMapped 0x02

/** A flag of cudaHostRegister. */
#define cudaHostRegisterIoMemory 0x04

/** A flag of cudaHostRegister. */
#define cudaHostRegisterReadOnly 0x08

/** The flags of cudaDeviceEnablePeerAccess. */
#define cudaPeerAccessDefault 0x00

/** A flag of cudaStreamCreateWithFlags. */
#define cudaStreamDefault 0x00

/** A flag of cudaStreamCreateWithFlags. */
#define cudaStreamNonBlocking 0x01

/** The default stream that waits for others, and they for it. */
#define cudaStreamLegacy ((cudaStream_t)0x1)

/** The default stream of the calling thread. */
#define cudaStreamPerThread ((cudaStream_t)0x2)

/** A flag of cudaEventCreateWithFlags. */
#define cudaEventDefault 0x00

/** A flag of cudaEventCreateWithFlags. */
#define cudaEventBlockingSync 0x01

/** A flag of cudaEventCreateWithFlags. */
#define cudaEventDisableTiming 0x02

/** A flag of cudaEventCreateWithFlags. */
#define cudaEventInterprocess 0x04

/** A flag of cudaEventRecordWithFlags. */
#define cudaEventRecordDefault 0x00

/** A flag of cudaEventRecordWithFlags. */
#define cudaEventRecordExternal 0x01

/** A flag of cudaStreamWaitEvent. */
#define cudaEventWaitDefault 0x00

/** A flag of cudaStreamWaitEvent. */
#define cudaEventWaitExternal 0x01

/** A flag of cudaSetDeviceFlags. */
#define cudaDeviceScheduleAuto 0x00

/** A flag of cudaSetDeviceFlags. */
#define cudaDeviceScheduleSpin 0x01

/** A flag of cudaSetDeviceFlags. */
#define cudaDeviceScheduleYield 0x02

/** A flag of cudaSetDeviceFlags. */
#define cudaDeviceScheduleBlockingSync 0x04

/** A flag of cudaSetDeviceFlags. */
#define cudaDeviceBlockingSync 0x04

/** The flags of cudaSetDeviceFlags that say how threads wait. */
#define cudaDeviceScheduleMask 0x07

/** A flag of cudaSetDeviceFlags. */
#define cudaDeviceMapHost 0x08

/** A flag of cudaSetDeviceFlags. */
#define cudaDeviceLmemResizeToMax 0x10

/** A flag of cudaSetDeviceFlags. */
#define cudaDeviceSyncMemops 0x80

/** All flags of cudaSetDeviceFlags. */
#define cudaDeviceMask 0xff

/** A flag of cudaMalloc3DArray. */
#define cudaArrayDefault 0x00

/** A flag of cudaMalloc3DArray. */
#define cudaArrayLayered 0x01

/** A flag of cudaMalloc3DArray. */
#define cudaArraySurfaceLoadStore 0x02

/** A flag of cudaMalloc3DArray. */
#define cudaArrayCubemap 0x04

/** A flag of cudaMalloc3DArray. */
#define cudaArrayTextureGather 0x08

/** A flag of cudaMalloc3DArray. */
#define cudaArrayColorAttachment 0x20

/** A flag of cudaMalloc3DArray. */
#define cudaArraySparse 0x40

/** A flag of cudaMalloc3DArray. */
#define cudaArrayDeferredMapping 0x80

/** The flag of cudaIpcOpenMemHandle. */
#define cudaIpcMemLazyEnablePeerAccess 0x01

/** A flag of cudaMallocManaged. */
#define cudaMemAttachGlobal 0x01

/** A flag of cudaMallocManaged. */
#define cudaMemAttachHost 0x02

/** A flag of cudaMallocManaged. */
#define cudaMemAttachSingle 0x04

/** A flag of cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags. */
#define cudaOccupancyDefault 0x00

/** A flag of cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags. */
#define cudaOccupancyDisableCachingOverride 0x01

/** The number of the host, among devices. */
#define cudaCpuDeviceId -1

/** The number of no device. */
#define cudaInvalidDeviceId -2

/** A flag of cudaInitDevice. */
#define cudaInitDeviceFlagsAreValid 0x01

/** A flag of cudaArraySparseProperties. */
#define cudaArraySparsePropertiesSingleMipTail 0x1

/** A flag of cudaMemPoolProps. */
#define cudaMemPoolCreateUsageHwDecompress 0x2

/** A flag of cudaExternalMemoryHandleDesc. */
#define cudaExternalMemoryDedicated 0x1

/** A flag of cudaExternalSemaphoreSignalParams. */
#define cudaExternalSemaphoreSignalSkipNvSciBufMemSync 0x01

/** A flag of cudaExternalSemaphoreWaitParams. */
#define cudaExternalSemaphoreWaitSkipNvSciBufMemSync 0x02

/** A flag of cudaDeviceGetNvSciSyncAttributes. */
#define cudaNvSciSyncAttrSignal 0x1

/** A flag of cudaDeviceGetNvSciSyncAttributes. */
#define cudaNvSciSyncAttrWait 0x2

/** Any domain of memory. */
#define cudaDevSmResourceGroupLocalityDomainIdAny (~0u)

/** A port of a kernel node, in cudaGraphEdgeData. */
#define cudaGraphKernelNodePortDefault 0

/** A port of a kernel node, in cudaGraphEdgeData. */
#define cudaGraphKernelNodePortProgrammatic 1

/** A port of a kernel node, in cudaGraphEdgeData. */
#define cudaGraphKernelNodePortLaunchCompletion 2

/** Another name of cudaLaunchAttributeID. */
#define cudaStreamAttrID cudaLaunchAttributeID

/** Another name of cudaLaunchAttributeAccessPolicyWindow. */
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow

/** Another name of cudaLaunchAttributeSynchronizationPolicy. */
#define cudaStreamAttributeSynchronizationPolicy cudaLaunchAttributeSynchronizationPolicy

/** Another name of cudaLaunchAttributeMemSyncDomainMap. */
#define cudaStreamAttributeMemSyncDomainMap cudaLaunchAttributeMemSyncDomainMap

/** Another name of cudaLaunchAttributeMemSyncDomain. */
#define cudaStreamAttributeMemSyncDomain cudaLaunchAttributeMemSyncDomain

/** Another name of cudaLaunchAttributePriority. */
#define cudaStreamAttributePriority cudaLaunchAttributePriority

/** Another name of cudaLaunchAttributeValue. */
#define cudaStreamAttrValue cudaLaunchAttributeValue

/** Another name of cudaLaunchAttributeID. */
#define cudaKernelNodeAttrID cudaLaunchAttributeID

/** Another name of cudaLaunchAttributeAccessPolicyWindow. */
#define cudaKernelNodeAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow

/** Another name of cudaLaunchAttributeCooperative. */
#define cudaKernelNodeAttributeCooperative cudaLaunchAttributeCooperative

/** Another name of cudaLaunchAttributePriority. */
#define cudaKernelNodeAttributePriority cudaLaunchAttributePriority

/** Another name of cudaLaunchAttributeClusterDimension. */
#define cudaKernelNodeAttributeClusterDimension cudaLaunchAttributeClusterDimension

/** Another name of cudaLaunchAttributeClusterSchedulingPolicyPreference. */
#define cudaKernelNodeAttributeClusterSchedulingPolicyPreference cudaLaunchAttributeClusterSchedulingPolicyPreference

/** Another name of cudaLaunchAttributeMemSyncDomainMap. */
#define cudaKernelNodeAttributeMemSyncDomainMap cudaLaunchAttributeMemSyncDomainMap

/** Another name of cudaLaunchAttributeMemSyncDomain. */
#define cudaKernelNodeAttributeMemSyncDomain cudaLaunchAttributeMemSyncDomain

/** Another name of cudaLaunchAttributePreferredSharedMemoryCarveout. */
#define cudaKernelNodeAttributePreferredSharedMemoryCarveout cudaLaunchAttributePreferredSharedMemoryCarveout

/** Another name of cudaLaunchAttributeDeviceUpdatableKernelNode. */
#define cudaKernelNodeAttributeDeviceUpdatableKernelNode cudaLaunchAttributeDeviceUpdatableKernelNode

/** Another name of cudaLaunchAttributeNvlinkUtilCentricScheduling. */
#define cudaKernelNodeAttributeNvlinkUtilCentricScheduling cudaLaunchAttributeNvlinkUtilCentricScheduling

/** Another name of cudaLaunchAttributeValue. */
#define cudaKernelNodeAttrValue cudaLaunchAttributeValue

/** A kind of texture. */
#define cudaTextureType1D 0x01

/** A kind of texture. */
#define cudaTextureType2D 0x02

/** A kind of texture. */
#define cudaTextureType3D 0x03

/** A kind of texture. */
#define cudaTextureTypeCubemap 0x0C

/** A kind of texture. */
#define cudaTextureType1DLayered 0xF1

/** A kind of texture. */
#define cudaTextureType2DLayered 0xF2

/** A kind of texture. */
#define cudaTextureTypeCubemapLayered 0xFC

/** A kind of surface. */
#define cudaSurfaceType1D 0x01

/** A kind of surface. */
#define cudaSurfaceType2D 0x02

/** A kind of surface. */
#define cudaSurfaceType3D 0x03

/** A kind of surface. */
#define cudaSurfaceTypeCubemap 0x0C

/** A kind of surface. */
#define cudaSurfaceType1DLayered 0xF1

/** A kind of surface. */
#define cudaSurfaceType2DLayered 0xF2

/** A kind of surface. */
#define cudaSurfaceTypeCubemapLayered 0xFC

#ifdef __cplusplus
}
#endif

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#endif /* DOPPEL_DRIVER_TYPES_H */
