//! Which device and which context a thread works with.
//!
//! The driver is initialised and the device's primary context retained by the first call that needs it. A context that
//! the program made current with the driver API is used as it is. What a thread has bound is remembered until
//! `cudaDeviceReset`; a program that unbinds it behind our back is noticed by the driver's refusal (see
//! [`crate::driver`]).

use crate::driver as drv;
use crate::error::{Error, Result};
use crate::registry;
use crate::types::{Handle, NULL};
use core::cell::Cell;
use core::ffi::{c_int, c_uint};
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

thread_local! {
    /// The device that the thread chose, or that it got by its first call.
    static DEVICE: Cell<c_int> = const { Cell::new(-1) };
    /// The generation in which a context was bound here; 0: none was.
    static BOUND: Cell<u64> = const { Cell::new(0) };
    /// A context is being bound: what the driver refuses meanwhile is its last word.
    static BINDING: Cell<bool> = const { Cell::new(false) };
}

/// Counts resets: everything bound before has to be bound again.
static GENERATION: AtomicU64 = AtomicU64::new(1);
static INITIALISED: AtomicBool = AtomicBool::new(false);
static EXITING: AtomicBool = AtomicBool::new(false);

extern "C" fn at_exit() {
    EXITING.store(true, Ordering::Release);
}

/// The process ends, or this library is being unloaded. What is registered for the exit before a driver is initialised
/// runs later and sees this: so do the constructors of the program and of what it is linked with.
pub fn is_exiting() -> bool {
    EXITING.load(Ordering::Acquire)
}

/// A flag of all primary contexts, whatever they were made with: they can map host memory.
pub const MAP_HOST: c_uint = 0x08;

/// What we hold of one device.
#[derive(Clone, Copy)]
struct Primary {
    device: c_int,
    context: usize,
    retained: bool,
}

static PRIMARIES: Mutex<Vec<Primary>> = Mutex::new(Vec::new());
static VALID_DEVICES: Mutex<Vec<c_int>> = Mutex::new(Vec::new());

fn primaries() -> MutexGuard<'static, Vec<Primary>> {
    PRIMARIES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Initialises the driver.
pub fn init() -> Result {
    if INITIALISED.load(Ordering::Acquire) {
        return Ok(());
    }
    drv::cuInit(0u32)?;
    // Within a major version any driver will do.
    let mut version: c_int = 0;
    drv::cuDriverGetVersion(&raw mut version)?;
    if version < crate::VERSION / 1000 * 1000 {
        return Err(Error::INSUFFICIENT_DRIVER);
    }
    if count()? == 0 {
        return Err(Error::NO_DEVICE);
    }
    // Before any thread can have bound a context.
    drv::on_lost_context(rebind);
    if !INITIALISED.swap(true, Ordering::AcqRel) {
        // SAFETY: a function of ours, which stays as long as this library.
        unsafe { libc::atexit(at_exit) };
    }
    Ok(())
}

fn count() -> Result<c_int> {
    let mut count: c_int = 0;
    drv::cuDeviceGetCount(&raw mut count)?;
    Ok(count)
}

/// The number of devices.
pub fn device_count() -> Result<c_int> {
    init()?;
    count()
}

/// Refuses ordinals of no device.
pub fn check_device(device: c_int) -> Result {
    if device < 0 || device >= device_count()? { Err(Error::INVALID_DEVICE) } else { Ok(()) }
}

/// The primary context of a device, retained once. A process in which a kernel has failed gets none any more after a reset.
pub fn primary(device: c_int) -> Result<Handle> {
    let mut primaries = primaries();
    let known = primaries.iter().position(|p| p.device == device);
    if let Some(i) = known
        && primaries[i].retained
    {
        return Ok(primaries[i].context as Handle);
    }
    let mut context: Handle = NULL;
    let outer = BINDING.replace(true);
    let result = drv::cuDevicePrimaryCtxRetain(&raw mut context, device);
    BINDING.set(outer);
    result.map_err(|error| if error.is_of_kernel() { Error::DEVICES_UNAVAILABLE } else { error })?;
    let primary = Primary { device, context: context as usize, retained: true };
    match known {
        Some(i) => primaries[i] = primary,
        None => primaries.push(primary),
    }
    Ok(context)
}

/// The context that is current on this thread.
pub fn current() -> Result<Handle> {
    let mut context: Handle = NULL;
    drv::cuCtxGetCurrent(&raw mut context)?;
    Ok(context)
}

/// Makes sure that a context is current.
#[inline]
pub fn ensure() -> Result {
    if BOUND.get() == GENERATION.load(Ordering::Acquire) {
        return Ok(());
    }
    bind()?;
    registry::load_eagerly();
    Ok(())
}

