//! Peers.

/// One property of the connection between two devices.
#[entry(since = 13000)]
pub fn cudaDeviceGetP2PAttribute(value: *mut c_int, attr: cudaDeviceP2PAttr, srcDevice: c_int, dstDevice: c_int) -> cudaError_t;

/// Copies between the memories of two devices.
#[entry(since = 13000)]
pub fn cudaMemcpyPeer(dst: *mut c_void, dstDevice: c_int, src: *const c_void, srcDevice: c_int, count: usize) -> cudaError_t;

/// `cudaMemcpyPeer` in the order of a stream.
#[entry(since = 13000)]
pub fn cudaMemcpyPeerAsync(dst: *mut c_void, dstDevice: c_int, src: *const c_void, srcDevice: c_int, count: usize, stream: cudaStream_t) -> cudaError_t;

/// Says whether a device can reach another's memory.
#[entry(since = 13000)]
pub fn cudaDeviceCanAccessPeer(canAccessPeer: *mut c_int, device: c_int, peerDevice: c_int) -> cudaError_t;

/// Lets the thread's device reach a peer's memory.
#[entry(since = 13000)]
pub fn cudaDeviceEnablePeerAccess(peerDevice: c_int, flags: c_uint) -> cudaError_t;

/// Ends the access to a peer's memory.
#[entry(since = 13000)]
pub fn cudaDeviceDisablePeerAccess(peerDevice: c_int) -> cudaError_t;
