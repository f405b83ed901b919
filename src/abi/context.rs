//! Context Management.

#![allow(non_snake_case)]

use super::ptr::{InMut, Out};
use super::types::*;
use api_macro::entry;
use core::ffi::{c_int, c_uint, c_ulonglong};
use device::base::attribute::DeviceAttribute;
use device::device;
use device::stream::capture;
use device::stream::context;
use device::stream::context::{Context, Current, flag};
use device::stream::event::Event;
use error::{Error, Result, refuse, refuse_if};

fn create(pctx: Out<CUcontext>, flags: c_uint, dev: CUdevice, api_version: u32) -> Result<()> {
    pctx.check()?;
    let device = device(dev)?;
    refuse_if!(
        Error::INVALID_VALUE,
        !flag::valid(flags),
        "flags {:#x} has unknown bits, or two ways of scheduling",
        flags
    );
    let context = Context::create(device, flags, api_version)?;
    pctx.set(CUcontext(context.handle)).inspect_err(|_| context.end())?;
    context::push(context);
    Ok(())
}

/// Refuses execution affinity: emulated devices cannot be partitioned.
fn refuse_affinity(parameters: InMut<CUexecAffinityParam>, count: c_int) -> Result<()> {
    match count {
        0 => Ok(()),
        1.. if !parameters.is_null() => {
            Err(refuse!(Error::UNSUPPORTED_EXEC_AFFINITY, "paramsArray: the device supports no execution affinity"))
        }
        _ => Err(refuse!(Error::INVALID_VALUE, "numParams {} does not go with paramsArray", count)),
    }
}

/// Creates a context with optional parameters and makes it current to the calling thread.
///
/// - `pctx`: receives the context.
/// - `ctxCreateParams`: execution affinity, or sharing with a graphics API; neither exists here. NULL or all zero for
///   none.
/// - `flags`: `CU_CTX_*` bits, with at most one way of waiting.
/// - `dev`: the device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pctx` is NULL, for unknown `flags` or several ways of waiting, for sharing of an unknown
/// kind or with nothing, and for a number of affinity parameters that is negative or comes with NULL;
/// `CUDA_ERROR_NOT_SUPPORTED` for other sharing; `CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY` for affinity without sharing;
/// `CUDA_ERROR_INVALID_DEVICE` if there is no such device; the asynchronous error of another context of the device.
///
/// Manual: Context Management.
#[entry(since = 12050, needs = init, flags = CUctx_flags)]
pub fn cuCtxCreate_v4(
    pctx: Out<CUcontext>,
    ctxCreateParams: InMut<CUctxCreateParams>,
    flags: c_uint,
    dev: CUdevice,
) -> Result<()> {
    pctx.check()?;
    if !ctxCreateParams.is_null() {
        let parameters = ctxCreateParams.get()?;
        if !parameters.cigParams.is_null() {
            let sharing = InMut(parameters.cigParams).get()?;
            let known = match sharing.sharedDataType {
                CIG_DATA_TYPE_D3D12_COMMAND_QUEUE => true,
                CIG_DATA_TYPE_NV_BLOB => !sharing.sharedData.is_null(),
                _ => false,
            };
            return Err(refuse!(
                if known { Error::NOT_SUPPORTED } else { Error::INVALID_VALUE },
                "ctxCreateParams: cigParams is not NULL, and there is no graphics API to share with"
            ));
        }
        device(dev)?;
        refuse_affinity(InMut(parameters.execAffinityParams), parameters.numExecAffinityParams)?;
    }
    create(pctx, flags, dev, context::API_VERSION)
}

/// Creates a context with execution affinity and makes it current to the calling thread.
///
/// With `numParams` 0 as [`cuCtxCreate_v2`]; affinity is refused.
///
/// - `pctx`: receives the context.
/// - `paramsArray`: `numParams` kinds of affinity; NULL for none.
/// - `numParams`: their number.
/// - `flags`: `CU_CTX_*` bits, with at most one way of waiting.
/// - `dev`: the device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pctx` is NULL, for unknown `flags` or several ways of waiting, and if
/// `numParams` is negative, or positive with `paramsArray` NULL; `CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY` for any
/// parameter; `CUDA_ERROR_INVALID_DEVICE` if there is no such device; the asynchronous error of another context of the
/// device.
///
/// Manual: Context Management.
#[entry(since = 11040, needs = init, flags = CUctx_flags)]
pub fn cuCtxCreate_v3(
    pctx: Out<CUcontext>,
    paramsArray: InMut<CUexecAffinityParam>,
    numParams: c_int,
    flags: c_uint,
    dev: CUdevice,
) -> Result<()> {
    pctx.check()?;
    device(dev)?;
    refuse_affinity(paramsArray, numParams)?;
    create(pctx, flags, dev, context::API_VERSION)
}

