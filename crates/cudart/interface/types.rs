//! The types of the CUDA runtime's interface, as C programs see them: `doppel-header` writes `driver_types.h` from here. Their names,
//! values and layouts are those of CUDA 13.5, which `tests/cudart/headers.sh` compares. The library itself has them by what it does
//! with them: `src/types.rs`.

c_enum! {
    /// The result of every function.
    pub enum cudaError: cudaError {
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
        cudaErrorApiFailureBase = 10000,
    }
}

/// The result of every function.
pub type cudaError_t = cudaError;

c_enum! {
    /// Limits of a device.
    pub enum cudaLimit: cudaLimit {
        cudaLimitStackSize = 0,
        cudaLimitPrintfFifoSize = 1,
        cudaLimitMallocHeapSize = 2,
        cudaLimitDevRuntimeSyncDepth = 3,
        cudaLimitDevRuntimePendingLaunchCount = 4,
        cudaLimitMaxL2FetchGranularity = 5,
        cudaLimitPersistingL2CacheSize = 6,
        cudaLimitPerBlockMemorySize = 10,
    }
}

c_enum! {
    /// What a channel of an element holds.
    pub enum cudaChannelFormatKind: cudaChannelFormatKind {
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
        cudaChannelFormatKindUnsigned16Planar444 = 45,
    }
}

c_struct! {
    /// The channels of an array's elements: their bits, and what they hold.
    pub struct cudaChannelFormatDesc: cudaChannelFormatDesc {
        pub x: c_int,
        pub y: c_int,
        pub z: c_int,
        pub w: c_int,
        pub f: cudaChannelFormatKind,
    }
}

c_enum! {
    /// Which of cache and shared memory is preferred.
    pub enum cudaFuncCache: cudaFuncCache {
        cudaFuncCachePreferNone = 0,
        cudaFuncCachePreferShared = 1,
        cudaFuncCachePreferL1 = 2,
        cudaFuncCachePreferEqual = 3,
    }
}

c_struct! {
    /// An event for another process.
    pub struct cudaIpcEventHandle_t: cudaIpcEventHandle_st {
        pub reserved: [c_char; 64],
    }
}

c_handle! {
    /// An event.
    cudaEvent_t = CUevent_st;
}

c_struct! {
    /// Memory for another process.
    pub struct cudaIpcMemHandle_t: cudaIpcMemHandle_st {
        pub reserved: [c_char; 64],
    }
}

c_enum! {
    /// Whose view of remote writes is flushed.
    pub enum cudaFlushGPUDirectRDMAWritesTarget: cudaFlushGPUDirectRDMAWritesTarget {
        cudaFlushGPUDirectRDMAWritesTargetCurrentDevice = 0,
    }
}

c_enum! {
    /// How far remote writes are flushed.
    pub enum cudaFlushGPUDirectRDMAWritesScope: cudaFlushGPUDirectRDMAWritesScope {
        cudaFlushGPUDirectRDMAWritesToOwner = 100,
        cudaFlushGPUDirectRDMAWritesToAllDevices = 200,
    }
}

c_enum! {
    /// The kinds of notifications.
    pub enum cudaAsyncNotificationType: cudaAsyncNotificationType_enum {
        cudaAsyncNotificationTypeOverBudget = 1,
    }
}

c_struct! {
    /// Member `overBudget` of [`cudaAsyncNotificationInfo_info`].
    pub struct cudaAsyncNotificationInfo_info_overBudget: _ {
        pub bytesOverBudget: c_ulonglong,
    }
}

c_struct! {
    /// Member `info` of [`cudaAsyncNotificationInfo`].
    pub union cudaAsyncNotificationInfo_info: _ {
        pub overBudget: cudaAsyncNotificationInfo_info_overBudget,
    }
}

c_struct! {
    /// What a notification tells.
    pub struct cudaAsyncNotificationInfo: cudaAsyncNotificationInfo {
        pub r#type: cudaAsyncNotificationType,
        pub info: cudaAsyncNotificationInfo_info,
    }
}

/// What a notification tells.
pub type cudaAsyncNotificationInfo_t = cudaAsyncNotificationInfo;

c_handle! {
    /// A function that is told of notifications.
    cudaAsyncCallbackHandle_t = cudaAsyncCallbackEntry;
}

/// Is told of a notification.
pub type cudaAsyncCallback = Option<unsafe extern "C" fn(*mut cudaAsyncNotificationInfo_t, *mut c_void, cudaAsyncCallbackHandle_t)>;

c_enum! {
    /// The width of shared memory's banks.
    pub enum cudaSharedMemConfig: cudaSharedMemConfig {
        cudaSharedMemBankSizeDefault = 0,
        cudaSharedMemBankSizeFourByte = 1,
        cudaSharedMemBankSizeEightByte = 2,
    }
}

c_struct! {
    /// An identifier of 16 bytes.
    pub struct CUuuid: CUuuid_st {
        pub bytes: [c_char; 16],
    }
}

/// An identifier of 16 bytes.
pub type cudaUUID_t = CUuuid;

c_struct! {
    /// What a device is.
    pub struct cudaDeviceProp: cudaDeviceProp {
        pub name: [c_char; 256],
        pub uuid: cudaUUID_t,
        pub luid: [c_char; 8],
        pub luidDeviceNodeMask: c_uint,
        pub totalGlobalMem: usize,
        pub sharedMemPerBlock: usize,
        pub regsPerBlock: c_int,
        pub warpSize: c_int,
        pub memPitch: usize,
        pub maxThreadsPerBlock: c_int,
        pub maxThreadsDim: [c_int; 3],
        pub maxGridSize: [c_int; 3],
        pub totalConstMem: usize,
        pub major: c_int,
        pub minor: c_int,
        pub textureAlignment: usize,
        pub texturePitchAlignment: usize,
        pub multiProcessorCount: c_int,
        pub integrated: c_int,
        pub canMapHostMemory: c_int,
        pub maxTexture1D: c_int,
        pub maxTexture1DMipmap: c_int,
        pub maxTexture2D: [c_int; 2],
        pub maxTexture2DMipmap: [c_int; 2],
        pub maxTexture2DLinear: [c_int; 3],
        pub maxTexture2DGather: [c_int; 2],
        pub maxTexture3D: [c_int; 3],
        pub maxTexture3DAlt: [c_int; 3],
        pub maxTextureCubemap: c_int,
        pub maxTexture1DLayered: [c_int; 2],
        pub maxTexture2DLayered: [c_int; 3],
        pub maxTextureCubemapLayered: [c_int; 2],
        pub maxSurface1D: c_int,
        pub maxSurface2D: [c_int; 2],
        pub maxSurface3D: [c_int; 3],
        pub maxSurface1DLayered: [c_int; 2],
        pub maxSurface2DLayered: [c_int; 3],
        pub maxSurfaceCubemap: c_int,
        pub maxSurfaceCubemapLayered: [c_int; 2],
        pub surfaceAlignment: usize,
        pub concurrentKernels: c_int,
        pub ECCEnabled: c_int,
        pub pciBusID: c_int,
        pub pciDeviceID: c_int,
        pub pciDomainID: c_int,
        pub tccDriver: c_int,
        pub asyncEngineCount: c_int,
        pub unifiedAddressing: c_int,
        pub memoryBusWidth: c_int,
        pub l2CacheSize: c_int,
        pub persistingL2CacheMaxSize: c_int,
        pub maxThreadsPerMultiProcessor: c_int,
        pub streamPrioritiesSupported: c_int,
        pub globalL1CacheSupported: c_int,
        pub localL1CacheSupported: c_int,
        pub sharedMemPerMultiprocessor: usize,
        pub regsPerMultiprocessor: c_int,
        pub managedMemory: c_int,
        pub isMultiGpuBoard: c_int,
        pub multiGpuBoardGroupID: c_int,
        pub hostNativeAtomicSupported: c_int,
        pub pageableMemoryAccess: c_int,
        pub concurrentManagedAccess: c_int,
        pub computePreemptionSupported: c_int,
        pub canUseHostPointerForRegisteredMem: c_int,
        pub cooperativeLaunch: c_int,
        pub sharedMemPerBlockOptin: usize,
        pub pageableMemoryAccessUsesHostPageTables: c_int,
        pub directManagedMemAccessFromHost: c_int,
        pub maxBlocksPerMultiProcessor: c_int,
        pub accessPolicyMaxWindowSize: c_int,
        pub reservedSharedMemPerBlock: usize,
        pub hostRegisterSupported: c_int,
        pub sparseCudaArraySupported: c_int,
        pub hostRegisterReadOnlySupported: c_int,
        pub timelineSemaphoreInteropSupported: c_int,
        pub memoryPoolsSupported: c_int,
        pub gpuDirectRDMASupported: c_int,
        pub gpuDirectRDMAFlushWritesOptions: c_uint,
        pub gpuDirectRDMAWritesOrdering: c_int,
        pub memoryPoolSupportedHandleTypes: c_uint,
        pub deferredMappingCudaArraySupported: c_int,
        pub ipcEventSupported: c_int,
        pub clusterLaunch: c_int,
        pub unifiedFunctionPointers: c_int,
        pub deviceNumaConfig: c_int,
        pub deviceNumaId: c_int,
        pub mpsEnabled: c_int,
        pub hostNumaId: c_int,
        pub gpuPciDeviceID: c_uint,
        pub gpuPciSubsystemID: c_uint,
        pub hostNumaMultinodeIpcSupported: c_int,
        pub reserved: [c_int; 56],
    }
}

