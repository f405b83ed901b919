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
    a.iter().zip(b).fold(0, |different, (a, b)| different | (a ^ b)) == 0
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
