//! CUDA Checkpointing.

#![allow(non_snake_case)]

use super::ptr::{InMut, Out};
use super::types::{
    CUcheckpointCheckpointArgs, CUcheckpointLockArgs, CUcheckpointOperationHandle, CUcheckpointRestoreArgs,
    CUcheckpointUnlockArgs, CUprocessState,
};
use api_macro::entry;
use core::ffi::c_int;
use error::Result;

/// Reports the thread of a process that serves checkpoint requests.
///
/// - `pid`: number of the process.
/// - `tid`: receives the number of the thread.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: CUDA Checkpointing.
#[entry(since = 12080, needs = init)]
pub fn cuCheckpointProcessGetRestoreThreadId(pid: c_int, tid: Out<c_int>) -> Result<()>;

/// Reports the checkpoint state of a process.
///
/// - `pid`: number of the process.
/// - `state`: receives the state.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: CUDA Checkpointing.
#[entry(since = 12080, needs = init)]
pub fn cuCheckpointProcessGetState(pid: c_int, state: Out<CUprocessState>) -> Result<()>;

/// Holds back the CUDA calls of a process.
///
/// - `pid`: number of the process.
/// - `args`: how long to wait for that, in milliseconds; NULL for the defaults.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: CUDA Checkpointing.
#[entry(since = 12080, needs = init)]
pub fn cuCheckpointProcessLock(pid: c_int, args: InMut<CUcheckpointLockArgs>) -> Result<()>;

/// Moves a locked process's device memory to the host and frees its devices.
///
/// - `pid`: number of the process.
/// - `args`: optional arguments, or NULL.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: CUDA Checkpointing.
#[entry(since = 12080, needs = init)]
pub fn cuCheckpointProcessCheckpoint(pid: c_int, args: InMut<CUcheckpointCheckpointArgs>) -> Result<()>;

/// Brings a checkpointed process back onto devices.
///
/// - `pid`: number of the process.
/// - `args`: which devices stand for which, or NULL.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: CUDA Checkpointing.
#[entry(since = 12080, needs = init)]
pub fn cuCheckpointProcessRestore(pid: c_int, args: InMut<CUcheckpointRestoreArgs>) -> Result<()>;

/// Ends a checkpoint operation with custom storage.
///
/// - `handle`: the operation.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: CUDA Checkpointing.
#[entry(since = 13040, needs = init)]
pub fn cuCheckpointOperationComplete(handle: CUcheckpointOperationHandle) -> Result<()>;

/// Lets a process go on with its CUDA calls.
///
/// - `pid`: number of the process.
/// - `args`: optional arguments, or NULL.
///
/// Not implemented: `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: CUDA Checkpointing.
#[entry(since = 12080, needs = init)]
pub fn cuCheckpointProcessUnlock(pid: c_int, args: InMut<CUcheckpointUnlockArgs>) -> Result<()>;
