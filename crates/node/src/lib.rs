//! The node: emulated devices that the processes of one user on one host share, as they share real ones.
//!
//! A node is a memory file with a slot for each process ([`registry`]): how much memory of each device it holds, and how many
//! contexts it has there. It has no name in any file system. Who wants to join finds a member by the name of a socket that
//! each member binds, and opens the member's file ([`discovery`]). Both vanish with the last member, however that ends.
//!
//! A process owns its slot until it is gone: a slot names a process by number and start, so that nothing of a killed process
//! stays. The system lets nobody but the user (and root) open another process's file.

mod discovery;
mod key;
mod process;
mod registry;

pub use key::{DEVICES, Key};
pub use registry::{Member, Process, Share, Watcher};