/// Creates a context and makes it current to the calling thread.
///
/// - `pctx`: receives the context.
/// - `flags`: `CU_CTX_*` bits, with at most one way of waiting.
/// - `dev`: the device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pctx` is NULL, for unknown `flags` or several ways of waiting;
/// `CUDA_ERROR_INVALID_DEVICE` if there is no such device; the asynchronous error of another context of the device.
///
/// Manual: Context Management.
#[entry(since = 3020, needs = init, flags = CUctx_flags)]
pub fn cuCtxCreate_v2(pctx: Out<CUcontext>, flags: c_uint, dev: CUdevice) -> Result<()> {
    create(pctx, flags, dev, context::API_VERSION)
}

/// Creates a context of the 32-bit first generation and makes it current to the calling thread.
///
/// Functions for memory with 64-bit addresses refuse it (`CUDA_ERROR_INVALID_CONTEXT`).
///
/// - `pctx`: receives the context.
/// - `flags`: `CU_CTX_*` bits, with at most one way of waiting.
/// - `dev`: the device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pctx` is NULL, for unknown `flags` or several ways of waiting;
/// `CUDA_ERROR_INVALID_DEVICE` if there is no such device; the asynchronous error of another context of the device.
///
/// Manual: none, first generation.
#[entry(since = 2000, needs = init, flags = CUctx_flags)]
pub fn cuCtxCreate(pctx: Out<CUcontext>, flags: c_uint, dev: CUdevice) -> Result<()> {
    create(pctx, flags, dev, context::FIRST_GENERATION)
}

/// Destroys a context, whichever threads have it current.
///
/// Waits for its work. It is popped if it is on top of the caller's stack; elsewhere on stacks it stays, as a destroyed
/// context.
///
/// - `ctx`: the context; not a primary one.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` for NULL, even before `cuInit`; `CUDA_ERROR_INVALID_CONTEXT` for a primary
/// context and for what is no context; `CUDA_ERROR_CONTEXT_IS_DESTROYED` the second time.
///
/// Manual: Context Management.
#[entry(since = 4000, needs = nothing)]
pub fn cuCtxDestroy_v2(ctx: CUcontext) -> Result<()> {
    destroy(ctx)
}

/// Destroys a context, with the rules of before CUDA 4.
///
/// As [`cuCtxDestroy_v2`]: there is no difference here.
///
/// - `ctx`: the context; not a primary one.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` for NULL, even before `cuInit`; `CUDA_ERROR_INVALID_CONTEXT` for a primary
/// context and for what is no context; `CUDA_ERROR_CONTEXT_IS_DESTROYED` the second time.
///
/// Manual: Context Management.
#[entry(since = 2000, needs = nothing)]
pub fn cuCtxDestroy(ctx: CUcontext) -> Result<()> {
    destroy(ctx)
}

fn destroy(ctx: CUcontext) -> Result<()> {
    refuse_if!(Error::INVALID_VALUE, ctx.is_null(), "ctx is NULL");
    device::initialized()?;
    let context = Context::find(ctx.0)?;
    refuse_if!(
        Error::INVALID_CONTEXT,
        context.primary,
        "ctx {:#x} is a primary context, which is released and not destroyed",
        ctx.0
    );
    context.end();
    Ok(())
}

fn push(ctx: CUcontext) -> Result<()> {
    refuse_if!(Error::INVALID_VALUE, ctx.is_null(), "ctx is NULL");
    context::push(Current::find(ctx.0)?);
    Ok(())
}

/// Puts a context on top of the calling thread's stack.
///
/// - `ctx`: the context.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` for NULL; `CUDA_ERROR_INVALID_CONTEXT` if it is no context,
/// `CUDA_ERROR_CONTEXT_IS_DESTROYED` if it was destroyed.
///
/// Manual: Context Management.
#[entry(since = 4000, needs = init)]
pub fn cuCtxPushCurrent_v2(ctx: CUcontext) -> Result<()> {
    push(ctx)
}

