//! CUDA Checkpointing.
//!
//! A process can ask for itself and for others of the same user. Device memory is memory of the host here: a checkpoint leaves it where it is,
//! and gives the process's share of the devices back.

#![allow(non_snake_case)]

use super::ptr::{InMut, Out};
use super::types::{
    CUcheckpointCheckpointArgs, CUcheckpointGpuPair, CUcheckpointLockArgs, CUcheckpointOperationHandle,
    CUcheckpointRestoreArgs, CUcheckpointUnlockArgs, CUprocessState, CUuuid,
};
use api_macro::entry;
use core::ffi::c_int;
use device::checkpoint::{self, Operation};
use error::{Error, Result, refuse, refuse_if};

fn check_reserved(zero: bool) -> Result<()> {
    refuse_if!(Error::INVALID_VALUE, !zero, "args: a reserved member is not 0");
    Ok(())
}

fn is_device(uuid: &CUuuid) -> bool {
    device::devices().iter().any(|device| device.uuid == uuid.bytes.map(|byte| byte as u8))
}

/// Reports the thread of a process that serves checkpoint requests.
///
/// - `pid`: number of the process.
/// - `tid`: receives the number of the thread.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `tid` is NULL; `CUDA_ERROR_OPERATING_SYSTEM` if there is no process of that number;
/// `CUDA_ERROR_NOT_INITIALIZED` if it has not called `cuInit` or shares nothing (`DOPPEL_NODE=none`).
///
/// Manual: CUDA Checkpointing.
#[entry(since = 12080, needs = nothing)]
pub fn cuCheckpointProcessGetRestoreThreadId(pid: c_int, tid: Out<c_int>) -> Result<()> {
    tid.check()?;
    tid.set(checkpoint::perform(pid, Operation::Thread)? as c_int)
}

/// Reports the checkpoint state of a process.
///
/// - `pid`: number of the process.
/// - `state`: receives the state.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `state` is NULL; `CUDA_ERROR_OPERATING_SYSTEM` if there is no process of that number;
/// `CUDA_ERROR_NOT_INITIALIZED` if it has not called `cuInit` or shares nothing (`DOPPEL_NODE=none`).
///
/// Manual: CUDA Checkpointing.
#[entry(since = 12080, needs = nothing)]
pub fn cuCheckpointProcessGetState(pid: c_int, state: Out<CUprocessState>) -> Result<()> {
    state.check()?;
    state.set(CUprocessState(checkpoint::perform(pid, Operation::State)?))
}

/// Holds back the CUDA calls of a process.
///
/// - `pid`: number of the process.
/// - `args`: how long to wait for that, in milliseconds; NULL for the defaults.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a reserved member of `args` is not 0; `CUDA_ERROR_OPERATING_SYSTEM` if there is no process of that number;
/// `CUDA_ERROR_NOT_INITIALIZED` if it has not called `cuInit` or shares nothing (`DOPPEL_NODE=none`);
/// `CUDA_ERROR_ILLEGAL_STATE` unless the process runs; `CUDA_ERROR_NOT_READY` if its work has not ended in time: then it goes on.
///
/// Manual: CUDA Checkpointing.
#[entry(since = 12080, needs = nothing)]
pub fn cuCheckpointProcessLock(pid: c_int, args: InMut<CUcheckpointLockArgs>) -> Result<()> {
    let mut limit = 0;
    if !args.is_null() {
        let args = args.get()?;
        check_reserved(args.reserved0 == 0 && args.reserved1 == [0; 7])?;
        limit = args.timeoutMs;
    }
    checkpoint::perform(pid, Operation::Lock(limit)).map(drop)
}

