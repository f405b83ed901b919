//! Error Log Management Functions.

#![allow(non_snake_case)]

use super::ptr::{In, InOut, Out};
use super::types::{CUlogIterator, CUlogsCallback, CUlogsCallbackHandle};
use api_macro::entry;
use core::ffi::{c_char, c_uint, c_void};
use error::Result;

/// Registers a callback for error log messages.
///
/// - `callbackFunc`: the function to be called with each message.
/// - `userData`: passed to the function.
/// - `callback_out`: receives the handle of the registration.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Error Log Management Functions.
#[entry(since = 12090, needs = nothing)]
pub fn cuLogsRegisterCallback(
    callbackFunc: CUlogsCallback,
    userData: *mut c_void,
    callback_out: Out<CUlogsCallbackHandle>,
) -> Result<()>;

/// Withdraws a callback for error log messages.
///
/// - `callback`: handle of the registration.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Error Log Management Functions.
#[entry(since = 12090, needs = nothing)]
pub fn cuLogsUnregisterCallback(callback: CUlogsCallbackHandle) -> Result<()>;

/// Marks the present end of the error log.
///
/// - `iterator_out`: receives the mark.
/// - `flags`: 0.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Error Log Management Functions.
#[entry(since = 12090, needs = nothing)]
pub fn cuLogsCurrent(iterator_out: Out<CUlogIterator>, flags: c_uint) -> Result<()>;

/// Appends the error log from a mark on to a file.
///
/// - `iterator`: the mark from which on to read; receives the new end of the log.
/// - `pathToFile`: path of the file, ends in NUL.
/// - `flags`: 0.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Error Log Management Functions.
#[entry(since = 12090, needs = nothing)]
pub fn cuLogsDumpToFile(iterator: InOut<CUlogIterator>, pathToFile: In<c_char>, flags: c_uint) -> Result<()>;

/// Copies the error log from a mark on into a buffer.
///
/// - `iterator`: the mark from which on to read; receives the new end of the log.
/// - `buffer`: receives the text.
/// - `size`: size of the buffer in bytes; receives the number of bytes written.
/// - `flags`: 0.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Error Log Management Functions.
#[entry(since = 12090, needs = nothing)]
pub fn cuLogsDumpToMemory(
    iterator: InOut<CUlogIterator>,
    buffer: Out<c_char>,
    size: InOut<usize>,
    flags: c_uint,
) -> Result<()>;
