//! Launches, attributes of kernels, occupancy. Grids and blocks are the driver's to judge.

use crate::driver as drv;
use crate::error::{Error, Result};
#[cfg(cudart = "12")]
use crate::registry::registered;
use crate::registry::{kernel, kernel_name, kernel_of_handle};
use crate::types::{Dim3, DriverLaunchConfig, FuncAttributes, Handle, LaunchConfig, NULL};
#[cfg(cudart = "12")]
use crate::types::{DriverLaunchParams, LaunchParams};
use crate::user;
use core::ffi::{c_char, c_int, c_uint, c_void};

fn shared_bytes(bytes: usize) -> Result<c_uint> {
    c_uint::try_from(bytes).map_err(|_| Error::INVALID_VALUE)
}

fn launch(
    kernel: Handle,
    grid: Dim3,
    block: Dim3,
    args: *mut *mut c_void,
    shared: usize,
    stream: Handle,
    pt: bool,
) -> Result {
    let shared = shared_bytes(shared)?;
    drv::cuLaunchKernel(pt, kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, stream, args, NULL)
}

fn config(config: *const LaunchConfig) -> Result<DriverLaunchConfig> {
    let c = user::read(config)?;
    let mut d = DriverLaunchConfig::zero();
    (d.grid, d.block, d.shared, d.stream) = (c.grid, c.block, shared_bytes(c.shared)?, c.stream);
    (d.attributes, d.attribute_count) = (c.attributes, c.attribute_count);
    Ok(d)
}

/// Threads of a block, on every device.
#[cfg(cudart = "12")]
const MOST_THREADS: u64 = 1024;

/// One of several launches, with the kernel as a function of its stream's context.
#[cfg(cudart = "12")]
fn params(launch: LaunchParams) -> Result<DriverLaunchParams> {
    // Handles of kernels are refused here, as by NVIDIA's runtime.
    let kernel = registered(launch.function)?;
    let (mut context, mut popped, mut function): (Handle, Handle, Handle) = (NULL, NULL, NULL);
    drv::cuStreamGetCtx(false, launch.stream, &raw mut context)?;
    drv::cuCtxPushCurrent_v2(context)?;
    let found = drv::cuKernelGetFunction(&raw mut function, kernel);
    drv::cuCtxPopCurrent_v2(&raw mut popped)?;
    found?;
    let mut d = DriverLaunchParams::zero();
    // Of the bytes of shared memory 32 bits count, as there.
    (d.function, d.grid, d.block, d.shared) = (function, launch.grid, launch.block, launch.shared as c_uint);
    (d.stream, d.args) = (launch.stream, launch.args);
    Ok(d)
}

