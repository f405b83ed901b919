//! Stream Ordered Memory Allocator.

#![allow(non_snake_case)]

use super::convert::stream::with_any;
use super::ptr::{In, InMut, Out};
use super::types::{
    CU_MEM_ACCESS_FLAGS_PROT_NONE, CU_MEM_ACCESS_FLAGS_PROT_READ, CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
    CU_MEM_ALLOCATION_TYPE_MANAGED, CU_MEM_ALLOCATION_TYPE_PINNED, CU_MEM_HANDLE_TYPE_FABRIC,
    CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, CU_MEM_HANDLE_TYPE_WIN32, CU_MEM_HANDLE_TYPE_WIN32_KMT,
    CU_MEM_LOCATION_TYPE_NONE, CU_MEM_POOL_CREATE_USAGE_HW_DECOMPRESS, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD,
    CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH,
    CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC,
    CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, CU_MEMPOOL_ATTR_USED_MEM_HIGH,
    CUdeviceptr, CUmemAccess_flags, CUmemAccessDesc, CUmemAllocationHandleType, CUmemAllocationType, CUmemFabricHandle,
    CUmemLocation, CUmemPool_attribute, CUmemPoolProps, CUmemPoolPtrExportData, CUmemoryPool, CUstream,
};
use api_macro::entry;
use core::ffi::{c_int, c_ulonglong, c_void};
use device::base::location::Location;
use device::memory::pool;
use device::memory::pool::{Attribute, Class, Pool, Properties};
use device::memory::virtual_memory::Access;
use device::stream::capture;
use error::{Error, Result, refuse, refuse_if};
use std::os::fd::{AsRawFd, IntoRawFd};

/// The class of memory that an allocation type means.
fn class(kind: CUmemAllocationType) -> Result<Class> {
    match kind {
        CU_MEM_ALLOCATION_TYPE_PINNED => Ok(Class::Pinned),
        CU_MEM_ALLOCATION_TYPE_MANAGED => Ok(Class::Managed),
        _ => Err(refuse!(
            Error::INVALID_VALUE,
            "type {:?} is neither CU_MEM_ALLOCATION_TYPE_PINNED nor CU_MEM_ALLOCATION_TYPE_MANAGED",
            kind
        )),
    }
}

/// The place that a location names; `None` for no place in particular.
fn place(location: InMut<CUmemLocation>) -> Result<Option<Location>> {
    let location = location.get()?;
    match location.place() {
        Location::Unknown if location.r#type == CU_MEM_LOCATION_TYPE_NONE => Ok(None),
        Location::HostNumaCurrent | Location::Unknown => Err(refuse!(
            Error::NOT_SUPPORTED,
            "location.type {:?} is not a location that a pool can be at",
            location.r#type
        )),
        place => Ok(Some(place)),
    }
}

/// Converts an attribute. The driver that we follow does not know those of newer headers.
fn attribute(attr: CUmemPool_attribute) -> Result<Attribute> {
    Ok(match attr {
        CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES => Attribute::FollowEvents,
        CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC => Attribute::Opportunistic,
        CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES => Attribute::InternalDependencies,
        CU_MEMPOOL_ATTR_RELEASE_THRESHOLD => Attribute::ReleaseThreshold,
        CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT => Attribute::Reserved,
        CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH => Attribute::ReservedHigh,
        CU_MEMPOOL_ATTR_USED_MEM_CURRENT => Attribute::Used,
        CU_MEMPOOL_ATTR_USED_MEM_HIGH => Attribute::UsedHigh,
        _ => return Err(refuse!(Error::INVALID_VALUE, "attr {:?} is not a CUmemPool_attribute", attr)),
    })
}

/// True for attributes of 64 bits, else 32.
fn is_wide(attr: CUmemPool_attribute) -> bool {
    attr > CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES
}

