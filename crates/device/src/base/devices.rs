//! The devices of this process.

use crate::base::attribute::DeviceAttribute;
use crate::base::profile::Profile;
use crate::base::usage::Usage;
use crate::base::{limit, memory_file, pci};
use error::{Error, Result, refuse};
use guard::state;
use node::{Key, Member};
use parking_lot::Mutex;
use profiles::machine::{self, Installed};
use settings::log;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// A device.
pub struct Device {
    /// Its number.
    pub ordinal: u32,
    /// Its number on the machine, which does not depend on what a process sees: what processes tell each other.
    pub slot: u32,
    /// What it is.
    pub profile: Profile,
    /// Total memory in bytes, as far as this process may have it.
    pub memory: u64,
    /// Total memory in bytes of the device itself, which processes share.
    pub installed: u64,
    /// 16 bytes that identify it.
    pub uuid: [u8; 16],
    /// Memory in use.
    pub usage: &'static Usage,
    /// Where it sits on the bus.
    pub address: pci::Address,
    /// What the devices of the process are stuck with.
    pub failure: &'static Failure,
}

/// The error of a kernel or a copy that the devices of a process are stuck with, as on the real driver: the process gets no
/// context any more on any of them.
#[derive(Default)]
pub struct Failure(AtomicU32);

impl Failure {
    /// Notes an error; the first one stays.
    pub fn note(&self, error: Error) {
        let _ = self.0.compare_exchange(0, error.code(), Ordering::AcqRel, Ordering::Relaxed);
    }

    /// Forgets it.
    pub fn clear(&self) {
        self.0.store(0, Ordering::Release);
    }

    /// Fails with it.
    pub fn check(&self) -> Result<()> {
        match Error::from_code(self.0.load(Ordering::Acquire)) {
            Some(error) => Err(refuse!(error, "a kernel or a copy of this process failed earlier")),
            None => Ok(()),
        }
    }
}

impl Device {
    /// Bytes that allocations of all processes may take up together.
    pub fn memory_for_programs(&self) -> u64 {
        self.installed.saturating_sub(self.profile.reserved)
    }

    /// Bytes that this process could still allocate.
    pub fn free_memory(&self) -> u64 {
        let on_device = self.memory_for_programs().saturating_sub(self.usage.bytes_of_all());
        self.memory.saturating_sub(self.usage.bytes()).min(on_device)
    }

    /// What the device allows for the limits of a context.
    pub fn limits(&self) -> limit::Device {
        limit::Device { persisting_l2: self.count(DeviceAttribute::MAX_PERSISTING_L2_CACHE_SIZE).into() }
    }

