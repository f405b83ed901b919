//! Multiprocessors of a device as a resource: sets of them, and how sets are split.

/// The most that a device has.
const MOST: u32 = 256;

/// Multiprocessors that run the blocks of a cluster together: groups are multiples of it.
const TOGETHER: u32 = 8;
/// Multiprocessors that cannot be parted.
const PAIR: u32 = 2;
/// How many groups of [`TOGETHER`] a device of so many multiprocessors has, where they do not fill it: some lie in clusters that
/// are smaller.
const SCATTERED: (u32, u32) = (132, 15);

/// How so many multiprocessors are split into groups of at least `least`: the size of a group, and how many there are. Groups need
/// not run clusters if `fine`. `None` for more than there are.
pub fn groups(count: u32, least: u32, fine: bool) -> Option<(u32, u32)> {
    if least > count {
        return None;
    }
    let grain = if fine { PAIR } else { TOGETHER };
    let size = least.max(1).next_multiple_of(grain).min(count);
    let groups = if !fine && size == TOGETHER && count == SCATTERED.0 { SCATTERED.1 } else { count / size.max(1) };
    Some((size, groups))
}

/// Some multiprocessors of a device, by number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Multiprocessors([u64; 4]);

impl Multiprocessors {
    /// Bytes that describe a set.
    pub const BYTES: usize = 32;

    /// The first ones of a device.
    pub fn first(count: u32) -> Multiprocessors {
        let mut set = Multiprocessors::default();
        (0..count.min(MOST)).for_each(|number| set.insert(number));
        set
    }

    fn insert(&mut self, number: u32) {
        self.0[number as usize / 64] |= 1 << (number % 64);
    }

    /// How many they are.
    pub fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Their numbers, from low to high.
    pub fn numbers(self) -> impl Iterator<Item = u32> {
        (0..MOST).filter(move |number| self.0[*number as usize / 64] >> (number % 64) & 1 != 0)
    }

    /// Takes the first ones out of the set.
    pub fn take(&mut self, count: u32) -> Multiprocessors {
        let mut taken = Multiprocessors::default();
        let numbers: Vec<u32> = self.numbers().take(count as usize).collect();
        for number in numbers {
            taken.insert(number);
            self.0[number as usize / 64] &= !(1 << (number % 64));
        }
        taken
    }

    /// Those that both have.
    pub fn common(self, other: Multiprocessors) -> Multiprocessors {
        Multiprocessors(core::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    /// Those that either has.
    pub fn with(self, other: Multiprocessors) -> Multiprocessors {
        Multiprocessors(core::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    /// The set as bytes, for a structure of the program's.
    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        for (bytes, word) in bytes.chunks_exact_mut(8).zip(self.0) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// The set that such bytes describe.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Multiprocessors {
        let word = |at: usize| u64::from_le_bytes(core::array::from_fn(|byte| bytes[at * 8 + byte]));
        Multiprocessors(core::array::from_fn(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_those_of_a_device_with_132() {
        for (least, fine, wanted) in [
            (0, false, (8, 15)),
            (8, false, (8, 15)),
            (9, false, (16, 8)),
            (72, false, (72, 1)),
            (129, false, (132, 1)),
            (0, true, (2, 66)),
            (3, true, (4, 33)),
            (131, true, (132, 1)),
        ] {
            assert_eq!(groups(132, least, fine), Some(wanted), "{least} {fine}");
        }
        assert_eq!(groups(132, 133, false), None);
        assert_eq!(groups(132, u32::MAX, true), None);
        assert_eq!(groups(32, 8, false), Some((8, 4)));
    }

    #[test]
    fn sets_are_taken_apart_and_described() {
        let mut all = Multiprocessors::first(132);
        let first = all.take(70);
        assert_eq!((first.count(), all.count()), (70, 62));
        assert_eq!(first.common(all), Multiprocessors::default());
        assert_eq!(first.with(all), Multiprocessors::first(132));
        assert_eq!(Multiprocessors::from_bytes(&all.to_bytes()), all);
        assert_eq!(all.numbers().next(), Some(70));
        assert_eq!(Multiprocessors::first(u32::MAX).count(), MOST);
    }
}
