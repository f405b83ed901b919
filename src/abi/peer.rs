//! Peer Context Memory Access.

#![allow(non_snake_case)]

use super::device::atomic_capabilities;
use super::ptr::{In, Out};
use super::types::*;
use crate::device::device;
use crate::device::memory::peer;
use crate::device::stream::capture;
use crate::device::stream::context;
use crate::device::stream::context::Context;
use api_macro::entry;
use core::ffi::{c_int, c_uint};
use error::{Error, Result};

/// Tells whether a device can reach another device's memory directly (1) or not (0).
///
/// Emulated devices always can. A device is no peer of itself: 0.
#[entry(since = 4000, needs = init)]
pub fn cuDeviceCanAccessPeer(canAccessPeer: Out<c_int>, dev: CUdevice, peerDev: CUdevice) -> Result<()> {
    canAccessPeer.check()?;
    canAccessPeer.set(peer::can_access(device(dev)?, device(peerDev)?).into())
}

/// Lets the current context reach the memory of a peer context.
///
/// `Flags` must be 0 (`CUDA_ERROR_INVALID_VALUE`). `CUDA_ERROR_PEER_ACCESS_UNSUPPORTED` for a context of the same device,
/// `CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED` the second time. The other direction is a call of its own.
#[entry(since = 4000)]
pub fn cuCtxEnablePeerAccess(peerContext: CUcontext, Flags: c_uint) -> Result<()> {
    if Flags != 0 {
        return Err(Error::INVALID_VALUE);
    }
    context::current_any()?.enable_peer(&Context::find_alive(peerContext.0)?)
}

/// Ends the current context's access to the memory of a peer context; `CUDA_ERROR_PEER_ACCESS_NOT_ENABLED` without one.
#[entry(since = 4000)]
pub fn cuCtxDisablePeerAccess(peerContext: CUcontext) -> Result<()> {
    capture::check_call()?;
    context::current_any()?.disable_peer(&Context::find_alive(peerContext.0)?)
}

/// Reads a property of the link between two different devices (`CUDA_ERROR_INVALID_DEVICE` for the same one twice).
#[entry(since = 8000, needs = init)]
pub fn cuDeviceGetP2PAttribute(
    value: Out<c_int>,
    attrib: CUdevice_P2PAttribute,
    srcDevice: CUdevice,
    dstDevice: CUdevice,
) -> Result<()> {
    value.check()?;
    let (source, destination) = (device(srcDevice)?, device(dstDevice)?);
    // Which devices counts before which property.
    peer::link(source, destination, peer::Link::Access)?;
    let property = match attrib {
        CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK => peer::Link::PerformanceRank,
        CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED => peer::Link::Access,
        CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED => peer::Link::NativeAtomics,
        CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED => peer::Link::ArrayAccess,
        CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED => peer::Link::OnlyPartialNativeAtomics,
        _ => return Err(Error::INVALID_VALUE),
    };
    value.set(peer::link(source, destination, property)?)
}

/// Tells for each of `count` listed atomic operations how a device can perform it on a peer's memory, as bits of
/// `CUatomicOperationCapability`.
///
/// None, as the real driver says of two H200s, although their `NATIVE_ATOMIC_SUPPORTED` is 1.
/// `CUDA_ERROR_INVALID_DEVICE` for the same device twice.
#[entry(since = 13000, needs = init)]
pub fn cuDeviceGetP2PAtomicCapabilities(
    capabilities: Out<c_uint>,
    operations: In<CUatomicOperation>,
    count: c_uint,
    srcDevice: CUdevice,
    dstDevice: CUdevice,
) -> Result<()> {
    if capabilities.is_null() || operations.is_null() || count == 0 {
        return Err(Error::INVALID_VALUE);
    }
    peer::link(device(srcDevice)?, device(dstDevice)?, peer::Link::NativeAtomics)?;
    atomic_capabilities(capabilities, operations, count, |_| 0)
}
