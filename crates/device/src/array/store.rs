//! The memory of arrays: rows one after another without gaps, slice after slice, so that a copy of a row is a copy
//! of bytes. It starts as zeros and takes pages when they are first written.

use crate::base::devices::Device;
use crate::base::usage::{Charge, Purpose};
use crate::memory::Standin;
use crate::memory::pool;
use error::{Error, Result, refuse};
use guard::mapping::{self, Advice, HostMapping, Rights};
use parking_lot::RwLock;
use std::sync::Arc;

/// Zeros of our own.
fn pages(bytes: usize) -> Result<HostMapping> {
    const HUGE: usize = 2 << 20;
    let mapping = HostMapping::anonymous(bytes, Rights::ReadWrite)
        .ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "the host has no memory for an array of {} bytes", bytes))?;
    if bytes >= HUGE {
        mapping::advise(mapping.base(), bytes, Advice::Huge);
    }
    Ok(mapping)
}

/// Keeps memory alive.
pub type Owner = Arc<dyn std::any::Any + Send + Sync>;

/// Memory of another owner, kept alive by the token.
#[derive(Clone)]
pub struct Provided {
    /// First byte.
    pub base: usize,
    /// Owner of the memory.
    pub owner: Owner,
}

enum Backing {
    Own(HostMapping),
    /// Mapped by the program, or not yet.
    Deferred(Option<Provided>),
    /// Mapped tile by tile; each tile is a run of bytes of its own.
    Sparse(std::collections::BTreeMap<u64, Provided>),
}

/// The memory of an array and of everything that is part of it.
pub struct Store {
    backing: RwLock<Backing>,
    _charge: Option<Charge>,
    /// Reserves the addresses that the array would have on a device.
    _addresses: Option<Standin>,
}

/// Where the bytes of an array are at the moment.
#[derive(Clone)]
pub enum ArrayMemory {
    /// One piece of memory from here on. Memory that another thread may unmap has an owner, who keeps it meanwhile.
    Linear(usize, Option<Owner>),
    /// A sparse array without tiles: reads see zeros, writes are lost.
    Nowhere,
    /// Memory that was never mapped: every access fails.
    Missing,
    /// Tiles, each somewhere else.
    Tiles,
}

impl Store {
    /// Memory of `bytes` bytes that counts as `charged` bytes of the device. The device would have blocks of `blocks` bytes for
    /// it, next to those of the group.
    pub fn allocate(
        device: &Arc<Device>,
        bytes: usize,
        charged: usize,
        (blocks, group): (usize, u32),
    ) -> Result<Arc<Store>> {
        let charge = pool::charge(device, Purpose::Arrays, charged)?;
        let backing = RwLock::new(Backing::Own(pages(bytes.max(1))?));
        let addresses = Standin::of_array(device, blocks, group);
        Ok(Arc::new(Store { backing, _charge: Some(charge), _addresses: addresses }))
    }

    /// A store whose memory the program maps in one piece later; its device addresses are reserved from the start.
    pub fn deferred(device: &Arc<Device>, blocks: usize) -> Arc<Store> {
        let backing = RwLock::new(Backing::Deferred(None));
        let addresses = Standin::of_mapped_array(device, blocks);
        Arc::new(Store { backing, _charge: None, _addresses: addresses })
    }

    /// A store in memory of another owner, for its whole life.
    pub fn provided(memory: Provided) -> Arc<Store> {
        let backing = RwLock::new(Backing::Deferred(Some(memory)));
        Arc::new(Store { backing, _charge: None, _addresses: None })
    }

    /// A store whose memory the program maps tile by tile; its device addresses are reserved from the start.
    pub fn sparse(device: &Arc<Device>, blocks: usize) -> Arc<Store> {
        let backing = RwLock::new(Backing::Sparse(Default::default()));
        let addresses = Standin::of_mapped_array(device, blocks);
        Arc::new(Store { backing, _charge: None, _addresses: addresses })
    }

    /// Where the bytes are now.
    pub fn memory(&self) -> ArrayMemory {
        match &*self.backing.read() {
            Backing::Own(pages) => ArrayMemory::Linear(pages.base(), None),
            Backing::Deferred(Some(provided)) => ArrayMemory::Linear(provided.base, Some(provided.owner.clone())),
            Backing::Deferred(None) => ArrayMemory::Missing,
            Backing::Sparse(tiles) if tiles.is_empty() => ArrayMemory::Nowhere,
            Backing::Sparse(_) => ArrayMemory::Tiles,
        }
    }

    /// The memory behind a tile of a sparse array.
    pub fn tile(&self, number: u64) -> Option<Provided> {
        match &*self.backing.read() {
            Backing::Sparse(tiles) => tiles.get(&number).cloned(),
            _ => None,
        }
    }

    /// Maps (or, with `None`, unmaps) the memory of an array with deferred mapping.
    pub fn map(&self, memory: Option<Provided>) {
        if let Backing::Deferred(place) = &mut *self.backing.write() {
            *place = memory;
        }
    }

    /// Maps one tile of a sparse array.
    pub fn map_tile(&self, number: u64, memory: Provided) {
        if let Backing::Sparse(tiles) = &mut *self.backing.write() {
            tiles.insert(number, memory);
        }
    }

    /// Unmaps the mapped tiles of a sparse array for which `meant` holds.
    pub fn unmap_tiles(&self, meant: impl Fn(u64) -> bool) {
        if let Backing::Sparse(tiles) = &mut *self.backing.write() {
            tiles.retain(|&number, _| !meant(number));
        }
    }
}
