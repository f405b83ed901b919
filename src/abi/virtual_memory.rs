//! Virtual Memory Management.

#![allow(non_snake_case)]

use super::convert::stream::lookup;
use super::ptr::{In, InMut, Out};
use super::types::{
    CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL, CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL,
    CU_MEM_ACCESS_FLAGS_PROT_NONE, CU_MEM_ACCESS_FLAGS_PROT_READ, CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
    CU_MEM_ALLOC_GRANULARITY_RECOMMENDED, CU_MEM_ALLOCATION_COMP_GENERIC, CU_MEM_ALLOCATION_TYPE_PINNED,
    CU_MEM_CREATE_USAGE_HW_DECOMPRESS, CU_MEM_CREATE_USAGE_TILE_POOL, CU_MEM_HANDLE_TYPE_FABRIC,
    CU_MEM_HANDLE_TYPE_GENERIC, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, CU_MEM_HANDLE_TYPE_WIN32,
    CU_MEM_HANDLE_TYPE_WIN32_KMT, CU_MEM_LOCATION_TYPE_DEVICE, CU_MEM_LOCATION_TYPE_HOST,
    CU_MEM_LOCATION_TYPE_HOST_NUMA, CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT, CU_MEM_OPERATION_TYPE_MAP,
    CU_MEM_OPERATION_TYPE_UNMAP, CU_RESOURCE_TYPE_ARRAY, CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, CUarrayMapInfo, CUdeviceptr,
    CUmemAccessDesc, CUmemAllocationGranularity_flags, CUmemAllocationHandleType, CUmemAllocationProp,
    CUmemFabricHandle, CUmemGenericAllocationHandle, CUmemLocation, CUmemLocation_v1_anon0, CUstream,
};
use api_macro::entry;
use core::ffi::{c_int, c_uint, c_ulonglong, c_void};
use device::array::mapping;
use device::array::mapping::{ArrayPart, MappingRequest, MappingTarget};
use device::base::location::Location;
use device::memory::physical;
use device::memory::physical::Properties;
use device::memory::virtual_memory;
use device::memory::virtual_memory::Access;
use error::{Error, Result, refuse, refuse_if};
use std::os::fd::{AsRawFd, IntoRawFd};

impl CUmemLocation {
    /// The place that the structure names.
    pub fn place(&self) -> Location {
        let id = self.number();
        match self.r#type {
            CU_MEM_LOCATION_TYPE_DEVICE => Location::Device(id),
            CU_MEM_LOCATION_TYPE_HOST => Location::Host,
            CU_MEM_LOCATION_TYPE_HOST_NUMA => Location::HostNuma(id),
            CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT => Location::HostNumaCurrent,
            _ => Location::Unknown,
        }
    }

    /// The number of the place among those of its type.
    pub fn number(&self) -> i32 {
        // SAFETY: every member of the union is a plain number.
        unsafe { self.anon0.id }
    }

    /// The structure that names a place.
    pub fn of(place: Location) -> CUmemLocation {
        let (r#type, id) = match place {
            Location::Device(id) => (CU_MEM_LOCATION_TYPE_DEVICE, id),
            Location::Host => (CU_MEM_LOCATION_TYPE_HOST, 0),
            Location::HostNuma(id) => (CU_MEM_LOCATION_TYPE_HOST_NUMA, id),
            Location::HostNumaCurrent => (CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT, 0),
            Location::Unknown => Default::default(),
        };
        CUmemLocation { r#type, anon0: CUmemLocation_v1_anon0 { id } }
    }
}

