//! Devices.

/// Empties the primary context of the thread's device: all of its memory, streams, events are gone.
#[entry(since = 13000)]
pub fn cudaDeviceReset() -> cudaError_t;

/// Sets one limit of the context.
#[entry(since = 13000)]
pub fn cudaDeviceSetLimit(limit: cudaLimit, value: usize) -> cudaError_t;

/// One limit of the context.
#[entry(since = 13000)]
pub fn cudaDeviceGetLimit(pValue: *mut usize, limit: cudaLimit) -> cudaError_t;

/// The widest texture of one dimension on linear memory.
#[entry(since = 13000)]
pub fn cudaDeviceGetTexture1DLinearMaxWidth(maxWidthInElements: *mut usize, fmtDesc: *const cudaChannelFormatDesc, device: c_int) -> cudaError_t;

/// What the context prefers, shared memory or first-level cache.
#[entry(since = 13000)]
pub fn cudaDeviceGetCacheConfig(pCacheConfig: *mut cudaFuncCache) -> cudaError_t;

/// Sets what the context prefers, shared memory or first-level cache.
#[entry(since = 13000)]
pub fn cudaDeviceSetCacheConfig(cacheConfig: cudaFuncCache) -> cudaError_t;

/// The device at a PCI address.
#[entry(since = 13000)]
pub fn cudaDeviceGetByPCIBusId(device: *mut c_int, pciBusId: *const c_char) -> cudaError_t;

/// A device's PCI address.
#[entry(since = 13000)]
pub fn cudaDeviceGetPCIBusId(pciBusId: *mut c_char, len: c_int, device: c_int) -> cudaError_t;

/// Calls back when the device's memory situation changes.
#[entry(since = 13000)]
pub fn cudaDeviceRegisterAsyncNotification(device: c_int, callbackFunc: cudaAsyncCallback, userData: *mut c_void, callback: *mut cudaAsyncCallbackHandle_t) -> cudaError_t;

/// Ends the calls.
#[entry(since = 13000)]
pub fn cudaDeviceUnregisterAsyncNotification(device: c_int, callback: cudaAsyncCallbackHandle_t) -> cudaError_t;

/// The width of the banks of shared memory.
#[entry(since = 13000)]
pub fn cudaDeviceGetSharedMemConfig(pConfig: *mut cudaSharedMemConfig) -> cudaError_t;

/// Sets the width of the banks of shared memory.
#[entry(since = 13000)]
pub fn cudaDeviceSetSharedMemConfig(config: cudaSharedMemConfig) -> cudaError_t;

/// The number of devices.
#[entry(since = 13000)]
pub fn cudaGetDeviceCount(count: *mut c_int) -> cudaError_t;

/// One attribute of a device. The attributes have the driver's numbers.
#[entry(since = 13000)]
pub fn cudaDeviceGetAttribute(value: *mut c_int, attr: cudaDeviceAttr, device: c_int) -> cudaError_t;

/// Which atomic operations work between host and device.
#[entry(since = 13000)]
pub fn cudaDeviceGetHostAtomicCapabilities(capabilities: *mut c_uint, operations: *const cudaAtomicOperation, count: c_uint, device: c_int) -> cudaError_t;

/// Attributes of synchronisation objects of another interface.
#[entry(since = 13000)]
pub fn cudaDeviceGetNvSciSyncAttributes(nvSciSyncAttrList: *mut c_void, device: c_int, flags: c_int) -> cudaError_t;

/// Which atomic operations work between two devices.
#[entry(since = 13000)]
pub fn cudaDeviceGetP2PAtomicCapabilities(capabilities: *mut c_uint, operations: *const cudaAtomicOperation, count: c_uint, srcDevice: c_int, dstDevice: c_int) -> cudaError_t;

/// The device that fulfils most of the wishes.
#[entry(since = 13000)]
pub fn cudaChooseDevice(device: *mut c_int, prop: *const cudaDeviceProp) -> cudaError_t;

/// Makes a device's context exist, with flags if the third argument says that they count.
#[entry(since = 13000)]
pub fn cudaInitDevice(device: c_int, deviceFlags: c_uint, flags: c_uint) -> cudaError_t;

/// Makes a device the thread's.
#[entry(since = 13000)]
pub fn cudaSetDevice(device: c_int) -> cudaError_t;

/// The thread's device.
#[entry(since = 13000)]
pub fn cudaGetDevice(device: *mut c_int) -> cudaError_t;

/// Names the devices that threads without a choice may get, in order of preference.
#[entry(since = 13000)]
pub fn cudaSetValidDevices(device_arr: *mut c_int, len: c_int) -> cudaError_t;

/// Sets how the contexts of the thread's device wait for the device.
#[entry(since = 13000)]
pub fn cudaSetDeviceFlags(flags: c_uint) -> cudaError_t;

/// How the context of the thread's device waits for the device.
#[entry(since = 13000)]
pub fn cudaGetDeviceFlags(flags: *mut c_uint) -> cudaError_t;

/// The version of the driver; 0 without one.
#[entry(since = 13000)]
pub fn cudaDriverGetVersion(driverVersion: *mut c_int) -> cudaError_t;

/// The version of this runtime.
#[entry(since = 13000)]
pub fn cudaRuntimeGetVersion(runtimeVersion: *mut c_int) -> cudaError_t;
