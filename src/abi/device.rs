//! Device Management.

#![allow(non_snake_case)]

use super::convert::atomic::atomic_capabilities;
use super::ptr::{In, InOut, Out};
use super::types::*;
use api_macro::entry;
use core::ffi::{c_char, c_int, c_uint, c_void};
use device::array::format::Format;
use device::base::attribute::DeviceAttribute;
use device::base::location::Location;
use device::base::pci;
use device::memory::pool;
use device::memory::pool::Class;
use device::stream::capture;
use error::{Error, Result, refuse, refuse_if};

/// Turns an ordinal into a device handle.
///
/// - `device`: receives the handle.
/// - `ordinal`: number of the device among those visible to this process, from 0.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `device` is NULL; `CUDA_ERROR_INVALID_DEVICE` if there is no device with that
/// ordinal.
///
/// Manual: Device Management.
#[entry(since = 2000, needs = init)]
pub fn cuDeviceGet(device: Out<CUdevice>, ordinal: c_int) -> Result<()> {
    device.check()?;
    device::device(ordinal)?;
    device.set(ordinal)
}

/// Counts the devices visible to this process.
///
/// - `count`: receives the number.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `count` is NULL.
///
/// Manual: Device Management.
#[entry(since = 2000, needs = init)]
pub fn cuDeviceGetCount(count: Out<c_int>) -> Result<()> {
    count.set(device::devices().len() as c_int)
}

/// Copies the product name of a device into a buffer.
///
/// - `name`: receives the text and a NUL, cut short if it must be.
/// - `len`: size of the buffer in bytes, at least 1.
/// - `dev`: the device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `name` is NULL or `len` is not positive; `CUDA_ERROR_INVALID_DEVICE` if there
/// is no such device.
///
/// Manual: Device Management.
#[entry(since = 2000, needs = init)]
pub fn cuDeviceGetName(name: Out<c_char>, len: c_int, dev: CUdevice) -> Result<()> {
    let len = usize::try_from(len)
        .ok()
        .filter(|&len| len > 0 && !name.is_null())
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "len {} is not positive, or name is NULL", len))?;
    name.set_string(&device::device(dev)?.profile.name, len)
}

/// Reports the 16-byte identity of a device, or of the MIG instance that the handle stands for.
///
/// It belongs to the device and does not change with `CUDA_VISIBLE_DEVICES`.
///
/// - `uuid`: receives the identity.
/// - `dev`: the device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `uuid` is NULL; `CUDA_ERROR_INVALID_DEVICE` if there is no such device.
///
/// Manual: Device Management.
#[entry(since = 11040, needs = init)]
pub fn cuDeviceGetUuid_v2(uuid: Out<CUuuid>, dev: CUdevice) -> Result<()> {
    write_uuid(uuid, dev)
}

/// Reports the 16-byte identity of a device; a MIG instance answers with its parent's.
///
/// As [`cuDeviceGetUuid_v2`]: there are no MIG instances here.
///
/// - `uuid`: receives the identity.
/// - `dev`: the device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `uuid` is NULL; `CUDA_ERROR_INVALID_DEVICE` if there is no such device.
///
/// Manual: Device Management.
#[entry(since = 9020, needs = init)]
pub fn cuDeviceGetUuid(uuid: Out<CUuuid>, dev: CUdevice) -> Result<()> {
    write_uuid(uuid, dev)
}

fn write_uuid(uuid: Out<CUuuid>, dev: CUdevice) -> Result<()> {
    uuid.check()?;
    let bytes = device::device(dev)?.uuid;
    uuid.set(CUuuid { bytes: bytes.map(|b| b as c_char) })
}

/// Reports the Windows adapter identifier and node mask of a device, which have no meaning elsewhere.
///
/// - `luid`: not written.
/// - `deviceNodeMask`: not written.
/// - `dev`: the device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `luid` or `deviceNodeMask` is NULL; `CUDA_ERROR_INVALID_DEVICE` if there is no
/// such device; else `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Device Management.
#[entry(since = 10000, needs = init, status = "refused: devices have no LUID on Linux, as with driver 580")]
pub fn cuDeviceGetLuid(luid: Out<c_char>, deviceNodeMask: Out<c_uint>, dev: CUdevice) -> Result<()> {
    luid.check()?;
    deviceNodeMask.check()?;
    device::device(dev)?;
    Err(refuse!(Error::NOT_SUPPORTED, "luid: devices have no LUID on Linux"))
}

