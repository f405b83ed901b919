//! What the tables of the address space hold.

use crate::base::usage::Charge;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a chunk is used for; numbers are those of slots.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    Free,
    Small(u32),
    Large(u32),
    Packed(u32),
}

impl Use {
    const LARGE: u32 = 1 << 31;
    const PACKED: u32 = 1 << 30;
    pub(super) fn pack(self) -> u32 {
        match self {
            Use::Free => 0,
            Use::Small(i) => i + 1,
            Use::Large(i) => (i + 1) | Self::LARGE,
            Use::Packed(i) => (i + 1) | Self::PACKED,
        }
    }
    pub(super) fn unpack(word: u32) -> Use {
        match word {
            0 => Use::Free,
            w if w & Self::LARGE != 0 => Use::Large((w & !Self::LARGE) - 1),
            w if w & Self::PACKED != 0 => Use::Packed((w & !Self::PACKED) - 1),
            w => Use::Small(w - 1),
        }
    }
}

/// An allocation with its value.
pub(super) struct Entry<T> {
    pub(super) base: usize,
    pub(super) size: usize,
    pub(super) span: usize,
    pub(super) value: Arc<T>,
    /// What its chunks count as, where they are its own.
    pub(super) charge: Option<Charge>,
}

/// Values by number.
pub(super) struct Slab<V> {
    pub(super) slots: Vec<Option<V>>,
    free: Vec<u32>,
}

impl<V> Slab<V> {
    pub(super) const fn new() -> Self {
        Slab { slots: Vec::new(), free: Vec::new() }
    }
    pub(super) fn insert(&mut self, value: V) -> u32 {
        match self.free.pop() {
            Some(i) => {
                self.slots[i as usize] = Some(value);
                i
            }
            None => {
                self.slots.push(Some(value));
                self.slots.len() as u32 - 1
            }
        }
    }
    pub(super) fn get(&self, i: u32) -> Option<&V> {
        self.slots.get(i as usize)?.as_ref()
    }
    pub(super) fn get_mut(&mut self, i: u32) -> Option<&mut V> {
        self.slots.get_mut(i as usize)?.as_mut()
    }
    pub(super) fn remove(&mut self, i: u32) -> Option<V> {
        let value = self.slots.get_mut(i as usize)?.take();
        if value.is_some() {
            self.free.push(i);
        }
        value
    }
}

/// An allocation that was found.
#[derive(Clone, Copy)]
pub(super) struct Found<'a, T> {
    pub(super) base: usize,
    pub(super) size: usize,
    pub(super) value: &'a Arc<T>,
}

impl<T> Entry<T> {
    pub(super) fn found(&self) -> Found<'_, T> {
        Found { base: self.base, size: self.size, value: &self.value }
    }
}

/// The allocations of one region, by first address: size and value. Little is kept of each, because they come and go all the
/// time, and the nodes of the tree are moved with them.
pub(super) struct Packed<T>(BTreeMap<usize, (usize, Arc<T>)>);

impl<T> Packed<T> {
    pub(super) const fn new() -> Self {
        Packed(BTreeMap::new())
    }

    fn found<'a>((&base, (size, value)): (&'a usize, &'a (usize, Arc<T>))) -> Found<'a, T> {
        Found { base, size: *size, value }
    }

    /// The allocation that may hold `addr`: the last one that begins at or before it.
    pub(super) fn holding(&self, addr: usize) -> Option<Found<'_, T>> {
        self.0.range(..=addr).next_back().map(Self::found)
    }

    /// The first allocation that begins in `from..to`.
    pub(super) fn first(&self, from: usize, to: usize) -> Option<&Arc<T>> {
        if from >= to {
            return None;
        }
        self.0.range(from..to).next().map(|(_, (_, value))| value)
    }

    /// All of them.
    pub(super) fn values(&self) -> impl Iterator<Item = &Arc<T>> {
        self.0.values().map(|(_, value)| value)
    }

    pub(super) fn enter(&mut self, base: usize, size: usize, value: Arc<T>) {
        self.0.insert(base, (size, value));
    }

    pub(super) fn remove(&mut self, base: usize) -> Option<Arc<T>> {
        self.0.remove(&base).map(|(_, value)| value)
    }
}