/// Frees memory once the stream has come this far.
///
/// From here on the address is invalid for every new call; work given before still sees the memory. The stream may get
/// the memory again at once, others later. Memory of `cuMemAlloc` is freed when the stream gets here, and is usable
/// until then. In a capture, memory that the capture allocated gets a node that frees it.
///
/// - `dptr`: the address that the allocation begins at, or NULL, which does nothing.
/// - `hStream`: the stream.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if no allocation of a pool, of a graph or of device memory begins at `dptr`;
/// `CUDA_ERROR_NOT_SUPPORTED` for managed memory of no pool; `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream;
/// `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call, or if the stream is being captured and the
/// memory is of no graph, which invalidates the capture.
///
/// Manual: Stream Ordered Memory Allocator.
#[entry(since = 11020, twin = "ptsz")]
pub fn cuMemFreeAsync(dptr: CUdeviceptr, hStream: CUstream) -> Result<()> {
    with_any(hStream, default_stream, |stream| if dptr == 0 { Ok(()) } else { pool::free(dptr as usize, stream) })
}

/// Allocates from the device's current pool in stream order.
///
/// The address can be used in other streams that wait for this one. If the pool is full, the stream may wait for memory
/// that another stream frees. In a capture, it becomes an allocation node.
///
/// - `dptr`: receives the address; 0 on failure.
/// - `bytesize`: size in bytes; 0 succeeds with the address 0.
/// - `hStream`: the stream.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `dptr` is NULL; `CUDA_ERROR_OUT_OF_MEMORY` if pool or device have not that
/// much left; `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a
/// capture forbids the call.
///
/// Manual: Stream Ordered Memory Allocator.
#[entry(since = 11020, twin = "ptsz", needs = late)]
pub fn cuMemAllocAsync(dptr: Out<CUdeviceptr>, bytesize: usize, hStream: CUstream) -> Result<()> {
    dptr.set(0)?;
    device::require_context()?;
    let address = with_any(hStream, default_stream, |stream| match bytesize {
        0 => Ok(0),
        _ => pool::alloc(bytesize, stream),
    })?;
    dptr.set(address as CUdeviceptr)
}

/// Gives unused memory of a pool back to the system, in whole segments of 32 MiB.
///
/// - `pool`: the pool.
/// - `minBytesToKeep`: bytes that stay at least, as far as the pool holds them.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pool` is no pool or was imported; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED`
/// while a capture forbids the call.
///
/// Manual: Stream Ordered Memory Allocator.
#[entry(since = 11020, needs = init)]
pub fn cuMemPoolTrimTo(pool: CUmemoryPool, minBytesToKeep: usize) -> Result<()> {
    capture::check_call()?;
    Pool::find(pool.0)?.trim(minBytesToKeep)
}

/// Changes an attribute of a pool.
///
/// The high-water marks can be set to 0, which sets them back to the present values; the other counters cannot be set.
///
/// - `pool`: the pool.
/// - `attr`: `CU_MEMPOOL_ATTR_*`.
/// - `value`: the value: 32 bits for the reuse policies, 64 for the others; thresholds are in bytes.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pool` is no pool or was imported, if the attribute is unknown, if it cannot
/// be set or not to this value, or if `value` is NULL; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids
/// the call.
///
/// Manual: Stream Ordered Memory Allocator.
#[entry(since = 11020, needs = init)]
pub fn cuMemPoolSetAttribute(pool: CUmemoryPool, attr: CUmemPool_attribute, value: *mut c_void) -> Result<()> {
    capture::check_call()?;
    let pool = Pool::find(pool.0)?;
    let attribute = attribute(attr)?;
    let value = if is_wide(attr) { In(value.cast::<u64>()).get()? } else { In(value.cast::<u32>()).get()?.into() };
    pool.set_attribute(attribute, value)
}

/// Reads an attribute of a pool.
///
/// Attributes that came after CUDA 13.0 are unknown.
///
/// - `pool`: the pool.
/// - `attr`: `CU_MEMPOOL_ATTR_*`.
/// - `value`: receives the value: 32 bits for the reuse policies, 64 for the others; sizes are in bytes.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pool` is no pool or was imported, if the attribute is unknown, or if `value`
/// is NULL; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call.
///
/// Manual: Stream Ordered Memory Allocator.
#[entry(since = 11020, needs = init)]
pub fn cuMemPoolGetAttribute(pool: CUmemoryPool, attr: CUmemPool_attribute, value: *mut c_void) -> Result<()> {
    capture::check_call()?;
    let pool = Pool::find(pool.0)?;
    let read = pool.attribute(attribute(attr)?)?;
    if is_wide(attr) { Out(value.cast::<u64>()).set(read) } else { Out(value.cast::<u32>()).set(read as u32) }
}