c_enum! {
    /// The attributes of a device.
    pub enum cudaDeviceAttr: cudaDeviceAttr {
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
        cudaDevAttrMax = 161,
    }
}

c_enum! {
    /// Atomic operations between devices and the host.
    pub enum cudaAtomicOperation: cudaAtomicOperation {
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
        cudaAtomicOperationFloatMax = 12,
    }
}

c_handle! {
    /// A pool of memory.
    cudaMemPool_t = CUmemPoolHandle_st;
}

c_enum! {
    /// The attributes of a pair of devices.
    pub enum cudaDeviceP2PAttr: cudaDeviceP2PAttr {
        cudaDevP2PAttrPerformanceRank = 1,
        cudaDevP2PAttrAccessSupported = 2,
        cudaDevP2PAttrNativeAtomicSupported = 3,
        cudaDevP2PAttrCudaArrayAccessSupported = 4,
        cudaDevP2PAttrOnlyPartialNativeAtomicSupported = 5,
    }
}

c_handle! {
    /// A stream.
    cudaStream_t = CUstream_st;
}

c_enum! {
    /// The attributes of a launch.
    pub enum cudaLaunchAttributeID: cudaLaunchAttributeID {
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
        cudaLaunchAttributeSharedMemoryMode = 18,
    }
}

c_enum! {
    /// How accesses treat the cache.
    pub enum cudaAccessProperty: cudaAccessProperty {
        cudaAccessPropertyNormal = 0,
        cudaAccessPropertyStreaming = 1,
        cudaAccessPropertyPersisting = 2,
    }
}

c_struct! {
    /// A range with its policy of access.
    pub struct cudaAccessPolicyWindow: cudaAccessPolicyWindow {
        pub base_ptr: *mut c_void,
        pub num_bytes: usize,
        pub hitRatio: f32,
        pub hitProp: cudaAccessProperty,
        pub missProp: cudaAccessProperty,
    }
}

c_enum! {
    /// How threads of the host wait.
    pub enum cudaSynchronizationPolicy: cudaSynchronizationPolicy {
        cudaSyncPolicyAuto = 1,
        cudaSyncPolicySpin = 2,
        cudaSyncPolicyYield = 3,
        cudaSyncPolicyBlockingSync = 4,
    }
}

c_struct! {
    /// Member `clusterDim` of [`cudaLaunchAttributeValue`].
    pub struct cudaLaunchAttributeValue_clusterDim: _ {
        pub x: c_uint,
        pub y: c_uint,
        pub z: c_uint,
    }
}

c_enum! {
    /// How clusters are scheduled.
    pub enum cudaClusterSchedulingPolicy: cudaClusterSchedulingPolicy {
        cudaClusterSchedulingPolicyDefault = 0,
        cudaClusterSchedulingPolicySpread = 1,
        cudaClusterSchedulingPolicyLoadBalancing = 2,
        cudaClusterSchedulingPolicyRubinDsmemLocality = 3,
    }
}

c_struct! {
    /// Member `programmaticEvent` of [`cudaLaunchAttributeValue`].
    pub struct cudaLaunchAttributeValue_programmaticEvent: _ {
        pub event: cudaEvent_t,
        pub flags: c_int,
        pub triggerAtBlockStart: c_int,
    }
}

c_struct! {
    /// Which domains of memory order stand for which.
    pub struct cudaLaunchMemSyncDomainMap: cudaLaunchMemSyncDomainMap_st {
        pub default_: c_uchar,
        pub remote: c_uchar,
    }
}

c_enum! {
    /// Domains of memory order.
    pub enum cudaLaunchMemSyncDomain: cudaLaunchMemSyncDomain {
        cudaLaunchMemSyncDomainDefault = 0,
        cudaLaunchMemSyncDomainRemote = 1,
    }
}

c_struct! {
    /// Member `preferredClusterDim` of [`cudaLaunchAttributeValue`].
    pub struct cudaLaunchAttributeValue_preferredClusterDim: _ {
        pub x: c_uint,
        pub y: c_uint,
        pub z: c_uint,
    }
}

c_struct! {
    /// Member `launchCompletionEvent` of [`cudaLaunchAttributeValue`].
    pub struct cudaLaunchAttributeValue_launchCompletionEvent: _ {
        pub event: cudaEvent_t,
        pub flags: c_int,
    }
}

c_handle! {
    /// A node of a graph that kernels may update.
    cudaGraphDeviceNode_t = CUgraphDeviceUpdatableNode_st;
}

c_struct! {
    /// Member `deviceUpdatableKernelNode` of [`cudaLaunchAttributeValue`].
    pub struct cudaLaunchAttributeValue_deviceUpdatableKernelNode: _ {
        pub deviceUpdatable: c_int,
        pub devNode: cudaGraphDeviceNode_t,
    }
}

c_enum! {
    /// Whether clusters keep to sizes that every device has.
    pub enum cudaLaunchAttributePortableClusterMode: cudaLaunchAttributePortableClusterMode {
        cudaLaunchPortableClusterModeDefault = 0,
        cudaLaunchPortableClusterModeRequirePortable = 1,
        cudaLaunchPortableClusterModeAllowNonPortable = 2,
    }
}

c_enum! {
    /// How shared memory is given out.
    pub enum cudaSharedMemoryMode: cudaSharedMemoryMode {
        cudaSharedMemoryModeDefault = 0,
        cudaSharedMemoryModeRequirePortable = 1,
        cudaSharedMemoryModeAllowNonPortable = 2,
        cudaSharedMemoryModeAllowOversizedSharedMemory = 3,
        cudaSharedMemoryModePreferOversizedSharedMemory = 4,
    }
}

c_struct! {
    /// The value of an attribute of a launch.
    pub union cudaLaunchAttributeValue: cudaLaunchAttributeValue {
        pub pad: [c_char; 64],
        pub accessPolicyWindow: cudaAccessPolicyWindow,
        pub cooperative: c_int,
        pub syncPolicy: cudaSynchronizationPolicy,
        pub clusterDim: cudaLaunchAttributeValue_clusterDim,
        pub clusterSchedulingPolicyPreference: cudaClusterSchedulingPolicy,
        pub programmaticStreamSerializationAllowed: c_int,
        pub programmaticEvent: cudaLaunchAttributeValue_programmaticEvent,
        pub priority: c_int,
        pub memSyncDomainMap: cudaLaunchMemSyncDomainMap,
        pub memSyncDomain: cudaLaunchMemSyncDomain,
        pub preferredClusterDim: cudaLaunchAttributeValue_preferredClusterDim,
        pub launchCompletionEvent: cudaLaunchAttributeValue_launchCompletionEvent,
        pub deviceUpdatableKernelNode: cudaLaunchAttributeValue_deviceUpdatableKernelNode,
        pub sharedMemCarveout: c_uint,
        pub nvlinkUtilCentricScheduling: c_uint,
        pub portableClusterSizeMode: cudaLaunchAttributePortableClusterMode,
        pub sharedMemoryMode: cudaSharedMemoryMode,
    }
}

/// Is called when the work before it is done.
pub type cudaStreamCallback_t = Option<unsafe extern "C" fn(stream: cudaStream_t, status: cudaError_t, userData: *mut c_void)>;

c_enum! {
    /// Which calls a capture forbids.
    pub enum cudaStreamCaptureMode: cudaStreamCaptureMode {
        cudaStreamCaptureModeGlobal = 0,
        cudaStreamCaptureModeThreadLocal = 1,
        cudaStreamCaptureModeRelaxed = 2,
    }
}

c_handle! {
    /// A graph.
    cudaGraph_t = CUgraph_st;
}

c_handle! {
    /// A node of a graph.
    cudaGraphNode_t = CUgraphNode_st;
}

c_struct! {
    /// What an edge of a graph means.
    pub struct cudaGraphEdgeData: cudaGraphEdgeData_st {
        pub from_port: c_uchar,
        pub to_port: c_uchar,
        pub r#type: c_uchar,
        pub reserved: [c_uchar; 5],
    }
}

c_enum! {
    /// Whether a stream is captured.
    pub enum cudaStreamCaptureStatus: cudaStreamCaptureStatus {
        cudaStreamCaptureStatusNone = 0,
        cudaStreamCaptureStatusActive = 1,
        cudaStreamCaptureStatusInvalidated = 2,
    }
}

