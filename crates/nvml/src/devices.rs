//! The devices of the machine, and what names one: a handle, a number, a UUID, an address on the bus.
//! `CUDA_VISIBLE_DEVICES` does not matter here.

use crate::api::{Argument, Plain};
use crate::code::{Code, Result};
use core::sync::atomic::{AtomicUsize, Ordering};
use profiles::attribute::DeviceAttribute;
use profiles::machine::{self, Installed};
use profiles::pci::Address;
use profiles::profile::Profile;
use settings::{config, log};
use std::sync::{Arc, OnceLock};

/// A device.
pub struct Managed {
    /// Its number.
    pub index: u32,
    installed: Installed,
    /// Bytes that the program may have of it.
    limit: Option<u64>,
}

impl Managed {
    /// The value of an attribute, as the driver tells it.
    pub fn attribute(&self, attribute: DeviceAttribute) -> Option<i32> {
        self.installed.profile.attribute(attribute)
    }

    /// The value of an attribute that is a count, a size or a rate.
    ///
    /// Errors: `NVML_ERROR_NOT_SUPPORTED` if the device does not know it.
    pub fn count(&self, attribute: DeviceAttribute) -> Result<u32> {
        self.attribute(attribute).and_then(|value| u32::try_from(value).ok()).ok_or(Code::NOT_SUPPORTED)
    }

    /// The compute capability.
    pub fn capability(&self) -> (i32, i32) {
        let [major, minor] = [DeviceAttribute::COMPUTE_CAPABILITY_MAJOR, DeviceAttribute::COMPUTE_CAPABILITY_MINOR]
            .map(|attribute| self.attribute(attribute).unwrap_or(0));
        (major, minor)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.installed.profile.name
    }

    /// Total memory in bytes, as far as `DOPPEL_MEMORY_LIMIT` lets the program have it.
    pub fn memory(&self) -> u64 {
        self.limit.map_or(self.installed.memory, |limit| limit.min(self.installed.memory))
    }

    /// Bytes beside it that the driver keeps.
    pub fn kept(&self) -> u64 {
        self.installed.profile.kept
    }

    /// What identifies it.
    pub fn uuid(&self) -> [u8; 16] {
        self.installed.uuid
    }

    /// Where it sits on the bus.
    pub fn address(&self) -> Address {
        self.installed.address
    }

    /// The handle that programs get.
    pub fn handle(&self) -> Device {
        Device((LIFE.load(Ordering::Acquire) << LIFE_SHIFT) | ((self.index as usize) << INDEX_SHIFT) | MARK)
    }
}

static DEVICES: OnceLock<Option<Vec<Managed>>> = OnceLock::new();

/// The devices that the environment asks for, which is read at the first call. `None`: something in it is malformed, which
/// has been reported.
pub fn load() -> Option<&'static [Managed]> {
    DEVICES.get_or_init(read).as_deref()
}

fn profiles(settings: &config::Settings) -> Option<Vec<Arc<Profile>>> {
    let spec = settings.devices.as_deref().unwrap_or(machine::DEFAULT);
    Profile::list(spec, !settings.secure).map_err(|why| log::error!("DOPPEL_DEVICES: {why}")).ok()
}

fn read() -> Option<Vec<Managed>> {
    let settings = config::settings()?;
    let profiles = profiles(settings)?;
    // Limits are for the numbers that CUDA gives to devices.
    let uuids: Vec<_> = (0..profiles.len()).map(|slot| machine::uuid_text(&machine::uuid(slot as u32))).collect();
    let visible = settings.visible.as_ref().and_then(|list| config::select_visible(list, &uuids));
    let ordinal = |slot: usize| match (&settings.visible, &visible) {
        (None, _) => Some(slot),
        (_, visible) => visible.as_ref()?.iter().position(|&one| one == slot),
    };
    let device = |slot| Managed {
        index: slot as u32,
        installed: machine::device(&profiles, slot, settings.device_memory),
        limit: ordinal(slot).and_then(|ordinal| config::start().limits.of(ordinal)),
    };
    Some((0..profiles.len()).map(device).collect())
}

/// What tells this machine from others.
pub fn description() -> Vec<u8> {
    let Some(settings) = config::settings() else { return Vec::new() };
    profiles(settings).map_or(Vec::new(), |profiles| machine::description(&profiles, settings.device_memory))
}

/// All devices, in order.
pub fn all() -> &'static [Managed] {
    load().unwrap_or_default()
}

/// What a handle consists of: a life of the library, a number, and bits that make it no address.
const LIFE_SHIFT: u32 = 16;
const INDEX_SHIFT: u32 = 4;
const MARK: usize = 0b0101;

/// Lives of the library that have ended. A handle is worth nothing in the next one.
static LIFE: AtomicUsize = AtomicUsize::new(0);

/// Ends a life of the library.
pub fn forget() {
    LIFE.fetch_add(1, Ordering::AcqRel);
}

/// A handle of a device.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Device(usize);

// SAFETY: any address may be in a handle; it is looked up, never followed.
unsafe impl Plain for Device {}

impl Device {
    /// The device.
    ///
    /// Errors: `NVML_ERROR_INVALID_ARGUMENT` for what is no handle of one.
    pub fn get(self) -> Result<&'static Managed> {
        let device = all().get((self.0 % (1 << LIFE_SHIFT)) >> INDEX_SHIFT).filter(|device| device.handle() == self);
        device.ok_or(Code::INVALID_ARGUMENT)
    }
}

impl Argument for Device {
    fn check(&self) -> Result {
        self.get().map(|_| ())
    }
}
