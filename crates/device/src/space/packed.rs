//! Packed regions: runs of chunks in which allocations of any size lie wall to wall, as the memory of a pool does.
//!
//! Who owns the region decides where in it allocations lie and which of its pages exist; here is only the look-up.

use super::chunks::Space;
use super::entries::{Packed, Use};
use super::layout::{CHUNK, Region};
use error::{Error, Result, refuse};
use guard::mapping::{self, Rights};
use std::sync::Arc;

impl<T> Space<T> {
    /// Takes an inaccessible region of `size` bytes, a multiple of [`CHUNK`], aligned to `align`. Returns its first
    /// address.
    pub fn reserve_packed(&self, size: usize, align: usize) -> Result<usize> {
        let count = size / CHUNK;
        let mut inner = self.change();
        let inner = &mut *inner;
        self.give_kept(inner);
        let align = align.max(CHUNK) / CHUNK;
        let phase = (self.base / CHUNK) % align;
        let start = self.take_aligned(inner, Region::Pools, count, align, phase).ok_or_else(|| {
            refuse!(
                Error::OUT_OF_MEMORY,
                "bytesize {}: the address space of the devices has no free range for it",
                size
            )
        })?;
        self.decommit(inner, start, count);
        let word = Use::Packed(inner.packed.insert(Packed::new())).pack();
        inner.chunks[start..start + count].fill(word);
        Ok(self.base + start * CHUNK)
    }

    /// Enters an allocation of a packed region; the owner keeps them apart.
    pub fn enter_packed(&self, base: usize, size: usize, value: Arc<T>) -> Result<()> {
        let mut inner = self.change();
        let inner = &mut *inner;
        let chunk = self.chunk_of(base).ok_or(Error::INVALID_VALUE)?;
        let Use::Packed(i) = Use::unpack(inner.chunks[chunk]) else {
            return Err(Error::INVALID_VALUE);
        };
        let packed = inner.packed.get_mut(i).ok_or(Error::INVALID_VALUE)?;
        packed.enter(base, size, value);
        Ok(())
    }

    /// Makes a part of a packed region readable and writable: private memory that reads as zero.
    pub fn commit_packed(&self, base: usize, size: usize) -> Result<()> {
        // SAFETY: the caller owns this part of our reservation.
        let done = unsafe { mapping::protect(base, size, Rights::ReadWrite) };
        if done { Ok(()) } else { Err(Error::OUT_OF_MEMORY) }
    }

    /// Gives a packed region back, whose allocations are all gone.
    pub fn release_packed(&self, base: usize, size: usize) {
        self.unmap(base, size);
        let mut inner = self.change();
        let inner = &mut *inner;
        let Some(chunk) = self.chunk_of(base) else { return };
        let Use::Packed(i) = Use::unpack(inner.chunks[chunk]) else { return };
        inner.packed.remove(i);
        let count = size / CHUNK;
        inner.chunks[chunk..chunk + count].fill(0);
        self.give_run(inner, chunk, count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Piece;

    #[test]
    fn allocations_lie_wall_to_wall_across_chunks() {
        let space = Space::<Piece>::reserve().unwrap();
        let base = space.reserve_packed(4 * CHUNK, 2 * CHUNK).unwrap();
        assert_eq!(base % (2 * CHUNK), 0);
        let enter = |at: usize, size: usize| {
            let value = Arc::new(Piece { base: at, span: size });
            space.enter_packed(at, size, value.clone()).unwrap();
            value
        };
        let a = enter(base, CHUNK + 512);
        let b = enter(base + CHUNK + 512, CHUNK);
        assert!(Arc::ptr_eq(&space.find(base + CHUNK + 511).unwrap(), &a));
        assert!(Arc::ptr_eq(&space.find(base + CHUNK + 512).unwrap(), &b));
        assert!(Arc::ptr_eq(&space.find(base + 2 * CHUNK).unwrap(), &b));
        assert!(space.find(base + 2 * CHUNK + 512).is_none());
        assert!(space.remove(base + 1).is_none());
        assert!(space.remove(base).is_some());
        assert!(space.find(base).is_none());
        assert!(Arc::ptr_eq(&space.find_overlapping(base, 3 * CHUNK).unwrap(), &b));
        assert!(space.find_overlapping(base + 2 * CHUNK + 512, CHUNK).is_none());
        space.remove(b.base).unwrap();
        space.release_packed(base, 4 * CHUNK);
        assert!(space.enter_packed(base, 1, b).is_err());
    }
}
