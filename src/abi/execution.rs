//! Execution Control.

#![allow(non_snake_case)]

use super::DefaultStream;
use super::convert::launch::{arguments, host_call};
use super::convert::launch_attribute;
use super::convert::stream::{lookup, with_any};
use super::ptr::{In, InMut, Out};
use super::types::{
    CU_FUNCTION_LOADING_STATE_LOADED, CU_HOST_TASK_SPINWAIT, CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE, CUfunc_cache,
    CUfunction, CUfunction_attribute, CUfunctionLoadingState, CUhostFn, CUlaunchConfig, CUmodule, CUsharedconfig,
    CUstream,
};
use api_macro::entry;
use core::ffi::{c_char, c_int, c_uint, c_void};
use device::kernel::function::Function;
use device::kernel::launch::{LaunchEvents, LaunchRequest};
use device::kernel::settings::FunctionAttribute;
use device::kernel::{launch, library};
use device::stream::Work;
use engine::state::grid::LaunchShape;
use error::{Error, Result, refuse, refuse_if};
use std::sync::Arc;

/// Reads an attribute of a function: registers, shared memory, largest block and so on.
///
/// - `pi`: receives the value, in the attribute's own unit.
/// - `attrib`: the attribute.
/// - `hfunc`: the function.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pi` is NULL, and for an unknown attribute; `CUDA_ERROR_INVALID_HANDLE` if
/// `hfunc` is no function, `CUDA_ERROR_CONTEXT_IS_DESTROYED` if its context is gone; its context's asynchronous error.
///
/// Manual: Execution Control.
#[entry(since = 2020, needs = nothing)]
pub fn cuFuncGetAttribute(pi: Out<c_int>, attrib: CUfunction_attribute, hfunc: CUfunction) -> Result<()> {
    pi.check()?;
    device::initialized_unless(hfunc.is_null(), Error::INVALID_HANDLE)?;
    pi.set(Function::find(hfunc.0)?.attribute(FunctionAttribute(attrib.0))?)
}

/// Changes an attribute of a function, such as its limit of dynamic shared memory.
///
/// - `hfunc`: the function.
/// - `attrib`: the attribute.
/// - `value`: its new value, in the attribute's own unit.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hfunc` is no function, `CUDA_ERROR_CONTEXT_IS_DESTROYED` if its context is
/// gone; its context's asynchronous error; `CUDA_ERROR_INVALID_VALUE` for an attribute that is unknown or cannot be
/// set, and for a value out of its range.
///
/// Manual: Execution Control.
#[entry(since = 9000, needs = init)]
pub fn cuFuncSetAttribute(hfunc: CUfunction, attrib: CUfunction_attribute, value: c_int) -> Result<()> {
    Function::find(hfunc.0)?.set_attribute(FunctionAttribute(attrib.0), value)
}

/// Sets whether a function prefers L1 cache or shared memory.
///
/// - `hfunc`: the function.
/// - `config`: the preference.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hfunc` is no function, `CUDA_ERROR_CONTEXT_IS_DESTROYED` if its context is
/// gone; its context's asynchronous error; `CUDA_ERROR_INVALID_VALUE` for an unknown preference.
///
/// Manual: Execution Control.
#[entry(since = 3000, needs = init)]
pub fn cuFuncSetCacheConfig(hfunc: CUfunction, config: CUfunc_cache) -> Result<()> {
    Function::find(hfunc.0)?.set_cache(config.0)
}

/// Reports the module that a function comes from.
///
/// - `hmod`: receives the module.
/// - `hfunc`: the function.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer or `hfunc` is NULL; `CUDA_ERROR_INVALID_HANDLE` if `hfunc` is no
/// function, `CUDA_ERROR_CONTEXT_IS_DESTROYED` if its context is gone; its context's asynchronous error.
///
/// Manual: Execution Control.
#[entry(since = 11000, needs = init)]
pub fn cuFuncGetModule(hmod: Out<CUmodule>, hfunc: CUfunction) -> Result<()> {
    hmod.check()?;
    hmod.set(CUmodule(given(hfunc)?.module))
}

/// Reports the linkage name of a function.
///
/// - `name`: receives the address of the name, which stays as long as the function.
/// - `hfunc`: the function.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer or `hfunc` is NULL; `CUDA_ERROR_INVALID_HANDLE` if `hfunc` is no
/// function, `CUDA_ERROR_CONTEXT_IS_DESTROYED` if its context is gone; its context's asynchronous error.
///
/// Manual: Execution Control.
#[entry(since = 12030, needs = init)]
pub fn cuFuncGetName(name: Out<*const c_char>, hfunc: CUfunction) -> Result<()> {
    name.check()?;
    name.set(given(hfunc)?.c_name().as_ptr())
}