/// Sets which devices may reach the memory of a pool.
///
/// Access is all or nothing. Nothing changes unless everything is right.
///
/// - `pool`: the pool.
/// - `map`: array of `count` locations, each with its access.
/// - `count`: number of locations.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pool` is no pool, if `map` is NULL, or if an access or a location is unknown;
/// `CUDA_ERROR_NOT_SUPPORTED` for access that only reads, for device memory and a location that is no device, and if
/// the host would lose access to host memory; `CUDA_ERROR_INVALID_DEVICE` if a device does not exist, or would lose
/// access to its own memory; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call.
///
/// Manual: Stream Ordered Memory Allocator.
#[entry(since = 11020, needs = init)]
pub fn cuMemPoolSetAccess(pool: CUmemoryPool, map: In<CUmemAccessDesc>, count: usize) -> Result<()> {
    capture::check_call()?;
    let pool = Pool::find(pool.0)?;
    let grant = |desc: CUmemAccessDesc| {
        let access = match desc.flags {
            CU_MEM_ACCESS_FLAGS_PROT_NONE => Some(Access::None),
            CU_MEM_ACCESS_FLAGS_PROT_READ => Some(Access::Read),
            CU_MEM_ACCESS_FLAGS_PROT_READWRITE => Some(Access::ReadWrite),
            _ => None,
        };
        (desc.location.place(), access)
    };
    refuse_if!(Error::INVALID_VALUE, map.is_null(), "map is NULL");
    let grants: Vec<_> = map.slice(count)?.into_iter().map(grant).collect();
    pool.set_access(&grants)
}

/// Reports the access that a location has to the memory of a pool.
///
/// - `flags`: receives `CU_MEM_ACCESS_FLAGS_PROT_*`.
/// - `memPool`: the pool.
/// - `location`: a device, the host or a NUMA node.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `memPool` is no pool, or if the location is unknown or
/// its device does not exist; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call.
///
/// Manual: Stream Ordered Memory Allocator.
#[entry(since = 11020, needs = init)]
pub fn cuMemPoolGetAccess(
    flags: Out<CUmemAccess_flags>,
    memPool: CUmemoryPool,
    location: InMut<CUmemLocation>,
) -> Result<()> {
    capture::check_call()?;
    flags.check()?;
    let pool = Pool::find(memPool.0)?;
    let access = match pool.access(location.get()?.place())? {
        Access::None => CU_MEM_ACCESS_FLAGS_PROT_NONE,
        Access::Read => CU_MEM_ACCESS_FLAGS_PROT_READ,
        Access::ReadWrite => CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
    };
    flags.set(access)
}

