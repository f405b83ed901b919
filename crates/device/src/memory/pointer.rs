//! What a program may ask about an address.

use crate::memory::acting::{acting_device, has_peers};
use crate::memory::allocation::{Access, Allocation, Extra, MappedMemory, MemoryKind, SYNC_UNSET};
use crate::memory::lookup::{CLASS_DEVICE, CLASS_HOST, CLASS_MODULE, CLASS_WRITE_COMBINED, find, space};
use crate::memory::mapping;
use crate::space::{CHUNK, Glance, SMALL_LIMIT, Space};
use crate::stream::context;
use error::{Error, Result, refuse};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A property of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attribute {
    /// Handle of the context that the memory was allocated in.
    Context,
    /// 1 for host memory, 2 for device memory.
    MemoryType,
    /// The address for device code.
    DevicePointer,
    /// The address for host code.
    HostPointer,
    /// Tokens of an interface that is no more.
    PeerTokens,
    /// Whether all operations on the memory are synchronous.
    SyncMemops,
    /// Identity of the allocation.
    BufferId,
    /// Whether it is managed memory.
    IsManaged,
    /// Number of the device.
    DeviceOrdinal,
    /// Whether another process can open it by the interface of `cuIpc`.
    IpcCapable,
    /// First address of the allocation.
    RangeStart,
    /// Bytes of the allocation.
    RangeSize,
    /// Whether there is memory behind the address.
    Mapped,
    /// Kinds of handles that it can be exported as.
    HandleTypes,
    /// Whether other hardware can access it directly.
    RdmaCapable,
    /// 0 none, 1 read, 3 read and write: what the device may do.
    AccessFlags,
    /// Handle of the pool that it came from.
    Pool,
    /// Bytes of the larger block that it was cut out of.
    MappingSize,
    /// First address of that block.
    MappingBase,
    /// Identity of that block.
    BlockId,
    /// Whether the decompression hardware may use it.
    DecompressCapable,
}

/// The value of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// 32 bits.
    Word(u32),
    /// 64 bits, addresses and handles too.
    Long(u64),
    /// 12 bytes, all zero.
    Tokens,
}

/// What asking for an attribute gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The memory has it.
    Is(Value),
    /// The memory has no such property, or the current context must not know it. A call that asks for several attributes
    /// gets the value without an error, a call for this one alone gets value and error.
    Lacks(Value, Error),
    /// There is no memory. A call that asks for several attributes gets the value, if there is one.
    Unknown(Option<Value>),
}

use Answer::{Is, Lacks, Unknown};
use Value::{Long, Tokens, Word};

/// The address for device code, asked for by a thread without a current context.
const NOWHERE: Answer = Lacks(Long(0), Error::INVALID_CONTEXT);

/// Asks for an attribute of an address.
pub fn get(attribute: Attribute, address: usize) -> Answer {
    let Ok(space) = space() else { return unknown(attribute, address, None) };
    if let Some(value) = by_zone(attribute, address, space) {
        return Is(value);
    }
    let found = space.with_span(address, |found| match found {
        None => Ok(unknown(attribute, address, None)),
        Some((_, allocation)) => match allocation.kind {
            MemoryKind::Reserved => Ok(unknown(attribute, address, Some(allocation))),
            MemoryKind::Mapped => Err(allocation.clone()),
            _ => Ok(known(attribute, address, allocation)),
        },
    });
    found.unwrap_or_else(|mapping| mapped(attribute, address, &mapping))
}

