//! Events. No emulated device has one to tell; whoever waits waits as long as it said.

use crate::api::{Argument, Out, Plain};
use crate::code::{Code, Result};
use crate::devices::Device;
use crate::types::*;
use core::ffi::c_void;
use real::Gate;
use std::collections::BTreeSet;
use std::time::Duration;

/// A set of events: a number that no other set had.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EventSet(*mut c_void);

// SAFETY: any address may be in a handle; it is looked up, never followed.
unsafe impl Plain for EventSet {}

impl Argument for EventSet {
    fn check(&self) -> Result {
        if SETS.with(|sets| sets.live.contains(&(self.0 as usize))) { Ok(()) } else { Err(Code::INVALID_ARGUMENT) }
    }
}

struct Sets {
    live: BTreeSet<usize>,
    made: usize,
}

static SETS: Gate<Sets> = Gate::new(Sets { live: BTreeSet::new(), made: 0 });

/// Events that have a number.
const KNOWN: u64 = (1 << 16) - 1;

/// Sets that exist at once at most.
const MOST: usize = 1 << 16;

/// Waits for nothing. The longest time means for ever.
fn wait(data: Out<EventData>, timeout: u32) -> Result {
    data.set_at(0, EventData { eventData: 0, ..data.get()? })?;
    if timeout == u32::MAX {
        loop {
            std::thread::sleep(Duration::from_secs(3600));
        }
    }
    std::thread::sleep(Duration::from_millis(timeout.into()));
    Err(Code::TIMEOUT)
}

api! {
    /// Creates a set of events.
    ///
    /// - `set`: receives the handle.
    ///
    /// Errors: `NVML_ERROR_INSUFFICIENT_RESOURCES` once 65,536 sets exist.
    fn nvmlEventSetCreate(set: Out<EventSet>) {
        let number = SETS.with(|sets| {
            if sets.live.len() >= MOST {
                return Err(Code::INSUFFICIENT_RESOURCES);
            }
            sets.made += 1;
            // Never 0, and never the address of anything.
            let number = sets.made << 4 | 1;
            sets.live.insert(number);
            Ok(number)
        })?;
        set.set(EventSet(number as *mut c_void))
    }

    /// Destroys a set of events.
    ///
    /// - `set`: a handle that is not used any more.
    fn nvmlEventSetFree(set: EventSet) {
        SETS.with(|sets| sets.live.remove(&(set.0 as usize)));
        Ok(())
    }

    /// Which events the device tells: none.
    ///
    /// - `eventTypes`: receives 0.
    fn nvmlDeviceGetSupportedEventTypes(device: Device, eventTypes: Out<u64>) { eventTypes.set(0) }

    /// Registers events of a device with a set. Those that are known may be registered, although none comes.
    ///
    /// - `eventTypes`: bits `nvmlEventType...`.
    /// - `set`: the set that they would come to.
    ///
    /// Errors: `NVML_ERROR_NOT_SUPPORTED` for a bit that is no event.
    fn nvmlDeviceRegisterEvents(device: Device, eventTypes: u64, set: EventSet) {
        if eventTypes & !KNOWN == 0 { Ok(()) } else { Err(Code::NOT_SUPPORTED) }
    }

    /// Waits for an event of a set, in vain: no emulated device has one.
    ///
    /// - `data`: its `eventData` receives 0.
    /// - `timeoutms`: milliseconds; all ones for ever.
    ///
    /// Errors: `NVML_ERROR_TIMEOUT` once that time has passed.
    fn nvmlEventSetWait_v2(set: EventSet, data: Out<EventData>, timeoutms: u32) { wait(data, timeoutms) }

    /// Waits for an event of a set, in vain: no emulated device has one.
    ///
    /// - `data`: its `eventData` receives 0.
    /// - `timeoutms`: milliseconds; all ones for ever.
    ///
    /// Errors: `NVML_ERROR_TIMEOUT` once that time has passed.
    fn nvmlEventSetWait(set: EventSet, data: Out<EventData>, timeoutms: u32) { wait(data, timeoutms) }

    /// Makes a set of events of the system.
    fn nvmlSystemEventSetCreate(request: Out<SystemEventSetCreateRequest>);

    /// Ends a set of events of the system.
    fn nvmlSystemEventSetFree(request: Out<SystemEventSetFreeRequest>);

    /// Registers events.
    fn nvmlSystemRegisterEvents(request: Out<SystemRegisterEventRequest>);

    /// Waits for an event of the system.
    fn nvmlSystemEventSetWait(request: Out<SystemEventSetWaitRequest>);
}