/// Creates a pool.
///
/// - `pool`: receives the pool.
/// - `poolProps`: kind of memory, location, handle types (file descriptor, fabric; for memory of a device or of a NUMA
///   node), `maxSize` in bytes, which counts in segments of 32 MiB (0 for what the device has), and usage; managed
///   memory has neither handle types nor size nor usage.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if kind, handle types or location are unknown or do not go
/// together, if the location does not exist, or if a reserved byte is not 0; `CUDA_ERROR_NOT_SUPPORTED` for managed
/// memory at an unknown location; `CUDA_ERROR_OUT_OF_MEMORY` if `maxSize` is more than 32 TiB;
/// `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call.
///
/// Manual: Stream Ordered Memory Allocator.
#[entry(since = 11020, needs = init)]
pub fn cuMemPoolCreate(pool: Out<CUmemoryPool>, poolProps: In<CUmemPoolProps>) -> Result<()> {
    capture::check_call()?;
    pool.check()?;
    let props = poolProps.get()?;
    let known = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR.0 | CU_MEM_HANDLE_TYPE_FABRIC.0;
    let location = props.location.place();
    let named = location != Location::Unknown || props.location.r#type == CU_MEM_LOCATION_TYPE_NONE;
    let managed = props.allocType == CU_MEM_ALLOCATION_TYPE_MANAGED;
    refuse_if!(
        Error::INVALID_VALUE,
        props.handleTypes.0 & !known != 0,
        "poolProps.handleTypes {:#x} has unknown bits",
        props.handleTypes.0
    );
    refuse_if!(Error::INVALID_VALUE, props.reserved != [0; 53], "poolProps.reserved is not all 0");
    refuse_if!(
        Error::INVALID_VALUE,
        managed && props.handleTypes.0 != 0,
        "poolProps.handleTypes {:#x} is not 0 for a managed pool",
        props.handleTypes.0
    );
    refuse_if!(
        Error::INVALID_VALUE,
        managed && props.maxSize != 0,
        "poolProps.maxSize {} is not 0 for a managed pool",
        props.maxSize
    );
    refuse_if!(
        Error::INVALID_VALUE,
        managed && props.usage != 0,
        "poolProps.usage {} is not 0 for a managed pool",
        props.usage
    );
    if !named {
        let error = if managed { Error::NOT_SUPPORTED } else { Error::INVALID_VALUE };
        return Err(refuse!(error, "poolProps.location.type {:?} is not a location", props.location.r#type));
    }
    let properties = Properties {
        class: class(props.allocType)?,
        location,
        handle_types: props.handleTypes.0,
        max_size: props.maxSize,
        decompress: u32::from(props.usage) & CU_MEM_POOL_CREATE_USAGE_HW_DECOMPRESS != 0,
    };
    pool.set(CUmemoryPool(Pool::create(properties)?.handle))
}

/// Destroys a pool, whose memory goes when the last allocation is freed.
///
/// Where it was the current pool, the default pool is the current one again.
///
/// - `pool`: the pool.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pool` is no pool, if it is a default pool, or if it was imported and memory
/// of it is in use; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call.
///
/// Manual: Stream Ordered Memory Allocator.
#[entry(since = 11020, needs = init)]
pub fn cuMemPoolDestroy(pool: CUmemoryPool) -> Result<()> {
    capture::check_call()?;
    Pool::destroy(pool.0)
}

/// Reports the default pool of a location for a kind of memory.
///
/// - `pool_out`: receives the pool.
/// - `location`: a device, the host, a NUMA node, or `CU_MEM_LOCATION_TYPE_NONE` for managed memory.
/// - `type`: `CU_MEM_ALLOCATION_TYPE_PINNED` or `CU_MEM_ALLOCATION_TYPE_MANAGED`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if the kind is unknown, if the location does not exist, or
/// for no location and pinned memory; `CUDA_ERROR_NOT_SUPPORTED` if the type of the location is unknown.
///
/// Manual: Stream Ordered Memory Allocator.
#[entry(since = 13000, needs = init)]
pub fn cuMemGetDefaultMemPool(
    pool_out: Out<CUmemoryPool>,
    location: InMut<CUmemLocation>,
    r#type: CUmemAllocationType,
) -> Result<()> {
    pool_out.check()?;
    let location = place(location)?;
    pool_out.set(CUmemoryPool(pool::default_pool(location, class(r#type)?)?.handle))
}

/// Reports the pool in use at a location for a kind of memory.
///
/// - `pool`: receives the pool.
/// - `location`: a device, the host, a NUMA node, or `CU_MEM_LOCATION_TYPE_NONE` for managed memory.
/// - `type`: `CU_MEM_ALLOCATION_TYPE_PINNED` or `CU_MEM_ALLOCATION_TYPE_MANAGED`.
///
/// Errors: as [`cuMemGetDefaultMemPool`].
///
/// Manual: Stream Ordered Memory Allocator.
#[entry(since = 13000, needs = init)]
pub fn cuMemGetMemPool(
    pool: Out<CUmemoryPool>,
    location: InMut<CUmemLocation>,
    r#type: CUmemAllocationType,
) -> Result<()> {
    pool.check()?;
    let location = place(location)?;
    pool.set(CUmemoryPool(pool::current_pool(location, class(r#type)?)?.handle))
}

/// Chooses the pool in use at a location for a kind of memory.
///
/// - `location`: a device, the host, a NUMA node, or `CU_MEM_LOCATION_TYPE_NONE` for managed memory.
/// - `type`: `CU_MEM_ALLOCATION_TYPE_PINNED` or `CU_MEM_ALLOCATION_TYPE_MANAGED`.
/// - `pool`: a pool of that location and kind.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pool` is no pool, was imported, or is of another location or kind; otherwise
/// as [`cuMemGetDefaultMemPool`]; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call.
///
/// Manual: Stream Ordered Memory Allocator.
#[entry(since = 13000, needs = init)]
pub fn cuMemSetMemPool(location: InMut<CUmemLocation>, r#type: CUmemAllocationType, pool: CUmemoryPool) -> Result<()> {
    capture::check_call()?;
    let location = place(location)?;
    pool::set_current_pool(location, class(r#type)?, pool.0)
}

/// Allocates from a given pool in stream order.
///
/// In a capture, it becomes an allocation node.
///
/// - `dptr`: receives the address; 0 on failure.
/// - `bytesize`: size in bytes; 0 succeeds with the address 0.
/// - `pool`: the pool.
/// - `hStream`: the stream.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `dptr` is NULL, or if `pool` is no pool or was imported;
/// `CUDA_ERROR_OUT_OF_MEMORY` if pool or device have not that much left; `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no
/// stream; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call.
///
/// Manual: Stream Ordered Memory Allocator.
#[entry(since = 11020, twin = "ptsz", needs = late)]
pub fn cuMemAllocFromPoolAsync(
    dptr: Out<CUdeviceptr>,
    bytesize: usize,
    pool: CUmemoryPool,
    hStream: CUstream,
) -> Result<()> {
    dptr.set(0)?;
    device::require_context()?;
    let pool = Pool::find(pool.0)?;
    let address = with_any(hStream, default_stream, |stream| match bytesize {
        0 => Ok(0),
        _ => pool.alloc(bytesize, stream),
    })?;
    dptr.set(address as CUdeviceptr)
}

/// Exports a pool as an operating-system handle.
///
/// - `handle_out`: receives an `int`, a descriptor that the program closes, or a fabric handle of 64 bytes.
/// - `pool`: the pool.
/// - `handleType`: a type that the pool was created with: `CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR` or
///   `CU_MEM_HANDLE_TYPE_FABRIC`.
/// - `flags`: 0.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `handle_out` is NULL, if `flags` is not 0, if `pool` is no pool, or if it was
/// not created with the type; `CUDA_ERROR_NOT_PERMITTED` for a fabric handle if the device has no fabric;
/// `CUDA_ERROR_OPERATING_SYSTEM` if there is no descriptor left; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a
/// capture forbids the call.
///
/// Manual: Stream Ordered Memory Allocator.
#[entry(since = 11020, needs = init)]
pub fn cuMemPoolExportToShareableHandle(
    handle_out: *mut c_void,
    pool: CUmemoryPool,
    handleType: CUmemAllocationHandleType,
    flags: c_ulonglong,
) -> Result<()> {
    capture::check_call()?;
    refuse_if!(Error::INVALID_VALUE, handle_out.is_null(), "handle_out is NULL");
    refuse_if!(Error::INVALID_VALUE, flags != 0, "flags {:#x} is not 0", flags);
    let pool = Pool::find(pool.0)?;
    refuse_if!(
        Error::INVALID_VALUE,
        pool.properties.handle_types & handleType.0 == 0,
        "handleType {:?} is not one that the pool was made for, {:#x}",
        handleType,
        pool.properties.handle_types
    );
    match handleType {
        CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR => {
            let fd = pool.export_descriptor()?;
            Out(handle_out.cast::<c_int>()).set(fd.as_raw_fd())?;
            // The program owns it from here on.
            let _ = fd.into_raw_fd();
            Ok(())
        }
        CU_MEM_HANDLE_TYPE_FABRIC => {
            let data = pool.export_fabric()?;
            Out(handle_out.cast::<CUmemFabricHandle>()).set(CUmemFabricHandle { data })
        }
        _ => Err(refuse!(Error::INVALID_VALUE, "handleType {:?} does not exist on Linux", handleType)),
    }
}

/// Imports a pool that another process exported.
///
/// A pool that was imported before is the same pool, and has to be destroyed as often. Nothing can be allocated from
/// it; `cuMemPoolImportPointer` gives its memory.
///
/// - `pool_out`: receives the pool; NULL on failure.
/// - `handle`: the descriptor itself, which stays the program's, or the address of a fabric handle.
/// - `handleType`: `CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR` or `CU_MEM_HANDLE_TYPE_FABRIC`.
/// - `flags`: 0.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pool_out` is NULL, if `flags` is not 0, if a fabric handle is NULL, or if the
/// type is unknown; `CUDA_ERROR_NOT_SUPPORTED` for a type of another system; `CUDA_ERROR_UNKNOWN` if the handle is not
/// that of a pool; `CUDA_ERROR_INVALID_DEVICE` if the pool's device does not exist here;
/// `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call.
///
/// Manual: Stream Ordered Memory Allocator.
#[entry(since = 11020, needs = init)]
pub fn cuMemPoolImportFromShareableHandle(
    pool_out: Out<CUmemoryPool>,
    handle: *mut c_void,
    handleType: CUmemAllocationHandleType,
    flags: c_ulonglong,
) -> Result<()> {
    capture::check_call()?;
    pool_out.set(CUmemoryPool::NULL)?;
    refuse_if!(Error::INVALID_VALUE, flags != 0, "flags {:#x} is not 0", flags);
    let pool = match handleType {
        // The descriptor comes in place of an address.
        CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR => pool::import_descriptor(handle as usize as c_int)?,
        CU_MEM_HANDLE_TYPE_WIN32 | CU_MEM_HANDLE_TYPE_WIN32_KMT => {
            return Err(refuse!(Error::NOT_SUPPORTED, "handleType {:?} does not exist on Linux", handleType));
        }
        CU_MEM_HANDLE_TYPE_FABRIC => pool::import_fabric(&In(handle.cast::<CUmemFabricHandle>()).get()?.data)?,
        _ => {
            return Err(refuse!(
                Error::INVALID_VALUE,
                "handleType {:?} is not a CUmemAllocationHandleType",
                handleType
            ));
        }
    };
    pool_out.set(CUmemoryPool(pool.handle))
}

/// Makes data with which another process can import one allocation of a shared pool.
///
/// - `shareData_out`: receives the data, 64 bytes.
/// - `ptr`: the address that the allocation begins at.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `shareData_out` is NULL, if no allocation of a pool begins at `ptr`, or if its
/// pool has not been exported; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call.
///
/// Manual: Stream Ordered Memory Allocator.
#[entry(since = 11020, needs = init)]
pub fn cuMemPoolExportPointer(shareData_out: Out<CUmemPoolPtrExportData>, ptr: CUdeviceptr) -> Result<()> {
    capture::check_call()?;
    shareData_out.check()?;
    shareData_out.set(CUmemPoolPtrExportData { reserved: pool::export_pointer(ptr as usize)? })
}

/// Imports one allocation of a shared pool.
///
/// An allocation that is imported already has the same address again, and one free ends all of its imports. It has to
/// be freed before the exporter frees it.
///
/// - `ptr_out`: receives the address; 0 on failure.
/// - `pool`: the imported pool.
/// - `shareData`: the data that the exporter made.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `pool` was not imported, or if the data are not of an
/// allocation of it; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call.
///
/// Manual: Stream Ordered Memory Allocator.
#[entry(since = 11020, needs = init)]
pub fn cuMemPoolImportPointer(
    ptr_out: Out<CUdeviceptr>,
    pool: CUmemoryPool,
    shareData: InMut<CUmemPoolPtrExportData>,
) -> Result<()> {
    capture::check_call()?;
    ptr_out.set(0)?;
    let pool = Pool::find(pool.0)?;
    ptr_out.set(pool.import_pointer(&shareData.get()?.reserved)? as CUdeviceptr)
}
