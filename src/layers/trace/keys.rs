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
