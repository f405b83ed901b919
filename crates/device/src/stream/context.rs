//! Contexts: primary and created, and each thread's stack of current ones.

use crate::base::attribute::DeviceAttribute;
use crate::base::core_dump;
use crate::base::devices::Device;
use crate::base::limit;
use crate::stream::capture;
use crate::stream::event::{EVENTS, Event};
use crate::stream::hooks::{self, Waited};
use crate::stream::schedule::is_plain;
use crate::stream::thread_state::here;
pub use crate::stream::types::{CONTEXTS, Context, GREENS, Green, Settings, Share};
use crate::stream::types::{Group, STREAMS, Stream, StreamKind, Work};
use core::mem::ManuallyDrop;
use core::ptr;
use error::{Error, Result, refuse, refuse_if};
use parking_lot::Mutex;
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// `CU_CTX_*` bits.
pub mod flag {
    /// How a waiting thread waits: one of the values below.
    pub const SCHEDULING: u32 = 0x07;
    /// Host memory can be mapped: without meaning, it always can.
    pub const MAP_HOST: u32 = 0x08;
    /// Local memory is kept when a kernel has needed more.
    pub const LMEM_RESIZE_TO_MAX: u32 = 0x10;
    /// A fault writes a core dump.
    pub const COREDUMP: u32 = 0x20;
    /// The program can ask for a core dump.
    pub const USER_COREDUMP: u32 = 0x40;
    /// Synchronous memory operations are always synchronous to the host.
    pub const SYNC_MEMOPS: u32 = 0x80;
    /// All that are known.
    pub const ALL: u32 = 0xFF;

    /// True for known bits with one way of waiting: automatic, spinning, yielding or blocking.
    pub fn valid(flags: u32) -> bool {
        flags & !ALL == 0 && matches!(flags & SCHEDULING, 0 | 1 | 2 | 4)
    }
}

/// What contexts of the 32-bit first generation report as their API version.
pub const FIRST_GENERATION: u32 = 3010;
/// What all others report.
pub const API_VERSION: u32 = 3020;

struct ThreadState {
    /// The stack of current contexts; the last is the current one.
    stack: RefCell<Vec<Current>>,
    /// This thread's default stream in each context, by context id.
    streams: RefCell<Vec<(u64, Arc<Stream>)>>,
    /// The created stream that the thread used last.
    recent: RefCell<Option<Arc<Stream>>>,
}

impl Drop for ThreadState {
    fn drop(&mut self) {
        here().clear();
        self.streams.get_mut().iter().for_each(|(_, stream)| stream.retire());
    }
}

thread_local! {
    static THREAD: ThreadState =
        const {
        ThreadState { stack: RefCell::new(Vec::new()), streams: RefCell::new(Vec::new()), recent: RefCell::new(None) }
    };
}

/// What can be current: a context, or a green context of it.
#[derive(Clone)]
pub struct Current {
    /// The context.
    pub context: Arc<Context>,
    /// The green context.
    pub green: Option<Arc<Green>>,
}

impl From<Arc<Context>> for Current {
    fn from(context: Arc<Context>) -> Current {
        Current { context, green: None }
    }
}

impl From<Arc<Green>> for Current {
    fn from(green: Arc<Green>) -> Current {
        Current { context: green.context.clone(), green: Some(green) }
    }
}

impl Current {
    /// What a program's handle of a context means, as [`Context::find`].
    pub fn find(handle: usize) -> Result<Current> {
        match GREENS.get(handle) {
            Some(green) => Ok(green.into()),
            None => Context::find(handle).map(Current::from),
        }
    }

    /// What a program means by a handle where 0 stands for what is current; alive.
    pub fn or_current(handle: usize) -> Result<Current> {
        if handle == 0 {
            let context = current_any()?;
            return Ok(Current { context, green: green() });
        }
        let current = Current::find(handle)?;
        if current.context.is_alive() { Ok(current) } else { Context::find_alive(handle).map(Current::from) }
    }

    /// What the program holds.
    pub fn handle(&self) -> usize {
        self.green.as_ref().map_or(self.context.handle, |green| green.share.handle)
    }