/// Checks and converts the properties of new physical memory. Handle types that no system has are ignored, those of another
/// system are refused.
fn properties(prop: &CUmemAllocationProp) -> Result<Properties> {
    let types = prop.requestedHandleTypes.0;
    let elsewhere = CU_MEM_HANDLE_TYPE_WIN32.0 | CU_MEM_HANDLE_TYPE_WIN32_KMT.0;
    let flags = &prop.allocFlags;
    let usage = u32::from(flags.usage);
    let location = prop.location.place();
    let (tiles, decompress) =
        (usage & CU_MEM_CREATE_USAGE_TILE_POOL != 0, usage & CU_MEM_CREATE_USAGE_HW_DECOMPRESS != 0);
    let (compressible, rdma) = (flags.compressionType != 0, flags.gpuDirectRDMACapable != 0);
    // Properties that exclude each other. Handle types that no system has count here, too.
    let plain = !compressible && !rdma;
    let impossible = match location {
        Location::Host => types != 0 || !plain,
        Location::HostNuma(_) => !plain,
        _ => false,
    };
    refuse_if!(
        Error::INVALID_VALUE,
        impossible,
        "prop.location {:?} does not go with requestedHandleTypes {:#x}, compressionType {} or gpuDirectRDMACapable {}",
        location,
        types,
        flags.compressionType,
        flags.gpuDirectRDMACapable
    );
    refuse_if!(
        Error::INVALID_VALUE,
        tiles && (types != 0 || !plain),
        "prop.allocFlags.usage {:#x}: a tile pool does not go with handle types, compression or RDMA",
        usage
    );
    refuse_if!(
        Error::INVALID_VALUE,
        decompress && compressible,
        "prop.allocFlags.usage {:#x}: memory for decompression cannot be compressible",
        usage
    );
    refuse_if!(
        Error::INVALID_VALUE,
        prop.r#type != CU_MEM_ALLOCATION_TYPE_PINNED,
        "prop.type {:?} is not CU_MEM_ALLOCATION_TYPE_PINNED",
        prop.r#type
    );
    refuse_if!(
        Error::INVALID_VALUE,
        types & elsewhere != 0,
        "prop.requestedHandleTypes {:#x} does not exist on Linux",
        types
    );
    refuse_if!(Error::INVALID_VALUE, !prop.win32HandleMetaData.is_null(), "prop.win32HandleMetaData is not NULL");
    refuse_if!(
        Error::INVALID_VALUE,
        u32::from(flags.compressionType) > CU_MEM_ALLOCATION_COMP_GENERIC.0,
        "prop.allocFlags.compressionType {} is unknown",
        flags.compressionType
    );
    refuse_if!(Error::INVALID_VALUE, flags.reserved != [0; 4], "prop.allocFlags.reserved is not 0");
    Ok(Properties {
        descriptor: types & CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR.0 != 0,
        fabric: types & CU_MEM_HANDLE_TYPE_FABRIC.0 != 0,
        location,
        compressible,
        rdma,
        tile_pool: tiles,
        decompress,
    })
}

/// Checks and converts an entry of the list of array mappings.
fn array_request(info: &CUarrayMapInfo) -> Result<MappingRequest> {
    refuse_if!(Error::INVALID_VALUE, info.flags != 0, "mapInfoList: flags {:#x} is not 0", info.flags);
    refuse_if!(
        Error::INVALID_VALUE,
        info.memHandleType != CU_MEM_HANDLE_TYPE_GENERIC,
        "mapInfoList: memHandleType {:?} is not CU_MEM_HANDLE_TYPE_GENERIC",
        info.memHandleType
    );
    // SAFETY: every member of these unions is plain numbers, whichever the program filled in.
    let (array, mipmap, level, tail, memory) = unsafe {
        (
            info.resource.array,
            info.resource.mipmap,
            info.subresource.sparseLevel,
            info.subresource.miptail,
            info.memHandle.memHandle,
        )
    };
    let target = match info.resourceType {
        CU_RESOURCE_TYPE_ARRAY => MappingTarget::Array(array.0),
        CU_RESOURCE_TYPE_MIPMAPPED_ARRAY => MappingTarget::Mipmapped(mipmap.0),
        _ => {
            return Err(refuse!(
                Error::INVALID_VALUE,
                "mapInfoList: resourceType {:?} is not an array",
                info.resourceType
            ));
        }
    };
    let part = match info.subresourceType {
        CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL => ArrayPart::Tiles {
            level: level.level,
            layer: level.layer,
            offset: [level.offsetX, level.offsetY, level.offsetZ],
            extent: [level.extentWidth, level.extentHeight, level.extentDepth],
        },
        CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL => {
            ArrayPart::Tail { layer: tail.layer, offset: tail.offset, size: tail.size }
        }
        _ => {
            return Err(refuse!(
                Error::INVALID_VALUE,
                "mapInfoList: subresourceType {:?} is not a CUarraySparseSubresourceType",
                info.subresourceType
            ));
        }
    };
    let memory = match info.memOperationType {
        CU_MEM_OPERATION_TYPE_MAP => Some((memory, info.offset)),
        CU_MEM_OPERATION_TYPE_UNMAP => None,
        _ => {
            return Err(refuse!(
                Error::INVALID_VALUE,
                "mapInfoList: memOperationType {:?} is not a CUmemOperationType",
                info.memOperationType
            ));
        }
    };
    Ok(MappingRequest { target, part, memory, devices: info.deviceBitMask })
}

