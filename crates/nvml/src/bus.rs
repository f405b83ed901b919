//! The bus: addresses of devices, which are those that the driver tells.

use crate::api::{CString, Kind, Out, write_prefix};
use crate::code::{Code, Result};
use crate::devices::{self, Device, Managed};
use crate::types::{PRMCounterList_v1, PRMTLV_v1, PciInfo, PciInfoExt};
use profiles::pci::Address;

/// `NVML_BUS_TYPE_PCI`
const BUS_PCI: u32 = 1;
/// The class of a device on the bus: a controller of three dimensions, as boards without a display are.
const CLASS: (u32, u32) = (3, 2);

/// A string with NUL in an array.
fn text<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [0; N];
    let length = text.len().min(N - 1);
    bytes[..length].copy_from_slice(&text.as_bytes()[..length]);
    bytes
}

/// The address in the form of now: eight digits for the domain.
fn long_form(address: Address) -> String {
    format!("{:08X}:{:02X}:{:02X}.{:X}", address.domain, address.bus, address.device, address.function)
}

/// Where a device sits. No emulated device has a number of a vendor.
fn pci_info(device: &Managed) -> PciInfo {
    let address = device.address();
    PciInfo {
        busIdLegacy: text(&address.to_string()),
        domain: address.domain,
        bus: address.bus,
        device: address.device,
        pciDeviceId: 0,
        pciSubSystemId: 0,
        busId: text(&long_form(address)),
    }
}

fn by_address(text: &[u8]) -> Result<Device> {
    // Unlike the driver, which refuses what follows a function.
    let colon = text.iter().rposition(|&b| b == b':').unwrap_or(0);
    let end = text[colon..].iter().position(|&b| b == b'.').map_or(text.len(), |dot| text.len().min(colon + dot + 2));
    let address = Address::parse(&text[..end]).filter(|address| address.function == 0).ok_or(Code::INVALID_ARGUMENT)?;
    let found = devices::all().iter().find(|device| device.address() == address);
    found.map(Managed::handle).ok_or(Code::NOT_FOUND)
}