api! {
    /// Launches the kernel of a host function.
    fn cudaLaunchKernel / cudaLaunchKernel_ptsz(
        function: *const c_void, grid: Dim3, block: Dim3, args: *mut *mut c_void, shared: usize, stream: Handle,
    ) |pt| {
        launch(kernel(function)?, grid, block, args, shared, stream, pt)
    }

    /// Launches a kernel that compiled code got by `__cudaGetKernel`.
    fn __cudaLaunchKernel / __cudaLaunchKernel_ptsz(
        kernel: Handle, grid: Dim3, block: Dim3, args: *mut *mut c_void, shared: usize, stream: Handle,
    ) |pt| {
        launch(kernel_of_handle(kernel)?, grid, block, args, shared, stream, pt)
    }

    /// Launches with attributes.
    fn cudaLaunchKernelExC / cudaLaunchKernelExC_ptsz(
        launch: *const LaunchConfig, function: *const c_void, args: *mut *mut c_void,
    ) |pt| {
        let launch = config(launch)?;
        drv::cuLaunchKernelEx(pt, &raw const launch, kernel(function)?, args, NULL)
    }

    /// Launches a kernel whose blocks all run at once.
    fn cudaLaunchCooperativeKernel / cudaLaunchCooperativeKernel_ptsz(
        function: *const c_void, grid: Dim3, block: Dim3, args: *mut *mut c_void, shared: usize, stream: Handle,
    ) |pt| {
        let shared = shared_bytes(shared)?;
        drv::cuLaunchCooperativeKernel(
            pt, kernel(function)?, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, stream, args,
        )
    }

    /// Launches kernels whose blocks all run at once, on several devices together.
    #[cfg(cudart = "12")]
    fn cudaLaunchCooperativeKernelMultiDevice(list: *mut LaunchParams, devices: c_uint, flags: c_uint) {
        let mut there: c_int = 0;
        drv::cuDeviceGetCount(&raw mut there)?;
        if devices == 0 || devices > there as c_uint {
            return Err(Error::INVALID_VALUE);
        }
        let launches = user::read_all(list, devices as usize)?;
        let launches = launches.into_iter().map(params).collect::<Result<Vec<_>>>()?;
        let impossible = |launch: &DriverLaunchParams| {
            let block = [launch.block.x, launch.block.y, launch.block.z].map(u64::from);
            let threads = block.into_iter().fold(1, u64::saturating_mul);
            launch.grid.x == 0 || launch.grid.y == 0 || launch.grid.z == 0 || threads == 0 || threads > MOST_THREADS
        };
        match drv::cuLaunchCooperativeKernelMultiDevice(launches.as_ptr(), devices, flags) {
            Err(Error::INVALID_VALUE) if launches.iter().any(impossible) => Err(Error::INVALID_CONFIGURATION),
            done => done,
        }
    }

    /// What is known about a kernel.
    fn cudaFuncGetAttributes(attributes: *mut FuncAttributes, function: *const c_void) {
        if attributes.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        let kernel = kernel(function)?;
        let mut device: c_int = 0;
        drv::cuCtxGetDevice(&raw mut device)?;
        let mut values = [0 as c_int; 16];
        for (number, value) in (0..).zip(values.iter_mut()) {
            drv::cuKernelGetAttribute(&raw mut *value, number, kernel, device)?;
        }
        let v = values;
        let mut a = FuncAttributes::zero();
        (a.max_threads_per_block, a.shared_size) = (v[0], v[1] as usize);
        (a.const_size, a.local_size) = (v[2] as usize, v[3] as usize);
        (a.num_regs, a.ptx_version, a.binary_version, a.cache_mode_ca) = (v[4], v[5], v[6], v[7]);
        (a.max_dynamic_shared_size, a.preferred_carveout) = (v[8], v[9]);
        (a.cluster_dim_must_be_set, a.required_cluster) = (v[10], [v[11], v[12], v[13]]);
        (a.non_portable_cluster_size, a.cluster_scheduling_policy) = (v[14], v[15]);
        user::write(attributes, a)
    }

    /// Sets one attribute of a kernel.
    fn cudaFuncSetAttribute(function: *const c_void, attribute: c_int, value: c_int) {
        let kernel = kernel(function)?;
        let mut device: c_int = 0;
        drv::cuCtxGetDevice(&raw mut device)?;
        drv::cuKernelSetAttribute(attribute, value, kernel, device)
    }

    /// Sets what a kernel prefers, shared memory or first-level cache.
    fn cudaFuncSetCacheConfig(function: *const c_void, cache: c_int) {
        let kernel = kernel(function)?;
        let mut device: c_int = 0;
        drv::cuCtxGetDevice(&raw mut device)?;
        drv::cuKernelSetCacheConfig(kernel, cache, device)
    }

    /// Sets the width of the banks of a kernel's shared memory.
    fn cudaFuncSetSharedMemConfig(function: *const c_void, banks: c_int) {
        let mut f: Handle = NULL;
        drv::cuKernelGetFunction(&raw mut f, kernel(function)?)?;
        drv::cuFuncSetSharedMemConfig(f, banks)
    }

    /// The kernel's name in the code.
    fn cudaFuncGetName(name: *mut *const c_char, function: *const c_void) {
        if name.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        user::write(name, kernel_name(function)?)
    }

    /// Where a parameter of a kernel lies.
    fn cudaFuncGetParamInfo(function: *const c_void, index: usize, offset: *mut usize, size: *mut usize) {
        drv::cuKernelGetParamInfo(kernel(function)?, index, offset, size)
    }

    /// The number of a kernel's parameters.
    #[cfg(cudart = "13")]
    fn cudaFuncGetParamCount(function: *const c_void, count: *mut usize) {
        drv::cuKernelGetParamCount(kernel(function)?, count)
    }

    /// How many blocks of a kernel a multiprocessor holds.
    fn cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        blocks: *mut c_int, function: *const c_void, size: c_int, shared: usize,
    ) {
        drv::cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel(function)?, size, shared, 0u32)
    }

    /// How many blocks of a kernel a multiprocessor holds, with flags.
    fn cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks: *mut c_int, function: *const c_void, size: c_int, shared: usize, flags: c_uint,
    ) {
        drv::cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel(function)?, size, shared, flags)
    }

    /// How much shared memory remains for so many blocks.
    fn cudaOccupancyAvailableDynamicSMemPerBlock(
        bytes: *mut usize, function: *const c_void, blocks: c_int, size: c_int,
    ) {
        drv::cuOccupancyAvailableDynamicSMemPerBlock(bytes, kernel(function)?, blocks, size)
    }

    /// The largest cluster that a launch could have.
    fn cudaOccupancyMaxPotentialClusterSize(size: *mut c_int, function: *const c_void, launch: *const LaunchConfig) {
        let launch = config(launch)?;
        drv::cuOccupancyMaxPotentialClusterSize(size, kernel(function)?, &raw const launch)
    }

    /// How many clusters run at once.
    fn cudaOccupancyMaxActiveClusters(count: *mut c_int, function: *const c_void, launch: *const LaunchConfig) {
        let launch = config(launch)?;
        drv::cuOccupancyMaxActiveClusters(count, kernel(function)?, &raw const launch)
    }
}