c_handle! {
    /// Memory of another interface.
    cudaExternalMemory_t = CUexternalMemory_st;
}

c_enum! {
    /// What kind of handle names memory of another interface.
    pub enum cudaExternalMemoryHandleType: cudaExternalMemoryHandleType {
        cudaExternalMemoryHandleTypeOpaqueFd = 1,
        cudaExternalMemoryHandleTypeOpaqueWin32 = 2,
        cudaExternalMemoryHandleTypeOpaqueWin32Kmt = 3,
        cudaExternalMemoryHandleTypeD3D12Heap = 4,
        cudaExternalMemoryHandleTypeD3D12Resource = 5,
        cudaExternalMemoryHandleTypeD3D11Resource = 6,
        cudaExternalMemoryHandleTypeD3D11ResourceKmt = 7,
        cudaExternalMemoryHandleTypeNvSciBuf = 8,
    }
}

c_struct! {
    /// Member `win32` of [`cudaExternalMemoryHandleDesc_handle`].
    pub struct cudaExternalMemoryHandleDesc_handle_win32: _ {
        pub handle: *mut c_void,
        pub name: *const c_void,
    }
}

c_struct! {
    /// Member `handle` of [`cudaExternalMemoryHandleDesc`].
    pub union cudaExternalMemoryHandleDesc_handle: _ {
        pub fd: c_int,
        pub win32: cudaExternalMemoryHandleDesc_handle_win32,
        pub nvSciBufObject: *const c_void,
    }
}

c_struct! {
    /// Memory of another interface to import.
    pub struct cudaExternalMemoryHandleDesc: cudaExternalMemoryHandleDesc {
        pub r#type: cudaExternalMemoryHandleType,
        pub handle: cudaExternalMemoryHandleDesc_handle,
        pub size: c_ulonglong,
        pub flags: c_uint,
        pub reserved: [c_uint; 16],
    }
}

c_struct! {
    /// A range of imported memory.
    pub struct cudaExternalMemoryBufferDesc: cudaExternalMemoryBufferDesc {
        pub offset: c_ulonglong,
        pub size: c_ulonglong,
        pub flags: c_uint,
        pub reserved: [c_uint; 16],
    }
}

c_handle! {
    /// An array with levels.
    cudaMipmappedArray_t = cudaMipmappedArray;
}

c_struct! {
    /// Width, height and depth.
    pub struct cudaExtent: cudaExtent {
        pub width: usize,
        pub height: usize,
        pub depth: usize,
    }
}

c_struct! {
    /// An array with levels in imported memory.
    pub struct cudaExternalMemoryMipmappedArrayDesc: cudaExternalMemoryMipmappedArrayDesc {
        pub offset: c_ulonglong,
        pub formatDesc: cudaChannelFormatDesc,
        pub extent: cudaExtent,
        pub flags: c_uint,
        pub numLevels: c_uint,
        pub reserved: [c_uint; 16],
    }
}

c_handle! {
    /// A semaphore of another interface.
    cudaExternalSemaphore_t = CUexternalSemaphore_st;
}

c_enum! {
    /// What kind of handle names a semaphore of another interface.
    pub enum cudaExternalSemaphoreHandleType: cudaExternalSemaphoreHandleType {
        cudaExternalSemaphoreHandleTypeOpaqueFd = 1,
        cudaExternalSemaphoreHandleTypeOpaqueWin32 = 2,
        cudaExternalSemaphoreHandleTypeOpaqueWin32Kmt = 3,
        cudaExternalSemaphoreHandleTypeD3D12Fence = 4,
        cudaExternalSemaphoreHandleTypeD3D11Fence = 5,
        cudaExternalSemaphoreHandleTypeNvSciSync = 6,
        cudaExternalSemaphoreHandleTypeKeyedMutex = 7,
        cudaExternalSemaphoreHandleTypeKeyedMutexKmt = 8,
        cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd = 9,
        cudaExternalSemaphoreHandleTypeTimelineSemaphoreWin32 = 10,
    }
}

c_struct! {
    /// Member `win32` of [`cudaExternalSemaphoreHandleDesc_handle`].
    pub struct cudaExternalSemaphoreHandleDesc_handle_win32: _ {
        pub handle: *mut c_void,
        pub name: *const c_void,
    }
}

c_struct! {
    /// Member `handle` of [`cudaExternalSemaphoreHandleDesc`].
    pub union cudaExternalSemaphoreHandleDesc_handle: _ {
        pub fd: c_int,
        pub win32: cudaExternalSemaphoreHandleDesc_handle_win32,
        pub nvSciSyncObj: *const c_void,
    }
}

c_struct! {
    /// A semaphore of another interface to import.
    pub struct cudaExternalSemaphoreHandleDesc: cudaExternalSemaphoreHandleDesc {
        pub r#type: cudaExternalSemaphoreHandleType,
        pub handle: cudaExternalSemaphoreHandleDesc_handle,
        pub flags: c_uint,
        pub reserved: [c_uint; 16],
    }
}

c_struct! {
    /// Member `fence` of [`cudaExternalSemaphoreSignalParams_params`].
    pub struct cudaExternalSemaphoreSignalParams_params_fence: _ {
        pub value: c_ulonglong,
    }
}

c_struct! {
    /// Member `nvSciSync` of [`cudaExternalSemaphoreSignalParams_params`].
    pub union cudaExternalSemaphoreSignalParams_params_nvSciSync: _ {
        pub fence: *mut c_void,
        pub reserved: c_ulonglong,
    }
}

c_struct! {
    /// Member `keyedMutex` of [`cudaExternalSemaphoreSignalParams_params`].
    pub struct cudaExternalSemaphoreSignalParams_params_keyedMutex: _ {
        pub key: c_ulonglong,
    }
}

c_struct! {
    /// Member `params` of [`cudaExternalSemaphoreSignalParams`].
    pub struct cudaExternalSemaphoreSignalParams_params: _ {
        pub fence: cudaExternalSemaphoreSignalParams_params_fence,
        pub nvSciSync: cudaExternalSemaphoreSignalParams_params_nvSciSync,
        pub keyedMutex: cudaExternalSemaphoreSignalParams_params_keyedMutex,
        pub reserved: [c_uint; 12],
    }
}

c_struct! {
    /// How a semaphore is signalled.
    pub struct cudaExternalSemaphoreSignalParams: cudaExternalSemaphoreSignalParams {
        pub params: cudaExternalSemaphoreSignalParams_params,
        pub flags: c_uint,
        pub reserved: [c_uint; 16],
    }
}

c_struct! {
    /// Member `fence` of [`cudaExternalSemaphoreWaitParams_params`].
    pub struct cudaExternalSemaphoreWaitParams_params_fence: _ {
        pub value: c_ulonglong,
    }
}

c_struct! {
    /// Member `nvSciSync` of [`cudaExternalSemaphoreWaitParams_params`].
    pub union cudaExternalSemaphoreWaitParams_params_nvSciSync: _ {
        pub fence: *mut c_void,
        pub reserved: c_ulonglong,
    }
}

c_struct! {
    /// Member `keyedMutex` of [`cudaExternalSemaphoreWaitParams_params`].
    pub struct cudaExternalSemaphoreWaitParams_params_keyedMutex: _ {
        pub key: c_ulonglong,
        pub timeoutMs: c_uint,
    }
}

c_struct! {
    /// Member `params` of [`cudaExternalSemaphoreWaitParams`].
    pub struct cudaExternalSemaphoreWaitParams_params: _ {
        pub fence: cudaExternalSemaphoreWaitParams_params_fence,
        pub nvSciSync: cudaExternalSemaphoreWaitParams_params_nvSciSync,
        pub keyedMutex: cudaExternalSemaphoreWaitParams_params_keyedMutex,
        pub reserved: [c_uint; 10],
    }
}

c_struct! {
    /// How a semaphore is waited for.
    pub struct cudaExternalSemaphoreWaitParams: cudaExternalSemaphoreWaitParams {
        pub params: cudaExternalSemaphoreWaitParams_params,
        pub flags: c_uint,
        pub reserved: [c_uint; 16],
    }
}

c_struct! {
    /// An attribute of a launch with its value.
    pub struct cudaLaunchAttribute: cudaLaunchAttribute_st {
        pub id: cudaLaunchAttributeID,
        pub pad: [c_char; 4],
        pub val: cudaLaunchAttributeValue,
    }
}

c_struct! {
    /// A launch: grid, block, shared memory, stream, attributes.
    pub struct cudaLaunchConfig_t: cudaLaunchConfig_st {
        pub gridDim: dim3,
        pub blockDim: dim3,
        pub dynamicSmemBytes: usize,
        pub stream: cudaStream_t,
        pub attrs: *mut cudaLaunchAttribute,
        pub numAttrs: c_uint,
    }
}

