//! Decides who answers a call of an exported function. The export itself tests its forwarding slot first; only
//! when that is empty does a call come here. C types are unknown here: codes are numbers, which the export makes a `CUresult`.

pub mod caller;
pub mod launcher;
mod mode;

pub use mode::{Active, active};

use crate::forward;
use crate::table::{Absent, Entry, Needs};
use core::ptr;
use device::base::error_log;
use error::{Error, Result};
use settings::config;
use settings::log::{self, Level};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How to answer a call. A pair of words, so that it is returned in registers.
pub struct Route {
    /// The way to answer.
    pub kind: RouteKind,
    /// The real driver's function, or the code to return.
    pub value: *mut (),
}

/// The kinds of [`Route`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RouteKind {
    /// Call `value`, with the same arguments.
    Real,
    /// Return `value`.
    Answer,
    /// Run the body.
    Emulate,
    /// Begin again, with the context of the stream that the call names as the current one: see [`within`].
    Within,
}

impl Route {
    /// Run the body.
    pub const EMULATE: Route = Route { kind: RouteKind::Emulate, value: ptr::null_mut() };

    const WITHIN: Route = Route { kind: RouteKind::Within, value: ptr::null_mut() };

    fn real(function: *mut ()) -> Route {
        Route { kind: RouteKind::Real, value: function }
    }

    fn answer(error: Error) -> Route {
        Route { kind: RouteKind::Answer, value: ptr::without_provenance_mut(error.code() as usize) }
    }

    /// The code to return, for [`RouteKind::Answer`].
    pub fn code(&self) -> u32 {
        self.value as usize as u32
    }
}

/// A cheap test: true when the preconditions of the emulated device are met. False means not known: then
/// [`route`] decides.
#[inline(always)]
pub fn is_ready(needs: Needs) -> bool {
    // Only `cpu` mode starts the device; a child of fork has none.
    match needs {
        Needs::Nothing => device::is_started(),
        Needs::Init => device::is_open() && device::initialized().is_ok(),
        Needs::Context | Needs::Late => device::is_open() && device::stream::context::is_ready(),
    }
}

/// [`route`] for a call that names a stream. On a thread without current context, a created stream's context is used.
#[inline(never)]
pub fn route_on(entry: &'static Entry, stream: usize) -> Route {
    match mode::known() {
        Some(Active::Cpu) if device::initialized().is_ok() && device::stream::context::lacks_current_for(stream) => {
            Route::WITHIN
        }
        Some(Active::Cpu) => emulate(entry),
        Some(other) => elsewhere(entry, other),
        None => first(entry),
    }
}

/// Makes a call with the context of a created stream as the current one.
pub fn within<R: From<Error>>(stream: usize, call: impl FnOnce() -> R) -> R {
    match device::stream::context::Visit::of_stream(stream) {
        Some(_visit) => call(),
        // Another thread has destroyed the stream meanwhile.
        None => Error::INVALID_CONTEXT.into(),
    }
}

/// Decides who answers a call of `entry`.
#[inline(never)]
pub fn route(entry: &'static Entry) -> Route {
    match mode::known() {
        Some(Active::Cpu) => emulate(entry),
        Some(other) => elsewhere(entry, other),
        None => first(entry),
    }
}

/// The call that decides the mode, or one beside it. It began before the slots led through the layers.
#[cold]
fn first(entry: &'static Entry) -> Route {
    match active() {
        Active::Deciding => elsewhere(entry, Active::Deciding),
        _ if entry.is_layered() => Route::real(entry.slot()),
        Active::Cpu => emulate(entry),
        other => elsewhere(entry, other),
    }
}

/// The preconditions of the emulated device.
fn emulate(entry: &'static Entry) -> Route {
    if entry.needs != Needs::Nothing && device::checkpoint::is_held() {
        device::checkpoint::wait();
    }
    let met = match entry.needs {
        Needs::Nothing => Ok(()),
        Needs::Init | Needs::Late => device::initialized(),
        Needs::Context => device::initialized().and_then(|()| device::require_context()),
    };
    match met {
        Ok(()) if entry.implemented => Route::EMULATE,
        Ok(()) => not_implemented(entry),
        Err(error) => refused(entry, error),
    }
}

#[cold]
fn refused(entry: &'static Entry, error: Error) -> Route {
    failed(entry, error);
    Route::answer(error)
}

