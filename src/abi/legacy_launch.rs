//! Execution Control (deprecated).

#![allow(non_snake_case)]

use super::DefaultStream;
use super::convert::stream::lookup;
use super::ptr::InMut;
use super::types::{CU_PARAM_TR_DEFAULT, CUDA_LAUNCH_PARAMS, CUfunction, CUstream, CUtexref};
use api_macro::entry;
use core::ffi::{c_int, c_uint, c_void};
use device::array::reference::REFERENCES;
use device::base::bounds::MOST_PARAMETER_BYTES;
use device::kernel::function::Function;
use device::kernel::launch::{LaunchRequest, multi_device};
use device::kernel::module::MODULES;
use device::kernel::{legacy_launch, library};
use engine::state::grid::LaunchShape;
use error::{Error, Result, refuse, refuse_if};

/// Sets the block shape for `cuLaunch` (deprecated).
///
/// It is 1 by 1 by 1 at first. Every launch of the function, of whatever kind, also sets its shape, shared memory and
/// parameters for the next `cuLaunch`.
///
/// - `hfunc`: the function, of the current context.
/// - `x`: threads along x.
/// - `y`: threads along y.
/// - `z`: threads along z.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hfunc` is no function of the current context; `CUDA_ERROR_INVALID_VALUE` if
/// the shape is empty, larger than device or function allow, or not the one that the function was compiled for.
///
/// Manual: Execution Control (deprecated).
#[entry(since = 2000)]
pub fn cuFuncSetBlockShape(hfunc: CUfunction, x: c_int, y: c_int, z: c_int) -> Result<()> {
    legacy_launch::set_block(&*Function::find_here(hfunc.0)?, [x, y, z].map(|n| n.max(0) as u32))
}

/// Sets the dynamic shared memory for `cuLaunch` (deprecated).
///
/// - `hfunc`: the function, of the current context.
/// - `bytes`: bytes for each block; 0 at first.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hfunc` is no function of the current context; `CUDA_ERROR_INVALID_VALUE` if
/// `bytes` is more than the function may have.
///
/// Manual: Execution Control (deprecated).
#[entry(since = 2000)]
pub fn cuFuncSetSharedSize(hfunc: CUfunction, bytes: c_uint) -> Result<()> {
    legacy_launch::set_shared(&*Function::find_here(hfunc.0)?, bytes)
}

/// Sets the size of the parameter area for `cuLaunch` (deprecated).
///
/// Parameters of the kernel that lie behind the size, or were never written, are zero.
///
/// - `hfunc`: the function, of the current context.
/// - `numbytes`: size in bytes, at most 32764.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hfunc` is no function of the current context; `CUDA_ERROR_INVALID_VALUE` if
/// `numbytes` is too large.
///
/// Manual: Execution Control (deprecated).
#[entry(since = 2000)]
pub fn cuParamSetSize(hfunc: CUfunction, numbytes: c_uint) -> Result<()> {
    Function::find_here(hfunc.0)?.legacy().set_size(numbytes as usize)
}

/// Writes an integer into the parameter area for `cuLaunch` (deprecated).
///
/// - `hfunc`: the function, of the current context.
/// - `offset`: first byte in the parameter area; offset and size together are at most 32764.
/// - `value`: the value; it takes 4 bytes.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hfunc` is no function of the current context; `CUDA_ERROR_INVALID_VALUE` if
/// `offset` is negative or too large.
///
/// Manual: Execution Control (deprecated).
#[entry(since = 2000)]
pub fn cuParamSeti(hfunc: CUfunction, offset: c_int, value: c_uint) -> Result<()> {
    write(hfunc, offset, &value.to_le_bytes())
}

/// Writes a float into the parameter area for `cuLaunch` (deprecated).
///
/// - `hfunc`: the function, of the current context.
/// - `offset`: first byte in the parameter area; offset and size together are at most 32764.
/// - `value`: the value; it takes 4 bytes.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hfunc` is no function of the current context; `CUDA_ERROR_INVALID_VALUE` if
/// `offset` is negative or too large.
///
/// Manual: Execution Control (deprecated).
#[entry(since = 2000)]
pub fn cuParamSetf(hfunc: CUfunction, offset: c_int, value: f32) -> Result<()> {
    write(hfunc, offset, &value.to_le_bytes())
}

