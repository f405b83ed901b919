//! What every call asks of its thread: the current context, the stream that was used last, whether a callback is running.

use crate::base::devices::is_started;
use crate::stream::types::{Context, Group, STREAMS, Stream};
use core::ptr;
use error::{Error, Result, refuse};
use guard::state;
use std::cell::Cell;
use std::sync::Arc;

/// What every call asks of its thread. What it points to is held by `context::ThreadState`.
#[repr(C)]
pub(super) struct Here {
    /// The top of the stack of contexts; null when it is empty.
    pub(super) top: Cell<*const Context>,
    /// What its streams share; null when it is empty.
    pub(super) group: Cell<*const Group>,
    /// The created stream that the thread used last: handle, version of the table of streams at that time, stream.
    pub(super) recent: Cell<(usize, u64, *const Stream)>,
    pub(super) in_callback: Cell<bool>,
    /// What is current is a green context.
    pub(super) green: Cell<bool>,
    /// Somebody uses what `top` or `recent` points to: neither may be let go.
    pub(super) in_use: Cell<bool>,
}

/// The calling thread's.
#[inline(always)]
pub(super) fn here() -> &'static Here {
    const { assert!(size_of::<Here>() <= size_of::<[Cell<usize>; state::DEVICE_WORDS]>() && align_of::<Here>() <= 8) };
    // SAFETY: the words begin as zeros, which are a value of every field, nobody else uses them, they live as long as the
    // thread, and the reference cannot leave it: `Cell` is not `Sync`.
    unsafe { &*(&raw const state::thread().device).cast::<Here>() }
}

impl Here {
    #[inline]
    pub(super) fn clear(&self) {
        self.set_top(None, false);
        self.recent.set((0, 0, ptr::null()));
    }

    #[inline]
    pub(super) fn set_top(&self, top: Option<&Arc<Context>>, green: bool) {
        self.green.set(green);
        self.top.set(top.map_or(ptr::null(), Arc::as_ptr));
        self.group.set(top.map_or(ptr::null(), |c| Arc::as_ptr(&c.group)));
    }

    /// The current context, alive or not.
    #[inline]
    pub(super) fn top(&self) -> Option<&Context> {
        // SAFETY: the stack holds the context until it changes, and whoever changes it sets `top`; the reference does not
        // outlive a call that changes it, as such calls are made by the thread itself, outside of `in_use`.
        unsafe { self.top.get().as_ref() }
    }

    /// True when a green context is current.
    #[inline]
    pub(super) fn is_green(&self) -> bool {
        self.green.get()
    }

    /// What the streams of the current context share.
    #[inline]
    pub(super) fn group(&self) -> Option<&Group> {
        // SAFETY: as for `top`, which holds it.
        unsafe { self.group.get().as_ref() }
    }

    /// The created stream with a handle, if that is the one that the thread used last and the handle still means it.
    #[inline]
    pub(super) fn recent(&self, handle: usize) -> Option<*const Stream> {
        let (recent, version, stream) = self.recent.get();
        (recent == handle && version == STREAMS.version() && !stream.is_null()).then_some(stream)
    }

    /// Calls `f`, during which the thread keeps what it holds.
    #[inline]
    pub(super) fn holding<R>(&self, f: impl FnOnce() -> R) -> R {
        struct Reset<'a>(&'a Cell<bool>, bool);
        impl Drop for Reset<'_> {
            fn drop(&mut self) {
                self.0.set(self.1);
            }
        }
        let _reset = Reset(&self.in_use, self.in_use.replace(true));
        f()
    }
}

/// Runs a host function of the program: inside, the driver API refuses every call.
pub fn in_callback<R>(f: impl FnOnce() -> R) -> R {
    struct Reset(bool);
    impl Drop for Reset {
        fn drop(&mut self) {
            here().in_callback.set(self.0);
        }
    }
    let _reset = Reset(here().in_callback.replace(true));
    f()
}

/// True inside a host function.
#[inline]
pub fn is_in_callback() -> bool {
    here().in_callback.get()
}

/// Checks that the device is started and may be used on this thread, cheaply.
#[inline]
pub fn initialized() -> Result<()> {
    if is_in_callback() {
        return Err(refuse!(Error::NOT_PERMITTED, "the call is made inside a host function that a stream runs"));
    }
    if is_started() {
        Ok(())
    } else {
        Err(refuse!(Error::NOT_INITIALIZED, "cuInit has not been called in this process, or before it was forked"))
    }
}

/// [`initialized`], for calls that look at an argument first: `wrong` says that it is, and `error` what is said then.
#[inline]
pub fn initialized_unless(wrong: bool, error: Error) -> Result<()> {
    if wrong { Err(refuse!(error, "_ is NULL or 0")) } else { initialized() }
}
