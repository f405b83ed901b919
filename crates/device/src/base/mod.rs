//! What everything of the device stands on: handles, limits, what a device is, memory files, threads for large operations.
//!
//! It uses nothing else of the device.

pub mod bounds;
pub mod checking;
pub mod core_dump;
pub mod devices;
pub mod error_log;
pub mod handle;
pub mod handle_words;
pub mod limit;
pub mod location;
pub mod memory_file;
pub mod multiprocessors;
pub mod notify;
pub mod parallel;
pub mod python;
pub mod thread;
pub mod trace;
pub mod usage;

pub use profiles::{attribute, pci, profile};
