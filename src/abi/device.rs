//! Device Management.

#![allow(non_snake_case)]

use super::ptr::{In, InOut, Out};
use super::types::{
    CUarray_format, CUatomicOperation, CUcliqueInfo, CUdevice, CUdevice_attribute, CUdevprop, CUexecAffinityType,
    CUflushGPUDirectRDMAWritesScope, CUflushGPUDirectRDMAWritesTarget, CUmemoryPool, CUuuid,
};
use crate::device;
use crate::error::Result;
use api_macro::entry;
use core::ffi::{c_char, c_int, c_uint, c_void};

/// Turns an ordinal, counted from 0, into a device handle.
#[entry(since = 2000, needs = init)]
pub fn cuDeviceGet(device: Out<CUdevice>, ordinal: c_int) -> Result<()> {
    device.check()?;
    device::device(ordinal)?;
    device.set(ordinal)
}

/// Counts the devices visible to this process.
#[entry(since = 2000, needs = init)]
pub fn cuDeviceGetCount(count: Out<c_int>) -> Result<()>;

/// Copies the product name of a device into a buffer.
#[entry(since = 2000, needs = init)]
pub fn cuDeviceGetName(name: Out<c_char>, len: c_int, dev: CUdevice) -> Result<()>;

/// Reports the 16-byte identity of a device, or of the MIG instance that the handle stands for.
#[entry(since = 11040, needs = init)]
pub fn cuDeviceGetUuid_v2(uuid: Out<CUuuid>, dev: CUdevice) -> Result<()>;

/// Reports the 16-byte identity of a device; a MIG instance answers with its parent's.
#[entry(since = 9020, needs = init)]
pub fn cuDeviceGetUuid(uuid: Out<CUuuid>, dev: CUdevice) -> Result<()>;

/// Reports the Windows adapter identifier and node mask of a device; has no meaning elsewhere.
#[entry(since = 10000, needs = init)]
pub fn cuDeviceGetLuid(luid: Out<c_char>, deviceNodeMask: Out<c_uint>, dev: CUdevice) -> Result<()>;

/// Reports how much memory a device has, in bytes.
#[entry(since = 3020, needs = init)]
pub fn cuDeviceTotalMem_v2(bytes: Out<usize>, dev: CUdevice) -> Result<()>;

/// First-generation [`cuDeviceTotalMem_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000, needs = init)]
pub fn cuDeviceTotalMem(bytes: Out<c_uint>, dev: CUdevice) -> Result<()>;

/// Reports how many elements a 1D texture over linear memory may have for a given element format.
#[entry(since = 11010, needs = init)]
pub fn cuDeviceGetTexture1DLinearMaxWidth(
    maxWidthInElements: Out<usize>,
    format: CUarray_format,
    numChannels: c_uint,
    dev: CUdevice,
) -> Result<()>;

/// Reads one integer property of a device: limits, sizes, clock rates and capabilities.
#[entry(since = 2000, needs = init)]
pub fn cuDeviceGetAttribute(pi: Out<c_int>, attrib: CUdevice_attribute, dev: CUdevice) -> Result<()>;

/// Tells for each listed atomic operation how a device can perform it on host memory.
#[entry(since = 13000, needs = init)]
pub fn cuDeviceGetHostAtomicCapabilities(
    capabilities: Out<c_uint>,
    operations: In<CUatomicOperation>,
    count: c_uint,
    dev: CUdevice,
) -> Result<()>;

/// Fills an NvSciSync attribute list with what a device needs to signal or wait on such objects.
#[entry(since = 10020, needs = init)]
pub fn cuDeviceGetNvSciSyncAttributes(nvSciSyncAttrList: *mut c_void, dev: CUdevice, flags: c_int) -> Result<()>;

/// Chooses the pool from which `cuMemAllocAsync` allocates on a device.
#[entry(since = 11020, needs = init)]
pub fn cuDeviceSetMemPool(dev: CUdevice, pool: CUmemoryPool) -> Result<()>;

/// Reports the pool from which `cuMemAllocAsync` allocates on a device at present.
#[entry(since = 11020, needs = init)]
pub fn cuDeviceGetMemPool(pool: Out<CUmemoryPool>, dev: CUdevice) -> Result<()>;

/// Reports the pool that a device is born with.
#[entry(since = 11020, needs = init)]
pub fn cuDeviceGetDefaultMemPool(pool_out: Out<CUmemoryPool>, dev: CUdevice) -> Result<()>;

/// Tells whether a device can create contexts with a given kind of execution affinity.
#[entry(since = 11040, needs = init)]
pub fn cuDeviceGetExecAffinitySupport(pi: Out<c_int>, r#type: CUexecAffinityType, dev: CUdevice) -> Result<()>;

/// Fills the old structure of basic device limits (deprecated; use `cuDeviceGetAttribute`).
#[entry(since = 2000, needs = init)]
pub fn cuDeviceGetProperties(prop: Out<CUdevprop>, dev: CUdevice) -> Result<()>;

/// Reports the compute capability of a device (deprecated; use `cuDeviceGetAttribute`).
#[entry(since = 2000, needs = init)]
pub fn cuDeviceComputeCapability(major: Out<c_int>, minor: Out<c_int>, dev: CUdevice) -> Result<()>;

/// Finds the device at a PCI address written as text (`domain:bus:device.function`).
#[entry(since = 4010, needs = init)]
pub fn cuDeviceGetByPCIBusId(dev: Out<CUdevice>, pciBusId: In<c_char>) -> Result<()>;

/// Writes the PCI address of a device as text.
#[entry(since = 4010, needs = init)]
pub fn cuDeviceGetPCIBusId(pciBusId: Out<c_char>, len: c_int, dev: CUdevice) -> Result<()>;

/// Reports the identity of the fabric cluster that a device belongs to.
#[entry(since = 13040, needs = init)]
pub fn cuDeviceGetFabricClusterUuid(uuid: Out<CUuuid>, dev: CUdevice) -> Result<()>;

/// Counts the fabric cliques that a device belongs to.
#[entry(since = 13040, needs = init)]
pub fn cuDeviceGetCliqueCount(count: Out<usize>, dev: CUdevice) -> Result<()>;

/// Lists the fabric cliques that a device belongs to.
#[entry(since = 13040, needs = init)]
pub fn cuDeviceGetCliqueInfo(cliqueInfo: Out<CUcliqueInfo>, count: InOut<usize>, dev: CUdevice) -> Result<()>;

/// Makes remote writes that arrived through GPUDirect RDMA visible to the given scope.
#[entry(since = 11030)]
pub fn cuFlushGPUDirectRDMAWrites(
    target: CUflushGPUDirectRDMAWritesTarget,
    scope: CUflushGPUDirectRDMAWritesScope,
) -> Result<()>;
