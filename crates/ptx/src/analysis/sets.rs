//! Sets of registers, as bits.

use crate::instruction::Register;

/// Sets of registers, one for each block of a function, in one piece of memory.
#[derive(Clone)]
pub struct Sets {
    words: usize,
    bits: Vec<u64>,
}

impl Sets {
    /// Empty ones.
    pub fn new(sets: usize, registers: usize) -> Sets {
        let words = registers.div_ceil(64).max(1);
        Sets { words, bits: vec![0; sets * words] }
    }

    /// Words of a set.
    #[inline]
    pub fn words(&self) -> usize {
        self.words
    }

    /// One of them.
    #[inline]
    pub fn of(&self, set: usize) -> &[u64] {
        &self.bits[set * self.words..(set + 1) * self.words]
    }

    /// The same, to be changed.
    #[inline]
    pub fn of_mut(&mut self, set: usize) -> &mut [u64] {
        &mut self.bits[set * self.words..(set + 1) * self.words]
    }
}

/// Whether a register is in a set.
#[inline]
pub fn has(set: &[u64], register: Register) -> bool {
    set[register as usize / 64] >> (register % 64) & 1 != 0
}

/// Puts one in.
#[inline]
pub fn insert(set: &mut [u64], register: Register) {
    set[register as usize / 64] |= 1 << (register % 64);
}

/// Takes one out.
#[inline]
pub fn remove(set: &mut [u64], register: Register) {
    set[register as usize / 64] &= !(1 << (register % 64));
}

/// The members of a set, ascending.
pub fn members(set: &[u64]) -> impl Iterator<Item = Register> + '_ {
    set.iter().enumerate().flat_map(|(n, &word)| {
        let mut word = word;
        std::iter::from_fn(move || {
            (word != 0).then(|| {
                let bit = word.trailing_zeros();
                word &= word - 1;
                n as u32 * 64 + bit
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_stand_apart() {
        let mut sets = Sets::new(3, 65);
        [0, 63, 64].into_iter().for_each(|register| insert(sets.of_mut(1), register));
        assert_eq!(members(sets.of(1)).collect::<Vec<_>>(), [0, 63, 64]);
        assert!(members(sets.of(0)).chain(members(sets.of(2))).next().is_none());
        remove(sets.of_mut(1), 63);
        assert!(has(sets.of(1), 64) && !has(sets.of(1), 63));
        // Without registers there is nothing in it, and no panic.
        assert_eq!(members(Sets::new(1, 0).of(0)).next(), None);
    }
}
