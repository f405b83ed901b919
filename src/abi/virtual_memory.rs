//! Virtual Memory Management.

#![allow(non_snake_case)]

use super::ptr::{In, InMut, Out};
use super::stream::lookup;
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
use crate::device;
use crate::device::array::array_map;
use crate::device::array::array_map::{Part, Request, Target};
use crate::device::base::location::Location;
use crate::device::memory::physical;
use crate::device::memory::physical::Properties;
use crate::device::memory::virtual_memory;
use crate::device::memory::virtual_memory::Access;
use api_macro::entry;
use core::ffi::{c_int, c_uint, c_ulonglong, c_void};
use error::{Error, Result};
use std::os::fd::{AsRawFd, IntoRawFd};

impl CUmemLocation {
    /// The place that this names.
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

    /// The number that tells the place among those of its type.
    pub fn number(&self) -> i32 {
        // SAFETY: every member of the union is a plain number.
        unsafe { self.anon0.id }
    }

    /// The name of a place.
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

/// What physical memory is to be made like. Handle types that no system has are ignored, those of another system are
/// refused.
fn properties(prop: &CUmemAllocationProp) -> Result<Properties> {
    let types = prop.requestedHandleTypes.0;
    let elsewhere = CU_MEM_HANDLE_TYPE_WIN32.0 | CU_MEM_HANDLE_TYPE_WIN32_KMT.0;
    let flags = &prop.allocFlags;
    let usage = u32::from(flags.usage);
    let location = prop.location.place();
    let (tiles, decompress) =
        (usage & CU_MEM_CREATE_USAGE_TILE_POOL != 0, usage & CU_MEM_CREATE_USAGE_HW_DECOMPRESS != 0);
    let (compressible, rdma) = (flags.compressionType != 0, flags.gpuDirectRDMACapable != 0);
    // What some memory cannot be besides. Handle types that no system has count here.
    let plain = !compressible && !rdma;
    let impossible = match location {
        Location::Host => types != 0 || !plain,
        Location::HostNuma(_) => !plain,
        _ => false,
    };
    if impossible || (tiles && (types != 0 || !plain)) || (decompress && compressible) {
        return Err(Error::INVALID_VALUE);
    }
    if prop.r#type != CU_MEM_ALLOCATION_TYPE_PINNED
        || types & elsewhere != 0
        || !prop.win32HandleMetaData.is_null()
        || u32::from(flags.compressionType) > CU_MEM_ALLOCATION_COMP_GENERIC.0
        || flags.reserved != [0; 4]
    {
        return Err(Error::INVALID_VALUE);
    }
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

/// What an entry of the list of array mappings asks for.
fn array_request(info: &CUarrayMapInfo) -> Result<Request> {
    if info.flags != 0 || info.memHandleType != CU_MEM_HANDLE_TYPE_GENERIC {
        return Err(Error::INVALID_VALUE);
    }
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
        CU_RESOURCE_TYPE_ARRAY => Target::Array(array.0),
        CU_RESOURCE_TYPE_MIPMAPPED_ARRAY => Target::Mipmapped(mipmap.0),
        _ => return Err(Error::INVALID_VALUE),
    };
    let part = match info.subresourceType {
        CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL => Part::Tiles {
            level: level.level,
            layer: level.layer,
            offset: [level.offsetX, level.offsetY, level.offsetZ],
            extent: [level.extentWidth, level.extentHeight, level.extentDepth],
        },
        CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL => {
            Part::Tail { layer: tail.layer, offset: tail.offset, size: tail.size }
        }
        _ => return Err(Error::INVALID_VALUE),
    };
    let memory = match info.memOperationType {
        CU_MEM_OPERATION_TYPE_MAP => Some((memory, info.offset)),
        CU_MEM_OPERATION_TYPE_UNMAP => None,
        _ => return Err(Error::INVALID_VALUE),
    };
    Ok(Request { target, part, memory, devices: info.deviceBitMask })
}

/// Reserves a range of addresses without memory behind it.
///
/// `size` is in bytes, a multiple of 2 MiB. `alignment` is 0 or a power of two. `addr` is a wish, a multiple of 2 MiB:
/// other addresses are given when it is taken or was given back lately. `flags` is 0.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE`; `CUDA_ERROR_OUT_OF_MEMORY` when no range is large enough.
#[entry(since = 10020, needs = init)]
pub fn cuMemAddressReserve(
    ptr: Out<CUdeviceptr>,
    size: usize,
    alignment: usize,
    addr: CUdeviceptr,
    flags: c_ulonglong,
) -> Result<()> {
    ptr.check()?;
    if flags != 0 {
        return Err(Error::INVALID_VALUE);
    }
    ptr.set(virtual_memory::reserve(size, alignment, addr as usize)? as CUdeviceptr)
}

/// Gives back a reserved range of addresses.
///
/// `ptr` and `size` are those of one reservation, in which nothing is mapped any more; else `CUDA_ERROR_INVALID_VALUE`.
#[entry(since = 10020, needs = init)]
pub fn cuMemAddressFree(ptr: CUdeviceptr, size: usize) -> Result<()> {
    virtual_memory::free(ptr as usize, size)
}

/// Creates physical memory that can be mapped at reserved addresses.
///
/// `size` is in bytes, a multiple of the granularity. The memory counts as used from here on, and its pages exist once
/// they are touched; they are zero then. Bits of unknown handle types and usages are ignored.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE`; `CUDA_ERROR_INVALID_DEVICE` for a device that does not exist;
/// `CUDA_ERROR_NOT_PERMITTED` for fabric handles where the device has no fabric; `CUDA_ERROR_OUT_OF_MEMORY`.
#[entry(since = 10020, needs = init)]
pub fn cuMemCreate(
    handle: Out<CUmemGenericAllocationHandle>,
    size: usize,
    prop: In<CUmemAllocationProp>,
    flags: c_ulonglong,
) -> Result<()> {
    handle.check()?;
    let prop = prop.get()?;
    if flags != 0 {
        return Err(Error::INVALID_VALUE);
    }
    physical::check(size, prop.location.place())?;
    handle.set(physical::create(size, properties(&prop)?)? as CUmemGenericAllocationHandle)
}

/// Drops a handle to physical memory, which lives on while it is mapped.
///
/// A handle that was retained is dropped as often. Dead and invented handles are `CUDA_ERROR_INVALID_VALUE`.
#[entry(since = 10020, needs = init)]
pub fn cuMemRelease(handle: CUmemGenericAllocationHandle) -> Result<()> {
    physical::release(handle)
}

/// Maps physical memory at a reserved address; access is granted separately.
///
/// Memory is mapped as a whole: `size` is its size and `offset` is 0, else `CUDA_ERROR_NOT_SUPPORTED`. The range begins
/// in a reservation, at a multiple of 2 MiB, and nothing is mapped in it yet; else `CUDA_ERROR_INVALID_VALUE`. So are
/// memory for tiles, which has no address, and `flags` other than 0.
#[entry(since = 10020, needs = init)]
pub fn cuMemMap(
    ptr: CUdeviceptr,
    size: usize,
    offset: usize,
    handle: CUmemGenericAllocationHandle,
    flags: c_ulonglong,
) -> Result<()> {
    if flags != 0 {
        return Err(Error::INVALID_VALUE);
    }
    virtual_memory::map(ptr as usize, size, offset, handle)
}

/// Maps or unmaps tiles of sparse arrays on a stream.
///
/// Boxes are made of whole tiles, except where a level ends; a mip tail is mapped as a whole. The memory was created
/// for tiles, and offsets in it are multiples of 64 KiB. Arrays with deferred mapping get all of their memory at once.
/// Everything is checked before the first entry is carried out, in the stream's order.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE`, `CUDA_ERROR_INVALID_HANDLE`.
#[entry(since = 11010, twin = "ptsz", needs = nothing)]
pub fn cuMemMapArrayAsync(mapInfoList: InMut<CUarrayMapInfo>, count: c_uint, hStream: CUstream) -> Result<()> {
    device::initialized_unless(count == 0, Error::INVALID_VALUE)?;
    let stream = lookup(hStream, default_stream)?;
    let list = mapInfoList.slice(count as usize)?;
    let requests = list.iter().map(array_request).collect::<Result<Vec<_>>>()?;
    array_map::map(&stream, &requests)
}

/// Removes the mapping from a range of addresses.
///
/// Begins in a reservation and cuts no mapping in two, else `CUDA_ERROR_INVALID_VALUE`; gaps are fine, and so are a
/// range without any mapping and one that begins or ends anywhere in between. Nothing is waited for: work in flight that uses the range fails.
#[entry(since = 10020, needs = init)]
pub fn cuMemUnmap(ptr: CUdeviceptr, size: usize) -> Result<()> {
    virtual_memory::unmap(ptr as usize, size)
}

/// Sets which devices may read or write a mapped range.
///
/// The range begins where a mapping begins and ends where one ends. `count` descriptors, at least one; for a location
/// that is named twice the last one counts. What was not granted cannot be copied or filled:
/// `CUDA_ERROR_INVALID_VALUE`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE`; `CUDA_ERROR_NOT_SUPPORTED` for the host's access to device memory, which can only
/// be denied.
#[entry(since = 10020, needs = init)]
pub fn cuMemSetAccess(ptr: CUdeviceptr, size: usize, desc: In<CUmemAccessDesc>, count: usize) -> Result<()> {
    let grant = |desc: CUmemAccessDesc| {
        let access = match desc.flags {
            CU_MEM_ACCESS_FLAGS_PROT_NONE => Access::None,
            CU_MEM_ACCESS_FLAGS_PROT_READ => Access::Read,
            CU_MEM_ACCESS_FLAGS_PROT_READWRITE => Access::ReadWrite,
            _ => return Err(Error::INVALID_VALUE),
        };
        Ok((desc.location.place(), access))
    };
    if count == 0 {
        return Err(Error::INVALID_VALUE);
    }
    let grants = desc.slice(count)?.into_iter().map(grant).collect::<Result<Vec<_>>>()?;
    virtual_memory::set_access(ptr as usize, size, &grants)
}

/// Reports the access that a location has to a mapped address.
///
/// Memory that the program did not map itself shows no access, whatever it allows. Addresses without memory are
/// `CUDA_ERROR_INVALID_VALUE`, with the result set to 0; locations that do not exist are `CUDA_ERROR_INVALID_DEVICE`.
#[entry(since = 10020, needs = init)]
pub fn cuMemGetAccess(flags: Out<c_ulonglong>, location: In<CUmemLocation>, ptr: CUdeviceptr) -> Result<()> {
    flags.check()?;
    if ptr == 0 {
        return Err(Error::INVALID_VALUE);
    }
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
/// A file descriptor (an `int`, closed on `exec`) or a fabric handle (64 bytes), as asked for at creation. Every export
/// of a descriptor is a new one, which the program closes. Imported memory cannot be exported.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE`.
#[entry(since = 10020, needs = init)]
pub fn cuMemExportToShareableHandle(
    shareableHandle: *mut c_void,
    handle: CUmemGenericAllocationHandle,
    handleType: CUmemAllocationHandleType,
    flags: c_ulonglong,
) -> Result<()> {
    if shareableHandle.is_null() || flags != 0 {
        return Err(Error::INVALID_VALUE);
    }
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
        _ => Err(Error::INVALID_VALUE),
    }
}

/// Imports physical memory that another process exported.
///
/// `osHandle` is the descriptor itself, which stays the program's, or the address of a fabric handle. The result is a
/// handle of its own for the same memory.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE`; `CUDA_ERROR_UNKNOWN` for a descriptor of anything else;
/// `CUDA_ERROR_NOT_SUPPORTED` for a fabric handle that names nothing here.
#[entry(since = 10020, needs = init)]
pub fn cuMemImportFromShareableHandle(
    handle: Out<CUmemGenericAllocationHandle>,
    osHandle: *mut c_void,
    shHandleType: CUmemAllocationHandleType,
) -> Result<()> {
    handle.check()?;
    let imported = match shHandleType {
        CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR => {
            physical::import_descriptor(c_int::try_from(osHandle as isize).map_err(|_| Error::UNKNOWN)?)?
        }
        CU_MEM_HANDLE_TYPE_FABRIC => {
            physical::import_fabric(&In::<CUmemFabricHandle>(osHandle.cast_const().cast()).get()?.data)?
        }
        _ => return Err(Error::INVALID_VALUE),
    };
    handle.set(imported as CUmemGenericAllocationHandle)
}

/// Reports the minimum or recommended granularity for sizes and addresses.
///
/// In bytes: 2 MiB, whatever the properties, which are not looked at further.
#[entry(since = 10020, needs = init)]
pub fn cuMemGetAllocationGranularity(
    granularity: Out<usize>,
    prop: In<CUmemAllocationProp>,
    option: CUmemAllocationGranularity_flags,
) -> Result<()> {
    granularity.check()?;
    prop.get()?;
    if option > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED {
        return Err(Error::INVALID_VALUE);
    }
    granularity.set(physical::GRANULARITY)
}

/// Reports the properties with which physical memory was created.
///
/// Memory on the host shows the NUMA node that it is on. The usage is always 0.
#[entry(since = 10020, needs = init)]
pub fn cuMemGetAllocationPropertiesFromHandle(
    prop: Out<CUmemAllocationProp>,
    handle: CUmemGenericAllocationHandle,
) -> Result<()> {
    prop.check()?;
    let properties = physical::find(handle)?.properties;
    let mut result = CUmemAllocationProp {
        r#type: CU_MEM_ALLOCATION_TYPE_PINNED,
        location: CUmemLocation::of(properties.location),
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
/// The handle is the one that the program has, or a new one if it released all. Memory that the program did not map
/// itself is `CUDA_ERROR_INVALID_VALUE`.
#[entry(since = 11000, needs = init)]
pub fn cuMemRetainAllocationHandle(handle: Out<CUmemGenericAllocationHandle>, addr: *mut c_void) -> Result<()> {
    handle.check()?;
    handle.set(virtual_memory::retain(addr as usize)? as CUmemGenericAllocationHandle)
}
