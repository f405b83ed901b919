//! Words to numbers: tables that the compiler makes.

/// A slot without a word.
const EMPTY: u16 = u16::MAX;

/// Finds a word in a list. `N` is a power of two and more than twice the length of the list.
pub struct Words<const N: usize> {
    list: &'static [&'static str],
    /// Open addressing: positions in the list.
    slots: [u16; N],
}

const fn hash(word: &[u8]) -> usize {
    let (mut hash, mut at) = (0x811c_9dc5_u32, 0);
    while at < word.len() {
        hash = (hash ^ word[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    (hash ^ hash >> 15) as usize
}

/// `==`, for the compiler.
const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

impl<const N: usize> Words<N> {
    /// The table of a list.
    pub const fn new(list: &'static [&'static str]) -> Words<N> {
        assert!(N.is_power_of_two() && N > 2 * list.len());
        let (mut slots, mut number) = ([EMPTY; N], 0);
        while number < list.len() {
            let mut at = hash(list[number].as_bytes()) % N;
            while slots[at] != EMPTY {
                at = (at + 1) % N;
            }
            slots[at] = number as u16;
            number += 1;
        }
        Words { list, slots }
    }

    /// The position of a word in the list.
    #[inline]
    pub fn find(&self, word: &str) -> Option<usize> {
        let mut at = hash(word.as_bytes()) % N;
        loop {
            match self.slots[at] {
                EMPTY => return None,
                number if self.list[number as usize] == word => return Some(number as usize),
                _ => at = (at + 1) % N,
            }
        }
    }

    /// The same for the compiler, where only part of `text` is the word.
    pub const fn find_in(&self, text: &[u8], from: usize, to: usize) -> Option<usize> {
        let word = text.split_at(to).0.split_at(from).1;
        let mut at = hash(word) % N;
        loop {
            let number = self.slots[at];
            if number == EMPTY {
                return None;
            }
            if same(self.list[number as usize].as_bytes(), word) {
                return Some(number as usize);
            }
            at = (at + 1) % N;
        }
    }
}