api! {
    /// The handle of the device at an address of the bus.
    ///
    /// - `pciBusId`: `domain:bus:device.function` in hexadecimal digits; domain and function may be left out.
    /// - `device`: receives the handle.
    ///
    /// Errors: `NVML_ERROR_INVALID_ARGUMENT` for text that is no address of function 0; `NVML_ERROR_NOT_FOUND` if no device is
    /// there.
    fn nvmlDeviceGetHandleByPciBusId_v2(pciBusId: CString, device: Out<Device>) { device.set(by_address(&pciBusId.get()?)?) }

    /// The handle of the device at an address of the bus.
    ///
    /// - `pciBusId`: `domain:bus:device.function` in hexadecimal digits; domain and function may be left out.
    /// - `device`: receives the handle.
    ///
    /// Errors: `NVML_ERROR_INVALID_ARGUMENT` for text that is no address of function 0; `NVML_ERROR_NOT_FOUND` if no device is
    /// there.
    fn nvmlDeviceGetHandleByPciBusId(pciBusId: CString, device: Out<Device>) { device.set(by_address(&pciBusId.get()?)?) }

    /// Where the device sits on the bus.
    ///
    /// - `pci`: receives numbers and text of the address; identifiers of vendor and subsystem are 0.
    fn nvmlDeviceGetPciInfo_v3(device: Device, pci: Out<PciInfo>) { pci.set(pci_info(device.get()?)) }

    /// Where the device sits on the bus: the form of old, without what came later.
    ///
    /// - `pci`: receives numbers and text of the address; identifiers of vendor and subsystem are 0.
    fn nvmlDeviceGetPciInfo_v2(device: Device, pci: Out<PciInfo>) {
        /// All but the long form of the address.
        const OLD: usize = core::mem::offset_of!(PciInfo, busId);
        write_prefix(pci, &pci_info(device.get()?), OLD)
    }

    /// Where the device sits on the bus: the first form.
    ///
    /// - `pci`: receives numbers and text of the address; identifiers of vendor and subsystem are 0.
    fn nvmlDeviceGetPciInfo(device: Device, pci: Out<PciInfo>) {
        /// All but the number of the subsystem and the long form of the address.
        const FIRST: usize = core::mem::offset_of!(PciInfo, pciSubSystemId);
        write_prefix(pci, &pci_info(device.get()?), FIRST)
    }

    /// Where the device sits on the bus, and its class there.
    ///
    /// - `pci`: its `version` is given; receives numbers, text and class; identifiers of vendor and subsystem are 0.
    fn nvmlDeviceGetPciInfoExt(device: Device, pci: Out<PciInfoExt>) {
        let info = pci_info(device.get()?);
        pci.set(PciInfoExt {
            version: pci.get()?.version,
            domain: info.domain,
            bus: info.bus,
            device: info.device,
            pciDeviceId: info.pciDeviceId,
            pciSubSystemId: info.pciSubSystemId,
            baseClass: CLASS.0,
            subClass: CLASS.1,
            busId: info.busId,
        })
    }

    /// The kind of bus: PCI.
    ///
    /// - `kind`: receives `NVML_BUS_TYPE_PCI`.
    fn nvmlDeviceGetBusType(device: Device, kind: Out<u32>) { kind.set(BUS_PCI) }

    /// Highest PCIe link generation.
    fn nvmlDeviceGetMaxPcieLinkGeneration(device: Device, maxLinkGen: Out<u32>);

    /// GPU highest PCIe link generation.
    fn nvmlDeviceGetGpuMaxPcieLinkGeneration(device: Device, maxLinkGenDevice: Out<u32>);

    /// Highest PCIe link width.
    fn nvmlDeviceGetMaxPcieLinkWidth(device: Device, maxLinkWidth: Out<u32>);

    /// Current PCIe link generation.
    fn nvmlDeviceGetCurrPcieLinkGeneration(device: Device, currLinkGen: Out<u32>);

    /// Current PCIe link width.
    fn nvmlDeviceGetCurrPcieLinkWidth(device: Device, currLinkWidth: Out<u32>);

    /// PCIe throughput.
    fn nvmlDeviceGetPcieThroughput(device: Device, counter: Kind<2>, value: Out<u32>);

    /// PCIe replay counter.
    fn nvmlDeviceGetPcieReplayCounter(device: Device, value: Out<u32>);

    /// Interrupt number.
    fn nvmlDeviceGetIrqNum(device: Device, irqNum: Out<u32>);

    /// PCIe link highest speed.
    fn nvmlDeviceGetPcieLinkMaxSpeed(device: Device, maxSpeed: Out<u32>);

    /// PCIe speed.
    fn nvmlDeviceGetPcieSpeed(device: Device, pcieSpeed: Out<u32>);

    /// Modifies drain state.
    fn nvmlDeviceModifyDrainState(pciInfo: Out<PciInfo>, newState: u32);

    /// Drain state.
    fn nvmlDeviceQueryDrainState(pciInfo: Out<PciInfo>, currentState: Out<u32>);

    /// Removes GPU, version 2.
    fn nvmlDeviceRemoveGpu_v2(pciInfo: Out<PciInfo>, gpuState: u32, linkState: u32);

    /// Discovers GPUs.
    fn nvmlDeviceDiscoverGpus(pciInfo: Out<PciInfo>);

    /// Reads or writes registers, version 1.
    fn nvmlDeviceReadWritePRM_v1(device: Device, buffer: Out<PRMTLV_v1>);

    /// Counters of registers.
    fn nvmlDeviceReadPRMCounters_v1(device: Device, counterList: Out<PRMCounterList_v1>);

    /// Removes GPU.
    fn nvmlDeviceRemoveGpu(pciInfo: Out<PciInfo>);
}
