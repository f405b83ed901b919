//! Error Log Management Functions.
//!
//! For each refused call the log has a message that says why, and one with the answer. It holds 25,600 bytes; old messages give
//! way. `CUDA_LOG_FILE` (`stdout`, `stderr` or a path) has them written as they come.

#![allow(non_snake_case)]

use super::ptr::{In, InOut, Out};
use super::types::{CUlogIterator, CUlogLevel, CUlogsCallback, CUlogsCallbackHandle};
use api_macro::entry;
use core::ffi::{c_char, c_uint, c_void};
use device::base::error_log::{self, Messages};
use error::{Error, Result, refuse, refuse_if};
use std::ffi::OsString;
use std::io::Write;
use std::os::unix::ffi::OsStringExt;

/// Registers a callback for error log messages.
///
/// It is called in the thread whose call is refused, before that call returns, with the message without time and thread. It may
/// call the driver; what is refused there is logged, but no callback hears of it. The same function can be registered
/// more than once.
///
/// - `callbackFunc`: the function to be called with each message.
/// - `userData`: passed to the function.
/// - `callback_out`: receives the handle of the registration; optional.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `callbackFunc` is NULL.
///
/// Manual: Error Log Management Functions.
#[entry(since = 12090, needs = nothing)]
pub fn cuLogsRegisterCallback(
    callbackFunc: CUlogsCallback,
    userData: *mut c_void,
    callback_out: Out<CUlogsCallbackHandle>,
) -> Result<()> {
    let function = callbackFunc.ok_or_else(|| refuse!(Error::INVALID_VALUE, "callbackFunc is NULL"))?;
    if !callback_out.is_null() {
        callback_out.check()?;
    }
    type Given = unsafe extern "C" fn(*mut c_void, CUlogLevel, *mut c_char, usize);
    // SAFETY: the level is an `int` in C.
    let function = unsafe { core::mem::transmute::<Given, error_log::Callback>(function) };
    callback_out.set_opt(CUlogsCallbackHandle(error_log::register(function, userData)?.handle))
}

/// Withdraws a callback for error log messages.
///
/// Another thread may still be in it.
///
/// - `callback`: handle of the registration.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if the handle is not, or no longer, that of a registration.
///
/// Manual: Error Log Management Functions.
#[entry(since = 12090, needs = nothing)]
pub fn cuLogsUnregisterCallback(callback: CUlogsCallbackHandle) -> Result<()> {
    error_log::unregister(callback.0)
}

/// Marks the present end of the error log.
///
/// - `iterator_out`: receives the mark, the number of the message that comes next.
/// - `flags`: ignored, as by the real driver.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `iterator_out` is NULL.
///
/// Manual: Error Log Management Functions.
#[entry(since = 12090, needs = nothing)]
pub fn cuLogsCurrent(iterator_out: Out<CUlogIterator>, flags: c_uint) -> Result<()> {
    let _ = flags;
    iterator_out.set(error_log::current())
}

/// Writes the error log from a mark on into a file, in place of what is there.
///
/// - `iterator`: the mark from which on to read; receives the new end of the log. NULL: all messages that are kept.
/// - `pathToFile`: path of the file, ends in NUL.
/// - `flags`: ignored, as by the real driver.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if the path is NULL or cannot be written, or the mark is beyond the end of the log.
///
/// Manual: Error Log Management Functions.
#[entry(since = 12090, needs = nothing)]
pub fn cuLogsDumpToFile(iterator: InOut<CUlogIterator>, pathToFile: In<c_char>, flags: c_uint) -> Result<()> {
    let _ = flags;
    let from = if iterator.is_null() { None } else { Some(iterator.get()?) };
    let path = OsString::from_vec(pathToFile.string(4096)?);
    let unwritable = |why| refuse!(Error::INVALID_VALUE, "pathToFile cannot be written: {}", why);
    // The real driver empties the file before it looks at the mark.
    let mut file = std::fs::File::create(&path).map_err(unwritable)?;
    let messages = error_log::read(from, usize::MAX)?;
    file.write_all(&messages.text).map_err(unwritable)?;
    if iterator.is_null() { Ok(()) } else { iterator.set(messages.next) }
}

/// Copies the error log from a mark on into a buffer: whole messages, each with a newline, and a NUL at the end.
///
/// Of more messages than there is room for the newest are copied, behind a line that says so. (The real driver writes that line
/// beyond the end of the buffer.)
///
/// - `iterator`: the mark from which on to read; receives the end of the log. NULL: all messages that are kept.
/// - `buffer`: receives the text. Untouched when there are no messages.
/// - `size`: size of the buffer in bytes; receives the number of bytes written, without the NUL.
/// - `flags`: ignored, as by the real driver.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `buffer` or `size` is NULL; if the mark is beyond the end of the log, or there is no room
/// for one message: then `size` receives 0.
///
/// Manual: Error Log Management Functions.
#[entry(since = 12090, needs = nothing)]
pub fn cuLogsDumpToMemory(
    iterator: InOut<CUlogIterator>,
    buffer: Out<c_char>,
    size: InOut<usize>,
    flags: c_uint,
) -> Result<()> {
    let _ = flags;
    let from = if iterator.is_null() { None } else { Some(iterator.get()?) };
    buffer.check()?;
    let room = size.get()?;
    let messages = error_log::read(from, room.saturating_sub(1)).and_then(|messages| {
        refuse_if!(Error::INVALID_VALUE, messages.refused, "size {} has no room for one message", room);
        Ok(messages)
    });
    let Messages { mut text, next, .. } = match messages {
        Ok(messages) if !messages.text.is_empty() => messages,
        nothing => {
            size.set(0)?;
            return nothing.map(drop);
        }
    };
    let bytes = text.len();
    text.push(0);
    buffer.set_bytes(&text)?;
    size.set(bytes)?;
    if iterator.is_null() { Ok(()) } else { iterator.set(next) }
}
