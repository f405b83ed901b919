//! Sets of registers, as bits.

use crate::instruction::Register;

/// Sets of registers, one for each block of a function, in one piece of memory.
#[derive(Clone, Default)]
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

    /// As many sets at least, in the same memory if there is enough of it. What they hold is of no meaning.
    pub fn renewed(self, sets: usize, registers: usize) -> Sets {
        let words = registers.div_ceil(64).max(1);
        if self.bits.len() < sets * words { Sets::new(sets, registers) } else { Sets { words, bits: self.bits } }
    }

    /// Bytes of all of them.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.bits[..])
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

    /// One of them becomes what another one is.
    #[inline]
    pub fn copy(&mut self, from: usize, to: usize) {
        self.bits.copy_within(from * self.words..(from + 1) * self.words, to * self.words);
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
#[inline]
pub fn members(set: &[u64]) -> Members<impl Iterator<Item = u64> + Clone + '_> {
    Members { words: set.iter().copied(), word: 0, next: 0 }
}

/// The members of two sets at once, ascending.
#[inline]
pub fn common<'s>(a: &'s [u64], b: &'s [u64]) -> Members<impl Iterator<Item = u64> + Clone + 's> {
    Members { words: a.iter().zip(b).map(|(a, b)| a & b), word: 0, next: 0 }
}

/// The members of a set of these words.
#[derive(Clone)]
pub struct Members<W> {
    /// Words that have not been looked at, what is left of the one before them, and the first number behind that.
    words: W,
    word: u64,
    next: u32,
}

impl<W: Iterator<Item = u64>> Iterator for Members<W> {
    type Item = Register;

    #[inline]
    fn next(&mut self) -> Option<Register> {
        while self.word == 0 {
            (self.word, self.next) = (self.words.next()?, self.next + 64);
        }
        let bit = self.word.trailing_zeros();
        self.word &= self.word - 1;
        Some(self.next - 64 + bit)
    }
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
        insert(sets.of_mut(2), 64);
        assert_eq!(common(sets.of(1), sets.of(2)).collect::<Vec<_>>(), [64]);
        assert!(common(sets.of(0), sets.of(1)).next().is_none());
        remove(sets.of_mut(2), 64);
        remove(sets.of_mut(1), 63);
        assert!(has(sets.of(1), 64) && !has(sets.of(1), 63));
        sets.copy(1, 2);
        assert_eq!(members(sets.of(2)).collect::<Vec<_>>(), [0, 64]);
        // In the same memory, and in more of it.
        assert_eq!(sets.renewed(2, 100).of(1).len(), 2);
        assert_eq!(Sets::new(1, 65).renewed(3, 200).of(2), [0; 4]);
        // Without registers there is nothing in it, and no panic.
        assert_eq!(members(Sets::new(1, 0).of(0)).next(), None);
    }
}
