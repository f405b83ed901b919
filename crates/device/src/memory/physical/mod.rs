//! Physical memory: what `cuMemCreate` makes and `cuMemMap` maps.
//!
//! Memory that stays in the process and is mapped at one address, as most is, is anonymous memory right there, in huge
//! pages. While it is mapped nowhere its pages are kept aside. Memory that is mapped at several addresses, or may leave
//! the process, lies in a memory file: from the start where creation says so, else from the second mapping on. Memory
//! that may leave has a file of its own; all other shares one, in which every piece has its own offset, so that thousands
//! of pieces take one descriptor. Pages exist once they are touched.

mod backing;
mod bytes;
mod multicast;
mod object;
mod share;
pub use backing::{Backing, Window};
pub use multicast::{Multicast, Part, View, awaits_multicast};
pub(crate) use object::HANDLES;
pub use object::{GRANULARITY, Physical, Properties, check_size, check_whole, find, release};
pub use share::{import_descriptor, import_fabric, open_foreign};

use crate::base::devices::device;
use crate::base::location;
use crate::base::location::Location;
use crate::base::usage::Purpose;
use crate::memory::pool;
use error::{Error, Result, refuse, refuse_if};
use object::{Bytes, enter, has_fabric};
use std::sync::Arc;

/// Checks what is told before anything else about memory that is to be made: that it has a size, and that the device
/// exists.
pub fn check(size: usize, location: Location) -> Result<()> {
    check_size(size)?;
    match location {
        Location::Device(ordinal) => device(ordinal).map(drop),
        _ => Ok(()),
    }
}

/// Makes physical memory and its first handle. `size` is a multiple of [`GRANULARITY`], not 0.
pub fn create(size: usize, properties: Properties) -> Result<usize> {
    check(size, properties.location)?;
    let mut properties = properties;
    let owner = match properties.location {
        Location::Device(ordinal) => Some(device(ordinal)?),
        Location::Host => {
            properties.location = Location::HostNuma(0);
            None
        }
        Location::HostNuma(node) if location::has_numa_node(node) => None,
        Location::HostNuma(_) | Location::HostNumaCurrent | Location::Unknown => {
            return Err(refuse!(
                Error::INVALID_VALUE,
                "prop.location {:?} is no location that memory can be made at",
                properties.location
            ));
        }
    };
    refuse_if!(
        Error::NOT_PERMITTED,
        properties.fabric && !has_fabric(),
        "prop.requestedHandleTypes asks for a fabric handle, and the device has no fabric"
    );
    refuse_if!(Error::OUT_OF_MEMORY, size > isize::MAX as usize, "size {} is more than an address space", size);
    let charge = owner.map(|device| pool::charge(device, Purpose::Physical, size)).transpose()?;
    if properties.descriptor || properties.fabric {
        let backing = share::create(size, &properties, charge)?;
        return enter(size, properties, Bytes::File(backing), None);
    }
    // Tiles and memory for other devices of the bus are used by way of a file.
    let bytes = match properties.tile_pool || properties.rdma {
        true => Bytes::File(Arc::new(Backing::private(size)?)),
        false => Bytes::Untouched,
    };
    enter(size, properties, bytes, charge)
}

/// Makes a multicast object for so many devices, and its first handle. `size` is a multiple of [`GRANULARITY`], not 0.
pub fn create_multicast(size: usize, devices: usize, descriptor: bool, fabric: bool) -> Result<usize> {
    check_size(size)?;
    refuse_if!(
        Error::NOT_PERMITTED,
        fabric && !has_fabric(),
        "prop.handleTypes asks for a fabric handle, and the device has no fabric"
    );
    refuse_if!(Error::OUT_OF_MEMORY, size > isize::MAX as usize, "size {} is more than an address space", size);
    let properties = Properties { descriptor, fabric, ..Properties::MULTICAST };
    let multicast = Arc::new(match descriptor || fabric {
        true => share::create_multicast(size, devices, &properties)?,
        false => Multicast::private(size, devices)?,
    });
    share::know(&multicast);
    enter(size, properties, Bytes::Multicast(multicast), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dma_buf_is_a_part_of_the_memory() {
        let (_first, memory) = (Backing::private(GRANULARITY).unwrap(), Backing::private(2 * GRANULARITY).unwrap());
        assert_eq!(memory.dma_buf(GRANULARITY, 2 * GRANULARITY).err(), Some(Error::INVALID_VALUE), "past the memory");
        assert_eq!(memory.dma_buf(usize::MAX, 1).err(), Some(Error::INVALID_VALUE));
    }
}