/// Reports offset and size of one parameter of a function.
///
/// - `func`: the function.
/// - `paramIndex`: number of the parameter, from 0.
/// - `paramOffset`: receives where it begins among the parameters, in bytes.
/// - `paramSize`: receives its size in bytes; may be NULL.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `paramOffset` or `func` is NULL, and if there is no such parameter;
/// `CUDA_ERROR_INVALID_HANDLE` if `func` is no function, `CUDA_ERROR_CONTEXT_IS_DESTROYED` if its context is gone; its
/// context's asynchronous error.
///
/// Manual: Execution Control.
#[entry(since = 12040, needs = init)]
pub fn cuFuncGetParamInfo(
    func: CUfunction,
    paramIndex: usize,
    paramOffset: Out<usize>,
    paramSize: Out<usize>,
) -> Result<()> {
    paramOffset.check()?;
    let (offset, size) = given(func)?.parameter(paramIndex)?;
    paramOffset.set(offset)?;
    paramSize.set_opt(size)
}

/// Counts the parameters of a function.
///
/// - `func`: the function.
/// - `paramCount`: receives the number.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer or `func` is NULL; `CUDA_ERROR_INVALID_HANDLE` if `func` is no
/// function, `CUDA_ERROR_CONTEXT_IS_DESTROYED` if its context is gone; its context's asynchronous error.
///
/// Manual: Execution Control.
#[entry(since = 13020, needs = init)]
pub fn cuFuncGetParamCount(func: CUfunction, paramCount: Out<usize>) -> Result<()> {
    paramCount.check()?;
    paramCount.set(given(func)?.code().parameters.len())
}

/// Tells whether a function has been loaded yet: it always has.
///
/// - `state`: receives `CU_FUNCTION_LOADING_STATE_LOADED`.
/// - `function`: the function.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `state` is NULL; `CUDA_ERROR_INVALID_HANDLE` if `function` is no function,
/// `CUDA_ERROR_CONTEXT_IS_DESTROYED` if its context is gone; its context's asynchronous error.
///
/// Manual: Execution Control.
#[entry(since = 12040, needs = init)]
pub fn cuFuncIsLoaded(state: Out<CUfunctionLoadingState>, function: CUfunction) -> Result<()> {
    state.check()?;
    Function::find(function.0)?;
    state.set(CU_FUNCTION_LOADING_STATE_LOADED)
}

/// Loads a function that lazy loading left for later: there is nothing left to do.
///
/// - `function`: the function.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `function` is no function, `CUDA_ERROR_CONTEXT_IS_DESTROYED` if its context
/// is gone; its context's asynchronous error.
///
/// Manual: Execution Control.
#[entry(since = 12040, needs = init)]
pub fn cuFuncLoad(function: CUfunction) -> Result<()> {
    Function::find(function.0).map(drop)
}

/// Queues a grid of thread blocks on a stream.
///
/// The parameters are copied before the call returns. An error in the kernel becomes the context's asynchronous error.
///
/// - `f`: the function, or a library's kernel.
/// - `gridDimX`: blocks along x, at least 1.
/// - `gridDimY`: blocks along y, at least 1.
/// - `gridDimZ`: blocks along z, at least 1.
/// - `blockDimX`: threads of a block along x, at least 1.
/// - `blockDimY`: threads of a block along y, at least 1.
/// - `blockDimZ`: threads of a block along z, at least 1.
/// - `sharedMemBytes`: dynamic shared memory of a block, in bytes.
/// - `hStream`: the stream.
/// - `kernelParams`: addresses of the parameters, one of each; NULL for none.
/// - `extra`: a list of names and values that hands over all parameters as one buffer (`CU_LAUNCH_PARAM_*`); NULL with
///   `kernelParams`.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `f` is no function, or of another context than the stream;
/// `CUDA_ERROR_CONTEXT_IS_DESTROYED` if its context is gone; `CUDA_ERROR_INVALID_VALUE` for blocks or grids beyond the
/// limits of function or device, for blocks of another shape than the function was compiled for (a single thread stands
/// for that shape), for more dynamic shared memory than the function is set to have, if `kernelParams` is NULL and the
/// function has parameters, and for both `kernelParams` and `extra`, unknown names in `extra`, or no end of it;
/// `CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES` for a buffer larger than the parameters; `CUDA_ERROR_INVALID_CLUSTER_SIZE` for
/// a function that needs clusters that the grid cannot be divided into, or has too large ones;
/// `CUDA_ERROR_NOT_SUPPORTED` for a function with instructions that are not emulated; for a library's kernel that the
/// context has not loaded yet, the error of loading it; the context's asynchronous error, and with
/// `CUDA_LAUNCH_BLOCKING` that of the kernel itself.
///
/// Manual: Execution Control.
#[entry(since = 4000, twin = "ptsz", needs = init)]
pub fn cuLaunchKernel(
    f: CUfunction,
    gridDimX: c_uint,
    gridDimY: c_uint,
    gridDimZ: c_uint,
    blockDimX: c_uint,
    blockDimY: c_uint,
    blockDimZ: c_uint,
    sharedMemBytes: c_uint,
    hStream: CUstream,
    kernelParams: InMut<*mut c_void>,
    extra: InMut<*mut c_void>,
) -> Result<()> {
    let shape = LaunchShape { grid: [gridDimX, gridDimY, gridDimZ], block: [blockDimX, blockDimY, blockDimZ] };
    let request = LaunchRequest::plain(shape, sharedMemBytes);
    launch_kernel(f, hStream, default_stream, request, kernelParams, extra, &LaunchEvents::default())
}

