//! Structures of the interface: those that a body reads or writes with their fields, the others by their size.

use crate::api::Plain;
use crate::devices::Device;

/// The first word of a structure that says which version it is.
pub const fn version(number: u32, size: usize) -> u32 {
    number << 24 | size as u32
}

macro_rules! opaque {
    ($($name:ident = $size:literal $(, versions [$(($number:literal, $bytes:literal)),*])?;)*) => { $(
        #[doc = concat!("`nvml", stringify!($name), "_t`")]
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub struct $name([u8; $size]);

        // SAFETY: bytes.
        unsafe impl Plain for $name {
            $(const VERSIONS: &'static [u32] = &[$(version($number, $bytes)),*];)?
        }
    )* };
}

macro_rules! structure {
    ($($name:ident $(version $number:literal)? $(first $word:literal)? { $($field:ident: $t:ty,)* })*) => { $(
        #[doc = concat!("`nvml", stringify!($name), "_t`")]
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub struct $name {
            $(#[doc = concat!("`", stringify!($field), "`")] pub $field: $t,)*
        }

        // SAFETY: numbers and arrays of them.
        unsafe impl Plain for $name {
            $(const VERSIONS: &'static [u32] = &[version($number, size_of::<$name>())];)?
            $(const VERSIONS: &'static [u32] = &[$word];)?
        }
    )* };
}

structure! {
    Memory { total: u64, free: u64, used: u64, }
    Memory_v2 { version: u32, total: u64, reserved: u64, free: u64, used: u64, }
    PciInfo {
        busIdLegacy: [u8; 16], domain: u32, bus: u32, device: u32, pciDeviceId: u32, pciSubSystemId: u32, busId: [u8; 32],
    }
    PciInfoExt version 1 {
        version: u32, domain: u32, bus: u32, device: u32, pciDeviceId: u32, pciSubSystemId: u32, baseClass: u32,
        subClass: u32, busId: [u8; 32],
    }
    UUID version 1 { version: u32, kind: u32, value: [u8; 41], }
    ProcessInfo_v1 { pid: u32, usedGpuMemory: u64, }
    ProcessInfo { pid: u32, usedGpuMemory: u64, gpuInstanceId: u32, computeInstanceId: u32, }
    FieldValue {
        fieldId: u32, scopeId: u32, timestamp: i64, latencyUsec: i64, valueType: u32, nvmlReturn: i32, value: u64,
    }
    EventData { device: Device, eventType: u64, eventData: u64, gpuInstanceId: u32, computeInstanceId: u32, }
    SystemDriverBranchInfo version 1 { version: u32, branch: [u8; 80], }
    DeviceAddressingMode version 1 { version: u32, value: u32, }
    DeviceCapabilities version 1 { version: u32, capMask: u32, }
    RepairStatus version 1 { version: u32, bChannelRepairPending: u32, bTpcRepairPending: u32, }
    Utilization { gpu: u32, memory: u32, }
    ConfComputeSystemCaps { cpuCaps: u32, gpusCaps: u32, }
    ConfComputeSystemState { environment: u32, ccFeature: u32, devToolsMode: u32, }
    Temperature { version: u32, sensorType: u32, temperature: i32, }
    GpmSupport first 1 { version: u32, isSupportedDevice: u32, }
    BridgeChipHierarchy { bridgeCount: u8, bridgeChipInfo: [[u32; 2]; 128], }
}

opaque! {
    PRMCounterList_v1 = 16;
    RemappedRowsInfo_v2 = 16;
    UnrepairableMemoryStatus_v1 = 8;
    AccountingStats = 56;
    ActiveVgpuInstanceInfo = 16, versions [(1, 16)];
    BAR1Memory = 24;
    ClkMonStatus = 264;
    ClockOffset = 24, versions [(1, 24)];
    ComputeInstanceInfo = 32;
    ComputeInstancePlacement = 8;
    ComputeInstanceProfileInfo = 36;
    ComputeInstanceProfileInfo_v2 = 136, versions [(2, 136), (3, 140)];
    ConfComputeGetKeyRotationThresholdInfo = 16, versions [(1, 16)];
    ConfComputeGpuAttestationReport = 12332;
    ConfComputeGpuCertificate = 9224;
    ConfComputeMemSizeInfo = 16;
    ConfComputeSetKeyRotationThresholdInfo = 16, versions [(1, 16)];
    CoolerInfo = 16, versions [(1, 16)];
    DeviceAttributes = 40;
    DeviceCurrentClockFreqs = 2052, versions [(1, 2052)];
    DevicePerfModes = 2052, versions [(1, 2052)];
    DevicePowerMizerModes_v1 = 12;
    DramEncryptionInfo = 8, versions [(1, 8)];
    EccErrorCounts = 32;
    EccSramErrorStatus = 104, versions [(1, 104)];
    EccSramUniqueUncorrectedErrorCounts = 16, versions [(1, 16)];
    EncoderSessionInfo = 32;
    ExcludedDeviceInfo = 148;
    FBCSessionInfo = 48;
    FBCStats = 12;
    FanSpeedInfo = 12, versions [(1, 12)];
    GpmMetricsGet = 8424;
    GpuDynamicPstatesInfo = 132;
    GpuFabricInfo = 28;
    GpuFabricInfoV = 40, versions [(2, 36), (3, 40)];
    GpuInstanceInfo = 24;
    GpuInstancePlacement = 8;
    GpuInstanceProfileInfo = 48;
    GpuInstanceProfileInfo_v2 = 152, versions [(2, 152), (3, 152)];
    GpuThermalSettings = 64;
    GridLicensableFeatures = 860;
    Hostname_v1 = 64;
    HwbcEntry = 36;
    LedState = 260;
    MarginTemperature = 8, versions [(1, 8)];
    NvLinkInfo = 1612, versions [(1, 8), (2, 1612)];
    NvLinkUtilizationControl = 8;
    NvlinkGetBwMode = 12;
    NvlinkSetBwMode = 12, versions [(1, 12)];
    NvlinkSupportedBwModes = 28;
    PRMTLV_v1 = 504;
    PSUInfo = 268;
    Pdi = 16, versions [(1, 16)];
    PlatformInfo = 44, versions [(1, 44), (2, 44)];
    PowerSmoothingProfile = 24, versions [(1, 24)];
    PowerSmoothingState = 8, versions [(1, 8)];
    PowerValue_v2 = 12, versions [(2, 12)];
    ProcessDetailList = 24, versions [(1, 24)];
    ProcessUtilizationSample = 32;
    ProcessesUtilizationInfo = 24, versions [(1, 24)];
    RowRemapperHistogramValues = 20;
    Sample = 16;
    SystemConfComputeSettings = 20, versions [(1, 20)];
    SystemEventSetCreateRequest = 16, versions [(1, 16)];
    SystemEventSetFreeRequest = 16, versions [(1, 16)];
    SystemEventSetWaitRequest = 32, versions [(1, 32)];
    SystemRegisterEventRequest = 24, versions [(1, 24)];
    UnitFanSpeeds = 196;
    UnitInfo = 384;
    VgpuCreatablePlacementInfo = 32, versions [(1, 32)];
    VgpuHeterogeneousMode = 8, versions [(1, 8)];
    VgpuInstanceUtilizationSample = 48;
    VgpuInstancesUtilizationInfo = 32, versions [(1, 32)];
    VgpuLicenseInfo = 24;
    VgpuMetadata = 212;
    VgpuPgpuCompatibility = 8;
    VgpuPgpuMetadata = 128;
    VgpuPlacementId = 8, versions [(1, 8)];
    VgpuPlacementList = 32, versions [(1, 24), (2, 32)];
    VgpuProcessUtilizationSample = 96;
    VgpuProcessesUtilizationInfo = 24, versions [(1, 24)];
    VgpuRuntimeState = 16, versions [(1, 16)];
    VgpuSchedulerCapabilities = 40;
    VgpuSchedulerGetState = 16;
    VgpuSchedulerLog = 9624;
    VgpuSchedulerLogInfo = 9632, versions [(1, 9632)];
    VgpuSchedulerSetState = 16;
    VgpuSchedulerState = 24, versions [(1, 24)];
    VgpuSchedulerStateInfo = 24, versions [(1, 24)];
    VgpuTypeBar1Info = 16, versions [(1, 16)];
    VgpuTypeIdInfo = 16, versions [(1, 16)];
    VgpuTypeMaxInstance = 12, versions [(1, 12)];
    VgpuVersion = 8;
    ViolationTime = 16;
    WorkloadPowerProfileCurrentProfiles = 100, versions [(1, 100)];
    WorkloadPowerProfileProfilesInfo = 11256, versions [(1, 11256)];
    WorkloadPowerProfileRequestedProfiles = 36, versions [(1, 36)];
}