c_struct! {
    /// What a kernel needs and may have.
    pub struct cudaFuncAttributes: cudaFuncAttributes {
        pub sharedSizeBytes: usize,
        pub constSizeBytes: usize,
        pub localSizeBytes: usize,
        pub maxThreadsPerBlock: c_int,
        pub numRegs: c_int,
        pub ptxVersion: c_int,
        pub binaryVersion: c_int,
        pub cacheModeCA: c_int,
        pub maxDynamicSharedSizeBytes: c_int,
        pub preferredShmemCarveout: c_int,
        pub clusterDimMustBeSet: c_int,
        pub requiredClusterWidth: c_int,
        pub requiredClusterHeight: c_int,
        pub requiredClusterDepth: c_int,
        pub clusterSchedulingPolicyPreference: c_int,
        pub nonPortableClusterSizeAllowed: c_int,
        pub deviceNodeUpdateStatus: c_int,
        pub sharedMemoryMode: cudaSharedMemoryMode,
        pub reserved: [c_int; 14],
    }
}

c_enum! {
    /// The attributes of a kernel that can be set.
    pub enum cudaFuncAttribute: cudaFuncAttribute {
        cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
        cudaFuncAttributePreferredSharedMemoryCarveout = 9,
        cudaFuncAttributeClusterDimMustBeSet = 10,
        cudaFuncAttributeRequiredClusterWidth = 11,
        cudaFuncAttributeRequiredClusterHeight = 12,
        cudaFuncAttributeRequiredClusterDepth = 13,
        cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
        cudaFuncAttributeClusterSchedulingPolicyPreference = 15,
        cudaFuncAttributeSharedMemoryMode = 16,
        cudaFuncAttributeMax = 17,
    }
}

/// A function of the host in a stream or a graph.
pub type cudaHostFn_t = Option<unsafe extern "C" fn(userData: *mut c_void)>;

c_handle! {
    /// An array.
    cudaArray_t = cudaArray;
}

c_struct! {
    /// Rows of linear memory.
    pub struct cudaPitchedPtr: cudaPitchedPtr {
        pub ptr: *mut c_void,
        pub pitch: usize,
        pub xsize: usize,
        pub ysize: usize,
    }
}

c_handle! {
    /// An array with levels that is only read.
    cudaMipmappedArray_const_t = cudaMipmappedArray;
}

c_struct! {
    /// A place in an array or in linear memory.
    pub struct cudaPos: cudaPos {
        pub x: usize,
        pub y: usize,
        pub z: usize,
    }
}

c_enum! {
    /// From where to where is copied.
    pub enum cudaMemcpyKind: cudaMemcpyKind {
        cudaMemcpyHostToHost = 0,
        cudaMemcpyHostToDevice = 1,
        cudaMemcpyDeviceToHost = 2,
        cudaMemcpyDeviceToDevice = 3,
        cudaMemcpyDefault = 4,
    }
}

c_struct! {
    /// A copy of three dimensions.
    pub struct cudaMemcpy3DParms: cudaMemcpy3DParms {
        pub srcArray: cudaArray_t,
        pub srcPos: cudaPos,
        pub srcPtr: cudaPitchedPtr,
        pub dstArray: cudaArray_t,
        pub dstPos: cudaPos,
        pub dstPtr: cudaPitchedPtr,
        pub extent: cudaExtent,
        pub kind: cudaMemcpyKind,
    }
}

c_struct! {
    /// A copy of three dimensions between devices.
    pub struct cudaMemcpy3DPeerParms: cudaMemcpy3DPeerParms {
        pub srcArray: cudaArray_t,
        pub srcPos: cudaPos,
        pub srcPtr: cudaPitchedPtr,
        pub srcDevice: c_int,
        pub dstArray: cudaArray_t,
        pub dstPos: cudaPos,
        pub dstPtr: cudaPitchedPtr,
        pub dstDevice: c_int,
        pub extent: cudaExtent,
    }
}

c_struct! {
    /// How much memory an array needs.
    pub struct cudaArrayMemoryRequirements: cudaArrayMemoryRequirements {
        pub size: usize,
        pub alignment: usize,
        pub reserved: [c_uint; 4],
    }
}

c_struct! {
    /// Member `tileExtent` of [`cudaArraySparseProperties`].
    pub struct cudaArraySparseProperties_tileExtent: _ {
        pub width: c_uint,
        pub height: c_uint,
        pub depth: c_uint,
    }
}

c_struct! {
    /// The tiles of a sparse array.
    pub struct cudaArraySparseProperties: cudaArraySparseProperties {
        pub tileExtent: cudaArraySparseProperties_tileExtent,
        pub miptailFirstLevel: c_uint,
        pub miptailSize: c_ulonglong,
        pub flags: c_uint,
        pub reserved: [c_uint; 4],
    }
}

c_handle! {
    /// An array that is only read.
    cudaArray_const_t = cudaArray;
}

c_enum! {
    /// When the source of a copy is read.
    pub enum cudaMemcpySrcAccessOrder: cudaMemcpySrcAccessOrder {
        cudaMemcpySrcAccessOrderInvalid = 0,
        cudaMemcpySrcAccessOrderStream = 1,
        cudaMemcpySrcAccessOrderDuringApiCall = 2,
        cudaMemcpySrcAccessOrderAny = 3,
        cudaMemcpySrcAccessOrderMax = 2147483647,
    }
}

c_enum! {
    /// The kinds of places where memory may be.
    pub enum cudaMemLocationType: cudaMemLocationType {
        cudaMemLocationTypeInvalid = 0,
        cudaMemLocationTypeNone = 0,
        cudaMemLocationTypeDevice = 1,
        cudaMemLocationTypeHost = 2,
        cudaMemLocationTypeHostNuma = 3,
        cudaMemLocationTypeHostNumaCurrent = 4,
        cudaMemLocationTypeInvisible = 5,
        cudaMemLocationTypeDeviceLocalityDomain = 6,
    }
}

c_struct! {
    /// Members of [`cudaMemLocation`] that share their place.
    pub struct cudaMemLocation_anon1_localized: _ {
        pub deviceId: c_uchar,
        pub localityDomainId: c_uchar,
    }
}

c_struct! {
    /// Members of [`cudaMemLocation`] that share their place.
    pub union cudaMemLocation_anon1: _ {
        pub id: c_int,
        pub localized: cudaMemLocation_anon1_localized,
    }
}

c_struct! {
    /// A place where memory may be.
    pub struct cudaMemLocation: cudaMemLocation {
        pub r#type: cudaMemLocationType,
        pub anon1: cudaMemLocation_anon1,
    }
}

c_struct! {
    /// How copies of a batch are made.
    pub struct cudaMemcpyAttributes: cudaMemcpyAttributes {
        pub srcAccessOrder: cudaMemcpySrcAccessOrder,
        pub srcLocHint: cudaMemLocation,
        pub dstLocHint: cudaMemLocation,
        pub flags: c_uint,
    }
}

c_enum! {
    /// What kind of operand a copy has.
    pub enum cudaMemcpy3DOperandType: cudaMemcpy3DOperandType {
        cudaMemcpyOperandTypePointer = 1,
        cudaMemcpyOperandTypeArray = 2,
        cudaMemcpyOperandTypeMax = 2147483647,
    }
}

c_struct! {
    /// Member `ptr` of [`cudaMemcpy3DOperand_op`].
    pub struct cudaMemcpy3DOperand_op_ptr: _ {
        pub ptr: *mut c_void,
        pub rowLength: usize,
        pub layerHeight: usize,
        pub locHint: cudaMemLocation,
    }
}

c_struct! {
    /// A place in an array.
    pub struct cudaOffset3D: cudaOffset3D {
        pub x: usize,
        pub y: usize,
        pub z: usize,
    }
}

c_struct! {
    /// Member `array` of [`cudaMemcpy3DOperand_op`].
    pub struct cudaMemcpy3DOperand_op_array: _ {
        pub array: cudaArray_t,
        pub offset: cudaOffset3D,
    }
}

c_struct! {
    /// Member `op` of [`cudaMemcpy3DOperand`].
    pub union cudaMemcpy3DOperand_op: _ {
        pub ptr: cudaMemcpy3DOperand_op_ptr,
        pub array: cudaMemcpy3DOperand_op_array,
    }
}

c_struct! {
    /// The source or destination of a copy in a batch.
    pub struct cudaMemcpy3DOperand: cudaMemcpy3DOperand {
        pub r#type: cudaMemcpy3DOperandType,
        pub op: cudaMemcpy3DOperand_op,
    }
}

c_struct! {
    /// A copy of a batch.
    pub struct cudaMemcpy3DBatchOp: cudaMemcpy3DBatchOp {
        pub src: cudaMemcpy3DOperand,
        pub dst: cudaMemcpy3DOperand,
        pub extent: cudaExtent,
        pub srcAccessOrder: cudaMemcpySrcAccessOrder,
        pub flags: c_uint,
    }
}

