//! Context Management.

#![allow(non_snake_case)]

use super::ptr::{InMut, Out};
use super::types::{
    CUcontext, CUctxCreateParams, CUdevice, CUevent, CUexecAffinityParam, CUexecAffinityType, CUfunc_cache, CUlimit,
    CUsharedconfig,
};
use crate::device::context;
use crate::error::Result;
use api_macro::entry;
use core::ffi::{c_int, c_uint, c_ulonglong};

/// Creates a context with optional parameters and makes it current to the calling thread.
#[entry(since = 12050, needs = init)]
pub fn cuCtxCreate_v4(
    pctx: Out<CUcontext>,
    ctxCreateParams: InMut<CUctxCreateParams>,
    flags: c_uint,
    dev: CUdevice,
) -> Result<()>;

/// Creates a context with execution affinity and makes it current to the calling thread.
#[entry(since = 11040, needs = init)]
pub fn cuCtxCreate_v3(
    pctx: Out<CUcontext>,
    paramsArray: InMut<CUexecAffinityParam>,
    numParams: c_int,
    flags: c_uint,
    dev: CUdevice,
) -> Result<()>;

/// Creates a context and makes it current to the calling thread.
#[entry(since = 3020, needs = init)]
pub fn cuCtxCreate_v2(pctx: Out<CUcontext>, flags: c_uint, dev: CUdevice) -> Result<()>;

/// Creates a context of the 32-bit first generation and makes it current to the calling thread.
#[entry(since = 2000, needs = init)]
pub fn cuCtxCreate(pctx: Out<CUcontext>, flags: c_uint, dev: CUdevice) -> Result<()>;

/// Destroys a context, whichever threads have it current, and pops it if it is on top of the caller's stack.
#[entry(since = 4000, needs = nothing)]
pub fn cuCtxDestroy_v2(ctx: CUcontext) -> Result<()>;

/// Destroys a context that must be current only to the calling thread (the rule of before CUDA 4).
#[entry(since = 2000, needs = nothing)]
pub fn cuCtxDestroy(ctx: CUcontext) -> Result<()>;

/// Puts a context on top of the calling thread's stack.
#[entry(since = 4000, needs = init)]
pub fn cuCtxPushCurrent_v2(ctx: CUcontext) -> Result<()>;

/// Puts a floating context on top of the calling thread's stack (the rule of before CUDA 4).
#[entry(since = 2000, needs = init)]
pub fn cuCtxPushCurrent(ctx: CUcontext) -> Result<()>;

/// Takes the topmost context off the calling thread's stack.
#[entry(since = 4000, needs = init)]
pub fn cuCtxPopCurrent_v2(pctx: Out<CUcontext>) -> Result<()>;

/// Takes the topmost context off the calling thread's stack and leaves it floating (the rule of before CUDA 4).
#[entry(since = 2000, needs = init)]
pub fn cuCtxPopCurrent(pctx: Out<CUcontext>) -> Result<()>;

/// Replaces the top of the calling thread's stack, or pops it when given `NULL`.
#[entry(since = 4000, needs = init)]
pub fn cuCtxSetCurrent(ctx: CUcontext) -> Result<()> {
    if ctx.is_null() {
        context::pop();
    } else {
        context::set_top(context::Context::find(ctx.0)?);
    }
    Ok(())
}

/// Reports the context on top of the calling thread's stack, `NULL` for none.
#[entry(since = 4000, needs = init)]
pub fn cuCtxGetCurrent(pctx: Out<CUcontext>) -> Result<()>;

/// Reports the device of a given context, or of the current one for `NULL`.
#[entry(since = 13000, needs = init)]
pub fn cuCtxGetDevice_v2(device: Out<CUdevice>, ctx: CUcontext) -> Result<()>;

/// Reports the device of the current context.
#[entry(since = 2000, needs = init)]
pub fn cuCtxGetDevice(device: Out<CUdevice>) -> Result<()>;

