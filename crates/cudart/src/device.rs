//! Devices: choice, limits, synchronisation with the host, versions.

use crate::context;
use crate::driver as drv;
use crate::error::{Error, Result};
use crate::properties::Properties;
use crate::types::ChannelFormat;
use crate::user;
use core::ffi::{c_char, c_int, c_uint, c_void};

/// The flags that a context can have: scheduling, mapped memory, local memory, synchronous memory operations.
const FLAGS: c_uint = 0x07 | 0x08 | 0x10 | 0x80;

fn check_flags(flags: c_uint) -> Result {
    // Spin, yield and blocking exclude each other.
    if flags & !FLAGS != 0 || !matches!(flags & 7, 0 | 1 | 2 | 4) { Err(Error::INVALID_VALUE) } else { Ok(()) }
}

/// How far a device is from what a program wants: the number of wishes that it does not fulfil.
fn distance(wish: &Properties, device: &Properties) -> u32 {
    let mut misses = 0;
    let mut miss = |bad: bool| misses += u32::from(bad);
    miss(wish.name[0] != 0 && wish.name != device.name);
    miss(wish.totalGlobalMem > device.totalGlobalMem);
    miss(wish.sharedMemPerBlock > device.sharedMemPerBlock);
    miss(wish.regsPerBlock > device.regsPerBlock);
    miss(wish.maxThreadsPerBlock > device.maxThreadsPerBlock);
    miss((wish.major, wish.minor) > (device.major, device.minor));
    miss(wish.multiProcessorCount > device.multiProcessorCount);
    misses
}

