//! Execution Control.

#![allow(non_snake_case)]

use super::DefaultStream;
use super::ptr::{In, InMut, Out};
use super::stream::lookup;
use super::types::{
    CU_FUNC_CACHE_PREFER_EQUAL, CU_FUNCTION_LOADING_STATE_LOADED, CU_HOST_TASK_SPINWAIT,
    CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE,
    CUDA_LAUNCH_PARAMS, CUfunc_cache, CUfunction, CUfunction_attribute, CUfunctionLoadingState, CUhostFn,
    CUlaunchAttributeID, CUlaunchAttributeValue_clusterDim, CUlaunchConfig, CUmodule, CUsharedconfig, CUstream,
    CUtexref,
};
use crate::device::function::Function;
use crate::device::launch::{self, Arguments, Request};
use crate::device::stream::{HostCall, Work};
use crate::engine::block::Shape;
use crate::error::{Error, Result};
use api_macro::entry;
use core::ffi::{c_char, c_int, c_uint, c_void};

/// Reads a property of a function: registers, shared memory, largest block and so on.
#[entry(since = 2020, needs = init)]
pub fn cuFuncGetAttribute(pi: Out<c_int>, attrib: CUfunction_attribute, hfunc: CUfunction) -> Result<()> {
    pi.check()?;
    pi.set(Function::find(hfunc.0)?.attribute(attrib.0)?)
}

/// Changes a property of a function, such as its limit of dynamic shared memory.
#[entry(since = 9000, needs = init)]
pub fn cuFuncSetAttribute(hfunc: CUfunction, attrib: CUfunction_attribute, value: c_int) -> Result<()> {
    Function::find(hfunc.0)?.set_attribute(attrib.0, value)
}

/// Sets whether a function prefers L1 cache or shared memory.
#[entry(since = 3000, needs = init)]
pub fn cuFuncSetCacheConfig(hfunc: CUfunction, config: CUfunc_cache) -> Result<()> {
    Function::find(hfunc.0)?;
    if config.0 > CU_FUNC_CACHE_PREFER_EQUAL.0 { Err(Error::INVALID_VALUE) } else { Ok(()) }
}

/// Reports the module that a function comes from.
#[entry(since = 11000, needs = init)]
pub fn cuFuncGetModule(hmod: Out<CUmodule>, hfunc: CUfunction) -> Result<()> {
    hmod.check()?;
    hmod.set(CUmodule(Function::find(hfunc.0)?.module))
}

/// Reports the linkage name of a function.
#[entry(since = 12030, needs = init)]
pub fn cuFuncGetName(name: Out<*const c_char>, hfunc: CUfunction) -> Result<()> {
    name.check()?;
    name.set(Function::find(hfunc.0)?.c_name().as_ptr())
}

/// Reports offset and size of one parameter of a function.
#[entry(since = 12040, needs = init)]
pub fn cuFuncGetParamInfo(
    func: CUfunction,
    paramIndex: usize,
    paramOffset: Out<usize>,
    paramSize: Out<usize>,
) -> Result<()> {
    paramOffset.check()?;
    let (offset, size) = Function::find(func.0)?.parameter(paramIndex)?;
    paramOffset.set(offset)?;
    paramSize.set_opt(size)
}

/// Counts the parameters of a function.
#[entry(since = 13020, needs = init)]
pub fn cuFuncGetParamCount(func: CUfunction, paramCount: Out<usize>) -> Result<()> {
    paramCount.check()?;
    paramCount.set(Function::find(func.0)?.code().parameters.len())
}

/// Tells whether a function has been loaded yet.
#[entry(since = 12040, needs = init)]
pub fn cuFuncIsLoaded(state: Out<CUfunctionLoadingState>, function: CUfunction) -> Result<()> {
    state.check()?;
    Function::find(function.0)?;
    state.set(CU_FUNCTION_LOADING_STATE_LOADED)
}

/// Loads a function that lazy loading left for later.
#[entry(since = 12040, needs = init)]
pub fn cuFuncLoad(function: CUfunction) -> Result<()> {
    Function::find(function.0).map(drop)
}

/// Queues a grid of thread blocks on a stream.
#[entry(since = 4000, twin = "ptsz")]
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
    let request = Request {
        shape: Shape { grid: [gridDimX, gridDimY, gridDimZ], block: [blockDimX, blockDimY, blockDimZ] },
        cluster: None,
        dynamic_shared: sharedMemBytes,
        cooperative: false,
        priority: 0,
    };
    launch_kernel(f, hStream, default_stream, request, kernelParams, extra)
}

