//! The node: emulated devices that the processes of one user on one host share, as they share real ones.
//!
//! A node is a memory file with a slot for each process ([`registry`]): how much memory of each device it holds, and how many
//! contexts it has there. It has no name in any file system. Who wants to join finds a member by the name of a socket that
//! each member binds, and opens the member's file ([`discovery`]). Both vanish with the last member, however that ends.
//!
//! A process owns its slot until it is gone: a slot names a process by number and start, so that nothing of a killed process
//! stays. The system lets nobody but the user (and root) open another process's file.

mod discovery;
mod process;
mod registry;

pub use registry::{Member, Process, Share, Watcher};

/// Devices that a node keeps account of.
pub const DEVICES: usize = 16;

/// Which node is meant: what processes have to agree in to share devices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    hash: u64,
}

impl Key {
    /// The node called `name` of a machine whose devices are as `machine` describes them.
    pub fn new(name: &[u8], machine: &[u8]) -> Key {
        // FNV-1a with 64 bits: all libraries have to come to the same number.
        let bytes = name.iter().chain([&0u8]).chain(machine);
        Key { hash: bytes.fold(0xcbf2_9ce4_8422_2325, |hash, &b| (hash ^ u64::from(b)).wrapping_mul(0x100_0000_01b3)) }
    }
}
