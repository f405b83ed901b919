//! Power, temperature, fans: sensors and settings that an emulated device does not have.

use crate::api::{Kind, Out};
use crate::code::Code;
use crate::devices::Device;
use crate::types::*;

/// `NVML_PSTATE_0`: the highest, and the only one.
const HIGHEST: u32 = 0;

api! {
    /// How many fans there are: none.
    ///
    /// - `numFans`: receives 0.
    fn nvmlDeviceGetNumFans(device: Device, numFans: Out<u32>) { numFans.set(0) }

    /// The performance state: always the highest.
    ///
    /// - `pState`: receives `NVML_PSTATE_0`.
    fn nvmlDeviceGetPerformanceState(device: Device, pState: Out<u32>) { pState.set(HIGHEST) }

    /// The performance state: always the highest.
    ///
    /// - `pState`: receives `NVML_PSTATE_0`.
    fn nvmlDeviceGetPowerState(device: Device, pState: Out<u32>) { pState.set(HIGHEST) }

    /// Fan speed.
    fn nvmlDeviceGetFanSpeed(device: Device, speed: Out<u32>);

    /// Fan speed, version 2.
    ///
    /// Errors: `NVML_ERROR_INVALID_ARGUMENT`, as the device has no fan.
    fn nvmlDeviceGetFanSpeed_v2(device: Device, fan: u32, speed: Out<u32>) = INVALID_ARGUMENT;

    /// Fan speed RPM.
    ///
    /// Errors: `NVML_ERROR_INVALID_ARGUMENT`, as the device has no fan.
    fn nvmlDeviceGetFanSpeedRPM(device: Device, fanSpeed: Out<FanSpeedInfo>) = INVALID_ARGUMENT;

    /// Target fan speed.
    ///
    /// Errors: `NVML_ERROR_INVALID_ARGUMENT`, as the device has no fan.
    fn nvmlDeviceGetTargetFanSpeed(device: Device, fan: u32, targetSpeed: Out<u32>) = INVALID_ARGUMENT;

    /// Lowest and highest fan speed.
    ///
    /// Errors: `NVML_ERROR_INVALID_ARGUMENT`, as the device has no fan.
    fn nvmlDeviceGetMinMaxFanSpeed(device: Device, minSpeed: Out<u32>, maxSpeed: Out<u32>) = INVALID_ARGUMENT;

    /// Fan control policy, version 2.
    ///
    /// Errors: `NVML_ERROR_INVALID_ARGUMENT`, as the device has no fan.
    fn nvmlDeviceGetFanControlPolicy_v2(device: Device, fan: u32, policy: Out<u32>) = INVALID_ARGUMENT;

    /// Temperature.
    fn nvmlDeviceGetTemperature(device: Device, sensorType: Kind<1>, temp: Out<u32>);

    /// Cooler information.
    fn nvmlDeviceGetCoolerInfo(device: Device, coolerInfo: Out<CoolerInfo>);

    /// The temperature of a sensor, in a structure with a version.
    ///
    /// Errors: `NVML_ERROR_NOT_SUPPORTED` for a known version and sensor, as no emulated device has a sensor; else
    /// `NVML_ERROR_INVALID_ARGUMENT`.
    fn nvmlDeviceGetTemperatureV(device: Device, temperature: Out<Temperature>) {
        let asked = temperature.get()?;
        let known = asked.version == version(1, size_of::<Temperature>()) && asked.sensorType == 0;
        Err(if known { Code::NOT_SUPPORTED } else { Code::INVALID_ARGUMENT })
    }

    /// Temperature threshold.
    fn nvmlDeviceGetTemperatureThreshold(device: Device, thresholdType: Kind<8>, temp: Out<u32>);

    /// Margin temperature.
    fn nvmlDeviceGetMarginTemperature(device: Device, marginTempInfo: Out<MarginTemperature>);

    /// Thermal settings.
    fn nvmlDeviceGetThermalSettings(device: Device, sensorIndex: u32, pThermalSettings: Out<GpuThermalSettings>);

    /// Dynamic performance states information.
    fn nvmlDeviceGetDynamicPstatesInfo(device: Device, pDynamicPstatesInfo: Out<GpuDynamicPstatesInfo>);

    /// Lowest and highest clock of a performance state.
    fn nvmlDeviceGetMinMaxClockOfPState(
        device: Device, kind: Kind<4>, pstate: Kind<16>, minClockMHz: Out<u32>, maxClockMHz: Out<u32>,
    );

    /// Supported performance states.
    fn nvmlDeviceGetSupportedPerformanceStates(device: Device, pstates: Out<u32>, size: u32);

    /// Performance modes.
    fn nvmlDeviceGetPerformanceModes(device: Device, perfModes: Out<DevicePerfModes>);

    /// Power management mode.
    fn nvmlDeviceGetPowerManagementMode(device: Device, mode: Out<u32>);

    /// Power management limit.
    fn nvmlDeviceGetPowerManagementLimit(device: Device, limit: Out<u32>);

    /// Power management limit constraints.
    fn nvmlDeviceGetPowerManagementLimitConstraints(device: Device, minLimit: Out<u32>, maxLimit: Out<u32>);

    /// Power management default limit.
    fn nvmlDeviceGetPowerManagementDefaultLimit(device: Device, defaultLimit: Out<u32>);

    /// Power usage.
    fn nvmlDeviceGetPowerUsage(device: Device, power: Out<u32>);

    /// PowerMizer mode, version 1.
    fn nvmlDeviceGetPowerMizerMode_v1(device: Device, powerMizerMode: Out<DevicePowerMizerModes_v1>);

    /// Sets PowerMizer mode, version 1.
    fn nvmlDeviceSetPowerMizerMode_v1(device: Device, powerMizerMode: Out<DevicePowerMizerModes_v1>);

    /// Total energy consumption.
    fn nvmlDeviceGetTotalEnergyConsumption(device: Device, energy: Out<u64>);

    /// Enforced power limit.
    fn nvmlDeviceGetEnforcedPowerLimit(device: Device, limit: Out<u32>);

    /// Power source.
    fn nvmlDeviceGetPowerSource(device: Device, powerSource: Out<u32>);

    /// Sets power management limit, version 2.
    fn nvmlDeviceSetPowerManagementLimit_v2(device: Device, powerValue: Out<PowerValue_v2>);

    /// Sets default fan speed, version 2.
    fn nvmlDeviceSetDefaultFanSpeed_v2(device: Device, fan: u32);

    /// Sets fan control policy.
    fn nvmlDeviceSetFanControlPolicy(device: Device, fan: u32, policy: u32);

    /// Sets temperature threshold.
    fn nvmlDeviceSetTemperatureThreshold(device: Device, thresholdType: u32, temp: Out<i32>);

    /// Sets power management limit.
    fn nvmlDeviceSetPowerManagementLimit(device: Device, limit: u32);

    /// Sets fan speed, version 2.
    fn nvmlDeviceSetFanSpeed_v2(device: Device, fan: u32, speed: u32);

    /// Profiles information of the workload power profiles.
    fn nvmlDeviceWorkloadPowerProfileGetProfilesInfo(
        device: Device, profilesInfo: Out<WorkloadPowerProfileProfilesInfo>,
    );

    /// Current profiles of the workload power profiles.
    fn nvmlDeviceWorkloadPowerProfileGetCurrentProfiles(
        device: Device, currentProfiles: Out<WorkloadPowerProfileCurrentProfiles>,
    );

    /// Sets requested profiles of the workload power profiles.
    fn nvmlDeviceWorkloadPowerProfileSetRequestedProfiles(
        device: Device, requestedProfiles: Out<WorkloadPowerProfileRequestedProfiles>,
    );

    /// Clears requested profiles of the workload power profiles.
    fn nvmlDeviceWorkloadPowerProfileClearRequestedProfiles(
        device: Device, requestedProfiles: Out<WorkloadPowerProfileRequestedProfiles>,
    );

    /// Activates preset profile of power smoothing.
    fn nvmlDevicePowerSmoothingActivatePresetProfile(device: Device, profile: Out<PowerSmoothingProfile>);

    /// Updates preset profile parameter of power smoothing.
    fn nvmlDevicePowerSmoothingUpdatePresetProfileParam(device: Device, profile: Out<PowerSmoothingProfile>);

    /// Sets state of power smoothing.
    fn nvmlDevicePowerSmoothingSetState(device: Device, state: Out<PowerSmoothingState>);
}