/// Reports how much memory a device has.
///
/// - `bytes`: receives the size in bytes; 0 with `CUDA_ERROR_INVALID_DEVICE`.
/// - `dev`: the device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `bytes` is NULL; `CUDA_ERROR_INVALID_DEVICE` if there is no such device.
///
/// Manual: Device Management.
#[entry(since = 3020, needs = init)]
pub fn cuDeviceTotalMem_v2(bytes: Out<usize>, dev: CUdevice) -> Result<()> {
    bytes.set(0)?;
    bytes.set(device::device(dev)?.memory as usize)
}

/// Reports how much memory a device has, in 32 bits.
///
/// - `bytes`: receives the size in bytes, the greatest 32-bit number if there is more; 0 with
///   `CUDA_ERROR_INVALID_DEVICE`.
/// - `dev`: the device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `bytes` is NULL; `CUDA_ERROR_INVALID_DEVICE` if there is no such device.
///
/// Manual: none, first generation.
#[entry(since = 2000, needs = init)]
pub fn cuDeviceTotalMem(bytes: Out<c_uint>, dev: CUdevice) -> Result<()> {
    bytes.set(0)?;
    bytes.set(c_uint::try_from(device::device(dev)?.memory).unwrap_or(c_uint::MAX))
}

/// Reports how many elements a 1D texture over linear memory may have.
///
/// Wide elements are limited by the texture's bytes, narrow ones by their number.
///
/// - `maxWidthInElements`: receives the number of elements.
/// - `format`: format of the elements.
/// - `numChannels`: components of an element: 1, 2 or 4, unless the format fixes it.
/// - `dev`: the device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `maxWidthInElements` is NULL, for an unknown format, and for a number of
/// components that it does not have; `CUDA_ERROR_INVALID_DEVICE` if there is no such device.
///
/// Manual: Device Management.
#[entry(since = 11010, needs = init)]
pub fn cuDeviceGetTexture1DLinearMaxWidth(
    maxWidthInElements: Out<usize>,
    format: CUarray_format,
    numChannels: c_uint,
    dev: CUdevice,
) -> Result<()> {
    maxWidthInElements.check()?;
    let format = Format::find(format.0).filter(|f| f.accepts(numChannels)).ok_or_else(|| {
        refuse!(
            Error::INVALID_VALUE,
            "format {:#x} is not a CUarray_format, or does not go with numChannels {}",
            format.0,
            numChannels
        )
    })?;
    maxWidthInElements.set(device::device(dev)?.linear_texture_width(&format, numChannels))
}

/// Reads one integer attribute of a device: limits, sizes, clock rates and capabilities.
///
/// - `pi`: receives the value, in the attribute's own unit.
/// - `attrib`: the attribute.
/// - `dev`: the device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pi` is NULL, and for an attribute that the device does not know;
/// `CUDA_ERROR_INVALID_DEVICE` if there is no such device.
///
/// Manual: Device Management.
#[entry(since = 2000, needs = init)]
pub fn cuDeviceGetAttribute(pi: Out<c_int>, attrib: CUdevice_attribute, dev: CUdevice) -> Result<()> {
    pi.check()?;
    let device = device::device(dev)?;
    pi.set(
        device
            .attribute(DeviceAttribute(attrib.0))
            .ok_or_else(|| refuse!(Error::INVALID_VALUE, "attrib {:?} is not a CUdevice_attribute", attrib))?,
    )
}

/// Tells for each of several atomic operations how a device can perform it on host memory.
///
/// All answers are 0 when the device's attribute `HOST_NATIVE_ATOMIC_SUPPORTED` is.
///
/// - `capabilities`: receives `count` sets of bits of `CUatomicOperationCapability`; with an unknown operation only up
///   to that one.
/// - `operations`: `count` operations.
/// - `count`: how many, at least 1.
/// - `dev`: the device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL or `count` is 0, and for an unknown operation;
/// `CUDA_ERROR_INVALID_DEVICE` if there is no such device.
///
/// Manual: Device Management.
#[entry(since = 13000, needs = init)]
pub fn cuDeviceGetHostAtomicCapabilities(
    capabilities: Out<c_uint>,
    operations: In<CUatomicOperation>,
    count: c_uint,
    dev: CUdevice,
) -> Result<()> {
    refuse_if!(Error::INVALID_VALUE, capabilities.is_null(), "capabilities is NULL");
    refuse_if!(Error::INVALID_VALUE, operations.is_null(), "operations is NULL");
    refuse_if!(Error::INVALID_VALUE, count == 0, "count is 0");
    let native = device::device(dev)?.attribute_value(DeviceAttribute::HOST_NATIVE_ATOMIC_SUPPORTED) != 0;
    atomic_capabilities(capabilities, operations, count, if native { ALL_ATOMICS } else { |_| 0 })
}