    /// The part of the device that its streams have.
    pub fn share(&self) -> Option<Arc<Share>> {
        self.green.as_ref().map(|green| green.share.clone())
    }
}

/// The next number of a context of any kind.
pub(super) fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Changes the calling thread's stack of contexts; `None` when the thread is ending.
fn with_stack<R>(f: impl FnOnce(&mut Vec<Current>) -> R) -> Option<R> {
    THREAD
        .try_with(|t| {
            let mut stack = t.stack.borrow_mut();
            let result = f(&mut stack);
            let top = stack.last();
            here().set_top(top.map(|top| &top.context), top.is_some_and(|top| top.green.is_some()));
            result
        })
        .ok()
}

impl Context {
    /// Builds a context that no table knows yet.
    fn build(handle: usize, device: &Arc<Device>, primary: bool, flags: u32, api_version: u32) -> Arc<Context> {
        core_dump::open_pipe();
        let mut core = core_dump::process().lock().clone();
        core.enabled = if flags & flag::COREDUMP != 0 { core.enabled.max(1) } else { core.enabled };
        let flags = if core.enabled != 0 { flags | flag::COREDUMP } else { flags };
        let shared_memory = device.count(DeviceAttribute::MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
        let group = Group::new(api_version != FIRST_GENERATION, device.failure);
        Arc::new_cyclic(|me| Context {
            handle,
            id: next_id(),
            device: device.clone(),
            primary,
            flags: AtomicU32::new(flags),
            api_version,
            attached: AtomicU32::new(1),
            legacy: Stream::new_default(StreamKind::Legacy, me.clone(), &group),
            group,
            kernels: OnceLock::new(),
            limits: limit::defaults(&device.limits(), shared_memory.into()),
            settings: Mutex::new(Settings { cache: 0, core }),
            peers: Mutex::new(Default::default()),
            for_streams: Mutex::default(),
        })
    }

    /// Creates a context for the program. Fails with the error that the process is stuck with, if any.
    pub fn create(device: &Arc<Device>, flags: u32, api_version: u32) -> Result<Arc<Context>> {
        check_failure(device)?;
        let user = if flags & flag::USER_COREDUMP != 0 { flag::COREDUMP } else { 0 };
        let flags = flags & !flag::USER_COREDUMP | user;
        device.usage.claim_context()?;
        Context::insert(device, false, flags, api_version)
    }

    /// Creates the device's primary context, behind `handle` if the device had one before. Fails with the error that the
    /// process is stuck with, if any.
    pub fn create_primary(device: &Arc<Device>, handle: Option<usize>, flags: u32) -> Result<Arc<Context>> {
        check_failure(device)?;
        device.usage.claim_context()?;
        let flags = flags & !flag::USER_COREDUMP | flag::MAP_HOST;
        let Some(handle) = handle else { return Context::insert(device, true, flags, API_VERSION) };
        let context = Context::build(handle, device, true, flags, API_VERSION);
        CONTEXTS.replace(handle, context.clone());
        context.group.catch_up();
        Ok(context)
    }

    /// Gives a context, which the device has counted, a handle of its own.
    fn insert(device: &Arc<Device>, primary: bool, flags: u32, api_version: u32) -> Result<Arc<Context>> {
        let made = CONTEXTS.insert_with(|handle| Context::build(handle, device, primary, flags, api_version));
        let context = made.ok_or_else(|| {
            device.usage.release_context();
            refuse!(Error::OUT_OF_MEMORY, "there are too many contexts")
        })?;
        context.group.catch_up();
        Ok(context)
    }

    /// The context behind a handle, dead primary contexts included: what may be current. Without one:
    /// [`Error::CONTEXT_IS_DESTROYED`] if there was one, else [`Error::INVALID_CONTEXT`].
    /// A green context means its primary one.
    pub fn find(handle: usize) -> Result<Arc<Context>> {
        let green = || GREENS.get(handle).map(|green| green.context.clone());
        CONTEXTS.get(handle).or_else(green).ok_or_else(|| {
            if CONTEXTS.is_orphan(handle) {
                refuse!(Error::CONTEXT_IS_DESTROYED, "_ {:#x} is a context that was destroyed", handle)
            } else {
                refuse!(Error::INVALID_CONTEXT, "_ {:#x} is not a context", handle)
            }
        })
    }

    /// The live context behind a handle; a dead primary context is none.
    pub fn find_alive(handle: usize) -> Result<Arc<Context>> {
        Context::find(handle).and_then(|c| {
            if c.is_alive() {
                Ok(c)
            } else {
                Err(refuse!(Error::INVALID_CONTEXT, "_ {:#x} is a context that is being destroyed", handle))
            }
        })
    }

    /// What a program means by a handle where 0 stands for the current context.
    pub fn or_current(handle: usize) -> Result<Arc<Context>> {
        if handle == 0 { current_any() } else { Context::find_alive(handle) }
    }

    /// The flags now.
    pub fn flags(&self) -> u32 {
        self.flags.load(Ordering::Acquire)
    }

    /// From the first executable graph with kernels on the local memory that they need stays, and the flags say so.
    pub fn keep_local_memory(&self) {
        self.flags.fetch_or(flag::LMEM_RESIZE_TO_MAX, Ordering::AcqRel);
    }

    /// Counts a stream that the program makes, or a thread's default one at its first use. The second takes a chunk of the
    /// addresses for all that follow, as on the real driver, which has room for the first from the start.
    pub fn note_stream(&self) {
        let mut streams = self.for_streams.lock();
        streams.0 += 1;
        if streams.0 == 2 {
            streams.1 = hooks::get().and_then(|hooks| (hooks.take_addresses)(&self.device));
        }
    }

    /// Changes the flags that can change after creation; the others stay.
    pub fn set_flags(&self, flags: u32) -> Result<()> {
        const SETTABLE: u32 = flag::SCHEDULING | flag::LMEM_RESIZE_TO_MAX | flag::SYNC_MEMOPS;
        refuse_if!(
            Error::INVALID_VALUE,
            !flag::valid(flags),
            "flags {:#x} has unknown bits, or two ways of scheduling",
            flags
        );
        let change = |old| Some(old & !SETTABLE | flags & SETTABLE);
        let _ = self.flags.fetch_update(Ordering::AcqRel, Ordering::Acquire, change);
        Ok(())
    }

    fn place_of(&self, limit: u32) -> Result<&AtomicU64> {
        let none = || refuse!(Error::INVALID_VALUE, "limit {} is not a CUlimit", limit);
        self.limits.get(limit as usize).ok_or_else(none)
    }

    /// The value in force for a limit.
    pub fn limit(&self, limit: u32) -> Result<u64> {
        limit::check(limit)?;
        Ok(self.place_of(limit)?.load(Ordering::Acquire))
    }

    /// Asks for a value of a limit; what takes effect may be more.
    pub fn set_limit(&self, limit: u32, value: u64) -> Result<()> {
        let before = self.limit(limit)?;
        let value = limit::effective(limit, value, before, &self.device.limits())?;
        refuse_if!(
            Error::INVALID_VALUE,
            self.kernels.get().is_some_and(|part| part.is_fixed(limit)),
            "limit {} cannot change any more: kernels that use it ran",
            limit
        );
        self.place_of(limit)?.store(value, Ordering::Release);
        Ok(())
    }

    /// Records in an event of this context the point after all work that the context has been given so far.
    pub fn record(self: &Arc<Self>, event: &Event) -> Result<()> {
        if !std::ptr::eq(event.context.as_ptr(), Arc::as_ptr(self)) {
            return Err(refuse!(Error::INVALID_HANDLE, "hEvent is an event of another context"));
        }
        capture::refuse_in(&self.group)?;
        self.record_after(&self.group.streams(), event)
    }

    /// Records in an event of this context the point after the work that some of its streams have been given so far.
    pub(super) fn record_after(self: &Arc<Self>, streams: &[Arc<Stream>], event: &Event) -> Result<()> {
        if !std::ptr::eq(event.context.as_ptr(), Arc::as_ptr(self)) {
            return Err(refuse!(Error::INVALID_HANDLE, "hEvent is an event of another context"));
        }
        // A stream of its own meets the points that the others have reached.
        let meeting = Stream::new_default(StreamKind::NonBlocking, Arc::downgrade(self), &self.group);
        for stream in streams {
            meeting.submit(Work::Wait(stream.tail()));
        }
        event.record(&meeting)?;
        // Nobody else knows this stream: a lazy one would not get under way.
        meeting.retire();
        Ok(())
    }

    /// Makes all work that the context is given from now on wait for an event's latest record.
    pub fn wait(&self, event: &Event) -> Result<()> {
        capture::refuse_in(&self.group)?;
        event.fence().map_or(Ok(()), |fence| self.group.wait_for(&fence))
    }

    /// Adds a reference.
    pub fn attach(&self) {
        self.attached.fetch_add(1, Ordering::AcqRel);
    }

    /// Takes a reference away; the last one ends the context. A primary context does not count them.
    pub fn detach(self: &Arc<Self>) -> Result<()> {
        if self.primary {
            return Ok(());
        }
        let left = self.attached.fetch_update(Ordering::AcqRel, Ordering::Acquire, |n: u32| n.checked_sub(1));
        if left.map_err(|_| refuse!(Error::INVALID_CONTEXT, "ctx is not attached"))? == 1 {
            self.end();
        }
        Ok(())
    }

    /// Destroys a context that the program created, and takes it off the top of the calling thread's stack.
    pub fn end(self: &Arc<Self>) {
        self.destroy();
        with_stack(|stack| stack.pop_if(|top| Arc::ptr_eq(&top.context, self)));
    }

    /// False once destroyed, released by its last user or reset.
    pub fn is_alive(&self) -> bool {
        self.group.is_alive()
    }

    /// The legacy default stream.
    pub fn legacy_stream(&self) -> &Arc<Stream> {
        &self.legacy
    }

    /// The calling thread's own default stream in this context.
    pub fn thread_stream(self: &Arc<Self>) -> Arc<Stream> {
        let make = || {
            self.note_stream();
            Stream::new_default(StreamKind::PerThread, Arc::downgrade(self), &self.group)
        };
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
        hooks::waited(&Waited::Everything(&self.group));
        self.check_error()
    }

    /// The asynchronous error that it is stuck with.
    pub fn check_error(&self) -> Result<()> {
        self.group.check_error()
    }

    /// Ends the context: waits for its work, frees what it owns. Its handle stays with a primary context, as a dead
    /// one. False when it was dead already.
    pub fn destroy(self: &Arc<Self>) -> bool {
        if !self.group.end() {
            return false;
        }
        self.device.usage.release_context();
        self.group.close();
        if let Some(part) = self.kernels.get() {
            part.end();
        }
        for stream in self.group.streams() {
            STREAMS.orphan(stream.handle);
        }
        self.sweep();
        drop(self.for_streams.lock().1.take());
        if !self.primary {
            CONTEXTS.orphan(self.handle);
        }
        true
    }
}

impl Context {
    /// Ends what was made in it.
    fn sweep(&self) {
        hooks::get().into_iter().flat_map(|hooks| hooks.free_all_of).for_each(|free| free(self));
    }

