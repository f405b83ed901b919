//! Bytes of memory files, and mappings of them for our own use.

use crate::base::memory_file::MemoryFile;
use crate::base::usage::Charge;
use error::{Error, Result, refuse, refuse_if};
use guard::mapping::{HostMapping, Rights};
use parking_lot::Mutex;
use std::os::fd::OwnedFd;
use std::sync::Arc;

/// The file that all memory shares which stays in the process. Offsets are never used twice.
struct SharedFile {
    pub(super) file: Arc<MemoryFile>,
    end: u64,
}

static SHARED_FILE: Mutex<Option<SharedFile>> = Mutex::new(None);

/// Bytes of a memory file.
pub struct Backing {
    pub(super) file: Arc<MemoryFile>,
    pub(super) offset: u64,
    pub(super) size: usize,
    /// What they are counted as.
    pub(super) _charge: Option<Charge>,
    /// Nobody else has the file's bytes: their pages go when this goes.
    pub(super) private: bool,
}

impl Backing {
    /// Memory that stays in the process.
    pub(super) fn private(size: usize) -> Result<Backing> {
        let mut shared = SHARED_FILE.lock();
        if shared.as_ref().is_none_or(|a| a.file.descriptor().is_err()) {
            *shared = Some(SharedFile { file: Arc::new(MemoryFile::create(0)?), end: 0 });
        }
        let shared = shared.as_mut().ok_or(Error::OUT_OF_MEMORY)?;
        let offset = shared.end;
        let end = offset.checked_add(size as u64).ok_or(Error::OUT_OF_MEMORY)?;
        shared.file.file.set_len(end).map_err(|_| Error::OUT_OF_MEMORY)?;
        shared.end = end;
        Ok(Backing { file: shared.file.clone(), offset, size, _charge: None, private: true })
    }

    /// Bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// True for memory of Mesa's Vulkan on the CPU: only its files have something in front of the memory.
    pub fn is_of_mesa(&self) -> bool {
        !self.private && self.offset > 0
    }

    /// The file, and where the bytes begin there, if other processes may open it.
    pub fn shareable(&self) -> Option<(Arc<MemoryFile>, u64)> {
        (!self.private).then(|| (self.file.clone(), self.offset))
    }

    /// A dma-buf of `size` bytes from `offset`, both multiples of the page size.
    pub fn dma_buf(&self, offset: usize, size: usize) -> Result<OwnedFd> {
        let inside = offset.checked_add(size).is_some_and(|end| end <= self.size);
        refuse_if!(
            Error::INVALID_VALUE,
            !inside,
            "size {} from offset {} goes beyond the end of the memory, {} bytes",
            size,
            offset,
            self.size
        );
        self.file.dma_buf(self.offset + offset as u64, size)
    }

    /// Maps all of it at `addr`, inaccessible, over what was there.
    pub fn map(&self, addr: usize) -> Result<()> {
        self.map_with(addr, Rights::None)
    }

    /// As [`Backing::map`], with rights.
    pub(super) fn map_with(&self, addr: usize, rights: Rights) -> Result<()> {
        self.place(addr, 0, self.size, rights)
    }

    /// Maps `size` bytes from `offset`, a multiple of the page size, at `addr`, over what was there.
    pub fn map_part(&self, addr: usize, offset: usize, size: usize) -> Result<()> {
        self.place(addr, offset, size, Rights::ReadWrite)
    }

    fn place(&self, addr: usize, offset: usize, size: usize, rights: Rights) -> Result<()> {
        // SAFETY: the caller owns the addresses, a part of a reservation.
        unsafe { self.file.map(addr, self.offset.saturating_add(offset as u64), size, rights) }
    }
}

impl Drop for Backing {
    fn drop(&mut self) {
        if self.private {
            self.file.clear(self.offset, self.size);
        }
    }
}

/// Memory mapped at an address of the system's choice, for our own use.
pub struct Window {
    pages: HostMapping,
    _backing: Option<Arc<Backing>>,
}

impl Window {
    fn new(pages: Option<HostMapping>, size: usize, backing: Option<Arc<Backing>>) -> Result<Arc<Window>> {
        let pages =
            pages.ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "size {}: the host has no room for a mapping", size))?;
        Ok(Arc::new(Window { pages, _backing: backing }))
    }

    /// All of a file's bytes.
    pub(super) fn of(backing: &Arc<Backing>) -> Result<Arc<Window>> {
        let (fd, offset) = (backing.file.descriptor()?, backing.offset as i64);
        Window::new(HostMapping::file(fd, offset, backing.size), backing.size, Some(backing.clone()))
    }

    /// `size` bytes of a file from `offset` on, as far as their pages go; and where the first of them is.
    pub fn of_part(backing: &Arc<Backing>, offset: usize, size: usize) -> Result<(Arc<Window>, usize)> {
        const PAGE: usize = 4096;
        let skipped = offset % PAGE;
        let size =
            size.checked_add(skipped).ok_or_else(|| refuse!(Error::INVALID_VALUE, "size {} is too large", size))?;
        let start = backing.offset.checked_add((offset - skipped) as u64).and_then(|n| i64::try_from(n).ok());
        let (fd, start) = (backing.file.descriptor()?, start.ok_or(Error::INVALID_VALUE)?);
        let window = Window::new(HostMapping::file(fd, start, size), size, Some(backing.clone()))?;
        let first = window.base() + skipped;
        Ok((window, first))
    }

    /// Memory of nobody else, all zero: `size` bytes, not 0.
    pub fn anonymous(size: usize) -> Result<Arc<Window>> {
        Window::new(HostMapping::anonymous(size, Rights::ReadWrite), size, None)
    }

    /// First byte.
    pub fn base(&self) -> usize {
        self.pages.base()
    }
}