/// The atomic operations of a device of compute capability 9 in memory that it reaches natively.
const ALL_ATOMICS: fn(CUatomicOperation) -> c_uint = |operation| {
    let both = CU_ATOMIC_CAPABILITY_SCALAR_32.0 | CU_ATOMIC_CAPABILITY_SCALAR_64.0;
    let signs = CU_ATOMIC_CAPABILITY_SIGNED.0 | CU_ATOMIC_CAPABILITY_UNSIGNED.0;
    let reduction = CU_ATOMIC_CAPABILITY_REDUCTION.0;
    match operation {
        CU_ATOMIC_OPERATION_INTEGER_ADD | CU_ATOMIC_OPERATION_INTEGER_MIN | CU_ATOMIC_OPERATION_INTEGER_MAX => {
            both | signs | reduction
        }
        CU_ATOMIC_OPERATION_INTEGER_INCREMENT | CU_ATOMIC_OPERATION_INTEGER_DECREMENT => {
            CU_ATOMIC_CAPABILITY_SCALAR_32.0 | CU_ATOMIC_CAPABILITY_UNSIGNED.0 | reduction
        }
        CU_ATOMIC_OPERATION_AND | CU_ATOMIC_OPERATION_OR | CU_ATOMIC_OPERATION_XOR => {
            both | CU_ATOMIC_CAPABILITY_UNSIGNED.0 | reduction
        }
        CU_ATOMIC_OPERATION_EXCHANGE | CU_ATOMIC_OPERATION_CAS => {
            both | CU_ATOMIC_CAPABILITY_UNSIGNED.0 | CU_ATOMIC_CAPABILITY_SCALAR_128.0
        }
        CU_ATOMIC_OPERATION_FLOAT_ADD => both | CU_ATOMIC_CAPABILITY_SIGNED.0 | reduction,
        _ => 0,
    }
};

/// Fills an NvSciSync attribute list with what a device needs to signal or wait on such objects: this device has none.
///
/// - `nvSciSyncAttrList`: the list; not written.
/// - `dev`: the device.
/// - `flags`: `CUDA_NVSCISYNC_ATTR_*` bits.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `nvSciSyncAttrList` is NULL; `CUDA_ERROR_INVALID_DEVICE` if there is no such device;
/// `CUDA_ERROR_INVALID_VALUE` if `flags` is 0; else `CUDA_ERROR_NOT_SUPPORTED`.
///
/// Manual: Device Management.
#[entry(since = 10020, needs = init, status = "refused: there is no NvSciSync (asked of driver 580 without a list alone)")]
pub fn cuDeviceGetNvSciSyncAttributes(nvSciSyncAttrList: *mut c_void, dev: CUdevice, flags: c_int) -> Result<()> {
    refuse_if!(Error::INVALID_HANDLE, nvSciSyncAttrList.is_null(), "nvSciSyncAttrList is NULL");
    device::device(dev)?;
    refuse_if!(Error::INVALID_VALUE, flags == 0, "flags is 0");
    Err(refuse!(Error::NOT_SUPPORTED, "there is no NvSciSync on this system"))
}

/// Chooses the pool from which `cuMemAllocAsync` allocates on a device.
///
/// - `dev`: the device.
/// - `pool`: a pool of that device, made by this process.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if there is no such device, and if `pool` is no pool, was imported, or belongs to
/// something else; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call.
///
/// Manual: Device Management.
#[entry(since = 11020, needs = init)]
pub fn cuDeviceSetMemPool(dev: CUdevice, pool: CUmemoryPool) -> Result<()> {
    capture::check_call()?;
    pool::set_device_pool(dev, pool.0)
}

/// Reports the pool from which `cuMemAllocAsync` allocates on a device at present.
///
/// - `pool`: receives the pool.
/// - `dev`: the device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pool` is NULL, and if there is no such device.
///
/// Manual: Device Management.
#[entry(since = 11020, needs = init)]
pub fn cuDeviceGetMemPool(pool: Out<CUmemoryPool>, dev: CUdevice) -> Result<()> {
    pool.check()?;
    pool.set(CUmemoryPool(pool::current_pool(Some(Location::Device(dev)), Class::Pinned)?.handle))
}

/// Reports the default pool of a device.
///
/// - `pool_out`: receives the pool.
/// - `dev`: the device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pool_out` is NULL; `CUDA_ERROR_INVALID_DEVICE` if there is no such device.
///
/// Manual: Device Management.
#[entry(since = 11020, needs = init)]
pub fn cuDeviceGetDefaultMemPool(pool_out: Out<CUmemoryPool>, dev: CUdevice) -> Result<()> {
    pool_out.check()?;
    device::device(dev)?;
    pool_out.set(CUmemoryPool(pool::default_pool(Some(Location::Device(dev)), Class::Pinned)?.handle))
}

