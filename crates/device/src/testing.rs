//! What unit tests of the device start from.

use crate::base::profile::Profile;
use crate::stream::context::Context;
use crate::{Device, Setup, device, initialize};
use std::sync::Arc;

/// Two devices of 1 GiB each; the same ones for every test of the process.
pub fn devices() {
    initialize(|| Ok(Setup::new(Profile::list("2", false).unwrap(), Some(1 << 30)))).unwrap();
}

/// A new context on the first of [`devices`].
pub fn context() -> Arc<Context> {
    context_on(0)
}

/// A new context on one of [`devices`].
pub fn context_on(ordinal: i32) -> Arc<Context> {
    devices();
    Context::create(device(ordinal).unwrap(), 0, 3020).unwrap()
}

/// A new context on a device of a process of its own, as it were: it may fail without taking those of other tests with it.
pub fn context_alone() -> Arc<Context> {
    devices();
    let like = device(0).unwrap();
    let device = Device {
        ordinal: like.ordinal,
        slot: like.slot,
        profile: like.profile.clone(),
        memory: like.memory,
        installed: like.installed,
        uuid: like.uuid,
        usage: Box::leak(Box::default()),
        failure: Box::leak(Box::default()),
        address: like.address,
    };
    Context::create(&Arc::new(device), 0, 3020).unwrap()
}

/// Says that a test cannot run here, on the process's standard error, which the test harness does not capture: `tests/all.sh`
/// counts the line.
pub fn skipped(test: &str, why: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "skipped: {test}: {why}");
}