/// Puts a context on top of the calling thread's stack, with the rules of before CUDA 4.
///
/// One such rule was that it must not be current elsewhere; it is not applied here.
///
/// - `ctx`: the context.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` for NULL; `CUDA_ERROR_INVALID_CONTEXT` if it is no context,
/// `CUDA_ERROR_CONTEXT_IS_DESTROYED` if it was destroyed.
///
/// Manual: Context Management.
#[entry(since = 2000, needs = init)]
pub fn cuCtxPushCurrent(ctx: CUcontext) -> Result<()> {
    push(ctx)
}

fn pop(pctx: Out<CUcontext>) -> Result<()> {
    let context =
        context::pop().ok_or_else(|| refuse!(Error::INVALID_CONTEXT, "no context is current on this thread"))?;
    pctx.set_opt(CUcontext(context.handle()))
}

/// Takes the topmost context off the calling thread's stack, destroyed or not.
///
/// - `pctx`: receives it; may be NULL.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` if the stack is empty.
///
/// Manual: Context Management.
#[entry(since = 4000, needs = init)]
pub fn cuCtxPopCurrent_v2(pctx: Out<CUcontext>) -> Result<()> {
    pop(pctx)
}

/// Takes the topmost context off the calling thread's stack, with the rules of before CUDA 4.
///
/// As [`cuCtxPopCurrent_v2`]: there is no difference here.
///
/// - `pctx`: receives it; may be NULL.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` if the stack is empty.
///
/// Manual: Context Management.
#[entry(since = 2000, needs = init)]
pub fn cuCtxPopCurrent(pctx: Out<CUcontext>) -> Result<()> {
    pop(pctx)
}

/// Replaces the top of the calling thread's stack, or pops it when given NULL.
///
/// A primary context that nobody holds can be made current; most functions then answer
/// `CUDA_ERROR_CONTEXT_IS_DESTROYED`, until it is retained.
///
/// - `ctx`: the context, or NULL.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` if it is no context, `CUDA_ERROR_CONTEXT_IS_DESTROYED` if it was destroyed.
///
/// Manual: Context Management.
#[entry(since = 4000, needs = init)]
pub fn cuCtxSetCurrent(ctx: CUcontext) -> Result<()> {
    if ctx.is_null() {
        context::pop();
    } else {
        context::set_top(Current::find(ctx.0)?);
    }
    Ok(())
}

/// Reports the context on top of the calling thread's stack, destroyed or not.
///
/// - `pctx`: receives it; NULL if the stack is empty.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pctx` is NULL.
///
/// Manual: Context Management.
#[entry(since = 4000, needs = init)]
pub fn cuCtxGetCurrent(pctx: Out<CUcontext>) -> Result<()> {
    pctx.set(CUcontext(context::current_name()))
}

/// Reports the device of a context.
///
/// - `device`: receives the device.
/// - `ctx`: the context; NULL for the current one, which may be a destroyed one.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `device` is NULL; `CUDA_ERROR_INVALID_CONTEXT` if `ctx` is no live context, or
/// NULL and the thread has none; `CUDA_ERROR_CONTEXT_IS_DESTROYED` if `ctx` was destroyed.
///
/// Manual: Context Management.
#[entry(since = 13000, needs = init)]
pub fn cuCtxGetDevice_v2(device: Out<CUdevice>, ctx: CUcontext) -> Result<()> {
    device.check()?;
    let context = if ctx.is_null() {
        context::top()
            .ok_or_else(|| refuse!(Error::INVALID_CONTEXT, "ctx is NULL, and no context is current on this thread"))?
    } else {
        Context::find_alive(ctx.0)?
    };
    device.set(context.device.ordinal as CUdevice)
}

/// Reports the device of the current context, which may be a destroyed one.
///
/// - `device`: receives the device.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` if the thread has no current context; `CUDA_ERROR_INVALID_VALUE` if `device` is
/// NULL.
///
/// Manual: Context Management.
#[entry(since = 2000, needs = init)]
pub fn cuCtxGetDevice(device: Out<CUdevice>) -> Result<()> {
    let context =
        context::top().ok_or_else(|| refuse!(Error::INVALID_CONTEXT, "no context is current on this thread"))?;
    device.set(context.device.ordinal as CUdevice)
}

