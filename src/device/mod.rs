//! The emulated device: everything that `cpu` mode does, in Rust types.
//!
//! Nothing here knows a C type or a result code as a number. The entry points in `abi` convert.

pub mod array;
pub mod base;
pub mod check;
pub mod copy;
pub mod graph;
pub mod kernel;
pub mod memory;
pub mod space;
pub mod stream;

#[cfg(test)]
pub mod testing;

pub use base::devices::{Device, Setup, device, devices, initialize, is_started, uuid, uuid_text, watch_forks};
pub use stream::context::{initialized, initialized_unless, require as require_context};
