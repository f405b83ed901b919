//! What a device is: handles, names, modes.

use crate::api::{Array, CString, Kind, Out, Text, Unchecked};
use crate::code::{Code, Result};
use crate::devices::{self, Device, Managed};
use crate::node;
use crate::types::*;
use profiles::attribute::DeviceAttribute;
use profiles::machine::uuid_text;

/// `NVML_BRAND_NVIDIA`
const BRAND_NVIDIA: u32 = 14;
/// `NVML_FEATURE_DISABLED`
const DISABLED: u32 = 0;
/// `nvmlDeviceAddressingModeType_t`: none, that of heterogeneous memory management.
const NOT_AT_ALL: u32 = 0;
const BY_PAGES: u32 = 1;
/// `NVML_UUID_TYPE_ASCII`, `NVML_UUID_TYPE_BINARY`
const UUID_TEXT: u32 = 1;
const UUID_BINARY: u32 = 2;

/// Compute capabilities from which on a device has an architecture (`NVML_DEVICE_ARCH_...`), and cores of a multiprocessor,
/// as CUDA's programming guide lists them.
const ARCHITECTURES: &[((i32, i32), u32, u32)] = &[
    ((12, 0), 10, 128),
    ((10, 0), 10, 128),
    ((9, 0), 9, 128),
    ((8, 9), 8, 128),
    ((8, 6), 7, 128),
    ((8, 0), 7, 64),
    ((7, 5), 6, 64),
    ((7, 0), 5, 64),
];

/// Architecture and cores of a multiprocessor.
fn architecture(device: &Managed) -> Result<(u32, u32)> {
    let found = ARCHITECTURES.iter().find(|(capability, ..)| device.capability() >= *capability);
    found.map(|&(_, number, cores)| (number, cores)).ok_or(Code::NOT_SUPPORTED)
}

/// The device of a UUID, with `GPU-` in front or without, in small letters.
fn by_uuid(text: &[u8]) -> Result<Device> {
    let named = |device: &&Managed| {
        let whole = uuid_text(&device.uuid());
        whole.as_bytes() == text || whole.as_bytes().strip_prefix(b"GPU-") == Some(text)
    };
    devices::all().iter().find(named).map(Managed::handle).ok_or(Code::NOT_FOUND)
}

fn by_index(index: u32) -> Result<Device> {
    devices::all().get(index as usize).map(Managed::handle).ok_or(Code::INVALID_ARGUMENT)
}

