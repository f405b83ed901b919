//! Contexts: primary and created, and each thread's stack of current ones.

use super::handle::{Kind as HandleKind, Table};
use super::stream::{Group, Kind, Stream};
use super::{Device, memory};
use crate::error::{Error, Result};
use parking_lot::Mutex;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

/// Settable limits and preferences of a context.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Values by `CUlimit` number, for those that the device has.
    pub limits: [u64; 16],
    /// `CUfunc_cache`.
    pub cache: u32,
    /// `CUsharedconfig`.
    pub shared_memory: u32,
}

/// A context of a device.
pub struct Context {
    /// What the program holds.
    pub handle: usize,
    /// Unique in the process, increasing.
    pub id: u64,
    /// Where it lives.
    pub device: Arc<Device>,
    /// Belongs to the device, not to the program.
    pub primary: bool,
    /// `CU_CTX_*` flags.
    pub flags: AtomicU32,
    /// The API version that the context reports.
    pub api_version: u32,
    /// References by `cuCtxAttach`.
    pub attached: AtomicU32,
    /// What its streams share; holds the asynchronous error.
    pub group: Arc<Group>,
    /// Limits and preferences.
    pub settings: Mutex<Settings>,
    /// Contexts whose memory this one may access: their ids.
    pub peers: Mutex<std::collections::BTreeSet<u64>>,
    legacy: Arc<Stream>,
    alive: AtomicBool,
}

/// All contexts that a handle leads to. A primary context keeps its handle while the device lives.
pub static CONTEXTS: Table<Context> = Table::new(HandleKind::Context);

struct ThreadState {
    /// The stack of current contexts; the last is the current one.
    stack: RefCell<Vec<Arc<Context>>>,
    /// This thread's default stream in each context, by context id.
    streams: RefCell<Vec<(u64, Arc<Stream>)>>,
}

impl Drop for ThreadState {
    fn drop(&mut self) {
        self.streams.get_mut().iter().for_each(|(_, stream)| stream.retire());
    }
}

thread_local! {
    static THREAD: ThreadState =
        const { ThreadState { stack: RefCell::new(Vec::new()), streams: RefCell::new(Vec::new()) } };
    static IN_CALLBACK: Cell<bool> = const { Cell::new(false) };
}

/// Runs a host function of the program: inside, the driver API refuses every call.
pub fn in_callback<R>(f: impl FnOnce() -> R) -> R {
    struct Reset(bool);
    impl Drop for Reset {
        fn drop(&mut self) {
            IN_CALLBACK.set(self.0);
        }
    }
    let _reset = Reset(IN_CALLBACK.replace(true));
    f()
}

/// True inside a host function.
pub fn is_in_callback() -> bool {
    IN_CALLBACK.get()
}

impl Context {
    /// Builds a context that no table knows yet.
    fn build(handle: usize, device: &Arc<Device>, primary: bool, flags: u32, api_version: u32) -> Arc<Context> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let group = Group::new();
        Arc::new_cyclic(|me| Context {
            handle,
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            device: device.clone(),
            primary,
            flags: AtomicU32::new(flags),
            api_version,
            attached: AtomicU32::new(1),
            legacy: Stream::new_default(Kind::Legacy, me.clone(), &group),
            group,
            settings: Mutex::new(Settings { limits: device.default_limits(), cache: 0, shared_memory: 0 }),
            peers: Mutex::new(Default::default()),
            alive: AtomicBool::new(true),
        })
    }

    /// Creates a context for the program.
    pub fn create(device: &Arc<Device>, flags: u32, api_version: u32) -> Result<Arc<Context>> {
        CONTEXTS
            .insert_with(|handle| Context::build(handle, device, false, flags, api_version))
            .ok_or(Error::OUT_OF_MEMORY)
    }

    /// Creates the device's primary context, behind `handle` if the device had one before.
    pub fn create_primary(device: &Arc<Device>, handle: Option<usize>, flags: u32) -> Result<Arc<Context>> {
        const API_VERSION: u32 = 3020;
        match handle {
            Some(handle) => {
                let context = Context::build(handle, device, true, flags, API_VERSION);
                CONTEXTS.replace(handle, context.clone());
                Ok(context)
            }
            None => CONTEXTS
                .insert_with(|handle| Context::build(handle, device, true, flags, API_VERSION))
                .ok_or(Error::OUT_OF_MEMORY),
        }
    }

    /// The context behind a handle, dead primary contexts included; the program decides what it may still do.
    pub fn find(handle: usize) -> Result<Arc<Context>> {
        CONTEXTS.get(handle).ok_or(Error::INVALID_CONTEXT)
    }

    /// False once destroyed, released by its last user or reset.
    pub fn is_alive(&self) -> bool {
        self.alive.load(Ordering::Acquire)
    }

    /// The legacy default stream.
    pub fn legacy_stream(&self) -> &Arc<Stream> {
        &self.legacy
    }

    /// The calling thread's own default stream in this context.
    pub fn thread_stream(self: &Arc<Self>) -> Arc<Stream> {
        let make = || Stream::new_default(Kind::PerThread, Arc::downgrade(self), &self.group);
        THREAD
            .try_with(|thread| {
                let mut streams = thread.streams.borrow_mut();
                if let Some((_, stream)) = streams.iter().find(|(id, _)| *id == self.id) {
                    return stream.clone();
                }
                streams.retain(|(_, s)| s.context.strong_count() > 0);
                let stream = make();
                streams.push((self.id, stream.clone()));
                stream
            })
            // A thread that is ending has lost its streams: this call gets one for itself.
            .unwrap_or_else(|_| make())
    }

    /// Returns once all work of the context is complete, with its asynchronous error.
    pub fn synchronize(&self) -> Result<()> {
        self.group.wait_idle();
        match self.group.error() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Ends the context: waits for its work, frees what it owns. Its handle stays with a primary context, as a dead
    /// one. False when it was dead already.
    pub fn destroy(self: &Arc<Self>) -> bool {
        if !self.alive.swap(false, Ordering::AcqRel) {
            return false;
        }
        self.group.close();
        for stream in self.group.streams() {
            super::stream::STREAMS.remove(stream.handle);
        }
        memory::free_all_of(self);
        super::array::free_all_of(self);
        if !self.primary {
            CONTEXTS.remove(self.handle);
        }
        true
    }
}

