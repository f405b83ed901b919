//! Coredump Attributes Control API.
//!
//! What a dump holds and how it is read is in `docs/COREDUMP.md`.

#![allow(non_snake_case)]

use super::convert::core_dump::{get, set};
use super::ptr::{InOut, Out};
use super::types::{CUcoredumpCallbackHandle, CUcoredumpSettings, CUcoredumpStatusCallback};
use api_macro::entry;
use core::ffi::c_void;
use device::base::core_dump::{self, Moment};
use device::stream::context;
use error::{Error, Result, refuse, refuse_if};

/// Reads a core dump setting of the current context.
///
/// - `attrib`: which setting: `CU_COREDUMP_ENABLE_USER_TRIGGER` and `CU_COREDUMP_PIPE` are the process's alone.
/// - `value`: receives the setting: a `bool` of 1 byte, the flags of 4 bytes, or text of up to 1024 bytes, its NUL included. NULL to
///   ask for the size.
/// - `size`: bytes at `value`: exactly as many as a `bool` or the flags take; text is cut off. If `value` is NULL, receives how many
///   bytes there are at most.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `attrib` is none of a context, `size` is NULL, or is not that of the setting.
///
/// Manual: Coredump Attributes Control API.
#[entry(since = 12010, needs = nothing)]
pub fn cuCoredumpGetAttribute(attrib: CUcoredumpSettings, value: *mut c_void, size: InOut<usize>) -> Result<()> {
    let attribute = known(attrib, size)?;
    device::initialized().and_then(|()| device::require_context())?;
    let context = context::current()?;
    of_context(attribute)?;
    let settings = context.settings.lock().core.clone();
    get(&settings, attribute, value, size)
}

/// Reads a core dump setting of the process.
///
/// Contexts begin with these settings. They can be asked for before `cuInit`.
///
/// - `attrib`: which setting.
/// - `value`: receives the setting, as by `cuCoredumpGetAttribute`.
/// - `size`: bytes at `value`, as by `cuCoredumpGetAttribute`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `attrib` is unknown, `size` is NULL, or is not that of the setting.
///
/// Manual: Coredump Attributes Control API.
#[entry(since = 12010, needs = nothing)]
pub fn cuCoredumpGetAttributeGlobal(attrib: CUcoredumpSettings, value: *mut c_void, size: InOut<usize>) -> Result<()> {
    let attribute = known(attrib, size)?;
    let settings = core_dump::process().lock().clone();
    get(&settings, attribute, value, size)
}

/// Changes a core dump setting of the current context.
///
/// - `attrib`: which setting: `CU_COREDUMP_ENABLE_USER_TRIGGER` and `CU_COREDUMP_PIPE` are the process's alone. What the environment
///   has switched on stays on.
/// - `value`: the setting: a `bool` of 1 byte, the flags of 4 bytes, or text, in which `%h`, `%p` and `%t` become the host's name,
///   the process's number and the time of the dump. NULL to ask for the size. Kernels of modules that are loaded while dumps
///   are switched on are built for them; of others some registers are not known.
/// - `size`: bytes at `value`, for text at most 1024. If `value` is NULL, receives how many bytes there are at most.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `attrib` is none of a context, `size` is NULL, or is not that of the setting.
///
/// Manual: Coredump Attributes Control API.
#[entry(since = 12010, needs = nothing)]
pub fn cuCoredumpSetAttribute(attrib: CUcoredumpSettings, value: *mut c_void, size: InOut<usize>) -> Result<()> {
    let attribute = known(attrib, size)?;
    device::initialized().and_then(|()| device::require_context())?;
    let context = context::current()?;
    of_context(attribute)?;
    let mut changed = context.settings.lock().core.clone();
    set(&mut changed, attribute, value, size, false)?;
    context.settings.lock().core = changed;
    Ok(())
}

