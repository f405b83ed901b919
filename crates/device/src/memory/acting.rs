//! Whose rights count when memory is looked up.

use crate::base::devices::devices;
use crate::stream::context;
use std::cell::Cell;

thread_local! {
    static ACTING: Cell<Option<u32>> = const { Cell::new(None) };
}

/// True when there are several devices: else nobody has to be asked for access.
#[inline]
pub fn has_peers() -> bool {
    devices().len() > 1
}

/// The device whose rights count when an address is looked up: the current context's, unless a call names another.
#[inline]
pub fn acting_device() -> u32 {
    ACTING.get().or_else(context::top_device).unwrap_or(0)
}

/// Looks addresses up with the rights of a device, or of the current context's.
pub fn acting_as<R>(device: Option<u32>, f: impl FnOnce() -> R) -> R {
    let before = ACTING.replace(device);
    let result = f();
    ACTING.set(before);
    result
}