    /// For what was just entered as this context's: another thread may have ended the context before that, and nobody else
    /// would free it.
    pub fn owns<T>(&self, made: T) -> Result<T> {
        if self.is_alive() {
            return Ok(made);
        }
        self.sweep();
        Err(refuse!(Error::CONTEXT_IS_DESTROYED, "the current context was destroyed meanwhile"))
    }
}

impl Stream {
    /// A stream with a handle.
    pub fn create(context: &Arc<Context>, kind: StreamKind, flags: u32, priority: i32) -> Result<Arc<Stream>> {
        Self::create_in(&context.clone().into(), kind, flags, priority)
    }

    /// The same in a context or a green context.
    pub fn create_in(home: &Current, kind: StreamKind, flags: u32, priority: i32) -> Result<Arc<Stream>> {
        let context = &home.context;
        let group = &context.group;
        context.note_stream();
        let (owner, share) = (Arc::downgrade(context), home.share());
        let stream = STREAMS
            .insert_with(|handle| Self::build(handle, kind, (flags, priority), owner, group, share))
            .ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "there are too many streams"))?;
        group.enrol(&stream);
        if let Some(green) = &home.green {
            green.welcome(&stream);
        }
        // Another thread may have ended the context before it could know of the stream.
        context.owns(()).inspect_err(|_| drop(STREAMS.orphan(stream.handle)))?;
        Ok(stream)
    }
}

