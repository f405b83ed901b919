//! The constants of the CUDA runtime's interface.

/// A flag of [`cudaHostAlloc`].
pub const cudaHostAllocDefault: c_uint = 0x00;

/// A flag of [`cudaHostAlloc`].
pub const cudaHostAllocPortable: c_uint = 0x01;

/// A flag of [`cudaHostAlloc`].
pub const cudaHostAllocMapped: c_uint = 0x02;

/// A flag of [`cudaHostAlloc`].
pub const cudaHostAllocWriteCombined: c_uint = 0x04;

/// A flag of [`cudaHostRegister`].
pub const cudaHostRegisterDefault: c_uint = 0x00;

/// A flag of [`cudaHostRegister`].
pub const cudaHostRegisterPortable: c_uint = 0x01;

/// A flag of [`cudaHostRegister`].
pub const cudaHostRegisterMapped: c_uint = 0x02;

/// A flag of [`cudaHostRegister`].
pub const cudaHostRegisterIoMemory: c_uint = 0x04;

/// A flag of [`cudaHostRegister`].
pub const cudaHostRegisterReadOnly: c_uint = 0x08;

/// The flags of [`cudaDeviceEnablePeerAccess`].
pub const cudaPeerAccessDefault: c_uint = 0x00;

/// A flag of [`cudaStreamCreateWithFlags`].
pub const cudaStreamDefault: c_uint = 0x00;

/// A flag of [`cudaStreamCreateWithFlags`].
pub const cudaStreamNonBlocking: c_uint = 0x01;

/// The default stream that waits for others, and they for it.
pub const cudaStreamLegacy: cudaStream_t = cudaStream_t(0x1);

/// The default stream of the calling thread.
pub const cudaStreamPerThread: cudaStream_t = cudaStream_t(0x2);

/// A flag of [`cudaEventCreateWithFlags`].
pub const cudaEventDefault: c_uint = 0x00;

/// A flag of [`cudaEventCreateWithFlags`].
pub const cudaEventBlockingSync: c_uint = 0x01;

/// A flag of [`cudaEventCreateWithFlags`].
pub const cudaEventDisableTiming: c_uint = 0x02;

/// A flag of [`cudaEventCreateWithFlags`].
pub const cudaEventInterprocess: c_uint = 0x04;

/// A flag of [`cudaEventRecordWithFlags`].
pub const cudaEventRecordDefault: c_uint = 0x00;

/// A flag of [`cudaEventRecordWithFlags`].
pub const cudaEventRecordExternal: c_uint = 0x01;

/// A flag of [`cudaStreamWaitEvent`].
pub const cudaEventWaitDefault: c_uint = 0x00;

/// A flag of [`cudaStreamWaitEvent`].
pub const cudaEventWaitExternal: c_uint = 0x01;

/// A flag of [`cudaSetDeviceFlags`].
pub const cudaDeviceScheduleAuto: c_uint = 0x00;

/// A flag of [`cudaSetDeviceFlags`].
pub const cudaDeviceScheduleSpin: c_uint = 0x01;

/// A flag of [`cudaSetDeviceFlags`].
pub const cudaDeviceScheduleYield: c_uint = 0x02;

/// A flag of [`cudaSetDeviceFlags`].
pub const cudaDeviceScheduleBlockingSync: c_uint = 0x04;

/// A flag of [`cudaSetDeviceFlags`].
pub const cudaDeviceBlockingSync: c_uint = 0x04;

/// The flags of [`cudaSetDeviceFlags`] that say how threads wait.
pub const cudaDeviceScheduleMask: c_uint = 0x07;

/// A flag of [`cudaSetDeviceFlags`].
pub const cudaDeviceMapHost: c_uint = 0x08;

/// A flag of [`cudaSetDeviceFlags`].
pub const cudaDeviceLmemResizeToMax: c_uint = 0x10;

/// A flag of [`cudaSetDeviceFlags`].
pub const cudaDeviceSyncMemops: c_uint = 0x80;

/// All flags of [`cudaSetDeviceFlags`].
pub const cudaDeviceMask: c_uint = 0xff;

/// A flag of [`cudaMalloc3DArray`].
pub const cudaArrayDefault: c_uint = 0x00;

