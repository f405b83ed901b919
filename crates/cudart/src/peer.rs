//! Access of one device to another's memory.

use crate::context;
use crate::driver as drv;
use crate::error::Result;
use crate::types::Handle;
use core::ffi::{c_int, c_uint, c_void};

fn contexts(dst: c_int, src: c_int) -> Result<(Handle, Handle)> {
    context::check_device(dst)?;
    context::check_device(src)?;
    Ok((context::primary(dst)?, context::primary(src)?))
}

api! {
    /// Says whether a device can reach another's memory.
    #[bare]
    fn cudaDeviceCanAccessPeer(can: *mut c_int, device: c_int, peer: c_int) {
        context::init()?;
        drv::cuDeviceCanAccessPeer(can, device, peer)
    }

    /// One property of the connection between two devices.
    #[bare]
    fn cudaDeviceGetP2PAttribute(value: *mut c_int, attribute: c_int, src: c_int, dst: c_int) {
        context::init()?;
        drv::cuDeviceGetP2PAttribute(value, attribute, src, dst)
    }

    /// Lets the thread's device reach a peer's memory.
    fn cudaDeviceEnablePeerAccess(peer: c_int, flags: c_uint) {
        context::check_device(peer)?;
        drv::cuCtxEnablePeerAccess(context::primary(peer)?, flags)
    }

    /// Ends the access to a peer's memory.
    fn cudaDeviceDisablePeerAccess(peer: c_int) {
        context::check_device(peer)?;
        drv::cuCtxDisablePeerAccess(context::primary(peer)?)
    }

    /// Copies between the memories of two devices.
    fn cudaMemcpyPeer(dst: *mut c_void, dst_device: c_int, src: *const c_void, src_device: c_int, count: usize) {
        let (to, from) = contexts(dst_device, src_device)?;
        drv::cuMemcpyPeer(false, dst, to, src, from, count)
    }

    /// `cudaMemcpyPeer` in the order of a stream.
    fn cudaMemcpyPeerAsync(
        dst: *mut c_void, dst_device: c_int, src: *const c_void, src_device: c_int, count: usize, stream: Handle,
    ) {
        let (to, from) = contexts(dst_device, src_device)?;
        drv::cuMemcpyPeerAsync(false, dst, to, src, from, count, stream)
    }
}