api! {
    /// How many devices there are.
    ///
    /// - `deviceCount`: receives the number, of devices that no environment variable hides.
    fn nvmlDeviceGetCount_v2(deviceCount: Out<u32>) { deviceCount.set(devices::all().len() as u32) }

    /// How many devices there are.
    ///
    /// - `deviceCount`: receives the number, of devices that no environment variable hides.
    fn nvmlDeviceGetCount(deviceCount: Out<u32>) { deviceCount.set(devices::all().len() as u32) }

    /// The handle of the device with an index.
    ///
    /// - `index`: 0 to one less than `nvmlDeviceGetCount_v2` says, in the order of addresses on the bus.
    /// - `device`: receives the handle.
    ///
    /// Errors: `NVML_ERROR_INVALID_ARGUMENT` for an index that no device has.
    fn nvmlDeviceGetHandleByIndex_v2(index: u32, device: Out<Device>) { device.set(by_index(index)?) }

    /// The handle of the device with an index.
    ///
    /// - `index`: 0 to one less than `nvmlDeviceGetCount_v2` says, in the order of addresses on the bus.
    /// - `device`: receives the handle.
    ///
    /// Errors: `NVML_ERROR_INVALID_ARGUMENT` for an index that no device has.
    fn nvmlDeviceGetHandleByIndex(index: u32, device: Out<Device>) { device.set(by_index(index)?) }

    /// The handle of the device on a board with a serial number: no emulated device has one.
    ///
    /// Errors: `NVML_ERROR_NOT_FOUND`, always.
    fn nvmlDeviceGetHandleBySerial(serial: CString, device: Out<Device>) = NOT_FOUND;

    /// The handle of the device with a UUID.
    ///
    /// - `uuid`: the UUID as `nvmlDeviceGetUUID` gives it, with or without `GPU-`, in small letters.
    /// - `device`: receives the handle.
    ///
    /// Errors: `NVML_ERROR_NOT_FOUND` if no device has it.
    fn nvmlDeviceGetHandleByUUID(uuid: CString, device: Out<Device>) { device.set(by_uuid(&uuid.get()?)?) }

    /// The handle of the device with a UUID, as text or as bytes.
    ///
    /// - `uuid`: its `type` says whether `value` holds text that ends with NUL (1) or 16 bytes (2).
    /// - `device`: receives the handle.
    ///
    /// Errors: `NVML_ERROR_NOT_FOUND` if no device has it; `NVML_ERROR_INVALID_ARGUMENT` for another `type`.
    fn nvmlDeviceGetHandleByUUIDV(uuid: Out<UUID>, device: Out<Device>) {
        let uuid = uuid.get()?;
        let value = &uuid.value;
        device.set(match uuid.kind {
            UUID_TEXT => by_uuid(value.split(|&b| b == 0).next().unwrap_or_default())?,
            UUID_BINARY => {
                let found = devices::all().iter().find(|device| device.uuid()[..] == value[..16]);
                found.map(Managed::handle).ok_or(Code::NOT_FOUND)?
            }
            _ => return Err(Code::INVALID_ARGUMENT),
        })
    }

    /// The device's name.
    ///
    /// - `name`: receives the name, as `cuDeviceGetName` gives it.
    /// - `length`: bytes that the program has room for at `name`, NUL included.
    ///
    /// Errors: `NVML_ERROR_INSUFFICIENT_SIZE` if text and NUL are longer than `length`.
    fn nvmlDeviceGetName(device: Device, name: Text, length: u32) { name.set(length, device.get()?.name()) }

    /// The device's UUID, as `cuDeviceGetUuid_v2` gives it.
    ///
    /// - `uuid`: receives `GPU-` and the UUID in groups of 8, 4, 4, 4 and 12 digits.
    /// - `length`: bytes that the program has room for at `uuid`, NUL included.
    ///
    /// Errors: `NVML_ERROR_INSUFFICIENT_SIZE` if text and NUL are longer than `length`.
    fn nvmlDeviceGetUUID(device: Device, uuid: Text, length: u32) { uuid.set(length, &uuid_text(&device.get()?.uuid())) }

    /// The brand: that of devices for computing.
    ///
    /// - `kind`: receives `NVML_BRAND_NVIDIA`.
    fn nvmlDeviceGetBrand(device: Device, kind: Out<u32>) { kind.set(BRAND_NVIDIA) }

    /// The index of the device.
    ///
    /// - `index`: receives it: `nvmlDeviceGetHandleByIndex_v2` finds the device by it.
    fn nvmlDeviceGetIndex(device: Device, index: Out<u32>) { index.set(device.get()?.index) }

    /// The number of the device's file.
    ///
    /// - `minorNumber`: receives N of `/dev/nvidiaN`, which an emulated device would have: its index.
    fn nvmlDeviceGetMinorNumber(device: Device, minorNumber: Out<u32>) { minorNumber.set(device.get()?.index) }

    /// The number of the module that the device sits on.
    ///
    /// - `moduleId`: receives the index of the device.
    fn nvmlDeviceGetModuleId(device: Device, moduleId: Out<u32>) { moduleId.set(device.get()?.index) }

    /// What names the board that the device sits on: its address.
    ///
    /// - `boardId`: receives domain, bus and device of the address, in 16 bits, 8 and 8.
    fn nvmlDeviceGetBoardId(device: Device, boardId: Out<u32>) {
        let address = device.get()?.address();
        boardId.set(address.domain << 16 | address.bus << 8 | address.device)
    }

    /// Whether the board has several devices: none has.
    ///
    /// - `multiGpuBool`: receives 0.
    fn nvmlDeviceGetMultiGpuBoard(device: Device, multiGpuBool: Out<u32>) { multiGpuBool.set(0) }

    /// Whether a display is connected: none is.
    ///
    /// - `display`: receives `NVML_FEATURE_DISABLED`.
    fn nvmlDeviceGetDisplayMode(device: Device, display: Out<u32>) { display.set(DISABLED) }

    /// Whether a display is initialised: none is.
    ///
    /// - `isActive`: receives `NVML_FEATURE_DISABLED`.
    fn nvmlDeviceGetDisplayActive(device: Device, isActive: Out<u32>) { isActive.set(DISABLED) }

    /// Whether the driver stays loaded while nobody uses the device: it does not.
    ///
    /// - `mode`: receives `NVML_FEATURE_DISABLED`.
    fn nvmlDeviceGetPersistenceMode(device: Device, mode: Out<u32>) { mode.set(DISABLED) }

    /// How many contexts the device may have, as the driver's attribute says it.
    ///
    /// - `mode`: receives 0 for as many as fit, 2 for none, 3 for one of one process.
    fn nvmlDeviceGetComputeMode(device: Device, mode: Out<u32>) {
        let device = device.get()?;
        mode.set(node::compute_mode(device).map_or_else(|| device.count(DeviceAttribute::COMPUTE_MODE), Ok)?)
    }

    /// The compute capability.
    ///
    /// - `major`, `minor`: receive both numbers, as `cuDeviceGetAttribute` gives them.
    fn nvmlDeviceGetCudaComputeCapability(device: Device, major: Out<i32>, minor: Out<i32>) {
        let capability = device.get()?.capability();
        major.set(capability.0)?;
        minor.set(capability.1)
    }

    /// The architecture, which follows from the compute capability.
    ///
    /// - `arch`: receives `NVML_DEVICE_ARCH_...`.
    ///
    /// Errors: `NVML_ERROR_NOT_SUPPORTED` for a capability below 5.0.
    fn nvmlDeviceGetArchitecture(device: Device, arch: Out<u32>) { arch.set(architecture(device.get()?)?.0) }

    /// How many cores the device has: those of its multiprocessors.
    ///
    /// - `numCores`: receives the number of multiprocessors times the cores of one.
    fn nvmlDeviceGetNumGpuCores(device: Device, numCores: Out<u32>) {
        let device = device.get()?;
        numCores.set(architecture(device)?.1 * device.count(DeviceAttribute::MULTIPROCESSOR_COUNT)?)
    }

    /// How the device reaches the host's memory: by its pages where it can.
    ///
    /// - `mode`: its `value` receives 1 if the device reaches memory that nothing registered, by the host's pages, and 0 if
    ///   not.
    fn nvmlDeviceGetAddressingMode(device: Device, mode: Out<DeviceAddressingMode>) {
        let pageable = device.get()?.attribute(DeviceAttribute::PAGEABLE_MEMORY_ACCESS).unwrap_or(0) != 0;
        let version = mode.get()?.version;
        mode.set(DeviceAddressingMode { version, value: if pageable { BY_PAGES } else { NOT_AT_ALL } })
    }

    /// Chips between devices of a board.
    fn nvmlDeviceGetBridgeChipInfo(device: Device, bridgeHierarchy: Out<BridgeChipHierarchy>);

    /// What a part of a device (MIG) has.
    fn nvmlDeviceGetAttributes_v2(device: Device, attributes: Out<DeviceAttributes>);

    /// What a part of a device (MIG) has.
    fn nvmlDeviceGetAttributes(device: Device, attributes: Out<DeviceAttributes>);

    /// What the device offers beyond CUDA: nothing.
    ///
    /// - `caps`: its mask receives 0.
    fn nvmlDeviceGetCapabilities(device: Device, caps: Out<DeviceCapabilities>) {
        caps.set(DeviceCapabilities { version: caps.get()?.version, capMask: 0 })
    }

    /// Serial.
    fn nvmlDeviceGetSerial(device: Device, serial: Text, length: u32);

    /// Board part number.
    fn nvmlDeviceGetBoardPartNumber(device: Device, partNumber: Text, length: u32);

    /// InfoROM version.
    fn nvmlDeviceGetInforomVersion(device: Device, object: Kind<4>, version: Text, length: u32);

    /// InfoROM image version.
    fn nvmlDeviceGetInforomImageVersion(device: Device, version: Text, length: u32);

    /// InfoROM configuration checksum.
    fn nvmlDeviceGetInforomConfigurationChecksum(device: Device, checksum: Out<u32>);

    /// Validates the InfoROM.
    fn nvmlDeviceValidateInforom(device: Device);

    /// Last BBX flush time.
    fn nvmlDeviceGetLastBBXFlushTime(device: Device, timestamp: Out<u64>, durationUs: Out<u64>);

    /// GPU operation mode.
    fn nvmlDeviceGetGpuOperationMode(device: Device, current: Out<u32>, pending: Out<u32>);

    /// Driver model, version 2.
    fn nvmlDeviceGetDriverModel_v2(device: Device, current: Array<u32>, pending: Array<u32>);

    /// VBIOS version.
    fn nvmlDeviceGetVbiosVersion(device: Device, version: Text, length: u32);

    /// API restriction.
    fn nvmlDeviceGetAPIRestriction(device: Device, apiType: Kind<2>, isRestricted: Out<u32>);

    /// Violation status.
    fn nvmlDeviceGetViolationStatus(device: Device, perfPolicyType: Kind<12>, violTime: Out<ViolationTime>);

    /// GSP firmware version.
    fn nvmlDeviceGetGspFirmwareVersion(device: Device, version: Text);

    /// GSP firmware mode.
    fn nvmlDeviceGetGspFirmwareMode(device: Device, isEnabled: Out<u32>, defaultMode: Out<u32>);

    /// Platform information.
    fn nvmlDeviceGetPlatformInfo(device: Device, platformInfo: Out<PlatformInfo>);

    /// The number that identifies the device for good.
    fn nvmlDeviceGetPdi(device: Device, pdi: Out<Pdi>);

    /// Sets hostname, version 1.
    fn nvmlDeviceSetHostname_v1(device: Device, hostname: Out<Hostname_v1>);

    /// Hostname, version 1.
    fn nvmlDeviceGetHostname_v1(device: Device, hostname: Out<Hostname_v1>);

    /// Sets persistence mode.
    fn nvmlDeviceSetPersistenceMode(device: Device, mode: u32);

    /// Says how many contexts the device may have from now on, in all processes of the node. Those that are there stay.
    ///
    /// - `mode`: 0 for as many as fit, 2 for none, 3 for one of one process.
    ///
    /// Errors: `NVML_ERROR_INVALID_ARGUMENT` for a mode that is none; `NVML_ERROR_NOT_SUPPORTED` for 1, one of one thread,
    /// which
    /// no device has any more, and where processes share no devices.
    fn nvmlDeviceSetComputeMode(device: Device, mode: Kind<4>) { node::set_compute_mode(device.get()?, mode.0) }

    /// Sets driver model.
    fn nvmlDeviceSetDriverModel(device: Unchecked<Device>, driverModel: u32, flags: u32);

    /// Sets GPU operation mode.
    fn nvmlDeviceSetGpuOperationMode(device: Device, mode: u32);

    /// Sets API restriction.
    fn nvmlDeviceSetAPIRestriction(device: Device, apiType: u32, isRestricted: u32);

    /// Driver model.
    fn nvmlDeviceGetDriverModel(device: Device, current: Array<u32>, pending: Array<u32>);
}