/// A flag of [`cudaMalloc3DArray`].
pub const cudaArrayLayered: c_uint = 0x01;

/// A flag of [`cudaMalloc3DArray`].
pub const cudaArraySurfaceLoadStore: c_uint = 0x02;

/// A flag of [`cudaMalloc3DArray`].
pub const cudaArrayCubemap: c_uint = 0x04;

/// A flag of [`cudaMalloc3DArray`].
pub const cudaArrayTextureGather: c_uint = 0x08;

/// A flag of [`cudaMalloc3DArray`].
pub const cudaArrayColorAttachment: c_uint = 0x20;

/// A flag of [`cudaMalloc3DArray`].
pub const cudaArraySparse: c_uint = 0x40;

/// A flag of [`cudaMalloc3DArray`].
pub const cudaArrayDeferredMapping: c_uint = 0x80;

/// The flag of [`cudaIpcOpenMemHandle`].
pub const cudaIpcMemLazyEnablePeerAccess: c_uint = 0x01;

/// A flag of [`cudaMallocManaged`].
pub const cudaMemAttachGlobal: c_uint = 0x01;

/// A flag of [`cudaMallocManaged`].
pub const cudaMemAttachHost: c_uint = 0x02;

/// A flag of [`cudaMallocManaged`].
pub const cudaMemAttachSingle: c_uint = 0x04;

/// A flag of [`cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags`].
pub const cudaOccupancyDefault: c_uint = 0x00;

/// A flag of [`cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags`].
pub const cudaOccupancyDisableCachingOverride: c_uint = 0x01;

/// The number of the host, among devices.
pub const cudaCpuDeviceId: c_int = -1;

/// The number of no device.
pub const cudaInvalidDeviceId: c_int = -2;

/// A flag of [`cudaInitDevice`].
pub const cudaInitDeviceFlagsAreValid: c_uint = 0x01;

/// A flag of [`cudaArraySparseProperties`].
pub const cudaArraySparsePropertiesSingleMipTail: c_uint = 0x1;

/// A flag of [`cudaMemPoolProps`].
pub const cudaMemPoolCreateUsageHwDecompress: c_uint = 0x2;

/// A flag of [`cudaExternalMemoryHandleDesc`].
pub const cudaExternalMemoryDedicated: c_uint = 0x1;

/// A flag of [`cudaExternalSemaphoreSignalParams`].
pub const cudaExternalSemaphoreSignalSkipNvSciBufMemSync: c_uint = 0x01;

/// A flag of [`cudaExternalSemaphoreWaitParams`].
pub const cudaExternalSemaphoreWaitSkipNvSciBufMemSync: c_uint = 0x02;

/// A flag of [`cudaDeviceGetNvSciSyncAttributes`].
pub const cudaNvSciSyncAttrSignal: c_uint = 0x1;

/// A flag of [`cudaDeviceGetNvSciSyncAttributes`].
pub const cudaNvSciSyncAttrWait: c_uint = 0x2;

/// Any domain of memory.
pub const cudaDevSmResourceGroupLocalityDomainIdAny: c_uint = !0;

/// A port of a kernel node, in [`cudaGraphEdgeData`].
pub const cudaGraphKernelNodePortDefault: c_uint = 0;

/// A port of a kernel node, in [`cudaGraphEdgeData`].
pub const cudaGraphKernelNodePortProgrammatic: c_uint = 1;

/// A port of a kernel node, in [`cudaGraphEdgeData`].
pub const cudaGraphKernelNodePortLaunchCompletion: c_uint = 2;

/// Another name of [`cudaLaunchAttributeID`].
pub const cudaStreamAttrID: _ = cudaLaunchAttributeID;

/// Another name of [`cudaLaunchAttributeAccessPolicyWindow`].
pub const cudaStreamAttributeAccessPolicyWindow: _ = cudaLaunchAttributeAccessPolicyWindow;

/// Another name of [`cudaLaunchAttributeSynchronizationPolicy`].
pub const cudaStreamAttributeSynchronizationPolicy: _ = cudaLaunchAttributeSynchronizationPolicy;

/// Another name of [`cudaLaunchAttributeMemSyncDomainMap`].
pub const cudaStreamAttributeMemSyncDomainMap: _ = cudaLaunchAttributeMemSyncDomainMap;