/// Changes a core dump setting of the process, for contexts that are created from now on.
///
/// - `attrib`: which setting.
/// - `value`: the setting, as by `cuCoredumpSetAttribute`; but words with `%` in text are replaced at once, and its NUL ends it,
///   whatever `size` says.
/// - `size`: bytes at `value`, as by `cuCoredumpSetAttribute`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `attrib` is unknown, `size` is NULL, or is not that of the setting; and for
/// `CU_COREDUMP_ENABLE_USER_TRIGGER` once there is the pipe.
///
/// Manual: Coredump Attributes Control API.
#[entry(since = 12010, needs = nothing)]
pub fn cuCoredumpSetAttributeGlobal(attrib: CUcoredumpSettings, value: *mut c_void, size: InOut<usize>) -> Result<()> {
    let attribute = known(attrib, size)?;
    refuse_if!(
        Error::INVALID_VALUE,
        attribute == core_dump::Attribute::User && !value.is_null() && core_dump::has_pipe(),
        "attrib: the pipe for dumps that the user asks for is there already"
    );
    let mut changed = core_dump::process().lock().clone();
    set(&mut changed, attribute, value, size, true)?;
    *core_dump::process().lock() = changed;
    Ok(())
}

/// A setting, and that there is a size: what is looked at first.
fn known(attrib: CUcoredumpSettings, size: InOut<usize>) -> Result<core_dump::Attribute> {
    let attribute = core_dump::Attribute::of(attrib.0)
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "attrib {} is not a CUcoredumpSettings", attrib.0))?;
    refuse_if!(Error::INVALID_VALUE, size.is_null(), "size is NULL");
    Ok(attribute)
}

fn of_context(attribute: core_dump::Attribute) -> Result<()> {
    use core_dump::Attribute::{Pipe, User};
    refuse_if!(
        Error::INVALID_VALUE,
        matches!(attribute, User | Pipe),
        "attrib is a setting of the process, not of a context"
    );
    Ok(())
}

fn register(
    moment: Moment,
    callback: CUcoredumpStatusCallback,
    data: *mut c_void,
    out: Out<CUcoredumpCallbackHandle>,
) -> Result<()> {
    let function = callback.ok_or_else(|| refuse!(Error::INVALID_VALUE, "callback is NULL"))?;
    out.check()?;
    out.set(CUcoredumpCallbackHandle(core_dump::register(moment, function, data)))
}

/// Registers a callback for the start of a core dump.
///
/// It is called in the thread that writes the dump, before it does: with the number of this process and the device. Driver calls
/// inside it are refused with `CUDA_ERROR_NOT_PERMITTED`: the kernel waits for it.
///
/// - `callback`: what is called.
/// - `userData`: its argument.
/// - `callbackOut`: receives a handle to withdraw it by.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `callback` or `callbackOut` is NULL.
///
/// Manual: Coredump Attributes Control API.
#[entry(since = 13020, needs = nothing)]
pub fn cuCoredumpRegisterStartCallback(
    callback: CUcoredumpStatusCallback,
    userData: *mut c_void,
    callbackOut: Out<CUcoredumpCallbackHandle>,
) -> Result<()> {
    register(Moment::Start, callback, userData, callbackOut)
}

/// Registers a callback for the end of a core dump.
///
/// It is called in the thread that wrote the dump, before the process ends: with the number of this process and the device.
/// Driver calls inside it are refused with `CUDA_ERROR_NOT_PERMITTED`: the kernel waits for it.
///
/// - `callback`: what is called.
/// - `userData`: its argument.
/// - `callbackOut`: receives a handle to withdraw it by.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `callback` or `callbackOut` is NULL.
///
/// Manual: Coredump Attributes Control API.
#[entry(since = 13020, needs = nothing)]
pub fn cuCoredumpRegisterCompleteCallback(
    callback: CUcoredumpStatusCallback,
    userData: *mut c_void,
    callbackOut: Out<CUcoredumpCallbackHandle>,
) -> Result<()> {
    register(Moment::End, callback, userData, callbackOut)
}

/// Withdraws a callback for the start of core dumps.
///
/// - `callback`: handle of the callback.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if it is not that of a registered callback for the start.
///
/// Manual: Coredump Attributes Control API.
#[entry(since = 13020, needs = nothing)]
pub fn cuCoredumpDeregisterStartCallback(callback: CUcoredumpCallbackHandle) -> Result<()> {
    core_dump::deregister(Moment::Start, callback.0)
}

/// Withdraws a callback for the end of core dumps.
///
/// - `callback`: handle of the callback.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if it is not that of a registered callback for the end.
///
/// Manual: Coredump Attributes Control API.
#[entry(since = 13020, needs = nothing)]
pub fn cuCoredumpDeregisterCompleteCallback(callback: CUcoredumpCallbackHandle) -> Result<()> {
    core_dump::deregister(Moment::End, callback.0)
}
