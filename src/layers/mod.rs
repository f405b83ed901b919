//! What stands between the program and whoever answers, on demand: layers around calls. A function that a layer is about has
//! its slot lead to a shim, which `#[entry]` makes beside the export; all other functions, and all while no layer is on, are
//! called as ever.
//!
//! - `trace`: `DOPPEL_TRACE`.
//! - `faults`: `DOPPEL_FAULT`, behind the trace, which shows what the program gets.
//! - `record`: `DOPPEL_RECORD`, behind the faults: a call that fails on purpose was not made.
//! - `quota`: `DOPPEL_MEMORY_LIMIT` in front of the real driver. The emulated device has limits of its own.

mod call;
mod faults;
mod quota;
mod real;
mod record;
mod trace;

pub use call::Call;

use call::{FAULTY, QUOTA, RECORDED, TRACED};

use crate::table::{self, Entry};
use settings::config::{self, Start};

/// Makes the slots lead through the layers that the environment asks for. Called once, when the mode is decided, before any
/// function of the real driver is bound.
pub fn put(start: &'static Start, forward: bool) {
    let limits = Some(&start.limits).filter(|limits| forward && limits.is_on());
    if let Some(limits) = limits {
        quota::start(limits);
    }
    if let Some(settings) = &start.trace {
        trace::start(settings, forward);
    }
    if let Some(value) = &start.fault
        && let Err(why) = faults::start(value)
    {
        config::refuse("DOPPEL_FAULT", value, &why);
    }
    let recorded = start.record.as_deref().is_some_and(record::start);
    for entry in table::ENTRIES {
        let quota = limits.and_then(|_| quota::bits(entry)).unwrap_or(0);
        let traced = start.trace.as_ref().map_or(0, |settings| trace::bits(entry, settings));
        let recorded = if recorded && record::is_about(entry) { RECORDED } else { 0 };
        let bits = quota | traced | recorded | if faults::is_about(entry) { FAULTY } else { 0 };
        if bits != 0 {
            entry.put_layers(bits);
        }
    }
}

/// What is wrong with a value of `DOPPEL_FAULT`.
pub fn fault_complaint(value: &str) -> Option<String> {
    faults::rules(value).err()
}

/// Makes a call through the layers.
///
/// # Safety
/// `arguments` are pointers to the arguments of `entry`, in the order of its declaration.
pub unsafe fn around(entry: &'static Entry, arguments: &[*const ()], call: &mut dyn FnMut() -> u32) -> u32 {
    let mut call = Call::new(entry, arguments, call);
    if call::is_ours() {
        return call.make();
    }
    let behind_record = |call: &mut Call| if entry.layers() & QUOTA != 0 { quota::around(call) } else { call.make() };
    let behind_faults = |call: &mut Call| {
        if entry.layers() & RECORDED != 0 { record::around(call, behind_record) } else { behind_record(call) }
    };
    let behind_trace = |call: &mut Call| {
        if entry.layers() & FAULTY != 0 { faults::around(call, behind_faults) } else { behind_faults(call) }
    };
    if entry.layers() & TRACED != 0 { trace::around(&mut call, behind_trace) } else { behind_trace(&mut call) }
}