api! {
    /// The number of devices.
    #[bare]
    fn cudaGetDeviceCount(count: *mut c_int) {
        if count.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        match context::device_count() {
            Ok(n) => user::write(count, n),
            Err(e) => {
                user::write(count, 0)?;
                Err(e)
            }
        }
    }

    /// Makes a device the thread's.
    #[bare]
    fn cudaSetDevice(device: c_int) {
        context::set_device(device)
    }

    /// The thread's device.
    #[bare]
    fn cudaGetDevice(device: *mut c_int) {
        if device.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        context::store_device(device)
    }

    /// Makes a device's context exist, with flags if the third argument says that they count.
    #[bare]
    fn cudaInitDevice(device: c_int, device_flags: c_uint, flags: c_uint) {
        const FLAGS_ARE_VALID: c_uint = 1;
        if flags & !FLAGS_ARE_VALID != 0 {
            return Err(Error::INVALID_VALUE);
        }
        let chosen = (flags & FLAGS_ARE_VALID != 0).then_some(device_flags);
        if let Some(flags) = chosen {
            check_flags(flags)?;
        }
        context::init_device(device, chosen)
    }

    /// Sets how the contexts of the thread's device wait for the device.
    #[bare]
    fn cudaSetDeviceFlags(flags: c_uint) {
        check_flags(flags)?;
        context::set_flags(flags & !context::MAP_HOST)
    }

    /// How the context of the thread's device waits for the device.
    #[bare]
    fn cudaGetDeviceFlags(flags: *mut c_uint) {
        if flags.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        user::write(flags, context::flags()?)
    }

    /// Names the devices that threads without a choice may get, in order of preference.
    #[bare]
    fn cudaSetValidDevices(devices: *mut c_int, len: c_int) {
        if len < 0 || (devices.is_null() && len > 0) || len > context::device_count()? {
            return Err(Error::INVALID_VALUE);
        }
        let list = user::read_all(devices, len as usize)?;
        list.iter().try_for_each(|&device| context::check_device(device))?;
        context::set_valid_devices(list);
        Ok(())
    }

    /// The device that fulfils most of the wishes.
    #[bare]
    fn cudaChooseDevice(device: *mut c_int, properties: *const Properties) {
        if device.is_null() || properties.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        let wish = user::read(properties)?;
        let mut best = (u32::MAX, 0);
        for candidate in 0..context::device_count()? {
            let misses = distance(&wish, &Properties::of(candidate)?);
            if misses < best.0 {
                best = (misses, candidate);
            }
        }
        user::write(device, best.1)
    }

    /// Empties the primary context of the thread's device: all of its memory, streams, events are gone.
    #[bare]
    fn cudaDeviceReset() {
        context::reset()
    }

    /// The old name of `cudaDeviceReset`.
    #[bare]
    #[cfg(cudart = "12")]
    fn cudaThreadExit() {
        context::reset()
    }

    /// One attribute of a device. The attributes have the driver's numbers.
    #[bare]
    fn cudaDeviceGetAttribute(value: *mut c_int, attribute: c_int, device: c_int) {
        if value.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        context::check_device(device)?;
        drv::cuDeviceGetAttribute(value, attribute, device)
    }

    /// The device at a PCI address.
    #[bare]
    fn cudaDeviceGetByPCIBusId(device: *mut c_int, id: *const c_char) {
        context::init()?;
        drv::cuDeviceGetByPCIBusId(device, id)
    }

    /// A device's PCI address.
    #[bare]
    fn cudaDeviceGetPCIBusId(id: *mut c_char, len: c_int, device: c_int) {
        context::check_device(device)?;
        drv::cuDeviceGetPCIBusId(id, len, device)
    }

    /// One limit of the context.
    fn cudaDeviceGetLimit(value: *mut usize, limit: c_int) {
        drv::cuCtxGetLimit(value, limit)
    }

    /// Sets one limit of the context.
    fn cudaDeviceSetLimit(limit: c_int, value: usize) {
        drv::cuCtxSetLimit(limit, value)
    }

    /// What the context prefers, shared memory or first-level cache.
    fn cudaDeviceGetCacheConfig(config: *mut c_int) {
        drv::cuCtxGetCacheConfig(config)
    }

    /// Sets what the context prefers, shared memory or first-level cache.
    fn cudaDeviceSetCacheConfig(config: c_int) {
        drv::cuCtxSetCacheConfig(config)
    }

    /// The width of the banks of shared memory.
    fn cudaDeviceGetSharedMemConfig(config: *mut c_int) {
        drv::cuCtxGetSharedMemConfig(config)
    }

    /// Sets the width of the banks of shared memory.
    fn cudaDeviceSetSharedMemConfig(config: c_int) {
        drv::cuCtxSetSharedMemConfig(config)
    }

    /// The old name of `cudaDeviceGetLimit`.
    #[cfg(cudart = "12")]
    fn cudaThreadGetLimit(value: *mut usize, limit: c_int) {
        drv::cuCtxGetLimit(value, limit)
    }

    /// The old name of `cudaDeviceSetLimit`.
    #[cfg(cudart = "12")]
    fn cudaThreadSetLimit(limit: c_int, value: usize) {
        drv::cuCtxSetLimit(limit, value)
    }

    /// The old name of `cudaDeviceGetCacheConfig`.
    #[cfg(cudart = "12")]
    fn cudaThreadGetCacheConfig(config: *mut c_int) {
        drv::cuCtxGetCacheConfig(config)
    }

    /// The old name of `cudaDeviceSetCacheConfig`.
    #[cfg(cudart = "12")]
    fn cudaThreadSetCacheConfig(config: c_int) {
        drv::cuCtxSetCacheConfig(config)
    }

    /// The widest texture of one dimension on linear memory.
    fn cudaDeviceGetTexture1DLinearMaxWidth(width: *mut usize, desc: *const ChannelFormat, device: c_int) {
        let (format, channels) = crate::array::driver_format(user::read(desc)?)?;
        drv::cuDeviceGetTexture1DLinearMaxWidth(width, format as c_int, channels, device)
    }

    /// Attributes of synchronisation objects of another interface.
    fn cudaDeviceGetNvSciSyncAttributes(list: *mut c_void, device: c_int, flags: c_int) {
        drv::cuDeviceGetNvSciSyncAttributes(list, device, flags)
    }

    /// Which atomic operations work between host and device.
    #[bare]
    #[cfg(cudart = "13")]
    fn cudaDeviceGetHostAtomicCapabilities(
        capabilities: *mut c_uint, operations: *const c_int, count: c_uint, device: c_int,
    ) {
        context::init()?;
        drv::cuDeviceGetHostAtomicCapabilities(capabilities, operations, count, device)
    }

    /// Which atomic operations work between two devices.
    #[bare]
    #[cfg(cudart = "13")]
    fn cudaDeviceGetP2PAtomicCapabilities(
        capabilities: *mut c_uint, operations: *const c_int, count: c_uint, src: c_int, dst: c_int,
    ) {
        context::init()?;
        drv::cuDeviceGetP2PAtomicCapabilities(capabilities, operations, count, src, dst)
    }

    /// Calls back when the device's memory situation changes.
    #[bare]
    fn cudaDeviceRegisterAsyncNotification(
        device: c_int, callback: *mut c_void, data: *mut c_void, handle: *mut *mut c_void,
    ) {
        context::init()?;
        drv::cuDeviceRegisterAsyncNotification(device, callback, data, handle)
    }

    /// Ends the calls.
    #[bare]
    fn cudaDeviceUnregisterAsyncNotification(device: c_int, handle: *mut c_void) {
        context::init()?;
        drv::cuDeviceUnregisterAsyncNotification(device, handle)
    }

    /// The version of the driver; 0 without one.
    #[bare]
    fn cudaDriverGetVersion(version: *mut c_int) {
        if version.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        match drv::cuDriverGetVersion(version) {
            Err(Error::INSUFFICIENT_DRIVER) => user::write(version, 0),
            other => other,
        }
    }

    /// The version of this runtime.
    #[bare]
    fn cudaRuntimeGetVersion(version: *mut c_int) {
        user::write(version, crate::VERSION)
    }

    /// Starts a profiler's collection.
    fn cudaProfilerStart() {
        drv::cuProfilerStart()
    }

    /// Stops a profiler's collection.
    fn cudaProfilerStop() {
        drv::cuProfilerStop()
    }

    /// What devices without double precision needed.
    #[bare]
    #[cfg(cudart = "12")]
    fn cudaSetDoubleForDevice(_value: *mut f64) {
        Ok(())
    }

    /// What devices without double precision needed.
    #[bare]
    #[cfg(cudart = "12")]
    fn cudaSetDoubleForHost(_value: *mut f64) {
        Ok(())
    }
}
