//! Handles that programs carry to other processes: eight words, the first of which vouches for the others. One changed bit
//! anywhere, the unused words included, and the handle means nothing.
//!
//! This keeps accidents out, not attackers: who may open the files that handles name is for the system to say.

/// What a program carries.
pub type Carried = [u8; 64];

/// What a handle says.
pub type Words = [u64; 7];

/// Makes a handle of a kind, which has a number of its own. Words that are not given are 0.
pub fn seal(kind: u64, words: &[u64]) -> Carried {
    let mut all = [0; 8];
    all[1..=words.len()].copy_from_slice(words);
    all[0] = vouch(kind, &all[1..]);
    let mut handle = [0; 64];
    for (to, word) in handle.chunks_exact_mut(8).zip(all) {
        to.copy_from_slice(&word.to_le_bytes());
    }
    handle
}

/// What a handle of a kind says; `None` if it is none.
pub fn open(kind: u64, handle: &Carried) -> Option<Words> {
    let word = |i: usize| u64::from_le_bytes(core::array::from_fn(|b| handle[i * 8 + b]));
    let words: Words = core::array::from_fn(|i| word(i + 1));
    (word(0) == vouch(kind, &words)).then_some(words)
}

/// Two handles that differ in one word never get the same number: each step can be undone.
fn vouch(kind: u64, words: &[u64]) -> u64 {
    let mix = |n: u64| {
        let n = (n ^ n >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let n = (n ^ n >> 29).wrapping_mul(0xa076_1d64_78bd_642f);
        n ^ n >> 32
    };
    words.iter().fold(mix(kind), |sum, word| mix(sum.rotate_left(5) ^ word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_matters() {
        let handle = seal(7, &[1, 2, u64::MAX]);
        assert_eq!(open(7, &handle), Some([1, 2, u64::MAX, 0, 0, 0, 0]));
        assert_eq!(open(8, &handle), None, "another kind");
        assert_eq!(open(7, &[0; 64]), None);
        for bit in 0..512 {
            let mut wrong = handle;
            wrong[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(open(7, &wrong), None, "bit {bit}");
        }
    }
}
