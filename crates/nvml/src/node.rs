//! What processes do with the devices: what the node knows that they share.

use crate::code::{Code, Result};
use crate::devices::{self, Managed};
use ::node::{ComputeMode, Key, Process, Watcher};
use settings::config;

/// The node that the environment names.
fn key() -> Option<Key> {
    let name = config::settings().and_then(|settings| settings.node.name());
    name.map(|name| Key::new(name.as_bytes(), &devices::description()))
}

/// The processes that use a device, as far as they share it.
fn users(device: &Managed) -> Vec<Process> {
    key().map_or(Vec::new(), |key| Watcher::new(&key).processes(device.index as usize))
}

/// Of the last second the share, in percent, in which kernels ran on the device, and in which kernels or copies did.
///
/// Errors: `NVML_ERROR_NOT_SUPPORTED` where processes share nothing.
pub fn busy(device: &Managed) -> Result<(u32, u32)> {
    key().map(|key| Watcher::new(&key).busy(device.index as usize)).ok_or(Code::NOT_SUPPORTED)
}

/// The compute mode that was set, or the default one; `None` where processes share nothing.
pub fn compute_mode(device: &Managed) -> Option<u32> {
    key().map(|key| ComputeMode::get(&key, device.index as usize) as u32)
}

/// Sets the compute mode.
///
/// Errors: `NVML_ERROR_NOT_SUPPORTED` for a mode that no device has any more, and where there is no place to keep one.
pub fn set_compute_mode(device: &Managed, mode: u32) -> Result {
    let mode = ComputeMode::of(mode).ok_or(Code::NOT_SUPPORTED)?;
    let set = key().is_some_and(|key| mode.set(&key, device.index as usize));
    if set { Ok(()) } else { Err(Code::NOT_SUPPORTED) }
}

/// The processes with a context on the device.
pub fn processes(device: &Managed) -> Vec<Process> {
    users(device).into_iter().filter(|process| process.contexts > 0).collect()
}

/// Bytes of the device's memory that programs use.
pub fn memory_used(device: &Managed) -> u64 {
    users(device).iter().map(|process| process.memory).sum()
}