impl Green {
    /// Makes a new stream wait for what all its work is to wait for.
    pub(super) fn welcome(&self, stream: &Arc<Stream>) {
        let barriers: Vec<_> = self.barriers.lock().iter().filter(|b| !b.is_complete()).cloned().collect();
        barriers.into_iter().for_each(|fence| drop(stream.submit(Work::Wait(fence))));
    }
}

/// The calling thread's current context, alive or not. `None` when its stack is empty.
pub fn top() -> Option<Arc<Context>> {
    THREAD.try_with(|t| t.stack.borrow().last().map(|top| top.context.clone())).ok().flatten().map(refresh)
}

/// True when there is more than one context.
pub fn are_several() -> bool {
    let mut seen = false;
    CONTEXTS.any(|_| core::mem::replace(&mut seen, true))
}

/// The device of the calling thread's current context.
pub fn top_device() -> Option<u32> {
    here().top().map(|c| c.device.ordinal)
}

/// Returns once all work of what is current, a context or a green one, is complete, with the asynchronous error.
pub fn synchronize() -> Result<()> {
    let here = here();
    if let Some(context) = here.top().filter(|context| context.is_alive() && !here.is_green()) {
        return here.holding(|| {
            capture::check_context(&context.group)?;
            context.synchronize()
        });
    }
    let home = Current::or_current(0)?;
    capture::check_context(&home.context.group)?;
    home.synchronize()
}

