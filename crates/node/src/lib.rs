//! The node: emulated devices that the processes of one user on one host share, as they share real ones.
//!
//! A node is a memory file with a slot for each process ([`registry`]): how much memory of each device it holds, how many
//! contexts it has there, and how busy it keeps it ([`busy`]). It has no name in any file system. Who wants to join finds a member by the name of a socket that
//! each member binds, and opens the member's file ([`discovery`]). Both vanish with the last member, however that ends.
//!
//! Processes of a user may also stop each other for a checkpoint ([`checkpoint`]).
//!
//! What was set for a device, its compute mode, outlives processes ([`mode`]).
//!
//! A process owns its slot until it is gone: a slot names a process by number and start, so that nothing of a killed process
//! stays. The system lets nobody but the user (and root) open another process's file.

mod busy;
pub mod checkpoint;
mod discovery;
mod key;
mod mode;
mod process;
mod registry;

pub use busy::Load;
pub use key::{DEVICES, Key};
pub use mode::ComputeMode;
pub use registry::{Member, Process, Share, Watcher};