/// Reserves a range of addresses without memory behind it.
///
/// - `ptr`: receives the first address.
/// - `size`: size in bytes, a multiple of 2 MiB, at least that.
/// - `alignment`: in bytes, 0 or a power of two.
/// - `addr`: the first address that is wanted, a multiple of 2 MiB, or 0; other addresses are given if it is taken or
///   was given back lately.
/// - `flags`: 0.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `ptr` is NULL, if `flags` is not 0, or if `size`, `alignment` or `addr` is not
/// such a number; `CUDA_ERROR_OUT_OF_MEMORY` if no range is large enough.
///
/// Manual: Virtual Memory Management.
#[entry(since = 10020, needs = init)]
pub fn cuMemAddressReserve(
    ptr: Out<CUdeviceptr>,
    size: usize,
    alignment: usize,
    addr: CUdeviceptr,
    flags: c_ulonglong,
) -> Result<()> {
    ptr.check()?;
    refuse_if!(Error::INVALID_VALUE, flags != 0, "flags {:#x} is not 0", flags);
    ptr.set(virtual_memory::reserve(size, alignment, addr as usize)? as CUdeviceptr)
}

/// Gives back a reserved range of addresses.
///
/// - `ptr`: first address of the reservation.
/// - `size`: its size in bytes.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `ptr` and `size` are not those of one reservation, or if something is mapped
/// in it.
///
/// Manual: Virtual Memory Management.
#[entry(since = 10020, needs = init)]
pub fn cuMemAddressFree(ptr: CUdeviceptr, size: usize) -> Result<()> {
    virtual_memory::free(ptr as usize, size)
}

/// Creates physical memory that can be mapped at reserved addresses.
///
/// The memory counts as used from here on, and its pages exist once they are touched; they are zero then.
///
/// - `handle`: receives the handle.
/// - `size`: size in bytes, a multiple of 2 MiB, at least that.
/// - `prop`: kind (pinned), location, handle types and flags; bits of unknown handle types and usages are ignored.
/// - `flags`: 0.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL, if `flags` is not 0, if the size is 0 or no multiple of 2
/// MiB, if a property is unknown or of another system, if properties do not go together, or if the NUMA node does not
/// exist; `CUDA_ERROR_INVALID_DEVICE` if the device does not exist; `CUDA_ERROR_NOT_PERMITTED` for fabric handles where
/// no device has a fabric; `CUDA_ERROR_OUT_OF_MEMORY` if the device has not that much left.
///
/// Manual: Virtual Memory Management.
#[entry(since = 10020, needs = init)]
pub fn cuMemCreate(
    handle: Out<CUmemGenericAllocationHandle>,
    size: usize,
    prop: In<CUmemAllocationProp>,
    flags: c_ulonglong,
) -> Result<()> {
    handle.check()?;
    let prop = prop.get()?;
    refuse_if!(Error::INVALID_VALUE, flags != 0, "flags {:#x} is not 0", flags);
    physical::check(size, prop.location.place())?;
    handle.set(physical::create(size, properties(&prop)?)? as CUmemGenericAllocationHandle)
}

/// Drops a handle to physical memory, which lives on while it is mapped.
///
/// - `handle`: the handle; one that was retained is dropped as often.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `handle` is no such handle.
///
/// Manual: Virtual Memory Management.
#[entry(since = 10020, needs = init)]
pub fn cuMemRelease(handle: CUmemGenericAllocationHandle) -> Result<()> {
    physical::release(handle)
}