/// Writes bytes into the parameter area for `cuLaunch` (deprecated).
///
/// - `hfunc`: the function, of the current context.
/// - `offset`: first byte in the parameter area; offset and size together are at most 32764.
/// - `ptr`: the bytes.
/// - `numbytes`: how many.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hfunc` is no function of the current context; `CUDA_ERROR_INVALID_VALUE` if
/// `ptr` is NULL or the range leaves the parameter area.
///
/// Manual: Execution Control (deprecated).
#[entry(since = 2000)]
pub fn cuParamSetv(hfunc: CUfunction, offset: c_int, ptr: *mut c_void, numbytes: c_uint) -> Result<()> {
    Function::find_here(hfunc.0)?;
    refuse_if!(Error::INVALID_VALUE, ptr.is_null(), "ptr is NULL");
    refuse_if!(
        Error::INVALID_VALUE,
        numbytes as usize > MOST_PARAMETER_BYTES,
        "numbytes {} is more than parameters may have, {}",
        numbytes,
        MOST_PARAMETER_BYTES
    );
    write(hfunc, offset, &guard::read_vec(ptr as usize, numbytes as usize)?)
}

/// Launches one block with the parameters set on the function (deprecated).
///
/// - `f`: the function, of the current context.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `f` is no function of the current context; `CUDA_ERROR_INVALID_VALUE` if the
/// block shape or the shared memory does not suit it; `CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES` if the size that was set is
/// more than its parameters have; `CUDA_ERROR_INVALID_CLUSTER_SIZE` if it needs clusters; `CUDA_ERROR_NOT_SUPPORTED` if
/// it has an instruction that is not implemented.
///
/// Manual: Execution Control (deprecated).
#[entry(since = 2000)]
pub fn cuLaunch(f: CUfunction) -> Result<()> {
    launch(f, 1, 1, CUstream::NULL)
}

/// Launches a 2D grid with the parameters set on the function (deprecated).
///
/// - `f`: the function, of the current context.
/// - `grid_width`: blocks along x, at least 1.
/// - `grid_height`: blocks along y, at least 1.
///
/// Errors: as `cuLaunch`; `CUDA_ERROR_INVALID_VALUE` also if the grid is empty or larger than the device allows.
///
/// Manual: Execution Control (deprecated).
#[entry(since = 2000)]
pub fn cuLaunchGrid(f: CUfunction, grid_width: c_int, grid_height: c_int) -> Result<()> {
    launch(f, grid_width, grid_height, CUstream::NULL)
}

/// Queues a 2D grid with the parameters set on the function (deprecated).
///
/// - `f`: the function, of the current context.
/// - `grid_width`: blocks along x, at least 1.
/// - `grid_height`: blocks along y, at least 1.
/// - `hStream`: stream of the function's context.
///
/// Errors: as `cuLaunchGrid`; `CUDA_ERROR_INVALID_HANDLE` also if `hStream` is no stream or belongs to another context;
/// `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` if the stream is being captured, which invalidates the capture.
///
/// Manual: Execution Control (deprecated).
#[entry(since = 2000, needs = context)]
pub fn cuLaunchGridAsync(f: CUfunction, grid_width: c_int, grid_height: c_int, hStream: CUstream) -> Result<()> {
    launch(f, grid_width, grid_height, hStream)
}