/// Queues a grid of thread blocks on a stream, with launch attributes.
///
/// As [`cuLaunchKernel`].
///
/// - `config`: grid and block in blocks and threads, dynamic shared memory in bytes, stream, and attributes.
/// - `f`: the function, or a library's kernel.
/// - `kernelParams`: addresses of the parameters, one of each; NULL for none.
/// - `extra`: a list of names and values that hands over all parameters as one buffer (`CU_LAUNCH_PARAM_*`); NULL with
///   `kernelParams`.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `f` is no function, or of another context than the stream;
/// `CUDA_ERROR_CONTEXT_IS_DESTROYED` if its context is gone; `CUDA_ERROR_INVALID_VALUE` for blocks or grids beyond the
/// limits of function or device, for blocks of another shape than the function was compiled for (a single thread stands
/// for that shape), for more dynamic shared memory than the function is set to have, if `kernelParams` is NULL and the
/// function has parameters, if `config` is NULL, for an unknown attribute or value of one, and for both `kernelParams`
/// and `extra`, unknown names in `extra`, or no end of it; `CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES` for a buffer larger
/// than the parameters; `CUDA_ERROR_INVALID_HANDLE` for an attribute's event that does not exist or is of another context;
/// `CUDA_ERROR_ILLEGAL_STATE` for one that is to be recorded as external; `CUDA_ERROR_NOT_SUPPORTED` for one that
/// measures times or is for other processes, and for a node that kernels could update;
/// `CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE` for a cooperative launch of more blocks than the device holds at once;
/// `CUDA_ERROR_INVALID_CLUSTER_SIZE` for clusters that are too large or that the grid cannot be divided into, and if
/// there are none for a function that needs them; `CUDA_ERROR_NOT_SUPPORTED` for clusters on a device without them, and
/// for a function with instructions that are not emulated; for a library's kernel that the context has not loaded yet,
/// the error of loading it; the context's asynchronous error, and with `CUDA_LAUNCH_BLOCKING` that of the kernel itself.
///
/// Manual: Execution Control.
#[entry(since = 11060, twin = "ptsz", needs = init)]
pub fn cuLaunchKernelEx(
    config: In<CUlaunchConfig>,
    f: CUfunction,
    kernelParams: InMut<*mut c_void>,
    extra: InMut<*mut c_void>,
) -> Result<()> {
    let config = config.get()?;
    let stream = lookup(config.hStream, default_stream)?;
    let context = stream.owner()?;
    let (request, link) = launch_attribute::read(&config, &context.device)?;
    launch_kernel(f, config.hStream, default_stream, request, kernelParams, extra, &link)
}

/// Queues a grid whose blocks are all resident at once and may synchronise with each other.
///
/// As [`cuLaunchKernel`].
///
/// - `f`: the function, or a library's kernel.
/// - `gridDimX`: blocks along x, at least 1.
/// - `gridDimY`: blocks along y, at least 1.
/// - `gridDimZ`: blocks along z, at least 1.
/// - `blockDimX`: threads of a block along x, at least 1.
/// - `blockDimY`: threads of a block along y, at least 1.
/// - `blockDimZ`: threads of a block along z, at least 1.
/// - `sharedMemBytes`: dynamic shared memory of a block, in bytes.
/// - `hStream`: the stream.
/// - `kernelParams`: addresses of the parameters, one of each; NULL for none.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `f` is no function, or of another context than the stream;
/// `CUDA_ERROR_CONTEXT_IS_DESTROYED` if its context is gone; `CUDA_ERROR_INVALID_VALUE` for blocks or grids beyond the
/// limits of function or device, for blocks of another shape than the function was compiled for (a single thread stands
/// for that shape), for more dynamic shared memory than the function is set to have, if `kernelParams` is NULL and the
/// function has parameters; `CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE` for more blocks than the device holds at once;
/// `CUDA_ERROR_INVALID_CLUSTER_SIZE` for a function that needs clusters that the grid cannot be divided into, or has
/// too large ones; `CUDA_ERROR_NOT_SUPPORTED` for a function with instructions that are not emulated; for a library's
/// kernel that the context has not loaded yet, the error of loading it; the context's asynchronous error, and with
/// `CUDA_LAUNCH_BLOCKING` that of the kernel itself.
///
/// Manual: Execution Control.
#[entry(since = 9000, twin = "ptsz", needs = init)]
pub fn cuLaunchCooperativeKernel(
    f: CUfunction,
    gridDimX: c_uint,
    gridDimY: c_uint,
    gridDimZ: c_uint,
    blockDimX: c_uint,
    blockDimY: c_uint,
    blockDimZ: c_uint,
    sharedMemBytes: c_uint,
    hStream: CUstream,
    kernelParams: InMut<*mut c_void>,
) -> Result<()> {
    let shape = LaunchShape { grid: [gridDimX, gridDimY, gridDimZ], block: [blockDimX, blockDimY, blockDimZ] };
    let request = LaunchRequest { cooperative: true, ..LaunchRequest::plain(shape, sharedMemBytes) };
    let extra = InMut(core::ptr::null_mut());
    launch_kernel(f, hStream, default_stream, request, kernelParams, extra, &LaunchEvents::default())
}

