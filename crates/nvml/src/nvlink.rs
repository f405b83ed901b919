//! Links between devices: an emulated device has none.

use crate::api::{Array, Kind, Out, Unchecked};
use crate::devices::Device;
use crate::types::*;

api! {
    /// Whether a link is there: none is.
    fn nvmlDeviceGetNvLinkState(device: Device, link: u32, isActive: Out<u32>);

    /// GPU fabric information.
    fn nvmlDeviceGetGpuFabricInfo(device: Device, gpuFabricInfo: Out<GpuFabricInfo>);

    /// GPU fabric information, with a version.
    fn nvmlDeviceGetGpuFabricInfoV(device: Device, gpuFabricInfo: Out<GpuFabricInfoV>);

    /// NvLink version.
    fn nvmlDeviceGetNvLinkVersion(device: Device, link: u32, version: Out<u32>);

    /// NvLink capability.
    fn nvmlDeviceGetNvLinkCapability(device: Device, link: Kind<18>, capability: u32, capResult: Out<u32>);

    /// NvLink remote PCI information, version 2.
    fn nvmlDeviceGetNvLinkRemotePciInfo_v2(device: Device, link: u32, pci: Out<PciInfo>);

    /// NvLink error counter.
    fn nvmlDeviceGetNvLinkErrorCounter(device: Device, link: u32, counter: u32, counterValue: Out<u64>);

    /// Resets NvLink error counters.
    fn nvmlDeviceResetNvLinkErrorCounters(device: Device, link: u32);

    /// Sets NvLink utilization control.
    fn nvmlDeviceSetNvLinkUtilizationControl(
        device: Unchecked<Device>, link: u32, counter: u32, control: Array<NvLinkUtilizationControl>, reset: u32,
    );

    /// NvLink utilization control.
    fn nvmlDeviceGetNvLinkUtilizationControl(
        device: Unchecked<Device>, link: u32, counter: u32, control: Array<NvLinkUtilizationControl>,
    );

    /// NvLink utilization counter.
    fn nvmlDeviceGetNvLinkUtilizationCounter(
        device: Unchecked<Device>, link: u32, counter: u32, rxcounter: Array<u64>, txcounter: Array<u64>,
    );

    /// Freezes NvLink utilization counter.
    fn nvmlDeviceFreezeNvLinkUtilizationCounter(device: Unchecked<Device>, link: u32, counter: u32, freeze: u32);

    /// Resets NvLink utilization counter.
    fn nvmlDeviceResetNvLinkUtilizationCounter(device: Unchecked<Device>, link: u32, counter: u32);

    /// NvLink remote device type.
    fn nvmlDeviceGetNvLinkRemoteDeviceType(device: Device, link: u32, pNvLinkDeviceType: Out<u32>);

    /// Sets NvLink device low power threshold.
    fn nvmlDeviceSetNvLinkDeviceLowPowerThreshold(device: Device, info: Out<u32>);

    /// Sets NvLink bandwidth mode.
    fn nvmlSystemSetNvlinkBwMode(nvlinkBwMode: u32);

    /// NvLink bandwidth mode.
    fn nvmlSystemGetNvlinkBwMode(nvlinkBwMode: Out<u32>);

    /// NvLink supported bandwidth modes.
    fn nvmlDeviceGetNvlinkSupportedBwModes(device: Device, supportedBwMode: Out<NvlinkSupportedBwModes>);

    /// NvLink bandwidth mode.
    fn nvmlDeviceGetNvlinkBwMode(device: Device, getBwMode: Out<NvlinkGetBwMode>);

    /// Sets NvLink bandwidth mode.
    fn nvmlDeviceSetNvlinkBwMode(device: Device, setBwMode: Out<NvlinkSetBwMode>);

    /// NvLink information.
    fn nvmlDeviceGetNvLinkInfo(device: Device, info: Out<NvLinkInfo>);

    /// NvLink remote PCI information.
    fn nvmlDeviceGetNvLinkRemotePciInfo(device: Device, link: u32, pci: Out<PciInfo>);
}