/// Tells whether a device can create contexts with a given kind of execution affinity.
///
/// - `pi`: receives 0: the device has none of them.
/// - `type`: the kind; unknown ones are not supported either.
/// - `dev`: the device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pi` is NULL; `CUDA_ERROR_INVALID_DEVICE` if there is no such device.
///
/// Manual: Device Management.
#[entry(since = 11040, needs = init)]
pub fn cuDeviceGetExecAffinitySupport(pi: Out<c_int>, r#type: CUexecAffinityType, dev: CUdevice) -> Result<()> {
    // Unknown kinds are not supported either.
    let _ = r#type;
    pi.check()?;
    device::device(dev)?;
    pi.set(0)
}

/// Fills the old structure of basic device limits.
///
/// - `prop`: receives the limits: sizes in bytes, the clock rate in kHz.
/// - `dev`: the device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `prop` is NULL; `CUDA_ERROR_INVALID_DEVICE` if there is no such device.
///
/// Manual: Device Management (deprecated).
#[entry(since = 2000, needs = init)]
pub fn cuDeviceGetProperties(prop: Out<CUdevprop>, dev: CUdevice) -> Result<()> {
    prop.check()?;
    let device = device::device(dev)?;
    let value = |attribute| device.attribute_value(attribute);
    prop.set(CUdevprop {
        maxThreadsPerBlock: value(DeviceAttribute::MAX_THREADS_PER_BLOCK),
        maxThreadsDim: [
            value(DeviceAttribute::MAX_BLOCK_DIM_X),
            value(DeviceAttribute::MAX_BLOCK_DIM_Y),
            value(DeviceAttribute::MAX_BLOCK_DIM_Z),
        ],
        maxGridSize: [
            value(DeviceAttribute::MAX_GRID_DIM_X),
            value(DeviceAttribute::MAX_GRID_DIM_Y),
            value(DeviceAttribute::MAX_GRID_DIM_Z),
        ],
        sharedMemPerBlock: value(DeviceAttribute::MAX_SHARED_MEMORY_PER_BLOCK),
        totalConstantMemory: value(DeviceAttribute::TOTAL_CONSTANT_MEMORY),
        SIMDWidth: value(DeviceAttribute::WARP_SIZE),
        memPitch: value(DeviceAttribute::MAX_PITCH),
        regsPerBlock: value(DeviceAttribute::MAX_REGISTERS_PER_BLOCK),
        clockRate: value(DeviceAttribute::CLOCK_RATE),
        textureAlign: value(DeviceAttribute::TEXTURE_ALIGNMENT),
    })
}

/// Reports the compute capability of a device.
///
/// - `major`: receives its first number.
/// - `minor`: receives its second number.
/// - `dev`: the device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `major` or `minor` is NULL; `CUDA_ERROR_INVALID_DEVICE` if there is no such
/// device.
///
/// Manual: Device Management (deprecated).
#[entry(since = 2000, needs = init)]
pub fn cuDeviceComputeCapability(major: Out<c_int>, minor: Out<c_int>, dev: CUdevice) -> Result<()> {
    major.check()?;
    minor.check()?;
    let device = device::device(dev)?;
    major.set(device.attribute_value(DeviceAttribute::COMPUTE_CAPABILITY_MAJOR))?;
    minor.set(device.attribute_value(DeviceAttribute::COMPUTE_CAPABILITY_MINOR))
}

/// Finds the device at a PCI address.
///
/// - `dev`: receives the device.
/// - `pciBusId`: the address as text: `domain:bus:device.function`, `domain:bus:device` or `bus:device.function`, in
///   hexadecimal.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, and for other text; `CUDA_ERROR_INVALID_DEVICE` when no
/// visible device has the address.
///
/// Manual: Memory Management.
#[entry(since = 4010, needs = init)]
pub fn cuDeviceGetByPCIBusId(dev: Out<CUdevice>, pciBusId: In<c_char>) -> Result<()> {
    dev.check()?;
    let address = pci::Address::parse(&pciBusId.string(256)?)
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "pciBusId is not of the form domain:bus:device.function"))?;
    let found = device::devices()
        .iter()
        .find(|d| d.address == address)
        .ok_or_else(|| refuse!(Error::INVALID_DEVICE, "pciBusId is not that of a device"))?;
    dev.set(found.ordinal as CUdevice)
}

