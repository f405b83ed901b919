//! What is known of all processes that use the devices.
//!
//! A process knows its own use alone, and this library does not even know that: it stands beside the driver and asks nothing of
//! it. Until processes share a registry, [`Alone`] answers: nobody is known to use a device, and nothing of its memory is
//! known to be used but what the driver keeps.

use crate::devices::Managed;

/// A process that uses a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its number.
    pub pid: u32,
    /// Bytes of the device's memory that it holds.
    pub memory: u64,
}

/// Who knows what processes do with devices.
pub trait Node: Sync {
    /// Bytes of the device's memory that programs use.
    fn memory_used(&self, device: &Managed) -> u64;

    /// The processes with a context on the device.
    fn processes(&self, device: &Managed) -> Vec<Process>;
}

/// Nobody is known.
struct Alone;

impl Node for Alone {
    fn memory_used(&self, _: &Managed) -> u64 {
        0
    }

    fn processes(&self, _: &Managed) -> Vec<Process> {
        Vec::new()
    }
}

/// The node that this process belongs to.
pub fn node() -> &'static dyn Node {
    &Alone
}
