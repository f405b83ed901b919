//! What processes do with the devices: what the node knows that they share.

use crate::devices::{self, Managed};
use ::node::{Key, Process, Watcher};
use settings::config;

/// The processes that use a device, as far as they share it: those of the node that the environment names.
fn users(device: &Managed) -> Vec<Process> {
    let name = config::settings().and_then(|settings| settings.node.name());
    let watcher = name.map(|name| Watcher::new(&Key::new(name.as_bytes(), &devices::description())));
    watcher.map_or(Vec::new(), |watcher| watcher.processes(device.index as usize))
}

/// The processes with a context on the device.
pub fn processes(device: &Managed) -> Vec<Process> {
    users(device).into_iter().filter(|process| process.contexts > 0).collect()
}

/// Bytes of the device's memory that programs use.
pub fn memory_used(device: &Managed) -> u64 {
    users(device).iter().map(|process| process.memory).sum()
}
