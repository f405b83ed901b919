//! A set of numbers that gives back the next one quickly.

/// A set of numbers below a bound.
pub struct Marks {
    /// A bit for each number; then for each of the words before whether it has any.
    levels: [Vec<u64>; 3],
}

impl Marks {
    /// None of the numbers below `count`.
    pub fn none(count: usize) -> Marks {
        let words = count.div_ceil(64);
        let groups = words.div_ceil(64);
        Marks { levels: [vec![0; words], vec![0; groups], vec![0; groups.div_ceil(64)]] }
    }

    /// All of them.
    pub fn all(count: usize) -> Marks {
        let mut all = Marks::none(count);
        (0..count).for_each(|number| all.insert(number));
        all
    }

    /// Adds a number.
    pub fn insert(&mut self, mut number: usize) {
        for level in &mut self.levels {
            level[number / 64] |= 1 << (number % 64);
            number /= 64;
        }
    }

    /// Takes out the least number that is in a word (64 numbers) or behind it.
    pub fn take_from(&mut self, word: usize) -> Option<usize> {
        let word = self.find(0, word)?;
        let number = word * 64 + self.levels[0][word].trailing_zeros() as usize;
        let mut at = number;
        for level in &mut self.levels {
            level[at / 64] &= !(1 << (at % 64));
            if level[at / 64] != 0 {
                break;
            }
            at /= 64;
        }
        Some(number)
    }

    /// The first word of a level that is not empty, from one on.
    fn find(&self, level: usize, from: usize) -> Option<usize> {
        let Some(above) = self.levels.get(level + 1) else {
            let words = self.levels[level].get(from..)?;
            return words.iter().position(|&word| word != 0).map(|at| from + at);
        };
        let rest = above.get(from / 64)? & (u64::MAX << (from % 64));
        if rest != 0 {
            return Some(from / 64 * 64 + rest.trailing_zeros() as usize);
        }
        let word = self.find(level + 1, from / 64 + 1)?;
        Some(word * 64 + above[word].trailing_zeros() as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_in_order() {
        let mut marks = Marks::none(1 << 20);
        for number in [0, 1, 63, 64, 4095, 4096, 300_000, (1 << 20) - 1, 64] {
            marks.insert(number);
        }
        assert_eq!(marks.take_from(1), Some(64));
        // What is before the word stays for later.
        let all: Vec<usize> = std::iter::from_fn(|| marks.take_from(0)).collect();
        assert_eq!(all, [0, 1, 63, 4095, 4096, 300_000, (1 << 20) - 1]);
        assert_eq!(marks.take_from(1 << 14), None);
        let mut few = Marks::all(3);
        assert_eq!(std::iter::from_fn(|| few.take_from(0)).count(), 3);
        assert_eq!(Marks::none(0).take_from(0), None);
    }
}