/// Reports the flags of the current context: those with which it was created, and later changes.
///
/// A primary context shows `CU_CTX_MAP_HOST` beside what was asked for. A destroyed context still reports its flags.
///
/// - `flags`: receives the `CU_CTX_*` bits.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` if the thread has no current context; `CUDA_ERROR_INVALID_VALUE` if `flags` is
/// NULL.
///
/// Manual: Context Management.
#[entry(since = 7000, needs = init)]
pub fn cuCtxGetFlags(flags: Out<c_uint>) -> Result<()> {
    // A destroyed context still reports its flags.
    flags.set(
        context::top().ok_or_else(|| refuse!(Error::INVALID_CONTEXT, "no context is current on this thread"))?.flags(),
    )
}

/// Changes the flags of the current context that may change after creation.
///
/// These are the way of waiting, `CU_CTX_LMEM_RESIZE_TO_MAX` and `CU_CTX_SYNC_MEMOPS`.
///
/// - `flags`: `CU_CTX_*` bits, of which the other known ones are ignored.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` if the thread has no current context, `CUDA_ERROR_CONTEXT_IS_DESTROYED` if that
/// was destroyed; `CUDA_ERROR_INVALID_VALUE` for unknown bits or several ways of waiting.
///
/// Manual: Context Management.
#[entry(since = 12010, needs = init, flags = CUctx_flags)]
pub fn cuCtxSetFlags(flags: c_uint) -> Result<()> {
    context::current_any()?.set_flags(flags)
}

/// Reports a number that identifies a context uniquely in this process.
///
/// Later contexts have greater numbers.
///
/// - `ctx`: the context; NULL for the current one.
/// - `ctxId`: receives the number.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` if `ctx` is no live context, or NULL and the thread has none;
/// `CUDA_ERROR_CONTEXT_IS_DESTROYED` if it was destroyed; `CUDA_ERROR_INVALID_VALUE` if `ctxId` is NULL.
///
/// Manual: Context Management.
#[entry(since = 12000, needs = init)]
pub fn cuCtxGetId(ctx: CUcontext, ctxId: Out<c_ulonglong>) -> Result<()> {
    let home = Current::or_current(ctx.0)?;
    ctxId.set(home.share().map_or(home.context.id, |share| share.id))
}

/// Waits until all work of a context is done.
///
/// - `ctx`: the context; NULL for the current one.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` if `ctx` is no live context, or NULL and the thread has none;
/// `CUDA_ERROR_CONTEXT_IS_DESTROYED` if it was destroyed; the context's asynchronous error.
///
/// Manual: Context Management.
#[entry(since = 13000, needs = init)]
pub fn cuCtxSynchronize_v2(ctx: CUcontext) -> Result<()> {
    Current::or_current(ctx.0)?.synchronize()
}

/// Waits until all work of the current context is done.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` if the thread has no current context, `CUDA_ERROR_CONTEXT_IS_DESTROYED` if that
/// was destroyed; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a stream of the context is captured, which invalidates
/// the capture, or while a capture forbids the call; the context's asynchronous error.
///
/// Manual: Context Management.
#[entry(since = 2000, needs = init)]
pub fn cuCtxSynchronize() -> Result<()> {
    context::synchronize()
}

/// Requests a new value for a limit of the current context.
///
/// What takes effect may be another value: a stack is rounded up to 16 bytes, persisting L2 to tenths of the greatest;
/// the `printf` buffer, the heap and the pending launches are also kept between a least and a greatest.
///
/// - `limit`: which one: stack, `printf` buffer, heap and so on, a `CUlimit`.
/// - `value`: bytes; a number of launches for `CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` for an unknown limit, too large a stack, L2 share or fetch granularity, and for
/// the size of the `printf` buffer or the heap once a kernel that uses it was launched; `CUDA_ERROR_UNSUPPORTED_LIMIT`
/// for a limit that the device lacks; `CUDA_ERROR_NOT_PERMITTED` for one that is fixed at creation;
/// `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call.
///
/// Manual: Context Management.
#[entry(since = 3010)]
pub fn cuCtxSetLimit(limit: CUlimit, value: usize) -> Result<()> {
    capture::check_call()?;
    context::current_any()?.set_limit(limit.0, value as u64)
}

/// Reports the value in force for a limit of the current context.
///
/// - `pvalue`: receives the value, in bytes; a number of launches for `CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT`.
/// - `limit`: which one, a `CUlimit`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pvalue` is NULL, and for an unknown limit; `CUDA_ERROR_UNSUPPORTED_LIMIT` for
/// a limit that the device lacks.
///
/// Manual: Context Management.
#[entry(since = 3010)]
pub fn cuCtxGetLimit(pvalue: Out<usize>, limit: CUlimit) -> Result<()> {
    pvalue.check()?;
    pvalue.set(context::current_any()?.limit(limit.0)? as usize)
}