/// What a program asks most often, without a lock and without a look at the allocation: with a million of them that is a
/// walk through memory that no cache holds.
#[inline]
fn by_zone(attribute: Attribute, address: usize, space: &Space<Allocation>) -> Option<Value> {
    let zone = match attribute {
        Attribute::DevicePointer if has_peers() || context::top_device().is_none() => return None,
        Attribute::MemoryType
        | Attribute::DevicePointer
        | Attribute::IsManaged
        | Attribute::Mapped
        | Attribute::DeviceOrdinal => space.zone(address)?,
        Attribute::RangeStart | Attribute::RangeSize => {
            let Glance::Inside(spot) = space.glance(address) else { return None };
            return Some(Long(if attribute == Attribute::RangeStart { spot.base } else { spot.size } as u64));
        }
        _ => return None,
    };
    // Variables of a module are their context's: that takes a look at the allocation.
    if attribute == Attribute::DevicePointer && zone.class == CLASS_MODULE {
        return None;
    }
    let host = match zone.class {
        CLASS_DEVICE | CLASS_MODULE => false,
        CLASS_HOST | CLASS_WRITE_COMBINED => true,
        _ => return None,
    };
    Some(match attribute {
        Attribute::MemoryType => Word(if host { 1 } else { 2 }),
        Attribute::DevicePointer => Long(address as u64),
        Attribute::IsManaged => Word(0),
        Attribute::Mapped => Word(1),
        Attribute::DeviceOrdinal if !host => Word(zone.device),
        _ => return None,
    })
}

fn unknown(attribute: Attribute, address: usize, reservation: Option<&Allocation>) -> Answer {
    Unknown(Some(match attribute {
        Attribute::HostPointer => Long(address as u64),
        // `CU_DEVICE_INVALID`.
        Attribute::DeviceOrdinal => Word(-2i32 as u32),
        Attribute::RangeStart => match reservation {
            Some(r) => Long(r.base as u64),
            None => return Unknown(None),
        },
        Attribute::RangeSize => match reservation {
            Some(r) => Long(r.size as u64),
            None => return Unknown(None),
        },
        Attribute::PeerTokens => Tokens,
        Attribute::Context
        | Attribute::DevicePointer
        | Attribute::BufferId
        | Attribute::HandleTypes
        | Attribute::Pool
        | Attribute::MappingSize
        | Attribute::MappingBase
        | Attribute::BlockId => Long(0),
        Attribute::MemoryType
        | Attribute::SyncMemops
        | Attribute::IsManaged
        | Attribute::IpcCapable
        | Attribute::Mapped
        | Attribute::RdmaCapable
        | Attribute::AccessFlags
        | Attribute::DecompressCapable => Word(0),
    }))
}

/// The block that an allocation was cut out of: first address, size.
fn block(allocation: &Allocation) -> (usize, usize) {
    const PAGE: usize = 4096;
    match allocation.kind {
        MemoryKind::Registered(_) => {
            let base = allocation.base & !(PAGE - 1);
            (base, (allocation.base + allocation.size).next_multiple_of(PAGE) - base)
        }
        MemoryKind::Pool | MemoryKind::HostPool | MemoryKind::Imported => {
            allocation.block().unwrap_or((allocation.base, allocation.span))
        }
        _ if allocation.span <= SMALL_LIMIT => (allocation.base & !(CHUNK - 1), CHUNK),
        _ => (allocation.base, allocation.span),
    }
}

