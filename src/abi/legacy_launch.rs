//! Execution Control (deprecated).

#![allow(non_snake_case)]

use super::DefaultStream;
use super::ptr::InMut;
use super::stream::lookup;
use super::types::{CU_PARAM_TR_DEFAULT, CUDA_LAUNCH_PARAMS, CUfunction, CUstream, CUtexref};
use crate::device::function::Function;
use crate::device::launch::{Request, several};
use crate::device::legacy_launch;
use crate::device::module::MODULES;
use crate::device::texture::REFERENCES;
use crate::engine::block::Shape;
use crate::error::{Error, Result};
use crate::guard;
use api_macro::entry;
use core::ffi::{c_int, c_uint, c_void};

/// Sets the block shape for `cuLaunch` (deprecated).
///
/// It is 1 by 1 by 1 at first. Launches of any kind leave their shape, shared memory and parameters behind.
#[entry(since = 2000)]
pub fn cuFuncSetBlockShape(hfunc: CUfunction, x: c_int, y: c_int, z: c_int) -> Result<()> {
    legacy_launch::set_block(&*Function::find_here(hfunc.0)?, [x, y, z].map(|n| n.max(0) as u32))
}

/// Sets the dynamic shared memory for `cuLaunch` (deprecated).
#[entry(since = 2000)]
pub fn cuFuncSetSharedSize(hfunc: CUfunction, bytes: c_uint) -> Result<()> {
    legacy_launch::set_shared(&*Function::find_here(hfunc.0)?, bytes)
}

/// Sets the size of the parameter area for `cuLaunch` (deprecated).
///
/// What of the kernel's parameters lies behind it, or was never written, is zero.
#[entry(since = 2000)]
pub fn cuParamSetSize(hfunc: CUfunction, numbytes: c_uint) -> Result<()> {
    Function::find_here(hfunc.0)?.legacy().set_size(numbytes as usize)
}

/// Writes an integer into the parameter area for `cuLaunch` (deprecated).
#[entry(since = 2000)]
pub fn cuParamSeti(hfunc: CUfunction, offset: c_int, value: c_uint) -> Result<()> {
    write(hfunc, offset, &value.to_le_bytes())
}

/// Writes a float into the parameter area for `cuLaunch` (deprecated).
#[entry(since = 2000)]
pub fn cuParamSetf(hfunc: CUfunction, offset: c_int, value: f32) -> Result<()> {
    write(hfunc, offset, &value.to_le_bytes())
}

/// Writes bytes into the parameter area for `cuLaunch` (deprecated).
#[entry(since = 2000)]
pub fn cuParamSetv(hfunc: CUfunction, offset: c_int, ptr: *mut c_void, numbytes: c_uint) -> Result<()> {
    Function::find_here(hfunc.0)?;
    if ptr.is_null() || numbytes as usize > crate::device::launch::MOST_PARAMETERS {
        return Err(Error::INVALID_VALUE);
    }
    write(hfunc, offset, &guard::read_vec(ptr as usize, numbytes as usize)?)
}

/// Launches one block with the parameters set on the function (deprecated).
#[entry(since = 2000)]
pub fn cuLaunch(f: CUfunction) -> Result<()> {
    launch(f, 1, 1, CUstream::NULL)
}

/// Launches a 2D grid with the parameters set on the function (deprecated).
#[entry(since = 2000)]
pub fn cuLaunchGrid(f: CUfunction, grid_width: c_int, grid_height: c_int) -> Result<()> {
    launch(f, grid_width, grid_height, CUstream::NULL)
}

/// Queues a 2D grid with the parameters set on the function (deprecated).
#[entry(since = 2000, needs = context)]
pub fn cuLaunchGridAsync(f: CUfunction, grid_width: c_int, grid_height: c_int, hStream: CUstream) -> Result<()> {
    launch(f, grid_width, grid_height, hStream)
}

/// Queues cooperative grids on several devices at once (deprecated).
///
/// Each entry names a device of its own by its stream, which cannot be a default stream. Unless the flags say otherwise, no
/// grid begins before all streams have come that far, and no stream goes on before all grids have ended.
#[entry(since = 9000)]
pub fn cuLaunchCooperativeKernelMultiDevice(
    launchParamsList: InMut<CUDA_LAUNCH_PARAMS>,
    numDevices: c_uint,
    flags: c_uint,
) -> Result<()> {
    /// `CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_PRE_LAUNCH_SYNC`, `..._NO_POST_LAUNCH_SYNC`.
    const NO_SYNC: [c_uint; 2] = [1, 2];
    if numDevices == 0
        || flags & !(NO_SYNC[0] | NO_SYNC[1]) != 0
        || numDevices as usize > crate::device::devices().len()
    {
        return Err(Error::INVALID_VALUE);
    }
    let mut launches = Vec::new();
    for params in launchParamsList.slice(numDevices as usize)? {
        if params.hStream.0 <= 2 {
            return Err(Error::INVALID_HANDLE);
        }
        let stream = lookup(params.hStream, DefaultStream::Legacy)?;
        let context = stream.context.upgrade().ok_or(Error::CONTEXT_IS_DESTROYED)?;
        let named = params.function.0;
        let function = Function::named(named, Some(&context))?;
        let shape = Shape {
            grid: [params.gridDimX, params.gridDimY, params.gridDimZ],
            block: [params.blockDimX, params.blockDimY, params.blockDimZ],
        };
        let request = Request { cooperative: true, ..Request::plain(shape, params.sharedMemBytes) };
        let arguments = super::execution::arguments(InMut(params.kernelParams), InMut(core::ptr::null_mut()))?;
        launches.push(several::Part { stream, named, function, request, arguments });
    }
    several::launch(launches, flags & NO_SYNC[0] == 0, flags & NO_SYNC[1] == 0)
}

/// Attaches a texture reference to a function (deprecated).
///
/// References belong to modules, whose kernels have them without this call: it accepts one of the function's module.
#[entry(since = 2000)]
pub fn cuParamSetTexRef(hfunc: CUfunction, texunit: c_int, hTexRef: CUtexref) -> Result<()> {
    let function = Function::find_here(hfunc.0)?;
    REFERENCES.find(hTexRef.0)?;
    let module = MODULES.find(function.module)?;
    if texunit == CU_PARAM_TR_DEFAULT && module.has_texture_reference(hTexRef.0) {
        Ok(())
    } else {
        Err(Error::INVALID_VALUE)
    }
}

fn write(function: CUfunction, offset: c_int, bytes: &[u8]) -> Result<()> {
    let function = Function::find_here(function.0)?;
    let offset = usize::try_from(offset).map_err(|_| Error::INVALID_VALUE)?;
    function.legacy().write(offset, bytes)
}

fn launch(function: CUfunction, width: c_int, height: c_int, stream: CUstream) -> Result<()> {
    let function = Function::find_here(function.0)?;
    let grid = [width, height].map(|n| n.max(0) as u32);
    legacy_launch::launch(&lookup(stream, DefaultStream::Legacy)?, function, grid)
}