/// Queues cooperative grids on several devices at once (deprecated).
///
/// Each entry names a device of its own by its stream, which cannot be a default stream. Unless the flags say
/// otherwise, no grid begins before all streams have come that far, and no stream goes on before all grids have ended.
///
/// - `launchParamsList`: array of `numDevices` launches: the same function, shape and shared memory (bytes), each with
///   its own stream and parameters.
/// - `numDevices`: how many, from 1 to the number of devices.
/// - `flags`: 0 or `CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_*_LAUNCH_SYNC` bits.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `numDevices` or `flags` is out of range, if a launch does not suit its
/// function, or if launches differ; `CUDA_ERROR_INVALID_DEVICE` if two name the same device; `CUDA_ERROR_INVALID_HANDLE` if a stream is a default
/// stream or none, or a function is none or not of the stream's context; `CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE` if a
/// grid does not fit on its device at once; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` if a stream is being captured,
/// which invalidates the capture.
///
/// Manual: Execution Control (deprecated).
#[entry(since = 9000)]
pub fn cuLaunchCooperativeKernelMultiDevice(
    launchParamsList: InMut<CUDA_LAUNCH_PARAMS>,
    numDevices: c_uint,
    flags: c_uint,
) -> Result<()> {
    /// `CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_PRE_LAUNCH_SYNC`, `..._NO_POST_LAUNCH_SYNC`.
    const NO_SYNC: [c_uint; 2] = [1, 2];
    refuse_if!(Error::INVALID_VALUE, numDevices == 0, "numDevices is 0");
    refuse_if!(Error::INVALID_VALUE, flags & !(NO_SYNC[0] | NO_SYNC[1]) != 0, "flags {:#x} has unknown bits", flags);
    refuse_if!(
        Error::INVALID_VALUE,
        numDevices as usize > device::devices().len(),
        "numDevices {} is more than there are, {}",
        numDevices,
        device::devices().len()
    );
    let mut launches = Vec::new();
    for params in launchParamsList.slice(numDevices as usize)? {
        refuse_if!(
            Error::INVALID_HANDLE,
            params.hStream.0 <= 2,
            "launchParamsList: hStream {:#x} is not a created stream",
            params.hStream.0
        );
        let stream = lookup(params.hStream, DefaultStream::Legacy)?;
        let context = stream.context.upgrade().ok_or_else(|| {
            refuse!(Error::CONTEXT_IS_DESTROYED, "launchParamsList: hStream is of a context that was destroyed")
        })?;
        let named = params.function.0;
        let function = library::function_of(named, Some(&context))?;
        let shape = LaunchShape {
            grid: [params.gridDimX, params.gridDimY, params.gridDimZ],
            block: [params.blockDimX, params.blockDimY, params.blockDimZ],
        };
        let request = LaunchRequest { cooperative: true, ..LaunchRequest::plain(shape, params.sharedMemBytes) };
        let arguments = super::convert::launch::arguments(InMut(params.kernelParams), InMut(core::ptr::null_mut()))?;
        launches.push(multi_device::DeviceLaunch { stream, named, function, request, arguments });
    }
    multi_device::launch(launches, flags & NO_SYNC[0] == 0, flags & NO_SYNC[1] == 0)
}

/// Attaches a texture reference to a function (deprecated).
///
/// References belong to modules, whose kernels have them without this call: it accepts one of the function's module.
///
/// - `hfunc`: the function, of the current context.
/// - `texunit`: `CU_PARAM_TR_DEFAULT`.
/// - `hTexRef`: the reference.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hfunc` is no function of the current context or `hTexRef` is no reference;
/// `CUDA_ERROR_INVALID_VALUE` if `texunit` is anything else, or if the reference is not of the function's module.
///
/// Manual: Execution Control (deprecated).
#[entry(since = 2000)]
pub fn cuParamSetTexRef(hfunc: CUfunction, texunit: c_int, hTexRef: CUtexref) -> Result<()> {
    let function = Function::find_here(hfunc.0)?;
    REFERENCES.find(hTexRef.0)?;
    let module = MODULES.find(function.module)?;
    if texunit == CU_PARAM_TR_DEFAULT && module.has_texture_reference(hTexRef.0) {
        Ok(())
    } else {
        Err(refuse!(
            Error::INVALID_VALUE,
            "texunit {} is not CU_PARAM_TR_DEFAULT, or hTexRef {:#x} is not of the module of hfunc",
            texunit,
            hTexRef.0
        ))
    }
}

fn write(function: CUfunction, offset: c_int, bytes: &[u8]) -> Result<()> {
    let function = Function::find_here(function.0)?;
    let offset = usize::try_from(offset).map_err(|_| refuse!(Error::INVALID_VALUE, "offset {} is negative", offset))?;
    function.legacy().write(offset, bytes)
}

fn launch(function: CUfunction, width: c_int, height: c_int, stream: CUstream) -> Result<()> {
    let function = Function::find_here(function.0)?;
    let grid = [width, height].map(|n| n.max(0) as u32);
    legacy_launch::launch(&lookup(stream, DefaultStream::Legacy)?, function, grid)
}