#[cold]
fn not_implemented(entry: &'static Entry) -> Route {
    if entry.first_time() {
        log::warn!("{} is not implemented: CUDA_ERROR_NOT_SUPPORTED", entry.name());
    } else {
        log::info!("{}: CUDA_ERROR_NOT_SUPPORTED: the function is not implemented", entry.name());
    }
    record(entry, Error::NOT_SUPPORTED);
    Route::answer(Error::NOT_SUPPORTED)
}

/// All modes but `cpu`.
#[cold]
fn elsewhere(entry: &'static Entry, active: Active) -> Route {
    match active {
        Active::Cpu => emulate(entry),
        Active::Forward => {
            if entry.run_in_forward {
                return Route::EMULATE;
            }
            let real = forward::symbol(entry.c_name());
            if real.is_null() {
                if entry.first_time() {
                    log::warn!("the real driver has no {}: CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER", entry.name());
                }
                return Route::answer(Error::CALL_REQUIRES_NEWER_DRIVER);
            }
            // `cuInit` keeps an empty slot until the configuration has been found to be in order.
            if entry.base == "cuInit" && config::settings().is_none() {
                return Route::answer(Error::INVALID_VALUE);
            }
            if forward::waits_for_init() {
                if entry.base == "cuInit" {
                    return Route::real(forward::init as *mut ());
                } else if entry.header && entry.needs != Needs::Nothing {
                    return Route::answer(Error::NOT_INITIALIZED);
                } else {
                    return Route::real(real);
                }
            }
            entry.bind(real);
            Route::real(real)
        }
        // The mode is malformed: nothing can be answered, and the reason has been reported.
        Active::Refused if entry.base == "cuInit" => Route::answer(Error::INVALID_VALUE),
        Active::Absent | Active::Refused => match entry.absent {
            Absent::NotInitialized => Route::answer(Error::NOT_INITIALIZED),
            Absent::NoDevice => Route::answer(Error::NO_DEVICE),
            Absent::Run if entry.implemented => Route::EMULATE,
            Absent::Run => Route::answer(Error::NOT_SUPPORTED),
        },
        // This thread is loading the real driver, and something in it calls us: it gets the real driver's function.
        Active::Deciding => {
            let real = forward::symbol(entry.c_name());
            if real.is_null() { Route::answer(Error::NOT_INITIALIZED) } else { Route::real(real) }
        }
    }
}

/// Runs a body and gives the code to return: 0 for success. A panic in the body is an error code, not the end of the program.
#[inline(always)]
pub fn run(entry: &'static Entry, body: impl FnOnce() -> Result<()>) -> u32 {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => 0,
        Ok(Err(error)) => failed(entry, error),
        Err(payload) => panicked(entry, payload),
    }
}

/// The code to return for a declaration without body, whose calls [`route`] answers.
#[cold]
pub fn unreachable(_entry: &'static Entry) -> u32 {
    Error::NOT_SUPPORTED.code()
}

#[cold]
fn failed(entry: &'static Entry, error: Error) -> u32 {
    if device::stream::capture::has_invalidated() {
        log::warn!("{} invalidates a stream capture: {error}", entry.name());
    }
    record(entry, error);
    // Not a refusal: the work in question is not complete yet.
    let level = if error == Error::NOT_READY { Level::Debug } else { Level::Info };
    if log::enabled(level) {
        error.reason(|reason| match reason {
            Some(reason) => log::write(level, format_args!("{}: {error:?}: {reason}", entry.name())),
            None => log::write(level, format_args!("{}: {error}", entry.name())),
        });
    }
    error.code()
}

/// Two messages in the error log, which programs read: the reason, and the answer.
fn record(entry: &'static Entry, error: Error) {
    if error == Error::NOT_READY || !device::is_started() {
        return;
    }
    error.reason(|reason| {
        if let Some(reason) = reason {
            error_log::write(reason);
        }
    });
    error_log::write(format_args!("Returning {} ({error:?}) from {}", error.code(), entry.name()));
}

#[cold]
fn panicked(entry: &'static Entry, payload: Box<dyn core::any::Any + Send>) -> u32 {
    let text = match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => text,
        (_, Some(text)) => text.as_str(),
        _ => "no message",
    };
    log::error!("defect in doppel: {} stopped: {text}", entry.name());
    // Dropping a payload may panic again.
    core::mem::forget(payload);
    record(entry, Error::UNKNOWN);
    Error::UNKNOWN.code()
}
