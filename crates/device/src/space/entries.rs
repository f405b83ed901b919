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

/// The allocations of one region, by first address.
pub(super) struct Packed<T>(pub(super) BTreeMap<usize, Entry<T>>);

impl<T> Packed<T> {
    /// The allocation that may hold `addr`: the last one that begins at or before it.
    pub(super) fn holding(&self, addr: usize) -> Option<&Entry<T>> {
        self.0.range(..=addr).next_back().map(|(_, e)| e)
    }

    /// The first allocation that begins in `from..to`.
    pub(super) fn first(&self, from: usize, to: usize) -> Option<&Entry<T>> {
        if from >= to {
            return None;
        }
        self.0.range(from..to).next().map(|(_, e)| e)
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = &Entry<T>> {
        self.0.values()
    }

    pub(super) fn remove(&mut self, base: usize) -> Option<Entry<T>> {
        self.0.remove(&base)
    }
}
