//! Which mode this process is in: decided once, at the first call.

use crate::{forward, layers};
use core::sync::atomic::{AtomicI32, AtomicU8, Ordering};
use parking_lot::Mutex;
use settings::config::{self, Mode, Start};
use settings::log;
use std::sync::OnceLock;

/// What answers calls in this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Active {
    /// The emulated device.
    Cpu = 1,
    /// The real driver.
    Forward,
    /// No device answers: there is none, or no real driver where one is wanted.
    Absent,
    /// The configuration is malformed.
    Refused,
    /// Not known yet, and this thread is finding out.
    Deciding,
}

static ACTIVE: AtomicU8 = AtomicU8::new(0);

/// The mode, if it is decided.
#[inline]
pub fn known() -> Option<Active> {
    match ACTIVE.load(Ordering::Acquire) {
        1 => Some(Active::Cpu),
        2 => Some(Active::Forward),
        3 => Some(Active::Absent),
        4 => Some(Active::Refused),
        _ => None,
    }
}

/// The mode; the first call decides.
#[inline]
pub fn active() -> Active {
    known().unwrap_or_else(decide)
}

#[cold]
fn decide() -> Active {
    static DECIDING: Mutex<()> = Mutex::new(());
    /// The thread that decides. Opening the real driver runs its code, which may call us.
    static DECIDER: AtomicI32 = AtomicI32::new(0);
    // SAFETY: asks for a number.
    let me = unsafe { libc::gettid() };
    if DECIDER.load(Ordering::Relaxed) == me {
        return Active::Deciding;
    }
    let guard = DECIDING.lock();
    if ACTIVE.load(Ordering::Acquire) == 0 {
        DECIDER.store(me, Ordering::Relaxed);
        let chosen = choose();
        DECIDER.store(0, Ordering::Relaxed);
        ACTIVE.store(chosen as u8, Ordering::Release);
    }
    drop(guard);
    active()
}

/// Why the real driver is not what answers in [`Mode::Auto`], or is not there in [`Mode::Forward`].
static WHY: OnceLock<String> = OnceLock::new();

/// The reason for the mode, if it needs one.
pub fn why() -> &'static str {
    WHY.get().map_or("", String::as_str)
}

/// The emulated device, with what is to stand in front of it.
fn cpu(start: &'static Start) -> Active {
    layers::put(start, false);
    Active::Cpu
}

fn choose() -> Active {
    config::warn_of_unknown_variables();
    let start = config::start();
    match start.mode {
        None => Active::Refused,
        Some(Mode::Cpu) => cpu(start),
        Some(Mode::Absent) => Active::Absent,
        Some(Mode::Forward) => match forward::open(start) {
            Ok(path) => {
                layers::put(start, true);
                forward::bind();
                log::info!("forward mode, real driver {}", path.display());
                Active::Forward
            }
            Err(reason) => {
                log::error!("forward mode, but no real driver was found: {reason}");
                let _ = WHY.set(reason);
                Active::Absent
            }
        },
        Some(Mode::Auto) => match forward::open(start).and_then(|path| forward::has_device().map(|()| path)) {
            Ok(path) => {
                layers::put(start, true);
                forward::wait_for_init();
                log::info!("auto mode: forward, real driver {}", path.display());
                Active::Forward
            }
            Err(reason) => {
                log::info!("auto mode: cpu, because of the real driver: {reason}");
                let _ = WHY.set(reason);
                cpu(start)
            }
        },
    }
}
