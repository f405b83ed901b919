//! Allocations that are gone for everybody who looks, while nobody else gets their addresses.

use super::chunks::Space;
use super::entries::Use;
use super::layout::{CHUNK, GRANULE};
use std::sync::Arc;

impl<T> Space<T> {
    /// Look-ups find nothing any more at the allocation in chunks or granules that begins at `base`, if `wanted` says so.
    /// Its addresses stay taken until [`Space::release`], and a shared chunk counts until then.
    pub fn retire(&self, base: usize, wanted: impl FnOnce(&Arc<T>) -> bool) -> Option<()> {
        let mut inner = self.change();
        let inner = &mut *inner;
        let entry = self.entry(inner, base)?;
        if entry.base != base || !wanted(entry.value) {
            return None;
        }
        let chunk = self.chunk_of(base)?;
        let slot = match Use::unpack(inner.chunks[chunk]) {
            Use::Large(slot) => {
                self.view.hide(chunk, inner.entries.get(slot)?.span / CHUNK);
                slot
            }
            Use::Small(i) => {
                let (table, at) = (inner.small.get(i)?.table, (base - self.base) % CHUNK / GRANULE);
                let slot = table.record(at)?.slot;
                table.clear(at, inner.entries.get(slot)?.span / GRANULE);
                slot
            }
            _ => return None,
        };
        let entry = inner.entries.get_mut(slot)?;
        (entry.size, entry.charge) = (0, None);
        inner.retired.insert(base, slot);
        Some(())
    }

    /// Gives the addresses of a retired allocation back.
    pub fn release(&self, base: usize, wanted: impl FnOnce(&Arc<T>) -> bool) -> Option<()> {
        let mut inner = self.change();
        let inner = &mut *inner;
        let &slot = inner.retired.get(&base)?;
        if !wanted(&inner.entries.get(slot)?.value) {
            return None;
        }
        inner.retired.remove(&base);
        let (entry, chunk) = (inner.entries.remove(slot)?, self.chunk_of(base)?);
        match Use::unpack(inner.chunks[chunk]) {
            Use::Small(i) => {
                let at = (base - self.base) % CHUNK / GRANULE;
                self.give_granules(inner, i, at, entry.span / GRANULE);
            }
            _ => self.give_chunks(inner, chunk, entry.span / CHUNK),
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Glance, Piece, SMALL_LIMIT, Zone};
    use super::*;

    #[test]
    fn retired_addresses_are_taken_and_not_found() {
        const ZONE: Zone = Zone { device: 0, class: 0, heap: 0 };
        let space = Space::<Piece>::reserve().unwrap();
        let place = |size: usize| *space.place(ZONE, size, |_| Ok(None), Arc::new).unwrap();
        for size in [100, 700, SMALL_LIMIT + 1, 5 * CHUNK] {
            let keep = place(size);
            let a = place(size);
            assert!(space.release(a.base, |_| true).is_none(), "alive");
            assert!(space.retire(a.base + 1, |_| true).is_none(), "not the first address");
            assert!(space.retire(a.base, |_| false).is_none());
            assert!(space.retire(a.base, |p| p.base == a.base).is_some());
            assert!(space.find(a.base).is_none() && space.find_overlapping(a.base, size).is_none(), "{size}");
            assert!(!matches!(space.glance(a.base), Glance::Inside(_)) && space.zone(a.base).is_none());
            assert!(!space.collect(|_| true).iter().any(|p| p.base == a.base));
            assert!(space.remove(a.base).is_none() && space.retire(a.base, |_| true).is_none(), "twice");
            assert!(space.find(keep.base).is_some());
            let b = place(size);
            assert_ne!(b.base, a.base);
            assert!(space.release(a.base, |_| true).is_some());
            assert!(space.release(a.base, |_| true).is_none());
            assert_eq!(place(size).base, a.base, "free again");
        }
    }
}
