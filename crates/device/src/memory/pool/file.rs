//! The file of a pool that can leave the process, as its exporter makes it and as an importer maps it.

use crate::base::devices::{ordinal_of, slot_of};
use crate::base::location::{Location, has_numa_node};
use crate::base::memory_file::MemoryFile;
use crate::memory::lookup::space;
use crate::memory::pool::arena::{HEADER, SEGMENT};
use crate::memory::pool::properties::{Class, Properties};
use crate::space::CHUNK;
use error::{Error, Result, refuse_if};
use guard::mapping::Rights;
use std::collections::BTreeMap;

pub(super) const MAGIC: u64 = u64::from_le_bytes(*b"DOPPELmp");
/// An importer may rely on the length of the file; the exporter may add to it.
pub(super) const SEALS: i32 = libc::F_SEAL_SHRINK;

/// Words of the header: magic, class, kind of location, its number, handle types.
pub(super) type Header = [u64; 5];

fn header(properties: &Properties) -> Header {
    let (kind, number) = match properties.location {
        Location::Device(id) => (0, slot_of(id)),
        Location::HostNuma(node) => (1, node as u64),
        Location::Host => (2, 0),
        _ => (3, 0),
    };
    [MAGIC, u64::from(properties.class == Class::Managed), kind, number, properties.handle_types.into()]
}

/// What a header says of the pool; `None` if it is none.
pub(super) fn properties(header: &Header) -> Option<Properties> {
    let &[MAGIC, class, kind, number, handle_types] = header else { return None };
    let node = i32::try_from(number).ok()?;
    let location = match kind {
        0 => Location::Device(ordinal_of(number)),
        1 if has_numa_node(node) => Location::HostNuma(node),
        1 | 2 => Location::Host,
        _ => Location::Unknown,
    };
    let class = if class == 0 { Class::Pinned } else { Class::Managed };
    Some(Properties {
        class,
        location,
        handle_types: u32::try_from(handle_types).ok()?,
        max_size: 0,
        decompress: false,
    })
}

/// The file for the memory of a pool that can leave the process.
pub(super) fn create(properties: &Properties) -> Result<MemoryFile> {
    let file = MemoryFile::create(HEADER)?;
    file.write_words(0, &header(properties))?;
    file.seal(SEALS)?;
    Ok(file)
}

/// The memory of another process's pool.
pub(super) struct Imports {
    pub(super) file: MemoryFile,
    /// Where the extents of the exporter are here: first address and size by offset in the file.
    extents: BTreeMap<u64, (usize, usize)>,
    /// How often the pool was imported and not destroyed.
    pub(super) references: u32,
}

impl Imports {
    /// A pool that was imported once, with this file.
    pub(super) fn new(file: MemoryFile) -> Imports {
        Imports { file, extents: BTreeMap::new(), references: 1 }
    }

    /// Where an extent of the exporter is here, mapped on first use.
    pub(super) fn extent(&mut self, offset: u64, size: usize) -> Result<usize> {
        if let Some(&(base, mapped)) = self.extents.get(&offset) {
            return if mapped == size { Ok(base) } else { Err(Error::INVALID_VALUE) };
        }
        let end = offset.checked_add(size as u64).ok_or(Error::INVALID_VALUE)?;
        let whole =
            size != 0 && size.is_multiple_of(SEGMENT) && offset >= HEADER && offset.is_multiple_of(CHUNK as u64);
        if !whole || end > self.file.length()? {
            return Err(Error::INVALID_VALUE);
        }
        let space = space()?;
        let base = space.reserve_packed(size, SEGMENT)?;
        // SAFETY: a region that was just taken and that nobody else knows of.
        if let Err(error) = unsafe { self.file.map(base, offset, size, Rights::ReadWrite) } {
            space.release_packed(base, size);
            return Err(error);
        }
        self.extents.insert(offset, (base, size));
        Ok(base)
    }

    /// Counts the pool as destroyed once; true when that was the last time, which is refused while it is in use, and to
    /// whom another thread was faster.
    pub(super) fn drop_reference(&mut self, in_use: bool) -> Result<bool> {
        refuse_if!(
            Error::INVALID_VALUE,
            self.references == 0 || (self.references == 1 && in_use),
            "ptr is open no more, or in use"
        );
        self.references -= 1;
        Ok(self.references == 0)
    }
}

impl Drop for Imports {
    fn drop(&mut self) {
        let Ok(space) = space() else { return };
        for &(base, size) in self.extents.values() {
            space.release_packed(base, size);
        }
    }
}