/// A primary context that was released and retained again is current again wherever it was current before.
fn refresh(context: Arc<Context>) -> Arc<Context> {
    if context.is_alive() || !context.primary {
        return context;
    }
    match CONTEXTS.get(context.handle) {
        Some(new) if new.is_alive() => {
            if !here().in_use.get() {
                with_stack(|stack| {
                    for entry in stack.iter_mut().filter(|c| c.context.handle == new.handle) {
                        entry.context = new.clone();
                    }
                });
            }
            new
        }
        _ => context,
    }
}

/// New contexts can be made when those are gone that an error has reached: no real driver does it any more.
static RECOVERS: AtomicBool = AtomicBool::new(false);

/// Makes it so: `DOPPEL_FAILURE=contexts`.
pub fn let_contexts_recover() {
    RECOVERS.store(true, Ordering::Relaxed);
}

/// Fails with the error that the process is stuck with.
fn check_failure(device: &Device) -> Result<()> {
    let stuck = |c: &Context| ptr::eq(c.device.failure, device.failure) && c.is_alive() && c.group.error().is_some();
    if RECOVERS.load(Ordering::Relaxed) && !CONTEXTS.any(stuck) {
        device.failure.clear();
    }
    device.failure.check()
}

/// True when the calling thread is in no callback and its current context is alive and has no asynchronous error: what
/// most calls need, at little cost. False says nothing.
#[inline]
pub fn is_ready() -> bool {
    let here = here();
    !here.in_callback.get() && here.group().is_some_and(|group| group.is_sound())
}

/// Checks what most entry points need before anything else: a current context that is alive and has no asynchronous
/// error.
pub fn require() -> Result<()> {
    match here().top() {
        Some(c) if c.is_alive() => c.check_error(),
        Some(_) => current_any().map(drop),
        None => Err(refuse!(Error::INVALID_CONTEXT, "no context is current on this thread")),
    }
}

/// Fails if the current context was destroyed; without one, all is well.
pub fn check_not_destroyed() -> Result<()> {
    match here().top() {
        Some(c) if !c.is_alive() => current_any().map(drop),
        _ => Ok(()),
    }
}

