//! Mappings inside reservations: while memory is mapped into a part of a reservation, look-ups there find the mapping
//! instead of the reservation.

use super::chunks::{Inner, Space};
use super::entries::{Entry, Use};
use super::layout::CHUNK;
use error::{Error, Result};
use std::sync::Arc;

/// What an overlay needs to be taken off again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlay {
    /// Chunks of the range: entry of what lies below.
    Chunks(u32),
    /// Outside of the range.
    Foreign,
}

impl<T> Space<T> {
    /// True when all of `base..base + size` lies in the reserved range.
    pub fn covers(&self, base: usize, size: usize) -> bool {
        let end = self.base + self.chunks * CHUNK;
        base >= self.base && size <= end - self.base && base <= end - size
    }

    /// Puts `value` over `base..base + size` of the reservation that is found at `base`. Both are multiples of
    /// [`CHUNK`]. The tail may leave the reservation when nobody owns the chunks there, which then belong to it.
    pub fn overlay(&self, base: usize, size: usize, value: Arc<T>) -> Result<Overlay> {
        let mut inner = self.change();
        let inner = &mut *inner;
        let Some(first) = self.chunk_of(base) else {
            return overlay_foreign(inner, base, size, value);
        };
        let count = size / CHUNK;
        let word = inner.chunks[first];
        let Use::Large(below) = Use::unpack(word) else {
            return Err(Error::INVALID_VALUE);
        };
        let run = inner.chunks.get(first..first.saturating_add(count)).ok_or(Error::INVALID_VALUE)?;
        let own = run.iter().take_while(|&&w| w == word).count();
        if own < count {
            let tail = first + own;
            let entry = inner.entries.get(below).ok_or(Error::INVALID_VALUE)?;
            let at_end = entry.base + entry.span == self.base + tail * CHUNK;
            if !at_end || inner.chunks[tail..first + count].iter().any(|&w| w != 0) {
                return Err(Error::INVALID_VALUE);
            }
            Self::take_at(inner, tail, count - own).ok_or(Error::INVALID_VALUE)?;
            self.decommit(inner, tail, count - own);
            if let Some(entry) = inner.entries.get_mut(below) {
                entry.span += (count - own) * CHUNK;
            }
        }
        let slot = inner.entries.insert(Entry { base, size, span: size, value, charge: None });
        inner.chunks[first..first + count].fill(Use::Large(slot).pack());
        self.view.hide(first, count);
        Ok(Overlay::Chunks(below))
    }

    /// Replaces what look-ups find at the allocation of whole chunks that begins at `base`, of which `size` bytes count.
    pub fn exchange(&self, base: usize, size: usize, value: Arc<T>) {
        let mut inner = self.change();
        let Some(chunk) = self.chunk_of(base) else { return };
        if let Use::Large(slot) = Use::unpack(inner.chunks[chunk])
            && let Some(entry) = inner.entries.get_mut(slot)
            && entry.base == base
        {
            entry.value = value;
            entry.size = size;
            self.view.obscure(base);
        }
    }

    /// Takes the overlay that begins at `base` off; `below` is what look-ups find there from now on.
    pub fn lift(&self, base: usize, overlay: Overlay, below: &Arc<T>) {
        let mut inner = self.change();
        let inner = &mut *inner;
        match overlay {
            Overlay::Chunks(word) => {
                let Some(first) = self.chunk_of(base) else { return };
                let Use::Large(slot) = Use::unpack(inner.chunks[first]) else { return };
                let Some(entry) = inner.entries.remove(slot) else { return };
                let count = entry.span / CHUNK;
                inner.chunks[first..first + count].fill(Use::Large(word).pack());
            }
            Overlay::Foreign => lift_foreign(inner, base, below),
        }
    }
}

/// Outside of the range, a reservation is a row of segments that hold the same value, with the mappings between them.
fn overlay_foreign<T>(inner: &mut Inner<T>, base: usize, size: usize, value: Arc<T>) -> Result<Overlay> {
    let (&start, below) = inner.foreign.range_mut(..=base).next_back().ok_or(Error::INVALID_VALUE)?;
    let (end, below_end) = (base.checked_add(size).ok_or(Error::INVALID_VALUE)?, start + below.size);
    if end > below_end {
        return Err(Error::INVALID_VALUE);
    }
    let segment = |base: usize, end: usize, value: &Arc<T>| Entry {
        base,
        size: end - base,
        span: end - base,
        value: value.clone(),
        charge: None,
    };
    let whole = inner.foreign.remove(&start).ok_or(Error::INVALID_VALUE)?;
    if start < base {
        inner.foreign.insert(start, segment(start, base, &whole.value));
    }
    inner.foreign.insert(base, segment(base, end, &value));
    if end < below_end {
        inner.foreign.insert(end, segment(end, below_end, &whole.value));
    }
    Ok(Overlay::Foreign)
}