/// Reports the flags that the current context was created with.
#[entry(since = 7000)]
pub fn cuCtxGetFlags(flags: Out<c_uint>) -> Result<()>;

/// Changes the flags of the current context that may change after creation.
#[entry(since = 12010)]
pub fn cuCtxSetFlags(flags: c_uint) -> Result<()>;

/// Reports a number that identifies a context uniquely in this process.
#[entry(since = 12000, needs = init)]
pub fn cuCtxGetId(ctx: CUcontext, ctxId: Out<c_ulonglong>) -> Result<()>;

/// Waits until all work of a given context is done, or of the current one for `NULL`.
#[entry(since = 13000, needs = init)]
pub fn cuCtxSynchronize_v2(ctx: CUcontext) -> Result<()>;

/// Waits until all work of the current context is done.
#[entry(since = 2000, needs = init)]
pub fn cuCtxSynchronize() -> Result<()> {
    context::current()?.synchronize()
}

/// Requests a new value for a limit of the current context: stack, printf buffer, heap and so on.
#[entry(since = 3010)]
pub fn cuCtxSetLimit(limit: CUlimit, value: usize) -> Result<()>;

/// Reports the value in force for a limit of the current context.
#[entry(since = 3010)]
pub fn cuCtxGetLimit(pvalue: Out<usize>, limit: CUlimit) -> Result<()>;

/// Reports whether the current context prefers L1 cache or shared memory.
#[entry(since = 3020)]
pub fn cuCtxGetCacheConfig(pconfig: Out<CUfunc_cache>) -> Result<()>;

/// Sets whether the current context prefers L1 cache or shared memory.
#[entry(since = 3020)]
pub fn cuCtxSetCacheConfig(config: CUfunc_cache) -> Result<()>;

/// Reports the API version with which a context was created.
#[entry(since = 3020, needs = init)]
pub fn cuCtxGetApiVersion(ctx: CUcontext, version: Out<c_uint>) -> Result<()>;

/// Reports the least and the greatest stream priority of the current context's device.
#[entry(since = 5050)]
pub fn cuCtxGetStreamPriorityRange(leastPriority: Out<c_int>, greatestPriority: Out<c_int>) -> Result<()>;

/// Returns all persisting lines of the L2 cache to normal.
#[entry(since = 11000)]
pub fn cuCtxResetPersistingL2Cache() -> Result<()>;

/// Reports the execution affinity in force for the current context.
#[entry(since = 11040)]
pub fn cuCtxGetExecAffinity(pExecAffinity: Out<CUexecAffinityParam>, r#type: CUexecAffinityType) -> Result<()>;

/// Records in an event all work that a context has been given so far.
#[entry(since = 12050, needs = init)]
pub fn cuCtxRecordEvent(hCtx: CUcontext, hEvent: CUevent) -> Result<()>;

/// Makes all later work of a context wait for an event.
#[entry(since = 12050, needs = init)]
pub fn cuCtxWaitEvent(hCtx: CUcontext, hEvent: CUevent) -> Result<()>;

/// Adds one to the usage count of the current context (deprecated).
#[entry(since = 2000)]
pub fn cuCtxAttach(pctx: Out<CUcontext>, flags: c_uint) -> Result<()>;

/// Takes one from the usage count of a context and destroys it at zero (deprecated).
#[entry(since = 2000, needs = init)]
pub fn cuCtxDetach(ctx: CUcontext) -> Result<()>;

/// Reports the shared memory bank width of the current context (deprecated).
#[entry(since = 4020)]
pub fn cuCtxGetSharedMemConfig(pConfig: Out<CUsharedconfig>) -> Result<()>;

/// Sets the shared memory bank width of the current context (deprecated).
#[entry(since = 4020)]
pub fn cuCtxSetSharedMemConfig(config: CUsharedconfig) -> Result<()>;
