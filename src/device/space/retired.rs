//! Allocations that are gone for everybody who looks, while nobody else gets their addresses.

use super::{Space, Use};
use std::sync::Arc;

impl<T> Space<T> {
    /// Has look-ups find nothing any more at the allocation in chunks or granules that begins at `base`, if `wanted` says so.
    /// Its addresses stay taken until [`Space::release`].
    pub fn retire(&self, base: usize, wanted: impl FnOnce(&Arc<T>) -> bool) -> Option<()> {
        let mut inner = self.change();
        let entry = self.entry(&inner, base)?;
        if entry.base != base || !wanted(&entry.value) {
            return None;
        }
        let chunk = self.chunk_of(base)?;
        let slot = match Use::unpack(inner.chunks[chunk]) {
            Use::Large(slot) => slot,
            Use::Small(i) => inner.small.get(i)?.owner((base - self.base) % super::CHUNK / super::GRANULE)?,
            _ => return None,
        };
        self.view.obscure(base);
        inner.entries.get_mut(slot)?.size = 0;
        Some(())
    }

    /// Takes a retired allocation out, as [`Space::remove_if`] does with others.
    pub fn release(&self, base: usize, wanted: impl FnOnce(&Arc<T>) -> bool) -> Option<(Arc<T>, usize)> {
        let mut inner = self.change();
        let entry = self.entry_at(&inner, base)?;
        if entry.base != base || entry.size != 0 || !wanted(&entry.value) {
            return None;
        }
        self.take_out(&mut inner, base)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CHUNK, Glance, Piece, SMALL_LIMIT, Zone};
    use super::*;

    #[test]
    fn retired_addresses_are_taken_and_not_found() {
        const ZONE: Zone = Zone { device: 0, class: 0 };
        let space = Space::<Piece>::reserve().unwrap();
        let place = |size: usize| *space.place(ZONE, size, |_| Ok(()), Arc::new).unwrap();
        for (size, freed) in [(100, 0), (700, 0), (SMALL_LIMIT + 1, CHUNK), (5 * CHUNK, 5 * CHUNK)] {
            let keep = place(size);
            let a = place(size);
            assert!(space.release(a.base, |_| true).is_none(), "alive");
            assert!(space.retire(a.base + 1, |_| true).is_none(), "not the first address");
            assert!(space.retire(a.base, |_| false).is_none());
            space.retire(a.base, |p| p.base == a.base).unwrap();
            assert!(space.find(a.base).is_none() && space.find_overlapping(a.base, size).is_none(), "{size}");
            assert!(!matches!(space.glance(a.base), Glance::Inside(_)));
            assert!(!space.collect(|_| true).iter().any(|p| p.base == a.base));
            assert!(space.remove(a.base).is_none() && space.retire(a.base, |_| true).is_none(), "twice");
            assert!(space.find(keep.base).is_some());
            let b = place(size);
            assert_ne!(b.base, a.base);
            assert_eq!(space.release(a.base, |_| true).unwrap().1, freed);
            assert!(space.release(a.base, |_| true).is_none());
            assert_eq!(place(size).base, a.base, "free again");
        }
    }
}