/// Maps physical memory at a reserved address.
///
/// Memory is mapped as a whole. Access is granted separately. Multicast objects are mapped in the same way, once all of their
/// devices were added, for which the call waits.
///
/// - `ptr`: first address, in a reservation, a multiple of 2 MiB.
/// - `size`: size of the memory in bytes.
/// - `offset`: 0.
/// - `handle`: handle of the physical memory.
/// - `flags`: 0.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `flags` is not 0, if `handle` is no such handle, if the memory is for tiles of
/// arrays, which cannot be mapped at addresses, if the range is empty, not aligned or does not begin in a reservation,
/// or if something is mapped in it; `CUDA_ERROR_NOT_SUPPORTED` if `size` is not the size of the memory or `offset` is
/// not 0; `CUDA_ERROR_OUT_OF_MEMORY` if the system refuses the mapping.
///
/// Manual: Virtual Memory Management.
#[entry(since = 10020, needs = init)]
pub fn cuMemMap(
    ptr: CUdeviceptr,
    size: usize,
    offset: usize,
    handle: CUmemGenericAllocationHandle,
    flags: c_ulonglong,
) -> Result<()> {
    refuse_if!(Error::INVALID_VALUE, flags != 0, "flags {:#x} is not 0", flags);
    virtual_memory::map(ptr as usize, size, offset, handle)
}

/// Maps or unmaps tiles of sparse arrays on a stream.
///
/// Boxes are made of whole tiles, except where a level ends; a mip tail is mapped as a whole. Arrays with deferred
/// mapping get all of their memory at once. Everything is checked before the first entry is carried out, in the
/// stream's order.
///
/// - `mapInfoList`: array of `count` mappings: array, box in elements or mip tail in bytes, memory that was created for
///   tiles and an offset in it in bytes, a multiple of 64 KiB.
/// - `count`: number of mappings, at least 1.
/// - `hStream`: the stream.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `mapInfoList` is NULL, if `count` is 0, if flags or a type of an entry are
/// unknown, if an array is neither sparse nor has deferred mapping, if a box is empty or cuts a tile in two, if memory
/// is none or too small, or if the device is not the array's; `CUDA_ERROR_INVALID_HANDLE` if `hStream` is no stream or
/// an array is none; `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` if the stream is being captured, which invalidates the
/// capture.
///
/// Manual: Virtual Memory Management.
#[entry(since = 11010, twin = "ptsz", needs = nothing)]
pub fn cuMemMapArrayAsync(mapInfoList: InMut<CUarrayMapInfo>, count: c_uint, hStream: CUstream) -> Result<()> {
    device::initialized_unless(count == 0, Error::INVALID_VALUE)?;
    let stream = lookup(hStream, default_stream)?;
    let list = mapInfoList.slice(count as usize)?;
    let requests = list.iter().map(array_request).collect::<Result<Vec<_>>>()?;
    mapping::map(&stream, &requests)
}

/// Removes the mappings from a range of addresses.
///
/// Gaps are fine, and so is a range without any mapping. Nothing is waited for: work in flight that uses the range
/// fails.
///
/// - `ptr`: first address, in a reservation.
/// - `size`: size in bytes, at least 1.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if the range is empty, does not begin in a reservation, or cuts a mapping in two.
///
/// Manual: Virtual Memory Management.
#[entry(since = 10020, needs = init)]
pub fn cuMemUnmap(ptr: CUdeviceptr, size: usize) -> Result<()> {
    virtual_memory::unmap(ptr as usize, size)
}

/// Sets which devices may read or write a mapped range.
///
/// Copies and memsets of memory to which no access was granted fail with `CUDA_ERROR_INVALID_VALUE`.
///
/// - `ptr`: first address, where a mapping begins.
/// - `size`: size in bytes; the range ends where a mapping ends.
/// - `desc`: array of `count` locations, each with its access; for a location that is named twice the last one counts.
/// - `count`: number of locations, at least 1.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if the range does not begin and end with a mapping, if `desc` is NULL, if `count`
/// is 0, or if a location or an access is unknown or the device does not exist; `CUDA_ERROR_NOT_SUPPORTED` for the
/// host's access to device memory, which can only be denied.
///
/// Manual: Virtual Memory Management.
#[entry(since = 10020, needs = init)]
pub fn cuMemSetAccess(ptr: CUdeviceptr, size: usize, desc: In<CUmemAccessDesc>, count: usize) -> Result<()> {
    let grant = |desc: CUmemAccessDesc| {
        let access = match desc.flags {
            CU_MEM_ACCESS_FLAGS_PROT_NONE => Access::None,
            CU_MEM_ACCESS_FLAGS_PROT_READ => Access::Read,
            CU_MEM_ACCESS_FLAGS_PROT_READWRITE => Access::ReadWrite,
            _ => return Err(refuse!(Error::INVALID_VALUE, "desc: flags {:?} is not a CUmemAccess_flags", desc.flags)),
        };
        Ok((desc.location.place(), access))
    };
    refuse_if!(Error::INVALID_VALUE, count == 0, "count is 0");
    let grants = desc.slice(count)?.into_iter().map(grant).collect::<Result<Vec<_>>>()?;
    virtual_memory::set_access(ptr as usize, size, &grants)
}