c_enum! {
    /// Advice on the use of managed memory.
    pub enum cudaMemoryAdvise: cudaMemoryAdvise {
        cudaMemAdviseSetReadMostly = 1,
        cudaMemAdviseUnsetReadMostly = 2,
        cudaMemAdviseSetPreferredLocation = 3,
        cudaMemAdviseUnsetPreferredLocation = 4,
        cudaMemAdviseSetAccessedBy = 5,
        cudaMemAdviseUnsetAccessedBy = 6,
    }
}

c_enum! {
    /// The attributes of a range of managed memory.
    pub enum cudaMemRangeAttribute: cudaMemRangeAttribute {
        cudaMemRangeAttributeReadMostly = 1,
        cudaMemRangeAttributePreferredLocation = 2,
        cudaMemRangeAttributeAccessedBy = 3,
        cudaMemRangeAttributeLastPrefetchLocation = 4,
        cudaMemRangeAttributePreferredLocationType = 5,
        cudaMemRangeAttributePreferredLocationId = 6,
        cudaMemRangeAttributeLastPrefetchLocationType = 7,
        cudaMemRangeAttributeLastPrefetchLocationId = 8,
    }
}

c_enum! {
    /// The attributes of a pool.
    pub enum cudaMemPoolAttr: cudaMemPoolAttr {
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
        cudaMemPoolAttrLocalityDomainId = 15,
    }
}

c_enum! {
    /// What a device may do with memory.
    pub enum cudaMemAccessFlags: cudaMemAccessFlags {
        cudaMemAccessFlagsProtNone = 0,
        cudaMemAccessFlagsProtRead = 1,
        cudaMemAccessFlagsProtReadWrite = 3,
    }
}

c_struct! {
    /// What the device at a place may do with memory.
    pub struct cudaMemAccessDesc: cudaMemAccessDesc {
        pub location: cudaMemLocation,
        pub flags: cudaMemAccessFlags,
    }
}

c_enum! {
    /// The kinds of allocations.
    pub enum cudaMemAllocationType: cudaMemAllocationType {
        cudaMemAllocationTypeInvalid = 0,
        cudaMemAllocationTypePinned = 1,
        cudaMemAllocationTypeManaged = 2,
        cudaMemAllocationTypeMax = 2147483647,
    }
}

c_enum! {
    /// The kinds of handles under which memory is exported.
    pub enum cudaMemAllocationHandleType: cudaMemAllocationHandleType {
        cudaMemHandleTypeNone = 0,
        cudaMemHandleTypePosixFileDescriptor = 1,
        cudaMemHandleTypeWin32 = 2,
        cudaMemHandleTypeWin32Kmt = 4,
        cudaMemHandleTypeFabric = 8,
    }
}

c_struct! {
    /// What a pool is made of.
    pub struct cudaMemPoolProps: cudaMemPoolProps {
        pub allocType: cudaMemAllocationType,
        pub handleTypes: cudaMemAllocationHandleType,
        pub location: cudaMemLocation,
        pub win32SecurityAttributes: *mut c_void,
        pub maxSize: usize,
        pub usage: c_ushort,
        pub reserved: [c_uchar; 53],
        pub reserved1: c_uchar,
    }
}

c_struct! {
    /// An allocation of a pool for another process.
    pub struct cudaMemPoolPtrExportData: cudaMemPoolPtrExportData {
        pub reserved: [c_uchar; 64],
    }
}

c_enum! {
    /// Whose memory an address is in.
    pub enum cudaMemoryType: cudaMemoryType {
        cudaMemoryTypeUnregistered = 0,
        cudaMemoryTypeHost = 1,
        cudaMemoryTypeDevice = 2,
        cudaMemoryTypeManaged = 3,
    }
}

c_struct! {
    /// Members of [`cudaPointerAttributes`] that share their place.
    pub union cudaPointerAttributes_anon1: _ {
        pub localityDomainOrdinal: c_int,
        pub unused: c_long,
    }
}

c_struct! {
    /// What is known of an address.
    pub struct cudaPointerAttributes: cudaPointerAttributes {
        pub r#type: cudaMemoryType,
        pub device: c_int,
        pub devicePointer: *mut c_void,
        pub hostPointer: *mut c_void,
        pub anon1: cudaPointerAttributes_anon1,
        pub reserved: [c_long; 7],
    }
}

c_handle! {
    /// A resource of a graphics interface.
    cudaGraphicsResource_t = cudaGraphicsResource;
}

/// A texture object.
pub type cudaTextureObject_t = c_ulonglong;

c_enum! {
    /// The kinds of resources behind textures and surfaces.
    pub enum cudaResourceType: cudaResourceType {
        cudaResourceTypeArray = 0,
        cudaResourceTypeMipmappedArray = 1,
        cudaResourceTypeLinear = 2,
        cudaResourceTypePitch2D = 3,
    }
}

c_struct! {
    /// Member `array` of [`cudaResourceDesc_res`].
    pub struct cudaResourceDesc_res_array: _ {
        pub array: cudaArray_t,
    }
}

c_struct! {
    /// Member `mipmap` of [`cudaResourceDesc_res`].
    pub struct cudaResourceDesc_res_mipmap: _ {
        pub mipmap: cudaMipmappedArray_t,
    }
}

c_struct! {
    /// Member `linear` of [`cudaResourceDesc_res`].
    pub struct cudaResourceDesc_res_linear: _ {
        pub devPtr: *mut c_void,
        pub desc: cudaChannelFormatDesc,
        pub sizeInBytes: usize,
    }
}

c_struct! {
    /// Member `pitch2D` of [`cudaResourceDesc_res`].
    pub struct cudaResourceDesc_res_pitch2D: _ {
        pub devPtr: *mut c_void,
        pub desc: cudaChannelFormatDesc,
        pub width: usize,
        pub height: usize,
        pub pitchInBytes: usize,
    }
}

c_struct! {
    /// Member `reserved` of [`cudaResourceDesc_res`].
    pub struct cudaResourceDesc_res_reserved: _ {
        pub reserved: [c_int; 32],
    }
}

c_struct! {
    /// Member `res` of [`cudaResourceDesc`].
    pub union cudaResourceDesc_res: _ {
        pub array: cudaResourceDesc_res_array,
        pub mipmap: cudaResourceDesc_res_mipmap,
        pub linear: cudaResourceDesc_res_linear,
        pub pitch2D: cudaResourceDesc_res_pitch2D,
        pub reserved: cudaResourceDesc_res_reserved,
    }
}

c_struct! {
    /// The resource behind a texture or surface object.
    pub struct cudaResourceDesc: cudaResourceDesc {
        pub resType: cudaResourceType,
        pub res: cudaResourceDesc_res,
        pub flags: c_uint,
    }
}

c_enum! {
    /// What is read outside of a texture.
    pub enum cudaTextureAddressMode: cudaTextureAddressMode {
        cudaAddressModeWrap = 0,
        cudaAddressModeClamp = 1,
        cudaAddressModeMirror = 2,
        cudaAddressModeBorder = 3,
    }
}

c_enum! {
    /// How elements of a texture are interpolated.
    pub enum cudaTextureFilterMode: cudaTextureFilterMode {
        cudaFilterModePoint = 0,
        cudaFilterModeLinear = 1,
    }
}

c_enum! {
    /// Whether integers are read as fractions of their largest value.
    pub enum cudaTextureReadMode: cudaTextureReadMode {
        cudaReadModeElementType = 0,
        cudaReadModeNormalizedFloat = 1,
    }
}

c_struct! {
    /// How a texture is read.
    pub struct cudaTextureDesc: cudaTextureDesc {
        pub addressMode: [cudaTextureAddressMode; 3],
        pub filterMode: cudaTextureFilterMode,
        pub readMode: cudaTextureReadMode,
        pub sRGB: c_int,
        pub borderColor: [f32; 4],
        pub normalizedCoords: c_int,
        pub maxAnisotropy: c_uint,
        pub mipmapFilterMode: cudaTextureFilterMode,
        pub mipmapLevelBias: f32,
        pub minMipmapLevelClamp: f32,
        pub maxMipmapLevelClamp: f32,
        pub disableTrilinearOptimization: c_int,
        pub seamlessCubemap: c_int,
    }
}

c_enum! {
    /// How a view takes elements.
    pub enum cudaResourceViewFormat: cudaResourceViewFormat {
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
        cudaResViewFormatUnsignedBlockCompressed7 = 34,
    }
}

