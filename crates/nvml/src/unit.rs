//! Units of several boards: there are none.

use crate::api::{Array, Out};
use crate::devices::Device;
use crate::handles::Unit;
use crate::types::{HwbcEntry, LedState, PSUInfo, UnitFanSpeeds, UnitInfo};

api! {
    /// How many units there are: none.
    ///
    /// - `unitCount`: receives 0.
    fn nvmlUnitGetCount(unitCount: Out<u32>) { unitCount.set(0) }

    /// The handle of the unit with an index: there is none.
    ///
    /// Errors: `NVML_ERROR_INVALID_ARGUMENT`, for any index.
    fn nvmlUnitGetHandleByIndex(index: u32, unit: Out<Unit>) = INVALID_ARGUMENT;

    /// The cards that connect units to the host: there are none.
    ///
    /// - `hwbcCount`: receives 0.
    /// - `hwbcEntries`: stays as it is.
    fn nvmlSystemGetHicVersion(hwbcCount: Out<u32>, hwbcEntries: Array<HwbcEntry>) { hwbcEntries.fill(hwbcCount, &[]) }

    /// Information of a unit.
    fn nvmlUnitGetUnitInfo(unit: Unit, info: Out<UnitInfo>);

    /// LED state of a unit.
    fn nvmlUnitGetLedState(unit: Unit, state: Out<LedState>);

    /// Power supply information of a unit.
    fn nvmlUnitGetPsuInfo(unit: Unit, psu: Out<PSUInfo>);

    /// Temperature of a unit.
    fn nvmlUnitGetTemperature(unit: Unit, kind: u32, temp: Out<u32>);

    /// Fan speed information of a unit.
    fn nvmlUnitGetFanSpeedInfo(unit: Unit, fanSpeeds: Out<UnitFanSpeeds>);

    /// Devices of a unit.
    fn nvmlUnitGetDevices(unit: Unit, deviceCount: Out<u32>, devices: Array<Device>);

    /// Sets LED state of a unit.
    fn nvmlUnitSetLedState(unit: Unit, color: u32);
}