/// Reports the access that a location has to a mapped address.
///
/// Memory that the program did not map itself shows no access, whatever it allows.
///
/// - `flags`: receives `CU_MEM_ACCESS_FLAGS_PROT_*`; 0 if no memory is at the address.
/// - `location`: a device, the host or a NUMA node.
/// - `ptr`: the address.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL or no memory is at the address; `CUDA_ERROR_INVALID_DEVICE`
/// if the location is unknown or its device does not exist.
///
/// Manual: Virtual Memory Management.
#[entry(since = 10020, needs = init)]
pub fn cuMemGetAccess(flags: Out<c_ulonglong>, location: In<CUmemLocation>, ptr: CUdeviceptr) -> Result<()> {
    flags.check()?;
    refuse_if!(Error::INVALID_VALUE, ptr == 0, "ptr is NULL");
    let place = location.get()?.place();
    virtual_memory::check_location(place)?;
    flags.set(CU_MEM_ACCESS_FLAGS_PROT_NONE.0.into())?;
    let access = match virtual_memory::access(place, ptr as usize)? {
        Access::None => CU_MEM_ACCESS_FLAGS_PROT_NONE,
        Access::Read => CU_MEM_ACCESS_FLAGS_PROT_READ,
        Access::ReadWrite => CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
    };
    flags.set(access.0.into())
}

/// Exports physical memory as an operating-system handle.
///
/// Imported memory cannot be exported.
///
/// - `shareableHandle`: receives an `int`, a new descriptor that the program closes (and `exec`), or a fabric handle of
///   64 bytes.
/// - `handle`: handle of the physical memory.
/// - `handleType`: a type that the memory was created with: `CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR` or
///   `CU_MEM_HANDLE_TYPE_FABRIC`.
/// - `flags`: 0.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `shareableHandle` is NULL, if `flags` is not 0, if `handle` is no such handle,
/// if it was imported, or if the memory was not created with the type; `CUDA_ERROR_OPERATING_SYSTEM` if there is no
/// descriptor left.
///
/// Manual: Virtual Memory Management.
#[entry(since = 10020, needs = init)]
pub fn cuMemExportToShareableHandle(
    shareableHandle: *mut c_void,
    handle: CUmemGenericAllocationHandle,
    handleType: CUmemAllocationHandleType,
    flags: c_ulonglong,
) -> Result<()> {
    refuse_if!(Error::INVALID_VALUE, shareableHandle.is_null(), "shareableHandle is NULL");
    refuse_if!(Error::INVALID_VALUE, flags != 0, "flags {:#x} is not 0", flags);
    let physical = physical::find(handle)?;
    match handleType {
        CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR => {
            let descriptor = physical.export_descriptor()?;
            Out::<c_int>(shareableHandle.cast()).set(descriptor.as_raw_fd())?;
            // The program closes it.
            let _ = descriptor.into_raw_fd();
            Ok(())
        }
        CU_MEM_HANDLE_TYPE_FABRIC => {
            let data = physical.export_fabric()?;
            Out::<CUmemFabricHandle>(shareableHandle.cast()).set(CUmemFabricHandle { data })
        }
        _ => Err(refuse!(Error::INVALID_VALUE, "handleType {:?} does not exist on Linux", handleType)),
    }
}