/// Queues a call of a host function on a stream, with a choice of how its thread waits.
///
/// As [`cuLaunchHostFunc`].
///
/// - `hStream`: the stream.
/// - `fn`: the function.
/// - `userData`: its argument.
/// - `syncMode`: a `CUhostTaskSyncMode`; it makes no difference here.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `fn` is NULL, and for an unknown `syncMode`.
///
/// Manual: Execution Control.
#[entry(since = 13010, twin = "ptsz", needs = late)]
pub fn cuLaunchHostFunc_v2(hStream: CUstream, r#fn: CUhostFn, userData: *mut c_void, syncMode: c_uint) -> Result<()> {
    refuse_if!(
        Error::INVALID_VALUE,
        syncMode > CU_HOST_TASK_SPINWAIT.0,
        "syncMode {} is not a CUhostTaskSyncMode",
        syncMode
    );
    launch_host_function(hStream, r#fn, userData, default_stream)
}

/// Queues a call of a host function on a stream.
///
/// The function runs on a thread of ours, one at a time in a context. Driver calls inside it are refused with
/// `CUDA_ERROR_NOT_PERMITTED`. It is not called after an asynchronous error.
///
/// - `hStream`: the stream.
/// - `fn`: the function.
/// - `userData`: its argument.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `fn` is NULL.
///
/// Manual: Execution Control.
#[entry(since = 10000, twin = "ptsz", needs = late)]
pub fn cuLaunchHostFunc(hStream: CUstream, r#fn: CUhostFn, userData: *mut c_void) -> Result<()> {
    launch_host_function(hStream, r#fn, userData, default_stream)
}

/// Sets the shared memory bank width of a function.
///
/// It is checked and has no effect, as on all devices with one width.
///
/// - `hfunc`: the function.
/// - `config`: the width, a `CUsharedconfig`.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hfunc` is no function, `CUDA_ERROR_CONTEXT_IS_DESTROYED` if its context is
/// gone; its context's asynchronous error; `CUDA_ERROR_INVALID_VALUE` for an unknown width.
///
/// Manual: Execution Control (deprecated).
#[entry(since = 4020, needs = init)]
pub fn cuFuncSetSharedMemConfig(hfunc: CUfunction, config: CUsharedconfig) -> Result<()> {
    Function::find(hfunc.0)?;
    if config.0 > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE.0 {
        Err(refuse!(Error::INVALID_VALUE, "config {:?} is not a CUsharedconfig", config))
    } else {
        Ok(())
    }
}

/// The function that is asked about. `NULL` is `CUDA_ERROR_INVALID_VALUE`, other than for calls that change one.
fn given(function: CUfunction) -> Result<Arc<Function>> {
    if function.is_null() { Err(refuse!(Error::INVALID_VALUE, "_ is NULL")) } else { Function::find(function.0) }
}

fn launch_host_function(
    stream: CUstream,
    function: CUhostFn,
    argument: *mut c_void,
    default_stream: DefaultStream,
) -> Result<()> {
    let call = host_call(function, argument)?;
    device::require_context()?;
    lookup(stream, default_stream)?.enqueue(Work::Host(call))
}

fn launch_kernel(
    function: CUfunction,
    stream: CUstream,
    default_stream: DefaultStream,
    request: LaunchRequest,
    parameters: InMut<*mut c_void>,
    extra: InMut<*mut c_void>,
    link: &LaunchEvents,
) -> Result<()> {
    with_any(stream, default_stream, |stream| {
        let context = stream.owner()?;
        context.check_error()?;
        let named = function.0;
        let function = library::function_of(named, Some(&context))?;
        launch::launch(&context, stream, named, function, request, arguments(parameters, extra)?, link)
    })
}