/// Moves a locked process's device memory to the host and frees its devices.
///
/// - `pid`: number of the process.
/// - `args`: optional arguments, or NULL.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a reserved member of `args` is not 0, or custom storage is asked for, which driver 580 does not
/// have; `CUDA_ERROR_OPERATING_SYSTEM` if there is no process of that number;
/// `CUDA_ERROR_NOT_INITIALIZED` if it has not called `cuInit` or shares nothing (`DOPPEL_NODE=none`);
/// `CUDA_ERROR_ILLEGAL_STATE` unless the process is locked.
///
/// Manual: CUDA Checkpointing.
#[entry(since = 12080, needs = nothing)]
pub fn cuCheckpointProcessCheckpoint(pid: c_int, args: InMut<CUcheckpointCheckpointArgs>) -> Result<()> {
    if !args.is_null() {
        let args = args.get()?;
        check_reserved(args.reserved == [0; 56])?;
        refuse_if!(
            Error::INVALID_VALUE,
            !args.customStorageInfo_out.is_null(),
            "args: there is no custom storage here"
        );
    }
    checkpoint::perform(pid, Operation::Checkpoint).map(drop)
}

/// Brings a checkpointed process back onto devices.
///
/// - `pid`: number of the process.
/// - `args`: which devices stand for which, or NULL.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a reserved member of `args` is not 0, or a device is to become another one; `CUDA_ERROR_OPERATING_SYSTEM` if there is no process of that number;
/// `CUDA_ERROR_NOT_INITIALIZED` if it has not called `cuInit` or shares nothing (`DOPPEL_NODE=none`);
/// `CUDA_ERROR_ILLEGAL_STATE` unless the process is checkpointed; `CUDA_ERROR_OUT_OF_MEMORY` if others have its memory by now.
///
/// Manual: CUDA Checkpointing.
#[entry(since = 12080, needs = nothing)]
pub fn cuCheckpointProcessRestore(pid: c_int, args: InMut<CUcheckpointRestoreArgs>) -> Result<()> {
    if !args.is_null() {
        let args = args.get()?;
        check_reserved(args.padding0 == 0 && args.reserved == [0; 40])?;
        refuse_if!(
            Error::INVALID_VALUE,
            !args.customStorageInfo_out.is_null(),
            "args: there is no custom storage here"
        );
        let same = |pair: &CUcheckpointGpuPair| pair.oldUuid.bytes == pair.newUuid.bytes && is_device(&pair.oldUuid);
        let pairs = args.gpuPairsCount as usize;
        refuse_if!(
            Error::INVALID_VALUE,
            args.gpuPairs.is_null() != (pairs == 0),
            "args: gpuPairs and their number do not agree"
        );
        let pairs = InMut(args.gpuPairs).slice(pairs)?;
        refuse_if!(
            Error::INVALID_VALUE,
            !pairs.iter().all(same),
            "args: gpuPairs names a device that is not here, or another one"
        );
    }
    checkpoint::perform(pid, Operation::Restore).map(drop)
}

/// Ends a checkpoint operation with custom storage.
///
/// - `handle`: the operation.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE`: there are no such operations.
///
/// Manual: CUDA Checkpointing.
#[entry(since = 13040, needs = nothing, status = "refused: there is no custom storage (by the manual; newer than driver 580)")]
pub fn cuCheckpointOperationComplete(handle: CUcheckpointOperationHandle) -> Result<()> {
    Err(refuse!(Error::INVALID_VALUE, "handle {:?} is not an operation: there is no custom storage here", handle.0))
}

/// Lets a process go on with its CUDA calls.
///
/// - `pid`: number of the process.
/// - `args`: optional arguments, or NULL.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a reserved member of `args` is not 0; `CUDA_ERROR_OPERATING_SYSTEM` if there is no process of that number;
/// `CUDA_ERROR_NOT_INITIALIZED` if it has not called `cuInit` or shares nothing (`DOPPEL_NODE=none`);
/// `CUDA_ERROR_ILLEGAL_STATE` unless the process is locked.
///
/// Manual: CUDA Checkpointing.
#[entry(since = 12080, needs = nothing)]
pub fn cuCheckpointProcessUnlock(pid: c_int, args: InMut<CUcheckpointUnlockArgs>) -> Result<()> {
    if !args.is_null() {
        check_reserved(args.get()?.reserved == [0; 8])?;
    }
    checkpoint::perform(pid, Operation::Unlock).map(drop)
}