#[cold]
fn bind() -> Result {
    init()?;
    let generation = GENERATION.load(Ordering::Acquire);
    let context = current()?;
    let ours = primaries().iter().find(|p| p.context == context as usize).copied();
    match ours {
        // A context of the program's own is its business.
        None if !context.is_null() => {}
        // A primary context that a reset has emptied comes back to life under its old handle.
        Some(p) if p.retained => {}
        Some(p) => drv::cuCtxSetCurrent(primary(p.device)?)?,
        None => {
            let device = chosen();
            let context = primary(device).or_else(|e| fallback(device, e))?;
            drv::cuCtxSetCurrent(context)?;
        }
    }
    BOUND.set(generation);
    Ok(())
}

/// A thread that chose no device takes the first that works.
fn fallback(tried: c_int, error: Error) -> Result<Handle> {
    if DEVICE.get() >= 0 {
        return Err(error);
    }
    let valid = valid_devices();
    let all: Vec<c_int> = if valid.is_empty() { (0..count()?).collect() } else { valid };
    for device in all.into_iter().filter(|&d| d != tried) {
        if let Ok(context) = primary(device) {
            DEVICE.set(device);
            return Ok(context);
        }
    }
    Err(error)
}

/// The driver said that no context is current. Binds one if that is true, and says whether a second try is worth it.
#[cold]
pub fn rebind() -> bool {
    if BOUND.get() == 0 || BINDING.get() {
        return false;
    }
    match current() {
        Ok(context) if context.is_null() => {
            BOUND.set(0);
            bind().is_ok()
        }
        _ => false,
    }
}

/// The device of this thread, if nothing else is current.
pub fn chosen() -> c_int {
    match DEVICE.get() {
        -1 => valid_devices().first().copied().unwrap_or(0),
        device => device,
    }
}

/// The device that the thread's calls go to.
pub fn device() -> Result<c_int> {
    let mut device: c_int = 0;
    store_device(&raw mut device)?;
    Ok(device)
}

/// Stores the device that the thread's calls go to.
pub fn store_device(to: *mut c_int) -> Result {
    init()?;
    if current()?.is_null() { crate::user::write(to, chosen()) } else { drv::cuCtxGetDevice(to) }
}

/// Makes a device the thread's; its primary context becomes current.
pub fn set_device(device: c_int) -> Result {
    check_device(device)?;
    let context = primary(device)?;
    drv::cuCtxSetCurrent(context)?;
    DEVICE.set(device);
    BOUND.set(GENERATION.load(Ordering::Acquire));
    registry::load_eagerly();
    Ok(())
}

/// Makes the primary context of a device exist, with flags, without making it current.
pub fn init_device(device: c_int, flags: Option<c_uint>) -> Result {
    check_device(device)?;
    if let Some(flags) = flags {
        drv::cuDevicePrimaryCtxSetFlags_v2(device, flags)?;
    }
    primary(device)?;
    Ok(())
}

/// Empties the primary context of the thread's device.
pub fn reset() -> Result {
    let device = device()?;
    let result = drv::cuDevicePrimaryCtxReset_v2(device);
    // A thread that sees the new generation retains the context again.
    if let Some(p) = primaries().iter_mut().find(|p| p.device == device) {
        p.retained = false;
    }
    GENERATION.fetch_add(1, Ordering::AcqRel);
    result
}

/// The devices among which a thread without a choice may get one; empty: all.
pub fn set_valid_devices(devices: Vec<c_int>) {
    *VALID_DEVICES.lock().unwrap_or_else(PoisonError::into_inner) = devices;
}

fn valid_devices() -> Vec<c_int> {
    VALID_DEVICES.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The flags of the current context, or those that the chosen device's will have.
pub fn flags() -> Result<c_uint> {
    init()?;
    let mut flags: c_uint = 0;
    if !current()?.is_null() {
        drv::cuCtxGetFlags(&raw mut flags)?;
        return Ok(flags);
    }
    let mut active: c_int = 0;
    drv::cuDevicePrimaryCtxGetState(chosen(), &raw mut flags, &raw mut active)?;
    Ok(flags | MAP_HOST)
}

/// Sets the flags with which the primary context of the thread's device works, and makes it current. Refused under a context
/// of the program's own.
pub fn set_flags(flags: c_uint) -> Result {
    let device = device()?;
    let context = current()?;
    if context.is_null() {
        BOUND.set(0);
    } else if !is_primary(context, device)? {
        return Err(Error::INCOMPATIBLE_DRIVER_CONTEXT);
    }
    drv::cuDevicePrimaryCtxSetFlags_v2(device, flags)?;
    ensure()
}

/// Whether a context is the primary one of a device, which is not created to find out.
fn is_primary(context: Handle, device: c_int) -> Result<bool> {
    if primaries().iter().any(|p| p.context == context as usize) {
        return Ok(true);
    }
    let (mut flags, mut active): (c_uint, c_int) = (0, 0);
    drv::cuDevicePrimaryCtxGetState(device, &raw mut flags, &raw mut active)?;
    Ok(active != 0 && primary(device)? == context)
}