/// The live context of a created stream, which a thread without a current context works in by naming the stream.
fn of_stream(handle: usize) -> Option<Arc<Context>> {
    let created = !is_default_stream(handle);
    created.then(|| STREAMS.get(handle)?.context.upgrade()).flatten().filter(|c| c.is_alive())
}

/// True when the calling thread has no live current context, and a stream that it names has one.
#[cold]
pub fn lacks_current_for(stream: usize) -> bool {
    let lacks = |error| error == Error::INVALID_CONTEXT || error == Error::CONTEXT_IS_DESTROYED;
    current_any().is_err_and(lacks) && of_stream(stream).is_some()
}

/// While it lives, the calling thread has a current context that it has not set.
pub struct Visit(());

impl Visit {
    /// The context of a created stream. `None` if it is gone, or the thread is.
    pub fn of_stream(handle: usize) -> Option<Visit> {
        let context = of_stream(handle)?;
        with_stack(|stack| stack.push(context.into())).map(Visit)
    }

    /// The same where it is needed: see [`lacks_current_for`].
    pub fn where_needed(stream: usize) -> Option<Visit> {
        if lacks_current_for(stream) { Visit::of_stream(stream) } else { None }
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        pop();
    }
}

/// The asynchronous error of the current context, if there is one.
pub fn check_error() -> Result<()> {
    here().top().filter(|c| c.is_alive()).map_or(Ok(()), Context::check_error)
}

/// The current context, for memory of today: [`Error::INVALID_CONTEXT`] without one, [`Error::CONTEXT_IS_DESTROYED`] for a
/// dead one. One of the first generation has memory of its own kind: [`Error::INVALID_CONTEXT`].
pub fn current() -> Result<Arc<Context>> {
    let context = current_any()?;
    if context.api_version == FIRST_GENERATION {
        Err(refuse!(Error::INVALID_CONTEXT, "the current context is one of the first generation"))
    } else {
        Ok(context)
    }
}

/// The current context, of any generation.
pub fn current_any() -> Result<Arc<Context>> {
    let context = top().ok_or_else(|| refuse!(Error::INVALID_CONTEXT, "no context is current on this thread"))?;
    if context.is_alive() {
        Ok(context)
    } else {
        Err(refuse!(Error::CONTEXT_IS_DESTROYED, "the current context was destroyed"))
    }
}

/// The handle of the current context, 0 without one.
#[inline]
pub fn current_handle() -> usize {
    here().top().map_or(0, |c| c.handle)
}

/// True for the number of the current context.
pub fn is_current(id: u64) -> bool {
    here().top().is_some_and(|c| c.id == id)
}

/// The name of what is current, a context or a green one; 0 without any.
#[inline]
pub fn current_name() -> usize {
    #[cold]
    fn of_green() -> usize {
        green().map_or_else(current_handle, |green| green.share.handle)
    }
    if here().is_green() { of_green() } else { current_handle() }
}

/// The green context that is current.
pub fn green() -> Option<Arc<Green>> {
    if !here().is_green() {
        return None;
    }
    THREAD.try_with(|t| t.stack.borrow().last().and_then(|top| top.green.clone())).ok().flatten()
}

/// Pushes a context on the calling thread's stack.
pub fn push(context: impl Into<Current>) {
    let context = context.into();
    with_stack(|stack| stack.push(context));
}

/// Pops the calling thread's current context.
pub fn pop() -> Option<Current> {
    with_stack(Vec::pop).flatten()
}

/// Replaces the top of the stack (pushes on an empty one).
pub fn set_top(context: impl Into<Current>) {
    let context = context.into();
    let old = with_stack(|stack| {
        let old = stack.pop();
        stack.push(context);
        old
    });
    drop(old);
}

/// Applies `f` to the stream that [`stream`] gives, for functions that notice what it costs to count a reference up and
/// down. `f` leaves the thread's stack of contexts alone.
#[inline]
pub fn with_stream<R>(handle: usize, per_thread: bool, f: impl FnOnce(&Arc<Stream>) -> Result<R>) -> Result<R> {
    with_held(handle, per_thread, find_stream, f)
}