/// Another name of [`cudaLaunchAttributeMemSyncDomain`].
pub const cudaStreamAttributeMemSyncDomain: _ = cudaLaunchAttributeMemSyncDomain;

/// Another name of [`cudaLaunchAttributePriority`].
pub const cudaStreamAttributePriority: _ = cudaLaunchAttributePriority;

/// Another name of [`cudaLaunchAttributeValue`].
pub const cudaStreamAttrValue: _ = cudaLaunchAttributeValue;

/// Another name of [`cudaLaunchAttributeID`].
pub const cudaKernelNodeAttrID: _ = cudaLaunchAttributeID;

/// Another name of [`cudaLaunchAttributeAccessPolicyWindow`].
pub const cudaKernelNodeAttributeAccessPolicyWindow: _ = cudaLaunchAttributeAccessPolicyWindow;

/// Another name of [`cudaLaunchAttributeCooperative`].
pub const cudaKernelNodeAttributeCooperative: _ = cudaLaunchAttributeCooperative;

/// Another name of [`cudaLaunchAttributePriority`].
pub const cudaKernelNodeAttributePriority: _ = cudaLaunchAttributePriority;

/// Another name of [`cudaLaunchAttributeClusterDimension`].
pub const cudaKernelNodeAttributeClusterDimension: _ = cudaLaunchAttributeClusterDimension;

/// Another name of [`cudaLaunchAttributeClusterSchedulingPolicyPreference`].
pub const cudaKernelNodeAttributeClusterSchedulingPolicyPreference: _ = cudaLaunchAttributeClusterSchedulingPolicyPreference;

/// Another name of [`cudaLaunchAttributeMemSyncDomainMap`].
pub const cudaKernelNodeAttributeMemSyncDomainMap: _ = cudaLaunchAttributeMemSyncDomainMap;

/// Another name of [`cudaLaunchAttributeMemSyncDomain`].
pub const cudaKernelNodeAttributeMemSyncDomain: _ = cudaLaunchAttributeMemSyncDomain;

/// Another name of [`cudaLaunchAttributePreferredSharedMemoryCarveout`].
pub const cudaKernelNodeAttributePreferredSharedMemoryCarveout: _ = cudaLaunchAttributePreferredSharedMemoryCarveout;

/// Another name of [`cudaLaunchAttributeDeviceUpdatableKernelNode`].
pub const cudaKernelNodeAttributeDeviceUpdatableKernelNode: _ = cudaLaunchAttributeDeviceUpdatableKernelNode;

/// Another name of [`cudaLaunchAttributeNvlinkUtilCentricScheduling`].
pub const cudaKernelNodeAttributeNvlinkUtilCentricScheduling: _ = cudaLaunchAttributeNvlinkUtilCentricScheduling;

/// Another name of [`cudaLaunchAttributeValue`].
pub const cudaKernelNodeAttrValue: _ = cudaLaunchAttributeValue;

/// A kind of texture.
pub const cudaTextureType1D: c_uint = 0x01;

/// A kind of texture.
pub const cudaTextureType2D: c_uint = 0x02;

/// A kind of texture.
pub const cudaTextureType3D: c_uint = 0x03;

/// A kind of texture.
pub const cudaTextureTypeCubemap: c_uint = 0x0C;

/// A kind of texture.
pub const cudaTextureType1DLayered: c_uint = 0xF1;

/// A kind of texture.
pub const cudaTextureType2DLayered: c_uint = 0xF2;

/// A kind of texture.
pub const cudaTextureTypeCubemapLayered: c_uint = 0xFC;

/// A kind of surface.
pub const cudaSurfaceType1D: c_uint = 0x01;

/// A kind of surface.
pub const cudaSurfaceType2D: c_uint = 0x02;

/// A kind of surface.
pub const cudaSurfaceType3D: c_uint = 0x03;

/// A kind of surface.
pub const cudaSurfaceTypeCubemap: c_uint = 0x0C;

/// A kind of surface.
pub const cudaSurfaceType1DLayered: c_uint = 0xF1;

/// A kind of surface.
pub const cudaSurfaceType2DLayered: c_uint = 0xF2;

/// A kind of surface.
pub const cudaSurfaceTypeCubemapLayered: c_uint = 0xFC;
