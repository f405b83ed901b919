//! What rooms above this one do for streams and contexts. `device::initialize` installs it.

use crate::base::devices::Device;
use crate::stream::types::{Context, Fence, Group, Stream, StreamKind};
use guard::state;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// What is called, and when.
pub struct Hooks {
    /// The program has waited for work, and somebody expected that: see [`expect_wait`].
    pub waited: &'static [fn(&Waited)],
    /// The program has waited for work, and kernels have printed.
    pub print: fn(),
    /// A context has ended, and its work is complete: each of these frees what it has made there, in this order.
    pub free_all_of: &'static [fn(&Context)],
    /// Takes the addresses that the second stream of a context takes on the real driver.
    pub take_addresses: fn(&Arc<Device>) -> Option<Box<dyn Send + Sync>>,
}

static HOOKS: OnceLock<Hooks> = OnceLock::new();

/// Installs the hooks. The first ones stay.
pub fn install(hooks: Hooks) {
    let _ = HOOKS.set(hooks);
}

pub(super) fn get() -> Option<&'static Hooks> {
    HOOKS.get()
}

/// What a program has waited for.
pub enum Waited<'a> {
    /// All that a stream was given.
    Stream(&'a Arc<Stream>),
    /// A point of a stream.
    Point(&'a Fence),
    /// All streams of a context.
    Everything(&'a Arc<Group>),
}

impl Waited<'_> {
    /// True when what was waited for includes a point, and the point is reached.
    pub fn includes(&self, fence: &Fence) -> bool {
        let stream = fence.stream();
        // Nobody can wait for the streams of a context that is gone.
        let gone = || !stream.group.is_alive();
        let waited = match self {
            Waited::Stream(s) if s.kind == StreamKind::Legacy => Arc::ptr_eq(&s.group, &stream.group),
            Waited::Stream(s) => Arc::ptr_eq(s, stream) || s.follows(fence),
            Waited::Point(point) => point.includes(fence) || point.stream().follows(fence),
            Waited::Everything(group) => Arc::ptr_eq(group, &stream.group),
        };
        (waited || gone()) && fence.is_complete()
    }
}

/// Somebody wants to know when the program waits next.
static EXPECTED: AtomicBool = AtomicBool::new(false);

/// Asks for one call of [`Hooks::waited`], the next time that the program waits for work.
pub fn expect_wait() {
    EXPECTED.store(true, Ordering::Release);
}

/// To be called whenever the program has waited for work.
#[inline]
pub(super) fn waited(waited: &Waited) {
    if EXPECTED.load(Ordering::Relaxed) && EXPECTED.swap(false, Ordering::AcqRel) {
        get().into_iter().flat_map(|hooks| hooks.waited).for_each(|hook| hook(waited));
    }
    print();
}

/// Writes what kernels have printed.
#[inline]
pub(super) fn print() {
    if state::PROCESS.printed.load(Ordering::Relaxed)
        && let Some(hooks) = get()
    {
        (hooks.print)();
    }
}