/// Reports whether the current context prefers L1 cache or shared memory.
///
/// - `pconfig`: receives the preference.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pconfig` is NULL.
///
/// Manual: Context Management.
#[entry(since = 3020)]
pub fn cuCtxGetCacheConfig(pconfig: Out<CUfunc_cache>) -> Result<()> {
    pconfig.set(CUfunc_cache(context::current_any()?.settings.lock().cache))
}

/// Sets whether the current context prefers L1 cache or shared memory, where a function says nothing else.
///
/// It has an effect on occupancy and on cooperative launches.
///
/// - `config`: the preference.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` for an unknown preference; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a
/// capture forbids the call.
///
/// Manual: Context Management.
#[entry(since = 3020)]
pub fn cuCtxSetCacheConfig(config: CUfunc_cache) -> Result<()> {
    capture::check_call()?;
    refuse_if!(Error::INVALID_VALUE, config > CU_FUNC_CACHE_PREFER_EQUAL, "config {:?} is not a CUfunc_cache", config);
    context::current_any()?.settings.lock().cache = config.0;
    Ok(())
}

/// Reports the API version with which a context was created.
///
/// - `ctx`: the context; NULL for the current one.
/// - `version`: receives 3010 for the first generation, else 3020.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` if `ctx` is no live context, or NULL and the thread has none;
/// `CUDA_ERROR_CONTEXT_IS_DESTROYED` if it was destroyed; `CUDA_ERROR_INVALID_VALUE` if `version` is NULL.
///
/// Manual: Context Management.
#[entry(since = 3020, needs = init)]
pub fn cuCtxGetApiVersion(ctx: CUcontext, version: Out<c_uint>) -> Result<()> {
    let context = Context::or_current(ctx.0)?;
    version.set(context.api_version)
}

/// Reports the range of stream priorities of the current context's device.
///
/// - `leastPriority`: receives the least urgent one, 0; NULL to leave it out.
/// - `greatestPriority`: receives the most urgent one, -5; NULL to leave it out.
///
/// Errors: none.
///
/// Manual: Context Management.
#[entry(since = 5050)]
pub fn cuCtxGetStreamPriorityRange(leastPriority: Out<c_int>, greatestPriority: Out<c_int>) -> Result<()> {
    leastPriority.set_opt(LEAST_PRIORITY)?;
    greatestPriority.set_opt(GREATEST_PRIORITY)
}

/// The range of stream priorities: lower numbers are more urgent.
pub const LEAST_PRIORITY: c_int = 0;
/// See [`LEAST_PRIORITY`].
pub const GREATEST_PRIORITY: c_int = -5;

/// Returns all persisting lines of the L2 cache to normal.
///
/// The emulated device keeps no lines apart: nothing to do.
///
/// Errors: none.
///
/// Manual: Context Management.
#[entry(since = 11000)]
pub fn cuCtxResetPersistingL2Cache() -> Result<()> {
    Ok(())
}