fn lift_foreign<T>(inner: &mut Inner<T>, base: usize, below: &Arc<T>) {
    let Some(mut entry) = inner.foreign.remove(&base) else { return };
    let after = entry.base + entry.size;
    if inner.foreign.get(&after).is_some_and(|e| Arc::ptr_eq(&e.value, below))
        && let Some(next) = inner.foreign.remove(&after)
    {
        entry.size += next.size;
    }
    if let Some((_, before)) = inner.foreign.range_mut(..base).next_back()
        && before.base + before.size == base
        && Arc::ptr_eq(&before.value, below)
    {
        before.size += entry.size;
        before.span = before.size;
        return;
    }
    entry.span = entry.size;
    entry.value = below.clone();
    inner.foreign.insert(entry.base, entry);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Piece;

    fn named(base: usize) -> Arc<Piece> {
        Arc::new(Piece { base, span: 0 })
    }

    #[test]
    fn mappings_hide_the_reservation() {
        let space = Space::<Piece>::reserve().unwrap();
        let r = space.reserve_range(4 * CHUNK, CHUNK, 0, Arc::new).unwrap();
        let m = named(r.base + CHUNK);
        let overlay = space.overlay(r.base + CHUNK, 2 * CHUNK, m.clone()).unwrap();
        assert!(Arc::ptr_eq(&space.find(r.base).unwrap(), &r));
        assert!(Arc::ptr_eq(&space.find(r.base + 3 * CHUNK - 1).unwrap(), &m));
        assert!(Arc::ptr_eq(&space.find(r.base + 3 * CHUNK).unwrap(), &r));
        assert!(space.overlay(r.base, 2 * CHUNK, m.clone()).is_err(), "overlaps");
        space.lift(r.base + CHUNK, overlay, &r);
        assert!(Arc::ptr_eq(&space.find(r.base + CHUNK).unwrap(), &r));
        assert!(space.remove(r.base).is_some());
    }

    #[test]
    fn a_tail_may_leave_the_reservation_into_free_space() {
        let space = Space::<Piece>::reserve().unwrap();
        let r = space.reserve_range(2 * CHUNK, CHUNK, 0, Arc::new).unwrap();
        let overlay = space.overlay(r.base + CHUNK, 3 * CHUNK, named(0)).unwrap();
        assert!(space.find(r.base + 4 * CHUNK - 1).is_some());
        let next = space.reserve_range(CHUNK, CHUNK, r.base + 2 * CHUNK, Arc::new).unwrap();
        assert!(next.base >= r.base + 4 * CHUNK || next.base < r.base, "the tail is taken");
        space.lift(r.base + CHUNK, overlay, &r);
        assert!(space.find(r.base + 2 * CHUNK).is_none(), "past the end of the reservation");
        assert!(space.remove(r.base).is_some());
        let again = space.reserve_range(4 * CHUNK, CHUNK, r.base, Arc::new).unwrap();
        assert_eq!(again.base, r.base, "with its tail");
    }

    #[test]
    fn foreign_reservations_split_and_join() {
        let space = Space::<Piece>::reserve().unwrap();
        let (r, a, b) = (named(1), named(2), named(3));
        let base = 1 << 32;
        assert!(!space.covers(base, 4 * CHUNK));
        space.enter_foreign(base, 4 * CHUNK, r.clone()).unwrap();
        let oa = space.overlay(base, CHUNK, a.clone()).unwrap();
        let ob = space.overlay(base + CHUNK, 2 * CHUNK, b.clone()).unwrap();
        assert!(space.overlay(base + 3 * CHUNK, 2 * CHUNK, b.clone()).is_err(), "leaves the reservation");
        assert!(Arc::ptr_eq(&space.find(base + 2 * CHUNK).unwrap(), &b));
        assert!(Arc::ptr_eq(&space.find(base + 3 * CHUNK).unwrap(), &r));
        space.lift(base, oa, &r);
        space.lift(base + CHUNK, ob, &r);
        assert_eq!(space.with(base + CHUNK, |base, size, _| (base, size)), Some((base, 4 * CHUNK)));
        assert!(space.remove(base).is_some());
        assert!(space.find(base + 3 * CHUNK).is_none());
    }
}
