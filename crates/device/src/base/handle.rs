//! Handles: what a program holds of our objects.
//!
//! A handle is a number that looks like a pointer. It is looked up in the table of its kind, never dereferenced, so a
//! stale, foreign or invented handle is an error. The number carries the slot, the slot's generation and the kind:
//!
//! ```text
//! 63..47  46..42  41..24        23..4   3..0
//! zero    kind+1  generation    slot    zero
//! ```
//!
//! That keeps it below 2^47 (a canonical user address for programs that look), 16-byte aligned and never one of the
//! small numbers that the API reserves.

use crate::base::bounds::{HANDLE_SLOT_BITS, MOST_OBJECTS};
use error::{Error, Result, refuse};
use parking_lot::RwLock;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const GENERATION_BITS: u32 = 18;

/// What kind of object a table holds; part of every handle so that one kind never passes for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum HandleKind {
    Context = 1,
    Stream,
    Event,
    Array,
    MipmappedArray,
    Allocation,
    Pool,
    Module,
    Function,
    Library,
    Kernel,
    Graph,
    GraphNode,
    GraphExec,
    Texture,
    Surface,
    Notification,
    UserObject,
    LogCallback,
    ExternalMemory,
    ExternalSemaphore,
    GreenContext,
    TextureReference,
    SurfaceReference,
    Link,
    Condition,
    Resources,
    Graphics,
}

impl HandleKind {
    /// What the objects are called, for messages.
    pub const fn noun(self) -> &'static str {
        match self {
            HandleKind::Context => "context",
            HandleKind::Stream => "stream",
            HandleKind::Event => "event",
            HandleKind::Array => "array",
            HandleKind::MipmappedArray => "mipmapped array",
            HandleKind::Allocation => "allocation",
            HandleKind::Pool => "memory pool",
            HandleKind::Module => "module",
            HandleKind::Function => "function",
            HandleKind::Library => "library",
            HandleKind::Kernel => "kernel",
            HandleKind::Graph => "graph",
            HandleKind::GraphNode => "graph node",
            HandleKind::GraphExec => "executable graph",
            HandleKind::Texture => "texture object",
            HandleKind::Surface => "surface object",
            HandleKind::Notification => "notification",
            HandleKind::UserObject => "user object",
            HandleKind::LogCallback => "log callback",
            HandleKind::ExternalMemory => "external memory",
            HandleKind::ExternalSemaphore => "external semaphore",
            HandleKind::GreenContext => "green context",
            HandleKind::TextureReference => "texture reference",
            HandleKind::SurfaceReference => "surface reference",
            HandleKind::Link => "link",
            HandleKind::Condition => "conditional handle",
            HandleKind::Resources => "resource descriptor",
            HandleKind::Graphics => "graphics resource",
        }
    }
}

struct Slot<T> {
    generation: u32,
    /// The latest generation that ended with its context.
    orphan: Option<u32>,
    object: Option<Arc<T>>,
}

struct Slots<T> {
    slots: Vec<Slot<T>>,
    free: std::collections::VecDeque<u32>,
}

/// The live objects of one kind.
pub struct Table<T> {
    kind: HandleKind,
    /// Counts what makes a handle mean something else than before.
    version: AtomicU64,
    inner: RwLock<Slots<T>>,
}

impl<T> Table<T> {
    /// An empty table for objects of `kind`.
    pub const fn new(kind: HandleKind) -> Self {
        Table {
            kind,
            version: AtomicU64::new(0),
            inner: RwLock::new(Slots { slots: Vec::new(), free: std::collections::VecDeque::new() }),
        }
    }

    /// Changes whenever a handle stops to mean what it meant: who keeps what a handle led to may use it until then.
    #[inline]
    pub fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    fn encode(&self, slot: u32, generation: u32) -> usize {
        ((self.kind as usize + 1) << (4 + HANDLE_SLOT_BITS + GENERATION_BITS))
            | ((generation as usize) << (4 + HANDLE_SLOT_BITS))
            | ((slot as usize) << 4)
    }

    fn decode(&self, handle: usize) -> Option<(usize, u32)> {
        let kind = handle >> (4 + HANDLE_SLOT_BITS + GENERATION_BITS);
        if handle & 15 != 0 || kind != self.kind as usize + 1 {
            return None;
        }
        let slot = (handle >> 4) & ((1 << HANDLE_SLOT_BITS) - 1);
        let generation = (handle >> (4 + HANDLE_SLOT_BITS)) & ((1 << GENERATION_BITS) - 1);
        Some((slot, generation as u32))
    }

    /// Enters the object that `make` builds from its own handle. `None` when [`MOST_OBJECTS`] of the kind live.
    pub fn insert_with(&self, make: impl FnOnce(usize) -> Arc<T>) -> Option<Arc<T>> {
        let mut inner = self.inner.write();
        let slot = match inner.free.pop_front() {
            Some(slot) => slot,
            None if inner.slots.len() < MOST_OBJECTS => {
                inner.slots.push(Slot { generation: 1, orphan: None, object: None });
                inner.slots.len() as u32 - 1
            }
            None => return None,
        };
        let entry = &mut inner.slots[slot as usize];
        let object = make(self.encode(slot, entry.generation));
        entry.object = Some(object.clone());
        Some(object)
    }

    /// The live object behind `handle`.
    pub fn get(&self, handle: usize) -> Option<Arc<T>> {
        let (slot, generation) = self.decode(handle)?;
        let inner = self.inner.read();
        let entry = inner.slots.get(slot)?;
        if entry.generation == generation { entry.object.clone() } else { None }
    }