/// Writes the PCI address of a device as text.
///
/// - `pciBusId`: receives `domain:bus:device.function` in hexadecimal and a NUL, cut short if it must be.
/// - `len`: size of the buffer in bytes; 13 hold it.
/// - `dev`: the device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pciBusId` is NULL, if `len` is not positive, and if the text did not fit;
/// `CUDA_ERROR_INVALID_DEVICE` if there is no such device.
///
/// Manual: Memory Management.
#[entry(since = 4010, needs = init)]
pub fn cuDeviceGetPCIBusId(pciBusId: Out<c_char>, len: c_int, dev: CUdevice) -> Result<()> {
    let len = usize::try_from(len)
        .ok()
        .filter(|&len| len > 0 && !pciBusId.is_null())
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "len {} is not positive, or pciBusId is NULL", len))?;
    let text = device::device(dev)?.address.to_string();
    pciBusId.set_string(&text, len)?;
    if text.len() < len {
        Ok(())
    } else {
        Err(refuse!(
            Error::INVALID_VALUE,
            "len {} is less than the identifier has, {} with its end",
            len,
            text.len() + 1
        ))
    }
}

/// Reports the identity of the fabric cluster that a device belongs to.
///
/// - `uuid`: receives the identity.
/// - `dev`: the device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL; `CUDA_ERROR_INVALID_DEVICE` if the device does not exist;
/// else `CUDA_ERROR_NOT_SUPPORTED`: no device is part of a fabric.
///
/// Manual: Device Management.
#[entry(since = 13040, needs = init, status = "refused: no device is part of a fabric (by the manual; newer than driver 580)")]
pub fn cuDeviceGetFabricClusterUuid(uuid: Out<CUuuid>, dev: CUdevice) -> Result<()> {
    uuid.check()?;
    device::device(dev)?;
    Err(refuse!(Error::NOT_SUPPORTED, "dev {} is not part of a fabric", dev))
}

/// Counts the fabric cliques that a device belongs to.
///
/// - `count`: receives the number.
/// - `dev`: the device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL; `CUDA_ERROR_INVALID_DEVICE` if the device does not exist;
/// else `CUDA_ERROR_NOT_SUPPORTED`: no device is part of a fabric.
///
/// Manual: Device Management.
#[entry(since = 13040, needs = init, status = "refused: no device is part of a fabric (by the manual; newer than driver 580)")]
pub fn cuDeviceGetCliqueCount(count: Out<usize>, dev: CUdevice) -> Result<()> {
    count.check()?;
    device::device(dev)?;
    Err(refuse!(Error::NOT_SUPPORTED, "dev {} is not part of a fabric", dev))
}

/// Lists the fabric cliques that a device belongs to.
///
/// - `cliqueInfo`: receives up to `count` of them.
/// - `count`: room for how many; receives their number.
/// - `dev`: the device.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL; `CUDA_ERROR_INVALID_DEVICE` if the device does not exist;
/// else `CUDA_ERROR_NOT_SUPPORTED`: no device is part of a fabric.
///
/// Manual: Device Management.
#[entry(since = 13040, needs = init, status = "refused: no device is part of a fabric (by the manual; newer than driver 580)")]
pub fn cuDeviceGetCliqueInfo(cliqueInfo: Out<CUcliqueInfo>, count: InOut<usize>, dev: CUdevice) -> Result<()> {
    cliqueInfo.check()?;
    count.get()?;
    device::device(dev)?;
    Err(refuse!(Error::NOT_SUPPORTED, "dev {} is not part of a fabric", dev))
}

/// Makes remote writes that arrived through GPUDirect RDMA visible to the given scope.
///
/// No other device writes into the memory of an emulated one: nothing to do.
///
/// - `target`: `CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX`.
/// - `scope`: for whom: the owner of the memory, or all devices.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` for an unknown target or scope.
///
/// Manual: Device Management.
#[entry(since = 11030)]
pub fn cuFlushGPUDirectRDMAWrites(
    target: CUflushGPUDirectRDMAWritesTarget,
    scope: CUflushGPUDirectRDMAWritesScope,
) -> Result<()> {
    refuse_if!(
        Error::INVALID_VALUE,
        target != CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX,
        "target {:?} is not a CUflushGPUDirectRDMAWritesTarget",
        target
    );
    refuse_if!(
        Error::INVALID_VALUE,
        !matches!(scope, CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER | CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_ALL_DEVICES),
        "scope {:?} is not a CUflushGPUDirectRDMAWritesScope",
        scope
    );
    Ok(())
}