c_struct! {
    /// A view of a resource.
    pub struct cudaResourceViewDesc: cudaResourceViewDesc {
        pub format: cudaResourceViewFormat,
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

/// A surface object.
pub type cudaSurfaceObject_t = c_ulonglong;

c_enum! {
    /// How bad it is what a message tells.
    pub enum cudaLogLevel: CUDAlogLevel_enum {
        cudaLogLevelError = 0,
        cudaLogLevelWarning = 1,
    }
}

/// Is told messages.
pub type cudaLogsCallback_t = Option<unsafe extern "C" fn(data: *mut c_void, logLevel: cudaLogLevel, message: *mut c_char, length: usize)>;

c_handle! {
    /// A function that is told messages.
    cudaLogsCallbackHandle = CUlogsCallbackEntry_st;
}

/// A place among messages.
pub type cudaLogIterator = c_uint;

c_struct! {
    /// A launch in a graph.
    pub struct cudaKernelNodeParams: cudaKernelNodeParams {
        pub func: *mut c_void,
        pub gridDim: dim3,
        pub blockDim: dim3,
        pub sharedMemBytes: c_uint,
        pub kernelParams: *mut *mut c_void,
        pub extra: *mut *mut c_void,
    }
}

c_struct! {
    /// A memset in a graph.
    pub struct cudaMemsetParams: cudaMemsetParams {
        pub dst: *mut c_void,
        pub pitch: usize,
        pub value: c_uint,
        pub elementSize: c_uint,
        pub width: usize,
        pub height: usize,
    }
}

c_struct! {
    /// A function of the host in a graph.
    pub struct cudaHostNodeParams: cudaHostNodeParams {
        pub r#fn: cudaHostFn_t,
        pub userData: *mut c_void,
    }
}

c_struct! {
    /// Semaphores that a node signals.
    pub struct cudaExternalSemaphoreSignalNodeParams: cudaExternalSemaphoreSignalNodeParams {
        pub extSemArray: *mut cudaExternalSemaphore_t,
        pub paramsArray: *const cudaExternalSemaphoreSignalParams,
        pub numExtSems: c_uint,
    }
}

c_struct! {
    /// Semaphores that a node waits for.
    pub struct cudaExternalSemaphoreWaitNodeParams: cudaExternalSemaphoreWaitNodeParams {
        pub extSemArray: *mut cudaExternalSemaphore_t,
        pub paramsArray: *const cudaExternalSemaphoreWaitParams,
        pub numExtSems: c_uint,
    }
}

c_struct! {
    /// An allocation in a graph.
    pub struct cudaMemAllocNodeParams: cudaMemAllocNodeParams {
        pub poolProps: cudaMemPoolProps,
        pub accessDescs: *const cudaMemAccessDesc,
        pub accessDescCount: usize,
        pub bytesize: usize,
        pub dptr: *mut c_void,
    }
}

c_enum! {
    /// The attributes of memory that graphs hold.
    pub enum cudaGraphMemAttributeType: cudaGraphMemAttributeType {
        cudaGraphMemAttrUsedMemCurrent = 0,
        cudaGraphMemAttrUsedMemHigh = 1,
        cudaGraphMemAttrReservedMemCurrent = 2,
        cudaGraphMemAttrReservedMemHigh = 3,
    }
}

c_enum! {
    /// The kinds of nodes.
    pub enum cudaGraphNodeType: cudaGraphNodeType {
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
        cudaGraphNodeTypeCount = 18,
    }
}

c_handle! {
    /// A graph that can be launched.
    cudaGraphExec_t = CUgraphExec_st;
}

c_enum! {
    /// What came of making a graph executable.
    pub enum cudaGraphInstantiateResult: cudaGraphInstantiateResult {
        cudaGraphInstantiateSuccess = 0,
        cudaGraphInstantiateError = 1,
        cudaGraphInstantiateInvalidStructure = 2,
        cudaGraphInstantiateNodeOperationNotSupported = 3,
        cudaGraphInstantiateMultipleDevicesNotSupported = 4,
        cudaGraphInstantiateConditionalHandleUnused = 5,
    }
}

c_struct! {
    /// How a graph is made executable.
    pub struct cudaGraphInstantiateParams: cudaGraphInstantiateParams_st {
        pub flags: c_ulonglong,
        pub uploadStream: cudaStream_t,
        pub errNode_out: cudaGraphNode_t,
        pub result_out: cudaGraphInstantiateResult,
    }
}

c_enum! {
    /// What came of updating an executable graph.
    pub enum cudaGraphExecUpdateResult: cudaGraphExecUpdateResult {
        cudaGraphExecUpdateSuccess = 0,
        cudaGraphExecUpdateError = 1,
        cudaGraphExecUpdateErrorTopologyChanged = 2,
        cudaGraphExecUpdateErrorNodeTypeChanged = 3,
        cudaGraphExecUpdateErrorFunctionChanged = 4,
        cudaGraphExecUpdateErrorParametersChanged = 5,
        cudaGraphExecUpdateErrorNotSupported = 6,
        cudaGraphExecUpdateErrorUnsupportedFunctionChange = 7,
        cudaGraphExecUpdateErrorAttributesChanged = 8,
    }
}

c_struct! {
    /// What came of an update, and at which node.
    pub struct cudaGraphExecUpdateResultInfo: cudaGraphExecUpdateResultInfo_st {
        pub result: cudaGraphExecUpdateResult,
        pub errorNode: cudaGraphNode_t,
        pub errorFromNode: cudaGraphNode_t,
    }
}

c_handle! {
    /// An object of the program's that graphs keep alive.
    cudaUserObject_t = CUuserObject_st;
}

c_handle! {
    /// A kernel of a library.
    cudaKernel_t = CUkern_st;
}

c_handle! {
    /// A kernel of a module.
    cudaFunction_t = CUfunc_st;
}

c_struct! {
    /// Members of [`cudaKernelNodeParamsV2`] that share their place.
    pub union cudaKernelNodeParamsV2_anon1: _ {
        pub func: *mut c_void,
        pub kern: cudaKernel_t,
        pub cuFunc: cudaFunction_t,
    }
}

c_handle! {
    /// Part of a device for work.
    cudaExecutionContext_t = cudaExecutionContext_st;
}

c_enum! {
    /// What names a kernel.
    pub enum cudaKernelFunctionType: cudaKernelFunctionType {
        cudaKernelFunctionTypeUnspecified = 0,
        cudaKernelFunctionTypeDeviceEntry = 1,
        cudaKernelFunctionTypeKernel = 2,
        cudaKernelFunctionTypeFunction = 3,
    }
}

c_struct! {
    /// A launch in a graph.
    pub struct cudaKernelNodeParamsV2: cudaKernelNodeParamsV2 {
        pub anon1: cudaKernelNodeParamsV2_anon1,
        pub gridDim: dim3,
        pub blockDim: dim3,
        pub sharedMemBytes: c_uint,
        pub kernelParams: *mut *mut c_void,
        pub extra: *mut *mut c_void,
        pub ctx: cudaExecutionContext_t,
        pub functionType: cudaKernelFunctionType,
    }
}

c_struct! {
    /// A copy in a graph.
    pub struct cudaMemcpyNodeParams: cudaMemcpyNodeParams {
        pub flags: c_int,
        pub reserved: c_int,
        pub ctx: cudaExecutionContext_t,
        pub copyParams: cudaMemcpy3DParms,
    }
}

c_struct! {
    /// A memset in a graph.
    pub struct cudaMemsetParamsV2: cudaMemsetParamsV2 {
        pub dst: *mut c_void,
        pub pitch: usize,
        pub value: c_uint,
        pub elementSize: c_uint,
        pub width: usize,
        pub height: usize,
        pub ctx: cudaExecutionContext_t,
    }
}

c_struct! {
    /// A function of the host in a graph.
    pub struct cudaHostNodeParamsV2: cudaHostNodeParamsV2 {
        pub r#fn: cudaHostFn_t,
        pub userData: *mut c_void,
        pub syncMode: c_uint,
        pub ctx: cudaExecutionContext_t,
    }
}

c_enum! {
    /// Who owns the graph inside of a node.
    pub enum cudaGraphChildGraphNodeOwnership: cudaGraphChildGraphNodeOwnership {
        cudaGraphChildGraphOwnershipClone = 0,
        cudaGraphChildGraphOwnershipMove = 1,
        cudaGraphChildGraphOwnershipInvalid = -1,
    }
}

c_struct! {
    /// A graph in a graph.
    pub struct cudaChildGraphNodeParams: cudaChildGraphNodeParams {
        pub graph: cudaGraph_t,
        pub ownership: cudaGraphChildGraphNodeOwnership,
    }
}

c_struct! {
    /// An event that a node waits for.
    pub struct cudaEventWaitNodeParams: cudaEventWaitNodeParams {
        pub event: cudaEvent_t,
    }
}

c_struct! {
    /// An event that a node records.
    pub struct cudaEventRecordNodeParams: cudaEventRecordNodeParams {
        pub event: cudaEvent_t,
        pub ctx: cudaExecutionContext_t,
    }
}

c_struct! {
    /// Semaphores that a node signals.
    pub struct cudaExternalSemaphoreSignalNodeParamsV2: cudaExternalSemaphoreSignalNodeParamsV2 {
        pub extSemArray: *mut cudaExternalSemaphore_t,
        pub paramsArray: *const cudaExternalSemaphoreSignalParams,
        pub numExtSems: c_uint,
        pub ctx: cudaExecutionContext_t,
    }
}

c_struct! {
    /// Semaphores that a node waits for.
    pub struct cudaExternalSemaphoreWaitNodeParamsV2: cudaExternalSemaphoreWaitNodeParamsV2 {
        pub extSemArray: *mut cudaExternalSemaphore_t,
        pub paramsArray: *const cudaExternalSemaphoreWaitParams,
        pub numExtSems: c_uint,
        pub ctx: cudaExecutionContext_t,
    }
}

c_struct! {
    /// An allocation in a graph.
    pub struct cudaMemAllocNodeParamsV2: cudaMemAllocNodeParamsV2 {
        pub poolProps: cudaMemPoolProps,
        pub accessDescs: *const cudaMemAccessDesc,
        pub accessDescCount: usize,
        pub bytesize: usize,
        pub dptr: *mut c_void,
    }
}

c_struct! {
    /// Memory that a node frees.
    pub struct cudaMemFreeNodeParams: cudaMemFreeNodeParams {
        pub dptr: *mut c_void,
    }
}

/// The value that decides about a conditional node.
pub type cudaGraphConditionalHandle = c_ulonglong;

c_enum! {
    /// The kinds of conditional nodes.
    pub enum cudaGraphConditionalNodeType: cudaGraphConditionalNodeType {
        cudaGraphCondTypeIf = 0,
        cudaGraphCondTypeWhile = 1,
        cudaGraphCondTypeSwitch = 2,
    }
}

c_struct! {
    /// A conditional node.
    pub struct cudaConditionalNodeParams: cudaConditionalNodeParams {
        pub handle: cudaGraphConditionalHandle,
        pub r#type: cudaGraphConditionalNodeType,
        pub size: c_uint,
        pub phGraph_out: *mut cudaGraph_t,
        pub ctx: cudaExecutionContext_t,
    }
}

c_struct! {
    /// A batch of copies in a graph.
    pub struct cudaMemcpyBatchNodeParams: cudaMemcpyBatchNodeParams {
        pub count: usize,
        pub dsts: *mut *mut c_void,
        pub srcs: *mut *mut c_void,
        pub sizes: *mut usize,
        pub attrs: *mut cudaMemcpyAttributes,
        pub attrsIdxs: *mut usize,
        pub numAttrs: usize,
        pub ctx: cudaExecutionContext_t,
    }
}

c_struct! {
    /// Members of [`cudaGraphNodeParams`] that share their place.
    pub union cudaGraphNodeParams_anon1: _ {
        pub reserved1: [c_longlong; 29],
        pub kernel: cudaKernelNodeParamsV2,
        pub memcpy: cudaMemcpyNodeParams,
        pub memset: cudaMemsetParamsV2,
        pub host: cudaHostNodeParamsV2,
        pub graph: cudaChildGraphNodeParams,
        pub eventWait: cudaEventWaitNodeParams,
        pub eventRecord: cudaEventRecordNodeParams,
        pub extSemSignal: cudaExternalSemaphoreSignalNodeParamsV2,
        pub extSemWait: cudaExternalSemaphoreWaitNodeParamsV2,
        pub alloc: cudaMemAllocNodeParamsV2,
        pub free: cudaMemFreeNodeParams,
        pub conditional: cudaConditionalNodeParams,
        pub memcpyBatch: cudaMemcpyBatchNodeParams,
    }
}

c_struct! {
    /// A node of any kind.
    pub struct cudaGraphNodeParams: cudaGraphNodeParams {
        pub r#type: cudaGraphNodeType,
        pub reserved0: [c_int; 3],
        pub anon1: cudaGraphNodeParams_anon1,
        pub reserved2: c_longlong,
    }
}

c_enum! {
    /// What came of looking a function of the driver up.
    pub enum cudaDriverEntryPointQueryResult: cudaDriverEntryPointQueryResult {
        cudaDriverEntryPointSuccess = 0,
        cudaDriverEntryPointSymbolNotFound = 1,
        cudaDriverEntryPointVersionNotSufficent = 2,
    }
}

c_handle! {
    /// A library of kernels.
    cudaLibrary_t = CUlib_st;
}

c_enum! {
    /// The options of compiling.
    pub enum cudaJitOption: cudaJitOption {
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
        cudaJitOverrideDirectiveValues = 33,
    }
}

c_enum! {
    /// The options of loading a library.
    pub enum cudaLibraryOption: cudaLibraryOption {
        cudaLibraryHostUniversalFunctionAndDataTable = 0,
        cudaLibraryBinaryIsPreserved = 1,
    }
}

c_enum! {
    /// The kinds of a device's resources.
    pub enum cudaDevResourceType: cudaDevResourceType {
        cudaDevResourceTypeInvalid = 0,
        cudaDevResourceTypeSm = 1,
        cudaDevResourceTypeWorkqueueConfig = 1000,
        cudaDevResourceTypeWorkqueue = 10000,
    }
}

c_struct! {
    /// Multiprocessors of a device.
    pub struct cudaDevSmResource: cudaDevSmResource {
        pub smCount: c_uint,
        pub minSmPartitionSize: c_uint,
        pub smCoscheduledAlignment: c_uint,
        pub flags: c_uint,
        pub localityDomainId: c_uint,
    }
}

c_enum! {
    /// Who shares queues of work.
    pub enum cudaDevWorkqueueConfigScope: cudaDevWorkqueueConfigScope {
        cudaDevWorkqueueConfigScopeDeviceCtx = 0,
        cudaDevWorkqueueConfigScopeGreenCtxBalanced = 1,
    }
}

c_struct! {
    /// How queues of work are shared.
    pub struct cudaDevWorkqueueConfigResource: cudaDevWorkqueueConfigResource {
        pub device: c_int,
        pub wqConcurrencyLimit: c_uint,
        pub sharingScope: cudaDevWorkqueueConfigScope,
    }
}

c_struct! {
    /// Queues of work.
    pub struct cudaDevWorkqueueResource: cudaDevWorkqueueResource {
        pub reserved: [c_uchar; 40],
    }
}

c_struct! {
    /// Members of [`cudaDevResource_st`] that share their place.
    pub union cudaDevResource_st_anon1: _ {
        pub sm: cudaDevSmResource,
        pub wqConfig: cudaDevWorkqueueConfigResource,
        pub wq: cudaDevWorkqueueResource,
        pub _oversize: [c_uchar; 40],
    }
}

c_struct! {
    /// A resource of a device.
    pub struct cudaDevResource: cudaDevResource_st {
        pub r#type: cudaDevResourceType,
        pub _internal_padding: [c_uchar; 92],
        pub anon1: cudaDevResource_st_anon1,
        pub nextResource: *mut cudaDevResource,
    }
}

c_handle! {
    /// Resources for a part of a device.
    cudaDevResourceDesc_t = CUdevResourceDesc_st;
}

c_enum! {
    /// How results are rounded.
    pub enum cudaRoundMode: cudaRoundMode {
        cudaRoundNearest = 0,
        cudaRoundZero = 1,
        cudaRoundPosInf = 2,
        cudaRoundMinInf = 3,
    }
}

c_enum! {
    /// What came of capturing into a graph again.
    pub enum cudaGraphRecaptureStatus: cudaGraphRecaptureStatus {
        cudaGraphRecaptureEligibleForUpdate = 0,
        cudaGraphRecaptureIneligibleForUpdate = 1,
        cudaGraphRecaptureError = 2,
    }
}

c_enum! {
    /// How what a capture waits for is changed.
    pub enum cudaStreamUpdateCaptureDependenciesFlags: cudaStreamUpdateCaptureDependenciesFlags {
        cudaStreamAddCaptureDependencies = 0,
        cudaStreamSetCaptureDependencies = 1,
    }
}

c_enum! {
    /// How an object of the program's is kept.
    pub enum cudaUserObjectFlags: cudaUserObjectFlags {
        cudaUserObjectNoDestructorSync = 1,
    }
}

c_enum! {
    /// How a graph takes references.
    pub enum cudaUserObjectRetainFlags: cudaUserObjectRetainFlags {
        cudaGraphUserObjectMove = 1,
    }
}

c_enum! {
    /// How a host function waits.
    pub enum cudaHostTaskSyncMode: cudaHostTaskSyncMode {
        cudaHostTaskBlocking = 0,
        cudaHostTaskSpinWait = 1,
    }
}

c_enum! {
    /// How a graphics resource is registered.
    pub enum cudaGraphicsRegisterFlags: cudaGraphicsRegisterFlags {
        cudaGraphicsRegisterFlagsNone = 0,
        cudaGraphicsRegisterFlagsReadOnly = 1,
        cudaGraphicsRegisterFlagsWriteDiscard = 2,
        cudaGraphicsRegisterFlagsSurfaceLoadStore = 4,
        cudaGraphicsRegisterFlagsTextureGather = 8,
    }
}

c_enum! {
    /// How a graphics resource is mapped.
    pub enum cudaGraphicsMapFlags: cudaGraphicsMapFlags {
        cudaGraphicsMapFlagsNone = 0,
        cudaGraphicsMapFlagsReadOnly = 1,
        cudaGraphicsMapFlagsWriteDiscard = 2,
    }
}

c_enum! {
    /// The faces of a cube.
    pub enum cudaGraphicsCubeFace: cudaGraphicsCubeFace {
        cudaGraphicsCubeFacePositiveX = 0,
        cudaGraphicsCubeFaceNegativeX = 1,
        cudaGraphicsCubeFacePositiveY = 2,
        cudaGraphicsCubeFaceNegativeY = 3,
        cudaGraphicsCubeFacePositiveZ = 4,
        cudaGraphicsCubeFaceNegativeZ = 5,
    }
}

c_enum! {
    /// Shares of shared memory.
    pub enum cudaSharedCarveout: cudaSharedCarveout {
        cudaSharedmemCarveoutDefault = -1,
        cudaSharedmemCarveoutMaxShared = 100,
        cudaSharedmemCarveoutMaxL1 = 0,
    }
}

c_enum! {
    /// How many processes may use a device.
    pub enum cudaComputeMode: cudaComputeMode {
        cudaComputeModeDefault = 0,
        cudaComputeModeExclusive = 1,
        cudaComputeModeProhibited = 2,
        cudaComputeModeExclusiveProcess = 3,
    }
}

c_enum! {
    /// How writes from outside can be flushed.
    pub enum cudaFlushGPUDirectRDMAWritesOptions: cudaFlushGPUDirectRDMAWritesOptions {
        cudaFlushGPUDirectRDMAWritesOptionHost = 1,
        cudaFlushGPUDirectRDMAWritesOptionMemOps = 2,
    }
}

c_enum! {
    /// How writes from outside are ordered.
    pub enum cudaGPUDirectRDMAWritesOrdering: cudaGPUDirectRDMAWritesOrdering {
        cudaGPUDirectRDMAWritesOrderingNone = 0,
        cudaGPUDirectRDMAWritesOrderingOwner = 100,
        cudaGPUDirectRDMAWritesOrderingAllDevices = 200,
    }
}

c_enum! {
    /// How a copy of a batch is made.
    pub enum cudaMemcpyFlags: cudaMemcpyFlags {
        cudaMemcpyFlagDefault = 0,
        cudaMemcpyFlagPreferOverlapWithCompute = 1,
    }
}

c_enum! {
    /// How far atomic operations between devices and the host go.
    pub enum cudaAtomicOperationCapability: cudaAtomicOperationCapability {
        cudaAtomicCapabilitySigned = 1,
        cudaAtomicCapabilityUnsigned = 2,
        cudaAtomicCapabilityReduction = 4,
        cudaAtomicCapabilityScalar32 = 8,
        cudaAtomicCapabilityScalar64 = 16,
        cudaAtomicCapabilityScalar128 = 32,
        cudaAtomicCapabilityVector32x4 = 64,
    }
}

c_enum! {
    /// How multiprocessors are grouped.
    pub enum cudaDevSmResourceGroup_flags: cudaDevSmResourceGroup_flags {
        cudaDevSmResourceGroupDefault = 0,
        cudaDevSmResourceGroupBackfill = 1,
        cudaDevSmResourceGroupLocalityDomainId = 2,
        cudaDevSmResourceGroupLocalityDomainSupplementalSms = 4,
    }
}

c_enum! {
    /// How multiprocessors are divided.
    pub enum cudaDevSmResourceSplitByCount_flags: cudaDevSmResourceSplitByCount_flags {
        cudaDevSmResourceSplitIgnoreSmCoscheduling = 1,
        cudaDevSmResourceSplitMaxPotentialClusterSize = 2,
    }
}

c_enum! {
    /// Which caches compiled code uses.
    pub enum cudaJit_CacheMode: cudaJit_CacheMode {
        cudaJitCacheOptionNone = 0,
        cudaJitCacheOptionCG = 1,
        cudaJitCacheOptionCA = 2,
    }
}

c_enum! {
    /// What is preferred where machine code does not fit.
    pub enum cudaJit_Fallback: cudaJit_Fallback {
        cudaPreferPtx = 0,
        cudaPreferBinary = 1,
    }
}

c_enum! {
    /// The scopes of cooperative groups.
    pub enum cudaCGScope: cudaCGScope {
        cudaCGScopeInvalid = 0,
        cudaCGScopeGrid = 1,
        cudaCGScopeReserved = 2,
    }
}

c_enum! {
    /// How a conditional node's value begins.
    pub enum cudaGraphConditionalHandleFlags: cudaGraphConditionalHandleFlags {
        cudaGraphCondAssignDefault = 1,
    }
}

c_enum! {
    /// What an edge of a graph waits for.
    pub enum cudaGraphDependencyType: cudaGraphDependencyType_enum {
        cudaGraphDependencyTypeDefault = 0,
        cudaGraphDependencyTypeProgrammatic = 1,
    }
}

c_enum! {
    /// What a kernel may change in a node.
    pub enum cudaGraphKernelNodeField: cudaGraphKernelNodeField {
        cudaGraphKernelNodeFieldInvalid = 0,
        cudaGraphKernelNodeFieldGridDim = 1,
        cudaGraphKernelNodeFieldParam = 2,
        cudaGraphKernelNodeFieldEnabled = 3,
    }
}

c_enum! {
    /// Which twin of a function of the driver is looked up.
    pub enum cudaGetDriverEntryPointFlags: cudaGetDriverEntryPointFlags {
        cudaEnableDefault = 0,
        cudaEnableLegacyStream = 1,
        cudaEnablePerThreadDefaultStream = 2,
    }
}

c_enum! {
    /// What a picture of a graph shows.
    pub enum cudaGraphDebugDotFlags: cudaGraphDebugDotFlags {
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
        cudaGraphDebugDotFlagsMemcpyBatchNodeParams = 65536,
    }
}

c_enum! {
    /// How a graph is made executable.
    pub enum cudaGraphInstantiateFlags: cudaGraphInstantiateFlags {
        cudaGraphInstantiateFlagAutoFreeOnLaunch = 1,
        cudaGraphInstantiateFlagUpload = 2,
        cudaGraphInstantiateFlagDeviceLaunch = 4,
        cudaGraphInstantiateFlagUseNodePriority = 8,
    }
}

c_enum! {
    /// How a device's memory is divided.
    pub enum cudaDeviceNumaConfig: cudaDeviceNumaConfig {
        cudaDeviceNumaConfigNone = 0,
        cudaDeviceNumaConfigNumaNode = 1,
    }
}

c_enum! {
    /// What an operation of the fabric tells its state by.
    pub enum cudaFabricOpStatusSource: cudaFabricOpStatusSource {
        cudaFabricOpStatusSourceMbarrierV1 = 0,
        cudaFabricOpStatusSourceMax = 2147483647,
    }
}

c_enum! {
    /// The state of an operation of the fabric.
    pub enum cudaFabricOpStatusInfo: cudaFabricOpStatusInfo {
        cudaFabricOpStatusInfoSuccess = 0,
        cudaFabricOpStatusInfoLast = 0,
        cudaFabricOpStatusInfoMax = 2147483647,
    }
}

c_enum! {
    /// What happens outside of a surface.
    pub enum cudaSurfaceBoundaryMode: cudaSurfaceBoundaryMode {
        cudaBoundaryModeZero = 0,
        cudaBoundaryModeClamp = 1,
        cudaBoundaryModeTrap = 2,
    }
}

c_enum! {
    /// How a surface is written.
    pub enum cudaSurfaceFormatMode: cudaSurfaceFormatMode {
        cudaFormatModeForced = 0,
        cudaFormatModeAuto = 1,
    }
}

c_struct! {
    /// Memory for another machine of the fabric.
    pub struct cudaMemFabricHandle_t: cudaMemFabricHandle_st {
        pub reserved: [c_char; 64],
    }
}

c_struct! {
    /// A group of multiprocessors.
    pub struct cudaDevSmResourceGroupParams: cudaDevSmResourceGroupParams_st {
        pub smCount: c_uint,
        pub coscheduledSmCount: c_uint,
        pub preferredCoscheduledSmCount: c_uint,
        pub flags: c_uint,
        pub localityDomainId: c_uint,
        pub reserved: [c_uint; 11],
    }
}

/// Is asked about a node that is captured again.
pub type cudaGraphRecaptureCallback_t = Option<unsafe extern "C" fn(data: *mut c_void, node: cudaGraphNode_t, originalParams: *const cudaGraphNodeParams, recaptureParams: *const cudaGraphNodeParams, status: cudaGraphRecaptureStatus) -> cudaError_t>;

c_struct! {
    /// Who is asked about nodes that are captured again.
    pub struct cudaGraphRecaptureCallbackData: cudaGraphRecaptureCallbackData {
        pub callbackFunc: cudaGraphRecaptureCallback_t,
        pub userData: *mut c_void,
    }
}