    /// The live object behind `handle`. Without one: [`Error::CONTEXT_IS_DESTROYED`] if it ended with its context, else
    /// [`Error::INVALID_HANDLE`].
    pub fn find(&self, handle: usize) -> Result<Arc<T>> {
        self.get(handle).ok_or_else(|| {
            if self.is_orphan(handle) {
                let noun = self.kind.noun();
                refuse!(Error::CONTEXT_IS_DESTROYED, "_ {:#x} is a {} whose context was destroyed", handle, noun)
            } else {
                self.stale(Error::INVALID_HANDLE, handle)
            }
        })
    }

    /// An error with the reason that `handle` names no live object of this kind.
    #[cold]
    pub fn stale(&self, error: Error, handle: usize) -> Error {
        match handle {
            0 => refuse!(error, "_ is NULL"),
            _ => refuse!(error, "_ {:#x} is not a live {}", handle, self.kind.noun()),
        }
    }

    /// The live object behind `handle`, or `error` with the reason.
    #[inline]
    pub fn get_or(&self, handle: usize, error: Error) -> Result<Arc<T>> {
        self.get(handle).ok_or_else(|| self.stale(error, handle))
    }

    /// True for the handle of an object that ended with its context, as long as the handle can be told apart.
    pub fn is_orphan(&self, handle: usize) -> bool {
        let Some((slot, generation)) = self.decode(handle) else { return false };
        self.inner.read().slots.get(slot).is_some_and(|s| s.orphan == Some(generation))
    }

    /// Takes the object out because its context ends; its handle is dead and remembered as such.
    pub fn orphan(&self, handle: usize) -> Option<Arc<T>> {
        self.take(handle, true)
    }

    /// Takes the object out; its handle is dead from here on.
    pub fn remove(&self, handle: usize) -> Option<Arc<T>> {
        self.take(handle, false)
    }

    fn take(&self, handle: usize, orphan: bool) -> Option<Arc<T>> {
        let (slot, generation) = self.decode(handle)?;
        let mut inner = self.inner.write();
        let entry = inner.slots.get_mut(slot)?;
        if entry.generation != generation {
            return None;
        }
        let object = entry.object.take()?;
        self.version.fetch_add(1, Ordering::Release);
        if orphan {
            entry.orphan = Some(generation);
        }
        entry.generation = (entry.generation + 1) & ((1 << GENERATION_BITS) - 1);
        // The last slot freed is not the next one used: a stale handle stays recognisable for longer.
        inner.free.push_back(slot as u32);
        Some(object)
    }

    /// Puts another object behind a live handle.
    pub fn replace(&self, handle: usize, object: Arc<T>) {
        if let Some((slot, generation)) = self.decode(handle)
            && let Some(entry) = self.inner.write().slots.get_mut(slot)
            && entry.generation == generation
        {
            entry.object = Some(object);
            self.version.fetch_add(1, Ordering::Release);
        }
    }

    /// Whether `f` holds for any live object. `f` runs under the table's lock: it must be brief.
    pub fn any(&self, f: impl FnMut(&T) -> bool) -> bool {
        self.inner.read().slots.iter().filter_map(|s| s.object.as_deref()).any(f)
    }

    /// What the objects are called, and how many live.
    pub fn count(&self) -> (&'static str, usize) {
        let inner = self.inner.read();
        (self.kind.noun(), inner.slots.len() - inner.free.len())
    }

    /// Every live object, for sweeps at context destruction.
    pub fn all(&self) -> Vec<Arc<T>> {
        self.inner.read().slots.iter().filter_map(|s| s.object.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stale_and_foreign_handles_are_unknown() {
        let streams = Table::<u32>::new(HandleKind::Stream);
        let events = Table::<u32>::new(HandleKind::Event);
        let mut seen = 0;
        let s = streams
            .insert_with(|h| {
                seen = h;
                Arc::new(7)
            })
            .unwrap();
        assert_eq!(*s, 7);
        assert_eq!(streams.get(seen).as_deref(), Some(&7));
        assert!(events.get(seen).is_none());
        for bad in [0, 1, 2, seen + 16, seen + 1, usize::MAX, 0x1230] {
            assert!(streams.get(bad).is_none());
            assert!(streams.remove(bad).is_none());
        }
        assert_eq!(streams.find(0x1230), Err(Error::INVALID_HANDLE));
        assert!(streams.remove(seen).is_some());
        assert_eq!(streams.find(seen), Err(Error::INVALID_HANDLE));
        assert!(streams.remove(seen).is_none());
        assert!(streams.get(seen).is_none());
        let mut next = 0;
        streams.insert_with(|h| {
            next = h;
            Arc::new(8)
        });
        assert_ne!(next, seen);
        assert!(streams.get(seen).is_none());
    }

    #[test]
    fn orphans_are_remembered() {
        let events = Table::<u32>::new(HandleKind::Event);
        let mut handle = 0;
        let make = |seen: &mut usize| {
            events.insert_with(|h| {
                *seen = h;
                Arc::new(1)
            });
        };
        make(&mut handle);
        assert!(!events.is_orphan(handle));
        assert!(events.orphan(handle).is_some());
        assert_eq!(events.find(handle), Err(Error::CONTEXT_IS_DESTROYED));
        let mut next = 0;
        make(&mut next);
        assert!(events.find(next).is_ok());
        assert!(events.remove(next).is_some());
        assert_eq!(events.find(next), Err(Error::INVALID_HANDLE));
        assert!(events.is_orphan(handle));
    }
}
