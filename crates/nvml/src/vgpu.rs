//! Virtual devices (vGPU): there are none.

use crate::api::{Array, Out, Text};
use crate::devices::Device;
use crate::handles::{GpuInstance, VgpuInstance, VgpuType};
use crate::types::*;

/// `NVML_GPU_VIRTUALIZATION_MODE_NONE`
const NONE: u32 = 0;

api! {
    /// Whether the device is virtual: it is not.
    ///
    /// - `pVirtualMode`: receives `NVML_GPU_VIRTUALIZATION_MODE_NONE`.
    fn nvmlDeviceGetVirtualizationMode(device: Device, pVirtualMode: Out<u32>) { pVirtualMode.set(NONE) }

    /// Host vGPU mode.
    fn nvmlDeviceGetHostVgpuMode(device: Device, pHostVgpuMode: Out<u32>);

    /// Sets virtualization mode.
    fn nvmlDeviceSetVirtualizationMode(device: Device, virtualMode: u32);

    /// vGPU heterogeneous mode.
    fn nvmlDeviceGetVgpuHeterogeneousMode(device: Device, pHeterogeneousMode: Out<VgpuHeterogeneousMode>);

    /// Sets vGPU heterogeneous mode.
    fn nvmlDeviceSetVgpuHeterogeneousMode(device: Device, pHeterogeneousMode: Out<VgpuHeterogeneousMode>);

    /// Placement identifier of a vGPU instance.
    fn nvmlVgpuInstanceGetPlacementId(vgpuInstance: VgpuInstance, pPlacement: Out<VgpuPlacementId>);

    /// vGPU type supported placements.
    fn nvmlDeviceGetVgpuTypeSupportedPlacements(
        device: Device, vgpuTypeId: u32, pPlacementList: Out<VgpuPlacementList>,
    );

    /// vGPU type creatable placements.
    fn nvmlDeviceGetVgpuTypeCreatablePlacements(
        device: Device, vgpuTypeId: u32, pPlacementList: Out<VgpuPlacementList>,
    );

    /// GSP heap size of a vGPU type.
    fn nvmlVgpuTypeGetGspHeapSize(vgpuTypeId: VgpuType, gspHeapSize: Out<u64>);

    /// Framebuffer reservation of a vGPU type.
    fn nvmlVgpuTypeGetFbReservation(vgpuTypeId: VgpuType, fbReservation: Out<u64>);

    /// Runtime state size of a vGPU instance.
    fn nvmlVgpuInstanceGetRuntimeStateSize(vgpuInstance: VgpuInstance, pState: Out<VgpuRuntimeState>);

    /// Sets vGPU capabilities.
    fn nvmlDeviceSetVgpuCapabilities(device: Device, capability: u32, state: u32);

    /// GRID licensable features, version 4.
    fn nvmlDeviceGetGridLicensableFeatures_v4(device: Device, pGridLicensableFeatures: Out<GridLicensableFeatures>);

    /// vGPU driver capabilities.
    fn nvmlGetVgpuDriverCapabilities(capability: u32, capResult: Out<u32>);

    /// vGPU capabilities.
    fn nvmlDeviceGetVgpuCapabilities(device: Device, capability: u32, capResult: Out<u32>);

    /// Supported vGPUs.
    fn nvmlDeviceGetSupportedVgpus(device: Device, vgpuCount: Out<u32>, vgpuTypeIds: Array<u32>);

    /// Creatable vGPUs.
    fn nvmlDeviceGetCreatableVgpus(device: Device, vgpuCount: Out<u32>, vgpuTypeIds: Array<u32>);

    /// Class of a vGPU type.
    fn nvmlVgpuTypeGetClass(vgpuTypeId: VgpuType, vgpuTypeClass: Text, size: Out<u32>);

    /// Name of a vGPU type.
    fn nvmlVgpuTypeGetName(vgpuTypeId: VgpuType, vgpuTypeName: Text, size: Out<u32>);

    /// GPU instance profile identifier of a vGPU type.
    fn nvmlVgpuTypeGetGpuInstanceProfileId(vgpuTypeId: VgpuType, gpuInstanceProfileId: Out<u32>);

    /// Device ID of a vGPU type.
    fn nvmlVgpuTypeGetDeviceID(vgpuTypeId: VgpuType, deviceID: Out<u64>, subsystemID: Out<u64>);

    /// Framebuffer size of a vGPU type.
    fn nvmlVgpuTypeGetFramebufferSize(vgpuTypeId: VgpuType, fbSize: Out<u64>);

    /// Number of display heads of a vGPU type.
    fn nvmlVgpuTypeGetNumDisplayHeads(vgpuTypeId: VgpuType, numDisplayHeads: Out<u32>);

    /// Resolution of a vGPU type.
    fn nvmlVgpuTypeGetResolution(vgpuTypeId: VgpuType, displayIndex: u32, xdim: Out<u32>, ydim: Out<u32>);

    /// License of a vGPU type.
    fn nvmlVgpuTypeGetLicense(vgpuTypeId: VgpuType, vgpuTypeLicenseString: Text, size: u32);

    /// Frame rate limit of a vGPU type.
    fn nvmlVgpuTypeGetFrameRateLimit(vgpuTypeId: VgpuType, frameRateLimit: Out<u32>);

    /// Highest instances of a vGPU type.
    fn nvmlVgpuTypeGetMaxInstances(device: Device, vgpuTypeId: u32, vgpuInstanceCount: Out<u32>);

    /// Highest instances per vm of a vGPU type.
    fn nvmlVgpuTypeGetMaxInstancesPerVm(vgpuTypeId: VgpuType, vgpuInstanceCountPerVm: Out<u32>);

    /// BAR1 information of a vGPU type.
    fn nvmlVgpuTypeGetBAR1Info(vgpuTypeId: VgpuType, bar1Info: Out<VgpuTypeBar1Info>);

    /// Active vGPUs.
    fn nvmlDeviceGetActiveVgpus(device: Device, vgpuCount: Out<u32>, vgpuInstances: Array<u32>);

    /// Vm ID of a vGPU instance.
    fn nvmlVgpuInstanceGetVmID(vgpuInstance: VgpuInstance, vmId: Text, size: u32, vmIdType: Out<u32>);

    /// UUID of a vGPU instance.
    fn nvmlVgpuInstanceGetUUID(vgpuInstance: VgpuInstance, uuid: Text, size: u32);

    /// Vm driver version of a vGPU instance.
    fn nvmlVgpuInstanceGetVmDriverVersion(vgpuInstance: VgpuInstance, version: Text, length: u32);

    /// Framebuffer usage of a vGPU instance.
    fn nvmlVgpuInstanceGetFbUsage(vgpuInstance: VgpuInstance, fbUsage: Out<u64>);

    /// License status of a vGPU instance.
    fn nvmlVgpuInstanceGetLicenseStatus(vgpuInstance: VgpuInstance, licensed: Out<u32>);

    /// Type of a vGPU instance.
    fn nvmlVgpuInstanceGetType(vgpuInstance: VgpuInstance, vgpuTypeId: Out<u32>);

    /// Frame rate limit of a vGPU instance.
    fn nvmlVgpuInstanceGetFrameRateLimit(vgpuInstance: VgpuInstance, frameRateLimit: Out<u32>);

    /// ECC mode of a vGPU instance.
    fn nvmlVgpuInstanceGetEccMode(vgpuInstance: VgpuInstance, eccMode: Out<u32>);

    /// Encoder capacity of a vGPU instance.
    fn nvmlVgpuInstanceGetEncoderCapacity(vgpuInstance: VgpuInstance, encoderCapacity: Out<u32>);

    /// Sets encoder capacity of a vGPU instance.
    fn nvmlVgpuInstanceSetEncoderCapacity(vgpuInstance: VgpuInstance, encoderCapacity: u32);

    /// Encoder statistics of a vGPU instance.
    fn nvmlVgpuInstanceGetEncoderStats(
        vgpuInstance: VgpuInstance, sessionCount: Out<u32>, averageFps: Out<u32>, averageLatency: Out<u32>,
    );

    /// Encoder sessions of a vGPU instance.
    fn nvmlVgpuInstanceGetEncoderSessions(
        vgpuInstance: VgpuInstance, sessionCount: Out<u32>, sessionInfo: Array<EncoderSessionInfo>,
    );

    /// FBC statistics of a vGPU instance.
    fn nvmlVgpuInstanceGetFBCStats(vgpuInstance: VgpuInstance, fbcStats: Out<FBCStats>);

    /// FBC sessions of a vGPU instance.
    fn nvmlVgpuInstanceGetFBCSessions(vgpuInstance: VgpuInstance, sessionCount: Out<u32>, sessionInfo: Array<FBCSessionInfo>);

    /// GPU instance identifier of a vGPU instance.
    fn nvmlVgpuInstanceGetGpuInstanceId(vgpuInstance: VgpuInstance, gpuInstanceId: Out<u32>);

    /// GPU PCI identifier of a vGPU instance.
    fn nvmlVgpuInstanceGetGpuPciId(vgpuInstance: VgpuInstance, vgpuPciId: Text, length: Out<u32>);

    /// Capabilities of a vGPU type.
    fn nvmlVgpuTypeGetCapabilities(vgpuTypeId: VgpuType, capability: u32, capResult: Out<u32>);

    /// UUID of the mediated device of a vGPU instance.
    fn nvmlVgpuInstanceGetMdevUUID(vgpuInstance: VgpuInstance, mdevUuid: Text, size: u32);

    /// Creatable vGPUs of a GPU instance.
    fn nvmlGpuInstanceGetCreatableVgpus(gpuInstance: GpuInstance, pVgpus: Out<VgpuTypeIdInfo>);

    /// Highest instances per GPU instance of a vGPU type.
    fn nvmlVgpuTypeGetMaxInstancesPerGpuInstance(pMaxInstance: Out<VgpuTypeMaxInstance>);

    /// Active vGPUs of a GPU instance.
    fn nvmlGpuInstanceGetActiveVgpus(gpuInstance: GpuInstance, pVgpuInstanceInfo: Out<ActiveVgpuInstanceInfo>);

    /// Sets vGPU scheduler state of a GPU instance.
    fn nvmlGpuInstanceSetVgpuSchedulerState(gpuInstance: GpuInstance, pScheduler: Out<VgpuSchedulerState>);

    /// vGPU scheduler state of a GPU instance.
    fn nvmlGpuInstanceGetVgpuSchedulerState(
        gpuInstance: GpuInstance, pSchedulerStateInfo: Out<VgpuSchedulerStateInfo>,
    );

    /// vGPU scheduler log of a GPU instance.
    fn nvmlGpuInstanceGetVgpuSchedulerLog(gpuInstance: GpuInstance, pSchedulerLogInfo: Out<VgpuSchedulerLogInfo>);

    /// vGPU type creatable placements of a GPU instance.
    fn nvmlGpuInstanceGetVgpuTypeCreatablePlacements(
        gpuInstance: GpuInstance, pCreatablePlacementInfo: Out<VgpuCreatablePlacementInfo>,
    );

    /// vGPU heterogeneous mode of a GPU instance.
    fn nvmlGpuInstanceGetVgpuHeterogeneousMode(
        gpuInstance: GpuInstance, pHeterogeneousMode: Out<VgpuHeterogeneousMode>,
    );

    /// Sets vGPU heterogeneous mode of a GPU instance.
    fn nvmlGpuInstanceSetVgpuHeterogeneousMode(
        gpuInstance: GpuInstance, pHeterogeneousMode: Out<VgpuHeterogeneousMode>,
    );

    /// Metadata of a vGPU instance.
    fn nvmlVgpuInstanceGetMetadata(vgpuInstance: VgpuInstance, vgpuMetadata: Array<VgpuMetadata>, bufferSize: Out<u32>);

    /// vGPU description.
    fn nvmlDeviceGetVgpuMetadata(device: Device, pgpuMetadata: Array<VgpuPgpuMetadata>, bufferSize: Out<u32>);

    /// vGPU compatibility.
    fn nvmlGetVgpuCompatibility(
        vgpuMetadata: Out<VgpuMetadata>, pgpuMetadata: Out<VgpuPgpuMetadata>, compatibilityInfo: Out<VgpuPgpuCompatibility>,
    );

    /// Physical GPU description string.
    fn nvmlDeviceGetPgpuMetadataString(device: Device, pgpuMetadata: Text, bufferSize: Out<u32>);

    /// vGPU scheduler log.
    fn nvmlDeviceGetVgpuSchedulerLog(device: Device, pSchedulerLog: Out<VgpuSchedulerLog>);

    /// vGPU scheduler state.
    fn nvmlDeviceGetVgpuSchedulerState(device: Device, pSchedulerState: Out<VgpuSchedulerGetState>);

    /// vGPU scheduler capabilities.
    fn nvmlDeviceGetVgpuSchedulerCapabilities(device: Device, pCapabilities: Out<VgpuSchedulerCapabilities>);

    /// Sets vGPU scheduler state.
    fn nvmlDeviceSetVgpuSchedulerState(device: Device, pSchedulerState: Out<VgpuSchedulerSetState>);

    /// vGPU version.
    fn nvmlGetVgpuVersion(supported: Out<VgpuVersion>, current: Out<VgpuVersion>);

    /// Sets vGPU version.
    fn nvmlSetVgpuVersion(vgpuVersion: Out<VgpuVersion>);

    /// vGPU utilization.
    fn nvmlDeviceGetVgpuUtilization(
        device: Device, lastSeenTimeStamp: u64, sampleValType: Out<u32>, vgpuInstanceSamplesCount: Out<u32>, utilizationSamples: Array<VgpuInstanceUtilizationSample>,
    );

    /// vGPU instances utilization information.
    fn nvmlDeviceGetVgpuInstancesUtilizationInfo(device: Device, vgpuUtilInfo: Out<VgpuInstancesUtilizationInfo>);

    /// vGPU process utilization.
    fn nvmlDeviceGetVgpuProcessUtilization(
        device: Device, lastSeenTimeStamp: u64, vgpuProcessSamplesCount: Out<u32>, utilizationSamples: Array<VgpuProcessUtilizationSample>,
    );

    /// vGPU processes utilization information.
    fn nvmlDeviceGetVgpuProcessesUtilizationInfo(device: Device, vgpuProcUtilInfo: Out<VgpuProcessesUtilizationInfo>);

    /// Accounting mode of a vGPU instance.
    fn nvmlVgpuInstanceGetAccountingMode(vgpuInstance: VgpuInstance, mode: Out<u32>);

    /// Accounting processes of a vGPU instance.
    fn nvmlVgpuInstanceGetAccountingPids(vgpuInstance: VgpuInstance, count: Out<u32>, pids: Array<u32>);

    /// Accounting statistics of a vGPU instance.
    fn nvmlVgpuInstanceGetAccountingStats(vgpuInstance: VgpuInstance, pid: u32, stats: Out<AccountingStats>);

    /// Clears accounting processes of a vGPU instance.
    fn nvmlVgpuInstanceClearAccountingPids(vgpuInstance: VgpuInstance);

    /// License information of a vGPU instance, version 2.
    fn nvmlVgpuInstanceGetLicenseInfo_v2(vgpuInstance: VgpuInstance, licenseInfo: Out<VgpuLicenseInfo>);

    /// GRID licensable features.
    fn nvmlDeviceGetGridLicensableFeatures(device: Device, pGridLicensableFeatures: Out<GridLicensableFeatures>);

    /// GRID licensable features, version 2.
    fn nvmlDeviceGetGridLicensableFeatures_v2(device: Device, pGridLicensableFeatures: Out<GridLicensableFeatures>);

    /// GRID licensable features, version 3.
    fn nvmlDeviceGetGridLicensableFeatures_v3(device: Device, pGridLicensableFeatures: Out<GridLicensableFeatures>);

    /// License information of a vGPU instance.
    fn nvmlVgpuInstanceGetLicenseInfo(vgpuInstance: VgpuInstance, licenseInfo: Out<VgpuLicenseInfo>);
}
