//! How what a thread remembers is found: by words that say all it was made of.

const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// A number of which the upper bits depend on all bits of another one.
#[inline(always)]
pub fn mixed(number: u64) -> u64 {
    number.wrapping_mul(SPREAD)
}

/// A number of which the lower bits depend on all bits of another one.
#[inline]
pub fn spread(number: u64) -> usize {
    (mixed(number) >> 32) as usize
}

/// The comparison of arrays is a call of the C library's.
#[inline(always)]
pub fn is_same<const N: usize>(a: &[u64; N], b: &[u64; N]) -> bool {
    let mut different = 0;
    for i in 0..N {
        different |= a[i] ^ b[i];
    }
    different == 0
}

/// Places where something may be that is kept.
const NEAR: usize = 4;

/// Finds one of some that are kept near the place that a number says.
#[inline]
pub fn find<T>(kept: &[T], most: usize, number: u64, is: impl Fn(&T) -> bool) -> Option<usize> {
    let first = spread(number);
    (0..NEAR).map(|i| (first ^ i) % most).find(|&place| kept.get(place).is_some_and(&is))
}

/// A place for one that is not there; those that are near give way by turns.
#[inline]
pub fn place(most: usize, number: u64, turn: &mut usize) -> usize {
    *turn = turn.wrapping_add(1);
    (spread(number) ^ (*turn % NEAR)) % most
}

/// Places where something may be that is kept, by a part of the number that says what it is: in sets of four, which are looked at
/// together. What is there has to be compared: others may have the same part.
pub struct Tags<const SETS: usize> {
    sets: [[u32; NEAR]; SETS],
    /// Whose turn it is to give way.
    turn: usize,
}

impl<const SETS: usize> Tags<SETS> {
    pub const EMPTY: Tags<SETS> = Tags { sets: [[0; NEAR]; SETS], turn: 0 };

    /// The set of a number, and what tells numbers of a set apart; never 0.
    #[inline(always)]
    fn of(number: u64) -> (usize, u32) {
        let mixed = mixed(number);
        ((mixed >> 32) as usize % SETS, (mixed >> 40) as u32 | 1)
    }

    /// Finds the place of a number.
    #[inline(always)]
    pub fn find(&self, number: u64) -> Option<usize> {
        use core::arch::x86_64::{_mm_castsi128_ps, _mm_cmpeq_epi32, _mm_loadu_si128, _mm_movemask_ps, _mm_set1_epi32};
        let (set, tag) = Self::of(number);
        // SAFETY: every x86-64 processor has these instructions; a set is as long as what they read.
        let same = unsafe {
            let ways = _mm_loadu_si128(self.sets.get(set)?.as_ptr().cast());
            _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(ways, _mm_set1_epi32(tag as i32))))
        };
        (same != 0).then(|| set * NEAR + same.trailing_zeros() as usize)
    }

    /// The place that a number has, or that it has from now on.
    pub fn take(&mut self, number: u64) -> usize {
        if let Some(place) = self.find(number) {
            return place;
        }
        self.turn = self.turn.wrapping_add(1);
        let ((set, tag), way) = (Self::of(number), self.turn % NEAR);
        self.sets[set][way] = tag;
        set * NEAR + way
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_places_until_others_take_them() {
        let mut tags = Tags::<8>::EMPTY;
        let mut there = [None; 8 * NEAR];
        for n in 0..20_000u64 {
            let number = n * n % 61 + ((n / 3000) << 40);
            let known = there.iter().position(|&other| other == Some(number));
            assert_eq!(tags.find(number), known, "{n}");
            let place = tags.take(number);
            assert!(known.is_none_or(|known| known == place), "{n}");
            there[place] = Some(number);
            assert_eq!(tags.find(number), Some(place), "{n}");
        }
        assert!(there.iter().all(Option::is_some));
    }
}
