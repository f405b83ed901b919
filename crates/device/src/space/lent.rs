//! Blocks that other processes can map: chunks whose memory lies in a file.
//!
//! A block is what an allocation was cut out of, its own chunks or the chunk that it shares. It keeps its file until
//! the chunks are given back.

use super::chunks::{Inner, Space};
use super::entries::Use;
use super::layout::{CHUNK, Piece};
use crate::base::memory_file::MemoryFile;
use error::{Error, Result, refuse};
use std::sync::Arc;

impl<T> Space<T> {
    /// The block of the allocation that holds `addr`, if that is what `wanted` says, and its file, which `make` makes and puts
    /// in place if there is none. Nobody can allocate or free meanwhile.
    pub fn lend(
        &self,
        addr: usize,
        wanted: impl FnOnce(&Arc<T>) -> bool,
        make: impl FnOnce(Piece) -> Result<MemoryFile>,
    ) -> Result<(Piece, Arc<MemoryFile>)> {
        let mut inner = self.change();
        if !self.entry(&inner, addr).is_some_and(|entry| wanted(entry.value)) {
            return Err(refuse!(Error::INVALID_VALUE, "_ {:#x} is being freed by another thread", addr));
        }
        let (start, count) = self.block(&inner, addr).ok_or(Error::INVALID_VALUE)?;
        let piece = Piece { base: self.base + start * CHUNK, span: count * CHUNK };
        if let Some((_, file)) = inner.lent.get(&start) {
            return Ok((piece, file.clone()));
        }
        let file = Arc::new(make(piece)?);
        inner.lent.insert(start, (count, file.clone()));
        Ok((piece, file))
    }

    /// The block that `addr` lies in and its file, if that is lent.
    pub fn lent(&self, addr: usize) -> Option<(Piece, Arc<MemoryFile>)> {
        let inner = self.inner.read();
        let (start, count) = self.block(&inner, addr)?;
        let (_, file) = inner.lent.get(&start)?;
        Some((Piece { base: self.base + start * CHUNK, span: count * CHUNK }, file.clone()))
    }

    fn block(&self, inner: &Inner<T>, addr: usize) -> Option<(usize, usize)> {
        let chunk = self.chunk_of(addr)?;
        match Use::unpack(inner.chunks[chunk]) {
            Use::Small(_) => Some((chunk, 1)),
            Use::Large(i) => {
                let entry = inner.entries.get(i)?;
                Some(((entry.base - self.base) / CHUNK, entry.span / CHUNK))
            }
            Use::Free | Use::Packed(_) => None,
        }
    }
}
