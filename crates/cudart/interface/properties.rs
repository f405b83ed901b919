//! Properties of devices.

/// The properties of a device.
#[entry(since = 13000)]
pub fn cudaGetDeviceProperties(prop: *mut cudaDeviceProp, device: c_int) -> cudaError_t;