/// Imports physical memory that another process exported.
///
/// - `handle`: receives a handle of its own for the same memory.
/// - `osHandle`: the descriptor itself, which stays the program's, or the address of a fabric handle.
/// - `shHandleType`: `CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR` or `CU_MEM_HANDLE_TYPE_FABRIC`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `handle` is NULL, if a fabric handle is NULL, or if the type is unknown;
/// `CUDA_ERROR_UNKNOWN` for a descriptor of anything else; `CUDA_ERROR_NOT_SUPPORTED` for a fabric handle that names
/// nothing here; `CUDA_ERROR_INVALID_DEVICE` if the memory's device does not exist here.
///
/// Manual: Virtual Memory Management.
#[entry(since = 10020, needs = init)]
pub fn cuMemImportFromShareableHandle(
    handle: Out<CUmemGenericAllocationHandle>,
    osHandle: *mut c_void,
    shHandleType: CUmemAllocationHandleType,
) -> Result<()> {
    handle.check()?;
    let imported = match shHandleType {
        CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR => physical::import_descriptor(
            c_int::try_from(osHandle as isize)
                .map_err(|_| refuse!(Error::UNKNOWN, "osHandle {:?} is not a file descriptor", osHandle))?,
        )?,
        CU_MEM_HANDLE_TYPE_FABRIC => {
            physical::import_fabric(&In::<CUmemFabricHandle>(osHandle.cast_const().cast()).get()?.data)?
        }
        _ => return Err(refuse!(Error::INVALID_VALUE, "shHandleType {:?} does not exist on Linux", shHandleType)),
    };
    handle.set(imported as CUmemGenericAllocationHandle)
}

/// Reports the minimum or recommended granularity for sizes and addresses.
///
/// - `granularity`: receives it in bytes: 2 MiB, whatever the properties are.
/// - `prop`: the properties; not checked further.
/// - `option`: `CU_MEM_ALLOC_GRANULARITY_MINIMUM` or `CU_MEM_ALLOC_GRANULARITY_RECOMMENDED`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a pointer is NULL or the option is unknown.
///
/// Manual: Virtual Memory Management.
#[entry(since = 10020, needs = init)]
pub fn cuMemGetAllocationGranularity(
    granularity: Out<usize>,
    prop: In<CUmemAllocationProp>,
    option: CUmemAllocationGranularity_flags,
) -> Result<()> {
    granularity.check()?;
    prop.get()?;
    refuse_if!(
        Error::INVALID_VALUE,
        option > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED,
        "option {:?} is not a CUmemAllocationGranularity_flags",
        option
    );
    granularity.set(physical::GRANULARITY)
}

/// Reports the properties with which physical memory was created.
///
/// - `prop`: receives the properties: memory on the host shows the NUMA node that it is on, a multicast object no location, and
///   the usage is always 0.
/// - `handle`: handle of the physical memory.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `prop` is NULL or `handle` is no such handle.
///
/// Manual: Virtual Memory Management.
#[entry(since = 10020, needs = init)]
pub fn cuMemGetAllocationPropertiesFromHandle(
    prop: Out<CUmemAllocationProp>,
    handle: CUmemGenericAllocationHandle,
) -> Result<()> {
    prop.check()?;
    let physical = physical::find(handle)?;
    let properties = physical.properties;
    // The memory of a multicast object is at no one place.
    let location = if physical.multicast().is_some() { Location::Unknown } else { properties.location };
    let mut result = CUmemAllocationProp {
        r#type: CU_MEM_ALLOCATION_TYPE_PINNED,
        location: CUmemLocation::of(location),
        ..Default::default()
    };
    let types = [
        (properties.descriptor, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
        (properties.fabric, CU_MEM_HANDLE_TYPE_FABRIC),
    ];
    result.requestedHandleTypes.0 = types.iter().filter(|(has, _)| *has).fold(0, |bits, (_, t)| bits | t.0);
    result.allocFlags.compressionType = properties.compressible.into();
    result.allocFlags.gpuDirectRDMACapable = properties.rdma.into();
    prop.set(result)
}

/// Finds the physical memory mapped at an address and takes a reference on it.
///
/// - `handle`: receives the handle that the program has, or a new one if it released all.
/// - `addr`: any address of the mapping.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `handle` is NULL, or if the program mapped no memory at the address.
///
/// Manual: Virtual Memory Management.
#[entry(since = 11000, needs = init)]
pub fn cuMemRetainAllocationHandle(handle: Out<CUmemGenericAllocationHandle>, addr: *mut c_void) -> Result<()> {
    handle.check()?;
    handle.set(virtual_memory::retain(addr as usize)? as CUmemGenericAllocationHandle)
}
