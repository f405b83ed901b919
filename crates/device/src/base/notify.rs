//! Asynchronous notifications: callbacks that wait for events of a device.
//!
//! The one event that exists is that the process exceeds its memory budget. Nobody sets such a budget for this device,
//! as nobody does on the recorded machine, so no callback is ever due; they are kept until they are withdrawn.

use crate::base::devices::Device;
use crate::base::handle::{HandleKind, Table};
use error::{Error, Result, refuse};
use std::sync::Arc;

/// A registered callback.
pub struct Registration {
    /// What the program holds.
    pub handle: usize,
    /// The device whose events it waits for.
    pub device: u32,
}

pub(crate) static REGISTRATIONS: Table<Registration> = Table::new(HandleKind::Notification);

/// Registers a callback for a device.
pub fn register(device: &Device) -> Result<Arc<Registration>> {
    let device = device.ordinal;
    REGISTRATIONS
        .insert_with(|handle| Arc::new(Registration { handle, device }))
        .ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "there are too many callbacks"))
}

/// Withdraws a callback of a device.
pub fn unregister(device: &Device, handle: usize) -> Result<()> {
    REGISTRATIONS.get(handle).filter(|r| r.device == device.ordinal).ok_or_else(|| {
        refuse!(Error::INVALID_VALUE, "callback {:#x} is not registered for the device {}", handle, device.ordinal)
    })?;
    REGISTRATIONS
        .remove(handle)
        .map(drop)
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "callback {:#x} is not registered", handle))
}
