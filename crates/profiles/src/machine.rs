//! The devices of a machine. A device's identity depends on its slot alone, so that every process sees the same devices.

use crate::attribute::DeviceAttribute;
use crate::pci;
use crate::profile::{Memory, Profile};
use std::sync::Arc;

/// Devices if the environment names none.
pub const DEFAULT: &str = "1";

/// The CUDA version that the driver tells, as `cuDriverGetVersion` counts.
pub const CUDA_VERSION: u32 = 13000;

/// Memory of devices is a multiple of this.
pub const GRANULE: u64 = 2 << 20;

/// A device of the machine.
pub struct Installed {
    /// What it is, with what follows from its slot.
    pub profile: Profile,
    /// Total memory in bytes.
    pub memory: u64,
    /// 16 bytes that identify it.
    pub uuid: [u8; 16],
    /// Where it sits on the bus.
    pub address: pci::Address,
}

/// The device in a slot of a machine with these profiles. `memory`: bytes for each device, over what its profile says.
///
/// # Panics
/// There is no such slot.
pub fn device(profiles: &[Arc<Profile>], slot: usize, memory: Option<u64>) -> Installed {
    let mut profile = Profile::clone(&profiles[slot]);
    let slot = slot as u32;
    let memory = memory.unwrap_or_else(|| match profile.memory {
        Memory::Bytes(bytes) => bytes,
        Memory::Host => host_memory(profiles.len() as u64),
    });
    let address = pci_address(&profile, slot);
    profile.set_attribute(DeviceAttribute::PCI_DOMAIN_ID, address.domain as i32);
    profile.set_attribute(DeviceAttribute::PCI_BUS_ID, address.bus as i32);
    profile.set_attribute(DeviceAttribute::PCI_DEVICE_ID, address.device as i32);
    Installed { profile, memory, uuid: uuid(slot), address }
}

/// What tells machines apart: names and memory of all devices, in order.
pub fn description(profiles: &[Arc<Profile>], memory: Option<u64>) -> Vec<u8> {
    let line = |slot| {
        let Installed { profile, memory, .. } = device(profiles, slot, memory);
        format!("{} {memory}\n", profile.name).into_bytes()
    };
    (0..profiles.len()).flat_map(line).collect()
}

/// Where the device in a slot of the machine sits: the profile says it for the first one, the others follow on the bus.
fn pci_address(profile: &Profile, slot: u32) -> pci::Address {
    /// A bus has this many devices.
    const DEVICES: u32 = 32;
    let count = |attribute| profile.attribute(attribute).unwrap_or(0).max(0) as u32;
    let device = count(DeviceAttribute::PCI_DEVICE_ID).saturating_add(slot);
    pci::Address {
        domain: count(DeviceAttribute::PCI_DOMAIN_ID),
        bus: count(DeviceAttribute::PCI_BUS_ID).saturating_add(device / DEVICES),
        device: device % DEVICES,
        function: 0,
    }
}

/// A device's share of the memory that the host could back: what there is, less an eighth for everybody else.
fn host_memory(devices: u64) -> u64 {
    /// No device has less, whatever the system says; and the part that is left to everybody else.
    const LEAST: u64 = 256 << 20;
    const SPARED: u64 = 8;
    // SAFETY: a plain query.
    let (pages, page) = unsafe { (libc::sysconf(libc::_SC_PHYS_PAGES), libc::sysconf(libc::_SC_PAGESIZE)) };
    let mut bytes = (pages.max(0) as u64).saturating_mul(page.max(0) as u64);
    // A container's limit, where there is one.
    for file in ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"] {
        if let Some(limit) = std::fs::read_to_string(file).ok().and_then(|s| s.trim().parse::<u64>().ok()) {
            bytes = bytes.min(limit);
        }
    }
    let bytes = bytes.max(LEAST);
    ((bytes - bytes / SPARED) / devices.max(1)) & !(GRANULE - 1)
}

/// The identity of the device with a number: the same in every process, as a machine's devices are.
pub fn uuid(ordinal: u32) -> [u8; 16] {
    let mut uuid = *b"DoppelCPUdevice\0";
    uuid[15] = ordinal as u8;
    uuid
}

/// A device's identity as tools print it, for `CUDA_VISIBLE_DEVICES`.
pub fn uuid_text(uuid: &[u8; 16]) -> String {
    let hex: String = uuid.iter().map(|b| format!("{b:02x}")).collect();
    format!("GPU-{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}
