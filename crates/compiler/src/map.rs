//! Maps whose keys are numbers of registers, places and steps, which are found more often than anything else is done.

use core::hash::{BuildHasherDefault, Hasher};
use std::collections::{HashMap, HashSet};

/// Keys are numbers in a row, more or less: whoever makes some of them collide has few to choose from.
pub type Map<K, V> = HashMap<K, V, BuildHasherDefault<Numbers>>;
pub type Set<K> = HashSet<K, BuildHasherDefault<Numbers>>;

/// Hashes numbers: a product, of which both ends depend on all bits below.
#[derive(Default)]
pub struct Numbers(u64);

impl Hasher for Numbers {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}