/// [`with_stream`] for what contexts of the first generation have, too.
#[inline]
pub fn with_any_stream<R>(handle: usize, per_thread: bool, f: impl FnOnce(&Arc<Stream>) -> Result<R>) -> Result<R> {
    let find = if is_default_stream(handle) { stream } else { find_stream };
    with_held(handle, per_thread, find, f)
}

#[inline(always)]
fn with_held<R>(
    handle: usize,
    per_thread: bool,
    find: fn(usize, bool) -> Result<Arc<Stream>>,
    f: impl FnOnce(&Arc<Stream>) -> Result<R>,
) -> Result<R> {
    let here = here();
    if handle <= 1 && !per_thread {
        if let Some(context) = here.top()
            && context.is_alive()
            && context.api_version != FIRST_GENERATION
            && !here.is_green()
        {
            return here.holding(|| f(&context.legacy));
        }
    } else if let Some(stream) = here.recent(handle) {
        // SAFETY: the thread holds this stream until it remembers another one, which it does not in `f`.
        let stream = ManuallyDrop::new(unsafe { Arc::from_raw(stream) });
        return here.holding(|| f(&stream));
    }
    f(&find(handle, per_thread)?)
}

/// True when an operation that does not block, given now to the stream that [`stream`] gives, would be run at once by the
/// calling thread: see [`Stream::is_quiet`]. False says nothing.
#[inline]
pub fn is_quiet(handle: usize, per_thread: bool) -> bool {
    let here = here();
    if handle <= 1 && !per_thread {
        // A context of the first generation has no such memory to copy: the long way says so.
        return here.group().is_some_and(|group| group.is_calm() && group.is_usable())
            && is_plain()
            && !here.is_green();
    }
    // SAFETY: as in `with_stream`.
    here.recent(handle).is_some_and(|stream| unsafe { &*stream }.is_quiet())
}

/// The stream for [`with_stream`], which is remembered if it is a created one.
#[inline(never)]
fn find_stream(handle: usize, per_thread: bool) -> Result<Arc<Stream>> {
    if is_default_stream(handle) {
        current()?;
        return stream(handle, per_thread);
    }
    let version = STREAMS.version();
    let stream = stream(handle, per_thread)?;
    let here = here();
    if !here.in_use.get() {
        let before = THREAD.try_with(|t| t.recent.replace(Some(stream.clone())));
        if before.is_ok() {
            here.recent.set((handle, version, Arc::as_ptr(&stream)));
        }
    }
    Ok(stream)
}

/// The stream that a handle means in a call on this thread: 0 is a default stream of the current context (the thread's
/// own one if `per_thread`), 1 the legacy and 2 the thread's default stream, anything else a created stream.
pub fn stream(handle: usize, per_thread: bool) -> Result<Arc<Stream>> {
    if is_default_stream(handle)
        && let Some(green) = green()
    {
        current_any()?;
        refuse_if!(
            Error::INVALID_HANDLE,
            handle == 2 || handle == 0 && per_thread,
            "_ is a thread's default stream, which green contexts do not have"
        );
        return Ok(green.default.clone());
    }
    match handle {
        0 if per_thread => Ok(current_any()?.thread_stream()),
        0 | 1 => Ok(current_any()?.legacy_stream().clone()),
        2 => Ok(current_any()?.thread_stream()),
        _ => STREAMS.get(handle).ok_or_else(|| no_stream(handle)),
    }
}

/// True for the handles of default streams.
pub fn is_default_stream(handle: usize) -> bool {
    handle <= 2
}

/// Why a handle is not a stream's. The real driver takes an event for a stream of a context that is gone.
#[cold]
fn no_stream(handle: usize) -> Error {
    match EVENTS.get(handle) {
        Some(_) => refuse!(Error::CONTEXT_IS_DESTROYED, "_ {:#x} is not a stream, but an event", handle),
        None if STREAMS.is_orphan(handle) => {
            refuse!(Error::CONTEXT_IS_DESTROYED, "_ {:#x} is a stream of a context that was destroyed", handle)
        }
        None => refuse!(Error::INVALID_HANDLE, "_ {:#x} is not a live stream", handle),
    }
}
