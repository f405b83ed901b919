//! Green contexts: parts of a device with streams of their own.

use crate::base::devices::Device;
use crate::base::handle::{HandleKind, Table};
use crate::base::multiprocessors::Multiprocessors;
use crate::stream::capture;
use crate::stream::context::{Current, GREENS, Green, Share, next_id};
use crate::stream::event::Event;
use crate::stream::hooks::{self, Waited};
use crate::stream::types::{STREAMS, Stream, Work};
use error::{Error, Result, refuse};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What green contexts can be made of: multiprocessors of a device. Programs cannot give them back, so that the same ones are one
/// description.
pub struct Resources {
    handle: usize,
    /// The device's number.
    pub device: u32,
    /// Its multiprocessors.
    pub places: Multiprocessors,
}

static RESOURCES: Table<Resources> = Table::new(HandleKind::Resources);
/// The descriptions that there are, by what they describe.
static KNOWN: Mutex<BTreeMap<(u32, [u8; Multiprocessors::BYTES]), usize>> = Mutex::new(BTreeMap::new());

impl Resources {
    /// The handle of a description.
    pub fn describe(device: u32, places: Multiprocessors) -> Result<usize> {
        let mut known = KNOWN.lock();
        let key = (device, places.to_bytes());
        if let Some(handle) = known.get(&key) {
            return Ok(*handle);
        }
        let made = RESOURCES.insert_with(|handle| Arc::new(Resources { handle, device, places }));
        let made = made.ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "there are too many descriptions of resources"))?;
        known.insert(key, made.handle);
        Ok(made.handle)
    }

    /// The description behind a handle.
    pub fn find(handle: usize) -> Result<Arc<Resources>> {
        RESOURCES.get_or(handle, Error::INVALID_HANDLE)
    }
}

impl Green {
    /// A green context of these multiprocessors of a device. It retains the primary context while it lives.
    pub fn create(device: &Arc<Device>, places: Multiprocessors) -> Result<Arc<Green>> {
        let context = device.retain_green()?;
        let made = GREENS.insert_with(|handle| {
            let numbers = places.numbers().collect();
            let share = Arc::new(Share { handle, id: next_id(), places, numbers });
            let default = Stream::default_of(&share, Arc::downgrade(&context), &context.group);
            Arc::new(Green {
                share,
                context: context.clone(),
                default,
                alive: AtomicBool::new(true),
                barriers: Default::default(),
            })
        });
        match made {
            Some(green) => {
                context.group.enrol(&green.default);
                Ok(green)
            }
            None => {
                device.release_green();
                Err(refuse!(Error::OUT_OF_MEMORY, "there are too many green contexts"))
            }
        }
    }

    /// The live green context behind a handle.
    pub fn find(handle: usize) -> Result<Arc<Green>> {
        GREENS.get_or(handle, Error::INVALID_CONTEXT)
    }

    /// True until the program destroys it.
    pub fn is_alive(&self) -> bool {
        self.alive.load(Ordering::Acquire) && self.context.is_alive()
    }

    /// Its streams.
    fn streams(&self) -> Vec<Arc<Stream>> {
        let mut streams = self.context.group.streams();
        streams.retain(|stream| stream.share.as_ref().is_some_and(|share| Arc::ptr_eq(share, &self.share)));
        streams
    }

    /// Refuses what waits for all its streams while one of them is being captured, which invalidates the capture.
    pub fn refuse_captures(&self) -> Result<()> {
        let captured = |stream: &&Arc<Stream>| stream.capturing.load(Ordering::Acquire);
        let refused: Vec<_> = self.streams().iter().filter(captured).map(|stream| capture::refuse(stream)).collect();
        refused.into_iter().next().map_or(Ok(()), Err)
    }

    /// Destroys a green context when its work is complete. Its streams end with it.
    pub fn destroy(handle: usize) -> Result<()> {
        let green = GREENS.remove(handle).ok_or_else(|| GREENS.stale(Error::INVALID_CONTEXT, handle))?;
        green.alive.store(false, Ordering::Release);
        let streams = green.streams();
        streams.iter().for_each(|stream| stream.tail().wait());
        streams.iter().for_each(|stream| drop(STREAMS.orphan(stream.handle)));
        green.context.device.release_green();
        Ok(())
    }

    /// Returns once all its work is complete, with the context's asynchronous error.
    pub fn synchronize(&self) -> Result<()> {
        self.streams().iter().for_each(|stream| stream.tail().wait());
        hooks::waited(&Waited::Everything(&self.context.group));
        self.context.check_error()
    }

    /// Records in an event the point after all work that it has been given so far.
    pub fn record(&self, event: &Event) -> Result<()> {
        self.refuse_captures()?;
        self.context.record_after(&self.streams(), event)
    }

    /// Makes all work that it is given from now on wait for an event's latest record.
    pub fn wait(&self, event: &Event) -> Result<()> {
        self.refuse_captures()?;
        event.check_uncaptured()?;
        let streams = self.streams();
        let Some(fence) = event.fence() else { return Ok(()) };
        if fence.is_complete() {
            return Ok(());
        }
        {
            let mut barriers = self.barriers.lock();
            barriers.retain(|barrier| !barrier.is_complete());
            barriers.push(fence.clone());
        }
        streams.iter().try_for_each(|stream| stream.enqueue(Work::Wait(fence.clone())))
    }
}

impl Current {
    /// Returns once all work of the context, or of the green context, is complete, with the asynchronous error.
    pub fn synchronize(&self) -> Result<()> {
        self.green.as_ref().map_or_else(|| self.context.synchronize(), |green| green.synchronize())
    }
}
