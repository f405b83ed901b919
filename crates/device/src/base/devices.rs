//! The devices of this process.

use crate::base::attribute::DeviceAttribute;
use crate::base::profile::{Memory, Profile};
use crate::base::usage::{CHUNK, Usage};
use crate::base::{limit, memory_file, pci};
use error::{Error, Result, refuse};
use guard::state;
use parking_lot::Mutex;
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};

/// A device.
pub struct Device {
    /// Its number.
    pub ordinal: u32,
    /// What it is.
    pub profile: Profile,
    /// Total memory in bytes.
    pub memory: u64,
    /// 16 bytes that identify it.
    pub uuid: [u8; 16],
    /// Memory in use.
    pub usage: &'static Usage,
    /// Where it sits on the bus.
    pub address: pci::Address,
}

impl Device {
    /// Bytes that allocations may take up in all.
    pub fn memory_for_programs(&self) -> u64 {
        self.memory.saturating_sub(self.profile.reserved)
    }

    /// What the device allows for the limits of a context.
    pub fn limits(&self) -> limit::Device {
        limit::Device { persisting_l2: self.count(DeviceAttribute::MAX_PERSISTING_L2_CACHE_SIZE).into() }
    }

    /// The value of an attribute, if the device knows it. What depends on the system is as the system is, whatever the
    /// profile says.
    pub fn attribute(&self, attribute: DeviceAttribute) -> Option<i32> {
        let value = self.profile.attribute(attribute)?;
        Some(if attribute == DeviceAttribute::DMA_BUF_SUPPORTED && !memory_file::makes_dma_bufs() { 0 } else { value })
    }

    /// Kernels can use all of the program's memory.
    pub fn reaches_pageable(&self) -> bool {
        self.attribute_value(DeviceAttribute::PAGEABLE_MEMORY_ACCESS) != 0
    }

    /// The compute capability, 90 for 9.0.
    pub fn compute_capability(&self) -> u32 {
        let [major, minor] = [DeviceAttribute::COMPUTE_CAPABILITY_MAJOR, DeviceAttribute::COMPUTE_CAPABILITY_MINOR]
            .map(|attribute| self.attribute_value(attribute));
        (major * 10 + minor).max(0) as u32
    }

    /// The value of an attribute, 0 for one that the device does not know.
    pub fn attribute_value(&self, attribute: DeviceAttribute) -> i32 {
        self.attribute(attribute).unwrap_or(0)
    }

    /// The value of an attribute that is a count or a size, 0 for one that the device does not know.
    pub fn count(&self, attribute: DeviceAttribute) -> u32 {
        self.attribute_value(attribute).max(0) as u32
    }
}

static DEVICES: OnceLock<Vec<Arc<Device>>> = OnceLock::new();

/// Values of [`state::Process::state`]; 0 is for a device that was not started.
const INITIALIZED: u8 = 1;
const FORKED: u8 = 2;

extern "C" fn after_fork_in_child() {
    // Threads and their locks did not come along: nothing of the device can be used here.
    let _ = state::PROCESS.state.compare_exchange(INITIALIZED, FORKED, Ordering::AcqRel, Ordering::Relaxed);
}

/// Children of this process learn that the device did not come along. Called once, when the library is loaded.
pub fn watch_forks() {
    // SAFETY: registers a handler that only stores to an atomic.
    unsafe { libc::pthread_atfork(None, None, Some(after_fork_in_child)) };
}

/// What `cuInit` asks for, as far as configuration decides it.
pub struct Setup {
    /// The profiles of all devices of the machine, in order.
    pub installed: Vec<Arc<Profile>>,
    /// Which of them this process sees, in its order. A device keeps its identity whatever its number is.
    pub visible: Vec<usize>,
    /// Bytes of memory for each device, over what the profile says.
    pub memory: Option<u64>,
}

impl Setup {
    /// A machine whose devices are all visible.
    pub fn new(installed: Vec<Arc<Profile>>, memory: Option<u64>) -> Setup {
        let visible = (0..installed.len()).collect();
        Setup { installed, visible, memory }
    }
}

/// Starts the device once; later calls only report. In a child of a process that had started it, it cannot be used.
pub fn initialize(setup: impl FnOnce() -> Result<Setup>) -> Result<()> {
    static STARTING: Mutex<()> = Mutex::new(());
    match state::PROCESS.state.load(Ordering::Acquire) {
        INITIALIZED => return Ok(()),
        FORKED => {
            return Err(refuse!(
                Error::NOT_INITIALIZED,
                "this is the child of a process that had initialized the driver before it forked"
            ));
        }
        _ => {}
    }
    let _starting = STARTING.lock();
    if state::PROCESS.state.load(Ordering::Acquire) == INITIALIZED {
        return Ok(());
    }
    let setup = setup()?;
    let visible: Vec<(u32, &Arc<Profile>)> =
        setup.visible.iter().filter_map(|&slot| Some((slot as u32, setup.installed.get(slot)?))).collect();
    if visible.is_empty() {
        return Err(refuse!(Error::NO_DEVICE, "CUDA_VISIBLE_DEVICES or DOPPEL_DEVICES leaves no device"));
    }
    DEVICES.get_or_init(|| {
        let make = |(ordinal, &(slot, profile)): (usize, &(u32, &Arc<Profile>))| {
            let mut profile = Profile::clone(profile);
            let memory = setup.memory.unwrap_or_else(|| match profile.memory {
                Memory::Bytes(bytes) => bytes,
                Memory::Host => host_memory(setup.installed.len() as u64),
            });
            let address = pci_address(&profile, slot);
            profile.set_attribute(DeviceAttribute::PCI_DOMAIN_ID, address.domain as i32);
            profile.set_attribute(DeviceAttribute::PCI_BUS_ID, address.bus as i32);
            profile.set_attribute(DeviceAttribute::PCI_DEVICE_ID, address.device as i32);
            Arc::new(Device {
                ordinal: ordinal as u32,
                profile,
                memory,
                uuid: uuid(slot),
                usage: Box::leak(Box::default()),
                address,
            })
        };
        visible.iter().enumerate().map(make).collect()
    });
    state::PROCESS.state.store(INITIALIZED, Ordering::Release);
    Ok(())
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
    ((bytes - bytes / SPARED) / devices.max(1)) & !(CHUNK as u64 - 1)
}

/// True once the device is started, in the process that did it.
#[inline]
pub fn is_started() -> bool {
    state::PROCESS.state.load(Ordering::Acquire) == INITIALIZED
}

/// All devices, in order. Empty before [`initialize`].
pub fn devices() -> &'static [Arc<Device>] {
    DEVICES.get().map_or(&[], Vec::as_slice)
}

/// The device with a number; [`Error::INVALID_DEVICE`] otherwise.
pub fn device(ordinal: i32) -> Result<&'static Arc<Device>> {
    usize::try_from(ordinal)
        .ok()
        .and_then(|i| devices().get(i))
        .ok_or_else(|| refuse!(Error::INVALID_DEVICE, "_ {} is not a device: there are {}", ordinal, devices().len()))
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
