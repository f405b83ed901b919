//! The emulated device: everything that `cpu` mode does, in Rust types.
//!
//! Nothing here knows a C type or a result code as a number. The entry points in `abi` convert.

pub mod array;
pub mod base;
mod census;
pub mod check;
pub mod checkpoint;
pub mod copy;
pub mod graph;
pub mod kernel;
pub mod memory;
pub mod space;
pub mod stream;

#[cfg(test)]
pub mod testing;

pub use base::devices::{Device, Setup, device, devices, is_open, is_started, watch_forks};
pub use census::census;
pub use profiles::machine::{CUDA_VERSION, DEFAULT as DEFAULT_DEVICES, uuid, uuid_text};
pub use stream::context::let_contexts_recover;
pub use stream::context::require as require_context;
pub use stream::thread_state::{initialized, initialized_unless};

use error::Result;
use memory::Standin;

/// Starts the device once; later calls only report. In a child of a process that had started it, it cannot be used.
pub fn initialize(setup: impl FnOnce() -> Result<Setup>) -> Result<()> {
    if is_started() {
        return Ok(());
    }
    install();
    base::devices::initialize(setup)?;
    if devices().iter().any(|device| device.usage.is_shared()) {
        checkpoint::serve();
    }
    Ok(())
}

/// Tells the lower rooms what the upper ones do for them.
fn install() {
    stream::hooks::install(stream::hooks::Hooks {
        waited: &[memory::pool::synchronized],
        print: kernel::system::write_output,
        free_all_of: &[kernel::module::free_all_of, memory::free_all_of, array::free_all_of],
        take_addresses: |device| Some(Box::new(Standin::hidden(device, space::CHUNK)?)),
    });
}
