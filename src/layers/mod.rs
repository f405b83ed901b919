//! What stands between the program and whoever answers, on demand: layers around calls. A function that a layer is about has
//! its slot lead to a shim, which `#[entry]` makes beside the export; all other functions, and all while no layer is on, are
//! called as ever.
//!
//! - [`quota`]: `DOPPEL_MEMORY_LIMIT` in front of the real driver. The emulated device has limits of its own.

mod call;
mod quota;
mod real;

pub use call::Call;

use crate::table::{self, Entry};
use settings::config::Start;

/// Makes the slots lead through the layers that the environment asks for. Called once, when the mode is decided, before any
/// function of the real driver is bound.
pub fn put(start: &'static Start, forward: bool) {
    if forward && start.limits.is_on() {
        quota::start(&start.limits);
        for entry in table::ENTRIES {
            if let Some(bits) = quota::bits(entry) {
                entry.put_layers(bits);
            }
        }
    }
}

/// Makes a call through the layers.
///
/// # Safety
/// `arguments` are pointers to the arguments of `entry`, in the order of its declaration.
pub unsafe fn around(entry: &'static Entry, arguments: &[*const ()], call: &mut dyn FnMut() -> u32) -> u32 {
    let mut call = Call::new(entry, arguments, call);
    quota::around(&mut call)
}
