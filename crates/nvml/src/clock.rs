//! Clocks. An emulated device has none that runs; the highest ones are those that the driver's attributes tell.

use crate::api::{Array, Kind, Out};
use crate::code::Code;
use crate::devices::Device;
use crate::types::{ClkMonStatus, ClockOffset, DeviceCurrentClockFreqs};
use profiles::attribute::DeviceAttribute;

/// `nvmlClockType_t`: those of graphics, multiprocessors, memory, video.
const GRAPHICS: u32 = 0;
const MULTIPROCESSOR: u32 = 1;
const MEMORY: u32 = 2;
const VIDEO: u32 = 3;

api! {
    /// The highest frequency of a clock, as the driver's attributes say it.
    ///
    /// - `kind`: `NVML_CLOCK_GRAPHICS`, `NVML_CLOCK_SM` or `NVML_CLOCK_MEM`.
    /// - `clock`: receives the clock in MHz.
    ///
    /// Errors: `NVML_ERROR_NOT_SUPPORTED` for the clock of video; `NVML_ERROR_INVALID_ARGUMENT` for what is no clock.
    fn nvmlDeviceGetMaxClockInfo(device: Device, kind: u32, clock: Out<u32>) {
        let attribute = match kind {
            GRAPHICS | MULTIPROCESSOR => DeviceAttribute::CLOCK_RATE,
            MEMORY => DeviceAttribute::MEMORY_CLOCK_RATE,
            VIDEO => return Err(Code::NOT_SUPPORTED),
            _ => return Err(Code::INVALID_ARGUMENT),
        };
        clock.set(device.get()?.count(attribute)? / 1000)
    }

    /// Clock information.
    fn nvmlDeviceGetClockInfo(device: Device, kind: u32, clock: Out<u32>);

    /// Graphics clock offset of the voltage curve.
    fn nvmlDeviceGetGpcClkVfOffset(device: Device, offset: Out<i32>);

    /// Applications clock.
    fn nvmlDeviceGetApplicationsClock(device: Device, clockType: Kind<4>, clockMHz: Out<u32>);

    /// Default applications clock.
    fn nvmlDeviceGetDefaultApplicationsClock(device: Device, clockType: Kind<4>, clockMHz: Out<u32>);

    /// Clock.
    fn nvmlDeviceGetClock(device: Device, clockType: Kind<4>, clockId: Kind<4>, clockMHz: Out<u32>);

    /// Highest customer boost clock.
    fn nvmlDeviceGetMaxCustomerBoostClock(device: Device, clockType: Kind<4>, clockMHz: Out<u32>);

    /// Supported memory clocks.
    fn nvmlDeviceGetSupportedMemoryClocks(device: Device, count: Out<u32>, clocksMHz: Array<u32>);

    /// Supported graphics clocks.
    fn nvmlDeviceGetSupportedGraphicsClocks(
        device: Device, memoryClockMHz: u32, count: Out<u32>, clocksMHz: Array<u32>,
    );

    /// Auto boosted clocks enabled.
    fn nvmlDeviceGetAutoBoostedClocksEnabled(device: Device, isEnabled: Out<u32>, defaultIsEnabled: Out<u32>);

    /// Current clocks event reasons.
    fn nvmlDeviceGetCurrentClocksEventReasons(device: Device, clocksEventReasons: Out<u64>);

    /// Current clocks throttle reasons.
    fn nvmlDeviceGetCurrentClocksThrottleReasons(device: Device, clocksThrottleReasons: Out<u64>);

    /// Supported clocks event reasons.
    fn nvmlDeviceGetSupportedClocksEventReasons(device: Device, supportedClocksEventReasons: Out<u64>);

    /// Supported clocks throttle reasons.
    fn nvmlDeviceGetSupportedClocksThrottleReasons(device: Device, supportedClocksThrottleReasons: Out<u64>);

    /// Memory clock offset of the voltage curve.
    fn nvmlDeviceGetMemClkVfOffset(device: Device, offset: Out<i32>);

    /// Graphics clock lowest and highest offset of the voltage curve.
    fn nvmlDeviceGetGpcClkMinMaxVfOffset(device: Device, minOffset: Out<i32>, maxOffset: Out<i32>);

    /// Memory clock lowest and highest offset of the voltage curve.
    fn nvmlDeviceGetMemClkMinMaxVfOffset(device: Device, minOffset: Out<i32>, maxOffset: Out<i32>);

    /// Clock offsets.
    fn nvmlDeviceGetClockOffsets(device: Device, info: Out<ClockOffset>);

    /// Sets clock offsets.
    fn nvmlDeviceSetClockOffsets(device: Device, info: Out<ClockOffset>);

    /// Current clock frequencies.
    fn nvmlDeviceGetCurrentClockFreqs(device: Device, currentClockFreqs: Out<DeviceCurrentClockFreqs>);

    /// Adaptive clock information status.
    fn nvmlDeviceGetAdaptiveClockInfoStatus(device: Device, adaptiveClockStatus: Out<u32>);

    /// Clock monitor status.
    fn nvmlDeviceGetClkMonStatus(device: Device, status: Out<ClkMonStatus>);

    /// Sets GPU locked clocks.
    fn nvmlDeviceSetGpuLockedClocks(device: Device, minGpuClockMHz: u32, maxGpuClockMHz: u32);

    /// Resets GPU locked clocks.
    fn nvmlDeviceResetGpuLockedClocks(device: Device);

    /// Sets memory locked clocks.
    fn nvmlDeviceSetMemoryLockedClocks(device: Device, minMemClockMHz: u32, maxMemClockMHz: u32);

    /// Resets memory locked clocks.
    fn nvmlDeviceResetMemoryLockedClocks(device: Device);

    /// Sets applications clocks.
    fn nvmlDeviceSetApplicationsClocks(device: Device, memClockMHz: u32, graphicsClockMHz: u32);

    /// Resets applications clocks.
    fn nvmlDeviceResetApplicationsClocks(device: Device);

    /// Sets auto boosted clocks enabled.
    fn nvmlDeviceSetAutoBoostedClocksEnabled(device: Device, enabled: u32);

    /// Sets default auto boosted clocks enabled.
    fn nvmlDeviceSetDefaultAutoBoostedClocksEnabled(device: Device, enabled: u32, flags: u32);

    /// Sets graphics clock offset of the voltage curve.
    fn nvmlDeviceSetGpcClkVfOffset(device: Device, offset: i32);

    /// Sets memory clock offset of the voltage curve.
    fn nvmlDeviceSetMemClkVfOffset(device: Device, offset: i32);
}
