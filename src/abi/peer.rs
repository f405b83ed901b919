//! Peer Context Memory Access.

#![allow(non_snake_case)]

use super::convert::atomic::atomic_capabilities;
use super::ptr::{In, Out};
use super::types::*;
use api_macro::entry;
use core::ffi::{c_int, c_uint};
use device::device;
use device::memory::peer;
use device::stream::capture;
use device::stream::context;
use device::stream::context::Context;
use error::{Error, Result, refuse, refuse_if};

/// Tells whether a device can reach another device's memory directly.
///
/// - `canAccessPeer`: receives 1 for two different devices, 0 for the same one.
/// - `dev`: ordinal of the device that accesses.
/// - `peerDev`: ordinal of the device whose memory it is.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `canAccessPeer` is NULL; `CUDA_ERROR_INVALID_DEVICE` if a device does not
/// exist.
///
/// Manual: Peer Context Memory Access.
#[entry(since = 4000, needs = init)]
pub fn cuDeviceCanAccessPeer(canAccessPeer: Out<c_int>, dev: CUdevice, peerDev: CUdevice) -> Result<()> {
    canAccessPeer.check()?;
    canAccessPeer.set(peer::can_access(device(dev)?, device(peerDev)?).into())
}

/// Lets the current context reach the memory of a peer context.
///
/// The other direction is a call of its own.
///
/// - `peerContext`: context of another device.
/// - `Flags`: 0.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `Flags` is not 0; `CUDA_ERROR_INVALID_CONTEXT` if `peerContext` is no context,
/// or a primary one that is not active; `CUDA_ERROR_CONTEXT_IS_DESTROYED` if it was destroyed;
/// `CUDA_ERROR_PEER_ACCESS_UNSUPPORTED` if it is of the same device; `CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED` the
/// second time.
///
/// Manual: Peer Context Memory Access.
#[entry(since = 4000)]
pub fn cuCtxEnablePeerAccess(peerContext: CUcontext, Flags: c_uint) -> Result<()> {
    refuse_if!(Error::INVALID_VALUE, Flags != 0, "Flags {:#x} is not 0", Flags);
    context::current_any()?.enable_peer(&Context::find_alive(peerContext.0)?)
}

/// Ends the current context's access to the memory of a peer context.
///
/// - `peerContext`: context of another device.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` if `peerContext` is no context, or a primary one that is not active;
/// `CUDA_ERROR_CONTEXT_IS_DESTROYED` if it was destroyed; `CUDA_ERROR_PEER_ACCESS_NOT_ENABLED` if there was no access;
/// `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call.
///
/// Manual: Peer Context Memory Access.
#[entry(since = 4000)]
pub fn cuCtxDisablePeerAccess(peerContext: CUcontext) -> Result<()> {
    capture::check_call()?;
    context::current_any()?.disable_peer(&Context::find_alive(peerContext.0)?)
}

/// Reads an attribute of the link between two different devices.
///
/// - `value`: receives the value: 0 for the performance rank and for partial atomics, 1 for the others.
/// - `attrib`: `CU_DEVICE_P2P_ATTRIBUTE_*`.
/// - `srcDevice`: ordinal of the device that accesses.
/// - `dstDevice`: ordinal of the device whose memory it is.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `value` is NULL or the attribute is unknown; `CUDA_ERROR_INVALID_DEVICE` if a
/// device does not exist or both are the same.
///
/// Manual: Peer Context Memory Access.
#[entry(since = 8000, needs = init)]
pub fn cuDeviceGetP2PAttribute(
    value: Out<c_int>,
    attrib: CUdevice_P2PAttribute,
    srcDevice: CUdevice,
    dstDevice: CUdevice,
) -> Result<()> {
    value.check()?;
    let (source, destination) = (device(srcDevice)?, device(dstDevice)?);
    // The devices are checked before the attribute.
    peer::link(source, destination, peer::Link::Access)?;
    let property = match attrib {
        CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK => peer::Link::PerformanceRank,
        CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED => peer::Link::Access,
        CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED => peer::Link::NativeAtomics,
        CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED => peer::Link::ArrayAccess,
        CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED => peer::Link::OnlyPartialNativeAtomics,
        _ => return Err(refuse!(Error::INVALID_VALUE, "attrib {:?} is not a CUdevice_P2PAttribute", attrib)),
    };
    value.set(peer::link(source, destination, property)?)
}

/// Tells how a device can perform atomic operations on a peer's memory.
///
/// All answers are 0, as those of the real driver for two H200s, although
/// `CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED` is 1 for them.
///
/// - `capabilities`: receives `count` sets of `CUatomicOperationCapability` bits.
/// - `operations`: array of `count` atomic operations.
/// - `count`: number of operations, at least 1.
/// - `srcDevice`: ordinal of the device that accesses.
/// - `dstDevice`: ordinal of the device whose memory it is.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if an array is NULL, if `count` is 0, or if an operation is unknown, whose entry
/// becomes 0; `CUDA_ERROR_INVALID_DEVICE` if a device does not exist or both are the same.
///
/// Manual: Peer Context Memory Access.
#[entry(since = 13000, needs = init)]
pub fn cuDeviceGetP2PAtomicCapabilities(
    capabilities: Out<c_uint>,
    operations: In<CUatomicOperation>,
    count: c_uint,
    srcDevice: CUdevice,
    dstDevice: CUdevice,
) -> Result<()> {
    refuse_if!(Error::INVALID_VALUE, capabilities.is_null(), "capabilities is NULL");
    refuse_if!(Error::INVALID_VALUE, operations.is_null(), "operations is NULL");
    refuse_if!(Error::INVALID_VALUE, count == 0, "count is 0");
    peer::link(device(srcDevice)?, device(dstDevice)?, peer::Link::NativeAtomics)?;
    atomic_capabilities(capabilities, operations, count, |_| 0)
}
