//! Multicast objects: teams of devices whose memory `multimem` instructions reach at one address.

use crate::base::attribute::DeviceAttribute;
use crate::base::bounds::MOST_TEAM;
use crate::base::checking;
use crate::base::devices::{Device, device, devices, installed};
use crate::base::location::Location;
use crate::memory::allocation::{Access, MappedMemory, MemoryKind};
use crate::memory::lookup::find;
use crate::memory::mapping;
use crate::memory::physical::{self, GRANULARITY, Multicast, Part, Physical, View};
use crate::memory::virtual_memory;
use error::{Error, Result, refuse, refuse_if};
use std::any::Any;
use std::sync::Arc;

/// What an object is made like.
#[derive(Clone, Copy, Debug)]
pub struct Properties {
    /// Devices of the team.
    pub devices: usize,
    /// Bytes for each.
    pub size: usize,
    /// Can leave the process as a file descriptor, and as a fabric handle.
    pub descriptor: bool,
    pub fabric: bool,
}

/// Sizes and offsets are multiples of this.
pub const MULTICAST_GRANULARITY: usize = GRANULARITY;

/// Checks that the machine has multicast objects.
pub fn check_support() -> Result<()> {
    let able = devices().iter().any(|device| device.attribute_value(DeviceAttribute::MULTICAST_SUPPORTED) != 0);
    refuse_if!(
        Error::NOT_SUPPORTED,
        !able,
        "no device supports multicast objects (CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED): that takes two devices of capability 9.0"
    );
    Ok(())
}

/// Checks the number of devices.
pub fn check_devices(count: usize) -> Result<()> {
    refuse_if!(Error::INVALID_VALUE, count == 0, "prop.numDevices is 0");
    let most = installed().min(MOST_TEAM);
    refuse_if!(Error::INVALID_VALUE, count > most, "prop.numDevices {} is more than the machine has, {}", count, most);
    Ok(())
}

/// Makes an object, without devices and memory.
pub fn create(properties: &Properties) -> Result<usize> {
    let Properties { devices, size, descriptor, fabric } = *properties;
    check_devices(devices)?;
    physical::create_multicast(size, devices, descriptor, fabric).map_err(|error| error.of("prop.size"))
}

fn object(handle: u64) -> Result<Arc<Multicast>> {
    physical::find(handle)?
        .multicast()
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "mcHandle {:#x} is memory, not a multicast object", handle))
}

fn team_member(multicast: &Multicast, dev: i32) -> Result<&'static Arc<Device>> {
    let found = device(dev)?;
    refuse_if!(
        Error::INVALID_DEVICE,
        !multicast.has(found.slot.into()),
        "dev {} was not added to the multicast object",
        dev
    );
    Ok(found)
}

/// Adds a device to the team.
pub fn add_device(handle: u64, dev: i32) -> Result<()> {
    let multicast = object(handle)?;
    let device = device(dev)?;
    refuse_if!(
        Error::NOT_SUPPORTED,
        device.attribute_value(DeviceAttribute::MULTICAST_SUPPORTED) == 0,
        "dev {} does not support multicast objects (CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED)",
        dev
    );
    multicast.add(device.slot.into())
}

/// Checks a range of an object.
fn check_range(multicast: &Multicast, offset: usize, size: usize) -> Result<()> {
    physical::check_whole(offset, format_args!("mcOffset {offset}"))?;
    physical::check_size(size)?;
    let inside = offset.checked_add(size).is_some_and(|end| end <= multicast.size);
    refuse_if!(
        Error::INVALID_VALUE,
        !inside,
        "mcOffset {} + size {} goes beyond the end of the multicast object, {} bytes",
        offset,
        size,
        multicast.size
    );
    Ok(())
}

/// The device that memory is bound for: that of the memory, or the one that is named.
fn device_for(multicast: &Multicast, location: Location, named: Option<i32>) -> Result<&'static Arc<Device>> {
    match (location, named) {
        (Location::Device(own), None) => team_member(multicast, own),
        (Location::Device(own), Some(dev)) => {
            let member = team_member(multicast, dev)?;
            refuse_if!(Error::INVALID_DEVICE, own != dev, "dev {} is not the device of the memory, {}", dev, own);
            Ok(member)
        }
        (Location::HostNuma(node), Some(dev)) => {
            let member = team_member(multicast, dev)?;
            let near = member.attribute_value(DeviceAttribute::HOST_NUMA_ID);
            refuse_if!(
                Error::INVALID_VALUE,
                near != node,
                "the memory is on NUMA node {}, and that of dev {} is {}",
                node,
                dev,
                near
            );
            Ok(member)
        }
        _ => Err(refuse!(Error::INVALID_VALUE, "the memory is not that of a device")),
    }
}

/// Memory of `cuMemCreate`, from an offset on.
fn part_of(memory: &Arc<Physical>, offset: usize, multicast: &Multicast) -> Result<Part> {
    refuse_if!(Error::INVALID_VALUE, memory.properties.tile_pool, "the memory is for tiles of sparse arrays");
    let backing = virtual_memory::move_to_file(memory)?;
    let window = memory.window()?;
    let file = backing.shareable().map(|(file, begins)| (file, begins + offset as u64));
    refuse_if!(
        Error::NOT_PERMITTED,
        multicast.is_shared() && file.is_none(),
        "the multicast object can leave the process, and the memory cannot (prop.requestedHandleTypes)"
    );
    let base = window.base() + offset;
    let held: Arc<dyn Any + Send + Sync> = Arc::new((window, memory.clone()));
    Ok(Part { base, held, file })
}

