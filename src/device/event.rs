//! Events: points in a stream that others can query, wait for and measure between.

use super::context::Context;
use super::handle::{Kind, Table};
use super::stream::Fence;
use crate::error::{Error, Result};
use parking_lot::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Instant;

/// Nanoseconds since the first use of the device, from 1 up: the device's clock.
pub fn now() -> u64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64 + 1
}

/// When a recorded point was reached: 0 while it was not.
pub type Stamp = Arc<AtomicU64>;

/// The latest record of an event.
#[derive(Clone)]
pub struct Record {
    /// Complete when the work before the record is.
    pub fence: Fence,
    /// When that happened, on the device's clock.
    pub stamp: Stamp,
}

/// An event of a context.
pub struct Event {
    /// What the program holds.
    pub handle: usize,
    /// `CU_EVENT_*` bits as given at creation.
    pub flags: u32,
    /// Where it was created.
    pub context: Weak<Context>,
    /// The latest record; `None` until there was one.
    pub record: Mutex<Option<Record>>,
}

/// All live events.
pub static EVENTS: Table<Event> = Table::new(Kind::Event);

impl Event {
    /// Creates an event of `context`.
    pub fn create(context: &Arc<Context>, flags: u32) -> Result<Arc<Event>> {
        let context = Arc::downgrade(context);
        EVENTS
            .insert_with(|handle| Arc::new(Event { handle, flags, context, record: Mutex::new(None) }))
            .ok_or(Error::OUT_OF_MEMORY)
    }

    /// The live event behind a handle.
    pub fn find(handle: usize) -> Result<Arc<Event>> {
        EVENTS.get(handle).ok_or(Error::INVALID_HANDLE)
    }

    /// The point of the latest record, if there was one.
    pub fn fence(&self) -> Option<Fence> {
        self.record.lock().as_ref().map(|r| r.fence.clone())
    }

    /// True when the latest record is reached, or there is none.
    pub fn is_complete(&self) -> bool {
        self.fence().is_none_or(|f| f.is_complete())
    }

    /// Waits until the latest record is reached.
    pub fn synchronize(&self) {
        if let Some(fence) = self.fence() {
            fence.wait();
        }
    }
}

/// Marks a stamp with the current time.
pub fn mark(stamp: &Stamp) {
    stamp.store(now(), Ordering::Release);
}