fn known(attribute: Attribute, address: usize, allocation: &Allocation) -> Answer {
    let host = allocation.is_host();
    let managed = matches!(allocation.kind, MemoryKind::Managed(_));
    // The variables of a module, and what a graphics library shares, are device memory that nobody else is to have.
    let lent = |extra: &Extra| extra.of_module || extra.of_graphics || extra.imported;
    let plain = || allocation.kind == MemoryKind::Device && !lent(&allocation.extra.lock());
    let flag = |yes: bool| Word(yes.into());
    let is_of_another = || allocation.is_variable_of_another(context::current_handle());
    Is(match attribute {
        Attribute::Context if allocation.kind == MemoryKind::Pool => Long(0),
        Attribute::Context => Long(allocation.context_handle as u64),
        Attribute::MemoryType => Word(if host { 1 } else { 2 }),
        // The current context's device has no address for what it cannot use.
        Attribute::DevicePointer if context::top_device().is_none() => return NOWHERE,
        Attribute::DevicePointer if allocation.kind == MemoryKind::Array => {
            return Lacks(Long(0), Error::INVALID_VALUE);
        }
        // The variables of a module are its context's.
        Attribute::DevicePointer if is_of_another() => return Lacks(Long(0), Error::INVALID_VALUE),
        Attribute::DevicePointer if has_peers() && !allocation.is_open() => {
            return Lacks(Long(0), Error::INVALID_VALUE);
        }
        Attribute::DevicePointer if allocation.kind == MemoryKind::HostPool && !allocation.is_granted() => {
            return Lacks(Long(0), Error::INVALID_VALUE);
        }
        Attribute::DevicePointer => Long(address as u64),
        Attribute::HostPointer if host || managed => Long(address as u64),
        Attribute::HostPointer => return Lacks(Long(0), Error::INVALID_VALUE),
        Attribute::PeerTokens if host => return Lacks(Tokens, Error::INVALID_VALUE),
        Attribute::PeerTokens => Tokens,
        Attribute::SyncMemops => match allocation.sync_memops.load(Ordering::Relaxed) {
            // Managed memory says yes until it is asked to be, or not to be, synchronous; only asking makes it so.
            SYNC_UNSET => flag(managed),
            set => Word(set.into()),
        },
        Attribute::BufferId => Long(allocation.id),
        Attribute::IsManaged => flag(managed),
        Attribute::DeviceOrdinal => Word(allocation.device.ordinal),
        Attribute::IpcCapable => flag(plain()),
        // As the real driver: the size is told, the start is not.
        Attribute::RangeStart if allocation.kind == MemoryKind::HostPool => Long(0),
        Attribute::RangeStart => Long(allocation.base as u64),
        Attribute::RangeSize => Long(allocation.size as u64),
        Attribute::Mapped => Word(1),
        Attribute::HandleTypes => Long(allocation.pool.as_ref().map_or(0, |p| p.handle_types())),
        Attribute::RdmaCapable => flag(plain()),
        Attribute::AccessFlags => Word(3),
        Attribute::Pool => Long(allocation.pool.as_ref().map_or(0, |p| p.handle() as u64)),
        Attribute::MappingSize => Long(block(allocation).1 as u64),
        Attribute::MappingBase => Long(block(allocation).0 as u64),
        Attribute::BlockId => Long((block(allocation).0 / CHUNK) as u64),
        Attribute::DecompressCapable => flag(allocation.is_decompressible()),
    })
}

fn mapped(attribute: Attribute, address: usize, allocation: &Allocation) -> Answer {
    let Some(mapping) = mapping::of(allocation) else {
        return unknown(attribute, address, None);
    };
    let physical = &mapping.physical;
    let device = physical.device();
    let host = device.is_none();
    let access = || mapping.device_access(acting_device());
    Is(match attribute {
        Attribute::Context | Attribute::Pool => Long(0),
        Attribute::MemoryType => Word(if host { 1 } else { 2 }),
        Attribute::DevicePointer if context::top_device().is_none() => return NOWHERE,
        Attribute::DevicePointer if access() == Access::None => return Lacks(Long(0), Error::INVALID_VALUE),
        Attribute::DevicePointer => Long(address as u64),
        Attribute::HostPointer if host && mapping.host_access() != Access::None => Long(address as u64),
        Attribute::HostPointer => return Lacks(Long(0), Error::INVALID_VALUE),
        Attribute::PeerTokens if host => return Lacks(Tokens, Error::INVALID_VALUE),
        Attribute::PeerTokens => Tokens,
        Attribute::SyncMemops => Word((allocation.sync_memops.load(Ordering::Relaxed) == 1).into()),
        Attribute::BufferId => Long(allocation.id),
        Attribute::IsManaged | Attribute::IpcCapable => Word(0),
        Attribute::DeviceOrdinal => Word(device.map_or(0, |d| d.ordinal)),
        Attribute::RangeStart => Long(mapping.reservation.base as u64),
        Attribute::RangeSize => Long(mapping.reservation.size as u64),
        Attribute::MappingBase => Long(allocation.base as u64),
        Attribute::MappingSize => Long(allocation.size as u64),
        Attribute::Mapped => Word(1),
        Attribute::HandleTypes => {
            // `CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR` and `_FABRIC`.
            Long(u64::from(physical.properties.descriptor) | u64::from(physical.properties.fabric) << 3)
        }
        Attribute::RdmaCapable => Word(physical.properties.rdma.into()),
        Attribute::AccessFlags if context::top_device().is_none() => Word(0),
        Attribute::AccessFlags => Word(match access() {
            Access::None => 0,
            Access::Read => 1,
            Access::ReadWrite => 3,
        }),
        // The allocation of physical memory, however often it is mapped.
        Attribute::BlockId => Long(Arc::as_ptr(physical) as u64),
        Attribute::DecompressCapable => Word(allocation.is_decompressible().into()),
    })
}