/// Queues a grid of thread blocks on a stream, with launch attributes.
#[entry(since = 11060, twin = "ptsz")]
pub fn cuLaunchKernelEx(
    config: In<CUlaunchConfig>,
    f: CUfunction,
    kernelParams: InMut<*mut c_void>,
    extra: InMut<*mut c_void>,
) -> Result<()> {
    let config = config.get()?;
    let request = request_of(&config)?;
    launch_kernel(f, config.hStream, default_stream, request, kernelParams, extra)
}

/// Queues a grid whose blocks are all resident at once and may synchronise with each other.
#[entry(since = 9000, twin = "ptsz")]
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
    let request = Request {
        shape: Shape { grid: [gridDimX, gridDimY, gridDimZ], block: [blockDimX, blockDimY, blockDimZ] },
        cluster: None,
        dynamic_shared: sharedMemBytes,
        cooperative: true,
        priority: 0,
    };
    launch_kernel(f, hStream, default_stream, request, kernelParams, InMut(core::ptr::null_mut()))
}

/// Queues a call of a host function on a stream, with a choice of how its thread waits.
///
/// `syncMode` is a `CUhostTaskSyncMode`; it makes no difference here.
#[entry(since = 13010, twin = "ptsz")]
pub fn cuLaunchHostFunc_v2(hStream: CUstream, r#fn: CUhostFn, userData: *mut c_void, syncMode: c_uint) -> Result<()> {
    if syncMode > CU_HOST_TASK_SPINWAIT.0 {
        return Err(Error::INVALID_VALUE);
    }
    launch_host_function(hStream, r#fn, userData, default_stream)
}

/// Queues a call of a host function on a stream.
///
/// The function runs on a thread of ours, one at a time in a context. Driver calls inside it are refused with
/// `CUDA_ERROR_NOT_PERMITTED`. It is not called after an asynchronous error. `NULL` for the function is
/// `CUDA_ERROR_INVALID_VALUE`.
#[entry(since = 10000, twin = "ptsz")]
pub fn cuLaunchHostFunc(hStream: CUstream, r#fn: CUhostFn, userData: *mut c_void) -> Result<()> {
    launch_host_function(hStream, r#fn, userData, default_stream)
}

/// Sets the block shape for `cuLaunch` (deprecated).
#[entry(since = 2000)]
pub fn cuFuncSetBlockShape(hfunc: CUfunction, x: c_int, y: c_int, z: c_int) -> Result<()>;

/// Sets the dynamic shared memory for `cuLaunch` (deprecated).
#[entry(since = 2000)]
pub fn cuFuncSetSharedSize(hfunc: CUfunction, bytes: c_uint) -> Result<()>;

/// Sets the size of the parameter area for `cuLaunch` (deprecated).
#[entry(since = 2000)]
pub fn cuParamSetSize(hfunc: CUfunction, numbytes: c_uint) -> Result<()>;

/// Writes an integer into the parameter area for `cuLaunch` (deprecated).
#[entry(since = 2000)]
pub fn cuParamSeti(hfunc: CUfunction, offset: c_int, value: c_uint) -> Result<()>;

/// Writes a float into the parameter area for `cuLaunch` (deprecated).
#[entry(since = 2000)]
pub fn cuParamSetf(hfunc: CUfunction, offset: c_int, value: f32) -> Result<()>;

/// Writes bytes into the parameter area for `cuLaunch` (deprecated).
#[entry(since = 2000)]
pub fn cuParamSetv(hfunc: CUfunction, offset: c_int, ptr: *mut c_void, numbytes: c_uint) -> Result<()>;

/// Launches one block with the parameters set on the function (deprecated).
#[entry(since = 2000)]
pub fn cuLaunch(f: CUfunction) -> Result<()>;

/// Launches a 2D grid with the parameters set on the function (deprecated).
#[entry(since = 2000)]
pub fn cuLaunchGrid(f: CUfunction, grid_width: c_int, grid_height: c_int) -> Result<()>;

/// Queues a 2D grid with the parameters set on the function (deprecated).
#[entry(since = 2000)]
pub fn cuLaunchGridAsync(f: CUfunction, grid_width: c_int, grid_height: c_int, hStream: CUstream) -> Result<()>;

/// Queues cooperative grids on several devices at once (deprecated).
#[entry(since = 9000)]
pub fn cuLaunchCooperativeKernelMultiDevice(
    launchParamsList: InMut<CUDA_LAUNCH_PARAMS>,
    numDevices: c_uint,
    flags: c_uint,
) -> Result<()>;

/// Attaches a texture reference to a function (deprecated).
#[entry(since = 2000)]
pub fn cuParamSetTexRef(hfunc: CUfunction, texunit: c_int, hTexRef: CUtexref) -> Result<()>;

/// Sets the shared memory bank width of a function (deprecated).
#[entry(since = 4020)]
pub fn cuFuncSetSharedMemConfig(hfunc: CUfunction, config: CUsharedconfig) -> Result<()> {
    Function::find(hfunc.0)?;
    if config.0 > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE.0 { Err(Error::INVALID_VALUE) } else { Ok(()) }
}

/// What the description of a launch asks for, its attributes included.
pub(super) fn request_of(config: &CUlaunchConfig) -> Result<Request> {
    let mut request = Request {
        shape: Shape {
            grid: [config.gridDimX, config.gridDimY, config.gridDimZ],
            block: [config.blockDimX, config.blockDimY, config.blockDimZ],
        },
        cluster: None,
        dynamic_shared: config.sharedMemBytes,
        cooperative: false,
        priority: 0,
    };
    for attribute in In(config.attrs.cast_const()).slice(config.numAttrs as usize)? {
        match attribute.id {
            // SAFETY: every bit pattern is a valid value of the members read here.
            CU_LAUNCH_ATTRIBUTE_COOPERATIVE => request.cooperative = unsafe { attribute.value.cooperative } != 0,
            CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION => {
                // SAFETY: as above.
                let CUlaunchAttributeValue_clusterDim { x, y, z } = unsafe { attribute.value.clusterDim };
                request.cluster = Some([x, y, z]);
            }
            // Hints about scheduling and caches.
            CUlaunchAttributeID(0..=18) => {}
            _ => return Err(Error::INVALID_VALUE),
        }
    }
    Ok(request)
}

fn launch_host_function(
    stream: CUstream,
    function: CUhostFn,
    argument: *mut c_void,
    default_stream: DefaultStream,
) -> Result<()> {
    let call = host_call(function, argument)?;
    lookup(stream, default_stream)?.enqueue(Work::Host(call))
}

/// A host function as work. `NULL` is `CUDA_ERROR_INVALID_VALUE`.
pub(super) fn host_call(function: CUhostFn, argument: *mut c_void) -> Result<HostCall> {
    let function = function.ok_or(Error::INVALID_VALUE)?;
    let argument = argument as usize;
    // SAFETY: the program passed this function to be called with this argument.
    Ok(HostCall::new((function as usize, argument), move || unsafe { function(argument as *mut c_void) }))
}

/// The parameters of a launch: `extra` is a list of names and values that ends in 0.
pub(super) fn arguments(parameters: InMut<*mut c_void>, extra: InMut<*mut c_void>) -> Result<Arguments> {
    /// `CU_LAUNCH_PARAM_BUFFER_POINTER`, `CU_LAUNCH_PARAM_BUFFER_SIZE`.
    const POINTER: usize = 1;
    const SIZE: usize = 2;
    if extra.is_null() {
        return Ok(Arguments::Pointers(parameters.addr()));
    }
    if !parameters.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let (mut buffer, mut size) = (0, 0);
    for pair in 0..16 {
        let at = |index: usize| InMut(extra.0.wrapping_add(index)).get().map(|p| p as usize);
        match at(pair * 2)? {
            0 => return Ok(Arguments::Packed(buffer, size)),
            POINTER => buffer = at(pair * 2 + 1)?,
            SIZE => size = In(at(pair * 2 + 1)? as *const usize).get()?,
            _ => return Err(Error::INVALID_VALUE),
        }
    }
    Err(Error::INVALID_VALUE)
}

fn launch_kernel(
    function: CUfunction,
    stream: CUstream,
    default_stream: DefaultStream,
    request: Request,
    parameters: InMut<*mut c_void>,
    extra: InMut<*mut c_void>,
) -> Result<()> {
    let named = function.0;
    let function = Function::find(named)?;
    let stream = lookup(stream, default_stream)?;
    launch::launch(&stream, named, function, request, arguments(parameters, extra)?)
}
