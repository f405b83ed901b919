//! Errors of memory. An emulated device has none to count; whether it says that it corrects them is in its profile.

use crate::api::{Array, Kind, Out};
use crate::devices::Device;
use crate::types::*;
use profiles::attribute::DeviceAttribute;

api! {
    /// Whether errors of memory are corrected (ECC), as the driver's attribute says.
    ///
    /// - `current`, `pending`: receive `NVML_FEATURE_ENABLED` or `NVML_FEATURE_DISABLED`, both the same.
    fn nvmlDeviceGetEccMode(device: Device, current: Out<u32>, pending: Out<u32>) {
        let enabled = device.get()?.count(DeviceAttribute::ECC_ENABLED)?;
        current.set(enabled)?;
        pending.set(enabled)
    }

    /// Whether errors of memory are corrected (ECC) unless it was set otherwise.
    ///
    /// - `defaultMode`: receives what the driver's attribute says.
    fn nvmlDeviceGetDefaultEccMode(device: Device, defaultMode: Out<u32>) {
        defaultMode.set(device.get()?.count(DeviceAttribute::ECC_ENABLED)?)
    }

    /// Whether a repair waits for the device to be reset: none does.
    ///
    /// - `repairStatus`: its `version` is given; both flags receive 0.
    fn nvmlDeviceGetRepairStatus(device: Device, repairStatus: Out<RepairStatus>) {
        let version = repairStatus.get()?.version;
        repairStatus.set(RepairStatus { version, bChannelRepairPending: 0, bTpcRepairPending: 0 })
    }

    /// Remapped rows, in all.
    fn nvmlDeviceGetRemappedRows_v2(device: Device, info: Out<RemappedRowsInfo_v2>);

    /// Whether memory is beyond repair.
    fn nvmlDeviceGetUnrepairableMemoryFlag_v1(
        device: Device, unrepairableMemoryStatus: Out<UnrepairableMemoryStatus_v1>,
    );

    /// Total ECC errors.
    fn nvmlDeviceGetTotalEccErrors(device: Device, errorType: Kind<2>, counterType: Kind<2>, eccCounts: Out<u64>);

    /// Detailed ECC errors.
    fn nvmlDeviceGetDetailedEccErrors(
        device: Device, errorType: Kind<2>, counterType: Kind<2>, eccCounts: Out<EccErrorCounts>,
    );

    /// Memory error counter.
    fn nvmlDeviceGetMemoryErrorCounter(
        device: Device, errorType: Kind<2>, counterType: Kind<2>, locationType: u32, count: Out<u64>,
    );

    /// SRAM ECC error status.
    fn nvmlDeviceGetSramEccErrorStatus(device: Device, status: Out<EccSramErrorStatus>);

    /// Retired pages.
    fn nvmlDeviceGetRetiredPages(device: Device, cause: Kind<2>, pageCount: Out<u32>, addresses: Array<u64>);

    /// Retired pages, version 2.
    fn nvmlDeviceGetRetiredPages_v2(
        device: Device, cause: Kind<2>, pageCount: Out<u32>, addresses: Array<u64>, timestamps: Array<u64>,
    );

    /// Retired pages pending status.
    fn nvmlDeviceGetRetiredPagesPendingStatus(device: Device, isPending: Out<u32>);

    /// Remapped rows.
    fn nvmlDeviceGetRemappedRows(
        device: Device, corrRows: Out<u32>, uncRows: Out<u32>, isPending: Out<u32>, failureOccurred: Out<u32>,
    );

    /// Row remapper histogram.
    fn nvmlDeviceGetRowRemapperHistogram(device: Device, values: Out<RowRemapperHistogramValues>);

    /// Sets ECC mode.
    fn nvmlDeviceSetEccMode(device: Device, ecc: u32);

    /// Clears ECC error counts.
    fn nvmlDeviceClearEccErrorCounts(device: Device, counterType: u32);

    /// SRAM unique uncorrected ECC error counts.
    fn nvmlDeviceGetSramUniqueUncorrectedEccErrorCounts(
        device: Device, errorCounts: Out<EccSramUniqueUncorrectedErrorCounts>,
    );
}