/// The tokens of the allocation that holds `address`, asked for alone. What has them is synchronous from then on: somebody
/// else is about to read it whenever a call has returned.
pub fn tokens(address: usize) -> Answer {
    let answer = get(Attribute::PeerTokens, address);
    if let Is(_) = answer
        && let Ok(space) = space()
    {
        let _ = space
            .with(address, |_, _, allocation: &Arc<Allocation>| allocation.sync_memops.store(1, Ordering::Relaxed));
        space.obscure(address);
    }
    answer
}

/// Checks that an attribute of memory can be set at `address`, whichever: what is mapped has none that can.
pub fn check_settable(address: usize) -> Result<()> {
    match find(address) {
        Some(allocation) if allocation.kind == MemoryKind::Mapped => {
            Err(refuse!(Error::NOT_SUPPORTED, "_ {:#x} is in memory that was mapped by cuMemMap", address))
        }
        Some(_) => Ok(()),
        None => Err(refuse!(Error::INVALID_VALUE, "_ {:#x} is not an address of memory that CUDA knows", address)),
    }
}

/// Sets whether all operations on the allocation that holds `address` are synchronous.
pub fn set_sync_memops(address: usize, on: bool) -> Result<()> {
    let space = space()?;
    space
        .with(address, |_, _, allocation: &Arc<Allocation>| match allocation.kind {
            MemoryKind::Reserved => {
                Err(refuse!(Error::INVALID_VALUE, "ptr {:#x} is in a reserved range without memory", address))
            }
            MemoryKind::Mapped => {
                Err(refuse!(Error::NOT_SUPPORTED, "ptr {:#x} is in memory that was mapped by cuMemMap", address))
            }
            _ => {
                allocation.sync_memops.store(on.into(), Ordering::Relaxed);
                Ok(())
            }
        })
        .unwrap_or_else(|| {
            Err(refuse!(Error::INVALID_VALUE, "ptr {:#x} is not an address of memory that CUDA knows", address))
        })
        // Such memory is not what a glance takes it for.
        .inspect(|()| space.obscure(address))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory;
    use crate::testing;

    #[test]
    fn attributes_of_device_and_host_memory() {
        let context = testing::context_on(1);
        let a = memory::alloc(&context, 1000).unwrap().base;
        let h = memory::alloc_host(&context, 3 << 20, 2).unwrap().base;
        assert_eq!(get(Attribute::MemoryType, a + 999), Is(Word(2)));
        assert_eq!(get(Attribute::RangeSize, a + 999), Is(Long(1000)));
        assert_eq!(get(Attribute::DeviceOrdinal, a), Is(Word(1)));
        assert_eq!(get(Attribute::HostPointer, a), Lacks(Long(0), Error::INVALID_VALUE));
        assert_eq!(get(Attribute::MappingBase, a), Is(Long((a & !(CHUNK - 1)) as u64)));
        assert_eq!(get(Attribute::MemoryType, h + 5), Is(Word(1)));
        assert_eq!(get(Attribute::HostPointer, h + 5), Is(Long(h as u64 + 5)));
        assert_eq!(get(Attribute::PeerTokens, h), Lacks(Tokens, Error::INVALID_VALUE));
        assert_eq!(get(Attribute::MappingSize, h), Is(Long(4 << 20)));
        assert_eq!(get(Attribute::SyncMemops, a), Is(Word(0)));
        assert_eq!(tokens(a + 9), Is(Tokens));
        assert_eq!(get(Attribute::SyncMemops, a), Is(Word(1)));
        set_sync_memops(a + 1, false).unwrap();
        assert_eq!(get(Attribute::SyncMemops, a), Is(Word(0)));
        assert_eq!(get(Attribute::MemoryType, a + 1000), Unknown(Some(Word(0))));
        assert_eq!(get(Attribute::RangeSize, 16), Unknown(None));
        assert!(set_sync_memops(16, true).is_err());
        context.destroy();
        assert_eq!(get(Attribute::MemoryType, a), Unknown(Some(Word(0))));
    }
}