/// Reports the execution affinity in force for the current context: all multiprocessors.
///
/// - `pExecAffinity`: receives type and number of multiprocessors; for another type only the type.
/// - `type`: what is asked about: `CU_EXEC_AFFINITY_TYPE_SM_COUNT`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pExecAffinity` is NULL; `CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY` for other
/// types.
///
/// Manual: Context Management.
#[entry(since = 11040)]
pub fn cuCtxGetExecAffinity(pExecAffinity: Out<CUexecAffinityParam>, r#type: CUexecAffinityType) -> Result<()> {
    pExecAffinity.check()?;
    if r#type != CU_EXEC_AFFINITY_TYPE_SM_COUNT {
        Out(pExecAffinity.0.cast()).set(r#type)?;
        return Err(refuse!(
            Error::UNSUPPORTED_EXEC_AFFINITY,
            "type {:?}: the device supports no execution affinity of this type",
            r#type
        ));
    }
    let home = Current::or_current(0)?;
    refuse_if!(Error::INVALID_CONTEXT, home.green.is_some(), "the current context is a green one");
    let count = home.context.device.count(DeviceAttribute::MULTIPROCESSOR_COUNT);
    let mut affinity = CUexecAffinityParam { r#type, ..Default::default() };
    affinity.param.smCount.val = count;
    pExecAffinity.set(affinity)
}

/// Records in an event the point after all work that a context has been given so far, on all its streams.
///
/// - `hCtx`: the context; NULL for the current one.
/// - `hEvent`: the event, of that context.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` if `hCtx` is no live context, or NULL and the thread has none;
/// `CUDA_ERROR_CONTEXT_IS_DESTROYED` if it was destroyed; `CUDA_ERROR_INVALID_HANDLE` for an event of another context,
/// and for what is no event; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a stream of the context is captured, which
/// invalidates the capture; the context's asynchronous error.
///
/// Manual: Context Management.
#[entry(since = 12050, needs = init)]
pub fn cuCtxRecordEvent(hCtx: CUcontext, hEvent: CUevent) -> Result<()> {
    let home = Current::or_current(hCtx.0)?;
    home.context.check_error()?;
    let event = Event::find(hEvent.0)?;
    match home.green {
        Some(green) => green.record(&event),
        None => home.context.record(&event),
    }
}

/// Makes all later work of a context wait for an event, on streams that are yet to be created, too.
///
/// An event that was never recorded is not waited for.
///
/// - `hCtx`: the context; NULL for the current one.
/// - `hEvent`: the event.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` if `hCtx` is no live context, or NULL and the thread has none;
/// `CUDA_ERROR_CONTEXT_IS_DESTROYED` if it was destroyed; `CUDA_ERROR_INVALID_HANDLE` for what is no event;
/// `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a stream of the context is captured, which invalidates the capture;
/// the context's asynchronous error.
///
/// Manual: Context Management.
#[entry(since = 12050, needs = init)]
pub fn cuCtxWaitEvent(hCtx: CUcontext, hEvent: CUevent) -> Result<()> {
    let home = Current::or_current(hCtx.0)?;
    home.context.check_error()?;
    let event = Event::find(hEvent.0)?;
    match home.green {
        Some(green) => green.wait(&event),
        None => home.context.wait(&event),
    }
}

/// Adds one to the usage count of the current context.
///
/// - `pctx`: receives the current context.
/// - `flags`: 0.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pctx` is NULL or `flags` is not 0.
///
/// Manual: Context Management (deprecated).
#[entry(since = 2000)]
pub fn cuCtxAttach(pctx: Out<CUcontext>, flags: c_uint) -> Result<()> {
    pctx.check()?;
    refuse_if!(Error::INVALID_VALUE, flags != 0, "flags {:#x} is not 0", flags);
    let context = context::current_any()?;
    pctx.set(CUcontext(context::current_name()))?;
    context.attach();
    Ok(())
}

/// Takes one from the usage count of a context and destroys it at zero.
///
/// Without effect on a primary context.
///
/// - `ctx`: the context, which must be the current one.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` for NULL, for what is no live context, and if it is not the current one;
/// `CUDA_ERROR_CONTEXT_IS_DESTROYED` if it was destroyed.
///
/// Manual: Context Management (deprecated).
#[entry(since = 2000, needs = init)]
pub fn cuCtxDetach(ctx: CUcontext) -> Result<()> {
    refuse_if!(Error::INVALID_CONTEXT, ctx.is_null(), "ctx is NULL");
    let context = Context::find_alive(ctx.0)?;
    refuse_if!(
        Error::INVALID_CONTEXT,
        ctx.0 != context::current_name(),
        "ctx {:#x} is not the current context of this thread",
        ctx.0
    );
    context.detach()
}

/// Reports the shared memory bank width of the current context.
///
/// - `pConfig`: receives `CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE`, always.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pConfig` is NULL.
///
/// Manual: Context Management (deprecated).
#[entry(since = 4020)]
pub fn cuCtxGetSharedMemConfig(pConfig: Out<CUsharedconfig>) -> Result<()> {
    pConfig.set(CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE)
}

/// Sets the shared memory bank width of the current context.
///
/// It is checked and has no effect, as on all devices with one width.
///
/// - `config`: the width, a `CUsharedconfig`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` for an unknown width; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture
/// forbids the call.
///
/// Manual: Context Management (deprecated).
#[entry(since = 4020)]
pub fn cuCtxSetSharedMemConfig(config: CUsharedconfig) -> Result<()> {
    capture::check_call()?;
    if config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE {
        Err(refuse!(Error::INVALID_VALUE, "config {:?} is not a CUsharedconfig", config))
    } else {
        Ok(())
    }
}