/// The calling thread's current context, alive or not. `None` when its stack is empty.
pub fn top() -> Option<Arc<Context>> {
    THREAD.try_with(|t| t.stack.borrow().last().cloned()).ok().flatten().map(refresh)
}

/// A primary context that was released and retained again is current again wherever it was current before.
fn refresh(context: Arc<Context>) -> Arc<Context> {
    if context.is_alive() || !context.primary {
        return context;
    }
    match CONTEXTS.get(context.handle) {
        Some(new) if new.is_alive() => {
            let _ = THREAD.try_with(|t| {
                for entry in t.stack.borrow_mut().iter_mut().filter(|c| c.handle == new.handle) {
                    *entry = new.clone();
                }
            });
            new
        }
        _ => context,
    }
}

/// Checks what most entry points need before anything else, cheaply: a current context that is alive and has no
/// asynchronous error.
pub fn require() -> Result<()> {
    let quick = THREAD.try_with(|t| match t.stack.borrow().last() {
        Some(c) if c.is_alive() => c.group.error().map_or(Ok(()), Err),
        Some(_) => Err(Error::CONTEXT_IS_DESTROYED),
        None => Err(Error::INVALID_CONTEXT),
    });
    match quick {
        Ok(Err(Error::CONTEXT_IS_DESTROYED)) => current().map(drop),
        Ok(result) => result,
        Err(_) => Err(Error::INVALID_CONTEXT),
    }
}

/// The current context: [`Error::INVALID_CONTEXT`] without one, [`Error::CONTEXT_IS_DESTROYED`] for a dead one.
pub fn current() -> Result<Arc<Context>> {
    let context = top().ok_or(Error::INVALID_CONTEXT)?;
    if context.is_alive() { Ok(context) } else { Err(Error::CONTEXT_IS_DESTROYED) }
}

/// The handle of the current context, 0 without one.
pub fn current_handle() -> usize {
    THREAD.try_with(|t| t.stack.borrow().last().map_or(0, |c| c.handle)).unwrap_or(0)
}

/// Pushes a context on the calling thread's stack.
pub fn push(context: Arc<Context>) {
    let _ = THREAD.try_with(|t| t.stack.borrow_mut().push(context));
}

/// Pops the calling thread's current context.
pub fn pop() -> Option<Arc<Context>> {
    THREAD.try_with(|t| t.stack.borrow_mut().pop()).ok().flatten()
}

/// Replaces the top of the stack (pushes on an empty one).
pub fn set_top(context: Arc<Context>) {
    let _ = THREAD.try_with(|t| {
        let mut stack = t.stack.borrow_mut();
        stack.pop();
        stack.push(context);
    });
}

/// Takes a reference on the device's primary context, which comes to life with the first one.
pub fn retain_primary(device: &Arc<Device>) -> Result<Arc<Context>> {
    let mut primary = device.primary.lock();
    if let Some(context) = &primary.context {
        let context = context.clone();
        primary.references += 1;
        return Ok(context);
    }
    let context = Context::create_primary(device, primary.handle, primary.flags)?;
    primary.handle = Some(context.handle);
    primary.context = Some(context.clone());
    primary.references += 1;
    Ok(context)
}

/// The stream that a handle means in a call on this thread: 0 is a default stream of the current context (the thread's
/// own one if `per_thread`), 1 the legacy and 2 the thread's default stream, anything else a created stream.
pub fn stream(handle: usize, per_thread: bool) -> Result<Arc<Stream>> {
    match handle {
        0 if per_thread => Ok(current()?.thread_stream()),
        0 | 1 => Ok(current()?.legacy_stream().clone()),
        2 => Ok(current()?.thread_stream()),
        _ => super::stream::STREAMS.get(handle).ok_or(Error::INVALID_HANDLE),
    }
}