/// Where memory is to be bound.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The object.
    pub handle: u64,
    /// The device, unless it is the memory's.
    pub device: Option<i32>,
    /// First byte in the object.
    pub offset: usize,
    /// Bytes.
    pub size: usize,
}

/// Binds memory of `cuMemCreate`, from an offset on. Waits until all devices were added.
pub fn bind(place: Place, memory: u64, offset: usize) -> Result<()> {
    let multicast = object(place.handle)?;
    let memory = physical::find(memory).map_err(|error| error.of("memHandle"))?;
    refuse_if!(Error::INVALID_VALUE, memory.multicast().is_some(), "memHandle is a multicast object");
    check_range(&multicast, place.offset, place.size)?;
    physical::check_whole(offset, format_args!("memOffset {offset}"))?;
    let inside = offset.checked_add(place.size).is_some_and(|end| end <= memory.size);
    refuse_if!(
        Error::INVALID_VALUE,
        !inside,
        "memOffset {} + size {} goes beyond the end of the memory, {} bytes",
        offset,
        place.size,
        memory.size
    );
    place.device.map(device).transpose()?;
    multicast.wait_for_devices()?;
    let member = device_for(&multicast, memory.properties.location, place.device)?;
    multicast.bind(member.slot.into(), place.offset, place.size, part_of(&memory, offset, &multicast)?)
}

/// Binds memory at an address: of `cuMemCreate`, or from a pool. Waits until all devices were added.
pub fn bind_address(place: Place, address: usize) -> Result<()> {
    let multicast = object(place.handle)?;
    check_range(&multicast, place.offset, place.size)?;
    refuse_if!(Error::INVALID_VALUE, address == 0, "memptr is NULL");
    physical::check_whole(address, format_args!("memptr {address:#x}"))?;
    let allocation =
        find(address).ok_or_else(|| refuse!(Error::INVALID_VALUE, "memptr {:#x} is not memory", address))?;
    let offset = address - allocation.base;
    refuse_if!(
        Error::INVALID_VALUE,
        place.size > allocation.size - offset,
        "size {} goes beyond the end of the memory at memptr, {} bytes",
        place.size,
        allocation.size - offset
    );
    place.device.map(device).transpose()?;
    match allocation.kind {
        MemoryKind::Mapped => {
            let mapping = mapping::of(&allocation)
                .ok_or_else(|| refuse!(Error::INVALID_VALUE, "memptr {:#x} is not mapped", address))?;
            let memory = mapping.physical.clone();
            refuse_if!(Error::INVALID_VALUE, memory.multicast().is_some(), "memptr is a multicast address");
            multicast.wait_for_devices()?;
            let member = device_for(&multicast, memory.properties.location, place.device)?;
            multicast.bind(member.slot.into(), place.offset, place.size, part_of(&memory, offset, &multicast)?)
        }
        MemoryKind::Pool => {
            multicast.wait_for_devices()?;
            let home = Location::Device(allocation.device.ordinal as i32);
            let member = device_for(&multicast, home, place.device)?;
            refuse_if!(
                Error::NOT_SUPPORTED,
                multicast.is_shared(),
                "memptr {:#x} is memory from a pool, and the multicast object can leave the process",
                address
            );
            let part = Part { base: address, held: allocation, file: None };
            // What `multimem` writes into it is not looked at.
            checking::written(address, place.size);
            multicast.bind(member.slot.into(), place.offset, place.size, part)
        }
        _ => Err(refuse!(
            Error::INVALID_VALUE,
            "memptr {:#x} is memory that neither cuMemCreate nor cuMemAllocAsync made",
            address
        )),
    }
}

/// Takes away what is bound of a device's memory in a range.
pub fn unbind(handle: u64, dev: i32, offset: usize, size: usize) -> Result<()> {
    let multicast = object(handle)?;
    let member = team_member(&multicast, dev)?;
    check_range(&multicast, offset, size)?;
    multicast.unbind(member.slot.into(), offset, size)
}

/// The memory behind a multicast address: where the object's range begins in this process, and that range. `None` for other
/// addresses, and where the device, if one is named, has no such access.
pub fn view(address: usize, ordinal: Option<u32>, writes: bool) -> Option<(usize, Arc<View>)> {
    let allocation = find(address).filter(|allocation| allocation.kind == MemoryKind::Mapped)?;
    let mapping = mapping::of(&allocation)?;
    let needed = if writes { Access::ReadWrite } else { Access::Read };
    if ordinal.is_some_and(|ordinal| mapping.device_access(ordinal) < needed) {
        return None;
    }
    let view = mapping.physical.multicast()?.view(address - allocation.base)?;
    Some((allocation.base + view.offset, view))
}

/// Does something to `bytes` bytes behind a multicast address on every device, piece by piece: `each` takes a device's address,
/// which of the bytes begin there, and how many. False where not all of it is there, and when `each` is false.
#[cold]
pub fn on_all(address: usize, bytes: usize, each: &dyn Fn(usize, usize, usize) -> bool) -> bool {
    let mut at = 0;
    while at < bytes {
        let Some((base, view)) = view(address + at, None, true) else { return false };
        let inside = address + at - base;
        let length = (view.size - inside).min(bytes - at);
        if !view.replicas.iter().all(|&replica| each(replica as usize + inside, at, length)) {
            return false;
        }
        at += length;
    }
    true
}