    /// The value of an attribute, if the device knows it. What depends on the system is as the system is, whatever the
    /// profile says.
    #[inline]
    pub fn attribute(&self, attribute: DeviceAttribute) -> Option<i32> {
        let value = self.profile.attribute(attribute)?;
        Some(match attribute {
            DeviceAttribute::DMA_BUF_SUPPORTED if !memory_file::makes_dma_bufs() => 0,
            // What a switch between devices does there: one device has none.
            DeviceAttribute::MULTICAST_SUPPORTED if installed() > 1 && self.compute_capability() >= 90 => 1,
            DeviceAttribute::COMPUTE_MODE => self.usage.compute_mode().map_or(value, |mode| mode as i32),
            _ => value,
        })
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
    #[inline]
    pub fn attribute_value(&self, attribute: DeviceAttribute) -> i32 {
        self.attribute(attribute).unwrap_or(0)
    }

    /// The value of an attribute that is a count or a size, 0 for one that the device does not know.
    #[inline]
    pub fn count(&self, attribute: DeviceAttribute) -> u32 {
        self.attribute_value(attribute).max(0) as u32
    }
}

/// How many devices the machine has, whether or not this process sees them.
static INSTALLED: AtomicUsize = AtomicUsize::new(0);

static FAILURE: Failure = Failure(AtomicU32::new(0));

static DEVICES: OnceLock<Vec<Arc<Device>>> = OnceLock::new();

/// Values of [`state::Process::state`]; 0 is for a device that was not started.
const INITIALIZED: u8 = 1;
const FORKED: u8 = 2;
/// Started, and calls wait: of a process that is being checkpointed. An odd number, as all of a device that is started.
pub const HELD: u8 = 3;

extern "C" fn after_fork_in_child() {
    // Threads and their locks did not come along: nothing of the device can be used here.
    for started in [INITIALIZED, HELD] {
        let _ = state::PROCESS.state.compare_exchange(started, FORKED, Ordering::AcqRel, Ordering::Relaxed);
    }
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
    /// Bytes that this process may have of the device with a number; `None`: all.
    pub limit: fn(u32) -> Option<u64>,
    /// The name of the node whose processes share the devices. `None`: this process shares nothing.
    pub node: Option<String>,
}

impl Setup {
    /// A machine whose devices are all visible.
    pub fn new(installed: Vec<Arc<Profile>>, memory: Option<u64>) -> Setup {
        let visible = (0..installed.len()).collect();
        Setup { installed, visible, memory, limit: |_| None, node: None }
    }
}

/// Starts the device once; later calls only report. In a child of a process that had started it, it cannot be used.
pub fn initialize(setup: impl FnOnce() -> Result<Setup>) -> Result<()> {
    static STARTING: Mutex<()> = Mutex::new(());
    match state::PROCESS.state.load(Ordering::Acquire) {
        INITIALIZED | HELD => return Ok(()),
        FORKED => {
            return Err(refuse!(
                Error::NOT_INITIALIZED,
                "this is the child of a process that had initialized the driver before it forked"
            ));
        }
        _ => {}
    }
    let _starting = STARTING.lock();
    if is_started() {
        return Ok(());
    }
    let setup = setup()?;
    let visible: Vec<usize> = setup.visible.iter().copied().filter(|&slot| slot < setup.installed.len()).collect();
    if visible.is_empty() {
        return Err(refuse!(Error::NO_DEVICE, "CUDA_VISIBLE_DEVICES or DOPPEL_DEVICES leaves no device"));
    }
    INSTALLED.store(setup.installed.len(), Ordering::Relaxed);
    DEVICES.get_or_init(|| {
        let member = join(&setup);
        let make = |(ordinal, &slot): (usize, &usize)| {
            let Installed { profile, memory, uuid, address } = machine::device(&setup.installed, slot, setup.memory);
            let limit = (setup.limit)(ordinal as u32);
            let usage = Usage::shared(member.and_then(|member| member.share(slot))).limited(limit);
            Arc::new(Device {
                ordinal: ordinal as u32,
                slot: slot as u32,
                profile,
                memory: limit.map_or(memory, |limit| limit.min(memory)),
                installed: memory,
                uuid,
                usage: Box::leak(Box::new(usage)),
                failure: &FAILURE,
                address,
            })
        };
        visible.iter().enumerate().map(make).collect()
    });
    state::PROCESS.state.store(INITIALIZED, Ordering::Release);
    Ok(())
}

/// Joins the node that the setup names, if there is one and the system has a way to it.
fn join(setup: &Setup) -> Option<&'static Member> {
    let name = setup.node.as_deref()?;
    let key = Key::new(name.as_bytes(), &machine::description(&setup.installed, setup.memory));
    let member = Member::join(key);
    if member.is_none() {
        log::info!("this process does not share its devices with others: it cannot join their node");
    }
    member.map(|member| &*Box::leak(Box::new(member)))
}

/// True once the device is started, in the process that did it.
#[inline]
pub fn is_started() -> bool {
    state::PROCESS.state.load(Ordering::Acquire) & 1 != 0
}

/// True if it is started, and calls need not wait.
#[inline]
pub fn is_open() -> bool {
    state::PROCESS.state.load(Ordering::Acquire) == INITIALIZED
}

/// Makes calls wait.
pub fn hold() {
    let _ = state::PROCESS.state.compare_exchange(INITIALIZED, HELD, Ordering::AcqRel, Ordering::Relaxed);
}

/// Lets them go on.
pub fn open() {
    let _ = state::PROCESS.state.compare_exchange(HELD, INITIALIZED, Ordering::AcqRel, Ordering::Relaxed);
}

/// All devices, in order. Empty before [`initialize`].
pub fn devices() -> &'static [Arc<Device>] {
    DEVICES.get().map_or(&[], Vec::as_slice)
}

/// How many devices the machine has. 0 before [`initialize`].
pub fn installed() -> usize {
    INSTALLED.load(Ordering::Relaxed)
}

/// The device with a number; [`Error::INVALID_DEVICE`] otherwise.
pub fn device(ordinal: i32) -> Result<&'static Arc<Device>> {
    usize::try_from(ordinal)
        .ok()
        .and_then(|i| devices().get(i))
        .ok_or_else(|| refuse!(Error::INVALID_DEVICE, "_ {} is not a device: there are {}", ordinal, devices().len()))
}

/// What other processes know a device by: its slot. A number that no device has stays what it is.
pub fn slot_of(ordinal: i32) -> u64 {
    device(ordinal).map_or(ordinal as u64, |device| device.slot.into())
}

/// The number here of the device that another process named by its slot. No device's number, -1, if this process does not see it.
pub fn ordinal_of(slot: u64) -> i32 {
    devices().iter().position(|device| u64::from(device.slot) == slot).map_or(-1, |ordinal| ordinal as i32)
}
