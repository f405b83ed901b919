//! Peer Context Memory Access.

#![allow(non_snake_case)]

use super::ptr::{In, Out};
use super::types::{CUatomicOperation, CUcontext, CUdevice, CUdevice_P2PAttribute};
use crate::error::Result;
use api_macro::entry;
use core::ffi::{c_int, c_uint};

/// Tells whether a device can reach another device's memory directly.
#[entry(since = 4000, needs = init)]
pub fn cuDeviceCanAccessPeer(canAccessPeer: Out<c_int>, dev: CUdevice, peerDev: CUdevice) -> Result<()>;

/// Lets the current context reach the memory of a peer context.
#[entry(since = 4000)]
pub fn cuCtxEnablePeerAccess(peerContext: CUcontext, Flags: c_uint) -> Result<()>;

/// Ends the current context's access to the memory of a peer context.
#[entry(since = 4000)]
pub fn cuCtxDisablePeerAccess(peerContext: CUcontext) -> Result<()>;

/// Reads a property of the link between two devices.
#[entry(since = 8000, needs = init)]
pub fn cuDeviceGetP2PAttribute(
    value: Out<c_int>,
    attrib: CUdevice_P2PAttribute,
    srcDevice: CUdevice,
    dstDevice: CUdevice,
) -> Result<()>;

/// Tells for each listed atomic operation how a device can perform it on a peer's memory.
#[entry(since = 13000, needs = init)]
pub fn cuDeviceGetP2PAtomicCapabilities(
    capabilities: Out<c_uint>,
    operations: In<CUatomicOperation>,
    count: c_uint,
    srcDevice: CUdevice,
    dstDevice: CUdevice,
) -> Result<()>;
