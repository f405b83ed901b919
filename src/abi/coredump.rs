//! Coredump Attributes Control API.

#![allow(non_snake_case)]

use super::ptr::{InOut, Out};
use super::types::{CUcoredumpCallbackHandle, CUcoredumpSettings, CUcoredumpStatusCallback};
use api_macro::entry;
use core::ffi::c_void;
use error::Result;

/// Reads a core dump setting of the current context.
///
/// - `attrib`: which setting.
/// - `value`: receives the setting: a `bool`, a number or text.
/// - `size`: bytes at `value`; receives how many it takes.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Coredump Attributes Control API.
#[entry(since = 12010)]
pub fn cuCoredumpGetAttribute(attrib: CUcoredumpSettings, value: *mut c_void, size: InOut<usize>) -> Result<()>;

/// Reads a core dump setting of the process.
///
/// - `attrib`: which setting.
/// - `value`: receives the setting: a `bool`, a number or text.
/// - `size`: bytes at `value`; receives how many it takes.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Coredump Attributes Control API.
#[entry(since = 12010, needs = nothing)]
pub fn cuCoredumpGetAttributeGlobal(attrib: CUcoredumpSettings, value: *mut c_void, size: InOut<usize>) -> Result<()>;

/// Changes a core dump setting of the current context.
///
/// - `attrib`: which setting.
/// - `value`: the setting: a `bool`, a number or text.
/// - `size`: bytes at `value`.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Coredump Attributes Control API.
#[entry(since = 12010)]
pub fn cuCoredumpSetAttribute(attrib: CUcoredumpSettings, value: *mut c_void, size: InOut<usize>) -> Result<()>;

/// Changes a core dump setting of the process.
///
/// - `attrib`: which setting.
/// - `value`: the setting: a `bool`, a number or text.
/// - `size`: bytes at `value`.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Coredump Attributes Control API.
#[entry(since = 12010, needs = nothing)]
pub fn cuCoredumpSetAttributeGlobal(attrib: CUcoredumpSettings, value: *mut c_void, size: InOut<usize>) -> Result<()>;

/// Registers a callback for the start of a core dump.
///
/// - `callback`: what is called.
/// - `userData`: its argument.
/// - `callbackOut`: receives a handle to withdraw it by.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Coredump Attributes Control API.
#[entry(since = 13020)]
pub fn cuCoredumpRegisterStartCallback(
    callback: CUcoredumpStatusCallback,
    userData: *mut c_void,
    callbackOut: Out<CUcoredumpCallbackHandle>,
) -> Result<()>;

/// Registers a callback for the end of a core dump.
///
/// - `callback`: what is called.
/// - `userData`: its argument.
/// - `callbackOut`: receives a handle to withdraw it by.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Coredump Attributes Control API.
#[entry(since = 13020)]
pub fn cuCoredumpRegisterCompleteCallback(
    callback: CUcoredumpStatusCallback,
    userData: *mut c_void,
    callbackOut: Out<CUcoredumpCallbackHandle>,
) -> Result<()>;

/// Withdraws a callback for the start of core dumps.
///
/// - `callback`: handle of the callback.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Coredump Attributes Control API.
#[entry(since = 13020)]
pub fn cuCoredumpDeregisterStartCallback(callback: CUcoredumpCallbackHandle) -> Result<()>;

/// Withdraws a callback for the end of core dumps.
///
/// - `callback`: handle of the callback.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Coredump Attributes Control API.
#[entry(since = 13020)]
pub fn cuCoredumpDeregisterCompleteCallback(callback: CUcoredumpCallbackHandle) -> Result<()>;
